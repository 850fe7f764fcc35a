// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Streams of counters
 *
 * A stream is a file of its own, from which a program reads records of the counters of all compute
 * units. A timer counts ticks and queues a work, because the registers are read in process context:
 * that takes microseconds for each. Ticks that come during a sample are not made up for; the next
 * record has their number.
 *
 * Records are in a ring that is allocated when the stream is opened. The work drops samples when
 * the ring is full, so a reader owns the records in it: it copies them to user space without a
 * lock that the work takes, and a page fault of the reader delays no sample and no unplug.
 *
 * A sample is no user of the registers that anything waits for: the work begins a section only if
 * it need not wait (faa_recover_try_enter()), so it wakes no device, and it holds no reference that
 * would keep the device awake. Without a section the record has no values.
 *
 * A stream holds the device's struct, and its file the module. The unplug path stops the timers
 * and works of all streams and wakes up their readers, who get the records that are left.
 */

#include <linux/anon_inodes.h>
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>

#include "faa_counters.h"
#include "faa_device.h"
#include "faa_pm.h"
#include "faa_refuse.h"

/**
 * struct faa_counters_stream - an open stream
 */
struct faa_counters_stream {
	/** @node: entry of &faa_device.counters.streams. */
	struct list_head node;
	/** @faa: the device, held. */
	struct faa_device *faa;
	/** @file: who opened it, NULL when that is closed; protected by the lock of the list. */
	const struct faa_file *file;

	/** @period: time from sample to sample. */
	ktime_t period;
	/** @timer: ticks. */
	struct hrtimer timer;
	/** @ticks: those that no sample was taken for yet. */
	atomic_t ticks;
	/** @work: takes a sample. */
	struct work_struct work;
	/** @dropped: samples since the last record that had no room; @work alone uses it. */
	u64 dropped;
	/** @late: ticks since then without a sample; as @dropped. */
	u64 late;
	/** @total: cycles in the last record with values; as @dropped. */
	u64 total;
	/** @before: the part of them before the last reset; as @dropped. */
	u64 before;

	/** @record_bytes: size of a record. */
	u32 record_bytes;
	/** @records: records for which @ring has room. */
	u32 records;
	/** @ring: records. */
	void *ring;
	/** @lock: protects @first, @count and @gone. */
	spinlock_t lock;
	/** @first: place of the oldest unread record. */
	u32 first;
	/** @count: unread records. */
	u32 count;
	/** @gone: the device is gone, no record is added. */
	bool gone;
	/** @read_lock: one reader at a time removes records. */
	struct mutex read_lock;
	/** @wait: woken when there is a record, or the device is gone. */
	wait_queue_head_t wait;
};

/**
 * faa_counters_take() - read the counters of all compute units
 * @faa: the device; inside drm_dev_enter() and a section of faa_recover_enter()
 * @cus: out: an element for each unit
 */
void faa_counters_take(struct faa_device *faa, struct drm_faa_cu_counters *cus)
{
	u32 cu, i;

	for (cu = 0; cu < faa->info.num_cus; cu++) {
		cus[cu].device_cycles = faa_hw_cycles(faa);
		for (i = 0; i < DRM_FAA_COUNTERS; i++)
			cus[cu].values[i] = faa_hw_counter(faa, cu, i);
	}
}

static struct drm_faa_counters_record *faa_counters_at(struct faa_counters_stream *stream,
						       u32 place)
{
	return stream->ring + (size_t)place * stream->record_bytes;
}

static struct drm_faa_cu_counters *faa_counters_cus(struct drm_faa_counters_record *record)
{
	return (void *)record + record->cus_offset;
}

/* Read the registers for a record; false if that is not possible now. */
static bool faa_counters_read_values(struct faa_device *faa, struct drm_faa_cu_counters *cus,
				     u64 *before)
{
	int cookie;

	if (!drm_dev_enter(&faa->drm, &cookie))
		return false;
	if (!faa_recover_try_enter(faa)) {
		drm_dev_exit(cookie);
		return false;
	}
	faa_counters_take(faa, cus);
	*before = faa_usage_cycles_before(faa);
	faa_recover_exit(faa);
	drm_dev_exit(cookie);

	/* Registers that cannot be read show all-ones. */
	return cus->device_cycles != ~0ULL;
}

/* Fill in a record that no reader sees yet. */
static void faa_counters_sample(struct faa_counters_stream *stream,
				struct drm_faa_counters_record *record)
{
	struct faa_device *faa = stream->faa;
	struct drm_faa_cu_counters *cus;
	u64 before;

	*record = (struct drm_faa_counters_record){
		.size = stream->record_bytes,
		.cus_offset = sizeof(*record),
		.cu_stride = sizeof(*cus),
		.num_cus = faa->info.num_cus,
		.time_ns = ktime_get_ns(),
		.dropped = stream->dropped,
		.late = stream->late,
	};
	cus = faa_counters_cus(record);
	if (!faa_counters_read_values(faa, cus, &before)) {
		memset(cus, 0, stream->record_bytes - sizeof(*record));
		record->flags = DRM_FAA_COUNTERS_NO_VALUES;
		if (faa_pm_is_asleep(faa))
			record->flags |= DRM_FAA_COUNTERS_ASLEEP;
		return;
	}
	if (before != stream->before)
		record->flags = DRM_FAA_COUNTERS_RESTARTED;
	stream->before = before;
	/* How long the device ran until it was reset is an estimate. */
	stream->total = max(stream->total, before + cus->device_cycles);
	record->total_cycles = stream->total;
}

static void faa_counters_work(struct work_struct *work)
{
	struct faa_counters_stream *stream =
		container_of(work, struct faa_counters_stream, work);
	unsigned int ticks = atomic_xchg(&stream->ticks, 0);
	bool full;
	u32 place;

	/* The last sample was the one for the tick that queued this. */
	if (!ticks)
		return;
	stream->late += ticks - 1;

	spin_lock(&stream->lock);
	full = stream->count == stream->records;
	place = (stream->first + stream->count) % stream->records;
	spin_unlock(&stream->lock);
	if (full) {
		stream->dropped++;
		return;
	}
	faa_counters_sample(stream, faa_counters_at(stream, place));
	stream->dropped = 0;
	stream->late = 0;

	spin_lock(&stream->lock);
	stream->count++;
	spin_unlock(&stream->lock);
	wake_up_all(&stream->wait);
}

/* In hard interrupt context. */
static enum hrtimer_restart faa_counters_tick(struct hrtimer *timer)
{
	struct faa_counters_stream *stream =
		container_of(timer, struct faa_counters_stream, timer);

	atomic_add(hrtimer_forward_now(timer, stream->period), &stream->ticks);
	queue_work(system_unbound_wq, &stream->work);

	return HRTIMER_RESTART;
}

/* Are there records, or will there never be any more? */
static bool faa_counters_readable(struct faa_counters_stream *stream)
{
	bool readable;

	spin_lock(&stream->lock);
	readable = stream->count || stream->gone;
	spin_unlock(&stream->lock);

	return readable;
}

/* The oldest record; an error if there is none. The lock of readers is held. */
static struct drm_faa_counters_record *faa_counters_oldest(struct faa_counters_stream *stream)
{
	struct drm_faa_counters_record *record;

	spin_lock(&stream->lock);
	if (stream->count)
		record = faa_counters_at(stream, stream->first);
	else
		record = ERR_PTR(stream->gone ? -ENODEV : -EAGAIN);
	spin_unlock(&stream->lock);

	return record;
}

/* Copy as many records as fit, at least one; the lock of readers is held. */
static ssize_t faa_counters_copy(struct faa_counters_stream *stream, char __user *buffer,
				 size_t size)
{
	struct drm_faa_counters_record *record;
	ssize_t done = 0;

	while (size - done >= stream->record_bytes) {
		record = faa_counters_oldest(stream);
		if (IS_ERR(record))
			return done ?: PTR_ERR(record);
		if (copy_to_user(buffer + done, record, stream->record_bytes))
			return done ?: -EFAULT;
		done += stream->record_bytes;

		spin_lock(&stream->lock);
		stream->first = (stream->first + 1) % stream->records;
		stream->count--;
		spin_unlock(&stream->lock);
	}

	return done;
}

static ssize_t faa_counters_read(struct file *file, char __user *buffer, size_t size,
				 loff_t *offset)
{
	struct faa_counters_stream *stream = file->private_data;
	const bool wait = !(file->f_flags & O_NONBLOCK);
	ssize_t ret;

	if (size < stream->record_bytes)
		return faa_refuse(&stream->faa->drm, -ENOSPC,
				  "COUNTERS: read of %zu bytes, a record has %u", size,
				  stream->record_bytes);

	do {
		if (wait && wait_event_interruptible(stream->wait, faa_counters_readable(stream)))
			return -ERESTARTSYS;
		if (mutex_lock_interruptible(&stream->read_lock))
			return -ERESTARTSYS;
		ret = faa_counters_copy(stream, buffer, size);
		mutex_unlock(&stream->read_lock);
		/* Another reader may have been first. */
	} while (wait && ret == -EAGAIN);

	return ret;
}

static __poll_t faa_counters_poll(struct file *file, poll_table *table)
{
	struct faa_counters_stream *stream = file->private_data;
	__poll_t events = 0;

	poll_wait(file, &stream->wait, table);
	spin_lock(&stream->lock);
	if (stream->count)
		events |= EPOLLIN | EPOLLRDNORM;
	if (stream->gone)
		events |= EPOLLHUP | EPOLLERR;
	spin_unlock(&stream->lock);

	return events;
}

/* The caller holds the lock of the list, or has taken the stream off it. */
static void faa_counters_stop(struct faa_counters_stream *stream)
{
	/* First: it queues the work. */
	hrtimer_cancel(&stream->timer);
	cancel_work_sync(&stream->work);
}

static void faa_counters_free(struct faa_counters_stream *stream)
{
	drm_dev_put(&stream->faa->drm);
	mutex_destroy(&stream->read_lock);
	kvfree(stream->ring);
	kfree(stream);
}

static void faa_counters_end(struct faa_counters_stream *stream)
{
	struct faa_device *faa = stream->faa;

	mutex_lock(&faa->counters.lock);
	list_del(&stream->node);
	mutex_unlock(&faa->counters.lock);
	faa_counters_stop(stream);
	faa_counters_free(stream);
}

static int faa_counters_release(struct inode *inode, struct file *file)
{
	faa_counters_end(file->private_data);

	return 0;
}

static const struct file_operations faa_counters_fops = {
	.owner = THIS_MODULE,
	.release = faa_counters_release,
	.read = faa_counters_read,
	.poll = faa_counters_poll,
};

static struct faa_counters_stream *
faa_counters_alloc(struct faa_file *file, const struct drm_faa_counters_open *args)
{
	struct faa_counters_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL_ACCOUNT);
	struct faa_device *faa = file->faa;

	if (!stream)
		return NULL;

	stream->record_bytes = sizeof(struct drm_faa_counters_record) +
			       faa->info.num_cus * sizeof(struct drm_faa_cu_counters);
	stream->records = args->records;
	stream->ring = kvcalloc(stream->records, stream->record_bytes, GFP_KERNEL_ACCOUNT);
	if (!stream->ring) {
		kfree(stream);
		return NULL;
	}
	stream->file = file;
	stream->faa = faa;
	drm_dev_get(&faa->drm);
	stream->period = ns_to_ktime(args->period_ns);
	stream->before = faa_usage_cycles_before(faa);
	spin_lock_init(&stream->lock);
	mutex_init(&stream->read_lock);
	init_waitqueue_head(&stream->wait);
	INIT_WORK(&stream->work, faa_counters_work);
	hrtimer_init(&stream->timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	stream->timer.function = faa_counters_tick;

	return stream;
}

/* May a file have one more stream? The lock of the list is held. */
static int faa_counters_allowed(struct faa_file *file)
{
	struct faa_device *faa = file->faa;
	struct faa_counters_stream *other;
	unsigned int total = 0, mine = 0;

	list_for_each_entry(other, &faa->counters.streams, node) {
		total++;
		mine += other->file == file;
	}
	if (mine >= DRM_FAA_MAX_COUNTERS_STREAMS)
		return faa_refuse(&faa->drm, -ENOSPC, "COUNTERS_OPEN: the file has %u streams",
				  mine);
	if (total >= DRM_FAA_MAX_DEVICE_COUNTERS_STREAMS)
		return faa_refuse(&faa->drm, -ENOSPC, "COUNTERS_OPEN: the device has %u streams",
				  total);

	return 0;
}

/* Begin to sample, within the limits. */
static int faa_counters_begin(struct faa_file *file, struct faa_counters_stream *stream)
{
	struct faa_device *faa = file->faa;
	int ret;

	mutex_lock(&faa->counters.lock);
	ret = faa->counters.closed ? -ENODEV : faa_counters_allowed(file);
	if (!ret) {
		list_add_tail(&stream->node, &faa->counters.streams);
		/* Before the unplug path, which waits for the lock, can stop both. */
		atomic_set(&stream->ticks, 1);
		queue_work(system_unbound_wq, &stream->work);
		hrtimer_start(&stream->timer, stream->period, HRTIMER_MODE_REL);
	}
	mutex_unlock(&faa->counters.lock);

	return ret;
}

/**
 * faa_counters_open() - COUNTERS_OPEN
 * @file: the caller's file
 * @args: arguments, flags checked; out fields are filled
 *
 * Return: 0 or an error of COUNTERS_OPEN.
 */
int faa_counters_open(struct faa_file *file, struct drm_faa_counters_open *args)
{
	struct drm_device *drm = &file->faa->drm;
	struct faa_counters_stream *stream;
	struct file *opened;
	int fd, ret;

	if (!perfmon_capable())
		return faa_refuse(drm, -EACCES, "COUNTERS_OPEN: needs CAP_PERFMON");
	if (args->period_ns < DRM_FAA_MIN_COUNTERS_PERIOD ||
	    args->period_ns > DRM_FAA_MAX_COUNTERS_PERIOD)
		return faa_refuse(drm, -EINVAL,
				  "COUNTERS_OPEN: period_ns %llu, allowed is %llu to %llu",
				  args->period_ns, DRM_FAA_MIN_COUNTERS_PERIOD,
				  DRM_FAA_MAX_COUNTERS_PERIOD);
	if (!args->records || args->records > DRM_FAA_MAX_COUNTERS_RECORDS)
		return faa_refuse(drm, -EINVAL, "COUNTERS_OPEN: records %u, allowed is 1 to %u",
				  args->records, DRM_FAA_MAX_COUNTERS_RECORDS);

	stream = faa_counters_alloc(file, args);
	if (!stream)
		return -ENOMEM;
	ret = faa_counters_begin(file, stream);
	if (ret) {
		faa_counters_free(stream);
		return ret;
	}

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0) {
		faa_counters_end(stream);
		return fd;
	}
	opened = anon_inode_getfile("[faa_counters]", &faa_counters_fops, stream, O_RDONLY);
	if (IS_ERR(opened)) {
		put_unused_fd(fd);
		faa_counters_end(stream);
		return PTR_ERR(opened);
	}
	args->fd = fd;
	args->record_bytes = stream->record_bytes;
	fd_install(fd, opened);

	return 0;
}

/**
 * faa_counters_close_file() - a file of the device is closed
 * @file: the file; its streams continue
 */
void faa_counters_close_file(struct faa_file *file)
{
	struct faa_device *faa = file->faa;
	struct faa_counters_stream *stream;

	mutex_lock(&faa->counters.lock);
	list_for_each_entry(stream, &faa->counters.streams, node) {
		if (stream->file == file)
			stream->file = NULL;
	}
	mutex_unlock(&faa->counters.lock);
}

/**
 * faa_counters_init() - get ready for streams
 * @faa: the device
 *
 * Return: 0 or -ENOMEM.
 */
int faa_counters_init(struct faa_device *faa)
{
	INIT_LIST_HEAD(&faa->counters.streams);

	return drmm_mutex_init(&faa->drm, &faa->counters.lock);
}

/**
 * faa_counters_unplug() - end the streams of a device
 * @faa: the device, unplugged
 */
void faa_counters_unplug(struct faa_device *faa)
{
	struct faa_counters_stream *stream;

	mutex_lock(&faa->counters.lock);
	faa->counters.closed = true;
	list_for_each_entry(stream, &faa->counters.streams, node) {
		faa_counters_stop(stream);
		spin_lock(&stream->lock);
		stream->gone = true;
		spin_unlock(&stream->lock);
		wake_up_all(&stream->wait);
	}
	mutex_unlock(&faa->counters.lock);
}
