#!/bin/bash
# SPDX-License-Identifier: MIT
#
# genx.sh BIN VECTORS: vISA of faa-as and faa-dis, checked by the reference assembler GenX_IR
# (Debian: libigc-tools). It accepts the text of faa-as, and prints the CISA files of faa-as with
# the same instructions. The files that it writes are not used, because it drops the operands of
# svm_atomic in them. Without it the check is skipped.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../says.sh"
bin=$1
vectors=$2

command -v GenX_IR >/dev/null || {
	echo "GenX_IR is not installed (package libigc-tools)"
	exit 4
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The instructions of a text, without comments and declarations. GenX_IR writes "fence_local." where
# faa-as omits the dot.
instructions() {
	sed -n 's,[[:blank:]]*//.*,,; s/^\( *fence_local\)\.$/\1/; s/^[[:blank:]]*//; /^\((.*) \)\?\(svm_atomic\|fence\|ret\)/p' "$1"
}

# GenX_IR's output for $1, a file in the work directory.
judge() {
	(cd "$work" && rm -f out.visaasm .visaasm && GenX_IR "$1" -platform TGLLP -dumpcommonisa >log 2>&1) ||
		fail "GenX_IR refuses $1: $(cat "$work/log")"
}

# Each row has variables of the types that it needs.
declarations() {
	local number type
	echo '.version 4.1'
	echo '.kernel "k"'
	echo '.decl V32 v_type=G type=uq num_elts=8 align=GRF'
	number=33
	for type in ud ud ud uq uq uq d d d q q q f f f; do
		echo ".decl V$number v_type=G type=$type num_elts=8 align=GRF"
		number=$((number + 1))
	done
	for number in 1 2 3; do
		echo ".decl P$number v_type=P num_elts=32"
	done
	echo '.kernel_attr Target="cm"'
	echo '.kernel_attr OutputAsmPath="out.asm"'
	echo '.function "k_BB_0"'
	echo 'BB_0:'
}

{
	declarations
	# GenX_IR has no name for predec.
	sed -n 's/^ *"text": "\(svm_atomic.*\|(.*\)",\?$/    \1/p' "$vectors/visa_words.json" | grep -v 'predec'
	for bits in "" .E .EISCRL1 .L1 .CR; do
		echo "    fence_global$bits"
		echo "    fence_local$bits"
	done
	echo '    fence_sw'
	echo '    ret (M1, 1)'
} >"$work/all.visaasm"

"$bin/faa-as" --syntax=visa --format=text "$work/all.visaasm" >"$work/ours.visaasm"
instructions "$work/ours.visaasm" >"$work/ours"
[ "$(wc -l <"$work/ours")" -ge 40 ] || fail "too few instructions"

# Bytes of each version.
for version in 3.4 3.5 3.6 3.7 4.0 4.1; do
	sed "s/^.version .*/.version $version/" "$work/all.visaasm" >"$work/version.visaasm"
	"$bin/faa-as" --syntax=visa --format=cisa "$work/version.visaasm" >"$work/ours.isa"
	judge ours.isa
	instructions "$work/out.visaasm" >"$work/theirs"
	diff "$work/ours" "$work/theirs" || fail "GenX_IR reads other instructions from version $version"
	declared=$(grep -c '^\.decl' "$work/out.visaasm")
	[ "$declared" = "$(grep -c '^\.decl' "$work/ours.visaasm")" ] || fail "GenX_IR reads $declared declarations"
done

# Text of faa-as, printed by GenX_IR, and read by faa-as again.
cp "$work/ours.visaasm" "$work/text.visaasm"
judge text.visaasm
instructions "$work/out.visaasm" >"$work/theirs"
diff "$work/ours" "$work/theirs" || fail "GenX_IR reads other instructions from text"
"$bin/faa-as" --syntax=visa --format=text "$work/out.visaasm" >"$work/again.visaasm"
instructions "$work/again.visaasm" >"$work/again"
diff "$work/ours" "$work/again" || fail "the text of GenX_IR is read as other instructions"
