// SPDX-License-Identifier: MIT
/* An instruction: its name, split at the dots. */
#include <errno.h>
#include <string.h>

#include "parse.h"

/* .word or .word::word, after the dot. */
static int instruction_modifier(struct ptx_parse *parse, struct ptx_opcode *opcode)
{
	struct faa_scan *scan = &parse->scan;
	struct ptx_word word;

	word.mark = faa_scan_mark(scan);
	scan->at++;
	word.text = scan->at;
	faa_scan_word(scan, "");
	while (scan->at != word.text && scan->end - scan->at > 2 && !memcmp(scan->at, "::", 2)) {
		scan->at += 2;
		faa_scan_word(scan, "");
	}
	word.size = (size_t)(scan->at - word.text);
	if (!word.size)
		return ptx_fail(parse, word.mark, "nothing follows this point");
	if (opcode->count == PTX_MAX_MODIFIERS)
		return ptx_fail(parse, word.mark, "an instruction has no more than %d modifiers",
				PTX_MAX_MODIFIERS);
	opcode->modifiers[opcode->count++] = word;
	return 0;
}

int ptx_missing(const struct ptx_parse *parse, const struct ptx_opcode *opcode, const char *what)
{
	const struct ptx_word *next = ptx_modifier(opcode);
	struct faa_scan_mark mark = next ? next->mark : opcode->name.mark;

	if (next)
		return ptx_fail(parse, mark, "%.*s: %s is expected where '.%.*s' is",
				ptx_shown(&opcode->name), opcode->name.text, what, ptx_shown(next),
				next->text);
	return ptx_fail(parse, mark, "%.*s: %s is missing", ptx_shown(&opcode->name),
			opcode->name.text, what);
}

int ptx_no_more(const struct ptx_parse *parse, const struct ptx_opcode *opcode)
{
	const struct ptx_word *next = ptx_modifier(opcode);

	if (!next)
		return 0;
	return ptx_fail(parse, next->mark, "%.*s: '.%.*s' is not allowed here",
			ptx_shown(&opcode->name), opcode->name.text, ptx_shown(next), next->text);
}

int ptx_type_modifier(struct ptx_parse *parse, struct ptx_opcode *opcode, uint32_t types,
		      uint32_t others, uint8_t *type)
{
	const struct ptx_word *word = ptx_modifier(opcode);
	char list[128];
	int found = word ? ptx_type(word) : -1;

	if (found < 0 && word && ptx_find(word, ptx_other_modifiers) >= 0)
		return ptx_unsupported(parse, word->mark, "%.*s.%.*s", ptx_shown(&opcode->name),
				       opcode->name.text, ptx_shown(word), word->text);
	if (found < 0)
		return ptx_missing(parse, opcode, "a type");
	if (others >> found & 1)
		return ptx_unsupported(parse, word->mark, "%.*s of type .%s",
				       ptx_shown(&opcode->name), opcode->name.text,
				       ptx_types[found].name);
	if (!(types >> found & 1))
		return ptx_fail(parse, word->mark, "%.*s has no type .%s; allowed: %s",
				ptx_shown(&opcode->name), opcode->name.text, ptx_types[found].name,
				ptx_type_list(types, list));
	*type = (uint8_t)found;
	opcode->next++;
	return 0;
}

int ptx_instruction(struct ptx_parse *parse, struct ptx_word name,
		    struct ptx_instruction *instruction)
{
	struct ptx_opcode opcode = { .name = name };
	unsigned int i;
	int ret = 0;

	while (!ret && faa_scan_peek(&parse->scan) == '.')
		ret = instruction_modifier(parse, &opcode);
	if (ret)
		return ret;
	for (i = 0; i < PTX_TO_COUNT; i++) {
		if (!ptx_is(&name, ptx_memories[i].name))
			continue;
		instruction->memory = true;
		instruction->which = (uint8_t)i;
		ret = ptx_memory(parse, &opcode, instruction);
		return ret ? ret : ptx_expect(parse, ';', "after the operands");
	}
	ret = ptx_plain(parse, &opcode, instruction);
	return ret ? ret : ptx_expect(parse, ';', "after the operands");
}
