/* SPDX-License-Identifier: MIT */
/* Tokens of a file of herd7, and errors with their position. */
#ifndef HERD_SCAN_H
#define HERD_SCAN_H

#include "lit_scan.h"

/** struct herd - the reader of a file */
struct herd {
	const char *text, *end;
	/** @at: the rest of the file. */
	const char *at;
	struct lit_test *test;
	struct lit_error *error;
	/** @hosts: bit i: thread i is of the host. */
	uint32_t hosts;
	/** @lost: the error of a comment without an end, for herd_next(). */
	bool lost;
};

/**
 * herd_next() - the next token: a name (letter, then letters, digits and underscores), a number,
 * one of the signs of two characters, or a character. Empty at the end of the file, and at a
 * comment that does not end.
 */
struct lit_word herd_next(struct herd *h);

/** herd_peek() - the next token, which stays. */
struct lit_word herd_peek(struct herd *h);

/** herd_take() - whether the next token is @text; if so, it is taken. */
bool herd_take(struct herd *h, const char *text);

/** herd_expect() - take the token @text, or fail. */
int herd_expect(struct herd *h, const char *text);

/** herd_fail() - an error at @at; returns -EINVAL. */
int herd_fail(struct herd *h, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/** herd_proc() - take the name of a thread, like P0, that the file has. */
int herd_proc(struct herd *h, unsigned int *thread);

/** herd_location() - index of the location @word, which is added with the value 0 if it is new. */
int herd_location(struct herd *h, struct lit_word word);

/** herd_scopes() - the tree of scopes, after "scopes:". */
int herd_scopes(struct herd *h);

/** herd_question() - the condition at the end of the file. */
int herd_question(struct herd *h);

#endif /* HERD_SCAN_H */
