#!/bin/bash
# SPDX-License-Identifier: MIT
#
# gdb.sh BUILD: faa-run --gdb: breakpoints in the driver, before it is loaded and in each process of
# the guest, and in the kernel; sources and types of the driver; the terminal.
set -uo pipefail
# shellcheck source=tests/unit/says.sh
. "$(dirname "$0")/../says.sh"
build=$1
command -v gdb >/dev/null || { echo "there is no gdb"; exit 4; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
faa_run=$build/bin/faa-run

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
for text in "symbols of module faa at 0x" "hit Breakpoint 3, faa_pci_probe (pdev=0x" "hit Breakpoint 4.1, faa_ioctl_submit (drm=0x" \
	"in drm_ioctl_kernel ()" '$1 = 3' "histogram, process " "in dma_fence_signal ()" "CPU check passed" "exited normally"; do
	[[ $out == *"$text"* ]] || fail "gdb does not print '$text' but: $out"
done

# At a terminal gdb reads commands, Ctrl-C stops the kernel, and the shell gets the terminal back.
/usr/bin/python3 - "$faa_run" <<'END' || fail "gdb at a terminal"
import os, pty, sys, time

child, fd = pty.fork()
if child == 0:
    os.execl("/bin/sh", "sh", "-c", f"'{sys.argv[1]}' --engine=model --gdb sleep 1000; echo status $?; read word; echo got $word")
text = b""


def wait(words, limit=30):
    global text
    end = time.monotonic() + limit
    while words not in text:
        assert time.monotonic() < end, (words, text)
        text += os.read(fd, 4096)
    text = text[text.index(words) + len(words):]


wait(b"(gdb) ")
os.write(fd, b"run\n")
wait(b"symbols of module faa")
time.sleep(1)
os.write(fd, b"\x03")
wait(b"SIGINT")
wait(b"(gdb) ")
os.write(fd, b"quit\n")
wait(b"status 125")
os.write(fd, b"a line\n")
wait(b"got a line")
END
