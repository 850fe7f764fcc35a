#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run faa-bench on the RTL and compare with tests/bench/expected.json.

The device counts its own cycles and its memory is simulated, so the numbers are the same in every run. Where a change of
the RTL changes them on purpose, `check.py --update FAA-BENCH` writes the file anew; the page performance.rst is made of it.
"""
import argparse
import json
import os
import subprocess
import sys

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "expected.json")
KEYS = {"name": str, "value": float, "unit": str, "limit": float, "bound_by": str, "cycles": int, "warps": int,
        "engine": str, "share": float}
# What is kept of a benchmark.
KEPT = ["name", "value", "limit", "bound_by", "ceiling", "aim", "cycles", "warps"]


def measure(program):
    """All benchmarks, as faa-bench prints them."""
    result = subprocess.run([program, "--json"], capture_output=True, text=True, check=False)
    sys.stderr.write(result.stderr)
    if result.returncode:
        sys.exit(f"faa-bench ended with status {result.returncode}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def check_shape(row):
    """Sentences about what is wrong with one object."""
    name = row.get("name", "an object without a name")
    out = [f"{name}: no {key}" for key in KEYS if key not in row]
    out += [f"{name}: {key} is {row[key]!r}, no {kind.__name__}" for key, kind in KEYS.items()
            if key in row and not isinstance(row[key], (kind, int) if kind is float else kind)]
    if not out and abs(row["value"] - row["cycles"] / row["warps"]) > 1e-4:
        out.append(f"{name}: value {row['value']} is not {row['cycles']} cycles / {row['warps']} warps")
    if not out and (row["engine"], row["unit"]) != ("rtl", "cycles/warp"):
        out.append(f"{name}: engine {row['engine']}, unit {row['unit']}")
    return out


def check_limits(row):
    """No faster than the roofline (a warp's worth of rounding aside), no slower than allowed."""
    name, value, ceiling = row["name"], row["value"], row.get("ceiling")
    out = []
    if ceiling and value > ceiling:
        out.append(f"{name}: {value} cycles per warp, at most {ceiling} are allowed")
    if value < row["limit"] * 0.99:
        out.append(f"{name}: {value} cycles per warp are fewer than the limit {row['limit']}: the roofline is wrong")
    return out


def check_expected(rows, expected):
    """The file names the same benchmarks with the same cycles."""
    now = {row["name"]: row for row in rows}
    then = {row["name"]: row for row in expected}
    out = [f"{name}: not in expected.json" for name in now if name not in then]
    out += [f"{name}: in expected.json, but faa-bench has no such benchmark" for name in then if name not in now]
    for name in sorted(now.keys() & then.keys()):
        for key in KEPT:
            if now[name].get(key) != then[name].get(key):
                out.append(f"{name}: {key} is {now[name].get(key)}, in expected.json {then[name].get(key)}")
    return out


def write(rows):
    """A benchmark a line, so that a change shows as the lines it concerns."""
    lines = [json.dumps({key: row.get(key) for key in KEPT}) for row in rows]
    with open(EXPECTED, "w", encoding="utf-8") as file:
        file.write("[\n " + ",\n ".join(lines) + "\n]\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write expected.json instead of comparing with it")
    parser.add_argument("program", help="faa-bench")
    args = parser.parse_args()
    rows = measure(args.program)
    problems = [text for row in rows for text in check_shape(row)]
    if not problems:
        problems = [text for row in rows for text in check_limits(row)]
    if args.update and rows:
        write(rows)
    elif not problems:
        with open(EXPECTED, encoding="utf-8") as file:
            problems = check_expected(rows, json.load(file))
    for text in problems:
        print(text)
    print(f"{len(rows)} benchmarks, {len(problems)} problems")
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
