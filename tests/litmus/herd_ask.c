// SPDX-License-Identifier: MIT
/*
 * The end of a file of herd7:
 *
 *   scopes := "scopes" ":" "(" "sys" device... ")"
 *   device := "(" "gpu" cta... ")", cta := "(" "cta" thread... ")"
 *   end    := ["locations" "[" ... "]"] ("exists" | "~" "exists" | "forall") or
 *   or     := and { "\/" and }, and := not { "/\" not }
 *   not    := ("not" | "~") not | "(" or ")" | place ("=" | "!=" | "<>") number
 */
#include "herd_scan.h"

#include <errno.h>
#include <string.h>

/* Nesting depth of a question, which has two or three levels. */
#define HERD_DEPTH 32

static int herd_cta(struct herd *h, unsigned int device, unsigned int cta, uint32_t *placed)
{
	struct lit_word word;
	unsigned int thread;
	int ret;

	while (!herd_take(h, ")")) {
		word = herd_peek(h);
		ret = herd_proc(h, &thread);
		if (!ret && *placed >> thread & 1)
			ret = herd_fail(h, word.text, "expected each thread once");
		if (ret)
			return ret;
		*placed |= 1u << thread;
		h->test->threads[thread].dev = device;
		h->test->threads[thread].cta = cta;
	}
	return 0;
}

/* "(" NAME, or the end of the list: 1, 0, or an error. */
static int herd_open(struct herd *h, const char *name)
{
	int ret;

	if (herd_take(h, ")"))
		return 0;
	ret = herd_expect(h, "(");
	ret = ret ? ret : herd_expect(h, name);
	return ret ? ret : 1;
}

static int herd_tree(struct herd *h, uint32_t *placed)
{
	unsigned int devices = 0, ctas = 0;
	int ret = herd_expect(h, "(");

	ret = ret ? ret : herd_expect(h, "sys");
	while (!ret) {
		ret = herd_open(h, "gpu");
		if (ret <= 0)
			return ret;
		while ((ret = herd_open(h, "cta")) > 0) {
			ret = herd_cta(h, devices, ctas++, placed);
			if (ret)
				return ret;
		}
		devices++;
	}
	return ret;
}

/* Threads of the host leave their devices, and the others are numbered from 0. */
static void herd_leave_devices(struct herd *h)
{
	unsigned int host_devices[LIT_MAX_THREADS], hosts = 0, i, j, before;

	for (i = 0; i < h->test->thread_count; i++) {
		struct lit_thread *thread = &h->test->threads[i];

		if (!(h->hosts >> i & 1))
			continue;
		host_devices[hosts++] = thread->dev;
		thread->host = true;
		thread->dev = thread->cta = 0;
	}
	for (i = 0; i < h->test->thread_count; i++) {
		if (h->test->threads[i].host)
			continue;
		for (before = 0, j = 0; j < hosts; j++)
			before += host_devices[j] < h->test->threads[i].dev;
		h->test->threads[i].dev -= before;
	}
}

/* Threads of the host, whose only scope is sys. */
static int herd_hosts(struct herd *h, const char *at)
{
	unsigned int i, j;

	if (h->hosts >> h->test->thread_count)
		return herd_fail(h, h->text, "expected threads of the file after Host=");
	for (i = 0; i < h->test->thread_count; i++) {
		struct lit_thread *thread = &h->test->threads[i];

		if (!(h->hosts >> i & 1))
			continue;
		for (j = 0; j < h->test->thread_count; j++)
			if (j != i && h->test->threads[j].dev == thread->dev)
				return herd_fail(
					h, at, "expected a gpu of its own for P%u of the host", i);
		for (j = 0; j < thread->op_count; j++)
			if (thread->ops[j].order != LIT_WEAK && thread->ops[j].scope != LIT_SYS)
				return herd_fail(h, at, "expected scope sys in P%u of the host", i);
	}
	herd_leave_devices(h);
	return 0;
}

int herd_scopes(struct herd *h)
{
	uint32_t placed = 0;
	const char *at;
	int ret = herd_expect(h, "scopes");

	ret = ret ? ret : herd_expect(h, ":");
	at = h->at;
	ret = ret ? ret : herd_tree(h, &placed);
	if (!ret && placed != (1u << h->test->thread_count) - 1)
		ret = herd_fail(h, at, "expected a place for P%d in the scopes",
				__builtin_ctz(~placed));
	return ret ? ret : herd_hosts(h, at);
}

static int herd_register(struct herd *h, struct lit_word thread, struct lit_column *what)
{
	struct lit_word word = herd_next(h);
	unsigned int wanted;
	int32_t number;
	int found;

	if (!lit_number(thread, &number) || number < 0 || number >= (int)h->test->thread_count)
		return herd_fail(h, thread.text, "expected the number of a thread, 0..%u",
				 h->test->thread_count - 1);
	if (!lit_register(word, &wanted))
		return herd_fail(h, word.text, "expected a register, like r0");
	found = lit_find_register(&h->test->threads[number], wanted);
	if (found >= 0) {
		*what = (struct lit_column){ .is_register = true, .thread = number, .reg = found };
		return 0;
	}
	return herd_fail(h, word.text, "expected a register that P%d writes, not r%u", number,
			 wanted);
}

/* "1:r0", "x" or "[x]". */
static int herd_place(struct herd *h, struct lit_column *what)
{
	struct lit_word word = herd_next(h);
	bool bracket = lit_is(word, "[");
	int location;

	memset(what, 0, sizeof(*what));
	if (!bracket && herd_take(h, ":"))
		return herd_register(h, word, what);
	if (bracket)
		word = herd_next(h);
	location = lit_find_location(h->test, word);
	if (location < 0)
		return herd_fail(h, word.text, "expected a register, like 1:r0, or a location");
	what->location = location;
	return bracket ? herd_expect(h, "]") : 0;
}

static int herd_add(struct herd *h, struct lit_node node, uint8_t *index)
{
	if (h->test->node_count == LIT_MAX_NODES)
		return herd_fail(h, h->at, "expected a question of at most %d parts",
				 LIT_MAX_NODES);
	*index = h->test->node_count;
	h->test->nodes[h->test->node_count++] = node;
	return 0;
}

static int herd_condition(struct herd *h, uint8_t *index)
{
	struct lit_node node = { .kind = LIT_EQ };
	int ret = herd_place(h, &node.what);
	struct lit_word word;

	if (ret)
		return ret;
	word = herd_next(h);
	if (lit_is(word, "!=") || lit_is(word, "<>"))
		node.kind = LIT_NE;
	else if (!lit_is(word, "="))
		return herd_fail(h, word.text, "expected = or !=");
	word = herd_next(h);
	if (!lit_number(word, &node.number))
		return herd_fail(h, word.text, "expected a number of 32 bits");
	return herd_add(h, node, index);
}

static int herd_or(struct herd *h, unsigned int depth, uint8_t *index);

static int herd_not(struct herd *h, unsigned int depth, uint8_t *index)
{
	struct lit_node node = { .kind = LIT_NOT };
	bool negated = herd_take(h, "not") || herd_take(h, "~");
	int ret;

	if (depth > HERD_DEPTH)
		return herd_fail(h, h->at, "expected at most %d levels of parentheses", HERD_DEPTH);
	if (negated) {
		ret = herd_not(h, depth + 1, &node.left);
		return ret ? ret : herd_add(h, node, index);
	}
	if (!herd_take(h, "("))
		return herd_condition(h, index);
	ret = herd_or(h, depth + 1, index);
	return ret ? ret : herd_expect(h, ")");
}

static int herd_and(struct herd *h, unsigned int depth, uint8_t *index)
{
	struct lit_node node = { .kind = LIT_AND };
	int ret = herd_not(h, depth, index);

	while (!ret && herd_take(h, "/\\")) {
		node.left = *index;
		ret = herd_not(h, depth, &node.right);
		if (!ret)
			ret = herd_add(h, node, index);
	}
	return ret;
}

static int herd_or(struct herd *h, unsigned int depth, uint8_t *index)
{
	struct lit_node node = { .kind = LIT_OR };
	int ret = herd_and(h, depth, index);

	while (!ret && herd_take(h, "\\/")) {
		node.left = *index;
		ret = herd_and(h, depth, &node.right);
		if (!ret)
			ret = herd_add(h, node, index);
	}
	return ret;
}

/* "locations [x; 0:r0;]": the table has all registers and locations in any case. */
static int herd_locations(struct herd *h)
{
	struct lit_column what;
	int ret = herd_expect(h, "[");

	while (!ret && !herd_take(h, "]")) {
		ret = herd_place(h, &what);
		if (!ret && !lit_is(herd_peek(h), "]"))
			ret = herd_expect(h, ";");
	}
	return ret;
}

/* "(true)" asks nothing. */
static bool herd_nothing(struct herd *h)
{
	const char *at = h->at;

	if (herd_take(h, "(") && herd_take(h, "true") && herd_take(h, ")"))
		return true;
	h->at = at;
	return false;
}

/* "forall P" asks whether an outcome without P may occur, which is forbidden. */
static int herd_quantifier(struct herd *h, bool *forall)
{
	struct lit_word word = herd_peek(h);
	bool negated = herd_take(h, "~");

	*forall = !negated && herd_take(h, "forall");
	if (!*forall && !herd_take(h, "exists"))
		return herd_fail(h, word.text, "expected exists, ~exists or forall");
	if (!negated && !*forall)
		return 0;
	if (h->test->judged && h->test->allowed)
		return herd_fail(h, word.text, "expected exists: the file has Verdict=allowed");
	h->test->judged = true;
	return 0;
}

int herd_question(struct herd *h)
{
	struct lit_node node = { .kind = LIT_NOT };
	struct lit_word rest;
	bool forall;
	uint8_t root;
	int ret = 0;

	if (herd_take(h, "locations"))
		ret = herd_locations(h);
	ret = ret ? ret : herd_quantifier(h, &forall);
	if (ret)
		return ret;
	if (forall && herd_nothing(h)) {
		h->test->judged = false;
	} else {
		ret = herd_or(h, 0, &node.left);
		root = node.left;
		if (!ret && forall)
			ret = herd_add(h, node, &root);
		h->test->asked = !ret;
	}
	rest = herd_peek(h);
	if (!ret && (rest.size || h->lost))
		ret = herd_fail(h, rest.text, "expected /\\, \\/ or the end of the file");
	return ret;
}
