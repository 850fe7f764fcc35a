# SPDX-License-Identifier: MIT
"""The device: a render node, or a simulated one."""

from __future__ import annotations

import atexit
import contextlib
import errno
import os
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from typing import Any

import numpy

from faa._library import ffi, lib, new_pointer, size_of
from faa._tables import CONSTANTS, AsmFormat, AsmSyntax, Counter, Feature, SpirvEnvironment
from faa.arrays import Memory, span_of
from faa.atomics import Atomics
from faa.counters import CountersStream
from faa.errors import FaaError
from faa.kernels import Assembly, SpirvModule
from faa.queues import Queue, Timeline
from faa.streams import Stream, reg
from faa.surfaces import Surface

#: Headers of surfaces of one device
_HEADERS = 1024
_open: weakref.WeakSet = weakref.WeakSet()


class Info:
    """Properties of the device and the driver: the members of struct faa_device_info, and features,
    a set of Feature.
    """

    def __init__(self, raw: Any) -> None:
        for name, _ in ffi.typeof("struct faa_device_info").fields:
            setattr(self, name, getattr(raw, name))
        self.features = {feature for feature in Feature if raw.features >> feature & 1}

    def __getattr__(self, name: str) -> int:
        raise AttributeError(f"a device has no {name}")

    def __repr__(self) -> str:
        return f"Info({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class Device(Atomics):
    """A device with one address space.

    Arrays of the device are numpy arrays on memory that the processor and the device share: nothing
    is copied. They stay usable after close(). Threads may use a device at the same time; a child of
    fork() opens its own.
    """

    def __init__(
        self,
        path: str | None = None,
        *,
        simulate: bool | None = None,
        engine: str | None = None,
        options: Sequence[str] = (),
    ) -> None:
        """Open the first faa render node, or start a simulated device if there is none.

        Args:
            path: a render node, such as /dev/dri/renderD128.
            simulate: True: always start a simulated device; False: never; None: if there is no
                node. A process in faa-run has a node.
            engine: of a simulated device: "rtl", the verilated hardware, or "model", the C model,
                which is faster. Default: that of faa-run.
            options: further options of faa-run, such as "--mem=1G".

        Raises:
            FaaError: ENODEV, EACCES, EPROTO: the text says why.
        """
        pointer = None
        if path is not None:
            pointer = new_pointer("struct faa_device *", lib.faa_device_open_path, path.encode())
        elif not simulate:
            pointer = self._open_node(simulate is None and "FAA_IN_RUN" not in os.environ)
        self.is_simulated = pointer is None
        if pointer is None:
            if simulate is None:
                print("faa: no faa device on this machine, using a simulated one", file=sys.stderr)
            pointer = self._start(engine, options)
        self._take(pointer)

    @staticmethod
    def _open_node(may_simulate: bool) -> Any:
        try:
            return new_pointer("struct faa_device *", lib.faa_device_open)
        except FaaError as error:
            if error.errno != errno.ENODEV or not may_simulate:
                raise
        return None

    @staticmethod
    def _start(engine: str | None, options: Sequence[str]) -> Any:
        arguments = [f"--engine={engine}"] * (engine is not None) + list(options)
        texts = [ffi.new("char[]", os.fsencode(argument)) for argument in arguments]
        runner = (
            ffi.new("char[]", os.fsencode(os.environ["FAA_RUN"]))
            if "FAA_RUN" in os.environ
            else ffi.NULL
        )
        vector = ffi.new("char *[]", texts + [ffi.NULL])
        simulation = ffi.new("struct faa_simulation *", {"runner": runner, "arguments": vector})
        return new_pointer(
            "struct faa_device *",
            lib.faa_device_open_simulated_sized,
            simulation,
            size_of(simulation),
        )

    @classmethod
    def adopt(cls, pointer: Any) -> Device:
        """A device that C code has opened; the object takes its reference."""
        device = cls.__new__(cls)
        device.is_simulated = True
        device._take(pointer)
        return device

    def _take(self, pointer: Any) -> None:
        self.is_open = True
        self._pointer = ffi.gc(pointer, lib.faa_device_unref)
        self.info = Info(lib.faa_device_info(self.pointer))
        self._vm = ffi.gc(
            new_pointer("struct faa_vm *", lib.faa_vm_create, self.pointer), lib.faa_vm_unref
        )
        self.memory = Memory(self.pointer, self.vm, lib.faa_device_fd(self.pointer) >= 0)
        self.queues: weakref.WeakSet = weakref.WeakSet()
        self._queue: Queue | None = None
        self._pool: Any = None
        self._has_clock: bool | None = None
        self._lock = threading.Lock()
        _open.add(self)

    def close(self) -> None:
        """Release queues and the address space. A simulated device ends with the last array."""
        if not self.is_open:
            return
        for queue in list(self.queues):
            queue.close()
        if self._pool:
            ffi.release(self._pool)
        self.memory.close()
        self.is_open = False
        ffi.release(self._vm)
        ffi.release(self._pointer)
        self._vm = self._pointer = self._pool = self._queue = None

    def _opened(self, pointer: Any) -> Any:
        if not self.is_open:
            raise FaaError(errno.ENODEV, "the device was closed")
        return pointer

    @property
    def pointer(self) -> Any:
        """The C structure of the device."""
        return self._opened(self._pointer)

    @property
    def vm(self) -> Any:
        """The C structure of its address space."""
        return self._opened(self._vm)

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def default_queue(self) -> Queue:
        """The queue of the atomic operations on arrays."""
        with self._lock:
            if not self._queue or not self._queue.pointer:
                self._queue = self.queue()
            return self._queue

    def header_pool(self) -> Any:
        """The C structure of the texture headers of all surfaces."""
        with self._lock:
            if not self._pool:
                self._pool = ffi.gc(
                    new_pointer(
                        "struct faa_header_pool *", lib.faa_header_pool_create, self.vm, _HEADERS
                    ),
                    lib.faa_header_pool_destroy,
                )
            return self._pool

    @property
    def has_clock(self) -> bool:
        """Whether the device counts clock cycles; the C model has no clock and counts steps.

        The first use runs a job on a queue of its own.

        Raises:
            FaaError: ENOSPC: no queue is left.
        """
        if self._has_clock is None:
            self._has_clock = self._find_clock()
        return self._has_clock

    def _find_clock(self) -> bool:
        """Whether stalls are counted while a command waits for a load; see clock.c of the tools."""
        before, after, word = self.counter_snapshot(), self.counter_snapshot(), self.zeros(1)
        stream = self.stream()
        stream.snapshot(before)
        stream.write_barrier(0).ld(reg(0), stream.addresses(word), count=1)
        stream.wait(1).nop()
        stream.snapshot(after)
        with self.queue() as queue:
            queue.run(stream.finish())
        return bool((after - before)[Counter.STALL_FETCH : Counter.STALL_GLOBAL + 1].any())

    # Arrays

    def empty(self, shape: Any, dtype: Any = numpy.uint32) -> numpy.ndarray:
        """An array of the device; its memory is zero too.

        Raises:
            FaaError: ENOMEM: the machine has no memory for it; option --mem of faa-run sets that of
                a simulated one.
        """
        shape = (shape,) if isinstance(shape, (int, numpy.integer)) else tuple(shape)
        kind = numpy.dtype(dtype)
        size = int(numpy.prod(shape, dtype=numpy.uint64)) * kind.itemsize
        return self.memory.allocate(size).view(kind).reshape(shape)

    def zeros(self, shape: Any, dtype: Any = numpy.uint32) -> numpy.ndarray:
        """An array of the device, filled with 0; errors as empty()."""
        return self.empty(shape, dtype)

    def full(self, shape: Any, value: Any, dtype: Any = numpy.uint32) -> numpy.ndarray:
        """An array of the device, filled with value; errors as empty()."""
        array = self.empty(shape, dtype)
        array[...] = value
        return array

    def array(self, data: Any, dtype: Any = None) -> numpy.ndarray:
        """A copy of data as an array of the device; errors as empty()."""
        source = numpy.asarray(data, dtype)
        array = self.empty(source.shape, source.dtype)
        array[...] = source
        return array

    def counter_snapshot(self) -> numpy.ndarray:
        """An array for Stream.snapshot(): 32 uint64 of zeros, at an address that it accepts.

        Counters wrap at 2**64, and the difference of two such arrays, ``after - before``, wraps in
        the same way: it is right as long as no counter advanced by 2**64. Errors as empty().
        """
        return self.zeros(CONSTANTS["FAA_COUNTERS"], numpy.uint64)

    @contextlib.contextmanager
    def shared(self, array: numpy.ndarray, write: bool = True) -> Iterator[numpy.ndarray]:
        """``with device.shared(array):`` lets programs use an array that numpy has allocated,
        without a copy.

        The pages of the array are mapped (userptr), writable unless write is False.

        Raises:
            FaaError: EOPNOTSUPP: the device is simulated in another machine, which has no access to
                memory of this process. device.array() makes a copy there; a program that runs
                inside faa-run can share its memory.
        """
        if not self.memory.shares_process:
            raise FaaError(
                errno.EOPNOTSUPP,
                "a device that is simulated in another machine cannot use memory of this process: "
                "device.array() makes a copy, and a program inside faa-run can share its memory",
            )
        if write and not array.flags.writeable:
            raise ValueError("the array is read-only")
        region = self.memory.share(*span_of(array), write)
        try:
            yield array
        finally:
            self.memory.unshare(region)

    # Objects

    def stream(self) -> Stream:
        """An empty command stream."""
        return Stream(self)

    def queue(
        self, shared_bytes: int = 0, priority: str = "normal", status_entries: int = 0
    ) -> Queue:
        """A queue.

        Args:
            shared_bytes: shared memory, a multiple of info.shared_granule up to info.shared_max.
            priority: "low", "normal" or "high", which needs CAP_SYS_NICE.
            status_entries: most unfinished jobs; a power of two, 64 to 4096, 0: 256.

        Raises:
            FaaError: EINVAL, EACCES, ENOSPC: no queue is left.
        """
        return Queue(self, shared_bytes, priority, status_entries)

    def timeline(self) -> Timeline:
        """A timeline of fences, at 0."""
        return Timeline(self)

    def counters(self, period: float, records: int = 256) -> CountersStream:
        """A stream of samples of the counters of all compute units.

        Args:
            period: seconds from one sample to the next, 0.0001 to 10.
            records: samples that the kernel keeps until they are read, 1 to 4096.

        Raises:
            FaaError: EINVAL: out of range; EACCES: the process lacks CAP_PERFMON; ENOSPC: the
                device has too many streams; EOPNOTSUPP: a device that was simulated for this
                process, which has none: run the program inside faa-run.
        """
        return CountersStream(self, period, records)

    def surface(self, shape: Any, dtype: Any = numpy.uint32, layout: str = "block") -> Surface:
        """An image of zeros; see Surface."""
        return Surface(self, shape, dtype, layout)

    def ptx(self, source: str, kernel: str | None = None) -> Assembly:
        """Code in PTX; see Assembly."""
        return Assembly(self, source, AsmSyntax.PTX, kernel)

    def assembly(
        self, source: str | bytes, syntax: AsmSyntax | str, form: AsmFormat | str = AsmFormat.TEXT
    ) -> Assembly:
        """Code in SASS or vISA; see Assembly."""
        return Assembly(self, source, syntax, None, form)

    def spirv(
        self,
        data: bytes,
        environment: SpirvEnvironment | str = SpirvEnvironment.GUESS,
        specializations: dict[int, int] | None = None,
    ) -> SpirvModule:
        """A module in SPIR-V; see SpirvModule."""
        return SpirvModule(self, data, environment, specializations)


@atexit.register
def _close_all() -> None:
    """Release queues, then address spaces, before the interpreter exits."""
    for device in list(_open):
        with contextlib.suppress(FaaError):
            device.close()
