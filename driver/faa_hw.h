/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_HW_H__
#define __FAA_HW_H__

#include <linux/types.h>

#include "faa_isa.h"
#include "faa_regs.h"

struct faa_device;
struct faa_hwq;

/* The register map and command stream that this driver knows. */
#define FAA_HW_MAJOR FAA_REG_VERSION_MAJOR_VALUE
/* The first minor version that this driver can use. */
#define FAA_HW_MINOR 0

/* A field of a register by its name: FAA_FIELD(QUEUE_STATE_CU, value). */
#define FAA_FIELD(field, value) \
	(((value) & FAA_REG_##field##_MASK) >> FAA_REG_##field##_SHIFT)
#define FAA_FIELD_PREP(field, value) \
	(((u32)(value) << FAA_REG_##field##_SHIFT) & FAA_REG_##field##_MASK)

/*
 * A kill takes some hundred cycles and the memory accesses in flight. The wait has a limit in
 * cycles because a simulated device may run less than a thousand cycles a second.
 */
#define FAA_HW_WAIT_CYCLES	131072

/**
 * struct faa_hw_info - what a device said it has
 */
struct faa_hw_info {
	/** @version_major: of the register map. */
	u32 version_major;
	/** @version_minor: of the register map. */
	u32 version_minor;
	/** @num_queues: hardware queues, 1..FAA_MAX_QUEUES. */
	u32 num_queues;
	/** @num_cus: compute units, 1..FAA_MAX_CUS. */
	u32 num_cus;
	/** @warp_slots: of a compute unit, 1..FAA_MAX_SLOTS. */
	u32 warp_slots;
	/** @lanes: of a warp. */
	u32 lanes;
	/** @shared_max: bytes of shared memory that a queue may have. */
	u32 shared_max;
	/** @axi_width: bits. */
	u32 axi_width;
	/** @features: mask of enum faa_feature. */
	u64 features;
};

/**
 * struct faa_hw_queue_config - set-up of a hardware queue
 */
struct faa_hw_queue_config {
	/** @ring_dma: DMA address of the ring. */
	u64 ring_dma;
	/** @pt_dma: DMA address of the root table. */
	u64 pt_dma;
	/** @save_dma: DMA address of the save area. */
	u64 save_dma;
	/** @seqno_dma: DMA address of the sequence number. */
	u64 seqno_dma;
	/** @ring_log2: log2 of the entries of the ring. */
	u32 ring_log2;
	/** @shared_bytes: shared memory. */
	u32 shared_bytes;
	/** @prio: 0..3. */
	u32 prio;
	/** @vector: MSI-X vector. */
	u32 vector;
	/** @vmid: VM number. */
	u32 vmid;
};

/**
 * struct faa_hw_wait - limits of a wait for the device, in time and in cycles of its clock
 */
struct faa_hw_wait {
	/** @cycles: limit in cycles. */
	u64 cycles;
	/** @round_end: jiffies of the next reading of the cycle counter. */
	unsigned long round_end;
	/** @marked: @mark and @last are set. */
	bool marked;
	/** @mark: first reading of the cycle counter. */
	u64 mark;
	/** @last: latest reading. */
	u64 last;
};

/**
 * enum faa_hw_stop - how a hardware queue was stopped
 */
enum faa_hw_stop {
	/** @FAA_HW_STOP_KILLED: it obeyed. */
	FAA_HW_STOP_KILLED,
	/** @FAA_HW_STOP_RESET: its compute unit had to be reset. */
	FAA_HW_STOP_RESET,
	/** @FAA_HW_STOP_LOST: the device does not react. */
	FAA_HW_STOP_LOST,
	/** @FAA_HW_STOP_DEVICE: the device had to be reset. */
	FAA_HW_STOP_DEVICE,
};

int faa_hw_init(struct faa_device *faa);
int faa_hw_reset_units(struct faa_device *faa);
int faa_hw_restart(struct faa_device *faa);
void faa_hw_events_enable(struct faa_device *faa);
void faa_hw_wait_begin(struct faa_hw_wait *wait, u64 cycles);
bool faa_hw_wait_over(struct faa_device *faa, struct faa_hw_wait *wait);
u64 faa_hw_cycles(struct faa_device *faa);
u64 faa_hw_counter(struct faa_device *faa, unsigned int cu, unsigned int counter);

void faa_hw_queue_init(struct faa_hwq *hwq, u64 ring_dma);
void faa_hw_queue_setup(struct faa_hwq *hwq, const struct faa_hw_queue_config *config);
void faa_hw_queue_enable(struct faa_hwq *hwq, u32 tail, u32 slots);
void faa_hw_queue_leave(struct faa_device *faa, unsigned int index);
int faa_hw_queue_disable(struct faa_device *faa, unsigned int index);
void faa_hw_queue_ask_kill(struct faa_device *faa, unsigned int index, bool leaving);
int faa_hw_queue_kill(struct faa_device *faa, unsigned int index, bool leaving);
int faa_hw_queue_reset_unit(struct faa_device *faa, unsigned int index);
enum faa_hw_stop faa_hw_queue_stop(struct faa_device *faa, unsigned int index, bool leaving);
bool faa_hw_was_reset(struct faa_device *faa);
int faa_hw_rest(struct faa_device *faa, unsigned int *queue);
u32 faa_hw_queue_state(struct faa_device *faa, unsigned int index);
bool faa_hw_queue_start(struct faa_device *faa, unsigned int index, u64 *cycle);
int faa_hw_queue_progress(struct faa_device *faa, unsigned int index, u32 *retired);

#endif
