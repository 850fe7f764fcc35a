/* SPDX-License-Identifier: MIT */
#ifndef FAA_TABLE_H
#define FAA_TABLE_H

#include "faa.h"

/** struct faa_table - words that the CPU writes and the device reads: a header pool or a constant bank */
struct faa_table {
	struct faa_vm *vm;
	struct faa_bo *bo;
	uint64_t va;
	/* Little-endian. */
	uint32_t *words;
};

/** faa_table_create() - @words words, 0; on failure faa_table_destroy() releases what there is of the zeroed @table. */
int faa_table_create(struct faa_table *table, struct faa_vm *vm, uint32_t words);

/** faa_table_destroy() - undo faa_table_create(). */
void faa_table_destroy(struct faa_table *table);

#endif /* FAA_TABLE_H */
