// SPDX-License-Identifier: MIT
/* Instruction lines of a litmus test. */
#include "lit_scan.h"

#include <errno.h>
#include <string.h>

/* Syntax of each kind of instruction. */
static const struct {
	const char *name;
	/* Bits of enum lit_order. */
	unsigned int orders;
	const char *allowed;
} kinds[] = {
	[LIT_LD] = { "ld", 1 << LIT_WEAK | 1 << LIT_RELAXED | 1 << LIT_ACQUIRE,
		     "weak, relaxed or acquire" },
	[LIT_ST] = { "st", 1 << LIT_WEAK | 1 << LIT_RELAXED | 1 << LIT_RELEASE,
		     "weak, relaxed or release" },
	[LIT_ATOM] = { "atom",
		       1 << LIT_RELAXED | 1 << LIT_ACQUIRE | 1 << LIT_RELEASE | 1 << LIT_ACQ_REL,
		       "relaxed, acquire, release or acq_rel" },
	[LIT_RED] = { "red", 1 << LIT_RELAXED | 1 << LIT_RELEASE, "relaxed or release" },
	[LIT_FENCE] = { "fence",
			1 << LIT_ACQUIRE | 1 << LIT_RELEASE | 1 << LIT_ACQ_REL | 1 << LIT_SC,
			"acquire, release, acq_rel or sc" },
};

const char *const lit_order_names[] = {
	[LIT_WEAK] = "weak",	   [LIT_RELAXED] = "relaxed", [LIT_ACQUIRE] = "acquire",
	[LIT_RELEASE] = "release", [LIT_ACQ_REL] = "acq_rel", [LIT_SC] = "sc",
};

const char *const lit_scope_names[] = {
	[LIT_CTA] = "cta",
	[LIT_GPU] = "gpu",
	[LIT_SYS] = "sys",
};

const char *const lit_rmw_names[] = {
	[LIT_ADD] = "add",
	[LIT_SUB] = "sub",
	[LIT_EXCH] = "exch",
	[LIT_CAS] = "cas",
};

const char *lit_kind_name(enum lit_kind kind)
{
	return kinds[kind].name;
}

/* Index of a word among @count names, which may have gaps; -1. */
static int find(struct lit_word word, const char *const *names, int count)
{
	int i;

	for (i = 0; i < count; i++)
		if (names[i] && lit_is(word, names[i]))
			return i;
	return -1;
}

/* "order" or "order.scope". */
static int parse_order(struct lit_scan *scan, const struct lit_thread *thread, struct lit_op *op)
{
	struct lit_word word = lit_next_word(scan), order = word, scope;
	const char *dot = memchr(word.text, '.', word.size);
	int found;

	if (dot)
		order.size = dot - word.text;
	found = find(order, lit_order_names, LIT_SC + 1);
	if (found < 0 || !(kinds[op->kind].orders & 1u << found))
		return lit_fail(scan, word.text, "expected the order of %s: %s",
				kinds[op->kind].name, kinds[op->kind].allowed);
	op->order = found;
	if (found == LIT_WEAK)
		return dot ? lit_fail(scan, dot, "expected no scope: a weak access has none") : 0;
	if (!dot)
		return lit_fail(scan, word.text + word.size, "expected .cta, .gpu or .sys");
	scope.text = dot + 1;
	scope.size = word.size - order.size - 1;
	found = find(scope, lit_scope_names, LIT_SYS + 1);
	if (found < 0)
		return lit_fail(scan, scope.text, "expected a scope: cta, gpu or sys");
	op->scope = found;
	if (thread->host && found != LIT_SYS)
		return lit_fail(scan, scope.text, "expected sys: the scope of a host thread");
	return 0;
}

/* Parses a register of the thread, and adds it if it is new. */
static int take_register(struct lit_scan *scan, struct lit_thread *thread, struct lit_word word,
			 uint8_t *index)
{
	unsigned int number, i;

	if (!lit_register(word, &number))
		return lit_fail(scan, word.text, "expected a register, like r0");
	for (i = 0; i < thread->register_count; i++)
		if (thread->registers[i] == number)
			break;
	if (i == LIT_MAX_REGISTERS)
		return lit_fail(scan, word.text, "expected at most %d registers in a thread",
				LIT_MAX_REGISTERS);
	if (i == thread->register_count)
		thread->registers[thread->register_count++] = number;
	*index = i;
	return 0;
}

static int parse_destination(struct lit_scan *scan, struct lit_thread *thread, struct lit_op *op)
{
	int ret = take_register(scan, thread, lit_next_word(scan), &op->reg);

	if (!ret)
		thread->written |= 1u << op->reg;
	return ret;
}

static int parse_location(struct lit_scan *scan, const struct lit_test *test, struct lit_op *op)
{
	struct lit_word word = lit_next_word(scan);
	int location = lit_find_location(test, word);

	if (location < 0)
		return lit_fail(scan, word.text, "expected a location of the init line");
	op->location = location;
	return 0;
}

static int parse_value(struct lit_scan *scan, struct lit_thread *thread, struct lit_value *value)
{
	struct lit_word word = lit_next_word(scan);
	uint8_t reg;
	int ret;

	if (lit_number(word, &value->number))
		return 0;
	if (!word.size || word.text[0] != 'r')
		return lit_fail(scan, word.text, "expected a number or a register");
	ret = take_register(scan, thread, word, &reg);
	value->is_register = true;
	value->reg = reg;
	if (!ret && !(thread->written >> reg & 1))
		ret = lit_fail(scan, word.text, "expected a register that was written before");
	return ret;
}

static int parse_rmw(struct lit_scan *scan, struct lit_op *op)
{
	struct lit_word word = lit_next_word(scan);
	int found = find(word, lit_rmw_names, LIT_CAS + 1);

	if (found < 0 || (op->kind == LIT_RED && found == LIT_CAS))
		return lit_fail(scan, word.text, "expected an operation: add, sub, exch%s",
				op->kind == LIT_RED ? "" : " or cas");
	op->rmw = found;
	return 0;
}

static int parse_atom(struct lit_scan *scan, const struct lit_test *test, struct lit_thread *thread,
		      struct lit_op *op)
{
	uint32_t before = thread->written;
	int ret = parse_rmw(scan, op);

	if (!ret && op->kind == LIT_ATOM)
		ret = parse_destination(scan, thread, op);
	if (!ret)
		ret = parse_location(scan, test, op);
	if (ret)
		return ret;
	/* The result register is no valid operand, unless it was written before. */
	thread->written = before;
	ret = parse_value(scan, thread, &op->value);
	if (!ret && op->rmw == LIT_CAS)
		ret = parse_value(scan, thread, &op->desired);
	if (op->kind == LIT_ATOM)
		thread->written |= 1u << op->reg;
	return ret;
}

static int parse_arguments(struct lit_scan *scan, const struct lit_test *test,
			   struct lit_thread *thread, struct lit_op *op)
{
	int ret;

	switch (op->kind) {
	case LIT_LD:
		ret = parse_destination(scan, thread, op);
		return ret ? ret : parse_location(scan, test, op);
	case LIT_ST:
		ret = parse_location(scan, test, op);
		return ret ? ret : parse_value(scan, thread, &op->value);
	case LIT_ATOM:
	case LIT_RED:
		return parse_atom(scan, test, thread, op);
	case LIT_FENCE:
		break;
	}
	return 0;
}

int lit_parse_op(struct lit_scan *scan, struct lit_test *test, struct lit_thread *thread,
		 struct lit_word word)
{
	struct lit_op op = { .line = scan->line_number };
	int ret;

	for (op.kind = LIT_LD; op.kind <= LIT_FENCE; op.kind++)
		if (lit_is(word, kinds[op.kind].name))
			break;
	if (op.kind > LIT_FENCE)
		return lit_fail(scan, word.text, "expected ld, st, atom, red or fence");
	if (thread->op_count == LIT_MAX_OPS)
		return lit_fail(scan, word.text, "expected at most %d instructions in a thread",
				LIT_MAX_OPS);
	ret = parse_order(scan, thread, &op);
	if (!ret)
		ret = parse_arguments(scan, test, thread, &op);
	if (!ret)
		ret = lit_line_done(scan);
	if (!ret)
		thread->ops[thread->op_count++] = op;
	return ret;
}
