// SPDX-License-Identifier: MIT
/* Batches of libfaa_mpi: every update arrives once, at its owner, and its result comes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "run_tests.h"

enum { UPDATES = 1000 };

static uint64_t batch_seed = 1;

static uint64_t test_random(void)
{
	batch_seed ^= batch_seed << 13;
	batch_seed ^= batch_seed >> 7;
	batch_seed ^= batch_seed << 17;
	return batch_seed;
}

struct fixture {
	struct batch_shape shape;
	struct batch batch;
	struct call call;
	uint64_t indices[UPDATES], values[UPDATES], seconds[UPDATES], results[UPDATES];
};

/* The value of an update is its number, so that a block tells which updates it has. */
static void fixture_open(struct fixture *fixture, uint32_t owners, uint64_t elements, uint32_t most,
			 bool skewed)
{
	size_t i;

	memset(fixture, 0, sizeof(*fixture));
	fixture->shape = (struct batch_shape){ .owners = owners,
					       .part = batch_part(elements, owners),
					       .most = most,
					       .limit = batch_limit(most, owners) };
	for (i = 0; i < UPDATES; i++) {
		fixture->indices[i] = skewed && i % 8 ? elements - 1 : test_random() % elements;
		fixture->values[i] = i;
		fixture->seconds[i] = ~i;
	}
	fixture->call = (struct call){ .indices = fixture->indices,
				       .operands = { fixture->values, fixture->seconds },
				       .operand_count = 2,
				       .operand_bytes = 8,
				       .results = fixture->results,
				       .result_bytes = 8,
				       .result_stride = 8,
				       .count = UPDATES };
	assert_int_equal(batch_create(&fixture->batch, &fixture->shape), 0);
}

/* Reads a block: the updates of the owner, in the order of the call; their results are made. */
static const uint8_t *fixture_read_block(struct fixture *fixture, const uint8_t *block,
					 uint32_t owner, uint64_t *results, bool *seen)
{
	uint32_t count = fixture->batch.counts[owner], i, number;
	uint64_t value, second, last = 0;

	assert_true(count <= fixture->shape.limit);
	for (i = 0; i < count; i++) {
		memcpy(&value, block + i * 8, 8);
		memcpy(&second, block + (count + i) * 8, 8);
		memcpy(&number, block + (size_t)count * 16 + i * 4, 4);
		assert_true(value < UPDATES && !seen[value]);
		assert_true(!i || value > last);
		seen[value] = true;
		last = value;
		assert_int_equal(second, ~value);
		assert_int_equal(fixture->shape.part * owner + number, fixture->indices[value]);
		assert_true(number < fixture->shape.part);
		results[i] = value * 3;
	}
	return block + batch_block_bytes(&fixture->call, count);
}

/* Sends all updates, batch by batch. Returns the number of batches. */
static unsigned int fixture_send(struct fixture *fixture)
{
	static uint64_t results[UPDATES];
	static bool seen[UPDATES];
	unsigned int batches = 0;
	size_t next = 0, i;

	memset(seen, 0, sizeof(seen));
	do {
		const uint8_t *block = fixture->batch.blocks;
		uint64_t *at = results;
		uint32_t owner;

		batch_fill(&fixture->batch, &fixture->shape, &fixture->call, next);
		assert_true(fixture->batch.count > 0 &&
			    fixture->batch.count <= fixture->shape.most);
		for (owner = 0; owner < fixture->shape.owners; owner++) {
			block = fixture_read_block(fixture, block, owner, at, seen);
			at += fixture->batch.counts[owner];
		}
		batch_give_results(&fixture->batch, &fixture->shape, &fixture->call,
				   (const uint8_t *)results);
		next += fixture->batch.count;
		batches++;
	} while (next < UPDATES);
	assert_int_equal(next, UPDATES);
	for (i = 0; i < UPDATES; i++) {
		assert_true(seen[i]);
		assert_int_equal(fixture->results[i], i * 3);
	}
	return batches;
}

static void shapes(void **state)
{
	static const struct {
		uint32_t owners;
		uint64_t elements;
		uint32_t most;
		bool skewed;
	} shapes[] = {
		{ 1, 1, 1, false },	     { 1, 100, 64, false },  { 2, 3, 1000, false },
		{ 3, 1000, 100, false },     { 3, 1000, 100, true }, { 4, 5, 7, true },
		{ 7, 1ull << 33, 1, false }, { 16, 10, 4000, true }, { 100, 1000, 30, false },
	};
	struct fixture *fixture = malloc(sizeof(*fixture));
	size_t i;

	for (i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		fixture_open(fixture, shapes[i].owners, shapes[i].elements, shapes[i].most,
			     shapes[i].skewed);
		fixture_send(fixture);
		batch_destroy(&fixture->batch);
	}
	free(fixture);
}

/* Updates of one element fill a batch of their own: the others wait, and none is lost. */
static void skew(void **state)
{
	struct fixture *fixture = malloc(sizeof(*fixture));
	unsigned int even, skewed;

	fixture_open(fixture, 10, 1000, 100, false);
	even = fixture_send(fixture);
	batch_destroy(&fixture->batch);
	fixture_open(fixture, 10, 1000, 100, true);
	skewed = fixture_send(fixture);
	batch_destroy(&fixture->batch);
	assert_true(even < 25);
	assert_true(skewed >= 875 / 20);
	free(fixture);
}

static void nothing_to_send(void **state)
{
	struct fixture *fixture = malloc(sizeof(*fixture));
	uint32_t owner;

	fixture_open(fixture, 5, 1000, 100, false);
	batch_fill(&fixture->batch, &fixture->shape, &fixture->call, UPDATES);
	assert_int_equal(fixture->batch.count, 0);
	for (owner = 0; owner < 5; owner++)
		assert_int_equal(fixture->batch.counts[owner], 0);
	batch_destroy(&fixture->batch);
	free(fixture);
}

static void parts(void **state)
{
	assert_int_equal(batch_part(1, 4), 1);
	assert_int_equal(batch_part(8, 4), 2);
	assert_int_equal(batch_part(9, 4), 3);
	assert_int_equal(batch_limit(100, 1), 100);
	assert_int_equal(batch_limit(100, 10), 20);
	assert_int_equal(batch_limit(101, 10), 22);
	assert_int_equal(batch_limit(1, 10), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes),
		cmocka_unit_test(skew),
		cmocka_unit_test(nothing_to_send),
		cmocka_unit_test(parts),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
