#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Expected values of ATOM, for test_atom_table.c: atom_table.py OUTPUT.

Integers are Python's, floating-point numbers are exact fractions that are rounded once: nothing
here is shared with the model. The tables are those of Documentation/commands.rst (ATOM, Floating
point); the groups "svm" are SVM_ATOMIC as defined by vISA (the compared source of cmpxchg and
fcmpwr, the result of predec), with the equivalent ATOM.
"""
import random
import sys
from fractions import Fraction

OPS = {"ADD": 0, "MIN": 1, "MAX": 2, "INC": 3, "DEC": 4, "AND": 5, "OR": 6, "XOR": 7, "EXCH": 8, "CAS": 9, "CAST": 10,
       "SUB": 12, "INCU": 13, "DECU": 14, "PREDEC": 15, "FCMPWR": 16}
TYPES = {"U16": 1, "U32": 2, "U64": 3, "S16": 5, "S32": 6, "S64": 7, "F16": 8, "F32": 10, "F64": 11, "F16X2": 12,
         "BF16X2": 13}
FTZ, RELAXED = 1, 2

# --------------------------------------------------------------------------------------------------
# Integers


def signed(x, bits):
    """The two's complement value of a pattern."""
    return x - (1 << bits) if x >> (bits - 1) else x


def integer_ops(bits, is_signed):
    """name -> function (m, b, c) -> (new, returned), patterns of @bits bits."""
    mask = (1 << bits) - 1

    def value(x):
        return signed(x, bits) if is_signed else x

    return {
        "ADD": lambda m, b, c: ((m + b) & mask, m),
        "SUB": lambda m, b, c: ((m - b) & mask, m),
        "MIN": lambda m, b, c: (min(m, b, key=value), m),
        "MAX": lambda m, b, c: (max(m, b, key=value), m),
        "INC": lambda m, b, c: (0 if m >= b else m + 1, m),
        "DEC": lambda m, b, c: (b if m == 0 or m > b else m - 1, m),
        "AND": lambda m, b, c: (m & b, m),
        "OR": lambda m, b, c: (m | b, m),
        "XOR": lambda m, b, c: (m ^ b, m),
        "EXCH": lambda m, b, c: (b, m),
        "CAS": lambda m, b, c: (c if m == b else m, m),
        "CAST": lambda m, b, c: (c, 1) if m == b else (m, 0),
        "INCU": lambda m, b, c: ((m + 1) & mask, m),
        "DECU": lambda m, b, c: ((m - 1) & mask, m),
        "PREDEC": lambda m, b, c: ((m - 1) & mask, (m - 1) & mask),
    }


def integer_rows(function, name, bits, is_signed):
    """Edges with each other; returned 16-bit values are extended to 32 bits."""
    half = 1 << (bits - 1)
    edges = [0, 1, 2, 5, half - 1, half, half + 1, 2 * half - 2, 2 * half - 1, 0x5aa5 * half // 0x8000 + 3]
    rows = []
    for i, m in enumerate(edges):
        for j, b in enumerate(edges):
            c = edges[(3 * i + 7 * j + 4) % len(edges)]
            new, returned = function(m, b, c)
            if bits == 16 and is_signed and name != "CAST":
                returned = signed(returned, 16) & 0xffffffff
            rows.append((m, b, c, new, returned))
    return rows


# --------------------------------------------------------------------------------------------------
# Floating point


class Format:
    """An IEEE 754 binary format."""

    def __init__(self, bits, fraction):
        self.bits, self.fraction = bits, fraction
        self.sign = 1 << (bits - 1)
        self.infinity = self.sign - (1 << fraction)
        self.nan = self.infinity | 1 << (fraction - 1)
        self.bias = (1 << (bits - fraction - 2)) - 1

    def is_nan(self, x):
        return x & (self.sign - 1) > self.infinity

    def flush(self, x, ftz):
        return x & self.sign if ftz and x & (self.sign - 1) < 1 << self.fraction else x

    def value(self, x):
        """The finite number that a pattern represents."""
        exponent = (x & (self.sign - 1)) >> self.fraction
        significand = x & ((1 << self.fraction) - 1)
        if exponent:
            significand |= 1 << self.fraction
        else:
            exponent = 1
        number = Fraction(significand) * Fraction(2) ** (exponent - self.bias - self.fraction)
        return -number if x & self.sign else number

    def pattern(self, number):
        """The nearest pattern, ties to even; @number is not 0."""
        sign, number = (self.sign, -number) if number < 0 else (0, number)
        # From one or two below the exponent, or the minimum.
        exponent = max(1 - self.bias, number.numerator.bit_length() - number.denominator.bit_length() - 1)
        while number >= Fraction(2) ** (exponent + 1):
            exponent += 1
        count = round(number / Fraction(2) ** (exponent - self.fraction))
        # A carry out of the significand increments the exponent.
        x = count + ((exponent + self.bias - 1) << self.fraction)
        return sign | min(x, self.infinity)

    def add(self, a, b, ftz):
        if self.is_nan(a) or self.is_nan(b):
            return self.nan
        a, b = self.flush(a, ftz), self.flush(b, ftz)
        for x, y in ((a, b), (b, a)):
            if x & ~self.sign == self.infinity:
                return self.nan if y == x ^ self.sign else x
        total = self.value(a) + self.value(b)
        if total == 0:
            return a & b & self.sign if self.value(a) == 0 else 0
        return self.flush(self.pattern(total), ftz)

    def order(self, x):
        """A key that puts -0 below +0 and infinities at the ends."""
        return -(x & ~self.sign) - 1 if x & self.sign else x

    def extreme(self, a, b, ftz, choose):
        a, b = self.flush(a, ftz), self.flush(b, ftz)
        if self.is_nan(a) or self.is_nan(b):
            return self.nan if self.is_nan(a) and self.is_nan(b) else (b if self.is_nan(a) else a)
        return choose(a, b, key=self.order)

    def equal(self, a, b, ftz):
        a, b = self.flush(a, ftz), self.flush(b, ftz)
        if self.is_nan(a) or self.is_nan(b):
            return False
        return a == b or (a | b) & ~self.sign == 0

    def edges(self):
        one = self.bias << self.fraction
        positive = [0, 1, (1 << self.fraction) - 1, 1 << self.fraction, one, one + 1,
                    one - (self.fraction + 1 << self.fraction), self.infinity - 1, self.infinity, self.nan,
                    self.infinity + 1]
        return positive + [x | self.sign for x in positive]


BINARY16, BFLOAT16, BINARY32, BINARY64 = Format(16, 10), Format(16, 7), Format(32, 23), Format(64, 52)
FORMATS = {"F16": (BINARY16, 1), "F32": (BINARY32, 1), "F64": (BINARY64, 1), "F16X2": (BINARY16, 2),
           "BF16X2": (BFLOAT16, 2)}


def float_function(f, op, ftz):
    """Function (m, b, c) -> new value."""
    return {
        "ADD": lambda m, b, c: f.add(m, b, ftz),
        "MIN": lambda m, b, c: f.extreme(m, b, ftz, min),
        "MAX": lambda m, b, c: f.extreme(m, b, ftz, max),
        "FCMPWR": lambda m, b, c: c if f.equal(m, b, ftz) else m,
    }[op]


def float_rows(f, halves, op, mode):
    """Edges with each other; the second half of a pair gets them in another order."""
    function = float_function(f, op, bool(mode & FTZ))
    edges = f.edges()
    pairs = [(m, b) for m in edges for b in edges]
    other = pairs[:]
    random.Random(f"{f.bits}.{f.fraction}.{op}").shuffle(other)
    rows = []
    for i, ((m, b), (m2, b2)) in enumerate(zip(pairs, other)):
        c = edges[(5 * i + 3) % len(edges)]
        new = function(m, b, c)
        if halves == 2:
            new |= function(m2, b2, c) << 16
            m, b = m | m2 << 16, b | b2 << 16
        rows.append((m, b, c, new, m))
    return rows


# --------------------------------------------------------------------------------------------------
# SVM_ATOMIC


def svm_groups():
    """Name, ATOM's op, type, mode, rows: cmpxchg compares with src1, fcmpwr with src0."""
    plain = {"add": ("ADD", False), "sub": ("SUB", False), "inc": ("INCU", False), "dec": ("DECU", False),
             "predec": ("PREDEC", False), "min": ("MIN", False), "max": ("MAX", False), "imin": ("MIN", True),
             "imax": ("MAX", True), "xchg": ("EXCH", False), "and": ("AND", False), "or": ("OR", False),
             "xor": ("XOR", False)}
    groups = []
    for bits in (16, 32, 64):
        for name, (op, is_signed) in plain.items():
            rows = integer_rows(integer_ops(bits, is_signed)[op], op, bits, is_signed)
            groups.append((f"svm {name}.{bits}", op, f"{'S' if is_signed else 'U'}{bits}", 0, rows))
        rows = []
        for old, src1, src0, _, _ in integer_rows(lambda m, b, c: (0, 0), "CAS", bits, False):
            rows.append((old, src1, src0, src0 if old == src1 else old, old))
        groups.append((f"svm cmpxchg.{bits}", "CAS", f"U{bits}", 0, rows))
        if bits == 64:
            continue
        for name, op in (("fmin", "MIN"), ("fmax", "MAX")):
            groups.append((f"svm {name}.{bits}", op, f"F{bits}", 0, float_rows(FORMATS[f"F{bits}"][0], 1, op, 0)))
        f = FORMATS[f"F{bits}"][0]
        rows = []
        for i, old in enumerate(f.edges()):
            for src0 in f.edges():
                src1 = f.edges()[(7 * i + 1) % len(f.edges())]
                rows.append((old, src0, src1, src1 if f.equal(old, src0, False) else old, old))
        groups.append((f"svm fcmpwr.{bits}", "FCMPWR", f"F{bits}", 0, rows))
    return groups


def atom_groups():
    """The table of ATOM."""
    groups = []
    for bits in (16, 32, 64):
        for is_signed in (False, True):
            for op, function in integer_ops(bits, is_signed).items():
                if (op in ("INC", "DEC") and (is_signed or bits == 16)) or (op in ("INCU", "DECU", "PREDEC") and is_signed):
                    continue
                kind = f"{'S' if is_signed else 'U'}{bits}"
                groups.append((f"{op}.{kind}", op, kind, 0, integer_rows(function, op, bits, is_signed)))
    for kind, (f, halves) in FORMATS.items():
        for op in ("ADD", "MIN", "MAX") + (("FCMPWR",) if halves == 1 else ()):
            for mode in (0, FTZ) + ((RELAXED, FTZ | RELAXED) if op == "ADD" and kind == "F32" else ()):
                name = f"{op}.{kind}{'.FTZ' if mode & FTZ else ''}{'.RELAXED' if mode & RELAXED else ''}"
                groups.append((name, op, kind, mode, float_rows(f, halves, op, mode)))
    return groups


def main():
    groups = atom_groups() + svm_groups()
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("/* SPDX-License-Identifier: MIT */\n/* Generated by atom_table.py; do not edit. */\n")
        out.write("/* m, b, c, new value of m, what is returned */\nstatic const uint64_t atom_rows[][5] = {\n")
        for group in groups:
            for row in group[4]:
                out.write("\t{ " + ", ".join(f"0x{x:x}" for x in row) + " },\n")
        out.write("};\n\n/* name, operation, type, mode, first row, rows */\nstatic const struct atom_group atom_groups[] = {\n")
        first = 0
        for name, op, kind, mode, rows in groups:
            out.write(f'\t{{ "{name}", {OPS[op]}, {TYPES[kind]}, {mode}, {first}, {len(rows)} }},\n')
            first += len(rows)
        out.write("};\n")


if __name__ == "__main__":
    main()
