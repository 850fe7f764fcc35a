/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The virtual PCI device
 *
 * Puts an engine behind a PCI bridge that a vhost-user front end sees: queue 0 carries the guest's accesses to
 * configuration space and BARs (linux/virtio_pcidev.h), queue 1 takes MSI-X messages to the guest, and DMA goes to the
 * memory that the front end shares. One thread; nothing blocks but vdev_wait().
 */
#ifndef FAA_VDEV_VDEV_H
#define FAA_VDEV_VDEV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "faa_engine.h"

struct vdev;

/** struct vdev_config - what a device is created with */
struct vdev_config {
	/** @engine: its engine. */
	const struct faa_engine_ops *engine;
	/** @mem: behaviour of the memory. */
	struct faa_mem_config mem;
	/** @trace_cycles: length of the waveform window, 0 = none. */
	uint32_t trace_cycles;
	/** @recorder_events: length of the flight recorder, at least 1. */
	uint32_t recorder_events;
	/** @no_atomic_ops: the guest's memory takes no AtomicOps; the function starts with AtomicOp Requester Enable 0. */
	bool no_atomic_ops;
	/** @pace: clock cycles a second at most while there is work, 0 = as fast as the engine is. */
	uint32_t pace;
	/** @num_cus: compute units of the model engine, 0 = its default. */
	uint32_t num_cus;
	/** @defect: the defect that the hardware is to have, NULL = none. */
	const char *defect;
};

/** struct vdev_stats - what has happened so far */
struct vdev_stats {
	/** @messages: of the guest on the command queue. */
	uint64_t messages;
	/** @bad_messages: of them refused. */
	uint64_t bad_messages;
	/** @irqs_requested: by the engine. */
	uint64_t irqs_requested;
	/** @irqs_sent: messages to the guest. */
	uint64_t irqs_sent;
	/** @dma_errors: DMA accesses refused. */
	uint64_t dma_errors;
};

/** vdev_create() - a device that nobody is connected to; NULL with errno set on failure. */
struct vdev *vdev_create(const struct vdev_config *config);
/** vdev_destroy() - disconnect and free it; NULL is allowed. */
void vdev_destroy(struct vdev *vdev);

/** vdev_connect() - serve the connected socket @sock (becomes the device's) with a device just out of reset; 0 or -errno. */
int vdev_connect(struct vdev *vdev, int sock);
/** vdev_connected() - a front end is there. */
bool vdev_connected(const struct vdev *vdev);

/** vdev_fd() - an epoll file that is readable when vdev_run() has something to do; stays the device's. */
int vdev_fd(const struct vdev *vdev);

/**
 * vdev_run() - do what there is to do, without blocking, for about a millisecond at most
 * @vdev: the device
 *
 * Return: true if the engine has work left, so vdev_run() must be called again at once; false if the caller may sleep on
 * vdev_fd().
 */
bool vdev_run(struct vdev *vdev);

/** vdev_stats() - counts since creation. */
const struct vdev_stats *vdev_stats(const struct vdev *vdev);
/** vdev_dump() - write the flight recorder as text. */
void vdev_dump(const struct vdev *vdev, FILE *file);
/** vdev_dump_trace() - write the engine's waveform window to @path; 0 or -errno. */
int vdev_dump_trace(struct vdev *vdev, const char *path);

#endif /* FAA_VDEV_VDEV_H */
