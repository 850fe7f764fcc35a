// SPDX-License-Identifier: MIT
/* Exact sums: the rounding against an independent sum of long integers, and sums on the model. */
#include "check.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "device.h"
#include "faa_exact.h"
#include "faa_model.h"
#include "fake_kernel.h"
#include "fixture_fake.h"

/* ------------------------------------------------------------------------------------------------
 * Long integers: digits of 32 bits in units of 2^-150; the top digit has the sign.
 */

#define DIGITS 12
#define UNIT   (-150)

struct longint {
	int64_t digit[DIGITS];
};

static void longint_carry(struct longint *a)
{
	unsigned int i;

	for (i = 0; i + 1 < DIGITS; i++) {
		int64_t low = a->digit[i] & 0xffffffff;

		a->digit[i + 1] += (a->digit[i] - low) / ((int64_t)1 << 32);
		a->digit[i] = low;
	}
}

/* @a += @value * 2^@exponent, which is a multiple of the unit. */
static void longint_add(struct longint *a, int64_t value, int exponent)
{
	unsigned int at = exponent - UNIT, sign = value < 0;
	uint64_t magnitude = sign ? -(uint64_t)value : (uint64_t)value, parts[3];
	unsigned int i;

	assert_true(exponent >= UNIT);
	parts[0] = (magnitude & 0xffffffff) << at % 32;
	parts[1] = (magnitude >> 32) << at % 32;
	parts[2] = (parts[0] >> 32) + (parts[1] & 0xffffffff);
	assert_true(at / 32 + 2 < DIGITS);
	for (i = 0; i < 3; i++) {
		uint64_t part = i == 0 ? parts[0] & 0xffffffff : i == 1 ? parts[2] : parts[1] >> 32;

		a->digit[at / 32 + i] += sign ? -(int64_t)part : (int64_t)part;
	}
	longint_carry(a);
}

/* A finite number, by its fraction and exponent. */
static void longint_add_double(struct longint *a, double value)
{
	int exponent;
	int64_t significand = (int64_t)ldexp(frexp(value, &exponent), 53);

	exponent -= 53;
	while (exponent < UNIT) {
		assert_int_equal(significand % 2, 0);
		significand /= 2;
		exponent++;
	}
	longint_add(a, significand, exponent);
}

static int longint_sign(const struct longint *a)
{
	int i;

	if (a->digit[DIGITS - 1] < 0)
		return -1;
	for (i = 0; i < DIGITS; i++)
		if (a->digit[i])
			return 1;
	return 0;
}

/* |a - value| */
static struct longint longint_distance(const struct longint *a, double value)
{
	struct longint d = *a;
	unsigned int i;

	longint_add_double(&d, -value);
	if (longint_sign(&d) < 0) {
		for (i = 0; i < DIGITS; i++)
			d.digit[i] = -d.digit[i];
		longint_carry(&d);
	}
	return d;
}

static int longint_compare(const struct longint *a, const struct longint *b)
{
	int i;

	for (i = DIGITS - 1; i >= 0; i--)
		if (a->digit[i] != b->digit[i])
			return a->digit[i] < b->digit[i] ? -1 : 1;
	return 0;
}

/* ------------------------------------------------------------------------------------------------
 * The rounding
 */

static bool is_even(bool wide, double value)
{
	float narrow = (float)value;
	uint32_t bits;
	uint64_t bits64;

	memcpy(&bits, &narrow, sizeof(bits));
	memcpy(&bits64, &value, sizeof(bits64));
	return !((wide ? bits64 : bits) & 1);
}

/* @value is the number nearest to @sum; @before and @after are its neighbours. */
static void expect_nearest(const struct longint *sum, bool wide, double value, double before,
			   double after)
{
	struct longint own = longint_distance(sum, value);
	double other[2] = { before, after };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct longint distance;
		int order;

		/* Halves of the unit, and the infinity, are further than a number that is exact. */
		if (!longint_sign(&own) || isinf(other[i]))
			continue;
		distance = longint_distance(sum, other[i]);
		order = longint_compare(&own, &distance);
		if (order > 0 || (!order && !is_even(wide, value)))
			fail_msg("%a is not the sum rounded: %a is nearer", value, other[i]);
	}
}

/* Both results of @cell are right roundings of @sum. */
static void expect_sum(const struct faa_exact_cell *cell, const struct longint *sum)
{
	struct longint zero, limit = *sum;
	struct faa_exact_sum read;
	bool inexact;

	assert_int_equal(faa_exact_read(cell, &read), 0);
	expect_nearest(sum, true, read.f64, nextafter(read.f64, -INFINITY),
		       nextafter(read.f64, INFINITY));
	zero = longint_distance(sum, read.f64);
	assert_int_equal(!!(read.flags & FAA_EXACT_INEXACT_F64), longint_sign(&zero) != 0);
	if (read.flags & FAA_EXACT_OVERFLOW_F32) {
		/* From half a step beyond the largest number on. */
		assert_true(isinf(read.f32) && !!signbit(read.f32) == (longint_sign(sum) < 0));
		longint_add_double(&limit,
				   (signbit(read.f32) ? 1 : -1) * (ldexp(1, 128) - ldexp(1, 103)));
		assert_true(longint_sign(&limit) * (signbit(read.f32) ? -1 : 1) >= 0);
		assert_true(read.flags & FAA_EXACT_INEXACT_F32);
		return;
	}
	assert_true(isfinite(read.f32));
	expect_nearest(sum, false, (double)read.f32, (double)nextafterf(read.f32, -INFINITY),
		       (double)nextafterf(read.f32, INFINITY));
	zero = longint_distance(sum, (double)read.f32);
	inexact = longint_sign(&zero) != 0;
	assert_int_equal(!!(read.flags & FAA_EXACT_INEXACT_F32), inexact);
}

static float from_bits(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Of both signs; @kind: uniform in [0, 1), 70 decades, any finite number, subnormal numbers. */
static float draw(unsigned int kind, uint64_t *seed)
{
	uint64_t bits = check_random(seed);
	float sign = bits & 1 ? -1 : 1, fraction = ldexpf((float)(bits >> 40), -24);

	switch (kind) {
	case 0:
		return sign * fraction;
	case 1:
		return sign * fraction * powf(10, (float)(bits >> 8 & 0xffff) / 0xffff * 70 - 35);
	case 2:
		return from_bits(bits >> 32 &
				 ((bits >> 55 & 255) == 255 ? 0xff7fffff : UINT32_MAX));
	default:
		return from_bits(bits >> 32 & 0x80ffffff);
	}
}

static void rounding_of_random_sums(void **state)
{
	uint64_t seed = check_seed(0x5eed00e1);
	unsigned int round, i, count;

	(void)state;
	for (round = 0; round < 4000; round++) {
		struct faa_exact_cell whole = { 0 }, parts[2] = { 0 };
		struct longint sum = { 0 };

		count = 1 + check_random(&seed) % (round % 3 ? 4 : 60);
		for (i = 0; i < count; i++) {
			float value = draw(round % 4, &seed);

			faa_exact_add_host(&whole, &value, 1);
			faa_exact_add_host(&parts[check_random(&seed) % 2], &value, 1);
			longint_add_double(&sum, (double)value);
		}
		assert_int_equal(whole.tally, count << FAA_EXACT_COUNT_SHIFT);
		expect_sum(&whole, &sum);
		faa_exact_merge(&parts[0], &parts[1]);
		assert_memory_equal(&parts[0], &whole, sizeof(whole));
	}
}

#define TINY  0x1p-149f
#define PLUS  FAA_EXACT_PLUS_INF
#define MINUS FAA_EXACT_MINUS_INF
#define BOTH  (FAA_EXACT_INEXACT_F32 | FAA_EXACT_INEXACT_F64)
#define OVER  (FAA_EXACT_OVERFLOW_F32 | FAA_EXACT_INEXACT_F32)

/* Sums that are known, the last one of each kind beside the limit. */
static const struct known_sum {
	float addends[4];
	float f32;
	double f64;
	uint32_t flags;
} known_sums[] = {
	{ { 0 }, 0, 0, 0 },
	{ { -0.0f, -0.0f }, 0, 0, 0 },
	{ { 1e30f, 1, -1e30f }, 1, 1, 0 },
	{ { FLT_MAX, TINY, -FLT_MAX, -TINY }, 0, 0, 0 },
	/* Ties: to the even of both, up and down, and beyond by the smallest number. */
	{ { 1, 0x1p-24f }, 1, 1 + 0x1p-24, FAA_EXACT_INEXACT_F32 },
	{ { 1 + 0x1p-23f, 0x1p-24f }, 1 + 0x1p-22f, 1 + 0x3p-24, FAA_EXACT_INEXACT_F32 },
	{ { 1, 0x1p-24f, TINY }, 1 + 0x1p-23f, 1 + 0x1p-24, BOTH },
	{ { 1, 0x1p-24f, -TINY }, 1, 1 + 0x1p-24, BOTH },
	{ { -1, -0x1p-24f, -TINY }, -1 - 0x1p-23f, -1 - 0x1p-24, BOTH },
	{ { 1, 0x1p-53f }, 1, 1, BOTH },
	{ { 1, 0x1p-53f, TINY }, 1, 1 + 0x1p-52, BOTH },
	/* A carry to the next power of two. */
	{ { 2 - 0x1p-23f, 0x1p-24f }, 2, 2 - 0x1p-24, FAA_EXACT_INEXACT_F32 },
	/* Subnormal numbers are exact, up to the first normal one and down again. */
	{ { TINY, TINY, TINY }, 3 * TINY, 0x3p-149, 0 },
	{ { FLT_MIN, -TINY }, FLT_MIN - TINY, 0x1p-126 - 0x1p-149, 0 },
	{ { FLT_MIN - TINY, TINY }, FLT_MIN, 0x1p-126, 0 },
	/* The largest number, half a step beyond it, and a little less. */
	{ { FLT_MAX, FLT_MAX }, INFINITY, 2 * (double)FLT_MAX, OVER },
	{ { -FLT_MAX, -FLT_MAX }, -INFINITY, -2 * (double)FLT_MAX, OVER },
	{ { FLT_MAX, 0x1p103f }, INFINITY, (double)FLT_MAX + 0x1p103, OVER },
	{ { FLT_MAX, 0x1p103f, -TINY }, FLT_MAX, (double)FLT_MAX + 0x1p103, BOTH },
	{ { FLT_MAX, FLT_MAX, -FLT_MAX }, FLT_MAX, (double)FLT_MAX, 0 },
	{ { INFINITY, 1 }, INFINITY, (double)INFINITY, PLUS },
	{ { 1, -INFINITY }, -INFINITY, (double)-INFINITY, MINUS },
	{ { INFINITY, -INFINITY, 1 }, NAN, (double)NAN, PLUS | MINUS },
	{ { NAN, 1 }, NAN, (double)NAN, FAA_EXACT_NAN },
	{ { -NAN, INFINITY }, NAN, (double)NAN, PLUS | FAA_EXACT_NAN },
};

static void rounding_of_known_sums(void **state)
{
	struct faa_exact_sum sum;
	uint32_t bits, expected;
	unsigned int i;

	(void)state;
	for (i = 0; i < COUNT(known_sums); i++) {
		const struct known_sum *known = &known_sums[i];
		struct faa_exact_cell cell = { 0 };

		faa_exact_add_host(&cell, known->addends, 4);
		assert_int_equal(faa_exact_read(&cell, &sum), 0);
		memcpy(&bits, &sum.f32, sizeof(bits));
		memcpy(&expected, &known->f32, sizeof(expected));
		if (isnan(known->f32))
			expected = 0x7fc00000;
		if (bits != expected || sum.flags != known->flags ||
		    (sum.f64 != known->f64 && !(isnan(sum.f64) && isnan(known->f64))))
			fail_msg("sum %u: %a (0x%08x, not 0x%08x), %a, flags 0x%x", i,
				 (double)sum.f32, bits, expected, sum.f64, sum.flags);
		assert_int_equal(sum.count, 4);
	}
}

/* The largest and the smallest addend of each word, 2^24 times: no word overflows. */
static void addends_up_to_the_limit(void **state)
{
	unsigned int exponent, sign, i;

	(void)state;
	for (exponent = 15; exponent < 255; exponent += exponent == 239 ? 15 : 16) {
		for (sign = 0; sign < 2; sign++) {
			float value = from_bits(sign << 31 | exponent << 23 | 0x7fffff);
			struct faa_exact_cell cell = { 0 };
			struct longint sum = { 0 };
			struct faa_exact_sum read;

			faa_exact_add_host(&cell, &value, 1);
			for (i = 0; i < 24; i++)
				faa_exact_merge(&cell, &cell);
			longint_add_double(&sum, ldexp((double)value, 24));
			expect_sum(&cell, &sum);
			faa_exact_add_host(&cell, &value, 1);
			assert_int_equal(faa_exact_read(&cell, &read), -EOVERFLOW);
			assert_non_null(strstr(faa_last_error(), "16777217 addends"));
			assert_true(isnan(read.f32) && isnan(read.f64));
			assert_int_equal(read.count, FAA_EXACT_MAX_ADDENDS + 1);
		}
	}
}

static void a_count_does_not_wrap(void **state)
{
	struct faa_exact_cell cell = { .tally = (1ull << 63) | FAA_EXACT_NAN }, other = cell;
	struct faa_exact_sum sum;

	(void)state;
	other.tally = (1ull << 63) | FAA_EXACT_PLUS_INF;
	faa_exact_merge(&cell, &other);
	assert_int_equal(faa_exact_read(&cell, &sum), -EOVERFLOW);
	assert_int_equal(sum.flags, FAA_EXACT_NAN | FAA_EXACT_PLUS_INF);
	assert_true(sum.count == UINT64_MAX >> FAA_EXACT_COUNT_SHIFT);
}

/* ------------------------------------------------------------------------------------------------
 * On the model
 */

#define QUEUES 4
#define CELLS  7
#define MOST   400
/* Of the BO: a stream for each queue, then the data. */
#define STREAM_BYTES (2 * PAGE)
#define VALUES	     (QUEUES * STREAM_BYTES)
#define INDICES	     (VALUES + PAGE)
#define TABLE	     (INDICES + PAGE)
#define BYTES	     (TABLE + PAGE)
/* In shared memory. */
#define SHARED 64

static struct faa_queue *queues[QUEUES];

static void open_device(unsigned int units)
{
	const struct faa_queue_options options = { .shared_bytes = 1152, .status_entries = 64 };
	struct faa_model_params build = FAA_MODEL_DEFAULT;
	unsigned int i;

	build.num_cus = units;
	build.features &= ~(1u << FAA_FEATURE_SYS_ATOMICS);
	kernel = fake_kernel_create_build(&build);
	assert_int_equal(faa_device_open_backend(fake_kernel_open(kernel), &device), 0);
	assert_int_equal(fixture_make(BYTES, &options), 0);
	assert_int_equal(faa_vm_unmap(vm, va, BYTES), 0);
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, FAA_MAP_ATOMIC, &va), 0);
	queues[0] = queue;
	for (i = 1; i < QUEUES; i++)
		assert_int_equal(faa_queue_create(vm, &options, &queues[i]), 0);
}

static int open_two_units(void **state)
{
	(void)state;
	open_device(2);
	return 0;
}

static int close_queues(void **state)
{
	unsigned int i;

	for (i = 1; i < QUEUES; i++)
		faa_queue_destroy(queues[i]);
	return fixture_close(state);
}

static float *values(void)
{
	return (float *)(memory + VALUES);
}

static uint32_t *indices(void)
{
	return (uint32_t *)(memory + INDICES);
}

static struct faa_exact_cell *table(void)
{
	return (struct faa_exact_cell *)(memory + TABLE);
}

/* @count elements from @first on, into the table, or into shared memory. */
static struct faa_exact_add addition(uint32_t first, uint32_t count, bool shared)
{
	return (struct faa_exact_add){
		.count = count,
		.space = shared ? FAA_EXACT_SHARED : FAA_EXACT_GLOBAL,
		.scope = shared ? FAA_SCOPE_CTA : FAA_SCOPE_GPU,
		.cells = shared ? SHARED : va + TABLE,
		.cell = faa_array_u32(va + INDICES + 4 * first, 4),
		.value = faa_array_u32(va + VALUES + 4 * first, 4),
		.reg = 6,
		.predicate = 3,
	};
}

static void add_flush(void)
{
	const struct faa_exact_flush flush = { CELLS, FAA_SCOPE_GPU, SHARED, va + TABLE, 8, 2 };

	faa_stream_exact_flush(stream, &flush);
}

/* Ends the stream, and submits it to queue @index. */
static uint64_t submit(unsigned int index)
{
	uint32_t offset = index * STREAM_BYTES;
	struct faa_job job = { .stream_va = va + offset };
	uint64_t seqno;

	faa_stream_end(stream);
	if (faa_stream_upload(stream, bo, offset))
		fail_msg("%s", faa_stream_error(stream));
	job.stream_bytes = faa_stream_bytes(stream);
	assert_true(job.stream_bytes <= STREAM_BYTES);
	assert_int_equal(faa_queue_submit(queues[index], &job, 1, &seqno), 0);
	return seqno;
}

static void expect_success(unsigned int index, uint64_t seqno)
{
	struct faa_job_status status;
	const uint64_t *words;
	char text[256];
	size_t count;

	assert_int_equal(faa_queue_wait(queues[index], seqno, FAA_NO_DEADLINE), 0);
	assert_int_equal(faa_queue_status(queues[index], seqno, &status), 0);
	if (!status.code)
		return;
	words = faa_stream_words(stream, &count);
	faa_status_format(&status, words, count, text, sizeof(text));
	fail_msg("queue %u: %s", index, text);
}

static void run_stream(void)
{
	expect_success(0, submit(0));
	faa_stream_reset(stream);
}

/* Numbers of all kinds, one in 50 of them infinite or a NaN if @special. */
static void draw_elements(uint32_t count, bool special, uint64_t *seed)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		uint64_t bits = check_random(seed);

		values()[i] = draw(bits % 4, seed);
		if (special && bits >> 32 < UINT32_MAX / 50)
			values()[i] = from_bits(
				bits & 0x80000000 ? 0x7f800000 | (bits & 0x80000003) : 0xff800000);
		indices()[i] = (bits >> 8) % CELLS;
	}
}

static void expect_cells(const struct faa_exact_cell *expected, uint32_t count)
{
	uint32_t i, k;

	for (i = 0; i < count; i++) {
		for (k = 0; k < FAA_EXACT_WORDS; k++)
			if (table()[i].sum[k] != expected[i].sum[k])
				fail_msg("cell %u, word %u: 0x%llx instead of 0x%llx", i, k,
					 (unsigned long long)table()[i].sum[k],
					 (unsigned long long)expected[i].sum[k]);
		if (table()[i].tally != expected[i].tally)
			fail_msg("tally of cell %u: 0x%llx instead of 0x%llx", i,
				 (unsigned long long)table()[i].tally,
				 (unsigned long long)expected[i].tally);
	}
}

static void clear_table(void)
{
	memset(table(), 0, (CELLS + 1) * sizeof(struct faa_exact_cell));
}

static void sums_of_any_number_of_elements(void **state)
{
	static const uint32_t counts[] = { 1, 2, 31, 32, 33, 63, 64, 65, 96, MOST };
	uint64_t seed = check_seed(0x5eed00e2);
	unsigned int round, i;

	(void)state;
	for (round = 0; round < 8 * COUNT(counts); round++) {
		struct faa_exact_cell expected[CELLS + 1] = { 0 };
		uint32_t count = counts[round % COUNT(counts)];
		bool shared = round / COUNT(counts) % 2;
		struct faa_exact_add add = addition(0, count, shared);

		draw_elements(count, round / COUNT(counts) % 4 > 1, &seed);
		for (i = 0; i < count; i++)
			faa_exact_add_host(&expected[indices()[i]], &values()[i], 1);
		clear_table();
		faa_stream_exact_add(stream, &add);
		if (shared)
			add_flush();
		run_stream();
		expect_cells(expected, CELLS + 1);
		/* The flush has left nothing. */
		if (!shared)
			continue;
		add_flush();
		run_stream();
		expect_cells(expected, CELLS + 1);
	}
}

/* Every kind of operand; the elements that it stands for are added on the CPU. */
static void operands_of_every_kind(void **state)
{
	uint64_t seed = check_seed(0x5eed00e3);
	unsigned int kind, space, i;

	(void)state;
	for (kind = 0; kind < 8; kind++) {
		for (space = 0; space < 2; space++) {
			struct faa_exact_cell expected[CELLS + 1] = { 0 };
			uint32_t count = kind < 5 ? 70 : kind < 7 ? 29 : 5;
			struct faa_exact_add add = addition(0, count, space);

			draw_elements(count, true, &seed);
			for (i = 0; i < count; i++) {
				const uint8_t *bytes = (const uint8_t *)indices();
				/* Those of registers are in R0 and R1. */
				uint32_t cell[] = { 3,
						    bytes[4 * (count - 1 - i)],
						    indices()[i],
						    indices()[0],
						    indices()[i],
						    indices()[i],
						    indices()[i],
						    6 - i };

				faa_exact_add_host(&expected[cell[kind]],
						   &values()[kind == 4 ? 9 : i], 1);
			}
			if (kind == 0)
				add.cell = faa_imm(3);
			if (kind == 1)
				add.cell = faa_array_u8(va + INDICES + 4 * (count - 1), -4);
			if (kind == 2)
				add.cell = faa_array_u16(va + INDICES, 4);
			if (kind == 3)
				add.cell = faa_array_u32(va + INDICES, 0);
			if (kind == 4)
				add.value = faa_imm(((uint32_t *)values())[9]);
			if (kind == 5)
				add.cell = faa_reg(0);
			if (kind == 6)
				add.value = faa_reg(1);
			if (kind == 7)
				add.cell = faa_affine(6, -1ull);
			faa_stream_mov(stream, FAA_TYPE_U32, FAA_LANES, faa_reg(0),
				       faa_array_u32(va + INDICES, 4));
			faa_stream_mov(stream, FAA_TYPE_U32, FAA_LANES, faa_reg(1),
				       faa_array_u32(va + VALUES, 4));
			clear_table();
			faa_stream_exact_add(stream, &add);
			if (space)
				add_flush();
			run_stream();
			expect_cells(expected, CELLS + 1);
		}
	}
}

/* The elements in a random order. */
static void shuffle(uint32_t count, uint64_t *seed)
{
	uint32_t i, j, index;
	float value;

	for (i = count - 1; i > 0; i--) {
		j = check_random(seed) % (i + 1);
		value = values()[i];
		values()[i] = values()[j];
		values()[j] = value;
		index = indices()[i];
		indices()[i] = indices()[j];
		indices()[j] = index;
	}
}

/* All elements, divided among @count queues; a part of each goes through shared memory. */
static void add_on_queues(unsigned int count, uint64_t *seed)
{
	uint32_t first = 0, i;
	uint64_t seqno[QUEUES];

	for (i = 0; i < count; i++) {
		uint32_t left = MOST - first, part = left / (count - i);
		uint32_t cut = check_random(seed) % part;
		struct faa_exact_add add = addition(first, cut, true);

		if (cut) {
			faa_stream_exact_add(stream, &add);
			add_flush();
		}
		add = addition(first + cut, part - cut, false);
		faa_stream_exact_add(stream, &add);
		seqno[i] = submit(i);
		faa_stream_reset(stream);
		first += part;
	}
	assert_int_equal(first, MOST);
	for (i = 0; i < count; i++)
		expect_success(i, seqno[i]);
}

/* 100 orders, 1 and 2 compute units, 1 to 4 queues: the same bits, those of the long integers. */
static void orders(unsigned int units)
{
	struct faa_exact_cell expected[CELLS + 1] = { 0 };
	struct longint sums[CELLS] = { 0 };
	uint64_t seed = check_seed(0x5eed00e4);
	unsigned int round, i;

	open_device(units);
	draw_elements(MOST, false, &seed);
	for (i = 0; i < MOST; i++) {
		faa_exact_add_host(&expected[indices()[i]], &values()[i], 1);
		longint_add_double(&sums[indices()[i]], (double)values()[i]);
	}
	for (round = 0; round < 100; round++) {
		clear_table();
		add_on_queues(1 + round % QUEUES, &seed);
		expect_cells(expected, CELLS + 1);
		shuffle(MOST, &seed);
	}
	for (i = 0; i < CELLS; i++)
		expect_sum(&table()[i], &sums[i]);
}

static void orders_on_one_unit(void **state)
{
	(void)state;
	orders(1);
}

static void orders_on_two_units(void **state)
{
	(void)state;
	orders(2);
}

/* A cell that is not there ends the job. */
static void indices_beyond_the_table(void **state)
{
	/* Also one whose byte offset, modulo 2^32, would be that of a cell. */
	static const struct {
		uint32_t index;
		enum faa_error global, shared;
	} beyond[] = {
		{ 8, FAA_ERROR_SUCCESS, FAA_ERROR_OUT_OF_RANGE },
		{ 1000000, FAA_ERROR_NOT_MAPPED, FAA_ERROR_OUT_OF_WINDOW },
		{ 1u << 29, FAA_ERROR_NOT_MAPPED, FAA_ERROR_OUT_OF_WINDOW },
		{ UINT32_MAX, FAA_ERROR_NOT_MAPPED, FAA_ERROR_OUT_OF_WINDOW },
	};
	unsigned int i, space;

	(void)state;
	for (i = 0; i < COUNT(beyond); i++) {
		for (space = 0; space < 2; space++) {
			struct faa_exact_add add = addition(0, 40, space);
			struct faa_job_status status;
			uint64_t seqno;

			memset(indices(), 0, 40 * sizeof(uint32_t));
			indices()[39] = beyond[i].index;
			faa_stream_exact_add(stream, &add);
			seqno = submit(0);
			faa_queue_wait(queue, seqno, FAA_NO_DEADLINE);
			assert_int_equal(faa_queue_status(queue, seqno, &status), 0);
			assert_int_equal(status.code, space ? beyond[i].shared : beyond[i].global);
			assert_true(!status.code || status.lane == 7);
			faa_stream_reset(stream);
		}
	}
}

static void expect_refusal(int ret, const char *text)
{
	assert_int_equal(ret, -EINVAL);
	if (!strstr(faa_stream_error(stream), text))
		fail_msg("'%s' does not say '%s'", faa_stream_error(stream), text);
	faa_stream_reset(stream);
}

#define REFUSE(text, change)                                              \
	do {                                                              \
		struct faa_exact_add add = addition(0, 40, false);        \
		change;                                                   \
		expect_refusal(faa_stream_exact_add(stream, &add), text); \
	} while (0)

static void refused_additions(void **state)
{
	(void)state;
	REFUSE("element count 0", add.count = 0);
	REFUSE("element count 4294967297", add.count = (1ull << 32) + 1);
	REFUSE("space 2", add.space = 2);
	REFUSE("scope 1, cells at 0x", add.space = FAA_EXACT_SHARED);
	REFUSE("cells at 0x1000000", add = addition(0, 1, true); add.cells = 1 << 24);
	REFUSE("multiples of 8", add.cells += 4);
	REFUSE("first register R7: allowed are even ones up to R232", add.reg = 7);
	REFUSE("first register R234", add.reg = 234);
	REFUSE("first predicate P6: allowed are P0..P5", add.predicate = 6);
	REFUSE("it cannot have a guard", faa_stream_guard(stream, 2, false));
	REFUSE("cannot hold a barrier", faa_stream_write_barrier(stream, 2));
	REFUSE("value has items of type 1", add.value = faa_array_u16(va, 2));
	REFUSE("value cannot have a shift", add.value = faa_scaled(add.value, 1, 0));
	REFUSE("value is an immediate", add.value = faa_none());
	REFUSE("value is an immediate", add.value = faa_affine(0, 1));
	REFUSE("value of 40 elements is R2", add.value = faa_reg(2));
	REFUSE("value is R7, one of the registers R6 to R27", add.value = faa_reg(7);
	       add.count = 32);
	REFUSE("cell is R27, one of", add.cell = faa_reg(27); add.count = 32);
	REFUSE("no operand cell", add.cell = faa_none());
	REFUSE("cell has items of type 3", add.cell = faa_array_u64(va, 8));
	REFUSE("cell is a number, without", add.cell = faa_scaled(add.cell, 7, 0));
	REFUSE("number of a cell", add.cell = faa_imm(1ull << 32));
	REFUSE("number of a cell", add.cell = faa_affine(38, -1ull));
	REFUSE("number of a cell", add.cell = faa_affine(UINT32_MAX - 38, 1));
	REFUSE("cell 123362 is beyond", add = addition(0, 1, true); add.cell = faa_imm(123362));
	REFUSE("scope 3", add.scope = 3);
}

static void refused_flushes(void **state)
{
	const struct faa_exact_flush good = { 2, FAA_SCOPE_GPU, 0, va + TABLE, 0, 0 };
	struct faa_exact_flush flush = good;

	(void)state;
	flush.count = 0;
	expect_refusal(faa_stream_exact_flush(stream, &flush), "0 cells: allowed are 1..65536");
	flush.count = 65537;
	expect_refusal(faa_stream_exact_flush(stream, &flush), "65537 cells");
	flush = good;
	flush.shared = 1 << 24;
	expect_refusal(faa_stream_exact_flush(stream, &flush), "shared cells at 0x1000000");
	flush.shared = 4;
	expect_refusal(faa_stream_exact_flush(stream, &flush), "shared cells at 0x4");
	flush = good;
	flush.cells++;
	expect_refusal(faa_stream_exact_flush(stream, &flush), "multiples of 8");
	flush = good;
	flush.reg = 1;
	expect_refusal(faa_stream_exact_flush(stream, &flush), "exact flush: first register R1");
}

#define ON_MODEL(test) cmocka_unit_test_setup_teardown(test, open_two_units, close_queues)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounding_of_random_sums),
		cmocka_unit_test(rounding_of_known_sums),
		cmocka_unit_test(addends_up_to_the_limit),
		cmocka_unit_test(a_count_does_not_wrap),
		ON_MODEL(sums_of_any_number_of_elements),
		ON_MODEL(operands_of_every_kind),
		cmocka_unit_test_teardown(orders_on_one_unit, close_queues),
		cmocka_unit_test_teardown(orders_on_two_units, close_queues),
		ON_MODEL(indices_beyond_the_table),
		ON_MODEL(refused_additions),
		ON_MODEL(refused_flushes),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
