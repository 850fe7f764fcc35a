# SPDX-License-Identifier: MIT
"""The sum at the end of a test that judges many modules."""


def report(count, wrong, shown=None, before=""):
    """Prints the texts of what was judged wrong, @shown at most, and the sum; the exit status."""
    for text in wrong[:shown]:
        print(text)
    print(f"{before}{count} modules, {len(wrong)} judged wrong")
    return 1 if wrong else 0
