#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print tables of area and depth as reStructuredText, from tests/rtl/area/area.json.

gen_area.py builds|speed|rooms|before|clock|placed|paths
"""
import itertools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "tests", "rtl", "area"))

from list_table import list_table  # noqa: E402
from table import BUILDS, TECHNOLOGIES, Table  # noqa: E402

NAMES = {"xilinx": "7 series", "ecp5": "ECP5"}
COUNTS = {"lut": "LUT", "cells": "cells", "lutram": "LUT RAM", "ff": "FF", "carry": "carry", "bram": "block RAM", "dsp": "DSP", "levels": "levels"}
# Streams of cycles.py, and their columns
STREAMS = {"one address, add": "one word", "stride 1": "stride 1", "random": "random", "zipf": "zipf", "u64 random": "random, 64 bits"}
SCOPES = {"device": "whole device", "unit": "shared memory unit"}
NONE = "–"


def table(rows):
    """A list of lists as a table, the first row its head."""
    if len(rows) == 1:
        print("No figure has been made yet.\n")
        return
    list_table(rows)
    print()


def number(value):
    """A figure; a dash if it is missing."""
    return NONE if value is None else f"{value:,}"


def instance_name(instance):
    """The last two names of an instance, without generate blocks and the prefix of instances."""
    names = [name.rpartition(".")[2].removeprefix("u_") for name in instance.strip("/").split("/")]
    return "/".join(names[-2:]) or "top"


def path(row):
    """The longest path, from register to register: the signals of each instance on it."""
    ends = [register.rpartition("/")[::2] for register in row.get("registers") or ["", ""]]
    inner = [tuple(step.rsplit(" ", 1)) for step in row["path"] if not step.endswith(" inside")]
    steps = [step for step in [ends[0], *inner, ends[1]] if step[1]]
    found = []
    for instance, signals in itertools.groupby(steps, key=lambda step: step[0]):
        found.append(f"{instance_name(instance)}: " + ", ".join(f"``{signal}``" for _, signal in signals))
    return " > ".join(found)


def builds(area):
    """The whole device and its shared memory unit, of each build."""
    rows = [["build", "scope", "technology", *COUNTS.values(), "MHz", "of commit"]]
    for row in area.rows():
        if row["scope"] != "room":
            rows.append([f"``{row['build']}``", SCOPES[row["scope"]], NAMES[row["technology"]], *(number(row[name]) for name in COUNTS),
                         number(row["mhz"]), row["commit"] or NONE])
    table(rows)


def speed(area):
    """Throughput of a thousand look-up tables per cycle, and per second if the clock is known."""
    rows = [["build", "scope", "technology", "figure", *STREAMS.values()]]
    for build in BUILDS.builds:
        cycles = area.per_warp(build)
        if cycles:
            rows.append([f"``{build}``", SCOPES["unit"], "", "cycles per warp", *(f"{cycles[stream]:.2f}" for stream in STREAMS)])
    for row in area.rows():
        if row["scope"] == "room" or not row["lane_operations_per_cycle_per_klut"]:
            continue
        kinds = {"lane operations per cycle per kLUT": (row["lane_operations_per_cycle_per_klut"], 3),
                 "million lane operations per second per kLUT": (row["lane_operations_per_second_per_klut"], 1)}
        for what, (values, digits) in kinds.items():
            if values:
                scale = 1e-6 if "million" in what else 1
                rows.append([f"``{row['build']}``", SCOPES[row["scope"]], NAMES[row["technology"]], what,
                             *(f"{values[stream] * scale:.{digits}f}" for stream in STREAMS)])
    table(rows)


def rooms(area):
    """The rooms of each build: figures of one instance, and how many there are."""
    head = ["build", "module", "times"]
    for technology in reversed(TECHNOLOGIES):
        head += [f"{NAMES[technology]}: LUT", "FF", "LUT RAM", "block RAM", "DSP", "levels"]
    found = {}
    for row in area.rows():
        if row["scope"] == "room":
            found.setdefault((row["build"], row["room"]), {})[row["technology"]] = row
    lines = []
    for (build, room), both in found.items():
        if all(row["lut"] is None for row in both.values()):
            continue
        cells = [f"``{build}``", f"``{room}``", next(row["times"] for row in both.values() if row["times"])]
        for technology in reversed(TECHNOLOGIES):
            cells += [number(both[technology][name]) for name in ("lut", "ff", "lutram", "bram", "dsp", "levels")]
        lines.append((BUILDS.builds.index(build), -max(row["lut"] or 0 for row in both.values()), cells))
    table([head, *(cells for *_, cells in sorted(lines, key=lambda line: line[:2]))])


def before(area):
    """Figures before the change, and those of the table."""
    rows = [["build", "module", "technology", "LUT before", "LUT", "FF before", "FF", "levels before", "levels", "before: of commit"]]
    for place, row in area.before.items():
        now = area.figures.get(place, {})
        name = f"``{row['room']}``" if row.get("room") else SCOPES[row["scope"]]
        rows.append([f"``{row['build']}``", name, NAMES[row["technology"]],
                     *(number(what.get(kind)) for kind in ("lut", "ff", "levels") for what in (row, now)), row["commit"]])
    table(rows)


def clock(area):
    """Clock rates of modules that were mapped as a whole and routed."""
    clocks(area.clocks, "MHz by seed")


def placed(area):
    """The same of modules that were placed."""
    clocks(area.placed, "MHz expected, by seed")


def clocks(modules, rate_name):
    """Clock rates of modules mapped as a whole, and the part of the FPGA that they fill."""
    kinds = {"TRELLIS_COMB": "cells", "TRELLIS_FF": "FF", "TRELLIS_RAMW": "LUT RAM", "DP16KD": "block RAM"}
    rows = [["build", "module", rate_name, "LUT", "levels", *(f"{name} used, of" for name in kinds.values()), "of commit"]]
    for row in modules.values():
        used = [row["used"].get(kind) for kind in kinds]
        rows.append([f"``{row['build']}``", f"``{row['module']}``", ", ".join(f"{rate} ({seed})" for seed, rate in row["mhz"].items()),
                     number(row["lut"]), row["levels"], *(f"{pair[0]:,}, {pair[1]:,}" if pair else NONE for pair in used), row["commit"]])
    table(rows)


def paths(area):
    """The longest path of each scope that has figures."""
    rows = [["build", "scope", "technology", "levels", "way"]]
    for place, row in area.figures.items():
        if row["scope"] != "room" and row["path"]:
            rows.append([f"``{place[0]}``", SCOPES[row["scope"]], NAMES[place[3]], row["levels"], path(row)])
    table(rows)


def main():
    print(".. SPDX-License-Identifier: MIT\n")
    {"builds": builds, "speed": speed, "rooms": rooms, "before": before, "clock": clock, "placed": placed, "paths": paths}[sys.argv[1]](Table())


if __name__ == "__main__":
    main()
