/* SPDX-License-Identifier: MIT */
/**
 * DOC: C11-style atomic operations
 *
 * The names, orders and rules of C11's <stdatomic.h> with the thread scopes of libcu++, for a
 * stream of commands or a thread of the host: the type of the first argument decides. On a stream
 * the functions add the commands that the PTX atomics ABI prescribes; on a host thread
 * (faa_atomic_host.h) they execute at once, with the processor's instructions.
 * Documentation/atomics.rst has the table.
 *
 * All functions return 0 or a negative errno. The reason of -EINVAL is in faa_stream_error() for a
 * stream, as with every other command, and in &struct faa_host_thread.why for a host thread.
 */
#ifndef FAA_ATOMIC_H
#define FAA_ATOMIC_H

#include "faa.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum faa_memory_order - as C11's memory_order, with libcu++'s values */
enum faa_memory_order {
	FAA_MEMORY_ORDER_RELAXED = 0,
	/** @FAA_MEMORY_ORDER_CONSUME: is treated as acquire. */
	FAA_MEMORY_ORDER_CONSUME = 1,
	FAA_MEMORY_ORDER_ACQUIRE = 2,
	FAA_MEMORY_ORDER_RELEASE = 3,
	FAA_MEMORY_ORDER_ACQ_REL = 4,
	FAA_MEMORY_ORDER_SEQ_CST = 5,
};

/** enum faa_thread_scope - threads that take part, as cuda::thread_scope, with libcu++'s values */
enum faa_thread_scope {
	/** @FAA_THREAD_SCOPE_SYSTEM: all threads, those of the host too: FAA_SCOPE_SYS. */
	FAA_THREAD_SCOPE_SYSTEM = 0,
	/** @FAA_THREAD_SCOPE_DEVICE: all queues of the device: FAA_SCOPE_GPU. */
	FAA_THREAD_SCOPE_DEVICE = 1,
	/** @FAA_THREAD_SCOPE_BLOCK: the streams of the queue: FAA_SCOPE_CTA. */
	FAA_THREAD_SCOPE_BLOCK = 2,
	/** @FAA_THREAD_SCOPE_THREAD: the thread alone; lowered as block scope. */
	FAA_THREAD_SCOPE_THREAD = 10,
};

/** enum faa_lowering - forms of the ABI that a stream uses in place of the recommended ones */
enum faa_lowering {
	/** @FAA_LOWERING_FENCE_ACQUIRE: acquire: a relaxed access, then fence.acquire. */
	FAA_LOWERING_FENCE_ACQUIRE = 1 << 0,
	/** @FAA_LOWERING_FENCE_RELEASE: release: fence.release, then a relaxed access. */
	FAA_LOWERING_FENCE_RELEASE = 1 << 1,
	/**
	 * @FAA_LOWERING_FENCE_ACQ_REL: fence.acq_rel replaces fence.acquire and fence.release.
	 *
	 * As before PTX ISA 8.6.
	 */
	FAA_LOWERING_FENCE_ACQ_REL = 1 << 2,
	/**
	 * @FAA_LOWERING_SC_CXX20: seq_cst accesses that write have no release after their fence.sc.
	 *
	 * As in newer editions of the ABI. This is enough for C++20, not for the release sequences
	 * of C11 and C++17.
	 */
	FAA_LOWERING_SC_CXX20 = 1 << 3,
};

/**
 * faa_stream_lowering() - choose the forms of later atomic operations
 * @stream: stream; a new one, or one that was reset, has the recommended forms
 * @forms: mask of enum faa_lowering
 *
 * All forms have the same meaning and may be mixed freely, within a stream and between streams.
 *
 * Return: 0; -EINVAL: unknown forms.
 */
int faa_stream_lowering(struct faa_stream *stream, unsigned int forms);

/**
 * struct faa_atomic_object - operand of an atomic operation: C11's object pointer
 *
 * On a host thread there is one element, and @type is not a packed floating-point type or one of 16
 * bits.
 */
struct faa_atomic_object {
	/**
	 * @type: U8 (load and store only), U16, U32, U64; signed for MIN and MAX; floating-point as
	 * ATOM.
	 */
	enum faa_type type;
	/** @offset: added to @address, bytes. */
	int32_t offset;
	/** @count: elements, 1..2^32. */
	uint64_t count;
	/** @address: of the elements in global memory: register, immediate, affine or array. */
	struct faa_operand address;
};

/** faa_atomic_at() - the object of @type at @address + @offset. */
static inline struct faa_atomic_object faa_atomic_at(enum faa_type type, struct faa_operand address,
						     int32_t offset)
{
	struct faa_atomic_object object = { type, offset, 1, address };

	return object;
}

/** faa_atomic_each() - @count objects of @type, one for each element of @address. */
static inline struct faa_atomic_object faa_atomic_each(enum faa_type type, uint64_t count,
						       struct faa_operand address, int32_t offset)
{
	struct faa_atomic_object object = { type, offset, count, address };

	return object;
}

/** enum faa_atomic_access - the access that has an order */
enum faa_atomic_access {
	FAA_ATOMIC_ACCESS_LOAD,
	FAA_ATOMIC_ACCESS_STORE,
	FAA_ATOMIC_ACCESS_RMW,
	/** @FAA_ATOMIC_ACCESS_FAILURE: of a compare-exchange that fails. */
	FAA_ATOMIC_ACCESS_FAILURE,
	FAA_ATOMIC_ACCESS_FENCE,
};

/** faa_atomic_why() - why @order or @scope is not allowed, as a static text; NULL if both are. */
static inline const char *faa_atomic_why(enum faa_atomic_access access, enum faa_memory_order order,
					 enum faa_thread_scope scope)
{
	bool release = order == FAA_MEMORY_ORDER_RELEASE || order == FAA_MEMORY_ORDER_ACQ_REL;
	bool acquire = order == FAA_MEMORY_ORDER_CONSUME || order == FAA_MEMORY_ORDER_ACQUIRE ||
		       order == FAA_MEMORY_ORDER_ACQ_REL;

	if ((unsigned int)order > FAA_MEMORY_ORDER_SEQ_CST)
		return "there is no such memory order; they are 0..5";
	if ((unsigned int)scope > FAA_THREAD_SCOPE_BLOCK && scope != FAA_THREAD_SCOPE_THREAD)
		return "there is no such thread scope; they are 0 (system), 1 (device), 2 (block) and 10 (thread)";
	if (access == FAA_ATOMIC_ACCESS_LOAD && release)
		return "a load has no order release or acq_rel";
	if (access == FAA_ATOMIC_ACCESS_STORE && acquire)
		return "a store has no order consume, acquire or acq_rel";
	if (access == FAA_ATOMIC_ACCESS_FAILURE && release)
		return "a compare-exchange that fails has no order release or acq_rel";
	return NULL;
}

/** faa_atomic_failure_order() - C11's order of failure where only that of success is given. */
static inline enum faa_memory_order faa_atomic_failure_order(enum faa_memory_order success)
{
	return success == FAA_MEMORY_ORDER_ACQ_REL ? FAA_MEMORY_ORDER_ACQUIRE :
	       success == FAA_MEMORY_ORDER_RELEASE ? FAA_MEMORY_ORDER_RELAXED :
						     success;
}

/**
 * faa_atomic_exchange_order() - the one order of a compare-exchange
 * @success: order of a success
 * @failure: order of a failure
 *
 * Return: the stronger of the two; {release, acquire} together are acq_rel.
 */
static inline enum faa_memory_order faa_atomic_exchange_order(enum faa_memory_order success,
							      enum faa_memory_order failure)
{
	bool acquire = failure == FAA_MEMORY_ORDER_CONSUME || failure == FAA_MEMORY_ORDER_ACQUIRE;

	if (acquire && success == FAA_MEMORY_ORDER_RELEASE)
		return FAA_MEMORY_ORDER_ACQ_REL;
	return (unsigned int)success > (unsigned int)failure ? success : failure;
}

/* ------------------------------------------------------------------------------------------------
 * On a stream
 *
 * Guard, barriers and waits that were set before belong to the operation: guard and barriers to its
 * access, waits to its first command. A fence has no guard: it orders the stream in all lanes.
 */

/** faa_stream_atomic_load() - @d = object. Orders relaxed, consume, acquire, seq_cst. */
int faa_stream_atomic_load(struct faa_stream *stream, struct faa_operand d,
			   struct faa_atomic_object object, enum faa_memory_order order,
			   enum faa_thread_scope scope);

/** faa_stream_atomic_store() - object = @value. Orders relaxed, release, seq_cst. */
int faa_stream_atomic_store(struct faa_stream *stream, struct faa_atomic_object object,
			    struct faa_operand value, enum faa_memory_order order,
			    enum faa_thread_scope scope);

/**
 * faa_stream_atomic_rmw() - @d = object; object = object @op @value
 * @stream: stream
 * @op: any operation of ATOM that takes one value
 * @d: receives the old value; faa_none() if it is not needed
 * @object: object
 * @value: operand
 * @order: order
 * @scope: scope
 */
int faa_stream_atomic_rmw(struct faa_stream *stream, enum faa_atom_op op, struct faa_operand d,
			  struct faa_atomic_object object, struct faa_operand value,
			  enum faa_memory_order order, enum faa_thread_scope scope);

/**
 * faa_stream_atomic_compare_exchange() - @d = object; if that is @expected, object = @desired
 * @stream: stream
 * @predicate: P0..P6, true in the lanes that have exchanged; FAA_PT for none: compare @d with
 *             @expected instead
 * @d: receives the old value: C11's *expected after a failure. With a predicate a register, other
 *     than that of @expected
 * @object: with a predicate 32 or 64 bits, of FAA_LANES elements at most
 * @expected: value to compare with
 * @desired: new value
 * @success: order
 * @failure: order of a failure: relaxed, consume, acquire, seq_cst
 * @scope: scope
 *
 * It fails only if the object has another value, so weak and strong are the same. The comparison
 * waits for the access.
 */
int faa_stream_atomic_compare_exchange(struct faa_stream *stream, unsigned int predicate,
				       struct faa_operand d, struct faa_atomic_object object,
				       struct faa_operand expected, struct faa_operand desired,
				       enum faa_memory_order success, enum faa_memory_order failure,
				       enum faa_thread_scope scope);

/** faa_stream_atomic_fence() - a fence of @order; relaxed: no command. */
int faa_stream_atomic_fence(struct faa_stream *stream, enum faa_memory_order order,
			    enum faa_thread_scope scope);

/** faa_stream_atomic_signal_fence() - no command: no compiler moves commands of a stream. */
int faa_stream_atomic_signal_fence(struct faa_stream *stream, enum faa_memory_order order);

/* ------------------------------------------------------------------------------------------------
 * Loops, on a stream
 */

/** struct faa_loop - a loop that is being built, or run */
struct faa_loop {
	uint32_t label;
	/** @again: the body is to be built, or run, again. */
	bool again;
};

/** faa_stream_loop_begin() - begin a loop, whose predicate @predicate is one of P0..P6. */
struct faa_loop faa_stream_loop_begin(struct faa_stream *stream, unsigned int predicate);

/**
 * faa_stream_loop_end() - repeat while @a @cmp @b in one of @count lanes
 * @stream: stream
 * @loop: the loop
 * @predicate: P0..P6: true in the lanes where the comparison holds
 * @cmp: comparison
 * @type: type of SETP
 * @count: lanes that are compared
 * @a: left operand
 * @b: right operand
 */
void faa_stream_loop_end(struct faa_stream *stream, struct faa_loop *loop, unsigned int predicate,
			 enum faa_cmp cmp, enum faa_type type, uint64_t count, struct faa_operand a,
			 struct faa_operand b);

#ifdef __cplusplus
}
#endif

#include "faa_atomic_host.h"

#ifdef __cplusplus
#define FAA_ATOMIC_EITHER_(name)                                                          \
	template <class... Args>                                                          \
	static inline auto faa_either_##name(struct faa_stream *where, Args... args)      \
		->decltype(faa_stream_##name(where, args...))                             \
	{                                                                                 \
		return faa_stream_##name(where, args...);                                 \
	}                                                                                 \
	template <class... Args>                                                          \
	static inline auto faa_either_##name(struct faa_host_thread *where, Args... args) \
		->decltype(faa_host_##name(where, args...))                               \
	{                                                                                 \
		return faa_host_##name(where, args...);                                   \
	}
FAA_ATOMIC_EITHER_(atomic_load)
FAA_ATOMIC_EITHER_(atomic_store)
FAA_ATOMIC_EITHER_(atomic_rmw)
FAA_ATOMIC_EITHER_(atomic_compare_exchange)
FAA_ATOMIC_EITHER_(atomic_fence)
FAA_ATOMIC_EITHER_(atomic_signal_fence)
FAA_ATOMIC_EITHER_(ld)
FAA_ATOMIC_EITHER_(st)
FAA_ATOMIC_EITHER_(mov)
FAA_ATOMIC_EITHER_(alu)
FAA_ATOMIC_EITHER_(loop_begin)
FAA_ATOMIC_EITHER_(loop_end)
#undef FAA_ATOMIC_EITHER_
#define FAA_ON(where, name) faa_either_##name
#else
/** FAA_ON - the function @name of a stream, or of a host thread, by the type of @where */
#define FAA_ON(where, name)                                    \
	_Generic((where), struct faa_stream *                  \
		 : faa_stream_##name, struct faa_host_thread * \
		 : faa_host_##name)
#endif

/* ------------------------------------------------------------------------------------------------
 * C11's names: @where is a struct faa_stream * or a struct faa_host_thread *. Without _explicit:
 * seq_cst, at system scope.
 */

/**
 * faa_atomic_load_explicit(), faa_atomic_load() - @d = object
 * @where: stream or host thread
 * @d: receives the value
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST; RELAXED, CONSUME, ACQUIRE or
 *         SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_load_explicit(where, d, object, order, scope) \
	FAA_ON(where, atomic_load)((where), (d), (object), (order), (scope))
#define faa_atomic_load(where, d, object)                                    \
	faa_atomic_load_explicit(where, d, object, FAA_MEMORY_ORDER_SEQ_CST, \
				 FAA_THREAD_SCOPE_SYSTEM)

/**
 * faa_atomic_store_explicit(), faa_atomic_store() - object = @value
 * @where: stream or host thread
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @value: operand
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST; RELAXED, RELEASE or SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_store_explicit(where, object, value, order, scope) \
	FAA_ON(where, atomic_store)((where), (object), (value), (order), (scope))
#define faa_atomic_store(where, object, value)                                    \
	faa_atomic_store_explicit(where, object, value, FAA_MEMORY_ORDER_SEQ_CST, \
				  FAA_THREAD_SCOPE_SYSTEM)

/**
 * faa_atomic_rmw_explicit(), faa_atomic_rmw() - @d = object; object = object @op @value
 * @where: stream or host thread
 * @op: enum faa_atom_op, an operation that takes one value
 * @d: receives the old value; faa_none(): it is not needed
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @value: operand
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_rmw_explicit(where, op, d, object, value, order, scope) \
	FAA_ON(where, atomic_rmw)((where), (op), (d), (object), (value), (order), (scope))
#define faa_atomic_rmw(where, op, d, object, value)                                    \
	faa_atomic_rmw_explicit(where, op, d, object, value, FAA_MEMORY_ORDER_SEQ_CST, \
				FAA_THREAD_SCOPE_SYSTEM)

/**
 * faa_atomic_exchange_explicit(), faa_atomic_exchange() - @d = object; object = @value
 * @where: stream or host thread
 * @d: receives the old value; faa_none(): it is not needed
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @value: operand
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_exchange_explicit(where, d, object, value, order, scope) \
	faa_atomic_rmw_explicit(where, FAA_ATOM_OP_EXCH, d, object, value, order, scope)
#define faa_atomic_exchange(where, d, object, value) \
	faa_atomic_rmw(where, FAA_ATOM_OP_EXCH, d, object, value)

/**
 * faa_atomic_fetch_add_explicit(), faa_atomic_fetch_add() - @d = object; object += @value
 * @where: stream or host thread
 * @d: receives the old value; faa_none(): it is not needed
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @value: operand
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_fetch_add_explicit(where, d, object, value, order, scope) \
	faa_atomic_rmw_explicit(where, FAA_ATOM_OP_ADD, d, object, value, order, scope)
#define faa_atomic_fetch_add(where, d, object, value) \
	faa_atomic_rmw(where, FAA_ATOM_OP_ADD, d, object, value)

/**
 * faa_atomic_fetch_sub_explicit(), faa_atomic_fetch_sub() - @d = object; object -= @value
 * @where: stream or host thread
 * @d: receives the old value; faa_none(): it is not needed
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @value: operand
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_fetch_sub_explicit(where, d, object, value, order, scope) \
	faa_atomic_rmw_explicit(where, FAA_ATOM_OP_SUB, d, object, value, order, scope)
#define faa_atomic_fetch_sub(where, d, object, value) \
	faa_atomic_rmw(where, FAA_ATOM_OP_SUB, d, object, value)

/**
 * faa_atomic_fetch_and_explicit(), faa_atomic_fetch_and() - @d = object; object &= @value
 * @where: stream or host thread
 * @d: receives the old value; faa_none(): it is not needed
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @value: operand
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_fetch_and_explicit(where, d, object, value, order, scope) \
	faa_atomic_rmw_explicit(where, FAA_ATOM_OP_AND, d, object, value, order, scope)
#define faa_atomic_fetch_and(where, d, object, value) \
	faa_atomic_rmw(where, FAA_ATOM_OP_AND, d, object, value)

/**
 * faa_atomic_fetch_or_explicit(), faa_atomic_fetch_or() - @d = object; object |= @value
 * @where: stream or host thread
 * @d: receives the old value; faa_none(): it is not needed
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @value: operand
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_fetch_or_explicit(where, d, object, value, order, scope) \
	faa_atomic_rmw_explicit(where, FAA_ATOM_OP_OR, d, object, value, order, scope)
#define faa_atomic_fetch_or(where, d, object, value) \
	faa_atomic_rmw(where, FAA_ATOM_OP_OR, d, object, value)

/**
 * faa_atomic_fetch_xor_explicit(), faa_atomic_fetch_xor() - @d = object; object ^= @value
 * @where: stream or host thread
 * @d: receives the old value; faa_none(): it is not needed
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @value: operand
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_fetch_xor_explicit(where, d, object, value, order, scope) \
	faa_atomic_rmw_explicit(where, FAA_ATOM_OP_XOR, d, object, value, order, scope)
#define faa_atomic_fetch_xor(where, d, object, value) \
	faa_atomic_rmw(where, FAA_ATOM_OP_XOR, d, object, value)

/**
 * faa_atomic_fetch_min_explicit(), faa_atomic_fetch_min() - @d = object;
 * object = min(object, @value)
 * @where: stream or host thread
 * @d: receives the old value; faa_none(): it is not needed
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @value: operand
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_fetch_min_explicit(where, d, object, value, order, scope) \
	faa_atomic_rmw_explicit(where, FAA_ATOM_OP_MIN, d, object, value, order, scope)
#define faa_atomic_fetch_min(where, d, object, value) \
	faa_atomic_rmw(where, FAA_ATOM_OP_MIN, d, object, value)

/**
 * faa_atomic_fetch_max_explicit(), faa_atomic_fetch_max() - @d = object;
 * object = max(object, @value)
 * @where: stream or host thread
 * @d: receives the old value; faa_none(): it is not needed
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @value: operand
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_fetch_max_explicit(where, d, object, value, order, scope) \
	faa_atomic_rmw_explicit(where, FAA_ATOM_OP_MAX, d, object, value, order, scope)
#define faa_atomic_fetch_max(where, d, object, value) \
	faa_atomic_rmw(where, FAA_ATOM_OP_MAX, d, object, value)

/**
 * faa_atomic_compare_exchange_strong_explicit(), faa_atomic_compare_exchange_weak_explicit(),
 * faa_atomic_compare_exchange_strong(), faa_atomic_compare_exchange_weak() - @d = object; if that
 * is @expected, object = @desired
 * @where: stream or host thread
 * @predicate: P0..P6, true in the lanes that have exchanged; FAA_PT: none
 * @d: receives the old value, which C11 stores to *expected after a failure
 * @object: object, faa_atomic_at() or faa_atomic_each()
 * @expected: value to compare with
 * @desired: new value
 * @success: order; without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @failure: order of a failure: RELAXED, CONSUME, ACQUIRE or SEQ_CST; without _explicit SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * The weak form does not fail spuriously either.
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_compare_exchange_strong_explicit(where, predicate, d, object, expected, \
						    desired, success, failure, scope)      \
	FAA_ON(where, atomic_compare_exchange)                                             \
	((where), (predicate), (d), (object), (expected), (desired), (success), (failure), (scope))
#define faa_atomic_compare_exchange_weak_explicit faa_atomic_compare_exchange_strong_explicit
#define faa_atomic_compare_exchange_strong(where, predicate, d, object, expected, desired) \
	faa_atomic_compare_exchange_strong_explicit(where, predicate, d, object, expected, \
						    desired, FAA_MEMORY_ORDER_SEQ_CST,     \
						    FAA_MEMORY_ORDER_SEQ_CST,              \
						    FAA_THREAD_SCOPE_SYSTEM)
#define faa_atomic_compare_exchange_weak faa_atomic_compare_exchange_strong

/**
 * faa_atomic_thread_fence() - order the accesses before it and after it
 * @where: stream or host thread
 * @order: enum faa_memory_order; RELAXED does nothing
 * @scope: enum faa_thread_scope
 *
 * Return: 0; -EINVAL: no such order or scope.
 */

#define faa_atomic_thread_fence(where, order, scope) \
	FAA_ON(where, atomic_fence)((where), (order), (scope))
/**
 * faa_atomic_signal_fence() - order accesses of one stream or host thread against its own handlers
 * @where: stream or host thread
 * @order: enum faa_memory_order
 *
 * Return: 0; -EINVAL: no such order.
 */
#define faa_atomic_signal_fence(where, order) FAA_ON(where, atomic_signal_fence)((where), (order))

/**
 * faa_atomic_flag_test_and_set_explicit(), faa_atomic_flag_test_and_set() - set a flag
 * @where: stream or host thread
 * @d: receives 1 if the flag was set before, else 0
 * @object: the flag, an integer that is 0 or 1
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_flag_test_and_set_explicit(where, d, object, order, scope) \
	faa_atomic_exchange_explicit(where, d, object, faa_imm(1), order, scope)
#define faa_atomic_flag_test_and_set(where, d, object) \
	faa_atomic_exchange(where, d, object, faa_imm(1))

/**
 * faa_atomic_flag_clear_explicit(), faa_atomic_flag_clear() - clear a flag
 * @where: stream or host thread
 * @object: the flag, an integer that is 0 or 1
 * @order: without _explicit FAA_MEMORY_ORDER_SEQ_CST; RELAXED, RELEASE or SEQ_CST
 * @scope: without _explicit FAA_THREAD_SCOPE_SYSTEM
 *
 * Return: 0; -EINVAL: an operand, order or scope that the operation does not have.
 */
#define faa_atomic_flag_clear_explicit(where, object, order, scope) \
	faa_atomic_store_explicit(where, object, faa_imm(0), order, scope)
#define faa_atomic_flag_clear(where, object) faa_atomic_store(where, object, faa_imm(0))

/**
 * FAA_REPEAT_WHILE - execute the next statement, then repeat it while @a @cmp @b
 * @where: stream or host thread
 * @predicate: P0..P6, overwritten
 * @cmp: enum faa_cmp
 * @type: type of SETP; an integer on a host thread
 * @count: lanes that are compared, of which one is enough; 1 on a host thread
 * @a: left operand
 * @b: right operand
 *
 * On a stream the statement is built once, and the device repeats it; on a host thread the program
 * repeats it.
 */
#define FAA_REPEAT_WHILE(where, predicate, cmp, type, count, a, b)                             \
	for (struct faa_loop faa_loop_ = FAA_ON(where, loop_begin)((where), (predicate));      \
	     faa_loop_.again; FAA_ON(where, loop_end)((where), &faa_loop_, (predicate), (cmp), \
						      (type), (count), (a), (b)))

#endif /* FAA_ATOMIC_H */
