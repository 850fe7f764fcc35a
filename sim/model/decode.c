// SPDX-License-Identifier: Apache-2.0
/*
 * Fetch and decoding of one command. The letters are those of device.rst, "Which error is
 * reported": the first rule that is violated determines the error.
 */
#include <endian.h>

#include "faa_tables.h"

#include "model.h"

#define WORD_BYTES	8ULL
#define COUNT_MAX	(1ULL << 32)
#define KINDS		5
#define BARRIER_UNKNOWN 6

static const struct fault decode_none = { .code = FAA_ERROR_SUCCESS };

static struct fault decode_fault(uint32_t code, uint64_t address)
{
	struct fault f = { .code = code, .address = address };

	return f;
}

static struct fault decode_fetch(struct warp_slot *ws, uint64_t offset, uint64_t *word)
{
	struct place place;
	struct fault f;

	f = mmu_translate(ws->cu, ws->stream.stream_va + offset, WORD_BYTES, false, &place);
	if (!f.code)
		f = mmu_read(ws->cu, place, word, sizeof(*word));
	*word = le64toh(*word);
	return f;
}

static bool decode_length_possible(const struct command *command)
{
	if (command->info->vector)
		return command->length >= 3 && command->length <= FAA_MAX_COMMAND_WORDS;
	return command->length == command->info->words;
}

/* b: the opcode exists, and this build has it. */
static bool decode_command_known(const struct warp_slot *ws, const struct command *command)
{
	uint32_t features = ws->cu->engine->params.features;

	switch (command->opcode) {
	case FAA_OPCODE_ATOM:
		return features >> FAA_FEATURE_GLOBAL_ATOMICS & 1;
	case FAA_OPCODE_SUATOM:
	case FAA_OPCODE_CONFIG:
		return features >> FAA_FEATURE_SURFACE_ATOMICS & 1;
	}
	return command->info->name;
}

/* a to d: the words are within the stream, and are a command. */
static struct fault decode_fetch_command(struct warp_slot *ws)
{
	struct command *command = &ws->stream.command;
	uint64_t left = ws->stream.stream_bytes - ws->stream.pc;
	struct fault f;

	if (left < WORD_BYTES)
		return decode_fault(FAA_ERROR_TRUNCATED, 0);
	f = decode_fetch(ws, ws->stream.pc, &command->words[0]);
	if (f.code)
		return f;
	command->opcode = FAA_GET(HEADER_OPCODE, command->words[0]);
	command->length = FAA_GET(HEADER_LENGTH, command->words[0]);
	command->info = &faa_commands[command->opcode];
	if (!decode_command_known(ws, command))
		return decode_fault(FAA_ERROR_ILLEGAL_COMMAND, command->words[0]);
	if (!decode_length_possible(command))
		return decode_fault(FAA_ERROR_BAD_LENGTH, command->words[0]);
	if (command->length * WORD_BYTES > left)
		return decode_fault(FAA_ERROR_TRUNCATED, 0);
	for (unsigned int i = 1; i < command->length; i++) {
		f = decode_fetch(ws, ws->stream.pc + i * WORD_BYTES, &command->words[i]);
		if (f.code)
			return f;
	}
	return decode_none;
}

/* e: fields that the command does not use are 0. */
static bool decode_header_fields_unused(const struct command *command)
{
	const struct faa_command_info *info = command->info;

	return (command->words[0] & FAA_HEADER_RESERVED) || (!info->op_names && command->op) ||
	       (!info->vector && command->type) || (info->mod_max == 0 && command->mod);
}

/* f: guard and barriers. */
static bool decode_issue_fields_illegal(const struct command *command)
{
	unsigned int read = FAA_GET(HEADER_READ_BARRIER, command->words[0]);
	unsigned int write = FAA_GET(HEADER_WRITE_BARRIER, command->words[0]);

	if (!command->info->guarded && (command->guard != FAA_PT || command->guard_negate))
		return true;
	if (read == BARRIER_UNKNOWN || write == BARRIER_UNKNOWN)
		return true;
	return !command->info->vector && (read != FAA_NO_BARRIER || write != FAA_NO_BARRIER);
}

static bool decode_float_mode_illegal(const struct command *command)
{
	/* ADD has one code in both enumerations. */
	bool relaxed = command->opcode != FAA_OPCODE_ALU && command->op == FAA_ATOM_OP_ADD;
	unsigned int modes = 0;

	if (fp_type(command->type))
		modes = relaxed ? FAA_FLOAT_MODE_FTZ | FAA_FLOAT_MODE_RELAXED : FAA_FLOAT_MODE_FTZ;
	return command->mod & ~modes;
}

/* The compatibility set has four operations on U64. */
static uint32_t decode_feature_of_int64(const struct command *command)
{
	if (command->opcode != FAA_OPCODE_ATOMS)
		return 0;
	if (command->type == FAA_TYPE_U64 &&
	    (command->op == FAA_ATOMS_OP_EXCH || command->op >= FAA_ATOMS_OP_CAS))
		return 0;
	return 1u << FAA_FEATURE_ATOMS_INT64;
}

static uint32_t decode_feature_of_type(const struct command *command)
{
	switch (command->type) {
	case FAA_TYPE_U64:
	case FAA_TYPE_S64:
		return decode_feature_of_int64(command);
	case FAA_TYPE_F32:
		return 1u << FAA_FEATURE_ATOMS_F32;
	case FAA_TYPE_F64:
		return 1u << FAA_FEATURE_ATOMS_F64;
	case FAA_TYPE_F16:
	case FAA_TYPE_F16X2:
	case FAA_TYPE_BF16X2:
		return 1u << FAA_FEATURE_ATOMS_X2;
	}
	return 0;
}

/* Features that the operation needs. */
static uint32_t decode_features_needed(const struct command *command)
{
	switch (command->opcode) {
	case FAA_OPCODE_SETP:
		return fp_type(command->type) ? 1u << FAA_FEATURE_ALU : 0;
	case FAA_OPCODE_ALU:
		return 1u << FAA_FEATURE_ALU | decode_feature_of_type(command);
	case FAA_OPCODE_ATOMS:
	case FAA_OPCODE_ATOM:
	case FAA_OPCODE_SUATOM:
		if (command->mod & FAA_FLOAT_MODE_RELAXED)
			return 1u << FAA_FEATURE_ATOMS_RELAXED | decode_feature_of_type(command);
		return decode_feature_of_type(command);
	}
	return 0;
}

/* g: operation, type and their combination, in this build; mod. */
static bool decode_operation_illegal(const struct warp_slot *ws, const struct command *command)
{
	const struct faa_command_info *info = command->info;
	bool float_modes = command->opcode == FAA_OPCODE_ATOMS ||
			   command->opcode == FAA_OPCODE_ATOM || info->surface ||
			   command->opcode == FAA_OPCODE_ALU;

	if (command->op >= info->op_count || !(info->types[command->op] >> command->type & 1))
		return true;
	if (float_modes ? decode_float_mode_illegal(command) : command->mod > info->mod_max)
		return true;
	return decode_features_needed(command) & ~ws->cu->engine->params.features;
}

/* e to g. */
static struct fault decode_header(struct warp_slot *ws)
{
	struct command *command = &ws->stream.command;
	uint64_t header = command->words[0];

	command->op = FAA_GET(HEADER_OP, header);
	command->type = FAA_GET(HEADER_TYPE, header);
	command->value_type = command->type;
	command->mod = FAA_GET(HEADER_MOD, header);
	command->guard = FAA_GET(HEADER_GUARD, header);
	command->guard_negate = FAA_GET(HEADER_GUARD_NEGATE, header);
	if (decode_header_fields_unused(command))
		return decode_fault(FAA_ERROR_RESERVED_BITS, header);
	if (decode_issue_fields_illegal(command))
		return decode_fault(FAA_ERROR_ILLEGAL_OPERAND, header);
	if (decode_operation_illegal(ws, command))
		return decode_fault(FAA_ERROR_ILLEGAL_OPERATION, header);
	return decode_none;
}

/* Up to three coordinates; a third one of 32 bits is not part of the operand. */
static unsigned int decode_coordinate_bytes(const struct surface_operation *surface)
{
	unsigned int bytes = (surface->packed ? 2 : 4) * surface_coordinates(surface->dim);

	return bytes > 4 ? 8 : 4;
}

static unsigned int decode_operand_bytes(const struct command *command, enum slot slot)
{
	if (slot == SLOT_A && command->info->surface)
		return decode_coordinate_bytes(&command->surface);
	if (slot == SLOT_A && command->info->address != FAA_ADDRESS_NONE)
		return command->info->address == FAA_ADDRESS_GLOBAL ? 8 : 4;
	return type_bytes(command->type) == 8 ? 8 : 4;
}

static bool decode_kind_allowed(const struct command *command, enum slot slot)
{
	unsigned int kind = command->operands[slot].kind;
	unsigned int allowed = command->info->kinds[slot];

	/* Operands B and C are present exactly in the operations that use them. */
	if (slot == SLOT_B && (command->info->b_ops_absent >> command->op & 1))
		allowed = 1u << FAA_KIND_NONE;
	if (slot == SLOT_C && command->info->c_ops && !(command->info->c_ops >> command->op & 1))
		allowed = 1u << FAA_KIND_NONE;
	return kind < KINDS && (allowed >> kind & 1);
}

static bool decode_register_allowed(const struct operand *operand)
{
	if (operand->kind != FAA_KIND_REG)
		return operand->reg == 0;
	return operand->bytes == 4 || operand->reg == FAA_RZ || operand->reg % 2 == 0;
}

/* Coordinates that need a register after the two of operand a. */
static bool decode_three_registers(const struct command *command)
{
	return command->info->surface && !command->surface.packed &&
	       surface_coordinates(command->surface.dim) == 3;
}

/* Rules of SUATOM for the registers of its coordinates and its handle. */
static bool decode_surface_registers_allowed(const struct command *command)
{
	const struct operand *a = &command->operands[SLOT_A];
	uint32_t handle = command->surface.handle;

	if (a->kind == FAA_KIND_REG && a->reg == FAA_RZ)
		return false;
	if (decode_three_registers(command) && a->reg % 4)
		return false;
	switch (command->surface.handle_kind) {
	case FAA_HANDLE_KIND_REG:
		return handle < FAA_RZ;
	case FAA_HANDLE_KIND_BANK:
		return handle < FAA_CONSTANT_WORDS;
	}
	return true;
}

static uint64_t decode_reserved_of_regs(const struct command *command)
{
	if (command->info->surface)
		return FAA_SURFACE_RESERVED;
	if (command->info->address == FAA_ADDRESS_NONE)
		return FAA_REGS_RESERVED | FAA_REGS_OFFSET_MASK;
	return FAA_REGS_RESERVED;
}

/* i: kinds, registers, and a SETP that does not fit into 32 lanes. */
static struct fault decode_check_operands(const struct command *command)
{
	uint64_t shape = command->words[1], regs = command->words[2];

	for (enum slot slot = SLOT_A; slot < SLOTS; slot++)
		if (!decode_kind_allowed(command, slot))
			return decode_fault(FAA_ERROR_ILLEGAL_OPERAND, shape);
	if (decode_three_registers(command) && command->operands[SLOT_A].kind != FAA_KIND_REG)
		return decode_fault(FAA_ERROR_ILLEGAL_OPERAND, shape);
	for (enum slot slot = SLOT_A; slot < SLOTS; slot++)
		if (!decode_register_allowed(&command->operands[slot]))
			return decode_fault(FAA_ERROR_ILLEGAL_OPERAND, regs);
	if (command->info->surface && !decode_surface_registers_allowed(command))
		return decode_fault(FAA_ERROR_ILLEGAL_OPERAND, regs);
	if (command->count > FAA_LANES && command->opcode == FAA_OPCODE_SETP)
		return decode_fault(FAA_ERROR_ILLEGAL_OPERAND, shape);
	return decode_none;
}

static uint64_t decode_reserved_of_shape(const struct command *command)
{
	if (command->info->surface)
		return FAA_PLACE_RESERVED;
	if (command->info->strong)
		return FAA_STRONG_RESERVED |
		       (command->strong ? 0 : FAA_ACCESS_SCOPE_MASK | FAA_ACCESS_ORDER_MASK);
	return command->info->access ? FAA_ACCESS_RESERVED : FAA_SHAPE_RESERVED;
}

/* Scope and order of the second word, or those of a weak access. */
static void decode_order(struct command *command)
{
	uint64_t shape = command->words[1];

	command->strong = command->info->access;
	if (command->info->strong)
		command->strong = FAA_GET(STRONG_STRONG, shape);
	command->scope = command->strong ? FAA_GET(ACCESS_SCOPE, shape) : FAA_SCOPE_CTA;
	command->order = command->strong ? FAA_GET(ACCESS_ORDER, shape) : FAA_ORDER_RELAXED;
}

/* A scope that this build lacks, or an order that the command cannot have. */
static bool decode_order_illegal(const struct warp_slot *ws, const struct command *command)
{
	bool sys = ws->cu->engine->params.features >> FAA_FEATURE_SYS_ATOMICS & 1;

	if (!command->strong)
		return false;
	return command->scope > (sys ? FAA_SCOPE_SYS : FAA_SCOPE_GPU) ||
	       !(command->info->orders >> command->order & 1);
}

/* Undefined codes in SUATOM's second word, or PACKED with a single coordinate. */
static bool decode_place_illegal(const struct surface_operation *surface)
{
	return surface->dim > FAA_DIM_D3 || surface->clamp > FAA_CLAMP_TRAP ||
	       (surface->packed && surface_coordinates(surface->dim) == 1);
}

/* h: reserved bits of the second and third word, scopes and orders, and undefined codes. */
static struct fault decode_check_shape(const struct warp_slot *ws, const struct command *command)
{
	uint64_t shape = command->words[1], regs = command->words[2];

	if (shape & decode_reserved_of_shape(command))
		return decode_fault(FAA_ERROR_RESERVED_BITS, shape);
	if (regs & decode_reserved_of_regs(command))
		return decode_fault(FAA_ERROR_RESERVED_BITS, regs);
	if (decode_order_illegal(ws, command))
		return decode_fault(FAA_ERROR_ILLEGAL_OPERATION, shape);
	if (!command->info->surface)
		return decode_none;
	if (decode_place_illegal(&command->surface))
		return decode_fault(FAA_ERROR_ILLEGAL_OPERATION, shape);
	if (command->surface.handle_kind > FAA_HANDLE_KIND_INDEX)
		return decode_fault(FAA_ERROR_ILLEGAL_OPERATION, regs);
	return decode_none;
}

static void decode_surface(struct command *command)
{
	uint64_t place = command->words[1], surface = command->words[2];

	command->surface.dim = FAA_GET(PLACE_DIM, place);
	command->surface.clamp = FAA_GET(PLACE_CLAMP, place);
	command->surface.packed = FAA_GET(PLACE_PACKED, place);
	command->surface.ba = FAA_GET(PLACE_BA, place);
	command->surface.handle_kind = FAA_GET(SURFACE_HANDLE_KIND, surface);
	command->surface.handle = FAA_GET(SURFACE_HANDLE, surface);
	command->surface.ps = FAA_GET(SURFACE_PS, surface);
}

/* h to j: the second and third word. */
static struct fault decode_shape(const struct warp_slot *ws, struct command *command)
{
	uint64_t shape = command->words[1], regs = command->words[2];
	const unsigned int kinds[SLOTS] = { FAA_GET(SHAPE_KIND_A, shape),
					    FAA_GET(SHAPE_KIND_B, shape),
					    FAA_GET(SHAPE_KIND_C, shape),
					    FAA_GET(SHAPE_KIND_D, shape) };
	struct fault f;

	decode_order(command);
	if (command->info->surface)
		decode_surface(command);
	f = decode_check_shape(ws, command);
	if (f.code)
		return f;
	command->count = FAA_GET(SHAPE_COUNT, shape);
	for (enum slot slot = SLOT_A; slot < SLOTS; slot++) {
		struct operand *operand = &command->operands[slot];

		operand->kind = kinds[slot];
		operand->reg = regs >> (8 * slot) & 0xff;
		operand->bytes = decode_operand_bytes(command, slot);
	}
	f = decode_check_operands(command);
	if (f.code)
		return f;
	if (command->count < 1 || command->count > COUNT_MAX)
		return decode_fault(FAA_ERROR_BAD_COUNT, command->count);
	return decode_none;
}

static unsigned int decode_operand_words(unsigned int kind)
{
	static const unsigned int words[KINDS] = { 0, 0, 1, 2, 3 };

	return words[kind];
}

/* l: the second word of a stream operand. */
static bool decode_stream_illegal(const struct operand *operand, bool destination)
{
	unsigned int bytes = type_bytes(operand->item_type);

	if (bytes == 0 || bytes > operand->bytes || operand->item_type > FAA_TYPE_BF16X2)
		return true;
	if (operand->item_type >= FAA_TYPE_F16 && bytes != operand->bytes)
		return true;
	return destination && (operand->shift || operand->step);
}

static struct fault decode_stream(struct operand *operand, const uint64_t *words, bool destination)
{
	if (words[1] & FAA_STREAM_RESERVED)
		return decode_fault(FAA_ERROR_RESERVED_BITS, words[1]);
	operand->value = words[0];
	operand->stride = (int32_t)FAA_GET(STREAM_STRIDE, words[1]);
	operand->item_type = FAA_GET(STREAM_TYPE, words[1]);
	operand->shift = FAA_GET(STREAM_SHIFT, words[1]);
	operand->step = words[2];
	if (decode_stream_illegal(operand, destination))
		return decode_fault(FAA_ERROR_ILLEGAL_OPERAND, words[1]);
	return decode_none;
}

/* k and l: the words of the operands. */
static struct fault decode_operands(struct command *command)
{
	const uint64_t *words = &command->words[3];
	unsigned int length = 3;
	struct fault f;

	for (enum slot slot = SLOT_A; slot < SLOTS; slot++)
		length += decode_operand_words(command->operands[slot].kind);
	if (length != command->length)
		return decode_fault(FAA_ERROR_BAD_LENGTH, command->words[0]);
	for (enum slot slot = SLOT_A; slot < SLOTS; slot++) {
		struct operand *operand = &command->operands[slot];

		if (operand->kind == FAA_KIND_STREAM) {
			f = decode_stream(operand, words, slot == SLOT_D);
			if (f.code)
				return f;
		} else if (operand->kind == FAA_KIND_AFFINE) {
			operand->value = words[0];
			operand->step = words[1];
		} else if (operand->kind == FAA_KIND_IMM) {
			operand->value = words[0];
		}
		words += decode_operand_words(operand->kind);
	}
	return decode_none;
}

/* m: the offset, and its sign extension. */
static struct fault decode_offset(struct command *command)
{
	const struct operand *a = &command->operands[SLOT_A];
	uint64_t offset = FAA_GET(REGS_OFFSET, command->words[2]);
	bool absolute = a->kind == FAA_KIND_NONE || (a->kind == FAA_KIND_REG && a->reg == FAA_RZ);

	/* SUATOM has its handle in these bits. */
	command->offset = 0;
	if (command->info->surface)
		return decode_none;
	if (offset % command->info->offset_align)
		return decode_fault(FAA_ERROR_BAD_OFFSET, offset);
	command->offset = offset;
	if (!absolute && (offset >> 23))
		command->offset |= ~0xffffffULL;
	return decode_none;
}

static struct fault decode_vector(const struct warp_slot *ws, struct command *command)
{
	struct fault f;

	f = decode_shape(ws, command);
	if (!f.code)
		f = decode_operands(command);
	if (!f.code)
		f = decode_offset(command);
	return f;
}

/* h: of the control commands, only JUMP and CONFIG have reserved bits in their words. */
static struct fault decode_control(const struct command *command)
{
	if (command->opcode == FAA_OPCODE_JUMP && (command->words[1] & FAA_JUMP_RESERVED))
		return decode_fault(FAA_ERROR_RESERVED_BITS, command->words[1]);
	return command->opcode == FAA_OPCODE_CONFIG ? config_check(command) : decode_none;
}

/* Fetches and decodes the command at the stream's pc. A fault has element 0, lane 0. */
struct fault decode_command(struct warp_slot *ws)
{
	struct command *command = &ws->stream.command;
	struct fault f;

	f = decode_fetch_command(ws);
	if (!f.code)
		f = decode_header(ws);
	if (!f.code)
		f = command->info->vector ? decode_vector(ws, command) : decode_control(command);
	if (f.code)
		return f;
	/* n */
	if (ws->stream.first_element &&
	    (!command->info->vector || ws->stream.first_element >= command->count))
		return decode_fault(FAA_ERROR_BAD_DESCRIPTOR,
				    offsetof(struct faa_job_desc, first_element));
	return decode_none;
}
