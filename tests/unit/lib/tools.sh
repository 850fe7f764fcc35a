#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools.sh BIN: what the tools do without a device.
set -euo pipefail
bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "$*"
	exit 1
}

expect() { # text command...
	local text=$1 out
	shift
	out=$("$@" 2>&1) || true
	[[ $out == *"$text"* ]] || fail "'$*' prints '$out', not '$text'"
}

for tool in faa-dis faa-info histogram cas_loop svm; do
	"$bin/$tool" --help >/dev/null || fail "$tool --help fails"
	expect "$tool 0." "$bin/$tool" --version
done

# The disassembler: both formats, comments, and the words of a known command.
printf '00000200fc070330 0x0002090000000020,\n0x00fffe7000000901 # ADD\n0x00000000fc070102\n' >"$work/hex"
expect "     0:  ATOMS.ADD.U32 R0, [R1 - 400], R9;" "$bin/faa-dis" "$work/hex"
expect "    18:  END;" "$bin/faa-dis" "$work/hex"
printf '\x30\x03\x07\xfc\x00\x02\x00\x00\x20\x00\x00\x00\x00\x09\x02\x00\x01\x09\x00\x00\x70\xfe\xff\x00\x02' >"$work/binary"
expect "     0:  ATOMS.ADD.U32 R0, [R1 - 400], R9;" "$bin/faa-dis" "$work/binary"
expect "1 bytes at the end are no whole word" "$bin/faa-dis" "$work/binary"
expect "END;" "$bin/faa-dis" --plain --hex - <<<"fc070102"
# Any file at all.
head -c 100003 "$bin/histogram" >"$work/anything"
"$bin/faa-dis" "$work/anything" >/dev/null || fail "faa-dis fails on a program"
"$bin/faa-dis" --hex "$work/anything" >/dev/null || fail "faa-dis --hex fails on a program"
: >"$work/empty"
[ -z "$("$bin/faa-dis" "$work/empty")" ] || fail "faa-dis prints something for an empty file"
expect "No such file" "$bin/faa-dis" "$work/missing"

# The example refuses what it cannot read before it asks for a device.
expect "one image, please" "$bin/histogram" "$work/hex" "$work/hex"
expect "not a PNG file" "$bin/histogram" "$work/hex"
expect "No such file" "$bin/histogram" "$work/missing.png"
for tool in histogram faa-info cas_loop svm; do
	expect "--engine=fpga: allowed are rtl and model" "$bin/$tool" --engine=fpga
done
expect "a number that is not 0" "$bin/cas_loop" --seed=0
[ -e /dev/dri/renderD128 ] || FAA_IN_RUN=1 expect "there is no faa render node" "$bin/faa-info"
