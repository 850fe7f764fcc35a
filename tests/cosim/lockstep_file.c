// SPDX-License-Identifier: MIT
/* Cases as text: the words that can be run again, and their meaning beside them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "faa_tables.h"

#include "lockstep.h"

#define LINE 1024

static void write_operand(FILE *file, const char *slot, unsigned int kind, unsigned int reg,
			  const uint64_t *words)
{
	switch (kind) {
	case FAA_KIND_NONE:
		return;
	case FAA_KIND_REG:
		fprintf(file, reg == FAA_RZ ? " %s=RZ" : " %s=R%u", slot, reg);
		return;
	case FAA_KIND_IMM:
		fprintf(file, " %s=0x%" PRIx64, slot, words[0]);
		return;
	case FAA_KIND_AFFINE:
		fprintf(file, " %s=0x%" PRIx64 "+e*0x%" PRIx64, slot, words[0], words[1]);
		return;
	case FAA_KIND_STREAM:
		fprintf(file, " %s={0x%" PRIx64 " stride %d type %u <<%u +0x%" PRIx64 "}", slot,
			words[0], (int32_t)FAA_GET(STREAM_STRIDE, words[1]),
			(unsigned int)FAA_GET(STREAM_TYPE, words[1]),
			(unsigned int)FAA_GET(STREAM_SHIFT, words[1]), words[2]);
		return;
	}
	fprintf(file, " %s=kind%u", slot, kind);
}

static void write_surface(FILE *file, const struct ls_command *command)
{
	static const char *const handles[] = { "R", "#", "header ", "?" };
	uint64_t place = command->words[1], surface = command->words[2];

	fprintf(file, " dim=%u%s%s clamp=%u handle=%s%u ps=%u",
		(unsigned int)FAA_GET(PLACE_DIM, place), FAA_GET(PLACE_BA, place) ? " BA" : "",
		FAA_GET(PLACE_PACKED, place) ? " PACKED" : "",
		(unsigned int)FAA_GET(PLACE_CLAMP, place),
		handles[FAA_GET(SURFACE_HANDLE_KIND, surface)],
		(unsigned int)FAA_GET(SURFACE_HANDLE, surface),
		(unsigned int)FAA_GET(SURFACE_PS, surface));
}

static void write_vector(FILE *file, const struct ls_command *command)
{
	static const char *const slots[] = { "a", "b", "c", "d" };
	uint64_t shape = command->words[1], regs = command->words[2];
	bool surface = FAA_GET(HEADER_OPCODE, command->words[0]) == FAA_OPCODE_SUATOM;
	unsigned int at = 3;

	fprintf(file, " n=%" PRIu64, (uint64_t)FAA_GET(SHAPE_COUNT, shape));
	if (!surface && (shape & FAA_STRONG_STRONG_MASK))
		fprintf(file, " strong");
	if (shape & (FAA_ACCESS_SCOPE_MASK | FAA_ACCESS_ORDER_MASK))
		fprintf(file, " scope=%u order=%u", (unsigned int)FAA_GET(ACCESS_SCOPE, shape),
			(unsigned int)FAA_GET(ACCESS_ORDER, shape));
	if (surface)
		write_surface(file, command);
	else if (FAA_GET(REGS_OFFSET, regs))
		fprintf(file, " offset=0x%" PRIx64, (uint64_t)FAA_GET(REGS_OFFSET, regs));
	for (unsigned int slot = 0; slot < 4; slot++) {
		unsigned int kind = shape >> (40 + 3 * slot) & 7;
		unsigned int words = faa_operand_words(kind);

		if (at + words > command->count) {
			fprintf(file, " ...");
			return;
		}
		write_operand(file, slots[slot], kind, regs >> 8 * slot & 0xff,
			      command->words + at);
		at += words;
	}
}

/* Prints the disassembly of a command; of a broken one as much as decodes. */
static void disassemble(FILE *file, const struct ls_command *command)
{
	uint64_t header = command->words[0];
	const struct faa_command_info *info = &faa_commands[FAA_GET(HEADER_OPCODE, header)];
	unsigned int op = FAA_GET(HEADER_OP, header), type = FAA_GET(HEADER_TYPE, header);
	unsigned int guard = FAA_GET(HEADER_GUARD, header);

	if (!info->name) {
		fprintf(file, "unknown command");
		return;
	}
	if (guard != FAA_PT || (header & FAA_HEADER_GUARD_NEGATE_MASK))
		fprintf(file, "@%sP%u ", header & FAA_HEADER_GUARD_NEGATE_MASK ? "!" : "", guard);
	fprintf(file, "%s", info->name);
	if (info->op_names && op < info->op_count && info->op_names[op])
		fprintf(file, ".%s", info->op_names[op]);
	if (info->vector && type < sizeof(faa_type_names) / sizeof(faa_type_names[0]))
		fprintf(file, ".%s", faa_type_names[type]);
	if (info->mod_max)
		fprintf(file, " mod=%u", (unsigned int)FAA_GET(HEADER_MOD, header));
	if (info->vector && command->count >= 3)
		write_vector(file, command);
	for (unsigned int i = 1; !info->vector && i < command->count; i++)
		fprintf(file, " 0x%" PRIx64, command->words[i]);
	if (header & FAA_HEADER_WAIT_MASK_MASK)
		fprintf(file, " wait=0x%x", (unsigned int)FAA_GET(HEADER_WAIT_MASK, header));
	if (FAA_GET(HEADER_READ_BARRIER, header) != FAA_NO_BARRIER)
		fprintf(file, " rd=%u", (unsigned int)FAA_GET(HEADER_READ_BARRIER, header));
	if (FAA_GET(HEADER_WRITE_BARRIER, header) != FAA_NO_BARRIER)
		fprintf(file, " wr=%u", (unsigned int)FAA_GET(HEADER_WRITE_BARRIER, header));
	if (FAA_GET(HEADER_LENGTH, header) != command->count)
		fprintf(file, " length=%u of %u", (unsigned int)FAA_GET(HEADER_LENGTH, header),
			command->count);
}

void ls_write(const struct ls_case *c, FILE *file)
{
	fprintf(file, "seed %" PRIu64 "\n", c->seed);
	for (unsigned int q = 0; q < c->num_queues; q++)
		fprintf(file, "queue vm %u prio %u shared %u\n", c->queues[q].vm, c->queues[q].prio,
			c->queues[q].shared_bytes);
	for (unsigned int j = 0; j < c->num_jobs; j++) {
		const struct ls_job *job = &c->jobs[j];
		uint32_t offset = 0;

		fprintf(file, "job queue %u slot %u first %u flags %u flip %u delay %u\n",
			job->queue, job->slot, job->first_element, job->flags, job->flip,
			job->delay);
		for (unsigned int i = 0; i < job->count; i++) {
			fprintf(file, "# 0x%x: ", offset);
			disassemble(file, &job->commands[i]);
			fprintf(file, "\ncommand");
			for (unsigned int w = 0; w < job->commands[i].count; w++)
				fprintf(file, " %016" PRIx64, job->commands[i].words[w]);
			fprintf(file, "\n");
			offset += job->commands[i].count * 8;
		}
	}
}

static bool read_words(struct ls_command *command, char *text)
{
	char *end;

	for (;;) {
		uint64_t word = strtoull(text, &end, 16);

		if (end == text)
			return command->count > 0;
		if (command->count == FAA_MAX_COMMAND_WORDS)
			return false;
		command->words[command->count++] = word;
		text = end;
	}
}

static bool read_line(struct ls_case *c, char *line)
{
	struct ls_job *job = c->num_jobs ? &c->jobs[c->num_jobs - 1] : NULL;

	if (line[0] == '#' || line[0] == '\n')
		return true;
	if (sscanf(line, "seed %" SCNu64, &c->seed) == 1)
		return true;
	if (!strncmp(line, "queue ", 6)) {
		struct ls_queue *queue = &c->queues[c->num_queues];

		return c->num_queues++ < LS_QUEUES &&
		       sscanf(line, "queue vm %u prio %u shared %u", &queue->vm, &queue->prio,
			      &queue->shared_bytes) == 3 &&
		       queue->vm < LS_QUEUES;
	}
	if (!strncmp(line, "job ", 4)) {
		job = &c->jobs[c->num_jobs];
		return c->num_jobs++ < LS_JOBS &&
		       sscanf(line, "job queue %u slot %u first %u flags %u flip %u delay %u",
			      &job->queue, &job->slot, &job->first_element, &job->flags, &job->flip,
			      &job->delay) == 6 &&
		       job->queue < c->num_queues && job->slot < FAA_MAX_SLOTS && job->flip < 512;
	}
	if (!strncmp(line, "command ", 8) && job && job->count < LS_COMMANDS)
		return read_words(&job->commands[job->count++], line + 8);
	return false;
}

bool ls_read(struct ls_case *c, FILE *file, const char *name)
{
	char line[LINE];

	memset(c, 0, sizeof(*c));
	for (unsigned int number = 1; fgets(line, sizeof(line), file); number++) {
		if (!read_line(c, line)) {
			fprintf(stderr, "%s:%u: neither a comment nor a line of a case: %s", name,
				number, line);
			return false;
		}
	}
	return true;
}
