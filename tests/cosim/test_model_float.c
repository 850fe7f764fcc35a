// SPDX-License-Identifier: MIT
/*
 * The model's floating-point functions against integer arithmetic that depends only on the widths
 * of a format. Numbers are multiples of the format's least denormal; sums are exact in long
 * integers and rounded once. Pairs: all special values with each other, sums around ties, random
 * ones. ``--pairs=N`` sets the number of random pairs of a format.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#include "fixture.h"

#define DEFAULT_PAIRS 200000

/*
 * Limbs of a long integer: 2^2098 is above any sum of two binary64 in units of the least denormal.
 */
#define LIMBS 34

/* struct format - widths of a format */
struct format {
	enum faa_type type;
	unsigned int exponent_bits;
	unsigned int fraction_bits;
};

static const struct format formats[] = {
	{ FAA_TYPE_F16X2, 5, 10 },
	{ FAA_TYPE_BF16X2, 8, 7 },
	{ FAA_TYPE_F32, 8, 23 },
	{ FAA_TYPE_F64, 11, 52 },
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

/* struct integer - a long integer with a sign; limbs from the least */
struct integer {
	bool negative;
	/* Limbs that a sum in the format may need. */
	unsigned int size;
	uint64_t limbs[LIMBS];
};

static uint64_t pairs_wanted = DEFAULT_PAIRS;

static unsigned int bits_of(const struct format *f)
{
	return 1 + f->exponent_bits + f->fraction_bits;
}

static uint64_t sign_of(const struct format *f)
{
	return 1ULL << (bits_of(f) - 1);
}

static uint64_t infinity_of(const struct format *f)
{
	return ((1ULL << f->exponent_bits) - 1) << f->fraction_bits;
}

static bool nan_in(const struct format *f, uint64_t x)
{
	return (x & ~sign_of(f)) > infinity_of(f);
}

static uint64_t quiet_nan(const struct format *f)
{
	return infinity_of(f) | 1ULL << (f->fraction_bits - 1);
}

/* A finite number in units of the least denormal. */
static struct integer integer_of(const struct format *f, uint64_t x)
{
	struct integer n = { .negative = x & sign_of(f) };
	unsigned int bits = (1u << f->exponent_bits) + f->fraction_bits + 1;
	uint64_t fraction = x & ((1ULL << f->fraction_bits) - 1);
	unsigned int exponent = (x & ~sign_of(f)) >> f->fraction_bits, shift = 0;

	n.size = bits / 64 + 1;
	if (exponent) {
		fraction |= 1ULL << f->fraction_bits;
		shift = exponent - 1;
	}
	n.limbs[shift / 64] = fraction << shift % 64;
	if (shift % 64)
		n.limbs[shift / 64 + 1] = fraction >> (64 - shift % 64);
	return n;
}

static int compare_magnitudes(const struct integer *a, const struct integer *b)
{
	for (unsigned int i = a->size; i-- > 0;)
		if (a->limbs[i] != b->limbs[i])
			return a->limbs[i] > b->limbs[i] ? 1 : -1;
	return 0;
}

static struct integer add_integers(struct integer a, struct integer b)
{
	struct integer sum;
	unsigned __int128 carry = 0;

	if (compare_magnitudes(&a, &b) < 0) {
		sum = a;
		a = b;
		b = sum;
	}
	sum = a;
	for (unsigned int i = 0; i < a.size; i++) {
		/* Subtraction adds the complement. */
		uint64_t limb = a.negative == b.negative ? b.limbs[i] : ~b.limbs[i];

		if (i == 0)
			carry = a.negative != b.negative;
		carry += (unsigned __int128)a.limbs[i] + limb;
		sum.limbs[i] = (uint64_t)carry;
		carry >>= 64;
	}
	return sum;
}

static bool bit(const struct integer *n, unsigned int i)
{
	return n->limbs[i / 64] >> i % 64 & 1;
}

static bool any_bit_below(const struct integer *n, unsigned int i)
{
	while (i-- > 0)
		if (bit(n, i))
			return true;
	return false;
}

/* Rounds to the format: to nearest, ties to even. The sign is that of the integer, also of 0. */
static uint64_t round_integer(const struct format *f, const struct integer *n)
{
	unsigned int top = 64 * n->size, drop;
	uint64_t x = 0;

	while (top && !bit(n, top - 1))
		top--;
	drop = top > f->fraction_bits + 1 ? top - f->fraction_bits - 1 : 0;
	for (unsigned int i = top; i-- > drop;)
		x = x << 1 | bit(n, i);
	/* The leading bit of a normal number adds one to the exponent. */
	x += (uint64_t)drop << f->fraction_bits;
	if (drop && bit(n, drop - 1) && ((x & 1) || any_bit_below(n, drop - 1)))
		x++;
	if (x > infinity_of(f))
		x = infinity_of(f);
	return x | (n->negative ? sign_of(f) : 0);
}

static uint64_t flushed(const struct format *f, bool ftz, uint64_t x)
{
	if (ftz && !(x & infinity_of(f)))
		return x & sign_of(f);
	return x;
}

static uint64_t reference_sum(const struct format *f, bool ftz, uint64_t a, uint64_t b)
{
	uint64_t infinity = infinity_of(f), sign = sign_of(f);
	struct integer sum;

	a = flushed(f, ftz, a);
	b = flushed(f, ftz, b);
	if (nan_in(f, a) || nan_in(f, b) || ((a & ~sign) == infinity && b == (a ^ sign)))
		return quiet_nan(f);
	if ((a & ~sign) == infinity)
		return a;
	if ((b & ~sign) == infinity)
		return b;
	sum = add_integers(integer_of(f, a), integer_of(f, b));
	if (!any_bit_below(&sum, 64 * sum.size))
		return a & b & sign;
	return flushed(f, ftz, round_integer(f, &sum));
}

/* Maps patterns to the order of numbers: sign and magnitude with -0 below +0. */
static int64_t rank(const struct format *f, uint64_t x)
{
	int64_t magnitude = (int64_t)(x & ~sign_of(f));

	return x & sign_of(f) ? -1 - magnitude : magnitude;
}

static uint64_t reference_extreme(const struct format *f, bool most, bool ftz, uint64_t a,
				  uint64_t b)
{
	a = flushed(f, ftz, a);
	b = flushed(f, ftz, b);
	if (nan_in(f, a))
		return nan_in(f, b) ? quiet_nan(f) : b;
	if (nan_in(f, b))
		return a;
	return (rank(f, a) < rank(f, b)) != most ? a : b;
}

static uint64_t reference(const struct format *f, enum fp_op op, bool ftz, uint64_t a, uint64_t b)
{
	if (op == FP_ADD)
		return reference_sum(f, ftz, a, b);
	if (op == FP_SUB)
		return reference_sum(f, ftz, a, b ^ sign_of(f));
	return reference_extreme(f, op == FP_MAX, ftz, a, b);
}

/* All operations on a pair; formats of 16 bits in the lower half, and b, a in the upper. */
static void check_pair(const struct format *f, uint64_t a, uint64_t b)
{
	bool halves = bits_of(f) == 16;

	for (unsigned int i = 0; i < 8; i++) {
		enum fp_op op = i / 2;
		bool ftz = i % 2;
		uint64_t right = reference(f, op, ftz, a, b), got;

		if (halves)
			right |= reference(f, op, ftz, b, a) << 16;
		got = fp_operate(f->type, op, ftz, halves ? a | b << 16 : a,
				 halves ? b | a << 16 : b);
		if (got != right)
			fail_msg("type %u, operation %u%s, 0x%" PRIx64 " and 0x%" PRIx64
				 ": 0x%" PRIx64 " instead of 0x%" PRIx64,
				 f->type, op, ftz ? " with FTZ" : "", a, b, got, right);
	}
}

/* Patterns at every boundary of the format: bounds of exponents and fractions. */
static unsigned int special_patterns(const struct format *f, uint64_t patterns[400])
{
	uint64_t infinity = infinity_of(f), one = 1ULL << f->fraction_bits;
	const uint64_t middles[] = { 0,
				     one,
				     2 * one,
				     one / 2,
				     infinity,
				     infinity - one,
				     infinity | one / 2,
				     infinity / 2 & ~(one - 1),
				     (infinity / 2 & ~(one - 1)) + one,
				     (infinity / 2 & ~(one - 1)) - f->fraction_bits * one,
				     infinity - (f->fraction_bits + 2) * one,
				     (f->fraction_bits + 1) * one,
				     sign_of(f) };
	unsigned int n = 0;

	for (unsigned int i = 0; i < sizeof(middles) / sizeof(middles[0]); i++) {
		for (int delta = -3; delta <= 3; delta++) {
			uint64_t x = (middles[i] + (uint64_t)(int64_t)delta) & (2 * sign_of(f) - 1);

			patterns[n++] = x;
			patterns[n++] = x ^ sign_of(f);
		}
	}
	return n;
}

static void special_pairs(void **state)
{
	uint64_t patterns[400];

	(void)state;
	for (unsigned int i = 0; i < FORMATS; i++) {
		unsigned int n = special_patterns(&formats[i], patterns);

		for (unsigned int j = 0; j < n * n; j++)
			check_pair(&formats[i], patterns[j / n], patterns[j % n]);
	}
}

/* A random pair whose exponents are near each other, or not, with few or many fraction bits. */
static void random_pair(const struct format *f, uint64_t *seed, uint64_t *a, uint64_t *b)
{
	uint64_t mask = 2 * sign_of(f) - 1, random = test_random(seed);
	uint64_t fraction = (1ULL << f->fraction_bits) - 1;

	*a = test_random(seed) & mask;
	*b = test_random(seed) & mask;
	if (random & 1)
		*b = (*a & ~fraction & ~sign_of(f)) ^ (*b & (fraction | sign_of(f)));
	if (random & 2)
		*b = (*b - ((random >> 8 & 63) << f->fraction_bits)) & mask;
	/* Only some leading or only some trailing bits: ties. */
	if (random & 4)
		*b &= ~(fraction >> (random >> 16 & 63) % f->fraction_bits);
	if (random & 8)
		*a |= fraction >> (random >> 24 & 63) % f->fraction_bits;
}

static void random_pairs(void **state)
{
	uint64_t seed = 2026, a, b;

	(void)state;
	for (unsigned int i = 0; i < FORMATS; i++) {
		/* Long integers are slow, so the wide format gets fewer pairs. */
		uint64_t n = formats[i].type == FAA_TYPE_F64 ? pairs_wanted / 8 : pairs_wanted;

		for (uint64_t j = 0; j < n; j++) {
			random_pair(&formats[i], &seed, &a, &b);
			check_pair(&formats[i], a, b);
		}
	}
}

/* F32 comparisons equal those of the same numbers as F64. */
static void values_compare_like_integers(void **state)
{
	static const struct format *const wide[] = { &formats[2], &formats[3] };
	uint64_t patterns[400];

	(void)state;
	for (unsigned int i = 0; i < 2; i++) {
		unsigned int n = special_patterns(wide[i], patterns);

		for (unsigned int j = 0; j < n * n; j++) {
			uint64_t a = patterns[j / n], b = patterns[j % n];
			bool zeros = !((a | b) & ~sign_of(wide[i]));
			bool numbers = !nan_in(wide[i], a) && !nan_in(wide[i], b);
			double x = fp_value(wide[i]->type, a), y = fp_value(wide[i]->type, b);

			assert_int_equal(x == y, numbers && (zeros || a == b));
			assert_int_equal(x < y,
					 numbers && !zeros && rank(wide[i], a) < rank(wide[i], b));
		}
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(special_pairs),
		cmocka_unit_test(random_pairs),
		cmocka_unit_test(values_compare_like_integers),
	};

	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "--pairs=", 8))
			continue;
		pairs_wanted = strtoull(argv[i] + 8, NULL, 0);
		argv[i] = argv[--argc];
	}
	return fixture_main(argc, argv, "model-float", tests, sizeof(tests) / sizeof(tests[0]));
}
