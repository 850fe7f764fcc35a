#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the table of measured cycles as reStructuredText, from tests/bench/expected.json."""
import json
import os

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "bench", "expected.json")
HEAD = ["name", "cycles per warp", "limit", "bound by", "share", "at most", "aim"]


def number(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def cells(row):
    """The columns of a benchmark."""
    return [f"``{row['name']}``", number(row["value"], 2), number(row["limit"], 2), row["bound_by"],
            f"{100 * row['limit'] / row['value']:.0f} %", number(row["ceiling"], 1), number(row["aim"], 2)]


def main():
    with open(EXPECTED, encoding="utf-8") as file:
        rows = json.load(file)
    print(".. SPDX-License-Identifier: MIT\n\n.. list-table::\n   :header-rows: 1\n   :widths: auto\n")
    for row in [HEAD] + [cells(row) for row in rows]:
        print("\n".join(("   * - " if index == 0 else "     - ") + cell for index, cell in enumerate(row)).replace("- \n", "-\n"))


if __name__ == "__main__":
    main()
