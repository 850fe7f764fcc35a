#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3000
# modules: faa_test_global faa_global faa_l2
# generated: faa_pkg.sv faa_isa.h
# inputs: tests/rtl/build.sh tests/rtl/units.f tests/rtl/wall.sh sim/vdev/headers.mk
# inputs: tests/rtl/coverage.py tests/rtl/coverage_global.vlt tests/rtl/global_tb.cpp
# inputs: tests/rtl/tb.h tests/rtl/l2_ref.h tests/rtl/float_ref.h tests/rtl/line_memory.h
#
# Atomic unit for global memory alone, with beats of 32, 16, 8 and 4 lanes, lines of 64 and of 16
# bytes, one, two and four ports: random warps against a loop over lanes, with a reference L2 and
# with faa_l2; cycles per warp of streams with a known limit. Then the coverage of these runs
# together: 95 % of the lines, every cover point. FAA_SEED picks the warps.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

seed=${FAA_SEED:-1}
data=$build/tests/rtl/global_tb
echo "# seed $seed"

global_unit() { # lanes ports slices bytes of a line
	local program name=$1-$2
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_test_global global_tb "global_tb-$name" \
		-GLanes="$1" -GPorts="$2" -GSlices="$3" -GLineBytes="$4" \
		-CFLAGS "-DLANES=$1 -DPORTS=$2 -DSLICES=$3 -DLINE_BYTES=$4" --coverage-line --coverage-user \
		"$top/tests/rtl/coverage_global.vlt" "$top/rtl/global/faa_global.sv" \
		"$top/rtl/l2/faa_l2.sv" "$top/tests/rtl/units/faa_test_global.sv") &&
		"$program" 100000 "$seed" 1 "$data-$name.dat"
}

covered() {
	python3 "$top/tests/rtl/coverage.py" --lines 95 --under rtl/global \
		"$data"-{32-1,32-4,16-2,8-1}.dat
}

for build_of in "32 1 1 64" "32 4 4 64" "16 2 4 64" "8 1 1 64" "4 1 1 16"; do
	read -r lanes ports slices bytes <<<"$build_of"
	check "$lanes lanes, $ports ports, lines of $bytes bytes: 100,000 warps, 6,000 more with L2 slices, cycles per warp" \
		global_unit "$lanes" "$ports" "$slices" "$bytes"
done
check "coverage of rtl/global: lines and cover points" covered
finish
