/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_SHARE_H__
#define __FAA_SHARE_H__

#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>

/* Queues of all files of a device. */
#define FAA_SHARE_QUEUES	4096
/* Destroyed queues of a user whose jobs have not ended. */
#define FAA_USER_MAX_ENDING	64

struct faa_device;
struct faa_file;

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
	/** @files_queues: queues that its files have. */
	unsigned int files_queues;
	/** @vmids: VM numbers that VMs of its files have. */
	unsigned int vmids;
	/** @queues: queues, destroyed ones whose jobs still wait for fences included. */
	unsigned int queues;
};

bool faa_share_allows(unsigned int total, unsigned int free, unsigned int file_has,
		      unsigned int user_has);

bool faa_share_ending_allows(unsigned int queues, unsigned int files_queues);

struct faa_user *faa_user_open(struct faa_device *faa);
void faa_user_close(struct faa_user *user);
int faa_user_add_queue(struct faa_user *user);
void faa_user_remove_queue(struct faa_user *user);
int faa_share_add_queue(struct faa_file *file);
void faa_share_remove_queue(struct faa_file *file);
int faa_share_add_vmid(struct faa_file *file);
void faa_share_remove_vmid(struct faa_file *file);

#endif
