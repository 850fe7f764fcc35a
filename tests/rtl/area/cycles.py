#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cycles of the builds whose area is in tests/rtl/area/area.json: each is verilated with the same parameters and measured.

    cycles.py                   compare with the table
    cycles.py --build NAME      compare one build; several times for several
    cycles.py --update          write them to the table, after area.py --update

The testbench is tests/rtl/shared_figures.cpp, which compares the answers of the build as well. It gives the unit wider user bits (UserW),
which pass through beside the data and cost no cycle. area.py refuses cycles that were measured on other hardware than the area.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

import area
import elaborate

FIGURE = re.compile(r"^figure: (.*): (\d+) cycles, (\d+) warps$", re.MULTILINE)
# Random warps whose answers are compared
WARPS, SEED = 2000, 1


def option(name, value):
    """A parameter of the top module for Verilator; bits have a size."""
    return f"-G{name}={value}" if name in ("Lanes", "Chains") else f"-G{name}=1'b{value}"


def measure(name):
    """The rows of a build."""
    parameters = area.BUILDS[name]
    build = os.environ.get("FAA_BUILD") or os.path.join(elaborate.ROOT, "build")
    program = f"shared-area-{parameters['Lanes']}"
    made = subprocess.run(["nice", os.path.join(elaborate.ROOT, "tests/rtl/build.sh"), "faa_shared", "shared_figures", program, "-GUserW=16",
                           *(option(*parameter) for parameter in parameters.items()), os.path.join(elaborate.ROOT, "rtl/shared/faa_shared.sv")],
                          env={**os.environ, "BUILD": os.path.abspath(build), "JOBS": "1"}, capture_output=True, text=True, check=False)
    if made.returncode:
        sys.exit(f"{made.stderr}\n{name}: the testbench cannot be built")
    run = subprocess.run(["nice", made.stdout.strip(), str(WARPS), str(SEED), str(parameters["Lanes"])],
                         capture_output=True, text=True, check=False)
    found = FIGURE.findall(run.stdout)
    if run.returncode or not found:
        sys.exit(f"{run.stdout}{run.stderr}\n{name}: the testbench ended with status {run.returncode}")
    return [{"build": name, "stream": stream, "cycles": int(cycles), "warps": int(warps)} for stream, cycles, warps in found]


def compare(measured, table, builds):
    """Sentences about rows of @builds that differ."""
    now = {(row["build"], row["stream"]): row for row in measured}
    then = {key: row for key, row in table.cycles.items() if key[0] in builds}
    problems = [f"{build}, {stream}: not in area.json; to bring it up to date: {area.UPDATE_CYCLES}" for build, stream in sorted(now.keys() - then.keys())]
    problems += [f"{build}, {stream}: in area.json, but not measured; to bring it up to date: {area.UPDATE_CYCLES}" for build, stream in sorted(then.keys() - now.keys())]
    for key in sorted(now.keys() & then.keys()):
        problems += [f"{key[0]}, {key[1]}: {kind} is {now[key][kind]}, in area.json {then[key][kind]}; to bring it up to date: {area.UPDATE_CYCLES}"
                     for kind in ("cycles", "warps") if now[key][kind] != then[key][kind]]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--update", action="store_true", help="write the cycles to area.json")
    what.add_argument("--build", action="append", choices=area.BUILDS, help="only this build of the table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="builds at a time (default: one per processor)")
    args = parser.parse_args()
    table = area.Table(area.TABLE)
    builds = args.build or list(area.BUILDS)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        measured = [row for rows in pool.map(measure, builds) for row in rows]
    for row in measured:
        print(f"# {row['build']}, {row['stream']}: {row['cycles'] / row['warps']:.2f} cycles per warp")
    if args.update:
        tops = {build: row["top"] for (build, _), row in table.builds.items()}
        table.cycles = {(row["build"], row["stream"]): {**row, "top": tops[row["build"]]} for row in measured}
        table.write()
        return 0
    problems = compare(measured, table, builds)
    for text in problems:
        print(text)
    print(f"{len(measured)} rows compared, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
