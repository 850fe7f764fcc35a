// SPDX-License-Identifier: MIT
/* Runs code of an assembly language, or a stream, on the device: see Documentation/exec.rst. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exec_tool.h"
#include "tool.h"

enum key {
	KEY_SHARED = 256,
	KEY_SHARED_DATA,
	KEY_SURFACE,
	KEY_BANK,
	KEY_STATS,
	KEY_KERNEL,
};

const char *argp_program_version = "faa-exec " FAA_VERSION_TEXT;

/* ---------------------------------------------------------------------------------------------------------------
 * NAME=...
 */

/* Copies the name before the first '='; *@rest is the text after it. */
static char *exec_take_name(struct argp_state *state, const char *option, const char *arg,
			    const char **rest)
{
	const char *equals = strchr(arg, '=');
	char *name;

	if (!equals || equals == arg)
		argp_error(state, "--%s=%s: NAME=... is expected", option, arg);
	name = strndup(arg, (size_t)(equals - arg));
	if (!name)
		argp_failure(state, 1, ENOMEM, "--%s", option);
	*rest = equals + 1;
	return name;
}

static struct exec_binding *exec_add_binding(struct argp_state *state, struct exec_list *list,
					     const char *option, const char *arg, const char **rest)
{
	struct exec_binding *binding = &list->items[list->count];

	if (list->count == EXEC_MAX)
		argp_error(state, "--%s: at most %d are allowed", option, EXEC_MAX);
	list->count++;
	binding->name = exec_take_name(state, option, arg, rest);
	return binding;
}

static void exec_add_value(struct argp_state *state, struct exec_list *list, const char *option,
			   const char *arg)
{
	const char *rest;
	struct exec_binding *binding = exec_add_binding(state, list, option, arg, &rest);

	binding->text = rest;
}

static void exec_add_sink(struct argp_state *state, struct exec_list *list, const char *option,
			  const char *arg)
{
	char why[256];
	const char *rest;
	struct exec_binding *binding = exec_add_binding(state, list, option, arg, &rest);

	if (exec_sink_parse(rest, &binding->sink, why, sizeof(why)))
		argp_error(state, "--%s=%s: %s", option, arg, why);
}

/* TYPE[*COUNT][:SINK]. */
static void exec_add_print(struct argp_state *state, struct exec_list *list, const char *arg)
{
	const char *star = strchr(arg, '*'), *equals = strchr(arg, '=');
	size_t end = star ? strcspn(star, ":") : 0;
	char text[512], number[32];
	uint64_t count = 0;

	if (star && equals && star > equals) {
		snprintf(number, sizeof(number), "%.*s", (int)(end - 1), star + 1);
		if (!exec_number(number, &count) || !count || count > SIZE_MAX / 8)
			argp_error(state, "--print=%s: '%s' is no number of items", arg, number);
		snprintf(text, sizeof(text), "%.*s%s", (int)(star - arg), arg, star + end);
		/*
		 * The sink keeps a pointer into its text: it must point into the argument, after
		 * the number.
		 */
		exec_add_sink(state, list, "print", text);
		if (list->items[list->count - 1].sink.path)
			list->items[list->count - 1].sink.path =
				star + end +
				(list->items[list->count - 1].sink.raw ? 1 : strlen(":text:"));
	} else {
		exec_add_sink(state, list, "print", arg);
	}
	list->items[list->count - 1].count = (size_t)count;
}

/* NAME[@ADDRESS]. */
static void exec_take_address(struct argp_state *state, struct exec_buffer *buffer, const char *arg)
{
	char *at = strchr(buffer->name, '@');

	if (!at)
		return;
	*at = '\0';
	buffer->fixed = true;
	if (!exec_number(at + 1, &buffer->va) || buffer->va % 4096 || buffer->va < FAA_VM_GUARD ||
	    buffer->va >> FAA_VA_BITS)
		argp_error(state,
			   "--buffer=%s: the address is a multiple of 4096 from %d on, of %d bits",
			   arg, FAA_VM_GUARD, FAA_VA_BITS);
}

static void exec_add_buffer(struct argp_state *state, struct exec_options *options,
			    const char *option, const char *arg, bool surface)
{
	struct exec_buffer *buffer = &options->buffers[options->buffer_count];
	unsigned int i;
	char why[256];
	const char *rest;
	int ret;

	if (options->buffer_count == EXEC_MAX)
		argp_error(state, "--%s: at most %d buffers and surfaces are allowed", option,
			   EXEC_MAX);
	buffer->name = exec_take_name(state, option, arg, &rest);
	if (!surface)
		exec_take_address(state, buffer, arg);
	if (strspn(buffer->name, "0123456789") || strpbrk(buffer->name, "+-*#@:") || !*buffer->name)
		argp_error(state, "--%s=%s: '%s' is no name of a buffer", option, arg,
			   buffer->name);
	for (i = 0; i < options->buffer_count; i++)
		if (!strcmp(options->buffers[i].name, buffer->name))
			break;
	if (i < options->buffer_count || !strcmp(buffer->name, "shared") ||
	    !strcmp(buffer->name, "lane"))
		argp_error(state, "--%s=%s: there is a '%s' already", option, arg, buffer->name);
	ret = surface ? exec_surface_parse(rest, buffer, why, sizeof(why)) :
			exec_array_parse(rest, &buffer->array, why, sizeof(why));
	if (ret)
		argp_error(state, "--%s=%s: %s", option, arg, why);
	options->buffer_count++;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Numbers and names
 */

static unsigned int exec_take_number(struct argp_state *state, const char *option, const char *arg,
				     unsigned int low, unsigned int high)
{
	uint64_t value;

	if (!exec_number(arg, &value) || value < low || value > high)
		argp_error(state, "--%s=%s: a number from %u to %u is expected", option, arg, low,
			   high);
	return (unsigned int)value;
}

/* A number of lanes, or with 0x a mask. */
static uint32_t exec_take_lanes(struct argp_state *state, const char *arg)
{
	if (strncmp(arg, "0x", 2))
		return 0xffffffffu >>
		       (FAA_LANES - exec_take_number(state, "lanes", arg, 1, FAA_LANES));
	return exec_take_number(state, "lanes", arg, 1, UINT32_MAX);
}

static int exec_take_syntax(struct argp_state *state, const char *arg)
{
	int syntax = strcmp(arg, "stream") ? asm_syntax_find(arg) : ASM_STREAM;

	if (syntax < 0)
		argp_error(state, "--syntax=%s: allowed are " ASM_SYNTAXES ", or stream", arg);
	return syntax;
}

static int exec_take_format(struct argp_state *state, const char *arg)
{
	int format = asm_format_find(arg);

	if (format < 0)
		argp_error(state, "--format=%s: allowed are text, hex, bundle and cisa", arg);
	return format;
}

static bool exec_is_buffer(const struct exec_options *options, const char *name)
{
	unsigned int i;

	for (i = 0; i < options->buffer_count; i++)
		if (!strcmp(options->buffers[i].name, name))
			return true;
	return !strcmp(name, "shared") && options->shared_bytes;
}

static void exec_check(struct argp_state *state, struct exec_options *options)
{
	uint64_t shared = options->shared.count ?
				  (uint64_t)options->shared.count * options->shared.type->bytes :
				  0;

	if (!options->path)
		argp_error(state, "which file?");
	tool_check_json(state, options->json, options->list);
	if (shared > options->shared_bytes)
		argp_error(state, "--shared-data has %llu bytes, --shared %u",
			   (unsigned long long)shared, options->shared_bytes);
}

/* Checks the names of --print, which may also be variables of the code. */
static int exec_check_prints(const struct exec_options *options)
{
	unsigned int i;

	for (i = 0; i < options->prints.count; i++) {
		if (exec_is_buffer(options, options->prints.items[i].name))
			continue;
		fprintf(stderr, "faa-exec: --print: there is no '%s'\n",
			options->prints.items[i].name);
		return -EINVAL;
	}
	return 0;
}

static error_t exec_parse_data(int key, char *arg, struct argp_state *state,
			       struct exec_options *options)
{
	char why[256];

	switch (key) {
	case 'b':
		exec_add_buffer(state, options, "buffer", arg, false);
		return 0;
	case KEY_SURFACE:
		exec_add_buffer(state, options, "surface", arg, true);
		return 0;
	case 'S':
		exec_add_value(state, &options->sets, "set", arg);
		return 0;
	case KEY_BANK:
		exec_add_value(state, &options->banks, "bank", arg);
		return 0;
	case 'g':
		exec_add_sink(state, &options->gets, "get", arg);
		return 0;
	case 'p':
		exec_add_print(state, &options->prints, arg);
		return 0;
	case KEY_SHARED:
		options->shared_bytes =
			exec_take_number(state, "shared", arg, 1, FAA_SHARED_WINDOW_BYTES);
		return 0;
	case KEY_SHARED_DATA:
		if (exec_array_parse(arg, &options->shared, why, sizeof(why)))
			argp_error(state, "--shared-data=%s: %s", arg, why);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t exec_parse(int key, char *arg, struct argp_state *state)
{
	struct exec_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 's':
		options->syntax = exec_take_syntax(state, arg);
		return 0;
	case 'f':
		options->format = exec_take_format(state, arg);
		return 0;
	case KEY_KERNEL:
		options->kernel = arg;
		return 0;
	case 'l':
		options->lanes = exec_take_lanes(state, arg);
		return 0;
	case 'w':
		options->warps = exec_take_number(state, "warps", arg, 1, 65536);
		return 0;
	case 'r':
		options->repeat = exec_take_number(state, "repeat", arg, 1, 1000000);
		return 0;
	case 't':
		options->timeout = exec_take_number(state, "timeout", arg, 1, 86400);
		return 0;
	case 'd':
		options->list = true;
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case KEY_STATS:
		options->stats = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->path)
			argp_error(state, "one file, please: '%s' and '%s' were given",
				   options->path, arg);
		options->path = arg;
		return 0;
	case ARGP_KEY_END:
		exec_check(state, options);
		return 0;
	default:
		return exec_parse_data(key, arg, state, options);
	}
}

static const struct argp_option exec_argp_options[] = {
	{ 0, 0, 0, 0, "The code:", 1 },
	{ "syntax", 's', ASM_SYNTAX_VALUES "|stream", 0,
	  "Language of FILE: " ASM_SYNTAXES
	  ", or stream: output of faa-as. Without it the suffix decides: .sass, .visaasm, .ptx, .bundle, .cisa, .faa",
	  1 },
	{ "format", 'f', ASM_FORMAT_VALUES, 0, "Form of FILE", 1 },
	{ "kernel", KEY_KERNEL, "NAME", 0, "Kernel of FILE, if it has several", 1 },
	{ 0, 0, 0, 0, "Memory:", 2 },
	{ "buffer", 'b', "NAME[@ADDRESS]=TYPE:SOURCE", 0,
	  "A buffer in global memory, for atomic operations too. TYPE: " EXEC_TYPES
	  ". SOURCE: values with commas, @FILE (its bytes), zero:N, iota:N (0, 1, 2, ...), fill:N:VALUE, random:N:SEED",
	  2 },
	{ "surface", KEY_SURFACE, "NAME=DIM:TEXEL:SIZES[:LAYOUT]", 0,
	  "A surface of zeros and its texture header: 2D:R32:64x32, 2D:R32:64x32:pitch; names are those of faa-surface",
	  2 },
	{ "bank", KEY_BANK, "WORD=VALUE", 0, "A word of the constant bank", 2 },
	{ "shared", KEY_SHARED, "BYTES", 0, "Shared memory of the queue, zeros", 2 },
	{ "shared-data", KEY_SHARED_DATA, "TYPE:SOURCE", 0, "Initial contents of shared memory",
	  2 },
	{ 0, 0, 0, 0,
	  "Registers, parameters and variables, by their names in the language (in a stream: R2, R2.64 with R3, P0):",
	  3 },
	{ "set", 'S', "NAME=VALUE", 0,
	  "Set it before the code runs: a sum of numbers, f32:1.5, lane, lane*4, @BUFFER (its address), #SURFACE (its handle) and BUFFER (its item of the lane's number). Others are 0",
	  3 },
	{ "get", 'g', "NAME=TYPE[:FILE]", 0,
	  "Show its values in all lanes afterwards: FILE receives bytes, text:FILE one item a line",
	  3 },
	{ "print", 'p', "BUFFER=TYPE[*COUNT][:FILE]", 0,
	  "Show a buffer, a surface (its rows) or shared afterwards", 3 },
	{ 0, 0, 0, 0, "Execution:", 4 },
	{ "lanes", 'l', "N|0xMASK", 0, "Lanes that execute (default 32)", 4 },
	{ "warps", 'w', "N", 0,
	  "Number of warps, whose lanes are numbered consecutively (default 1)", 4 },
	{ "repeat", 'r', "N", 0, "Number of runs (default 1)", 4 },
	{ "timeout", 't', "SECONDS", 0, "Give up after this (default 60)", 4 },
	{ "disassemble", 'd', NULL, 0, "Show the commands of the first warp", 4 },
	{ "json", 'j', NULL, 0, "Show the results of --get, --print and --stats as one JSON object",
	  4 },
	{ "stats", KEY_STATS, NULL, 0,
	  "Show the device's cycles (of the C model: steps, which do not measure time) and elements",
	  4 },
	{ 0 },
};

static const struct argp exec_argp = {
	.options = exec_argp_options,
	.parser = exec_parse,
	.args_doc = "FILE",
	.children = faa_program_children,
	.doc = "Run code on the device: SASS, vISA, PTX or a stream of commands; '-' is the standard input."
	       "\vExample: eight counters, to which the threads of two warps add 1:\n\n"
	       "  faa-exec count.ptx --buffer=counters=u32:zero:8 --set=%rd1=@counters --warps=2 --print=counters=u32\n\n"
	       "If the job fails, the message names the line, the warp, the device's error, command and lane. Exit status: 0; 1 if something failed; 2 for a usage error.",
};

static void exec_free_list(struct exec_list *list)
{
	unsigned int i;

	for (i = 0; i < list->count; i++) {
		free(list->items[i].name);
		free(list->items[i].own_text);
	}
}

static void exec_free_options(struct exec_options *options)
{
	unsigned int i;

	for (i = 0; i < options->buffer_count; i++) {
		free(options->buffers[i].name);
		free(options->buffers[i].array.bytes);
	}
	free(options->shared.bytes);
	exec_free_list(&options->sets);
	exec_free_list(&options->gets);
	exec_free_list(&options->prints);
	exec_free_list(&options->banks);
}

/* Checks names, values and commands without a device; addresses are assumed. */
static int exec_rehearse(const struct exec_options *options, const struct exec_code *code)
{
	struct exec_job job = { 0 };
	struct exec_value value;
	uint64_t word;
	unsigned int i;
	int ret = faa_stream_create(&job.stream);

	if (!ret)
		ret = exec_code_emit(options, code, 0, &job);
	for (i = 0; !ret && i < options->banks.count; i++) {
		ret = exec_value_parse(options, &options->banks.items[i], &value);
		if (!ret && (!exec_number(options->banks.items[i].name, &word) ||
			     word >= FAA_CONSTANT_WORDS || value.step || value.items)) {
			fprintf(stderr,
				"faa-exec: --bank=%s=%s: a word of the bank, 0 to %d, has one value\n",
				options->banks.items[i].name, options->banks.items[i].text,
				FAA_CONSTANT_WORDS - 1);
			ret = -EINVAL;
		}
	}
	faa_stream_destroy(job.stream);
	free(job.lines);
	return ret;
}

int main(int argc, char **argv)
{
	static struct exec_options options = {
		.syntax = -1, .format = -1, .lanes = ~0u, .warps = 1, .repeat = 1, .timeout = 60
	};
	struct faa_program program = { .argc = argc, .argv = argv };
	struct exec_code code = { 0 };
	struct faa_device *device = NULL;
	int ret = 0;

	tool_parse(&exec_argp, argc, argv, &options);
	program.engine = options.engine;
	/*
	 * The standard input can be read once only: if the program starts itself again in a
	 * machine, there.
	 */
	if (!strcmp(options.path, "-"))
		ret = faa_program_device(&program, &device);
	if (!ret)
		ret = exec_code_load(&options, &code);
	if (!ret)
		ret = exec_bind_variables(&options, &code);
	if (!ret)
		ret = exec_check_prints(&options);
	if (!ret)
		ret = exec_rehearse(&options, &code);
	if (!ret && !device)
		ret = faa_program_device(&program, &device);
	if (!ret)
		ret = exec_run(&options, &code, device);
	faa_device_unref(device);
	exec_code_free(&code);
	exec_free_options(&options);
	return ret ? 1 : 0;
}
