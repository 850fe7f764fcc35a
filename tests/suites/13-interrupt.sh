#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# kernel
#
# Ctrl-C, SIGTERM and SIGHUP end `make run`, `make test`, a suite alone and the build of a kernel
# with all their processes, guests and simulations included, within two seconds.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"

for signal in INT TERM HUP; do
	for case in kernel run "test" suite; do
		check "SIG$signal ends everything: $case" timeout 200 "$top/tests/e2e/interrupt.py" "$top" $case $signal
	done
done
for case in run "test"; do
	check "Ctrl-C in a terminal ends everything: $case" timeout 200 "$top/tests/e2e/interrupt.py" "$top" $case ctrl-c
done
finish
