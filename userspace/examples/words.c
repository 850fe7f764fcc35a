// SPDX-License-Identifier: MIT
/**
 * DOC: Word count with compare-and-swap
 *
 * Prints the five most frequent words of its standard input. A hash table with open addressing: a
 * word takes the first entry that is free or its own. A compare-and-swap decides whether an entry
 * is free, so 32 words try at the same time. Text and table are in memory of the process, which the
 * VM shares.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include <faa.h>
#include <faa_atomic.h>

#define ENTRIES 4096 /* a power of two */
#define WORDS	3072

/* An entry of the table; hash is 0 while it is free. */
static struct entry {
	uint64_t hash, count;
} table[ENTRIES];
static uint64_t hashes[WORDS];
static char words[WORDS][32];

/* Reads the words of standard input in lower case; returns how many. */
static int words_read(void)
{
	int count;
	char *at;

	for (count = 0; count < WORDS && scanf("%31s", words[count]) == 1; count++) {
		for (at = words[count]; *at; at++)
			hashes[count] = (hashes[count] ^ (*at = tolower(*at))) * 0x100000001b3;
		hashes[count] |= 1;
	}
	return count;
}

/* Counts @lanes words from word @first on. */
static void words_add(struct faa_stream *stream, int first, int lanes)
{
	struct faa_operand hash = faa_reg(0), entry = faa_reg(2), at = faa_reg(4), old = faa_reg(6);
	struct faa_operand mask = faa_imm(sizeof(table) - sizeof(table[0]));
	struct faa_loop loop;

	faa_stream_mov(stream, FAA_TYPE_U64, lanes, hash,
		       faa_stream_u64((uintptr_t)&hashes[first], 8));
	faa_stream_alu(stream, FAA_ALU_OP_AND, FAA_TYPE_U64, lanes, entry, hash, mask);
	loop = faa_stream_loop_begin(stream, 0);
	/* P0: the lane's entry has another word. */
	faa_stream_guard(stream, 0, false);
	faa_stream_alu(stream, FAA_ALU_OP_ADD, FAA_TYPE_U64, lanes, entry, entry,
		       faa_imm(sizeof(table[0])));
	faa_stream_alu(stream, FAA_ALU_OP_AND, FAA_TYPE_U64, lanes, entry, entry, mask);
	faa_stream_alu(stream, FAA_ALU_OP_ADD, FAA_TYPE_U64, lanes, at, entry,
		       faa_imm((uintptr_t)table));
	/* P1: the entry was free, and now it has the word. */
	faa_stream_atomic_compare_exchange(stream, 1, old,
					   faa_atomic_each(FAA_TYPE_U64, lanes, at, 0), faa_imm(0),
					   hash, FAA_MEMORY_ORDER_RELAXED, FAA_MEMORY_ORDER_RELAXED,
					   FAA_THREAD_SCOPE_DEVICE);
	faa_stream_guard(stream, 1, false);
	faa_stream_mov(stream, FAA_TYPE_U64, lanes, old, hash);
	faa_stream_loop_end(stream, &loop, 0, FAA_CMP_NE, FAA_TYPE_U64, lanes, old, hash);
	faa_stream_red(stream, FAA_ATOM_OP_ADD, FAA_TYPE_U64, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
		       lanes, at, offsetof(struct entry, count), faa_imm(1), faa_none());
}

/* Counts all words on the device; 0 or -1. */
static int words_count(int count)
{
	struct faa_device *device = NULL;
	struct faa_vm *vm = NULL;
	struct faa_queue *queue = NULL;
	struct faa_stream *stream = NULL;
	struct faa_job job = { 0 };
	int i, ret = -1;

	if (faa_device_open(&device) || faa_vm_create(device, &vm) || faa_vm_share_process(vm) ||
	    faa_queue_create(vm, NULL, &queue) || faa_stream_create(&stream))
		goto out;
	for (i = 0; i < count; i += FAA_LANES)
		words_add(stream, i, count - i < FAA_LANES ? count - i : FAA_LANES);
	faa_stream_end(stream);
	if (faa_stream_finish(stream))
		goto out;
	job.stream_va = (uintptr_t)faa_stream_words(stream, NULL);
	job.stream_bytes = faa_stream_bytes(stream);
	ret = faa_queue_run(queue, &job, faa_deadline(60000000000), NULL);
out:
	if (ret)
		fprintf(stderr, "words: %s\n", faa_last_error());
	faa_stream_destroy(stream);
	faa_queue_destroy(queue);
	faa_vm_unref(vm);
	faa_device_unref(device);
	return ret;
}

/* More frequent entries first. */
static int words_compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->count < y->count) - (x->count > y->count);
}

int main(void)
{
	int count = words_read(), i, k;

	if (words_count(count))
		return 1;
	qsort(table, ENTRIES, sizeof(table[0]), words_compare);
	for (i = 0; i < 5 && table[i].count; i++) {
		for (k = 0; hashes[k] != table[i].hash; k++)
			;
		printf("%4llu %s\n", (unsigned long long)table[i].count, words[k]);
	}
	return 0;
}
