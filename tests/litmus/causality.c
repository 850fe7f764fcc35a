// SPDX-License-Identifier: MIT
/* Observation, patterns, synchronisation and causality of an execution. */
#include "execution.h"

#include <string.h>

/* obs = (ms & rf) | obs;rmw;obs */
static void observe(struct execution *x)
{
	struct relation chain = x->rmw, step, next;
	unsigned int i;

	if (x->defect == MODEL_OBS_CHAIN_STORE)
		/* As if a load and a later store to its location were a read-modify-write. */
		for (i = 0; i < x->count; i++)
			if (x->reads & BIT(i))
				chain.row[i] |= x->poloc.row[i] & x->writes & x->strong;
	for (i = 0; i < x->count; i++) {
		x->obs.row[i] = x->rf.row[i];
		if (x->defect != MODEL_OBS_NOT_STRONG)
			x->obs.row[i] &= x->ms.row[i];
		if (x->defect == MODEL_OBS_NO_CHAIN_RED && x->events[i].kind == EVENT_READ &&
		    x->events[i].op->kind == LIT_RED)
			chain.row[i] = 0;
	}
	if (x->defect == MODEL_OBS_NO_CHAIN)
		return;
	do {
		next = x->obs;
		step = relation_compose(&chain, &x->obs);
		step = relation_compose(&x->obs, &step);
		relation_add(&x->obs, &step);
	} while (memcmp(&next, &x->obs, sizeof(next)));
}

static bool releases(const struct execution *x, const struct event *event)
{
	if (event->kind == EVENT_WRITE)
		return event->order == LIT_RELEASE ||
		       (x->defect == MODEL_RELEASE_OF_RELAXED && event->order == LIT_RELAXED);
	return event->order == LIT_RELEASE || event->order == LIT_ACQ_REL ||
	       (event->order == LIT_SC && x->defect != MODEL_FENCE_SC_NO_RELEASE) ||
	       (event->order == LIT_ACQUIRE && x->defect == MODEL_FENCE_ACQUIRE_RELEASES);
}

static bool acquires(const struct execution *x, const struct event *event)
{
	if (event->kind == EVENT_READ)
		return event->order == LIT_ACQUIRE ||
		       (x->defect == MODEL_ACQUIRE_OF_RELAXED && event->order == LIT_RELAXED);
	return event->order == LIT_ACQUIRE || event->order == LIT_ACQ_REL ||
	       (event->order == LIT_SC && x->defect != MODEL_FENCE_SC_NO_ACQUIRE) ||
	       (event->order == LIT_RELEASE && x->defect == MODEL_FENCE_RELEASE_ACQUIRES);
}

/* [WREL];poloc?;[strong W] | [FREL];po;[strong W] */
static void release_patterns(struct execution *x)
{
	uint64_t ends = x->writes & ~x->initial & ~x->absent;
	unsigned int i;

	if (x->defect != MODEL_RELEASE_TO_WEAK)
		ends &= x->strong;
	memset(&x->release, 0, sizeof(x->release));
	for (i = 0; i < x->count; i++) {
		const struct event *event = &x->events[i];

		if (event->kind == EVENT_READ || event->thread < 0 || (x->absent & BIT(i)) ||
		    !releases(x, event))
			continue;
		if (event->kind == EVENT_FENCE || x->defect == MODEL_RELEASE_ANY_LOCATION)
			x->release.row[i] = x->po.row[i] & ends;
		else if (x->defect != MODEL_RELEASE_NO_LATER_WRITE)
			x->release.row[i] = x->poloc.row[i] & ends;
		if (event->kind == EVENT_WRITE)
			x->release.row[i] |= BIT(i);
	}
}

/* [strong R];poloc?;[RACQ] | [strong R];po;[FACQ], without the reads of reductions. */
static void acquire_patterns(struct execution *x)
{
	uint64_t starts = x->reads;
	unsigned int i, j;

	if (x->defect != MODEL_ACQUIRE_FROM_WEAK)
		starts &= x->strong;
	if (x->defect != MODEL_ACQUIRE_OF_RED)
		FOR_EACH_BIT(k, starts)
	if (x->events[k].op->kind == LIT_RED)
		starts &= ~BIT(k);
	memset(&x->acquire, 0, sizeof(x->acquire));
	for (j = 0; j < x->count; j++) {
		const struct event *event = &x->events[j];

		if (event->kind == EVENT_WRITE || !acquires(x, event) ||
		    (event->kind == EVENT_READ && !(starts & BIT(j))))
			continue;
		for (i = 0; i < x->count; i++) {
			const struct relation *before =
				event->kind == EVENT_FENCE ||
						x->defect == MODEL_ACQUIRE_ANY_LOCATION ?
					&x->po :
					&x->poloc;

			if (i != j && event->kind == EVENT_READ &&
			    x->defect == MODEL_ACQUIRE_NO_EARLIER_READ)
				continue;
			if (starts & BIT(i) && (i == j || before->row[i] & BIT(j)))
				x->acquire.row[i] |= BIT(j);
		}
	}
}

void execution_observe(struct execution *x)
{
	memset(&x->rf, 0, sizeof(x->rf));
	memset(&x->rmw, 0, sizeof(x->rmw));
	FOR_EACH_BIT(i, x->reads)
	{
		int write = x->events[i].partner;

		x->rf.row[x->from[i]] |= BIT(i);
		if (write >= 0 && !(x->absent & BIT(write)))
			x->rmw.row[i] |= BIT(write);
	}
	observe(x);
	release_patterns(x);
	acquire_patterns(x);
}

/* sw = ms & (release ; obs ; acquire) */
static struct relation synchronisation(const struct execution *x)
{
	struct relation sw = relation_compose(&x->release, &x->obs);
	unsigned int i;

	sw = relation_compose(&sw, &x->acquire);
	if (x->defect != MODEL_SW_NOT_STRONG)
		for (i = 0; i < x->count; i++)
			sw.row[i] &= x->ms.row[i];
	return sw;
}

/* cb = (po? ; (sw | sc) ; po?)+ */
static struct relation base_causality(const struct execution *x)
{
	struct relation step = synchronisation(x), part, cb;

	relation_add(&step, &x->sc);
	cb = step;
	part = relation_compose(&x->po, &step);
	relation_add(&cb, &part);
	part = relation_compose(&cb, &x->po);
	relation_add(&cb, &part);
	if (x->defect == MODEL_CB_WITH_PO)
		relation_add(&cb, &x->po);
	relation_close(&cb);
	return cb;
}

bool execution_causality(struct execution *x)
{
	struct relation cb = base_causality(x), rest = cb;

	x->cause = cb;
	if (x->defect == MODEL_CAUSE_OBS_EVERYWHERE) {
		relation_add(&x->cause, &x->obs);
		relation_add(&x->cause, &x->po);
		relation_close(&x->cause);
	} else if (x->defect != MODEL_CAUSE_WITHOUT_OBS) {
		if (x->defect != MODEL_CAUSE_OBS_NO_POLOC)
			relation_add(&rest, &x->poloc);
		rest = relation_compose(&x->obs, &rest);
		relation_add(&x->cause, &rest);
	}
	if (x->defect != MODEL_NO_FENCE_SC && relation_meets_back(&x->sc, &x->cause))
		return false;
	return x->defect == MODEL_NO_CAUSALITY_RF || !relation_meets_back(&x->rf, &x->cause);
}
