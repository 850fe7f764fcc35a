// SPDX-License-Identifier: MIT
/* Operands of an instruction by the grammar. */
#include <endian.h>
#include <string.h>

#include "context.h"

/* A walk over one instruction. */
struct walk {
	struct spirv_context *context;
	const struct spirv_instruction *instruction;
	const uint32_t *words;
	uint32_t at;
	spirv_operand_visit visit;
};

static int operand_walk_list(struct walk *walk, const struct spirv_operand_grammar *list,
			     uint32_t count);

uint32_t spirv_string(const uint32_t *words, uint32_t count)
{
	uint32_t i;

	/* The last word has a byte of 0; this test finds it in either byte order. */
	for (i = 0; i < count; i++)
		if ((words[i] - 0x01010101u) & ~words[i] & 0x80808080u)
			return i + 1;
	return 0;
}

const char *spirv_text(struct faa_spirv_module *module, const uint32_t *words)
{
	uint32_t i, count = spirv_string(words, UINT32_MAX);
	uint32_t *text = spirv_alloc(module, count, 4);

	for (i = 0; text && i < count; i++)
		text[i] = htole32(words[i]);
	return (const char *)text;
}

/* Words of a number of the type that @id names: the result type, or the type of a value. */
static uint32_t operand_words_of_number(struct walk *walk, uint32_t type)
{
	const struct faa_spirv_module *module = walk->context->module;
	const struct spirv_type *t;

	if (type >= module->bound || module->ids[type].kind != SPIRV_ID_TYPE)
		return 0;
	t = spirv_type(module, type);
	if (t->op != SpvOpTypeInt && t->op != SpvOpTypeFloat)
		return 0;
	return (t->width + 31) / 32;
}

/* Words of the literal at the position of @walk; 0: there is none. */
static uint32_t operand_literal_words(struct walk *walk, enum spirv_kind kind, bool is_case)
{
	const struct faa_spirv_module *module = walk->context->module;
	uint32_t left = walk->instruction->length - walk->at;

	if (kind == SPIRV_KIND_LiteralString)
		return spirv_string(walk->words + walk->at, left);
	if (kind == SPIRV_KIND_LiteralContextDependentNumber)
		return operand_words_of_number(walk, walk->words[1]);
	if (is_case && walk->instruction->opcode == SpvOpSwitch)
		return walk->words[1] < module->bound ?
			       operand_words_of_number(walk, module->ids[walk->words[1]].type) :
			       0;
	return 1;
}

static int operand_visit(struct walk *walk, enum spirv_kind kind, uint32_t words)
{
	struct spirv_operand operand = { kind, walk->at, words };

	walk->at += words;
	return walk->visit(walk->context, walk->instruction, &operand);
}

static int operand_missing(struct walk *walk, const char *name)
{
	const struct spirv_instruction *at = walk->instruction;

	return spirv_refuse(
		walk->context, at, walk->at, at->result,
		"End of input reached while decoding Op%s starting at word %u: expected more operands (%s) after %u words",
		spirv_op_name(at->opcode), at->word, name, walk->at);
}

/* Parameters of a value or bit, which follow it. */
static int operand_walk_parameters(struct walk *walk, const struct spirv_enumerant *enumerant)
{
	return operand_walk_list(walk, &spirv_operands[enumerant->parameter],
				 enumerant->parameter_count);
}

static int operand_walk_enum(struct walk *walk, enum spirv_kind kind)
{
	uint32_t bit, value = walk->words[walk->at];
	bool bits = spirv_kinds[kind].category == SPIRV_CATEGORY_BitEnum;
	const struct spirv_enumerant *enumerant = spirv_enumerant(kind, value);
	int ret = 0;

	if (!bits && !enumerant)
		return spirv_refuse(walk->context, walk->instruction, walk->at,
				    walk->instruction->result, "Invalid %s operand: %u",
				    spirv_kinds[kind].name, value);
	ret = operand_visit(walk, kind, 1);
	if (!bits)
		return ret ? ret : operand_walk_parameters(walk, enumerant);
	for (bit = 1; bit && !ret; bit <<= 1) {
		if (!(value & bit))
			continue;
		enumerant = spirv_enumerant(kind, bit);
		if (!enumerant)
			return spirv_refuse(walk->context, walk->instruction, walk->at - 1,
					    walk->instruction->result,
					    "Invalid %s operand: %u has invalid mask component %u",
					    spirv_kinds[kind].name, value, bit);
		ret = operand_walk_parameters(walk, enumerant);
	}
	return ret;
}

static int operand_walk_composite(struct walk *walk, enum spirv_kind kind)
{
	static const struct {
		uint8_t kind, part[2];
	} pairs[] = {
		{ SPIRV_KIND_PairLiteralIntegerIdRef,
		  { SPIRV_KIND_LiteralInteger, SPIRV_KIND_IdRef } },
		{ SPIRV_KIND_PairIdRefLiteralInteger,
		  { SPIRV_KIND_IdRef, SPIRV_KIND_LiteralInteger } },
		{ SPIRV_KIND_PairIdRefIdRef, { SPIRV_KIND_IdRef, SPIRV_KIND_IdRef } },
	};
	uint32_t i, part, words;
	int ret = 0;

	for (i = 0; pairs[i].kind != kind; i++)
		;
	for (part = 0; part < 2 && !ret; part++) {
		words = pairs[i].part[part] == SPIRV_KIND_IdRef ?
				1 :
				operand_literal_words(walk, pairs[i].part[part], true);
		if (!words || words > walk->instruction->length - walk->at)
			return operand_missing(walk, spirv_kinds[pairs[i].part[part]].name);
		ret = operand_visit(walk, pairs[i].part[part], words);
	}
	return ret;
}

/* OpSpecConstantOp contains another instruction without its result type and result. */
static int operand_walk_inner(struct walk *walk)
{
	const struct spirv_grammar *inner = spirv_grammar(walk->words[walk->at]);
	int ret = operand_visit(walk, SPIRV_KIND_LiteralSpecConstantOpInteger, 1);

	if (ret)
		return ret;
	if (!inner || inner->opcode == SpvOpSpecConstantOp || inner->operand_count < 2 ||
	    spirv_operands[inner->operand].kind != SPIRV_KIND_IdResultType)
		return spirv_refuse(walk->context, walk->instruction, walk->at - 1,
				    walk->instruction->result, "Invalid SpecConstantOp opcode: %u",
				    walk->words[walk->at - 1]);
	return operand_walk_list(walk, &spirv_operands[inner->operand + 2],
				 inner->operand_count - 2);
}

static int operand_walk_one(struct walk *walk, const struct spirv_operand_grammar *operand)
{
	uint32_t words;

	if (walk->at >= walk->instruction->length)
		return operand_missing(walk, operand->name);
	switch (spirv_kinds[operand->kind].category) {
	case SPIRV_CATEGORY_Id:
		return operand_visit(walk, operand->kind, 1);
	case SPIRV_CATEGORY_Composite:
		return operand_walk_composite(walk, operand->kind);
	case SPIRV_CATEGORY_Literal:
		break;
	default:
		return operand_walk_enum(walk, operand->kind);
	}
	if (operand->kind == SPIRV_KIND_LiteralSpecConstantOpInteger)
		return operand_walk_inner(walk);
	words = operand_literal_words(walk, operand->kind, false);
	if (!words || words > walk->instruction->length - walk->at)
		return operand_missing(walk, operand->name);
	return operand_visit(walk, operand->kind, words);
}

static int operand_walk_list(struct walk *walk, const struct spirv_operand_grammar *list,
			     uint32_t count)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < count && !ret; i++) {
		if (list[i].quantifier == SPIRV_ONE)
			ret = operand_walk_one(walk, &list[i]);
		else
			do {
				if (walk->at >= walk->instruction->length)
					break;
				ret = operand_walk_one(walk, &list[i]);
			} while (!ret && list[i].quantifier == SPIRV_ANY);
	}
	return ret;
}

int spirv_walk(struct spirv_context *context, const struct spirv_instruction *instruction,
	       spirv_operand_visit visit_one)
{
	struct walk walk = { context, instruction, context->module->words + instruction->word, 1,
			     visit_one };
	const struct spirv_grammar *grammar = spirv_grammar(instruction->opcode);
	int ret;

	if (!grammar)
		return spirv_refuse(context, instruction, 0, 0, "Invalid opcode: %u",
				    instruction->opcode);
	ret = operand_walk_list(&walk, &spirv_operands[grammar->operand], grammar->operand_count);
	if (!ret && walk.at != instruction->length)
		return spirv_refuse(
			context, instruction, walk.at, instruction->result,
			"Invalid instruction Op%s starting at word %u: expected no more operands after %u words, but stated word count is %u",
			spirv_op_name(instruction->opcode), instruction->word, walk.at,
			instruction->length);
	return ret;
}
