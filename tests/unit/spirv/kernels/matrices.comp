#version 450
// SPDX-License-Identifier: MIT
// Products of small whole numbers in vectors and matrices, halves and doubles as words.
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) writeonly buffer Results { float results[]; };
layout(std430, binding = 2) writeonly buffer Bits { uvec2 bits[]; };

void main()
{
	uint i = gl_LocalInvocationIndex;
	mat2x3 m = mat2x3(a[i], a[i + 1u], a[i + 2u], a[i + 3u], a[i + 4u], a[i + 5u]);
	mat3x2 n = transpose(m) * 2.0;
	vec2 v = vec2(a[i], a[i + 7u]);
	vec3 w = m * v;
	mat3 p = m * n;
	mat2x3 q = outerProduct(w, v);
	float all = 0.0;

	for (int c = 0; c < 3; c++)
		all += dot(p[c], vec3(1.0, 10.0, 100.0)) + float(c) * w[c];
	results[8u * i] = all;
	results[8u * i + 1u] = (w * m).y;
	results[8u * i + 2u] = q[1].z - q[0].x;
	results[8u * i + 3u] = dot(cross(w, vec3(1.0, 2.0, 3.0)), vec3(1.0, 1.0, 0.0));
	results[8u * i + 4u] = length(vec2(3.0, 4.0) * a[i]);
	results[8u * i + 5u] = distance(v * 0.0, vec2(-5.0, 12.0)) + normalize(vec2(0.0, abs(a[i]) + 1.0)).y;
	results[8u * i + 6u] = unpackHalf2x16(packHalf2x16(v)).y;
	results[8u * i + 7u] = float(unpackDouble2x32(packDouble2x32(uvec2(i, 7u))).x) + mod(a[i], 7.0);
	precise double third = double(a[i]) / 3.0lf;

	bits[i] = unpackDouble2x32(third);
}
