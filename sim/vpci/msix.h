/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: MSI-X table and pending bits
 *
 * A requested vector that cannot be sent (masked, bus master off, no free interrupt buffer in the
 * guest) stays pending, and is sent as soon as possible. Requests of a pending vector are merged
 * into one message, as on PCI.
 */
#ifndef FAA_VPCI_MSIX_H
#define FAA_VPCI_MSIX_H

#include <stdint.h>

#include "vpci.h"

/** struct msix - the MSI-X part of the function */
struct msix {
	/** @count: vectors, up to VPCI_MAX_VECTORS. */
	unsigned int count;
	/** @table_at: offset of the table in the BAR. */
	uint32_t table_at;
	/** @pba_at: offset of the pending bits in the BAR. */
	uint32_t pba_at;
	/**
	 * @table: address low, address high, data, vector control (bit 0: masked) of each vector.
	 */
	uint32_t table[VPCI_MAX_VECTORS][4];
	/** @pending: one bit per vector. */
	uint64_t pending;
	/** @held: one bit per vector that stays pending until msix_release(). */
	uint64_t held;
	/** @next: first vector of the next search, for fairness. */
	unsigned int next;
};

/** struct msix_message - one message to send */
struct msix_message {
	/** @vector: vector of the message. */
	unsigned int vector;
	/** @addr: address that is written. */
	uint64_t addr;
	/** @data: data that is written. */
	uint32_t data;
};

/** msix_init() - state of a function after reset: all vectors masked, none pending. */
void msix_init(struct msix *msix, const struct vpci_config *config);
/** msix_has() - whether the 32-bit word at @offset of the MSI-X BAR is table or pending bits. */
bool msix_has(const struct msix *msix, uint64_t offset);
/** msix_read() - aligned 32-bit read at @offset, for which msix_has(). */
uint32_t msix_read(const struct msix *msix, uint32_t offset);
/**
 * msix_write() - aligned 32-bit write at @offset, for which msix_has(); the pending bits are
 * read-only.
 */
void msix_write(struct msix *msix, uint32_t offset, uint32_t value);
/** msix_request() - the device requests @vector, below @msix->count. */
void msix_request(struct msix *msix, unsigned int vector);
/** msix_hold() - do not send @vector before msix_release(). */
void msix_hold(struct msix *msix, unsigned int vector);
/** msix_release() - end msix_hold(). */
void msix_release(struct msix *msix, unsigned int vector);
/**
 * msix_peek() - get the next pending and unmasked vector and its message; it stays pending until
 * msix_sent(). Return: -1: none.
 */
int msix_peek(const struct msix *msix, struct msix_message *message);
/** msix_sent() - the message of @vector was sent. */
void msix_sent(struct msix *msix, unsigned int vector);

#endif /* FAA_VPCI_MSIX_H */
