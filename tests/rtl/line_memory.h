// SPDX-License-Identifier: Apache-2.0
//
// Lines of memory for testbenches, and their initial content.
#pragma once

#include <cstdint>
#include <cstring>
#include <unordered_map>

// Bytes of a line of the build (parameter LineBytes)
#ifndef LINE_BYTES
#define LINE_BYTES 64
#endif

struct Line {
	uint8_t b[LINE_BYTES];
};

/// The item of @p size bytes at byte @p at, little-endian.
inline uint64_t get(const Line &line, unsigned at, unsigned size)
{
	uint64_t x = 0;

	memcpy(&x, line.b + at, size);
	return x;
}

/// Stores it.
inline void put(Line &line, unsigned at, unsigned size, uint64_t x)
{
	memcpy(line.b + at, &x, size);
}

static constexpr unsigned kLineBytes = LINE_BYTES;
/// The strobes of a whole line.
static constexpr uint64_t kLineMask = ~0ull >> (64 - LINE_BYTES);
/// Bits of a line's number: those of the address above the place in the line.
static constexpr unsigned kLineBits = LINE_BYTES == 16 ? 48 : LINE_BYTES == 32 ? 47 : 46;

/// A pseudo-random function of @p x.
inline uint64_t hash(uint64_t x)
{
	x = (x ^ x >> 31) * 0x7fb5d329728ea185ull;
	x = (x ^ x >> 27) * 0x81dadef4bc2dd44dull;
	return x ^ x >> 33;
}

/// The initial content of memory; all images begin with it.
inline Line &line_of(std::unordered_map<uint64_t, Line> &lines, uint64_t la)
{
	auto found = lines.find(la);

	if (found != lines.end())
		return found->second;
	Line &line = lines[la];
	for (unsigned i = 0; i < LINE_BYTES; i += 8) {
		uint64_t x = hash(la * (LINE_BYTES / 8) + i / 8);
		if (x & 1)
			x &= 0x0000000300000003ull;
		memcpy(line.b + i, &x, 8);
	}
	return line;
}
