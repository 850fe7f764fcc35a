# SPDX-License-Identifier: MIT
"""Memory that the processor and the device share, as numpy arrays."""

from __future__ import annotations

import bisect
import contextlib
import errno
import weakref
from collections.abc import Iterator
from typing import Any

import numpy

from faa._library import check, ffi, lib
from faa._tables import CONSTANTS, MapFlags, Type
from faa.errors import FaaError

PAGE = 1 << CONSTANTS["FAA_PAGE_SHIFT"]
#: Types of the device by kind and size of numpy's
_TYPES = {
    "u1": Type.U8,
    "u2": Type.U16,
    "u4": Type.U32,
    "u8": Type.U64,
    "i1": Type.S8,
    "i2": Type.S16,
    "i4": Type.S32,
    "i8": Type.S64,
    "f2": Type.F16,
    "f4": Type.F32,
    "f8": Type.F64,
    "b1": Type.U8,
}
#: Types of items of arrays: bits alone, by size
_ITEMS = {1: Type.U8, 2: Type.U16, 4: Type.U32, 8: Type.U64}


def type_of(dtype: Any) -> Type:
    """The device's type of a Type, of its name such as "F16X2", or of a numpy dtype.

    Raises:
        TypeError: the device has no such type: complex numbers, structures, long double.
    """
    if isinstance(dtype, Type):
        return dtype
    if isinstance(dtype, str) and dtype.upper() in Type.__members__:
        return Type[dtype.upper()]
    dtype = numpy.dtype(dtype)
    key = dtype.kind + str(dtype.itemsize)
    if key not in _TYPES or not dtype.isnative:
        raise TypeError(f"the device has no type for numpy's {dtype}")
    return _TYPES[key]


def item_type(dtype: numpy.dtype) -> Type:
    """The type of the items of an array: unsigned, of the size of dtype.

    Raises:
        TypeError: not 1, 2, 4 or 8 bytes.
    """
    if dtype.itemsize not in _ITEMS or dtype.kind not in "uifb":
        raise TypeError(f"the device has no items of numpy's {dtype}")
    return _ITEMS[dtype.itemsize]


def span_of(array: numpy.ndarray) -> tuple[int, int]:
    """Addresses of the first byte of an array and of the byte after its last one."""
    low, high = (
        numpy.lib.array_utils.byte_bounds(array)
        if hasattr(numpy.lib, "array_utils")
        else numpy.byte_bounds(array)
    )
    return low, high


def stride_of(array: numpy.ndarray) -> int | None:
    """Bytes from item to item, if the items, in C order, have a common distance; otherwise None."""
    shape = [n for n in array.shape if n != 1]
    strides = [s for n, s in zip(array.shape, array.strides) if n != 1]
    if not shape:
        return array.itemsize
    for i in range(len(shape) - 1):
        if strides[i] != shape[i + 1] * strides[i + 1]:
            return None
    return strides[-1]


class _Owner:
    """Memory of an array of the device; numpy keeps it as long as a view of it lives."""

    def __init__(self, address: int, size: int) -> None:
        self.__array_interface__ = {
            "data": (address, False),
            "shape": (size,),
            "typestr": "|u1",
            "version": 3,
        }


class Region:
    """Memory with an address in the process and one in the device.

    Attributes:
        start: first address in the process.
        end: address after its last byte.
        va: device address of start.
        bo: buffer object, or None for memory of the process (userptr).
        writable: whether the device may write it.
    """

    def __init__(
        self, start: int, end: int, va: int, bo: Any = None, writable: bool = True
    ) -> None:
        self.start, self.end, self.va, self.bo = start, end, va, bo
        self.writable = writable


def _release_bo(memory: Memory, region: Region) -> None:
    """Free the memory of an array whose last view is gone."""
    memory.forget(region)
    if memory.vm:
        lib.faa_vm_unmap(memory.vm, region.va, region.end - region.start)
    lib.faa_bo_unref(region.bo)


class Memory:
    """The address space of a device and its mappings.

    Threads may use it at the same time.
    """

    def __init__(self, device: Any, vm: Any, shares_process: bool) -> None:
        self.device, self.vm = device, vm
        #: Whether memory of the process can be mapped; otherwise it is copied
        self.shares_process = shares_process
        # By start. Each change is a single call: an array may be freed at any time, even inside of
        # these functions.
        self._regions: list[tuple[int, int, Region]] = []

    def close(self) -> None:
        """Drop the address space; memory stays as long as arrays use it."""
        self.vm = None

    def add(self, region: Region) -> Region:
        """Add a region for find()."""
        bisect.insort(self._regions, (region.start, id(region), region))
        return region

    def forget(self, region: Region) -> None:
        """Undo add()."""
        self._regions.remove((region.start, id(region), region))

    def find(self, start: int, end: int) -> Region | None:
        """The region that contains all addresses from start to end, a writable one if there is one,
        or None.
        """
        regions = self._regions.copy()
        found: Region | None = None
        at = bisect.bisect(regions, (start + 1,))
        # Regions of the process's memory may overlap: arrays of one call may have common pages.
        while at:
            at -= 1
            region = regions[at][2]
            if region.end >= end:
                found = region
            if region.bo or (found and found.writable):
                break
        return found

    def allocate(self, size: int) -> numpy.ndarray:
        """Bytes of a buffer object of its own, zero, mapped for atomic operations."""
        if not self.vm:
            raise FaaError(errno.ENODEV, "the device was closed")
        bo = ffi.new("struct faa_bo **")
        address, va = ffi.new("void **"), ffi.new("uint64_t *")
        check(lib.faa_bo_create(self.device, max(size, 1), 0, bo))
        try:
            check(lib.faa_bo_map(bo[0], address))
            check(lib.faa_vm_map(self.vm, bo[0], 0, 0, MapFlags.ATOMIC, va))
        except FaaError:
            lib.faa_bo_unref(bo[0])
            raise
        start = int(ffi.cast("uintptr_t", address[0]))
        region = self.add(Region(start, start + lib.faa_bo_size(bo[0]), va[0], bo[0]))
        owner = _Owner(start, size)
        final = weakref.finalize(owner, _release_bo, self, region)
        # At the end of the program the device is closed first, which frees everything.
        final.atexit = False
        return numpy.asarray(owner)

    def share(self, start: int, end: int, writable: bool) -> Region:
        """Map memory of the process: the pages from start to end. unshare() undoes it."""
        first, last = start // PAGE * PAGE, -(-end // PAGE) * PAGE
        va = ffi.new("uint64_t *")
        flags = MapFlags.ATOMIC if writable else MapFlags.READONLY
        check(lib.faa_vm_map_userptr(self.vm, ffi.cast("void *", first), last - first, flags, va))
        return self.add(Region(first, last, va[0], writable=writable))

    def unshare(self, region: Region) -> None:
        """Undo share()."""
        self.forget(region)
        if self.vm:
            check(lib.faa_vm_unmap(self.vm, region.va, region.end - region.start))

    def address_of(self, array: numpy.ndarray) -> int:
        """Device address of the first item of an array.

        Raises:
            ValueError: the array is memory of the process that was not shared.
        """
        low, high = span_of(array)
        region = self.find(low, high)
        if not region:
            raise ValueError(
                "the array is no memory of the device: "
                "make it with device.array(), or share it by device.shared()"
            )
        return region.va + array.__array_interface__["data"][0] - region.start

    @contextlib.contextmanager
    def reachable(self, array: numpy.ndarray, write: bool) -> Iterator[numpy.ndarray]:
        """The array itself if it is memory of the device or can be shared; otherwise a copy.

        Args:
            array: any array with items that the device has.
            write: whether the device changes it; a copy is then copied back.
        """
        if write and not array.flags.writeable:
            raise ValueError("the array is read-only")
        low, high = span_of(array)
        region = self.find(low, high)
        if not array.size or (region and (region.writable or not write)):
            yield array
        elif self.shares_process:
            region = self.share(low, high, write)
            try:
                yield array
            finally:
                self.unshare(region)
        else:
            copy = self.allocate(array.nbytes).view(array.dtype).reshape(array.shape)
            copy[...] = array
            yield copy
            if write:
                array[...] = copy
