// SPDX-License-Identifier: MIT
/* Programs that reach code of their own, and the programs that are derived from them. */
#include "fuzz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "faa_test.h"

#define CORPUS_MAX 65536u

static struct {
	struct fuzz_program *programs;
	unsigned int count;
} corpus;

void fuzz_corpus_add(const struct fuzz_program *program)
{
	if (!corpus.programs)
		corpus.programs = fuzz_map_own(CORPUS_MAX * sizeof(*program));
	if (corpus.programs && corpus.count < CORPUS_MAX)
		corpus.programs[corpus.count++] = *program;
}

unsigned int fuzz_corpus_count(void)
{
	return corpus.count;
}

const struct fuzz_program *fuzz_corpus_get(unsigned int index)
{
	return &corpus.programs[index];
}

void fuzz_corpus_cut(unsigned int count)
{
	corpus.count = count;
}

/* One block from a line of hexadecimal digits. */
static bool corpus_parse(const char *line, uint8_t *block)
{
	size_t digits = strspn(line, "0123456789abcdef"), i;
	unsigned int byte;

	if (digits != 2 * FUZZ_BLOCK || (line[digits] && line[digits] != '\n'))
		return false;
	for (i = 0; i < FUZZ_BLOCK; i++) {
		if (sscanf(line + 2 * i, "%2x", &byte) != 1)
			return false;
		block[i] = byte;
	}
	return true;
}

static void corpus_end_program(struct fuzz_program *program)
{
	if (program->count)
		fuzz_corpus_add(program);
	memset(program, 0, sizeof(*program));
}

void fuzz_corpus_load(const char *path)
{
	struct fuzz_program program = { 0 };
	char line[4 * FUZZ_BLOCK];
	FILE *file = fopen(path, "r");
	unsigned int number = 0;

	if (!file) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(2);
	}
	while (fgets(line, sizeof(line), file)) {
		number++;
		if (line[0] == '\n')
			corpus_end_program(&program);
		if (line[0] == '#' || line[0] == '\n')
			continue;
		if (program.count == FUZZ_BLOCKS ||
		    !corpus_parse(line, program.blocks[program.count])) {
			fprintf(stderr,
				"%s:%u: expected at most %u lines of %u hexadecimal digits, then an empty line\n",
				path, number, FUZZ_BLOCKS, 2 * FUZZ_BLOCK);
			exit(2);
		}
		program.count++;
	}
	corpus_end_program(&program);
	fclose(file);
}

void fuzz_program_write(const struct fuzz_program *program, FILE *out)
{
	unsigned int block, i;

	for (block = 0; block < program->count; block++, fprintf(out, "\n"))
		for (i = 0; i < FUZZ_BLOCK; i++)
			fprintf(out, "%02x", program->blocks[block][i]);
	fprintf(out, "\n");
}

int fuzz_corpus_save(const char *path, unsigned int first)
{
	char part[4096];
	FILE *file;

	if (snprintf(part, sizeof(part), "%s.part", path) >= (int)sizeof(part))
		return -ENAMETOOLONG;
	file = fopen(part, "w");
	if (!file)
		return -errno;
	fprintf(file,
		"# SPDX-License-Identifier: MIT\n# Programs of the fuzzer of ioctls (tests/fuzz/ioctl).\n");
	for (; first < corpus.count; first++)
		fuzz_program_write(&corpus.programs[first], file);
	if (fclose(file) || rename(part, path))
		return -errno;
	return 0;
}

/* Two of three new parts have legal values only: a call that fails early tests little. */
static void mutate_random(uint64_t *random, uint8_t *bytes, unsigned int count)
{
	uint8_t mask = random_next(random) % 3 ? 0x7f : 0xff;

	while (count--)
		*bytes++ = random_next(random) & mask;
}

/* Inserts a block: a new one, or one of another program. */
static void mutate_insert(uint64_t *random, struct fuzz_program *program)
{
	unsigned int at = random_next(random) % (program->count + 1);
	const struct fuzz_program *other;

	if (program->count == FUZZ_BLOCKS)
		return;
	memmove(program->blocks[at + 1], program->blocks[at], (program->count - at) * FUZZ_BLOCK);
	program->count++;
	mutate_random(random, program->blocks[at], FUZZ_BLOCK);
	if (corpus.count && random_next(random) % 2) {
		other = fuzz_corpus_get(random_next(random) % corpus.count);
		memcpy(program->blocks[at], other->blocks[random_next(random) % other->count],
		       FUZZ_BLOCK);
	}
}

/* The beginning of a program, and the end of another. */
static void mutate_splice(uint64_t *random, struct fuzz_program *program)
{
	const struct fuzz_program *other = fuzz_corpus_get(random_next(random) % corpus.count);
	unsigned int from = random_next(random) % other->count;
	unsigned int at = 1 + random_next(random) % program->count;
	unsigned int count = other->count - from;

	count = count < FUZZ_BLOCKS - at ? count : FUZZ_BLOCKS - at;
	memcpy(program->blocks[at], other->blocks[from], count * FUZZ_BLOCK);
	program->count = at + count;
}

static void mutate_once(uint64_t *random, struct fuzz_program *program)
{
	uint64_t choice = random_next(random);
	uint8_t *block = program->blocks[choice / 16 % program->count];
	unsigned int at = choice / 1024 % FUZZ_BLOCK;
	uint8_t copy[FUZZ_BLOCK];

	switch (choice % 8) {
	case 0:
	case 1:
		block[at] = choice >> 32;
		break;
	case 2:
		block[at] ^= 1u << (choice >> 32) % 8;
		break;
	case 3:
		mutate_random(random, block + at, FUZZ_BLOCK - at);
		break;
	case 4:
		if (program->count == 1)
			break;
		memmove(block, block + FUZZ_BLOCK,
			program->blocks[0] + program->count * FUZZ_BLOCK - block - FUZZ_BLOCK);
		program->count--;
		break;
	case 5:
		memcpy(copy, block, FUZZ_BLOCK);
		memcpy(block, program->blocks[(choice >> 32) % program->count], FUZZ_BLOCK);
		memcpy(program->blocks[(choice >> 32) % program->count], copy, FUZZ_BLOCK);
		break;
	default:
		mutate_insert(random, program);
		break;
	}
}

void fuzz_mutate(uint64_t *random, struct fuzz_program *program)
{
	unsigned int times = 1 + random_next(random) % 6;

	if (!corpus.count || random_next(random) % 64 == 0) {
		program->count = 1 + random_next(random) % FUZZ_BLOCKS;
		mutate_random(random, program->blocks[0], program->count * FUZZ_BLOCK);
		return;
	}
	*program = *fuzz_corpus_get(random_next(random) % corpus.count);
	if (random_next(random) % 8 == 0)
		mutate_splice(random, program);
	while (times--)
		mutate_once(random, program);
}
