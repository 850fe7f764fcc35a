// SPDX-License-Identifier: MIT
/*
 * Blocks in braces, and labels: a label is visible in its block and in those inside of it, also
 * before its definition.
 */
#include <errno.h>

#include "parse.h"

#define MOST_BLOCKS 64

uint32_t ptx_new_scope(struct ptx_parse *parse)
{
	struct ptx_code *code = parse->code;
	uint32_t *grown =
		ptx_grow(code->scopes, code->scope_count, &code->scope_capacity, sizeof(*grown));

	if (!grown)
		return 0;
	code->scopes = grown;
	grown[code->scope_count] = parse->scope;
	return (uint32_t)code->scope_count++;
}

static int ptx_add_mark(struct ptx_code *code, unsigned int kind, uint32_t index)
{
	struct ptx_mark *grown =
		ptx_grow(code->marks, code->mark_count, &code->mark_capacity, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	code->marks = grown;
	grown[code->mark_count].at = (uint32_t)code->count;
	grown[code->mark_count].kind = kind;
	grown[code->mark_count++].index = index;
	return 0;
}

static int ptx_add_label(struct ptx_parse *parse, const struct ptx_word *word, uint32_t *index)
{
	struct ptx_code *code = parse->code;
	struct ptx_label *grown =
		ptx_grow(code->labels, code->label_count, &code->label_capacity, sizeof(*grown));
	int64_t entry;

	if (!grown)
		return -ENOMEM;
	code->labels = grown;
	entry = ptx_names_add(&code->names, parse->scope, word->text, word->size, PTX_NAME_LABEL,
			      (uint32_t)code->label_count);
	if (entry < 0)
		return (int)entry;
	*index = (uint32_t)code->label_count++;
	grown[*index] = (struct ptx_label){ (uint32_t)entry, UINT32_MAX, word->mark.line,
					    word->mark.column, *index };
	return 0;
}

static int ptx_add_pending(struct ptx_parse *parse, uint32_t label)
{
	uint32_t *grown = ptx_grow(parse->pending, parse->pending_count, &parse->pending_capacity,
				   sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	parse->pending = grown;
	grown[parse->pending_count++] = label;
	return 0;
}

int ptx_label(struct ptx_parse *parse, const struct ptx_word *word, uint32_t *index)
{
	const struct ptx_name *name = ptx_lookup(parse, word);
	int ret;

	if (name && name->kind != PTX_NAME_LABEL)
		return ptx_fail(parse, word->mark, "'%.*s' is no label", ptx_shown(word),
				word->text);
	if (name) {
		*index = name->index;
		return 0;
	}
	ret = ptx_add_label(parse, word, index);
	return ret ? ret : ptx_add_pending(parse, *index);
}

int ptx_place_label(struct ptx_parse *parse, const struct ptx_word *word)
{
	struct ptx_code *code = parse->code;
	const struct ptx_name *name =
		ptx_names_find(&code->names, parse->scope, word->text, word->size, false);
	struct ptx_label *label;
	uint32_t index;
	int ret = 0;

	parse->scan.at++;
	if (name && name->kind != PTX_NAME_LABEL)
		return ptx_fail(parse, word->mark, "'%.*s' is no label", ptx_shown(word),
				word->text);
	if (name)
		index = name->index;
	else
		ret = ptx_add_label(parse, word, &index);
	if (ret)
		return ret;
	label = &code->labels[index];
	if (label->at != UINT32_MAX)
		return ptx_fail(parse, word->mark, "label '%.*s' is defined in line %u already",
				ptx_shown(word), word->text, label->line);
	label->at = (uint32_t)code->count;
	label->line = word->mark.line;
	label->column = word->mark.column;
	return ptx_add_mark(code, PTX_MARK_LABEL, index);
}

int ptx_open_block(struct ptx_parse *parse)
{
	uint32_t scope;

	if (parse->depth == MOST_BLOCKS)
		return faa_scan_fail(&parse->scan, parse->error,
				     FAA_ASM_UNSUPPORTED "blocks nest up to %d times", MOST_BLOCKS);
	scope = ptx_new_scope(parse);
	if (!scope)
		return -ENOMEM;
	parse->scan.at++;
	parse->scope = scope;
	parse->depth++;
	return ptx_add_mark(parse->code, PTX_MARK_OPEN, scope);
}

/* A label that was used, but not defined in the block, belongs to the block around it. */
static int ptx_hand_label_on(struct ptx_parse *parse, uint32_t index)
{
	struct ptx_code *code = parse->code;
	struct ptx_label *label = &code->labels[index];
	const char *text = ptx_names_text(&code->names, label->name);
	struct ptx_word word = { text,
				 code->names.entries[label->name].size,
				 { label->line, label->column } };
	const struct ptx_name *name;
	int64_t entry;

	if (label->at != UINT32_MAX)
		return 0;
	name = ptx_lookup(parse, &word);
	if (name && name->kind == PTX_NAME_LABEL) {
		label->same = name->index;
		return 0;
	}
	if (name)
		return ptx_fail(parse, word.mark, "'%s' is no label", text);
	entry = ptx_names_add_copy(&code->names, parse->scope, label->name, index);
	if (entry < 0)
		return (int)entry;
	label->name = (uint32_t)entry;
	return ptx_add_pending(parse, index);
}

int ptx_close_block(struct ptx_parse *parse)
{
	struct ptx_code *code = parse->code;
	uint32_t closed = parse->scope;
	size_t i, count = parse->pending_count, kept = 0;
	int ret = ptx_add_mark(code, PTX_MARK_CLOSE, closed);

	parse->scan.at++;
	parse->scope = code->scopes[closed];
	parse->depth--;
	for (i = 0; i < count; i++) {
		uint32_t index = parse->pending[i];

		if (code->names.entries[code->labels[index].name].scope != closed)
			parse->pending[kept++] = index;
		else if (!ret)
			ret = ptx_hand_label_on(parse, index);
	}
	/* Append those that ptx_hand_label_on() added. */
	for (i = count; i < parse->pending_count; i++)
		parse->pending[kept++] = parse->pending[i];
	parse->pending_count = kept;
	return ret;
}
