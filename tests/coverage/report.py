#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lines and branches of the driver, DRM, the scheduler and dma-buf that ran, by gcov.

Usage: report.py BUILD DIR [SOURCE...]

DIR has a directory for each boot of the coverage kernel (collect.sh). Counters of all boots are
added. The table has the lines and branches of each file of the driver, and of each part of the
kernel, that ran, of all there are. For each SOURCE, such as faa_bind.c, the lines that did not run
follow. DIR/coverage.info has everything in the format of lcov, for genhtml.
"""
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Parts of the kernel by paths of their files; the first that matches.
PARTS = [("scheduler", r"scheduler/"), ("drm_gpuvm", r"drm_gpuvm\.c"), ("drm_exec", r"drm_exec\.c"), ("syncobj", r"drm_syncobj\.c"),
         ("GEM, PRIME", r"drm_(gem|prime|vma)"), ("dma-buf, fences", r"dma-buf/")]


class Source:
    """Counts of a source file."""

    def __init__(self):
        self.lines = collections.Counter()
        self.branches = collections.Counter()

    def add(self, lines):
        """Adds lines of gcov's JSON. Copies of a line in several functions have branches each."""
        for line in lines:
            number = line["line_number"]
            self.lines[number] += line["count"]
            for index, branch in enumerate(line["branches"]):
                self.branches[number, line.get("function_name", ""), index] += branch["count"]

    def ran(self):
        """(lines that ran, all, branches that ran, all)"""
        return (sum(map(bool, self.lines.values())), len(self.lines),
                sum(map(bool, self.branches.values())), len(self.branches))


def notes(build, path):
    """Where the compiler has left the description of an object's code (.gcno), and what the object
    belongs to: the counters name the directory in which it was built."""
    name = path.with_suffix(".gcno")
    kernel = re.search(r"/kernel/\.building-coverage-[^/]*/(.*)", str(name))
    if kernel:
        return build / "kernel-coverage" / kernel.group(1)
    driver = re.search(r"/kmod-coverage/(driver/.*)", str(name))
    return build / "kmod-coverage" / driver.group(1) if driver else None


def read(build, boot, sources):
    """Adds the counters of a boot."""
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        for number, path in enumerate(sorted(boot.rglob("*.gcda"))):
            described = notes(build, path)
            if not described:
                continue
            if not described.is_file():
                sys.exit(f"{path}: {described} is missing: it was built by another kernel than that of {build}")
            shutil.copy(path, place / f"{number}.gcda")
            shutil.copy(described, place / f"{number}.gcno")
        run = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities",
                              *(file.name for file in sorted(place.glob("*.gcda")))],
                             cwd=place, check=False, capture_output=True, text=True)
    # A driver that was built anew since has other functions.
    if run.returncode or "stamp mismatch" in run.stderr:
        sys.exit(f"{boot}: {run.stderr.strip()}")
    for line in run.stdout.splitlines():
        for file in json.loads(line)["files"]:
            name = file["file"]
            if name.endswith(".c"):
                sources[name].add(file["lines"])


def group(name):
    """Name in the table: the file of the driver, or the part of the kernel."""
    if re.search(r"/driver/faa_\w+\.c$", name):
        return pathlib.Path(name).name
    return next((part for part, pattern in PARTS if re.search(pattern, name)), None)


def show(sources):
    groups = collections.defaultdict(lambda: [0] * 4)
    for name, source in sources.items():
        key = group(name)
        for to in [key] + (["driver, all files"] if key and key.startswith("faa_") else []):
            if to:
                groups[to] = [a + b for a, b in zip(groups[to], source.ran())]
    order = sorted(groups, key=lambda name: (not name.startswith("faa_"), name != "driver, all files", name))
    print(f"{'code':20} {'lines':>6} {'of':>6} {'share':>6} {'branches':>9} {'of':>6} {'share':>6}")
    for name in order:
        lines, of_lines, branches, of_branches = groups[name]
        print(f"{name:20} {lines:6} {of_lines:6} {share(lines, of_lines)} {branches:9} {of_branches:6} {share(branches, of_branches)}")


def share(part, whole):
    return f"{100 * part // whole:4} %" if whole else "     -"


def ranges(numbers):
    """"3-5 9" for 3, 4, 5, 9"""
    found = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return " ".join(f"{a}-{b}" if a != b else f"{a}" for a, b in found)


def write(sources, path):
    """The format of lcov: geninfo(1)."""
    with open(path, "w", encoding="utf-8") as out:
        for name, source in sorted(sources.items()):
            print(f"TN:\nSF:{name}", file=out)
            for number, count in sorted(source.lines.items()):
                print(f"DA:{number},{count}", file=out)
            for (number, function, index), count in sorted(source.branches.items()):
                taken = count if source.lines[number] else "-"
                print(f"BRDA:{number},{function},{index},{taken}", file=out)
            lines, of_lines, branches, of_branches = source.ran()
            print(f"BRF:{of_branches}\nBRH:{branches}\nLF:{of_lines}\nLH:{lines}\nend_of_record", file=out)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, place = map(pathlib.Path, sys.argv[1:3])
    boots = sorted(place.glob("boot-*"))
    if not boots:
        sys.exit(f"{place}: no directory of a boot")
    sources = collections.defaultdict(Source)
    for boot in boots:
        read(build, boot, sources)
    show(sources)
    write(sources, place / "coverage.info")
    print(f"{len(boots)} boots; {place / 'coverage.info'}: for genhtml --branch-coverage")
    for wanted in sys.argv[3:]:
        found = [source for name, source in sources.items() if name.endswith(f"/{wanted}")]
        if not found:
            sys.exit(f"{wanted}: no such source")
        missing = sorted(number for number, count in found[0].lines.items() if not count)
        print(f"{wanted}: did not run: lines {ranges(missing) or 'none'}")


if __name__ == "__main__":
    main()
