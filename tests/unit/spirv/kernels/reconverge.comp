#version 450
// SPDX-License-Identifier: MIT
// Lanes that diverge for a long time, with and without waits for the device, reconverge after the
// construct.
#extension GL_EXT_subgroup_uniform_control_flow : enable
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) buffer D { uint d[4]; };
layout(std430, binding = 2) writeonly buffer Results { uint results[]; };

uint at;

/* 0 unless all lanes of the subgroup are active, with lane 0 as the first. */
void together()
{
	results[at++] = subgroupBallotBitCount(subgroupBallot(true)) * 2u + (subgroupElect() == (gl_SubgroupInvocationID == 0u) ? 1u : 0u);
}

uint turns(uint count, uint x)
{
	for (uint i = 0u; i < count; i++) {
		x = x * 1664525u + 1013904223u;
		if (x == 12345u && i > 5000u)
			return i;
	}
	return x | 1u;
}

void main()
[[subgroup_uniform_control_flow]]
{
	uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID, x = a[i];

	at = i * 8u;
	/* One lane leaves at a time, each turn waits for the device. */
	while (!subgroupElect())
		x = atomicExchange(d[0], x);
	together();
	/* Turns without a wait, more of them the higher the lane. */
	for (uint n = 0u; n < lane * 50u; n++)
		x = x * 5u + n;
	together();
	x ^= turns(1000u * (lane & 3u), x);
	together();
	switch (lane % 5u) {
	case 0u:
		x += turns(3000u, x);
	case 1u:
		break;
	case 2u:
		for (uint n = 0u; n < 40u; n++) {
			x = atomicAdd(d[1], 1u);
			if (n == lane)
				break;
		}
		break;
	default:
		do {
			x = atomicOr(d[2], 1u << lane);
		} while (bitCount(x) < 2u);
	}
	together();
	if (lane > 3u) {
		for (uint n = 0u; n < 700u; n++) {
			if ((n ^ lane) % 31u == 30u)
				continue;
			x += turns(n & 3u, x);
			if (n == lane * 20u)
				break;
		}
	}
	together();
	results[at] = x | 1u;
}
