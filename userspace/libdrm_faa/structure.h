/* SPDX-License-Identifier: MIT */
#ifndef FAA_STRUCTURE_H
#define FAA_STRUCTURE_H

#include <stddef.h>
#include <stdint.h>

/**
 * faa_array_read() - faa_struct_read() for an array
 * @items: out: @count structures of @own_size bytes
 * @made: out: memory that the caller frees after their use; NULL: they are the caller's own
 * @own_size: size of the library's structure, bytes
 * @from: the caller's array
 * @from_size: size of one of its items, bytes
 * @count: items, not 0
 * @name: of the structure, for the sentence
 *
 * Return: 0; -E2BIG as faa_struct_read(); -ENOMEM.
 */
int faa_array_read(const void **items, void **made, size_t own_size, const void *from,
		   size_t from_size, uint32_t count, const char *name);

#endif /* FAA_STRUCTURE_H */
