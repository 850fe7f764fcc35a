// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: The format of a dump
 *
 * Writes what faa_dump_state.c has taken, and what belongs to it in memory: status records,
 * commands around each position, the page-table entries and mappings of the addresses that
 * matter. Memory is read when the dump is written, so later than the registers; it is what the
 * client maps at that time.
 *
 * Not in the fence signalling path: the lock of page tables is taken, and names of objects are
 * protected by a lock under which memory is allocated.
 */

#include <linux/highmem.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/utsname.h>

#include <drm/drm_gem_shmem_helper.h>

#include "faa_device.h"
#include "faa_dma.h"
#include "faa_dump.h"
#include "faa_gem.h"
#include "faa_pt.h"
#include "faa_userptr.h"
#include "faa_vm.h"

#define FAA_DUMP_ALIGN	8
/* That of an address, or those beside it. */
#define FAA_DUMP_NEAR	2

/**
 * struct dumpfile - a dump that is being written
 */
struct dumpfile {
	/** @state: what it is of. */
	const struct faa_dump_state *state;
	/** @buffer: FAA_DUMP_MAX_BYTES, zeroed. */
	u8 *buffer;
	/** @size: bytes that are written. */
	size_t size;
};

/*
 * Begin a section with room for at most @bytes. Returns where the content goes; NULL if the dump is
 * full, which its sections cannot make it.
 */
static void *dumpfile_section(struct dumpfile *writer, struct faa_dump_section **section, u32 kind,
			      u32 index, u64 address, size_t bytes)
{
	if (WARN_ON_ONCE(writer->size + sizeof(**section) + ALIGN(bytes, FAA_DUMP_ALIGN) >
			 FAA_DUMP_MAX_BYTES))
		return NULL;
	*section = (struct faa_dump_section *)(writer->buffer + writer->size);
	**section = (struct faa_dump_section){
		.kind = cpu_to_le32(kind),
		.index = cpu_to_le32(index),
		.address = cpu_to_le64(address),
		.bytes = cpu_to_le32(bytes),
	};
	writer->size += sizeof(**section) + ALIGN(bytes, FAA_DUMP_ALIGN);

	return *section + 1;
}

/* A section whose content is there. Empty ones are left out. */
static void dumpfile_copy(struct dumpfile *writer, u32 kind, u32 index, u64 address,
			  const void *data, size_t bytes)
{
	struct faa_dump_section *section;
	void *to = bytes ? dumpfile_section(writer, &section, kind, index, address, bytes) : NULL;

	if (to)
		memcpy(to, data, bytes);
}

static void dumpfile_header(struct dumpfile *writer)
{
	const struct faa_dump_state *state = writer->state;
	struct faa_dump_header *header = (struct faa_dump_header *)writer->buffer;

	*header = (struct faa_dump_header){
		.magic = cpu_to_le64(FAA_DUMP_MAGIC),
		.version = cpu_to_le32(FAA_DUMP_VERSION),
		.bytes = cpu_to_le32(sizeof(*header)),
		.reason = cpu_to_le32(state->reason),
		.flags = cpu_to_le32((state->addresses ? 0 : FAA_DUMP_NO_ADDRESSES) |
				     (state->answers ? 0 : FAA_DUMP_NO_REGISTERS)),
		.time_ns = cpu_to_le64(ktime_to_ns(state->time)),
		.cycle = cpu_to_le64(state->cycle),
		.pid = cpu_to_le32(state->queue->owner.pid),
	};
	strscpy(header->comm, state->queue->owner.comm, sizeof(header->comm));
	strscpy(header->kernel, init_utsname()->release, sizeof(header->kernel));
	writer->size = sizeof(*header);
}

/* The record of a job; NULL if the slot is another one's. */
static const struct faa_status *dumpfile_record(const struct faa_queue *queue, u64 seqno)
{
	const struct faa_status *slot;

	slot = &queue->status.slots[faa_status_slot(seqno, queue->status.entries)];

	return le64_to_cpu(READ_ONCE(slot->seqno)) == seqno ? slot : NULL;
}

/* The last records, those of the jobs that the stop has ended included. */
static void dumpfile_records(struct dumpfile *writer)
{
	struct faa_queue *queue = writer->state->queue;
	struct faa_dump_section *section;
	const struct faa_status *record;
	u64 first, last, seqno;
	struct faa_status *to;

	spin_lock(&queue->lock);
	last = queue->progress.ended;
	spin_unlock(&queue->lock);
	first = last - min_t(u64, last, FAA_DUMP_MAX_RECORDS) + 1;
	to = last ? dumpfile_section(writer, &section, FAA_DUMP_RECORDS, 0, first,
				     (last - first + 1) * sizeof(*to)) : NULL;
	for (seqno = first; to && seqno <= last; seqno++, to++) {
		record = dumpfile_record(queue, seqno);
		if (record)
			*to = *record;
	}
}

/* The page at an address of a mapping. The VM's pt_lock is held. */
static int dumpfile_page(struct drm_gpuva *va, u64 address, struct page **page)
{
	struct faa_userptr *userptr = to_faa_va(va)->userptr;
	u64 index;

	*page = NULL;
	if (userptr) {
		index = (address - userptr->va) >> PAGE_SHIFT;
		if (!userptr->pages || index >= userptr->count || !userptr->pages[index].page)
			return -EFAULT;
		*page = userptr->pages[index].page;
	} else if (va->gem.obj) {
		/* Pages of other drivers are theirs alone. */
		if (va->gem.obj->import_attach)
			return -EOPNOTSUPP;
		index = (address - va->va.addr + va->gem.offset) >> PAGE_SHIFT;
		if (!to_drm_gem_shmem_obj(va->gem.obj)->pages)
			return -ENODATA;
		*page = to_drm_gem_shmem_obj(va->gem.obj)->pages[index];
	}

	return 0;
}

/* Memory as the device sees it. The VM's pt_lock is held. Returns 0 or a negative errno. */
static int dumpfile_read(struct faa_vm *vm, u64 address, void *to, size_t bytes)
{
	while (bytes) {
		size_t length = min_t(size_t, bytes, PAGE_SIZE - offset_in_page(address));
		struct drm_gpuva *va = drm_gpuva_find_first(&vm->base, address, 1);
		struct page *page;
		int ret = va ? dumpfile_page(va, address, &page) : -EFAULT;

		if (ret)
			return ret;
		if (page)
			memcpy_from_page(to, page, offset_in_page(address), length);
		else
			memset(to, 0, length);
		address += length;
		to += length;
		bytes -= length;
	}

	return 0;
}

static void dumpfile_code(struct dumpfile *writer, const struct faa_dump_position *position, u32 pc)
{
	u32 bytes = le32_to_cpu(position->stream_bytes) & ~(sizeof(u64) - 1);
	u32 first = pc - min_t(u32, pc, FAA_DUMP_CODE_BEFORE);
	u32 last = min_t(u64, bytes, (u64)pc + FAA_DUMP_CODE_AFTER);
	u64 address = le64_to_cpu(position->stream_va) + first;
	struct faa_vm *vm = writer->state->vm;
	struct faa_dump_section *section;
	void *to;
	int ret;

	if (first >= last)
		return;
	to = dumpfile_section(writer, &section, FAA_DUMP_CODE, le32_to_cpu(position->slot), address,
			      last - first);
	if (!to)
		return;
	mutex_lock(&vm->pt_lock);
	ret = dumpfile_read(vm, address, to, last - first);
	mutex_unlock(&vm->pt_lock);
	if (ret) {
		/* The words before the hole are not those of the position. */
		memset(to, 0, last - first);
		writer->size -= ALIGN(last - first, FAA_DUMP_ALIGN);
		section->bytes = 0;
		section->error = cpu_to_le32(-ret);
	}
}

static void dumpfile_walk(struct dumpfile *writer, enum faa_dump_walk what, u64 address)
{
	struct faa_vm *vm = writer->state->vm;
	struct faa_dump_entry entries[FAA_PT_LEVELS] = {};
	u64 values[FAA_PT_LEVELS];
	unsigned int i, count;

	mutex_lock(&vm->pt_lock);
	count = faa_pt_walk(&vm->pt, address, values);
	mutex_unlock(&vm->pt_lock);
	for (i = 0; i < count; i++) {
		unsigned int level = FAA_PT_LEVELS - 1 - i;

		if (!writer->state->addresses)
			values[i] &= ~FAA_PTE_ADDRESS_MASK;
		entries[i] = (struct faa_dump_entry){
			.level = cpu_to_le32(level),
			.index = cpu_to_le32(faa_pt_index(address, level)),
			.entry = cpu_to_le64(values[i]),
		};
	}
	dumpfile_copy(writer, FAA_DUMP_WALK, what, address, entries, count * sizeof(entries[0]));
}

/* The mapping of an address, or those before and after it. The VM's pt_lock is held. */
static unsigned int dumpfile_find(struct faa_vm *vm, u64 address, struct drm_gpuva **found)
{
	struct drm_gpuva *va, *before = NULL;
	unsigned int count = 0;

	drm_gpuvm_for_each_va(va, &vm->base) {
		if (va->va.addr > address)
			break;
		before = va;
	}
	if (before)
		found[count++] = before;
	if (before && address - before->va.addr < before->va.range)
		return count;
	if (!list_entry_is_head(va, &vm->base.rb.list, rb.entry))
		found[count++] = va;

	return count;
}

static struct faa_dump_mapping dumpfile_mapping(struct drm_gpuva *va)
{
	const struct faa_userptr *userptr = to_faa_va(va)->userptr;
	struct faa_dump_mapping mapping = {
		.va = cpu_to_le64(va->va.addr),
		.bytes = cpu_to_le64(va->va.range),
		.offset = cpu_to_le64(va->gem.offset),
		.kind = cpu_to_le32(va->gem.obj ? FAA_DUMP_MAPPED_BO : FAA_DUMP_MAPPED_NULL),
	};

	if (userptr) {
		mapping.kind = cpu_to_le32(FAA_DUMP_MAPPED_USERPTR);
		mapping.offset = cpu_to_le64(userptr->start + (va->va.addr - userptr->va));
	}

	return mapping;
}

static void dumpfile_mappings(struct dumpfile *writer, enum faa_dump_walk what, u64 address)
{
	struct faa_vm *vm = writer->state->vm;
	struct faa_dump_mapping mappings[FAA_DUMP_NEAR];
	struct drm_gem_object *objects[FAA_DUMP_NEAR] = {};
	struct drm_gpuva *found[FAA_DUMP_NEAR];
	unsigned int i, count;

	mutex_lock(&vm->pt_lock);
	count = dumpfile_find(vm, address, found);
	for (i = 0; i < count; i++) {
		mappings[i] = dumpfile_mapping(found[i]);
		objects[i] = found[i]->gem.obj;
		if (objects[i])
			drm_gem_object_get(objects[i]);
	}
	mutex_unlock(&vm->pt_lock);

	for (i = 0; i < count; i++) {
		if (!objects[i])
			continue;
		faa_bo_get_label(to_faa_bo(objects[i]), mappings[i].label,
				 sizeof(mappings[i].label));
		drm_gem_object_put(objects[i]);
	}
	dumpfile_copy(writer, FAA_DUMP_MAPPINGS, what, address, mappings,
		      count * sizeof(mappings[0]));
}

static void dumpfile_address(struct dumpfile *writer, enum faa_dump_walk what, u64 address)
{
	dumpfile_walk(writer, what, address);
	dumpfile_mappings(writer, what, address);
}

/* A stream: where it was when it ran, or where its record says that it ended. */
static void dumpfile_position(struct dumpfile *writer, const struct faa_dump_position *position)
{
	u32 pc = le32_to_cpu(position->pc);
	const struct faa_status *record;
	u64 address;

	if (!position->seqno)
		return;
	record = dumpfile_record(writer->state->queue, le64_to_cpu(position->seqno));
	if (!position->running && record)
		pc = le32_to_cpu(READ_ONCE(record->command));
	address = le64_to_cpu(position->stream_va) + pc;
	dumpfile_copy(writer, FAA_DUMP_POSITION, le32_to_cpu(position->slot), address, position,
		      sizeof(*position));
	dumpfile_code(writer, position, pc);
	dumpfile_address(writer, FAA_DUMP_WALK_CODE, address);
}

/**
 * faa_dump_write() - write a dump
 * @state: what it is of
 * @buffer: FAA_DUMP_MAX_BYTES, all zero
 *
 * Return: its size.
 */
size_t faa_dump_write(const struct faa_dump_state *state, void *buffer)
{
	struct dumpfile writer = { .state = state, .buffer = buffer };
	unsigned int i;

	dumpfile_header(&writer);
	dumpfile_copy(&writer, FAA_DUMP_QUEUE, 0, 0, &state->info, sizeof(state->info));
	for (i = 0; i < state->num_positions; i++)
		dumpfile_position(&writer, &state->positions[i]);
	if (state->info.fault_seqno)
		dumpfile_address(&writer, FAA_DUMP_WALK_FAULT, le64_to_cpu(state->info.fault_va));
	dumpfile_records(&writer);
	dumpfile_copy(&writer, FAA_DUMP_RING, state->first_desc, 0, state->descs,
		      state->num_descs * sizeof(state->descs[0]));
	dumpfile_copy(&writer, FAA_DUMP_REGISTERS, 0, 0, state->registers,
		      state->num_registers * sizeof(state->registers[0]));
	((struct faa_dump_header *)buffer)->size = cpu_to_le64(writer.size);

	return writer.size;
}
