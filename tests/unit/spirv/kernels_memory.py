# SPDX-License-Identifier: MIT
"""Cases of kernels.py about memory: atomics of all types in all places, layouts, orders."""
import collections
import math

from kernels_data import Binding, Case, between, bits, differs, first_wrong, quotient, rounded, rounded_bits, signed, words, wrap


def chains(old, final, operations):
    """Whether additions can have occurred one after the other: each old value occurs once, from the
    first to the last."""
    steps = collections.Counter(old)
    for value, added in zip(old, operations):
        steps[value + added] -= 1
    steps[final] += 1
    return sorted(value for value, count in steps.items() if count)


def floats(kind, code):
    """T in memory: sums of quarters, which are exact; minimum, maximum, exchange, load and store;
    per workgroup in shared memory."""
    groups, lanes = 2, 64
    value = [number / 4 for number in between(1, groups * lanes, -20, 20)]
    memory = [0.5, -0.25, 0.0, 3.0] + [2.0] * 4 + [-2.0] * 4 + [9.0, 9.0, 0.0, -0.0]

    def judge(given, got):
        want, old, out = list(memory), got[2], []
        for cell in range(4):
            mine = value[cell::4]
            want[cell] += sum(mine)
            want[4 + cell] = min(mine + [2.0])
            want[8 + cell] = max(mine + [-2.0])
            rest = chains(old[cell::4], want[cell], mine)
            if rest != [memory[cell]]:
                return f"old values of cell {cell}: {rest}"
        want[14] = want[15]
        if got[1][12] not in value[::64] or got[1][13] not in value[32::64]:
            return f"exchanged: {got[1][12:14]}"
        want[12:14] = got[1][12:14]
        for group in range(groups):
            mine = value[group * lanes:(group + 1) * lanes]
            out += [1.5 + sum(mine), min(mine + [100.0]), max(mine), -3.0, 7.0, -0.5]
        return first_wrong(differs("memory", [bits(code, x) for x in got[1]], [bits(code, x) for x in want]),
                           differs("shared", got[3], out), differs("value", got[0], given[0]))

    return Case(f"floats_{kind}", groups, {
        0: Binding(f"ssbo {kind}", value), 1: Binding(f"ssbo {kind}", memory), 2: Binding(f"ssbo {kind}", [0] * groups * lanes),
        3: Binding(f"ssbo {kind}", [0] * 6 * groups)}, judge, source="floats.comp",
        options=["-DT=" + {"f16": "float16_t", "f32": "float", "f64": "double"}[kind]])


def judge_texels(given, got):
    """Each texel has one lane, those of texel buffers several."""
    value, layers, volume, texels, numbers = given[0], list(given[2]), list(given[3]), list(given[4]), list(given[5])
    floats7, old = list(given[7]), list(given[1])
    for i, v in enumerate(value):
        texel = (i & 3) + 5 * (i >> 2 & 3) + 25 * (i >> 4 & 3)
        old[4 * i] = layers[texel]
        layers[texel] = wrap(layers[texel] + v)
        texel = (i & 1) + 4 * (i >> 1 & 3) + 16 * (i >> 3)
        volume[texel] = min(volume[texel], signed(v))
        texels[i % 50] ^= v
        numbers[i & 7] += v & 15
        texel = (i & 1) + 8 * (i >> 1 & 1)
        floats7[texel] = max(floats7[texel], v & 255)
    line = [given[3][63] + i for i in range(8)]
    old[256:260] = [555, 50, 448, 8]
    layers[99] = 4711
    old[260] = wrap(given[2][74] + given[2][124])
    for i in range(len(value)):
        old[4 * i + 1] = wrap(given[3][(i & 1) + 4 * (i >> 1 & 3) + 16 * (i >> 3)])
        old[4 * i + 3] = got[1][4 * i + 3] and 1
        if i >= 50:
            continue
        # The first and the second lane of a texel come in any order.
        old[4 * i + 2] = got[1][4 * i + 2] if i < 14 else given[4][i]
    for i in range(50, 64):
        pair = {got[1][4 * (i - 50) + 2], got[1][4 * i + 2]}
        if pair not in ({given[4][i - 50], given[4][i - 50] ^ value[i - 50]}, {given[4][i - 50], given[4][i - 50] ^ value[i]}):
            return f"old values of word {i - 50}: {pair}"
        old[4 * i + 2] = got[1][4 * i + 2]
    return first_wrong(differs("layers", got[2], layers), differs("volume", got[3], volume), differs("words", got[4], texels),
                       differs("numbers", got[5], numbers), differs("line", got[6], line), differs("floats", got[7], floats7),
                       differs("old", got[1], old))


TEXELS = Case("texels", 1, {
    0: Binding("ssbo u32", words(2, 64)), 1: Binding("ssbo u32", [0] * 261),
    2: Binding("image2darray r32ui", words(3, 125), (5, 5, 5)), 3: Binding("image3d r32i", between(4, 128, -10**9, 10**9), (4, 4, 8)),
    4: Binding("texbuf r32ui", words(5, 50), (50, 1, 1)), 5: Binding("texbuf r32f", range(8), (8, 1, 1)),
    6: Binding("image1d r32i", [1] * 8, (8, 1, 1)), 7: Binding("image2darray r32f", [100.0] * 16, (2, 4, 2))}, judge_texels)


def judge_texels64(given, got):
    """Sums, minima; of the lanes that exchange, one comes first."""
    value, image, line = given[0], list(given[2]), list(given[3])
    for i, v in enumerate(value):
        image[i & 15] = wrap(image[i & 15] + v, 64)
        line[i & 3] = min(line[i & 3], signed(v, 64))
    for cell in range(16):
        seen = sorted(got[1][cell::16])
        sums = [given[2][cell]]
        if given[2][cell] not in seen or len(set(seen)) != 4:
            return f"old values of texel {cell}: {seen}, first {sums}"
    for word in range(32):
        if got[4][word] not in (value[word], value[word + 32]):
            return f"word {word} is {got[4][word]}"
    return first_wrong(differs("image", got[2], image), differs("line", got[3], line))


TEXELS64 = Case("texels64", 1, {
    0: Binding("ssbo u64", words(6, 64, 64)), 1: Binding("ssbo u64", [0] * 64), 2: Binding("image2d r64ui", words(7, 16, 64), (4, 4, 1)),
    3: Binding("image1d r64i", [signed(x, 64) for x in words(8, 4, 64)], (4, 1, 1)),
    4: Binding("texbuf r64ui", range(32), (32, 1, 1))}, judge_texels64)


def judge_small(given, got):
    """Arithmetic of narrow and wide integers; the node."""
    small = [signed(byte, 8) for word in given[0] for byte in (word & 255, word >> 8)]
    results, more, wide, mask = [], [], [], 0
    for i, (b, w) in enumerate(zip(small, given[1])):
        x = signed(signed(b * w, 64) << 20, 64)
        results.append(signed(quotient(signed(b * signed(w, 16), 16), 3) - (w >> 3), 16))
        more.append((small[i // 32 * 32 + 31 - i % 32] + w) & 255)
        wide.append(signed(quotient(x, 7) + x % 1000 - (x >> 5) + wrap(x, 64) // 3 + (-1 if x < 0 else 1), 64))
        mask |= 1 << (w & 63)
    nodes = [min([100] + [signed(b * w << 20, 64) for b, w in zip(small, given[1])]), mask, bits("d", float(sum(small))),
             bits("f", float(sum(small[0::2]))) | bits("f", float(sum(small[1::2]))) << 32]
    got_nodes = [signed(got[4][0], 64)] + got[4][1:4]
    packed = [more[2 * i] | more[2 * i + 1] << 8 for i in range(len(more) // 2)]
    if got[4][4] == 0 or got[4][4] % 64:
        return f"the next node is at 0x{got[4][4]:x}"
    return first_wrong(differs("results", got[2], results), differs("more", got[3], packed), differs("wide", got[5], wide),
                       differs("node", got_nodes, nodes))


SMALL = Case("small", 2, {
    0: Binding("ssbo u16", words(9, 32, 16)), 1: Binding("ssbo u16", words(10, 64, 16)), 2: Binding("ssbo i16", [0] * 64),
    3: Binding("ssbo u16", [0] * 32), 4: Binding("phys u64", [100, 0, 0, 0, 0, 0]), 5: Binding("ssbo i64", [0] * 64)}, judge_small,
    push=4, targets=("vulkan1.2", "vulkan1.3"))


def judge_lengths(given, got):
    """Bytes of each layout as std430 and std140 have them."""
    tail, memory, third, results = given[0][4:], list(given[1]), given[2], []
    items = (len(memory) - 16) // 12
    numbers = [rounded_bits(word) for word in memory]
    for i in range(3):
        results.append(len(tail) // 4 + tail[4 * i + 2])
    for i in range(3):
        # Row-major: row 1 of two; column-major: column i.
        results.append(numbers[4 + i] * 100 + numbers[8 + 2 * i + (i & 1)])
    for i in range(3):
        results.append(third[4 * i] + third[12 + 4 * i + 1] + items)
    for i in range(3):
        at = 16 + 12 * i
        v, m = numbers[at + 4:at + 7], numbers[at + 8:at + 12]
        made = [x * m[1] + memory[at] for x in (v[2], v[0], v[1])]
        memory[at + 4:at + 7] = [bits("f", x) for x in made]
        memory[at + 8:at + 12] = [bits("f", x) for x in (m[1], m[3], m[0], m[2])]
        memory[at] += 3 + i
    return first_wrong(differs("results", got[3][:9], results), differs("memory", got[1], memory))


LENGTHS = Case("lengths", 1, {
    0: Binding("ssbo u32", range(16)), 1: Binding("ssbo u32", [
        (n - 16) // 12 if n >= 16 and (n - 16) % 12 == 0 else bits("f", float(n % 11 - 5)) for n in range(16 + 12 * 4)]),
    2: Binding("ssbo f32", range(24)), 3: Binding("ssbo f32", [0] * 9)}, judge_lengths, targets=("vulkan1.2", "vulkan1.0"))


def judge_specialized(_, got):
    """With the numbers that the module itself sets."""
    lanes = 1 * 1 * 2
    room = 13
    want = [sum(i % room for i in range(lanes)), lanes, room, quotient(-7, 2), -7 % 4, 3 * 10000 + 3 * 100 + 6, 12, -7,
            (-7 >> 1) + 20 + (-7 & 15) + (-7 ^ 3) + ~5 + 100]
    return differs("results", got[0][:9], want)


SPECIALIZED = Case("specialized", 1, {0: Binding("ssbo i32", [0] * 16)}, judge_specialized, targets=("vulkan1.2", "vulkan1.0", "vulkan1.3"))


def judge_ordered(_, got):
    """Every lane had the lock, every workgroup its turn, every message arrived."""
    groups = len(got[2])
    return first_wrong(differs("locks", got[1], [0, groups - 1, sum(g + l for g in range(groups) for l in range(64)), groups - 1]),
                       differs("data", got[0], [100 + g for g in range(groups)]), differs("seen", got[2], [100 + g for g in range(groups)]),
                       differs("spin", got[3], [groups] + list(range(1, groups + 1))))


ORDERED = Case("ordered", 5, {
    0: Binding("ssbo u32", [0] * 5), 1: Binding("ssbo u32", [0] * 4), 2: Binding("ssbo u32", [0] * 5), 3: Binding("ssbo u32", [0] * 6)},
    judge_ordered, targets=("vulkan1.1", "vulkan1.2"))

def judge_ids(_, got):
    """Every invocation occurs once."""
    size, groups, want = (4, 3, 5), (3, 2, 2), []
    extent = [a * b for a, b in zip(size, groups)]
    for at in range(math.prod(extent)):
        g = (at % extent[0], at // extent[0] % extent[1], at // extent[0] // extent[1])
        l, w = [a % b for a, b in zip(g, size)], [a // b for a, b in zip(g, size)]
        index = l[0] + 4 * (l[1] + 3 * l[2])
        want.append(l[0] | l[1] << 4 | l[2] << 8 | w[0] << 12 | w[1] << 16 | w[2] << 20 | index << 24)
    return first_wrong(differs("ids", got[0], want), differs("count", got[1], [len(want)]))


IDS = Case("ids", (3, 2, 2), {0: Binding("ssbo u32", [0] * 720), 1: Binding("ssbo u32", [0])}, judge_ids,
           targets=("vulkan1.2", "vulkan1.0"))


def part_words(x, lanes, which):
    """Words 0 to 2 of a lane that reads part @which, calculated from @x by lane @which."""
    mine = [l for l in range(lanes) if l & 3 == which]
    many = [x ^ n for n in range(6)]
    for l in mine:
        many[3 * (l & 1) + l % 3] += 100
    wide = (x << 20) + len(mine)
    yield wrap(wide >> 20) ^ wrap((wide & 0xfffff) + (x & 1))
    yield (x >> 8 & 0xffff) + (x & 7) * 10 + 3
    yield sum(wrap(n) for n in many)


def judge_pieces(given, got):
    """Each workgroup on its own."""
    want, lanes = [], 48
    for first in range(0, len(given[0]), lanes):
        a = given[0][first:first + lanes]
        grid = [[3 * column + row for column in range(5)] for row in range(3)]
        for l, x in enumerate(a):
            grid[l % 3][x % 5] = max(grid[l % 3][x % 5], 20)
        for l, x in enumerate(a):
            own = [[0] * 3 for _ in range(4)]
            own[x & 3][x % 3] = x
            own[l & 3] = [1, 2, x]
            want += part_words(a[l + 1 & 3], lanes, l + 1 & 3)
            want += [grid[x % 3][l % 5] + 371, own[x & 3][l % 3] + own[x + 1 & 3][2]]
    return differs("results", got[1], [wrap(x) for x in want])


PIECES = Case("pieces", 3, {0: Binding("ssbo u32", words(18, 144)), 1: Binding("ssbo u32", [0] * 720)}, judge_pieces)

CLEARED = Case("cleared", 3000, {0: Binding("ssbo u32", [0] * 3000)},
               lambda _, got: differs("results", got[0], [sum(range(70)) + 70 * g for g in range(3000)]))


def flushed(x):
    """A sum under the denormal mode."""
    return x if abs(x) >= 2.0**-126 else math.copysign(0.0, x)


def judge_flushed(given, got):
    """Compared bit by bit; atomic operations flush their operands, too."""
    a, want, memory = given[0], [], []
    for i in range(32):
        total = flushed(rounded("f", a[i] + a[i ^ 1]))
        memory.append(flushed(flushed(a[i]) + flushed(a[i ^ 1])))
        want += [given[1][i], a[i], total]
    return first_wrong(differs("results", [bits("f", x) for x in got[2]], [bits("f", x) for x in want]),
                       differs("memory", [bits("f", x) for x in got[1]], [bits("f", x) for x in memory]))


TINY = [2.0**-130, 2.0**-130, -(2.0**-126), 2.0**-127, 1.0, 2.0**-140, 2.0**-126, 2.0**-149, -(2.0**-149), 0.0, 2.0**-127, 2.0**-127, 3.0, -3.0, 0.5, 4.0]
FLUSHED = Case("flushed", 1, {0: Binding("ssbo f32", TINY * 2), 1: Binding("ssbo f32", [2.0**-149 * n for n in range(32)]),
                              2: Binding("ssbo f32", [0] * 96)}, judge_flushed)


def judge_buffers(given, got):
    """Results that do not depend on the order; the chain of comparisons is checked as far as
    possible."""
    a, memory = given[0], got[1]
    numbers = [signed(x, 64) for x in a]
    want = [wrap(given[1][0] + sum(a), 64)] + given[1][1:]
    for x in a:
        want[1] &= x | 0xff00ff00ff00ff
        want[2] |= x & 0xff00ff00ff00ff00
        want[3] ^= x
    want[4:7] = min(a), max(a), a[9]
    want[7] = memory[7] if 1 <= memory[7] <= len(a) else "at most the number of lanes"
    want[8:] = wrap(min(numbers), 64), wrap(max(numbers), 64)
    if len(set(got[2])) != len(a):
        return "an old value stands twice"
    return differs("memory", memory, want)


BUFFERS = Case("buffers", 2, {0: Binding("ssbo u64", words(19, 128, 64)),
                              1: Binding("ssbo u64", [0, 2**64 - 1, 0, 7, 2**64 - 1, 0, 1, 0, 2**63 - 1, 2**63]),
                              2: Binding("ssbo u64", [0] * 128)}, judge_buffers)

CASES = [floats("f16", "e"), floats("f32", "f"), floats("f64", "d"), TEXELS, TEXELS64, SMALL, LENGTHS, SPECIALIZED, ORDERED, IDS,
         PIECES, CLEARED, FLUSHED, BUFFERS]
