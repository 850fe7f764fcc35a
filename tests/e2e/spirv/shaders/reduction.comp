// SPDX-License-Identifier: MIT
// Sum, minimum and maximum of an array; the last workgroup to finish writes the result of all.
// Subgroups, a switch, divergent returns, memory barriers.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 96) in;
layout(std430, binding = 0) readonly buffer Data { int data[]; };
layout(std430, binding = 1) buffer Parts { ivec4 parts[]; };
layout(std430, binding = 2) buffer Result { int sum; int least; int greatest; uint finished; };
shared int sums[32];
shared int ends[2];
shared bool last;

int clipped(int value)
{
	switch (value & 3) {
	case 0:
		return clamp(value, -1000, 1000);
	case 1:
		value = -value;
		// falls through
	case 2:
		return value / 2;
	default:
		break;
	}
	return value;
}

void main()
{
	int value = clipped(data[gl_GlobalInvocationID.x]);
	int part = subgroupAdd(value);

	if (gl_LocalInvocationIndex == 0u) {
		ends[0] = 0x7fffffff;
		ends[1] = -0x7fffffff - 1;
	}
	if (subgroupElect())
		sums[gl_SubgroupID] = part;
	barrier();
	atomicMin(ends[0], value);
	atomicMax(ends[1], value);
	barrier();
	if (gl_LocalInvocationIndex == 0u) {
		int sum = 0;

		for (uint i = 0u; i < gl_NumSubgroups; i++)
			sum += sums[i];
		parts[gl_WorkGroupID.x] = ivec4(sum, ends[0], ends[1], 0);
		memoryBarrierBuffer();
		last = atomicAdd(finished, 1u) == gl_NumWorkGroups.x - 1u;
	}
	barrier();
	if (!last || gl_LocalInvocationIndex != 0u)
		return;
	memoryBarrierBuffer();
	ivec4 all = parts[0];
	for (uint i = 1u; i < gl_NumWorkGroups.x; i++)
		all = ivec4(all.x + parts[i].x, min(all.yz, parts[i].yz).x, max(all.yz, parts[i].yz).y, 0);
	sum = all.x;
	least = all.y;
	greatest = all.z;
}
