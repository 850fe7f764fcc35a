/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The bridge between a PCI function and an engine
 *
 * The description of faa's function for libvpci, its registers and resets, the faults of a card,
 * and the host functions of the engine. All events go to the flight recorder.
 */
#ifndef FAA_VDEV_BRIDGE_H
#define FAA_VDEV_BRIDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "faa_engine.h"
#include "events.h"
#include "faults.h"
#include "recorder.h"
#include "units.h"
#include "vdev.h"
#include "vpci.h"

struct simtime;

/** struct bridge - bridge and engine */
struct bridge {
	/** @vpci: the function. */
	struct vpci *vpci;
	/** @config: parameters of engines. */
	struct vdev_config config;
	/** @faults: remaining counts of the faults of @config, and those that last. */
	struct faults faults;
	/** @vectors: MSI-X vectors. */
	unsigned int vectors;
	/** @engine: the current engine. */
	struct faa_engine *engine;
	/** @units: states of the compute units, with @config.record_units. */
	struct units units;
	/** @work: the engine may have work. */
	bool work;
	/** @host: functions for the engine. */
	struct faa_host_ops host;
	/** @recorder: the flight recorder. */
	struct recorder *recorder;
	/** @time: the schedule in simulated time, or NULL. */
	struct simtime *time;
	/** @events: digest of the events in simulated time. */
	struct events events;
};

/** bridge_init() - create function and engine. Return: 0 or -errno. */
int bridge_init(struct bridge *bridge, const struct vdev_config *config);
/** bridge_fini() - free function, engine and flight recorder; the guest is disconnected. */
void bridge_fini(struct bridge *bridge);

/** bridge_cycle() - clock cycles since the last reset of the function, 0 without an engine. */
uint64_t bridge_cycle(const struct bridge *bridge);
/** bridge_step() - run the engine for up to @cycles. Return: whether it has work left. */
bool bridge_step(struct bridge *bridge, uint64_t cycles);
/** bridge_note() - record an event in the flight recorder. */
void bridge_note(struct bridge *bridge, enum recorder_kind kind, unsigned int unit, uint64_t addr,
		 uint32_t len, uint64_t value);

#endif /* FAA_VDEV_BRIDGE_H */
