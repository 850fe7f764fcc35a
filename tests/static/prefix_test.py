#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Texts with known findings, for prefix.py."""
import sys

import prefix

CASES = [
    ("a/header_pool.c", "static int header_put(int a)\n{\n}\n\nstatic bool pool_full;\n", []),
    ("a/header_pool.c", "static int put(int a)\n{\n}\n\nstatic bool full;\n", [(1, "put"), (5, "full")]),
    ("a/header_pool.c", "static int headers_put(int a);\nstatic struct a *headed(void);\n", [(1, "headers_put"), (2, "headed")]),
    ("a/types.c", "static const struct b type_table[] = {\n\t{ 1 },\n};\nstatic int types_of(void);\n", []),
    ("a/entries.c", "static int entry_of(void);\n", []),
    ("svm/part.c", "static int svm_put(void);\nstatic int part_of(void);\n", []),
    ("driver/faa_mmu.c", "static int mmu_a(int b);\nstatic int faa_mmu_b(int c);\nstatic int faa_c(void);\n", [(3, "faa_c")]),
    ("driver/faa_drv.c", "static int faa_ioctl_a(void);\nstatic uint limit = 1;\nmodule_param(limit, uint, 0444);\nstatic uint b;\n", [(4, "b")]),
    ("a/b.c", "/*\nstatic int c(void);\n*/\nint d(void)\n{\n\tstatic int e;\n}\n// static int f;\n", []),
    ("a/b.c", "static inline unsigned long\nc(int d)\n{\n}\n", [(2, "c")]),
    ("a/b.c", "static void (*c)(int d);\n#define E 1\nstatic const int E_ = 1;\n", [(1, "c")]),
    ("a/b.c", "static const char *c[2], *d;\n", [(1, "c")]),
]


def main():
    bad = 0
    for name, text, expected in CASES:
        found = prefix.findings(name, text)
        if found != expected:
            print(f"{name}: {found} instead of {expected}")
            bad += 1
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
