# SPDX-License-Identifier: MIT
# %% [markdown]
# # Word count with compare-and-swap
#
# A hash table with open addressing: a word takes the first slot that is free or its own. Whether a
# slot is free is decided by a
# compare-and-swap, so that all words try at the same time.

# %%
from collections import Counter

import faa
import numpy

words = open("../../../README.md").read().lower().split()
hashes = numpy.array([hash(word) & (1 << 63) - 1 | 1 for word in words], numpy.uint64)

device = faa.Device()
size = 4096
keys, counts = device.zeros(size, numpy.uint64), device.zeros(size, numpy.uint32)
slots, todo = hashes % size, numpy.arange(len(words))
while todo.size:
    before = device.compare_exchange(keys, slots[todo], 0, hashes[todo])
    placed = (before == 0) | (before == hashes[todo])
    device.atomic_add(counts, slots[todo[placed]])
    todo = todo[~placed]
    slots[todo] = (slots[todo] + numpy.uint64(1)) % size

# %% [markdown]
# The most frequent words, and the same by the processor.

# %%
found = {word: int(counts[slot]) for word, slot in zip(words, slots)}
for word, count in sorted(found.items(), key=lambda item: -item[1])[:5]:
    print(f"{count:4} {word}")
assert found == Counter(words)
