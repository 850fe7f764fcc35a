// SPDX-License-Identifier: MIT
/* C11-style atomic operations as the PTX atomics ABI lowers them: fences around an access. */
#include "stream.h"

#include <errno.h>

#include "faa_atomic.h"

#define ALL_FORMS                                                                               \
	(FAA_LOWERING_FENCE_ACQUIRE | FAA_LOWERING_FENCE_RELEASE | FAA_LOWERING_FENCE_ACQ_REL | \
	 FAA_LOWERING_SC_CXX20)

/* Fences before and after an access; this value for none. */
#define NO_FENCE (FAA_FENCE_ORDER_SC + 1)

/* An operation as commands. */
struct lowered {
	unsigned int before, behind;
	enum faa_order order;
	enum faa_scope scope;
};

int faa_stream_lowering(struct faa_stream *stream, unsigned int forms)
{
	if (stream->error)
		return faa_stream_failed(stream);
	if (forms & ~(unsigned int)ALL_FORMS)
		return faa_stream_fail(stream, -EINVAL, "lowering 0x%x: allowed are bits 0..3",
				       forms);
	stream->lowering = forms;
	return 0;
}

static int atomic_check(struct faa_stream *stream, enum faa_atomic_access access, const char *name,
			enum faa_memory_order order, enum faa_thread_scope scope)
{
	const char *why = faa_atomic_why(access, order, scope);

	if (stream->error)
		return faa_stream_failed(stream);
	if (!why)
		return 0;
	return faa_stream_fail(stream, -EINVAL, "%s, order %u, scope %u: %s", name,
			       (unsigned int)order, (unsigned int)scope, why);
}

static enum faa_scope atomic_device_scope(enum faa_thread_scope scope)
{
	switch (scope) {
	case FAA_THREAD_SCOPE_SYSTEM:
		return FAA_SCOPE_SYS;
	case FAA_THREAD_SCOPE_DEVICE:
		return FAA_SCOPE_GPU;
	default:
		return FAA_SCOPE_CTA;
	}
}

/* The acquire half: of the access, or a fence after it. */
static void atomic_take_acquire(const struct faa_stream *stream, struct lowered *out)
{
	if (stream->lowering & FAA_LOWERING_FENCE_ACQUIRE)
		out->behind = FAA_FENCE_ORDER_ACQUIRE;
	else
		out->order = out->order == FAA_ORDER_RELEASE ? FAA_ORDER_ACQ_REL :
							       FAA_ORDER_ACQUIRE;
}

/*
 * The release half: a fence before the access, or of the access. The ABI has an acq_rel access
 * alone, and an acquire access with a fence before it, but no release access with a fence after it.
 */
static void atomic_take_release(const struct faa_stream *stream, struct lowered *out, bool acquires)
{
	unsigned int fences = FAA_LOWERING_FENCE_RELEASE;

	if (acquires)
		fences |= FAA_LOWERING_FENCE_ACQUIRE;
	if (stream->lowering & fences)
		out->before = FAA_FENCE_ORDER_RELEASE;
	else
		out->order = FAA_ORDER_RELEASE;
}

static struct lowered atomic_lower(const struct faa_stream *stream, enum faa_atomic_access access,
				   enum faa_memory_order order, enum faa_thread_scope scope)
{
	struct lowered out = { NO_FENCE, NO_FENCE, FAA_ORDER_RELAXED, atomic_device_scope(scope) };
	bool writes = access != FAA_ATOMIC_ACCESS_LOAD, reads = access != FAA_ATOMIC_ACCESS_STORE;

	switch (order) {
	case FAA_MEMORY_ORDER_RELAXED:
		break;
	case FAA_MEMORY_ORDER_CONSUME:
	case FAA_MEMORY_ORDER_ACQUIRE:
		atomic_take_acquire(stream, &out);
		break;
	case FAA_MEMORY_ORDER_RELEASE:
		atomic_take_release(stream, &out, false);
		break;
	case FAA_MEMORY_ORDER_ACQ_REL:
		atomic_take_release(stream, &out, true);
		atomic_take_acquire(stream, &out);
		break;
	case FAA_MEMORY_ORDER_SEQ_CST:
		out.before = FAA_FENCE_ORDER_SC;
		/*
		 * The fence is the release. For later members of a release sequence of C11 the
		 * write must release too.
		 */
		if (writes && !(stream->lowering & FAA_LOWERING_SC_CXX20))
			out.order = FAA_ORDER_RELEASE;
		if (reads)
			atomic_take_acquire(stream, &out);
		break;
	}
	return out;
}

/* A fence that is a part of an operation has no guard, even in the body of a loop. */
static int atomic_add_fence(struct faa_stream *stream, unsigned int order, enum faa_scope scope)
{
	const struct faa_issue unscheduled = FAA_ISSUE_DEFAULT;
	struct faa_issue kept = stream->next;
	int ret;

	if (order == NO_FENCE)
		return 0;
	if ((order == FAA_FENCE_ORDER_ACQUIRE || order == FAA_FENCE_ORDER_RELEASE) &&
	    stream->lowering & FAA_LOWERING_FENCE_ACQ_REL)
		order = FAA_FENCE_ORDER_ACQ_REL;
	stream->next = unscheduled;
	stream->next.wait_mask = kept.wait_mask;
	ret = faa_stream_fence(stream, (enum faa_fence_order)order, scope);
	/* The fence has waited, so the access need not. */
	kept.wait_mask = 0;
	stream->next = kept;
	return ret;
}

/* Loads and stores move bits; the sign or format matters to operations only. */
static enum faa_type atomic_bits_of(enum faa_type type)
{
	switch (faa_type_bits(type)) {
	case 8:
		return FAA_TYPE_U8;
	case 16:
		return FAA_TYPE_U16;
	case 32:
		return FAA_TYPE_U32;
	case 64:
		return FAA_TYPE_U64;
	default:
		return type;
	}
}

int faa_stream_atomic_load(struct faa_stream *stream, struct faa_operand d,
			   struct faa_atomic_object object, enum faa_memory_order order,
			   enum faa_thread_scope scope)
{
	int ret = atomic_check(stream, FAA_ATOMIC_ACCESS_LOAD, "atomic load", order, scope);
	struct lowered form = atomic_lower(stream, FAA_ATOMIC_ACCESS_LOAD, order, scope);
	bool extends = object.type == FAA_TYPE_S8 || object.type == FAA_TYPE_S16;

	if (!ret)
		ret = atomic_add_fence(stream, form.before, form.scope);
	if (!ret)
		ret = faa_stream_ld_strong(stream,
					   extends ? object.type : atomic_bits_of(object.type),
					   form.scope, form.order, object.count, d, object.address,
					   object.offset);
	return ret ? ret : atomic_add_fence(stream, form.behind, form.scope);
}

int faa_stream_atomic_store(struct faa_stream *stream, struct faa_atomic_object object,
			    struct faa_operand value, enum faa_memory_order order,
			    enum faa_thread_scope scope)
{
	int ret = atomic_check(stream, FAA_ATOMIC_ACCESS_STORE, "atomic store", order, scope);
	struct lowered form = atomic_lower(stream, FAA_ATOMIC_ACCESS_STORE, order, scope);

	if (!ret)
		ret = atomic_add_fence(stream, form.before, form.scope);
	return ret ? ret :
		     faa_stream_st_strong(stream, atomic_bits_of(object.type), form.scope,
					  form.order, object.count, object.address, object.offset,
					  value);
}

/* An operation of ATOM with the fences that its order needs. */
static int atomic_add_rmw(struct faa_stream *stream, enum faa_atom_op op, struct faa_operand d,
			  struct faa_atomic_object object, struct faa_operand b,
			  struct faa_operand c, enum faa_memory_order order,
			  enum faa_thread_scope scope)
{
	struct lowered form = atomic_lower(stream, FAA_ATOMIC_ACCESS_RMW, order, scope);
	int ret = atomic_add_fence(stream, form.before, form.scope);

	if (!ret)
		ret = faa_stream_atom(stream, op, object.type, form.scope, form.order, object.count,
				      d, object.address, object.offset, b, c);
	return ret ? ret : atomic_add_fence(stream, form.behind, form.scope);
}

int faa_stream_atomic_rmw(struct faa_stream *stream, enum faa_atom_op op, struct faa_operand d,
			  struct faa_atomic_object object, struct faa_operand value,
			  enum faa_memory_order order, enum faa_thread_scope scope)
{
	int ret = atomic_check(stream, FAA_ATOMIC_ACCESS_RMW, "atomic read-modify-write", order,
			       scope);

	return ret ? ret : atomic_add_rmw(stream, op, d, object, value, faa_none(), order, scope);
}

static int atomic_check_exchange(struct faa_stream *stream, unsigned int predicate,
				 struct faa_operand d, struct faa_atomic_object object,
				 struct faa_operand expected)
{
	unsigned int bits = faa_type_bits(object.type);

	if (predicate > FAA_PT)
		return faa_stream_fail(
			stream, -EINVAL,
			"compare-exchange, predicate %u: allowed are 0..6 and 7 (PT)", predicate);
	if (predicate == FAA_PT)
		return 0;
	if (bits < 32 || object.count > FAA_LANES)
		return faa_stream_fail(
			stream, -EINVAL,
			"compare-exchange with a predicate: 32 or 64 bits and %u elements at most",
			FAA_LANES);
	if (d.kind != FAA_KIND_REG || (expected.kind == FAA_KIND_REG && expected.reg == d.reg))
		return faa_stream_fail(
			stream, -EINVAL,
			"compare-exchange with a predicate: operand d is a register, not that of the expected value");
	return 0;
}

int faa_stream_atomic_compare_exchange(struct faa_stream *stream, unsigned int predicate,
				       struct faa_operand d, struct faa_atomic_object object,
				       struct faa_operand expected, struct faa_operand desired,
				       enum faa_memory_order success, enum faa_memory_order failure,
				       enum faa_thread_scope scope)
{
	struct faa_issue issue = stream->next;
	int ret = atomic_check(stream, FAA_ATOMIC_ACCESS_RMW, "compare-exchange, success", success,
			       scope);

	if (!ret)
		ret = atomic_check(stream, FAA_ATOMIC_ACCESS_FAILURE, "compare-exchange, failure",
				   failure, scope);
	if (!ret)
		ret = atomic_check_exchange(stream, predicate, d, object, expected);
	if (!ret)
		ret = atomic_add_rmw(stream, FAA_ATOM_OP_CAS, d, object, expected, desired,
				     faa_atomic_exchange_order(success, failure), scope);
	if (ret || predicate == FAA_PT)
		return ret;
	/* Only lanes that took part have a result; the use of its register waits for the access. */
	stream->next.guard = issue.guard;
	stream->next.guard_negate = issue.guard_negate;
	return faa_stream_setp(stream, FAA_CMP_EQ, atomic_bits_of(object.type), object.count,
			       predicate, d, expected);
}

int faa_stream_atomic_fence(struct faa_stream *stream, enum faa_memory_order order,
			    enum faa_thread_scope scope)
{
	int ret = atomic_check(stream, FAA_ATOMIC_ACCESS_FENCE, "atomic fence", order, scope);
	unsigned int fence = NO_FENCE;

	switch (order) {
	case FAA_MEMORY_ORDER_RELAXED:
		break;
	case FAA_MEMORY_ORDER_CONSUME:
	case FAA_MEMORY_ORDER_ACQUIRE:
		fence = FAA_FENCE_ORDER_ACQUIRE;
		break;
	case FAA_MEMORY_ORDER_RELEASE:
		fence = FAA_FENCE_ORDER_RELEASE;
		break;
	case FAA_MEMORY_ORDER_ACQ_REL:
		fence = FAA_FENCE_ORDER_ACQ_REL;
		break;
	case FAA_MEMORY_ORDER_SEQ_CST:
		fence = FAA_FENCE_ORDER_SC;
		break;
	}
	return ret ? ret : atomic_add_fence(stream, fence, atomic_device_scope(scope));
}

int faa_stream_atomic_signal_fence(struct faa_stream *stream, enum faa_memory_order order)
{
	return atomic_check(stream, FAA_ATOMIC_ACCESS_FENCE, "signal fence", order,
			    FAA_THREAD_SCOPE_SYSTEM);
}

struct faa_loop faa_stream_loop_begin(struct faa_stream *stream, unsigned int predicate)
{
	struct faa_loop loop = { .again = true };

	/* Clears the predicate: stale bits of other lanes must not keep the loop running. */
	faa_stream_setp(stream, FAA_CMP_NE, FAA_TYPE_U32, FAA_LANES, predicate, faa_imm(0),
			faa_imm(0));
	if (!faa_stream_label(stream, &loop.label))
		faa_stream_place(stream, loop.label);
	return loop;
}

void faa_stream_loop_end(struct faa_stream *stream, struct faa_loop *loop, unsigned int predicate,
			 enum faa_cmp cmp, enum faa_type type, uint64_t count, struct faa_operand a,
			 struct faa_operand b)
{
	loop->again = false;
	if (faa_stream_setp(stream, cmp, type, count, predicate, a, b) ||
	    faa_stream_guard(stream, predicate, false))
		return;
	faa_stream_jump(stream, FAA_JUMP_COND_ANY, loop->label);
}
