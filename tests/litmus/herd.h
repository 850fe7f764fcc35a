/* SPDX-License-Identifier: MIT */
/**
 * DOC: Files of herd7
 *
 * herd7 (https://github.com/herd/herdtools7) simulates memory models that are written in its
 * language cat. LISA is its language of litmus tests for architectures whose instructions are
 * declared in a file: tests/litmus/herd/ptx.bell, for the model tests/litmus/herd/ptx.cat.
 */
#ifndef HERD_H
#define HERD_H

#include <stdio.h>

#include "lit.h"

/**
 * herd_write() - write a test as a file of herd7
 * @original: the test, from lit_parse(); locations that LISA has no names for are renamed
 * @out: file; nothing is written in case of an error
 *
 * Return: 0; -EOPNOTSUPP with a message on stderr if LISA cannot express the test: it has no
 * compare-exchange. Errors of @out are the caller's to check.
 */
int herd_write(const struct lit_test *original, FILE *out);

/**
 * herd_parse() - read a test of herd7's language LISA
 * @text: the file, which begins with "LISA"
 * @size: bytes of it
 * @test: out, zeroed by the caller
 * @error: out: the error
 *
 * The question is "exists" or "forall" or their negation with "~". It is judged if the file has a
 * line "Verdict=allowed" or "Verdict=forbidden", or if it is "~exists", which is forbidden.
 * Threads are on the device, except those of a line "Host=P1 P2".
 *
 * Return: 0; -EINVAL with @error; -ENOMEM.
 */
int herd_parse(const char *text, size_t size, struct lit_test *test, struct lit_error *error);

#endif /* HERD_H */
