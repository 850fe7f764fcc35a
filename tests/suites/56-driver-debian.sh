#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
#
# The driver builds against Debian's 6.12 amd64 kernel, without a warning at W=1.
set -uo pipefail
. "$(dirname "$0")/../tap.sh"

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

builds() {
	ln -s "$build/spec" "$out/spec"
	FAA_BUILD=$out "$top/sim/uml/build-module.sh" native W=1 && [ -s "$out/kmod-native/faa.ko" ]
}

warns_of_nothing() {
	local warnings

	warnings=$(grep -iE 'warning' "$out/log/kmod-native.log")
	[ -z "$warnings" ] || { echo "$warnings"; return 1; }
}

fits_the_kernel() {
	modinfo -F vermagic "$out/kmod-native/faa.ko" | grep -E '^6\.12\..*amd64 SMP' &&
		grep -q '^pci:' <<<"$(modinfo -F alias "$out/kmod-native/faa.ko")"
}

leaves_the_sources_clean() {
	local litter

	litter=$(find "$top/driver" "$top/uapi" -name '*.o' -o -name '*.ko' -o -name '.*.cmd')
	[ -z "$litter" ] || { echo "$litter"; return 1; }
}

check "faa.ko builds against Debian's headers" builds
check "no warning at W=1" warns_of_nothing
check "it is a PCI driver for that kernel" fits_the_kernel
check "the source tree is clean" leaves_the_sources_clean
finish
