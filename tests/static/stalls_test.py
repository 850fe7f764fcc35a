#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Texts with known findings, for stalls.py."""
import sys

import stalls

HEAD = "// SPDX\n//\n// Stalls:\n//   TLB-S1: all slots are in use\n//   TLB-S2: an invalidation\n"
PAGE = "======  =====\nno.     cause\n======  =====\nL2-S1   the RAM\nL2-S10  TLB-S1\n======  =====\n"
CASES = [
    ({"a.sv": HEAD, "a.rst": PAGE, "b.cpp": "// TLB-S2, L2-S10.\n"}, []),
    ({"a.sv": HEAD, "b.sv": HEAD}, [("b.sv", 4), ("b.sv", 5)]),
    ({"a.sv": HEAD, "a.rst": PAGE + "TLB-S1  again\n"}, [("a.rst", 7)]),
    ({"a.sv": HEAD + "\nmodule a;\n  // TLB-H1: not in the head\n"}, [("a.sv", 8)]),
    ({"a.sv": HEAD, "b.cpp": "// TLB-S3 and TLB-S1\n", "b.rst": "TLB-S12 is quoted.\n"}, [("b.cpp", 1), ("b.rst", 1)]),
    ({"a.sv": "// Throughput: one. Stalls: S1 busy\n", "b.sv": "// Hazards (x): H2 late\n// Stalls: L2 busy\n"}, [("a.sv", 1), ("b.sv", 1)]),
    ({"a.md": "ISO-S1X, A-TLB-S1, tlb-S1, F32-S, TLB-S\n"}, []),
]


def main():
    bad = 0
    for files, expected in CASES:
        found, _ = stalls.findings(files)
        if [place[:2] for place in found] != expected:
            print(f"{found} instead of {expected}")
            bad += 1
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
