/* SPDX-License-Identifier: MIT */
/*
 * A growing buffer for the output of a language.
 */
#ifndef FAA_ASM_OUTPUT_H
#define FAA_ASM_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/** struct faa_output - output so far; {0} is empty */
struct faa_output {
	/** @bytes: @size bytes; @capacity are allocated. */
	char *bytes;
	size_t size;
	size_t capacity;
	/** @failed: an allocation failed; nothing more is appended. */
	bool failed;
};

/**
 * faa_output_room() - reserve @size bytes at @output->bytes + @output->size
 *
 * The caller writes the bytes, then adds their number to @output->size.
 *
 * Return: false if there is no memory.
 */
bool faa_output_room(struct faa_output *output, size_t size);

/** faa_output_add() - append @size bytes. */
void faa_output_add(struct faa_output *output, const void *bytes, size_t size);

/** faa_output_text() - append text, without its 0. */
void faa_output_text(struct faa_output *output, const char *text);

/** faa_output_format() - append text formatted as by printf(). */
void faa_output_format(struct faa_output *output, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * faa_output_finish() - hand over the bytes, followed by a 0 that @size does not count
 * @output: is empty afterwards
 * @data: receives the bytes, which the caller frees
 * @size: receives the number of bytes
 *
 * Return: 0; -ENOMEM, also if an earlier allocation failed.
 */
int faa_output_finish(struct faa_output *output, void **data, size_t *size);

/** faa_output_drop() - free the buffer. */
void faa_output_drop(struct faa_output *output);

#endif /* FAA_ASM_OUTPUT_H */
