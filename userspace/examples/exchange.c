// SPDX-License-Identifier: MIT
/**
 * DOC: Streams and threads of the host exchange items
 *
 * Producers and consumers, on the device and on the host, share a bounded queue in memory: every
 * item must arrive once. Then all of them add to a plain counter under a ticket lock: no addition
 * may be lost, and the lock is passed on in the order of tickets. The algorithms are written once,
 * in exchange_algorithms.h, and compiled for both sides.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "faa_atomic.h"
#include "faa_program.h"
#include "machine.h"
#include "tool.h"

/*
 * Cells of the queue: a power of two. Enough that warps that wait for all of their cells, whose
 * tickets follow each other, cannot deadlock.
 */
#define EXCHANGE_CELLS 256
/* A line of its own for the word of each thread. */
#define EXCHANGE_OWN_BYTES 64

/* Device addresses of the shared data. */
struct exchange {
	/* Cells of two words, sequence number and item; counters of tickets. */
	uint64_t cells, tail, head;
	/* Words of the lock: next ticket, ticket being served, and the guarded counter. */
	uint64_t lock;
	/* A word for each thread, EXCHANGE_OWN_BYTES apart. */
	uint64_t own;
	/*
	 * Arrivals of each item; value of the counter that the owner of each ticket found. Both
	 * have item_mask + 1 words.
	 */
	uint64_t counts, log;
	uint32_t item_mask;
};

#define THREAD	struct faa_stream
#define NAME(x) stream_##x
#define LANES	FAA_LANES
#define PAUSE() ((void)0)
#include "exchange_algorithms.h"
#undef THREAD
#undef NAME
#undef LANES
#undef PAUSE

#define THREAD	struct faa_host_thread
#define NAME(x) host_##x
#define LANES	1
#define PAUSE() sched_yield()
#include "exchange_algorithms.h"
#undef THREAD
#undef NAME
#undef LANES
#undef PAUSE

#define MAX_HOSTS 8

struct options {
	const char *engine;
	unsigned int items, locked, hosts;
	bool json;
};

/* Cycles of a part, and the result of its check. */
struct part {
	uint64_t cycles;
	/* Items, or owners of the lock; number of wrong ones. */
	uint32_t count, wrong;
};

struct example {
	struct machine machine;
	struct exchange x;
	struct machine_area shared, own, counts, log;
	unsigned int streams, hosts;
	/* Items of each producer and consumer; rounds of each thread under the lock. */
	uint32_t share, locked;
};

struct host {
	struct example *example;
	unsigned int index;
	bool locked;
	pthread_t id;
	struct faa_host_thread thread;
};

/* Parts of the shared area, at least a line each. */
enum {
	TAIL = 0,
	HEAD = 64,
	LOCK = 128,
	CELLS = 192,
};

static int exchange_example_open(struct example *e, struct faa_device *device,
				 const struct options *options)
{
	const struct faa_device_info *info = faa_device_info(device);
	uint64_t features = 1ull << FAA_FEATURE_GLOBAL_ATOMICS | 1ull << FAA_FEATURE_SYS_ATOMICS |
			    1ull << FAA_FEATURE_ALU;
	uint32_t words = FAA_LANES, unit;
	int ret;

	e->streams = (info->num_cus > MACHINE_QUEUES ? MACHINE_QUEUES : info->num_cus) & ~1u;
	e->hosts = options->hosts;
	if (!e->streams) {
		fprintf(stderr,
			"exchange: the device has one compute unit, two are needed: producers and consumers wait for each other\n");
		return -EOPNOTSUPP;
	}
	/* Warps of items for each producer. */
	unit = FAA_LANES * (e->streams + e->hosts) / 2;
	e->share = (options->items + unit - 1) / unit * FAA_LANES;
	e->locked = (options->locked + e->streams + e->hosts - 1) / (e->streams + e->hosts);
	while (words < e->share * (e->streams + e->hosts) / 2 ||
	       words < e->locked * (e->streams + e->hosts))
		words *= 2;
	ret = machine_open(&e->machine, device, e->streams, features,
			   CELLS + 8 * EXCHANGE_CELLS +
				   EXCHANGE_OWN_BYTES * (e->streams + e->hosts) + 8ull * words);
	if (ret)
		return ret;
	e->shared = machine_take(&e->machine, CELLS + 8 * EXCHANGE_CELLS);
	e->own = machine_take(&e->machine, EXCHANGE_OWN_BYTES * (e->streams + e->hosts));
	e->counts = machine_take(&e->machine, 4ull * words);
	e->log = machine_take(&e->machine, 4ull * words);
	e->x = (struct exchange){ .cells = e->shared.va + CELLS,
				  .tail = e->shared.va + TAIL,
				  .head = e->shared.va + HEAD,
				  .lock = e->shared.va + LOCK,
				  .own = e->own.va,
				  .counts = e->counts.va,
				  .log = e->log.va,
				  .item_mask = words - 1 };
	for (words = 0; words < EXCHANGE_CELLS; words++)
		((uint32_t *)e->shared.memory)[CELLS / 4 + 2 * words] = words;
	return 0;
}

static uint64_t exchange_own(const struct example *e, unsigned int index)
{
	return e->x.own + EXCHANGE_OWN_BYTES * index;
}

/* Threads with even numbers produce, the others consume; those of the device come first. */
static void *exchange_host_main(void *data)
{
	struct host *host = data;
	struct example *e = host->example;
	unsigned int index = e->streams + host->index;

	host->thread.offset = (uintptr_t)e->shared.memory - e->shared.va;
	if (host->locked)
		host_work_locked(&host->thread, &e->x, e->locked);
	else if (index % 2)
		host_consume(&host->thread, &e->x, e->share, exchange_own(e, index));
	else
		host_produce(&host->thread, &e->x, index / 2 * e->share, e->share,
			     exchange_own(e, index));
	return NULL;
}

static int exchange_start_streams(struct example *e, bool locked)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < e->streams; i++) {
		struct faa_stream *stream = e->machine.queues[i].stream;

		if (locked)
			stream_work_locked(stream, &e->x, e->locked);
		else if (i % 2)
			stream_consume(stream, &e->x, e->share / FAA_LANES, exchange_own(e, i));
		else
			stream_produce(stream, &e->x, i / 2 * e->share, e->share / FAA_LANES,
				       exchange_own(e, i));
		ret = machine_submit(&e->machine, i);
	}
	return ret;
}

/*
 * Runs one of the two parts on all threads. If a stream fails the others would wait: the program
 * then exits.
 */
static int exchange_run_part(struct example *e, bool locked, struct part *part)
{
	struct host hosts[MAX_HOSTS] = { 0 };
	struct faa_job_status status;
	unsigned int i;
	int ret;

	ret = exchange_start_streams(e, locked);
	for (i = 0; !ret && i < e->hosts; i++) {
		hosts[i].example = e;
		hosts[i].index = i;
		hosts[i].locked = locked;
		ret = -pthread_create(&hosts[i].id, NULL, exchange_host_main, &hosts[i]);
	}
	for (i = 0; !ret && i < e->streams; i++) {
		ret = machine_wait(&e->machine, i, &status);
		if (!ret && status.end_cycle - status.start_cycle > part->cycles)
			part->cycles = status.end_cycle - status.start_cycle;
	}
	if (ret) {
		fprintf(stderr, "exchange: %s\n", strerror(-ret));
		exit(1);
	}
	for (i = 0; i < e->hosts; i++) {
		pthread_join(hosts[i].id, NULL);
		if (hosts[i].thread.error) {
			fprintf(stderr, "exchange: host thread %u: %s\n", i, hosts[i].thread.why);
			ret = hosts[i].thread.error;
		}
	}
	return ret;
}

static void exchange_check_items(const struct example *e, struct part *part)
{
	const uint32_t *counts = e->counts.memory;
	uint32_t lost = 0, doubled = 0, i;

	part->count = e->share * (e->streams + e->hosts) / 2;
	for (i = 0; i <= e->x.item_mask; i++) {
		lost += i < part->count && !counts[i];
		doubled += counts[i] > (i < part->count);
	}
	part->wrong = lost + doubled;
	if (part->wrong)
		fprintf(stderr, "exchange: %u items lost, %u doubled or made up\n", lost, doubled);
}

/* @part->wrong: number of unexpected words of the lock, and of unexpected owners in the log. */
static void exchange_check_lock(const struct example *e, struct part *part)
{
	const uint32_t *lock = (const uint32_t *)((const uint8_t *)e->shared.memory + LOCK);
	const uint32_t *log = e->log.memory;
	uint32_t total = e->locked * (e->streams + e->hosts), i;

	part->count = total;
	part->wrong = (lock[0] != total) + (lock[1] != total) + (lock[2] != total);
	if (part->wrong)
		fprintf(stderr, "exchange: %u tickets, %u served, %u counted, not %u\n", lock[0],
			lock[1], lock[2], total);
	for (i = 0; i < total; i++) {
		if (log[i] == i)
			continue;
		if (!part->wrong++)
			fprintf(stderr, "exchange: the owner of ticket %u was number %u\n", i,
				log[i]);
	}
}

static void exchange_print_part(const struct example *e, const char *name, const struct part *part)
{
	printf("%s: %u streams and %u threads of the host, %" PRIu64 " %s\n", name, e->streams,
	       e->hosts, part->cycles, e->machine.unit);
}

static void exchange_print_queue(const struct example *e, const struct part *queue)
{
	exchange_print_part(e, "queue", queue);
	if (queue->wrong)
		printf("check FAILED: %u of %u items\n", queue->wrong, queue->count);
	else
		printf("check passed: %u items, each arrived once\n", queue->count);
}

static void exchange_print_lock(const struct example *e, const struct part *lock)
{
	exchange_print_part(e, "ticket lock", lock);
	if (lock->wrong)
		printf("check FAILED: %u times handed over, %u words wrong\n", lock->count,
		       lock->wrong);
	else
		printf("check passed: %u times handed over, in the order of tickets\n",
		       lock->count);
}

static void exchange_print_json_part(const struct example *e, const char *name, const char *count,
				     const struct part *part)
{
	printf("\"%s\": {\"%s\": %u, ", name, count, part->count);
	clock_print_json(e->machine.unit, part->cycles);
	printf(", \"wrong\": %u}, ", part->wrong);
}

static void exchange_print_json(const struct example *e, const struct part *queue,
				const struct part *lock)
{
	printf("{\"streams\": %u, \"hosts\": %u, ", e->streams, e->hosts);
	exchange_print_json_part(e, "queue", "items", queue);
	exchange_print_json_part(e, "lock", "owners", lock);
	printf("\"check\": %s}\n", queue->wrong || lock->wrong ? "false" : "true");
}

static int exchange_run(struct faa_device *device, const struct options *options)
{
	struct part queue = { 0 }, lock = { 0 };
	struct example e = { 0 };
	int ret = exchange_example_open(&e, device, options);

	if (!ret)
		ret = exchange_run_part(&e, false, &queue);
	if (!ret) {
		exchange_check_items(&e, &queue);
		if (!options->json)
			exchange_print_queue(&e, &queue);
		ret = exchange_run_part(&e, true, &lock);
	}
	if (!ret) {
		exchange_check_lock(&e, &lock);
		if (options->json)
			exchange_print_json(&e, &queue, &lock);
		else
			exchange_print_lock(&e, &lock);
		ret = queue.wrong || lock.wrong;
	}
	machine_close(&e.machine);
	return !!ret;
}

const char *argp_program_version = "exchange " FAA_VERSION_TEXT;

static error_t exchange_parse(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->engine;
		return 0;
	case 'n':
		options->items = tool_number("items", arg, 1, 1u << 26);
		return 0;
	case 'l':
		options->locked = tool_number("locked", arg, 1, 1u << 26);
		return 0;
	case 't':
		options->hosts = tool_number("hosts", arg, 0, MAX_HOSTS);
		if (options->hosts % 2)
			argp_error(state,
				   "--hosts=%s: an even number, please: producers and consumers",
				   arg);
		return 0;
	case 'j':
		options->json = true;
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "no argument is needed, but '%s' was given", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int main(int argc, char **argv)
{
	static const struct argp_option argp_options[] = {
		{ "items", 'n', "COUNT", 0, "Items through the queue, at least (default 20000)",
		  0 },
		{ "locked", 'l', "COUNT", 0, "Lock acquisitions, at least (default 2000)", 0 },
		{ "hosts", 't', "COUNT", 0, "Threads of the host, 0, 2, 4, 6 or 8 (default 2)", 0 },
		TOOL_JSON_OPTION("counts and cycles of both parts"),
		{ 0 },
	};
	static const struct argp argp = {
		.options = argp_options,
		.parser = exchange_parse,
		.children = faa_program_children,
		.doc = "Streams of the device and threads of the host exchange items through a bounded queue, and pass a ticket lock on.\v"
		       "Exit status: 0 if no item is lost or doubled and the lock is fair, 1 otherwise.",
	};
	struct options options = { .items = 20000, .locked = 2000, .hosts = 2 };
	struct faa_program program = { argc, argv, NULL };
	struct faa_device *device;
	int ret;

	tool_parse(&argp, argc, argv, &options);
	program.engine = options.engine;
	if (faa_program_device(&program, &device))
		return 1;
	ret = exchange_run(device, &options);
	faa_device_unref(device);
	return ret;
}
