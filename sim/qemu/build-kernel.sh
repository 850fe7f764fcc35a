#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the kernel of faa-run --cpus=N from Debian's linux-source-6.12: x86_64 with several CPUs,
# PREEMPT and KCSAN. The result is kept in $FAA_CACHE under a hash of everything that it depends on,
# like those of sim/uml/build-kernel.sh.
#
#   build-kernel.sh                 builds it if it is missing; prints the directory
#   build-kernel.sh --print-dir     prints the directory, even if it is missing
#
# The directory has linux (the kernel), modules/*.ko, and the files that `make -C DIR M=...` needs
# to build modules.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
uml=$here/../uml
cache=${FAA_CACHE:-$HOME/.cache/faa}
# shellcheck source=sim/setup/progress.sh
. "$here/../setup/progress.sh"

# shellcheck source=sim/setup/kernel.sh
. "$here/../setup/kernel.sh"

# Variables of Kbuild for KCSAN: it reports races between accesses that it sees, and it sees those
# of DRM, the scheduler, dma-buf and all modules. With the rest of the kernel it would be several
# times slower and report races that are not the driver's. Where the barriers of the rest are not
# seen, accesses before them would count as reordered.
race_files() {
	local file

	echo KCSAN_SANITIZE=n
	for file in "$uml_source"/drivers/{gpu/drm/drm_*.c,gpu/drm/scheduler/*.c,dma-buf/*.c}; do
		file=${file##*/}
		echo "KCSAN_SANITIZE_${file%.c}.o=y"
	done
	for file in "$uml_source"/{kernel/*.c,kernel/{locking,rcu,irq,time}/*.c,lib/*.c}; do
		file=${file##*/}
		echo "KCSAN_INSTRUMENT_BARRIERS_${file%.c}.o=y"
	done
}

kernel_key() {
	{
		echo "${uml_source##*/}"
		gcc --version | head -n 1
		ld --version | head -n 1
		cat "$here/config/smp.config" "$uml/config/Kconfig.faa" "$here"/patches/*.patch
		declare -f race_files provide_source kmake configure compile finish
	} | sha256sum | cut -c1-16
}

# The source of User Mode Linux, by hard links, with the corrections in sim/qemu/patches, each of
# which states its reason.
provide_source() {
	local correction

	[ ! -e "$source_dir" ] || return 0
	rm -rf "$source_dir.tmp"
	cp -al "$uml_source" "$source_dir.tmp"
	for correction in "$here"/patches/*.patch; do
		patch --quiet --directory="$source_dir.tmp" --strip=1 --forward <"$correction"
	done
	mv "$source_dir.tmp" "$source_dir"
}

kmake() {
	nice make -C "$source_dir" ARCH=x86_64 O="$work" KBUILD_KCONFIG="$work/Kconfig.top" KBUILD_BUILD_USER=faa \
		KBUILD_BUILD_HOST=faa KBUILD_BUILD_TIMESTAMP="1970-01-01" "$@"
}

configure() {
	cat "$source_dir/Kconfig" "$uml/config/Kconfig.faa" >"$work/Kconfig.top"
	cp "$here/config/smp.config" "$work/fragment"
	kmake KCONFIG_ALLCONFIG="$work/fragment" allnoconfig
}

compile() {
	local files

	mapfile -t files < <(race_files)
	kmake "${files[@]}" -j"$(nproc)" bzImage modules modules_prepare
}

# The image as "linux", then only the files that run and that module builds read.
finish() {
	cp "$work/arch/x86/boot/bzImage" "$work/linux"
	prune
}

build() {
	local log=$cache/log/kernel-smp.log bad

	[ -e /usr/include/libelf.h ] || die "libelf.h is missing: Debian's package libelf-dev, which 'make kernel-smp' installs"
	lock kernel-smp
	[ ! -e "$dir/linux" ] || return 0
	provide_source
	work=$cache/kernel/.building-smp-$key
	rm -rf "$cache/kernel/.building-smp-"*
	mkdir -p "$work"
	progress "kernel (smp), configuration" '^  [A-Z]' steps "$log" configure
	bad=$(check_config "$work/.config" "$work/fragment") ||
		die "the configuration did not come out as written in sim/qemu/config:"$'\n'"$bad"
	progress "kernel (smp)" '^  (CC|AS|AR|LD|HOSTCC) ' objects "$log" compile
	finish
	# As a kernel of User Mode Linux: executable, which tells a whole directory
	chmod +x "$work/linux"
	mv "$work" "$dir"
}

uml_source=$("$uml/build-kernel.sh" --source-dir)
key=$(kernel_key)
source_dir=$cache/src/linux-smp-$key
dir=$cache/kernel/smp-$key
if [ "${1:-}" != --print-dir ]; then
	[ -e "$dir/linux" ] || build
	touch -c "$dir" "$source_dir"
	expire
fi
echo "$dir"
