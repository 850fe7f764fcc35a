#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
# modules: faa_l2 faa_test_sys faa_l2_sys
# generated: faa_pkg.sv faa_isa.h
# inputs: tests/rtl/build.sh tests/rtl/units.f tests/rtl/wall.sh sim/vdev/headers.mk
# inputs: tests/rtl/coverage.py tests/rtl/coverage_sys.vlt tests/rtl/l2_tb.cpp tests/rtl/sys_tb.cpp
# inputs: tests/rtl/tb.h tests/rtl/l2_ref.h tests/rtl/float_ref.h tests/rtl/line_memory.h
#
# L2 slice alone, with lines of 64 bytes and of 16: random line operations against a loop over them,
# with a CPU that writes meanwhile, lines that cannot be read, memory of any latency and order;
# cycles per operation of streams with a known limit. Then operations of scope SYS on a small slice,
# with a host that changes the same words; coverage of that run: 95 % of the lines, every cover
# point. FAA_SEED picks the operations.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

seed=${FAA_SEED:-1}
out=$build/tests/rtl
echo "# seed $seed"

# l2_unit COMPACT LINEBYTES SETS WAYS MSHRS LISTSLOTS WBENTRIES ALUWORDS FLOATS OPERATIONS [timed]
l2_unit() {
	local program compact=$1 line=$2
	shift 2
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_l2 l2_tb "l2_tb-$1-$line-$compact" \
		-GTagW=10 "-GCompact=1'b$compact" \
		-GLineBytes="$line" -CFLAGS "-DLINE_BYTES=$line" -GSets="$1" -GWays="$2" -GMshrs="$3" \
		-GListSlots="$4" \
		-GWbEntries="$5" -GAluWords="$6" -GF32="1'b$7" -GF64="1'b$7" -GX2="1'b$7" "$top/rtl/l2/faa_l2.sv") &&
		"$program" "$8" "$seed" "$1" "$2" "$3" "$6" "$7" "${9:-}"
}

sys_unit() { # line-bytes operations
	local program
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_test_sys sys_tb "sys_tb-$1" \
		-GLineBytes="$1" -CFLAGS "-DLINE_BYTES=$1" --coverage-line --coverage-user \
		"$top/tests/rtl/coverage_sys.vlt" "$top/rtl/l2/faa_l2_sys.sv" "$top/tests/rtl/units/faa_test_sys.sv") &&
		"$program" "$2" "$seed" "$out/sys_tb-$1.dat"
}

check "256 sets of 4 lines, 16 words per cycle: 100,000 operations, streams by the cycle" \
	l2_unit 0 64 256 4 128 64 128 16 1 100000 timed
check "lines of 16 bytes, 64 sets, 2 words per cycle, no floating-point types: 50,000 operations" \
	l2_unit 0 16 64 4 16 64 16 2 0 50000
check "few cells, lines of 16 bytes, 64 sets of 2 lines, 2 words per cycle: 50,000 operations" \
	l2_unit 1 16 64 2 16 64 16 2 0 50000
check "few cells, lines of 16 bytes, floating-point types: 20,000 operations" \
	l2_unit 1 16 16 4 16 16 16 4 1 20000
check "scope SYS: 100,000 operations beside a host that changes the same words" sys_unit 64 100000
check "scope SYS, lines of 16 bytes: 20,000 operations" sys_unit 16 20000
check "coverage of faa_l2_sys: lines and cover points" python3 "$top/tests/rtl/coverage.py" \
	--lines 95 --under rtl/l2/faa_l2_sys.sv "$out/sys_tb-64.dat"
finish
