#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lint-rtl.sh [--l2] PARAMETER=VALUE...: verilator --lint-only -Wall of faa_top, or of the L2 slice alone, with these parameters.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
module=faa_top
sources=()
if [ "${1:-}" = --l2 ]; then
	module=faa_l2
	sources=("$top/rtl/l2/faa_l2.sv")
	shift
fi
[ -f "$top/rtl/faa_top.sv" ] || { echo "rtl/faa_top.sv is not there"; exit 1; }
read -ra wall < <("$top/tests/rtl/wall.sh")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

/usr/bin/python3 "$top/Documentation/spec/generate.py" --out "$tmp"
# faa.f lists the other sources.
verilator --lint-only "${wall[@]}" -sv --top-module "$module" "${@/#/-G}" "$tmp/faa_pkg.sv" -F "$top/rtl/faa.f" "${sources[@]}"
