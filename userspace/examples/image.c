// SPDX-License-Identifier: MIT
#include "image.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

/* Destination of libpng's messages, and the file of the functions below. */
struct png_job {
	FILE *file;
	const char *path;
	char *error;
	size_t size;
	png_bytepp rows;
};

static void image_on_error(png_structp png, png_const_charp message)
{
	struct png_job *job = png_get_error_ptr(png);

	snprintf(job->error, job->size, "%s: %s", job->path, message);
	png_longjmp(png, 1);
}

static void image_on_warning(png_structp png, png_const_charp message)
{
	(void)png;
	(void)message;
}

/* Sets libpng up for 8-bit grey or RGB from any file. */
static void image_convert(png_structp png, png_infop info, struct image *image)
{
	png_byte type = png_get_color_type(png, info);
	png_byte depth = png_get_bit_depth(png, info);

	if (type == PNG_COLOR_TYPE_PALETTE)
		png_set_palette_to_rgb(png);
	if (!(type & PNG_COLOR_MASK_COLOR) && depth < 8)
		png_set_expand_gray_1_2_4_to_8(png);
	if (depth == 16) {
		png_set_scale_16(png);
		image->note = "16-bit values scaled to 8 bits";
	}
	/* Expanding a palette turns its transparency into an alpha channel. */
	if (type & PNG_COLOR_MASK_ALPHA ||
	    (type == PNG_COLOR_TYPE_PALETTE && png_get_valid(png, info, PNG_INFO_tRNS))) {
		png_set_strip_alpha(png);
		image->note = depth == 16 ?
				      "16-bit values scaled to 8 bits, alpha channel ignored" :
				      "alpha channel ignored";
	}
	png_set_interlace_handling(png);
	png_read_update_info(png, info);
}

static void image_read_pixels(png_structp png, png_infop info, struct image *image,
			      struct png_job *job)
{
	size_t row_bytes;
	uint32_t y;

	image->width = png_get_image_width(png, info);
	image->height = png_get_image_height(png, info);
	image->channels = png_get_channels(png, info);
	row_bytes = png_get_rowbytes(png, info);
	if (row_bytes != (size_t)image->width * image->channels ||
	    (image->channels != 1 && image->channels != 3))
		png_error(png, "neither grey nor RGB after conversion");
	image->pixels = malloc(row_bytes * image->height);
	job->rows = malloc(image->height * sizeof(*job->rows));
	if (!image->pixels || !job->rows)
		png_error(png, "image too large for the memory");
	for (y = 0; y < image->height; y++)
		job->rows[y] = image->pixels + y * row_bytes;
	png_read_image(png, job->rows);
	png_read_end(png, NULL);
}

static int image_read_file(struct png_job *job, struct image *image)
{
	png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, job, image_on_error,
						 image_on_warning);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	int ret = -1;

	if (!info) {
		snprintf(job->error, job->size, "%s: no memory", job->path);
	} else if (!setjmp(png_jmpbuf(png))) {
		/* Large images are allowed, up to the size of the memory. */
		png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
		png_init_io(png, job->file);
		png_read_info(png, info);
		image_convert(png, info, image);
		image_read_pixels(png, info, image, job);
		ret = 0;
	}
	png_destroy_read_struct(&png, &info, NULL);
	free(job->rows);
	return ret;
}

int image_read_png(const char *path, struct image *image, char *error, size_t size)
{
	struct png_job job = { .path = path, .error = error, .size = size };
	png_byte head[8];
	int ret = -1;

	memset(image, 0, sizeof(*image));
	job.file = fopen(path, "rb");
	if (!job.file) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	if (fread(head, 1, sizeof(head), job.file) != sizeof(head) ||
	    png_sig_cmp(head, 0, sizeof(head))) {
		snprintf(error, size, "%s: not a PNG file", path);
	} else {
		rewind(job.file);
		ret = image_read_file(&job, image);
	}
	fclose(job.file);
	if (ret)
		image_free(image);
	return ret;
}

static int image_write_file(struct png_job *job, const struct image *image)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, job, image_on_error,
						  image_on_warning);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	int type = image->channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB;
	int ret = -1;

	if (!info) {
		snprintf(job->error, job->size, "%s: no memory", job->path);
	} else if (!setjmp(png_jmpbuf(png))) {
		uint32_t y;

		png_init_io(png, job->file);
		png_set_IHDR(png, info, image->width, image->height, 8, type, PNG_INTERLACE_NONE,
			     PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
		png_write_info(png, info);
		for (y = 0; y < image->height; y++)
			png_write_row(png,
				      image->pixels + (size_t)y * image->width * image->channels);
		png_write_end(png, NULL);
		ret = 0;
	}
	png_destroy_write_struct(&png, &info);
	return ret;
}

int image_write_png(const char *path, const struct image *image, char *error, size_t size)
{
	struct png_job job = { .path = path, .error = error, .size = size };
	int ret;

	job.file = fopen(path, "wb");
	if (!job.file) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	ret = image_write_file(&job, image);
	if (fclose(job.file) && !ret) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		ret = -1;
	}
	return ret;
}

void image_free(struct image *image)
{
	free(image->pixels);
	image->pixels = NULL;
}
