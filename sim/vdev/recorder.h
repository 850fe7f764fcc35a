/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The flight recorder
 *
 * Keeps the last events between guest and device in memory, and writes them as text after an error
 * or on request.
 */
#ifndef FAA_VDEV_RECORDER_H
#define FAA_VDEV_RECORDER_H

#include <stdint.h>
#include <stdio.h>

/** enum recorder_kind - kind of an event */
enum recorder_kind {
	/** @REC_CONFIG_READ: read of configuration space; addr, len, value. */
	REC_CONFIG_READ,
	/** @REC_CONFIG_WRITE: write of configuration space; addr, len, value. */
	REC_CONFIG_WRITE,
	/** @REC_MMIO_READ: BAR read; unit = BAR, addr = offset, len, value. */
	REC_MMIO_READ,
	/** @REC_MMIO_WRITE: BAR write; unit = BAR, addr = offset, len, value. */
	REC_MMIO_WRITE,
	/** @REC_DMA_READ: device reads memory; addr, len, value = first bytes. */
	REC_DMA_READ,
	/** @REC_DMA_WRITE: device writes memory; addr, len, value = first bytes. */
	REC_DMA_WRITE,
	/** @REC_DMA_CAS: device compares and swaps in memory; addr, len, value = previous value. */
	REC_DMA_CAS,
	/** @REC_DMA_ERROR: DMA rejected: outside of memory or bus master off; addr, len. */
	REC_DMA_ERROR,
	/** @REC_IRQ_REQUEST: device requests vector unit. */
	REC_IRQ_REQUEST,
	/** @REC_IRQ_SENT: message of vector unit sent; addr, value = data. */
	REC_IRQ_SENT,
	/**
	 * @REC_IRQ_DROPPED: request of vector unit while MSI-X is off, or of a vector that does not
	 * exist, or one that a fault loses.
	 */
	REC_IRQ_DROPPED,
	/** @REC_BAD_MESSAGE: message of the guest rejected; unit = operation, addr, len. */
	REC_BAD_MESSAGE,
	/** @REC_RESET: the device was reset. */
	REC_RESET,
	/** @REC_UNIT: register STATE of compute unit unit has changed to value. */
	REC_UNIT,
	/** @REC_KINDS: number of kinds. */
	REC_KINDS,
};

struct recorder;

/**
 * recorder_create() - create a recorder of the last @events events (1 or more); NULL without
 * memory.
 */
struct recorder *recorder_create(size_t events);
/** recorder_make_exact() - read the clock for each event. */
void recorder_make_exact(struct recorder *recorder);
/**
 * recorder_use_clock() - take the times of events from @now_ns(@ctx) instead of the host's clock
 *
 * Those before have the time 0.
 */
void recorder_use_clock(struct recorder *recorder, uint64_t (*now_ns)(void *ctx), void *ctx);
/** recorder_destroy() - free @recorder; NULL is allowed. */
void recorder_destroy(struct recorder *recorder);
/**
 * recorder_add() - record an event at device clock @cycle
 *
 * Its time is that of the host, or of recorder_use_clock(). Unless the recorder is exact, the clock
 * of the host is read for at least one of 32 events: the time of a REC_DMA_READ or REC_DMA_WRITE
 * may be that of the event before.
 */
void recorder_add(struct recorder *recorder, enum recorder_kind kind, uint64_t cycle,
		  unsigned int unit, uint64_t addr, uint32_t len, uint64_t value);
/** recorder_kind_name() - name of a kind of events. */
const char *recorder_kind_name(enum recorder_kind kind);
/** recorder_dump() - write the events as text, oldest first. */
void recorder_dump(const struct recorder *recorder, FILE *file);

#endif /* FAA_VDEV_RECORDER_H */
