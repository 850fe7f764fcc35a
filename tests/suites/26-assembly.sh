#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The assembly languages without a device: unit tests plain and with sanitizers, vectors, the programs, kept inputs of fuzzing.
# timeout: 300
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

unit=$build/tests/unit/frontends
fuzz=$top/tests/fuzz/frontends
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

for variant in "" _asan; do
	for name in asm; do
		check "assembly: $name${variant:+ with sanitizers}" "$unit/test_frontend_$name$variant"
	done
done
for corpus in "$fuzz"/corpus/*/; do
	[ -d "$corpus" ] || continue
	name=$(basename "$corpus")
	check "fuzzing: kept inputs of $name" "$build/tests/fuzz/frontends/replay-$name" "$corpus"
done
check "tools: faa-as and faa-dis" "$top/tests/unit/frontends/tools.sh" "$build/bin"
finish
