// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A lost device waits for its dump on a workqueue that has to make progress when memory is short. A
 * flush of a work that allocates would make the kernel warn there.
 */

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/workqueue.h>

#include <kunit/test.h>

#include "faa_device.h"
#include "faa_dump.h"

/* One test at a time. */
static struct {
	struct faa_device *faa;
	struct work_struct unplug;
	struct completion begun, may_end;
	bool written, waited;
} dump;

static void write_dump(struct work_struct *work)
{
	complete(&dump.begun);
	wait_for_completion(&dump.may_end);
	WRITE_ONCE(dump.written, true);
}

static void unplug(struct work_struct *work)
{
	faa_dump_unplug(dump.faa);
	dump.waited = READ_ONCE(dump.written);
}

static void a_lost_device_waits_for_its_dump(struct kunit *test)
{
	struct workqueue_struct *wq = alloc_ordered_workqueue("faa-dump-test", WQ_MEM_RECLAIM);

	KUNIT_ASSERT_NOT_NULL(test, wq);
	dump.faa = kunit_kzalloc(test, sizeof(*dump.faa), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, dump.faa);
	dump.written = false;
	dump.waited = false;
	init_completion(&dump.begun);
	init_completion(&dump.may_end);
	INIT_WORK(&dump.faa->dump.work, write_dump);
	INIT_WORK(&dump.unplug, unplug);

	queue_work(system_unbound_wq, &dump.faa->dump.work);
	wait_for_completion(&dump.begun);
	queue_work(wq, &dump.unplug);
	msleep(20);
	complete(&dump.may_end);
	destroy_workqueue(wq);

	KUNIT_EXPECT_TRUE(test, dump.waited);
}

static struct kunit_case faa_dump_cases[] = {
	KUNIT_CASE(a_lost_device_waits_for_its_dump),
	{}
};

static struct kunit_suite faa_dump_suite = {
	.name = "faa_dump",
	.test_cases = faa_dump_cases,
};

kunit_test_suite(faa_dump_suite);
