// SPDX-License-Identifier: MIT
/**
 * DOC: A hash table without locks
 *
 * Two queues insert keys into one table with open addressing at the same time; many keys occur in
 * both, and several times. A CAS on the key word of a slot claims it. Then both look up keys, of
 * which half were inserted. The CPU checks that each key has one slot with the right count, and
 * every answer.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_program.h"
#include "machine.h"
#include "random.h"
#include "table_stream.h"
#include "tool.h"

#define QUEUES 2

struct options {
	const char *engine;
	uint32_t keys;
	unsigned int log2;
	uint64_t seed;
	bool disassemble;
	bool json;
};

/* Times of a pair of jobs: of each, and while both ran. */
struct times {
	uint64_t cycles[QUEUES];
	uint64_t together;
};

/* The device's memory, and the drawn keys, sorted. */
struct table {
	struct machine machine;
	struct machine_area slots, keys, queries, results;
	uint32_t *sorted;
};

static int hashtable_table_open(struct table *table, struct faa_device *device,
				const struct options *options)
{
	uint64_t slots = sizeof(struct table_entry) << options->log2;
	uint64_t keys = machine_area_bytes(options->keys * 4ull);
	int ret;

	ret = machine_open(&table->machine, device, QUEUES,
			   1ull << FAA_FEATURE_GLOBAL_ATOMICS | 1ull << FAA_FEATURE_ALU,
			   slots + 3 * keys);
	if (ret)
		return ret;
	table->slots = machine_take(&table->machine, slots);
	table->keys = machine_take(&table->machine, keys);
	table->queries = machine_take(&table->machine, keys);
	table->results = machine_take(&table->machine, keys);
	table->sorted = malloc(keys);
	if (table->sorted)
		return 0;
	fprintf(stderr, "hashtable: no memory\n");
	return -ENOMEM;
}

static void hashtable_table_close(struct table *table)
{
	free(table->sorted);
	machine_close(&table->machine);
}

static int hashtable_compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Draws one of as many keys as there are insertions, so that many occur several times; not 0. */
static uint32_t hashtable_draw_key(uint64_t *seed, const struct options *options)
{
	uint64_t number = random_next(seed) % options->keys;

	return (uint32_t)random_next(&number) | 1;
}

/* Draws keys and queries: half of the queries were inserted; nearly all others were not. */
static void hashtable_draw(struct table *table, const struct options *options)
{
	uint32_t *keys = table->keys.memory, *queries = table->queries.memory, i;
	uint64_t seed = options->seed;

	for (i = 0; i < options->keys; i++) {
		keys[i] = hashtable_draw_key(&seed, options);
		queries[i] = i % 2 ? keys[random_next(&seed) % (i + 1)] :
				     (uint32_t)random_next(&seed) | 1;
	}
	memcpy(table->sorted, keys, options->keys * sizeof(*keys));
	qsort(table->sorted, options->keys, sizeof(*keys), hashtable_compare);
}

/* Number of sorted keys that are less than @key. */
static uint32_t hashtable_below(const struct table *table, const struct options *options,
				uint64_t key)
{
	uint32_t low = 0, high = options->keys;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (table->sorted[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Number of insertions of @key. */
static uint32_t hashtable_occurrences(const struct table *table, const struct options *options,
				      uint32_t key)
{
	return hashtable_below(table, options, key + 1ull) - hashtable_below(table, options, key);
}

static uint32_t hashtable_distinct_keys(const struct table *table, const struct options *options)
{
	uint32_t i, count = 0;

	for (i = 0; i < options->keys; i++)
		count += !i || table->sorted[i] != table->sorted[i - 1];
	return count;
}

/* Runs the commands of @add in each queue, on its part of the keys at @keys. */
static int hashtable_run_queues(struct table *table, const struct options *options, uint64_t keys,
				void (*add)(struct faa_stream *stream,
					    const struct table_work *work),
				struct times *times)
{
	struct faa_job_status status[QUEUES];
	unsigned int i, submitted = 0;
	int64_t together;
	int ret = 0, wait;

	for (i = 0; !ret && i < QUEUES; i++) {
		struct table_work work = { .slots = table->slots.va,
					   .log2 = options->log2,
					   .keys = keys,
					   .results = table->results.va,
					   .begin = (uint64_t)options->keys * i / QUEUES,
					   .end = (uint64_t)options->keys * (i + 1) / QUEUES };

		add(table->machine.queues[i].stream, &work);
		ret = machine_submit(&table->machine, i);
		submitted += !ret;
	}
	for (i = 0; i < submitted; i++) {
		wait = machine_wait(&table->machine, i, &status[i]);
		ret = ret ? ret : wait;
	}
	if (ret)
		return ret;
	if (options->disassemble)
		machine_disassemble(&table->machine, 0);
	together = (int64_t)(status[0].end_cycle < status[1].end_cycle ? status[0].end_cycle :
									 status[1].end_cycle) -
		   (int64_t)(status[0].start_cycle > status[1].start_cycle ? status[0].start_cycle :
									     status[1].start_cycle);
	times->together = together > 0 ? (uint64_t)together : 0;
	for (i = 0; i < QUEUES; i++)
		times->cycles[i] = status[i].end_cycle - status[i].start_cycle;
	return 0;
}

/* The slot where a search for @key ends, or -1 if all slots have other keys. */
static int64_t hashtable_probe(const struct table *table, const struct options *options,
			       uint32_t key)
{
	const struct table_entry *slots = table->slots.memory;
	uint32_t slot = table_hash(key, options->log2), mask = (1u << options->log2) - 1, i;

	for (i = 0; i <= mask; i++, slot = (slot + 1) & mask)
		if (slots[slot].key == key || !slots[slot].key)
			return slot;
	return -1;
}

/*
 * Checks that a search for the key of each occupied slot finds this slot, that its count is right,
 * and that no key is missing.
 */
static int hashtable_check_slots(const struct table *table, const struct options *options)
{
	const struct table_entry *slots = table->slots.memory;
	uint32_t i, taken = 0, distinct = hashtable_distinct_keys(table, options);
	const char *wrong = NULL;

	for (i = 0; !wrong && i >> options->log2 == 0; i++) {
		if (slots[i].key && hashtable_probe(table, options, slots[i].key) != i)
			wrong = "occurs twice, or not where a search finds it";
		else if (slots[i].key &&
			 slots[i].count != hashtable_occurrences(table, options, slots[i].key))
			wrong = "has a wrong count";
		else if (!slots[i].key && slots[i].count)
			wrong = "is free, but has a count";
		taken += slots[i].key != 0;
		if (wrong)
			fprintf(stderr,
				"hashtable: slot %u: key 0x%x, count %u: %s; the CPU counts %u\n",
				i, slots[i].key, slots[i].count, wrong,
				hashtable_occurrences(table, options, slots[i].key));
	}
	if (!wrong && taken != distinct)
		fprintf(stderr, "hashtable: %u slots are taken, but there are %u different keys\n",
			taken, distinct);
	return wrong || taken != distinct ? 1 : 0;
}

/* @found: receives the number of looked up keys that were inserted. */
static int hashtable_check_answers(const struct table *table, const struct options *options,
				   uint32_t *found)
{
	const uint32_t *queries = table->queries.memory, *results = table->results.memory;
	uint32_t i, expected;

	for (i = 0; i < options->keys; i++) {
		expected = hashtable_occurrences(table, options, queries[i]);
		*found += expected != 0;
		if (results[i] == expected)
			continue;
		fprintf(stderr, "hashtable: key 0x%x was inserted %u times, the device says %u\n",
			queries[i], expected, results[i]);
		return 1;
	}
	return 0;
}

static void hashtable_print_times(const struct table *table, const struct options *options,
				  const char *what, const struct times *times)
{
	printf("%s: %u keys by two queues, %" PRIu64 " and %" PRIu64 " %s, %" PRIu64
	       " of them at the same time\n",
	       what, options->keys, times->cycles[0], times->cycles[1], table->machine.unit,
	       times->together);
}

static void hashtable_print_text(const struct table *table, const struct options *options,
				 const struct times times[2], uint32_t found, bool ok)
{
	hashtable_print_times(table, options, "insert", &times[0]);
	hashtable_print_times(table, options, "lookup", &times[1]);
	if (ok)
		printf("looked up: %u keys that are there, %u that are not\n", found,
		       options->keys - found);
	printf("%u different keys in %u slots\nCPU check %s\n",
	       hashtable_distinct_keys(table, options), 1u << options->log2,
	       ok ? "passed: each key once, all counts and answers right" : "FAILED");
}

static void hashtable_print_json_times(const struct table *table, const char *what,
				       const struct times *times)
{
	printf("\"%s\": {\"%s\": [%" PRIu64 ", %" PRIu64 "], \"together\": %" PRIu64 "}, ", what,
	       table->machine.unit, times->cycles[0], times->cycles[1], times->together);
}

static void hashtable_print_json(const struct table *table, const struct options *options,
				 const struct times times[2], uint32_t found, bool ok)
{
	printf("{\"keys\": %u, \"distinct_keys\": %u, \"slots\": %u, ", options->keys,
	       hashtable_distinct_keys(table, options), 1u << options->log2);
	hashtable_print_json_times(table, "insert", &times[0]);
	hashtable_print_json_times(table, "lookup", &times[1]);
	if (ok)
		printf("\"found\": %u, \"missing\": %u, ", found, options->keys - found);
	printf("\"check\": %s}\n", ok ? "true" : "false");
}

static int hashtable_run(struct faa_device *device, const struct options *options)
{
	struct times times[2] = { 0 };
	struct table table = { 0 };
	uint32_t found = 0;
	int ret;

	ret = hashtable_table_open(&table, device, options);
	if (!ret) {
		hashtable_draw(&table, options);
		ret = hashtable_run_queues(&table, options, table.keys.va, table_add_insert,
					   &times[0]);
	}
	if (!ret)
		ret = hashtable_run_queues(&table, options, table.queries.va, table_add_lookup,
					   &times[1]);
	if (!ret) {
		ret = hashtable_check_slots(&table, options) |
		      hashtable_check_answers(&table, options, &found);
		(options->json ? hashtable_print_json : hashtable_print_text)(&table, options,
									      times, found, !ret);
	}
	hashtable_table_close(&table);
	return ret ? 1 : 0;
}

const char *argp_program_version = "hashtable " FAA_VERSION_TEXT;

/* log2 of the smallest table that is at most 7/8 full if all keys are different. */
static unsigned int hashtable_default_log2(uint32_t keys)
{
	unsigned int log2 = 5;

	while (keys * 8ull > 7ull << log2)
		log2++;
	return log2;
}

static error_t hashtable_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 'k':
		options->keys = tool_number("keys", arg, 1, 1u << 22);
		return 0;
	case 'n':
		options->log2 = tool_number("log2", arg, 1, 24);
		return 0;
	case 's':
		options->seed = tool_number("seed", arg, 0, UINT64_MAX);
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
		if (!options->log2)
			options->log2 = hashtable_default_log2(options->keys);
		if (options->keys > 1u << options->log2)
			argp_error(state, "%u keys may not fit into 2^%u slots", options->keys,
				   options->log2);
		tool_check_json(state, options->json, options->disassemble);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option hashtable_argp_options[] = {
	{ "keys", 'k', "COUNT", 0, "Keys to insert, some several times (default 4000)", 0 },
	{ "log2", 'n', "N", 0, "The table has 2^N slots (default: at most 7/8 of them taken)", 0 },
	{ "seed", 's', "N", 0, "Seed of the random keys (default 1)", 0 },
	{ "disassemble", 'd', NULL, 0, "Show the streams of the first queue", 0 },
	TOOL_JSON_OPTION("counts and times"),
	{ 0 },
};

static const struct argp hashtable_argp = {
	.options = hashtable_argp_options,
	.parser = hashtable_parse,
	.children = faa_program_children,
	.doc = "Insertion into a hash table by two queues of the faa device at a time, without locks, and lookup, "
	       "checked against the CPU.\v"
	       "Exit status: 0 if every slot and every answer is right, 1 if not or if something "
	       "failed.",
};

int main(int argc, char **argv)
{
	struct options options = { .keys = 4000, .seed = 1 };
	struct faa_program program = { argc, argv, NULL };
	struct faa_device *device;
	int ret;

	tool_parse(&hashtable_argp, argc, argv, &options);
	program.engine = options.engine;
	if (faa_program_device(&program, &device))
		return 1;
	ret = hashtable_run(device, &options);
	faa_device_unref(device);
	return ret;
}
