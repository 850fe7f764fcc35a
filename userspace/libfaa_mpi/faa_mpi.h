/* SPDX-License-Identifier: MIT */
/**
 * DOC: Tables over several devices
 *
 * A table of elements is divided among the ranks of an MPI communicator, and each rank has a faa
 * device that holds its part. A call updates elements anywhere in the table: the library sorts the
 * updates by owner, exchanges them with non-blocking collectives of MPI, and each owner's device
 * executes what it gets. Documentation/mpi.rst specifies the exchange.
 *
 * The functions are collective unless they say otherwise: all ranks of the communicator call them
 * in the same order, each with any number of updates, also none. They return 0, or the same
 * negative errno on every rank; faa_last_error() then names the rank, the element and the reason.
 *
 * Threads: as MPI, which the functions call; a table belongs to one thread at a time.
 */
#ifndef FAA_MPI_H
#define FAA_MPI_H

#include <faa.h>
#include <faa_exact.h>
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

struct faa_mpi_table;

/** FAA_MPI_MAX_RANKS - most ranks of a table's communicator */
#define FAA_MPI_MAX_RANKS 65536
/** FAA_MPI_MAX_PART - most elements of a table that one rank owns */
#define FAA_MPI_MAX_PART (1u << 31)
/** FAA_MPI_MAX_BATCH - greatest batch of struct faa_mpi_table_options */
#define FAA_MPI_MAX_BATCH (1u << 20)

/** struct faa_mpi_table_options - what a table is; the same on all ranks, but for the device */
struct faa_mpi_table_options {
	/** @elements: of the whole table, from 1 to FAA_MPI_MAX_PART for each rank. */
	uint64_t elements;
	/** @type: of an element: U32, S32, U64, S64, F32 or F64. F32 with @exact. */
	enum faa_type type;
	/** @exact: each element is an exact sum of f32 numbers (faa_exact.h). */
	bool exact;
	/** @batch: most updates that a rank sends at once, to FAA_MPI_MAX_BATCH; 0: 65536. */
	uint32_t batch;
	/**
	 * @device: the caller's device; NULL: the library opens one, of several the next for each
	 * rank of the same machine.
	 */
	struct faa_device *device;
};

/** faa_mpi_table_create_sized() - faa_mpi_table_create() with the structure's size. */
int faa_mpi_table_create_sized(MPI_Comm comm, const struct faa_mpi_table_options *options,
			       size_t options_size, struct faa_mpi_table **table);

/**
 * faa_mpi_table_create() - divide a table among the ranks of a communicator; its elements are zero
 * @comm: communicator, of which the table has a duplicate
 * @options: what it is
 * @table: out: the table
 *
 * Rank r of n owns the elements from r * ceil(elements / n) to those of rank r + 1. The last ranks
 * of a small table may own none.
 *
 * Return: 0; -EINVAL: an option is out of range, or differs between ranks; -EOPNOTSUPP: a device
 * lacks FAA_FEATURE_GLOBAL_ATOMICS or, for @options->exact, FAA_FEATURE_ALU; errors of
 * faa_device_open(), faa_vm_create(), faa_vm_map_userptr() and faa_queue_create(); -ENOMEM; -EIO:
 * MPI failed and its error handler returned.
 */
static inline int faa_mpi_table_create(MPI_Comm comm, const struct faa_mpi_table_options *options,
				       struct faa_mpi_table **table)
{
	return faa_mpi_table_create_sized(comm, options, sizeof(*options), table);
}

/**
 * faa_mpi_table_destroy() - wait for all updates and give the table up; NULL is allowed
 * @table: table; collective
 */
void faa_mpi_table_destroy(struct faa_mpi_table *table);

/** struct faa_mpi_part - the part of a table that a rank owns */
struct faa_mpi_part {
	/** @first: its first element. */
	uint64_t first;
	/** @count: number of elements. */
	uint64_t count;
	/** @memory: the elements, of 4 or 8 bytes, or struct faa_exact_cell. */
	void *memory;
};

/** faa_mpi_table_part_sized() - faa_mpi_table_part() with the structure's size. */
void faa_mpi_table_part_sized(const struct faa_mpi_table *table, struct faa_mpi_part *part,
			      size_t part_size);

/**
 * faa_mpi_table_part() - the caller's own part, which the program may read and write
 * @table: table; not collective
 * @part: out
 *
 * Only between a faa_mpi_flush() and the next call of any rank that changes or reads elements; a
 * program that writes needs MPI_Barrier() after it.
 */
static inline void faa_mpi_table_part(const struct faa_mpi_table *table, struct faa_mpi_part *part)
{
	faa_mpi_table_part_sized(table, part, sizeof(*part));
}

/** struct faa_mpi_failure - why a table failed, the same on all ranks */
struct faa_mpi_failure {
	/** @error: the negative errno; 0: it has not failed. */
	int error;
	/** @rank: the rank on which it failed. */
	int rank;
	/** @source: the rank that sent the update, -1 if it failed for another reason. */
	int source;
	/** @round: number of the exchange since the table was made; with @source. */
	uint64_t round;
	/** @element: number of the update among those of @source in that exchange. */
	uint64_t element;
};

/** faa_mpi_table_failure_sized() - faa_mpi_table_failure() with the structure's size. */
void faa_mpi_table_failure_sized(const struct faa_mpi_table *table, struct faa_mpi_failure *failure,
				 size_t failure_size);

/**
 * faa_mpi_table_failure() - why the table has failed for good
 * @table: table; not collective
 * @failure: out
 *
 * A table whose device failed on one rank has failed on all: each later call returns the same
 * error. A refused argument is no failure of the table.
 */
static inline void faa_mpi_table_failure(const struct faa_mpi_table *table,
					 struct faa_mpi_failure *failure)
{
	faa_mpi_table_failure_sized(table, failure, sizeof(*failure));
}

/**
 * faa_mpi_update() - element[indices[i]] = element[indices[i]] @op values[i], without a result
 * @table: table, not of exact sums
 * @op: enum faa_atom_op other than CAS, CAST, FCMPWR and those without an operand; legal for the
 *     table's type, faa_stream_atom()
 * @indices: @count indices of elements
 * @values: @count values of the table's type
 * @count: 0 or more
 *
 * Each update is one atomic operation. Those of a rank to one element are applied after those of
 * its former calls; in no order within a call, and in none with those of other ranks. On return the
 * arrays may be changed, but devices may still execute the last updates; faa_mpi_flush() waits for
 * them.
 *
 * Return: 0; -EINVAL: an argument of one of the ranks, or ranks that call different functions: no
 * update of the call is done; the error of the table's failure.
 */
int faa_mpi_update(struct faa_mpi_table *table, enum faa_atom_op op, const uint64_t *indices,
		   const void *values, size_t count);

/**
 * faa_mpi_fetch() - faa_mpi_update() whose result is the old value of each element
 * @table: table, not of exact sums
 * @op: as faa_mpi_update()
 * @indices: @count indices of elements
 * @values: @count values of the table's type
 * @old: out: @count values, in the order of @indices; undefined after an error
 * @count: 0 or more
 *
 * On return all updates of the call are done.
 *
 * Return: as faa_mpi_update().
 */
int faa_mpi_fetch(struct faa_mpi_table *table, enum faa_atom_op op, const uint64_t *indices,
		  const void *values, void *old, size_t count);

/**
 * faa_mpi_cas() - compare and swap: elements that equal compare[i] become desired[i]
 * @table: table of U32, S32, U64 or S64, not of exact sums
 * @indices: @count indices of elements
 * @compare: @count values
 * @desired: @count values
 * @old: out: @count values that were there, in the order of @indices; undefined after an error
 * @count: 0 or more
 *
 * Return: as faa_mpi_update().
 */
int faa_mpi_cas(struct faa_mpi_table *table, const uint64_t *indices, const void *compare,
		const void *desired, void *old, size_t count);

/**
 * faa_mpi_gather() - read elements
 * @table: table, not of exact sums
 * @indices: @count indices of elements
 * @values: out: @count values, in the order of @indices; undefined after an error
 * @count: 0 or more
 *
 * A value is not older than the last update of the same rank.
 *
 * Return: as faa_mpi_update().
 */
int faa_mpi_gather(struct faa_mpi_table *table, const uint64_t *indices, void *values,
		   size_t count);

/**
 * faa_mpi_exact_add() - add numbers to exact sums
 * @table: table of exact sums
 * @indices: @count indices of sums
 * @values: @count numbers
 * @count: 0 or more
 *
 * The bits of a sum depend on the numbers alone, not on their order nor on the number of ranks.
 *
 * Return: as faa_mpi_update().
 */
int faa_mpi_exact_add(struct faa_mpi_table *table, const uint64_t *indices, const float *values,
		      size_t count);

/** faa_mpi_exact_read_sized() - faa_mpi_exact_read() with the structure's size. */
int faa_mpi_exact_read_sized(struct faa_mpi_table *table, const uint64_t *indices,
			     struct faa_exact_sum *sums, size_t sum_size, size_t count);

/**
 * faa_mpi_exact_read() - read exact sums, rounded as by faa_exact_read()
 * @table: table of exact sums
 * @indices: @count indices of sums
 * @sums: out: @count sums, in the order of @indices; undefined after an error. More than
 *     FAA_EXACT_MAX_ADDENDS addends: both results are NaN
 * @count: 0 or more
 *
 * All additions of the same rank are in the sums; those of other ranks after faa_mpi_flush().
 *
 * Return: as faa_mpi_update().
 */
static inline int faa_mpi_exact_read(struct faa_mpi_table *table, const uint64_t *indices,
				     struct faa_exact_sum *sums, size_t count)
{
	return faa_mpi_exact_read_sized(table, indices, sums, sizeof(*sums), count);
}

/**
 * faa_mpi_flush() - wait until the updates of all ranks are done
 * @table: table
 *
 * Return: as faa_mpi_update().
 */
int faa_mpi_flush(struct faa_mpi_table *table);

/** faa_mpi_add() - faa_mpi_update() with FAA_ATOM_OP_ADD */
static inline int faa_mpi_add(struct faa_mpi_table *table, const uint64_t *indices,
			      const void *values, size_t count)
{
	return faa_mpi_update(table, FAA_ATOM_OP_ADD, indices, values, count);
}

/** faa_mpi_min() - faa_mpi_update() with FAA_ATOM_OP_MIN */
static inline int faa_mpi_min(struct faa_mpi_table *table, const uint64_t *indices,
			      const void *values, size_t count)
{
	return faa_mpi_update(table, FAA_ATOM_OP_MIN, indices, values, count);
}

/** faa_mpi_max() - faa_mpi_update() with FAA_ATOM_OP_MAX */
static inline int faa_mpi_max(struct faa_mpi_table *table, const uint64_t *indices,
			      const void *values, size_t count)
{
	return faa_mpi_update(table, FAA_ATOM_OP_MAX, indices, values, count);
}

/** faa_mpi_fetch_add() - faa_mpi_fetch() with FAA_ATOM_OP_ADD */
static inline int faa_mpi_fetch_add(struct faa_mpi_table *table, const uint64_t *indices,
				    const void *values, void *old, size_t count)
{
	return faa_mpi_fetch(table, FAA_ATOM_OP_ADD, indices, values, old, count);
}

#ifdef __cplusplus
}
#endif

#endif /* FAA_MPI_H */
