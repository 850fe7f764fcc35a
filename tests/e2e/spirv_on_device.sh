# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Part of suite 69: faa-spirv run, sourced with bin, top, tmp and engine set.
# shellcheck disable=SC2154

spirv_vectors=$top/tests/vectors/spirv

spirv_run() { # folder for the results, cases...: one machine runs them all
	local out=$1
	shift
	mkdir -p "$out"
	"$bin/faa-spirv" --engine="$engine" run --stats --out="$out" "$@"
}

spirv_judged() { # results of other devices, against all cases
	spirv_run "$tmp/spirv-$engine" "$spirv_vectors"/cases/*.case || return 1
	/usr/bin/python3 "$spirv_vectors/check.py" --out "$tmp/spirv-$engine"
}

spirv_glsl() { # shaders that are compiled now
	local dir=$tmp/glsl-$engine shader
	"$top/tests/e2e/spirv_cases.py" make "$dir" || return 1
	for shader in "$top"/tests/e2e/spirv/shaders/*.comp; do
		glslangValidator -V --target-env vulkan1.2 -o "$dir/spv/$(basename "$shader" .comp).spv" "$shader" || return 1
	done
	spirv_run "$dir/out" "$dir"/cases/*.case || return 1
	"$top/tests/e2e/spirv_cases.py" check "$dir"
}

check "$engine: faa-spirv: recorded cases, judged by check.py" spirv_judged
check "$engine: faa-spirv: GLSL compiled on the spot: histogram, reduction, linked list under locks" spirv_glsl
