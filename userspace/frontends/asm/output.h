/* SPDX-License-Identifier: MIT */
/*
 * A buffer that grows, for what a language writes.
 */
#ifndef FAA_ASM_OUTPUT_H
#define FAA_ASM_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/** struct faa_output - what is written so far; {0} is empty */
struct faa_output {
	/** @bytes: @size bytes, of @capacity. */
	char *bytes;
	size_t size;
	size_t capacity;
	/** @failed: there was no memory; nothing is added any more. */
	bool failed;
};

/**
 * faa_output_room() - room for @size more bytes at @output->bytes + @output->size, which the caller fills and then counts
 *
 * Return: false if there is no memory.
 */
bool faa_output_room(struct faa_output *output, size_t size);

/** faa_output_add() - append @size bytes. */
void faa_output_add(struct faa_output *output, const void *bytes, size_t size);

/** faa_output_text() - append text, without its 0. */
void faa_output_text(struct faa_output *output, const char *text);

/** faa_output_format() - append as printf() would write. */
void faa_output_format(struct faa_output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * faa_output_finish() - hand over the bytes, with a 0 behind them that @size does not count
 * @output: is empty afterwards
 * @data: receives the bytes, which the caller frees
 * @size: receives their number
 *
 * Return: 0; -ENOMEM, also if an earlier call had no memory.
 */
int faa_output_finish(struct faa_output *output, void **data, size_t *size);

/** faa_output_drop() - free it. */
void faa_output_drop(struct faa_output *output);

#endif /* FAA_ASM_OUTPUT_H */
