/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Faults of the device
 *
 * Faults of a broken card, for tests of how a driver recovers. A fault changes what
 * crosses the boundary of the engine (registers, memory, interrupts, the function-level reset, the
 * power state), so it is the same for every engine.
 *
 * A fault has events of its own. The first @after of them pass unharmed, the next @count are hit.
 * Counts continue over a reset of the device.
 */
#ifndef FAA_VDEV_FAULTS_H
#define FAA_VDEV_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** enum fault_kind - faults by their number; names are in faults.c */
enum fault_kind {
	/** @FAULT_IGNORE_KILL: a write of a queue's CONTROL.kill leaves the kill out. */
	FAULT_IGNORE_KILL,
	/** @FAULT_IGNORE_RESET: a write of a compute unit's CONTROL.reset has no effect. */
	FAULT_IGNORE_RESET,
	/** @FAULT_LOSE_IRQ: an interrupt request is lost. */
	FAULT_LOSE_IRQ,
	/** @FAULT_STICK_TLB: a write of TLB_INV_REQUEST is lost, and no invalidation completes. */
	FAULT_STICK_TLB,
	/** @FAULT_STOP_AXI: from a doorbell (write of TAIL) on memory does not answer. */
	FAULT_STOP_AXI,
	/** @FAULT_READ_ONES: from a doorbell on all registers read as all-ones. */
	FAULT_READ_ONES,
	/** @FAULT_IGNORE_FLR: a function-level reset has no effect. */
	FAULT_IGNORE_FLR,
	/** @FAULT_LOSE_POWER: from D3hot to D0 the function is reset, configuration space too. */
	FAULT_LOSE_POWER,
	/** @FAULT_KINDS: number of kinds. */
	FAULT_KINDS,
};

/** struct fault - when a fault shows */
struct fault {
	/** @after: events that pass unharmed before. */
	uint64_t after;
	/** @count: events that are hit then; 0 = the device does not have the fault. */
	uint64_t count;
};

/** struct faults - what is wrong with a device */
struct faults {
	/** @fault: what is left of each kind. */
	struct fault fault[FAULT_KINDS];
	/** @any: the device has a fault. */
	bool any;
	/** @axi_stopped: memory does not answer; until the next reset. */
	bool axi_stopped;
	/** @read_ones: registers read as all-ones; until the next reset. */
	bool read_ones;
};

/**
 * faults_parse() - add a fault
 * @faults: faults of the device
 * @text: NAME[:COUNT][@AFTER]; COUNT is 1..4294967295 (default: all further events), AFTER
 *        0..4294967295 (default 0)
 * @message: out on failure: what is wrong, without a line end
 * @size: bytes of @message
 *
 * Return: 0, or -EINVAL.
 */
int faults_parse(struct faults *faults, const char *text, char *message, size_t size);

/** faults_reset() - the device was reset: what lasts until then is over. */
void faults_reset(struct faults *faults);

/** faults_hit() - an event of @kind happens; true if the fault shows. */
bool faults_hit(struct faults *faults, enum fault_kind kind);

/**
 * faults_register_write() - a register of BAR 0 is written
 * @faults: faults of the device
 * @offset: byte offset
 * @value: what is written; in and out
 *
 * Return: true if the engine gets the write.
 */
bool faults_register_write(struct faults *faults, uint32_t offset, uint32_t *value);

#endif /* FAA_VDEV_FAULTS_H */
