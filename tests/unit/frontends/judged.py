# SPDX-License-Identifier: MIT
"""The summary of a test that judges many modules."""


def report(count, wrong, shown=None, before=""):
    """Prints at most @shown texts of wrong results, and the summary; returns the exit status."""
    for text in wrong[:shown]:
        print(text)
    print(f"{before}{count} modules, {len(wrong)} judged wrong")
    return 1 if wrong else 0
