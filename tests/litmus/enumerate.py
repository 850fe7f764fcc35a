#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of litmus tests, calculated a second time, from the text of the PTX ISA's memory
consistency model.

It shares nothing with faa-litmus, which has its own parser and the paper's form of the axioms. Each
candidate execution (the write that every read reads from, the order of FENCE.SC, a coherence order
of each location) is checked with the axioms as the ISA words them, with program order in base
causality order; the outcomes of those that pass are the table.

    enumerate.py FILE...    compare tables and verdicts of files; a file without a table is an error
"""
import itertools
import pathlib
import re
import sys

ACQUIRES = {"acquire", "acq_rel", "sc"}
RELEASES = {"release", "acq_rel", "sc"}


class Wrong(Exception):
    """A file that cannot be read, or whose table differs."""


class Event:
    """A read, a write or a fence; an atomic operation is a read and a write."""

    def __init__(self, kind, thread, location=None, order="weak", scope=None):
        self.kind, self.thread, self.location, self.order, self.scope = kind, thread, location, order, scope
        self.strong = order != "weak"
        self.register = None  # set by a read
        self.reduction = False
        self.value = None  # of a write: number or register; with an operation, its operand
        self.operation = None
        self.partner = None  # the other half of an atomic operation


class Test:
    """One file."""

    def __init__(self, path):
        self.path, self.initial, self.threads, self.events = path, {}, [], []
        self.question = self.verdict = self.columns = self.rows = None
        self.places = []  # (device, CTA) of each thread
        left = 0
        for number, line in enumerate(path.read_text().splitlines(), 1):
            try:
                left = self.line(line, left)
            except (ValueError, IndexError, KeyError):
                raise Wrong(f"{path}:{number}: cannot read '{line}'") from None

    def line(self, line, left):
        word, *rest = line.split()
        if left:
            self.rows.append(tuple(int(value) for value in line.split()))
            return left - 1
        if line[0] == " ":
            self.instruction(word, rest)
        elif word == "init":
            self.initial = {name: int(value) for name, value in (pair.split("=") for pair in rest)}
        elif word == "thread":
            where = dict(pair.split("=") for pair in rest[1:] if pair != "host")
            # A host thread is a CTA and a device of its own.
            self.places.append((where["dev"], where["cta"]) if where else ("host", rest[0]))
        elif word == "ask":
            self.question = line[4:]
        elif word == "verdict":
            self.verdict = rest[0]
        elif word == "columns":
            self.columns = rest
        elif word == "outcomes":
            self.rows = []
            return int(rest[0])
        elif word not in ("faa-litmus", "name", "family", "note", "source", "end"):
            raise ValueError
        return 0

    def add(self, kind, location=None, order="weak", scope=None):
        event = Event(kind, len(self.places) - 1, location, order, scope)
        if location is not None and location not in self.initial:
            raise ValueError
        self.events.append(event)
        return event

    def instruction(self, word, rest):
        order, _, scope = rest[0].partition(".")
        if word == "fence":
            self.add("F", None, order, scope)
        elif word == "ld":
            self.add("R", rest[2], order, scope).register = rest[1]
        elif word == "st":
            self.add("W", rest[1], order, scope).value = rest[2]
        else:
            register = rest.pop(2) if word == "atom" else None
            read, write = self.add("R", rest[2], order, scope), self.add("W", rest[2], order, scope)
            read.register, read.reduction, read.partner = register, word == "red", write
            write.operation, write.value, write.partner = rest[1], rest[3:], read


def closure(rows):
    """Transitive closure; row i has the bits of the events that i precedes."""
    rows = list(rows)
    for middle, reach in enumerate(rows):
        for index, row in enumerate(rows):
            if row >> middle & 1:
                rows[index] |= reach
    return rows


def cyclic(rows):
    return any(row >> index & 1 for index, row in enumerate(closure(rows)))


class Executions:
    """All candidate executions of a test."""

    def __init__(self, test):
        self.test = test
        starts = [Event("W", None, place) for place in test.initial]
        for start in starts:
            start.value = str(test.initial[start.location])
        self.events = starts + test.events
        self.count, self.first = len(self.events), len(starts)
        every = range(self.count)
        self.reads = [i for i in every if self.events[i].kind == "R"]
        self.fences = [i for i in every if self.events[i].order == "sc" and self.events[i].kind == "F"]
        self.half = {i: self.events.index(self.events[i].partner) for i in every if self.events[i].partner}
        self.order = [[self.in_program_order(i, j) for j in every] for i in every]
        self.strong = [[self.morally_strong(i, j) for j in every] for i in every]
        self.same = [[self.events[i].location is not None and self.events[i].location == self.events[j].location
                      for j in every] for i in every]
        self.releasing = [(i, j) for i in every for j in every if self.release_pattern(i, j)]
        self.acquiring = [(i, j) for i in every for j in every if self.acquire_pattern(i, j)]

    def in_program_order(self, i, j):
        return i < j and self.events[i].thread is not None and self.events[i].thread == self.events[j].thread

    def includes(self, a, b):
        """Does the scope of a include the thread of b?"""
        (device, cta), (other, place) = self.test.places[a.thread], self.test.places[b.thread]
        return a.scope == "sys" or device == other and (a.scope == "gpu" or cta == place)

    def morally_strong(self, i, j):
        a, b = self.events[i], self.events[j]
        if i == j or a.thread is None or b.thread is None:
            return False
        if a.location is not None and b.location is not None and a.location != b.location:
            return False
        if a.thread == b.thread:
            return True
        return a.strong and b.strong and self.includes(a, b) and self.includes(b, a)

    def release_pattern(self, i, j):
        """From i to j: a release, a release and a later strong write of its location, or a fence
        and a later strong write."""
        a, b = self.events[i], self.events[j]
        if a.order not in RELEASES or b.kind != "W":
            return False
        if a.kind == "W":
            return i == j or b.strong and self.order[i][j] and a.location == b.location
        return a.kind == "F" and b.strong and self.order[i][j]

    def acquire_pattern(self, i, j):
        """From i to j: an acquire, a strong read and a later acquire of its location, or a strong
        read and a later fence."""
        a, b = self.events[i], self.events[j]
        if a.kind != "R" or not a.strong or a.reduction or b.order not in ACQUIRES:
            return False
        if b.kind == "R":
            return i == j or not b.reduction and self.order[i][j] and a.location == b.location
        return b.kind == "F" and self.order[i][j]

    def outcomes(self):
        found = set()
        choices = [[i for i, event in enumerate(self.events)
                    if event.kind == "W" and event.location == self.events[read].location and i != self.half.get(read)]
                   for read in self.reads]
        for chosen in itertools.product(*choices):
            source = dict(zip(self.reads, chosen))
            values = Values(self, source)
            if values.self_made or any(values.of[write] is None for write in chosen):
                continue
            registers = {f"{e.thread}:{e.register}": values.of[i] for i, e in enumerate(self.events) if e.register}
            for finals in self.finals(source, values):
                found.add(tuple(finals[name] if name in finals else registers[name] for name in self.test.columns))
        return found

    def finals(self, source, values):
        """Final memory of each execution that reads from source and is allowed."""
        done = [i for i, event in enumerate(self.events) if event.kind != "W" or values.of[i] is not None]
        observed = self.observation(source, done)
        synchronizes = [[False] * self.count for _ in range(self.count)]
        for (i, write), (read, j) in itertools.product(self.releasing, self.acquiring):
            if write in done and observed[write] >> read & 1 and self.strong[i][j]:
                synchronizes[i][j] = True
        for order in self.fence_orders():
            base = [sum(1 << j for j in done if self.order[i][j] or synchronizes[i][j] or (i, j) in order)
                    if i in done else 0 for i in range(self.count)]
            base = closure(base)
            cause = [row | self.through(observed[i], base) for i, row in enumerate(base)]
            if any(cause[j] >> i & 1 for i, j in order):
                continue
            if any(cause[read] >> write & 1 for read, write in source.items()):
                continue
            sets = [self.location_finals(place, source, values, done, cause) for place in self.test.initial]
            for choice in itertools.product(*sets):
                yield dict(zip(self.test.initial, choice))

    def through(self, reads, base):
        row = 0
        for read in self.reads:
            if reads >> read & 1:
                row |= base[read]
        return row

    def observation(self, source, done):
        """Each write with the reads that it precedes in observation order, through atomic
        operations."""
        rows = [0] * self.count
        for read, write in source.items():
            if not self.strong[write][read]:
                continue
            while True:
                rows[write] |= 1 << read
                before = self.half.get(write)
                if before is None or not self.strong[source[before]][before]:
                    break
                # The write belongs to an atomic operation, whose own source precedes the read as
                # well.
                write = source[before]
        assert all(not row or i in done for i, row in enumerate(rows))
        return rows

    def fence_orders(self):
        """Sets of pairs of morally strong FENCE.SC; orders that differ only in other pairs are
        equal."""
        return {frozenset((a, b) for a, b in itertools.combinations(order, 2) if self.strong[a][b])
                for order in itertools.permutations(self.fences)}

    def location_finals(self, place, source, values, done, cause):
        """Values that a location may have in the end, over its coherence orders that the axioms
        allow."""
        writes = [i for i in done if self.events[i].kind == "W" and self.events[i].location == place]
        start, others = writes[0], writes[1:]
        reads = [i for i in self.reads if self.events[i].location == place]
        seen, finals = set(), set()
        for order in itertools.permutations(others):
            pairs = list(itertools.combinations(order, 2))
            if any(cause[late] >> early & 1 for early, late in pairs) or any(cause[i] >> i & 1 for i in others):
                continue
            rows = [0] * self.count
            rows[start] = sum(1 << i for i in others)
            for early, late in pairs:
                # Writes that race remain unordered.
                if self.strong[early][late] or cause[early] >> late & 1:
                    rows[early] |= 1 << late
            coherence = tuple(closure(rows))
            if coherence in seen:
                continue
            seen.add(coherence)
            if self.allowed(coherence, reads, writes, source, cause):
                finals.update(values.of[i] for i in writes if not coherence[i])
        return finals

    def allowed(self, coherence, reads, writes, source, cause):
        """Causality, Atomicity and SC-per-Location, of one location."""
        for read in reads:
            missed = coherence[source[read]]
            if any(missed >> write & 1 and cause[write] >> read & 1 for write in writes):
                return False
            own = self.half.get(read)
            if own in writes and any(missed >> w & 1 and self.strong[read][w] and coherence[w] >> own & 1 for w in writes):
                return False
        edges = [0] * self.count
        here = reads + writes
        for i, j in itertools.permutations(here, 2):
            communicates = (coherence[i] >> j & 1 or source.get(j) == i
                            or i in source and coherence[source[i]] >> j & 1)
            if self.order[i][j] or self.strong[i][j] and communicates:
                edges[i] |= 1 << j
        return not cyclic(edges)


class Values:
    """The values of reads and writes; None is a compare-exchange that fails and writes nothing."""

    def __init__(self, executions, source):
        self.executions, self.source = executions, source
        self.of, self.self_made, self.open = {}, False, set()
        for index, event in enumerate(executions.events):
            if event.kind != "F":
                self.find(index)

    def find(self, index):
        if index in self.of:
            return self.of[index]
        if index in self.open:
            # A value that depends on itself is out of thin air.
            self.self_made = True
            return 0
        self.open.add(index)
        event = self.executions.events[index]
        if event.kind == "R":
            value = self.find(self.source[index])
        elif event.operation is None:
            value = self.operand(index, event.value)
        else:
            value = self.operate(index, event)
        self.open.discard(index)
        self.of[index] = value
        return value

    def operand(self, index, text):
        if not text.startswith("r"):
            return int(text)
        thread = self.executions.events[index].thread
        reads = [i for i in range(index) if self.executions.events[i].register == text
                 and self.executions.events[i].thread == thread]
        return self.find(reads[-1])

    def operate(self, index, event):
        # Values derived from a write that does not occur are harmless: its execution is discarded.
        old = self.find(self.executions.half[index]) or 0
        numbers = [self.operand(index, text) or 0 for text in event.value]
        if event.operation == "cas":
            return numbers[1] if old == numbers[0] else None
        return {"add": old + numbers[0], "sub": old - numbers[0], "exch": numbers[0]}[event.operation]


def holds(question, row):
    """Whether a row, given by its columns' names, meets the file's question."""
    def compare(match):
        name, sign, value = match.groups()
        return str((row[name] == int(value)) == (sign == "="))

    text = re.sub(r"([\w:]+)\s*(!?=)\s*(\d+)", compare, question)
    text = text.replace("&", " and ").replace("|", " or ").replace("!", " not ")
    if not re.fullmatch(r"(True|False|and|or|not|[\s()])+", text):
        raise Wrong(f"cannot read the question '{question}'")
    return eval(text, {"__builtins__": {}})  # only words matched by the line above


def compare(path):
    test = Test(path)
    if test.columns is None or test.rows is None:
        raise Wrong(f"{path}: no table")
    outcomes = Executions(test).outcomes()

    def words(row):
        return " ".join(f"{name}={value}" for name, value in zip(test.columns, row))

    differences = [f"{path}: not in the table: {words(row)}" for row in sorted(outcomes - set(test.rows))]
    differences += [f"{path}: only in the table: {words(row)}" for row in sorted(set(test.rows) - outcomes)]
    if differences:
        raise Wrong("\n".join(differences))
    if test.question is not None:
        seen = any(holds(test.question, dict(zip(test.columns, row))) for row in outcomes)
        if seen != (test.verdict == "allowed"):
            raise Wrong(f"{path}: what is asked about is {'allowed' if seen else 'forbidden'}")


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__.rsplit("\n\n", 1)[1].rstrip())
    wrong = 0
    for name in sys.argv[1:]:
        try:
            compare(pathlib.Path(name))
        except (OSError, Wrong) as error:
            print(error)
            wrong += 1
    print(f"{len(sys.argv) - 1 - wrong} of {len(sys.argv) - 1} files have the table of the enumeration")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
