// SPDX-License-Identifier: Apache-2.0
/* Operations of one lane: the tables of ATOMS, ATOM, ALU and SETP. */
#include "model.h"

_Static_assert((int)FAA_ATOM_OP_ADD == (int)FAA_ATOMS_OP_ADD &&
		       (int)FAA_ATOM_OP_CAST == (int)FAA_ATOMS_OP_CAST,
	       "ATOMS and ATOM number their common operations alike");

static bool alu_signed_type(unsigned int type)
{
	return type == FAA_TYPE_S16 || type == FAA_TYPE_S32 || type == FAA_TYPE_S64;
}

/* Order of integers of a type; values are truncated to its width. */
static bool alu_less(unsigned int type, uint64_t a, uint64_t b)
{
	if (alu_signed_type(type))
		return (int64_t)type_extend(type, a) < (int64_t)type_extend(type, b);
	return a < b;
}

/*
 * The new value of memory word @m of an integer type; INC and DEC are unsigned. The caller
 * truncates. Operations of both ATOMS and ATOM have one code.
 */
static uint64_t alu_atomic_integer(unsigned int op, unsigned int type, uint64_t m, uint64_t b,
				   uint64_t c)
{
	switch (op) {
	case FAA_ATOMS_OP_ADD:
		return m + b;
	case FAA_ATOMS_OP_MIN:
		return alu_less(type, m, b) ? m : b;
	case FAA_ATOMS_OP_MAX:
		return alu_less(type, m, b) ? b : m;
	case FAA_ATOMS_OP_INC:
		return m >= b ? 0 : m + 1;
	case FAA_ATOMS_OP_DEC:
		return m == 0 || m > b ? b : m - 1;
	case FAA_ATOMS_OP_AND:
		return m & b;
	case FAA_ATOMS_OP_OR:
		return m | b;
	case FAA_ATOMS_OP_XOR:
		return m ^ b;
	case FAA_ATOMS_OP_EXCH:
		return b;
	case FAA_ATOMS_OP_CAS:
	case FAA_ATOMS_OP_CAST:
	case FAA_ATOMS_OP_CAST_SPIN:
		return m == b ? c : m;
	case FAA_ATOM_OP_SUB:
		return m - b;
	case FAA_ATOM_OP_INCU:
		return m + 1;
	case FAA_ATOM_OP_DECU:
	case FAA_ATOM_OP_PREDEC:
		return m - 1;
	}
	return m;
}

static bool alu_ftz(const struct command *command)
{
	return command->mod & FAA_FLOAT_MODE_FTZ;
}

/*
 * The new value of memory word @m for the ATOMS, ATOM or SUATOM @command. Values have the width of
 * the type; the caller stores as much of the result.
 */
uint64_t atomic_operate(const struct command *command, uint64_t m, uint64_t b, uint64_t c)
{
	enum fp_op op = FP_ADD;

	if (!fp_type(command->type))
		return alu_atomic_integer(command->op, command->value_type, m, b, c);
	if (command->opcode != FAA_OPCODE_ATOMS && command->op == FAA_ATOM_OP_FCMPWR)
		return fp_equal(command->type, alu_ftz(command), m, b) ? c : m;
	if (command->op == FAA_ATOMS_OP_MIN)
		op = FP_MIN;
	else if (command->op == FAA_ATOMS_OP_MAX)
		op = FP_MAX;
	return fp_operate(command->type, op, alu_ftz(command), m, b);
}

static uint64_t alu_integer(unsigned int op, unsigned int type, uint64_t a, uint64_t b)
{
	unsigned int shift = b % (8 * type_bytes(type));

	switch (op) {
	case FAA_ALU_OP_ADD:
		return a + b;
	case FAA_ALU_OP_SUB:
		return a - b;
	case FAA_ALU_OP_MIN:
		return alu_less(type, a, b) ? a : b;
	case FAA_ALU_OP_MAX:
		return alu_less(type, a, b) ? b : a;
	case FAA_ALU_OP_AND:
		return a & b;
	case FAA_ALU_OP_OR:
		return a | b;
	case FAA_ALU_OP_XOR:
		return a ^ b;
	case FAA_ALU_OP_SHL:
		return a << shift;
	case FAA_ALU_OP_SHR:
		/* Both compilers that build this shift signed values arithmetically. */
		return alu_signed_type(type) ? (uint64_t)((int64_t)type_extend(type, a) >> shift) :
					       a >> shift;
	}
	return a * b;
}

static enum fp_op alu_fp_op(unsigned int op)
{
	switch (op) {
	case FAA_ALU_OP_ADD:
		return FP_ADD;
	case FAA_ALU_OP_SUB:
		return FP_SUB;
	case FAA_ALU_OP_MIN:
		return FP_MIN;
	}
	return FP_MAX;
}

/* a op b of an ALU command; the caller truncates to the width of the type. */
uint64_t alu_operate(const struct command *command, uint64_t a, uint64_t b)
{
	if (fp_type(command->type))
		return fp_operate(command->type, alu_fp_op(command->op), alu_ftz(command), a, b);
	return alu_integer(command->op, command->type, a, b);
}

static bool alu_compare_floats(unsigned int cmp, double a, double b)
{
	switch (cmp) {
	case FAA_CMP_EQ:
		return a == b;
	case FAA_CMP_NE:
		return a != b;
	case FAA_CMP_LT:
		return a < b;
	case FAA_CMP_LE:
		return a <= b;
	case FAA_CMP_GT:
		return a > b;
	}
	return a >= b;
}

/* Whether a cmp b holds in a SETP command. */
bool setp_compare(const struct command *command, uint64_t a, uint64_t b)
{
	unsigned int type = command->type;

	if (fp_type(type))
		return alu_compare_floats(command->op, fp_value(type, a), fp_value(type, b));
	switch (command->op) {
	case FAA_CMP_EQ:
		return a == b;
	case FAA_CMP_NE:
		return a != b;
	case FAA_CMP_LT:
		return alu_less(type, a, b);
	case FAA_CMP_LE:
		return !alu_less(type, b, a);
	case FAA_CMP_GT:
		return alu_less(type, b, a);
	}
	return !alu_less(type, a, b);
}
