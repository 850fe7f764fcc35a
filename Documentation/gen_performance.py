#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print a table of measured figures as reStructuredText, from tests/bench/expected.json.

gen_performance.py atoms|global|suatom|ldst|order|scaling
"""
import json
import os
import sys

from list_table import list_table

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "bench", "expected.json")
USUAL = "full"
HEAD_ATOMS = ["name", "cycles per warp", "limit", "bound by", "share", "at most", "aim"]
HEAD_GLOBAL = ["name", "value", "unit", "limit", "bound by", "wanted", "aim", ""]


def rows_of(part):
    """The figures of a part of the benchmarks."""
    with open(EXPECTED, encoding="utf-8") as file:
        return [row for row in json.load(file) if row["name"].startswith(part + "/")]


def number(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def name(row):
    """A benchmark, and the build that it was measured on if that is not the usual one."""
    return f"``{row['name']}``" + ("" if row["build"] == USUAL else f" on ``{row['build']}``")


def cells_atoms(row):
    """The columns of a benchmark of ATOMS."""
    return [name(row), number(row["value"], 2), number(row["limit"], 2), row["bound_by"],
            f"{100 * row['limit'] / row['value']:.0f} %", number(row["ceiling"], 1), number(row["aim"], 2)]


def cells_global(row):
    """The columns of a benchmark of ATOM or SUATOM."""
    digits = 4 if row["value"] < 0.01 else 2
    wanted = f"at least {row['floor']:g}" if "floor" in row else f"at most {row['ceiling']:g}" if "ceiling" in row else ""
    return [name(row), number(row["value"], digits), row["unit"], number(row["limit"], 2), row["bound_by"], wanted,
            number(row.get("aim"), 2), "missed" if row.get("missed") else ""]


def main():
    part = sys.argv[1]
    head, cells = (HEAD_ATOMS, cells_atoms) if part == "atoms" else (HEAD_GLOBAL, cells_global)
    print(".. SPDX-License-Identifier: MIT\n")
    list_table([head] + [cells(row) for row in rows_of(part)])


if __name__ == "__main__":
    main()
