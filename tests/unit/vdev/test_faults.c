// SPDX-License-Identifier: MIT
/* Faults of the virtual device: their text, their counts, and what a front end sees of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <linux/pci_regs.h>
#include <string.h>

#include "faa_pci.h"
#include "faa_regs.h"
#include "faults.h"
#include "pci.h"
#include "test_engine.h"
#include "vdev_end.h"
#include "../run_tests.h"

#define MSI_ADDR 0xa0000u

static void test_text(void **state)
{
	static const char *const bad[] = { "",
					   "rust",
					   "ignore",
					   "ignore-kill:",
					   "ignore-kill:0",
					   "ignore-kill:-1",
					   "ignore-kill:4294967296",
					   "ignore-kill@",
					   "ignore-kill@1:2",
					   "ignore-kill:1@2x" };
	struct faults faults = { 0 };
	char message[256];

	for (unsigned int i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(faults_parse(&faults, bad[i], message, sizeof(message)), -EINVAL);
	assert_false(faults.any);
	assert_int_equal(faults_parse(&faults, "lose-irq:2@3", message, sizeof(message)), 0);
	assert_int_equal(faults_parse(&faults, "ignore-flr", message, sizeof(message)), 0);
	assert_true(faults.any);
	assert_int_equal(faults_parse(&faults, "lose-irq", message, sizeof(message)), -EINVAL);
	assert_non_null(strstr(message, "'lose-irq' was given before"));
	/* Three pass, two are hit, the others pass. */
	for (unsigned int i = 0; i < 10; i++)
		assert_int_equal(faults_hit(&faults, FAULT_LOSE_IRQ), i == 3 || i == 4);
	for (unsigned int i = 0; i < 10; i++)
		assert_true(faults_hit(&faults, FAULT_IGNORE_FLR));
	assert_false(faults_hit(&faults, FAULT_IGNORE_KILL));
}

/* Write a register; whether the engine gets exactly @want. */
static bool passes(struct faults *faults, uint32_t offset, uint32_t value, uint32_t want)
{
	return faults_register_write(faults, offset, &value) && value == want;
}

static void test_registers(void **state)
{
	static const char *const all[] = { "ignore-kill:1", "ignore-reset:1", "stick-tlb:1",
					   "stop-axi:1@1", "read-ones:1@2" };
	const uint32_t kill = FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK;
	struct faults faults = { 0 };
	char message[256];

	for (unsigned int i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_int_equal(faults_parse(&faults, all[i], message, sizeof(message)), 0);
	/* Nothing but a kill counts as one, and the rest of the write arrives. */
	assert_true(passes(&faults, FAA_REG_QUEUE_CONTROL(3), FAA_REG_QUEUE_CONTROL_ENABLE_MASK,
			   FAA_REG_QUEUE_CONTROL_ENABLE_MASK));
	assert_true(passes(&faults, FAA_REG_QUEUE_CONTROL(15), kill,
			   FAA_REG_QUEUE_CONTROL_ENABLE_MASK));
	assert_true(passes(&faults, FAA_REG_QUEUE_CONTROL(15), kill, kill));
	assert_false(passes(&faults, FAA_REG_CU_CONTROL(1), FAA_REG_CU_CONTROL_RESET_MASK, 0));
	assert_true(passes(&faults, FAA_REG_CU_CONTROL(1), FAA_REG_CU_CONTROL_RESET_MASK,
			   FAA_REG_CU_CONTROL_RESET_MASK));
	assert_false(passes(&faults, FAA_REG_TLB_INV_REQUEST, 7, 7));
	assert_true(passes(&faults, FAA_REG_TLB_INV_REQUEST, 8, 8));
	/* Doorbells arrive, whatever they lead to. */
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(faults.axi_stopped, i > 1);
		assert_false(faults.read_ones);
		assert_true(passes(&faults, FAA_REG_QUEUE_TAIL(i), i, i));
	}
	assert_true(faults.read_ones);
	faults_reset(&faults);
	assert_false(faults.axi_stopped);
	assert_false(faults.read_ones);
	/* Both have shown as often as they were to. */
	assert_true(passes(&faults, FAA_REG_QUEUE_TAIL(0), 9, 9));
	assert_false(faults.axi_stopped);
	assert_false(faults.read_ones);
}

/* A guest whose device has the faults that are named. */
static struct vdev *start(struct front_end *fe, const char *const *names, unsigned int count)
{
	struct vdev_config config = {
		.engine = &faa_engine_test,
		.mem = { .latency = 1, .outstanding = 1 },
		.recorder_events = 64,
	};
	struct vdev *vdev;
	char message[256];

	for (unsigned int i = 0; i < count; i++)
		assert_int_equal(faults_parse(&config.faults, names[i], message, sizeof(message)),
				 0);
	vdev = vdev_create(&config);
	assert_non_null(vdev);
	fe_boot(fe, &VDEV_END(vdev), FE_IRQ_BUFFERS);
	fe_config_write(fe, PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
	return vdev;
}

static void flr(struct front_end *fe)
{
	fe_config_write(fe, PCI_AT_EXP + PCI_EXP_DEVCTL, 2, PCI_EXP_DEVCTL_BCR_FLR);
	fe_config_write(fe, PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
}

/* All-ones until the function is reset, but not in configuration space. */
static void test_all_ones(void **state)
{
	static const char *const names[] = { "read-ones:1@1", "ignore-flr:1" };
	struct front_end fe;
	struct vdev *vdev = start(&fe, names, 2);
	const unsigned int before = test_engine_creations();

	fe_write32(&fe, 0, 4, 123);
	fe_write32(&fe, 0, FAA_REG_QUEUE_TAIL(0), 1);
	assert_int_equal(fe_read32(&fe, 0, 4), 123);
	fe_write32(&fe, 0, FAA_REG_QUEUE_TAIL(0), 2);
	assert_int_equal(fe_read32(&fe, 0, 4), UINT32_MAX);
	assert_int_equal(fe_config_read(&fe, PCI_VENDOR_ID, 2), FAA_PCI_VENDOR_ID);
	flr(&fe);
	assert_int_equal(test_engine_creations(), before);
	assert_int_equal(fe_read32(&fe, 0, 4), UINT32_MAX);
	flr(&fe);
	assert_int_equal(test_engine_creations(), before + 1);
	assert_int_equal(fe_read32(&fe, 0, 4), 0);
	fe_write32(&fe, 0, FAA_REG_QUEUE_TAIL(0), 1);
	assert_int_equal(fe_read32(&fe, 0, 4), 0);
	fe_disconnect(&fe);
	vdev_destroy(vdev);
}

/* After D3hot the function is as after power-on. */
static void test_lost_power(void **state)
{
	static const char *const names[] = { "lose-power:1@1" };
	struct front_end fe;
	struct vdev *vdev = start(&fe, names, 1);
	const unsigned int before = test_engine_creations();

	for (unsigned int i = 0; i < 3; i++) {
		fe_config_write(&fe, PCI_COMMAND, 2, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
		fe_write32(&fe, 0, 4, 123);
		fe_config_write(&fe, PCI_AT_PM + PCI_PM_CTRL, 2, 3);
		fe_config_write(&fe, PCI_AT_PM + PCI_PM_CTRL, 2, 3);
		assert_int_equal(fe_read32(&fe, 0, 4), UINT32_MAX);
		fe_config_write(&fe, PCI_AT_PM + PCI_PM_CTRL, 2, 0);
		assert_int_equal(test_engine_creations(), before + (i >= 1));
		assert_int_equal(fe_config_read(&fe, PCI_COMMAND, 2),
				 i == 1 ? 0 : PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);
	}
	assert_int_equal(fe_read32(&fe, 0, 4), 123);
	fe_disconnect(&fe);
	vdev_destroy(vdev);
}

static void test_lost_interrupts(void **state)
{
	static const char *const names[] = { "lose-irq:2@1" };
	struct front_end fe;
	struct vdev *vdev = start(&fe, names, 1);

	for (uint32_t v = 0; v < 5; v++) {
		fe_write32(&fe, FAA_PCI_BAR_MSIX, 16 * v, MSI_ADDR);
		fe_write32(&fe, FAA_PCI_BAR_MSIX, 16 * v + 8, 40 + v);
		fe_write32(&fe, FAA_PCI_BAR_MSIX, 16 * v + 12, 0);
	}
	fe_config_write(&fe, PCI_AT_MSIX + PCI_MSIX_FLAGS, 2, PCI_MSIX_FLAGS_ENABLE);
	fe_write32(&fe, 0, TEST_REG_VECTOR, 0);
	fe_write32(&fe, 0, TEST_REG_IRQS, 5);
	fe_run(&fe);
	/* Two of five do not reach the function. */
	assert_int_equal(vdev_stats(vdev)->irqs_requested, 3);
	assert_int_equal(vdev_stats(vdev)->irqs_sent, 3);
	fe_disconnect(&fe);
	vdev_destroy(vdev);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_all_ones),
		cmocka_unit_test(test_lost_power),
		cmocka_unit_test(test_lost_interrupts),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
