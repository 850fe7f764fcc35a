# SPDX-License-Identifier: MIT
"""The C libraries, which are loaded at their first use: importing the package needs no library."""

from __future__ import annotations

import os
from typing import Any

from faa import _config
from faa._cdef import ffi
from faa.errors import FaaError, LibraryError

#: The files that are loaded, in the order in which a function is searched; the first also loads
#: libdrm_faa
NAMES = ("libdrm_faa-ffi.so.0", "libfaa_asm.so.0", "libfaa_spirv.so.0")


def _places(name: str) -> list[str]:
    """Possible files of a library: FAA_LIBRARY for the first one and its directory for the others,
    or else the loader's default, then that of the directory that the package was built for.
    """
    if "FAA_LIBRARY" in os.environ:
        first = os.environ["FAA_LIBRARY"]
        return [first if name == NAMES[0] else os.path.join(os.path.dirname(first), name)]
    return [name, os.path.join(_config.LIBDIR, name)]


class _Library:
    """Functions of the C libraries by name; the first use of a library loads it."""

    def __init__(self) -> None:
        self._loaded: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        for index, file in enumerate(NAMES):
            if index == len(self._loaded):
                self._loaded.append(self._load(file))
            try:
                function = getattr(self._loaded[index], name)
            except ffi.error:
                # The headers declare it, but this library does not have it.
                continue
            setattr(self, name, function)
            return function
        raise AttributeError(f"no library has {name}()")

    @staticmethod
    def _load(name: str) -> Any:
        reasons = []
        for place in _places(name):
            try:
                return ffi.dlopen(place)
            except OSError as error:
                reasons.append(str(error))
        raise LibraryError(
            f"the C library of faa is not there ({'; '.join(reasons)}); "
            "FAA_LIBRARY may name its file"
        )


lib = _Library()


def text_of(pointer: Any) -> str:
    """A string of the library; NULL is ''."""
    return ffi.string(pointer).decode() if pointer else ""


def size_of(pointer: Any) -> int:
    """Bytes of the structure that a pointer of cffi points to, as this package declares it: the
    library may know a later version of it.
    """
    return ffi.sizeof(ffi.typeof(pointer).item)


def check(ret: int, kind: type[FaaError] = FaaError, why: str | None = None) -> int:
    """Raise an exception for a negative errno, with the text of faa_last_error(), or why."""
    if ret < 0:
        raise kind(-ret, why or text_of(lib.faa_last_error()))
    return ret


def new_pointer(kind: str, function: Any, *args: Any) -> Any:
    """The object that a function of the library makes in its last argument."""
    out = ffi.new(f"{kind} *")
    check(function(*args, out))
    return out[0]
