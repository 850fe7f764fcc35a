/* SPDX-License-Identifier: MIT */
/* Events of a test, and one candidate execution of it. */
#ifndef EXECUTION_H
#define EXECUTION_H

#include "model.h"

/** struct relation - bit b of row[a]: a is related to b */
struct relation {
	uint64_t row[MODEL_MAX_EVENTS];
};

/** enum event_kind - kind of an event */
enum event_kind {
	EVENT_READ,
	EVENT_WRITE,
	EVENT_FENCE,
};

/** struct event - an access, a half of one, or a fence */
struct event {
	enum event_kind kind;
	/**
	 * @order: of this half: acquire on reads, release on writes, else relaxed; all orders on
	 * fences.
	 */
	enum lit_order order;
	enum lit_scope scope;
	/** @thread: -1 for the initial writes. */
	int thread;
	uint8_t location;
	const struct lit_op *op;
	/** @partner: index of the other half of an RMW, -1. */
	int partner;
};

/** struct execution - the choices, and the values and relations that follow from them */
struct execution {
	const struct lit_test *test;
	enum model_defect defect;
	struct event events[MODEL_MAX_EVENTS];
	unsigned int count;
	/** @reads, @writes, @fences: sets of events; @sc_fences: fences of order sc. */
	uint64_t reads, writes, fences, sc_fences;
	/** @strong, @initial: sets. */
	uint64_t strong, initial;
	/** @at: accesses of each location. */
	uint64_t at[LIT_MAX_LOCATIONS];
	struct relation po, poloc, ms;

	/* Choices: the write that each read reads from, by event. */
	int8_t from[MODEL_MAX_EVENTS];
	/* Consequences: */
	int32_t value[MODEL_MAX_EVENTS];
	/** @absent: writes of CAS operations that failed. */
	uint64_t absent;
	struct relation rf, rmw, obs, release, acquire, sc, cause;
	/** @finals: possible final values of each location, @final_count of them. */
	int32_t finals[LIT_MAX_LOCATIONS][MODEL_MAX_EVENTS];
	unsigned int final_count[LIT_MAX_LOCATIONS];
};

/** execution_events() - events of a test, with all that does not depend on choices; 0 or -E2BIG. */
int execution_events(struct execution *x, const struct lit_test *test, enum model_defect defect);

/**
 * execution_values() - values of all events and which CAS fail, from @x->from
 *
 * Return: whether this is possible: No-Thin-Air holds, and no read is from a write that does not
 * occur.
 */
bool execution_values(struct execution *x);

/** execution_observe() - rf, rmw, obs and the release and acquire patterns. */
void execution_observe(struct execution *x);

/**
 * execution_causality() - cause, from @x->sc; false if Fence-SC, or Causality for rf, does not
 * hold.
 */
bool execution_causality(struct execution *x);

/**
 * execution_coherence() - finds @x->finals; false if some location has no coherence order that
 * meets the axioms.
 */
bool execution_coherence(struct execution *x);

/** relation_compose() - @a ; @b */
struct relation relation_compose(const struct relation *a, const struct relation *b);

/** relation_add() - @a |= @b */
void relation_add(struct relation *a, const struct relation *b);

/** relation_close() - the transitive closure, in place. */
void relation_close(struct relation *a);

/** relation_irreflexive() - whether no event of @count is related to itself. */
bool relation_irreflexive(const struct relation *a);

/**
 * relation_meets_back() - whether @a has a pair a->b of which @b has b->a: @a ; @b is reflexive
 * somewhere.
 */
bool relation_meets_back(const struct relation *a, const struct relation *b);

/** FOR_EACH_BIT - loop with @i over the bits of @set */
#define FOR_EACH_BIT(i, set)                                                               \
	for (uint64_t rest_##i = (set), i; rest_##i && (i = __builtin_ctzll(rest_##i), 1); \
	     rest_##i &= rest_##i - 1)

/** BIT - the set of event @i */
#define BIT(i) (1ull << (i))

#endif /* EXECUTION_H */
