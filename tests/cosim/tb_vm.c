// SPDX-License-Identifier: MIT
/* Page tables of the test host. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "tb_host.h"

#define TOP_LEVEL 3
#define FIRST_VA  0x7a5400000000ULL

struct tb_vm *tb_vm_create(struct tb_host *host, unsigned int vmid)
{
	struct tb_vm *vm = calloc(1, sizeof(*vm));

	if (!vm)
		tb_die("no memory for a VM");
	vm->host = host;
	vm->vmid = vmid;
	vm->root = tb_dma_alloc(host, TB_PAGE, TB_READ);
	vm->next_va = FIRST_VA;
	return vm;
}

void tb_vm_destroy(struct tb_vm *vm)
{
	free(vm);
}

uint64_t *tb_vm_entry(struct tb_vm *vm, uint64_t va, int level)
{
	uint64_t table = vm->root;
	uint64_t *entry;

	for (int l = TOP_LEVEL;; l--) {
		entry = (uint64_t *)tb_ptr(vm->host, table) + (va >> (12 + 9 * l) & 511);
		if (l == level)
			return entry;
		if (!(le64toh(*entry) & FAA_PTE_VALID_MASK))
			*entry = htole64(tb_dma_alloc(vm->host, TB_PAGE, TB_READ) |
					 FAA_PTE_VALID_MASK);
		table = le64toh(*entry) & FAA_PTE_ADDRESS_MASK;
	}
}

void tb_vm_map(struct tb_vm *vm, uint64_t va, uint64_t dma, size_t bytes, uint64_t flags)
{
	for (size_t i = 0; i < bytes; i += TB_PAGE)
		*tb_vm_entry(vm, va + i, 0) =
			htole64((dma + i) | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK | flags);
}

void tb_vm_map_large(struct tb_vm *vm, uint64_t va, uint64_t dma, uint64_t flags)
{
	*tb_vm_entry(vm, va, 1) = htole64(dma | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK | flags);
}

void tb_vm_unmap(struct tb_vm *vm, uint64_t va, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += TB_PAGE)
		*tb_vm_entry(vm, va + i, 0) = 0;
}

bool tb_vm_invalidate(struct tb_vm *vm, uint64_t first, uint64_t last)
{
	struct tb_host *host = vm->host;

	tb_write(host, FAA_REG_TLB_INV_VMID, vm->vmid);
	tb_write64(host, FAA_REG_TLB_INV_START_LO, first);
	tb_write64(host, FAA_REG_TLB_INV_LAST_LO, last);
	tb_write(host, FAA_REG_TLB_INV_REQUEST, ++host->inv_number);
	return tb_wait_reg(host, FAA_REG_TLB_INV_DONE, ~0u, host->inv_number);
}

struct tb_buffer tb_buffer_create(struct tb_vm *vm, size_t bytes)
{
	struct tb_buffer buffer = { .bytes = bytes };
	size_t size = (bytes + TB_PAGE - 1) / TB_PAGE * TB_PAGE;

	buffer.dma = tb_dma_alloc(vm->host, size, TB_READ_WRITE);
	buffer.ptr = tb_ptr(vm->host, buffer.dma);
	buffer.va = vm->next_va;
	vm->next_va += size + TB_PAGE;
	tb_vm_map(vm, buffer.va, buffer.dma, size, FAA_PTE_WRITABLE_MASK);
	return buffer;
}
