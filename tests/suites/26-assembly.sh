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

for source in "$top"/tests/unit/frontends/test_*.c; do
	name=$(basename "$source" .c)
	for variant in "" _asan; do
		check "assembly: ${name#test_}${variant:+ with sanitizers}" "$unit/test_frontend_${name#test_}$variant"
	done
done
for source in "$fuzz"/*.c; do
	name=$(basename "$source" .c)
	[ "$name" != replay ] || continue
	check "fuzzing: kept inputs of $name" "$build/tests/fuzz/frontends/replay-$name" "$fuzz/corpus/$name"
done
check "tools: faa-as and faa-dis" "$top/tests/unit/frontends/tools.sh" "$build/bin"
check "tools: faa-exec without a device" "$top/tests/unit/frontends/exec.sh" "$build/bin"
check "visa: GenX_IR reads text and files" "$top/tests/unit/frontends/genx.sh" "$build/bin" "$top/tests/vectors/visa"
check "visa: random programs on the model" "$build/tests/cosim/directed-visa"
finish
