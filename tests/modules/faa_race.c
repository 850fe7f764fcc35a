// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: A data race
 *
 * Two threads increment a variable without a lock until the module has been loaded, a second long.
 * A kernel with KCSAN and several CPUs has to report it; the tests of faa-run --cpus rely on it.
 */

#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>

static unsigned int race_count;

static int race_thread(void *data)
{
	while (!kthread_should_stop()) {
		race_count++;
		cond_resched();
	}

	return 0;
}

static int __init race_init(void)
{
	struct task_struct *threads[2];
	unsigned int started = 0;

	for (; started < ARRAY_SIZE(threads); started++) {
		threads[started] = kthread_run(race_thread, NULL, "faa_race/%u", started);
		if (IS_ERR(threads[started]))
			break;
	}
	msleep(1000);
	while (started--)
		kthread_stop(threads[started]);

	return 0;
}

static void __exit race_exit(void)
{
}

module_init(race_init);
module_exit(race_exit);

MODULE_DESCRIPTION("A data race, for tests of the test machine");
MODULE_LICENSE("Dual MIT/GPL");
