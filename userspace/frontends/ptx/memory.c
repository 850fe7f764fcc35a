// SPDX-License-Identifier: MIT
/* Instructions that name memory, and fences: order, scope, space, operation, type. */
#include <errno.h>
#include <string.h>

#include "parse.h"

static const char *name_of(const struct ptx_instruction *instruction)
{
	return ptx_memories[instruction->which].name;
}

/* Orders that an instruction of the language has nowhere, or not here. */
static int check_sem(struct ptx_parse *parse, const struct ptx_word *word,
		     const struct ptx_instruction *instruction, unsigned int sem)
{
	const struct ptx_memory_info *info = &ptx_memories[instruction->which];

	if (!(info->sems >> sem & 1))
		return ptx_fail(parse, word->mark, "%s has no order .%s", info->name,
				ptx_sems[sem]);
	return ptx_since(parse, word, info->since[sem]);
}

static int take_sem(struct ptx_parse *parse, struct ptx_opcode *opcode,
		    struct ptx_instruction *instruction, bool *written)
{
	const struct ptx_word *word = ptx_modifier(opcode);
	int sem = word ? ptx_find(word, ptx_sems) : -1;

	*written = sem >= 0;
	instruction->sem =
		(uint8_t)(sem < 0 ? ptx_memories[instruction->which].meant : (unsigned int)sem);
	if (sem < 0)
		return 0;
	opcode->next++;
	return check_sem(parse, word, instruction, (unsigned int)sem);
}

static int take_scope(struct ptx_parse *parse, struct ptx_opcode *opcode,
		      struct ptx_instruction *instruction, bool *written)
{
	const struct ptx_word *word = ptx_modifier(opcode);
	unsigned int i;

	*written = false;
	for (i = 0; word && i < PTX_AT_COUNT; i++) {
		if (!ptx_is(word, ptx_scopes[i].name))
			continue;
		*written = true;
		instruction->scope = (uint8_t)i;
		opcode->next++;
		return ptx_since(parse, word, ptx_scopes[i].since);
	}
	return 0;
}

static int take_space(struct ptx_parse *parse, struct ptx_opcode *opcode,
		      struct ptx_instruction *instruction)
{
	static const char *const shared[] = { "shared", "shared::cta", "shared::cluster", NULL };
	static const char *const others[] = { "const", "local", "tex", NULL };
	const struct ptx_word *word = ptx_modifier(opcode);

	instruction->space = PTX_IN_GENERIC;
	if (!word)
		return 0;
	if (ptx_is(word, "global"))
		instruction->space = PTX_IN_GLOBAL;
	else if (ptx_find(word, shared) >= 0)
		instruction->space = PTX_IN_SHARED;
	else if (ptx_is(word, "param") && instruction->which == PTX_TO_LD)
		instruction->space = PTX_IN_PARAM;
	else if (ptx_is(word, "param"))
		return ptx_fail(parse, word->mark,
				"parameters of a kernel are read with ld.param alone");
	else if (ptx_find(word, others) >= 0)
		return ptx_fail(parse, word->mark,
				"state space .%.*s: the device has .global and .shared memory",
				ptx_shown(word), word->text);
	else
		return 0;
	opcode->next++;
	return 0;
}

/* Modifiers that the language has and the device has not. */
static int refuse_others(struct ptx_parse *parse, const struct ptx_opcode *opcode)
{
	static const char *const vectors[] = { "v2", "v4", "v8", NULL };
	const struct ptx_word *word = ptx_modifier(opcode);

	if (!word)
		return 0;
	if (ptx_find(word, vectors) >= 0)
		return ptx_fail(parse, word->mark,
				".%.*s: vectors are written as one access for each item here",
				ptx_shown(word), word->text);
	if (ptx_is(word, "mmio"))
		return ptx_fail(parse, word->mark,
				".mmio: the device has no memory-mapped I/O of others");
	if (word->size > 7 && !memcmp(word->text, "level::", 7))
		return ptx_fail(parse, word->mark,
				".%.*s: hints of caches with an operand are not known here",
				ptx_shown(word), word->text);
	return 0;
}

/* ---------------------------------------------------------------------------------------------------------------
 * ld, st
 */

/* .sem and .scope go together. */
static int take_strength(struct ptx_parse *parse, struct ptx_opcode *opcode,
			 struct ptx_instruction *instruction)
{
	const struct ptx_word *first = ptx_modifier(opcode);
	bool ordered, scoped;
	int ret = take_sem(parse, opcode, instruction, &ordered);

	if (!ret)
		ret = take_scope(parse, opcode, instruction, &scoped);
	if (ret)
		return ret;
	if (instruction->sem == PTX_IS_WEAK || instruction->sem == PTX_IS_VOLATILE) {
		if (scoped)
			return ptx_fail(
				parse, opcode->modifiers[opcode->next - 1].mark,
				"%s.%s has no scope%s", name_of(instruction),
				ptx_sems[instruction->sem],
				ordered ? "" : "; an order such as .relaxed stands before a scope");
	} else if (!scoped) {
		return ptx_fail(parse, first->mark,
				"%s.%s needs a scope: .cta, .cluster, .gpu or .sys",
				name_of(instruction), ptx_sems[instruction->sem]);
	}
	if (instruction->sem == PTX_IS_VOLATILE) {
		instruction->sem = PTX_IS_RELAXED;
		instruction->scope = PTX_AT_SYS;
	}
	return 0;
}

/* How caches are to treat it: weak accesses may have such a hint, which changes nothing here. */
static int take_cache(struct ptx_parse *parse, struct ptx_opcode *opcode,
		      const struct ptx_instruction *instruction)
{
	const struct ptx_word *word = ptx_modifier(opcode);

	if (!word || ptx_find(word, ptx_memories[instruction->which].caches) < 0)
		return 0;
	if (instruction->sem != PTX_IS_WEAK)
		return ptx_fail(parse, word->mark,
				".%.*s: weak accesses alone have a cache operator", ptx_shown(word),
				word->text);
	if (ptx_is(word, "nc") && instruction->space != PTX_IN_GLOBAL)
		return ptx_fail(parse, word->mark, ".nc is for .global");
	opcode->next++;
	return 0;
}

static int check_parameter(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			   const struct ptx_instruction *instruction)
{
	if (instruction->space != PTX_IN_PARAM || instruction->sem == PTX_IS_WEAK)
		return 0;
	return ptx_fail(parse, opcode->modifiers[0].mark, "ld.param is weak");
}

/* A parameter is read as what it is. */
static int check_width(struct ptx_parse *parse, const struct ptx_opcode *opcode,
		       const struct ptx_instruction *instruction)
{
	const struct ptx_symbol *symbol;

	if (instruction->space != PTX_IN_PARAM)
		return 0;
	symbol = &parse->code->symbols[instruction->operands[1].index];
	if (ptx_types[symbol->type].bits == ptx_types[instruction->type].bits)
		return 0;
	return ptx_fail(parse, opcode->modifiers[opcode->count - 1].mark,
			"parameter '%s' has %u bits",
			ptx_names_text(&parse->code->names, symbol->name),
			ptx_types[symbol->type].bits);
}

static int load_store(struct ptx_parse *parse, struct ptx_opcode *opcode,
		      struct ptx_instruction *instruction)
{
	struct ptx_wanted wanted = { .wider = true,
				     .destination = instruction->which == PTX_TO_LD };
	int ret = take_strength(parse, opcode, instruction);

	if (!ret)
		ret = take_space(parse, opcode, instruction);
	if (!ret)
		ret = check_parameter(parse, opcode, instruction);
	if (!ret)
		ret = take_cache(parse, opcode, instruction);
	if (!ret)
		ret = refuse_others(parse, opcode);
	if (!ret)
		ret = ptx_type_modifier(parse, opcode, ptx_memories[instruction->which].types,
					&instruction->type);
	if (!ret)
		ret = ptx_no_more(parse, opcode);
	if (!ret && instruction->space == PTX_IN_SHARED && instruction->sem != PTX_IS_WEAK &&
	    ptx_types[instruction->type].bits < 32)
		ret = ptx_fail(parse, opcode->modifiers[opcode->count - 1].mark,
			       "strong accesses to shared memory have 32 or 64 bits on the device");
	wanted.type = instruction->type;
	if (!ret && wanted.destination) {
		ret = ptx_operand(parse, &wanted, &instruction->operands[0]);
		if (!ret)
			ret = ptx_expect(parse, ',', "behind the destination");
	}
	if (!ret)
		ret = ptx_address(parse, instruction->space, &instruction->operands[1]);
	if (!ret)
		ret = check_width(parse, opcode, instruction);
	if (ret || wanted.destination)
		return ret;
	ret = ptx_expect(parse, ',', "behind the address");
	return ret ? ret : ptx_operand(parse, &wanted, &instruction->operands[2]);
}

/* ---------------------------------------------------------------------------------------------------------------
 * atom, red
 */

static int take_operation(struct ptx_parse *parse, struct ptx_opcode *opcode,
			  struct ptx_instruction *instruction)
{
	const struct ptx_word *word = ptx_modifier(opcode);
	bool red = instruction->which == PTX_TO_RED;
	unsigned int i;

	for (i = 0; word && i < PTX_DO_COUNT; i++)
		if (ptx_is(word, ptx_atomics[i].name))
			break;
	if (!word || i == PTX_DO_COUNT)
		return ptx_missing(parse, opcode, "an operation");
	if (red && !ptx_atomics[i].red)
		return ptx_fail(parse, word->mark,
				"red has no operation .%s, which nobody needs without its result",
				ptx_atomics[i].name);
	instruction->atomic = (uint8_t)i;
	opcode->next++;
	return 0;
}

/* .noftz, which types that have it must have, and types that the device lacks. */
static int take_atomic_type(struct ptx_parse *parse, struct ptx_opcode *opcode,
			    struct ptx_instruction *instruction)
{
	const struct ptx_atomic_info *info = &ptx_atomics[instruction->atomic];
	const struct ptx_word *noftz = ptx_modifier(opcode);
	const struct ptx_word *word;
	uint32_t has = instruction->space == PTX_IN_SHARED ? info->shared : info->global;
	int ret;

	if (noftz && ptx_is(noftz, "noftz"))
		opcode->next++;
	else
		noftz = NULL;
	ret = refuse_others(parse, opcode);
	if (!ret)
		ret = ptx_type_modifier(parse, opcode, info->types, &instruction->type);
	if (ret)
		return ret;
	word = &opcode->modifiers[opcode->next - 1];
	if (!noftz && info->noftz >> instruction->type & 1)
		return ptx_fail(parse, word->mark, "%s.%s of .%s needs .noftz before the type",
				name_of(instruction), info->name,
				ptx_types[instruction->type].name);
	if (noftz && !(info->noftz >> instruction->type & 1))
		return ptx_fail(parse, noftz->mark, "%s.%s of .%s has no .noftz",
				name_of(instruction), info->name,
				ptx_types[instruction->type].name);
	if (!(has >> instruction->type & 1))
		return ptx_fail(parse, word->mark, "the device has no %s on .%s in %s memory",
				info->name, ptx_types[instruction->type].name,
				instruction->space == PTX_IN_SHARED ? "shared" : "global");
	return ptx_since(parse, word, info->since[instruction->type]);
}

static int atomic_operands(struct ptx_parse *parse, struct ptx_instruction *instruction)
{
	const struct ptx_atomic_info *info = &ptx_atomics[instruction->atomic];
	struct ptx_wanted result = { .type = instruction->type, .destination = true, .sink = true };
	struct ptx_wanted value = { .type = instruction->type };
	unsigned int i;
	int ret = 0;

	if (ptx_is_float(instruction->type) && instruction->type != PTX_F32 &&
	    instruction->type != PTX_F64)
		value.no_constant = "there are no constants of this type";
	if (instruction->which == PTX_TO_ATOM) {
		ret = ptx_operand(parse, &result, &instruction->operands[0]);
		if (!ret)
			ret = ptx_expect(parse, ',', "behind the destination");
	}
	if (!ret)
		ret = ptx_address(parse, instruction->space, &instruction->operands[1]);
	for (i = 0; !ret && i < info->args; i++) {
		ret = ptx_expect(parse, ',', "before the next operand");
		if (!ret)
			ret = ptx_operand(parse, &value, &instruction->operands[2 + i]);
	}
	return ret;
}

static int atomic(struct ptx_parse *parse, struct ptx_opcode *opcode,
		  struct ptx_instruction *instruction)
{
	bool written;
	int ret;

	instruction->scope = PTX_AT_GPU;
	ret = take_sem(parse, opcode, instruction, &written);
	if (!ret)
		ret = take_scope(parse, opcode, instruction, &written);
	if (!ret)
		ret = take_space(parse, opcode, instruction);
	if (!ret)
		ret = take_operation(parse, opcode, instruction);
	if (!ret)
		ret = take_atomic_type(parse, opcode, instruction);
	if (!ret)
		ret = ptx_no_more(parse, opcode);
	return ret ? ret : atomic_operands(parse, instruction);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Fences
 */

static int fence(struct ptx_parse *parse, struct ptx_opcode *opcode,
		 struct ptx_instruction *instruction)
{
	const struct ptx_word *first = ptx_modifier(opcode);
	bool written, scoped = false;
	int ret;

	if (first && (ptx_is(first, "proxy") || ptx_is(first, "mbarrier_init") ||
		      (first->size > 5 && !memcmp(first->text, "proxy", 5))))
		return ptx_fail(
			parse, first->mark,
			"fence.%.*s: the device has one way to its memory, and no objects of barriers in it",
			ptx_shown(first), first->text);
	ret = take_sem(parse, opcode, instruction, &written);
	if (!ret)
		ret = take_scope(parse, opcode, instruction, &scoped);
	if (!ret && !scoped)
		ret = ptx_missing(parse, opcode, "a scope (.cta, .cluster, .gpu or .sys)");
	return ret ? ret : ptx_no_more(parse, opcode);
}

static int membar(struct ptx_parse *parse, struct ptx_opcode *opcode,
		  struct ptx_instruction *instruction)
{
	const struct ptx_word *word = ptx_modifier(opcode);
	unsigned int i;

	for (i = 0; word && i < PTX_LEVEL_COUNT; i++) {
		if (!ptx_is(word, ptx_levels[i].name))
			continue;
		instruction->which = PTX_TO_FENCE;
		instruction->sem = PTX_IS_SC;
		instruction->scope = (uint8_t)ptx_levels[i].scope;
		opcode->next++;
		return ptx_no_more(parse, opcode);
	}
	return ptx_missing(parse, opcode, "a level (.cta, .gl or .sys)");
}

int ptx_memory(struct ptx_parse *parse, struct ptx_opcode *opcode,
	       struct ptx_instruction *instruction)
{
	switch (instruction->which) {
	case PTX_TO_ATOM:
	case PTX_TO_RED:
		return atomic(parse, opcode, instruction);
	case PTX_TO_LD:
	case PTX_TO_ST:
		return load_store(parse, opcode, instruction);
	case PTX_TO_FENCE:
		return fence(parse, opcode, instruction);
	default:
		return membar(parse, opcode, instruction);
	}
}
