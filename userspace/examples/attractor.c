// SPDX-License-Identifier: MIT
#include "attractor.h"

#include <math.h>

/* Points before the orbit is near the attractor, from any starting point. */
#define WARM_UP 100

static void attractor_step(const struct attractor *attractor, double *x, double *y)
{
	const double *p = attractor->parameter;
	double next;

	if (attractor->kind == ATTRACTOR_CLIFFORD) {
		next = sin(p[0] * *y) + p[2] * cos(p[0] * *x);
		*y = sin(p[1] * *x) + p[3] * cos(p[1] * *y);
	} else {
		next = sin(p[0] * *y) - cos(p[1] * *x);
		*y = sin(p[2] * *x) - cos(p[3] * *y);
	}
	*x = next;
}

/* Bound of the absolute values of coordinates. */
static double attractor_reach(const struct attractor *attractor)
{
	const double *p = attractor->parameter;

	return attractor->kind == ATTRACTOR_CLIFFORD ? 1 + fmax(fabs(p[2]), fabs(p[3])) : 2;
}

static uint32_t attractor_pixel(double coordinate, double largest, uint32_t size)
{
	double place = (coordinate / largest + 1) / 2 * size;

	return place < 0 ? 0 : place >= size ? size - 1 : (uint32_t)place;
}

void attractor_points(const struct attractor *attractor, uint32_t size, uint32_t *points,
		      uint32_t count)
{
	double x = 0.1, y = 0.1, largest = attractor_reach(attractor);
	uint32_t i;

	for (i = 0; i < WARM_UP; i++)
		attractor_step(attractor, &x, &y);
	for (i = 0; i < count; i++) {
		attractor_step(attractor, &x, &y);
		points[i] = attractor_pixel(x, largest, size) | attractor_pixel(y, largest, size)
									<< 16;
	}
}
