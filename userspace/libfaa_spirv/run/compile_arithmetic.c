// SPDX-License-Identifier: MIT
#include "compile.h"

/*
 * Element-wise instructions; a bit of @step is set for an operand with as many components as the
 * result.
 */
struct plain {
	uint16_t opcode;
	uint8_t operands;
	uint8_t step;
};

static const struct plain arithmetic_plain[] = {
	{ SpvOpConvertFToU, 1, 1 },
	{ SpvOpConvertFToS, 1, 1 },
	{ SpvOpConvertSToF, 1, 1 },
	{ SpvOpConvertUToF, 1, 1 },
	{ SpvOpUConvert, 1, 1 },
	{ SpvOpSConvert, 1, 1 },
	{ SpvOpFConvert, 1, 1 },
	{ SpvOpQuantizeToF16, 1, 1 },
	{ SpvOpSNegate, 1, 1 },
	{ SpvOpFNegate, 1, 1 },
	{ SpvOpIAdd, 2, 3 },
	{ SpvOpFAdd, 2, 3 },
	{ SpvOpISub, 2, 3 },
	{ SpvOpFSub, 2, 3 },
	{ SpvOpIMul, 2, 3 },
	{ SpvOpFMul, 2, 3 },
	{ SpvOpUDiv, 2, 3 },
	{ SpvOpSDiv, 2, 3 },
	{ SpvOpFDiv, 2, 3 },
	{ SpvOpUMod, 2, 3 },
	{ SpvOpSRem, 2, 3 },
	{ SpvOpSMod, 2, 3 },
	{ SpvOpFRem, 2, 3 },
	{ SpvOpFMod, 2, 3 },
	{ SpvOpIsNan, 1, 1 },
	{ SpvOpIsInf, 1, 1 },
	{ SpvOpOrdered, 2, 3 },
	{ SpvOpUnordered, 2, 3 },
	{ SpvOpLogicalEqual, 2, 3 },
	{ SpvOpLogicalNotEqual, 2, 3 },
	{ SpvOpLogicalOr, 2, 3 },
	{ SpvOpLogicalAnd, 2, 3 },
	{ SpvOpLogicalNot, 1, 1 },
	{ SpvOpIEqual, 2, 3 },
	{ SpvOpINotEqual, 2, 3 },
	{ SpvOpUGreaterThan, 2, 3 },
	{ SpvOpSGreaterThan, 2, 3 },
	{ SpvOpUGreaterThanEqual, 2, 3 },
	{ SpvOpSGreaterThanEqual, 2, 3 },
	{ SpvOpULessThan, 2, 3 },
	{ SpvOpSLessThan, 2, 3 },
	{ SpvOpULessThanEqual, 2, 3 },
	{ SpvOpSLessThanEqual, 2, 3 },
	{ SpvOpFOrdEqual, 2, 3 },
	{ SpvOpFUnordEqual, 2, 3 },
	{ SpvOpFOrdNotEqual, 2, 3 },
	{ SpvOpFUnordNotEqual, 2, 3 },
	{ SpvOpFOrdLessThan, 2, 3 },
	{ SpvOpFUnordLessThan, 2, 3 },
	{ SpvOpFOrdGreaterThan, 2, 3 },
	{ SpvOpFUnordGreaterThan, 2, 3 },
	{ SpvOpFOrdLessThanEqual, 2, 3 },
	{ SpvOpFUnordLessThanEqual, 2, 3 },
	{ SpvOpFOrdGreaterThanEqual, 2, 3 },
	{ SpvOpFUnordGreaterThanEqual, 2, 3 },
	{ SpvOpShiftRightLogical, 2, 3 },
	{ SpvOpShiftRightArithmetic, 2, 3 },
	{ SpvOpShiftLeftLogical, 2, 3 },
	{ SpvOpBitwiseOr, 2, 3 },
	{ SpvOpBitwiseXor, 2, 3 },
	{ SpvOpBitwiseAnd, 2, 3 },
	{ SpvOpNot, 1, 1 },
	{ SpvOpBitFieldSExtract, 3, 1 },
	{ SpvOpBitFieldUExtract, 3, 1 },
	{ SpvOpBitReverse, 1, 1 },
	{ SpvOpBitCount, 1, 1 },
	{ SpvOpPtrEqual, 2, 3 },
	{ SpvOpPtrNotEqual, 2, 3 },
	{ SpvOpVectorTimesScalar, 2, 1 },
	{ SpvOpMatrixTimesScalar, 2, 1 },
};

void spirv_operate(struct spirv_compiler *c, unsigned int code, const struct spirv_type *type,
		   uint32_t count, unsigned int step, uint32_t dst, const uint32_t *slots)
{
	struct spirv_ins *ins = spirv_emit(c, code);
	unsigned int width = spirv_width(type);

	ins->dst = dst;
	ins->a = slots[0];
	ins->b = slots[1];
	ins->c = slots[2];
	ins->count = (uint16_t)count;
	ins->step = (uint8_t)step;
	ins->width = ins->to = (uint8_t)width;
	ins->flush = type->op == SpvOpTypeFloat && c->flush & (width >> 4 & 7);
}

void spirv_dot(struct spirv_compiler *c, const struct spirv_type *type, uint32_t count,
	       uint32_t dst, uint32_t a, uint32_t b)
{
	uint32_t products = spirv_take_slots(c, count), sum, i;
	uint32_t both[3] = { a, b, SLOT_NONE };

	spirv_operate(c, SpvOpFMul, type, count, 3, products, both);
	sum = products;
	for (i = 1; i < count; i++) {
		uint32_t terms[3] = { sum, products + i, SLOT_NONE };

		spirv_operate(c, SpvOpFAdd, type, 1, 0, products, terms);
	}
	spirv_move(c, dst, sum, 1);
}

static void compile_plain(struct spirv_compiler *c, const struct plain *plain)
{
	const struct spirv_type *type = spirv_type(c->module, c->at->type);
	const struct spirv_type *from =
		spirv_scalar(c, spirv_type_of(c->module, c->at->operands[0]));
	const struct spirv_type *to = spirv_scalar(c, type);
	uint32_t slots[3] = { SLOT_NONE, SLOT_NONE, SLOT_NONE }, i, dst;
	unsigned int code = plain->opcode;
	struct spirv_ins *ins;

	for (i = 0; i < plain->operands; i++)
		slots[i] = spirv_slot(c, c->at->operands[i]);
	dst = spirv_result(c);
	if (code == SpvOpVectorTimesScalar || code == SpvOpMatrixTimesScalar)
		code = SpvOpFMul;
	spirv_operate(c, code, from, spirv_slots(c, type), plain->step, dst, slots);
	ins = &c->program->code[c->program->length ? c->program->length - 1 : 0];
	if (c->error)
		return;
	ins->to = (uint8_t)spirv_width(to);
	ins->flush = to->op == SpvOpTypeFloat && c->flush & (ins->to >> 4 & 7);
}

/* Result and carry, or both halves of a product: a structure of two members. */
static void arithmetic_extended(struct spirv_compiler *c, unsigned int low)
{
	const struct spirv_type *type = spirv_type_of(c->module, c->at->operands[0]);
	uint32_t slots[3] = { spirv_slot(c, c->at->operands[0]), spirv_slot(c, c->at->operands[1]),
			      SLOT_NONE };
	uint32_t count = spirv_slots(c, type), dst = spirv_result(c);

	spirv_operate(c, low, spirv_scalar(c, type), count, 3, dst, slots);
	spirv_operate(c, c->at->opcode, spirv_scalar(c, type), count, 3, dst + count, slots);
}

static void arithmetic_any_all(struct spirv_compiler *c)
{
	const struct spirv_type *type = spirv_type_of(c->module, c->at->operands[0]);
	uint32_t vector = spirv_slot(c, c->at->operands[0]), dst = spirv_result(c), i;

	spirv_move(c, dst, vector, 1);
	for (i = 1; i < type->count; i++) {
		uint32_t slots[3] = { dst, vector + i, SLOT_NONE };

		spirv_operate(c, c->at->opcode == SpvOpAny ? SpvOpLogicalOr : SpvOpLogicalAnd,
			      spirv_scalar(c, type), 1, 0, dst, slots);
	}
}

static void arithmetic_dot(struct spirv_compiler *c)
{
	const struct spirv_type *type = spirv_type_of(c->module, c->at->operands[0]);
	uint32_t a = spirv_slot(c, c->at->operands[0]), b = spirv_slot(c, c->at->operands[1]);

	spirv_dot(c, spirv_scalar(c, type), (uint32_t)type->count, spirv_result(c), a, b);
}

/* Rows and columns of a factor; a vector is a matrix of one row or one column. */
struct shape {
	uint32_t slot, columns, rows;
};

static struct shape arithmetic_shape(struct spirv_compiler *c, uint32_t id, bool row)
{
	const struct spirv_type *type = spirv_type_of(c->module, id);
	uint32_t slots = spirv_slots(c, type), columns = (uint32_t)type->count;

	if (type->op == SpvOpTypeVector)
		columns = row ? slots : 1;
	return (struct shape){ spirv_slot(c, id), columns, slots / columns };
}

static void arithmetic_product(struct spirv_compiler *c)
{
	const struct spirv_type *type = spirv_scalar(c, spirv_type(c->module, c->at->type));
	bool outer = c->at->opcode == SpvOpOuterProduct;
	struct shape a =
		arithmetic_shape(c, c->at->operands[0], c->at->opcode == SpvOpVectorTimesMatrix);
	struct shape b = arithmetic_shape(c, c->at->operands[1], outer);
	uint32_t dst = spirv_result(c), row = spirv_take_slots(c, a.columns), i, k, r;

	for (r = 0; r < a.rows; r++) {
		for (k = 0; k < a.columns; k++)
			spirv_move(c, row + k, a.slot + k * a.rows + r, 1);
		for (i = 0; i < b.columns; i++)
			spirv_dot(c, type, a.columns, dst + i * a.rows + r, row,
				  b.slot + i * b.rows);
	}
}

static void arithmetic_insert_field(struct spirv_compiler *c)
{
	const struct spirv_type *type = spirv_type(c->module, c->at->type), *scalar;
	uint32_t operands[4], count = spirv_slots(c, type), dst, mask, shifted, i;

	for (i = 0; i < 4; i++)
		operands[i] = spirv_slot(c, c->at->operands[i]);
	scalar = spirv_scalar(c, type);
	dst = spirv_result(c);
	mask = spirv_take_slots(c, 1);
	shifted = spirv_take_slots(c, count);
	spirv_operate(c, CODE_FIELD_MASK, scalar, 1, 0, mask,
		      (uint32_t[]){ operands[2], operands[3], SLOT_NONE });
	spirv_operate(c, SpvOpShiftLeftLogical, scalar, count, 1, shifted,
		      (uint32_t[]){ operands[1], operands[2], SLOT_NONE });
	spirv_operate(c, SpvOpBitwiseXor, scalar, count, 3, shifted,
		      (uint32_t[]){ shifted, operands[0], SLOT_NONE });
	spirv_operate(c, SpvOpBitwiseAnd, scalar, count, 1, shifted,
		      (uint32_t[]){ shifted, mask, SLOT_NONE });
	spirv_operate(c, SpvOpBitwiseXor, scalar, count, 3, dst,
		      (uint32_t[]){ shifted, operands[0], SLOT_NONE });
}

static void arithmetic_subgroup(struct spirv_compiler *c)
{
	static const uint8_t group_operation = 1;
	const struct spirv_type *type = spirv_type(c->module, c->at->type), *from = type;
	const uint32_t *operands = c->at->operands;
	bool has_operation = c->at->opcode == SpvOpGroupNonUniformBallotBitCount ||
			     (c->at->opcode >= SpvOpGroupNonUniformIAdd &&
			      c->at->opcode <= SpvOpGroupNonUniformLogicalXor);
	uint32_t first = group_operation + (has_operation ? 1 : 0),
		 slots[2] = { SLOT_NONE, SLOT_NONE }, i, dst;
	struct spirv_ins *ins;

	if (spirv_number(c, operands[0], "a scope") != SpvScopeSubgroup)
		spirv_unable(c, "only the scope Subgroup is supported");
	for (i = 0; i < 2 && first + i < c->at->operand_count; i++)
		slots[i] = spirv_slot(c, operands[first + i]);
	if (first < c->at->operand_count)
		from = spirv_type_of(c->module, operands[first]);
	dst = spirv_result(c);
	ins = spirv_emit(c, c->at->opcode);
	ins->dst = dst;
	ins->a = slots[0];
	ins->b = slots[1];
	ins->extra = has_operation ? operands[group_operation] : 0;
	ins->count = (uint16_t)spirv_slots(c, c->at->opcode == SpvOpGroupNonUniformAllEqual ? from :
											      type);
	ins->width = ins->to = (uint8_t)spirv_width(spirv_scalar(c, type));
	if (has_operation && ins->extra > SpvGroupOperationClusteredReduce)
		spirv_unable(c, "group operation %u is not supported", ins->extra);
}

static bool compile_special(struct spirv_compiler *c)
{
	switch (c->at->opcode) {
	case SpvOpIAddCarry:
		arithmetic_extended(c, SpvOpIAdd);
		return true;
	case SpvOpISubBorrow:
		arithmetic_extended(c, SpvOpISub);
		return true;
	case SpvOpUMulExtended:
	case SpvOpSMulExtended:
		arithmetic_extended(c, SpvOpIMul);
		return true;
	case SpvOpAny:
	case SpvOpAll:
		arithmetic_any_all(c);
		return true;
	case SpvOpDot:
		arithmetic_dot(c);
		return true;
	case SpvOpVectorTimesMatrix:
	case SpvOpMatrixTimesVector:
	case SpvOpMatrixTimesMatrix:
	case SpvOpOuterProduct:
		arithmetic_product(c);
		return true;
	case SpvOpBitFieldInsert:
		arithmetic_insert_field(c);
		return true;
	case SpvOpExtInst:
		spirv_compile_glsl(c);
		return true;
	default:
		return false;
	}
}

bool spirv_compile_arithmetic(struct spirv_compiler *c)
{
	unsigned int i;

	for (i = 0; i < sizeof(arithmetic_plain) / sizeof(arithmetic_plain[0]); i++) {
		if (arithmetic_plain[i].opcode == c->at->opcode) {
			compile_plain(c, &arithmetic_plain[i]);
			return true;
		}
	}
	if (c->at->opcode >= SpvOpGroupNonUniformElect &&
	    c->at->opcode <= SpvOpGroupNonUniformQuadSwap) {
		arithmetic_subgroup(c);
		return true;
	}
	return compile_special(c);
}
