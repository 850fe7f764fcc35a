# SPDX-License-Identifier: MIT
"""Yosys of PyPI, which reads SystemVerilog with slang: yosys-slang -p SCRIPT.

sim/setup/setup.sh makes a program of this file, beside the Python of the tests. Debian's Yosys has
no such front end. The build for WebAssembly has it, but takes 100 s at its first start to compile
itself.
"""
import sys

from pyosys import libyosys

if len(sys.argv) != 3 or sys.argv[1] != "-p":
    sys.exit(f"usage: {sys.argv[0]} -p SCRIPT")
libyosys.run_pass(sys.argv[2])
