#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Run a command that ends with everything it started.

Orphans of the command become children of this program (PR_SET_CHILD_SUBREAPER), so its descendants
are found even when they have process groups or sessions of their own, as those of timeout(1) and
faa-run have. They are ended when the time is up, when a signal ends this program, and when the
command ends before they do. SIGTERM comes first, SIGKILL after GRACE seconds.

Exit status: that of the command, 128 + N when signal N ended it, 124 when the time was up. A signal
that ends this program ends it as that signal does, so a shell or make sees an interrupt.
"""
import argparse
import ctypes
import os
import resource
import signal
import sys
import time

GRACE = 0.7
SETTLE = 0.5
KILL_LIMIT = 10.0
TIMED_OUT = 124
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def prctl(option, value):
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def stat_fields(pid):
    """State and parent of a process, or None when it has gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    return fields[0], int(fields[1])


def descendants():
    """Running processes below this one; zombies are left to their parents."""
    children, states = {}, {}
    for entry in os.listdir("/proc"):
        fields = stat_fields(entry) if entry.isdigit() else None
        if fields:
            states[int(entry)] = fields[0]
            children.setdefault(fields[1], []).append(int(entry))
    found, look = [], [os.getpid()]
    while look:
        below = children.get(look.pop(), [])
        found += [pid for pid in below if states[pid] != "Z"]
        look += below
    return found


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return "?"


class Command:
    """The command and what is known of it."""

    def __init__(self, arguments):
        self.status = None
        self.pid = os.fork()
        if self.pid == 0:
            try:
                # Signals of the terminal go to this program alone, which passes them on in order.
                os.setpgid(0, 0)
                for number in (*ENDING, signal.SIGPIPE, signal.SIGCHLD):
                    signal.signal(number, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, ())
                os.execvp(arguments[0], arguments)
            except OSError as error:
                sys.stderr.write(f"supervise: {arguments[0]}: {error.strerror}\n")
            finally:
                os._exit(127)

    def reap(self):
        """Take note of processes that ended; True while any child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.pid:
                code = os.waitstatus_to_exitcode(status)
                self.status = code if code >= 0 else 128 - code


def kill_all(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def end_all(command):
    """End all descendants. A process that is created meanwhile is found in the next round."""
    told = set()
    start = time.monotonic()
    while command.reap() and time.monotonic() < start + KILL_LIMIT:
        left = descendants()
        if time.monotonic() < start + GRACE:
            kill_all([pid for pid in left if pid not in told], signal.SIGTERM)
            told.update(left)
        else:
            kill_all(left, signal.SIGKILL)
        time.sleep(0.02)


def stragglers(command):
    """Names of the descendants that outlive the command; a descendant that is just ending gets
    SETTLE s."""
    until = time.monotonic() + SETTLE
    while command.reap() and time.monotonic() < until:
        time.sleep(0.02)
    return [f"{name_of(pid)} {pid}" for pid in descendants()]


def watch(command, deadline):
    """Wait for the command's end, for a signal or for the deadline; the signal, or None."""
    waited = {*ENDING, signal.SIGCHLD}
    while command.status is None:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            return None
        info = signal.sigtimedwait(waited, 3600 if left is None else left)
        command.reap()
        if info and info.si_signo in ENDING:
            return info.si_signo
    return None


def write_cost(path, start):
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{time.monotonic() - start:.1f} {used.ru_utime + used.ru_stime:.1f}\n")


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="end everything after so long")
    parser.add_argument("--cost", metavar="FILE",
                        help="write the seconds of time, and of processor time of all descendants, that it took")
    parser.add_argument("--die-with-parent", action="store_true", help="end everything when the caller dies")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command, after --")
    args = parser.parse_args()
    if args.command[:1] == ["--"]:
        args.command = args.command[1:]
    if not args.command:
        parser.error("there is no command")
    return args


def main():
    args = parse_args()
    start = time.monotonic()
    # Blocked signals are kept for sigtimedwait(), also those that the caller ignores: a shell's "&"
    # ignores SIGINT.
    signal.pthread_sigmask(signal.SIG_BLOCK, {*ENDING, signal.SIGCHLD})
    for number in ENDING:
        signal.signal(number, signal.SIG_DFL)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    if args.die_with_parent:
        prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    os.environ["FAA_SUPERVISED"] = "1"
    command = Command(args.command)
    number = watch(command, start + args.timeout if args.timeout else None)
    timed_out = number is None and command.status is None
    left = [] if number or timed_out else stragglers(command)
    end_all(command)
    if args.cost:
        write_cost(args.cost, start)
    if number:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {number})
        os.kill(os.getpid(), number)
    if timed_out:
        sys.stderr.write(f"supervise: not done after {args.timeout:.0f} s\n")
        return TIMED_OUT
    if left:
        sys.stderr.write(f"supervise: {args.command[0]} left processes running: {', '.join(left)}\n")
    return command.status


if __name__ == "__main__":
    sys.exit(main())
