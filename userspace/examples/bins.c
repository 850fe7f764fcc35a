// SPDX-License-Identifier: MIT
/**
 * DOC: The program of Documentation/programming.rst
 *
 * Counts 1000 bytes into 32 bins in shared memory. The page explains each number in the comments.
 */
#include <stdio.h>

#include <faa.h>

#define COUNT 1000
#define BINS  32

/* Parts of the buffer, in bytes from its start. */
enum { STREAM = 0, INPUT = 4096, RESULT = 8192, SIZE = 12288 };

int main(void)
{
	struct faa_queue_options options = { .shared_bytes = BINS * 4 };
	struct faa_device *device = NULL;
	struct faa_bo *bo = NULL;
	struct faa_vm *vm = NULL;
	struct faa_queue *queue = NULL;
	struct faa_stream *stream = NULL;
	struct faa_operand bins;
	struct faa_job job = { 0 };
	const uint32_t *result;
	uint8_t *input;
	void *memory;
	uint64_t va;
	int i, ret = -1;

	if (faa_device_open(&device) ||		      /* 1 */
	    faa_bo_create(device, SIZE, 0, &bo) ||    /* 2 */
	    faa_bo_map(bo, &memory) ||		      /* 3 */
	    faa_vm_create(device, &vm) ||	      /* 4 */
	    faa_vm_map(vm, bo, 0, 0, 0, &va) ||	      /* 5 */
	    faa_queue_create(vm, &options, &queue) || /* 6 */
	    faa_stream_create(&stream))		      /* 7 */
		goto out;

	input = (uint8_t *)memory + INPUT;
	for (i = 0; i < COUNT; i++) /* 8 */
		input[i] = i % BINS;

	bins = faa_scaled(faa_array_u8(va + INPUT, 1), 2, 0);		/* 9 */
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, COUNT, /* 10 */
			 faa_none(), bins, 0, faa_imm(1), faa_none());
	faa_stream_lds(stream, FAA_TYPE_U32, BINS, /* 11 */
		       faa_array_u32(va + RESULT, 4), faa_affine(0, 4), 0);
	faa_stream_end(stream);			   /* 12 */
	if (faa_stream_upload(stream, bo, STREAM)) /* 13 */
		goto out;

	job.stream_va = va + STREAM; /* 14 */
	job.stream_bytes = faa_stream_bytes(stream);
	ret = faa_queue_run(queue, &job, faa_deadline(5000000000), NULL); /* 15 */
	result = (const uint32_t *)((char *)memory + RESULT);
	for (i = 0; !ret && i < BINS; i++) /* 16 */
		printf("%u%c", result[i], i < BINS - 1 ? ' ' : '\n');
out:
	if (ret) /* 17 */
		fprintf(stderr, "bins: %s\n", faa_last_error());
	faa_stream_destroy(stream); /* 18 */
	faa_queue_destroy(queue);
	faa_vm_unref(vm);
	faa_bo_unref(bo);
	faa_device_unref(device);
	return ret ? 1 : 0;
}
