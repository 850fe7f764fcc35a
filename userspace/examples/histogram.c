// SPDX-License-Identifier: MIT
/**
 * DOC: Histogram of an image
 *
 * One ATOMS.ADD command a channel: its address operand is the channel's bytes, times 4, plus the
 * channel's table of bins in shared memory; its other operand is the immediate 1; it has no result.
 * The device iterates over the pixels by itself.
 */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "data_path.h"
#include "faa.h"
#include "faa_program.h"
#include "image.h"
#include "plot.h"
#include "progress.h"
#include "tool.h"

#define BINS	    PLOT_BINS
#define TABLE_BYTES (BINS * 4)

/* Layout of the BO without pixels. */
#define STREAM_OFFSET	0
#define SNAPSHOT_OFFSET 4096
#define RESULT_OFFSET	8192
#define WORK_BYTES	16384

/* From one look at the time to the next, nanoseconds */
#define PROGRESS_PERIOD 250000000

struct options {
	const char *input;
	const char *output;
	const char *engine;
	bool plot;
	bool json;
};

/* Results of the device. */
struct result {
	uint32_t bins[PLOT_CHANNELS][BINS];
	struct faa_counters counters[PLOT_CHANNELS];
	/* Elements and cycles of all jobs. */
	uint64_t elements;
	uint64_t cycles;
};

/* Objects on the device; histogram_run_close() releases them. */
struct run {
	struct faa_vm *vm;
	struct faa_queue *queue;
	struct faa_bo *pixels;
	struct faa_bo *work;
	uint64_t pixels_va;
	uint64_t work_va;
	/* One job a channel: the kernel limits a job's time, and a simulated device is slow. */
	struct faa_job jobs[PLOT_CHANNELS];
};

static int histogram_complain(const char *what, int error)
{
	fprintf(stderr, "histogram: %s: %s\n", what, faa_last_error());
	return error;
}

static void histogram_run_close(struct run *run)
{
	faa_queue_destroy(run->queue);
	faa_bo_unref(run->work);
	faa_bo_unref(run->pixels);
	faa_vm_unref(run->vm);
}

/* On failure histogram_run_close() releases the parts that exist. */
static int histogram_run_open(struct faa_device *device, const struct image *image, struct run *run)
{
	struct faa_queue_options options = { .shared_bytes = image->channels * TABLE_BYTES };
	size_t bytes = (size_t)image->width * image->height * image->channels;
	void *memory;
	int ret;

	ret = faa_vm_create(device, &run->vm);
	if (!ret)
		ret = faa_bo_create(device, bytes, 0, &run->pixels);
	if (!ret)
		ret = faa_bo_create(device, WORK_BYTES, 0, &run->work);
	if (!ret)
		ret = faa_vm_map(run->vm, run->pixels, 0, 0, FAA_MAP_READONLY, &run->pixels_va);
	if (!ret)
		ret = faa_vm_map(run->vm, run->work, 0, 0, 0, &run->work_va);
	if (!ret)
		ret = faa_queue_create(run->vm, &options, &run->queue);
	if (!ret)
		ret = faa_bo_map(run->pixels, &memory);
	if (!ret)
		memcpy(memory, image->pixels, bytes);
	return ret ? histogram_complain("setting up the device", ret) : 0;
}

/* Offset of the counters of @channel, before or after its command. */
static uint64_t histogram_snapshot_offset(uint32_t channel, bool after)
{
	return SNAPSHOT_OFFSET + (2 * channel + after) * FAA_SNAPSHOT_BYTES;
}

/*
 * Counts the values of one channel. Shared memory of a new queue is zero: the tables need no
 * clearing.
 */
static void histogram_build_channel(struct faa_stream *stream, const struct image *image,
				    const struct run *run, uint32_t channel)
{
	uint64_t pixels = (uint64_t)image->width * image->height;
	struct faa_operand values = faa_array_u8(run->pixels_va + channel, image->channels);
	struct faa_operand bin = faa_scaled(values, 2, channel * TABLE_BYTES);

	faa_stream_snapshot(stream, run->work_va + histogram_snapshot_offset(channel, false));
	faa_stream_atoms(stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, pixels, faa_none(), bin, 0,
			 faa_imm(1), faa_none());
	faa_stream_snapshot(stream, run->work_va + histogram_snapshot_offset(channel, true));
}

/*
 * Builds the streams of all jobs, one after the other; the last one also copies the tables to
 * memory.
 */
static void histogram_build(struct faa_stream *stream, const struct image *image, struct run *run)
{
	uint32_t channel;

	for (channel = 0; channel < image->channels; channel++) {
		size_t begin = faa_stream_bytes(stream);

		histogram_build_channel(stream, image, run, channel);
		if (channel == image->channels - 1)
			faa_stream_lds(stream, FAA_TYPE_U32, image->channels * BINS,
				       faa_array_u32(run->work_va + RESULT_OFFSET, 4),
				       faa_affine(0, 4), 0);
		faa_stream_end(stream);
		run->jobs[channel].stream_va = run->work_va + STREAM_OFFSET + begin;
		run->jobs[channel].stream_bytes = faa_stream_bytes(stream) - begin;
	}
}

/* Prints the status of a job that failed. */
static int histogram_explain(const struct faa_stream *stream, const struct run *run,
			     uint32_t channel, const struct faa_job_status *status)
{
	size_t begin = (run->jobs[channel].stream_va - run->work_va - STREAM_OFFSET) / 8;
	const uint64_t *words = faa_stream_words(stream, NULL);
	char text[256];

	faa_status_format(status, words + begin, run->jobs[channel].stream_bytes / 8, text,
			  sizeof(text));
	fprintf(stderr, "histogram: %s\n", text);
	return faa_status_errno(status);
}

/* Waits for the jobs one after the other, and shows progress meanwhile. */
static int histogram_wait_for_jobs(const struct run *run, uint32_t channels, uint64_t first_seqno)
{
	uint32_t done = 0;
	int ret = 0;

	progress_begin("channels", channels);
	while (!ret && done < channels) {
		ret = faa_queue_wait(run->queue, first_seqno + done, faa_deadline(PROGRESS_PERIOD));
		if (ret == -ETIME)
			ret = 0;
		else
			done++;
		progress_done(done);
	}
	progress_end();
	return ret;
}

/* Waits for all jobs and adds up their status records. */
static int histogram_collect(const struct faa_stream *stream, const struct run *run,
			     uint32_t channels, uint64_t first_seqno, struct result *result)
{
	struct faa_job_status status;
	uint64_t start = 0;
	uint32_t channel;
	int ret;

	ret = histogram_wait_for_jobs(run, channels, first_seqno);
	for (channel = 0; !ret && channel < channels; channel++) {
		ret = faa_queue_status(run->queue, first_seqno + channel, &status);
		if (!ret && status.code)
			return histogram_explain(stream, run, channel, &status);
		if (!channel)
			start = status.start_cycle;
		result->elements += status.elements_retired;
		result->cycles = status.end_cycle - start;
	}
	return ret ? histogram_complain("waiting for the jobs", ret) : 0;
}

static int histogram_execute(struct faa_stream *stream, struct run *run, uint32_t channels,
			     struct result *result)
{
	uint64_t seqno;
	int ret;

	ret = faa_stream_upload(stream, run->work, STREAM_OFFSET);
	if (ret) {
		fprintf(stderr, "histogram: building the stream: %s\n", faa_last_error());
		return ret;
	}
	ret = faa_queue_submit(run->queue, run->jobs, channels, &seqno);
	if (ret)
		return histogram_complain("submitting the jobs", ret);
	return histogram_collect(stream, run, channels, seqno, result);
}

static int histogram_fetch(struct run *run, uint32_t channels, struct result *result)
{
	struct faa_counters before, after;
	uint32_t channel;
	void *memory;
	char *work;
	int ret;

	ret = faa_bo_map(run->work, &memory);
	if (ret)
		return histogram_complain("reading the result", ret);
	work = memory;
	memcpy(result->bins, work + RESULT_OFFSET, channels * TABLE_BYTES);
	for (channel = 0; channel < channels; channel++) {
		faa_counters_read(work + histogram_snapshot_offset(channel, false), &before);
		faa_counters_read(work + histogram_snapshot_offset(channel, true), &after);
		faa_counters_diff(&before, &after, &result->counters[channel]);
	}
	return 0;
}

static int histogram_run_on_device(struct faa_device *device, const struct image *image,
				   struct result *result)
{
	struct run run = { 0 };
	struct faa_stream *stream = NULL;
	int ret;

	ret = histogram_run_open(device, image, &run);
	if (!ret)
		ret = faa_stream_create(&stream);
	if (!ret) {
		histogram_build(stream, image, &run);
		ret = histogram_execute(stream, &run, image->channels, result);
	}
	if (!ret)
		ret = histogram_fetch(&run, image->channels, result);
	faa_stream_destroy(stream);
	histogram_run_close(&run);
	return ret;
}

/* Number of bins that differ from the CPU's count. */
static uint32_t histogram_check(const struct image *image, const struct result *result)
{
	size_t i, bytes = (size_t)image->width * image->height * image->channels;
	static uint32_t expected[PLOT_CHANNELS][BINS];
	uint32_t channel, bin, wrong = 0;

	for (i = 0; i < bytes; i++)
		expected[i % image->channels][image->pixels[i]]++;
	for (channel = 0; channel < image->channels; channel++) {
		for (bin = 0; bin < BINS; bin++) {
			if (result->bins[channel][bin] == expected[channel][bin])
				continue;
			if (!wrong++)
				fprintf(stderr,
					"histogram: %s %u: the device counted %u, the CPU %u\n",
					plot_channel_name(image->channels, channel), bin,
					result->bins[channel][bin], expected[channel][bin]);
		}
	}
	return wrong;
}

/* The main use of the cycles: warps at the device's highest rate, or the largest stall. */
static const char *histogram_bound_by(const struct faa_counters *counters)
{
	static const struct {
		enum faa_counter counter;
		const char *text;
	} causes[] = {
		{ FAA_COUNTER_STALL_FETCH, "command fetch" },
		{ FAA_COUNTER_STALL_BARRIER, "barriers" },
		{ FAA_COUNTER_STALL_OPERAND, "reading the pixels from memory" },
		{ FAA_COUNTER_STALL_BANK,
		  "the banks of shared memory: many bins of one bank in a warp" },
		{ FAA_COUNTER_STALL_QUEUE,
		  "the banks of shared memory: one bank has more bins than others" },
		{ FAA_COUNTER_STALL_SHARED, "the shared memory unit" },
		{ FAA_COUNTER_STALL_GLOBAL, "loads and stores" },
	};
	uint64_t cycles = counters->value[FAA_COUNTER_CYCLES], most = 0;
	uint64_t warps = counters->value[FAA_COUNTER_WARPS];
	const char *text = "issue: no stall accounts for most of the cycles";
	size_t i;

	if (cycles * 10 <= warps * 11)
		return "the device's limit of one warp a cycle";
	/* Not a stall: the operand port takes one line a cycle, and is busy in every cycle. */
	if (counters->value[FAA_COUNTER_LINES_READ] * 10 > warps * 11)
		text = "the operand port: a warp's pixels lie in several lines, one a cycle";
	for (i = 0; i < sizeof(causes) / sizeof(causes[0]); i++) {
		uint64_t stalled = counters->value[causes[i].counter];

		if (stalled > most && stalled * 3 >= cycles) {
			most = stalled;
			text = causes[i].text;
		}
	}
	return text;
}

static void histogram_print_counters(const struct image *image, const struct result *result)
{
	uint32_t channel;

	for (channel = 0; channel < image->channels; channel++) {
		const struct faa_counters *c = &result->counters[channel];

		printf("%-5s %llu elements, %llu warps, %.2f passes per warp",
		       plot_channel_name(image->channels, channel),
		       (unsigned long long)c->value[FAA_COUNTER_ELEMENTS],
		       (unsigned long long)c->value[FAA_COUNTER_WARPS],
		       clock_per_warp(c, FAA_COUNTER_PASSES));
		if (!strcmp(clock_unit(c), "cycles"))
			printf(", %.2f cycles per warp, bound by %s\n",
			       clock_per_warp(c, FAA_COUNTER_CYCLES), histogram_bound_by(c));
		else
			printf(", %.2f steps per warp (the C model has no clock)\n",
			       clock_per_warp(c, FAA_COUNTER_CYCLES));
	}
	printf("all together: %llu elements in %llu %s\n", (unsigned long long)result->elements,
	       (unsigned long long)result->cycles, clock_unit(&result->counters[0]));
}

static void histogram_print_json(const struct options *options, const struct image *image,
				 const struct result *result, bool ok)
{
	uint32_t channel, i;

	printf("{\"image\": ");
	tool_print_json_string(options->input);
	printf(", \"width\": %u, \"height\": %u, \"check\": %s, \"%s\": %llu, \"channels\": [",
	       image->width, image->height, ok ? "true" : "false", clock_unit(&result->counters[0]),
	       (unsigned long long)result->cycles);
	for (channel = 0; channel < image->channels; channel++) {
		const struct faa_counters *c = &result->counters[channel];

		printf("%s{\"name\": \"%s\", \"%s_per_warp\": %.4f, \"counters\": {",
		       channel ? ", " : "", plot_channel_name(image->channels, channel),
		       clock_unit(c), clock_per_warp(c, FAA_COUNTER_CYCLES));
		for (i = 0; i < FAA_COUNTERS; i++)
			printf("%s\"%s\": %llu", i ? ", " : "", faa_counter_name(i),
			       (unsigned long long)c->value[i]);
		printf("}, \"bins\": [");
		for (i = 0; i < BINS; i++)
			printf("%s%u", i ? ", " : "", result->bins[channel][i]);
		printf("]}");
	}
	printf("]}\n");
}

static unsigned int histogram_terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return columns && atoi(columns) > 0 ? (unsigned int)atoi(columns) : 80;
}

static int histogram_draw(const struct options *options, const struct image *image,
			  const struct result *result)
{
	const char *slash = strrchr(options->input, '/');
	struct plot plot = { .channels = image->channels };
	struct image picture;
	char error[256], title[128];
	int ret;

	snprintf(title, sizeof(title), "%.40s %u x %u", slash ? slash + 1 : options->input,
		 image->width, image->height);
	plot.title = title;
	memcpy(plot.bins, result->bins, sizeof(plot.bins));
	if (!options->json)
		plot_print(&plot, stdout, histogram_terminal_width(),
			   isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
	if (plot_draw(&plot, &picture)) {
		fprintf(stderr, "histogram: no memory for the plot\n");
		return -ENOMEM;
	}
	ret = image_write_png(options->output, &picture, error, sizeof(error));
	image_free(&picture);
	if (ret)
		fprintf(stderr, "histogram: %s\n", error);
	else if (!options->json)
		printf("plot: %s\n", options->output);
	return ret;
}

static int histogram_report(const struct options *options, const struct image *image,
			    const struct result *result)
{
	uint32_t wrong = histogram_check(image, result);
	int ret = 0;

	if (options->plot)
		ret = histogram_draw(options, image, result);
	if (options->json) {
		histogram_print_json(options, image, result, !wrong);
	} else {
		histogram_print_counters(image, result);
		if (wrong)
			printf("CPU check FAILED: %u of %u bins differ\n", wrong,
			       image->channels * BINS);
		else
			printf("CPU check passed: all %u bins equal\n", image->channels * BINS);
	}
	return wrong || ret ? 1 : 0;
}

const char *argp_program_version = "histogram " FAA_VERSION_TEXT;

static error_t histogram_parse(int key, char *arg, struct argp_state *state)
{
	static char own_photo[PATH_MAX + 32];
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	case 'n':
		options->plot = false;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->input)
			argp_error(state, "one image, please: '%s' and '%s' were given",
				   options->input, arg);
		options->input = arg;
		return 0;
	case ARGP_KEY_END:
		if (!options->input) {
			data_path("photo.png", own_photo, sizeof(own_photo));
			options->input = own_photo;
		}
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option histogram_argp_options[] = {
	{ "output", 'o', "FILE", 0, "Write the plot to FILE (default histogram.png)", 0 },
	{ "no-plot", 'n', NULL, 0, "Draw nothing", 0 },
	TOOL_JSON_OPTION("bins and counters"),
	{ 0 },
};

static const struct argp histogram_argp = {
	.options = histogram_argp_options,
	.parser = histogram_parse,
	.children = faa_program_children,
	.args_doc = "[IMAGE.png]",
	.doc = "Histogram of an image on the faa device, checked against the CPU. Without "
	       "IMAGE.png: of the photograph that comes with this program.\v"
	       "Exit status: 0 if device and CPU agree, 1 if they do not or something failed.",
};

int main(int argc, char **argv)
{
	struct options options = { .output = "histogram.png", .plot = true };
	struct faa_program program = { argc, argv, NULL };
	struct faa_device *device;
	static struct result result;
	struct image image;
	char error[256];
	int ret;

	tool_parse(&histogram_argp, argc, argv, &options);
	if (image_read_png(options.input, &image, error, sizeof(error))) {
		fprintf(stderr, "histogram: %s\n", error);
		return 1;
	}
	if ((uint64_t)image.width * image.height > UINT32_MAX) {
		fprintf(stderr, "histogram: %s: %u x %u pixels, but a bin counts to 2^32 - 1\n",
			options.input, image.width, image.height);
		return 1;
	}
	program.engine = options.engine;
	if (faa_program_device(&program, &device))
		return 1;
	if (image.note)
		fprintf(stderr, "histogram: %s: %s\n", options.input, image.note);
	ret = histogram_run_on_device(device, &image, &result) ?
		      1 :
		      histogram_report(&options, &image, &result);
	faa_device_unref(device);
	image_free(&image);
	return ret;
}
