#!/bin/bash
# SPDX-License-Identifier: MIT
#
# consumer.sh PREFIX TOP [RUNNER...]: programs outside of this repository build with the installed
# files and pkg-config. The first is the complete example of Documentation/library.rst, extracted
# from there; with RUNNER it is run as well. The others use libfaa_asm and libfaa_spirv.
set -euo pipefail
prefix=$1 top=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

pc=$(find "$prefix" -name libdrm_faa.pc -printf '%h\n' | head -n 1)
[ -n "$pc" ] || { echo "libdrm_faa.pc is not installed under $prefix"; exit 1; }
export PKG_CONFIG_PATH=$pc
awk '/^\.\. code-block:: c$/ { on = 1; next } on && /^[^ ]/ { exit } on' "$top/Documentation/library.rst" |
	sed 's/^    //' >"$work/first.c"
grep -q 'int main' "$work/first.c" || { echo "library.rst has no complete example"; exit 1; }
# shellcheck disable=SC2046 # flags are words
${CC:-cc} -std=c11 -Wall -Wextra -Werror -o "$work/first" "$work/first.c" $(pkg-config --cflags --libs libdrm_faa)
printf '#include <faa_atomic.h>\nint main(void) { return 0; }\n' >"$work/atomic.c"
# shellcheck disable=SC2046 # flags are words
${CC:-cc} -std=c11 -Wall -Wextra -Werror -o "$work/atomic" "$work/atomic.c" $(pkg-config --cflags --libs libdrm_faa)
outside() { # library, text that the program prints
	local program=outside_${1#libfaa_} out

	# shellcheck disable=SC2046 # flags are words
	${CC:-cc} -std=c11 -Wall -Wextra -Werror -o "$work/$program" "$top/tests/unit/lib/$program.c" $(pkg-config --cflags --libs "$1")
	out=$(LD_LIBRARY_PATH="$prefix/lib" "$work/$program")
	[[ $out == *"$2"* ]] || { echo "$program prints '$out', not '$2'"; exit 1; }
}
outside libfaa_asm $'mine\n1 instruction, some commands\nerror 1:'
outside libfaa_spirv $'mine\n0 entry points\nerror SPIR-V: '
cmp "$top/uapi/drm/faa_drm.h" "$prefix/include/libdrm_faa/drm/faa_drm.h"
# Without a device the program prints a hint.
if [ ! -e /dev/dri/renderD128 ]; then
	! out=$(LD_LIBRARY_PATH="$prefix/lib" "$work/first" 2>&1) || { echo "the example succeeds without a device"; exit 1; }
	[[ $out == "first: there is no faa render node"*"faa-run PROGRAM"* ]] || { echo "without a device the example says '$out'"; exit 1; }
fi
if [ $# -gt 0 ]; then
	out=$("$@" env LD_LIBRARY_PATH="$prefix/lib" "$work/first")
	[ "$out" = "sum 499500" ] || { echo "the example prints '$out', not 'sum 499500'"; exit 1; }
fi
