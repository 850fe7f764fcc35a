# SPDX-License-Identifier: MIT
"""Cells and combinational depth of mapped netlists.

Depth counts levels: a look-up table is one, so is reading a distributed RAM, and entering a carry chain, however far the carry
goes; multiplexers beside look-up tables and inverters are none. Paths begin and end at flip-flops, at block RAMs and at the write side of
distributed RAMs.
"""

import re
from collections import Counter, defaultdict

FLIP_FLOPS = {"FDRE", "FDSE", "FDCE", "FDPE", "TRELLIS_FF"}
BLOCK_RAMS = {"RAMB18E1": 1, "RAMB36E1": 2, "DP16KD": 1, "PDPW16KD": 1}
# Xilinx: look-up tables that a cell takes; ECP5: cells are counted
LUT_RAMS = {"RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "RAM32M": 4, "RAM64M": 4, "SRL16E": 1, "SRLC32E": 1, "TRELLIS_DPR16X4": 1}
MULTIPLIERS = {"DSP48E1", "MULT18X18D"}
FREE = {"PFUMX", "L6MUX21", "MUXF7", "MUXF8", "INV"}
LUT = re.compile(r"LUT[1-6]$")
COUNTS = ["cells", "carry", "ff", "lutram", "bram", "dsp"]
# Inputs of the two functions together that a look-up table with two outputs (LUT6_2) has
PAIRED_INPUTS = 5
# A net with more readers is a control signal: its readers have little else in common. Of them this many are tried, for a small function
PAIRED_READERS = 400
PAIRED_TRIED = 64


def count(cells):
    """Cells of a netlist by kind; cells without a word are look-up tables. A carry cell of ECP5 is two look-up tables too; a block RAM is 18 kbit."""
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
    """How many pairs of functions, each a set of nets, fit into one look-up table with two outputs: together they have at most
    PAIRED_INPUTS inputs. A greedy estimate, that a placer may not reach: functions with most inputs first, each with the one that shares most
    with it."""
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
    """Combinational paths through a cell: (input pin, its bit, output pin, its bit, levels); None as a bit: all."""
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
    """A mapped unit as a graph of nets. Ports of the unit, and of units below it, are its boundary."""

    def __init__(self, module, bits=False):
        self.bits = bits
        self.sources = {}                # net: name of a boundary bit that drives it
        self.sinks = defaultdict(list)   # net: names of the boundary bits that it drives
        self.starts = set()              # nets that a register drives
        self.ends = set()                # nets that a register takes
        self.into = defaultdict(list)    # net: [(net before it, levels)]
        self.kinds = Counter()
        self.functions = []              # nets that a Xilinx look-up table takes
        self.children = {}               # cell: unit
        for port, what in module["ports"].items():
            for index, net in enumerate(what["bits"]):
                self.boundary(net, port, index, what["direction"] == "input")
        for name, cell in module["cells"].items():
            self.add(name, cell["type"], cell["port_directions"], cell["connections"])

    def boundary(self, net, port, index, drives):
        """A net that goes through the boundary. Ports are told apart, their bits only on demand."""
        name = f"{port}[{index}]" if self.bits else port
        if drives:
            self.sources[net] = name
        elif name not in self.sinks[net]:
            self.sinks[net].append(name)

    def add(self, name, kind, directions, pins):
        """Adds a cell."""
        if "." in kind:
            self.children[name] = kind
            for pin, nets in pins.items():
                for index, net in enumerate(nets):
                    self.boundary(net, f"{name}|{pin}", index, directions[pin] == "output")
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
                self.ends.update(nets)
            elif directions[pin] == "output" and pin not in driven:
                self.starts.update(nets)
            if directions[pin] == "output" and kind in LUT_RAMS:
                self.starts.update(nets)

    def order(self):
        """Nets, each after those before it."""
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


def largest(pairs):
    """Names with the largest of their numbers."""
    found = {}
    for name, number in pairs:
        found[name] = max(number, found.get(name, number))
    return dict(sorted(found.items()))


def summary(module, bits=False):
    """Cells, depth between registers, and the levels at the boundary of a mapped unit: from its registers to its outputs, from
    its inputs to its registers and from its inputs to its outputs, ports as a whole or bit by bit."""
    netlist = Netlist(module, bits)
    order = netlist.order()
    nets = set(order) | netlist.starts | set(netlist.sources)
    after = {net: 0 if net in netlist.starts else None for net in nets}
    for net in order:
        for before, levels in netlist.into.get(net, ()):
            if after.get(before) is not None and (after[net] is None or after[net] < after[before] + levels):
                after[net] = after[before] + levels
    ahead = {net: 0 for net in netlist.ends}
    for net in reversed(order):
        if net in ahead:
            for before, levels in netlist.into.get(net, ()):
                ahead[before] = max(ahead.get(before, 0), ahead[net] + levels)
    # Straight through: only nets that reach the boundary matter.
    reach = {net for net in netlist.sinks if isinstance(net, int)}
    for net in reversed(order):
        if net in reach:
            reach.update(before for before, _ in netlist.into.get(net, ()))
    passing = {net: {netlist.sources[net]: 0} for net in reach if net in netlist.sources}
    for net in order:
        if net in reach and netlist.into.get(net):
            here = passing.setdefault(net, {})
            for before, levels in netlist.into[net]:
                for source, sofar in passing.get(before, {}).items():
                    here[source] = max(here.get(source, 0), sofar + levels)
    sinks = [(net, sink) for net, names in netlist.sinks.items() for sink in names]
    through = largest(((source, sink), levels) for net, sink in sinks for source, levels in passing.get(net, {}).items())
    cells = count(netlist.kinds)
    return {
        "lut": cells["cells"] - pairs(netlist.functions),
        **cells,
        "depth": max((after[net] for net in netlist.ends if after.get(net) is not None), default=0),
        "outs": largest((sink, after[net]) for net, sink in sinks if after.get(net) is not None),
        "ins": largest((source, ahead[net]) for net, source in netlist.sources.items() if net in ahead),
        "through": [[source, sink, levels] for (source, sink), levels in through.items()],
        "children": dict(sorted(netlist.children.items())),
    }


def whole(top, summaries):
    """Depth of a build, and the path: instances and ports on its way. Ports of the top count as registers."""
    begins, before, ends = {}, defaultdict(list), []
    todo = [("", top)]

    def node(path, name):
        cell, _, port = name.rpartition("|")
        return (path + "/" + cell if cell else path, port)

    inner = (0, ())
    while todo:
        path, unit = todo.pop()
        data = summaries[unit]
        inner = max(inner, (data["depth"], ((path or "/", "inside"),)))
        todo += [(path + "/" + cell, child) for cell, child in data["children"].items()]
        for name, levels in data["outs"].items():
            begins[node(path, name)] = levels
        for source, sink, levels in data["through"]:
            before[node(path, sink)].append((node(path, source), levels))
        ends += [(node(path, name), levels) for name, levels in data["ins"].items()]
    best = {}

    def longest(first):
        stack, open_ = [first], set()
        while stack:
            now = stack[-1]
            missing = [source for source, _ in before.get(now, ()) if source not in best]
            if now not in best and missing:
                open_.add(now)
                if not open_.isdisjoint(missing):
                    raise SystemExit(f"area: a combinational loop through {now}")
                stack += missing
                continue
            stack.pop()
            open_.discard(now)
            start = (begins.get(now, 0), None)
            best[now] = max([start] + [(best[source][0] + levels, source) for source, levels in before.get(now, ())],
                            key=lambda item: item[0])
        return best[first][0]

    levels, sink = max(((longest(name) + rest, name) for name, rest in ends + [(name, 0) for name in list(before)]),
                       key=lambda item: item[0], default=(0, None))
    if levels <= inner[0]:
        return inner
    path = []
    while sink:
        path.append(sink)
        sink = best[sink][1]
    return levels, tuple(reversed(path))
