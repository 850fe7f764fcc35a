// SPDX-License-Identifier: Apache-2.0
/* The register map, spec/faa_regs.rdl. */
#include "faa_regs.h"

#include "model.h"

static uint32_t regs_low(uint64_t value)
{
	return (uint32_t)value;
}

static uint32_t regs_high(uint64_t value)
{
	return value >> 32;
}

static void regs_set_low(uint64_t *target, uint32_t value)
{
	*target = (*target & ~0xffffffffULL) | value;
}

static void regs_set_high(uint64_t *target, uint32_t value)
{
	*target = regs_low(*target) | (uint64_t)value << 32;
}

static uint32_t regs_global_read(const struct faa_engine *engine, uint32_t offset)
{
	switch (offset) {
	case FAA_REG_MAGIC:
		return FAA_REG_MAGIC_VALUE;
	case FAA_REG_VERSION:
		return FAA_REG_VERSION_MAJOR_VALUE << FAA_REG_VERSION_MAJOR_SHIFT |
		       FAA_REG_VERSION_MINOR_VALUE << FAA_REG_VERSION_MINOR_SHIFT;
	case FAA_REG_CYCLE_LO:
		return regs_low(engine->cycle);
	case FAA_REG_CYCLE_HI:
		return regs_high(engine->cycle);
	case FAA_REG_CONFIG0:
		return engine->params.num_queues << FAA_REG_CONFIG0_NUM_QUEUES_SHIFT |
		       engine->params.num_cus << FAA_REG_CONFIG0_NUM_CUS_SHIFT |
		       engine->params.warp_slots << FAA_REG_CONFIG0_WARP_SLOTS_SHIFT |
		       (uint32_t)FAA_LANES << FAA_REG_CONFIG0_LANES_SHIFT;
	case FAA_REG_SHARED_MAX:
		return engine->params.shared_max;
	case FAA_REG_AXI_WIDTH:
		return 512u << FAA_REG_AXI_WIDTH_BITS_SHIFT |
		       (uint32_t)FAA_LINE_BYTES << FAA_REG_AXI_WIDTH_LINE_SHIFT;
	case FAA_REG_SHARED_UNIT:
		return engine->params.shared_unit;
	case FAA_REG_FEATURES_LO:
		return engine->params.features;
	case FAA_REG_FEATURES_HI:
		return 0;
	case FAA_REG_STATUS:
		return sched_has_work(engine) ? 0 : FAA_REG_STATUS_IDLE_MASK;
	case FAA_REG_EVENT_STATUS:
		return engine->event_status;
	case FAA_REG_EVENT_ENABLE:
		return engine->event_enable;
	case FAA_REG_TLB_INV_VMID:
		return engine->inv_vmid;
	case FAA_REG_TLB_INV_START_LO:
		return regs_low(engine->inv_start);
	case FAA_REG_TLB_INV_START_HI:
		return regs_high(engine->inv_start);
	case FAA_REG_TLB_INV_LAST_LO:
		return regs_low(engine->inv_last);
	case FAA_REG_TLB_INV_LAST_HI:
		return regs_high(engine->inv_last);
	case FAA_REG_TLB_INV_REQUEST:
		return engine->inv_request;
	case FAA_REG_TLB_INV_DONE:
		return engine->inv_done;
	}
	return ~0u;
}

static bool regs_cu_runs(const struct cu *cu)
{
	return cu->busy && cu->phase == JOB_STREAMS;
}

static uint32_t regs_cu_state_read(const struct cu *cu)
{
	/* The registers of a CU that the build lacks read 0. */
	if (!cu->engine)
		return 0;
	return cu->busy << FAA_REG_CU_STATE_BUSY_SHIFT |
	       cu->reset << FAA_REG_CU_STATE_RESETTING_SHIFT |
	       (cu->resident != NO_QUEUE) << FAA_REG_CU_STATE_RESIDENT_SHIFT |
	       regs_cu_runs(cu) << FAA_REG_CU_STATE_RUNNING_SHIFT |
	       (cu->busy		 ? (uint32_t)cu->queue :
		cu->resident != NO_QUEUE ? (uint32_t)cu->resident :
					   0)
		       << FAA_REG_CU_STATE_QUEUE_SHIFT;
}

static uint64_t regs_counter_read(const struct cu *cu, unsigned int counter)
{
	if (counter == FAA_COUNTER_CYCLES)
		return cu->engine ? cu->engine->cycle : 0;
	return cu->counters[counter];
}

static uint64_t regs_progress_of_slots(const struct cu *cu)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < FAA_MAX_SLOTS; i++)
		sum += cu->slots[i].stream.elements_retired;
	return sum;
}

static uint32_t regs_slot_read(const struct cu *cu, uint32_t offset)
{
	const struct stream *stream = &cu->slots[offset / 8].stream;

	return regs_low(offset & 4 ? stream->elements_retired : stream->pc);
}

static uint32_t regs_cu_read(const struct faa_engine *engine, uint32_t offset)
{
	unsigned int n = (offset - FAA_REG_CU_STATE(0)) / FAA_REG_CU_STRIDE;
	const struct cu *cu = &engine->cus[n];
	uint32_t first = FAA_REG_CU_COUNTER_LO(n, 0);

	if (offset >= first && offset < FAA_REG_CU_COUNTER_LO(n, FAA_REG_CU_COUNTER_COUNT)) {
		uint64_t value = regs_counter_read(cu, (offset - first) / 8);

		return offset & 4 ? regs_high(value) : regs_low(value);
	}
	if (offset == FAA_REG_CU_STATE(n))
		return regs_cu_state_read(cu);
	if (offset == FAA_REG_CU_CONTROL(n))
		return 0;
	if (offset == FAA_REG_CU_PC(n))
		return regs_low(cu->slots[0].stream.pc);
	if (offset == FAA_REG_CU_PROGRESS(n))
		return regs_low(regs_progress_of_slots(cu));
	if (offset == FAA_REG_CU_START_LO(n))
		return regs_low(cu->start_cycle);
	if (offset == FAA_REG_CU_START_HI(n))
		return regs_high(cu->start_cycle);
	if (offset >= FAA_REG_CU_SLOT_PC(n, 0) &&
	    offset < FAA_REG_CU_SLOT_PC(n, FAA_REG_CU_SLOT_COUNT))
		return regs_slot_read(cu, offset - FAA_REG_CU_SLOT_PC(n, 0));
	return ~0u;
}

static uint32_t regs_queue_state_read(const struct queue *queue)
{
	uint32_t cu = queue->cu == NO_CU ? 0 : (uint32_t)queue->cu;

	return (uint32_t)queue->state << FAA_REG_QUEUE_STATE_STATE_SHIFT |
	       cu << FAA_REG_QUEUE_STATE_CU_SHIFT;
}

static uint32_t regs_queue_read(const struct faa_engine *engine, uint32_t offset)
{
	unsigned int n = (offset - FAA_REG_QUEUE_TAIL(0)) / FAA_REG_QUEUE_STRIDE;
	const struct queue *queue = &engine->queues[n];

	switch (offset - FAA_REG_QUEUE_STRIDE * n) {
	case FAA_REG_QUEUE_TAIL(0):
		return queue->tail;
	case FAA_REG_QUEUE_HEAD(0):
		return queue->head;
	case FAA_REG_QUEUE_CONTROL(0):
		return queue->enable | queue->keep << FAA_REG_QUEUE_CONTROL_KEEP_SHIFT |
		       queue->slots << FAA_REG_QUEUE_CONTROL_SLOTS_SHIFT;
	case FAA_REG_QUEUE_STATE(0):
		return regs_queue_state_read(queue);
	case FAA_REG_QUEUE_RING_LO(0):
		return regs_low(queue->ring);
	case FAA_REG_QUEUE_RING_HI(0):
		return regs_high(queue->ring);
	case FAA_REG_QUEUE_RING_SIZE(0):
		return queue->ring_size;
	case FAA_REG_QUEUE_CONFIG0(0):
		return queue->prio << FAA_REG_QUEUE_CONFIG0_PRIO_SHIFT |
		       queue->vector << FAA_REG_QUEUE_CONFIG0_VECTOR_SHIFT |
		       queue->vmid << FAA_REG_QUEUE_CONFIG0_VMID_SHIFT;
	case FAA_REG_QUEUE_PT_LO(0):
		return regs_low(queue->page_table);
	case FAA_REG_QUEUE_PT_HI(0):
		return regs_high(queue->page_table);
	case FAA_REG_QUEUE_SAVE_LO(0):
		return regs_low(queue->save_area);
	case FAA_REG_QUEUE_SAVE_HI(0):
		return regs_high(queue->save_area);
	case FAA_REG_QUEUE_SEQNO_LO(0):
		return regs_low(queue->seqno_addr);
	case FAA_REG_QUEUE_SEQNO_HI(0):
		return regs_high(queue->seqno_addr);
	case FAA_REG_QUEUE_SHARED(0):
		return queue->shared_bytes;
	}
	return ~0u;
}

uint32_t regs_read(struct faa_engine *engine, uint32_t offset)
{
	if (offset >= FAA_REG_BYTES)
		return ~0u;
	if (offset >= FAA_REG_QUEUE_TAIL(0))
		return regs_queue_read(engine, offset);
	if (offset >= FAA_REG_CU_STATE(0) && offset < FAA_REG_CU_STATE(FAA_REG_CU_COUNT))
		return regs_cu_read(engine, offset);
	return regs_global_read(engine, offset);
}

static void regs_global_write(struct faa_engine *engine, uint32_t offset, uint32_t value)
{
	uint32_t before = engine->event_status & engine->event_enable;

	switch (offset) {
	case FAA_REG_EVENT_STATUS:
		engine->event_status &= ~value;
		break;
	case FAA_REG_EVENT_ENABLE:
		engine->event_enable = value & FAA_REG_EVENT_ENABLE_MASK_MASK;
		update_events(engine, before);
		break;
	case FAA_REG_TLB_INV_VMID:
		engine->inv_vmid = value & FAA_REG_TLB_INV_VMID_VMID_MASK;
		break;
	case FAA_REG_TLB_INV_START_LO:
		regs_set_low(&engine->inv_start, value);
		break;
	case FAA_REG_TLB_INV_START_HI:
		regs_set_high(&engine->inv_start, value);
		break;
	case FAA_REG_TLB_INV_LAST_LO:
		regs_set_low(&engine->inv_last, value);
		break;
	case FAA_REG_TLB_INV_LAST_HI:
		regs_set_high(&engine->inv_last, value);
		break;
	case FAA_REG_TLB_INV_REQUEST:
		engine->inv_request = value;
		engine->inv_pending = true;
		break;
	}
}

static void regs_queue_config_write(struct queue *queue, uint32_t value)
{
	queue->prio = (value & FAA_REG_QUEUE_CONFIG0_PRIO_MASK) >> FAA_REG_QUEUE_CONFIG0_PRIO_SHIFT;
	queue->vector = (value & FAA_REG_QUEUE_CONFIG0_VECTOR_MASK) >>
			FAA_REG_QUEUE_CONFIG0_VECTOR_SHIFT;
	queue->vmid = (value & FAA_REG_QUEUE_CONFIG0_VMID_MASK) >> FAA_REG_QUEUE_CONFIG0_VMID_SHIFT;
}

static void regs_queue_write(struct faa_engine *engine, uint32_t offset, uint32_t value)
{
	unsigned int n = (offset - FAA_REG_QUEUE_TAIL(0)) / FAA_REG_QUEUE_STRIDE;
	struct queue *queue = &engine->queues[n];

	switch (offset - FAA_REG_QUEUE_STRIDE * n) {
	case FAA_REG_QUEUE_TAIL(0):
		queue_set_tail(queue, value);
		break;
	case FAA_REG_QUEUE_CONTROL(0):
		if (n < engine->params.num_queues)
			queue_set_control(engine, n, value);
		break;
	case FAA_REG_QUEUE_RING_LO(0):
		regs_set_low(&queue->ring, value);
		break;
	case FAA_REG_QUEUE_RING_HI(0):
		regs_set_high(&queue->ring, value);
		break;
	case FAA_REG_QUEUE_RING_SIZE(0):
		queue->ring_size = value & FAA_REG_QUEUE_RING_SIZE_LOG2_MASK;
		break;
	case FAA_REG_QUEUE_CONFIG0(0):
		regs_queue_config_write(queue, value);
		break;
	case FAA_REG_QUEUE_PT_LO(0):
		regs_set_low(&queue->page_table, value);
		break;
	case FAA_REG_QUEUE_PT_HI(0):
		regs_set_high(&queue->page_table, value);
		break;
	case FAA_REG_QUEUE_SAVE_LO(0):
		regs_set_low(&queue->save_area, value);
		break;
	case FAA_REG_QUEUE_SAVE_HI(0):
		regs_set_high(&queue->save_area, value);
		break;
	case FAA_REG_QUEUE_SEQNO_LO(0):
		regs_set_low(&queue->seqno_addr, value);
		break;
	case FAA_REG_QUEUE_SEQNO_HI(0):
		regs_set_high(&queue->seqno_addr, value);
		break;
	case FAA_REG_QUEUE_SHARED(0):
		queue->shared_bytes = value;
		break;
	}
}

void regs_write(struct faa_engine *engine, uint32_t offset, uint32_t value)
{
	unsigned int cu = (offset - FAA_REG_CU_STATE(0)) / FAA_REG_CU_STRIDE;

	if (offset >= FAA_REG_BYTES)
		return;
	if (offset >= FAA_REG_QUEUE_TAIL(0))
		regs_queue_write(engine, offset, value);
	else if (offset < FAA_REG_CU_STATE(0))
		regs_global_write(engine, offset, value);
	else if (cu < engine->params.num_cus && offset == FAA_REG_CU_CONTROL(cu) &&
		 (value & FAA_REG_CU_CONTROL_RESET_MASK))
		engine->cus[cu].reset = true;
}
