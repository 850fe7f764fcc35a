// SPDX-License-Identifier: MIT
/* Memory that the code names: a buffer for each variable that the command line does not set. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exec_tool.h"

static bool exec_variable_is_set(const struct exec_options *options, const char *name)
{
	unsigned int i;

	for (i = 0; i < options->sets.count; i++)
		if (!strcmp(options->sets.items[i].name, name))
			return true;
	return false;
}

static bool exec_variable_has_buffer(const struct exec_options *options, const char *name)
{
	unsigned int i;

	for (i = 0; i < options->buffer_count; i++)
		if (!strcmp(options->buffers[i].name, name))
			return true;
	return false;
}

/* Adds a buffer with the variable's initial values, followed by zeros. */
static int exec_variable_add_buffer(struct exec_options *options,
				    const struct faa_asm_variable *variable)
{
	struct exec_buffer *buffer = &options->buffers[options->buffer_count];

	buffer->name = strdup(variable->name);
	buffer->array.type = exec_type_find("u8", 2);
	buffer->array.count = (size_t)variable->bytes;
	buffer->array.bytes = calloc(1, buffer->array.count);
	options->buffer_count++;
	if (!buffer->name || !buffer->array.bytes)
		return -ENOMEM;
	if (variable->initial_bytes)
		memcpy(buffer->array.bytes, variable->initial, variable->initial_bytes);
	return 0;
}

/* --set=NAME=@NAME */
static int exec_variable_add_set(struct exec_options *options, const char *name)
{
	struct exec_binding *set = &options->sets.items[options->sets.count];
	size_t size = strlen(name) + 2;
	char *text = malloc(size);

	set->name = strdup(name);
	options->sets.count++;
	if (!text || !set->name) {
		free(text);
		return -ENOMEM;
	}
	snprintf(text, size, "@%s", name);
	set->text = text;
	set->own_text = text;
	return 0;
}

static int exec_variable_bind(struct exec_options *options, const struct faa_asm_variable *variable)
{
	bool there = exec_variable_has_buffer(options, variable->name);
	int ret = 0;

	if (exec_variable_is_set(options, variable->name) || (!variable->bytes && !there))
		return 0;
	if (options->sets.count == EXEC_MAX || (!there && options->buffer_count == EXEC_MAX)) {
		fprintf(stderr,
			"faa-exec: at most %d buffers and values are allowed, with those of the code's variables\n",
			EXEC_MAX);
		return -EINVAL;
	}
	if (!there)
		ret = exec_variable_add_buffer(options, variable);
	return ret ? ret : exec_variable_add_set(options, variable->name);
}

int exec_bind_variables(struct exec_options *options, const struct exec_code *code)
{
	struct faa_asm_variable variable;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && code->code && faa_asm_variable(code->code, i, &variable); i++)
		ret = exec_variable_bind(options, &variable);
	if (ret == -ENOMEM)
		fprintf(stderr, "faa-exec: %s: %s\n", variable.name, strerror(ENOMEM));
	return ret;
}
