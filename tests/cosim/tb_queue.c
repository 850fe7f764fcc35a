// SPDX-License-Identifier: MIT
/* Queues and jobs of the test host. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "tb_host.h"

#define DEFAULT_RING_LOG2 6
#define WAIT_UNITS	  64

enum faa_queue_state tb_queue_state(struct tb_queue *queue)
{
	uint32_t state = tb_read(queue->host, FAA_REG_QUEUE_STATE(queue->index));

	return (state & FAA_REG_QUEUE_STATE_STATE_MASK) >> FAA_REG_QUEUE_STATE_STATE_SHIFT;
}

static void write_configuration(struct tb_queue *queue, const struct tb_queue_config *config)
{
	struct tb_host *host = queue->host;
	unsigned int n = queue->index;

	tb_write64(host, FAA_REG_QUEUE_RING_LO(n), queue->ring);
	tb_write(host, FAA_REG_QUEUE_RING_SIZE(n), queue->ring_log2);
	tb_write(host, FAA_REG_QUEUE_CONFIG0(n),
		 config->prio << FAA_REG_QUEUE_CONFIG0_PRIO_SHIFT |
			 config->vector << FAA_REG_QUEUE_CONFIG0_VECTOR_SHIFT |
			 queue->vm->vmid << FAA_REG_QUEUE_CONFIG0_VMID_SHIFT);
	tb_write64(host, FAA_REG_QUEUE_PT_LO(n), queue->vm->root);
	tb_write64(host, FAA_REG_QUEUE_SAVE_LO(n), queue->save);
	tb_write64(host, FAA_REG_QUEUE_SEQNO_LO(n), queue->seqno);
	tb_write(host, FAA_REG_QUEUE_SHARED(n), queue->shared_bytes);
}

struct tb_queue *tb_queue_create(struct tb_vm *vm, unsigned int index,
				 const struct tb_queue_config *config)
{
	static const struct tb_queue_config none;
	struct tb_queue *queue = calloc(1, sizeof(*queue));
	size_t entries, save_bytes;

	if (!queue)
		tb_die("no memory for a queue");
	if (!config)
		config = &none;
	queue->host = vm->host;
	queue->vm = vm;
	queue->index = index;
	queue->ring_log2 = config->ring_log2 ? config->ring_log2 : DEFAULT_RING_LOG2;
	entries = (size_t)1 << queue->ring_log2;
	queue->shared_bytes = config->shared_bytes;
	queue->ring = tb_dma_alloc(vm->host, entries * FAA_JOB_DESC_BYTES, TB_READ);
	queue->statuses = tb_dma_alloc(vm->host, entries * FAA_STATUS_BYTES, TB_WRITE);
	queue->seqno = tb_dma_alloc(vm->host, sizeof(uint64_t), TB_WRITE);
	/*
	 * A read before the device has written the area would show up as a context that is not
	 * zero.
	 */
	save_bytes = (size_t)vm->host->warp_slots * FAA_CONTEXT_BYTES + queue->shared_bytes +
		     FAA_COUNTER_BYTES;
	queue->save = tb_dma_alloc(vm->host, save_bytes, TB_READ_WRITE);
	memset(tb_ptr(vm->host, queue->save), 0xa5, save_bytes);
	write_configuration(queue, config);
	tb_queue_enable(queue);
	return queue;
}

bool tb_queue_disable(struct tb_queue *queue)
{
	tb_write(queue->host, FAA_REG_QUEUE_CONTROL(queue->index), 0);
	return tb_wait_reg(queue->host, FAA_REG_QUEUE_STATE(queue->index),
			   FAA_REG_QUEUE_STATE_STATE_MASK, FAA_QUEUE_STATE_DISABLED);
}

void tb_queue_enable(struct tb_queue *queue)
{
	uint64_t *seqno = tb_ptr(queue->host, queue->seqno);

	queue->tail = 0;
	*seqno = 0;
	tb_write(queue->host, FAA_REG_QUEUE_TAIL(queue->index), 0);
	tb_write(queue->host, FAA_REG_QUEUE_CONTROL(queue->index),
		 FAA_REG_QUEUE_CONTROL_ENABLE_MASK);
}

bool tb_queue_destroy(struct tb_queue *queue)
{
	bool stopped = tb_queue_disable(queue);

	free(queue);
	return stopped;
}

static uint64_t ring_slot(const struct tb_queue *queue, uint32_t job)
{
	return job & ((1u << queue->ring_log2) - 1);
}

struct faa_job_desc tb_desc(struct tb_queue *queue, uint64_t stream_va, uint32_t bytes)
{
	struct faa_job_desc desc = {
		.stream_va = htole64(stream_va),
		.stream_bytes = htole32(bytes),
		.seqno = htole64((uint64_t)queue->tail + 1),
		.status_addr =
			htole64(queue->statuses + ring_slot(queue, queue->tail) * FAA_STATUS_BYTES),
	};

	return desc;
}

uint32_t tb_push(struct tb_queue *queue, const struct faa_job_desc *desc)
{
	struct faa_job_desc *ring = tb_ptr(queue->host, queue->ring);
	struct faa_status *statuses = tb_ptr(queue->host, queue->statuses);
	uint64_t slot = ring_slot(queue, queue->tail);

	if (queue->tail - tb_seqno(queue) >= 1u << queue->ring_log2)
		tb_die("ring of queue %u is full: %u jobs", queue->index, 1u << queue->ring_log2);
	ring[slot] = *desc;
	memset(&statuses[slot], 0xee, sizeof(statuses[slot]));
	return queue->tail++;
}

void tb_doorbell(struct tb_queue *queue)
{
	tb_write(queue->host, FAA_REG_QUEUE_TAIL(queue->index), queue->tail);
}

uint32_t tb_submit(struct tb_queue *queue, uint64_t stream_va, uint32_t bytes)
{
	struct faa_job_desc desc = tb_desc(queue, stream_va, bytes);
	uint32_t job = tb_push(queue, &desc);

	tb_doorbell(queue);
	return job;
}

uint32_t tb_submit_group(struct tb_queue *queue, const struct tb_stream *streams,
			 unsigned int count)
{
	uint32_t first = queue->tail;

	for (unsigned int i = 0; i < count; i++) {
		struct faa_job_desc desc = tb_desc(queue, streams[i].va, streams[i].bytes);

		if (i + 1 < count)
			desc.flags = htole32(FAA_JOB_FLAG_TOGETHER);
		tb_push(queue, &desc);
	}
	tb_doorbell(queue);
	return first;
}

uint8_t *tb_saved_context(struct tb_queue *queue, unsigned int slot)
{
	return (uint8_t *)tb_ptr(queue->host, queue->save) + (size_t)slot * FAA_CONTEXT_BYTES;
}

uint8_t *tb_saved_shared(struct tb_queue *queue)
{
	return tb_saved_context(queue, queue->host->warp_slots);
}

uint64_t tb_seqno(struct tb_queue *queue)
{
	const uint64_t *seqno = tb_ptr(queue->host, queue->seqno);

	return le64toh(*seqno);
}

bool tb_wait(struct tb_queue *queue, uint32_t job)
{
	for (uint64_t i = 0; i < queue->host->limit; i += WAIT_UNITS) {
		if (tb_seqno(queue) > job)
			return true;
		if (!tb_step(queue->host, WAIT_UNITS))
			break;
	}
	return tb_seqno(queue) > job;
}

const struct faa_status *tb_status(struct tb_queue *queue, uint32_t job)
{
	const struct faa_status *statuses = tb_ptr(queue->host, queue->statuses);

	return &statuses[ring_slot(queue, job)];
}
