#!/bin/bash
# SPDX-License-Identifier: MIT
#
# static.sh PREFIX TOP: each static library defines the symbols of its map and no others, and
# programs that have functions of the same names as inner ones link with them.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../says.sh"
prefix=$1 top=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

dir=$(dirname "$(find "$prefix/lib" -name libdrm_faa.a)")
for name in libdrm_faa libfaa_asm libfaa_spirv libfaa_mpi; do
	defined=$(nm --defined-only --extern-only "$dir/$name.a" | awk 'NF == 3 { print $3 }' | sort)
	listed=$(sed -n 's/^\t\(faa_[a-z0-9_]*\);$/\1/p' "$top/userspace/$name/$name.map" | sort)
	diff <(echo "$listed") <(echo "$defined") || fail "the map (<) and $name.a (>) differ"
done
PKG_CONFIG_PATH=$(dirname "$(find "$prefix/lib" -name libdrm_faa.pc)")
export PKG_CONFIG_PATH

linked() { # name of the program, static libraries, other libraries
	local flags libs archives=()

	read -ra flags <<<"$(pkg-config --cflags libdrm_faa)"
	read -ra libs <<<"$(pkg-config --libs libdrm) $3"
	for name in $2; do archives+=("$dir/$name.a"); done
	"${CC:-cc}" "${flags[@]}" -o "$work/$1" "$work/$1.c" "${archives[@]}" "${libs[@]}"
	! readelf -d "$work/$1" | grep 'NEEDED.*faa' || fail "$1 needs a shared library"
}

cat >"$work/main.c" <<'END'
#include <stdio.h>
#include <faa.h>
void faa_fail_kernel(void);
void faa_fail_kernel(void) { puts("mine"); }
int main(void)
{
	struct faa_stream *stream;

	faa_fail_kernel();
	return faa_version() != FAA_VERSION || faa_stream_create(&stream);
}
END
cp "$top"/tests/unit/lib/outside_{asm,spirv}.c "$work/"
linked main libdrm_faa -lpthread
linked outside_asm "libfaa_asm libdrm_faa" -lpthread
linked outside_spirv "libfaa_spirv libdrm_faa" "-lpthread -lm"
for program in main outside_asm outside_spirv; do
	expect mine "$work/$program"
done
