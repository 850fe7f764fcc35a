# SPDX-License-Identifier: Apache-2.0
"""The program of the guest as a second inferior of faa-run --gdb.

The second inferior is a remote target: faa_gdb_stub.py reads registers and memory of the process
from the memory of the stopped kernel. For gdb it never runs; it changes while the kernel does. gdb
tells the stub where it wants breakpoints, and faa_gdb_points.py makes them.
"""
import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import tempfile

import gdb

import faa_gdb_guest
from faa_gdb_points import (Exec, Sync, SystemCall, Trap, act, address_of, library_loaded, quiet,
                            register, release_interrupts, stops)

KERNEL = 1
# Commands that run an inferior alone, or need that.
REFUSED = ("next step nexti stepi finish until advance jump call signal watch rwatch awatch kill "
           "reverse-continue").split()


@contextlib.contextmanager
def silence():
    quiet("set suppress-cli-notifications on")
    try:
        yield
    finally:
        quiet("set suppress-cli-notifications off")


def select(number):
    with silence():
        quiet(f"inferior {number}")


def forget():
    """Discard the registers and the memory that gdb remembers."""
    quiet("maintenance flush register-cache")
    quiet("maintenance flush dcache")


def kernel_layout():
    """For faa_gdb_guest.Guest. Raises gdb.error without the types of a driver."""
    found = {name: address_of(symbol) for name, symbol in faa_gdb_guest.VARIABLES.items()}
    for name, words in faa_gdb_guest.MEMBERS.items():
        structure, member = words.split()
        # gdb 13 does not return from an expression with a type that it does not know.
        gdb.lookup_type(f"struct {structure}")
        found[name] = address_of(f"((struct {structure} *)0)->{member}")
    return found


class Stub:
    """The process that serves the remote target."""

    def __init__(self, layout, memory):
        self.path = os.path.join(tempfile.mkdtemp(prefix="faa-gdb."), "program")
        script = os.path.join(os.path.dirname(__file__), "faa_gdb_stub.py")
        # A session of its own: Ctrl-C is for gdb.
        self.process = subprocess.Popen(
            ["python3", script, self.path, str(memory)], pass_fds=[memory], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.order(layout)

    def order(self, what):
        """A line of answer belongs to each: Ctrl-C waits until it has been read."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.process.stdin.write(json.dumps(what) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Session:
    """Which process the second inferior is, and its breakpoints."""

    def __init__(self, program):
        self.guest = self.stub = None
        # The process and its mm. By mm, the bytes below breakpoint instructions.
        self.tgid = self.mm = None
        self.originals = {}
        # {thread: address}: the thread stopped at a breakpoint there. The threads that execute the
        # instruction below one.
        self.over, self.stepping = {}, set()
        # Whether the kernel has run since gdb read the process.
        self.stale = False
        self.number = self.add_inferior(program)
        self.sync, self.system_call = Sync(self), SystemCall(self)
        self.points = Trap(self), Exec(self)
        gdb.events.stop.connect(self.stopped)
        gdb.events.before_prompt.connect(self.renew)
        gdb.events.before_prompt.connect(release_interrupts)
        gdb.events.exited.connect(self.exited)
        gdb.events.breakpoint_created.connect(self.created)

    @staticmethod
    def add_inferior(program):
        quiet("add-inferior -no-connection")
        number = max(inferior.num for inferior in gdb.inferiors())
        select(number)
        # A script has no symbols.
        with contextlib.suppress(gdb.error):
            quiet(f"file {shlex.quote(program)}")
        select(KERNEL)
        # Sources have names relative to the directory of ninja.
        directory = os.path.dirname(os.path.realpath(program))
        while directory != "/":
            if os.path.exists(os.path.join(directory, "build.ninja")):
                quiet(f"directory {shlex.quote(directory)}")
            directory = os.path.dirname(directory)
        return number

    def inferior(self, number):
        return next(inferior for inferior in gdb.inferiors() if inferior.num == number)

    def chosen(self):
        return gdb.selected_inferior().num == self.number

    def space(self, task):
        return faa_gdb_guest.Space(self.guest, task.mm)

    def is_program(self, task):
        """Whether a thread runs the file of the second inferior."""
        mine, path = self.inferior(self.number).progspace.filename, self.space(task).executable()
        return bool(path and mine) and os.path.realpath(mine) == os.path.realpath(path)

    def find_guest(self):
        """Whether the types to read the processes of the guest are there."""
        if self.guest:
            return True
        try:
            layout = kernel_layout()
        except gdb.error:
            return False
        memory = os.open(f"/proc/{self.inferior(KERNEL).pid}/mem", os.O_RDWR | os.O_CLOEXEC)
        self.guest = faa_gdb_guest.Guest(layout, memory)
        self.stub = Stub(layout, memory)
        self.enable(True)
        return True

    def enable(self, on):
        for point in self.points:
            point.enabled = on

    def attach(self, task):
        """Make the process of a thread the second inferior, and select it."""
        self.stub.order({"tgid": task.tgid, "tid": task.pid,
                         "hide": self.originals.setdefault(task.mm, {})})
        if (task.tgid, task.mm) != (self.tgid, self.mm) or not self.inferior(self.number).pid:
            self.detach()
            with silence():
                quiet(f"inferior {self.number}")
                path = self.space(task).executable()
                if path and not self.is_program(task):
                    quiet(f"file {shlex.quote(path)}")
                quiet(f"target remote {self.stub.path}")
            self.tgid, self.mm = task.tgid, task.mm
            self.sync.failed, self.sync.calls, self.stepping = set(), {}, set()
            self.over = {at: where for at, where in self.over.items() if at == task.address}
        self.sync.enabled = True
        select(self.number)
        forget()
        quiet("info threads")
        for thread in self.inferior(self.number).threads():
            if thread.ptid[1] == task.pid:
                thread.switch()

    def detach(self):
        self.tgid = self.mm = None
        if self.inferior(self.number).pid:
            # 'disconnect' makes gdb forget the threads of the kernel, too.
            quiet(f"detach inferiors {self.number}")
        select(KERNEL)

    def has_original(self, mm, address):
        """Whether a breakpoint instruction is ours; a fork copies those of its parent."""
        if mm in self.originals and address in self.originals[mm]:
            return True
        for found in list(self.originals.values()):
            if address in found:
                self.originals.setdefault(mm, {})[address] = found[address]
                return True
        return False

    def step_begins(self, task):
        task.set_step(True)
        self.stepping.add(task.address)
        self.system_call.enabled = True

    def step_ends(self, task):
        task.set_step(False)
        self.over.pop(task.address, None)
        self.stepping.discard(task.address)
        self.system_call.enabled = bool(self.stepping)
        self.sync.enabled = True

    def executed(self):
        """Commands of Exec."""
        task = self.guest.current()
        if self.is_program(task):
            # start_thread() is about to do the same.
            task.put("rip", register("rsi"))
            task.put("rsp", register("rdx"))
            self.attach(task)
        else:
            self.detach()
        select(KERNEL)
        return False

    def hit(self):
        """Commands of Trap. Return: whether the session stops."""
        task = self.guest.current()
        self.attach(task)
        pc = task.get("rip")
        if library_loaded(pc):
            quiet("sharedlibrary")
            forget()
        points = [point for point in gdb.breakpoints() if point.number > 0 and stops(point, pc)]
        # Commands of the user may take long.
        release_interrupts(self.inferior(KERNEL).pid)
        continues = [act(task, point) for point in points]
        if all(continues):
            select(KERNEL)
        return not all(continues)

    def stopped(self, _event):
        """After each stop of the kernel. A command here would run those of the breakpoint."""
        self.stale = True
        if self.tgid:
            self.sync.enabled = True

    def renew(self):
        """Before a look at the second inferior: gdb remembers registers and memory of an inferior
        that it did not run."""
        if not self.stale or not self.tgid:
            return
        self.stale = False
        if self.guest.find(self.tgid):
            forget()
        else:
            self.detach()

    def exited(self, event):
        if not self.guest or event.inferior.num != KERNEL:
            return
        self.detach()
        self.stub.close()
        os.close(self.guest.memory.file)
        self.guest = self.stub = None
        self.enable(False)

    def created(self, point):
        """The kernel has a main(), too, which is seldom meant."""
        if not re.fullmatch("(-qualified )?main", point.location or ""):
            return
        for place in point.locations:
            if place.thread_groups == [KERNEL] and len(point.locations) > 1:
                place.enabled = False


def after(call):
    """Commands of an internal breakpoint; $_faa_go: the kernel continues."""
    go = False
    try:
        go = not getattr(SESSION, call)()
    finally:
        release_interrupts(SESSION.inferior(KERNEL).pid)
        gdb.set_convenience_variable("_faa_go", int(go))


class Program(gdb.Command):
    """faa-program [PROCESS]: select the process of the guest in whose name the kernel runs.

Or that of a number. 'backtrace' and 'print' are there, in a second inferior;
'inferior 1' selects the kernel again. Breakpoints in the program stop the kernel, too, and
'continue' continues both."""

    def __init__(self):
        super().__init__("faa-program", gdb.COMMAND_STATUS)

    def invoke(self, argument, _from_tty):
        if not self.running() or not SESSION.find_guest():
            raise gdb.GdbError("faa-program: the kernel does not run, or has not loaded the driver")
        task = self.find(argument)
        SESSION.attach(task)
        gdb.write(f"{task.comm}, process {task.tgid} of the guest\n")
        gdb.execute("frame")

    @staticmethod
    def running():
        return bool(SESSION.inferior(KERNEL).pid)

    @staticmethod
    def find(argument):
        if argument:
            number = argument.strip()
            task = SESSION.guest.find(int(number)) if number.isdigit() else None
            if not task:
                raise gdb.GdbError(f"faa-program: the guest has no process {number}")
            return task
        task = SESSION.guest.current()
        if task.mm:
            return task
        task = SESSION.guest.find(SESSION.tgid) if SESSION.tgid else None
        if not task:
            raise gdb.GdbError("faa-program: the kernel runs in the name of no process; 'faa-program "
                               "PROCESS' selects one")
        return task


class Hook(gdb.Command):
    """Before commands that run an inferior, or select one."""

    def __init__(self):
        super().__init__("faa-hook", gdb.COMMAND_NONE)
        for name in ("continue", "run"):
            quiet(f"define hook-{name}\nfaa-hook\nend")
        for name in ("inferior", "thread"):
            quiet(f"define hook-{name}\nfaa-hook select\nend")
        for name in REFUSED:
            quiet(f"define hook-{name}\nfaa-hook {name}\nend")

    def invoke(self, argument, _from_tty):
        if argument == "select":
            SESSION.renew()
            return
        if not SESSION.chosen():
            return
        if argument:
            raise gdb.GdbError(f"the program runs with the kernel only, so '{argument}' is not for it: "
                               "set a breakpoint, and 'continue'")
        select(KERNEL)


class FrameFunction(gdb.Command):
    """frame function NAME: select the newest frame of a function.

gdb's own command ends gdb 13 when there are two inferiors."""

    def __init__(self):
        super().__init__("frame function", gdb.COMMAND_STACK)

    def invoke(self, argument, _from_tty):
        frame = gdb.newest_frame()
        while frame and frame.name() != argument.strip():
            frame = frame.older()
        if not frame:
            raise gdb.GdbError(f"No frame for function \"{argument}\".")
        frame.select()
        gdb.execute("frame")


SESSION = None


def begin(program):
    global SESSION
    # Files of the guest are those of the host.
    quiet("set sysroot /")
    SESSION = Session(program)
    Program()
    FrameFunction()
    Hook()
