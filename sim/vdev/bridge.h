/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The PCI bridge in front of an engine
 *
 * Decodes accesses to configuration space and BARs, contains the MSI-X table, and checks the
 * engine's accesses to the host: no DMA and no MSI-X while bus master is off, no DMA outside of the
 * guest's memory.
 */
#ifndef FAA_VDEV_BRIDGE_H
#define FAA_VDEV_BRIDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "faa_engine.h"
#include "events.h"
#include "faults.h"
#include "guest_mem.h"
#include "msix.h"
#include "pci.h"
#include "recorder.h"
#include "units.h"
#include "vdev.h"

struct simtime;

/** struct bridge - bridge and engine */
struct bridge {
	/** @pci: configuration space. */
	struct pci pci;
	/** @msix: the MSI-X table. */
	struct msix msix;
	/** @config: parameters of engines. */
	struct vdev_config config;
	/** @faults: remaining counts of the faults of @config, and those that last. */
	struct faults faults;
	/** @engine: the current engine. */
	struct faa_engine *engine;
	/** @units: states of the compute units, with @config.record_units. */
	struct units units;
	/** @work: the engine may have work. */
	bool work;
	/** @host: functions for the engine. */
	struct faa_host_ops host;
	/** @mem: the guest's memory. */
	const struct guest_mem *mem;
	/** @recorder: the flight recorder. */
	struct recorder *recorder;
	/** @stats: counters. */
	struct vdev_stats stats;
	/** @send: sends a message to the guest; false if it has to be retried later. */
	bool (*send)(void *ctx, const struct msix_message *message);
	/** @ctx: passed to @send. */
	void *ctx;
	/** @time: the schedule in simulated time, or NULL. */
	struct simtime *time;
	/** @events: digest of the events in simulated time. */
	struct events events;
};

/** bridge_init() - create bridge and engine over @mem. Return: 0 or -errno. */
int bridge_init(struct bridge *bridge, const struct vdev_config *config,
		const struct guest_mem *mem,
		bool (*send)(void *ctx, const struct msix_message *message), void *ctx);
/** bridge_fini() - free the engine. */
void bridge_fini(struct bridge *bridge);
/**
 * bridge_reset() - reset configuration space, MSI-X and engine to power-on state. Return: 0 or
 * -errno.
 */
int bridge_reset(struct bridge *bridge);

/** bridge_config_read() - read @size (1, 2, 4, 8) bytes of configuration space. */
uint64_t bridge_config_read(struct bridge *bridge, uint64_t addr, unsigned int size);
/** bridge_config_write() - write @size (1, 2, 4, 8) bytes of configuration space. */
void bridge_config_write(struct bridge *bridge, uint64_t addr, unsigned int size, uint64_t value);
/** bridge_bar_read() - read @len bytes at @addr of a BAR; all-ones if there is no register. */
void bridge_bar_read(struct bridge *bridge, unsigned int bar, uint64_t addr, uint8_t *data,
		     size_t len);
/**
 * bridge_bar_write() - write @len bytes, whole 32-bit words, at @addr of a BAR; false if rejected.
 */
bool bridge_bar_write(struct bridge *bridge, unsigned int bar, uint64_t addr, const uint8_t *data,
		      size_t len);
/** bridge_deliver() - send pending interrupts, as far as possible. */
void bridge_deliver(struct bridge *bridge);
/** bridge_cycle() - clock cycles since the last reset of the function, 0 without an engine. */
uint64_t bridge_cycle(const struct bridge *bridge);
/** bridge_step() - run the engine for up to @cycles. Return: whether it has work left. */
bool bridge_step(struct bridge *bridge, uint64_t cycles);
/** bridge_note() - record an event in the flight recorder. */
void bridge_note(struct bridge *bridge, enum recorder_kind kind, unsigned int unit, uint64_t addr,
		 uint32_t len, uint64_t value);

#endif /* FAA_VDEV_BRIDGE_H */
