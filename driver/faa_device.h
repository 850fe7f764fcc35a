/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_DEVICE_H__
#define __FAA_DEVICE_H__

#include <linux/completion.h>
#include <linux/idr.h>
#include <linux/io.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/srcu.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>
#include <drm/faa_drm.h>
#include <drm/gpu_scheduler.h>

#include "faa_dma.h"
#include "faa_hw.h"
#include "faa_isa.h"
#include "faa_mux.h"
#include "faa_recover.h"
#include "faa_turns.h"
#include "faa_usage.h"

struct faa_dump_state;
struct faa_queue;
struct faa_user;

/* Register writes, of which one is followed by a read. */
#define FAA_POSTED_WRITES	128

/**
 * struct faa_device - one faa
 */
struct faa_device {
	/** @drm: base. */
	struct drm_device drm;
	/** @regs: BAR 0; valid inside drm_dev_enter(). */
	void __iomem *regs;
	/** @posted: register writes. */
	atomic_t posted;
	/** @info: what the device said it has. */
	struct faa_hw_info info;
	/** @host_atomics: &enum drm_faa_host_atomics. */
	u32 host_atomics;
	/** @atomic_ops: PCI_EXP_DEVCAP2_ATOMIC_COMPx that the way to the root has. */
	u32 atomic_ops;
	/** @job_timeout_ms: time without progress after which a job is killed. */
	u32 job_timeout_ms;
	/** @job_limit_ms: time after which a job is killed. */
	u32 job_limit_ms;
	/** @fault_memory_ms: time after which a fault of the device is forgotten. */
	u32 fault_memory_ms;

	/** @irq: interrupts. */
	struct {
		/** @irq.count: vectors that were granted. */
		unsigned int count;
		/** @irq.vectors: handler data per vector. */
		struct faa_irq_vector {
			/** @irq.vectors.faa: the device. */
			struct faa_device *faa;
			/** @irq.vectors.index: number of the vector. */
			unsigned int index;
		} vectors[FAA_PCI_VECTORS];
	} irq;

	/** @usage: who had the compute units. */
	struct faa_usage usage;
	/** @dma: DMA mappings of processes' pages. */
	struct faa_dma_pages dma;

	/** @tlb: TLB invalidation. */
	struct {
		/** @tlb.lock: one at a time. */
		struct mutex lock;
		/** @tlb.serial: last completion number used; protected by @tlb.lock. */
		u32 serial;
		/** @tlb.done: TLB_INV_DONE when the last interrupt for it came. */
		u32 done;
		/** @tlb.wait: woken when one has completed. */
		wait_queue_head_t wait;
	} tlb;

	/** @tables: page tables. */
	struct {
		/** @tables.lock: protects @tables.list and the memory of what is in it. */
		struct mutex lock;
		/** @tables.list: &faa_pt_table.tracked of those that have memory. */
		struct list_head list;
	} tables;
	/** @vmids: VM numbers in use. */
	struct ida vmids;
	/** @vm_serial: of the last VM created. */
	atomic_t vm_serial;

	/** @objects: what holds DMA mappings, which must end at unbind. */
	struct {
		/** @objects.lock: protects the lists. */
		struct mutex lock;
		/** @objects.vms: &faa_vm.node. */
		struct list_head vms;
		/** @objects.bos: &faa_bo.node. */
		struct list_head bos;
		/** @objects.all: &faa_bo.all_node. */
		struct list_head all;
		/** @objects.imports: imported objects by the address of their dma-buf. */
		struct xarray imports;
	} objects;

	/** @hwqs: hardware queues, @info.num_queues of them. */
	struct faa_hwq hwqs[FAA_MAX_QUEUES];
	/** @users: those who have files open. */
	struct {
		/** @users.lock: protects the list, the users, and what they have. */
		struct mutex lock;
		/** @users.list: &faa_user.node. */
		struct list_head list;
		/** @users.queues: queues that exist. */
		unsigned int queues;
		/** @users.vmids: VM numbers that are in use. */
		unsigned int vmids;
	} users;
	/** @mux: client queues on hardware queues. */
	struct {
		/** @mux.lock: protects the struct, and who has which hardware queue. */
		struct mutex lock;
		/** @mux.turns: those who wait for one. */
		struct faa_turns turns;
		/** @mux.work: makes a pass. */
		struct work_struct work;
		/** @mux.waiting: queues that waited after the last pass; read without the lock. */
		unsigned int waiting;
		/** @mux.shared: several files have hardware queues; as @mux.waiting. */
		bool shared;
		/** @mux.pass: number of the pass. */
		u64 pass;
		/** @mux.frozen: the device is being reset: no queue gets a hardware queue. */
		bool frozen;
		/** @mux.serial: grows with each change of a hardware queue's owner. */
		u64 serial;
	} mux;
	/** @queues: &struct faa_queue by &faa_queue.number. */
	struct xarray queues;
	/** @starving: queues with &faa_queue.starving, by priority. */
	atomic_t starving[DRM_FAA_PRIORITY_REALTIME + 1];

	/** @bind_wq: does what VM_BIND left to be done later. */
	struct workqueue_struct *bind_wq;
	/** @submit_wq: feeds all rings, in order. */
	struct workqueue_struct *submit_wq;
	/** @reset_wq: timeouts, kills and resets, one after the other. */
	struct workqueue_struct *reset_wq;
	/** @lost_wq: gives the device up. */
	struct workqueue_struct *lost_wq;
	/** @error_work: the device stopped queues by itself. */
	struct work_struct error_work;
	/** @lost_work: the device does not answer any more. */
	struct work_struct lost_work;

	/** @recover: resets of the device, see faa_recover.c. */
	struct {
		/** @recover.lock: protects what follows, up to @recover.what. */
		spinlock_t lock;
		/** @recover.users: sections between faa_recover_enter() and faa_recover_exit(). */
		unsigned int users;
		/** @recover.closed: new sections wait. */
		bool closed;
		/** @recover.paused: closed until faa_recover_resume(); read without the lock. */
		bool paused;
		/** @recover.pending: a reset was asked for. */
		bool pending;
		/** @recover.epoch: resets that are over; read without the lock. */
		u64 epoch;
		/** @recover.ladder: the rung of the last fault. */
		struct faa_ladder ladder;
		/** @recover.rung: where the pending reset begins. */
		enum faa_rung rung;
		/** @recover.what: why the pending reset is needed. */
		const char *what;
		/** @recover.wait: woken when a section, or a reset, has ended. */
		wait_queue_head_t wait;
		/** @recover.wq: runs @recover.work. */
		struct workqueue_struct *wq;
		/** @recover.work: resets the device. */
		struct work_struct work;
		/** @recover.event_work: tells user space of it. */
		struct work_struct event_work;
	} recover;

	/** @counters: streams of counters. */
	struct {
		/** @counters.lock: protects the struct, and &faa_counters_stream.file. */
		struct mutex lock;
		/** @counters.streams: &faa_counters_stream.node. */
		struct list_head streams;
		/** @counters.closed: no further stream may be opened. */
		bool closed;
	} counters;

	/** @dump: of a queue that is stopped. */
	struct {
		/** @dump.busy: @dump.state is used. */
		atomic_t busy;
		/** @dump.state: the state that was taken; its owner is the setter of @dump.busy. */
		struct faa_dump_state *state;
		/** @dump.work: makes a core dump of it. */
		struct work_struct work;
	} dump;

	/** @bound: DMA mappings, which end when the driver is unbound. */
	struct {
		/** @bound.srcu: held while one is made. */
		struct srcu_struct srcu;
		/** @bound.closed: no further one may be made. */
		bool closed;
	} bound;

	/** @unplug: end of the device. */
	struct {
		/** @unplug.lock: protects the change of @unplug.begun. */
		struct mutex lock;
		/** @unplug.begun: jobs are being ended, no queue may be created. */
		bool begun;
		/** @unplug.lost: the device does not answer: it is not asked any more. */
		bool lost;
		/** @unplug.dma_lock: protects @unplug.cut_off and @unplug.at_rest. */
		spinlock_t dma_lock;
		/** @unplug.cut_off: it may not access memory any more. */
		bool cut_off;
		/** @unplug.at_rest: it was cut off from memory; another may own it now. */
		bool at_rest;
		/** @unplug.done: it has been done. */
		struct completion done;
	} unplug;
};

static inline struct faa_device *to_faa_device(struct drm_device *drm)
{
	return container_of(drm, struct faa_device, drm);
}

/**
 * struct faa_file - an open render node
 */
struct faa_file {
	/** @faa: the device. */
	struct faa_device *faa;
	/** @user: who opened it. */
	struct faa_user *user;
	/** @num_queues: queues that it has; protected by &faa_device.users.lock. */
	unsigned int num_queues;
	/** @vmids: VM numbers that its VMs have; as @num_queues. */
	unsigned int vmids;
	/** @turns: its queues that wait for a hardware queue; protected by the lock of the mux. */
	struct faa_turns_file turns;
	/** @mux_pass: the last pass of the mux that has counted it; as @turns. */
	u64 mux_pass;
	/** @mux_index: which one it was in that pass; as @turns. */
	unsigned int mux_index;
	/** @vms: &struct faa_vm by ID. */
	struct xarray vms;
	/** @queues: &struct faa_queue by ID. */
	struct xarray queues;
	/** @stats: for fdinfo; grows when jobs end. */
	struct {
		/** @stats.busy_ns: time in which jobs had a compute unit. */
		atomic64_t busy_ns;
		/** @stats.cycles: the same in clock cycles of the device. */
		atomic64_t cycles;
		/** @stats.shown_ns: the most that fdinfo has shown, running jobs included. */
		atomic64_t shown_ns;
		/** @stats.shown_cycles: the same in clock cycles of the device. */
		atomic64_t shown_cycles;
		/** @stats.jobs: jobs that ended. */
		atomic64_t jobs;
		/** @stats.elements: elements that they retired. */
		atomic64_t elements;
		/** @stats.warps: warps that they completed. */
		atomic64_t warps;
	} stats;
};

int faa_device_init(struct faa_device *faa);
void faa_device_cut_off(struct faa_device *faa);
void faa_device_disconnect(struct faa_device *faa);
int faa_device_reconnect(struct faa_device *faa);
void faa_device_unplug(struct faa_device *faa);
void faa_device_lost(struct faa_device *faa, const char *what);
int faa_device_error(struct faa_device *faa, int error);
bool faa_bound_enter(struct faa_device *faa, int *idx);
void faa_bound_exit(struct faa_device *faa, int idx);

static inline u32 faa_read(struct faa_device *faa, u32 reg)
{
	return readl(faa->regs + reg);
}

/*
 * Register writes are posted. With too many in flight a bus stalls the processor; that of User-Mode
 * Linux has room for 256 writes and drops further ones. So one read per FAA_POSTED_WRITES waits for
 * all of them.
 */
static inline void faa_write(struct faa_device *faa, u32 reg, u32 value)
{
	writel(value, faa->regs + reg);
	if (!(atomic_inc_return(&faa->posted) % FAA_POSTED_WRITES))
		readl(faa->regs + FAA_REG_CYCLE_LO);
}

/* A register pair; the low word has the lower address. */
static inline void faa_write64(struct faa_device *faa, u32 reg_lo, u64 value)
{
	faa_write(faa, reg_lo, lower_32_bits(value));
	faa_write(faa, reg_lo + 4, upper_32_bits(value));
}

#endif
