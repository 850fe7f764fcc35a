#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs the suites of tests/suites, two at a time, or three where memory allows it, and adds up their
# results.
#
#   tests/run.sh [SUITE...]   suites whose names begin with SUITE, like 50; default: all
#
# A suite is an executable whose last line is "N passed, M failed" and whose comment "# timeout:
# SECONDS" limits its time, to ten times as much with FAA_LONG. A suite that prints no sum, runs out
# of time, or ends with a status other than 0 without having counted a failure, is a failure itself.
#
# Other comments of a suite select how it runs:
#   # kernel      boots kernels, whose drivers have time limits: one such suite runs at a time, and
#                 the suites beside it run at lower priority
#   # alone       changes the machine: no other suite runs at the same time
#   # long        runs only with FAA_LONG=1 or by its name
#   # inputs: ..., # modules: ..., # generated: ...
#                 its result follows from these files alone: once all of it has passed, it does not
#                 run again with the same files, seeds and packages (tests/kept.py), unless
#                 FAA_FRESH is set
#
# The output of a suite is in build/test-logs/SUITE.log, the time and the processor time of each in
# build/test-logs/costs. The last lines of a run name each test that failed.
#
# tests/supervise.py runs each suite: when this script ends, or the suite's time is up, all
# processes that the suite has started are ended. FAA_SUITES and FAA_LOGS name other directories of
# suites and for logs.
set -uo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
export FAA_BUILD=${FAA_BUILD:-$top/build}
FAA_VENV=$("$top/sim/setup/setup.sh" --print-venv)
export FAA_VENV
logs=${FAA_LOGS:-$FAA_BUILD/test-logs}
suite_dir=${FAA_SUITES:-$top/tests/suites}
passed=0
failed=0
total_cpu=0
kept=0

clock() {
	printf '%d:%02d' $(($1 / 60)) $(($1 % 60))
}

# Names of the suites that the arguments select; without arguments, of all.
choose() {
	local path name want

	for path in "$suite_dir"/*; do
		name=$(basename "$path" .sh)
		[ "$#" -gt 0 ] || { [ -z "${FAA_LONG:-}" ] && says "$name" long; } || echo "$name"
		for want in "$@"; do
			case $name in "${want%.sh}"*) echo "$name"; break ;; esac
		done
	done
}

# Shows the running suites: one line that is redrawn in a terminal, else a line for each suite once
# a minute.
show_running() {
	local name line='' elapsed

	for name in "${!pid_of[@]}"; do
		elapsed=$((SECONDS - start_of[$name]))
		line+="$name $(grep -cE '^ *ok ' "$logs/$name.log") ok, $(clock $elapsed)   "
		if [ ! -t 1 ] && [ "$elapsed" -ge "${next_of[$name]}" ]; then
			next_of[$name]=$((next_of[$name] + 60))
			printf '%-28s %d ok, %s ...\n' "$name" "$(grep -cE '^ *ok ' "$logs/$name.log")" "$(clock $elapsed)"
		fi
	done
	if [ -t 1 ]; then printf '\r%s\033[K' "$line"; fi
}

show_failures() {
	grep -nE '^ *not ok|^[^ ]*: (error|warning)|^FAIL' "$1" | head -n 20 | sed 's/^/    /'
	echo "    ... the end of $1:"
	tail -n 15 "$1" | sed 's/^/    /'
}

# Prints the lines of log $1 that say why a test failed: of cmocka, kselftest_harness.h, faa-run.
# Names of waveforms are among them.
reasons_in() {
	grep -h -A 1 --no-group-separator -e '\[  ERROR   \]' -e '\[   LINE   \]' -e '[0-9]:[A-Za-z0-9_.]*:Expected ' \
		-e 'Test terminated' -e '^.\{0,8\}faa-run: ' -e '^.\{0,8\}waveform: ' "$1" | sed -E 's/^[^a-zA-Z[]*//' | grep . | cut -c 1-200 | uniq | head -n 8
}

# Notes for the end of the whole run which tests of suite $1 failed, with their reasons, and $2, the
# suite's own reason, if any.
note_failures() {
	local name=$1 why=$2 line

	while read -r line; do
		failures+=("$name: $line")
	done < <(grep -E '^ *not ok' "$logs/$name.log" | sort -u | head -n 20)
	[ -z "$why" ] || failures+=("$name: $why")
	while read -r line; do
		failures+=("    $line")
	done < <(reasons_in "$logs/$name.log")
}

# The seconds that suite $1 may take: the number after "# timeout:", more with FAA_LONG, with which
# suites repeat their tests more often.
limit_of() {
	local limit

	limit=$(sed -n 's/^# timeout: \([0-9]*\)$/\1/p' "$suite_dir/$1.sh" | head -n 1)
	echo "${limit:-600}${FAA_LONG:+0}"
}

# Whether suite $1 says "# $2".
says() {
	grep -qx "# $2" "$suite_dir/$1.sh"
}

# Counts the kept result of suite $1 if all of it passed with the present inputs; else returns
# false. Then kept_as has the path for its log if it passes. The path is computed from the inputs
# before the suite runs.
take_kept() {
	local name=$1 log status=0 ok

	grep -qE '^# (inputs|modules|generated): ' "$suite_dir/$name.sh" || return 1
	log=$("$top/tests/kept.py" find "$suite_dir/$name.sh" 2>/dev/null) || status=$?
	[ -z "$log" ] || kept_as[$name]=$log
	[ "$status" -eq 0 ] || return 1
	ok=$(sed -nE '$s/^([0-9]+) passed, 0 failed$/\1/p' "$log")
	[ -n "$ok" ] || return 1
	cp "$log" "$logs/$name.log"
	passed=$((passed + ok))
	kept=$((kept + 1))
	printf '%-28s %d passed, 0 failed, as before: nothing that it depends on has changed\n' "$name" "$ok"
}

start_suite() {
	local name=$1 nice=(nice)

	says "$name" kernel && nice=()
	: >"$logs/$name.log"
	rm -f "$logs/$name.cost"
	"${nice[@]}" "$top/tests/supervise.py" --timeout="$(limit_of "$name")" --cost="$logs/$name.cost" --die-with-parent -- \
		"$suite_dir/$name.sh" >"$logs/$name.log" 2>&1 </dev/null &
	pid_of[$name]=$!
	start_of[$name]=$SECONDS
	next_of[$name]=60
}

# Counts what suite $1 printed and how it ended.
end_suite() {
	local name=$1 log=$logs/$1.log status=0 sum ok=0 bad=0 why='' wall='' cpu=''

	wait "${pid_of[$name]}" || status=$?
	read -r wall cpu 2>/dev/null <"$logs/$name.cost" || { wall=$((SECONDS - start_of[$name])); cpu=0; }
	printf '%s %s %s\n' "$name" "$wall" "$cpu" >>"$logs/costs"
	total_cpu=$((total_cpu + ${cpu%.*}))
	sum=$(tail -n 1 "$log" | grep -xE '[0-9]+ passed, [0-9]+ failed')
	if [ -n "$sum" ]; then
		ok=${sum%% *}
		bad=${sum#*, }
		bad=${bad% failed}
	fi
	if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
		why="not done after $(limit_of "$name") s"
	elif [ -z "$sum" ]; then
		why="ended with status $status and without a sum"
	elif [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
		why="ended with status $status"
	elif [ "$((ok + bad))" -eq 0 ]; then
		why="ran no test"
	fi
	[ -z "$why" ] || bad=$((bad + 1))
	passed=$((passed + ok))
	failed=$((failed + bad))
	[ "$bad" -ne 0 ] || [ -z "${kept_as[$name]:-}" ] || "$top/tests/kept.py" keep "${kept_as[$name]}" "$log" || true
	if [ -t 1 ]; then printf '\r\033[K'; fi
	printf '%-28s %d passed, %d failed, %s, processors %s%s\n' "$name" "$ok" "$bad" "$(clock "${wall%.*}")" "$(clock "${cpu%.*}")" "${why:+: $why}"
	[ "$bad" -eq 0 ] || { show_failures "$log"; note_failures "$name" "$why"; }
	unset "pid_of[$name]"
}

# Waits until at most $1 suites run.
wait_for_suites() {
	local name

	while [ "${#pid_of[@]}" -gt "$1" ]; do
		for name in "${!pid_of[@]}"; do
			kill -0 "${pid_of[$name]}" 2>/dev/null || end_suite "$name"
		done
		[ "${#pid_of[@]}" -le "$1" ] || { show_running; sleep 0.5; }
	done
}

# Takes the first suite of the list $1 into $next; false if there is none.
take() {
	local -n list=$1

	[ "${#list[@]}" -gt 0 ] || return 1
	next=${list[0]}
	list=("${list[@]:1}")
}

# How many suites run at a time. One often waits, for a kernel or for one compiler; three need 4
# GiB.
count_slots() {
	awk '$1 == "MemAvailable:" { available = $2 } END { print (available >= 4 * 1048576 ? 3 : 2) }' /proc/meminfo
}

# Runs suites that boot kernels one after the other, and the other suites beside them.
run_all() {
	local kernel=() other=() name next slots

	slots=$(count_slots)
	for name in "$@"; do
		if take_kept "$name"; then
			continue
		elif says "$name" alone; then
			start_suite "$name"
			wait_for_suites 0
		elif says "$name" kernel; then
			kernel+=("$name")
		else
			other+=("$name")
		fi
	done
	while [ "$((${#kernel[@]} + ${#other[@]}))" -gt 0 ]; do
		if { ! kernel_runs && take kernel; } || take other; then
			start_suite "$next"
			wait_for_suites $((slots - 1))
		else
			wait_for_suites $((${#pid_of[@]} - 1))
		fi
	done
	wait_for_suites 0
}

kernel_runs() {
	local name

	for name in "${!pid_of[@]}"; do
		if says "$name" kernel; then return 0; fi
	done
	return 1
}

# Where the scheduler weighs sessions, nice counts only within a session, and faa-run's processes
# have sessions of their own: the weight of this session has to be lowered, too.
be_nice() { # 0..19
	echo "$1" 2>/dev/null >/proc/self/autogroup || true
}

# Handles SIG$1 that ends this script: ends all suites, with all processes that they have started.
interrupted() {
	trap '' INT TERM HUP
	[ "${#pid_of[@]}" -eq 0 ] || kill -TERM "${pid_of[@]}" 2>/dev/null
	wait
	if [ -t 1 ]; then printf '\r\033[K'; fi
	echo "interrupted by SIG$1; ended with all that they had started: ${!pid_of[*]}"
	trap - "$1"
	kill -s "$1" "$$"
}

declare -A pid_of=() start_of=() next_of=() kept_as=()
failures=()
mkdir -p "$logs"
mapfile -t suites < <(choose "$@")
if [ "${#suites[@]}" -eq 0 ]; then
	echo "no suite begins with: $*" >&2
	echo "0 passed, 1 failed"
	exit 1
fi
trap 'be_nice 0' EXIT
for signal in INT TERM HUP; do
	# shellcheck disable=SC2064 # the signal that it is set for
	trap "interrupted $signal" "$signal"
done
be_nice 10
: >"$logs/costs"
run_all "${suites[@]}"
summary="all suites: $(clock $SECONDS), processors $(clock "$total_cpu")"
[ "$kept" -eq 0 ] || summary+="; $kept suites did not run again (FAA_FRESH=1 runs them)"
echo "$summary"
[ "${#failures[@]}" -eq 0 ] || printf 'failed: %s\n' "${failures[@]}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
