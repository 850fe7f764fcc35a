#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 5400
# inputs: rtl Documentation/spec tests/formal
#
# Proofs of RTL modules, and that those of wrong designs fail: a third of them, all with FAA_LONG=1 (tests/formal/run.py). The front end for SystemVerilog structs is pinned from PyPI.
set -eu
# shellcheck source=tests/supervised.sh
. "$(dirname "$0")/../supervised.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)
python=$("$top/sim/setup/setup.sh" --print-venv)/bin/python
exec nice "$python" "$top/tests/formal/run.py" --build "${BUILD:-$top/build}/tests/formal"
