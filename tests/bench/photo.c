// SPDX-License-Identifier: MIT
/* The photograph of the examples. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "data_path.h"
#include "image.h"

static void photo_path(char *path, size_t size)
{
#ifdef BENCH_PHOTO_PATH
	/* A program that is not installed reads it from the source tree. */
	snprintf(path, size, "%s", BENCH_PHOTO_PATH);
#else
	data_path("photo.png", path, size);
#endif
}

uint8_t *bench_photo(uint32_t count)
{
	char path[PATH_MAX], error[256];
	uint8_t *values = malloc(count);
	struct image image;
	size_t pixels;
	uint32_t e;

	if (!values) {
		fprintf(stderr, "faa-bench: no memory for %u pixels\n", count);
		return NULL;
	}
	photo_path(path, sizeof(path));
	if (image_read_png(path, &image, error, sizeof(error))) {
		fprintf(stderr, "faa-bench: %s\n", error);
		free(values);
		return NULL;
	}
	pixels = (size_t)image.width * image.height;
	for (e = 0; e < count; e++)
		values[e] = image.pixels[e % pixels * image.channels];
	image_free(&image);
	return values;
}
