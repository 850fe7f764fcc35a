#version 450
// SPDX-License-Identifier: MIT
// Signed and unsigned 64-bit integers in a buffer, with every operation.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint64_t a[]; };
layout(std430, binding = 1) buffer Memory { uint64_t memory[8]; int64_t least; int64_t most; };
layout(std430, binding = 2) buffer Old { uint64_t old[]; };

void main()
{
	uint i = gl_GlobalInvocationID.x;
	uint64_t x = a[i];

	old[i] = atomicAdd(memory[0], x);
	atomicAnd(memory[1], x | 0xff00ff00ff00fful);
	atomicOr(memory[2], x & 0xff00ff00ff00ff00ul);
	atomicXor(memory[3], x);
	atomicMin(memory[4], x);
	atomicMax(memory[5], x);
	if (i == 9u)
		atomicExchange(memory[6], x);
	atomicCompSwap(memory[7], uint64_t(i), uint64_t(i + 1u));
	atomicMin(least, int64_t(x));
	atomicMax(most, int64_t(x));
}
