#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 4000
#
# smp-programs.sh [PROGRAM...]: the test programs of this directory with two CPUs and KCSAN, C
# model; no data race may be reported. Suite 59-smp runs it with FAA_LONG. Not here:
# * fail_nth, fail_hw and recovery_load need fault injection, which this kernel does not have;
# * power: the file system of the host does not survive sleep (virtio-9p has no handlers for it);
# * one test of teardown: without memory decoding QEMU reads zeros instead of all-ones;
# * one test of multiplex: its shares need a thread that submits as fast as the device works.
set -uo pipefail
# shellcheck source=tests/kselftest/suite.sh
. "$(dirname "$(readlink -f "$0")")/suite.sh"

machine=(--cpus=2)
export FAA_CYCLES=30 FAA_RESETS=20

all_programs() {
	local name list=()

	for name in "${kselftest_together[@]}" pieces; do
		[ "$name" = teardown ] || list+=("$name")
	done
	kselftest_boot main "${machine[@]}" -- "${list[@]}"
}

# Programs with a machine of their own, or several
alone() {
	local name

	for name in 'multiplex -T files_share_not_queues' reset unserved recovery; do
		kselftest_boot "${name%% *}" "${machine[@]}" -- "$name"
	done
}

# Nothing tells this kernel that the card is gone, so the driver finds it by itself.
lost() {
	kselftest_boot unplug "${machine[@]}" --expect-log='1:giving the device up' -- unplug
	FAA_GONE=0 kselftest_boot teardown "${machine[@]}" -- 'teardown -T is_lost_not_overdue'
}

some() {
	kselftest_boot some "${machine[@]}" -- "${programs[@]}"
}

programs=("$@")
[ "$#" -eq 0 ] || kselftest_finish 0 some
kselftest_finish 0 all_programs alone lost
