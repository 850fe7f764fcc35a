// SPDX-License-Identifier: MIT
/*
 * Declarations that a module needs: capabilities for instructions and types, extensions for
 * capabilities.
 */
#include <stdio.h>
#include <string.h>

#include "context.h"

/* A text that is truncated if it does not fit. */
struct names {
	char text[320];
	size_t length;
};

static void capability_add_name(struct names *names, const char *name)
{
	int n = snprintf(names->text + names->length, sizeof(names->text) - names->length, " %s",
			 name);

	if (n > 0 && (size_t)n < sizeof(names->text) - names->length)
		names->length += n;
}

static bool capability_any(const struct faa_spirv_module *module,
			   const struct spirv_requirements *needs)
{
	uint32_t i;

	for (i = 0; i < needs->capability_count; i++)
		if (spirv_has_capability(module, spirv_capabilities[needs->capability + i]))
			return true;
	return !needs->capability_count;
}

static bool capability_any_extension(const struct faa_spirv_module *module,
				     const struct spirv_requirements *needs)
{
	uint32_t i;

	for (i = 0; i < needs->extension_count; i++)
		if (spirv_has_extension(module, spirv_extensions[needs->extension + i]))
			return true;
	return false;
}

static void capability_list_capabilities(const struct spirv_requirements *needs,
					 struct names *names)
{
	uint32_t i;

	for (i = 0; i < needs->capability_count; i++)
		capability_add_name(names,
				    spirv_enumerant(SPIRV_KIND_Capability,
						    spirv_capabilities[needs->capability + i])
					    ->name);
}

/* First version of Vulkan that accepts modules of this version. */
static const char *capability_vulkan_version(const struct faa_spirv_module *module)
{
	return module->version >= 0x10600 ? "1.3" :
	       module->version >= 0x10500 ? "1.2" :
	       module->version >= 0x10300 ? "1.1" :
					    "1.0";
}

static void capability_refuse_in_vulkan(struct spirv_context *context,
					const struct spirv_instruction *at,
					const struct spirv_enumerant *capability)
{
	if (context->module->environment == FAA_SPIRV_VULKAN)
		spirv_refuse(
			context, at, 1, 0,
			"Capability %s is not allowed by Vulkan %s specification (or requires extension)",
			capability->name, capability_vulkan_version(context->module));
}

/* A capability outside of the core of this version needs its extension. */
static void capability_check(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct faa_spirv_module *module = context->module;
	const struct spirv_enumerant *capability =
		spirv_enumerant(SPIRV_KIND_Capability, at->operands[0]);
	struct names names = { .length = 0 };
	uint32_t i;

	if (module->version >= capability->needs.first_version ||
	    capability_any_extension(module, &capability->needs))
		return;
	for (i = 0; i < capability->needs.extension_count; i++)
		capability_add_name(&names, spirv_extensions[capability->needs.extension + i]);
	if (!capability->needs.extension_count) {
		spirv_refuse(context, at, 1, 0, "Capability %s requires SPIR-V version %u.%u",
			     capability->name, capability->needs.first_version >> 16,
			     capability->needs.first_version >> 8 & 0xff);
		return;
	}
	capability_refuse_in_vulkan(context, at, capability);
	spirv_refuse(
		context, at, 1, 0,
		"1st operand of Capability: operand %s(%u) requires one of these extensions:%s",
		capability->name, capability->value, names.text);
}

/*
 * The extension of 16-bit adds builds on the one of 32 and 64 bits. SPIRV-Tools does not require
 * the latter, and compilers omit it: a warning is enough.
 */
static void capability_check_float16_add(struct spirv_context *context,
					 const struct spirv_instruction *at)
{
	if (at->operands[0] != SpvCapabilityAtomicFloat16AddEXT ||
	    spirv_has_extension(context->module, "SPV_EXT_shader_atomic_float_add"))
		return;
	spirv_warn(
		context, at, 0,
		"AtomicFloat16AddEXT: the module should also declare the extension SPV_EXT_shader_atomic_float_add, on which SPV_EXT_shader_atomic_float16_add depends");
}

/* Atomic counters belong to OpenGL. */
static void capability_check_counters(struct spirv_context *context,
				      const struct spirv_instruction *at)
{
	if (at->operands[0] == SpvCapabilityAtomicStorage ||
	    at->operands[0] == SpvCapabilityAtomicStorageOps)
		capability_refuse_in_vulkan(
			context, at, spirv_enumerant(SPIRV_KIND_Capability, at->operands[0]));
}

static void capability_check_opcode(struct spirv_context *context,
				    const struct spirv_instruction *at)
{
	const struct spirv_grammar *grammar = spirv_grammar(at->opcode);
	struct names names = { .length = 0 };

	if (context->module->version > grammar->needs.last_version)
		spirv_refuse(context, at, 0, at->result,
			     "%s requires SPIR-V version %u.%u or earlier",
			     spirv_op_name(at->opcode), grammar->needs.last_version >> 16,
			     grammar->needs.last_version >> 8 & 0xff);
	if (capability_any(context->module, &grammar->needs))
		return;
	capability_list_capabilities(&grammar->needs, &names);
	spirv_refuse(context, at, 0, at->result, "Opcode %s requires one of these capabilities:%s",
		     spirv_op_name(at->opcode), names.text);
}

/* Kinds whose values need their capabilities without exceptions. */
static bool capability_is_checked_kind(enum spirv_kind kind)
{
	return kind == SPIRV_KIND_ExecutionModel || kind == SPIRV_KIND_AddressingModel ||
	       kind == SPIRV_KIND_MemoryModel || kind == SPIRV_KIND_StorageClass ||
	       kind == SPIRV_KIND_Dim || kind == SPIRV_KIND_ImageFormat;
}

static int capability_check_operand(struct spirv_context *context,
				    const struct spirv_instruction *at,
				    const struct spirv_operand *operand)
{
	const struct spirv_enumerant *enumerant;
	struct names names = { .length = 0 };

	if (!capability_is_checked_kind(operand->kind))
		return 0;
	enumerant =
		spirv_enumerant(operand->kind, context->module->words[at->word + operand->word]);
	if (capability_any(context->module, &enumerant->needs))
		return 0;
	capability_list_capabilities(&enumerant->needs, &names);
	spirv_refuse(context, at, operand->word, at->result,
		     "Operand %u of %s requires one of these capabilities:%s", operand->word,
		     spirv_op_name(at->opcode), names.text);
	return 0;
}

/* Whether the module has one of the capabilities in @list, which ends with SPIRV_NONE. */
static bool capability_has_one_of(const struct faa_spirv_module *module, const uint32_t *list)
{
	for (; *list != SPIRV_NONE; list++)
		if (spirv_has_capability(module, *list))
			return true;
	return false;
}

static void capability_check_number(struct spirv_context *context,
				    const struct spirv_instruction *at)
{
	static const uint32_t bits8[] = { SpvCapabilityInt8, SpvCapabilityStorageBuffer8BitAccess,
					  SpvCapabilityUniformAndStorageBuffer8BitAccess,
					  SpvCapabilityStoragePushConstant8, SPIRV_NONE };
	static const uint32_t bits16[] = { SpvCapabilityInt16,
					   SpvCapabilityStorageBuffer16BitAccess,
					   SpvCapabilityUniformAndStorageBuffer16BitAccess,
					   SpvCapabilityStoragePushConstant16,
					   SpvCapabilityStorageInputOutput16,
					   SPIRV_NONE };
	static const uint32_t floats16[] = { SpvCapabilityFloat16,
					     SpvCapabilityFloat16Buffer,
					     SpvCapabilityStorageBuffer16BitAccess,
					     SpvCapabilityUniformAndStorageBuffer16BitAccess,
					     SpvCapabilityStoragePushConstant16,
					     SpvCapabilityStorageInputOutput16,
					     SPIRV_NONE };
	static const uint32_t ints64[] = { SpvCapabilityInt64, SPIRV_NONE },
			      floats64[] = { SpvCapabilityFloat64, SPIRV_NONE };
	static const struct {
		uint16_t opcode, width;
		const uint32_t *capabilities;
		const char *text;
	} rules[] = {
		{ SpvOpTypeInt, 8, bits8,
		  "Using an 8-bit integer type requires the Int8 capability, or an extension that explicitly enables 8-bit integers." },
		{ SpvOpTypeInt, 16, bits16,
		  "Using a 16-bit integer type requires the Int16 capability, or an extension that explicitly enables 16-bit integers." },
		{ SpvOpTypeInt, 64, ints64,
		  "Using a 64-bit integer type requires the Int64 capability." },
		{ SpvOpTypeFloat, 16, floats16,
		  "Using a 16-bit floating point type requires the Float16 or Float16Buffer capability, or an extension that explicitly enables 16-bit floating point." },
		{ SpvOpTypeFloat, 64, floats64,
		  "Using a 64-bit floating point type requires the Float64 capability." },
	};
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].opcode == at->opcode && rules[i].width == at->operands[0] &&
		    !capability_has_one_of(context->module, rules[i].capabilities))
			spirv_refuse(context, at, 2, at->result, "%s", rules[i].text);
}

static void capability_check_model(struct spirv_context *context,
				   const struct spirv_instruction *at)
{
	bool declared = spirv_has_capability(context->module, SpvCapabilityVulkanMemoryModel);

	if (declared && at->operands[1] != SpvMemoryModelVulkan)
		spirv_refuse(
			context, at, 2, 0,
			"VulkanMemoryModelKHR capability must only be specified if the VulkanKHR memory model is used.");
}

void spirv_check_capabilities(struct spirv_context *context)
{
	const struct faa_spirv_module *module = context->module;
	uint32_t i;

	if (!module->entry_count && !spirv_has_capability(module, SpvCapabilityLinkage))
		spirv_refuse(
			context, NULL, 0, 0,
			"No OpEntryPoint instruction was found. This is only allowed if the Linkage capability is being used.");
	for (i = 0; i < module->instruction_count; i++) {
		const struct spirv_instruction *at = &module->instructions[i];

		capability_check_opcode(context, at);
		spirv_walk(context, at, capability_check_operand);
		if (at->opcode == SpvOpCapability) {
			capability_check(context, at);
			capability_check_float16_add(context, at);
			capability_check_counters(context, at);
		} else if (at->opcode == SpvOpTypeInt || at->opcode == SpvOpTypeFloat) {
			capability_check_number(context, at);
		} else if (at->opcode == SpvOpMemoryModel) {
			capability_check_model(context, at);
		}
	}
}
