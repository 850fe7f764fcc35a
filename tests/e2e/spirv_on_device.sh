# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Part of suite 69: faa-spirv run, sourced with bin, top, tmp and engine set.
# shellcheck disable=SC2154

spirv_vectors=$top/tests/vectors/spirv

spirv_run() { # option, folder for the results, cases...: one machine runs them all
	local option=$1 out=$2
	shift 2
	mkdir -p "$out"
	"$bin/faa-spirv" --engine="$engine" run "$option" --out="$out" "$@"
}

spirv_judged() { # results of other devices, against all cases
	spirv_run --stats "$tmp/spirv-$engine" "$spirv_vectors"/cases/*.case || return 1
	/usr/bin/python3 "$spirv_vectors/check.py" --out "$tmp/spirv-$engine"
}

spirv_glsl() { # shaders that are compiled now
	local dir=$tmp/glsl-$engine shader
	"$top/tests/e2e/spirv_cases.py" make "$dir" || return 1
	for shader in "$top"/tests/e2e/spirv/shaders/*.comp; do
		glslangValidator -V --target-env vulkan1.2 -o "$dir/spv/$(basename "$shader" .comp).spv" "$shader" || return 1
	done
	spirv_run --json "$dir/out" "$dir"/cases/*.case >"$dir/lines" || { cat "$dir/lines"; return 1; }
	/usr/bin/python3 -c "import json, sys
cases = [json.loads(line) for line in open(sys.argv[1])]
unit = 'steps' if sys.argv[2] == 'model' else 'cycles'
sys.exit(not cases or not all(c['passed'] and c['invocations'] and c['atomics'] and c[unit] for c in cases))" \
		"$dir/lines" "$engine" || { echo "--json prints:"; cat "$dir/lines"; return 1; }
	"$top/tests/e2e/spirv_cases.py" check "$dir"
}

check "$engine: faa-spirv: recorded cases, judged by check.py" spirv_judged
check "$engine: faa-spirv: GLSL compiled on the spot: histogram, reduction, linked list under locks" spirv_glsl
