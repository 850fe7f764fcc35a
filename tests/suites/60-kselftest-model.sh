#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# kernel
#
# Every test program of tests/kselftest on the debug kernel (lockdep, KASAN, kmemleak, fault
# injection) with the C model, in one boot, fault injection and devices with defects in others; the
# kernel log must stay clean and nothing may leak.
set -uo pipefail
# shellcheck source=tests/kselftest/suite.sh
. "$(dirname "$(readlink -f "$0")")/../kselftest/suite.sh"

# `make test-long`: a thousand faults take a quarter of an hour.
if [ -n "${FAA_LONG:-}" ]; then export FAA_FAULTS=1000 FAA_RESETS=100 FAA_PROGRAM_SECONDS=3000; fi

machine=(--engine=model --kernel=debug --mem=768M --check-log --module-args=job_limit_ms=10000)

all_programs() {
	# teardown.c: "gone"
	kselftest_boot main "${machine[@]}" --insmod=vgem --expect-log='1:giving the device up' -- \
		ioctl dev_query reserved arrays handles bo label prime vm vm_bind vm_bind_async userptr userptr_change queue submit group sync status_ring fences fdinfo limits faults \
		isolation job_trace kill timeout dump teardown stream_fuzz module outlive pieces
}

# A thousand queues need memory.
many_queues() {
	kselftest_boot multiplex --engine=model --kernel=debug --mem=1G --check-log --module-args=job_limit_ms=10000 -- multiplex
}

# A failed allocation of the DMA debugging code switches that off until the next boot, so nothing
# else runs in this one.
fault_injection() {
	kselftest_boot fail_nth "${machine[@]}" --expect-log='0-1:dma-debug disabled' \
		--expect-log='0-99:drm_sched_init: Failed to setup GPU scheduler--out of memory' -- fail_nth
}

# Waits for the device that fail; one of the tests unplugs the device. No fault
# is remembered, so each is answered as the first one.
failing_waits() {
	kselftest_boot fail_hw --engine=model --kernel=debug --mem=768M --check-log \
		--module-args="job_limit_ms=10000 fault_memory_ms=0" --expect-log='1:giving the device up' \
		--expect-log='2:is not disabled' -- fail_hw
}

# Compute units that do not stop for a kill.
deaf_units() {
	FAA_VDEV_OPTS=--defect=deaf kselftest_boot reset --engine=model --kernel=debug --mem=768M --check-log \
		--module-args="job_limit_ms=10000 fault_memory_ms=0" -- reset
}

# Each rung of the ladder.
recovery() {
	kselftest_recovery --engine=model --kernel=debug --mem=768M --check-log
}

# Faults at random under load.
faults_under_load() {
	kselftest_boot recovery_load --engine=model --kernel=debug --mem=768M --check-log \
		--module-args="job_limit_ms=10000 fault_memory_ms=0" --expect-log='0-1000:is not disabled' -- recovery_load
}

# Sleep, resets by user space, errors of the link; the device keeps its state in D3hot, or not.
power() {
	kselftest_power power --engine=model --kernel=debug --mem=768M --check-log
	FAA_VDEV_OPTS=--fault=lose-power kselftest_power power-lost --engine=model --kernel=debug --mem=768M --check-log
}

# With drm.debug=2 the programs require a message with the reason for each ioctl that the driver
# rejects (tests/kselftest/faa_ioctl.c).
refusals() {
	kselftest_boot refusals --engine=model --mem=512M --check-log --module-args=job_limit_ms=10000 --kernel-arg=drm.debug=2 --insmod=vgem -- \
		ioctl dev_query reserved arrays handles bo label prime vm vm_bind vm_bind_async queue submit group sync dump limits userptr
}

# Queues of low priority that get no compute unit. After 16 job limits the driver stops waiting.
unserved_queues() {
	FAA_VDEV_OPTS=--defect=unserved kselftest_boot unserved --engine=model --kernel=debug --mem=768M --check-log \
		--module-args="job_timeout_ms=500 job_limit_ms=500" -- unserved
}

kselftest_finish 0 all_programs many_queues refusals fault_injection failing_waits deaf_units unserved_queues recovery faults_under_load power
