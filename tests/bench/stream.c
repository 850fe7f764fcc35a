// SPDX-License-Identifier: MIT
/* The addresses of the benchmarks. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

#define ZIPF_WORDS 4096
#define SEED	   0x5eedfaa3u

/* Item of the benchmarks on one address: not 0, so that a lost address shows. */
#define ONE_ITEM 0x10

bool bench_wide(const struct bench *bench)
{
	return bench->type == FAA_TYPE_U64 || bench->type == FAA_TYPE_S64 ||
	       bench->type == FAA_TYPE_F64;
}

uint64_t bench_operand(const struct bench *bench, const struct faa_operand *o, uint32_t e)
{
	uint64_t value = o->kind == FAA_KIND_AFFINE ? o->value + e * o->step : o->value;

	return bench_wide(bench) ? value : (uint32_t)value;
}

uint32_t bench_stream_word(const struct bench_stream *stream, uint32_t e)
{
	return stream->items ? stream->items[e] : ONE_ITEM;
}

/* splitmix64: the same numbers on every machine. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Word i with weight 1 / (i + 1), in integers: the weights are rounded to 2^-32. */
static void fill_zipf(uint16_t *items, uint32_t count)
{
	static uint64_t sums[ZIPF_WORDS];
	uint64_t seed = SEED, sum = 0;
	uint32_t e, low, high;

	for (low = 0; low < ZIPF_WORDS; low++)
		sums[low] = sum += (1ull << 32) / (low + 1);
	for (e = 0; e < count; e++) {
		uint64_t drawn = next_random(&seed) % sum;

		low = 0;
		high = ZIPF_WORDS - 1;
		while (low < high) {
			uint32_t middle = (low + high) / 2;

			if (drawn < sums[middle])
				high = middle;
			else
				low = middle + 1;
		}
		items[e] = low;
	}
}

static int fill_photo(uint16_t *items, uint32_t count)
{
	uint8_t *values = bench_photo(count);
	uint32_t e;

	for (e = 0; values && e < count; e++)
		items[e] = values[e];
	free(values);
	return values ? 0 : -1;
}

static int fill(const struct bench *bench, uint16_t *items, uint32_t count)
{
	uint32_t words = BENCH_SHARED / (bench_wide(bench) ? 8 : 4), e;
	uint64_t seed = SEED;

	if (bench->words == BENCH_PHOTO)
		return fill_photo(items, count);
	if (bench->words == BENCH_ZIPF)
		fill_zipf(items, count);
	for (e = 0; e < count; e++) {
		if (bench->words == BENCH_RANDOM)
			items[e] = next_random(&seed) % words;
		else if (bench->words == BENCH_STRIDE_1)
			items[e] = e % words;
		else if (bench->words == BENCH_STRIDE_32)
			/* Down one column of a table of 32 words a row, then the next. */
			items[e] = e % (words / 32) * 32 + e / (words / 32) % 32;
		else if (bench->words == BENCH_WARP)
			items[e] = e / FAA_LANES % words;
	}
	return 0;
}

static uint32_t touched_words(const struct bench *bench, uint32_t warps)
{
	switch (bench->words) {
	case BENCH_ONE:
	case BENCH_PHOTO:
		return 256;
	case BENCH_ZIPF:
		return ZIPF_WORDS;
	case BENCH_WARP:
		return (warps + 31) / 32 * 32;
	default:
		return BENCH_SHARED / 4;
	}
}

int bench_stream_create(const struct bench *bench, uint32_t warps, struct bench_stream *stream)
{
	uint32_t count = warps * FAA_LANES;

	*stream = (struct bench_stream){ .warps = warps };
	stream->shared_bytes = touched_words(bench, warps) * (bench_wide(bench) ? 8 : 4);
	if (stream->shared_bytes > BENCH_SHARED)
		stream->shared_bytes = BENCH_SHARED;
	if (bench->words == BENCH_ONE)
		return 0;
	stream->item_bytes = bench->words == BENCH_PHOTO ? 1 : 2;
	stream->items = malloc(count * sizeof(*stream->items));
	if (!stream->items) {
		fprintf(stderr, "faa-bench: no memory for %u addresses\n", count);
		return -1;
	}
	return fill(bench, stream->items, count);
}

void bench_stream_destroy(struct bench_stream *stream)
{
	free(stream->items);
	stream->items = NULL;
}
