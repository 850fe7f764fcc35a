// SPDX-License-Identifier: MIT
/* A dispatch: starts workgroups, executes warps in turn, and runs rounds. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grammar.h"
#include "kernel.h"

/* Limits of the warps that run at a time, and of the memory of their slots. */
#define MOST_WARPS 1024u
#define MOST_BYTES (512ull << 20)

/* A running dispatch. */
struct dispatch {
	struct spirv_run run;
	struct faa_spirv_kernel *kernel;
	uint32_t warps;
	/*
	 * Running workgroups, finished ones for reuse, and the number that fits into shared memory.
	 */
	struct spirv_workgroup *running, *idle;
	uint32_t capacity;
	uint64_t next, total;
};

void spirv_stop(struct spirv_run *run, const struct spirv_ins *ins, const struct spirv_warp *warp,
		unsigned int lane, const char *format, ...)
{
	struct faa_spirv_message *message = run->message;
	size_t used = 0, size = sizeof(message->text);
	const struct spirv_grammar *grammar;
	const uint32_t *id;
	va_list args;

	if (run->error)
		return;
	run->error = -EFAULT;
	memset(message, 0, sizeof(*message));
	if (ins) {
		message->word = ins->word;
		grammar = spirv_grammar(ins->opcode);
		message->name = grammar ? grammar->name : NULL;
		used = (size_t)snprintf(message->text, size, "%s", spirv_op_name(ins->opcode));
	}
	if (warp) {
		id = warp->workgroup->id;
		used += (size_t)snprintf(message->text + used, size - used,
					 " in invocation %u of workgroup %u, %u, %u",
					 warp->index * SPIRV_LANES + lane, id[0], id[1], id[2]);
	}
	if (used)
		used += (size_t)snprintf(message->text + used, size - used, ": ");
	va_start(args, format);
	vsnprintf(message->text + used, size - used, format, args);
	va_end(args);
}

static int dispatch_compare_regions(const void *one, const void *other)
{
	const struct spirv_region *a = one, *b = other;

	return a->va < b->va ? -1 : a->va > b->va;
}

static uint64_t *dispatch_constant(struct spirv_run *run, uint32_t slot)
{
	return run->constants + (size_t)(slot & ~SLOT_CONST) * SPIRV_LANES;
}

/* Sets the constant slots of buffer addresses, and sorts all memory by address. */
static int dispatch_bind_all(struct dispatch *dispatch)
{
	struct faa_spirv_kernel *kernel = dispatch->kernel;
	const struct spirv_program *program = &kernel->program;
	struct spirv_run *run = &dispatch->run;
	const struct spirv_resource *resource;
	uint32_t i, k, lane, buffer = 0;

	for (i = 0; i < program->resource_count; i++) {
		resource = &program->resources[i];
		for (k = 0; k < resource->count; k++) {
			if (resource->kind == RESOURCE_BUFFER ?
				    !kernel->buffers[buffer].memory :
				    !kernel->images[resource->slot + k].memory) {
				spirv_stop(run, NULL, NULL, 0,
					   "nothing is bound to binding %u of set %u, element %u",
					   resource->binding, resource->set, k);
				return run->error = -EINVAL;
			}
			if (resource->kind != RESOURCE_BUFFER)
				continue;
			for (lane = 0; lane < SPIRV_LANES; lane++)
				dispatch_constant(run, resource->slot + k)[lane] =
					kernel->buffers[buffer].va;
			run->regions[run->region_count++] = kernel->buffers[buffer++];
		}
	}
	for (i = 0; i < kernel->memory_count; i++)
		run->regions[run->region_count++] = kernel->memory[i];
	qsort(run->regions, run->region_count, sizeof(*run->regions), dispatch_compare_regions);
	return 0;
}

static int dispatch_start(struct dispatch *dispatch)
{
	struct faa_spirv_kernel *kernel = dispatch->kernel;
	const struct spirv_program *program = &kernel->program;
	size_t constants = (size_t)program->constant_count * SPIRV_LANES * sizeof(uint64_t);
	struct spirv_run *run = &dispatch->run;
	int ret;

	run->constants = malloc(constants + 1);
	run->regions =
		calloc(kernel->buffer_count + kernel->memory_count + 1, sizeof(*run->regions));
	run->scratch =
		malloc(((size_t)program->most_moves * SPIRV_LANES + 1) * sizeof(*run->scratch));
	if (!run->constants || !run->regions || !run->scratch)
		return run->error = -ENOMEM;
	if (constants)
		memcpy(run->constants, program->constants, constants);
	ret = dispatch_bind_all(dispatch);
	if (!ret && !kernel->round)
		ret = spirv_round_create(kernel->vm, kernel->shared, kernel->headers,
					 &kernel->round);
	run->round = kernel->round;
	if (ret && !run->error) {
		spirv_stop(run, NULL, NULL, 0, "making a queue: %s", strerror(-ret));
		run->error = ret;
	}
	return run->error;
}

/* Computes how many workgroups may run at a time, limited by warps and shared memory. */
static void dispatch_plan(struct dispatch *dispatch)
{
	struct faa_spirv_kernel *kernel = dispatch->kernel;
	const struct spirv_program *program = &kernel->program;
	uint32_t invocations = program->local[0] * program->local[1] * program->local[2];
	uint64_t bytes = (uint64_t)program->slots * SPIRV_LANES * sizeof(uint64_t), most;
	const struct faa_device_info *info = faa_device_info(faa_vm_device(kernel->vm));

	dispatch->warps = (invocations + SPIRV_LANES - 1) / SPIRV_LANES;
	most = MOST_WARPS / dispatch->warps;
	if (bytes * dispatch->warps * most > MOST_BYTES)
		most = MOST_BYTES / (bytes * dispatch->warps);
	if (program->shared_bytes && most > info->shared_max / program->shared_bytes)
		most = info->shared_max / program->shared_bytes;
	dispatch->capacity = most ? (uint32_t)most : 1;
	/* The queue is created once, with shared memory for the largest number of workgroups. */
	kernel->shared = (dispatch->capacity * program->shared_bytes + info->shared_granule - 1) /
			 info->shared_granule * info->shared_granule;
}

static struct spirv_workgroup *dispatch_new_workgroup(struct dispatch *dispatch, uint32_t place)
{
	const struct spirv_program *program = dispatch->run.program;
	struct spirv_workgroup *workgroup = calloc(1, sizeof(*workgroup));
	size_t slots = (size_t)program->slots * SPIRV_LANES;
	uint32_t i;

	if (!workgroup)
		return NULL;
	workgroup->warps = calloc(dispatch->warps, sizeof(*workgroup->warps));
	workgroup->warp_count = workgroup->warps ? dispatch->warps : 0;
	workgroup->shared = place * program->shared_bytes;
	workgroup->next = dispatch->idle;
	dispatch->idle = workgroup;
	for (i = 0; i < workgroup->warp_count; i++) {
		workgroup->warps[i].slots = malloc((slots + 1) * sizeof(uint64_t));
		if (!workgroup->warps[i].slots)
			return NULL;
	}
	return workgroup->warp_count ? workgroup : NULL;
}

static void dispatch_builtin(struct spirv_run *run, struct spirv_warp *warp,
			     enum spirv_builtin which, unsigned int component, unsigned int lane,
			     uint64_t value)
{
	uint32_t slot = run->program->builtin[which];

	if (slot != SLOT_NONE)
		spirv_lanes_of(run, warp, slot + component)[lane] = value;
}

static void dispatch_builtin_masks(struct spirv_run *run, struct spirv_warp *warp,
				   unsigned int lane)
{
	uint32_t equal = 1u << lane;

	dispatch_builtin(run, warp, BUILTIN_MASK_EQ, 0, lane, equal);
	dispatch_builtin(run, warp, BUILTIN_MASK_LT, 0, lane, equal - 1);
	dispatch_builtin(run, warp, BUILTIN_MASK_LE, 0, lane, equal - 1 + equal);
	dispatch_builtin(run, warp, BUILTIN_MASK_GE, 0, lane, ~(equal - 1));
	dispatch_builtin(run, warp, BUILTIN_MASK_GT, 0, lane, (uint32_t) ~(equal - 1 + equal));
}

static void dispatch_builtins(struct dispatch *dispatch, struct spirv_warp *warp, unsigned int lane)
{
	struct spirv_run *run = &dispatch->run;
	const uint32_t *local = run->program->local, *id = warp->workgroup->id;
	uint32_t index = warp->index * SPIRV_LANES + lane, at[3], i;

	at[0] = index % local[0];
	at[1] = index / local[0] % local[1];
	at[2] = index / local[0] / local[1];
	for (i = 0; i < 3; i++) {
		dispatch_builtin(run, warp, BUILTIN_NUM_WORKGROUPS, i, lane, run->groups[i]);
		dispatch_builtin(run, warp, BUILTIN_WORKGROUP_SIZE, i, lane, local[i]);
		dispatch_builtin(run, warp, BUILTIN_WORKGROUP_ID, i, lane, id[i]);
		dispatch_builtin(run, warp, BUILTIN_LOCAL_ID, i, lane, at[i]);
		dispatch_builtin(run, warp, BUILTIN_GLOBAL_ID, i, lane,
				 (uint32_t)(id[i] * local[i] + at[i]));
	}
	dispatch_builtin(run, warp, BUILTIN_LOCAL_INDEX, 0, lane, index);
	dispatch_builtin(run, warp, BUILTIN_SUBGROUP_SIZE, 0, lane, SPIRV_LANES);
	dispatch_builtin(run, warp, BUILTIN_NUM_SUBGROUPS, 0, lane, dispatch->warps);
	dispatch_builtin(run, warp, BUILTIN_SUBGROUP_ID, 0, lane, warp->index);
	dispatch_builtin(run, warp, BUILTIN_SUBGROUP_LANE, 0, lane, lane);
	dispatch_builtin_masks(run, warp, lane);
}

static void dispatch_start_warp(struct dispatch *dispatch, struct spirv_workgroup *workgroup,
				uint32_t index, uint32_t count)
{
	struct spirv_warp *warp = &workgroup->warps[index];
	uint64_t *slots = warp->slots;
	unsigned int lane;

	memset(warp, 0, sizeof(*warp));
	warp->slots = slots;
	memset(slots, 0, (size_t)dispatch->run.program->slots * SPIRV_LANES * sizeof(*slots));
	warp->workgroup = workgroup;
	warp->index = index;
	for (lane = 0; lane < SPIRV_LANES; lane++)
		dispatch_builtins(dispatch, warp, lane);
	spirv_warp_join(warp, dispatch->run.program->entry, UINT32_MAX >> (SPIRV_LANES - count),
			false);
}

/*
 * Clears the shared memory of a workgroup in the first step of its first warp, as another workgroup
 * may have used it.
 */
static void dispatch_clear_shared(struct dispatch *dispatch, struct spirv_workgroup *workgroup)
{
	struct spirv_run *run = &dispatch->run;
	uint32_t at, lanes, i;
	struct spirv_ask *ask;

	for (at = 0; at < run->program->shared_bytes; at += 8 * SPIRV_LANES) {
		lanes = (run->program->shared_bytes - at) / 8;
		ask = spirv_ask(run, &workgroup->warps[0], NULL, ASK_STS,
				lanes >= 32 ? UINT32_MAX : (1u << lanes) - 1);
		if (!ask)
			return;
		ask->type = FAA_TYPE_U64;
		ask->wide = ask->has_b = true;
		for (i = 0; i < SPIRV_LANES; i++) {
			ask->a[i] = workgroup->shared + at + 8 * i;
			ask->b[i] = 0;
		}
	}
	for (i = 0; i < workgroup->warp_count; i++)
		workgroup->warps[i].step = 1;
}

static void dispatch_start_workgroup(struct dispatch *dispatch)
{
	const struct spirv_program *program = dispatch->run.program;
	uint32_t invocations = program->local[0] * program->local[1] * program->local[2], i, left;
	struct spirv_workgroup *workgroup = dispatch->idle;
	const uint32_t *groups = dispatch->run.groups;

	dispatch->idle = workgroup->next;
	workgroup->next = dispatch->running;
	dispatch->running = workgroup;
	workgroup->id[0] = (uint32_t)(dispatch->next % groups[0]);
	workgroup->id[1] = (uint32_t)(dispatch->next / groups[0] % groups[1]);
	workgroup->id[2] = (uint32_t)(dispatch->next / groups[0] / groups[1]);
	workgroup->live = invocations;
	workgroup->arrived = 0;
	dispatch->next++;
	dispatch->run.statistics->invocations += invocations;
	for (i = 0; i < dispatch->warps; i++) {
		left = invocations - i * SPIRV_LANES;
		dispatch_start_warp(dispatch, workgroup, i,
				    left < SPIRV_LANES ? left : SPIRV_LANES);
	}
	if (program->clear_shared)
		dispatch_clear_shared(dispatch, workgroup);
}

/* Starts as many workgroups as fit. */
static void dispatch_start_workgroups(struct dispatch *dispatch)
{
	uint32_t running = 0;
	struct spirv_workgroup *workgroup;

	for (workgroup = dispatch->running; workgroup; workgroup = workgroup->next)
		running++;
	for (workgroup = dispatch->idle; workgroup; workgroup = workgroup->next)
		running++;
	while (running < dispatch->capacity && running < dispatch->total && !dispatch->run.error) {
		if (!dispatch_new_workgroup(dispatch, running++)) {
			spirv_stop(&dispatch->run, NULL, NULL, 0, "out of memory");
			dispatch->run.error = -ENOMEM;
		}
	}
	while (dispatch->idle && dispatch->next < dispatch->total && !dispatch->run.error)
		dispatch_start_workgroup(dispatch);
}

static void dispatch_retire_workgroups(struct dispatch *dispatch)
{
	struct spirv_workgroup **at = &dispatch->running, *workgroup;

	while (*at) {
		workgroup = *at;
		if (workgroup->live) {
			at = &workgroup->next;
			continue;
		}
		*at = workgroup->next;
		workgroup->next = dispatch->idle;
		dispatch->idle = workgroup;
	}
}

/* Executes every warp that is ready. Return: false: none was. */
static bool dispatch_run_warps(struct dispatch *dispatch)
{
	struct spirv_run *run = &dispatch->run;
	struct spirv_workgroup *workgroup;
	uint32_t i;

	run->progress = false;
	for (workgroup = dispatch->running; workgroup; workgroup = workgroup->next)
		for (i = 0;
		     i < workgroup->warp_count && !run->error && !spirv_round_full(run->round); i++)
			if (workgroup->warps[i].state == WARP_READY)
				spirv_warp_run(run, &workgroup->warps[i]);
	if (run->limit && run->statistics->lane_instructions > run->limit) {
		spirv_stop(run, NULL, NULL, 0, "the limit of %llu instructions",
			   (unsigned long long)run->limit);
		run->error = -ETIME;
	}
	return run->progress;
}

static void dispatch_end_round(struct dispatch *dispatch)
{
	struct spirv_workgroup *workgroup;
	struct spirv_warp *warp;
	uint32_t i;

	spirv_round_reset(dispatch->run.round);
	for (workgroup = dispatch->running; workgroup; workgroup = workgroup->next) {
		for (i = 0; i < workgroup->warp_count; i++) {
			warp = &workgroup->warps[i];
			warp->step = 0;
			warp->asked = warp->stale = false;
			if (warp->state == WARP_ASKED)
				warp->state = WARP_READY;
		}
	}
}

/* Whether no warp can ever become ready. */
static bool dispatch_stuck(const struct dispatch *dispatch)
{
	const struct spirv_workgroup *workgroup;
	uint32_t i;

	for (workgroup = dispatch->running; workgroup; workgroup = workgroup->next) {
		if (!workgroup->live)
			return false;
		for (i = 0; i < workgroup->warp_count; i++)
			if (workgroup->warps[i].state == WARP_READY)
				return false;
	}
	return true;
}

static void dispatch_say_deadlock(struct dispatch *dispatch)
{
	struct spirv_workgroup *workgroup = dispatch->running;

	spirv_stop(
		&dispatch->run, NULL, NULL, 0,
		"%u of %u invocations of workgroup %u, %u, %u wait at a barrier that the others do not reach",
		workgroup->arrived, workgroup->live, workgroup->id[0], workgroup->id[1],
		workgroup->id[2]);
	dispatch->run.error = -EDEADLK;
}

static void dispatch_run_all(struct dispatch *dispatch)
{
	struct spirv_run *run = &dispatch->run;

	dispatch_start_workgroups(dispatch);
	while (dispatch->running && !run->error) {
		/*
		 * Repeat while barriers release warps: large rounds are efficient. A warp that
		 * spins runs once per round.
		 */
		while (dispatch_run_warps(dispatch) && !run->error && !run->spun &&
		       !spirv_round_full(run->round))
			;
		run->spun = false;
		if (run->error)
			break;
		if (!spirv_round_empty(run->round))
			spirv_round_run(run);
		else if (dispatch_stuck(dispatch))
			dispatch_say_deadlock(dispatch);
		dispatch_end_round(dispatch);
		dispatch_retire_workgroups(dispatch);
		dispatch_start_workgroups(dispatch);
	}
	spirv_round_reset(run->round);
}

static void dispatch_free_workgroups(struct spirv_workgroup *list)
{
	struct spirv_workgroup *next;
	uint32_t i;

	for (; list; list = next) {
		next = list->next;
		for (i = 0; i < list->warp_count; i++)
			free(list->warps[i].slots);
		free(list->warps);
		free(list);
	}
}

int faa_spirv_dispatch_sized(struct faa_spirv_kernel *kernel, uint32_t x, uint32_t y, uint32_t z,
			     struct faa_spirv_statistics *statistics, size_t statistics_size,
			     struct faa_spirv_message *message)
{
	struct faa_spirv_statistics counted = { 0 };
	struct faa_spirv_message nobody;
	struct dispatch dispatch = { .kernel = kernel, .total = (uint64_t)x * y * z };
	struct spirv_run *run = &dispatch.run;
	int64_t begin = faa_deadline(0);

	run->program = &kernel->program;
	run->images = kernel->images;
	run->push = kernel->push;
	run->limit = kernel->limit;
	run->statistics = &counted;
	run->message = message ? message : &nobody;
	run->message->text[0] = '\0';
	memcpy(run->groups, (uint32_t[]){ x, y, z }, sizeof(run->groups));
	dispatch_plan(&dispatch);
	if ((uint64_t)x * y > UINT32_MAX || dispatch.total > UINT32_MAX) {
		spirv_stop(run, NULL, NULL, 0, "more than 2^32 - 1 workgroups");
		run->error = -EINVAL;
	}
	if (!run->error && dispatch.total && !dispatch_start(&dispatch))
		dispatch_run_all(&dispatch);
	dispatch_free_workgroups(dispatch.running);
	dispatch_free_workgroups(dispatch.idle);
	free(run->constants);
	free(run->regions);
	free(run->scratch);
	counted.total_ns = (uint64_t)(faa_deadline(0) - begin);
	if (statistics)
		faa_struct_write(statistics, statistics_size, &counted, sizeof(counted));
	if (!run->error)
		return 0;
	return faa_fail(run->error, "SPIR-V: %s",
			run->message->text[0] ? run->message->text : strerror(-run->error));
}
