#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
#
# Parts of the compute unit alone: decoding errors one by one, arithmetic.
# FAA_SEED picks the random warps.
set -u
. "$(dirname "$0")/../tap.sh"

seed=${FAA_SEED:-1}
out=$build/tests/rtl
mkdir -p "$out/spec"
echo "# seed $seed"

# build_unit NAME TOP OPTION-OR-SOURCE...: builds tests/rtl/NAME.cpp around TOP.
build_unit() {
	local name=$1 module=$2
	shift 2
	verilator --cc --exe --build -j 2 -O3 --assert -Wall --x-assign unique --x-initial unique --prefix "V$module" \
		-CFLAGS "-std=c++17 -O2 -I$out/spec" --Mdir "$out/$name" -o "$name" "$out/spec/faa_pkg.sv" -F "$top/rtl/faa.f" \
		--top-module "$module" "$@" "$top/tests/rtl/$name.cpp" >"$out/$name.log" 2>&1 || {
		tail -n 20 "$out/$name.log"
		return 1
	}
}

decoder() {
	build_unit decode_tb faa_test_decode "$top/tests/rtl/units/faa_test_decode.sv" && "$out/decode_tb/decode_tb"
}

decoder_lean() {
	build_unit decode_tb faa_test_decode -GFull=0 "$top/tests/rtl/units/faa_test_decode.sv" &&
		"$out/decode_tb/decode_tb" lean
}

store_unit() {
	build_unit store_tb faa_cu_store "$top/rtl/cu/faa_cu_store.sv" && "$out/store_tb/store_tb" 50000 "$seed"
}

arithmetic() {
	build_unit alu_tb faa_cu_alu "$top/rtl/cu/faa_cu_alu.sv" && "$out/alu_tb/alu_tb" 50000 "$seed"
}

operand_path() {
	build_unit operand_tb faa_test_operand "$top/tests/rtl/units/faa_test_operand.sv" && "$out/operand_tb/operand_tb" 3000 "$seed"
}

python3 "$top/Documentation/spec/generate.py" --out "$out/spec"
check "decoder: every rule, their order, ends and faults at every word" decoder
check "decoder of a build without floating-point arithmetic and ALU" decoder_lean
check "arithmetic unit: 50,000 random warps, every operation and type" arithmetic
check "store unit: 50,000 random warps, order on each line, two cycles a warp" store_unit
check "operands: 3,000 random commands, faults, invalidations, throughput at two memory latencies" operand_path
finish
