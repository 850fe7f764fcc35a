// SPDX-License-Identifier: MIT
/* One pass over the instructions of a module, in the order of its layout. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

/* Sections of a module, in their order. */
enum section {
	CAPABILITIES,
	EXTENSIONS,
	IMPORTS,
	MEMORY_MODEL,
	ENTRY_POINTS,
	EXECUTION_MODES,
	STRINGS,
	NAMES,
	PROCESSED,
	ANNOTATIONS,
	DECLARATIONS,
	FUNCTIONS,
};

static void parse_report(struct spirv_context *context, const struct spirv_instruction *instruction,
			 uint32_t word, uint32_t id, bool warning, const char *format, va_list args)
{
	struct faa_spirv_message message = { .warning = warning, .word = word, .id = id };

	if (!warning && context->refusals++ >= SPIRV_REFUSALS_SHOWN)
		return;
	if (instruction) {
		const struct spirv_grammar *grammar = spirv_grammar(instruction->opcode);

		message.word += instruction->word;
		message.instruction = instruction - context->module->instructions + 1;
		message.name = grammar ? grammar->name : NULL;
	}
	vsnprintf(message.text, sizeof(message.text), format, args);
	if (!warning && context->refusals == 1 && context->first)
		*context->first = message;
	if (context->options->report)
		context->options->report(&message, context->options->user);
}

void spirv_report_rest(struct spirv_context *context)
{
	struct faa_spirv_message message = { 0 };

	if (context->refusals <= SPIRV_REFUSALS_SHOWN || !context->options->report)
		return;
	snprintf(message.text, sizeof(message.text), "%u more breaches of rules are not shown",
		 context->refusals - SPIRV_REFUSALS_SHOWN);
	context->options->report(&message, context->options->user);
}

int spirv_refuse(struct spirv_context *context, const struct spirv_instruction *instruction,
		 uint32_t word, uint32_t id, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	parse_report(context, instruction, word, id, false, format, args);
	va_end(args);
	return -EINVAL;
}

void spirv_warn(struct spirv_context *context, const struct spirv_instruction *instruction,
		uint32_t id, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	parse_report(context, instruction, 0, id, true, format, args);
	va_end(args);
}

int spirv_define(struct spirv_context *context, enum spirv_id_kind kind, uint32_t index)
{
	struct faa_spirv_module *module = context->module;
	struct spirv_id *id = &module->ids[context->at->result];

	if (id->kind != SPIRV_ID_UNDEFINED)
		return spirv_fail(context, context->at->result, "Id %u is defined more than once",
				  context->at->result);
	id->kind = kind;
	id->index = index;
	id->type = context->at->type;
	id->instruction = context->at - module->instructions;
	id->function = context->function;
	return 0;
}

const struct spirv_type *spirv_want_type(struct spirv_context *context, uint32_t id,
					 const char *what)
{
	if (context->module->ids[id].kind == SPIRV_ID_TYPE)
		return spirv_type(context->module, id);
	spirv_fail(context, id, "%s: %s <id> %u is not a type", spirv_op_name(context->at->opcode),
		   what, id);
	return NULL;
}

const struct spirv_constant *spirv_want_constant(struct spirv_context *context, uint32_t id,
						 const char *what)
{
	const struct spirv_constant *constant = spirv_constant(context->module, id);

	if (!constant)
		spirv_fail(context, id, "%s: %s <id> %u is not a constant",
			   spirv_op_name(context->at->opcode), what, id);
	return constant;
}

/* The section of an instruction outside of functions. */
static enum section parse_section_of(uint32_t opcode)
{
	const char *name = spirv_op_name(opcode);

	switch (opcode) {
	case SpvOpCapability:
		return CAPABILITIES;
	case SpvOpExtension:
		return EXTENSIONS;
	case SpvOpExtInstImport:
		return IMPORTS;
	case SpvOpMemoryModel:
		return MEMORY_MODEL;
	case SpvOpEntryPoint:
		return ENTRY_POINTS;
	case SpvOpExecutionMode:
	case SpvOpExecutionModeId:
		return EXECUTION_MODES;
	case SpvOpString:
	case SpvOpSource:
	case SpvOpSourceExtension:
	case SpvOpSourceContinued:
		return STRINGS;
	case SpvOpName:
	case SpvOpMemberName:
		return NAMES;
	case SpvOpModuleProcessed:
		return PROCESSED;
	case SpvOpDecorate:
	case SpvOpMemberDecorate:
	case SpvOpDecorationGroup:
	case SpvOpGroupDecorate:
	case SpvOpGroupMemberDecorate:
	case SpvOpDecorateId:
	case SpvOpDecorateString:
	case SpvOpMemberDecorateString:
		return ANNOTATIONS;
	case SpvOpVariable:
	case SpvOpUndef:
	case SpvOpExtInst:
	case SpvOpLine:
	case SpvOpNoLine:
		return DECLARATIONS;
	default:
		return !strncmp(name, "Type", 4) || !strncmp(name, "Constant", 8) ||
				       !strncmp(name, "SpecConstant", 12) ?
			       DECLARATIONS :
			       FUNCTIONS;
	}
}

/* Called for every operand: ids are below the bound; stores result type and result. */
static int parse_note(struct spirv_context *context, const struct spirv_instruction *instruction,
		      const struct spirv_operand *operand)
{
	struct faa_spirv_module *module = context->module;
	uint32_t id = module->words[instruction->word + operand->word];

	if (spirv_kinds[operand->kind].category != SPIRV_CATEGORY_Id)
		return 0;
	if (!id)
		return spirv_refuse(context, instruction, operand->word, 0, "Id is 0");
	if (id >= module->bound)
		return spirv_refuse(context, instruction, operand->word, id,
				    "Id %u is out of bounds: the module's bound is %u", id,
				    module->bound);
	if (operand->kind == SPIRV_KIND_IdResultType)
		context->at->type = id;
	if (operand->kind == SPIRV_KIND_IdResult)
		context->at->result = id;
	return 0;
}

static int parse_take_apart(struct spirv_context *context)
{
	struct spirv_instruction *at = context->at;
	int ret = spirv_walk(context, at, parse_note);
	uint32_t skip = 1 + !!at->type + !!at->result;

	if (ret)
		return ret;
	at->operands = context->module->words + at->word + skip;
	at->operand_count = at->length - skip;
	return at->type && !spirv_want_type(context, at->type, "Result Type") ? -EINVAL : 0;
}

/* OpExtInst outside of functions: debug information and others without effect. */
static int parse_declare_nothing(struct spirv_context *context)
{
	const struct spirv_id *set = &context->module->ids[context->at->operands[0]];

	if (set->kind != SPIRV_ID_IMPORT || set->index != SPIRV_IMPORT_NONSEMANTIC)
		return spirv_fail(context, context->at->result,
				  "ExtInst is in an invalid layout section");
	return spirv_define(context, SPIRV_ID_OTHER, 0);
}

static int parse_declare_global(struct spirv_context *context)
{
	switch (context->at->opcode) {
	case SpvOpLine:
	case SpvOpNoLine:
		return 0;
	case SpvOpExtInst:
		return parse_declare_nothing(context);
	case SpvOpVariable:
		return spirv_declare_variable(context);
	default:
		return strncmp(spirv_op_name(context->at->opcode), "Type", 4) ?
			       spirv_declare_constant(context) :
			       spirv_declare_type(context);
	}
}

/* Decorations are completed before the first type, as they determine its size. */
static int parse_enter_section(struct spirv_context *context, enum section section)
{
	int ret = 0;

	if (section < context->section)
		return spirv_fail(context, context->at->result,
				  "%s is in an invalid layout section",
				  spirv_op_name(context->at->opcode));
	if (section > MEMORY_MODEL && !context->memory_models)
		return spirv_fail(context, 0, "Missing required OpMemoryModel instruction.");
	if (section >= DECLARATIONS && context->section < DECLARATIONS)
		ret = spirv_finish_decorations(context);
	context->section = section;
	return ret;
}

static int parse_one(struct spirv_context *context)
{
	uint32_t opcode = context->at->opcode;
	int ret = parse_take_apart(context);

	if (ret || opcode == SpvOpNop)
		return ret;
	if (context->section == FUNCTIONS)
		return spirv_read_function(context);
	ret = parse_enter_section(context, parse_section_of(opcode));
	if (ret)
		return ret;
	if (context->section == FUNCTIONS)
		return spirv_read_function(context);
	return context->section == DECLARATIONS ? parse_declare_global(context) :
						  spirv_declare(context);
}

static int parse_all(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < module->instruction_count && !ret; i++) {
		context->at = &module->instructions[i];
		ret = parse_one(context);
	}
	context->at = NULL;
	if (ret)
		return ret;
	if (!context->memory_models)
		return spirv_refuse(context, NULL, 0, 0,
				    "Missing required OpMemoryModel instruction.");
	return context->section < DECLARATIONS ? spirv_finish_decorations(context) : 0;
}

int spirv_parse(struct spirv_context *context)
{
	int ret = parse_all(context);

	ret = ret ? ret : spirv_finish_types(context);
	ret = ret ? ret : spirv_finish_functions(context);
	ret = ret ? ret : spirv_finish_entries(context);
	return ret ? ret : spirv_check_uses(context);
}
