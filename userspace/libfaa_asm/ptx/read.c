// SPDX-License-Identifier: MIT
/* Reads PTX text by statements; after an error it resumes with the next statement. */
#include <errno.h>
#include <stdlib.h>

#include "parse.h"

static struct ptx_code *read_new_code(void)
{
	struct ptx_code *code = calloc(1, sizeof(*code));

	if (!code)
		return NULL;
	code->common.language = &faa_asm_ptx;
	code->bare.name = -1;
	return code;
}

static int read_add(struct ptx_code *code, const struct ptx_instruction *instruction)
{
	struct ptx_instruction *grown =
		ptx_grow(code->instructions, code->count, &code->capacity, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	code->instructions = grown;
	grown[code->count++] = *instruction;
	return 0;
}

/* Instructions are either all inside of kernels, or there is no kernel. */
static int ptx_check_place(struct ptx_parse *parse, struct faa_scan_mark mark)
{
	if (parse->kernel || !parse->code->kernel_count)
		return 0;
	return ptx_fail(parse, mark, "this follows the end of the kernel");
}

static int read_guarded_instruction(struct ptx_parse *parse)
{
	struct ptx_instruction instruction = { 0 };
	struct ptx_word word;
	bool guard;
	int ret = ptx_take(parse, '@', &guard);

	parse->begun = true;
	if (!ret && guard)
		ret = ptx_guard(parse, &instruction);
	if (!ret)
		ret = ptx_identifier(parse, &word,
				     guard ? "an instruction" :
					     "an instruction, a label or a directive");
	if (!ret)
		ret = ptx_check_place(parse, word.mark);
	if (ret)
		return ret;
	if (!guard && parse->scan.end - parse->scan.at >= 1 && parse->scan.at[0] == ':')
		return ptx_place_label(parse, &word);
	instruction.line = word.mark.line;
	instruction.column = word.mark.column;
	ret = ptx_instruction(parse, word, &instruction);
	return ret ? ret : read_add(parse->code, &instruction);
}

static int read_brace(struct ptx_parse *parse)
{
	int ret;

	parse->begun = true;
	if (faa_scan_peek(&parse->scan) == '{') {
		ret = ptx_check_place(parse, faa_scan_mark(&parse->scan));
		return ret ? ret : ptx_open_block(parse);
	}
	if (parse->depth)
		return ptx_close_block(parse);
	if (!parse->kernel)
		return faa_scan_fail(&parse->scan, parse->error, "there is nothing that this ends");
	parse->scan.at++;
	return ptx_finish_kernel(parse, parse->kernel);
}

static int read_statement(struct ptx_parse *parse)
{
	switch (faa_scan_peek(&parse->scan)) {
	case '.':
		return ptx_directive(parse);
	case '{':
	case '}':
		return read_brace(parse);
	case ';':
		parse->scan.at++;
		return 0;
	default:
		return read_guarded_instruction(parse);
	}
}

/* ------------------------------------------------------------------------------------------------
 * Errors
 */

/* Skips a byte, a comment, or a text in quotes, which ends with its line. */
static void ptx_skip_piece(struct ptx_parse *parse)
{
	struct faa_scan *scan = &parse->scan;
	const char *before = scan->at;

	if (ptx_blank(parse) || scan->at != before || scan->at == scan->end)
		return;
	if (*scan->at == '"') {
		do
			scan->at++;
		while (scan->at < scan->end && *scan->at != '"' && *scan->at != '\n');
	}
	if (scan->at < scan->end && *scan->at == '\n')
		faa_scan_newline(scan);
	else if (scan->at < scan->end)
		scan->at++;
}

int ptx_skip_braces(struct ptx_parse *parse, struct faa_scan_mark mark)
{
	unsigned int depth = 1;

	while (depth) {
		int c = faa_scan_peek(&parse->scan);

		if (c < 0)
			return ptx_fail(parse, mark, "the '}' of this is missing");
		depth += c == '{';
		depth -= c == '}';
		ptx_skip_piece(parse);
	}
	return 0;
}

/*
 * Skips to the start of the next statement. If the first word of a line is the error, a semicolon
 * was missing and the line is the next statement. A directive ends with its semicolon or braces;
 * that of a kernel with its opening brace. An instruction may contain braces. A rejected block is
 * skipped as a whole.
 */
static void ptx_recover(struct ptx_parse *parse, struct faa_scan start, bool directive, bool kernel)
{
	struct faa_scan *scan = &parse->scan;
	const char *at;
	int c;

	if (*start.at == '}' || *start.at == '{') {
		if (scan->at == start.at)
			ptx_skip_piece(parse);
		if (*start.at == '{' && scan->at == start.at + 1)
			(void)ptx_skip_braces(parse, faa_scan_mark(scan));
		return;
	}
	for (at = scan->at; at > scan->line_start && (at[-1] == ' ' || at[-1] == '\t'); at--)
		;
	if (scan->line > start.line && at == scan->line_start && !directive)
		return;
	for (;;) {
		c = faa_scan_peek(scan);
		if (c < 0 || (c == '}' && scan->at > start.at))
			return;
		ptx_skip_piece(parse);
		if (c == ';')
			return;
		if (c != '{')
			continue;
		if (kernel && parse->kernel)
			return;
		(void)ptx_skip_braces(parse, faa_scan_mark(scan));
		if (directive)
			return;
	}
}

/* Reads one statement, and logs its error. Return: 0; -ENOMEM; -EINVAL: no room for more errors. */
static int ptx_next_statement(struct ptx_parse *parse, struct faa_asm_log *log)
{
	bool directive = faa_scan_peek(&parse->scan) == '.', outside = !parse->kernel, room = true;
	struct faa_scan start = parse->scan;
	int ret;

	parse->undefined = false;
	ret = read_statement(parse);
	if (ret != -EINVAL)
		return ret;
	if (!parse->undefined || !parse->incomplete)
		room = faa_asm_log_add(log, parse->error);
	parse->incomplete |= directive;
	if (!room)
		return -EINVAL;
	ptx_recover(parse, start, directive, outside && parse->kernel);
	return 0;
}

/* Undefined labels, which are known at the end of a kernel or of the text. */
static int ptx_check_labels(struct ptx_parse *parse)
{
	const struct ptx_code *code = parse->code;
	size_t i, count = parse->pending_count;

	parse->pending_count = 0;
	for (i = 0; i < count; i++) {
		const struct ptx_label *label = &code->labels[parse->pending[i]];

		if (label->at == UINT32_MAX)
			return faa_asm_fail(parse->error, label->line, label->column,
					    "label '%s' is not defined",
					    ptx_names_text(&code->names, label->name));
	}
	return 0;
}

int ptx_finish_kernel(struct ptx_parse *parse, struct ptx_kernel *kernel)
{
	ptx_end_kernel(parse, kernel);
	return ptx_check_labels(parse);
}

static int ptx_check_whole(struct ptx_parse *parse)
{
	struct ptx_code *code = parse->code;

	if (parse->depth)
		return faa_scan_fail(&parse->scan, parse->error, "the '}' of a block is missing");
	if (parse->kernel)
		return faa_scan_fail(&parse->scan, parse->error,
				     "the '}' of kernel '%s' is missing",
				     ptx_names_text(&code->names, (uint32_t)parse->kernel->name));
	return code->kernel_count ? 0 : ptx_finish_kernel(parse, &code->bare);
}

static int ptx_read_all(struct ptx_parse *parse, struct faa_asm_log *log)
{
	int ret;

	/* Scope 0 is outside of all braces. */
	ptx_new_scope(parse);
	ret = parse->code->scope_count ? 0 : -ENOMEM;

	while (!ret) {
		ret = ptx_blank(parse);
		if (ret == -EINVAL) {
			faa_asm_log_add(log, parse->error);
			return ret;
		}
		if (!ret && faa_scan_peek(&parse->scan) < 0)
			break;
		if (!ret)
			ret = ptx_next_statement(parse, log);
	}
	/* After errors further checks could report their consequences. */
	if (!ret && log->count)
		return -EINVAL;
	if (!ret)
		ret = ptx_check_whole(parse);
	if (ret == -EINVAL && !log->count)
		faa_asm_log_add(log, parse->error);
	return ret;
}

int ptx_read(const void *data, size_t size, struct faa_asm_code **code, struct faa_asm_log *log)
{
	struct faa_asm_error error = { 0 };
	struct ptx_parse parse = { .scan = faa_scan_begin(data, size),
				   .code = read_new_code(),
				   .error = &error };
	int ret;

	if (!parse.code)
		return -ENOMEM;
	ret = ptx_read_all(&parse, log);
	free(parse.pending);
	if (ret)
		ptx_destroy(&parse.code->common);
	else
		*code = &parse.code->common;
	return ret;
}
