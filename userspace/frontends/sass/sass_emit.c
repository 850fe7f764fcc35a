// SPDX-License-Identifier: MIT
#include <errno.h>
#include "sass.h"
int sass_emit(const struct faa_asm_code *code, const struct faa_asm_environment *environment, struct faa_stream *stream,
	      struct faa_asm_error *error)
{
	return -ENOSYS;
}
