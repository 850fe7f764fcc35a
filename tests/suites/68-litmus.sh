#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Litmus tests of the memory model: their tables against the axioms, wrong models against the
# tables, and runs on the C model and the RTL. FAA_LONG=1 takes more runs, other seeds, and memory
# of other latencies.
# timeout: 21600
# kernel
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
litmus=$build/bin/faa-litmus
seed=${FAA_SEED:-1}
engines=${FAA_ENGINES:-model rtl}
random_tables=${FAA_LONG:+500}
random_tables=${random_tables:-40}
files=("$top"/tests/litmus/*/*.lit)
ptx=("$top"/tests/litmus/ptx/*.lit)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

refused() { # sentence, arguments...
	local sentence=$1 out status=0
	shift
	out=$("$litmus" "$@" 2>&1) || status=$?
	[ "$status" != 0 ] || { echo "faa-litmus $* succeeds"; return 1; }
	grep -q -- "$sentence" <<<"$out" || { echo "'$out' does not say '$sentence'"; return 1; }
}

json() { # JSON of a test: all of its outcomes, and at least as many runs as requested
	"$litmus" --engine=model --json --runs=32 "${ptx[0]}" 2>/dev/null | /usr/bin/python3 -c '
import json, sys
o = json.load(sys.stdin)
sys.exit(not (o["verdict"] == "passed" and o["runs"] >= 32 and o["outcomes"] and sum(x["seen"] for x in o["outcomes"]) == o["runs"]))'
}

runs() { # options...: all files, none illegal
	local out status=0
	out=$("$litmus" --engine="$engine" "$@" 2>&1) || status=$?
	tail -n 1 <<<"$out"
	[ "$status" = 0 ] || { grep -v '^ok' <<<"$out"; return 1; }
}

abi_as_written() { # the files of the ABI are those that abi.py writes
	mkdir -p "$tmp/abi"
	/usr/bin/python3 "$top/tests/litmus/abi.py" "$tmp/abi" "$litmus" && diff -r -x lit.license "$tmp/abi" "$top/tests/litmus/abi"
}

enumerated() { # files...: enumerate.py, which shares no code with faa-litmus, finds the same tables
	/usr/bin/python3 "$top/tests/litmus/enumerate.py" "$@"
}

not_enumerated() { # sentence, file
	local out
	! out=$(enumerated "$2") || { echo "enumerate.py accepts $2"; return 1; }
	grep -q -- "$1" <<<"$out" || { echo "'$out' does not say '$1'"; return 1; }
}

# Each file of herd7 has the table of its test; some locations have other names.
exported() {
	local file name
	[ "$("$litmus" export --directory="$tmp/herd" "${files[@]}" 2>"$tmp/inexpressible")" = \
		"$((${#files[@]} - 5)) files of herd7 in $tmp/herd; LISA cannot express 5 tests" ] || return 1
	[ "$(grep -c 'LISA has no compare-exchange' "$tmp/inexpressible")" = 5 ] || { cat "$tmp/inexpressible"; return 1; }
	"$litmus" check "$tmp"/herd/*.litmus || return
	for file in "$tmp"/herd/*.litmus; do
		name=${file##*/}
		diff <("$litmus" table "$file" | sed -n '/^outcomes/,$p') <("$litmus" table "$top"/tests/litmus/*/"${name%.litmus}.lit" | sed -n '/^outcomes/,$p') ||
			{ echo "$name"; return 1; }
	done
}

not_exported() {
	refused "ATOM-cas-both: line 8: LISA has no compare-exchange" export --directory="$tmp/herd" "${ptx[0]%/*}/ATOM-cas-both.lit" &&
		[ ! -e "$tmp/herd/ATOM-cas-both.litmus" ] &&
		refused "cannot make the directory $tmp/missing/herd: No such file" export --directory="$tmp/missing/herd" "${files[0]}"
}

# herd7 is in no release of Debian: on machines that have it.
herd=${FAA_HERD7:-$(command -v herd7)}
of_herd() {
	/usr/bin/python3 "$top/tests/litmus/random_tests.py" "$tmp/for-herd" "$random_tables" "$((seed + 2000))" &&
		/usr/bin/python3 "$top/tests/litmus/herd.py" "$herd" "$litmus" "${files[@]}" "$tmp"/for-herd/*.lit
}

# Random tests with the tables of faa-litmus.
enumerated_random() {
	local file
	/usr/bin/python3 "$top/tests/litmus/random_tests.py" "$tmp/drawn" "$random_tables" "$((seed + 1000))" || return
	mkdir -p "$tmp/tables"
	for file in "$tmp"/drawn/*.lit; do
		"$litmus" table "$file" >"$tmp/tables/${file##*/}" || return
	done
	enumerated "$tmp"/tables/*.lit
}

# A defect of the hardware is found by each of its tests: an outcome is illegal, or, for those with
# a "!", the test does not end. Memory is slower than usual, which leaves more time to overtake.
found() { # defect, files...
	local defect=$1 out file name sign from
	shift
	for file in "$@"; do
		name=${file##*/}
		sign=".*illegal [1-9]"
		[[ $file != *! ]] || sign="Timer expired"
		# The runs of one seed may not come near the defect.
		for from in "$seed" "$((seed + 1))" "$((seed + 2))"; do
			out=$(FAA_VDEV=$build/sim/vdev/faa-vdev-quad-defects FAA_VDEV_OPTS="--defect=$defect --latency=100" "$litmus" --engine=rtl --stop --runs=15000 --seed="$from" "$top/tests/litmus/${file%!}" 2>&1)
			! grep -q "^not ok ${name%.lit*}: $sign" <<<"$out" || continue 2
		done
		echo "$out"
		return 1
	done
}

sed 's/^   *//' >"$tmp/wrong.litmus" <<'END'
   LISA wrong
   { x=0; }
   P0 ;
   r[weak] r0 x ;
   r[relaxed,system] r0 x ;
   scopes: (sys (gpu (cta P0)))
   exists (0:r0=1)
END
check "results as JSON" json
check "parser: right, wrong and damaged files" "$build/tests/litmus/test-lit"
check "files of herd7: right, wrong, written and read again" "$build/tests/litmus/test-herd"
check "files of herd7 have the tables of their tests" exported
check "a test that LISA cannot express writes no file" not_exported
check "an error in a file of herd7 names its place" refused "wrong.litmus:5:1: expected a scope: cta, gpu or sys" check "$tmp/wrong.litmus"
[ -z "$herd" ] || check "herd7 has the tables of ${#files[@]} files and of $random_tables random tests" of_herd
check "model: tables and verdicts of ${#files[@]} files" "$litmus" check "${files[@]}"
check "model: its defects are noticed" "$litmus" defects "${ptx[@]}" "$top"/tests/litmus/own/*.lit
check "every row of the ABI has its file" abi_as_written
sed 's/^ 1 1 1 1$/ 1 1 2 1/' "${ptx[0]%/*}/MP-weak.lit" >"$tmp/table.lit"
check "a wrong table is found" refused "only in the table: 1:r0=1 1:r1=1 x=2 y=1" check "$tmp/table.lit"
sed 's/^verdict allowed/verdict forbidden/' "${ptx[0]%/*}/MP-weak.lit" >"$tmp/verdict.lit"
check "a wrong verdict is found" refused "what is asked about is allowed by the model" check "$tmp/verdict.lit"
sed 's/^ ld weak r1 x/ ld weak r1 z/' "${ptx[0]%/*}/MP-weak.lit" >"$tmp/place.lit"
check "an enumeration of its own comes to the tables and verdicts of ${#files[@]} files" enumerated "${files[@]}"
check "the enumeration comes to the model's tables of $random_tables random tests" enumerated_random
check "the enumeration finds a wrong table" not_enumerated "only in the table: 1:r0=1 1:r1=1 x=2 y=1" "$tmp/table.lit"
check "the enumeration finds a wrong verdict" not_enumerated "what is asked about is allowed" "$tmp/verdict.lit"
check "an error names its place" refused "place.lit:[0-9]*:13: expected a location of the init line" check "$tmp/place.lit"
for engine in $engines; do
	[ "$engine" = model ] || check "the devices full and quad are built" ninja -C "$build" sim/vdev/faa-vdev-{full,quad}
	count=${FAA_LITMUS_RUNS:-${FAA_LONG:+1000}}
	count=${count:-30}
	[ "$engine" = rtl ] || count=500
	check "$engine: ${#files[@]} files, $count runs each" runs --runs="$count" --seed="$seed" "${files[@]}"
	check "$engine: a wrong outcome is found" refused "illegal 1," --engine="$engine" --runs=10 --inject=outcome \
		"${ptx[0]%/*}/MP-rel-acq-gpu.lit"
	[ "$engine" = rtl ] || continue
	random=${FAA_LONG:+500}
	/usr/bin/python3 "$top/tests/litmus/random_tests.py" "$tmp/random" "${random:-20}" "$seed"
	check "rtl: tests drawn at random" runs --runs="$count" --seed="$seed" "$tmp"/random/*.lit
	for name in MP-sys-to-host MP-fence.rel-fence.acq; do
		check "rtl: orders that are left out of $name are found" refused "illegal [1-9]" --engine=rtl --runs=3000 --stop --inject=order \
			"${ptx[0]%/*}/$name.lit"
	done
done
engine=model
check "a device that is too small fails the test" env FAA_VDEV_OPTS=--cus=3 bash -c \
	"! '$litmus' --engine=model --runs=1 '${ptx[0]%/*}/IRIW-rlx.lit' >'$tmp/small' 2>&1 && grep -q 'but the device has 3 compute units' '$tmp/small'"
if [ -n "${FAA_LONG:-}" ]; then
	check "a device with defects is built" ninja -C "$build" sim/vdev/faa-vdev-quad-defects
	while read -r defect found_by; do
		case $defect in '' | '#'*) continue ;; esac
		read -ra names <<<"$found_by"
		check "defect $defect is found by $found_by" found "$defect" "${names[@]}"
	done <"$top/tests/litmus/defects.txt"
	check "model: 20000 runs" runs --runs=20000 --seed="$((seed + 1))" "${files[@]}"
	engine=rtl
	for options in "--latency=8" "--latency=200 --jitter=100" "--latency=60 --jitter=400 --stall=200"; do
		check "rtl: 500 runs, memory $options" env FAA_VDEV_OPTS="$options" "$litmus" --engine=rtl --runs=500 --seed="$((seed + 2))" \
			--report "${files[@]}"
	done
fi
finish
