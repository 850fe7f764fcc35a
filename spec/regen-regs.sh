#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Generates from the register map faa_regs.rdl: rtl/regs/faa_regs.sv, faa_regs_pkg.sv
# (PeakRDL-regblock) and faa_regs.h. These are checked in, since PeakRDL comes from PyPI, which a
# build must not need.
#
#   regen-regs.sh            regenerate the files in the source tree
#   regen-regs.sh --check    regenerate elsewhere and compare; exit status 1 and a diff if they
#                            differ
#   regen-regs.sh --html DIR write the register map as HTML pages to DIR
#
# FAA_CACHE (default ~/.cache/faa) holds the Python environment, made from tests/requirements.txt.
set -eu

spec=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$spec/.." && pwd)
cache=${FAA_CACHE:-$HOME/.cache/faa}
wanted=$(grep -E '^(peakrdl|systemrdl)' "$root/tests/requirements.txt")
venv=$cache/venv-regs-$(echo "$wanted" | sha256sum | cut -c1-12)

if [ ! -e "$venv/complete" ]; then
	echo "regen-regs: installing PeakRDL into $venv" >&2
	rm -rf "$venv"
	python3 -m venv "$venv"
	# shellcheck disable=SC2086
	"$venv/bin/pip" install --quiet --disable-pip-version-check $wanted
	touch "$venv/complete"
fi

# Verilator 5.006 cannot index arrays of unpacked structs with a loop variable, so all of them
# become packed. The upper bits of an address select the block of a unit (512 bytes) and of a queue
# (64 bytes of 4 KiB), since comparisons with both ends would take a carry chain each. The read data
# is an OR of all registers: only the addressed register of the global block, and only the block
# that answers, are not 0.
packed='s/\bstruct \{/struct packed {/
s/^( *)\} (\w+)\[([0-9]+)\];/\1} [\3-1:0] \2;/
s/\((\w+) >= (20.h\w+ \+ \(20\).\(i0\) \* 20.h\w+)\) &&? \(\1 <= [^)]*\)[^)]*\)[^)]*17f\)/((\1 \& 20'"'"'hffe00) == \2)/g
s/\((\w+) >= (20.h\w+ \+ \(20\).\(i0\) \* 20.h\w+)\) &&? \(\1 <= [^)]*\)[^)]*\)[^)]*3b\)/((\1 \& 20'"'"'hfffc0) == \2)/g
s/readback_data_var(\[[0-9:]+\])? = (hwif|field|[0-9]+.h)/readback_data_var\1 |= \2/
s/if\(\(\(rd_mux_addr \& .*\) begin$/begin/
s/^( {8,})logic (\w+)\[([0-9]+)\];/\1logic [\3-1:0] \2;/
s/^( *)(\w+__(in|out)_t) (\w+)\[([0-9]+)\];/\1\2 [\5-1:0] \4;/'

generate() {
	"$venv/bin/peakrdl" regblock "$spec/faa_regs.rdl" -o "$1" --cpuif axi4-lite-flat --default-reset rst_n --addr-width 20
	for file in faa_regs.sv faa_regs_pkg.sv; do
		{
			echo "// SPDX-License-Identifier: Apache-2.0"
			echo "// From spec/faa_regs.rdl by regen-regs.sh; do not edit."
			sed -E "$packed" "$1/$file"
		} >"$1/$file.new"
		mv "$1/$file.new" "$1/$file"
	done
	"$venv/bin/python" "$spec/gen_regs_h.py" "$spec/faa_regs.rdl" "$1/faa_regs.h"
}

case "${1:-}" in
"")
	generate "$root/rtl/regs"
	;;
--check)
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	generate "$work"
	status=0
	for file in faa_regs.sv faa_regs_pkg.sv faa_regs.h; do
		diff -u "$root/rtl/regs/$file" "$work/$file" || status=1
	done
	[ $status = 0 ] || echo "regen-regs: rtl/regs is not what faa_regs.rdl gives; run spec/regen-regs.sh" >&2
	exit $status
	;;
--html)
	"$venv/bin/peakrdl" html "$spec/faa_regs.rdl" -o "${2:?--html needs the directory to write}"
	;;
*)
	echo "regen-regs: unknown argument '$1'; allowed: none, --check, --html DIR" >&2
	exit 2
	;;
esac
