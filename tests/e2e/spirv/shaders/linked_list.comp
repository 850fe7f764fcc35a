// SPDX-License-Identifier: MIT
// Inserts each key at the head of its bucket's list, under the bucket's lock: the lanes of a warp
// compete for a few locks, and spin.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, binding = 1) coherent buffer Nodes { uvec2 nodes[]; };
layout(std430, binding = 2) coherent buffer Heads { uint heads[16]; };
layout(std430, binding = 3) coherent buffer Locks { uint locks[16]; uint next; };

void main()
{
	uint key = keys[gl_GlobalInvocationID.x], bucket = key % 16u, node = atomicAdd(next, 1u);

	while (atomicCompSwap(locks[bucket], 0u, 1u) != 0u)
		;
	memoryBarrierBuffer();
	nodes[node] = uvec2(key, heads[bucket]);
	heads[bucket] = node;
	memoryBarrierBuffer();
	atomicExchange(locks[bucket], 0u);
}
