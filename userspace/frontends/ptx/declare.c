// SPDX-License-Identifier: MIT
/* Directives: version and target, the kernel and its parameters, registers and variables; and the names that they make. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

#define MOST_REGISTERS 1000000

int ptx_since(struct ptx_parse *parse, const struct ptx_word *word, unsigned int since)
{
	unsigned int version = parse->code->version;

	if (!version || version >= since)
		return 0;
	return ptx_fail(parse, word->mark, "'%.*s' is of PTX %u.%u, and .version says %u.%u",
			ptx_shown(word), word->text, since / 10, since % 10, version / 10,
			version % 10);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Names
 */

static const struct ptx_name *find(const struct ptx_parse *parse, const struct ptx_word *word)
{
	return ptx_names_find(&parse->code->names, word->text, word->size, false);
}

/* The number that a name ends with, as a declaration of many registers makes it: no leading zeros. Returns the size of what is before it. */
static size_t split(const struct ptx_word *word, uint32_t *number)
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

/* The range of all registers whose names begin so; made if it is new. NULL: no memory. */
static struct ptx_range *range_of(struct ptx_code *code, const char *text, size_t size)
{
	struct ptx_name *name = ptx_names_find(&code->names, text, size, true);
	struct ptx_range *grown;

	if (name)
		return &code->ranges[name->index];
	grown = ptx_grow(code->ranges, code->range_count, &code->range_capacity, sizeof(*grown));
	if (!grown)
		return NULL;
	code->ranges = grown;
	if (ptx_names_add(&code->names, text, size, PTX_NAME_RANGE, (uint32_t)code->range_count) <
	    0)
		return NULL;
	grown[code->range_count] = (struct ptx_range){ .lowest = UINT32_MAX };
	return &grown[code->range_count++];
}

static int add_register(struct ptx_code *code, const struct ptx_word *word, unsigned int type,
			uint32_t *index)
{
	struct ptx_register *grown = ptx_grow(code->registers, code->register_count,
					      &code->register_capacity, sizeof(*grown));
	int64_t name;

	if (!grown)
		return -ENOMEM;
	code->registers = grown;
	name = ptx_names_add(&code->names, word->text, word->size, PTX_NAME_REGISTER,
			     (uint32_t)code->register_count);
	if (name < 0)
		return (int)name;
	grown[code->register_count] = (struct ptx_register){ (uint32_t)name, (uint8_t)type };
	*index = (uint32_t)code->register_count++;
	return 0;
}

static int find_in_range(struct ptx_parse *parse, const struct ptx_word *word, uint32_t *index)
{
	struct ptx_code *code = parse->code;
	const struct ptx_name *name;
	uint32_t number;
	size_t size = split(word, &number);

	name = size ? ptx_names_find(&code->names, word->text, size, true) : NULL;
	if (!name || number >= code->ranges[name->index].count)
		return ptx_fail(parse, word->mark, "'%.*s' is not declared", ptx_shown(word),
				word->text);
	return add_register(code, word, code->ranges[name->index].type, index);
}

int ptx_register(struct ptx_parse *parse, const struct ptx_word *word, uint32_t *index)
{
	const struct ptx_name *name = find(parse, word);

	if (!name)
		return find_in_range(parse, word, index);
	if (name->kind != PTX_NAME_REGISTER)
		return ptx_fail(parse, word->mark, "'%.*s' is no register", ptx_shown(word),
				word->text);
	*index = name->index;
	return 0;
}

int ptx_label(struct ptx_parse *parse, const struct ptx_word *word, uint32_t *index)
{
	struct ptx_code *code = parse->code;
	const struct ptx_name *name = find(parse, word);
	struct ptx_label *grown;
	int64_t entry;

	if (name && name->kind != PTX_NAME_LABEL)
		return ptx_fail(parse, word->mark, "'%.*s' is no label", ptx_shown(word),
				word->text);
	if (name) {
		*index = name->index;
		return 0;
	}
	grown = ptx_grow(code->labels, code->label_count, &code->label_capacity, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	code->labels = grown;
	entry = ptx_names_add(&code->names, word->text, word->size, PTX_NAME_LABEL,
			      (uint32_t)code->label_count);
	if (entry < 0)
		return (int)entry;
	grown[code->label_count] = (struct ptx_label){ (uint32_t)entry, UINT32_MAX, word->mark.line,
						       word->mark.column };
	*index = (uint32_t)code->label_count++;
	return 0;
}

static int is_new(struct ptx_parse *parse, const struct ptx_word *word)
{
	if (!find(parse, word))
		return 0;
	return ptx_fail(parse, word->mark, "'%.*s' is declared already", ptx_shown(word),
			word->text);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Registers
 */

static int declare_range(struct ptx_parse *parse, const struct ptx_word *word, unsigned int type)
{
	struct ptx_range *range;
	int64_t count;
	int ret = ptx_integer(parse, 1, MOST_REGISTERS, "the number of registers", &count);

	if (!ret)
		ret = ptx_expect(parse, '>', "behind the number of registers");
	if (ret)
		return ret;
	range = range_of(parse->code, word->text, word->size);
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
	size_t size = split(word, &number);
	struct ptx_range *range;
	int ret = is_new(parse, word);

	if (ret)
		return ret;
	range = size ? range_of(parse->code, word->text, size) : NULL;
	if (size && !range)
		return -ENOMEM;
	if (range && number < range->count)
		return ptx_fail(parse, word->mark, "'%.*s' is declared already", ptx_shown(word),
				word->text);
	if (range && number < range->lowest)
		range->lowest = number;
	return add_register(parse->code, word, type, &index);
}

static int type_word(struct ptx_parse *parse, const char *what, unsigned int *type)
{
	struct ptx_word word;
	int found, ret = ptx_expect(parse, '.', what);

	if (!ret)
		ret = ptx_identifier(parse, &word, "a type");
	if (ret)
		return ret;
	found = ptx_type(&word);
	if (found < 0 || found == PTX_BF16 || found == PTX_BF16X2)
		return ptx_fail(parse, word.mark, "'.%.*s' is no type of registers or variables%s",
				ptx_shown(&word), word.text,
				found < 0 ? "" : "; b16 and b32 hold these numbers");
	if (found == PTX_B128)
		return ptx_fail(parse, word.mark, "the device has no 128-bit registers");
	*type = (unsigned int)found;
	return 0;
}

/* Items with commas between them, up to the semicolon. */
static int list(struct ptx_parse *parse,
		int (*item)(struct ptx_parse *parse, unsigned int type, uint32_t align,
			    unsigned int space),
		unsigned int type, uint32_t align, unsigned int space)
{
	bool more = true;
	int ret = 0;

	while (!ret && more) {
		ret = item(parse, type, align, space);
		if (!ret)
			ret = ptx_take(parse, ',', &more);
	}
	return ret ? ret : ptx_expect(parse, ';', "at the end of the declaration");
}

static int register_item(struct ptx_parse *parse, unsigned int type, uint32_t align,
			 unsigned int space)
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

static int registers(struct ptx_parse *parse)
{
	unsigned int type;
	int ret = type_word(parse, "before the type of the registers", &type);

	return ret ? ret : list(parse, register_item, type, 0, PTX_IN_GENERIC);
}

/* ---------------------------------------------------------------------------------------------------------------
 * Variables and parameters
 */

static int add_symbol(struct ptx_parse *parse, const struct ptx_word *word,
		      struct ptx_symbol symbol)
{
	struct ptx_code *code = parse->code;
	struct ptx_symbol *grown =
		ptx_grow(code->symbols, code->symbol_count, &code->symbol_capacity, sizeof(*grown));
	int64_t name;

	if (!grown)
		return -ENOMEM;
	code->symbols = grown;
	name = ptx_names_add(&code->names, word->text, word->size, PTX_NAME_SYMBOL,
			     (uint32_t)code->symbol_count);
	if (name < 0)
		return (int)name;
	symbol.name = (uint32_t)name;
	grown[code->symbol_count++] = symbol;
	return 0;
}

/* Shared variables lie one behind the other, as they are declared. */
static int place_shared(struct ptx_parse *parse, const struct ptx_word *word,
			struct ptx_symbol *symbol)
{
	uint64_t bytes = ptx_types[symbol->type].bits / 8, at;

	at = ((uint64_t)parse->code->shared_bytes + symbol->align - 1) / symbol->align *
	     symbol->align;
	if (symbol->elements != UINT32_MAX)
		bytes *= symbol->elements ? symbol->elements : 1;
	else
		bytes = 0;
	if (at + bytes > FAA_SHARED_WINDOW_BYTES)
		return ptx_fail(parse, word->mark, "'%.*s' ends beyond the %u MiB of shared memory",
				ptx_shown(word), word->text,
				(unsigned int)(FAA_SHARED_WINDOW_BYTES >> 20));
	symbol->address = (uint32_t)at;
	parse->code->shared_bytes = (uint32_t)(at + bytes);
	return 0;
}

/* [N], [] or nothing. */
static int array_size(struct ptx_parse *parse, struct ptx_symbol *symbol)
{
	int64_t elements = UINT32_MAX;
	bool array;
	int ret = ptx_take(parse, '[', &array);

	if (ret || !array)
		return ret;
	ret = ptx_take(parse, ']', &array);
	if (!ret && !array) {
		ret = ptx_integer(parse, 1, FAA_SHARED_WINDOW_BYTES, "the number of elements",
				  &elements);
		if (!ret)
			ret = ptx_expect(parse, ']', "behind the number of elements");
	}
	symbol->elements = (uint32_t)elements;
	return ret;
}

static int variable_item(struct ptx_parse *parse, unsigned int type, uint32_t align,
			 unsigned int space)
{
	struct ptx_symbol symbol = { .space = (uint8_t)space,
				     .type = (uint8_t)type,
				     .align = align };
	struct ptx_word word;
	bool value;
	int ret = ptx_identifier(parse, &word, "the name of a variable");

	if (!ret)
		ret = is_new(parse, &word);
	if (!ret)
		ret = array_size(parse, &symbol);
	if (!ret)
		ret = ptx_take(parse, '=', &value);
	if (!ret && value)
		ret = ptx_fail(
			parse, word.mark,
			"'%.*s' has an initial value, which belongs into the buffer that it is bound to",
			ptx_shown(&word), word.text);
	if (!ret && space == PTX_IN_SHARED)
		ret = place_shared(parse, &word, &symbol);
	return ret ? ret : add_symbol(parse, &word, symbol);
}

/* .align N, if it is there. @align keeps 0 if not. The next byte is a point in any case that is legal. */
static int alignment(struct ptx_parse *parse, uint32_t *align)
{
	struct faa_scan_mark mark;
	int64_t value;
	int ret = ptx_blank(parse);

	if (ret || parse->scan.end - parse->scan.at < 6 || memcmp(parse->scan.at, ".align", 6))
		return ret;
	mark = faa_scan_mark(&parse->scan);
	parse->scan.at += 6;
	ret = ptx_integer(parse, 1, 4096, "an alignment", &value);
	if (!ret && (value & (value - 1)))
		ret = ptx_fail(parse, mark, "alignment %lld is no power of 2", (long long)value);
	*align = (uint32_t)value;
	return ret;
}

static int variables(struct ptx_parse *parse, const struct ptx_word *word, unsigned int space)
{
	unsigned int type = 0;
	uint32_t align = 0;
	int ret = alignment(parse, &align);

	if (!ret)
		ret = type_word(parse, "before the type of the variables", &type);
	if (!ret && type == PTX_PRED)
		ret = ptx_fail(parse, word->mark, "predicates are registers");
	if (!ret && !align)
		align = ptx_types[type].bits / 8;
	return ret ? ret : list(parse, variable_item, type, align, space);
}

/* .ptr .space .align N: what a compiler knows of a pointer. */
static int pointer_hints(struct ptx_parse *parse)
{
	static const char *const spaces[] = { ".global", ".shared", ".const", ".local", NULL };
	struct faa_scan *scan = &parse->scan;
	uint32_t align;
	int i, ret = ptx_blank(parse);

	if (ret || scan->end - scan->at < 4 || memcmp(scan->at, ".ptr", 4))
		return ret;
	scan->at += 4;
	ret = ptx_blank(parse);
	for (i = 0; !ret && spaces[i]; i++) {
		size_t size = strlen(spaces[i]);

		if ((size_t)(scan->end - scan->at) >= size && !memcmp(scan->at, spaces[i], size)) {
			scan->at += size;
			break;
		}
	}
	return ret ? ret : alignment(parse, &align);
}

static int parameter(struct ptx_parse *parse)
{
	struct ptx_symbol symbol = { .space = PTX_IN_PARAM };
	struct ptx_word word;
	unsigned int type;
	int ret = ptx_expect(parse, '.', "before a parameter");

	if (!ret)
		ret = ptx_identifier(parse, &word, "'param'");
	if (!ret && !ptx_is(&word, "param"))
		ret = ptx_fail(parse, word.mark,
			       "'.%.*s' is no parameter of a kernel, which begins with .param",
			       ptx_shown(&word), word.text);
	if (!ret)
		ret = type_word(parse, "before the type of the parameter", &type);
	if (!ret)
		ret = pointer_hints(parse);
	if (!ret)
		ret = ptx_identifier(parse, &word, "the name of a parameter");
	if (!ret)
		ret = is_new(parse, &word);
	if (ret)
		return ret;
	if (type == PTX_PRED || faa_scan_peek(&parse->scan) == '[')
		return ptx_fail(parse, word.mark,
				"parameter '%.*s': a number of 8 to 64 bits is one here",
				ptx_shown(&word), word.text);
	symbol.type = (uint8_t)type;
	return add_symbol(parse, &word, symbol);
}

static int parameters(struct ptx_parse *parse)
{
	bool more;
	int ret = ptx_take(parse, '(', &more);

	if (ret || !more)
		return ret;
	ret = ptx_take(parse, ')', &more);
	if (ret || more)
		return ret;
	do {
		ret = parameter(parse);
		if (!ret)
			ret = ptx_take(parse, ',', &more);
	} while (!ret && more);
	return ret ? ret : ptx_expect(parse, ')', "behind the parameters");
}

static int kernel(struct ptx_parse *parse, const struct ptx_word *directive)
{
	struct ptx_code *code = parse->code;
	struct ptx_word word;
	int ret;

	if (code->entry >= 0)
		return ptx_fail(parse, directive->mark,
				"there is one kernel in a text, and '%s' is it",
				ptx_names_text(&code->names, (uint32_t)code->entry));
	if (code->count)
		return ptx_fail(parse, directive->mark, "there are instructions before the kernel");
	ret = ptx_identifier(parse, &word, "the name of the kernel");
	if (!ret)
		ret = is_new(parse, &word);
	if (ret)
		return ret;
	code->entry =
		ptx_names_add(&code->names, word.text, word.size, PTX_NAME_SYMBOL, UINT32_MAX);
	if (code->entry < 0)
		return (int)code->entry;
	ret = parameters(parse);
	if (!ret)
		ret = ptx_expect(parse, '{', "before the instructions of the kernel");
	parse->open = true;
	return ret;
}

/* ---------------------------------------------------------------------------------------------------------------
 * What holds for the whole text
 */

static int version(struct ptx_parse *parse)
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

static int target(struct ptx_parse *parse)
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
		return ptx_fail(parse, word.mark,
				"the memory model that instructions have here begins with sm_70");
	parse->code->target = number;
	while (!ret && more) {
		ret = ptx_take(parse, ',', &more);
		if (!ret && more)
			ret = ptx_identifier(parse, &word, "an option of the target");
	}
	return ret;
}

static int address_size(struct ptx_parse *parse)
{
	int64_t bits;
	struct faa_scan_mark mark;
	int ret = ptx_blank(parse);

	mark = faa_scan_mark(&parse->scan);
	if (!ret)
		ret = ptx_integer(parse, 0, 1024, "an address size", &bits);
	if (!ret && bits != 64)
		ret = ptx_fail(parse, mark, "addresses have 64 bits");
	return ret;
}

/* .version and the like stand before everything else: what they say holds for all of it. */
static int head(struct ptx_parse *parse, struct ptx_word word, int (*read)(struct ptx_parse *parse))
{
	if (parse->begun)
		return ptx_fail(parse, word.mark,
				"'.%.*s' stands at the head of the text, before all else",
				ptx_shown(&word), word.text);
	return read(parse);
}

static int named_directive(struct ptx_parse *parse, struct ptx_word word)
{
	if (ptx_is(&word, "version"))
		return head(parse, word, version);
	if (ptx_is(&word, "target"))
		return head(parse, word, target);
	if (ptx_is(&word, "address_size"))
		return head(parse, word, address_size);
	parse->begun = true;
	if (ptx_is(&word, "reg"))
		return registers(parse);
	if (ptx_is(&word, "shared"))
		return variables(parse, &word, PTX_IN_SHARED);
	if (ptx_is(&word, "global"))
		return variables(parse, &word, PTX_IN_GLOBAL);
	if (ptx_is(&word, "const"))
		return variables(parse, &word, PTX_IN_CONST);
	if (ptx_is(&word, "entry"))
		return kernel(parse, &word);
	return ptx_fail(
		parse, word.mark,
		"directive '.%.*s': .version, .target, .address_size, .entry, .reg, .shared, .const and .global are known here",
		ptx_shown(&word), word.text);
}

int ptx_directive(struct ptx_parse *parse)
{
	struct ptx_word word;
	int ret;

	parse->scan.at++;
	do {
		/* Who else sees a name is of no concern here. */
		ret = ptx_identifier(parse, &word, "a directive");
		if (!ret && (ptx_is(&word, "visible") || ptx_is(&word, "extern") ||
			     ptx_is(&word, "weak"))) {
			ret = ptx_expect(parse, '.', "before a directive");
			continue;
		}
		break;
	} while (!ret);
	return ret ? ret : named_directive(parse, word);
}
