#version 450
// SPDX-License-Identifier: MIT
// Shared memory is zeroed for each workgroup; more workgroups than can run at a time.
#extension GL_EXT_null_initializer : require
layout(local_size_x = 2) in;
layout(std430, binding = 0) writeonly buffer Results { uint results[]; };
shared uint sums[70] = { };
shared uint last = { };

void main()
{
	for (uint i = gl_LocalInvocationIndex; i < 70u; i += 2u)
		atomicAdd(sums[i], i + gl_WorkGroupID.x);
	barrier();
	if (gl_LocalInvocationIndex == 0u)
		for (uint i = 0u; i < 70u; i++)
			atomicAdd(last, sums[i]);
	barrier();
	if (gl_LocalInvocationIndex == 1u)
		results[gl_WorkGroupID.x] = last;
}
