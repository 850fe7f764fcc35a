# SPDX-License-Identifier: MIT
# %% [markdown]
# # Streams and kernels
#
# A stream is built once and can run any number of times. Shared memory belongs to the queue and
# keeps its contents.

# %%
import faa
import numpy

device = faa.Device()
data, total = device.array(numpy.arange(1000, dtype=numpy.uint32)), device.zeros(1, numpy.uint32)
stream = device.stream()
stream.atoms(faa.AtomsOp.ADD, 0, data, count=1000)
stream.lds(total, 0, count=1)
program = stream.finish()
print("\n".join(program.disassemble()))

# %%
with device.queue(shared_bytes=128) as queue:
    for run in range(3):
        status = queue.run(program)
        print(f"total {total[0]}, {status.elements} elements")
assert total[0] == 3 * 499500

# %% [markdown]
# A kernel in PTX adds the same numbers.

# %%
source = """
.visible .entry sum(.param .u64 result, .param .u64 data, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %i, %n, %v;
    .reg .b64 %result, %at, %offset;
    mov.u32 %i, %tid.x;
    ld.param.u32 %n, [n];
    setp.lt.u32 %p, %i, %n;
    ld.param.u64 %at, [data];
    ld.param.u64 %result, [result];
    mul.wide.u32 %offset, %i, 4;
    add.u64 %at, %at, %offset;
    @%p ld.global.u32 %v, [%at];
    @%p red.global.add.u32 [%result], %v;
    ret;
}
"""
total[:] = 0
device.ptx(source).run({"result": total, "data": data, "n": 1000}, warps=32)
print(total[0])
assert total[0] == 499500

# %% [markdown]
# An error is an exception with the message of the C library.

# %%
for attempt in (
    lambda: device.atomic_add(total, [0, 1]),
    lambda: device.atomic_add(total, [1 << 28], check=False),
    lambda: device.atomic_xor(device.zeros(1, numpy.float32), 0, 1.0),
    lambda: device.ptx("atom.global.add.u3 %r, [%a], 1;"),
):
    try:
        attempt()
    except (IndexError, faa.FaaError) as error:
        print(f"{type(error).__name__}: {error}")
