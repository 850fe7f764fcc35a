// SPDX-License-Identifier: Apache-2.0
#include "bridge.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "log.h"
#include "simtime.h"

/* More lines of one kind than this tell nothing new. */
#define DMA_ERROR_LINES 20

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

static uint64_t bridge_first_bytes(const void *data, size_t len)
{
	uint64_t value = 0;

	memcpy(&value, data, len < sizeof(value) ? len : sizeof(value));
	return value;
}

static const char *bridge_why_refused(const struct bridge *bridge)
{
	return pci_bus_master(&bridge->pci) ? "is not in the guest's memory" :
					      "while bus master is off";
}

static int bridge_dma_refused(struct bridge *bridge, const char *what, const char *why,
			      uint64_t addr, size_t len)
{
	bridge_note(bridge, REC_DMA_ERROR, 0, addr, (uint32_t)len, 0);
	bridge->stats.dma_errors++;
	if (bridge->stats.dma_errors <= DMA_ERROR_LINES)
		vdev_warn("DMA %s of %zu bytes at 0x%" PRIx64 " %s: answered with a bus error%s",
			  what, len, addr, why,
			  bridge->stats.dma_errors == DMA_ERROR_LINES ?
				  "; further ones are not shown" :
				  "");
	return -EFAULT;
}

static int bridge_host_dma_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct bridge *bridge = ctx;

	if (!pci_bus_master(&bridge->pci) || guest_mem_read(bridge->mem, addr, buf, len))
		return bridge_dma_refused(bridge, "read", bridge_why_refused(bridge), addr, len);
	bridge_note(bridge, REC_DMA_READ, 0, addr, (uint32_t)len, bridge_first_bytes(buf, len));
	return 0;
}

static int bridge_host_dma_write(void *ctx, uint64_t addr, const void *buf, size_t len,
				 uint64_t strb)
{
	struct bridge *bridge = ctx;

	if (!pci_bus_master(&bridge->pci) || guest_mem_write(bridge->mem, addr, buf, len, strb))
		return bridge_dma_refused(bridge, "write", bridge_why_refused(bridge), addr, len);
	bridge_note(bridge, REC_DMA_WRITE, 0, addr, (uint32_t)len, bridge_first_bytes(buf, len));
	return 0;
}

static int bridge_host_dma_cas(void *ctx, uint64_t addr, unsigned int size, uint64_t *expected,
			       uint64_t desired)
{
	static const char what[] = "compare and swap";
	struct bridge *bridge = ctx;

	if (pci_bus_master(&bridge->pci) && !pci_atomic_requester(&bridge->pci))
		return bridge_dma_refused(bridge, what, "while AtomicOps are off", addr, size);
	if (!pci_bus_master(&bridge->pci) ||
	    guest_mem_cas(bridge->mem, addr, size, expected, desired))
		return bridge_dma_refused(bridge, what, bridge_why_refused(bridge), addr, size);
	bridge_note(bridge, REC_DMA_CAS, 0, addr, size, *expected);
	return 0;
}

static void bridge_host_msix(void *ctx, unsigned int vector)
{
	struct bridge *bridge = ctx;

	bridge->stats.irqs_requested++;
	if (vector >= FAA_PCI_VECTORS || !pci_msix_enabled(&bridge->pci) ||
	    faults_hit(&bridge->faults, FAULT_LOSE_IRQ)) {
		bridge_note(bridge, REC_IRQ_DROPPED, vector, 0, 0, 0);
		if (vector >= FAA_PCI_VECTORS)
			vdev_warn("the engine requested vector %u, 0..%d exist: dropped", vector,
				  FAA_PCI_VECTORS - 1);
		return;
	}
	bridge_note(bridge, REC_IRQ_REQUEST, vector, 0, 0, 0);
	msix_request(&bridge->msix, vector);
	if (bridge->time)
		simtime_hold(bridge->time, vector);
	bridge_deliver(bridge);
}

static bool bridge_host_dma_stopped(void *ctx)
{
	const struct bridge *bridge = ctx;

	return bridge->faults.axi_stopped;
}

void bridge_deliver(struct bridge *bridge)
{
	struct msix_message message;

	if (!bridge->msix.pending || !pci_msix_enabled(&bridge->pci) ||
	    pci_msix_masked(&bridge->pci) || !pci_bus_master(&bridge->pci))
		return;
	while (msix_peek(&bridge->msix, &message) >= 0 && bridge->send(bridge->ctx, &message)) {
		msix_sent(&bridge->msix, message.vector);
		bridge->stats.irqs_sent++;
		bridge_note(bridge, REC_IRQ_SENT, message.vector, message.addr, 4, message.data);
	}
}

int bridge_reset(struct bridge *bridge)
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

	bridge_fini(bridge);
	faults_reset(&bridge->faults);
	pci_init(&bridge->pci);
	if (!bridge->config.no_atomic_ops)
		pci_set_atomic_requester(&bridge->pci);
	if (bridge->config.vectors)
		pci_set_vectors(&bridge->pci, bridge->config.vectors);
	msix_init(&bridge->msix);
	recorder_add(bridge->recorder, REC_RESET, 0, 0, 0, 0, 0);
	errno = 0;
	bridge->engine = bridge->config.engine->create(&config);
	if (!bridge->engine)
		return errno ? -errno : -ENODEV;
	units_reset(&bridge->units, bridge->config.record_units, bridge->config.engine,
		    bridge->engine);
	return 0;
}

int bridge_init(struct bridge *bridge, const struct vdev_config *config,
		const struct guest_mem *mem,
		bool (*send)(void *ctx, const struct msix_message *message), void *ctx)
{
	int err;

	memset(bridge, 0, sizeof(*bridge));
	bridge->config = *config;
	bridge->faults = config->faults;
	bridge->mem = mem;
	bridge->send = send;
	bridge->ctx = ctx;
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
	err = bridge_reset(bridge);
	if (err)
		recorder_destroy(bridge->recorder);
	return err;
}

void bridge_fini(struct bridge *bridge)
{
	if (bridge->engine)
		bridge->config.engine->destroy(bridge->engine);
	bridge->engine = NULL;
	bridge->work = false;
}

uint64_t bridge_config_read(struct bridge *bridge, uint64_t addr, unsigned int size)
{
	uint64_t value = pci_read(&bridge->pci, addr, size);

	bridge_note(bridge, REC_CONFIG_READ, 0, addr, size, value);
	return value;
}

/* Resets the function because of an access to configuration space. */
static void bridge_reset_function(struct bridge *bridge, const char *why)
{
	vdev_debug("%s", why);
	if (bridge_reset(bridge))
		vdev_warn("no engine after the %s: registers read as all-ones", why);
}

void bridge_config_write(struct bridge *bridge, uint64_t addr, unsigned int size, uint64_t value)
{
	bool slept = !pci_in_d0(&bridge->pci);

	bridge_note(bridge, REC_CONFIG_WRITE, 0, addr, size, value);
	if (pci_write(&bridge->pci, addr, size, value)) {
		if (!faults_hit(&bridge->faults, FAULT_IGNORE_FLR))
			bridge_reset_function(bridge, "function-level reset");
	} else if (slept && pci_in_d0(&bridge->pci) &&
		   faults_hit(&bridge->faults, FAULT_LOSE_POWER)) {
		bridge_reset_function(bridge, "loss of power");
	}
	/* MSI-X may have been switched on, or unmasked, or may send again. */
	bridge_deliver(bridge);
}

static uint32_t bridge_bar_size(unsigned int bar)
{
	if (bar == FAA_PCI_BAR_REGS)
		return FAA_PCI_BAR_REGS_SIZE;
	return bar == FAA_PCI_BAR_MSIX ? FAA_PCI_BAR_MSIX_SIZE : 0;
}

static bool bridge_bar_answers(const struct bridge *bridge, unsigned int bar, uint64_t addr,
			       size_t len)
{
	uint32_t size = bridge_bar_size(bar);

	return bridge->engine && pci_memory_enabled(&bridge->pci) && addr < size &&
	       len <= size - addr;
}

static uint32_t bridge_read_word(struct bridge *bridge, unsigned int bar, uint32_t offset)
{
	if (bar == FAA_PCI_BAR_MSIX)
		return msix_read(&bridge->msix, offset);
	if (bridge->faults.read_ones)
		return UINT32_MAX;
	/* The RTL runs its clock until it answers, and may start other work meanwhile. */
	bridge->work = true;
	return bridge->config.engine->mmio_read(bridge->engine, offset);
}

void bridge_bar_read(struct bridge *bridge, unsigned int bar, uint64_t addr, uint8_t *data,
		     size_t len)
{
	memset(data, 0xff, len);
	if (bridge_bar_answers(bridge, bar, addr, len)) {
		for (size_t done = 0; done < len;) {
			uint32_t word =
				bridge_read_word(bridge, bar, (uint32_t)(addr + done) & ~3u);
			size_t skip = (addr + done) & 3;
			size_t run = 4 - skip < len - done ? 4 - skip : len - done;

			memcpy(data + done, (uint8_t *)&word + skip, run);
			done += run;
		}
	} else {
		vdev_debug("read of %zu bytes at 0x%" PRIx64 " of BAR %u: nothing answers", len,
			   addr, bar);
	}
	bridge_note(bridge, REC_MMIO_READ, bar, addr, (uint32_t)len, bridge_first_bytes(data, len));
}

bool bridge_bar_write(struct bridge *bridge, unsigned int bar, uint64_t addr, const uint8_t *data,
		      size_t len)
{
	bridge_note(bridge, REC_MMIO_WRITE, bar, addr, (uint32_t)len,
		    bridge_first_bytes(data, len));
	if (!bridge_bar_answers(bridge, bar, addr, len)) {
		vdev_debug("write of %zu bytes at 0x%" PRIx64 " of BAR %u: nothing there", len,
			   addr, bar);
		return true;
	}
	if (addr % 4 || len % 4) {
		vdev_warn("write of %zu bytes at 0x%" PRIx64
			  " of BAR %u dropped: registers take whole 32-bit words",
			  len, addr, bar);
		return false;
	}
	for (size_t done = 0; done < len; done += 4) {
		uint32_t offset = (uint32_t)(addr + done);
		uint32_t word;

		memcpy(&word, data + done, sizeof(word));
		if (bar == FAA_PCI_BAR_MSIX)
			msix_write(&bridge->msix, offset, word);
		else if (faults_register_write(&bridge->faults, offset, &word))
			bridge->config.engine->mmio_write(bridge->engine, offset, word);
	}
	if (bar == FAA_PCI_BAR_MSIX)
		bridge_deliver(bridge);
	else
		bridge->work = true;
	return true;
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
