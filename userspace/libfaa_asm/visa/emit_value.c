// SPDX-License-Identifier: MIT
/* Values: their registers, initial values and outputs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"

static int value_fail(struct visa_emitter *emitter, const char *text)
{
	return faa_asm_fail(emitter->error, emitter->line, 0, "%s", text);
}

static const char *value_name_of(const struct visa_emitter *emitter, const struct visa_value *value,
				 char *buffer)
{
	return visa_name(emitter->code, (enum visa_class)value->class, value->number, buffer);
}

int visa_emit_value(struct visa_emitter *emitter, enum visa_class class, uint32_t number,
		    unsigned int *index)
{
	const struct visa_variable *variable = visa_find(emitter->code, class, number);
	struct visa_value *value;

	for (*index = 0; *index < emitter->value_count; ++*index) {
		value = &emitter->values[*index];
		if (value->number == number && value->class == class)
			return 0;
	}
	if (*index == VISA_MAX_VIEWS)
		return value_fail(emitter,
				  "the code uses more variables than the device has registers");
	value = &emitter->values[emitter->value_count++];
	*value = (struct visa_value){ .class = (uint8_t) class, .number = number };
	value->known = class == VISA_PREDICATE;
	if (variable)
		value->elements = variable->elements;
	return 0;
}

/* Allocates a register, or an even one and the next. */
static int value_allocate(struct visa_emitter *emitter, bool wide, uint8_t *reg)
{
	if (emitter->next_pair + (wide ? 2 : 1) > emitter->next_single + 1)
		return value_fail(emitter,
				  "the code needs more registers than the device has: 255");
	*reg = (uint8_t)(wide ? emitter->next_pair : emitter->next_single);
	if (wide)
		emitter->next_pair += 2;
	else
		emitter->next_single--;
	return 0;
}

int visa_emit_view(struct visa_emitter *emitter, unsigned int value, int32_t shift,
		   unsigned int *index)
{
	struct visa_view *view;
	uint8_t reg = 0;

	for (*index = 0; *index < emitter->view_count; ++*index) {
		view = &emitter->views[*index];
		if (view->value == value && view->shift == shift)
			return 0;
	}
	if (value_allocate(emitter, emitter->values[value].wide, &reg))
		return -EINVAL;
	view = &emitter->views[*index];
	*view = (struct visa_view){ .value = value, .shift = shift, .reg = reg };
	emitter->view_count++;
	return 0;
}

/*
 * All elements of a variable have one size: the device cannot split registers into lanes of another
 * size.
 */
static int value_set_width(struct visa_emitter *emitter, struct visa_value *value,
			   unsigned int bytes)
{
	char buffer[16];

	if (value->known && value->wide != (bytes == 8))
		return faa_asm_fail(
			emitter->error, emitter->line, 0,
			"%s is used as dwords and as qwords: a register of the device holds one of them in each lane",
			value_name_of(emitter, value, buffer));
	value->known = true;
	value->wide = bytes == 8;
	return 0;
}

int visa_emit_raw(struct visa_emitter *emitter, const struct visa_raw *raw, unsigned int bytes,
		  unsigned int lane, unsigned int count, unsigned int *index)
{
	const struct visa_variable *variable =
		visa_find(emitter->code, VISA_GENERAL, raw->variable);
	uint32_t number = variable ? variable->root : raw->variable;
	uint32_t start = raw->offset + (variable ? variable->root_offset : 0);
	struct visa_value *value;
	unsigned int v;

	if (visa_emit_value(emitter, VISA_GENERAL, number, &v))
		return -EINVAL;
	value = &emitter->values[v];
	if (value_set_width(emitter, value, bytes))
		return -EINVAL;
	if (!variable && value->elements < start / bytes + count)
		value->elements = start / bytes + count;
	/* An alias may have elements of another size: count those of the root. */
	if (variable) {
		const struct visa_variable *root = visa_find(emitter->code, VISA_GENERAL, number);

		value->elements = visa_bytes(root) / bytes;
	}
	return visa_emit_view(emitter, v, (int32_t)lane - (int32_t)(start / bytes), index);
}

/* Finds the variable that the environment calls @name. */
static int value_find_name(struct visa_emitter *emitter, const char *name, unsigned int *index)
{
	static const enum visa_class classes[] = { VISA_GENERAL, VISA_PREDICATE };
	unsigned int i;
	uint32_t j;

	for (i = 0; i < emitter->value_count; i++) {
		char buffer[16];

		if (!strcmp(name, value_name_of(emitter, &emitter->values[i], buffer))) {
			*index = i;
			return 0;
		}
	}
	for (i = 0; i < 2; i++)
		for (j = 0; j < emitter->code->variables[classes[i]].count; j++) {
			const struct visa_variable *variable =
				&visa_variables(emitter->code, classes[i])[j];

			if (strcmp(name, visa_text(emitter->code, variable->name)) != 0)
				continue;
			if (variable->alias)
				return faa_asm_fail(
					emitter->error, 0, 0,
					"%s is an alias: name the variable that it lies in", name);
			return visa_emit_value(emitter, classes[i], visa_first(classes[i]) + j,
					       index);
		}
	return faa_asm_fail(emitter->error, 0, 0, "the code has no variable %s", name);
}

/* A variable that no instruction uses has the elements of its type. */
static int value_complete(struct visa_emitter *emitter, const char *name, struct visa_value *value)
{
	const struct visa_variable *variable =
		visa_find(emitter->code, (enum visa_class)value->class, value->number);
	unsigned int bytes;

	if (value->known)
		return 0;
	bytes = variable ? visa_types[variable->type].bytes : 0;
	if (bytes != 4 && bytes != 8)
		return faa_asm_fail(emitter->error, 0, 0,
				    "%s holds elements of %u bytes, which svm_atomic does not use",
				    name, bytes);
	return value_set_width(emitter, value, bytes);
}

static int value_bind_one(struct visa_emitter *emitter, const struct faa_asm_value *named,
			  bool output)
{
	uint8_t kind = named->operand.kind;
	struct visa_value *value;
	unsigned int index;

	if (value_find_name(emitter, named->name, &index))
		return -EINVAL;
	value = &emitter->values[index];
	if (value_complete(emitter, named->name, value))
		return -EINVAL;
	if (output ? kind != FAA_KIND_STREAM :
		     kind != FAA_KIND_STREAM && kind != FAA_KIND_IMM && kind != FAA_KIND_AFFINE)
		return faa_asm_fail(emitter->error, 0, 0,
				    output ? "%s is stored to an array in memory, nothing else" :
					     "%s is set from an immediate, affine or array operand",
				    named->name);
	if (output ? value->output != NULL : value->input != NULL)
		return faa_asm_fail(emitter->error, 0, 0, "%s is named twice", named->name);
	*(output ? &value->output : &value->input) = &named->operand;
	return 0;
}

int visa_emit_bind(struct visa_emitter *emitter)
{
	const struct faa_asm_environment *environment = emitter->environment;
	size_t i;

	emitter->line = 0;
	for (i = 0; i < environment->input_count; i++)
		if (value_bind_one(emitter, &environment->inputs[i], false))
			return -EINVAL;
	for (i = 0; i < environment->output_count; i++)
		if (value_bind_one(emitter, &environment->outputs[i], true))
			return -EINVAL;
	return 0;
}

/* Lanes of a view with elements 0 to @elements - 1. */
static uint32_t value_lanes_of(int32_t shift, uint32_t elements)
{
	int64_t first = shift, last = (int64_t)shift + elements;

	if (first < 0)
		first = 0;
	if (last > 32)
		last = 32;
	if (first >= last)
		return 0;
	return (uint32_t)((1ull << last) - (1ull << first));
}

int visa_emit_outputs_needed(struct visa_emitter *emitter)
{
	unsigned int i, view;
	uint32_t element;

	for (i = 0; i < emitter->value_count; i++) {
		const struct visa_value *value = &emitter->values[i];

		for (element = 0; value->output && element < value->elements; element += 32) {
			if (visa_emit_view(emitter, i, -(int32_t)element, &view))
				return -EINVAL;
			emitter->views[view].needed |=
				value_lanes_of(-(int32_t)element, value->elements);
		}
	}
	return 0;
}

/* Converts an operand for element l into one for lane l of a view. */
static struct faa_operand value_shifted(struct faa_operand operand, int32_t shift)
{
	uint64_t back = (uint64_t)(int64_t)shift;

	if (operand.kind == FAA_KIND_AFFINE)
		operand.value -= back * operand.step;
	else if (operand.kind == FAA_KIND_STREAM)
		operand.value -= back * (uint64_t)(int64_t)operand.stride;
	return operand;
}

/* A predicate is a register with 0 or 1 in each lane. */
static int value_load_predicate(struct visa_emitter *emitter, const struct visa_view *view)
{
	const struct visa_value *value = &emitter->values[view->value];

	faa_stream_mov(emitter->stream, FAA_TYPE_U32, FAA_LANES, faa_reg(view->reg), faa_imm(0));
	if (!value->input)
		return visa_emit_failed(emitter, 0);
	faa_stream_setp(emitter->stream, FAA_CMP_NE, FAA_TYPE_U32, value->elements, 0,
			*value->input, faa_imm(0));
	emitter->lanes_ready = false;
	faa_stream_guard(emitter->stream, 0, false);
	return visa_emit_failed(emitter,
				faa_stream_mov(emitter->stream, FAA_TYPE_U32, value->elements,
					       faa_reg(view->reg), faa_imm(1)));
}

static int value_load(struct visa_emitter *emitter, struct visa_view *view)
{
	const struct visa_value *value = &emitter->values[view->value];
	unsigned int guard = FAA_PT;

	view->current = view->needed;
	if (!view->needed)
		return 0;
	if (value->class == VISA_PREDICATE)
		return value_load_predicate(emitter, view);
	/* Only the needed elements are read. */
	if (value->input && value->input->kind == FAA_KIND_STREAM &&
	    visa_emit_lanes(emitter, view->needed, &guard))
		return -EINVAL;
	faa_stream_guard(emitter->stream, guard, false);
	return visa_emit_failed(
		emitter, faa_stream_mov(emitter->stream, value->wide ? FAA_TYPE_U64 : FAA_TYPE_U32,
					visa_emit_count(view->needed), faa_reg(view->reg),
					value->input ? value_shifted(*value->input, view->shift) :
						       faa_imm(0)));
}

int visa_emit_load(struct visa_emitter *emitter)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < emitter->view_count; i++)
		ret = value_load(emitter, &emitter->views[i]);
	return ret;
}

/* Lanes of another view of the value that have the elements of @lanes. */
static uint32_t value_moved(uint32_t lanes, int32_t by)
{
	if (by >= 32 || by <= -32)
		return 0;
	return by < 0 ? lanes >> -by : lanes << by;
}

int visa_emit_read(struct visa_emitter *emitter, unsigned int index, uint32_t lanes)
{
	const struct visa_view *view = &emitter->views[index];
	uint32_t lost = lanes & ~view->current;
	char buffer[16];
	unsigned int lane;

	if (!lost)
		return 0;
	lane = (unsigned int)__builtin_ctz(lost);
	return faa_asm_fail(
		emitter->error, emitter->line, 0,
		"element %d of %s is needed in lane %u, but was computed in another lane, and the device cannot move it",
		(int)lane - view->shift,
		value_name_of(emitter, &emitter->values[view->value], buffer), lane);
}

void visa_emit_written(struct visa_emitter *emitter, unsigned int index, uint32_t lanes)
{
	const struct visa_view *view = &emitter->views[index];
	unsigned int i;

	for (i = 0; i < emitter->view_count; i++) {
		struct visa_view *other = &emitter->views[i];

		if (other->value == view->value)
			other->current &= ~value_moved(lanes, other->shift - view->shift);
	}
	emitter->views[index].current |= lanes;
}

/* Stores the current elements of a view that no other view has stored. */
static int value_store_view(struct visa_emitter *emitter, const struct visa_view *view,
			    bool *stored)
{
	const struct visa_value *value = &emitter->values[view->value];
	uint32_t lanes = view->current & value_lanes_of(view->shift, value->elements);
	unsigned int guard, lane;

	for (lane = 0; lane < 32; lane++)
		if (lanes & 1u << lane) {
			bool *done = &stored[(int32_t)lane - view->shift];

			if (*done)
				lanes &= ~(1u << lane);
			*done = true;
		}
	if (!lanes)
		return 0;
	if (visa_emit_lanes(emitter, lanes, &guard))
		return -EINVAL;
	faa_stream_guard(emitter->stream, guard, false);
	return visa_emit_failed(emitter, faa_stream_mov(emitter->stream,
							value->wide ? FAA_TYPE_U64 : FAA_TYPE_U32,
							visa_emit_count(lanes),
							value_shifted(*value->output, view->shift),
							faa_reg(view->reg)));
}

static int value_store(struct visa_emitter *emitter, unsigned int index)
{
	const struct visa_value *value = &emitter->values[index];
	bool *stored = calloc(value->elements + 1, sizeof(*stored));
	unsigned int i;
	int ret = 0;

	if (!stored)
		return -ENOMEM;
	for (i = 0; !ret && i < emitter->view_count; i++)
		if (emitter->views[i].value == index)
			ret = value_store_view(emitter, &emitter->views[i], stored);
	free(stored);
	return ret;
}

int visa_emit_store(struct visa_emitter *emitter)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < emitter->value_count; i++)
		if (emitter->values[i].output)
			ret = value_store(emitter, i);
	return ret;
}
