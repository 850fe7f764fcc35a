// SPDX-License-Identifier: MIT
/* Values of an execution, given the write that each read reads from. */
#include "execution.h"

#include <string.h>

/* State of the search for values. */
struct finding {
	struct execution *x;
	uint64_t known;
};

/*
 * The last read that wrote a register before event @before of its thread; -1 if none, so that the
 * register is 0.
 */
static int source_of(const struct execution *x, unsigned int before, uint8_t reg)
{
	const struct event *user = &x->events[before];
	int i;

	for (i = before - 1; i >= 0; i--) {
		const struct event *event = &x->events[i];

		if (event->thread != user->thread || event->op == user->op)
			continue;
		if (event->kind == EVENT_READ && event->op->kind != LIT_RED &&
		    event->op->reg == reg)
			return i;
	}
	return -1;
}

/* The value of an operand of event @user; false if it is not known yet. */
static bool operand(const struct finding *f, unsigned int user, const struct lit_value *value,
		    int32_t *out)
{
	int source = value->is_register ? source_of(f->x, user, value->reg) : -1;

	*out = value->is_register ? 0 : value->number;
	if (source < 0)
		return true;
	*out = f->x->value[source];
	return f->known & BIT(source);
}

static bool find_rmw(struct finding *f, unsigned int i, const struct lit_op *op, int32_t *out)
{
	struct execution *x = f->x;
	unsigned int read = x->events[i].partner;
	int32_t old = x->value[read], value, desired;

	/* Its own read half counts as a dependency, whatever the operation. */
	if (!(f->known & BIT(read)) || !operand(f, i, &op->value, &value))
		return false;
	switch (op->rmw) {
	case LIT_ADD:
		*out = (int32_t)((uint32_t)old + (uint32_t)value);
		return true;
	case LIT_SUB:
		*out = (int32_t)((uint32_t)old - (uint32_t)value);
		return true;
	case LIT_EXCH:
		*out = value;
		return true;
	case LIT_CAS:
		break;
	}
	if (!operand(f, i, &op->desired, &desired))
		return false;
	*out = old == value ? desired : old;
	if (old != value && x->defect != MODEL_FAILED_CAS_WRITES)
		x->absent |= BIT(i);
	return true;
}

static bool find_one(struct finding *f, unsigned int i)
{
	struct execution *x = f->x;
	const struct event *event = &x->events[i];

	if (event->thread < 0) {
		x->value[i] = x->test->initial[event->location];
		return true;
	}
	if (event->kind == EVENT_READ) {
		x->value[i] = x->value[x->from[i]];
		return f->known & BIT(x->from[i]);
	}
	if (event->op->kind == LIT_ST)
		return operand(f, i, &event->op->value, &x->value[i]);
	return find_rmw(f, i, event->op, &x->value[i]);
}

static void find_all(struct finding *f)
{
	uint64_t before;

	do {
		before = f->known;
		FOR_EACH_BIT(i, (f->x->reads | f->x->writes) & ~f->known)
		if (find_one(f, i))
			f->known |= BIT(i);
	} while (f->known != before);
}

/* Out of thin air: a number of the test that is consistent with itself. */
static bool guess(struct finding *f)
{
	struct execution *x = f->x;
	uint64_t unknown = (x->reads | x->writes) & ~f->known;
	uint64_t loop = unknown & x->reads;

	/* The tests write no other number. */
	if (x->defect != MODEL_NO_THIN_AIR || !loop)
		return false;
	FOR_EACH_BIT(i, loop)
	x->value[i] = 1;
	f->known |= loop;
	find_all(f);
	FOR_EACH_BIT(i, loop)
	if (x->value[x->from[i]] != 1)
		return false;
	return true;
}

bool execution_values(struct execution *x)
{
	struct finding f = { .x = x };

	x->absent = 0;
	find_all(&f);
	if (f.known != (x->reads | x->writes) && !guess(&f))
		return false;
	FOR_EACH_BIT(i, x->reads)
	if (x->absent & BIT(x->from[i]))
		return false;
	return true;
}
