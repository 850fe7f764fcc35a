#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the User Mode Linux kernel of the co-simulation from Debian's linux-source-6.12. The result
# is kept in $FAA_CACHE under a hash of everything that it depends on.
#
#   build-kernel.sh FLAVOUR                builds it if it is missing; prints the directory
#   build-kernel.sh --print-dir FLAVOUR    prints the directory, even if it is missing
#   build-kernel.sh --source-dir           unpacks the kernel source if it is missing; prints its
#                                          directory
#
# FLAVOUR is plain; debug, with all checkers; or coverage, which is debug with gcov.
#
# The environment variable FAA_LINUX_SOURCE is the path of the package's tarball if it is not in
# /usr/src.
#
# The directory has linux (the kernel), modules/*.ko, and the files that `make -C DIR M=...` needs
# to build modules.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
cache=${FAA_CACHE:-$HOME/.cache/faa}
tarball=${FAA_LINUX_SOURCE:-/usr/src/linux-source-6.12.tar.xz}
# shellcheck source=sim/setup/progress.sh
. "$here/../setup/progress.sh"
# shellcheck source=sim/setup/kernel.sh
. "$here/../setup/kernel.sh"

# sha256 of the tarball, cached by its path, size and time, as reading it takes long.
tarball_hash() {
	local stamp memo=$cache/source-hash

	[ -e "$tarball" ] || die "$tarball is missing: the file of Debian's package linux-source-6.12, which 'make setup' installs;" \
		"FAA_LINUX_SOURCE names one in another place"
	stamp=$(stat -Lc '%n %s %Y' "$tarball")
	if ! grep -qsxF "$stamp" <(cut -d' ' -f2- "$memo" 2>/dev/null); then
		mkdir -p "$cache"
		echo "$(sha256sum <"$tarball" | cut -c1-64) $stamp" >"$memo.$$"
		mv "$memo.$$" "$memo"
	fi
	cut -d' ' -f1 "$memo"
}

# The configuration of the flavour: all that differs from allnoconfig.
fragments() {
	cat "$here/config/base.config"
	case $flavour in
	coverage) cat "$here/config/debug.config" "$here/config/coverage.config" ;;
	*) cat "$here/config/$flavour.config" ;;
	esac
}

# Names a kernel by all that decides over it: the source, the compiler, the configuration, and the
# steps of the build.
kernel_key() {
	{
		echo "$source_hash"
		gcc --version | head -n 1
		ld --version | head -n 1
		cat "$here/config/Kconfig.faa"
		fragments
		declare -f fragments kmake configure instrumented compile prune
	} | sha256sum | cut -c1-16
}

# Unpacks everything except large directories that no configuration compiles, whose Kconfig files
# and Makefiles are kept. Then applies the corrections in sim/uml/patches, each of which states its
# reason.
unpack() {
	local dir=$1 skip_dir skip=() correction

	rm -rf "$dir.tmp"
	mkdir -p "$dir.tmp"
	for skip_dir in drivers/gpu/drm/amd drivers/net/ethernet drivers/net/wireless drivers/media drivers/staging \
		drivers/infiniband sound tools/perf; do
		skip+=(--exclude="*/$skip_dir/*.[chS]")
	done
	tar -xJvf "$tarball" -C "$dir.tmp" --strip-components=1 --exclude='*/arch/*/boot/dts/*' \
		--exclude='*/Documentation/*.rst' --exclude='*/Documentation/devicetree/*' "${skip[@]}"
	for correction in "$here"/patches/*.patch; do
		patch --directory="$dir.tmp" --strip=1 --forward <"$correction"
	done
	mv "$dir.tmp" "$dir"
}

provide_source() {
	[ ! -e "$source_dir" ] || return 0
	lock source
	[ ! -e "$source_dir" ] || return 0
	mkdir -p "$cache/src"
	progress "kernel source" '.' files "$cache/log/unpack.log" unpack "$source_dir"
}

kmake() {
	nice make -C "$source_dir" ARCH=um O="$work" KBUILD_KCONFIG="$work/Kconfig.top" KBUILD_BUILD_USER=faa \
		KBUILD_BUILD_HOST=faa KBUILD_BUILD_TIMESTAMP="1970-01-01" "$@"
}

configure() {
	cat "$source_dir/Kconfig" "$here/config/Kconfig.faa" >"$work/Kconfig.top"
	fragments >"$work/fragment"
	kmake KCONFIG_ALLCONFIG="$work/fragment" allnoconfig
}

# Variables of Kbuild for the files whose coverage KCOV and gcov collect: DRM, the scheduler and
# dma-buf. Without these options they do nothing.
instrumented() {
	local file

	for file in "$source_dir"/drivers/{gpu/drm/drm_*.c,gpu/drm/scheduler/*.c,dma-buf/*.c}; do
		file=${file##*/}
		echo "KCOV_INSTRUMENT_${file%.c}.o=y"
		[ "$flavour" != coverage ] || echo "GCOV_PROFILE_${file%.c}.o=y"
	done
}

compile() {
	local files

	mapfile -t files < <(instrumented)
	kmake "${files[@]}" -j"$(nproc)" linux modules modules_prepare
}

build() {
	local log=$cache/log/kernel-$flavour.log bad

	provide_source
	lock "kernel-$flavour"
	[ ! -e "$dir/linux" ] || return 0
	work=$cache/kernel/.building-$flavour-$key
	rm -rf "$cache/kernel/.building-$flavour-"*
	mkdir -p "$work"
	progress "kernel ($flavour), configuration" '^  [A-Z]' steps "$log" configure
	bad=$(check_config "$work/.config" "$work/fragment") ||
		die "the configuration of flavour $flavour did not come out as written in sim/uml/config:"$'\n'"$bad"
	progress "kernel ($flavour)" '^  (CC|AS|AR|LD|HOSTCC) ' objects "$log" compile
	prune
	mv "$work" "$dir"
}

print_only=no
if [ "${1:-}" = --print-dir ]; then
	print_only=yes
	shift
fi
source_hash=$({ tarball_hash; declare -f unpack; cat "$here"/patches/*.patch; } | sha256sum)
source_dir=$cache/src/linux-${source_hash:0:16}
flavour=${1:-}
case $flavour in
--source-dir)
	provide_source
	echo "$source_dir"
	exit
	;;
plain | debug | coverage) ;;
*) die "unknown flavour '$flavour': use plain, debug or coverage" ;;
esac
key=$(kernel_key)
dir=$cache/kernel/$flavour-$key
if [ "$print_only" = no ]; then
	[ -e "$dir/linux" ] || build
	touch -c "$dir" "$source_dir"
	expire
fi
echo "$dir"
