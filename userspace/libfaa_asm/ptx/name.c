// SPDX-License-Identifier: MIT
/* Symbol table of registers, variables and labels. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

void *ptx_grow(void *items, size_t count, size_t *capacity, size_t size)
{
	size_t wanted = *capacity ? *capacity * 2 : 16;
	void *grown;

	if (count < *capacity)
		return items;
	grown = realloc(items, wanted * size);
	if (grown)
		*capacity = wanted;
	return grown;
}

static uint32_t name_hash_of(uint32_t scope, const char *text, size_t size, bool range)
{
	uint32_t hash = (2166136261u ^ (range ? 0x5bd1e995u : 0)) + scope * 0x9e3779b1u;
	size_t i;

	for (i = 0; i < size; i++)
		hash = (hash ^ (uint8_t)text[i]) * 16777619u;
	return hash;
}

struct ptx_name *ptx_names_find(const struct ptx_names *names, uint32_t scope, const char *text,
				size_t size, bool range)
{
	uint32_t hash = name_hash_of(scope, text, size, range);
	size_t slot;

	if (!names->slot_count)
		return NULL;
	for (slot = hash & (names->slot_count - 1); names->slots[slot];
	     slot = (slot + 1) & (names->slot_count - 1)) {
		struct ptx_name *entry = &names->entries[names->slots[slot] - 1];

		if (entry->hash == hash && entry->size == size && entry->scope == scope &&
		    (entry->kind == PTX_NAME_RANGE) == range &&
		    !memcmp(names->text + entry->at, text, size))
			return entry;
	}
	return NULL;
}

static void name_put(struct ptx_names *names, uint32_t entry)
{
	size_t slot = names->entries[entry].hash & (names->slot_count - 1);

	while (names->slots[slot])
		slot = (slot + 1) & (names->slot_count - 1);
	names->slots[slot] = entry + 1;
}

/* At least half of the slots are free. */
static bool name_grow_slots(struct ptx_names *names)
{
	size_t count = names->slot_count ? names->slot_count * 2 : 64;
	uint32_t *slots, i;

	if (names->count * 2 < names->slot_count)
		return true;
	slots = calloc(count, sizeof(*slots));
	if (!slots)
		return false;
	free(names->slots);
	names->slots = slots;
	names->slot_count = count;
	for (i = 0; i < names->count; i++)
		name_put(names, i);
	return true;
}

static bool name_add_text(struct ptx_names *names, const char *text, size_t size)
{
	size_t capacity = names->text_capacity ? names->text_capacity : 256;
	char *grown;

	while (capacity - names->text_size <= size)
		capacity *= 2;
	if (capacity != names->text_capacity) {
		grown = realloc(names->text, capacity);
		if (!grown)
			return false;
		names->text = grown;
		names->text_capacity = capacity;
	}
	memcpy(names->text + names->text_size, text, size);
	names->text[names->text_size + size] = '\0';
	names->text_size += size + 1;
	return true;
}

/* Adds an entry whose text is already stored. */
static int64_t ptx_names_add_entry(struct ptx_names *names, struct ptx_name name)
{
	struct ptx_name *grown =
		ptx_grow(names->entries, names->count, &names->capacity, sizeof(*grown));
	uint32_t entry = (uint32_t)names->count;

	if (!grown)
		return -ENOMEM;
	names->entries = grown;
	if (!name_grow_slots(names))
		return -ENOMEM;
	grown[entry] = name;
	names->count++;
	name_put(names, entry);
	return entry;
}

int64_t ptx_names_add(struct ptx_names *names, uint32_t scope, const char *text, size_t size,
		      enum ptx_name_kind kind, uint32_t index)
{
	struct ptx_name name = {
		.scope = scope,
		.size = (uint32_t)size,
		.hash = name_hash_of(scope, text, size, kind == PTX_NAME_RANGE),
		.kind = kind,
		.index = index,
	};

	if (!name_add_text(names, text, size))
		return -ENOMEM;
	name.at = (uint32_t)(names->text_size - size - 1);
	return ptx_names_add_entry(names, name);
}

int64_t ptx_names_add_copy(struct ptx_names *names, uint32_t scope, uint32_t entry, uint32_t index)
{
	struct ptx_name name = names->entries[entry];

	name.scope = scope;
	name.hash = name_hash_of(scope, names->text + name.at, name.size, false);
	name.index = index;
	return ptx_names_add_entry(names, name);
}

void ptx_names_free(struct ptx_names *names)
{
	free(names->entries);
	free(names->slots);
	free(names->text);
}
