#version 450
// SPDX-License-Identifier: MIT
// Atomics on texels of 64 bits.
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_image_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { uint64_t value[]; };
layout(std430, binding = 1) buffer Old { uint64_t old[]; };
layout(r64ui, binding = 2) uniform u64image2D image;
layout(r64i, binding = 3) uniform i64image1D line;
layout(r64ui, binding = 4) uniform u64imageBuffer words;

void main()
{
	uint i = gl_GlobalInvocationID.x;
	uint64_t v = value[i];

	old[i] = imageAtomicAdd(image, ivec2(i & 3u, i >> 2 & 3u), v);
	imageAtomicMin(line, int(i & 3u), int64_t(v));
	imageAtomicCompSwap(words, int(i & 31u), uint64_t(i & 31u), v);
}
