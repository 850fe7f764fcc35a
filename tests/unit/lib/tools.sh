#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools.sh BIN: uses of the tools without a device.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../says.sh"
bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for tool in faa-dis faa-info faa-surface histogram cas_loop density exchange svm faa-litmus; do
	"$bin/$tool" --help >/dev/null || fail "$tool --help fails"
	expect "$tool 0." "$bin/$tool" --version
done

# The disassembler: both formats, comments, and the words of a known command.
printf '00000200fc070330 0x0002090000000020,\n0x00fffe7000000901 # ADD\n0x00000000fc070102\n' \
	>"$work/hex"
expect "     0:  ATOMS.ADD.U32 R0, [R1 - 400], R9;" "$bin/faa-dis" "$work/hex"
expect "    18:  END;" "$bin/faa-dis" "$work/hex"
printf '\x30\x03\x07\xfc\x00\x02\x00\x00\x20\x00\x00\x00\x00\x09\x02\x00\x01\x09\x00\x00\x70\xfe\xff\x00\x02' >"$work/binary"
expect "     0:  ATOMS.ADD.U32 R0, [R1 - 400], R9;" "$bin/faa-dis" "$work/binary"
expect "1 bytes at the end are no whole word" "$bin/faa-dis" "$work/binary"
expect "END;" "$bin/faa-dis" --plain --hex - <<<"fc070102"
expect "SUATOM.2D.IGN.ADD.U32.GPU R10, [R2], R4, R1;" "$bin/faa-dis" - \
	<<<'00000200fc070332 3012090000000020 01c000010a000402'
expect "// SUATOM: illegal combination of operation and type: dimension that does not exist" "$bin/faa-dis" - \
	<<<'00000200fc070332 6012090000000020 01c000010a000402'
expect "LD.U32.GPU.ACQUIRE R9, [R2];" "$bin/faa-dis" - <<<'00000200fc070320 0152010000000020 0000000009000002'
expect "// ST: illegal combination of operation and type: order that the command does not have" "$bin/faa-dis" - \
	<<<'00000200fc070321 0160090000000020 0000000000000102'
expect "BAR.SYNC;" "$bin/faa-dis" - <<<'fc070109'
# Any file at all.
head -c 100003 "$bin/histogram" >"$work/anything"
"$bin/faa-dis" --binary "$work/anything" >/dev/null || fail "faa-dis fails on a program"
"$bin/faa-dis" --hex "$work/anything" >/dev/null || fail "faa-dis --hex fails on a program"
: >"$work/empty"
[ -z "$("$bin/faa-dis" "$work/empty")" ] || fail "faa-dis prints something for an empty file"
refuse "No such file" "$bin/faa-dis" "$work/missing"

# Texture headers: words, files, and the surface for SUATOM.
header='0x0004920f 00020000 00600000 20000008 0080003f 0000001f 0 00000022'
# shellcheck disable=SC2086
expect 'BLOCKLINEAR' "$bin/faa-surface" header $header
expect 'HEIGHT_MINUS_ONE              0x1f' "$bin/faa-surface" header - <<<"# a pool of one, $header"$'\n'"$header"
expect 'SUATOM.2D at 0x20000: texels of 4 bytes, SD32 and SD64 are unsigned; shows level 2' "$bin/faa-surface" header <<<"$header"
expect 'level 2: 16 x 8 x 1 at 10240, 512 bytes; 1 GOBs a row, blocks of 1 x 1 GOBs' "$bin/faa-surface" header <<<"$header"
expect 'BAD_HEADER: GOB3D is not 0' "$bin/faa-surface" header <<<"${header/20000008/20002008}"
expect 'SUATOM: disabled' "$bin/faa-surface" header <<<"${header/00000022/00000012}"
expect 'header version 7: unknown' "$bin/faa-surface" header <<<'0 0 ffffffff 0 0 0 0 0'
refuse "2: 'xyz' is no hexadecimal word" "$bin/faa-surface" header - <<<$'0 1 2\nxyz'
refuse '7 words; a header has 8' "$bin/faa-surface" header <<<'0 0 0 0 0 0 0'
refuse 'a header has 8 words, not 2' "$bin/faa-surface" header 0 0
# Addresses, and the terms of their sum.
expect 'offset 26296 = 0x66b8' "$bin/faa-surface" address -w 33 --height=20 -z 5 --dim=3D -t 8 -H 1 -D 1 19 13 3
expect 'offset 72132' "$bin/faa-surface" address -w 65 --height=33 -d 2D_ARRAY --layers=3 --levels=6 --level=2 -H 2 9 6 2
expect 'address 0x20106' "$bin/faa-surface" address -l pitch -w 50 --height=7 -t R16 --base=0x20000 3 2
refuse 'outside of level 0' "$bin/faa-surface" address -w 4 --height=4 4 0
refuse 'has 2 coordinates, not 3' "$bin/faa-surface" address -w 4 --height=4 1 1 1
refuse '--dim=4D: allowed are' "$bin/faa-surface" address --dim=4D 0
refuse 'levels: at most 16' "$bin/faa-surface" address --levels=17 0 0
refuse 'header has no option for surfaces' "$bin/faa-surface" header --width=3
# The external table: all of it, columns in another order, a wrong number, malformed lines.
vectors=$(dirname "$(readlink -f "$0")")/../../vectors/blocklinear.tsv
"$bin/faa-surface" check "$vectors" >"$work/checked" || fail "$(tail -5 "$work/checked")"
[[ $(tail -1 "$work/checked") == "362 passed, 0 failed" ]] || fail "$(tail -1 "$work/checked")"
expect 'made smaller at level 0 too: 2^4 x 2^0 GOBs become 2^1 x 2^0' cat "$work/checked"
awk -F'\t' -v OFS='\t' '{ for (i = NF + 1; i <= 26; i++) $i = ""; for (i = 26; i > 1; i--) printf "%s\t", $i; print $1 }' "$vectors" >"$work/turned"
expect '362 passed, 0 failed' "$bin/faa-surface" check "$work/turned"
awk -F'\t' -v OFS='\t' 'NR == 3 { $24++ } NR == 5 { $20++ } { print }' "$vectors" >"$work/wrong"
refuse "$work/wrong:3: off_tx1: expected 6721, computed 6720" "$bin/faa-surface" check "$work/wrong"
refuse "$work/wrong:5: eff_log2_gobs_d: expected 1, computed 0" "$bin/faa-surface" check "$work/wrong"
refuse '360 passed, 2 failed' "$bin/faa-surface" check "$work/wrong"
! "$bin/faa-surface" check "$work/wrong" >/dev/null 2>&1 || fail "faa-surface check succeeds with wrong numbers"
head -2 "$vectors" | sed '2s/\t129\t/\tmany\t/' >"$work/bad"
refuse "$work/bad:2: width: not a number, or too large" "$bin/faa-surface" check "$work/bad"
head -2 "$vectors" | cut -f 1-20 >"$work/short"
refuse "$work/short:1: level_offset: there is no such column" "$bin/faa-surface" check "$work/short"
{ head -1 "$vectors" && echo $'1\tblocklinear\t2D\t4'; } >"$work/line"
refuse "$work/line:2: width: the line ends before this column" "$bin/faa-surface" check "$work/line"
head -1 "$vectors" >"$work/names"
refuse 'no rows after the names' "$bin/faa-surface" check "$work/names"
refuse 'the file is empty' "$bin/faa-surface" check "$work/empty"

# The example rejects an unreadable file before it opens a device.
refuse "one image, please" "$bin/histogram" "$work/hex" "$work/hex"
refuse "not a PNG file" "$bin/histogram" "$work/hex"
refuse "No such file" "$bin/histogram" "$work/missing.png"
for tool in histogram faa-info cas_loop density svm; do
	refuse "--engine=fpga: allowed are rtl and model" "$bin/$tool" --engine=fpga
done
refuse "a number that is not 0" "$bin/cas_loop" --seed=0
[ -e /dev/dri/renderD128 ] || FAA_IN_RUN=1 refuse "there is no faa render node" "$bin/faa-info"
