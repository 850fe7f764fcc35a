// SPDX-License-Identifier: MIT
/* Figures as JSON and as a table. */
#include <stdio.h>
#include <string.h>

#include "bench.h"

/* Cycles in which a unit waited; the names are those of enum counter in small letters. */
static const struct {
	enum faa_counter counter;
	const char *name;
} details[] = {
	{ FAA_COUNTER_PASSES, "passes" },
	{ FAA_COUNTER_GROUPS, "groups" },
	{ FAA_COUNTER_BANK_OPS, "bank_ops" },
	{ FAA_COUNTER_STALL_FETCH, "stall_fetch" },
	{ FAA_COUNTER_STALL_BARRIER, "stall_barrier" },
	{ FAA_COUNTER_STALL_OPERAND, "stall_operand" },
	{ FAA_COUNTER_STALL_SHARED, "stall_shared" },
	{ FAA_COUNTER_STALL_GLOBAL, "stall_global" },
	{ FAA_COUNTER_STALL_BANK, "stall_bank" },
	{ FAA_COUNTER_STALL_QUEUE, "stall_queue" },
	{ FAA_COUNTER_STALL_RESULT, "stall_result" },
	{ FAA_COUNTER_STALL_HAZARD, "stall_hazard" },
	{ FAA_COUNTER_STALL_WINDOW, "stall_window" },
	{ FAA_COUNTER_STALL_WRITEBACK, "stall_writeback" },
	{ FAA_COUNTER_TLB_MISSES, "tlb_misses" },
	{ FAA_COUNTER_LINES_READ, "lines_read" },
	{ FAA_COUNTER_LINES_WRITTEN, "lines_written" },
	{ FAA_COUNTER_ATOM_ITEMS, "atom_items" },
	{ FAA_COUNTER_ATOM_LINES, "atom_lines" },
	{ FAA_COUNTER_STALL_LINES, "stall_lines" },
	{ FAA_COUNTER_STALL_MEMORY, "stall_memory" },
	{ FAA_COUNTER_STALL_TAG, "stall_tag" },
};

/* The C model counts steps; it has no clock. */
static const char *unit(const struct bench_report *report)
{
	bool clock = strcmp(report->engine, "model") != 0;

	return clock || strcmp(report->unit, "cycles/warp") ? report->unit : "steps/warp";
}

/*
 * Utilisation: the fraction of the limit that was reached, at most 1; 0 where there is no limit.
 * Limits are cycles and do not apply to the model's steps.
 */
static double share(const struct bench_report *report)
{
	double limit = report->roofline.limit;

	if (!strcmp(report->engine, "model") || limit <= 0 || report->value <= 0)
		return 0;
	return report->at_least ? report->value / limit : limit / report->value;
}

bool bench_beats_limit(const struct bench_report *report)
{
	/* Figures have four digits. */
	return share(report) > 1.0001;
}

static bool is_missed(const struct bench_report *report)
{
	if (report->ceiling <= 0)
		return false;
	return report->at_least ? report->value < report->ceiling : report->value > report->ceiling;
}

static void print_optional(const char *name, double value)
{
	if (value > 0)
		printf(", \"%s\": %g", name, value);
	else
		printf(", \"%s\": null", name);
}

void bench_print_json(const struct bench_report *report)
{
	size_t i;

	printf("{\"name\": \"%s\", \"value\": %.4f, \"unit\": \"%s\", \"limit\": %.4f, \"bound_by\": \"%s\", "
	       "\"cycles\": %llu, \"warps\": %llu, \"engine\": \"%s\"",
	       report->name, report->value, unit(report), report->roofline.limit,
	       report->roofline.bound_by, (unsigned long long)report->cycles,
	       (unsigned long long)report->warps, report->engine);
	if (report->build)
		printf(", \"build\": \"%s\"", report->build);
	else
		printf(", \"build\": null");
	print_optional("share", share(report));
	print_optional("ceiling", report->at_least ? 0 : report->ceiling);
	print_optional("floor", report->at_least ? report->ceiling : 0);
	print_optional("aim", report->aim);
	printf(", \"start\": %llu", (unsigned long long)report->start);
	for (i = 0; i < sizeof(details) / sizeof(details[0]); i++)
		printf(", \"%s\": %llu", details[i].name,
		       (unsigned long long)report->counters.value[details[i].counter]);
	printf("}\n");
	fflush(stdout);
}

void bench_print_head(const char *engine, const char *build)
{
	bool clock = strcmp(engine, "model") != 0;

	if (build)
		printf("build %s\n", build);
	printf("%-34s %11s %7s %6s %8s  %s\n", "benchmark", clock ? "cycles/warp" : "steps/warp",
	       "limit", "share", "wanted", "bound by");
	if (!clock)
		printf("(the C model has no clock: its steps say nothing about the hardware)\n");
}

void bench_print_row(const struct bench_report *report)
{
	bool plain = !strcmp(report->unit, "cycles/warp");
	char bound[16] = "", part[16] = "";

	if (share(report) > 0)
		snprintf(part, sizeof(part), "%.0f%%", 100 * share(report));
	if (report->ceiling > 0)
		snprintf(bound, sizeof(bound), report->ceiling < 0.1 ? "%.2f" : "%.1f",
			 report->ceiling);
	printf("%-34s %11.2f %7.2f %6s %8s  %s%s%s%s\n", report->name, report->value,
	       report->roofline.limit, part, bound, report->roofline.bound_by, plain ? "" : "; ",
	       plain ? "" : report->unit,
	       !is_missed(report) ? "" :
	       report->at_least	  ? ", LESS THAN WANTED" :
				    ", MORE THAN ALLOWED");
	fflush(stdout);
}
