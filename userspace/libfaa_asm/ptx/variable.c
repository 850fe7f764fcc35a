// SPDX-License-Identifier: MIT
/* Variables in state spaces with their initial values, and parameters of kernels. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

/* Bytes of all initial values of a text. */
#define MOST_DATA (16u << 20)
/* Dimensions of an array. */
#define MOST_DIMENSIONS 4u

/** struct ptx_array - a variable that is being declared */
struct ptx_array {
	struct ptx_symbol *symbol;
	/** @sizes: elements of each dimension; if the first one is 0: unknown. */
	uint64_t sizes[MOST_DIMENSIONS];
	unsigned int dimensions;
};

int ptx_type_word(struct ptx_parse *parse, const char *what, unsigned int *type)
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
		return ptx_unsupported(parse, word.mark, "the device has no 128-bit registers");
	*type = (unsigned int)found;
	return 0;
}

static int ptx_add_symbol(struct ptx_parse *parse, const struct ptx_word *word,
			  struct ptx_symbol symbol)
{
	struct ptx_code *code = parse->code;
	struct ptx_symbol *grown =
		ptx_grow(code->symbols, code->symbol_count, &code->symbol_capacity, sizeof(*grown));
	int64_t name;

	if (!grown)
		return -ENOMEM;
	code->symbols = grown;
	name = ptx_names_add(&code->names, parse->scope, word->text, word->size, PTX_NAME_SYMBOL,
			     (uint32_t)code->symbol_count);
	if (name < 0)
		return (int)name;
	symbol.name = (uint32_t)name;
	grown[code->symbol_count++] = symbol;
	return 0;
}

/*
 * Shared variables are placed in the order of their declarations: those outside of kernels first,
 * then those of the kernel. An array of unknown size follows all others.
 */
static int ptx_place_shared(struct ptx_parse *parse, const struct ptx_word *word,
			    struct ptx_symbol *symbol)
{
	struct ptx_kernel *kernel = parse->kernel;
	uint32_t *end = kernel ? &kernel->shared_bytes : &parse->code->shared_bytes;
	uint64_t at = ((uint64_t)*end + symbol->align - 1) / symbol->align * symbol->align;

	if (at + ptx_symbol_bytes(symbol) > FAA_SHARED_WINDOW_BYTES)
		return ptx_fail(parse, word->mark, "'%.*s' ends beyond the %u MiB of shared memory",
				ptx_shown(word), word->text,
				(unsigned int)(FAA_SHARED_WINDOW_BYTES >> 20));
	if (kernel && symbol->align > kernel->shared_align)
		kernel->shared_align = symbol->align;
	symbol->address = (uint32_t)at;
	if (symbol->elements != PTX_UNKNOWN_SIZE)
		*end = (uint32_t)(at + ptx_symbol_bytes(symbol));
	return 0;
}

/* [N], [N][M], [] or nothing. */
static int ptx_array_size(struct ptx_parse *parse, struct ptx_array *array)
{
	uint64_t elements = 1;
	int64_t size;
	bool more;
	int ret = ptx_take(parse, '[', &more);

	while (!ret && more) {
		if (array->dimensions == MOST_DIMENSIONS)
			return faa_scan_fail(&parse->scan, parse->error,
					     FAA_ASM_UNSUPPORTED "an array has up to %u dimensions",
					     MOST_DIMENSIONS);
		size = 0;
		ret = ptx_take(parse, ']', &more);
		if (!ret && !more) {
			ret = ptx_integer(parse, 1, FAA_SHARED_WINDOW_BYTES,
					  "the number of elements", &size);
			if (!ret)
				ret = ptx_expect(parse, ']', "after the number of elements");
		} else if (!ret && array->dimensions) {
			ret = faa_scan_fail(&parse->scan, parse->error,
					    "the first dimension alone may be unknown");
		}
		array->sizes[array->dimensions++] = (uint64_t)size;
		elements *= (uint64_t)size;
		if (!ret && elements > FAA_SHARED_WINDOW_BYTES)
			ret = faa_scan_fail(&parse->scan, parse->error,
					    FAA_ASM_UNSUPPORTED "an array has up to %u elements",
					    (unsigned int)FAA_SHARED_WINDOW_BYTES);
		if (!ret)
			ret = ptx_take(parse, '[', &more);
	}
	if (array->dimensions)
		array->symbol->elements = elements ? (uint32_t)elements : PTX_UNKNOWN_SIZE;
	return ret;
}

/* ------------------------------------------------------------------------------------------------
 * Initial values
 */

static int ptx_put_value(struct ptx_parse *parse, struct ptx_symbol *symbol, uint64_t element,
			 uint64_t bits)
{
	struct ptx_code *code = parse->code;
	size_t bytes = ptx_types[symbol->type].bits / 8,
	       end = symbol->initial + (size_t)(element + 1) * bytes, capacity, i;
	uint8_t *grown;

	if (end > MOST_DATA)
		return faa_scan_fail(&parse->scan, parse->error,
				     FAA_ASM_UNSUPPORTED "initial values of more than %u bytes",
				     MOST_DATA);
	if (end > code->data_capacity) {
		capacity = end < MOST_DATA / 2 ? 2 * end : MOST_DATA;
		grown = realloc(code->data, capacity);
		if (!grown)
			return -ENOMEM;
		code->data = grown;
		code->data_capacity = capacity;
	}
	if (end > code->data_size) {
		memset(code->data + code->data_size, 0, end - code->data_size);
		code->data_size = end;
		symbol->initial_bytes = end - symbol->initial;
	}
	for (i = 0; i < bytes; i++)
		code->data[end - bytes + i] = (uint8_t)(bits >> (8 * i));
	return 0;
}

static int ptx_one_value(struct ptx_parse *parse, struct ptx_symbol *symbol, uint64_t element)
{
	uint64_t bits;
	int ret = ptx_blank(parse);

	if (ret)
		return ret;
	if (!ptx_at_constant(parse)) {
		struct faa_scan_mark mark = faa_scan_mark(&parse->scan);
		struct ptx_word word;

		ret = ptx_identifier(parse, &word, "a constant");
		return ret ? ret :
			     ptx_unsupported(parse, mark,
					     "the address of '%.*s' as an initial value",
					     ptx_shown(&word), word.text);
	}
	ret = ptx_constant(parse, symbol->type, &bits);
	return ret ? ret : ptx_put_value(parse, symbol, element, bits);
}

/*
 * { 1, 2 } for one dimension, { { 1, 2 }, { 3 } } for two. @first is the first element of the list.
 */
static int ptx_values(struct ptx_parse *parse, const struct ptx_array *array,
		      unsigned int dimension, uint64_t first, uint64_t *count)
{
	uint64_t step = 1, most = array->sizes[dimension], i, inner;
	unsigned int d;
	bool more = true;
	int ret = ptx_expect(parse, '{', "before initial values");

	for (d = dimension + 1; d < array->dimensions; d++)
		step *= array->sizes[d];
	for (i = 0; !ret && more; i++) {
		ret = ptx_blank(parse);
		if (ret)
			return ret;
		if (most && i == most)
			return faa_scan_fail(&parse->scan, parse->error,
					     "there are more initial values than elements");
		if (dimension + 1 < array->dimensions)
			ret = ptx_values(parse, array, dimension + 1, first + i * step, &inner);
		else
			ret = ptx_one_value(parse, array->symbol, first + i);
		if (!ret)
			ret = ptx_take(parse, ',', &more);
	}
	*count = i;
	return ret ? ret : ptx_expect(parse, '}', "after initial values");
}

static int ptx_initial(struct ptx_parse *parse, const struct ptx_word *word,
		       struct ptx_array *array)
{
	struct ptx_symbol *symbol = array->symbol;
	uint64_t count = 0, inner = 1;
	unsigned int d;
	int ret;

	if (symbol->space == PTX_IN_SHARED)
		return ptx_fail(parse, word->mark,
				"'%.*s' is shared, and cannot have initial values", ptx_shown(word),
				word->text);
	symbol->initial = parse->code->data_size;
	if (!array->dimensions)
		return ptx_one_value(parse, symbol, 0);
	ret = ptx_values(parse, array, 0, 0, &count);
	for (d = 1; d < array->dimensions; d++)
		inner *= array->sizes[d];
	if (!ret && symbol->elements == PTX_UNKNOWN_SIZE)
		symbol->elements = (uint32_t)(count * inner);
	return ret;
}

/* ------------------------------------------------------------------------------------------------
 * Declarations
 */

static int ptx_variable_item(struct ptx_parse *parse, struct ptx_symbol symbol)
{
	struct ptx_array array = { .symbol = &symbol };
	struct ptx_word word;
	bool begins = false;
	int ret = ptx_identifier(parse, &word, "the name of a variable");

	if (!ret)
		ret = ptx_is_new(parse, &word);
	if (!ret)
		ret = ptx_array_size(parse, &array);
	if (!ret)
		ret = ptx_take(parse, '=', &begins);
	if (!ret && begins)
		ret = ptx_initial(parse, &word, &array);
	if (!ret && symbol.space == PTX_IN_SHARED)
		ret = ptx_place_shared(parse, &word, &symbol);
	return ret ? ret : ptx_add_symbol(parse, &word, symbol);
}

int ptx_alignment(struct ptx_parse *parse, uint32_t *align)
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

int ptx_variables(struct ptx_parse *parse, const struct ptx_word *word, unsigned int space)
{
	struct ptx_symbol symbol = { .space = (uint8_t)space };
	unsigned int type = 0;
	bool more = true;
	int ret = ptx_alignment(parse, &symbol.align);

	if (space != PTX_IN_SHARED && parse->depth)
		return ptx_unsupported(parse, word->mark,
				       "variables of .%.*s are declared outside of inner blocks",
				       ptx_shown(word), word->text);
	if (!ret)
		ret = ptx_type_word(parse, "before the type of the variables", &type);
	if (!ret && type == PTX_PRED)
		ret = ptx_fail(parse, word->mark, "predicates are registers");
	symbol.type = (uint8_t)type;
	if (!ret && !symbol.align)
		symbol.align = ptx_types[type].bits / 8;
	while (!ret && more) {
		ret = ptx_variable_item(parse, symbol);
		if (!ret)
			ret = ptx_take(parse, ',', &more);
	}
	return ret ? ret : ptx_expect(parse, ';', "at the end of the declaration");
}

/* .ptr .space .align N: hints for compilers, ignored. */
static int ptx_pointer_hints(struct ptx_parse *parse)
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
	return ret ? ret : ptx_alignment(parse, &align);
}

/* .param .type NAME, or .param .align N .b8 NAME[N]: a structure, which lies in memory. */
static int ptx_parameter(struct ptx_parse *parse)
{
	struct ptx_symbol symbol = { .space = PTX_IN_PARAM };
	struct ptx_array array = { .symbol = &symbol };
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
		ret = ptx_alignment(parse, &symbol.align);
	if (!ret)
		ret = ptx_type_word(parse, "before the type of the parameter", &type);
	if (!ret)
		ret = ptx_pointer_hints(parse);
	if (!ret)
		ret = ptx_identifier(parse, &word, "the name of a parameter");
	if (!ret)
		ret = ptx_is_new(parse, &word);
	if (!ret && type == PTX_PRED)
		ret = ptx_fail(parse, word.mark, "parameter '%.*s': predicates are registers",
			       ptx_shown(&word), word.text);
	if (ret)
		return ret;
	symbol.type = (uint8_t)type;
	ret = ptx_array_size(parse, &array);
	if (!ret && symbol.elements == PTX_UNKNOWN_SIZE)
		ret = ptx_fail(parse, word.mark, "parameter '%.*s' has no size", ptx_shown(&word),
			       word.text);
	if (!symbol.align)
		symbol.align = ptx_types[type].bits / 8;
	return ret ? ret : ptx_add_symbol(parse, &word, symbol);
}

int ptx_parameters(struct ptx_parse *parse)
{
	bool more;
	int ret = ptx_take(parse, '(', &more);

	if (ret || !more)
		return ret;
	ret = ptx_take(parse, ')', &more);
	if (ret || more)
		return ret;
	do {
		ret = ptx_parameter(parse);
		if (!ret)
			ret = ptx_take(parse, ',', &more);
	} while (!ret && more);
	return ret ? ret : ptx_expect(parse, ')', "after the parameters");
}

/* ------------------------------------------------------------------------------------------------
 * Memory that the caller provides
 */

/* Whether a symbol is visible in the kernel, and gets its address from the environment. */
static bool ptx_needs_memory(const struct ptx_code *code, const struct ptx_symbol *symbol)
{
	uint32_t scope = code->names.entries[symbol->name].scope;

	if (scope && scope != ptx_chosen(code)->scope)
		return false;
	return symbol->space == PTX_IN_GLOBAL || symbol->space == PTX_IN_CONST ||
	       ptx_is_aggregate(symbol);
}

bool ptx_variable(const struct faa_asm_code *common, size_t index,
		  struct faa_asm_variable *variable)
{
	const struct ptx_code *code = (const struct ptx_code *)common;
	size_t i;

	for (i = 0; i < code->symbol_count; i++) {
		const struct ptx_symbol *symbol = &code->symbols[i];

		if (!ptx_needs_memory(code, symbol) || index--)
			continue;
		*variable = (struct faa_asm_variable){
			.name = ptx_names_text(&code->names, symbol->name),
			.bytes = ptx_symbol_bytes(symbol),
			.align = symbol->align,
			.initial = symbol->initial_bytes ? code->data + symbol->initial : NULL,
			.initial_bytes = symbol->initial_bytes,
		};
		return true;
	}
	return false;
}
