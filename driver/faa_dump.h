/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_DUMP_H__
#define __FAA_DUMP_H__

#include <linux/ktime.h>
#include <linux/types.h>

#include <drm/faa_dump.h>

#include "faa_isa.h"
#include "faa_queue.h"
#include "faa_regs.h"
#include "faa_status.h"

struct drm_faa_queue_dump;

/* Registers of a dump: the global block, a compute unit, states of others, and queues. */
#define FAA_DUMP_REGISTERS_MAX	(32 + 4 + 2 * FAA_MAX_SLOTS + 2 * FAA_REG_CU_COUNTER_COUNT + \
				 FAA_MAX_CUS + 16 + 3 * FAA_MAX_QUEUES)

/**
 * struct faa_dump_state - what is taken of a queue and the device at one moment
 */
struct faa_dump_state {
	/** @queue: the queue. Holds a reference. */
	struct faa_queue *queue;
	/** @vm: its address space. Holds a reference. */
	struct faa_vm *vm;
	/** @reason: &enum faa_dump_reason. */
	u32 reason;
	/** @addresses: physical and DMA addresses, and other queues, may be shown. */
	bool addresses;
	/** @answers: the registers could be read. */
	bool answers;
	/** @time: CLOCK_REALTIME. */
	ktime_t time;
	/** @cycle: of the device's clock. */
	u64 cycle;
	/** @info: the queue. */
	struct faa_dump_queue info;
	/** @num_registers: in @registers. */
	unsigned int num_registers;
	/** @registers: in the order in which they were read. */
	struct faa_dump_register registers[FAA_DUMP_REGISTERS_MAX];
	/** @first_desc: producer index of the first of @descs. */
	u32 first_desc;
	/** @num_descs: in @descs. */
	unsigned int num_descs;
	/** @descs: what is in the ring, of this queue alone. */
	struct faa_job_desc descs[FAA_RING_ENTRIES];
	/** @num_positions: in @positions. */
	unsigned int num_positions;
	/** @positions: streams of the first group. */
	struct faa_dump_position positions[FAA_MAX_SLOTS];
};

/* Of a queue and the device: faa_dump_state.c. */
bool faa_dump_take(struct faa_dump_state *state, struct faa_queue *queue,
		   enum faa_dump_reason reason, bool addresses);
void faa_dump_release(struct faa_dump_state *state);

/* As a file: faa_dump_file.c. */
size_t faa_dump_write(const struct faa_dump_state *state, void *buffer);

/* To whom it goes: faa_dump.c. */
int faa_dump_init(struct faa_device *faa);
void faa_dump_stop(struct faa_queue *queue, enum faa_stop_reason reason);
void faa_dump_publish(struct faa_queue *queue);
void faa_dump_unplug(struct faa_device *faa);
int faa_dump_queue(struct faa_queue *queue, struct drm_faa_queue_dump *args);

#endif
