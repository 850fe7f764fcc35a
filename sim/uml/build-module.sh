#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the driver out of tree in build/kmod-FLAVOUR/, for the kernels of the co-simulation or for
# Debian's.
#
#   build-module.sh plain|debug|coverage|smp|native [ARGUMENTS OF MAKE]
#   build-module.sh --print-headers    prints the directory of the headers of Debian's kernel
#
# native is Debian's 6.12 amd64 kernel (package linux-headers-6.12-amd64, or the headers that
# sim/setup/setup.sh has unpacked), for which the driver is only built. The debug flavour sets
# FAA_KUNIT=m, with which Kbuild adds the unit tests, and collects the coverage of all files;
# coverage does so, too, with gcov; smp is for the kernel of several CPUs (sim/qemu). All but native
# set FAA_TEST_MODULES=m for the modules of the kselftests. Kernel builds write next to the sources,
# so the sources are linked into the build directory, with the generated headers in generated/.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
build=${FAA_BUILD:-$top/build}
# shellcheck source=sim/setup/progress.sh
. "$here/../setup/progress.sh"
# shellcheck source=sim/uml/split-symbols.sh
. "$here/split-symbols.sh"

die() {
	echo "module: $*" >&2
	exit 1
}

# Links all source files that the module build reads; removes links to files that no longer exist.
link_sources() {
	local item

	mkdir -p "$farm/tests" "$farm/generated" "$farm/rtl/regs"
	for item in Kbuild driver uapi; do
		cp -rsf "$top/$item" "$farm/"
	done
	for item in kunit modules; do
		[ ! -d "$top/tests/$item" ] || cp -rsf "$top/tests/$item" "$farm/tests/"
	done
	ln -sf "$top/rtl/regs/faa_regs.h" "$farm/rtl/regs/"
	item=$build/spec/faa_isa.h
	[ -e "$item" ] || die "$item is missing; 'make userland' generates it"
	ln -sf "$item" "$farm/generated/"
	find "$farm" -xtype l -delete
}

native_headers() {
	local dir newest=

	for dir in "${FAA_CACHE:-$HOME/.cache/faa}"/headers/linux-headers-6.12*-amd64 /usr/src/linux-headers-6.12*-amd64; do
		case $dir in
		*-rt-amd64 | *-cloud-amd64) ;;
		*) [ ! -e "$dir/Module.symvers" ] || newest=$dir ;;
		esac
	done
	[ -n "$newest" ] || die "Debian's kernel headers are missing; 'make setup-test' unpacks those of linux-headers-6.12-amd64"
	echo "$newest"
}

if [ "${1:-}" = --print-headers ]; then
	native_headers
	exit
fi
flavour=${1:-}
[ "$#" -eq 0 ] || shift
[ -e "$top/Kbuild" ] || die "$top/Kbuild is missing"
case $flavour in
plain) arguments=(-C "$("$here/build-kernel.sh" plain)" ARCH=um) ;;
debug | coverage)
	arguments=(-C "$("$here/build-kernel.sh" "$flavour")" ARCH=um KCOV_INSTRUMENT=y)
	[ "$flavour" = debug ] || arguments+=(GCOV_PROFILE=y)
	[ ! -e "$top/tests/kunit/faa_kunit.c" ] || arguments+=(FAA_KUNIT=m)
	;;
smp) arguments=(-C "$("$here/../qemu/build-kernel.sh")" ARCH=x86_64) ;;
native) arguments=(-C "$(native_headers)") ;;
*) die "unknown flavour '$flavour': use plain, debug, coverage, smp or native" ;;
esac
[ "$flavour" = native ] || arguments+=(KCFLAGS=-g)
[ "$flavour" = native ] || [ ! -d "$top/tests/modules" ] || arguments+=(FAA_TEST_MODULES=m)
farm=$build/kmod-$flavour
log=$build/log/kmod-$flavour.log
link_sources
progress "driver ($flavour)" '^  (CC|LD)' objects "$log" \
	nice make "${arguments[@]}" M="$farm" FAA_GENERATED="$farm/generated" -j"$(nproc)" modules "$@"
grep -E 'warning:|WARNING:' "$log" >&2 || true
if [ "$flavour" != native ]; then
	find "$farm" -name '*.ko' | while read -r module; do
		split_symbols "$module"
	done
fi
