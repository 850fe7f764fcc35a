// SPDX-License-Identifier: Apache-2.0
#include "recorder.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* Reads and writes of memory for each reading of the clock, which costs as much as one of them. */
#define RECORDER_TIMED 32

struct record {
	uint64_t time_ns;
	uint64_t cycle;
	uint64_t addr;
	uint64_t value;
	uint32_t len;
	uint8_t kind;
	uint8_t unit;
};

struct recorder {
	/* Simulated time, or NULL: that of the host. */
	uint64_t (*clock)(void *ctx);
	void *clock_ctx;
	uint64_t start_ns;
	/* The last reading of the clock. */
	uint64_t now_ns;
	uint64_t added;
	bool exact;
	size_t size;
	struct record ring[];
};

static uint64_t recorder_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct recorder *recorder_create(size_t events)
{
	struct recorder *recorder = calloc(1, sizeof(*recorder) + events * sizeof(struct record));

	if (!recorder)
		return NULL;
	recorder->size = events;
	recorder->start_ns = recorder->now_ns = recorder_now_ns();
	return recorder;
}

void recorder_make_exact(struct recorder *recorder)
{
	recorder->exact = true;
}

void recorder_use_clock(struct recorder *recorder, uint64_t (*now_ns)(void *ctx), void *ctx)
{
	recorder->clock = now_ns;
	recorder->clock_ctx = ctx;
	for (uint64_t i = 0; i < recorder->added && i < recorder->size; i++)
		recorder->ring[i].time_ns = 0;
	recorder->start_ns = 0;
}

void recorder_destroy(struct recorder *recorder)
{
	free(recorder);
}

/* Time of the next event. */
static uint64_t recorder_time(struct recorder *recorder, enum recorder_kind kind)
{
	bool memory = kind == REC_DMA_READ || kind == REC_DMA_WRITE;

	if (recorder->clock)
		return recorder->clock(recorder->clock_ctx);
	if (!memory || recorder->exact || recorder->added % RECORDER_TIMED == 0)
		recorder->now_ns = recorder_now_ns();
	return recorder->now_ns;
}

void recorder_add(struct recorder *recorder, enum recorder_kind kind, uint64_t cycle,
		  unsigned int unit, uint64_t addr, uint32_t len, uint64_t value)
{
	uint64_t time_ns = recorder_time(recorder, kind);

	recorder->ring[recorder->added++ % recorder->size] = (struct record){
		.time_ns = time_ns,
		.cycle = cycle,
		.addr = addr,
		.value = value,
		.len = len,
		.kind = (uint8_t)kind,
		.unit = (uint8_t)unit,
	};
}

void recorder_dump(const struct recorder *recorder, FILE *file)
{
	uint64_t first = recorder->added > recorder->size ? recorder->added - recorder->size : 0;

	fprintf(file,
		"# flight recorder: events %" PRIu64 "..%" PRIu64 " of %" PRIu64
		"; BAR, vector or unit in [ ]\n"
		"# time 0 is %s %" PRIu64 " ns\n"
		"#    time us        cycle  event           address            bytes  value\n",
		first, recorder->added, recorder->added,
		recorder->clock ? "simulated time" : "CLOCK_MONOTONIC", recorder->start_ns);
	for (uint64_t i = first; i < recorder->added; i++) {
		const struct record *r = &recorder->ring[i % recorder->size];

		fprintf(file,
			"%12.3f %12" PRIu64 "  %-12s[%u] 0x%016" PRIx64 " %6" PRIu32 "  0x%" PRIx64
			"\n",
			(double)(r->time_ns - recorder->start_ns) / 1e3, r->cycle,
			recorder_kind_name(r->kind), r->unit, r->addr, r->len, r->value);
	}
	fflush(file);
}
