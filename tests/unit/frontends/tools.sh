#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tools.sh BIN: faa-as and faa-dis with languages, and their messages on errors.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../says.sh"
bin=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bin/faa-as" --help >/dev/null || fail "faa-as --help fails"
expect "faa-as 0." "$bin/faa-as" --version
: >"$work/empty"
refuse "which syntax?" "$bin/faa-as" "$work/empty"
refuse "which file?" "$bin/faa-as" --syntax=sass
refuse "the syntax is sass, visa or ptx, not 'gcn'" "$bin/faa-as" --syntax=gcn "$work/empty"
refuse "the format is stream, text, hex, bundle or cisa, not 'elf'" "$bin/faa-as" --syntax=sass --format=elf "$work/empty"
refuse "nowhere: No such file or directory" "$bin/faa-as" --syntax=sass "$work/nowhere"
refuse "the syntax is sass, visa or ptx, not 'gcn'" "$bin/faa-dis" --syntax=gcn "$work/empty"
refuse "--format goes with --syntax" "$bin/faa-dis" --format=hex "$work/empty"
refuse "--syntax has --format" "$bin/faa-dis" --syntax=sass --plain "$work/empty"
refuse "sass has no CISA form" "$bin/faa-dis" --syntax=sass --format=cisa "$work/empty"

# SASS: the examples of the specification, and the two of them that break its rules.
cat >"$work/seed.sass" <<'END'
ATOMS.ADD.S32 R0, [R1 - 400], R9;
ATOMS.MIN.U32 R0, [R4 + 8], R2;
ATOMS.ADD.U32 R9, [0x10], R8; # absolute 24-bit address
ATOMS.CAS.U64 R0, [R4 + 8], R4, R6; # R4 is Reg4 aligned, Rc=Rb+2
SUATOM.D.2D.ADD.IGN R10, [R2], R4, R1; // Coordinates in R2 and R3.
END
sass() { # FORMAT FILE: assembled
	"$bin/faa-as" --syntax=sass --format="$1" "$2"
}
[ "$(sass hex "$work/seed.sass" | md5sum)" = "$(printf '0x%s\n' ec0fffe710970100 ec10000080270400 ec0000010087ff09 \
	ee50000080470400 ea7000860047020a | md5sum)" ] || fail "the seeds' examples have other words"
sass text "$work/seed.sass" >"$work/text"
sass hex "$work/text" >"$work/hex"
sass bundle "$work/text" >"$work/bundle"
[ "$(stat -c %s "$work/bundle")" = 64 ] || fail "five instructions are not two bundles"
"$bin/faa-dis" --syntax=sass "$work/hex" | diff - "$work/text" || fail "hex is not disassembled to its text"
"$bin/faa-dis" --syntax=sass --format=bundle "$work/bundle" | diff - <(cat "$work/text"; echo "NOP;") || fail "bundles are not disassembled to their text"
"$bin/faa-as" --syntax=sass -o "$work/stream" "$work/seed.sass"
expect "ATOMS.ADD.S32 R0, [R1 - 400], R9;" "$bin/faa-dis" "$work/stream"
expect "END;" "$bin/faa-dis" "$work/stream"
refuse "-:1:42: Rc is R6: with Rb = R4 and size .U32 it is R5 (Rb+1) or RZ" \
	"$bin/faa-as" --syntax=sass - <<<'ATOMS.CAST.SPIN.U32 R0, [R4 + 0x18], R4, R6;'
refuse "-:1:15: SUATOM needs an operation after its dimension" \
	"$bin/faa-as" --syntax=sass - <<<'SUATOM.D.BA.1D.U64.TRAP R2, [R3], R4, 0x100;'
# Every error of a file, up to 20; no output is written.
printf 'FOO;\nNOP;\nBAR;\n' >"$work/two.sass"
refuse "two.sass:1:1: an instruction is expected" "$bin/faa-as" --syntax=sass "$work/two.sass"
refuse "two.sass:3:1: not supported: instruction 'BAR'" "$bin/faa-as" --syntax=sass "$work/two.sass"
printf 'FOO;\n%.0s' {1..25} >"$work/many.sass"
refuse "many.sass: 20 errors; what follows was not read" "$bin/faa-as" --syntax=sass "$work/many.sass"
[ "$("$bin/faa-as" --syntax=sass "$work/many.sass" 2>&1 | wc -l)" = 21 ] || fail "not 20 errors and a sentence"

# Kernels by name.
printf '.entry a() { membar.gl; }\n.entry b() { membar.sys; }\n' >"$work/two.ptx"
refuse "two.ptx: which kernel? There are a, b" "$bin/faa-as" --syntax=ptx "$work/two.ptx"
refuse "two.ptx: there is no kernel 'c'" "$bin/faa-as" --syntax=ptx --kernel=c "$work/two.ptx"
refuse "sass has no names of kernels" "$bin/faa-as" --syntax=sass --kernel=c "$work/seed.sass"
"$bin/faa-as" --syntax=ptx --kernel=b -o "$work/b.faa" "$work/two.ptx"
expect "FENCE.SC.SYS;" "$bin/faa-dis" "$work/b.faa"
[ "$("$bin/faa-as" --syntax=ptx --format=text "$work/two.ptx" | grep -c entry)" = 2 ] || fail "not both kernels are written"

printf 'broken' >"$work/kept"
refuse ":1:1: an instruction is expected" "$bin/faa-as" --syntax=sass -o "$work/kept" "$work/kept"
[ "$(cat "$work/kept")" = broken ] || fail "a file is overwritten although the code is refused"
expect ":1: the hexadecimal form has no room for annotations; bundles have" "$bin/faa-as" --syntax=sass --format=hex - <<<'NOP &wr=1'
expect ".word 0x0123456789abcdef;" "$bin/faa-dis" --syntax=sass - <<<0123456789abcdef
refuse ":1: the last bundle has 7 bytes, not 32" "$bin/faa-dis" --syntax=sass --format=bundle - <<<'short '
refuse "No space left" "$bin/faa-as" --syntax=sass -o /dev/full "$work/seed.sass"
