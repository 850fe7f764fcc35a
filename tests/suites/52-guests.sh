#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 900
# kernel
#
# faa-run --guests: several guests, their network, commands in another guest, output and exit
# status, and what is left when one of them dies.
set -uo pipefail
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/../programs.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export TMPDIR=$tmp
faa_run=$build/bin/faa-run
rsh=$build/bin/faa-rsh

guests() { # N OPTIONS... PROGRAM...
	local count=$1

	shift
	"$faa_run" --no-device --mem=128M --timeout=120 --guests="$count" "$@"
}

each_has_its_name() {
	local want=$'guest0: guest0\nguest1: guest1\nguest2: guest2'

	[ "$(guests 3 --each hostname | sort)" = "$want" ]
}

each_has_a_device() {
	local out

	out=$("$faa_run" --engine=model --timeout=120 --guests=3 --each sh -c "ls /dev/dri/renderD128" | sort)
	echo "$out"
	[ "$(grep -c '^guest[012]: /dev/dri/renderD128$' <<<"$out")" -eq 3 ]
}

# The exit status is the first guest's whose status is not 0.
each_counts_for_the_status() {
	# shellcheck disable=SC2016 # the guest's shell expands it
	ends_with 2 guests 4 --each sh -c 'case $(hostname) in guest1) exit 0;; guest2) exit 2;; guest3) exit 3;; esac'
}

output_keeps_its_stream() {
	guests 2 --each sh -c "echo out; echo err >&2; printf unfinished" >"$tmp/out" 2>"$tmp/err"
	sort "$tmp/out" >"$tmp/sorted"
	[ "$(cat "$tmp/sorted")" = $'guest0: out\nguest0: unfinished\nguest1: out\nguest1: unfinished' ] &&
		[ "$(sort "$tmp/err")" = $'guest0: err\nguest1: err' ] || { cat "$tmp/out" "$tmp/err"; return 1; }
}

standard_input_is_the_programs() {
	[ "$(echo "some words" | guests 2 sh -c "cat; $rsh guest1 cat </dev/null")" = "some words" ]
}

# 8 MiB to another guest and back, through both programs.
data_is_exact() {
	head -c 8388608 /dev/urandom >"$tmp/noise"
	[ "$(guests 2 sh -c "$rsh guest1 cat <'$tmp/noise' | sha256sum")" = "$(sha256sum <"$tmp/noise")" ]
}

# Every guest reaches every other one by its name, at the same time.
all_reach_all() {
	local out

	# shellcheck disable=SC2016 # the guests' shells expand it
	out=$(guests 4 --each sh -c 'for i in 0 1 2 3; do '"$rsh"' guest$i hostname; done' | sort | uniq -c)
	echo "$out"
	[ "$(wc -l <<<"$out")" -eq 16 ]
}

commands_have_the_directory() {
	(cd "$tmp" && is "$(readlink -f "$tmp")" guests 2 "$rsh" guest1 pwd)
}

# The caller's end ends the command, too.
caller_goes() {
	# shellcheck disable=SC2016 # the other guest's shell expands it
	guests 2 sh -c "timeout 2 $rsh guest1 'echo \$\$ >/dev/shm/pid; exec sleep 60'; sleep 1
		$rsh guest1 '! kill -0 \$(cat /dev/shm/pid)'"
}

# closed_output_ends STATUS OPTIONS... PROGRAM...: without a reader of its output the program ends.
closed_output_ends() {
	local want=$1 status

	shift
	guests 2 "$@" | head -n 1 >"$tmp/line"
	status=${PIPESTATUS[0]}
	[ -s "$tmp/line" ] && [ "$status" -eq "$want" ] || { echo "exit status $status"; return 1; }
}

loopback_works() {
	"$faa_run" --no-device --timeout=60 python3 -c '
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
server.accept()[0].sendall(b"here")
assert client.recv(4) == b"here"'
}

# A guest that dies is named, and ends the run within seconds.
death_is_named() {
	local started=$SECONDS status=0

	guests 3 --pids="$tmp/pids" sh -c "touch '$tmp/started'; sleep 60" 2>"$tmp/err" &
	wait_for "$tmp/started"
	wait_for "$tmp/pids-guest2"
	kill -KILL "$(sed -n 's/^kernel //p' "$tmp/pids-guest2")"
	wait "$!" || status=$?
	cat "$tmp/err"
	[ "$status" -eq 125 ] && grep -q "guest2 has ended" "$tmp/err" && [ $((SECONDS - started)) -lt 40 ]
}

interrupt_ends_all() {
	local status=0

	rm -f "$tmp/started"
	guests 2 sh -c "touch '$tmp/started'; exec sleep 60" &
	wait_for "$tmp/started"
	kill -TERM $!
	wait "$!" || status=$?
	[ "$status" -eq 143 ] || { echo "exit status $status"; return 1; }
}

check "a guest alone has a loopback" loopback_works
check "each guest has its name" each_has_its_name
check "each guest has a device" each_has_a_device
check "the exit status is the first that is not 0" each_counts_for_the_status
check "standard output and error stay apart" output_keeps_its_stream
check "the program runs in the first guest" is guest0 guests 3 hostname
check "its exit status is that of the run" ends_with 7 guests 2 sh -c "exit 7"
check "standard input is the program's" standard_input_is_the_programs
check "a command in another guest" is guest1 guests 2 "$rsh" guest1 hostname
check "its exit status" ends_with 5 guests 2 "$rsh" guest1 "exit 5"
check "a signal that ends it" ends_with 143 guests 2 "$rsh" guest1 "kill -TERM \$\$"
check "its working directory" commands_have_the_directory
check "8 MiB to another guest and back" data_is_exact
check "all guests reach all" all_reach_all
check "a command whose caller goes is ended" caller_goes
check "a program without a reader of its output ends, in each guest" closed_output_ends 141 --each yes
check "a command without a reader of its output ends" closed_output_ends 0 sh -c "$rsh guest1 yes | head -n 1"
check "a guest that there is not" says "there is no guest 'guest7'" guests 2 "$rsh" guest7 true
check "a guest that dies is named" death_is_named
check "SIGTERM ends the program and all guests" interrupt_ends_all
check "no guests" says "--guests takes a number of guests from 1 to 16, not '0'" "$faa_run" --guests=0 true
check "too many guests" says "from 1 to 16, not '17'" "$faa_run" --guests=17 true
check "--each without --guests" says "--each needs --guests" "$faa_run" --each true
check "the debug kernel has no network" says "needs --kernel=plain" "$faa_run" --guests=2 --kernel=debug true
check "at the end no process and no file is left" nothing_is_left
finish
