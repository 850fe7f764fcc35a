/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_MUX_H__
#define __FAA_MUX_H__

#include <linux/spinlock.h>
#include <linux/types.h>

#include "faa_hw.h"
#include "faa_isa.h"

struct faa_device;
struct faa_queue;

/**
 * struct faa_hwq - a hardware queue
 */
struct faa_hwq {
	/** @faa: the device. */
	struct faa_device *faa;
	/** @index: number of the register page. */
	unsigned int index;
	/** @vector: MSI-X vector of its completions. */
	unsigned int vector;
	/** @ring: descriptors, read by the device; valid while the driver is bound. */
	struct faa_job_desc *ring;
	/** @config: what its registers hold; protected by the lock of the mux. */
	struct faa_hw_queue_config config;
	/** @free_since: serial of the mux when it became free; as @config. */
	u64 free_since;
	/**
	 * @seqno: sequence number of the last ended job, written by the device;
	 * valid while the driver is bound.
	 */
	__le64 *seqno;
	/** @seqno_dma: DMA address of @seqno. */
	dma_addr_t seqno_dma;

	/** @lock: protects @queue together with the mux. Taken in the fence signalling path. */
	spinlock_t lock;
	/** @queue: who has it, NULL = free. */
	struct faa_queue *queue;
};

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
