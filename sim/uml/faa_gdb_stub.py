#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A process of the guest as a target of gdb's remote protocol, for faa-run --gdb.

faa_gdb_stub.py SOCKET MEMORY: gdb connects to the UNIX socket, whose directory has nothing else and
is removed at the end; MEMORY is the descriptor of the kernel's memory. It is a process of its own,
because gdb waits for answers also while it holds the lock of its Python. Commands come as lines of
JSON at standard input, and each has a line of answer: the layout of the kernel first; {"tgid": N,
"tid": N} selects process and thread; {"hide": {address: byte}} are the bytes below breakpoint
instructions; {} answers with the breakpoints that gdb wants.

The program runs when the kernel runs, never by a command of this connection.
"""
import json
import os
import shutil
import socket
import struct
import sys
from selectors import EVENT_READ, DefaultSelector

import faa_gdb_guest

GENERAL = "rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip".split()
SEGMENTS = "eflags cs ss ds es fs gs".split()
CONTROL = "fctrl fstat ftag fiseg fioff foseg fooff fop".split()
VECTORS = [f"xmm{index}" for index in range(16)]
POINTERS = {"rbp": "data_ptr", "rsp": "data_ptr", "rip": "code_ptr"}
REFUSED = ("The program runs with the kernel. Of the commands that run it, 'continue' is there, and "
           "breakpoints.\n")


def description():
    """target.xml; registers in the order of packet g."""
    def register(name, bits, kind):
        return f'<reg name="{name}" bitsize="{bits}" type="{kind}"/>'

    def feature(name, parts):
        return f'<feature name="org.gnu.gdb.i386.{name}">{"".join(parts)}</feature>'

    core = [register(name, 64, POINTERS.get(name, "int64")) for name in GENERAL]
    core += [register(name, 32, "int32") for name in SEGMENTS]
    core += [register(f"st{index}", 80, "i387_ext") for index in range(8)]
    core += [register(name, 32, "int") for name in CONTROL]
    lanes = "".join(f'<vector id="v{count}{kind}" type="{kind}" count="{count}"/>' for count, kind in
                    ((4, "ieee_single"), (2, "ieee_double"), (16, "int8"), (8, "int16"), (4, "int32"),
                     (2, "int64")))
    fields = "".join(f'<field name="{name}" type="{kind}"/>' for name, kind in
                     (("v4_float", "v4ieee_single"), ("v2_double", "v2ieee_double"),
                      ("v16_int8", "v16int8"), ("v8_int16", "v8int16"), ("v4_int32", "v4int32"),
                      ("v2_int64", "v2int64"), ("uint128", "uint128")))
    sse = [lanes, f'<union id="vec128">{fields}</union>']
    sse += [register(name, 128, "vec128") for name in VECTORS] + [register("mxcsr", 32, "int")]
    return ('<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target>'
            '<architecture>i386:x86-64</architecture><osabi>GNU/Linux</osabi>' +
            feature("core", core) + feature("sse", sse) +
            feature("linux", [register("orig_rax", 64, "int")]) +
            feature("segments", [register("fs_base", 64, "int"), register("gs_base", 64, "int")]) +
            "</target>").encode()


def registers(task):
    """Packet g."""
    area = task.floating_point()
    control, status, tags, opcode = struct.unpack("<HHBxH", area[:8])
    instruction, code, data, segment = struct.unpack("<IHxxIH", area[8:22])
    full = sum((0 if tags >> index & 1 else 3) << 2 * index for index in range(8))
    packed = b"".join(struct.pack("<Q", task.get(name)) for name in GENERAL)
    packed += b"".join(struct.pack("<I", task.get(name) & 0xffffffff) for name in SEGMENTS)
    packed += b"".join(area[32 + 16 * index:42 + 16 * index] for index in range(8))
    packed += struct.pack("<8I", control, status, full, code, instruction, segment, data, opcode)
    packed += area[160:416] + area[24:28]
    packed += b"".join(struct.pack("<Q", task.get(name)) for name in ("orig_rax", "fs_base", "gs_base"))
    return packed


class Target:
    """Answers packets."""

    def __init__(self, guest):
        self.guest, self.tgid, self.tid, self.chosen = guest, 0, 0, 0
        self.breakpoints, self.hidden = set(), {}
        self.description = description()

    def select(self, tgid, tid):
        if tgid != self.tgid:
            self.breakpoints = set()
        self.tgid, self.tid, self.chosen = tgid, tid, tid

    def threads(self):
        first = self.guest.find(self.tgid)
        return first.threads() if first else []

    def task(self):
        found = self.threads()
        return next((task for task in found if task.pid == self.chosen), found[0])

    def space(self):
        return faa_gdb_guest.Space(self.guest, self.task().mm)

    def read(self, address, size):
        data = bytearray(self.space().read(address, size))
        for at, byte in self.hidden.items():
            if 0 <= at - address < len(data) and data[at - address] == 0xcc:
                data[at - address] = byte
        return bytes(data)

    def transfer(self, data, words):
        offset, size = (int(word, 16) for word in words.split(","))
        part = data[offset:offset + size]
        part = b"".join(b"}" + bytes([byte ^ 0x20]) if byte in b"#$}*" else bytes([byte]) for byte in part)
        return (b"m" if offset + size < len(data) else b"l") + part

    def query(self, text):
        if text.startswith("qSupported"):
            return "PacketSize=4000;QStartNoAckMode+;swbreak+;qXfer:features:read+;qXfer:auxv:read+"
        if text.startswith("qXfer:features:read:target.xml:"):
            return self.transfer(self.description, text.split(":")[-1])
        if text.startswith("qXfer:auxv:read:"):
            return self.transfer(self.space().auxv(), text.split(":")[-1])
        if text == "qfThreadInfo":
            return "m" + ",".join(f"{task.pid:x}" for task in self.threads())
        if text.startswith("qThreadExtraInfo,"):
            tid = int(text.split(",")[1], 16)
            return next(task.comm for task in self.threads() if task.pid == tid).encode().hex()
        return {"qsThreadInfo": "l", "qC": f"QC{self.tid:x}", "qAttached": "1"}.get(text, "")

    def memory(self, kind, text):
        where, _, data = text.partition(":")
        address, size = (int(word, 16) for word in where.split(","))
        if kind == "m":
            return self.read(address, size).hex() or "E01"
        return "OK" if self.space().write(address, bytes.fromhex(data)) else "E01"

    def breakpoint(self, text):
        kind, address = text[0], int(text.split(",")[1], 16)
        if text[1] not in "01":
            return ""
        (self.breakpoints.add if kind == "Z" else self.breakpoints.discard)(address)
        return "OK"

    def stopped(self):
        return f"T05thread:{self.tid:x};"

    def answer(self, text):
        kind, rest = text[0], text[1:]
        if kind == "q":
            return self.query(text)
        if kind == "H":
            if rest[0] == "g" and int(rest[1:], 16) > 0:
                self.chosen = int(rest[1:], 16)
            return "OK"
        if kind == "T":
            return "OK" if any(task.pid == int(rest, 16) for task in self.threads()) else "E01"
        if kind == "g":
            return registers(self.task()).hex()
        # A call of a function of the program by gdb fails here, before the first register is set.
        if kind in "PG":
            return "E01"
        if kind in "mM":
            return self.memory(kind, rest)
        if kind in "Zz":
            return self.breakpoint(text)
        return {"?": self.stopped(), "D": "OK", "QStartNoAckMode": "OK"}.get(text, "")


class Connection:
    """Packets of one gdb."""

    def __init__(self, target, peer):
        self.target, self.peer, self.data = target, peer, b""

    def send(self, answer):
        body = answer if isinstance(answer, bytes) else answer.encode()
        self.peer.sendall(b"$" + body + f"#{sum(body) & 255:02x}".encode())

    def receive(self):
        """False: gdb has gone."""
        got = self.peer.recv(65536)
        self.data += got
        while (begin := self.data.find(b"$")) >= 0 and (end := self.data.find(b"#", begin)) >= 0:
            if len(self.data) < end + 3:
                break
            text, self.data = self.data[begin + 1:end].decode(errors="replace"), self.data[end + 3:]
            self.peer.sendall(b"+")
            if text in ("c", "s"):
                self.send("O" + REFUSED.encode().hex())
                self.send(self.target.stopped())
                continue
            try:
                self.send(self.target.answer(text))
            except (OSError, struct.error, LookupError, ValueError, StopIteration):
                self.send("E01")
        return bool(got)


def serve(path, file):
    guest = faa_gdb_guest.Guest(json.loads(sys.stdin.readline()), file)
    target, listener, selector = Target(guest), socket.socket(socket.AF_UNIX), DefaultSelector()
    listener.bind(path)
    listener.listen()
    selector.register(sys.stdin, EVENT_READ)
    selector.register(listener, EVENT_READ)
    print("{}", flush=True)
    while True:
        for key, _ in selector.select():
            if key.fileobj is listener:
                peer = listener.accept()[0]
                selector.register(peer, EVENT_READ, Connection(target, peer))
            elif key.data:
                if not key.data.receive():
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
            else:
                line = sys.stdin.readline()
                if not line:
                    return
                order = json.loads(line)
                if "tgid" in order:
                    target.select(order["tgid"], order["tid"])
                if "hide" in order:
                    target.hidden = {int(at): byte for at, byte in order["hide"].items()}
                print(json.dumps(sorted(target.breakpoints)), flush=True)


if __name__ == "__main__":
    try:
        serve(sys.argv[1], int(sys.argv[2]))
    finally:
        # gdb may have ended without an order.
        shutil.rmtree(os.path.dirname(sys.argv[1]))
