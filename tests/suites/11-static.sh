#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
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
# every width and the smallest, the usual and the largest number of units
for size in 1:64 2:128 2:512; do
	check "verilator -Wall, NumCu=${size%:*}, AxiDataWidth=${size#*:}" \
		"$static/lint-rtl.sh" "NumCu=${size%:*}" "AxiDataWidth=${size#*:}"
done
check "verilator -Wall, NumCu=8 of 4 slots, AxiDataWidth=256, SharedLanes=8, no floating-point arithmetic, no ALU" \
	"$static/lint-rtl.sh" NumCu=8 WarpSlots=4 AxiDataWidth=256 SharedLanes=8 F32=0 F64=0 X2=0 Relaxed=0 Alu=0
check "verilator -Wall, SharedLanes=8, an L2 of one slice, no scope SYS" \
	"$static/lint-rtl.sh" SharedLanes=8 L2Slices=1 NumCu=1 WarpSlots=1 "SysAtomics=1'b0"
check "verilator -Wall, 3 slots, SharedLanes=16, no L2" "$static/lint-rtl.sh" WarpSlots=3 SharedLanes=16 "GlobalAtomics=1'b0" "SurfaceAtomics=1'b0"
check "verilator -Wall, no surfaces" "$static/lint-rtl.sh" "SurfaceAtomics=1'b0"
check "verilator -Wall, four ports to an L2 of eight slices" "$static/lint-rtl.sh" NumCu=1 SharedLanes=8 L2Slices=8 L2Ports=4
check "verilator -Wall, an L2 of four slices" "$static/lint-rtl.sh" L2Slices=4 L2AluWords=4 NumCu=4
check "verilator -Wall, an L2 of four slices with two ports" "$static/lint-rtl.sh" L2Slices=4 L2Ports=2
for words in 2 16; do
	check "verilator -Wall, L2 slice, AluWords=$words" "$static/lint-rtl.sh" --l2 "AluWords=$words"
done
check "verilator -Wall, L2 slice, no floating-point arithmetic, one way" "$static/lint-rtl.sh" --l2 F32=0 F64=0 X2=0 Ways=1
check "a synthesis tool elaborates the device: no latch, no loop, one driver a net" "$static/elaborate.sh"
finish
