#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Generate all files that depend on commands.toml, texture_header.toml and builds.toml.

Writes into --out: faa_isa.h (constants and descriptors, kernel and user space), faa_encode.h
(inline encoders), faa_tables.h (names and legality), faa_texture.h (texture headers), faa_pkg.sv
(SystemVerilog package), commands_ref.rst (reference page), builds.json and builds_ref.inc (builds
of the device). The output depends on the descriptions alone. Standard library only.
"""
import argparse
import os
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import builds  # noqa: E402
import gen_c  # noqa: E402
import gen_rst  # noqa: E402
import gen_sv  # noqa: E402
import gen_texture  # noqa: E402


class SpecError(Exception):
    """A contradiction in commands.toml; the text names the place."""


def check_word(spec, name, fields):
    """Fields of a word, and of the word that it extends, do not overlap, and fit in 64 bits."""
    base = fields.get("extends")
    if base is not None and base not in spec["word"]:
        raise SpecError(f"word.{name}: extends {base}, which is no word")
    used = gen_c.inherited_bits(spec, fields)
    for field, high, low, _ in gen_c.bits(fields):
        if not 0 <= low <= high <= 63:
            raise SpecError(f"word.{name}.{field}: bits [{high}, {low}] are not inside 63..0")
        if used & gen_c.mask(high, low):
            raise SpecError(f"word.{name}.{field}: overlaps another field")
        used |= gen_c.mask(high, low)


def check_struct(name, fields):
    """The fields of a descriptor follow each other without holes."""
    end = 0
    for field, value in fields.items():
        if field == "doc":
            continue
        offset, size, _ = value
        if offset != end or size not in (4, 8) or offset % size:
            raise SpecError(f"struct.{name}.{field}: {size} bytes at offset {offset}, expected at {end}, aligned")
        end = offset + size


def check_enum(name, entries):
    """Codes are unique."""
    codes = {}
    for entry, (code, _) in entries.items():
        if code in codes:
            raise SpecError(f"enum.{name}.{entry}: code {code} is {codes[code]}'s")
        codes[code] = entry


def check_operand_ops(spec, command, ops):
    """Names in the keys of single operations exist, and the tables have room for the codes."""
    name = command["name"]
    for key, slot in (("c_ops", "c"), ("b_ops_absent", "b")):
        for op in command.get(key, []):
            if op not in ops:
                raise SpecError(f"command {name}: {key} names the unknown operation {op}")
        if key in command and slot not in command:
            raise SpecError(f"command {name}: {key} without operand {slot}")
    for order in command.get("orders", []):
        if order not in spec["enum"]["order"]:
            raise SpecError(f"command {name}: unknown order {order}")
    for key in ("access", "surface", "strong", "orders"):
        if key in command and command["class"] != "vector":
            raise SpecError(f"command {name}: {key} is for vector commands, which have a second and a third word")
    for op, (code, _) in ops.items():
        if code >= gen_c.MAX_OPS:
            raise SpecError(f"command {name}: the code of operation {op} is not below {gen_c.MAX_OPS}")


def check_command(spec, command):
    """A command names enumerations, types and kinds that exist."""
    name = command["name"]
    if name not in spec["enum"]["opcode"]:
        raise SpecError(f"command {name}: not in enum.opcode")
    for key in ("op_enum", "mod_enum"):
        if key in command and command[key] not in spec["enum"]:
            raise SpecError(f"command {name}: {key} = {command[key]} is no enumeration")
    for mode in command.get("float_modes", []):
        if mode not in spec["enum"]["float_mode"]:
            raise SpecError(f"command {name}: unknown float mode {mode}")
    ops = spec["enum"][command["op_enum"]] if "op_enum" in command else {}
    for op, types in command.get("types", {}).items():
        if op != "*" and op not in ops:
            raise SpecError(f"command {name}: types for unknown operation {op}")
        for type_name in types:
            if type_name not in spec["enum"]["type"]:
                raise SpecError(f"command {name}: unknown type {type_name}")
    check_operand_ops(spec, command, ops)
    for slot in "abcd":
        for kind in command.get(slot, []):
            if kind not in spec["enum"]["kind"]:
                raise SpecError(f"command {name}: unknown kind {kind} for operand {slot}")


def load(path, texture_path):
    """Read and check the descriptions."""
    with open(path, "rb") as file:
        spec = tomllib.load(file)
    with open(texture_path, "rb") as file:
        texture = tomllib.load(file)
    spec["enum"] |= texture.pop("enum")
    spec |= texture
    gen_texture.check(spec, SpecError)
    for name, fields in spec["word"].items():
        check_word(spec, name, fields)
    for name, fields in spec["struct"].items():
        check_struct(name, fields)
    for name, entries in spec["enum"].items():
        check_enum(name, entries)
    for command in spec["command"]:
        check_command(spec, command)
    missing = set(spec["enum"]["opcode"]) - {c["name"] for c in spec["command"]}
    if missing:
        raise SpecError(f"enum.opcode: no [[command]] for {', '.join(sorted(missing))}")
    return spec


def write(path, text):
    """Write a file only when its text changes, so that builds stay incremental."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


GENERATORS = {
    "faa_isa.h": gen_c.isa_header,
    "faa_encode.h": gen_c.encode_header,
    "faa_tables.h": gen_c.tables_header,
    "faa_texture.h": gen_texture.header,
    "faa_pkg.sv": gen_sv.package,
    "commands_ref.rst": gen_rst.reference,
}
# Of builds.toml
BUILD_GENERATORS = {"builds.json": builds.as_json, "builds_ref.inc": builds.table}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spec", default=os.path.join(HERE, "commands.toml"), help="the description to read")
    parser.add_argument("--texture", default=os.path.join(HERE, "texture_header.toml"), help="the description of texture headers")
    parser.add_argument("--builds", default=builds.PATH, help="the description of the builds")
    parser.add_argument("--out", required=True, help="directory to write into")
    parser.add_argument("--only", action="append", choices=sorted(GENERATORS | BUILD_GENERATORS), help="write this file only (repeatable)")
    args = parser.parse_args()
    try:
        spec = load(args.spec, args.texture)
    except (SpecError, tomllib.TOMLDecodeError, KeyError) as error:
        sys.exit(f"{args.spec}: {error}")
    try:
        devices = builds.Builds(args.builds)
    except (builds.BuildError, tomllib.TOMLDecodeError, KeyError) as error:
        sys.exit(f"{args.builds}: {error}")
    os.makedirs(args.out, exist_ok=True)
    for name in args.only or GENERATORS | BUILD_GENERATORS:
        text = GENERATORS[name](spec) if name in GENERATORS else BUILD_GENERATORS[name](devices)
        write(os.path.join(args.out, name), text)


if __name__ == "__main__":
    main()
