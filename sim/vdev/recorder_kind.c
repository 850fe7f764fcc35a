// SPDX-License-Identifier: Apache-2.0
/* Names of the events, which faa-vdev writes and faa-run --trace reads. */
#include "recorder.h"

static const char *const recorder_kind_names[REC_KINDS] = {
	[REC_CONFIG_READ] = "config read",
	[REC_CONFIG_WRITE] = "config write",
	[REC_MMIO_READ] = "mmio read",
	[REC_MMIO_WRITE] = "mmio write",
	[REC_DMA_READ] = "dma read",
	[REC_DMA_WRITE] = "dma write",
	[REC_DMA_CAS] = "dma cas",
	[REC_DMA_ERROR] = "dma error",
	[REC_IRQ_REQUEST] = "irq request",
	[REC_IRQ_SENT] = "irq sent",
	[REC_IRQ_DROPPED] = "irq dropped",
	[REC_BAD_MESSAGE] = "bad message",
	[REC_RESET] = "reset",
	[REC_UNIT] = "unit state",
};

const char *recorder_kind_name(enum recorder_kind kind)
{
	return recorder_kind_names[kind];
}
