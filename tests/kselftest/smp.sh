# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# For suites with faa-run --cpus.

# Prints the missing part of the machine, and how to get it; nothing if all of it is there. Compiles
# the parts of the driver that have changed, but never a kernel.
smp_missing() {
	local here build dir

	here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
	build=${FAA_BUILD:-$here/build}
	if ! command -v qemu-system-x86_64 >/dev/null; then
		echo "no QEMU: 'make module-smp' installs it"
		return
	fi
	dir=$("$here/sim/qemu/build-kernel.sh" --print-dir 2>/dev/null)
	if [ ! -e "$dir/linux" ] || [ "$(readlink "$build/kernel-smp")" != "$dir" ]; then
		echo "no kernel of several CPUs: 'make module-smp' builds it"
	elif ! "$here/sim/uml/build-module.sh" smp >/dev/null 2>&1; then
		echo "the driver does not compile for several CPUs: 'make module-smp' shows why"
	fi
}
