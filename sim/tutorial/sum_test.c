// SPDX-License-Identifier: MIT
/* Running sums of /dev/sum, compared with those of the processor. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS 4096

/* Whether the device has the sums of @count words that begin with @first. */
static int sum_check(int fd, uint32_t first, size_t count)
{
	static uint32_t words[WORDS], sums[WORDS];
	uint32_t sum = 0;
	ssize_t bytes = (ssize_t)(count * sizeof(words[0]));

	for (size_t i = 0; i < count; i++)
		words[i] = first + (uint32_t)i * 2654435761u;
	if (write(fd, words, (size_t)bytes) != bytes || read(fd, sums, (size_t)bytes) != bytes) {
		printf("%zu words: %s\n", count, strerror(errno));
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		sum += words[i];
		if (sums[i] == sum)
			continue;
		printf("%zu words: sum %zu is 0x%08" PRIx32 " instead of 0x%08" PRIx32 "\n", count,
		       i, sums[i], sum);
		return 0;
	}
	return 1;
}

int main(void)
{
	static const size_t counts[] = { 0, 1, 2, 3, 100, WORDS };
	int fd = open("/dev/sum", O_RDWR), good = 1;

	if (fd < 0) {
		printf("/dev/sum: %s\n", strerror(errno));
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		good &= sum_check(fd, (uint32_t)i, counts[i]);
	/* A word more than the driver takes, and a part of a word. */
	good &= write(fd, "x", 1) < 0 && errno == EINVAL;
	puts(good ? "all sums are right" : "FAILED");
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
