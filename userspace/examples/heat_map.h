/* SPDX-License-Identifier: MIT */
#ifndef HEAT_MAP_H
#define HEAT_MAP_H

#include "image.h"

/**
 * heat_map() - draw @size x @size counts as colours by their logarithm, row 0 at the top
 *
 * Return: 0, or -1 without memory.
 */
int heat_map(const uint32_t *counts, uint32_t size, struct image *image);

#endif /* HEAT_MAP_H */
