/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The virtual PCI device
 *
 * An engine as a PCI function of libvpci, whose clock runs in slices between the accesses of the
 * guest, or in simulated time. One thread; no function blocks, the caller waits at vdev_fd().
 */
#ifndef FAA_VDEV_VDEV_H
#define FAA_VDEV_VDEV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "faa_engine.h"
#include "faults.h"
#include "vpci.h"

struct vdev;

/** struct vdev_config - parameters of vdev_create() */
struct vdev_config {
	/** @engine: implementation of the engine. */
	const struct faa_engine_ops *engine;
	/** @mem: behaviour of the memory. */
	struct faa_mem_config mem;
	/** @trace_cycles: length of the waveform window, 0 = none. */
	uint32_t trace_cycles;
	/** @trace_from: first cycle of the waveform, with @trace_to. */
	uint64_t trace_from;
	/** @trace_to: cycle after the waveform's last, 0 = the last cycles are kept. */
	uint64_t trace_to;
	/** @recorder_events: length of the flight recorder, at least 1. */
	uint32_t recorder_events;
	/** @record_units: the flight recorder shows which queue has which compute unit. */
	bool record_units;
	/**
	 * @no_atomic_ops: the guest's memory does not support AtomicOps; AtomicOp Requester Enable
	 * is initially 0.
	 */
	bool no_atomic_ops;
	/** @pace: limit of clock cycles per second while there is work, 0 = none. */
	uint32_t pace;
	/** @num_cus: compute units of the model engine, 0 = its default. */
	uint32_t num_cus;
	/** @vectors: MSI-X vectors, 0 = FAA_PCI_VECTORS. */
	uint32_t vectors;
	/** @defect: defect of the hardware, NULL = none. */
	const char *defect;
	/** @faults: the faults that the device is to have. */
	struct faults faults;
	/** @time_socket: path where a guest in simulated time connects, NULL = real time. */
	const char *time_socket;
	/** @cycle_ns: simulated time of a cycle (model: of a step), 0 = that of the engine. */
	uint32_t cycle_ns;
	/** @qtest_socket: path where QEMU's -qtest connects, NULL = the guest is not QEMU's. */
	const char *qtest_socket;
};

/** vdev_create() - create a device without a connection; NULL with errno set on failure. */
struct vdev *vdev_create(const struct vdev_config *config);
/** vdev_destroy() - disconnect and free @vdev; NULL is allowed. */
void vdev_destroy(struct vdev *vdev);

/**
 * vdev_connect() - serve the connected socket @sock, which the device owns, with a device after
 * reset. Return: 0 or -errno.
 */
int vdev_connect(struct vdev *vdev, int sock);
/** vdev_connected() - whether a front end is connected. */
bool vdev_connected(const struct vdev *vdev);

/** vdev_in_use() - whether a front end is connected, or the guest has its time from the device. */
bool vdev_in_use(const struct vdev *vdev);

/** vdev_fd() - an epoll file that is readable when vdev_run() has work; the device owns it. */
int vdev_fd(const struct vdev *vdev);

/**
 * vdev_run() - do all pending work without blocking, for about a millisecond at most
 * @vdev: the device
 *
 * Return: true if the engine has work left, so vdev_run() has to be called again at once; false if
 * the caller may sleep on vdev_fd().
 */
bool vdev_run(struct vdev *vdev);

/** vdev_cycle() - clock cycles since the last reset of the function. */
uint64_t vdev_cycle(const struct vdev *vdev);
/** vdev_stats() - counters since creation. */
const struct vpci_stats *vdev_stats(const struct vdev *vdev);
/** vdev_write_events() - write the digest of the events in simulated time. Return: 0 or -errno. */
int vdev_write_events(const struct vdev *vdev, const char *path);
/** vdev_dump() - write the flight recorder as text. */
void vdev_dump(const struct vdev *vdev, FILE *file);
/** vdev_dump_trace() - write the engine's waveform to @path. Return: as faa_engine_ops. */
int vdev_dump_trace(struct vdev *vdev, const char *path);

#endif /* FAA_VDEV_VDEV_H */
