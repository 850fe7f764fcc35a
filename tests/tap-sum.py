#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Add up the KTAP of many programs.

Passes on standard input, the output of tests/kselftest/run.sh, and ends with "N passed, M failed".
A program that did not run to its end (no exit line, a signal, fewer results than planned) is one
more failure. So are each program of an "# EXPECT" line that never began, and a number of skipped
tests other than --skipped. Exit status 0 when something passed and nothing failed.
"""
import argparse
import re
import sys

EXPECT = re.compile(r"^# EXPECT (\S+)$")
BEGIN = re.compile(r"^# PROGRAM (\S+)$")
END = re.compile(r"^# EXIT (\S+) (\d+)")
PLAN = re.compile(r"^1\.\.(\d+)")
RESULT = re.compile(r"^(ok|not ok) \d+\b(.*)$")
SKIP = re.compile(r"#\s*SKIP\b", re.IGNORECASE)


class Program:
    """The results that one program has printed so far."""

    def __init__(self, name):
        self.name = name
        self.plan = None
        self.passed = self.failed = self.skipped = 0
        self.status = None

    def problem(self):
        """Why the program as a whole counts as failed although no test of it says so, or None."""
        if self.status is None:
            return "did not end"
        # 0: all passed, 1: a test failed (counted already), 4: everything skipped.
        if self.status not in (0, 1, 4):
            return f"ended with status {self.status}"
        if self.plan is None and self.status != 4:
            return "printed no plan"
        if self.plan is not None and self.passed + self.failed + self.skipped != self.plan:
            return f"ran {self.passed + self.failed + self.skipped} of {self.plan} tests"
        if self.status == 1 and not self.failed:
            return "ended with status 1"
        return None


def read(lines):
    """Pass the lines on; return the programs in order, and the names of the expected ones."""
    programs, expected, current = [], [], None
    for line in lines:
        sys.stdout.write(line)
        sys.stdout.flush()
        line = line.rstrip()
        if match := EXPECT.match(line):
            expected.append(match.group(1))
        elif match := BEGIN.match(line):
            current = Program(match.group(1))
            programs.append(current)
        elif current is None:
            continue
        elif match := END.match(line):
            current.status = int(match.group(2))
            current = None
        elif match := PLAN.match(line):
            current.plan = int(match.group(1))
            if current.plan == 0 and SKIP.search(line):
                current.skipped += 1
                current.plan = 1
        elif match := RESULT.match(line):
            if match.group(1) == "not ok":
                current.failed += 1
            elif SKIP.search(match.group(2)):
                current.skipped += 1
            else:
                current.passed += 1
    return programs, expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skipped", type=int, required=True, metavar="N", help="so many tests are skipped, no more, no fewer")
    args = parser.parse_args()
    programs, expected = read(sys.stdin)
    passed = failed = skipped = 0
    for program in programs:
        passed += program.passed
        failed += program.failed
        skipped += program.skipped
        if text := program.problem():
            print(f"not ok - {program.name}: {text}")
            failed += 1
    for name in expected:
        if name not in (program.name for program in programs):
            print(f"not ok - {name}: never started")
            failed += 1
    if skipped != args.skipped:
        print(f"not ok - {skipped} tests were skipped, not {args.skipped}")
        failed += 1
    print(f"# {len(programs)} programs, {skipped} tests skipped")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
