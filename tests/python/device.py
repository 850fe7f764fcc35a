# SPDX-License-Identifier: MIT
"""The device of the tests, selected by FAA_TEST_DEVICE.

fake: the C model without a kernel, in the library FAA_LIBRARY; simulated: a machine that the
package starts; node: a render node, inside faa-run.
"""

import os

import cffi
import faa
from faa._library import ffi as faa_ffi

KIND = os.environ.get("FAA_TEST_DEVICE", "simulated")


def fake_library():
    """Functions of the library for tests only."""
    ffi = cffi.FFI()
    ffi.cdef("int faa_fake_open(void **device); void faa_fake_lose(void);")
    return ffi, ffi.dlopen(os.environ["FAA_LIBRARY"])


def open_device():
    """A new device."""
    if KIND == "fake":
        ffi, library = fake_library()
        out = ffi.new("void **")
        assert library.faa_fake_open(out) == 0
        return faa.Device.adopt(
            faa_ffi.cast("struct faa_device *", int(ffi.cast("uintptr_t", out[0])))
        )
    if KIND == "node":
        return faa.Device(simulate=False)
    return faa.Device(simulate=True, engine=os.environ.get("FAA_TEST_ENGINE", "model"))
