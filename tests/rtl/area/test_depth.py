#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of how depth.py and paths.py compose the levels of modules: the members of a struct port
are independent."""

import unittest

import depth
import paths


def flip_flop(data, out):
    return {"type": "FDRE", "port_directions": {"D": "input", "Q": "output"}, "connections": {"D": [data], "Q": [out]}}


def chain(nets):
    """Look-up tables from net to net, one level each."""
    return {f"lut{a}_{b}": {"type": "LUT1", "port_directions": {"I0": "input", "O": "output"}, "connections": {"I0": [a], "O": [b]}}
            for a, b in zip(nets, nets[1:])}


def instance(unit, inputs, outputs):
    directions = dict.fromkeys(inputs, "input") | dict.fromkeys(outputs, "output")
    return {"type": unit, "port_directions": directions, "connections": {**inputs, **outputs}}


def module(inputs, outputs, cells, names=None):
    ports = {name: {"direction": "input", "bits": bits} for name, bits in inputs.items()}
    ports |= {name: {"direction": "output", "bits": bits} for name, bits in outputs.items()}
    return {"ports": ports, "cells": cells, "netnames": {name: {"hide_name": 0, "bits": bits} for name, bits in (names or {}).items()}}


# s_o is a struct of two bits: the high one is deep, three levels after a register, the low one is
# the register itself.
FIRST = module({}, {"s_o": [1, 4]}, {"f": flip_flop(9, 1), **chain([1, 2, 3, 4])}, {"first_q": [1]})
# After the shallow member there are five levels, after the deep one a register. thru_o passes both
# on, the deep one with one level more.
SECOND = module({"s_i": [1, 2]}, {"thru_o": [1, 3]},
                {**chain([1, 11, 12, 13, 14, 15]), "g": flip_flop(15, 20), "h": flip_flop(2, 21), **chain([2, 3])}, {"g_q": [20], "h_q": [21]})
TOP = module({}, {"x_o": [3, 4]},
             {"u_first": instance("first.1", {}, {"s_o": [1, 2]}), "u_second": instance("second.1", {"s_i": [1, 2]}, {"thru_o": [3, 4]})})
SUMMARIES = {"top.1": depth.summary(TOP), "first.1": depth.summary(FIRST), "second.1": depth.summary(SECOND)}


class Composition(unittest.TestCase):
    def test_members_are_apart(self):
        # As a whole, the port is 3 levels after a register and 5 before one: 8 levels that no
        # signal takes.
        levels, path, registers = paths.whole("top.1", SUMMARIES)
        self.assertEqual(levels, 5)
        self.assertEqual(path, (("/u_first", "s_o[0]"), ("/u_second", "s_i[0]")))
        self.assertEqual(registers, ("/u_first/first_q", "/u_second/g_q"))

    def test_way_through(self):
        summaries = {**SUMMARIES, "second.1": depth.summary(module({"s_i": [1, 2]}, {"thru_o": [1, 3]}, chain([2, 5, 6, 3])))}
        levels, path, registers = paths.whole("top.1", summaries)
        self.assertEqual(levels, 6)
        self.assertEqual(path, (("/u_first", "s_o[1]"), ("/u_second", "s_i[1]"), ("/u_second", "thru_o[1]"),
                                ("/", "x_o[1]")))
        self.assertEqual(registers, ("/u_first/first_q", ""))

    def test_bit_that_nobody_takes(self):
        second = depth.summary(module({"s_i": [1, 2]}, {}, {"g": flip_flop(1, 20)}, {"g_q": [20]}))
        self.assertEqual(paths.whole("top.1", {**SUMMARIES, "second.1": second})[0], 0)

    def test_inside_a_unit(self):
        inside = module({}, {"s_o": [1, 1]}, {"f": flip_flop(6, 1), "g": flip_flop(6, 7), **chain([1, 2, 3, 4, 5, 6])}, {"a_q": [1], "b_q": [7]})
        levels, path, registers = paths.whole("top.1", {**SUMMARIES, "first.1": depth.summary(inside), "second.1": depth.summary(module({"s_i": [1, 2]}, {}, {}))})
        self.assertEqual((levels, path), (5, (("/u_first", "inside"),)))
        self.assertEqual(registers, ("/u_first/a_q", "/u_first/b_q"))

    def test_loop(self):
        loop = module({}, {}, {"u_first": instance("thru.1", {"i": [1]}, {"o": [2]}), "u_second": instance("thru.1", {"i": [2]}, {"o": [1]})})
        thru = depth.summary(module({"i": [1]}, {"o": [2]}, chain([1, 2])))
        with self.assertRaisesRegex(SystemExit, "loop through /u_"):
            paths.whole("top.1", {"top.1": depth.summary(loop), "thru.1": thru})

    def test_loop_of_other_members(self):
        # Each instance's member returns through the other member of the other instance: no loop.
        ring = module({}, {"x_o": [2]}, {"u_first": instance("thru.1", {"i": [9, 1]}, {"o": [2, 3]}), "f": flip_flop(3, 9),
                                          "u_second": instance("thru.1", {"i": [2, 2]}, {"o": [1, 4]})})
        thru = depth.summary(module({"i": [1, 2]}, {"o": [3, 4]}, {**chain([1, 3]), **chain([2, 4])}))
        self.assertEqual(paths.whole("top.1", {"top.1": depth.summary(ring), "thru.1": thru})[0], 3)


class Paths(unittest.TestCase):
    """Two paths through FIRST and SECOND: 5 levels from the low bit, 3 from the high one."""

    LOW = 5, (("/u_first", "s_o[0]"), ("/u_second", "s_i[0]")), ("/u_first/first_q", "/u_second/g_q")
    HIGH = 3, (("/u_first", "s_o[1]"), ("/u_second", "s_i[1]")), ("/u_first/first_q", "/u_second/h_q")
    # The high bit, and one level more
    OUT = 4, (("/u_first", "s_o[1]"), ("/u_second", "s_i[1]"), ("/u_second", "thru_o[1]"),
              ("/", "x_o[1]")), ("/u_first/first_q", "/ x_o[1]")

    def test_more_than(self):
        for more_than, expected in (5, []), (4, [self.LOW]), (3, [self.LOW, self.OUT]):
            self.assertEqual(paths.paths("top.1", SUMMARIES, more_than), expected)
        self.assertEqual(paths.paths("top.1", SUMMARIES, 2), [self.LOW, self.OUT, self.HIGH])

    def test_bits_of_one_signal(self):
        # Both bits of b_q are reached from c_q and from the unit before; each pair is there once.
        first = depth.summary(module({}, {"o": [1]}, {"f": flip_flop(9, 1)}, {"a_q": [1]}))
        cells = {"f": flip_flop(9, 2), "g": flip_flop(13, 20), "h": flip_flop(14, 21),
                 **chain([1, 12, 13, 14]), **chain([2, 12])}
        cells["lut1_12"]["connections"]["I1"] = [2]
        del cells["lut2_12"]
        cells["lut1_12"]["port_directions"]["I1"] = "input"
        second = depth.summary(module({"i": [1]}, {}, cells, {"b_q": [20, 21], "c_q": [2]}))
        top = module({}, {}, {"u_first": instance("first.1", {}, {"o": [1]}),
                              "u_second": instance("second.1", {"i": [1]}, {})})
        found = paths.paths("top.1", {"top.1": depth.summary(top), "first.1": first,
                                      "second.1": second}, 1)
        self.assertEqual(found, [
            (3, (("/u_second", "inside"),), ("/u_second/c_q", "/u_second/b_q[1]")),
            (3, (("/u_first", "o[0]"), ("/u_second", "i[0]")),
             ("/u_first/a_q", "/u_second/b_q[1]"))])

    def test_all_beginnings(self):
        # Two registers before one: the shallower is found, too.
        first = depth.summary(module({}, {"o": [2, 5]}, {
            "f": flip_flop(9, 1), **chain([1, 2]), "g": flip_flop(9, 5)}, {"a_q": [1], "d_q": [5]}))
        either = {"type": "LUT2", "port_directions": {"I0": "input", "I1": "input", "O": "output"},
                  "connections": {"I0": [1], "I1": [2], "O": [3]}}
        second = depth.summary(module({"i": [1, 2]}, {}, {"m": either, "h": flip_flop(3, 4)},
                                      {"b_q": [4]}))
        top = module({}, {}, {"u_first": instance("first.1", {}, {"o": [1, 2]}),
                              "u_second": instance("second.1", {"i": [1, 2]}, {})})
        found = paths.paths("top.1", {"top.1": depth.summary(top), "first.1": first,
                                      "second.1": second}, 0)
        self.assertEqual([(levels, ends) for levels, _, ends in found],
                         [(2, ("/u_first/a_q", "/u_second/b_q")),
                          (1, ("/u_first/d_q", "/u_second/b_q"))])


class Ways(unittest.TestCase):
    def test_crossbar(self):
        # Two inputs that every output takes through one net: the net is kept if that makes the
        # graph smaller.
        cells = {f"m{n}": {"type": "LUT2", "port_directions": {"I0": "input", "I1": "input", "O": "output"},
                              "connections": {"I0": [1 + n], "I1": [1 + n], "O": [50]}} for n in range(4)}
        cells |= {f"o{n}": {"type": "LUT1", "port_directions": {"I0": "input", "O": "output"}, "connections": {"I0": [50], "O": [60 + n]}} for n in range(4)}
        found = depth.summary(module({"i": [1, 2, 3, 4]}, {"o": [60, 61, 62, 63]}, cells))["through"]
        self.assertEqual(len(found), 8)
        self.assertEqual(sorted(map(str, found)), sorted([str([f"i[{n}]", 0, 1]) for n in range(4)] + [str([0, f"o[{n}]", 1]) for n in range(4)]))

    def test_longest_of_two(self):
        found = depth.summary(module({"i": [1]}, {"o": [9]}, {
            **chain([1, 2, 3]), "m": {"type": "LUT2", "port_directions": {"I0": "input", "I1": "input", "O": "output"},
                                      "connections": {"I0": [1], "I1": [3], "O": [9]}}}))["through"]
        self.assertEqual(found, [["i[0]", "o[0]", 3]])

    def test_packed(self):
        wide = {"ins": {"a[0]": 1, "a[1]": 1, "a[2]": 2, "b[0]": 1}, "outs": {"o[5]": 3},
                "through": [[f"a[{n}]", f"o[{n}]", 1] for n in range(12)] + [["b[0]", f"o[{n}]", 2] for n in range(12)] +
                           [[f"a[{n}]", 7, 1] for n in range(3)] + [["a[0]", "o[3]", 5], ["a[1]", "o[2]", 5]]}
        short = depth.packed(wide)
        self.assertEqual(short["ins"], {"a[0:1]": 1, "a[2:2]": 2, "b[0:0]": 1})
        self.assertIn(["a[0:11]", "o[0:11]", 1], short["through"])
        self.assertIn(["b[0:0]", "o[0:11]", 2], short["through"])
        long = depth.unpacked(short)
        self.assertEqual({kind: long[kind] for kind in ("ins", "outs")}, {kind: wide[kind] for kind in ("ins", "outs")})
        self.assertEqual(sorted(map(str, long["through"])), sorted(map(str, wide["through"])))


if __name__ == "__main__":
    unittest.main()
