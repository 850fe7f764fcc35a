# SPDX-License-Identifier: MIT
"""Parts of the cases of kernels.py: numbers of all types, bindings, differences."""
import random
import struct

TYPES = {"u16": "H", "i16": "h", "f16": "e", "u32": "I", "i32": "i", "f32": "f", "u64": "Q", "i64": "q", "f64": "d",
         "r32ui": "I", "r32i": "i", "r32f": "f", "r64ui": "Q", "r64i": "q"}


def pack(code, values):
    """Little-endian items."""
    return struct.pack(f"<{len(values)}{code}", *values)


def unpack(code, data):
    """The items of a file."""
    return list(struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data))


def bits(code, value):
    """A number's bits, which distinguish -0 from 0, and NaN from other numbers."""
    data = pack(code, [value])
    return int.from_bytes(data, "little")


def rounded(code, value):
    """The nearest number of a floating-point type, infinite where it is too large."""
    try:
        return unpack(code, pack(code, [value]))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def rounded_bits(word):
    """The 32-bit number that has these bits."""
    return unpack("f", pack("I", [word]))[0]


def wrap(value, width=32):
    """As an unsigned number."""
    return value & (1 << width) - 1


def signed(value, width=32):
    """As a signed number."""
    value = wrap(value, width)
    return value - (1 << width) if value >> (width - 1) else value


def quotient(a, b):
    """Of integers, towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def words(seed, count, width=32):
    """Numbers of any bits."""
    numbers = random.Random(seed)
    return [numbers.getrandbits(width) for _ in range(count)]


def between(seed, count, low, high):
    """Whole numbers."""
    numbers = random.Random(seed)
    return [numbers.randrange(low, high + 1) for _ in range(count)]


class Binding:
    """One binding of a case and its initial contents; images have sizes."""

    def __init__(self, kind, values, size=None):
        self.line = f"{kind} " + " ".join(map(str, size or [len(values)]))
        self.code = TYPES[kind.split()[1]]
        self.values = list(values)

    def data(self):
        """Bytes of the input."""
        return pack(self.code, self.values)


class Case:
    """A kernel, its bindings, and a function of inputs and results that returns the error."""

    def __init__(self, name, groups, bindings, judge, **more):
        self.name, self.bindings, self.judge = name, bindings, judge
        self.groups = (groups, 1, 1) if isinstance(groups, int) else groups
        self.source = more.get("source", f"{name}.comp")
        self.options = more.get("options", ())
        self.targets = more.get("targets", ())
        self.push = more.get("push")
        self.optimized = more.get("optimized", True)


def differs(what, got, want):
    """None, or the first differences."""
    bad = [i for i, (one, other) in enumerate(zip(got, want)) if one != other]
    if len(got) != len(want):
        return f"{what}: {len(got)} items, not {len(want)}"
    return ", ".join(f"{what}[{i}] is {got[i]}, not {want[i]}" for i in bad[:4]) or None


def first_wrong(*answers):
    """The first result that is not None."""
    return next((answer for answer in answers if answer), None)
