#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# kernel
#
# Every test program of tests/kselftest on the debug kernel (lockdep, KASAN, kmemleak, fault
# injection) with the C model, in one boot, fault injection and devices with defects in others; the
# kernel log must stay clean and nothing may leak. The boot with most programs is in simulated time,
# so their limits of time do not depend on the load of the host; FAA_SEED chooses its order.
set -uo pipefail
# shellcheck source=tests/kselftest/suite.sh
. "$(dirname "$(readlink -f "$0")")/../kselftest/suite.sh"

# `make test-long`: a thousand faults take a quarter of an hour. Else the driver is bound and loaded
# 30 times instead of 100, which take three minutes.
if [ -n "${FAA_LONG:-}" ]; then
	export FAA_FAULTS=1000 FAA_RESETS=100 FAA_PROGRAM_SECONDS=3000
else
	export FAA_CYCLES=30
fi

all_programs() {
	kselftest_boot main --seed="${FAA_SEED:-1}" -- "${kselftest_together[@]}"
}

# Programs with a machine of their own, or several (tests/kselftest/needs.sh)
alone() {
	local name

	# Work of the kernel takes no simulated time, in which pieces measures it.
	for name in pieces multiplex fail_nth fail_hw reset unserved recovery recovery_load power; do
		kselftest_boot "$name" -- "$name"
	done
}

# With drm.debug=2 the programs require a message with the reason for each ioctl that the driver
# rejects (tests/kselftest/faa_ioctl.c).
refusals() {
	kselftest_boot refusals --kernel=plain --mem=512M --kernel-arg=drm.debug=2 -- \
		ioctl dev_query reserved arrays handles bo label prime vm vm_bind vm_bind_async queue submit group sync dump limits userptr counters
}

kselftest_finish 0 all_programs refusals alone
