// SPDX-License-Identifier: MIT
/* The virtual device as seen by QEMU: its x-pci-proxy-dev, and its -qtest for interrupts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <linux/pci_regs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "faa_pci.h"
#include "test_engine.h"
#include "vdev.h"
#include "../run_tests.h"

#define MEM_BASE 0x100000u
#define MEM_SIZE 0x10000u
#define BAR_REGS 0xfea00000u
#define BAR_MSIX 0xfeb00000u
#define MSI_ADDR 0xfee01000u
#define NO_REPLY UINT64_MAX

enum { SYNC_SYSMEM, RET, CFG_WRITE, CFG_READ, BAR_WRITE, BAR_READ, SET_IRQFD, DEVICE_RESET };

struct message {
	int32_t command;
	uint64_t size;
	uint64_t body[24];
};

struct fixture {
	struct vdev *vdev;
	int proxy, test, file;
	uint64_t *memory;
	char dir[32], path[48];
};

static struct fixture fixture;

static void run(struct fixture *f)
{
	for (int i = 0; i < 8 || vdev_run(f->vdev); i++)
		vdev_run(f->vdev);
}

static void put(struct fixture *f, const struct message *message, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec iov = { (void *)message, 16 + message->size };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		msg.msg_control = control;
		msg.msg_controllen = sizeof(control);
		*CMSG_FIRSTHDR(&msg) = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)),
							 .cmsg_level = SOL_SOCKET,
							 .cmsg_type = SCM_RIGHTS };
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&msg)), &fd, sizeof(fd));
	}
	assert_int_equal(sendmsg(f->proxy, &msg, 0), iov.iov_len);
	run(f);
}

static uint64_t reply(struct fixture *f)
{
	struct message message = { 0 };

	assert_int_equal(recv(f->proxy, &message, sizeof(message), MSG_DONTWAIT), 24);
	assert_int_equal(message.command, RET);
	assert_int_equal(message.size, 8);
	return message.body[0];
}

static uint64_t config(struct fixture *f, int command, uint32_t addr, uint32_t len, uint32_t value)
{
	struct message message = { .command = command, .size = 12 };
	const uint32_t body[] = { addr, value, len };

	memcpy(message.body, body, sizeof(body));
	put(f, &message, -1);
	return reply(f);
}

static uint64_t bar(struct fixture *f, int command, uint64_t addr, uint32_t len, uint64_t value)
{
	const struct message message = { .command = command,
					 .size = 24,
					 .body = { addr, value, len | 1ull << 32 } };

	put(f, &message, -1);
	return reply(f);
}

static void share_memory(struct fixture *f, uint64_t size)
{
	struct message message = { .command = SYNC_SYSMEM, .size = 192 };

	message.body[0] = MEM_BASE;
	message.body[8] = size;
	put(f, &message, f->file);
}

static int start(void **state)
{
	struct fixture *f = &fixture;
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct vdev_config device = {
		.engine = &faa_engine_test,
		.mem = { .latency = 1, .outstanding = 1 },
		.recorder_events = 64,
	};
	int pair[2];

	*f = (struct fixture){ .dir = "/tmp/faa-test-qemu-XXXXXX" };
	assert_non_null(mkdtemp(f->dir));
	snprintf(f->path, sizeof(f->path), "%s/qtest", f->dir);
	device.qtest_socket = f->path;
	f->vdev = vdev_create(&device);
	assert_non_null(f->vdev);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	f->proxy = pair[0];
	assert_int_equal(vdev_connect(f->vdev, pair[1]), 0);
	f->test = socket(AF_UNIX, SOCK_STREAM, 0);
	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", f->path);
	assert_int_equal(connect(f->test, (struct sockaddr *)&addr, sizeof(addr)), 0);
	f->file = memfd_create("memory", 0);
	assert_int_equal(ftruncate(f->file, MEM_SIZE), 0);
	f->memory = mmap(NULL, MEM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, f->file, 0);
	run(f);
	*state = f;
	return 0;
}

static int stop(void **state)
{
	struct fixture *f = *state;

	vdev_destroy(f->vdev);
	close(f->proxy);
	close(f->test);
	close(f->file);
	munmap(f->memory, MEM_SIZE);
	unlink(f->path);
	rmdir(f->dir);
	return 0;
}

static void enable(struct fixture *f)
{
	share_memory(f, MEM_SIZE);
	config(f, CFG_WRITE, PCI_BASE_ADDRESS_0, 4, BAR_REGS);
	config(f, CFG_WRITE, PCI_BASE_ADDRESS_2, 4, BAR_MSIX);
	config(f, CFG_WRITE, PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
	config(f, CFG_WRITE, FAA_PCI_CAP_MSIX + PCI_MSIX_FLAGS, 2, PCI_MSIX_FLAGS_ENABLE);
	for (uint32_t v = 0; v < FAA_PCI_VECTORS; v++) {
		bar(f, BAR_WRITE, BAR_MSIX + 16 * v, 4, MSI_ADDR);
		bar(f, BAR_WRITE, BAR_MSIX + 16 * v + 8, 4, 0x40 + v);
		bar(f, BAR_WRITE, BAR_MSIX + 16 * v + 12, 4, 0);
	}
}

/* Copies a word of memory, adds 1, requests @vector. */
static void copy(struct fixture *f, uint32_t from, uint32_t to, uint32_t vector)
{
	bar(f, BAR_WRITE, BAR_REGS + TEST_REG_SRC_LO, 4, from);
	bar(f, BAR_WRITE, BAR_REGS + TEST_REG_DST_LO, 4, to);
	bar(f, BAR_WRITE, BAR_REGS + TEST_REG_VECTOR, 4, vector);
	bar(f, BAR_WRITE, BAR_REGS + TEST_REG_GO, 4, 1);
}

static void expect_command(struct fixture *f, const char *command)
{
	char text[128] = "";

	assert_int_equal(recv(f->test, text, sizeof(text) - 1, MSG_DONTWAIT), strlen(command));
	assert_string_equal(text, command);
}

/* QEMU knows only BARs of 32 bits, one word of configuration space each. */
static void test_bars(void **state)
{
	struct fixture *f = *state;
	const uint32_t sizes[6] = { FAA_PCI_BAR_REGS_SIZE, 0, FAA_PCI_BAR_MSIX_SIZE };

	assert_int_equal(config(f, CFG_READ, PCI_VENDOR_ID, 2, 0), FAA_PCI_VENDOR_ID);
	for (uint32_t i = 0; i < 6; i++) {
		const uint32_t at = PCI_BASE_ADDRESS_0 + 4 * i;

		config(f, CFG_WRITE, at, 4, 0xffffffff);
		assert_int_equal(config(f, CFG_READ, at, 4, 0), sizes[i] ? -sizes[i] : 0);
	}
}

static void test_registers(void **state)
{
	struct fixture *f = *state;

	enable(f);
	bar(f, BAR_WRITE, BAR_REGS + 0x10, 8, 0x1122334455667788);
	assert_int_equal(bar(f, BAR_READ, BAR_REGS + 0x10, 8, 0), 0x1122334455667788);
	assert_int_equal(bar(f, BAR_READ, BAR_REGS + 0x14, 4, 0), 0x11223344);
	assert_int_equal(bar(f, BAR_READ, BAR_REGS - 4, 4, 0), NO_REPLY);
	assert_int_equal(bar(f, BAR_READ, BAR_REGS + 0x10, 16, 0), NO_REPLY);
	assert_int_equal(vdev_stats(f->vdev)->bad_messages, 2);
}

static void test_dma_and_interrupt(void **state)
{
	struct fixture *f = *state;

	enable(f);
	f->memory[0] = 41;
	copy(f, MEM_BASE, MEM_BASE + 8, 3);
	assert_int_equal(f->memory[1], 42);
	expect_command(f, "writel 0xfee01000 0x43\n");
	copy(f, MEM_BASE + MEM_SIZE, MEM_BASE, 3);
	assert_int_equal(vdev_stats(f->vdev)->dma_errors, 1);
	/* Memory that the file does not have is refused as a whole, and ends the connection. */
	share_memory(f, MEM_SIZE + 4096);
	assert_false(vdev_connected(f->vdev));
}

/* Interrupts wait for the answers of QEMU; those of one vector are merged. */
static void test_commands_in_flight(void **state)
{
	struct fixture *f = *state;
	char text[1024];
	ssize_t got;

	enable(f);
	for (uint32_t i = 0; i < 12; i++)
		copy(f, MEM_BASE, MEM_BASE + 8, i);
	got = recv(f->test, text, sizeof(text), MSG_DONTWAIT);
	assert_int_equal(got, 8 * (ssize_t)strlen("writel 0xfee01000 0x40\n"));
	copy(f, MEM_BASE, MEM_BASE + 8, 11);
	assert_int_equal(send(f->test, "OK\nOK\nOK\n", 9, 0), 9);
	run(f);
	got = recv(f->test, text, sizeof(text), MSG_DONTWAIT);
	assert_int_equal(got, 3 * (ssize_t)strlen("writel 0xfee01000 0x40\n"));
	assert_int_equal(send(f->test, "OK\nOK\nOK\n", 9, 0), 9);
	run(f);
	expect_command(f, "writel 0xfee01000 0x4b\n");
}

static void test_reset(void **state)
{
	struct fixture *f = *state;
	const struct message reset = { .command = DEVICE_RESET };
	const struct message irqfd = { .command = SET_IRQFD };

	put(f, &irqfd, f->file);
	enable(f);
	put(f, &reset, -1);
	reply(f);
	assert_int_equal(config(f, CFG_READ, PCI_COMMAND, 2, 0), 0);
}

static void test_garbage(void **state)
{
	struct fixture *f = *state;
	const struct message message = { .command = 77, .size = 8 };

	put(f, &message, -1);
	assert_false(vdev_connected(f->vdev));
}

static void test_end(void **state)
{
	struct fixture *f = *state;

	shutdown(f->proxy, SHUT_RDWR);
	run(f);
	assert_false(vdev_connected(f->vdev));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_bars, start, stop),
		cmocka_unit_test_setup_teardown(test_registers, start, stop),
		cmocka_unit_test_setup_teardown(test_dma_and_interrupt, start, stop),
		cmocka_unit_test_setup_teardown(test_commands_in_flight, start, stop),
		cmocka_unit_test_setup_teardown(test_reset, start, stop),
		cmocka_unit_test_setup_teardown(test_garbage, start, stop),
		cmocka_unit_test_setup_teardown(test_end, start, stop),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
