// SPDX-License-Identifier: MIT
/* Sorting by owner: the owner of each update first, then each update to its place. */
#include "batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_ALIGN 8

int batch_create(struct batch *batch, const struct batch_shape *shape)
{
	size_t bytes = (size_t)shape->most * BATCH_ENTRY_MAX + (size_t)shape->owners * BATCH_ALIGN;

	batch->blocks = malloc(bytes);
	batch->counts = calloc(shape->owners, sizeof(*batch->counts));
	batch->starts = calloc(shape->owners, sizeof(*batch->starts));
	batch->owners = calloc(shape->most, sizeof(*batch->owners));
	batch->places = calloc(shape->most, sizeof(*batch->places));
	return batch->blocks && batch->counts && batch->starts && batch->owners && batch->places ?
		       0 :
		       -ENOMEM;
}

void batch_destroy(struct batch *batch)
{
	free(batch->blocks);
	free(batch->counts);
	free(batch->starts);
	free(batch->owners);
	free(batch->places);
}

uint64_t batch_part(uint64_t elements, uint32_t owners)
{
	return (elements - 1) / owners + 1;
}

uint32_t batch_limit(uint32_t most, uint32_t owners)
{
	uint32_t share = (most - 1) / owners + 1;

	return most < 2 * share ? most : 2 * share;
}

static size_t batch_align(size_t bytes)
{
	return (bytes + BATCH_ALIGN - 1) & ~(size_t)(BATCH_ALIGN - 1);
}

size_t batch_block_bytes(const struct call *call, uint32_t count)
{
	size_t entry = (size_t)call->operand_count * call->operand_bytes + sizeof(uint32_t);

	return batch_align(count * entry);
}

size_t batch_results_bytes(const struct call *call, uint32_t count)
{
	return batch_align((size_t)count * call->result_bytes);
}

/* Finds the owners of the updates and counts them, up to the end of the batch. */
static void batch_count(struct batch *batch, const struct batch_shape *shape,
			const struct call *call)
{
	size_t left = call->count - batch->first;
	uint32_t most = left < shape->most ? (uint32_t)left : shape->most, i, owner;

	memset(batch->counts, 0, shape->owners * sizeof(*batch->counts));
	for (i = 0; i < most; i++) {
		owner = (uint32_t)(call->indices[batch->first + i] / shape->part);
		if (batch->counts[owner] == shape->limit)
			break;
		batch->counts[owner]++;
		batch->owners[i] = owner;
	}
	batch->count = i;
}

/* Gives each update its place in the blocks. */
static void batch_place(struct batch *batch, const struct batch_shape *shape)
{
	uint32_t start = 0, i;

	for (i = 0; i < shape->owners; i++) {
		batch->starts[i] = start;
		start += batch->counts[i];
	}
	for (i = 0; i < batch->count; i++)
		batch->places[batch->starts[batch->owners[i]]++] = i;
	for (i = 0; i < shape->owners; i++)
		batch->starts[i] -= batch->counts[i];
}

static uint8_t *batch_write_operand(uint8_t *to, const uint8_t *from, uint32_t bytes,
				    const uint32_t *places, uint32_t count)
{
	uint32_t i;

	/* A copy of a known size is one instruction. */
	if (bytes == 4)
		for (i = 0; i < count; i++)
			memcpy(to + (size_t)i * 4, from + (size_t)places[i] * 4, 4);
	else
		for (i = 0; i < count; i++)
			memcpy(to + (size_t)i * 8, from + (size_t)places[i] * 8, 8);
	return to + (size_t)count * bytes;
}

static uint8_t *batch_write_block(uint8_t *to, const struct batch *batch,
				  const struct batch_shape *shape, const struct call *call,
				  uint32_t owner)
{
	const uint32_t *places = batch->places + batch->starts[owner];
	uint32_t count = batch->counts[owner], i, number;
	uint64_t base = shape->part * owner;
	uint8_t *at = to;

	for (i = 0; i < call->operand_count; i++)
		at = batch_write_operand(
			at, (const uint8_t *)call->operands[i] + batch->first * call->operand_bytes,
			call->operand_bytes, places, count);
	for (i = 0; i < count; i++) {
		number = (uint32_t)(call->indices[batch->first + places[i]] - base);
		memcpy(at + (size_t)i * sizeof(number), &number, sizeof(number));
	}
	return to + batch_block_bytes(call, count);
}

void batch_fill(struct batch *batch, const struct batch_shape *shape, const struct call *call,
		size_t first)
{
	uint8_t *at = batch->blocks;
	uint32_t owner;

	batch->first = first;
	batch_count(batch, shape, call);
	batch_place(batch, shape);
	for (owner = 0; owner < shape->owners; owner++)
		at = batch_write_block(at, batch, shape, call, owner);
}

void batch_give_results(const struct batch *batch, const struct batch_shape *shape,
			const struct call *call, const uint8_t *results)
{
	uint32_t owner, i;

	for (owner = 0; owner < shape->owners; owner++) {
		const uint32_t *places = batch->places + batch->starts[owner];

		for (i = 0; i < batch->counts[owner]; i++)
			faa_struct_write((uint8_t *)call->results +
						 (batch->first + places[i]) * call->result_stride,
					 call->result_stride,
					 results + (size_t)i * call->result_bytes,
					 call->result_bytes);
		results += batch_results_bytes(call, batch->counts[owner]);
	}
}
