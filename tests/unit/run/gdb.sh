#!/bin/bash
# SPDX-License-Identifier: MIT
#
# gdb.sh BUILD: faa-run --gdb: breakpoints in the driver, before it is loaded and in each process of
# the guest, and in the kernel; sources and types of the driver; the program, its libraries, threads
# and children; the terminal.
set -uo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$0")/../says.sh"
build=$1
command -v gdb >/dev/null || { echo "there is no gdb"; exit 4; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
faa_run=$build/bin/faa-run

prints() { # TEXT...: the session whose output is in $out
	local text

	for text; do
		[[ $out == *"$text"* ]] || fail "gdb does not print '$text' but: $out"
	done
}

refuse "--gdb and --guests exclude each other" "$faa_run" --gdb --guests=2 true
refuse "cannot read $tmp/missing: No such file" "$faa_run" --gdb="$tmp/missing" true

cat >"$tmp/commands" <<'END'
set width 0
break faa_pci_probe
break faa_ioctl_submit
run
continue
backtrace 3
print ((struct drm_faa_submit *)data)->jobs.count
faa-task
delete
break dma_fence_signal
continue
delete
continue
quit
END
out=$("$faa_run" --engine=model --timeout=60 --gdb="$tmp/commands" "$build/bin/histogram" -n </dev/null 2>&1) || fail "gdb: $out"
prints "symbols of module faa at 0x" "hit Breakpoint 3, faa_pci_probe (pdev=0x" "hit Breakpoint 4.1, faa_ioctl_submit (drm=0x" \
	"in drm_ioctl_kernel ()" '$1 = 3' "histogram, process " "in dma_fence_signal ()" "CPU check passed" "exited normally"

# The program is the second inferior: it stops in main, in the library, and is seen from the driver.
cat >"$tmp/commands" <<'END'
set width 0
tbreak main
break faa_ioctl_submit
run
print argc
print argv[1][1]
inferior 2
break faa_queue_submit_sized if count == 3
continue
print job_size
print count
continue
faa-program
backtrace
frame function histogram_execute
print channels
delete
continue
quit
END
out=$("$faa_run" --engine=model --timeout=60 --gdb="$tmp/commands" "$build/bin/histogram" -n </dev/null 2>&1) || fail "gdb: $out"
prints '"histogram" of the guest hit Temporary breakpoint 3, main (argc=2, argv=0x' '$1 = 2' "\$2 = 110 'n'" \
	'"histogram" of the guest hit Breakpoint 5, faa_queue_submit_sized (queue=0x' '$4 = 3' "hit Breakpoint 4.1, faa_ioctl_submit (drm=0x" \
	"histogram, process " "in drmIoctl () from " "  faa_queue_submit_sized (queue=0x" "main (argc=" '$5 = 3' "CPU check passed" "exited normally"

# The run of a seed, which has another directory, with commands from the current one.
printf '%s\n' 'set width 0' 'tbreak faa_pci_probe' run continue quit >"$tmp/commands"
out=$(cd "$tmp" && "$faa_run" --engine=model --seed=1 --timeout=60 --gdb=commands true </dev/null 2>&1) || fail "gdb: $out"
prints "Temporary breakpoint 3, faa_pci_probe (pdev=0x" "exited normally"
printf '%s\n' quit >"$tmp/commands"
refuse "the debugger has ended before the program" "$faa_run" --engine=model --gdb="$tmp/commands" true
refuse "there is no gdb; the Debian package gdb has it" env PATH=/nonexistent "$faa_run" --engine=model --gdb true

# Children of the program have its breakpoints, threads stop one at a time, and commands that would
# run the program alone are refused.
gcc -g -O1 -pthread -o "$tmp/tasks" "$(dirname "$0")/gdb_tasks.c" || fail "gdb_tasks.c"
cat >"$tmp/commands" <<'END'
set width 0
inferior 2
break half
break add if number == 3
break finish_here
run
print number
print $xmm0.v2_double[0]
continue
delete 4
break add if number == 1000
continue
python
for text in "next", "watch sum", "print half(1.0)":
    try:
        gdb.execute(text)
    except gdb.error as error:
        print(text, "is refused:", error)
end
delete 6
break work
commands
silent
printf "work of %d\n", (int)(long)arg
continue
end
break add
commands
silent
printf "in add of %d\n", number
end
ignore 8 28
continue
info threads
set variable sum = sum + 1000
continue
continue
print sum
continue
END
out=$("$faa_run" --engine=model --timeout=60 --gdb="$tmp/commands" "$tmp/tasks" exec </dev/null 2>&1) || fail "gdb: $out"
prints "hit Breakpoint 3, half (number=" '$1 = 3' '$2 = 3' "hit Breakpoint 4, add (number=" "hit Breakpoint 6, add (number=" \
	"next is refused: the program runs with the kernel only" "watch sum is refused: " "print half(1.0) is refused: " "work of 2" "in add of " \
	"2.1  Thread " "hit Breakpoint 5, finish_here ()" '$3 = 1040' "half 1.500000, signal 5" "child 7" "total 1040" "after exec" "exited normally"

# At a terminal gdb reads commands, Ctrl-C stops the kernel, also after a delay of 0 s, when gdb
# handles stops that the user does not see, and the shell gets the terminal back.
mkdir "$tmp/files"
for delay in 0 0.5; do
	TMPDIR=$tmp/files /usr/bin/python3 - "$faa_run" $delay <<'END' || fail "gdb at a terminal, Ctrl-C after $delay s"
import os, pty, select, sys, time

delay = float(sys.argv[2])
child, fd = pty.fork()
if child == 0:
    os.execl("/bin/sh", "sh", "-c", f"'{sys.argv[1]}' --engine=model --gdb sleep 1000; echo status $?; read word; echo got $word")
text = b""


def wait(words, limit=30):
    global text
    end = time.monotonic() + limit
    while words not in text:
        ready, _, _ = select.select([fd], [], [], max(end - time.monotonic(), 0))
        assert ready, (words, text)
        text += os.read(fd, 4096)
    text = text[text.index(words) + len(words):]


wait(b"(gdb) ")
os.write(fd, b"run\n")
wait(b"symbols of module faa")
time.sleep(delay)
os.write(fd, b"\x03")
wait(b"SIGINT")
wait(b"(gdb) ")
os.write(fd, b"quit\n")
wait(b"status 125")
os.write(fd, b"a line\n")
wait(b"got a line")
END
done
# The process that serves the second inferior ends after gdb.
for _ in {1..100}; do
	[ -z "$(ls "$tmp/files")" ] && exit 0
	sleep 0.1
done
fail "not removed: $(ls "$tmp/files")"
