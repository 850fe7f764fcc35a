// SPDX-License-Identifier: MIT
/* Litmus tests as files of herd7, in its language LISA. */
#include "herd.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lit_scan.h"

/* Words of LISA, which are no names of locations there. */
static const char *const herd_reserved[] = { "r",   "w",      "f",	"b",	  "call", "rmw",
					     "mov", "add",    "and",	"xor",	  "eq",	  "ne",
					     "neq", "scopes", "levels", "regions" };

/* A cell of the table of instructions. */
struct herd_cell {
	char text[80];
};

static int herd_refuse(const struct lit_test *test, const struct lit_op *op, const char *why)
{
	fprintf(stderr, "%s: line %u: %s\n", test->name, op->line, why);
	return -EOPNOTSUPP;
}

/* "[order]", "[order,scope]" or "[red,order,scope]". */
static void herd_annotation(const struct lit_op *op, char *text, size_t size)
{
	if (op->order == LIT_WEAK)
		snprintf(text, size, "[weak]");
	else
		snprintf(text, size, "[%s%s,%s]", op->kind == LIT_RED ? "red," : "",
			 lit_order_names[op->order], lit_scope_names[op->scope]);
}

static void herd_value(const struct lit_thread *thread, const struct lit_value *value, bool negate,
		       char *text, size_t size)
{
	if (value->is_register)
		snprintf(text, size, "r%u", thread->registers[value->reg]);
	else
		snprintf(text, size, "%d",
			 negate ? (int32_t)(0u - (uint32_t)value->number) : value->number);
}

/* The result register of a reduction, which LISA needs: one that the thread does not name. */
static unsigned int herd_unused(const struct lit_thread *thread)
{
	unsigned int number = 0, i;

	for (i = 0; i < thread->register_count; i++)
		if (thread->registers[i] == number) {
			number++;
			i = -1u;
		}
	return number;
}

static int herd_rmw(const struct lit_test *test, const struct lit_thread *thread,
		    const struct lit_op *op, struct herd_cell *cell)
{
	unsigned int reg = op->kind == LIT_RED ? herd_unused(thread) : thread->registers[op->reg];
	char annotation[40], value[16];

	if (op->rmw == LIT_CAS)
		return herd_refuse(test, op, "LISA has no compare-exchange");
	if (op->rmw == LIT_SUB && op->value.is_register)
		return herd_refuse(test, op, "LISA has no subtraction of a register");
	if (op->rmw != LIT_EXCH && op->kind == LIT_ATOM && op->value.is_register &&
	    op->value.reg == op->reg)
		return herd_refuse(test, op,
				   "LISA has no operand that is also the result register");
	herd_annotation(op, annotation, sizeof(annotation));
	herd_value(thread, &op->value, op->rmw == LIT_SUB, value, sizeof(value));
	if (op->rmw == LIT_EXCH)
		snprintf(cell->text, sizeof(cell->text), "rmw%s r%u %s %s", annotation, reg, value,
			 test->locations[op->location]);
	else
		snprintf(cell->text, sizeof(cell->text), "rmw%s r%u (add r%u %s) %s", annotation,
			 reg, reg, value, test->locations[op->location]);
	return 0;
}

static int herd_instruction(const struct lit_test *test, const struct lit_thread *thread,
			    const struct lit_op *op, struct herd_cell *cell)
{
	char annotation[40], value[16];

	herd_annotation(op, annotation, sizeof(annotation));
	switch (op->kind) {
	case LIT_LD:
		snprintf(cell->text, sizeof(cell->text), "r%s r%u %s", annotation,
			 thread->registers[op->reg], test->locations[op->location]);
		return 0;
	case LIT_ST:
		herd_value(thread, &op->value, false, value, sizeof(value));
		snprintf(cell->text, sizeof(cell->text), "w%s %s %s", annotation,
			 test->locations[op->location], value);
		return 0;
	case LIT_FENCE:
		snprintf(cell->text, sizeof(cell->text), "f%s", annotation);
		return 0;
	case LIT_ATOM:
	case LIT_RED:
		break;
	}
	return herd_rmw(test, thread, op, cell);
}

/* The instructions in columns, one for each thread. */
struct herd_table {
	struct herd_cell cells[LIT_MAX_OPS][LIT_MAX_THREADS];
	unsigned int width[LIT_MAX_THREADS], rows;
};

static int herd_fill(const struct lit_test *test, struct herd_table *table)
{
	unsigned int row, i;
	int ret;

	memset(table, 0, sizeof(*table));
	for (i = 0; i < test->thread_count; i++) {
		const struct lit_thread *thread = &test->threads[i];

		table->width[i] = 2;
		for (row = 0; row < thread->op_count; row++) {
			struct herd_cell *cell = &table->cells[row][i];

			ret = herd_instruction(test, thread, &thread->ops[row], cell);
			if (ret)
				return ret;
			if (strlen(cell->text) > table->width[i])
				table->width[i] = strlen(cell->text);
		}
		table->rows = thread->op_count > table->rows ? thread->op_count : table->rows;
	}
	return 0;
}

static void herd_print(const struct lit_test *test, const struct herd_table *table, FILE *out)
{
	unsigned int row, i;

	for (i = 0; i < test->thread_count; i++)
		fprintf(out, "%s P%-*u", i ? " |" : "", (int)table->width[i] - 1, i);
	fprintf(out, " ;\n");
	for (row = 0; row < table->rows; row++, fprintf(out, " ;\n"))
		for (i = 0; i < test->thread_count; i++)
			fprintf(out, "%s %-*s", i ? " |" : "", (int)table->width[i],
				table->cells[row][i].text);
}

/* The CTA of a device thread, from its first thread on. */
static void herd_cta(const struct lit_test *test, unsigned int first, FILE *out)
{
	const struct lit_thread *of = &test->threads[first];
	unsigned int i;

	fprintf(out, " (cta");
	for (i = first; i < test->thread_count; i++)
		if (!test->threads[i].host && test->threads[i].dev == of->dev &&
		    test->threads[i].cta == of->cta)
			fprintf(out, " P%u", i);
	fprintf(out, ")");
}

/* Whether a thread is the first one of its CTA, or with @device of its device. */
static bool herd_first(const struct lit_test *test, unsigned int thread, bool device)
{
	const struct lit_thread *of = &test->threads[thread];
	unsigned int i;

	for (i = 0; i < thread; i++)
		if (!test->threads[i].host && test->threads[i].dev == of->dev &&
		    (device || test->threads[i].cta == of->cta))
			return false;
	return true;
}

/* Each thread of the host is a device of its own, whose scope is sys. */
static void herd_scopes(const struct lit_test *test, FILE *out)
{
	unsigned int i, j;

	fprintf(out, "scopes: (sys");
	for (i = 0; i < test->thread_count; i++) {
		if (test->threads[i].host) {
			fprintf(out, " (gpu (cta P%u))", i);
			continue;
		}
		if (!herd_first(test, i, true))
			continue;
		fprintf(out, " (gpu");
		for (j = i; j < test->thread_count; j++)
			if (!test->threads[j].host &&
			    test->threads[j].dev == test->threads[i].dev &&
			    herd_first(test, j, false))
				herd_cta(test, j, out);
		fprintf(out, ")");
	}
	fprintf(out, ")\n");
}

/* All columns of the table are in "locations", so herd7 prints whole outcomes. */
static void herd_question(const struct lit_test *test, FILE *out)
{
	static const struct lit_syntax syntax = { .conjunction = "/\\",
						  .disjunction = "\\/",
						  .negation = "not (",
						  .differs = "not (",
						  .sign = "=" };
	unsigned int i;

	fprintf(out, "locations [");
	for (i = 0; i < test->column_count; i++) {
		fprintf(out, i ? " " : "");
		lit_write_place(test, &test->columns[i], out);
		fprintf(out, ";");
	}
	fprintf(out, "]\n");
	if (!test->asked) {
		fprintf(out, "forall (true)\n");
		return;
	}
	fprintf(out, "%sexists (", test->judged && !test->allowed ? "~" : "");
	lit_write_question(test, &syntax, test->node_count - 1, out);
	fprintf(out, ")\n");
}

static bool herd_is_reserved(const char *name)
{
	struct lit_word word = { name, strlen(name) };
	unsigned int number, i;

	for (i = 0; i < sizeof(herd_reserved) / sizeof(herd_reserved[0]); i++)
		if (!strcmp(name, herd_reserved[i]))
			return true;
	return lit_register(word, &number) || (name[0] == 'P' && name[1] >= '0' && name[1] <= '9');
}

/* Names that LISA does not have get another end, w becomes w_, or another beginning. */
static int herd_rename(struct lit_test *test)
{
	unsigned int i;

	for (i = 0; i < test->location_count; i++) {
		char *name = test->locations[i];
		char other[LIT_NAME + 2];

		if (name[0] != '_' && !herd_is_reserved(name))
			continue;
		snprintf(other, sizeof(other), "%s%s_", name[0] == '_' ? "l" : "", name);
		if (strlen(other) >= LIT_NAME ||
		    lit_find_location(test, (struct lit_word){ other, strlen(other) }) >= 0) {
			fprintf(stderr, "%s: LISA has no location named %s, and %s is there\n",
				test->name, name, other);
			return -EOPNOTSUPP;
		}
		memcpy(name, other, strlen(other) + 1);
	}
	return 0;
}

static void herd_head(const struct lit_test *test, FILE *out)
{
	bool hosts = false;
	unsigned int i;

	fprintf(out, "LISA %s\n", test->name);
	if (test->family[0])
		fprintf(out, "Family=%s\n", test->family);
	if (test->judged)
		fprintf(out, "Verdict=%s\n", test->allowed ? "allowed" : "forbidden");
	for (i = 0; i < test->thread_count; i++) {
		if (!test->threads[i].host)
			continue;
		fprintf(out, "%sP%u", hosts ? " " : "Host=", i);
		hosts = true;
	}
	fprintf(out, "%s{", hosts ? "\n" : "");
	for (i = 0; i < test->location_count; i++)
		fprintf(out, " %s=%d;", test->locations[i], test->initial[i]);
	fprintf(out, " }\n");
}

int herd_write(const struct lit_test *original, FILE *out)
{
	struct lit_test test = *original;
	struct herd_table table;
	int ret = herd_rename(&test);

	/* The table first: a test that LISA cannot express writes nothing. */
	if (!ret)
		ret = herd_fill(&test, &table);
	if (ret)
		return ret;
	herd_head(&test, out);
	herd_print(&test, &table, out);
	herd_scopes(&test, out);
	herd_question(&test, out);
	return 0;
}
