#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges the coverage of RTL files from the data files that benches built with --coverage-line
--coverage-user write.

    coverage.py --lines PERCENT --under DIRECTORY [--under ...] FILE.dat...

Each file under the directories must have PERCENT of its lines executed, and each of its cover
points (FAA_COVER) must have been hit. Instances of a module count together. Prints a line per file
and every line and point that was missed; exit status 1 when a file is below PERCENT.
"""

import argparse
import collections
import re
import sys


def points(path):
    """(file, page, name, lines, count) of every coverage point of a data file."""
    with open(path, encoding="utf-8", errors="replace") as data:
        for row in data:
            match = re.match(r"C '(.*)' (\d+)$", row.rstrip("\n"))
            if not match:
                continue
            fields = dict(part.split("\x02", 1) for part in match[1].split("\x01") if "\x02" in part)
            yield fields["f"], fields["page"].split("/")[0], fields.get("o", ""), lines_of(fields), int(match[2])


def lines_of(fields):
    """The source lines of a point: "3-5,9" or, where that is absent, the line of the point
    itself."""
    numbers = []
    for part in fields.get("S", fields["l"]).split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def collect(paths, directories):
    """Per file: executions of each line, hits of each cover point."""
    lines = collections.defaultdict(collections.Counter)
    covers = collections.defaultdict(collections.Counter)
    for path in paths:
        for file, page, name, numbers, count in points(path):
            short = next((file[file.index(d):] for d in directories if d in file), None)
            if short is None:
                continue
            if page == "v_user":
                covers[short][name] += count
            else:
                for number in numbers:
                    lines[short][number] += count
    return lines, covers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=float, required=True, help="least percentage of lines, per file")
    parser.add_argument("--under", action="append", required=True, help="directory whose files are judged, like rtl/shared")
    parser.add_argument("data", nargs="+", help="coverage data files")
    args = parser.parse_args()
    lines, covers = collect(args.data, args.under)
    if not lines:
        sys.exit(f"coverage: no file under {', '.join(args.under)} in {', '.join(args.data)}")
    bad = 0
    for file in sorted(set(lines) | set(covers)):
        missed = sorted(n for n, count in lines[file].items() if count == 0)
        unhit = sorted(n for n, count in covers[file].items() if count == 0)
        total = len(lines[file])
        share = 100.0 * (total - len(missed)) / total if total else 100.0
        failed = share < args.lines or unhit
        bad += bool(failed)
        print(f"{'not ok' if failed else 'ok'} - {file}: {share:.1f} % of {total} lines, "
              f"{len(covers[file]) - len(unhit)} of {len(covers[file])} cover points")
        if missed:
            print(f"    lines not executed: {', '.join(map(str, missed))}")
        if unhit:
            print(f"    cover points not hit: {', '.join(unhit)}")
    return bad != 0


sys.exit(main())
