// SPDX-License-Identifier: MIT
// Bytes of an array into 256 counters, through shared memory.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Data { uint data[]; };
layout(std430, binding = 1) buffer Bins { uint bins[256]; };
shared uint counted[256];

void count(uint word)
{
	for (int shift = 0; shift < 32; shift += 8)
		atomicAdd(counted[(word >> shift) & 255u], 1u);
}

void main()
{
	for (uint k = gl_LocalInvocationIndex; k < 256u; k += 64u)
		counted[k] = 0u;
	barrier();
	count(data[gl_GlobalInvocationID.x]);
	barrier();
	for (uint k = gl_LocalInvocationIndex; k < 256u; k += 64u)
		atomicAdd(bins[k], counted[k]);
}
