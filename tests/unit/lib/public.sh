#!/bin/bash
# SPDX-License-Identifier: MIT
#
# public.sh TOP BUILD LIBRARY: the files of a library on top of libdrm_faa include no private header
# of libdrm_faa, and libdrm_faa needs no library on top of it.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../says.sh"
top=$1 build=$2 library=$3

count=0
while IFS= read -r name; do
	count=$((count + 1))
	[ -e "$build/include/libdrm_faa/$name" ] && continue
	[ ! -e "$top/userspace/libdrm_faa/$name" ] && [ ! -e "$build/spec/$name" ] ||
		fail "$library includes $name, which is private to libdrm_faa"
done < <(grep -rhoP '^#include "\K[^"]+' "$top/userspace/$library" --include='*.[ch]' | sed 's|.*libdrm_faa/||' | sort -u)
[ "$count" -ge 5 ] || fail "$library includes only $count headers"
readelf -d "$build/lib/$library.so" | grep -q 'NEEDED.*libdrm_faa\.so\.0' || fail "$library does not need libdrm_faa"
! readelf -d "$build/lib/libdrm_faa.so" | grep 'NEEDED.*libfaa' || fail "libdrm_faa needs a library on top of it"
