#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the tables of area and depth as reStructuredText, from tests/rtl/area/area.json: gen_area.py builds|stages|clock."""
import json
import os
import sys

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "rtl", "area", "area.json")
NAMES = {"xilinx": "7 series", "ecp5": "ECP5"}
COUNTS = ["lut", "lutram", "ff", "carry", "bram", "dsp"]
# Streams of cycles.py, and their columns
STREAMS = {"one address, add": "one word", "stride 1": "stride 1", "random": "random", "zipf": "zipf", "u64 random": "random, 64 bits"}
HEAD = ["LUT", "LUT RAM", "FF", "carry", "block RAM", "DSP"]


def table(rows):
    """A list of lists as a table, the first row its head."""
    print(".. list-table::\n   :header-rows: 1\n   :widths: auto\n")
    for row in rows:
        print("\n".join(("   * - " if index == 0 else "     - ") + str(cell) for index, cell in enumerate(row)))
    print()


def number(value):
    return f"{value:,}"


def per_warp(data, build, stream):
    """Measured cycles per warp of a build."""
    row = next(row for row in data["cycles"] if (row["build"], row["stream"]) == (build, stream))
    return f"{row['cycles'] / row['warps']:.2f}"


def builds(data):
    rows = [["build", "technology"] + HEAD + ["depth"] + [f"cycles/warp: {name}" for name in STREAMS.values()]]
    for row in sorted(data["builds"], key=lambda row: (row["technology"], -row["lut"])):
        rows.append([row["build"], NAMES[row["technology"]]] + [number(row[name]) for name in COUNTS] + [row["depth"]] +
                    [per_warp(data, row["build"], stream) for stream in STREAMS])
    table(rows)


def total(units, unit, technology):
    """Figures of a unit with all below it, and the largest depth of one of them."""
    row = units[(unit, technology)]
    sums = {name: row[name] for name in COUNTS + ["depth"]}
    for child in row["children"].values():
        for name, value in total(units, child, technology).items():
            sums[name] = max(sums[name], value) if name == "depth" else sums[name] + value
    return sums


def stages(data):
    """What faa_shared instantiates in the largest build, largest first, with how often; equal parts count where they are."""
    units = {(row["unit"], row["technology"]): row for row in data["units"]}
    largest = max(data["builds"], key=lambda row: row["lut"])["build"]
    build = {row["technology"]: row for row in data["builds"] if row["build"] == largest}
    lines = []
    for unit, times in next(iter(build.values()))["stages"].items():
        cells = [f"``{unit.split('.')[0]}``", times]
        size = 0
        for technology in sorted(build, reverse=True):
            sums = total(units, unit, technology)
            share = 100 * times * sums["lut"] / build[technology]["lut"]
            size += share
            cells += [number(times * sums["lut"]), f"{share:.1f} %", number(times * sums["ff"]), sums["depth"]]
        lines.append((size, cells))
    head = ["module", "times"]
    for technology in sorted(build, reverse=True):
        head += [f"{NAMES[technology]}: LUT", "share", "FF", "depth"]
    table([head] + [cells for _, cells in sorted(lines, key=lambda line: -line[0])])


def clock(data):
    """Clock rates, and what the placed modules take with the frame around them."""
    kinds = {"TRELLIS_COMB": "LUT", "TRELLIS_FF": "FF", "TRELLIS_RAMW": "LUT RAM", "DP16KD": "block RAM"}
    rows = [["module", "MHz"] + list(kinds.values())]
    for row in data["clocks"]:
        rows.append([f"``{row['unit'].split('.')[0]}``", row["mhz"]] + [number(row["used"].get(kind, [0])[0]) for kind in kinds])
    table(rows)


def main():
    with open(TABLE, encoding="utf-8") as file:
        data = json.load(file)
    print(".. SPDX-License-Identifier: MIT\n")
    {"builds": builds, "stages": stages, "clock": clock}[sys.argv[1]](data)


if __name__ == "__main__":
    main()
