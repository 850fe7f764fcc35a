// SPDX-License-Identifier: MIT
/* Commands of surfaces: CONFIG, and the parts of SUATOM that other vector commands lack. */
#include "stream.h"

#include <errno.h>

int faa_stream_config_headers(struct faa_stream *stream, uint64_t address, uint32_t max_index)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_CONFIG, &issue);

	if (!ret)
		ret = faa_stream_check_address(stream, "CONFIG.HEADER_POOL", address,
					       FAA_TEXTURE_HEADER_BYTES);
	if (!ret && max_index >> FAA_HEADER_INDEX_BITS)
		ret = faa_stream_fail(stream, -EINVAL,
				      "CONFIG.HEADER_POOL greatest index %u: allowed are 0..%u",
				      max_index, (1u << FAA_HEADER_INDEX_BITS) - 1);
	if (ret)
		return ret;
	return faa_stream_raw(stream, words,
			      faa_encode_config(words, &issue, FAA_CONFIG_HEADER_POOL, address,
						max_index));
}

int faa_stream_config_bank(struct faa_stream *stream, uint64_t address, uint32_t bytes)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_CONFIG, &issue);

	if (!ret)
		ret = faa_stream_check_address(stream, "CONFIG.CONSTANT_BANK", address, 4);
	if (!ret && bytes & ~FAA_BANK_BYTES_MAX)
		ret = faa_stream_fail(
			stream, -EINVAL,
			"CONFIG.CONSTANT_BANK of %u bytes: allowed are multiples of 4 up to %u",
			bytes, FAA_BANK_BYTES_MAX);
	if (ret)
		return ret;
	return faa_stream_raw(stream, words,
			      faa_encode_config(words, &issue, FAA_CONFIG_CONSTANT_BANK, address,
						bytes));
}

int faa_stream_config_helpers(struct faa_stream *stream, uint32_t lanes)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_issue issue;
	int ret = faa_stream_control(stream, FAA_OPCODE_CONFIG, &issue);

	return ret ? ret :
		     faa_stream_raw(stream, words,
				    faa_encode_config(words, &issue, FAA_CONFIG_HELPER_LANES, 0,
						      lanes));
}

static int surface_check_handle(struct faa_stream *stream, const struct faa_place *place,
				const char *name)
{
	uint32_t handle = place->handle;

	if (place->handle_kind > FAA_HANDLE_KIND_INDEX)
		return faa_stream_fail(
			stream, -EINVAL,
			"%s handle kind %u: allowed are 0 (REG), 1 (BANK) and 2 (INDEX)", name,
			place->handle_kind);
	if (place->handle_kind == FAA_HANDLE_KIND_REG && handle >= FAA_RZ)
		return faa_stream_fail(stream, -EINVAL,
				       "%s handle: register %u is not in 0..254; RZ is no handle",
				       name, handle);
	if (place->handle_kind == FAA_HANDLE_KIND_BANK && handle >= FAA_CONSTANT_WORDS)
		return faa_stream_fail(stream, -EINVAL,
				       "%s handle: constant word %u is not in 0..%u", name, handle,
				       FAA_CONSTANT_WORDS - 1);
	if (place->handle_kind == FAA_HANDLE_KIND_INDEX && handle >> FAA_HEADER_INDEX_BITS)
		return faa_stream_fail(stream, -EINVAL,
				       "%s handle: header index %u is not in 0..%u", name, handle,
				       (1u << FAA_HEADER_INDEX_BITS) - 1);
	return 0;
}

static int surface_check_coordinates(struct faa_stream *stream, const struct faa_vector *v,
				     const char *name)
{
	const struct faa_place *place = &v->place;

	if (place->packed && faa_coordinates(place->dim) == 1)
		return faa_stream_fail(stream, -EINVAL,
				       "%s with a single coordinate cannot be PACKED", name);
	if (v->a.kind == FAA_KIND_REG && v->a.reg == FAA_RZ)
		return faa_stream_fail(stream, -EINVAL, "%s operand a: RZ is no coordinate", name);
	if (!faa_coordinates_in_registers(place))
		return 0;
	if (v->a.kind != FAA_KIND_REG)
		return faa_stream_fail(
			stream, -EINVAL,
			"%s operand a: three coordinates that are not PACKED must be in registers",
			name);
	if (v->a.reg % 4)
		return faa_stream_fail(
			stream, -EINVAL,
			"%s operand a: R%u: three coordinates take a register that is a multiple of 4",
			name, v->a.reg);
	return 0;
}

/* Whether all members that only surface operations have are 0. */
static bool surface_is_empty(const struct faa_place *place)
{
	return !(place->dim | place->clamp | place->handle_kind | place->packed | place->ba |
		 place->ps | place->handle);
}

int faa_stream_check_place(struct faa_stream *stream, const struct faa_vector *v, const char *name)
{
	const struct faa_place *place = &v->place;
	int ret;

	if (!faa_commands[v->opcode].surface)
		return surface_is_empty(place) ?
			       0 :
			       faa_stream_fail(stream, -EINVAL,
					       "%s is on no surface, only SUATOM is", name);
	if (place->dim > FAA_DIM_D3)
		return faa_stream_fail(stream, -EINVAL,
				       "%s dimension %u: allowed are 0..5, enum faa_dim", name,
				       place->dim);
	if (place->clamp > FAA_CLAMP_TRAP)
		return faa_stream_fail(stream, -EINVAL,
				       "%s clamp %u: allowed are 0 (IGN), 1 (NEAR) and 2 (TRAP)",
				       name, place->clamp);
	if (place->packed > 1 || place->ba > 1)
		return faa_stream_fail(stream, -EINVAL, "%s packed %u, ba %u: allowed are 0 and 1",
				       name, place->packed, place->ba);
	if (place->ps > FAA_PT)
		return faa_stream_fail(stream, -EINVAL,
				       "%s predicate %u: allowed are 0..6 and 7 (PT)", name,
				       place->ps);
	ret = surface_check_coordinates(stream, v, name);
	return ret ? ret : surface_check_handle(stream, place, name);
}

int faa_stream_suatom(struct faa_stream *stream, const struct faa_place *place, enum faa_atom_op op,
		      enum faa_type type, enum faa_scope scope, enum faa_order order,
		      uint64_t count, struct faa_operand d, struct faa_operand a,
		      struct faa_operand b, struct faa_operand c)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_SUATOM,
				.op = faa_stream_narrow(op),
				.type = faa_stream_narrow(type),
				.scope = faa_stream_narrow(scope),
				.order = faa_stream_narrow(order),
				.count = count,
				.d = d,
				.a = a,
				.b = b,
				.c = c,
				.place = *place };

	return faa_stream_vector(stream, &v);
}

int faa_stream_sured(struct faa_stream *stream, const struct faa_place *place, enum faa_atom_op op,
		     enum faa_type type, enum faa_scope scope, enum faa_order order, uint64_t count,
		     struct faa_operand a, struct faa_operand b, struct faa_operand c)
{
	return faa_stream_suatom(stream, place, op, type, scope, order, count, faa_none(), a, b, c);
}
