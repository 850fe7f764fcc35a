// SPDX-License-Identifier: MIT
/* Runs the code on the device: memory, queue, jobs, results. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "exec_tool.h"
#include "progress.h"

/* State of a run. */
struct run {
	struct exec_options *options;
	const struct exec_code *code;
	struct faa_device *device;
	const struct faa_device_info *info;
	struct faa_vm *vm;
	struct faa_queue *queue;
	struct faa_header_pool *pool;
	struct faa_constant_bank *bank;
	/* Results of registers, and shared memory. */
	struct faa_bo *results;
	unsigned char *result_memory;
	uint64_t result_va, shared_at;
	/* A job for each warp; its stream follows those of earlier warps. */
	struct exec_job *jobs;
	uint64_t *offsets;
	struct faa_bo *streams;
	uint64_t stream_va;
	/* Sums of all jobs. */
	uint64_t cycles, elements;
	/* Unit of @cycles, see clock_unit(). */
	const char *cycle_unit;
	struct exec_output output;
};

/* Prints the error of a call of the library. */
static int run_complain(const char *what, int ret)
{
	if (ret)
		fprintf(stderr, "faa-exec: %s: %s\n", what, faa_last_error());
	return ret;
}

static int run_no_memory(const char *what)
{
	fprintf(stderr, "faa-exec: %s: %s\n", what, strerror(ENOMEM));
	return -ENOMEM;
}

static uint64_t run_round_up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Memory
 */

static int run_make_bo(struct run *run, uint64_t bytes, struct faa_bo **bo, unsigned char **memory)
{
	void *address;
	int ret = faa_bo_create(run->device, bytes, 0, bo);

	if (!ret)
		ret = faa_bo_map(*bo, &address);
	if (!ret)
		*memory = address;
	return ret;
}

static int run_make_buffer(struct run *run, struct exec_buffer *buffer)
{
	uint64_t bytes = (uint64_t)buffer->array.count * buffer->array.type->bytes;
	int ret = run_make_bo(run, bytes, &buffer->bo, &buffer->memory);

	if (ret)
		return run_complain(buffer->name, ret);
	memcpy(buffer->memory, buffer->array.bytes, bytes);
	if (buffer->fixed)
		ret = faa_vm_map_fixed(run->vm, buffer->bo, 0, 0, FAA_MAP_ATOMIC, buffer->va);
	else
		ret = faa_vm_map(run->vm, buffer->bo, 0, 0, FAA_MAP_ATOMIC, &buffer->va);
	return run_complain(buffer->name, ret);
}

static int run_make_surface(struct run *run, struct exec_buffer *buffer)
{
	uint32_t header[FAA_HEADER_WORDS];
	struct faa_surface_view view;
	int ret = faa_surface_create(run->vm, &buffer->desc, &buffer->surface, NULL);

	if (ret)
		return run_complain(buffer->name, ret);
	buffer->va = faa_surface_va(buffer->surface);
	view = faa_surface_view(faa_surface_info(buffer->surface));
	ret = faa_surface_encode(faa_surface_info(buffer->surface), &view, buffer->va, header,
				 NULL);
	if (!ret && !run->pool)
		ret = faa_header_pool_create(run->vm, EXEC_MAX, &run->pool);
	if (!ret)
		ret = faa_header_pool_add(run->pool, header, &buffer->handle);
	return run_complain(buffer->name, ret);
}

/* Words of the constant bank: --bank WORD=VALUE. */
static int run_make_bank(struct run *run)
{
	const struct exec_list *banks = &run->options->banks;
	struct exec_value value;
	uint64_t word;
	unsigned int i;
	int ret = banks->count ? faa_constant_bank_create(run->vm, FAA_CONSTANT_WORDS, &run->bank) :
				 0;

	for (i = 0; !ret && i < banks->count; i++) {
		ret = exec_value_parse(run->options, &banks->items[i], &value);
		if (ret)
			return ret;
		if (!exec_number(banks->items[i].name, &word) || value.step || value.items)
			ret = -EINVAL;
		else
			ret = faa_constant_bank_set(run->bank, (uint32_t)word,
						    (uint32_t)value.constant);
	}
	return run_complain("constant bank", ret);
}

/* Memory for the results of registers of all warps, and for shared memory. */
static int run_make_results(struct run *run)
{
	struct exec_options *options = run->options;
	uint64_t bytes = 0;
	unsigned int i;
	int ret;

	for (i = 0; i < options->gets.count; i++) {
		options->gets.items[i].va = bytes;
		bytes += run_round_up((uint64_t)options->warps * FAA_LANES *
					      options->gets.items[i].sink.type->bytes,
				      64);
	}
	run->shared_at = bytes;
	bytes += options->shared_bytes;
	ret = run_make_bo(run, bytes ? bytes : 1, &run->results, &run->result_memory);
	if (!ret)
		ret = faa_vm_map(run->vm, run->results, 0, 0, 0, &run->result_va);
	for (i = 0; !ret && i < options->gets.count; i++) {
		options->gets.items[i].memory = run->result_memory + options->gets.items[i].va;
		options->gets.items[i].va += run->result_va;
	}
	return run_complain("memory for results", ret);
}

static int run_make_memory(struct run *run)
{
	struct exec_options *options = run->options;
	unsigned int i;
	int ret = run_complain("address space", faa_vm_create(run->device, &run->vm));

	for (i = 0; !ret && i < options->buffer_count; i++)
		ret = options->buffers[i].is_surface ? run_make_surface(run, &options->buffers[i]) :
						       run_make_buffer(run, &options->buffers[i]);
	if (!ret)
		ret = run_make_bank(run);
	return ret ? ret : run_make_results(run);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Streams
 */

static bool run_has_barrier(const uint64_t *words, size_t count)
{
	size_t at;

	for (at = 0; at < count && (words[at] >> 8 & 0xff); at += words[at] >> 8 & 0xff)
		if ((words[at] & 0xff) == FAA_OPCODE_BAR)
			return true;
	return false;
}

static int run_make_job(struct run *run, unsigned int warp)
{
	struct exec_job *job = &run->jobs[warp];
	const uint64_t *words;
	size_t count;
	int ret = run_complain("stream", faa_stream_create(&job->stream));

	if (!ret && run->pool)
		ret = run_complain("header pool", faa_header_pool_config(run->pool, job->stream));
	if (!ret && run->bank)
		ret = run_complain("constant bank",
				   faa_constant_bank_config(run->bank, job->stream));
	if (!ret)
		ret = exec_code_emit(run->options, run->code, warp, job);
	if (ret)
		return ret;
	words = faa_stream_words(job->stream, &count);
	if (run->options->warps <= run->info->warp_slots || !run_has_barrier(words, count))
		return 0;
	fprintf(stderr,
		"faa-exec: the code has a barrier, and %u warps do not fit the device's %u warp slots\n",
		run->options->warps, run->info->warp_slots);
	return -EINVAL;
}

static int run_make_jobs(struct run *run)
{
	unsigned int i, warps = run->options->warps;
	unsigned char *memory;
	uint64_t bytes = 0;
	int ret = 0;

	run->jobs = calloc(warps, sizeof(*run->jobs));
	run->offsets = calloc(warps + 1, sizeof(*run->offsets));
	if (!run->jobs || !run->offsets)
		return run_no_memory("streams");
	for (i = 0; !ret && i < warps; i++) {
		ret = run_make_job(run, i);
		run->offsets[i] = bytes;
		bytes += ret ? 0 : run_round_up(faa_stream_bytes(run->jobs[i].stream), 64);
	}
	if (ret)
		return ret;
	ret = run_make_bo(run, bytes, &run->streams, &memory);
	if (!ret)
		ret = faa_vm_map(run->vm, run->streams, 0, 0, FAA_MAP_READONLY, &run->stream_va);
	for (i = 0; !ret && i < warps; i++)
		ret = faa_stream_upload(run->jobs[i].stream, run->streams, run->offsets[i]);
	return run_complain("streams", ret);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Jobs
 */

/* The error that faa_asm_emit() makes of a guard that differs between lanes. */
static bool exec_is_split(const struct faa_job_status *status)
{
	return status->code == FAA_ERROR_NON_CANONICAL &&
	       status->address >> 32 == FAA_ASM_SPLIT >> 32;
}

/*
 * "FILE:LINE: warp 1: job 3: misaligned address 0x1002 at command 3, element 96, lane 0: Invalid
 * argument"
 */
static void run_explain(struct run *run, unsigned int warp, const struct faa_job_status *status)
{
	const struct exec_job *job = &run->jobs[warp];
	const uint64_t *words;
	char text[256];
	uint32_t line;
	size_t count;

	words = faa_stream_words(job->stream, &count);
	line = exec_code_line(job, status->command / 8);
	if (line)
		fprintf(stderr, "%s:%u: ", run->options->path, line);
	else
		fprintf(stderr, "faa-exec: ");
	if (exec_is_split(status)) {
		fprintf(stderr,
			"warp %u: its lanes do not go the same way: the guard is false in lane %u, and true in another one\n",
			warp, status->lane);
		return;
	}
	faa_status_format(status, words, count, text, sizeof(text));
	fprintf(stderr, "warp %u: %s: %s\n", warp, text, strerror(-faa_status_errno(status)));
	if (status->command / 8 < count) {
		faa_disassemble(words + status->command / 8, count - status->command / 8, NULL,
				text, sizeof(text));
		fprintf(stderr, "faa-exec: the command is %s\n", text);
	}
}

static int64_t run_deadline(const struct run *run)
{
	return faa_deadline((int64_t)run->options->timeout * 1000000000);
}

/* Runs warps at the same time. */
static int run_group(struct run *run, unsigned int first, unsigned int count)
{
	struct faa_job_status statuses[FAA_MAX_SLOTS] = { 0 };
	struct faa_job jobs[FAA_MAX_SLOTS] = { 0 };
	bool explained = false;
	unsigned int i;
	int ret;

	for (i = 0; i < count; i++) {
		jobs[i].stream_va = run->stream_va + run->offsets[first + i];
		jobs[i].stream_bytes = (uint32_t)faa_stream_bytes(run->jobs[first + i].stream);
	}
	if (count == 1)
		ret = faa_queue_run(run->queue, jobs, run_deadline(run), statuses);
	else
		ret = faa_queue_run_group(run->queue, jobs, count, run_deadline(run), statuses);
	if (ret)
		progress_hide();
	for (i = 0; i < count; i++) {
		run->cycles += i ? 0 : statuses[i].end_cycle - statuses[i].start_cycle;
		run->elements += statuses[i].elements_retired;
		if (!statuses[i].code || statuses[i].code == FAA_ERROR_STOPPED ||
		    statuses[i].code >= FAA_JOB_NOT_SUBMITTED)
			continue;
		run_explain(run, first + i, &statuses[i]);
		explained = true;
	}
	if (ret == -ETIME)
		fprintf(stderr, "faa-exec: it still runs after %u seconds\n",
			run->options->timeout);
	else if (ret && !explained)
		run_complain("running it", ret);
	return ret;
}

/* Runs a job of one command, which copies between memory and shared memory. */
static int run_move_shared(struct run *run, bool store, uint64_t bytes)
{
	struct faa_operand items = faa_array_u32(run->result_va + run->shared_at, 4);
	struct faa_job job = { 0 };
	struct faa_stream *stream;
	struct faa_bo *bo = NULL;
	int ret = faa_stream_create(&stream);

	if (!ret && store)
		faa_stream_sts(stream, FAA_TYPE_U32, bytes / 4, faa_affine(0, 4), 0, items);
	else if (!ret)
		faa_stream_lds(stream, FAA_TYPE_U32, bytes / 4, items, faa_affine(0, 4), 0);
	if (!ret)
		ret = faa_stream_end(stream);
	if (!ret)
		ret = faa_bo_create(run->device, 4096, 0, &bo);
	if (!ret)
		ret = faa_vm_map(run->vm, bo, 0, 0, FAA_MAP_READONLY, &job.stream_va);
	if (!ret)
		ret = faa_stream_upload(stream, bo, 0);
	job.stream_bytes = ret ? 0 : (uint32_t)faa_stream_bytes(stream);
	if (!ret)
		ret = faa_queue_run(run->queue, &job, run_deadline(run), NULL);
	faa_stream_destroy(stream);
	faa_bo_unref(bo);
	return run_complain("shared memory", ret);
}

static int run_fill_shared(struct run *run)
{
	const struct exec_array *shared = &run->options->shared;

	if (!shared->count)
		return 0;
	memcpy(run->result_memory + run->shared_at, shared->bytes,
	       shared->count * shared->type->bytes);
	return run_move_shared(run, true, run_round_up(shared->count * shared->type->bytes, 4));
}

static int run_jobs(struct run *run)
{
	struct faa_queue_options queue = { .shared_bytes = run->options->shared_bytes };
	unsigned int i, warp, count, warps = run->options->warps;
	int ret = run_complain("queue", faa_queue_create(run->vm, &queue, &run->queue));

	if (!ret)
		ret = run_fill_shared(run);
	progress_begin("warps", (uint64_t)warps * run->options->repeat);
	for (i = 0; !ret && i < run->options->repeat; i++) {
		for (warp = 0; !ret && warp < warps; warp += count) {
			count = warps - warp < run->info->warp_slots ? warps - warp :
								       run->info->warp_slots;
			ret = run_group(run, warp, count);
			progress_add(count);
		}
	}
	progress_end();
	return ret;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Results
 */

static void run_show_stream(const struct exec_job *job)
{
	const uint64_t *words;
	size_t count, at;
	unsigned int used;
	char text[512];

	words = faa_stream_words(job->stream, &count);
	for (at = 0; at < count; at += used) {
		faa_disassemble(words + at, count - at, &used, text, sizeof(text));
		printf("%6zx:  %s\n", at * 8, text);
	}
}

static int run_show_bytes(struct run *run, const struct exec_binding *print, const void *bytes,
			  uint64_t size)
{
	size_t count = size / print->sink.type->bytes;

	if (print->count > count) {
		fprintf(stderr, "faa-exec: '%s' has %zu items of %s, not %zu\n", print->name, count,
			print->sink.type->name, print->count);
		return -EINVAL;
	}
	return exec_show(&run->output, print->name, &print->sink, bytes,
			 print->count ? print->count : count, ~0u);
}

/* Shows texels row by row. */
static int run_show_surface(struct run *run, const struct exec_binding *print,
			    const struct exec_buffer *buffer)
{
	const struct faa_surface_layout *layout = faa_surface_info(buffer->surface);
	struct faa_surface_box box = faa_surface_box(layout, 0);
	struct faa_linear linear = { 0 };
	uint64_t size = box.width * box.height * box.slices * layout->texel_bytes;
	int ret;

	linear.texels = calloc(1, size);
	if (!linear.texels)
		return run_no_memory(print->name);
	ret = run_complain(print->name, faa_surface_download(buffer->surface, &box, &linear));
	if (!ret)
		ret = run_show_bytes(run, print, linear.texels, size);
	free(linear.texels);
	return ret;
}

static int run_show_buffer(struct run *run, const struct exec_binding *print)
{
	const struct exec_options *options = run->options;
	unsigned int i;
	int ret;

	if (!strcmp(print->name, "shared")) {
		ret = run_move_shared(run, false, options->shared_bytes);
		return ret ? ret :
			     run_show_bytes(run, print, run->result_memory + run->shared_at,
					    options->shared_bytes);
	}
	for (i = 0; strcmp(options->buffers[i].name, print->name); i++)
		;
	if (options->buffers[i].is_surface)
		return run_show_surface(run, print, &options->buffers[i]);
	return run_show_bytes(run, print, options->buffers[i].memory,
			      (uint64_t)options->buffers[i].array.count *
				      options->buffers[i].array.type->bytes);
}

static int run_show(struct run *run)
{
	const struct exec_options *options = run->options;
	/* Up to the last lane that executes. */
	size_t count = (size_t)options->warps * FAA_LANES - (size_t)__builtin_clz(options->lanes);
	unsigned int i;
	int ret = 0;

	run->output.json = options->json;
	if (options->json)
		printf("{\"results\": [");
	for (i = 0; !ret && i < options->gets.count; i++)
		ret = exec_show(&run->output, options->gets.items[i].name,
				&options->gets.items[i].sink, options->gets.items[i].memory, count,
				options->lanes);
	for (i = 0; !ret && i < options->prints.count; i++)
		ret = run_show_buffer(run, &options->prints.items[i]);
	if (options->json)
		printf("]");
	if (!ret && options->stats)
		printf(options->json ? ", \"%s\": %llu, \"elements\": %llu" :
				       "%s %llu\nelements %llu\n",
		       run->cycle_unit, (unsigned long long)run->cycles,
		       (unsigned long long)run->elements);
	if (options->json)
		printf("}\n");
	return ret;
}

static void run_free_all(struct run *run)
{
	unsigned int i;

	faa_queue_destroy(run->queue);
	for (i = 0; run->jobs && i < run->options->warps; i++) {
		faa_stream_destroy(run->jobs[i].stream);
		free(run->jobs[i].lines);
	}
	free(run->jobs);
	free(run->offsets);
	for (i = 0; i < run->options->buffer_count; i++) {
		faa_surface_destroy(run->options->buffers[i].surface);
		faa_bo_unref(run->options->buffers[i].bo);
	}
	faa_header_pool_destroy(run->pool);
	faa_constant_bank_destroy(run->bank);
	faa_bo_unref(run->results);
	faa_bo_unref(run->streams);
	faa_vm_unref(run->vm);
}

int exec_run(struct exec_options *options, const struct exec_code *code, struct faa_device *device)
{
	struct run run = {
		.options = options, .code = code, .device = device, .info = faa_device_info(device)
	};
	int ret;

	options->shared_bytes =
		(uint32_t)run_round_up(options->shared_bytes, run.info->shared_granule);
	ret = run_make_memory(&run);
	if (!ret)
		ret = run_make_jobs(&run);
	if (!ret && options->list)
		run_show_stream(&run.jobs[0]);
	if (!ret)
		ret = run_jobs(&run);
	if (!ret && options->stats)
		ret = clock_probe(device, &run.cycle_unit);
	if (!ret)
		ret = run_show(&run);
	run_free_all(&run);
	return ret;
}
