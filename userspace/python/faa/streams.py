# SPDX-License-Identifier: MIT
"""Command streams: built once, run any number of times."""

from __future__ import annotations

import struct
from typing import Any, Union

import numpy

from faa._library import check, ffi, lib, text_of
from faa._tables import (
    CONSTANTS,
    AluOp,
    AtomOp,
    AtomsOp,
    Clamp,
    Cmp,
    Dim,
    FenceOrder,
    JumpCond,
    Order,
    Scope,
    SemCond,
    Type,
)
from faa.arrays import item_type, stride_of, type_of
from faa.errors import StreamError

FLOATS = {Type.F16: "<e", Type.F32: "<f", Type.F64: "<d"}


class Operand:
    """An operand of a command; made by the functions below."""

    def __init__(self, value: Any, array: numpy.ndarray | None = None) -> None:
        self.value = value
        #: Array that must live as long as the stream
        self.array = array


#: Operand of a method of Stream: numbers are immediates, arrays give one item for each element,
#: None is absent
OperandLike = Union[Operand, int, float, numpy.ndarray, numpy.generic, None]


def reg(number: int) -> Operand:
    """Vector register, 0 to 254.

    255 reads 0. A 64-bit operand takes the even register and the next.
    """
    return Operand(lib.faa_reg(number))


def imm(value: int) -> Operand:
    """The same 64 bits for every element."""
    return Operand(lib.faa_imm(value & (1 << 64) - 1))


def affine(base: int, step: int) -> Operand:
    """base + element * step, modulo 2^64."""
    return Operand(lib.faa_affine(base & (1 << 64) - 1, step & (1 << 64) - 1))


def bits_of(value: Any, kind: Type) -> int:
    """A number as bits of a type; packed types take an integer.

    Raises:
        OverflowError: the integer is out of range.
        TypeError: a fraction for an integer type.
    """
    if kind in FLOATS:
        return int.from_bytes(struct.pack(FLOATS[kind], value), "little")
    if isinstance(value, (float, numpy.floating)):
        if not float(value).is_integer():
            raise TypeError(f"{value} is no value of type {kind.name}")
    number, bits = int(value), size_of(kind) * 8
    low, high = (
        (-(1 << bits - 1), (1 << bits - 1) - 1)
        if kind.name.startswith("S")
        else (-(1 << bits - 1), (1 << bits) - 1)
    )
    if not low <= number <= high:
        raise OverflowError(
            f"{number} is no value of type {kind.name}: allowed are {low} to {high}"
        )
    return number & (1 << bits) - 1


def size_of(kind: Type) -> int:
    """Bytes of a type, 1 to 8."""
    return 4 if kind.name.endswith("X2") else int(kind.name.lstrip("BSDUF")) // 8


class Stream:
    """A command stream under construction; device.stream() makes one.

    Methods that add a command check their arguments and raise StreamError. Operands are numbers,
    Operand objects, arrays of the device (one item for each element), or None if absent. Types are
    Type, its name, or a numpy dtype. One thread at a time.
    """

    def __init__(self, device: Any) -> None:
        self.device = device
        self.arrays: list[numpy.ndarray] = []
        out = ffi.new("struct faa_stream **")
        check(lib.faa_stream_create(out))
        self.pointer = ffi.gc(out[0], lib.faa_stream_destroy)
        self._has_pool = False

    def _added(self, ret: int) -> None:
        if ret < 0:
            raise StreamError(
                -ret, text_of(lib.faa_stream_error(self.pointer)) or text_of(lib.faa_last_error())
            )

    def operand(self, value: OperandLike, kind: Type | None = None) -> Any:
        """The C structure of an operand; kind is the type of a number."""
        if value is None:
            return lib.faa_none()
        if isinstance(value, Operand):
            if value.array is not None:
                self.arrays.append(value.array)
            return value.value
        if isinstance(value, numpy.ndarray) and value.ndim:
            return self.operand(self.items(value))
        number = value.item() if isinstance(value, (numpy.generic, numpy.ndarray)) else value
        return lib.faa_imm(int(number) & (1 << 64) - 1 if kind is None else bits_of(number, kind))

    def items(self, array: numpy.ndarray) -> Operand:
        """An item of an array of the device for each element, in C order.

        Raises:
            ValueError: it is no memory of the device, or its items have no common distance.
        """
        stride = stride_of(array)
        if stride is None:
            raise ValueError(
                "the items of the array have no common distance in memory: take a copy"
            )
        return Operand(
            lib.faa_array(self.device.memory.address_of(array), item_type(array.dtype), stride),
            array,
        )

    def addresses(self, target: numpy.ndarray, index: OperandLike = None) -> Operand:
        """Addresses of items of target: of item index[e] for element e, or, without an index, of
        item e; a number as index is one item for all elements.

        Args:
            target: array of the device, contiguous in C order.
            index: unsigned array of the device, or a number; items are not checked against the size
                of target.

        Raises:
            ValueError: target is not contiguous.
        """
        if not target.flags.c_contiguous:
            raise ValueError("the target of atomic operations must be contiguous in C order")
        base = self.device.memory.address_of(target)
        if index is None:
            return Operand(lib.faa_affine(base, target.itemsize), target)
        if not isinstance(index, numpy.ndarray):
            return Operand(
                lib.faa_imm(base + int(index) * target.itemsize),  # type: ignore[arg-type]
                target,
            )
        items = self.items(index)
        self.arrays.append(target)
        return Operand(lib.faa_scaled(items.value, target.itemsize.bit_length() - 1, base), index)

    # Attributes of the next command

    def guard(self, predicate: int, negate: bool = False) -> Stream:
        """The next command executes where P0..P6 (7: always) is true, or false with negate."""
        self._added(lib.faa_stream_guard(self.pointer, predicate, negate))
        return self

    def wait(self, barriers: int) -> Stream:
        """The next command waits until the barriers of a mask (bits 0 to 5) are free."""
        self._added(lib.faa_stream_wait(self.pointer, barriers))
        return self

    def read_barrier(self, barrier: int) -> Stream:
        """The next command holds a barrier, 0 to 5, until its sources are read."""
        self._added(lib.faa_stream_read_barrier(self.pointer, barrier))
        return self

    def write_barrier(self, barrier: int) -> Stream:
        """The next command holds a barrier, 0 to 5, until its results are written."""
        self._added(lib.faa_stream_write_barrier(self.pointer, barrier))
        return self

    def float_mode(self, modes: int) -> Stream:
        """FloatMode bits of the next command."""
        self._added(lib.faa_stream_float_mode(self.pointer, modes))
        return self

    # Control

    def end(self) -> None:
        """The job ends here; finish() adds it."""
        self._added(lib.faa_stream_end(self.pointer))

    def nop(self) -> None:
        """No operation; useful after wait()."""
        self._added(lib.faa_stream_nop(self.pointer))

    def label(self) -> int:
        """A new label, for one call of place()."""
        out = ffi.new("uint32_t *")
        self._added(lib.faa_stream_label(self.pointer, out))
        return out[0]

    def place(self, label: int) -> None:
        """Place the label before the next command."""
        self._added(lib.faa_stream_place(self.pointer, label))

    def jump(self, label: int, cond: JumpCond = JumpCond.ALL) -> None:
        """Continue at a label if the guard holds in ANY, ALL or NONE of the 32 lanes."""
        self._added(lib.faa_stream_jump(self.pointer, cond, label))

    def sem_wait(self, word: numpy.ndarray, cond: SemCond, reference: int) -> None:
        """Wait until the first item of word, 64 bits, fulfils cond with reference."""
        self.arrays.append(word)
        self._added(
            lib.faa_stream_sem_wait(
                self.pointer, cond, self.device.memory.address_of(word), reference
            )
        )

    def sem_signal(self, word: numpy.ndarray, value: int) -> None:
        """Write the first item of word, 64 bits, after all earlier commands."""
        self.arrays.append(word)
        self._added(
            lib.faa_stream_sem_signal(self.pointer, self.device.memory.address_of(word), value)
        )

    def snapshot(self, counters: numpy.ndarray) -> None:
        """Write the counters of the compute unit to an array; index: Counter.

        Args:
            counters: Device.counter_snapshot(), or 32 items of 64 bits, contiguous, at a multiple
                of 256 bytes.

        Raises:
            ValueError: the array is too small, not contiguous, or at another address.
        """
        size = CONSTANTS["FAA_SNAPSHOT_BYTES"]
        if counters.nbytes < size:
            raise ValueError(f"counters need {size} bytes, the array has {counters.nbytes}")
        if not counters.flags.c_contiguous:
            raise ValueError("the array of counters must be contiguous in C order")
        address = self.device.memory.address_of(counters)
        if address % size:
            raise ValueError(
                f"counters need an address that is a multiple of {size}, the array is "
                f"{address % size} bytes after one: device.counter_snapshot() makes an array"
            )
        self.arrays.append(counters)
        self._added(lib.faa_stream_snapshot(self.pointer, address))

    def fence(self, order: FenceOrder, scope: Scope) -> None:
        """Order memory accesses before it with those after it."""
        self._added(lib.faa_stream_fence(self.pointer, order, scope))

    def bar(self) -> None:
        """Wait until each stream of the group has reached a bar() or ended."""
        self._added(lib.faa_stream_bar(self.pointer))

    # Vector commands

    def mov(self, d: OperandLike, a: OperandLike, count: int = 32, type: Any = Type.U32) -> None:
        """d = a. Types U32, U64."""
        kind = type_of(type)
        self._added(
            lib.faa_stream_mov(self.pointer, kind, count, self.operand(d), self.operand(a, kind))
        )

    def setp(
        self,
        predicate: int,
        cmp: Cmp,
        a: OperandLike,
        b: OperandLike,
        count: int = 32,
        type: Any = Type.U32,
    ) -> None:
        """P0..P6 = a cmp b in the lanes that execute; at most 32 elements."""
        kind = type_of(type)
        self._added(
            lib.faa_stream_setp(
                self.pointer,
                cmp,
                kind,
                count,
                predicate,
                self.operand(a, kind),
                self.operand(b, kind),
            )
        )

    def alu(
        self,
        op: AluOp,
        d: OperandLike,
        a: OperandLike,
        b: OperandLike,
        count: int = 32,
        type: Any = Type.U32,
    ) -> None:
        """d = a op b."""
        kind = type_of(type)
        self._added(
            lib.faa_stream_alu(
                self.pointer,
                op,
                kind,
                count,
                self.operand(d),
                self.operand(a, kind),
                self.operand(b, kind),
            )
        )

    def ld(
        self,
        d: OperandLike,
        address: OperandLike,
        count: int = 32,
        type: Any = Type.U32,
        offset: int = 0,
    ) -> None:
        """d = memory[address + offset], a weak access; offset in bytes."""
        self._added(
            lib.faa_stream_ld(
                self.pointer, type_of(type), count, self.operand(d), self.operand(address), offset
            )
        )

    def st(
        self,
        address: OperandLike,
        value: OperandLike,
        count: int = 32,
        type: Any = Type.U32,
        offset: int = 0,
    ) -> None:
        """memory[address + offset] = value, a weak access; offset in bytes."""
        kind = type_of(type)
        self._added(
            lib.faa_stream_st(
                self.pointer, kind, count, self.operand(address), offset, self.operand(value, kind)
            )
        )

    def ld_strong(
        self,
        d: OperandLike,
        address: OperandLike,
        count: int = 32,
        type: Any = Type.U32,
        offset: int = 0,
        scope: Scope = Scope.GPU,
        order: Order = Order.RELAXED,
    ) -> None:
        """ld() that is ordered between streams, queues and the host.

        RELAXED or ACQUIRE.
        """
        self._added(
            lib.faa_stream_ld_strong(
                self.pointer,
                type_of(type),
                scope,
                order,
                count,
                self.operand(d),
                self.operand(address),
                offset,
            )
        )

    def st_strong(
        self,
        address: OperandLike,
        value: OperandLike,
        count: int = 32,
        type: Any = Type.U32,
        offset: int = 0,
        scope: Scope = Scope.GPU,
        order: Order = Order.RELAXED,
    ) -> None:
        """st() that is ordered between streams, queues and the host.

        RELAXED or RELEASE.
        """
        kind = type_of(type)
        self._added(
            lib.faa_stream_st_strong(
                self.pointer,
                kind,
                scope,
                order,
                count,
                self.operand(address),
                offset,
                self.operand(value, kind),
            )
        )

    def lds(
        self,
        d: OperandLike,
        address: OperandLike,
        count: int = 32,
        type: Any = Type.U32,
        offset: int = 0,
    ) -> None:
        """d = shared[address + offset], bytes."""
        self._added(
            lib.faa_stream_lds(
                self.pointer, type_of(type), count, self.operand(d), self.operand(address), offset
            )
        )

    def sts(
        self,
        address: OperandLike,
        value: OperandLike,
        count: int = 32,
        type: Any = Type.U32,
        offset: int = 0,
    ) -> None:
        """shared[address + offset] = value, bytes."""
        kind = type_of(type)
        self._added(
            lib.faa_stream_sts(
                self.pointer, kind, count, self.operand(address), offset, self.operand(value, kind)
            )
        )

    def atoms(
        self,
        op: AtomsOp,
        address: OperandLike,
        b: OperandLike,
        c: OperandLike = None,
        d: OperandLike = None,
        count: int = 32,
        type: Any = Type.U32,
        offset: int = 0,
    ) -> None:
        """Atomic operation on shared memory; c: the new value of CAS and CAST; d: receives the old
        value.

        Args:
            address: in shared memory, bytes; scaled() makes it from an array of indices.
        """
        kind = type_of(type)
        self._added(
            lib.faa_stream_atoms(
                self.pointer,
                op,
                kind,
                count,
                self.operand(d),
                self.operand(address),
                offset,
                self.operand(b, kind),
                self.operand(c, kind),
            )
        )

    def scaled(self, index: numpy.ndarray, shift: int, base: int = 0) -> Operand:
        """base + (index[e] << shift), for addresses; shift 0 to 7."""
        items = self.items(index)
        return Operand(lib.faa_scaled(items.value, shift, base), index)

    def atom(
        self,
        op: AtomOp,
        address: OperandLike,
        b: OperandLike = None,
        c: OperandLike = None,
        d: OperandLike = None,
        count: int = 32,
        type: Any = Type.U32,
        offset: int = 0,
        scope: Scope = Scope.GPU,
        order: Order = Order.RELAXED,
    ) -> None:
        """Atomic operation on memory; c: the new value of CAS and CAST; d: receives the old value,
        None for none.

        Args:
            address: of the items; addresses() makes it from an array and indices.
        """
        kind = type_of(type)
        self._added(
            lib.faa_stream_atom(
                self.pointer,
                op,
                kind,
                scope,
                order,
                count,
                self.operand(d),
                self.operand(address),
                offset,
                self.operand(b, kind),
                self.operand(c, kind),
            )
        )

    def suatom(
        self,
        op: AtomOp,
        surface: Any,
        coordinates: OperandLike,
        b: OperandLike = None,
        c: OperandLike = None,
        d: OperandLike = None,
        count: int = 32,
        type: Any = Type.U32,
        clamp: Clamp = Clamp.IGN,
        scope: Scope = Scope.GPU,
        order: Order = Order.RELAXED,
        packed: bool = False,
    ) -> None:
        """Atomic operation on a surface.

        Args:
            coordinates: one in 32 bits, two in 64 with x in the low half; packed: 16 bits each, two
                in 32 and three in 64.
            clamp: effect outside: IGN: none; NEAR: on the nearest texel; TRAP: an error.
        """
        if not self._has_pool:
            check(lib.faa_header_pool_config(self.device.header_pool(), self.pointer))
            self._has_pool = True
        kind = type_of(type)
        place = ffi.new(
            "struct faa_place *", lib.faa_place_header(Dim(surface.dim), clamp, surface.index)
        )
        place.packed = packed
        self.arrays.append(surface)
        self._added(
            lib.faa_stream_suatom(
                self.pointer,
                place,
                op,
                kind,
                scope,
                order,
                count,
                self.operand(d),
                self.operand(coordinates),
                self.operand(b, kind),
                self.operand(c, kind),
            )
        )

    def raw(self, words: numpy.ndarray) -> None:
        """Add unchecked words, uint64."""
        data = numpy.ascontiguousarray(words, numpy.uint64)
        self._added(
            lib.faa_stream_raw(self.pointer, ffi.cast("uint64_t *", data.ctypes.data), data.size)
        )

    def words(self) -> numpy.ndarray:
        """A copy of the words, uint64; jumps are resolved by finish()."""
        count = ffi.new("size_t *")
        pointer = lib.faa_stream_words(self.pointer, count)
        return (
            numpy.frombuffer(ffi.buffer(pointer, count[0] * 8), numpy.uint64).copy()
            if count[0]
            else numpy.empty(0, numpy.uint64)
        )

    def finish(self) -> Program:
        """End the stream and give it to the device.

        Raises:
            StreamError: a label was not placed, or the stream is too long.
        """
        self.end()
        return Program(self)


class Program:
    """A finished stream in memory of the device, for any number of queue.run() and queue.submit().

    Attributes:
        words: its words, uint64, read-only.
        va: their address.
    """

    def __init__(self, stream: Stream) -> None:
        stream._added(lib.faa_stream_finish(stream.pointer))
        self.device = stream.device
        words = stream.words()
        self.words = stream.device.empty(words.size, numpy.uint64)
        self.words[...] = words
        self.words.flags.writeable = False
        self.va = stream.device.memory.address_of(self.words)
        #: Arrays of the commands live as long as the program
        self.arrays = list(stream.arrays)

    def command(self, offset: int) -> str:
        """The command at a byte offset as text."""
        words = self.words[offset // 8 :].copy()
        if not words.size:
            return ""
        text = ffi.new("char[512]")
        lib.faa_disassemble(
            ffi.cast("uint64_t *", words.ctypes.data), words.size, ffi.NULL, text, 512
        )
        return text_of(text)

    def disassemble(self) -> list[str]:
        """All commands as text."""
        lines, at = [], 0
        while at < self.words.size:
            lines.append(self.command(at * 8))
            at += max(1, int(self.words[at]) >> CONSTANTS["FAA_HEADER_LENGTH_SHIFT"] & 0xFF)
        return lines
