#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Precompiled headers of sim/vdev/headers.mk and ccache: a model of 13 files is compiled in one
# directory, moved away, and compiled in another one with a file more. The other 13 must then
# come from the cache, and the new one must compile.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
command -v ccache >/dev/null || {
	echo "no ccache"
	exit 4
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export CCACHE_DIR=$dir/cache CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_STATSLOG=$dir/log

model() { # directory number-of-files
	mkdir "$1"
	local names=()
	for n in $(seq "$2"); do
		echo "int f$n() { return SEVEN; }" >"$1/f$n.cpp"
		names+=("f$n")
	done
	echo 'enum { SEVEN = 7 };' | tee "$1/verilated.h" >"$1/Vmodel__Syms.h"
	sed -i 's/SEVEN/EIGHT/' "$1/Vmodel__Syms.h"
	# shellcheck disable=SC2016 # for make
	printf '%s\n' "VK_FAST_OBJS := ${names[*]/%/.o}" 'OBJCACHE := ccache' 'CPPFLAGS += -I. -MMD' \
		'VK_GLOBAL_OBJS := none' 'all: $(VK_FAST_OBJS)' \
		'%.o: %.cpp; $(OBJCACHE) $(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_FAST) -c -o $@ $<' >"$1/Vmodel.mk"
}

compile() { # directory
	CCACHE_BASEDIR=$1 make -C "$1" -f "$root/sim/vdev/headers.mk" PREFIX=Vmodel OPT_FAST=-O1 all
}

model "$dir/a" 13
compile "$dir/a"
rm -r "$dir/a"
model "$dir/b" 14
: >"$dir/log"
compile "$dir/b"
found=$(grep -c '^\(direct\|preprocessed\)_cache_hit$' "$dir/log" || true)
echo "# $found files of the other directory were found in the cache"
[ "$found" = 13 ]
