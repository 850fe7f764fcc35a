#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measure the benchmarks of ATOM over latencies of the memory and widths of the AXI port, for the
graph of performance.rst.

`sweep.py FAA-BENCH...`, a program for each width, measures and replaces the figures of these widths
in tests/bench/sweep.json; Documentation/gen_sweep.py draws them. The width of a program is that of
its benchmark contiguous-WIDTH.
"""
import argparse
import json
import os
import subprocess
import sys

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sweep.json")
LATENCIES = [20, 50, 75, 100, 125, 150, 200, 250]
# A part of the table's warps: figures are those of steady flow.
WARPS = 1024
NAMES = ["global/gups", "global/hot-word", "global/contiguous", "global/scatter-f32"]


def measure(program, latency):
    """The rows of one program, as faa-bench prints them, that belong to NAMES."""
    contiguous = [f"global/contiguous-{width}" for width in (64, 128, 256, 512)]
    names = [name for name in NAMES if name != "global/contiguous"] + contiguous
    command = [program, "--json", "--here", f"--latency={latency}", f"--warps={WARPS}", *names]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(command)} ended with status {result.returncode}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def points_of(program):
    """A point for each benchmark and latency."""
    points = []
    for latency in LATENCIES:
        rows = measure(program, latency)
        widths = [int(row["name"].rsplit("-", 1)[1]) for row in rows if "/contiguous-" in row["name"]]
        if len(widths) != 1:
            sys.exit(f"{program}: no benchmark global/contiguous-WIDTH: is it a device with ATOM?")
        for row in rows:
            name = "global/contiguous" if "/contiguous-" in row["name"] else row["name"]
            points.append({"name": name, "width": widths[0], "latency": latency, "value": row["value"], "unit": row["unit"]})
        print(f"{widths[0]} bits, latency {latency}", file=sys.stderr)
    return points


def key(point):
    return NAMES.index(point["name"]), point["width"], point["latency"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+", metavar="FAA-BENCH", help="faa-bench of a device with ATOM")
    args = parser.parse_args()
    new = [point for program in args.programs for point in points_of(program)]
    widths = {point["width"] for point in new}
    old = []
    if os.path.exists(DATA):
        with open(DATA, encoding="utf-8") as file:
            old = [point for point in json.load(file) if point["width"] not in widths]
    points = sorted(old + new, key=key)
    with open(DATA, "w", encoding="utf-8") as file:
        file.write("[\n " + ",\n ".join(json.dumps(point) for point in points) + "\n]\n")


if __name__ == "__main__":
    main()
