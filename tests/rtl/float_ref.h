// SPDX-License-Identifier: Apache-2.0
//
// The specification of ADD, MIN and MAX on floating-point formats, for testbenches, and operands
// that are likely to reveal errors. No method is shared with the hardware: F32 and F64 sums are the
// host's, those of 16 bits come from a double that is rounded to odd and then once to the format.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

namespace float_ref {

struct Format {
	const char *name;
	int bits, exp_bits, man_bits;

	uint64_t sign() const
	{
		return 1ull << (bits - 1);
	}
	uint64_t man_mask() const
	{
		return (1ull << man_bits) - 1;
	}
	uint64_t exp_max() const
	{
		return (1ull << exp_bits) - 1;
	}
	uint64_t exp(uint64_t x) const
	{
		return x >> man_bits & exp_max();
	}
	uint64_t pack(bool negative, uint64_t exponent, uint64_t man) const
	{
		return (negative ? sign() : 0) | exponent << man_bits | (man & man_mask());
	}
	bool is_nan(uint64_t x) const
	{
		return exp(x) == exp_max() && (x & man_mask());
	}
	uint64_t nan() const
	{
		return pack(false, exp_max(), 1ull << (man_bits - 1));
	}
	uint64_t flush(uint64_t x, bool ftz) const
	{
		return ftz && !exp(x) ? x & sign() : x;
	}
};

static const Format formats[] = { { "F64", 64, 11, 52 },
				  { "F32", 32, 8, 23 },
				  { "F16", 16, 5, 10 },
				  { "BF16", 16, 8, 7 } };
static const Format &f64 = formats[0], &f32 = formats[1], &f16 = formats[2], &bf16 = formats[3];

/// Exact value of a number that is no NaN.
inline double value(const Format &f, uint64_t x)
{
	int e = (int)f.exp(x), bias = (1 << (f.exp_bits - 1)) - 1;
	double man = (double)(x & f.man_mask()), sign = x & f.sign() ? -1 : 1;

	if (e == (int)f.exp_max())
		return sign * INFINITY;
	return sign * std::ldexp(e ? man + (double)(f.man_mask() + 1) : man,
				 (e ? e : 1) - bias - f.man_bits);
}

/// The number nearest to v, ties to even; v has no rounding error, or is rounded to odd.
inline uint64_t nearest(const Format &f, double v)
{
	int bias = (1 << (f.exp_bits - 1)) - 1, e = 0;
	bool negative = std::signbit(v);

	if (std::isinf(v))
		return f.pack(negative, f.exp_max(), 0);
	std::frexp(v, &e);
	int exponent = v == 0 || e - 1 < 1 - bias ? 1 - bias : e - 1;
	double units = std::nearbyint(std::ldexp(std::fabs(v), f.man_bits - exponent));
	// A carry out of the fraction increments the exponent, up to infinity.
	uint64_t packed = (uint64_t)units + ((uint64_t)(exponent + bias - 1) << f.man_bits);
	if (packed >> f.man_bits >= f.exp_max())
		packed = f.exp_max() << f.man_bits;
	return packed | (negative ? f.sign() : 0);
}

/// Sum of two doubles, rounded to odd.
inline double add_to_odd(double a, double b)
{
	double s = a + b, t = s - a, error = (a - (s - t)) + (b - t);
	uint64_t bits;

	memcpy(&bits, &s, 8);
	if (std::isfinite(s) && error != 0 && !(bits & 1))
		s = std::nextafter(s, error > 0 ? INFINITY : -INFINITY);
	return s;
}

inline uint64_t add(const Format &f, uint64_t a, uint64_t b, bool ftz)
{
	uint64_t r = 0;

	a = f.flush(a, ftz);
	b = f.flush(b, ftz);
	if (f.is_nan(a) || f.is_nan(b))
		return f.nan();
	if (f.bits == 64) {
		double x, y;
		memcpy(&x, &a, 8);
		memcpy(&y, &b, 8);
		x += y;
		memcpy(&r, &x, 8);
	} else if (f.bits == 32) {
		float x, y;
		memcpy(&x, &a, 4);
		memcpy(&y, &b, 4);
		x += y;
		memcpy(&r, &x, 4);
	} else {
		double s = add_to_odd(value(f, a), value(f, b));
		r = std::isnan(s) ? f.nan() : nearest(f, s);
	}
	return f.is_nan(r) ? f.nan() : f.flush(r, ftz);
}

/// The lesser (max: the greater) of two.
inline uint64_t best(const Format &f, uint64_t a, uint64_t b, bool ftz, bool max)
{
	a = f.flush(a, ftz);
	b = f.flush(b, ftz);
	if (f.is_nan(a))
		return f.is_nan(b) ? f.nan() : b;
	if (f.is_nan(b))
		return a;
	double x = value(f, a), y = value(f, b);
	bool less = x == y ? a & f.sign() : x < y;
	return less == max ? b : a;
}

/// Both halves of a word of 32 bits.
inline uint64_t add_x2(const Format &f, uint64_t a, uint64_t b, bool ftz)
{
	return add(f, a & 0xffff, b & 0xffff, ftz) | add(f, a >> 16 & 0xffff, b >> 16 & 0xffff, ftz)
							     << 16;
}

inline uint64_t best_x2(const Format &f, uint64_t a, uint64_t b, bool ftz, bool max)
{
	return best(f, a & 0xffff, b & 0xffff, ftz, max) |
	       best(f, a >> 16 & 0xffff, b >> 16 & 0xffff, ftz, max) << 16;
}

template <typename Rng> uint64_t special(const Format &f, Rng &rng)
{
	bool negative = rng() & 1;
	uint64_t top = f.exp_max();

	switch (rng() % 9) {
	case 0:
		return f.pack(negative, 0, 0);
	case 1:
		return f.pack(negative, 0, 1);
	case 2:
		return f.pack(negative, 0, f.man_mask());
	case 3:
		return f.pack(negative, 1, 0);
	case 4:
		return f.pack(negative, top - 1, f.man_mask());
	case 5:
		return f.pack(negative, top, 0);
	case 6: // quiet, signalling and other NaNs
		return f.pack(negative, top, 1ull << (f.man_bits - 1));
	case 7:
		return f.pack(negative, top, 1);
	default:
		return f.pack(negative, top, rng() | 1);
	}
}

/// A fraction with long runs or few bits, so that sums are often ties.
template <typename Rng> uint64_t sparse(const Format &f, Rng &rng)
{
	uint64_t one = 1ull << rng() % (unsigned)(f.man_bits + 1);

	switch (rng() % 5) {
	case 0:
		return one;
	case 1:
		return one - 1;
	case 2:
		return ~(one - 1);
	case 3:
		return one | 1ull << rng() % (unsigned)f.man_bits;
	default:
		return rng();
	}
}

/// A number whose exponent differs from `exponent` by at most about `spread`.
template <typename Rng>
uint64_t near(const Format &f, Rng &rng, int64_t exponent, int spread, uint64_t man)
{
	int64_t e = exponent - spread + (int64_t)(rng() % (unsigned)(2 * spread + 1));
	int64_t top = (int64_t)f.exp_max() - 1;

	return f.pack(rng() & 1, (uint64_t)(e < 0 ? 0 : e > top ? top : e), man);
}

template <typename Rng> void random_terms(const Format &f, Rng &rng, uint64_t *a, uint64_t *b)
{
	uint64_t mask = f.sign() | (f.sign() - 1);

	*a = rng() & mask;
	*b = rng() & mask;
	switch (rng() % 8) {
	case 0:
		break;
	case 1: // overlapping fractions
		*b = near(f, rng, (int64_t)f.exp(*a), f.man_bits + 3, rng());
		break;
	case 2: // cancellation
		*b = (*a ^ f.sign()) + (rng() & 15) - 8;
		*b &= mask;
		break;
	case 3: // cancellation of neighbours, few bits left
		*b = near(f, rng, (int64_t)f.exp(*a), 1, sparse(f, rng));
		break;
	case 4: // denormals and the least normals
		*a = near(f, rng, 1, 2, sparse(f, rng));
		*b = near(f, rng, 1, 2, sparse(f, rng));
		break;
	case 5: // ties
		*a = f.pack(rng() & 1, f.exp(*a), sparse(f, rng));
		*b = near(f, rng, (int64_t)f.exp(*a) - f.man_bits - 1, 2, sparse(f, rng));
		break;
	case 6: // overflow
		*a = near(f, rng, (int64_t)f.exp_max() - 2, 2, sparse(f, rng));
		*b = near(f, rng, (int64_t)f.exp_max() - 2, 2, sparse(f, rng));
		break;
	default:
		*a = special(f, rng);
		if (rng() & 1)
			*b = special(f, rng);
		break;
	}
	if (rng() & 1)
		std::swap(*a, *b);
}

} // namespace float_ref
