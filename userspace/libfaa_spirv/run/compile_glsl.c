// SPDX-License-Identifier: MIT
#include <spirv/unified1/GLSL.std.450.h>

#include "compile.h"
#include "grammar.h"

/* The operands follow the set and the number of the instruction. */
#define FIRST 2u

/* Number of operands of element-wise instructions. */
static unsigned int glsl_plain_operands(uint32_t number)
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

/* One operation on @count components whose result has another type than its operand. */
static void glsl_convert(struct spirv_compiler *c, unsigned int code, uint32_t count, uint32_t dst,
			 uint32_t from, unsigned int width, unsigned int to)
{
	struct spirv_ins *ins = spirv_emit(c, code);

	ins->dst = dst;
	ins->a = from;
	ins->b = ins->c = SLOT_NONE;
	ins->count = (uint16_t)count;
	ins->step = 1;
	ins->width = (uint8_t)width;
	ins->to = (uint8_t)to;
}

/* The exponent of Ldexp, an integer of any width, as 32 bits. */
static uint32_t glsl_exponent(struct spirv_compiler *c, uint32_t slot)
{
	const struct spirv_type *type = spirv_type_of(c->module, c->at->operands[FIRST + 1]);
	unsigned int width = spirv_width(spirv_scalar(c, type));
	uint32_t count = spirv_slots(c, type), to = spirv_take_slots(c, count);

	if (width < 32)
		glsl_convert(c, SpvOpSConvert, count, to, slot, width, 32);
	else if (width == 64)
		/* Far outside of the exponents of all types. */
		spirv_operate(c, CODE_GLSL + GLSLstd450SClamp, spirv_scalar(c, type), count, 1, to,
			      (uint32_t[]){ slot, spirv_constant_slot(c, (uint64_t)-65536),
					    spirv_constant_slot(c, 65536) });
	return width == 32 ? slot : to;
}

static void glsl_plain(struct spirv_compiler *c, uint32_t number, unsigned int operands)
{
	const struct spirv_type *type = spirv_type(c->module, c->at->type);
	const struct spirv_type *scalar = spirv_scalar(c, type);
	uint32_t slots[3] = { SLOT_NONE, SLOT_NONE, SLOT_NONE }, i, dst;

	for (i = 0; i < operands; i++)
		slots[i] = spirv_slot(c, c->at->operands[FIRST + i]);
	if (number == GLSLstd450Ldexp)
		slots[1] = glsl_exponent(c, slots[1]);
	dst = spirv_result(c);
	spirv_operate(c, CODE_GLSL + number, scalar, spirv_slots(c, type), 7, dst, slots);
}

static uint32_t glsl_operand(struct spirv_compiler *c, unsigned int index)
{
	return spirv_slot(c, c->at->operands[FIRST + index]);
}

/* Splits a word into parts, or combines parts into a word. */
static void glsl_pack(struct spirv_compiler *c, unsigned int code, uint32_t dst, uint32_t from,
		      uint32_t count, unsigned int width)
{
	struct spirv_ins *ins = spirv_emit(c, code);

	ins->dst = dst;
	ins->a = from;
	ins->count = (uint16_t)count;
	ins->width = (uint8_t)width;
}

/* Converts @count components to @width bits by operation @code, and packs them into a word. */
static void glsl_pack_floats(struct spirv_compiler *c, unsigned int code, uint32_t count,
			     unsigned int width)
{
	uint32_t from = glsl_operand(c, 0), dst = spirv_result(c),
		 parts = spirv_take_slots(c, count);

	glsl_convert(c, code, count, parts, from, 32, width);
	glsl_pack(c, CODE_PACK, dst, parts, count, width);
}

static void glsl_unpack_floats(struct spirv_compiler *c, unsigned int code, uint32_t count,
			       unsigned int width)
{
	uint32_t from = glsl_operand(c, 0), dst = spirv_result(c),
		 parts = spirv_take_slots(c, count);

	glsl_pack(c, CODE_UNPACK, parts, from, count, width);
	glsl_convert(c, code, count, dst, parts, width, 32);
}

static bool glsl_packing(struct spirv_compiler *c, uint32_t number)
{
	switch (number) {
	case GLSLstd450PackSnorm4x8:
	case GLSLstd450PackUnorm4x8:
		glsl_pack_floats(c, CODE_GLSL + number, 4, 8);
		return true;
	case GLSLstd450PackSnorm2x16:
	case GLSLstd450PackUnorm2x16:
		glsl_pack_floats(c, CODE_GLSL + number, 2, 16);
		return true;
	case GLSLstd450PackHalf2x16:
		glsl_pack_floats(c, SpvOpFConvert, 2, 16);
		return true;
	case GLSLstd450UnpackSnorm4x8:
	case GLSLstd450UnpackUnorm4x8:
		glsl_unpack_floats(c, CODE_GLSL + number, 4, 8);
		return true;
	case GLSLstd450UnpackSnorm2x16:
	case GLSLstd450UnpackUnorm2x16:
		glsl_unpack_floats(c, CODE_GLSL + number, 2, 16);
		return true;
	case GLSLstd450UnpackHalf2x16:
		glsl_unpack_floats(c, SpvOpFConvert, 2, 16);
		return true;
	case GLSLstd450PackDouble2x32:
	case GLSLstd450UnpackDouble2x32: {
		uint32_t from = glsl_operand(c, 0);

		glsl_pack(c, number == GLSLstd450PackDouble2x32 ? CODE_PACK : CODE_UNPACK,
			  spirv_result(c), from, 2, 32);
		return true;
	}
	default:
		return false;
	}
}

/* Splits a number into fraction and whole part, or into significand and exponent. */
static void glsl_split(struct spirv_compiler *c, uint32_t number, const struct spirv_type *type,
		       uint32_t first, uint32_t second)
{
	const struct spirv_type *scalar = spirv_scalar(c, type);
	uint32_t from[3] = { glsl_operand(c, 0), SLOT_NONE, SLOT_NONE },
		 count = spirv_slots(c, type);

	if (number == GLSLstd450Modf || number == GLSLstd450ModfStruct) {
		spirv_operate(c, CODE_GLSL + GLSLstd450Modf, scalar, count, 1, first, from);
		spirv_operate(c, CODE_GLSL + GLSLstd450Trunc, scalar, count, 1, second, from);
		return;
	}
	spirv_operate(c, CODE_GLSL + GLSLstd450Frexp, scalar, count, 1, first, from);
	glsl_convert(c, CODE_GLSL + GLSLstd450FrexpStruct, count, second, from[0],
		     spirv_width(scalar), 32);
}

static bool glsl_splitting(struct spirv_compiler *c, uint32_t number)
{
	const struct spirv_type *type = spirv_type(c->module, c->at->type), *pointer;
	uint32_t dst, second;

	switch (number) {
	case GLSLstd450Modf:
	case GLSLstd450Frexp:
		pointer = spirv_type_of(c->module, c->at->operands[FIRST + 1]);
		second = spirv_take_slots(c, spirv_slots(c, type));
		glsl_split(c, number, type, spirv_result(c), second);
		spirv_store_value(c, c->at->operands[FIRST + 1],
				  spirv_type(c->module, pointer->base), second);
		return true;
	case GLSLstd450ModfStruct:
	case GLSLstd450FrexpStruct:
		type = spirv_type(c->module, type->members[0].type);
		dst = spirv_result(c);
		glsl_split(c, number, type, dst, dst + spirv_slots(c, type));
		return true;
	default:
		return false;
	}
}

void spirv_compile_glsl(struct spirv_compiler *c)
{
	const uint32_t *operands = c->at->operands;
	uint32_t number = operands[1], import = c->module->ids[operands[0]].index;
	unsigned int count = glsl_plain_operands(number);

	if (import == SPIRV_IMPORT_NONSEMANTIC)
		return;
	if (import != SPIRV_IMPORT_GLSL)
		spirv_unable(c, "only extended instructions of GLSL.std.450 are supported");
	else if (count)
		glsl_plain(c, number, count);
	else if (!glsl_packing(c, number) && !glsl_splitting(c, number) &&
		 !spirv_compile_glsl_vector(c, number))
		spirv_unable(c, "%s of GLSL.std.450 is not supported", spirv_glsl(number)->name);
}
