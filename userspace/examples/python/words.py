# SPDX-License-Identifier: MIT
# %% [markdown]
# # Word count with compare-and-swap
#
# A hash table with open addressing: a word takes the first slot that is free or its own. A
# compare-and-swap decides whether a slot is free, so all words try at the same time.

# %%
from collections import Counter

import faa
import numpy

words = open("../../../README.md").read().lower().split()
hashes = numpy.array([hash(word) & (1 << 63) - 1 | 1 for word in words], numpy.uint64)

device = faa.Device()
size = 4096
keys, counts = device.zeros(size, numpy.uint64), device.zeros(size, numpy.uint32)
slots, left = hashes % size, numpy.arange(len(words))
while left.size:
    before = device.compare_exchange(keys, slots[left], 0, hashes[left])
    placed = (before == 0) | (before == hashes[left])
    device.atomic_add(counts, slots[left[placed]])
    left = left[~placed]
    slots[left] = (slots[left] + numpy.uint64(1)) % size

# %% [markdown]
# The most frequent words, and the same by the processor.

# %%
found = {word: int(counts[slot]) for word, slot in zip(words, slots)}
for word, count in sorted(found.items(), key=lambda item: -item[1])[:5]:
    print(f"{count:4} {word}")
assert found == Counter(words)
