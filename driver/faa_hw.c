// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: The hardware
 *
 * Everything that reads registers, and the sequences of writes that the register
 * map asks for. Reads are slow (they cross the bus and come back), so nothing
 * here is on the way of a job from the ioctl to its fence.
 *
 * A device that is gone answers all-ones; every loop here takes that as an end.
 */

#include <linux/delay.h>
#include <linux/jiffies.h>

#include <drm/drm_print.h>

#include "faa_device.h"
#include "faa_fault.h"
#include "faa_hw.h"
#include "faa_status.h"
#include "faa_trace.h"

#define FAA_POLL_US		200

#define FAA_WAIT_ROUND		(HZ / 2)

#define FAA_GONE		(~0U)

/**
 * faa_hw_wait_begin() - start the limits of a wait
 * @wait: the limits
 * @cycles: limit in cycles of the device's clock
 *
 * Reads no register.
 */
void faa_hw_wait_begin(struct faa_hw_wait *wait, u64 cycles)
{
	wait->cycles = cycles;
	wait->round_end = jiffies + FAA_WAIT_ROUND;
	wait->marked = false;
}

/**
 * faa_hw_wait_over() - tell whether a wait for the device has reached its limits
 * @faa: the device
 * @wait: the limits; to be checked after each poll
 *
 * Reads the cycle counter once in half a second. The first reading is the mark.
 *
 * Return: true if the counter stands still, or is so many cycles after the mark; at the
 * earliest a second after faa_hw_wait_begin().
 */
bool faa_hw_wait_over(struct faa_device *faa, struct faa_hw_wait *wait)
{
	u64 now;
	bool over;

	if (time_before(jiffies, wait->round_end))
		return false;

	now = faa_hw_cycles(faa);
	over = wait->marked && (now == wait->last || now - wait->mark >= wait->cycles);
	if (!wait->marked)
		wait->mark = now;
	wait->marked = true;
	wait->last = now;
	wait->round_end = jiffies + FAA_WAIT_ROUND;

	return over;
}

/* Has a field one of some values, a mask with a bit for each? */
static bool hw_has_value(u32 value, u32 mask, unsigned long values)
{
	return values & BIT((value & mask) >> __ffs(mask));
}

/* Has a field this value, in its place? */
static bool hw_is(u32 value, u32 mask, unsigned long wanted)
{
	return (value & mask) == wanted;
}

/* Wait until a register has the value that is wanted; -ENODEV if the device is gone, -ETIMEDOUT. */
static int hw_wait_register(struct faa_device *faa, u32 reg,
			    bool (*reached)(u32 value, u32 mask, unsigned long arg), u32 mask,
			    unsigned long arg)
{
	struct faa_hw_wait wait;
	u32 value;

	faa_hw_wait_begin(&wait, FAA_HW_WAIT_CYCLES);
	for (;;) {
		value = faa_read(faa, reg);
		if (value == FAA_GONE)
			return -ENODEV;
		if (reached(value, mask, arg))
			return 0;
		if (faa_hw_wait_over(faa, &wait))
			return -ETIMEDOUT;
		usleep_range(FAA_POLL_US / 4, FAA_POLL_US);
	}
}

static int hw_wait_queue_state(struct faa_device *faa, unsigned int index, unsigned long states)
{
	return hw_wait_register(faa, FAA_REG_QUEUE_STATE(index), hw_has_value,
				FAA_REG_QUEUE_STATE_STATE_MASK, states);
}

/* Wait until a compute unit is no longer being reset. */
static int hw_wait_unit_reset(struct faa_device *faa, unsigned int cu)
{
	return hw_wait_register(faa, FAA_REG_CU_STATE(cu), hw_is,
				FAA_REG_CU_STATE_RESETTING_MASK, 0);
}

/*
 * Wait until a queue has been stopped, by a kill or because of an error of its memory. One that was
 * leaving may have been faster.
 */
static int hw_wait_queue_stopped(struct faa_device *faa, unsigned int index)
{
	return hw_wait_queue_state(faa, index,
				   BIT(FAA_QUEUE_STATE_KILLED) | BIT(FAA_QUEUE_STATE_ERROR) |
				   BIT(FAA_QUEUE_STATE_DISABLED));
}

static int hw_read_info(struct faa_device *faa)
{
	struct faa_hw_info *info = &faa->info;
	u32 version = faa_read(faa, FAA_REG_VERSION);
	u32 config = faa_read(faa, FAA_REG_CONFIG0);

	info->version_major = FAA_FIELD(VERSION_MAJOR, version);
	info->version_minor = FAA_FIELD(VERSION_MINOR, version);
	info->num_queues = FAA_FIELD(CONFIG0_NUM_QUEUES, config);
	info->num_cus = FAA_FIELD(CONFIG0_NUM_CUS, config);
	info->warp_slots = FAA_FIELD(CONFIG0_WARP_SLOTS, config);
	info->lanes = FAA_FIELD(CONFIG0_LANES, config);
	info->shared_max = faa_read(faa, FAA_REG_SHARED_MAX);
	info->axi_width = FAA_FIELD(AXI_WIDTH_BITS, faa_read(faa, FAA_REG_AXI_WIDTH));
	info->features = faa_read(faa, FAA_REG_FEATURES_LO) |
			 (u64)faa_read(faa, FAA_REG_FEATURES_HI) << 32;

	if (info->version_major != FAA_HW_MAJOR) {
		drm_err(&faa->drm, "register map %u.%u is not known, only %u.x is\n",
			info->version_major, info->version_minor, FAA_HW_MAJOR);
		return -ENODEV;
	}
	if (info->version_minor < FAA_HW_MINOR) {
		drm_err(&faa->drm, "register map %u.%u is too old, %u.%u is needed\n",
			info->version_major, info->version_minor, FAA_HW_MAJOR, FAA_HW_MINOR);
		return -ENODEV;
	}

	if (!info->num_queues || info->num_queues > FAA_MAX_QUEUES ||
	    !info->num_cus || info->num_cus > FAA_MAX_CUS ||
	    !info->warp_slots || info->warp_slots > FAA_MAX_SLOTS ||
	    info->lanes != FAA_LANES || info->shared_max > FAA_SHARED_WINDOW_BYTES) {
		drm_err(&faa->drm,
			"impossible configuration: %u queues (1..%u), %u CUs (1..%u), %u warp slots (1..%u), %u lanes (%u), %u bytes of shared memory (at most %u)\n",
			info->num_queues, FAA_MAX_QUEUES, info->num_cus, FAA_MAX_CUS,
			info->warp_slots, FAA_MAX_SLOTS,
			info->lanes, FAA_LANES, info->shared_max, FAA_SHARED_WINDOW_BYTES);
		return -ENODEV;
	}

	return 0;
}

/**
 * faa_hw_init() - identify the device and bring it to rest
 * @faa: the device
 *
 * A previous driver may have left queues running.
 *
 * Return: 0, -ENODEV if it is no faa that this driver knows, -ETIMEDOUT.
 */
int faa_hw_init(struct faa_device *faa)
{
	u32 magic = faa_read(faa, FAA_REG_MAGIC);
	unsigned int queue;
	int ret;

	if (magic != FAA_REG_MAGIC_VALUE) {
		drm_err(&faa->drm, "magic is 0x%08x, not 0x%08x\n", magic,
			FAA_REG_MAGIC_VALUE);
		return -ENODEV;
	}

	ret = hw_read_info(faa);
	if (ret)
		return ret;

	faa_write(faa, FAA_REG_EVENT_ENABLE, 0);
	ret = faa_hw_rest(faa, &queue);
	if (ret) {
		drm_err(&faa->drm, "queue %u does not stop\n", queue);
		return ret;
	}

	faa->tlb.serial = faa_read(faa, FAA_REG_TLB_INV_DONE);
	faa->tlb.done = faa->tlb.serial;
	return 0;
}

/**
 * faa_hw_events_enable() - request vector 0 for what the driver waits for
 * @faa: the device; its interrupt handlers are in place
 */
void faa_hw_events_enable(struct faa_device *faa)
{
	u32 events = FAA_REG_EVENT_STATUS_TLB_INV_DONE_MASK |
		     FAA_REG_EVENT_STATUS_QUEUE_KILLED_MASK |
		     FAA_REG_EVENT_STATUS_QUEUE_ERROR_MASK |
		     FAA_REG_EVENT_STATUS_QUEUE_SAVED_MASK;

	faa_write(faa, FAA_REG_EVENT_STATUS, FAA_REG_EVENT_ENABLE_MASK_MASK);
	faa_write(faa, FAA_REG_EVENT_ENABLE, events);
}

/**
 * faa_hw_was_reset() - have the registers lost what the driver wrote?
 * @faa: the device, after faa_hw_events_enable()
 *
 * Return: true if so; also if the device is gone.
 */
bool faa_hw_was_reset(struct faa_device *faa)
{
	u32 events = faa_read(faa, FAA_REG_EVENT_ENABLE);

	return !events || events == FAA_GONE;
}

/**
 * faa_hw_reset_units() - reset all compute units, and disable all queues
 * @faa: the device, none of whose registers anybody else uses
 *
 * A compute unit waits for its accesses in flight. Contexts in compute units are lost.
 *
 * Return: 0; -ENODEV, -ETIMEDOUT.
 */
int faa_hw_reset_units(struct faa_device *faa)
{
	unsigned int i;
	int ret;

	faa_write(faa, FAA_REG_EVENT_ENABLE, 0);
	for (i = 0; i < faa->info.num_cus; i++)
		faa_write(faa, FAA_REG_CU_CONTROL(i), FAA_REG_CU_CONTROL_RESET_MASK);
	for (i = 0; i < faa->info.num_cus; i++) {
		ret = hw_wait_unit_reset(faa, i);
		if (ret)
			return ret;
	}

	return faa_hw_rest(faa, &i);
}

/*
 * Wait until no TLB invalidation is outstanding: its number must not be written again, nor another
 * one. Completion numbers continue.
 */
static int hw_wait_invalidated(struct faa_device *faa)
{
	return hw_wait_register(faa, FAA_REG_TLB_INV_DONE, hw_is, U32_MAX,
				faa_read(faa, FAA_REG_TLB_INV_REQUEST));
}

/**
 * faa_hw_restart() - set a device up that was reset
 * @faa: the device, none of whose registers anybody else uses
 *
 * Return: 0; -ENODEV if it is not the device that it was, -ETIMEDOUT if it is not at rest.
 */
int faa_hw_restart(struct faa_device *faa)
{
	unsigned int i;
	int ret;

	if (faa_read(faa, FAA_REG_MAGIC) != FAA_REG_MAGIC_VALUE)
		return -ENODEV;
	for (i = 0; i < faa->info.num_queues; i++) {
		if (faa_hw_queue_state(faa, i) != FAA_QUEUE_STATE_DISABLED)
			return -ETIMEDOUT;
	}
	ret = hw_wait_invalidated(faa);
	if (ret)
		return ret;
	for (i = 0; i < faa->info.num_queues; i++)
		faa_hw_queue_init(&faa->hwqs[i], faa->hwqs[i].config.ring_dma);

	faa_hw_events_enable(faa);

	return 0;
}

/* Read a counter of 64 bits that counts meanwhile. */
static u64 hw_read64(struct faa_device *faa, u32 reg_lo, u32 reg_hi)
{
	u32 hi = faa_read(faa, reg_hi);
	u32 lo, again;

	for (;;) {
		lo = faa_read(faa, reg_lo);
		again = faa_read(faa, reg_hi);
		if (again == hi)
			return (u64)hi << 32 | lo;
		hi = again;
	}
}

/**
 * faa_hw_cycles() - read the cycle counter
 * @faa: the device
 *
 * Return: clock cycles since reset.
 */
u64 faa_hw_cycles(struct faa_device *faa)
{
	return hw_read64(faa, FAA_REG_CYCLE_LO, FAA_REG_CYCLE_HI);
}

/**
 * faa_hw_counter() - read a counter of a compute unit
 * @faa: the device
 * @cu: compute unit
 * @counter: enum faa_counter
 *
 * Return: its value, 0 if there is no such counter.
 */
u64 faa_hw_counter(struct faa_device *faa, unsigned int cu, unsigned int counter)
{
	return hw_read64(faa, FAA_REG_CU_COUNTER_LO(cu, counter),
			 FAA_REG_CU_COUNTER_HI(cu, counter));
}

/* Write a register, or a pair, unless it holds the value. */
static void hw_update(struct faa_device *faa, u32 reg, u32 *shadow, u32 value)
{
	if (*shadow != value)
		faa_write(faa, reg, value);
	*shadow = value;
}

static void hw_update64(struct faa_device *faa, u32 reg_lo, u64 *shadow, u64 value)
{
	u32 lo = lower_32_bits(*shadow), hi = upper_32_bits(*shadow);

	hw_update(faa, reg_lo, &lo, lower_32_bits(value));
	hw_update(faa, reg_lo + 4, &hi, upper_32_bits(value));
	*shadow = value;
}

static u32 hw_config0(const struct faa_hw_queue_config *config)
{
	return FAA_FIELD_PREP(QUEUE_CONFIG0_PRIO, config->prio) |
	       FAA_FIELD_PREP(QUEUE_CONFIG0_VECTOR, config->vector) |
	       FAA_FIELD_PREP(QUEUE_CONFIG0_VMID, config->vmid);
}

/**
 * faa_hw_queue_init() - set up what stays the same in a disabled queue
 * @hwq: hardware queue; ring, vector and sequence number are known
 * @ring_dma: DMA address of the ring
 *
 * All its registers are written, so that &faa_hwq.config is what they hold.
 */
void faa_hw_queue_init(struct faa_hwq *hwq, u64 ring_dma)
{
	struct faa_device *faa = hwq->faa;
	unsigned int index = hwq->index;

	hwq->config = (struct faa_hw_queue_config){
		.ring_dma = ring_dma,
		.ring_log2 = FAA_RING_LOG2,
		.seqno_dma = hwq->seqno_dma,
		.vector = hwq->vector,
	};
	faa_write64(faa, FAA_REG_QUEUE_RING_LO(index), ring_dma);
	faa_write(faa, FAA_REG_QUEUE_RING_SIZE(index),
		  FAA_FIELD_PREP(QUEUE_RING_SIZE_LOG2, FAA_RING_LOG2));
	faa_write(faa, FAA_REG_QUEUE_CONFIG0(index), hw_config0(&hwq->config));
	faa_write64(faa, FAA_REG_QUEUE_PT_LO(index), 0);
	faa_write64(faa, FAA_REG_QUEUE_SAVE_LO(index), 0);
	faa_write64(faa, FAA_REG_QUEUE_SEQNO_LO(index), hwq->seqno_dma);
	faa_write(faa, FAA_REG_QUEUE_SHARED(index), 0);
}

/**
 * faa_hw_queue_setup() - set up a disabled queue
 * @hwq: hardware queue
 * @config: its set-up
 *
 * Registers that hold the right value are not written.
 */
void faa_hw_queue_setup(struct faa_hwq *hwq, const struct faa_hw_queue_config *config)
{
	struct faa_device *faa = hwq->faa;
	unsigned int index = hwq->index;
	u32 config0 = hw_config0(&hwq->config);

	hw_update(faa, FAA_REG_QUEUE_CONFIG0(index), &config0, hw_config0(config));
	hw_update64(faa, FAA_REG_QUEUE_PT_LO(index), &hwq->config.pt_dma, config->pt_dma);
	hw_update64(faa, FAA_REG_QUEUE_SAVE_LO(index), &hwq->config.save_dma, config->save_dma);
	hw_update(faa, FAA_REG_QUEUE_SHARED(index), &hwq->config.shared_bytes,
		  config->shared_bytes);
	hwq->config = *config;
}

/**
 * faa_hw_queue_enable() - start a queue that is set up
 * @hwq: hardware queue
 * @tail: descriptors in its ring, from entry 0 on, that it may run
 * @slots: warp slots (bit) whose context is in the save area
 */
void faa_hw_queue_enable(struct faa_hwq *hwq, u32 tail, u32 slots)
{
	struct faa_device *faa = hwq->faa;
	unsigned int index = hwq->index;

	/* HEAD is 0 when the queue is enabled. Orders the descriptors before it, too. */
	faa_write(faa, FAA_REG_QUEUE_TAIL(index), tail);
	faa_write(faa, FAA_REG_QUEUE_CONTROL(index),
		  FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_FIELD_PREP(QUEUE_CONTROL_SLOTS, slots));
}

/**
 * faa_hw_queue_leave() - have a queue disabled after its running job, its context saved
 * @faa: the device
 * @index: hardware queue
 *
 * Does not wait: the event QUEUE_SAVED tells.
 */
void faa_hw_queue_leave(struct faa_device *faa, unsigned int index)
{
	faa_write(faa, FAA_REG_QUEUE_CONTROL(index), FAA_REG_QUEUE_CONTROL_KEEP_MASK);
}

/**
 * faa_hw_queue_disable() - disable a queue that has been stopped
 * @faa: the device
 * @index: hardware queue
 *
 * Return: 0 when the device no longer touches the queue's memory; -ENODEV,
 * -ETIMEDOUT.
 */
int faa_hw_queue_disable(struct faa_device *faa, unsigned int index)
{
	int ret;

	faa_write(faa, FAA_REG_QUEUE_CONTROL(index), 0);
	ret = faa_fault(FAA_FAULT_DISABLE) ? -ETIMEDOUT :
	      hw_wait_queue_state(faa, index, BIT(FAA_QUEUE_STATE_DISABLED));
	if (ret == -ETIMEDOUT)
		drm_err(&faa->drm, "queue %u is not disabled: its state is 0x%x at cycle %llu\n",
			index, faa_read(faa, FAA_REG_QUEUE_STATE(index)), faa_hw_cycles(faa));

	return ret;
}

/**
 * faa_hw_queue_reset_unit() - reset the compute unit on which a queue hangs
 * @faa: the device
 * @index: hardware queue
 *
 * Others are not touched.
 *
 * Return: 0 when the queue has stopped; -ENODEV, -ETIMEDOUT.
 */
int faa_hw_queue_reset_unit(struct faa_device *faa, unsigned int index)
{
	u32 state = faa_read(faa, FAA_REG_QUEUE_STATE(index));
	u32 cu_state, cu;
	int ret;

	if (state == FAA_GONE)
		return -ENODEV;

	cu = FAA_FIELD(QUEUE_STATE_CU, state);
	cu_state = faa_read(faa, FAA_REG_CU_STATE(cu));
	if (cu >= faa->info.num_cus || !(cu_state & FAA_REG_CU_STATE_BUSY_MASK) ||
	    FAA_FIELD(CU_STATE_QUEUE, cu_state) != index)
		return hw_wait_queue_stopped(faa, index);

	drm_dbg(&faa->drm, "CU %u does not stop queue %u, resetting it\n", cu, index);
	trace_faa_cu_reset(cu, index);
	faa_write(faa, FAA_REG_CU_CONTROL(cu), FAA_REG_CU_CONTROL_RESET_MASK);
	ret = faa_fault(FAA_FAULT_CU_RESET) ? -ETIMEDOUT :
	      hw_wait_unit_reset(faa, cu);
	if (ret)
		return ret;

	return hw_wait_queue_stopped(faa, index);
}

/**
 * faa_hw_queue_ask_kill() - ask a queue to end its running job and to stop
 * @faa: the device
 * @index: hardware queue
 * @leaving: faa_hw_queue_leave() was called
 */
void faa_hw_queue_ask_kill(struct faa_device *faa, unsigned int index, bool leaving)
{
	/* Enabling a queue that is leaving would begin its next life. */
	faa_write(faa, FAA_REG_QUEUE_CONTROL(index),
		  (leaving ? FAA_REG_QUEUE_CONTROL_KEEP_MASK : FAA_REG_QUEUE_CONTROL_ENABLE_MASK) |
		  FAA_REG_QUEUE_CONTROL_KILL_MASK);
}

/**
 * faa_hw_queue_kill() - end the running job of a queue and stop it
 * @faa: the device
 * @index: hardware queue
 * @leaving: faa_hw_queue_leave() was called
 *
 * Sleeps, does not allocate: also called in the fence signalling path.
 *
 * Return: 0 when it has stopped; -ENODEV, -ETIMEDOUT.
 */
int faa_hw_queue_kill(struct faa_device *faa, unsigned int index, bool leaving)
{
	u32 state = faa_hw_queue_state(faa, index);

	/* Stopped by itself: a kill cannot be waited for in these states. */
	if (state == FAA_QUEUE_STATE_DISABLED || state == FAA_QUEUE_STATE_ERROR ||
	    state == FAA_QUEUE_STATE_KILLED)
		return 0;
	/* A request that is lost is a device that does not hear it. */
	if (faa_fault(FAA_FAULT_KILL))
		return -ETIMEDOUT;
	faa_hw_queue_ask_kill(faa, index, leaving);

	return hw_wait_queue_stopped(faa, index);
}

/**
 * faa_hw_queue_stop() - end the running job of a queue and stop it
 * @faa: the device
 * @index: hardware queue
 * @leaving: faa_hw_queue_leave() was called
 *
 * First asks the queue, then resets the compute unit that runs it.
 *
 * Return: &enum faa_hw_stop.
 */
enum faa_hw_stop faa_hw_queue_stop(struct faa_device *faa, unsigned int index, bool leaving)
{
	int ret = faa_hw_queue_kill(faa, index, leaving);

	if (!ret)
		return FAA_HW_STOP_KILLED;
	if (ret != -ENODEV && !faa_hw_queue_reset_unit(faa, index))
		return FAA_HW_STOP_RESET;

	return FAA_HW_STOP_LOST;
}

/*
 * Stop and disable a queue, whatever state it is in: an earlier driver may have set it up, so its
 * registers tell. Returns 0 when the device no longer touches the queue's memory; -ETIMEDOUT.
 */
static int hw_rest_queue(struct faa_device *faa, unsigned int index)
{
	u32 control;

	if (faa_hw_queue_state(faa, index) == FAA_QUEUE_STATE_DISABLED)
		return 0;
	/* One that was disabled and is not is leaving. */
	control = faa_read(faa, FAA_REG_QUEUE_CONTROL(index));
	if (faa_hw_queue_stop(faa, index, !(control & FAA_REG_QUEUE_CONTROL_ENABLE_MASK)) ==
	    FAA_HW_STOP_LOST)
		return -ETIMEDOUT;

	return faa_hw_queue_disable(faa, index) ? -ETIMEDOUT : 0;
}

/**
 * faa_hw_rest() - stop and disable all queues
 * @faa: the device
 * @queue: out: the hardware queue that does not stop, on failure
 *
 * Return: 0 when the device no longer touches memory of queues; -ETIMEDOUT.
 */
int faa_hw_rest(struct faa_device *faa, unsigned int *queue)
{
	for (*queue = 0; *queue < faa->info.num_queues; ++*queue) {
		if (hw_rest_queue(faa, *queue))
			return -ETIMEDOUT;
	}

	return 0;
}

/**
 * faa_hw_queue_state() - read the state of a queue
 * @faa: the device
 * @index: hardware queue
 *
 * Return: enum faa_queue_state, or another value if the device is gone.
 */
u32 faa_hw_queue_state(struct faa_device *faa, unsigned int index)
{
	return FAA_FIELD(QUEUE_STATE_STATE, faa_read(faa, FAA_REG_QUEUE_STATE(index)));
}

/* Does a compute unit run a job of a hardware queue, whose start its registers show? */
static bool hw_unit_runs(struct faa_device *faa, unsigned int cu, unsigned int index)
{
	u32 state = faa_read(faa, FAA_REG_CU_STATE(cu));

	/* Registers that cannot be read show all-ones. */
	return state != ~0U && state & FAA_REG_CU_STATE_RUNNING_MASK &&
	       FAA_FIELD(CU_STATE_QUEUE, state) == index;
}

/**
 * faa_hw_queue_start() - when did the running job of a queue begin?
 * @faa: the device
 * @index: hardware queue
 * @cycle: cycle counter in which its compute unit began with the job
 *
 * Return: true, or false if no job of the queue runs.
 */
bool faa_hw_queue_start(struct faa_device *faa, unsigned int index, u64 *cycle)
{
	unsigned int cu = 0;
	u64 again;

	while (cu < faa->info.num_cus) {
		if (!hw_unit_runs(faa, cu, index)) {
			cu++;
			continue;
		}
		*cycle = hw_read64(faa, FAA_REG_CU_START_LO(cu), FAA_REG_CU_START_HI(cu));
		if (!hw_unit_runs(faa, cu, index))
			continue;
		again = hw_read64(faa, FAA_REG_CU_START_LO(cu), FAA_REG_CU_START_HI(cu));
		if (*cycle == again)
			return true;
	}

	return false;
}

/**
 * faa_hw_queue_progress() - how far has the running job of a queue come?
 * @faa: the device
 * @index: hardware queue
 * @retired: out: elements retired by it, all jobs of a group together, modulo 2^32
 *
 * Return: 0; -EAGAIN if the queue has no compute unit; -EBUSY if it has one that does not run a job
 * of it, since it moves contexts or reads descriptors; -ENODEV.
 */
int faa_hw_queue_progress(struct faa_device *faa, unsigned int index, u32 *retired)
{
	u32 state = faa_read(faa, FAA_REG_QUEUE_STATE(index));
	u32 cu = FAA_FIELD(QUEUE_STATE_CU, state);

	if (state == FAA_GONE)
		return -ENODEV;
	if (FAA_FIELD(QUEUE_STATE_STATE, state) != FAA_QUEUE_STATE_RUNNING ||
	    cu >= faa->info.num_cus)
		return -EAGAIN;
	if (!hw_unit_runs(faa, cu, index))
		return -EBUSY;

	*retired = faa_read(faa, FAA_REG_CU_PROGRESS(cu));
	return 0;
}
