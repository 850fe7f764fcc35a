// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAIL_LINES   25
#define REPORT_LINES 40

/* Errors and warnings that no kernel log of a passing test has. This is the only list. */
static const char log_complaints[] =
	"\\*ERROR\\*|WARNING:|BUG[: ]|KASAN:|UBSAN:|ODEBUG:|Oops|Kernel panic|"
	"general protection fault|kernel mode fault|Internal error|"
	"(circular|recursive) locking|inconsistent lock state|bad unlock balance|"
	"suspicious RCU usage|held lock freed|lock held when returning|"
	"sleeping function called|scheduling while atomic|"
	"blocked for more than|workqueue lockup|rcu.*detected stalls|"
	"kmemleak: [0-9]+ new suspected|unreferenced object|"
	"DMA-API: .*(device driver|mapped|overlapping|leak|disabled)|"
	"(list_add|list_del) corruption|refcount_t:|"
	"Slab corruption|Object padding|Redzone|"
	"still has locks held|trying to (register|release)|"
	"\\(null\\)|Dead loop|Unable to handle|Segfault with no mm";

/*
 * Any loss of the connection to faa-vdev, such as an unplug, makes the kernel's virtio driver warn.
 */
static const char log_unplug_warning[] = " at arch/um/drivers/virtio_uml.c:";

static FILE *log_open(const struct run_files *files)
{
	return fopen(files->log, "re");
}

void run_log_follow(const struct run_files *files)
{
	static FILE *log;
	char text[4096];
	size_t n;

	if (!log)
		log = log_open(files);
	if (!log)
		return;
	clearerr(log);
	while ((n = fread(text, 1, sizeof(text), log)) > 0)
		if (fwrite(text, 1, n, stderr) != n)
			return;
}

void run_log_tail(const struct run_files *files)
{
	FILE *log = log_open(files);
	long lines = 0;
	char text[1024];

	if (!log)
		return;
	while (fgets(text, sizeof(text), log))
		lines++;
	rewind(log);
	fputs("faa-run: the end of the kernel log:\n", stderr);
	while (fgets(text, sizeof(text), log))
		if (lines-- <= TAIL_LINES)
			fprintf(stderr, "  %s", text);
	fclose(log);
}

const char *run_log_expect(struct run_expected *expected, const char *arg)
{
	static char message[128];
	char *end;
	regex_t regex;
	int ret;

	expected->min = (unsigned int)strtoul(arg, &end, 10);
	if (end == arg)
		return "a number of lines comes first";
	expected->max = expected->min;
	if (*end == '-') {
		const char *max = end + 1;

		expected->max = (unsigned int)strtoul(max, &end, 10);
		if (end == max || expected->max < expected->min)
			return "the second number is missing, or below the first";
	}
	if (*end != ':' || !end[1])
		return "a colon and a regular expression follow the number of lines";
	expected->pattern = end + 1;
	ret = regcomp(&regex, expected->pattern, REG_EXTENDED | REG_NOSUB);
	if (ret) {
		regerror(ret, &regex, message, sizeof(message));
		return message;
	}
	regfree(&regex);
	return NULL;
}

struct run_log_scan {
	regex_t complaint;
	regex_t expected[RUN_MAX_LIST];
	unsigned int seen[RUN_MAX_LIST]; /* lines that match expected[] */
	unsigned int found;
	bool unplugged;
};

static bool run_log_matches(const regex_t *regex, const char *line)
{
	return regexec(regex, line, 0, NULL, 0) == 0;
}

static bool run_log_scan_init(struct run_log_scan *scan, const struct run_options *options)
{
	if (regcomp(&scan->complaint, log_complaints, REG_EXTENDED | REG_NOSUB))
		return false;
	for (unsigned int i = 0; i < options->expected_count; i++)
		if (regcomp(&scan->expected[i], options->expected[i].pattern,
			    REG_EXTENDED | REG_NOSUB))
			return false;
	return true;
}

static void run_log_scan_fini(struct run_log_scan *scan, const struct run_options *options)
{
	regfree(&scan->complaint);
	for (unsigned int i = 0; i < options->expected_count; i++)
		regfree(&scan->expected[i]);
}

/* Whether a line is an unexpected complaint; counts expected ones. */
static bool run_log_is_complaint(struct run_log_scan *scan, const struct run_options *options,
				 const char *line)
{
	for (unsigned int i = 0; i < options->expected_count; i++) {
		if (run_log_matches(&scan->expected[i], line)) {
			scan->seen[i]++;
			return false;
		}
	}
	return run_log_matches(&scan->complaint, line) &&
	       !(scan->unplugged && strstr(line, log_unplug_warning));
}

/* Prints the first complaint and the lines that follow. */
static void run_log_scan_file(struct run_log_scan *scan, const struct run_options *options,
			      FILE *log)
{
	unsigned int left = 0;
	char text[1024];

	while (fgets(text, sizeof(text), log)) {
		/*
		 * Consoles end lines with a carriage return, too; "$" in an expression matches
		 * before both.
		 */
		text[strcspn(text, "\r\n")] = '\0';
		if (run_log_is_complaint(scan, options, text) && scan->found++ == 0) {
			run_error("the kernel log has a complaint:");
			left = REPORT_LINES;
		}
		if (left) {
			fprintf(stderr, "  %s\n", text);
			left--;
		}
	}
	if (scan->found > 1)
		run_error("%u lines of the kernel log are complaints", scan->found);
}

/* False if an expected line occurred too often or too rarely. */
static bool run_log_counts_are_right(const struct run_log_scan *scan,
				     const struct run_options *options)
{
	bool right = true;

	for (unsigned int i = 0; i < options->expected_count; i++) {
		const struct run_expected *expected = &options->expected[i];

		if (scan->seen[i] >= expected->min && scan->seen[i] <= expected->max)
			continue;
		run_error("the kernel log has %u lines like '%s', expected were %u to %u",
			  scan->seen[i], expected->pattern, expected->min, expected->max);
		right = false;
	}
	return right;
}

bool run_log_check(const struct run_files *files, const struct run_options *options, bool unplugged)
{
	struct run_log_scan scan = { .unplugged = unplugged };
	FILE *log = log_open(files);
	bool counts_right;

	if (!log || !run_log_scan_init(&scan, options)) {
		run_error("cannot check the kernel log %s", files->log);
		return false;
	}
	run_log_scan_file(&scan, options, log);
	counts_right = run_log_counts_are_right(&scan, options);
	run_log_scan_fini(&scan, options);
	fclose(log);
	return !scan.found && counts_right;
}
