#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Builds one Verilator testbench of this directory and prints the program's path.
#
#   build.sh TOP TEST NAME [VERILATOR-OPTION-OR-SOURCE...]
#
# TOP is the module, TEST the C++ file (without .cpp), NAME the name of the build. TOP's own file is
# an argument. The stand-in compute unit is used. BUILD: build directory, JOBS: compilers at a time.
set -eu

top=$1 test=$2 name=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${BUILD:-$root/build}/tests/rtl/$name

# A clean clone reuses the compilations of another: file names below its root do not matter.
if command -v ccache >/dev/null; then
	export OBJCACHE=ccache CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
	export CCACHE_DIR="${CCACHE_DIR:-${FAA_CACHE:-$HOME/.cache/faa}/ccache}"
fi

mkdir -p "$out"
counted=()
case " $* " in *' --coverage-line '*) counted=(--counted) ;; esac
read -ra wall < <("$here/wall.sh" "${counted[@]}")
python3 "$root/spec/generate.py" --out "$out/spec" >&2
{
	verilator --cc --exe -O3 --x-assign unique --x-initial unique --assert "${wall[@]}" \
		-CFLAGS "-std=c++17 -I$here -I$root/rtl/regs -I$out/spec" --Mdir "$out" -o "$name" --prefix "V$top" \
		"$out/spec/faa_pkg.sv" -F "$here/units.f" --top-module "$top" "$@" "$here/$test.cpp" &&
		make -j "${JOBS:-2}" -C "$out" -f "$root/sim/vdev/headers.mk" "PREFIX=V$top" OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1
} >"$out/build.log" 2>&1 || {
	tail -n 30 "$out/build.log" >&2
	exit 1
}
echo "$out/$name"
