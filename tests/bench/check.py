#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run faa-bench on the RTL and compare with tests/bench/expected.json.

The device counts its own cycles and its memory is simulated, so the numbers are the same in every
run. When a change of the RTL changes them on purpose, `check.py --update FAA-BENCH` rewrites the
file; performance.rst is generated from it.

faa-bench runs the benchmarks of other devices in the programs of these devices; where such a
program is not built, the file keeps their figures. Bounds of benchmarks of ATOM are aims: the file
marks a benchmark that misses its bound.
"""
import argparse
import json
import os
import subprocess
import sys

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "expected.json")
KEYS = {"name": str, "value": float, "unit": str, "limit": float, "bound_by": str, "cycles": int, "warps": int,
        "engine": str, "build": str}
# Keys of a benchmark that the file keeps, where it has them.
KEPT = ["name", "build", "value", "unit", "limit", "bound_by", "ceiling", "floor", "aim", "cycles", "warps", "missed"]
USUAL_UNIT = "cycles/warp"


def is_global(row):
    return row["name"].startswith(("global/", "suatom/", "ldst/", "order/", "scaling/"))


def is_missed(row):
    """Whether the value misses its bound."""
    floor, ceiling = row.get("floor"), row.get("ceiling")
    return bool(floor and row["value"] < floor or ceiling and row["value"] > ceiling)


def kept(row):
    """An object of expected.json. Those of ATOMS have no floor and are not missed; their unit is
    the default."""
    out = {key: row.get(key) for key in KEPT if key in row}
    if is_global(row):
        return {key: value for key, value in out.items() if value is not None} | ({"missed": True} if is_missed(row) else {})
    return {key: value for key, value in out.items() if key not in ("unit", "floor")}


def measure(program):
    """Benchmarks, as faa-bench prints them."""
    result = subprocess.run([program, "--json"], capture_output=True, text=True, check=False)
    sys.stderr.write(result.stderr)
    if result.returncode:
        sys.exit(f"faa-bench ended with status {result.returncode}")
    return [json.loads(line) for line in result.stdout.splitlines()]


def check_shape(row):
    """The faults of one object, as sentences."""
    name = row.get("name", "an object without a name")
    out = [f"{name}: no {key}" for key in KEYS if key not in row]
    out += [f"{name}: {key} is {row[key]!r}, no {kind.__name__}" for key, kind in KEYS.items()
            if key in row and not isinstance(row[key], (kind, int) if kind is float else kind)]
    if not out and row["unit"] == USUAL_UNIT and abs(row["value"] - row["cycles"] / row["warps"]) > 1e-4:
        out.append(f"{name}: value {row['value']} is not {row['cycles']} cycles / {row['warps']} warps")
    if not out and (row["engine"] != "rtl" or row["unit"] != USUAL_UNIT and not is_global(row)):
        out.append(f"{name}: engine {row['engine']}, unit {row['unit']}")
    return out


def share(row):
    """Utilisation: the fraction of its limit that a figure reaches, at most 1. None where there is
    no limit."""
    if not row["limit"] or not row["value"]:
        return None
    return row["value"] / row["limit"] if row.get("floor") else row["limit"] / row["value"]


def check_limits(row):
    """No better than the limit (rounding to four digits aside), no slower than allowed."""
    name, value, limit, unit = row["name"], row["value"], row["limit"], row.get("unit", USUAL_UNIT)
    out = []
    if is_missed(row) and not is_global(row):
        out.append(f"{name}: {value} {unit}, at most {row['ceiling']} are allowed")
    if (share(row) or 0) > 1.0002:
        out.append(f"{name}: {value} {unit} is better than the limit {limit}: the roofline is wrong")
    shown = row.get("share")
    if shown is not None and not 0 < shown <= 1.0002:
        out.append(f"{name}: faa-bench shows a share of {shown}")
    return out


def check_expected(rows, expected):
    """The file names the same benchmarks with the same cycles."""
    now = {row["name"]: kept(row) for row in rows}
    then = {row["name"]: row for row in expected}
    out = [f"{name}: not in expected.json" for name in now if name not in then]
    out += [f"{name}: in expected.json, but faa-bench has no such benchmark" for name in then if name not in now and not is_global(then[name])]
    for name in sorted(now.keys() & then.keys()):
        for key in KEPT:
            if now[name].get(key) != then[name].get(key):
                out.append(f"{name}: {key} is {now[name].get(key)}, in expected.json {then[name].get(key)}")
    return out


def write(rows):
    """One benchmark per line, so that a change shows as the lines of its benchmarks."""
    lines = [json.dumps(kept(row)) for row in rows]
    with open(EXPECTED, "w", encoding="utf-8") as file:
        file.write("[\n " + ",\n ".join(lines) + "\n]\n")


def only_limits(path):
    """Whether a figure of a file like expected.json is better than its limit."""
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    problems = [text for row in rows for text in check_limits(row)]
    for text in problems:
        print(text)
    print(f"{len(rows)} figures, {len(problems)} problems")
    return 1 if problems or not rows else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write expected.json instead of comparing with it")
    parser.add_argument("--limits", action="store_true", help="measure nothing: compare each figure of FILE with its limit")
    parser.add_argument("program", metavar="FAA-BENCH|FILE")
    args = parser.parse_args()
    if args.limits:
        return only_limits(args.program)
    rows = measure(args.program)
    with open(EXPECTED, encoding="utf-8") as file:
        expected = json.load(file)
    problems = [text for row in rows for text in check_shape(row)]
    if not problems:
        problems = [text for row in rows for text in check_limits(row)]
    # Those of other devices, too.
    measured = {row["name"] for row in rows}
    problems += [text for row in expected if row["name"] not in measured for text in check_limits(row)]
    if args.update and rows:
        names = {row["name"] for row in rows}
        write(rows + [row for row in expected if is_global(row) and row["name"] not in names])
    elif not problems:
        problems = check_expected(rows, expected)
    for text in problems:
        print(text)
    for row in rows:
        if is_missed(row):
            print(f"{row['name']}: {row['value']} {row['unit']} is not what is wanted; bound by: {row['bound_by']}")
    print(f"{len(rows)} benchmarks, {len(problems)} problems")
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
