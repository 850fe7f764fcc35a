# SPDX-License-Identifier: MIT
"""The public headers: those that `make install` installs."""

import os

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def public_headers(spec):
    """Path of each header by the name that a program includes; @spec has the generated ones."""
    paths = {
        "faa.h": "userspace/libdrm_faa/faa.h",
        "faa_surface.h": "userspace/libdrm_faa/faa_surface.h",
        "faa_atomic.h": "userspace/libdrm_faa/faa_atomic.h",
        "faa_atomic_host.h": "userspace/libdrm_faa/faa_atomic_host.h",
        "faa_exact.h": "userspace/libdrm_faa/faa_exact.h",
        "faa_mpi.h": "userspace/libfaa_mpi/faa_mpi.h",
        "faa_asm.h": "userspace/libfaa_asm/faa_asm.h",
        "faa_spirv.h": "userspace/libfaa_spirv/faa_spirv.h",
        "faa_encode.h": os.path.join(spec, "faa_encode.h"),
        "faa_isa.h": os.path.join(spec, "faa_isa.h"),
        "drm/faa_drm.h": "uapi/drm/faa_drm.h",
        "drm/faa_dump.h": "uapi/drm/faa_dump.h",
        "vpci.h": "sim/vpci/vpci.h",
    }
    return {name: os.path.join(ROOT, path) for name, path in paths.items()}
