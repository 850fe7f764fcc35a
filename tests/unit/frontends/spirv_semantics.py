#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Memory semantics of every instruction that has them, in all combinations of bits, compared with
the rules of Vulkan in this file.

spirv_semantics.py FAA-SPIRV: a module for each instruction is assembled once; its constants are
replaced in the words.
"""
import itertools
import pathlib
import struct
import subprocess
import sys
import tempfile

import judged

ACQUIRE, RELEASE, ACQ_REL, SEQ_CST = 2, 4, 8, 16
ORDERS = ACQUIRE | RELEASE | ACQ_REL | SEQ_CST
# Uniform, workgroup, image and output memory; not storage classes of Vulkan: subgroup,
# cross-workgroup, atomic counter.
STORAGE, OTHER = 0x1940, 0x680
AVAILABLE, VISIBLE, VOLATILE = 0x2000, 0x4000, 0x8000
# Placeholders of the two constants.
FIRST, SECOND = 0x5eed0001, 0x5eed0002

MODULE = f"""OpCapability Shader
OpCapability VulkanMemoryModel
OpExtension "SPV_KHR_vulkan_memory_model"
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%pointer = OpTypePointer Workgroup %uint
%p = OpVariable %pointer Workgroup
%one = OpConstant %uint 1
%workgroup = OpConstant %uint 2
%family = OpConstant %uint 5
%x = OpConstant %uint {FIRST}
%y = OpConstant %uint {SECOND}
%main = OpFunction %void None %fn
%label = OpLabel
{{body}}
OpReturn
OpFunctionEnd
"""
BODIES = {"MemoryBarrier": "OpMemoryBarrier %family %x", "ControlBarrier": "OpControlBarrier %workgroup %family %x",
          "AtomicLoad": "%r = OpAtomicLoad %uint %p %family %x", "AtomicStore": "OpAtomicStore %p %family %x %one",
          "AtomicIIncrement": "%r = OpAtomicIIncrement %uint %p %family %x", "AtomicIDecrement": "%r = OpAtomicIDecrement %uint %p %family %x"}
# The rules do not distinguish these.
UPDATES = {f"Atomic{op}": f"%r = OpAtomic{op} %uint %p %family %x %one"
           for op in ("Exchange", "IAdd", "ISub", "SMin", "UMin", "SMax", "UMax", "And", "Or", "Xor")}
COMPARE = "%r = OpAtomicCompareExchange %uint %p %family %x %y %one %one"


def rules(op, value):
    """Parts of the messages for the semantics of an instruction."""
    order, storage = value & ORDERS, value & STORAGE
    if order & order - 1:
        yield "can have at most one of the following bits set"
    if order & SEQ_CST:
        yield "10866]"
    if op == "AtomicLoad" and order & (RELEASE | ACQ_REL):
        yield "04731]"
    if op == "AtomicStore" and order & (ACQUIRE | ACQ_REL):
        yield "04730]"
    if op == "MemoryBarrier" and not order:
        yield "04732]"
    if order and not storage:
        yield "10870]"
    if storage and not order:
        yield "10871]"
    if value & AVAILABLE and not order & (RELEASE | ACQ_REL):
        yield "MakeAvailableKHR Memory Semantics also requires"
    if value & VISIBLE and not order & (ACQUIRE | ACQ_REL):
        yield "MakeVisibleKHR Memory Semantics also requires"
    if value & VOLATILE and op.endswith("Barrier"):
        yield "Volatile can only be used with atomic instructions"


def unequal_rules(equal, unequal):
    """The same for the semantics of a failing comparison, given those of a successful one."""
    if unequal & (RELEASE | ACQ_REL):
        yield "cannot be used for operand Unequal"
    elif unequal & SEQ_CST & ~equal or unequal & ACQUIRE and not equal & ORDERS:
        yield "10876]"
    if unequal & ~equal & STORAGE:
        yield "10877]"
    if unequal & ~equal & VISIBLE:
        yield "10878]"
    if (unequal ^ equal) & VOLATILE:
        yield "10879]"


def values(*choices):
    """Sums of one of each choice."""
    return [sum(bits) for bits in itertools.product(*choices)]


ORDER_CHOICE = (0, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST, ACQUIRE | RELEASE, ACQ_REL | SEQ_CST)
ALL = values(ORDER_CHOICE, (0, 0x40, 0x100, 0x800, 0x1000, STORAGE), (0, AVAILABLE, VISIBLE, AVAILABLE | VISIBLE), (0, VOLATILE), (0, 0x80, OTHER))
SOME = values(ORDER_CHOICE[:5], (0, 0x100, STORAGE), (0, VISIBLE), (0, VOLATILE), (0, OTHER))
EQUAL = values(ORDER_CHOICE[:5], (0, 0x100, STORAGE), (0, VISIBLE), (0, VOLATILE))


def cases():
    """Body, the two constants, messages."""
    for bodies, semantics in ((BODIES, ALL), (UPDATES, SOME)):
        for (op, body), value in itertools.product(bodies.items(), semantics):
            yield body, value, 0, set(rules(op, value))
    for equal, unequal in itertools.product(EQUAL, SOME):
        yield COMPARE, equal, unequal, set(rules("", equal)) | set(rules("", unequal)) | set(unequal_rules(equal, unequal))


def assemble(body):
    """Words of a module and the places of the two constants."""
    done = subprocess.run(["spirv-as", "--target-env", "spv1.4", "-o", "-", "-"], input=MODULE.format(body=body).encode(), stdout=subprocess.PIPE, check=True)
    words = list(struct.unpack(f"<{len(done.stdout) // 4}I", done.stdout))
    return words, words.index(FIRST), words.index(SECOND)


def judge(tool, batch, directory):
    """Texts of the wrong results of a number of cases."""
    paths, said, modules = [], {}, {}
    for number, (body, first, second, _) in enumerate(batch):
        if body not in modules:
            modules[body] = assemble(body)
        words, at_first, at_second = modules[body]
        words[at_first], words[at_second] = first, second
        paths.append(directory / f"{number}.spv")
        paths[-1].write_bytes(struct.pack(f"<{len(words)}I", *words))
    done = subprocess.run([tool, "validate", "--spirv-val=none", *paths], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        path, text = line.split(": ", 1)
        said.setdefault(path, []).append(text)
    for path, (body, first, second, want) in zip(paths, batch):
        text = "\n".join(said.get(str(path), ["nothing"]))
        if (text == "valid") != (not want) or any(rule not in text for rule in want):
            yield f"{body}, x = {first:#x}, y = {second:#x}: expected {sorted(want) or 'valid'}\n  {text}"


def main():
    """Command line."""
    everything, bad = list(cases()), []
    with tempfile.TemporaryDirectory() as name:
        for first in range(0, len(everything), 1000):
            bad += judge(sys.argv[1], everything[first:first + 1000], pathlib.Path(name))
    return judged.report(len(everything), bad, shown=10)


if __name__ == "__main__":
    sys.exit(main())
