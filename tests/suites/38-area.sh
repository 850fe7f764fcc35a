#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# inputs: rtl Documentation/spec tests/rtl sim/vdev/headers.mk
#
# Area and depth of the shared memory unit: the table of tests/rtl/area/area.json belongs to the RTL as it is, its sums are right, and
# units of 8,000 look-up tables in all (100,000 with FAA_LONG=1), synthesised anew, have its figures. A table that is out of date: area.py --update.
# The cycles beside the area are those of the same builds, verilated with the same parameters: 8 lanes, with FAA_LONG=1 also
# 16 and 32.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# The small build, compared by the tool of the tree $1 with the table $2, must not pass, and what is said must match $3.
refused() {
	local said

	if said=$(python3 "$1/tests/rtl/area/area.py" --build "8 lanes" --luts 0 --table "$2" 2>&1); then
		echo "this passes:"
		echo "$said"
		return 1
	fi
	echo "$said"
	grep -qE "$3.*area.py --update" <<<"$said"
}

# The table after sed '$1' is refused with $2.
altered() {
	sed "$1" "$top/tests/rtl/area/area.json" >"$tmp/area.json"
	if cmp -s "$tmp/area.json" "$top/tests/rtl/area/area.json"; then
		echo "sed '$1' changes nothing in area.json"
		return 1
	fi
	refused "$top" "$tmp/area.json" "$2"
}

# The RTL after sed '$2' of the file $1 is refused with $3.
edited() {
	local tree=$tmp/tree status=0

	mkdir -p "$tree/tests/rtl" "$tree/Documentation"
	cp -r "$top/rtl" "$tree/"
	cp -r "$top/tests/rtl/area" "$tree/tests/rtl/"
	cp -r "$top/Documentation/spec" "$tree/Documentation/"
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

# A figure of the table that differs by one is refused; nothing is measured again for that.
wrong_cycles() {
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$top/tests/rtl/area python3 -c '
import area, cycles
table = area.Table(area.TABLE)
measured = [dict(row) for row in table.cycles.values()]
assert not cycles.compare(measured, table, area.BUILDS)
measured[0]["cycles"] += 1
problems = cycles.compare(measured, table, area.BUILDS)
assert len(problems) == 1 and "cycles is" in problems[0], problems
problems = cycles.compare(measured[1:], table, area.BUILDS)
assert len(problems) == 1 and "not measured" in problems[0], problems'
}

luts=8000
# The first check refuses cycles of other hardware than the area, of each build.
builds=(--build "8 lanes")
[ -z "${FAA_LONG:-}" ] || { luts=100000; builds=(); }
check "area.json is the table of this RTL" python3 "$top/tests/rtl/area/area.py" --luts "${luts}"
check "cycles: builds, verilated with the parameters of their area" python3 "$top/tests/rtl/area/cycles.py" "${builds[@]}"
check "cycles of other hardware than the area are noticed" altered '/"build": "8 lanes", "stream": "random"/s/"top": "[^"]*/&0/' \
	"8 lanes: the cycles in area.json are not of this build"
check "a cycle figure that is wrong is noticed" wrong_cycles
check "an edit that changes hardware is noticed" edited rtl/shared/faa_shared_keys.sv 's/!active, bank/active, bank/' "8 lanes: faa_shared_keys has changed"
check "a sum that is wrong is noticed" altered '/"build": "8 lanes", "technology": "xilinx"/s/"ff": [0-9]*/&1/' \
	"8 lanes, xilinx: ff is"
check "a clock rate of another state of a module is noticed" altered '/"mhz"/s/"unit": "[^"]*/&0/' "8 lanes: area.json has no clock rate of faa_shared_pair"
finish
