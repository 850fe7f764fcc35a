// SPDX-License-Identifier: MIT
/* Vector commands of a stream: argument checks, then the generated encoder. */
#include "stream.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* "ATOMS.ADD" for messages. */
static const char *vector_command_name(const struct faa_vector *v, char *buffer, size_t size)
{
	const struct faa_command_info *info = &faa_commands[v->opcode];
	const char *op = info->op_names && v->op < info->op_count ? info->op_names[v->op] : NULL;

	snprintf(buffer, size, "%s%s%s", info->name, op ? "." : "", op ? op : "");
	return buffer;
}

/* "U32, S32": the names whose bits are set. */
static const char *vector_name_list(unsigned int bits, const char *const *names, char *buffer,
				    size_t size)
{
	unsigned int i;
	size_t n = 0;

	buffer[0] = '\0';
	for (i = 0; bits >> i; i++)
		if (bits & (1u << i) && n < size)
			n += snprintf(buffer + n, size - n, "%s%s", n ? ", " : "", names[i]);
	return buffer;
}

static int vector_check_operation(struct faa_stream *stream, const struct faa_vector *v,
				  const char *name)
{
	const struct faa_command_info *info = &faa_commands[v->opcode];
	char list[96];

	if (v->op >= info->op_count)
		return faa_stream_fail(stream, -EINVAL, "%s operation %u: allowed are 0..%u",
				       info->name, v->op, info->op_count - 1);
	if (!info->types[v->op])
		return faa_stream_fail(stream, -EINVAL, "%s has no operation %u", info->name,
				       v->op);
	if (v->type > FAA_TYPE_SD64)
		return faa_stream_fail(stream, -EINVAL, "%s type %u does not exist", name, v->type);
	if (!(info->types[v->op] & (1u << v->type)))
		return faa_stream_fail(stream, -EINVAL, "%s has no type %s; allowed: %s", name,
				       faa_type_names[v->type],
				       vector_name_list(info->types[v->op], faa_type_names, list,
							sizeof(list)));
	if (v->count < 1 || v->count > 1ull << 32)
		return faa_stream_fail(stream, -EINVAL, "%s element count %llu is not in 1..2^32",
				       name, (unsigned long long)v->count);
	if (v->opcode == FAA_OPCODE_SETP && v->mod > FAA_PT)
		return faa_stream_fail(stream, -EINVAL,
				       "%s predicate %u: allowed are 0..6 and 7 (PT)", name,
				       v->mod);
	if (v->opcode == FAA_OPCODE_SETP && v->count > FAA_LANES)
		return faa_stream_fail(stream, -EINVAL,
				       "%s of %llu elements: a predicate has 32 lanes", name,
				       (unsigned long long)v->count);
	return 0;
}

/* Checks header.mod of every command except SETP, where it is the predicate. */
static int vector_check_modes(struct faa_stream *stream, const struct faa_vector *v,
			      const char *name)
{
	unsigned int allowed = faa_modes_allowed(v->opcode, v->op, v->type);
	const char *type = faa_type_names[v->type];

	if (v->opcode == FAA_OPCODE_SETP || !(v->mod & ~allowed))
		return 0;
	if (v->mod & ~(unsigned int)(FAA_FLOAT_MODE_FTZ | FAA_FLOAT_MODE_RELAXED))
		return faa_stream_fail(
			stream, -EINVAL,
			"%s floating-point modes 0x%x: allowed are FTZ (1) and RELAXED (2)", name,
			v->mod);
	if (allowed)
		return faa_stream_fail(
			stream, -EINVAL,
			"%s has no mode RELAXED; only ADD of ATOMS, ATOM and SUATOM has", name);
	return faa_stream_fail(stream, -EINVAL, "%s on %s has no floating-point mode", name, type);
}

/* Checks whether the access is strong, and may be. */
static int vector_check_strength(struct faa_stream *stream, const struct faa_vector *v,
				 const char *name)
{
	const struct faa_command_info *info = &faa_commands[v->opcode];

	if (v->strong > 1 || (v->strong && !info->strong))
		return faa_stream_fail(stream, -EINVAL,
				       "%s strength %u: it is 1 for strong LD and ST, else 0", name,
				       v->strong);
	if (!(v->scope || v->order) || (info->access && (v->strong || !info->strong)))
		return 0;
	if (info->strong)
		return faa_stream_fail(stream, -EINVAL,
				       "%s is weak, only a strong one has scope and order", name);
	return faa_stream_fail(
		stream, -EINVAL,
		"%s has neither scope nor order, only ATOM, SUATOM and strong LD and ST have",
		name);
}

/* Scope and order. */
static int vector_check_access(struct faa_stream *stream, const struct faa_vector *v,
			       const char *name)
{
	const struct faa_command_info *info = &faa_commands[v->opcode];
	char list[48];
	int ret = vector_check_strength(stream, v, name);

	if (ret)
		return ret;
	if (v->scope > FAA_SCOPE_SYS)
		return faa_stream_fail(stream, -EINVAL,
				       "%s scope %u: allowed are 0 (CTA), 1 (GPU) and 2 (SYS)",
				       name, v->scope);
	if (v->order > FAA_ORDER_ACQ_REL)
		return faa_stream_fail(
			stream, -EINVAL,
			"%s order %u: allowed are 0 (RELAXED), 1 (ACQUIRE), 2 (RELEASE) and 3 (ACQ_REL)",
			name, v->order);
	if (info->access && !(info->orders >> v->order & 1))
		return faa_stream_fail(stream, -EINVAL, "%s has no order %s; allowed: %s", name,
				       faa_order_names[v->order],
				       vector_name_list(info->orders, faa_order_names, list,
							sizeof(list)));
	return 0;
}

static int vector_check_offset(struct faa_stream *stream, const struct faa_vector *v,
			       const char *name)
{
	const struct faa_command_info *info = &faa_commands[v->opcode];
	bool is_signed = v->a.kind != FAA_KIND_NONE &&
			 !(v->a.kind == FAA_KIND_REG && v->a.reg == FAA_RZ);
	int32_t low = is_signed ? -(1 << 23) : 0;
	int32_t high = is_signed ? (1 << 23) - 1 : (1 << 24) - 1;

	if (info->address == FAA_ADDRESS_NONE && v->offset)
		return faa_stream_fail(stream, -EINVAL, "%s has no address, so no offset %d", name,
				       v->offset);
	if (v->offset < low || v->offset > high)
		return faa_stream_fail(stream, -EINVAL, "%s offset %d is not in %d..%d", name,
				       v->offset, low, high);
	if (v->offset % info->offset_align)
		return faa_stream_fail(stream, -EINVAL, "%s offset %d is not a multiple of %u",
				       name, v->offset, info->offset_align);
	return 0;
}

static int vector_check_stream(struct faa_stream *stream, const struct faa_operand *o,
			       unsigned int slot, unsigned int bits, const char *name)
{
	char letter = "abcd"[slot];

	if (o->type > FAA_TYPE_SD64)
		return faa_stream_fail(stream, -EINVAL,
				       "%s operand %c: item type %u does not exist", name, letter,
				       o->type);
	if (!faa_stream_type_ok(o->type, bits))
		return faa_stream_fail(stream, -EINVAL,
				       "%s operand %c: items of type %s do not fit its %u bits",
				       name, letter, faa_type_names[o->type], bits);
	if (o->shift > 7)
		return faa_stream_fail(stream, -EINVAL, "%s operand %c: shift %u is not in 0..7",
				       name, letter, o->shift);
	if (slot == 3 && (o->shift || o->step))
		return faa_stream_fail(stream, -EINVAL,
				       "%s operand d: a destination has neither shift nor base",
				       name);
	if (o->value >> FAA_VA_BITS)
		return faa_stream_fail(stream, -EINVAL,
				       "%s operand %c: address 0x%llx has bits above bit 47 set",
				       name, letter, (unsigned long long)o->value);
	if ((o->value | (uint32_t)o->stride) % (faa_type_bits(o->type) / 8))
		return faa_stream_fail(
			stream, -EINVAL,
			"%s operand %c: address 0x%llx or stride %d is not a multiple of the item's %u bytes",
			name, letter, (unsigned long long)o->value, o->stride,
			faa_type_bits(o->type) / 8);
	return 0;
}

static int vector_check_operand(struct faa_stream *stream, const struct faa_vector *v,
				unsigned int slot, const char *name)
{
	const struct faa_operand *o = faa_vector_operand(v, slot);
	unsigned int allowed = faa_kinds_allowed(&faa_commands[v->opcode], v->op, slot);
	unsigned int bits = faa_operand_bits(v, slot);
	char letter = "abcd"[slot];
	char list[64];

	if (o->kind > FAA_KIND_STREAM)
		return faa_stream_fail(stream, -EINVAL, "%s operand %c: kind %u does not exist",
				       name, letter, o->kind);
	if (!(allowed & (1u << o->kind)))
		return faa_stream_fail(stream, -EINVAL, "%s operand %c is of kind %s; allowed: %s",
				       name, letter, faa_kind_names[o->kind],
				       vector_name_list(allowed, faa_kind_names, list,
							sizeof(list)));
	if (o->kind == FAA_KIND_REG && bits == 64 && (o->reg & 1) && o->reg != FAA_RZ)
		return faa_stream_fail(
			stream, -EINVAL,
			"%s operand %c: R%u is odd, a 64-bit operand takes an even register", name,
			letter, o->reg);
	return o->kind == FAA_KIND_STREAM ? vector_check_stream(stream, o, slot, bits, name) : 0;
}

int faa_stream_vector(struct faa_stream *stream, const struct faa_vector *vector)
{
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	struct faa_vector v = *vector;
	struct faa_issue issue;
	unsigned int slot;
	char name[32];
	int ret = faa_stream_failed(stream);

	if (ret)
		return ret;
	if (!faa_commands[v.opcode].name || !faa_commands[v.opcode].vector)
		return faa_stream_fail(stream, -EINVAL, "opcode 0x%02x is no vector command",
				       v.opcode);
	vector_command_name(&v, name, sizeof(name));
	if (stream->modes && v.opcode == FAA_OPCODE_SETP)
		return faa_stream_fail(stream, -EINVAL, "%s has no floating-point mode", name);
	v.mod |= stream->modes;
	ret = vector_check_operation(stream, &v, name);
	if (!ret)
		ret = vector_check_modes(stream, &v, name);
	if (!ret)
		ret = vector_check_access(stream, &v, name);
	if (!ret)
		ret = faa_stream_check_place(stream, &v, name);
	for (slot = 0; !ret && slot < 4; slot++)
		ret = vector_check_operand(stream, &v, slot, name);
	if (!ret)
		ret = vector_check_offset(stream, &v, name);
	if (ret)
		return ret;
	issue = faa_stream_take_issue(stream);
	stream->modes = 0;
	return faa_stream_raw(stream, words, faa_encode_vector(words, &issue, &v));
}

int faa_stream_mov(struct faa_stream *stream, enum faa_type type, uint64_t count,
		   struct faa_operand d, struct faa_operand a)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_MOV,
				.type = faa_stream_narrow(type),
				.count = count,
				.d = d,
				.a = a };

	return faa_stream_vector(stream, &v);
}

int faa_stream_setp(struct faa_stream *stream, enum faa_cmp cmp, enum faa_type type, uint64_t count,
		    unsigned int predicate, struct faa_operand a, struct faa_operand b)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_SETP,
				.op = faa_stream_narrow(cmp),
				.type = faa_stream_narrow(type),
				.mod = faa_stream_narrow(predicate),
				.count = count,
				.a = a,
				.b = b };

	return faa_stream_vector(stream, &v);
}

static int vector_load(struct faa_stream *stream, uint8_t opcode, enum faa_type type,
		       uint64_t count, struct faa_operand d, struct faa_operand a, int32_t offset)
{
	struct faa_vector v = { .opcode = opcode,
				.type = faa_stream_narrow(type),
				.count = count,
				.d = d,
				.a = a,
				.offset = offset };

	return faa_stream_vector(stream, &v);
}

static int vector_store(struct faa_stream *stream, uint8_t opcode, enum faa_type type,
			uint64_t count, struct faa_operand a, int32_t offset, struct faa_operand b)
{
	struct faa_vector v = { .opcode = opcode,
				.type = faa_stream_narrow(type),
				.count = count,
				.a = a,
				.offset = offset,
				.b = b };

	return faa_stream_vector(stream, &v);
}

int faa_stream_ld(struct faa_stream *stream, enum faa_type type, uint64_t count,
		  struct faa_operand d, struct faa_operand a, int32_t offset)
{
	return vector_load(stream, FAA_OPCODE_LD, type, count, d, a, offset);
}

int faa_stream_ld_strong(struct faa_stream *stream, enum faa_type type, enum faa_scope scope,
			 enum faa_order order, uint64_t count, struct faa_operand d,
			 struct faa_operand a, int32_t offset)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_LD,
				.type = faa_stream_narrow(type),
				.strong = 1,
				.scope = faa_stream_narrow(scope),
				.order = faa_stream_narrow(order),
				.count = count,
				.d = d,
				.a = a,
				.offset = offset };

	return faa_stream_vector(stream, &v);
}

int faa_stream_lds(struct faa_stream *stream, enum faa_type type, uint64_t count,
		   struct faa_operand d, struct faa_operand a, int32_t offset)
{
	return vector_load(stream, FAA_OPCODE_LDS, type, count, d, a, offset);
}

int faa_stream_st(struct faa_stream *stream, enum faa_type type, uint64_t count,
		  struct faa_operand a, int32_t offset, struct faa_operand b)
{
	return vector_store(stream, FAA_OPCODE_ST, type, count, a, offset, b);
}

int faa_stream_st_strong(struct faa_stream *stream, enum faa_type type, enum faa_scope scope,
			 enum faa_order order, uint64_t count, struct faa_operand a, int32_t offset,
			 struct faa_operand b)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_ST,
				.type = faa_stream_narrow(type),
				.strong = 1,
				.scope = faa_stream_narrow(scope),
				.order = faa_stream_narrow(order),
				.count = count,
				.a = a,
				.offset = offset,
				.b = b };

	return faa_stream_vector(stream, &v);
}

int faa_stream_sts(struct faa_stream *stream, enum faa_type type, uint64_t count,
		   struct faa_operand a, int32_t offset, struct faa_operand b)
{
	return vector_store(stream, FAA_OPCODE_STS, type, count, a, offset, b);
}

int faa_stream_atoms(struct faa_stream *stream, enum faa_atoms_op op, enum faa_type type,
		     uint64_t count, struct faa_operand d, struct faa_operand a, int32_t offset,
		     struct faa_operand b, struct faa_operand c)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_ATOMS,
				.op = faa_stream_narrow(op),
				.type = faa_stream_narrow(type),
				.count = count,
				.d = d,
				.a = a,
				.offset = offset,
				.b = b,
				.c = c };

	return faa_stream_vector(stream, &v);
}

int faa_stream_atom(struct faa_stream *stream, enum faa_atom_op op, enum faa_type type,
		    enum faa_scope scope, enum faa_order order, uint64_t count,
		    struct faa_operand d, struct faa_operand a, int32_t offset,
		    struct faa_operand b, struct faa_operand c)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_ATOM,
				.op = faa_stream_narrow(op),
				.type = faa_stream_narrow(type),
				.scope = faa_stream_narrow(scope),
				.order = faa_stream_narrow(order),
				.count = count,
				.d = d,
				.a = a,
				.offset = offset,
				.b = b,
				.c = c };

	return faa_stream_vector(stream, &v);
}

int faa_stream_red(struct faa_stream *stream, enum faa_atom_op op, enum faa_type type,
		   enum faa_scope scope, enum faa_order order, uint64_t count, struct faa_operand a,
		   int32_t offset, struct faa_operand b, struct faa_operand c)
{
	return faa_stream_atom(stream, op, type, scope, order, count, faa_none(), a, offset, b, c);
}

int faa_stream_alu(struct faa_stream *stream, enum faa_alu_op op, enum faa_type type,
		   uint64_t count, struct faa_operand d, struct faa_operand a, struct faa_operand b)
{
	struct faa_vector v = { .opcode = FAA_OPCODE_ALU,
				.op = faa_stream_narrow(op),
				.type = faa_stream_narrow(type),
				.count = count,
				.d = d,
				.a = a,
				.b = b };

	return faa_stream_vector(stream, &v);
}
