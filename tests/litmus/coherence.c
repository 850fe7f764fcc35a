// SPDX-License-Identifier: MIT
/* Coherence orders of each location, and the axioms that need them. */
#include "execution.h"

#include <string.h>

/* The search at one location. */
struct search {
	struct execution *x;
	uint8_t location;
	/* Writes in a linear order, the initial one first. */
	uint64_t writes;
	uint8_t order[MODEL_MAX_EVENTS];
	bool found;
};

/*
 * co: the pairs of the linear order that moral strength or causality require, with the initial
 * write before all.
 */
static struct relation coherence_of(const struct search *s, unsigned int count)
{
	const struct execution *x = s->x;
	struct relation co = { 0 };
	unsigned int i, j;

	for (i = 0; i < count; i++) {
		for (j = i + 1; j < count; j++) {
			unsigned int a = s->order[i], b = s->order[j];
			uint64_t related = x->ms.row[a];

			if (x->defect != MODEL_NO_COHERENCE)
				related |= x->cause.row[a];
			/*
			 * The opposite direction counts as well: morally strong writes are ordered
			 * either way.
			 */
			if (!i || (related & BIT(b)) || (x->ms.row[b] & BIT(a)) ||
			    x->defect == MODEL_CO_TOTAL)
				co.row[a] |= BIT(b);
		}
	}
	relation_close(&co);
	return co;
}

static struct relation from_reads(const struct search *s, const struct relation *co)
{
	const struct execution *x = s->x;
	struct relation fr = { 0 };

	FOR_EACH_BIT(i, x->reads & x->at[s->location])
	fr.row[i] = co->row[x->from[i]];
	return fr;
}

/* No morally strong write is between the halves of an RMW. */
static bool atomic(const struct search *s, const struct relation *co, const struct relation *fr)
{
	const struct execution *x = s->x;

	FOR_EACH_BIT(r, x->reads & x->at[s->location])
	FOR_EACH_BIT(w, x->rmw.row[r])
	FOR_EACH_BIT(other, fr->row[r] & x->ms.row[r])
	if (co->row[other] & BIT(w) && x->ms.row[other] & BIT(w))
		return false;
	return true;
}

static bool sc_per_location(const struct search *s, const struct relation *co,
			    const struct relation *fr)
{
	const struct execution *x = s->x;
	struct relation all = { 0 };

	FOR_EACH_BIT(i, x->at[s->location])
	{
		all.row[i] = (x->rf.row[i] | co->row[i] | fr->row[i]) & x->ms.row[i];
		all.row[i] |= x->poloc.row[i] & ~x->absent;
	}
	relation_close(&all);
	return relation_irreflexive(&all);
}

/* Any write without a successor may be the final value. */
static void add_finals(struct search *s, const struct relation *co)
{
	struct execution *x = s->x;
	int32_t *finals = x->finals[s->location];
	unsigned int *count = &x->final_count[s->location], i;

	FOR_EACH_BIT(w, s->writes)
	{
		if (co->row[w])
			continue;
		for (i = 0; i < *count; i++)
			if (finals[i] == x->value[w])
				break;
		if (i == *count)
			finals[(*count)++] = x->value[w];
	}
}

static void try_order(struct search *s, unsigned int count)
{
	const struct execution *x = s->x;
	struct relation co = coherence_of(s, count);
	struct relation fr = from_reads(s, &co);

	if (x->defect != MODEL_NO_CAUSALITY_FR && relation_meets_back(&fr, &x->cause))
		return;
	if (x->defect != MODEL_NO_ATOMICITY && !atomic(s, &co, &fr))
		return;
	if (x->defect != MODEL_NO_SC_PER_LOCATION && !sc_per_location(s, &co, &fr))
		return;
	s->found = true;
	add_finals(s, &co);
}

/* All linear orders of the writes that follow causality. */
static void extend(struct search *s, unsigned int count, uint64_t left)
{
	const struct execution *x = s->x;

	if (!left) {
		try_order(s, count);
		return;
	}
	FOR_EACH_BIT(next, left)
	{
		bool first = true;

		if (x->defect != MODEL_NO_COHERENCE)
			FOR_EACH_BIT(other, left)
		if (x->cause.row[other] & BIT(next))
			first = false;
		if (!first)
			continue;
		s->order[count] = next;
		extend(s, count + 1, left & ~BIT(next));
	}
}

bool execution_coherence(struct execution *x)
{
	unsigned int i;

	memset(x->final_count, 0, sizeof(x->final_count));
	for (i = 0; i < x->test->location_count; i++) {
		struct search s = { .x = x, .location = i };
		uint64_t initial = x->at[i] & x->initial;

		s.writes = x->writes & x->at[i] & ~x->absent;
		s.order[0] = __builtin_ctzll(initial);
		extend(&s, 1, s.writes & ~initial);
		if (!s.found)
			return false;
	}
	return true;
}
