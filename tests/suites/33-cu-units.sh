#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# modules: faa_test_decode faa_test_atom_pages faa_test_surface faa_test_operand faa_test_store
# modules: faa_test_translate faa_cu_store faa_cu_alu faa_cu_context faa_cu_compare
# generated: faa_pkg.sv faa_isa.h faa_encode.h faa_texture.h
# inputs: tests/rtl/build.sh tests/rtl/units.f tests/rtl/wall.sh sim/vdev/headers.mk
# inputs: tests/rtl/coverage.py tests/rtl/tb.h
# inputs: tests/rtl/decode_tb.cpp tests/rtl/store_tb.cpp tests/rtl/alu_tb.cpp
# inputs: tests/rtl/atom_pages_tb.cpp tests/rtl/surface_tb.cpp tests/rtl/operand_tb.cpp
# inputs: tests/rtl/context_tb.cpp tests/rtl/compare_tb.cpp tests/rtl/translate_tb.cpp
#
# Parts of the compute unit alone: decoding errors one by one, arithmetic and comparisons, stores,
# addresses, operands.
# FAA_SEED picks the random warps.
set -u
. "$(dirname "$0")/../tap.sh"

seed=${FAA_SEED:-1}
echo "# seed $seed"

# build_unit TOP TEST OPTION-OR-SOURCE...: builds tests/rtl/TEST.cpp around TOP and prints its path.
build_unit() {
	BUILD=$build "$top/tests/rtl/build.sh" "$1" "$2" "$2" "${@:3}"
}

decoder() {
	local program
	program=$(build_unit faa_test_decode decode_tb "$top/tests/rtl/units/faa_test_decode.sv") && "$program"
}

decoder_lean() {
	local program
	program=$(build_unit faa_test_decode decode_tb -GFull=0 "$top/tests/rtl/units/faa_test_decode.sv") && "$program" lean
}

decoder_plain() {
	local program
	program=$(build_unit faa_test_decode decode_tb -GAtom=0 "$top/tests/rtl/units/faa_test_decode.sv") && "$program" plain
}

decoder_sys() {
	local program
	program=$(build_unit faa_test_decode decode_tb -GSys=1\'b1 "$top/tests/rtl/units/faa_test_decode.sv") && "$program" sys
}

decoder_surface() {
	local program
	program=$(build_unit faa_test_decode decode_tb -GSurface=1\'b1 "$top/tests/rtl/units/faa_test_decode.sv") && "$program" surface
}

store_unit() {
	local program
	program=$(build_unit faa_cu_store store_tb "$top/rtl/cu/faa_cu_store.sv") && "$program" 50000 "$seed"
}

arithmetic() {
	local program
	program=$(build_unit faa_cu_alu alu_tb "$top/rtl/cu/faa_cu_alu.sv") && "$program" 50000 "$seed"
}

arithmetic_lean() {
	local program
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_cu_alu alu_tb alu-1 -GLanesPerCycle=1 \
		"$top/rtl/cu/faa_cu_alu.sv") && "$program" 10000 "$seed"
}

atom_pages() {
	local program
	program=$(build_unit faa_test_atom_pages atom_pages_tb \
		"$top/tests/rtl/units/faa_test_atom_pages.sv") && "$program" 100000 "$seed"
}

surface_unit() {
	local program log=$build/tests/rtl/surface_tb
	program=$(build_unit faa_test_surface surface_tb --coverage-line --coverage-user "$top/tests/rtl/units/faa_test_surface.sv") &&
		"$program" 20000 "$seed" "$log/surface.dat"
}

surface_unit_lean() { # lanes, those per cycle, bytes of a line
	local program
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_test_surface surface_tb "surface-$1-$2" \
		"-GLanes=$1" "-GSurfaceLanes=$2" "-GLineBytes=$3" "$top/tests/rtl/units/faa_test_surface.sv") &&
		"$program" 5000 "$seed"
}

surface_coverage() {
	python3 "$top/tests/rtl/coverage.py" --lines 95 --under rtl/surface "$build/tests/rtl/surface_tb/surface.dat"
}

operand_path() { # lanes, bytes of a line
	local program
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_test_operand operand_tb "operand-$1" \
		"-GLanes=$1" "-GLineBytes=$2" "$top/tests/rtl/units/faa_test_operand.sv") &&
		"$program" 3000 "$seed"
}

store_unit_lean() { # lanes, bytes of a line
	local program
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_cu_store store_tb "store-$1" "-GLanes=$1" \
		"-GLineBytes=$2" "$top/rtl/cu/faa_cu_store.sv") &&
		"$program" 20000 "$seed" "$1"
}

store_unit_serial() {
	local program
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_test_store store_tb store-serial \
		-GLineBytes=16 -CFLAGS -DSERIAL "$top/tests/rtl/units/faa_test_store.sv") &&
		"$program" 10000 "$seed" 1
}

operand_path_serial() {
	local program
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_test_operand operand_tb operand-serial \
		-GLanes=4 -GLineBytes=16 "-GSerial=1'b1" "$top/tests/rtl/units/faa_test_operand.sv") &&
		"$program" 3000 "$seed"
}

context_engine() { # lanes, bytes of a line
	local program
	program=$(BUILD=$build "$top/tests/rtl/build.sh" faa_cu_context context_tb "context-$1" \
		"-GLanes=$1" "-GLineBytes=$2" "$top/rtl/cu/faa_cu_context.sv") &&
		"$program" 60 "$seed" "$1"
}

comparison() {
	local program
	program=$(build_unit faa_cu_compare compare_tb "$top/rtl/cu/faa_cu_compare.sv") &&
		"$program" 50000 "$seed"
}

translation() {
	local program
	program=$(build_unit faa_test_translate translate_tb \
		"$top/tests/rtl/units/faa_test_translate.sv") && "$program" 50000 "$seed"
}

check "decoder: every rule, their order, ends and faults at every word" decoder
check "decoder of a build without floating-point arithmetic and ALU" decoder_lean
check "decoder of a build without ATOM" decoder_plain
check "decoder of a build with ATOM at scope SYS" decoder_sys
check "decoder of a build with SUATOM: coordinates, handles, CONFIG" decoder_surface
check "arithmetic unit: 50,000 random warps, every operation and type" arithmetic
check "arithmetic unit of one lane a cycle: 10,000 random warps" arithmetic_lean
check "store unit: 50,000 random warps, order on each line, two cycles a warp" store_unit
for lanes in 16 8; do
	check "store unit, beats of $lanes lanes: 20,000 random warps" store_unit_lean "$lanes" 64
done
check "store unit, beats of 4 lanes, lines of 16 bytes: 20,000 random warps" store_unit_lean 4 16
check "store unit, lane by lane, lines of 16 bytes: 10,000 random warps" store_unit_serial
for lanes in 32 16 8; do
	check "contexts in beats of $lanes lanes: saved, restored, cleared" context_engine "$lanes" 64
done
check "contexts in beats of 4 lanes and lines of 16 bytes: saved, restored, cleared" \
	context_engine 4 16
check "addresses of ATOM: 100,000 random warps, errors, invalidations, streams beside them, a warp per cycle in one page" atom_pages
check "surfaces: 20,000 random commands, good and bad headers of every version, edges, faults, a warp per cycle on one surface" surface_unit
check "surfaces of 4 of 16 lanes a cycle: 5,000 random commands" surface_unit_lean 16 4 64
check "surfaces of 8 lanes a cycle, a beat of 8 lanes: 5,000 random commands" \
	surface_unit_lean 8 8 64
check "surfaces of one lane a cycle, lines of 16 bytes: 5,000 random commands" \
	surface_unit_lean 4 1 16
check "surfaces lane by lane, lines of 16 bytes: 5,000 random commands" surface_unit_lean 1 1 16
check "coverage of the surface unit: lines and cover points" surface_coverage
check "comparisons of SETP: 50,000 random warps, every comparison and type" comparison
check "addresses of result streams: 50,000 random warps, as the translation of any" translation
for lanes in 32 16 8; do
	check "operands, $lanes lanes a cycle: 3,000 random commands, faults, throughput" \
		operand_path "$lanes" 64
done
check "operands, 4 lanes a cycle, lines of 16 bytes: 3,000 random commands, faults, throughput" \
	operand_path 4 16
check "operands lane by lane, lines of 16 bytes: 3,000 random commands, faults, throughput" \
	operand_path_serial
finish
