// SPDX-License-Identifier: MIT
#include "heat_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From 0 to the maximum, in equal steps. */
static const uint8_t heat_map_colours[][3] = {
	{ 4, 5, 18 },	 { 40, 20, 90 },   { 125, 30, 110 },
	{ 220, 75, 60 }, { 250, 175, 50 }, { 255, 250, 225 },
};
#define STEPS (sizeof(heat_map_colours) / sizeof(heat_map_colours[0]) - 1)

/* @heat: 0 to 1. */
static void heat_map_colour(double heat, uint8_t *rgb)
{
	double place = heat * STEPS;
	size_t step = place >= STEPS ? STEPS - 1 : (size_t)place;
	int i;

	for (i = 0; i < 3; i++)
		rgb[i] = (uint8_t)lround(heat_map_colours[step][i] +
					 (place - step) * (heat_map_colours[step + 1][i] -
							   heat_map_colours[step][i]));
}

int heat_map(const uint32_t *counts, uint32_t size, struct image *image)
{
	size_t i, pixels = (size_t)size * size;
	uint32_t most = 1;

	memset(image, 0, sizeof(*image));
	image->pixels = malloc(pixels * 3);
	if (!image->pixels)
		return -1;
	image->width = size;
	image->height = size;
	image->channels = 3;
	for (i = 0; i < pixels; i++)
		if (counts[i] > most)
			most = counts[i];
	for (i = 0; i < pixels; i++)
		heat_map_colour(log1p(counts[i]) / log1p(most), image->pixels + 3 * i);
	return 0;
}
