// SPDX-License-Identifier: MIT
/*
 * replay FILE|DIRECTORY...: run a fuzz target over its kept inputs: the seeds of its corpus, and
 * inputs on which it once failed. It fails without any input.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In memory of exactly its size, so that the sanitizer detects any access beyond it. */
static int run_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	long size = -1;
	int ret = 1;

	if (file && !fseek(file, 0, SEEK_END))
		size = ftell(file);
	if (size >= 0)
		data = malloc((size_t)size ? (size_t)size : 1);
	if (data && !fseek(file, 0, SEEK_SET) &&
	    fread(data, 1, (size_t)size, file) == (size_t)size) {
		LLVMFuzzerTestOneInput(data, (size_t)size);
		ret = 0;
	} else {
		fprintf(stderr, "%s cannot be read\n", path);
	}
	free(data);
	if (file)
		fclose(file);
	return ret;
}

/* Returns -1 if @path is no directory. */
static int run_directory(const char *path, unsigned int *count)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	char name[4096];
	int failed = 0;

	if (!directory)
		return -1;
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.' || strstr(entry->d_name, ".license"))
			continue;
		snprintf(name, sizeof(name), "%s/%s", path, entry->d_name);
		failed |= run_file(name);
		(*count)++;
	}
	closedir(directory);
	return failed;
}

int main(int argc, char **argv)
{
	unsigned int count = 0;
	int i, failed = 0;

	for (i = 1; i < argc; i++) {
		int ret = run_directory(argv[i], &count);

		if (ret < 0) {
			ret = run_file(argv[i]);
			count++;
		}
		failed |= ret;
	}
	printf("%u inputs\n", count);
	return failed || !count;
}
