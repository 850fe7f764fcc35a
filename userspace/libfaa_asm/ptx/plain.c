// SPDX-License-Identifier: MIT
/* All other instructions: moves, arithmetic, comparisons, branches. */
#include <errno.h>
#include <string.h>

#include "parse.h"

/* Finds the row with this name whose modifiers are the first ones. */
static int plain_find_row(struct ptx_parse *parse, struct ptx_opcode *opcode, unsigned int *row)
{
	const struct ptx_plain_info *named = NULL;
	const struct ptx_word *word;
	unsigned int i, m;

	for (i = 0; i < PTX_PLAIN_COUNT; i++) {
		if (!ptx_is(&opcode->name, ptx_plains[i].name))
			continue;
		named = &ptx_plains[i];
		for (m = 0; named->modifiers[m] && m < opcode->count; m++)
			if (!ptx_is(&opcode->modifiers[m], named->modifiers[m]))
				break;
		if (named->modifiers[m])
			continue;
		opcode->next = m;
		*row = i;
		return 0;
	}
	word = ptx_modifier(opcode);
	if (named && word && ptx_find(word, ptx_other_modifiers) >= 0)
		return ptx_unsupported(parse, word->mark, "%s.%.*s", named->name, ptx_shown(word),
				       word->text);
	if (named)
		return ptx_missing(parse, opcode,
				   named->lowering == PTX_LOWER_MOVE ? "to.global or global" :
								       named->modifiers[0]);
	if (ptx_find(&opcode->name, ptx_other_instructions) >= 0)
		return ptx_unsupported(parse, opcode->name.mark, "instruction '%.*s'",
				       ptx_shown(&opcode->name), opcode->name.text);
	return ptx_fail(parse, opcode->name.mark, "'%.*s' is no instruction of PTX",
			ptx_shown(&opcode->name), opcode->name.text);
}

static int plain_take_optional(struct ptx_parse *parse, struct ptx_opcode *opcode,
			       const struct ptx_plain_info *info,
			       struct ptx_instruction *instruction)
{
	const struct ptx_word *word;
	int found;

	while ((word = ptx_modifier(opcode))) {
		found = ptx_find(word, info->optional);
		if (found < 0)
			return 0;
		if (instruction->optional >> found)
			return ptx_fail(parse, word->mark, "'.%.*s' is out of order",
					ptx_shown(word), word->text);
		instruction->optional |= (uint8_t)(1u << found);
		opcode->next++;
	}
	return 0;
}

/* .rn is for floating-point types, .ftz for f32. */
static int plain_check_optional(struct ptx_parse *parse, const struct ptx_opcode *opcode,
				const struct ptx_plain_info *info,
				const struct ptx_instruction *instruction)
{
	unsigned int i;

	for (i = 0; info->optional[i]; i++) {
		bool ftz = !strcmp(info->optional[i], "ftz");

		if (!(instruction->optional >> i & 1) || info->lowering != PTX_LOWER_ALU)
			continue;
		if (!ptx_is_float(instruction->type) || (ftz && instruction->type != PTX_F32))
			return ptx_fail(parse, opcode->modifiers[0].mark, "%s of .%s has no .%s",
					info->name, ptx_types[instruction->type].name,
					info->optional[i]);
	}
	return 0;
}

static int plain_take_comparison(struct ptx_parse *parse, struct ptx_opcode *opcode,
				 struct ptx_instruction *instruction)
{
	const struct ptx_word *word = ptx_modifier(opcode);
	unsigned int i;

	for (i = 0; word && i < PTX_COMPARE_COUNT; i++) {
		if (!ptx_is(word, ptx_compares[i].name))
			continue;
		instruction->compare = (uint8_t)i;
		opcode->next++;
		return 0;
	}
	if (word && ptx_find(word, ptx_other_modifiers) >= 0)
		return ptx_unsupported(parse, word->mark, "setp.%.*s", ptx_shown(word), word->text);
	return ptx_missing(
		parse, opcode,
		"a comparison that the device has (eq, ne, lt, le, gt, ge, lo, ls, hi, hs, neu)");
}

static int plain_check_comparison(struct ptx_parse *parse, const struct ptx_opcode *opcode,
				  const struct ptx_instruction *instruction)
{
	const struct ptx_compare_info *info = &ptx_compares[instruction->compare];

	if (strchr(info->classes, ptx_types[instruction->type].kind))
		return 0;
	if (ptx_is_float(instruction->type) && !strcmp(info->name, "ne"))
		return ptx_unsupported(
			parse, opcode->modifiers[0].mark,
			"the device has no setp.ne of .%s; .neu, which is true for a NaN, it has",
			ptx_types[instruction->type].name);
	return ptx_fail(parse, opcode->modifiers[0].mark, "setp.%s has no type .%s", info->name,
			ptx_types[instruction->type].name);
}

/* ------------------------------------------------------------------------------------------------
 * Operands
 */

static int plain_next_operand(struct ptx_parse *parse, const struct ptx_wanted *wanted,
			      struct ptx_operand *operand)
{
	int ret = ptx_expect(parse, ',', "before the next operand");

	return ret ? ret : ptx_operand(parse, wanted, operand);
}

static bool plain_is_power(uint64_t value)
{
	return value && !(value & (value - 1));
}

/* The last operand of shl, shr, mul.wide. */
static int plain_check_last(struct ptx_parse *parse, struct faa_scan_mark mark,
			    const struct ptx_plain_info *info, const struct ptx_operand *operand)
{
	bool shift = info->lowering == PTX_LOWER_ALU &&
		     (info->alu == FAA_ALU_OP_SHL || info->alu == FAA_ALU_OP_SHR);

	if (shift && operand->kind != PTX_OPERAND_CONSTANT)
		return ptx_unsupported(parse, mark, "an amount of a shift that is no constant");
	if (info->lowering == PTX_LOWER_WIDE &&
	    (operand->kind != PTX_OPERAND_CONSTANT || !plain_is_power(operand->value) ||
	     operand->value > 1u << 30))
		return ptx_unsupported(
			parse, mark,
			"mul.wide multiplies by a constant power of 2: the device has no multiplication to 64 bits");
	return 0;
}

/* d, a, b, c, as many as the row has. */
static int plain_sources(struct ptx_parse *parse, const struct ptx_plain_info *info,
			 struct ptx_instruction *instruction)
{
	bool shift = info->lowering == PTX_LOWER_ALU &&
		     (info->alu == FAA_ALU_OP_SHL || info->alu == FAA_ALU_OP_SHR);
	struct ptx_wanted wanted = { .type = instruction->type, .destination = true };
	unsigned int i, count = (unsigned int)(strlen(info->operands) + 2) / 3;
	struct faa_scan_mark mark = { 0 };
	int ret;

	if (info->lowering == PTX_LOWER_WIDE)
		wanted.type = instruction->type == PTX_U32 ? PTX_U64 : PTX_S64;
	wanted.wider = info->lowering == PTX_LOWER_CONVERT;
	ret = ptx_operand(parse, &wanted, &instruction->operands[0]);
	wanted = (struct ptx_wanted){ .type = instruction->type,
				      .move = info->lowering == PTX_LOWER_MOVE };
	if (info->lowering == PTX_LOWER_CONVERT) {
		wanted.type = instruction->from;
		wanted.wider = true;
	}
	for (i = 1; !ret && i < count; i++) {
		if (shift && i == 2)
			wanted.type = PTX_U32;
		ret = ptx_expect(parse, ',', "before the next operand");
		if (!ret)
			ret = ptx_blank(parse);
		mark = faa_scan_mark(&parse->scan);
		if (!ret)
			ret = ptx_operand(parse, &wanted, &instruction->operands[i]);
	}
	return ret ? ret : plain_check_last(parse, mark, info, &instruction->operands[count - 1]);
}

/* p, p|q. */
static int plain_predicates(struct ptx_parse *parse, struct ptx_instruction *instruction)
{
	struct ptx_wanted wanted = { .type = PTX_PRED, .destination = true };
	const struct ptx_compare_info *info = &ptx_compares[instruction->compare];
	struct faa_scan_mark mark;
	bool both;
	int ret = ptx_operand(parse, &wanted, &instruction->operands[0]);

	if (!ret)
		ret = ptx_take(parse, '|', &both);
	if (ret || !both)
		return ret;
	mark = faa_scan_mark(&parse->scan);
	if (ptx_is_float(instruction->type) && info->cmp != FAA_CMP_EQ && info->cmp != FAA_CMP_NE)
		return ptx_unsupported(parse, mark, "the device has no opposite of .%s for two .%s",
				       info->name, ptx_types[instruction->type].name);
	ret = ptx_operand(parse, &wanted, &instruction->operands[3]);
	if (!ret && instruction->operands[0].index == instruction->operands[3].index)
		ret = ptx_fail(parse, mark, "both results go to one predicate");
	return ret;
}

static int plain_comparison(struct ptx_parse *parse, struct ptx_instruction *instruction)
{
	struct ptx_wanted wanted = { .type = instruction->type };
	int ret = plain_predicates(parse, instruction);

	if (!ret)
		ret = plain_next_operand(parse, &wanted, &instruction->operands[1]);
	return ret ? ret : plain_next_operand(parse, &wanted, &instruction->operands[2]);
}

static int plain_branch(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			struct ptx_instruction *instruction)
{
	struct ptx_word word;
	int ret = ptx_identifier(parse, &word, "a label");

	if (!ret && instruction->guarded && !instruction->optional)
		ret = ptx_unsupported(
			parse, opcode->name.mark,
			"lanes of a warp cannot go different ways; where all go the same one it is bra.uni");
	instruction->operands[0].kind = PTX_OPERAND_LABEL;
	return ret ? ret : ptx_label(parse, &word, &instruction->operands[0].index);
}

static int plain_barrier(struct ptx_parse *parse)
{
	struct faa_scan_mark mark;
	int64_t number = 0;
	int ret = ptx_blank(parse);

	mark = faa_scan_mark(&parse->scan);
	if (!ret)
		ret = ptx_integer(parse, 0, 15, "the number of a barrier", &number);
	if (!ret && number)
		ret = ptx_unsupported(parse, mark, "the device has barrier 0 alone");
	return ret;
}

static int plain_check_guard(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			     const struct ptx_plain_info *info,
			     const struct ptx_instruction *instruction)
{
	bool together = info->lowering == PTX_LOWER_RETURN && instruction->optional;

	if (!instruction->guarded || together ||
	    (info->lowering != PTX_LOWER_BARRIER && info->lowering != PTX_LOWER_RETURN))
		return 0;
	return ptx_unsupported(parse, opcode->name.mark,
			       "%s has no guard: lanes of a warp cannot go different ways%s",
			       info->name,
			       info->optional[0] ? "; where all leave together it is ret.uni" : "");
}

static int plain_operands(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			  const struct ptx_plain_info *info, struct ptx_instruction *instruction)
{
	switch (info->lowering) {
	case PTX_LOWER_COMPARE:
		return plain_comparison(parse, instruction);
	case PTX_LOWER_BRANCH:
		return plain_branch(parse, opcode, instruction);
	case PTX_LOWER_BARRIER:
		return plain_barrier(parse);
	case PTX_LOWER_RETURN:
		return 0;
	default:
		return plain_sources(parse, info, instruction);
	}
}

int ptx_plain(struct ptx_parse *parse, struct ptx_opcode *opcode,
	      struct ptx_instruction *instruction)
{
	const struct ptx_plain_info *info;
	unsigned int row = 0;
	int ret = plain_find_row(parse, opcode, &row);

	if (ret)
		return ret;
	info = &ptx_plains[row];
	instruction->which = (uint8_t)row;
	if (info->lowering == PTX_LOWER_COMPARE)
		ret = plain_take_comparison(parse, opcode, instruction);
	if (!ret)
		ret = plain_take_optional(parse, opcode, info, instruction);
	if (!ret)
		ret = plain_check_guard(parse, opcode, info, instruction);
	if (!ret && info->types)
		ret = ptx_type_modifier(parse, opcode, info->types, info->other_types,
					&instruction->type);
	if (!ret && info->from)
		ret = ptx_type_modifier(parse, opcode, info->from, info->other_types,
					&instruction->from);
	if (!ret)
		ret = ptx_no_more(parse, opcode);
	if (!ret)
		ret = plain_check_optional(parse, opcode, info, instruction);
	if (!ret && info->lowering == PTX_LOWER_COMPARE)
		ret = plain_check_comparison(parse, opcode, instruction);
	return ret ? ret : plain_operands(parse, opcode, info, instruction);
}
