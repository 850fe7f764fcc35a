#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Texts with known findings, for prose.py."""
import sys

import prose

LONG = "word " * 21
CASES = [
    ("a.c", "/* A walk\n * under\n * way. */\nint behind;\n", [2]),
    ("a.c", "// Jobs of a\n// queue. Who reads\n// them?\nint a;\n// Who reads them.\n", [5]),
    ("a.c", 'puts("the queue goes on");\n', [1]),
    ("a.c", f"int a; /* {LONG}*/\nint {'a' * 97};\n", [1]),
    ("a.sv", "// The device behind a bridge.\n// The word behind it.\nassign a = 1'b0;\n", [2]),
    ("a.sh", "#!/bin/bash\n# The suite goes on.\necho under way # nobody\nas nobody\n", [2, 3]),
    ("a.py", f'"""What a file holds."""\nA = "behind"\nB = "{LONG}"\n# fine\n', [1, 2]),
    ("a.rst", f"A page\n======\n\nThe word ``behind``, in vain.\n\n{LONG}\n", [4, 6]),
    ("a.rst", f"A ``literal of\ntwo lines``.\n{LONG}\n", [3]),
    ("a.rst", "===  ==\na    b\n===  ==\nx,   y\nz\n===  ==\n\nx,\n", [4]),
    ("a.rst", "===  ==\n(a   b\na)\nc\\   d\n(a)  e\n     (f\n===  ==\n", [2, 4]),
    ("a.rst", f"https://{'x' * 100}\n", []),
]


def main():
    bad = 0
    for name, text, lines in CASES:
        found = sorted(line for line, _ in prose.findings(name, text))
        if found != lines:
            print(f"{name}: lines {found} instead of {lines} of:\n{text}")
            bad += 1
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
