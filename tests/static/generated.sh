#!/bin/bash
# SPDX-License-Identifier: MIT
#
# generated.sh spec: the generator of the command description gives the same bytes every time, also from another directory.
# generated.sh regs: what PeakRDL makes of faa_regs.rdl today is what is checked in (needs the venv of the tests).
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

case ${1:-} in
spec)
	(cd "$top" && PYTHONHASHSEED=1 /usr/bin/python3 Documentation/spec/generate.py --out "$tmp/a")
	(cd "$tmp" && PYTHONHASHSEED=2 LC_ALL=C /usr/bin/python3 "$top/Documentation/spec/generate.py" --out "$tmp/b")
	diff -r "$tmp/a" "$tmp/b"
	[ -s "$tmp/a/faa_isa.h" ] && [ -s "$tmp/a/faa_pkg.sv" ] && ! grep -rn "$top" "$tmp/a"
	;;
regs)
	"$top/Documentation/spec/regen-regs.sh" --check
	;;
*)
	echo "usage: generated.sh spec|regs"
	exit 2
	;;
esac
