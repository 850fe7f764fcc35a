// SPDX-License-Identifier: MIT
/**
 * DOC: Density plot
 *
 * Counts how often the orbit of a strange attractor visits each pixel: millions of points, each an
 * addition to its pixel of a block-linear image. A chunk of points is one command, SUATOM without a
 * result, whose coordinates are the points in memory, 16 bits each. The program then reads the
 * image back, compares it pixel by pixel with the CPU's counts, and writes it as a picture.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attractor.h"
#include "clock.h"
#include "faa_program.h"
#include "heat_map.h"
#include "image.h"
#include "machine.h"
#include "progress.h"
#include "tool.h"

/* The kernel limits the time of a job, and a simulated device is slow. */
#define CHUNK 65536u

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct options {
	const char *engine;
	const char *output;
	struct attractor attractor;
	bool has_parameters;
	uint32_t points;
	uint32_t size;
	bool disassemble;
	bool json;
};

struct density {
	struct machine machine;
	struct machine_area points;
	struct faa_surface *surface;
	struct faa_header_pool *pool;
	uint32_t header;
	/* Counters, elements and cycles of all jobs. */
	struct faa_counters counters;
	uint64_t elements;
	/* Counts of the device and of the CPU, rows of pixels. */
	uint32_t *counted;
	uint32_t *expected;
};

static const char *const density_attractor_names[] = {
	[ATTRACTOR_CLIFFORD] = "clifford",
	[ATTRACTOR_DE_JONG] = "dejong",
};

static const double density_attractor_defaults[][4] = {
	[ATTRACTOR_CLIFFORD] = { -1.4, 1.6, 1.0, 0.7 },
	[ATTRACTOR_DE_JONG] = { 1.641, 1.902, 0.316, 1.525 },
};

static int density_complain(const char *what, const char *why)
{
	fprintf(stderr, "density: %s: %s\n", what, why);
	return -1;
}

/* Creates the image, and the pool with its header. */
static int density_open_surface(struct density *density, const struct options *options)
{
	struct faa_surface_desc desc = { .version = FAA_HEADER_VERSION_BLOCKLINEAR,
					 .type = FAA_TEXTURE_TYPE_TWO_D,
					 .texel = FAA_TEXEL_R32,
					 .data_type = FAA_DATA_TYPE_UINT,
					 .width = options->size,
					 .height = options->size,
					 .log2_gobs_y = 4 };
	uint32_t header[FAA_HEADER_WORDS];
	struct faa_surface_view view;
	const char *why;
	int ret;

	ret = faa_surface_create(density->machine.vm, &desc, &density->surface, &why);
	if (ret)
		return density_complain("the image", faa_last_error());
	view = faa_surface_view(faa_surface_info(density->surface));
	ret = faa_surface_encode(faa_surface_info(density->surface), &view,
				 faa_surface_va(density->surface), header, &why);
	if (ret)
		return density_complain("its header", why);
	ret = faa_header_pool_create(density->machine.vm, 1, &density->pool);
	if (!ret)
		ret = faa_header_pool_add(density->pool, header, &density->header);
	return ret ? density_complain("the header pool", faa_last_error()) : 0;
}

static int density_open(struct density *density, struct faa_device *device,
			const struct options *options)
{
	size_t pixels = (size_t)options->size * options->size;
	uint64_t bytes = (uint64_t)options->points * sizeof(uint32_t);

	if (machine_open(&density->machine, device, 1, 1ull << FAA_FEATURE_SURFACE_ATOMICS,
			 machine_area_bytes(bytes)))
		return -1;
	density->points = machine_take(&density->machine, bytes);
	density->counted = malloc(pixels * sizeof(uint32_t));
	density->expected = calloc(pixels, sizeof(uint32_t));
	if (!density->counted || !density->expected)
		return density_complain("the picture", strerror(ENOMEM));
	return density_open_surface(density, options);
}

static void density_close(struct density *density)
{
	free(density->counted);
	free(density->expected);
	faa_header_pool_destroy(density->pool);
	faa_surface_destroy(density->surface);
	machine_close(&density->machine);
}

/* Adds points @first to @first + @count - 1: one command. */
static int density_add_chunk(struct density *density, uint32_t first, uint32_t count)
{
	struct faa_place place = faa_place_header(FAA_DIM_D2, FAA_CLAMP_IGN, density->header);
	struct faa_stream *stream = density->machine.queues[0].stream;
	const struct faa_counters *counters = &density->machine.queues[0].counters;
	struct faa_job_status status;
	unsigned int i;

	place.packed = 1;
	/* The queue keeps it for later jobs. */
	if (!first)
		faa_header_pool_config(density->pool, stream);
	faa_stream_sured(stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, count,
			 faa_array_u32(density->points.va + 4ull * first, 4), faa_imm(1),
			 faa_none());
	if (machine_submit(&density->machine, 0) || machine_wait(&density->machine, 0, &status))
		return -1;
	for (i = 0; i < FAA_COUNTERS; i++)
		density->counters.value[i] += counters->value[i];
	density->elements += status.elements_retired;
	return 0;
}

static int density_count_on_device(struct density *density, const struct options *options)
{
	struct faa_surface_box all = faa_surface_box(faa_surface_info(density->surface), 0);
	struct faa_linear rows = { density->counted, 0, 0 };
	uint32_t first;
	int ret;

	progress_begin("points", options->points);
	for (first = 0; first < options->points; first += CHUNK) {
		uint32_t left = options->points - first;

		progress_done(first);
		if (density_add_chunk(density, first, left < CHUNK ? left : CHUNK))
			return -1;
	}
	progress_end();
	if (options->disassemble)
		machine_disassemble(&density->machine, 0);
	ret = faa_surface_download(density->surface, &all, &rows);
	return ret ? density_complain("reading the image", faa_last_error()) : 0;
}

/* Number of pixels that differ from the CPU's count. */
static size_t density_check(const struct density *density, const struct options *options)
{
	size_t i, pixels = (size_t)options->size * options->size, wrong = 0;
	const uint32_t *points = density->points.memory;

	for (i = 0; i < options->points; i++)
		density->expected[(size_t)(points[i] >> 16) * options->size +
				  (points[i] & 0xffff)]++;
	for (i = 0; i < pixels; i++) {
		if (density->counted[i] == density->expected[i])
			continue;
		if (!wrong++)
			fprintf(stderr,
				"density: pixel (%zu, %zu): the device counted %u, the CPU %u\n",
				i % options->size, i / options->size, density->counted[i],
				density->expected[i]);
	}
	return wrong;
}

/* The main use of the cycles. */
static const char *density_bound_by(const struct faa_counters *counters)
{
	static const struct {
		enum faa_counter counter;
		const char *text;
	} causes[] = {
		{ FAA_COUNTER_STALL_LINES,
		  "line operations: a warp's pixels lie in several lines" },
		{ FAA_COUNTER_STALL_MEMORY, "the L2" },
		{ FAA_COUNTER_STALL_TAG, "line operations that are not answered yet" },
		{ FAA_COUNTER_STALL_SURFACE, "texture headers" },
		{ FAA_COUNTER_STALL_OPERAND, "reading the points from memory" },
		{ FAA_COUNTER_STALL_FETCH, "command fetch" },
		{ FAA_COUNTER_STALL_BARRIER, "waiting for earlier commands" },
	};
	uint64_t cycles = counters->value[FAA_COUNTER_CYCLES], most = 0;
	const char *text = "issue: no stall accounts for most of the cycles";
	size_t i;

	for (i = 0; i < COUNT(causes); i++) {
		uint64_t stalled = counters->value[causes[i].counter];

		if (stalled > most && stalled * 3 >= cycles) {
			most = stalled;
			text = causes[i].text;
		}
	}
	return text;
}

static void density_print_counters(const struct density *density)
{
	printf("%" PRIu64 " additions in %" PRIu64 " warps: %.2f %s per warp", density->elements,
	       density->counters.value[FAA_COUNTER_WARPS],
	       clock_per_warp(&density->counters, FAA_COUNTER_CYCLES), density->machine.unit);
	if (!strcmp(density->machine.unit, "cycles"))
		printf(" and %.2f line operations; bound by %s",
		       clock_per_warp(&density->counters, FAA_COUNTER_ATOM_LINES),
		       density_bound_by(&density->counters));
	printf("\n");
}

static void density_print_text(const struct density *density, const struct options *options,
			       size_t wrong)
{
	const double *p = options->attractor.parameter;

	printf("%s %g,%g,%g,%g: %u points on %u x %u pixels\n",
	       density_attractor_names[options->attractor.kind], p[0], p[1], p[2], p[3],
	       options->points, options->size, options->size);
	density_print_counters(density);
	if (wrong)
		printf("CPU check FAILED: %zu pixels differ\n", wrong);
	else
		printf("CPU check passed: all %zu pixels equal\n",
		       (size_t)options->size * options->size);
}

static void density_print_json(const struct density *density, const struct options *options,
			       size_t wrong)
{
	const uint64_t *value = density->counters.value;
	const double *p = options->attractor.parameter;

	printf("{\"attractor\": \"%s\", \"parameters\": [%.15g, %.15g, %.15g, %.15g], "
	       "\"points\": %u, \"size\": %u, \"additions\": %" PRIu64 ", \"warps\": %" PRIu64 ", ",
	       density_attractor_names[options->attractor.kind], p[0], p[1], p[2], p[3],
	       options->points, options->size, density->elements, value[FAA_COUNTER_WARPS]);
	clock_print_json(density->machine.unit, value[FAA_COUNTER_CYCLES]);
	printf(", \"%s_per_warp\": %.4f", density->machine.unit,
	       clock_per_warp(&density->counters, FAA_COUNTER_CYCLES));
	if (!strcmp(density->machine.unit, "cycles")) {
		printf(", \"lines_per_warp\": %.4f, \"bound_by\": ",
		       clock_per_warp(&density->counters, FAA_COUNTER_ATOM_LINES));
		tool_print_json_string(density_bound_by(&density->counters));
	}
	printf(", \"wrong\": %zu, \"check\": %s}\n", wrong, wrong ? "false" : "true");
}

static int density_draw(const struct density *density, const struct options *options)
{
	struct image image;
	char error[256];
	int ret;

	if (heat_map(density->counted, options->size, &image))
		return density_complain("the picture", strerror(ENOMEM));
	ret = image_write_png(options->output, &image, error, sizeof(error));
	image_free(&image);
	if (ret)
		fprintf(stderr, "density: %s\n", error);
	else if (!options->json)
		printf("picture: %s\n", options->output);
	return ret;
}

static int density_report(const struct density *density, const struct options *options)
{
	size_t wrong = density_check(density, options);

	(options->json ? density_print_json : density_print_text)(density, options, wrong);
	return density_draw(density, options) || wrong ? 1 : 0;
}

static int density_run(struct faa_device *device, const struct options *options)
{
	struct density density = { 0 };
	int ret;

	ret = density_open(&density, device, options) ? 1 : 0;
	if (!ret) {
		attractor_points(&options->attractor, options->size, density.points.memory,
				 options->points);
		ret = density_count_on_device(&density, options) ?
			      1 :
			      density_report(&density, options);
	}
	density_close(&density);
	return ret;
}

const char *argp_program_version = "density " FAA_VERSION_TEXT;

/* Parses four numbers separated by commas. */
static bool density_take_parameters(const char *text, double *parameters)
{
	char *end;
	int i;

	for (i = 0; i < 4; i++) {
		parameters[i] = strtod(text, &end);
		if (end == text || !isfinite(parameters[i]) || fabs(parameters[i]) > 1000 ||
		    *end != (i < 3 ? ',' : '\0'))
			return false;
		text = end + 1;
	}
	return true;
}

static void density_take_attractor(struct argp_state *state, struct options *options,
				   const char *arg)
{
	size_t i;

	for (i = 0; i < COUNT(density_attractor_names) && strcmp(density_attractor_names[i], arg);
	     i++)
		;
	if (i == COUNT(density_attractor_names))
		argp_error(state, "--attractor=%s: allowed are clifford and dejong", arg);
	options->attractor.kind = (enum attractor_kind)i;
}

static error_t density_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 'a':
		density_take_attractor(state, options, arg);
		return 0;
	case 'm':
		options->has_parameters =
			density_take_parameters(arg, options->attractor.parameter);
		if (!options->has_parameters)
			argp_error(state,
				   "--parameters=%s: four numbers from -1000 to 1000, A,B,C,D",
				   arg);
		return 0;
	case 'p':
		options->points = tool_number("points", arg, 1, 1u << 28);
		return 0;
	case 'w':
		options->size = tool_number("size", arg, 1, 16384);
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	case 'd':
		options->disassemble = true;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument is needed, but '%s' was given", arg);
		return EINVAL;
	case ARGP_KEY_END:
		if (!options->has_parameters)
			memcpy(options->attractor.parameter,
			       density_attractor_defaults[options->attractor.kind],
			       sizeof(options->attractor.parameter));
		tool_check_json(state, options->json, options->disassemble);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option density_argp_options[] = {
	{ "points", 'p', "COUNT", 0, "Points of the orbit (default 2000000)", 0 },
	{ "size", 'w', "PIXELS", 0, "Width and height of the picture (default 512)", 0 },
	{ "attractor", 'a', "NAME", 0, "clifford (default) or dejong", 0 },
	{ "parameters", 'm', "A,B,C,D", 0, "Its parameters", 0 },
	{ "output", 'o', "FILE", 0, "Write the picture to FILE (default density.png)", 0 },
	{ "disassemble", 'd', NULL, 0, "Print the stream of the last job", 0 },
	TOOL_JSON_OPTION("counts and cycles"),
	{ 0 },
};

static const struct argp density_argp = {
	.options = density_argp_options,
	.parser = density_parse,
	.children = faa_program_children,
	.doc = "Density plot of a strange attractor: each point is an atomic addition to a pixel of an image on the faa device. Checked against "
	       "the CPU.\v"
	       "Exit status: 0 if all pixels are equal, 1 if not or if something failed.",
};

int main(int argc, char **argv)
{
	struct options options = { .points = 2000000, .size = 512, .output = "density.png" };
	struct faa_program program = { argc, argv, NULL };
	struct faa_device *device;
	int ret;

	tool_parse(&density_argp, argc, argv, &options);
	program.engine = options.engine;
	if (faa_program_device(&program, &device))
		return 1;
	ret = density_run(device, &options);
	faa_device_unref(device);
	return ret;
}
