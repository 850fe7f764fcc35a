/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: A PCI function, without its transport
 *
 * Decodes accesses to configuration space and BARs, contains the MSI-X table, and checks the
 * device's accesses to the guest: no DMA and no MSI-X while bus mastering is off, no DMA outside of
 * the guest's memory. A transport carries accesses to it and messages from it, and fills the
 * guest's memory.
 */
#ifndef FAA_VPCI_FUNCTION_H
#define FAA_VPCI_FUNCTION_H

#include "guest_mem.h"
#include "msix.h"
#include "pci.h"
#include "vpci.h"

/** struct function - a function */
struct function {
	/** @pci: configuration space. */
	struct pci pci;
	/** @msix: the MSI-X table. */
	struct msix msix;
	/** @config: description. */
	struct vpci_config config;
	/** @ops: functions of the device. */
	const struct vpci_ops *ops;
	/** @ctx: passed to @ops. */
	void *ctx;
	/** @mem: the guest's memory, of the transport. */
	const struct guest_mem *mem;
	/** @send: sends a message to the guest; false if it has to be retried later. */
	bool (*send)(void *transport, const struct msix_message *message);
	/** @transport: passed to @send. */
	void *transport;
	/** @stats: counters. */
	struct vpci_stats stats;
};

/** function_check() - check a description. Return: 0, or -EINVAL after a line in the log. */
int function_check(const struct vpci_config *config);
/**
 * function_reset() - reset the device because of @cause, then configuration space and MSI-X.
 * Return: 0; -errno of the device, which then keeps its state.
 */
int function_reset(struct function *function, enum vpci_reset cause);

/** function_config_read() - read @size (1, 2, 4, 8) bytes of configuration space. */
uint64_t function_config_read(struct function *function, uint64_t addr, unsigned int size);
/** function_config_write() - write @size (1, 2, 4, 8) bytes of configuration space. */
void function_config_write(struct function *function, uint64_t addr, unsigned int size,
			   uint64_t value);
/** function_bar_read() - read @len bytes at @addr of a BAR; all-ones if there is no register. */
void function_bar_read(struct function *function, unsigned int bar, uint64_t addr, uint8_t *data,
		       size_t len);
/** function_bar_write() - write @len bytes at @addr of a BAR; false if refused. */
bool function_bar_write(struct function *function, unsigned int bar, uint64_t addr,
			const uint8_t *data, size_t len);

/** function_raise() - as vpci_raise(). */
int function_raise(struct function *function, unsigned int vector);
/** function_deliver() - as vpci_deliver(). */
void function_deliver(struct function *function);

/** function_dma_read() - as vpci_dma_read(). */
int function_dma_read(struct function *function, uint64_t addr, void *buf, size_t len);
/** function_dma_write() - as vpci_dma_write(). */
int function_dma_write(struct function *function, uint64_t addr, const void *buf, size_t len);
/** function_dma_write_bytes() - as vpci_dma_write_bytes(). */
int function_dma_write_bytes(struct function *function, uint64_t addr, const void *buf, size_t len,
			     uint64_t bytes);
/** function_dma_cas() - as vpci_dma_cas(). */
int function_dma_cas(struct function *function, uint64_t addr, unsigned int size,
		     uint64_t *expected, uint64_t desired);
/** function_dma_update() - as vpci_dma_add() if @add, else as vpci_dma_swap(). */
int function_dma_update(struct function *function, uint64_t addr, unsigned int size, bool add,
			uint64_t value, uint64_t *old);

/** function_note() - tell the device of an event. */
void function_note(struct function *function, enum vpci_event_kind kind, unsigned int unit,
		   uint64_t addr, uint32_t len, uint64_t value);
/** function_first_bytes() - the value of an event: the first 8 bytes of @data. */
uint64_t function_first_bytes(const void *data, size_t len);

#endif /* FAA_VPCI_FUNCTION_H */
