#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compare the tables of litmus tests with those of herd7, which executes herd/ptx.cat.

Usage: herd.py HERD7 FAA-LITMUS FILE...

HERD7 is the command, with options if need be ("herd7 -set-libdir DIR"). Tests that LISA cannot
express are counted. Exit status 1 if a table differs.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent / "herd"


def table(litmus, path):
    """Columns and outcomes by faa-litmus."""
    lines = subprocess.run([litmus, "table", path], check=True, capture_output=True, text=True).stdout.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("columns"))
    columns = lines[start].split()[1:]
    rows = {tuple(map(int, line.split())) for line in lines[start + 2:] if line.startswith(" ")}
    return columns, rows


def herd(command, text, columns):
    """Outcomes by herd7, None if it gives no states."""
    with tempfile.NamedTemporaryFile("w", suffix=".litmus") as file:  # herd7 seeks in it
        file.write(text)
        file.flush()
        run = subprocess.run([*command.split(), "-I", str(HERE), "-conf", str(HERE / "ptx.cfg"), file.name],
                             capture_output=True, text=True, check=False)
    rows = set()
    for line in run.stdout.splitlines():
        state = dict(re.findall(r"\[?([\w:]+)\]?=(-?\d+);", line))
        if state and "=" in line and line.endswith(";"):
            rows.add(tuple(int(state[name]) for name in columns))
    if run.returncode or "States" not in run.stdout or run.stderr:
        print(run.stderr or run.stdout)
        return None
    return rows


def compare(command, litmus, path):
    """None if LISA cannot express the test, else whether the tables are equal."""
    export = subprocess.run([litmus, "export", path], capture_output=True, text=True, check=False)
    if export.returncode:
        return None
    columns, rows = table(litmus, path)
    names = re.findall(r"([\w:]+);", re.search(r"^locations \[(.*)\]$", export.stdout, re.M).group(1))
    found = herd(command, export.stdout, names)
    if found == rows:
        return True
    for what, only in (("herd7", (found or set()) - rows), ("faa-litmus", rows - (found or set()))):
        for row in sorted(only):
            print(f"{path}: only {what}:", " ".join(f"{name}={value}" for name, value in zip(columns, row)))
    return False


def main():
    if len(sys.argv) < 4 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.strip())
    results = [compare(sys.argv[1], sys.argv[2], path) for path in sys.argv[3:]]
    print(f"{results.count(True)} tests have herd7's table, {results.count(False)} another, "
          f"{results.count(None)} cannot be expressed in LISA")
    sys.exit(1 if False in results or True not in results else 0)


if __name__ == "__main__":
    main()
