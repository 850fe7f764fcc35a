#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Valid modules that cannot be run: the message names the missing feature.

refused.py MODEL-SPIRV: modules are assembled by spirv-as.
"""
import pathlib
import subprocess
import sys
import tempfile

MODULE = """{declarations}
OpMemoryModel {model}
{entries}
%void = OpTypeVoid
%fn = OpTypeFunction %void
{types}
%main = OpFunction %void None %fn
%label = OpLabel
{body}
OpReturn
OpFunctionEnd
"""
SHADER = {"declarations": "OpCapability Shader", "model": "Logical GLSL450", "entries": 'OpEntryPoint GLCompute %main "main"\nOpExecutionMode %main LocalSize 1 1 1',
          "types": "%float = OpTypeFloat 32\n%private = OpTypePointer Private %float\n%x = OpVariable %private Private", "body": ""}
KERNEL = {"declarations": "OpCapability Kernel\nOpCapability Addresses", "model": "Physical64 OpenCL", "entries": 'OpEntryPoint Kernel %main "copy"', "types": "", "body": ""}
INTERPOLATE = {**SHADER, "declarations": 'OpCapability Shader\nOpCapability InterpolationFunction\n%std = OpExtInstImport "GLSL.std.450"'}

CASES = [
    ("an entry point of the execution model GLCompute is needed: 'copy' of this module has Kernel", KERNEL),
    ("an entry point of the execution model GLCompute is needed: 'draw' of this module has Vertex", {**SHADER, "entries": 'OpEntryPoint Vertex %main "draw"'}),
    ("the module has 2 entry points of the execution model GLCompute: name one",
     {**SHADER, "entries": 'OpEntryPoint GLCompute %main "one"\nOpEntryPoint GLCompute %main "two"\nOpExecutionMode %main LocalSize 1 1 1'}),
    ("the module has no entry point", {**SHADER, "declarations": "OpCapability Shader\nOpCapability Linkage", "entries": ""}),
    *[(f"{name} of GLSL.std.450 is not supported", {**INTERPOLATE, "body": f"%n = OpExtInst %float %std {name} %x{rest}"})
      for name, rest in (("InterpolateAtCentroid", ""), ("InterpolateAtSample", " %x"), ("InterpolateAtOffset", " %x"))],
]


def judge(runner, directory, want, parts):
    """None, or the error."""
    subprocess.run(["spirv-as", "--target-env", "spv1.3", "-o", directory / "m.spv", "-"], input=MODULE.format(**parts), text=True, check=True)
    (directory / "m.case").write_text("name m\nspv m.spv\ngroups 1 1 1\n", encoding="ascii")
    done = subprocess.run([runner, directory, directory, directory / "m.case"], capture_output=True, text=True, check=False)
    return None if done.returncode == 1 and want in done.stderr else f"expected: {want}\n  exit status {done.returncode}: {done.stderr}"


def main():
    """Command line."""
    with tempfile.TemporaryDirectory() as name:
        bad = [text for text in (judge(sys.argv[1], pathlib.Path(name), *case) for case in CASES) if text]
    for text in bad:
        print(text)
    print(f"{len(CASES)} modules, {len(bad)} judged wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
