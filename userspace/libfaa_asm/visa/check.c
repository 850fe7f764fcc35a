// SPDX-License-Identifier: MIT
/* The rules of instructions and declarations, for all forms. */
#include <string.h>

#include "visa.h"

static const char *const check_slot_names[VISA_SLOTS] = { "addresses", "src0", "src1", "dst" };

static int check_op(const struct visa_inst *inst, const struct visa_places *places,
		    struct faa_asm_error *error)
{
	const struct visa_op *op = &visa_ops[inst->op & 31];

	if (inst->op & 0x80)
		return faa_asm_fail(error, places->line, places->width,
				    "bit 7 of the operation must be 0");
	if (!op->name && op->seed)
		return faa_asm_fail(error, places->line, places->op,
				    FAA_ASM_UNSUPPORTED
				    "svm_atomic.%s, which later platforms alone have",
				    op->seed);
	if (!op->name)
		return faa_asm_fail(error, places->line, places->op,
				    "operation code %u of svm_atomic is unused", inst->op & 31);
	if (visa_width_code(inst) == 3)
		return faa_asm_fail(error, places->line, places->width, "width code 3 is reserved");
	if (op->types[visa_width_code(inst)] == VISA_TYPE_NONE)
		return faa_asm_fail(
			error, places->line, places->width,
			"%s has no 64-bit form: floating-point operations are on type F", op->name);
	return 0;
}

/* Execution size and mask. */
static int check_exec(const struct visa_inst *inst, const struct visa_places *places,
		      unsigned int largest, struct faa_asm_error *error)
{
	unsigned int size = visa_size(inst), channel = visa_channel(inst);

	if (inst->exec & 8 || (inst->exec & 7) > 5)
		return faa_asm_fail(error, places->line, places->exec,
				    "execution size code %u is reserved", inst->exec & 15);
	if (size > largest)
		return faa_asm_fail(error, places->line, places->exec,
				    "execution size %u: svm_atomic has 1, 2, 4 and 8", size);
	if (channel % size || channel + size > 32)
		return faa_asm_fail(
			error, places->line, places->mask,
			"mask M%u begins at channel %u, no multiple of the execution size %u",
			channel / 4 + 1, channel, size);
	return 0;
}

static int check_predicate(const struct visa_code *code, const struct visa_inst *inst,
			   const struct visa_places *places, struct faa_asm_error *error)
{
	uint32_t number = visa_predicate(inst);

	if (inst->predicate & 0x1000)
		return faa_asm_fail(error, places->line, places->predicate,
				    "bit 12 of the predicate control must be 0");
	if (visa_combine(inst) == 3)
		return faa_asm_fail(error, places->line, places->predicate,
				    "predicate combination 3 is reserved");
	if (!number && inst->predicate)
		return faa_asm_fail(error, places->line, places->predicate,
				    "P0 is no predicate and cannot be inverted or combined");
	if (number && visa_declared(code, VISA_PREDICATE) &&
	    !visa_find(code, VISA_PREDICATE, number))
		return faa_asm_fail(error, places->line, places->predicate,
				    "predicate number %u is not declared", number);
	return 0;
}

/*
 * Whether a variable of type @have is allowed where the table has type @want. Compilers declare
 * integers of either sign for every integer operation, and the reference tool accepts them: the
 * sign is that of the operation.
 */
static bool visa_type_fits(uint8_t want, uint8_t have)
{
	static const uint8_t other[] = {
		[VISA_TYPE_UD] = VISA_TYPE_D,
		[VISA_TYPE_D] = VISA_TYPE_UD,
		[VISA_TYPE_UQ] = VISA_TYPE_Q,
		[VISA_TYPE_Q] = VISA_TYPE_UQ,
	};

	return have == want || (want != VISA_TYPE_F && have == other[want]);
}

/* "ud or d", "f". */
static const char *visa_type_choice(uint8_t want)
{
	if (want == VISA_TYPE_F)
		return visa_types[want].name;
	return visa_types[want].bytes == 8 ? "uq or q" : "ud or d";
}

/* Checks the variable of an operand: if it is declared, its type, offset and size. */
static int check_variable(const struct visa_code *code, const struct visa_inst *inst,
			  enum visa_slot slot, uint8_t type, const struct visa_places *places,
			  struct faa_asm_error *error)
{
	const struct visa_raw *raw = &inst->raw[slot];
	const struct visa_variable *variable = visa_find(code, VISA_GENERAL, raw->variable);
	uint32_t line = places->line, column = places->raw[slot];
	uint32_t bytes = visa_size(inst) * visa_types[type].bytes, offset = raw->offset;
	uint32_t start;
	const char *name;

	if (!variable)
		return faa_asm_fail(error, line, column, "variable number %u is not declared",
				    raw->variable);
	name = visa_text(code, variable->name);
	if (!visa_type_fits(type, variable->type))
		return faa_asm_fail(error, line, column,
				    "%s has type %s, but the %s of svm_atomic.%s%s must be %s",
				    name, visa_types[variable->type].name, check_slot_names[slot],
				    visa_ops[inst->op & 31].name,
				    visa_width_code(inst) == 2 ? ".64" :
				    visa_width_code(inst)      ? ".16" :
								 "",
				    visa_type_choice(type));
	if (offset + bytes > visa_bytes(variable))
		return faa_asm_fail(
			error, line, column,
			"%u elements from byte %u on lead beyond the end of %s, which has %u bytes",
			visa_size(inst), offset, name, visa_bytes(variable));
	start = variable->root_offset + offset;
	if (start % VISA_GRF)
		return faa_asm_fail(
			error, line, column,
			"a raw operand begins at a register of 32 bytes: byte %u of the variable that %s aliases does not",
			start, name);
	return 0;
}

static int check_raw(const struct visa_code *code, const struct visa_inst *inst,
		     enum visa_slot slot, uint8_t type, const struct visa_places *places,
		     struct faa_asm_error *error)
{
	const struct visa_raw *raw = &inst->raw[slot];
	uint32_t line = places->line, column = places->raw[slot];

	if (!raw->variable && raw->offset)
		return faa_asm_fail(error, line, column, "%%null has no byte %u", raw->offset);
	if (!raw->variable)
		return 0;
	if (raw->variable < VISA_FIRST_GENERAL)
		return faa_asm_fail(error, line, column,
				    "V%u is predefined; of those svm_atomic takes V0 (%%null) only",
				    raw->variable);
	if (raw->offset % VISA_GRF)
		return faa_asm_fail(
			error, line, column,
			"a raw operand begins at a register of 32 bytes: offset %u is no multiple of 32",
			raw->offset);
	if (!visa_declared(code, VISA_GENERAL))
		return 0;
	return check_variable(code, inst, slot, type, places, error);
}

/* Operands that have to be present, or absent. */
static int check_presence(const struct visa_inst *inst, enum visa_slot slot,
			  const struct visa_places *places, struct faa_asm_error *error)
{
	const struct visa_op *op = &visa_ops[inst->op & 31];
	bool null = !inst->raw[slot].variable;
	unsigned int source;

	if (slot == VISA_DST)
		return 0;
	if (slot == VISA_ADDRESSES) {
		if (!null)
			return 0;
		return faa_asm_fail(error, places->line, places->raw[slot],
				    "the addresses cannot be %%null");
	}
	source = slot == VISA_SRC1;
	if (op->sources > source && null)
		return faa_asm_fail(error, places->line, places->raw[slot],
				    "%s needs %s, which cannot be %%null", op->name,
				    check_slot_names[slot]);
	if (op->sources <= source && !null)
		return faa_asm_fail(error, places->line, places->raw[slot],
				    "%s has no %s: it must be %%null.0", op->name,
				    check_slot_names[slot]);
	return 0;
}

static int check_svm(const struct visa_code *code, const struct visa_inst *inst,
		     const struct visa_places *places, struct faa_asm_error *error)
{
	/* In the order of the text, so that the leftmost error is reported. */
	static const uint8_t order[] = { VISA_ADDRESSES, VISA_DST, VISA_SRC0, VISA_SRC1 };
	unsigned int i;
	int ret;

	ret = check_predicate(code, inst, places, error);
	if (!ret)
		ret = check_op(inst, places, error);
	if (!ret)
		ret = check_exec(inst, places, 8, error);
	for (i = 0; !ret && i < VISA_SLOTS; i++) {
		enum visa_slot slot = (enum visa_slot)order[i];
		uint8_t type = slot == VISA_ADDRESSES ?
				       (uint8_t)VISA_TYPE_UQ :
				       visa_ops[inst->op & 31].types[visa_width_code(inst)];

		ret = check_presence(inst, slot, places, error);
		if (!ret)
			ret = check_raw(code, inst, slot, type, places, error);
	}
	return ret;
}

static int check_fence(const struct visa_inst *inst, const struct visa_places *places,
		       struct faa_asm_error *error)
{
	if (inst->op & 0x80 && inst->op != 0x80)
		return faa_asm_fail(error, places->line, places->op,
				    "a software fence (bit 7) has no other bits");
	return 0;
}

int visa_check(const struct visa_code *code, const struct visa_inst *inst,
	       const struct visa_places *places, struct faa_asm_error *error)
{
	int ret;

	switch (inst->opcode) {
	case VISA_SVM:
		return check_svm(code, inst, places, error);
	case VISA_RET:
		ret = check_predicate(code, inst, places, error);
		return ret ? ret : check_exec(inst, places, 32, error);
	case VISA_FENCE:
		return check_fence(inst, places, error);
	default:
		return 0;
	}
}

/* An alias lies within its target. */
static int check_alias(const struct visa_code *code, struct visa_variable *variable, uint32_t line,
		       uint32_t column, struct faa_asm_error *error)
{
	const struct visa_variable *target = visa_find(code, VISA_GENERAL, variable->alias);
	const char *name = visa_text(code, variable->name);

	if (!target)
		return faa_asm_fail(
			error, line, column,
			"%s is an alias of variable number %u, which is not declared before it",
			name, variable->alias);
	if (variable->alias_offset + visa_bytes(variable) > visa_bytes(target))
		return faa_asm_fail(
			error, line, column,
			"%s, %u bytes from byte %u on, leads beyond the end of %s, which has %u bytes",
			name, visa_bytes(variable), variable->alias_offset,
			visa_text(code, target->name), visa_bytes(target));
	if (variable->alias_offset % visa_types[variable->type].bytes)
		return faa_asm_fail(error, line, column,
				    "%s of type %s cannot begin at byte %u of another variable",
				    name, visa_types[variable->type].name, variable->alias_offset);
	variable->root = target->root;
	variable->root_offset = target->root_offset + variable->alias_offset;
	return 0;
}

int visa_check_variable(const struct visa_code *code, struct visa_variable *variable, uint32_t line,
			uint32_t column, struct faa_asm_error *error)
{
	const char *name = visa_text(code, variable->name);

	if (variable->type >= 16 || !visa_types[variable->type].text)
		return faa_asm_fail(error, line, column, "%s has type code %u, of no variable",
				    name, variable->type);
	if (variable->align >= VISA_ALIGNS)
		return faa_asm_fail(error, line, column, "%s has the reserved alignment code %u",
				    name, variable->align);
	if (!variable->elements)
		return faa_asm_fail(error, line, column, "%s has no elements", name);
	if (!variable->alias && variable->alias_offset)
		return faa_asm_fail(error, line, column,
				    "%s has an offset of an alias, but is none", name);
	variable->root = VISA_FIRST_GENERAL + code->variables[VISA_GENERAL].count;
	return variable->alias ? check_alias(code, variable, line, column, error) : 0;
}

static int check_input_class(const struct visa_code *code, const struct visa_input *input,
			     uint32_t *bytes)
{
	const struct visa_variable *variable =
		visa_find(code, (enum visa_class)input->class, input->number);

	if (!variable)
		return -1;
	*bytes = input->class == VISA_GENERAL ? visa_bytes(variable) : variable->elements * 4u;
	return 0;
}

int visa_check_input(const struct visa_code *code, const struct visa_input *input, uint32_t line,
		     uint32_t column, struct faa_asm_error *error)
{
	const struct visa_input *other = code->inputs.items;
	uint32_t bytes, i;

	if (check_input_class(code, input, &bytes))
		return faa_asm_fail(error, line, column,
				    "an input is variable number %u, which is not declared",
				    input->number);
	if (input->size != bytes)
		return faa_asm_fail(error, line, column,
				    "an input of %u bytes, but its variable has %u", input->size,
				    bytes);
	if (input->offset < VISA_GRF)
		return faa_asm_fail(error, line, column,
				    "inputs begin at byte 32, after the thread header");
	if (bytes >= VISA_GRF && input->offset % VISA_GRF)
		return faa_asm_fail(
			error, line, column,
			"an input of %u bytes begins at a multiple of 32: byte %u is none", bytes,
			input->offset);
	if (input->offset + bytes > 65536)
		return faa_asm_fail(error, line, column, "an input ends after byte 65535");
	for (i = 0; i < code->inputs.count; i++)
		if (input->offset < other[i].offset + other[i].size &&
		    other[i].offset < input->offset + bytes)
			return faa_asm_fail(
				error, line, column,
				"an input at bytes %u to %u, which overlap input number %u",
				input->offset, input->offset + bytes - 1, i + 1);
	return 0;
}

enum visa_attribute_class visa_attribute_class(const char *name)
{
	if (!strcmp(name, "Target"))
		return VISA_HAS_TARGET;
	if (!strcmp(name, "OutputAsmPath") || !strcmp(name, "AsmName"))
		return VISA_HAS_TEXT;
	return VISA_HAS_NUMBER;
}

bool visa_is_name(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	size_t size = strlen(text);

	return size && strchr(letters, text[0]) &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
		       size;
}
