# SPDX-License-Identifier: Apache-2.0
"""Read by gdb in faa-run --gdb, which sets faa_modules, the files with symbols, faa_log,
faa_program, and faa_script, the path of this file.

User Mode Linux is a process: gdb runs it like any program. Its modules are at addresses that the
kernel chooses, so their symbols are loaded when the kernel has loaded a module and has not started
it. Breakpoints in them may be set before.
"""
import os
import shlex
import sys

import gdb

# Set before this file is read.
MODULES, LOG = globals()["faa_modules"], globals()["faa_log"]
PROGRAM = globals().get("faa_program", "")
sys.path.insert(0, os.path.dirname(globals()["faa_script"]))
sys.dont_write_bytecode = True
import faa_gdb_points  # noqa: E402
import faa_gdb_program  # noqa: E402
# The kernel's own signals: page faults, timers, input and output, and those between its processes.
QUIET = "SIGSEGV SIGALRM SIGVTALRM SIGPROF SIGIO SIGUSR1 SIGUSR2 SIGCHLD SIGWINCH SIGHUP"


def command(text):
    gdb.execute(text, to_string=True)


def sections(module):
    """{name: address} of the sections of a module, from what the kernel shows in sysfs.

    struct module_sect_attrs is a struct attribute_group, an unsigned int, and an array of a struct
    bin_attribute with an address each.
    """
    word = gdb.lookup_type("unsigned long")
    attribute = gdb.lookup_type("struct bin_attribute")
    group = gdb.lookup_type("struct attribute_group").sizeof
    at = int(module["sect_attrs"])
    count = int(gdb.Value(at + group).cast(gdb.lookup_type("unsigned int").pointer()).dereference())
    at += group + word.sizeof
    found = {}
    for _ in range(count):
        name = gdb.Value(at).cast(attribute.pointer()).dereference()["attr"]["name"].string()
        found[name] = int(gdb.Value(at + attribute.sizeof).cast(word.pointer()).dereference())
        at += attribute.sizeof + word.sizeof
    return found


class Loaded(faa_gdb_points.Internal):
    """The kernel is about to start a module."""

    def __init__(self):
        super().__init__(None, "do_init_module")
        self.loaded = {}
        self.known = {os.path.splitext(os.path.basename(path))[0].replace("-", "_"): path for path in MODULES}

    def passed(self):
        paths = [path for path in MODULES if os.path.exists(path)]
        name, found = self.identify(paths)
        if not name:
            return False
        # Symbols that are added set all breakpoints again, so gdb stops here a second time.
        if self.known.get(name) in paths and self.loaded.get(name) != found[".text"]:
            self.loaded[name] = found[".text"]
            self.load(name, self.known[name], found)
        faa_gdb_program.SESSION.find_guest()
        return False

    def identify(self, paths):
        """Name and sections, with the types of the first file that has any."""
        for path in list(paths):
            try:
                return self.describe(path)
            except gdb.error:
                gdb.write(f"faa-run: no symbols of the module: {path} has no debugging information (-g)\n")
                MODULES.remove(path)
                paths.remove(path)
        return None, {}

    def describe(self, path):
        """Name and sections. The kernel has no types of its own: they are those of a module."""
        if not self.loaded:
            command(f"add-symbol-file {shlex.quote(path)} 0")
        try:
            pointer = gdb.lookup_type("struct module").pointer()
            module = gdb.parse_and_eval("$rdi").cast(pointer).dereference()
            return module["name"].string(), sections(module)
        finally:
            if not self.loaded:
                command("remove-symbol-file -a 0")

    @staticmethod
    def load(name, path, found):
        # Those of the initialization are freed later.
        words = [f"-s {section} {address:#x}" for section, address in found.items()
                 if section in (".data", ".bss", ".rodata", ".init.text", ".exit.text")]
        command(f"add-symbol-file {shlex.quote(path)} {found['.text']:#x} {' '.join(words)}")
        gdb.write(f"faa-run: symbols of module {name} at {found['.text']:#x}\n")


class Task(gdb.Command):
    """faa-task: the process of the guest in whose name the kernel runs."""

    def __init__(self):
        super().__init__("faa-task", gdb.COMMAND_STATUS)

    def invoke(self, _argument, _from_tty):
        try:
            task_type = gdb.lookup_type("struct task_struct").pointer()
        except gdb.error as error:
            raise gdb.GdbError("the types of the kernel come with the symbols of the driver") from error
        word = gdb.lookup_type("unsigned long").pointer().pointer()
        address = int(gdb.parse_and_eval("(long)&cpu_tasks"))
        task = gdb.Value(address).cast(word).dereference().cast(task_type)
        gdb.write(f"{task['comm'].string()}, process {int(task['pid'])} of the guest\n")


def begin():
    command("set confirm off")
    command("set breakpoint pending on")
    command("set follow-fork-mode parent")
    command("set detach-on-fork on")
    command("set print inferior-events off")
    command("set print thread-events off")
    # The kernel prints to the log.
    output = f"exec \"$0\" \"$@\" </dev/null >>{shlex.quote(LOG)} 2>&1"
    command(f"set exec-wrapper sh -c {shlex.quote(output)}")
    command(f"handle {QUIET} nostop noprint pass")
    Loaded()
    Task()
    gdb.Breakpoint("panic")
    # For a process of the guest the kernel forks one of the host. gdb removes the breakpoints from
    # it, and, as it shares the memory of the modules with the kernel, from the kernel as well. A
    # stop sets them again.
    command("catch fork\ncommands\nsilent\ncontinue\nend")
    faa_gdb_program.begin(PROGRAM)
    missing = [path for path in MODULES if not os.path.exists(path)]
    for path in missing:
        gdb.write(f"faa-run: no symbols of the module: {path} is missing\n")
    gdb.write("faa-run: set breakpoints in kernel, driver and program, then type 'run'; the kernel's log is "
              f"{LOG}\n")


begin()
