// SPDX-License-Identifier: MIT
/*
 * Operand types of instructions of GLSL.std.450 that are not element-wise: matrices, geometry,
 * packing, two results.
 */
#include <errno.h>
#include <spirv/unified1/GLSL.std.450.h>

#include "typing.h"

/* The operands follow the set and the number of the instruction. */
#define FIRST 2u

/*
 * Shapes of the result and of the operands:
 *
 *   f  float scalar or vector        S  float scalar                      X  square float matrix
 *   3  vector of 3 floats            2, 4  vector of 2 or 4 32-bit floats  d  64-bit float
 *   u  32-bit integer                U  vector of 2 32-bit integers
 *   M  structure of two equal f      E  structure of an f and as many 32-bit integers
 *   R  Result Type                   L  float scalar or vector of components of Result Type
 *   F  the first operand's type      x  square matrix of components of Result Type
 *   0  Result Type's first member    m  pointer to Result Type
 *   i  pointer to a 32-bit integer scalar or vector with as many components as Result Type
 */
struct shapes {
	uint8_t number;
	char result;
	const char *operands;
};

static const struct shapes glsl_shapes[] = {
	{ GLSLstd450Determinant, 'S', "x" },	 { GLSLstd450MatrixInverse, 'X', "R" },
	{ GLSLstd450Modf, 'f', "Rm" },		 { GLSLstd450ModfStruct, 'M', "0" },
	{ GLSLstd450Frexp, 'f', "Ri" },		 { GLSLstd450FrexpStruct, 'E', "0" },
	{ GLSLstd450PackSnorm4x8, 'u', "4" },	 { GLSLstd450PackUnorm4x8, 'u', "4" },
	{ GLSLstd450PackSnorm2x16, 'u', "2" },	 { GLSLstd450PackUnorm2x16, 'u', "2" },
	{ GLSLstd450PackHalf2x16, 'u', "2" },	 { GLSLstd450PackDouble2x32, 'd', "U" },
	{ GLSLstd450UnpackSnorm2x16, '2', "u" }, { GLSLstd450UnpackUnorm2x16, '2', "u" },
	{ GLSLstd450UnpackHalf2x16, '2', "u" },	 { GLSLstd450UnpackSnorm4x8, '4', "u" },
	{ GLSLstd450UnpackUnorm4x8, '4', "u" },	 { GLSLstd450UnpackDouble2x32, 'U', "d" },
	{ GLSLstd450Length, 'S', "L" },		 { GLSLstd450Distance, 'S', "LF" },
	{ GLSLstd450Cross, '3', "RR" },		 { GLSLstd450Normalize, 'f', "R" },
	{ GLSLstd450FaceForward, 'f', "RRR" },	 { GLSLstd450Reflect, 'f', "RR" },
	{ GLSLstd450Refract, 'f', "RRS" },
};

static bool glsl_is_vector(const struct faa_spirv_module *module, const struct spirv_type *type,
			   uint32_t op, uint32_t width, uint32_t count)
{
	const struct spirv_type *scalar = spirv_scalar(module, type);

	return scalar->op == op && (!width || scalar->width == width) &&
	       spirv_components(type) == count;
}

static bool glsl_is_float(const struct faa_spirv_module *module, const struct spirv_type *type)
{
	return spirv_scalar(module, type)->op == SpvOpTypeFloat;
}

/* The component type of a square matrix; NULL: it is none. */
static const struct spirv_type *glsl_square(const struct faa_spirv_module *module,
					    const struct spirv_type *type)
{
	const struct spirv_type *column;

	if (type->op != SpvOpTypeMatrix)
		return NULL;
	column = spirv_type(module, type->base);
	return column->count == type->count ? spirv_type(module, column->base) : NULL;
}

static bool glsl_is_pair(const struct faa_spirv_module *module, const struct spirv_type *type,
			 bool integers)
{
	const struct spirv_type *first, *second;

	if (type->op != SpvOpTypeStruct || type->count != 2 ||
	    module->ids[type->members[0].type].kind != SPIRV_ID_TYPE ||
	    module->ids[type->members[1].type].kind != SPIRV_ID_TYPE)
		return false;
	first = spirv_type(module, type->members[0].type);
	second = spirv_type(module, type->members[1].type);
	if (!glsl_is_float(module, first))
		return false;
	return integers ?
		       glsl_is_vector(module, second, SpvOpTypeInt, 32, spirv_components(first)) :
		       first == second;
}

/* Shapes that do not depend on other types. */
static bool glsl_is_shape(const struct faa_spirv_module *module, const struct spirv_type *type,
			  char shape)
{
	switch (shape) {
	case 'f':
		return glsl_is_float(module, type);
	case 'S':
		return type->op == SpvOpTypeFloat;
	case 'X':
		return glsl_square(module, type);
	case '3':
		return glsl_is_vector(module, type, SpvOpTypeFloat, 0, 3);
	case '2':
		return glsl_is_vector(module, type, SpvOpTypeFloat, 32, 2);
	case '4':
		return glsl_is_vector(module, type, SpvOpTypeFloat, 32, 4);
	case 'd':
		return glsl_is_vector(module, type, SpvOpTypeFloat, 64, 1);
	case 'u':
		return glsl_is_vector(module, type, SpvOpTypeInt, 32, 1);
	case 'U':
		return glsl_is_vector(module, type, SpvOpTypeInt, 32, 2);
	default:
		return glsl_is_pair(module, type, shape == 'E');
	}
}

static bool glsl_fits(const struct faa_spirv_module *module, const struct spirv_type *result,
		      const struct spirv_type *first, const struct spirv_type *type, char shape)
{
	const struct spirv_type *target;

	switch (shape) {
	case 'R':
		return type == result;
	case 'F':
		return type == first;
	case 'L':
		return spirv_scalar(module, type) == result;
	case 'x':
		return glsl_square(module, type) == result;
	case '0':
		return type->id == result->members[0].type;
	case 'm':
	case 'i':
		if (type->op != SpvOpTypePointer)
			return false;
		target = spirv_type(module, type->base);
		return shape == 'm' ? target == result :
				      glsl_is_vector(module, target, SpvOpTypeInt, 32,
						     spirv_components(result));
	default:
		return glsl_is_shape(module, type, shape);
	}
}

static const char *glsl_describe(char shape)
{
	static const char letters[] = "fSX324duUMERLFx0mi";
	static const char *const texts[] = {
		"a float scalar or vector",
		"a float scalar",
		"a square float matrix",
		"a vector of 3 floats",
		"a vector of 2 32-bit floats",
		"a vector of 4 32-bit floats",
		"a 64-bit float",
		"a 32-bit integer",
		"a vector of 2 32-bit integers",
		"a structure of two floats, or two equal float vectors",
		"a structure of a float scalar or vector and as many 32-bit integers",
		"of Result Type",
		"a float scalar or vector whose component type is Result Type",
		"of the first operand's type",
		"a square matrix whose component type is Result Type",
		"of the type of Result Type's first member",
		"a pointer to Result Type",
		"a pointer to 32-bit integers, as many as Result Type has components",
	};
	uint32_t i = 0;

	while (letters[i] != shape)
		i++;
	return texts[i];
}

static int glsl_check_shapes(struct spirv_context *context, const struct spirv_instruction *at,
			     const struct shapes *row)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_type *result = spirv_type(module, at->type), *first = NULL, *type;
	const char *name = spirv_glsl(row->number)->name;
	uint32_t i;

	if (!glsl_is_shape(module, result, row->result))
		return spirv_refuse(context, at, 1, at->result,
				    "%s of GLSL.std.450: expected Result Type to be %s", name,
				    glsl_describe(row->result));
	for (i = 0; row->operands[i]; i++) {
		if (FIRST + i >= at->operand_count)
			return spirv_refuse(context, at, 0, at->result,
					    "%s of GLSL.std.450: operand %u is missing", name,
					    i + 1);
		type = spirv_value_type(module, at->operands[FIRST + i]);
		first = i ? first : type;
		if (!type || !glsl_fits(module, result, first, type, row->operands[i]))
			return spirv_refuse(context, at, 5 + i, at->operands[FIRST + i],
					    "%s of GLSL.std.450: expected operand %u to be %s",
					    name, i + 1, glsl_describe(row->operands[i]));
	}
	return 0;
}

int spirv_check_glsl(struct spirv_context *context, const struct spirv_instruction *at)
{
	uint32_t i;

	for (i = 0; i < sizeof(glsl_shapes) / sizeof(glsl_shapes[0]); i++)
		if (glsl_shapes[i].number == at->operands[1])
			return glsl_check_shapes(context, at, &glsl_shapes[i]);
	return 0;
}
