#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Unit tests of libdrm_faa, plain and with sanitizers; the symbols and headers of all libraries; the
# command line of the tools.
# timeout: 2700
set -euo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"

unit=$build/tests/unit/lib
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

for variant in "" _asan; do
	for name in va stream atomic status structures disassemble device errors backend bind counters share cas exact surface surface_objects; do
		check "library: $name${variant:+ with sanitizers}" "$unit/test_lib_$name$variant"
	done
done
check "library: every errno has a sentence" /usr/bin/python3 "$top/tests/unit/lib/sentences.py" "$top/userspace/libdrm_faa"
check "library: every installed header by itself, in C and C++" "$top/tests/unit/lib/headers.sh" "$build"
check "library: faa.h in C++" "$unit/test_lib_header_cxx"
check "library: faa_drm.h in C90" "$unit/test_lib_header_c90"
check "library: symbols are those of the map and the header" \
	"$top/tests/unit/lib/symbols.sh" "$build/lib/libdrm_faa.so" \
	"$top/userspace/libdrm_faa/libdrm_faa.map" "$top/userspace/libdrm_faa/faa.h" \
	"$top/userspace/libdrm_faa/faa_surface.h" "$top/userspace/libdrm_faa/faa_atomic.h" \
	"$top/userspace/libdrm_faa/faa_exact.h"
for name in libfaa_asm libfaa_spirv libfaa_mpi; do
	check "$name: symbols are those of the map and the header" "$top/tests/unit/lib/symbols.sh" \
		"$build/lib/$name.so" "$top/userspace/$name/$name.map" "$top/userspace/$name/${name#lib}.h"
	check "$name: public headers of libdrm_faa alone" "$top/tests/unit/lib/public.sh" "$top" "$build" "$name"
done
check "library: the binary interfaces are the listed ones" "$top/tests/unit/lib/abi.py" \
	"$top/userspace/libdrm_faa/abi.txt" "$build" "$build"/lib/lib{drm_faa,drm_faa-ffi,faa_asm,faa_spirv,faa_mpi}.so
check "library: a changed interface is found" "$top/tests/unit/lib/abi.sh" "$build" "$top"
check "library: the static libraries have the same symbols" "$top/tests/unit/lib/static.sh" "$build" "$top"
check "library: a program outside builds with pkg-config" "$top/tests/unit/lib/consumer.sh" "$build" "$top"
check "tools: options and exit statuses of every installed program" "$top/tests/unit/tools.sh" "$build/bin"
check "tools: completion in bash" "$top/tests/unit/completion.sh" "$build/share/bash-completion/completions" "$build/bin"
check "tools: faa-dis, faa-info and the examples without a device" "$top/tests/unit/lib/tools.sh" "$build/bin"
finish
