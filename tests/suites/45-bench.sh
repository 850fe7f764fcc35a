#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Cycles of ATOMS and ATOM on the RTL: every result is that of the C model, no benchmark is slower
# than allowed or faster than its roofline, and the cycles are exactly those of the documentation.
# timeout: 5400
# modules: faa_top
# inputs: rtl/faa.f rtl/regs spec meson.build meson_options.txt
# inputs: sim/meson.build sim/include sim/model sim/vpci sim/vdev
# inputs: uapi userspace/meson.build userspace/libdrm_faa userspace/examples
# inputs: userspace/tools
# inputs: $build/meson-info/intro-buildoptions.json
# inputs: tests/meson.build tests/bench tests/cosim/meson.build tests/cosim/tb_*
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
bench=$build/bin/faa-bench

falsified() { # what benchmark message
	local out status=0
	out=$("$bench" --engine=model --warps=40 --inject="$1" "$2" 2>&1) || status=$?
	[ "$status" = 1 ] || { echo "status $status instead of 1"; return 1; }
	grep -q "$3" <<<"$out" || { echo "'$out' does not say '$3'"; return 1; }
}

refused() { # message arguments...
	local message=$1 out status=0
	shift
	out=$("$bench" "$@" 2>&1) || status=$?
	[ "$status" != 0 ] || { echo "faa-bench $* succeeds"; return 1; }
	grep -q -- "$message" <<<"$out" || { echo "'$out' does not say '$message'"; return 1; }
}

names() { # the names below one, and those of the whole table
	[ "$("$bench" --list atoms/stride-1)" = atoms/stride-1 ] || return 1
	[ "$("$bench" --list atoms/f32-one-address | wc -l)" = 3 ] || return 1
	[ "$("$bench" --list | wc -l)" = "$("$bench" --list | sort -u | wc -l)" ]
}

better_figure() { # atoms/random at 1 % below its limit
	local file out status=0
	file=$(mktemp)
	/usr/bin/python3 - "$top/tests/bench/expected.json" "$file" <<'EOT'
import json, sys
rows = json.load(open(sys.argv[1], encoding="utf-8"))
row = next(row for row in rows if row["name"] == "atoms/random")
row["value"] = round(row["limit"] * 0.99, 4)
json.dump(rows, open(sys.argv[2], "w", encoding="utf-8"))
EOT
	out=$(/usr/bin/python3 "$top/tests/bench/check.py" --limits "$file") || status=$?
	rm -f "$file"
	[ "$status" = 1 ] && grep -q "^atoms/random: .* is better than the limit" <<<"$out" || { echo "status $status: $out"; return 1; }
}

no_share() { # arguments...: no percentage, since the model has no clock
	local out
	out=$("$bench" --engine=model "$@") || return 1
	! grep -q '%' <<<"$out" || { echo "$out"; return 1; }
}

# Fewer warps: the first warps, which are not counted, take most of the time.
within_limits() { # arguments...
	local out status=0
	out=$("$bench" --json "$@") || status=$?
	[ "$status" = 0 ] || { echo "status $status"; return 1; }
	/usr/bin/python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
bad = [row for row in rows if row["share"] is None or not 0 < row["share"] <= 1.0002]
sys.exit(str(bad) if bad or not rows else 0)' <<<"$out"
}

build_named() { # the build above the table and in each object; not of the model: no clock
	[ "$("$bench" --warps=20 atoms/stride-1 | head -n 1)" = "build full" ] || return 1
	"$bench" --json --warps=20 atoms/stride-1 | grep -q '"build": "full"' || return 1
	"$bench" --json --engine=model --warps=20 atoms/stride-1 | grep -q '"build": null'
}

outdated() {
	local program=$build/tests/bench/faa-bench-ports out status=0
	touch -d "$(stat -c %y "$program") - 1 year" "$program"
	out=$("$bench" --warps=1 global/scatter-f32 2>&1) || status=$?
	touch "$program"
	[ "$status" = 0 ] || { echo "status $status"; return 1; }
	grep -q "scatter-f32.* is left out: .* ninja -C .* tests/bench/faa-bench-ports" <<<"$out" || { echo "'$out'"; return 1; }
}

check "a wrong word of shared memory is found" falsified shared atoms/random "shared memory at 0x4 "
check "a wrong register is found" falsified register atoms/random "lane 0 of the register"
check "a wrong old value is found" falsified values atoms/random "element 3327 got"
check "ATOM: a wrong word of the table is found" falsified table global/hot-word "item 1023 is 0x1000000"
check "ATOM: a wrong word of a table of 64 bits is found" falsified table global/gups "item 262143 is"
check "ATOM: a wrong register is found" falsified register global/hot-word "lane 0 is"
check "ATOM: a wrong old value is found" falsified values global/hot-word "old value of element 0"
check "names and their beginnings" names
check "figures name their build" build_named
check "an unknown name is refused" refused "no benchmark 'atoms/none'" atoms/none
check "a wrong engine is refused" refused "allowed are rtl and model" --engine=fpga
check "too many warps are refused" refused "from 1 to 65535" --warps=65536
check "the model computes the same twice" "$bench" --engine=model --warps=300
check "RTL: results at a memory latency of 1 cycle" "$bench" --latency=1 --warps=100 atoms/one-address atoms/zipf
check "RTL: results at a memory latency of 300 cycles" "$bench" --latency=300 --warps=100 atoms/one-address/add \
	atoms/photo atoms/f32-one-address
check "no figure of expected.json is better than its limit" /usr/bin/python3 "$top/tests/bench/check.py" --limits "$top/tests/bench/expected.json"
check "a figure that is better than its limit by 1 % is found" better_figure
check "the model's steps have no share of a limit" no_share --warps=100 atoms
check "RTL: no share above 100 % of 20 warps" within_limits --warps=20 atoms
# Devices with narrower memory ports, and one with four ports to eight slices of the L2
if [ -n "${FAA_LONG:-}" ]; then
	check "RTL: no share above 100 % of 100 warps" within_limits --warps=100 atoms
	for device in 64 128 256 ports; do
		check "the device '$device' is built" ninja -C "$build" "tests/bench/faa-bench-$device"
	done
	for device in small artix; do
		check "the build '$device' is built" ninja -C "$build" "tests/bench/faa-bench-$device"
		check "RTL: results of the build '$device'" "$build/tests/bench/faa-bench-$device" --json --warps=100
	done
	check "a program that is older than faa-bench is not used" outdated
fi
check "RTL: results, ceilings, rooflines and exact cycles" \
	/usr/bin/python3 "$top/tests/bench/check.py" "$bench"
finish
