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
#include "tool.h"

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

/* The commands around a position. */
struct code_around {
	uint64_t *words;
	size_t count;
	/* Offset of the first word in the stream, bytes. */
	uint64_t begin;
	/* Words: the first command to show, and the position. */
	size_t at, target;
};

/* Reads the words of a section; false if there are none. The caller frees the words. */
static bool code_read(struct code_around *around, const struct dump_section *code,
		      const struct faa_dump_position *position, uint64_t address)
{
	size_t i;

	around->count = code->bytes / sizeof(uint64_t);
	around->words = calloc(around->count + 1, sizeof(*around->words));
	around->begin = code->address - le64toh(position->stream_va);
	if (!around->words || !around->count || address < code->address)
		return false;
	for (i = 0; i < around->count; i++) {
		dump_item(code, i, &around->words[i], sizeof(around->words[i]));
		around->words[i] = le64toh(around->words[i]);
	}
	around->target = (address - code->address) / sizeof(*around->words);
	if (around->target > around->count)
		around->target = around->count;
	around->at = code_first_command(around->words, around->count, around->target);
	return true;
}

/* Calls @print for each command; returns the offset in the stream after the last one. */
static uint64_t code_each(const struct code_around *around,
			  void (*print)(size_t number, uint64_t offset, const char *text,
					bool here))
{
	size_t at = around->at, number = 0, behind = 0;

	while (at < around->count && behind <= AFTER) {
		const uint64_t *words = around->words + at;
		char *text = asm_command_text(words, around->count - at, NULL);

		if (text)
			print(number++, around->begin + at * sizeof(*words), text,
			      at == around->target);
		free(text);
		behind += at >= around->target;
		at += code_command_words(around->words, around->count, at);
	}
	return around->begin + at * sizeof(*around->words);
}

static void code_show_command(size_t number, uint64_t offset, const char *text, bool here)
{
	printf("  %s %6llx:  %s\n", here ? "=>" : "  ", (unsigned long long)offset, text);
}

void dump_show_code(const struct dump_section *code, const struct faa_dump_position *position,
		    uint64_t address)
{
	struct code_around around;

	if (code->error)
		printf("  commands cannot be read: %s\n", strerror((int)code->error));
	if (code_read(&around, code, position, address)) {
		if (around.begin + around.at * sizeof(*around.words))
			printf("     ...\n");
		if (code_each(&around, code_show_command) < le32toh(position->stream_bytes))
			printf("     ...\n");
	}
	free(around.words);
}

static void code_json_command(size_t number, uint64_t offset, const char *text, bool here)
{
	printf("%s{\"offset\": %llu, \"here\": %s, \"text\": ", number ? ", " : "",
	       (unsigned long long)offset, here ? "true" : "false");
	tool_print_json_string(text);
	putchar('}');
}

void dump_json_code(const struct dump_section *code, const struct faa_dump_position *position,
		    uint64_t address)
{
	struct code_around around;

	putchar('[');
	if (code_read(&around, code, position, address))
		code_each(&around, code_json_command);
	free(around.words);
	putchar(']');
}
