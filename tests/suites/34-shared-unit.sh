#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# modules: faa_shared faa_test_lanes
# generated: faa_pkg.sv faa_isa.h
# inputs: tests/rtl/build.sh tests/rtl/units.f tests/rtl/wall.sh sim/vdev/headers.mk
# inputs: tests/rtl/coverage.py tests/rtl/coverage_32.vlt tests/rtl/shared_cycles.txt
# inputs: tests/rtl/shared_tb.cpp tests/rtl/shared_figures.cpp tests/rtl/lanes_tb.cpp
# inputs: tests/rtl/tb.h tests/rtl/float_ref.h
#
# Shared memory unit alone: random warps against a loop over lanes, groups, passes, order, cycles
# per warp of streams with a known limit, and the exact cycles of short ones, for builds that differ
# in lanes per cycle, in chains and in arithmetic; the lane network alone against plain loops. Then
# the coverage of the unit's runs: 95 % of the lines, every cover point. FAA_SEED picks the random
# warps; FAA_UPDATE=1 makes the present cycles of the short streams the expected ones
# (tests/rtl/shared_cycles.txt).
set -u
. "$(dirname "$0")/../tap.sh"

seed=${FAA_SEED:-1}
# Expected cycles are written for all builds.
[ -z "${FAA_UPDATE:-}" ] || FAA_LONG=1
cycles=$top/tests/rtl/shared_cycles.txt
logs=$build/tests/rtl/shared-unit
mkdir -p "$logs"
rm -f "$logs"/*
echo "# seed $seed"

# unit LANES CHAINS FLOATS RELAXED WARPS OPTION...: builds and runs a unit; log, status and coverage
# are in $logs.
unit() {
	local name=shared-$1-$2-$3-$4 program status=0

	{
		program=$(BUILD=$build JOBS=1 "$top/tests/rtl/build.sh" faa_shared shared_tb "$name" -GLanes="$1" -GChains="$2" -GUserW=16 \
			-GF32="1'b$3" -GF64="1'b$3" -GX2="1'b$3" -GRelaxed="1'b$4" "${@:6}" "$top/rtl/shared/faa_shared.sv") &&
			cd "$logs" && "$program" "$5" "$seed" "$1" "$2" "$3" "$4" "$cycles"
	} >"$logs/$name.log" 2>&1 || status=$?
	echo "$status" >"$logs/$name.status"
}

# unit_was_right NAME: checks the results in the log of a build.
unit_was_right() {
	cat "$logs/$1.log"
	return "$(cat "$logs/$1.status")"
}

# lanes LANES BEATS: the lane network alone
lanes() {
	local name=lanes-$1 program status=0

	{
		program=$(BUILD=$build JOBS=1 "$top/tests/rtl/build.sh" faa_test_lanes lanes_tb "$name" -GLanes="$1" -CFLAGS "-DLANES=$1" \
			"$top/tests/rtl/units/faa_test_lanes.sv") &&
			cd "$logs" && "$program" "$2" "$seed"
	} >"$logs/$name.log" 2>&1 || status=$?
	echo "$status" >"$logs/$name.status"
}

covered() {
	python3 "$top/tests/rtl/coverage.py" --lines 95 --under rtl/shared --under rtl/lanes --under rtl/float "$logs/32-2-1-1.dat" "$logs/8-2-1-0.dat"
}

update_cycles() {
	{
		grep -e '^#' -e '^8-2-0-0 ' "$cycles"
		sed -n 's/^row: //p' "$logs"/*.log
	} >"$logs/rows"
	cp "$logs/rows" "$cycles"
}

# Lines are counted in builds that it slows least: that of 8 lanes has nearly all. Without
# -fno-split and -fno-reorder, counters of variables that a block changes step by step are placed
# after the last step.
counted=(--coverage-line --coverage-user)

# Two at a time
{
	unit 32 2 1 1 24000 "${counted[@]}" "$top/tests/rtl/coverage_32.vlt"
} &
{
	unit 8 2 1 0 6000 "${counted[@]}" -fno-split -fno-reorder
	unit 4 0 0 0 6000
	lanes 4 20000
	lanes 8 20000
	lanes 16 20000
	lanes 32 20000
	[ -z "${FAA_LONG:-}" ] || {
		unit 16 2 0 0 24000
		unit 32 0 0 0 24000
	}
} &
wait
[ -z "${FAA_UPDATE:-}" ] || update_cycles
check "32 lanes, two chains, floating point, relaxed sums: 24,000 warps" unit_was_right shared-32-2-1-1
[ -z "${FAA_LONG:-}" ] || check "32 lanes, no chains, integers: 24,000 warps" unit_was_right shared-32-0-0-0
[ -z "${FAA_LONG:-}" ] || check "16 lanes, two chains, integers: 24,000 warps" unit_was_right shared-16-2-0-0
check "8 lanes, two chains, floating point: 6,000 warps" unit_was_right shared-8-2-1-0
check "4 lanes, no chains, integers: 6,000 warps" unit_was_right shared-4-0-0-0
for width in 4 8 16 32; do
	check "lane network, $width lanes: 20,000 beats against loops" unit_was_right "lanes-$width"
done
check "coverage of rtl/shared, rtl/lanes and rtl/float: lines and cover points" covered
finish
