// SPDX-License-Identifier: MIT
/* All executions of a test, and their outcomes. */
#include "model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "execution.h"

/* Limit of executions with different reads-from or fence orders; the tests have some thousands. */
#define MAX_EXECUTIONS 20000000u

struct enumeration {
	struct execution x;
	struct model_rows *out;
	uint8_t fences[MODEL_MAX_EVENTS];
	unsigned int executions;
	/* First error. */
	int error;
};

static int add_row(struct model_rows *out, unsigned int columns, const int32_t *row)
{
	size_t low = 0, high = out->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = lit_compare(row, out->rows + middle * columns, columns);

		if (!order)
			return 0;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	if (out->count == out->capacity) {
		size_t capacity = out->capacity ? 2 * out->capacity : 32;
		int32_t *grown = realloc(out->rows, capacity * columns * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		out->rows = grown;
		out->capacity = capacity;
	}
	memmove(out->rows + (low + 1) * columns, out->rows + low * columns,
		(out->count - low) * columns * sizeof(*row));
	memcpy(out->rows + low * columns, row, columns * sizeof(*row));
	out->count++;
	return 0;
}

/* Final value of a register: that of the last read that writes it. */
static int32_t register_value(const struct execution *x, const struct lit_column *column)
{
	int32_t value = 0;

	FOR_EACH_BIT(i, x->reads)
	{
		const struct event *event = &x->events[i];

		if (event->thread == column->thread && event->op->kind != LIT_RED &&
		    event->op->reg == column->reg)
			value = x->value[i];
	}
	return value;
}

/* Locations are independent of each other: every combination of their final values. */
static int add_outcomes(struct enumeration *e, unsigned int column, int32_t *row)
{
	const struct execution *x = &e->x;
	const struct lit_test *test = x->test;
	unsigned int location, i;
	int ret = 0;

	if (column == test->column_count)
		return add_row(e->out, test->column_count, row);
	if (test->columns[column].is_register) {
		row[column] = register_value(x, &test->columns[column]);
		return add_outcomes(e, column + 1, row);
	}
	location = test->columns[column].location;
	for (i = 0; !ret && i < x->final_count[location]; i++) {
		row[column] = x->finals[location][i];
		ret = add_outcomes(e, column + 1, row);
	}
	return ret;
}

static void judge(struct enumeration *e)
{
	int32_t row[LIT_MAX_COLUMNS];

	if (++e->executions > MAX_EXECUTIONS)
		e->error = -E2BIG;
	if (!e->error && execution_causality(&e->x) && execution_coherence(&e->x))
		e->error = add_outcomes(e, 0, row);
}

/* sc: the pairs of the linear order of the fences that are morally strong. */
static void take_fence_order(struct enumeration *e, unsigned int count)
{
	struct execution *x = &e->x;
	unsigned int i, j;

	memset(&x->sc, 0, sizeof(x->sc));
	for (i = 0; x->defect != MODEL_SC_NO_ORDER && i < count; i++)
		for (j = i + 1; j < count; j++)
			if (x->ms.row[e->fences[i]] & BIT(e->fences[j]) ||
			    x->defect == MODEL_SC_NOT_STRONG)
				x->sc.row[e->fences[i]] |= BIT(e->fences[j]);
	judge(e);
}

/* Every linear order of the fences that follows program order; Fence-SC would reject the others. */
static void order_fences(struct enumeration *e, unsigned int count, uint64_t left)
{
	if (!left) {
		take_fence_order(e, count);
		return;
	}
	FOR_EACH_BIT(next, left)
	{
		bool first = true;

		FOR_EACH_BIT(other, left)
		if (e->x.po.row[other] & BIT(next))
			first = false;
		if (!first || e->error)
			continue;
		e->fences[count] = next;
		order_fences(e, count + 1, left & ~BIT(next));
	}
}

/* Every write of its location for every read. */
static void choose_reads(struct enumeration *e, uint64_t left)
{
	struct execution *x = &e->x;
	unsigned int read;

	if (e->error)
		return;
	if (!left) {
		if (++e->executions > MAX_EXECUTIONS)
			e->error = -E2BIG;
		if (!execution_values(x))
			return;
		execution_observe(x);
		order_fences(e, 0, x->sc_fences);
		return;
	}
	read = __builtin_ctzll(left);
	FOR_EACH_BIT(write, x->writes & x->at[x->events[read].location])
	{
		/* A read does not read from a later write of its own thread. */
		if (x->poloc.row[read] & BIT(write) && x->defect != MODEL_NO_SC_PER_LOCATION)
			continue;
		x->from[read] = write;
		choose_reads(e, left & (left - 1));
	}
}

int model_outcomes(const struct lit_test *test, enum model_defect defect, struct model_rows *out)
{
	struct enumeration *e = calloc(1, sizeof(*e));
	int ret;

	memset(out, 0, sizeof(*out));
	if (!e)
		return -ENOMEM;
	e->out = out;
	ret = execution_events(&e->x, test, defect);
	if (!ret) {
		if (defect == MODEL_FENCE_ACQ_REL_IS_SC)
			FOR_EACH_BIT(i, e->x.fences)
		if (e->x.events[i].order == LIT_ACQ_REL)
			e->x.sc_fences |= BIT(i);
		choose_reads(e, e->x.reads);
		ret = e->error;
	}
	free(e);
	if (ret) {
		free(out->rows);
		memset(out, 0, sizeof(*out));
	}
	return ret;
}
