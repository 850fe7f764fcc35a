// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: debugfs
 *
 * ``queues`` shows the hardware queues and who has them, then the client queues that have none
 * (w: those that wait for one), ``gpuvas`` what is mapped in each VM, ``bos`` all buffer objects
 * with their names, ``atomic_ops`` which PCI atomic operations reach host memory. None touches
 * the device.
 */

#include <linux/capability.h>
#include <linux/seq_file.h>
#include <linux/string_choices.h>

#include <drm/drm_debugfs.h>

#include "faa_completion.h"
#include "faa_debugfs.h"
#include "faa_device.h"
#include "faa_fault.h"
#include "faa_gem.h"
#include "faa_queue.h"
#include "faa_vm.h"

/* The first group of a queue, which the device runs or runs next. */
static void faa_debugfs_show_group(struct seq_file *m, struct faa_queue *queue)
{
	struct faa_fence *fence, *first = faa_queue_head(queue);
	unsigned int slots = 0;

	if (!first)
		return;
	list_for_each_entry(fence, &queue->inflight, node) {
		if (!faa_queue_heads(queue, fence))
			break;
		slots++;
	}
	seq_printf(m, " busy with group %llu in slots %u..%u", faa_fence_group(first),
		   first->slot, first->slot + slots - 1);
}

static void faa_debugfs_show_queue(struct seq_file *m, struct faa_queue *queue)
{
	spin_lock(&queue->lock);
	seq_printf(m,
		   "queue %u vm %u priority %u shared %u submitted %llu ended %llu failed %llu resets %u state 0x%x",
		   queue->number, queue->vm->serial, queue->priority, queue->shared_bytes,
		   READ_ONCE(queue->submitted), queue->progress.ended,
		   queue->progress.failed, queue->progress.resets, queue->progress.state);
	if (queue->leaving)
		seq_puts(m, " leaving");
	faa_debugfs_show_group(m, queue);
	seq_putc(m, '\n');
	spin_unlock(&queue->lock);
}

static int faa_debugfs_show_queues(struct seq_file *m, void *data)
{
	struct drm_debugfs_entry *entry = m->private;
	struct faa_device *faa = to_faa_device(entry->dev);
	unsigned long number;
	struct faa_queue *queue;
	unsigned int i;

	/* Holds off the end of queues, and with it of their VMs. */
	mutex_lock(&faa->mux.lock);
	for (i = 0; i < faa->info.num_queues; i++) {
		seq_printf(m, "%2u: ", i);
		if (faa->hwqs[i].queue)
			faa_debugfs_show_queue(m, faa->hwqs[i].queue);
		else
			seq_puts(m, "free\n");
	}
	xa_for_each(&faa->queues, number, queue) {
		if (queue->hwq)
			continue;
		seq_puts(m, list_empty(&queue->turn.node) ? " -: " : " w: ");
		faa_debugfs_show_queue(m, queue);
	}
	mutex_unlock(&faa->mux.lock);

	return 0;
}

static int faa_debugfs_show_gpuvas(struct seq_file *m, void *data)
{
	struct drm_debugfs_entry *entry = m->private;
	struct faa_device *faa = to_faa_device(entry->dev);

	return faa_vm_show(faa, m);
}

/* Names are what programs call their memory, so not for each other. */
static int faa_debugfs_show_bos(struct seq_file *m, void *data)
{
	struct drm_debugfs_entry *entry = m->private;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	faa_gem_show(to_faa_device(entry->dev), m);

	return 0;
}

static int faa_debugfs_show_atomic_ops(struct seq_file *m, void *data)
{
	struct drm_debugfs_entry *entry = m->private;
	u32 ops = to_faa_device(entry->dev)->atomic_ops;

	seq_printf(m, "32 bit: %s\n64 bit: %s\n128 bit: %s\n",
		   str_yes_no(ops & PCI_EXP_DEVCAP2_ATOMIC_COMP32),
		   str_yes_no(ops & PCI_EXP_DEVCAP2_ATOMIC_COMP64),
		   str_yes_no(ops & PCI_EXP_DEVCAP2_ATOMIC_COMP128));

	return 0;
}

static const struct drm_debugfs_info faa_debugfs_files[] = {
	{ "atomic_ops", faa_debugfs_show_atomic_ops },
	{ "bos", faa_debugfs_show_bos },
	{ "queues", faa_debugfs_show_queues },
	{ "gpuvas", faa_debugfs_show_gpuvas },
};

/**
 * faa_debugfs_init() - drm_driver.debugfs_init
 * @minor: node of the device
 */
void faa_debugfs_init(struct drm_minor *minor)
{
	drm_debugfs_add_files(minor->dev, faa_debugfs_files, ARRAY_SIZE(faa_debugfs_files));
	faa_fault_debugfs_init(minor->dev->debugfs_root);
}
