// SPDX-License-Identifier: MIT
/**
 * DOC: Word count with compare-and-swap
 *
 * A hash table with open addressing: a word takes the first slot that is free or its own, and a
 * compare-and-swap decides whether a slot is free. All words try at the same time; a word whose
 * slot has another word tries the next one. Counts the words of the standard input.
 * userspace/examples/python/words.py is the same in Python.
 */
#include <stdio.h>

#include <faa.h>

#define SLOTS 4096u
#define WORDS 65536u

/* Pointers of the process are addresses of the device, which works on these arrays. */
static uint64_t words_keys[SLOTS], words_hashes[WORDS], words_slots[WORDS], words_before[WORDS];
static uint32_t words_counts[SLOTS], words_number[WORDS], words_owner[SLOTS];
static char words[WORDS][64];

/* FNV-1a; 0 is the key of a free slot. */
static uint64_t words_hash_of(const char *word)
{
	uint64_t hash = 0xcbf29ce484222325;

	while (*word)
		hash = (hash ^ (unsigned char)*word++) * 0x100000001b3;
	return hash | 1;
}

/* before[e] = CAS(keys[slots[e]], 0, hashes[e]) */
static int words_try_slots(struct faa_queue *queue, struct faa_stream *stream, uint64_t count)
{
	struct faa_operand slot = faa_array_u64((uintptr_t)words_slots, 8);
	struct faa_job job = { 0 };

	faa_stream_reset(stream);
	faa_stream_atom(stream, FAA_ATOM_OP_CAS, FAA_TYPE_U64, FAA_SCOPE_GPU, FAA_ORDER_RELAXED,
			count, faa_array_u64((uintptr_t)words_before, 8),
			faa_scaled(slot, 3, (uintptr_t)words_keys), 0, faa_imm(0),
			faa_array_u64((uintptr_t)words_hashes, 8));
	faa_stream_end(stream);
	if (faa_stream_finish(stream))
		return -1;
	job.stream_va = (uintptr_t)faa_stream_words(stream, NULL);
	job.stream_bytes = (uint32_t)faa_stream_bytes(stream);
	return faa_queue_run(queue, &job, FAA_NO_DEADLINE, NULL);
}

/* Counts the words that have their slot. The others try the next one; returns how many. */
static uint64_t words_advance(uint64_t count)
{
	uint64_t i, left = 0;

	for (i = 0; i < count; i++) {
		if (!words_before[i])
			words_owner[words_slots[i]] = words_number[i];
		if (!words_before[i] || words_before[i] == words_hashes[i]) {
			words_counts[words_slots[i]]++;
			continue;
		}
		words_hashes[left] = words_hashes[i];
		words_number[left] = words_number[i];
		words_slots[left++] = (words_slots[i] + 1) % SLOTS;
	}
	return left;
}

int main(void)
{
	struct faa_device *device = NULL;
	struct faa_vm *vm = NULL;
	struct faa_queue *queue = NULL;
	struct faa_stream *stream = NULL;
	uint64_t left;
	uint32_t i;
	int ret;

	for (left = 0; left < WORDS && scanf("%63s", words[left]) == 1; left++) {
		words_hashes[left] = words_hash_of(words[left]);
		words_slots[left] = words_hashes[left] % SLOTS;
		words_number[left] = (uint32_t)left;
	}
	ret = faa_device_open(&device) || faa_vm_create(device, &vm) || faa_vm_share_process(vm) ||
	      faa_queue_create(vm, NULL, &queue) || faa_stream_create(&stream);
	/* After this many rounds a word has tried every slot. */
	for (i = 0; !ret && left && i < SLOTS; i++, left = words_advance(left))
		ret = words_try_slots(queue, stream, left);
	if (!ret && left)
		ret = faa_fail(-1, "more than %u different words", SLOTS);
	for (i = 0; !ret && i < SLOTS; i++)
		if (words_counts[i])
			printf("%7u %s\n", words_counts[i], words[words_owner[i]]);
	if (ret)
		fprintf(stderr, "words: %s\n", faa_last_error());
	faa_stream_destroy(stream);
	faa_queue_destroy(queue);
	faa_vm_unref(vm);
	faa_device_unref(device);
	return ret ? 1 : 0;
}
