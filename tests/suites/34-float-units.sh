#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
#
# Floating point and the banks of shared memory alone: adders of every format against the host's, banks against a loop over
# operations. FAA_SEED picks the random operands.
set -u
. "$(dirname "$0")/../tap.sh"

seed=${FAA_SEED:-1}
out=$build/tests/rtl
mkdir -p "$out/spec"
echo "# seed $seed"

# run_unit NAME TOP OPTIONS SOURCE ARGUMENT...: builds tests/rtl/NAME.cpp around TOP and runs it.
run_unit() {
	local name=$1 module=$2 options=$3 source=$4
	shift 4
	# shellcheck disable=SC2086 # no option has spaces
	verilator --cc --exe --build -j 2 -O3 --assert -Wall --x-assign unique --x-initial unique --prefix "V$module" \
		-CFLAGS "-std=c++17 -O2 -I$out/spec" --Mdir "$out/$name" -o "$name" -I"$top/rtl" -y "$top/rtl/lib" \
		-y "$top/rtl/shared" -y "$top/rtl/float" "$out/spec/faa_pkg.sv" "$top/rtl/cu/faa_cu_pkg.sv" \
		"$top/rtl/float/faa_float_pkg.sv" --top-module "$module" $options "$top/$source" \
		"$top/tests/rtl/$name.cpp" >"$out/$name.log" 2>&1 || {
		tail -n 20 "$out/$name.log"
		return 1
	}
	"$out/$name/$name" "$@"
}

python3 "$top/Documentation/spec/generate.py" --out "$out/spec"
check "adders and order keys: 20,000,000 pairs of F64, F32, F16 and BF16" \
	run_unit float_tb faa_test_float "" tests/rtl/units/faa_test_float.sv 5000000 "$seed"
check "a pair of banks: 2,000,000 random operations, streams by the cycle" \
	run_unit pair_tb faa_shared_pair "" rtl/shared/faa_shared_pair.sv 2000000 "$seed"
check "sums of RELAXED: 100,000 random beats, one per cycle" \
	run_unit relaxed_tb faa_test_relaxed "" tests/rtl/units/faa_test_relaxed.sv 100000 "$seed"
finish
