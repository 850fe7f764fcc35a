// SPDX-License-Identifier: MIT
// The source of the words of count.h:
// glslangValidator -V --target-env vulkan1.2 --vn count_words -o count.h count.comp
#version 450
layout(local_size_x = 40) in;
layout(std430, binding = 0) readonly buffer Data { uint data[]; };
layout(std430, binding = 1) buffer Counts { uint counts[16]; };
layout(std430, binding = 2) writeonly buffer Old { uint old[]; };
layout(push_constant) uniform Push { uint add; };
shared uint sum;

void main()
{
	uint i = gl_GlobalInvocationID.x;

	if (gl_LocalInvocationIndex == 0u)
		sum = 0u;
	barrier();
	atomicAdd(sum, data[i]);
	barrier();
	old[i] = atomicAdd(counts[data[i] & 15u], add) + sum;
}
