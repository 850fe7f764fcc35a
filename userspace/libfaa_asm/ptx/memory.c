// SPDX-License-Identifier: MIT
/*
 * Memory instructions and fences. Modifiers are a set: ptxas accepts them in any order.
 */
#include <errno.h>
#include <string.h>

#include "parse.h"

/* Kinds of modifiers. An instruction has at most one of each. */
enum ptx_says {
	PTX_SAYS_SEM,
	PTX_SAYS_SCOPE,
	PTX_SAYS_SPACE,
	PTX_SAYS_OPERATION,
	PTX_SAYS_TYPE,
	PTX_SAYS_CACHE,
	PTX_SAYS_NC,
	PTX_SAYS_L1,
	PTX_SAYS_L2,
	PTX_SAYS_VECTOR,
	PTX_SAYS_NOFTZ,
	PTX_SAYS_MMIO,
	PTX_SAYS_HINT,
	PTX_SAYS_COUNT,
};

static const char *const ptx_says[] = {
	[PTX_SAYS_SEM] = "orders",
	[PTX_SAYS_SCOPE] = "scopes",
	[PTX_SAYS_SPACE] = "state spaces",
	[PTX_SAYS_OPERATION] = "operations",
	[PTX_SAYS_TYPE] = "types",
	[PTX_SAYS_CACHE] = "cache operators",
	[PTX_SAYS_NC] = "cache operators",
	[PTX_SAYS_L1] = "hints for the level-1 cache",
	[PTX_SAYS_L2] = "hints for the level-2 cache",
	[PTX_SAYS_VECTOR] = "vectors",
	[PTX_SAYS_NOFTZ] = "treatments of denormals",
	[PTX_SAYS_MMIO] = "kinds of access",
	[PTX_SAYS_HINT] = "cache policies",
};

/*
 * The modifiers of an instruction by kind: the word, NULL if absent; and its number within the
 * kind.
 */
struct ptx_modifiers {
	const struct ptx_word *word[PTX_SAYS_COUNT];
	int value[PTX_SAYS_COUNT];
};

static const char *memory_name_of(const struct ptx_instruction *instruction)
{
	return ptx_memories[instruction->which].name;
}

/* ------------------------------------------------------------------------------------------------
 * Kinds of modifiers
 */

static int ptx_scope_find(const struct ptx_word *word)
{
	int i;

	for (i = 0; i < PTX_AT_COUNT; i++)
		if (ptx_is(word, ptx_scopes[i].name))
			return i;
	return -1;
}

/* enum ptx_space, or PTX_IN_COUNT for local memory, which the device lacks. */
static int ptx_space_find(const struct ptx_word *word)
{
	static const struct {
		const char *name;
		int space;
	} spaces[] = {
		{ "global", PTX_IN_GLOBAL },	  { "shared", PTX_IN_SHARED },
		{ "shared::cta", PTX_IN_SHARED }, { "shared::cluster", PTX_IN_SHARED },
		{ "const", PTX_IN_CONST },	  { "param", PTX_IN_PARAM },
		{ "param::entry", PTX_IN_PARAM }, { "local", PTX_IN_COUNT },
	};
	size_t i;

	for (i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
		if (ptx_is(word, spaces[i].name))
			return spaces[i].space;
	return -1;
}

static int ptx_operation_find(const struct ptx_word *word)
{
	int i;

	for (i = 0; i < PTX_DO_COUNT; i++)
		if (ptx_is(word, ptx_atomics[i].name))
			return i;
	return -1;
}

static int ptx_vector_find(const struct ptx_word *word)
{
	static const char *const vectors[] = { "v2", "v4", "v8", NULL };
	int found = ptx_find(word, vectors);

	return found < 0 ? -1 : 2 << found;
}

/* The kind of a modifier, and its number in @value; -1: not a modifier of memory instructions. */
static int ptx_says_what(const struct ptx_word *word, unsigned int which, int *value)
{
	static const char *const single[] = {
		"nc", "noftz", "mmio", "level::cache_hint", "L2::cache_hint", NULL
	};
	static const enum ptx_says says[] = { PTX_SAYS_NC, PTX_SAYS_NOFTZ, PTX_SAYS_MMIO,
					      PTX_SAYS_HINT, PTX_SAYS_HINT };
	const struct {
		enum ptx_says says;
		int value;
	} found[] = {
		{ PTX_SAYS_SEM, ptx_find(word, ptx_sems) },
		{ PTX_SAYS_SCOPE, ptx_scope_find(word) },
		{ PTX_SAYS_SPACE, ptx_space_find(word) },
		{ PTX_SAYS_OPERATION, ptx_operation_find(word) },
		{ PTX_SAYS_TYPE, ptx_type(word) },
		{ PTX_SAYS_CACHE, ptx_find(word, ptx_memories[which].caches) },
		{ PTX_SAYS_L1, ptx_find(word, ptx_l1_hints) },
		{ PTX_SAYS_L2, ptx_find(word, ptx_l2_hints) },
		{ PTX_SAYS_VECTOR, ptx_vector_find(word) },
	};
	size_t i;

	for (i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
		*value = found[i].value;
		if (*value >= 0)
			return (int)found[i].says;
	}
	*value = ptx_find(word, single);
	return *value < 0 ? -1 : (int)says[*value];
}

/* Sorts all modifiers by kind; @allowed has a bit for each kind that the instruction may have. */
static int ptx_sort_modifiers(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			      const struct ptx_instruction *instruction, uint32_t allowed,
			      struct ptx_modifiers *modifiers)
{
	unsigned int i;
	int value;

	*modifiers = (struct ptx_modifiers){ 0 };
	for (i = 0; i < opcode->count; i++) {
		const struct ptx_word *word = &opcode->modifiers[i], *before;
		int says = ptx_says_what(word, instruction->which, &value);

		if (says < 0 || !(allowed >> says & 1))
			return ptx_fail(parse, word->mark, "%s has no modifier .%.*s",
					memory_name_of(instruction), ptx_shown(word), word->text);
		before = modifiers->word[says];
		if (before)
			return ptx_fail(parse, word->mark,
					"%s has one of the %s, not .%.*s and .%.*s",
					memory_name_of(instruction), ptx_says[says],
					ptx_shown(before), before->text, ptx_shown(word),
					word->text);
		modifiers->word[says] = word;
		modifiers->value[says] = value;
	}
	return 0;
}

static int ptx_lacks_modifier(const struct ptx_parse *parse, const struct ptx_opcode *opcode,
			      const char *what)
{
	return ptx_fail(parse, opcode->name.mark, "%.*s: %s is missing", ptx_shown(&opcode->name),
			opcode->name.text, what);
}

/* ------------------------------------------------------------------------------------------------
 * Order and scope
 */

static int ptx_take_sem(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
			struct ptx_instruction *instruction)
{
	const struct ptx_memory_info *info = &ptx_memories[instruction->which];
	const struct ptx_word *word = modifiers->word[PTX_SAYS_SEM];
	unsigned int sem = word ? (unsigned int)modifiers->value[PTX_SAYS_SEM] : info->meant;

	instruction->sem = (uint8_t)sem;
	if (!word)
		return 0;
	if (!(info->sems >> sem & 1))
		return ptx_fail(parse, word->mark, "%s has no order .%s", info->name,
				ptx_sems[sem]);
	return ptx_since(parse, word, info->since[sem]);
}

/* The scope, or @meant if there is none. */
static int ptx_take_scope(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
			  struct ptx_instruction *instruction, enum ptx_scope meant)
{
	const struct ptx_word *word = modifiers->word[PTX_SAYS_SCOPE];

	instruction->scope = (uint8_t)(word ? modifiers->value[PTX_SAYS_SCOPE] : (int)meant);
	return word ? ptx_since(parse, word, ptx_scopes[instruction->scope].since) : 0;
}

/* .local is stored as generic; ptx_check_device() rejects it after all checks for legal PTX. */
static void ptx_take_space(const struct ptx_modifiers *modifiers,
			   struct ptx_instruction *instruction)
{
	int space = modifiers->value[PTX_SAYS_SPACE];

	instruction->space = PTX_IN_GENERIC;
	if (modifiers->word[PTX_SAYS_SPACE] && space < PTX_IN_COUNT)
		instruction->space = (uint8_t)space;
}

/* ------------------------------------------------------------------------------------------------
 * ld, st
 */

/* .relaxed, .acquire and .release need a scope, .weak and .volatile have none. */
static int ptx_check_strength(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			      const struct ptx_modifiers *modifiers,
			      const struct ptx_instruction *instruction)
{
	const struct ptx_word *sem = modifiers->word[PTX_SAYS_SEM],
			      *scope = modifiers->word[PTX_SAYS_SCOPE];
	bool strong = instruction->sem != PTX_IS_WEAK && instruction->sem != PTX_IS_VOLATILE;

	if (scope && !strong)
		return ptx_fail(parse, scope->mark, "%s.%s has no scope%s",
				memory_name_of(instruction), ptx_sems[instruction->sem],
				sem ? "" : "; with an order such as .relaxed it has one");
	if (strong && !scope)
		return ptx_fail(parse, sem ? sem->mark : opcode->name.mark,
				"%s.%s needs a scope: .cta, .cluster, .gpu or .sys",
				memory_name_of(instruction), ptx_sems[instruction->sem]);
	return 0;
}

/* State spaces: constants and parameters are read-only, and accessed weakly. */
static int ptx_check_space(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
			   const struct ptx_instruction *instruction)
{
	const struct ptx_word *word = modifiers->word[PTX_SAYS_SPACE];
	int space = modifiers->value[PTX_SAYS_SPACE];
	bool load = instruction->which == PTX_TO_LD;

	if (!word || space == PTX_IN_GLOBAL || space == PTX_IN_SHARED)
		return 0;
	if (space == PTX_IN_PARAM && !load)
		return ptx_fail(parse, word->mark,
				"parameters of a kernel are read with ld.param alone");
	if (space == PTX_IN_CONST && !load)
		return ptx_fail(parse, word->mark, "constants are read with ld.const alone");
	if (instruction->sem != PTX_IS_WEAK)
		return ptx_fail(parse, modifiers->word[PTX_SAYS_SEM]->mark, "%s.%.*s is weak",
				memory_name_of(instruction), ptx_shown(word), word->text);
	return 0;
}

/* Cache hints are checked, and have no effect. */
static int ptx_check_caches(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
			    const struct ptx_instruction *instruction)
{
	const struct ptx_word *cache = modifiers->word[PTX_SAYS_CACHE],
			      *nc = modifiers->word[PTX_SAYS_NC],
			      *l1 = modifiers->word[PTX_SAYS_L1],
			      *l2 = modifiers->word[PTX_SAYS_L2];
	bool global = instruction->space == PTX_IN_GLOBAL,
	     memory = global || instruction->space == PTX_IN_GENERIC;

	if (cache && instruction->sem != PTX_IS_WEAK)
		return ptx_fail(parse, cache->mark,
				".%.*s: weak accesses alone have a cache operator",
				ptx_shown(cache), cache->text);
	if (nc && !global)
		return ptx_fail(parse, nc->mark, ".nc is for .global");
	if (nc && modifiers->word[PTX_SAYS_SEM])
		return ptx_fail(parse, nc->mark, ".nc has no order, .%s too",
				ptx_sems[instruction->sem]);
	if (l1 && cache)
		return ptx_fail(parse, l1->mark, "there is a cache operator or a hint, not both");
	if ((l1 || l2) && !memory)
		return ptx_fail(parse, (l1 ? l1 : l2)->mark, "hints of caches are for .global");
	return 0;
}

/*
 * .mmio preserves the number of accesses, which is not observable in memory: it equals relaxed.sys.
 */
static int ptx_check_mmio(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
			  const struct ptx_instruction *instruction)
{
	const struct ptx_word *word = modifiers->word[PTX_SAYS_MMIO];

	if (!word)
		return 0;
	if (instruction->sem != PTX_IS_RELAXED || instruction->scope != PTX_AT_SYS ||
	    (instruction->space != PTX_IN_GLOBAL && instruction->space != PTX_IN_GENERIC) ||
	    modifiers->value[PTX_SAYS_SPACE] == PTX_IN_COUNT)
		return ptx_fail(parse, word->mark,
				".mmio goes with .relaxed.sys, of global memory");
	return ptx_since(parse, word, 82);
}

static int ptx_check_vector(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
			    const struct ptx_instruction *instruction)
{
	const struct ptx_word *word = modifiers->word[PTX_SAYS_VECTOR];
	unsigned int bits =
		ptx_types[instruction->type].bits * (unsigned int)modifiers->value[PTX_SAYS_VECTOR];

	if (word && (bits > 128 || modifiers->value[PTX_SAYS_VECTOR] > 4))
		return ptx_fail(parse, word->mark, "a vector has 2 or 4 items, and up to 128 bits");
	return 0;
}

static int ptx_take_type(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			 const struct ptx_modifiers *modifiers, uint32_t types,
			 struct ptx_instruction *instruction)
{
	const struct ptx_word *word = modifiers->word[PTX_SAYS_TYPE];
	char list[128];

	if (!word)
		return ptx_lacks_modifier(parse, opcode, "a type");
	instruction->type = (uint8_t)modifiers->value[PTX_SAYS_TYPE];
	if (types >> instruction->type & 1)
		return 0;
	return ptx_fail(parse, word->mark, "%s has no type .%s; allowed: %s",
			memory_name_of(instruction), ptx_types[instruction->type].name,
			ptx_type_list(types, list));
}

/* Legal PTX that the device lacks; checked after all errors in PTX. */
static int ptx_check_device(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
			    const struct ptx_instruction *instruction)
{
	const struct ptx_word *space = modifiers->word[PTX_SAYS_SPACE],
			      *type = modifiers->word[PTX_SAYS_TYPE],
			      *vector = modifiers->word[PTX_SAYS_VECTOR],
			      *hint = modifiers->word[PTX_SAYS_HINT];
	unsigned int bits = ptx_types[instruction->type].bits;

	if (space && modifiers->value[PTX_SAYS_SPACE] == PTX_IN_COUNT)
		return ptx_unsupported(parse, space->mark,
				       "the device has no local memory of a thread");
	if (vector)
		return ptx_unsupported(parse, vector->mark,
				       "vectors are written as one access for each item");
	if (hint)
		return ptx_unsupported(parse, hint->mark, "hints of caches with an operand");
	if (bits == 128)
		return ptx_unsupported(parse, type->mark, "the device has no accesses of 128 bits");
	if (instruction->space == PTX_IN_SHARED && instruction->sem != PTX_IS_WEAK && bits < 32 &&
	    (instruction->which == PTX_TO_LD || instruction->which == PTX_TO_ST))
		return ptx_unsupported(
			parse, type->mark,
			"strong accesses to shared memory have 32 or 64 bits on the device");
	return 0;
}

/* A parameter is read with its own type, a structure in pieces. */
static int ptx_check_width(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
			   const struct ptx_instruction *instruction)
{
	uint64_t bytes = ptx_types[instruction->type].bits / 8, at = instruction->operands[1].value;
	const struct faa_scan_mark mark = modifiers->word[PTX_SAYS_TYPE]->mark;
	const struct ptx_symbol *symbol;

	if (instruction->space != PTX_IN_PARAM)
		return 0;
	symbol = &parse->code->symbols[instruction->operands[1].index];
	if (at >> 31 || at + bytes > ptx_symbol_bytes(symbol))
		return ptx_fail(parse, mark, "parameter '%s' has %u bytes",
				ptx_names_text(&parse->code->names, symbol->name),
				(unsigned int)ptx_symbol_bytes(symbol));
	if (at % bytes)
		return ptx_fail(parse, mark, "byte %u of parameter '%s' is no place for .%s",
				(unsigned int)at, ptx_names_text(&parse->code->names, symbol->name),
				ptx_types[instruction->type].name);
	if (ptx_is_aggregate(symbol))
		return 0;
	if (ptx_types[symbol->type].bits == ptx_types[instruction->type].bits)
		return 0;
	return ptx_unsupported(parse, mark, "parameter '%s' has %u bits, and is read with as many",
			       ptx_names_text(&parse->code->names, symbol->name),
			       ptx_types[symbol->type].bits);
}

static int ptx_access_operands(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
			       struct ptx_instruction *instruction)
{
	struct ptx_wanted wanted = { .type = instruction->type,
				     .wider = true,
				     .destination = instruction->which == PTX_TO_LD };
	int ret = 0;

	if (wanted.destination) {
		ret = ptx_operand(parse, &wanted, &instruction->operands[0]);
		if (!ret)
			ret = ptx_expect(parse, ',', "after the destination");
	}
	if (!ret)
		ret = ptx_address(parse, instruction->space, &instruction->operands[1]);
	if (!ret)
		ret = ptx_check_width(parse, modifiers, instruction);
	if (ret || wanted.destination)
		return ret;
	ret = ptx_expect(parse, ',', "after the address");
	return ret ? ret : ptx_operand(parse, &wanted, &instruction->operands[2]);
}

static int ptx_load_store(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			  struct ptx_instruction *instruction)
{
	uint32_t allowed = 1u << PTX_SAYS_SEM | 1u << PTX_SAYS_SCOPE | 1u << PTX_SAYS_SPACE |
			   1u << PTX_SAYS_TYPE | 1u << PTX_SAYS_CACHE | 1u << PTX_SAYS_L1 |
			   1u << PTX_SAYS_VECTOR | 1u << PTX_SAYS_MMIO | 1u << PTX_SAYS_HINT;
	struct ptx_modifiers modifiers;
	int ret;

	if (instruction->which == PTX_TO_LD)
		allowed |= 1u << PTX_SAYS_NC | 1u << PTX_SAYS_L2;
	ret = ptx_sort_modifiers(parse, opcode, instruction, allowed, &modifiers);
	if (!ret)
		ret = ptx_take_sem(parse, &modifiers, instruction);
	if (!ret)
		ret = ptx_take_scope(parse, &modifiers, instruction, PTX_AT_SYS);
	if (!ret)
		ret = ptx_check_strength(parse, opcode, &modifiers, instruction);
	ptx_take_space(&modifiers, instruction);
	if (!ret)
		ret = ptx_check_space(parse, &modifiers, instruction);
	if (!ret)
		ret = ptx_check_caches(parse, &modifiers, instruction);
	if (!ret)
		ret = ptx_check_mmio(parse, &modifiers, instruction);
	if (!ret)
		ret = ptx_take_type(parse, opcode, &modifiers,
				    ptx_memories[instruction->which].types, instruction);
	if (!ret)
		ret = ptx_check_vector(parse, &modifiers, instruction);
	if (!ret)
		ret = ptx_check_device(parse, &modifiers, instruction);
	if (instruction->sem == PTX_IS_VOLATILE)
		instruction->sem = PTX_IS_RELAXED;
	return ret ? ret : ptx_access_operands(parse, &modifiers, instruction);
}

/* ------------------------------------------------------------------------------------------------
 * atom, red
 */

static int ptx_take_operation(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			      const struct ptx_modifiers *modifiers,
			      struct ptx_instruction *instruction)
{
	const struct ptx_word *word = modifiers->word[PTX_SAYS_OPERATION];

	if (!word)
		return ptx_lacks_modifier(parse, opcode, "an operation");
	instruction->atomic = (uint8_t)modifiers->value[PTX_SAYS_OPERATION];
	if (instruction->which == PTX_TO_RED && !ptx_atomics[instruction->atomic].red)
		return ptx_fail(parse, word->mark, "red has no operation .%s: use atom",
				ptx_atomics[instruction->atomic].name);
	return 0;
}

/* PTX also has vectors of small floating-point types, with MIN and MAX as well. */
static uint32_t ptx_atomic_types(const struct ptx_modifiers *modifiers,
				 const struct ptx_instruction *instruction)
{
	const uint32_t halves = 1u << PTX_F16 | 1u << PTX_F16X2 | 1u << PTX_BF16 | 1u << PTX_BF16X2;

	if (!modifiers->word[PTX_SAYS_VECTOR])
		return ptx_atomics[instruction->atomic].types;
	switch (instruction->atomic) {
	case PTX_DO_ADD:
		return halves | 1u << PTX_F32;
	case PTX_DO_MIN:
	case PTX_DO_MAX:
		return halves;
	default:
		return 0;
	}
}

/* .noftz is required for the types that have it, and not allowed for others. */
static int ptx_check_noftz(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
			   const struct ptx_instruction *instruction)
{
	const struct ptx_atomic_info *info = &ptx_atomics[instruction->atomic];
	const struct ptx_word *noftz = modifiers->word[PTX_SAYS_NOFTZ];
	bool needed = modifiers->word[PTX_SAYS_VECTOR] ? instruction->type != PTX_F32 :
							 info->noftz >> instruction->type & 1;

	if (needed == (noftz != NULL))
		return 0;
	return ptx_fail(parse, (noftz ? noftz : modifiers->word[PTX_SAYS_TYPE])->mark,
			noftz ? "%s.%s of .%s has no .noftz" : "%s.%s of .%s needs .noftz",
			memory_name_of(instruction), info->name, ptx_types[instruction->type].name);
}

/* Vectors of floating-point numbers in global memory: legal PTX that the device lacks. */
static int ptx_check_atomic_vector(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
				   const struct ptx_instruction *instruction)
{
	const struct ptx_word *word = modifiers->word[PTX_SAYS_VECTOR];
	unsigned int bits =
		ptx_types[instruction->type].bits * (unsigned int)modifiers->value[PTX_SAYS_VECTOR];

	if (!word)
		return 0;
	if (bits > 128 ||
	    (instruction->space != PTX_IN_GLOBAL && instruction->space != PTX_IN_GENERIC))
		return ptx_fail(
			parse, word->mark,
			"vectors of %s are of f16, bf16, f16x2, bf16x2 and f32, of up to 128 bits, in global memory",
			memory_name_of(instruction));
	return 0;
}

/* Types that the device lacks, and those that the version of the text lacks. */
static int ptx_check_atomic_device(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
				   const struct ptx_instruction *instruction)
{
	const struct ptx_atomic_info *info = &ptx_atomics[instruction->atomic];
	const struct ptx_word *word = modifiers->word[PTX_SAYS_TYPE];
	bool shared = instruction->space == PTX_IN_SHARED;
	uint32_t has = shared ? info->shared : info->global;
	int ret = ptx_since(parse, word, info->since[instruction->type]);

	if (!ret)
		ret = ptx_check_device(parse, modifiers, instruction);
	if (ret || has >> instruction->type & 1)
		return ret;
	return ptx_unsupported(parse, word->mark, "the device has no %s on .%s in %s memory",
			       info->name, ptx_types[instruction->type].name,
			       shared ? "shared" : "global");
}

static int ptx_atomic_operands(struct ptx_parse *parse, struct ptx_instruction *instruction)
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
			ret = ptx_expect(parse, ',', "after the destination");
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

static int ptx_check_atomic_space(struct ptx_parse *parse, const struct ptx_modifiers *modifiers,
				  const struct ptx_instruction *instruction)
{
	const struct ptx_word *word = modifiers->word[PTX_SAYS_SPACE];
	int space = modifiers->value[PTX_SAYS_SPACE];

	if (!word || space == PTX_IN_GLOBAL || space == PTX_IN_SHARED)
		return 0;
	return ptx_fail(parse, word->mark, "%s is for .global and .shared memory, not .%.*s",
			memory_name_of(instruction), ptx_shown(word), word->text);
}

static int memory_atomic(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			 struct ptx_instruction *instruction)
{
	const uint32_t allowed = 1u << PTX_SAYS_SEM | 1u << PTX_SAYS_SCOPE | 1u << PTX_SAYS_SPACE |
				 1u << PTX_SAYS_OPERATION | 1u << PTX_SAYS_TYPE |
				 1u << PTX_SAYS_NOFTZ | 1u << PTX_SAYS_VECTOR | 1u << PTX_SAYS_HINT;
	struct ptx_modifiers modifiers;
	int ret = ptx_sort_modifiers(parse, opcode, instruction, allowed, &modifiers);

	if (!ret)
		ret = ptx_take_sem(parse, &modifiers, instruction);
	if (!ret)
		ret = ptx_take_scope(parse, &modifiers, instruction, PTX_AT_GPU);
	ptx_take_space(&modifiers, instruction);
	if (!ret)
		ret = ptx_check_atomic_space(parse, &modifiers, instruction);
	if (!ret)
		ret = ptx_take_operation(parse, opcode, &modifiers, instruction);
	if (!ret)
		ret = ptx_take_type(parse, opcode, &modifiers,
				    ptx_atomic_types(&modifiers, instruction), instruction);
	if (!ret)
		ret = ptx_check_noftz(parse, &modifiers, instruction);
	if (!ret)
		ret = ptx_check_atomic_vector(parse, &modifiers, instruction);
	if (!ret)
		ret = ptx_check_atomic_device(parse, &modifiers, instruction);
	return ret ? ret : ptx_atomic_operands(parse, instruction);
}

/* ------------------------------------------------------------------------------------------------
 * Fences
 */

/* Fences between proxies, which the device does not distinguish. */
static int ptx_check_proxy(struct ptx_parse *parse, const struct ptx_opcode *opcode)
{
	static const char *const others[] = { "proxy", "mbarrier_init", NULL };
	unsigned int i;

	for (i = 0; i < opcode->count; i++)
		if (ptx_find(&opcode->modifiers[i], others) >= 0 ||
		    ptx_has_prefix(&opcode->modifiers[i], "sync_restrict::"))
			return ptx_unsupported(
				parse, opcode->modifiers[i].mark,
				"the device has one way to its memory, and no objects of barriers in it");
	return 0;
}

static int memory_fence(struct ptx_parse *parse, const struct ptx_opcode *opcode,
			struct ptx_instruction *instruction)
{
	struct ptx_modifiers modifiers;
	int ret = ptx_check_proxy(parse, opcode);

	if (!ret)
		ret = ptx_sort_modifiers(parse, opcode, instruction,
					 1u << PTX_SAYS_SEM | 1u << PTX_SAYS_SCOPE, &modifiers);
	if (!ret)
		ret = ptx_take_sem(parse, &modifiers, instruction);
	if (!ret && !modifiers.word[PTX_SAYS_SCOPE])
		ret = ptx_lacks_modifier(parse, opcode, "a scope (.cta, .cluster, .gpu or .sys)");
	return ret ? ret : ptx_take_scope(parse, &modifiers, instruction, PTX_AT_SYS);
}

static int memory_membar(struct ptx_parse *parse, struct ptx_opcode *opcode,
			 struct ptx_instruction *instruction)
{
	const struct ptx_word *word = ptx_modifier(opcode);
	unsigned int i;
	int ret = ptx_check_proxy(parse, opcode);

	if (ret)
		return ret;
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
		return memory_atomic(parse, opcode, instruction);
	case PTX_TO_LD:
	case PTX_TO_ST:
		return ptx_load_store(parse, opcode, instruction);
	case PTX_TO_FENCE:
		return memory_fence(parse, opcode, instruction);
	default:
		return memory_membar(parse, opcode, instruction);
	}
}
