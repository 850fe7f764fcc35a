#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes random litmus tests without tables: the model decides the allowed outcomes.

Two to four threads in any CTAs, one of them on the host in a quarter of the tests, of one to four
operations each on one to three locations; all orders, scopes and operations. Written values are
different, except sums. Usage:

    random_tests.py DIRECTORY COUNT SEED
"""
import pathlib
import random
import sys

SCOPES = ("cta", "gpu", "gpu", "gpu", "sys")
# The number of executions is exponential in this.
MAX_OPERATIONS = 8


class Thread:
    """Operations of one thread, as lines of a file."""

    def __init__(self, draw, locations, host):
        self.draw, self.locations, self.host = draw, locations, host
        self.lines, self.registers = [], 0

    def scope(self):
        return "sys" if self.host else self.draw.choice(SCOPES)

    def register(self):
        self.registers += 1
        return f"r{self.registers - 1}"

    def order(self, *orders):
        order = self.draw.choice(orders)
        return order if order == "weak" else f"{order}.{self.scope()}"

    def value(self, number):
        """A number, or seldom a value that was read before."""
        if self.registers and self.draw.random() < 0.15:
            return f"r{self.draw.randrange(self.registers)}"
        return number

    def rmw(self, number):
        """Operation of an atomic access, and its values."""
        name = self.draw.choice(("add", "sub", "exch", "cas"))
        return name, f"{self.draw.randrange(3)} {number}" if name == "cas" else self.value(number)

    def add(self, number):
        kind = self.draw.choice(("ld", "ld", "ld", "st", "st", "st", "atom", "red", "fence"))
        place = self.draw.choice(self.locations)
        if kind == "ld":
            order = self.order("weak", "relaxed", "relaxed", "acquire", "acquire")
            line = f"ld {order} {self.register()} {place}"
        elif kind == "st":
            line = f"st {self.order('weak', 'relaxed', 'relaxed', 'release', 'release')} {place} {self.value(number)}"
        elif kind == "atom":
            name, values = self.rmw(number)
            order = self.order("relaxed", "acquire", "release", "acq_rel")
            line = f"atom {order} {name} {self.register()} {place} {values}"
        elif kind == "red":
            line = f"red {self.order('relaxed', 'release')} {self.draw.choice(('add', 'exch'))} {place} {self.value(number)}"
        else:
            line = f"fence {self.order('acquire', 'release', 'acq_rel', 'sc')}"
        self.lines.append(line)


def places(draw, count):
    """Location of each thread: CTAs by their first threads; at most two streams in a compute
    unit."""
    where, host = [], draw.randrange(count) if draw.random() < 0.25 else None
    for thread in range(count):
        cta = draw.randrange(thread + 1) if draw.random() < 0.4 else thread
        if thread == host:
            where.append("host")
            continue
        mate = f"cta={cta} dev=0"
        where.append(mate if where.count(mate) < 2 else f"cta={count + thread} dev=0")
    return where


def test(draw, name):
    """The lines of a test."""
    count = draw.choice((2, 2, 2, 3, 3, 4))
    locations = "xyz"[:draw.choice((1, 2, 2, 2, 3))]
    where = places(draw, count)
    threads = [Thread(draw, locations, place == "host") for place in where]
    for number in range(1, draw.randint(count, MAX_OPERATIONS) + 1):
        # Each thread has an operation.
        idle = [t for t in threads if not t.lines]
        draw.choice(idle or [t for t in threads if len(t.lines) < 4]).add(number)
    lines = ["faa-litmus 1", f"name {name}", "family random", "init " + " ".join(f"{place}=0" for place in locations)]
    for index, (place, thread) in enumerate(zip(where, threads)):
        lines += [f"thread {index} {place}"] + [f" {line}" for line in thread.lines]
    return lines + ["end"]


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.rsplit("\n\n", 1)[1].strip())
    directory, count, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    directory.mkdir(parents=True, exist_ok=True)
    for index in range(count):
        name = f"random-{seed}-{index}"
        draw = random.Random(name)
        (directory / f"{name}.lit").write_text("\n".join(test(draw, name)) + "\n")


if __name__ == "__main__":
    main()
