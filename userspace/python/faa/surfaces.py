# SPDX-License-Identifier: MIT
"""Surfaces: images of the device."""

from __future__ import annotations

from typing import Any

import numpy

from faa._library import check, ffi, lib, text_of
from faa._tables import CONSTANTS, DataType, HeaderVersion, Texel, TextureType
from faa.errors import FaaError

#: By dtype: texel and kind of its component
_TEXELS = {
    "u4": (Texel.R32, DataType.UINT),
    "i4": (Texel.R32, DataType.SINT),
    "f4": (Texel.R32, DataType.FLOAT),
    "u8": (Texel.R32_G32, DataType.UINT),
    "i8": (Texel.R32_G32, DataType.SINT),
}
_LAYOUTS = {
    "block": HeaderVersion.BLOCKLINEAR,
    "pitch": HeaderVersion.PITCH,
    "buffer": HeaderVersion.ONE_D_BUFFER,
}
_TYPES = {1: TextureType.ONE_D, 2: TextureType.TWO_D, 3: TextureType.THREE_D}


class Surface:
    """An image in memory of the device, zero at first; device.surface() makes one.

    Attributes:
        shape: as numpy's: (width,), (height, width) or (depth, height, width).
        dtype: of its texels.
        coordinates: number of coordinates, 1 to 3.
        dim: Dim of operations on it.
        index: of its header in the device's header pool: its handle in kernels.
    """

    def __init__(
        self, device: Any, shape: Any, dtype: Any = numpy.uint32, layout: str = "block"
    ) -> None:
        """Allocate it.

        Args:
            shape: up to 65536 in x and y, 16384 in z; 2^32 of a buffer.
            dtype: uint32, int32, float32, uint64 or int64.
            layout: "block": blocks of GOBs; "pitch": rows, two dimensions; "buffer": one row.

        Raises:
            FaaError: the device has no such surface; the text says why.
        """
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype, self.coordinates, self.device = numpy.dtype(dtype), len(self.shape), device
        key = self.dtype.kind + str(self.dtype.itemsize)
        if key not in _TEXELS:
            raise TypeError(
                f"a surface of numpy's {self.dtype}: "
                "allowed are uint32, int32, float32, uint64 and int64"
            )
        if layout not in _LAYOUTS or self.coordinates not in _TYPES:
            raise ValueError(
                f"a surface of {self.coordinates} dimensions in layout {layout!r}: "
                f"allowed are 1 to 3, {', '.join(_LAYOUTS)}"
            )
        texel, data_type = _TEXELS[key]
        sizes = self.shape[::-1] + (1, 1)
        desc = ffi.new(
            "struct faa_surface_desc *",
            {
                "version": _LAYOUTS[layout],
                "type": TextureType.ONE_D_BUFFER
                if layout == "buffer"
                else _TYPES[self.coordinates],
                "texel": texel,
                "data_type": data_type,
                "width": sizes[0],
                "height": sizes[1],
                "depth": sizes[2],
            },
        )
        out, why = ffi.new("struct faa_surface **"), ffi.new("const char **")
        check(lib.faa_surface_create(device.vm, desc, out, why), FaaError, text_of(why[0]) or None)
        self.pointer = ffi.gc(out[0], lib.faa_surface_destroy)
        self._layout = lib.faa_surface_info(self.pointer)
        self.dim = self._layout.dim
        self.index = self._add_header()

    def _add_header(self) -> int:
        view = ffi.new("struct faa_surface_view *", lib.faa_surface_view(self._layout))
        header, why = (
            ffi.new("uint32_t[]", CONSTANTS["FAA_TEXTURE_HEADER_BYTES"] // 4),
            ffi.new("const char **"),
        )
        check(
            lib.faa_surface_encode(
                self._layout, view, lib.faa_surface_va(self.pointer), header, why
            ),
            FaaError,
            text_of(why[0]) or None,
        )
        index = ffi.new("uint32_t *")
        check(lib.faa_header_pool_add(self.device.header_pool(), header, index))
        return index[0]

    def _transfer(self, function: Any, array: numpy.ndarray) -> None:
        box = ffi.new("struct faa_surface_box *", lib.faa_surface_box(self._layout, 0))
        linear = ffi.new("struct faa_linear *", {"texels": ffi.cast("void *", array.ctypes.data)})
        check(function(self.pointer, box, linear))

    def write(self, texels: Any) -> None:
        """Set all texels.

        Args:
            texels: an array that can be broadcast to the surface's shape.
        """
        self._transfer(
            lib.faa_surface_upload,
            numpy.ascontiguousarray(
                numpy.broadcast_to(numpy.asarray(texels, self.dtype), self.shape)
            ),
        )

    def read(self) -> numpy.ndarray:
        """All texels, an array of the surface's shape and dtype.

        Jobs that change them should have ended.
        """
        array = numpy.empty(self.shape, self.dtype)
        self._transfer(lib.faa_surface_download, array)
        return array

    def close(self) -> None:
        """Free it; jobs that use it must have ended."""
        if self.pointer:
            check(lib.faa_header_pool_remove(self.device.header_pool(), self.index))
            ffi.release(self.pointer)
            self.pointer = None
