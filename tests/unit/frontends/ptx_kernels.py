#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CUDA kernels of this project, compiled to PTX with NVRTC: the assembler must accept each, or
report the expected error.

ptx_kernels.py check DIRECTORY FAA_AS           runs FAA_AS on the recorded PTX
ptx_kernels.py record DIRECTORY NVRTC           compiles with the library NVRTC, and writes the PTX
ptx_kernels.py live DIRECTORY NVRTC FAA_AS      compiles for several targets, and runs FAA_AS

A comment before each kernel of DIRECTORY/NAME.cu has the expected result: "// faa: taken", or
"// faa: " and the beginning of an error. DIRECTORY/NAME.ptx is the PTX for the first target. An
accepted kernel is also emitted as a stream.
"""

import ctypes
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

TARGETS = ["compute_75", "compute_90", "compute_100"]
KERNEL = re.compile(r'^// faa: (.+)\n(?://.*\n)*extern "C" __global__ void (\w+)\(', re.MULTILINE)


def kernels_of(source):
    """Kernels of a source in its order: name and expectation."""
    text = source.read_text(encoding="utf-8")
    found = [(match[2], match[1]) for match in KERNEL.finditer(text)]
    if len(found) != text.count("__global__") or not found:
        sys.exit(f"{source}: a kernel has no comment that says what is expected")
    return found


def head(source):
    """Head of a recorded file, which belongs to one text of its source."""
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    return f"// SPDX-License-Identifier: MIT\n// {source.name} {digest}, compiled for {TARGETS[0]} by ptx_kernels.py record\n"


class Nvrtc:
    """The compiler's library."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def text(self, program, what):
        """The log, or the PTX."""
        size = ctypes.c_size_t()
        getattr(self.library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        getattr(self.library, f"nvrtcGet{what}")(program, buffer)
        return buffer.value.decode()

    def compile(self, source, target):
        """PTX of a source."""
        program = ctypes.c_void_p()
        self.library.nvrtcCreateProgram(ctypes.byref(program), source.read_bytes(), source.name.encode(), 0, None, None)
        option = (ctypes.c_char_p * 1)(f"--gpu-architecture={target}".encode())
        if self.library.nvrtcCompileProgram(program, 1, option):
            sys.exit(f"{source} for {target}: {self.text(program, 'ProgramLog')}")
        ptx = self.text(program, "PTX")
        self.library.nvrtcDestroyProgram(ctypes.byref(program))
        return ptx


def assemble(faa_as, path, *options):
    """Status, output and messages of faa-as."""
    run = subprocess.run([faa_as, "--syntax=ptx", *options, path], capture_output=True, check=False)
    return run.returncode, run.stdout, run.stderr.decode()


def judge(source, path, faa_as, what):
    """Errors of faa-as with the PTX in a file."""
    expected = kernels_of(source)
    status, _, messages = assemble(faa_as, path, "--format=text")
    refusals = [text for _, text in expected if text != "taken"]
    lines = [re.sub(r"^.*?:\d+:\d+: ", "", line) for line in messages.splitlines()]
    if len(lines) != len(refusals) or any(not line.startswith(text) for line, text in zip(lines, refusals)):
        return [f"{what}: expected {refusals}, faa-as says {messages or 'nothing'}"]
    faults = [f"{what}: status {status}"] if status != bool(refusals) else []
    if refusals:
        return faults
    for name, _ in expected:
        status, stream, messages = assemble(faa_as, path, f"--kernel={name}", "--output=-")
        if status or not stream:
            faults.append(f"{what}: {name}: status {status}, {len(stream)} bytes: {messages}")
    return faults


def check(directory, faa_as):
    """The recorded files."""
    faults, count = [], 0
    for source in sorted(directory.glob("*.cu")):
        recorded = source.with_suffix(".ptx")
        if not recorded.read_text(encoding="utf-8").startswith(head(source)):
            sys.exit(f"{recorded} is not of this {source.name}: ptx_kernels.py record")
        faults += judge(source, recorded, faa_as, recorded.name)
        count += len(kernels_of(source))
    return faults, count


def live(directory, nvrtc, faa_as):
    """The current output of the compiler."""
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as work:
        for source in sorted(directory.glob("*.cu")):
            for target in TARGETS:
                path = pathlib.Path(work) / f"{source.stem}.ptx"
                path.write_text(nvrtc.compile(source, target), encoding="utf-8")
                faults += judge(source, path, faa_as, f"{source.name} for {target}")
                count += len(kernels_of(source))
                if target == TARGETS[0] and head(source) + path.read_text() != source.with_suffix(".ptx").read_text():
                    faults.append(f"{source.name} for {target}: the recorded PTX is another one")
    return faults, count


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("check", "record", "live"):
        sys.exit(__doc__)
    directory = pathlib.Path(sys.argv[2])
    if sys.argv[1] == "record":
        nvrtc = Nvrtc(sys.argv[3])
        for source in sorted(directory.glob("*.cu")):
            source.with_suffix(".ptx").write_text(head(source) + nvrtc.compile(source, TARGETS[0]), encoding="utf-8")
        return
    faults, count = check(directory, sys.argv[3]) if sys.argv[1] == "check" else live(directory, Nvrtc(sys.argv[3]), sys.argv[4])
    print("\n".join(faults) or f"{count} kernels are taken or refused as expected")
    sys.exit(bool(faults) or not count)


main()
