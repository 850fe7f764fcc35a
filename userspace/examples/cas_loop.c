// SPDX-License-Identifier: MIT
/**
 * DOC: Atomic operations that the device lacks
 *
 * 32 lanes execute an atomic 64-bit minimum, and an addition that saturates, first all on one word,
 * then on random words. Each operation is a CAS loop that the device executes. The program checks
 * memory and the lanes' results: some sequential order of the lanes must explain all of them.
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cas_functions.h"
#include "clock.h"
#include "faa_program.h"
#include "tool.h"

#define LANES FAA_LANES
#define WORDS 24
/* Each function on one word, then on random words. */
#define TRIALS (2 * CAS_FUNCTIONS)

/* Registers; the even ones hold 64-bit values. */
enum {
	REG_ADDRESS = 1,
	REG_OPERAND = 2,
	REG_OLD = 4,
	REG_DESIRED = 6,
	REG_SCRATCH = 8,
};

/* Parts of the BO, bytes. */
enum {
	STREAM_OFFSET = 0,
	SNAPSHOT_OFFSET = 4096,
	INPUT_OFFSET = 8192,
	ADDRESS_OFFSET = 8704,
	OPERAND_OFFSET = 9216,
	OLD_OFFSET = 9728,
	OUTPUT_OFFSET = 10240,
	BO_BYTES = 12288,
};

struct options {
	const char *engine;
	uint64_t seed;
	bool disassemble;
	bool json;
};

/* Objects on the device; cas_machine_close() releases them. */
struct machine {
	struct faa_vm *vm;
	struct faa_queue *queue;
	struct faa_bo *bo;
	struct faa_stream *stream;
	uint64_t va;
	uint8_t *memory;
};

/* One function on one set of words, and its results. */
struct trial {
	const struct cas_function *function;
	bool contended;
	struct cas_lane lanes[LANES];
	uint64_t words[WORDS];
	struct faa_counters counters;
	bool right;
};

static int cas_complain(const char *what, int error)
{
	fprintf(stderr, "cas_loop: %s: %s\n", what, faa_last_error());
	return error;
}

static void cas_machine_close(struct machine *machine)
{
	faa_stream_destroy(machine->stream);
	faa_queue_destroy(machine->queue);
	faa_bo_unref(machine->bo);
	faa_vm_unref(machine->vm);
}

/* On failure cas_machine_close() releases the parts that exist. */
static int cas_machine_open(struct faa_device *device, struct machine *machine)
{
	struct faa_queue_options options = { .shared_bytes = 256 };
	void *memory;
	int ret;

	if (!(faa_device_info(device)->features >> FAA_FEATURE_ALU & 1)) {
		fprintf(stderr, "cas_loop: this build of the device has no ALU commands\n");
		return -EOPNOTSUPP;
	}
	ret = faa_vm_create(device, &machine->vm);
	if (!ret)
		ret = faa_bo_create(device, BO_BYTES, 0, &machine->bo);
	if (!ret)
		ret = faa_bo_map(machine->bo, &memory);
	if (!ret)
		ret = faa_vm_map(machine->vm, machine->bo, 0, 0, 0, &machine->va);
	if (!ret)
		ret = faa_queue_create(machine->vm, &options, &machine->queue);
	if (!ret)
		ret = faa_stream_create(&machine->stream);
	if (ret)
		return cas_complain("setting up the device", ret);
	machine->memory = memory;
	return 0;
}

static uint64_t cas_next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/*
 * Draws words, addresses and operands: near the end of the range, so that some of the additions
 * saturate.
 */
static void cas_draw(struct trial *trial, uint64_t *seed)
{
	bool wide = trial->function->type == FAA_TYPE_U64;
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		trial->words[i] = wide ? cas_next_random(seed) | 1ull << 63 :
					 UINT32_MAX - cas_next_random(seed) % 4000;
	for (i = 0; i < LANES; i++) {
		trial->lanes[i].word = trial->contended ? 0 : cas_next_random(seed) % WORDS;
		trial->lanes[i].operand = wide ? cas_next_random(seed) :
						 cas_next_random(seed) % 300;
	}
}

/* An item of 4 or 8 bytes, little-endian like the device. */
static uint64_t cas_get(const uint8_t *memory, unsigned int index, unsigned int size)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < size; i++)
		value |= (uint64_t)memory[index * size + i] << 8 * i;
	return value;
}

static void cas_put(uint8_t *memory, unsigned int index, unsigned int size, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		memory[index * size + i] = value >> 8 * i;
}

static void cas_build(struct machine *m, const struct trial *trial)
{
	enum faa_type type = trial->function->type;
	int size = type == FAA_TYPE_U64 ? 8 : 4;
	uint8_t operand = REG_OPERAND;
	struct faa_cas_loop loop = {
		.type = type,
		.lanes = LANES,
		.address = faa_reg(REG_ADDRESS),
		.old = REG_OLD,
		.desired = REG_DESIRED,
		.scratch = REG_SCRATCH,
		.pending = 0,
		.body = trial->function->body,
		.data = &operand,
	};

	faa_stream_reset(m->stream);
	faa_stream_sts(m->stream, type, WORDS, faa_affine(0, size), 0,
		       faa_array(m->va + INPUT_OFFSET, type, size));
	faa_stream_mov(m->stream, FAA_TYPE_U32, LANES, faa_reg(REG_ADDRESS),
		       faa_array_u32(m->va + ADDRESS_OFFSET, 4));
	faa_stream_mov(m->stream, type, LANES, faa_reg(REG_OPERAND),
		       faa_array(m->va + OPERAND_OFFSET, type, size));
	faa_stream_snapshot(m->stream, m->va + SNAPSHOT_OFFSET);
	faa_stream_cas_loop(m->stream, &loop);
	faa_stream_snapshot(m->stream, m->va + SNAPSHOT_OFFSET + FAA_SNAPSHOT_BYTES);
	faa_stream_mov(m->stream, type, LANES, faa_array(m->va + OLD_OFFSET, type, size),
		       faa_reg(REG_OLD));
	faa_stream_lds(m->stream, type, WORDS, faa_array(m->va + OUTPUT_OFFSET, type, size),
		       faa_affine(0, size), 0);
	faa_stream_end(m->stream);
}

static void cas_show_stream(const struct faa_stream *stream)
{
	size_t count, at = 0;
	const uint64_t *words = faa_stream_words(stream, &count);
	unsigned int used;
	char text[256];

	while (at < count) {
		faa_disassemble(words + at, count - at, &used, text, sizeof(text));
		printf("  %4zx:  %s\n", at * 8, text);
		at += used;
	}
}

static int cas_run(struct machine *m, struct trial *trial, bool disassemble)
{
	struct faa_job job = { .stream_va = m->va + STREAM_OFFSET };
	struct faa_job_status status;
	const uint64_t *words;
	char text[256];
	size_t count;
	int ret;

	cas_build(m, trial);
	ret = faa_stream_upload(m->stream, m->bo, STREAM_OFFSET);
	if (ret) {
		fprintf(stderr, "cas_loop: building the stream: %s\n", faa_last_error());
		return ret;
	}
	if (disassemble)
		cas_show_stream(m->stream);
	job.stream_bytes = faa_stream_bytes(m->stream);
	ret = faa_queue_run(m->queue, &job, FAA_NO_DEADLINE, &status);
	if (!ret)
		return 0;
	words = faa_stream_words(m->stream, &count);
	faa_status_format(&status, words, count, text, sizeof(text));
	fprintf(stderr, "cas_loop: %s\n",
		status.code < FAA_JOB_NOT_SUBMITTED ? text : faa_last_error());
	return ret;
}

/* Whether an order of the lanes explains the device's results; prints a message if not. */
static bool cas_check(const struct machine *m, struct trial *trial)
{
	unsigned int size = trial->function->type == FAA_TYPE_U64 ? 8 : 4, i;
	int lane;

	for (i = 0; i < LANES; i++)
		trial->lanes[i].old = cas_get(m->memory + OLD_OFFSET, i, size);
	lane = cas_explain(trial->function, trial->lanes, LANES, trial->words);
	if (lane >= 0) {
		fprintf(stderr, "cas_loop: %s: no order of the lanes explains 0x%llx in lane %d\n",
			trial->function->name, (unsigned long long)trial->lanes[lane].old, lane);
		return false;
	}
	for (i = 0; i < WORDS; i++) {
		uint64_t value = cas_get(m->memory + OUTPUT_OFFSET, i, size);

		if (value == trial->words[i])
			continue;
		fprintf(stderr, "cas_loop: %s: word %u is 0x%llx, not 0x%llx\n",
			trial->function->name, i, (unsigned long long)value,
			(unsigned long long)trial->words[i]);
		return false;
	}
	return true;
}

static int cas_try(struct machine *m, struct trial *trial, const struct options *options)
{
	unsigned int size = trial->function->type == FAA_TYPE_U64 ? 8 : 4, i;
	struct faa_counters before, after;

	memset(m->memory, 0, BO_BYTES);
	for (i = 0; i < WORDS; i++)
		cas_put(m->memory + INPUT_OFFSET, i, size, trial->words[i]);
	for (i = 0; i < LANES; i++) {
		cas_put(m->memory + ADDRESS_OFFSET, i, 4, trial->lanes[i].word * size);
		cas_put(m->memory + OPERAND_OFFSET, i, size, trial->lanes[i].operand);
	}
	if (cas_run(m, trial, options->disassemble))
		return 1;
	faa_counters_read(m->memory + SNAPSHOT_OFFSET, &before);
	faa_counters_read(m->memory + SNAPSHOT_OFFSET + FAA_SNAPSHOT_BYTES, &after);
	faa_counters_diff(&before, &after, &trial->counters);
	trial->right = cas_check(m, trial);
	return 0;
}

static const char *cas_words_of(const struct trial *trial)
{
	return trial->contended ? "one word" : "random words";
}

static void cas_print_text(const struct trial *trial)
{
	const uint64_t *count = trial->counters.value;

	if (trial->right)
		printf("%s, %s: %llu commands, %llu passes over the banks, %llu %s\n",
		       trial->function->name, cas_words_of(trial),
		       (unsigned long long)count[FAA_COUNTER_COMMANDS],
		       (unsigned long long)count[FAA_COUNTER_PASSES],
		       (unsigned long long)count[FAA_COUNTER_CYCLES], clock_unit(&trial->counters));
	else
		printf("%s, %s: check FAILED\n", trial->function->name, cas_words_of(trial));
}

static void cas_print_json(const struct trial *trials, const struct options *options, bool right)
{
	unsigned int i;

	printf("{\"seed\": %llu, \"trials\": [", (unsigned long long)options->seed);
	for (i = 0; i < TRIALS; i++) {
		const uint64_t *count = trials[i].counters.value;

		printf("%s{\"function\": \"%s\", \"words\": \"%s\", \"commands\": %llu, "
		       "\"passes\": %llu, ",
		       i ? ", " : "", trials[i].function->name, cas_words_of(&trials[i]),
		       (unsigned long long)count[FAA_COUNTER_COMMANDS],
		       (unsigned long long)count[FAA_COUNTER_PASSES]);
		clock_print_json(clock_unit(&trials[i].counters), count[FAA_COUNTER_CYCLES]);
		printf(", \"check\": %s}", trials[i].right ? "true" : "false");
	}
	printf("], \"check\": %s}\n", right ? "true" : "false");
}

static int cas_try_all(struct machine *m, const struct options *options)
{
	struct trial trials[TRIALS] = { 0 };
	uint64_t seed = options->seed;
	bool right = true;
	unsigned int i;

	for (i = 0; i < TRIALS; i++) {
		trials[i].function = &cas_functions[i / 2];
		trials[i].contended = !(i % 2);
		cas_draw(&trials[i], &seed);
		if (cas_try(m, &trials[i], options))
			return 1;
		if (!options->json)
			cas_print_text(&trials[i]);
		right = right && trials[i].right;
	}
	if (options->json)
		cas_print_json(trials, options, right);
	else if (right)
		printf("check passed: an order of the lanes explains every value\n");
	return right ? 0 : 1;
}

const char *argp_program_version = "cas_loop " FAA_VERSION_TEXT;

static error_t cas_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	char *end;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 's':
		options->seed = strtoull(arg, &end, 0);
		if (*end || !options->seed)
			argp_error(state, "--seed=%s: a number that is not 0, please", arg);
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
		tool_check_json(state, options->json, options->disassemble);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option cas_argp_options[] = {
	{ "seed", 's', "N", 0, "Seed of the random values (default 1)", 0 },
	{ "disassemble", 'd', NULL, 0, "Show the streams", 0 },
	TOOL_JSON_OPTION("counts and cycles"),
	{ 0 },
};

static const struct argp cas_argp = {
	.options = cas_argp_options,
	.parser = cas_parse,
	.children = faa_program_children,
	.doc = "Atomic operations that the device lacks, as CAS loops on the device: a 64-bit "
	       "minimum and an addition that saturates, checked.\v"
	       "Exit status: 0 if every value is right, 1 if not or if something failed.",
};

int main(int argc, char **argv)
{
	struct faa_program program = { argc, argv, NULL };
	struct options options = { .seed = 1 };
	struct machine machine = { 0 };
	struct faa_device *device;
	int ret;

	tool_parse(&cas_argp, argc, argv, &options);
	program.engine = options.engine;
	if (faa_program_device(&program, &device))
		return 1;
	ret = cas_machine_open(device, &machine) ? 1 : cas_try_all(&machine, &options);
	cas_machine_close(&machine);
	faa_device_unref(device);
	return ret;
}
