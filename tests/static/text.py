#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds text that no file of the repository may contain: leftovers, paths of one machine, bad white
space."""
import re
import sys

import tracked

# Written in pieces, so that this file does not find itself.
PATTERNS = [
    (re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX)\b"), "a leftover marker"),
    (re.compile(r"(?<![\w.$}])/(ro" r"ot|ho" r"me|wo" r"rk)/\w"), "a path of one machine"),
    (re.compile(r"\.\./sha" r"red\b"), "a path outside the repository"),
    (re.compile(r"[ \t]+$"), "white space at the end of the line"),
]
# Verbatim texts of others, and output of tools. An empty line of context in a patch is a blank.
SKIP = ("LICENSES/", ".clang-format", "sim/qemu/patches/", "sim/uml/patches/", "tests/vectors/spirv/")
GENERATED = ("rtl/regs/",)
BINARY = (".png", ".jpg", ".jpeg", ".pgm", ".ppm", ".bin", ".gz", ".xz", ".case", ".spv")


def main():
    names = tracked.names()
    bad = 0
    for name in names:
        if name.startswith(SKIP) or name.startswith(GENERATED) or name.endswith(BINARY):
            continue
        text = tracked.text_of(name)
        for number, line in enumerate(text.split("\n"), 1):
            for pattern, what in PATTERNS:
                if pattern.search(line):
                    print(f"{name}:{number}: {what}: {line.strip()[:100]}")
                    bad += 1
        if text and not text.endswith("\n"):
            print(f"{name}: no newline at the end")
            bad += 1
    print(f"{len(names)} files looked at, {bad} findings")
    return 1 if bad or not names else 0


if __name__ == "__main__":
    sys.exit(main())
