# SPDX-License-Identifier: MIT
"""The C library, found and loaded at its first use: importing the package needs no library."""

from __future__ import annotations

import os
from typing import Any

from faa import _config
from faa._cdef import ffi
from faa.errors import FaaError, LibraryError

#: The file that is loaded: it brings libdrm_faa with it
NAME = "libdrm_faa-ffi.so.0"


def _places() -> list[str]:
    """Where the library may be: FAA_LIBRARY, what the loader finds, the directory that the package
    was built for.
    """
    if "FAA_LIBRARY" in os.environ:
        return [os.environ["FAA_LIBRARY"]]
    return [NAME, os.path.join(_config.LIBDIR, NAME)]


class _Library:
    """Functions of the C library by name; loads it at the first."""

    def __init__(self) -> None:
        self._loaded: Any = None

    def __getattr__(self, name: str) -> Any:
        if self._loaded is None:
            self._loaded = self._load()
        function = getattr(self._loaded, name)
        setattr(self, name, function)
        return function

    @staticmethod
    def _load() -> Any:
        reasons = []
        for place in _places():
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


def check(ret: int, kind: type[FaaError] = FaaError, why: str | None = None) -> int:
    """Raise what a function of the library says by a negative errno: faa_last_error(), or why."""
    if ret < 0:
        raise kind(-ret, why or text_of(lib.faa_last_error()))
    return ret


def new_pointer(kind: str, function: Any, *args: Any) -> Any:
    """The object that a function of the library makes in its last argument."""
    out = ffi.new(f"{kind} *")
    check(function(*args, out))
    return out[0]
