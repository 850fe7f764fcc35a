#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
# modules: faa_test_float faa_shared_pair faa_test_relaxed
# generated: faa_pkg.sv faa_isa.h
# inputs: tests/rtl/build.sh tests/rtl/units.f tests/rtl/wall.sh sim/vdev/headers.mk
# inputs: tests/rtl/tb.h tests/rtl/float_ref.h
# inputs: tests/rtl/float_tb.cpp tests/rtl/pair_tb.cpp tests/rtl/relaxed_tb.cpp
#
# Floating point and the banks of shared memory alone: adders of every format against the host's,
# banks against a loop over operations. FAA_SEED picks the random operands.
set -u
. "$(dirname "$0")/../tap.sh"

seed=${FAA_SEED:-1}
echo "# seed $seed"

# run_unit TEST TOP SOURCE ARGUMENT...: builds tests/rtl/TEST.cpp around TOP and runs it.
run_unit() {
	local program
	program=$(BUILD=$build "$top/tests/rtl/build.sh" "$2" "$1" "$1" "$top/$3") && "$program" "${@:4}"
}

check "adders and order keys: 20,000,000 pairs of F64, F32, F16 and BF16" \
	run_unit float_tb faa_test_float tests/rtl/units/faa_test_float.sv 5000000 "$seed"
check "a pair of banks: 2,000,000 random operations, streams by the cycle" \
	run_unit pair_tb faa_shared_pair rtl/shared/faa_shared_pair.sv 2000000 "$seed"
check "sums of RELAXED: 100,000 random beats, one per cycle" \
	run_unit relaxed_tb faa_test_relaxed tests/rtl/units/faa_test_relaxed.sv 100000 "$seed"
finish
