// SPDX-License-Identifier: MIT
/* Directives, which precede the instructions, and labels. */
#include <errno.h>
#include <string.h>

#include "parse.h"

#define fail_at(parser, mark, ...) \
	faa_asm_fail((parser)->error, (mark).line, (mark).column, __VA_ARGS__)

/* Up to 40 bytes of a word, for messages. */
#define SHOW(word) (word)->size > 40 ? 40 : (int)(word)->size, (word)->text

static int declaration_at_end(const struct visa_parser *parser)
{
	return faa_scan_peek(&parser->scan) < 0 || visa_at(parser, '\n');
}

static int declaration_keep(struct visa_parser *parser, const struct visa_word *word,
			    uint32_t *place)
{
	return visa_text_add(parser->code, word->text, word->size, place);
}

static int parse_version(struct visa_parser *parser, struct faa_scan_mark mark)
{
	struct faa_scan *scan = &parser->scan;
	uint64_t major, minor;
	char shown[64];

	if (parser->begun)
		return fail_at(parser, mark, ".version must be the first statement");
	if (faa_scan_number(scan, &major) || !faa_scan_take(scan, '.') ||
	    faa_scan_number(scan, &minor))
		return faa_scan_fail(scan, parser->error,
				     "a version such as 3.6 belongs here, not %s",
				     faa_scan_show(scan, shown));
	if (major < 3 || major > 4 || minor > 255)
		return fail_at(parser, mark, "version %llu.%llu: 3 and 4 are known",
			       (unsigned long long)major, (unsigned long long)minor);
	parser->code->major = (uint8_t)major;
	parser->code->minor = (uint8_t)minor;
	return 0;
}

static int parse_kernel(struct visa_parser *parser, struct faa_scan_mark mark)
{
	struct visa_code *code = parser->code;
	struct visa_word word;
	unsigned int class;

	if (code->kernel)
		return fail_at(parser, mark, "a second kernel: a file has one here");
	if (!code->major)
		return fail_at(parser, mark, ".kernel needs .version as the first statement");
	for (class = 0; class < VISA_CLASSES; class ++)
		if (code->variables[class].count)
			return fail_at(parser, mark, ".kernel comes before its declarations");
	if (code->insts.count)
		return fail_at(parser, mark, ".kernel comes before its instructions");
	if (visa_take_text(parser, &word, "the kernel's name"))
		return -EINVAL;
	if (!word.size || word.size > UINT16_MAX)
		return fail_at(parser, word.mark, "a kernel's name has 1 to 65535 bytes");
	code->kernel = true;
	return declaration_keep(parser, &word, &code->name);
}

/* A name, optionally followed by "=value". */
static int declaration_take_attribute(struct visa_parser *parser, struct visa_attribute *attribute)
{
	enum visa_attribute_class class;
	struct visa_word name, text;
	int ret;

	if (visa_take_name(parser, &name, "an attribute"))
		return -EINVAL;
	ret = declaration_keep(parser, &name, &attribute->name);
	if (ret || !visa_at(parser, '='))
		return ret;
	if (visa_take(parser, '=', "'='"))
		return -EINVAL;
	class = visa_attribute_class(visa_text(parser->code, attribute->name));
	if (class == VISA_HAS_NUMBER) {
		attribute->kind = VISA_NUMBER;
		return visa_take_value(parser, UINT32_MAX, &attribute->value,
				       "the attribute's value");
	}
	if (visa_take_text(parser, &text, "the attribute's value"))
		return -EINVAL;
	if (!text.size || text.size > 255)
		return fail_at(parser, text.mark, "the attribute's text has 1 to 255 bytes");
	if (class == VISA_HAS_TARGET && !visa_word_is(&text, "cm") && !visa_word_is(&text, "3d"))
		return fail_at(parser, text.mark, "Target is \"cm\" or \"3d\"");
	attribute->kind = VISA_TEXT;
	if (class == VISA_HAS_TARGET)
		text.text = visa_word_is(&text, "cm") ? "cm" : "3d";
	return declaration_keep(parser, &text, &attribute->text);
}

static int parse_kernel_attribute(struct visa_parser *parser, struct faa_scan_mark mark)
{
	struct visa_attribute attribute = { 0 }, *added;
	int ret;

	if (!parser->code->kernel)
		return fail_at(parser, mark, ".kernel_attr needs a .kernel before it");
	if (parser->code->kernel_attributes.count == UINT16_MAX)
		return fail_at(parser, mark, "a kernel has up to 65535 attributes");
	ret = declaration_take_attribute(parser, &attribute);
	if (ret)
		return ret;
	added = visa_add(&parser->code->kernel_attributes, sizeof(attribute));
	if (!added)
		return -ENOMEM;
	*added = attribute;
	return 0;
}

/* A .decl; @seen has a bit for each part that is present. */
struct declaration {
	struct visa_variable variable;
	unsigned int class;
	unsigned int seen;
	struct faa_scan_mark name_mark;
};

enum { SEEN_CLASS, SEEN_TYPE, SEEN_ELEMENTS, SEEN_ALIGN, SEEN_ALIAS, SEEN_ATTRIBUTES, SEEN_NAME };

static int declaration_take_class(struct visa_parser *parser, struct declaration *declaration)
{
	static const char letters[VISA_CLASSES + 1] = "GAPST";
	struct visa_word word;

	if (visa_take_name(parser, &word, "G, A, P, S or T"))
		return -EINVAL;
	for (declaration->class = 0; declaration->class < VISA_CLASSES; declaration->class ++)
		if (word.size == 1 && word.text[0] == letters[declaration->class])
			return 0;
	return fail_at(parser, word.mark, "v_type is G, A, P, S or T, not '%.*s'", SHOW(&word));
}

static int declaration_take_type(struct visa_parser *parser, struct declaration *declaration)
{
	struct visa_word word;
	uint8_t type;

	if (visa_take_name(parser, &word, "a type"))
		return -EINVAL;
	for (type = 0; type < 16; type++)
		if (visa_types[type].text && visa_word_is(&word, visa_types[type].name)) {
			declaration->variable.type = type;
			return 0;
		}
	return fail_at(parser, word.mark, "'%.*s' is no type of a variable", SHOW(&word));
}

static int declaration_take_align(struct visa_parser *parser, struct declaration *declaration)
{
	struct visa_word word = { .mark = faa_scan_mark(&parser->scan), .text = parser->scan.at };
	uint8_t align;

	/* A digit may begin it: 2GRF. */
	word.size = faa_scan_word(&parser->scan, "");
	for (align = 0; align < VISA_ALIGNS; align++)
		if (visa_word_is(&word, visa_aligns[align].name) ||
		    (visa_aligns[align].other && visa_word_is(&word, visa_aligns[align].other))) {
			declaration->variable.align = align;
			return visa_skip(parser);
		}
	return fail_at(parser, word.mark, "'%.*s' is no alignment", SHOW(&word));
}

/* "<V33, 32>" or "(V33, 32)" */
static int declaration_take_alias(struct visa_parser *parser, struct declaration *declaration)
{
	bool angle = visa_at(parser, '<');
	const struct visa_name_slot *slot;
	struct visa_word word;
	uint32_t offset;

	if (visa_take(parser, angle ? '<' : '(', "'<' and a variable") ||
	    visa_take_name(parser, &word, "a variable"))
		return -EINVAL;
	slot = visa_names_find(&parser->names, parser->code, word.text, word.size, false);
	if (!slot || slot->class != VISA_GENERAL)
		return fail_at(parser, word.mark,
			       "%.*s is no general variable that is declared before", SHOW(&word));
	declaration->variable.alias = slot->number;
	if (visa_take(parser, ',', "',' and an offset in bytes") ||
	    visa_take_value(parser, UINT16_MAX, &offset, "an offset in bytes"))
		return -EINVAL;
	declaration->variable.alias_offset = (uint16_t)offset;
	return visa_take(parser, angle ? '>' : ')', angle ? "'>'" : "')'");
}

/* "{Output, Scope=2}" */
static int declaration_take_attributes(struct visa_parser *parser, struct declaration *declaration)
{
	struct visa_variable *variable = &declaration->variable;
	struct visa_attribute *added;
	int ret;

	variable->attributes = parser->code->attributes.count;
	if (visa_take(parser, '{', "'{'"))
		return -EINVAL;
	for (;;) {
		struct visa_attribute attribute = { 0 };

		if (variable->attribute_count == UINT8_MAX)
			return faa_scan_fail(&parser->scan, parser->error,
					     "a variable has up to 255 attributes");
		ret = declaration_take_attribute(parser, &attribute);
		if (ret)
			return ret;
		added = visa_add(&parser->code->attributes, sizeof(attribute));
		if (!added)
			return -ENOMEM;
		*added = attribute;
		variable->attribute_count++;
		if (!visa_at(parser, ','))
			return visa_take(parser, '}', "',' or '}'");
		if (visa_take(parser, ',', "','"))
			return -EINVAL;
	}
}

static int declaration_take_elements(struct visa_parser *parser, struct declaration *declaration)
{
	uint32_t elements;

	if (visa_take_value(parser, UINT16_MAX, &elements, "a number of elements"))
		return -EINVAL;
	declaration->variable.elements = (uint16_t)elements;
	return 0;
}

/* The name by which a sampler or surface is printed, which must be its own. */
static int declaration_take_shown_name(struct visa_parser *parser, struct declaration *declaration)
{
	struct visa_word word;

	(void)declaration;
	return visa_take_name(parser, &word, "a name");
}

static int declaration_take_part(struct visa_parser *parser, struct declaration *declaration)
{
	static const struct {
		const char *name;
		int (*take)(struct visa_parser *parser, struct declaration *declaration);
	} parts[] = {
		[SEEN_CLASS] = { "v_type", declaration_take_class },
		[SEEN_TYPE] = { "type", declaration_take_type },
		[SEEN_ELEMENTS] = { "num_elts", declaration_take_elements },
		[SEEN_ALIGN] = { "align", declaration_take_align },
		[SEEN_ALIAS] = { "alias", declaration_take_alias },
		[SEEN_ATTRIBUTES] = { "attrs", declaration_take_attributes },
		[SEEN_NAME] = { "v_name", declaration_take_shown_name },
	};
	struct visa_word word;
	unsigned int i;

	if (visa_take_name(parser, &word, "a part of the declaration"))
		return -EINVAL;
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (word.size == strlen(parts[i].name) &&
		    !memcmp(word.text, parts[i].name, word.size))
			break;
	if (i == sizeof(parts) / sizeof(parts[0]))
		return fail_at(
			parser, word.mark,
			"a declaration has v_type, type, num_elts, align, alias and attrs, not '%.*s'",
			SHOW(&word));
	if (declaration->seen & 1u << i)
		return fail_at(parser, word.mark, "duplicate %s", parts[i].name);
	declaration->seen |= 1u << i;
	if (visa_take(parser, '=', "'='"))
		return -EINVAL;
	return parts[i].take(parser, declaration);
}

/* The default alignment is that of the type. */
static uint8_t declaration_natural_align(uint8_t type)
{
	uint8_t align = 0;

	while (visa_aligns[align].bytes < visa_types[type].bytes)
		align++;
	return align;
}

/* Checks that the class has these parts and values. */
static int declaration_check(struct visa_parser *parser, struct declaration *declaration)
{
	static const uint32_t most[VISA_CLASSES] = { UINT32_MAX - VISA_FIRST_GENERAL, UINT16_MAX,
						     4095, UINT8_MAX, UINT8_MAX };
	struct visa_variable *variable = &declaration->variable;
	struct faa_scan_mark mark = declaration->name_mark;
	const unsigned int general = 1u << SEEN_TYPE | 1u << SEEN_ALIGN | 1u << SEEN_ALIAS;

	if (!(declaration->seen & 1u << SEEN_CLASS))
		return fail_at(parser, mark, "the declaration lacks v_type=");
	if (!(declaration->seen & 1u << SEEN_ELEMENTS))
		return fail_at(parser, mark, "the declaration lacks num_elts=");
	if (parser->code->variables[declaration->class].count >= most[declaration->class])
		return fail_at(parser, mark, "too many variables of this v_type: up to %u",
			       most[declaration->class]);
	if (declaration->class != VISA_GENERAL) {
		if (declaration->seen & general)
			return fail_at(parser, mark, "v_type=G alone has type=, align= and alias=");
		if (!variable->elements)
			return fail_at(parser, mark, "the variable has no elements");
		if (declaration->class == VISA_PREDICATE && variable->elements > 32)
			return fail_at(parser, mark, "a predicate has up to 32 elements");
		return 0;
	}
	if (!(declaration->seen & 1u << SEEN_TYPE))
		return fail_at(parser, mark, "the declaration lacks type=");
	if (!(declaration->seen & 1u << SEEN_ALIGN))
		variable->align = declaration_natural_align(variable->type);
	return visa_check_variable(parser->code, variable, mark.line, mark.column, parser->error);
}

static int parse_decl(struct visa_parser *parser, struct faa_scan_mark mark)
{
	struct declaration declaration = { 0 };
	struct visa_variable *added;
	struct visa_array *array;
	struct visa_word word;
	int ret;

	if (parser->code->insts.count)
		return fail_at(parser, mark, "declarations come before the instructions");
	if (visa_take_name(parser, &word, "a variable's name"))
		return -EINVAL;
	declaration.name_mark = word.mark;
	if (visa_names_find(&parser->names, parser->code, word.text, word.size, false))
		return fail_at(parser, word.mark, "%.*s is declared already", SHOW(&word));
	ret = declaration_keep(parser, &word, &declaration.variable.name);
	while (!ret && !declaration_at_end(parser))
		ret = declaration_take_part(parser, &declaration);
	if (!ret)
		ret = declaration_check(parser, &declaration);
	if (ret)
		return ret;
	array = &parser->code->variables[declaration.class];
	added = visa_add(array, sizeof(*added));
	if (!added)
		return -ENOMEM;
	*added = declaration.variable;
	return visa_names_add(&parser->names, parser->code, added->name, declaration.class,
			      visa_first((enum visa_class)declaration.class) + array->count - 1);
}

/* "offset=32 size=64"; the default size is that of the variable. */
static int declaration_take_input_parts(struct visa_parser *parser, struct visa_input *input,
					struct faa_scan_mark mark)
{
	bool has_offset = false, has_size = false;
	struct visa_word word;
	uint32_t value;

	while (!declaration_at_end(parser)) {
		bool offset;

		if (visa_take_name(parser, &word, "offset= or size="))
			return -EINVAL;
		offset = word.size == 6 && !memcmp(word.text, "offset", 6);
		if ((!offset && (word.size != 4 || memcmp(word.text, "size", 4) != 0)) ||
		    (offset ? has_offset : has_size))
			return fail_at(parser, word.mark,
				       "an input has offset= and size=, each once, not '%.*s'",
				       SHOW(&word));
		if (visa_take(parser, '=', "'='") ||
		    visa_take_value(parser, UINT16_MAX, &value, "a number of bytes"))
			return -EINVAL;
		*(offset ? &input->offset : &input->size) = (uint16_t)value;
		*(offset ? &has_offset : &has_size) = true;
	}
	if (!has_offset)
		return fail_at(parser, mark, "the input lacks offset=");
	if (!has_size && input->class == VISA_GENERAL)
		input->size =
			(uint16_t)visa_bytes(visa_find(parser->code, VISA_GENERAL, input->number));
	else if (!has_size)
		input->size = 4;
	return 0;
}

static int parse_input(struct visa_parser *parser, struct faa_scan_mark mark)
{
	const struct visa_name_slot *slot;
	struct visa_input input = { 0 }, *added;
	struct visa_word word;
	int ret;

	if (!parser->code->kernel)
		return fail_at(parser, mark, ".input needs a .kernel before it");
	if (visa_take_name(parser, &word, "a variable"))
		return -EINVAL;
	slot = visa_names_find(&parser->names, parser->code, word.text, word.size, false);
	parser->undefined = !slot;
	if (!slot)
		return fail_at(parser, word.mark, "%.*s: undefined variable", SHOW(&word));
	if (slot->class == VISA_PREDICATE || slot->class == VISA_ADDRESS)
		return fail_at(
			parser, word.mark,
			"%.*s cannot be an input: general variables, samplers and surfaces can",
			SHOW(&word));
	input.class = slot->class;
	input.number = slot->number;
	ret = declaration_take_input_parts(parser, &input, word.mark);
	if (!ret)
		ret = visa_check_input(parser->code, &input, word.mark.line, word.mark.column,
				       parser->error);
	if (ret)
		return ret;
	added = visa_add(&parser->code->inputs, sizeof(input));
	if (!added)
		return -ENOMEM;
	*added = input;
	return 0;
}

/* L<n> is label number n where labels are not declared; other names get the next free number. */
static uint32_t declaration_label_number(struct visa_parser *parser, const struct visa_word *word,
					 bool *named)
{
	const struct visa_array *labels = &parser->code->labels;
	int64_t number = parser->code->kernel ? -1 : visa_numbered(word, 'L');

	*named = number < 0 || number > UINT16_MAX;
	if (!*named)
		return (uint32_t)number;
	while (parser->next_label < labels->count &&
	       visa_labels(parser->code)[parser->next_label].kind)
		parser->next_label++;
	return parser->next_label;
}

/*
 * The reference tool repeats the name of a function as a label after .function: both are one label.
 */
static bool declaration_names_function(const struct visa_parser *parser, uint32_t number)
{
	const struct visa_array *insts = &parser->code->insts;
	const struct visa_inst *last = insts->count ? &visa_insts(parser->code)[insts->count - 1] :
						      NULL;

	return last && last->opcode == VISA_SUBROUTINE && last->label == number;
}

int visa_parse_label(struct visa_parser *parser, const struct visa_word *word, uint8_t kind)
{
	const struct visa_name_slot *slot;
	struct visa_inst *inst;
	uint32_t number, name;
	bool named;
	int ret;

	slot = visa_names_find(&parser->names, parser->code, word->text, word->size, true);
	if (slot && kind == VISA_LABEL && declaration_names_function(parser, slot->number))
		return 0;
	if (slot)
		return fail_at(parser, word->mark, "duplicate label %.*s", SHOW(word));
	number = declaration_label_number(parser, word, &named);
	if (number > UINT16_MAX)
		return fail_at(parser, word->mark, "there are up to 65536 labels");
	ret = declaration_keep(parser, word, &name);
	if (!ret)
		ret = visa_label_put(parser->code, number, kind, named ? name : 0);
	if (ret == -EEXIST)
		return fail_at(parser, word->mark, "duplicate label number %u", number);
	if (!ret)
		ret = visa_names_add(&parser->names, parser->code, name, VISA_NAME_LABEL, number);
	inst = ret ? NULL : visa_add(&parser->code->insts, sizeof(*inst));
	if (!inst)
		return -ENOMEM;
	inst->opcode = kind;
	inst->label = (uint16_t)number;
	inst->line = word->mark.line;
	return 0;
}

static int parse_function(struct visa_parser *parser, struct faa_scan_mark mark)
{
	struct visa_word word;

	(void)mark;
	if (visa_take_text(parser, &word, "the function's name"))
		return -EINVAL;
	if (!word.size)
		return fail_at(parser, word.mark, "the function's name is empty");
	return visa_parse_label(parser, &word, VISA_SUBROUTINE);
}

int visa_parse_directive(struct visa_parser *parser)
{
	static const struct {
		const char *name;
		int (*parse)(struct visa_parser *parser, struct faa_scan_mark mark);
	} directives[] = {
		{ "version", parse_version },
		{ "kernel", parse_kernel },
		{ "decl", parse_decl },
		{ "input", parse_input },
		{ "kernel_attr", parse_kernel_attribute },
		{ "function", parse_function },
	};
	struct faa_scan_mark mark = faa_scan_mark(&parser->scan);
	struct visa_word word;
	unsigned int i;

	parser->scan.at++;
	if (visa_take_name(parser, &word, "the name of a directive"))
		return -EINVAL;
	for (i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (word.size == strlen(directives[i].name) &&
		    !memcmp(word.text, directives[i].name, word.size))
			return directives[i].parse(parser, mark);
	for (i = 0; i < sizeof(visa_foreign_directives) / sizeof(visa_foreign_directives[0]); i++)
		if (visa_word_is(&word, visa_foreign_directives[i]))
			return fail_at(parser, mark, FAA_ASM_UNSUPPORTED "directive '.%.*s'",
				       SHOW(&word));
	return fail_at(
		parser, mark,
		"'.%.*s' is no directive of vISA; those that are read are .version, .kernel, "
		".decl, .input, .kernel_attr and .function",
		SHOW(&word));
}
