// SPDX-License-Identifier: MIT
/* Coverage of the kernel by this thread: Documentation/dev-tools/kcov.rst of the kernel. */
#include "fuzz.h"

#include <errno.h>
#include <stdio.h>

#include "faa_coverage.h"

#define KCOV_BITS 18u

static struct {
	struct coverage coverage;
	bool open;
	/* A bit for each hash. */
	uint64_t *edges;
	/* Addresses that were reached, by their hash; 0 is free. */
	unsigned long *places;
	unsigned int known, place_count;
} kcov;

int fuzz_kcov_open(void)
{
	int ret = coverage_open(&kcov.coverage);

	if (ret)
		return ret;
	kcov.edges = fuzz_map_own((1u << KCOV_BITS) / 8);
	kcov.places = fuzz_map_own((1u << KCOV_BITS) * sizeof(*kcov.places));
	if (!kcov.edges || !kcov.places)
		return -ENOMEM;
	kcov.open = true;
	return fuzz_keep_own(kcov.coverage.words, COVERAGE_WORDS * sizeof(*kcov.coverage.words));
}

void fuzz_kcov_start(void)
{
	if (kcov.open)
		coverage_start(&kcov.coverage);
}

static uint32_t kcov_hash(uint64_t value)
{
	return (value * 0x9e3779b97f4a7c15ull) >> (64 - KCOV_BITS);
}

/* True if the edge is new; two edges with one hash count as one. */
static bool kcov_mark(uint64_t edge)
{
	uint32_t bit = kcov_hash(edge);
	uint64_t mask = 1ull << bit % 64;
	bool added = !(kcov.edges[bit / 64] & mask);

	kcov.edges[bit / 64] |= mask;
	return added;
}

/* The kernel has far fewer places than the table. */
static void kcov_add_place(unsigned long place)
{
	uint32_t at = kcov_hash(place);

	while (kcov.places[at] && kcov.places[at] != place)
		at = (at + 1) % (1u << KCOV_BITS);
	kcov.place_count += !kcov.places[at];
	kcov.places[at] = place;
}

unsigned int fuzz_kcov_stop(void)
{
	unsigned int added = 0;
	uint64_t before = 0;
	unsigned long count, i;

	if (!kcov.open)
		return 0;
	count = coverage_stop(&kcov.coverage);
	for (i = 1; i <= count; i++) {
		unsigned long place = kcov.coverage.words[i];

		kcov_add_place(place);
		added += kcov_mark(place ^ before << 1);
		before = place;
	}
	kcov.known += added;
	return added;
}

unsigned int fuzz_kcov_known(void)
{
	return kcov.known;
}

unsigned int fuzz_kcov_places(void)
{
	return kcov.place_count;
}

/* The address at which a section of the driver is. */
static int kcov_save_section(FILE *out, const char *section)
{
	char path[64], line[32];
	FILE *file;
	bool read;

	snprintf(path, sizeof(path), "/sys/module/faa/sections/%s", section);
	file = fopen(path, "r");
	if (!file)
		return -errno;
	read = fgets(line, sizeof(line), file) != NULL;
	fclose(file);
	if (read)
		fprintf(out, "section %s %s", section, line);
	return read ? 0 : -EIO;
}

int fuzz_kcov_save(const char *path)
{
	FILE *out = fopen(path, "w");
	unsigned int i;
	int ret;

	if (!out)
		return -errno;
	ret = kcov_save_section(out, ".text");
	for (i = 0; !ret && kcov.open && i < 1u << KCOV_BITS; i++)
		if (kcov.places[i])
			fprintf(out, "place 0x%lx\n", kcov.places[i]);
	if (fclose(out) && !ret)
		ret = -errno;
	return ret;
}
