#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# alone
#
# Shared memory unit alone: random warps against a loop over lanes, groups, passes, order, and cycles per warp of streams
# with a known limit, for builds that differ in lanes per cycle, in chains and in arithmetic. FAA_SEED picks the random warps.
set -u
. "$(dirname "$0")/../tap.sh"

seed=${FAA_SEED:-1}
out=$build/tests/rtl
mkdir -p "$out/spec"
echo "# seed $seed"

# shared_unit LANES CHAINS FLOATS RELAXED WARPS
shared_unit() {
	local name=shared_tb-$1-$2-$3-$4
	verilator --cc --exe --build -j 2 -O3 --assert -Wall --x-assign unique --x-initial unique --prefix Vfaa_shared \
		-CFLAGS "-std=c++17 -O1 -I$out/spec" --Mdir "$out/$name" -o shared_tb -GLanes="$1" -GChains="$2" -GUserW=16 \
		-GF32="1'b$3" -GF64="1'b$3" -GX2="1'b$3" -GRelaxed="1'b$4" "$out/spec/faa_pkg.sv" -F "$top/rtl/faa.f" \
		--top-module faa_shared "$top/rtl/shared/faa_shared.sv" "$top/tests/rtl/shared_tb.cpp" >"$out/$name.log" 2>&1 || {
		tail -n 20 "$out/$name.log"
		return 1
	}
	"$out/$name/shared_tb" "$5" "$seed" "$1" "$2" "$3" "$4"
}

python3 "$top/Documentation/spec/generate.py" --out "$out/spec"
check "32 lanes, two chains, floating point, relaxed sums: 60,000 warps" shared_unit 32 2 1 1 60000
check "32 lanes, no chains, integers: 60,000 warps" shared_unit 32 0 0 0 60000
check "16 lanes, two chains, integers: 30,000 warps" shared_unit 16 2 0 0 30000
check "8 lanes, no chains, integers: 30,000 warps" shared_unit 8 0 0 0 30000
finish
