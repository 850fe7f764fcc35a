# SPDX-License-Identifier: MIT
"""A flat netlist of yosys (write_json), as an and-inverter graph of one clock cycle.

Registers and memories are cut: their values are inputs, and their values after the clock edge are
outputs. So two versions of a netlist with equal outputs always behave the same, for any values.
Unused values are no difference: an address without its enable, data without their valid bit.
"""

import json

CLAIMS = {"$assert", "$assume"}
REGISTERS = {"$dff", "$dffe", "$sdff", "$sdffe", "$sdffce"}
BITWISE = {"$and": lambda g, a, b: g.both(a, b), "$or": lambda g, a, b: g.either(a, b),
           "$xor": lambda g, a, b: g.differ(a, b), "$xnor": lambda g, a, b: g.differ(a, b) ^ 1}
# operator: operands swapped, inverted
ORDER = {"$lt": (False, 0), "$ge": (False, 1), "$gt": (True, 0), "$le": (True, 1)}


def number(text):
    return int(text, 2)


class Cell:
    """One operator, register or memory."""

    def __init__(self, name, data):
        self.name = name
        self.type = data["type"]
        self.ports = data["connections"]
        self.parameters = data["parameters"]
        directions = data["port_directions"]
        self.inputs = [p for p in self.ports if directions[p] == "input"]
        self.outputs = [p for p in self.ports if directions[p] == "output"]
        if self.type in REGISTERS:
            self.before = []
        elif self.type == "$mem_v2":
            self.before = ["RD_ADDR"]
        elif self.type.startswith("$"):
            self.before = self.inputs
        else:
            self.before = []   # a RAM that is read a cycle later

    def sources(self, port, k):
        """Bits that bit k of an output depends on, at once or with the clock; else all inputs."""
        ports = self.ports

        def at(name, step=None):
            return ports.get(name, [])[k:k + 1] if step is None else ports.get(name, [])[k % step::step]

        if self.type in REGISTERS:
            return at("D") + ports.get("EN", []) + ports.get("SRST", [])
        if self.type == "$mem_v2":
            width = self.parameter("WIDTH")
            return at("WR_DATA", width) + at("WR_EN", width) + ports["WR_ADDR"] + ports["RD_ADDR"]
        if self.type == "$mux":
            return at("A") + ([] if self.name.startswith("$auto$mutate.cc") else at("B") + ports["S"])
        if self.type == "$pmux":
            return at("A") + at("B", len(ports["Y"])) + ports["S"]
        if self.type in BITWISE and all(len(ports[name]) == len(ports["Y"]) for name in "AB"):
            return at("A") + at("B")
        if self.type == "$shiftx":
            # An index of words: 0 in its low bits
            zeros = next((n for n, bit in enumerate(ports["B"]) if bit != "0"), len(ports["B"]))
            return at("A", 1 << zeros) + ports["B"]
        return [bit for name in self.inputs for bit in ports[name]]

    def parameter(self, name):
        return number(self.parameters[name])


class Netlist:
    """The cells of a module in the order in which they are evaluated."""

    def __init__(self, path, module):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)["modules"][module]
        self.ports = data["ports"]
        self.cells = [Cell(name, cell) for name, cell in data["cells"].items()]
        self.driver = {}
        for cell in self.cells:
            for port in cell.outputs:
                for bit in cell.ports[port]:
                    self.driver[bit] = cell
        self.readers = {}
        for cell in self.cells:
            for port in cell.inputs:
                for bit in cell.ports[port]:
                    self.readers.setdefault(bit, []).append((cell, port))
        self.sort()

    def sort(self):
        """Cells after those that drive them."""
        state, order = {}, []
        for root in self.cells:
            stack = [root]
            while stack:
                cell = stack[-1]
                if state.get(cell) == 2:
                    stack.pop()
                    continue
                state[cell] = 1
                before = {self.driver[bit] for port in cell.before for bit in cell.ports[port] if bit in self.driver}
                waits = [c for c in before if state.get(c) != 2]
                if not waits:
                    state[cell] = 2
                    order.append(cell)
                    stack.pop()
                elif any(state.get(c) == 1 for c in waits):
                    raise ValueError(f"netlist: {cell.name} at {cell.type} is in a loop with {waits[0].name}")
                else:
                    stack += waits
        self.cells = order

    def used(self):
        """Bits that outputs depend on, in some later cycle, and those of the contents of memories:
        (cell, bit). Without the mutants."""
        todo = [bit for port in self.ports.values() if port["direction"] == "output" for bit in port["bits"]]
        place = {bit: (cell, port, k) for cell in self.cells for port in cell.outputs for k, bit in enumerate(cell.ports[port])}
        seen = set(todo)
        while todo:
            bit = todo.pop()
            if bit not in place:
                continue
            cell, port, k = place[bit]
            if cell.type == "$mem_v2":
                seen.add((cell, k % cell.parameter("WIDTH")))
            for before in cell.sources(port, k):
                if before not in seen:
                    seen.add(before)
                    todo.append(before)
        return seen

    def reached_from(self, bits):
        """Cells whose outputs depend on these bits in the same cycle, and all cells that read such
        an output."""
        combinational, reading, stack = set(), set(), list(bits)
        seen = set(stack)
        while stack:
            for cell, port in self.readers.get(stack.pop(), ()):
                reading.add(cell)
                if port not in cell.before or cell in combinational:
                    continue
                combinational.add(cell)
                for output in cell.outputs:
                    for bit in cell.ports[output]:
                        if bit not in seen:
                            seen.add(bit)
                            stack.append(bit)
        return combinational, reading


class Cycle:
    """One clock cycle of a netlist: a literal per bit."""

    def __init__(self, netlist, graph, fixed):
        """fixed: bits whose values are given."""
        self.netlist, self.graph = netlist, graph
        self.values = {"0": 0, "1": 1, "x": 0, "z": 0}
        self.values.update(fixed)
        self.contents = {}
        for port in netlist.ports.values():
            if port["direction"] == "input":
                for bit in port["bits"]:
                    self.state(bit)
        # Bits without a driver may have any value.
        for cell in netlist.cells:
            for bit in {bit for port in cell.inputs for bit in cell.ports[port]}:
                if bit not in netlist.driver:
                    self.state(bit)
        for cell in netlist.cells:
            self.evaluate(cell)

    def state(self, bit):
        if bit not in self.values:
            self.values[bit] = self.graph.input()

    def word(self, bits):
        return [self.values[bit] for bit in bits]

    def extended(self, cell, port, width):
        word = self.word(cell.ports[port])
        fill = word[-1] if cell.parameter(port + "_SIGNED") else 0
        return (word + [fill] * width)[:width]

    def put(self, cell, port, word):
        bits = cell.ports[port]
        for bit, value in zip(bits, word + [0] * (len(bits) - len(word))):
            self.values[bit] = value

    def evaluate(self, cell):
        """Sets the outputs of a cell."""
        if cell.type in REGISTERS or not cell.type.startswith("$"):
            for port in cell.outputs:
                for bit in cell.ports[port]:
                    self.state(bit)
        elif cell.type == "$mem_v2":
            address, bits, data = self.word(cell.ports["RD_ADDR"]), cell.parameter("ABITS"), []
            for first in range(0, len(address), bits):
                data += self.graph.select(self.memory(cell), address[first:first + bits])
            self.put(cell, "RD_DATA", data)
        elif cell.type not in CLAIMS:
            self.put(cell, "Y", self.result(cell))

    def claims(self):
        """The assertions and assumptions, a literal each."""
        return [self.graph.either(self.values[cell.ports["EN"][0]] ^ 1, self.values[cell.ports["A"][0]])
                for cell in self.netlist.cells if cell.type in CLAIMS]

    def memory(self, cell):
        """The words of a memory, as many as its address has values; missing ones read as 0."""
        words = self.contents.get(cell)
        if words is None:
            size, width = cell.parameter("SIZE"), cell.parameter("WIDTH")
            if cell.parameter("WR_PORTS") == 0:
                bits = [int(c == "1") for c in reversed(cell.parameters["INIT"])]
                words = [bits[k * width:(k + 1) * width] for k in range(size)]
            else:
                words = [[self.graph.input() for _ in range(width)] for _ in range(size)]
            words += [[0] * width] * ((1 << cell.parameter("ABITS")) - size)
            self.contents[cell] = words
        return words

    def result(self, cell):
        """Output Y of an operator."""
        g, kind = self.graph, cell.type
        if kind in BITWISE:
            width = len(cell.ports["Y"])
            return [BITWISE[kind](g, a, b) for a, b in
                    zip(self.extended(cell, "A", width), self.extended(cell, "B", width))]
        if kind == "$not":
            return [a ^ 1 for a in self.extended(cell, "A", len(cell.ports["Y"]))]
        if kind in ("$add", "$sub", "$neg", "$mul"):
            return self.arithmetic(cell)
        if kind in ORDER or kind in ("$eq", "$ne"):
            return self.comparison(cell)
        a = self.word(cell.ports["A"])
        if kind in ("$reduce_or", "$reduce_bool"):
            return [g.any(a)]
        if kind == "$reduce_and":
            return [g.all(a)]
        if kind == "$logic_not":
            return [g.any(a) ^ 1]
        if kind in ("$logic_and", "$logic_or"):
            left, right = g.any(a), g.any(self.word(cell.ports["B"]))
            return [g.both(left, right) if kind == "$logic_and" else g.either(left, right)]
        return self.choice(cell, a)

    def arithmetic(self, cell):
        g, width = self.graph, len(cell.ports["Y"])
        a = self.extended(cell, "A", width)
        if cell.type == "$neg":
            return g.add([0] * width, [bit ^ 1 for bit in a], 1)[0]
        b = self.extended(cell, "B", width)
        if cell.type == "$mul":
            product = [0] * width
            for k, bit in enumerate(b):
                product = g.add(product, [0] * k + [g.both(bit, x) for x in a[:width - k]])[0]
            return product
        return g.add(a, [bit ^ 1 for bit in b], 1)[0] if cell.type == "$sub" else g.add(a, b)[0]

    def comparison(self, cell):
        g = self.graph
        signed = cell.parameter("A_SIGNED") and cell.parameter("B_SIGNED")
        width = max(len(cell.ports["A"]), len(cell.ports["B"]))
        a, b = self.extended(cell, "A", width), self.extended(cell, "B", width)
        if cell.type in ("$eq", "$ne"):
            return [g.equal(a, b) ^ (cell.type == "$ne")]
        swapped, inverted = ORDER[cell.type]
        return [(g.less(b, a, signed) if swapped else g.less(a, b, signed)) ^ inverted]

    def choice(self, cell, a):
        """Multiplexers and shifts."""
        g, kind = self.graph, cell.type
        if kind == "$mux":
            s = self.values[cell.ports["S"][0]]
            return [g.choose(s, y, x) for x, y in zip(a, self.word(cell.ports["B"]))]
        if kind == "$pmux":
            return self.parallel_choice(cell, a)
        width = len(cell.ports["Y"])
        if kind == "$bmux":
            s = self.word(cell.ports["S"])
            return g.select([a[k:k + width] for k in range(0, len(a), width)], s)
        if kind == "$demux":
            s = self.word(cell.ports["S"])
            return [g.both(g.is_number(s, k), bit) for k in range(1 << len(s)) for bit in a]
        amount = self.word(cell.ports["B"])
        if kind == "$shl":
            return self.shifted((a + [0] * width)[:width], amount, -1)
        if kind == "$shr":
            return self.shifted((a + [0] * width)[:max(width, len(a))], amount, 1)[:width]
        if kind == "$shiftx":
            if cell.parameter("B_SIGNED"):
                if amount[-1] != 0:
                    raise ValueError(f"netlist: {cell.name}: index may be negative")
                amount = amount[:-1]
            # An index beyond the word has an undefined result: hardware has no such bits of it.
            amount = amount[:max(1, (len(a) - 1).bit_length())]
            return self.shifted(a + [0] * max(0, width - len(a)), amount, 1)[:width]
        raise ValueError(f"netlist: no operator {kind} ({cell.name})")

    def parallel_choice(self, cell, a):
        """yosys asserts that at most one select bit is 1; if a mutant makes two, the first one
        counts, as in the tested Verilog."""
        g, width = self.graph, len(a)
        s, b = self.word(cell.ports["S"]), self.word(cell.ports["B"])
        result, earlier = [0] * width, 0
        for k, bit in enumerate(s):
            chosen = g.both(bit, earlier ^ 1)
            earlier = g.either(earlier, bit)
            result = [g.either(x, g.both(chosen, y)) for x, y in zip(result, b[k * width:(k + 1) * width])]
        return [g.either(x, g.both(earlier ^ 1, y)) for x, y in zip(result, a)]

    def shifted(self, word, amount, direction):
        """Zeros come in."""
        for k, bit in enumerate(amount):
            by = min(1 << k, len(word))
            moved = word[by:] + [0] * by if direction > 0 else [0] * by + word[:len(word) - by]
            word = [self.graph.choose(bit, y, x) for x, y in zip(word, moved)]
        return word

    def taken(self, cell):
        """The value of a register or memory after the clock edge: (name, literal) pairs."""
        if cell.type in REGISTERS:
            return [(cell.ports["Q"][k], x) for k, x in enumerate(self.next_value(cell))]
        if cell.type == "$mem_v2":
            return self.next_contents(cell)
        return self.access(cell)

    def next_value(self, cell):
        g = self.graph
        value = self.word(cell.ports["D"])
        held = self.word(cell.ports["Q"])
        enable = reset = None
        if "EN" in cell.ports:
            enable = self.values[cell.ports["EN"][0]] ^ 1 ^ cell.parameter("EN_POLARITY")
        if "SRST" in cell.ports:
            reset = self.values[cell.ports["SRST"][0]] ^ 1 ^ cell.parameter("SRST_POLARITY")
            first = [c == "1" for c in reversed(cell.parameters["SRST_VALUE"])]
        if cell.type == "$sdffce":
            value = [g.choose(reset, int(f), x) for f, x in zip(first, value)]
        if enable is not None:
            value = [g.choose(enable, x, y) for x, y in zip(value, held)]
        if reset is not None and cell.type != "$sdffce":
            value = [g.choose(reset, int(f), x) for f, x in zip(first, value)]
        return value

    def next_contents(self, cell):
        """One write port."""
        g, words, taken = self.graph, self.memory(cell), []
        if cell.parameter("WR_PORTS") == 0:
            return taken
        address, enable = self.word(cell.ports["WR_ADDR"]), self.word(cell.ports["WR_EN"])
        data = self.word(cell.ports["WR_DATA"])
        for k in range(cell.parameter("SIZE")):
            here = g.is_number(address, k)
            taken += [((cell, k, n), g.choose(g.both(here, enable[n]), data[n], words[k][n]))
                      for n in range(len(data))]
        return taken

    def access(self, cell):
        """faa_ram_1r1w: each port's bits where its enable is set."""
        g, taken = self.graph, []
        for enable, ports in (("we_i", ("waddr_i", "wdata_i")), ("re_i", ("raddr_i",))):
            active = self.values[cell.ports[enable][0]]
            taken.append(((cell.name, enable), active))
            for port in ports:
                taken += [((cell.name, port, n), g.both(active, x)) for n, x in enumerate(self.word(cell.ports[port]))]
        return taken

    def outputs(self):
        """The module's outputs; data count with their valid bit."""
        g, result = self.graph, []
        for name, port in self.netlist.ports.items():
            if port["direction"] != "output":
                continue
            valid = {"result_o": "result_valid_o", "result_user_o": "result_valid_o", "done_user_o": "done_valid_o"}.get(name)
            guard = self.values[self.netlist.ports[valid]["bits"][0]] if valid else 1
            result += [((name, n), g.both(guard, x)) for n, x in enumerate(self.word(port["bits"]))]
        return result


class Variant(Cycle):
    """The cycle of a netlist in which some bits have other values; bits that do not depend on them
    are the same."""

    def __init__(self, base, bits, stored):
        """bits: values of netlist bits; stored: values of (memory cell, word, bit)."""
        # pylint: disable=super-init-not-called
        self.netlist, self.graph = base.netlist, base.graph
        self.values = dict(base.values)
        self.values.update(bits)
        self.contents = base.contents
        memories = {cell for cell, _, _ in stored}
        if stored:
            self.contents = dict(base.contents)
            for cell in memories:
                self.contents[cell] = [list(word) for word in base.contents[cell]]
            for (cell, word, bit), value in stored.items():
                self.contents[cell][word][bit] = value
        changed = list(bits) + [bit for cell in memories for bit in cell.ports["RD_DATA"]]
        combinational, self.reading = base.netlist.reached_from(changed)
        self.reading |= memories
        # A register that holds its value differs if its old value does.
        self.reading |= {base.netlist.driver[bit] for bit in bits if base.netlist.driver[bit].type in REGISTERS}
        for cell in base.netlist.cells:
            if cell in combinational or cell in memories:
                self.evaluate(cell)


def differences(base, variant):
    """Name: (literal in base, literal in variant) of registers, memories and outputs that
    differ."""
    pairs = list(zip(base.outputs(), variant.outputs()))
    for cell in variant.reading:
        if cell.type in REGISTERS or cell.type == "$mem_v2" or not cell.type.startswith("$"):
            pairs += zip(base.taken(cell), variant.taken(cell))
    return {name: (x, y) for (name, x), (_, y) in pairs if x != y}
