// SPDX-License-Identifier: MIT
/* Writes code as text in the spelling of the reference tool. */
#include <string.h>

#include "../asm/output.h"
#include "../asm/put.h"
#include "visa.h"

static const char print_class_letters[VISA_CLASSES + 1] = "GAPST";

static void print_attribute(const struct visa_code *code, const struct visa_attribute *attribute,
			    struct faa_output *output)
{
	faa_output_text(output, visa_text(code, attribute->name));
	if (attribute->kind == VISA_NUMBER)
		faa_output_format(output, "=%u", attribute->value);
	else if (attribute->kind == VISA_TEXT)
		faa_output_format(output, "=\"%s\"", visa_text(code, attribute->text));
}

static void print_variable(const struct visa_code *code, unsigned int class,
			   const struct visa_variable *variable, struct faa_output *output)
{
	const struct visa_attribute *attributes = code->attributes.items;
	char buffer[16];
	uint32_t i;

	faa_output_format(output, ".decl %s v_type=%c", visa_text(code, variable->name),
			  print_class_letters[class]);
	if (class == VISA_GENERAL)
		faa_output_format(output, " type=%s", visa_types[variable->type].name);
	faa_output_format(output, " num_elts=%u", variable->elements);
	if (class == VISA_GENERAL)
		faa_output_format(output, " align=%s", visa_aligns[variable->align].name);
	if (variable->alias)
		faa_output_format(output, " alias=<%s, %u>",
				  visa_name(code, VISA_GENERAL, variable->alias, buffer),
				  variable->alias_offset);
	for (i = 0; i < variable->attribute_count; i++) {
		faa_output_text(output, i ? ", " : " attrs={");
		print_attribute(code, &attributes[variable->attributes + i], output);
	}
	faa_output_text(output, variable->attribute_count ? "}\n" : "\n");
}

static void print_head(const struct visa_code *code, struct faa_output *output)
{
	const struct visa_attribute *attributes = code->kernel_attributes.items;
	const struct visa_input *inputs = code->inputs.items;
	char buffer[16];
	uint32_t i;
	unsigned int class;

	if (code->major)
		faa_output_format(output, ".version %u.%u\n", code->major, code->minor);
	if (code->kernel)
		faa_output_format(output, ".kernel \"%s\"\n", visa_text(code, code->name));
	for (class = 0; class < VISA_CLASSES; class ++)
		for (i = 0; i < code->variables[class].count; i++)
			print_variable(code, class,
				       &visa_variables(code, (enum visa_class) class)[i], output);
	for (i = 0; i < code->inputs.count; i++)
		faa_output_format(output, ".input %s offset=%u size=%u\n",
				  visa_name(code, (enum visa_class)inputs[i].class,
					    inputs[i].number, buffer),
				  inputs[i].offset, inputs[i].size);
	for (i = 0; i < code->kernel_attributes.count; i++) {
		faa_output_text(output, ".kernel_attr ");
		print_attribute(code, &attributes[i], output);
		faa_output_text(output, "\n");
	}
}

static char *print_exec(char *at, const struct visa_inst *inst)
{
	at = faa_put_text(at, " (M");
	at = faa_put_decimal(at, visa_channel(inst) / 4 + 1);
	at = faa_put_text(at, visa_no_mask(inst) ? "_NM, " : ", ");
	at = faa_put_decimal(at, visa_size(inst));
	*at++ = ')';
	return at;
}

static const char *print_name_of(const struct visa_code *code, enum visa_class class,
				 uint32_t number, char *buffer)
{
	if (visa_find(code, class, number))
		return visa_name(code, class, number, buffer);
	buffer[0] = class == VISA_PREDICATE ? 'P' : 'V';
	*faa_put_decimal(buffer + 1, number) = 0;
	return buffer;
}

static char *print_predicate(const struct visa_code *code, char *at, const struct visa_inst *inst)
{
	static const char *const combine[] = { ") ", ".any) ", ".all) " };
	char buffer[16];

	if (!inst->predicate)
		return at;
	at = faa_put_text(at, visa_inverted(inst) ? "(!" : "(");
	at = faa_put_text(at, print_name_of(code, VISA_PREDICATE, visa_predicate(inst), buffer));
	return faa_put_text(at, combine[visa_combine(inst)]);
}

static char *print_raw(const struct visa_code *code, char *at, const struct visa_raw *raw)
{
	char buffer[16];

	if (!raw->variable)
		return faa_put_text(at, " %null.0");
	*at++ = ' ';
	at = faa_put_text(at, print_name_of(code, VISA_GENERAL, raw->variable, buffer));
	*at++ = '.';
	return faa_put_decimal(at, raw->offset);
}

static char *print_svm(const struct visa_code *code, char *at, const struct visa_inst *inst)
{
	static const char *const widths[] = { "", ".16", ".64" };

	at = faa_put_text(at, "svm_atomic.");
	at = faa_put_text(at, visa_ops[inst->op & 31].name);
	at = faa_put_text(at, widths[visa_width_code(inst)]);
	at = print_exec(at, inst);
	at = print_raw(code, at, &inst->raw[VISA_ADDRESSES]);
	at = print_raw(code, at, &inst->raw[VISA_DST]);
	at = print_raw(code, at, &inst->raw[VISA_SRC0]);
	return print_raw(code, at, &inst->raw[VISA_SRC1]);
}

static char *print_fence(char *at, const struct visa_inst *inst)
{
	unsigned int i;

	if (inst->op & 0x80)
		return faa_put_text(at, "fence_sw");
	at = faa_put_text(at, inst->op & 0x20 ? "fence_local" : "fence_global");
	if (inst->op & ~0x20)
		*at++ = '.';
	for (i = 0; i < VISA_FENCES; i++)
		if (inst->op & visa_fences[i].mask)
			at = faa_put_text(at, visa_fences[i].name);
	return at;
}

static void print_label(const struct visa_code *code, const struct visa_inst *inst,
			struct faa_output *output)
{
	char buffer[16];
	const char *name = visa_label_name(code, inst->label, buffer);

	if (inst->opcode == VISA_SUBROUTINE)
		faa_output_format(
			output, code->kernel ? "\n.function \"%s\"\n" : ".function \"%s\"\n", name);
	else
		faa_output_format(output, code->kernel ? "\n%s:\n" : "%s:\n", name);
}

/* The longest declared name, which bounds the size of an instruction. */
static size_t print_longest_name(const struct visa_code *code)
{
	static const enum visa_class classes[] = { VISA_GENERAL, VISA_PREDICATE };
	size_t longest = 16;
	unsigned int i;
	uint32_t j;

	for (i = 0; i < 2; i++)
		for (j = 0; j < code->variables[classes[i]].count; j++) {
			size_t size =
				strlen(visa_text(code, visa_variables(code, classes[i])[j].name));

			if (size > longest)
				longest = size;
		}
	return longest;
}

static void print_inst(const struct visa_code *code, const struct visa_inst *inst, size_t room,
		       struct faa_output *output)
{
	char *at;

	if (inst->opcode == VISA_LABEL || inst->opcode == VISA_SUBROUTINE) {
		print_label(code, inst, output);
		return;
	}
	if (!faa_output_room(output, room))
		return;
	at = output->bytes + output->size;
	if (code->kernel)
		at = faa_put_text(at, "    ");
	at = print_predicate(code, at, inst);
	if (inst->opcode == VISA_SVM)
		at = print_svm(code, at, inst);
	else if (inst->opcode == VISA_FENCE)
		at = print_fence(at, inst);
	else
		at = print_exec(faa_put_text(at, "ret"), inst);
	*at++ = '\n';
	output->size = (size_t)(at - output->bytes);
}

int visa_write_text(const struct faa_asm_code *base, void **data, size_t *size,
		    struct faa_asm_error *error)
{
	const struct visa_code *code = (const struct visa_code *)base;
	/* A predicate, four operands, and the text between them. */
	size_t room = 5 * print_longest_name(code) + 128;
	struct faa_output output = { 0 };
	uint32_t i;

	print_head(code, &output);
	for (i = 0; i < code->insts.count; i++)
		print_inst(code, &visa_insts(code)[i], room, &output);
	return faa_output_finish(&output, data, size);
}
