// SPDX-License-Identifier: MIT
/*
 * A job whose memory is unmapped faster than it progresses executes a step: its current command, or
 * some warps of it, as a stream of its own in memory of the library, with held memory (hold.h).
 * Each fault of a step adds a held range, and a warp needs a limited number of them, so a step
 * ends. A change of held memory waits for the VM's jobs: the step must be the only one of them, and
 * must not wait for other threads.
 */
#include "bo.h"
#include "decode.h"
#include "hold.h"
#include "parts.h"
#include "share.h"

#include <endian.h>
#include <errno.h>

#define AREA_BYTES 4096u
/* Words of the area: a stream, the fetched command, the value of a semaphore. */
#define STREAM_AT  0
#define COMMAND_AT 128
#define VALUE_AT   256
/* A step is short, as other threads may wait for it. */
#define STEP_ELEMENTS 8192
#define MAX_PATIENCE  1024

static const struct faa_issue step_plain = FAA_ISSUE_DEFAULT;

/* One step. */
struct step {
	struct faa_run *run;
	struct faa_holds holds;
	/* Position of the job: byte of the stream, element. */
	uint32_t command;
	uint32_t element;
	struct faa_decoded decoded;
	/* Status of the last part. */
	struct faa_job_status status;
};

static uint64_t step_area_va(const struct step *step, unsigned int word)
{
	return step->run->area.va + word * 8;
}

static int step_provide_area(struct faa_run *run)
{
	struct faa_vm *vm = run->queue->vm;
	struct faa_bo *bo;
	void *memory;
	int ret;

	if (run->area.bo)
		return 0;
	ret = faa_bo_create_exclusive(vm, AREA_BYTES, 0, &bo);
	if (ret)
		return ret;
	ret = faa_bo_map(bo, &memory);
	if (!ret)
		ret = faa_vm_map(vm, bo, 0, 0, 0, &run->area.va);
	if (ret) {
		faa_bo_unref(bo);
		return ret;
	}
	run->area.bo = bo;
	run->area.words = memory;
	return 0;
}

void faa_step_drop(struct faa_run *run)
{
	if (!run->area.bo)
		return;
	faa_vm_unmap(run->queue->vm, run->area.va, AREA_BYTES);
	faa_bo_unref(run->area.bo);
	run->area.bo = NULL;
}

/* ---- Parts of a step ---- */

static bool step_is_fault(uint32_t code)
{
	return code == FAA_ERROR_NOT_MAPPED || code == FAA_ERROR_NOT_WRITABLE ||
	       code == FAA_ERROR_NOT_ATOMIC;
}

/*
 * Runs @count words of the area from @first_element on, until they have ended or a fault cannot be
 * resolved. @counts: their statistics are those of the job.
 */
static void step_run_words(struct step *step, size_t count, uint32_t first_element, bool counts)
{
	struct faa_run *run = step->run;

	do {
		run->part = (struct faa_part){ .va = step_area_va(step, STREAM_AT),
					       .bytes = (uint32_t)count * 8,
					       .first_element = first_element,
					       .shift = step->command };
		faa_part_run(run, &step->status);
		if (counts)
			faa_part_add_up(run, &step->status, false);
		first_element = step->status.element & ~(uint32_t)(FAA_LANES - 1);
	} while (step_is_fault(step->status.code) && !atomic_load(run->stop) &&
		 !faa_hold(run->queue->vm, step->status.code, step->status.address, &step->holds));
}

static size_t step_put_end(struct step *step, size_t count)
{
	uint64_t words[1];

	faa_encode_end(words, &step_plain);
	step->run->area.words[STREAM_AT + count] = htole64(words[0]);
	return count + 1;
}

/*
 * Copies words from @va to word @to of the area, if the device can read @va. False: the step's
 * status has the error.
 */
static bool step_fetch(struct step *step, uint64_t va, unsigned int to, unsigned int count)
{
	struct faa_vector mov = {
		.opcode = FAA_OPCODE_MOV,
		.type = FAA_TYPE_U64,
		.count = count,
		.a = faa_array_u64(va, 8),
		.d = faa_array_u64(step_area_va(step, to), 8),
	};
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	unsigned int i, length = faa_encode_vector(words, &step_plain, &mov);

	for (i = 0; i < length; i++)
		step->run->area.words[STREAM_AT + i] = htole64(words[i]);
	step_run_words(step, step_put_end(step, length), 0, false);
	if (!step->status.code)
		return true;
	/* The error is that of the job's own command. */
	step->status.command = step->command;
	step->status.element = step->element;
	step->status.lane = 0;
	faa_part_add_up(step->run, &step->status, false);
	return false;
}

/* ---- The command ---- */

/* As the device fetches it: the header, then as many words as it names. */
static bool step_fetch_command(struct step *step)
{
	uint64_t va = step->run->va + step->command, words[FAA_MAX_COMMAND_WORDS];
	const uint64_t *fetched = step->run->area.words + COMMAND_AT;
	size_t left = (step->run->bytes - step->command) / 8, length, i;

	if (!step_fetch(step, va, COMMAND_AT, 1))
		return false;
	length = FAA_GET(HEADER_LENGTH, le64toh(fetched[0]));
	if (length < 1 || length > left || length > FAA_MAX_COMMAND_WORDS)
		length = 1;
	if (length > 1 && !step_fetch(step, va + 8, COMMAND_AT + 1, (unsigned int)length - 1))
		return false;
	for (i = 0; i < length; i++)
		words[i] = le64toh(fetched[i]);
	faa_decode(words, length, &step->decoded);
	return true;
}

/*
 * Whether a command may read registers, or the predicate, that it writes: its second half would
 * then read results of the first half.
 */
static bool step_reads_its_results(const struct faa_decoded *decoded)
{
	const struct faa_vector *v = &decoded->vector;
	bool surface = decoded->info->surface;
	bool reads = v->a.kind == FAA_KIND_REG || v->b.kind == FAA_KIND_REG ||
		     v->c.kind == FAA_KIND_REG ||
		     (surface && v->place.handle_kind == FAA_HANDLE_KIND_REG);

	return (reads && v->d.kind == FAA_KIND_REG) ||
	       (surface && v->place.ps != FAA_PT && v->place.ps == decoded->issue.guard);
}

/* The count with which a step executes a vector command. */
static uint64_t step_count_of(const struct step *step)
{
	const struct faa_vector *v = &step->decoded.vector;
	uint64_t end = (uint64_t)(step->element & ~(uint32_t)(FAA_LANES - 1)) + STEP_ELEMENTS;

	return v->count <= end || step_reads_its_results(&step->decoded) ? v->count : end;
}

/* Resumes the job after @count elements, or all, of the command. */
static void step_go_on_behind(struct step *step, uint64_t count)
{
	uint32_t next = step->command + step->decoded.words * 8;

	if (step->decoded.info->vector && count < step->decoded.vector.count)
		faa_run_go_on(step->run, step->command, (uint32_t)count);
	else
		faa_run_go_on(step->run, next, 0);
}

/* Whether the part executed a warp before the fault: the next step may begin with nothing held. */
static bool step_has_got_on(const struct step *step)
{
	return step_is_fault(step->status.code) && step->status.command == step->command &&
	       step->status.element / FAA_LANES > step->element / FAA_LANES;
}

static bool step_execute(struct step *step)
{
	uint64_t *words = step->run->area.words, count = 0;
	size_t i, length = step->decoded.words;

	for (i = 0; i < length; i++)
		words[STREAM_AT + i] = words[COMMAND_AT + i];
	if (step->decoded.info->vector) {
		count = step_count_of(step);
		words[STREAM_AT + 1] =
			htole64((le64toh(words[STREAM_AT + 1]) & ~FAA_SHAPE_COUNT_MASK) |
				FAA_PUT(SHAPE_COUNT, count));
	}
	/* A stream without END is an error after its last command, here too. */
	if (step->command + length * 8 < step->run->bytes || count < step->decoded.vector.count)
		length = step_put_end(step, length);
	step_run_words(step, length, step->element, true);
	if (step_has_got_on(step))
		faa_run_go_on(step->run, step->command, step->status.element);
	else if (step->status.code || step->decoded.vector.opcode == FAA_OPCODE_END)
		return false;
	else
		step_go_on_behind(step, count);
	return true;
}

/*
 * SEM_WAIT may wait for a thread that waits for the step, so the device reads the semaphore once.
 */
static bool step_look_at_semaphore(struct step *step)
{
	uint64_t value, reference = step->decoded.control[1];

	if (!step_fetch(step, step->decoded.control[0], VALUE_AT, 1))
		return false;
	value = le64toh(step->run->area.words[VALUE_AT]);
	if (value == reference || (step->decoded.vector.op == FAA_SEM_COND_GE && value > reference))
		step_go_on_behind(step, 0);
	else
		faa_run_go_on(step->run, step->command, 0);
	return true;
}

/* A JUMP, and a word that is no command, needs the stream around it, but no other memory. */
static bool step_needs_stream(const struct step *step)
{
	return step->decoded.error || step->decoded.vector.opcode == FAA_OPCODE_JUMP;
}

static bool step_go(struct step *step)
{
	if (!step_fetch_command(step))
		return false;
	if (step_needs_stream(step)) {
		faa_run_go_on(step->run, step->command, step->element);
		return true;
	}
	if (step->decoded.vector.opcode == FAA_OPCODE_SEM_WAIT)
		return step_look_at_semaphore(step);
	return step_execute(step);
}

bool faa_step(struct faa_run *run, uint32_t command, uint32_t element)
{
	struct faa_vm *vm = run->queue->vm;
	struct step step = { .run = run, .command = command, .element = element };
	bool goes_on;

	if (step_provide_area(run))
		return false;
	if (!faa_share_begin_alone(vm->share)) {
		faa_run_go_on(run, command, element);
		if (run->patience < MAX_PATIENCE)
			run->patience *= 2;
		return true;
	}
	run->alone = true;
	goes_on = step_go(&step);
	faa_hold_release(vm, &step.holds);
	run->alone = false;
	faa_share_end_alone(vm->share);
	run->patience = FAA_PATIENCE;
	return goes_on && (!step_needs_stream(&step) || faa_copy_go_on(run, command));
}
