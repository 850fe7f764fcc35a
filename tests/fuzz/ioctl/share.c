// SPDX-License-Identifier: MIT
/*
 * Programs that instances of the fuzzer give each other: files in a directory, which never change
 * once they have their name, as the guest keeps what it has read of a file of the host.
 */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static struct {
	const char *dir;
	uint64_t name;
	unsigned int files;
	/* Names of the files that are known, a tree of tsearch(3). */
	void *known;
} share;

static int share_compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* True at the first call with a name, unless there is no memory to keep it. */
static bool share_is_new(const char *file)
{
	char *name = strdup(file);
	char **node = name ? tsearch(name, &share.known, share_compare) : NULL;
	bool added = node && *node == name;

	if (!added)
		free(name);
	return added;
}

void fuzz_share_open(const char *dir, uint64_t name)
{
	share.dir = dir;
	share.name = name;
}

int fuzz_share_give(unsigned int first)
{
	char path[4096], file[64];

	if (!share.dir || first == fuzz_corpus_count())
		return 0;
	snprintf(file, sizeof(file), "%llu-%u.txt", (unsigned long long)share.name, share.files++);
	if (snprintf(path, sizeof(path), "%s/%s", share.dir, file) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	share_is_new(file);
	return fuzz_corpus_save(path, first);
}

static int share_is_file(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 4 && !strcmp(entry->d_name + length - 4, ".txt");
}

int fuzz_share_take(void)
{
	struct dirent **entries;
	int count, i, ret = 0;
	char path[4096];

	if (!share.dir)
		return 0;
	count = scandir(share.dir, &entries, share_is_file, alphasort);
	if (count < 0)
		return -errno;
	for (i = 0; i < count; i++) {
		if (snprintf(path, sizeof(path), "%s/%s", share.dir, entries[i]->d_name) >=
		    (int)sizeof(path))
			ret = -ENAMETOOLONG;
		else if (share_is_new(entries[i]->d_name))
			fuzz_corpus_load(path);
		free(entries[i]);
	}
	free(entries);
	return ret;
}
