// SPDX-License-Identifier: MIT
#include "data_path.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void data_path(const char *name, char *path, size_t size)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[n < 0 ? 0 : n] = '\0';
	slash = strrchr(self, '/');
	/* The build defines EXAMPLE_DATA, the relative path from the programs to share/faa. */
	snprintf(path, size, "%.*s" EXAMPLE_DATA "/%s", slash ? (int)(slash + 1 - self) : 0, self,
		 name);
}
