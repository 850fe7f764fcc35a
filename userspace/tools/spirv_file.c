// SPDX-License-Identifier: MIT
/* Files of modules, and the programs of SPIRV-Tools. */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spirv_tool.h"

#define MAGIC 0x07230203u

extern char **environ;

/* Reads all of @file and appends a byte of 0; NULL: it cannot be read. */
static char *file_read_all(FILE *file, size_t *size)
{
	size_t capacity = 65536, n;
	char *bytes = malloc(capacity), *grown;

	*size = 0;
	while (bytes && (n = fread(bytes + *size, 1, capacity - *size - 1, file))) {
		*size += n;
		if (*size + 1 < capacity)
			continue;
		capacity *= 2;
		grown = realloc(bytes, capacity);
		if (!grown)
			free(bytes);
		bytes = grown;
	}
	if (!bytes || ferror(file)) {
		free(bytes);
		return NULL;
	}
	bytes[*size] = 0;
	return bytes;
}

static int file_wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int file_spawn(char *const *argv, int output, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int ret = posix_spawn_file_actions_init(&actions);

	if (ret)
		return -ret;
	posix_spawn_file_actions_adddup2(&actions, output, 1);
	posix_spawn_file_actions_adddup2(&actions, output, 2);
	ret = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -ret;
}

int spirv_run_program(char *const *argv, char **output)
{
	int ends[2], ret;
	size_t size;
	FILE *file;
	pid_t pid;

	*output = NULL;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	ret = file_spawn(argv, ends[1], &pid);
	close(ends[1]);
	if (ret) {
		close(ends[0]);
		return ret;
	}
	file = fdopen(ends[0], "r");
	*output = file ? file_read_all(file, &size) : NULL;
	if (file)
		fclose(file);
	ret = file_wait_for(pid);
	return *output ? ret : -ENOMEM;
}

/*
 * Version that a comment of the disassembler names, such as "; Version: 1.5"; without such a
 * comment the version that has every atomic instruction.
 */
static const char *file_target_of(const char *text)
{
	static const char *const targets[] = { "spv1.0", "spv1.1", "spv1.2", "spv1.3",
					       "spv1.4", "spv1.5", "spv1.6" };
	const char *comment = strstr(text, "; Version: 1.");
	unsigned int minor = comment ? (unsigned int)(comment[13] - '0') : 3;

	return targets[minor < 7 ? minor : 3];
}

static bool file_is_text(const struct spirv_file *file)
{
	uint32_t word;

	if (file->size < 4 || memchr(file->bytes, 0, file->size))
		return false;
	memcpy(&word, file->bytes, 4);
	return le32toh(word) != MAGIC && be32toh(word) != MAGIC;
}

static int file_load(struct spirv_file *file, const char *path)
{
	FILE *stream = fopen(path, "rb");

	free(file->bytes);
	file->bytes = stream ? file_read_all(stream, &file->size) : NULL;
	if (!file->bytes)
		fprintf(stderr, "faa-spirv: %s: %s\n", path, strerror(errno));
	if (stream)
		fclose(stream);
	return file->bytes ? 0 : 2;
}

static int file_assemble(struct spirv_file *file)
{
	char target[8], *output = NULL;
	char *argv[] = { "spirv-as", "--preserve-numeric-ids", "--target-env",	   target,
			 "-o",	     file->temporary,	       (char *)file->path, NULL };
	const char *directory = getenv("TMPDIR");
	int fd, ret;

	snprintf(target, sizeof(target), "%s", file_target_of(file->bytes));
	if (!directory || strlen(directory) > 40)
		directory = "/tmp";
	snprintf(file->temporary, sizeof(file->temporary), "%s/faa-spirv-XXXXXX", directory);
	fd = mkstemp(file->temporary);
	if (fd < 0) {
		fprintf(stderr, "faa-spirv: %s: %s\n", file->temporary, strerror(errno));
		file->temporary[0] = 0;
		return 2;
	}
	close(fd);
	file->binary = file->temporary;
	ret = spirv_run_program(argv, &output);
	if (ret == -ENOENT)
		fprintf(stderr,
			"faa-spirv: %s: is text, which spirv-as of SPIRV-Tools assembles, and there is none\n",
			file->path);
	else if (ret)
		fprintf(stderr, "%s: refused by spirv-as: %s", file->path,
			output ? output : strerror(-ret));
	free(output);
	return ret < 0 ? 2 : ret ? 1 : file_load(file, file->temporary);
}

int spirv_file_open(struct spirv_file *file, const char *path)
{
	int ret;

	*file = (struct spirv_file){ .path = path, .binary = path };
	ret = file_load(file, path);
	return !ret && file_is_text(file) ? file_assemble(file) : ret;
}

void spirv_file_close(struct spirv_file *file)
{
	if (file->temporary[0])
		unlink(file->temporary);
	free(file->bytes);
}
