// SPDX-License-Identifier: MIT
/* Parser of vISA text: one statement per line. */
#include <errno.h>
#include <string.h>

#include "parse.h"

#define fail_at(parser, mark, ...) \
	faa_asm_fail((parser)->error, (mark).line, (mark).column, __VA_ARGS__)

/* M1..M8, M1_NM..M8_NM, NoMask. Return: bits 7..4 of the execution byte; -1: no mask. */
static int parse_mask_code(const struct visa_word *word)
{
	bool no_mask = word->size == 5 && faa_word_is(word->text + 2, 3, "_NM");

	if (visa_word_is(word, "NoMask"))
		return 0x80;
	if ((word->size != 2 && !no_mask) || (word->text[0] != 'M' && word->text[0] != 'm') ||
	    word->text[1] < '1' || word->text[1] > '8')
		return -1;
	return (word->text[1] - '1') << 4 | (no_mask ? 0x80 : 0);
}

static int parse_take_mask(struct visa_parser *parser, int *mask)
{
	struct visa_word word;

	if (visa_take_name(parser, &word, "a mask or an execution size"))
		return -EINVAL;
	*mask = parse_mask_code(&word);
	if (*mask < 0)
		return fail_at(parser, word.mark,
			       "'%.*s' is no mask: those are M1 to M8, M1_NM to M8_NM, NoMask",
			       word.size > 40 ? 40 : (int)word.size, word.text);
	return visa_take(parser, ',', "',' and the execution size");
}

/* "(M1, 8)" */
static int parse_take_exec(struct visa_parser *parser, struct visa_inst *inst,
			   struct visa_places *places)
{
	int mask = 0, c;
	uint32_t size, code;

	if (visa_take(parser, '(', "'(' and the execution size"))
		return -EINVAL;
	places->mask = places->exec = faa_scan_mark(&parser->scan).column;
	c = faa_scan_peek(&parser->scan);
	if (c < '0' || c > '9') {
		if (parse_take_mask(parser, &mask))
			return -EINVAL;
		places->exec = faa_scan_mark(&parser->scan).column;
	}
	if (visa_take_value(parser, UINT32_MAX, &size, "an execution size"))
		return -EINVAL;
	for (code = 0; code < 6 && 1u << code != size; code++)
		;
	if (code == 6)
		return faa_asm_fail(parser->error, places->line, places->exec,
				    "execution size %u: it is 1, 2, 4, 8, 16 or 32", size);
	inst->exec = (uint8_t)(mask | (int)code);
	return visa_take(parser, ')', "')'");
}

/* "(!P1.any)" before an instruction. */
static int parse_take_predicate(struct visa_parser *parser, struct visa_inst *inst,
				struct visa_places *places)
{
	const struct visa_name_slot *slot;
	struct visa_word word, combine;
	int64_t number = -1;

	parser->scan.at++;
	if (visa_skip(parser))
		return -EINVAL;
	if (faa_scan_take(&parser->scan, '!')) {
		inst->predicate = 0x8000;
		if (visa_skip(parser))
			return -EINVAL;
	}
	if (visa_take_name(parser, &word, "a predicate"))
		return -EINVAL;
	places->predicate = word.mark.column;
	slot = visa_names_find(&parser->names, parser->code, word.text, word.size, false);
	if (slot && slot->class == VISA_PREDICATE)
		number = slot->number;
	else if (!slot && !visa_declared(parser->code, VISA_PREDICATE))
		number = visa_numbered(&word, 'P');
	parser->undefined = number < 0 && !slot;
	if (number < 0)
		return fail_at(parser, word.mark, "%.*s: undefined predicate variable",
			       word.size > 40 ? 40 : (int)word.size, word.text);
	if (number < 1 || number > 0xfff)
		return fail_at(parser, word.mark, "predicates are number 1 to 4095");
	inst->predicate |= (uint16_t)number;
	if (faa_scan_take(&parser->scan, '.')) {
		if (visa_take_name(parser, &combine, "any or all"))
			return -EINVAL;
		if (!visa_word_is(&combine, "any") && !visa_word_is(&combine, "all"))
			return fail_at(parser, combine.mark,
				       "a predicate is combined by any or all");
		inst->predicate |=
			(uint16_t)((visa_word_is(&combine, "any") ? VISA_ANY : VISA_ALL) << 13);
	}
	return visa_take(parser, ')', "')'");
}

/* The number of a variable; V0 is 0, which is null. */
static int parse_variable_number(struct visa_parser *parser, const struct visa_word *word,
				 uint32_t *number)
{
	const struct visa_name_slot *slot =
		visa_names_find(&parser->names, parser->code, word->text, word->size, false);
	int64_t numbered;

	if (slot && slot->class == VISA_GENERAL) {
		*number = slot->number;
		return 0;
	}
	if (slot)
		return fail_at(parser, word->mark, "%.*s is no general variable",
			       word->size > 40 ? 40 : (int)word->size, word->text);
	numbered = visa_numbered(word, 'V');
	if (numbered < 0 ||
	    (numbered >= VISA_FIRST_GENERAL && visa_declared(parser->code, VISA_GENERAL))) {
		parser->undefined = true;
		return fail_at(parser, word->mark, "%.*s: undefined raw operand variable",
			       word->size > 40 ? 40 : (int)word->size, word->text);
	}
	*number = (uint32_t)numbered;
	return 0;
}

static int parse_take_raw(struct visa_parser *parser, struct visa_raw *raw, uint32_t *column)
{
	struct visa_word word;
	bool builtin = visa_at(parser, '%');
	uint32_t offset;

	*column = faa_scan_mark(&parser->scan).column;
	if (builtin)
		parser->scan.at++;
	if (visa_take_name(parser, &word, "an operand such as V32.0 or %null.0"))
		return -EINVAL;
	word.mark.column -= builtin;
	if (builtin && (word.size != 4 || memcmp(word.text, "null", 4)))
		return fail_at(parser, word.mark,
			       "%%%.*s is predefined; of those svm_atomic takes %%null only",
			       word.size > 40 ? 40 : (int)word.size, word.text);
	if (!builtin && parse_variable_number(parser, &word, &raw->variable))
		return -EINVAL;
	if (!visa_at(parser, '.'))
		return faa_scan_fail(&parser->scan, parser->error,
				     "%s%.*s lacks its offset in bytes, as in %s%.*s.0",
				     builtin ? "%" : "", word.size > 40 ? 40 : (int)word.size,
				     word.text, builtin ? "%" : "",
				     word.size > 40 ? 40 : (int)word.size, word.text);
	parser->scan.at++;
	if (visa_take_value(parser, UINT16_MAX, &offset, "an offset in bytes"))
		return -EINVAL;
	raw->offset = (uint16_t)offset;
	return 0;
}

static int parse_find_op(const struct visa_word *word)
{
	unsigned int code;

	for (code = 0; code < 32; code++) {
		const struct visa_op *op = &visa_ops[code];

		if ((op->name && visa_word_is(word, op->name)) ||
		    (op->seed && visa_word_is(word, op->seed)))
			return (int)code;
	}
	return -1;
}

/* ".add.64" */
static int parse_take_op(struct visa_parser *parser, struct visa_inst *inst,
			 struct visa_places *places)
{
	struct visa_word word;
	uint32_t width = 32;
	int code;

	if (visa_take(parser, '.', "'.' and an operation") ||
	    visa_take_name(parser, &word, "an operation"))
		return -EINVAL;
	places->op = places->width = word.mark.column;
	code = parse_find_op(&word);
	if (code < 0)
		return fail_at(parser, word.mark, "svm_atomic has no operation '%.*s'",
			       word.size > 40 ? 40 : (int)word.size, word.text);
	if (faa_scan_take(&parser->scan, '.')) {
		places->width = faa_scan_mark(&parser->scan).column;
		if (visa_take_value(parser, UINT32_MAX, &width, "a width"))
			return -EINVAL;
	}
	if (width != 16 && width != 32 && width != 64)
		return faa_asm_fail(parser->error, places->line, places->width,
				    "width %u: it is 16, 32 or 64", width);
	inst->op = (uint8_t)(code | (width == 64 ? 2 << 5 : width == 16 ? 1 << 5 : 0));
	return 0;
}

static int parse_svm(struct visa_parser *parser, struct visa_inst *inst, struct visa_places *places)
{
	static const uint8_t order[] = { VISA_ADDRESSES, VISA_DST, VISA_SRC0, VISA_SRC1 };
	unsigned int i;

	if (parse_take_op(parser, inst, places) || parse_take_exec(parser, inst, places))
		return -EINVAL;
	for (i = 0; i < VISA_SLOTS; i++)
		if (parse_take_raw(parser, &inst->raw[order[i]], &places->raw[order[i]]))
			return -EINVAL;
	return 0;
}

/* ".EISCRL1": some of these, in this order. */
static int parse_take_fence_bits(struct visa_parser *parser, struct visa_inst *inst)
{
	struct visa_word word;
	size_t at = 0;
	unsigned int i;

	if (!faa_scan_take(&parser->scan, '.'))
		return 0;
	/* The reference tool writes "fence_local." if there are none. */
	word.mark = faa_scan_mark(&parser->scan);
	word.text = parser->scan.at;
	word.size = faa_scan_word(&parser->scan, "");
	for (i = 0; i < VISA_FENCES; i++) {
		size_t size = strlen(visa_fences[i].name);

		if (word.size - at >= size && !memcmp(word.text + at, visa_fences[i].name, size)) {
			inst->op |= visa_fences[i].mask;
			at += size;
		}
	}
	if (at == word.size)
		return 0;
	word.mark.column += (uint32_t)at;
	return fail_at(parser, word.mark, "a fence has some of E, I, S, C, R, L1, in this order");
}

static int parse_fence(struct visa_parser *parser, const struct visa_word *name,
		       struct visa_inst *inst)
{
	if (visa_word_is(name, "fence_sw")) {
		inst->op = 0x80;
		return 0;
	}
	inst->op = visa_word_is(name, "fence_local") ? 0x20 : 0;
	return parse_take_fence_bits(parser, inst);
}

static bool parse_is_fence(const struct visa_word *name)
{
	return visa_word_is(name, "fence_global") || visa_word_is(name, "fence_local") ||
	       visa_word_is(name, "fence_sw");
}

/* The error for an instruction that faa does not execute. */
static int visa_refuse_name(struct visa_parser *parser, const struct visa_word *name)
{
	int size = name->size > 40 ? 40 : (int)name->size;
	size_t i;

	for (i = 0; i < sizeof(visa_foreign_texts) / sizeof(visa_foreign_texts[0]); i++)
		if (visa_word_is(name, visa_foreign_texts[i]))
			return fail_at(parser, name->mark,
				       FAA_ASM_UNSUPPORTED
				       "instruction '%.*s'; of vISA faa executes svm_atomic, ret, "
				       "fence_global, fence_local and fence_sw",
				       size, name->text);
	return fail_at(parser, name->mark, "'%.*s' is no instruction of vISA", size, name->text);
}

/* Parses the operands of instruction @name. */
static int parse_named(struct visa_parser *parser, const struct visa_word *name, bool predicated,
		       struct visa_inst *inst, struct visa_places *places)
{
	if (visa_word_is(name, "svm_atomic")) {
		inst->opcode = VISA_SVM;
		return parse_svm(parser, inst, places);
	}
	if (visa_word_is(name, "ret")) {
		inst->opcode = VISA_RET;
		return parse_take_exec(parser, inst, places);
	}
	if (parse_is_fence(name) && predicated)
		return fail_at(parser, name->mark, "a fence has no predicate");
	if (parse_is_fence(name)) {
		inst->opcode = VISA_FENCE;
		return parse_fence(parser, name, inst);
	}
	return visa_refuse_name(parser, name);
}

static int parse_inst(struct visa_parser *parser)
{
	struct visa_places places = { 0 };
	struct visa_inst inst = { 0 }, *added;
	struct visa_word name;
	bool predicated = visa_at(parser, '(');
	int ret;

	places.line = inst.line = parser->scan.line;
	places.start = faa_scan_mark(&parser->scan).column;
	if (predicated && parse_take_predicate(parser, &inst, &places))
		return -EINVAL;
	if (visa_take_name(parser, &name, "an instruction"))
		return -EINVAL;
	if (!predicated && faa_scan_take(&parser->scan, ':'))
		return visa_parse_label(parser, &name, VISA_LABEL);
	ret = parse_named(parser, &name, predicated, &inst, &places);
	if (!ret)
		ret = visa_check(parser->code, &inst, &places, parser->error);
	if (ret)
		return ret;
	added = visa_add(&parser->code->insts, sizeof(inst));
	if (!added)
		return -ENOMEM;
	*added = inst;
	return 0;
}

/*
 * Parses a statement and the end of its line; an instruction may follow a label on the same line.
 */
static int parse_statement(struct visa_parser *parser)
{
	bool directive = visa_at(parser, '.');
	const struct visa_array *insts = &parser->code->insts;
	uint32_t before = insts->count;
	char shown[64];
	int ret;

	ret = directive ? visa_parse_directive(parser) : parse_inst(parser);
	parser->begun = true;
	if (!ret)
		ret = visa_skip(parser);
	if (ret)
		return ret;
	if (faa_scan_peek(&parser->scan) < 0 || visa_at(parser, '\n'))
		return 0;
	if (!directive && insts->count > before &&
	    visa_insts(parser->code)[before].opcode == VISA_LABEL)
		return 0;
	return faa_scan_fail(&parser->scan, parser->error,
			     "the line should end here, not continue with %s",
			     faa_scan_show(&parser->scan, shown));
}

/* After an error, parsing resumes with the next line. */
static int parse_all(struct visa_parser *parser, struct faa_asm_log *log)
{
	bool directive, room = true;
	int ret;

	while (room) {
		ret = visa_skip(parser);
		if (!ret && faa_scan_peek(&parser->scan) < 0)
			break;
		if (!ret && visa_at(parser, '\n')) {
			faa_scan_newline(&parser->scan);
			continue;
		}
		directive = visa_at(parser, '.');
		parser->undefined = false;
		if (!ret)
			ret = parse_statement(parser);
		if (ret == -ENOMEM)
			return ret;
		if (!ret)
			continue;
		if (!parser->undefined || !parser->incomplete)
			room = faa_asm_log_add(log, parser->error);
		parser->incomplete |= directive;
		faa_scan_rest(&parser->scan);
	}
	return log->count ? -EINVAL : 0;
}

int visa_read_text(const void *data, size_t size, struct faa_asm_code **result,
		   struct faa_asm_log *log)
{
	struct faa_asm_error error = { 0 };
	struct visa_parser parser = { .scan = faa_scan_begin(data, size), .error = &error };
	int ret;

	parser.code = visa_create();
	if (!parser.code)
		return -ENOMEM;
	ret = parse_all(&parser, log);
	visa_names_free(&parser.names);
	if (ret)
		visa_destroy(&parser.code->base);
	else
		*result = &parser.code->base;
	return ret;
}
