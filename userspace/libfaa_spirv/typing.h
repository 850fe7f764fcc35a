/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files that check the types of operands share.
 */
#ifndef FAA_SPIRV_TYPING_H
#define FAA_SPIRV_TYPING_H

#include "context.h"

/** spirv_value_type() - the type of value @id; NULL: it is no value, or void. */
static inline const struct spirv_type *spirv_value_type(const struct faa_spirv_module *module,
							uint32_t id)
{
	const struct spirv_type *type;

	if (module->ids[id].kind == SPIRV_ID_FUNCTION || module->ids[id].kind == SPIRV_ID_OTHER)
		return NULL;
	type = spirv_type_of(module, id);
	return type && type->op != SpvOpTypeVoid ? type : NULL;
}

/** spirv_scalar() - the component type of a vector, else @type itself; NULL for NULL. */
static inline const struct spirv_type *spirv_scalar(const struct faa_spirv_module *module,
						    const struct spirv_type *type)
{
	return type && type->op == SpvOpTypeVector ? spirv_type(module, type->base) : type;
}

/** spirv_components() - components of a vector; 1 for other types. */
static inline uint32_t spirv_components(const struct spirv_type *type)
{
	return type->op == SpvOpTypeVector ? type->count : 1;
}

/** spirv_is_scalar() - whether @type has opcode @op. */
static inline bool spirv_is_scalar(const struct spirv_type *type, uint32_t op)
{
	return type && type->op == op;
}

/** spirv_mistyped() - report an error in operand @operand. Return: -EINVAL. */
int spirv_mistyped(struct spirv_context *context, const struct spirv_instruction *at,
		   uint32_t operand, const char *what);

/**
 * spirv_check_memory() - check loads, stores, pointers, composites, and vector components. Return:
 * 0, also for other instructions; -EINVAL.
 */
int spirv_check_memory(struct spirv_context *context, const struct spirv_instruction *at);

/** spirv_check_glsl() - check the instructions of GLSL.std.450 that are not element-wise. */
int spirv_check_glsl(struct spirv_context *context, const struct spirv_instruction *at);

/** spirv_check_control() - check branches, returns, calls. */
int spirv_check_control(struct spirv_context *context, const struct spirv_instruction *at);

/** spirv_check_images() - check reads, writes and queries of storage images. */
int spirv_check_images(struct spirv_context *context, const struct spirv_instruction *at);

/* rules_flow.c: phis and predecessors, merges and dominance, back edges, recursion. */
int spirv_check_flow(struct spirv_context *context);

#endif /* FAA_SPIRV_TYPING_H */
