#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Modules that would take too much time or stack if the work grew faster than their size.

large.py FAA-SPIRV MODEL-SPIRV: each is validated and run: no crash, at most a second of processor
time.
"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

SECONDS = 1
MAIN, VOID, FN, LABEL, FLOAT, POINTER, VARIABLE, VALUE, NULL, FIRST = range(1, 11)
CAPABILITY, MEMORY_MODEL = [0x20011, 1], [0x3000e, 0, 1]


def instruction(opcode, *operands):
    """Words of an instruction."""
    return [(len(operands) + 1) << 16 | opcode, *operands]


def text(string):
    """Words of a literal string."""
    data = string.encode() + b"\0"
    data += b"\0" * (-len(data) % 4)
    return struct.unpack(f"<{len(data) // 4}I", data)


def entry(name="main"):
    """OpEntryPoint GLCompute."""
    return instruction(15, 5, MAIN, *text(name))


MODE = instruction(16, MAIN, 17, 1, 1, 1)
TYPES = instruction(19, VOID) + instruction(33, FN, VOID)


def function(body=(), number=MAIN, label=LABEL):
    """A function without parameters."""
    return instruction(54, VOID, number, 0, FN) + instruction(248, label) + list(body) + instruction(253) + instruction(56)


def modes(count):
    """Entry points of one function, and as many execution modes."""
    entries = [word for i in range(count) for word in entry(f"main{i}")]
    return CAPABILITY + MEMORY_MODEL + entries + MODE * count + TYPES + function()


def extensions(count):
    """Extensions, and capabilities that ask for one of them; the model of memory is Vulkan's."""
    names = [word for i in range(count) for word in instruction(10, *text(f"SPV_{i}"))]
    return (CAPABILITY + instruction(17, 5345) * count + names + instruction(10, *text("SPV_KHR_vulkan_memory_model")) + instruction(14, 0, 3) +
            entry() + MODE + TYPES + function())


def calls(count):
    """Functions of which each calls the next."""
    words = CAPABILITY + MEMORY_MODEL + entry() + MODE + TYPES
    for i in range(count):
        body = instruction(57, VOID, FIRST + 3 * i, FIRST + 3 * i + 1) if i + 1 < count else []
        words += function(body, FIRST + 3 * i - 2 if i else MAIN, FIRST + 3 * i + 2 if i else LABEL)
    return words


def nested(count, leaf, null):
    """Structures that hold the one before twice; a variable of the last is loaded, or null is
    stored to it."""
    words = CAPABILITY + MEMORY_MODEL + entry() + MODE + TYPES + leaf
    last = FLOAT
    for i in range(count):
        words += instruction(30, FIRST + i, last, last)
        last = FIRST + i
    words += (instruction(46, last, NULL) if null else []) + instruction(32, POINTER, 6, last) + instruction(59, POINTER, VARIABLE, 6)
    return words + function(instruction(62, VARIABLE, NULL) if null else instruction(61, last, VALUE, VARIABLE))


UINT, SELECTOR, MERGE, BLOCKS = 11, 12, 13, 100
# An instruction has 65535 words at most.
MOST_CASES = 32000
INTEGERS = instruction(21, UINT, 32, 0) + instruction(43, UINT, SELECTOR, 5)


def phi_of_many(count):
    """A switch to as many blocks, all of which lead to one block with eight phis."""
    cases = [word for i in range(count) for word in (i, BLOCKS + i)]
    words = instruction(247, MERGE, 0) + instruction(251, SELECTOR, BLOCKS, *cases)
    for i in range(count):
        words += instruction(248, BLOCKS + i) + instruction(249, MERGE)
    pairs = [word for i in range(count) for word in (SELECTOR, BLOCKS + i)]
    words += instruction(248, MERGE)
    for i in range(8):
        words += instruction(245, UINT, BLOCKS + count + i, *pairs)
    return CAPABILITY + MEMORY_MODEL + entry() + MODE + TYPES + INTEGERS + function(words)


def phis_of_one(count):
    """A switch with many cases, all the same block, which has as many phis."""
    cases = [word for i in range(MOST_CASES) for word in (i, MERGE)]
    words = instruction(247, MERGE, 0) + instruction(251, SELECTOR, MERGE, *cases) + instruction(248, MERGE)
    for i in range(count):
        words += instruction(245, UINT, BLOCKS + i, SELECTOR, LABEL)
    return CAPABILITY + MEMORY_MODEL + entry() + MODE + TYPES + INTEGERS + function(words)


def buffers(count):
    """As many buffers, and a pointer into each."""
    struct_type, pointer, element = 14, 15, 16
    words = CAPABILITY + MEMORY_MODEL + entry() + MODE + instruction(71, struct_type, 2) + instruction(72, struct_type, 0, 35, 0)
    for i in range(count):
        words += instruction(71, BLOCKS + i, 34, 0) + instruction(71, BLOCKS + i, 33, i)
    words += TYPES + instruction(21, UINT, 32, 0) + instruction(43, UINT, SELECTOR, 0) + instruction(30, struct_type, UINT)
    words += instruction(32, pointer, 12, struct_type) + instruction(32, element, 12, UINT)
    body = []
    for i in range(count):
        words += instruction(59, pointer, BLOCKS + i, 12)
        body += instruction(65, element, BLOCKS + count + 2 * i, BLOCKS + i, SELECTOR)
        body += instruction(61, UINT, BLOCKS + count + 2 * i + 1, BLOCKS + count + 2 * i)
    return words + function(body)


# For each module the results of validate and of run.
CASES = {
    "modes": (modes(100000), "valid", "100000 entry points of the execution model GLCompute: name one"),
    "extensions": (extensions(100000), "valid", ""),
    "calls": (calls(100000), "valid", ""),
    "structures": (nested(40, instruction(22, FLOAT, 32), False), "valid", "a value of 65536 scalars, more than 65535"),
    "a phi of many blocks": (phi_of_many(MOST_CASES), "valid", ""),
    "phis of one block": (phis_of_one(20000), "valid", ""),
    "buffers": (buffers(60000), "valid", "binding 0 of set 0"),
    "empty structures": (nested(200, instruction(30, FLOAT), True), "valid", ""),
}


def judge(command, wanted):
    """None, or the error."""
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    after = os.times()
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    if done.returncode not in (0, 1) or wanted not in done.stdout + done.stderr:
        return f"exit status {done.returncode}: {done.stdout}{done.stderr}"
    return f"{seconds:.1f} s" if seconds > SECONDS else None


def main():
    """Command line."""
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        (directory / "large.case").write_text("name large\nspv large.spv\n", encoding="ascii")
        for case, (words, validated, run) in CASES.items():
            module = directory / "large.spv"
            words = [0x07230203, 0x10300, 0, 1 << 20, 0] + words
            module.write_bytes(struct.pack(f"<{len(words)}I", *words))
            for command, wanted in (([sys.argv[1], "validate", "--spirv-val=none", module], validated),
                                    ([sys.argv[2], directory, directory, directory / "large.case"], run)):
                wrong = judge(command, wanted)
                if wrong:
                    failed += 1
                    print(f"{case}: {pathlib.Path(command[0]).name}: {wrong}")
    print(f"{len(CASES)} modules, {failed} judged wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
