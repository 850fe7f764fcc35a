#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1800
# kernel
#
# The program, or the virtual device, is killed in mid-job: the kernel stays healthy and its log
# clean.
set -uo pipefail
# shellcheck source=tests/tap.sh
. "$(dirname "$(readlink -f "$0")")/../tap.sh"
run=$build/bin/faa-run
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Start the unplug test, kill faa-vdev when it says READY; the test must end well and the log be
# clean.
device_dies() { # engine flavour signal
	local pid status=0 i

	rm -f "$tmp/out" "$tmp/pids"
	"$run" --engine="$1" --kernel="$2" --check-log=noleaks --timeout=240 --pids="$tmp/pids" --log="$tmp/log" \
		"$build/tests/kselftest/unplug" >"$tmp/out" 2>&1 &
	pid=$!
	for ((i = 0; i < 1200; i++)); do
		if grep -q '^READY$' "$tmp/out" 2>/dev/null || ! kill -0 "$pid" 2>/dev/null; then break; fi
		sleep 0.1
	done
	grep -q '^READY$' "$tmp/out" || { cat "$tmp/out"; kill "$pid" 2>/dev/null; wait "$pid"; return 1; }
	kill "-$3" "$(sed -n "s/^vdev //p" "$tmp/pids")"
	wait "$pid" || status=$?
	cat "$tmp/out"
	tail -n 15 "$tmp/log"
	return "$status"
}

# faa-run itself is ended by a signal while a job runs: none of its processes may stay.
run_is_ended() {
	local pid vdev guest i

	rm -f "$tmp/out" "$tmp/pids"
	"$run" --engine=model --pids="$tmp/pids" "$build/tests/kselftest/unplug" >"$tmp/out" 2>&1 &
	pid=$!
	for ((i = 0; i < 600; i++)); do
		if grep -q '^READY$' "$tmp/out" 2>/dev/null || ! kill -0 "$pid" 2>/dev/null; then break; fi
		sleep 0.1
	done
	grep -q '^READY$' "$tmp/out" || { cat "$tmp/out"; kill "$pid" 2>/dev/null; wait "$pid"; return 1; }
	vdev=$(sed -n "s/^vdev //p" "$tmp/pids")
	guest=$(sed -n "s/^kernel //p" "$tmp/pids")
	kill -TERM "$pid"
	wait "$pid"
	for ((i = 0; i < 100; i++)); do
		kill -0 "$vdev" 2>/dev/null || kill -0 "$guest" 2>/dev/null || return 0
		sleep 0.1
	done
	echo "still there: faa-vdev $vdev or the kernel $guest"
	return 1
}

program_dies() { # engine flavour test
	"$run" --engine="$1" --kernel="$2" --check-log --timeout=400 "$build/tests/kselftest/kill" -t "$3"
}

# A device so slow that a kill, which takes some thousand cycles of its clock, takes seconds.
slow_device() {
	FAA_VDEV_OPTS="--pace=1000 --latency=2000" "$run" --engine=rtl --kernel=plain --check-log --timeout=240 \
		--module-args="job_timeout_ms=30000 job_limit_ms=60000" \
		"$build/tests/kselftest/timeout" -t destroying_a_queue_is_no_timeout
}

for signal in KILL TERM; do
	check "faa-vdev gets SIG$signal in mid-job, C model, debug kernel" device_dies model debug $signal
done
check "faa-vdev gets SIGKILL in mid-job, RTL" device_dies rtl plain KILL
check "the program gets SIGKILL in an endless job, C model, debug kernel" program_dies model debug in_an_endless_job
check "the program gets SIGKILL in an endless job, RTL" program_dies rtl plain in_an_endless_job
check "the program gets SIGKILL while its job writes, RTL" program_dies rtl plain in_endless_writes
check "a device that needs seconds to stop a job is not given up, RTL" slow_device
check "faa-run gets SIGTERM in mid-job and leaves nothing behind" run_is_ended
finish
