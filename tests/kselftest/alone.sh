#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
#
# alone.sh PROGRAM [ARGUMENTS...]: one test program of this directory in a machine with what the
# program needs (needs.sh): the C model and the debug kernel, whose log has to stay clean. Meson's
# test kselftest_PROGRAM. Compiles the parts of the driver that have changed.
#
# FAA_ENGINE (model, rtl) and FAA_KERNEL (plain, debug) choose others, FAA_CPUS=N a machine with N
# CPUs and KCSAN. The kernel log is in build/test-logs/alone-PROGRAM-kernel.log.
set -uo pipefail
# shellcheck source=tests/kselftest/suite.sh
. "$(dirname "$(readlink -f "$0")")/suite.sh"

words=$*
program=${words%% *}
machine=(${FAA_ENGINE:+"--engine=$FAA_ENGINE"} ${FAA_KERNEL:+"--kernel=$FAA_KERNEL"} ${FAA_CPUS:+"--cpus=$FAA_CPUS"})

only() {
	kselftest_boot "$program" "${machine[@]}" -- "$words"
}

# Programs that ninja has just built; those in bin/ may be older.
[ -n "${FAA_WAVES:-}" ] || export FAA_VDEV=$kselftest_build/sim/vdev/faa-vdev
kselftest_run=$kselftest_build/sim/uml/faa-run

[ -x "$kselftest_build/tests/kselftest/$program" ] ||
	{ echo "alone: there is no program '$program' in $kselftest_build/tests/kselftest" >&2; exit 1; }
kselftest_options '' "${machine[@]}" -- "$words"
flavour=$(kselftest_flavour "${options[@]}")
[ -x "$kselftest_build/bin/faa-init" ] && [ -e "$kselftest_build/kmod-$flavour/faa.ko" ] ||
	{ echo "alone: the machine is missing; 'make module-$flavour' builds it" >&2; exit 1; }
"$kselftest_top/sim/uml/build-module.sh" "$flavour" || exit 1
kselftest_finish 0 only
