// SPDX-License-Identifier: MIT
/**
 * DOC: A race of two queues, for tests of faa-run --seed
 *
 * In each round queue 1 gets a job that stores 1 into a word, and queue 2 after it one that works
 * for a while and then stores 2. The program relies on the order of submission: it ends with status
 * 1 if a word has the value 1. It prints the words, a digit each.
 */
#include <stdio.h>

#include <faa.h>

#define ROUNDS 8
#define WORK   512

/* Parts of the buffer, in bytes from its start; a stream of each queue for each round. */
enum { WORDS = 0, SCRATCH = 1024, STREAMS = 4096, STREAM_BYTES = 512 };

#define SIZE (STREAMS + 2 * ROUNDS * STREAM_BYTES)

struct race {
	struct faa_device *device;
	struct faa_bo *bo;
	struct faa_vm *vm;
	struct faa_queue *queue[2];
	struct faa_stream *stream;
	uint64_t va, seqno[2];
	void *memory;
};

static int race_open(struct race *race)
{
	struct faa_queue_options options = { 0 };

	return faa_device_open(&race->device) || faa_bo_create(race->device, SIZE, 0, &race->bo) ||
	       faa_bo_map(race->bo, &race->memory) || faa_vm_create(race->device, &race->vm) ||
	       faa_vm_map(race->vm, race->bo, 0, 0, 0, &race->va) ||
	       faa_queue_create(race->vm, &options, &race->queue[0]) ||
	       faa_queue_create(race->vm, &options, &race->queue[1]) ||
	       faa_stream_create(&race->stream);
}

/* Queue @index stores its number, after @work stores into another word. */
static int race_submit(struct race *race, unsigned int round, unsigned int index, unsigned int work)
{
	uint64_t offset = STREAMS + (2 * round + index) * STREAM_BYTES;
	struct faa_job job = { .stream_va = race->va + offset };
	struct faa_stream *stream = race->stream;

	faa_stream_reset(stream);
	if (work)
		faa_stream_st(stream, FAA_TYPE_U32, work, faa_imm(race->va + SCRATCH), 0,
			      faa_imm(0));
	faa_stream_st(stream, FAA_TYPE_U32, 1, faa_imm(race->va + WORDS + 4 * round), 0,
		      faa_imm(index + 1));
	faa_stream_end(stream);
	if (faa_stream_upload(stream, race->bo, offset))
		return -1;
	job.stream_bytes = faa_stream_bytes(stream);
	return faa_queue_submit(race->queue[index], &job, 1, &race->seqno[index]);
}

static int race_run(struct race *race)
{
	for (unsigned int round = 0; round < ROUNDS; round++) {
		if (race_submit(race, round, 0, 0) || race_submit(race, round, 1, WORK))
			return -1;
		for (unsigned int i = 0; i < 2; i++)
			if (faa_queue_wait(race->queue[i], race->seqno[i],
					   faa_deadline(5000000000)))
				return -1;
	}
	return 0;
}

int main(void)
{
	struct race race = { 0 };
	int lost = 0;

	if (race_open(&race) || race_run(&race)) {
		fprintf(stderr, "race: %s\n", faa_last_error());
		return 2;
	}
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t word = ((uint32_t *)race.memory)[WORDS / 4 + i];

		lost |= word == 1;
		putchar('0' + (int)word);
	}
	putchar('\n');
	faa_stream_destroy(race.stream);
	faa_queue_destroy(race.queue[0]);
	faa_queue_destroy(race.queue[1]);
	faa_vm_unref(race.vm);
	faa_bo_unref(race.bo);
	faa_device_unref(race.device);
	return lost;
}
