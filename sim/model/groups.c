// SPDX-License-Identifier: Apache-2.0
/*
 * Banks, groups and passes: device.rst, "Statistics" and "Banks". They affect no result except that
 * of CAST.SPIN.
 */
#include "model.h"

#define NO_LANE FAA_LANES

/* enum grouping - condition for a new group among the lanes of one word */
enum grouping {
	NEVER,
	AT_EVERY_LANE,
	/* where b differs from that of the previous lane */
	AT_ANOTHER_B,
};

static unsigned int groups_bank_of(uint32_t address)
{
	uint32_t w = address / 4;

	return (w ^ w >> 5 ^ w >> 10 ^ w >> 15 ^ (w >> 20 & 3)) & 31;
}

static enum grouping groups_of_atoms(const struct command *command)
{
	unsigned int op = command->op, type = command->type;

	if (op == FAA_ATOMS_OP_CAST_SPIN || type_bytes(type) == 8)
		return AT_EVERY_LANE;
	if (type == FAA_TYPE_F16X2 || type == FAA_TYPE_BF16X2)
		return AT_EVERY_LANE;
	if (type == FAA_TYPE_F32 && op == FAA_ATOMS_OP_ADD)
		return command->mod & FAA_FLOAT_MODE_RELAXED ? NEVER : AT_EVERY_LANE;
	if (op == FAA_ATOMS_OP_INC || op == FAA_ATOMS_OP_DEC)
		return AT_ANOTHER_B;
	return NEVER;
}

static enum grouping groups_of(const struct command *command)
{
	if (command->opcode == FAA_OPCODE_ATOMS)
		return groups_of_atoms(command);
	if (command->opcode == FAA_OPCODE_STS && type_bytes(command->type) < 4)
		return AT_EVERY_LANE;
	return NEVER;
}

/* The next lower of @lanes that accesses the word of @lane, or NO_LANE. */
static unsigned int groups_lane_before(const struct access *access, uint32_t lanes,
				       unsigned int lane, unsigned int bytes)
{
	uint32_t word = bytes < 4 ? 4 : bytes;

	for (unsigned int before = lane; before-- > 0;)
		if ((lanes >> before & 1) &&
		    access->addresses[before] / word == access->addresses[lane] / word)
			return before;
	return NO_LANE;
}

static bool group_begins(const struct access *access, enum grouping grouping, unsigned int before,
			 unsigned int lane)
{
	if (before == NO_LANE || grouping == AT_EVERY_LANE)
		return true;
	if (grouping == NEVER)
		return false;
	return access->b[lane] != access->b[before];
}

/* Counts the groups of @lanes, which enter in one cycle. */
static void groups_count_part(const struct command *command, const struct access *access,
			      uint32_t lanes, struct service *service)
{
	unsigned int served[FAA_BANKS] = { 0 }, most = 0, bytes = type_bytes(command->type);
	enum grouping grouping = groups_of(command);

	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		unsigned int bank = groups_bank_of(access->addresses[lane]);

		if (!(lanes >> lane & 1) ||
		    !group_begins(access, grouping, groups_lane_before(access, lanes, lane, bytes),
				  lane))
			continue;
		service->groups++;
		served[bank]++;
		if (bytes == 8)
			served[bank ^ 1]++;
	}
	for (unsigned int bank = 0; bank < FAA_BANKS; bank++)
		if (served[bank] > most)
			most = served[bank];
	service->passes += most;
}

/* Groups and passes of a warp in a shared unit that accepts @lanes_per_cycle lanes per cycle. */
struct service shared_service(const struct command *command, const struct access *access,
			      unsigned int lanes_per_cycle)
{
	uint32_t lanes = trying_lanes(command, access);
	struct service service = { 0 };

	for (unsigned int first = 0; first < FAA_LANES; first += lanes_per_cycle)
		groups_count_part(command, access,
				  lanes & (uint32_t)(((1ULL << lanes_per_cycle) - 1) << first),
				  &service);
	return service;
}

/*
 * Active lanes that try. With CAST.SPIN, only the lowest one of each bank; with 64 bits, of each
 * pair of banks.
 */
uint32_t trying_lanes(const struct command *command, const struct access *access)
{
	unsigned int pair = type_bytes(command->type) == 8 ? ~1u : ~0u;
	uint32_t taken = 0, tries = 0;

	if (command->opcode != FAA_OPCODE_ATOMS || command->op != FAA_ATOMS_OP_CAST_SPIN)
		return access->lanes;
	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		uint32_t bank = 1u << (groups_bank_of(access->addresses[lane]) & pair);

		if (!(access->lanes >> lane & 1) || (taken & bank))
			continue;
		taken |= bank;
		tries |= 1u << lane;
	}
	return tries;
}
