#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A definition must dominate its uses: faa-spirv on random control flow, compared with the
definition of dominance.

spirv_dominators.py FAA-SPIRV [SEED]: A dominates B if B cannot be reached without A. A module in
which every block uses the values of all blocks that dominate it is valid; one use of another
block's value makes it invalid.
"""
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import judged

FLOWS, SIZE = 24, (6, 14)
HEAD = """OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%one = OpConstant %uint 1
%true = OpConstantTrue %bool
%main = OpFunction %void None %fn
"""


def random_flow(draw):
    """Successors of each block. Block 0 is the entry, and all others can be reached from it."""
    count = draw.randint(*SIZE)
    successors = [set() for _ in range(count)]
    for block in range(1, count):
        before = [b for b in range(block) if len(successors[b]) < 2]
        successors[draw.choice(before)].add(block)
    for block in range(count):
        while len(successors[block]) < 2 and draw.random() < 0.6:
            successors[block].add(draw.randrange(1, count))
    return [sorted(s) for s in successors]


def reachable(successors, without):
    seen, work = set(), [0]
    while work:
        block = work.pop()
        if block not in seen and block != without:
            seen.add(block)
            work += successors[block]
    return seen


def module(successors, uses):
    """Text of the module in which block b uses the values of the blocks uses[b]."""
    text = HEAD
    for block, after in enumerate(successors):
        text += f"%b{block} = OpLabel\n"
        for number, other in enumerate(uses[block]):
            text += f"%u{block}_{number} = OpIAdd %uint %d{other} %one\n"
        text += f"%d{block} = OpIAdd %uint %one %one\n"
        if not after:
            text += "OpReturn\n"
        elif len(after) == 1:
            text += f"OpBranch %b{after[0]}\n"
        else:
            text += f"OpBranchConditional %true %b{after[0]} %b{after[1]}\n"
    return text + "OpFunctionEnd\n"


def in_order(successors, dominated):
    """Renumbers blocks so that each follows those that dominate it, as SPIR-V requires; block 0
    stays first."""
    count = len(successors)
    order = sorted(range(count), key=lambda b: sum(b in dominated[a] for a in range(count)))
    place = {block: number for number, block in enumerate(order)}
    return [sorted(place[s] for s in successors[block]) for block in order]


def modules(draw):
    """A valid module, and some that are not, of one control flow."""
    successors = random_flow(draw)
    count = len(successors)
    every = reachable(successors, None)
    successors = in_order(successors, [every - reachable(successors, a) - {a} for a in range(count)])
    dominated = [every - reachable(successors, a) - {a} for a in range(count)]
    uses = [[a for a in range(count) if b in dominated[a]] for b in range(count)]
    yield module(successors, uses), None
    wrong = [(a, b) for b in range(count) for a in range(count) if a != b and b not in dominated[a]]
    for a, b in draw.sample(wrong, min(5, len(wrong))):
        more = [used + [a] if block == b else used for block, used in enumerate(uses)]
        yield module(successors, more), (a, b)


def judge(tool, directory, number, text, wrong):
    """None, or the error."""
    source, binary = f"{directory}/{number}.spvasm", f"{directory}/{number}.spv"
    with open(source, "w") as file:
        file.write(text)
    subprocess.run(["spirv-as", "--target-env", "spv1.3", "-o", binary, source], check=True)
    result = subprocess.run([tool, "validate", "--spirv-val=none", binary], capture_output=True, text=True)
    said = result.stdout + result.stderr
    if wrong is None:
        return None if result.returncode == 0 else f"refused, though valid: {said}\n{text}"
    if result.returncode and "does not dominate its use" in said:
        return None
    return f"block {wrong[0]} does not dominate block {wrong[1]}, but: status {result.returncode} {said}\n{text}"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    tool, seed = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else os.environ.get("FAA_SEED", "1")
    cases = [case for flow in range(FLOWS) for case in modules(random.Random(f"{seed}-{flow}"))]
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda c: judge(tool, directory, c[0], *c[1]), enumerate(cases)))
    sys.exit(judged.report(len(cases), [text for text in found if text], shown=1, before=f"seed {seed}: "))


if __name__ == "__main__":
    main()
