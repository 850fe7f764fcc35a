#!/bin/bash
# SPDX-License-Identifier: MIT
#
# headers.sh PREFIX: every installed header compiles by itself, and twice, as C11 and as C++17,
# without a warning; programs link that include all of them in two units.
set -euo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$(readlink -f "$0")")/../says.sh"
prefix=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

dir=$prefix/include/libdrm_faa
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name libdrm_faa.pc | head -n 1)")
export PKG_CONFIG_PATH
read -ra flags <<<"$(pkg-config --cflags libdrm_faa libfaa_mpi)"
read -ra libs <<<"$(pkg-config --libs libdrm_faa libfaa_mpi)"
warnings=(-Wall -Wextra -Wpedantic -Werror -O1)
headers=$(cd "$dir" && find . -name '*.h' -printf '%P\n' | sort)
[ "$(wc -w <<<"$headers")" -ge 9 ] || fail "only these headers are installed: $headers"

compile() { # name of the unit, which is in both languages
	"${CC:-cc}" -std=c11 "${warnings[@]}" "${flags[@]}" -c -o "$work/$1.c.o" "$work/$1.c" || fail "$1 in C"
	# Without the classes of Open MPI, which warn.
	"${CXX:-c++}" -std=c++17 -DOMPI_SKIP_MPICXX "${warnings[@]}" "${flags[@]}" -c -o "$work/$1.cpp.o" "$work/$1.cpp" || fail "$1 in C++"
}

unit() { # name, lines: the unit in both languages
	printf '%s\n' "$2" | tee "$work/$1.c" >"$work/$1.cpp"
	compile "$1"
}

all=
for header in $headers; do
	unit "${header//[\/.]/_}" "#include <$header>"$'\n'"#include <$header>"$'\n'"extern int after_$$;"
	all+="#include <$header>"$'\n'
done
# In the opposite order as well; functions that headers define do not clash.
unit all "$all"$'\n'"int main(void) { return 0; }"
unit reverse "$(tac <<<"$all")"$'\n'"extern int after_$$;"
"${CC:-cc}" -o "$work/c" "$work/all.c.o" "$work/reverse.c.o" "${libs[@]}" || fail "two units in C do not link"
"${CXX:-c++}" -o "$work/cpp" "$work/all.cpp.o" "$work/reverse.cpp.o" "${libs[@]}" || fail "two units in C++ do not link"
