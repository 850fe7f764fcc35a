#!/bin/bash
# SPDX-License-Identifier: MIT
#
# speed.sh COMMIT [DEVICE...]: clock cycles per second that the simulation of a device reaches,
# beside those of the default device at COMMIT, on the same benchmarks in the same run.
#
# DEVICE is a name of spec/builds.toml; default: sim and full. Both trees are built in
# BUILD/speed, with a counter of clock cycles in the engine, and each benchmark runs three times in
# each, of which the fastest counts. Seconds are processor time, that of the C model included, which
# checks the results.
set -euo pipefail

top=$(readlink -f "$(dirname "$0")/../..")
build=${FAA_BUILD:-$top/build}
benchmarks=(atoms/random global/gups suatom/random scaling/cus-2)

die() {
	echo "speed: $*" >&2
	exit 2
}

[ $# -ge 1 ] && [ "${1#-}" = "$1" ] || die "usage: speed.sh COMMIT [DEVICE...]"
commit=$(git -C "$top" rev-parse --verify --quiet "$1^{commit}") || die "'$1' is no commit"
shift
[ $# -gt 0 ] || set -- sim full

# Prints clock cycles, seconds of the engine at the end of the program.
count_cycles() {
	local engine=$1/sim/vdev/engine_rtl.cpp

	grep -q 'cycle_++;' "$engine" || die "$engine counts no cycles"
	sed -i 's/\<cycle_++;/cycle_++, speed.cycles++;/' "$engine"
	sed -i '0,/^namespace {/s//#include <ctime>\
static struct Speed {\
	unsigned long long cycles;\
	~Speed() { std::fprintf(stderr, "speed: %llu %.3f\\n", cycles, double(std::clock()) \/ CLOCKS_PER_SEC); }\
} speed;\
namespace {/' "$engine"
}

# tree DIRECTORY TARGET...: builds the targets there.
build_tree() {
	local dir=$1 options=()

	shift
	! grep -qs "option(.tests." "$dir/meson_options.txt" || options=(-Dtests=enabled)
	meson setup "${options[@]}" "$dir/build" "$dir" >"$dir.log" || die "see $dir.log"
	nice ninja -C "$dir/build" "$@" >"$dir.log" || die "see $dir.log"
}

# measure PROGRAM BENCHMARK: cycles and seconds of the fastest of three runs; nothing if the device
# cannot run it.
measure() {
	for _ in 1 2 3; do
		"$1" --here --engine=rtl "$2" 2>&1 >/dev/null | sed -n 's/^speed: \([1-9][0-9]*\) /\1 /p'
	done | sort -k 2n | head -n 1
}

dir=$build/speed
rm -rf "$dir/old" "$dir/new"
mkdir -p "$dir/old" "$dir/new"
git -C "$top" archive "$commit" | tar -x -C "$dir/old"
(cd "$top" && git ls-files -z | tar --null -cT -) | tar -x -C "$dir/new"
count_cycles "$dir/old"
count_cycles "$dir/new"
old=$(git -C "$top" rev-parse --short "$commit")
declare -A program=([$old]=tests/bench/faa-bench)
build_tree "$dir/old" "${program[$old]}"
for device; do program[$device]=tests/bench/faa-bench$([ "$device" = full ] || echo "-$device"); done
build_tree "$dir/new" "${program[@]}"

printf '%-16s %-10s %10s %8s %8s %8s\n' benchmark device cycles seconds kHz ratio
for benchmark in "${benchmarks[@]}"; do
	base=
	for device in "$old" "$@"; do
		tree=$([ "$device" = "$old" ] && echo old || echo new)
		read -r cycles seconds < <(measure "$dir/$tree/build/${program[$device]}" "$benchmark") || { echo "$benchmark: not on $device"; continue; }
		awk -v n="$benchmark" -v d="$device" -v c="$cycles" -v s="$seconds" -v b="$base" \
			'BEGIN { k = c / s / 1000; printf "%-16s %-10s %10d %8.2f %8.1f %8.2f\n", n, d, c, s, k, b ? k / b : 1 }'
		base=${base:-$(awk -v c="$cycles" -v s="$seconds" 'BEGIN { print c / s / 1000 }')}
	done
done
