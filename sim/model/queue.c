// SPDX-License-Identifier: Apache-2.0
/* Queues: states, descriptors and the end of a job. */
#include <endian.h>
#include <string.h>

#include "faa_regs.h"

#include "model.h"

#define WORD_MASK 7ULL
#define LINE_MASK ((uint64_t)(FAA_LINE_BYTES - 1))
/* What BAD_DESCRIPTOR reports for SHARED_BYTES, which is no field. */
#define OFFSET_OF_SHARED_BYTES 64

static void queue_set_ready(struct queue *queue)
{
	if (queue->tail != queue->head)
		queue->state = FAA_QUEUE_STATE_READY;
	else
		queue->state = FAA_QUEUE_STATE_IDLE;
}

static void queue_start(struct faa_engine *engine, unsigned int index)
{
	struct queue *queue = &engine->queues[index];

	context_discard(engine, index);
	queue->fresh = true;
	queue->head = 0;
	queue->restart = false;
	queue->kill = false;
	queue_set_ready(queue);
}

static void queue_disable(struct faa_engine *engine, unsigned int index)
{
	context_discard(engine, index);
	engine->queues[index].state = FAA_QUEUE_STATE_DISABLED;
	engine->queues[index].kill = false;
}

/* Takes a queue out of service until it is disabled, and says so. */
void queue_stop(struct faa_engine *engine, struct queue *queue, enum faa_queue_state state)
{
	queue->state = state;
	queue->kill = false;
	raise_event(engine,
		    state == FAA_QUEUE_STATE_KILLED ? EVENT_QUEUE_KILLED : EVENT_QUEUE_ERROR);
}

static void queue_kill(struct faa_engine *engine, struct queue *queue)
{
	switch (queue->state) {
	case FAA_QUEUE_STATE_RUNNING:
		queue->kill = true;
		break;
	case FAA_QUEUE_STATE_IDLE:
	case FAA_QUEUE_STATE_READY:
		queue_stop(engine, queue, FAA_QUEUE_STATE_KILLED);
		break;
	default:
		break;
	}
}

/* A write of CONTROL. */
void queue_set_control(struct faa_engine *engine, unsigned int index, uint32_t value)
{
	struct queue *queue = &engine->queues[index];
	bool enable = value & FAA_REG_QUEUE_CONTROL_ENABLE_MASK;
	bool running = queue->state == FAA_QUEUE_STATE_RUNNING;

	if (enable && !queue->enable) {
		if (running)
			queue->restart = true;
		else
			queue_start(engine, index);
	}
	if (value & FAA_REG_QUEUE_CONTROL_KILL_MASK)
		queue_kill(engine, queue);
	if (!enable && queue->enable && !running)
		queue_disable(engine, index);
	queue->enable = enable;
}

/* A write of TAIL. */
void queue_set_tail(struct queue *queue, uint32_t tail)
{
	queue->tail = tail;
	if (queue->state == FAA_QUEUE_STATE_IDLE || queue->state == FAA_QUEUE_STATE_READY)
		queue_set_ready(queue);
}

static bool shared_bytes_valid(const struct faa_engine *engine, uint32_t shared_bytes)
{
	return shared_bytes % FAA_SHARED_GRANULE == 0 && shared_bytes <= engine->params.shared_max;
}

/* The byte offset of the first bad field, or -1. */
static int descriptor_check(const struct faa_job_desc *desc)
{
	uint32_t bytes = le32toh(desc->stream_bytes);

	if (le64toh(desc->stream_va) & WORD_MASK)
		return offsetof(struct faa_job_desc, stream_va);
	if (bytes == 0 || (bytes & WORD_MASK))
		return offsetof(struct faa_job_desc, stream_bytes);
	if (le32toh(desc->flags) & ~(uint32_t)FAA_JOB_FLAG_INTERRUPT)
		return offsetof(struct faa_job_desc, flags);
	if (le64toh(desc->status_addr) & LINE_MASK)
		return offsetof(struct faa_job_desc, status_addr);
	if (le32toh(desc->first_element) % FAA_LANES)
		return offsetof(struct faa_job_desc, first_element);
	if (desc->reserved0)
		return offsetof(struct faa_job_desc, reserved0);
	if (desc->reserved1)
		return offsetof(struct faa_job_desc, reserved1);
	if (desc->reserved2)
		return offsetof(struct faa_job_desc, reserved2);
	if (desc->reserved3)
		return offsetof(struct faa_job_desc, reserved3);
	return -1;
}

/* Ends the use of the CU; the queue goes on, or to where it was sent. */
static void queue_leave_cu(struct cu *cu)
{
	struct faa_engine *engine = cu->engine;
	struct queue *queue = &engine->queues[cu->queue];

	cu->busy = false;
	queue->cu = NO_CU;
	if (!queue->enable)
		queue_disable(engine, cu->queue);
	else if (queue->restart)
		queue_start(engine, cu->queue);
	else if (queue->state == FAA_QUEUE_STATE_RUNNING)
		queue_set_ready(queue);
}

/* The queue's own memory failed: no job can be ended any more. */
void job_abandon(struct cu *cu)
{
	struct queue *queue = &cu->engine->queues[cu->queue];

	queue_stop(cu->engine, queue, FAA_QUEUE_STATE_ERROR);
	queue_leave_cu(cu);
}

/*
 * Reads and checks the descriptor of the queue's next job; false if the job
 * has ended here.
 */
bool job_read_descriptor(struct cu *cu)
{
	struct faa_engine *engine = cu->engine;
	struct queue *queue = &engine->queues[cu->queue];
	struct job *job = &cu->job;
	uint64_t entry = queue->head & ((1ULL << queue->ring_size) - 1);
	struct faa_job_desc desc;
	int bad;

	memset(job, 0, sizeof(*job));
	job->start_cycle = engine->cycle;
	if (bus_read(engine, (queue->ring & ~LINE_MASK) + entry * sizeof(desc), &desc,
		     sizeof(desc))) {
		job_abandon(cu);
		return false;
	}
	job->stream_va = le64toh(desc.stream_va);
	job->stream_bytes = le32toh(desc.stream_bytes);
	job->flags = le32toh(desc.flags);
	job->seqno = le64toh(desc.seqno);
	job->status_addr = le64toh(desc.status_addr) & ~LINE_MASK;
	job->first_element = le32toh(desc.first_element);
	bad = descriptor_check(&desc);
	if (bad < 0 && !shared_bytes_valid(engine, queue->shared_bytes))
		bad = OFFSET_OF_SHARED_BYTES;
	if (bad < 0)
		return true;
	job_end(cu, FAA_ERROR_BAD_DESCRIPTOR, 0, 0, bad);
	return false;
}

static bool write_status(struct cu *cu, uint32_t code, uint64_t element, uint32_t lane,
			 uint64_t address)
{
	const struct job *job = &cu->job;
	struct faa_status status = {
		.seqno = htole64(job->seqno),
		.code = htole32(code),
		.command = htole32((uint32_t)job->pc),
		.element = htole32((uint32_t)element),
		.lane = htole32(lane),
		.address = htole64(address),
		.elements_retired = htole64(job->elements_retired),
		.start_cycle = htole64(job->start_cycle),
		.end_cycle = htole64(cu->engine->cycle),
		.warps = htole32(job->warps),
		.passes = htole32(job->passes),
	};

	return !bus_write(cu->engine, job->status_addr, &status, sizeof(status));
}

/* Ends the CU's job: status record, sequence number, interrupt, HEAD. */
void job_end(struct cu *cu, uint32_t code, uint64_t element, uint32_t lane, uint64_t address)
{
	struct faa_engine *engine = cu->engine;
	struct queue *queue = &engine->queues[cu->queue];
	uint64_t seqno = htole64(cu->job.seqno);

	cu->counters[FAA_COUNTER_JOBS]++;
	if (!write_status(cu, code, element, lane, address) ||
	    bus_write(engine, queue->seqno_addr & ~WORD_MASK, &seqno, sizeof(seqno))) {
		job_abandon(cu);
		return;
	}
	if (cu->job.flags & FAA_JOB_FLAG_INTERRUPT)
		engine->ops->msix(engine->ctx, queue->vector);
	queue->head++;
	if (queue->kill || code == FAA_ERROR_CU_RESET)
		queue_stop(engine, queue, FAA_QUEUE_STATE_KILLED);
	queue_leave_cu(cu);
}
