// SPDX-License-Identifier: Apache-2.0
/* The accesses of a device to the guest's memory, with their checks. */
#include "function.h"

#include <errno.h>
#include <inttypes.h>

/* More lines of one kind than this tell nothing new. */
#define DMA_ERROR_LINES 20
/* Bytes of guest_mem_write(). */
#define DMA_BURST 64

static int dma_refused(struct function *function, const char *what, const char *why, int err,
		       uint64_t addr, size_t len)
{
	struct vpci_stats *stats = &function->stats;

	function_note(function, VPCI_DMA_ERROR, 0, addr, (uint32_t)len, 0);
	stats->dma_errors++;
	if (stats->dma_errors <= DMA_ERROR_LINES)
		vpci_warn("DMA %s of %zu bytes at 0x%" PRIx64 " %s: answered with a bus error%s",
			  what, len, addr, why,
			  stats->dma_errors == DMA_ERROR_LINES ? "; further ones are not shown" :
								 "");
	return err;
}

static int dma_outside(struct function *function, const char *what, uint64_t addr, size_t len)
{
	return dma_refused(function, what, "is not in the guest's memory", -EFAULT, addr, len);
}

static int dma_check(struct function *function, const char *what, uint64_t addr, size_t len)
{
	if (pci_bus_master(&function->pci))
		return 0;
	return dma_refused(function, what, "while bus master is off", -EACCES, addr, len);
}

int function_dma_read(struct function *function, uint64_t addr, void *buf, size_t len)
{
	int err = dma_check(function, "read", addr, len);

	if (err)
		return err;
	if (guest_mem_read(function->mem, addr, buf, len))
		return dma_outside(function, "read", addr, len);
	function_note(function, VPCI_DMA_READ, 0, addr, (uint32_t)len,
		      function_first_bytes(buf, len));
	return 0;
}

int function_dma_write_bytes(struct function *function, uint64_t addr, const void *buf, size_t len,
			     uint64_t bytes)
{
	int err = dma_check(function, "write", addr, len);

	if (err)
		return err;
	err = guest_mem_write(function->mem, addr, buf, len, bytes);
	if (err == -EINVAL)
		return err;
	if (err)
		return dma_outside(function, "write", addr, len);
	function_note(function, VPCI_DMA_WRITE, 0, addr, (uint32_t)len,
		      function_first_bytes(buf, len));
	return 0;
}

int function_dma_write(struct function *function, uint64_t addr, const void *buf, size_t len)
{
	const uint8_t *src = buf;
	int err = dma_check(function, "write", addr, len);

	if (err)
		return err;
	if (!guest_mem_covers(function->mem, addr, len))
		return dma_outside(function, "write", addr, len);
	for (size_t done = 0; done < len;) {
		size_t run = len - done < DMA_BURST ? len - done : DMA_BURST;

		guest_mem_write(function->mem, addr + done, src + done, run, ~0ull);
		done += run;
	}
	function_note(function, VPCI_DMA_WRITE, 0, addr, (uint32_t)len,
		      function_first_bytes(buf, len));
	return 0;
}

static int dma_check_atomic(struct function *function, const char *what, uint64_t addr,
			    unsigned int size)
{
	if (pci_bus_master(&function->pci) && !pci_atomic_requester(&function->pci))
		return dma_refused(function, what, "while AtomicOps are off", -EACCES, addr, size);
	return dma_check(function, what, addr, size);
}

int function_dma_cas(struct function *function, uint64_t addr, unsigned int size,
		     uint64_t *expected, uint64_t desired)
{
	static const char what[] = "compare and swap";
	int err = dma_check_atomic(function, what, addr, size);

	if (err)
		return err;
	if (guest_mem_cas(function->mem, addr, size, expected, desired))
		return dma_outside(function, what, addr, size);
	function_note(function, VPCI_DMA_ATOMIC, 0, addr, size, *expected);
	return 0;
}

int function_dma_update(struct function *function, uint64_t addr, unsigned int size, bool add,
			uint64_t value, uint64_t *old)
{
	const char *what = add ? "fetch and add" : "swap";
	int err = dma_check_atomic(function, what, addr, size);
	uint64_t seen = 0, expected;

	if (err)
		return err;
	do {
		expected = seen;
		if (guest_mem_cas(function->mem, addr, size, &seen, add ? expected + value : value))
			return dma_outside(function, what, addr, size);
	} while (seen != expected);
	function_note(function, VPCI_DMA_ATOMIC, 0, addr, size, seen);
	*old = seen;
	return 0;
}
