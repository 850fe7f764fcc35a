// SPDX-License-Identifier: Apache-2.0
/* Jobs: their descriptors, and the end of jobs and their streams. */
#include <endian.h>
#include <string.h>

#include "model.h"

#define WORD_MASK 7ULL
#define LINE_MASK ((uint64_t)(FAA_LINE_BYTES - 1))
/* The offset that BAD_DESCRIPTOR reports for SHARED_BYTES, which is no field. */
#define OFFSET_OF_SHARED_BYTES 64

static bool job_shared_bytes_valid(const struct faa_engine *engine, uint32_t shared_bytes)
{
	return shared_bytes % FAA_SHARED_GRANULE == 0 && shared_bytes <= engine->params.shared_max;
}

/* The byte offset of the first bad field, or -1. @last: the job can have no further stream. */
static int job_descriptor_check(const struct faa_job_desc *desc, bool last)
{
	uint32_t bytes = le32toh(desc->stream_bytes), flags = le32toh(desc->flags);

	if (le64toh(desc->stream_va) & WORD_MASK)
		return offsetof(struct faa_job_desc, stream_va);
	if (bytes == 0 || (bytes & WORD_MASK))
		return offsetof(struct faa_job_desc, stream_bytes);
	if (flags & ~(uint32_t)(FAA_JOB_FLAG_INTERRUPT | FAA_JOB_FLAG_TOGETHER))
		return offsetof(struct faa_job_desc, flags);
	if (last && (flags & FAA_JOB_FLAG_TOGETHER))
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

/* Access to the queue's own memory failed: no job can be ended any more. */
void job_abandon(struct cu *cu)
{
	struct queue *queue = &cu->engine->queues[cu->queue];

	queue_stop(cu->engine, queue, FAA_QUEUE_STATE_ERROR);
	queue_leave_cu(cu);
}

/* Reads the ring entry of stream @index of the job; false if it cannot be read. */
static bool job_read_descriptor(struct cu *cu, unsigned int index, struct faa_job_desc *desc)
{
	const struct queue *queue = &cu->engine->queues[cu->queue];
	uint64_t entry = (queue->head + index) & ((1ULL << queue->ring_size) - 1);

	return !bus_read(cu->engine, (queue->ring & ~LINE_MASK) + entry * sizeof(*desc), desc,
			 sizeof(*desc));
}

static void job_stream_begin(struct stream *stream, const struct faa_job_desc *desc)
{
	memset(stream, 0, sizeof(*stream));
	stream->stream_va = le64toh(desc->stream_va);
	stream->stream_bytes = le32toh(desc->stream_bytes);
	stream->flags = le32toh(desc->flags);
	stream->seqno = le64toh(desc->seqno);
	stream->status_addr = le64toh(desc->status_addr) & ~LINE_MASK;
	stream->first_element = le32toh(desc->first_element);
}

/*
 * The bad field of a stream's descriptor, as in job_descriptor_check(), or a bad parameter of the
 * queue.
 */
static int job_entry_check(const struct cu *cu, unsigned int index, const struct faa_job_desc *desc)
{
	const struct queue *queue = &cu->engine->queues[cu->queue];
	bool last = index + 1 == cu->engine->params.warp_slots ||
		    queue->head + index + 1 == queue->tail;
	int bad = job_descriptor_check(desc, last);

	if (bad < 0 && !job_shared_bytes_valid(cu->engine, queue->shared_bytes))
		bad = OFFSET_OF_SHARED_BYTES;
	return bad;
}

static bool job_follows(const struct cu *cu, unsigned int index)
{
	const struct queue *queue = &cu->engine->queues[cu->queue];

	return (cu->slots[index].stream.flags & FAA_JOB_FLAG_TOGETHER) &&
	       index + 1 < cu->engine->params.warp_slots && queue->head + index + 1 != queue->tail;
}

/* Ends all streams before they begin, because @bad has an error for at least one of them. */
static void job_refuse(struct cu *cu, const int bad[FAA_MAX_SLOTS])
{
	for (unsigned int i = 0; i < cu->streams; i++) {
		struct warp_slot *ws = &cu->slots[i];

		if (bad[i] < 0)
			stream_end(ws, FAA_ERROR_STOPPED, ws->stream.first_element, 0, 0);
		else
			stream_end(ws, FAA_ERROR_BAD_DESCRIPTOR, 0, 0, (unsigned int)bad[i]);
	}
}

/* Reads and checks the descriptors of the queue's next job; false if the job has ended. */
bool job_read_descriptors(struct cu *cu)
{
	int bad[FAA_MAX_SLOTS];
	bool good = true;

	for (unsigned int i = 0; i < FAA_MAX_SLOTS; i++)
		memset(&cu->slots[i].stream, 0, sizeof(cu->slots[i].stream));
	cu->start_cycle = cu->engine->cycle;
	cu->failed = false;
	cu->streams = 0;
	do {
		unsigned int index = cu->streams++;
		struct faa_job_desc desc;

		if (!job_read_descriptor(cu, index, &desc)) {
			job_abandon(cu);
			return false;
		}
		job_stream_begin(&cu->slots[index].stream, &desc);
		bad[index] = job_entry_check(cu, index, &desc);
		good = good && bad[index] < 0;
	} while (job_follows(cu, cu->streams - 1));
	cu->running = cu->streams;
	cu->refused = !good;
	if (!good)
		job_refuse(cu, bad);
	return good;
}

static bool job_write_status(struct cu *cu, const struct stream *stream)
{
	struct faa_status status = {
		.seqno = htole64(stream->seqno),
		.code = htole32(stream->end.code),
		.command = htole32((uint32_t)stream->pc),
		.element = htole32((uint32_t)stream->element),
		.lane = htole32(stream->end.lane),
		.address = htole64(stream->end.address),
		.elements_retired = htole64(stream->elements_retired),
		.start_cycle = htole64(cu->start_cycle),
		.end_cycle = htole64(cu->engine->cycle),
		.warps = htole32(stream->warps),
		.passes = htole32(stream->passes),
	};

	return !bus_write(cu->engine, stream->status_addr, &status, sizeof(status));
}

/* Counts an ended stream for the CU, and for its queue if the CU holds the queue's context. */
static void job_count(struct cu *cu)
{
	if (cu->refused)
		return;
	cu->counters[FAA_COUNTER_JOBS]++;
	if (cu->resident != cu->queue)
		cu->base[FAA_COUNTER_JOBS]++;
}

/*
 * Reports the end of a stream to the host: status record, sequence number, interrupt, HEAD. False
 * if it cannot.
 */
static bool job_report(struct cu *cu, const struct stream *stream)
{
	struct faa_engine *engine = cu->engine;
	struct queue *queue = &engine->queues[cu->queue];
	uint64_t seqno = htole64(stream->seqno);

	job_count(cu);
	if (!job_write_status(cu, stream) ||
	    bus_write(engine, queue->seqno_addr & ~WORD_MASK, &seqno, sizeof(seqno)))
		return false;
	if (stream->flags & FAA_JOB_FLAG_INTERRUPT)
		engine->ops->msix(engine->ctx, queue->vector);
	queue->head++;
	return true;
}

/* Ends the CU's job after all of its streams have ended. */
static void job_end(struct cu *cu)
{
	struct queue *queue = &cu->engine->queues[cu->queue];
	bool stop = queue->kill;

	for (unsigned int i = 0; i < cu->streams; i++) {
		const struct stream *stream = &cu->slots[i].stream;

		if (!job_report(cu, stream)) {
			job_abandon(cu);
			return;
		}
		stop = stop || stream->end.code == FAA_ERROR_CU_RESET;
	}
	if (stop)
		queue_stop(cu->engine, queue, FAA_QUEUE_STATE_KILLED);
	queue_leave_cu(cu);
}

/* Ends a stream; the last one ends the job. */
void stream_end(struct warp_slot *ws, uint32_t code, uint64_t element, uint32_t lane,
		uint64_t address)
{
	struct cu *cu = ws->cu;
	struct fault end = { .code = code, .lane = lane, .address = address };

	ws->stream.end = end;
	ws->stream.element = element;
	ws->stream.phase = STREAM_ENDED;
	if (code != FAA_ERROR_SUCCESS)
		cu->failed = true;
	if (--cu->running == 0)
		job_end(cu);
	else
		bar_release(cu);
}

/* The element at which a restarted job would resume the command at pc. */
uint64_t stream_next_element(const struct stream *stream)
{
	return stream->first_element ? stream->first_element : stream->element;
}

/* Ends all running streams of a job. */
void job_stop(struct cu *cu, uint32_t code)
{
	for (unsigned int i = 0; i < cu->streams; i++) {
		struct warp_slot *ws = &cu->slots[i];

		if (ws->stream.phase != STREAM_ENDED)
			stream_end(ws, code, stream_next_element(&ws->stream), 0, 0);
	}
}
