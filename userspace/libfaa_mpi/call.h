/* SPDX-License-Identifier: MIT */
#ifndef MPI_CALL_H
#define MPI_CALL_H

#include <faa.h>
#include <faa_exact.h>

/* Operands of an update: CAS has two. */
#define CALL_OPERANDS 2

/** enum call_kind - functions of the library that exchange updates */
enum call_kind {
	CALL_UPDATE,
	CALL_FETCH,
	CALL_CAS,
	CALL_GATHER,
	CALL_EXACT_ADD,
	CALL_EXACT_READ,
	CALL_FLUSH,
};

/** struct call - a call of one rank */
struct call {
	/** @name: of the function. */
	const char *name;
	enum call_kind kind;
	/** @op: of CALL_UPDATE and CALL_FETCH. */
	enum faa_atom_op op;
	/** @indices: @count indices of elements of the table. */
	const uint64_t *indices;
	/** @operands: @operand_count arrays of @count items of @operand_bytes, multiples of 4. */
	const void *operands[CALL_OPERANDS];
	uint32_t operand_count;
	uint32_t operand_bytes;
	/** @results: @count items of @result_bytes, @result_stride apart; @result_bytes 0: none. */
	void *results;
	uint32_t result_bytes;
	size_t result_stride;
	size_t count;
};

#endif /* MPI_CALL_H */
