/* SPDX-License-Identifier: MIT */
/**
 * DOC: Cycles or steps
 *
 * The C model has no clock: its cycle counter counts steps, and its stall counters stay 0. Hardware
 * stalls at least while it fetches the first commands of a stream.
 */
#ifndef CLOCK_H
#define CLOCK_H

#include "faa.h"

/**
 * clock_unit() - unit of the device's cycle counter: "cycles" or "steps"
 *
 * @counters is the difference of two snapshots.
 */
const char *clock_unit(const struct faa_counters *counters);

/** clock_per_warp() - @counter per warp of @counters, the difference of two snapshots */
double clock_per_warp(const struct faa_counters *counters, enum faa_counter counter);

/** clock_print_json() - print @count as a member of a JSON object, named by its @unit */
void clock_print_json(const char *unit, uint64_t count);

/**
 * clock_probe() - clock_unit() of a device without snapshots: runs a short job in a VM of its own
 * @device: device
 * @unit: out: "cycles" or "steps"
 *
 * Return: 0, or a negative errno after a message on stderr.
 */
int clock_probe(struct faa_device *device, const char **unit);

#endif /* CLOCK_H */
