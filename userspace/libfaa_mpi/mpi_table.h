/* SPDX-License-Identifier: MIT */
#ifndef MPI_TABLE_H
#define MPI_TABLE_H

#include "exchange.h"
#include "faa_mpi.h"

/** struct faa_mpi_table - a table; owner and exchange are those of this rank */
struct faa_mpi_table {
	struct faa_mpi_table_options options;
	struct owner owner;
	struct exchange exchange;
	/** @failure: of the table, the same on all ranks; error 0: none. */
	struct failure failure;
};

/**
 * table_fail() - report a failure that the ranks have agreed on
 * @table: table; keeps a lasting failure
 * @name: of the function
 * @failure: failure, or none
 *
 * Return: its error, with the reason in faa_last_error(); 0 if there is none.
 */
int table_fail(struct faa_mpi_table *table, const char *name, const struct failure *failure);

#endif /* MPI_TABLE_H */
