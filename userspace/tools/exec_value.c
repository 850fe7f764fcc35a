// SPDX-License-Identifier: MIT
/* Values of registers: @data + lane * 4. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exec_tool.h"

static const struct exec_buffer *value_find_buffer(const struct exec_options *options,
						   const char *name)
{
	unsigned int i;

	for (i = 0; i < options->buffer_count; i++)
		if (!strcmp(options->buffers[i].name, name))
			return &options->buffers[i];
	return NULL;
}

static int value_complain(const struct exec_binding *binding, const char *term, const char *what)
{
	fprintf(stderr, "faa-exec: %s=%s: '%s' %s\n", binding->name, binding->text, term, what);
	return -EINVAL;
}

/* f32:1.5, f64:1.5: the bits of a number. */
static bool value_float_bits(const char *term, uint64_t *bits)
{
	bool single = !strncmp(term, "f32:", 4);
	double number;
	float narrow;
	char *end;

	if (!single && strncmp(term, "f64:", 4))
		return false;
	number = strtod(term + 4, &end);
	narrow = (float)number;
	*bits = 0;
	memcpy(bits, single ? (void *)&narrow : (void *)&number, single ? 4 : 8);
	return !*end && term[4];
}

/* A buffer by its name: @ is its address, # its header, otherwise its items. */
static int value_named_term(const struct exec_options *options, const struct exec_binding *binding,
			    const char *term, bool negative, struct exec_value *value)
{
	char mark = *term == '@' || *term == '#' ? *term : '\0';
	const struct exec_buffer *buffer = value_find_buffer(options, term + (mark != '\0'));

	if (!buffer)
		return value_complain(binding, term, "is no number, no buffer and not lane");
	if (negative)
		return value_complain(binding, term, "cannot be subtracted");
	if (mark == '#' && !buffer->is_surface)
		return value_complain(binding, term, "is no surface");
	if (mark == '#')
		value->constant += buffer->handle;
	else if (mark == '@')
		value->constant += buffer->va;
	else if (value->items || buffer->is_surface)
		return value_complain(binding, term,
				      buffer->is_surface ?
					      "is a surface: # is its header, @ its address" :
					      "is the second buffer whose items are taken");
	else
		value->items = buffer;
	return 0;
}

static int value_add_term(const struct exec_options *options, const struct exec_binding *binding,
			  const char *term, bool negative, struct exec_value *value)
{
	uint64_t number = 1;

	if (!strncmp(term, "lane", 4) && (!term[4] || term[4] == '*')) {
		if (term[4] && !exec_number(term + 5, &number))
			return value_complain(binding, term, "is no multiple of lane");
		value->step += negative ? 0 - number : number;
	} else if (exec_number(term, &number) || value_float_bits(term, &number)) {
		value->constant += negative ? 0 - number : number;
	} else {
		return value_named_term(options, binding, term, negative, value);
	}
	return 0;
}

/* The end of a term: a sign that is not an exponent's, or the end of the text. */
static char *value_term_end(char *term)
{
	char *at = term + (*term == '-');

	for (; *at; at++) {
		bool exponent = at > term && (at[-1] == 'e' || at[-1] == 'E') &&
				!strncmp(term, "f", 1) && strchr(term, ':') &&
				strchr(term, ':') < at;

		if ((*at == '+' || *at == '-') && !exponent && at[-1] != ':')
			break;
	}
	return at;
}

int exec_value_parse(const struct exec_options *options, const struct exec_binding *binding,
		     struct exec_value *value)
{
	char *copy = strdup(binding->text), *at = copy;
	bool negative = false, more = true;
	int ret = copy ? 0 : -ENOMEM;

	*value = (struct exec_value){ 0 };
	while (!ret && more) {
		char *end = value_term_end(at), sign = *end;

		*end = '\0';
		ret = value_add_term(options, binding, at, negative, value);
		more = sign != '\0';
		negative = sign == '-';
		at = end + 1;
	}
	free(copy);
	if (!ret && value->items && value->step)
		return value_complain(binding, binding->text,
				      "has items of a buffer and multiples of lane");
	if (!ret && value->items) {
		size_t last = (size_t)(options->warps - 1) * FAA_LANES + 32 -
			      (size_t)__builtin_clz(options->lanes);

		if (value->items->array.count < last)
			return value_complain(binding, value->items->name,
					      "has fewer items than there are lanes");
	}
	return ret;
}

struct faa_operand exec_value_operand(const struct exec_value *value, unsigned int warp)
{
	uint64_t first = (uint64_t)warp * FAA_LANES;
	const struct exec_type *type;

	if (value->items) {
		type = value->items->array.type;
		return faa_scaled(faa_array(value->items->va + first * type->bytes, type->device,
					    (int32_t)type->bytes),
				  0, value->constant);
	}
	if (value->step)
		return faa_affine(value->constant + first * value->step, value->step);
	return faa_imm(value->constant);
}
