#!/bin/bash
# SPDX-License-Identifier: MIT
#
# wall.sh [--counted]: prints the options with which Verilator checks the RTL, and with --counted
# the RTL whose lines it counts.
#
# Newer versions of Verilator also want names of generate blocks, which PeakRDL's file lacks. They
# also warn of functions with side effects in expressions that are evaluated twice: a counter in a
# function is one. Older versions do not know these warnings.
set -euo pipefail

unwanted=(GENUNNAMED)
[ "${1:-}" != --counted ] || unwanted+=(SIDEEFFECT)
options=-Wall
for warning in "${unwanted[@]}"; do
	! verilator "-Wno-$warning" --version >/dev/null 2>&1 || options+=" -Wno-$warning"
done
echo "$options"
