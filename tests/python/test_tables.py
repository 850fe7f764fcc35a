#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The package's tables of the C library, compared with the specification and the installed headers.
Needs no device.
"""

import os
import pathlib
import re
import subprocess
import sys
import tomllib
import unittest

import faa
import numpy
from faa import _tables, streams
from faa._library import ffi, lib
from faa.arrays import stride_of, type_of

TOP = pathlib.Path(__file__).resolve().parents[2]
HEADERS = pathlib.Path(os.environ.get("FAA_BUILD", TOP / "build")) / "include/libdrm_faa"


class Tables(unittest.TestCase):
    """Enumerations and constants."""

    def setUp(self):
        with open(TOP / "spec/commands.toml", "rb") as file:
            self.spec = tomllib.load(file)

    def test_comments_of_several_lines(self):
        text = pathlib.Path(_tables.__file__).read_text(encoding="utf-8")
        header = (HEADERS / "drm/faa_drm.h").read_text(encoding="utf-8")
        comment = re.search(r"@DRM_FAA_SYNC_TIMELINE: ([^/]*)\*/", header)[1].replace("*", " ")
        self.assertGreater(comment.count("\n"), 1)
        self.assertIn(f"#: {' '.join(comment.split())}\n", text)

    def test_enumerations(self):
        for name, members in self.spec["enum"].items():
            found = getattr(_tables, "".join(part.capitalize() for part in name.split("_")))
            self.assertEqual(
                {
                    member.name: int(member)
                    for member in found
                    if not member.name.startswith(name.upper() + "_")
                },
                {key: code for key, (code, _) in members.items() if not key[0].isdigit()},
                name,
            )

    def test_limits(self):
        for name, (value, _) in self.spec["limits"].items():
            self.assertEqual(_tables.CONSTANTS[f"FAA_{name}"], value)

    def test_ioctl_numbers(self):
        text = (HEADERS / "drm/faa_drm.h").read_text()
        found = re.findall(
            r"#define (DRM_IOCTL_FAA_\w+) \\\n"
            r"\s*DRM_IOWR\(DRM_COMMAND_BASE \+ (\w+), struct (\w+)\)",
            text,
        )
        self.assertGreaterEqual(len(found), 12)
        for name, number, struct in found:
            ioctl = getattr(_tables.DrmIoctlId, number[len("DRM_FAA_") :])
            self.assertEqual(
                _tables.CONSTANTS[name],
                3 << 30 | ffi.sizeof(f"struct {struct}") << 16 | ord("d") << 8 | 0x40 + ioctl,
            )

    def test_errors_in_words(self):
        texts = [
            ffi.string(lib.faa_error_text(code)).decode()
            for code in [*faa.Error, *faa.JobCode, 999]
        ]
        self.assertEqual(len(set(texts)), len(faa.Error) + len(faa.JobCode) + 1)


class Inline(unittest.TestCase):
    """libdrm_faa-ffi."""

    def setUp(self):
        # libfaa_mpi is for programs of MPI: its functions are no part of the binding.
        paths = [path for path in HEADERS.glob("faa*.h") if path.name != "faa_mpi.h"]
        text = "".join(path.read_text() for path in paths)
        inline = re.findall(r"^static inline [^;{(]*?\b(\w+)\(", text, re.M)
        public = {name for name in inline if not name.endswith("_")}
        # These pass the size of a structure of C; a binding passes the size of its own.
        self.sized = {name for name in public if f"{name}_sized(" in text}
        self.exported = public - self.sized

    def test_every_inline_function(self):
        self.assertGreater(len(self.exported), 45)
        for name in self.exported:
            self.assertTrue(getattr(lib, name), name)
        self.assertGreater(len(self.sized), 15)
        for name in self.sized:
            self.assertTrue(getattr(lib, f"{name}_sized"), name)
            with self.assertRaises(AttributeError):
                getattr(lib, name)

    def test_functions_that_the_package_calls(self):
        package = pathlib.Path(faa.__file__).parent
        text = "".join(path.read_text(encoding="utf-8") for path in package.glob("*.py"))
        names = set(re.findall(r"\blib\.(faa_\w+)", text))
        self.assertGreater(len(names), 60)
        for name in names:
            self.assertTrue(getattr(lib, name), name)

    def test_exports(self):
        library = HEADERS.parents[1] / "lib/libdrm_faa-ffi.so"
        out = subprocess.run(
            ["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True
        ).stdout
        names = re.findall(r" T (\w+)@@LIBDRM_FAA_FFI_0.1", out)
        self.assertEqual(sorted(names), sorted(self.exported))

    def test_encoder(self):
        """An encoder returns the words of the stream builder."""
        words, issue = ffi.new("uint64_t[15]"), ffi.new("struct faa_issue *", (7, 0, 0, 7, 7))
        count = lib.faa_encode_atom(
            words,
            issue,
            faa.AtomOp.ADD,
            faa.Type.U32,
            faa.Scope.GPU,
            faa.Order.RELAXED,
            5,
            lib.faa_none(),
            lib.faa_affine(0x10000, 4),
            8,
            lib.faa_imm(3),
            lib.faa_none(),
        )
        out = ffi.new("struct faa_stream **")
        self.assertEqual(lib.faa_stream_create(out), 0)
        stream = ffi.gc(out[0], lib.faa_stream_destroy)
        lib.faa_stream_red(
            stream,
            faa.AtomOp.ADD,
            faa.Type.U32,
            faa.Scope.GPU,
            faa.Order.RELAXED,
            5,
            lib.faa_affine(0x10000, 4),
            8,
            lib.faa_imm(3),
            lib.faa_none(),
        )
        size = ffi.new("size_t *")
        built = lib.faa_stream_words(stream, size)
        self.assertEqual(list(words[0:count]), list(built[0 : size[0]]))


class Libraries(unittest.TestCase):
    """The libraries that the package loads."""

    def test_every_library(self):
        for name in (
            "faa_version",
            "faa_imm",
            "faa_asm_read",
            "faa_asm_variable",
            "faa_spirv_load_sized",
            "faa_spirv_dispatch_sized",
        ):
            self.assertTrue(getattr(lib, name), name)

    def test_no_function(self):
        with self.assertRaises(AttributeError):
            _ = lib.faa_nothing


class Values(unittest.TestCase):
    """Numbers, types and shapes in the form of the device."""

    def test_types(self):
        for dtype, kind in (
            (numpy.uint32, "U32"),
            (numpy.int64, "S64"),
            ("float16", "F16"),
            ("bf16x2", "BF16X2"),
            (bool, "U8"),
        ):
            self.assertEqual(type_of(dtype), faa.Type[kind])
        for dtype in (complex, "S3", ">u4", numpy.longdouble):
            with self.assertRaises(TypeError):
                type_of(dtype)

    def test_bits(self):
        self.assertEqual(streams.bits_of(-1, faa.Type.S32), 0xFFFFFFFF)
        self.assertEqual(streams.bits_of(1.5, faa.Type.F32), 0x3FC00000)
        self.assertEqual(streams.bits_of(2.0, faa.Type.U16), 2)
        with self.assertRaisesRegex(
            OverflowError, "300 is no value of type U8: allowed are -128 to 255"
        ):
            streams.bits_of(300, faa.Type.U8)
        with self.assertRaises(TypeError):
            streams.bits_of(0.5, faa.Type.U32)

    def test_strides(self):
        image = numpy.zeros((5, 7, 3), numpy.uint8)
        self.assertEqual(stride_of(image[..., 1]), 3)
        self.assertEqual(stride_of(image[:, 0, 0]), 21)
        self.assertIsNone(stride_of(image[:, :4]))
        self.assertEqual(stride_of(image[:1, 2:3, 1:2]), 1)
        self.assertEqual(stride_of(image[::-1].reshape(-1)), 1)

    def test_no_library(self):
        run = subprocess.run(
            [sys.executable, "-c", "import faa; print(faa.Type.U32); faa.reg(1)"],
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, "FAA_LIBRARY": "/nowhere.so"},
        )
        self.assertEqual(run.returncode, 1)
        self.assertIn("FAA_LIBRARY may name its file", run.stderr)


if __name__ == "__main__":
    unittest.main()
