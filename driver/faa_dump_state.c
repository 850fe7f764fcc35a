// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: State of a queue and the device in a dump
 *
 * Taken in the fence signalling path, before a queue is stopped: nothing here allocates or
 * waits. The lock of the mux keeps the hardware queue the same meanwhile. A ring has descriptors
 * of queues that had it before: those are never taken.
 */

#include <linux/ktime.h>
#include <linux/minmax.h>

#include <drm/drm_drv.h>

#include "faa_completion.h"
#include "faa_device.h"
#include "faa_dump.h"
#include "faa_hw.h"
#include "faa_queue.h"
#include "faa_vm.h"

#define FAA_DUMP_NONE	(~0U)

static u32 dump_register(struct faa_dump_state *state, u32 offset)
{
	u32 value = faa_read(state->queue->faa, offset);

	if (!WARN_ON_ONCE(state->num_registers == FAA_DUMP_REGISTERS_MAX))
		state->registers[state->num_registers++] = (struct faa_dump_register){
			.offset = cpu_to_le32(offset),
			.value = cpu_to_le32(value),
		};

	return value;
}

/* All registers of [first, last]. */
static void dump_registers(struct faa_dump_state *state, u32 first, u32 last)
{
	u32 offset;

	for (offset = first; offset <= last; offset += sizeof(u32))
		dump_register(state, offset);
}

static void dump_global(struct faa_dump_state *state)
{
	dump_registers(state, FAA_REG_MAGIC, FAA_REG_FEATURES_HI);
	dump_register(state, FAA_REG_STATUS);
	if (!state->addresses)
		return;
	/* Events and invalidations concern all queues. */
	dump_registers(state, FAA_REG_EVENT_STATUS, FAA_REG_EVENT_ENABLE);
	dump_register(state, FAA_REG_TLB_INV_VMID);
	dump_registers(state, FAA_REG_TLB_INV_START_LO, FAA_REG_TLB_INV_DONE);
}

/* A compute unit: all of it if it runs the queue, its state otherwise. */
static void dump_cu(struct faa_dump_state *state, u32 cu, bool whole)
{
	struct faa_device *faa = state->queue->faa;
	u32 s;

	if (whole || state->addresses)
		dump_register(state, FAA_REG_CU_STATE(cu));
	if (!whole)
		return;
	dump_register(state, FAA_REG_CU_PC(cu));
	dump_register(state, FAA_REG_CU_PROGRESS(cu));
	dump_register(state, FAA_REG_CU_START_LO(cu));
	dump_register(state, FAA_REG_CU_START_HI(cu));
	for (s = 0; s < faa->info.warp_slots; s++) {
		struct faa_dump_position *position = &state->positions[s];
		u32 pc = dump_register(state, FAA_REG_CU_SLOT_PC(cu, s));
		u32 retired = dump_register(state, FAA_REG_CU_SLOT_PROGRESS(cu, s));

		if (s < state->num_positions) {
			position->running = cpu_to_le32(1);
			position->pc = cpu_to_le32(pc);
			position->retired = cpu_to_le32(retired);
		}
	}
	if (state->addresses)
		dump_registers(state, FAA_REG_CU_COUNTER_LO(cu, 0),
			       FAA_REG_CU_COUNTER_HI(cu, FAA_REG_CU_COUNTER_COUNT - 1));
}

/* The registers of the queue, which say where it runs. Returns its compute unit or NONE. */
static u32 dump_hardware_queue(struct faa_dump_state *state, u32 index)
{
	u32 hw_state;

	dump_registers(state, FAA_REG_QUEUE_TAIL(index), FAA_REG_QUEUE_CONTROL(index));
	hw_state = dump_register(state, FAA_REG_QUEUE_STATE(index));
	if (state->addresses) {
		dump_registers(state, FAA_REG_QUEUE_RING_LO(index), FAA_REG_QUEUE_SHARED(index));
	} else {
		dump_registers(state, FAA_REG_QUEUE_RING_SIZE(index),
			       FAA_REG_QUEUE_CONFIG0(index));
		dump_register(state, FAA_REG_QUEUE_SHARED(index));
	}

	return FAA_FIELD(QUEUE_STATE_STATE, hw_state) == FAA_QUEUE_STATE_RUNNING ?
	       FAA_FIELD(QUEUE_STATE_CU, hw_state) : FAA_DUMP_NONE;
}

/* Inside drm_dev_enter(). */
static void dump_hardware(struct faa_dump_state *state, u32 index)
{
	struct faa_device *faa = state->queue->faa;
	u32 cu = FAA_DUMP_NONE, i;

	if (faa_read(faa, FAA_REG_MAGIC) != FAA_REG_MAGIC_VALUE)
		return;
	state->answers = true;
	state->cycle = faa_hw_cycles(faa);
	dump_global(state);
	if (index != FAA_DUMP_NONE)
		cu = dump_hardware_queue(state, index);
	state->info.cu = cpu_to_le32(cu);
	for (i = 0; i < faa->info.num_cus; i++)
		dump_cu(state, i, i == cu);
	for (i = 0; i < faa->info.num_queues && state->addresses; i++) {
		if (i == index)
			continue;
		dump_register(state, FAA_REG_QUEUE_TAIL(i));
		dump_register(state, FAA_REG_QUEUE_HEAD(i));
		dump_register(state, FAA_REG_QUEUE_STATE(i));
	}
}

/* Descriptors of the queue in its ring. The lock of the mux is held, inside drm_dev_enter(). */
static void dump_ring(struct faa_dump_state *state, const struct faa_hwq *hwq)
{
	u32 tail = le32_to_cpu(state->info.tail), i;

	/* The index is 0 when a queue gets a ring, so these are all its own. */
	state->num_descs = min_t(u32, tail, FAA_RING_ENTRIES);
	state->first_desc = tail - state->num_descs;
	for (i = 0; i < state->num_descs; i++) {
		state->descs[i] = hwq->ring[faa_ring_slot(state->first_desc + i)];
		if (!state->addresses)
			state->descs[i].status_addr = 0;
	}
}

/* The streams of the first group. The lock of the queue is held. */
static void dump_jobs(struct faa_dump_state *state)
{
	struct faa_queue *queue = state->queue;
	struct faa_fence *fence;

	list_for_each_entry(fence, &queue->inflight, node) {
		if (!faa_queue_heads(queue, fence) || fence->slot >= FAA_MAX_SLOTS)
			break;
		state->num_positions = fence->slot + 1;
		state->positions[fence->slot] = (struct faa_dump_position){
			.seqno = cpu_to_le64(fence->seqno),
			.stream_va = fence->desc.stream_va,
			.stream_bytes = fence->desc.stream_bytes,
			.slot = cpu_to_le32(fence->slot),
		};
	}
}

/* The lock of the queue is held. Returns its hardware queue or NONE. */
static u32 dump_info(struct faa_dump_state *state)
{
	struct faa_queue *queue = state->queue;
	u32 index = queue->hwq ? queue->hwq->index : FAA_DUMP_NONE;

	state->info = (struct faa_dump_queue){
		.number = cpu_to_le32(queue->number),
		.id = cpu_to_le32(queue->id),
		.hardware_queue = cpu_to_le32(index),
		.cu = cpu_to_le32(FAA_DUMP_NONE),
		.priority = cpu_to_le32(queue->priority),
		.shared_bytes = cpu_to_le32(queue->shared_bytes),
		.state = cpu_to_le32(queue->progress.state),
		.resets = cpu_to_le32(queue->progress.resets),
		.submitted = cpu_to_le64(READ_ONCE(queue->submitted)),
		.given = cpu_to_le64(queue->ring.given),
		.ended = cpu_to_le64(queue->progress.ended),
		.failed = cpu_to_le64(queue->progress.failed),
		.tail = cpu_to_le32(queue->hwq ? queue->ring.tail : 0),
		.vm = cpu_to_le32(queue->vm->serial),
	};
	dump_jobs(state);

	return index;
}

static void dump_fault(struct faa_dump_state *state)
{
	struct faa_vm *vm = state->vm;

	spin_lock(&vm->fault.lock);
	state->info.fault_va = cpu_to_le64(vm->fault.va);
	state->info.fault_seqno = cpu_to_le64(vm->fault.seqno);
	state->info.fault_code = cpu_to_le32(vm->fault.code);
	state->info.fault_queue = cpu_to_le32(vm->fault.queue);
	spin_unlock(&vm->fault.lock);
}

/* The lock of the mux is held: the queue has its file and its VM. */
static void dump_take_locked(struct faa_dump_state *state)
{
	struct faa_queue *queue = state->queue;
	struct faa_device *faa = queue->faa;
	int cookie;
	u32 index;

	kref_get(&queue->refcount);
	state->vm = queue->vm;
	drm_gpuvm_get(&state->vm->base);

	spin_lock(&queue->lock);
	index = dump_info(state);
	spin_unlock(&queue->lock);
	dump_fault(state);

	if (!drm_dev_enter(&faa->drm, &cookie))
		return;
	if (index != FAA_DUMP_NONE)
		dump_ring(state, &faa->hwqs[index]);
	dump_hardware(state, index);
	drm_dev_exit(cookie);
}

/**
 * faa_dump_take() - take the state of a queue and the device
 * @state: out
 * @queue: the queue
 * @reason: why
 * @addresses: physical and DMA addresses, and what concerns other queues, are wanted
 *
 * Return: false if the queue is being destroyed; then there is nothing to release.
 */
bool faa_dump_take(struct faa_dump_state *state, struct faa_queue *queue,
		   enum faa_dump_reason reason, bool addresses)
{
	struct faa_device *faa = queue->faa;
	bool exists;

	memset(state, 0, sizeof(*state));
	state->queue = queue;
	state->reason = reason;
	state->addresses = addresses;
	state->time = ktime_get_real();

	mutex_lock(&faa->mux.lock);
	exists = xa_load(&faa->queues, queue->number) == queue;
	if (exists)
		dump_take_locked(state);
	mutex_unlock(&faa->mux.lock);

	return exists;
}

/**
 * faa_dump_release() - drop the references of faa_dump_take()
 * @state: the state
 *
 * Not in the fence signalling path: the last reference to a VM may go.
 */
void faa_dump_release(struct faa_dump_state *state)
{
	faa_vm_put(state->vm);
	faa_queue_put(state->queue);
}
