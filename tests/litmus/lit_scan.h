/* SPDX-License-Identifier: MIT */
/* Words of a line, and errors with their position. */
#ifndef LIT_SCAN_H
#define LIT_SCAN_H

#include "lit.h"

/** struct lit_scan - position of the reader in a file */
struct lit_scan {
	const char *next, *end;
	/** @line, @line_end: the current line, without its end. */
	const char *line, *line_end;
	/** @at: the rest of the line. */
	const char *at;
	unsigned int line_number;
	struct lit_error *error;
};

/** struct lit_word - characters of a line */
struct lit_word {
	const char *text;
	size_t size;
};

/** lit_order_names, lit_scope_names, lit_rmw_names - words of the enumerations */
extern const char *const lit_order_names[];
extern const char *const lit_scope_names[];
extern const char *const lit_rmw_names[];

/** lit_kind_name() - the word of a kind of instruction. */
const char *lit_kind_name(enum lit_kind kind);

/** lit_next_line() - go to the next line; false at the end of the file. */
bool lit_next_line(struct lit_scan *scan);

/** lit_next_word() - the next word of the line, of size 0 at its end. */
struct lit_word lit_next_word(struct lit_scan *scan);

/** lit_is() - whether a word is @text. */
bool lit_is(struct lit_word word, const char *text);

/**
 * lit_name() - whether a word is a name: a letter, then letters, digits and underscores, LIT_NAME -
 * 1 at most.
 */
bool lit_name(struct lit_word word);

/** lit_number() - @word as a decimal number that fits 32 bits. */
bool lit_number(struct lit_word word, int32_t *number);

/** lit_fail() - an error at @at of the current line; returns -EINVAL. */
int lit_fail(struct lit_scan *scan, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** lit_line_done() - 0 if nothing is left of the line, else an error. */
int lit_line_done(struct lit_scan *scan);

/** lit_find_location() - index of the location @word, -1. */
int lit_find_location(const struct lit_test *test, struct lit_word word);

/** lit_letter(), lit_digit() - of names and numbers; an underscore counts as a letter */
bool lit_letter(char c);
bool lit_digit(char c);

/** lit_find_register() - index of the register @number if @thread writes it, -1. */
int lit_find_register(const struct lit_thread *thread, unsigned int number);

/** lit_register() - whether @word is "r" and a number up to 9999. */
bool lit_register(struct lit_word word, unsigned int *number);

/** lit_parse_place() - parse "1:r0" or "x" at the start of @word, and remove it. */
int lit_parse_place(struct lit_scan *scan, const struct lit_test *test, struct lit_word *word,
		    struct lit_column *what);

/** lit_parse_op() - an instruction line of @thread; @word is its first word. */
int lit_parse_op(struct lit_scan *scan, struct lit_test *test, struct lit_thread *thread,
		 struct lit_word word);

/** lit_parse_ask() - the question, which is the rest of the line. */
int lit_parse_ask(struct lit_scan *scan, struct lit_test *test);

/** lit_columns() - number of columns of a table: registers that are written, and locations. */
unsigned int lit_columns(const struct lit_test *test);

/** lit_default_columns() - columns of a test without a table: registers in ascending order. */
void lit_default_columns(struct lit_test *test);

#endif /* LIT_SCAN_H */
