#version 450
// SPDX-License-Identifier: MIT
// Values of many scalars in shared and private memory: structures, matrices, arrays of arrays,
// bools; as a whole and in parts.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_atomic_int64 : require
layout(local_size_x = 48) in;
struct Part { bool yes; uint64_t wide; u16vec3 narrow; mat2 m; uint many[2][3]; };
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) writeonly buffer Results { uint results[]; };
shared Part parts[4];
shared uint grid[3][5];
shared vec3 point;
uint own[4][3];

Part make(uint x)
{
	Part part;

	part.yes = (x & 1u) != 0u;
	part.wide = uint64_t(x) << 20;
	part.narrow = u16vec3(x, x >> 8, x >> 16);
	part.m = mat2(float(x & 7u), 1.0, 2.0, 3.0);
	for (uint i = 0u; i < 6u; i++)
		part.many[i / 3u][i % 3u] = x ^ i;
	return part;
}

void main()
{
	uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex, x = a[i];
	Part copy;

	if (l < 4u)
		parts[l] = make(x);
	if (l < 15u)
		grid[l % 3u][l / 3u] = l;
	if (l == 20u)
		point = vec3(1.0, 2.0, 3.0);
	barrier();
	atomicAdd(parts[l & 3u].wide, 1ul);
	atomicAdd(parts[l & 3u].many[l & 1u][l % 3u], 100u);
	atomicMax(grid[l % 3u][x % 5u], 20u);
	if (l == 21u)
		point.y = 7.0;
	own[x & 3u][x % 3u] = x;
	own[l & 3u] = uint[3](1u, 2u, x);
	barrier();
	copy = parts[(l + 1u) & 3u];
	results[5u * i] = uint(copy.wide >> 20) ^ uint(copy.wide & 0xfffffu) + uint(copy.yes);
	results[5u * i + 1u] = uint(copy.narrow.y) + uint(copy.m[0].x * 10.0 + copy.m[1].y);
	results[5u * i + 2u] = copy.many[0][0] + copy.many[0][1] + copy.many[0][2] + copy.many[1][0] + copy.many[1][1] + copy.many[1][2];
	results[5u * i + 3u] = grid[x % 3u][l % 5u] + uint(dot(point, vec3(1.0, 10.0, 100.0)));
	results[5u * i + 4u] = own[x & 3u][l % 3u] + own[(x + 1u) & 3u][2];
}
