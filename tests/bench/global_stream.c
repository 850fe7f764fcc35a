// SPDX-License-Identifier: MIT
/* The elements of the benchmarks on memory. */
#include <stdio.h>
#include <stdlib.h>

#include "global.h"
#include "gups_sequence.h"
#include "random.h"

#define SEED  0x5eedfaa4u
#define CELLS 100

#define GUPS_UPDATES (GUPS_GENERATORS * 982451653ull)

/*
 * More lines than the 2048 of the L2, so that further lines evict others. A copy reads as many as
 * it writes.
 */
#define START		 8192
#define START_CONTIGUOUS 49152
#define START_COPY	 (START_CONTIGUOUS / 2)

/* Item of the benchmark on one address: not 0, so that a lost address shows. */
#define ONE_ITEM 0x10

uint64_t global_initial(const struct global_bench *bench, uint32_t i)
{
	if (bench->access == GLOBAL_LOAD)
		return i * UINT64_C(0x9e3779b97f4a7c15) >> 16;
	return bench->words == GLOBAL_GUPS ? i : 0;
}

/*
 * The generators begin far apart: the numbers of a short sequence that is divided among them are
 * not yet random.
 */
static void fill_gups(struct global_stream *stream)
{
	uint32_t e, words = stream->table_bytes / 8;
	struct gups_sequence sequence;

	gups_sequence_begin(&sequence, GUPS_UPDATES);
	for (e = 0; e < stream->elements; e++) {
		stream->values[e] = gups_sequence_next(&sequence);
		stream->items[e] = stream->values[e] & (words - 1);
	}
}

static void fill_copy(struct global_stream *stream)
{
	uint64_t state = SEED;
	uint32_t e;

	for (e = 0; e < stream->elements; e++) {
		stream->items[e] = e;
		stream->values[e] = (uint32_t)random_next(&state);
	}
}

/* Gradients between -1 and 1, in steps that are no powers of two: sums are rounded. */
static void fill_cells(struct global_stream *stream)
{
	uint64_t state = SEED;
	uint32_t e;

	for (e = 0; e < stream->elements; e++) {
		union {
			float value;
			uint32_t bits;
		} gradient;

		stream->items[e] = random_next(&state) % CELLS;
		gradient.value = (float)((double)(random_next(&state) % 2000001) / 1e6 - 1);
		stream->values[e] = gradient.bits;
	}
}

static int fill_photo(struct global_stream *stream)
{
	uint8_t *values = bench_photo(stream->elements);
	uint32_t e;

	for (e = 0; values && e < stream->elements; e++)
		stream->items[e] = values[e];
	free(values);
	return values ? 0 : -1;
}

static int fill(const struct global_bench *bench, struct global_stream *stream)
{
	uint32_t items = stream->table_bytes / global_item_bytes(bench), e;
	uint64_t state = SEED;

	if (bench->surface) {
		global_fill_surface(bench, stream);
		return 0;
	}
	if (bench->access == GLOBAL_COPY) {
		fill_copy(stream);
		return 0;
	}
	switch (bench->words) {
	case GLOBAL_GUPS:
		fill_gups(stream);
		return 0;
	case GLOBAL_CELLS:
		fill_cells(stream);
		return 0;
	case GLOBAL_PHOTO:
		return fill_photo(stream);
	default:
		break;
	}
	for (e = 0; e < stream->elements; e++) {
		if (bench->words == GLOBAL_ADDRESSES)
			stream->items[e] = random_next(&state) % items;
		else
			stream->items[e] = global_item_step(bench) ? e * global_item_step(bench) :
								     ONE_ITEM;
	}
	return 0;
}

/* Bytes of an element's address in memory. */
static unsigned int index_bytes(const struct global_bench *bench)
{
	switch (bench->words) {
	case GLOBAL_GUPS:
	case GLOBAL_CELLS:
	case GLOBAL_TEXELS:
	case GLOBAL_CLOUD:
		return 4;
	case GLOBAL_PHOTO:
		return 1;
	case GLOBAL_ADDRESSES:
		return 8;
	default:
		return 0;
	}
}

static uint32_t start_elements(const struct global_bench *bench)
{
	if (bench->access == GLOBAL_COPY)
		return START_COPY;
	return bench->words == GLOBAL_NEXT ? START_CONTIGUOUS : START;
}

int global_stream_create(const struct global_bench *bench, uint32_t elements,
			 struct global_stream *stream)
{
	bool values = bench->words == GLOBAL_GUPS || bench->words == GLOBAL_CELLS ||
		      bench->access == GLOBAL_COPY;
	bool points = bench->words == GLOBAL_TEXELS || bench->words == GLOBAL_CLOUD;
	uint32_t start = start_elements(bench);
	uint32_t step = global_item_step(bench);

	if (!bench->elements || elements < bench->elements)
		elements += start;
	*stream = (struct global_stream){
		.elements = elements,
		.start = start,
		.index_bytes = index_bytes(bench),
		.value_bytes = values ? global_item_bytes(bench) : 0,
		.table_bytes = bench->table_bytes ?
				       bench->table_bytes :
				       elements * global_item_bytes(bench) * (step ? step : 1),
	};
	stream->items = malloc(elements * sizeof(*stream->items));
	if (values)
		stream->values = malloc(elements * sizeof(*stream->values));
	if (points)
		stream->points = malloc(elements * sizeof(*stream->points));
	if (stream->items && (!values || stream->values) && (!points || stream->points))
		return fill(bench, stream);
	fprintf(stderr, "faa-bench: no memory for %u elements\n", elements);
	return -1;
}

void global_stream_destroy(struct global_stream *stream)
{
	free(stream->items);
	free(stream->values);
	free(stream->points);
	stream->items = NULL;
	stream->points = NULL;
	stream->values = NULL;
}
