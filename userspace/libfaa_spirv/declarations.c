// SPDX-License-Identifier: MIT
/* Instructions before the types: capabilities, imports, entry points, names, decorations. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

bool spirv_has_capability(const struct faa_spirv_module *module, uint32_t capability)
{
	uint32_t low = 0, high = module->capability_count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (module->capabilities[middle] == capability)
			return true;
		if (module->capabilities[middle] < capability)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

bool spirv_has_extension(const struct faa_spirv_module *module, const char *name)
{
	uint32_t i;

	for (i = 0; i < module->extension_count; i++)
		if (!strcmp(module->extensions[i], name))
			return true;
	return false;
}

/* Whether the grammar has the extension. */
static bool declaration_is_known(const char *name)
{
	const char *const *known = spirv_extensions;

	while (*known && strcmp(*known, name))
		known++;
	return *known;
}

/* Adds a capability and those that it implies. There is room for all that exist. */
static void declaration_add_capability(struct faa_spirv_module *module, uint32_t capability)
{
	const struct spirv_enumerant *enumerant =
		spirv_enumerant(SPIRV_KIND_Capability, capability);
	uint32_t i, at = module->capability_count;

	if (spirv_has_capability(module, capability))
		return;
	while (at && module->capabilities[at - 1] > capability) {
		module->capabilities[at] = module->capabilities[at - 1];
		at--;
	}
	module->capabilities[at] = capability;
	module->capability_count++;
	for (i = 0; i < enumerant->needs.capability_count; i++)
		declaration_add_capability(module,
					   spirv_capabilities[enumerant->needs.capability + i]);
}

static int declaration_declare_capability(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;

	if (!module->capabilities)
		module->capabilities = spirv_alloc(module, spirv_kinds[SPIRV_KIND_Capability].count,
						   sizeof(uint32_t));
	if (!module->capabilities)
		return -ENOMEM;
	declaration_add_capability(module, context->at->operands[0]);
	return 0;
}

/* Number of instructions with @opcode in the module, to allocate for their declarations. */
static uint32_t declaration_count_of(const struct faa_spirv_module *module, uint32_t opcode)
{
	uint32_t i, count = 0;

	for (i = 0; i < module->instruction_count; i++)
		count += module->instructions[i].opcode == opcode;
	return count;
}

static int declaration_declare_extension(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	const char *name = spirv_text(module, context->at->operands);

	if (!module->extensions)
		module->extensions = spirv_alloc(module,
						 declaration_count_of(module, SpvOpExtension),
						 sizeof(*module->extensions));
	if (!name || !module->extensions)
		return -ENOMEM;
	/* Unknown extensions are dropped: no rule asks for them. */
	if (declaration_is_known(name) && !spirv_has_extension(module, name))
		module->extensions[module->extension_count++] = name;
	return 0;
}

static int declaration_declare_import(struct spirv_context *context)
{
	const char *name = spirv_text(context->module, context->at->operands);
	enum spirv_import import = SPIRV_IMPORT_OTHER;

	if (!name)
		return -ENOMEM;
	if (!strcmp(name, "GLSL.std.450"))
		import = SPIRV_IMPORT_GLSL;
	else if (!strcmp(name, "OpenCL.std"))
		import = SPIRV_IMPORT_OPENCL;
	else if (!strncmp(name, "NonSemantic.", 12) || !strcmp(name, "DebugInfo") ||
		 !strcmp(name, "OpenCL.DebugInfo.100"))
		import = SPIRV_IMPORT_NONSEMANTIC;
	return spirv_define(context, SPIRV_ID_IMPORT, import);
}

static int declaration_declare_memory_model(struct spirv_context *context)
{
	if (context->memory_models++)
		return spirv_fail(context, 0, "OpMemoryModel should only be provided once.");
	context->module->addressing_model = context->at->operands[0];
	context->module->memory_model = context->at->operands[1];
	return 0;
}

static int declaration_declare_entry(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	const struct spirv_instruction *at = context->at;
	uint32_t words = spirv_string(at->operands + 2, at->operand_count - 2);
	struct spirv_entry *entry;

	if (!module->entries)
		module->entries = spirv_alloc(module, declaration_count_of(module, SpvOpEntryPoint),
					      sizeof(*module->entries));
	if (!module->entries)
		return -ENOMEM;
	entry = &module->entries[module->entry_count++];
	entry->model = at->operands[0];
	entry->name = spirv_text(module, at->operands + 2);
	entry->interface = at->operands + 2 + words;
	entry->interface_count = at->operand_count - 2 - words;
	entry->instruction = at - module->instructions;
	return entry->name ? 0 : -ENOMEM;
}

/* The id may be defined later. */
static int declaration_declare_name(struct spirv_context *context)
{
	const char *name = spirv_text(context->module, context->at->operands + 1);

	context->module->ids[context->at->operands[0]].name = name;
	return name ? 0 : -ENOMEM;
}

int spirv_declare(struct spirv_context *context)
{
	switch (context->at->opcode) {
	case SpvOpCapability:
		return declaration_declare_capability(context);
	case SpvOpExtension:
		return declaration_declare_extension(context);
	case SpvOpExtInstImport:
		return declaration_declare_import(context);
	case SpvOpMemoryModel:
		return declaration_declare_memory_model(context);
	case SpvOpEntryPoint:
		return declaration_declare_entry(context);
	case SpvOpName:
		return declaration_declare_name(context);
	case SpvOpString:
	case SpvOpDecorationGroup:
		return spirv_define(context, SPIRV_ID_OTHER, 0);
	default:
		/* Modes are read after the functions, decorations after all groups. */
		return 0;
	}
}

/* ------------------------------------------------------------------------------------------------
 * Decorations
 */

static int declaration_compare(const void *a, const void *b)
{
	const struct spirv_decoration *x = a, *y = b;

	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	if (x->member != y->member)
		return x->member < y->member ? -1 : 1;
	if (x->decoration != y->decoration)
		return x->decoration < y->decoration ? -1 : 1;
	return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

/* Growing array of decorations; a copy in the module's arena replaces it when it is complete. */
struct list {
	struct spirv_decoration *items;
	size_t count, capacity;
};

enum {
	/* Limit of decorations after groups are expanded: a group may have many targets. */
	DECORATIONS_MAX = 1 << 20,
};

static int declaration_append(struct spirv_context *context, struct list *list,
			      const struct spirv_decoration *decoration)
{
	struct spirv_decoration *items;

	if (list->count == DECORATIONS_MAX)
		return spirv_fail(context, decoration->target,
				  "The module has more than %u decorations", DECORATIONS_MAX);
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 64;
		items = realloc(list->items, list->capacity * sizeof(*items));
		if (!items)
			return -ENOMEM;
		list->items = items;
	}
	list->items[list->count++] = *decoration;
	return 0;
}

static int declaration_collect(struct spirv_context *context, struct list *list)
{
	const struct spirv_instruction *at = context->at;
	struct spirv_decoration decoration = {
		.target = at->operand_count ? at->operands[0] : 0,
		.member = SPIRV_NONE,
		.instruction = at - context->module->instructions,
	};
	uint32_t skip = 2;

	switch (at->opcode) {
	case SpvOpMemberDecorate:
	case SpvOpMemberDecorateString:
		decoration.member = at->operands[1];
		skip = 3;
		break;
	case SpvOpDecorate:
	case SpvOpDecorateId:
	case SpvOpDecorateString:
		break;
	default:
		return 0;
	}
	decoration.decoration = at->operands[skip - 1];
	decoration.operands = at->operands + skip;
	decoration.operand_count = at->operand_count - skip;
	return declaration_append(context, list, &decoration);
}

/* Copies the decorations of group @group, which are among the first @sorted items, to @target. */
static int declaration_apply_group(struct spirv_context *context, struct list *list, size_t sorted,
				   uint32_t target, uint32_t member)
{
	uint32_t group = context->at->operands[0];
	size_t low = 0, high = sorted;
	int ret = 0;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (list->items[middle].target < group)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < sorted && list->items[low].target == group && !ret; low++) {
		struct spirv_decoration decoration = list->items[low];

		decoration.target = target;
		decoration.member = member;
		ret = declaration_append(context, list, &decoration);
	}
	return ret;
}

static int declaration_apply_groups(struct spirv_context *context, struct list *list, size_t sorted)
{
	const struct spirv_instruction *at = context->at;
	bool member = at->opcode == SpvOpGroupMemberDecorate;
	uint32_t i;
	int ret = 0;

	if (!member && at->opcode != SpvOpGroupDecorate)
		return 0;
	if (context->module->instructions[context->module->ids[at->operands[0]].instruction]
		    .opcode != SpvOpDecorationGroup)
		return spirv_fail(context, at->operands[0],
				  "%s: Decoration group <id> %u is not a decoration group.",
				  spirv_op_name(at->opcode), at->operands[0]);
	for (i = 1; i < at->operand_count && !ret; i += 1 + member)
		ret = declaration_apply_group(context, list, sorted, at->operands[i],
					      member ? at->operands[i + 1] : SPIRV_NONE);
	return ret;
}

static int declaration_collect_all(struct spirv_context *context, struct list *list)
{
	struct faa_spirv_module *module = context->module;
	uint32_t i, end = context->at ? (uint32_t)(context->at - module->instructions) :
					module->instruction_count;
	struct spirv_instruction *at = context->at;
	size_t sorted;
	int ret = 0;

	for (i = 0; i < end && !ret; i++) {
		context->at = &module->instructions[i];
		ret = declaration_collect(context, list);
	}
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), declaration_compare);
	for (i = 0, sorted = list->count; i < end && !ret; i++) {
		context->at = &module->instructions[i];
		ret = declaration_apply_groups(context, list, sorted);
	}
	if (list->count > sorted)
		qsort(list->items, list->count, sizeof(*list->items), declaration_compare);
	context->at = at;
	return ret;
}

int spirv_finish_decorations(struct spirv_context *context)
{
	struct faa_spirv_module *module = context->module;
	struct list list = { 0 };
	int ret = declaration_collect_all(context, &list);

	if (!ret) {
		module->decorations = spirv_alloc(module, list.count, sizeof(*list.items));
		ret = module->decorations ? 0 : -ENOMEM;
	}
	if (!ret && list.count)
		memcpy(module->decorations, list.items, list.count * sizeof(*list.items));
	module->decoration_count = ret ? 0 : list.count;
	free(list.items);
	return ret;
}

static bool declaration_before(const struct spirv_decoration *at, uint32_t id, uint32_t member,
			       uint32_t decoration)
{
	if (at->target != id)
		return at->target < id;
	return at->member != member ? at->member < member : at->decoration < decoration;
}

const struct spirv_decoration *spirv_decoration(const struct faa_spirv_module *module, uint32_t id,
						uint32_t member, uint32_t decoration)
{
	const struct spirv_decoration *found;
	uint32_t low = 0, high = module->decoration_count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (declaration_before(&module->decorations[middle], id, member, decoration))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == module->decoration_count)
		return NULL;
	found = &module->decorations[low];
	return found->target == id && found->member == member && found->decoration == decoration ?
		       found :
		       NULL;
}
