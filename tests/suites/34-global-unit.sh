#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3000
# inputs: rtl Documentation/spec tests/rtl sim/vdev/headers.mk
#
# Atomic unit for global memory alone, with one and four ports: random warps against a loop over lanes, in front of a reference L2 and of faa_l2; cycles per
# warp of streams with a known limit. Then the coverage of these runs together: 95 % of the lines, every cover point. FAA_SEED picks the warps.
set -u
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

seed=${FAA_SEED:-1}
data=$build/tests/rtl/global_tb
echo "# seed $seed"

global_unit() { # ports slices
	local program
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_test_global global_tb "global_tb-$1" -GPorts="$1" -GSlices="$2" \
		-CFLAGS "-DPORTS=$1 -DSLICES=$2" --coverage-line --coverage-user \
		"$top/tests/rtl/coverage_global.vlt" "$top/rtl/global/faa_global.sv" "$top/rtl/l2/faa_l2.sv" \
		"$top/tests/rtl/units/faa_test_global.sv") && "$program" 100000 "$seed" 1 "$data-$1.dat"
}

covered() {
	python3 "$top/tests/rtl/coverage.py" --lines 95 --under rtl/global "$data"-[14].dat
}

for ports in 1 4; do
	check "$ports ports: 100,000 warps, 6,000 more with L2 slices, cycles per warp" global_unit "$ports" $((ports > 1 ? 4 : 1))
done
check "coverage of rtl/global: lines and cover points" covered
finish
