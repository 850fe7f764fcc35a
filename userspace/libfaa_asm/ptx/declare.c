// SPDX-License-Identifier: MIT
/*
 * Directives: version and target, registers, linking, debug information; and the lookup of names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

#define MOST_REGISTERS 1000000

int ptx_since(struct ptx_parse *parse, const struct ptx_word *word, unsigned int since)
{
	unsigned int declare_version = parse->code->version;

	if (!declare_version || declare_version >= since)
		return 0;
	return ptx_fail(parse, word->mark, "'%.*s' is of PTX %u.%u, and .version says %u.%u",
			ptx_shown(word), word->text, since / 10, since % 10, declare_version / 10,
			declare_version % 10);
}

/* ------------------------------------------------------------------------------------------------
 * Names
 */

const struct ptx_name *ptx_lookup(const struct ptx_parse *parse, const struct ptx_word *word)
{
	const struct ptx_code *code = parse->code;
	const struct ptx_name *name = NULL;
	uint32_t scope = parse->scope;

	for (;;) {
		name = ptx_names_find(&code->names, scope, word->text, word->size, false);
		if (name || !scope)
			return name;
		scope = code->scopes[scope];
	}
}

/*
 * Splits a name into prefix and number, as in the names of a range: no leading zeros. Returns the
 * size of the prefix.
 */
static size_t declare_split(const struct ptx_word *word, uint32_t *number)
{
	size_t size = word->size, i;

	while (size && word->text[size - 1] >= '0' && word->text[size - 1] <= '9')
		size--;
	if (size == word->size || word->size - size > 7 ||
	    (word->text[size] == '0' && word->size - size > 1))
		return 0;
	*number = 0;
	for (i = size; i < word->size; i++)
		*number = *number * 10 + (uint32_t)(word->text[i] - '0');
	return size;
}

/* The range of the open block with this prefix, created if it is new. NULL: no memory. */
static struct ptx_range *declare_range_of(struct ptx_parse *parse, const char *text, size_t size)
{
	struct ptx_code *code = parse->code;
	struct ptx_name *name = ptx_names_find(&code->names, parse->scope, text, size, true);
	struct ptx_range *grown;

	if (name)
		return &code->ranges[name->index];
	grown = ptx_grow(code->ranges, code->range_count, &code->range_capacity, sizeof(*grown));
	if (!grown)
		return NULL;
	code->ranges = grown;
	if (ptx_names_add(&code->names, parse->scope, text, size, PTX_NAME_RANGE,
			  (uint32_t)code->range_count) < 0)
		return NULL;
	grown[code->range_count] = (struct ptx_range){ .lowest = UINT32_MAX };
	return &grown[code->range_count++];
}

static int declare_add_register(struct ptx_code *code, uint32_t scope, const struct ptx_word *word,
				unsigned int type, uint32_t *index)
{
	struct ptx_register *grown = ptx_grow(code->registers, code->register_count,
					      &code->register_capacity, sizeof(*grown));
	int64_t name;

	if (!grown)
		return -ENOMEM;
	code->registers = grown;
	name = ptx_names_add(&code->names, scope, word->text, word->size, PTX_NAME_REGISTER,
			     (uint32_t)code->register_count);
	if (name < 0)
		return (int)name;
	grown[code->register_count] = (struct ptx_register){ (uint32_t)name, (uint8_t)type };
	*index = (uint32_t)code->register_count++;
	return 0;
}

/* A register of a range, or one that @scope declares. Returns 1 if it is neither. */
static int ptx_find_in_scope(struct ptx_parse *parse, uint32_t scope, const struct ptx_word *word,
			     uint32_t *index)
{
	struct ptx_code *code = parse->code;
	const struct ptx_name *name =
		ptx_names_find(&code->names, scope, word->text, word->size, false);
	uint32_t number;
	size_t size;

	if (name && name->kind != PTX_NAME_REGISTER)
		return ptx_fail(parse, word->mark, "'%.*s' is no register", ptx_shown(word),
				word->text);
	if (name) {
		*index = name->index;
		return 0;
	}
	size = declare_split(word, &number);
	name = size ? ptx_names_find(&code->names, scope, word->text, size, true) : NULL;
	if (!name || number >= code->ranges[name->index].count)
		return 1;
	return declare_add_register(code, scope, word, code->ranges[name->index].type, index);
}

int ptx_register(struct ptx_parse *parse, const struct ptx_word *word, uint32_t *index)
{
	uint32_t scope = parse->scope;
	int ret;

	for (;;) {
		ret = ptx_find_in_scope(parse, scope, word, index);
		if (ret <= 0)
			return ret;
		if (!scope)
			break;
		scope = parse->code->scopes[scope];
	}
	parse->undefined = true;
	return ptx_fail(parse, word->mark, "'%.*s' is not declared", ptx_shown(word), word->text);
}

int ptx_is_new(struct ptx_parse *parse, const struct ptx_word *word)
{
	if (!ptx_names_find(&parse->code->names, parse->scope, word->text, word->size, false))
		return 0;
	return ptx_fail(parse, word->mark, "'%.*s' is declared already", ptx_shown(word),
			word->text);
}

/* ------------------------------------------------------------------------------------------------
 * Registers
 */

static int declare_range(struct ptx_parse *parse, const struct ptx_word *word, unsigned int type)
{
	struct ptx_range *range;
	int64_t count;
	int ret = ptx_integer(parse, 1, MOST_REGISTERS, "the number of registers", &count);

	if (!ret)
		ret = ptx_expect(parse, '>', "after the number of registers");
	if (ret)
		return ret;
	range = declare_range_of(parse, word->text, word->size);
	if (!range)
		return -ENOMEM;
	if (range->count || range->lowest < (uint32_t)count)
		return ptx_fail(parse, word->mark,
				"registers '%.*s' with numbers are declared already",
				ptx_shown(word), word->text);
	range->count = (uint32_t)count;
	range->type = (uint8_t)type;
	return 0;
}

static int declare_register(struct ptx_parse *parse, const struct ptx_word *word, unsigned int type)
{
	uint32_t number, index;
	size_t size = declare_split(word, &number);
	struct ptx_range *range;
	int ret = ptx_is_new(parse, word);

	if (ret)
		return ret;
	range = size ? declare_range_of(parse, word->text, size) : NULL;
	if (size && !range)
		return -ENOMEM;
	if (range && number < range->count)
		return ptx_fail(parse, word->mark, "'%.*s' is declared already", ptx_shown(word),
				word->text);
	if (range && number < range->lowest)
		range->lowest = number;
	return declare_add_register(parse->code, parse->scope, word, type, &index);
}

static int declare_register_item(struct ptx_parse *parse, unsigned int type)
{
	struct ptx_word word;
	bool range;
	int ret = ptx_identifier(parse, &word, "the name of a register");

	if (!ret)
		ret = ptx_take(parse, '<', &range);
	if (ret)
		return ret;
	return range ? declare_range(parse, &word, type) : declare_register(parse, &word, type);
}

static int declare_registers(struct ptx_parse *parse)
{
	bool more = true;
	unsigned int type;
	int ret = ptx_type_word(parse, "before the type of the registers", &type);

	while (!ret && more) {
		ret = declare_register_item(parse, type);
		if (!ret)
			ret = ptx_take(parse, ',', &more);
	}
	return ret ? ret : ptx_expect(parse, ';', "at the end of the declaration");
}

/* ------------------------------------------------------------------------------------------------
 * Directives for the whole text
 */

static int declare_version(struct ptx_parse *parse)
{
	struct faa_scan_mark mark;
	int64_t major, minor = 0;
	int ret = ptx_blank(parse);
	const char *at = parse->scan.at;

	mark = faa_scan_mark(&parse->scan);
	for (major = 0; !ret && at < parse->scan.end && *at >= '0' && *at <= '9' && major < 100;
	     at++)
		major = major * 10 + (*at - '0');
	if (!ret && parse->scan.end - at >= 2 && at[0] == '.' && at[1] >= '0' && at[1] <= '9') {
		minor = at[1] - '0';
		at += 2;
	} else {
		major = 0;
	}
	if (!ret && (major < 1 || major > 99))
		return ptx_fail(parse, mark, "a version such as 8.6 is expected");
	if (!ret && parse->code->version)
		return ptx_fail(parse, mark, "the text has a version already");
	parse->scan.at = at;
	parse->code->version = (uint32_t)(major * 10 + minor);
	return ret;
}

static int declare_target(struct ptx_parse *parse)
{
	struct ptx_word word;
	uint32_t number = 0;
	bool more = true;
	size_t i;
	int ret = ptx_identifier(parse, &word, "a target such as sm_90");

	if (ret)
		return ret;
	for (i = 3; i < word.size && word.text[i] >= '0' && word.text[i] <= '9' && i < 7; i++)
		number = number * 10 + (uint32_t)(word.text[i] - '0');
	if (word.size < 5 || memcmp(word.text, "sm_", 3) || !number || i + 1 < word.size)
		return ptx_fail(parse, word.mark, "'%.*s' is no target such as sm_90",
				ptx_shown(&word), word.text);
	if (number < 70)
		return ptx_unsupported(
			parse, word.mark,
			"the memory model that instructions have here begins with sm_70");
	parse->code->target = number;
	while (!ret && more) {
		ret = ptx_take(parse, ',', &more);
		if (!ret && more)
			ret = ptx_identifier(parse, &word, "an option of the target");
	}
	return ret;
}

static int declare_address_size(struct ptx_parse *parse)
{
	int64_t bits;
	struct faa_scan_mark mark;
	int ret = ptx_blank(parse);

	mark = faa_scan_mark(&parse->scan);
	if (!ret)
		ret = ptx_integer(parse, 0, 1024, "an address size", &bits);
	if (!ret && bits == 32)
		ret = ptx_unsupported(parse, mark, "addresses have 64 bits");
	if (!ret && bits != 64)
		ret = ptx_fail(parse, mark, "addresses have 64 bits");
	return ret;
}

/* .version, .target and .address_size precede all other statements. */
static int declare_head(struct ptx_parse *parse, struct ptx_word word,
			int (*read)(struct ptx_parse *parse))
{
	if (parse->begun)
		return ptx_fail(parse, word.mark, "'.%.*s' is allowed only at the head of the text",
				ptx_shown(&word), word.text);
	return read(parse);
}

/* .section NAME { ... }: debug information, ignored. */
static int ptx_section(struct ptx_parse *parse)
{
	bool point;
	struct ptx_word word;
	int ret = ptx_take(parse, '.', &point);

	if (!ret)
		ret = ptx_identifier(parse, &word, "the name of the section");
	if (!ret)
		ret = ptx_expect(parse, '{', "before the contents of the section");
	return ret ? ret : ptx_skip_braces(parse, faa_scan_mark(&parse->scan));
}

static int declare_named_directive(struct ptx_parse *parse, struct ptx_word word)
{
	if (ptx_is(&word, "version"))
		return declare_head(parse, word, declare_version);
	if (ptx_is(&word, "target"))
		return declare_head(parse, word, declare_target);
	if (ptx_is(&word, "address_size"))
		return declare_head(parse, word, declare_address_size);
	parse->begun = true;
	if (ptx_is(&word, "reg"))
		return declare_registers(parse);
	if (ptx_is(&word, "shared"))
		return ptx_variables(parse, &word, PTX_IN_SHARED);
	if (ptx_is(&word, "global"))
		return ptx_variables(parse, &word, PTX_IN_GLOBAL);
	if (ptx_is(&word, "const"))
		return ptx_variables(parse, &word, PTX_IN_CONST);
	if (ptx_is(&word, "entry"))
		return ptx_kernel(parse, &word);
	if (ptx_is(&word, "pragma"))
		return ptx_pragma(parse);
	if (ptx_is(&word, "loc") || ptx_is(&word, "file")) {
		/* Debug information, ignored to the end of the line. */
		faa_scan_rest(&parse->scan);
		return 0;
	}
	if (ptx_is(&word, "section"))
		return ptx_section(parse);
	if (ptx_find(&word, ptx_head_directives) >= 0)
		return ptx_fail(
			parse, word.mark,
			"'.%.*s' is allowed only between the parameters and the braces of a kernel",
			ptx_shown(&word), word.text);
	if (ptx_find(&word, ptx_other_directives) >= 0)
		return ptx_unsupported(parse, word.mark, "directive '.%.*s'", ptx_shown(&word),
				       word.text);
	return ptx_fail(parse, word.mark, "'.%.*s' is no directive of PTX", ptx_shown(&word),
			word.text);
}

int ptx_directive(struct ptx_parse *parse)
{
	static const char *const linking[] = { "visible", "extern", "weak", "common", NULL };
	struct ptx_word word;
	bool more = true;
	int ret = 0;

	parse->scan.at++;
	while (!ret && more) {
		ret = ptx_identifier(parse, &word, "a directive");
		/* Linkage has no effect on a single text. */
		more = !ret && ptx_find(&word, linking) >= 0;
		if (more)
			ret = ptx_expect(parse, '.', "before a directive");
	}
	return ret ? ret : declare_named_directive(parse, word);
}
