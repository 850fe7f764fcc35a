// SPDX-License-Identifier: Apache-2.0
/* Shared memory: checks, loads, stores and ATOMS. */
#include <endian.h>
#include <string.h>

#include "model.h"

static uint64_t shared_load_bytes(const struct warp_slot *ws, uint32_t address, unsigned int bytes)
{
	uint64_t value = 0;

	memcpy(&value, ws->cu->shared + address, bytes);
	return le64toh(value);
}

static void shared_store_bytes(struct warp_slot *ws, uint32_t address, unsigned int bytes,
			       uint64_t value)
{
	value = htole64(value);
	memcpy(ws->cu->shared + address, &value, bytes);
}

/*
 * A queue's allocation: the register, limited to the memory of the CU if the driver changed the
 * register of a running queue.
 */
uint32_t shared_bytes(const struct faa_engine *engine, const struct queue *queue)
{
	uint32_t max = engine->params.shared_max;

	if (queue->shared_bytes > max)
		return max;
	return queue->shared_bytes & ~(uint32_t)(FAA_SHARED_GRANULE - 1);
}

/* The error of the lowest bad lane of a warp's accesses. */
struct fault shared_check(struct warp_slot *ws, const struct access *access)
{
	unsigned int bytes = type_bytes(ws->stream.command.type);
	uint32_t allocated = shared_bytes(ws->cu->engine, &ws->cu->engine->queues[ws->cu->queue]);
	struct fault f = { .code = FAA_ERROR_SUCCESS };

	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		if (!(access->lanes >> lane & 1))
			continue;
		f.lane = lane;
		f.address = access->addresses[lane];
		if (f.address % bytes)
			f.code = FAA_ERROR_MISALIGNED;
		else if (f.address >= FAA_SHARED_WINDOW_BYTES)
			f.code = FAA_ERROR_OUT_OF_WINDOW;
		else if (f.address + bytes > allocated)
			f.code = FAA_ERROR_OUT_OF_RANGE;
		if (f.code)
			break;
	}
	return f;
}

void shared_load(struct warp_slot *ws, const struct access *access, uint64_t results[FAA_LANES])
{
	unsigned int type = ws->stream.command.type;

	for (unsigned int lane = 0; lane < FAA_LANES; lane++)
		if (access->lanes >> lane & 1)
			results[lane] =
				type_extend(type, shared_load_bytes(ws, access->addresses[lane],
								    type_bytes(type)));
}

void shared_store(struct warp_slot *ws, const struct access *access)
{
	unsigned int bytes = type_bytes(ws->stream.command.type);

	for (unsigned int lane = 0; lane < FAA_LANES; lane++)
		if (access->lanes >> lane & 1)
			shared_store_bytes(ws, access->addresses[lane], bytes, access->b[lane]);
}

/* Executes lane by lane; @results receives the values of d. */
static void shared_atomic_in_order(struct warp_slot *ws, const struct access *access,
				   uint64_t results[FAA_LANES])
{
	const struct command *command = &ws->stream.command;
	bool test = command->op == FAA_ATOMS_OP_CAST || command->op == FAA_ATOMS_OP_CAST_SPIN;
	unsigned int bytes = type_bytes(command->type);
	uint32_t tries = trying_lanes(command, access);

	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		uint64_t m, b = access->b[lane];

		results[lane] = 0;
		if (!(tries >> lane & 1))
			continue;
		m = shared_load_bytes(ws, access->addresses[lane], bytes);
		shared_store_bytes(ws, access->addresses[lane], bytes,
				   atomic_operate(command, m, b, access->c[lane]));
		results[lane] = test ? m == b : m;
	}
}

/*
 * ADD.F32.RELAXED on the word of @first, the lowest of @lanes: x0, x1, ... are the values b of the
 * lanes on it, @sum is s(i-1), then si. Returns the lanes that are done.
 */
static uint32_t shared_add_relaxed_word(struct warp_slot *ws, const struct access *access,
					uint32_t lanes, unsigned int first,
					uint64_t results[FAA_LANES])
{
	const struct command *command = &ws->stream.command;
	uint32_t address = access->addresses[first], done = 0;
	uint64_t m = shared_load_bytes(ws, address, 4), sum = 0;

	for (unsigned int lane = first; lane < FAA_LANES; lane++) {
		if (!(lanes >> lane & 1) || access->addresses[lane] != address)
			continue;
		results[lane] = done ? atomic_operate(command, m, sum, 0) : m;
		sum = done ? atomic_operate(command, sum, access->b[lane], 0) : access->b[lane];
		done |= 1u << lane;
	}
	shared_store_bytes(ws, address, 4, atomic_operate(command, m, sum, 0));
	return done;
}

static void shared_add_relaxed(struct warp_slot *ws, const struct access *access,
			       uint64_t results[FAA_LANES])
{
	uint32_t lanes = access->lanes;

	for (unsigned int lane = 0; lane < FAA_LANES; lane++)
		if (lanes >> lane & 1)
			lanes &= ~shared_add_relaxed_word(ws, access, lanes, lane, results);
}

void shared_atomic(struct warp_slot *ws, const struct access *access, uint64_t results[FAA_LANES])
{
	const struct command *command = &ws->stream.command;

	if (command->type == FAA_TYPE_F32 && (command->mod & FAA_FLOAT_MODE_RELAXED))
		shared_add_relaxed(ws, access, results);
	else
		shared_atomic_in_order(ws, access, results);
}
