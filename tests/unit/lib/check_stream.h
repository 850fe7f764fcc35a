/* SPDX-License-Identifier: MIT */
/* Tests of one program have a stream of their own each. */
#ifndef CHECK_STREAM_H
#define CHECK_STREAM_H

#include "check.h"

#include "faa.h"

static struct faa_stream *stream;

static inline int setup(void **state)
{
	(void)state;
	return faa_stream_create(&stream);
}

static inline int teardown(void **state)
{
	(void)state;
	faa_stream_destroy(stream);
	return 0;
}

#endif /* CHECK_STREAM_H */
