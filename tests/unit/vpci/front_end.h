/* SPDX-License-Identifier: MIT */
/**
 * DOC: A vhost-user front end for tests
 *
 * Does what a User Mode Linux kernel does on its side of the socket: set-up messages, guest memory
 * in a memfd, a command queue and an interrupt queue with a few buffers. The device runs in the
 * same thread: functions that wait for it call fe_device.run().
 */
#ifndef FRONT_END_H
#define FRONT_END_H

#include <linux/virtio_pcidev.h>
#include <linux/virtio_ring.h>
#include <stdbool.h>
#include <stdint.h>

#define FE_MEM_BASE    0x100000u
#define FE_MEM_SIZE    0x200000u
#define FE_QUEUE       256
#define FE_IRQ_BUFFERS 10
/* Memory that the front end itself does not use: DMA targets of tests. */
#define FE_FREE (FE_MEM_BASE + 0x100000u)

/** struct fe_queue - the guest's side of a virtqueue */
struct fe_queue {
	struct vring_desc *desc;
	struct vring_avail *avail;
	struct vring_used *used;
	uint64_t base;
	uint16_t avail_idx;
	uint16_t seen_used;
	int kick;
	int call;
};

/** struct fe_device - the functions of a device that a front end needs */
struct fe_device {
	int (*connect)(void *device, int sock);
	int (*fd)(const void *device);
	bool (*run)(void *device);
	void *device;
};

/** struct front_end - one front end and its device */
struct front_end {
	struct fe_device device;
	int sock;
	int request_fd;
	int memfd;
	uint8_t *mem;
	uint64_t features;
	uint64_t protocol_features;
	struct fe_queue queue[2];
};

/** struct fe_irq - an interrupt message that arrived */
struct fe_irq {
	uint64_t addr;
	uint32_t data;
};

/** fe_connect() - open a connection to @device without sending a message. */
void fe_connect(struct front_end *fe, const struct fe_device *device);
/**
 * fe_boot() - connect and perform the set-up of a UML kernel with @irq_buffers interrupt buffers.
 */
void fe_boot(struct front_end *fe, const struct fe_device *device, unsigned int irq_buffers);
/** fe_disconnect() - close everything. */
void fe_disconnect(struct front_end *fe);

/** fe_send() - one message with files; returns bytes sent. */
long fe_send(struct front_end *fe, uint32_t request, uint32_t flags, const void *payload,
	     uint32_t size, const int *fds, unsigned int fd_count);
/** fe_receive() - wait for an answer; its payload size, or -1 if none came. */
long fe_receive(struct front_end *fe, uint32_t request, void *payload, uint32_t size);
/** fe_request() - send a message that requests an acknowledgement; returns it, or -1. */
long fe_request(struct front_end *fe, uint32_t request, const void *payload, uint32_t size,
		const int *fds, unsigned int fd_count);

/** fe_run() - run the device until it is idle. */
void fe_run(struct front_end *fe);
/** fe_at() - the memory at guest address @addr. */
void *fe_at(struct front_end *fe, uint64_t addr);

/**
 * fe_post() - put a message of @out_len bytes in the command queue, room for @in_len bytes of
 * answer; false if full.
 */
bool fe_post(struct front_end *fe, const void *out, uint32_t out_len, uint32_t in_len,
	     uint16_t *head);
/** fe_kick() - notify the device of queue @index, unless it has disabled notifications. */
void fe_kick(struct front_end *fe, unsigned int index);
/** fe_reap() - take one used command buffer; false if there is none. */
bool fe_reap(struct front_end *fe, uint16_t *head, uint32_t *len);
/** fe_answer() - address of the answer of buffer @head. */
uint8_t *fe_answer(struct front_end *fe, uint16_t head);
/** fe_called() - true if the device has signalled queue @index since the last call. */
bool fe_called(struct front_end *fe, unsigned int index);

uint64_t fe_config_read(struct front_end *fe, uint32_t addr, uint32_t size);
void fe_config_write(struct front_end *fe, uint32_t addr, uint32_t size, uint64_t value);
uint32_t fe_read32(struct front_end *fe, unsigned int bar, uint64_t addr);
void fe_write32(struct front_end *fe, unsigned int bar, uint64_t addr, uint32_t value);

/** fe_take_irq() - take one interrupt message; its buffer is offered again if @recycle. */
bool fe_take_irq(struct front_end *fe, struct fe_irq *irq, bool recycle);
/** fe_offer_irq_buffer() - offer interrupt buffer @index (again). */
void fe_offer_irq_buffer(struct front_end *fe, unsigned int index);

#endif /* FRONT_END_H */
