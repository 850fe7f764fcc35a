// SPDX-License-Identifier: MIT
#include "front_end.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define NEED_REPLY 8u
#define VERSION	   1u

/*
 * Each queue: descriptors, available ring and used ring in 16 KiB, then one slot of 512 bytes a
 * descriptor.
 */
#define QUEUE_SPACE 0x40000u
#define SLOT_SIZE   512u

void fe_run(struct front_end *fe)
{
	struct pollfd pfd = { .fd = fe->device.fd(fe->device.device), .events = POLLIN };

	while (fe->device.run(fe->device.device) || poll(&pfd, 1, 0) > 0)
		;
}

void *fe_at(struct front_end *fe, uint64_t addr)
{
	return fe->mem + (addr - FE_MEM_BASE);
}

long fe_send(struct front_end *fe, uint32_t request, uint32_t flags, const void *payload,
	     uint32_t size, const int *fds, unsigned int fd_count)
{
	uint32_t header[3] = { request, flags, size };
	struct iovec iov[2] = { { header, sizeof(header) }, { (void *)payload, size } };
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(8 * sizeof(int))];
	} control;
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = payload ? 2 : 1 };

	if (fd_count) {
		struct cmsghdr *cmsg = &control.align;

		memset(&control, 0, sizeof(control));
		msg.msg_control = &control;
		msg.msg_controllen = CMSG_SPACE(fd_count * sizeof(int));
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(fd_count * sizeof(int));
		memcpy(CMSG_DATA(cmsg), fds, fd_count * sizeof(int));
	}
	return sendmsg(fe->sock, &msg, MSG_NOSIGNAL);
}

long fe_receive(struct front_end *fe, uint32_t request, void *payload, uint32_t size)
{
	uint32_t header[3];

	fe_run(fe);
	if (recv(fe->sock, header, sizeof(header), MSG_DONTWAIT) != sizeof(header))
		return -1;
	assert_int_equal(header[0], request);
	assert_int_equal(header[1], VERSION | 4);
	assert_true(header[2] <= size);
	if (header[2])
		assert_int_equal(recv(fe->sock, payload, header[2], MSG_DONTWAIT), header[2]);
	return header[2];
}

long fe_request(struct front_end *fe, uint32_t request, const void *payload, uint32_t size,
		const int *fds, unsigned int fd_count)
{
	uint64_t ack = 0;

	if (fe_send(fe, request, VERSION | NEED_REPLY, payload, size, fds, fd_count) < 0)
		return -1;
	if (fe_receive(fe, request, &ack, sizeof(ack)) != sizeof(ack))
		return -1;
	return (long)ack;
}

static uint64_t get_u64(struct front_end *fe, uint32_t request)
{
	uint64_t value = 0;

	fe_send(fe, request, VERSION, NULL, 0, NULL, 0);
	assert_int_equal(fe_receive(fe, request, &value, sizeof(value)), sizeof(value));
	return value;
}

void fe_connect(struct front_end *fe, const struct fe_device *device)
{
	int socks[2];

	memset(fe, 0, sizeof(*fe));
	fe->device = *device;
	fe->request_fd = -1;
	for (int i = 0; i < 2; i++)
		fe->queue[i].kick = fe->queue[i].call = -1;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, socks), 0);
	fe->sock = socks[0];
	assert_int_equal(device->connect(device->device, socks[1]), 0);

	fe->memfd = memfd_create("guest", 0);
	assert_true(fe->memfd >= 0);
	assert_int_equal(ftruncate(fe->memfd, FE_MEM_SIZE), 0);
	fe->mem = mmap(NULL, FE_MEM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fe->memfd, 0);
	assert_true(fe->mem != MAP_FAILED);
}

static void set_up_queue(struct front_end *fe, uint32_t index)
{
	struct fe_queue *q = &fe->queue[index];
	uint64_t base = FE_MEM_BASE + index * QUEUE_SPACE;
	uint32_t num[2] = { index, FE_QUEUE };
	uint32_t zero[2] = { index, 0 };
	struct {
		uint32_t index, flags;
		uint64_t desc, used, avail, log;
	} addr = { index, 0, base, base + 0x2000, base + 0x1000, ~0ull };
	uint64_t fd_index = index;
	int call[2];

	q->base = base + 0x4000;
	q->desc = fe_at(fe, addr.desc);
	q->avail = fe_at(fe, addr.avail);
	q->used = fe_at(fe, addr.used);
	q->kick = eventfd(0, 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, call), 0);
	q->call = call[0];
	assert_int_equal(fe_request(fe, 13, &fd_index, sizeof(fd_index), &call[1], 1), 0);
	close(call[1]);
	assert_int_equal(fe_request(fe, 8, num, sizeof(num), NULL, 0), 0);
	assert_int_equal(fe_request(fe, 10, zero, sizeof(zero), NULL, 0), 0);
	assert_int_equal(fe_request(fe, 9, &addr, sizeof(addr), NULL, 0), 0);
}

void fe_boot(struct front_end *fe, const struct fe_device *device, unsigned int irq_buffers)
{
	struct {
		uint32_t count, padding;
		uint64_t guest, size, user, offset;
		uint8_t unused[32];
	} table = { 1, 0, FE_MEM_BASE, FE_MEM_SIZE, FE_MEM_BASE, 0, { 0 } };
	int request[2];

	fe_connect(fe, device);
	fe_send(fe, 3, VERSION, NULL, 0, NULL, 0);
	fe->features = get_u64(fe, 1);
	fe->protocol_features = get_u64(fe, 15);
	assert_int_equal(fe_request(fe, 16, &fe->protocol_features, 8, NULL, 0), 0);
	assert_int_equal(pipe(request), 0);
	fe->request_fd = request[0];
	assert_int_equal(fe_request(fe, 21, NULL, 0, &request[1], 1), 0);
	close(request[1]);
	assert_int_equal(fe_request(fe, 2, &fe->features, 8, NULL, 0), 0);
	assert_int_equal(fe_request(fe, 5, &table, sizeof(table), &fe->memfd, 1), 0);
	for (uint32_t i = 0; i < 2; i++)
		set_up_queue(fe, i);
	for (uint32_t i = 0; i < 2; i++) {
		uint64_t index = i;
		uint32_t enable[2] = { i, 1 };

		assert_int_equal(fe_request(fe, 12, &index, 8, &fe->queue[i].kick, 1), 0);
		assert_int_equal(fe_request(fe, 18, enable, sizeof(enable), NULL, 0), 0);
	}
	for (unsigned int i = 0; i < irq_buffers; i++)
		fe_offer_irq_buffer(fe, i);
	fe_kick(fe, 1);
}

void fe_disconnect(struct front_end *fe)
{
	close(fe->sock);
	close(fe->memfd);
	if (fe->request_fd >= 0)
		close(fe->request_fd);
	for (int i = 0; i < 2; i++) {
		if (fe->queue[i].kick >= 0)
			close(fe->queue[i].kick);
		if (fe->queue[i].call >= 0)
			close(fe->queue[i].call);
	}
	munmap(fe->mem, FE_MEM_SIZE);
}

static void make_available(struct fe_queue *q, uint16_t head)
{
	q->avail->ring[q->avail_idx % FE_QUEUE] = head;
	q->avail_idx++;
	__atomic_store_n(&q->avail->idx, q->avail_idx, __ATOMIC_RELEASE);
}

/* Buffer n uses descriptors 2n and 2n + 1, and the slot of each. */
bool fe_post(struct front_end *fe, const void *out, uint32_t out_len, uint32_t in_len,
	     uint16_t *head)
{
	struct fe_queue *q = &fe->queue[0];
	uint16_t slot = (uint16_t)(q->avail_idx % (FE_QUEUE / 2));
	uint16_t first = (uint16_t)(2 * slot);

	if ((uint16_t)(q->avail_idx - q->used->idx) >= FE_QUEUE / 2)
		return false;
	assert_true(out_len <= SLOT_SIZE && in_len <= SLOT_SIZE);
	memcpy(fe_at(fe, q->base + first * SLOT_SIZE), out, out_len);
	memset(fe_answer(fe, first), 0xff, SLOT_SIZE);
	q->desc[first] = (struct vring_desc){ q->base + first * SLOT_SIZE, out_len,
					      in_len ? VRING_DESC_F_NEXT : 0,
					      (uint16_t)(first + 1) };
	q->desc[first + 1] = (struct vring_desc){ q->base + (first + 1u) * SLOT_SIZE, in_len,
						  VRING_DESC_F_WRITE, 0 };
	make_available(q, first);
	if (head)
		*head = first;
	return true;
}

uint8_t *fe_answer(struct front_end *fe, uint16_t head)
{
	return fe_at(fe, fe->queue[0].base + (head + 1u) * SLOT_SIZE);
}

void fe_kick(struct front_end *fe, unsigned int index)
{
	uint64_t one = 1;

	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!(fe->queue[index].used->flags & VRING_USED_F_NO_NOTIFY))
		assert_int_equal(write(fe->queue[index].kick, &one, sizeof(one)), sizeof(one));
}

bool fe_reap(struct front_end *fe, uint16_t *head, uint32_t *len)
{
	struct fe_queue *q = &fe->queue[0];
	struct vring_used_elem *elem = &q->used->ring[q->seen_used % FE_QUEUE];

	if (q->seen_used == __atomic_load_n(&q->used->idx, __ATOMIC_ACQUIRE))
		return false;
	if (head)
		*head = (uint16_t)elem->id;
	if (len)
		*len = elem->len;
	q->seen_used++;
	return true;
}

bool fe_called(struct front_end *fe, unsigned int index)
{
	uint64_t calls[64];

	return read(fe->queue[index].call, calls, sizeof(calls)) > 0;
}

/* Sends a message and, if it has an answer, polls for it as the kernel does. */
static uint32_t command(struct front_end *fe, const struct virtio_pcidev_msg *msg, const void *data,
			uint32_t data_len, void *answer, uint32_t answer_len)
{
	uint8_t out[SLOT_SIZE];
	uint16_t head, used;
	uint32_t len = 0;

	memcpy(out, msg, sizeof(*msg));
	if (data_len)
		memcpy(out + sizeof(*msg), data, data_len);
	assert_true(fe_post(fe, out, (uint32_t)sizeof(*msg) + data_len, answer_len, &head));
	fe_kick(fe, 0);
	fe_run(fe);
	do {
		assert_true(fe_reap(fe, &used, &len));
	} while (used != head);
	if (answer_len)
		memcpy(answer, fe_answer(fe, head), answer_len);
	return len;
}

uint64_t fe_config_read(struct front_end *fe, uint32_t addr, uint32_t size)
{
	struct virtio_pcidev_msg msg = { .op = VIRTIO_PCIDEV_OP_CFG_READ,
					 .size = size,
					 .addr = addr };
	uint64_t value = 0;

	assert_int_equal(command(fe, &msg, NULL, 0, &value, 8), size);
	return size == 8 ? value : value & ((1ull << 8 * size) - 1);
}

void fe_config_write(struct front_end *fe, uint32_t addr, uint32_t size, uint64_t value)
{
	struct virtio_pcidev_msg msg = { .op = VIRTIO_PCIDEV_OP_CFG_WRITE,
					 .size = size,
					 .addr = addr };

	/* The kernel always sends 8 bytes of data, of which the first @size count. */
	command(fe, &msg, &value, 8, NULL, 0);
}

uint32_t fe_read32(struct front_end *fe, unsigned int bar, uint64_t addr)
{
	struct virtio_pcidev_msg msg = {
		.op = VIRTIO_PCIDEV_OP_MMIO_READ, .bar = (uint8_t)bar, .size = 4, .addr = addr
	};
	uint32_t value = 0;

	assert_int_equal(command(fe, &msg, NULL, 0, &value, 4), 4);
	return value;
}

void fe_write32(struct front_end *fe, unsigned int bar, uint64_t addr, uint32_t value)
{
	struct virtio_pcidev_msg msg = {
		.op = VIRTIO_PCIDEV_OP_MMIO_WRITE, .bar = (uint8_t)bar, .size = 4, .addr = addr
	};

	command(fe, &msg, &value, 4, NULL, 0);
}

void fe_offer_irq_buffer(struct front_end *fe, unsigned int index)
{
	struct fe_queue *q = &fe->queue[1];

	q->desc[index] = (struct vring_desc){ q->base + index * SLOT_SIZE,
					      sizeof(struct virtio_pcidev_msg) + 4,
					      VRING_DESC_F_WRITE, 0 };
	make_available(q, (uint16_t)index);
}

bool fe_take_irq(struct front_end *fe, struct fe_irq *irq, bool recycle)
{
	struct fe_queue *q = &fe->queue[1];
	struct vring_used_elem *elem = &q->used->ring[q->seen_used % FE_QUEUE];
	struct virtio_pcidev_msg msg;

	if (q->seen_used == __atomic_load_n(&q->used->idx, __ATOMIC_ACQUIRE))
		return false;
	assert_int_equal(elem->len, sizeof(msg) + 4);
	memcpy(&msg, fe_at(fe, q->base + elem->id * SLOT_SIZE), sizeof(msg));
	assert_int_equal(msg.op, VIRTIO_PCIDEV_OP_MSI);
	assert_int_equal(msg.size, 4);
	irq->addr = msg.addr;
	memcpy(&irq->data, fe_at(fe, q->base + elem->id * SLOT_SIZE + sizeof(msg)), 4);
	q->seen_used++;
	if (recycle) {
		fe_offer_irq_buffer(fe, elem->id);
		fe_kick(fe, 1);
	}
	return true;
}
