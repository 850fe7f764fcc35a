# SPDX-License-Identifier: MIT
"""Atomic operations on arrays: a call is one command of the device."""

from __future__ import annotations

import contextlib
import math
import operator
from typing import TYPE_CHECKING, Any, Union

import numpy

from faa import exact
from faa._tables import AtomOp, Clamp, Order, Scope, Type
from faa.arrays import stride_of, type_of
from faa.streams import Operand, Stream, affine

if TYPE_CHECKING:
    from faa.device import Device
    from faa.surfaces import Surface

#: Index of items of a target: a number, an array of numbers, a mask, an array for each dimension
Index = Union[int, numpy.ndarray, tuple, list, None]
MAX_ELEMENTS = 1 << 32


def _member(kind: Any, value: Any) -> Any:
    """A member of an enumeration, by itself or by its name in any case."""
    if isinstance(value, str):
        if value.upper() not in kind.__members__:
            raise ValueError(
                f"{kind.__name__} has no {value!r}: it has {', '.join(kind.__members__)}"
            )
        return kind[value.upper()]
    return kind(value)


def check_index(index: numpy.ndarray, size: int, axis: str = "") -> None:
    """Raise IndexError for the first item that is negative or not below size."""
    if not index.size or (index.min() >= 0 and index.max() < size):
        return
    at = int(numpy.flatnonzero((index.ravel() < 0) | (index.ravel() >= size))[0])
    place: Any = (
        at if index.ndim < 2 else tuple(int(n) for n in numpy.unravel_index(at, index.shape))
    )
    raise IndexError(
        f"index {index.ravel()[at]} at element {place}{axis} is out of range for {size} items"
    )


def flat_index(index: Any, target: numpy.ndarray, check: bool) -> numpy.ndarray | int | None:
    """Numbers of items in C order: one number, an array of them, or None for all."""
    if index is None:
        return None
    if isinstance(index, tuple):
        if len(index) != target.ndim:
            raise IndexError(f"{len(index)} indices for {target.ndim} dimensions")
        parts = numpy.broadcast_arrays(*[numpy.asarray(part) for part in index])
        for axis, part in enumerate(parts):
            check_index(part, target.shape[axis], f" of axis {axis}")
        return (
            numpy.ravel_multi_index(tuple(parts), target.shape)
            if parts[0].ndim
            else int(numpy.ravel_multi_index(parts, target.shape))
        )
    if not isinstance(index, (numpy.ndarray, list)):
        check_index(numpy.asarray(operator.index(index)), target.size)
        return operator.index(index)
    array = numpy.asarray(index)
    if array.dtype.kind == "b":
        if array.shape != target.shape:
            raise IndexError(f"a mask of shape {array.shape} for a target of shape {target.shape}")
        return numpy.flatnonzero(array)
    if array.dtype.kind not in "ui":
        raise IndexError(f"an index of numpy's {array.dtype}: allowed are integers and masks")
    if check:
        check_index(array, target.size)
    return array


def check_target(target: Any) -> None:
    """Raise ValueError if target is no contiguous array."""
    if not isinstance(target, numpy.ndarray) or not target.flags.c_contiguous:
        raise ValueError(
            "the target of atomic operations is an array that is contiguous in C order"
        )


def shape_of(target: numpy.ndarray, flat: Any, value: Any, new: Any) -> tuple[int, ...]:
    """The shape of an operation: of its indices, or, on one item, of its values."""
    if flat is None:
        return target.shape
    if isinstance(flat, numpy.ndarray):
        return flat.shape
    return numpy.broadcast_shapes(numpy.shape(value), numpy.shape(new))


def chosen_of(where: Any, shape: tuple[int, ...]) -> numpy.ndarray | None:
    """Elements that a mask selects, by number, or None for all."""
    if where is None:
        return None
    return numpy.flatnonzero(numpy.broadcast_to(numpy.asarray(where, bool), shape))


def count_of(shape: tuple[int, ...], chosen: numpy.ndarray | None) -> int:
    """Elements of an operation on the chosen ones; chosen is None for all.

    Raises:
        ValueError: too many for one command.
    """
    count = math.prod(shape) if chosen is None else chosen.size
    if count > MAX_ELEMENTS:
        raise ValueError(f"{count} elements: allowed are up to {MAX_ELEMENTS}")
    return count


def items_of(flat: Any, chosen: numpy.ndarray | None) -> numpy.ndarray | int | None:
    """flat_index() of the chosen elements; chosen is None for all."""
    if chosen is None or isinstance(flat, int):
        return flat
    return chosen if flat is None else flat.ravel()[chosen]


def pack_coordinates(coordinates: Any, dimensions: int) -> numpy.ndarray:
    """Coordinates of texels as the device takes them: 32 bits each, or three of 16 bits.

    Raises:
        ValueError: not integers of shape (N, dimensions), or (N,) for one dimension.
        IndexError: one of three is not below 65536.
    """
    words = numpy.asarray(coordinates)
    if words.ndim == 1 and dimensions == 1:
        words = words[:, None]
    if words.ndim != 2 or words.shape[1] != dimensions or words.dtype.kind not in "ui":
        raise ValueError(
            f"coordinates of shape {words.shape}: "
            f"the surface wants integers of shape (N, {dimensions})"
        )
    if dimensions < 3:
        return numpy.ascontiguousarray(words.astype(numpy.uint32)).view(f"u{4 * dimensions}")[:, 0]
    check_index(words, 1 << 16)
    packed = numpy.zeros((words.shape[0], 4), numpy.uint16)
    packed[:, :3] = words
    return packed.view(numpy.uint64)[:, 0]


def as_type(array: numpy.ndarray, dtype: numpy.dtype) -> numpy.ndarray:
    """Values as items of a type; integers must fit.

    Raises:
        OverflowError: an integer is out of range; the text names the element.
        TypeError: fractions for integers.
    """
    if array.dtype == dtype:
        return array
    if array.dtype.kind in "ui" and dtype.kind in "ui":
        limits = numpy.iinfo(dtype)
        if array.size and (int(array.min()) < limits.min or int(array.max()) > limits.max):
            at = next(
                i
                for i, item in enumerate(array.ravel())
                if not limits.min <= int(item) <= limits.max
            )
            raise OverflowError(
                f"{array.ravel()[at]} at element {at} is no value of numpy's {dtype}"
            )
        return array.astype(dtype)
    return array.astype(dtype, casting="same_kind")


class _Call:
    """One operation: converts its arguments for the device."""

    def __init__(self, device: Device, stack: contextlib.ExitStack) -> None:
        self.device, self.stack = device, stack

    def reach(self, array: numpy.ndarray, write: bool = False) -> numpy.ndarray:
        """An array that the device can access until the call ends."""
        if stride_of(array) is None:
            array = numpy.ascontiguousarray(array)
        return self.stack.enter_context(self.device.memory.reachable(array, write))

    def value(
        self, value: Any, dtype: numpy.dtype, shape: tuple[int, ...], chosen: numpy.ndarray | None
    ) -> Any:
        """A number, or an array with an item for each element."""
        if value is None or numpy.ndim(value) == 0:
            return value
        array = numpy.broadcast_to(numpy.asarray(value), shape)
        if chosen is not None:
            array = array.ravel()[chosen]
        return self.reach(as_type(array, dtype))


class Atomics:
    """Atomic operations; a Device has them."""

    def _run(self: Any, stream: Stream) -> None:
        self.default_queue().run(stream.finish())

    def atomic(
        self: Any,
        op: AtomOp | str,
        target: numpy.ndarray,
        index: Index = None,
        value: Any = None,
        new: Any = None,
        *,
        where: Any = None,
        old: bool = False,
        scope: Scope | str = Scope.GPU,
        type: Any = None,
        check: bool = True,
    ) -> numpy.ndarray | None:
        """``target[index] = op(target[index], value)``, each element one atomic operation of the
        device, in order.

        Unlike numpy's ``target[index] += value``, an item that occurs several times in index is
        changed several times.

        Args:
            op: an AtomOp or its name.
            target: contiguous array of 16-, 32- or 64-bit integers or floats. An array of the
                device is used as it is; other arrays are shared with the device for the call, or
                copied to and from a simulated one.
            index: the items: None: all; a number; integers of any shape; a mask of the shape of
                target; a tuple with an integer array for each dimension.
            value: a number, or an array that can be broadcast to the shape of index; None for INCU,
                DECU and PREDEC. Of CAS and CAST: the value to compare with.
            new: the new value of CAS, CAST and FCMPWR.
            where: a mask of the shape of index: elements that are executed; other elements of the
                result are 0.
            old: return the values before each operation (CAST: whether it has exchanged; PREDEC:
                the value after it).
            scope: CTA, GPU, or SYS: atomic with respect to threads of the processor too.
            type: the type of the items if it does not follow from the array: F16X2, BF16X2, BF16.
            check: check for indices that are out of range. Without it they change other memory of
                the device.

        Returns:
            With old, an array of the device, of the shape of index.

        Raises:
            IndexError: an index is out of range; the text names the element.
            StreamError: the device has no such operation on this type.
            JobError: the device found a fault; the text names its address and the operation.
            ValueError: target is read-only or not contiguous, or shapes do not fit.
        """
        check_target(target)
        kind = type_of(target.dtype if type is None else type)
        command = _member(AtomOp, op), _member(Scope, scope), kind
        flat = flat_index(index, target, check)
        shape = shape_of(target, flat, value, new)
        chosen = chosen_of(where, shape)
        result = self._operate(command, target, (flat, shape, chosen), (value, new), old)
        if result is None or chosen is None:
            return None if result is None else result.reshape(shape)
        spread = self.zeros(shape, target.dtype)
        spread.reshape(-1)[chosen] = result
        return spread

    def _operate(
        self: Any,
        command: tuple[AtomOp, Scope, Type],
        target: numpy.ndarray,
        places: tuple[Any, tuple[int, ...], numpy.ndarray | None],
        values: tuple[Any, Any],
        old: bool,
    ) -> numpy.ndarray | None:
        """One command: the old values of the chosen elements, or None."""
        op, scope, kind = command
        flat, shape, chosen = places
        count = count_of(shape, chosen)
        result = self.zeros(max(count, 1), target.dtype)[:count] if old else None
        if not count:
            return result
        with contextlib.ExitStack() as stack:
            call, stream = _Call(self, stack), Stream(self)
            memory = call.reach(target, write=True)
            stream.atom(
                op,
                self._addresses(call, stream, memory, flat, chosen),
                *(call.value(value, target.dtype, shape, chosen) for value in values),
                d=result,
                count=count,
                type=kind,
                scope=scope,
                order=Order.RELAXED,
            )
            self._run(stream)
        return result

    @staticmethod
    def _addresses(
        call: _Call, stream: Stream, memory: numpy.ndarray, flat: Any, chosen: numpy.ndarray | None
    ) -> Operand:
        """The operand with the address of each element."""
        items = items_of(flat, chosen)
        return stream.addresses(
            memory, call.reach(items) if isinstance(items, numpy.ndarray) else items
        )

    def atomic_add(
        self, target: numpy.ndarray, index: Index = None, value: Any = 1, **options: Any
    ) -> numpy.ndarray | None:
        """``target[index] += value``; options as atomic()."""
        return self.atomic(AtomOp.ADD, target, index, value, **options)

    def atomic_sub(
        self, target: numpy.ndarray, index: Index = None, value: Any = 1, **options: Any
    ) -> numpy.ndarray | None:
        """``target[index] -= value``, of integers; options as atomic()."""
        return self.atomic(AtomOp.SUB, target, index, value, **options)

    def atomic_min(
        self, target: numpy.ndarray, index: Index, value: Any, **options: Any
    ) -> numpy.ndarray | None:
        """``target[index] = min(target[index], value)``; options as atomic()."""
        return self.atomic(AtomOp.MIN, target, index, value, **options)

    def atomic_max(
        self, target: numpy.ndarray, index: Index, value: Any, **options: Any
    ) -> numpy.ndarray | None:
        """``target[index] = max(target[index], value)``; options as atomic()."""
        return self.atomic(AtomOp.MAX, target, index, value, **options)

    def atomic_inc(
        self, target: numpy.ndarray, index: Index, bound: Any, **options: Any
    ) -> numpy.ndarray | None:
        """Count up to bound, then 0 again, of unsigned integers; options as atomic()."""
        return self.atomic(AtomOp.INC, target, index, bound, **options)

    def atomic_dec(
        self, target: numpy.ndarray, index: Index, bound: Any, **options: Any
    ) -> numpy.ndarray | None:
        """Count down to 0, then bound again, of unsigned integers; options as atomic()."""
        return self.atomic(AtomOp.DEC, target, index, bound, **options)

    def atomic_and(
        self, target: numpy.ndarray, index: Index, value: Any, **options: Any
    ) -> numpy.ndarray | None:
        """``target[index] &= value``; options as atomic()."""
        return self.atomic(AtomOp.AND, target, index, value, **options)

    def atomic_or(
        self, target: numpy.ndarray, index: Index, value: Any, **options: Any
    ) -> numpy.ndarray | None:
        """``target[index] |= value``; options as atomic()."""
        return self.atomic(AtomOp.OR, target, index, value, **options)

    def atomic_xor(
        self, target: numpy.ndarray, index: Index, value: Any, **options: Any
    ) -> numpy.ndarray | None:
        """``target[index] ^= value``; options as atomic()."""
        return self.atomic(AtomOp.XOR, target, index, value, **options)

    def atomic_exchange(
        self, target: numpy.ndarray, index: Index, value: Any, old: bool = True, **options: Any
    ) -> numpy.ndarray | None:
        """``target[index] = value``.

        Returns the values before, unless old is False; options as atomic().
        """
        return self.atomic(AtomOp.EXCH, target, index, value, old=old, **options)

    def compare_exchange(
        self,
        target: numpy.ndarray,
        index: Index,
        expected: Any,
        new: Any,
        old: bool = True,
        **options: Any,
    ) -> numpy.ndarray | None:
        """``target[index] = new`` where it is expected; returns the values before: equal to
        expected where it has exchanged.

        The comparison is of bits; atomic("FCMPWR", ...) compares floats as numbers. Options as
        atomic().
        """
        return self.atomic(AtomOp.CAS, target, index, expected, new, old=old, **options)

    def exact_add(
        self: Any,
        cells: numpy.ndarray,
        index: Index,
        value: Any,
        *,
        where: Any = None,
        scope: Scope | str = Scope.GPU,
    ) -> None:
        """``cells[index] += value`` of sums of faa.exact: without rounding, so the bits of a sum do
        not depend on the order of its addends.

        The commands overwrite R0 to R21, P0 and P1 of default_queue().

        Args:
            cells: an array of faa.exact.cells(), or one of its form. Arrays of numpy are shared or
                copied as by atomic().
            index: the cells, in the forms of atomic(): for cells of shape (rows, columns, 17), None
                is all of them, and a tuple has an array of rows and an array of columns.
            value: a number, or an array that can be broadcast to the shape of index. Float32 is
                added exactly; numbers of other types are rounded to float32 first.
            where: a mask of the shape of index: elements that are added.
            scope: CTA, GPU, or SYS.

        Raises:
            IndexError: an index is negative or out of range; the text names the element.
            TypeError, ValueError: cells are not of the form of faa.exact.cells(), read-only or not
                contiguous, or shapes do not fit.
        """
        exact.check_cells(cells)
        flat = flat_index(index, cells[..., 0], True)
        shape = shape_of(cells[..., 0], flat, value, None)
        chosen = chosen_of(where, shape)
        count = count_of(shape, chosen)
        if not count:
            return
        items: Any = items_of(flat, chosen)
        with contextlib.ExitStack() as stack:
            call, stream = _Call(self, stack), Stream(self)
            memory = call.reach(cells, write=True)
            if items is None:
                items = affine(0, 1)
            elif isinstance(items, numpy.ndarray):
                # Signed numbers and those of 64 bits are no operands.
                small = items.dtype.kind == "u" and items.dtype.itemsize <= 4
                items = call.reach(items if small else items.astype(numpy.uint32))
            numbers = call.value(value, numpy.dtype(numpy.float32), shape, chosen)
            exact.add(stream, memory, items, numbers, count, scope=_member(Scope, scope))
            self._run(stream)

    def surface_atomic(
        self: Any,
        op: AtomOp | str,
        surface: Surface,
        coordinates: Any,
        value: Any = None,
        new: Any = None,
        *,
        old: bool = False,
        clamp: Clamp | str = Clamp.IGN,
        scope: Scope | str = Scope.GPU,
    ) -> numpy.ndarray | None:
        """An atomic operation on a texel of a surface for each row of coordinates.

        Args:
            op: an AtomOp or its name.
            surface: of this device.
            coordinates: integers of shape (N, dimensions), x first, or (N,) for one dimension. With
                three dimensions each is below 65536.
            value: a number or N of them.
            new: the new value of CAS, CAST and FCMPWR.
            old: return the N values before.
            clamp: effect outside of the surface: IGN: none, the old value is 0; NEAR: on the
                nearest texel; TRAP: JobError.
            scope: CTA, GPU or SYS.

        Raises:
            ValueError: coordinates of another shape.
            StreamError, JobError: as atomic().
        """
        items = pack_coordinates(coordinates, surface.coordinates)
        count = items.size
        result = self.zeros(max(count, 1), surface.dtype)[:count] if old else None
        if not count:
            return result
        with contextlib.ExitStack() as stack:
            call, stream = _Call(self, stack), Stream(self)
            stream.suatom(
                _member(AtomOp, op),
                surface,
                call.reach(items),
                call.value(value, surface.dtype, (count,), None),
                call.value(new, surface.dtype, (count,), None),
                d=result,
                count=count,
                type=type_of(surface.dtype),
                clamp=_member(Clamp, clamp),
                scope=_member(Scope, scope),
                packed=surface.coordinates == 3,
            )
            self._run(stream)
        return result
