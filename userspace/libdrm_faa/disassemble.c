// SPDX-License-Identifier: MIT
#include "decode.h"
#include "faa.h"
#include "text.h"

#include <ctype.h>
#include <stdbool.h>

/* Element count that is not printed: one warp, as in documents of the notation. */
#define DEFAULT_COUNT FAA_LANES

static void disassemble_register(struct faa_text *text, unsigned int reg)
{
	if (reg == FAA_RZ)
		faa_text(text, "RZ");
	else
		faa_text(text, "R%u", reg);
}

static void disassemble_predicate(struct faa_text *text, unsigned int predicate)
{
	if (predicate == FAA_PT)
		faa_text(text, "PT");
	else
		faa_text(text, "P%u", predicate);
}

/* " + e * 4", " - e * 4" */
static void disassemble_step(struct faa_text *text, int64_t step)
{
	uint64_t size = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;

	faa_text(text, " %c e * %llu", step < 0 ? '-' : '+', (unsigned long long)size);
}

static void disassemble_array(struct faa_text *text, const struct faa_operand *o)
{
	const char *type = faa_type_names[o->type];

	if (o->step)
		faa_text(text, "0x%llx + ", (unsigned long long)o->step);
	if (o->shift)
		faa_text(text, "(");
	while (*type)
		faa_text(text, "%c", tolower((unsigned char)*type++));
	faa_text(text, "[0x%llx", (unsigned long long)o->value);
	if (o->stride)
		disassemble_step(text, o->stride);
	faa_text(text, "]");
	if (o->shift)
		faa_text(text, " << %u)", o->shift);
}

static void disassemble_operand(struct faa_text *text, const struct faa_operand *o)
{
	switch (o->kind) {
	case FAA_KIND_REG:
		disassemble_register(text, o->reg);
		break;
	case FAA_KIND_IMM:
		faa_text(text, "0x%llx", (unsigned long long)o->value);
		break;
	case FAA_KIND_AFFINE:
		faa_text(text, "0x%llx", (unsigned long long)o->value);
		disassemble_step(text, (int64_t)o->step);
		break;
	case FAA_KIND_STREAM:
		disassemble_array(text, o);
		break;
	default:
		faa_text(text, "_");
	}
}

/* ".2D_ARRAY.BA.PACKED.IGN"; the default clamp NEAR is not printed. */
static void disassemble_place(struct faa_text *text, const struct faa_place *place)
{
	/* A name in a program cannot begin with a digit: D2_ARRAY is 2D_ARRAY. */
	const char *dim = faa_dim_names[place->dim];

	faa_text(text, ".%cD%s", dim[1], dim + 2);
	if (place->ba)
		faa_text(text, ".BA");
	if (place->packed)
		faa_text(text, ".PACKED");
	if (place->clamp != FAA_CLAMP_NEAR)
		faa_text(text, ".%s", faa_clamp_names[place->clamp]);
}

static void disassemble_handle(struct faa_text *text, const struct faa_place *place)
{
	faa_text(text, ", ");
	if (place->handle_kind == FAA_HANDLE_KIND_REG)
		disassemble_register(text, place->handle);
	else if (place->handle_kind == FAA_HANDLE_KIND_BANK)
		faa_text(text, "#0x%x", place->handle);
	else
		faa_text(text, "header[%u]", place->handle);
}

static void disassemble_address(struct faa_text *text, const struct faa_vector *v)
{
	faa_text(text, "[");
	if (v->a.kind == FAA_KIND_NONE) {
		faa_text(text, "0x%x", (unsigned int)v->offset);
	} else {
		disassemble_operand(text, &v->a);
		if (v->offset)
			faa_text(text, " %c %d", v->offset < 0 ? '-' : '+',
				 v->offset < 0 ? -v->offset : v->offset);
	}
	faa_text(text, "]");
}

/* ".FTZ.RELAXED" */
static void disassemble_modes(struct faa_text *text, const struct faa_vector *v)
{
	unsigned int modes = v->mod & faa_modes_allowed(v->opcode, v->op, v->type);
	unsigned int mode;

	for (mode = 1; mode <= modes; mode <<= 1)
		if (modes & mode)
			faa_text(text, ".%s", faa_float_mode_names[mode]);
}

/*
 * ".GPU.ACQUIRE". Of an atomic operation the default order RELAXED is not printed. A strong load or
 * store prints both.
 */
static void disassemble_access(struct faa_text *text, const struct faa_command_info *info,
			       const struct faa_vector *v)
{
	if (info->strong && !v->strong)
		return;
	faa_text(text, ".%s", faa_scope_names[v->scope]);
	if (info->strong || v->order != FAA_ORDER_RELAXED)
		faa_text(text, ".%s", faa_order_names[v->order]);
}

/* ATOM without a destination, which the notation calls RED. */
static bool disassemble_is_reduction(const struct faa_vector *v)
{
	return v->opcode == FAA_OPCODE_ATOM && v->d.kind == FAA_KIND_NONE;
}

static void disassemble_vector(struct faa_text *text, const struct faa_decoded *c)
{
	const struct faa_vector *v = &c->vector;
	bool surface = c->info->surface;
	const char *separator = " ";

	faa_text(text, ".%s", faa_type_names[v->type]);
	disassemble_modes(text, v);
	if (c->info->access)
		disassemble_access(text, c->info, v);
	if (v->opcode == FAA_OPCODE_SETP) {
		faa_text(text, " ");
		disassemble_predicate(text, v->mod);
		separator = ", ";
	}
	if (surface && v->place.ps != FAA_PT) {
		faa_text(text, " ");
		disassemble_predicate(text, v->place.ps);
		faa_text(text, ",");
	}
	if (c->info->kinds[3] != 1u << FAA_KIND_NONE && !disassemble_is_reduction(v)) {
		faa_text(text, " ");
		disassemble_operand(text, &v->d);
		separator = ", ";
	}
	faa_text(text, "%s", separator);
	if (c->info->address == FAA_ADDRESS_NONE && !surface)
		disassemble_operand(text, &v->a);
	else
		disassemble_address(text, v);
	if (v->b.kind != FAA_KIND_NONE) {
		faa_text(text, ", ");
		disassemble_operand(text, &v->b);
	}
	if (v->c.kind != FAA_KIND_NONE) {
		faa_text(text, ", ");
		disassemble_operand(text, &v->c);
	}
	if (surface)
		disassemble_handle(text, &v->place);
	if (v->count != DEFAULT_COUNT)
		faa_text(text, " x%llu", (unsigned long long)v->count);
}

static void disassemble_control(struct faa_text *text, const struct faa_decoded *c)
{
	switch (c->vector.opcode) {
	case FAA_OPCODE_JUMP:
		faa_text(text, " %+d", (int)(int32_t)(uint32_t)FAA_GET(JUMP_TARGET, c->control[0]));
		break;
	case FAA_OPCODE_CONFIG:
		if (c->vector.op == FAA_CONFIG_HELPER_LANES) {
			faa_text(text, " 0x%llx", (unsigned long long)c->control[1]);
			break;
		}
		/* fallthrough */
	case FAA_OPCODE_SEM_WAIT:
	case FAA_OPCODE_SEM_SIGNAL:
		faa_text(text, " [0x%llx], 0x%llx", (unsigned long long)c->control[0],
			 (unsigned long long)c->control[1]);
		break;
	case FAA_OPCODE_SNAPSHOT:
		faa_text(text, " [0x%llx]", (unsigned long long)c->control[0]);
		break;
	case FAA_OPCODE_FENCE:
		faa_text(text, ".%s", faa_scope_names[c->vector.mod]);
		break;
	default:
		break;
	}
}

static void disassemble_name(struct faa_text *text, const struct faa_decoded *c)
{
	const char *op = c->info->op_names ? c->info->op_names[c->vector.op] : "";

	faa_text(text, "%s", disassemble_is_reduction(&c->vector) ? "RED" : c->info->name);
	if (c->info->surface)
		disassemble_place(text, &c->vector.place);
	faa_text(text, "%s", *op ? "." : "");
	/* The operation CAST_SPIN is written CAST.SPIN. */
	for (; *op; op++)
		faa_text(text, "%c",
			 *op == '_' && c->vector.opcode == FAA_OPCODE_ATOMS ? '.' : *op);
}

static void disassemble_issue(struct faa_text *text, const struct faa_issue *issue)
{
	int barrier;

	if (issue->wait_mask) {
		faa_text(text, " &req_");
		for (barrier = FAA_BARRIERS - 1; barrier >= 0; barrier--)
			faa_text(text, "%u", issue->wait_mask >> barrier & 1);
	}
	if (issue->read_barrier != FAA_NO_BARRIER)
		faa_text(text, " &rd%u", issue->read_barrier);
	if (issue->write_barrier != FAA_NO_BARRIER)
		faa_text(text, " &wr%u", issue->write_barrier);
}

static void disassemble_illegal(struct faa_text *text, const struct faa_decoded *c,
				const uint64_t *words)
{
	unsigned int i;

	for (i = 0; i < c->words; i++)
		faa_text(text, "%s0x%016llx", i ? ", " : ".word ", (unsigned long long)words[i]);
	faa_text(text, "; // %s%s%s", c->info ? c->info->name : "", c->info ? ": " : "",
		 faa_error_texts[c->error]);
	if (c->why)
		faa_text(text, ": %s", c->why);
}

size_t faa_disassemble(const uint64_t *words, size_t count, unsigned int *used, char *buffer,
		       size_t size)
{
	struct faa_text text = { buffer, size, 0 };
	struct faa_decoded c;

	if (size)
		buffer[0] = '\0';
	faa_decode(words, count, &c);
	if (used)
		*used = c.words;
	if (c.error) {
		disassemble_illegal(&text, &c, words);
		return text.length;
	}
	if (c.issue.guard != FAA_PT || c.issue.guard_negate) {
		faa_text(&text, "@%s", c.issue.guard_negate ? "!" : "");
		disassemble_predicate(&text, c.issue.guard);
		faa_text(&text, " ");
	}
	disassemble_name(&text, &c);
	if (c.info->vector)
		disassemble_vector(&text, &c);
	else
		disassemble_control(&text, &c);
	disassemble_issue(&text, &c.issue);
	faa_text(&text, ";");
	return text.length;
}
