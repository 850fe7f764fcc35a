/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: MSI-X table and pending bits
 *
 * A requested vector that cannot be sent (masked, bus master off, no free interrupt buffer in the guest) stays pending and is
 * sent as soon as it can be. Requests of one vector that meet while it is pending become one message, as on PCI.
 */
#ifndef FAA_VDEV_MSIX_H
#define FAA_VDEV_MSIX_H

#include <stdint.h>

#include "faa_pci.h"

/** struct msix - the MSI-X part of the function */
struct msix {
	/** @table: address low, address high, data, vector control (bit 0: masked) of each vector. */
	uint32_t table[FAA_PCI_VECTORS][4];
	/** @pending: one bit a vector. */
	uint64_t pending;
	/** @next: vector at which the next search begins, so that none starves. */
	unsigned int next;
};

/** struct msix_message - one message to send */
struct msix_message {
	/** @vector: whose message it is. */
	unsigned int vector;
	/** @addr: where it is written. */
	uint64_t addr;
	/** @data: what is written. */
	uint32_t data;
};

/** msix_init() - out of reset: all vectors masked, nothing pending. */
void msix_init(struct msix *msix);
/** msix_read() - aligned 32-bit read at @offset of the MSI-X BAR; 0 where nothing is. */
uint32_t msix_read(const struct msix *msix, uint32_t offset);
/** msix_write() - aligned 32-bit write at @offset of the MSI-X BAR; the pending bits are read-only. */
void msix_write(struct msix *msix, uint32_t offset, uint32_t value);
/** msix_request() - the device requests @vector, below FAA_PCI_VECTORS. */
void msix_request(struct msix *msix, unsigned int vector);
/** msix_peek() - the next pending and unmasked vector and its message, or -1; it stays pending until msix_sent(). */
int msix_peek(const struct msix *msix, struct msix_message *message);
/** msix_sent() - the message of @vector is on its way. */
void msix_sent(struct msix *msix, unsigned int vector);

#endif /* FAA_VDEV_MSIX_H */
