# SPDX-License-Identifier: MIT
"""Sums of float32 numbers whose bits do not depend on the order of the addends.

A sum is a cell: 17 words in the last dimension of an array of the device. Device.exact_add() and
streams add to it without rounding; reading it rounds once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy

from faa._library import check, ffi, lib
from faa._tables import CONSTANTS, Scope, Type
from faa.errors import FaaError

if TYPE_CHECKING:
    from faa.device import Device
    from faa.streams import OperandLike, Stream

WORDS = CONSTANTS["FAA_EXACT_CELL_BYTES"] // 8
#: The sum of a cell, as of read(); flags: mask of enum faa_exact_flags of the C header
SUM = numpy.dtype(
    [
        ("f64", numpy.float64),
        ("f32", numpy.float32),
        ("flags", numpy.uint32),
        ("count", numpy.uint64),
    ]
)


def check_cells(cells: numpy.ndarray) -> None:
    """Raise TypeError or ValueError if an array has not the form of those of cells()."""
    if cells.shape[-1:] != (WORDS,) or cells.dtype != numpy.uint64:
        raise TypeError(f"cells are rows of {WORDS} uint64, not {cells.dtype} of {cells.shape}")
    if not cells.flags.c_contiguous:
        raise ValueError("cells must be contiguous in C order")


def cells(device: Device, count: int | Sequence[int]) -> numpy.ndarray:
    """Empty sums, (count, 17) uint64 of the device; errors as Device.empty().

    Args:
        count: the number of sums, or their shape: (rows, columns) gives (rows, columns, 17).
    """
    shape = (count,) if isinstance(count, (int, numpy.integer)) else tuple(count)
    return device.zeros((*shape, WORDS), numpy.uint64)


def add(
    stream: Stream,
    cells: numpy.ndarray,
    index: OperandLike,
    values: OperandLike,
    count: int,
    reg: int = 0,
    predicate: int = 0,
    scope: Scope = Scope.GPU,
) -> None:
    """Add commands: cells[index[e]] += values[e] for the elements 0 to count - 1, exactly.

    Device.exact_add() does the same in one call, and checks the index.

    Args:
        cells: of the device, from cells(); cells of several dimensions are counted in C order.
        index: a number, for all elements, or an unsigned array of the device; it is not checked
            against the number of cells.
        values: float32 array of the device, or a number.
        reg: the first of 22 registers that are overwritten.
        predicate: the first of two predicates that are overwritten.

    Raises:
        TypeError, ValueError: cells are not from cells(), or have become a part of them.
        StreamError: an operand, register or predicate cannot be used.
    """
    check_cells(cells)
    stream.arrays.append(cells)
    arguments = ffi.new("struct faa_exact_add *")
    arguments.count = count
    arguments.scope = scope
    arguments.cells = stream.device.memory.address_of(cells)
    arguments.cell = stream.operand(index)
    arguments.value = stream.operand(values, Type.F32)
    arguments.reg = reg
    arguments.predicate = predicate
    stream._added(lib.faa_stream_exact_add(stream.pointer, arguments))


def read(cells: numpy.ndarray) -> numpy.ndarray:
    """The sums of cells, an array of SUM in their shape, each rounded once to float32 and float64.

    Raises:
        TypeError, ValueError: as add().
        FaaError: EOVERFLOW: a cell has more than 2**24 addends.
    """
    check_cells(cells)
    out = numpy.zeros(cells.shape[:-1], SUM)
    sums, total = out.reshape(-1), ffi.new("struct faa_exact_sum *")
    for i, row in enumerate(cells.reshape(-1, WORDS)):
        cell = ffi.cast("struct faa_exact_cell *", row.ctypes.data)
        check(lib.faa_exact_read(cell, total), FaaError)
        sums[i] = (total.f64, total.f32, total.flags, total.count)
    return out
