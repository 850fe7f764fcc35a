/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_QUEUE_H__
#define __FAA_QUEUE_H__

#include <linux/kref.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <drm/gpu_scheduler.h>

#include "faa_turns.h"
#include "faa_usage.h"

struct drm_faa_queue_create;
struct drm_faa_queue_get_state;
struct faa_bo;
struct faa_device;
struct faa_file;
struct faa_hwq;
struct faa_timeline;
struct faa_user;
struct faa_vm;

/**
 * enum faa_stop_reason - why a queue is stopped for good
 */
enum faa_stop_reason {
	/** @FAA_STOP_DESTROY: its owner is done with it. */
	FAA_STOP_DESTROY,
	/** @FAA_STOP_TIMEOUT: its running job takes too long. */
	FAA_STOP_TIMEOUT,
	/** @FAA_STOP_FAULT: the device could not access the queue's own memory. */
	FAA_STOP_FAULT,
	/** @FAA_STOP_VICTIM: its compute unit was reset. */
	FAA_STOP_VICTIM,
	/** @FAA_STOP_LOST: the device is gone. */
	FAA_STOP_LOST,
	/** @FAA_STOP_RESET: its context was lost when the device was reset. */
	FAA_STOP_RESET,
};

/**
 * enum faa_watch_phase - how far the job at the head is
 */
enum faa_watch_phase {
	/** @FAA_WATCH_WAITS: it has no compute unit. */
	FAA_WATCH_WAITS,
	/** @FAA_WATCH_BEGINS: it has one that has not begun with it. */
	FAA_WATCH_BEGINS,
	/** @FAA_WATCH_RUNS: a compute unit runs it. */
	FAA_WATCH_RUNS,
};

/**
 * struct faa_watch - what the timeout handler knows of the job at the head
 *
 * Only touched by the timeout handler.
 */
struct faa_watch {
	/** @seqno: the job. */
	u64 seqno;
	/** @phase: what it did when it was last looked at. */
	enum faa_watch_phase phase;
	/** @started: when it was first seen in @phase. */
	ktime_t started;
	/** @progressed: the same, or when it was last seen to have retired more elements. */
	ktime_t progressed;
	/** @mark: cycle counter at @progressed. */
	u64 mark;
	/** @cycle: cycle counter when it was last looked at. */
	u64 cycle;
	/** @retired: elements that it had retired then. */
	u32 retired;
	/** @looked: when it was last looked at, so when it was found overdue. */
	ktime_t looked;
	/** @competed: when it was last seen to wait while other queues had jobs to run. */
	ktime_t competed;
};

/**
 * struct faa_queue - a queue of a client: one CTA
 */
struct faa_queue {
	/** @refcount: references: its file, each job, who works with it. */
	struct kref refcount;
	/** @release_work: frees it; jobs end where that is not allowed. */
	struct work_struct release_work;
	/** @rcu: delays the end of the struct. */
	struct rcu_head rcu;
	/** @faa: the device, which @timeline holds. */
	struct faa_device *faa;
	/** @timeline: of the fences of its jobs. Holds a reference. */
	struct faa_timeline *timeline;
	/** @file: its file; valid until faa_queue_close() has stopped it. */
	struct faa_file *file;
	/** @user: who has it. */
	struct faa_user *user;
	/** @vm: address space; valid as @file. */
	struct faa_vm *vm;
	/** @number: its number in the device, for logs and trace events. */
	u32 number;
	/** @hwq: its hardware queue, NULL if it has none; see faa_mux.c. */
	struct faa_hwq *hwq;
	/** @leaving: it is giving @hwq up; as @hwq. */
	bool leaving;
	/** @attached: serial of the mux when it got @hwq; protected by the lock of the mux. */
	u64 attached;
	/** @turn: its place among those who wait; as @attached. */
	struct faa_turns_queue turn;
	/** @id: ID in @file. */
	u32 id;
	/** @owner: the process that made it, for the kernel log. */
	struct {
		/** @owner.pid: its number in the initial namespace. */
		pid_t pid;
		/** @owner.comm: its name. */
		char comm[TASK_COMM_LEN];
	} owner;
	/** @shared_bytes: shared memory. */
	u32 shared_bytes;
	/** @priority: &enum drm_faa_priority. */
	u32 priority;
	/** @sched: runs its jobs one after the other. */
	struct drm_gpu_scheduler sched;
	/** @entity: jobs that wait for their dependencies; the only one of @sched. */
	struct drm_sched_entity entity;
	/** @fence_context: of the fences of its jobs. */
	u64 fence_context;
	/** @watch: for the timeout handler. */
	struct faa_watch watch;
	/**
	 * @end_lock: held while jobs end and their fences signal, for these to be in order.
	 * Taken in the fence signalling path, before @lock.
	 */
	struct mutex end_lock;
	/**
	 * @lock: protects @inflight, @ring, @slots, @saved, @busy, @progress. Taken in the
	 * fence signalling path; fences are signalled after it is dropped.
	 */
	spinlock_t lock;
	/** @inflight: &struct faa_fence of the jobs that its scheduler has run, in order. */
	struct list_head inflight;
	/** @starving: the first job has waited too long for a compute unit. */
	bool starving;
	/** @slots: warp slots (bit) that its jobs have used. */
	u32 slots;
	/** @saved: warp slots whose context is in its save area, without a hardware queue. */
	u32 saved;
	/** @busy: the device may run the first group in the ring. */
	bool busy;

	/** @submit_lock: order of submission; protects @submitted. */
	struct mutex submit_lock;
	/** @submitted: sequence number of the last job. */
	u64 submitted;

	/** @stop_lock: serialises stops; taken in the fence signalling path. */
	struct mutex stop_lock;
	/**
	 * @pause_lock: serialises pauses of the scheduler. The timeout handler takes
	 * it; held while the scheduler's work, but no fence, is waited for.
	 */
	struct mutex pause_lock;
	/** @stopped: no job is in the ring any more; protected by @stop_lock. */
	bool stopped;
	/** @dumped: &faa_device.dump.state is its own; as @stopped. */
	bool dumped;

	/** @ring: what is in the ring of @hwq. */
	struct {
		/** @ring.tail: producer index. */
		u32 tail;
		/** @ring.complete: last job of the last group that is complete, in it or not. */
		u64 complete;
		/** @ring.complete_tail: producer index after that one. */
		u32 complete_tail;
		/** @ring.given: last job that the device was told of. */
		u64 given;
	} ring;

	/** @save: save area. */
	struct {
		/** @save.mem: the memory. */
		void *mem;
		/** @save.dma: its DMA address. */
		dma_addr_t dma;
		/** @save.size: bytes. */
		size_t size;
	} save;

	/** @status: status ring. */
	struct {
		/** @status.bo: its object. */
		struct faa_bo *bo;
		/** @status.slots: mapping of the kernel. */
		struct faa_status *slots;
		/** @status.pages: DMA address of each page. */
		dma_addr_t *pages;
		/** @status.entries: number of slots. */
		u32 entries;
	} status;

	/** @progress: what its jobs came to. */
	struct {
		/** @progress.dead: no job is put in the ring any more. */
		bool dead;
		/** @progress.drained: the device runs nothing, the ring has been emptied. */
		bool drained;
		/** @progress.reason: why, if @progress.dead. */
		enum faa_stop_reason reason;
		/** @progress.state: &enum drm_faa_queue_state_flags. */
		u32 state;
		/** @progress.resets: resets of compute units, or of the device. */
		u32 resets;
		/** @progress.ended: last job that ended. */
		u64 ended;
		/** @progress.failed: jobs that ended with an error. */
		u64 failed;
		/** @progress.elements: elements retired by ended jobs. */
		u64 elements;
		/** @progress.warps: warps of ended jobs. */
		u64 warps;
		/** @progress.used: time of ended jobs on compute units. */
		struct faa_usage_time used;
		/** @progress.group_time: time counted of the group that ends. */
		struct faa_usage_time group_time;
		/** @progress.last_cycle: end of the last job, in cycles over device resets. */
		u64 last_cycle;
		/** @progress.error_seqno: last job that failed by itself. */
		u64 error_seqno;
		/** @progress.error_address: its address. */
		u64 error_address;
		/** @progress.error_code: its enum faa_error. */
		u32 error_code;
	} progress;

	/** @running: jobs that the scheduler has run and not freed yet. */
	atomic_t running;
	/** @idle: woken when @running goes to 0. */
	wait_queue_head_t idle;
};

int faa_queue_init_device(struct faa_device *faa);

int faa_queue_create(struct faa_file *file, struct drm_file *drm_file,
		     struct drm_faa_queue_create *args);
struct faa_queue *faa_queue_get(struct faa_file *file, u32 id);
void faa_queue_put(struct faa_queue *queue);
int faa_queue_destroy(struct faa_file *file, u32 id);
void faa_queue_close_all(struct faa_file *file);
void faa_queue_get_state(struct faa_queue *queue, struct drm_faa_queue_get_state *args);
void faa_queue_stop_vm(struct faa_vm *vm);
void faa_queue_unplug_begin(struct faa_device *faa);
void faa_queue_unplug(struct faa_device *faa);

#endif
