#version 450
// SPDX-License-Identifier: MIT
// Nested loops that lanes leave at different times, switches with fallthrough, early returns,
// parameters that are written.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { uint value[]; };
layout(std430, binding = 1) buffer Sums { uint sums[4]; };
layout(std430, binding = 2) writeonly buffer Results { uint results[]; };
shared uint turns;

uint pick(uint x, inout uint history)
{
	switch (x & 7u) {
	case 0u:
		return 10u;
	case 1u:
		history += 1u;
	case 2u:
	case 5u:
		history += 2u;
		break;
	case 7u:
		history *= 3u;
		if (x > 100u)
			return history;
	default:
		history ^= 0x80u;
	}
	return history + x;
}

uint nest(uint x)
{
	uint total = 0u, rounds = x % 5u;

	for (uint i = 0u; i < 6u; i++) {
		if (i == rounds)
			continue;
		uint j = x & 3u;
		while (true) {
			total += i * j + 1u;
			if (total % 7u == 3u) {
				j += 2u;
				continue;
			}
			if (++j > 5u)
				break;
			for (int k = 3; k > 0; k--) {
				total += uint(k);
				if ((total & 15u) == 9u)
					return total + 1000u;
				if ((total & 3u) == 1u)
					break;
			}
		}
		do {
			total ^= 5u;
		} while ((total & 4u) != 0u && total > 40u);
		if (total > 300u)
			break;
	}
	return total;
}

void main()
{
	uint i = gl_GlobalInvocationID.x, history = i, a = 1u, b = value[i];

	results[3u * i] = pick(value[i], history);
	results[3u * i + 1u] = history + nest(value[i]);
	/* Each iteration uses the values of both before it. */
	for (uint n = value[i] % 12u; n > 0u; n--) {
		uint c = a;

		a = b;
		b = c;
		if ((n & 3u) == 2u)
			a += n;
	}
	results[3u * i + 2u] = a * 3u + b;
	if (gl_LocalInvocationIndex == 0u)
		turns = 0u;
	barrier();
	for (uint n = 0u; n < 4u; n++) {
		if (turns == n * 64u)
			atomicAdd(sums[n], value[i]);
		barrier();
		atomicAdd(turns, 1u);
		barrier();
	}
}
