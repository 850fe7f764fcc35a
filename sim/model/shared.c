// SPDX-License-Identifier: Apache-2.0
/* Shared memory: checks, banks and passes, loads, stores and ATOMS. */
#include <endian.h>
#include <string.h>

#include "model.h"

/* The bank of a byte address (device.rst, "Banks"). */
static unsigned int bank_of(uint32_t address)
{
	uint32_t w = address / 4;

	return (w ^ w >> 5 ^ w >> 10 ^ w >> 15 ^ (w >> 20 & 3)) & 31;
}

static uint64_t load(const struct cu *cu, uint32_t address, unsigned int bytes)
{
	uint64_t value = 0;

	memcpy(&value, cu->shared + address, bytes);
	return le64toh(value);
}

static void store(struct cu *cu, uint32_t address, unsigned int bytes, uint64_t value)
{
	value = htole64(value);
	memcpy(cu->shared + address, &value, bytes);
}

/*
 * A queue's allocation: the register, or what the CU has if the driver changed
 * the register behind the back of a running queue.
 */
uint32_t shared_bytes(const struct faa_engine *engine, const struct queue *queue)
{
	uint32_t max = engine->params.shared_max;

	if (queue->shared_bytes > max)
		return max;
	return queue->shared_bytes & ~(uint32_t)(FAA_SHARED_GRANULE - 1);
}

/* The lowest bad lane of a warp's accesses of @bytes bytes, and why. */
struct fault shared_check(struct cu *cu, unsigned int bytes, uint32_t lanes,
			  const uint64_t addresses[FAA_LANES])
{
	uint32_t allocated = shared_bytes(cu->engine, &cu->engine->queues[cu->queue]);
	struct fault f = { .code = FAA_ERROR_SUCCESS };

	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		f.lane = lane;
		f.address = addresses[lane];
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

/* Passes of a warp: the greatest number of active lanes that a bank serves. */
unsigned int shared_passes(const struct command *command, uint32_t lanes,
			   const uint64_t addresses[FAA_LANES])
{
	unsigned int served[FAA_BANKS] = { 0 };
	unsigned int most = 0;

	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		unsigned int bank = bank_of(addresses[lane]);

		if (!(lanes >> lane & 1))
			continue;
		served[bank]++;
		if (type_bytes(command->type) == 8)
			served[bank ^ 1]++;
	}
	for (unsigned int bank = 0; bank < FAA_BANKS; bank++)
		if (served[bank] > most)
			most = served[bank];
	if (command->opcode == FAA_OPCODE_ATOMS && command->op == FAA_ATOMS_OP_CAST_SPIN && most)
		return 1;
	return most;
}

void shared_load(struct cu *cu, uint32_t lanes, const uint64_t addresses[FAA_LANES],
		 uint64_t results[FAA_LANES])
{
	unsigned int type = cu->job.command.type;

	for (unsigned int lane = 0; lane < FAA_LANES; lane++)
		if (lanes >> lane & 1)
			results[lane] =
				type_extend(type, load(cu, addresses[lane], type_bytes(type)));
}

void shared_store(struct cu *cu, uint32_t lanes, const uint64_t addresses[FAA_LANES],
		  const uint64_t values[FAA_LANES])
{
	for (unsigned int lane = 0; lane < FAA_LANES; lane++)
		if (lanes >> lane & 1)
			store(cu, addresses[lane], type_bytes(cu->job.command.type), values[lane]);
}

/*
 * The new value of memory word @m. This is the whole table of operations; INC
 * and DEC are unsigned, MIN and MAX follow @type.
 */
static uint64_t operate(unsigned int op, unsigned int type, uint64_t m, uint64_t b, uint64_t c)
{
	bool less = type == FAA_TYPE_S32 ? (int32_t)m < (int32_t)b : m < b;

	switch (op) {
	case FAA_ATOMS_OP_ADD:
		return m + b;
	case FAA_ATOMS_OP_MIN:
		return less ? m : b;
	case FAA_ATOMS_OP_MAX:
		return less ? b : m;
	case FAA_ATOMS_OP_INC:
		return m >= b ? 0 : m + 1;
	case FAA_ATOMS_OP_DEC:
		return m == 0 || m > b ? b : m - 1;
	case FAA_ATOMS_OP_AND:
		return m & b;
	case FAA_ATOMS_OP_OR:
		return m | b;
	case FAA_ATOMS_OP_XOR:
		return m ^ b;
	case FAA_ATOMS_OP_EXCH:
		return b;
	case FAA_ATOMS_OP_CAS:
	case FAA_ATOMS_OP_CAST:
	case FAA_ATOMS_OP_CAST_SPIN:
		return m == b ? c : m;
	}
	return m;
}

/* The lanes that try: all, but for CAST.SPIN the lowest of each bank, of 64 bits of each pair. */
static uint32_t trying_lanes(unsigned int op, unsigned int bytes, uint32_t lanes,
			     const uint64_t addresses[FAA_LANES])
{
	uint32_t taken = 0, tries = 0;

	if (op != FAA_ATOMS_OP_CAST_SPIN)
		return lanes;
	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		uint32_t bank = 1u << (bank_of(addresses[lane]) & (bytes == 8 ? ~1u : ~0u));

		if (!(lanes >> lane & 1) || (taken & bank))
			continue;
		taken |= bank;
		tries |= 1u << lane;
	}
	return tries;
}

void shared_atomic(struct cu *cu, uint32_t lanes, const uint64_t addresses[FAA_LANES],
		   const uint64_t b[FAA_LANES], const uint64_t c[FAA_LANES],
		   uint64_t results[FAA_LANES])
{
	const struct command *command = &cu->job.command;
	unsigned int bytes = type_bytes(command->type);
	uint32_t tries = trying_lanes(command->op, bytes, lanes, addresses);

	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		uint64_t m;

		results[lane] = 0;
		if (!(tries >> lane & 1))
			continue;
		m = load(cu, addresses[lane], bytes);
		store(cu, addresses[lane], bytes,
		      operate(command->op, command->type, m, b[lane], c[lane]));
		if (command->op == FAA_ATOMS_OP_CAST || command->op == FAA_ATOMS_OP_CAST_SPIN)
			results[lane] = m == b[lane];
		else
			results[lane] = m;
	}
}
