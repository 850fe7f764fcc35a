// SPDX-License-Identifier: MIT
/* Items: from the command line or files to memory, and back. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exec_tool.h"
#include "tool.h"

#define MOST_BYTES (1ull << 30)

static const struct exec_type data_types[] = {
	{ "u8", FAA_TYPE_U8, 1, 'u' },	 { "u16", FAA_TYPE_U16, 2, 'u' },
	{ "u32", FAA_TYPE_U32, 4, 'u' }, { "u64", FAA_TYPE_U64, 8, 'u' },
	{ "s8", FAA_TYPE_S8, 1, 's' },	 { "s16", FAA_TYPE_S16, 2, 's' },
	{ "s32", FAA_TYPE_S32, 4, 's' }, { "s64", FAA_TYPE_S64, 8, 's' },
	{ "x8", FAA_TYPE_U8, 1, 'x' },	 { "x16", FAA_TYPE_U16, 2, 'x' },
	{ "x32", FAA_TYPE_U32, 4, 'x' }, { "x64", FAA_TYPE_U64, 8, 'x' },
	{ "f32", FAA_TYPE_U32, 4, 'f' }, { "f64", FAA_TYPE_U64, 8, 'f' },
};

const struct exec_type *exec_type_find(const char *name, size_t size)
{
	size_t i;

	for (i = 0; i < sizeof(data_types) / sizeof(data_types[0]); i++)
		if (strlen(data_types[i].name) == size && !memcmp(data_types[i].name, name, size))
			return &data_types[i];
	return NULL;
}

bool exec_number(const char *text, uint64_t *value)
{
	bool negative = *text == '-';
	char *end;

	text += negative;
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 0);
	if (*end || errno)
		return false;
	if (negative)
		*value = 0 - *value;
	return true;
}

/* One item from text. An integer may be written as signed or unsigned. */
static bool data_item_from_text(const struct exec_type *type, const char *text, unsigned char *item)
{
	uint64_t bits, top;
	double number;
	float single;
	char *end;

	if (type->kind == 'f') {
		number = strtod(text, &end);
		single = (float)number;
		memcpy(item, type->bytes == 4 ? (void *)&single : (void *)&number, type->bytes);
		return *text && !*end;
	}
	if (!exec_number(text, &bits))
		return false;
	top = type->bytes == 8 ? 0 : bits >> (8 * type->bytes);
	if (top && !(*text == '-' && (int64_t)bits >= -(INT64_C(1) << (8 * type->bytes - 1))))
		return false;
	memcpy(item, &bits, type->bytes);
	return true;
}

static int data_room(struct exec_array *array, uint64_t count, char *why, size_t why_size)
{
	if (!count || count > MOST_BYTES / array->type->bytes) {
		snprintf(why, why_size, "a buffer has 1 to %llu items of %s",
			 (unsigned long long)(MOST_BYTES / array->type->bytes), array->type->name);
		return -EINVAL;
	}
	array->count = count;
	array->bytes = calloc(count, array->type->bytes);
	if (!array->bytes)
		snprintf(why, why_size, "there is no memory for %llu items",
			 (unsigned long long)count);
	return array->bytes ? 0 : -ENOMEM;
}

static int data_from_file(const char *path, struct exec_array *array, char *why, size_t why_size)
{
	struct asm_input input = { 0 };
	int ret = asm_input_read(path, &input);

	if (!ret && (!input.size || input.size % array->type->bytes)) {
		snprintf(why, why_size, "%s has %zu bytes, which are no whole items of %s", path,
			 input.size, array->type->name);
		free(input.bytes);
		return -EINVAL;
	}
	if (ret)
		snprintf(why, why_size, "%s: %s", path, strerror(-ret));
	array->bytes = input.bytes;
	array->count = input.size / array->type->bytes;
	return ret;
}

static int data_from_list(const char *text, struct exec_array *array, char *why, size_t why_size)
{
	size_t count = 1, i;
	char *copy = strdup(text), *item, *rest = copy;
	const char *c;
	int ret;

	if (!copy)
		return -ENOMEM;
	for (c = text; *c; c++)
		count += *c == ',';
	ret = data_room(array, count, why, why_size);
	for (i = 0; !ret && (item = strsep(&rest, ",")); i++) {
		if (data_item_from_text(array->type, item, array->bytes + i * array->type->bytes))
			continue;
		snprintf(
			why, why_size,
			"'%s' is no %s; expected are values with commas, @FILE, zero:N, iota:N, fill:N:VALUE or random:N:SEED",
			item, array->type->name);
		ret = -EINVAL;
	}
	free(copy);
	return ret;
}

/* xorshift64*: the same numbers on every machine. */
static uint64_t data_next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

static void data_fill_item(struct exec_array *array, size_t i, uint64_t bits)
{
	unsigned char *item = array->bytes + i * array->type->bytes;
	double number = (double)bits;
	float single = (float)number;

	if (array->type->kind == 'f')
		memcpy(item, array->type->bytes == 4 ? (void *)&single : (void *)&number,
		       array->type->bytes);
	else
		memcpy(item, &bits, array->type->bytes);
}

/* zero:N, iota:N, fill:N:VALUE, random:N:SEED. -ENOENT: another form. */
static int data_from_rule(const char *text, struct exec_array *array, char *why, size_t why_size)
{
	static const char *const rules[] = { "zero:", "iota:", "fill:", "random:" };
	char number[32] = "", *second;
	unsigned int rule;
	uint64_t count, state = 1;
	size_t i;
	int ret;

	for (rule = 0; rule < 4; rule++)
		if (!strncmp(text, rules[rule], strlen(rules[rule])))
			break;
	if (rule == 4)
		return -ENOENT;
	snprintf(number, sizeof(number), "%s", text + strlen(rules[rule]));
	second = strchr(number, ':');
	if (second)
		*second++ = '\0';
	if (!exec_number(number, &count) || (rule < 2 && second) || (rule >= 2 && !second)) {
		snprintf(why, why_size,
			 "'%s': expected are zero:N, iota:N, fill:N:VALUE, random:N:SEED", text);
		return -EINVAL;
	}
	ret = data_room(array, count, why, why_size);
	if (ret || rule == 0)
		return ret;
	if ((rule == 2 && !data_item_from_text(array->type, second, array->bytes)) ||
	    (rule == 3 && !exec_number(second, &state))) {
		snprintf(why, why_size, "'%s' is no %s", second,
			 rule == 2 ? array->type->name : "number");
		return -EINVAL;
	}
	state = state * 2 + 1;
	for (i = 0; i < count; i++) {
		if (rule == 2)
			memmove(array->bytes + i * array->type->bytes, array->bytes,
				array->type->bytes);
		else
			data_fill_item(array, i,
				       rule == 1 ? i :
						   data_next_random(&state) >>
							   (64 - 8 * array->type->bytes));
	}
	return 0;
}

int exec_array_parse(const char *text, struct exec_array *array, char *why, size_t why_size)
{
	const char *colon = strchr(text, ':');
	int ret;

	array->type = colon ? exec_type_find(text, (size_t)(colon - text)) : NULL;
	if (!array->type) {
		snprintf(why, why_size, "'%s': TYPE:SOURCE is expected, with a type of " EXEC_TYPES,
			 text);
		return -EINVAL;
	}
	if (colon[1] == '@')
		return data_from_file(colon + 2, array, why, why_size);
	ret = data_from_rule(colon + 1, array, why, why_size);
	return ret == -ENOENT ? data_from_list(colon + 1, array, why, why_size) : ret;
}

int exec_sink_parse(const char *text, struct exec_sink *sink, char *why, size_t why_size)
{
	const char *colon = strchr(text, ':');

	sink->type = exec_type_find(text, colon ? (size_t)(colon - text) : strlen(text));
	if (!sink->type) {
		snprintf(
			why, why_size,
			"'%s': TYPE, TYPE:FILE or TYPE:text:FILE is expected, with a type of " EXEC_TYPES,
			text);
		return -EINVAL;
	}
	if (!colon || !strcmp(colon + 1, "-"))
		return 0;
	sink->raw = strncmp(colon + 1, "text:", 5) != 0;
	sink->path = sink->raw ? colon + 1 : colon + 6;
	return 0;
}

/* ---------------------------------------------------------------------------------------------------------------
 * Results
 */

static void data_print_item(FILE *file, const struct exec_type *type, const unsigned char *item)
{
	uint64_t bits = 0;
	double number;
	float single;

	memcpy(&bits, item, type->bytes);
	memcpy(&single, item, type->bytes == 4 ? 4 : 0);
	memcpy(&number, item, type->bytes == 8 ? 8 : 0);
	if (type->kind == 'x')
		fprintf(file, "0x%0*" PRIx64, 2 * (int)type->bytes, bits);
	else if (type->kind == 'u')
		fprintf(file, "%" PRIu64, bits);
	else if (type->kind == 's')
		fprintf(file, "%" PRId64,
			(int64_t)(bits << (64 - 8 * type->bytes)) >> (64 - 8 * type->bytes));
	else if (type->bytes == 4)
		fprintf(file, "%.9g", (double)single);
	else
		fprintf(file, "%.17g", number);
}

/* To a file one item a line; to the standard output eight, after the number of the first. */
static void data_print_items(FILE *file, bool rows, const struct exec_type *type,
			     const unsigned char *bytes, size_t count, uint32_t lanes)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (rows && i % 8 == 0)
			fprintf(file, "%6zu:", i);
		if (rows)
			fputc(' ', file);
		if (lanes >> (i % FAA_LANES) & 1)
			data_print_item(file, type, bytes + i * type->bytes);
		else
			fputc('-', file);
		if (!rows || i % 8 == 7 || i + 1 == count)
			fputc('\n', file);
	}
}

/* JSON has no hexadecimal numbers, infinity or NaN: these become strings. */
static void data_print_json_item(const struct exec_type *type, const unsigned char *item)
{
	double number = 0;
	float single = 0;
	bool quoted = type->kind == 'x';

	memcpy(&single, item, type->kind == 'f' && type->bytes == 4 ? 4 : 0);
	memcpy(&number, item, type->kind == 'f' && type->bytes == 8 ? 8 : 0);
	quoted = quoted || !isfinite(single) || !isfinite(number);
	if (quoted)
		putchar('"');
	data_print_item(stdout, type, item);
	if (quoted)
		putchar('"');
}

/* Prints an element of the array that the caller opens and closes. */
static void data_print_json(struct exec_output *output, const char *name,
			    const struct exec_type *type, const unsigned char *bytes, size_t count,
			    uint32_t lanes)
{
	size_t i;

	printf("%s{\"name\": ", output->results ? ", " : "");
	tool_print_json_string(name);
	printf(", \"type\": \"%s\", \"items\": [", type->name);
	for (i = 0; i < count; i++) {
		if (i)
			printf(", ");
		if (lanes >> (i % FAA_LANES) & 1)
			data_print_json_item(type, bytes + i * type->bytes);
		else
			printf("null");
	}
	printf("]}");
}

int exec_show(struct exec_output *output, const char *name, const struct exec_sink *sink,
	      const void *bytes, size_t count, uint32_t lanes)
{
	FILE *file = sink->path ? fopen(sink->path, "wb") : stdout;
	int ret = 0;

	if (!file) {
		ret = -errno;
	} else if (sink->raw) {
		if (fwrite(bytes, sink->type->bytes, count, file) != count)
			ret = -EIO;
	} else if (!sink->path && output->json) {
		data_print_json(output, name, sink->type, bytes, count, lanes);
		output->results++;
	} else {
		if (!sink->path)
			printf("%s %s\n", name, sink->type->name);
		data_print_items(file, !sink->path, sink->type, bytes, count, lanes);
	}
	if (file && (fflush(file) || ferror(file)) && !ret)
		ret = -EIO;
	if (file && file != stdout && fclose(file) && !ret)
		ret = -errno;
	if (ret)
		fprintf(stderr, "faa-exec: %s: %s\n", sink->path ? sink->path : "standard output",
			strerror(-ret));
	return ret;
}
