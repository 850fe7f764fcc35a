#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
#
# The repository as text: licences, formatting, lint, generated files. Of the driver's own checks (checkpatch, sparse,
# kernel-doc) its suite takes care.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
static=$top/tests/static

check "every file names its licence" "$static/spdx.py"
check "REUSE 3.0" reuse --root "$top" lint
check "no leftovers, no paths of one machine" "$static/text.py"
check "clang-format" "$static/format.sh"
check "shellcheck" "$static/scripts.sh" shell
check "pyflakes" "$static/scripts.sh" python
check "suites follow the rules of the runner" "$static/suites.sh"
check "the generator gives the same bytes every time" "$static/generated.sh" spec
check "PeakRDL's files are those of faa_regs.rdl" "$static/generated.sh" regs
# lint PARAMETER=VALUE...: of the whole device
lint() {
	check "verilator -Wall, ${*:-as it is}" "$static/lint-rtl.sh" "$@"
}

# Each parameter off its usual value at least once; every width, and the largest numbers of units, slots and lanes together, with FAA_LONG=1.
lint
lint NumCu=8 WarpSlots=1 SharedLanes=8 AxiDataWidth=128 F32=0 F64=0 X2=0 Relaxed=0 Alu=0
lint NumCu=1 WarpSlots=4 SharedLanes=8 AxiDataWidth=64 L2Slices=1 "SysAtomics=1'b0" "SurfaceAtomics=1'b0"
lint NumCu=1 WarpSlots=3 SharedLanes=16 "GlobalAtomics=1'b0" "SurfaceAtomics=1'b0"
lint NumCu=1 WarpSlots=1 SharedLanes=8 L2Slices=8 L2Ports=4 L2AluWords=4
if [ -n "${FAA_LONG:-}" ]; then
	for width in 64 128 256; do
		lint "AxiDataWidth=$width"
	done
	lint NumCu=8 WarpSlots=4
	lint NumCu=4 L2Slices=4 L2Ports=2
	lint "SurfaceAtomics=1'b0"
fi
for words in 2 16; do
	check "verilator -Wall, L2 slice, AluWords=$words" "$static/lint-rtl.sh" --l2 "AluWords=$words"
done
check "verilator -Wall, L2 slice, no floating-point arithmetic, one way" "$static/lint-rtl.sh" --l2 F32=0 F64=0 X2=0 Ways=1
check "a synthesis tool elaborates the device: no latch, no loop, one driver a net" "$static/elaborate.sh"
finish
