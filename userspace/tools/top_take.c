// SPDX-License-Identifier: MIT
/* Clients of the driver, from /proc/PID/fdinfo. */
#include "top.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NODES "/dev/dri/"

static void *take_grow(void *array, size_t count, size_t size)
{
	/* The capacity is the next power of two. */
	return count & (count - 1) ? array : realloc(array, (count ? 2 * count : 1) * size);
}

/* "12 KiB" in bytes: the kernel prints the largest unit without a remainder. */
static uint64_t take_bytes(const char *value)
{
	char unit[8] = "";
	unsigned long long number = 0;

	sscanf(value, "%llu %7s", &number, unit);
	return number << (!strcmp(unit, "KiB") ? 10 : !strcmp(unit, "MiB") ? 20 : 0);
}

static int take_queue(struct top_client *client, const char *key, const char *value)
{
	unsigned long long jobs, elements, warps, cycles, ns;
	struct top_queue queue = { 0 };
	struct top_queue *queues;

	if (sscanf(key, "faa-queue-%u", &queue.id) != 1 ||
	    sscanf(value, "%15s priority %u jobs %llu elements %llu warps %llu cycles %llu ns %llu",
		   queue.state, &queue.priority, &jobs, &elements, &warps, &cycles, &ns) != 7)
		return 0;
	queue.work = (struct top_work){ jobs, elements, warps, cycles, ns };
	queues = take_grow(client->queues, client->num_queues, sizeof(queue));
	if (!queues)
		return -ENOMEM;
	client->queues = queues;
	queues[client->num_queues++] = queue;
	return 0;
}

static int take_line(struct top_client *client, char *line, bool *ours)
{
	char *value = strchr(line, ':');

	if (!value)
		return 0;
	*value++ = '\0';
	value += strspn(value, " \t");
	value[strcspn(value, "\n")] = '\0';
	if (!strcmp(line, "drm-driver"))
		*ours = !strcmp(value, "faa");
	else if (!strcmp(line, "drm-pdev"))
		snprintf(client->device, sizeof(client->device), "%s", value);
	else if (!strcmp(line, "drm-client-id"))
		client->id = strtoull(value, NULL, 10);
	else if (!strcmp(line, "drm-engine-capacity-rmw"))
		client->capacity = strtoull(value, NULL, 10);
	else if (!strcmp(line, "drm-engine-rmw"))
		client->work.ns = strtoull(value, NULL, 10);
	else if (!strcmp(line, "drm-cycles-rmw"))
		client->work.cycles = strtoull(value, NULL, 10);
	else if (!strcmp(line, "faa-jobs"))
		client->work.jobs = strtoull(value, NULL, 10);
	else if (!strcmp(line, "faa-elements"))
		client->work.elements = strtoull(value, NULL, 10);
	else if (!strcmp(line, "faa-warps"))
		client->work.warps = strtoull(value, NULL, 10);
	else if (!strcmp(line, "drm-total-memory"))
		client->total = take_bytes(value);
	else if (!strcmp(line, "drm-resident-memory"))
		client->resident = take_bytes(value);
	else
		return take_queue(client, line, value);
	return 0;
}

/* Reads the client of a descriptor; false: it belongs to another driver, or is closed. */
static bool take_client(struct top_client *client, const char *path, int *error)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	bool ours = false;
	size_t room = 0;

	*client = (struct top_client){ 0 };
	while (file && !*error && getline(&line, &room, file) > 0)
		*error = take_line(client, line, &ours);
	free(line);
	if (file)
		fclose(file);
	return ours && !*error;
}

static bool take_is_known(const struct top_sample *sample, const struct top_client *client)
{
	for (size_t i = 0; i < sample->num_clients; i++)
		if (sample->clients[i].id == client->id &&
		    !strcmp(sample->clients[i].device, client->device))
			return true;
	return false;
}

static void take_name(struct top_client *client, pid_t pid)
{
	char path[64];
	FILE *file;

	client->pid = pid;
	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	file = fopen(path, "re");
	if (file && fgets(client->comm, sizeof(client->comm), file))
		client->comm[strcspn(client->comm, "\n")] = '\0';
	if (file)
		fclose(file);
}

/* Adds descriptor @name of a process. */
static int take_descriptor(struct top_sample *sample, pid_t pid, const char *name)
{
	struct top_client client, *clients;
	char path[64], target[64];
	ssize_t length;
	int error = 0;

	snprintf(path, sizeof(path), "/proc/%d/fd/%.16s", pid, name);
	length = readlink(path, target, sizeof(target) - 1);
	if (length < 0 || strncmp(target, NODES, strlen(NODES)))
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%.16s", pid, name);
	if (!take_client(&client, path, &error) || take_is_known(sample, &client)) {
		free(client.queues);
		return error;
	}
	clients = take_grow(sample->clients, sample->num_clients, sizeof(client));
	if (!clients) {
		free(client.queues);
		return -ENOMEM;
	}
	take_name(&client, pid);
	sample->clients = clients;
	clients[sample->num_clients++] = client;
	return 0;
}

static int take_process(struct top_sample *sample, pid_t pid)
{
	char path[64];
	struct dirent *entry;
	int error = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	/* The process has exited, or is another user's. */
	if (!dir)
		return 0;
	while (!error && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			error = take_descriptor(sample, pid, entry->d_name);
	closedir(dir);
	return error;
}

int top_take(struct top_sample *sample)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	struct timespec now;
	int error = 0;

	*sample = (struct top_sample){ 0 };
	if (!proc)
		return -errno;
	clock_gettime(CLOCK_MONOTONIC, &now);
	sample->time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	while (!error && (entry = readdir(proc))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 0 && pid != getpid())
			error = take_process(sample, pid);
	}
	closedir(proc);
	if (error)
		top_free(sample);
	return error;
}

void top_free(struct top_sample *sample)
{
	for (size_t i = 0; i < sample->num_clients; i++)
		free(sample->clients[i].queues);
	free(sample->clients);
	free(sample->counters);
	*sample = (struct top_sample){ 0 };
}

const struct top_client *top_client_before(const struct top_rates *rates,
					   const struct top_client *client)
{
	for (size_t i = 0; i < rates->before->num_clients; i++) {
		const struct top_client *before = &rates->before->clients[i];

		if (before->id == client->id && !strcmp(before->device, client->device))
			return before;
	}
	return NULL;
}

const struct top_queue *top_queue_before(const struct top_client *client,
					 const struct top_queue *queue)
{
	for (size_t i = 0; client && i < client->num_queues; i++)
		if (client->queues[i].id == queue->id)
			return &client->queues[i];
	return NULL;
}
