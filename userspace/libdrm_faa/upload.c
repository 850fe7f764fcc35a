// SPDX-License-Identifier: MIT
/* Copies a stream of the program to a BO. */
#include "bo.h"
#include "error.h"
#include "stream.h"

#include <endian.h>
#include <errno.h>

int faa_stream_upload(struct faa_stream *stream, struct faa_bo *bo, uint64_t offset)
{
	size_t bytes = faa_stream_bytes(stream);
	uint64_t *out;
	void *address;
	size_t i;
	int ret;

	ret = faa_stream_finish(stream);
	if (ret)
		return ret;
	if (offset % 8)
		return faa_fail(-EINVAL, "upload: offset %llu is not a multiple of 8",
				(unsigned long long)offset);
	if (offset > bo->size || bytes > bo->size - offset)
		return faa_fail(-ENOSPC,
				"upload: a stream of %zu bytes from byte %llu on of a BO of %llu",
				bytes, (unsigned long long)offset, (unsigned long long)bo->size);
	ret = faa_bo_map(bo, &address);
	if (ret)
		return ret;
	out = (uint64_t *)((char *)address + offset);
	for (i = 0; i < stream->count; i++)
		out[i] = htole64(stream->words[i]);
	return 0;
}
