#!/bin/bash
# SPDX-License-Identifier: MIT
# timeout: 1200
# kernel
#
# faa-run with programs of the host: exit status, standard input, output and error, signals,
# terminal, and no process or file left over. Where the virtual device and the driver are built, the
# device node too.
set -uo pipefail
. "$(dirname "$0")/../tap.sh"
. "$(dirname "$0")/../programs.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export TMPDIR=$tmp
faa_run=$build/bin/faa-run

bare() {
	"$faa_run" --no-device --timeout=120 "$@"
}

output_is_exact() {
	[ "$(bare cat "$tmp/noise" | sha256sum)" = "$(sha256sum <"$tmp/noise")" ]
}

input_file_is_exact() {
	[ "$(bare sha256sum <"$tmp/noise")" = "$(sha256sum <"$tmp/noise")" ]
}

input_file_starts_at_its_offset() {
	local out

	out=$({ head -c 12345 >/dev/null; bare sha256sum; } <"$tmp/noise")
	[ "$out" = "$(tail -c +12346 "$tmp/noise" | sha256sum)" ]
}

input_pipe_is_exact() {
	[ "$(head -c 300000 "$tmp/noise" | bare cat | sha256sum)" = "$(head -c 300000 "$tmp/noise" | sha256sum)" ]
}

every_byte_passes() {
	local bytes

	bytes=$(printf '\\x%02x' $(seq 0 255))
	[ "$(printf "$bytes" | bare cat | od -An -tx1)" = "$(printf "$bytes" | od -An -tx1)" ]
}

error_is_apart() {
	local out

	out=$(bare sh -c 'echo out; echo err >&2' 2>"$tmp/err")
	[ "$out" = out ] && [ "$(cat "$tmp/err")" = err ]
}

# Both streams on one pipe: the order of writing is kept.
order_is_kept() {
	local script='for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done'

	[ "$(bare sh -c "$script" 2>&1)" = "$(sh -c "$script" 2>&1)" ]
}

# The reader goes away: the program gets SIGPIPE, as on the host, and does not run for ever.
closed_output_ends_program() {
	local start=$SECONDS

	[ "$(bare yes | head -n 3 | wc -l)" -eq 3 ] && [ $((SECONDS - start)) -lt 20 ]
}

environment_passes() {
	[ "$(cd /usr/lib && WORD='a b' bare sh -c 'echo "$WORD $PWD $(umask) $1"' sh 'x  y')" = \
		"$(cd /usr/lib && WORD='a b' sh -c 'echo "$WORD $PWD $(umask) $1"' sh 'x  y')" ]
}

files_reach_the_host() {
	bare sh -c "head -c 1000000 '$tmp/noise' >'$tmp/copy'" && cmp -n 1000000 "$tmp/noise" "$tmp/copy" &&
		[ "$(stat -c %s "$tmp/copy")" -eq 1000000 ]
}

# signal_gives SIGNAL STATUS COMMAND...: faa-run gets the signal once the program runs.
signal_gives() {
	local number=$1 want=$2 pid status=0

	shift 2
	rm -f "$tmp/started"
	"$faa_run" --no-device --timeout=60 "$@" >"$tmp/signal.out" &
	pid=$!
	wait_for "$tmp/started"
	kill -s "$number" "$pid"
	wait "$pid" || status=$?
	[ "$status" -eq "$want" ] || { echo "exit status $status, expected $want"; return 1; }
}

# Killed without a chance to clean up: its processes end with it, the next run removes the
# directory.
nothing_is_left_after_kill() {
	local pid

	"$faa_run" --no-device sleep 60 &
	pid=$!
	sleep 2
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	sleep 1
	pgrep -af "$tmp/faa-run\." && return 1
	bare true
	nothing_is_left
}

time_limit_ends_all() {
	ends_with 125 "$faa_run" --no-device --timeout=2 sleep 60 && nothing_is_left
}

terminal_works() {
	/usr/bin/python3 - "$faa_run" <<'END'
import os, pty, select, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "--no-device", "sh", "-c",
             "test -t 0 && test -t 1 && test -t 2 && echo a-terminal; trap 'echo caught; exit 9' INT; echo ready; while :; do sleep 0.1; done"])
seen, end = b"", time.time() + 60
sent = False
while time.time() < end:
    if select.select([fd], [], [], 0.2)[0]:
        try:
            data = os.read(fd, 4096)
        except OSError:
            break
        if not data:
            break
        seen += data
    if b"ready" in seen and not sent:
        os.write(fd, b"\x03")
        sent = True
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
print(seen, status)
sys.exit(0 if b"a-terminal" in seen and b"caught" in seen and status == 9 else 1)
END
}

boots_in_a_row() { # FLAVOUR COUNT
	local i

	for i in $(seq "$2"); do
		[ "$("$faa_run" --kernel="$1" --no-device --timeout=120 echo "boot $i")" = "boot $i" ] || return 1
	done
}

kernel_log_is_kept() {
	bare --log="$tmp/kernel.log" true && grep -q "Linux version 6.12" "$tmp/kernel.log" &&
		grep -q "Power down" "$tmp/kernel.log"
}

complaint_is_found() {
	ends_with 124 "$faa_run" --kernel="$1" --no-device --check-log=noleaks sh -c 'echo "WARNING: a test" >/dev/kmsg'
}

# A program that fails does not hide complaints of the kernel, and errors of drivers are complaints.
complaint_outranks_status() {
	ends_with 124 "$faa_run" --no-device --check-log sh -c 'echo "[drm] *ERROR* a test" >/dev/kmsg; exit 3'
}

# Lines that a run causes on purpose: exactly so many.
expected_lines_are_counted() {
	local twice='echo "[drm] *ERROR* a test" >/dev/kmsg; echo "[drm] *ERROR* a test" >/dev/kmsg'

	ends_with 0 "$faa_run" --no-device --check-log --expect-log='2:ERROR. a test$' sh -c "$twice" &&
		ends_with 124 "$faa_run" --no-device --check-log --expect-log='0-1:ERROR. a test$' sh -c "$twice" &&
		ends_with 124 "$faa_run" --no-device --check-log --expect-log='3-9:ERROR. a test$' sh -c "$twice" &&
		ends_with 124 "$faa_run" --no-device --check-log --expect-log='2:ERROR. another' sh -c "$twice" &&
		ends_with 2 "$faa_run" --no-device --check-log --expect-log='2:(' true
}

clean_log_passes() {
	"$faa_run" --kernel="$1" --no-device --check-log true
}

guest_is_linux_uml() {
	bare sh -c 'test "$(uname -r | cut -d. -f1,2)" = 6.12 && grep -q "User Mode Linux" /proc/cpuinfo && test "$(id -u)" = 0'
}

# A report needs a stack: kmemleak and lockdep find theirs as this file does.
debug_has_stacks() {
	"$faa_run" --kernel=debug --no-device sh -c 'cat /proc/self/stack' >"$tmp/stack" &&
		grep -q ' vfs_read+' "$tmp/stack" && grep -q ' handle_syscall+' "$tmp/stack"
}

# libc calls the constructors of files of the kernel, on a stack with any content: a crash in 3 % of
# the starts, before the coverage of KCOV waited for the system.
debug_kernel_starts() {
	local i

	for ((i = 0; i < 300; i++)); do
		"$build/kernel-debug/linux" --version || { echo "start $i ended with status $?"; return 1; }
	done
}

# faa-vdev ends shortly before the kernel when the guest powers off. The kernel is stopped in that
# interval, if the test hits it.
power_off_is_no_unplug() {
	/usr/bin/python3 - "$faa_run" "$tmp" <<'END'
import os, pathlib, signal, subprocess, sys, time


def state(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]


def power_off(faa_run, ending, pids):
    """Whether the kernel outlived faa-vdev, and what faa-run said of it."""
    ending.unlink(missing_ok=True)
    run = subprocess.Popen([faa_run, "--engine=model", "--no-driver", f"--pids={pids}", "sh", "-c",
                            f"touch '{ending}'; sleep 0.3"], stderr=subprocess.PIPE, text=True)
    while not ending.exists():
        time.sleep(0.01)
    run.send_signal(signal.SIGSTOP)
    pid = dict(line.split() for line in pids.read_text().splitlines())
    while state(pid["vdev"]) != "Z":
        pass
    os.kill(int(pid["kernel"]), signal.SIGSTOP)
    time.sleep(0.05)
    met = state(pid["kernel"]) != "Z"
    run.send_signal(signal.SIGCONT)
    return met, run.communicate()[1]


tmp = pathlib.Path(sys.argv[2])
for _ in range(20):
    met, said = power_off(sys.argv[1], tmp / "ending", tmp / "pids")
    if said:
        sys.exit(said)
    if met:
        break
END
}

# A program whose sanitizer finds no address space fails, and faa-run says why; one with UBSan runs.
sanitizers_are_explained() {
	local option

	echo 'int main(void) { return 0; }' >"$tmp/program.c"
	for option in address thread leak; do
		cc -fsanitize="$option" -o "$tmp/$option" "$tmp/program.c" &&
			! bare "$tmp/$option" >"$tmp/out" 2>&1 &&
			grep -q "'$tmp/$option' is built with .*Sanitizer, which needs more address space" "$tmp/out" ||
			{ tail -n 5 "$tmp/out"; return 1; }
	done
	cc -fsanitize=undefined -o "$tmp/undefined" "$tmp/program.c" && bare "$tmp/undefined"
}

debug_has_checkers() {
	"$faa_run" --kernel=debug --no-device sh -c '
		test -e /sys/kernel/debug/kmemleak && test -e /proc/lockdep_stats && test -e /sys/kernel/debug/failslab &&
		zcat /proc/config.gz | grep -qx CONFIG_KASAN=y'
}

with_device() {
	"$faa_run" --engine=model --timeout=120 "$@"
}

render_node_is_there() {
	says renderD128 with_device ls -l /dev/dri
}

# drm_info describes display drivers only and says so of this driver: it must have found and opened
# the node for that.
drm_info_finds_card() {
	says "from /dev/dri/card0" with_device drm_info && with_device drm_info >/dev/null
}

no_atomic_ops() {
	local out

	out=$(FAA_VDEV_OPTS=--no-atomic-ops "$faa_run" --engine=model --timeout=120 sh -c "'$build/tests/kselftest/dev_query' && '$build/bin/faa-info' && dmesg" 2>&1) ||
		{ echo "$out"; return 1; }
	echo "$out"
	! grep -qw SYS_ATOMICS <<<"$out" && grep -q 'scope SYS is off' <<<"$out"
}

# Queues of a previous owner are checked before the device may access memory.
probe_order() {
	"$faa_run" --engine=model --timeout=120 --vdev-arg="--record=$tmp/probe" --vdev-arg=--record-events=100000 \
		"$top/tests/kselftest/bind-as-found.sh" && "$top/tests/kselftest/probe-order.py" "$tmp/probe"
}

# A misspelt name selects nothing, which is no success.
no_such_kselftest() {
	local out

	if out=$("$build/tests/kselftest/vm" -t no_such_test 2>&1); then
		echo "$out"
		return 1
	fi
	grep -q 'no test of this program meets the arguments' <<<"$out"
}

# The cache of kernels in the home of another user, mode 700: the message of faa-run to a user
# without access.
kernel_is_out_of_reach() {
	local home=$tmp/home mode out status=0

	mode=$(stat -c %a "$tmp")
	mkdir -p "$home/.cache/faa/kernel" "$tmp/tree/bin"
	cp "$faa_run" "$tmp/tree/bin/"
	touch "$home/.cache/faa/kernel/linux"
	ln -s "$home/.cache/faa/kernel" "$tmp/tree/kernel-plain"
	chmod 755 "$tmp"
	chmod 700 "$home"
	out=$(setpriv --reuid=65534 --regid=65534 --clear-groups env FAA_BUILD="$tmp/tree" "$tmp/tree/bin/faa-run" true 2>&1) || status=$?
	chmod "$mode" "$tmp"
	echo "$out"
	[ "$status" -eq 125 ] && grep -qF "cannot be read by user 65534: $home is closed to it; build with FAA_CACHE" <<<"$out"
}

two_at_once() {
	local first second

	with_device sh -c 'sleep 2; ls /dev/dri' >"$tmp/first" 2>&1 &
	first=$!
	with_device sh -c 'sleep 2; ls /dev/dri' >"$tmp/second" 2>&1 &
	second=$!
	wait "$first" && wait "$second" && grep -q renderD128 "$tmp/first" && grep -q renderD128 "$tmp/second"
}

# device_pulled_out FLAVOUR NUMBER: faa-vdev of that device is killed while the program runs. The
# node goes away with its PCI function; the program, the kernel and the devices of other slots stay.
device_pulled_out() {
	local number=$2 pid status=0

	rm -f "$tmp/here"
	"$faa_run" --kernel="$1" --engine=model --devices="$number" --timeout=120 --pids="$tmp/pids" --check-log=noleaks sh -c \
		"node=/dev/dri/renderD$((127 + number)); test -e \$node || exit 2; touch '$tmp/here'
		while [ -e \$node ]; do sleep 0.1; done; ls /sys/bus/pci/devices" >"$tmp/left" &
	pid=$!
	wait_for "$tmp/here"
	kill -KILL "$(sed -n 's/^vdev //p' "$tmp/pids" | tail -n 1)"
	wait "$pid" || status=$?
	[ "$status" -eq 0 ] && [ "$(wc -l <"$tmp/left")" -eq $((number - 1)) ] || {
		echo "exit status $status, left: $(cat "$tmp/left")"
		return 1
	}
}

head -c 8000000 /dev/urandom >"$tmp/noise"

check "the guest is Linux 6.12, as root" guest_is_linux_uml
check "exit status 0" ends_with 0 bare true
check "exit status 42" ends_with 42 bare sh -c 'exit 42'
check "death by signal gives 128 + N" ends_with 137 bare sh -c 'kill -9 $$'
check "a program that is not there gives 127" ends_with 127 bare no-such-program
check "a program that does not run gives 126" ends_with 126 bare /etc/passwd
check "no program is an error of usage, 2" ends_with 2 "$faa_run" --no-device
check "an unknown engine is named" says "not 'gpu'" "$faa_run" --engine=gpu true
check "a kernel that is not built names the command that builds it" says "make kernel-plain" env FAA_BUILD="$tmp" "$faa_run" true
check "a kernel in a home that is closed to the user is named" kernel_is_out_of_reach
check "output of 8 MB is exact" output_is_exact
check "a file as input is exact" input_file_is_exact
check "a file as input starts at its offset" input_file_starts_at_its_offset
check "a pipe as input is exact" input_pipe_is_exact
check "every byte value passes" every_byte_passes
check "standard error is apart from standard output" error_is_apart
check "order within 2>&1 is kept" order_is_kept
check "closed output ends the program" closed_output_ends_program
check "directory, environment, umask and arguments pass" environment_passes
check "written files reach the host" files_reach_the_host
check "SIGTERM ends the program, 143" signal_gives TERM 143 sh -c "touch '$tmp/started'; sleep 60"
check "SIGINT can be caught by the program" signal_gives INT 7 sh -c "trap 'exit 7' INT; touch '$tmp/started'; while :; do sleep 0.1; done"
check "SIGTERM ends a program that ignores it" signal_gives TERM 143 sh -c "trap '' TERM; touch '$tmp/started'; sleep 60"
check "nothing is left behind" nothing_is_left
check "nothing is left behind after SIGKILL" nothing_is_left_after_kill
check "the time limit ends everything" time_limit_ends_all
check "a terminal works, Ctrl-C included" terminal_works
check "5 boots in a row, plain" boots_in_a_row plain 5
check "5 boots in a row, debug" boots_in_a_row debug 5
check "a program that cannot run because of its sanitizer is told so" sanitizers_are_explained
check "the kernel log is kept on request" kernel_log_is_kept
check "a complaint in the log is found, plain" complaint_is_found plain
check "a complaint in the log is found, debug" complaint_is_found debug
check "a complaint in the log outranks the program's status" complaint_outranks_status
check "expected lines of the log are counted" expected_lines_are_counted
check "a clean log passes, plain" clean_log_passes plain
check "a clean log passes, leaks included, debug" clean_log_passes debug
check "the debug kernel has its checkers" debug_has_checkers
check "the debug kernel has stacks" debug_has_stacks
check "the debug kernel starts 300 times" debug_kernel_starts
check "the render node is there" render_node_is_there
check "drm_info finds the card" drm_info_finds_card
check "a device found able to access memory may not until its queues are at rest" probe_order
check "a kselftest of a name that there is not fails and says so" no_such_kselftest
check "a machine without PCI atomic operations has no scope SYS, and says so" no_atomic_ops
check "two machines at once" two_at_once
check "a power-off is not told as an unplug" power_off_is_no_unplug
check "the device pulled out, plain" device_pulled_out plain 1
check "the device pulled out, debug" device_pulled_out debug 1
check "the second of two devices pulled out, plain" device_pulled_out plain 2
check "at the end no process and no file is left" nothing_is_left
finish
