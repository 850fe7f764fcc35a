#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 9000
# kernel
#
# The examples of atomic operations on memory and on surfaces, on both engines.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
# shellcheck source=tests/tutorial.sh
. "$top/tests/tutorial.sh"
bin=$build/bin
engines=${FAA_ENGINES:-model rtl}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

passes() { # sentence of its output, program, arguments...
	local sentence=$1 out
	shift
	out=$("$bin/faa-run" --engine="$engine" --timeout="${limit:-300}" "$bin/$1" "${@:2}" 2>&1) || { echo "$out"; return 1; }
	echo "$out"
	grep -q -- "$sentence" <<<"$out"
}

refused() { # sentence, program, arguments...: ends with a status other than 0 and the sentence
	local sentence=$1 out status=0
	shift
	out=$("$bin/$1" --engine=model "${@:2}" 2>&1) || status=$?
	[ "$status" != 0 ] || { echo "$* succeeds"; return 1; }
	grep -q -- "$sentence" <<<"$out" || { echo "'$out' does not say '$sentence'"; return 1; }
}

# The unit of the engine's cycle counter.
unit() {
	if [ "$engine" = model ]; then echo steps; else echo cycles; fi
}

json() { # Python expression that holds for object "o" and engine's "unit"; program, arguments...
	local expression=$1
	shift
	"$bin/faa-run" --engine="$engine" --timeout=300 "$bin/$1" --json "${@:2}" >"$tmp/json" || { cat "$tmp/json"; return 1; }
	/usr/bin/python3 -c "import json, sys; o = json.load(open(sys.argv[1])); unit = sys.argv[2]; sys.exit(not ($expression))" \
		"$tmp/json" "$(unit)" || { echo "'$expression' does not hold:"; cat "$tmp/json"; return 1; }
}

devshell_runs_the_tutorial() {
	local said

	tutorial "$tmp/tutorial" || { echo "library.rst has no first program, or not its two lines"; return 1; }
	said=$(cd "$tmp/tutorial" && FAA_RUN_OPTS=--engine=model FAA_BUILD=$build "$top/sim/setup/devshell.sh" bash -e ./lines) || return 1
	[ "$said" = "sum 499500" ] || { echo "it says '$said'"; return 1; }
}

devshell_needs_a_build() {
	! FAA_BUILD=$tmp "$top/sim/setup/devshell.sh" true 2>"$tmp/said" && grep -q "make devshell" "$tmp/said"
}

has_surfaces() { # whether this build of the engine has SUATOM
	local out
	# Into a pipe whose reader ends at the match, faa-run could fail.
	out=$("$bin/faa-run" --engine="$engine" --timeout=60 "$bin/faa-info" --json) && grep -q '"SURFACE_ATOMICS"' <<<"$out"
}

lacks_surfaces() {
	local out status=0
	out=$("$bin/faa-run" --engine="$engine" --timeout=60 "$bin/density" 2>&1) || status=$?
	[ "$status" = 1 ] && grep -q 'lacks SURFACE_ATOMICS' <<<"$out"
}

# Small graphs: a chain, an edge back, an edge to itself, a duplicate edge, an unreachable vertex.
printf 'a 1 1\nb 2 0\nc 2\nd 0\n' >"$tmp/small"
# 200 vertices after one, all with an edge to each of three others: lanes of all warps on three
# words.
{
	echo "hub $(seq -s ' ' 1 200)"
	seq -f 'v%g 201 202 203' 1 200
	printf 'x\ny 0\nz\n'
} >"$tmp/fan"
# One vertex per level.
seq 0 99 | sed 's/.*/& &/' | awk '{ print "n" $1, $1 + 1 } END { print "n100" }' >"$tmp/chain"
printf 'a 1\nb 7\n' >"$tmp/outside"
printf 'a one\n' >"$tmp/words"
printf 'a\n' >"$tmp/edgeless"
printf '112123 12313' >"$tmp/bytes"

for engine in $engines; do
	check "$engine: gups" passes 'passed: 0 errors in 4096 words' gups --log2=12
	check "$engine: gups, few words: the same ones in every warp" passes 'passed: 0 errors in 128 words' gups --log2=7 --updates=2176
	check "$engine: gups, less than a block" passes 'passed: 0 errors in 1024 words' gups --log2=10 --updates=128
	check "$engine: graph, packages of Debian" passes 'from kde-full: 1177 vertices in 10 levels: 1 11 114 432 ' graph
	check "$engine: graph, from another vertex" passes 'from libc6: 3 vertices in 3 levels: 1 1 1' graph --from=libc6
	check "$engine: graph, loops" passes 'from a: 3 vertices in 3 levels: 1 1 1' graph "$tmp/small"
	check "$engine: graph, many to one" passes 'most needed: x 200, y 200, z 200' graph "$tmp/fan"
	check "$engine: graph, a chain" passes 'from n0: 101 vertices in 101 levels' graph "$tmp/chain"
	check "$engine: hash table" passes 'CPU check passed: each key once' hashtable --keys=2000
	check "$engine: hash table, nearly full" passes 'CPU check passed: each key once' hashtable --keys=1000 --log2=10 --seed=3
	check "$engine: hash table, one key" passes '^1 different keys in 32 slots' hashtable --keys=1
	check "$engine: scatter-add" passes '^strict: 16000 additions.*CPU check passed' scatter
	# The default device has no relaxed sums, which need 32 lanes.
	if [ "$engine" = rtl ]; then
		check "$engine: scatter-add without relaxed sums" passes '^relaxed: this build of the device lacks ATOMS_RELAXED' scatter --tokens=64
	fi
	device=$build/$([ "$engine" = rtl ] && echo sim/vdev/faa-vdev-full || echo bin/faa-vdev)
	FAA_VDEV=$device check "$engine: scatter-add, relaxed" passes '^relaxed: .*CPU check passed' scatter --seed=7 --tokens=1000
	reason='through which every warp goes: 66 cycles'
	[ "$engine" != model ] || reason='no clock: its steps do not tell'
	FAA_VDEV=$device check "$engine: scatter-add says what both ways cost" passes "$reason" scatter --tokens=320
	check "$engine: scatter-add, one row, odd number of tokens" passes '^strict: 1999 additions into 1 ' scatter --tokens=1999 --rows=1 --columns=1
	check "$engine: scatter-add, 32 columns" passes '^strict: 6400 additions into 320 ' scatter --tokens=200 --rows=10 --columns=32
	check "$engine: exact sums" passes '^check passed' exact --numbers=500 --orders=6
	check "$engine: exact --json" json 'o["check"] and o["exact"]["different"] == 1 and o["f32"]["different"] > 1 and o["exact"][unit] > 0' \
		exact --numbers=300 --sums=3 --orders=4 --queues=2
	check "$engine: gups --json" json 'o["check"] and not o["errors"] and o[unit] > 0 and o["words"] == 128 and o["updates"] == 256' gups --log2=7 --updates=256
	check "$engine: graph --json" json 'o["check"] and o["search"]["levels"] == [1, 1, 1] and o["search"][unit] > 0 and o["degrees"][unit] > 0 and
		{"name": "b", "edges": 2} in o["degrees"]["most_needed"]' graph "$tmp/small"
	check "$engine: hashtable --json" json 'o["check"] and len(o["insert"][unit]) == 2 and o["keys"] == 100 and o["found"] + o["missing"] == 100' hashtable --keys=100
	check "$engine: scatter --json" json 'o["check"] and o["strict"][unit] > 0 and o["strict"]["additions"] == 256 and
		("relaxed" not in o or not o["relaxed"]["wrong"])' scatter --tokens=64
	check "$engine: histogram --json" json 'o["check"] and o[unit] > 0 and o["channels"][0][f"{unit}_per_warp"] > 0' histogram --no-plot
	check "$engine: cas_loop --json" json 'o["check"] and o["seed"] == 5 and len(o["trials"]) == 4 and
		all(t["check"] and t[unit] > 0 and t["commands"] > 0 for t in o["trials"])' cas_loop --seed=5
	check "$engine: svm --json" json 'o["check"] and not o["wrong"] and o["bytes"] == 12 and o["elements"] == 12 + 256 and o["bins"][ord("1")] == 5 and
		sum(o["bins"]) == 12' svm "$tmp/bytes"
	check "$engine: cas_loop names what it counts" passes ", [1-9][0-9]* $(unit)\$" cas_loop
	# The job waits for a thread of the host at each turn: 2000 take two minutes of a slow host.
	turns=$([ "$engine" = model ] && echo 2000 || echo 400)
	check "$engine: exchange, queue and lock between streams and the host" \
		passes "$turns times handed over, in the order of tickets" exchange --items=${FAA_EXCHANGE_ITEMS:-4000} --locked="$turns"
	check "$engine: exchange, streams alone" passes '4032 items, each arrived once' exchange --items=4001 --hosts=0 --locked=500
	check "$engine: exchange --json" json 'o["check"] and o["hosts"] == 2 and o["queue"]["items"] >= 640 and not o["queue"]["wrong"] and
		o["queue"][unit] > 0 and o["lock"]["owners"] >= 40 and not o["lock"]["wrong"] and o["lock"][unit] > 0' exchange --items=640 --locked=40
	if [ -n "${FAA_LONG:-}" ]; then
		# Jobs of an hour.
		limit=7200 FAA_RUN_OPTS=--module-args=job_limit_ms=7200000 check "$engine: exchange, 1000000 items" passes '1000000 items, each arrived once' exchange --items=1000000
	fi
	if has_surfaces; then
		check "$engine: density" passes 'CPU check passed: all 262144 pixels equal' density --points=100000 --output="$tmp/density.png"
		check "$engine: density, few pixels, part of a chunk" passes 'CPU check passed: all 49 pixels equal' density --size=7 --points=70001 --output="$tmp/density.png"
		check "$engine: density, the other attractor" passes 'CPU check passed: all 1000000 pixels equal' density --attractor=dejong --size=1000 --points=33 --output="$tmp/density.png"
		check "$engine: density --json" json 'o["check"] and not o["wrong"] and o["additions"] == o["points"] == 5000 and
			o["parameters"] == [-1.4, 1.6, 1, 0.7] and o[unit] > 0 and o[f"{unit}_per_warp"] > 0 and
			("bound_by" in o) == (unit == "cycles")' density --points=5000 --size=64 --output="$tmp/density.png"
	else
		check "$engine: density says what it lacks" lacks_surfaces
	fi
done
check "density: no attractor" refused 'allowed are clifford and dejong' density --attractor=lorenz
check "density: three parameters" refused 'four numbers' density --parameters=1,2,3
check "density: no number" refused 'four numbers' density --parameters=1,2,nan,4
check "density: a picture that is too large" refused 'from 1 to 16384' density --size=16385
check "exchange: an odd number of threads" refused "an even number, please" exchange --hosts=3
check "gups: updates that 128 generators cannot share" refused 'a multiple of 128' gups --updates=100000
check "gups: a table that is too large" refused 'from 7 to 26' gups --log2=40
check "graph: no such vertex" refused "no vertex 'nobody'" graph --from=nobody
check "graph: no such file" refused 'No such file' graph "$tmp/none"
check "graph: an edge that leads out of it" refused 'vertex 7, but there are 2' graph "$tmp/outside"
check "graph: no numbers" refused 'line 1: what follows the name must be numbers' graph "$tmp/words"
check "graph: no edges" refused '1 vertices and 0 edges' graph "$tmp/edgeless"
check "hash table: more keys than slots" refused 'may not fit into 2^3 slots' hashtable --keys=9 --log2=3
check "scatter: 3 columns" refused '1, 2, 4, 8, 16 or 32' scatter --columns=3
check "devshell: the tutorial's lines" devshell_runs_the_tutorial
check "devshell: no build" devshell_needs_a_build
finish
