// SPDX-License-Identifier: MIT
/* vISA: SVM_ATOMIC, and the parts of a kernel around it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "visa.h"

static size_t visa_count_insts(const struct faa_asm_code *code)
{
	return ((const struct visa_code *)code)->insts.count;
}

const struct faa_asm_language faa_asm_visa = {
	.name = "visa",
	.read_text = visa_read_text,
	.read = {
		[FAA_ASM_HEX] = visa_read_hex,
		[FAA_ASM_CISA] = visa_read_cisa,
	},
	.write = {
		[FAA_ASM_TEXT] = visa_write_text,
		[FAA_ASM_HEX] = visa_write_hex,
		[FAA_ASM_CISA] = visa_write_cisa,
	},
	.emit = visa_emit,
	.count = visa_count_insts,
	.destroy = visa_destroy,
};

struct visa_code *visa_create(void)
{
	struct visa_code *code = calloc(1, sizeof(*code));
	uint32_t empty;

	if (!code)
		return NULL;
	code->base.language = &faa_asm_visa;
	if (visa_text_add(code, "", 0, &empty)) {
		free(code);
		return NULL;
	}
	return code;
}

void visa_destroy(struct faa_asm_code *base)
{
	struct visa_code *code = (struct visa_code *)base;
	unsigned int class;

	for (class = 0; class < VISA_CLASSES; class ++)
		free(code->variables[class].items);
	free(code->pool.items);
	free(code->attributes.items);
	free(code->kernel_attributes.items);
	free(code->inputs.items);
	free(code->labels.items);
	free(code->insts.items);
	free(code);
}

/* Makes room for @more items of @size bytes after the existing ones. */
static bool visa_grow(struct visa_array *array, uint32_t more, size_t size)
{
	uint64_t capacity = array->capacity ? array->capacity : 16;
	void *items;

	if (more <= array->capacity - array->count)
		return true;
	while (capacity < (uint64_t)array->count + more)
		capacity *= 2;
	items = capacity <= UINT32_MAX ? realloc(array->items, capacity * size) : NULL;
	if (!items)
		return false;
	array->items = items;
	array->capacity = (uint32_t)capacity;
	return true;
}

void *visa_add(struct visa_array *array, size_t size)
{
	if (!visa_grow(array, 1, size))
		return NULL;
	return memset((char *)array->items + size * array->count++, 0, size);
}

int visa_text_add(struct visa_code *code, const char *text, size_t size, uint32_t *place)
{
	struct visa_array *pool = &code->pool;

	if (size >= UINT32_MAX || !visa_grow(pool, (uint32_t)size + 1, 1))
		return -ENOMEM;
	*place = pool->count;
	memcpy((char *)pool->items + pool->count, text, size);
	((char *)pool->items)[pool->count + size] = 0;
	pool->count += (uint32_t)size + 1;
	return 0;
}

uint32_t visa_first(enum visa_class class)
{
	static const uint8_t first[VISA_CLASSES] = {
		[VISA_GENERAL] = VISA_FIRST_GENERAL,
		[VISA_PREDICATE] = VISA_FIRST_PREDICATE,
		[VISA_SURFACE] = VISA_FIRST_SURFACE,
	};

	return first[class];
}

const struct visa_variable *visa_find(const struct visa_code *code, enum visa_class class,
				      uint32_t number)
{
	uint32_t first = visa_first(class);

	if (number < first || number - first >= code->variables[class].count)
		return NULL;
	return &visa_variables(code, class)[number - first];
}

bool visa_declared(const struct visa_code *code, enum visa_class class)
{
	return code->kernel || code->variables[class].count;
}

const char *visa_name(const struct visa_code *code, enum visa_class class, uint32_t number,
		      char *buffer)
{
	const struct visa_variable *variable = visa_find(code, class, number);

	if (variable)
		return visa_text(code, variable->name);
	snprintf(buffer, 16, "%c%u", class == VISA_PREDICATE ? 'P' : 'V', number);
	return buffer;
}

const char *visa_label_name(const struct visa_code *code, uint32_t number, char *buffer)
{
	uint32_t name = number < code->labels.count ? visa_labels(code)[number].name : 0;

	if (name)
		return visa_text(code, name);
	snprintf(buffer, 16, "L%u", number);
	return buffer;
}

int visa_label_put(struct visa_code *code, uint32_t number, uint8_t kind, uint32_t name)
{
	struct visa_label *label;

	while (code->labels.count <= number)
		if (!visa_add(&code->labels, sizeof(struct visa_label)))
			return -ENOMEM;
	label = &visa_labels(code)[number];
	if (label->kind)
		return -EEXIST;
	label->kind = kind;
	label->name = name;
	return 0;
}
