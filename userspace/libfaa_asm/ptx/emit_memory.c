// SPDX-License-Identifier: MIT
/* Commands of memory instructions and fences. Documentation/ptx.rst has the table. */
#include <errno.h>

#include "emit.h"

/* ------------------------------------------------------------------------------------------------
 * Addresses
 */

struct address {
	struct faa_operand a;
	int32_t offset;
};

/* Whether the offset fits into a command. */
static bool memory_offset_fits(int64_t offset, bool atoms)
{
	return offset >= -(1 << 23) && offset < 1 << 23 && !(atoms && offset % 4);
}

static int memory_register_address(struct ptx_emit *emit, const struct ptx_operand *operand,
				   bool shared, bool atoms, struct address *address)
{
	int64_t offset = (int64_t)operand->value;

	address->a = faa_reg(emit->where[operand->index]);
	if (memory_offset_fits(offset, atoms)) {
		address->offset = (int32_t)offset;
		return 0;
	}
	address->offset = 0;
	address->a = faa_reg(PTX_TEMP_ADDRESS);
	return ptx_alu(emit, NULL, FAA_ALU_OP_ADD, shared ? FAA_TYPE_U32 : FAA_TYPE_U64,
		       PTX_TEMP_ADDRESS, faa_reg(emit->where[operand->index]),
		       faa_imm((uint64_t)offset));
}

static uint32_t ptx_round_up(uint32_t value, uint32_t align)
{
	return align ? (value + align - 1) / align * align : value;
}

/*
 * Variables outside of kernels come first, then those of the kernel; an array of unknown size
 * follows all others.
 */
uint32_t ptx_shared_address(const struct ptx_emit *emit, const struct ptx_symbol *symbol)
{
	uint32_t own = ptx_round_up(emit->code->shared_bytes, emit->kernel->shared_align);

	if (symbol->elements == PTX_UNKNOWN_SIZE)
		return ptx_round_up(own + emit->kernel->shared_bytes, symbol->align);
	return emit->code->names.entries[symbol->name].scope ? own + symbol->address :
							       symbol->address;
}

static int memory_take_address(struct ptx_emit *emit, const struct ptx_instruction *instruction,
			       bool atoms, struct address *address)
{
	const struct ptx_operand *operand = &instruction->operands[1];

	address->offset = 0;
	if (operand->kind == PTX_OPERAND_REGISTER)
		return memory_register_address(emit, operand, instruction->space == PTX_IN_SHARED,
					       atoms, address);
	address->a = ptx_source(emit, operand);
	if (operand->kind != PTX_OPERAND_SYMBOL)
		return 0;
	/* Stream items have their offset in the step. */
	if (address->a.kind == FAA_KIND_STREAM)
		address->a.step += operand->value;
	else
		address->a.value += operand->value;
	return 0;
}

/* ------------------------------------------------------------------------------------------------
 * Fences
 */

static int memory_add_fence(struct ptx_emit *emit, enum faa_fence_order order, unsigned int scope)
{
	return faa_stream_fence(emit->stream, order, ptx_scopes[scope].device);
}

static int memory_fence(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	static const enum faa_fence_order orders[] = {
		[PTX_IS_ACQUIRE] = FAA_FENCE_ORDER_ACQUIRE,
		[PTX_IS_RELEASE] = FAA_FENCE_ORDER_RELEASE,
		[PTX_IS_ACQ_REL] = FAA_FENCE_ORDER_ACQ_REL,
		[PTX_IS_SC] = FAA_FENCE_ORDER_SC,
	};

	return memory_add_fence(emit, orders[instruction->sem], instruction->scope);
}

static bool memory_releases(const struct ptx_instruction *instruction)
{
	return instruction->sem == PTX_IS_RELEASE || instruction->sem == PTX_IS_ACQ_REL;
}

static bool memory_acquires(const struct ptx_instruction *instruction)
{
	return instruction->sem == PTX_IS_ACQUIRE || instruction->sem == PTX_IS_ACQ_REL;
}

static enum faa_order memory_order_of(const struct ptx_instruction *instruction)
{
	if (memory_releases(instruction))
		return memory_acquires(instruction) ? FAA_ORDER_ACQ_REL : FAA_ORDER_RELEASE;
	return memory_acquires(instruction) ? FAA_ORDER_ACQUIRE : FAA_ORDER_RELAXED;
}

/*
 * A command on shared memory has no order. Fences precede and follow it, as in the fence-based
 * mapping of the ABI.
 */
static int memory_add_shared(struct ptx_emit *emit, const struct ptx_instruction *instruction,
			     struct faa_vector vector)
{
	int ret = memory_releases(instruction) ?
			  memory_add_fence(emit, FAA_FENCE_ORDER_RELEASE, instruction->scope) :
			  0;

	if (!ret)
		ret = ptx_add(emit, instruction, vector);
	if (!ret && memory_acquires(instruction))
		ret = memory_add_fence(emit, FAA_FENCE_ORDER_ACQUIRE, instruction->scope);
	return ret;
}

/* ------------------------------------------------------------------------------------------------
 * ld, st
 */

/* The type of LD: unsigned, or sign-extended where the register is wider. */
static enum faa_type memory_load_type(const struct ptx_type_info *type, unsigned int width)
{
	switch (type->bits) {
	case 8:
		return type->kind == 's' ? FAA_TYPE_S8 : FAA_TYPE_U8;
	case 16:
		return type->kind == 's' && width > 16 ? FAA_TYPE_S16 : FAA_TYPE_U16;
	case 32:
		return FAA_TYPE_U32;
	default:
		return FAA_TYPE_U64;
	}
}

/*
 * LDS and STS are weak. A strong access to shared memory is an ATOMS that keeps the word, or
 * exchanges it.
 */
static int memory_strong_shared(struct ptx_emit *emit, const struct ptx_instruction *instruction,
				enum faa_type type)
{
	bool load = instruction->which == PTX_TO_LD;
	struct faa_vector vector = { .opcode = FAA_OPCODE_ATOMS, .type = (uint8_t)type };
	struct address address;
	int ret = memory_take_address(emit, instruction, true, &address);

	vector.a = address.a;
	vector.offset = address.offset;
	if (load) {
		vector.op = FAA_ATOMS_OP_CAS;
		vector.d = ptx_source(emit, &instruction->operands[0]);
		vector.b = faa_imm(0);
		vector.c = faa_imm(0);
	} else {
		vector.op = FAA_ATOMS_OP_EXCH;
		vector.b = ptx_source(emit, &instruction->operands[2]);
	}
	return ret ? ret : memory_add_shared(emit, instruction, vector);
}

static int memory_plain_access(struct ptx_emit *emit, const struct ptx_instruction *instruction,
			       enum faa_type type)
{
	bool load = instruction->which == PTX_TO_LD, shared = instruction->space == PTX_IN_SHARED;
	struct faa_vector vector = { .type = (uint8_t)type };
	struct address address;
	int ret = memory_take_address(emit, instruction, false, &address);

	if (shared)
		vector.opcode = load ? FAA_OPCODE_LDS : FAA_OPCODE_STS;
	else
		vector.opcode = load ? FAA_OPCODE_LD : FAA_OPCODE_ST;
	if (instruction->sem != PTX_IS_WEAK) {
		vector.strong = 1;
		vector.scope = (uint8_t)ptx_scopes[instruction->scope].device;
		vector.order = (uint8_t)memory_order_of(instruction);
	}
	vector.a = address.a;
	vector.offset = address.offset;
	if (load)
		vector.d = ptx_source(emit, &instruction->operands[0]);
	else
		vector.b = ptx_source(emit, &instruction->operands[2]);
	return ret ? ret : ptx_add(emit, instruction, vector);
}

static int memory_load(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	const struct ptx_type_info *type = &ptx_types[instruction->type];
	uint32_t d = instruction->operands[0].index;
	unsigned int width = ptx_register_bits(emit->code, d);
	int ret;

	if (instruction->space == PTX_IN_PARAM &&
	    !ptx_is_aggregate(&emit->code->symbols[instruction->operands[1].index]))
		ret = ptx_move(emit, instruction, type->bits, faa_reg(emit->where[d]),
			       ptx_source(emit, &instruction->operands[1]));
	else if (instruction->space == PTX_IN_SHARED && instruction->sem != PTX_IS_WEAK)
		ret = memory_strong_shared(emit, instruction, memory_load_type(type, width));
	else
		ret = memory_plain_access(emit, instruction, memory_load_type(type, width));
	if (ret || width != 64 || type->bits == 64)
		return ret;
	return ptx_widen(emit, instruction, emit->where[d], type->kind == 's');
}

static int memory_store(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	static const enum faa_type types[] = { FAA_TYPE_U8, FAA_TYPE_U16, FAA_TYPE_U32,
					       FAA_TYPE_U64 };
	enum faa_type type = types[__builtin_ctz(ptx_types[instruction->type].bits) - 3];

	if (instruction->space == PTX_IN_SHARED && instruction->sem != PTX_IS_WEAK)
		return memory_strong_shared(emit, instruction, type);
	return memory_plain_access(emit, instruction, type);
}

/* ------------------------------------------------------------------------------------------------
 * atom, red
 */

static int memory_atomic(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	const struct ptx_atomic_info *info = &ptx_atomics[instruction->atomic];
	bool shared = instruction->space == PTX_IN_SHARED;
	struct faa_vector vector = { .type = (uint8_t)ptx_types[instruction->type].device };
	struct address address;
	int ret = memory_take_address(emit, instruction, shared, &address);

	if (ret)
		return ret;
	if (instruction->which == PTX_TO_ATOM &&
	    instruction->operands[0].kind == PTX_OPERAND_REGISTER)
		vector.d = ptx_source(emit, &instruction->operands[0]);
	vector.a = address.a;
	vector.offset = address.offset;
	vector.b = ptx_source(emit, &instruction->operands[2]);
	if (info->args == 2)
		vector.c = ptx_source(emit, &instruction->operands[3]);
	if (shared) {
		vector.opcode = FAA_OPCODE_ATOMS;
		vector.op = (uint8_t)info->atoms;
		return memory_add_shared(emit, instruction, vector);
	}
	vector.opcode = FAA_OPCODE_ATOM;
	vector.op = (uint8_t)info->atom;
	vector.scope = (uint8_t)ptx_scopes[instruction->scope].device;
	vector.order = (uint8_t)memory_order_of(instruction);
	/* PTX: f32 additions flush denormals in global memory, but not in shared memory. */
	if (instruction->type == PTX_F32 && instruction->atomic == PTX_DO_ADD)
		vector.mod = FAA_FLOAT_MODE_FTZ;
	return ptx_add(emit, instruction, vector);
}

int ptx_emit_memory(struct ptx_emit *emit, const struct ptx_instruction *instruction)
{
	switch (instruction->which) {
	case PTX_TO_LD:
		return memory_load(emit, instruction);
	case PTX_TO_ST:
		return memory_store(emit, instruction);
	case PTX_TO_FENCE:
		return memory_fence(emit, instruction);
	default:
		return memory_atomic(emit, instruction);
	}
}
