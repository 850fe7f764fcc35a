#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 3600
#
# The directed tests on the verilated RTL with ATOM and the L2, scope SYS included, which this suite builds.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
build=${FAA_BUILD:-$top/build}
names=(atoms alu float groups move decode fault queue atom atom-table)
programs=("${names[@]/#/tests/cosim/directed-}")
ninja -C "$build" "${programs[@]/%/-rtl-atom}" || exit 1
exec "$top/tests/cosim/run-directed.sh" rtl "-rtl-atom"
