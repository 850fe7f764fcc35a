// SPDX-License-Identifier: MIT
/*
 * CAS loops: atomic operations that the device lacks, made of those that it has.
 *
 *		SETP	pending = false			in all lanes
 *	@guard	SETP	pending = true
 *	@pending LDS	old = [address]
 * again:
 *	@pending body	desired = f(old)
 *	@pending ATOMS.CAS scratch = [address], old, desired
 *	@pending SETP	pending = scratch != old	false where the store took place
 *	@pending MOV	old = scratch			the others start from the value found
 *	@pending JUMP.ANY again
 */
#include "stream.h"

#include <errno.h>

/* The type that moves and compares the bits of a value. */
static enum faa_type cas_bits_type(enum faa_type type)
{
	return faa_type_bits(type) == 64 ? FAA_TYPE_U64 : FAA_TYPE_U32;
}

static bool cas_type_ok(enum faa_type type)
{
	const unsigned int types = 1u << FAA_TYPE_U32 | 1u << FAA_TYPE_S32 | 1u << FAA_TYPE_F32 |
				   1u << FAA_TYPE_U64 | 1u << FAA_TYPE_S64 | 1u << FAA_TYPE_F64;

	return (unsigned int)type <= FAA_TYPE_BF16X2 && types >> type & 1;
}

/* Whether the @count_a registers from @a on and the @count_b from @b on overlap. */
static bool cas_overlap(unsigned int a, unsigned int count_a, unsigned int b, unsigned int count_b)
{
	return a < b + count_b && b < a + count_a;
}

static int cas_check_registers(struct faa_stream *stream, const struct faa_cas_loop *loop)
{
	const struct {
		const char *name;
		unsigned int reg;
	} regs[] = { { "old", loop->old },
		     { "desired", loop->desired },
		     { "scratch", loop->scratch } };
	unsigned int size = faa_type_bits(loop->type) / 32, i, j;

	for (i = 0; i < 3; i++) {
		if (regs[i].reg == FAA_RZ || regs[i].reg % size)
			return faa_stream_fail(
				stream, -EINVAL,
				"CAS loop: register %s is R%u: allowed are R0..R254, even for 64 bits",
				regs[i].name, regs[i].reg);
		for (j = 0; j < i; j++)
			if (cas_overlap(regs[i].reg, size, regs[j].reg, size))
				return faa_stream_fail(
					stream, -EINVAL,
					"CAS loop: registers %s and %s overlap, R%u and R%u",
					regs[j].name, regs[i].name, regs[j].reg, regs[i].reg);
		if (loop->address.kind == FAA_KIND_REG &&
		    cas_overlap(regs[i].reg, size, loop->address.reg, 1))
			return faa_stream_fail(
				stream, -EINVAL,
				"CAS loop: register %s, R%u, overlaps the address, R%u",
				regs[i].name, regs[i].reg, loop->address.reg);
	}
	return 0;
}

static int cas_check(struct faa_stream *stream, const struct faa_cas_loop *loop)
{
	const struct faa_issue *issue = &stream->next;

	if (!cas_type_ok(loop->type))
		return faa_stream_fail(stream, -EINVAL,
				       "CAS loop: type %u; allowed: U32, S32, F32, U64, S64, F64",
				       loop->type);
	if (loop->lanes < 1 || loop->lanes > FAA_LANES)
		return faa_stream_fail(stream, -EINVAL, "CAS loop of %u lanes: allowed are 1..%u",
				       loop->lanes, FAA_LANES);
	if (loop->pending >= FAA_PT)
		return faa_stream_fail(stream, -EINVAL,
				       "CAS loop: predicate pending is P%u: allowed are P0..P6",
				       loop->pending);
	if (issue->guard == loop->pending)
		return faa_stream_fail(stream, -EINVAL,
				       "CAS loop: P%u is both the guard and the predicate pending",
				       loop->pending);
	if (issue->read_barrier != FAA_NO_BARRIER || issue->write_barrier != FAA_NO_BARRIER)
		return faa_stream_fail(stream, -EINVAL,
				       "CAS loop: it cannot hold a barrier; it may wait for some");
	return cas_check_registers(stream, loop);
}

/* P[pending] = the lanes that take part. */
static void cas_add_participants(struct faa_stream *stream, const struct faa_cas_loop *loop)
{
	struct faa_issue issue = faa_stream_take_issue(stream);
	struct faa_operand zero = faa_imm(0);

	faa_stream_guard(stream, FAA_PT, false);
	faa_stream_wait(stream, issue.wait_mask);
	faa_stream_setp(stream, FAA_CMP_NE, FAA_TYPE_U32, FAA_LANES, loop->pending, zero, zero);
	faa_stream_guard(stream, issue.guard, issue.guard_negate);
	faa_stream_setp(stream, FAA_CMP_EQ, FAA_TYPE_U32, loop->lanes, loop->pending, zero, zero);
}

static void cas_add_round(struct faa_stream *stream, const struct faa_cas_loop *loop)
{
	struct faa_operand old = faa_reg(loop->old), scratch = faa_reg(loop->scratch);
	enum faa_type type = cas_bits_type(loop->type);
	int ret = loop->body(stream, loop, loop->data);

	if (ret)
		faa_stream_fail(stream, ret, "CAS loop: the body returned error %d", -ret);
	faa_stream_atoms(stream, FAA_ATOMS_OP_CAS, type, loop->lanes, scratch, loop->address,
			 loop->offset, old, faa_reg(loop->desired));
	faa_stream_setp(stream, FAA_CMP_NE, type, loop->lanes, loop->pending, scratch, old);
	faa_stream_mov(stream, type, loop->lanes, old, scratch);
}

int faa_stream_cas_loop_sized(struct faa_stream *stream, const struct faa_cas_loop *given,
			      size_t loop_size)
{
	uint8_t outer = stream->guard;
	struct faa_cas_loop own;
	const struct faa_cas_loop *loop = &own;
	uint32_t again;
	int ret = faa_stream_failed(stream);

	if (!ret && faa_struct_read(&own, sizeof(own), given, loop_size, "faa_cas_loop"))
		ret = faa_stream_fail(stream, -E2BIG, "CAS loop: %s", faa_last_error());
	if (!ret)
		ret = cas_check(stream, loop);
	if (ret)
		return ret;
	cas_add_participants(stream, loop);
	faa_stream_set_guard(stream, loop->pending);
	faa_stream_lds(stream, cas_bits_type(loop->type), loop->lanes, faa_reg(loop->old),
		       loop->address, loop->offset);
	faa_stream_label(stream, &again);
	faa_stream_place(stream, again);
	cas_add_round(stream, loop);
	faa_stream_jump(stream, FAA_JUMP_COND_ANY, again);
	faa_stream_set_guard(stream, outer);
	return faa_stream_failed(stream);
}
