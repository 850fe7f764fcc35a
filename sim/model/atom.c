// SPDX-License-Identifier: Apache-2.0
/*
 * ATOM, and SUATOM once it has addresses: commands.rst, "ATOM". At scope SYS an item changes in one
 * atomic instruction of the host. At other scopes it changes in a read and a write, with no other
 * access of the device between them.
 */
#include <endian.h>

#include "model.h"

/* Truncates @value to the width of the command's type. */
static uint64_t atom_truncated(const struct command *command, uint64_t value)
{
	unsigned int bits = 8 * type_bytes(command->type);

	return bits == 64 ? value : value & ((1ULL << bits) - 1);
}

/* *m = M; M = op(M, b, c) with one host instruction, retried until M has the expected value. */
static struct fault atom_update_sys(struct warp_slot *ws, struct place place, uint64_t b,
				    uint64_t c, uint64_t *m)
{
	const struct command *command = &ws->stream.command;
	uint64_t belief;
	struct fault f;

	*m = 0;
	do {
		belief = *m;
		f = mmu_cas(ws->cu, place, type_bytes(command->type), m,
			    atom_truncated(command, atomic_operate(command, belief, b, c)));
	} while (!f.code && *m != belief);
	return f;
}

/* *m = M; M = op(M, b, c); M of a sparse page is 0 and remains 0. */
static struct fault atom_update(struct warp_slot *ws, struct place place, uint64_t b, uint64_t c,
				uint64_t *m)
{
	const struct command *command = &ws->stream.command;
	unsigned int bytes = type_bytes(command->type);
	uint64_t item = 0;
	struct fault f;

	if (command->scope == FAA_SCOPE_SYS && !place.sparse)
		return atom_update_sys(ws, place, b, c, m);
	f = mmu_read(ws->cu, place, &item, bytes);
	if (f.code)
		return f;
	*m = le64toh(item);
	item = htole64(atomic_operate(command, *m, b, c));
	return mmu_write(ws->cu, place, &item, bytes);
}

/* Value of d if memory had @m. */
static uint64_t atom_result_of(const struct command *command, uint64_t m, uint64_t b)
{
	switch (command->op) {
	case FAA_ATOM_OP_CAST:
		return m == b;
	case FAA_ATOM_OP_PREDEC:
		return atom_truncated(command, m - 1);
	}
	return type_extend(command->type, m);
}

static struct fault atom_execute_lane(struct warp_slot *ws, const struct access *access,
				      unsigned int lane, struct place place, uint64_t *result)
{
	const struct command *command = &ws->stream.command;
	uint64_t b = atom_truncated(command, access->b[lane]),
		 c = atom_truncated(command, access->c[lane]);
	uint64_t m = 0;
	struct fault f = atom_update(ws, place, b, c, &m);

	*result = atom_result_of(command, m, b);
	return f;
}

/*
 * ADD.F32.RELAXED on the word of @first, the lowest of @lanes, none of which is on a sparse page:
 * the values of the lanes on it are summed, and the sum is added once. *done: these lanes.
 */
static struct fault atom_add_relaxed_word(struct warp_slot *ws, const struct access *access,
					  uint32_t lanes, unsigned int first, struct place place,
					  uint64_t results[FAA_LANES], uint32_t *done)
{
	const struct command *command = &ws->stream.command;
	uint64_t sums[FAA_LANES], sum = 0, m = 0;
	struct fault f;

	*done = 0;
	for (unsigned int lane = first; lane < FAA_LANES; lane++) {
		if (!(lanes >> lane & 1) || access->addresses[lane] != access->addresses[first])
			continue;
		sums[lane] = sum;
		sum = *done ? atomic_operate(command, sum, access->b[lane], 0) : access->b[lane];
		*done |= 1u << lane;
	}
	f = atom_update(ws, place, sum, 0, &m);
	for (unsigned int lane = first; lane < FAA_LANES; lane++)
		if (*done >> lane & 1)
			results[lane] = lane == first ? m :
							atomic_operate(command, m, sums[lane], 0);
	return f;
}

/* Active lanes that are not on sparse pages. */
static uint32_t atom_solid_lanes(const struct access *access, const struct place places[FAA_LANES])
{
	uint32_t lanes = 0;

	for (unsigned int lane = 0; lane < FAA_LANES; lane++)
		if (access->lanes >> lane & 1)
			lanes |= (uint32_t)!places[lane].sparse << lane;
	return lanes;
}

/* Executes the atomic accesses of a checked warp in lane order; only bus errors remain possible. */
struct fault atom_execute(struct warp_slot *ws, const struct access *access,
			  const struct place places[FAA_LANES], uint64_t results[FAA_LANES])
{
	const struct command *command = &ws->stream.command;
	bool relaxed = command->type == FAA_TYPE_F32 && (command->mod & FAA_FLOAT_MODE_RELAXED);
	struct fault f = { .code = FAA_ERROR_SUCCESS };
	uint32_t left = access->lanes, solid = atom_solid_lanes(access, places);

	for (unsigned int lane = 0; lane < FAA_LANES && !f.code; lane++) {
		uint32_t done = 1u << lane;

		if (!(left >> lane & 1))
			continue;
		if (relaxed && !places[lane].sparse)
			f = atom_add_relaxed_word(ws, access, left & solid, lane, places[lane],
						  results, &done);
		else
			f = atom_execute_lane(ws, access, lane, places[lane], &results[lane]);
		f.lane = lane;
		left &= ~done;
	}
	return f;
}
