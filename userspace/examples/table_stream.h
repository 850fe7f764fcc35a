/* SPDX-License-Identifier: MIT */
#ifndef TABLE_STREAM_H
#define TABLE_STREAM_H

#include "faa.h"

/** struct table_entry - a slot of the hash table */
struct table_entry {
	/** @key: 0: the slot is free. */
	uint32_t key;
	/** @count: insertions of the key. */
	uint32_t count;
};

/** TABLE_ENTRY_SHIFT - log2 of the bytes of an entry */
#define TABLE_ENTRY_SHIFT 3

/** TABLE_MULTIPLIER - of the hash function: 2^32 times the golden ratio */
#define TABLE_MULTIPLIER 0x9e3779b1u

/** table_hash() - slot at which the search for @key begins in a table of 2^@log2 slots, 1..31 */
static inline uint32_t table_hash(uint32_t key, unsigned int log2)
{
	return key * TABLE_MULTIPLIER >> (32 - log2);
}

/** struct table_work - device addresses and sizes of a stream's data */
struct table_work {
	/** @slots: 2^@log2 entries. */
	uint64_t slots;
	unsigned int log2;
	/** @keys: array of 32-bit keys, not 0. */
	uint64_t keys;
	/** @results: array of 32-bit words, for table_add_lookup(). */
	uint64_t results;
	/** @begin, @end: range of keys of this stream. */
	uint32_t begin, end;
};

/**
 * table_add_insert() - add the commands that insert keys, for any number of queues at a time
 *
 * A CAS claims a free slot for a key; a lane that finds another key continues with the next slot.
 * An ADD then counts the insertion. The table must have a free slot for each new key. Registers
 * R0..R11 and predicates P0, P1 are used; R1, R5 and R7 must be zero and stay so, as in a new
 * queue.
 */
void table_add_insert(struct faa_stream *stream, const struct table_work *work);

/**
 * table_add_lookup() - add the commands that store the count of each key, or 0, in the results
 *
 * Registers as above, and P2.
 */
void table_add_lookup(struct faa_stream *stream, const struct table_work *work);

#endif /* TABLE_STREAM_H */
