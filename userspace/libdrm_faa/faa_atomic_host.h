/* SPDX-License-Identifier: MIT */
/**
 * DOC: Atomic operations on a thread of the host
 *
 * A host thread is one lane of a stream that is executed as it is written: it has the registers of
 * a lane, and accesses memory of the device by device addresses. All its accesses are at system
 * scope, whatever scope is named. A part of faa_atomic.h, which includes it.
 */
/* Before the guard: faa_atomic.h includes this file where its own types are known. */
#include "faa_atomic.h"

#ifndef FAA_ATOMIC_HOST_H
#define FAA_ATOMIC_HOST_H

#include <errno.h>
#include <string.h>

/**
 * struct faa_host_thread - a lane on the host; zero at first, except @offset
 *
 * It belongs to one thread.
 */
struct faa_host_thread {
	/**
	 * @offset: host address minus device address of the memory; 0 in a shared VM
	 * (faa_vm_share_process()).
	 */
	uintptr_t offset;
	/** @reg: R0..R254; a 64-bit value has its low half in an even register. RZ is ignored. */
	uint32_t reg[256];
	/** @predicate: P0..P6; PT is ignored. */
	bool predicate[8];
	/** @error: the first error, 0 if there was none. */
	int error;
	/** @why: the first error, as a static text. */
	const char *why;
};

static inline int faa_host_fail_(struct faa_host_thread *thread, const char *why)
{
	if (!thread->error) {
		thread->error = -EINVAL;
		thread->why = why;
	}
	return -EINVAL;
}

/* Bytes of an integer type, 0 for other types. */
static inline unsigned int faa_host_bytes_(unsigned int type)
{
	switch (type) {
	case FAA_TYPE_U8:
	case FAA_TYPE_S8:
		return 1;
	case FAA_TYPE_U16:
	case FAA_TYPE_S16:
		return 2;
	case FAA_TYPE_U32:
	case FAA_TYPE_S32:
		return 4;
	case FAA_TYPE_U64:
	case FAA_TYPE_S64:
		return 8;
	default:
		return 0;
	}
}

/* The low bytes of a value as @type, sign- or zero-extended. */
static inline uint64_t faa_host_extend_(unsigned int type, uint64_t value)
{
	switch (type) {
	case FAA_TYPE_U8:
		return (uint8_t)value;
	case FAA_TYPE_S8:
		return (uint64_t)(int8_t)value;
	case FAA_TYPE_U16:
		return (uint16_t)value;
	case FAA_TYPE_S16:
		return (uint64_t)(int16_t)value;
	case FAA_TYPE_U32:
		return (uint32_t)value;
	case FAA_TYPE_S32:
		return (uint64_t)(int32_t)value;
	default:
		return value;
	}
}

/* An access that may race with another thread. */
static inline uint64_t faa_host_read_(uintptr_t address, unsigned int bytes, int order)
{
	switch (bytes) {
	case 1:
		return __atomic_load_n((uint8_t *)address, order);
	case 2:
		return __atomic_load_n((uint16_t *)address, order);
	case 4:
		return __atomic_load_n((uint32_t *)address, order);
	default:
		return __atomic_load_n((uint64_t *)address, order);
	}
}

static inline void faa_host_write_(uintptr_t address, unsigned int bytes, uint64_t value, int order)
{
	switch (bytes) {
	case 1:
		__atomic_store_n((uint8_t *)address, (uint8_t)value, order);
		break;
	case 2:
		__atomic_store_n((uint16_t *)address, (uint16_t)value, order);
		break;
	case 4:
		__atomic_store_n((uint32_t *)address, (uint32_t)value, order);
		break;
	default:
		__atomic_store_n((uint64_t *)address, value, order);
		break;
	}
}

/* Element 0 of an operand of @bits bits. */
static inline uint64_t faa_host_get_(struct faa_host_thread *thread, struct faa_operand o,
				     unsigned int bits)
{
	uint64_t value;

	switch (o.kind) {
	case FAA_KIND_REG:
		if (o.reg == FAA_RZ)
			return 0;
		value = thread->reg[o.reg];
		if (bits == 64)
			value |= (uint64_t)thread->reg[o.reg | 1] << 32;
		return value;
	case FAA_KIND_IMM:
	case FAA_KIND_AFFINE:
		return o.value;
	case FAA_KIND_STREAM:
		value = faa_host_read_(thread->offset + o.value, faa_host_bytes_(o.type),
				       __ATOMIC_RELAXED);
		return o.step + (faa_host_extend_(o.type, value) << o.shift);
	default:
		return 0;
	}
}

/* Store the result of type @type, extended to a register if it is narrower. */
static inline void faa_host_put_(struct faa_host_thread *thread, struct faa_operand d,
				 unsigned int type, uint64_t value)
{
	value = faa_host_extend_(type, value);
	if (d.kind == FAA_KIND_STREAM)
		faa_host_write_(thread->offset + d.value, faa_host_bytes_(d.type), value,
				__ATOMIC_RELAXED);
	if (d.kind != FAA_KIND_REG || d.reg == FAA_RZ)
		return;
	thread->reg[d.reg] = (uint32_t)value;
	if (faa_host_bytes_(type) == 8)
		thread->reg[d.reg | 1] = (uint32_t)(value >> 32);
}

/* Address of the object; 0, and an error, if a host thread cannot access it. */
static inline uintptr_t faa_host_object_(struct faa_host_thread *thread,
					 struct faa_atomic_object object)
{
	unsigned int bytes = faa_host_bytes_(object.type);
	uint64_t address =
		faa_host_get_(thread, object.address, 64) + (uint64_t)(int64_t)object.offset;

	if (!bytes || object.count != 1)
		faa_host_fail_(thread, "a host thread accesses one integer at a time");
	else if (address % bytes)
		faa_host_fail_(thread, "the address is no multiple of the object's size");
	else
		return thread->offset + address;
	return 0;
}

/* The order for the compiler; consume is acquire. */
static inline int faa_host_order_(enum faa_memory_order order)
{
	switch (order) {
	case FAA_MEMORY_ORDER_RELAXED:
		return __ATOMIC_RELAXED;
	case FAA_MEMORY_ORDER_CONSUME:
	case FAA_MEMORY_ORDER_ACQUIRE:
		return __ATOMIC_ACQUIRE;
	case FAA_MEMORY_ORDER_RELEASE:
		return __ATOMIC_RELEASE;
	case FAA_MEMORY_ORDER_ACQ_REL:
		return __ATOMIC_ACQ_REL;
	default:
		return __ATOMIC_SEQ_CST;
	}
}

/** faa_host_atomic_fence() - faa_stream_atomic_fence() on a host thread */
static inline int faa_host_atomic_fence(struct faa_host_thread *thread, enum faa_memory_order order,
					enum faa_thread_scope scope)
{
	const char *why = faa_atomic_why(FAA_ATOMIC_ACCESS_FENCE, order, scope);

	if (why)
		return faa_host_fail_(thread, why);
	if (order != FAA_MEMORY_ORDER_RELAXED)
		__atomic_thread_fence(faa_host_order_(order));
	return 0;
}

/** faa_host_atomic_signal_fence() - order with a signal handler, for the compiler alone */
static inline int faa_host_atomic_signal_fence(struct faa_host_thread *thread,
					       enum faa_memory_order order)
{
	const char *why = faa_atomic_why(FAA_ATOMIC_ACCESS_FENCE, order, FAA_THREAD_SCOPE_SYSTEM);

	if (why)
		return faa_host_fail_(thread, why);
	__atomic_signal_fence(faa_host_order_(order));
	return 0;
}

/*
 * The device orders seq_cst accesses by a fence before them. Compilers add theirs after stores;
 * if both take part an access needs a fence before and one after it.
 */
static inline void faa_host_fence_before_(enum faa_memory_order order)
{
	if (order == FAA_MEMORY_ORDER_SEQ_CST)
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/** faa_host_atomic_load() - faa_stream_atomic_load() on a host thread */
static inline int faa_host_atomic_load(struct faa_host_thread *thread, struct faa_operand d,
				       struct faa_atomic_object object, enum faa_memory_order order,
				       enum faa_thread_scope scope)
{
	const char *why = faa_atomic_why(FAA_ATOMIC_ACCESS_LOAD, order, scope);
	uintptr_t address = why ? 0 : faa_host_object_(thread, object);

	if (why)
		return faa_host_fail_(thread, why);
	if (!address)
		return -EINVAL;
	faa_host_fence_before_(order);
	faa_host_put_(thread, d, object.type,
		      faa_host_read_(address, faa_host_bytes_(object.type),
				     faa_host_order_(order)));
	return 0;
}

/** faa_host_atomic_store() - faa_stream_atomic_store() on a host thread */
static inline int faa_host_atomic_store(struct faa_host_thread *thread,
					struct faa_atomic_object object, struct faa_operand value,
					enum faa_memory_order order, enum faa_thread_scope scope)
{
	const char *why = faa_atomic_why(FAA_ATOMIC_ACCESS_STORE, order, scope);
	uintptr_t address = why ? 0 : faa_host_object_(thread, object);
	unsigned int bytes = faa_host_bytes_(object.type);

	if (why)
		return faa_host_fail_(thread, why);
	if (!address)
		return -EINVAL;
	faa_host_fence_before_(order);
	faa_host_write_(address, bytes, faa_host_get_(thread, value, 8 * bytes),
			faa_host_order_(order));
	return 0;
}

/* Result of an operation on @old; false if a host thread does not have it. */
static inline bool faa_host_apply_(enum faa_atom_op op, unsigned int type, uint64_t old,
				   uint64_t value, uint64_t *out)
{
	bool is_signed = type == FAA_TYPE_S16 || type == FAA_TYPE_S32 || type == FAA_TYPE_S64;
	uint64_t a = faa_host_extend_(type, old), b = faa_host_extend_(type, value);
	bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

	switch (op) {
	case FAA_ATOM_OP_ADD:
		*out = a + b;
		return true;
	case FAA_ATOM_OP_SUB:
		*out = a - b;
		return true;
	case FAA_ATOM_OP_AND:
		*out = a & b;
		return true;
	case FAA_ATOM_OP_OR:
		*out = a | b;
		return true;
	case FAA_ATOM_OP_XOR:
		*out = a ^ b;
		return true;
	case FAA_ATOM_OP_EXCH:
		*out = b;
		return true;
	case FAA_ATOM_OP_MIN:
		*out = less ? a : b;
		return true;
	case FAA_ATOM_OP_MAX:
		*out = less ? b : a;
		return true;
	default:
		return false;
	}
}

/* One attempt to replace *@old, which then holds the value of the memory. */
static inline bool faa_host_swap_(uintptr_t address, unsigned int bytes, uint64_t *old,
				  uint64_t desired, int success, int failure)
{
	uint16_t old16 = (uint16_t)*old;
	uint32_t old32 = (uint32_t)*old;
	bool done;

	switch (bytes) {
	case 2:
		done = __atomic_compare_exchange_n((uint16_t *)address, &old16, (uint16_t)desired,
						   false, success, failure);
		*old = old16;
		return done;
	case 4:
		done = __atomic_compare_exchange_n((uint32_t *)address, &old32, (uint32_t)desired,
						   false, success, failure);
		*old = old32;
		return done;
	default:
		return __atomic_compare_exchange_n((uint64_t *)address, old, desired, false,
						   success, failure);
	}
}

/**
 * faa_host_atomic_rmw() - faa_stream_atomic_rmw() on a host thread
 *
 * @op is ADD, SUB, AND, OR, XOR, EXCH, MIN or MAX.
 */
static inline int faa_host_atomic_rmw(struct faa_host_thread *thread, enum faa_atom_op op,
				      struct faa_operand d, struct faa_atomic_object object,
				      struct faa_operand value, enum faa_memory_order order,
				      enum faa_thread_scope scope)
{
	const char *why = faa_atomic_why(FAA_ATOMIC_ACCESS_RMW, order, scope);
	uintptr_t address = why ? 0 : faa_host_object_(thread, object);
	unsigned int bytes = faa_host_bytes_(object.type);
	uint64_t operand, old, desired;

	if (why)
		return faa_host_fail_(thread, why);
	if (!address)
		return -EINVAL;
	if (bytes == 1 || !faa_host_apply_(op, object.type, 0, 0, &desired))
		return faa_host_fail_(thread, "a host thread has no such atomic operation");
	operand = faa_host_get_(thread, value, 8 * bytes);
	faa_host_fence_before_(order);
	old = faa_host_read_(address, bytes, __ATOMIC_RELAXED);
	do {
		faa_host_apply_(op, object.type, old, operand, &desired);
	} while (!faa_host_swap_(address, bytes, &old, desired, faa_host_order_(order),
				 __ATOMIC_RELAXED));
	faa_host_put_(thread, d, object.type, old);
	return 0;
}

/** faa_host_atomic_compare_exchange() - faa_stream_atomic_compare_exchange() on a host thread */
static inline int faa_host_atomic_compare_exchange(
	struct faa_host_thread *thread, unsigned int predicate, struct faa_operand d,
	struct faa_atomic_object object, struct faa_operand expected, struct faa_operand desired,
	enum faa_memory_order success, enum faa_memory_order failure, enum faa_thread_scope scope)
{
	const char *why = faa_atomic_why(FAA_ATOMIC_ACCESS_RMW, success, scope);
	uintptr_t address = why ? 0 : faa_host_object_(thread, object);
	unsigned int bytes = faa_host_bytes_(object.type);
	enum faa_memory_order order = faa_atomic_exchange_order(success, failure);
	uint64_t old;
	bool done;

	why = why ? why : faa_atomic_why(FAA_ATOMIC_ACCESS_FAILURE, failure, scope);
	if (why)
		return faa_host_fail_(thread, why);
	if (!address)
		return -EINVAL;
	if (bytes == 1 || predicate > FAA_PT)
		return faa_host_fail_(thread,
				      "a compare-exchange has 16 bits at least, and P0..P6 or PT");
	old = faa_host_get_(thread, expected, 8 * bytes);
	faa_host_fence_before_(order);
	done = faa_host_swap_(address, bytes, &old, faa_host_get_(thread, desired, 8 * bytes),
			      faa_host_order_(order),
			      faa_host_order_(faa_atomic_failure_order(order)));
	faa_host_put_(thread, d, object.type, old);
	if (predicate < FAA_PT)
		thread->predicate[predicate] = done;
	return 0;
}

/** faa_host_ld() - faa_stream_ld() of one element */
static inline int faa_host_ld(struct faa_host_thread *thread, enum faa_type type, uint64_t count,
			      struct faa_operand d, struct faa_operand a, int32_t offset)
{
	return faa_host_atomic_load(thread, d, faa_atomic_each(type, count, a, offset),
				    FAA_MEMORY_ORDER_RELAXED, FAA_THREAD_SCOPE_SYSTEM);
}

/** faa_host_st() - faa_stream_st() of one element */
static inline int faa_host_st(struct faa_host_thread *thread, enum faa_type type, uint64_t count,
			      struct faa_operand a, int32_t offset, struct faa_operand b)
{
	return faa_host_atomic_store(thread, faa_atomic_each(type, count, a, offset), b,
				     FAA_MEMORY_ORDER_RELAXED, FAA_THREAD_SCOPE_SYSTEM);
}

/** faa_host_mov() - faa_stream_mov() of one element */
static inline int faa_host_mov(struct faa_host_thread *thread, enum faa_type type, uint64_t count,
			       struct faa_operand d, struct faa_operand a)
{
	unsigned int bytes = faa_host_bytes_(type);

	if (bytes < 4 || count != 1)
		return faa_host_fail_(thread, "a host thread moves one integer of 32 or 64 bits");
	faa_host_put_(thread, d, type, faa_host_get_(thread, a, 8 * bytes));
	return 0;
}

/** faa_host_alu() - faa_stream_alu() of one element of an integer type */
static inline int faa_host_alu(struct faa_host_thread *thread, enum faa_alu_op op,
			       enum faa_type type, uint64_t count, struct faa_operand d,
			       struct faa_operand a, struct faa_operand b)
{
	unsigned int bits = 8 * faa_host_bytes_(type);
	uint64_t left, right, out;

	if (bits < 32 || count != 1 || (unsigned int)op > FAA_ALU_OP_MUL)
		return faa_host_fail_(thread,
				      "a host thread computes with one integer of 32 or 64 bits");
	left = faa_host_extend_(type, faa_host_get_(thread, a, bits));
	right = faa_host_extend_(type, faa_host_get_(thread, b, bits));
	switch (op) {
	case FAA_ALU_OP_MUL:
		out = left * right;
		break;
	case FAA_ALU_OP_SHL:
		out = left << (right % bits);
		break;
	case FAA_ALU_OP_SHR:
		out = type == FAA_TYPE_S32 || type == FAA_TYPE_S64 ?
			      (uint64_t)((int64_t)left >> (right % bits)) :
			      left >> (right % bits);
		break;
	default: {
		/* In the order of enum faa_alu_op. */
		static const enum faa_atom_op same[] = { FAA_ATOM_OP_ADD, FAA_ATOM_OP_SUB,
							 FAA_ATOM_OP_MIN, FAA_ATOM_OP_MAX,
							 FAA_ATOM_OP_AND, FAA_ATOM_OP_OR,
							 FAA_ATOM_OP_XOR };

		faa_host_apply_(same[op], type, left, right, &out);
		break;
	}
	}
	faa_host_put_(thread, d, type, out);
	return 0;
}

/** faa_host_loop_begin() - faa_stream_loop_begin() on a host thread */
static inline struct faa_loop faa_host_loop_begin(struct faa_host_thread *thread,
						  unsigned int predicate)
{
	struct faa_loop loop = { 0, !thread->error };

	if (predicate < FAA_PT)
		thread->predicate[predicate] = false;
	return loop;
}

/** faa_host_loop_end() - faa_stream_loop_end() on a host thread; an error ends the loop */
static inline void faa_host_loop_end(struct faa_host_thread *thread, struct faa_loop *loop,
				     unsigned int predicate, enum faa_cmp cmp, enum faa_type type,
				     uint64_t count, struct faa_operand a, struct faa_operand b)
{
	unsigned int bits = 8 * faa_host_bytes_(type);
	uint64_t left = faa_host_extend_(type, faa_host_get_(thread, a, bits));
	uint64_t right = faa_host_extend_(type, faa_host_get_(thread, b, bits));
	bool is_signed = type == FAA_TYPE_S32 || type == FAA_TYPE_S64;
	bool less = is_signed ? (int64_t)left < (int64_t)right : left < right;
	const bool holds[] = { left == right,	      left != right,	      less,
			       less || left == right, !less && left != right, !less };

	if (bits < 32 || count != 1)
		faa_host_fail_(thread, "a host thread compares one integer of 32 or 64 bits");
	loop->again = !thread->error && (unsigned int)cmp <= FAA_CMP_GE && holds[cmp];
	if (predicate < FAA_PT)
		thread->predicate[predicate] = loop->again;
}

#endif /* FAA_ATOMIC_HOST_H */
