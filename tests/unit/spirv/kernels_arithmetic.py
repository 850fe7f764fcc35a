# SPDX-License-Identifier: MIT
"""Cases of kernels.py about arithmetic, control flow and warps."""
import math

from kernels_data import Binding, Case, between, bits, differs, first_wrong, quotient, rounded, rounded_bits, signed, words, wrap

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, 2.0**-14, -(2.0**-24), 1000.25, -65504.0, 7.0, 1 / 3, float("inf"), float("-inf"), float("nan")]


def pick(x, history):
    """pick() of the shader: result and history."""
    case = x & 7
    if case == 0:
        return 10, history
    if case in (1, 2, 5):
        history += 3 if case == 1 else 2
        return wrap(history + x), history
    if case == 7:
        history = wrap(history * 3)
        if x > 100:
            return history, history
    history ^= 0x80
    return wrap(history + x), history


def inner(total, start, turn):
    """The loop in the middle of nest(): total, and whether the function returns it."""
    j = start
    while True:
        total += turn * j + 1
        if total % 7 == 3:
            j += 2
            continue
        j += 1
        if j > 5:
            return total, False
        for k in (3, 2, 1):
            total += k
            if total & 15 == 9:
                return total + 1000, True
            if total & 3 == 1:
                break


def nest(x):
    """nest() of the shader."""
    total = 0
    for turn in range(6):
        if turn == x % 5:
            continue
        total, left = inner(total, x & 3, turn)
        if left:
            return total
        total ^= 5
        while total & 4 and total > 40:
            total ^= 5
        if total > 300:
            break
    return total


def judge_flow(given, got):
    """Each lane on its own."""
    results = []
    for i, value in enumerate(given[0]):
        one, history = pick(value, i)
        a, b = 1, value
        for n in range(value % 12, 0, -1):
            a, b = wrap(b + (n if n & 3 == 2 else 0)), a
        results += [one, wrap(history + nest(value)), wrap(a * 3 + b)]
    return first_wrong(differs("results", got[2], results), differs("sums", got[1], [wrap(sum(given[0]))] * 4))


FLOW = Case("flow", 3, {0: Binding("ssbo u32", [x >> x % 30 for x in words(11, 192)]), 1: Binding("ssbo u32", [0] * 4),
                        2: Binding("ssbo u32", [0] * 576)}, judge_flow, targets=("vulkan1.2", "vulkan1.0"))


def field(x, y, extend):
    """bitfieldExtract() at the position given by y."""
    offset, count = y & 15, y >> 4 & 15
    value = x >> offset & (1 << count) - 1
    return wrap(signed(value, count)) if extend and count else value


def insert(x, y):
    """bitfieldInsert() of y at the position given by y."""
    mask = (1 << (y >> 4 & 15)) - 1 << (y & 15)
    return x & ~mask | y << (y & 15) & mask


def highest(x):
    """findMSB() of an unsigned number."""
    return x.bit_length() - 1


def vectors(x, y):
    """Results of the operations on vectors."""
    v = [x, y, x ^ y, 7]
    w = [v[3], v[2], v[1], v[0]]
    less = [a < b for a, b in zip(v, w)]
    flags = any(less) | all(less) << 1 | (not any(less)) << 2 | (less[0] and not less[1] or less[2]) << 3
    yield flags | (less[0] != less[3]) << 4 | (less[0] == less[1]) << 5
    v = [wrap((b if which else a) * 3 + c) for a, b, which, c in zip(v, w, less, (w[1], w[0], w[3], w[2]))]
    v[y & 3] = 9
    yield v[x & 3] + v[0]
    yield int(rounded("f", x & 0xffffff)) + int(rounded("f", signed(x) >> 9))
    yield sum((a & 255) * (b & 255) for a, b in zip(v, w))


def integers(x, y):
    """put() of the shader, in its order."""
    s, t = signed(x), signed(y)
    shift = y & 31
    yield from (x + y, x - y, x * y, x // (y | 1), x % (y | 1), quotient(s, signed(y | 1)), (s & 0xffff) % ((t & 0xff) + 1), -s, ~x, x & y, x | y, x ^ y)
    yield from (x << shift, x >> shift, s >> shift)
    yield (x == y) | (x != y) << 1 | (x < y) << 2 | (x <= y) << 3 | (x > y) << 4 | (x >= y) << 5
    yield (s < t) | (s <= t) << 1 | (s > t) << 2 | (s >= t) << 3
    yield from (x + y, x + y >> 32, x - y, x < y, x * y >> 32 ^ wrap(x * y), (s * t >> 32) + s * t)
    yield from (field(x, y, False), field(x, y, True), insert(x, y), int(f"{x:032b}"[::-1], 2), bin(x).count("1"))
    yield from (highest(x & -x), highest(x), highest(x ^ 0xffffffff if s < 0 else x), abs(s), (s > 0) - (s < 0))
    yield from (x ^ y, min(s, t) - max(s, t) * 3, min(max(x, 1000), 3000000000) + min(max(s, -1000), 1000))
    yield from vectors(x, y)


def judge_integers(given, got):
    """Each lane on its own."""
    want = []
    for x, y in zip(given[0], given[1]):
        one = [wrap(int(value)) for value in integers(x, y)]
        want += one + [0] * (40 - len(one))
    return differs("results", got[2], want)


INTEGERS = Case("integers", 2, {
    0: Binding("ssbo u32", [0, 1, 0xffffffff, 0x80000000, 0x7fffffff] + words(12, 123)),
    1: Binding("ssbo u32", [0, 0xffffffff, 0xffffffff, 0xffffffff, 0x80000000] + words(13, 123)), 2: Binding("ssbo u32", [0] * 40 * 128)},
    judge_integers)


def divide(x, y):
    """IEEE's division."""
    if math.isnan(x) or math.isnan(y) or y == 0 and x == 0 or math.isinf(x) and math.isinf(y):
        return math.nan
    if y == 0:
        return math.copysign(math.inf, x) * math.copysign(1, y)
    return x / y


def exact(code, x, y):
    """x * y + 0.5, rounded once; None if Python cannot calculate it."""
    if not all(map(math.isfinite, (x, y))):
        return x * y + 0.5
    (a, b), (c, d) = x.as_integer_ratio(), y.as_integer_ratio()
    return rounded(code, (2 * a * c + b * d) / (2 * b * d))


def whole(function, x):
    """A rounding function to integers, which passes infinities and NaN."""
    return math.copysign(float(function(x)), x) if math.isfinite(x) else x


def numbers(code, x, y):
    """put() of the shader, in its order; None: the shader's result is undefined."""
    defined = not (math.isnan(x) or math.isnan(y))
    yield from (x + y, x - y, x * y, divide(x, y), -x, abs(x))
    yield from (min(x, y), max(x, y), min(max(x, -2.0), 3.0)) if defined else (None, None, None)
    yield from (whole(math.floor, x), whole(math.ceil, x), whole(math.trunc, x), whole(round, x), math.sqrt(abs(x)), exact(code, x, y))
    yield None if math.isnan(x) else math.copysign(1, x) if x else x
    yield float(math.trunc(x)) if abs(x) < 2**31 else None
    yield float(x >= y) if defined else None
    yield (y if x < y else x)
    yield rounded(code, rounded("f", x)) + y if math.isfinite(x + y) else None


def flags(x, y):
    """Comparisons, of which only != is true of NaN."""
    return (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | math.isnan(x) << 6 | math.isinf(x) << 7


def same(code, got, want):
    """Whether a number is the wanted one; zeros have no sign here, NaN no bits."""
    if want is None or math.isnan(want):
        return want is None or math.isnan(got)
    return got == rounded(code, want)


def float_case(kind, code, name):
    """Numbers of one width, combined with each other."""
    a = [rounded(code, x) for x in SPECIAL for _ in SPECIAL]
    b = [rounded(code, y) for _ in SPECIAL for y in SPECIAL]

    def judge(_, got):
        for i, (x, y) in enumerate(zip(a, b)):
            for k, want in enumerate(numbers(code, x, y)):
                if not same(code, got[2][20 * i + k], want):
                    return f"operation {k} of {x} and {y} is {got[2][20 * i + k]}, not {want}"
        return differs("flags", got[3], [flags(x, y) for x, y in zip(a, b)])

    return Case(f"numbers_{kind}", len(a) // 64, {
        0: Binding(f"ssbo {kind}", a), 1: Binding(f"ssbo {kind}", b), 2: Binding(f"ssbo {kind}", [0] * 20 * len(a)),
        3: Binding("ssbo u32", [0] * len(a))}, judge, source="numbers.comp", options=[f"-DT={name}"])


def product(m, n):
    """Of matrices as lists of columns."""
    return [[sum(m[k][r] * column[k] for k in range(len(m))) for r in range(len(m[0]))] for column in n]


def matrices(a, i):
    """Results of a lane of the shader."""
    m, v = [a[i:i + 3], a[i + 3:i + 6]], [a[i], a[i + 7]]
    n = [[2 * m[0][r], 2 * m[1][r]] for r in range(3)]
    w = product(m, [v])[0]
    p = product(m, n)
    yield sum(p[c][0] + 10 * p[c][1] + 100 * p[c][2] + c * w[c] for c in range(3))
    yield sum(x * y for x, y in zip(w, m[1]))
    yield w[2] * v[1] - w[0] * v[0]
    yield (w[1] * 3 - w[2] * 2) + (w[2] - w[0] * 3)
    yield 5 * abs(a[i])
    yield 13 + 1
    yield rounded("e", v[1])
    yield i + a[i] % 7


def judge_matrices(given, got):
    """Whole numbers, so all results are exact."""
    a = given[0]
    thirds = [word for i in range(32) for word in (wrap(bits("d", a[i] / 3)), bits("d", a[i] / 3) >> 32)]
    return first_wrong(differs("results", got[1], [x for i in range(32) for x in matrices(a, i)]), differs("bits", got[2], thirds))


MATRICES = Case("matrices", 1, {0: Binding("ssbo f32", between(14, 40, -9, 9)), 1: Binding("ssbo f32", [0] * 256),
                                2: Binding("ssbo u32", [0] * 64)}, judge_matrices)


def folded(function, values, start):
    """A value of all lanes."""
    for value in values:
        start = function(start, value)
    return start


def lane_values(x, lane, warp):
    """put() of a lane of shader subgroups, before lanes part."""
    unsigned = [wrap(v) for v in x]
    quad = x[lane & ~3:(lane & ~3) + 4]
    yield from (sum(x), sum(x[:lane]), sum(x[:lane + 1]), min(x) * 3 + max(x), min(unsigned) + max(unsigned), sum(x[lane & ~7:(lane & ~7) + 8]))
    yield from (x[lane ^ 5], x[lane ^ 3], x[lane - 2] if lane >= 2 else 0, x[lane + 3] if lane < 28 else 0, x[9] + x[0])
    yield quad[1] + quad[lane & 3 ^ 1] * 2 + quad[lane & 3 ^ 2] * 3 + quad[lane & 3 ^ 3] * 5
    yield all(v > -1000 for v in x) + any(v > 900 for v in x) * 2 + 4 + (len(set(x)) == 1) * 8
    yield 32 * 1000 + 200 + warp * 10
    yield (1 << lane) - 1 + (2 << lane)
    yield (1 << lane) - ((2 << lane) - 1)
    yield sum(v & 7 for v in x) * 2 + max(x) + min(x)
    yield folded(lambda a, b: a & b, x, -1) ^ folded(lambda a, b: a | b, x, 0) ^ folded(lambda a, b: a ^ b, x, 0)
    yield 2 ** sum(v & 1 for v in x)
    yield folded(lambda a, b: a * b, [v | 1 for v in x], 1)


def parted_values(x, lane):
    """put() of a lane whose number is even."""
    here = [i for i, v in enumerate(x) if not v & 1]
    ballot = [i for i in here if x[i] > 0]
    mask = sum(1 << i for i in ballot)
    before = [x[i] for i in here if i < lane]
    yield mask
    yield len(ballot) * 10000 + sum(i < lane for i in ballot) * 100 + sum(i <= lane for i in ballot)
    yield ballot[0] * 100 + ballot[-1]
    yield (lane in ballot) + (mask >> 11 & 1) * 2
    yield from (len(here), sum(x[i] for i in here if i <= lane))
    yield quotient(min(before), 4) if before else 0x7fffffff // 4
    yield (len(ballot) == len(here)) + (len(ballot) > 0) * 2 + (len(ballot) & 1) * 4


def judge_subgroups(given, got):
    """Warps are 32 invocations in the order of their numbers."""
    for i in range(len(given[0])):
        x, lane = given[0][i & ~31:(i & ~31) + 32], i & 31
        want = list(lane_values(x, lane, i >> 5 & 1))
        want += [sum(v for v in x if v & 1)] if x[lane] & 1 else parted_values(x, lane)
        wrong = differs(f"lane {i}", got[1][40 * i:40 * i + len(want)], [signed(int(value)) for value in want])
        if wrong:
            return wrong
    return differs("sum", got[2], [len(given[0]) // 32])


SUBGROUPS = Case("subgroups", 2, {0: Binding("ssbo i32", between(15, 128, -999, 999)), 1: Binding("ssbo i32", [0] * 40 * 128),
                                  2: Binding("ssbo i32", [0])}, judge_subgroups)


def compared(f):
    """Word 9 of odd.spvasm."""
    unordered, other = math.isnan(f), f != 1
    ordered = not unordered
    pairs = [f == 1, other and ordered, f < 1, f > 1, f <= 1, f >= 1]
    word = sum((pair << 2 * n) + ((pair or unordered) << 2 * n + 1) for n, pair in enumerate(pairs))
    return word | unordered << 12 | math.isinf(f) << 13


def half_bits(f):
    """Word 10 of odd.spvasm."""
    return bits("f", rounded("e", f))


def odd_words(i, x, f, counter):
    """Words 2 to 14 of a lane of odd.spvasm; None: anything."""
    s, odd, c0 = signed(x), x & 1, x & 3
    yield x if odd else 5 - 3 * 32
    yield 7 if (odd == odd) != 0 else 0
    yield from (x, x)
    vector = [7, 5, 3, 2]
    vector[c0] = i
    yield vector[i % 4] + x - i
    srem = s - 3 * quotient(s, 3)
    yield (srem * 5 - s % 3 ^ wrap(quotient(s, 3))) + (s >> 3)
    clamped = float(math.trunc(min(max(rounded("f", s), -1e6), 1e6)))
    yield -(int(clamped % 7) - int(math.fmod(clamped, 7)))
    yield compared(f)
    yield None if math.isnan(f) else half_bits(f)
    table = [7, 5, 3, 2]
    got, mixed = table[i % 4], (x if odd else 1) + (i if math.isnan(f) else 1)
    table[i % 4] = mixed
    yield got + table[c0]
    yield counter
    yield {0: 3, 1: 2, 2: 2, -1: 1, -2: 1}[srem]
    yield (5 if i & 1 else 1) + i


def judge_odd(given, got):
    """Counters first, then each lane."""
    a, f, results = given[0], given[1], got[2]
    counters = [given[3][0] + 32, given[3][1] - 32, given[3][2] - sum(a), max(map(signed, [given[3][3]] + a))]
    if sorted(results[0::32]) != list(range(given[3][0], given[3][0] + 32)):
        return f"old values: {results[0::32]}"
    for i in range(32):
        want = [None if x is None else wrap(x) for x in odd_words(i, a[i], f[i], len(results))]
        mine = results[32 * i + 2:32 * i + 2 + len(want)]
        wrong = differs(f"lane {i}", [g if w is not None else None for g, w in zip(mine, want)], want)
        if wrong:
            return wrong
    return first_wrong(differs("counters", got[3], [wrap(x) for x in counters]), differs("shared", results[1::32], [wrap(5 - 3 * 32)] * 32))


ODD = Case("odd", 1, {0: Binding("ssbo u32", words(16, 32)), 1: Binding("ssbo f32", [rounded("f", x) for x in SPECIAL * 2]),
                      2: Binding("ssbo u32", [0] * 1024), 3: Binding("ssbo u32", [10, 20, 30, 40])}, judge_odd, source="odd.spvasm", targets=("spv1.5",))

def functions(x, y):
    """put() of the shader, in its order."""
    p = abs(x) + 0.5
    t = min(max((x + 3) / 8, 0), 1)
    yield from (math.radians(x), math.degrees(x), math.sin(x), math.cos(x), math.tan(x), math.asin(x / 8), math.acos(x / 8), math.atan(x))
    yield from (math.atan2(x, y), math.sinh(x), math.cosh(x), math.tanh(x), math.asinh(x), math.acosh(p + 1), math.atanh(x / 8))
    yield from (p ** y, math.exp(x), math.log(p), 2 ** x, math.log2(p), p ** -0.5, x * 0.75 + y * 0.25, t * t * (3 - 2 * t))
    yield from (math.ldexp(x, int(y)), x - math.floor(x), math.floor(x + 0.75))


def judge_functions(given, got):
    """Within some units of the last place."""
    a = given[0]
    for i in range(32):
        for k, want in enumerate(functions(a[i], a[i ^ 1])):
            if not math.isclose(got[1][32 * i + k], want, rel_tol=2e-6, abs_tol=1e-6):
                return f"function {k} of {a[i]} is {got[1][32 * i + k]}, not {want}"
    return None


def judge_reconverge(given, got):
    """All lanes are active after each construct."""
    return first_wrong(*(differs(f"lane {i}", got[2][8 * i:8 * i + 5], [65] * 5) for i in range(len(given[0]))))


RECONVERGE = Case("reconverge", 2, {0: Binding("ssbo u32", words(20, 128)), 1: Binding("ssbo u32", [0] * 4), 2: Binding("ssbo u32", [0] * 1024)},
                  judge_reconverge)

FUNCTIONS = Case("functions", 1, {0: Binding("ssbo f32", [n / 16 for n in between(17, 32, -100, 100)]), 1: Binding("ssbo f32", [0] * 1024)},
                 judge_functions)


def judge_both(given, got):
    """One lane finds the flag clear."""
    results, want = got[1], []
    for i, word in enumerate(given[0]):
        f = rounded_bits(word)
        low, high, middle = (1.0, 1.0, -2.0) if math.isnan(f) else (min(f, 1.0), max(f, 1.0), min(max(f, -2.0), 1.0))
        want += [results[8 * i], 1 if math.isnan(f) else 2, bits("f", low), bits("f", high), bits("f", middle), word, 3, 5]
    return first_wrong(differs("results", results, want), differs("flags", sorted(results[0::8]), [0] + [1] * 31),
                       differs("memory", got[0], [2] * 32))


# SPIRV-Tools rejects pointers of kernels in shaders.
BOTH = Case("both", 1, {0: Binding("ssbo u32", [bits("f", x) for x in SPECIAL * 2]), 1: Binding("ssbo u32", [0] * 256)}, judge_both,
            source="both.spvasm", targets=("spv1.3",), optimized=False)

CASES = [FLOW, INTEGERS, float_case("f32", "f", "float"), float_case("f64", "d", "double"), float_case("f16", "e", "float16_t"),
         MATRICES, SUBGROUPS, RECONVERGE, FUNCTIONS, BOTH, ODD]
