# SPDX-License-Identifier: MIT
"""The C library, which is loaded at its first use: importing the package needs no library."""

from __future__ import annotations

import os
from typing import Any

from faa import _config
from faa._cdef import ffi
from faa.errors import FaaError, LibraryError

#: The file that is loaded, which also loads libdrm_faa
NAME = "libdrm_faa-ffi.so.0"


def _places() -> list[str]:
    """Possible files of the library: FAA_LIBRARY, or else the loader's default, then that of the
    directory that the package was built for.
    """
    if "FAA_LIBRARY" in os.environ:
        return [os.environ["FAA_LIBRARY"]]
    return [NAME, os.path.join(_config.LIBDIR, NAME)]


class _Library:
    """Functions of the C library by name; the first use loads it."""

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
    """Raise an exception for a negative errno, with the text of faa_last_error(), or why."""
    if ret < 0:
        raise kind(-ret, why or text_of(lib.faa_last_error()))
    return ret


def new_pointer(kind: str, function: Any, *args: Any) -> Any:
    """The object that a function of the library makes in its last argument."""
    out = ffi.new(f"{kind} *")
    check(function(*args, out))
    return out[0]
