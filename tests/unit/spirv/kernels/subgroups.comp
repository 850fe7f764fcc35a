#version 450
// SPDX-License-Identifier: MIT
// Operations between the lanes of a warp, with all lanes and with some inactive.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { int a[]; };
layout(std430, binding = 1) writeonly buffer Results { int results[]; };
layout(std430, binding = 2) buffer Sum { int sum; };

int at;

void put(int value)
{
	results[at++] = value;
}

void main()
{
	int i = int(gl_GlobalInvocationID.x), x = a[i];

	at = 40 * i;
	put(subgroupAdd(x));
	put(subgroupExclusiveAdd(x));
	put(subgroupInclusiveAdd(x));
	put(subgroupMin(x) * 3 + subgroupMax(x));
	put(int(subgroupMin(uint(x)) + subgroupMax(uint(x))));
	put(subgroupClusteredAdd(x, 8u));
	put(subgroupShuffle(x, gl_SubgroupInvocationID ^ 5u));
	put(subgroupShuffleXor(x, 3u));
	int up = subgroupShuffleUp(x, 2u), down = subgroupShuffleDown(x, 3u);

	put(gl_SubgroupInvocationID >= 2u ? up : 0);
	put(gl_SubgroupInvocationID < 28u ? down : 0);
	put(subgroupBroadcast(x, 9u) + subgroupBroadcastFirst(x));
	put(subgroupQuadBroadcast(x, 1u) + subgroupQuadSwapHorizontal(x) * 2 + subgroupQuadSwapVertical(x) * 3 + subgroupQuadSwapDiagonal(x) * 5);
	put(int(subgroupAll(x > -1000)) + int(subgroupAny(x > 900)) * 2 + int(subgroupAllEqual(gl_SubgroupID)) * 4 + int(subgroupAllEqual(x)) * 8);
	put(int(gl_SubgroupSize * 1000u + gl_NumSubgroups * 100u + gl_SubgroupID * 10u));
	put(int(gl_SubgroupLtMask.x + gl_SubgroupEqMask.x * 2u));
	put(int(gl_SubgroupGeMask.x ^ gl_SubgroupGtMask.x) - int(gl_SubgroupLeMask.x));
	put(int(subgroupAdd(float(x & 7)) * 2.0 + subgroupMax(float(x)) + subgroupMin(float(x))));
	put(subgroupAnd(x) ^ subgroupOr(x) ^ subgroupXor(x));
	put(int(subgroupMul(float(1 + (x & 1)))));
	put(subgroupMul(x | 1));
	if ((x & 1) == 0) {
		uvec4 ballot = subgroupBallot(x > 0);

		put(int(ballot.x));
		put(int(subgroupBallotBitCount(ballot) * 10000u + subgroupBallotExclusiveBitCount(ballot) * 100u + subgroupBallotInclusiveBitCount(ballot)));
		put(int(subgroupBallotFindLSB(ballot) * 100u + subgroupBallotFindMSB(ballot)));
		put(int(subgroupInverseBallot(ballot)) + int(subgroupBallotBitExtract(ballot, 11u)) * 2);
		put(subgroupAdd(1));
		put(subgroupInclusiveAdd(x));
		if (subgroupElect())
			atomicAdd(sum, subgroupAdd(0) + 1);
		put(int(subgroupExclusiveMin(x) / 4));
		put(int(subgroupAnd(x > 0)) + int(subgroupOr(x > 0)) * 2 + int(subgroupXor(x > 0)) * 4);
	} else {
		put(subgroupAdd(x));
	}
	subgroupBarrier();
	subgroupMemoryBarrierBuffer();
}
