#version 450
// SPDX-License-Identifier: MIT
// Lengths of runtime arrays, arrays of buffers, structures and matrices of each layout.
layout(local_size_x = 32) in;
struct Item { uint a; vec3 v; mat2 m; };
layout(std430, binding = 0) buffer First { uint count; uint pad; uvec3 tail[]; } first;
layout(std430, binding = 1) buffer Second { layout(row_major) mat3x2 r; layout(column_major) mat3x2 c; Item items[]; } second;
layout(std140, binding = 2) uniform Third { float f[3]; layout(row_major) mat2x3 m; } third;
layout(std430, binding = 3) writeonly buffer Results { float results[]; };

void main()
{
	uint i = gl_LocalInvocationIndex;

	if (i < 3u) {
		results[i] = float(first.tail.length()) + float(first.tail[i].z);
		results[3u + i] = second.r[i].y * 100.0 + second.c[i][i & 1u];
		results[6u + i] = third.f[i] + third.m[1][i] + float(second.items.length());
	} else if (i < 6u) {
		Item item = second.items[i - 3u];

		item.v = item.v.zxy * item.m[0].y + vec3(item.a);
		item.m = transpose(item.m) * mat2(0.0, 1.0, 1.0, 0.0);
		second.items[i - 3u] = item;
		atomicAdd(second.items[i - 3u].a, i);
	}
}
