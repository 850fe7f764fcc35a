# SPDX-License-Identifier: MIT
# %% [markdown]
# # Scatter-add of gradients
#
# As in the training of an embedding: each token adds a gradient of a few floats to its row of a
# table. Few rows get many tokens. The gradients have both signs and very different sizes, so the
# order of the additions shows. `scatter.c` is the same in C.

# %%
import math

import faa
import numpy
from matplotlib import pyplot

tokens, rows, columns = 400, 25, 4
random = numpy.random.default_rng(1)
row = random.integers(rows, size=(2, tokens)).min(0)
gradients = random.uniform(-1, 1, (tokens, columns)) * 2.0 ** random.integers(-15, 1, (tokens, 1))
gradients = gradients.astype(numpy.float32)

# %% [markdown]
# One command adds all gradients. Its additions take effect in the order of the tokens, so the sums
# have the bits of `numpy.add.at()`.

# %%
device = faa.Device()
table = device.zeros((rows, columns), numpy.float32)
device.atomic_add(table, (row[:, None], numpy.arange(columns)), gradients)

expected = numpy.zeros((rows, columns), numpy.float32)
numpy.add.at(expected, row, gradients)
assert table.tobytes() == expected.tobytes()
print(f"{gradients.size} additions to {table.size} cells: all bits are those of numpy.add.at()")

# %% [markdown]
# Each addition of f32 numbers rounds, so tokens in another order have other sums. Sums of
# `faa.exact` round once, when they are read: their bits are the same in any order.

# %%
rounded, exact = [], []
for _ in range(4):
    order = random.permutation(tokens)
    index, value = (row[order, None], numpy.arange(columns)), gradients[order]
    table[:], cells = 0, faa.exact.cells(device, table.shape)
    device.atomic_add(table, index, value)
    rounded.append(table.copy())
    device.exact_add(cells, index, value)
    exact.append(faa.exact.read(cells))

# %% [markdown]
# `math.fsum()` has the sum of each cell, also rounded once. The picture shows the errors of both
# kinds of sums as f32 numbers. Low rows, with most of the tokens, are on the left.

# %%
right = numpy.array([[math.fsum(column) for column in gradients[row == i].T] for i in range(rows)])
assert all(sums.tobytes() == exact[0].tobytes() for sums in exact)
assert (exact[0]["f64"] == right).all()
errors = numpy.array(rounded) - right
different = (numpy.ptp(errors, axis=0) > 0).sum()
print(f"f32: {different} of {table.size} cells depend on the order; exact sums: none")
every = numpy.tile(numpy.arange(table.size), len(rounded))
pyplot.plot(every, errors.ravel(), ".", color="tab:orange", label="f32 additions, each order")
pyplot.plot((exact[0]["f32"] - right).ravel(), "k_", label="exact sum, any order")
pyplot.xlabel("cell")
pyplot.ylabel("error")
pyplot.legend()
pyplot.show()
