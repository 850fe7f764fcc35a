# SPDX-License-Identifier: MIT
"""Cases of kernels.py for instructions of GLSL.std.450 that do not operate on each component
separately."""
import math

from kernels_data import Binding, Case, between, bits, differs, first_wrong, rounded, rounded_bits, signed, words, wrap

X = [rounded("f", x) for x in (
    0.0, -0.0, 1.5, -2.75, 1e-40, 2.0**-149, -3e38, 0.5, -0.5, 127.5 / 255, 1.0, -1.0, 0.999999, 63.5 / 127, 1e10, -0.3, math.inf, -math.inf,
    7.0, 1 / 3, 2.0**-126, 0.1, -0.9, 12345.678, 2.0**24 - 0.5, 3.999999, -1e-3, 8.0, 0.25, 100.25, -255.0, 2.0**127)]


def divided(a, b):
    """Parts of a number: fraction and whole, significand and exponent; infinities have exponent
    0."""
    return (*math.modf(a), *(math.frexp(a) if math.isfinite(a) else (a, 0)), b)


def scaled(x, exponent):
    """x times a power of two."""
    try:
        return rounded("f", math.ldexp(x, exponent))
    except OverflowError:
        return math.copysign(math.inf, x)


def norm(x, width, low):
    """A float as a number of a norm format."""
    top = (1 << width - (low < 0)) - 1
    return wrap(round(min(max(x, low), 1) * top), width)


def norms(values, width, low):
    """A word of them."""
    return sum(norm(x, width, low) << width * n for n, x in enumerate(values))


def denorm(word, width, low):
    """Floats of the parts of a word."""
    for n in range(32 // width):
        part = wrap(word >> width * n, width)
        yield bits("f", max(signed(part, width) / ((1 << width - 1) - 1), -1)) if low else bits("f", part / ((1 << width) - 1))


def split_words(x, exponent, word):
    """Results of function split of the shader."""
    fraction, whole, significand, power, _ = divided(x, 0)
    yield from (bits("f", fraction), bits("f", whole), bits("f", significand), wrap(power), bits("f", scaled(x, exponent)))
    fraction, whole, significand, power, _ = divided(x * 3, 0)
    for number in (fraction, whole, significand):
        yield from (wrap(bits("d", number)), bits("d", number) >> 32)
    yield wrap(power)
    half = rounded("e", x)
    fraction, whole, significand, power, _ = divided(half, 0)
    yield from (bits("e", fraction), bits("e", whole), bits("e", significand), wrap(power * 10 + 1))
    for width, values in ((8, (x, -x, x * 0.25, 0.5)), (16, (x, x * 0.125))):
        yield from (norms(values, width, -1), norms(values, width, 0))
    for width in (8, 16):
        yield from denorm(word, width, True)
        yield from denorm(word, width, False)


def minor(m, column, row):
    """A matrix, a list of columns, without a column and a row."""
    return [[x for r, x in enumerate(col) if r != row] for c, col in enumerate(m) if c != column]


def determinant(m):
    """Of whole numbers."""
    return m[0][0] if len(m) == 1 else sum((-1) ** r * m[0][r] * determinant(minor(m, 0, r)) for r in range(len(m)))


def inverse(m):
    """Its elements, column by column: exact cofactors, divided once."""
    whole = determinant(m)
    return [(-1) ** (c + r) * determinant(minor(m, r, c)) / whole for c in range(len(m)) for r in range(len(m))]


def matrix_numbers(n):
    """Results of function matrices of the shader, as numbers; the third is a double."""
    two, three, four = ([[n[c * size + r] + (20 if c == r else 0) for r in range(size)] for c in range(size)] for size in (2, 3, 4))
    return [determinant(m) for m in (two, three, four)], [rounded("f", x) for x in inverse(two) + inverse(three) + inverse(four)[::3]]


def dot(a, b):
    """Of vectors."""
    return sum(x * y for x, y in zip(a, b))


def unit(v):
    """A vector of length 1."""
    return [x / math.sqrt(dot(v, v)) for x in v]


def reflect(i, n):
    """As GLSL.std.450 defines it."""
    return [x - 2 * dot(n, i) * y for x, y in zip(i, n)]


def refract(i, n, eta):
    """As GLSL.std.450 defines it."""
    cosine = dot(n, i)
    k = 1 - eta * eta * (1 - cosine * cosine)
    return [0.0] * len(i) if k < 0 else [eta * x - (eta * cosine + math.sqrt(k)) * y for x, y in zip(i, n)]


def geometry(n, lane):
    """Results of function geometry of the shader."""
    incident, normal = unit([n[0], n[1], 2.5]), unit([n[2], 1.5, n[3]])
    yield from reflect(incident, normal)
    yield from refract(unit([incident[0] + 0.01, incident[1] + 0.01]), unit(normal[:2]), 0.75 + (lane & 1))
    yield from (x if dot([n[4], n[5], 0.5], incident) < 0 else -x for x in normal)
    yield from reflect([0.5], [3.0])
    yield from refract([0.5], [float(n[0])], 1.25)
    yield 2.0 if n[0] < 0 else -2.0
    yield refract([0.6, 0.8], [0.0, -1.0], 0.5)[1]
    yield abs(n[0]) + abs(n[0] - n[1])


def judge_matrices(lane, n, got):
    """Determinants are whole, inverses divided once; 0 has either sign."""
    determinants, inverses = matrix_numbers(n)
    double = got[2] | got[3] << 32
    if [rounded_bits(got[0]), rounded_bits(got[1]), double] != [*determinants[:2], bits("d", determinants[2])]:
        return f"lane {lane}: determinants {got[:4]}, not {determinants}"
    return differs(f"lane {lane}: inverses", [rounded_bits(word) for word in got[4:23]], inverses)


def judge_extended(given, got):
    """Bits of exact results; geometry within some units of the last place."""
    for i in range(32):
        n = given[1][i:] + given[1][:i]
        mine, want = got[3][64 * i:64 * i + 64], list(split_words(given[0][i], n[0], given[2][i]))
        wrong = first_wrong(differs(f"lane {i}, {given[0][i]}", mine[:len(want)], want), judge_matrices(i, n, mine[len(want):]))
        if wrong:
            return wrong
        for k, want in enumerate(geometry(n, i)):
            if not math.isclose(got[4][16 * i + k], want, rel_tol=4e-6, abs_tol=4e-6):
                return f"lane {i}: geometry {k} is {got[4][16 * i + k]}, not {want}"
    return None


EXTENDED = Case("extended", 1, {0: Binding("ssbo f32", X), 1: Binding("ssbo i32", between(21, 32, -9, 9)), 2: Binding("ssbo u32", words(22, 32)),
                                3: Binding("ssbo u32", [0] * 2048), 4: Binding("ssbo f32", [0] * 512)}, judge_extended)


def judge_forms(given, got):
    """Exact; an exponent of 2^32 must not be truncated to a small one."""
    for i, x in enumerate(given[0]):
        fraction, whole, significand, power, _ = divided(x, 0)
        far = x if x == 0 or math.isinf(x) else math.copysign(math.inf, x)
        total = fraction + whole
        want = [bits("f", v) for v in (total, whole, fraction)] + [wrap(power), bits("f", significand), wrap(power)]
        want += [bits("f", scaled(x, -3)), bits("f", far)]
        wrong = differs(f"lane {i}, {x}", got[1][8 * i:8 * i + 8], want)
        if wrong:
            return wrong
    return None


FORMS = Case("extended_forms", 1, {0: Binding("ssbo f32", X), 1: Binding("ssbo u32", [0] * 256)}, judge_forms, source="extended.spvasm",
             targets=("spv1.5",))

CASES = [EXTENDED, FORMS]
