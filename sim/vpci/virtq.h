/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Split virtqueues, device side
 *
 * The guest controls the contents of the rings. Invalid contents never make the device fail.
 */
#ifndef FAA_VPCI_VIRTQ_H
#define FAA_VPCI_VIRTQ_H

#include <linux/virtio_ring.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest_mem.h"

#define VIRTQ_MAX_SIZE	   1024
#define VIRTQ_MAX_SEGMENTS 16

/** struct virtq - one queue */
struct virtq {
	/** @mem: memory of the rings and buffers. */
	const struct guest_mem *mem;
	/** @num: entries, a power of two up to VIRTQ_MAX_SIZE; 0 = not set. */
	unsigned int num;
	/** @desc_addr: front-end address of the descriptor table. */
	uint64_t desc_addr;
	/** @avail_addr: front-end address of the available ring. */
	uint64_t avail_addr;
	/** @used_addr: front-end address of the used ring. */
	uint64_t used_addr;
	/** @has_addr: the three addresses are set. */
	bool has_addr;
	/** @enabled: the front end allows the device to use the queue. */
	bool enabled;
	/**
	 * @broken: the rings have invalid contents; the queue is stopped until the front end sets
	 * it up again.
	 */
	bool broken;
	/** @last_avail: next entry of the available ring to read. */
	uint16_t last_avail;
	/** @used_idx: entries put in the used ring so far. */
	uint16_t used_idx;
	/** @kick_fd: readable when the guest has added buffers, or -1. */
	int kick_fd;
	/** @call_fd: written to interrupt the guest, or -1. */
	int call_fd;
	/** @desc: the descriptor table, NULL while the queue cannot run. */
	struct vring_desc *desc;
	/** @avail: the available ring. */
	struct vring_avail *avail;
	/** @used: the used ring. */
	struct vring_used *used;
};

/** struct virtq_segment - a piece of a buffer in this process's memory */
struct virtq_segment {
	/** @data: first byte. */
	uint8_t *data;
	/** @len: bytes. */
	size_t len;
};

/** struct virtq_buffer - one buffer that the guest made available */
struct virtq_buffer {
	/** @head: identifies the buffer in virtq_push(). */
	uint16_t head;
	/** @out_count: segments that the device reads. */
	unsigned int out_count;
	/** @in_count: segments that the device writes. */
	unsigned int in_count;
	/** @out_len: bytes that the device reads. */
	size_t out_len;
	/** @in_len: bytes that the device writes. */
	size_t in_len;
	/** @out: segments to read. */
	struct virtq_segment out[VIRTQ_MAX_SEGMENTS];
	/** @in: segments to write. */
	struct virtq_segment in[VIRTQ_MAX_SEGMENTS];
};

/** virtq_init() - state of a queue in @mem that is not set up. */
void virtq_init(struct virtq *vq, const struct guest_mem *mem);
/** virtq_reset() - close the queue's files and clear its set-up. */
void virtq_reset(struct virtq *vq);
/**
 * virtq_map() - map the rings after a change of addresses, size or memory; false if they are not in
 * memory.
 */
bool virtq_map(struct virtq *vq);
/** virtq_available() - whether the guest has made a buffer available. */
bool virtq_available(const struct virtq *vq);

/**
 * virtq_pop() - take the next buffer
 * @vq: the queue
 * @buffer: receives the buffer
 *
 * Return: 1 with a buffer; 0 if there is none; -EPROTO for an invalid descriptor chain: the buffer
 * is empty, but must be pushed to return it to the guest.
 */
int virtq_pop(struct virtq *vq, struct virtq_buffer *buffer);

/** virtq_read() - copy @len bytes from @offset of the guest's data; false beyond its end. */
bool virtq_read(const struct virtq_buffer *buffer, size_t offset, void *dst, size_t len);
/** virtq_write() - copy @len bytes to @offset of the guest's buffer; false beyond its end. */
bool virtq_write(const struct virtq_buffer *buffer, size_t offset, const void *src, size_t len);
/** virtq_push() - return buffer @head with @len bytes written. */
void virtq_push(struct virtq *vq, uint16_t head, uint32_t len);
/** virtq_wants_call() - whether the guest is to be interrupted when a buffer returns. */
bool virtq_wants_call(const struct virtq *vq);
/** virtq_call() - interrupt the guest, unless it has disabled interrupts. */
void virtq_call(struct virtq *vq);
/** virtq_set_notify() - enable or disable kicks; without them the device polls. */
void virtq_set_notify(struct virtq *vq, bool kick);

#endif /* FAA_VPCI_VIRTQ_H */
