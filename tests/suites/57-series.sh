#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2700
# kernel
#
# The driver as a patch series (make patches): checkpatch, every patch applies to Debian's kernel
# source and leaves it building, and the selftests run in the guest with the module that was built
# in the kernel's tree. The kernel is the one of the co-simulation, with DRM_FAA=m: only the
# driver's directory is compiled.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

work=$build/series
patches=$work/patches
tree=$work/tree
faa=drivers/gpu/drm/faa
selftests=tools/testing/selftests
source_dir=$("$top/sim/uml/build-kernel.sh" --source-dir)
compiler=gcc
if command -v ccache >/dev/null; then compiler='ccache gcc'; fi
rm -rf "$work"
mkdir -p "$tree" "$build/test-logs"

writes_series() {
	"$top/driver/series/make_series.py" --out="$patches"
}

writes_the_same() {
	"$top/driver/series/make_series.py" --out="$work/again" && diff -r "$patches" "$work/again"
}

# A file that no patch has would be missing in the kernel, without an error.
finds_what_is_missing() {
	local out

	sed '/driver\/faa_gem/d' "$top/driver/series/series.toml" >"$work/incomplete.toml"
	! out=$("$top/driver/series/make_series.py" --series="$work/incomplete.toml" --out="$work/none" 2>&1) || return 1
	grep 'driver/faa_gem.c is in 0 patches' <<<"$out"
}

# Every patch adds files; MAINTAINERS has their directories (make_series.py checks that). Trace
# events are written as in the kernel, descriptions of commands and fields are macros of macros.
# White space of the selftests is that of clang-format, their macros those of the harness; memory
# that they share with the device is volatile.
checkpatch() { # PATCH
	local ignore=FILE_PATH_CHANGES

	case $1 in
	*-Add-registers-*) ignore+=,CAMELCASE,COMPLEX_MACRO,MACRO_ARG_REUSE ;;
	*-Add-fences-*) ignore+=,MACRO_ARG_REUSE ;;
	*-Add-ioctls-*) ignore+=,OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT ;;
	*-Add-tests-*) ignore+=,CAMELCASE,MACRO_ARG_REUSE,MACRO_WITH_FLOW_CONTROL,OPEN_ENDED_LINE,POINTER_LOCATION,SPACING,VOLATILE ;;
	esac
	# It keeps a list of names in the working directory.
	(cd "$work" && perl "$source_dir/scripts/checkpatch.pl" --root="$source_dir" --strict --no-summary --show-types \
		--ignore="$ignore" "$1")
}

# Makes DIR of the tree a directory of its own, with links to the files of the kernel's.
own_directory() { # DIR
	[ "$1" != . ] || return 0
	own_directory "$(dirname "$1")"
	[ -L "$tree/$1" ] || [ ! -e "$tree/$1" ] || return 0
	rm -f "$tree/$1"
	mkdir "$tree/$1"
	[ ! -d "$source_dir/$1" ] || find "$source_dir/$1" -mindepth 1 -maxdepth 1 -exec ln -s -t "$tree/$1" {} +
}

# A tree of links to the kernel's source, with copies of the files that the patches change. Most
# documents are not in the unpacked source.
make_tree() {
	local file

	find "$source_dir" -mindepth 1 -maxdepth 1 -exec ln -s -t "$tree" {} +
	for file in $(sed -n 's|^diff --git a/\([^ ]*\) .*|\1|p' "$patches"/*.patch | sort -u); do
		own_directory "$(dirname "$file")"
		if [ -L "$tree/$file" ]; then cp --remove-destination "$source_dir/$file" "$tree/$file"; fi
	done
	tar -xOf "${FAA_LINUX_SOURCE:-/usr/src/linux-source-6.12.tar.xz}" --occurrence=1 --wildcards \
		'linux-source-*/Documentation/gpu/drivers.rst' >"$tree/Documentation/gpu/drivers.rst"
}

kmake() { # FLAVOUR ARGUMENTS...
	local flavour=$1

	shift
	nice make -C "$tree" ARCH=um O="$work/$flavour" KBUILD_KCONFIG="$work/$flavour/Kconfig.top" CC="$compiler" \
		KBUILD_BUILD_USER=faa KBUILD_BUILD_HOST=faa KBUILD_BUILD_TIMESTAMP=1970-01-01 "$@"
}

# The build directory of the co-simulation's kernel, with the driver switched on.
configure() { # FLAVOUR
	cp -r "$("$top/sim/uml/build-kernel.sh" --print-dir "$1")" "$work/$1" || return 1
	cat "$tree/Kconfig" "$top/sim/uml/config/Kconfig.faa" >"$work/$1/Kconfig.top"
	printf '%s\n' CONFIG_DRM_FAA=m CONFIG_DRM_FAA_KUNIT_TEST=m >>"$work/$1/.config"
	kmake "$1" olddefconfig && grep -x 'CONFIG_DRM_FAA=m' "$work/$1/.config"
}

# There is no vmlinux.o, from which modpost would take the kernel's symbols.
builds_module() { # FLAVOUR MODULE
	local log=$build/test-logs/series-$1.log

	[ -d "$work/$1" ] || configure "$1" >"$log" 2>&1 || { tail "$log"; return 1; }
	kmake "$1" -j"$(nproc)" W=1 KBUILD_MODPOST_WARN=1 "$2" >"$log" 2>&1 || { tail -n 30 "$log"; return 1; }
	! grep -iE 'warning' "$log" | grep -vE 'modpost: |vmlinux.o is missing|to turn errors into'
}

# The driver's directory builds after each patch. Before there is a Makefile nothing may refer to
# the directory: the kernel is unchanged.
applies_and_builds() { # PATCH
	patch --silent --strip=1 --forward --fuzz=0 --directory="$tree" <"$1" || return 1
	if [ ! -e "$tree/$faa/Makefile" ]; then
		! grep -n faa "$tree/drivers/gpu/drm/Makefile" "$tree/drivers/gpu/drm/Kconfig"
		return
	fi
	builds_module plain "$faa/faa.ko" || return 1
	[ ! -e "$tree/$faa/tests/Makefile" ] || builds_module debug "$faa/tests/faa_test.ko"
}

# Symbols that modpost could not resolve are the kernel's.
symbols_are_exported() {
	local missing

	missing=$(comm -23 <(nm -u "$work/plain/$faa/faa.ko" | awk '{ print $2 }' | sort -u) \
		<(cut -f2 "$("$top/sim/uml/build-kernel.sh" --print-dir plain)/Module.symvers" | sort -u))
	[ -z "$missing" ] || { echo "not exported: $missing"; return 1; }
}

# Without the co-simulation's own symbols, the driver's entry selects the symbols that it needs.
kconfig_selects() {
	local config=$work/kconfig symbol bad=0

	grep -v 'CONFIG_FAA_' "$top/sim/uml/config/base.config" | grep -vE 'CONFIG_(DRM_SCHED|DRM_GPUVM|DRM_EXEC|DRM_GEM_SHMEM_HELPER|DRM_VGEM|HMM_MIRROR|MMU_NOTIFIER|WANT_DEV_COREDUMP|DEV_COREDUMP)=' \
		>"$config.fragment"
	echo CONFIG_DRM_FAA=m >>"$config.fragment"
	nice make -C "$tree" ARCH=um O="$work/plain" KCONFIG_CONFIG="$config" KCONFIG_ALLCONFIG="$config.fragment" \
		allnoconfig >"$config.log" 2>&1 || { tail "$config.log"; return 1; }
	for symbol in DRM_FAA $(sed -n '/^config FAA_DEPS/,/^$/s/^\tselect //p' "$top/sim/uml/config/Kconfig.faa"); do
		grep -qE "^CONFIG_$symbol=[ym]$" "$config" || { echo "$symbol is not on"; bad=1; }
	done
	return "$bad"
}

# As the kernel's `make kselftest` does: its headers first. User Mode Linux has none for programs.
selftests_build() {
	nice make -C "$tree" ARCH=x86 O="$work/headers" headers >"$work/headers.log" 2>&1 || { tail "$work/headers.log"; return 1; }
	nice make -C "$tree/$selftests" -j"$(nproc)" TARGETS=drivers/faa KHDR_INCLUDES="-isystem $work/headers/usr/include" \
		USERCFLAGS=-Werror >"$work/selftests.log" 2>&1 || { tail -n 30 "$work/selftests.log"; return 1; }
}

# Tests that suite 60 repeats often run a few times here.
selftests_run() {
	local module=$work/plain/$faa/faa.ko

	[ "$(modinfo -F intree "$module")" = Y ] || { echo "$module was not built in the kernel's tree"; return 1; }
	FAA_CYCLES=5 FAA_ROUNDS=10 FAA_MODULE=$module "$build/bin/faa-run" --engine=model --mem=768M --check-log \
		--no-driver --insmod=vgem --insmod="$module job_limit_ms=10000" \
		--expect-log='1:giving the device up' --log="$build/test-logs/57-series-kernel.log" \
		make -C "$tree/$selftests" TARGETS=drivers/faa KHDR_INCLUDES="-isystem $work/headers/usr/include" \
		USERCFLAGS=-Werror run_tests >"$work/run.log" 2>&1 ||
		{ grep -E '^not ok|^# not ok' "$work/run.log"; tail -n 5 "$work/run.log"; return 1; }
}

selftest_passed() { # PROGRAM
	grep -qE "^ok [0-9]+ selftests: drivers/faa: $1\$" "$work/run.log" ||
		{ sed -n "/^# selftests: drivers\/faa: $1\$/,/selftests: drivers\/faa: $1 /p" "$work/run.log"; return 1; }
}

check "the series is written" writes_series
check "the series is the same the second time" writes_the_same
check "a file that is in no patch is an error" finds_what_is_missing
for patch in "$patches"/*.patch; do
	case $patch in */0000-*) continue ;; esac
	check "checkpatch --strict $(basename "$patch")" checkpatch "$patch"
done
check "a tree of the kernel's source" make_tree
for patch in "$patches"/*.patch; do
	case $patch in */0000-*) continue ;; esac
	check "applies and builds: $(basename "$patch")" applies_and_builds "$patch"
done
check "Kconfig selects what the driver needs" kconfig_selects
check "the module needs only what the kernel exports" symbols_are_exported
check "selftests build" selftests_build
check "make run_tests in the guest" selftests_run
for program in $(make -s -C "$tree/$selftests/drivers/faa" emit_tests COLLECTION=faa 2>/dev/null | sed -n 's/^faa://p'); do
	check "selftest $program" selftest_passed "$program"
done
finish
