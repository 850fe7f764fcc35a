#version 450
// SPDX-License-Identifier: MIT
// Floating-point atomics on T in a buffer and in shared memory; 16-bit ones in a buffer share words.
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { T value[]; };
layout(std430, binding = 1) buffer Memory { T memory[16]; };
layout(std430, binding = 2) buffer Old { T old[]; };
layout(std430, binding = 3) buffer Shared { T results[]; };
shared T sum, least, most, last;

void main()
{
	uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex, g = gl_WorkGroupID.x;

	if (l == 0u) {
		sum = T(1.5);
		least = T(100.0);
		most = T(-100.0);
		last = T(-3.0);
	}
	barrier();
	old[i] = atomicAdd(memory[i & 3u], value[i]);
	atomicMin(memory[4u + (i & 3u)], value[i]);
	atomicMax(memory[8u + (i & 3u)], value[i]);
	if ((i & 31u) == 0u)
		atomicExchange(memory[12u + (i / 32u & 1u)], value[i]);
	if (i == 0u)
		atomicStore(memory[14], atomicLoad(memory[15], gl_ScopeDevice, 0, 0), gl_ScopeDevice, 0, 0);
	atomicAdd(sum, value[i]);
	atomicMin(least, value[i]);
	atomicMax(most, value[i]);
	barrier();
	if (l == 0u) {
		results[6u * g] = atomicAdd(sum, T(0.0));
		results[6u * g + 1u] = least;
		results[6u * g + 2u] = most;
		results[6u * g + 3u] = atomicExchange(last, T(7.0));
		atomicStore(least, T(-0.5), gl_ScopeWorkgroup, 0, 0);
		results[6u * g + 4u] = atomicLoad(last, gl_ScopeWorkgroup, 0, 0);
		results[6u * g + 5u] = least;
	}
}
