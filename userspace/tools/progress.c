// SPDX-License-Identifier: MIT
#include "progress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ll

/* Times are CLOCK_MONOTONIC, nanoseconds. */
static struct {
	const char *parts;
	uint64_t total, done;
	int64_t begin;
	/* When the line may be written next; INT64_MAX: never. */
	int64_t next;
	bool visible;
} progress = { .next = INT64_MAX };

static int64_t progress_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

/* Whether the standard error can remove a line again. */
static bool progress_has_terminal(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb");
}

void progress_begin(const char *parts, uint64_t total)
{
	progress.parts = parts;
	progress.total = total;
	progress.done = 0;
	progress.begin = progress_now();
	progress.next = progress_has_terminal() ? progress.begin + 2 * SECOND : INT64_MAX;
}

/* The rest takes as long for each part as the parts before. */
static void progress_write(int64_t elapsed)
{
	fprintf(stderr, "\r%s: ", program_invocation_short_name);
	if (progress.total)
		fprintf(stderr, "%" PRIu64 " of %" PRIu64 " ", progress.done, progress.total);
	fputs(progress.parts, stderr);
	if (progress.total && progress.done)
		fprintf(stderr, ", %.0f %%, about %.0f s left",
			100.0 * (double)progress.done / (double)progress.total,
			(double)elapsed / SECOND * (double)(progress.total - progress.done) /
				(double)progress.done);
	else
		fprintf(stderr, ", %.0f s so far", (double)elapsed / SECOND);
	fputs("\033[K", stderr);
}

void progress_done(uint64_t done)
{
	int64_t now;

	progress.done = progress.total && done > progress.total ? progress.total : done;
	if (progress.next == INT64_MAX)
		return;
	now = progress_now();
	if (now < progress.next)
		return;
	/* Output of the program that is still in a buffer comes before the line. */
	fflush(stdout);
	progress_write(now - progress.begin);
	progress.visible = true;
	progress.next = now + SECOND / 2;
}

void progress_add(uint64_t count)
{
	progress_done(progress.done + count);
}

void progress_hide(void)
{
	if (!progress.visible)
		return;
	fputs("\r\033[K", stderr);
	progress.visible = false;
	progress.next = progress_now();
}

void progress_end(void)
{
	progress_hide();
	progress.next = INT64_MAX;
}
