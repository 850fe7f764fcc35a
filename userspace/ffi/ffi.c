// SPDX-License-Identifier: MIT
/*
 * libdrm_faa-ffi: the inline functions of the public headers as functions, for languages that
 * cannot compile C. The headers are the only source: they are compiled with "static inline"
 * removed, which makes each inline function an exported one.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/types.h>

/* The headers above are those that the public headers include; from here on only those are read. */
#define static
#define inline

#include "faa.h"
#include "faa_atomic.h"

/*
 * A binding loads this library alone and finds the functions of libdrm_faa through it: the linker
 * keeps a library that is referred to.
 */
const char *(*const faa_ffi_needs)(void)__attribute__((used)) = faa_last_error;
