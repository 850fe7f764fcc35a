// SPDX-License-Identifier: MIT
/* A copy of a stream in memory of the library, with a JUMP in front. */
#include "bo.h"
#include "decode.h"
#include "parts.h"

#include <endian.h>

#define PAGE 4096u
/* Words of the JUMP in front of a copy. */
#define TRAMPOLINE_WORDS 2
#define TRAMPOLINE_BYTES (TRAMPOLINE_WORDS * 8)

void faa_copy_drop(struct faa_run *run)
{
	if (!run->copy.bo)
		return;
	faa_vm_unmap(run->queue->vm, run->copy.va, faa_bo_size(run->copy.bo));
	faa_bo_unref(run->copy.bo);
	run->copy.bo = NULL;
}

/* Memory for the stream, after a page for the command that fetches it. */
static int copy_create(struct faa_run *run)
{
	struct faa_vm *vm = run->queue->vm;
	struct faa_bo *bo;
	void *memory;
	int ret;

	ret = faa_bo_create_exclusive(vm, PAGE + TRAMPOLINE_BYTES + (uint64_t)run->bytes, 0, &bo);
	if (ret)
		return ret;
	ret = faa_bo_map(bo, &memory);
	if (!ret)
		ret = faa_vm_map(vm, bo, 0, 0, 0, &run->copy.va);
	if (ret) {
		faa_bo_unref(bo);
		return ret;
	}
	run->copy.bo = bo;
	run->copy.memory = memory;
	return 0;
}

/*
 * The device fetches the stream, since only the device can read all of a VM. No register changes.
 */
static int copy_fetch(struct faa_run *run)
{
	static const struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct faa_vector mov = {
		.opcode = FAA_OPCODE_MOV,
		.type = FAA_TYPE_U64,
		.count = run->bytes / 8,
		.a = faa_array_u64(run->va, 8),
		.d = faa_array_u64(run->copy.va + PAGE + TRAMPOLINE_BYTES, 8),
	};
	uint64_t words[FAA_MAX_COMMAND_WORDS + 1], *out = (uint64_t *)run->copy.memory;
	struct faa_run copying = {
		.queue = run->queue,
		.va = run->copy.va,
		.syncs = run->syncs,
		.sync_count = 1,
		.stop = run->stop,
	};
	unsigned int i, count;

	count = faa_encode_vector(words, &issue, &mov);
	count += faa_encode_end(words + count, &issue);
	for (i = 0; i < count; i++)
		out[i] = htole64(words[i]);
	copying.bytes = count * 8;
	faa_run(&copying);
	return faa_status_errno(&copying.status);
}

/*
 * A JUMP to before the stream is an error; in the copy it could hit the JUMP in front. Such a JUMP
 * is lengthened by the size of the JUMP in front, so that it leaves the copy.
 */
static void copy_lead_out(struct faa_run *run)
{
	uint64_t *words = (uint64_t *)(run->copy.memory + PAGE + TRAMPOLINE_BYTES);
	size_t at, count = run->bytes / 8;
	struct faa_decoded decoded;

	for (at = 0; at < count; at += decoded.words) {
		int32_t distance;

		faa_decode(words + at, count - at, &decoded);
		if (decoded.error || decoded.vector.opcode != FAA_OPCODE_JUMP)
			continue;
		distance = (int32_t)(uint32_t)FAA_GET(JUMP_TARGET, decoded.control[0]);
		if ((int64_t)at + distance < 0 && distance >= INT32_MIN + TRAMPOLINE_WORDS)
			words[at + 1] =
				FAA_PUT(JUMP_TARGET, (uint32_t)(distance - TRAMPOLINE_WORDS));
	}
}

/* Copies the stream, for a JUMP in front. An error is that of the copying. */
static int copy_make(struct faa_run *run)
{
	int ret = copy_create(run);

	if (ret)
		return ret;
	ret = copy_fetch(run);
	if (ret)
		faa_copy_drop(run);
	else
		copy_lead_out(run);
	return ret;
}

bool faa_copy_go_on(struct faa_run *run, uint32_t command)
{
	static const struct faa_issue issue = FAA_ISSUE_DEFAULT;
	uint64_t words[TRAMPOLINE_WORDS], *out;

	if (run->bytes > UINT32_MAX - TRAMPOLINE_BYTES)
		return false;
	if (!run->copy.bo && copy_make(run))
		return false;
	faa_encode_jump(words, &issue, FAA_JUMP_COND_ALWAYS,
			(int32_t)(TRAMPOLINE_WORDS + command / 8));
	out = (uint64_t *)(run->copy.memory + PAGE);
	out[0] = htole64(words[0]);
	out[1] = htole64(words[1]);
	run->part.va = run->copy.va + PAGE;
	run->part.bytes = run->bytes + TRAMPOLINE_BYTES;
	run->part.first_element = 0;
	run->part.shift = -TRAMPOLINE_BYTES;
	return true;
}
