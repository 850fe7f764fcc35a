#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds of the device, from builds.toml.

    builds.py NAME                 the parameters of a build or device, NAME=VALUE, one a line
    builds.py NAME --unit MODULE   parameters of one of its modules, measured alone
    builds.py --list               names of the builds
    builds.py --check FAA_TOP      checks that faa_top has these parameters, with DEFAULT's values
    builds.py --package FILE       write the SystemVerilog package

Values are Verilog literals with the parameter's own width, so that no tool warns. Standard library
only.
"""
import argparse
import json
import os
import pathlib
import re
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
PATH = os.path.join(HERE, "builds.toml")
# The build of faa_top without parameters.
DEFAULT = "full"
WIDTHS = {"int": 32, "bit": 1}


class BuildError(Exception):
    """A contradiction in builds.toml."""


class Builds:
    """The content of builds.toml."""

    def __init__(self, path=PATH):
        with open(path, "rb") as file:
            data = tomllib.load(file)
        self.parameters = data["parameter"]
        self.units = data.get("unit", {})
        self.docs, self.values, self.likes = {}, {}, {}
        for name, row in data["build"].items():
            self.add(name, row, {})
            lacking = self.parameters.keys() - row.keys()
            if lacking:
                raise BuildError(f"build.{name}: no {', '.join(sorted(lacking))}")
        self.builds = list(data["build"])
        if DEFAULT not in self.builds:
            raise BuildError(f"build.{DEFAULT}: the default build is missing")
        for name, row in data.get("device", {}).items():
            if row.get("like") not in self.builds:
                raise BuildError(f"device.{name}: like is {row.get('like')}, which is no build")
            if name in self.builds:
                raise BuildError(f"device.{name}: a build has this name")
            self.add(name, row, self.values[row["like"]])
            self.likes[name] = row["like"]
        for module, row in self.units.items():
            unknown = set(row.values()) - self.parameters.keys()
            if unknown:
                raise BuildError(f"unit.{module}: no parameters {', '.join(sorted(unknown))}")

    def add(self, name, row, base):
        """Checks and keeps a build or device: @row over @base."""
        given = {key: value for key, value in row.items() if key not in ("doc", "like")}
        if not row.get("doc"):
            raise BuildError(f"{name}: no doc")
        for key, value in given.items():
            if key not in self.parameters:
                raise BuildError(f"{name}: faa_top has no parameter {key}")
            if not isinstance(value, int) or not 0 <= value < 1 << self.width(key):
                raise BuildError(f"{name}: {key} is {value}")
        self.docs[name] = row["doc"]
        self.values[name] = {key: given.get(key, base.get(key)) for key in self.parameters}

    def width(self, parameter):
        """Bits of a parameter."""
        return WIDTHS[self.parameters[parameter]["type"]]

    def literal(self, parameter, value):
        """A value as a Verilog literal."""
        return str(value) if self.width(parameter) > 1 else f"1'b{value}"

    def arguments(self, name, unit=None):
        """NAME=VALUE of the parameters of a build, or of one of its modules."""
        mapping = self.units[unit] if unit else {key: key for key in self.parameters}
        values = self.values[name]
        return [f"{own}={self.literal(key, values[key])}" for own, key in mapping.items()]


def snake(name):
    """The member of build_t for a parameter."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def package(builds):
    """rtl/faa_build_pkg.sv"""
    kinds = {"int": "int unsigned", "bit": "bit"}
    names = {key: snake(key) for key in builds.parameters}
    wide = max(map(len, names.values()))
    out = ["// SPDX-License-Identifier: Apache-2.0", "//",
           "// Builds of the device. Generated from spec/builds.toml by builds.py;",
           "// do not edit.", "", "/* verilator lint_off UNUSEDPARAM */", "package faa_build_pkg;", "",
           "  // The parameters of faa_top, in its order.", "  typedef struct packed {"]
    for key, row in builds.parameters.items():
        out.append(f"    {kinds[row['type']]:<12} {names[key] + ';':<{wide + 1}} // {row['doc']}")
    out += ["  } build_t;", ""]
    for build in builds.builds:
        out += [f"  // {builds.docs[build]}",
                f"  localparam build_t BUILD_{build.upper()} = '{{"]
        values = [f"    {names[key] + ':':<{wide + 1}} {builds.literal(key, value)}"
                  for key, value in builds.values[build].items()]
        out += [",\n".join(values), "  };", ""]
    return "\n".join(out + ["endpackage", ""])


def table(builds):
    """The builds as reStructuredText."""
    out = [".. SPDX-License-Identifier: MIT", "", ".. list-table::", "   :header-rows: 1",
           "   :widths: auto", ""]
    rows = [["parameter", *(f"``{name}``" for name in builds.builds), "meaning"],
            ["", *(builds.docs[name] for name in builds.builds), ""]]
    rows += [[f"``{key}``", *(str(builds.values[name][key]) for name in builds.builds), row["doc"]]
             for key, row in builds.parameters.items()]
    for row in rows:
        out += [("   * - " if index == 0 else "     - ") + cell for index, cell in enumerate(row)]
    out += ["", "Devices of tests and benchmarks, each a build with other values:", "",
            ".. list-table::", "   :header-rows: 1", "   :widths: auto", ""]
    rows = [["device", "for", "build", "with"]]
    for name, like in builds.likes.items():
        base, values = builds.values[like], builds.values[name]
        rows.append([f"``{name}``", builds.docs[name], f"``{like}``",
                     ", ".join(f"``{key}={value}``" for key, value in values.items()
                               if value != base[key])])
    for row in rows:
        out += [("   * - " if index == 0 else "     - ") + cell for index, cell in enumerate(row)]
    return "\n".join(line.rstrip() for line in out) + "\n"


def as_json(builds):
    """builds.json: for tools that do not read TOML."""
    rows = {name: {"doc": builds.docs[name], "like": builds.likes.get(name),
                   "parameters": builds.values[name], "arguments": builds.arguments(name)}
            for name in builds.values}
    return json.dumps({"default": DEFAULT, "builds": builds.builds, "devices": rows},
                      indent=1) + "\n"


def check_top(builds, text):
    """Sentences about the parameters of faa_top (its text) that differ from builds.toml."""
    found = dict(re.findall(r"^  parameter (?:int unsigned|bit) (\w+) = ([^,\s]+),?$", text, re.M))
    wanted = {key: builds.literal(key, value) for key, value in builds.values[DEFAULT].items()}
    problems = [f"faa_top: {key} is {found.get(key, 'missing')} by default, {wanted[key]} in "
                f"build.{DEFAULT}" for key in wanted if found.get(key) != wanted[key]]
    problems += [f"faa_top: {key} is not in builds.toml" for key in found if key not in wanted]
    if sorted(found) == sorted(wanted) and list(found) != list(wanted):
        problems.append("faa_top: the parameters have another order in builds.toml")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", metavar="NAME", help="build or device")
    parser.add_argument("--unit", metavar="MODULE", help="a module that is measured alone")
    parser.add_argument("--list", action="store_true", help="names of the builds")
    parser.add_argument("--check", type=pathlib.Path, metavar="FAA_TOP", help="compare with faa_top")
    parser.add_argument("--package", type=pathlib.Path, metavar="FILE", help="write the package")
    args = parser.parse_args()
    try:
        builds = Builds()
    except (BuildError, tomllib.TOMLDecodeError, KeyError) as error:
        sys.exit(f"builds.toml: {error}")
    if args.list:
        print("\n".join(builds.builds))
    if args.package:
        args.package.write_text(package(builds), encoding="utf-8")
    if args.name:
        if args.name not in builds.values or (args.unit and args.unit not in builds.units):
            sys.exit(f"builds.toml has no {args.name} {args.unit or ''}".rstrip())
        print("\n".join(builds.arguments(args.name, args.unit)))
    problems = check_top(builds, args.check.read_text(encoding="utf-8")) if args.check else []
    for text in problems:
        print(text)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
