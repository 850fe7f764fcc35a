/* SPDX-License-Identifier: MIT */
/**
 * DOC: Commands of exact sums: what the sequences have in common
 */
#ifndef FAA_EXACT_EXACT_H
#define FAA_EXACT_EXACT_H

#include "../stream.h"
#include "../faa_exact.h"

/** EXACT_TALLY - byte offset of the tally in a cell */
#define EXACT_TALLY 128
/** EXACT_FLAGS - flags of the tally */
#define EXACT_FLAGS (FAA_EXACT_PLUS_INF | FAA_EXACT_MINUS_INF | FAA_EXACT_NAN)

/**
 * exact_check_common() - check what every sequence checks
 * @stream: stream
 * @name: of the sequence, for sentences
 * @reg: first register
 * @predicate: first predicate
 * @cells: address of the global or shared cells
 *
 * Return: 0 or the stream's error.
 */
int exact_check_common(struct faa_stream *stream, const char *name, uint8_t reg, uint8_t predicate,
		       uint64_t cells);

#endif /* FAA_EXACT_EXACT_H */
