#!/bin/bash
# SPDX-License-Identifier: MIT
#
# static.sh PREFIX MAP: the static library defines the symbols of the map and no others, and a
# program that has functions of the same names as inner ones links with it.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../says.sh"
prefix=$1 map=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

library=$(find "$prefix/lib" -name libdrm_faa.a)
defined=$(nm --defined-only --extern-only "$library" | awk 'NF == 3 { print $3 }' | sort)
listed=$(sed -n 's/^\t\(faa_[a-z0-9_]*\);$/\1/p' "$map" | sort)
diff <(echo "$listed") <(echo "$defined") || fail "the map (<) and the static library (>) differ"
PKG_CONFIG_PATH=$(dirname "$(find "$prefix/lib" -name libdrm_faa.pc)")
export PKG_CONFIG_PATH
cat >"$work/main.c" <<'END'
#include <stdio.h>
#include <faa.h>
void ptx_add(void);
void ptx_add(void) { puts("mine"); }
int main(void)
{
	struct faa_stream *stream;

	ptx_add();
	return faa_version() != FAA_VERSION || faa_stream_create(&stream);
}
END
read -ra flags <<<"$(pkg-config --cflags libdrm_faa)"
read -ra libs <<<"$(pkg-config --libs libdrm) -lpthread -lm"
"${CC:-cc}" "${flags[@]}" -o "$work/main" "$work/main.c" "$library" "${libs[@]}"
expect mine "$work/main"
! readelf -d "$work/main" | grep libdrm_faa || fail "the program needs the shared library"
