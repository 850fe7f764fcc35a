#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# kernel
#
# The test programs in which the device computes, on the verilated RTL and the plain kernel. With
# FAA_LONG, recovery from each fault of needs.sh; else from one for each rung of the ladder.
set -uo pipefail
# shellcheck source=tests/kselftest/suite.sh
. "$(dirname "$(readlink -f "$0")")/../kselftest/suite.sh"

# The RTL runs some thousand cycles a second: fewer rounds of random or repeated tests.
export FAA_ROUNDS=16 FAA_CYCLES=5 FAA_QUEUES=48 FAA_SHARE_CYCLES=400000 FAA_RESETS=5
# `make test-long`: a thousand queues take a quarter of an hour.
if [ -n "${FAA_LONG:-}" ]; then export FAA_ROUNDS=40 FAA_QUEUES=1024 FAA_PROGRAM_SECONDS=4000; fi
machine=(--engine=rtl --kernel=plain)

programs() {
	kselftest_boot main "${machine[@]}" --mem=768M -- \
		dev_query vm_bind vm_bind_async userptr userptr_change queue submit group sync status_ring prime faults kill timeout dump counters stream_fuzz module isolation \
		multiplex
}

# At 1,000 cycles a second contexts move, and caches are cleaned, for longer than the job timeout.
slow() {
	FAA_VDEV_OPTS=--pace=1000 kselftest_boot slow "${machine[@]}" \
		--module-args="job_timeout_ms=100 job_limit_ms=100000" -- "multiplex -t contexts_that_move_slowly"
}

# Each rung of the ladder: reset of the compute unit, of all units, of the function, wedged.
rungs=$(
	cat <<-'END'
		--fault=ignore-kill:1
		--fault=ignore-kill:2
		--fault=stop-axi:1@60
		--fault=ignore-kill --fault=ignore-reset --fault=ignore-flr
	END
)

recovery() {
	[ -n "${FAA_LONG:-}" ] || local FAA_VDEV_OPTS=$rungs
	kselftest_boot recovery "${machine[@]}" -- recovery
}

# Sleep, resets by user space, errors of the link, on a device without faults.
power() {
	FAA_VDEV_OPTS='' kselftest_boot power "${machine[@]}" --mem=512M -- power
}

kselftest_finish 0 programs slow recovery power
