#version 450
// SPDX-License-Identifier: MIT
// Every operation on 32-bit integers, on vectors of them, and conversions.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) readonly buffer B { uint b[]; };
layout(std430, binding = 2) writeonly buffer Results { uint results[]; };

uint at;

void put(uint value)
{
	results[at++] = value;
}

void main()
{
	uint i = gl_GlobalInvocationID.x, x = a[i], y = b[i], high, low, carry;
	int s = int(x), t = int(y), shigh, slow;
	uvec4 v = uvec4(x, y, x ^ y, 7u), w = v.wzyx;
	bvec4 less = lessThan(v, w);

	at = 40u * i;
	put(x + y);
	put(x - y);
	put(x * y);
	put(x / (y | 1u));
	put(x % (y | 1u));
	put(uint(s / (t | 1)));
	put(uint((s & 0xffff) % ((t & 0xff) + 1)));
	put(uint(-s));
	put(~x);
	put(x & y);
	put(x | y);
	put(x ^ y);
	put(x << (y & 31u));
	put(x >> (y & 31u));
	put(uint(s >> (y & 31u)));
	put(uint(x == y) | uint(x != y) << 1 | uint(x < y) << 2 | uint(x <= y) << 3 | uint(x > y) << 4 | uint(x >= y) << 5);
	put(uint(s < t) | uint(s <= t) << 1 | uint(s > t) << 2 | uint(s >= t) << 3);
	put(uaddCarry(x, y, carry));
	put(carry);
	put(usubBorrow(x, y, carry));
	put(carry);
	umulExtended(x, y, high, low);
	put(high ^ low);
	imulExtended(s, t, shigh, slow);
	put(uint(shigh) + uint(slow));
	put(bitfieldExtract(x, int(y & 15u), int(y >> 4 & 15u)));
	put(uint(bitfieldExtract(s, int(y & 15u), int(y >> 4 & 15u))));
	put(bitfieldInsert(x, y, int(y & 15u), int(y >> 4 & 15u)));
	put(bitfieldReverse(x));
	put(uint(bitCount(x)));
	put(uint(findLSB(x)));
	put(uint(findMSB(x)));
	put(uint(findMSB(s)));
	put(uint(abs(s)));
	put(uint(sign(s)));
	put(min(x, y) ^ max(x, y));
	put(uint(min(s, t)) - uint(max(s, t)) * 3u);
	put(clamp(x, 1000u, 3000000000u) + uint(clamp(s, -1000, 1000)));
	put(uint(any(less)) | uint(all(less)) << 1 | uint(all(not(less))) << 2 | uint(less.x && !less.y || less.z) << 3 | uint(less.x ^^ less.w) << 4 | uint(less.x == less.y) << 5);
	v = mix(v, w, less) * 3u + w.yxwz;
	v[y & 3u] = 9u;
	put(v[x & 3u] + v.x);
	put(uint(float(x & 0xffffffu)) + uint(int(float(s >> 9))));
	put(uint(dot(vec4(v & 255u), vec4(w & 255u))));
}
