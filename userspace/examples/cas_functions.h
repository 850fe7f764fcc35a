/* SPDX-License-Identifier: MIT */
/**
 * DOC: Two functions made of CAS loops
 *
 * An unsigned 64-bit minimum, as a CUDA program would write atomicMin(), and an addition that stops at 2^32 - 1, which no
 * device has. What they do to memory on the device is followed here on the CPU as well.
 */
#ifndef CAS_FUNCTIONS_H
#define CAS_FUNCTIONS_H

#include "faa.h"

/** struct cas_function - one function: how the device computes it, how the CPU does */
struct cas_function {
	/** @name: for messages. */
	const char *name;
	/** @type: of the word in shared memory and of the operand, U32 or U64. */
	enum faa_type type;
	/** @body: of the loop; its data points to the number of the operand's register, a uint8_t. */
	int (*body)(struct faa_stream *stream, const struct faa_cas_loop *loop, void *data);
	/** @compute: the new value of a word. */
	uint64_t (*compute)(uint64_t old, uint64_t operand);
};

/** CAS_FUNCTIONS - number of functions in cas_functions[] */
#define CAS_FUNCTIONS 2

extern const struct cas_function cas_functions[CAS_FUNCTIONS];

/** struct cas_lane - one lane's operation */
struct cas_lane {
	/** @word: index of its word. */
	uint32_t word;
	/** @operand: its operand. */
	uint64_t operand;
	/** @old: what it got back. */
	uint64_t old;
};

/**
 * cas_explain() - whether the lanes' operations, one after the other in some order, give these results
 * @function: the function; applied again it never leads back to a value that the word had before
 * @lanes: @count lanes with the values that they got back
 * @count: how many, at most 64
 * @words: in: the words before; out: after the operations, as the lanes' values explain them
 *
 * Return: -1 if there is such an order, else the number of a lane whose value no order explains.
 */
int cas_explain(const struct cas_function *function, const struct cas_lane *lanes,
		unsigned int count, uint64_t *words);

#endif /* CAS_FUNCTIONS_H */
