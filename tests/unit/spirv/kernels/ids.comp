#version 450
// SPDX-License-Identifier: MIT
// Built-in variables of an invocation, in workgroups that do not fill their last warp.
layout(local_size_x = 4, local_size_y = 3, local_size_z = 5) in;
layout(std430, binding = 0) buffer Ids { uint ids[]; };
layout(std430, binding = 1) buffer Count { uint count; };

void main()
{
	uvec3 extent = gl_NumWorkGroups * gl_WorkGroupSize, g = gl_GlobalInvocationID;
	uint at = g.x + extent.x * (g.y + extent.y * g.z);
	uvec3 l = gl_LocalInvocationID, w = gl_WorkGroupID;

	ids[at] = l.x | l.y << 4 | l.z << 8 | w.x << 12 | w.y << 16 | w.z << 20 | gl_LocalInvocationIndex << 24;
	atomicAdd(count, 1u);
}
