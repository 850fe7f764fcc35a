/* SPDX-License-Identifier: MIT */
#ifndef IMAGE_H
#define IMAGE_H

#include <stddef.h>
#include <stdint.h>

/** struct image - pixels of 8 bits a channel, rows and pixels without gaps */
struct image {
	uint32_t width;
	uint32_t height;
	/** @channels: 1 grey, 3 red green blue. */
	uint32_t channels;
	uint8_t *pixels;
	/** @note: information lost by the conversion to 8-bit grey or RGB, or NULL. */
	const char *note;
};

/** image_read_png() - read a PNG of any kind; 0, or -1 with a sentence in @error (@size bytes). */
int image_read_png(const char *path, struct image *image, char *error, size_t size);

/** image_write_png() - write @image; 0, or -1 with a sentence in @error (@size bytes). */
int image_write_png(const char *path, const struct image *image, char *error, size_t size);

/** image_free() - free the pixels. */
void image_free(struct image *image);

#endif /* IMAGE_H */
