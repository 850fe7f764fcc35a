// SPDX-License-Identifier: Apache-2.0
/* Queues: their registers and states. */
#include "faa_regs.h"

#include "model.h"

static void queue_set_ready(struct queue *queue)
{
	if (queue->tail != queue->head)
		queue->state = FAA_QUEUE_STATE_READY;
	else
		queue->state = FAA_QUEUE_STATE_IDLE;
}

static void queue_start(struct faa_engine *engine, unsigned int index)
{
	struct queue *queue = &engine->queues[index];

	context_discard(engine, index);
	queue->used = queue->slots & ((1u << engine->params.warp_slots) - 1);
	queue->head = 0;
	queue->restart = false;
	queue->kill = false;
	queue_set_ready(queue);
}

static void queue_disable(struct faa_engine *engine, unsigned int index)
{
	struct queue *queue = &engine->queues[index];

	/* A killed or failed queue keeps its state while its context is requested. */
	if (queue->keep &&
	    (queue->state == FAA_QUEUE_STATE_KILLED || queue->state == FAA_QUEUE_STATE_ERROR))
		return;
	if (queue->keep && queue->state != FAA_QUEUE_STATE_DISABLED) {
		queue_set_ready(queue);
		queue->leaving = true;
		return;
	}
	context_discard(engine, index);
	queue->state = FAA_QUEUE_STATE_DISABLED;
	queue->leaving = false;
	queue->kill = false;
}

/* Completes the disabling of queues whose contexts are saved. */
void queues_leave(struct faa_engine *engine)
{
	for (unsigned int i = 0; i < engine->params.num_queues; i++) {
		struct queue *queue = &engine->queues[i];

		if (!queue->leaving || !context_evict(engine, i))
			continue;
		queue->leaving = false;
		if (queue->state == FAA_QUEUE_STATE_ERROR)
			continue;
		queue->state = FAA_QUEUE_STATE_DISABLED;
		queue->kill = false;
		raise_event(engine, EVENT_QUEUE_SAVED);
	}
}

/* Stops a queue until it is disabled, and raises the event. */
void queue_stop(struct faa_engine *engine, struct queue *queue, enum faa_queue_state state)
{
	queue->state = state;
	queue->kill = false;
	queue->leaving = false;
	raise_event(engine,
		    state == FAA_QUEUE_STATE_KILLED ? EVENT_QUEUE_KILLED : EVENT_QUEUE_ERROR);
}

static void queue_kill(struct faa_engine *engine, struct queue *queue)
{
	switch (queue->state) {
	case FAA_QUEUE_STATE_RUNNING:
		queue->kill = true;
		break;
	case FAA_QUEUE_STATE_IDLE:
	case FAA_QUEUE_STATE_READY:
		queue_stop(engine, queue, FAA_QUEUE_STATE_KILLED);
		break;
	default:
		break;
	}
}

/* Handles a write of CONTROL. */
void queue_set_control(struct faa_engine *engine, unsigned int index, uint32_t value)
{
	struct queue *queue = &engine->queues[index];
	bool enable = value & FAA_REG_QUEUE_CONTROL_ENABLE_MASK;
	bool running = queue->state == FAA_QUEUE_STATE_RUNNING;
	bool wanted = queue->leaving || (!enable && (queue->state == FAA_QUEUE_STATE_KILLED ||
						     queue->state == FAA_QUEUE_STATE_ERROR));

	queue->keep = value & FAA_REG_QUEUE_CONTROL_KEEP_MASK;
	queue->slots = (value & FAA_REG_QUEUE_CONTROL_SLOTS_MASK) >>
		       FAA_REG_QUEUE_CONTROL_SLOTS_SHIFT;
	if (enable && !queue->enable) {
		if (running)
			queue->restart = true;
		else
			queue_start(engine, index);
	}
	if (value & FAA_REG_QUEUE_CONTROL_KILL_MASK)
		queue_kill(engine, queue);
	if (!enable && !running && (queue->enable || (wanted && !queue->keep)))
		queue_disable(engine, index);
	queue->enable = enable;
}

/* Handles a write of TAIL. */
void queue_set_tail(struct queue *queue, uint32_t tail)
{
	queue->tail = tail;
	if (queue->state == FAA_QUEUE_STATE_IDLE || queue->state == FAA_QUEUE_STATE_READY)
		queue_set_ready(queue);
}

/*
 * Frees the CU; the queue becomes ready or idle, or is disabled or restarted if that was requested.
 */
void queue_leave_cu(struct cu *cu)
{
	struct faa_engine *engine = cu->engine;
	struct queue *queue = &engine->queues[cu->queue];

	cu->busy = false;
	queue->cu = NO_CU;
	if (!queue->enable)
		queue_disable(engine, cu->queue);
	else if (queue->restart)
		queue_start(engine, cu->queue);
	else if (queue->state == FAA_QUEUE_STATE_RUNNING)
		queue_set_ready(queue);
}
