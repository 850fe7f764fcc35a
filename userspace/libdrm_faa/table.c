// SPDX-License-Identifier: MIT
#include "table.h"
#include "vm.h"

int faa_table_create(struct faa_table *table, struct faa_vm *vm, uint32_t words)
{
	void *memory;
	int ret;

	ret = faa_bo_create_exclusive(vm, (uint64_t)words * 4, 0, &table->bo);
	if (!ret)
		ret = faa_bo_map(table->bo, &memory);
	if (!ret)
		ret = faa_vm_map(vm, table->bo, 0, 0, FAA_MAP_READONLY, &table->va);
	if (ret)
		return ret;
	table->words = memory;
	table->vm = faa_vm_ref(vm);
	return 0;
}

void faa_table_destroy(struct faa_table *table)
{
	if (table->vm)
		faa_vm_drop(table->vm, table->va, faa_bo_size(table->bo));
	faa_bo_unref(table->bo);
	faa_vm_unref(table->vm);
}
