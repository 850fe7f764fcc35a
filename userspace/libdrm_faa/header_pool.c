// SPDX-License-Identifier: MIT
/* The texture headers of a program, in memory of the device. */
#include "error.h"
#include "table.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>

struct faa_header_pool {
	struct faa_table table;
	uint32_t headers;
	/* All places below this one are taken. */
	uint32_t first_free;
	bool taken[];
};

static void pool_put_header(struct faa_header_pool *pool, uint32_t index, const uint32_t *header)
{
	uint32_t *words = pool->table.words + (size_t)index * FAA_HEADER_WORDS;
	unsigned int i;

	for (i = 0; i < FAA_HEADER_WORDS; i++)
		words[i] = htole32(header[i]);
}

static void pool_disable(struct faa_header_pool *pool, uint32_t index)
{
	uint32_t header[FAA_HEADER_WORDS];

	faa_header_disable(header);
	pool_put_header(pool, index, header);
}

int faa_header_pool_create(struct faa_vm *vm, uint32_t headers, struct faa_header_pool **out)
{
	struct faa_header_pool *pool;
	uint32_t index;
	int ret;

	*out = NULL;
	if (!headers || headers > 1u << FAA_HEADER_INDEX_BITS)
		return faa_fail(-EINVAL, "header pool: %u headers: allowed are 1..%u", headers,
				1u << FAA_HEADER_INDEX_BITS);
	pool = calloc(1, sizeof(*pool) + headers * sizeof(pool->taken[0]));
	if (!pool)
		return faa_fail_memory("a header pool");
	pool->headers = headers;
	ret = faa_table_create(&pool->table, vm, headers * FAA_HEADER_WORDS);
	if (ret) {
		faa_header_pool_destroy(pool);
		return ret;
	}
	for (index = 0; index < headers; index++)
		pool_disable(pool, index);
	*out = pool;
	return 0;
}

void faa_header_pool_destroy(struct faa_header_pool *pool)
{
	if (!pool)
		return;
	faa_table_destroy(&pool->table);
	free(pool);
}

int faa_header_pool_add(struct faa_header_pool *pool, const uint32_t *header, uint32_t *index)
{
	*index = 0;
	while (pool->first_free < pool->headers && pool->taken[pool->first_free])
		pool->first_free++;
	if (pool->first_free == pool->headers)
		return faa_fail(-ENOSPC, "header pool: all %u places are taken", pool->headers);
	*index = pool->first_free++;
	pool->taken[*index] = true;
	pool_put_header(pool, *index, header);
	return 0;
}

static int pool_check_taken(const struct faa_header_pool *pool, uint32_t index)
{
	if (index < pool->headers && pool->taken[index])
		return 0;
	return faa_fail(-ENOENT, "header pool: there is no header %u", index);
}

int faa_header_pool_replace(struct faa_header_pool *pool, uint32_t index, const uint32_t *header)
{
	int ret = pool_check_taken(pool, index);

	if (!ret)
		pool_put_header(pool, index, header);
	return ret;
}

int faa_header_pool_remove(struct faa_header_pool *pool, uint32_t index)
{
	int ret = pool_check_taken(pool, index);

	if (ret)
		return ret;
	pool_disable(pool, index);
	pool->taken[index] = false;
	if (index < pool->first_free)
		pool->first_free = index;
	return 0;
}

int faa_header_pool_config(const struct faa_header_pool *pool, struct faa_stream *stream)
{
	return faa_stream_config_headers(stream, pool->table.va, pool->headers - 1);
}
