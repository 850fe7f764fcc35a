// SPDX-License-Identifier: Apache-2.0
/* Execution: what a CU does in one unit, and the warps of vector commands. */
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

/* The lanes that a command's guard lets through. */
uint32_t guard_lanes(const struct cu *cu, const struct command *command)
{
	uint32_t lanes = ~0u;

	if (command->guard != FAA_PT)
		lanes = cu->predicates[command->guard];
	return command->guard_negate ? ~lanes : lanes;
}

/* Goes on to the command at @next_pc. */
void command_done(struct cu *cu, uint64_t next_pc)
{
	cu->counters[FAA_COUNTER_COMMANDS]++;
	cu->job.pc = next_pc;
	cu->job.element = 0;
	cu->job.phase = PHASE_FETCH;
}

static enum use use_of(const struct command *command)
{
	if (command->info->access)
		return USE_ATOMIC;
	return command->opcode == FAA_OPCODE_ST ? USE_WRITE : USE_READ;
}

/* The lanes of a SUATOM that have no item are as on a sparse page, and nothing of theirs is translated. */
static struct fault check_global(struct cu *cu, struct warp *warp)
{
	const struct command *command = &cu->job.command;
	struct fault f = { .code = FAA_ERROR_SUCCESS };

	for (unsigned int lane = 0; lane < FAA_LANES && !f.code; lane++) {
		if (!(warp->access.lanes >> lane & 1))
			continue;
		warp->places[lane].sparse = true;
		if (warp->access.nulls >> lane & 1)
			continue;
		f = mmu_translate(cu, warp->access.addresses[lane], type_bytes(command->type),
				  use_of(command), &warp->places[lane]);
		f.lane = lane;
	}
	return f;
}

/* Checks the access of the command itself. */
static struct fault check_access(struct cu *cu, struct warp *warp)
{
	const struct command *command = &cu->job.command;
	struct fault f = { .code = FAA_ERROR_SUCCESS };

	if (!command->info->surface)
		for (unsigned int lane = 0; lane < FAA_LANES; lane++)
			warp->access.addresses[lane] = warp->a[lane] + command->offset;
	switch (command->opcode) {
	case FAA_OPCODE_LD:
	case FAA_OPCODE_ST:
	case FAA_OPCODE_ATOM:
	case FAA_OPCODE_SUATOM:
		return check_global(cu, warp);
	case FAA_OPCODE_LDS:
	case FAA_OPCODE_STS:
	case FAA_OPCODE_ATOMS:
		for (unsigned int lane = 0; lane < FAA_LANES; lane++)
			warp->access.addresses[lane] = (uint32_t)warp->access.addresses[lane];
		return shared_check(cu, &warp->access);
	}
	return f;
}

/* Every check of a warp, step by step; reads its operands. */
static struct fault check_warp(struct cu *cu, struct warp *warp)
{
	const struct command *command = &cu->job.command;
	uint64_t *values[] = { warp->a, warp->access.b, warp->access.c };
	struct fault f;

	for (enum slot slot = SLOT_A; slot <= SLOT_C; slot++) {
		f = operand_read(cu, &command->operands[slot], warp->first, warp->access.lanes,
				 values[slot]);
		if (f.code)
			return f;
	}
	if (command->info->surface) {
		f = surface_locate(cu, &warp->access, warp->a);
		if (f.code)
			return f;
	}
	f = result_check(cu, &command->operands[SLOT_D], warp->first, warp->access.lanes,
			 warp->result);
	if (f.code)
		return f;
	return check_access(cu, warp);
}

static void set_predicate(struct cu *cu, const struct warp *warp)
{
	const struct command *command = &cu->job.command;
	uint32_t *predicate;

	if (command->mod == FAA_PT)
		return;
	predicate = &cu->predicates[command->mod];
	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		if (!(warp->access.lanes >> lane & 1))
			continue;
		*predicate &= ~(1u << lane);
		if (setp_compare(command, warp->a[lane], warp->access.b[lane]))
			*predicate |= 1u << lane;
	}
}

static struct fault load_global(struct cu *cu, struct warp *warp)
{
	unsigned int type = cu->job.command.type;
	struct fault f = { .code = FAA_ERROR_SUCCESS };
	uint64_t item;

	for (unsigned int lane = 0; lane < FAA_LANES && !f.code; lane++) {
		if (!(warp->access.lanes >> lane & 1))
			continue;
		item = 0;
		f = mmu_read(cu, warp->places[lane], &item, type_bytes(type));
		f.lane = lane;
		warp->results[lane] = type_extend(type, le64toh(item));
	}
	return f;
}

static struct fault store_global(struct cu *cu, struct warp *warp)
{
	unsigned int bytes = type_bytes(cu->job.command.type);
	struct fault f = { .code = FAA_ERROR_SUCCESS };
	uint64_t item;

	for (unsigned int lane = 0; lane < FAA_LANES && !f.code; lane++) {
		if (!(warp->access.lanes >> lane & 1))
			continue;
		item = htole64(warp->access.b[lane]);
		f = mmu_write(cu, warp->places[lane], &item, bytes);
		f.lane = lane;
	}
	return f;
}

/* The effects of a checked warp; only a bus error can stop it. */
static struct fault execute_warp(struct cu *cu, struct warp *warp)
{
	const struct command *command = &cu->job.command;
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
		set_predicate(cu, warp);
		break;
	case FAA_OPCODE_LD:
		f = load_global(cu, warp);
		break;
	case FAA_OPCODE_ST:
		f = store_global(cu, warp);
		break;
	case FAA_OPCODE_LDS:
		shared_load(cu, &warp->access, warp->results);
		break;
	case FAA_OPCODE_STS:
		shared_store(cu, &warp->access);
		break;
	case FAA_OPCODE_ATOMS:
		shared_atomic(cu, &warp->access, warp->results);
		break;
	case FAA_OPCODE_ATOM:
		f = atom_execute(cu, &warp->access, warp->places, warp->results);
		break;
	case FAA_OPCODE_SUATOM:
		f = atom_execute(cu, &warp->access, warp->places, warp->results);
		if (!f.code)
			surface_set_status(cu, &warp->access, warp->places);
		break;
	}
	if (f.code)
		return f;
	return result_write(cu, &command->operands[SLOT_D], warp->access.lanes, warp->result,
			    warp->results);
}

static void count_warp(struct cu *cu, const struct warp *warp, uint64_t size)
{
	const struct command *command = &cu->job.command;
	struct service service = { 0 };

	if (command->info->address == FAA_ADDRESS_SHARED)
		service = shared_service(command, &warp->access, cu->engine->shared_lanes);
	cu->job.elements_retired += size;
	cu->job.warps++;
	cu->job.passes += service.passes;
	cu->counters[FAA_COUNTER_WARPS]++;
	cu->counters[FAA_COUNTER_ELEMENTS] += __builtin_popcount(warp->access.lanes);
	cu->counters[FAA_COUNTER_PASSES] += service.passes;
	cu->counters[FAA_COUNTER_GROUPS] += service.groups;
	cu->counters[FAA_COUNTER_BANK_OPS] += service.groups;
}

/* Checks and executes the next warp of the command under way. */
static void run_warp(struct cu *cu)
{
	struct job *job = &cu->job;
	uint64_t size = job->command.count - job->element;
	struct warp warp = { .first = job->element, .access.lanes = job->lanes };
	struct fault f;

	if (size < FAA_LANES)
		warp.access.lanes &= (1u << size) - 1;
	else
		size = FAA_LANES;
	f = check_warp(cu, &warp);
	if (!f.code)
		f = execute_warp(cu, &warp);
	if (f.code) {
		job_end(cu, f.code, warp.first + f.lane, f.lane, f.address);
		return;
	}
	count_warp(cu, &warp, size);
	job->element += size;
	if (job->element == job->command.count)
		command_done(cu, job->pc + job->command.length * 8);
}

/* Fetches, decodes and issues the next command. */
static void issue(struct cu *cu)
{
	struct job *job = &cu->job;
	struct fault f = decode_command(cu);

	if (f.code) {
		job_end(cu, f.code, 0, 0, f.address);
		return;
	}
	job->element = job->first_element;
	job->first_element = 0;
	if (!job->command.info->vector) {
		control_execute(cu);
		return;
	}
	job->lanes = guard_lanes(cu, &job->command);
	if (job->command.info->surface)
		job->lanes &= ~cu->config.helpers;
	operands_capture(cu);
	job->phase = PHASE_WARPS;
	run_warp(cu);
}

/* Where a restarted job would go on in the command at pc. */
uint64_t job_next_element(const struct job *job)
{
	return job->first_element ? job->first_element : job->element;
}

static void switch_context(struct cu *cu)
{
	if (context_switch(cu))
		cu->job.phase = PHASE_FETCH;
	else
		job_abandon(cu);
}

/* One unit of a CU with a job: a warp, a command, a poll, a step of its start. */
void exec_unit(struct cu *cu)
{
	if (cu->job.phase == PHASE_DESCRIPTOR) {
		if (job_read_descriptor(cu))
			cu->job.phase = PHASE_CONTEXT;
		return;
	}
	if (cu->engine->queues[cu->queue].kill) {
		job_end(cu, FAA_ERROR_KILLED, job_next_element(&cu->job), 0, 0);
		return;
	}
	switch (cu->job.phase) {
	case PHASE_CONTEXT:
		switch_context(cu);
		break;
	case PHASE_WARPS:
		run_warp(cu);
		break;
	case PHASE_POLL:
		control_poll(cu);
		break;
	default:
		issue(cu);
	}
}
