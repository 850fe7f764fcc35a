#!/bin/bash
# SPDX-License-Identifier: MIT
#
# symbols.sh LIBRARY MAP HEADER...: the library exports exactly the symbols of its map, under the
# version of the map, and the headers declare the same ones. A library on top of libdrm_faa has only
# symbols with a prefix of its own.
set -euo pipefail
library=$1 map=$2
version=$(sed -n 's/^\(LIB[A-Z_]*_0\.1\) {$/\1/p' "$map")
prefix=faa_
[ "$version" = LIBDRM_FAA_0.1 ] || prefix=$(basename "$map" .map | sed 's/^lib//')_

exported=$(nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | sort)
listed=$(sed -n "s/^\t\(${prefix}[a-z0-9_]*\);\$/\1@@$version/p" "$map" | sort)
# A declaration ends in ");" or continues on the next line; an inline function is no symbol.
declared=$(sed -n "/^static inline/d; s/^[a-z][a-z0-9_ ]*[ *]\(faa_[a-z0-9_]*\)(.*[,;]\$/\1@@$version/p" "${@:3}" | sort)

[ -n "$listed" ] || { echo "no symbol in $map"; exit 1; }
diff <(echo "$listed") <(echo "$exported") || { echo "the map (<) and the library (>) differ"; exit 1; }
diff <(echo "$listed") <(echo "$declared") || { echo "the map (<) and the headers (>) differ"; exit 1; }
