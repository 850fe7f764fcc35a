#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Print the table of test suites as reStructuredText.

A row has the name of a suite, the first paragraph of its head comment, and its time by
tests/costs.txt.
"""
import os
import re
import sys

SUITES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "suites")
COSTS = os.path.join(SUITES, "..", "costs.txt")
# Lines of a suite's head that only the runner and tools read; the sentence is what remains
SKIP = re.compile(r"#!|# SPDX-|# timeout:|# (inputs|modules|generated):|# (alone|kernel|long)$|# shellcheck ")


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


def costs():
    """Processor time of each suite that was measured, in seconds."""
    with open(COSTS, encoding="utf-8") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {name: float(processors) for name, _, processors in rows}


def main():
    seconds = costs()
    names = sorted(name for name in os.listdir(SUITES) if re.match(r"\d\d-", name))
    print(".. SPDX-License-Identifier: MIT\n\n.. list-table::\n   :header-rows: 1\n   :widths: 20 68 12\n")
    print("   * - suite\n     - holds\n     - seconds")
    for name in names:
        text = paragraph(os.path.join(SUITES, name))
        if not text:
            sys.exit(f"tests/suites/{name} does not say in its head what it holds")
        # Such as a setting of tests/run.sh that paragraph() does not skip.
        if not text.endswith((".", ".)")):
            sys.exit(f"tests/suites/{name}: '{text}' at its head is no sentence")
        suite = os.path.splitext(name)[0]
        cost = f"{seconds[suite]:.0f}" if suite in seconds else "–"
        print(f"   * - ``{suite}``\n     - {text}\n     - {cost}".replace("*", "\\*").replace("   \\* -", "   * -"))


if __name__ == "__main__":
    main()
