// SPDX-License-Identifier: MIT
/* The parts of an execution that the test determines: events, program order, moral strength. */
#include "execution.h"

#include <errno.h>
#include <string.h>

static int add(struct execution *x, struct event event)
{
	unsigned int index = x->count;

	if (index == MODEL_MAX_EVENTS)
		return -E2BIG;
	event.partner = -1;
	x->events[index] = event;
	x->count++;
	if (event.kind == EVENT_FENCE) {
		x->fences |= BIT(index);
		if (event.order == LIT_SC)
			x->sc_fences |= BIT(index);
	} else {
		*(event.kind == EVENT_READ ? &x->reads : &x->writes) |= BIT(index);
		x->at[event.location] |= BIT(index);
	}
	if (event.thread < 0)
		x->initial |= BIT(index);
	else if (event.order != LIT_WEAK)
		x->strong |= BIT(index);
	return 0;
}

/* The order of one half of an access: an order of the other half leaves it relaxed. */
static enum lit_order half(const struct execution *x, const struct lit_op *op, enum event_kind kind)
{
	enum lit_order own = kind == EVENT_READ ? LIT_ACQUIRE : LIT_RELEASE;

	if (op->kind == LIT_LD || op->kind == LIT_ST)
		return op->order;
	if (op->order == LIT_ACQ_REL || op->order == own)
		return own;
	if (x->defect == MODEL_RELEASE_OF_ACQUIRE_RMW && op->order == LIT_ACQUIRE)
		return own;
	return LIT_RELAXED;
}

static int add_op(struct execution *x, int thread, const struct lit_op *op)
{
	struct event event = {
		.thread = thread, .scope = op->scope, .location = op->location, .op = op
	};
	bool reads = op->kind == LIT_LD || op->kind == LIT_ATOM || op->kind == LIT_RED;
	bool writes = op->kind == LIT_ST || op->kind == LIT_ATOM || op->kind == LIT_RED;
	int ret = 0;

	if (op->kind == LIT_FENCE) {
		event.kind = EVENT_FENCE;
		event.order = op->order;
		return add(x, event);
	}
	if (reads) {
		event.kind = EVENT_READ;
		event.order = half(x, op, EVENT_READ);
		ret = add(x, event);
	}
	if (!ret && writes) {
		event.kind = EVENT_WRITE;
		event.order = half(x, op, EVENT_WRITE);
		ret = add(x, event);
	}
	if (!ret && reads && writes) {
		x->events[x->count - 1].partner = x->count - 2;
		x->events[x->count - 2].partner = x->count - 1;
	}
	return ret;
}

/* Whether the thread of @b is in the scope of @a. */
static bool covers(const struct execution *x, const struct event *a, const struct event *b)
{
	const struct lit_thread *own = &x->test->threads[a->thread];
	const struct lit_thread *other = &x->test->threads[b->thread];
	enum lit_scope scope = a->scope;

	if (scope == LIT_CTA && x->defect == MODEL_CTA_IS_GPU)
		scope = LIT_GPU;
	if (scope == LIT_GPU && x->defect == MODEL_GPU_IS_SYS)
		scope = LIT_SYS;
	if (a->thread == b->thread || scope == LIT_SYS || x->defect == MODEL_MS_ALL_SCOPES)
		return true;
	/* A thread of the host has a CTA and a device of its own. */
	if (own->host || other->host || own->dev != other->dev)
		return false;
	return scope == LIT_GPU || (scope == LIT_CTA && own->cta == other->cta);
}

static bool both_cover(const struct execution *x, const struct event *a, const struct event *b)
{
	switch (x->defect) {
	case MODEL_MS_EQUAL_SCOPES:
		return a->scope == b->scope && covers(x, a, b) && covers(x, b, a);
	case MODEL_MS_ONE_WAY:
		return covers(x, a, b) || covers(x, b, a);
	default:
		return covers(x, a, b) && covers(x, b, a);
	}
}

static bool morally_strong(const struct execution *x, unsigned int i, unsigned int j)
{
	const struct event *a = &x->events[i], *b = &x->events[j];
	bool strong = (x->strong & BIT(i) && x->strong & BIT(j)) || x->defect == MODEL_MS_WEAK;

	if (i == j || (x->initial & (BIT(i) | BIT(j))))
		return false;
	if (a->kind != EVENT_FENCE && b->kind != EVENT_FENCE && a->location != b->location &&
	    x->defect != MODEL_MS_ANY_LOCATION)
		return false;
	if (a->thread == b->thread && x->defect != MODEL_MS_NOT_OWN_WEAK)
		return true;
	if (x->defect == MODEL_MS_WEAK && !(x->strong & BIT(i) && x->strong & BIT(j)))
		return true;
	return strong && both_cover(x, a, b);
}

static void relate(struct execution *x)
{
	unsigned int i, j;

	for (i = 0; i < x->count; i++) {
		for (j = 0; j < x->count; j++) {
			const struct event *a = &x->events[i], *b = &x->events[j];

			if (morally_strong(x, i, j))
				x->ms.row[i] |= BIT(j);
			if (i >= j || a->thread != b->thread || a->thread < 0)
				continue;
			x->po.row[i] |= BIT(j);
			if (a->kind != EVENT_FENCE && b->kind != EVENT_FENCE &&
			    a->location == b->location)
				x->poloc.row[i] |= BIT(j);
		}
	}
}

int execution_events(struct execution *x, const struct lit_test *test, enum model_defect defect)
{
	unsigned int i, j;
	int ret = 0;

	memset(x, 0, sizeof(*x));
	x->test = test;
	x->defect = defect;
	for (i = 0; !ret && i < test->location_count; i++)
		ret = add(x, (struct event){ .kind = EVENT_WRITE, .thread = -1, .location = i });
	for (i = 0; i < test->thread_count; i++)
		for (j = 0; !ret && j < test->threads[i].op_count; j++)
			ret = add_op(x, i, &test->threads[i].ops[j]);
	if (!ret)
		relate(x);
	return ret;
}
