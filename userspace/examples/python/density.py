# SPDX-License-Identifier: MIT
# %% [markdown]
# # Points of an attractor counted in a surface
#
# Each point adds 1 to the texel that it falls into, as in `density.c`.

# %%
import faa
import numpy
from matplotlib import pyplot

size, a, b, c, d = 256, -1.4, 1.6, 1.0, 0.7
points = numpy.random.default_rng(1).uniform(-1, 1, (400, 2))
device = faa.Device()
image = device.surface((size, size), numpy.uint32)
for step in range(100):
    x, y = points.T
    points = numpy.stack(
        [numpy.sin(a * y) + c * numpy.cos(a * x), numpy.sin(b * x) + d * numpy.cos(b * y)], 1
    )
    places = ((points + 2.2) * size / 4.4).astype(int)
    device.surface_atomic("ADD", image, places, 1)
pyplot.imshow(numpy.log1p(image.read()), cmap="magma")
pyplot.show()

# %%
assert image.read().sum() == 400 * 100
