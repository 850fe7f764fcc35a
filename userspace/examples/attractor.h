/* SPDX-License-Identifier: MIT */
#ifndef ATTRACTOR_H
#define ATTRACTOR_H

#include <stdint.h>

/** enum attractor_kind - maps of the plane whose orbits stay in a small part of it */
enum attractor_kind {
	/** @ATTRACTOR_CLIFFORD: x' = sin(a y) + c cos(a x), y' = sin(b x) + d cos(b y). */
	ATTRACTOR_CLIFFORD,
	/** @ATTRACTOR_DE_JONG: x' = sin(a y) - cos(b x), y' = sin(c x) - cos(d y). */
	ATTRACTOR_DE_JONG,
};

/** struct attractor - a map */
struct attractor {
	enum attractor_kind kind;
	/** @parameter: a, b, c, d; finite. */
	double parameter[4];
};

/**
 * attractor_points() - an orbit as pixels of a square picture
 * @attractor: map
 * @size: pixels of a side, 1..65536
 * @points: out: @count points: x in bits 15..0, y in bits 31..16
 * @count: number of points
 *
 * All rounding is done here, so any two counts of the points are equal.
 */
void attractor_points(const struct attractor *attractor, uint32_t size, uint32_t *points,
		      uint32_t count);

#endif /* ATTRACTOR_H */
