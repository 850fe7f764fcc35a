// SPDX-License-Identifier: Apache-2.0
#include "virtq.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "vpci.h"

void virtq_init(struct virtq *vq, const struct guest_mem *mem)
{
	memset(vq, 0, sizeof(*vq));
	vq->mem = mem;
	vq->kick_fd = -1;
	vq->call_fd = -1;
}

void virtq_reset(struct virtq *vq)
{
	if (vq->kick_fd >= 0)
		close(vq->kick_fd);
	if (vq->call_fd >= 0)
		close(vq->call_fd);
	virtq_init(vq, vq->mem);
}

bool virtq_map(struct virtq *vq)
{
	size_t num = vq->num;

	vq->desc = NULL;
	if (!num || !vq->has_addr)
		return true;
	vq->avail = guest_mem_user(vq->mem, vq->avail_addr, sizeof(*vq->avail) + 2 * num);
	vq->used = guest_mem_user(vq->mem, vq->used_addr,
				  sizeof(*vq->used) + num * sizeof(vq->used->ring[0]));
	if (!vq->avail || !vq->used || vq->desc_addr % 16 || vq->avail_addr % 2 ||
	    vq->used_addr % 4)
		return false;
	vq->desc = guest_mem_user(vq->mem, vq->desc_addr, num * sizeof(*vq->desc));
	return vq->desc;
}

static bool virtq_running(const struct virtq *vq)
{
	return vq->enabled && vq->desc && !vq->broken;
}

bool virtq_available(const struct virtq *vq)
{
	return virtq_running(vq) &&
	       __atomic_load_n(&vq->avail->idx, __ATOMIC_ACQUIRE) != vq->last_avail;
}

/* Adds a descriptor to @buffer; false if it is invalid. */
static bool virtq_add_segment(const struct virtq *vq, struct virtq_buffer *buffer,
			      const struct vring_desc *desc)
{
	struct virtq_segment *segment;
	uint8_t *data = guest_mem_user(vq->mem, desc->addr, desc->len);

	if (!data || desc->flags & ~(VRING_DESC_F_NEXT | VRING_DESC_F_WRITE))
		return false;
	if (desc->flags & VRING_DESC_F_WRITE) {
		if (buffer->in_count == VIRTQ_MAX_SEGMENTS)
			return false;
		segment = &buffer->in[buffer->in_count++];
		buffer->in_len += desc->len;
	} else {
		/* Descriptors that the device reads precede those that it writes. */
		if (buffer->out_count == VIRTQ_MAX_SEGMENTS || buffer->in_count)
			return false;
		segment = &buffer->out[buffer->out_count++];
		buffer->out_len += desc->len;
	}
	segment->data = data;
	segment->len = desc->len;
	return true;
}

static int virtq_bad_chain(struct virtq_buffer *buffer, unsigned int index)
{
	vpci_warn("buffer %u of the guest is malformed at descriptor %u: returned unread",
		  buffer->head, index);
	buffer->out_count = 0;
	buffer->out_len = 0;
	buffer->in_count = 0;
	buffer->in_len = 0;
	return -EPROTO;
}

int virtq_pop(struct virtq *vq, struct virtq_buffer *buffer)
{
	uint16_t waiting;
	uint16_t index;

	if (!virtq_available(vq))
		return 0;
	waiting = (uint16_t)(__atomic_load_n(&vq->avail->idx, __ATOMIC_ACQUIRE) - vq->last_avail);
	if (waiting > vq->num) {
		vpci_warn(
			"a ring of %u entries claims %u waiting buffers: the queue is ignored from now on",
			vq->num, waiting);
		vq->broken = true;
		return 0;
	}

	memset(buffer, 0, offsetof(struct virtq_buffer, out));
	index = vq->avail->ring[vq->last_avail & (vq->num - 1)];
	vq->last_avail++;
	buffer->head = index;
	for (unsigned int length = 0; length < 2 * VIRTQ_MAX_SEGMENTS; length++) {
		struct vring_desc desc;

		if (index >= vq->num)
			return virtq_bad_chain(buffer, index);
		/* Copied once, as the guest could change it between check and use. */
		memcpy(&desc, &vq->desc[index], sizeof(desc));
		if (!virtq_add_segment(vq, buffer, &desc))
			return virtq_bad_chain(buffer, index);
		if (!(desc.flags & VRING_DESC_F_NEXT))
			return 1;
		index = desc.next;
	}
	return virtq_bad_chain(buffer, index);
}

/* Copies between @flat and @len bytes at @offset of the segments. */
static bool virtq_copy_segments(const struct virtq_segment *segment, unsigned int count,
				size_t offset, uint8_t *flat, size_t len, bool to_guest)
{
	for (unsigned int i = 0; i < count && len; i++) {
		size_t run = segment[i].len;

		if (offset >= run) {
			offset -= run;
			continue;
		}
		run -= offset;
		if (run > len)
			run = len;
		if (to_guest)
			memcpy(segment[i].data + offset, flat, run);
		else
			memcpy(flat, segment[i].data + offset, run);
		flat += run;
		len -= run;
		offset = 0;
	}
	return !len;
}

bool virtq_read(const struct virtq_buffer *buffer, size_t offset, void *dst, size_t len)
{
	return virtq_copy_segments(buffer->out, buffer->out_count, offset, dst, len, false);
}

bool virtq_write(const struct virtq_buffer *buffer, size_t offset, const void *src, size_t len)
{
	return virtq_copy_segments(buffer->in, buffer->in_count, offset, (uint8_t *)src, len, true);
}

void virtq_push(struct virtq *vq, uint16_t head, uint32_t len)
{
	struct vring_used_elem *elem = &vq->used->ring[vq->used_idx & (vq->num - 1)];

	/* No buffer: the entry comes from a malformed available ring. */
	if (head >= vq->num)
		return;
	elem->id = head;
	elem->len = len;
	vq->used_idx++;
	__atomic_store_n(&vq->used->idx, vq->used_idx, __ATOMIC_RELEASE);
}

bool virtq_wants_call(const struct virtq *vq)
{
	/*
	 * The guest sets the flag, then reads the index. The device stores the index, then reads
	 * the flag.
	 */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return virtq_running(vq) &&
	       !(__atomic_load_n(&vq->avail->flags, __ATOMIC_RELAXED) & VRING_AVAIL_F_NO_INTERRUPT);
}

void virtq_call(struct virtq *vq)
{
	uint64_t one = 1;

	if (vq->call_fd < 0 || !virtq_wants_call(vq))
		return;
	/* If the pipe is full, the guest has an earlier call to handle. */
	if (write(vq->call_fd, &one, sizeof(one)) < 0 && errno != EAGAIN)
		vpci_debug("interrupting the guest failed: %s", strerror(errno));
}

void virtq_set_notify(struct virtq *vq, bool kick)
{
	if (!virtq_running(vq))
		return;
	__atomic_store_n(&vq->used->flags, kick ? 0 : VRING_USED_F_NO_NOTIFY, __ATOMIC_RELAXED);
	/* After it enables kicks, the caller reads the index, which must not be stale. */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}
