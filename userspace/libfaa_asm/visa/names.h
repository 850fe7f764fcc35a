/* SPDX-License-Identifier: MIT */
/*
 * Symbol table of a kernel while its text or its file is read.
 */
#ifndef VISA_NAMES_H
#define VISA_NAMES_H

#include "visa.h"

/* Labels have a name space of their own. */
#define VISA_NAME_LABEL VISA_CLASSES

/** struct visa_name_slot - a name of the pool and its declaration; place 0 = free */
struct visa_name_slot {
	uint32_t place;
	uint32_t number;
	uint32_t hash;
	/** @class: enum visa_class, or VISA_NAME_LABEL. */
	uint8_t class;
};

/** struct visa_names - {0} is empty */
struct visa_names {
	struct visa_name_slot *slots;
	/** @size: a power of two, or 0. */
	uint32_t size;
	uint32_t count;
};

/**
 * visa_names_find() - look up @size bytes at @text among variables or among labels. Return: NULL:
 * not found.
 */
const struct visa_name_slot *visa_names_find(const struct visa_names *names,
					     const struct visa_code *code, const char *text,
					     size_t size, bool label);

/** visa_names_add() - add a new name. Return: 0 or -ENOMEM. */
int visa_names_add(struct visa_names *names, const struct visa_code *code, uint32_t place,
		   unsigned int class, uint32_t number);

void visa_names_free(struct visa_names *names);

#endif /* VISA_NAMES_H */
