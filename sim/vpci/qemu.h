/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: A guest of QEMU
 *
 * Serves QEMU's device x-pci-proxy-dev, which forwards accesses of configuration space and BARs,
 * and shares the guest's memory for DMA. It has no MSI-X, so messages go to QEMU's test interface
 * (option -qtest), whose command writel writes to the address of the message like a device: the
 * local APIC takes it as an interrupt.
 */
#ifndef FAA_VPCI_QEMU_H
#define FAA_VPCI_QEMU_H

#include <stdbool.h>

#include "function.h"

/** struct qemu - connections to a QEMU process */
struct qemu {
	/** @sock: connection to x-pci-proxy-dev, -1 = none. */
	int sock;
	/** @listener: socket at which QEMU's -qtest connects, -1 = none. */
	int listener;
	/** @test: connection to QEMU's -qtest, -1 = none. */
	int test;
	/** @in_flight: commands of @test without an answer. */
	unsigned int in_flight;
	/** @function: the function. */
	struct function *function;
	/** @mem: receives the guest's memory. */
	struct guest_mem *mem;
};

/** qemu_init() - no connections. */
void qemu_init(struct qemu *qemu, struct function *function, struct guest_mem *mem);
/** qemu_listen() - accept QEMU's -qtest at @path. Return: 0 or -errno. */
int qemu_listen(struct qemu *qemu, const char *path);
/** qemu_accept_test() - accept a connection at @listener, instead of an earlier one. */
void qemu_accept_test(struct qemu *qemu);
/** qemu_receive_test() - take the answers of QEMU's -qtest. */
void qemu_receive_test(struct qemu *qemu);
/**
 * qemu_serve() - answer all messages of x-pci-proxy-dev that are there. Return: 0, or -errno if the
 * connection has ended or cannot be used any more.
 */
int qemu_serve(struct qemu *qemu);
/** qemu_send_msix() - send a message to the guest; false if it has to be retried later. */
bool qemu_send_msix(struct qemu *qemu, const struct msix_message *message);
/** qemu_disconnect() - close the connection to x-pci-proxy-dev and unmap the guest's memory. */
void qemu_disconnect(struct qemu *qemu);
/** qemu_fini() - close everything. */
void qemu_fini(struct qemu *qemu);

#endif /* FAA_VPCI_QEMU_H */
