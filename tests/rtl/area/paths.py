# SPDX-License-Identifier: MIT
"""Paths of a build through the units that it was synthesised as, from their summaries (depth.py).

A unit is known at its border alone: bit by bit, the levels from its registers to its outputs, from
its inputs to its registers and from inputs to outputs. Here the units are put together.
"""

import heapq
import itertools
from collections import defaultdict

import depth


class Borders:
    """The bits at the borders of all units of a build, and the levels between them. A node is such
    a bit, (instance, bit of a port), or a net between two of them, whose port is a number. Ports
    of the top count as registers."""

    def __init__(self, top, summaries):
        self.begins, self.ends = {}, {}      # node: levels from, and to, a register
        self.before = defaultdict(list)      # node: [(node before it, levels)]
        self.registers = {}                  # (node, outs or ins): the register there
        self.inside = []                     # (levels, instance, first register, last register)
        todo, number = [("", top)], itertools.count()
        while todo:
            path, unit = todo.pop()
            data = summaries[unit]
            self.add(path, data, f"/{next(number)}")
            todo += [(path + "/" + cell, child) for cell, child in data["children"].items()]
        self.best = {}   # node: (levels after a register, the node before it); sources first
        for node in {*self.ends, *self.before, *self.begins}:
            self.longest(node)

    def add(self, path, data, here):
        """Adds a unit; @here is the prefix of its inner nodes."""
        names = data.get("names") or {"inside": ("", ""), "outs": {}, "ins": {}}
        deepest = [(data["depth"], *names["inside"])]
        for levels, *ends in data.get("ends") or deepest:
            self.inside.append((levels, path or "/", *(f"{path}/{name}" for name in ends)))

        def node(name):
            if isinstance(name, int):
                return here, str(name)
            cell, _, port = name.rpartition("|")
            return (path + "/" + cell if cell else path, port)

        self.begins |= {node(name): levels for name, levels in data["outs"].items()}
        self.ends |= {node(name): levels for name, levels in data["ins"].items()}
        self.registers |= {(node(name), side): f"{path}/{register}"
                           for side in ("outs", "ins") for name, register in names[side].items()}
        for source, sink, levels in data["through"]:
            self.before[node(sink)].append((node(source), levels))

    def longest(self, first):
        """Fills best for a node and all before it."""
        stack, open_ = [first], set()
        while stack:
            now = stack[-1]
            missing = [source for source, _ in self.before.get(now, ()) if source not in self.best]
            if now not in self.best and missing:
                open_.add(now)
                if not open_.isdisjoint(missing):
                    raise SystemExit(f"area: a combinational loop through {' '.join(now)}")
                stack += missing
                continue
            stack.pop()
            open_.discard(now)
            ways = [(self.best[source][0] + levels, source)
                    for source, levels in self.before.get(now, ())]
            self.best.setdefault(now, max([(self.begins.get(now, 0), ("", "")), *ways]))

    def last(self):
        """The nodes that paths end at, with their levels. No path ends at a bit without a
        reader."""
        return [(self.best[node][0] + self.ends.get(node, 0), node) for node in self.best
                if node in self.ends or not node[0]]

    def to(self, nodes, more_than):
        """The deepest ways of more than @more_than levels from each register to one of these
        nodes, which are of one register: [(levels, nodes)]."""
        place = {node: index for index, node in enumerate(self.best)}
        after = {node: (self.ends.get(node, 0), None) for node in nodes}
        heap, found = [(-place[node], node) for node in nodes], {}
        heapq.heapify(heap)
        while heap:
            node = heapq.heappop(heap)[1]
            levels = after[node][0]
            if node in self.begins or node not in self.before:
                register = depth.signal(self.register(node, "outs"))
                way = (levels + self.begins.get(node, 0), node)
                found[register] = max(way, found.get(register, way))
            for source, more in self.before.get(node, ()):
                if self.best[source][0] + more + levels > more_than:
                    if source not in after:
                        heapq.heappush(heap, (-place[source], source))
                    after[source] = max((levels + more, node), after.get(source, (0, node)))
        return [(levels, self.follow(node, after)) for levels, node in found.values()
                if levels > more_than]

    @staticmethod
    def follow(node, after):
        """The nodes from one on, by the table of those after them."""
        found = []
        while node:
            found.append(node)
            node = after[node][1]
        return found

    def register(self, node, side):
        """Name of the register at a node, else that of the bit of the port."""
        return self.registers.get((node, side)) or f"{node[0] or '/'} {node[1]}"


def steps(nodes):
    """The bits of ports on a path, without the nets between them."""
    return tuple((instance or "/", port) for instance, port in nodes if not port.isdigit())


def whole(top, summaries):
    """Depth of a build, the path as (instance, bit of a port) or (instance, "inside"), and the
    registers at both ends of it with their instances, which are empty where the summaries have no
    names."""
    borders = Borders(top, summaries)
    levels, node = max(borders.last(), default=(0, ("", "")))
    inner, instance, *ends = max(borders.inside)
    if levels <= inner:
        return inner, ((instance, "inside"),), tuple(ends)
    path, last = [], borders.registers.get((node, "ins"), "")
    while node[1]:
        path.append(node)
        node = borders.best[node][1]
    first = borders.registers.get((path[-1], "outs"), "")
    return levels, steps(path[::-1]), (first, last)


def paths(top, summaries, more_than):
    """The different paths of a build with more than @more_than levels, deepest first: (levels,
    steps as of whole(), registers at the ends). For all bits of a signal, and all instances that
    differ by an index, there is one path; a port stands for a register that has no name. Of the
    paths inside a unit, there is the deepest to each register."""
    borders = Borders(top, summaries)
    targets = defaultdict(list)   # signal: nodes
    for levels, node in borders.last():
        if levels > more_than:
            targets[depth.signal(borders.register(node, "ins"))].append(node)
    found = [(levels, ((instance, "inside"),), tuple(ends))
             for levels, instance, *ends in borders.inside if levels > more_than]
    for nodes in targets.values():
        for levels, way in borders.to(nodes, more_than):
            ends = borders.register(way[0], "outs"), borders.register(way[-1], "ins")
            found.append((levels, steps(way), ends))
    different = {}
    for path in sorted(found, reverse=True):
        different.setdefault(tuple(map(depth.signal, path[2])), path)
    return list(different.values())
