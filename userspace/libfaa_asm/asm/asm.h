/* SPDX-License-Identifier: MIT */
/*
 * The interface of a language to faa_asm.h, and functions that languages share.
 */
#ifndef FAA_ASM_LANGUAGE_H
#define FAA_ASM_LANGUAGE_H

#include "../faa_asm.h"

/** struct faa_asm_log - errors of a text */
struct faa_asm_log {
	/** @errors: @count errors, with room for @capacity. */
	struct faa_asm_error *errors;
	size_t capacity, count;
};

/** faa_asm_log_add() - append an error. Return: whether there is room for one more. */
bool faa_asm_log_add(struct faa_asm_log *log, const struct faa_asm_error *error);

/** struct faa_asm_language - a language; a form or a function that it lacks is NULL */
struct faa_asm_language {
	/** @name: argument of --syntax */
	const char *name;
	/**
	 * @read_text: read code from text. Return: 0; -EINVAL with @log, which has one error or
	 * more; -ENOMEM.
	 */
	int (*read_text)(const void *data, size_t size, struct faa_asm_code **code,
			 struct faa_asm_log *log);
	/**
	 * @read: as faa_asm_read(), indexed by enum faa_asm_format, except text; @code is the
	 * structure of the language, which begins with struct faa_asm_code
	 */
	int (*read[4])(const void *data, size_t size, struct faa_asm_code **code,
		       struct faa_asm_error *error);
	/** @write: as faa_asm_write(), indexed by enum faa_asm_format */
	int (*write[4])(const struct faa_asm_code *code, void **data, size_t *size,
			struct faa_asm_error *error);
	int (*emit)(const struct faa_asm_code *code, const struct faa_asm_environment *environment,
		    struct faa_stream *stream, struct faa_asm_error *error);
	/**
	 * @choose, @variable: as faa_asm_choose(), faa_asm_variable(); NULL: no kernels, or no
	 * variables
	 */
	int (*choose)(struct faa_asm_code *code, const char *name, struct faa_asm_error *error);
	bool (*variable)(const struct faa_asm_code *code, size_t index,
			 struct faa_asm_variable *variable);
	size_t (*count)(const struct faa_asm_code *code);
	void (*destroy)(struct faa_asm_code *code);
};

struct faa_asm_code {
	const struct faa_asm_language *language;
};

extern const struct faa_asm_language faa_asm_sass, faa_asm_visa, faa_asm_ptx;

/** faa_asm_fail() - set an error and its place; @error may be NULL. Return: -EINVAL. */
int faa_asm_fail(struct faa_asm_error *error, uint32_t line, uint32_t column, const char *format,
		 ...) __attribute__((format(printf, 4, 5)));

#endif /* FAA_ASM_LANGUAGE_H */
