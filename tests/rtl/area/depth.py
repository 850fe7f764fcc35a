# SPDX-License-Identifier: MIT
"""Cells and combinational depth of mapped netlists.

Depth counts levels. One level are a look-up table, reading a distributed RAM, and entering a carry
chain of any length; multiplexers beside look-up tables and inverters are none. Paths begin and end
at flip-flops, at block RAMs and at the write side of distributed RAMs.
"""

import itertools
import re
from collections import Counter, defaultdict

FLIP_FLOPS = {"FDRE", "FDSE", "FDCE", "FDPE", "TRELLIS_FF"}
BLOCK_RAMS = {"RAMB18E1": 1, "RAMB36E1": 2, "DP16KD": 1, "PDPW16KD": 1}
# Xilinx: number of look-up tables of a cell; ECP5: cells are counted
LUT_RAMS = {"RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM32M": 4, "RAM64M": 4, "SRL16E": 1, "SRLC32E": 1, "TRELLIS_DPR16X4": 1}
MULTIPLIERS = {"DSP48E1", "MULT18X18D"}
FREE = {"PFUMX", "L6MUX21", "MUXF7", "MUXF8", "INV"}
LUT = re.compile(r"LUT[1-6]$")
COUNTS = ["cells", "carry", "ff", "lutram", "bram", "dsp"]
# Largest number of inputs of the two functions of a look-up table with two outputs (LUT6_2)
PAIRED_INPUTS = 5
# A net with more readers is a control signal: its readers have little else in common. For a small
# function this many of them are tried
PAIRED_READERS = 400
PAIRED_TRIED = 64


def count(cells):
    """Cells of a netlist by kind; cells without an entry are look-up tables. A carry cell of ECP5
    is also two look-up tables; a block RAM is 18 kbit."""
    sums = Counter({name: 0 for name in COUNTS})
    for kind, number in cells.items():
        if LUT.match(kind):
            sums["cells"] += number
        elif kind == "CCU2C":
            sums["carry"] += number
            sums["cells"] += 2 * number
        elif kind == "CARRY4":
            sums["carry"] += number
        elif kind in FLIP_FLOPS:
            sums["ff"] += number
        elif kind in LUT_RAMS:
            sums["lutram"] += LUT_RAMS[kind] * number
        elif kind in BLOCK_RAMS:
            sums["bram"] += BLOCK_RAMS[kind] * number
        elif kind in MULTIPLIERS:
            sums["dsp"] += number
        elif kind not in FREE:
            raise SystemExit(f"area: the netlist has a cell {kind}, which depth.py does not know")
    return dict(sums)


def pairs(functions):
    """How many pairs of functions, each a set of nets, fit into one look-up table with two outputs:
    together they have at most PAIRED_INPUTS inputs. A greedy estimate, which a placer may not
    reach: functions with most inputs first, each with the function that shares most inputs with
    it."""
    readers = defaultdict(list)
    for index, inputs in enumerate(functions):
        if len(inputs) <= PAIRED_INPUTS:
            for net in inputs:
                readers[net].append(index)
    used, found = [False] * len(functions), 0
    for index in sorted(range(len(functions)), key=lambda index: -len(functions[index])):
        inputs = functions[index]
        if used[index] or len(inputs) > PAIRED_INPUTS:
            continue
        best, shared = None, 0
        for net in sorted(inputs):
            for other in readers[net] if len(readers[net]) <= PAIRED_READERS else ():
                common = len(inputs & functions[other])
                if other != index and not used[other] and common > shared and len(inputs | functions[other]) <= PAIRED_INPUTS:
                    best, shared = other, common
        for net in sorted(inputs) if best is None and len(inputs) <= 3 else ():
            while readers[net] and used[readers[net][-1]]:
                readers[net].pop()
            best = next((other for other in readers[net][:-PAIRED_TRIED - 1:-1] if other != index and not used[other] and
                         len(inputs | functions[other]) <= PAIRED_INPUTS), None)
            if best is not None:
                break
        if best is not None:
            used[index] = used[best] = True
            found += 1
    return found


def arcs(kind, pins):
    """Combinational paths through a cell: (input pin, its bit, output pin, its bit, levels); None
    as a bit: all bits."""
    if LUT.match(kind) or kind in FREE:
        level = 0 if kind in FREE else 1
        out = "Z" if "Z" in pins else "O"
        return [(pin, None, out, None, level) for pin in pins if pin != out]
    if kind == "CARRY4":
        found = []
        for high in range(4):
            for out in ("O", "CO"):
                found += [("CI", None, out, high, 0), ("CYINIT", None, out, high, 1)]
                found += [(pin, low, out, high, 1) for pin in ("S", "DI") for low in range(high + 1)
                          if not (out == "O" and pin == "DI" and low == high)]
        return found
    if kind == "CCU2C":
        found = [("CIN", None, out, None, 0) for out in ("S0", "S1", "COUT")]
        found += [(pin + "0", None, out, None, 1) for pin in "ABCD" for out in ("S0", "S1", "COUT")]
        return found + [(pin + "1", None, out, None, 1) for pin in "ABCD" for out in ("S1", "COUT")]
    if kind == "TRELLIS_DPR16X4":
        return [("RAD", None, "DO", None, 1)]
    if kind in ("RAM32M", "RAM64M"):
        return [("ADDR" + port, None, "DO" + port, None, 1) for port in "ABCD"]
    if kind in ("RAM32X1D", "RAM64X1D", "RAM128X1D"):
        found = [(pin, None, "DPO", None, 1) for pin in pins if pin.startswith("DPRA")]
        return found + [(pin, None, "SPO", None, 1) for pin in pins if re.match(r"A\d?$", pin)]
    if kind in ("SRL16E", "SRLC32E"):
        return [(pin, None, "Q", None, 1) for pin in pins if re.match(r"A\d?$", pin)]
    return []


class Netlist:
    """A mapped unit as a graph of nets. Bits of its ports, and of those of units below it, are its
    boundary. They are separate, since members of a struct port are independent."""

    def __init__(self, module):
        self.sources = {}                # net: name of a boundary bit that drives it
        self.sinks = defaultdict(list)   # net: names of the boundary bits that it drives
        self.starts = {}                 # net that a register drives: its cell
        self.ends = {}                   # net that a register takes: its cell
        self.into = defaultdict(list)    # net: [(net before it, levels)]
        self.kinds = Counter()
        self.functions = []              # nets that a Xilinx look-up table takes
        self.children = {}               # cell: unit
        self.module = module
        for port, what in module["ports"].items():
            for index, net in enumerate(what["bits"]):
                self.boundary(net, f"{port}[{index}]", what["direction"] == "input")
        for name, cell in module["cells"].items():
            self.add(name, cell["type"], cell["port_directions"], cell["connections"])

    def boundary(self, net, name, drives):
        """A net that crosses the boundary; constants are left out."""
        if not isinstance(net, int):
            return
        if drives:
            self.sources[net] = name
        else:
            self.sinks[net].append(name)

    def add(self, name, kind, directions, pins):
        """Adds a cell."""
        if "." in kind:
            self.children[name] = kind
            for pin, nets in pins.items():
                for index, net in enumerate(nets):
                    self.boundary(net, f"{name}|{pin}[{index}]", directions[pin] == "output")
            return
        self.kinds[kind] += 1
        if LUT.match(kind) and "O" in pins:
            self.functions.append(frozenset(net for pin, nets in pins.items() if pin != "O" for net in nets if isinstance(net, int)))
        through = arcs(kind, pins)
        for pin, low, out, high, levels in through:
            before = pins.get(pin, []) if low is None else pins.get(pin, [])[low:low + 1]
            for net in (pins.get(out, []) if high is None else pins.get(out, [])[high:high + 1]):
                self.into[net] += [(other, levels) for other in before if isinstance(other, int)]
        passing = {arc[0] for arc in through} if LUT.match(kind) or kind in FREE or kind in ("CARRY4", "CCU2C") else set()
        driven = {arc[2] for arc in through}
        for pin, nets in pins.items():
            nets = [net for net in nets if isinstance(net, int)]
            if directions[pin] == "input" and pin not in passing:
                self.ends |= dict.fromkeys(nets, name)
            elif directions[pin] == "output" and (pin not in driven or kind in LUT_RAMS):
                self.starts |= dict.fromkeys(nets, name)

    def order(self):
        """Nets in topological order."""
        done, order = set(), []
        for first in list(self.into):
            stack = [(first, False)]
            while stack:
                net, back = stack.pop()
                if back:
                    order.append(net)
                elif net not in done:
                    done.add(net)
                    stack.append((net, True))
                    stack += [(before, False) for before, _ in self.into.get(net, ()) if before not in done]
        return order

    def registers(self):
        """Cell: name of a register, of the signal that it drives if that has a name in the RTL, or
        of a memory."""
        names = {}   # net: the shortest of its names
        shortest_last = sorted(self.module.get("netnames", {}), key=lambda name: (-len(name), name))
        for name in shortest_last:
            what = self.module["netnames"][name]
            if not what.get("hide_name"):
                one = len(what["bits"]) == 1
                names |= {net: name if one else f"{name}[{index}]"
                          for index, net in enumerate(what["bits"])}
        found = {}
        for cell in {*self.starts.values(), *self.ends.values()}:
            what = self.module["cells"][cell]
            out = what["connections"].get("Q", []) if what["type"] in FLIP_FLOPS else []
            found[cell] = next((names[net] for net in out if net in names), cell)
        return found


def signal(name):
    """A register's or a bit's name without its indices: those of instances, of the bit, and of
    cells of a memory."""
    return re.sub(r"\[\d+\]|(\.\d+)+$", "", name)


def largest(pairs):
    """Names with the largest of their numbers, or of tuples that begin with a number."""
    found = {}
    for name, number in pairs:
        found[name] = max(number, found.get(name, number))
    return dict(sorted(found.items()))


def through(netlist, order):
    """The graph between the inputs of a unit and its outputs: {(node, node): levels}. A node is the
    name of a boundary bit, or the number of a net between them; nets whose removal does not enlarge
    the graph are left out."""
    reach = set(netlist.sinks)
    for net in reversed(order):
        if net in reach:
            reach.update(before for before, _ in netlist.into.get(net, ()))
    before, after = defaultdict(dict), defaultdict(dict)

    def join(first, second, levels):
        before[second][first] = after[first][second] = max(levels, before[second].get(first, 0))

    passing = reach & netlist.sources.keys()
    inner = []
    for net in order:
        for other, levels in netlist.into.get(net, ()) if net in reach else ():
            if other in passing:
                join(netlist.sources.get(other, other), net, levels)
        if net in before:
            passing.add(net)
            inner.append(net)
    for net, names in netlist.sinks.items():
        for name in names if net in passing else ():
            join(netlist.sources.get(net, net), name, 0)
    for net in inner:
        if len(before[net]) * len(after[net]) <= len(before[net]) + len(after[net]):
            for first, second in itertools.product(before[net], after[net]):
                join(first, second, before[net][first] + after[net][second])
            for first in before.pop(net):
                del after[first][net]
            for second in after.pop(net):
                del before[second][net]
    number = {net: index for index, net in enumerate(net for net in inner if net in before)}
    return {(number.get(first, first), number.get(second, second)): levels
            for second, firsts in before.items() for first, levels in firsts.items()}


def summary(module):
    """Cells, depth between registers, and the levels at the boundary of a mapped unit, bit by bit:
    from its registers to its outputs, from its inputs to its registers and from its inputs to its
    outputs. names has the registers at the far ends of the first two, and of the depth. ends has
    the deepest way to each register (one for all bits of a signal): levels, where it begins and
    ends."""
    netlist = Netlist(module)
    order, registers = netlist.order(), netlist.registers()
    # (levels, register) from a net to the farthest register before it, and to that after it
    after = {net: (0, registers[cell]) for net, cell in netlist.starts.items()}
    for net in order:
        for before, levels in netlist.into.get(net, ()):
            if before in after:
                here = (after[before][0] + levels, after[before][1])
                after[net] = max(here, after.get(net, here))
    ahead = {net: (0, registers[cell]) for net, cell in netlist.ends.items()}
    for net in reversed(order):
        if net in ahead:
            for before, levels in netlist.into.get(net, ()):
                here = (ahead[net][0] + levels, ahead[net][1])
                ahead[before] = max(here, ahead.get(before, here))
    outs = largest((name, after[net]) for net, names in netlist.sinks.items() if net in after for name in names)
    ins = largest((name, ahead[net]) for net, name in netlist.sources.items() if net in ahead)
    inside = [(*after[net], registers[cell]) for net, cell in netlist.ends.items() if net in after]
    depth, first, last = max(inside, default=(0, "", ""))
    ends = {}
    for way in inside:
        ends[signal(way[2])] = max(way, ends.get(signal(way[2]), way))
    cells = count(netlist.kinds)
    return {
        "lut": cells["cells"] - pairs(netlist.functions),
        **cells,
        "depth": depth,
        "ends": sorted(ends.values(), reverse=True),
        "outs": {name: levels for name, (levels, _) in outs.items()},
        "ins": {name: levels for name, (levels, _) in ins.items()},
        "through": [[*nodes, levels] for nodes, levels in through(netlist, order).items()],
        "children": dict(sorted(netlist.children.items())),
        "names": {"inside": [first, last], "outs": {name: register for name, (_, register) in outs.items()},
                  "ins": {name: register for name, (_, register) in ins.items()}},
    }


BIT = re.compile(r"(.*)\[(\d+)\]$")
RUN = re.compile(r"(.*)\[(\d+):(\d+)\]$")


def split(node):
    """Name and bit of a node of through(); a net's name is empty."""
    if isinstance(node, int):
        return "", node
    name, bit = BIT.match(node).groups()
    return name, int(bit)


def packed(data):
    """ins, outs and through of a summary, with adjacent bits of equal levels as one,
    NAME[FIRST:LAST]."""
    found = {}
    for kind in ("ins", "outs"):
        runs = []
        for (name, bit), levels in sorted((split(node), levels) for node, levels in data[kind].items()):
            if runs and runs[-1][0] == name and runs[-1][2] == bit - 1 and runs[-1][3] == levels:
                runs[-1][2] = bit
            else:
                runs.append([name, bit, bit, levels])
        found[kind] = {f"{name}[{low}:{high}]": levels for name, low, high, levels in runs}
    # [names and levels, first bits, last bits]; along a run one or both nodes count up
    runs = []
    ways = [((split(a)[0], split(b)[0], levels), split(a)[1], split(b)[1])
            for a, b, levels in data["through"]]
    for what, *bits in sorted(ways):
        if runs and runs[-1][0] == what:
            steps = [bit - last for bit, last in zip(bits, runs[-1][2])]
            counts = [int(last != first) for first, last in zip(runs[-1][1], runs[-1][2])]
            if steps in ([0, 1], [1, 0], [1, 1]) and counts in ([0, 0], steps):
                runs[-1][2] = bits
                continue
        runs.append([what, bits, bits])
    found["through"] = [[f"{names[0]}[{first[0]}:{last[0]}]", f"{names[1]}[{first[1]}:{last[1]}]", levels]
                        for (*names, levels), first, last in runs]
    return found


def unpacked(data):
    """The inverse of packed()."""
    def nodes(run):
        name, low, high = RUN.match(run).groups()
        return [f"{name}[{bit}]" if name else bit for bit in range(int(low), int(high) + 1)]

    found = {kind: {node: levels for run, levels in data[kind].items() for node in nodes(run)}
             for kind in ("ins", "outs")}
    found["through"] = []
    for first, second, levels in data["through"]:
        pair = [nodes(first), nodes(second)]
        length = max(map(len, pair))
        firsts, seconds = (side * length if len(side) == 1 else side for side in pair)
        found["through"] += [[*ends, levels] for ends in zip(firsts, seconds)]
    return found
