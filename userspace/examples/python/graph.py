# SPDX-License-Identifier: MIT
# %% [markdown]
# # In-degrees and breadth-first search
#
# The graph of `graph.c`: packages of Debian, and an edge to each package that one depends on. A
# line of the file has the name of a package and the numbers of the lines of its dependencies.

# %%
from collections import deque

import faa
import numpy
from matplotlib import pyplot

lines = [line.split() for line in open("../packages.txt") if not line.startswith("#")]
names = [line[0] for line in lines]
needs = [[int(number) for number in line[1:]] for line in lines]
sources = numpy.repeat(numpy.arange(len(names), dtype=numpy.uint32), [len(line) for line in needs])
targets = numpy.concatenate(needs).astype(numpy.uint32)

# %% [markdown]
# One command over all edges counts how many packages depend on each one.

# %%
device = faa.Device()
degrees = device.zeros(len(names), numpy.uint32)
device.atomic_add(degrees, targets)
print(f"{len(names)} packages, {len(targets)} edges; most needed:")
for package in numpy.argsort(degrees)[:-6:-1]:
    print(f"{degrees[package]:5} {names[package]}")
assert (degrees == numpy.bincount(targets, minlength=len(names))).all()

# %% [markdown]
# The search finds all dependencies of a package, level by level. One command visits all edges that
# leave a level. A compare-and-swap on the parent of the package at the other end decides which edge
# has found it: the edge that reads NONE. The processor collects the edges of each level; in
# `graph.c` the device does that too.

# %%
NONE = 0xFFFFFFFF
root = names.index("kde-full")
parent = device.full(len(names), NONE, numpy.uint32)
parent[root] = root
levels = [numpy.array([root])]
while levels[-1].size:
    edges = numpy.flatnonzero(numpy.isin(sources, levels[-1]))
    before = device.compare_exchange(parent, targets[edges], NONE, sources[edges])
    levels.append(targets[edges[before == NONE]])
sizes = [len(level) for level in levels[:-1]]
print(f"from {names[root]}: {sum(sizes)} packages in {len(sizes)} levels")
pyplot.bar(range(len(sizes)), sizes)
pyplot.xlabel("level")
pyplot.ylabel("packages")
pyplot.show()

# %% [markdown]
# A search on the processor finds each package in the same level. The parent of a package depends on
# it and is one level above.

# %%
distance, left = {root: 0}, deque([root])
while left:
    package = left.popleft()
    for other in needs[package]:
        if other not in distance:
            distance[other] = distance[package] + 1
            left.append(other)
assert sorted(numpy.concatenate(levels)) == sorted(distance)
for number, level in enumerate(levels[1:], 1):
    for package in level:
        assert distance[package] == number
        assert package in needs[parent[package]]
        assert distance[parent[package]] == number - 1
