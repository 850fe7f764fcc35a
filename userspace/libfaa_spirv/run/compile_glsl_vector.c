// SPDX-License-Identifier: MIT
/* Geometry and matrices of GLSL.std.450, composed of operations on components. */
#include <spirv/unified1/GLSL.std.450.h>

#include "compile.h"
#include "lanes.h"

/* The operands follow the set and the number of the instruction. */
#define FIRST 2u

static uint32_t vector_operand(struct spirv_compiler *c, unsigned int index)
{
	return spirv_slot(c, c->at->operands[FIRST + index]);
}

/* dst = a code b, one component. */
static void vector_binary(struct spirv_compiler *c, unsigned int code,
			  const struct spirv_type *scalar, uint32_t dst, uint32_t a, uint32_t b)
{
	spirv_operate(c, code, scalar, 1, 0, dst, (uint32_t[]){ a, b, SLOT_NONE });
}

/* dst = vector code scalar, @count components. */
static void vector_scale(struct spirv_compiler *c, unsigned int code,
			 const struct spirv_type *scalar, uint32_t count, uint32_t dst,
			 uint32_t vector, uint32_t factor)
{
	spirv_operate(c, code, scalar, count, 1, dst, (uint32_t[]){ vector, factor, SLOT_NONE });
}

static void vector_root(struct spirv_compiler *c, const struct spirv_type *scalar, uint32_t slot)
{
	vector_binary(c, CODE_GLSL + GLSLstd450Sqrt, scalar, slot, slot, SLOT_NONE);
}

/* A slot that is true where the number in @slot is below zero. */
static uint32_t vector_below_zero(struct spirv_compiler *c, const struct spirv_type *scalar,
				  uint32_t slot)
{
	uint32_t zero = spirv_constant_slot(c, 0), flag = spirv_take_slots(c, 1);
	struct spirv_ins *ins = spirv_emit(c, SpvOpFOrdLessThan);

	ins->dst = flag;
	ins->a = slot;
	ins->b = zero;
	ins->c = SLOT_NONE;
	ins->count = 1;
	ins->width = (uint8_t)spirv_width(scalar);
	ins->to = 32;
	return flag;
}

static void vector_measure(struct spirv_compiler *c, uint32_t number)
{
	const struct spirv_type *type = spirv_type_of(c->module, c->at->operands[FIRST]);
	const struct spirv_type *scalar = spirv_scalar(c, type);
	uint32_t count = spirv_slots(c, type), vector = vector_operand(c, 0), dst, length;

	if (number == GLSLstd450Distance) {
		uint32_t slots[3] = { vector, vector_operand(c, 1), SLOT_NONE };

		vector = spirv_take_slots(c, count);
		spirv_operate(c, SpvOpFSub, scalar, count, 3, vector, slots);
	}
	dst = spirv_result(c);
	length = spirv_take_slots(c, 1);
	spirv_dot(c, scalar, count, length, vector, vector);
	vector_root(c, scalar, length);
	if (number == GLSLstd450Normalize)
		vector_scale(c, SpvOpFDiv, scalar, count, dst, vector, length);
	else
		spirv_move(c, dst, length, 1);
}

static void vector_cross(struct spirv_compiler *c)
{
	const struct spirv_type *scalar = spirv_scalar(c, spirv_type(c->module, c->at->type));
	uint32_t a = vector_operand(c, 0), b = vector_operand(c, 1), dst = spirv_result(c), i, j, k,
		 product;

	product = spirv_take_slots(c, 2);
	for (i = 0; i < 3; i++) {
		j = (i + 1) % 3;
		k = (i + 2) % 3;
		vector_binary(c, SpvOpFMul, scalar, product, a + j, b + k);
		vector_binary(c, SpvOpFMul, scalar, product + 1, a + k, b + j);
		vector_binary(c, SpvOpFSub, scalar, dst + i, product, product + 1);
	}
}

/* N if dot(Nref, I) < 0, else -N. */
static void vector_face_forward(struct spirv_compiler *c, const struct spirv_type *scalar,
				uint32_t count)
{
	uint32_t n = vector_operand(c, 0), incident = vector_operand(c, 1),
		 reference = vector_operand(c, 2);
	uint32_t dst = spirv_result(c), cosine = spirv_take_slots(c, 1 + count);

	spirv_dot(c, scalar, count, cosine, reference, incident);
	spirv_operate(c, SpvOpFNegate, scalar, count, 1, cosine + 1,
		      (uint32_t[]){ n, SLOT_NONE, SLOT_NONE });
	spirv_operate(c, SpvOpSelect, scalar, count, 6, dst,
		      (uint32_t[]){ vector_below_zero(c, scalar, cosine), n, cosine + 1 });
}

/* I - 2 dot(N, I) N */
static void vector_reflect(struct spirv_compiler *c, const struct spirv_type *scalar,
			   uint32_t count)
{
	uint32_t incident = vector_operand(c, 0), n = vector_operand(c, 1), dst = spirv_result(c);
	uint32_t cosine = spirv_take_slots(c, 1 + count);

	spirv_dot(c, scalar, count, cosine, n, incident);
	vector_binary(c, SpvOpFAdd, scalar, cosine, cosine, cosine);
	vector_scale(c, SpvOpFMul, scalar, count, cosine + 1, n, cosine);
	spirv_operate(c, SpvOpFSub, scalar, count, 3, dst,
		      (uint32_t[]){ incident, cosine + 1, SLOT_NONE });
}

/* The scalar operand of Refract in the width of the vectors. */
static uint32_t vector_eta_of(struct spirv_compiler *c, const struct spirv_type *scalar)
{
	unsigned int width = spirv_width(spirv_type_of(c->module, c->at->operands[FIRST + 2]));
	uint32_t eta = vector_operand(c, 2), to;
	struct spirv_ins *ins;

	if (width == spirv_width(scalar))
		return eta;
	to = spirv_take_slots(c, 1);
	ins = spirv_emit(c, SpvOpFConvert);
	ins->dst = to;
	ins->a = eta;
	ins->b = ins->c = SLOT_NONE;
	ins->count = 1;
	ins->width = (uint8_t)width;
	ins->to = (uint8_t)spirv_width(scalar);
	return to;
}

/* k = 1 - eta^2 (1 - dot(N, I)^2): 0 where k < 0, else eta I - (eta dot(N, I) + sqrt(k)) N. */
static void vector_refract(struct spirv_compiler *c, const struct spirv_type *scalar,
			   uint32_t count)
{
	uint32_t incident = vector_operand(c, 0), n = vector_operand(c, 1),
		 eta = vector_eta_of(c, scalar);
	uint32_t zero = spirv_constant_slot(c, 0);
	uint32_t one = spirv_constant_slot(c, spirv_put_float(1, spirv_width(scalar)));
	uint32_t dst = spirv_result(c), cosine = spirv_take_slots(c, 2 + 2 * count);
	uint32_t k = cosine + 1, along = k + 1, across = along + count, flag;

	spirv_dot(c, scalar, count, cosine, n, incident);
	vector_binary(c, SpvOpFMul, scalar, k, cosine, cosine);
	vector_binary(c, SpvOpFSub, scalar, k, one, k);
	vector_binary(c, SpvOpFMul, scalar, k, eta, k);
	vector_binary(c, SpvOpFMul, scalar, k, eta, k);
	vector_binary(c, SpvOpFSub, scalar, k, one, k);
	flag = vector_below_zero(c, scalar, k);
	vector_root(c, scalar, k);
	vector_binary(c, SpvOpFMul, scalar, cosine, eta, cosine);
	vector_binary(c, SpvOpFAdd, scalar, k, cosine, k);
	vector_scale(c, SpvOpFMul, scalar, count, along, incident, eta);
	vector_scale(c, SpvOpFMul, scalar, count, across, n, k);
	spirv_operate(c, SpvOpFSub, scalar, count, 3, along,
		      (uint32_t[]){ along, across, SLOT_NONE });
	spirv_operate(c, SpvOpSelect, scalar, count, 4, dst, (uint32_t[]){ flag, zero, along });
}

/* A square matrix of up to 4 columns; slots of its elements in column order. */
struct matrix {
	uint32_t size;
	uint32_t slots[16];
};

static struct matrix vector_matrix_of(uint32_t size, uint32_t first)
{
	struct matrix matrix = { .size = size };
	uint32_t i;

	for (i = 0; i < size * size; i++)
		matrix.slots[i] = first + i;
	return matrix;
}

/* The matrix without a column and a row. */
static struct matrix vector_minor(const struct matrix *matrix, uint32_t column, uint32_t row)
{
	struct matrix rest = { .size = matrix->size - 1 };
	uint32_t i, k, count = 0;

	for (i = 0; i < matrix->size; i++)
		for (k = 0; k < matrix->size; k++)
			if (i != column && k != row)
				rest.slots[count++] = matrix->slots[i * matrix->size + k];
	return rest;
}

/*
 * The slot of the determinant, by expansion along the first column; at most three levels of
 * recursion.
 */
static uint32_t vector_determinant(struct spirv_compiler *c, const struct spirv_type *scalar,
				   const struct matrix *matrix)
{
	struct matrix rest;
	uint32_t sum, term, i, part;

	if (matrix->size == 1)
		return matrix->slots[0];
	sum = spirv_take_slots(c, 2);
	term = sum + 1;
	for (i = 0; i < matrix->size; i++) {
		rest = vector_minor(matrix, 0, i);
		part = vector_determinant(c, scalar, &rest);
		vector_binary(c, SpvOpFMul, scalar, i ? term : sum, matrix->slots[i], part);
		if (i)
			vector_binary(c, i & 1 ? SpvOpFSub : SpvOpFAdd, scalar, sum, sum, term);
	}
	return sum;
}

/* Element (column, row) is the cofactor of element (row, column), divided by the determinant. */
static void vector_inverse(struct spirv_compiler *c, const struct spirv_type *scalar, uint32_t size)
{
	struct matrix matrix = vector_matrix_of(size, vector_operand(c, 0)), rest;
	uint32_t dst = spirv_result(c), whole = vector_determinant(c, scalar, &matrix);
	uint32_t negative = spirv_take_slots(c, 1), cofactor, column, row;

	for (column = 0; column < size; column++) {
		for (row = 0; row < size; row++) {
			rest = vector_minor(&matrix, row, column);
			cofactor = vector_determinant(c, scalar, &rest);
			if ((column + row) & 1)
				vector_binary(c, SpvOpFNegate, scalar, negative, cofactor,
					      SLOT_NONE);
			vector_binary(c, SpvOpFDiv, scalar, dst + column * size + row,
				      (column + row) & 1 ? negative : cofactor, whole);
		}
	}
}

bool spirv_compile_glsl_vector(struct spirv_compiler *c, uint32_t number)
{
	const struct spirv_type *type = spirv_type(c->module, c->at->type);
	struct matrix matrix;

	switch (number) {
	case GLSLstd450Length:
	case GLSLstd450Distance:
	case GLSLstd450Normalize:
		vector_measure(c, number);
		return true;
	case GLSLstd450Cross:
		vector_cross(c);
		return true;
	case GLSLstd450FaceForward:
		vector_face_forward(c, spirv_scalar(c, type), spirv_slots(c, type));
		return true;
	case GLSLstd450Reflect:
		vector_reflect(c, spirv_scalar(c, type), spirv_slots(c, type));
		return true;
	case GLSLstd450Refract:
		vector_refract(c, spirv_scalar(c, type), spirv_slots(c, type));
		return true;
	case GLSLstd450Determinant:
		matrix = vector_matrix_of(
			(uint32_t)spirv_type_of(c->module, c->at->operands[FIRST])->count,
			vector_operand(c, 0));
		spirv_move(c, spirv_result(c), vector_determinant(c, type, &matrix), 1);
		return true;
	case GLSLstd450MatrixInverse:
		vector_inverse(c, spirv_scalar(c, type), (uint32_t)type->count);
		return true;
	default:
		return false;
	}
}
