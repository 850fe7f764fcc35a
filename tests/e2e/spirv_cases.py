#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cases of faa-spirv for the shaders of tests/e2e/spirv: make them, judge their results.

spirv_cases.py make DIR      writes DIR/cases and DIR/in
spirv_cases.py check DIR     compares DIR/out with the expected results; exit status 1 if different
"""
import pathlib
import random
import struct
import sys

GROUPS = 8
SEED = 20


def pack(numbers, code='I'):
    """Little-endian 32-bit items."""
    return struct.pack(f'<{len(numbers)}{code}', *numbers)


def unpack(data, code='I'):
    """The items of a file."""
    return struct.unpack(f'<{len(data) // 4}{code}', data)


def inputs():
    """The workgroups of each case, and the initial contents of its bindings."""
    numbers = random.Random(SEED)
    words = [numbers.getrandbits(32) for _ in range(GROUPS * 64)]
    signed = [numbers.randrange(-5000, 5000) for _ in range(GROUPS * 96)]
    keys = [numbers.randrange(1000) for _ in range(GROUPS * 16)]
    return {
        'histogram': (GROUPS, [pack(words), pack([0] * 256)]),
        'reduction': (GROUPS, [pack(signed, 'i'), bytes(16 * GROUPS), bytes(16)]),
        'linked_list': (GROUPS // 4, [pack(keys), bytes(8 * len(keys)), pack([0xffffffff] * 16), pack([0] * 17)]),
    }


def make(directory):
    """Write the case files and their inputs."""
    for folder in ('cases', 'in', 'out', 'spv'):
        (directory / folder).mkdir(parents=True, exist_ok=True)
    for name, (groups, bindings) in inputs().items():
        lines = [f'name {name}', f'spv {name}.spv', f'groups {groups} 1 1']
        for number, data in enumerate(bindings):
            lines.append(f'bind {number} ssbo u32 {len(data) // 4}')
            (directory / 'in' / f'{name}.b{number}.bin').write_bytes(data)
        (directory / 'cases' / f'{name}.case').write_text('\n'.join(lines) + '\n', encoding='ascii')


def check_histogram(given, got):
    """Every byte is counted once."""
    bins = [0] * 256
    for byte in given[0]:
        bins[byte] += 1
    return list(unpack(got[1])) == bins


def clipped(value):
    """clipped() of the shader."""
    kind = value & 3
    if kind == 0:
        return max(-1000, min(1000, value))
    if kind == 3:
        return value
    if kind == 1:
        value = -value
    return int(value / 2)


def check_reduction(given, got):
    """Sum, minimum and maximum of all values, calculated by the last workgroup."""
    values = [clipped(value) for value in unpack(given[0], 'i')]
    return unpack(got[2], 'i') == (sum(values), min(values), max(values), GROUPS)


def check_linked_list(given, got):
    """Every bucket has its keys, each node is in one list, all locks are free."""
    keys, nodes, heads = unpack(given[0]), unpack(got[1]), unpack(got[2])
    lists = [[] for _ in range(16)]
    for bucket, node in enumerate(heads):
        while node != 0xffffffff and len(lists[bucket]) <= len(keys):
            lists[bucket].append(nodes[2 * node])
            node = nodes[2 * node + 1]
    wanted = [sorted(key for key in keys if key % 16 == bucket) for bucket in range(16)]
    return [sorted(one) for one in lists] == wanted and unpack(got[3]) == (0,) * 16 + (len(keys),)


def check(directory):
    """Judge all results; returns the number of those that differ."""
    failed = 0
    judges = {'histogram': check_histogram, 'reduction': check_reduction, 'linked_list': check_linked_list}
    for name, (_, given) in inputs().items():
        got = [(directory / 'out' / f'{name}.b{number}.bin').read_bytes() for number in range(len(given))]
        if not judges[name](given, got):
            print(f'{name}: the result differs')
            failed += 1
    return failed


def main():
    """Command line."""
    if len(sys.argv) != 3 or sys.argv[1] not in ('make', 'check'):
        sys.exit(__doc__)
    directory = pathlib.Path(sys.argv[2])
    if sys.argv[1] == 'make':
        make(directory)
    elif check(directory):
        sys.exit(1)


if __name__ == '__main__':
    main()
