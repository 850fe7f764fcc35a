#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 43200
# kernel
#
# Random programs of ioctls on the debug kernel (lockdep, KASAN, kmemleak) with the C model, guided
# by the code that they reach. FAA_SEED and FAA_FUZZ_SECONDS choose other ones; FAA_LONG=1 takes
# a million, or eight hours of them. The checks of the fuzzer itself come first.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
# shellcheck source=tests/unit/says.sh
. "$top/tests/unit/says.sh"
# shellcheck source=tests/programs.sh
. "$top/tests/programs.sh"
fuzz=$top/tests/fuzz/ioctl
seconds=${FAA_FUZZ_SECONDS:-${FAA_LONG:+28800}}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

grammar() { # a new field whose meaning nothing tells
	sed 's/^struct drm_faa_submit {/&\n\t\/** @mystery: a colour. *\/\n\t__u32 mystery;/' "$top/uapi/drm/faa_drm.h" >"$tmp/faa_drm.h"
	! /usr/bin/python3 "$fuzz/grammar.py" "$tmp/faa_drm.h" "$tmp/grammar.h" 2>"$tmp/said" &&
		grep -q "what is drm_faa_submit.mystery? Its comment is '@mystery: a colour.'" "$tmp/said"
}

# A warning of the kernel sets a bit here, and root may as well.
complains() {
	cat >"$tmp/complain.sh" <<END
(sleep 1; echo 512 >/proc/sys/kernel/tainted) &
exec "$build/tests/fuzz/ioctl/faa-ioctl-fuzz" --seconds=60
END
	refuse "the kernel has complained: see its log. The program:" "$build/bin/faa-run" --engine=model --kernel=debug --mem=768M \
		--module-args=fault_memory_ms=0 bash "$tmp/complain.sh"
}

# The same calls with the same results, twice
replays() {
	awk -v RS= 'NR == 3 || NR == 4 { print $0 "\n" }' "$fuzz/corpus.txt" >"$tmp/two.txt"
	"$fuzz/run.sh" --replay --corpus="$tmp/two.txt" >"$tmp/first" && "$fuzz/run.sh" --replay --corpus="$tmp/two.txt" >"$tmp/second" &&
		grep -q "^# program 2" "$tmp/first" && grep -q "(.*) = -\?[0-9]" "$tmp/first" &&
		diff <(grep -v edges "$tmp/first" | sed 's/0x[0-9a-f]*/ADDRESS/g') <(grep -v edges "$tmp/second" | sed 's/0x[0-9a-f]*/ADDRESS/g')
}

# Programs of a call that is repeated; the n-th operation of the kernel fails in each fail-nth.
programs_of() { # FIRST-BYTE CALLS PROGRAMS
	local block i j

	block=$(printf '%02x04%060d' "$1" 0)
	for ((i = 0; i < $3; i++)); do
		for ((j = 0; j < $2; j++)); do
			echo "$block"
		done
		echo
	done
}

# A signal that ends the run arrives while an operation of the kernel is to fail. Its delivery must
# not be that operation, which kills the process.
ends_between() {
	local byte

	for ((byte = 0; byte < 96; byte++)); do
		programs_of "$byte" 1 1
	done >"$tmp/all.txt"
	cat >"$tmp/end.sh" <<END
which=\$("$build/tests/fuzz/ioctl/faa-ioctl-fuzz" --replay --corpus="$tmp/all.txt" |
	awk '/^# program/ { number = \$3 - 1 } /^fail-nth = 0/ { print number; exit }')
echo "fail-nth is \$which"
$(declare -f programs_of)
programs_of "\$which" 24 400 >"$tmp/fail.txt"
for ((i = 0; i < 25; i++)); do
	: >"$tmp/said"
	"$build/tests/fuzz/ioctl/faa-ioctl-fuzz" --replay --corpus="$tmp/fail.txt" >"$tmp/said" & pid=\$!
	until grep -q "^fail-nth = 0" "$tmp/said" || ! kill -0 "\$pid"; do
		sleep 0.01
	done
	sleep 0.0\$((i % 10))
	kill -INT "\$pid"
	wait "\$pid" || { echo "run \$i ended with \$?, not 0"; exit 1; }
	grep -q "^fail-nth = 0" "$tmp/said" && ! grep -q "^# program 400" "$tmp/said" || { echo "run \$i was not interrupted"; exit 1; }
done
END
	"$build/bin/faa-run" --timeout=600 --engine=model --kernel=debug --mem=768M --module-args=fault_memory_ms=0 bash "$tmp/end.sh"
}

# Programs of others are taken, and new ones given to them.
exchanges() {
	mkdir "$tmp/share"
	awk -v RS= 'NR == 3 || NR == 4 { print $0 "\n" }' "$fuzz/corpus.txt" >"$tmp/share/7-0.txt"
	"$build/bin/faa-run" --engine=model --kernel=debug --mem=768M --module-args=fault_memory_ms=0 \
		"$build/tests/fuzz/ioctl/faa-ioctl-fuzz" --seed=8 --programs=20 --share="$tmp/share" >"$tmp/said" &&
		grep -q "^2 programs of others, [12] kept" "$tmp/said" && grep -q "^[0-9a-f]\+$" "$tmp/share/8-0.txt"
}

# A guest that fails ends the other one, which loses nothing.
fails_together() {
	local out begin=$SECONDS

	mkdir "$tmp/now-guest1.txt"
	! out=$("$fuzz/run.sh" --jobs=2 --seconds=300 --current="$tmp/now.txt" --corpus="$tmp/two.txt" --save="$tmp/kept.txt" 2>&1) || return 1
	echo "$out"
	grep -q "^run.sh: guest1 has ended with status 1. Its last program: $tmp/now-guest1.txt" <<<"$out" && grep -q "^guest1: .*Is a directory" <<<"$out" &&
		[ $((SECONDS - begin)) -lt 120 ] && grep -q "^guest0: [0-9]* programs, " <<<"$out" &&
		grep -qFf <(tail -n 2 "$tmp/two.txt" | head -n 1) "$tmp/kept.txt"
}

# Starts a run with two guests, whose leader is pid, and waits until both have run the corpus.
start_two() { # FILE that keeps the programs
	: >"$tmp/said"
	set -m
	"$fuzz/run.sh" --jobs=2 --seconds=600 --corpus="$tmp/two.txt" --save="$1" >"$tmp/said" 2>&1 &
	pid=$!
	set +m
	until_said "$tmp/said" 2 "of the corpus"
}

# Ctrl-C ends the guests after their programs, and keeps what they have found.
is_interrupted() {
	local pid status=0

	start_two "$tmp/interrupted.txt"
	kill -INT -"$pid"
	wait "$pid" || status=$?
	cat "$tmp/said"
	[ "$status" = 130 ] && grep -q "^[0-9]* programs, " "$tmp/said" && grep -qFf <(tail -n 2 "$tmp/two.txt" | head -n 1) "$tmp/interrupted.txt" &&
		[ -z "$(compgen -G "$tmp/interrupted.txt.share-*")" ]
}

# A run that was killed has kept nothing; the next one, which finds nothing itself, keeps its
# programs, but not those of a run that is not over.
is_killed() {
	local pid lock save=$tmp/killed.txt

	start_two "$save"
	kill -KILL -"$pid"
	wait "$pid"
	cat "$tmp/said"
	[ ! -e "$save" ] && [ -n "$(cat "$save".share-*/*.txt)" ] || return 1
	# Its guests end on their own.
	flock -w 60 "$save".share-* true || return 1
	mkdir "$save.share-other"
	exec {lock}<"$save.share-other"
	flock "$lock"
	"$fuzz/run.sh" --jobs=1 --programs=1 --corpus="$tmp/two.txt" --save="$save" || return 1
	exec {lock}<&-
	cat "$save"
	grep -qFf <(tail -n 2 "$tmp/two.txt" | head -n 1) "$save" && [ "$(compgen -G "$save.share-*")" = "$save.share-other" ]
}

# Programs that nothing has found yet, after those of the corpus
runs() {
	local out edges
	out=$("$fuzz/run.sh" --seed="${FAA_SEED:-$RANDOM}" --seconds="${seconds:-20}" ${FAA_LONG:+--programs=1000000} \
		--coverage="$tmp/reached" 2>&1) || { echo "$out"; return 1; }
	tail -n 1 <<<"$out"
	edges=$(sed -n 's/^[0-9]* programs, .* kept: \([0-9]*\) edges.*/\1/p' <<<"$out" | tail -n 1)
	[ "$edges" -ge 2000 ] || { echo "$out"; return 1; }
}

printf '00\n' >"$tmp/short.txt"
check "the fuzzer is built" ninja -C "$build" tests/fuzz/ioctl/faa-ioctl-fuzz
check "a field without a known meaning is an error" grammar
check "a damaged corpus is refused" refuse "short.txt:1: expected at most 24 lines of 64 hexadecimal digits" \
	"$fuzz/run.sh" --corpus="$tmp/short.txt" --replay
check "a complaint of the kernel ends the run and names the program" complains
check "a device that stops working ends the run" refuse "the device does not work" \
	env FAA_VDEV_OPTS=--fault=stick-tlb@20 "$fuzz/run.sh" --seconds=60
check "programs of the corpus do the same twice" replays
check "a signal ends a run after its program" ends_between
check "programs are exchanged" exchanges
check "a guest that fails ends the other" fails_together
check "Ctrl-C ends all guests" is_interrupted
check "what a killed run has found is kept by the next" is_killed
# Each place that was reached is one of those in the machine code, but for some of assembler.
counts() {
	/usr/bin/python3 "$fuzz/coverage.py" "$build" "$tmp/reached" faa_job.c >"$tmp/coverage" && cat "$tmp/coverage" &&
		awk '$1 == "faa_job.c" && $4 >= 60 { job = 1 } $1 == "drm_gpuvm" && $2 > 100 { gpuvm = 1 }
			/^faa_job.c: not reached: lines [0-9]/ { lines = 1 } / not in the tables/ && $1 > 100 { lost = 1 }
			END { exit !(job && gpuvm && lines && !lost) }' "$tmp/coverage"
}

# Faults of the hardware, several in one run, or ten minutes each: the device recovers from them.
broken() {
	local fault time=10 faults=("--fault=lose-irq:3@300 --fault=stop-axi:2@100 --fault=ignore-kill:9")

	[ -z "${FAA_LONG:-}" ] || time=600 faults=(--fault=lose-irq:1000@300 --fault=stop-axi:20@100 --fault=ignore-kill:1000 --fault=ignore-reset:3
		--fault=stick-tlb:1@300 --fault=read-ones:1000@100)
	for fault in "${faults[@]}"; do
		FAA_VDEV_OPTS=$fault "$fuzz/run.sh" --jobs=1 --seed="${FAA_SEED:-$RANDOM}" --seconds="$time" || return 1
		grep -q " reset, queues" "$build/test-logs/ioctl-fuzz-kernel.log" || { echo "$fault: no reset"; return 1; }
	done
}

check "random programs" runs
check "random programs on a device with faults" broken
check "their coverage" counts
finish
