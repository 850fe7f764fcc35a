#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the table of test suites as reStructuredText: the name of each and the first paragraph of its head comment."""
import os
import re
import sys

SUITES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "suites")
SKIP = re.compile(r"#!|# SPDX-|# timeout:|# inputs:|# alone$|# shellcheck ")


def paragraph(path):
    """The first paragraph of the comment at the head of a suite, as one line."""
    words = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip()
            if SKIP.match(line):
                continue
            if not line.startswith("#") or (line == "#" and words):
                break
            words += line[1:].split()
    return " ".join(words)


def main():
    names = sorted(name for name in os.listdir(SUITES) if re.match(r"\d\d-", name))
    print(".. SPDX-License-Identifier: MIT\n\n.. list-table::\n   :header-rows: 1\n   :widths: 20 80\n")
    print("   * - suite\n     - holds")
    for name in names:
        text = paragraph(os.path.join(SUITES, name))
        if not text:
            sys.exit(f"tests/suites/{name} does not say in its head what it holds")
        print(f"   * - ``{os.path.splitext(name)[0]}``\n     - {text}".replace("*", "\\*").replace("   \\* -", "   * -"))


if __name__ == "__main__":
    main()
