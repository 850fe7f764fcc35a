#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kernels with instructions that the recorded cases do not have, compared with results that Python
calculates from the same inputs.

kernels.py MODEL-SPIRV: modules are compiled from tests/unit/spirv/kernels now, as they are and
optimized. Every instruction that the interpreter has must be in one of them.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# The source tree must not change.
sys.dont_write_bytecode = True

import kernels_arithmetic
import kernels_glsl
import kernels_memory
from kernels_data import unpack

HERE = pathlib.Path(__file__).parent
CASES = kernels_memory.CASES + kernels_arithmetic.CASES + kernels_glsl.CASES
# Each target environment results in other instructions: classes of buffers, their addresses, sizes
# of workgroups.
TARGETS = ("vulkan1.2", "vulkan1.0", "vulkan1.1", "vulkan1.3")
# Modules of these options are one kernel with a name of its own.
OPTIMIZED = ("-O",), ("-Os",), ("--merge-return", "--inline-entry-points-exhaustive", "--ssa-rewrite", "--eliminate-dead-code-aggressive")


def compile_glsl(case, target, path, *options):
    """The module of glslangValidator for a case and a target environment."""
    subprocess.run(["glslangValidator", *options, "-V", "--target-env", target, *case.options, "-o", path, HERE / "kernels" / case.source],
                   check=True, stdout=subprocess.DEVNULL)
    return path


def compile_case(case, directory):
    """Paths of the modules with which a case is run."""
    source = HERE / "kernels" / case.source
    first = directory / f"{case.name}.spv"
    if source.suffix == ".spvasm":
        subprocess.run(["spirv-as", "--target-env", *case.targets, "-o", first, source], check=True)
        yield first
    else:
        for target in case.targets or TARGETS[:1]:
            first = compile_glsl(case, target, directory / f"{case.name}.{target}.spv")
            yield first
        yield compile_glsl(case, target, directory / f"{case.name}.debug.spv", "-g")
    for number, passes in enumerate(OPTIMIZED if case.optimized else ()):
        path = directory / f"{case.name}.opt{number}.spv"
        subprocess.run(["spirv-opt", *passes, "-o", path, first], check=True)
        yield path


def write_case(case, module, directory):
    """The case file; its inputs are beside the modules."""
    lines = [f"name {case.name}", f"spv {module.name}", "groups " + " ".join(map(str, case.groups))]
    for number, binding in case.bindings.items():
        lines.append(f"bind {number} {binding.line}")
        (directory / f"{case.name}.b{number}.bin").write_bytes(binding.data())
    if case.push is not None:
        lines.append(f"pushaddr {case.push}")
    path = directory / f"{case.name}.case"
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    return path


def run(runner, case, module, directory):
    """None, or the error in the results."""
    path = write_case(case, module, directory)
    done = subprocess.run([runner, directory, directory / "out", path], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr
    got = {number: unpack(binding.code, (directory / "out" / f"{case.name}.b{number}.bin").read_bytes())
           for number, binding in case.bindings.items()}
    given = {number: binding.values for number, binding in case.bindings.items()}
    return case.judge(given, got)


def instructions(module):
    """Opcodes of a module and the extended ones."""
    text = subprocess.run(["spirv-dis", "--raw-id", module], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"\b(Op[A-Z]\w+)", text)) | set(re.findall(r"OpExtInst %\d+ %\d+ (\w+)", text))


def interpreted():
    """Instructions of the interpreter: the names in its tables."""
    folder = HERE.parents[2] / "userspace/libfaa_spirv/run"
    names = set()
    for path in sorted(folder.glob("compile_*.c")):
        names |= set(re.findall(r"(?:case |\{ )(?:Spv(Op[A-Z]\w+)|GLSLstd450(\w+))(?=[:,])", path.read_text(encoding="utf-8")))
    return {opcode or extended for opcode, extended in names if not opcode.startswith("OpType")}


def main():
    """Command line."""
    failed, modules, seen = 0, 0, set()
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        (directory / "out").mkdir()
        for case in CASES:
            for module in compile_case(case, directory):
                wrong = run(sys.argv[1], case, module, directory)
                seen |= instructions(module)
                modules += 1
                if wrong:
                    failed += 1
                    print(f"{module.name}: {wrong}")
    missing = sorted(interpreted() - seen)
    if missing:
        print("in no kernel:", *missing)
    print(f"{modules} modules, {failed} judged wrong, {len(seen)} instructions")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
