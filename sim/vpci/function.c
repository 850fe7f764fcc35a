// SPDX-License-Identifier: Apache-2.0
#include "function.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void function_note(struct function *function, enum vpci_event_kind kind, unsigned int unit,
		   uint64_t addr, uint32_t len, uint64_t value)
{
	if (function->ops->event)
		function->ops->event(function->ctx, &(struct vpci_event){ .kind = kind,
									  .unit = unit,
									  .addr = addr,
									  .len = len,
									  .value = value });
}

uint64_t function_first_bytes(const void *data, size_t len)
{
	uint64_t value = 0;

	memcpy(&value, data, len < sizeof(value) ? len : sizeof(value));
	return value;
}

int function_reset(struct function *function, enum vpci_reset cause)
{
	int err = 0;

	if (function->ops->reset)
		err = function->ops->reset(function->ctx, cause);
	else if (cause == VPCI_RESET_D0)
		err = -EOPNOTSUPP;
	if (err)
		return err;
	pci_init(&function->pci, &function->config);
	msix_init(&function->msix, &function->config);
	return 0;
}

uint64_t function_config_read(struct function *function, uint64_t addr, unsigned int size)
{
	uint64_t value = pci_read(&function->pci, addr, size);

	function_note(function, VPCI_CONFIG_READ, 0, addr, size, value);
	return value;
}

void function_config_write(struct function *function, uint64_t addr, unsigned int size,
			   uint64_t value)
{
	bool slept = !pci_in_d0(&function->pci);

	function_note(function, VPCI_CONFIG_WRITE, 0, addr, size, value);
	if (pci_write(&function->pci, addr, size, value)) {
		vpci_debug("function-level reset");
		function_reset(function, VPCI_RESET_FLR);
	} else if (slept && pci_in_d0(&function->pci)) {
		function_reset(function, VPCI_RESET_D0);
	}
	/* MSI-X may have been switched on, or unmasked, or may send again. */
	function_deliver(function);
}

static bool function_bar_answers(const struct function *function, unsigned int bar, uint64_t addr,
				 size_t len)
{
	uint32_t size = bar < VPCI_BARS ? function->config.bar[bar].size : 0;

	return pci_memory_enabled(&function->pci) && addr < size && len <= size - addr;
}

static bool function_is_msix(const struct function *function, unsigned int bar, uint64_t offset)
{
	return function->config.vectors && bar == function->config.msix_bar &&
	       msix_has(&function->msix, offset);
}

static uint32_t function_read_word(struct function *function, unsigned int bar, uint64_t offset)
{
	if (function_is_msix(function, bar, offset))
		return msix_read(&function->msix, (uint32_t)offset);
	return function->ops->read ? function->ops->read(function->ctx, bar, offset) : 0;
}

void function_bar_read(struct function *function, unsigned int bar, uint64_t addr, uint8_t *data,
		       size_t len)
{
	memset(data, 0xff, len);
	if (function_bar_answers(function, bar, addr, len)) {
		for (size_t done = 0; done < len;) {
			uint32_t word = function_read_word(function, bar, (addr + done) & ~3ull);
			size_t skip = (addr + done) & 3;
			size_t run = 4 - skip < len - done ? 4 - skip : len - done;

			memcpy(data + done, (uint8_t *)&word + skip, run);
			done += run;
		}
	} else {
		vpci_debug("read of %zu bytes at 0x%" PRIx64 " of BAR %u: nothing answers", len,
			   addr, bar);
	}
	function_note(function, VPCI_BAR_READ, bar, addr, (uint32_t)len,
		      function_first_bytes(data, len));
}

/* Writes the bytes of @word with a bit in @bytes. Return: whether it is one of MSI-X. */
static bool function_write_word(struct function *function, unsigned int bar, uint64_t offset,
				uint32_t word, unsigned int bytes)
{
	if (function_is_msix(function, bar, offset)) {
		msix_write(&function->msix, (uint32_t)offset, word);
		return true;
	}
	if (function->ops->write)
		function->ops->write(function->ctx, bar, offset, word, bytes);
	return false;
}

/* Whether a write may have parts of words: MSI-X never takes them. */
static bool function_takes_parts(const struct function *function, unsigned int bar, uint64_t addr,
				 size_t len)
{
	if (function->config.bar[bar].flags & VPCI_BAR_WORDS)
		return false;
	return !function_is_msix(function, bar, addr & ~3ull) &&
	       !function_is_msix(function, bar, (addr + len - 1) & ~3ull);
}

bool function_bar_write(struct function *function, unsigned int bar, uint64_t addr,
			const uint8_t *data, size_t len)
{
	bool msix = false;

	function_note(function, VPCI_BAR_WRITE, bar, addr, (uint32_t)len,
		      function_first_bytes(data, len));
	if (!function_bar_answers(function, bar, addr, len)) {
		vpci_debug("write of %zu bytes at 0x%" PRIx64 " of BAR %u: nothing there", len,
			   addr, bar);
		return true;
	}
	if ((addr % 4 || len % 4) && !function_takes_parts(function, bar, addr, len)) {
		vpci_warn("write of %zu bytes at 0x%" PRIx64
			  " of BAR %u dropped: registers take whole 32-bit words",
			  len, addr, bar);
		return false;
	}
	for (size_t done = 0; done < len;) {
		size_t skip = (addr + done) & 3;
		size_t run = 4 - skip < len - done ? 4 - skip : len - done;
		uint32_t word = 0;

		memcpy((uint8_t *)&word + skip, data + done, run);
		msix |= function_write_word(function, bar, (addr + done) & ~3ull, word,
					    ((1u << run) - 1) << skip);
		done += run;
	}
	if (msix)
		function_deliver(function);
	return true;
}

int function_raise(struct function *function, unsigned int vector)
{
	bool exists = vector < function->config.vectors;

	function->stats.irqs_requested++;
	if (!exists || !pci_msix_enabled(&function->pci)) {
		function_note(function, VPCI_IRQ_DROPPED, vector, 0, 0, 0);
		if (!exists)
			vpci_warn("the device requested vector %u of %u: dropped", vector,
				  function->config.vectors);
		return exists ? -EACCES : -ENXIO;
	}
	function_note(function, VPCI_IRQ_REQUEST, vector, 0, 0, 0);
	msix_request(&function->msix, vector);
	function_deliver(function);
	return 0;
}

void function_deliver(struct function *function)
{
	struct msix_message message;

	if (!function->msix.pending || !pci_msix_enabled(&function->pci) ||
	    pci_msix_masked(&function->pci) || !pci_bus_master(&function->pci))
		return;
	while (msix_peek(&function->msix, &message) >= 0 &&
	       function->send(function->transport, &message)) {
		msix_sent(&function->msix, message.vector);
		function->stats.irqs_sent++;
		function_note(function, VPCI_IRQ_SENT, message.vector, message.addr, 4,
			      message.data);
	}
}
