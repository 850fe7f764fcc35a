// SPDX-License-Identifier: Apache-2.0
#include "bridge.h"

#include <errno.h>
#include <string.h>

#include "faa_pci.h"
#include "simtime.h"

uint64_t bridge_cycle(const struct bridge *bridge)
{
	return bridge->engine ? bridge->config.engine->cycle(bridge->engine) : 0;
}

void bridge_note(struct bridge *bridge, enum recorder_kind kind, unsigned int unit, uint64_t addr,
		 uint32_t len, uint64_t value)
{
	uint64_t cycle = bridge_cycle(bridge);

	recorder_add(bridge->recorder, kind, cycle, unit, addr, len, value);
	if (bridge->time)
		events_add(&bridge->events, &(struct event){ .time_ns = bridge->time->link.now,
							     .cycle = cycle,
							     .addr = addr,
							     .value = value,
							     .len = len,
							     .unit = unit,
							     .kind = kind });
}

static void bridge_event(void *ctx, const struct vpci_event *event)
{
	static const enum recorder_kind kinds[] = {
		[VPCI_CONFIG_READ] = REC_CONFIG_READ, [VPCI_CONFIG_WRITE] = REC_CONFIG_WRITE,
		[VPCI_BAR_READ] = REC_MMIO_READ,      [VPCI_BAR_WRITE] = REC_MMIO_WRITE,
		[VPCI_DMA_READ] = REC_DMA_READ,	      [VPCI_DMA_WRITE] = REC_DMA_WRITE,
		[VPCI_DMA_ATOMIC] = REC_DMA_CAS,      [VPCI_DMA_ERROR] = REC_DMA_ERROR,
		[VPCI_IRQ_REQUEST] = REC_IRQ_REQUEST, [VPCI_IRQ_SENT] = REC_IRQ_SENT,
		[VPCI_IRQ_DROPPED] = REC_IRQ_DROPPED, [VPCI_BAD_MESSAGE] = REC_BAD_MESSAGE,
	};

	bridge_note(ctx, kinds[event->kind], event->unit, event->addr, event->len, event->value);
}

static int bridge_host_dma_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct bridge *bridge = ctx;

	return vpci_dma_read(bridge->vpci, addr, buf, len) ? -EFAULT : 0;
}

static int bridge_host_dma_write(void *ctx, uint64_t addr, const void *buf, size_t len,
				 uint64_t strb)
{
	struct bridge *bridge = ctx;

	return vpci_dma_write_bytes(bridge->vpci, addr, buf, len, strb) ? -EFAULT : 0;
}

static int bridge_host_dma_cas(void *ctx, uint64_t addr, unsigned int size, uint64_t *expected,
			       uint64_t desired)
{
	struct bridge *bridge = ctx;

	return vpci_dma_cas(bridge->vpci, addr, size, expected, desired) ? -EFAULT : 0;
}

static void bridge_host_msix(void *ctx, unsigned int vector)
{
	struct bridge *bridge = ctx;
	bool sent = vpci_msix_enabled(bridge->vpci) && vector < bridge->vectors;

	if (sent && faults_hit(&bridge->faults, FAULT_LOSE_IRQ)) {
		bridge_note(bridge, REC_IRQ_DROPPED, vector, 0, 0, 0);
		return;
	}
	if (sent && bridge->time)
		simtime_hold(bridge->time, vector);
	vpci_raise(bridge->vpci, vector);
}

static bool bridge_host_dma_stopped(void *ctx)
{
	const struct bridge *bridge = ctx;

	return bridge->faults.axi_stopped;
}

static void bridge_destroy_engine(struct bridge *bridge)
{
	if (bridge->engine)
		bridge->config.engine->destroy(bridge->engine);
	bridge->engine = NULL;
	bridge->work = false;
}

/* Brings the engine to its state after power-on. */
static int bridge_reset_engine(struct bridge *bridge)
{
	const struct faa_engine_config config = {
		.ops = &bridge->host,
		.ctx = bridge,
		.mem = bridge->config.mem,
		.trace_cycles = bridge->config.trace_cycles,
		.trace_from = bridge->config.trace_from,
		.trace_to = bridge->config.trace_to,
		.num_cus = bridge->config.num_cus,
		.defect = bridge->config.defect,
	};

	bridge_destroy_engine(bridge);
	faults_reset(&bridge->faults);
	recorder_add(bridge->recorder, REC_RESET, 0, 0, 0, 0, 0);
	errno = 0;
	bridge->engine = bridge->config.engine->create(&config);
	if (!bridge->engine)
		return errno ? -errno : -ENODEV;
	units_reset(&bridge->units, bridge->config.record_units, bridge->config.engine,
		    bridge->engine);
	return 0;
}

static int bridge_reset(void *ctx, enum vpci_reset cause)
{
	struct bridge *bridge = ctx;
	const char *name = cause == VPCI_RESET_FLR ? "function-level reset" : "loss of power";

	if (cause == VPCI_RESET_POWER)
		return bridge_reset_engine(bridge);
	if (cause == VPCI_RESET_FLR && faults_hit(&bridge->faults, FAULT_IGNORE_FLR))
		return -ECANCELED;
	if (cause == VPCI_RESET_D0 && !faults_hit(&bridge->faults, FAULT_LOSE_POWER))
		return -ECANCELED;
	if (bridge_reset_engine(bridge))
		vpci_warn("no engine after the %s: registers read as all-ones", name);
	return 0;
}

static uint32_t bridge_read(void *ctx, unsigned int bar, uint64_t offset)
{
	struct bridge *bridge = ctx;

	if (!bridge->engine)
		return UINT32_MAX;
	if (bar != FAA_PCI_BAR_REGS)
		return 0;
	if (bridge->faults.read_ones)
		return UINT32_MAX;
	/* The RTL runs its clock until it answers, and may start other work meanwhile. */
	bridge->work = true;
	return bridge->config.engine->mmio_read(bridge->engine, (uint32_t)offset);
}

static void bridge_write(void *ctx, unsigned int bar, uint64_t offset, uint32_t value,
			 unsigned int bytes)
{
	struct bridge *bridge = ctx;

	(void)bytes;
	if (!bridge->engine || bar != FAA_PCI_BAR_REGS)
		return;
	bridge->work = true;
	if (faults_register_write(&bridge->faults, (uint32_t)offset, &value))
		bridge->config.engine->mmio_write(bridge->engine, (uint32_t)offset, value);
}

static int bridge_create_function(struct bridge *bridge)
{
	static const struct vpci_ops ops = {
		.read = bridge_read,
		.write = bridge_write,
		.reset = bridge_reset,
		.event = bridge_event,
	};
	const struct vpci_config config = {
		.vendor = FAA_PCI_VENDOR_ID,
		.device = FAA_PCI_DEVICE_ID,
		.subsystem_vendor = FAA_PCI_VENDOR_ID,
		.subsystem = FAA_PCI_DEVICE_ID,
		.class_code = FAA_PCI_CLASS,
		.revision = FAA_PCI_REVISION,
		.flags = VPCI_PM | VPCI_FLR | VPCI_ATOMIC_OPS |
			 (bridge->config.no_atomic_ops ? 0 : VPCI_ATOMIC_ROUTE),
		.bar[FAA_PCI_BAR_REGS] = { FAA_PCI_BAR_REGS_SIZE, VPCI_BAR_64 | VPCI_BAR_WORDS },
		.bar[FAA_PCI_BAR_MSIX] = { FAA_PCI_BAR_MSIX_SIZE, VPCI_BAR_64 | VPCI_BAR_WORDS },
		.vectors = bridge->vectors,
		.msix_bar = FAA_PCI_BAR_MSIX,
		.msix_table = FAA_PCI_MSIX_TABLE,
		.msix_pba = FAA_PCI_MSIX_PBA,
	};

	bridge->vpci = vpci_create(&config, &ops, bridge);
	return bridge->vpci ? 0 : -errno;
}

int bridge_init(struct bridge *bridge, const struct vdev_config *config)
{
	int err;

	memset(bridge, 0, sizeof(*bridge));
	bridge->config = *config;
	bridge->faults = config->faults;
	bridge->vectors = config->vectors ? config->vectors : FAA_PCI_VECTORS;
	events_init(&bridge->events);
	bridge->host = (struct faa_host_ops){
		.dma_read = bridge_host_dma_read,
		.dma_write = bridge_host_dma_write,
		.msix = bridge_host_msix,
		.dma_cas = bridge_host_dma_cas,
		.dma_stopped = bridge_host_dma_stopped,
	};
	bridge->recorder = recorder_create(config->recorder_events);
	if (!bridge->recorder)
		return -ENOMEM;
	if (config->record_units)
		recorder_make_exact(bridge->recorder);
	err = bridge_create_function(bridge);
	if (!err)
		err = bridge_reset_engine(bridge);
	if (err)
		bridge_fini(bridge);
	return err;
}

void bridge_fini(struct bridge *bridge)
{
	vpci_destroy(bridge->vpci);
	bridge_destroy_engine(bridge);
	recorder_destroy(bridge->recorder);
}

bool bridge_step(struct bridge *bridge, uint64_t cycles)
{
	const struct faa_engine_ops *engine = bridge->config.engine;

	while (bridge->work && cycles) {
		uint64_t step = bridge->units.count && cycles > UNITS_PERIOD ? UNITS_PERIOD :
									       cycles;

		bridge->work = engine->step(bridge->engine, step);
		cycles -= step;
		if (bridge->units.count)
			units_look(&bridge->units, engine, bridge->engine, bridge->recorder);
	}
	return bridge->work;
}
