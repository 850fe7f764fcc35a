// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Number of requests in a round that makes warps wait; each has up to 32 elements. */
#define FULL  2048u
#define CHUNK 64u
/*
 * Memory of a job is one large page: the stream, then operands and results. The largest command
 * needs 1 MiB of these.
 */
#define CODE_BYTES (256u * 1024)
#define DATA_BYTES (2u * 1024 * 1024 - CODE_BYTES)
/* Elements per job: the kernel limits its run time, and a simulated device is slow. */
#define JOB_ELEMENTS 32768u
/* The longest command, and END. */
#define COMMAND_BYTES ((FAA_MAX_COMMAND_WORDS + 1u) * 8)

struct chunk {
	struct chunk *next;
	struct spirv_ask asks[CHUNK];
};

struct step {
	struct spirv_ask **asks;
	uint32_t count, capacity;
};

/* A command of the job: requests of one step that differ only in their warps. */
struct command {
	struct spirv_ask *first, *last;
	uint32_t elements;
	/* Offsets of the command in the stream and of its results; 0: no result. */
	uint32_t offset;
	uint32_t result;
};

struct command_list {
	struct command *commands;
	uint32_t count, capacity;
};

struct spirv_round {
	struct faa_vm *vm;
	struct faa_queue *queue;
	struct faa_stream *stream;
	struct faa_bo *bo;
	uint8_t *memory;
	uint64_t va;
	const struct faa_header_pool *headers;
	bool configured;
	struct chunk *chunks, *chunk;
	uint32_t chunk_used, asks;
	struct step *steps;
	uint32_t step_count, step_capacity;
	/*
	 * The current step and the job that is built, with its bytes of operands and its elements.
	 */
	struct command_list step, job;
	uint32_t data, elements;
	/* Values of one operand. */
	uint64_t *values;
};

int spirv_round_create(struct faa_vm *vm, uint32_t shared, const struct faa_header_pool *headers,
		       struct spirv_round **out)
{
	struct faa_queue_options options = { .shared_bytes = shared };
	struct spirv_round *round = calloc(1, sizeof(*round));
	void *memory;
	int ret;

	*out = NULL;
	if (!round)
		return -ENOMEM;
	round->vm = faa_vm_ref(vm);
	round->headers = headers;
	round->values = calloc((FULL + SPIRV_LANES) * SPIRV_LANES, sizeof(*round->values));
	ret = round->values ?
		      faa_bo_create(faa_vm_device(vm), CODE_BYTES + DATA_BYTES, 0, &round->bo) :
		      -ENOMEM;
	if (!ret)
		ret = faa_bo_map(round->bo, &memory);
	if (!ret)
		ret = faa_vm_map(vm, round->bo, 0, 0, 0, &round->va);
	if (!ret) {
		round->memory = memory;
		ret = faa_queue_create(vm, &options, &round->queue);
	}
	if (!ret)
		ret = faa_stream_create(&round->stream);
	if (ret)
		spirv_round_destroy(round);
	else
		*out = round;
	return ret;
}

void spirv_round_destroy(struct spirv_round *round)
{
	struct chunk *chunk, *next;
	uint32_t i;

	if (!round)
		return;
	for (chunk = round->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	for (i = 0; i < round->step_capacity; i++)
		free(round->steps[i].asks);
	free(round->steps);
	free(round->step.commands);
	free(round->job.commands);
	free(round->values);
	faa_stream_destroy(round->stream);
	faa_queue_destroy(round->queue);
	if (round->va)
		faa_vm_drop(round->vm, round->va, faa_bo_size(round->bo));
	faa_bo_unref(round->bo);
	faa_vm_unref(round->vm);
	free(round);
}

static int round_no_memory(struct spirv_run *run)
{
	spirv_stop(run, NULL, NULL, 0, "out of memory");
	run->error = -ENOMEM;
	return -ENOMEM;
}

static struct spirv_ask *round_new_ask(struct spirv_round *round)
{
	struct chunk *chunk = round->chunk ? round->chunk->next : round->chunks;

	if (!round->chunk || round->chunk_used == CHUNK) {
		if (!chunk) {
			chunk = malloc(sizeof(*chunk));
			if (!chunk)
				return NULL;
			chunk->next = NULL;
			if (round->chunk)
				round->chunk->next = chunk;
			else
				round->chunks = chunk;
		}
		round->chunk = chunk;
		round->chunk_used = 0;
	}
	return &round->chunk->asks[round->chunk_used++];
}

static struct step *round_get_step(struct spirv_round *round, uint32_t index)
{
	uint32_t capacity = round->step_capacity ? round->step_capacity : 16;
	struct step *steps;

	while (capacity <= index)
		capacity *= 2;
	if (capacity != round->step_capacity) {
		steps = realloc(round->steps, capacity * sizeof(*steps));
		if (!steps)
			return NULL;
		memset(steps + round->step_capacity, 0,
		       (capacity - round->step_capacity) * sizeof(*steps));
		round->steps = steps;
		round->step_capacity = capacity;
	}
	if (index >= round->step_count)
		round->step_count = index + 1;
	return &round->steps[index];
}

struct spirv_ask *spirv_ask(struct spirv_run *run, struct spirv_warp *warp,
			    const struct spirv_ins *ins, uint8_t kind, uint32_t lanes)
{
	struct spirv_round *round = run->round;
	struct spirv_ask *ask = round_new_ask(round);
	struct step *step = round_get_step(round, warp->step);
	struct spirv_ask **grown;

	if (ask && step && step->count == step->capacity) {
		grown = realloc(step->asks, (step->capacity * 2 + 16) * sizeof(*grown));
		if (grown) {
			step->asks = grown;
			step->capacity = step->capacity * 2 + 16;
		}
	}
	if (!ask || !step || step->count == step->capacity) {
		round_no_memory(run);
		return NULL;
	}
	memset(ask, 0, offsetof(struct spirv_ask, a));
	ask->next = NULL;
	ask->kind = kind;
	ask->ins = ins;
	ask->warp = warp;
	ask->lanes = lanes;
	ask->dst = SLOT_NONE;
	step->asks[step->count++] = ask;
	round->asks++;
	warp->asked = true;
	return ask;
}

bool spirv_round_full(const struct spirv_round *round)
{
	return round->asks >= FULL;
}

bool spirv_round_empty(const struct spirv_round *round)
{
	return !round->asks;
}

void spirv_round_reset(struct spirv_round *round)
{
	uint32_t i;

	for (i = 0; i < round->step_count; i++)
		round->steps[i].count = 0;
	round->step_count = 0;
	round->asks = 0;
	round->chunk = NULL;
	round->chunk_used = 0;
}

/* Allocates @bytes of the job's data, beginning at a line. Return: offset in the BO. */
static uint32_t round_take_data(struct spirv_round *round, uint32_t bytes)
{
	uint32_t at = CODE_BYTES + round->data;

	round->data += (bytes + FAA_LINE_BYTES - 1) & ~(FAA_LINE_BYTES - 1u);
	return at;
}

static struct faa_operand round_array(struct spirv_round *round, uint32_t count, bool wide,
				      uint64_t minus)
{
	uint32_t at = round_take_data(round, count * (wide ? 8 : 4)), narrow, i;
	uint64_t value;

	for (i = 0; i < count; i++) {
		value = round->values[i] - minus;
		narrow = (uint32_t)value;
		if (wide)
			memcpy(round->memory + at + 8 * i, &value, 8);
		else
			memcpy(round->memory + at + 4 * i, &narrow, 4);
	}
	return wide ? faa_array_u64(round->va + at, 8) : faa_array_u32(round->va + at, 4);
}

/* Encodes the values of an operand in the smallest form. */
static struct faa_operand round_operand(struct spirv_round *round, uint32_t count, bool wide)
{
	const uint64_t *values = round->values;
	uint64_t step = count > 1 ? values[1] - values[0] : 0, least = values[0], most = values[0];
	bool even = true;
	uint32_t i;

	for (i = 1; i < count; i++) {
		even &= values[i] - values[i - 1] == step;
		least = values[i] < least ? values[i] : least;
		most = values[i] > most ? values[i] : most;
	}
	if (even)
		return step ? faa_affine(values[0], step) : faa_imm(values[0]);
	if (wide && most - least <= UINT32_MAX)
		return faa_scaled(round_array(round, count, false, least), 0, least);
	return round_array(round, count, wide, 0);
}

enum which { OPERAND_A, OPERAND_B, OPERAND_C };

static struct faa_operand round_gather(struct spirv_round *round, const struct command *command,
				       enum which which, bool wide)
{
	const struct spirv_ask *ask;
	const uint64_t *from;
	uint32_t count = 0, i;

	for (ask = command->first; ask; ask = ask->next) {
		from = which == OPERAND_A ? ask->a : which == OPERAND_B ? ask->b : ask->c;
		for (i = 0; i < SPIRV_LANES; i++)
			if (ask->lanes >> i & 1)
				round->values[count++] = from[i];
	}
	return round_operand(round, count, wide);
}

/* Whether two requests of one step belong to one command. */
static bool round_same_command(const struct spirv_ask *one, const struct spirv_ask *other)
{
	return one->ins == other->ins && one->sub == other->sub && one->header == other->header &&
	       one->kind == other->kind;
}

static void round_emit_memory(struct spirv_round *round, struct command *command,
			      struct faa_operand a, struct faa_operand b, struct faa_operand c,
			      struct faa_operand d)
{
	const struct spirv_ask *ask = command->first;
	struct faa_stream *stream = round->stream;
	uint32_t count = command->elements;
	struct faa_place place;

	if (ask->modes)
		faa_stream_float_mode(stream, ask->modes);
	switch (ask->kind) {
	case ASK_ATOM:
		faa_stream_atom(stream, ask->op, ask->type, ask->scope, ask->order, count, d, a, 0,
				b, c);
		break;
	case ASK_ATOMS:
		faa_stream_atoms(stream, ask->op, ask->type, count, d, a, 0, b, c);
		break;
	case ASK_SUATOM:
		place = faa_place_header(ask->dim, FAA_CLAMP_IGN, ask->header);
		place.packed = ask->packed;
		faa_stream_suatom(stream, &place, ask->op, ask->type, ask->scope, ask->order, count,
				  d, a, b, c);
		break;
	case ASK_LD:
		faa_stream_ld_strong(stream, ask->type, ask->scope, ask->order, count, d, a, 0);
		break;
	case ASK_ST:
		faa_stream_st_strong(stream, ask->type, ask->scope, ask->order, count, a, 0, b);
		break;
	case ASK_LDS:
		faa_stream_lds(stream, ask->type, count, d, a, 0);
		break;
	default:
		faa_stream_sts(stream, ask->type, count, a, 0, b);
	}
}

/*
 * Addresses have 64 bits in global memory and 32 in shared memory; coordinates have the width that
 * they need.
 */
static bool round_wide_address(const struct spirv_ask *ask)
{
	switch (ask->kind) {
	case ASK_ATOM:
	case ASK_LD:
	case ASK_ST:
		return true;
	case ASK_SUATOM:
		return ask->dim != FAA_DIM_D1 && ask->dim != FAA_DIM_D1_BUFFER;
	default:
		return false;
	}
}

static void round_emit_command(struct spirv_round *round, struct command *command)
{
	struct faa_operand b = faa_none(), c = faa_none(), d = faa_none(), a;
	const struct spirv_ask *ask = command->first;

	command->offset = (uint32_t)faa_stream_bytes(round->stream);
	if (ask->kind == ASK_FENCE) {
		faa_stream_fence(round->stream, ask->op, ask->scope);
		return;
	}
	a = round_gather(round, command, OPERAND_A, round_wide_address(ask));
	if (ask->has_b)
		b = round_gather(round, command, OPERAND_B, ask->wide);
	if (ask->has_c)
		c = round_gather(round, command, OPERAND_C, ask->wide);
	if (ask->dst != SLOT_NONE) {
		command->result = round_take_data(round, command->elements * (ask->wide ? 8 : 4));
		d = ask->wide ? faa_array_u64(round->va + command->result, 8) :
				faa_array_u32(round->va + command->result, 4);
	}
	round_emit_memory(round, command, a, b, c, d);
}

static void round_take_results(struct spirv_run *run, const struct command *command)
{
	const uint8_t *from = run->round->memory + command->result;
	const struct spirv_ask *ask;
	uint64_t *to, value;
	uint32_t i;

	if (!command->result)
		return;
	for (ask = command->first; ask; ask = ask->next) {
		to = spirv_lanes_of(run, ask->warp, ask->dst);
		for (i = 0; i < SPIRV_LANES; i++) {
			if (!(ask->lanes >> i & 1))
				continue;
			value = 0;
			memcpy(&value, from, ask->wide ? 8 : 4);
			from += ask->wide ? 8 : 4;
			if (ask->width < 32)
				value &= (1u << ask->width) - 1;
			to[i] = ask->flag ? value != 0 : value;
		}
	}
}

/* Reports a failed job at the lane of the failing element. */
static void round_name_failure(struct spirv_run *run, const struct faa_job_status *status,
			       size_t words)
{
	struct spirv_round *round = run->round;
	const struct command *command = round->job.commands;
	const struct spirv_ask *ask;
	uint32_t i, k = 0, at = status->element;
	char text[256];

	for (i = 1; i < round->job.count && round->job.commands[i].offset <= status->command; i++)
		command = &round->job.commands[i];
	faa_status_format(status, (const uint64_t *)round->memory, words, text, sizeof(text));
	if (!round->job.count) {
		spirv_stop(run, NULL, NULL, 0, "%s", text);
		return;
	}
	for (ask = command->first; ask->next && at >= (uint32_t)__builtin_popcount(ask->lanes);
	     ask = ask->next)
		at -= (uint32_t)__builtin_popcount(ask->lanes);
	for (k = 0; k < SPIRV_LANES - 1; k++)
		if (ask->lanes >> k & 1 && !at--)
			break;
	spirv_stop(run, ask->ins, ask->warp, k, "the device says: %s", text);
}

static void round_submit_job(struct spirv_run *run)
{
	struct spirv_round *round = run->round;
	struct faa_job job = { .stream_va = round->va };
	struct faa_job_status status = { 0 };
	int64_t begin = faa_deadline(0);
	int ret;

	faa_stream_end(round->stream);
	job.stream_bytes = (uint32_t)faa_stream_bytes(round->stream);
	ret = faa_stream_upload(round->stream, round->bo, 0);
	if (ret)
		spirv_stop(run, NULL, NULL, 0, "building the stream: %s",
			   faa_stream_error(round->stream));
	else
		ret = faa_queue_run(round->queue, &job, FAA_NO_DEADLINE, &status);
	/* A rejected job has no status record, and thus no command and element. */
	if (ret && status.seqno && status.code < FAA_JOB_NOT_SUBMITTED)
		round_name_failure(run, &status, job.stream_bytes / 8);
	else if (ret)
		spirv_stop(run, NULL, NULL, 0, "running a job: %s", faa_last_error());
	if (ret)
		run->error = ret;
	run->statistics->submits++;
	run->statistics->commands += round->job.count;
	run->statistics->cycles += status.end_cycle - status.start_cycle;
	run->statistics->device_ns += (uint64_t)(faa_deadline(0) - begin);
}

static void round_begin_job(struct spirv_round *round)
{
	faa_stream_reset(round->stream);
	if (round->headers && !round->configured)
		faa_header_pool_config(round->headers, round->stream);
	round->data = round->elements = round->job.count = 0;
}

static void round_finish_job(struct spirv_run *run)
{
	struct spirv_round *round = run->round;
	uint32_t i;

	if (!round->job.count || run->error)
		return;
	round_submit_job(run);
	round->configured = true;
	for (i = 0; i < round->job.count && !run->error; i++)
		round_take_results(run, &round->job.commands[i]);
	round_begin_job(round);
}

/* Appends a command to a list; NULL after a message. */
static struct command *round_append_command(struct spirv_run *run, struct command_list *list)
{
	struct command *grown;

	if (list->count == list->capacity) {
		grown = realloc(list->commands, (list->capacity * 2 + 64) * sizeof(*grown));
		if (!grown) {
			round_no_memory(run);
			return NULL;
		}
		list->commands = grown;
		list->capacity = list->capacity * 2 + 64;
	}
	list->commands[list->count] = (struct command){ 0 };
	return &list->commands[list->count++];
}

/* The command of the step that @ask belongs to. */
static struct command *round_find_command(struct spirv_run *run, const struct spirv_ask *ask)
{
	struct command_list *list = &run->round->step;
	uint32_t i;

	for (i = 0; i < list->count; i++)
		if (round_same_command(list->commands[i].first, ask))
			return &list->commands[i];
	return round_append_command(run, list);
}

static void round_add_to_command(struct command *command, struct spirv_ask *ask)
{
	ask->next = NULL;
	/* One fence serves all warps. */
	if (command->first && ask->kind == ASK_FENCE)
		return;
	if (command->last)
		command->last->next = ask;
	else
		command->first = ask;
	command->last = ask;
	command->elements += (uint32_t)__builtin_popcount(ask->lanes);
}

/* Whether the job has room for another command: three operands and a result, of 64 bits each. */
static bool round_fits(const struct spirv_round *round, const struct command *command)
{
	uint64_t data = round->data + 4 * (8ull * command->elements + FAA_LINE_BYTES);

	return data <= DATA_BYTES &&
	       faa_stream_bytes(round->stream) + 2 * COMMAND_BYTES <= CODE_BYTES &&
	       round->elements + command->elements <= JOB_ELEMENTS;
}

static void run_step(struct spirv_run *run, const struct step *step)
{
	struct spirv_round *round = run->round;
	struct command *command;
	uint32_t i;

	round->step.count = 0;
	for (i = 0; i < step->count; i++) {
		if (!step->asks[i]->lanes)
			continue;
		command = round_find_command(run, step->asks[i]);
		if (!command)
			return;
		round_add_to_command(command, step->asks[i]);
	}
	for (i = 0; i < round->step.count && !run->error; i++) {
		if (!round_fits(round, &round->step.commands[i]))
			round_finish_job(run);
		command = round_append_command(run, &round->job);
		if (!command)
			return;
		*command = round->step.commands[i];
		round_emit_command(round, command);
		round->elements += command->elements;
	}
}

void spirv_round_run(struct spirv_run *run)
{
	struct spirv_round *round = run->round;
	uint32_t i;

	round_begin_job(round);
	for (i = 0; i < round->step_count && !run->error; i++)
		run_step(run, &round->steps[i]);
	round_finish_job(run);
	run->statistics->rounds++;
}
