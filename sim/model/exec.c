// SPDX-License-Identifier: Apache-2.0
/* Execution: one unit of a CU, and the warps of vector commands. */
#include <endian.h>

#include "faa_tables.h"

#include "model.h"

/* struct warp - a warp between its checks and its effects */
struct warp {
	uint64_t first;
	struct access access;
	/* Operand A. */
	uint64_t a[FAA_LANES];
	struct place places[FAA_LANES];
	struct place result[FAA_LANES];
	uint64_t results[FAA_LANES];
};

/* Lanes that a command's guard enables. */
uint32_t guard_lanes(const struct warp_slot *ws, const struct command *command)
{
	uint32_t lanes = ~0u;

	if (command->guard != FAA_PT)
		lanes = ws->predicates[command->guard];
	return command->guard_negate ? ~lanes : lanes;
}

/* Completes the command; the next one is at @next_pc. */
void command_done(struct warp_slot *ws, uint64_t next_pc)
{
	ws->cu->counters[FAA_COUNTER_COMMANDS]++;
	ws->stream.pc = next_pc;
	ws->stream.element = 0;
	ws->stream.phase = STREAM_FETCH;
}

static enum use exec_use_of(const struct command *command)
{
	switch (command->opcode) {
	case FAA_OPCODE_LD:
		return USE_READ;
	case FAA_OPCODE_ST:
		return USE_WRITE;
	}
	return USE_ATOMIC;
}

/* Lanes of a SUATOM without an item act as on a sparse page, and are not translated. */
static struct fault exec_check_global(struct warp_slot *ws, struct warp *warp)
{
	const struct command *command = &ws->stream.command;
	struct fault f = { .code = FAA_ERROR_SUCCESS };

	for (unsigned int lane = 0; lane < FAA_LANES && !f.code; lane++) {
		if (!(warp->access.lanes >> lane & 1))
			continue;
		warp->places[lane].sparse = true;
		if (warp->access.nulls >> lane & 1)
			continue;
		f = mmu_translate(ws->cu, warp->access.addresses[lane], type_bytes(command->type),
				  exec_use_of(command), &warp->places[lane]);
		f.lane = lane;
	}
	return f;
}

/* Checks the access of the command. */
static struct fault exec_check_access(struct warp_slot *ws, struct warp *warp)
{
	const struct command *command = &ws->stream.command;
	struct fault f = { .code = FAA_ERROR_SUCCESS };

	if (!command->info->surface)
		for (unsigned int lane = 0; lane < FAA_LANES; lane++)
			warp->access.addresses[lane] = warp->a[lane] + command->offset;
	switch (command->opcode) {
	case FAA_OPCODE_LD:
	case FAA_OPCODE_ST:
	case FAA_OPCODE_ATOM:
	case FAA_OPCODE_SUATOM:
		return exec_check_global(ws, warp);
	case FAA_OPCODE_LDS:
	case FAA_OPCODE_STS:
	case FAA_OPCODE_ATOMS:
		for (unsigned int lane = 0; lane < FAA_LANES; lane++)
			warp->access.addresses[lane] = (uint32_t)warp->access.addresses[lane];
		return shared_check(ws, &warp->access);
	}
	return f;
}

/* All checks of a warp, in order; reads its operands. */
static struct fault exec_check_warp(struct warp_slot *ws, struct warp *warp)
{
	const struct command *command = &ws->stream.command;
	uint64_t *values[] = { warp->a, warp->access.b, warp->access.c };
	struct fault f;

	for (enum slot slot = SLOT_A; slot <= SLOT_C; slot++) {
		f = operand_read(ws, &command->operands[slot], warp->first, warp->access.lanes,
				 values[slot]);
		if (f.code)
			return f;
	}
	if (command->info->surface) {
		f = surface_locate(ws, &warp->access, warp->a);
		if (f.code)
			return f;
	}
	f = result_check(ws, &command->operands[SLOT_D], warp->first, warp->access.lanes,
			 warp->result);
	if (f.code)
		return f;
	return exec_check_access(ws, warp);
}

static void exec_set_predicate(struct warp_slot *ws, const struct warp *warp)
{
	const struct command *command = &ws->stream.command;
	uint32_t *predicate;

	if (command->mod == FAA_PT)
		return;
	predicate = &ws->predicates[command->mod];
	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		if (!(warp->access.lanes >> lane & 1))
			continue;
		*predicate &= ~(1u << lane);
		if (setp_compare(command, warp->a[lane], warp->access.b[lane]))
			*predicate |= 1u << lane;
	}
}

static struct fault exec_load_global(struct warp_slot *ws, struct warp *warp)
{
	unsigned int type = ws->stream.command.type;
	struct fault f = { .code = FAA_ERROR_SUCCESS };
	uint64_t item;

	for (unsigned int lane = 0; lane < FAA_LANES && !f.code; lane++) {
		if (!(warp->access.lanes >> lane & 1))
			continue;
		item = 0;
		f = mmu_read(ws->cu, warp->places[lane], &item, type_bytes(type));
		f.lane = lane;
		warp->results[lane] = type_extend(type, le64toh(item));
	}
	return f;
}

static struct fault exec_store_global(struct warp_slot *ws, struct warp *warp)
{
	unsigned int bytes = type_bytes(ws->stream.command.type);
	struct fault f = { .code = FAA_ERROR_SUCCESS };
	uint64_t item;

	for (unsigned int lane = 0; lane < FAA_LANES && !f.code; lane++) {
		if (!(warp->access.lanes >> lane & 1))
			continue;
		item = htole64(warp->access.b[lane]);
		f = mmu_write(ws->cu, warp->places[lane], &item, bytes);
		f.lane = lane;
	}
	return f;
}

/* Effects of a checked warp; only bus errors remain possible. */
static struct fault exec_warp(struct warp_slot *ws, struct warp *warp)
{
	const struct command *command = &ws->stream.command;
	struct fault f = { .code = FAA_ERROR_SUCCESS };

	switch (command->opcode) {
	case FAA_OPCODE_MOV:
		for (unsigned int lane = 0; lane < FAA_LANES; lane++)
			warp->results[lane] = warp->a[lane];
		break;
	case FAA_OPCODE_ALU:
		for (unsigned int lane = 0; lane < FAA_LANES; lane++)
			warp->results[lane] =
				alu_operate(command, warp->a[lane], warp->access.b[lane]);
		break;
	case FAA_OPCODE_SETP:
		exec_set_predicate(ws, warp);
		break;
	case FAA_OPCODE_LD:
		f = exec_load_global(ws, warp);
		break;
	case FAA_OPCODE_ST:
		f = exec_store_global(ws, warp);
		break;
	case FAA_OPCODE_LDS:
		shared_load(ws, &warp->access, warp->results);
		break;
	case FAA_OPCODE_STS:
		shared_store(ws, &warp->access);
		break;
	case FAA_OPCODE_ATOMS:
		shared_atomic(ws, &warp->access, warp->results);
		break;
	case FAA_OPCODE_ATOM:
		f = atom_execute(ws, &warp->access, warp->places, warp->results);
		break;
	case FAA_OPCODE_SUATOM:
		f = atom_execute(ws, &warp->access, warp->places, warp->results);
		if (!f.code)
			surface_set_status(ws, &warp->access, warp->places);
		break;
	}
	if (f.code)
		return f;
	return result_write(ws, &command->operands[SLOT_D], warp->access.lanes, warp->result,
			    warp->results);
}

static void exec_count_warp(struct warp_slot *ws, const struct warp *warp, uint64_t size)
{
	const struct command *command = &ws->stream.command;
	struct service service = { 0 };

	if (command->info->address == FAA_ADDRESS_SHARED)
		service = shared_service(command, &warp->access, ws->cu->engine->shared_lanes);
	ws->stream.elements_retired += size;
	ws->stream.warps++;
	ws->stream.passes += service.passes;
	ws->cu->counters[FAA_COUNTER_WARPS]++;
	ws->cu->counters[FAA_COUNTER_ELEMENTS] += __builtin_popcount(warp->access.lanes);
	ws->cu->counters[FAA_COUNTER_PASSES] += service.passes;
	ws->cu->counters[FAA_COUNTER_GROUPS] += service.groups;
	ws->cu->counters[FAA_COUNTER_BANK_OPS] += service.groups;
}

/* Checks and executes the next warp of the running command. */
static void exec_run_warp(struct warp_slot *ws)
{
	struct stream *stream = &ws->stream;
	uint64_t size = stream->command.count - stream->element;
	struct warp warp = { .first = stream->element, .access.lanes = stream->lanes };
	struct fault f;

	if (size < FAA_LANES)
		warp.access.lanes &= (1u << size) - 1;
	else
		size = FAA_LANES;
	f = exec_check_warp(ws, &warp);
	if (!f.code)
		f = exec_warp(ws, &warp);
	if (f.code) {
		stream_end(ws, f.code, warp.first + f.lane, f.lane, f.address);
		return;
	}
	exec_count_warp(ws, &warp, size);
	stream->element += size;
	if (stream->element == stream->command.count)
		command_done(ws, stream->pc + stream->command.length * 8);
}

/* Fetches, decodes and issues the next command. */
static void exec_issue(struct warp_slot *ws)
{
	struct stream *stream = &ws->stream;
	struct fault f = decode_command(ws);

	if (f.code) {
		stream_end(ws, f.code, 0, 0, f.address);
		return;
	}
	stream->element = stream->first_element;
	stream->first_element = 0;
	if (!stream->command.info->vector) {
		control_execute(ws);
		return;
	}
	stream->lanes = guard_lanes(ws, &stream->command);
	if (stream->command.info->surface)
		stream->lanes &= ~ws->config.helpers;
	operands_capture(ws);
	stream->phase = STREAM_WARPS;
	exec_run_warp(ws);
}

/* Whether the CU's queue is killed, and the CU stops for it. */
static bool exec_kill_noticed(const struct cu *cu)
{
	return cu->engine->queues[cu->queue].kill && !cu->engine->deaf;
}

static void exec_begin_job(struct cu *cu)
{
	if (cu->phase == JOB_DESCRIPTORS) {
		if (job_read_descriptors(cu))
			cu->phase = JOB_CONTEXT;
	} else if (exec_kill_noticed(cu)) {
		job_stop(cu, FAA_ERROR_KILLED);
	} else if (context_switch(cu)) {
		cu->phase = JOB_STREAMS;
		cu->start_cycle = cu->engine->cycle;
	} else {
		job_abandon(cu);
	}
}

/* Whether a stream stops for the error of another one; random, as the time is not specified. */
static bool exec_stop_noticed(const struct cu *cu)
{
	return cu->failed && model_random(cu->engine) % 2;
}

static void exec_run_stream(struct warp_slot *ws)
{
	struct stream *stream = &ws->stream;

	if (exec_kill_noticed(ws->cu)) {
		stream_end(ws, FAA_ERROR_KILLED, stream_next_element(stream), 0, 0);
		return;
	}
	if (exec_stop_noticed(ws->cu)) {
		stream_end(ws, FAA_ERROR_STOPPED, stream_next_element(stream), 0, 0);
		return;
	}
	switch (stream->phase) {
	case STREAM_WARPS:
		exec_run_warp(ws);
		break;
	case STREAM_POLL:
		control_poll(ws);
		break;
	case STREAM_FETCH:
		exec_issue(ws);
		break;
	default:
		/* Waits at a BAR for other streams to reach it or to end. */
		break;
	}
}

/* One unit: a warp, a command or a poll of a stream, or a step of the start of a job. */
void exec_unit(struct turn turn)
{
	if (turn.ws)
		exec_run_stream(turn.ws);
	else
		exec_begin_job(turn.cu);
}
