// SPDX-License-Identifier: MIT
/* A dump as text. */
#include "dump.h"

#include <endian.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <drm/faa_drm.h>

#include "faa.h"
#include "faa_isa.h"

#define NS_PER_S 1000000000ull
#define NONE	 (~0u)

typedef unsigned long long ull;

/* Programs have written names and labels, so these are escaped. */
static void show_print_text(const void *text, size_t room)
{
	const unsigned char *c = text;

	for (size_t i = 0; i < room && c[i]; i++) {
		if (c[i] < ' ' || c[i] == 0x7f)
			printf("\\x%02x", c[i]);
		else
			putchar(c[i]);
	}
}

static const char *show_reason_text(uint32_t reason)
{
	static const char *const texts[] = {
		[FAA_DUMP_DEMAND] = "on demand, the queue continues",
		[FAA_DUMP_TIMEOUT] = "stopped: its job took too long",
		[FAA_DUMP_FAULT] = "stopped: a bus error on its own memory",
		[FAA_DUMP_VICTIM] = "stopped: its compute unit was reset",
		[FAA_DUMP_LOST] = "stopped: the device was given up",
	};

	return reason < sizeof(texts) / sizeof(texts[0]) ? texts[reason] : "for an unknown reason";
}

static void show_header(const struct dump *dump)
{
	const struct faa_dump_header *header = &dump->header;
	uint64_t ns = le64toh(header->time_ns);
	time_t seconds = (time_t)(ns / NS_PER_S);
	char date[32] = "";
	struct tm parts;

	if (gmtime_r(&seconds, &parts))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &parts);
	printf("dump of a queue of ");
	show_print_text(header->comm, sizeof(header->comm));
	printf("[%u], %s\n", le32toh(header->pid), show_reason_text(le32toh(header->reason)));
	printf("%s.%06llu UTC, Linux ", date, (ull)(ns % NS_PER_S / 1000));
	show_print_text(header->kernel, sizeof(header->kernel));
	if (le64toh(header->cycle))
		printf(", device cycle %llu", (ull)le64toh(header->cycle));
	putchar('\n');
	if (le32toh(header->flags) & FAA_DUMP_NO_ADDRESSES)
		printf("without physical addresses: they need CAP_SYS_ADMIN\n");
	if (le32toh(header->flags) & FAA_DUMP_NO_REGISTERS)
		printf("without registers: the device did not answer\n");
}

static void show_state(uint32_t state)
{
	static const struct {
		uint32_t flag;
		const char *text;
	} flags[] = {
		{ DRM_FAA_QUEUE_STATE_DEAD, "dead" },
		{ DRM_FAA_QUEUE_STATE_TIMEDOUT, "timed out" },
		{ DRM_FAA_QUEUE_STATE_FAULT, "bus error" },
		{ DRM_FAA_QUEUE_STATE_RESET, "compute unit reset" },
		{ DRM_FAA_QUEUE_STATE_LOST, "device lost" },
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (state & flags[i].flag)
			printf(", %s", flags[i].text);
}

static void show_place(const struct faa_dump_queue *queue)
{
	static const char *const priorities[] = { "low", "normal", "high", "realtime" };
	uint32_t priority = le32toh(queue->priority);

	printf("queue %u (%u of its file)", le32toh(queue->number), le32toh(queue->id));
	if (le32toh(queue->hardware_queue) == NONE)
		printf(", without a hardware queue");
	else
		printf(", hardware queue %u", le32toh(queue->hardware_queue));
	if (le32toh(queue->cu) != NONE)
		printf(", on compute unit %u", le32toh(queue->cu));
	if (priority < sizeof(priorities) / sizeof(priorities[0]))
		printf(", priority %s", priorities[priority]);
	show_state(le32toh(queue->state));
	putchar('\n');
}

static void show_queue(const struct dump *dump)
{
	struct dump_section section;
	struct faa_dump_queue queue;

	if (!dump_find(dump, FAA_DUMP_QUEUE, 0, &section))
		return;
	dump_item(&section, 0, &queue, sizeof(queue));
	putchar('\n');
	show_place(&queue);
	printf("  %u bytes of shared memory, address space %u, %u resets\n",
	       le32toh(queue.shared_bytes), le32toh(queue.vm), le32toh(queue.resets));
	printf("  jobs: %llu submitted, up to %llu given to the device, up to %llu ended, %llu failed\n",
	       (ull)le64toh(queue.submitted), (ull)le64toh(queue.given), (ull)le64toh(queue.ended),
	       (ull)le64toh(queue.failed));
	if (le64toh(queue.fault_seqno))
		printf("  last page fault: 0x%llx, job %llu of queue %u of its file: %s\n",
		       (ull)le64toh(queue.fault_va), (ull)le64toh(queue.fault_seqno),
		       le32toh(queue.fault_queue), faa_error_text(le32toh(queue.fault_code)));
}

static void show_mapping(const struct faa_dump_mapping *mapping, uint64_t address)
{
	static const char *const kinds[] = {
		[0] = "something",
		[FAA_DUMP_MAPPED_BO] = "buffer object",
		[FAA_DUMP_MAPPED_USERPTR] = "memory of the process",
		[FAA_DUMP_MAPPED_NULL] = "zeros",
	};
	uint64_t va = le64toh(mapping->va), bytes = le64toh(mapping->bytes);
	uint32_t kind = le32toh(mapping->kind);

	printf("    0x%llx..0x%llx %s", (ull)va, (ull)(va + bytes - 1),
	       kinds[kind < sizeof(kinds) / sizeof(kinds[0]) ? kind : 0]);
	if (mapping->label[0]) {
		printf(" \"");
		show_print_text(mapping->label, sizeof(mapping->label));
		putchar('"');
	}
	if (kind != FAA_DUMP_MAPPED_NULL)
		printf(", from 0x%llx of it", (ull)le64toh(mapping->offset));
	if (address < va)
		printf(": 0x%llx bytes after the address", (ull)(va - address));
	else if (address - va >= bytes)
		printf(": ends 0x%llx bytes before the address", (ull)(address - va - bytes + 1));
	putchar('\n');
}

static void show_entry(const struct faa_dump_entry *entry)
{
	static const struct {
		uint64_t mask;
		const char *text;
	} bits[] = {
		{ FAA_PTE_WRITABLE_MASK, " writable" },
		{ FAA_PTE_ATOMIC_MASK, " atomic" },
		{ FAA_PTE_SPARSE_MASK, " sparse" },
		{ FAA_PTE_REGION_MASK, " card" },
	};
	uint64_t value = le64toh(entry->entry);

	printf("    level %u entry %3u: 0x%016llx", le32toh(entry->level), le32toh(entry->index),
	       (ull)value);
	if (!(value & FAA_PTE_VALID_MASK)) {
		printf(" not valid\n");
		return;
	}
	printf(value & FAA_PTE_LEAF_MASK ? " page" : " table");
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (value & bits[i].mask)
			printf("%s", bits[i].text);
	putchar('\n');
}

static void show_walk(const struct dump_section *section)
{
	struct faa_dump_entry entry;

	printf("  page table of 0x%llx\n", (ull)section->address);
	for (size_t i = 0; i < section->bytes / sizeof(entry); i++) {
		dump_item(section, i, &entry, sizeof(entry));
		show_entry(&entry);
	}
}

static void show_mappings(const struct dump_section *section)
{
	struct faa_dump_mapping mapping;

	printf("  mapped there, or beside it\n");
	for (size_t i = 0; i < section->bytes / sizeof(mapping); i++) {
		dump_item(section, i, &mapping, sizeof(mapping));
		show_mapping(&mapping, section->address);
	}
}

/* Page table and mappings of an address. */
static void show_address(const struct dump *dump, uint32_t what, uint64_t address)
{
	struct dump_section section;
	bool walk = false, mappings = false;

	for (size_t offset = 0; dump_next(dump, offset, &section); offset = section.next) {
		if (section.index != what || section.address != address)
			continue;
		/* Streams of a group may be at the same command: show it once. */
		if (section.kind == FAA_DUMP_WALK && !walk) {
			show_walk(&section);
			walk = true;
		} else if (section.kind == FAA_DUMP_MAPPINGS && !mappings) {
			show_mappings(&section);
			mappings = true;
		}
	}
}

static void show_position(const struct dump *dump, const struct dump_section *section)
{
	struct faa_dump_position position;
	struct dump_section code;

	dump_item(section, 0, &position, sizeof(position));
	printf("\nwarp slot %u: job %llu, stream of %u bytes at 0x%llx, ", le32toh(position.slot),
	       (ull)le64toh(position.seqno), le32toh(position.stream_bytes),
	       (ull)le64toh(position.stream_va));
	if (le32toh(position.running))
		printf("at command 0x%x, %u elements retired\n", le32toh(position.pc),
		       le32toh(position.retired));
	else
		printf("on no compute unit\n");
	if (dump_find(dump, FAA_DUMP_CODE, section->index, &code))
		dump_show_code(&code, &position, section->address);
	show_address(dump, FAA_DUMP_WALK_CODE, section->address);
}

static void show_positions(const struct dump *dump)
{
	struct dump_section section;
	size_t offset = 0;

	while (dump_next(dump, offset, &section)) {
		if (section.kind == FAA_DUMP_POSITION)
			show_position(dump, &section);
		else if (section.kind == FAA_DUMP_WALK && section.index == FAA_DUMP_WALK_FAULT) {
			printf("\nlast page fault\n");
			show_address(dump, FAA_DUMP_WALK_FAULT, section.address);
		}
		offset = section.next;
	}
}

static void show_records(const struct dump *dump)
{
	struct dump_section section;
	struct drm_faa_status record;

	if (!dump_find(dump, FAA_DUMP_RECORDS, 0, &section))
		return;
	printf("\nstatus records\n  %10s  %8s %8s %4s %18s %10s %12s  %s\n", "job", "command",
	       "element", "lane", "address", "elements", "cycles", "result");
	for (size_t i = 0; i < section.bytes / sizeof(record); i++) {
		dump_item(&section, i, &record, sizeof(record));
		if (!le64toh(record.seqno))
			continue;
		printf("  %10llu  0x%06x %8u %4u 0x%016llx %10llu %12llu  %s\n",
		       (ull)le64toh(record.seqno), le32toh(record.command), le32toh(record.element),
		       le32toh(record.lane), (ull)le64toh(record.address),
		       (ull)le64toh(record.elements_retired),
		       (ull)(le64toh(record.end_cycle) - le64toh(record.start_cycle)),
		       faa_error_text(le32toh(record.code)));
	}
}

static void show_ring(const struct dump *dump)
{
	struct dump_section section;
	struct faa_job_desc desc;
	size_t offset = 0;

	while (dump_next(dump, offset, &section) && section.kind != FAA_DUMP_RING)
		offset = section.next;
	if (section.kind != FAA_DUMP_RING)
		return;
	printf("\nring\n  %10s  %10s  %18s %8s  %s\n", "entry", "job", "stream", "bytes", "flags");
	for (size_t i = 0; i < section.bytes / sizeof(desc); i++) {
		dump_item(&section, i, &desc, sizeof(desc));
		printf("  %10llu  %10llu  0x%016llx %8u  0x%x\n", (ull)section.index + i,
		       (ull)le64toh(desc.seqno), (ull)le64toh(desc.stream_va),
		       le32toh(desc.stream_bytes), le32toh(desc.flags));
	}
}

void dump_show(const struct dump *dump)
{
	struct dump_section section;

	show_header(dump);
	show_queue(dump);
	show_positions(dump);
	show_records(dump);
	show_ring(dump);
	if (dump_find(dump, FAA_DUMP_REGISTERS, 0, &section)) {
		printf("\nregisters\n");
		dump_show_registers(&section);
	}
}
