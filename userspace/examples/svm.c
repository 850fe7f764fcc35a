// SPDX-License-Identifier: MIT
/**
 * DOC: A histogram without copies
 *
 * The device counts the bytes of a file, in memory of malloc(), into an array on the heap. Nothing
 * is mapped, uploaded or read back: in a shared VM pointers are device addresses, and the stream
 * too is used where the library built it.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_program.h"
#include "tool.h"

#define BINS 256

struct options {
	const char *engine;
	const char *path;
	bool json;
};

/* Reads all of a file, and its size to *@bytes; the caller frees it. NULL after a message. */
static uint8_t *svm_read_file(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "rb");
	uint8_t *content = NULL;
	long size = -1;

	if (file && !fseek(file, 0, SEEK_END))
		size = ftell(file);
	if (size == 0)
		errno = ENODATA;
	if (size > 0)
		content = malloc(size);
	if (content) {
		rewind(file);
		*bytes = fread(content, 1, size, file);
	}
	if (!content || *bytes != (size_t)size) {
		fprintf(stderr, "svm: %s: %s\n", path, strerror(errno));
		free(content);
		content = NULL;
	}
	if (file)
		fclose(file);
	return content;
}

/* shared[byte]++ for each byte, then bins[i] = shared[i]. */
static void svm_build(struct faa_stream *stream, const uint8_t *bytes, size_t count, uint32_t *bins)
{
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, count, faa_none(),
			 faa_scaled(faa_array_u8((uintptr_t)bytes, 1), 2, 0), 0, faa_imm(1),
			 faa_none());
	faa_stream_lds(stream, FAA_TYPE_U32, BINS, faa_array_u32((uintptr_t)bins, 4),
		       faa_affine(0, 4), 0);
	faa_stream_end(stream);
}

static int svm_run(struct faa_queue *queue, struct faa_stream *stream,
		   struct faa_job_status *status)
{
	struct faa_job job = { 0 };
	const uint64_t *words;
	char text[256];
	size_t count;
	int ret = faa_stream_finish(stream);

	if (ret) {
		fprintf(stderr, "svm: the stream: %s\n", faa_stream_error(stream));
		return ret;
	}
	words = faa_stream_words(stream, &count);
	job.stream_va = (uintptr_t)words;
	job.stream_bytes = faa_stream_bytes(stream);
	ret = faa_queue_run(queue, &job, FAA_NO_DEADLINE, status);
	if (ret) {
		faa_status_format(status, words, count, text, sizeof(text));
		fprintf(stderr, "svm: %s\n",
			status->code < FAA_JOB_NOT_SUBMITTED ? text : faa_last_error());
	}
	return ret;
}

static int svm_histogram(struct faa_device *device, const uint8_t *bytes, size_t count,
			 uint32_t *bins, struct faa_job_status *status)
{
	struct faa_queue_options options = { .shared_bytes = BINS * sizeof(*bins) };
	struct faa_stream *stream = NULL;
	struct faa_queue *queue = NULL;
	struct faa_vm *vm = NULL;
	int ret;

	ret = faa_vm_create(device, &vm);
	if (!ret)
		ret = faa_vm_share_process(vm);
	if (!ret)
		ret = faa_queue_create(vm, &options, &queue);
	if (!ret)
		ret = faa_stream_create(&stream);
	if (ret) {
		fprintf(stderr, "svm: setting up the device: %s\n", faa_last_error());
	} else {
		svm_build(stream, bytes, count, bins);
		ret = svm_run(queue, stream, status);
	}
	faa_stream_destroy(stream);
	faa_queue_destroy(queue);
	faa_vm_unref(vm);
	return ret;
}

/* Number of bins that differ from the processor's count. */
static unsigned int svm_check(const uint8_t *bytes, size_t count, const uint32_t *bins)
{
	uint32_t expected[BINS] = { 0 };
	unsigned int wrong = 0;
	size_t i;

	for (i = 0; i < count; i++)
		expected[bytes[i]]++;
	for (i = 0; i < BINS; i++) {
		if (bins[i] == expected[i])
			continue;
		if (!wrong++)
			fprintf(stderr, "svm: byte %zu: the device counted %u, the CPU %u\n", i,
				bins[i], expected[i]);
	}
	return wrong;
}

static void svm_print_text(size_t count, const uint32_t *bins, const struct faa_job_status *status,
			   unsigned int wrong)
{
	unsigned int most = 0, i;

	for (i = 1; i < BINS; i++)
		if (bins[i] > bins[most])
			most = i;
	printf("one job, %" PRIu64 " elements in %u warps\n", status->elements_retired,
	       status->warps);
	if (wrong)
		printf("check FAILED: %u of %d bins differ\n", wrong, BINS);
	else
		printf("check passed: %zu bytes, the most frequent is 0x%02x, %u times\n", count,
		       most, bins[most]);
}

static void svm_print_json(const char *path, size_t count, const uint32_t *bins,
			   const struct faa_job_status *status, unsigned int wrong)
{
	unsigned int i;

	printf("{\"file\": ");
	tool_print_json_string(path);
	printf(", \"bytes\": %zu, \"elements\": %" PRIu64 ", \"warps\": %u, \"bins\": [", count,
	       status->elements_retired, status->warps);
	for (i = 0; i < BINS; i++)
		printf("%s%u", i ? ", " : "", bins[i]);
	printf("], \"wrong\": %u, \"check\": %s}\n", wrong, wrong ? "false" : "true");
}

/* Exit status of the program. */
static int svm_count_on_device(struct faa_device *device, const struct options *options)
{
	uint32_t *bins = calloc(BINS, sizeof(*bins));
	struct faa_job_status status;
	unsigned int wrong = 0;
	size_t count;
	uint8_t *bytes = svm_read_file(options->path, &count);
	int ret = !bytes || !bins || svm_histogram(device, bytes, count, bins, &status);

	if (!ret) {
		wrong = svm_check(bytes, count, bins);
		if (options->json)
			svm_print_json(options->path, count, bins, &status, wrong);
		else
			svm_print_text(count, bins, &status, wrong);
	}
	free(bins);
	free(bytes);
	return ret || wrong;
}

const char *argp_program_version = "svm " FAA_VERSION_TEXT;

static error_t svm_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->path)
			argp_error(state, "one file, please");
		options->path = arg;
		return 0;
	case ARGP_KEY_END:
		if (!options->path)
			options->path = "/proc/self/exe";
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		TOOL_JSON_OPTION("counts"),
		{ 0 },
	};
	static const struct argp argp = {
		.options = argp_options,
		.parser = svm_parse,
		.args_doc = "[FILE]",
		.doc = "Count the bytes of FILE (default: this program) on the device, in ordinary memory "
		       "of the process.\v"
		       "Exit status: 0 if device and processor agree, 1 if they do not or something failed.",
		.children = faa_program_children,
	};
	struct options options = { 0 };
	struct faa_program program = { .argc = argc, .argv = argv };
	struct faa_device *device;
	int ret;

	tool_parse(&argp, argc, argv, &options);
	program.engine = options.engine;
	if (faa_program_device(&program, &device))
		return 1;
	ret = svm_count_on_device(device, &options);
	faa_device_unref(device);
	return ret;
}
