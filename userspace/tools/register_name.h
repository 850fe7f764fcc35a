/* SPDX-License-Identifier: MIT */
/*
 * Names of the device's registers and of their fields.
 */
#ifndef FAA_REGISTER_NAME_H
#define FAA_REGISTER_NAME_H

#include <stddef.h>
#include <stdint.h>

/** struct register_field - a field; the last one of a register has no name */
struct register_field {
	const char *name;
	uint32_t mask;
};

/** struct register_info - a register, or one of several blocks */
struct register_info {
	const char *name;
	uint32_t offset;
	/** @steps: number of @step in use. */
	unsigned int steps;
	struct {
		uint32_t count, stride;
	} step[2];
	const struct register_field *fields;
};

/**
 * register_find() - the register at a byte offset of BAR 0
 * @offset: the offset
 * @block: out: the indices of its blocks, two
 *
 * Return: the register, or NULL if there is none.
 */
const struct register_info *register_find(uint32_t offset, uint32_t *block);

/** register_name() - write the name of the register at @offset with its indices, or the offset. */
void register_name(char *text, size_t size, uint32_t offset);

#endif
