/* SPDX-License-Identifier: MIT */
#ifndef FAA_TABLE_H
#define FAA_TABLE_H

#include "faa.h"

/** struct faa_table - words for the device: a header pool or a constant bank */
struct faa_table {
	struct faa_vm *vm;
	struct faa_bo *bo;
	uint64_t va;
	/* Little-endian. */
	uint32_t *words;
};

/**
 * faa_table_create() - allocate @words words of 0 in the zeroed @table
 *
 * On failure faa_table_destroy() releases the parts that exist.
 */
int faa_table_create(struct faa_table *table, struct faa_vm *vm, uint32_t words);

/** faa_table_destroy() - undo faa_table_create(). */
void faa_table_destroy(struct faa_table *table);

#endif /* FAA_TABLE_H */
