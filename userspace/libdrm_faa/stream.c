// SPDX-License-Identifier: MIT
#include "stream.h"
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int faa_stream_fail(struct faa_stream *stream, int error, const char *format, ...)
{
	va_list args;
	int n;

	if (stream->error)
		return faa_stream_failed(stream);
	stream->error = error;
	n = snprintf(stream->message, sizeof(stream->message), "command %u: ", stream->commands);
	va_start(args, format);
	vsnprintf(stream->message + n, sizeof(stream->message) - n, format, args);
	va_end(args);
	return faa_stream_failed(stream);
}

int faa_stream_failed(const struct faa_stream *stream)
{
	return stream->error ? faa_fail(stream->error, "%s", stream->message) : 0;
}

int faa_stream_create(struct faa_stream **out)
{
	struct faa_stream *stream = calloc(1, sizeof(*stream));

	*out = NULL;
	if (!stream)
		return faa_fail_memory("a stream");
	faa_stream_set_guard(stream, FAA_PT);
	*out = stream;
	return 0;
}

void faa_stream_destroy(struct faa_stream *stream)
{
	if (!stream)
		return;
	free(stream->words);
	free(stream->labels);
	free(stream->fixups);
	free(stream);
}

void faa_stream_reset(struct faa_stream *stream)
{
	stream->count = 0;
	stream->commands = 0;
	faa_stream_set_guard(stream, FAA_PT);
	stream->modes = 0;
	stream->lowering = 0;
	stream->label_count = 0;
	stream->fixup_count = 0;
	stream->error = 0;
	stream->message[0] = '\0';
}

const char *faa_stream_error(const struct faa_stream *stream)
{
	return stream->error ? stream->message : NULL;
}

/* Grow an array of @size byte items so that it holds @needed of them. */
static int stream_reserve(void **array, size_t *capacity, size_t needed, size_t size)
{
	size_t target = *capacity ? *capacity : 64;
	void *grown;

	if (needed <= *capacity)
		return 0;
	while (target < needed)
		target *= 2;
	grown = realloc(*array, target * size);
	if (!grown)
		return -ENOMEM;
	*array = grown;
	*capacity = target;
	return 0;
}

static int stream_append(struct faa_stream *stream, const uint64_t *words, size_t count)
{
	void *array = stream->words;

	if (count > FAA_STREAM_MAX_WORDS - stream->count)
		return faa_stream_fail(stream, -E2BIG, "stream longer than %u words",
				       FAA_STREAM_MAX_WORDS);
	if (stream_reserve(&array, &stream->capacity, stream->count + count, sizeof(*words)))
		return faa_stream_fail(stream, -ENOMEM, "no memory for %zu words",
				       stream->count + count);
	stream->words = array;
	if (count)
		memcpy(stream->words + stream->count, words, count * sizeof(*words));
	stream->count += count;
	return 0;
}

void faa_stream_set_guard(struct faa_stream *stream, uint8_t predicate)
{
	const struct faa_issue unscheduled = FAA_ISSUE_DEFAULT;

	stream->guard = predicate;
	stream->next = unscheduled;
	stream->next.guard = predicate;
}

struct faa_issue faa_stream_take_issue(struct faa_stream *stream)
{
	struct faa_issue issue = stream->next;

	faa_stream_set_guard(stream, stream->guard);
	return issue;
}

int faa_stream_guard(struct faa_stream *stream, unsigned int predicate, bool negate)
{
	if (stream->error)
		return faa_stream_failed(stream);
	if (predicate > FAA_PT)
		return faa_stream_fail(stream, -EINVAL,
				       "guard predicate %u: allowed are 0..6 and 7 (PT)",
				       predicate);
	stream->next.guard = predicate;
	stream->next.guard_negate = negate;
	return 0;
}

int faa_stream_wait(struct faa_stream *stream, unsigned int mask)
{
	if (stream->error)
		return faa_stream_failed(stream);
	if (mask >> FAA_BARRIERS)
		return faa_stream_fail(stream, -EINVAL, "wait mask 0x%x: barriers are bits 0..5",
				       mask);
	stream->next.wait_mask |= mask;
	return 0;
}

int faa_stream_float_mode(struct faa_stream *stream, unsigned int modes)
{
	if (stream->error)
		return faa_stream_failed(stream);
	if (modes & ~(unsigned int)(FAA_FLOAT_MODE_FTZ | FAA_FLOAT_MODE_RELAXED))
		return faa_stream_fail(
			stream, -EINVAL,
			"floating-point modes 0x%x: allowed are FTZ (1) and RELAXED (2)", modes);
	stream->modes |= modes;
	return 0;
}

static int stream_set_barrier(struct faa_stream *stream, uint8_t *field, unsigned int barrier,
			      const char *which)
{
	if (stream->error)
		return faa_stream_failed(stream);
	if (barrier >= FAA_BARRIERS)
		return faa_stream_fail(stream, -EINVAL, "%s barrier %u: barriers are 0..5", which,
				       barrier);
	*field = barrier;
	return 0;
}

int faa_stream_read_barrier(struct faa_stream *stream, unsigned int barrier)
{
	return stream_set_barrier(stream, &stream->next.read_barrier, barrier, "read");
}

int faa_stream_write_barrier(struct faa_stream *stream, unsigned int barrier)
{
	return stream_set_barrier(stream, &stream->next.write_barrier, barrier, "write");
}

int faa_stream_control(struct faa_stream *stream, unsigned int opcode, struct faa_issue *issue)
{
	const struct faa_command_info *info = &faa_commands[opcode];

	if (stream->error)
		return faa_stream_failed(stream);
	*issue = faa_stream_take_issue(stream);
	if (!info->guarded && (issue->guard != FAA_PT || issue->guard_negate))
		return faa_stream_fail(stream, -EINVAL, "%s cannot have a guard", info->name);
	if (issue->read_barrier != FAA_NO_BARRIER || issue->write_barrier != FAA_NO_BARRIER)
		return faa_stream_fail(stream, -EINVAL,
				       "%s cannot hold a barrier; it may wait for some",
				       info->name);
	if (stream->modes)
		return faa_stream_fail(stream, -EINVAL, "%s has no floating-point mode",
				       info->name);
	return 0;
}

static int stream_emit(struct faa_stream *stream, const uint64_t *words, unsigned int count)
{
	int ret = stream_append(stream, words, count);

	if (!ret)
		stream->commands++;
	return ret;
}

int faa_stream_check_address(struct faa_stream *stream, const char *name, uint64_t address,
			     uint64_t align)
{
	if (address % align)
		return faa_stream_fail(stream, -EINVAL,
				       "%s address 0x%llx is not a multiple of %llu", name,
				       (unsigned long long)address, (unsigned long long)align);
	if (address >> FAA_VA_BITS)
		return faa_stream_fail(stream, -EINVAL,
				       "%s address 0x%llx has bits above bit 47 set", name,
				       (unsigned long long)address);
	return 0;
}

int faa_stream_nop(struct faa_stream *stream)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_NOP, &issue);

	return ret ? ret : stream_emit(stream, words, faa_encode_nop(words, &issue));
}

int faa_stream_end(struct faa_stream *stream)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_END, &issue);

	return ret ? ret : stream_emit(stream, words, faa_encode_end(words, &issue));
}

int faa_stream_sem_wait(struct faa_stream *stream, enum faa_sem_cond cond, uint64_t address,
			uint64_t reference)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_SEM_WAIT, &issue);

	if (!ret && (unsigned int)cond > FAA_SEM_COND_EQ)
		ret = faa_stream_fail(stream, -EINVAL,
				      "SEM_WAIT condition %u: allowed are GE and EQ", cond);
	if (!ret)
		ret = faa_stream_check_address(stream, "SEM_WAIT", address, 8);
	return ret ? ret :
		     stream_emit(stream, words,
				 faa_encode_sem_wait(words, &issue, cond, address, reference));
}

int faa_stream_sem_signal(struct faa_stream *stream, uint64_t address, uint64_t value)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_SEM_SIGNAL, &issue);

	if (!ret)
		ret = faa_stream_check_address(stream, "SEM_SIGNAL", address, 8);
	if (ret)
		return ret;
	return stream_emit(stream, words,
			   faa_encode_sem_signal(words, &issue, FAA_SEM_OP_SET, address, value));
}

int faa_stream_snapshot(struct faa_stream *stream, uint64_t address)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_SNAPSHOT, &issue);

	if (!ret)
		ret = faa_stream_check_address(stream, "SNAPSHOT", address, FAA_SNAPSHOT_BYTES);
	return ret ? ret : stream_emit(stream, words, faa_encode_snapshot(words, &issue, address));
}

int faa_stream_fence(struct faa_stream *stream, enum faa_fence_order order, enum faa_scope scope)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_FENCE, &issue);

	if (!ret && (unsigned int)order > FAA_FENCE_ORDER_SC)
		ret = faa_stream_fail(stream, -EINVAL, "FENCE order %u: allowed are 0..3", order);
	if (!ret && (unsigned int)scope > FAA_SCOPE_SYS)
		ret = faa_stream_fail(stream, -EINVAL, "FENCE scope %u: allowed are 0..2", scope);
	return ret ? ret :
		     stream_emit(stream, words, faa_encode_fence(words, &issue, order, scope));
}

int faa_stream_bar(struct faa_stream *stream)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_BAR, &issue);

	return ret ? ret :
		     stream_emit(stream, words, faa_encode_bar(words, &issue, FAA_BAR_OP_SYNC));
}

int faa_stream_label(struct faa_stream *stream, uint32_t *label)
{
	size_t *grown;

	*label = UINT32_MAX;
	if (stream->error)
		return faa_stream_failed(stream);
	grown = realloc(stream->labels, (stream->label_count + 1) * sizeof(*grown));
	if (!grown)
		return faa_stream_fail(stream, -ENOMEM, "no memory for a label");
	stream->labels = grown;
	stream->labels[stream->label_count] = FAA_LABEL_UNPLACED;
	*label = stream->label_count++;
	return 0;
}

int faa_stream_place(struct faa_stream *stream, uint32_t label)
{
	if (stream->error)
		return faa_stream_failed(stream);
	if (label >= stream->label_count)
		return faa_stream_fail(stream, -EINVAL, "label %u does not exist; %u were made",
				       label, stream->label_count);
	if (stream->labels[label] != FAA_LABEL_UNPLACED)
		return faa_stream_fail(stream, -EINVAL, "label %u is already placed, at byte 0x%zx",
				       label, stream->labels[label] * sizeof(uint64_t));
	stream->labels[label] = stream->count;
	return 0;
}

static int stream_add_fixup(struct faa_stream *stream, uint32_t label)
{
	struct faa_fixup *grown =
		realloc(stream->fixups, (stream->fixup_count + 1) * sizeof(*grown));

	if (!grown)
		return faa_stream_fail(stream, -ENOMEM, "no memory for a jump");
	stream->fixups = grown;
	stream->fixups[stream->fixup_count++] = (struct faa_fixup){ stream->count, label };
	return 0;
}

int faa_stream_jump(struct faa_stream *stream, enum faa_jump_cond cond, uint32_t label)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_JUMP, &issue);

	if (!ret && (unsigned int)cond > FAA_JUMP_COND_NONE)
		ret = faa_stream_fail(stream, -EINVAL, "JUMP condition %u: allowed are 0..3", cond);
	if (!ret && label >= stream->label_count)
		ret = faa_stream_fail(stream, -EINVAL, "label %u does not exist; %u were made",
				      label, stream->label_count);
	if (!ret)
		ret = stream_add_fixup(stream, label);
	return ret ? ret : stream_emit(stream, words, faa_encode_jump(words, &issue, cond, 0));
}

int faa_stream_raw(struct faa_stream *stream, const uint64_t *words, size_t count)
{
	int ret = faa_stream_failed(stream);

	if (!ret)
		ret = stream_append(stream, words, count);

	if (!ret)
		stream->commands++;
	return ret;
}

int faa_stream_finish(struct faa_stream *stream)
{
	size_t i;

	if (stream->error)
		return faa_stream_failed(stream);
	for (i = 0; i < stream->fixup_count; i++) {
		const struct faa_fixup *fixup = &stream->fixups[i];
		size_t target = stream->labels[fixup->label];

		if (target == FAA_LABEL_UNPLACED)
			return faa_stream_fail(
				stream, -EINVAL,
				"label %u is jumped to from byte 0x%zx but placed nowhere",
				fixup->label, fixup->at * sizeof(uint64_t));
		if (target == stream->count)
			return faa_stream_fail(
				stream, -EINVAL,
				"label %u is at the end of the stream, after its last command",
				fixup->label);
		stream->words[fixup->at + 1] =
			FAA_PUT(JUMP_TARGET, (uint32_t)((int64_t)target - (int64_t)fixup->at));
	}
	if (!stream->count)
		return faa_stream_fail(stream, -EINVAL, "the stream is empty");
	return 0;
}

const uint64_t *faa_stream_words(const struct faa_stream *stream, size_t *count)
{
	if (count)
		*count = stream->count;
	return stream->words;
}

size_t faa_stream_bytes(const struct faa_stream *stream)
{
	return stream->count * sizeof(uint64_t);
}
