/* SPDX-License-Identifier: MIT */
/**
 * DOC: Operations and types of ATOM, for its tests
 *
 * A second copy of the tables of commands.rst, written by hand.
 */
#ifndef ATOM_OPS_H
#define ATOM_OPS_H

#include <stdbool.h>

#include "faa_isa.h"

/** item_bytes() - size of an item of type @type, 2, 4 or 8. */
static inline unsigned int item_bytes(unsigned int type)
{
	switch (type) {
	case FAA_TYPE_U16:
	case FAA_TYPE_S16:
	case FAA_TYPE_F16:
		return 2;
	case FAA_TYPE_U64:
	case FAA_TYPE_S64:
	case FAA_TYPE_F64:
	case FAA_TYPE_SD64:
		return 8;
	}
	return 4;
}

/** is_integer() - whether @type is an integer type of ATOM. */
static inline bool is_integer(unsigned int type)
{
	return type == FAA_TYPE_U16 || type == FAA_TYPE_S16 || type == FAA_TYPE_U32 ||
	       type == FAA_TYPE_S32 || type == FAA_TYPE_U64 || type == FAA_TYPE_S64;
}

/** is_float() - whether @type is a floating-point type of ATOM. */
static inline bool is_float(unsigned int type)
{
	return type == FAA_TYPE_F16 || type == FAA_TYPE_F32 || type == FAA_TYPE_F64 ||
	       type == FAA_TYPE_F16X2 || type == FAA_TYPE_BF16X2;
}

/** atom_has() - whether ATOM has operation @op on @type. */
static inline bool atom_has(unsigned int op, unsigned int type)
{
	switch (op) {
	case FAA_ATOM_OP_ADD:
	case FAA_ATOM_OP_MIN:
	case FAA_ATOM_OP_MAX:
		return is_integer(type) || is_float(type);
	case FAA_ATOM_OP_INC:
	case FAA_ATOM_OP_DEC:
		return type == FAA_TYPE_U32 || type == FAA_TYPE_U64;
	case FAA_ATOM_OP_INCU:
	case FAA_ATOM_OP_DECU:
	case FAA_ATOM_OP_PREDEC:
		return type == FAA_TYPE_U16 || type == FAA_TYPE_U32 || type == FAA_TYPE_U64;
	case FAA_ATOM_OP_FCMPWR:
		return type == FAA_TYPE_F16 || type == FAA_TYPE_F32 || type == FAA_TYPE_F64;
	case 11:
		return false;
	}
	return op <= FAA_ATOM_OP_SUB && is_integer(type);
}

/** has_b() - whether operation @op has operand b. */
static inline bool has_b(unsigned int op)
{
	return op < FAA_ATOM_OP_INCU || op > FAA_ATOM_OP_PREDEC;
}

/** has_c() - whether operation @op has operand c. */
static inline bool has_c(unsigned int op)
{
	return op == FAA_ATOM_OP_CAS || op == FAA_ATOM_OP_CAST || op == FAA_ATOM_OP_FCMPWR;
}

#endif /* ATOM_OPS_H */
