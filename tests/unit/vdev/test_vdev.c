// SPDX-License-Identifier: MIT
/*
 * The virtual device as seen by a guest kernel: protocol, configuration space, BARs, DMA and
 * interrupts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <linux/pci_regs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "faa_pci.h"
#include "pci.h"
#include "test_engine.h"
#include "vdev_end.h"
#include "../run_tests.h"

#define MSI_ADDR 0xa0000u

struct fixture {
	struct vdev *vdev;
	struct front_end fe;
};

static struct fixture fixture;

/* With @vectors MSI-X vectors, 0 for all. */
static int start_with(void **state, uint32_t vectors)
{
	const struct vdev_config config = {
		.engine = &faa_engine_test,
		.mem = { .latency = 1, .outstanding = 1 },
		.recorder_events = 64,
		.vectors = vectors,
	};

	fixture.vdev = vdev_create(&config);
	assert_non_null(fixture.vdev);
	*state = &fixture;
	return 0;
}

static int start(void **state)
{
	return start_with(state, 0);
}

static int boot_with_four_vectors(void **state)
{
	start_with(state, 4);
	fe_boot(&fixture.fe, &VDEV_END(fixture.vdev), FE_IRQ_BUFFERS);
	return 0;
}

static int boot(void **state)
{
	start(state);
	fe_boot(&fixture.fe, &VDEV_END(fixture.vdev), FE_IRQ_BUFFERS);
	return 0;
}

static int stop(void **state)
{
	struct fixture *f = *state;

	vdev_destroy(f->vdev);
	return 0;
}

static int stop_all(void **state)
{
	fe_disconnect(&fixture.fe);
	return stop(state);
}

static void enable(struct front_end *fe)
{
	fe_config_write(fe, PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
}

static void enable_msix(struct front_end *fe)
{
	enable(fe);
	for (uint32_t v = 0; v < FAA_PCI_VECTORS; v++) {
		fe_write32(fe, FAA_PCI_BAR_MSIX, 16 * v, MSI_ADDR);
		fe_write32(fe, FAA_PCI_BAR_MSIX, 16 * v + 4, 0);
		fe_write32(fe, FAA_PCI_BAR_MSIX, 16 * v + 8, 40 + v);
		fe_write32(fe, FAA_PCI_BAR_MSIX, 16 * v + 12, 0);
	}
	fe_config_write(fe, PCI_AT_MSIX + PCI_MSIX_FLAGS, 2, PCI_MSIX_FLAGS_ENABLE);
}

static void go(struct front_end *fe, uint64_t src, uint64_t dst, uint32_t vector)
{
	fe_write32(fe, 0, TEST_REG_SRC_LO, (uint32_t)src);
	fe_write32(fe, 0, TEST_REG_SRC_HI, (uint32_t)(src >> 32));
	fe_write32(fe, 0, TEST_REG_DST_LO, (uint32_t)dst);
	fe_write32(fe, 0, TEST_REG_DST_HI, (uint32_t)(dst >> 32));
	fe_write32(fe, 0, TEST_REG_VECTOR, vector);
	fe_write32(fe, 0, TEST_REG_GO, 1);
}

static void test_features(void **state)
{
	struct front_end *fe = &fixture.fe;

	assert_true(fe->features >> 30 & 1);
	assert_true(fe->features >> 32 & 1);
	assert_int_equal(fe->protocol_features, 1u << 3 | 1u << 5 | 1u << 9);
}

static void test_capabilities(void **state)
{
	struct front_end *fe = &fixture.fe;
	unsigned int seen[256] = { 0 };
	uint32_t at;

	assert_int_equal(fe_config_read(fe, PCI_VENDOR_ID, 4), 0x0001faa0);
	assert_int_equal(fe_config_read(fe, PCI_CLASS_REVISION, 4) >> 8, 0x120000);
	assert_int_equal(fe_config_read(fe, PCI_HEADER_TYPE, 1), 0);
	assert_true(fe_config_read(fe, PCI_STATUS, 2) & PCI_STATUS_CAP_LIST);
	at = (uint32_t)fe_config_read(fe, PCI_CAPABILITY_LIST, 1);
	for (int i = 0; at && i < 48; i++) {
		uint32_t id = (uint32_t)fe_config_read(fe, at, 1);

		assert_true(at >= 0x40 && at % 4 == 0);
		assert_int_equal(seen[id], 0);
		seen[id] = at;
		at = (uint32_t)fe_config_read(fe, at + 1, 1);
	}
	assert_int_equal(at, 0);
	assert_true(seen[PCI_CAP_ID_PM] && seen[PCI_CAP_ID_MSIX] && seen[PCI_CAP_ID_EXP]);

	at = seen[PCI_CAP_ID_MSIX];
	assert_int_equal(fe_config_read(fe, at + PCI_MSIX_FLAGS, 2) & PCI_MSIX_FLAGS_QSIZE, 15);
	assert_int_equal(fe_config_read(fe, at + PCI_MSIX_TABLE, 4), 0x000 | 2);
	assert_int_equal(fe_config_read(fe, at + PCI_MSIX_PBA, 4), 0x800 | 2);

	at = seen[PCI_CAP_ID_EXP];
	/*
	 * AtomicOps are enabled, as if a root port that supports them had been found; the guest may
	 * disable them.
	 */
	assert_int_equal(fe_config_read(fe, at + PCI_EXP_DEVCTL2, 2), PCI_EXP_DEVCTL2_ATOMIC_REQ);
	fe_config_write(fe, at + PCI_EXP_DEVCTL2, 2, 0);
	assert_int_equal(fe_config_read(fe, at + PCI_EXP_DEVCTL2, 2), 0);
	fe_config_write(fe, at + PCI_EXP_DEVCTL2, 2, 0xffff);
	assert_int_equal(fe_config_read(fe, at + PCI_EXP_DEVCTL2, 2), PCI_EXP_DEVCTL2_ATOMIC_REQ);
	/* No extended capability, and all-ones beyond the end. */
	assert_int_equal(fe_config_read(fe, 0x100, 4), 0);
	assert_int_equal(fe_config_read(fe, 4096, 4), 0xffffffff);
}

static uint64_t size_bar(struct front_end *fe, uint32_t at)
{
	uint64_t mask;

	fe_config_write(fe, at, 4, 0xffffffff);
	fe_config_write(fe, at + 4, 4, 0xffffffff);
	mask = fe_config_read(fe, at, 8);
	assert_int_equal(mask & 0xf, PCI_BASE_ADDRESS_MEM_TYPE_64);
	return ~(mask & ~0xfull) + 1;
}

static void test_bars(void **state)
{
	struct front_end *fe = &fixture.fe;

	assert_int_equal(size_bar(fe, PCI_BASE_ADDRESS_0), FAA_PCI_BAR_REGS_SIZE);
	assert_int_equal(size_bar(fe, PCI_BASE_ADDRESS_2), FAA_PCI_BAR_MSIX_SIZE);
	for (uint32_t at = PCI_BASE_ADDRESS_4; at <= PCI_BASE_ADDRESS_5; at += 4) {
		fe_config_write(fe, at, 4, 0xffffffff);
		assert_int_equal(fe_config_read(fe, at, 4), 0);
	}
	fe_config_write(fe, PCI_BASE_ADDRESS_0, 4, 0xf0100000);
	fe_config_write(fe, PCI_BASE_ADDRESS_1, 4, 0);
	assert_int_equal(fe_config_read(fe, PCI_BASE_ADDRESS_0, 8), 0xf0100004);
}

static void test_command_register(void **state)
{
	struct front_end *fe = &fixture.fe;

	/* Read-only bits do not change; byte writes change only their byte. */
	fe_config_write(fe, PCI_COMMAND, 2, 0xffff);
	assert_int_equal(fe_config_read(fe, PCI_COMMAND, 2), 0x0546);
	fe_config_write(fe, PCI_COMMAND + 1, 1, 0);
	assert_int_equal(fe_config_read(fe, PCI_COMMAND, 2), 0x0046);
	fe_config_write(fe, PCI_VENDOR_ID, 4, 0);
	assert_int_equal(fe_config_read(fe, PCI_VENDOR_ID, 2), FAA_PCI_VENDOR_ID);
}

static void test_memory_enable(void **state)
{
	struct front_end *fe = &fixture.fe;

	assert_int_equal(fe_read32(fe, 0, 0), 0xffffffff);
	fe_write32(fe, 0, 0, 5);
	enable(fe);
	assert_int_equal(fe_read32(fe, 0, 0), 0);
	fe_write32(fe, 0, 0, 6);
	assert_int_equal(fe_read32(fe, 0, 0), 6);
	/* Beyond the BAR, and BARs that do not exist. */
	assert_int_equal(fe_read32(fe, 0, FAA_PCI_BAR_REGS_SIZE), 0xffffffff);
	assert_int_equal(fe_read32(fe, 0, FAA_PCI_BAR_REGS_SIZE - 2), 0xffffffff);
	assert_int_equal(fe_read32(fe, 4, 0), 0xffffffff);
	/* In D3hot no access is answered; D1 does not exist. */
	fe_config_write(fe, PCI_AT_PM + PCI_PM_CTRL, 2, 3);
	assert_int_equal(fe_read32(fe, 0, 0), 0xffffffff);
	fe_config_write(fe, PCI_AT_PM + PCI_PM_CTRL, 2, 1);
	assert_int_equal(fe_config_read(fe, PCI_AT_PM + PCI_PM_CTRL, 2) & 3, 3);
	fe_config_write(fe, PCI_AT_PM + PCI_PM_CTRL, 2, 0);
	assert_int_equal(fe_read32(fe, 0, 0), 6);
}

static void post_write(struct front_end *fe, uint64_t addr, uint32_t value)
{
	struct {
		struct virtio_pcidev_msg msg;
		uint32_t value;
	} out = { { .op = VIRTIO_PCIDEV_OP_MMIO_WRITE, .size = 4, .addr = addr }, value };

	assert_true(fe_post(fe, &out, sizeof(struct virtio_pcidev_msg) + 4, 0, NULL));
}

static void test_fifo_order(void **state)
{
	struct front_end *fe = &fixture.fe;
	struct virtio_pcidev_msg read = { .op = VIRTIO_PCIDEV_OP_MMIO_READ, .size = 4, .addr = 8 };
	uint16_t first, second, head;
	uint32_t value;

	enable(fe);
	/*
	 * All messages are in the ring before the device reads it: a read sees the writes before it
	 * and none after it.
	 */
	post_write(fe, 8, 1);
	fe_post(fe, &read, sizeof(read), 4, &first);
	post_write(fe, 8, 2);
	fe_post(fe, &read, sizeof(read), 4, &second);
	post_write(fe, 8, 3);
	fe_kick(fe, 0);
	fe_run(fe);
	memcpy(&value, fe_answer(fe, first), 4);
	assert_int_equal(value, 1);
	memcpy(&value, fe_answer(fe, second), 4);
	assert_int_equal(value, 2);
	for (int i = 0; i < 5; i++)
		assert_true(fe_reap(fe, &head, NULL));
	assert_false(fe_reap(fe, &head, NULL));
	assert_int_equal(fe_read32(fe, 0, 8), 3);
}

static void test_posted_writes(void **state)
{
	struct front_end *fe = &fixture.fe;
	const uint32_t *log;
	uint32_t count;

	enable(fe);
	fe_called(fe, 0);
	/* The guest reaps only when it is notified: more writes than ring entries. */
	for (uint32_t i = 0; i < 1000; i++) {
		post_write(fe, TEST_REG_LOG, i);
		fe_kick(fe, 0);
		fe_run(fe);
		if (fe_called(fe, 0))
			while (fe_reap(fe, NULL, NULL))
				;
	}
	log = test_engine_log(&count);
	assert_int_equal(count, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(log[i], i);
	assert_int_equal(fe->queue[0].used->idx, fe->queue[0].avail->idx);
	assert_false(fe_reap(fe, NULL, NULL));
}

static void test_no_call_for_reads(void **state)
{
	struct front_end *fe = &fixture.fe;

	enable(fe);
	fe_called(fe, 0);
	fe_read32(fe, 0, 0);
	assert_false(fe_called(fe, 0));
}

static void test_access_sizes(void **state)
{
	struct front_end *fe = &fixture.fe;
	struct {
		struct virtio_pcidev_msg msg;
		uint8_t data[32];
	} out = { { .op = VIRTIO_PCIDEV_OP_MMIO_WRITE, .size = 16, .addr = 0x20 }, { 0 } };
	uint16_t head;

	enable(fe);
	for (int i = 0; i < 32; i++)
		out.data[i] = (uint8_t)(0x10 + i);
	fe_post(fe, &out, sizeof(struct virtio_pcidev_msg) + 16, 0, NULL);
	/* A fill of two words. */
	out.msg.op = VIRTIO_PCIDEV_OP_MMIO_MEMSET;
	out.msg.size = 8;
	out.msg.addr = 0x40;
	out.data[0] = 0x5a;
	fe_post(fe, &out, sizeof(struct virtio_pcidev_msg) + 1, 0, NULL);
	/* Half a register: dropped. */
	out.msg.op = VIRTIO_PCIDEV_OP_MMIO_WRITE;
	out.msg.size = 2;
	fe_post(fe, &out, sizeof(struct virtio_pcidev_msg) + 2, 0, NULL);
	out.msg = (struct virtio_pcidev_msg){ .op = VIRTIO_PCIDEV_OP_MMIO_READ,
					      .size = 9,
					      .addr = 0x21 };
	fe_post(fe, &out, sizeof(struct virtio_pcidev_msg), 9, &head);
	fe_kick(fe, 0);
	fe_run(fe);
	for (int i = 0; i < 9; i++)
		assert_int_equal(fe_answer(fe, head)[i], 0x11 + i);
	while (fe_reap(fe, NULL, NULL))
		;
	assert_int_equal(fe_read32(fe, 0, 0x40), 0x5a5a5a5a);
	assert_int_equal(fe_read32(fe, 0, 0x44), 0x5a5a5a5a);
	assert_int_equal(fe_read32(fe, 0, 0x48), 0);
	assert_int_equal(vdev_stats(fixture.vdev)->bad_messages, 1);
}

static void test_dma_and_interrupt(void **state)
{
	struct front_end *fe = &fixture.fe;
	uint64_t *word = fe_at(fe, FE_FREE);
	struct fe_irq irq;

	enable_msix(fe);
	fe_called(fe, 1);
	word[0] = 0x1122334455667788;
	go(fe, FE_FREE, FE_FREE + 8, 3);
	assert_int_equal(word[1], 0x1122334455667789);
	assert_true(fe_called(fe, 1));
	assert_true(fe_take_irq(fe, &irq, true));
	assert_int_equal(irq.addr, MSI_ADDR);
	assert_int_equal(irq.data, 43);
	assert_false(fe_take_irq(fe, &irq, true));
	assert_int_equal(fe_read32(fe, 0, TEST_REG_ERRORS), 0);
}

static void test_dma_outside(void **state)
{
	const uint64_t bad[] = { 0,
				 FE_MEM_BASE - 8,
				 FE_MEM_BASE - 4,
				 FE_MEM_BASE + FE_MEM_SIZE - 4,
				 FE_MEM_BASE + FE_MEM_SIZE,
				 1ull << 40,
				 ~7ull };
	struct front_end *fe = &fixture.fe;
	char *text = NULL;
	size_t size = 0;
	FILE *file;

	enable_msix(fe);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		go(fe, bad[i], FE_FREE, 0);
		assert_int_equal(fe_read32(fe, 0, TEST_REG_ERRORS), 2 * i + 1);
		go(fe, FE_FREE, bad[i], 0);
		assert_int_equal(fe_read32(fe, 0, TEST_REG_ERRORS), 2 * i + 2);
	}
	assert_int_equal(vdev_stats(fixture.vdev)->dma_errors, 14);
	file = open_memstream(&text, &size);
	vdev_dump(fixture.vdev, file);
	fclose(file);
	assert_non_null(strstr(text, "dma error"));
	assert_non_null(strstr(text, "0xfffffffffffffff8"));
	free(text);
	/* The last bytes of the memory are still valid. */
	go(fe, FE_MEM_BASE + FE_MEM_SIZE - 8, FE_MEM_BASE + FE_MEM_SIZE - 8, 0);
	assert_int_equal(vdev_stats(fixture.vdev)->dma_errors, 14);
}

static void test_compare_and_swap(void **state)
{
	struct front_end *fe = &fixture.fe;
	uint64_t *word = fe_at(fe, FE_FREE);
	char *text = NULL;
	size_t size = 0;
	FILE *file;

	enable_msix(fe);
	for (unsigned int bytes = 2; bytes <= 8; bytes *= 2) {
		uint64_t mask = bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1;
		uint64_t old = 0x8182838485868788, above = old & ~mask;

		/*
		 * At an offset among other bytes: first with the expected value; then, since that
		 * has succeeded, without it.
		 */
		word[0] = old;
		word[2] = word[4] = 0x5555555555555555;
		word[3] = old;
		fe_write32(fe, 0, TEST_REG_SWAP, bytes);
		go(fe, FE_FREE, FE_FREE + 24, 3);
		assert_int_equal(word[3], ((old + 1) & mask) | above);
		assert_int_equal(word[1], old & mask);
		go(fe, FE_FREE, FE_FREE + 24, 3);
		assert_int_equal(word[3], ((old + 1) & mask) | above);
		assert_int_equal(word[1], (old + 1) & mask);
		assert_int_equal(word[2], 0x5555555555555555);
		assert_int_equal(word[4], 0x5555555555555555);
		assert_int_equal(fe_read32(fe, 0, TEST_REG_ERRORS), 0);
	}
	/* The guest has disabled AtomicOps: a bus error, and no other effect. */
	fe_config_write(fe, PCI_AT_EXP + PCI_EXP_DEVCTL2, 2, 0);
	go(fe, FE_FREE, FE_FREE + 24, 3);
	assert_int_equal(word[3], 0x8182838485868789);
	assert_int_not_equal(fe_read32(fe, 0, TEST_REG_ERRORS), 0);
	fe_config_write(fe, PCI_AT_EXP + PCI_EXP_DEVCTL2, 2, PCI_EXP_DEVCTL2_ATOMIC_REQ);
	file = open_memstream(&text, &size);
	vdev_dump(fixture.vdev, file);
	fclose(file);
	assert_non_null(strstr(text, "dma cas"));
	free(text);
	/* Outside of the memory, and across its end. */
	go(fe, FE_FREE, FE_MEM_BASE - 8, 0);
	go(fe, FE_FREE, FE_MEM_BASE + FE_MEM_SIZE, 0);
	/* Not aligned, and an invalid size. */
	go(fe, FE_FREE, FE_FREE + 28, 0);
	fe_write32(fe, 0, TEST_REG_SWAP, 1);
	go(fe, FE_FREE, FE_FREE + 24, 0);
	assert_int_equal(fe_read32(fe, 0, TEST_REG_ERRORS), 5);
	assert_int_equal(word[3], 0x8182838485868789);
	fe_write32(fe, 0, TEST_REG_SWAP, 0);
}

static void test_bus_master_off(void **state)
{
	struct front_end *fe = &fixture.fe;
	uint64_t *word = fe_at(fe, FE_FREE);
	struct fe_irq irq;

	enable_msix(fe);
	fe_config_write(fe, PCI_COMMAND, 2, PCI_COMMAND_MEMORY);
	word[0] = 1;
	word[1] = 77;
	go(fe, FE_FREE, FE_FREE + 8, 5);
	assert_int_equal(word[1], 77);
	assert_int_equal(fe_read32(fe, 0, TEST_REG_ERRORS), 1);
	assert_false(fe_take_irq(fe, &irq, true));
	assert_int_equal(fe_read32(fe, FAA_PCI_BAR_MSIX, FAA_PCI_MSIX_PBA), 1u << 5);
	enable(fe);
	assert_true(fe_take_irq(fe, &irq, true));
	assert_int_equal(irq.data, 45);
	assert_int_equal(fe_read32(fe, FAA_PCI_BAR_MSIX, FAA_PCI_MSIX_PBA), 0);
}

static void test_vector_mask(void **state)
{
	struct front_end *fe = &fixture.fe;
	struct fe_irq irq;

	enable_msix(fe);
	fe_write32(fe, FAA_PCI_BAR_MSIX, 16 * 7 + 12, 1);
	go(fe, FE_FREE, FE_FREE, 7);
	go(fe, FE_FREE, FE_FREE, 7);
	assert_false(fe_take_irq(fe, &irq, true));
	assert_int_equal(fe_read32(fe, FAA_PCI_BAR_MSIX, FAA_PCI_MSIX_PBA), 1u << 7);
	/* The pending bits are read-only. */
	fe_write32(fe, FAA_PCI_BAR_MSIX, FAA_PCI_MSIX_PBA, 0);
	fe_write32(fe, FAA_PCI_BAR_MSIX, FAA_PCI_MSIX_PBA, ~0u);
	assert_int_equal(fe_read32(fe, FAA_PCI_BAR_MSIX, FAA_PCI_MSIX_PBA), 1u << 7);
	/* Another vector is not delayed, and two requests became one message. */
	go(fe, FE_FREE, FE_FREE, 8);
	assert_true(fe_take_irq(fe, &irq, true));
	assert_int_equal(irq.data, 48);
	fe_write32(fe, FAA_PCI_BAR_MSIX, 16 * 7 + 12, 0);
	assert_true(fe_take_irq(fe, &irq, true));
	assert_int_equal(irq.data, 47);
	assert_false(fe_take_irq(fe, &irq, true));
}

static void test_function_mask(void **state)
{
	struct front_end *fe = &fixture.fe;
	struct fe_irq irq;

	enable_msix(fe);
	fe_config_write(fe, PCI_AT_MSIX + PCI_MSIX_FLAGS, 2,
			PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL);
	go(fe, FE_FREE, FE_FREE, 1);
	go(fe, FE_FREE, FE_FREE, 2);
	assert_false(fe_take_irq(fe, &irq, true));
	assert_int_equal(fe_read32(fe, FAA_PCI_BAR_MSIX, FAA_PCI_MSIX_PBA), 6);
	fe_config_write(fe, PCI_AT_MSIX + PCI_MSIX_FLAGS, 2, PCI_MSIX_FLAGS_ENABLE);
	assert_true(fe_take_irq(fe, &irq, true));
	assert_true(fe_take_irq(fe, &irq, true));
	assert_false(fe_take_irq(fe, &irq, true));
	/* With MSI-X disabled a request is dropped, also for later. */
	fe_config_write(fe, PCI_AT_MSIX + PCI_MSIX_FLAGS, 2, 0);
	go(fe, FE_FREE, FE_FREE, 1);
	fe_config_write(fe, PCI_AT_MSIX + PCI_MSIX_FLAGS, 2, PCI_MSIX_FLAGS_ENABLE);
	assert_false(fe_take_irq(fe, &irq, true));
}

static void test_irq_buffers_exhausted(void **state)
{
	struct front_end *fe = &fixture.fe;
	unsigned int seen[FAA_PCI_VECTORS] = { 0 };
	struct fe_irq irq;
	unsigned int taken = 0;

	enable_msix(fe);
	fe_write32(fe, 0, TEST_REG_VECTOR, 0);
	fe_write32(fe, 0, TEST_REG_IRQS, FAA_PCI_VECTORS);
	/* Ten buffers: six vectors wait in the pending bits. */
	assert_int_equal(vdev_stats(fixture.vdev)->irqs_sent, FE_IRQ_BUFFERS);
	assert_int_equal(__builtin_popcount(fe_read32(fe, FAA_PCI_BAR_MSIX, FAA_PCI_MSIX_PBA)), 6);
	for (;;) {
		fe_run(fe);
		if (!fe_take_irq(fe, &irq, true))
			break;
		assert_true(irq.data >= 40 && irq.data < 40 + FAA_PCI_VECTORS);
		seen[irq.data - 40]++;
		taken++;
	}
	assert_int_equal(taken, FAA_PCI_VECTORS);
	for (unsigned int v = 0; v < FAA_PCI_VECTORS; v++)
		assert_int_equal(seen[v], 1);
	assert_int_equal(fe_read32(fe, FAA_PCI_BAR_MSIX, FAA_PCI_MSIX_PBA), 0);
}

static void test_read_while_busy(void **state)
{
	struct front_end *fe = &fixture.fe;
	struct virtio_pcidev_msg read = { .op = VIRTIO_PCIDEV_OP_MMIO_READ,
					  .size = 4,
					  .addr = TEST_REG_BUSY };
	uint16_t head;

	enable(fe);
	post_write(fe, TEST_REG_BUSY, 0xffffffff);
	fe_kick(fe, 0);
	assert_true(vdev_run(fixture.vdev));
	/* The engine is busy; the device polls the ring without a kick, and answers in one turn. */
	assert_true(fe->queue[0].used->flags & VRING_USED_F_NO_NOTIFY);
	while (fe_reap(fe, NULL, NULL))
		;
	fe_post(fe, &read, sizeof(read), 4, &head);
	assert_true(vdev_run(fixture.vdev));
	assert_true(fe_reap(fe, NULL, NULL));
	post_write(fe, TEST_REG_BUSY, 0);
	while (vdev_run(fixture.vdev))
		;
	assert_false(fe->queue[0].used->flags & VRING_USED_F_NO_NOTIFY);
}

/* Work whose cycles become expensive must not make the guest wait: Linux gives up after 40 ms. */
static void test_answers_in_time(void **state)
{
	struct front_end *fe = &fixture.fe;

	enable(fe);
	post_write(fe, TEST_REG_SLOW, 20000);
	post_write(fe, TEST_REG_BUSY, 3000000);
	fe_kick(fe, 0);
	while (vdev_run(fixture.vdev)) {
		struct virtio_pcidev_msg read = { .op = VIRTIO_PCIDEV_OP_MMIO_READ,
						  .size = 4,
						  .addr = TEST_REG_BUSY };
		struct timespec start, now;

		while (fe_reap(fe, NULL, NULL))
			;
		assert_true(fe_post(fe, &read, sizeof(read), 4, NULL));
		/* Processor time, since the machine may be busy. */
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
		vdev_run(fixture.vdev);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		assert_true(fe_reap(fe, NULL, NULL));
		assert_true((now.tv_sec - start.tv_sec) * 1000 +
				    (now.tv_nsec - start.tv_nsec) / 1000000 <
			    20);
	}
}

static void test_function_level_reset(void **state)
{
	struct front_end *fe = &fixture.fe;
	unsigned int before = test_engine_creations();

	enable_msix(fe);
	fe_write32(fe, 0, 4, 123);
	fe_config_write(fe, PCI_AT_EXP + PCI_EXP_DEVCTL, 2, PCI_EXP_DEVCTL_BCR_FLR);
	assert_int_equal(test_engine_creations(), before + 1);
	assert_int_equal(fe_config_read(fe, PCI_COMMAND, 2), 0);
	assert_int_equal(fe_config_read(fe, PCI_AT_MSIX + PCI_MSIX_FLAGS, 2), 15);
	enable(fe);
	assert_int_equal(fe_read32(fe, 0, 4), 0);
	assert_int_equal(fe_read32(fe, FAA_PCI_BAR_MSIX, 12), 1);
}

static void test_bad_commands(void **state)
{
	struct front_end *fe = &fixture.fe;
	struct {
		struct virtio_pcidev_msg msg;
		uint8_t data[64];
	} out = { 0 };
	const struct {
		struct virtio_pcidev_msg msg;
		uint32_t out_len, in_len;
	} bad[] = {
		{ { .op = VIRTIO_PCIDEV_OP_MMIO_READ, .size = 4 }, 15, 4 },
		{ { .op = VIRTIO_PCIDEV_OP_MMIO_READ, .size = 4 }, 0, 0 },
		{ { .op = 0, .size = 4 }, 16, 4 },
		{ { .op = VIRTIO_PCIDEV_OP_MSI, .size = 4 }, 20, 0 },
		{ { .op = 200, .size = 4 }, 16, 4 },
		{ { .op = VIRTIO_PCIDEV_OP_CFG_READ, .size = 3 }, 16, 8 },
		{ { .op = VIRTIO_PCIDEV_OP_CFG_READ, .size = 4, .addr = 2 }, 16, 8 },
		{ { .op = VIRTIO_PCIDEV_OP_CFG_READ, .size = 8 }, 16, 4 },
		{ { .op = VIRTIO_PCIDEV_OP_CFG_WRITE, .size = 4, .addr = 4 }, 16, 0 },
		/* The messages of memset_io() on a BAR. */
		{ { .op = VIRTIO_PCIDEV_OP_CFG_WRITE, .size = 64, .addr = 4 }, 24, 0 },
		{ { .op = VIRTIO_PCIDEV_OP_CFG_WRITE, .size = 4, .addr = 4, .bar = 2 }, 24, 0 },
		{ { .op = VIRTIO_PCIDEV_OP_MMIO_WRITE, .size = 0 }, 20, 0 },
		{ { .op = VIRTIO_PCIDEV_OP_MMIO_WRITE, .size = 8 }, 20, 0 },
		{ { .op = VIRTIO_PCIDEV_OP_MMIO_WRITE, .size = 0xffffffff }, 20, 0 },
		{ { .op = VIRTIO_PCIDEV_OP_MMIO_MEMSET, .size = 4 }, 16, 0 },
		{ { .op = VIRTIO_PCIDEV_OP_MMIO_READ, .size = 0xffffffff }, 16, 4 },
		{ { .op = VIRTIO_PCIDEV_OP_MMIO_READ, .size = 0 }, 16, 4 },
	};
	const size_t count = sizeof(bad) / sizeof(bad[0]);
	uint32_t len;

	enable(fe);
	for (size_t i = 0; i < count; i++) {
		out.msg = bad[i].msg;
		fe_post(fe, &out, bad[i].out_len, bad[i].in_len, NULL);
		fe_kick(fe, 0);
		fe_run(fe);
		assert_true(fe_reap(fe, NULL, &len));
		assert_int_equal(len, 0);
		assert_int_equal(vdev_stats(fixture.vdev)->bad_messages, i + 1);
	}
	/* None of these messages had an effect, and the device continues to work. */
	assert_int_equal(fe_config_read(fe, PCI_COMMAND, 2),
			 PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
	fe_write32(fe, 0, 0, 9);
	assert_int_equal(fe_read32(fe, 0, 0), 9);
}

/* An invalid chain is returned unread; the next one works. */
static void test_bad_chains(void **state)
{
	struct front_end *fe = &fixture.fe;
	const struct vring_desc bad[] = {
		{ FE_FREE, 16, VRING_DESC_F_NEXT, 0 },	      /* points to itself (descriptor 0) */
		{ FE_FREE, 16, VRING_DESC_F_NEXT, FE_QUEUE }, /* beyond the table */
		{ FE_FREE, 16, VRING_DESC_F_INDIRECT, 0 },    /* not negotiated */
		{ 0x10, 16, 0, 0 },			      /* not in memory */
		{ FE_MEM_BASE + FE_MEM_SIZE - 8, 16, 0, 0 },  /* half in memory */
		{ ~0ull, 0xffffffff, 0, 0 },		      /* wraps */
	};

	enable(fe);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fe_queue *q = &fe->queue[0];

		q->desc[0] = bad[i];
		q->avail->ring[q->avail_idx % FE_QUEUE] = 0;
		q->avail->idx = ++q->avail_idx;
		fe_kick(fe, 0);
		fe_run(fe);
		assert_true(fe_called(fe, 0));
		assert_true(fe_reap(fe, NULL, NULL));
	}
	fe_write32(fe, 0, 0, 11);
	assert_int_equal(fe_read32(fe, 0, 0), 11);
}

static void test_bad_ring_index(void **state)
{
	struct front_end *fe = &fixture.fe;
	uint32_t zero[2] = { 0, 0 };

	/* More buffers than the ring holds: the queue is ignored until it is set up again. */
	fe->queue[0].avail->idx = (uint16_t)(fe->queue[0].avail_idx + 5000);
	fe_kick(fe, 0);
	fe_run(fe);
	assert_false(fe_reap(fe, NULL, NULL));
	memset(fe->queue[0].used, 0, sizeof(struct vring_used));
	fe->queue[0].avail->idx = fe->queue[0].avail_idx = fe->queue[0].seen_used = 0;
	assert_int_equal(fe_request(fe, 10, zero, sizeof(zero), NULL, 0), 0);
	assert_int_equal(fe_config_read(fe, PCI_VENDOR_ID, 2), FAA_PCI_VENDOR_ID);
}

static void test_bad_requests(void **state)
{
	struct front_end *fe = &fixture.fe;
	const uint32_t queue9[2] = { 9, 1 };
	const uint32_t size3[2] = { 0, 3 };
	const uint32_t size_huge[2] = { 0, 1u << 31 };
	const uint64_t features = ~0ull;
	const uint64_t index7 = 7;
	const struct {
		uint32_t count, padding;
		uint64_t guest, size, user, offset;
	} beyond = { 1, 0, 0, 1ull << 40, 0, 0 }, wrap = { 1, 0, ~0ull, 16, 0, 0 },
	  many = { 7, 0, 0, 0, 0, 0 };
	uint8_t big[4096] = { 0 };

	for (uint32_t request = 0; request < 60; request++) {
		/*
		 * GET requests always answer; the others reject unknown values and a missing
		 * payload.
		 */
		if (request == 1 || request == 11 || request == 15 || request == 17 ||
		    request == 24 || request == 3 || request == 4)
			continue;
		assert_int_equal(fe_request(fe, request, NULL, 0, NULL, 0), 1);
		if (request != 25)
			assert_int_equal(fe_request(fe, request, big, sizeof(big), NULL, 0), 1);
	}
	assert_int_equal(fe_request(fe, 8, queue9, 8, NULL, 0), 1);
	assert_int_equal(fe_request(fe, 8, size3, 8, NULL, 0), 1);
	assert_int_equal(fe_request(fe, 8, size_huge, 8, NULL, 0), 1);
	assert_int_equal(fe_request(fe, 18, queue9, 8, NULL, 0), 1);
	assert_int_equal(fe_request(fe, 18, size3, 8, NULL, 0), 1);
	assert_int_equal(fe_request(fe, 12, &index7, 8, &fe->memfd, 1), 1);
	assert_int_equal(fe_request(fe, 2, &features, 8, NULL, 0), 1);
	assert_int_equal(fe_request(fe, 16, &features, 8, NULL, 0), 1);
	assert_int_equal(fe_config_read(fe, PCI_VENDOR_ID, 2), FAA_PCI_VENDOR_ID);

	/* Memory that the file does not have, that overflows, or without files. */
	assert_int_equal(fe_request(fe, 5, &beyond, sizeof(beyond), &fe->memfd, 1), 1);
	assert_int_equal(fe_request(fe, 5, &wrap, sizeof(wrap), &fe->memfd, 1), 1);
	assert_int_equal(fe_request(fe, 5, &many, sizeof(many), &fe->memfd, 1), 1);
	/* The old memory is gone: the rings stop, the device does not. */
	fe_kick(fe, 0);
	fe_run(fe);
	assert_true(vdev_connected(fixture.vdev));
}

/* Any bytes: the connection may end, the device may not. */
static void test_garbage(void **state)
{
	uint32_t seed = 12345;

	for (int round = 0; round < 300; round++) {
		struct front_end *fe = &fixture.fe;
		uint8_t bytes[600];
		int count;

		fe_connect(fe, &VDEV_END(fixture.vdev));
		count = 1 + rand_r(&seed) % (int)sizeof(bytes);
		for (int i = 0; i < count; i++)
			bytes[i] = (uint8_t)rand_r(&seed);
		if (round & 1) {
			/* A correct header with a random payload. */
			uint32_t header[3] = { 1u + (uint32_t)rand_r(&seed) % 25, 1,
					       (uint32_t)count };

			fe_send(fe, header[0], header[1], bytes, header[2], &fe->memfd,
				(uint32_t)rand_r(&seed) % 2);
		} else {
			send(fe->sock, bytes, (size_t)count, MSG_NOSIGNAL);
		}
		fe_run(fe);
		fe_disconnect(fe);
		fe_run(fe);
		assert_false(vdev_connected(fixture.vdev));
	}
	fe_boot(&fixture.fe, &VDEV_END(fixture.vdev), FE_IRQ_BUFFERS);
	assert_int_equal(fe_config_read(&fixture.fe, PCI_VENDOR_ID, 2), FAA_PCI_VENDOR_ID);
	fe_disconnect(&fixture.fe);
}

static void test_partial_messages(void **state)
{
	struct front_end *fe = &fixture.fe;
	uint32_t message[3] = { 1, 1, 0 };
	uint64_t features;

	fe_connect(fe, &VDEV_END(fixture.vdev));
	/* Byte by byte, with runs of the device in between. */
	for (size_t i = 0; i < sizeof(message); i++) {
		assert_int_equal(send(fe->sock, (uint8_t *)message + i, 1, 0), 1);
		vdev_run(fixture.vdev);
	}
	assert_int_equal(fe_receive(fe, 1, &features, 8), 8);
	fe_disconnect(fe);
}

static void test_reconnect(void **state)
{
	struct front_end *fe = &fixture.fe;

	for (int i = 0; i < 3; i++) {
		fe_boot(fe, &VDEV_END(fixture.vdev), FE_IRQ_BUFFERS);
		enable(fe);
		/* Each guest finds a device that was just reset. */
		assert_int_equal(fe_read32(fe, 0, 0), 0);
		fe_write32(fe, 0, 0, 42);
		fe_write32(fe, 0, TEST_REG_BUSY, 1000);
		fe_disconnect(fe);
		fe_run(fe);
		assert_false(vdev_connected(fixture.vdev));
		assert_false(vdev_run(fixture.vdev));
	}
}

/* The size of the table, also after a reset of the function. */
static void four_vectors(void **state)
{
	struct front_end *fe = &((struct fixture *)*state)->fe;
	unsigned int flags = PCI_AT_MSIX + PCI_MSIX_FLAGS, round;

	for (round = 0; round < 2; round++) {
		assert_int_equal(fe_config_read(fe, flags, 2) & PCI_MSIX_FLAGS_QSIZE, 3);
		fe_config_write(fe, PCI_AT_EXP + PCI_EXP_DEVCTL, 2, PCI_EXP_DEVCTL_BCR_FLR);
	}
}

int main(void)
{
#define BOOTED(test) cmocka_unit_test_setup_teardown(test, boot, stop_all)
#define ALONE(test)  cmocka_unit_test_setup_teardown(test, start, stop)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(four_vectors, boot_with_four_vectors, stop_all),
		BOOTED(test_features),
		BOOTED(test_capabilities),
		BOOTED(test_bars),
		BOOTED(test_command_register),
		BOOTED(test_memory_enable),
		BOOTED(test_fifo_order),
		BOOTED(test_posted_writes),
		BOOTED(test_no_call_for_reads),
		BOOTED(test_access_sizes),
		BOOTED(test_dma_and_interrupt),
		BOOTED(test_dma_outside),
		BOOTED(test_compare_and_swap),
		BOOTED(test_bus_master_off),
		BOOTED(test_vector_mask),
		BOOTED(test_function_mask),
		BOOTED(test_irq_buffers_exhausted),
		BOOTED(test_read_while_busy),
		BOOTED(test_answers_in_time),
		BOOTED(test_function_level_reset),
		BOOTED(test_bad_commands),
		BOOTED(test_bad_chains),
		BOOTED(test_bad_ring_index),
		BOOTED(test_bad_requests),
		ALONE(test_garbage),
		ALONE(test_partial_messages),
		ALONE(test_reconnect),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
