#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
# kernel
#
# Code in the languages of the front ends on both engines: the examples of Documentation/exec.rst,
# every operation and width of PTX, SPIR-V kernels.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
bin=$build/bin
engines=${FAA_ENGINES:-model rtl}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

said_ok() { # session: the line of a session that ran in the machine, and its next lines
	sed -n "/^\(not \)\?ok [0-9]* - $1\(:.*\)\?$/,/^\(not \)\?ok [0-9]* - /p" "$tmp/log" | head -n 40
	grep -q "^ok [0-9]* - $1$" "$tmp/log" && ! grep -q "^not ok [0-9]* - $1:" "$tmp/log"
}

names_unit() { # the C model has no clock: the same number is called steps there
	local unit=cycles
	[ "$engine" != model ] || unit=steps
	"$bin/faa-exec" --engine="$engine" --stats "$top/tests/e2e/exec/plain.ptx" >"$tmp/out" || return 1
	grep -qE "^$unit [1-9]" "$tmp/out" || { cat "$tmp/out"; return 1; }
	"$bin/faa-exec" --engine="$engine" --stats --json "$top/tests/e2e/exec/plain.ptx" >"$tmp/out" || return 1
	grep -qE "\"$unit\": [1-9]" "$tmp/out" || { cat "$tmp/out"; return 1; }
	"$bin/faa-spirv" --engine="$engine" run --stats --out="$tmp" "$top/tests/vectors/spirv/cases/histogram_shared.case" >"$tmp/out" || return 1
	grep -qE "; [1-9][0-9]* $unit;" "$tmp/out" || { cat "$tmp/out"; return 1; }
}

for engine in $engines; do
	for directory in Documentation/exec tests/e2e/exec tests/vectors/ptx/kernels; do
		PATH=$bin:$PATH "$bin/faa-run" --engine="$engine" --timeout=240 \
			"$top/tests/e2e/sessions.sh" "$top/$directory" >"$tmp/log" 2>&1 || true
		for session in "$top/$directory"/*.session; do
			name=$(basename "$session" .session)
			check "$engine: $directory: $name" said_ok "$name"
		done
	done
	check "$engine: faa-exec and faa-spirv --stats name what they count" names_unit
	# shellcheck source=tests/e2e/spirv_on_device.sh
	. "$top/tests/e2e/spirv_on_device.sh"
done
finish
