// SPDX-License-Identifier: MIT
#include "compile.h"
#include "lanes.h"

#define ORDER_BITS                                                       \
	(SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask | \
	 SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask)

/* An instruction and its operation on global memory and images, and on shared memory. */
struct operation {
	uint16_t opcode;
	uint8_t kind;
	uint8_t global, shared;
	/* Interpretation as signed, unsigned or floating-point number; 0: bits. */
	char number;
	/* Operands after pointer, scope and semantics. */
	uint8_t operands;
};

static const struct operation atomic_operations[] = {
	{ SpvOpAtomicLoad, ATOMIC_LOAD, 0, 0, 0, 0 },
	{ SpvOpAtomicStore, ATOMIC_STORE, 0, 0, 0, 1 },
	{ SpvOpAtomicExchange, ATOMIC_RMW, FAA_ATOM_OP_EXCH, FAA_ATOMS_OP_EXCH, 0, 1 },
	{ SpvOpAtomicCompareExchange, ATOMIC_RMW, FAA_ATOM_OP_CAS, FAA_ATOMS_OP_CAS, 0, 2 },
	{ SpvOpAtomicCompareExchangeWeak, ATOMIC_RMW, FAA_ATOM_OP_CAS, FAA_ATOMS_OP_CAS, 0, 2 },
	{ SpvOpAtomicIIncrement, ATOMIC_RMW, FAA_ATOM_OP_INCU, FAA_ATOMS_OP_ADD, 'u', 0 },
	{ SpvOpAtomicIDecrement, ATOMIC_RMW, FAA_ATOM_OP_DECU, FAA_ATOMS_OP_ADD, 'u', 0 },
	{ SpvOpAtomicIAdd, ATOMIC_RMW, FAA_ATOM_OP_ADD, FAA_ATOMS_OP_ADD, 'u', 1 },
	{ SpvOpAtomicISub, ATOMIC_RMW, FAA_ATOM_OP_SUB, FAA_ATOMS_OP_ADD, 'u', 1 },
	{ SpvOpAtomicSMin, ATOMIC_RMW, FAA_ATOM_OP_MIN, FAA_ATOMS_OP_MIN, 's', 1 },
	{ SpvOpAtomicUMin, ATOMIC_RMW, FAA_ATOM_OP_MIN, FAA_ATOMS_OP_MIN, 'u', 1 },
	{ SpvOpAtomicSMax, ATOMIC_RMW, FAA_ATOM_OP_MAX, FAA_ATOMS_OP_MAX, 's', 1 },
	{ SpvOpAtomicUMax, ATOMIC_RMW, FAA_ATOM_OP_MAX, FAA_ATOMS_OP_MAX, 'u', 1 },
	{ SpvOpAtomicAnd, ATOMIC_RMW, FAA_ATOM_OP_AND, FAA_ATOMS_OP_AND, 'u', 1 },
	{ SpvOpAtomicOr, ATOMIC_RMW, FAA_ATOM_OP_OR, FAA_ATOMS_OP_OR, 'u', 1 },
	{ SpvOpAtomicXor, ATOMIC_RMW, FAA_ATOM_OP_XOR, FAA_ATOMS_OP_XOR, 'u', 1 },
	{ SpvOpAtomicFMinEXT, ATOMIC_RMW, FAA_ATOM_OP_MIN, FAA_ATOMS_OP_MIN, 'f', 1 },
	{ SpvOpAtomicFMaxEXT, ATOMIC_RMW, FAA_ATOM_OP_MAX, FAA_ATOMS_OP_MAX, 'f', 1 },
	{ SpvOpAtomicFAddEXT, ATOMIC_RMW, FAA_ATOM_OP_ADD, FAA_ATOMS_OP_ADD, 'f', 1 },
	/* A flag is a 32-bit word with value 0 or 1. */
	{ SpvOpAtomicFlagTestAndSet, ATOMIC_RMW, FAA_ATOM_OP_EXCH, FAA_ATOMS_OP_EXCH, 0, 0 },
	{ SpvOpAtomicFlagClear, ATOMIC_STORE, 0, 0, 0, 0 },
};

static const struct operation *atomic_find_operation(uint16_t opcode)
{
	unsigned int i;

	for (i = 0; i < sizeof(atomic_operations) / sizeof(atomic_operations[0]); i++)
		if (atomic_operations[i].opcode == opcode)
			return &atomic_operations[i];
	return NULL;
}

/*
 * The smallest device scope that includes the scope. The device has no scope smaller than a queue.
 */
static uint8_t atomic_device_scope(struct spirv_compiler *c, uint32_t id)
{
	switch (spirv_number(c, id, "a scope")) {
	case SpvScopeCrossDevice:
		return FAA_SCOPE_SYS;
	case SpvScopeDevice:
	case SpvScopeQueueFamily:
		return FAA_SCOPE_GPU;
	case SpvScopeWorkgroup:
	case SpvScopeSubgroup:
	case SpvScopeInvocation:
	case SpvScopeShaderCallKHR:
		return FAA_SCOPE_CTA;
	default:
		spirv_unable(c, "invalid scope");
		return FAA_SCOPE_CTA;
	}
}

/* enum faa_order of semantics; several order bits are combined. */
static uint8_t atomic_device_order(uint64_t semantics)
{
	uint8_t order = FAA_ORDER_RELAXED;

	if (semantics &
	    (SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask))
		return FAA_ORDER_ACQ_REL;
	if (semantics & SpvMemorySemanticsAcquireMask)
		order |= FAA_ORDER_ACQUIRE;
	if (semantics & SpvMemorySemanticsReleaseMask)
		order |= FAA_ORDER_RELEASE;
	return order;
}

static uint8_t atomic_device_type(const struct operation *operation, unsigned int width,
				  uint8_t space)
{
	if (operation->number == 'f') {
		/*
		 * Each 16-bit scalar of shared memory is in the low half of a word; the high half
		 * stays 0.
		 */
		if (width == 16)
			return space == SPACE_SHARED ? FAA_TYPE_F16X2 : FAA_TYPE_F16;
		return width == 32 ? FAA_TYPE_F32 : FAA_TYPE_F64;
	}
	if (width == 16)
		return space == SPACE_SHARED ? FAA_TYPE_U32 : FAA_TYPE_U16;
	if (operation->number == 's')
		return width == 32 ? FAA_TYPE_S32 : FAA_TYPE_S64;
	return width == 32 ? FAA_TYPE_U32 : FAA_TYPE_U64;
}

unsigned int spirv_image_dim(struct spirv_compiler *c, const struct spirv_type *image)
{
	static const uint8_t plain[] = {
		[SpvDim1D] = FAA_DIM_D1,   [SpvDim2D] = FAA_DIM_D2,
		[SpvDim3D] = FAA_DIM_D3,   [SpvDimCube] = FAA_DIM_D2_ARRAY,
		[SpvDimRect] = FAA_DIM_D2, [SpvDimBuffer] = FAA_DIM_D1_BUFFER,
	};

	if (image->multisampled)
		spirv_unable(c, "images with several samples are not supported");
	if (image->dim > SpvDimBuffer)
		spirv_unable(c, "images of dimension %u are not supported", image->dim);
	else if (image->arrayed && (image->dim == SpvDim1D || image->dim == SpvDim2D))
		return image->dim == SpvDim1D ? FAA_DIM_D1_ARRAY : FAA_DIM_D2_ARRAY;
	else
		return plain[image->dim];
	return FAA_DIM_D1;
}

/* Sets the slots of value and comparator in the device's order. */
static void atomic_operands(struct spirv_compiler *c, const struct operation *operation,
			    struct spirv_atomic *atomic, struct spirv_ins *ins)
{
	const uint32_t *ids = c->at->operands +
			      (operation->opcode == SpvOpAtomicCompareExchange ||
					       operation->opcode == SpvOpAtomicCompareExchangeWeak ?
				       4 :
				       3);
	bool shared = atomic->space == SPACE_SHARED;

	if (operation->operands == 2) {
		/* SPIR-V has the value before the comparator, the device after it. */
		ins->c = spirv_slot(c, ids[0]);
		ins->d = spirv_slot(c, ids[1]);
		atomic->has_b = atomic->has_c = true;
	} else if (operation->operands == 1) {
		ins->c = spirv_slot(c, ids[0]);
		atomic->has_b = true;
	} else if (operation->opcode == SpvOpAtomicFlagTestAndSet ||
		   operation->opcode == SpvOpAtomicFlagClear) {
		ins->c = spirv_constant_slot(c, operation->opcode == SpvOpAtomicFlagTestAndSet);
		atomic->has_b = true;
	} else if (atomic->kind == ATOMIC_LOAD && atomic->space == SPACE_IMAGE) {
		ins->c = spirv_constant_slot(c, 0);
		atomic->has_b = true;
	} else if (shared && atomic->kind == ATOMIC_RMW) {
		ins->c = spirv_constant_slot(c, operation->opcode == SpvOpAtomicIIncrement ?
							1 :
							spirv_mask(atomic->width));
		atomic->has_b = true;
	}
	/* Shared memory has no subtraction. */
	if (shared && operation->opcode == SpvOpAtomicISub) {
		struct spirv_ins negate = { .code = SpvOpSNegate, .a = ins->c };

		negate.dst = spirv_take_slots(c, 1);
		negate.b = negate.c = negate.d = SLOT_NONE;
		negate.opcode = ins->opcode;
		negate.word = ins->word;
		negate.width = negate.to = atomic->width;
		negate.count = 1;
		*spirv_emit(c, SpvOpSNegate) = negate;
		ins->c = negate.dst;
	}
}

/* Images have no atomic load and store: use OR with 0, and EXCH without a result. */
static void atomic_image_operation(struct spirv_compiler *c, const struct spirv_value *pointer,
				   struct spirv_atomic *atomic)
{
	const struct spirv_type *image = spirv_type(c->module, pointer->image);

	atomic->coordinates =
		(uint8_t)spirv_slots(c, spirv_type_of(c->module, pointer->coordinates));
	atomic->dim = (uint8_t)spirv_image_dim(c, image);
	if (atomic->kind == ATOMIC_LOAD)
		atomic->op = FAA_ATOM_OP_OR;
	if (atomic->kind == ATOMIC_STORE)
		atomic->op = FAA_ATOM_OP_EXCH;
	if (atomic->width < 32)
		spirv_unable(c, "texels of atomic operations have 32 or 64 bits");
}

static void atomic_orders(struct spirv_compiler *c, struct spirv_atomic *atomic, uint64_t semantics)
{
	uint8_t order = atomic_device_order(semantics);

	atomic->seq_cst = semantics & SpvMemorySemanticsSequentiallyConsistentMask;
	atomic->fence_before = atomic->fence_after = UINT8_MAX;
	if (atomic->kind == ATOMIC_LOAD && atomic->space != SPACE_IMAGE)
		order &= FAA_ORDER_ACQUIRE;
	if (atomic->kind == ATOMIC_STORE && atomic->space != SPACE_IMAGE)
		order &= FAA_ORDER_RELEASE;
	/* FENCE.SC orders earlier accesses; the acquire orders later ones. */
	if (atomic->seq_cst)
		order &= FAA_ORDER_ACQUIRE;
	atomic->order = order;
	if (atomic->space != SPACE_SHARED)
		return;
	if (order & FAA_ORDER_RELEASE)
		atomic->fence_before = FAA_FENCE_ORDER_RELEASE;
	if (order & FAA_ORDER_ACQUIRE)
		atomic->fence_after = FAA_FENCE_ORDER_ACQUIRE;
}

static const struct spirv_type *atomic_item_type(struct spirv_compiler *c,
						 const struct operation *operation)
{
	const struct spirv_type *pointer = spirv_type_of(c->module, c->at->operands[0]);
	const struct spirv_type *type = spirv_type(c->module, pointer->base);

	if (type->op != SpvOpTypeInt && type->op != SpvOpTypeFloat) {
		spirv_unable(c,
			     "only integer and floating-point scalars can be accessed atomically");
		return NULL;
	}
	if (type->op == SpvOpTypeInt && type->width < 32) {
		spirv_unable(c, "%u-bit integers cannot be accessed atomically", type->width);
		return NULL;
	}
	if ((type->op == SpvOpTypeFloat) != (operation->number == 'f') && operation->number) {
		spirv_unable(c, "the type of the memory does not suit the operation");
		return NULL;
	}
	return type;
}

static void atomic(struct spirv_compiler *c, const struct operation *operation)
{
	const uint32_t *ids = c->at->operands;
	const struct spirv_type *type = atomic_item_type(c, operation);
	const struct spirv_value *pointer = spirv_value(c, ids[0]);
	uint64_t semantics = spirv_number(c, ids[2], "semantics");
	struct spirv_atomic atomic = { .space = pointer->space, .kind = operation->kind }, *kept;
	struct spirv_ins draft = { .code = CODE_ATOMIC,
				   .opcode = c->at->opcode,
				   .word = c->at->word };
	uint32_t index = c->program->atomic_count;

	if (!type)
		return;
	if (pointer->space == SPACE_SLOTS || pointer->space == SPACE_PUSH ||
	    (pointer->space == SPACE_IMAGE && !pointer->texel)) {
		spirv_unable(c, "this memory has no atomic operations");
		return;
	}
	if (operation->opcode == SpvOpAtomicCompareExchange ||
	    operation->opcode == SpvOpAtomicCompareExchangeWeak)
		semantics |= spirv_number(c, ids[3], "semantics");
	atomic.width = (uint8_t)type->width;
	atomic.type = atomic_device_type(operation, type->width, pointer->space);
	atomic.op = pointer->space == SPACE_SHARED ? operation->shared : operation->global;
	atomic.scope = atomic_device_scope(c, ids[1]);
	atomic.flag = operation->opcode == SpvOpAtomicFlagTestAndSet;
	if (operation->number == 'f' && c->flush & (type->width >> 4 & 7))
		atomic.modes = FAA_FLOAT_MODE_FTZ;
	if (pointer->space == SPACE_IMAGE)
		atomic_image_operation(c, pointer, &atomic);
	atomic_orders(c, &atomic, semantics);
	/* Without a result the operation is posted. A load always has a result. */
	draft.dst = SLOT_NONE;
	if (c->at->result &&
	    (operation->kind == ATOMIC_LOAD || c->used[c->at->result / 8] >> c->at->result % 8 & 1))
		draft.dst = spirv_result(c);
	draft.a = pointer->base;
	draft.imm = pointer->offset;
	draft.b = pointer->texel ? pointer->slot : SLOT_NONE;
	draft.c = draft.d = SLOT_NONE;
	draft.extra = index;
	atomic_operands(c, operation, &atomic, &draft);
	*spirv_emit(c, CODE_ATOMIC) = draft;
	kept = spirv_append(c, &c->program->atomics, &c->program->atomic_count, 1, sizeof(*kept));
	if (kept)
		*kept = atomic;
}

static uint32_t atomic_fence(struct spirv_compiler *c, uint32_t scope, uint64_t semantics)
{
	static const uint8_t orders[] = {
		[FAA_ORDER_ACQUIRE] = FAA_FENCE_ORDER_ACQUIRE,
		[FAA_ORDER_RELEASE] = FAA_FENCE_ORDER_RELEASE,
		[FAA_ORDER_ACQ_REL] = FAA_FENCE_ORDER_ACQ_REL,
	};
	uint32_t index = c->program->fence_count;
	struct spirv_fence *fence;

	fence = spirv_append(c, &c->program->fences, &c->program->fence_count, 1, sizeof(*fence));
	if (!fence)
		return 0;
	fence->none = !(semantics & ORDER_BITS);
	fence->order = orders[atomic_device_order(semantics)];
	if (semantics & SpvMemorySemanticsSequentiallyConsistentMask)
		fence->order = FAA_FENCE_ORDER_SC;
	fence->scope = atomic_device_scope(c, scope);
	return index;
}

static void atomic_memory_barrier(struct spirv_compiler *c)
{
	uint32_t index = atomic_fence(c, c->at->operands[0],
				      spirv_number(c, c->at->operands[1], "semantics"));

	spirv_emit(c, CODE_FENCE)->extra = index;
}

static void atomic_control_barrier(struct spirv_compiler *c)
{
	const uint32_t *ids = c->at->operands;
	uint64_t execution = spirv_number(c, ids[0], "a scope");
	uint32_t index = atomic_fence(c, ids[1], spirv_number(c, ids[2], "semantics"));

	if (execution != SpvScopeWorkgroup && execution != SpvScopeSubgroup &&
	    execution != SpvScopeInvocation) {
		spirv_unable(
			c,
			"execution scope %llu is not supported: workgroups do not wait for each other",
			(unsigned long long)execution);
		return;
	}
	/* A barrier of a subgroup needs no waiting: it is only a fence. */
	spirv_emit(c, execution == SpvScopeWorkgroup ? CODE_BARRIER : CODE_FENCE)->extra = index;
}

bool spirv_compile_atomic(struct spirv_compiler *c)
{
	const struct operation *operation = atomic_find_operation(c->at->opcode);

	if (operation)
		atomic(c, operation);
	else if (c->at->opcode == SpvOpMemoryBarrier)
		atomic_memory_barrier(c);
	else if (c->at->opcode == SpvOpControlBarrier)
		atomic_control_barrier(c);
	else
		return false;
	return true;
}
