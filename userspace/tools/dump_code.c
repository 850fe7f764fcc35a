// SPDX-License-Identifier: MIT
/* Commands of a dump, with an arrow at the position of the stream. */
#include "asm_tool.h"
#include "dump.h"

#include <endian.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa.h"

/* Commands before and after the arrow. */
#define BEFORE 8
#define AFTER  8
/* Words that are decoded at a time: at least those of the longest command. */
#define LOOK 64

/* Words of the command at @at. */
static unsigned int code_command_words(const uint64_t *words, size_t count, size_t at)
{
	unsigned int used;

	faa_disassemble(words + at, count - at < LOOK ? count - at : LOOK, &used, NULL, 0);
	return used;
}

/*
 * Whether commands from @at on lead to a command at @target. *@commands: number of commands before
 * it.
 */
static bool code_leads_to(const uint64_t *words, size_t count, size_t at, size_t target,
			  size_t *commands)
{
	for (*commands = 0; at < target; ++*commands)
		at += code_command_words(words, count, at);
	return at == target;
}

/*
 * Index of the first word to show. Unless the words begin with the stream, the first word may be
 * the middle of a command; so the result is the first word from which commands lead to the arrow.
 */
static size_t code_first_command(const uint64_t *words, size_t count, size_t target)
{
	size_t at, commands;

	for (at = 0; at < target; at++)
		if (code_leads_to(words, count, at, target, &commands))
			break;
	if (at < target)
		for (; commands > BEFORE; commands--)
			at += code_command_words(words, count, at);
	return at;
}

static void code_print_command(const uint64_t *words, size_t count, uint64_t offset, bool arrow)
{
	char *text = asm_command_text(words, count, NULL);

	if (!text)
		return;
	printf("  %s %6llx:  %s\n", arrow ? "=>" : "  ", (unsigned long long)offset, text);
	free(text);
}

void dump_show_code(const struct dump_section *code, const struct faa_dump_position *position,
		    uint64_t address)
{
	size_t count = code->bytes / sizeof(uint64_t), target, at, behind = 0;
	uint64_t *words = calloc(count + 1, sizeof(*words));
	uint64_t begin = code->address - le64toh(position->stream_va);

	if (code->error)
		printf("  commands cannot be read: %s\n", strerror((int)code->error));
	if (!words || !count || address < code->address) {
		free(words);
		return;
	}
	for (at = 0; at < count; at++) {
		dump_item(code, at, &words[at], sizeof(words[at]));
		words[at] = le64toh(words[at]);
	}
	target = (address - code->address) / sizeof(*words);
	if (target > count)
		target = count;
	at = code_first_command(words, count, target);
	if (begin + at * sizeof(*words))
		printf("     ...\n");
	while (at < count && behind <= AFTER) {
		code_print_command(words + at, count - at, begin + at * sizeof(*words),
				   at == target);
		behind += at >= target;
		at += code_command_words(words, count, at);
	}
	if (begin + at * sizeof(*words) < le32toh(position->stream_bytes))
		printf("     ...\n");
	free(words);
}
