#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
#
# The directed tests on the C model, with the address and undefined-behaviour sanitizers; its
# floating point alone against arithmetic on integers.
set -u
# shellcheck source=tests/supervised.sh
. "$(dirname "$0")/../supervised.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
exec "$top/tests/cosim/run-directed.sh" model "" 0 model-float
