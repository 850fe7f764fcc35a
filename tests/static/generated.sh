#!/bin/bash
# SPDX-License-Identifier: MIT
#
# generated.sh spec: the generator of the command description gives the same bytes every time, also
# from another directory.
#
# generated.sh builds: rtl/faa_build_pkg.sv is that of builds.toml, faa_top has its parameters, and
# contradictions are refused.
#
# generated.sh regs: PeakRDL's output for faa_regs.rdl is the checked-in one (needs the venv of the
# tests).
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

case ${1:-} in
spec)
	(cd "$top" && PYTHONHASHSEED=1 /usr/bin/python3 spec/generate.py --out "$tmp/a")
	(cd "$tmp" && PYTHONHASHSEED=2 LC_ALL=C /usr/bin/python3 "$top/spec/generate.py" --out "$tmp/b")
	diff -r "$tmp/a" "$tmp/b"
	[ -s "$tmp/a/faa_isa.h" ] && [ -s "$tmp/a/faa_pkg.sv" ] && ! grep -rn "$top" "$tmp/a"
	;;
builds)
	builds=spec/builds
	mkdir -p "$tmp/spec"
	cp "$top"/spec/*.py "$tmp/spec/"
	"$top/$builds.py" --package "$tmp/faa_build_pkg.sv" --check "$top/rtl/faa_top.sv"
	diff "$tmp/faa_build_pkg.sv" "$top/rtl/faa_build_pkg.sv" || { echo "to write it anew: $builds.py --package rtl/faa_build_pkg.sv"; exit 1; }
	# refused SED MESSAGE: builds.toml after sed is refused with a message.
	refused() {
		sed "$1" "$top/$builds.toml" >"$tmp/spec/builds.toml"
		! cmp -s "$tmp/spec/builds.toml" "$top/$builds.toml" || { echo "sed '$1' changes nothing"; exit 1; }
		! out=$("$tmp/spec/builds.py" --list --check "$top/rtl/faa_top.sv" 2>&1) && grep -q "$2" <<<"$out" || { echo "sed '$1': $out"; exit 1; }
	}
	refused '0,/^NumCu = 1$/s//NumCus = 1/' 'small: faa_top has no parameter NumCus'
	refused '0,/^NumCu = 1$/s///' 'build.small: no NumCu'
	refused '0,/^F32 = 0$/s//F32 = 2/' 'small: F32 is 2'
	refused 's/^NumCu = 2$/NumCu = 3/' 'faa_top: NumCu is 2 by default, 3 in build.full'
	refused '0,/^like = "full"$/s//like = "fuller"/' 'like is fuller, which is no build'
	;;
regs)
	"$top/spec/regen-regs.sh" --check
	;;
*)
	echo "usage: generated.sh spec|builds|regs"
	exit 2
	;;
esac
