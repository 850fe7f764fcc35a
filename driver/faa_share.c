// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Shares
 *
 * Two things of a device are limited: client queues, FAA_SHARE_QUEUES of them, which keep memory
 * of the kernel (charged to the cgroup of who creates them), and the numbers of address spaces with
 * queues, of which the device knows 256. Of those that are free
 *
 * - a half is reserved for files that have none,
 * - a quarter is reserved for users of whom no file has one.
 *
 * So one file has at most a half of all, however greedy it is, and another one of the same
 * user gets one; and a user with any number of files leaves a quarter to others, each of whom
 * gets one. The user is the one who opened the file, even if the file was passed on. A file has
 * DRM_FAA_MAX_QUEUES queues at most.
 *
 * Hardware queues, and with them time, are shared by turns (faa_turns.c).
 *
 * Jobs of a destroyed queue that wait for fences of others stay, with their queue, until those
 * signal. A user may have FAA_USER_MAX_ENDING of these, so that creating and destroying queues
 * again and again does not fill the memory.
 */

#include <linux/cred.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include <kunit/visibility.h>

#include "faa_device.h"
#include "faa_refuse.h"
#include "faa_share.h"
#include "faa_timeline.h"
#include "faa_vm.h"

#define FAA_SHARE_VMIDS		(FAA_VMID_MAX + 1)

/**
 * faa_share_allows() - may a file have one more?
 * @total: how many there are
 * @free: how many are free
 * @file_has: how many the file has
 * @user_has: how many all files of the user have
 *
 * Return: true if it may.
 */
bool faa_share_allows(unsigned int total, unsigned int free, unsigned int file_has,
		      unsigned int user_has)
{
	unsigned int reserved = 0;

	if (file_has)
		reserved = total / 2;
	else if (user_has)
		reserved = total / 4;

	return free > reserved;
}
EXPORT_SYMBOL_IF_KUNIT(faa_share_allows);

static struct faa_user *user_find(struct faa_device *faa, kuid_t uid)
{
	struct faa_user *user;

	list_for_each_entry(user, &faa->users.list, node) {
		if (uid_eq(user->uid, uid))
			return user;
	}

	return NULL;
}

/**
 * faa_user_open() - the calling user opens a file
 * @faa: the device
 *
 * Return: the user, with a reference, or NULL if there is no memory.
 */
struct faa_user *faa_user_open(struct faa_device *faa)
{
	struct faa_user *spare = kzalloc(sizeof(*spare), GFP_KERNEL_ACCOUNT);
	kuid_t uid = current_euid();
	struct faa_user *user;

	if (!spare)
		return NULL;

	mutex_lock(&faa->users.lock);
	user = user_find(faa, uid);
	if (!user) {
		user = spare;
		spare = NULL;
		user->faa = faa;
		user->uid = uid;
		list_add(&user->node, &faa->users.list);
	}
	user->refs++;
	mutex_unlock(&faa->users.lock);
	kfree(spare);

	return user;
}

/* Drop a reference. The lock is held. */
static void user_put(struct faa_user *user)
{
	if (--user->refs)
		return;
	list_del(&user->node);
	kfree(user);
}

/**
 * faa_user_close() - a file of a user is closed
 * @user: the user
 */
void faa_user_close(struct faa_user *user)
{
	struct faa_device *faa = user->faa;

	mutex_lock(&faa->users.lock);
	user_put(user);
	mutex_unlock(&faa->users.lock);
}

/**
 * faa_share_ending_allows() - may a user have one more queue, beside those that end?
 * @queues: queues of the user, destroyed ones included
 * @files_queues: those that its files have, with all that are being made, which @queues lacks
 *
 * Return: true if it may.
 */
bool faa_share_ending_allows(unsigned int queues, unsigned int files_queues)
{
	return queues + 1 < files_queues + FAA_USER_MAX_ENDING;
}
EXPORT_SYMBOL_IF_KUNIT(faa_share_ending_allows);

/* Count one more queue of a user. */
static int user_add_queue(struct faa_user *user)
{
	int ret = -ENOSPC;

	mutex_lock(&user->faa->users.lock);
	if (faa_share_ending_allows(user->queues, user->files_queues)) {
		user->queues++;
		user->refs++;
		ret = 0;
	}
	mutex_unlock(&user->faa->users.lock);

	return ret;
}

/**
 * faa_user_add_queue() - a user gets one more queue, which faa_share_add_queue() has counted
 * @user: the user
 *
 * Return: 0; -ENOSPC if too many destroyed ones have jobs that wait.
 */
int faa_user_add_queue(struct faa_user *user)
{
	int ret = user_add_queue(user);

	/* Some may be gone but for the memory. */
	if (ret) {
		faa_timeline_flush();
		ret = user_add_queue(user);
	}
	if (ret)
		return faa_refuse(&user->faa->drm, ret,
				  "QUEUE_CREATE: %u destroyed queues of the user have jobs that wait",
				  FAA_USER_MAX_ENDING);

	return 0;
}

/**
 * faa_user_remove_queue() - a queue of a user is freed
 * @user: the user
 */
void faa_user_remove_queue(struct faa_user *user)
{
	struct faa_device *faa = user->faa;

	mutex_lock(&faa->users.lock);
	user->queues--;
	user_put(user);
	mutex_unlock(&faa->users.lock);
}

/* Take one more of something. The lock is held. */
static int share_take(unsigned int total, unsigned int *used, unsigned int *file_has,
		      unsigned int *user_has)
{
	if (!faa_share_allows(total, total - *used, *file_has, *user_has))
		return -ENOSPC;
	++*used;
	++*file_has;
	++*user_has;

	return 0;
}

/**
 * faa_share_add_queue() - a file is going to have one more queue
 * @file: the file
 *
 * Return: 0; -ENOSPC if it has its share.
 */
int faa_share_add_queue(struct faa_file *file)
{
	struct faa_device *faa = file->faa;
	int ret = -ENOSPC;

	mutex_lock(&faa->users.lock);
	if (file->num_queues < DRM_FAA_MAX_QUEUES)
		ret = share_take(FAA_SHARE_QUEUES, &faa->users.queues, &file->num_queues,
				 &file->user->files_queues);
	mutex_unlock(&faa->users.lock);
	if (ret)
		return faa_refuse(&faa->drm, ret,
				  "QUEUE_CREATE: the file has its share of the queues, %u",
				  file->num_queues);

	return 0;
}

/**
 * faa_share_remove_queue() - a file has one queue less
 * @file: the file
 */
void faa_share_remove_queue(struct faa_file *file)
{
	struct faa_device *faa = file->faa;

	mutex_lock(&faa->users.lock);
	faa->users.queues--;
	file->num_queues--;
	file->user->files_queues--;
	mutex_unlock(&faa->users.lock);
}

/**
 * faa_share_add_vmid() - a VM of a file is going to have a number
 * @file: the file
 *
 * Return: 0; -ENOSPC if the file has its share.
 */
int faa_share_add_vmid(struct faa_file *file)
{
	struct faa_device *faa = file->faa;
	int ret;

	mutex_lock(&faa->users.lock);
	ret = share_take(FAA_SHARE_VMIDS, &faa->users.vmids, &file->vmids, &file->user->vmids);
	mutex_unlock(&faa->users.lock);
	if (ret)
		return faa_refuse(&faa->drm, ret,
				  "QUEUE_CREATE: VMs with queues, the file has its share, %u",
				  file->vmids);

	return 0;
}

/**
 * faa_share_remove_vmid() - a VM of a file gives its number back
 * @file: the file
 */
void faa_share_remove_vmid(struct faa_file *file)
{
	struct faa_device *faa = file->faa;

	mutex_lock(&faa->users.lock);
	faa->users.vmids--;
	file->vmids--;
	file->user->vmids--;
	mutex_unlock(&faa->users.lock);
}
