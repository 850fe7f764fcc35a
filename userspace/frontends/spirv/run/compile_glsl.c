// SPDX-License-Identifier: MIT
#include <spirv/unified1/GLSL.std.450.h>

#include "compile.h"

/* Operands begin behind the set and the number of the instruction. */
#define FIRST 2u

/* Instructions that do one thing to each component, and their operands. */
static unsigned int plain_operands(uint32_t number)
{
	switch (number) {
	case GLSLstd450Pow:
	case GLSLstd450Atan2:
	case GLSLstd450FMin:
	case GLSLstd450UMin:
	case GLSLstd450SMin:
	case GLSLstd450FMax:
	case GLSLstd450UMax:
	case GLSLstd450SMax:
	case GLSLstd450NMin:
	case GLSLstd450NMax:
	case GLSLstd450Step:
	case GLSLstd450Ldexp:
		return 2;
	case GLSLstd450FClamp:
	case GLSLstd450UClamp:
	case GLSLstd450SClamp:
	case GLSLstd450NClamp:
	case GLSLstd450FMix:
	case GLSLstd450SmoothStep:
	case GLSLstd450Fma:
		return 3;
	case GLSLstd450FindILsb:
	case GLSLstd450FindSMsb:
	case GLSLstd450FindUMsb:
		return 1;
	default:
		return number >= GLSLstd450Round && number <= GLSLstd450InverseSqrt ? 1 : 0;
	}
}

static void plain(struct spirv_compiler *c, uint32_t number, unsigned int operands)
{
	const struct spirv_type *type = spirv_type(c->module, c->at->type);
	const struct spirv_type *scalar = spirv_scalar(c, type);
	uint32_t slots[3] = { SLOT_NONE, SLOT_NONE, SLOT_NONE }, i, dst;

	for (i = 0; i < operands; i++)
		slots[i] = spirv_slot(c, c->at->operands[FIRST + i]);
	dst = spirv_result(c);
	spirv_operate(c, CODE_GLSL + number, scalar, spirv_slots(c, type), 7, dst, slots);
}

static uint32_t operand(struct spirv_compiler *c, unsigned int index)
{
	return spirv_slot(c, c->at->operands[FIRST + index]);
}

static void root(struct spirv_compiler *c, const struct spirv_type *type, unsigned int number,
		 uint32_t slot)
{
	spirv_operate(c, CODE_GLSL + number, type, 1, 0, slot,
		      (uint32_t[]){ slot, SLOT_NONE, SLOT_NONE });
}

/* Length, Distance and Normalize. */
static void geometric(struct spirv_compiler *c, uint32_t number)
{
	const struct spirv_type *type = spirv_type_of(c->module, c->at->operands[FIRST]);
	const struct spirv_type *scalar = spirv_scalar(c, type);
	uint32_t count = spirv_slots(c, type), vector = operand(c, 0), dst, length;

	if (number == GLSLstd450Distance) {
		uint32_t slots[3] = { vector, operand(c, 1), SLOT_NONE };

		vector = spirv_take_slots(c, count);
		spirv_operate(c, SpvOpFSub, scalar, count, 3, vector, slots);
	}
	dst = spirv_result(c);
	length = spirv_take_slots(c, 1);
	spirv_dot(c, scalar, count, length, vector, vector);
	root(c, scalar, GLSLstd450Sqrt, length);
	if (number == GLSLstd450Normalize)
		spirv_operate(c, SpvOpFDiv, scalar, count, 1, dst,
			      (uint32_t[]){ vector, length, SLOT_NONE });
	else
		spirv_move(c, dst, length, 1);
}

static void cross(struct spirv_compiler *c)
{
	const struct spirv_type *scalar = spirv_scalar(c, spirv_type(c->module, c->at->type));
	uint32_t a = operand(c, 0), b = operand(c, 1), dst = spirv_result(c), i, j, k, product;

	product = spirv_take_slots(c, 2);
	for (i = 0; i < 3; i++) {
		j = (i + 1) % 3;
		k = (i + 2) % 3;
		spirv_operate(c, SpvOpFMul, scalar, 1, 0, product,
			      (uint32_t[]){ a + j, b + k, SLOT_NONE });
		spirv_operate(c, SpvOpFMul, scalar, 1, 0, product + 1,
			      (uint32_t[]){ a + k, b + j, SLOT_NONE });
		spirv_operate(c, SpvOpFSub, scalar, 1, 0, dst + i,
			      (uint32_t[]){ product, product + 1, SLOT_NONE });
	}
}

static void pack(struct spirv_compiler *c, unsigned int code, uint32_t dst, uint32_t from,
		 unsigned int width)
{
	struct spirv_ins *ins = spirv_emit(c, code);

	ins->dst = dst;
	ins->a = from;
	ins->count = 2;
	ins->width = (uint8_t)width;
}

static void convert(struct spirv_compiler *c, uint32_t dst, uint32_t from, unsigned int width,
		    unsigned int to)
{
	struct spirv_ins *ins = spirv_emit(c, SpvOpFConvert);

	ins->dst = dst;
	ins->a = from;
	ins->count = 2;
	ins->step = 1;
	ins->width = (uint8_t)width;
	ins->to = (uint8_t)to;
}

static bool packing(struct spirv_compiler *c, uint32_t number)
{
	uint32_t from = operand(c, 0), dst = spirv_result(c), halves;

	switch (number) {
	case GLSLstd450PackDouble2x32:
		pack(c, CODE_PACK, dst, from, 32);
		return true;
	case GLSLstd450UnpackDouble2x32:
		pack(c, CODE_UNPACK, dst, from, 32);
		return true;
	case GLSLstd450PackHalf2x16:
		halves = spirv_take_slots(c, 2);
		convert(c, halves, from, 32, 16);
		pack(c, CODE_PACK, dst, halves, 16);
		return true;
	case GLSLstd450UnpackHalf2x16:
		halves = spirv_take_slots(c, 2);
		pack(c, CODE_UNPACK, halves, from, 16);
		convert(c, dst, halves, 16, 32);
		return true;
	default:
		return false;
	}
}

void spirv_compile_glsl(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	uint32_t number = operands[1], import = c->module->ids[operands[0]].index;
	unsigned int count = plain_operands(number);

	if (import == SPIRV_IMPORT_NONSEMANTIC)
		return;
	if (import != SPIRV_IMPORT_GLSL)
		spirv_unable(c, "only extended instructions of GLSL.std.450 are supported");
	else if (count)
		plain(c, number, count);
	else if (number == GLSLstd450Length || number == GLSLstd450Distance ||
		 number == GLSLstd450Normalize)
		geometric(c, number);
	else if (number == GLSLstd450Cross)
		cross(c);
	else if (!packing(c, number))
		spirv_unable(c, "instruction %u of GLSL.std.450 is not supported", number);
}
