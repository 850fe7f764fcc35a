// SPDX-License-Identifier: Apache-2.0
#include "qemu.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/pci_regs.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "vpci.h"

/* Files of a message, and regions of memory. */
#define QEMU_MAX_FDS 8
/* Commands on their way to the test interface; further interrupts stay pending in the device. */
#define QEMU_MAX_IN_FLIGHT 8

/* Commands of QEMU's multi-process protocol (docs/devel/multi-process.rst of QEMU). */
enum qemu_command {
	QEMU_SYNC_SYSMEM,
	QEMU_RET,
	QEMU_CFG_WRITE,
	QEMU_CFG_READ,
	QEMU_BAR_WRITE,
	QEMU_BAR_READ,
	QEMU_SET_IRQFD,
	QEMU_DEVICE_RESET,
};

struct qemu_head {
	int32_t command;
	uint64_t size;
};

/* The body of a message; its length tells which one. */
union qemu_body {
	uint64_t value;
	struct {
		uint32_t addr;
		uint32_t value;
		int32_t len;
	} config;
	struct {
		uint64_t addr;
		uint64_t value;
		uint32_t size;
		bool memory;
	} bar;
	struct {
		uint64_t guest_addr[QEMU_MAX_FDS];
		uint64_t size[QEMU_MAX_FDS];
		uint64_t offset[QEMU_MAX_FDS];
	} memory;
};

/* Files that came with a message. */
struct qemu_files {
	int fd[QEMU_MAX_FDS];
	unsigned int count;
};

void qemu_init(struct qemu *qemu, struct function *function, struct guest_mem *mem)
{
	*qemu = (struct qemu){
		.sock = -1, .listener = -1, .test = -1, .function = function, .mem = mem
	};
}

static void qemu_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int qemu_listen(struct qemu *qemu, const char *path)
{
	int sock = vpci_listen(path);

	if (sock < 0)
		return sock;
	qemu->listener = sock;
	return 0;
}

void qemu_accept_test(struct qemu *qemu)
{
	int sock = accept4(qemu->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (sock < 0)
		return;
	qemu_close(&qemu->test);
	qemu->test = sock;
	qemu->in_flight = 0;
}

void qemu_receive_test(struct qemu *qemu)
{
	char text[256];
	ssize_t n;

	while (qemu->test >= 0 && (n = read(qemu->test, text, sizeof(text))) != -1) {
		if (n == 0) {
			qemu_close(&qemu->test);
			return;
		}
		/* Each answer is a line, "OK" or "FAIL" with the reason. */
		for (ssize_t i = 0; i < n; i++)
			if (text[i] == '\n' && qemu->in_flight)
				qemu->in_flight--;
	}
}

bool qemu_send_msix(struct qemu *qemu, const struct msix_message *message)
{
	char text[64];
	int len;

	if (qemu->test < 0 || qemu->in_flight == QEMU_MAX_IN_FLIGHT)
		return false;
	len = snprintf(text, sizeof(text), "writel 0x%" PRIx64 " 0x%" PRIx32 "\n", message->addr,
		       message->data);
	/* It fits as a whole: the socket's buffer holds far more than all commands in flight. */
	if (send(qemu->test, text, (size_t)len, MSG_NOSIGNAL) != len)
		return false;
	qemu->in_flight++;
	return true;
}

static void qemu_close_files(struct qemu_files *files)
{
	while (files->count)
		close(files->fd[--files->count]);
}

static void qemu_take_files(struct msghdr *msg, struct qemu_files *files)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		files->count = (unsigned int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
		memcpy(files->fd, CMSG_DATA(c), files->count * sizeof(int));
	}
}

/* Return: 1, 0 if there is no message, or -errno. */
static int qemu_receive(struct qemu *qemu, struct qemu_head *head, union qemu_body *body,
			struct qemu_files *files)
{
	union {
		char space[CMSG_SPACE(QEMU_MAX_FDS * sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = head, .iov_len = sizeof(*head) };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = sizeof(control) };
	ssize_t n = recvmsg(qemu->sock, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	qemu_take_files(&msg, files);
	if (n == 0)
		return -EPIPE;
	if (n != sizeof(*head) || head->size > sizeof(*body))
		return -EPROTO;
	/* QEMU sends head and body at once. */
	memset(body, 0, sizeof(*body));
	if (head->size && recv(qemu->sock, body, head->size, MSG_WAITALL) != (ssize_t)head->size)
		return -EPROTO;
	return 1;
}

static int qemu_reply(struct qemu *qemu, uint64_t value)
{
	struct {
		struct qemu_head head;
		uint64_t value;
	} reply = { { .command = QEMU_RET, .size = sizeof(value) }, value };

	return send(qemu->sock, &reply, sizeof(reply), MSG_NOSIGNAL) == sizeof(reply) ? 0 : -EPIPE;
}

/* All regions of the guest's memory, instead of the former ones. */
static int qemu_sync_memory(struct qemu *qemu, const union qemu_body *body,
			    const struct qemu_files *files)
{
	int err = 0;

	guest_mem_clear(qemu->mem);
	for (unsigned int i = 0; i < files->count && !err; i++)
		err = guest_mem_add(qemu->mem, body->memory.guest_addr[i], 0, body->memory.size[i],
				    body->memory.offset[i], files->fd[i]);
	if (err)
		vpci_warn("the guest's memory cannot be shared: %s", strerror(-err));
	return err;
}

/* The BAR in which an address is, and the offset in it; -1: none. */
static int qemu_find_bar(const struct qemu *qemu, uint64_t addr, uint64_t *offset)
{
	const struct function *function = qemu->function;

	for (unsigned int bar = 0; bar < VPCI_BARS; bar++) {
		uint64_t base = pci_read(&function->pci, PCI_BASE_ADDRESS_0 + 4 * bar, 4) &
				PCI_BASE_ADDRESS_MEM_MASK;

		*offset = addr - base;
		if (addr >= base && *offset < function->config.bar[bar].size)
			return (int)bar;
	}
	return -1;
}

static void qemu_refuse(struct qemu *qemu, int command, uint64_t addr, uint32_t size)
{
	qemu->function->stats.bad_messages++;
	function_note(qemu->function, VPCI_BAD_MESSAGE, (unsigned int)command, addr, size, 0);
}

static uint64_t qemu_access_bar(struct qemu *qemu, const union qemu_body *body, int command)
{
	uint64_t offset, value = UINT64_MAX;
	int bar = qemu_find_bar(qemu, body->bar.addr, &offset);
	uint32_t size = body->bar.size;

	if (bar < 0 || !size || size > sizeof(value)) {
		qemu_refuse(qemu, command, body->bar.addr, size);
		return value;
	}
	if (command == QEMU_BAR_WRITE) {
		if (!function_bar_write(qemu->function, (unsigned int)bar, offset,
					(const uint8_t *)&body->bar.value, size))
			qemu->function->stats.bad_messages++;
		return 0;
	}
	value = 0;
	function_bar_read(qemu->function, (unsigned int)bar, offset, (uint8_t *)&value, size);
	return value;
}

static int qemu_handle(struct qemu *qemu, const struct qemu_head *head, const union qemu_body *body,
		       const struct qemu_files *files)
{
	struct function *function = qemu->function;
	unsigned int len = (unsigned int)body->config.len;

	function->stats.messages++;
	if ((head->command == QEMU_CFG_READ || head->command == QEMU_CFG_WRITE) && len != 1 &&
	    len != 2 && len != 4)
		return -EPROTO;
	switch (head->command) {
	case QEMU_SYNC_SYSMEM:
		return qemu_sync_memory(qemu, body, files);
	case QEMU_SET_IRQFD:
		/* Of INTx, which the device does not have. */
		return 0;
	case QEMU_CFG_READ:
		return qemu_reply(qemu, function_config_read(function, body->config.addr, len));
	case QEMU_CFG_WRITE:
		function_config_write(function, body->config.addr, len, body->config.value);
		return qemu_reply(qemu, 0);
	case QEMU_BAR_READ:
	case QEMU_BAR_WRITE:
		return qemu_reply(qemu, qemu_access_bar(qemu, body, head->command));
	case QEMU_DEVICE_RESET: {
		int err = function_reset(function, VPCI_RESET_POWER);

		return err ? err : qemu_reply(qemu, 0);
	}
	default:
		return -EPROTO;
	}
}

int qemu_serve(struct qemu *qemu)
{
	while (qemu->sock >= 0) {
		struct qemu_files files = { .count = 0 };
		struct qemu_head head;
		union qemu_body body;
		int got = qemu_receive(qemu, &head, &body, &files);
		int err = got == 1 ? qemu_handle(qemu, &head, &body, &files) : got;

		qemu_close_files(&files);
		if (err && err != -EPIPE)
			vpci_warn("the connection to QEMU is given up: %s", strerror(-err));
		if (got != 1 || err)
			return err;
	}
	return 0;
}

void qemu_disconnect(struct qemu *qemu)
{
	qemu_close(&qemu->sock);
	guest_mem_clear(qemu->mem);
}

void qemu_fini(struct qemu *qemu)
{
	qemu_disconnect(qemu);
	qemu_close(&qemu->test);
	qemu_close(&qemu->listener);
}
