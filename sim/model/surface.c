// SPDX-License-Identifier: Apache-2.0
/* SUATOM's step between the operands of a warp and its access, and CONFIG: surfaces.rst. */
#include <endian.h>

#include "model.h"

/* enum axis - meaning of a coordinate */
enum axis { AXIS_X, AXIS_Y, AXIS_Z, AXIS_LAYER, AXES };

/* struct point - the coordinates of a lane */
struct point {
	unsigned int count;
	enum axis axes[3];
	int64_t values[3];
};

/* struct warp_signs - signedness of the surfaces of a warp, for SD types */
struct warp_signs {
	bool known;
	bool sint;
};

static const struct fault surface_none = { .code = FAA_ERROR_SUCCESS };

static struct fault surface_fault(uint32_t code, uint64_t address)
{
	struct fault f = { .code = code, .address = address };

	return f;
}

/* Number of coordinates of a dimension. */
unsigned int surface_coordinates(unsigned int dim)
{
	switch (dim) {
	case FAA_DIM_D1:
	case FAA_DIM_D1_BUFFER:
		return 1;
	case FAA_DIM_D1_ARRAY:
	case FAA_DIM_D2:
		return 2;
	}
	return 3;
}

/* Bits of the words of CONFIG that are not reserved; those of *address are all or none. */
static uint64_t surface_config_masks(unsigned int op, uint64_t *address)
{
	*address = op == FAA_CONFIG_HELPER_LANES ? 0 : ~0ULL;
	switch (op) {
	case FAA_CONFIG_HEADER_POOL:
		return (1ULL << FAA_HEADER_INDEX_BITS) - 1;
	case FAA_CONFIG_CONSTANT_BANK:
		return 0xfffc;
	}
	return 0xffffffff;
}

/* Checks the reserved bits of CONFIG's words, in order. */
struct fault config_check(const struct command *command)
{
	uint64_t address, value = surface_config_masks(command->op, &address);

	if (command->words[1] & ~address)
		return surface_fault(FAA_ERROR_RESERVED_BITS, command->words[1]);
	if (command->words[2] & ~value)
		return surface_fault(FAA_ERROR_RESERVED_BITS, command->words[2]);
	return surface_none;
}

/* Executes CONFIG. */
struct fault config_execute(struct warp_slot *ws)
{
	const struct command *command = &ws->stream.command;
	uint64_t address = command->words[1];
	uint32_t value = (uint32_t)command->words[2];
	unsigned int align = command->op == FAA_CONFIG_HEADER_POOL ? FAA_TEXTURE_HEADER_BYTES : 4;

	if (address % align)
		return surface_fault(FAA_ERROR_MISALIGNED, address);
	if (address >> FAA_VA_BITS)
		return surface_fault(FAA_ERROR_NON_CANONICAL, address);
	switch (command->op) {
	case FAA_CONFIG_HEADER_POOL:
		ws->config.pool = address;
		ws->config.headers = value + 1;
		break;
	case FAA_CONFIG_CONSTANT_BANK:
		ws->config.bank = address;
		ws->config.bank_bytes = value;
		break;
	default:
		ws->config.helpers = value;
	}
	return surface_none;
}

/* Reads the 32-bit handle of a lane. */
static struct fault surface_read_handle(struct warp_slot *ws, unsigned int lane, uint32_t *handle)
{
	const struct surface_operation *surface = &ws->stream.command.surface;
	uint64_t offset = 4ULL * surface->handle;
	struct place place;
	struct fault f;

	switch (surface->handle_kind) {
	case FAA_HANDLE_KIND_REG:
		*handle = surface->handles[lane];
		return surface_none;
	case FAA_HANDLE_KIND_INDEX:
		*handle = surface->handle;
		return surface_none;
	}
	if (offset >= ws->config.bank_bytes)
		return surface_fault(FAA_ERROR_BANK_RANGE, offset);
	f = mmu_translate(ws->cu, ws->config.bank + offset, sizeof(*handle), USE_READ, &place);
	if (!f.code)
		f = mmu_read(ws->cu, place, handle, sizeof(*handle));
	*handle = le32toh(*handle);
	return f;
}

/*
 * Reads and checks header @index, which is within the pool; without a fault *state is good or
 * disabled.
 */
static struct fault surface_read_texture(struct warp_slot *ws, uint32_t index,
					 struct warp_signs *signs, struct texture *texture,
					 enum texture_state *state)
{
	const struct command *command = &ws->stream.command;
	bool signs_matter = command->type == FAA_TYPE_SD32 || command->type == FAA_TYPE_SD64;
	uint64_t va = ws->config.pool + (uint64_t)index * FAA_TEXTURE_HEADER_BYTES;
	uint64_t header[TEXTURE_WORDS];
	struct place place;
	struct fault f;

	f = mmu_translate(ws->cu, va, FAA_TEXTURE_HEADER_BYTES, USE_READ, &place);
	if (!f.code)
		f = mmu_read(ws->cu, place, header, sizeof(header));
	if (f.code)
		return f;
	ws->cu->counters[FAA_COUNTER_HEADERS]++;
	for (unsigned int i = 0; i < TEXTURE_WORDS; i++)
		header[i] = le64toh(header[i]);
	*state = texture_read(header, command->surface.dim, texture);
	if (*state == TEXTURE_DISABLED)
		return surface_none;
	if (*state == TEXTURE_BAD || (signs_matter && signs->known && signs->sint != texture->sint))
		return surface_fault(FAA_ERROR_BAD_HEADER, va);
	signs->known = true;
	signs->sint = texture->sint;
	return surface_none;
}

/* The axes of a dimension, in the order of coordinates. */
static void surface_set_axes(struct point *point, unsigned int dim)
{
	bool layers = dim == FAA_DIM_D1_ARRAY || dim == FAA_DIM_D2_ARRAY;

	point->count = surface_coordinates(dim);
	point->axes[0] = AXIS_X;
	point->axes[1] = AXIS_Y;
	point->axes[2] = AXIS_Z;
	if (layers)
		point->axes[point->count - 1] = AXIS_LAYER;
}

/* The coordinates in operand a, @item, and in the register after it, @third. */
static struct point surface_point_of(const struct surface_operation *surface, uint64_t item,
				     uint32_t third)
{
	bool x_unsigned = surface->dim == FAA_DIM_D1_BUFFER && surface->clamp != FAA_CLAMP_NEAR;
	uint32_t words[3] = { (uint32_t)item, item >> 32, third };
	struct point point;

	surface_set_axes(&point, surface->dim);
	for (unsigned int i = 0; i < point.count; i++) {
		uint32_t word = words[i];

		if (surface->packed)
			word = (uint32_t)(int16_t)(item >> 16 * i);
		if (point.axes[i] == AXIS_LAYER)
			point.values[i] = (uint16_t)word;
		else if (point.axes[i] == AXIS_X && x_unsigned)
			point.values[i] = word;
		else
			point.values[i] = (int32_t)word;
	}
	return point;
}

/* The largest coordinate of each axis; negative if there is none. */
static void surface_greatest(const struct command *command, const struct texture *texture,
			     int64_t limits[AXES])
{
	uint64_t size[3], item = type_bytes(command->type);
	int64_t row;

	texture_size(texture, size);
	row = (int64_t)(size[0] * texture->texel_bytes / item);
	limits[AXIS_X] = command->surface.ba ? (row - 1) * (int64_t)item : row - 1;
	limits[AXIS_Y] = (int64_t)size[1] - 1;
	limits[AXIS_Z] = (int64_t)size[2] - 1;
	limits[AXIS_LAYER] = (int64_t)texture->layers - 1;
}

/* Clamps the point if the clamp mode moves it. *null: the lane has no item. */
static struct fault surface_clamp(const struct command *command, const struct texture *texture,
				  uint32_t index, struct point *point, bool *null)
{
	int64_t limits[AXES];

	surface_greatest(command, texture, limits);
	for (unsigned int i = 0; i < point->count; i++) {
		int64_t value = point->values[i], limit = limits[point->axes[i]];

		if (value >= 0 && value <= limit)
			continue;
		if (command->surface.clamp == FAA_CLAMP_TRAP)
			return surface_fault(FAA_ERROR_TRAP, (uint64_t)i << 52 |
								     (uint64_t)index << 32 |
								     (uint32_t)value);
		if (command->surface.clamp == FAA_CLAMP_IGN || limit < 0)
			*null = true;
		point->values[i] = value < 0 ? 0 : limit;
	}
	return surface_none;
}

static uint64_t surface_address_of(const struct command *command, const struct texture *texture,
				   const struct point *point)
{
	uint64_t at[AXES] = { 0 };

	for (unsigned int i = 0; i < point->count; i++)
		at[point->axes[i]] = (uint64_t)point->values[i];
	if (!command->surface.ba)
		at[AXIS_X] *= type_bytes(command->type);
	return texture_address(texture, at[AXIS_X], at[AXIS_Y], at[AXIS_Z], at[AXIS_LAYER]);
}

/* The address of a lane's item, or *null. */
static struct fault surface_locate_lane(struct warp_slot *ws, unsigned int lane, uint64_t item,
					struct warp_signs *signs, uint64_t *address, bool *null)
{
	const struct command *command = &ws->stream.command;
	enum texture_state state = TEXTURE_DISABLED;
	struct texture texture;
	struct point point;
	uint32_t index;
	struct fault f;

	f = surface_read_handle(ws, lane, &index);
	if (f.code)
		return f;
	index &= (1u << FAA_HEADER_INDEX_BITS) - 1;
	if (index < ws->config.headers)
		f = surface_read_texture(ws, index, signs, &texture, &state);
	*null = state == TEXTURE_DISABLED;
	if (f.code || *null)
		return f;
	point = surface_point_of(&command->surface, item, command->surface.third[lane]);
	f = surface_clamp(command, &texture, index, &point, null);
	if (!f.code && !*null)
		*address = surface_address_of(command, &texture, &point);
	return f;
}

/*
 * Finds the items of a warp's active lanes from the values @a of operand a: sets addresses and
 * nulls of *access. Selects the type for an SD type in this warp.
 */
struct fault surface_locate(struct warp_slot *ws, struct access *access,
			    const uint64_t a[FAA_LANES])
{
	struct command *command = &ws->stream.command;
	struct warp_signs signs = { .known = false };

	access->nulls = 0;
	for (unsigned int lane = 0; lane < FAA_LANES; lane++) {
		bool null = false;
		struct fault f;

		if (!(access->lanes >> lane & 1))
			continue;
		f = surface_locate_lane(ws, lane, a[lane], &signs, &access->addresses[lane], &null);
		if (f.code) {
			f.lane = lane;
			return f;
		}
		access->nulls |= (uint32_t)null << lane;
	}
	if (command->type == FAA_TYPE_SD32)
		command->value_type = signs.sint ? FAA_TYPE_S32 : FAA_TYPE_U32;
	else if (command->type == FAA_TYPE_SD64)
		command->value_type = signs.sint ? FAA_TYPE_S64 : FAA_TYPE_U64;
	return surface_none;
}

/* Sets Ps after a warp: true in lanes on sparse pages, false in the other active lanes. */
void surface_set_status(struct warp_slot *ws, const struct access *access,
			const struct place places[FAA_LANES])
{
	unsigned int ps = ws->stream.command.surface.ps;
	uint32_t *predicate;

	if (ps == FAA_PT)
		return;
	predicate = &ws->predicates[ps];
	*predicate &= ~access->lanes;
	for (unsigned int lane = 0; lane < FAA_LANES; lane++)
		if ((access->lanes & ~access->nulls) >> lane & 1)
			*predicate |= (uint32_t)places[lane].sparse << lane;
}
