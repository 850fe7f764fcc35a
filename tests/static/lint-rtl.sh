#!/bin/bash
# SPDX-License-Identifier: MIT
#
# lint-rtl.sh [--l2|--stand-in|--build NAME] PARAMETER=VALUE...: verilator --lint-only -Wall of
# faa_top, of the L2 slice alone, of faa_top around the stand-in compute unit of tests/rtl, or of a
# build, with these parameters.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
module=faa_top
sources=()
stand_in=()
if [ "${1:-}" = --l2 ]; then
	module=faa_l2
	sources=("$top/rtl/l2/faa_l2.sv")
	shift
elif [ "${1:-}" = --stand-in ]; then
	stand_in=(-y "$top/tests/rtl/stand_in")
	shift
elif [ "${1:-}" = --build ]; then
	text=$("$top/spec/builds.py" "$2")
	shift 2
	mapfile -t parameters <<<"$text"
	set -- "$@" "${parameters[@]}"
fi
[ -f "$top/rtl/faa_top.sv" ] || { echo "rtl/faa_top.sv is not there"; exit 1; }
read -ra wall < <("$top/tests/rtl/wall.sh")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

/usr/bin/python3 "$top/spec/generate.py" --out "$tmp"
# faa.f lists the other sources.
verilator --lint-only "${wall[@]}" -sv --top-module "$module" "${@/#/-G}" "${stand_in[@]}" "$tmp/faa_pkg.sv" -F "$top/rtl/faa.f" "${sources[@]}"
