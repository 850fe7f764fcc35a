// SPDX-License-Identifier: MIT
/* PTX text: statement by statement. */
#include <errno.h>
#include <stdlib.h>

#include "parse.h"

static struct ptx_code *new_code(void)
{
	struct ptx_code *code = calloc(1, sizeof(*code));

	if (!code)
		return NULL;
	code->common.language = &faa_asm_ptx;
	code->entry = -1;
	return code;
}

static int add(struct ptx_code *code, const struct ptx_instruction *instruction)
{
	struct ptx_instruction *grown =
		ptx_grow(code->instructions, code->count, &code->capacity, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	code->instructions = grown;
	grown[code->count++] = *instruction;
	return 0;
}

static int place_label(struct ptx_parse *parse, const struct ptx_word *word)
{
	struct ptx_label *label;
	uint32_t index;
	int ret = ptx_label(parse, word, &index);

	if (ret)
		return ret;
	parse->scan.at++;
	label = &parse->code->labels[index];
	if (label->at != UINT32_MAX)
		return ptx_fail(parse, word->mark, "label '%.*s' stands in line %u already",
				ptx_shown(word), word->text, label->line);
	label->at = (uint32_t)parse->code->count;
	label->line = word->mark.line;
	label->column = word->mark.column;
	return 0;
}

static bool returns(const struct ptx_code *code)
{
	const struct ptx_instruction *last = code->count ? &code->instructions[code->count - 1] :
							   NULL;

	return last && !last->memory && ptx_plains[last->which].lowering == PTX_LOWER_RETURN;
}

static int guarded_instruction(struct ptx_parse *parse)
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
	if (ret)
		return ret;
	if (!guard && parse->scan.end - parse->scan.at >= 1 && parse->scan.at[0] == ':')
		return place_label(parse, &word);
	if (parse->code->entry >= 0 && !parse->open)
		return ptx_fail(parse, word.mark, "this stands behind the end of the kernel");
	if (returns(parse->code))
		return ptx_fail(parse, word.mark,
				"ret and exit end the kernel here: nothing may follow");
	instruction.line = word.mark.line;
	instruction.column = word.mark.column;
	ret = ptx_instruction(parse, word, &instruction);
	return ret ? ret : add(parse->code, &instruction);
}

static int brace(struct ptx_parse *parse)
{
	if (faa_scan_peek(&parse->scan) == '{')
		return faa_scan_fail(&parse->scan, parse->error,
				     "blocks inside of a kernel are not known here");
	if (!parse->open)
		return faa_scan_fail(&parse->scan, parse->error, "there is nothing that this ends");
	parse->open = false;
	parse->scan.at++;
	return 0;
}

static int statement(struct ptx_parse *parse)
{
	switch (faa_scan_peek(&parse->scan)) {
	case '.':
		return ptx_directive(parse);
	case '{':
	case '}':
		return brace(parse);
	case ';':
		parse->scan.at++;
		return 0;
	default:
		return guarded_instruction(parse);
	}
}

/* What can be said only at the end. */
static int check_whole(struct ptx_parse *parse)
{
	const struct ptx_code *code = parse->code;
	size_t i;

	if (parse->open)
		return faa_scan_fail(&parse->scan, parse->error,
				     "the '}' of kernel '%s' is missing",
				     ptx_names_text(&code->names, (uint32_t)code->entry));
	for (i = 0; i < code->label_count; i++)
		if (code->labels[i].at == UINT32_MAX)
			return faa_asm_fail(parse->error, code->labels[i].line,
					    code->labels[i].column, "label '%s' stands nowhere",
					    ptx_names_text(&code->names, code->labels[i].name));
	return 0;
}

int ptx_read(const void *data, size_t size, struct faa_asm_code **code, struct faa_asm_error *error)
{
	struct ptx_parse parse = { .scan = faa_scan_begin(data, size),
				   .code = new_code(),
				   .error = error };
	int ret;

	if (!parse.code)
		return -ENOMEM;
	ret = ptx_blank(&parse);
	while (!ret && faa_scan_peek(&parse.scan) >= 0) {
		ret = statement(&parse);
		if (!ret)
			ret = ptx_blank(&parse);
	}
	if (!ret)
		ret = check_whole(&parse);
	if (ret)
		ptx_destroy(&parse.code->common);
	else
		*code = &parse.code->common;
	return ret;
}
