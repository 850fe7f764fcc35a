// SPDX-License-Identifier: Apache-2.0
/*
 * The guest's part of faa-run --trace: trace events of the driver, of its scheduler, of fences, of
 * the device's interrupts and of sleeping tasks go from tracefs to a file of the host.
 */
#include "guest_trace.h"
#include "guest.h"
#include "wire.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <drm/faa_drm.h>

/* A buffer of its own: the program may trace, too. */
#define TRACE_DIR "/sys/kernel/tracing/instances/faa-run/"
/* Of the kernel's buffer; without a seed the copying process empties it many times a second. */
#define TRACE_KIB   "8192"
#define TRACE_NS    20000000
#define TRACE_MARKS 100
/* Of the PCI bus. */
#define TRACE_SLOTS 8

static const char *const trace_settings[][2] = {
	/* The only clock of User Mode Linux that is finer than its ticks. */
	{ "trace_clock", "mono" },
	{ "buffer_size_kb", TRACE_KIB },
	{ "events/irq/irq_handler_entry/filter", "name ~ \"*faa*\"" },
	{ "events/irq/irq_handler_entry/enable", "1" },
	{ "events/irq/irq_handler_exit/enable", "1" },
	{ "events/dma_fence/enable", "1" },
	{ "events/gpu_scheduler/enable", "1" },
	{ "events/faa/enable", "1" },
	/* Tasks that sleep, and who wakes them: waits for fences. */
	{ "events/sched/sched_switch/filter",
	  "prev_state & 255 && !(prev_comm ~ \"kworker*\") && !(prev_comm ~ \"ksoftirqd*\")" },
	{ "events/sched/sched_switch/enable", "1" },
	{ "events/sched/sched_waking/filter",
	  "!(comm ~ \"kworker*\") && !(comm ~ \"ksoftirqd*\")" },
	{ "events/sched/sched_waking/enable", "1" },
};

/* The process that copies. */
static pid_t trace_copier;

static void trace_set(const char *name, const char *value)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), TRACE_DIR "%s", name);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	/* Without the driver there are no events of it. */
	if (fd < 0 && errno == ENOENT)
		return;
	if (fd < 0 || write(fd, value, strlen(value)) < 0)
		guest_fail("cannot trace: writing '%s' to %s: %s", value, path, strerror(errno));
	close(fd);
}

static uint64_t trace_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The driver's node of a device, or -1: there is no driver. */
static int trace_open_node(unsigned int device)
{
	char path[128], name[32];
	struct dirent *entry;
	int node = -1;
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/0000:00:%02x.0/drm", device);
	dir = opendir(path);
	while (dir && node < 0 && (entry = readdir(dir))) {
		if (sscanf(entry->d_name, "renderD%31s", name) != 1)
			continue;
		snprintf(path, sizeof(path), "/dev/dri/renderD%s", name);
		node = open(path, O_RDWR | O_CLOEXEC);
	}
	if (dir)
		closedir(dir);
	return node;
}

/*
 * Reads a byte of configuration space that nothing else reads, and then the device's clock by the
 * driver. The device records the host's times of these reads. They lie between those of the guest
 * that are written here; the driver's are closer together.
 */
static void trace_mark_once(FILE *file, unsigned int device, int config, int node)
{
	struct drm_faa_timestamp stamp = { 0 };
	struct drm_faa_dev_query query = { .type = DRM_FAA_DEV_QUERY_TIMESTAMP,
					   .size = sizeof(stamp),
					   .pointer = (uintptr_t)&stamp };
	uint64_t before = trace_now(), after;
	uint8_t byte;

	if (pread(config, &byte, 1, JOB_TRACE_MARK) != 1)
		return;
	after = trace_now();
	if (node >= 0 && ioctl(node, DRM_IOCTL_FAA_DEV_QUERY, &query))
		stamp.cpu_ns = 0;
	fprintf(file, "# mark %u %llu %llu %llu %llu\n", device, (unsigned long long)before,
		(unsigned long long)after, (unsigned long long)stamp.cpu_ns,
		(unsigned long long)(stamp.cpu_ns + stamp.cpu_delta_ns));
}

static void trace_mark(const char *path)
{
	FILE *file = fopen(path, "ae");
	char name[64];

	for (unsigned int device = 0; file && device < TRACE_SLOTS; device++) {
		int config, node;

		snprintf(name, sizeof(name), "/sys/bus/pci/devices/0000:00:%02x.0/config", device);
		config = open(name, O_RDONLY | O_CLOEXEC);
		if (config < 0)
			continue;
		node = trace_open_node(device);
		for (int i = 0; i < TRACE_MARKS; i++)
			trace_mark_once(file, device, config, node);
		if (node >= 0)
			close(node);
		close(config);
	}
	if (file)
		fclose(file);
}

static void trace_drain(int from, int to)
{
	static char text[65536];
	ssize_t n;

	while ((n = read(from, text, sizeof(text))) > 0)
		if (write(to, text, (size_t)n) != n)
			return;
}

static void trace_copy(const char *path, bool once)
{
	int from = open(TRACE_DIR "trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int to = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

	for (;;) {
		trace_drain(from, to);
		if (once)
			break;
		nanosleep(&(struct timespec){ .tv_nsec = TRACE_NS }, NULL);
	}
	close(from);
	close(to);
}

void guest_trace_begin(const struct job *job)
{
	if (!job->trace)
		return;
	/* In simulated time each access of the device, and each timer, would change the run. */
	if (!job->trace_late)
		trace_mark(job->trace);
	/* A kernel of the user may have no tracefs. */
	if (mkdir(TRACE_DIR, 0700) && errno != ENOENT)
		guest_fail("cannot trace: making %s: %s", TRACE_DIR, strerror(errno));
	for (size_t i = 0; i < sizeof(trace_settings) / sizeof(trace_settings[0]); i++)
		trace_set(trace_settings[i][0], trace_settings[i][1]);
	if (job->trace_late)
		return;
	trace_copier = fork();
	if (trace_copier == 0) {
		trace_copy(job->trace, false);
		_exit(0);
	}
	if (trace_copier < 0)
		guest_fail("cannot trace: %s", strerror(errno));
}

void guest_trace_end(const struct job *job)
{
	if (!job->trace)
		return;
	trace_set("tracing_on", "0");
	if (!job->trace_late) {
		kill(trace_copier, SIGKILL);
		waitpid(trace_copier, NULL, 0);
	}
	trace_copy(job->trace, true);
	if (!job->trace_late)
		trace_mark(job->trace);
}
