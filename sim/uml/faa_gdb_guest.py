# SPDX-License-Identifier: Apache-2.0
"""Processes of the guest, read from the memory of the kernel.

User Mode Linux keeps the registers of a process in its thread_struct, and the memory of all
processes in its own address space, so /proc/PID/mem of the kernel's process has both. Offsets of
members and addresses of variables come from gdb; the symbols of a driver have no type of the maple
tree, so its layout is here.
"""
import os
import struct
from types import SimpleNamespace

PAGE = 4096
PRESENT, WRITABLE, NO_ACCESS, DIRTY = 0x001, 0x020, 0x010, 0x100
STEP_FLAG = 1 << 10
MAPLE_LEAF, MAPLE_ALLOCATION = 1, 3
LAST = (1 << 64) - 1
HOSTFS = 0x00c0ffee
AUXV_WORDS = 50
LIST_LIMIT = 1 << 16
# struct user_regs_struct of the host, which is regs.gp
GP = ("r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss "
      "fs_base gs_base ds es fs gs").split()

# The layout: offsets of members, and addresses of variables.
MEMBERS = {
    "pid": "task_struct pid", "tgid": "task_struct tgid", "comm": "task_struct comm",
    "mm": "task_struct mm", "signal": "task_struct signal", "node": "task_struct thread_node",
    "stack": "task_struct stack", "tasks": "task_struct tasks",
    "gp": "task_struct thread.regs.regs.gp", "fp": "task_struct thread.regs.regs.fp",
    "threads": "signal_struct thread_head", "flags": "thread_info flags", "pgd": "mm_struct pgd",
    "tree": "mm_struct mm_mt.ma_root", "auxv": "mm_struct saved_auxv", "exe": "mm_struct exe_file",
    "start": "vm_area_struct vm_start", "end": "vm_area_struct vm_end",
    "first_page": "vm_area_struct vm_pgoff", "file": "vm_area_struct vm_file",
    "dentry": "file f_path.dentry", "parent": "dentry d_parent", "name": "dentry d_name.name",
    "super": "dentry d_sb", "magic": "super_block s_magic",
}
VARIABLES = {
    "physical": "uml_physmem", "current": "cpu_tasks", "init_task": "init_task",
    "task_size": "task_size",
}


class Memory:
    """The memory of the kernel's process, an open file."""

    def __init__(self, file):
        self.file = file

    def read(self, address, size):
        return os.pread(self.file, size, address)

    def write(self, address, data):
        os.pwrite(self.file, data, address)

    def word(self, address):
        return struct.unpack("<Q", self.read(address, 8))[0]

    def int(self, address):
        return struct.unpack("<i", self.read(address, 4))[0]

    def string(self, address, size=256):
        return self.read(address, size).split(b"\0")[0].decode(errors="replace")


class Task:
    """A thread of the guest."""

    def __init__(self, guest, address):
        self.guest, self.address = guest, address
        memory, layout = guest.memory, guest.layout
        self.pid, self.tgid = memory.int(address + layout.pid), memory.int(address + layout.tgid)
        self.comm = memory.string(address + layout.comm, 16)
        self.mm = memory.word(address + layout.mm)

    def gp_address(self, name):
        return self.address + self.guest.layout.gp + 8 * GP.index(name)

    def get(self, name):
        return self.guest.memory.word(self.gp_address(name))

    def put(self, name, value):
        self.guest.memory.write(self.gp_address(name), struct.pack("<Q", value))

    def floating_point(self):
        """The area of FXSAVE, at the beginning of the extended state."""
        return self.guest.memory.read(self.address + self.guest.layout.fp, 512)

    def set_step(self, on):
        memory, layout = self.guest.memory, self.guest.layout
        flags = memory.word(self.address + layout.stack) + layout.flags
        value = memory.word(flags)
        memory.write(flags, struct.pack("<Q", value | STEP_FLAG if on else value & ~STEP_FLAG))

    def threads(self):
        """All threads of the process."""
        guest, layout = self.guest, self.guest.layout
        return [Task(guest, at - layout.node) for at in
                guest.list(guest.memory.word(self.address + layout.signal) + layout.threads)]


class Space:
    """The memory of a process: pages, and what files the others come from."""

    def __init__(self, guest, mm):
        self.guest, self.mm = guest, mm

    def auxv(self):
        return self.guest.memory.read(self.mm + self.guest.layout.auxv, 8 * AUXV_WORDS)

    def executable(self):
        return self.guest.path(self.guest.memory.word(self.mm + self.guest.layout.exe))

    def entry(self, address):
        """The page table entry of an address; 0 = none."""
        memory = self.guest.memory
        table = memory.word(self.mm + self.guest.layout.pgd)
        levels = 4 if memory.word(self.guest.layout.task_size) > 1 << 39 else 3
        for level in range(levels - 1, -1, -1):
            entry = memory.word(table + 8 * (address >> (12 + 9 * level) & 511))
            if level and not entry & PRESENT:
                return 0
            table = self.guest.physical + (entry & ~(PAGE - 1))
        return entry

    def page(self, entry):
        """Where the kernel has the page of an entry that is present, or None."""
        if not entry & (PRESENT | NO_ACCESS):
            return None
        return self.guest.physical + (entry & ~(PAGE - 1))

    def areas(self):
        """The VMAs."""
        root = self.guest.memory.word(self.mm + self.guest.layout.tree)
        return self.walk(root, LAST) if root & 3 == 2 else [root] if root else []

    def walk(self, node, last):
        """Those of a node of the maple tree, whose range ends at last."""
        kind, at = node >> 3 & 15, node & ~255
        count = 10 if kind == MAPLE_ALLOCATION else 16
        words = struct.unpack("<32Q", self.guest.memory.read(at, 256))
        pivots, slots = words[1:count], words[count:2 * count]
        found = []
        for index, slot in enumerate(slots):
            # A pivot of 0 stands for the end of the node; slots after it are not in use.
            end = pivots[index] if index < len(pivots) and pivots[index] else last
            if slot:
                found += [slot] if kind == MAPLE_LEAF else self.walk(slot, end)
            if end >= last:
                break
        return found

    def from_file(self, address, size):
        """The bytes that a page fault would read. None: no memory, or not that of a file."""
        memory, layout = self.guest.memory, self.guest.layout
        for area in self.areas():
            start = memory.word(area + layout.start)
            if not start <= address < memory.word(area + layout.end):
                continue
            file = memory.word(area + layout.file)
            if not file:
                return bytes(size)
            offset = memory.word(area + layout.first_page) * PAGE + address - start
            path = self.guest.path(file)
            if not path:
                return None
            try:
                with open(path, "rb") as opened:
                    opened.seek(offset)
                    return opened.read(size).ljust(size, b"\0")
            except OSError:
                return None
        return None

    def read(self, address, size):
        """As many bytes as there are."""
        data = b""
        while len(data) < size:
            at = address + len(data)
            part = min(size - len(data), PAGE - at % PAGE)
            entry = self.entry(at)
            page = self.page(entry)
            if page is not None:
                got = self.guest.memory.read(page + at % PAGE, part)
            else:
                # An entry that is not present and has bits is in swap space.
                got = self.from_file(at, part) if entry & ~0xfff == 0 else None
            if not got:
                break
            data += got
        return data

    def write(self, address, data):
        """To pages that the process may write without a fault, which has them for itself."""
        places = []
        for at in range(address, address + len(data)):
            entry = self.entry(at)
            if not (entry & PRESENT and entry & WRITABLE and entry & DIRTY):
                return False
            places.append(self.page(entry) + at % PAGE)
        for place, byte in zip(places, data):
            self.guest.memory.write(place, bytes([byte]))
        return True


class Guest:
    """All processes. layout: {name: number} for the names of MEMBERS and VARIABLES."""

    def __init__(self, layout, file):
        self.layout, self.memory = SimpleNamespace(**layout), Memory(file)
        self.physical = self.memory.word(self.layout.physical)

    def list(self, head):
        at = self.memory.word(head)
        # A driver may have overwritten it.
        for _ in range(LIST_LIMIT):
            if at == head:
                return
            yield at
            at = self.memory.word(at)

    def current(self):
        return Task(self, self.memory.word(self.layout.current))

    def find(self, tgid):
        """The first thread of a process, or None."""
        node = self.layout.tasks
        for at in self.list(self.layout.init_task + node):
            task = Task(self, at - node)
            if task.tgid == tgid and task.mm:
                return task
        return None

    def path(self, file):
        """Of a file in the root of the guest, which is that of the host; None: of another."""
        memory, layout = self.memory, self.layout
        dentry = memory.word(file + layout.dentry) if file else 0
        if not dentry or memory.word(memory.word(dentry + layout.super) +
                                     layout.magic) != HOSTFS:
            return None
        names = []
        while (parent := memory.word(dentry + layout.parent)) != dentry:
            names.insert(0, memory.string(memory.word(dentry + layout.name)))
            dentry = parent
        return "/" + "/".join(names)
