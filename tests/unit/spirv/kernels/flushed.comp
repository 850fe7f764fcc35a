#version 450
// SPDX-License-Identifier: MIT
// Denormal results become zero, also those of atomic operations; loads, stores and exchanges keep
// all bits.
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4465], 4460, 32);
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) buffer Memory { float memory[]; };
layout(std430, binding = 2) buffer Results { float results[]; };

void main()
{
	uint i = gl_LocalInvocationIndex;

	results[3u * i] = atomicExchange(memory[i], a[i]);
	results[3u * i + 1u] = atomicAdd(memory[i], a[i ^ 1u]);
	results[3u * i + 2u] = a[i] + a[i ^ 1u];
}
