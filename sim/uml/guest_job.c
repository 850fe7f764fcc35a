// SPDX-License-Identifier: Apache-2.0
#include "guest.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads the whole file and adds a zero byte; never freed, as the job points into it. */
static char *job_read_file(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *text;
	size_t have = 0;

	if (fd < 0 || fstat(fd, &st))
		guest_fail("cannot open the job %s: %s", path, strerror(errno));
	*size = (size_t)st.st_size;
	text = malloc(*size + 1);
	while (text && have < *size) {
		ssize_t n = read(fd, text + have, *size - have);

		if (n <= 0)
			guest_fail("cannot read the job %s: %s", path, strerror(errno));
		have += (size_t)n;
	}
	if (!text)
		guest_fail("no memory for the job of %zu bytes", *size);
	text[*size] = 0;
	close(fd);
	return text;
}

static void job_parse_string(struct job *job, char *text, size_t *args, size_t *envs)
{
	char *value = text + 1;

	switch (text[0]) {
	case JOB_ARG:
		job->argv[(*args)++] = value;
		break;
	case JOB_ENV:
		job->envp[(*envs)++] = value;
		break;
	case JOB_DIR:
		job->dir = value;
		break;
	case JOB_UMASK:
		job->umask = (mode_t)strtoul(value, NULL, 8);
		break;
	case JOB_STDIO:
		job->stdio = value;
		break;
	case JOB_INPUT:
		job->input_offset = strtoll(value, &value, 10);
		job->input = value + 1;
		break;
	case JOB_WINSIZE:
		sscanf(value, "%hu %hu", &job->rows, &job->columns);
		break;
	case JOB_MODULE:
		if (job->module_count == GUEST_MAX_MODULES)
			guest_fail("more than %d modules", GUEST_MAX_MODULES);
		job->modules[job->module_count++] = value;
		break;
	case JOB_DEVICES:
		job->devices = strtoul(value, NULL, 10);
		break;
	case JOB_CHECK:
		job->check = true;
		break;
	case JOB_LEAKS:
		job->leaks = true;
		break;
	case JOB_TRACE:
	case JOB_TRACE_LATE:
		job->trace = value;
		job->trace_late = text[0] == JOB_TRACE_LATE;
		break;
	case JOB_GUEST:
		sscanf(value, "%u %u", &job->guest, &job->guests);
		break;
	default:
		guest_fail("the job has an unknown entry '%s'", text);
	}
}

void guest_find_job(const char *name, char *path, size_t size)
{
	/* The root is the host's, and the process that reads the link is the kernel. */
	char dir[2048] = "";

	if (name[0] != '/' && readlink("/proc/self/cwd", dir, sizeof(dir) - 1) < 0)
		dir[0] = 0;
	snprintf(path, size, "%s%s%s", dir, dir[0] ? "/" : "", name);
}

/* The path of the file @name in the directory of the job @path. */
static const char *job_beside(const char *path, const char *name)
{
	const char *last = strrchr(path, '/');
	char *beside;

	if (asprintf(&beside, "%.*s%s", last ? (int)(last - path) + 1 : 0, path, name) < 0)
		guest_fail("no memory for the path of %s", name);
	return beside;
}

void guest_read_job(struct job *job, const char *path)
{
	size_t size, count = 0, args = 0, envs = 0;
	char *text = job_read_file(path, &size);

	*job = (struct job){ .dir = "/", .stdio = "ppp", .umask = 022 };
	for (size_t i = 0; i < size; i++)
		count += text[i] == 0;
	job->argv = calloc(count + 1, sizeof(char *));
	job->envp = calloc(count + 1, sizeof(char *));
	if (!job->argv || !job->envp)
		guest_fail("no memory for a job of %zu entries", count);
	for (size_t at = 0; at < size; at += strlen(text + at) + 1)
		job_parse_string(job, text + at, &args, &envs);
	if (job->trace_late)
		job->trace = job_beside(path, job->trace);
	if (!args || strlen(job->stdio) != 3)
		guest_fail("the job lacks the program or the kind of its standard descriptors");
}
