#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 2400
# kernel
#
# Every test program of tests/kselftest on the debug kernel (lockdep, KASAN, kmemleak, fault injection) with the C model,
# in one boot; the kernel log must stay clean and nothing may leak.
set -uo pipefail
# shellcheck source=tests/kselftest/suite.sh
. "$(dirname "$(readlink -f "$0")")/../kselftest/suite.sh"

kselftest --engine=model --kernel=debug --mem=768M --insmod=vgem --check-log --module-args=job_limit_ms=10000 -- \
	ioctl dev_query reserved arrays handles bo prime vm vm_bind vm_bind_async userptr userptr_change queue submit group sync status_ring fdinfo limits faults \
	isolation kill timeout stream_fuzz fail_nth module
