#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# kernel
#
# The test programs in which the device computes, on the verilated RTL and the plain kernel.
set -uo pipefail
# shellcheck source=tests/kselftest/suite.sh
. "$(dirname "$(readlink -f "$0")")/../kselftest/suite.sh"

# The RTL runs some ten thousand cycles a second: fewer rounds of random or repeated tests.
export FAA_ROUNDS=40 FAA_CYCLES=5 FAA_QUEUES=64 FAA_SHARE_CYCLES=400000 FAA_RESETS=5
machine=(--engine=rtl --kernel=plain)

programs() {
	kselftest_boot main "${machine[@]}" --mem=768M -- \
		dev_query vm_bind vm_bind_async userptr userptr_change queue submit group sync status_ring prime faults isolation kill timeout dump counters stream_fuzz module multiplex
}

# Each rung of the ladder.
recovery() {
	kselftest_boot recovery "${machine[@]}" -- recovery
}

# Sleep, resets by user space, errors of the link, on a device without faults.
power() {
	FAA_VDEV_OPTS='' kselftest_boot power "${machine[@]}" --mem=512M -- power
}

kselftest_finish 0 programs recovery power
