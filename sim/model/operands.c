// SPDX-License-Identifier: Apache-2.0
/* Operands of vector commands: commands.rst, "Vector commands". */
#include <endian.h>

#include "faa_tables.h"

#include "model.h"

static const uint8_t operands_bytes_of_type[] = {
	[FAA_TYPE_U8] = 1,    [FAA_TYPE_U16] = 2,    [FAA_TYPE_U32] = 4,  [FAA_TYPE_U64] = 8,
	[FAA_TYPE_S8] = 1,    [FAA_TYPE_S16] = 2,    [FAA_TYPE_S32] = 4,  [FAA_TYPE_S64] = 8,
	[FAA_TYPE_F16] = 2,   [FAA_TYPE_BF16] = 2,   [FAA_TYPE_F32] = 4,  [FAA_TYPE_F64] = 8,
	[FAA_TYPE_F16X2] = 4, [FAA_TYPE_BF16X2] = 4, [FAA_TYPE_SD32] = 4, [FAA_TYPE_SD64] = 8,
};

/* Bytes of an item of a type; 0: no type. */
unsigned int type_bytes(unsigned int type)
{
	return type < sizeof(operands_bytes_of_type) ? operands_bytes_of_type[type] : 0;
}

/* Extends the low bytes of @value, by width and sign of @type. */
uint64_t type_extend(unsigned int type, uint64_t value)
{
	switch (type) {
	case FAA_TYPE_S8:
		return (uint64_t)(int8_t)value;
	case FAA_TYPE_S16:
		return (uint64_t)(int16_t)value;
	case FAA_TYPE_S32:
		return (uint64_t)(int32_t)value;
	}
	switch (type_bytes(type)) {
	case 1:
		return (uint8_t)value;
	case 2:
		return (uint16_t)value;
	case 4:
		return (uint32_t)value;
	}
	return value;
}

static uint32_t operands_register_read(const struct warp_slot *ws, unsigned int reg,
				       unsigned int lane)
{
	return reg < FAA_REGISTERS ? ws->registers[reg][lane] : 0;
}

static void operands_register_write(struct warp_slot *ws, unsigned int reg, unsigned int lane,
				    uint32_t value)
{
	if (reg < FAA_REGISTERS)
		ws->registers[reg][lane] = value;
}

/* Registers of SUATOM other than its operands: handle and third coordinate. */
static void operands_capture_surface(struct warp_slot *ws)
{
	struct command *command = &ws->stream.command;
	struct surface_operation *surface = &command->surface;

	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		surface->third[lane] =
			operands_register_read(ws, command->operands[SLOT_A].reg + 2, lane);
		if (surface->handle_kind == FAA_HANDLE_KIND_REG)
			surface->handles[lane] = operands_register_read(ws, surface->handle, lane);
	}
}

/*
 * Reads the register operands when a command begins: all its warps use these values, even if an
 * earlier one writes the register.
 */
void operands_capture(struct warp_slot *ws)
{
	for (enum slot slot = SLOT_A; slot <= SLOT_C; slot++) {
		struct operand *operand = &ws->stream.command.operands[slot];

		for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
			operand->lanes[lane] = operands_register_read(ws, operand->reg, lane);
			if (operand->bytes == 8)
				operand->lanes[lane] |=
					(uint64_t)operands_register_read(ws, operand->reg + 1, lane)
					<< 32;
		}
	}
	if (ws->stream.command.info->surface)
		operands_capture_surface(ws);
}

/* Checks and translates the items of the active lanes. */
static struct fault operands_stream_check(struct warp_slot *ws, const struct operand *operand,
					  uint64_t first, uint32_t lanes, enum use use,
					  struct place places[FAA_LANES])
{
	struct fault f = { .code = FAA_ERROR_SUCCESS };
	uint64_t va;

	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		va = operand->value + (first + lane) * (uint64_t)(int64_t)operand->stride;
		f = mmu_translate(ws->cu, va, type_bytes(operand->item_type), use, &places[lane]);
		if (f.code) {
			f.lane = lane;
			break;
		}
	}
	return f;
}

static struct fault operands_stream_read(struct warp_slot *ws, const struct operand *operand,
					 uint64_t first, uint32_t lanes, uint64_t values[FAA_LANES])
{
	struct place places[FAA_LANES];
	struct fault f;
	uint64_t item;

	f = operands_stream_check(ws, operand, first, lanes, USE_READ, places);
	for (unsigned int lane = 0; lane < FAA_LANES && !f.code; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		item = 0;
		f = mmu_read(ws->cu, places[lane], &item, type_bytes(operand->item_type));
		f.lane = lane;
		item = type_extend(operand->item_type, le64toh(item));
		values[lane] = operand->step + (item << operand->shift);
	}
	return f;
}

/*
 * Values of a warp's active lanes, truncated to the operand's width. @first is the element of lane
 * 0. Absent operands are 0.
 */
struct fault operand_read(struct warp_slot *ws, const struct operand *operand, uint64_t first,
			  uint32_t lanes, uint64_t values[FAA_LANES])
{
	struct fault f = { .code = FAA_ERROR_SUCCESS };

	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		switch (operand->kind) {
		case FAA_KIND_REG:
			values[lane] = operand->lanes[lane];
			break;
		case FAA_KIND_IMM:
			values[lane] = operand->value;
			break;
		case FAA_KIND_AFFINE:
			values[lane] = operand->value + (first + lane) * operand->step;
			break;
		default:
			values[lane] = 0;
		}
	}
	if (operand->kind == FAA_KIND_STREAM)
		f = operands_stream_read(ws, operand, first, lanes, values);
	if (operand->bytes == 4)
		for (unsigned int lane = 0; lane < FAA_LANES; lane++)
			values[lane] = (uint32_t)values[lane];
	return f;
}

/* Checks and translates the destinations of a warp's results. */
struct fault result_check(struct warp_slot *ws, const struct operand *operand, uint64_t first,
			  uint32_t lanes, struct place places[FAA_LANES])
{
	struct fault f = { .code = FAA_ERROR_SUCCESS };

	if (operand->kind == FAA_KIND_STREAM)
		f = operands_stream_check(ws, operand, first, lanes, USE_WRITE, places);
	return f;
}

/* Writes the results of a warp's active lanes in lane order. */
struct fault result_write(struct warp_slot *ws, const struct operand *operand, uint32_t lanes,
			  const struct place places[FAA_LANES], const uint64_t values[FAA_LANES])
{
	struct fault f = { .code = FAA_ERROR_SUCCESS };
	uint64_t item;

	for (unsigned int lane = 0; lane < FAA_LANES && !f.code; lane++) {
		if (!(lanes >> lane & 1))
			continue;
		if (operand->kind == FAA_KIND_REG) {
			operands_register_write(ws, operand->reg, lane, (uint32_t)values[lane]);
			if (operand->bytes == 8)
				operands_register_write(ws, operand->reg + 1, lane,
							values[lane] >> 32);
		} else if (operand->kind == FAA_KIND_STREAM) {
			item = htole64(values[lane]);
			f = mmu_write(ws->cu, places[lane], &item, type_bytes(operand->item_type));
			f.lane = lane;
		}
	}
	return f;
}
