#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the numbers of stalls (TLB-S1) and hazards (L2-H3) in the RTL, its tests and the pages.

A number is defined once, either at the start of a line in the head of an RTL file, with a colon
after it, or in the first column of a table of a page. Every other occurrence is a quote, whose
number must be defined. A head that gives a number without the prefix of its unit (S1) is an error.
"""
import re
import sys

import tracked

PLACES = ["rtl", "Documentation/*.rst", "tests/rtl", "tests/formal", "tests/cosim", "tests/suites", "sim", "driver", "uapi"]
RTL = (".sv", ".svh")
KINDS = RTL + (".rst", ".md", ".c", ".h", ".cpp", ".py", ".sh")

NUMBER = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]*-[SH][0-9]+(?![\w-])")
DEFINED = {True: re.compile(rf"//\s+({NUMBER.pattern}):"), False: re.compile(rf"({NUMBER.pattern})  +\S")}
BARE = re.compile(r"\b(?:Stalls?|Hazards?)(?: \([^)]*\))?: (?!L2\b)([A-Z]{1,2}[0-9]{1,2})\b")


def findings(files):
    """(file, line, text) of each error in files, a dictionary of texts by name."""
    bad, defined, quoted = [], {}, []
    for name, text in files.items():
        rtl, head = name.endswith(RTL), True
        for number, line in enumerate(text.splitlines(), 1):
            head = head and line.startswith("//")
            definition = DEFINED[rtl].match(line) if head or name.endswith(".rst") else None
            if definition:
                first = defined.setdefault(definition[1], (name, number))
                if first != (name, number):
                    bad.append((name, number, f"{definition[1]} is defined in {first[0]}:{first[1]}, too"))
            quoted += [(name, number, found) for found in NUMBER.findall(line)]
            if rtl and head:
                bad += [(name, number, f"{bare} has no prefix of its unit") for bare in BARE.findall(line)]
    bad += [(name, number, f"{found} is not defined") for name, number, found in quoted if found not in defined]
    return sorted(bad), len(defined)


def main():
    bad, count = findings({name: tracked.text_of(name) for name in tracked.names(*PLACES) if name.endswith(KINDS)})
    for name, number, text in bad:
        print(f"{name}:{number}: {text}")
    print(f"{count} stalls and hazards, {len(bad)} findings")
    return bool(bad) or not count


if __name__ == "__main__":
    sys.exit(main())
