#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""interrupt.py TOP CASE SIGNAL: a signal ends a command of this project with all its processes,
within 2 seconds.

The command gets a session of its own, as a terminal's foreground has, and the signal goes to its
process group; with SIGNAL ctrl-c it has a terminal, on which the key is pressed. Its processes are
found by a variable in their environment, and by descent, since processes of the guest do not have
the host's environment.
"""
import os
import pty
import shutil
import signal
import sys
import tempfile
import time
import uuid

LIMIT = 2.0
START_LIMIT = 120.0
MARK = "FAA_INTERRUPT_MARK"
# Everything that a suite may start: a guest, timeout(1) with its own process group, another
# session, a process that ignores SIGTERM.
SUITE = """#!/bin/bash
# timeout: 300
. "{top}/tests/tap.sh"
(trap '' TERM; while :; do sleep 1; done) &
setsid sleep 300 &
timeout 300 sleep 300 &
check "a guest" "{top}/build/bin/faa-run" --engine=model sleep 300
finish
"""


def stat_fields(pid):
    """(name, state, parent, start time) of a process, or None."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            head, _, tail = file.read().rpartition(")")
    except OSError:
        return None
    fields = tail.split()
    return head.partition("(")[2], fields[0], int(fields[1]), fields[19]


def processes():
    """PID: fields, of every process except zombies."""
    table = {int(entry): stat_fields(entry) for entry in os.listdir("/proc") if entry.isdigit()}
    return {pid: fields for pid, fields in table.items() if fields and fields[1] != "Z"}


def is_marked(pid, mark):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return f"{MARK}={mark}".encode() in file.read().split(b"\0")
    except OSError:
        return False


def started_by(pid, mark, table):
    """PIDs of the processes that belong to command @pid: marked ones, and those below one of
    them."""
    found = {other for other in table if other == pid or is_marked(other, mark)}
    size = 0
    while size != len(found):
        size = len(found)
        found |= {other for other, fields in table.items() if fields[2] in found}
    return found


def start(command, environment, terminal):
    """Start the command in a session of its own: its PID, and the terminal's other end or None."""
    if terminal:
        pid, end = pty.fork()
    else:
        pid, end = os.fork(), None
    if pid == 0:
        if not terminal:
            os.setsid()
            null = os.open("/dev/null", os.O_RDWR)
            os.dup2(null, 0)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        os.execvpe(command[0], command, environment)
    return pid, end


def interrupt(pid, end, number):
    if end is None:
        os.killpg(pid, number)
    else:
        os.write(end, b"\x03")


def reap(pid):
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def run_case(command, environment, wanted, number):
    """Interrupt @command once it has the processes that @wanted counts by name; the error as a
    sentence, or None."""
    mark = uuid.uuid4().hex
    pid, end = start(command, {**environment, MARK: mark}, number is None)
    until = time.monotonic() + START_LIMIT
    while True:
        table = processes()
        mine = started_by(pid, mark, table)
        names = [table[other][0] for other in mine if other in table]
        if all(names.count(name) >= count for name, count in wanted.items()):
            break
        if time.monotonic() > until or reap(pid):
            return f"it never had {wanted}, but {sorted(names)}"
        time.sleep(0.05)
    # Some time into its work.
    time.sleep(0.5)
    table = processes()
    before = {(other, table[other][3]) for other in started_by(pid, mark, table)}
    print(f"before: {', '.join(sorted(f'{table[other][0]} {other}' for other, _ in before))}")
    sent = time.monotonic()
    interrupt(pid, end, number)
    while True:
        reap(pid)
        table = processes()
        left = {other for other, fields in table.items() if (other, fields[3]) in before or is_marked(other, mark)}
        took = time.monotonic() - sent
        if not left or took > LIMIT:
            break
        time.sleep(0.02)
    names = ", ".join(sorted(f"{table[other][0]} {other}" for other in left))
    for other in left:
        os.kill(other, signal.SIGKILL)
    print(f"ended after {took:.2f} s")
    if len(before) < 2:
        return "nothing ran"
    return f"left after {took:.2f} s: {names}" if left else None


def make(top, *arguments):
    # The targets that suites need are built already; make's -o skips such a target.
    return ["make", "--no-print-directory", "-C", top, *arguments]


def cases(top, work):
    """Name: command, variables of its environment, processes that exist while it works."""
    suites = os.path.join(work, "suites")
    os.mkdir(suites)
    suite = os.path.join(suites, "99-endless.sh")
    with open(suite, "w", encoding="utf-8") as file:
        file.write(SUITE.format(top=top))
    os.chmod(suite, 0o755)
    directories = {"FAA_SUITES": suites, "FAA_LOGS": os.path.join(work, "logs")}
    # Processes of a guest.
    guest = {"faa-run": 1, "faa-vdev": 1, "linux": 3}
    built = [word for name in ("userland", "other-devices", "module-plain", "module-debug") for word in ("-o", name)]
    return {
        "kernel": (make(top, "-o", "setup", "kernel-plain"), {"FAA_CACHE": os.path.join(work, "cache")}, {"tar": 1}),
        "run": (make(top, "-o", "build", "run"), {}, guest),
        "test": (make(top, *built, "test"), directories, {**guest, "timeout": 1}),
        "suite": ([suite], directories, {**guest, "timeout": 1}),
    }


def main():
    top, case, name = sys.argv[1:4]
    number = None if name == "ctrl-c" else getattr(signal, f"SIG{name}")
    # The command must not inherit the settings of a make or a supervisor.
    environment = {key: value for key, value in os.environ.items()
                   if key not in ("MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS", "SUITE", "FAA_SUPERVISED",
                                  "FAA_BUILD")}
    work = tempfile.mkdtemp()
    try:
        command, variables, wanted = cases(top, work)[case]
        problem = run_case(command, {**environment, **variables, "TMPDIR": work}, wanted, number)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if problem:
        sys.exit(f"{' '.join(command)}: {problem}")


if __name__ == "__main__":
    main()
