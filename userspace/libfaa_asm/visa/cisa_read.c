// SPDX-License-Identifier: MIT
/*
 * Reads a CISA file with one kernel: versions 3.4 to 4.x, which have 32-bit numbers of variables.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "visa.h"

/* Reader of the file. After the end it returns zeros, and @short_of names the missing part. */
struct reader {
	const uint8_t *bytes;
	size_t size;
	size_t at;
	const char *short_of;
	struct visa_code *code;
	struct visa_names names;
	struct faa_asm_error *error;
	/* Offset of each string of the kernel. */
	uint32_t *strings;
	uint32_t string_count;
};

/* Offset and size of a kernel in the file. */
struct kernel_place {
	uint32_t offset;
	uint32_t size;
};

static int read_fail(struct reader *reader, const char *what)
{
	return faa_asm_fail(reader->error, 0, 0, "byte %zu: %s", reader->at, what);
}

static uint32_t read_get(struct reader *reader, unsigned int count, const char *what)
{
	uint32_t value = 0;
	unsigned int i;

	if (reader->size - reader->at < count) {
		if (!reader->short_of)
			reader->short_of = what;
		return 0;
	}
	for (i = 0; i < count; i++)
		value |= (uint32_t)reader->bytes[reader->at++] << 8 * i;
	return value;
}

static int read_check_end(struct reader *reader)
{
	if (!reader->short_of)
		return 0;
	return faa_asm_fail(reader->error, 0, 0, "byte %zu: the file ends in the %s", reader->at,
			    reader->short_of);
}

static int read_version(struct reader *reader)
{
	struct visa_code *code = reader->code;

	if (reader->size < 4 || memcmp(reader->bytes, "CISA", 4))
		return read_fail(reader, "this is no CISA file: it does not begin with CISA");
	reader->at = 4;
	code->major = (uint8_t)read_get(reader, 1, "version");
	code->minor = (uint8_t)read_get(reader, 1, "version");
	if (reader->short_of)
		return read_check_end(reader);
	if (code->major == 3 && code->minor < 4)
		return faa_asm_fail(
			reader->error, 0, 0,
			"version 3.%u has 16-bit numbers of variables and other masks: 3.4 to 4.x are known",
			code->minor);
	if (code->major != 3 && code->major != 4)
		return faa_asm_fail(reader->error, 0, 0, "version %u.%u: 3.4 to 4.x are known",
				    code->major, code->minor);
	return 0;
}

static int read_check_text(struct reader *reader, const uint8_t *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (text[i] < ' ' || text[i] == '"' || text[i] == 0x7f)
			return faa_asm_fail(reader->error, 0, 0,
					    "byte %zu: a name with a byte 0x%02x",
					    (size_t)(text + i - reader->bytes), text[i]);
	return 0;
}

/* Reads the kernel's record in the header of the file. */
static int read_record(struct reader *reader, struct kernel_place *place)
{
	uint32_t size = read_get(reader, visa_name_bytes(reader->code), "kernel's name"), sections,
		 relocations;
	int ret;

	if (!size || reader->short_of || reader->size - reader->at < size)
		return read_fail(reader, "the kernel has no name");
	ret = read_check_text(reader, reader->bytes + reader->at, size);
	if (!ret)
		ret = visa_text_add(reader->code, (const char *)reader->bytes + reader->at, size,
				    &reader->code->name);
	if (ret)
		return ret;
	reader->code->kernel = true;
	reader->at += size;
	place->offset = read_get(reader, 4, "header");
	place->size = read_get(reader, 4, "header");
	/* Offset of the inputs, which follows from the preceding parts. */
	read_get(reader, 4, "header");
	relocations = read_get(reader, 2, "header");
	relocations |= relocations ? 0 : read_get(reader, 2, "header");
	if (relocations)
		return read_fail(reader, FAA_ASM_UNSUPPORTED "relocations");
	/* Machine code of other processors is skipped. */
	for (sections = read_get(reader, 1, "header"); sections; sections--) {
		read_get(reader, 1, "list of machine code");
		read_get(reader, 4, "list of machine code");
		read_get(reader, 4, "list of machine code");
	}
	if (read_get(reader, 2, "header"))
		return read_fail(reader, FAA_ASM_UNSUPPORTED "variables of the whole file");
	if (read_get(reader, 2, "header"))
		return read_fail(reader, FAA_ASM_UNSUPPORTED "functions beside the kernel");
	return read_check_end(reader);
}

static int read_header(struct reader *reader, struct kernel_place *place)
{
	uint32_t kernels;
	int ret;

	ret = read_version(reader);
	if (ret)
		return ret;
	kernels = read_get(reader, 2, "header");
	if (kernels != 1)
		return faa_asm_fail(reader->error, 0, 0,
				    "byte 6: %u kernels: only one is supported", kernels);
	ret = read_record(reader, place);
	if (ret)
		return ret;
	if (place->offset > reader->size || reader->size - place->offset < place->size)
		return read_fail(reader, "the kernel lies beyond the end of the file");
	return 0;
}

static int read_strings(struct reader *reader)
{
	uint32_t count = read_get(reader, 4, "number of strings"), i;

	if (count > reader->size - reader->at)
		return read_fail(reader, "more strings than bytes");
	reader->strings = calloc(count + 1, sizeof(*reader->strings));
	if (!reader->strings)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		const uint8_t *start = reader->bytes + reader->at;
		const uint8_t *end = memchr(start, 0, reader->size - reader->at);

		if (!end)
			return read_fail(reader, "a string has no end");
		reader->strings[i] = (uint32_t)reader->at;
		reader->at += (size_t)(end - start) + 1;
	}
	reader->string_count = count;
	return 0;
}

/* Adds string @index to the pool. */
static int read_name(struct reader *reader, bool identifier, uint32_t *name)
{
	uint32_t index = read_get(reader, 4, "name");
	const char *text;
	int ret;

	if (reader->short_of)
		return read_check_end(reader);
	if (index >= reader->string_count)
		return read_fail(reader, "the number of a string that is not there");
	text = (const char *)reader->bytes + reader->strings[index];
	if (identifier && !visa_is_name(text))
		return read_fail(reader,
				 "a name that no text can hold: letters, digits and '_' can be");
	ret = read_check_text(reader, (const uint8_t *)text, strlen(text));
	if (!ret && !text[0])
		return read_fail(reader, "a name is empty");
	return ret ? ret : visa_text_add(reader->code, text, strlen(text), name);
}

static int read_declare(struct reader *reader, uint32_t name, unsigned int class, uint32_t number)
{
	const char *text = visa_text(reader->code, name);

	if (visa_names_find(&reader->names, reader->code, text, strlen(text),
			    class == VISA_NAME_LABEL))
		return faa_asm_fail(reader->error, 0, 0, "byte %zu: %s is declared twice",
				    reader->at, text);
	return visa_names_add(&reader->names, reader->code, name, class, number);
}

static int read_target(struct reader *reader, uint32_t size, struct visa_attribute *attribute)
{
	uint32_t target = size == 1 || size == 4 ? read_get(reader, size, "attribute") : 2;

	if (target > 1)
		return read_fail(reader, "Target is 0 or 1");
	attribute->kind = VISA_TEXT;
	return visa_text_add(reader->code, target ? "3d" : "cm", 2, &attribute->text);
}

static int read_attribute_text(struct reader *reader, uint32_t size,
			       struct visa_attribute *attribute)
{
	const uint8_t *bytes = reader->bytes + reader->at;

	reader->at += size;
	/* Text may include its terminating 0. */
	if (!bytes[size - 1])
		size--;
	if (!size)
		return 0;
	attribute->kind = VISA_TEXT;
	if (read_check_text(reader, bytes, size))
		return -EINVAL;
	return visa_text_add(reader->code, (const char *)bytes, size, &attribute->text);
}

/* Reads the value of an attribute; all @size bytes are present. */
static int read_value(struct reader *reader, uint32_t size, struct visa_attribute *attribute)
{
	if (!size)
		return 0;
	switch (visa_attribute_class(visa_text(reader->code, attribute->name))) {
	case VISA_HAS_TARGET:
		return read_target(reader, size, attribute);
	case VISA_HAS_TEXT:
		return read_attribute_text(reader, size, attribute);
	default:
		if (size != 1 && size != 2 && size != 4)
			return read_fail(reader, "the value of an attribute has 1, 2 or 4 bytes");
		attribute->kind = VISA_NUMBER;
		attribute->value = read_get(reader, size, "attribute");
		return 0;
	}
}

static int read_attributes(struct reader *reader, uint32_t count, struct visa_array *array)
{
	while (count--) {
		struct visa_attribute attribute = { 0 }, *added;
		uint32_t size;
		int ret;

		ret = read_name(reader, true, &attribute.name);
		if (ret)
			return ret;
		size = read_get(reader, 1, "attribute");
		if (reader->short_of || reader->size - reader->at < size)
			return read_fail(reader, "the file ends in an attribute");
		ret = read_value(reader, size, &attribute);
		if (ret)
			return ret;
		added = visa_add(array, sizeof(attribute));
		if (!added)
			return -ENOMEM;
		*added = attribute;
	}
	return 0;
}

/* The part that only general variables have. */
static int read_general(struct reader *reader, struct visa_variable *variable)
{
	uint32_t kind = read_get(reader, 1, "variable");

	variable->type = kind & 15;
	variable->align = (uint8_t)(kind >> 4);
	variable->elements = (uint16_t)read_get(reader, 2, "variable");
	variable->alias = read_get(reader, 4, "variable");
	variable->alias_offset = (uint16_t)read_get(reader, 2, "variable");
	if (read_get(reader, 1, "variable"))
		return read_fail(reader,
				 FAA_ASM_UNSUPPORTED "an alias of a variable of the whole file");
	return visa_check_variable(reader->code, variable, 0, 0, reader->error);
}

static int read_other(struct reader *reader, unsigned int class, struct visa_variable *variable)
{
	variable->elements = (uint16_t)read_get(reader, 2, "variable");
	if (reader->short_of)
		return read_check_end(reader);
	if (!variable->elements || (class == VISA_PREDICATE && variable->elements > 32))
		return read_fail(reader, "a variable with that many elements");
	return 0;
}

static int read_variable(struct reader *reader, unsigned int class)
{
	struct visa_array *array = &reader->code->variables[class];
	struct visa_variable variable = { 0 }, *added;
	int ret;

	ret = read_name(reader, true, &variable.name);
	if (!ret)
		ret = class == VISA_GENERAL ? read_general(reader, &variable) :
					      read_other(reader, class, &variable);
	if (!ret)
		ret = read_declare(reader, variable.name, class,
				   visa_first((enum visa_class) class) + array->count);
	if (ret)
		return ret;
	variable.attributes = reader->code->attributes.count;
	variable.attribute_count = (uint8_t)read_get(reader, 1, "variable");
	ret = read_attributes(reader, variable.attribute_count, &reader->code->attributes);
	if (ret)
		return ret;
	added = visa_add(array, sizeof(variable));
	if (!added)
		return -ENOMEM;
	*added = variable;
	return read_check_end(reader);
}

static int read_variables(struct reader *reader, unsigned int class, unsigned int count_bytes)
{
	uint32_t count = read_get(reader, count_bytes, "number of variables");

	while (count--) {
		int ret = read_variable(reader, class);

		if (ret)
			return ret;
	}
	return read_check_end(reader);
}

static int read_labels(struct reader *reader)
{
	uint32_t count = read_get(reader, 2, "number of labels"), number, kind, name;
	int ret;

	for (number = 0; number < count; number++) {
		size_t at = reader->at + 4;

		/* A block's name precedes a colon in text, a function's is in quotes. */
		ret = read_name(reader, at < reader->size && !reader->bytes[at], &name);
		if (ret)
			return ret;
		kind = read_get(reader, 1, "label");
		if (kind > 1)
			return read_fail(reader,
					 "a label that is neither a block's nor a subroutine's");
		if (read_get(reader, 1, "label"))
			return read_fail(reader, FAA_ASM_UNSUPPORTED "attributes of a label");
		ret = read_declare(reader, name, VISA_NAME_LABEL, number);
		if (!ret)
			ret = visa_label_put(reader->code, number,
					     kind ? VISA_SUBROUTINE : VISA_LABEL, name);
		if (ret)
			return ret;
	}
	return read_check_end(reader);
}

static int read_input(struct reader *reader)
{
	static const uint8_t classes[] = { VISA_GENERAL, VISA_SAMPLER, VISA_SURFACE };
	uint32_t kind = read_get(reader, 1, "input");
	struct visa_input input, *added;
	int ret;

	input.number = read_get(reader, 4, "input");
	input.offset = (uint16_t)read_get(reader, 2, "input");
	input.size = (uint16_t)read_get(reader, 2, "input");
	if (reader->short_of)
		return read_check_end(reader);
	if (kind >= sizeof(classes))
		return read_fail(reader, FAA_ASM_UNSUPPORTED "an implicit input");
	input.class = classes[kind];
	ret = visa_check_input(reader->code, &input, 0, 0, reader->error);
	if (ret)
		return ret;
	added = visa_add(&reader->code->inputs, sizeof(input));
	if (!added)
		return -ENOMEM;
	*added = input;
	return 0;
}

static int read_inputs(struct reader *reader)
{
	uint32_t count = read_get(reader, visa_input_bytes(reader->code), "number of inputs");

	while (count--) {
		int ret = read_input(reader);

		if (ret)
			return ret;
	}
	return read_check_end(reader);
}

/* Reads everything before the instructions. */
static int read_declarations(struct reader *reader)
{
	uint32_t name;
	int ret;

	ret = read_strings(reader);
	if (!ret)
		ret = read_name(reader, false, &name);
	if (!ret)
		ret = read_variables(reader, VISA_GENERAL, 4);
	if (!ret)
		ret = read_variables(reader, VISA_ADDRESS, 2);
	if (!ret)
		ret = read_variables(reader, VISA_PREDICATE, 2);
	if (!ret)
		ret = read_labels(reader);
	if (!ret)
		ret = read_variables(reader, VISA_SAMPLER, 1);
	if (!ret)
		ret = read_variables(reader, VISA_SURFACE, 1);
	if (!ret && read_get(reader, 1, "number of VME variables"))
		return read_fail(reader, FAA_ASM_UNSUPPORTED "VME variables");
	return ret ? ret : read_inputs(reader);
}

static int read_insts(struct reader *reader, uint32_t entry, uint32_t size)
{
	int ret = 0;

	if (entry != reader->at)
		return read_fail(reader, "the instructions do not follow the attributes");
	if (size != reader->size - reader->at)
		return faa_asm_fail(
			reader->error, 0, 0,
			"byte %zu: %u bytes of instructions, but %zu are left of the kernel",
			reader->at, size, reader->size - reader->at);
	while (!ret && reader->at < reader->size) {
		size_t used;

		ret = visa_decode(reader->code, reader->bytes + reader->at,
				  reader->size - reader->at, &used, reader->code->insts.count + 1,
				  reader->error);
		reader->at += used;
	}
	return ret;
}

static bool read_is_label(const struct visa_inst *inst)
{
	return inst->opcode == VISA_LABEL || inst->opcode == VISA_SUBROUTINE;
}

/*
 * Numbers labels in the order of their placement, as in text; labels that are not placed are
 * dropped.
 */
static int read_number_labels(struct visa_code *code, struct faa_asm_error *error)
{
	struct visa_array labels = { 0 };
	struct visa_label *added;
	uint32_t i;

	for (i = 0; i < code->insts.count; i++) {
		struct visa_inst *inst = &visa_insts(code)[i];
		struct visa_label *label;

		if (!read_is_label(inst))
			continue;
		label = &visa_labels(code)[inst->label];
		added = label->kind ? visa_add(&labels, sizeof(*added)) : NULL;
		if (!added) {
			free(labels.items);
			return label->kind ?
				       -ENOMEM :
				       faa_asm_fail(error, inst->line, 2, "duplicate label %s",
						    visa_text(code, label->name));
		}
		*added = *label;
		label->kind = 0;
		inst->label = (uint16_t)(labels.count - 1);
	}
	free(code->labels.items);
	code->labels = labels;
	return 0;
}

static int read_kernel(struct reader *reader)
{
	uint32_t size, entry, count;
	int ret;

	ret = read_declarations(reader);
	if (ret)
		return ret;
	size = read_get(reader, 4, "kernel");
	entry = read_get(reader, 4, "kernel");
	count = read_get(reader, 2, "kernel");
	ret = read_check_end(reader);
	if (!ret)
		ret = read_attributes(reader, count, &reader->code->kernel_attributes);
	if (!ret)
		ret = read_insts(reader, entry, size);
	return ret ? ret : read_number_labels(reader->code, reader->error);
}

int visa_read_cisa(const void *data, size_t size, struct faa_asm_code **result,
		   struct faa_asm_error *error)
{
	struct reader reader = { .bytes = data, .size = size, .error = error };
	struct kernel_place place = { 0 };
	int ret;

	reader.code = visa_create();
	if (!reader.code)
		return -ENOMEM;
	ret = read_header(&reader, &place);
	if (!ret) {
		/* Offsets in the kernel are relative to its start. */
		reader.bytes += place.offset;
		reader.size = place.size;
		reader.at = 0;
		ret = read_kernel(&reader);
	}
	free(reader.strings);
	visa_names_free(&reader.names);
	if (ret)
		visa_destroy(&reader.code->base);
	else
		*result = &reader.code->base;
	return ret;
}
