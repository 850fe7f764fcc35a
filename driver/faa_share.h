/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_SHARE_H__
#define __FAA_SHARE_H__

#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct faa_device;

/**
 * struct faa_user - what all files of a user have of a device
 *
 * Protected by &faa_device.users.lock.
 */
struct faa_user {
	/** @node: entry of &faa_device.users.list. */
	struct list_head node;
	/** @faa: the device, which lives longer. */
	struct faa_device *faa;
	/** @uid: the user. */
	kuid_t uid;
	/** @refs: references: its files, its queues. */
	unsigned int refs;
	/** @hwqs: hardware queues that its files have. */
	unsigned int hwqs;
	/** @queues: queues, destroyed ones whose jobs still wait for fences included. */
	unsigned int queues;
};

unsigned int faa_share_max(unsigned int total);
bool faa_share_allows(unsigned int total, unsigned int free, unsigned int file_has,
		      unsigned int user_has);

struct faa_user *faa_user_open(struct faa_device *faa);
void faa_user_close(struct faa_user *user);
int faa_user_add_queue(struct faa_user *user);
void faa_user_remove_queue(struct faa_user *user);

#endif
