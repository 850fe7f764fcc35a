// SPDX-License-Identifier: MIT
/* Values of arguments, most of them legal: a call with two wrong ones tests only one check. */
#include "fuzz.h"

#include <string.h>

#include "faa_encode.h"
#include "faa_tables.h"
#include "faa_test.h"

uint8_t fuzz_choose(struct fuzz_choices *choices)
{
	unsigned int i;

	if (choices->at < FUZZ_BLOCK)
		return choices->block[choices->at++];
	if (choices->at++ == FUZZ_BLOCK)
		for (i = 0; i < FUZZ_BLOCK; i++) {
			choices->state = choices->state * 257 + choices->block[i];
			choices->rare |= choices->block[i] & 0x80;
		}
	return random_next(&choices->state) & (0x7f | choices->rare);
}

/* True in @of_256 cases. */
static bool value_rare(struct fuzz_choices *choices, unsigned int of_256)
{
	return fuzz_choose(choices) >= 256 - of_256;
}

static uint64_t value_random(struct fuzz_choices *choices)
{
	uint64_t value = 0;
	unsigned int i;

	for (i = 0; i < 8; i++)
		value = value << 8 | fuzz_choose(choices);
	return value;
}

uint64_t fuzz_number(struct fuzz_choices *choices, unsigned int size)
{
	static const uint64_t numbers[] = { 0,		1,	    2,		8,
					    16,		32,	    64,		256,
					    1024,	PAGE,	    2 * PAGE,	0x10000,
					    0x100000,	0x10000000, 1ull << 32, 1ull << 38,
					    1ull << 40, 1ull << 47, 1ull << 63, ~0ull };
	uint8_t choice = fuzz_choose(choices);
	uint64_t value;

	if (choice < 64)
		value = choice;
	else if (choice < 144)
		value = numbers[choice % (sizeof(numbers) / sizeof(numbers[0]))];
	else if (choice < 192)
		value = (uint64_t)(1 + fuzz_choose(choices) % 64) * PAGE;
	else if (choice < 224)
		value = fuzz_limits[fuzz_choose(choices) % fuzz_limit_count];
	else if (choice < 240)
		value = 1ull << fuzz_choose(choices) % 64;
	else
		value = value_random(choices);
	if (choice >= 64 && value_rare(choices, 40))
		value += fuzz_choose(choices) & 1 ? 1 : -1;
	return size < 8 ? value & ((1ull << 8 * size) - 1) : value;
}

static uint64_t value_address(struct fuzz_choices *choices)
{
	uint8_t choice = fuzz_choose(choices);

	if (choice < 128)
		return FUZZ_VA + choice % 64 * FUZZ_SLOT_BYTES;
	if (choice < 216)
		return FUZZ_VA + choice % 32 * PAGE;
	if (choice < 232)
		return choice % 2 ? (1ull << 48) - PAGE : 0;
	return fuzz_number(choices, 8);
}

static uint64_t value_memory(struct fuzz_choices *choices)
{
	uint8_t choice = fuzz_choose(choices);

	if (choice < 224)
		return (uintptr_t)fuzz_memory() + choice % (FUZZ_MEMORY_BYTES / PAGE) * PAGE;
	if (choice < 240)
		return (uintptr_t)fuzz_streams();
	return fuzz_number(choices, 8);
}

static uint64_t value_pointer(struct fuzz_choices *choices)
{
	uint8_t choice = fuzz_choose(choices);
	uint8_t *at;

	if (choice < 200) {
		at = fuzz_scratch(PAGE);
		/* A string for labels. */
		if (at)
			memset(at, 'a' + choice % 26, choice);
		return (uintptr_t)at;
	}
	if (choice < 216)
		return 0;
	if (choice < 240)
		return (uintptr_t)fuzz_torn(choice % 64);
	return choice % 2 ? 0xffffffff80000000ull : fuzz_number(choices, 8);
}

static void value_array(struct fuzz_choices *choices, const struct fuzz_field *field, uint8_t *at)
{
	static const uint8_t counts[] = { 1, 1, 2, 1, 3, 0, 1, 2 };
	const struct fuzz_struct *of = &fuzz_structs[field->of];
	struct drm_faa_obj_array array = { .stride = of->size };
	uint8_t choice = fuzz_choose(choices);
	uint8_t *elements;
	unsigned int i;

	/* Optional arrays are more often absent than not. */
	array.count = strcmp(field->name, "syncs") ? counts[choice % 8] :
		      choice % 4 == 3		   ? counts[choice / 4 % 8] :
						     0;
	if (choice > 240)
		array.count = fuzz_number(choices, 4);
	/* An absent array is all 0. */
	if (!array.count && !value_rare(choices, 24)) {
		memset(at, 0, sizeof(array));
		return;
	}
	if (value_rare(choices, 12))
		array.stride = fuzz_choose(choices) % 2 ? fuzz_number(choices, 4) : of->size + 8;
	i = array.count < 8 ? array.count : 8;
	elements = fuzz_scratch((size_t)i * (array.stride < PAGE ? array.stride : PAGE) + of->size);
	array.array = (uintptr_t)elements;
	for (; elements && i--; elements += array.stride < PAGE ? array.stride : PAGE)
		fuzz_fill(choices, of, elements);
	if (value_rare(choices, 6))
		array.array = value_pointer(choices);
	memcpy(at, &array, sizeof(array));
}

static uint64_t value_enum(struct fuzz_choices *choices, const struct fuzz_field *field)
{
	unsigned int value = fuzz_choose(choices) % (64 - __builtin_clzll(field->values));

	return value_rare(choices, 12) ? fuzz_number(choices, field->size) : value;
}

static uint64_t value_flags(struct fuzz_choices *choices, const struct fuzz_field *field)
{
	uint64_t value = fuzz_choose(choices) & field->values;

	/* Half of the calls have none. */
	if (fuzz_choose(choices) & 1)
		value = 0;
	return value_rare(choices, 12) ? value | 1ull << fuzz_choose(choices) % (8 * field->size) :
					 value;
}

static uint64_t value_of(struct fuzz_choices *choices, const struct fuzz_field *field)
{
	/* Of pages: a few, which the objects have. */
	if (field->kind == FUZZ_NUMBER && field->align >= PAGE && !value_rare(choices, 64))
		return (1 + fuzz_choose(choices) % 8) * (uint64_t)field->align;
	switch (field->kind) {
	case FUZZ_ZERO:
		return value_rare(choices, 6) ? fuzz_number(choices, field->size) : 0;
	case FUZZ_FLAGS:
		return value_flags(choices, field);
	case FUZZ_ENUM:
		return value_enum(choices, field);
	case FUZZ_POINTER:
		return value_pointer(choices);
	case FUZZ_ADDRESS:
		return value_address(choices);
	case FUZZ_MEMORY:
		return value_memory(choices);
	case FUZZ_VM:
	case FUZZ_QUEUE:
	case FUZZ_BO:
	case FUZZ_SYNCOBJ:
	case FUZZ_FD:
		if (value_rare(choices, 16))
			return fuzz_number(choices, field->size);
		return fuzz_pick(field->kind, fuzz_choose(choices));
	}
	return fuzz_number(choices, field->size);
}

void fuzz_fill(struct fuzz_choices *choices, const struct fuzz_struct *type, uint8_t *at)
{
	unsigned int i;

	for (i = 0; i < type->count; i++) {
		const struct fuzz_field *field = &type->fields[i];
		uint64_t value;

		if (field->kind == FUZZ_ARRAY) {
			value_array(choices, field, at + field->offset);
			continue;
		}
		if ((field->out && !value_rare(choices, 4)) ||
		    (field->optional && fuzz_choose(choices) & 1))
			continue;
		value = value_of(choices, field);
		if (field->align > 1 && !value_rare(choices, 12))
			value &= ~(uint64_t)(field->align - 1);
		memcpy(at + field->offset, &value, field->size);
	}
}

/* An operand of a kind that the command takes. */
static struct faa_operand value_operand(struct fuzz_choices *choices, unsigned int kinds,
					unsigned int type)
{
	struct faa_operand operand = { .type = type };
	unsigned int kind = fuzz_choose(choices) % 8;

	while (kinds && !(kinds >> kind & 1))
		kind = (kind + 1) % 8;
	operand.kind = kinds ? kind : 0;
	operand.reg = fuzz_choose(choices) & ~1;
	operand.stride = fuzz_choose(choices) % 3 * 4;
	operand.value = fuzz_choose(choices) % 4 ? FUZZ_VA + 0x8000 + fuzz_choose(choices) * 8 :
						   fuzz_number(choices, 8);
	operand.step = fuzz_choose(choices) % 4 * 4;
	return operand;
}

/* A vector command of the command description, with few elements, so that a job is short. */
static unsigned int value_vector(struct fuzz_choices *choices, unsigned int opcode, uint64_t *words)
{
	const struct faa_command_info *info = &faa_commands[opcode];
	struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct faa_vector v = { .opcode = opcode, .count = 1 + fuzz_choose(choices) };
	unsigned int op = info->op_count ? fuzz_choose(choices) % info->op_count : 0;
	unsigned int type = fuzz_choose(choices) % 16, i;

	for (i = 0; i < 16 && !(info->types[op] >> type & 1); i++)
		type = (type + 1) % 16;
	v.op = op;
	v.type = type;
	v.mod = info->mod_max ? fuzz_choose(choices) % (info->mod_max + 1) : 0;
	if (info->access) {
		v.scope = fuzz_choose(choices) % 3;
		v.order = fuzz_choose(choices) % 5;
		v.strong = info->strong;
	}
	v.a = value_operand(choices, info->kinds[0], type);
	if (!(info->b_ops_absent >> op & 1))
		v.b = value_operand(choices, info->kinds[1], type);
	if (info->c_ops >> op & 1)
		v.c = value_operand(choices, info->kinds[2], type);
	v.d = value_operand(choices, info->kinds[3], type);
	issue.write_barrier = fuzz_choose(choices) % 8;
	issue.wait_mask = fuzz_choose(choices) % 2 ? 0x3f : 0;
	return faa_encode_vector(words, &issue, &v);
}

void fuzz_stream(struct fuzz_choices *choices, uint64_t *words)
{
	const struct faa_issue issue = FAA_ISSUE_DEFAULT;
	unsigned int commands = fuzz_choose(choices) % 5, n = 0, opcode, i;

	while (commands-- && n < FUZZ_SLOT_BYTES / 8 - 32) {
		opcode = fuzz_choose(choices) % 64;
		for (i = 0; i < 256 && !faa_commands[opcode].name; i++)
			opcode = (opcode + 1) % 256;
		if (faa_commands[opcode].vector) {
			n += value_vector(choices, opcode, words + n);
			continue;
		}
		/* A control command: a header of the right length, and any words. */
		words[n] = faa_encode_header(opcode, faa_commands[opcode].words, &issue,
					     fuzz_choose(choices) % 4, 0, 0);
		for (i = 1; i < faa_commands[opcode].words; i++)
			words[n + i] = fuzz_choose(choices) % 2 ? value_address(choices) :
								  fuzz_number(choices, 8);
		n += faa_commands[opcode].words;
	}
	n += faa_encode_end(words + n, &issue);
	if (value_rare(choices, 24))
		words[fuzz_choose(choices) % n] ^= 1ull << fuzz_choose(choices) % 64;
}
