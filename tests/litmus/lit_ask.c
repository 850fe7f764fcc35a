// SPDX-License-Identifier: MIT
/*
 * The question of a litmus test:
 *
 *   or := and { "|" and }
 *   and := not { "&" not }
 *   not := "!" not | "(" or ")" | place ("=" | "!=") number
 */
#include "lit_scan.h"

#include <errno.h>

/* Nesting depth of parentheses and "!"; a question has two or three levels. */
#define MAX_DEPTH 32

struct ask {
	struct lit_scan *scan;
	struct lit_test *test;
	unsigned int depth;
};

static char peek(struct ask *ask)
{
	struct lit_scan *scan = ask->scan;

	while (scan->at < scan->line_end && *scan->at == ' ')
		scan->at++;
	return scan->at < scan->line_end ? *scan->at : '\0';
}

static int add(struct ask *ask, struct lit_node node, uint8_t *index)
{
	if (ask->test->node_count == LIT_MAX_NODES)
		return lit_fail(ask->scan, ask->scan->at, "expected a question of at most %d parts",
				LIT_MAX_NODES);
	*index = ask->test->node_count;
	ask->test->nodes[ask->test->node_count++] = node;
	return 0;
}

static int parse_or(struct ask *ask, uint8_t *index);

static int parse_condition(struct ask *ask, uint8_t *index)
{
	struct lit_scan *scan = ask->scan;
	struct lit_word rest = { scan->at, scan->line_end - scan->at }, number;
	struct lit_node node = { .kind = LIT_EQ };
	int ret = lit_parse_place(scan, ask->test, &rest, &node.what);

	if (ret)
		return ret;
	scan->at = rest.text;
	if (peek(ask) == '!') {
		node.kind = LIT_NE;
		scan->at++;
	}
	if (scan->at == scan->line_end || *scan->at != '=')
		return lit_fail(scan, scan->at, "expected = or !=");
	scan->at++;
	peek(ask);
	number.text = scan->at;
	while (scan->at < scan->line_end &&
	       ((*scan->at >= '0' && *scan->at <= '9') || *scan->at == '-'))
		scan->at++;
	number.size = scan->at - number.text;
	if (!lit_number(number, &node.number))
		return lit_fail(scan, number.text, "expected a number of 32 bits");
	return add(ask, node, index);
}

static int parse_not(struct ask *ask, uint8_t *index)
{
	struct lit_node node = { .kind = LIT_NOT };
	char next = peek(ask);
	int ret;

	if (next != '!' && next != '(')
		return parse_condition(ask, index);
	if (++ask->depth > MAX_DEPTH)
		return lit_fail(ask->scan, ask->scan->at,
				"expected at most %d parentheses within each other", MAX_DEPTH);
	ask->scan->at++;
	if (next == '!') {
		ret = parse_not(ask, &node.left);
		ret = ret ? ret : add(ask, node, index);
	} else {
		ret = parse_or(ask, index);
		if (!ret && peek(ask) != ')')
			ret = lit_fail(ask->scan, ask->scan->at, "expected &, | or )");
		ask->scan->at += !ret;
	}
	ask->depth--;
	return ret;
}

static int parse_and(struct ask *ask, uint8_t *index)
{
	struct lit_node node = { .kind = LIT_AND };
	int ret = parse_not(ask, index);

	while (!ret && peek(ask) == '&') {
		ask->scan->at++;
		node.left = *index;
		ret = parse_not(ask, &node.right);
		if (!ret)
			ret = add(ask, node, index);
	}
	return ret;
}

static int parse_or(struct ask *ask, uint8_t *index)
{
	struct lit_node node = { .kind = LIT_OR };
	int ret = parse_and(ask, index);

	while (!ret && peek(ask) == '|') {
		ask->scan->at++;
		node.left = *index;
		ret = parse_and(ask, &node.right);
		if (!ret)
			ret = add(ask, node, index);
	}
	return ret;
}

int lit_parse_ask(struct lit_scan *scan, struct lit_test *test)
{
	struct ask ask = { .scan = scan, .test = test };
	uint8_t root;
	int ret = parse_or(&ask, &root);

	if (!ret && peek(&ask))
		ret = lit_fail(scan, scan->at, "expected &, | or the end of the line");
	test->asked = !ret;
	return ret;
}

static int32_t value_of(const struct lit_test *test, const struct lit_column *what,
			const int32_t *row)
{
	unsigned int i;

	for (i = 0; i < test->column_count; i++) {
		const struct lit_column *column = &test->columns[i];

		if (column->is_register == what->is_register &&
		    (what->is_register ?
			     column->thread == what->thread && column->reg == what->reg :
			     column->location == what->location))
			return row[i];
	}
	return 0;
}

static bool holds(const struct lit_test *test, unsigned int index, const int32_t *row)
{
	const struct lit_node *node = &test->nodes[index];

	switch (node->kind) {
	case LIT_EQ:
		return value_of(test, &node->what, row) == node->number;
	case LIT_NE:
		return value_of(test, &node->what, row) != node->number;
	case LIT_AND:
		return holds(test, node->left, row) && holds(test, node->right, row);
	case LIT_OR:
		return holds(test, node->left, row) || holds(test, node->right, row);
	case LIT_NOT:
		return !holds(test, node->left, row);
	}
	return false;
}

bool lit_asked(const struct lit_test *test, const int32_t *row)
{
	return test->asked && holds(test, test->node_count - 1, row);
}
