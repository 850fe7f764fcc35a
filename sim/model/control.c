// SPDX-License-Identifier: Apache-2.0
/* Control commands. */
#include <endian.h>

#include "model.h"

static void fail(struct cu *cu, struct fault f)
{
	job_end(cu, f.code, 0, f.lane, f.address);
}

static bool jump_taken(const struct cu *cu, const struct command *command)
{
	uint32_t lanes = guard_lanes(cu, command);

	switch (command->op) {
	case FAA_JUMP_COND_ANY:
		return lanes != 0;
	case FAA_JUMP_COND_ALL:
		return lanes == ~0u;
	case FAA_JUMP_COND_NONE:
		return lanes == 0;
	}
	return true;
}

static void jump(struct cu *cu)
{
	const struct command *command = &cu->job.command;
	struct fault f = { .code = FAA_ERROR_SUCCESS };
	int64_t target;

	target =
		(int64_t)cu->job.pc + (int64_t)(int32_t)FAA_GET(JUMP_TARGET, command->words[1]) * 8;
	if (target < 0 || target >= (int64_t)cu->job.stream_bytes) {
		f.code = FAA_ERROR_BAD_JUMP;
		f.address = (uint64_t)target;
	}
	if (f.code)
		fail(cu, f);
	else if (jump_taken(cu, command))
		command_done(cu, (uint64_t)target);
	else
		command_done(cu, cu->job.pc + command->length * 8);
}

/* One poll of SEM_WAIT. */
void control_poll(struct cu *cu)
{
	const struct command *command = &cu->job.command;
	uint64_t reference = command->words[2];
	uint64_t memory = 0;
	struct place place;
	struct fault f;

	f = mmu_translate(cu, command->words[1], 8, USE_READ, &place);
	if (!f.code)
		f = mmu_read(cu, place, &memory, sizeof(memory));
	if (f.code) {
		fail(cu, f);
		return;
	}
	memory = le64toh(memory);
	if (command->op == FAA_SEM_COND_GE ? memory >= reference : memory == reference)
		command_done(cu, cu->job.pc + command->length * 8);
	else
		cu->job.phase = PHASE_POLL;
}

static void sem_signal(struct cu *cu)
{
	const struct command *command = &cu->job.command;
	uint64_t value = htole64(command->words[2]);
	struct place place;
	struct fault f;

	f = mmu_translate(cu, command->words[1], 8, USE_WRITE, &place);
	if (!f.code)
		f = mmu_write(cu, place, &value, sizeof(value));
	if (f.code)
		fail(cu, f);
	else
		command_done(cu, cu->job.pc + command->length * 8);
}

static void snapshot(struct cu *cu)
{
	const struct command *command = &cu->job.command;
	const unsigned int line = FAA_LINE_BYTES / sizeof(uint64_t);
	uint64_t values[FAA_COUNTERS];
	struct place place;
	struct fault f;

	f = mmu_translate(cu, command->words[1], sizeof(values), USE_WRITE, &place);
	for (unsigned int i = 0; i < FAA_COUNTERS; i++)
		values[i] = htole64(i == FAA_COUNTER_CYCLES ? cu->engine->cycle : cu->counters[i]);
	for (unsigned int i = 0; i < FAA_COUNTERS && !f.code; i += line) {
		f = mmu_write(cu, place, &values[i], FAA_LINE_BYTES);
		place.dma += FAA_LINE_BYTES;
	}
	if (f.code)
		fail(cu, f);
	else
		command_done(cu, cu->job.pc + command->length * 8);
}

static void config(struct cu *cu)
{
	struct fault f = config_execute(cu);

	if (f.code)
		fail(cu, f);
	else
		command_done(cu, cu->job.pc + cu->job.command.length * 8);
}

/* Executes the control command that has been decoded. */
void control_execute(struct cu *cu)
{
	const struct command *command = &cu->job.command;

	switch (command->opcode) {
	case FAA_OPCODE_END:
		cu->counters[FAA_COUNTER_COMMANDS]++;
		job_end(cu, FAA_ERROR_SUCCESS, 0, 0, 0);
		break;
	case FAA_OPCODE_JUMP:
		jump(cu);
		break;
	case FAA_OPCODE_SEM_WAIT:
		control_poll(cu);
		break;
	case FAA_OPCODE_SEM_SIGNAL:
		sem_signal(cu);
		break;
	case FAA_OPCODE_SNAPSHOT:
		snapshot(cu);
		break;
	case FAA_OPCODE_CONFIG:
		config(cu);
		break;
	default:
		/* NOP and FENCE: everything before is complete already. */
		command_done(cu, cu->job.pc + command->length * 8);
	}
}
