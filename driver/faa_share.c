// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Shares
 *
 * Hardware queues are what the device has few of and cannot take back from a client. Of
 * those that are free
 *
 * - a half is reserved for files that have none,
 * - a quarter is reserved for users of whom no file has one.
 *
 * So one file has at most a half of all, however greedy it is, and another one of the same
 * user gets one; and a user with any number of files leaves a quarter to others, each of whom
 * gets one. The user is the one who opened the file, whoever holds it now.
 *
 * Jobs of a destroyed queue that wait for fences of others stay, with their queue, until those
 * signal. A user may have FAA_USER_MAX_QUEUES queues in all, those included, so that creating
 * and destroying queues again and again does not fill the memory.
 */

#include <linux/cred.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include <kunit/visibility.h>

#include "faa_device.h"
#include "faa_refuse.h"
#include "faa_share.h"

#define FAA_USER_MAX_QUEUES	64

/**
 * faa_share_max() - how many may one file have?
 * @total: how many there are
 *
 * Return: the number, 1 at least.
 */
unsigned int faa_share_max(unsigned int total)
{
	return total - total / 2;
}
EXPORT_SYMBOL_IF_KUNIT(faa_share_max);

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
 * faa_user_add_queue() - a user gets one more queue
 * @user: the user
 *
 * Return: 0; -ENOSPC if there are too many.
 */
int faa_user_add_queue(struct faa_user *user)
{
	bool room;

	mutex_lock(&user->faa->users.lock);
	room = user->queues < FAA_USER_MAX_QUEUES;
	if (room) {
		user->queues++;
		user->refs++;
	}
	mutex_unlock(&user->faa->users.lock);
	if (!room)
		return faa_refuse(&user->faa->drm, -ENOSPC,
				  "QUEUE_CREATE: the user has %u queues, destroyed ones included",
				  FAA_USER_MAX_QUEUES);

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
