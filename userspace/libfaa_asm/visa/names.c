// SPDX-License-Identifier: MIT
/* A hash table with open addressing, at most half full. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"

static uint32_t names_hash_of(const char *text, size_t size, bool label)
{
	uint32_t hash = label ? 0x811c9dc4 : 0x811c9dc5;
	size_t i;

	for (i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash ^ hash >> 15;
}

const struct visa_name_slot *visa_names_find(const struct visa_names *names,
					     const struct visa_code *code, const char *text,
					     size_t size, bool label)
{
	uint32_t hash = names_hash_of(text, size, label), i;

	if (!names->size)
		return NULL;
	for (i = hash & (names->size - 1); names->slots[i].place; i = (i + 1) & (names->size - 1)) {
		const struct visa_name_slot *slot = &names->slots[i];
		const char *name = visa_text(code, slot->place);

		if (slot->hash == hash && (slot->class == VISA_NAME_LABEL) == label &&
		    !strncmp(name, text, size) && !name[size])
			return slot;
	}
	return NULL;
}

static void names_put(struct visa_names *names, const struct visa_name_slot *slot)
{
	uint32_t i = slot->hash & (names->size - 1);

	while (names->slots[i].place)
		i = (i + 1) & (names->size - 1);
	names->slots[i] = *slot;
}

static int names_widen(struct visa_names *names)
{
	struct visa_names wider = { .size = names->size ? 2 * names->size : 64 };
	uint32_t i;

	wider.slots = calloc(wider.size, sizeof(*wider.slots));
	if (!wider.slots)
		return -ENOMEM;
	wider.count = names->count;
	for (i = 0; i < names->size; i++)
		if (names->slots[i].place)
			names_put(&wider, &names->slots[i]);
	free(names->slots);
	*names = wider;
	return 0;
}

int visa_names_add(struct visa_names *names, const struct visa_code *code, uint32_t place,
		   unsigned int class, uint32_t number)
{
	const char *text = visa_text(code, place);
	struct visa_name_slot slot = { .place = place, .number = number, .class = (uint8_t) class };

	if (2 * names->count >= names->size && names_widen(names))
		return -ENOMEM;
	slot.hash = names_hash_of(text, strlen(text), class == VISA_NAME_LABEL);
	names_put(names, &slot);
	names->count++;
	return 0;
}

void visa_names_free(struct visa_names *names)
{
	free(names->slots);
}
