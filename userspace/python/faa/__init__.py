# SPDX-License-Identifier: MIT
"""Atomic operations on numpy arrays by the faa atomics accelerator.

device = faa.Device()
bins = device.zeros(256, numpy.uint32)
device.atomic_add(bins, photo, 1)
"""

from faa import exact
from faa._tables import (
    AluOp,
    AsmFormat,
    AsmSyntax,
    AtomOp,
    AtomsOp,
    Clamp,
    Cmp,
    Counter,
    CountersFlags,
    Dim,
    Error,
    Feature,
    FenceOrder,
    FloatMode,
    JobCode,
    JumpCond,
    Order,
    Scope,
    SemCond,
    SpirvBindingKind,
    SpirvEnvironment,
    Type,
)
from faa.counters import CountersSample, CountersStream
from faa.device import Device, Info
from faa.errors import (
    AssemblyError,
    FaaError,
    JobError,
    LibraryError,
    SpirvError,
    Status,
    StreamError,
)
from faa.kernels import Assembly, PerLane, SpirvKernel, SpirvModule
from faa.queues import Job, Queue, Timeline
from faa.streams import Operand, Program, Stream, affine, imm, reg
from faa.surfaces import Surface

__version__ = "0.1.0"
__all__ = [
    "AluOp",
    "AsmFormat",
    "AsmSyntax",
    "Assembly",
    "AssemblyError",
    "AtomOp",
    "AtomsOp",
    "Clamp",
    "Cmp",
    "Counter",
    "CountersFlags",
    "CountersSample",
    "CountersStream",
    "Device",
    "Dim",
    "Error",
    "FaaError",
    "Feature",
    "FenceOrder",
    "FloatMode",
    "Info",
    "Job",
    "JobCode",
    "JobError",
    "JumpCond",
    "LibraryError",
    "Operand",
    "Order",
    "PerLane",
    "Program",
    "Queue",
    "Scope",
    "SemCond",
    "SpirvBindingKind",
    "SpirvEnvironment",
    "SpirvError",
    "SpirvKernel",
    "SpirvModule",
    "Status",
    "Stream",
    "StreamError",
    "Surface",
    "Timeline",
    "Type",
    "affine",
    "exact",
    "imm",
    "reg",
]
