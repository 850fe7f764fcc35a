// SPDX-License-Identifier: Apache-2.0
#include "run.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TAIL_LINES   25
#define REPORT_LINES 40

/* What a kernel that is well never says. The one list of complaints for all tests. */
static const char complaints[] =
	"WARNING:|BUG[: ]|KASAN:|UBSAN:|ODEBUG:|Oops|Kernel panic|"
	"general protection fault|kernel mode fault|Internal error|"
	"(circular|recursive) locking|inconsistent lock state|bad unlock balance|"
	"suspicious RCU usage|held lock freed|lock held when returning|"
	"sleeping function called|scheduling while atomic|"
	"blocked for more than|workqueue lockup|rcu.*detected stalls|"
	"kmemleak: [0-9]+ new suspected|unreferenced object|"
	"DMA-API: .*(device driver|mapped|overlapping|leak)|"
	"(list_add|list_del) corruption|refcount_t:|"
	"Slab corruption|Object padding|Redzone|"
	"still has locks held|trying to (register|release)|"
	"Dead loop|Unable to handle|Segfault with no mm";

/* A broken connection to faa-vdev, as any unplugging is, makes the kernel's side of it warn: not the driver's fault. */
static const char unplug_warning[] = " at arch/um/drivers/virtio_uml.c:";

static FILE *open_log(const struct run_files *files)
{
	return fopen(files->log, "re");
}

void run_log_follow(const struct run_files *files)
{
	static FILE *log;
	char text[4096];
	size_t n;

	if (!log)
		log = open_log(files);
	if (!log)
		return;
	clearerr(log);
	while ((n = fread(text, 1, sizeof(text), log)) > 0)
		if (fwrite(text, 1, n, stderr) != n)
			return;
}

void run_log_tail(const struct run_files *files)
{
	FILE *log = open_log(files);
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

bool run_log_check(const struct run_files *files, bool unplugged)
{
	FILE *log = open_log(files);
	unsigned int found = 0, left = 0;
	char text[1024];
	regex_t regex;

	if (!log || regcomp(&regex, complaints, REG_EXTENDED | REG_NOSUB)) {
		run_error("cannot check the kernel log %s", files->log);
		return false;
	}
	while (fgets(text, sizeof(text), log)) {
		bool complaint = regexec(&regex, text, 0, NULL, 0) == 0 &&
				 !(unplugged && strstr(text, unplug_warning));

		if (complaint && found++ == 0) {
			run_error("the kernel log has a complaint:");
			left = REPORT_LINES;
		}
		if (left) {
			fprintf(stderr, "  %s", text);
			left--;
		}
	}
	if (found > 1)
		run_error("%u lines of the kernel log are complaints", found);
	regfree(&regex);
	fclose(log);
	return !found;
}
