/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_VPCI_PCIDEV_H
#define FAA_VPCI_PCIDEV_H

#include "function.h"
#include "virtq.h"

/** struct pcidev_result - result of a message */
struct pcidev_result {
	/** @written: bytes written to the guest's part of the buffer. */
	uint32_t written;
	/**
	 * @posted: the guest does not wait for this message, so it must be notified to reclaim the
	 * buffer.
	 */
	bool posted;
};

/** pcidev_handle() - execute a message of the command queue (linux/virtio_pcidev.h). */
struct pcidev_result pcidev_handle(struct function *function, const struct virtq_buffer *buffer);
/**
 * pcidev_send_msix() - write an MSI-X message to a buffer of the interrupt queue. Return: its
 * length; 0 if it does not fit.
 */
uint32_t pcidev_send_msix(const struct virtq_buffer *buffer, const struct msix_message *message);

#endif /* FAA_VPCI_PCIDEV_H */
