#version 450
// SPDX-License-Identifier: MIT
// Integers of 8, 16 and 64 bits in memory and in arithmetic; a push constant that points to memory
// with 64-bit atomics.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { int64_t least; uint64_t mask; double sum; float part[2]; Node next; };
layout(std430, binding = 0) readonly buffer Bytes { int8_t bytes[]; };
layout(std430, binding = 1) readonly buffer Words { uint16_t words[]; };
layout(std430, binding = 2) writeonly buffer Results { int16_t results[]; };
layout(std430, binding = 3) writeonly buffer More { uint8_t more[]; };
layout(std430, binding = 5) writeonly buffer Wide { int64_t wide[]; };
layout(push_constant) uniform Push { Node node; };
shared uint8_t small[32];

void main()
{
	uint i = gl_GlobalInvocationID.x;
	int8_t b = bytes[i];
	uint16_t w = words[i];
	int64_t x = int64_t(b) * int64_t(w) << 20;

	small[gl_LocalInvocationIndex] = uint8_t(b);
	barrier();
	results[i] = int16_t(int16_t(b) * int16_t(w)) / int16_t(3) - int16_t(w >> 3);
	more[i] = small[31u - gl_LocalInvocationIndex] + uint8_t(w);
	wide[i] = x / int64_t(7) + x % int64_t(1000) - (x >> 5) + int64_t(uint64_t(x) / 3ul) + (x < 0 ? -1l : 1l);
	atomicMin(node.least, x);
	atomicOr(node.mask, 1ul << (w & 63us));
	atomicAdd(node.sum, double(b));
	atomicAdd(node.part[i & 1u], float(b));
	if (i == 5u)
		node.next = Node(uint64_t(node) + 64ul);
}
