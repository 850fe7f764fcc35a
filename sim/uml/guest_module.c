// SPDX-License-Identifier: Apache-2.0
#include "guest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* kmemleak reports only objects that are at least five seconds old. */
#define LEAK_AGE_S 6

/* Every 10 ms, for 5 seconds. */
#define UNLOAD_TRIES 500

static unsigned int module_pci_devices(void)
{
	DIR *dir = opendir("/sys/bus/pci/devices");
	struct dirent *entry;
	unsigned int found = 0;

	while (dir && (entry = readdir(dir)))
		found += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	return found;
}

static void module_load(const char *entry)
{
	const char *end = strchr(entry, '\n');
	const char *params = end ? end + 1 : "";
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%.*s", end ? (int)(end - entry) : (int)strlen(entry), entry);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		guest_fail("cannot open the module %s: %s", path, strerror(errno));
	if (syscall(SYS_finit_module, fd, params, 0))
		guest_fail("cannot load the module %s%s%s: %s (the kernel log says why)", path,
			   *params ? " with " : "", params, strerror(errno));
	close(fd);
}

/*
 * Gives all programs of the caller access to the devices, like the groups "render" and "video" of a
 * desktop.
 */
static void module_open_to_all(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char name[4096];

	while (dir && (entry = readdir(dir))) {
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		if (entry->d_type == DT_CHR)
			chmod(name, 0666);
	}
	if (dir)
		closedir(dir);
}

void guest_load_modules(const struct job *job)
{
	unsigned int found = module_pci_devices();

	if (found < job->devices)
		guest_fail("the kernel found %u of %u devices on its PCI bus, although their "
			   "programs were running",
			   found, job->devices);
	for (unsigned int i = 0; i < job->module_count; i++)
		module_load(job->modules[i]);
	module_open_to_all("/dev/dri");
	module_open_to_all("/dev/dma_heap");
}

static void module_kernel_log(const char *text, size_t length)
{
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, text, length) < 0)
		fprintf(stderr, "cannot write to the kernel log: %s\n", strerror(errno));
	if (fd >= 0)
		close(fd);
}

/* The name in /sys/module of PATH/some-name.ko. */
static void module_name(const char *entry, char *name, size_t size)
{
	const char *end = strchr(entry, '\n');
	size_t length = end ? (size_t)(end - entry) : strlen(entry);
	const char *start = memrchr(entry, '/', length);

	start = start ? start + 1 : entry;
	length -= (size_t)(start - entry);
	if (length > 3 && strncmp(start + length - 3, ".ko", 3) == 0)
		length -= 3;
	snprintf(name, size, "%.*s", (int)length, start);
	for (; *name; name++)
		if (*name == '-')
			*name = '_';
}

/*
 * Retries: files that the last process has closed, and a device that is being removed, hold the
 * module for a short time.
 */
static bool module_unload(const char *name)
{
	const struct timespec pause = { .tv_nsec = 10000000 };

	for (unsigned int i = 0; i < UNLOAD_TRIES; i++) {
		if (syscall(SYS_delete_module, name, O_NONBLOCK) == 0 || errno == ENOENT)
			return true;
		if (errno != EAGAIN && errno != EBUSY)
			return false;
		nanosleep(&pause, NULL);
	}
	return false;
}

static void module_unload_one(const char *entry)
{
	char name[128], text[256];

	module_name(entry, name, sizeof(name));
	if (module_unload(name))
		return;
	snprintf(text, sizeof(text), "<4>WARNING: faa-run cannot unload module %s: %s\n", name,
		 strerror(errno));
	module_kernel_log(text, strlen(text));
}

static void module_end_all_processes(void)
{
	kill(-1, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

static void module_scan_leaks(void)
{
	static const char control[] = "/sys/kernel/debug/kmemleak";
	char text[800];
	int fd = open(control, O_WRONLY | O_CLOEXEC);
	FILE *report;

	if (fd < 0)
		return;
	nanosleep(&(struct timespec){ .tv_sec = LEAK_AGE_S }, NULL);
	/* kmemleak reports an object if two consecutive scans find no pointer to it. */
	for (int i = 0; i < 2; i++)
		if (write(fd, "scan", 4) < 0)
			break;
	close(fd);
	report = fopen(control, "re");
	while (report && fgets(text, sizeof(text), report))
		module_kernel_log(text, strlen(text));
	if (report)
		fclose(report);
}

void guest_unload_modules(const struct job *job)
{
	if (!job->check)
		return;
	module_end_all_processes();
	for (unsigned int i = job->module_count; i-- > 0;)
		module_unload_one(job->modules[i]);
	if (job->leaks)
		module_scan_leaks();
}
