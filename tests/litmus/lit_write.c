// SPDX-License-Identifier: MIT
/* Litmus tests in the format of the project, and as files of herd7. */
#include "litmus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "herd.h"
#include "lit_scan.h"

static void write_value(const struct lit_thread *thread, const struct lit_value *value, FILE *out)
{
	if (value->is_register)
		fprintf(out, " r%u", thread->registers[value->reg]);
	else
		fprintf(out, " %d", value->number);
}

static void write_op(const struct lit_test *test, const struct lit_thread *thread,
		     const struct lit_op *op, FILE *out)
{
	fprintf(out, " %s %s", lit_kind_name(op->kind), lit_order_names[op->order]);
	if (op->order != LIT_WEAK)
		fprintf(out, ".%s", lit_scope_names[op->scope]);
	if (op->kind == LIT_ATOM || op->kind == LIT_RED)
		fprintf(out, " %s", lit_rmw_names[op->rmw]);
	if (op->kind == LIT_LD || op->kind == LIT_ATOM)
		fprintf(out, " r%u", thread->registers[op->reg]);
	if (op->kind != LIT_FENCE)
		fprintf(out, " %s", test->locations[op->location]);
	if (op->kind != LIT_FENCE && op->kind != LIT_LD)
		write_value(thread, &op->value, out);
	if (op->kind == LIT_ATOM && op->rmw == LIT_CAS)
		write_value(thread, &op->desired, out);
	fprintf(out, "\n");
}

static void write_thread(const struct lit_test *test, unsigned int index, FILE *out)
{
	const struct lit_thread *thread = &test->threads[index];
	unsigned int i;

	if (thread->host)
		fprintf(out, "thread %u host\n", index);
	else
		fprintf(out, "thread %u cta=%u dev=%u\n", index, thread->cta, thread->dev);
	for (i = 0; i < thread->op_count; i++)
		write_op(test, thread, &thread->ops[i], out);
}

void lit_write_place(const struct lit_test *test, const struct lit_column *what, FILE *out)
{
	if (what->is_register)
		fprintf(out, "%u:r%u", what->thread,
			test->threads[what->thread].registers[what->reg]);
	else
		fprintf(out, "%s", test->locations[what->location]);
}

void lit_write_question(const struct lit_test *test, const struct lit_syntax *syntax,
			unsigned int index, FILE *out)
{
	const struct lit_node *node = &test->nodes[index];

	switch (node->kind) {
	case LIT_EQ:
	case LIT_NE:
		fprintf(out, "%s", node->kind == LIT_NE ? syntax->differs : "");
		lit_write_place(test, &node->what, out);
		fprintf(out, "%s%d%s", node->kind == LIT_NE ? syntax->sign : "=", node->number,
			node->kind == LIT_NE && syntax->differs[0] ? ")" : "");
		return;
	case LIT_NOT:
		fprintf(out, "%s", syntax->negation);
		lit_write_question(test, syntax, node->left, out);
		break;
	case LIT_AND:
	case LIT_OR:
		fprintf(out, "(");
		lit_write_question(test, syntax, node->left, out);
		fprintf(out, " %s ",
			node->kind == LIT_AND ? syntax->conjunction : syntax->disjunction);
		lit_write_question(test, syntax, node->right, out);
		break;
	}
	fprintf(out, ")");
}

void lit_write_head(const struct lit_test *test, FILE *out)
{
	static const struct lit_syntax syntax = { .conjunction = "&",
						  .disjunction = "|",
						  .negation = "!(",
						  .differs = "",
						  .sign = "!=" };
	unsigned int i;

	fprintf(out, "faa-litmus 1\nname %s\n", test->name);
	if (test->family[0])
		fprintf(out, "family %s\n", test->family);
	fprintf(out, "init");
	for (i = 0; i < test->location_count; i++)
		fprintf(out, " %s=%d", test->locations[i], test->initial[i]);
	fprintf(out, "\n");
	for (i = 0; i < test->thread_count; i++)
		write_thread(test, i, out);
	if (!test->asked)
		return;
	fprintf(out, "ask ");
	lit_write_question(test, &syntax, test->node_count - 1, out);
	fprintf(out, "\n");
}

/* "DIRECTORY/NAME.litmus" for "PATH/NAME.lit". */
static FILE *open_export(const char *directory, const char *path)
{
	const char *name = strrchr(path, '/');
	char file[4096];
	size_t size;
	FILE *out;

	name = name ? name + 1 : path;
	size = strlen(name);
	if (size > 4 && !strcmp(name + size - 4, ".lit"))
		size -= 4;
	if (snprintf(file, sizeof(file), "%s/%.*s.litmus", directory, (int)size, name) >=
	    (int)sizeof(file)) {
		fprintf(stderr, "%s: the name is too long\n", path);
		return NULL;
	}
	out = fopen(file, "w");
	if (!out)
		fprintf(stderr, "%s: %s\n", file, strerror(errno));
	return out;
}

/* An unfinished file of herd7 is not left: a test that LISA cannot express opens none. */
static int export_one(const char *path, const char *directory)
{
	struct lit_test test;
	char *text = NULL;
	size_t size = 0;
	FILE *memory, *out = stdout;
	int ret = lit_read(path, &test);

	if (ret) {
		lit_free(&test);
		return ret;
	}
	memory = open_memstream(&text, &size);
	ret = memory ? herd_write(&test, memory) : -ENOMEM;
	if (memory && fclose(memory) && !ret)
		ret = -ENOMEM;
	if (!ret && directory)
		out = open_export(directory, path);
	if (!ret && (!out || fwrite(text, 1, size, out) != size || fflush(out)))
		ret = -EIO;
	if (directory && out && out != stdout && fclose(out) && !ret)
		ret = -EIO;
	if (ret && ret != -EOPNOTSUPP)
		fprintf(stderr, "%s: %s\n", path, strerror(-ret));
	free(text);
	lit_free(&test);
	return ret;
}

unsigned int litmus_export(char *const *paths, unsigned int count, const char *directory)
{
	unsigned int inexpressible = 0, wrong = 0, i;

	if (directory && mkdir(directory, 0777) && errno != EEXIST) {
		fprintf(stderr, "cannot make the directory %s: %s\n", directory, strerror(errno));
		return count;
	}
	for (i = 0; i < count; i++) {
		int ret = export_one(paths[i], directory);

		inexpressible += ret == -EOPNOTSUPP;
		wrong += ret && ret != -EOPNOTSUPP;
	}
	if (directory)
		printf("%u files of herd7 in %s; LISA cannot express %u tests\n",
		       count - wrong - inexpressible, directory, inexpressible);
	if (wrong)
		fprintf(stderr, "%u files could not be read or written\n", wrong);
	return wrong + inexpressible;
}
