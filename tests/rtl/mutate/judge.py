# SPDX-License-Identifier: MIT
"""Which mutants of a netlist are equivalent to it.

Both versions start a clock cycle with the same registers, memories and inputs, of any value that
satisfies the unit's assertions, which the tests check in every cycle. If then every register,
memory and output is the same at the end of the cycle, both versions always behave the same.
Registers that do differ may hold any value in the mutant in the next cycle: if still nothing else
differs, they do not matter. Registers and memories that no output depends on do not matter either.

A register without reset, which may have any value after one, may also be inverted in turn with
another register, if that is so again after each cycle: the row of a ring of two, which a mutant
inverts when it is held and when it is read. Or the registers that a mutant changes are the same
whenever another one has a certain value, a valid bit, and count only then.

Miters are decided by yosys-abc.
"""

import multiprocessing
import random
import re
import subprocess
import tempfile
import time

import aig
import netlist

SECONDS = 10        # of processor time for one mutant, and for one of its miters
SPREAD = 4000       # registers and memory bits that may differ
PATTERNS = 256      # random neighbours of a counterexample
LARGEST = 40000     # gates of an assertion that is used
FEW = 64            # registers that a mutant changes, to be followed one by one

unit = cycle = claims = used = None


def selector(number):
    """The bit that selects this mutant, or None when it has no effect on the netlist."""
    bits = unit.ports["mutsel"]["bits"]
    for cell, port in unit.readers[bits[0]]:
        if cell.type == "$eq" and port == "A" and cell.ports["A"] == bits:
            if netlist.number("".join(reversed(cell.ports["B"]))) == number:
                return cell.ports["Y"][0]
    return None


def inputs_of(cone):
    return {node for node in cone if cycle.graph.left[node] < 0}


def relevant_claims(nodes):
    """AND of the assertions on some of these inputs; the reset alone does not count."""
    reset = cycle.values[unit.ports["rst_ni"]["bits"][0]] >> 1
    nodes = nodes - {reset}
    held = 1
    for claim, support in claims:
        if support & nodes:
            held = cycle.graph.both(held, claim)
    return held


def counterexample(pairs, held):
    """Inputs for which the literals of a pair differ although `held` is 1; None if there are none,
    False if none was found in time."""
    graph = cycle.graph
    sides = [[graph.both(held, pair[k]) for pair in pairs] for k in (0, 1)]
    cone = graph.cone(sides[0] + sides[1])
    with tempfile.TemporaryDirectory() as work:
        for k in (0, 1):
            graph.write(f"{work}/{k}.aig", sides[k], cone)
        command = ["timeout", "300", "yosys-abc", "-c", f"cec -n -T {SECONDS} {work}/0.aig {work}/1.aig"]
        text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    if "Networks are equivalent" in text:
        return None
    values = {int(number): int(value) for number, value in re.findall(r"\bpi(\d+)=([01])", text)}
    if "NOT EQUIVALENT" not in text or not values:
        return False
    return {node: values.get(k, 0) for k, node in enumerate(node for node in cone if graph.left[node] < 0)}


def simulate(literals, example):
    """The literals' values, a bit per pattern: the example, and neighbours in which some inputs are
    inverted."""
    graph, everything = cycle.graph, (1 << PATTERNS) - 1
    values = {0: 0}
    for node in graph.cone(literals):
        a, b = graph.left[node], graph.right[node]
        if a < 0:
            turned = random.getrandbits(PATTERNS) & random.getrandbits(PATTERNS) & random.getrandbits(PATTERNS) & ~1
            values[node] = (everything if example.get(node) else 0) ^ turned
        else:
            values[node] = (values[a >> 1] ^ -(a & 1)) & (values[b >> 1] ^ -(b & 1)) & everything
    return [(values[x >> 1] ^ -(x & 1)) & everything for x in literals]


def matters(name):
    """Whether an output depends on the register or memory of this name in differences()."""
    if isinstance(name, int):
        return name in used
    return not isinstance(name[0], netlist.Cell) or (name[0], name[2]) in used


def after(bit):
    """The value of a register's bit after the cycle, in the netlist without mutants."""
    return dict(cycle.taken(unit.driver[bit]))[bit]


def is_free(bit):
    """A register that has any value after a reset."""
    return bit in unit.driver and unit.driver[bit].type in ("$dff", "$dffe")


def compared(variant, but):
    """Pairs of what differs, without some registers, and the assertions about them."""
    found = netlist.differences(cycle, variant)
    pairs = [pair for name, pair in found.items() if name not in but and matters(name)]
    cone = cycle.graph.cone([x for pair in pairs for x in pair])
    return pairs, relevant_claims(inputs_of(cone))


def keeps(chosen, bit, relation):
    """Whether a mutant whose register has the value relation(its value, values of others) behaves
    the same, and the register has it again after a cycle without reset."""
    value = relation(cycle.values[bit], cycle.values.get)
    variant = netlist.Variant(cycle, {chosen: 1, bit: value}, {})
    pairs, held = compared(variant, [bit])
    pairs.append((relation(after(bit), after), dict(variant.taken(unit.driver[bit]))[bit]))
    held = cycle.graph.both(held, cycle.values[unit.ports["rst_ni"]["bits"][0]])
    return counterexample(pairs, held) is None


def registers():
    return [q for cell in unit.cells if cell.type in netlist.REGISTERS for q in cell.ports["Q"]]


def turns(bit):
    """Registers that choose what a register's bit becomes."""
    cell = unit.driver[bit]
    source = unit.driver.get(cell.ports["D"][cell.ports["Q"].index(bit)])
    if source is None or source.type != "$mux":
        return []
    nodes = inputs_of(cycle.graph.cone([cycle.values[source.ports["S"][0]]]))
    return [q for q in registers() if cycle.values[q] >> 1 in nodes]


def inverted_in_turn(chosen):
    """Whether the mutant is equivalent because it inverts a register's output, always or by another
    register, twice before it counts."""
    for mux, port in unit.readers.get(chosen, ()):
        bit = mux.ports["A"][0]
        if port != "S" or mux.type != "$mux" or not is_free(bit):
            continue
        # The value that 0 is read as: a register by which it is inverted, or 1
        flip = netlist.Variant(cycle, {chosen: 1, bit: 0}, {}).values[mux.ports["Y"][0]]
        others = [q for q in unit.driver[bit].ports["Q"] if cycle.values[q] in (flip, flip ^ 1)]
        if flip != 1 and not others:
            continue
        for turn in turns(bit):
            for sense in (0, 1):
                def relation(value, of, turn=turn, sense=sense):
                    inverted = of(turn) ^ sense
                    if flip != 1:
                        by = of(others[0]) ^ (cycle.values[others[0]] != flip)
                        inverted = cycle.graph.both(inverted, by)
                    return cycle.graph.differ(value, inverted)
                if keeps(chosen, bit, relation):
                    return True
    return False


def counts_sometimes(chosen):
    """Whether the mutant is equivalent because the registers that it changes count only while
    another register has a value, and are the same then."""
    graph = cycle.graph
    found = netlist.differences(cycle, netlist.Variant(cycle, {chosen: 1}, {}))
    changed = [name for name in found if matters(name)]
    if len(changed) > FEW or not all(isinstance(name, int) for name in changed):
        return False
    free = {bit: graph.input() for bit in changed}
    pairs, held = compared(netlist.Variant(cycle, {chosen: 1, **free}, {}), changed)
    example = counterexample(pairs, held)
    if not example:
        return False
    # Registers that have one value whenever it counts, near this example
    nodes = inputs_of(graph.cone([x for pair in pairs for x in pair]))
    others = [q for q in registers() if cycle.values[q] >> 1 in nodes and q not in free]
    sides = [x for pair in pairs for x in pair]
    values = simulate(sides + [held] + [cycle.values[q] for q in others], example)
    counts = 0
    for k in range(len(pairs)):
        counts |= (values[2 * k] ^ values[2 * k + 1]) & values[len(sides)]
    for q, value in zip(others, values[len(sides) + 1:]):
        if value & counts in (0, counts) and counts_with(chosen, free, q, int(value & counts == 0)):
            return True
    return False


def counts_with(chosen, free, other, sense):
    """Whether registers of any value do not count unless another one is `sense` ^ 1, and are right
    whenever it is that after the cycle."""
    graph = cycle.graph
    now = cycle.values[other] ^ sense
    bits = {bit: graph.choose(now, cycle.values[bit], value) for bit, value in free.items()}
    variant = netlist.Variant(cycle, {chosen: 1, **bits}, {})
    pairs, held = compared(variant, free)
    then = after(other) ^ sense
    for bit in free:
        right = dict(variant.taken(unit.driver[bit]))[bit]
        pairs.append((graph.both(then, after(bit)), graph.both(then, right)))
    return counterexample(pairs, held) is None


def is_equivalent(number):
    """Whether the mutant is proved to be equivalent."""
    chosen = selector(number)
    if chosen is None:
        return True
    return spreads_to_nothing(chosen) or inverted_in_turn(chosen) or counts_sometimes(chosen)


def spreads_to_nothing(chosen):
    """Whether what differs, of any value, does not matter."""
    bits, stored = {chosen: 1}, {}
    end = time.process_time() + SECONDS
    while time.process_time() < end and len(bits) + len(stored) < SPREAD:
        variant = netlist.Variant(cycle, bits, stored)
        found = {name: pair for name, pair in netlist.differences(cycle, variant).items()
                 if name not in bits and name not in stored and matters(name)}
        if not found:
            return True
        pairs = list(found.values())
        held = relevant_claims(inputs_of(cycle.graph.cone([x for pair in pairs for x in pair])))
        example = counterexample(pairs, held)
        if example is None:
            return True
        if example is False:
            return False
        values = simulate([x for pair in pairs for x in pair] + [held], example)
        for k, name in enumerate(found):
            if not (values[2 * k] ^ values[2 * k + 1]) & values[-1]:
                continue
            if isinstance(name, int):
                bits[name] = cycle.graph.input()
            elif isinstance(name[0], netlist.Cell):
                stored[name] = cycle.graph.input()
            else:
                return False            # an output, or an input of a RAM
    return False


def judge(path, numbers, jobs):
    """For each mutant in the netlist: True if it is proved to be equivalent."""
    global unit, cycle, claims, used
    if not numbers:
        return {}
    random.seed(1)
    unit = netlist.Netlist(path, "faa_shared")
    used = unit.used()
    cycle = netlist.Cycle(unit, aig.Aig(), {bit: 0 for bit in unit.ports["mutsel"]["bits"]})
    claims = []
    for claim in cycle.claims():
        cone = cycle.graph.cone([claim])
        if len(cone) < LARGEST:
            claims.append((claim, inputs_of(cone)))
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        return dict(zip(numbers, pool.map(is_equivalent, numbers, chunksize=1)))
