// SPDX-License-Identifier: MIT
/* The search for the render nodes of faa among those of all drivers. */
#include "device.h"
#include "error.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define DRI	    "/dev/dri"
#define MAX_NODES   64
#define NEVER_FOUND UINT_MAX

/* Result of a search: the device of its index, and the number of devices up to that one. */
struct search {
	struct faa_device *device;
	unsigned int count;
	/* The first error of a node that may be one of faa, 0 for none, and its sentence. */
	int hidden;
	char sentence[256];
};

/* The numbers of the render nodes in @directory, ascending; their count or -errno. */
static int search_find_nodes(const char *directory, unsigned int *numbers)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	int count = 0, i;

	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while (count < MAX_NODES && (entry = readdir(dir))) {
		unsigned int number;

		if (sscanf(entry->d_name, "renderD%u", &number) != 1)
			continue;
		for (i = count++; i && numbers[i - 1] > number; i--)
			numbers[i] = numbers[i - 1];
		numbers[i] = number;
	}
	closedir(dir);
	return count;
}

/*
 * A node that cannot be opened may be another driver's. Its error matters for the search only if
 * the program lacks the right, memory or a descriptor to open it.
 */
static bool search_is_hidden(int error)
{
	return error == -EACCES || error == -EPERM || error == -ENOMEM || error == -EMFILE ||
	       error == -ENFILE;
}

/*
 * Opens faa's nodes in the order of their numbers, up to number @index; only that one stays open.
 * Return: 0, or the error of one of faa's nodes.
 */
static int search_run(struct search *search, const char *directory, unsigned int index)
{
	unsigned int numbers[MAX_NODES];
	int i, count, ret;
	char path[PATH_MAX];
	bool ours;

	*search = (struct search){ 0 };
	count = search_find_nodes(directory, numbers);
	if (count < 0)
		return faa_fail(count, "%s: %s", directory, strerror(-count));
	for (i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/renderD%u", directory, numbers[i]);
		ret = faa_device_open_node(path, &search->device, &ours);
		/* The error of an faa node takes precedence; a lost one is none. */
		if (ret && ours && ret != -ENODEV)
			return ret;
		if (!ret && search->count++ == index)
			return 0;
		if (!search->hidden && search_is_hidden(ret)) {
			search->hidden = ret;
			snprintf(search->sentence, sizeof(search->sentence), "%s",
				 faa_last_error());
		}
		faa_device_unref(search->device);
		search->device = NULL;
	}
	return 0;
}

int faa_device_open_index_in(const char *directory, unsigned int index, struct faa_device **out)
{
	struct search search;
	int ret = search_run(&search, directory, index);

	*out = search.device;
	if (ret || search.device)
		return ret;
	if (search.hidden)
		return faa_fail(search.hidden, "%s", search.sentence);
	if (search.count)
		return faa_fail(-ENODEV, "there is no faa device %u: %s has %u, counted from 0",
				index, directory, search.count);
	return faa_fail(-ENODEV,
			"there is no faa render node in %s; `faa-run PROGRAM' runs a "
			"program on a simulated device",
			directory);
}

int faa_device_open_in(const char *directory, struct faa_device **out)
{
	return faa_device_open_index_in(directory, 0, out);
}

int faa_device_open(struct faa_device **out)
{
	return faa_device_open_in(DRI, out);
}

int faa_device_open_index(unsigned int index, struct faa_device **out)
{
	return faa_device_open_index_in(DRI, index, out);
}

int faa_device_count_in(const char *directory)
{
	struct search search;
	int ret = search_run(&search, directory, NEVER_FOUND);

	if (ret)
		return ret;
	if (!search.count && search.hidden)
		return faa_fail(search.hidden, "%s", search.sentence);
	return (int)search.count;
}

int faa_device_count(void)
{
	return faa_device_count_in(DRI);
}
