// SPDX-License-Identifier: MIT
/* Operand types of instructions that compute values: a table of signatures. */
#include <errno.h>
#include <string.h>

#include "typing.h"

/*
 * A signature: the result, then the operands.
 *
 * Result:
 *   i  integer scalar or vector           f  float scalar or vector
 *   b  bool scalar or vector              m  matrix
 *   p  structure of two equal integers    *  anything
 *
 * Operands:
 *   R  type of the result                 r  integer with components and width of the result
 *   i, f, b  with as many components as the result
 *   S  scalar of the result's component type
 *   F  type of the first operand          W  integer with components and width of the first operand
 *   s  integer scalar                     v  type of the result's members
 *   V  bool vector                        q  float vector
 *   Q  float vector of the type of the first operand
 *   e  integer scalar of any width: place of a bit field
 *   .  checked elsewhere, or anything
 */
struct signature {
	uint16_t opcode;
	const char *text;
};

static const struct signature typing_signatures[] = {
	{ SpvOpSNegate, "ir" },
	{ SpvOpFNegate, "fR" },
	{ SpvOpIAdd, "irr" },
	{ SpvOpFAdd, "fRR" },
	{ SpvOpISub, "irr" },
	{ SpvOpFSub, "fRR" },
	{ SpvOpIMul, "irr" },
	{ SpvOpFMul, "fRR" },
	{ SpvOpUDiv, "irr" },
	{ SpvOpSDiv, "irr" },
	{ SpvOpFDiv, "fRR" },
	{ SpvOpUMod, "irr" },
	{ SpvOpSRem, "irr" },
	{ SpvOpSMod, "irr" },
	{ SpvOpFRem, "fRR" },
	{ SpvOpFMod, "fRR" },
	{ SpvOpVectorTimesScalar, "fRS" },
	{ SpvOpDot, "fqQ" },
	{ SpvOpIAddCarry, "pvv" },
	{ SpvOpISubBorrow, "pvv" },
	{ SpvOpUMulExtended, "pvv" },
	{ SpvOpSMulExtended, "pvv" },
	{ SpvOpShiftRightLogical, "iri" },
	{ SpvOpShiftRightArithmetic, "iri" },
	{ SpvOpShiftLeftLogical, "iri" },
	{ SpvOpBitwiseOr, "irr" },
	{ SpvOpBitwiseXor, "irr" },
	{ SpvOpBitwiseAnd, "irr" },
	{ SpvOpNot, "ir" },
	{ SpvOpBitFieldInsert, "iRRss" },
	{ SpvOpBitFieldSExtract, "iRss" },
	{ SpvOpBitFieldUExtract, "iRss" },
	{ SpvOpBitReverse, "iR" },
	{ SpvOpBitCount, "ii" },
	{ SpvOpAny, "bV" },
	{ SpvOpAll, "bV" },
	{ SpvOpIsNan, "bf" },
	{ SpvOpIsInf, "bf" },
	{ SpvOpLogicalEqual, "bRR" },
	{ SpvOpLogicalNotEqual, "bRR" },
	{ SpvOpLogicalOr, "bRR" },
	{ SpvOpLogicalAnd, "bRR" },
	{ SpvOpLogicalNot, "bR" },
	{ SpvOpIEqual, "biW" },
	{ SpvOpINotEqual, "biW" },
	{ SpvOpUGreaterThan, "biW" },
	{ SpvOpSGreaterThan, "biW" },
	{ SpvOpUGreaterThanEqual, "biW" },
	{ SpvOpSGreaterThanEqual, "biW" },
	{ SpvOpULessThan, "biW" },
	{ SpvOpSLessThan, "biW" },
	{ SpvOpULessThanEqual, "biW" },
	{ SpvOpSLessThanEqual, "biW" },
	{ SpvOpFOrdEqual, "bfF" },
	{ SpvOpFUnordEqual, "bfF" },
	{ SpvOpFOrdNotEqual, "bfF" },
	{ SpvOpFUnordNotEqual, "bfF" },
	{ SpvOpFOrdLessThan, "bfF" },
	{ SpvOpFUnordLessThan, "bfF" },
	{ SpvOpFOrdGreaterThan, "bfF" },
	{ SpvOpFUnordGreaterThan, "bfF" },
	{ SpvOpFOrdLessThanEqual, "bfF" },
	{ SpvOpFUnordLessThanEqual, "bfF" },
	{ SpvOpFOrdGreaterThanEqual, "bfF" },
	{ SpvOpFUnordGreaterThanEqual, "bfF" },
	{ SpvOpConvertFToU, "if" },
	{ SpvOpConvertFToS, "if" },
	{ SpvOpConvertSToF, "fi" },
	{ SpvOpConvertUToF, "fi" },
	{ SpvOpUConvert, "ii" },
	{ SpvOpSConvert, "ii" },
	{ SpvOpFConvert, "ff" },
	{ SpvOpQuantizeToF16, "fR" },
	{ SpvOpCopyObject, "*R" },
	{ SpvOpGroupNonUniformElect, "b." },
	{ SpvOpGroupNonUniformAll, "b.b" },
	{ SpvOpGroupNonUniformAny, "b.b" },
	{ SpvOpGroupNonUniformBroadcast, "*.Rs" },
	{ SpvOpGroupNonUniformBroadcastFirst, "*.R" },
	{ SpvOpGroupNonUniformShuffle, "*.Rs" },
	{ SpvOpGroupNonUniformShuffleXor, "*.Rs" },
	{ SpvOpGroupNonUniformShuffleUp, "*.Rs" },
	{ SpvOpGroupNonUniformShuffleDown, "*.Rs" },
	{ SpvOpGroupNonUniformIAdd, "i..R" },
	{ SpvOpGroupNonUniformFAdd, "f..R" },
	{ SpvOpGroupNonUniformIMul, "i..R" },
	{ SpvOpGroupNonUniformFMul, "f..R" },
	{ SpvOpGroupNonUniformSMin, "i..R" },
	{ SpvOpGroupNonUniformUMin, "i..R" },
	{ SpvOpGroupNonUniformFMin, "f..R" },
	{ SpvOpGroupNonUniformSMax, "i..R" },
	{ SpvOpGroupNonUniformUMax, "i..R" },
	{ SpvOpGroupNonUniformFMax, "f..R" },
	{ SpvOpGroupNonUniformBitwiseAnd, "i..R" },
	{ SpvOpGroupNonUniformBitwiseOr, "i..R" },
	{ SpvOpGroupNonUniformBitwiseXor, "i..R" },
	{ SpvOpGroupNonUniformLogicalAnd, "b..R" },
	{ SpvOpGroupNonUniformLogicalOr, "b..R" },
	{ SpvOpGroupNonUniformLogicalXor, "b..R" },
};

/* Element-wise instructions of GLSL.std.450 by number: result, then operands. */
static const struct signature typing_glsl_signatures[] = {
	{ 1, "fR" },	{ 2, "fR" },	{ 3, "fR" },   { 4, "fR" },    { 5, "ir" },
	{ 6, "fR" },	{ 7, "ir" },	{ 8, "fR" },   { 9, "fR" },    { 10, "fR" },
	{ 11, "fR" },	{ 12, "fR" },	{ 13, "fR" },  { 14, "fR" },   { 15, "fR" },
	{ 16, "fR" },	{ 17, "fR" },	{ 18, "fR" },  { 19, "fR" },   { 20, "fR" },
	{ 21, "fR" },	{ 22, "fR" },	{ 23, "fR" },  { 24, "fR" },   { 25, "fRR" },
	{ 26, "fRR" },	{ 27, "fR" },	{ 28, "fR" },  { 29, "fR" },   { 30, "fR" },
	{ 31, "fR" },	{ 32, "fR" },	{ 37, "fRR" }, { 38, "irr" },  { 39, "irr" },
	{ 40, "fRR" },	{ 41, "irr" },	{ 42, "irr" }, { 43, "fRRR" }, { 44, "irrr" },
	{ 45, "irrr" }, { 46, "fRRR" }, { 48, "fRR" }, { 49, "fRRR" }, { 50, "fRRR" },
	{ 53, "fRi" },	{ 73, "ir" },	{ 74, "ir" },  { 75, "ir" },   { 79, "fRR" },
	{ 80, "fRR" },	{ 81, "fRRR" },
};

int spirv_mistyped(struct spirv_context *context, const struct spirv_instruction *at,
		   uint32_t operand, const char *what)
{
	const uint32_t *words = context->module->words + at->word;

	return spirv_refuse(context, at, at->operands + operand - words, at->operands[operand],
			    "%s: expected operand %u to be %s", spirv_op_name(at->opcode),
			    operand + 1, what);
}

/* The opcode of the scalar type for a letter of a signature. */
static uint32_t typing_op_of(char letter)
{
	return letter == 'i' ? SpvOpTypeInt : letter == 'f' ? SpvOpTypeFloat : SpvOpTypeBool;
}

static bool typing_fits_result(const struct faa_spirv_module *module, const struct spirv_type *type,
			       char letter)
{
	const struct spirv_type *member;

	if (letter == '*')
		return type->op != SpvOpTypeVoid;
	if (letter != 'p')
		return spirv_scalar(module, type)->op == typing_op_of(letter);
	if (type->op != SpvOpTypeStruct || type->count != 2 ||
	    type->members[0].type != type->members[1].type)
		return false;
	if (module->ids[type->members[0].type].kind != SPIRV_ID_TYPE)
		return false;
	member = spirv_type(module, type->members[0].type);
	return spirv_scalar(module, member)->op == SpvOpTypeInt;
}

static bool typing_same_shape(const struct faa_spirv_module *module, const struct spirv_type *a,
			      const struct spirv_type *b)
{
	return spirv_scalar(module, a)->op == SpvOpTypeInt &&
	       spirv_scalar(module, b)->op == SpvOpTypeInt &&
	       spirv_components(a) == spirv_components(b) &&
	       spirv_scalar(module, a)->width == spirv_scalar(module, b)->width;
}

/* Whether an operand's type fits a letter; @first: type of the first operand. */
static bool typing_fits(const struct faa_spirv_module *module, const struct spirv_type *result,
			const struct spirv_type *first, const struct spirv_type *type, char letter)
{
	const struct spirv_type *scalar = spirv_scalar(module, type);

	switch (letter) {
	case 'R':
		return type == result;
	case 'r':
		return typing_same_shape(module, type, result);
	case 'i':
	case 'f':
	case 'b':
		return scalar->op == typing_op_of(letter) &&
		       spirv_components(type) == spirv_components(result);
	case 'S':
		return type == spirv_scalar(module, result);
	case 'F':
		return type == first;
	case 'W':
		return typing_same_shape(module, type, first);
	case 's':
		return type->op == SpvOpTypeInt;
	case 'v':
		return type->id == result->members[0].type;
	case 'V':
		return type->op == SpvOpTypeVector && scalar->op == SpvOpTypeBool &&
		       result->op == SpvOpTypeBool;
	case 'q':
		return type->op == SpvOpTypeVector && scalar == result;
	case 'Q':
		return type == first;
	default:
		return true;
	}
}

static const char *typing_describe(char letter)
{
	switch (letter) {
	case 'R':
		return "of Result Type";
	case 'r':
		return "an integer with the components and width of Result Type";
	case 'i':
		return "an integer scalar or vector with as many components as Result Type";
	case 'f':
		return "a float scalar or vector with as many components as Result Type";
	case 'b':
		return "a bool scalar or vector with as many components as Result Type";
	case 'S':
		return "a scalar of Result Type's component type";
	case 'F':
	case 'Q':
		return "of the first operand's type";
	case 'W':
		return "an integer with the components and width of the first operand";
	case 's':
		return "an integer scalar";
	case 'v':
		return "of the type of Result Type's members";
	case 'V':
		return "a bool vector, and Result Type a bool scalar";
	default:
		return "a float vector whose component type is Result Type";
	}
}

static const char *typing_describe_result(char letter)
{
	switch (letter) {
	case 'i':
		return "int scalar or vector type";
	case 'f':
		return "float scalar or vector type";
	case 'b':
		return "bool scalar or vector type";
	case 'p':
		return "a structure of two integers of one type";
	default:
		return "a type other than void";
	}
}

/* Checks the operands from @skip on against a signature. */
static int typing_check_signature(struct spirv_context *context, const struct spirv_instruction *at,
				  const char *text, uint32_t skip)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *result = spirv_type(module, at->type), *first = NULL;
	uint32_t i;

	if (!typing_fits_result(module, result, text[0]))
		return spirv_refuse(context, at, 1, at->result,
				    "Expected Result Type of %s to be %s",
				    spirv_op_name(at->opcode), typing_describe_result(text[0]));
	for (i = 0; text[1 + i]; i++) {
		const struct spirv_type *type;

		if (skip + i >= at->operand_count)
			return spirv_refuse(context, at, 0, at->result, "%s: operand %u is missing",
					    spirv_op_name(at->opcode), skip + i + 1);
		if (text[1 + i] == '.')
			continue;
		type = spirv_value_type(module, at->operands[skip + i]);
		if (!first)
			first = type;
		if (!type || !typing_fits(module, result, first, type, text[1 + i]))
			return spirv_mistyped(context, at, skip + i, typing_describe(text[1 + i]));
	}
	return 0;
}

static const char *typing_find_signature(const struct signature *table, size_t count,
					 uint32_t opcode)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (table[i].opcode == opcode)
			return table[i].text;
	return NULL;
}

static int typing_check_extended(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct spirv_id *set = &context->module->ids[at->operands[0]];
	const char *text;

	if (set->kind != SPIRV_ID_IMPORT)
		return spirv_mistyped(context, at, 0, "the result of an OpExtInstImport");
	if (set->index != SPIRV_IMPORT_GLSL)
		return 0;
	if (!spirv_glsl(at->operands[1]))
		return spirv_refuse(context, at, 4, at->result,
				    "Invalid extended instruction of GLSL.std.450: %u",
				    at->operands[1]);
	text = typing_find_signature(typing_glsl_signatures,
				     sizeof(typing_glsl_signatures) /
					     sizeof(typing_glsl_signatures[0]),
				     at->operands[1]);
	return text ? typing_check_signature(context, at, text, 2) : spirv_check_glsl(context, at);
}

/*
 * The condition is a bool, or a vector with as many bools as the result; the objects have the type
 * of the result.
 */
static int typing_check_select(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *result = spirv_type(module, at->type),
				*condition = spirv_value_type(module, at->operands[0]);

	if (!condition || spirv_scalar(module, condition)->op != SpvOpTypeBool ||
	    (condition->op == SpvOpTypeVector &&
	     spirv_components(condition) != spirv_components(result)))
		return spirv_mistyped(
			context, at, 0,
			"a bool scalar, or a bool vector with as many components as Result Type");
	return typing_check_signature(context, at, "*.RR", 0);
}

/* Bits of a value, 0: it cannot be bitcast. */
static uint32_t typing_bits_of(const struct faa_spirv_module *module, const struct spirv_type *type)
{
	const struct spirv_type *scalar = spirv_scalar(module, type);

	if (scalar->op == SpvOpTypePointer)
		return 64;
	return scalar->op == SpvOpTypeInt || scalar->op == SpvOpTypeFloat ?
		       scalar->width * spirv_components(type) :
		       0;
}

static int typing_check_bitcast(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *from = spirv_value_type(module, at->operands[0]);
	uint32_t bits = typing_bits_of(module, spirv_type(module, at->type));

	if (!from || !bits || typing_bits_of(module, from) != bits)
		return spirv_mistyped(context, at, 0,
				      "a number or pointer with as many bits as Result Type");
	return 0;
}

static int typing_check_instruction(struct spirv_context *context,
				    const struct spirv_instruction *at)
{
	const char *text = typing_find_signature(
		typing_signatures, sizeof(typing_signatures) / sizeof(typing_signatures[0]),
		at->opcode);
	int ret;

	if (text)
		return typing_check_signature(context, at, text, 0);
	switch (at->opcode) {
	case SpvOpExtInst:
		return typing_check_extended(context, at);
	case SpvOpSelect:
		return typing_check_select(context, at);
	case SpvOpBitcast:
		return typing_check_bitcast(context, at);
	default:
		ret = spirv_check_memory(context, at);
		ret = ret ? ret : spirv_check_control(context, at);
		return ret ? ret : spirv_check_images(context, at);
	}
}

int spirv_check_typing(struct spirv_context *context)
{
	const struct faa_spirv_module *module = context->module;
	uint32_t i, k;
	int ret = 0, one;

	for (i = 0; i < module->block_count && ret != -ENOMEM; i++) {
		const struct spirv_block *block = &module->blocks[i];

		for (k = 0; k < block->count && ret != -ENOMEM; k++) {
			one = typing_check_instruction(context,
						       &module->instructions[block->first + k]);
			ret = one ? one : ret;
		}
	}
	if (ret == -ENOMEM)
		return ret;
	one = spirv_check_flow(context);
	return one ? one : ret;
}
