#!/bin/bash
# SPDX-License-Identifier: MIT
#
# exec.sh DIRECTORY-OF-PROGRAMS: uses that faa-exec rejects before it opens a device.
set -euo pipefail
exec=$1/faa-exec
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# sentence, arguments...: ends with a status other than 0 and the sentence, and starts no machine
refused() {
	local sentence=$1 out status=0
	shift
	out=$("$exec" "$@" 2>&1) || status=$?
	if [ "$status" = 0 ] || ! grep -qF -- "$sentence" <<<"$out" || grep -q 'running in a simulated' <<<"$out"; then
		echo "faa-exec $*: status $status, not '$sentence' but: $out"
		failed=1
	fi
}

printf '.reg .b64 %%rd1;\n.reg .b32 %%r1;\natom.global.add.u32 %%r1, [%%rd1], 1;\n' >"$tmp/add.ptx"
printf 'atom.add.s64 %%r1, [%%rd1], 1;\n' >"$tmp/bad.ptx"
printf '12345678' >"$tmp/bad.faa"
printf '123' >"$tmp/odd"
code=$tmp/add.ptx
refused 'which file?'
refused 'which language?' "$tmp/odd"
refused 'No such file' "$tmp/none.ptx"
refused "bad.ptx:1:9: atom has no type .s64" "$tmp/bad.ptx"
printf '.entry a() { ret; }\n.entry b() .reqntid 64 { ret; }\n.entry c() { .reg .b32 %%r1; ld.global.u32 %%r1, [x]; }\n' >"$tmp/two.ptx"
refused 'which kernel? There are a, b' <(sed '$d' "$tmp/two.ptx") --syntax=ptx
refused "two.ptx:3:49: 'x' is not declared" "$tmp/two.ptx"
sed -i '$d' "$tmp/two.ptx"
refused "there is no kernel 'c'" "$tmp/two.ptx" --kernel=c
refused 'the kernel needs 64 x 1 x 1 threads (.reqntid), and %ntid.x is 32' "$tmp/two.ptx" --kernel=b
printf '.global .u32 x[2] = { 1, 2 };\nred.global.add.u32 [x], 1;\n' >"$tmp/var.ptx"
refused "there is no 'y'" "$tmp/var.ptx" --print=y=u32
refused 'this is no stream' "$tmp/bad.faa"
refused 'allowed are sass, visa or ptx, or stream' --syntax=c "$code"
refused 'ptx has no hexadecimal form' --format=hex "$code"
refused 'is no register, parameter or variable of this code' "$code" --set=%r7=1
refused 'is no register of this code' "$code" --get=%r7=u32
refused 'is no number, no buffer and not lane' "$code" --set=%r1=@data
refused 'is no number, no buffer and not lane' "$code" --set=%r1=lane4
refused 'is no multiple of lane' "$code" --set=%r1=lane*x
refused 'has fewer items than there are lanes' "$code" --buffer=b=u32:1,2 --set=%r1=b
refused 'items of a buffer and multiples of lane' "$code" --buffer=b=u32:iota:32 --set=%r1=b+lane
refused 'is the second buffer' "$code" --buffer=b=u32:iota:32 --set=%r1=b+b
refused 'cannot be subtracted' "$code" --buffer=b=u32:iota:32 --set=%rd1=4-@b
refused 'is no surface' "$code" --buffer=b=u32:iota:32 --set=%r1=#b
refused 'NAME=... is expected' "$code" --buffer=u32:1
refused 'TYPE:SOURCE is expected' "$code" --buffer=b=u33:1
refused "'x' is no u32" "$code" --buffer=b=u32:1,x
refused "'256' is no u8" "$code" --buffer=b=u8:255,256
refused "'-129' is no s8" "$code" --buffer=b=s8:-128,-129
refused 'no whole items' "$code" --buffer=b=u32:@"$tmp/odd"
refused 'expected are zero:N' "$code" --buffer=b=u32:fill:3
refused 'a buffer has 1 to' "$code" --buffer=b=u32:zero:0
refused "there is a 'b' already" "$code" --buffer=b=u32:1 --buffer=b=u32:2
refused 'a multiple of 4096' "$code" --buffer=b@0x10001=u32:1
refused "there is no 'c'" "$code" --print=c=u32
refused "there is no 'shared'" "$code" --print=shared=u32
refused 'is no number of items' "$code" --buffer=b=u32:1 --print='b=u32*x'
refused '--shared-data has 8 bytes, --shared 4' "$code" --shared=4 --shared-data=u64:1
refused 'a surface is DIM:TEXEL' "$code" --surface=s=4D:R32:1
refused 'one for each dimension' "$code" --surface=s=2D:R32:4
refused 'from 1 to 32' "$code" --lanes=33
refused 'from 1 to' "$code" --lanes=0x0
refused 'from 1 to 65536' "$code" --warps=0
refused 'a word of the bank' "$code" --bank=9999=1
refused 'allowed are rtl and model' "$code" --engine=paper
exit "$failed"
