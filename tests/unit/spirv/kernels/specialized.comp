#version 450
// SPDX-License-Identifier: MIT
// Specialization constants, values calculated from them, and a workgroup size that they set.
layout(local_size_x_id = 3, local_size_y_id = 4, local_size_z = 2) in;
layout(constant_id = 0) const uint COUNT = 5;
layout(constant_id = 1) const bool TWICE = true;
layout(constant_id = 2) const float SCALE = 2.5;
layout(constant_id = 5) const int LOW = -7;
const uint ROOM = COUNT * 2u + (TWICE ? 3u : 1u);
const int HALF = LOW / 2, REST = LOW % 4;
const uvec3 SIZE = gl_WorkGroupSize * 3u;
layout(std430, binding = 0) buffer Results { int results[16]; };
shared uint room[ROOM];

void main()
{
	uint all = gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z;

	for (uint i = gl_LocalInvocationIndex; i < room.length(); i += all)
		room[i] = i;
	barrier();
	atomicAdd(results[0], int(room[gl_LocalInvocationIndex % ROOM]));
	atomicAdd(results[1], 1);
	if (gl_LocalInvocationIndex != 0u)
		return;
	results[2] = int(ROOM);
	results[3] = HALF;
	results[4] = REST;
	results[5] = int(SIZE.x * 10000u + SIZE.y * 100u + SIZE.z);
	results[6] = int(SCALE * float(COUNT));
	results[7] = TWICE ? LOW : int(COUNT);
	results[8] = (LOW >> 1) + int(COUNT << 2) + (LOW & 15) + (LOW ^ 3) + int(~COUNT) + (LOW < 3 && TWICE ? 100 : 0);
}
