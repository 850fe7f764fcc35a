// SPDX-License-Identifier: MIT
/* Kernels: .entry and its parameters and directives. */
#include <errno.h>
#include <string.h>

#include "parse.h"

const char *const ptx_head_directives[] = {
	"maxntid", "reqntid",	     "reqnctapercluster", "minnctapersm",    "maxnctapersm",
	"maxnreg", "maxclusterrank", "noreturn",	  "explicitcluster", "blocksareclusters",
	NULL,
};

/* Up to three numbers, separated by commas: threads of a CTA. */
static int ptx_take_threads(struct ptx_parse *parse, uint32_t *threads)
{
	bool more = true;
	int64_t value;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && more && i < 3; i++) {
		ret = ptx_integer(parse, 1, 1 << 20, "a number of threads", &value);
		threads[i] = ret ? 0 : (uint32_t)value;
		more = false;
		if (!ret && i < 2)
			ret = ptx_take(parse, ',', &more);
	}
	for (; !ret && i < 3; i++)
		threads[i] = 1;
	return ret;
}

static int ptx_take_text(struct ptx_parse *parse)
{
	struct faa_scan *scan = &parse->scan;
	int ret = ptx_expect(parse, '"', "before a text");

	while (!ret && faa_scan_peek(scan) != '"') {
		if (faa_scan_peek(scan) < 0 || faa_scan_peek(scan) == '\n')
			return faa_scan_fail(scan, parse->error, "a text in quotes has no end");
		scan->at++;
	}
	if (!ret)
		scan->at++;
	return ret;
}

int ptx_pragma(struct ptx_parse *parse)
{
	bool more = true;
	int ret = 0;

	while (!ret && more) {
		ret = ptx_take_text(parse);
		if (!ret)
			ret = ptx_take(parse, ',', &more);
	}
	return ret ? ret : ptx_expect(parse, ';', "after .pragma");
}

/* A directive between parameters and braces. Hints for compilers have no effect. */
static int ptx_take_head(struct ptx_parse *parse, struct ptx_kernel *kernel)
{
	static const char *const numbers[] = { "minnctapersm", "maxnctapersm", "maxnreg",
					       "maxclusterrank", NULL };
	static const char *const bare[] = { "noreturn", "explicitcluster", "blocksareclusters",
					    NULL };
	uint32_t threads[3];
	struct ptx_word word;
	int64_t value;
	int ret;

	parse->scan.at++;
	ret = ptx_identifier(parse, &word, "a directive of the kernel");
	if (ret)
		return ret;
	if (ptx_is(&word, "pragma"))
		return ptx_pragma(parse);
	if (ptx_is(&word, "reqntid"))
		return ptx_take_threads(parse, kernel->needed);
	if (ptx_is(&word, "maxntid"))
		return ptx_take_threads(parse, kernel->most);
	if (ptx_is(&word, "reqnctapercluster"))
		return ptx_take_threads(parse, threads);
	if (ptx_find(&word, bare) >= 0)
		return 0;
	if (ptx_find(&word, numbers) >= 0)
		return ptx_integer(parse, 0, INT32_MAX, "a number", &value);
	return ptx_fail(parse, word.mark, "'.%.*s' is no directive of a kernel", ptx_shown(&word),
			word.text);
}

static struct ptx_kernel *ptx_add_kernel(struct ptx_code *code, struct ptx_kernel kernel)
{
	struct ptx_kernel *grown =
		ptx_grow(code->kernels, code->kernel_count, &code->kernel_capacity, sizeof(*grown));

	if (!grown)
		return NULL;
	code->kernels = grown;
	grown[code->kernel_count] = kernel;
	return &grown[code->kernel_count++];
}

/* Adds a kernel with its name and scope, whose instructions begin here. */
static int ptx_begin_kernel(struct ptx_parse *parse, const struct ptx_word *word)
{
	struct ptx_code *code = parse->code;
	struct ptx_kernel kernel = { .first = code->count,
				     .first_mark = code->mark_count,
				     .shared_align = 1 };

	kernel.name =
		ptx_names_add(&code->names, 0, word->text, word->size, PTX_NAME_SYMBOL, UINT32_MAX);
	kernel.scope = kernel.name < 0 ? 0 : ptx_new_scope(parse);
	parse->kernel = kernel.scope ? ptx_add_kernel(code, kernel) : NULL;
	if (!parse->kernel)
		return -ENOMEM;
	parse->scope = kernel.scope;
	return 0;
}

int ptx_kernel(struct ptx_parse *parse, const struct ptx_word *directive)
{
	struct ptx_word word;
	int ret;

	if (parse->kernel || parse->scope)
		return ptx_fail(parse, directive->mark, "a kernel must be outside of all braces");
	if (parse->code->count && !parse->code->kernel_count)
		return ptx_fail(parse, directive->mark, "there are instructions before the kernel");
	ret = ptx_identifier(parse, &word, "the name of the kernel");
	if (!ret)
		ret = ptx_is_new(parse, &word);
	if (!ret)
		ret = ptx_begin_kernel(parse, &word);
	if (!ret)
		ret = ptx_parameters(parse);
	if (!ret)
		ret = ptx_blank(parse);
	while (!ret && faa_scan_peek(&parse->scan) == '.') {
		ret = ptx_take_head(parse, parse->kernel);
		if (!ret)
			ret = ptx_blank(parse);
	}
	return ret ? ret : ptx_expect(parse, '{', "before the instructions of the kernel");
}

void ptx_end_kernel(struct ptx_parse *parse, struct ptx_kernel *kernel)
{
	kernel->count = parse->code->count - kernel->first;
	kernel->mark_count = parse->code->mark_count - kernel->first_mark;
	parse->kernel = NULL;
	parse->scope = 0;
}

/* ------------------------------------------------------------------------------------------------
 * Choice of the kernel to emit
 */

int ptx_choose(struct faa_asm_code *common, const char *name, struct faa_asm_error *error)
{
	struct ptx_code *code = (struct ptx_code *)common;
	size_t i;

	for (i = 0; i < code->kernel_count; i++) {
		if (strcmp(ptx_names_text(&code->names, (uint32_t)code->kernels[i].name), name) !=
		    0)
			continue;
		code->chosen = i;
		code->choice = true;
		return 0;
	}
	return faa_asm_fail(error, 0, 0, "there is no kernel '%s'", name);
}
