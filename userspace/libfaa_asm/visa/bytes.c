// SPDX-License-Identifier: MIT
/* Encoding and decoding of instructions; little-endian. */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "visa.h"

static uint16_t bytes_get16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static void bytes_put16(uint8_t *bytes, uint16_t value)
{
	value = htole16(value);
	memcpy(bytes, &value, 2);
}

static const uint8_t bytes_raw_at[VISA_SLOTS] = {
	[VISA_ADDRESSES] = VISA_AT_ADDRESSES,
	[VISA_SRC0] = VISA_AT_SRC0,
	[VISA_SRC1] = VISA_AT_SRC1,
	[VISA_DST] = VISA_AT_DST,
};

/* Columns are bytes of the instruction, from 1. */
static struct visa_places bytes_places_of(const struct visa_inst *inst)
{
	struct visa_places places = { .line = inst->line, .start = 1 };
	unsigned int slot;

	if (inst->opcode == VISA_SVM) {
		places.exec = places.mask = VISA_AT_EXEC + 1;
		places.predicate = VISA_AT_PREDICATE + 1;
		places.op = places.width = VISA_AT_OP + 1;
		for (slot = 0; slot < VISA_SLOTS; slot++)
			places.raw[slot] = bytes_raw_at[slot] + 1u;
	} else {
		places.exec = places.mask = places.op = 2;
		places.predicate = 3;
	}
	return places;
}

static size_t bytes_of(uint8_t opcode)
{
	switch (opcode) {
	case VISA_SVM:
		return VISA_SVM_BYTES;
	case VISA_RET:
		return VISA_RET_BYTES;
	case VISA_FENCE:
		return VISA_FENCE_BYTES;
	case VISA_LABEL:
		return VISA_LABEL_BYTES;
	case VISA_SUBROUTINE:
		return VISA_SUBROUTINE_BYTES;
	default:
		return 0;
	}
}

static const char *bytes_svm_name(uint8_t id)
{
	size_t i;

	for (i = 0; i < sizeof(visa_svm_names) / sizeof(visa_svm_names[0]); i++)
		if (visa_svm_names[i].code == id)
			return visa_svm_names[i].name;
	return NULL;
}

/* Decodes opcode and length. */
static int bytes_decode_kind(const uint8_t *bytes, size_t size, uint32_t line, size_t *used,
			     struct faa_asm_error *error)
{
	const char *name;

	*used = size ? bytes_of(bytes[0]) : 0;
	name = size ? visa_foreign[bytes[0]] : NULL;
	if (name)
		return faa_asm_fail(
			error, line, 1,
			FAA_ASM_UNSUPPORTED
			"opcode 0x%02x, %s; of vISA faa executes svm_atomic (0x4e 0x05), ret (0x34) and fences (0x5c)",
			bytes[0], name);
	if (!*used)
		return faa_asm_fail(error, line, 1, "vISA has no opcode 0x%02x",
				    size ? bytes[0] : 0);
	if (size < *used)
		return faa_asm_fail(error, line, (uint32_t)size + 1,
				    "an instruction with opcode 0x%02x has %zu bytes, not %zu",
				    bytes[0], *used, size);
	if (bytes[0] != VISA_SVM || bytes[VISA_AT_SVM] == VISA_SVM_ATOMIC)
		return 0;
	name = bytes_svm_name(bytes[VISA_AT_SVM]);
	if (!name)
		return faa_asm_fail(error, line, VISA_AT_SVM + 1, "SVM has no operation 0x%02x",
				    bytes[VISA_AT_SVM]);
	return faa_asm_fail(error, line, VISA_AT_SVM + 1,
			    FAA_ASM_UNSUPPORTED
			    "%s (0x%02x); of the SVM instructions faa executes svm_atomic (0x05)",
			    name, bytes[VISA_AT_SVM]);
}

static void bytes_decode_svm(const uint8_t *bytes, struct visa_inst *inst)
{
	unsigned int slot;

	inst->exec = bytes[VISA_AT_EXEC];
	inst->predicate = bytes_get16(bytes + VISA_AT_PREDICATE);
	inst->op = bytes[VISA_AT_OP];
	for (slot = 0; slot < VISA_SLOTS; slot++) {
		const uint8_t *raw = bytes + bytes_raw_at[slot];

		inst->raw[slot].variable = bytes_get16(raw) | (uint32_t)bytes_get16(raw + 2) << 16;
		inst->raw[slot].offset = bytes_get16(raw + 4);
	}
}

/* The labels of a kernel are already declared. */
static int bytes_decode_label(struct visa_code *code, const struct visa_inst *inst,
			      struct faa_asm_error *error)
{
	struct visa_label *label;
	int ret;

	if (!code->kernel) {
		ret = visa_label_put(code, inst->label, inst->opcode, 0);
		if (ret == -EEXIST)
			return faa_asm_fail(error, inst->line, 2, "duplicate label number %u",
					    inst->label);
		return ret;
	}
	if (inst->label >= code->labels.count)
		return faa_asm_fail(error, inst->line, 2, "label number %u is not declared",
				    inst->label);
	label = &visa_labels(code)[inst->label];
	if (label->kind != inst->opcode)
		return faa_asm_fail(error, inst->line, 2, "%s is declared as another kind of label",
				    visa_text(code, label->name));
	return 0;
}

int visa_decode(struct visa_code *code, const uint8_t *bytes, size_t size, size_t *used,
		uint32_t line, struct faa_asm_error *error)
{
	struct visa_inst *inst;
	struct visa_places places;
	int ret;

	ret = bytes_decode_kind(bytes, size, line, used, error);
	if (ret)
		return ret;
	inst = visa_add(&code->insts, sizeof(*inst));
	if (!inst)
		return -ENOMEM;
	inst->opcode = bytes[0];
	inst->line = line;
	switch (inst->opcode) {
	case VISA_SVM:
		bytes_decode_svm(bytes, inst);
		break;
	case VISA_RET:
		inst->exec = bytes[1];
		inst->predicate = bytes_get16(bytes + 2);
		break;
	case VISA_FENCE:
		inst->op = bytes[1];
		break;
	default:
		inst->label = bytes_get16(bytes + 1);
		return bytes_decode_label(code, inst, error);
	}
	places = bytes_places_of(inst);
	return visa_check(code, inst, &places, error);
}

size_t visa_encode(const struct visa_inst *inst, uint8_t *bytes)
{
	unsigned int slot;

	bytes[0] = inst->opcode;
	switch (inst->opcode) {
	case VISA_SVM:
		bytes[VISA_AT_SVM] = VISA_SVM_ATOMIC;
		bytes[VISA_AT_EXEC] = inst->exec;
		bytes_put16(bytes + VISA_AT_PREDICATE, inst->predicate);
		bytes[VISA_AT_OP] = inst->op;
		for (slot = 0; slot < VISA_SLOTS; slot++) {
			bytes_put16(bytes + bytes_raw_at[slot], (uint16_t)inst->raw[slot].variable);
			bytes_put16(bytes + bytes_raw_at[slot] + 2,
				    (uint16_t)(inst->raw[slot].variable >> 16));
			bytes_put16(bytes + bytes_raw_at[slot] + 4, inst->raw[slot].offset);
		}
		break;
	case VISA_RET:
		bytes[1] = inst->exec;
		bytes_put16(bytes + 2, inst->predicate);
		break;
	case VISA_FENCE:
		bytes[1] = inst->op;
		break;
	default:
		bytes_put16(bytes + 1, inst->label);
		break;
	}
	return bytes_of(inst->opcode);
}
