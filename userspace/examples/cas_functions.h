/* SPDX-License-Identifier: MIT */
/**
 * DOC: Two functions made of CAS loops
 *
 * An unsigned 64-bit minimum, as a CUDA program would write atomicMin(), and an addition that
 * saturates at 2^32 - 1, which no device has. The CPU checks their effects on memory.
 */
#ifndef CAS_FUNCTIONS_H
#define CAS_FUNCTIONS_H

#include "faa.h"

/** struct cas_function - one function, for the device and for the CPU */
struct cas_function {
	/** @name: for messages. */
	const char *name;
	/** @type: of the word in shared memory and of the operand, U32 or U64. */
	enum faa_type type;
	/** @body: of the loop; its data points to the operand's register number, a uint8_t. */
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
	/** @old: the result that it received. */
	uint64_t old;
};

/**
 * cas_explain() - whether some sequential order of the lanes' operations gives these results
 * @function: the function; repeated use never leads back to an earlier value of the word
 * @lanes: @count lanes with their results
 * @count: number of lanes, at most 64
 * @words: in: the words before; out: after the operations, by the lanes' results
 *
 * Return: -1 if there is such an order, else the number of a lane whose result no order explains.
 */
int cas_explain(const struct cas_function *function, const struct cas_lane *lanes,
		unsigned int count, uint64_t *words);

#endif /* CAS_FUNCTIONS_H */
