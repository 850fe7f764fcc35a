#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# inputs: rtl spec tests/static/lint-rtl.sh tests/static/elaborate.sh
# inputs: tests/rtl/wall.sh tests/rtl/stand_in sim/setup
#
# Verilator's warnings of the RTL with every parameter off its usual value at least once, and the
# findings of a synthesis tool about the device.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
static=$top/tests/static

# lint PARAMETER=VALUE...: of the whole device
lint() {
	check "verilator -Wall, ${*:-as it is}" "$static/lint-rtl.sh" "$@"
}

# Verilator 5.032 of Debian 13 ends with an internal error at such an assignment to a memory.
no_call_in_an_index() {
	! grep -rnE --include='*.sv' '\w\[[a-z_]\w*\([^]]*\] *<=' "$top/rtl"
}

check "no function call in an index on the left of <=" no_call_in_an_index
# Every width, and the largest numbers of whole units, slots and lanes together, with FAA_LONG=1
lint
for build in small artix; do
	check "verilator -Wall, build $build" "$static/lint-rtl.sh" --build "$build"
done
lint NumCu=1 WarpSlots=4 SharedLanes=8 AxiDataWidth=64 L2Slices=1 "SysAtomics=1'b0" "SurfaceAtomics=1'b0"
lint NumCu=1 WarpSlots=3 SharedLanes=16 "GlobalAtomics=1'b0" "SurfaceAtomics=1'b0"
lint NumCu=1 WarpSlots=1 SharedLanes=8 L2Slices=8 L2Ports=4 L2AluWords=4
# The parts of a compute unit do not depend on the number of units.
check "verilator -Wall, 8 units of 4 slots around a stand-in of the unit" "$static/lint-rtl.sh" --stand-in NumCu=8 WarpSlots=4
if [ -n "${FAA_LONG:-}" ]; then
	for width in 64 128 256; do
		lint "AxiDataWidth=$width"
	done
	lint NumCu=8 WarpSlots=4
	lint NumCu=4 L2Slices=4 L2Ports=2
	lint "SurfaceAtomics=1'b0"
fi
check "verilator -Wall, lines of 16 bytes, L2 slice" "$static/lint-rtl.sh" --l2 LineBytes=16 AluWords=2
for words in 2 16; do
	check "verilator -Wall, L2 slice, AluWords=$words" "$static/lint-rtl.sh" --l2 "AluWords=$words"
done
check "verilator -Wall, L2 slice, no floating-point arithmetic, one way" "$static/lint-rtl.sh" --l2 F32=0 F64=0 X2=0 Ways=1
check "a synthesis tool elaborates the device: no latch, no loop, one driver a net" "$static/elaborate.sh"
finish
