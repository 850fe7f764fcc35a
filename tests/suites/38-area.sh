#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# inputs: rtl spec tests/rtl sim/vdev/headers.mk
#
# Area and depth of the builds of the device. No figure of the present RTL is worse by more than 2 %
# than in tests/rtl/area/area.json, its sums are right, and units of 8,000 look-up tables in all
# (100,000 with FAA_LONG=1), synthesised anew, have its figures. `area.py --update` updates the
# table. The cycles beside the area are those of the same builds, verilated with the same
# parameters: of small, with FAA_LONG=1 of all builds in the table.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# The small build, compared with the table $2 by area.py of the tree $1, must not pass, and the
# message must match $3.
refused() {
	local said

	if said=$(python3 "$1/tests/rtl/area/area.py" --build small --luts 0 --table "$2" 2>&1); then
		echo "this passes:"
		echo "$said"
		return 1
	fi
	echo "$said"
	grep -qE "$3.*(area|cycles).py --" <<<"$said"
}

# The table after sed '$1' is refused with message $2.
altered() {
	sed "$1" "$top/tests/rtl/area/area.json" >"$tmp/area.json"
	if cmp -s "$tmp/area.json" "$top/tests/rtl/area/area.json"; then
		echo "sed '$1' changes nothing in area.json"
		return 1
	fi
	refused "$top" "$tmp/area.json" "$2"
}

# A figure of the table that differs by one is refused, without measuring again.
wrong_cycles() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$top/tests/rtl/area python3 -c '
import cycles
from table import BUILDS, Table
table = Table()
measured = [dict(row) for row in table.cycles.values()]
assert not cycles.compare(measured, table, BUILDS.builds)
measured[0]["cycles"] += 1
problems = cycles.compare(measured, table, BUILDS.builds)
assert len(problems) == 1 and "cycles is" in problems[0], problems
problems = cycles.compare(measured[1:], table, BUILDS.builds)
assert len(problems) == 1 and "not measured" in problems[0], problems'
}

# Which changes area.py counts as worse, and which functions share a look-up table with two outputs.
rules() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$top/tests/rtl/area python3 -c '
import area, depth
old = {name: 1000 for name in area.FIGURES}
assert not area.worse("x", {**old, "lut": 1020, "levels": None, "ff": 500}, old)
assert len(area.worse("x", {**old, "lut": 1021, "bram": 1021, "levels": 1021}, old)) == 3
small = {name: 8 for name in area.FIGURES}
assert not area.worse("x", {**small, "lut": 18}, small)
assert len(area.worse("x", {**small, "lut": 19, "levels": 9}, small)) == 2
sets = lambda *functions: [frozenset(inputs) for inputs in functions]
assert depth.pairs(sets("abc", "cde")) == 1
assert depth.pairs(sets("abc", "def")) == 0
assert depth.pairs(sets("abcdef", "ab")) == 0
assert depth.pairs(sets("abcde", "ab", "cd")) == 1'
}

# Each build, scope and technology is in --json, with a figure or null, and work per look-up table
# only where both are known.
json_form() {
	python3 "$top/tests/rtl/area/area.py" --json | python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
places = {(row["build"], row["scope"], row.get("room"), row["technology"]) for row in rows}
assert len(places) == len(rows)
for build in ("small", "artix", "full"):
    for scope in ("device", "unit"):
        for technology in ("ecp5", "xilinx"):
            assert (build, scope, None, technology) in places, (build, scope, technology)
for row in rows:
    for key in ("lut", "cells", "ff", "lutram", "bram", "dsp", "levels", "mhz"):
        assert row[key] is None or isinstance(row[key], (int, float)), row
    if row["scope"] != "room":
        assert bool(row["lane_operations_per_cycle_per_klut"]) == bool(row["lut"] and row["cycles"]), row
        assert bool(row["lane_operations_per_second_per_klut"]) == bool(row["lut"] and row["cycles"] and row["mhz"]), row
    if row["lut"]:
        assert row["lut"] <= row["cells"] and (row["technology"] == "xilinx" or row["lut"] == row["cells"]), row
assert any(row["lut"] for row in rows)'
}

# A copy of the tree in which sed '$2' changes the hardware of the file $1; comparison with the
# table must fail with message $3.
edited() {
	local tree=$tmp/tree status=0

	mkdir -p "$tree/tests/rtl"
	cp -r "$top/rtl" "$top/spec" "$tree/"
	cp -r "$top/tests/rtl/area" "$tree/tests/rtl/"
	sed -i "$2" "$tree/$1"
	if cmp -s "$tree/$1" "$top/$1"; then
		echo "sed '$2' changes nothing in $1"
		status=1
	else
		refused "$tree" "$tree/tests/rtl/area/area.json" "$3" || status=1
	fi
	rm -rf "$tree"
	return "$status"
}

# A small module, mapped alone, placed and routed: its row has a clock rate, and counts that agree
# with the cells used in the FPGA.
routed() {
	cp "$top/tests/rtl/area/area.json" "$tmp/routed.json"
	python3 "$top/tests/rtl/area/area.py" --build small --route faa_queue --seeds 1 --table "$tmp/routed.json" || return 1
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$top/tests/rtl/area python3 -c '
import pathlib, sys
from table import Table
row = Table(pathlib.Path(sys.argv[1])).clocks[("small", "faa_queue")]
assert 50 < row["mhz"]["1"] < 600 and 0 < row["levels"] < 20, row
assert 0 < row["lut"] < row["used"]["TRELLIS_COMB"][0] and 0 < row["ff"] < row["used"]["TRELLIS_FF"][0], row
assert row["path"][0][0] == "clk-to-q", row' "$tmp/routed.json"
}

luts=8000
# The first check refuses cycles that were measured on other hardware than the area, for each build.
builds=(--build small)
[ -z "${FAA_LONG:-}" ] || { luts=100000; builds=(); }
check "area.json is no better than this RTL" python3 "$top/tests/rtl/area/area.py" --luts "${luts}"
check "area.py --json has every build, scope and technology" json_form
check "what is worse, and what is paired" rules
check "levels of modules put together, bit by bit" env PYTHONDONTWRITEBYTECODE=1 python3 "$top/tests/rtl/area/test_depth.py"
check "cycles: builds, verilated with the parameters of their area" python3 "$top/tests/rtl/area/cycles.py" "${builds[@]}"
check "cycles of other hardware than the area are noticed" altered '/"build": "small", "stream": "random"/s/"top": "[^"]*/&0/' \
	"small: the cycles in area.json are not of its shared memory unit"
check "a cycle figure that is wrong is noticed" wrong_cycles
check "hardware that is worse is noticed" edited rtl/cu/faa_cu_context.sv 's/== 64 ? 16 : 4;/== 64 ? 16 : 16;/' \
	"small room faa_cu_context ecp5: ff is"
check "a sum that is wrong is noticed" altered '/"build": "small", "scope": "unit", "technology": "ecp5"/s/"ff": [0-9]*/&1/' \
	"small unit ecp5: ff is"
check "a clock rate of another state of a module is noticed" altered '/"mhz"/s/"top": "[^"]*/&0/' "small: area.json has no clock rate of faa_shared_pair"
check "a module can be mapped as one, placed and routed" routed
finish
