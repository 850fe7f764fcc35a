/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The device in simulated time
 *
 * Guest and device take turns: while the guest runs the device stands still, and while the guest
 * waits for a time the device executes the cycles up to it. Accesses reach the device, and
 * interrupts reach the guest, after a random latency. So the order of all events is a function of
 * the seed.
 */
#ifndef FAA_VDEV_SIMTIME_H
#define FAA_VDEV_SIMTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "bridge.h"
#include "faa_pci.h"
#include "timetravel.h"

/** struct simtime - schedule of a device */
struct simtime {
	/** @link: to the kernel, which has the current time. */
	struct timetravel link;
	/** @bridge: the device. */
	struct bridge *bridge;
	/** @cycle_ns: duration of a cycle of the engine. */
	uint64_t cycle_ns;
	/** @irq_ns: shortest latency of an interrupt. */
	uint64_t irq_ns;
	/** @base_ns: time of @base_cycle; the clock has run without a break since then. */
	uint64_t base_ns;
	/** @base_cycle: a cycle of the engine. */
	uint64_t base_cycle;
	/** @random: state of the latencies. */
	uint64_t random;
	/** @serve_at: time at which waiting accesses are carried out. */
	uint64_t serve_at;
	/** @call_at: time at which the guest collects finished accesses. */
	uint64_t call_at;
	/** @irq_at: time at which a requested vector may be sent. */
	uint64_t irq_at[FAA_PCI_VECTORS];
	/** @posted: finished accesses that the guest has not collected. */
	unsigned int posted;
};

/** simtime_init() - a device at time 0; listens at @path. Return: 0 or -errno. */
int simtime_init(struct simtime *time, const char *path, uint64_t cycle_ns, uint64_t seed);
/** simtime_kicked() - the running guest has added an access, or buffers for interrupts. */
void simtime_kicked(struct simtime *time);
/** simtime_hold() - the engine requests @vector, which becomes pending now. */
void simtime_hold(struct simtime *time, unsigned int vector);
/**
 * simtime_advance() - let time pass while the guest waits, for some milliseconds of the host
 *
 * Return: true if it has to be called again.
 */
bool simtime_advance(struct simtime *time);
/** simtime_device_ns() - time up to which the device has run. */
uint64_t simtime_device_ns(struct simtime *time);
/** simtime_event_ns() - time of what the device does at present; changes nothing. */
uint64_t simtime_event_ns(const struct simtime *time);

#endif /* FAA_VDEV_SIMTIME_H */
