#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# kernel
#
# Queues that wait for a compute unit, with short job limits: none is killed for waiting, and each
# is served; shares of files with many queues and with one, and the cost of a queue beside a
# thousand others. C model.
set -uo pipefail
# shellcheck source=tests/kselftest/suite.sh
. "$(dirname "$(readlink -f "$0")")/../kselftest/suite.sh"

waiting() {
	kselftest_boot waiting -- fairness
}

many_queues() {
	kselftest_boot multiplex --kernel=plain -- multiplex
}

cost() {
	kselftest_boot cost -- multiplex_cost
}

kselftest_finish 0 waiting many_queues cost
