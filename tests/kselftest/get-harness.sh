#!/bin/sh
# SPDX-License-Identifier: MIT
#
# get-harness.sh OUTPUT: take kselftest's headers, and the DRM headers of the same kernel, out of
# Debian's kernel source into OUTPUT/include. OUTPUT/stamp is written last. Needs the package
# linux-source-6.12.
set -eu
out=$1
archive=${FAA_LINUX_SOURCE:-/usr/src/linux-source-6.12.tar.xz}
if [ ! -f "$archive" ]; then
	echo "$archive is not there: install the package linux-source-6.12, or set FAA_LINUX_SOURCE" >&2
	exit 1
fi
rm -rf "$out/unpack"
mkdir -p "$out/unpack" "$out/include/drm"
tar xf "$archive" -C "$out/unpack" --strip-components=1 --wildcards \
	'*/tools/testing/selftests/kselftest.h' '*/tools/testing/selftests/kselftest_harness.h' \
	'linux-source-*/include/uapi/drm/drm.h' 'linux-source-*/include/uapi/drm/drm_mode.h'
cp "$out/unpack/tools/testing/selftests/kselftest.h" "$out/unpack/tools/testing/selftests/kselftest_harness.h" "$out/include/"
# A selection without a match must be an error: the kernel's harness passes with 0 tests.
perl -0pi -e 's/(\n\tksft_print_header\(\);\n)(\tksft_set_plan\(test_count\);)/$1\tif (!test_count)\n\t\tksft_exit_fail_msg("no test of this program meets the arguments\\n");\n$2/ or die' \
	"$out/include/kselftest_harness.h"
# As the kernel's headers_install does it.
for name in drm.h drm_mode.h; do
	sed 's/ __user / /; s/(__user /(/' "$out/unpack/include/uapi/drm/$name" >"$out/include/drm/$name"
done
rm -rf "$out/unpack"
: >"$out/stamp"
