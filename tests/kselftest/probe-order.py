#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""probe-order.py RECORD: did the driver read all queues before the device could access memory?

RECORD is the flight recorder of faa-vdev (--record) of a machine in which
tests/kselftest/bind-as-found.sh has run. That script enables bus mastering by a write of one byte
to the command register, as a previous owner would have left it, and binds the driver. The driver
must then disable bus mastering, read the state of every queue, and only then enable it.
"""
import re
import sys
from pathlib import Path

COMMAND = 0x04
MASTER = 0x4
QUEUE_STATE = 0x1000C
QUEUE_BYTES = 0x1000
QUEUES = 16

EVENT = re.compile(r"\s*[\d.]+\s+\d+\s+(config write|mmio read|[\w ]+?)\s*\[(\d+)\] (0x\w+)\s+(\d+)\s+(0x\w+)")


def judge(lines):
    """The error in the order of events, None if there is none."""
    left = taken = False
    seen = set()
    for number, line in enumerate(lines, 1):
        event = EVENT.match(line)
        if not event:
            continue
        kind, unit, address, size, value = event[1], int(event[2]), *(int(event[i], 0) for i in (3, 4, 5))
        if kind == "config write" and address == COMMAND:
            if size == 1:
                left, taken, seen = bool(value & MASTER), False, set()
            elif left and not value & MASTER:
                taken = True
            elif left and value & MASTER:
                if not taken:
                    return f"line {number}: the device keeps the right to access memory that it was found with"
                missing = QUEUES - len(seen)
                return f"line {number}: may access memory, with {missing} queues not looked at" if missing else None
        elif kind == "mmio read" and unit == 0 and taken:
            queue, offset = divmod(address - QUEUE_STATE, QUEUE_BYTES)
            if offset == 0 and 0 <= queue < QUEUES:
                seen.add(queue)
    return "the driver has never let the device access memory" if left else "no device was left able to access memory"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wrong = judge(Path(sys.argv[1]).read_text().splitlines())
    if wrong:
        sys.exit(f"{sys.argv[1]}: {wrong}")


if __name__ == "__main__":
    main()
