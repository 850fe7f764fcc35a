// SPDX-License-Identifier: MIT
#include "register_name.h"

#include <stdbool.h>
#include <stdio.h>

#include "register_names.h"

#define COUNT (sizeof(register_names) / sizeof(register_names[0]))

/* Whether it is the register at @offset; @block receives the indices of its blocks. */
static bool register_is(const struct register_info *name, uint32_t offset, uint32_t *block)
{
	uint32_t left = offset - name->offset;

	if (offset < name->offset)
		return false;
	for (unsigned int i = 0; i < name->steps; i++) {
		block[i] = left / name->step[i].stride;
		if (block[i] >= name->step[i].count)
			block[i] = name->step[i].count - 1;
		left -= block[i] * name->step[i].stride;
	}
	return !left;
}

const struct register_info *register_find(uint32_t offset, uint32_t *block)
{
	for (size_t i = 0; i < COUNT; i++)
		if (register_is(&register_names[i], offset, block))
			return &register_names[i];
	return NULL;
}

void register_name(char *text, size_t size, uint32_t offset)
{
	uint32_t block[2] = { 0 };
	const struct register_info *name = register_find(offset, block);

	if (!name)
		snprintf(text, size, "0x%05x", offset);
	else if (name->steps == 2)
		snprintf(text, size, "%s[%u][%u]", name->name, block[0], block[1]);
	else if (name->steps == 1)
		snprintf(text, size, "%s[%u]", name->name, block[0]);
	else
		snprintf(text, size, "%s", name->name);
}
