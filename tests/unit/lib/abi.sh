#!/bin/bash
# SPDX-License-Identifier: MIT
#
# abi.sh PREFIX TOP: abi.py rejects an interface that differs from the list: a removed function, a
# changed argument, a structure that has grown or whose members have moved, a changed value, and
# additions. --update adds a structure that has grown if programs pass its size.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../says.sh"
prefix=$1 top=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/prefix/lib/pkgconfig"
cp -r "$prefix/include" "$work/prefix/"
for name in libdrm_faa libfaa_mpi; do
	sed "s|^prefix=.*|prefix=$work/prefix|" "$prefix/lib/pkgconfig/$name.pc" >"$work/prefix/lib/pkgconfig/$name.pc"
done
header=$work/prefix/include/libdrm_faa/faa.h
judge() { "$top/tests/unit/lib/abi.py" "$@" "$prefix"/lib/lib{drm_faa,drm_faa-ffi,faa_asm,faa_spirv,faa_mpi}.so; }

changed() { # sentence, expression of sed for the header
	cp "$prefix/include/libdrm_faa/faa.h" "$header"
	sed -i "$2" "$header"
	! cmp -s "$prefix/include/libdrm_faa/faa.h" "$header" || fail "'$2' changes nothing"
	refuse "$1" judge "$top/userspace/libdrm_faa/abi.txt" "$work/prefix"
}

judge "$top/userspace/libdrm_faa/abi.txt" "$work/prefix"
changed "gone or changed: function faa_deadline int64_t(*)(int64_t)" 's/^int64_t faa_deadline(int64_t timeout)/int64_t faa_deadline(int32_t timeout)/'
changed "gone or changed: struct faa_job.stream_va at 0 size 8 uint64_t" '/^struct faa_job {/a uint64_t more;'
changed "gone or changed: struct faa_sync size 16 align 8" '/^struct faa_sync {/,/^};/ s/^};/uint64_t more; };/'
changed "new: struct faa_job size 40 align 8" '/^struct faa_job {/,/^};/ s/^};/uint64_t more; };/'
cp "$top/userspace/libdrm_faa/abi.txt" "$work/grown"
judge --update "$work/grown" "$work/prefix" || fail "a structure whose size programs pass cannot grow"
[ "$(diff "$top/userspace/libdrm_faa/abi.txt" "$work/grown" | grep '^[<>]')" = "\
< struct faa_job size 32 align 8
> struct faa_job size 40 align 8
> struct faa_job.more at 32 size 8 uint64_t" ] || fail "another change than the new member: $(diff "$top/userspace/libdrm_faa/abi.txt" "$work/grown")"
changed "gone or changed: enum faa_bo_flags FAA_BO_NO_MMAP 1" 's/FAA_BO_NO_MMAP = 1 << 0/FAA_BO_NO_MMAP = 1 << 1/'
changed "new: enum faa_bo_flags FAA_BO_MORE 2" '/FAA_BO_NO_MMAP = 1 << 0/a FAA_BO_MORE = 1 << 1,'
# A symbol of the list that the library lacks.
sed 's/^symbol libdrm_faa.so.0 faa_deadline@@/symbol libdrm_faa.so.0 faa_deadline_old@@/' "$top/userspace/libdrm_faa/abi.txt" >"$work/list"
refuse "gone or changed: symbol libdrm_faa.so.0 faa_deadline_old@@LIBDRM_FAA_0.1" judge "$work/list" "$prefix"
