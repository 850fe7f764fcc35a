// SPDX-License-Identifier: MIT
/*
 * Rules of atomics, barriers and pointers to texels. Messages are those of SPIRV-Tools where it has
 * the rule, with the numbers of Vulkan's rules. Rules marked [ours] are not in the version of
 * SPIRV-Tools that Debian has.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "context.h"

#define ORDER_BITS                                                       \
	(SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask | \
	 SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask)
#define ACQUIRES (SpvMemorySemanticsAcquireMask | SpvMemorySemanticsAcquireReleaseMask)
#define RELEASES (SpvMemorySemanticsReleaseMask | SpvMemorySemanticsAcquireReleaseMask)
#define STORAGE_BITS                                                                          \
	(SpvMemorySemanticsUniformMemoryMask | SpvMemorySemanticsSubgroupMemoryMask |         \
	 SpvMemorySemanticsWorkgroupMemoryMask | SpvMemorySemanticsCrossWorkgroupMemoryMask | \
	 SpvMemorySemanticsAtomicCounterMemoryMask | SpvMemorySemanticsImageMemoryMask |      \
	 SpvMemorySemanticsOutputMemoryMask)
#define VULKAN_STORAGE_BITS                                                            \
	(SpvMemorySemanticsUniformMemoryMask | SpvMemorySemanticsWorkgroupMemoryMask | \
	 SpvMemorySemanticsImageMemoryMask | SpvMemorySemanticsOutputMemoryMask)

/* Types that an atomic operates on. */
enum values {
	INTEGERS,
	INTEGERS_AND_FLOATS,
	FLOAT_ADD,
	FLOAT_MIN_MAX,
	/* Result bool, memory a 32-bit integer. */
	FLAG,
};

/* Operand indices after result type and result; 0: it has none, as 0 is the pointer. */
struct atomic {
	uint16_t opcode;
	uint8_t values;
	uint8_t unequal, value, comparator;
};

static const struct atomic atomic_table[] = {
	{ SpvOpAtomicLoad, INTEGERS_AND_FLOATS, 0, 0, 0 },
	{ SpvOpAtomicStore, INTEGERS_AND_FLOATS, 0, 3, 0 },
	{ SpvOpAtomicExchange, INTEGERS_AND_FLOATS, 0, 3, 0 },
	{ SpvOpAtomicCompareExchange, INTEGERS, 3, 4, 5 },
	{ SpvOpAtomicCompareExchangeWeak, INTEGERS, 3, 4, 5 },
	{ SpvOpAtomicIIncrement, INTEGERS, 0, 0, 0 },
	{ SpvOpAtomicIDecrement, INTEGERS, 0, 0, 0 },
	{ SpvOpAtomicIAdd, INTEGERS, 0, 3, 0 },
	{ SpvOpAtomicISub, INTEGERS, 0, 3, 0 },
	{ SpvOpAtomicSMin, INTEGERS, 0, 3, 0 },
	{ SpvOpAtomicUMin, INTEGERS, 0, 3, 0 },
	{ SpvOpAtomicSMax, INTEGERS, 0, 3, 0 },
	{ SpvOpAtomicUMax, INTEGERS, 0, 3, 0 },
	{ SpvOpAtomicAnd, INTEGERS, 0, 3, 0 },
	{ SpvOpAtomicOr, INTEGERS, 0, 3, 0 },
	{ SpvOpAtomicXor, INTEGERS, 0, 3, 0 },
	{ SpvOpAtomicFlagTestAndSet, FLAG, 0, 0, 0 },
	{ SpvOpAtomicFlagClear, FLAG, 0, 0, 0 },
	{ SpvOpAtomicFMinEXT, FLOAT_MIN_MAX, 0, 3, 0 },
	{ SpvOpAtomicFMaxEXT, FLOAT_MIN_MAX, 0, 3, 0 },
	{ SpvOpAtomicFAddEXT, FLOAT_ADD, 0, 3, 0 },
};

static const struct atomic *atomic_find(uint32_t opcode)
{
	size_t i;

	for (i = 0; i < sizeof(atomic_table) / sizeof(atomic_table[0]); i++)
		if (atomic_table[i].opcode == opcode)
			return &atomic_table[i];
	return NULL;
}

uint32_t spirv_memory_scope(uint32_t opcode)
{
	if (opcode == SpvOpMemoryBarrier)
		return 0;
	return opcode == SpvOpControlBarrier || atomic_find(opcode) ? 1 : SPIRV_NONE;
}

static bool atomic_is_shader(const struct spirv_context *context)
{
	return spirv_has_capability(context->module, SpvCapabilityShader);
}

static bool atomic_is_vulkan(const struct spirv_context *context)
{
	return context->module->environment == FAA_SPIRV_VULKAN;
}

/*
 * As in SPIRV-Tools, Vulkan's rules of memory semantics apply to its memory model in every
 * environment.
 */
static bool atomic_has_vulkan_semantics(const struct spirv_context *context)
{
	return atomic_is_vulkan(context) || context->module->memory_model == SpvMemoryModelVulkan;
}

/* An error in the instruction as a whole, or in its result type. */
#define WHOLE UINT32_MAX

/*
 * Reports an error in an operand, with the instruction's name; @rule: number of the rule in Vulkan,
 * "": none.
 */
static void atomic_breach(struct spirv_context *context, const struct spirv_instruction *at,
			  uint32_t operand, const char *rule, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

static void atomic_breach(struct spirv_context *context, const struct spirv_instruction *at,
			  uint32_t operand, const char *rule, const char *format, ...)
{
	uint32_t word =
		operand == WHOLE ? 0 : at->operands + operand - (context->module->words + at->word);
	char text[sizeof(((struct faa_spirv_message *)0)->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	spirv_refuse(context, at, word,
		     at->result ? at->result : at->operands[operand == WHOLE ? 0 : operand],
		     "%s%s%s%s: %s", *rule ? "[" : "", rule, *rule ? "] " : "",
		     spirv_op_name(at->opcode), text);
}

/* As atomic_breach(), for messages that do not begin with the instruction's name. */
static void atomic_plain(struct spirv_context *context, const struct spirv_instruction *at,
			 uint32_t operand, const char *text)
{
	spirv_refuse(context, at, at->operands + operand - (context->module->words + at->word),
		     at->result ? at->result : at->operands[operand], "%s", text);
}

/* Type of the value @id; NULL: it has none, or is no value. */
static const struct spirv_type *atomic_type_of(const struct spirv_context *context, uint32_t id)
{
	return context->module->ids[id].kind == SPIRV_ID_FUNCTION ?
		       NULL :
		       spirv_type_of(context->module, id);
}

/* ------------------------------------------------------------------------------------------------
 * Types
 */

static bool atomic_is_integer(const struct spirv_type *type)
{
	return type && type->op == SpvOpTypeInt;
}

static bool atomic_is_float(const struct spirv_type *type)
{
	return type && type->op == SpvOpTypeFloat;
}

static void atomic_check_float_width(struct spirv_context *context,
				     const struct spirv_instruction *at,
				     const struct atomic *atomic, const struct spirv_type *type)
{
	static const struct {
		uint16_t width;
		uint16_t add, min_max;
	} capabilities[] = {
		{ 16, SpvCapabilityAtomicFloat16AddEXT, SpvCapabilityAtomicFloat16MinMaxEXT },
		{ 32, SpvCapabilityAtomicFloat32AddEXT, SpvCapabilityAtomicFloat32MinMaxEXT },
		{ 64, SpvCapabilityAtomicFloat64AddEXT, SpvCapabilityAtomicFloat64MinMaxEXT },
	};
	bool add = atomic->values == FLOAT_ADD;
	uint32_t i = type->width / 32, need = add ? capabilities[i].add : capabilities[i].min_max;

	/*
	 * SPIRV-Tools checks only modules with the capability Shader, and names the 32-bit
	 * capability for 16 bits.
	 */
	if (!spirv_has_capability(context->module, need))
		atomic_breach(
			context, at, WHOLE, "", "float %s atomics require the %s capability%s",
			add ? "add" : "min/max", spirv_enumerant(SPIRV_KIND_Capability, need)->name,
			need == SpvCapabilityAtomicFloat16AddEXT ?
				" (in SPIRV-Tools' words, AtomicFAddEXT: float add atomics require the AtomicFloat32AddEXT capability)" :
				"");
}

/*
 * Checks the type of the result, or of the stored value. Return: whether further checks make sense.
 */
static bool atomic_check_data_type(struct spirv_context *context,
				   const struct spirv_instruction *at, const struct atomic *atomic,
				   const struct spirv_type *type)
{
	static const char *const wanted[] = {
		[INTEGERS] = "integer scalar type",
		[INTEGERS_AND_FLOATS] = "integer or float scalar type",
		[FLOAT_ADD] = "float scalar type",
		[FLOAT_MIN_MAX] = "float scalar type",
	};
	bool floats = atomic->values == FLOAT_ADD || atomic->values == FLOAT_MIN_MAX;

	if (floats ? !atomic_is_float(type) :
		     !atomic_is_integer(type) &&
			     !(atomic->values == INTEGERS_AND_FLOATS && atomic_is_float(type))) {
		if (at->result)
			atomic_breach(context, at, WHOLE, "", "expected Result Type to be %s",
				      wanted[atomic->values]);
		else
			atomic_breach(
				context, at, 0, "",
				"expected Pointer to be a pointer to integer or float scalar type");
		return false;
	}
	if (floats)
		atomic_check_float_width(context, at, atomic, type);
	else if (atomic_is_integer(type) && type->width == 64 &&
		 !spirv_has_capability(context->module, SpvCapabilityInt64Atomics))
		atomic_breach(context, at, WHOLE, "",
			      "64-bit atomics require the Int64Atomics capability");
	else if (atomic_is_integer(type) && type->width < 32)
		atomic_breach(context, at, WHOLE, "",
			      "%u-bit integer atomics are not supported: expected 32 or 64 bits",
			      type->width);
	return true;
}

static void atomic_check_storage_class(struct spirv_context *context,
				       const struct spirv_instruction *at, uint32_t class)
{
	bool in_vulkan = class == SpvStorageClassUniform || class == SpvStorageClassWorkgroup ||
			 class == SpvStorageClassImage || class == SpvStorageClassStorageBuffer ||
			 class == SpvStorageClassPhysicalStorageBuffer ||
			 class == SpvStorageClassTaskPayloadWorkgroupEXT;
	bool in_opencl = class == SpvStorageClassFunction || class == SpvStorageClassWorkgroup ||
			 class == SpvStorageClassCrossWorkgroup || class == SpvStorageClassGeneric;

	if (!in_vulkan && !in_opencl && class != SpvStorageClassAtomicCounter)
		atomic_breach(context, at, 0, "",
			      "storage class forbidden by universal validation rules.");
	if (class == SpvStorageClassFunction && atomic_is_shader(context))
		atomic_breach(
			context, at, 0, "",
			"Function storage class forbidden when the Shader capability is declared.");
	if (atomic_is_vulkan(context) && !in_vulkan)
		atomic_breach(
			context, at, 0, "VUID-StandaloneSpirv-None-04686",
			"Vulkan spec only allows storage classes for atomic to be: Uniform, Workgroup, Image, StorageBuffer, PhysicalStorageBuffer or TaskPayloadWorkgroupEXT.");
	if (context->module->environment == FAA_SPIRV_OPENCL && !in_opencl)
		atomic_breach(
			context, at, 0, "",
			"storage class must be Function, Workgroup, CrossWorkGroup or Generic in the OpenCL environment.");
}

/* Type of the pointee of the pointer operand; NULL: it is no pointer, which is reported. */
static const struct spirv_type *atomic_check_pointer(struct spirv_context *context,
						     const struct spirv_instruction *at)
{
	const struct spirv_type *pointer = atomic_type_of(context, at->operands[0]);

	if (!pointer || pointer->op != SpvOpTypePointer) {
		atomic_breach(context, at, 0, "", "expected Pointer to be of type OpTypePointer");
		return NULL;
	}
	atomic_check_storage_class(context, at, pointer->storage_class);
	return spirv_type(context->module, pointer->base);
}

static void atomic_check_flag(struct spirv_context *context, const struct spirv_instruction *at)
{
	const struct spirv_type *data;

	if (at->result && spirv_type(context->module, at->type)->op != SpvOpTypeBool)
		atomic_breach(context, at, WHOLE, "",
			      "expected Result Type to be bool scalar type");
	data = atomic_check_pointer(context, at);
	if (data && (!atomic_is_integer(data) || data->width != 32))
		atomic_breach(context, at, 0, "",
			      "expected Pointer to point to a value of 32-bit integer type");
}

static void atomic_check_types_of_store(struct spirv_context *context,
					const struct spirv_instruction *at,
					const struct atomic *atomic)
{
	const struct spirv_type *data = atomic_check_pointer(context, at),
				*value = atomic_type_of(context, at->operands[atomic->value]);

	if (!data)
		return;
	if (atomic_check_data_type(context, at, atomic, data) && value != data)
		atomic_breach(
			context, at, atomic->value, "",
			"expected Value type and the type pointed to by Pointer to be the same");
}

static void atomic_check_types(struct spirv_context *context, const struct spirv_instruction *at,
			       const struct atomic *atomic)
{
	const struct spirv_type *result, *data;

	if (atomic->values == FLAG) {
		atomic_check_flag(context, at);
		return;
	}
	if (!at->result) {
		atomic_check_types_of_store(context, at, atomic);
		return;
	}
	result = spirv_type(context->module, at->type);
	if (!atomic_check_data_type(context, at, atomic, result))
		return;
	data = atomic_check_pointer(context, at);
	if (data && data != result)
		atomic_breach(context, at, 0, "",
			      "expected Pointer to point to a value of type Result Type");
	if (atomic->value && atomic_type_of(context, at->operands[atomic->value]) != result)
		atomic_breach(context, at, atomic->value, "",
			      "expected Value to be of type Result Type");
	if (atomic->comparator &&
	    atomic_type_of(context, at->operands[atomic->comparator]) != result)
		atomic_breach(context, at, atomic->comparator, "",
			      "expected Comparator to be of type Result Type");
}

/* ------------------------------------------------------------------------------------------------
 * Scopes and semantics
 */

/*
 * Value of a scope or semantics operand. Return: false: no constant, or a specialization constant;
 * shaders report both.
 */
static bool atomic_take_constant(struct spirv_context *context, const struct spirv_instruction *at,
				 uint32_t operand, const char *type_text, const char *constant_text,
				 uint32_t *value)
{
	const struct spirv_type *type = atomic_type_of(context, at->operands[operand]);
	const struct spirv_constant *constant =
		spirv_constant(context->module, at->operands[operand]);
	uint32_t word = at->operands + operand - (context->module->words + at->word);

	if (!atomic_is_integer(type) || type->width != 32) {
		atomic_breach(context, at, operand, "", "expected %s to be a 32-bit int",
			      type_text);
		return false;
	}
	if (!constant || (constant->op != SpvOpConstant && constant->op != SpvOpConstantNull)) {
		if (atomic_is_shader(context))
			spirv_refuse(context, at, word, at->operands[operand],
				     "%s ids must be OpConstant when Shader capability is present",
				     constant_text);
		return false;
	}
	*value = constant->value;
	return true;
}

/* Checks a memory scope. Return: false: its value is unknown. */
static bool atomic_check_scope(struct spirv_context *context, const struct spirv_instruction *at,
			       uint32_t operand, uint32_t *scope)
{
	const struct faa_spirv_module *module = context->module;
	bool model = spirv_has_capability(module, SpvCapabilityVulkanMemoryModel);

	if (!atomic_take_constant(context, at, operand, "scope", "Scope", scope))
		return false;
	if (*scope > SpvScopeShaderCallKHR) {
		atomic_breach(context, at, operand, "", "Invalid scope value: %u", *scope);
		return false;
	}
	if (*scope == SpvScopeQueueFamily && !model)
		atomic_breach(
			context, at, operand, "",
			"Memory Scope QueueFamilyKHR requires capability VulkanMemoryModelKHR");
	if (*scope == SpvScopeDevice && model &&
	    !spirv_has_capability(module, SpvCapabilityVulkanMemoryModelDeviceScope))
		atomic_plain(
			context, at, operand,
			"Use of device scope with VulkanKHR memory model requires the VulkanMemoryModelDeviceScopeKHR capability");
	if (*scope == SpvScopeCrossDevice && atomic_is_vulkan(context))
		atomic_breach(
			context, at, operand, "VUID-StandaloneSpirv-None-04638",
			"in Vulkan environment Memory Scope is limited to Device, QueueFamily, Workgroup, ShaderCallKHR, Subgroup, or Invocation");
	return true;
}

/* Bits that require the Vulkan memory model. */
static void atomic_check_model_bits(struct spirv_context *context,
				    const struct spirv_instruction *at, uint32_t operand,
				    uint32_t value)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} bits[] = {
		{ SpvMemorySemanticsOutputMemoryMask, "OutputMemoryKHR" },
		{ SpvMemorySemanticsMakeAvailableMask, "MakeAvailableKHR" },
		{ SpvMemorySemanticsMakeVisibleMask, "MakeVisibleKHR" },
		{ SpvMemorySemanticsVolatileMask, "Volatile" },
	};
	size_t i;

	if (spirv_has_capability(context->module, SpvCapabilityVulkanMemoryModel))
		return;
	for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (value & bits[i].bit)
			atomic_breach(
				context, at, operand, "",
				"Memory Semantics %s requires capability VulkanMemoryModelKHR",
				bits[i].name);
}

/* Legal combinations of bits. */
static void atomic_check_combination(struct spirv_context *context,
				     const struct spirv_instruction *at, uint32_t operand,
				     uint32_t value)
{
	uint32_t order = value & ORDER_BITS;

	if (order & (order - 1))
		atomic_breach(
			context, at, operand, "",
			"Memory Semantics can have at most one of the following bits set: Acquire, Release, AcquireRelease or SequentiallyConsistent");
	if (value & (SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask) &&
	    !(value & STORAGE_BITS))
		atomic_breach(context, at, operand, "",
			      "expected Memory Semantics to include a storage class");
	if (value & SpvMemorySemanticsMakeVisibleMask && !(value & ACQUIRES))
		atomic_breach(
			context, at, operand, "",
			"MakeVisibleKHR Memory Semantics also requires either Acquire or AcquireRelease Memory Semantics");
	if (value & SpvMemorySemanticsMakeAvailableMask && !(value & RELEASES))
		atomic_breach(
			context, at, operand, "",
			"MakeAvailableKHR Memory Semantics also requires either Release or AcquireRelease Memory Semantics");
	if (value & SpvMemorySemanticsUniformMemoryMask && !atomic_is_shader(context))
		atomic_breach(context, at, operand, "",
			      "Memory Semantics UniformMemory requires capability Shader");
}

/*
 * [ours] An order needs a storage class, and a storage class needs an order. Subgroup,
 * cross-workgroup and atomic counter memory are no storage classes of Vulkan, and do not count.
 */
static void atomic_check_order(struct spirv_context *context, const struct spirv_instruction *at,
			       uint32_t operand, uint32_t value)
{
	if (!atomic_has_vulkan_semantics(context))
		return;
	if (value & SpvMemorySemanticsSequentiallyConsistentMask)
		atomic_breach(
			context, at, operand, "VUID-StandaloneSpirv-MemorySemantics-10866",
			"Memory Semantics with SequentiallyConsistent memory order must not be used in the Vulkan API");
	if (value & SpvMemorySemanticsSequentiallyConsistentMask &&
	    context->module->memory_model == SpvMemoryModelVulkan)
		atomic_plain(
			context, at, operand,
			"SequentiallyConsistent memory semantics cannot be used with the VulkanKHR memory model.");
	if (value & ORDER_BITS && !(value & VULKAN_STORAGE_BITS))
		atomic_breach(
			context, at, operand, "VUID-StandaloneSpirv-MemorySemantics-10870",
			"Memory Semantics with a non-relaxed memory order (Acquire, Release, or AcquireRelease) must have at least one Vulkan-supported storage class semantics bit set (UniformMemory, WorkgroupMemory, ImageMemory, or OutputMemory)");
	if (!(value & ORDER_BITS) && value & VULKAN_STORAGE_BITS)
		atomic_breach(
			context, at, operand, "VUID-StandaloneSpirv-MemorySemantics-10871",
			"Memory Semantics with at least one Vulkan-supported storage class semantics bit set (UniformMemory, WorkgroupMemory, ImageMemory, or OutputMemory) must use a non-relaxed memory order (Acquire, Release, or AcquireRelease)");
}

/* Checks an operand with memory semantics. Return: false: its value is unknown. */
static bool atomic_check_semantics(struct spirv_context *context,
				   const struct spirv_instruction *at, uint32_t operand,
				   uint32_t *value)
{
	if (!atomic_take_constant(context, at, operand, "Memory Semantics", "Memory Semantics",
				  value))
		return false;
	atomic_check_combination(context, at, operand, *value);
	atomic_check_model_bits(context, at, operand, *value);
	atomic_check_order(context, at, operand, *value);
	return true;
}

/* Loads do not release, stores do not acquire; like SPIRV-Tools, only for Vulkan. */
static void atomic_check_direction(struct spirv_context *context,
				   const struct spirv_instruction *at, uint32_t value)
{
	const uint32_t sc =
		atomic_is_vulkan(context) ? SpvMemorySemanticsSequentiallyConsistentMask : 0;

	if (at->opcode == SpvOpAtomicLoad && value & (RELEASES | sc))
		atomic_plain(
			context, at, 2,
			"[VUID-StandaloneSpirv-OpAtomicLoad-04731] Vulkan spec disallows OpAtomicLoad with Memory Semantics Release, AcquireRelease and SequentiallyConsistent");
	if (at->opcode == SpvOpAtomicStore && value & (ACQUIRES | sc))
		atomic_plain(
			context, at, 2,
			"[VUID-StandaloneSpirv-OpAtomicStore-04730] Vulkan spec disallows OpAtomicStore with Memory Semantics Acquire, AcquireRelease and SequentiallyConsistent");
	if (at->opcode == SpvOpAtomicFlagClear && value & ACQUIRES)
		atomic_plain(
			context, at, 2,
			"Memory Semantics Acquire and AcquireRelease cannot be used with AtomicFlagClear");
}

/* Rank of an order: relaxed; acquire or release; both; sequentially consistent. */
static uint32_t atomic_strength(uint32_t value)
{
	return value & SpvMemorySemanticsSequentiallyConsistentMask ? 3 :
	       value & SpvMemorySemanticsAcquireReleaseMask	    ? 2 :
	       value & ORDER_BITS				    ? 1 :
								      0;
}

/* Acquire (unequal) with Release (equal) is legal, as in C and SPIRV-Tools. */
static bool atomic_is_stronger(uint32_t unequal, uint32_t equal)
{
	return atomic_strength(unequal) > atomic_strength(equal);
}

/* [ours] The semantics for unequal must not be stronger than those for equal. */
static void atomic_check_unequal(struct spirv_context *context, const struct spirv_instruction *at,
				 uint32_t operand, uint32_t equal, uint32_t unequal)
{
	const uint32_t volatile_bit = SpvMemorySemanticsVolatileMask;

	if (unequal & RELEASES)
		atomic_breach(
			context, at, operand, "",
			"Memory Semantics Release and AcquireRelease cannot be used for operand Unequal");
	else if (atomic_is_stronger(unequal, equal))
		atomic_breach(
			context, at, operand, "VUID-StandaloneSpirv-UnequalMemorySemantics-10876",
			"Memory Semantics of operand Unequal must not be stronger than those of operand Equal");
	if (unequal & VULKAN_STORAGE_BITS & ~equal && atomic_has_vulkan_semantics(context))
		atomic_breach(
			context, at, operand, "VUID-StandaloneSpirv-UnequalMemorySemantics-10877",
			"Unequal Memory Semantics must not have any Vulkan-supported storage class semantics bit set (UniformMemory, WorkgroupMemory, ImageMemory, or OutputMemory) unless this bit is also set in the corresponding Equal Memory Semantics");
	if (unequal & ~equal & SpvMemorySemanticsMakeVisibleMask)
		atomic_breach(
			context, at, operand, "VUID-StandaloneSpirv-UnequalMemorySemantics-10878",
			"Memory Semantics of operand Unequal must not include MakeVisible unless operand Equal does");
	if ((unequal ^ equal) & volatile_bit)
		atomic_plain(
			context, at, operand,
			"[VUID-StandaloneSpirv-UnequalMemorySemantics-10879] Volatile mask setting must match for Equal and Unequal memory semantics");
}

static void atomic_check_invocation(struct spirv_context *context,
				    const struct spirv_instruction *at, uint32_t operand,
				    uint32_t scope, uint32_t value)
{
	if (atomic_has_vulkan_semantics(context) && scope == SpvScopeInvocation &&
	    value & ORDER_BITS)
		atomic_breach(
			context, at, operand, "VUID-StandaloneSpirv-None-04641",
			"Vulkan specification requires Memory Semantics to be None if used with Invocation Memory Scope");
}

static void atomic_check(struct spirv_context *context, const struct spirv_instruction *at,
			 const struct atomic *atomic)
{
	uint32_t scope = SPIRV_NONE, equal = 0, unequal = 0;
	bool known;

	atomic_check_types(context, at, atomic);
	if (!atomic_check_scope(context, at, 1, &scope))
		scope = SPIRV_NONE;
	known = atomic_check_semantics(context, at, 2, &equal);
	if (known) {
		atomic_check_direction(context, at, equal);
		atomic_check_invocation(context, at, 2, scope, equal);
	}
	if (!atomic->unequal || !atomic_check_semantics(context, at, atomic->unequal, &unequal))
		return;
	atomic_check_invocation(context, at, atomic->unequal, scope, unequal);
	if (known)
		atomic_check_unequal(context, at, atomic->unequal, equal, unequal);
}

/* ------------------------------------------------------------------------------------------------
 * Barriers
 */

static void atomic_check_execution_scope(struct spirv_context *context,
					 const struct spirv_instruction *at, uint32_t operand)
{
	uint32_t scope;

	if (!atomic_take_constant(context, at, operand, "scope", "Scope", &scope))
		return;
	if (scope > SpvScopeShaderCallKHR)
		atomic_breach(context, at, operand, "", "Invalid scope value: %u", scope);
	else if (atomic_is_vulkan(context) && scope != SpvScopeWorkgroup &&
		 scope != SpvScopeSubgroup)
		atomic_breach(
			context, at, operand, "VUID-StandaloneSpirv-None-04636",
			"in Vulkan environment Execution Scope is limited to Workgroup and Subgroup");
}

static void atomic_check_barrier(struct spirv_context *context, const struct spirv_instruction *at,
				 uint32_t first)
{
	uint32_t scope = SPIRV_NONE, value;

	if (!atomic_check_scope(context, at, first, &scope))
		scope = SPIRV_NONE;
	if (!atomic_check_semantics(context, at, first + 1, &value))
		return;
	atomic_check_invocation(context, at, first + 1, scope, value);
	if (value & SpvMemorySemanticsVolatileMask)
		atomic_plain(context, at, first + 1,
			     "Memory Semantics Volatile can only be used with atomic instructions");
	if (!atomic_has_vulkan_semantics(context))
		return;
	if (at->opcode == SpvOpMemoryBarrier && !(value & ORDER_BITS))
		atomic_breach(
			context, at, first + 1, "VUID-StandaloneSpirv-OpMemoryBarrier-04732",
			"Vulkan specification requires Memory Semantics to have one of the following bits set: Acquire, Release, AcquireRelease or SequentiallyConsistent");
	if (at->opcode == SpvOpMemoryBarrier && !(value & VULKAN_STORAGE_BITS))
		atomic_breach(
			context, at, first + 1, "VUID-StandaloneSpirv-OpMemoryBarrier-04733",
			"expected Memory Semantics to include a Vulkan-supported storage class");
	if (at->opcode == SpvOpControlBarrier && value & ORDER_BITS &&
	    !(value & VULKAN_STORAGE_BITS))
		atomic_breach(
			context, at, first + 1, "VUID-StandaloneSpirv-OpControlBarrier-04650",
			"expected Memory Semantics to include a Vulkan-supported storage class if Memory Semantics is not None");
}

/* ------------------------------------------------------------------------------------------------
 * Pointers to texels
 */

/* Number of coordinates of a texel; 0: the image has none. */
static uint32_t atomic_coordinates(const struct spirv_type *image)
{
	static const uint8_t count[] = { [SpvDim1D] = 1,   [SpvDim2D] = 2,   [SpvDim3D] = 3,
					 [SpvDimCube] = 3, [SpvDimRect] = 2, [SpvDimBuffer] = 1 };

	/* A cube's face and the layer of an array of cubes share one coordinate. */
	return image->dim <= SpvDimBuffer ?
		       count[image->dim] + (image->arrayed && image->dim != SpvDimCube) :
		       0;
}

static void atomic_check_coordinate(struct spirv_context *context,
				    const struct spirv_instruction *at,
				    const struct spirv_type *image)
{
	const struct spirv_type *type = atomic_type_of(context, at->operands[1]);
	const struct spirv_type *scalar = type && type->op == SpvOpTypeVector ?
						  spirv_type(context->module, type->base) :
						  type;
	uint32_t given = type && type->op == SpvOpTypeVector ? type->count : 1;

	if (!atomic_is_integer(scalar))
		atomic_plain(context, at, 1, "Expected Coordinate to be integer scalar or vector");
	else if (!atomic_coordinates(image))
		atomic_plain(context, at, 0,
			     "Image Dim SubpassData cannot be used with OpImageTexelPointer");
	else if (given != atomic_coordinates(image))
		spirv_refuse(context, at, 4, at->result,
			     "Expected Coordinate to have %u components, but given %u",
			     atomic_coordinates(image), given);
}

static void atomic_check_sample(struct spirv_context *context, const struct spirv_instruction *at,
				const struct spirv_type *image)
{
	const struct spirv_constant *constant = spirv_constant(context->module, at->operands[2]);

	if (!atomic_is_integer(atomic_type_of(context, at->operands[2])))
		atomic_plain(context, at, 2, "Expected Sample to be integer scalar");
	else if (!image->multisampled && (!constant || constant->value))
		atomic_plain(
			context, at, 2,
			"Expected Sample for Image with MS 0 to be a valid <id> for the value 0");
}

static bool atomic_is_atomic_format(uint32_t format)
{
	return format == SpvImageFormatR64i || format == SpvImageFormatR64ui ||
	       format == SpvImageFormatR32f || format == SpvImageFormatR32i ||
	       format == SpvImageFormatR32ui;
}

static void atomic_check_image(struct spirv_context *context, const struct spirv_instruction *at,
			       const struct spirv_type *texel)
{
	const struct spirv_type *pointer = atomic_type_of(context, at->operands[0]);
	const struct spirv_type *image = pointer && pointer->op == SpvOpTypePointer ?
						 spirv_type(context->module, pointer->base) :
						 NULL;

	if (!image) {
		atomic_plain(context, at, 0, "Expected Image to be OpTypePointer");
		return;
	}
	if (image->op != SpvOpTypeImage) {
		atomic_plain(context, at, 0,
			     "Expected Image to be OpTypePointer with Type OpTypeImage");
		return;
	}
	if (image->base != texel->id)
		atomic_plain(
			context, at, 0,
			"Expected Image 'Sampled Type' to be the same as the Type pointed to by Result Type");
	atomic_check_coordinate(context, at, image);
	atomic_check_sample(context, at, image);
	if (atomic_is_vulkan(context) && !atomic_is_atomic_format(image->format))
		atomic_plain(
			context, at, 0,
			"[VUID-StandaloneSpirv-OpImageTexelPointer-04658] Expected the Image Format in Image to be R64i, R64ui, R32f, R32i, or R32ui for Vulkan environment");
}

static void atomic_check_texel_pointer(struct spirv_context *context,
				       const struct spirv_instruction *at)
{
	const struct spirv_type *result = spirv_type(context->module, at->type), *texel;

	if (result->op != SpvOpTypePointer) {
		atomic_plain(context, at, 0, "Expected Result Type to be OpTypePointer");
		return;
	}
	if (result->storage_class != SpvStorageClassImage)
		atomic_plain(
			context, at, 0,
			"Expected Result Type to be OpTypePointer whose Storage Class operand is Image");
	texel = spirv_type(context->module, result->base);
	if (!atomic_is_integer(texel) && !atomic_is_float(texel) && texel->op != SpvOpTypeVoid)
		atomic_breach(
			context, at, 0, "",
			"Expected Result Type to be OpTypePointer whose Type operand must be a scalar numerical type or OpTypeVoid");
	atomic_check_image(context, at, texel);
}

/* [ours] Only atomics may use a pointer to a texel. */
static int atomic_check_texel_use(struct spirv_context *context, const struct spirv_instruction *at,
				  const struct spirv_operand *operand)
{
	const struct faa_spirv_module *module = context->module;
	uint32_t id = module->words[at->word + operand->word];

	if (operand->kind != SPIRV_KIND_IdRef || module->ids[id].kind != SPIRV_ID_VALUE ||
	    module->instructions[module->ids[id].instruction].opcode != SpvOpImageTexelPointer)
		return 0;
	if (!atomic_find(at->opcode))
		spirv_refuse(
			context, at, operand->word, id,
			"%s: the result of OpImageTexelPointer may be used by atomic instructions only",
			spirv_op_name(at->opcode));
	return 0;
}

static bool atomic_is_about_names(uint32_t opcode)
{
	return opcode == SpvOpName || opcode == SpvOpDecorate || opcode == SpvOpDecorateId ||
	       opcode == SpvOpGroupDecorate || opcode == SpvOpDecorateString ||
	       opcode == SpvOpExtInst;
}

static void atomic_check_instruction(struct spirv_context *context,
				     const struct spirv_instruction *at)
{
	const struct atomic *atomic = atomic_find(at->opcode);

	if (atomic)
		atomic_check(context, at, atomic);
	else if (at->opcode == SpvOpMemoryBarrier)
		atomic_check_barrier(context, at, 0);
	else if (at->opcode == SpvOpControlBarrier)
		atomic_check_barrier(context, at, 1);
	else if (at->opcode == SpvOpImageTexelPointer)
		atomic_check_texel_pointer(context, at);
	if (at->opcode == SpvOpControlBarrier)
		atomic_check_execution_scope(context, at, 0);
	if (!atomic && !atomic_is_about_names(at->opcode))
		spirv_walk(context, at, atomic_check_texel_use);
}

void spirv_check_atomics(struct spirv_context *context)
{
	uint32_t i;

	for (i = 0; i < context->module->instruction_count; i++)
		atomic_check_instruction(context, &context->module->instructions[i]);
}
