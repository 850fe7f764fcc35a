// SPDX-License-Identifier: MIT
#include "decode.h"

#include <stdbool.h>
#include <string.h>

#define MAX_COUNT (1ull << 32)

unsigned int faa_type_bits(unsigned int type)
{
	static const unsigned char bits[] = {
		[FAA_TYPE_U8] = 8,     [FAA_TYPE_U16] = 16,    [FAA_TYPE_U32] = 32,
		[FAA_TYPE_U64] = 64,   [FAA_TYPE_S8] = 8,      [FAA_TYPE_S16] = 16,
		[FAA_TYPE_S32] = 32,   [FAA_TYPE_S64] = 64,    [FAA_TYPE_F16] = 16,
		[FAA_TYPE_BF16] = 16,  [FAA_TYPE_F32] = 32,    [FAA_TYPE_F64] = 64,
		[FAA_TYPE_F16X2] = 32, [FAA_TYPE_BF16X2] = 32, [FAA_TYPE_SD32] = 32,
		[FAA_TYPE_SD64] = 64,
	};

	return type < sizeof(bits) ? bits[type] : 0;
}

int faa_type_is_float(unsigned int type)
{
	return type > FAA_TYPE_S64 && type <= FAA_TYPE_BF16X2;
}

int faa_stream_type_ok(unsigned int type, unsigned int bits)
{
	unsigned int item = faa_type_bits(type);

	return item && type < FAA_TYPE_SD32 &&
	       (faa_type_is_float(type) ? item == bits : item <= bits);
}

/* Whether header.mod is a mask of floating-point modes. */
static bool decode_has_modes(unsigned int opcode)
{
	return opcode == FAA_OPCODE_ATOMS || opcode == FAA_OPCODE_ATOM ||
	       opcode == FAA_OPCODE_SUATOM || opcode == FAA_OPCODE_ALU;
}

unsigned int faa_modes_allowed(unsigned int opcode, unsigned int op, unsigned int type)
{
	if (!decode_has_modes(opcode) || !faa_type_is_float(type))
		return 0;
	if ((opcode == FAA_OPCODE_ATOMS && op == FAA_ATOMS_OP_ADD) ||
	    (opcode == FAA_OPCODE_ATOM && op == FAA_ATOM_OP_ADD) ||
	    (opcode == FAA_OPCODE_SUATOM && op == FAA_ATOM_OP_ADD))
		return FAA_FLOAT_MODE_FTZ | FAA_FLOAT_MODE_RELAXED;
	return FAA_FLOAT_MODE_FTZ;
}

unsigned int faa_coordinates(unsigned int dim)
{
	static const unsigned char coordinates[] = {
		[FAA_DIM_D1] = 1, [FAA_DIM_D1_BUFFER] = 1, [FAA_DIM_D1_ARRAY] = 2,
		[FAA_DIM_D2] = 2, [FAA_DIM_D2_ARRAY] = 3,  [FAA_DIM_D3] = 3,
	};

	return dim < sizeof(coordinates) ? coordinates[dim] : 0;
}

int faa_coordinates_in_registers(const struct faa_place *place)
{
	return faa_coordinates(place->dim) == 3 && !place->packed;
}

unsigned int faa_operand_bits(const struct faa_vector *vector, unsigned int slot)
{
	const struct faa_command_info *info = &faa_commands[vector->opcode];
	const struct faa_place *place = &vector->place;

	if (slot == 0 && info->address == FAA_ADDRESS_GLOBAL)
		return 64;
	if (slot == 0 && info->address == FAA_ADDRESS_SHARED)
		return 32;
	if (slot == 0 && info->surface)
		return faa_coordinates(place->dim) > (place->packed ? 2u : 1u) ? 64 : 32;
	return faa_type_bits(vector->type) == 64 ? 64 : 32;
}

const struct faa_operand *faa_vector_operand(const struct faa_vector *vector, unsigned int slot)
{
	const struct faa_operand *operands[] = { &vector->a, &vector->b, &vector->c, &vector->d };

	return operands[slot];
}

unsigned int faa_kinds_allowed(const struct faa_command_info *info, unsigned int op,
			       unsigned int slot)
{
	const unsigned int none = 1u << FAA_KIND_NONE;

	if (slot == 2 && info->c_ops && !(info->c_ops & (1u << op)))
		return none;
	if (slot == 1 && info->b_ops_absent & (1u << op))
		return none;
	return info->kinds[slot];
}

static int decode_fail(struct faa_decoded *out, uint32_t error, const char *why)
{
	out->error = error;
	out->why = why;
	return -1;
}

static int decode_check_length(struct faa_decoded *out, unsigned int length, size_t count)
{
	const struct faa_command_info *info = out->info;

	if (info->vector ? length < 3 || length > FAA_MAX_COMMAND_WORDS : length != info->words)
		return decode_fail(out, FAA_ERROR_BAD_LENGTH, "length impossible for this command");
	if (length > count)
		return decode_fail(out, FAA_ERROR_TRUNCATED,
				   "command goes beyond the end of the stream");
	out->words = length;
	return 0;
}

static int decode_check_operation(struct faa_decoded *out)
{
	const struct faa_command_info *info = out->info;
	const struct faa_vector *v = &out->vector;
	bool modes = decode_has_modes(v->opcode);

	if (v->op >= info->op_count || !(info->types[v->op] & (1u << v->type)) ||
	    (!modes && v->mod > info->mod_max))
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERATION,
				   "operation, type or modifier not in the command's table");
	if (modes && v->mod & ~faa_modes_allowed(v->opcode, v->op, v->type))
		return decode_fail(
			out, FAA_ERROR_ILLEGAL_OPERATION,
			"floating-point mode that this operation on this type does not have");
	return 0;
}

static int decode_check_header(struct faa_decoded *out, uint64_t header)
{
	const struct faa_command_info *info = out->info;
	const struct faa_vector *v = &out->vector;
	const struct faa_issue *issue = &out->issue;

	if (header & FAA_HEADER_RESERVED)
		return decode_fail(out, FAA_ERROR_RESERVED_BITS, "reserved bits of the header set");
	if ((!info->op_names && v->op) || (!info->vector && v->type) || (!info->mod_max && v->mod))
		return decode_fail(out, FAA_ERROR_RESERVED_BITS,
				   "header field set that the command does not use");
	if (!info->guarded && (issue->guard != FAA_PT || issue->guard_negate))
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
				   "guard on a command that cannot have one");
	if (issue->read_barrier == FAA_BARRIERS || issue->write_barrier == FAA_BARRIERS)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND, "barrier 6 does not exist");
	if (!info->vector &&
	    (issue->read_barrier != FAA_NO_BARRIER || issue->write_barrier != FAA_NO_BARRIER))
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
				   "control command with a read or write barrier");
	return decode_check_operation(out);
}

/* Checks the fields of coordinates and surface, in the order of the device. */
static int decode_check_place(struct faa_decoded *out)
{
	const struct faa_place *place = &out->vector.place;

	if (place->dim > FAA_DIM_D3)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERATION,
				   "dimension that does not exist");
	if (place->clamp > FAA_CLAMP_TRAP)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERATION, "clamp 3 does not exist");
	if (place->packed && faa_coordinates(place->dim) == 1)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERATION,
				   "PACKED with a single coordinate");
	if (place->handle_kind > FAA_HANDLE_KIND_INDEX)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERATION,
				   "handle kind 3 does not exist");
	return 0;
}

/* Checks the registers of coordinates and handle. */
static int decode_check_place_registers(struct faa_decoded *out)
{
	const struct faa_place *place = &out->vector.place;
	const struct faa_operand *a = &out->vector.a;

	if (a->kind == FAA_KIND_REG && a->reg == FAA_RZ)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND, "RZ for coordinates");
	if (faa_coordinates_in_registers(place) && a->reg % 4)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
				   "register of three coordinates that is no multiple of 4");
	if (place->handle_kind == FAA_HANDLE_KIND_REG && place->handle >= FAA_RZ)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
				   "handle in a register that does not exist or is RZ");
	if (place->handle_kind == FAA_HANDLE_KIND_BANK && place->handle >= FAA_CONSTANT_WORDS)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
				   "handle in a constant word beyond the last that can be named");
	return 0;
}

static int decode_check_registers(struct faa_decoded *out, uint64_t regs)
{
	const struct faa_vector *v = &out->vector;
	unsigned int slot;

	for (slot = 0; slot < 4; slot++) {
		const struct faa_operand *o = faa_vector_operand(v, slot);
		unsigned int reg = (regs >> (8 * slot)) & 0xff;

		if (o->kind != FAA_KIND_REG && reg)
			return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
					   "register field of an operand that is no register");
		if (o->kind == FAA_KIND_REG && (reg & 1) && reg != FAA_RZ &&
		    faa_operand_bits(v, slot) == 64)
			return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
					   "odd register for a 64-bit operand");
	}
	if (out->info->surface && decode_check_place_registers(out))
		return -1;
	if (v->count > FAA_LANES && v->opcode == FAA_OPCODE_SETP)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
				   "SETP with more than 32 elements");
	return 0;
}

/* Checks the bits of the second and the third word that are reserved in commands of this kind. */
static int decode_check_reserved(struct faa_decoded *out, const uint64_t *words)
{
	const struct faa_command_info *info = out->info;
	uint64_t second = info->surface ? FAA_PLACE_RESERVED :
			  info->strong	? FAA_STRONG_RESERVED :
			  info->access	? FAA_ACCESS_RESERVED :
					  FAA_SHAPE_RESERVED;
	uint64_t third = info->surface ? FAA_SURFACE_RESERVED : FAA_REGS_RESERVED;

	/* A weak access has neither scope nor order. */
	if (info->strong && !out->vector.strong)
		second |= FAA_ACCESS_SCOPE_MASK | FAA_ACCESS_ORDER_MASK;
	if (!info->surface && info->address == FAA_ADDRESS_NONE)
		third |= FAA_REGS_OFFSET_MASK;
	if (words[1] & second)
		return decode_fail(out, FAA_ERROR_RESERVED_BITS,
				   "reserved bits of the second word set");
	if (words[2] & third)
		return decode_fail(out, FAA_ERROR_RESERVED_BITS,
				   "reserved bits of the third word set");
	return 0;
}

static int decode_check_shape(struct faa_decoded *out, const uint64_t *words)
{
	const struct faa_vector *v = &out->vector;
	unsigned int slot, length = 3;

	if (decode_check_reserved(out, words))
		return -1;
	if (v->scope > FAA_SCOPE_SYS)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERATION, "scope 3 does not exist");
	if (out->info->access && !(out->info->orders >> v->order & 1))
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERATION,
				   "order that the command does not have");
	if (out->info->surface && decode_check_place(out))
		return -1;
	for (slot = 0; slot < 4; slot++) {
		unsigned int kind = faa_vector_operand(v, slot)->kind;

		if (!(faa_kinds_allowed(out->info, v->op, slot) & (1u << kind)))
			return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
					   "operand kind not allowed here");
		length += faa_operand_words(kind);
	}
	if (out->info->surface && faa_coordinates_in_registers(&v->place) &&
	    v->a.kind != FAA_KIND_REG)
		return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
				   "three coordinates that are not packed must be in registers");
	if (decode_check_registers(out, words[2]))
		return -1;
	if (v->count < 1 || v->count > MAX_COUNT)
		return decode_fail(out, FAA_ERROR_BAD_COUNT, NULL);
	if (length != out->words)
		return decode_fail(out, FAA_ERROR_BAD_LENGTH, "length is not that of the operands");
	return 0;
}

static int decode_check_stream_operands(struct faa_decoded *out, const uint64_t *words)
{
	const struct faa_vector *v = &out->vector;
	unsigned int slot, at = 3;

	for (slot = 0; slot < 4; slot++) {
		const struct faa_operand *o = faa_vector_operand(v, slot);

		if (o->kind == FAA_KIND_STREAM) {
			if (words[at + 1] & FAA_STREAM_RESERVED)
				return decode_fail(out, FAA_ERROR_RESERVED_BITS,
						   "reserved bits of a stream operand set");
			if (!faa_stream_type_ok(o->type, faa_operand_bits(v, slot)))
				return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
						   "item type does not fit the operand");
			if (slot == 3 && (o->shift || o->step))
				return decode_fail(out, FAA_ERROR_ILLEGAL_OPERAND,
						   "destination with a shift or a base");
		}
		at += faa_operand_words(o->kind);
	}
	if ((uint32_t)v->offset % out->info->offset_align)
		return decode_fail(out, FAA_ERROR_BAD_OFFSET, NULL);
	return 0;
}

/* Checks the words of CONFIG; its address is checked when it is executed. */
static int decode_check_config(struct faa_decoded *out)
{
	static const uint64_t values[] = {
		[FAA_CONFIG_HEADER_POOL] = (1ull << FAA_HEADER_INDEX_BITS) - 1,
		[FAA_CONFIG_CONSTANT_BANK] = FAA_BANK_BYTES_MAX,
		[FAA_CONFIG_HELPER_LANES] = UINT32_MAX,
	};

	if (out->vector.op == FAA_CONFIG_HELPER_LANES && out->control[0])
		return decode_fail(out, FAA_ERROR_RESERVED_BITS, "helper lanes have no address");
	if (out->control[1] & ~values[out->vector.op])
		return decode_fail(out, FAA_ERROR_RESERVED_BITS,
				   "bits of the value set that this configuration does not have");
	return 0;
}

/* Takes the operand words that exist; a malformed command may declare more than it has. */
static void decode_take_operands(struct faa_decoded *out, const uint64_t *words)
{
	struct faa_operand *operands[] = { &out->vector.a, &out->vector.b, &out->vector.c,
					   &out->vector.d };
	unsigned int slot, at = 3;

	for (slot = 0; slot < 4; slot++) {
		struct faa_operand *o = operands[slot];
		unsigned int n;

		o->kind = (words[1] >> (FAA_SHAPE_KIND_A_SHIFT + 3 * slot)) & 7;
		o->reg = o->kind == FAA_KIND_REG ? (words[2] >> (8 * slot)) & 0xff : 0;
		n = faa_operand_words(o->kind);
		if (at + n > out->words)
			continue;
		if (o->kind == FAA_KIND_IMM || o->kind == FAA_KIND_AFFINE ||
		    o->kind == FAA_KIND_STREAM)
			o->value = words[at];
		if (o->kind == FAA_KIND_AFFINE)
			o->step = words[at + 1];
		if (o->kind == FAA_KIND_STREAM) {
			o->stride = (int32_t)(uint32_t)FAA_GET(STREAM_STRIDE, words[at + 1]);
			o->type = FAA_GET(STREAM_TYPE, words[at + 1]);
			o->shift = FAA_GET(STREAM_SHIFT, words[at + 1]);
			o->step = words[at + 2];
		}
		at += n;
	}
}

static void decode_take_place(struct faa_place *place, const uint64_t *words)
{
	place->dim = FAA_GET(PLACE_DIM, words[1]);
	place->clamp = FAA_GET(PLACE_CLAMP, words[1]);
	place->ba = FAA_GET(PLACE_BA, words[1]);
	place->packed = FAA_GET(PLACE_PACKED, words[1]);
	place->handle = FAA_GET(SURFACE_HANDLE, words[2]);
	place->handle_kind = FAA_GET(SURFACE_HANDLE_KIND, words[2]);
	place->ps = FAA_GET(SURFACE_PS, words[2]);
}

static void decode_take_vector(struct faa_decoded *out, const uint64_t *words)
{
	struct faa_vector *v = &out->vector;
	uint32_t offset = FAA_GET(REGS_OFFSET, words[2]);

	decode_take_operands(out, words);
	v->count = FAA_GET(SHAPE_COUNT, words[1]);
	if (out->info->access) {
		v->scope = FAA_GET(ACCESS_SCOPE, words[1]);
		v->order = FAA_GET(ACCESS_ORDER, words[1]);
	}
	if (out->info->strong)
		v->strong = FAA_GET(STRONG_STRONG, words[1]);
	if (out->info->surface) {
		decode_take_place(&v->place, words);
		return;
	}
	if (v->a.kind != FAA_KIND_NONE && !(v->a.kind == FAA_KIND_REG && v->a.reg == FAA_RZ) &&
	    offset >> 23)
		offset |= 0xff000000u;
	v->offset = (int32_t)offset;
}

static void decode_take_header(struct faa_decoded *out, uint64_t header)
{
	out->issue.guard = FAA_GET(HEADER_GUARD, header);
	out->issue.guard_negate = FAA_GET(HEADER_GUARD_NEGATE, header);
	out->issue.wait_mask = FAA_GET(HEADER_WAIT_MASK, header);
	out->issue.read_barrier = FAA_GET(HEADER_READ_BARRIER, header);
	out->issue.write_barrier = FAA_GET(HEADER_WRITE_BARRIER, header);
	out->vector.opcode = FAA_GET(HEADER_OPCODE, header);
	out->vector.op = FAA_GET(HEADER_OP, header);
	out->vector.type = FAA_GET(HEADER_TYPE, header);
	out->vector.mod = FAA_GET(HEADER_MOD, header);
}

void faa_decode(const uint64_t *words, size_t count, struct faa_decoded *out)
{
	memset(out, 0, sizeof(*out));
	out->words = 1;
	decode_take_header(out, words[0]);
	if (!faa_commands[out->vector.opcode].name) {
		decode_fail(out, FAA_ERROR_ILLEGAL_COMMAND, NULL);
		return;
	}
	out->info = &faa_commands[out->vector.opcode];
	if (decode_check_length(out, FAA_GET(HEADER_LENGTH, words[0]), count))
		return;
	if (out->info->vector)
		decode_take_vector(out, words);
	else
		memcpy(out->control, words + 1, (out->words - 1) * sizeof(*words));
	if (decode_check_header(out, words[0]))
		return;
	if (out->info->vector) {
		if (!decode_check_shape(out, words))
			decode_check_stream_operands(out, words);
	} else if (out->vector.opcode == FAA_OPCODE_JUMP && words[1] & FAA_JUMP_RESERVED) {
		decode_fail(out, FAA_ERROR_RESERVED_BITS, "reserved bits of the jump word set");
	} else if (out->vector.opcode == FAA_OPCODE_CONFIG) {
		decode_check_config(out);
	}
}
