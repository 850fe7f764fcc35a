#version 450
// SPDX-License-Identifier: MIT
// Atomics on texels of an image with layers, of a volume, and of texel buffers; outside of these
// they have no effect and return 0.
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { uint value[]; };
layout(std430, binding = 1) buffer Old { uint old[]; };
layout(r32ui, binding = 2) uniform uimage2DArray layers;
layout(r32i, binding = 3) uniform iimage3D volume;
layout(r32ui, binding = 4) uniform uimageBuffer words;
layout(r32f, binding = 5) uniform imageBuffer numbers;
layout(r32i, binding = 6) uniform iimage1D line;
layout(r32f, binding = 7) uniform image2DArray floats;

void main()
{
	uint i = gl_GlobalInvocationID.x, v = value[i];

	old[4u * i] = imageAtomicAdd(layers, ivec3(i & 3u, i >> 2 & 3u, i >> 4 & 3u), v);
	old[4u * i + 1u] = uint(imageAtomicMin(volume, ivec3(i & 1u, i >> 1 & 3u, i >> 3), int(v)));
	old[4u * i + 2u] = imageAtomicXor(words, int(i % 50u), v);
	old[4u * i + 3u] = imageAtomicAdd(layers, ivec3(0, i == 7u ? -1 : 5, 3), v);
	imageAtomicAdd(numbers, int(i & 7u), float(v & 15u));
	imageAtomicMax(floats, ivec3(i & 1u, 0, i >> 1 & 1u), float(v & 255u));
	if (i < 9u)
		imageAtomicStore(line, int(i), imageAtomicLoad(volume, ivec3(3), gl_ScopeDevice, 0, 0) + int(i), gl_ScopeDevice, 0, 0);
	if (i == 0u) {
		ivec3 size = imageSize(layers);

		old[256] = uint(size.x * 100 + size.y * 10 + size.z);
		old[257] = uint(imageSize(words));
		size = imageSize(volume);
		old[258] = uint(size.x * 100 + size.y * 10 + size.z);
		old[259] = uint(imageSize(line));
	}
	if (i == 40u)
		imageStore(layers, ivec3(4, 4, 3), uvec4(4711u));
	if (i == 41u)
		old[260] = imageLoad(layers, ivec3(4, 4, 2)).x + imageLoad(layers, ivec3(4, 4, 4)).x;
}
