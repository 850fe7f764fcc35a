# SPDX-License-Identifier: MIT
# %% [markdown]
# # RandomAccess of the HPC Challenge
#
# A table of 2^n words, `T[i] = i`, gets four times as many updates `T[ran mod 2^n] ^= ran`. The
# numbers `ran` are the states of a shift register of 64 bits. They are polynomials over GF(2): a
# step multiplies by x, modulo x^64 + x^2 + x + 1. As in the benchmark, 128 generators take turns,
# and each has its own part of the sequence. `gups.c` is the same in C.

# %%
import faa
import numpy

words, generators, half = 1 << 12, 128, 512
updates = 4 * words


def step(ran):
    """The number after ran; also of an array of numbers."""
    return (ran & (1 << 63) - 1) << 1 ^ (ran >> 63) * 7


def element(n):
    """Number n of the sequence: x^n, by squaring and multiplying."""
    ran = 1
    for bit in f"{n:b}":
        # A square has twice the exponents: the bits become digits of base 4.
        ran = int(f"{ran:b}", 4) << int(bit)
        while high := ran >> 64:
            ran = ran & (1 << 64) - 1 ^ high ^ high << 1 ^ high << 2
    return ran


def batches():
    """The sequence in arrays of half numbers, each computed when it is asked for."""
    ran = numpy.array([element(updates // generators * i) for i in range(generators)], numpy.uint64)
    for _ in range(updates // half):
        batch = numpy.empty((half // generators, generators), numpy.uint64)
        for turn in batch:
            turn[:] = ran = step(ran)
        yield batch.ravel()


# %% [markdown]
# At most 1024 numbers may be known before their updates are made. Two buffers of 512 numbers are
# used in turn: the host fills one while a job works on the other.

# %%
device = faa.Device()
table = device.array(numpy.arange(words), numpy.uint64)
counters = device.counter_snapshot()
halves, jobs, cycles = [], [], 0
for _ in range(2):
    ran, index = device.empty(half, numpy.uint64), device.empty(half, numpy.uint32)
    stream = device.stream()
    stream.atom(faa.AtomOp.XOR, stream.addresses(table, index), ran, count=half, type=faa.Type.U64)
    stream.snapshot(counters)
    halves.append((ran, index, stream.finish()))

with device.queue() as queue:
    for turn, batch in enumerate(batches()):
        ran, index, program = halves[turn % 2]
        if turn >= 2:
            cycles += jobs[-2].wait().cycles
        ran[:], index[:] = batch, batch % words
        jobs.append(queue.submit(program))
    cycles += sum(job.wait().cycles for job in jobs[-2:])

print(f"{updates} updates of {words} words in {counters[faa.Counter.WARPS]} warps")
rate = f"cycles, {updates / cycles:.3f} updates per clock"
print(cycles, rate if device.has_clock else "steps of the C model, which has no clock")

# %% [markdown]
# The verification of the benchmark: one generator repeats the sequence on the processor. Every word
# must then have its first value again. The benchmark allows errors in 1 % of the words.

# %%
repeated, ran = table.tolist(), 1
for _ in range(updates):
    ran = step(ran)
    repeated[ran % words] ^= ran
errors = sum(word != i for i, word in enumerate(repeated))
print(f"{errors} errors in {words} words")
assert errors == 0

# %% [markdown]
# numpy's `plain[index] ^= ran` reads all words of a batch before it writes one. If several numbers
# of a batch belong to one word, only the last of them takes effect.

# %%
plain = numpy.arange(words, dtype=numpy.uint64)
for ran in batches():
    plain[ran % words] ^= ran
print(f"without atomic operations: {(plain != table).sum()} errors")
