// SPDX-License-Identifier: MIT
/* The functions that update and read elements: checks of the arguments, then the exchange. */
#include "mpi_table.h"

#include <errno.h>
#include <inttypes.h>

static int update_refuse(struct faa_mpi_table *table, int error)
{
	return failure_set(&table->exchange.own, error, false, "%s", faa_last_error());
}

static int update_check_indices(const struct faa_mpi_table *table, const struct call *call)
{
	size_t i;

	for (i = 0; i < call->count; i++)
		if (call->indices[i] >= table->options.elements)
			return faa_fail(-EINVAL,
					"update %zu: index %" PRIu64 " of a table of %" PRIu64
					" elements",
					i, call->indices[i], table->options.elements);
	return 0;
}

static int update_check_pointers(const struct call *call)
{
	uint32_t i;
	bool missing = !call->indices || (call->result_bytes && !call->results);

	for (i = 0; i < call->operand_count; i++)
		missing |= !call->operands[i];
	return call->count && missing ? faa_fail(-EINVAL, "an array is NULL") : 0;
}

static bool update_is_exact(const struct call *call)
{
	return call->kind == CALL_EXACT_ADD || call->kind == CALL_EXACT_READ;
}

static int update_check(struct faa_mpi_table *table, const struct call *call)
{
	int ret = 0;

	if (call->kind != CALL_FLUSH && update_is_exact(call) != table->options.exact)
		ret = faa_fail(-EINVAL, table->options.exact ? "the elements are exact sums" :
							       "the elements are no exact sums");
	if (!ret)
		ret = update_check_pointers(call);
	if (!ret)
		ret = update_check_indices(table, call);
	return ret ? ret : owner_check(&table->owner, call);
}

static int update_run(struct faa_mpi_table *table, const struct call *call)
{
	struct failure agreed;
	int ret;

	if (table->failure.error)
		return table_fail(table, call->name, &table->failure);
	if (call->kind == CALL_FLUSH)
		exchange_finish(&table->exchange);
	ret = update_check(table, call);
	if (ret)
		update_refuse(table, ret);
	exchange_run(&table->exchange, call, &agreed);
	return table_fail(table, call->name, &agreed);
}

/* A call whose items are of the table's type. */
static struct call update_call(const struct faa_mpi_table *table, const char *name,
			       enum call_kind kind, const uint64_t *indices, size_t count)
{
	return (struct call){ .name = name,
			      .kind = kind,
			      .indices = indices,
			      .count = count,
			      .operand_bytes = faa_type_bits(table->options.type) / 8 };
}

static void update_set_results(struct call *call, void *results, uint32_t bytes, size_t stride)
{
	call->results = results;
	call->result_bytes = bytes;
	call->result_stride = stride;
}

int faa_mpi_update(struct faa_mpi_table *table, enum faa_atom_op op, const uint64_t *indices,
		   const void *values, size_t count)
{
	struct call call = update_call(table, __func__, CALL_UPDATE, indices, count);

	call.op = op;
	call.operands[0] = values;
	call.operand_count = 1;
	return update_run(table, &call);
}

int faa_mpi_fetch(struct faa_mpi_table *table, enum faa_atom_op op, const uint64_t *indices,
		  const void *values, void *old, size_t count)
{
	struct call call = update_call(table, __func__, CALL_FETCH, indices, count);

	call.op = op;
	call.operands[0] = values;
	call.operand_count = 1;
	update_set_results(&call, old, call.operand_bytes, call.operand_bytes);
	return update_run(table, &call);
}

int faa_mpi_cas(struct faa_mpi_table *table, const uint64_t *indices, const void *compare,
		const void *desired, void *old, size_t count)
{
	struct call call = update_call(table, __func__, CALL_CAS, indices, count);

	call.operands[0] = compare;
	call.operands[1] = desired;
	call.operand_count = 2;
	update_set_results(&call, old, call.operand_bytes, call.operand_bytes);
	return update_run(table, &call);
}

int faa_mpi_gather(struct faa_mpi_table *table, const uint64_t *indices, void *values, size_t count)
{
	struct call call = update_call(table, __func__, CALL_GATHER, indices, count);

	update_set_results(&call, values, call.operand_bytes, call.operand_bytes);
	return update_run(table, &call);
}

int faa_mpi_exact_add(struct faa_mpi_table *table, const uint64_t *indices, const float *values,
		      size_t count)
{
	struct call call = update_call(table, __func__, CALL_EXACT_ADD, indices, count);

	call.operands[0] = values;
	call.operand_count = 1;
	return update_run(table, &call);
}

int faa_mpi_exact_read_sized(struct faa_mpi_table *table, const uint64_t *indices,
			     struct faa_exact_sum *sums, size_t sum_size, size_t count)
{
	struct call call = update_call(table, __func__, CALL_EXACT_READ, indices, count);

	call.name = "faa_mpi_exact_read";
	update_set_results(&call, sums, sizeof(*sums), sum_size);
	return update_run(table, &call);
}

int faa_mpi_flush(struct faa_mpi_table *table)
{
	struct call call = update_call(table, __func__, CALL_FLUSH, NULL, 0);

	return update_run(table, &call);
}
