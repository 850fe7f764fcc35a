// SPDX-License-Identifier: MIT
/* Operands: registers of the right type, constants, addresses. */
#include <errno.h>
#include <string.h>

#include "parse.h"

int ptx_guard(struct ptx_parse *parse, struct ptx_instruction *instruction)
{
	struct ptx_word word;
	int ret = ptx_take(parse, '!', &instruction->negated);

	if (!ret)
		ret = ptx_identifier(parse, &word, "a predicate");
	if (!ret)
		ret = ptx_register(parse, &word, &instruction->guard);
	if (ret)
		return ret;
	if (parse->code->registers[instruction->guard].type != PTX_PRED)
		return ptx_fail(parse, word.mark, "'%.*s' is no predicate", ptx_shown(&word),
				word.text);
	instruction->guarded = true;
	return 0;
}

/*
 * Whether a register type is allowed for an instruction type: untyped bits match all types,
 * integers match integers, floating-point types match only themselves.
 */
static bool operand_compatible(unsigned int want, unsigned int have, bool wider)
{
	const struct ptx_type_info *w = &ptx_types[want], *h = &ptx_types[have];
	bool integers = strchr("bus", w->kind) && strchr("bus", h->kind);

	if (w->kind == 'p' || h->kind == 'p')
		return want == have;
	if (h->bits > w->bits)
		return wider && (integers || (w->kind == 'f' && h->kind == 'b'));
	if (h->bits < w->bits)
		return false;
	return integers || w->kind == 'b' || h->kind == 'b' || want == have;
}

static int operand_check_register(struct ptx_parse *parse, const struct ptx_word *word,
				  const struct ptx_wanted *wanted, uint32_t index)
{
	unsigned int have = parse->code->registers[index].type;

	if (operand_compatible(wanted->type, have, wanted->wider))
		return 0;
	return ptx_fail(parse, word->mark,
			"'%.*s' is a register of type .%s, which does not fit .%s", ptx_shown(word),
			word->text, ptx_types[have].name, ptx_types[wanted->type].name);
}

static int operand_special(struct ptx_parse *parse, const struct ptx_word *word,
			   const struct ptx_wanted *wanted, uint32_t index,
			   struct ptx_operand *operand)
{
	if (!wanted->move)
		return ptx_fail(parse, word->mark, "'%s' is read by mov alone",
				ptx_specials[index].name);
	if (ptx_types[wanted->type].bits != 32 || ptx_types[wanted->type].kind == 'f')
		return ptx_fail(parse, word->mark, "'%s' has type .u32", ptx_specials[index].name);
	*operand = (struct ptx_operand){ PTX_OPERAND_SPECIAL, index, 0 };
	return 0;
}

static int operand_variable(struct ptx_parse *parse, const struct ptx_word *word,
			    const struct ptx_wanted *wanted, uint32_t index,
			    struct ptx_operand *operand)
{
	const struct ptx_symbol *symbol = index == UINT32_MAX ? NULL : &parse->code->symbols[index];
	unsigned int bits = ptx_types[wanted->type].bits;

	if (!symbol || !wanted->move)
		return ptx_fail(parse, word->mark, "'%.*s' is no register", ptx_shown(word),
				word->text);
	if (symbol->space == PTX_IN_PARAM)
		return ptx_fail(parse, word->mark, "parameter '%.*s' is read with ld.param",
				ptx_shown(word), word->text);
	if (ptx_types[wanted->type].kind == 'f' ||
	    (bits != 64 && (bits != 32 || symbol->space != PTX_IN_SHARED)))
		return ptx_fail(parse, word->mark, "the address of '%.*s' does not fit .%s",
				ptx_shown(word), word->text, ptx_types[wanted->type].name);
	*operand = (struct ptx_operand){ PTX_OPERAND_SYMBOL, index, 0 };
	return 0;
}

static int operand_named(struct ptx_parse *parse, const struct ptx_wanted *wanted,
			 struct ptx_operand *operand)
{
	const struct ptx_name *name;
	struct ptx_word word;
	uint32_t index;
	int ret = ptx_identifier(parse, &word,
				 wanted->destination || wanted->no_constant ?
					 "a register" :
					 "a register or constant");

	if (ret)
		return ret;
	for (index = 0; word.text[0] == '%' && index < PTX_SPECIAL_COUNT; index++)
		if (ptx_is(&word, ptx_specials[index].name))
			return operand_special(parse, &word, wanted, index, operand);
	if (ptx_find(&word, ptx_other_specials) >= 0)
		return ptx_unsupported(parse, word.mark, "special register '%.*s'",
				       ptx_shown(&word), word.text);
	name = ptx_lookup(parse, &word);
	if (name && name->kind == PTX_NAME_SYMBOL)
		return operand_variable(parse, &word, wanted, name->index, operand);
	ret = ptx_register(parse, &word, &index);
	if (!ret)
		ret = operand_check_register(parse, &word, wanted, index);
	*operand = (struct ptx_operand){ PTX_OPERAND_REGISTER, index, 0 };
	return ret;
}

/* Whether the next word is a lone _. */
static bool operand_at_sink(const struct ptx_parse *parse)
{
	struct faa_scan copy = parse->scan;

	return faa_scan_peek(&copy) == '_' && faa_scan_word(&copy, "$%") == 1;
}

int ptx_operand(struct ptx_parse *parse, const struct ptx_wanted *wanted,
		struct ptx_operand *operand)
{
	int ret = ptx_blank(parse);

	if (ret)
		return ret;
	if (faa_scan_peek(&parse->scan) == '{')
		return faa_scan_fail(&parse->scan, parse->error,
				     FAA_ASM_UNSUPPORTED "vectors of registers");
	if (operand_at_sink(parse)) {
		if (!wanted->sink)
			return faa_scan_fail(&parse->scan, parse->error,
					     "'_' is for the result of atom alone");
		parse->scan.at++;
		operand->kind = PTX_OPERAND_NONE;
		return 0;
	}
	if (!ptx_at_constant(parse))
		return operand_named(parse, wanted, operand);
	if (wanted->destination)
		return faa_scan_fail(&parse->scan, parse->error, "a constant is no destination");
	if (wanted->no_constant)
		return faa_scan_fail(&parse->scan, parse->error, "%s", wanted->no_constant);
	operand->kind = PTX_OPERAND_CONSTANT;
	return ptx_constant(parse, wanted->type, &operand->value);
}

/* ------------------------------------------------------------------------------------------------
 * Addresses
 */

static int operand_address_register(struct ptx_parse *parse, const struct ptx_word *word,
				    unsigned int space, struct ptx_operand *operand)
{
	unsigned int type;
	int ret = ptx_register(parse, word, &operand->index);

	if (ret)
		return ret;
	type = parse->code->registers[operand->index].type;
	operand->kind = PTX_OPERAND_REGISTER;
	if (space == PTX_IN_PARAM)
		return ptx_fail(parse, word->mark, "'%.*s' is no parameter", ptx_shown(word),
				word->text);
	if (!strchr("bus", ptx_types[type].kind) || ptx_types[type].bits < 16)
		return ptx_fail(parse, word->mark,
				"'%.*s' is a register of type .%s, which is no address",
				ptx_shown(word), word->text, ptx_types[type].name);
	if (ptx_types[type].bits < (space == PTX_IN_SHARED ? 32 : 64))
		return ptx_unsupported(parse, word->mark,
				       "'%.*s' has %u bits, addresses of %s memory have %s",
				       ptx_shown(word), word->text, ptx_types[type].bits,
				       space == PTX_IN_SHARED ? "shared" : "global",
				       space == PTX_IN_SHARED ? "32" : "64");
	return 0;
}

static int operand_address_symbol(struct ptx_parse *parse, const struct ptx_word *word,
				  unsigned int space, uint32_t index, struct ptx_operand *operand)
{
	const struct ptx_symbol *symbol = index == UINT32_MAX ? NULL : &parse->code->symbols[index];

	if (!symbol)
		return ptx_fail(parse, word->mark, "'%.*s' is the kernel", ptx_shown(word),
				word->text);
	if (symbol->space != space && !(symbol->space == PTX_IN_GLOBAL && space == PTX_IN_GENERIC))
		return ptx_fail(parse, word->mark, "'%.*s' is in state space .%s", ptx_shown(word),
				word->text, ptx_spaces[symbol->space]);
	operand->kind = PTX_OPERAND_SYMBOL;
	operand->index = index;
	return 0;
}

/* "+4", "+-4", and sums of them. */
static int operand_offset(struct ptx_parse *parse, struct ptx_operand *operand)
{
	int64_t value, sum = 0;
	bool plus;
	int ret = ptx_take(parse, '+', &plus);

	while (!ret && plus) {
		ret = ptx_integer(parse, INT32_MIN, INT32_MAX, "an offset", &value);
		sum += ret ? 0 : value;
		if (!ret && (sum < INT32_MIN || sum > INT32_MAX))
			ret = faa_scan_fail(&parse->scan, parse->error,
					    "an offset is between %d and %d", INT32_MIN, INT32_MAX);
		if (!ret)
			ret = ptx_take(parse, '+', &plus);
	}
	operand->value = (uint64_t)sum;
	return ret;
}

static int operand_base(struct ptx_parse *parse, unsigned int space, struct ptx_operand *operand)
{
	const struct ptx_name *name;
	struct ptx_word word;
	int ret = ptx_identifier(parse, &word, "a register, a variable or a constant address");

	if (ret)
		return ret;
	name = ptx_lookup(parse, &word);
	if (name && name->kind == PTX_NAME_SYMBOL)
		ret = operand_address_symbol(parse, &word, space, name->index, operand);
	else
		ret = operand_address_register(parse, &word, space, operand);
	return ret ? ret : operand_offset(parse, operand);
}

int ptx_address(struct ptx_parse *parse, unsigned int space, struct ptx_operand *operand)
{
	struct faa_scan_mark mark;
	int ret = ptx_expect(parse, '[', "before an address");

	if (!ret)
		ret = ptx_blank(parse);
	if (ret)
		return ret;
	mark = faa_scan_mark(&parse->scan);
	if (!ptx_at_constant(parse)) {
		ret = operand_base(parse, space, operand);
	} else {
		operand->kind = PTX_OPERAND_CONSTANT;
		ret = ptx_constant(parse, space == PTX_IN_SHARED ? PTX_U32 : PTX_U64,
				   &operand->value);
	}
	if (!ret && space == PTX_IN_PARAM && operand->kind != PTX_OPERAND_SYMBOL)
		ret = ptx_fail(parse, mark, "the name of a parameter is expected");
	return ret ? ret : ptx_expect(parse, ']', "after the address");
}
