// SPDX-License-Identifier: MIT
/* Queues, memory and host threads for the batches of litmus tests. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Longer than any batch, shorter than the driver's limit of a job under faa-run. */
#define BATCH_SECONDS 100ll

#define AREA_BYTES   ((RUN_MAX_ROUND * RUN_ROUND_BYTES + 4095u) & ~4095u)
#define STREAM_BYTES (1u << 20)
/* Offsets of the parts of the BO. */
#define CONSTANTS AREA_BYTES
#define NOISE	  (CONSTANTS + RUN_CONSTANTS_BYTES)
#define STREAMS	  (NOISE + LIT_MAX_THREADS * RUN_NOISE_BYTES)
#define BO_BYTES  (STREAMS + RUN_STREAMS * STREAM_BYTES)

/* A CTA: threads of a test, and possibly the helper, that run in one queue. */
struct cta {
	unsigned int threads[RUN_STREAMS];
	unsigned int count;
	uint64_t seqno;
	/** @queue: its number. */
	unsigned int queue;
};

struct run_machine {
	const struct faa_device_info *info;
	struct faa_vm *vm;
	struct faa_bo *bo;
	uint8_t *memory;
	uint64_t va;
	struct faa_queue *queues[RUN_STREAMS];
	struct faa_stream *streams[RUN_STREAMS];
	/* The memory and threads of the current batch. */
	struct run_place place;
	struct cta ctas[RUN_STREAMS];
	unsigned int cta_count;
	int stop;
};

struct host_start {
	struct run_machine *machine;
	unsigned int thread;
	pthread_t id;
	int ret;
};

static void write_constants(struct run_machine *m)
{
	uint64_t *words = (uint64_t *)(m->memory + CONSTANTS);
	unsigned int i;

	for (i = 0; i < RUN_CONSTANTS * RUN_LANES; i++)
		words[i] = i / RUN_LANES;
}

int run_machine_open(struct faa_device *device, struct run_machine **machine)
{
	struct run_machine *m = calloc(1, sizeof(*m));
	void *memory;
	unsigned int i;
	int ret = m ? 0 : -ENOMEM;

	*machine = m;
	if (!ret)
		ret = faa_vm_create(device, &m->vm);
	if (!ret)
		ret = faa_bo_create(device, BO_BYTES, 0, &m->bo);
	if (!ret)
		ret = faa_bo_map(m->bo, &memory);
	if (!ret)
		ret = faa_vm_map(m->vm, m->bo, 0, 0, FAA_MAP_ATOMIC, &m->va);
	for (i = 0; !ret && i < RUN_STREAMS; i++)
		ret = faa_stream_create(&m->streams[i]);
	if (ret) {
		fprintf(stderr, "faa-litmus: setting up the device: %s\n", faa_last_error());
		run_machine_close(m);
		*machine = NULL;
		return ret;
	}
	m->info = faa_device_info(device);
	m->memory = memory;
	write_constants(m);
	return 0;
}

static void close_queues(struct run_machine *m)
{
	unsigned int i;

	for (i = 0; i < RUN_STREAMS; i++) {
		faa_queue_destroy(m->queues[i]);
		m->queues[i] = NULL;
	}
}

void run_machine_close(struct run_machine *m)
{
	unsigned int i;

	if (!m)
		return;
	close_queues(m);
	for (i = 0; i < RUN_STREAMS; i++)
		faa_stream_destroy(m->streams[i]);
	faa_bo_unref(m->bo);
	faa_vm_unref(m->vm);
	free(m);
}

/* The CTAs of a test, in order of their first threads. */
static unsigned int find_ctas(const struct lit_test *test, struct cta *ctas)
{
	unsigned int count = 0, i, j;

	memset(ctas, 0, RUN_STREAMS * sizeof(*ctas));
	for (i = 0; i < test->thread_count; i++) {
		const struct lit_thread *thread = &test->threads[i];

		if (thread->host)
			continue;
		for (j = 0; j < count; j++)
			if (test->threads[ctas[j].threads[0]].cta == thread->cta)
				break;
		count += j == count;
		ctas[j].threads[ctas[j].count++] = i;
	}
	return count;
}

unsigned int run_ctas(const struct lit_test *test)
{
	struct cta ctas[RUN_STREAMS];

	return find_ctas(test, ctas);
}

static bool uses_sys(const struct lit_test *test)
{
	unsigned int i, j;

	for (i = 0; i < test->thread_count; i++) {
		if (test->threads[i].host)
			return true;
		for (j = 0; j < test->threads[i].op_count; j++)
			if (test->threads[i].ops[j].scope == LIT_SYS)
				return true;
	}
	return false;
}

bool run_machine_lacks(const struct run_machine *m, const struct lit_test *test, char *why,
		       size_t size)
{
	struct cta ctas[RUN_STREAMS];
	unsigned int count = find_ctas(test, ctas), i, dev = 0;
	bool found = false;

	for (i = 0; i < count; i++) {
		if (ctas[i].count > m->info->warp_slots) {
			snprintf(
				why, size,
				"%u streams in a CTA, but a compute unit of the device has %u warp slots",
				ctas[i].count, m->info->warp_slots);
			return true;
		}
	}
	if (count > m->info->num_cus) {
		snprintf(why, size, "%u CTAs, but the device has %u compute units", count,
			 m->info->num_cus);
		return true;
	}
	for (i = 0; i < test->thread_count; i++) {
		if (test->threads[i].host)
			continue;
		if (found && test->threads[i].dev != dev) {
			snprintf(why, size, "threads on several devices, but one device is used");
			return true;
		}
		found = true;
		dev = test->threads[i].dev;
	}
	if (uses_sys(test) && !(m->info->features >> FAA_FEATURE_SYS_ATOMICS & 1)) {
		snprintf(why, size, "scope sys, but the device lacks SYS_ATOMICS");
		return true;
	}
	return false;
}

/* All words are zero except addresses, and locations with another initial value. */
static void write_area(const struct run_machine *m, const struct run_round *round)
{
	const struct lit_test *test = m->place.test;
	uint8_t *area = m->memory + round->offset;
	unsigned int i, lane;

	memset(area, 0, RUN_ROUND_BYTES);
	for (i = 0; i < test->location_count; i++) {
		for (lane = 0; lane < RUN_LANES; lane++) {
			uint32_t at = round->location[i] + lane * round->stride;
			uint64_t va = m->va + round->offset + at;
			int64_t initial = test->initial[i];

			memcpy(area + at, &initial, round->type == FAA_TYPE_U64 ? 8 : 4);
			memcpy(area + RUN_ADDRESSES + (i * RUN_LANES + lane) * 8, &va, sizeof(va));
		}
	}
}

static enum faa_thread_scope meeting_scope(const struct run_machine *m)
{
	unsigned int i;

	for (i = 0; i < m->place.test->thread_count; i++)
		if (m->place.test->threads[i].host)
			return FAA_THREAD_SCOPE_SYSTEM;
	return m->cta_count > 1 ? FAA_THREAD_SCOPE_DEVICE : FAA_THREAD_SCOPE_BLOCK;
}

/*
 * The helper joins a CTA with a free warp slot, or becomes a CTA of its own. Its accesses have
 * scope SYS.
 */
static void place_helper(struct run_machine *m, unsigned int number)
{
	unsigned int places[RUN_STREAMS + 1], count = 0, i;
	struct cta *cta;

	for (i = 0; i < m->cta_count; i++)
		if (m->ctas[i].count < m->info->warp_slots)
			places[count++] = i;
	if (m->cta_count < m->info->num_cus)
		places[count++] = m->cta_count;
	m->place.helper = count && m->place.sys;
	if (!m->place.helper)
		return;
	i = places[number % count];
	m->cta_count += i == m->cta_count;
	cta = &m->ctas[i];
	/* In a unit of its own it has no neighbour, so any thread is used. */
	m->place.neighbour = cta->count ? cta->threads[0] :
					  number / count % m->place.test->thread_count;
	cta->threads[cta->count++] = RUN_HELPER;
}

static int set_place(struct run_machine *m, const struct lit_test *test,
		     const struct run_batch *batch)
{
	unsigned int queues = m->info->num_cus < RUN_STREAMS ? m->info->num_cus : RUN_STREAMS;
	unsigned int step, i;
	int ret = 0;

	m->place = (struct run_place){ .test = test,
				       .batch = batch,
				       .va = m->va,
				       .memory = m->memory,
				       .constants = m->va + CONSTANTS,
				       .noise = m->va + NOISE,
				       .sys = m->info->features >> FAA_FEATURE_SYS_ATOMICS & 1 };
	m->cta_count = find_ctas(test, m->ctas);
	place_helper(m, batch->helper);
	m->place.scope = meeting_scope(m);
	for (i = 0; i < batch->round_count; i++)
		write_area(m, &batch->rounds[i]);
	for (i = 0; !ret && i < queues; i++)
		if (!m->queues[i])
			ret = faa_queue_create(m->vm, NULL, &m->queues[i]);
	/*
	 * A queue stays on its compute unit, and units take turns in the order of their numbers, so
	 * queues are assigned upwards or downwards.
	 */
	step = batch->downwards ? queues - 1 : 1;
	for (i = 0; i < m->cta_count; i++)
		m->ctas[i].queue = (batch->first + i * step) % queues;
	if (ret)
		fprintf(stderr, "%s: making a queue: %s\n", test->name, faa_last_error());
	return ret;
}

/* Writes the stream of a thread to memory, and describes its job. */
static int build_job(struct run_machine *m, unsigned int thread, struct faa_job *job)
{
	struct faa_stream *stream = m->streams[thread];
	uint64_t offset = STREAMS + (uint64_t)thread * STREAM_BYTES;
	int ret = run_build(stream, &m->place, thread);
	const char *why = faa_stream_error(stream);

	if (!ret && faa_stream_bytes(stream) > STREAM_BYTES)
		ret = -ENOSPC;
	if (!ret)
		ret = faa_stream_upload(stream, m->bo, offset);
	if (ret)
		fprintf(stderr, "%s: thread %u: building the stream: %s\n", m->place.test->name,
			thread, why ? why : strerror(-ret));
	*job = (struct faa_job){ .stream_va = m->va + offset,
				 .stream_bytes = faa_stream_bytes(stream) };
	return ret;
}

static int submit(struct run_machine *m, unsigned int index)
{
	struct cta *cta = &m->ctas[index];
	struct faa_job jobs[RUN_STREAMS];
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < cta->count; i++) {
		ret = build_job(m, cta->threads[i], &jobs[i]);
		if (i + 1 < cta->count)
			jobs[i].flags |= FAA_JOB_TOGETHER;
	}
	if (ret)
		return ret;
	ret = faa_queue_submit(m->queues[cta->queue], jobs, cta->count, &cta->seqno);
	if (ret)
		fprintf(stderr, "%s: submitting: %s\n", m->place.test->name, faa_last_error());
	return ret;
}

static int check_status(struct run_machine *m, unsigned int index, unsigned int member)
{
	const struct cta *cta = &m->ctas[index];
	struct faa_job_status status;
	const uint64_t *words;
	size_t count;
	char text[256];
	int ret = faa_queue_status(m->queues[cta->queue], cta->seqno + member, &status);
	bool record = !ret;

	if (record && !status.code)
		return 0;
	if (record) {
		words = faa_stream_words(m->streams[cta->threads[member]], &count);
		faa_status_format(&status, words, count, text, sizeof(text));
		ret = faa_status_errno(&status);
	}
	fprintf(stderr, "%s: thread %u: %s\n", m->place.test->name, cta->threads[member],
		record ? text : faa_last_error());
	return ret;
}

static int wait_for(struct run_machine *m, unsigned int index, int64_t deadline)
{
	const struct cta *cta = &m->ctas[index];
	unsigned int i;
	int ret = faa_queue_wait(m->queues[cta->queue], cta->seqno + cta->count - 1, deadline),
	    status;

	if (ret) {
		fprintf(stderr, "%s: waiting: %s\n", m->place.test->name, faa_last_error());
		return ret;
	}
	for (i = 0; i < cta->count; i++) {
		status = check_status(m, index, i);
		ret = ret ? ret : status;
	}
	return ret;
}

static void *host_main(void *data)
{
	struct host_start *start = data;

	start->ret = run_host_thread(&start->machine->place, start->thread, &start->machine->stop);
	return NULL;
}

static int start_hosts(struct run_machine *m, struct host_start *starts, unsigned int *count)
{
	unsigned int i;
	int ret = 0;

	*count = 0;
	for (i = 0; !ret && i < m->place.test->thread_count; i++) {
		struct host_start *start = &starts[*count];

		if (!m->place.test->threads[i].host)
			continue;
		*start = (struct host_start){ .machine = m, .thread = i };
		ret = -pthread_create(&start->id, NULL, host_main, start);
		*count += !ret;
	}
	if (ret)
		fprintf(stderr, "%s: starting a thread: %s\n", m->place.test->name, strerror(-ret));
	return ret;
}

int run_machine_batch(struct run_machine *m, const struct lit_test *test,
		      const struct run_batch *batch, enum run_fault inject,
		      struct run_result *result)
{
	struct host_start starts[LIT_MAX_THREADS];
	unsigned int hosts = 0, i;
	int64_t deadline = faa_deadline(BATCH_SECONDS * 1000000000ll);
	int ret = set_place(m, test, batch);

	m->stop = 0;
	m->place.inject = inject;
	if (!ret)
		ret = start_hosts(m, starts, &hosts);
	for (i = 0; !ret && i < m->cta_count; i++)
		ret = submit(m, i);
	for (i = 0; !ret && i < m->cta_count; i++)
		ret = wait_for(m, i, deadline);
	if (ret) {
		/* The other threads wait for one that will not arrive. */
		__atomic_store_n(&m->stop, 1, __ATOMIC_RELAXED);
		close_queues(m);
	}
	for (i = 0; i < hosts; i++) {
		pthread_join(starts[i].id, NULL);
		ret = ret ? ret : starts[i].ret;
	}
	if (!ret)
		run_collect(&m->place, result);
	return ret;
}
