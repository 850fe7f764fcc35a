// SPDX-License-Identifier: MIT
#include "clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "faa_tables.h"

/* Of the probe's BO: two snapshots, the word that it loads, and the stream. */
#define CLOCK_WORD_OFFSET   (2 * FAA_SNAPSHOT_BYTES)
#define CLOCK_STREAM_OFFSET 4096
#define CLOCK_BYTES	    8192
_Static_assert(CLOCK_WORD_OFFSET < CLOCK_STREAM_OFFSET, "the parts of the BO do not overlap");

const char *clock_unit(const struct faa_counters *counters)
{
	int i;

	for (i = FAA_COUNTER_STALL_FETCH; i <= FAA_COUNTER_STALL_GLOBAL; i++)
		if (counters->value[i])
			return "cycles";
	return "steps";
}

double clock_per_warp(const struct faa_counters *counters, enum faa_counter counter)
{
	uint64_t warps = counters->value[FAA_COUNTER_WARPS];

	return warps ? (double)counters->value[counter] / (double)warps : 0;
}

void clock_print_json(const char *unit, uint64_t count)
{
	printf("\"%s\": %" PRIu64, unit, count);
}

/* Between the snapshots is a load, and a command that waits for it. */
static int clock_build(struct faa_stream *stream, uint64_t va)
{
	faa_stream_snapshot(stream, va);
	faa_stream_write_barrier(stream, 0);
	faa_stream_ld(stream, FAA_TYPE_U32, 1, faa_reg(0), faa_affine(va + CLOCK_WORD_OFFSET, 4),
		      0);
	faa_stream_wait(stream, 1);
	faa_stream_nop(stream);
	faa_stream_snapshot(stream, va + FAA_SNAPSHOT_BYTES);
	return faa_stream_end(stream);
}

/* @bo is mapped at @va, and its memory at @snapshots. */
static int clock_run(struct faa_vm *vm, struct faa_bo *bo, uint64_t va, struct faa_stream *stream)
{
	struct faa_job job = { .stream_va = va + CLOCK_STREAM_OFFSET };
	struct faa_queue *queue = NULL;
	int ret = clock_build(stream, va);

	job.stream_bytes = faa_stream_bytes(stream);
	if (!ret)
		ret = faa_stream_upload(stream, bo, CLOCK_STREAM_OFFSET);
	if (!ret)
		ret = faa_queue_create(vm, NULL, &queue);
	if (!ret)
		ret = faa_queue_run(queue, &job, FAA_NO_DEADLINE, NULL);
	faa_queue_destroy(queue);
	return ret;
}

static void clock_read(const uint8_t *snapshots, const char **unit)
{
	struct faa_counters before, after, diff;

	faa_counters_read(snapshots, &before);
	faa_counters_read(snapshots + FAA_SNAPSHOT_BYTES, &after);
	faa_counters_diff(&before, &after, &diff);
	*unit = clock_unit(&diff);
}

int clock_probe(struct faa_device *device, const char **unit)
{
	struct faa_stream *stream = NULL;
	struct faa_vm *vm = NULL;
	struct faa_bo *bo = NULL;
	void *memory;
	uint64_t va;
	int ret;

	ret = faa_stream_create(&stream);
	if (!ret)
		ret = faa_vm_create(device, &vm);
	if (!ret)
		ret = faa_bo_create(device, CLOCK_BYTES, 0, &bo);
	if (!ret)
		ret = faa_bo_map(bo, &memory);
	if (!ret)
		ret = faa_vm_map(vm, bo, 0, 0, 0, &va);
	if (!ret)
		ret = clock_run(vm, bo, va, stream);
	if (!ret)
		clock_read(memory, unit);
	else
		fprintf(stderr, "%s: looking for the device's clock: %s\n",
			program_invocation_short_name, faa_last_error());
	faa_bo_unref(bo);
	faa_vm_unref(vm);
	faa_stream_destroy(stream);
	return ret;
}
