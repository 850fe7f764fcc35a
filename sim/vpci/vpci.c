// SPDX-License-Identifier: Apache-2.0
/*
 * A function at its transport: vhost-user, whose queue 0 carries the guest's accesses and queue 1
 * MSI-X messages to the guest; or QEMU.
 */
#include "vpci.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "function.h"
#include "pcidev.h"
#include "qemu.h"
#include "vhost_user.h"

#define QUEUE_COMMAND 0
#define QUEUE_IRQ     1
/* Time of vpci_run(). */
#define RUN_NS 1000000

/* Tag of an epoll event: a queue, or a connection. */
enum event_tag {
	EVENT_SOCKET = VHOST_USER_MAX_QUEUES,
	EVENT_TEST_LISTENER,
	EVENT_TEST,
	EVENT_TAGS,
};

struct vpci {
	struct function function;
	struct vhost_user vu;
	/* The guest is QEMU's, and vu only has its memory. */
	bool is_qemu;
	struct qemu qemu;
	int epoll;
	/* Of simulated time, or NULL. */
	const struct vpci_clock *clock;
	void *clock_ctx;
};

static int vpci_watch(struct vpci *vpci, int fd, uint32_t tag)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = tag };

	return epoll_ctl(vpci->epoll, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static void vpci_kick_changed(void *ctx, unsigned int queue, int fd)
{
	struct vpci *vpci = ctx;
	int err;

	if (fd < 0) {
		epoll_ctl(vpci->epoll, EPOLL_CTL_DEL, vpci->vu.queue[queue].kick_fd, NULL);
		return;
	}
	err = vpci_watch(vpci, fd, queue);
	if (err)
		vpci_warn("the kick file of queue %u cannot be waited for: %s", queue,
			  strerror(-err));
}

/*
 * Notifies the guest of a queue. In simulated time the guest waits, and asks for the time before it
 * answers.
 */
static void vpci_call(struct vpci *vpci, unsigned int queue)
{
	struct virtq *vq = &vpci->vu.queue[queue];

	if (!vpci->clock) {
		virtq_call(vq);
		return;
	}
	if (!virtq_wants_call(vq) || vhost_user_call(&vpci->vu, queue))
		return;
	if (vpci->clock->wait(vpci->clock_ctx, vpci->vu.request_fd) == 0)
		vhost_user_called(&vpci->vu);
}

static bool vpci_send_msix(void *transport, const struct msix_message *message)
{
	struct vpci *vpci = transport;
	struct virtq *vq = &vpci->vu.queue[QUEUE_IRQ];
	struct virtq_buffer buffer;
	uint32_t len = 0;

	if (vpci->is_qemu)
		return qemu_send_msix(&vpci->qemu, message);
	/* Buffers that are too small go back empty; the message waits for a proper one. */
	while (!len) {
		int got = virtq_pop(vq, &buffer);

		if (!got)
			return false;
		if (got > 0)
			len = pcidev_send_msix(&buffer, message);
		virtq_push(vq, buffer.head, len);
		vpci_call(vpci, QUEUE_IRQ);
	}
	return true;
}

static void vpci_kicked(void *ctx, unsigned int queue)
{
	struct vpci *vpci = ctx;

	(void)queue;
	vpci->clock->kicked(vpci->clock_ctx);
}

struct vpci *vpci_create(const struct vpci_config *config, const struct vpci_ops *ops, void *ctx)
{
	struct vpci *vpci;

	errno = -function_check(config);
	if (errno)
		return NULL;
	vpci = calloc(1, sizeof(*vpci));
	if (!vpci)
		return NULL;
	vpci->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (vpci->epoll < 0) {
		free(vpci);
		return NULL;
	}
	vhost_user_init(&vpci->vu, vpci_kick_changed, vpci);
	vpci->function.config = *config;
	vpci->function.ops = ops;
	vpci->function.ctx = ctx;
	vpci->function.mem = &vpci->vu.mem;
	vpci->function.send = vpci_send_msix;
	vpci->function.transport = vpci;
	qemu_init(&vpci->qemu, &vpci->function, &vpci->vu.mem);
	pci_init(&vpci->function.pci, config);
	msix_init(&vpci->function.msix, config);
	return vpci;
}

void vpci_destroy(struct vpci *vpci)
{
	if (!vpci)
		return;
	vhost_user_disconnect(&vpci->vu);
	qemu_fini(&vpci->qemu);
	close(vpci->epoll);
	free(vpci);
}

void vpci_use_clock(struct vpci *vpci, const struct vpci_clock *clock, void *ctx)
{
	vpci->clock = clock;
	vpci->clock_ctx = ctx;
	vpci->vu.inband = true;
	vpci->vu.kicked = vpci_kicked;
}

/* QEMU's proxy of a device knows 32-bit BARs alone. */
static void vpci_narrow_bars(struct vpci *vpci)
{
	struct vpci_config *config = &vpci->function.config;

	for (unsigned int bar = 0; bar < VPCI_BARS; bar++)
		config->bar[bar].flags &= ~(unsigned int)VPCI_BAR_64;
	pci_init(&vpci->function.pci, config);
}

int vpci_use_qemu(struct vpci *vpci, const char *path)
{
	int err = qemu_listen(&vpci->qemu, path);

	if (err)
		return err;
	vpci->is_qemu = true;
	vpci_narrow_bars(vpci);
	return vpci_watch(vpci, vpci->qemu.listener, EVENT_TEST_LISTENER);
}

int vpci_connect(struct vpci *vpci, int sock)
{
	int err = function_reset(&vpci->function, VPCI_RESET_POWER);

	if (!err)
		err = vpci_watch(vpci, sock, EVENT_SOCKET);
	if (err) {
		close(sock);
		return err;
	}
	if (vpci->is_qemu)
		vpci->qemu.sock = sock;
	else
		vhost_user_connect(&vpci->vu, sock);
	return 0;
}

bool vpci_connected(const struct vpci *vpci)
{
	return vpci->vu.sock >= 0 || vpci->qemu.sock >= 0;
}

int vpci_fd(const struct vpci *vpci)
{
	return vpci->epoll;
}

unsigned int vpci_carry_out(struct vpci *vpci, unsigned int *posted)
{
	struct virtq *vq = &vpci->vu.queue[QUEUE_COMMAND];
	struct virtq_buffer buffer;
	unsigned int count = 0;
	int got;

	while ((got = virtq_pop(vq, &buffer))) {
		struct pcidev_result result = { .posted = true };

		if (got > 0)
			result = pcidev_handle(&vpci->function, &buffer);
		else
			vpci->function.stats.bad_messages++;
		virtq_push(vq, buffer.head, result.written);
		*posted = result.posted ? *posted + 1 : 0;
		count++;
	}
	return count;
}

void vpci_collect(struct vpci *vpci)
{
	vpci_call(vpci, QUEUE_COMMAND);
}

static void vpci_disconnect(struct vpci *vpci)
{
	vpci_debug("the front end is gone");
	if (vpci->is_qemu)
		qemu_disconnect(&vpci->qemu);
	else
		vhost_user_disconnect(&vpci->vu);
}

static unsigned int vpci_serve_qemu(struct vpci *vpci)
{
	uint64_t before = vpci->function.stats.messages;

	qemu_receive_test(&vpci->qemu);
	if (qemu_serve(&vpci->qemu))
		vpci_disconnect(vpci);
	return (unsigned int)(vpci->function.stats.messages - before);
}

unsigned int vpci_serve(struct vpci *vpci)
{
	unsigned int posted = 0, count;

	count = vpci->is_qemu ? vpci_serve_qemu(vpci) : vpci_carry_out(vpci, &posted);
	if (posted)
		vpci_collect(vpci);
	vpci_deliver(vpci);
	return count;
}

void vpci_set_polling(struct vpci *vpci, bool polling)
{
	if (!vpci->is_qemu)
		virtq_set_notify(&vpci->vu.queue[QUEUE_COMMAND], !polling);
}

/* Handles what @tag is ready for. Return: 0, or -ECONNRESET: the guest is gone. */
static int vpci_handle_event(struct vpci *vpci, uint32_t tag)
{
	uint64_t kicks;

	if (tag == EVENT_SOCKET) {
		if (vpci->is_qemu)
			vpci_serve_qemu(vpci);
		else if (vhost_user_receive(&vpci->vu))
			vpci_disconnect(vpci);
		return vpci_connected(vpci) ? 0 : -ECONNRESET;
	}
	if (tag == EVENT_TEST_LISTENER) {
		qemu_accept_test(&vpci->qemu);
		if (vpci->qemu.test >= 0)
			vpci_watch(vpci, vpci->qemu.test, EVENT_TEST);
	} else if (tag == EVENT_TEST) {
		qemu_receive_test(&vpci->qemu);
	} else if (vpci->vu.queue[tag].kick_fd >= 0 &&
		   read(vpci->vu.queue[tag].kick_fd, &kicks, sizeof(kicks)) == 0) {
		/* End of file: it would be ready for ever. */
		vpci_kick_changed(vpci, tag, -1);
	}
	return 0;
}

int vpci_poll(struct vpci *vpci)
{
	struct epoll_event events[EVENT_TAGS];
	int count = epoll_wait(vpci->epoll, events, EVENT_TAGS, 0);
	int err = 0;

	for (int i = 0; i < count && !err; i++)
		err = vpci_handle_event(vpci, events[i].data.u32);
	if (!err && !vpci->clock)
		vpci_serve(vpci);
	return err;
}

static uint64_t vpci_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool vpci_run(struct vpci *vpci)
{
	const struct function *function = &vpci->function;
	uint64_t end = vpci_now_ns() + RUN_NS;

	/* Nobody is left whose memory a step could touch. */
	if (vpci_poll(vpci) || !vpci_connected(vpci))
		return false;
	for (;;) {
		bool busy = function->ops->step && function->ops->step(function->ctx);

		vpci_set_polling(vpci, busy);
		if (!vpci_serve(vpci) && !busy)
			return false;
		if (!vpci_connected(vpci))
			return false;
		if (vpci_now_ns() >= end)
			return true;
	}
}

const struct vpci_stats *vpci_stats(const struct vpci *vpci)
{
	return &vpci->function.stats;
}

int vpci_raise(struct vpci *vpci, unsigned int vector)
{
	return function_raise(&vpci->function, vector);
}

bool vpci_msix_enabled(const struct vpci *vpci)
{
	return pci_msix_enabled(&vpci->function.pci);
}

void vpci_hold(struct vpci *vpci, unsigned int vector)
{
	msix_hold(&vpci->function.msix, vector);
}

void vpci_release(struct vpci *vpci, unsigned int vector)
{
	msix_release(&vpci->function.msix, vector);
}

void vpci_deliver(struct vpci *vpci)
{
	function_deliver(&vpci->function);
}

int vpci_dma_read(struct vpci *vpci, uint64_t addr, void *buf, size_t len)
{
	return function_dma_read(&vpci->function, addr, buf, len);
}

int vpci_dma_write(struct vpci *vpci, uint64_t addr, const void *buf, size_t len)
{
	return function_dma_write(&vpci->function, addr, buf, len);
}

int vpci_dma_write_bytes(struct vpci *vpci, uint64_t addr, const void *buf, size_t len,
			 uint64_t bytes)
{
	return function_dma_write_bytes(&vpci->function, addr, buf, len, bytes);
}

int vpci_dma_cas(struct vpci *vpci, uint64_t addr, unsigned int size, uint64_t *expected,
		 uint64_t desired)
{
	return function_dma_cas(&vpci->function, addr, size, expected, desired);
}

int vpci_dma_swap(struct vpci *vpci, uint64_t addr, unsigned int size, uint64_t value,
		  uint64_t *old)
{
	return function_dma_update(&vpci->function, addr, size, false, value, old);
}

int vpci_dma_add(struct vpci *vpci, uint64_t addr, unsigned int size, uint64_t value, uint64_t *old)
{
	return function_dma_update(&vpci->function, addr, size, true, value, old);
}
