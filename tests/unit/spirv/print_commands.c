// SPDX-License-Identifier: MIT
/*
 * Prints the commands of every stream before it goes to the device: linked with
 * --wrap=faa_stream_upload.
 */
#include <stdio.h>

#include "faa.h"

int __real_faa_stream_upload(struct faa_stream *stream, struct faa_bo *bo, uint64_t offset);
int __wrap_faa_stream_upload(struct faa_stream *stream, struct faa_bo *bo, uint64_t offset);

int __wrap_faa_stream_upload(struct faa_stream *stream, struct faa_bo *bo, uint64_t offset)
{
	int ret = __real_faa_stream_upload(stream, bo, offset);
	const uint64_t *words;
	unsigned int used;
	char text[256];
	size_t count;

	words = faa_stream_words(stream, &count);
	for (; !ret && count; words += used, count -= used) {
		faa_disassemble(words, count, &used, text, sizeof(text));
		puts(text);
	}
	return ret;
}
