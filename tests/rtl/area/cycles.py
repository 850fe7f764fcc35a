#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cycles of the shared memory unit of the builds of spec/builds.toml, each verilated with the
parameters of its build.

    cycles.py                   compare the builds that the table has
    cycles.py --build NAME      compare one build; several times for several
    cycles.py --update          write them to the table, after area.py --update

The testbench is tests/rtl/shared_figures.cpp, which also compares the answers of the build. It
gives the unit wider user bits (UserW), which are passed through beside the data and cost no cycle.
area.py rejects cycles that were measured on other hardware than the area.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

import area
import elaborate
from table import BUILDS, Table
from tools import Tools

UNIT = "faa_shared"
FIGURE = re.compile(r"^figure: (.*): (\d+) cycles, (\d+) warps$", re.MULTILINE)
# Random warps whose answers are compared
WARPS, SEED = 2000, 1


def measure(name):
    """The rows of a build."""
    values = BUILDS.values[name]
    build = os.environ.get("FAA_BUILD") or os.path.join(elaborate.ROOT, "build")
    made = subprocess.run(["nice", os.path.join(elaborate.ROOT, "tests/rtl/build.sh"), UNIT, "shared_figures", f"shared-area-{name}", "-GUserW=16",
                           *(f"-G{parameter}" for parameter in BUILDS.arguments(name, UNIT)), os.path.join(elaborate.ROOT, "rtl/shared/faa_shared.sv")],
                          env={**os.environ, "BUILD": os.path.abspath(build), "JOBS": "1"}, capture_output=True, text=True, check=False)
    if made.returncode:
        sys.exit(f"{made.stderr}\n{name}: the testbench cannot be built")
    run = subprocess.run(["nice", made.stdout.strip(), str(WARPS), str(SEED), *(str(values[key]) for key in ("SharedLanes", "F32", "Relaxed"))],
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
    parser.add_argument("--update", action="store_true", help="write the cycles to area.json")
    parser.add_argument("--build", action="append", choices=BUILDS.builds, help="only this build of the table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="builds at a time (default: one per processor)")
    args = parser.parse_args()
    table = Table()
    measured_before = [build for build in BUILDS.builds if any(key[0] == build for key in table.cycles)]
    builds = args.build or (BUILDS.builds if args.update else measured_before)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        measured = [row for rows in pool.map(measure, builds) for row in rows]
    for row in measured:
        print(f"# {row['build']}, {row['stream']}: {row['cycles'] / row['warps']:.2f} cycles per warp")
    if args.update:
        tops = {build.name: build.modules[UNIT] for build in area.elaborated(Tools(), builds)}
        table = Table()   # another run may have written it since
        table.cycles = {key: row for key, row in table.cycles.items() if key[0] in set(BUILDS.builds) - set(builds)}
        table.cycles |= {(row["build"], row["stream"]): {**row, "top": tops[row["build"]]} for row in measured}
        table.write()
        return 0
    problems = compare(measured, table, builds)
    for text in problems:
        print(text)
    print(f"{len(measured)} rows compared, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
