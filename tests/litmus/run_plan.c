// SPDX-License-Identifier: MIT
/* Draws the rounds of a batch, and reads their results. */
#include "run.h"

#include <string.h>

/* NOPs that take as long as some accesses of scope SYS. */
#define GAP_MAX 200

uint32_t run_draw(struct run_random *random, uint32_t limit)
{
	random->state ^= random->state >> 12;
	random->state ^= random->state << 25;
	random->state ^= random->state >> 27;
	return (uint32_t)(((random->state * 0x2545f4914f6cdd1dull >> 32) * limit) >> 32);
}

static void shuffle(struct run_random *random, uint8_t *items, unsigned int count)
{
	unsigned int i, j;
	uint8_t item;

	for (i = count; i > 1; i--) {
		j = run_draw(random, i);
		item = items[i - 1];
		items[i - 1] = items[j];
		items[j] = item;
	}
}

/*
 * Offset of location @i of an aimed round: its line's slice differs from that of the location
 * before, since the number of ones in the lines' numbers in their page is odd for one and even for
 * the other (hold_slice).
 */
static uint32_t draw_aimed_line(struct run_random *random, uint32_t at, bool odd)
{
	uint32_t line;

	do
		line = at + 64 * run_draw(random, 4);
	while (__builtin_parity(line & 4095) != odd);
	return line;
}

/*
 * Locations of a run in one line, or each in a region of its own, with lanes packed or a line or
 * two apart. Regions are in random order and begin at a random line, so that slices of the L2
 * differ.
 */
static void draw_places(const struct lit_test *test, struct run_random *random,
			struct run_round *round, bool aimed)
{
	uint32_t bytes = round->type == FAA_TYPE_U64 ? 8 : 4;
	uint8_t order[LIT_MAX_LOCATIONS];
	uint32_t base = 64 * run_draw(random, 16), region;
	unsigned int i;

	for (i = 0; i < LIT_MAX_LOCATIONS; i++)
		order[i] = i;
	if (!aimed && !run_draw(random, 4)) {
		shuffle(random, order, LIT_MAX_LOCATIONS);
		round->stride = 64u << run_draw(random, 2);
		for (i = 0; i < test->location_count; i++)
			round->location[i] = base + order[i] * bytes;
		return;
	}
	shuffle(random, order, test->location_count);
	switch (aimed ? 2 : run_draw(random, 3)) {
	case 0:
		round->stride = 64;
		break;
	case 1:
		round->stride = 128;
		break;
	default:
		round->stride = bytes;
		break;
	}
	region = round->stride * RUN_LANES;
	for (i = 0; i < test->location_count; i++) {
		uint32_t at = base + order[i] * (region + 3 * 64);

		/* A gap of up to three lines before each region. */
		round->location[i] =
			aimed ? draw_aimed_line(random, round->offset + at, i & 1) - round->offset :
				at + 64 * run_draw(random, 4);
	}
}

static unsigned int draw_lanes(struct run_random *random)
{
	switch (run_draw(random, 4)) {
	case 0:
		return 1;
	case 1:
		return 1 + run_draw(random, RUN_LANES);
	default:
		return RUN_LANES;
	}
}

uint8_t run_first_location(const struct lit_thread *thread)
{
	return thread->op_count && thread->ops[0].kind != LIT_FENCE ? thread->ops[0].location :
								      RUN_NO_HOLD;
}

/* Some threads stall slices, mostly those of their first accesses, while others continue. */
static void draw_holds(const struct lit_test *test, struct run_random *random,
		       struct run_round *round)
{
	bool holds = !run_draw(random, 8);
	unsigned int i;

	for (i = 0; i < test->thread_count; i++) {
		uint8_t first = run_first_location(&test->threads[i]);

		round->hold[i] = first != RUN_NO_HOLD && run_draw(random, 4) ?
					 first :
					 run_draw(random, test->location_count);
		if (!holds || !run_draw(random, 2))
			round->hold[i] = RUN_NO_HOLD;
		round->holds[i] = 1 + run_draw(random, 3);
	}
}

static bool has_host(const struct lit_test *test)
{
	unsigned int i;

	for (i = 0; i < test->thread_count; i++)
		if (test->threads[i].host)
			return true;
	return false;
}

/* The helper stalls one slice, or several. */
static void draw_help(const struct lit_test *test, struct run_random *random,
		      struct run_round *round)
{
	uint8_t location = run_draw(random, test->location_count);
	unsigned int i;

	round->helper_holds = run_draw(random, RUN_MAX_HOLDS + 1);
	round->helper_lag = run_draw(random, 2) * run_draw(random, 32);
	for (i = 0; i < round->helper_holds; i++) {
		round->helper_hold[i] = location;
		if (!run_draw(random, 4))
			location = run_draw(random, test->location_count);
	}
	/*
	 * A simulated device is so slow that a host thread completes all its operations in a few
	 * device cycles.
	 */
	round->hosts_first = has_host(test) && !run_draw(random, 4);
	round->gap = has_host(test) ? run_draw(random, 1 + run_draw(random, GAP_MAX)) : 0;
}

/*
 * Parameters that favour overtaking: accesses to a line or two, which fit in a queue, all of them
 * while a slice is stalled, and no earlier wait for memory.
 */
static void aim(const struct lit_test *test, struct run_random *random, struct run_round *round)
{
	uint8_t held = run_draw(random, 4) ? RUN_HOLD_FIRST :
					     run_draw(random, test->location_count);
	unsigned int i;

	for (i = 0; i < test->thread_count; i++) {
		round->known[i] = true;
		round->address[i] = run_draw(random, 2) ? RUN_AFFINE : RUN_REGISTER;
		round->value[i] = run_draw(random, 2) ? RUN_AFFINE : RUN_REGISTER;
		round->direct[i] = !run_draw(random, 4);
		round->skew[i] = run_draw(random, 1 + 16 * run_draw(random, 3));
		round->noise[i] = !run_draw(random, 4);
		round->noise_lanes[i] = 1;
	}
	round->helper_holds = 2 + run_draw(random, RUN_MAX_HOLDS - 1);
	for (i = 0; i < round->helper_holds; i++)
		round->helper_hold[i] = held;
	round->helper_lag = run_draw(random, 32);
}

static void draw_round(const struct lit_test *test, struct run_random *random, uint32_t offset,
		       struct run_round *round)
{
	bool aimed = run_draw(random, 2);
	unsigned int i;

	memset(round, 0, sizeof(*round));
	round->offset = offset;
	round->lanes = draw_lanes(random);
	round->type = run_draw(random, 4) ? FAA_TYPE_U32 : FAA_TYPE_U64;
	draw_places(test, random, round, aimed);
	for (i = 0; i < test->thread_count; i++) {
		round->address[i] = run_draw(random, 3);
		round->value[i] = run_draw(random, 3);
		round->direct[i] = run_draw(random, 2);
		round->warm[i] = run_draw(random, 2) ? run_draw(random, 256) : 0;
		round->known[i] = run_draw(random, 8);
		round->skew[i] = run_draw(random, 1 + run_draw(random, 2) * 16 +
							  run_draw(random, 4) / 3 * 200);
		round->pause[i] = run_draw(random, 3) * run_draw(random, 100);
		round->noise[i] = run_draw(random, 2) ? run_draw(random, 4) : 0;
		round->noise_lanes[i] = run_draw(random, 4) ? 1 + run_draw(random, 3) : RUN_LANES;
		round->noise_location[i] = run_draw(random, test->location_count);
		round->noise_block[i] = run_draw(random, RUN_NOISE_BYTES / RUN_NOISE_BLOCK);
		round->by_operation[i] = run_draw(random, 2);
	}
	draw_holds(test, random, round);
	draw_help(test, random, round);
	if (aimed)
		aim(test, random, round);
}

void run_plan(const struct lit_test *test, struct run_random *random, unsigned int runs,
	      struct run_batch *batch)
{
	memset(batch, 0, sizeof(*batch));
	batch->helper = run_draw(random, 1u << 16);
	batch->first = run_draw(random, 1u << 16);
	batch->downwards = run_draw(random, 2);
	while (batch->round_count < RUN_MAX_ROUND && batch->runs < runs) {
		struct run_round *round = &batch->rounds[batch->round_count];

		draw_round(test, random, batch->round_count++ * RUN_ROUND_BYTES, round);
		if (round->lanes > runs - batch->runs)
			round->lanes = runs - batch->runs;
		batch->runs += round->lanes;
	}
}

static int32_t read_item(const uint8_t *memory, enum faa_type type)
{
	uint64_t wide;
	uint32_t word;

	if (type == FAA_TYPE_U64) {
		memcpy(&wide, memory, sizeof(wide));
		/* No test writes a number of more than 32 bits. */
		return wide == (uint64_t)(int64_t)(int32_t)wide ? (int32_t)wide : INT32_MIN;
	}
	memcpy(&word, memory, sizeof(word));
	return (int32_t)word;
}

static void count_row(struct run_result *result, const struct lit_test *test, const int32_t *row)
{
	unsigned int columns = test->column_count;
	ptrdiff_t index = lit_find(result->allowed.rows, result->allowed.count, columns, row);

	result->runs++;
	/* Allowed by the model, and by the table of the file if it has one. */
	if (index >= 0 &&
	    (!test->has_table || lit_find(test->rows, test->row_count, columns, row) >= 0)) {
		result->seen[index]++;
		return;
	}
	if (!result->illegal++)
		memcpy(result->first_illegal, row, columns * sizeof(*row));
}

void run_collect(const struct run_place *place, struct run_result *result)
{
	const struct lit_test *test = place->test;
	int32_t row[LIT_MAX_COLUMNS];
	unsigned int i, lane, column;

	for (i = 0; i < place->batch->round_count; i++) {
		const struct run_round *round = &place->batch->rounds[i];
		const uint8_t *area = place->memory + round->offset;

		for (lane = 0; lane < round->lanes; lane++) {
			for (column = 0; column < test->column_count; column++) {
				const struct lit_column *what = &test->columns[column];
				uint32_t at = what->is_register ?
						      run_result_offset(what->thread, what->reg) +
							      8 * lane :
						      round->location[what->location] +
							      lane * round->stride;

				row[column] = read_item(area + at, round->type);
			}
			if (place->inject == RUN_FAULT_OUTCOME && !i && !lane)
				row[0] ^= 64;
			count_row(result, test, row);
		}
	}
}
