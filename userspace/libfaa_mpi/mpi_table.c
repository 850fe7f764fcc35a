// SPDX-License-Identifier: MIT
/* Tables: made by all ranks, which compare their options, and divided evenly. */
#include "mpi_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_BATCH 65536

/* Options in which all ranks must agree. */
struct table_terms {
	uint64_t elements;
	uint32_t type;
	uint32_t exact;
	uint32_t batch;
	uint32_t padding;
};

int table_fail(struct faa_mpi_table *table, const char *name, const struct failure *failure)
{
	if (!failure->error)
		return 0;
	if (failure->lasting && !table->failure.error)
		table->failure = *failure;
	if (failure->source < 0)
		return faa_fail(failure->error, "%s: rank %d: %s", name, failure->rank,
				failure->text);
	return faa_fail(failure->error,
			"%s: rank %d: update %" PRIu64 " from rank %d in exchange %" PRIu64 ": %s",
			name, failure->rank, failure->element, failure->source, failure->round,
			failure->text);
}

static int table_check_type(const struct faa_mpi_table_options *options)
{
	switch (options->type) {
	case FAA_TYPE_F32:
		return 0;
	case FAA_TYPE_U32:
	case FAA_TYPE_S32:
	case FAA_TYPE_U64:
	case FAA_TYPE_S64:
	case FAA_TYPE_F64:
		return options->exact ? faa_fail(-EINVAL, "exact sums are of the type F32") : 0;
	default:
		return faa_fail(-EINVAL, "type %d: a table has U32, S32, U64, S64, F32 or F64",
				(int)options->type);
	}
}

static int table_check(struct faa_mpi_table_options *options, int ranks)
{
	if (!options->batch)
		options->batch = TABLE_BATCH;
	if (options->batch > FAA_MPI_MAX_BATCH)
		return faa_fail(-EINVAL, "batch %" PRIu32 ": at most %u", options->batch,
				FAA_MPI_MAX_BATCH);
	if (ranks > FAA_MPI_MAX_RANKS)
		return faa_fail(-EINVAL, "%d ranks: at most %d", ranks, FAA_MPI_MAX_RANKS);
	if (!options->elements || options->elements > (uint64_t)ranks * FAA_MPI_MAX_PART)
		return faa_fail(-EINVAL, "%" PRIu64 " elements: from 1 to %u for each of %d ranks",
				options->elements, FAA_MPI_MAX_PART, ranks);
	return table_check_type(options);
}

/* Number of the rank among those of the same machine; a negative errno. */
static int table_local_rank(MPI_Comm comm)
{
	MPI_Comm local;
	int rank;

	if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local))
		return faa_fail(-EIO, "MPI does not tell the ranks of this machine");
	MPI_Comm_rank(local, &rank);
	MPI_Comm_free(&local);
	return rank;
}

static int table_open_device(int local, struct faa_device **device)
{
	int count = faa_device_count();

	if (count < 0)
		return count;
	return faa_device_open_index(count ? (unsigned int)(local % count) : 0, device);
}

/* Makes the caller's part of the table. */
static int table_open_owner(struct faa_mpi_table *table, int local)
{
	struct exchange *exchange = &table->exchange;
	struct owner_shape shape = { .ranks = (uint32_t)exchange->ranks,
				     .type = table->options.type,
				     .exact = table->options.exact,
				     .elements = exchange->shape.part,
				     .limit = exchange->shape.limit };
	struct faa_device *device = table->options.device;
	int ret = 0;

	if (device)
		faa_device_ref(device);
	else
		ret = table_open_device(local, &device);
	if (!ret)
		ret = owner_open(&table->owner, device, &shape);
	faa_device_unref(device);
	return ret;
}

/* Compares the options of this rank with those of rank 0. */
static int table_compare(struct faa_mpi_table *table)
{
	struct table_terms own = { .elements = table->options.elements,
				   .type = table->options.type,
				   .exact = table->options.exact,
				   .batch = table->options.batch };
	struct table_terms first = own;

	if (MPI_Bcast(&first, sizeof(first), MPI_BYTE, 0, table->exchange.comm))
		return faa_fail(-EIO, "MPI does not tell the options of rank 0");
	if (memcmp(&own, &first, sizeof(own)))
		return faa_fail(-EINVAL, "its options differ from those of rank 0");
	return 0;
}

static void table_set_shape(struct faa_mpi_table *table)
{
	struct batch_shape *shape = &table->exchange.shape;

	shape->owners = (uint32_t)table->exchange.ranks;
	shape->part = batch_part(table->options.elements, shape->owners);
	shape->most = table->options.batch;
	shape->limit = batch_limit(shape->most, shape->owners);
	table->exchange.owner = &table->owner;
}

/* Ends a step that may fail on one rank alone: all ranks learn of it. */
static int table_agree(struct faa_mpi_table *table, int ret)
{
	struct failure agreed;

	if (ret)
		failure_set(&table->exchange.own, ret, false, "%s", faa_last_error());
	exchange_agree(&table->exchange, &agreed);
	return table_fail(table, "faa_mpi_table_create", &agreed);
}

static int table_open(struct faa_mpi_table *table, const struct faa_mpi_table_options *options,
		      size_t options_size)
{
	int local, ret;

	ret = faa_struct_read(&table->options, sizeof(table->options), options, options_size,
			      "struct faa_mpi_table_options");
	if (!ret)
		ret = table_check(&table->options, table->exchange.ranks);
	ret = table_agree(table, ret);
	if (!ret)
		ret = table_agree(table, table_compare(table));
	if (ret)
		return ret;
	table_set_shape(table);
	local = table_local_rank(table->exchange.comm);
	ret = local < 0 ? local : table_open_owner(table, local);
	if (!ret)
		ret = exchange_open(&table->exchange);
	return table_agree(table, ret);
}

static void table_free(struct faa_mpi_table *table)
{
	exchange_close(&table->exchange);
	owner_close(&table->owner);
	MPI_Comm_free(&table->exchange.comm);
	free(table);
}

int faa_mpi_table_create_sized(MPI_Comm comm, const struct faa_mpi_table_options *options,
			       size_t options_size, struct faa_mpi_table **made)
{
	struct faa_mpi_table *table = calloc(1, sizeof(*table));
	int ready, ret;

	*made = NULL;
	if (!table)
		return faa_fail(-ENOMEM, "the program has no memory for a table");
	ret = MPI_Initialized(&ready);
	if (ret || !ready || MPI_Comm_dup(comm, &table->exchange.comm)) {
		free(table);
		return faa_fail(
			-EIO,
			"faa_mpi_table_create: MPI_Init() comes first, and a valid communicator");
	}
	MPI_Comm_rank(table->exchange.comm, &table->exchange.rank);
	MPI_Comm_size(table->exchange.comm, &table->exchange.ranks);
	ret = table_open(table, options, options_size);
	if (ret) {
		table_free(table);
		return ret;
	}
	*made = table;
	return 0;
}

void faa_mpi_table_destroy(struct faa_mpi_table *table)
{
	if (!table)
		return;
	exchange_finish(&table->exchange);
	table_free(table);
}

void faa_mpi_table_part_sized(const struct faa_mpi_table *table, struct faa_mpi_part *part,
			      size_t part_size)
{
	uint64_t size = table->exchange.shape.part;
	uint64_t first = size * (uint64_t)table->exchange.rank;
	uint64_t elements = table->options.elements;
	struct faa_mpi_part own = { .first = first < elements ? first : elements,
				    .memory = table->owner.table.memory };

	own.count = elements - own.first < size ? elements - own.first : size;
	faa_struct_write(part, part_size, &own, sizeof(own));
}

void faa_mpi_table_failure_sized(const struct faa_mpi_table *table, struct faa_mpi_failure *failure,
				 size_t failure_size)
{
	struct faa_mpi_failure own = { .error = table->failure.error,
				       .rank = table->failure.rank,
				       .source = table->failure.source,
				       .round = table->failure.round,
				       .element = table->failure.element };

	faa_struct_write(failure, failure_size, &own, sizeof(own));
}
