// SPDX-License-Identifier: MIT
/* Writes a CISA file with one kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../asm/output.h"
#include "visa.h"

struct writer {
	const struct visa_code *code;
	/* Strings, each followed by a 0; the first one is the kernel's name. */
	struct faa_output strings;
	uint32_t string_count;
	/* The part after the strings. */
	struct faa_output body;
};

static void write_put(struct faa_output *output, uint32_t value, unsigned int bytes)
{
	char data[4] = { (char)value, (char)(value >> 8), (char)(value >> 16),
			 (char)(value >> 24) };

	faa_output_add(output, data, bytes);
}

/* Overwrites what write_put() wrote. */
static void write_patch(struct faa_output *output, size_t at, uint32_t value)
{
	unsigned int i;

	for (i = 0; i < 4 && !output->failed; i++)
		output->bytes[at + i] = (char)(value >> 8 * i);
}

static void write_name(struct writer *writer, const char *text)
{
	write_put(&writer->body, writer->string_count++, 4);
	faa_output_add(&writer->strings, text, strlen(text) + 1);
}

static void write_attribute(struct writer *writer, const struct visa_attribute *attribute)
{
	const char *name = visa_text(writer->code, attribute->name);
	const char *text = visa_text(writer->code, attribute->text);

	write_name(writer, name);
	if (attribute->kind == VISA_NUMBER) {
		write_put(&writer->body, 4, 1);
		write_put(&writer->body, attribute->value, 4);
	} else if (attribute->kind == VISA_TEXT && !strcmp(name, "Target")) {
		write_put(&writer->body, 1, 1);
		write_put(&writer->body, text[0] == '3', 1);
	} else if (attribute->kind == VISA_TEXT) {
		write_put(&writer->body, (uint32_t)strlen(text), 1);
		faa_output_add(&writer->body, text, strlen(text));
	} else {
		write_put(&writer->body, 0, 1);
	}
}

static void write_variable(struct writer *writer, unsigned int class,
			   const struct visa_variable *variable)
{
	const struct visa_attribute *attributes = writer->code->attributes.items;
	struct faa_output *body = &writer->body;
	uint32_t i;

	write_name(writer, visa_text(writer->code, variable->name));
	if (class == VISA_GENERAL)
		write_put(body, variable->type | (uint32_t)variable->align << 4, 1);
	write_put(body, variable->elements, 2);
	if (class == VISA_GENERAL) {
		write_put(body, variable->alias, 4);
		write_put(body, variable->alias_offset, 2);
		write_put(body, 0, 1);
	}
	write_put(body, variable->attribute_count, 1);
	for (i = 0; i < variable->attribute_count; i++)
		write_attribute(writer, &attributes[variable->attributes + i]);
}

static void write_variables(struct writer *writer, unsigned int class, unsigned int count_bytes)
{
	const struct visa_array *array = &writer->code->variables[class];
	uint32_t i;

	write_put(&writer->body, array->count, count_bytes);
	for (i = 0; i < array->count; i++)
		write_variable(writer, class,
			       &visa_variables(writer->code, (enum visa_class) class)[i]);
}

static void write_labels(struct writer *writer)
{
	const struct visa_code *code = writer->code;
	uint32_t i;

	write_put(&writer->body, code->labels.count, 2);
	for (i = 0; i < code->labels.count; i++) {
		write_name(writer, visa_text(code, visa_labels(code)[i].name));
		write_put(&writer->body, visa_labels(code)[i].kind == VISA_SUBROUTINE, 1);
		write_put(&writer->body, 0, 1);
	}
}

static void write_inputs(struct writer *writer)
{
	static const uint8_t kinds[VISA_CLASSES] = { [VISA_SAMPLER] = 1, [VISA_SURFACE] = 2 };
	const struct visa_code *code = writer->code;
	const struct visa_input *inputs = code->inputs.items;
	uint32_t i;

	write_put(&writer->body, code->inputs.count, visa_input_bytes(code));
	for (i = 0; i < code->inputs.count; i++) {
		write_put(&writer->body, kinds[inputs[i].class], 1);
		write_put(&writer->body, inputs[i].number, 4);
		write_put(&writer->body, inputs[i].offset, 2);
		write_put(&writer->body, inputs[i].size, 2);
	}
}

static void write_insts(struct writer *writer)
{
	uint32_t i;

	for (i = 0; i < writer->code->insts.count; i++) {
		uint8_t bytes[VISA_SVM_BYTES];

		faa_output_add(&writer->body, bytes,
			       visa_encode(&visa_insts(writer->code)[i], bytes));
	}
}

/* Offsets of parts of the body. */
struct places {
	size_t inputs;
	/* Offsets of the fields that hold size and offset of the instructions, 4 bytes each. */
	size_t size;
	size_t insts;
};

static void write_body(struct writer *writer, struct places *places)
{
	const struct visa_code *code = writer->code;
	const struct visa_attribute *attributes = code->kernel_attributes.items;
	struct faa_output *body = &writer->body;
	uint32_t i;

	write_name(writer, visa_text(code, code->name));
	write_variables(writer, VISA_GENERAL, 4);
	write_variables(writer, VISA_ADDRESS, 2);
	write_variables(writer, VISA_PREDICATE, 2);
	write_labels(writer);
	write_variables(writer, VISA_SAMPLER, 1);
	write_variables(writer, VISA_SURFACE, 1);
	write_put(body, 0, 1);
	places->inputs = body->size;
	write_inputs(writer);
	places->size = body->size;
	write_put(body, 0, 4);
	write_put(body, 0, 4);
	write_put(body, code->kernel_attributes.count, 2);
	for (i = 0; i < code->kernel_attributes.count; i++)
		write_attribute(writer, &attributes[i]);
	places->insts = body->size;
	write_insts(writer);
}

static void write_header(const struct writer *writer, const struct places *places,
			 struct faa_output *output)
{
	const struct visa_code *code = writer->code;
	const char *name = visa_text(code, code->name);
	uint32_t strings = 4 + (uint32_t)writer->strings.size;
	uint32_t offset = 8 + visa_name_bytes(code) + (uint32_t)strlen(name) + 12 + 5 + 4;

	faa_output_add(output, "CISA", 4);
	write_put(output, code->major, 1);
	write_put(output, code->minor, 1);
	write_put(output, 1, 2);
	write_put(output, (uint32_t)strlen(name), visa_name_bytes(code));
	faa_output_text(output, name);
	write_put(output, offset, 4);
	write_put(output, strings + (uint32_t)writer->body.size, 4);
	write_put(output, offset + strings + (uint32_t)places->inputs, 4);
	/* No relocations, no machine code; no variables and functions of the file. */
	write_put(output, 0, 4);
	write_put(output, 0, 1);
	write_put(output, 0, 4);
}

/* Rejects code that the form cannot hold. */
static int write_check(const struct visa_code *code, struct faa_asm_error *error)
{
	if (!code->kernel)
		return faa_asm_fail(error, 0, 0,
				    "a CISA file holds a kernel: .version and .kernel are missing");
	if (code->major == 3 && code->minor < 4)
		return faa_asm_fail(
			error, 0, 0,
			"CISA files are written from version 3.4 on; .version says %u.%u",
			code->major, code->minor);
	if (code->labels.count > UINT16_MAX)
		return faa_asm_fail(error, 0, 0, "a CISA file has up to 65535 labels");
	if (visa_input_bytes(code) == 1 && code->inputs.count > UINT8_MAX)
		return faa_asm_fail(error, 0, 0, "a file of version 3.4 has up to 255 inputs");
	if (visa_name_bytes(code) == 1 && strlen(visa_text(code, code->name)) > UINT8_MAX)
		return faa_asm_fail(
			error, 0, 0,
			"in a file of version 3.%u the kernel's name has up to 255 bytes",
			code->minor);
	return 0;
}

int visa_write_cisa(const struct faa_asm_code *base, void **data, size_t *size,
		    struct faa_asm_error *error)
{
	struct writer writer = { .code = (const struct visa_code *)base };
	struct faa_output output = { 0 };
	struct places places = { 0 };
	uint32_t strings;
	int ret;

	ret = write_check(writer.code, error);
	if (ret)
		return ret;
	write_body(&writer, &places);
	strings = 4 + (uint32_t)writer.strings.size;
	write_patch(&writer.body, places.size, (uint32_t)(writer.body.size - places.insts));
	write_patch(&writer.body, places.size + 4, strings + (uint32_t)places.insts);
	write_header(&writer, &places, &output);
	write_put(&output, writer.string_count, 4);
	faa_output_add(&output, writer.strings.bytes, writer.strings.size);
	faa_output_add(&output, writer.body.bytes, writer.body.size);
	output.failed |= writer.strings.failed || writer.body.failed;
	faa_output_drop(&writer.strings);
	faa_output_drop(&writer.body);
	return faa_output_finish(&output, data, size);
}
