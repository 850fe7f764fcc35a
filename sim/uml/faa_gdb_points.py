# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in the program of faa-run --gdb: those in the kernel that make them work.

Exec finds the program. Sync has the kernel write breakpoint instructions to pages of the process,
which become its own by that, as with ptrace. Trap gets the SIGTRAP of such an instruction.
"""
import os
import re
import signal

import gdb

FOLL_WRITE, FOLL_FORCE = 1 << 0, 1 << 3
INT3, RET, SIGTRAP = 0xcc, 0xc3, 5
# The C library calls functions of debuggers when it loads libraries; gdb has breakpoints there.
LIBRARIES = re.compile(r"^-\d+ +shlib events .*?(0x[0-9a-f]+)", re.MULTILINE)


def quiet(command):
    return gdb.execute(command, to_string=True)


def register(name):
    return int(gdb.parse_and_eval(f"(unsigned long)${name}"))


def put_register(name, value):
    gdb.parse_and_eval(f"${name} = {value}")


def address_of(symbol):
    return int(gdb.parse_and_eval(f"(long)&{symbol}"))


def call_kernel(memory, function, *arguments):
    """From a breakpoint before an instruction: call a function, then execute the breakpoint again.

    The kernel runs the call as one of its own, so it may sleep. Instructions 'ret' keep the stack
    aligned, and stack and saved registers are those of before.
    """
    pc, stack = register("rip"), register("rsp")
    words = [byte_of_kernel(memory, RET), pc] if stack % 16 else [pc]
    new = stack - 8 * len(words)
    memory.write(new, b"".join(word.to_bytes(8, "little") for word in words))
    for name, value in zip("rdi rsi rdx rcx r8".split(), arguments):
        put_register(name, value)
    put_register("rsp", new)
    put_register("rip", address_of(function))


def byte_of_kernel(memory, byte):
    """Where the kernel has a byte: one to copy from, or an instruction."""
    start = address_of("_stext")
    return start + memory.read(start, 1 << 20).index(byte)


def return_from_function():
    caller = gdb.newest_frame().older()
    for name, value in [(name, int(caller.read_register(name))) for name in ("rip", "rsp", "rbp")]:
        put_register(name, value)


def hold_interrupts():
    """Ctrl-C would end Python in the middle of a stop that the user does not see."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def release_interrupts(kernel=None):
    """After hold_interrupts(). kernel: the process that Ctrl-C stops when it continues."""
    if kernel and signal.sigtimedwait({signal.SIGINT}, 0):
        os.kill(kernel, signal.SIGINT)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


class Internal(gdb.Breakpoint):
    """A breakpoint in the kernel that the user does not see.

    A timer's signal during the step over a breakpoint makes gdb stop there again. Stops that take
    longer than the period of the timer may repeat without end, so most have to be short.
    """

    def __init__(self, session, location):
        super().__init__(location, internal=True)
        self.silent = True
        self.session = session

    def stop(self):
        hold_interrupts()
        stopped = False
        try:
            stopped = self.passed()
        finally:
            # Of a stop with commands, the session's after() is the end.
            if not stopped:
                release_interrupts(gdb.selected_inferior().pid)
        return stopped

    def then(self, call):
        """Call a method of the session after a stop. The kernel continues unless it is True."""
        # A new connection of the second inferior ends a list of commands, after a whole 'if'.
        self.commands = ("silent\nif 1\n"
                         f"python faa_gdb_program.after('{call}')\nif $_faa_go\ncontinue\nend\nend")


class Exec(Internal):
    """The kernel has made the memory of a new program, and is about to set the first registers."""

    def __init__(self, session):
        super().__init__(session, "start_thread")
        self.enabled = False
        self.then("executed")

    def passed(self):
        session = self.session
        task = session.guest.current()
        # gdb stops here again when a signal comes with the step over the breakpoint.
        if (task.tgid, task.mm) == (session.tgid, session.mm):
            return False
        session.originals.pop(task.mm, None)
        return task.tgid == session.tgid or session.is_program(task)


class Sync(Internal):
    """The kernel is about to run the process: write and remove breakpoint instructions."""

    def __init__(self, session):
        super().__init__(session, "current_mm_sync")
        self.enabled = False
        # By thread, the kernel's call that writes one: stack, address, byte. Then the addresses
        # without memory.
        self.calls, self.failed = {}, set()

    def passed(self):
        session = self.session
        task = session.guest.current()
        if task.mm != session.mm:
            # A stop for each system call is slow: not after the end of the process.
            self.enabled = bool(session.tgid and session.guest.find(session.tgid))
            return False
        originals = session.originals.setdefault(task.mm, {})
        self.written(task, originals)
        wanted = set(session.stub.order({})) - self.failed
        # Other threads of the process still stop there.
        steps = session.over.get(task.address) == task.get("rip")
        if steps:
            wanted.discard(task.get("rip"))
        else:
            session.over.pop(task.address, None)
        for address in sorted(wanted | set(originals)):
            present = session.space(task).read(address, 1)
            if (address in wanted) == (present == bytes([INT3])):
                continue
            if address in wanted:
                originals[address] = present[0] if present else 0
                self.write(task, address, INT3)
            else:
                self.write(task, address, originals[address])
            return False
        session.stub.order({"hide": originals})
        if steps:
            session.step_begins(task)
        # Threads may sleep in a call, or in the page fault of a step.
        self.enabled = bool(self.calls or session.over)
        return False

    def write(self, task, address, byte):
        memory = self.session.guest.memory
        self.calls[task.address] = register("rsp"), address, byte
        call_kernel(memory, "access_process_vm", task.address, address, byte_of_kernel(memory, byte), 1,
                    FOLL_WRITE | FOLL_FORCE)

    def written(self, task, originals):
        """After that call."""
        stack, address, byte = self.calls.pop(task.address, (0, 0, 0))
        if stack == register("rsp") and register("rax") & 0xffffffff != 1:
            originals.pop(address, None)
            self.failed.add(address)
            if byte == INT3:
                gdb.write(f"faa-run: no breakpoint at {address:#x}: the process has no memory there\n")


class Trap(Internal):
    """A signal of the process: SIGTRAP of a breakpoint or of a step is not for it."""

    def __init__(self, session):
        super().__init__(session, "relay_signal")
        self.enabled = False
        self.then("hit")

    def passed(self):
        session = self.session
        if register("rdi") != SIGTRAP:
            return False
        task = session.guest.current()
        if task.address in session.stepping:
            session.step_ends(task)
            return_from_function()
            return False
        address = task.get("rip") - 1
        if not session.has_original(task.mm, address):
            return False
        task.put("rip", address)
        return_from_function()
        session.sync.enabled = True
        # Of a breakpoint that has been deleted, and not yet removed.
        if task.mm == session.mm and address not in session.stub.order({}):
            return False
        session.over[task.address] = address
        return True


class SystemCall(Internal):
    """The instruction that a thread executes alone is a system call."""

    def __init__(self, session):
        super().__init__(session, "handle_syscall")
        self.enabled = False

    def passed(self):
        task = self.session.guest.current()
        if task.address in self.session.stepping:
            self.session.step_ends(task)
        return False


def library_loaded(pc):
    """Whether a thread of the program, which is selected, stopped for the debugger's sake."""
    return pc in (int(at, 16) for at in LIBRARIES.findall(quiet("maint info breakpoints")))


def stops(point, pc):
    """Whether a breakpoint of the user stops the selected thread of the program."""
    if not point.enabled or not any(place.enabled and place.address == pc for place in point.locations):
        return False
    if point.condition and not gdb.parse_and_eval(point.condition):
        return False
    if point.ignore_count:
        point.ignore_count -= 1
        return False
    return True


def report(task, point):
    """As gdb does."""
    frame = re.sub(r"^#0 +", "", quiet("frame"))
    kind = "Temporary breakpoint" if point.temporary else "Breakpoint"
    gdb.write(f'\nProcess {task.tgid} "{task.comm}" of the guest hit {kind} {point.number}, {frame}')


def act(task, point):
    """After a stop at a breakpoint of the user. Return: whether its commands continue."""
    commands = point.commands or ""
    if not point.silent and not commands.startswith("silent"):
        report(task, point)
    lines = re.sub(r"^silent\n", "", commands).splitlines()
    # Here it would wait for the next stop, which has commands of its own.
    continues = bool(lines) and lines[-1].strip() in ("c", "continue")
    if point.temporary:
        point.delete()
    if lines[:len(lines) - continues]:
        gdb.execute("\n".join(lines[:len(lines) - continues]))
    return continues
