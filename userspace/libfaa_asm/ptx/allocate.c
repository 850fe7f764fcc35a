// SPDX-License-Identifier: MIT
/*
 * Register allocation. Without branches a register is live from the first instruction that names it
 * to the last one. With branches all registers are live throughout.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"

/* Live ranges are instruction numbers; environment inputs are at BEFORE, outputs at ptx_after(). */
#define BEFORE	(-1)
#define NOWHERE INT64_MAX

struct range {
	int64_t first, last;
	uint32_t index;
};

struct allocation {
	struct ptx_emit *emit;
	struct range *ranges;
	/* The last use of each register and predicate of the device so far; BEFORE - 1: none. */
	int64_t busy[FAA_REGISTERS], predicate_busy[FAA_PREDICATES];
};

/* ------------------------------------------------------------------------------------------------
 * Live ranges
 */

static void allocate_touch(struct range *range, int64_t at)
{
	if (range->first == NOWHERE)
		range->first = at;
	if (at > range->last)
		range->last = at;
}

/* A register that is read before it is written is cleared first. */
static void allocate_touch_source(struct allocation *a, uint32_t index, int64_t at)
{
	struct range *range = &a->ranges[index];

	if (range->first == NOWHERE) {
		a->emit->clear[index] = true;
		range->first = BEFORE;
	}
	allocate_touch(range, at);
}

static bool allocate_is_destination(const struct ptx_instruction *instruction, unsigned int operand)
{
	if (instruction->memory)
		return operand == 0;
	return operand == 0 ||
	       (operand == 3 && ptx_plains[instruction->which].lowering == PTX_LOWER_COMPARE);
}

static void allocate_scan_instruction(struct allocation *a,
				      const struct ptx_instruction *instruction, int64_t at)
{
	unsigned int i;

	if (instruction->guarded)
		allocate_touch_source(a, instruction->guard, at);
	for (i = 0; i < 4; i++)
		if (instruction->operands[i].kind == PTX_OPERAND_REGISTER &&
		    !allocate_is_destination(instruction, i))
			allocate_touch_source(a, instruction->operands[i].index, at);
	for (i = 0; i < 4; i++) {
		if (instruction->operands[i].kind != PTX_OPERAND_REGISTER ||
		    !allocate_is_destination(instruction, i))
			continue;
		if (instruction->guarded)
			allocate_touch_source(a, instruction->operands[i].index, at);
		else
			allocate_touch(&a->ranges[instruction->operands[i].index], at);
	}
}

static bool allocate_has_branch(const struct ptx_code *code, const struct ptx_kernel *kernel)
{
	size_t i;

	for (i = kernel->first; i < kernel->first + kernel->count; i++)
		if (ptx_is_jump(code, i))
			return true;
	return false;
}

/* The position after the last instruction. */
static int64_t ptx_after(const struct allocation *a)
{
	return (int64_t)(a->emit->kernel->first + a->emit->kernel->count);
}

/* Inputs are live from the beginning, outputs to the end. An output that is never written is 0. */
static void allocate_scan_environment(struct allocation *a, const struct faa_asm_value *values,
				      size_t count, bool inputs)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct ptx_found found = ptx_find_name(a->emit->code, values[i].name);

		if (found.kind != PTX_FOUND_REGISTER)
			continue;
		if (inputs)
			allocate_touch(&a->ranges[found.index], BEFORE);
		else
			allocate_touch_source(a, found.index, ptx_after(a));
	}
}

static void allocate_scan(struct allocation *a)
{
	const struct faa_asm_environment *environment = a->emit->environment;
	const struct ptx_code *code = a->emit->code;
	const struct ptx_kernel *kernel = a->emit->kernel;
	bool branches = allocate_has_branch(code, kernel);
	size_t i;

	for (i = 0; i < code->register_count; i++)
		a->ranges[i] = (struct range){ NOWHERE, BEFORE, (uint32_t)i };
	allocate_scan_environment(a, environment->inputs, environment->input_count, true);
	for (i = kernel->first; i < kernel->first + kernel->count; i++)
		allocate_scan_instruction(a, &code->instructions[i], (int64_t)i);
	allocate_scan_environment(a, environment->outputs, environment->output_count, false);
	for (i = 0; branches && i < code->register_count; i++) {
		if (a->ranges[i].first == NOWHERE)
			continue;
		a->emit->clear[i] |= a->ranges[i].first != BEFORE;
		a->ranges[i].first = BEFORE;
		a->ranges[i].last = ptx_after(a);
	}
}

/* ------------------------------------------------------------------------------------------------
 * Assignment
 */

static int allocate_too_many(const struct allocation *a, const struct range *range,
			     const char *what, unsigned int most)
{
	const struct ptx_code *code = a->emit->code;
	const struct ptx_instruction *instruction = range->first >= 0 &&
								    range->first < ptx_after(a) ?
							    &code->instructions[range->first] :
							    NULL;

	return faa_asm_fail(a->emit->error, instruction ? instruction->line : 0,
			    instruction ? instruction->column : 0,
			    "there is no room for '%s': more than %u %s are in use at a time",
			    ptx_names_text(&code->names, code->registers[range->index].name), most,
			    what);
}

static int allocate_place_predicate(struct allocation *a, const struct range *range)
{
	unsigned int i, most = a->emit->sparse ? PTX_NEGATED : FAA_PREDICATES;

	for (i = 0; i < most; i++) {
		if (a->predicate_busy[i] >= range->first)
			continue;
		a->predicate_busy[i] = range->last;
		a->emit->where[range->index] = (uint8_t)i;
		a->emit->predicates |= 1u << i;
		return 0;
	}
	return allocate_too_many(a, range, "predicates", most);
}

static int allocate_place_register(struct allocation *a, const struct range *range)
{
	unsigned int i, size = ptx_register_bits(a->emit->code, range->index) == 64 ? 2 : 1;

	for (i = 0; i + size <= PTX_TEMP; i += size) {
		if (a->busy[i] >= range->first || a->busy[i + size - 1] >= range->first)
			continue;
		a->busy[i] = range->last;
		a->busy[i + size - 1] = range->last;
		a->emit->where[range->index] = (uint8_t)i;
		return 0;
	}
	return allocate_too_many(a, range, "32-bit registers", PTX_TEMP);
}

static int allocate_by_first(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static int allocate_place(struct allocation *a)
{
	const struct ptx_code *code = a->emit->code;
	size_t i;
	int ret = 0;

	for (i = 0; i < FAA_REGISTERS; i++)
		a->busy[i] = BEFORE - 1;
	for (i = 0; i < FAA_PREDICATES; i++)
		a->predicate_busy[i] = BEFORE - 1;
	qsort(a->ranges, code->register_count, sizeof(*a->ranges), allocate_by_first);
	for (i = 0; !ret && i < code->register_count && a->ranges[i].first != NOWHERE; i++) {
		if (code->registers[a->ranges[i].index].type == PTX_PRED)
			ret = allocate_place_predicate(a, &a->ranges[i]);
		else
			ret = allocate_place_register(a, &a->ranges[i]);
	}
	return ret;
}

int ptx_allocate(struct ptx_emit *emit)
{
	struct allocation a = { .emit = emit };
	int ret;

	memset(emit->where, PTX_UNUSED, emit->code->register_count);
	a.ranges = calloc(emit->code->register_count + 1, sizeof(*a.ranges));
	if (!a.ranges)
		return -ENOMEM;
	allocate_scan(&a);
	ret = allocate_place(&a);
	free(a.ranges);
	return ret;
}
