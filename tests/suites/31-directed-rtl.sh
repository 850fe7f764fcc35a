#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
# modules: faa_top
# inputs: rtl/faa.f rtl/regs spec meson.build meson_options.txt
# inputs: sim/meson.build sim/include sim/model sim/vpci sim/vdev
# inputs: uapi userspace/meson.build userspace/libdrm_faa userspace/libfaa_asm
# inputs: userspace/float_bits.h
# inputs: $build/meson-info/intro-buildoptions.json
# inputs: tests/meson.build tests/cosim tests/vectors tests/unit/frontends
#
# The directed tests, and the vISA assembler's output, on the verilated RTL: the devices full and
# sim, with FAA_LONG also the builds for an FPGA. Tests of a type, a unit or queues that a device
# lacks are skipped. A test that fails leaves a waveform in FAA_WAVES; if that is set and empty,
# there is none, and no second program is built.
set -uo pipefail
# shellcheck source=tests/supervised.sh
. "$(dirname "$0")/../supervised.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${FAA_BUILD:-$top/build}
export FAA_WAVES=${FAA_WAVES-$build/test-logs/waves}
mkdir -p "$build/test-logs"
passed=0
failed=0

# directed SUFFIX SKIPPED: runs all directed tests on a device, exactly SKIPPED of which may be
# skipped, and adds up the sums.
directed() {
	local ok bad _

	# tee /dev/fd/3 would truncate the log.
	read -r ok _ bad _ < <("$top/tests/cosim/run-directed.sh" rtl "-$1" "$2" visa 2>&1 | tee >(cat >&3) | tail -n 1)
	passed=$((passed + ok))
	failed=$((failed + bad))
}

# The same for a build whose programs are made on demand.
directed_on_demand() {
	local programs

	mapfile -t programs < <(ninja -C "$build" -t targets all | sed -n "s/^\(tests\/cosim\/directed-[^:]*-$1\): .*/\1/p")
	ninja -C "$build" "${programs[@]}" || { echo "not ok - the programs of $1"; failed=$((failed + 1)); return; }
	directed "$1" "$2"
}

exec 3>&1 2>&1
# Ten tests build other devices of the model, or inspect its state.
directed rtl 10
directed_on_demand sim 17
if [ -n "${FAA_LONG:-}" ]; then
	directed_on_demand small 70
	directed_on_demand artix 27
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
