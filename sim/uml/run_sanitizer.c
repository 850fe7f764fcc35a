// SPDX-License-Identifier: Apache-2.0
/*
 * Explains why a program built with a sanitizer fails in the guest: its runtime reserves address
 * space above the 512 GiB that a process of User Mode Linux has.
 */
#include "run.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct sanitizer {
	const char *mark; /* a symbol in every program built with it */
	const char *name;
} sanitizers[] = {
	{ "__asan_init", "AddressSanitizer" },
	{ "__tsan_init", "ThreadSanitizer" },
	{ "__msan_init", "MemorySanitizer" },
	{ "liblsan.so", "LeakSanitizer" },
};

/* The path of the file that a shell would run for @name; false if there is none. */
bool run_find_program(const char *name, char path[PATH_MAX])
{
	const char *list = getenv("PATH"), *next;

	if (strchr(name, '/'))
		return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX;
	for (; list && *list; list = *next ? next + 1 : next) {
		next = strchrnul(list, ':');
		if (snprintf(path, PATH_MAX, "%.*s/%s", (int)(next - list), list, name) <
			    PATH_MAX &&
		    !access(path, X_OK))
			return true;
	}
	return false;
}

static const char *sanitizer_in(const char *data, size_t size)
{
	size_t i;

	if (size < 4 || memcmp(data, "\177ELF", 4))
		return NULL;
	for (i = 0; i < sizeof(sanitizers) / sizeof(sanitizers[0]); i++)
		if (memmem(data, size, sanitizers[i].mark, strlen(sanitizers[i].mark)))
			return sanitizers[i].name;
	return NULL;
}

/* The sanitizer that program @path is built with; NULL: none, or the file cannot be read. */
static const char *sanitizer_of(const char *path)
{
	const char *found = NULL;
	struct stat file;
	void *data;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &file) && S_ISREG(file.st_mode) && file.st_size) {
		data = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (data != MAP_FAILED) {
			found = sanitizer_in(data, (size_t)file.st_size);
			munmap(data, (size_t)file.st_size);
		}
	}
	close(fd);
	return found;
}

void run_explain_sanitizer(const char *program)
{
	char path[PATH_MAX];
	const char *name;

	if (!run_find_program(program, path))
		return;
	name = sanitizer_of(path);
	if (name)
		run_error(
			"'%s' is built with %s, which needs more address space than a program has here (512 GiB); UBSan works",
			program, name);
}
