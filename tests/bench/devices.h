/* SPDX-License-Identifier: MIT */
/**
 * DOC: Devices of the benchmarks
 *
 * faa-bench has the default build. Some figures are those of a device with another memory port, or
 * with several ports to the L2. For each of these, and for each other build, there is a program
 * faa-bench-DEVICE: this program with another device.
 */
#ifndef BENCH_DEVICES_H
#define BENCH_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * devices_name() - the build or device of this program: a name of spec/builds.toml.
 */
const char *devices_name(void);

/**
 * devices_here() - whether the program of this device runs benchmarks that are measured on @device
 * (NULL: any).
 */
bool devices_here(const char *device);

/**
 * devices_missing() - why there is no up-to-date program with @device, in @buffer of @size bytes;
 * NULL if there is one.
 */
const char *devices_missing(const char *device, char *buffer, size_t size);

/**
 * devices_run() - run a benchmark with the program of another device
 * @device: its name
 * @arguments: from the second on; the last one is NULL
 *
 * Return: 0, or -1 if it failed or, after a message on stderr, could not be run.
 */
int devices_run(const char *device, char *const arguments[]);

#endif /* BENCH_DEVICES_H */
