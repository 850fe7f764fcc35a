# SPDX-License-Identifier: MIT
# %% [markdown]
# # Histogram of a photograph
#
# One command of the device for each channel: every pixel adds 1 to a bin. It is `histogram.c` in
# ten lines.

# %%
import faa
import numpy
from matplotlib import pyplot

photo = (pyplot.imread("../photo.png")[..., :3] * 255).round().astype(numpy.uint8)
device = faa.Device()
for channel, color in enumerate(("red", "green", "blue")):
    bins = device.zeros(256, numpy.uint32)
    device.atomic_add(bins, photo[..., channel], 1)
    pyplot.step(range(256), bins, color=color)
pyplot.show()

# %% [markdown]
# The processor agrees.

# %%
assert (bins == numpy.bincount(photo[..., 2].ravel(), minlength=256)).all()
