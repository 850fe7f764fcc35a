#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 5400
# inputs: rtl spec tests/formal
#
# Proofs of RTL modules, and checks that those of wrong designs fail: a third of them, all with
# FAA_LONG=1 (tests/formal/run.py). The front end for SystemVerilog structs is pinned from PyPI.
set -eu
# shellcheck source=tests/supervised.sh
. "$(dirname "$0")/../supervised.sh"

top=$(cd "$(dirname "$0")/../.." && pwd)
python=$("$top/sim/setup/setup.sh" --print-venv)/bin/python

# An edit whose text is not in the RTL is an error of every run, also of a run without its proof.
out=$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$top/tests/formal "$python" - <<'END'
import run, sys, tempfile
assert not run.outdated(), run.outdated()
run.PROOFS["stale"] = run.hold(must_fail=True, edit=("text that is not there", ""))
assert [name for name, _ in run.outdated()] == ["stale"], run.outdated()
with tempfile.TemporaryDirectory(prefix="faa-formal-") as folder:
    sys.argv[1:] = ["--build", folder, "arb-hold-forgets"]
    assert run.main() == 1
END
)
# The last line is the sum that tests/run.sh reads; the edit that does not fit is the failed one.
[ "$(tail -n 1 <<<"$out")" = "1 passed, 1 failed" ] || { echo "$out"; exit 1; }
exec nice "$python" "$top/tests/formal/run.py" --build "${BUILD:-$top/build}/tests/formal"
