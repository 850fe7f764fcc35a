// SPDX-License-Identifier: Apache-2.0
#include "pcidev.h"

#include <inttypes.h>
#include <linux/virtio_pcidev.h>
#include <string.h>

#include "vpci.h"

#define CHUNK 256

static void pcidev_refuse(struct function *function, const struct virtio_pcidev_msg *msg,
			  const char *why)
{
	function->stats.bad_messages++;
	function_note(function, VPCI_BAD_MESSAGE, msg->op, msg->addr, msg->size, msg->bar);
	vpci_warn("message of the guest refused (operation %u, BAR %u, %u bytes at 0x%llx): %s",
		  msg->op, msg->bar, msg->size, msg->addr, why);
}

static bool pcidev_access_size_ok(const struct virtio_pcidev_msg *msg)
{
	return (msg->size == 1 || msg->size == 2 || msg->size == 4 || msg->size == 8) &&
	       msg->addr % msg->size == 0;
}

static uint32_t pcidev_config_read(struct function *function, const struct virtio_pcidev_msg *msg,
				   const struct virtq_buffer *buffer)
{
	uint64_t value;

	if (!pcidev_access_size_ok(msg) || msg->bar || buffer->in_len < msg->size) {
		pcidev_refuse(
			function, msg,
			"a configuration read has 1, 2, 4 or 8 aligned bytes and room for them");
		return 0;
	}
	value = function_config_read(function, msg->addr, msg->size);
	virtq_write(buffer, 0, &value, msg->size);
	return msg->size;
}

/*
 * Linux up to at least 6.12 sends memset_io() of a BAR as a configuration write with the number of
 * the BAR and the length of the area. It is rejected if it can be distinguished from a
 * configuration write.
 */
static void pcidev_config_write(struct function *function, const struct virtio_pcidev_msg *msg,
				const struct virtq_buffer *buffer)
{
	uint64_t value = 0;

	if (!pcidev_access_size_ok(msg) || msg->bar ||
	    !virtq_read(buffer, sizeof(*msg), &value, msg->size)) {
		pcidev_refuse(
			function, msg,
			"a configuration write has 1, 2, 4 or 8 aligned bytes (a memset_io() of the guest?)");
		return;
	}
	function_config_write(function, msg->addr, msg->size, value);
}

static uint32_t pcidev_mmio_read(struct function *function, const struct virtio_pcidev_msg *msg,
				 const struct virtq_buffer *buffer)
{
	uint8_t data[CHUNK];

	if (!msg->size || buffer->in_len < msg->size) {
		pcidev_refuse(function, msg,
			      "a BAR read needs room for the bytes that it asks for");
		return 0;
	}
	for (uint32_t done = 0; done < msg->size;) {
		uint32_t run = msg->size - done < CHUNK ? msg->size - done : CHUNK;

		function_bar_read(function, msg->bar, msg->addr + done, data, run);
		virtq_write(buffer, done, data, run);
		done += run;
	}
	return msg->size;
}

static void pcidev_mmio_write(struct function *function, const struct virtio_pcidev_msg *msg,
			      const struct virtq_buffer *buffer, bool fill)
{
	uint8_t data[CHUNK] = { 0 };

	if (!msg->size || buffer->out_len - sizeof(*msg) < (fill ? 1 : msg->size)) {
		pcidev_refuse(function, msg, "a BAR write carries the bytes that it writes");
		return;
	}
	if (fill) {
		virtq_read(buffer, sizeof(*msg), data, 1);
		memset(data, data[0], sizeof(data));
	}
	for (uint32_t done = 0; done < msg->size;) {
		uint32_t run = msg->size - done < CHUNK ? msg->size - done : CHUNK;

		if (!fill)
			virtq_read(buffer, sizeof(*msg) + done, data, run);
		if (!function_bar_write(function, msg->bar, msg->addr + done, data, run)) {
			function->stats.bad_messages++;
			return;
		}
		done += run;
	}
}

struct pcidev_result pcidev_handle(struct function *function, const struct virtq_buffer *buffer)
{
	/* A reader polls for its answer; everybody else must be told. */
	struct pcidev_result result = { .posted = buffer->in_len == 0 };
	struct virtio_pcidev_msg msg = { 0 };

	function->stats.messages++;
	if (!virtq_read(buffer, 0, &msg, sizeof(msg))) {
		pcidev_refuse(function, &msg, "it is shorter than its header of 16 bytes");
		return result;
	}
	switch (msg.op) {
	case VIRTIO_PCIDEV_OP_CFG_READ:
		result.written = pcidev_config_read(function, &msg, buffer);
		break;
	case VIRTIO_PCIDEV_OP_CFG_WRITE:
		pcidev_config_write(function, &msg, buffer);
		break;
	case VIRTIO_PCIDEV_OP_MMIO_READ:
		result.written = pcidev_mmio_read(function, &msg, buffer);
		break;
	case VIRTIO_PCIDEV_OP_MMIO_WRITE:
		pcidev_mmio_write(function, &msg, buffer, false);
		break;
	case VIRTIO_PCIDEV_OP_MMIO_MEMSET:
		pcidev_mmio_write(function, &msg, buffer, true);
		break;
	default:
		pcidev_refuse(function, &msg, "its operation is not known here");
		break;
	}
	return result;
}

uint32_t pcidev_send_msix(const struct virtq_buffer *buffer, const struct msix_message *message)
{
	const struct virtio_pcidev_msg msg = {
		.op = VIRTIO_PCIDEV_OP_MSI,
		.size = sizeof(message->data),
		.addr = message->addr,
	};

	if (!virtq_write(buffer, 0, &msg, sizeof(msg)) ||
	    !virtq_write(buffer, sizeof(msg), &message->data, sizeof(message->data)))
		return 0;
	return sizeof(msg) + sizeof(message->data);
}
