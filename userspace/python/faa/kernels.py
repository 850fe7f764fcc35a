# SPDX-License-Identifier: MIT
"""Kernels in PTX, SASS, vISA and SPIR-V."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy

from faa._library import check, ffi, lib, size_of, text_of
from faa._tables import CONSTANTS, AsmFormat, AsmSyntax, SpirvBindingKind, SpirvEnvironment
from faa.arrays import item_type
from faa.errors import AssemblyError, SpirvError
from faa.streams import Program, Stream, affine, imm
from faa.surfaces import Surface

LANES = CONSTANTS["FAA_LANES"]


class PerLane:
    """An array of the device of which lane i of warp w gets item 32 * w + i, as an input of a
    kernel.
    """

    def __init__(self, array: numpy.ndarray) -> None:
        self.array = array


def _asm_fail(ret: int, error: Any, stream: Any = None) -> None:
    """Raise an exception for an error in the code."""
    if not ret:
        return
    text = (
        text_of(error.text)
        or (text_of(lib.faa_stream_error(stream.pointer)) if stream else "")
        or text_of(lib.faa_last_error())
    )
    raise AssemblyError(-ret, text, error.line, error.column)


class Assembly:
    """Code of an assembly language for one warp or several; device.ptx() and device.assembly() make
    one.

    Attributes:
        variables: bytes of .global and .const variables of PTX by name, arrays of the device; they
            keep their values from run to run.
    """

    def __init__(
        self,
        device: Any,
        source: str | bytes,
        syntax: AsmSyntax | str = AsmSyntax.PTX,
        kernel: str | None = None,
        form: AsmFormat | str = AsmFormat.TEXT,
    ) -> None:
        """Read and check code.

        Args:
            source: text, or the bytes of a binary form.
            syntax: PTX, SASS or VISA.
            kernel: name of one of several kernels.
            form: TEXT, HEX, BUNDLE or CISA.

        Raises:
            AssemblyError: it breaks a rule of its language; with line and column.
        """
        self.device = device
        self.syntax = AsmSyntax[syntax] if isinstance(syntax, str) else AsmSyntax(syntax)
        data = source.encode() if isinstance(source, str) else bytes(source)
        out, error = ffi.new("struct faa_asm_code **"), ffi.new("struct faa_asm_error *")
        code = AsmFormat[form] if isinstance(form, str) else AsmFormat(form)
        _asm_fail(lib.faa_asm_read(self.syntax, code, data, len(data), out, error), error)
        self.pointer = ffi.gc(out[0], lib.faa_asm_destroy)
        if kernel is not None:
            _asm_fail(lib.faa_asm_choose(self.pointer, kernel.encode(), error), error)
        self.variables = self._make_variables()

    def _make_variables(self) -> dict[str, numpy.ndarray]:
        found, variable = {}, ffi.new("struct faa_asm_variable *")
        while lib.faa_asm_variable(self.pointer, len(found), variable):
            memory = self.device.zeros(max(variable.bytes, variable.initial_bytes, 1), numpy.uint8)
            if variable.initial_bytes:
                memory[: variable.initial_bytes] = numpy.frombuffer(
                    ffi.buffer(variable.initial, variable.initial_bytes), numpy.uint8
                )
            found[text_of(variable.name)] = memory
        return found

    def _operand(self, name: str, value: Any, warp: int, stream: Stream) -> Any:
        """An input of a warp as an operand."""
        if isinstance(value, PerLane):
            part = value.array.reshape(-1)[warp * LANES : (warp + 1) * LANES]
            if part.size < LANES:
                raise ValueError(
                    f"input {name}: {value.array.size} items for lane {warp * LANES + LANES - 1}"
                )
            return stream.operand(part)
        if isinstance(value, Surface):
            return stream.operand(value.index)
        if isinstance(value, numpy.ndarray) and value.ndim:
            stream.arrays.append(value)
            return stream.operand(self.device.memory.address_of(value))
        if isinstance(value, (numpy.generic, numpy.ndarray)):
            return stream.operand(int(numpy.asarray(value).view(f"u{value.dtype.itemsize}")))
        if isinstance(value, float):
            raise TypeError(
                f"input {name}: a float has no size: "
                f"say numpy.float32({value}) or numpy.float64({value})"
            )
        return stream.operand(value)

    def _values(self, pairs: Mapping[str, Any], warp: int, stream: Stream, keep: list[Any]) -> Any:
        """struct faa_asm_value of inputs."""
        values = ffi.new("struct faa_asm_value[]", len(pairs))
        for value, (name, given) in zip(values, pairs.items()):
            keep.append(ffi.new("char[]", name.encode()))
            value.name, value.operand = keep[-1], self._operand(name, given, warp, stream)
        return values

    def build(
        self,
        inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, numpy.ndarray] | None = None,
        warps: int = 1,
        lanes: int = 0xFFFFFFFF,
    ) -> list[Program]:
        """A program for each warp, which can run several times.

        Args:
            inputs: by the names of registers, parameters and variables: a number; an array of the
                device (its address); PerLane(array); a Surface; an Operand such as affine().
            outputs: by the names of registers: arrays of the device of 32 * warps items that
                receive them.
            warps: their number. PTX has it in %nwarpid and %ntid.x.
            lanes: bit i: lane i of each warp executes.

        Raises:
            AssemblyError: the code has no such name, or the device lacks an operation.
        """
        return [
            self._build_warp(dict(inputs or {}), outputs or {}, warp, warps, lanes)
            for warp in range(warps)
        ]

    def _build_warp(
        self,
        inputs: dict[str, Any],
        outputs: Mapping[str, numpy.ndarray],
        warp: int,
        warps: int,
        lanes: int,
    ) -> Program:
        stream, keep, error = Stream(self.device), [], ffi.new("struct faa_asm_error *")
        given: dict[str, Any] = {}
        if self.syntax == AsmSyntax.PTX:
            given = {
                "%tid.x": affine(warp * LANES, 1),
                "%ntid.x": imm(warps * LANES),
                "%warpid": imm(warp),
                "%nwarpid": imm(warps),
            }
        given.update(
            {name: memory for name, memory in self.variables.items() if name not in inputs}
        )
        given.update(inputs)
        results: dict[str, Any] = {name: PerLane(array) for name, array in outputs.items()}
        for name, array in outputs.items():
            item_type(array.dtype)
        environment = ffi.new(
            "struct faa_asm_environment *",
            {"lanes": lanes, "input_count": len(given), "output_count": len(results)},
        )
        keep.append(self._values(given, warp, stream, keep))
        environment.inputs = keep[-1]
        keep.append(self._values(results, warp, stream, keep))
        environment.outputs = keep[-1]
        if any(isinstance(value, Surface) for value in inputs.values()):
            check(lib.faa_header_pool_config(self.device.header_pool(), stream.pointer))
            stream.arrays.extend(value for value in inputs.values() if isinstance(value, Surface))
        ret = lib.faa_asm_emit_sized(
            self.pointer, environment, size_of(environment), stream.pointer, error
        )
        _asm_fail(ret, error, stream)
        return stream.finish()

    def run(
        self,
        inputs: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Any] | None = None,
        warps: int = 1,
        lanes: int = 0xFFFFFFFF,
        shared_bytes: int = 0,
        timeout: float | None = None,
    ) -> dict[str, numpy.ndarray]:
        """Run it on a queue of its own, at the same time as many warps as there are warp slots.

        Args:
            inputs, warps, lanes: as build().
            outputs: dtypes by the names of registers.
            shared_bytes: shared memory of the warps, a multiple of info.shared_granule.
            timeout: seconds for each group of warps.

        Returns:
            Arrays of 32 * warps items by the names of outputs.

        Raises:
            JobError: the device found a fault.
        """
        results = {
            name: self.device.zeros(LANES * warps, dtype) for name, dtype in (outputs or {}).items()
        }
        programs = self.build(inputs, results, warps, lanes)
        slots = self.device.info.warp_slots
        with self.device.queue(shared_bytes=shared_bytes) as queue:
            for first in range(0, warps, slots):
                queue.run_group(programs[first : first + slots], timeout)
        return results


def _spirv_fail(ret: int, message: Any) -> None:
    """Raise an exception for an error in a module or a dispatch."""
    if ret:
        text = text_of(message.text) or text_of(lib.faa_last_error())
        raise SpirvError(-ret, text, message.word, text_of(message.name))


class SpirvModule:
    """A compute module, valid by the rules of its environment; device.spirv() makes one.

    Attributes:
        entry_points: {name: (x, y, z) of a workgroup}.
        bindings: {(set, binding): (name, SpirvBindingKind)}.
        shared_size: bytes of shared memory.
    """

    def __init__(
        self,
        device: Any,
        data: bytes,
        environment: SpirvEnvironment | str = SpirvEnvironment.GUESS,
        specializations: Mapping[int, int] | None = None,
    ) -> None:
        """Read and check a module.

        Args:
            data: its bytes, a multiple of 4, in either byte order.
            environment: its rules apply: GUESS, UNIVERSAL, VULKAN or OPENCL.
            specializations: values of specialization constants by SpecId.

        Raises:
            SpirvError: it was rejected; with the word and the instruction.
        """
        self.device = device
        values = ffi.new("struct faa_spirv_specialization[]", list((specializations or {}).items()))
        rules = (
            SpirvEnvironment[environment]
            if isinstance(environment, str)
            else SpirvEnvironment(environment)
        )
        options = ffi.new(
            "struct faa_spirv_options *",
            {"environment": rules, "specializations": values, "specialization_count": len(values)},
        )
        out, message = ffi.new("struct faa_spirv_module **"), ffi.new("struct faa_spirv_message *")
        ret = lib.faa_spirv_load_sized(data, len(data), options, size_of(options), out, message)
        _spirv_fail(ret, message)
        self.pointer = ffi.gc(out[0], lib.faa_spirv_destroy)
        info = lib.faa_spirv_info(self.pointer)
        points = ffi.unpack(info.entry_points, info.entry_point_count)
        self.entry_points = {text_of(point.name): tuple(point.local_size) for point in points}
        found = [info.bindings[i] for i in range(info.binding_count)]
        self.bindings = {
            (b.set, b.binding): (text_of(b.name), SpirvBindingKind(b.kind)) for b in found
        }
        self.shared_size = info.shared_size

    def kernel(self, entry: str | None = None) -> SpirvKernel:
        """An entry point, for bindings and runs; None: the only one."""
        return SpirvKernel(self, entry)


class SpirvKernel:
    """An entry point of a module and its bindings. One thread at a time."""

    def __init__(self, module: SpirvModule, entry: str | None = None) -> None:
        self.device, self.arrays = module.device, {}
        out, message = ffi.new("struct faa_spirv_kernel **"), ffi.new("struct faa_spirv_message *")
        name = ffi.NULL if entry is None else ffi.new("char[]", entry.encode())
        _spirv_fail(
            lib.faa_spirv_kernel_create(self.device.vm, module.pointer, name, out, message), message
        )
        self.pointer = ffi.gc(out[0], lib.faa_spirv_kernel_destroy)

    def _buffer(self, array: numpy.ndarray) -> Any:
        start = array.__array_interface__["data"][0]
        region = self.device.memory.find(start, start + array.nbytes)
        if not region or not region.bo or not array.flags.c_contiguous:
            raise ValueError(
                "a buffer of a SPIR-V kernel is a contiguous array of the device: "
                "make it with device.array()"
            )
        offset = start - region.start
        return ffi.new(
            "struct faa_spirv_buffer *",
            {"bo": region.bo, "offset": offset, "bytes": array.nbytes, "va": region.va + offset},
        )

    def bind(
        self, binding: int, value: numpy.ndarray | Surface, set: int = 0, element: int = 0
    ) -> SpirvKernel:
        """Bind an array of the device or a surface to a variable of the module.

        Raises:
            FaaError: ENOENT: the kernel uses no such variable; EINVAL: value is of another kind or
                too small.
        """
        if isinstance(value, Surface):
            ret = lib.faa_spirv_bind_surface(self.pointer, set, binding, element, value.pointer)
        else:
            ret = lib.faa_spirv_bind_buffer(
                self.pointer, set, binding, element, self._buffer(value)
            )
        check(ret)
        self.arrays[set, binding, element] = value
        return self

    def bind_memory(self, array: numpy.ndarray) -> int:
        """Let the kernel access memory by its address; returns that, for push constants."""
        buffer = self._buffer(array)
        check(lib.faa_spirv_bind_memory(self.pointer, buffer))
        self.arrays["memory", buffer.va] = array
        return buffer.va

    def push_constants(self, data: bytes, offset: int = 0) -> None:
        """Set bytes of the push constants, zero at first."""
        check(lib.faa_spirv_push_constants(self.pointer, offset, len(data), data))

    def dispatch(self, x: int, y: int = 1, z: int = 1) -> dict[str, int]:
        """Run workgroups and wait for them.

        Returns:
            Statistics: invocations, atomics, submits, cycles, ...

        Raises:
            SpirvError: EINVAL: a binding is missing; EFAULT: an address outside of all bindings;
                EDEADLK: a barrier that some invocations do not reach; the text names instruction
                and invocation.
        """
        statistics, message = (
            ffi.new("struct faa_spirv_statistics *"),
            ffi.new("struct faa_spirv_message *"),
        )
        ret = lib.faa_spirv_dispatch_sized(
            self.pointer, x, y, z, statistics, size_of(statistics), message
        )
        _spirv_fail(ret, message)
        return {
            name: getattr(statistics, name)
            for name, _ in ffi.typeof("struct faa_spirv_statistics").fields
        }
