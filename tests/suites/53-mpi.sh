#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# kernel
#
# libfaa_mpi and its examples on one and several guests: results, the same bits on any number of
# ranks, and what every rank says when a rank, a device or the disk fails.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$0")/../tap.sh"
# shellcheck source=tests/programs.sh
. "$(dirname "$0")/../programs.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export TMPDIR=$tmp
faa_run=$build/bin/faa-run
table=$build/tests/mpi/mpi_table_test

in_guest() { # COMMAND...
	"$faa_run" --engine=model --timeout=120 --check-log=noleaks "$@"
}

# guests N OPTIONS... mpirun...: with a device each
guests() {
	local count=$1

	shift
	"$faa_run" --engine=model --mem=256M --timeout=120 --guests="$count" "$@"
}

tests_pass() { # RANKS COMMAND...: all tests that the program has without a name
	local ranks=$1 out want

	shift
	out=$("$@" 2>&1) || { echo "$out"; return 1; }
	want=$("$table" --list | sed "s/\$/: passed with $ranks ranks/")
	[ "$out" = "$want" ] || { echo "$out"; return 1; }
}

# The digest of the values on 1, 2 and 4 ranks, in one guest and in several.
same_bits() {
	local ranks digest digests=()

	for ranks in 1 2 4; do
		digest=$(in_guest mpirun -n "$ranks" "$build/bin/mpi_pagerank" --rounds=5 --json) || return 1
		digests+=("$(grep -o '"digest": "[^"]*"' <<<"$digest")")
	done
	digest=$(guests 2 mpirun -n 2 "$build/bin/mpi_pagerank" --rounds=5 --json) || return 1
	digests+=("$(grep -o '"digest": "[^"]*"' <<<"$digest")")
	printf '%s\n' "${digests[@]}"
	[ -n "${digests[0]}" ] && [ "$(printf '%s\n' "${digests[@]}" | sort -u | wc -l)" -eq 1 ]
}

# Starts a run in the background, until all of its ranks have begun.
start() { # RANKS COMMAND...
	local ranks=$1

	shift
	: >"$tmp/out"
	"$@" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	until_said "$tmp/out" "$ranks" begins || { echo "the ranks have not begun"; cat "$tmp/out" "$tmp/err"; return 1; }
}

# ends_within SECONDS: the run of start
ends_within() {
	local until=$((SECONDS + $1))

	while kill -0 "$pid" 2>/dev/null && [ "$SECONDS" -lt "$until" ]; do sleep 0.1; done
	! kill -0 "$pid" 2>/dev/null || { echo "it still runs after $1 s"; kill "$pid"; wait "$pid"; return 1; }
	status=0
	wait "$pid" || status=$?
	cat "$tmp/out" "$tmp/err"
}

# The device of rank 1 is pulled out: both ranks name it, within ten seconds.
device_goes() {
	local pid status rank

	start 2 guests 2 --pids="$tmp/pids" mpirun -n 2 "$table" until-failure || return 1
	kill -KILL "$(sed -n 's/^vdev //p' "$tmp/pids-guest1")"
	ends_within 10 || return 1
	for rank in 0 1; do
		grep -qE "^rank $rank: -[0-9]+: faa_mpi_update: rank 1: .*(device|gone)" "$tmp/out" || { echo "rank $rank does not say so"; return 1; }
	done
}

# A rank is killed: MPI ends the others, and mpirun names it.
rank_goes() {
	local pid status

	# shellcheck disable=SC2016 # the guest's shell expands it
	start 2 in_guest mpirun -n 2 sh -c 'echo $$ >/dev/shm/rank$OMPI_COMM_WORLD_RANK; [ "$OMPI_COMM_WORLD_RANK" = 0 ] || (sleep 3; kill -KILL $$) & exec "$0" until-failure' "$table" || return 1
	ends_within 13 || return 1
	[ "$status" -ne 0 ] && grep -q "signal 9 (Killed)" "$tmp/err"
}

# A guest is killed with its kernel.
guest_goes() {
	local pid status

	start 2 guests 2 --pids="$tmp/pids" mpirun -n 2 "$table" until-failure || return 1
	kill -KILL "$(sed -n 's/^kernel //p' "$tmp/pids-guest1")"
	ends_within 10 || return 1
	[ "$status" -ne 0 ] && grep -q "guest1 has ended" "$tmp/err"
}

# The output goes to a full disk: the program says so.
disk_is_full() {
	local out

	# shellcheck disable=SC2016 # the guest's shell expands it
	out=$(in_guest sh -c 'mpirun -n 2 sh -c '"'"'exec "$0" --log2=10 >/dev/full'"'"' "$0"' "$build/bin/mpi_gups" 2>&1) && { echo "exit status 0"; return 1; }
	echo "$out"
	grep -q "mpi_gups: rank 0: .*No space left on device" <<<"$out"
}

without_a_device() {
	local status=0 out

	out=$("$build/bin/mpi_gups" 2>&1) || status=$?
	echo "$out"
	[ "$status" -eq 1 ] && grep -q "faa-run" <<<"$out"
}

check "batches: each update once, results in order" "$build/tests/mpi/test_mpi_batch"
check "the tests of the table, one rank" tests_pass 1 in_guest "$table"
check "the tests of the table, three ranks on a device" tests_pass 3 in_guest mpirun -n 3 "$table"
check "the tests of the table, two guests" tests_pass 2 guests 2 mpirun -n 2 "$table"
check "the tests of the table, four guests" tests_pass 4 guests 4 mpirun -n 4 "$table"
check "two ranks with a device each in one guest" tests_pass 2 in_guest --devices=2 mpirun -n 2 "$table"
check "two ranks on the RTL" says '"check": true' "$faa_run" --engine=rtl --timeout=300 --guests=2 mpirun -n 2 "$build/bin/mpi_gups" --log2=8 --json
check "RandomAccess, four guests: no errors" says "verification passed: 0 errors" guests 4 mpirun -n 4 "$build/bin/mpi_gups" --log2=12
check "histogram and index-gather, two guests: no errors" says "check passed" guests 2 mpirun -n 2 "$build/bin/mpi_bale" --updates=20000
check "PageRank has the same bits on 1, 2 and 4 ranks" same_bits
check "three methods of updating give the same table" says "device " in_guest mpirun -n 2 --mca osc pt2pt "$build/tests/mpi/mpi_rates" --updates=20000
check "a device that goes is named by all ranks" device_goes
check "a rank that is killed ends the job" rank_goes
check "a guest that dies ends the job" guest_goes
check "a full disk for the output is an error" disk_is_full
check "without a device faa-run is named" without_a_device
check "at the end no process and no file is left" nothing_is_left
finish
