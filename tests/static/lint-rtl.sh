#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lint-rtl.sh PARAMETER=VALUE...: verilator --lint-only -Wall of faa_top with these parameters.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
[ -f "$top/rtl/faa_top.sv" ] || { echo "rtl/faa_top.sv is not there"; exit 1; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

/usr/bin/python3 "$top/Documentation/spec/generate.py" --out "$tmp"
# faa.f lists the other sources.
verilator --lint-only -Wall -sv --top-module faa_top "${@/#/-G}" "$tmp/faa_pkg.sv" -F "$top/rtl/faa.f"
