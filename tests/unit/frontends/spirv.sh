#!/bin/bash
# SPDX-License-Identifier: MIT
#
# spirv.sh PART FAA-SPIRV VECTORS: faa-spirv validate on the vectors and on modules of
# glslangValidator. Parts: valid, invalid, glsl, tools.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../says.sh"
part=$1 tool=$2 vectors=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The 50 modules pass, without and with SPIRV-Tools.
valid() {
	"$tool" validate --quiet --spirv-val=none "$vectors"/spv/*.spv
	"$tool" validate "$vectors"/spv/*.spv | grep -c ': valid$' | grep -qx 50
}

# An invalid module is rejected with spirv-val's message, if spirv-val rejects it.
invalid() {
	local file name out said refused=0
	for file in "$vectors"/invalid/*.spvasm; do
		name=$(basename "$file" .spvasm)
		if [[ $name == *ok_* ]]; then
			"$tool" validate --spirv-val=none "$file" || fail "$name is refused"
			continue
		fi
		! out=$("$tool" validate --spirv-val=none "$file") || fail "$name is accepted"
		# Grammars since 2024 name one more capability that allows atomic operations on
		# floats.
		out=${out// AtomicFloat16VectorNV/}
		refused=$((refused + 1))
		while read -r said; do
			[[ $out == *"$said"* ]] || fail "$name: '$said' is not in '$out'"
		done < <(python3 - "$vectors/invalid/expected.json" "$name" <<-'PYTHON'
			import json, re, sys
			for said in json.load(open(sys.argv[1]))[sys.argv[2]].values():
			    if said != "valid":
			        said = re.sub(r"^error: line \d+: ", "", said)
			        print(re.sub(r" (%\d+ = )?Op[A-Z]\w*( [%\"\w.]+)*$", "", said))
		PYTHON
		)
	done
	[ "$refused" = 23 ] || fail "$refused modules are refused, not 23"
}

# Every shader, for every version of SPIR-V, optimized and with debug information.
glsl() {
	local file name environment count=0
	for file in "$vectors"/shaders/*.comp "$(dirname "$0")"/spirv_features.comp; do
		name=$(basename "$file" .comp)
		for environment in vulkan1.0 vulkan1.1 spirv1.4 vulkan1.2 vulkan1.3; do
			glslangValidator -V --target-env "$environment" "$file" -o "$work/$name.$environment.spv" >/dev/null || rm -f "$work/$name.$environment.spv"
		done
		glslangValidator -g -V --target-env vulkan1.2 "$file" -o "$work/$name.debug.spv" >/dev/null
		spirv-opt -O "$work/$name.vulkan1.2.spv" -o "$work/$name.opt.spv"
	done
	for file in "$work"/*.spv; do
		"$tool" validate --quiet --spirv-val=none "$file" || fail "$(basename "$file") is refused"
		count=$((count + 1))
	done
	[ "$count" -ge 300 ] || fail "only $count modules"
}

tools() {
	local out status=0
	"$tool" --help >/dev/null
	out=$("$tool" --version)
	grep -q '^faa-spirv 0\.' <<<"$out"
	out=$("$tool" info "$vectors/spv/histogram_shared.spv")
	grep -q 'set 0, binding 1: storage buffer B, 1024 bytes' <<<"$out"
	"$tool" validate "$work/nowhere" 2>"$work/err" || status=$?
	[ "$status" = 1 ] && grep -q 'No such file' "$work/err" || fail "a file that is not there: exit status $status"
	printf 'OpCapability Shader\n%%1 = OpAtomicFAddEXT %%2 %%3 %%4 %%5\nOpNop\n' >"$work/short.spvasm"
	! "$tool" validate "$work/short.spvasm" >"$work/out" 2>&1 || fail "an operand that is missing is accepted"
	grep -q 'found the next instruction instead' "$work/out"
	head -c 203 "$vectors/spv/reduce_tree.spv" >"$work/cut.spv"
	! "$tool" validate --spirv-val=none "$work/cut.spv" >"$work/out" || fail "half a word is accepted"
	grep -q 'no whole number of words' "$work/out"
	head -c 200 "$vectors/spv/reduce_tree.spv" >"$work/cut.spv"
	! "$tool" validate --spirv-val=none "$work/cut.spv" >"$work/out" || fail "half a module is accepted"
	grep -q 'error: word ' "$work/out"
}

"$part"
