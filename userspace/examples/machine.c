// SPDX-License-Identifier: MIT
#include "machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "faa_tables.h"
#include "progress.h"

/* A queue's part of the BO: two snapshots, and a stream. */
#define SNAPSHOTS_BYTES (2 * FAA_SNAPSHOT_BYTES)
#define CODE_BYTES	16384u
/* From one look at the time to the next, nanoseconds */
#define PROGRESS_PERIOD 250000000
#define QUEUE_BYTES	(SNAPSHOTS_BYTES + CODE_BYTES)
_Static_assert(QUEUE_BYTES % FAA_SNAPSHOT_BYTES == 0, "snapshots lie at multiples of their size");

static int machine_complain(const char *what, int error)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, faa_last_error());
	return error;
}

static int machine_check_features(const struct faa_device_info *info, uint64_t features)
{
	unsigned int i;

	for (i = 0; i < 64; i++) {
		if (!(features >> i & 1) || info->features >> i & 1)
			continue;
		fprintf(stderr,
			"%s: this build of the device lacks %s, which faa-info lists where it is there\n",
			program_invocation_short_name, faa_feature_names[i]);
		return -EOPNOTSUPP;
	}
	return 0;
}

static int machine_open_memory(struct machine *machine, struct faa_device *device, uint64_t bytes)
{
	void *memory;
	int ret;

	machine->used = (uint64_t)machine->queue_count * QUEUE_BYTES;
	ret = faa_vm_create(device, &machine->vm);
	if (!ret)
		ret = faa_bo_create(device, machine->used + bytes, 0, &machine->bo);
	if (!ret)
		ret = faa_bo_map(machine->bo, &memory);
	if (!ret)
		ret = faa_vm_map(machine->vm, machine->bo, 0, 0, FAA_MAP_ATOMIC, &machine->va);
	if (!ret)
		machine->memory = memory;
	return ret;
}

/* Begins a stream with a snapshot. */
static void machine_begin_job(struct machine *machine, unsigned int index)
{
	struct faa_stream *stream = machine->queues[index].stream;

	faa_stream_reset(stream);
	faa_stream_snapshot(stream, machine->va + (uint64_t)index * QUEUE_BYTES);
}

int machine_open(struct machine *machine, struct faa_device *device, unsigned int queues,
		 uint64_t features, uint64_t bytes)
{
	unsigned int i;
	int ret;

	machine->info = faa_device_info(device);
	machine->queue_count = queues;
	progress_begin("waiting for the device", 0);
	ret = machine_check_features(machine->info, features);
	if (ret)
		return ret;
	ret = machine_open_memory(machine, device, bytes);
	for (i = 0; !ret && i < queues; i++) {
		ret = faa_queue_create(machine->vm, NULL, &machine->queues[i].queue);
		if (!ret)
			ret = faa_stream_create(&machine->queues[i].stream);
		if (!ret)
			machine_begin_job(machine, i);
	}
	return ret ? machine_complain("setting up the device", ret) : 0;
}

void machine_close(struct machine *machine)
{
	unsigned int i;

	for (i = 0; i < machine->queue_count; i++) {
		faa_stream_destroy(machine->queues[i].stream);
		faa_queue_destroy(machine->queues[i].queue);
	}
	faa_bo_unref(machine->bo);
	faa_vm_unref(machine->vm);
}

struct machine_area machine_take(struct machine *machine, uint64_t bytes)
{
	struct machine_area area = { machine->memory + machine->used, machine->va + machine->used };

	machine->used += machine_area_bytes(bytes);
	if (machine->used > faa_bo_size(machine->bo)) {
		fprintf(stderr,
			"%s: areas of %" PRIu64 " bytes do not fit into a BO of %" PRIu64 "\n",
			program_invocation_short_name, machine->used, faa_bo_size(machine->bo));
		exit(1);
	}
	return area;
}

int machine_submit(struct machine *machine, unsigned int index)
{
	struct machine_queue *queue = &machine->queues[index];
	uint64_t offset = (uint64_t)index * QUEUE_BYTES + SNAPSHOTS_BYTES;
	struct faa_job job = { .stream_va = machine->va + offset };
	int ret;

	faa_stream_snapshot(queue->stream, job.stream_va - FAA_SNAPSHOT_BYTES);
	faa_stream_end(queue->stream);
	job.stream_bytes = faa_stream_bytes(queue->stream);
	ret = job.stream_bytes > CODE_BYTES ? -E2BIG :
					      faa_stream_upload(queue->stream, machine->bo, offset);
	if (ret) {
		fprintf(stderr, "%s: building the stream: %s\n", program_invocation_short_name,
			job.stream_bytes > CODE_BYTES ? strerror(-ret) : faa_last_error());
		return ret;
	}
	queue->words = (const uint64_t *)(machine->memory + offset);
	queue->word_count = job.stream_bytes / 8;
	machine_begin_job(machine, index);
	ret = faa_queue_submit(queue->queue, &job, 1, &queue->seqno);
	return ret ? machine_complain("submitting a job", ret) : 0;
}

/* Waits for a job, and shows progress meanwhile. */
static int machine_wait_for_job(const struct machine_queue *queue)
{
	int ret = faa_queue_wait(queue->queue, queue->seqno, faa_deadline(PROGRESS_PERIOD));

	if (ret != -ETIME)
		return ret;
	while (ret == -ETIME) {
		progress_add(0);
		ret = faa_queue_wait(queue->queue, queue->seqno, faa_deadline(PROGRESS_PERIOD));
	}
	progress_hide();
	return ret;
}

/* Reads the job's counters. */
static void machine_take_counters(struct machine *machine, unsigned int index)
{
	const uint8_t *snapshots = machine->memory + (uint64_t)index * QUEUE_BYTES;
	struct faa_counters *counters = &machine->queues[index].counters;
	struct faa_counters before, after;

	faa_counters_read(snapshots, &before);
	faa_counters_read(snapshots + FAA_SNAPSHOT_BYTES, &after);
	faa_counters_diff(&before, &after, counters);
	machine->unit = clock_unit(counters);
}

int machine_wait(struct machine *machine, unsigned int index, struct faa_job_status *status)
{
	struct machine_queue *queue = &machine->queues[index];
	char text[256];
	int ret;

	ret = machine_wait_for_job(queue);
	if (!ret)
		ret = faa_queue_status(queue->queue, queue->seqno, status);
	if (ret)
		return machine_complain("waiting for a job", ret);
	if (!status->code) {
		machine_take_counters(machine, index);
		return 0;
	}
	faa_status_format(status, queue->words, queue->word_count, text, sizeof(text));
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, text);
	return faa_status_errno(status);
}

void machine_disassemble(const struct machine *machine, unsigned int index)
{
	const struct machine_queue *queue = &machine->queues[index];
	unsigned int used;
	char text[256];
	size_t at;

	for (at = 0; at < queue->word_count; at += used) {
		faa_disassemble(queue->words + at, queue->word_count - at, &used, text,
				sizeof(text));
		printf("  %4zx:  %s\n", at * 8, text);
	}
}
