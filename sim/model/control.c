// SPDX-License-Identifier: Apache-2.0
/* Control commands. */
#include <endian.h>

#include "model.h"

static void control_fail(struct warp_slot *ws, struct fault f)
{
	stream_end(ws, f.code, 0, f.lane, f.address);
}

static bool control_jump_taken(const struct warp_slot *ws, const struct command *command)
{
	uint32_t lanes = guard_lanes(ws, command);

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

static void control_jump(struct warp_slot *ws)
{
	const struct command *command = &ws->stream.command;
	struct fault f = { .code = FAA_ERROR_SUCCESS };
	int64_t target;

	target = (int64_t)ws->stream.pc +
		 (int64_t)(int32_t)FAA_GET(JUMP_TARGET, command->words[1]) * 8;
	if (target < 0 || target >= (int64_t)ws->stream.stream_bytes) {
		f.code = FAA_ERROR_BAD_JUMP;
		f.address = (uint64_t)target;
	}
	if (f.code)
		control_fail(ws, f);
	else if (control_jump_taken(ws, command))
		command_done(ws, (uint64_t)target);
	else
		command_done(ws, ws->stream.pc + command->length * 8);
}

/* One poll of SEM_WAIT. */
void control_poll(struct warp_slot *ws)
{
	const struct command *command = &ws->stream.command;
	uint64_t reference = command->words[2];
	uint64_t memory = 0;
	struct place place;
	struct fault f;

	f = mmu_translate(ws->cu, command->words[1], 8, USE_READ, &place);
	if (!f.code)
		f = mmu_read(ws->cu, place, &memory, sizeof(memory));
	if (f.code) {
		control_fail(ws, f);
		return;
	}
	memory = le64toh(memory);
	if (command->op == FAA_SEM_COND_GE ? memory >= reference : memory == reference)
		command_done(ws, ws->stream.pc + command->length * 8);
	else
		ws->stream.phase = STREAM_POLL;
}

static void control_signal_sem(struct warp_slot *ws)
{
	const struct command *command = &ws->stream.command;
	uint64_t value = htole64(command->words[2]);
	struct place place;
	struct fault f;

	f = mmu_translate(ws->cu, command->words[1], 8, USE_WRITE, &place);
	if (!f.code)
		f = mmu_write(ws->cu, place, &value, sizeof(value));
	if (f.code)
		control_fail(ws, f);
	else
		command_done(ws, ws->stream.pc + command->length * 8);
}

static void control_snapshot(struct warp_slot *ws)
{
	const struct command *command = &ws->stream.command;
	const unsigned int line = FAA_LINE_BYTES / sizeof(uint64_t);
	uint64_t values[FAA_COUNTERS];
	struct place place;
	struct fault f;

	f = mmu_translate(ws->cu, command->words[1], sizeof(values), USE_WRITE, &place);
	counters_to_le(ws->cu, values);
	for (unsigned int i = 0; i < FAA_COUNTERS && !f.code; i += line) {
		f = mmu_write(ws->cu, place, &values[i], FAA_LINE_BYTES);
		place.dma += FAA_LINE_BYTES;
	}
	if (f.code)
		control_fail(ws, f);
	else
		command_done(ws, ws->stream.pc + command->length * 8);
}

static void control_config(struct warp_slot *ws)
{
	struct fault f = config_execute(ws);

	if (f.code)
		control_fail(ws, f);
	else
		command_done(ws, ws->stream.pc + ws->stream.command.length * 8);
}

/*
 * Releases the streams of a job from a BAR if all that have not ended are at one. After a failure
 * none is released: the others stop at the BAR.
 */
void bar_release(struct cu *cu)
{
	if (cu->failed)
		return;
	for (unsigned int i = 0; i < cu->streams; i++)
		if (cu->slots[i].stream.phase < STREAM_BAR)
			return;
	for (unsigned int i = 0; i < cu->streams; i++) {
		struct warp_slot *ws = &cu->slots[i];

		if (ws->stream.phase == STREAM_BAR)
			command_done(ws, ws->stream.pc + ws->stream.command.length * 8);
	}
}

/* Executes a decoded control command. */
void control_execute(struct warp_slot *ws)
{
	const struct command *command = &ws->stream.command;

	switch (command->opcode) {
	case FAA_OPCODE_END:
		ws->cu->counters[FAA_COUNTER_COMMANDS]++;
		stream_end(ws, FAA_ERROR_SUCCESS, 0, 0, 0);
		break;
	case FAA_OPCODE_JUMP:
		control_jump(ws);
		break;
	case FAA_OPCODE_SEM_WAIT:
		control_poll(ws);
		break;
	case FAA_OPCODE_SEM_SIGNAL:
		control_signal_sem(ws);
		break;
	case FAA_OPCODE_SNAPSHOT:
		control_snapshot(ws);
		break;
	case FAA_OPCODE_CONFIG:
		control_config(ws);
		break;
	case FAA_OPCODE_BAR:
		ws->stream.phase = STREAM_BAR;
		bar_release(ws->cu);
		break;
	default:
		/* NOP and FENCE: all earlier commands are complete. */
		command_done(ws, ws->stream.pc + command->length * 8);
	}
}
