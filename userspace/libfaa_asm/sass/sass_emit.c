// SPDX-License-Identifier: MIT
/*
 * SASS as commands of the device. Registers, predicates, guards and barriers map to those of the
 * device, with three additions: registers that are not set are cleared first, inactive lanes are
 * masked by a predicate, and a 64-bit CAST, whose result takes a pair of registers on the device,
 * writes a pair that the code does not use.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../asm/scan.h"
#include "sass.h"

#define NO_REGISTER  (-1)
#define NO_PREDICATE (-1)

/* A name of the environment. */
struct target {
	bool predicate;
	bool wide;
	uint32_t number;
};

struct emitter {
	const struct sass_code *code;
	const struct faa_asm_environment *environment;
	struct faa_stream *stream;
	struct faa_asm_error *error;
	/* Line of errors. */
	uint32_t line;
	/* Registers and predicates that occur, RZ and PT among them. */
	bool used[256];
	bool used_predicate[8];
	/* Elements of a command: the highest active lane + 1. */
	uint32_t count;
	/*
	 * Some lane below @count is inactive. While @lanes_ready, @lane_predicate is true in the
	 * active lanes.
	 */
	bool gaps;
	bool lanes_ready;
	int lane_predicate;
	/* Even register of a pair that does not occur. */
	int free_pair;
};

static int emit_fail(struct emitter *e, const char *text)
{
	return faa_asm_fail(e->error, e->line, 0, "%s", text);
}

/* Notes the error of a function of the stream. */
static int emit_added(struct emitter *e, int ret)
{
	const char *why = ret ? faa_stream_error(e->stream) : NULL;

	if (why)
		emit_fail(e, why);
	return ret;
}

static void emit_use(struct emitter *e, uint32_t reg, unsigned int count)
{
	for (; count && reg < 256; count--)
		e->used[reg++] = true;
}

static void emit_use_all_of(struct emitter *e, const struct sass_instruction *i)
{
	unsigned int width = sass_is_wide(i) ? 2 : 1;

	e->used_predicate[i->field[SASS_PG]] = true;
	if (i->form == SASS_FORM_NOP)
		return;
	if (sass_has(i, SASS_PS))
		e->used_predicate[i->field[SASS_PS]] = true;
	emit_use(e, i->field[SASS_RD],
		 i->field[SASS_OP] > SASS_OP_CAS || i->field[SASS_RD] == SASS_RZ ? 1 : width);
	emit_use(e, i->field[SASS_RA],
		 sass_is_atoms(i) ? 1 : sass_dim_registers[i->field[SASS_DIM]]);
	emit_use(e, i->field[SASS_RB], i->field[SASS_RB] == SASS_RZ ? 1 : width);
	if (sass_is_cas(i) && sass_new_value(i) != SASS_RZ)
		emit_use(e, sass_new_value(i), width);
	if (sass_has(i, SASS_RC))
		emit_use(e, i->field[SASS_RC], 1);
}

/* Decodes an instruction that the device supports. */
static int emit_decode(struct emitter *e, const struct sass_item *item, struct sass_instruction *i)
{
	char text[200];

	e->line = item->line;
	if (!sass_decode(item->word, i))
		return faa_asm_fail(e->error, item->line, 0,
				    "0x%016llx is no instruction of ATOMS, SUATOM or NOP",
				    (unsigned long long)item->word);
	if (sass_check(i, text, sizeof(text)) >= 0)
		return emit_fail(e, text);
	if ((item->control >> SASS_RD_SHIFT & 7) == 6 || (item->control >> SASS_WR_SHIFT & 7) == 6)
		return emit_fail(e, "there is no barrier 6");
	return 0;
}

/* R2, R2.64: the pair R2 and R3; P0 */
static int emit_find_target(struct emitter *e, const struct faa_asm_value *value, bool output,
			    struct target *target)
{
	const char *name = value->name;
	struct faa_scan scan = faa_scan_begin(name, strlen(name));
	bool register_name = *name == 'R' || *name == 'r',
	     last = faa_word_is(name, strlen(name), register_name ? "RZ" : "PT");
	uint64_t number = 0;

	e->line = 0;
	target->predicate = !register_name;
	target->wide = value->operand.kind == FAA_KIND_STREAM &&
		       faa_type_bits(value->operand.type) == 64;
	scan.at++;
	if (last)
		scan.at = scan.end;
	else if (!*name || (!register_name && *name != 'P' && *name != 'p') ||
		 faa_scan_number(&scan, &number))
		number = 256;
	if (register_name && scan.end - scan.at == 3 && !memcmp(scan.at, ".64", 3)) {
		target->wide = true;
		scan.at = scan.end;
	}
	if (scan.at != scan.end || number >= (register_name ? SASS_RZ : SASS_PT))
		return faa_asm_fail(
			e->error, 0, 0,
			"'%s' is neither a register R0 to R254, a pair such as R2.64, nor a predicate P0 to P6",
			name);
	target->number = last ? (register_name ? SASS_RZ : SASS_PT) : (uint32_t)number;
	if (last && !output)
		return faa_asm_fail(e->error, 0, 0, "%s cannot be set", name);
	if (!target->predicate && target->wide && !last && (number % 2 || number + 2 > SASS_RZ))
		return faa_asm_fail(
			e->error, 0, 0,
			"R%u is no pair of registers: its number must be even, and below 254",
			target->number);
	return 0;
}

/* Whether the operand can be the source or destination of a move. */
static int emit_check_operand(struct emitter *e, const struct faa_asm_value *value, bool output,
			      const struct target *target)
{
	const struct faa_operand *operand = &value->operand;
	bool fits = operand->value <= UINT32_MAX || operand->value >= (uint64_t)INT32_MIN;

	if (output && operand->kind != FAA_KIND_STREAM)
		return faa_asm_fail(e->error, 0, 0, "%s is an output, which can only be an array",
				    value->name);
	if (operand->kind != FAA_KIND_STREAM && operand->kind != FAA_KIND_IMM &&
	    operand->kind != FAA_KIND_AFFINE)
		return faa_asm_fail(e->error, 0, 0,
				    "%s comes from a number, a number for each lane, or an array",
				    value->name);
	if (operand->kind != FAA_KIND_STREAM && !target->wide && !fits)
		return faa_asm_fail(e->error, 0, 0,
				    "%s has 32 bits, 0x%llx does not fit; R2.64 is a pair",
				    value->name, (unsigned long long)operand->value);
	return 0;
}

static int emit_look_at_values(struct emitter *e, const struct faa_asm_value *values, size_t count,
			       bool output)
{
	struct target target;
	size_t n;
	int ret;

	for (n = 0; n < count; n++) {
		ret = emit_find_target(e, &values[n], output, &target);
		if (!ret)
			ret = emit_check_operand(e, &values[n], output, &target);
		if (ret)
			return ret;
		if (target.predicate)
			e->used_predicate[target.number] = true;
		else
			emit_use(e, target.number, target.wide && target.number != SASS_RZ ? 2 : 1);
	}
	return 0;
}

/* Checks everything, and collects the registers that occur. */
static int emit_look_at_all(struct emitter *e)
{
	const struct faa_asm_environment *environment = e->environment;
	struct sass_instruction i;
	size_t n;
	int ret = 0;

	for (n = 0; !ret && n < e->code->count; n++) {
		ret = emit_decode(e, &e->code->items[n], &i);
		if (!ret)
			emit_use_all_of(e, &i);
	}
	if (!ret)
		ret = emit_look_at_values(e, environment->inputs, environment->input_count, false);
	if (!ret)
		ret = emit_look_at_values(e, environment->outputs, environment->output_count, true);
	return ret;
}

static void emit_find_free(struct emitter *e)
{
	int n;

	e->lane_predicate = NO_PREDICATE;
	for (n = SASS_PT - 1; n >= 0; n--)
		if (!e->used_predicate[n])
			e->lane_predicate = n;
	e->free_pair = NO_REGISTER;
	for (n = 0; n + 2 <= SASS_RZ && e->free_pair < 0; n += 2)
		if (!e->used[n] && !e->used[n + 1])
			e->free_pair = n;
}

/* Sets the predicate of the lanes to @a < @below, under the guard set before. */
static int emit_set_lanes(struct emitter *e, struct faa_operand a, uint32_t below)
{
	return emit_added(e, faa_stream_setp(e->stream, FAA_CMP_LT, FAA_TYPE_U32, FAA_LANES,
					     (unsigned int)e->lane_predicate, a, faa_imm(below)));
}

/* Sets the predicate of the active lanes, one range of lanes after the other. */
static int emit_make_lanes(struct emitter *e)
{
	uint32_t lanes = e->environment->lanes, first, length;
	bool begun = false;
	int ret = 0;

	if (e->lane_predicate < 0)
		return emit_fail(
			e, "inactive lanes need a free predicate, and the code uses all of them");
	while (!ret && lanes) {
		first = (uint32_t)__builtin_ctz(lanes);
		length = ~(lanes >> first) ? (uint32_t)__builtin_ctz(~(lanes >> first)) : FAA_LANES;
		if (begun)
			faa_stream_guard(e->stream, (unsigned int)e->lane_predicate, true);
		ret = emit_set_lanes(e, faa_affine(-(uint64_t)first, 1), length);
		lanes &= ~(uint32_t)(((1ull << length) - 1) << first);
		begun = true;
	}
	e->lanes_ready = !ret;
	return ret;
}

/*
 * The guard of a command: active lanes where P@predicate is true, or false if @negate. The commands
 * that compute it precede the annotations of the command itself.
 */
struct guard {
	unsigned int predicate;
	bool negate;
};

static int emit_prepare_guard(struct emitter *e, unsigned int predicate, bool negate,
			      struct guard *guard)
{
	int ret;

	*guard = (struct guard){ predicate, negate };
	if (!e->gaps || (predicate == SASS_PT && negate))
		return 0;
	ret = e->lanes_ready ? 0 : emit_make_lanes(e);
	if (ret)
		return ret;
	*guard = (struct guard){ (unsigned int)e->lane_predicate, false };
	if (predicate == SASS_PT)
		return 0;
	e->lanes_ready = false;
	faa_stream_guard(e->stream, predicate, !negate);
	return emit_set_lanes(e, faa_imm(0), 0);
}

static void emit_begin_guard(struct emitter *e, const struct guard *guard)
{
	faa_stream_guard(e->stream, guard->predicate, guard->negate);
}

/* Wait mask of an instruction, from its control bits. */
static uint32_t emit_wait_of(uint32_t control)
{
	return control >> SASS_REQ_SHIFT & 63;
}

static void emit_begin_command(struct emitter *e, const struct guard *guard, uint32_t control,
			       bool holds_write)
{
	uint32_t rd = control >> SASS_RD_SHIFT & 7, wr = control >> SASS_WR_SHIFT & 7;

	emit_begin_guard(e, guard);
	faa_stream_wait(e->stream, emit_wait_of(control));
	if (rd != SASS_NO_BARRIER)
		faa_stream_read_barrier(e->stream, rd);
	if (wr != SASS_NO_BARRIER && holds_write)
		faa_stream_write_barrier(e->stream, wr);
}

static struct faa_operand emit_destination(uint32_t rd)
{
	return rd == SASS_RZ ? faa_none() : faa_reg((uint8_t)rd);
}

static struct faa_operand emit_new_value(const struct sass_instruction *i)
{
	return sass_is_cas(i) ? faa_reg((uint8_t)sass_new_value(i)) : faa_none();
}

static int emit_add_atoms(struct emitter *e, const struct sass_instruction *i, struct faa_operand d)
{
	return emit_added(e, faa_stream_atoms(e->stream, (enum faa_atoms_op)i->field[SASS_OP],
					      (enum faa_type)sass_size_types[i->field[SASS_SIZE]],
					      e->count, d, faa_reg((uint8_t)i->field[SASS_RA]),
					      sass_offset(i), faa_reg((uint8_t)i->field[SASS_RB]),
					      emit_new_value(i)));
}

/* The flag of a 64-bit CAST is written to a spare pair first, so that only Rd changes. */
static int emit_wide_cast(struct emitter *e, const struct sass_instruction *i,
			  const struct guard *guard, uint32_t control)
{
	uint32_t wr = control >> SASS_WR_SHIFT & 7;
	int ret;

	if (e->free_pair < 0)
		return emit_fail(
			e,
			"a 64-bit CAST needs a free pair of registers, and the code uses all of them");
	emit_begin_command(e, guard, control, false);
	ret = emit_add_atoms(e, i, faa_reg((uint8_t)e->free_pair));
	if (ret)
		return ret;
	emit_begin_guard(e, guard);
	if (wr != SASS_NO_BARRIER)
		faa_stream_write_barrier(e->stream, wr);
	return emit_added(e, faa_stream_mov(e->stream, FAA_TYPE_U32, e->count,
					    faa_reg((uint8_t)i->field[SASS_RD]),
					    faa_reg((uint8_t)e->free_pair)));
}

static int emit_atoms(struct emitter *e, const struct sass_instruction *i,
		      const struct guard *guard, uint32_t control)
{
	if (i->field[SASS_OP] > SASS_OP_CAS && sass_is_wide(i) && i->field[SASS_RD] != SASS_RZ)
		return emit_wide_cast(e, i, guard, control);
	emit_begin_command(e, guard, control, true);
	return emit_add_atoms(e, i, emit_destination(i->field[SASS_RD]));
}

/* Device scope, no ordering. */
static int emit_suatom(struct emitter *e, const struct sass_instruction *i,
		       const struct guard *guard, uint32_t control)
{
	uint32_t size = i->field[SASS_SIZE];
	bool has_register = sass_has(i, SASS_RC);
	struct faa_place place = {
		.dim = (uint8_t)i->field[SASS_DIM],
		.clamp = (uint8_t)i->field[SASS_CLAMP],
		.handle_kind = has_register ? FAA_HANDLE_KIND_REG : FAA_HANDLE_KIND_BANK,
		.ba = (uint8_t)i->field[SASS_BA],
		.ps = (uint8_t)(sass_has(i, SASS_PS) ? i->field[SASS_PS] : SASS_PT),
		.handle = i->field[has_register ? SASS_RC : SASS_INDEX],
	};

	emit_begin_command(e, guard, control, true);
	if (size == SASS_SIZE_F32_FTZ_RN || size == SASS_SIZE_F16X2_FTZ_RN)
		faa_stream_float_mode(e->stream, FAA_FLOAT_MODE_FTZ);
	return emit_added(
		e,
		faa_stream_suatom(e->stream, &place, (enum faa_atom_op)i->field[SASS_OP],
				  (enum faa_type)sass_size_types[size], FAA_SCOPE_GPU,
				  FAA_ORDER_RELAXED, e->count, emit_destination(i->field[SASS_RD]),
				  faa_reg((uint8_t)i->field[SASS_RA]),
				  faa_reg((uint8_t)i->field[SASS_RB]), emit_new_value(i)));
}

static int emit_item(struct emitter *e, const struct sass_item *item)
{
	struct sass_instruction i;
	struct guard guard;
	int ret = emit_decode(e, item, &i);

	if (ret)
		return ret;
	if (e->environment->at)
		e->environment->at(e->environment->data, item->line);
	if (i.form == SASS_FORM_NOP) {
		faa_stream_wait(e->stream, emit_wait_of(item->control));
		return emit_added(e, faa_stream_nop(e->stream));
	}
	ret = emit_prepare_guard(e, i.field[SASS_PG], i.field[SASS_PG_NOT], &guard);
	if (ret)
		return ret;
	return (sass_is_atoms(&i) ? emit_atoms : emit_suatom)(e, &i, &guard, item->control);
}

/* All lanes, so that no value of an earlier job remains. */
static int emit_clear(struct emitter *e)
{
	unsigned int n;
	int ret = 0;

	for (n = 0; !ret && n < SASS_RZ; n++)
		if (e->used[n])
			ret = emit_added(e, faa_stream_mov(e->stream, FAA_TYPE_U32, FAA_LANES,
							   faa_reg((uint8_t)n), faa_imm(0)));
	for (n = 0; !ret && n < SASS_PT; n++)
		if (e->used_predicate[n])
			ret = emit_added(e, faa_stream_setp(e->stream, FAA_CMP_NE, FAA_TYPE_U32,
							    FAA_LANES, n, faa_imm(0), faa_imm(0)));
	return ret;
}

static int emit_input(struct emitter *e, const struct faa_asm_value *value)
{
	enum faa_type type;
	struct target target;
	int ret = emit_find_target(e, value, false, &target);

	if (ret)
		return ret;
	type = target.wide ? FAA_TYPE_U64 : FAA_TYPE_U32;
	if (target.predicate)
		return emit_added(e, faa_stream_setp(e->stream, FAA_CMP_NE, type, e->count,
						     target.number, value->operand, faa_imm(0)));
	return emit_added(e, faa_stream_mov(e->stream, type, e->count,
					    faa_reg((uint8_t)target.number), value->operand));
}

static int emit_output_item(struct emitter *e, unsigned int predicate, enum faa_type type,
			    struct faa_operand d, struct faa_operand a)
{
	struct guard guard;
	int ret = emit_prepare_guard(e, predicate, false, &guard);

	if (ret)
		return ret;
	emit_begin_guard(e, &guard);
	return emit_added(e, faa_stream_mov(e->stream, type, e->count, d, a));
}

static int emit_output(struct emitter *e, const struct faa_asm_value *value)
{
	struct target target;
	enum faa_type type;
	int ret = emit_find_target(e, value, true, &target);

	if (ret)
		return ret;
	type = target.wide ? FAA_TYPE_U64 : FAA_TYPE_U32;
	if (!target.predicate)
		return emit_output_item(e, SASS_PT, type, value->operand,
					faa_reg((uint8_t)target.number));
	ret = emit_output_item(e, SASS_PT, type, value->operand, faa_imm(0));
	return ret ? ret : emit_output_item(e, target.number, type, value->operand, faa_imm(1));
}

static int emit_values(struct emitter *e, const struct faa_asm_value *values, size_t count,
		       int (*emit)(struct emitter *e, const struct faa_asm_value *value))
{
	size_t n;
	int ret = 0;

	for (n = 0; !ret && n < count; n++)
		ret = emit(e, &values[n]);
	return ret;
}

int sass_emit(const struct faa_asm_code *code, const struct faa_asm_environment *environment,
	      struct faa_stream *stream, struct faa_asm_error *error)
{
	struct emitter e = {
		.code = (const struct sass_code *)code,
		.environment = environment,
		.stream = stream,
		.error = error,
	};
	uint32_t lanes = environment->lanes;
	size_t n;
	int ret = emit_look_at_all(&e);

	if (ret || !lanes)
		return ret;
	e.count = FAA_LANES - (uint32_t)__builtin_clz(lanes);
	e.gaps = lanes & (lanes + 1);
	emit_find_free(&e);
	e.line = 0;
	ret = emit_clear(&e);
	if (!ret)
		ret = emit_values(&e, environment->inputs, environment->input_count, emit_input);
	for (n = 0; !ret && n < e.code->count; n++)
		ret = emit_item(&e, &e.code->items[n]);
	if (!ret)
		ret = emit_values(&e, environment->outputs, environment->output_count, emit_output);
	return ret;
}
