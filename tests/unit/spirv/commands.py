#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The commands that atomic instructions and barriers become: kind, scope and order of each, as
Documentation/spirv_run.rst has them.

commands.py MODEL-SPIRV-COMMANDS: that program prints the commands of every stream. One lane
executes the instructions one after the other.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

ACQUIRE, RELEASE, ACQ_REL, SEQ_CST = 2, 4, 8, 16
STORAGE = 0x940
SCOPES = {0: "SYS", 1: "GPU", 5: "GPU", 2: "CTA", 3: "CTA", 4: "CTA"}
ORDERS = {0: "RELAXED", ACQUIRE: "ACQUIRE", RELEASE: "RELEASE", ACQ_REL: "ACQ_REL", SEQ_CST: "ACQUIRE"}
# The use of a result makes the operation one that returns it.
USE = "%u{n} = OpIAdd %uint %n{n} %n{n}"
FENCES = {ACQUIRE: "ACQUIRE", RELEASE: "RELEASE", ACQ_REL: "ACQ_REL", SEQ_CST: "SC"}

MODULE = """OpCapability Shader
{capabilities}
OpMemoryModel Logical {model}
OpEntryPoint GLCompute %main "main" %buffer %shared %image
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %array ArrayStride 4
OpMemberDecorate %block 0 Offset 0
OpDecorate %block Block
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%v2 = OpTypeVector %uint 2
%array = OpTypeRuntimeArray %uint
%block = OpTypeStruct %array
%texels = OpTypeImage %uint 2D 0 0 0 2 R32ui
%p_block = OpTypePointer StorageBuffer %block
%p_uint = OpTypePointer StorageBuffer %uint
%p_shared = OpTypePointer Workgroup %uint
%p_image = OpTypePointer UniformConstant %texels
%p_texel = OpTypePointer Image %uint
%buffer = OpVariable %p_block StorageBuffer
%shared = OpVariable %p_shared Workgroup
%image = OpVariable %p_image UniformConstant
{constants}
%at = OpConstantComposite %v2 %k0 %k0
%main = OpFunction %void None %fn
%label = OpLabel
%global = OpAccessChain %p_uint %buffer %k0 %k0
%texel = OpImageTexelPointer %p_texel %image %at %k0
{body}
OpReturn
OpFunctionEnd
"""


def semantics(order):
    """An order with storage classes, which relaxed must not have."""
    return order | (STORAGE if order else 0)


def suffix(order):
    """The order of a command, which is not written if it is relaxed."""
    return f".{ORDERS[order]}" if order else ""


def sequential(scope, order):
    """The fence before a sequentially consistent operation."""
    return [f"FENCE.SC.{SCOPES[scope]}"] if order == SEQ_CST else []


def between_fences(scope, order, command):
    """A command of shared memory, which has no order of its own."""
    yield from sequential(scope, order)
    if order in (RELEASE, ACQ_REL):
        yield f"FENCE.RELEASE.{SCOPES[scope]}"
    yield command
    if order in (ACQUIRE, ACQ_REL, SEQ_CST):
        yield f"FENCE.ACQUIRE.{SCOPES[scope]}"


def instructions(scopes, orders):
    """Instructions and the commands that they become; {n} is a new id."""
    for scope, order in ((s, o) for s in scopes for o in orders if s != 4 or not o):
        where, what = SCOPES[scope], f"%k{scope} %k{semantics(order)}"
        first = sequential(scope, order)
        yield f"%n{{n}} = OpAtomicIAdd %uint %global {what} %k1", [*first, f"RED.ADD.U32.{where}{suffix(order)}"]
        yield f"%n{{n}} = OpAtomicIAdd %uint %global {what} %k1\n{USE}", [*first, f"ATOM.ADD.U32.{where}{suffix(order)}"]
        yield f"%n{{n}} = OpAtomicUMax %uint %texel {what} %k1\n{USE}", [*first, f"SUATOM.2D.IGN.MAX.U32.{where}{suffix(order)}"]
        yield f"%n{{n}} = OpAtomicIAdd %uint %shared {what} %k1", list(between_fences(scope, order, "ATOMS.ADD.U32"))
        if order in (0, ACQUIRE, SEQ_CST):
            yield f"%n{{n}} = OpAtomicLoad %uint %global {what}", [*first, f"LD.U32.{where}.{ORDERS[order]}"]
            yield f"%n{{n}} = OpAtomicLoad %uint %shared {what}", list(between_fences(scope, order, "LDS.U32"))
        if order in (0, RELEASE, SEQ_CST):
            yield f"OpAtomicStore %global {what} %k1", [*first, f"ST.U32.{where}.{'RELAXED' if order == SEQ_CST else ORDERS[order]}"]
            command = list(between_fences(scope, order, "STS.U32"))
            yield f"OpAtomicStore %shared {what} %k1", command[:-1] if order == SEQ_CST else command
        if order:
            # A barrier orders the accesses that are posted before it.
            posted = ("OpAtomicStore %global %k2 %k0 %k1", ["ST.U32.CTA.RELAXED"])
            yield posted
            yield f"OpMemoryBarrier {what}", [f"FENCE.{FENCES[order]}.{where}"]
            yield posted
            yield f"OpControlBarrier %k2 {what}", [f"FENCE.{FENCES[order]}.{where}"]


def exchanges():
    """Compare-exchange has the orders of both sides."""
    for equal, unequal, order in ((RELEASE, ACQUIRE, "ACQ_REL"), (ACQUIRE, 0, "ACQUIRE"), (RELEASE, 0, "RELEASE"), (ACQ_REL, ACQUIRE, "ACQ_REL")):
        yield f"%n{{n}} = OpAtomicCompareExchange %uint %global %k1 %k{semantics(equal)} %k{semantics(unequal)} %k1 %k0\n{USE}", [f"ATOM.CAS.U32.GPU.{order}"]


def judge(runner, directory, parts, pairs):
    """None, or the error in the commands of a module of instructions."""
    body = "\n".join(text.format(n=n) for n, (text, _) in enumerate(pairs))
    constants = "\n".join(f"%k{n} = OpConstant %uint {n}" for n in sorted({0, 1, 2, 3, 4, 5} | {semantics(o) for o in ORDERS}))
    subprocess.run(["spirv-as", "--target-env", "spv1.5", "-o", directory / "m.spv", "-"], input=MODULE.format(body=body, constants=constants, **parts),
                   text=True, check=True)
    (directory / "m.case").write_text("name m\nspv m.spv\ngroups 1 1 1\nbind 0 ssbo u32 4\nbind 1 image2d r32ui 4 4 1\n", encoding="ascii")
    (directory / "m.b0.bin").write_bytes(struct.pack("<4I", *range(4)))
    (directory / "m.b1.bin").write_bytes(bytes(64))
    done = subprocess.run([runner, "-u", directory, directory, directory / "m.case"], capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr
    got = [line.split()[0].rstrip(";") for line in done.stdout.splitlines() if line.startswith(("ATOM", "RED", "SURED", "SUATOM", "LD", "ST", "FENCE"))]
    for text, want in pairs:
        if got[:len(want)] != want:
            return f"{text.splitlines()[0]}: {got[:len(want)]}, not {want}"
        del got[:len(want)]
    return f"commands beyond: {got}" if got else None


def main():
    """Command line."""
    vulkan = {"model": "Vulkan", "capabilities": "OpCapability VulkanMemoryModel\nOpCapability VulkanMemoryModelDeviceScope"}
    plain = {"model": "GLSL450", "capabilities": ""}
    cases = [(vulkan, [*instructions((0, 1, 2, 3, 4, 5), (0, ACQUIRE, RELEASE, ACQ_REL)), *exchanges()]),
             (plain, list(instructions((0, 1, 2, 3, 4), ORDERS)))]
    with tempfile.TemporaryDirectory() as name:
        bad = [text for text in (judge(sys.argv[1], pathlib.Path(name), *case) for case in cases) if text]
    for text in bad:
        print(text)
    print(f"{sum(len(pairs) for _, pairs in cases)} instructions, {len(bad)} modules judged wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
