#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
#
# The directed tests on the verilated RTL.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
exec "$top/tests/cosim/run-directed.sh" rtl "-rtl"
