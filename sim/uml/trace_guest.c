// SPDX-License-Identifier: Apache-2.0
/* Reads the trace events that the guest has copied from tracefs, and its marks. */
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void *trace_grow(void *items, size_t count, size_t size)
{
	/* Powers of two, and nothing to do between them. */
	if (count & (count - 1))
		return items;
	return realloc(items, (count ? 2 * count : 1) * size);
}

/* A task has the last name that it had: that of its program, after that of the one it came from. */
static void guest_name(struct trace_task *task, const char *name)
{
	/* The kernel does not know the name. */
	if (!task->name[0] || strcmp(name, "<...>"))
		snprintf(task->name, sizeof(task->name), "%s", name);
}

unsigned int trace_find_task(const struct trace_guest *guest, int pid)
{
	unsigned int i = 0;

	while (i < guest->tasks && guest->task[i].pid != pid)
		i++;
	return i;
}

static int guest_task(struct trace_guest *guest, const char *name, int pid, unsigned int *index)
{
	struct trace_task *grown;

	*index = trace_find_task(guest, pid);
	if (*index < guest->tasks) {
		guest_name(&guest->task[*index], name);
		return 0;
	}
	grown = trace_grow(guest->task, guest->tasks, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	guest->task = grown;
	guest->task[guest->tasks] = (struct trace_task){ .pid = pid };
	guest_name(&guest->task[guest->tasks++], name);
	return 0;
}

static int guest_mark(struct trace_guest *guest, const char *line)
{
	struct trace_mark mark, *grown;
	unsigned long long time[4];

	if (sscanf(line, "# mark %u %llu %llu %llu %llu", &mark.device, &time[0], &time[1],
		   &time[2], &time[3]) != 5)
		return 0;
	mark.before = time[0];
	mark.after = time[1];
	mark.clock_before = time[2];
	mark.clock_after = time[3];
	grown = trace_grow(guest->mark, guest->marks, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	guest->mark = grown;
	guest->mark[guest->marks++] = mark;
	return 0;
}

/* "            task-name-123     [000] ..s1.  1234.567890: event: fields" */
static int guest_event(struct trace_guest *guest, char *line)
{
	char *cpu = strstr(line, " ["), *dash, *colon, *end, *time;
	struct trace_event event = { 0 }, *grown;
	unsigned long long s, us;
	int err;

	if (sscanf(line, "CPU:%*u [LOST %llu EVENTS]", &us) == 1)
		guest->lost += us;
	if (!cpu)
		return 0;
	*cpu = 0;
	dash = strrchr(line, '-');
	time = strchr(cpu + 1, ']');
	if (!dash || !time || sscanf(time + 1, " %*s %llu.%llu:", &s, &us) != 2)
		return 0;
	*dash = 0;
	err = guest_task(guest, line + strspn(line, " "), atoi(dash + 1), &event.task);
	colon = strstr(time, ": ");
	end = colon ? strchr(colon + 2, ':') : NULL;
	if (!end || (size_t)(end - colon - 2) >= sizeof(event.name) || err)
		return err;
	event.ns = s * 1000000000u + us * 1000;
	memcpy(event.name, colon + 2, (size_t)(end - colon - 2));
	event.fields = end + 1 + strspn(end + 1, " ");
	grown = trace_grow(guest->event, guest->count, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	guest->event = grown;
	guest->event[guest->count++] = event;
	return 0;
}

static int guest_read_text(struct trace_guest *guest, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	size_t have = 0;
	ssize_t n = 1;

	if (fd < 0 || fstat(fd, &st)) {
		int err = -errno;

		if (fd >= 0)
			close(fd);
		return err;
	}
	guest->text = calloc(1, (size_t)st.st_size + 1);
	while (guest->text && n > 0) {
		n = read(fd, guest->text + have, (size_t)st.st_size - have);
		have += n > 0 ? (size_t)n : 0;
	}
	close(fd);
	return guest->text ? 0 : -ENOMEM;
}

int trace_read_guest(struct trace_guest *guest, const char *path)
{
	char *line, *save = NULL;
	int err;

	*guest = (struct trace_guest){ 0 };
	err = guest_read_text(guest, path);
	for (line = err ? NULL : strtok_r(guest->text, "\n", &save); !err && line;
	     line = strtok_r(NULL, "\n", &save))
		err = line[0] == '#' ? guest_mark(guest, line) : guest_event(guest, line);
	if (err)
		trace_free_guest(guest);
	return err;
}

void trace_free_guest(struct trace_guest *guest)
{
	free(guest->event);
	free(guest->task);
	free(guest->mark);
	free(guest->text);
	*guest = (struct trace_guest){ 0 };
}

uint64_t trace_field(const struct trace_event *event, const char *name)
{
	size_t length = strlen(name);
	const char *at = event->fields;

	while ((at = strstr(at, name))) {
		if (at[length] == '=' && (at == event->fields || at[-1] == ' ' || at[-1] == ','))
			return strtoull(at + length + 1, NULL, 0);
		at += length;
	}
	return 0;
}

bool trace_is(const struct trace_event *event, const char *name)
{
	return strcmp(event->name, name) == 0;
}
