#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Mutants of the driver: each is found by the test that its list names (tests/mutants), in the debug
# kernel. A sample as in suite 37; all of them with FAA_LONG=1.
# timeout: 14400
# kernel
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
# shellcheck source=tests/mutants/suite.sh
. "$top/tests/mutants/suite.sh"

check "mutants of the driver are killed" killed --kernel
finish
