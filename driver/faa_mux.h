/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_MUX_H__
#define __FAA_MUX_H__

#include <linux/types.h>

struct faa_device;
struct faa_hwq;
struct faa_queue;

int faa_mux_init(struct faa_device *faa);
void faa_mux_prepare(struct faa_queue *queue);
void faa_mux_request(struct faa_queue *queue);
void faa_mux_kick(struct faa_device *faa);
void faa_mux_job_ended(struct faa_queue *queue);
bool faa_mux_forget(struct faa_queue *queue, unsigned int *index, bool *leaving);
void faa_mux_release(struct faa_queue *queue);
void faa_mux_freeze(struct faa_device *faa);
bool faa_mux_leaving(struct faa_device *faa);
bool faa_mux_kill_running(struct faa_device *faa);
void faa_mux_reap(struct faa_device *faa);
unsigned int faa_mux_thaw(struct faa_device *faa);
struct faa_queue *faa_hwq_get_queue(struct faa_hwq *hwq);

#endif
