// SPDX-License-Identifier: MIT
/* A part of a table: its memory, and a job for each batch, with commands for each source. */
#include "owner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define OWNER_PAGE 4096
/*
 * Bytes of the commands of one source: an atomic command of the longest form, or the loop of an
 * exact sum.
 */
#define OWNER_CODE_ATOM	 128
#define OWNER_CODE_EXACT 4096
/* END */
#define OWNER_CODE_END 64

static size_t owner_round_up(size_t bytes)
{
	return (bytes + OWNER_PAGE - 1) & ~(size_t)(OWNER_PAGE - 1);
}

static struct owner_area owner_take(struct owner *owner, size_t *at, size_t bytes)
{
	struct owner_area area = { owner->memory.memory + *at, owner->memory.va + *at };

	*at += owner_round_up(bytes);
	return area;
}

static size_t owner_code_bytes(const struct owner_shape *shape)
{
	return (size_t)shape->ranks * (shape->exact ? OWNER_CODE_EXACT : OWNER_CODE_ATOM) +
	       OWNER_CODE_END;
}

static int owner_open_memory(struct owner *owner, const struct owner_shape *shape)
{
	size_t table = (size_t)shape->elements * owner->cell_bytes;
	/* 8 bytes of padding for each block */
	size_t received = (size_t)shape->ranks * ((size_t)shape->limit * BATCH_ENTRY_MAX + 8);
	size_t results = (size_t)shape->ranks * ((size_t)shape->limit * BATCH_RESULT_MAX + 8);
	size_t at = 0;
	unsigned int i;
	int ret;

	owner->code_bytes = owner_code_bytes(shape);
	owner->memory_bytes = owner_round_up(table) +
			      OWNER_SLOTS * (owner_round_up(received) + owner_round_up(results) +
					     owner_round_up(owner->code_bytes));
	owner->memory.memory = mmap(NULL, owner->memory_bytes, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (owner->memory.memory == MAP_FAILED) {
		owner->memory.memory = NULL;
		return faa_fail(-ENOMEM, "the program has no memory for %zu bytes of a table",
				owner->memory_bytes);
	}
	ret = faa_vm_map_userptr(owner->vm, owner->memory.memory, owner->memory_bytes,
				 FAA_MAP_ATOMIC, &owner->memory.va);
	if (ret)
		return ret;
	owner->table = owner_take(owner, &at, table);
	for (i = 0; i < OWNER_SLOTS; i++) {
		owner->slots[i].received = owner_take(owner, &at, received);
		owner->slots[i].results = owner_take(owner, &at, results);
		owner->slots[i].code = owner_take(owner, &at, owner->code_bytes);
		owner->slots[i].counts = calloc(shape->ranks, sizeof(uint32_t));
		owner->slots[i].ends = calloc(shape->ranks, sizeof(uint32_t));
		if (!owner->slots[i].counts || !owner->slots[i].ends)
			return faa_fail(-ENOMEM, "the program has no memory for a table");
	}
	return 0;
}

static int owner_check_features(const struct faa_device *device, const struct owner_shape *shape)
{
	uint64_t features = faa_device_info(device)->features;

	if (!(features >> FAA_FEATURE_GLOBAL_ATOMICS & 1))
		return faa_fail(-EOPNOTSUPP, "the device has no atomic operations on memory");
	if (shape->exact && !(features >> FAA_FEATURE_ALU & 1))
		return faa_fail(-EOPNOTSUPP, "the device has no ALU, which exact sums need");
	return 0;
}

int owner_open(struct owner *owner, struct faa_device *device, const struct owner_shape *shape)
{
	int ret;

	owner->device = faa_device_ref(device);
	owner->ranks = shape->ranks;
	owner->type = shape->type;
	owner->cell_bytes = shape->exact ? FAA_EXACT_CELL_BYTES : faa_type_bits(shape->type) / 8;
	ret = owner_check_features(device, shape);
	if (!ret)
		ret = faa_vm_create(device, &owner->vm);
	if (!ret)
		ret = owner_open_memory(owner, shape);
	if (!ret)
		ret = faa_queue_create(owner->vm, NULL, &owner->queue);
	if (!ret)
		ret = faa_stream_create(&owner->stream);
	return ret;
}

void owner_close(struct owner *owner)
{
	unsigned int i;

	faa_stream_destroy(owner->stream);
	faa_queue_destroy(owner->queue);
	for (i = 0; i < OWNER_SLOTS; i++) {
		free(owner->slots[i].counts);
		free(owner->slots[i].ends);
	}
	if (owner->memory.va)
		faa_vm_drop(owner->vm, owner->memory.va, owner->memory_bytes);
	if (owner->memory.memory)
		munmap(owner->memory.memory, owner->memory_bytes);
	faa_vm_unref(owner->vm);
	faa_device_unref(owner->device);
}

/* Commands of exact sums for a block: numbers, then elements. */
static int owner_add_exact(struct owner *owner, uint64_t block, uint32_t count)
{
	struct faa_exact_add add = {
		.count = count,
		.space = FAA_EXACT_GLOBAL,
		.scope = FAA_SCOPE_GPU,
		.cells = owner->table.va,
		.cell = faa_array_u32(block + (uint64_t)count * 4, 4),
		.value = faa_array_u32(block, 4),
	};

	return faa_stream_exact_add(owner->stream, &add);
}

/* Commands for a block of @count updates at @block, whose results go to @results. */
static int owner_add_commands(struct owner *owner, const struct call *call, uint64_t block,
			      uint64_t results, uint32_t count)
{
	struct faa_stream *stream = owner->stream;
	uint32_t bytes = call->operand_bytes;
	enum faa_type word = bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32;
	uint64_t second = block + (uint64_t)count * bytes;
	uint64_t numbers = block + (uint64_t)count * bytes * call->operand_count;
	struct faa_operand a =
		faa_scaled(faa_array_u32(numbers, 4), bytes == 8 ? 3 : 2, owner->table.va);
	struct faa_operand b = faa_array(block, word, (int32_t)bytes);
	struct faa_operand c = faa_array(second, word, (int32_t)bytes);
	struct faa_operand old = faa_array(results, word, (int32_t)bytes);

	switch (call->kind) {
	case CALL_UPDATE:
		return faa_stream_red(stream, call->op, owner->type, FAA_SCOPE_GPU,
				      FAA_ORDER_RELAXED, count, a, 0, b, faa_none());
	case CALL_FETCH:
		return faa_stream_atom(stream, call->op, owner->type, FAA_SCOPE_GPU,
				       FAA_ORDER_RELAXED, count, old, a, 0, b, faa_none());
	case CALL_CAS:
		return faa_stream_atom(stream, FAA_ATOM_OP_CAS, owner->type, FAA_SCOPE_GPU,
				       FAA_ORDER_RELAXED, count, old, a, 0, b, c);
	case CALL_GATHER:
		return faa_stream_ld_strong(stream, word, FAA_SCOPE_GPU, FAA_ORDER_RELAXED, count,
					    old, a, 0);
	case CALL_EXACT_ADD:
		return owner_add_exact(owner, block, count);
	case CALL_EXACT_READ:
	case CALL_FLUSH:
		break;
	}
	return 0;
}

int owner_check(struct owner *owner, const struct call *call)
{
	int ret;

	faa_stream_reset(owner->stream);
	ret = owner_add_commands(owner, call, owner->table.va, owner->table.va, 1);
	if (ret)
		faa_fail(ret, "%s", faa_stream_error(owner->stream));
	faa_stream_reset(owner->stream);
	return ret;
}

/* Writes the job of a slot to its memory. */
static int owner_build(struct owner *owner, struct owner_slot *slot, const struct call *call)
{
	uint64_t block = slot->received.va, results = slot->results.va;
	uint32_t rank;
	int ret = 0;

	faa_stream_reset(owner->stream);
	for (rank = 0; !ret && rank < owner->ranks; rank++) {
		uint32_t count = slot->counts[rank];

		if (count)
			ret = owner_add_commands(owner, call, block, results, count);
		block += batch_block_bytes(call, count);
		results += batch_results_bytes(call, count);
		slot->ends[rank] = (uint32_t)faa_stream_bytes(owner->stream);
	}
	if (!ret)
		ret = faa_stream_end(owner->stream);
	if (!ret)
		ret = faa_stream_finish(owner->stream);
	if (ret)
		return faa_fail(ret, "%s", faa_stream_error(owner->stream));
	if (faa_stream_bytes(owner->stream) > owner->code_bytes)
		return faa_fail(-E2BIG, "%zu bytes of commands, at most %zu",
				faa_stream_bytes(owner->stream), owner->code_bytes);
	memcpy(slot->code.memory, faa_stream_words(owner->stream, &slot->code_words),
	       faa_stream_bytes(owner->stream));
	return 0;
}

int owner_submit(struct owner *owner, struct owner_slot *slot, const struct call *call,
		 struct failure *failure)
{
	struct faa_job job = { .stream_va = slot->code.va };
	uint32_t rank, any = 0;
	int ret;

	for (rank = 0; rank < owner->ranks; rank++)
		any |= slot->counts[rank];
	if (!any || call->kind == CALL_EXACT_READ || call->kind == CALL_FLUSH)
		return 0;
	ret = owner_build(owner, slot, call);
	if (!ret) {
		job.stream_bytes = (uint32_t)(slot->code_words * 8);
		ret = faa_queue_submit(owner->queue, &job, 1, &slot->seqno);
	}
	return ret ? failure_set(failure, ret, true, "%s", faa_last_error()) : 0;
}

/* Notes which rank's update the job stopped at. */
static int owner_note_failure(struct owner *owner, struct owner_slot *slot,
			      const struct faa_job_status *status, struct failure *failure)
{
	bool first = !failure->error;
	uint32_t rank = 0;
	char text[FAILURE_TEXT / 2];

	faa_status_format(status, (const uint64_t *)slot->code.memory, slot->code_words, text,
			  sizeof(text));
	failure_set(failure, faa_status_errno(status), true, "%s", text);
	while (rank < owner->ranks && status->command >= slot->ends[rank])
		rank++;
	if (!first || rank == owner->ranks || status->code >= FAA_JOB_NOT_SUBMITTED)
		return failure->error;
	failure->source = (int32_t)rank;
	failure->round = slot->round;
	failure->element = status->element;
	return failure->error;
}

int owner_wait(struct owner *owner, struct owner_slot *slot, struct failure *failure)
{
	struct faa_job_status status;
	uint64_t seqno = slot->seqno;
	int ret;

	if (!seqno)
		return 0;
	slot->seqno = 0;
	ret = faa_queue_wait(owner->queue, seqno, FAA_NO_DEADLINE);
	if (!ret)
		ret = faa_queue_status(owner->queue, seqno, &status);
	if (ret)
		return failure_set(failure, ret, true, "%s", faa_last_error());
	return status.code ? owner_note_failure(owner, slot, &status, failure) : 0;
}

void owner_read_sums(struct owner *owner, struct owner_slot *slot, const struct call *call)
{
	const uint8_t *block = slot->received.memory;
	uint8_t *results = slot->results.memory;
	struct faa_exact_sum sum;
	uint32_t rank, i, number;

	for (rank = 0; rank < owner->ranks; rank++) {
		for (i = 0; i < slot->counts[rank]; i++) {
			memcpy(&number, block + i * sizeof(number), sizeof(number));
			/* Too many addends: the sum says so. */
			(void)faa_exact_read(
				(const struct faa_exact_cell *)owner->table.memory + number, &sum);
			memcpy(results + i * sizeof(sum), &sum, sizeof(sum));
		}
		block += batch_block_bytes(call, slot->counts[rank]);
		results += batch_results_bytes(call, slot->counts[rank]);
	}
}
