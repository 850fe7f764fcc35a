// SPDX-License-Identifier: MIT
/*
 * libvpci with a device that is not faa: description and its errors, BARs of several kinds, byte
 * enables, DMA, AtomicOps, resets and interrupts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <linux/pci_regs.h>
#include <string.h>
#include <unistd.h>

#include "front_end.h"
#include "msix.h"
#include "pci.h"
#include "vpci.h"
#include "../run_tests.h"

#define BAR_REGS   1
#define BAR_MEMORY 2
#define REGS_SIZE  0x1000u
#define TABLE	   0x800u
#define PBA	   0xc00u
#define VECTORS	   3

/* A device of a 32-bit BAR with registers and MSI-X, and a 64-bit BAR with memory. */
struct device {
	uint32_t memory[64];
	uint32_t last_bytes;
	unsigned int steps;
	unsigned int resets[3];
	unsigned int events[VPCI_BAD_MESSAGE + 1];
	int reset_err;
	struct vpci *vpci;
	struct front_end fe;
};

static struct device device;

static uint32_t device_read(void *ctx, unsigned int bar, uint64_t offset)
{
	struct device *d = ctx;

	assert_int_equal(offset % 4, 0);
	return bar == BAR_MEMORY ? d->memory[offset / 4 % 64] : 0x1000000u + (uint32_t)offset;
}

static void device_write(void *ctx, unsigned int bar, uint64_t offset, uint32_t value,
			 unsigned int bytes)
{
	struct device *d = ctx;
	uint32_t *word = &d->memory[offset / 4 % 64];

	d->last_bytes = bytes;
	if (bar != BAR_MEMORY) {
		d->steps = value;
		return;
	}
	for (unsigned int i = 0; i < 4; i++)
		if (bytes >> i & 1)
			*word = (*word & ~(0xffu << 8 * i)) | (value & 0xffu << 8 * i);
}

static int device_reset(void *ctx, enum vpci_reset cause)
{
	struct device *d = ctx;

	d->resets[cause]++;
	return d->reset_err;
}

static bool device_step(void *ctx)
{
	struct device *d = ctx;

	if (d->steps && --d->steps == 0)
		vpci_raise(d->vpci, 2);
	return d->steps;
}

static void device_event(void *ctx, const struct vpci_event *event)
{
	((struct device *)ctx)->events[event->kind]++;
}

static const struct vpci_ops ops = {
	.read = device_read,
	.write = device_write,
	.reset = device_reset,
	.step = device_step,
	.event = device_event,
};

static const struct vpci_config config = {
	.vendor = 0x1234,
	.device = 0x5678,
	.subsystem_vendor = 0x9abc,
	.subsystem = 0xdef0,
	.class_code = 0x058000,
	.revision = 7,
	.flags = VPCI_PM | VPCI_FLR | VPCI_ATOMIC_OPS,
	.bar[BAR_REGS] = { REGS_SIZE, 0 },
	.bar[BAR_MEMORY] = { 0x100000, VPCI_BAR_64 | VPCI_BAR_PREFETCH },
	.vectors = VECTORS,
	.msix_bar = BAR_REGS,
	.msix_table = TABLE,
	.msix_pba = PBA,
};

static int end_connect(void *vpci, int sock)
{
	return vpci_connect(vpci, sock);
}

static int end_fd(const void *vpci)
{
	return vpci_fd(vpci);
}

static bool end_run(void *vpci)
{
	return vpci_run(vpci);
}

static void boot_with(const struct vpci_config *description)
{
	memset(&device, 0, sizeof(device));
	device.vpci = vpci_create(description, &ops, &device);
	assert_non_null(device.vpci);
	fe_boot(&device.fe, &(struct fe_device){ end_connect, end_fd, end_run, device.vpci },
		FE_IRQ_BUFFERS);
	fe_config_write(&device.fe, PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
}

static int boot(void **state)
{
	*state = &device;
	boot_with(&config);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	fe_disconnect(&device.fe);
	vpci_destroy(device.vpci);
	return 0;
}

static void test_description(void **state)
{
	struct front_end *fe = &device.fe;

	(void)state;
	assert_int_equal(fe_config_read(fe, PCI_VENDOR_ID, 4), 0x56781234);
	assert_int_equal(fe_config_read(fe, PCI_SUBSYSTEM_VENDOR_ID, 4), 0xdef09abc);
	assert_int_equal(fe_config_read(fe, PCI_CLASS_REVISION, 4), 0x05800007);
	fe_config_write(fe, PCI_BASE_ADDRESS_1, 4, 0xffffffff);
	assert_int_equal(fe_config_read(fe, PCI_BASE_ADDRESS_1, 4), 0xfffff000);
	fe_config_write(fe, PCI_BASE_ADDRESS_2, 4, 0xffffffff);
	assert_int_equal(fe_config_read(fe, PCI_BASE_ADDRESS_2, 4), 0xfff0000c);
	fe_config_write(fe, PCI_BASE_ADDRESS_0, 4, 0xffffffff);
	assert_int_equal(fe_config_read(fe, PCI_BASE_ADDRESS_0, 4), 0);
	assert_int_equal(fe_config_read(fe, PCI_AT_MSIX + PCI_MSIX_FLAGS, 2), VECTORS - 1);
	assert_int_equal(fe_config_read(fe, PCI_AT_MSIX + PCI_MSIX_TABLE, 4), TABLE | BAR_REGS);
	assert_true(fe_config_read(fe, PCI_AT_EXP + PCI_EXP_DEVCAP, 4) & PCI_EXP_DEVCAP_FLR);
}

/* A function without MSI-X, power management, FLR and AtomicOps has none of their registers. */
static void test_least(void **state)
{
	static const struct vpci_config least = { .bar[0] = { VPCI_MIN_BAR, 0 } };
	struct front_end *fe = &device.fe;

	(void)state;
	boot_with(&least);
	assert_int_equal(fe_config_read(fe, PCI_CAPABILITY_LIST, 1), PCI_AT_EXP);
	assert_int_equal(fe_config_read(fe, PCI_AT_EXP + PCI_CAP_LIST_NEXT, 1), 0);
	fe_config_write(fe, PCI_AT_EXP + PCI_EXP_DEVCTL2, 2, 0xffff);
	assert_int_equal(fe_config_read(fe, PCI_AT_EXP + PCI_EXP_DEVCTL2, 2), 0);
	fe_config_write(fe, PCI_AT_EXP + PCI_EXP_DEVCTL, 2, PCI_EXP_DEVCTL_BCR_FLR);
	assert_int_equal(device.resets[VPCI_RESET_FLR], 0);
	assert_int_equal(vpci_raise(device.vpci, 0), -ENXIO);
	assert_int_equal(fe_read32(fe, 0, 12), 0x100000c);
	assert_int_equal(fe_read32(fe, 0, 16), 0xffffffff);
	stop(state);
}

static void test_bad_descriptions(void **state)
{
	struct vpci_config bad[12];

	(void)state;
	for (unsigned int i = 0; i < 12; i++)
		bad[i] = config;
	bad[0].class_code = 0x1000000;
	bad[1].flags = 1u << 31;
	bad[2].bar[BAR_REGS].size = 0x1001;
	bad[3].bar[BAR_REGS].size = 8;
	bad[4].bar[BAR_REGS].size = 2 * VPCI_MAX_BAR;
	bad[5].bar[3].size = 0x1000;
	bad[6].bar[5] = (struct vpci_bar){ 0x1000, VPCI_BAR_64 };
	bad[7].vectors = VPCI_MAX_VECTORS + 1;
	bad[8].msix_bar = 0;
	bad[9].msix_table = REGS_SIZE - 16;
	bad[10].msix_pba = TABLE + 16;
	bad[11].flags = VPCI_ATOMIC_ROUTE;
	for (unsigned int i = 0; i < 12; i++) {
		errno = 0;
		assert_null(vpci_create(&bad[i], &ops, NULL));
		assert_int_equal(errno, EINVAL);
	}
}

/* Writes @len bytes of a pattern at @addr of the memory. */
static void write_bytes(uint64_t addr, uint32_t len)
{
	struct {
		struct virtio_pcidev_msg msg;
		uint8_t data[16];
	} write = { .msg = { .op = VIRTIO_PCIDEV_OP_MMIO_WRITE,
			     .bar = BAR_MEMORY,
			     .size = len,
			     .addr = addr } };

	for (uint32_t i = 0; i < len; i++)
		write.data[i] = (uint8_t)(0xa0 + i);
	assert_true(fe_post(&device.fe, &write, (uint32_t)sizeof(write.msg) + len, 0, NULL));
	fe_kick(&device.fe, 0);
	fe_run(&device.fe);
	while (fe_reap(&device.fe, NULL, NULL))
		;
}

static void test_byte_enables(void **state)
{
	(void)state;
	write_bytes(1, 2);
	assert_int_equal(device.last_bytes, 6);
	assert_int_equal(device.memory[0], 0x00a1a000);
	write_bytes(7, 6);
	assert_int_equal(device.memory[1], 0xa0000000);
	assert_int_equal(device.memory[2], 0xa4a3a2a1);
	assert_int_equal(device.memory[3], 0x000000a5);
	assert_int_equal(device.last_bytes, 1);
	assert_int_equal(vpci_stats(device.vpci)->bad_messages, 0);
	/* Registers and MSI-X are in one BAR. */
	assert_int_equal(fe_read32(&device.fe, BAR_REGS, TABLE - 4), 0x1000000 + TABLE - 4);
	assert_int_equal(fe_read32(&device.fe, BAR_REGS, TABLE + 12), 1);
	assert_int_equal(fe_read32(&device.fe, BAR_REGS, TABLE + 16 * VECTORS),
			 0x1000000 + TABLE + 16 * VECTORS);
}

static void test_interrupt(void **state)
{
	struct front_end *fe = &device.fe;
	struct fe_irq irq;

	(void)state;
	assert_int_equal(vpci_raise(device.vpci, 2), -EACCES);
	fe_config_write(fe, PCI_AT_MSIX + PCI_MSIX_FLAGS, 2, PCI_MSIX_FLAGS_ENABLE);
	assert_true(vpci_msix_enabled(device.vpci));
	assert_int_equal(vpci_raise(device.vpci, VECTORS), -ENXIO);
	fe_write32(fe, BAR_REGS, TABLE + 32, 0xa0000);
	fe_write32(fe, BAR_REGS, TABLE + 40, 77);
	/* After 1000 steps the device requests it; it is sent when the vector is unmasked. */
	fe_write32(fe, BAR_REGS, 0, 1000);
	fe_run(fe);
	assert_int_equal(device.steps, 0);
	assert_false(fe_take_irq(fe, &irq, true));
	assert_int_equal(fe_read32(fe, BAR_REGS, PBA), 4);
	fe_write32(fe, BAR_REGS, TABLE + 44, 0);
	assert_true(fe_take_irq(fe, &irq, true));
	assert_int_equal(irq.data, 77);
	assert_int_equal(fe_read32(fe, BAR_REGS, PBA), 0);
	assert_int_equal(device.events[VPCI_IRQ_SENT], 1);
	assert_int_equal(device.events[VPCI_IRQ_DROPPED], 2);
}

static void test_hold(void **state)
{
	struct msix_message message;
	struct msix msix;

	(void)state;
	msix_init(&msix, &config);
	for (uint32_t i = 0; i < 2; i++)
		msix_write(&msix, TABLE + 16 * i + 12, 0);
	msix_request(&msix, 0);
	msix_hold(&msix, 0);
	assert_int_equal(msix_peek(&msix, &message), -1);
	/* A held vector does not delay others, and is pending for the guest. */
	msix_request(&msix, 1);
	assert_int_equal(msix_peek(&msix, &message), 1);
	assert_int_equal(msix_read(&msix, PBA), 3);
	msix_sent(&msix, 1);
	msix_release(&msix, 0);
	assert_int_equal(msix_peek(&msix, &message), 0);
}

static void test_dma(void **state)
{
	struct vpci *vpci = device.vpci;
	uint8_t out[1000], in[1000] = { 0 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(out); i++)
		out[i] = (uint8_t)(7 * i);
	assert_int_equal(vpci_dma_write(vpci, FE_FREE + 3, out, sizeof(out)), 0);
	assert_memory_equal(fe_at(&device.fe, FE_FREE + 3), out, sizeof(out));
	assert_int_equal(vpci_dma_read(vpci, FE_FREE + 3, in, sizeof(in)), 0);
	assert_memory_equal(in, out, sizeof(out));
	/* A write that is only partly in memory writes nothing. */
	memset(fe_at(&device.fe, FE_MEM_BASE + FE_MEM_SIZE - 500), 0x55, 500);
	assert_int_equal(vpci_dma_write(vpci, FE_MEM_BASE + FE_MEM_SIZE - 500, out, 501), -EFAULT);
	assert_int_equal(*(uint8_t *)fe_at(&device.fe, FE_MEM_BASE + FE_MEM_SIZE - 500), 0x55);
	assert_int_equal(vpci_dma_read(vpci, 0, in, 1), -EFAULT);
	assert_int_equal(vpci_dma_write_bytes(vpci, FE_FREE, out, 65, ~0ull), -EINVAL);
	fe_config_write(&device.fe, PCI_COMMAND, 2, PCI_COMMAND_MEMORY);
	assert_int_equal(vpci_dma_read(vpci, FE_FREE, in, 1), -EACCES);
	assert_int_equal(vpci_dma_write(vpci, FE_FREE, in, 1), -EACCES);
	assert_int_equal(vpci_stats(vpci)->dma_errors, 4);
	assert_int_equal(device.events[VPCI_DMA_ERROR], 4);
}

static void test_atomics(void **state)
{
	struct vpci *vpci = device.vpci;
	uint32_t *word = fe_at(&device.fe, FE_FREE);
	uint64_t old = 0;

	(void)state;
	word[0] = 0xffffffff;
	word[1] = 9;
	/* Requester Enable is initially 0. */
	assert_int_equal(vpci_dma_add(vpci, FE_FREE, 4, 3, &old), -EACCES);
	fe_config_write(&device.fe, PCI_AT_EXP + PCI_EXP_DEVCTL2, 2, PCI_EXP_DEVCTL2_ATOMIC_REQ);
	assert_int_equal(vpci_dma_add(vpci, FE_FREE, 4, 3, &old), 0);
	assert_int_equal(old, 0xffffffff);
	assert_int_equal(word[0], 2);
	assert_int_equal(word[1], 9);
	assert_int_equal(vpci_dma_swap(vpci, FE_FREE, 8, 5, &old), 0);
	assert_true(old == 0x900000002u);
	assert_int_equal(word[1], 0);
	old = 4;
	assert_int_equal(vpci_dma_cas(vpci, FE_FREE, 2, &old, 8), 0);
	assert_int_equal(old, 5);
	assert_int_equal(word[0], 5);
	assert_int_equal(vpci_dma_cas(vpci, FE_FREE, 2, &old, 8), 0);
	assert_int_equal(word[0], 8);
	assert_int_equal(vpci_dma_add(vpci, FE_FREE + 1, 4, 1, &old), -EFAULT);
	assert_int_equal(vpci_dma_swap(vpci, FE_FREE, 16, 1, &old), -EFAULT);
	assert_int_equal(device.events[VPCI_DMA_ATOMIC], 4);
}

static void test_resets(void **state)
{
	struct front_end *fe = &device.fe;
	uint32_t pmcsr = PCI_AT_PM + PCI_PM_CTRL;

	(void)state;
	assert_int_equal(device.resets[VPCI_RESET_POWER], 1);
	/* A device that keeps its state keeps its configuration space, too. */
	device.reset_err = -EBUSY;
	fe_config_write(fe, PCI_AT_EXP + PCI_EXP_DEVCTL, 2, PCI_EXP_DEVCTL_BCR_FLR);
	fe_config_write(fe, pmcsr, 2, 3);
	assert_int_equal(fe_read32(fe, BAR_MEMORY, 0), 0xffffffff);
	fe_config_write(fe, pmcsr, 2, 0);
	assert_int_equal(device.resets[VPCI_RESET_FLR], 1);
	assert_int_equal(device.resets[VPCI_RESET_D0], 1);
	assert_int_equal(fe_config_read(fe, PCI_COMMAND, 2),
			 PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
	device.reset_err = 0;
	fe_config_write(fe, PCI_AT_EXP + PCI_EXP_DEVCTL, 2, PCI_EXP_DEVCTL_BCR_FLR);
	assert_int_equal(fe_config_read(fe, PCI_COMMAND, 2), 0);
}

#define BOOTED(test) cmocka_unit_test_setup_teardown(test, boot, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOOTED(test_description),
		cmocka_unit_test(test_least),
		cmocka_unit_test(test_bad_descriptions),
		BOOTED(test_byte_enables),
		BOOTED(test_interrupt),
		cmocka_unit_test(test_hold),
		BOOTED(test_dma),
		BOOTED(test_atomics),
		BOOTED(test_resets),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
