// SPDX-License-Identifier: MIT
/*
 * Dumps: the contents of the core dump of a stopped queue and of a dump that a client requests, and
 * the cases without a dump.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "drm/faa_dump.h"
#include "faa_regs.h"
#include "faa_test.h"

#define CORE_DUMPS "/sys/class/devcoredump"
#define LABEL	   "stream of the dump test"
/* An unmapped address. */
#define HOLE_VA	     (DATA_VA + DATA_BYTES + PAGE)
#define ADDRESS_BITS FAA_PTE_ADDRESS_MASK

FIXTURE(dump)
{
	struct client client;
	struct drm_faa_device_info info;
	union {
		struct faa_dump_header header;
		uint8_t bytes[FAA_DUMP_MAX_BYTES];
	} * dump;
	size_t size;
};

/* The path of the only core dump, "" if there is none; -EEXIST if there are several. */
static int core_dump_find(char *path, size_t size)
{
	DIR *dir = opendir(CORE_DUMPS);
	unsigned int count = 0;
	struct dirent *entry;

	path[0] = '\0';
	if (!dir)
		return -errno;
	while ((entry = readdir(dir))) {
		if (strncmp(entry->d_name, "devcd", 5))
			continue;
		snprintf(path, size, CORE_DUMPS "/%.32s/data", entry->d_name);
		count++;
	}
	closedir(dir);
	return count > 1 ? -EEXIST : 0;
}

/* Any write discards a core dump. */
static void core_dump_discard(void)
{
	char path[128];

	if (!core_dump_find(path, sizeof(path)) && path[0])
		write_file(path, "0");
}

FIXTURE_SETUP(dump)
{
	ASSERT_EQ(0, client_open(&self->client, 1024));
	ASSERT_EQ(0, device_info(self->client.fd, &self->info));
	ASSERT_EQ(0, bo_set_label(self->client.fd, self->client.stream_bo, LABEL));
	/* Shared memory: a child without privileges takes a dump for its parent. */
	self->dump = mmap(NULL, sizeof(*self->dump), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)self->dump);
	core_dump_discard();
}

FIXTURE_TEARDOWN(dump)
{
	core_dump_discard();
	munmap(self->dump, sizeof(*self->dump));
	EXPECT_EQ(0, client_close(&self->client));
}

/* Read the core dump, which appears after the fences of the queue have signalled. */
static int core_dump_read(FIXTURE_DATA(dump) *self)
{
	const uint64_t end = now_ms() + WAIT_MS;
	char path[128];
	ssize_t got;
	int file, ret;

	for (;;) {
		ret = core_dump_find(path, sizeof(path));
		if (ret)
			return ret;
		if (path[0])
			break;
		if (now_ms() > end)
			return -ETIME;
		usleep(1000);
	}
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return -errno;
	self->size = 0;
	do {
		got = read(file, self->dump->bytes + self->size, sizeof(*self->dump) - self->size);
		self->size += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	close(file);
	return got ? -EIO : 0;
}

static int queue_dump(FIXTURE_DATA(dump) *self, const struct client *c)
{
	struct drm_faa_queue_dump args = {
		.queue_id = c->queue,
		.size = sizeof(*self->dump),
		.pointer = (uintptr_t)self->dump,
	};
	int ret;

	memset(self->dump, 0xa5, sizeof(*self->dump));
	ret = xioctl(c->fd, DRM_IOCTL_FAA_QUEUE_DUMP, &args);
	self->size = args.size;
	return ret;
}

/* Bytes from a section to the next one. */
static size_t section_step(const struct faa_dump_section *section)
{
	return sizeof(*section) + ((section->bytes + 7) & ~7ul);
}

/* The first section of a kind, with an index unless it is negative; NULL: none. */
static const struct faa_dump_section *section(FIXTURE_DATA(dump) *self, uint32_t kind, int index)
{
	const struct faa_dump_section *found;

	for (size_t at = self->dump->header.bytes; at + sizeof(*found) <= self->size;
	     at += section_step(found)) {
		found = (const void *)(self->dump->bytes + at);
		if (found->kind == kind && (index < 0 || found->index == (uint32_t)index))
			return found;
	}
	return NULL;
}

/* Content of a section; NULL if no section is of this kind. */
static const void *content(FIXTURE_DATA(dump) *self, uint32_t kind, int index)
{
	const struct faa_dump_section *found = section(self, kind, index);

	return found && found->bytes ? found + 1 : NULL;
}

/* Value of a register; ~0 if the dump lacks it. */
static uint32_t dumped_register(FIXTURE_DATA(dump) *self, uint32_t offset)
{
	const struct faa_dump_section *found = section(self, FAA_DUMP_REGISTERS, -1);
	const struct faa_dump_register *registers = (const void *)(found + 1);

	for (size_t i = 0; found && i < found->bytes / sizeof(*registers); i++)
		if (registers[i].offset == offset)
			return registers[i].value;
	return ~0u;
}

/* The dump is complete: its sections fill it to the end. */
static void check_header(struct __test_metadata *_metadata, FIXTURE_DATA(dump) *self,
			 uint32_t reason, uint32_t flags)
{
	const struct faa_dump_header *header = &self->dump->header;
	const struct faa_dump_section *found;
	size_t at;

	ASSERT_LE(sizeof(*header), self->size);
	EXPECT_EQ(FAA_DUMP_MAGIC, header->magic);
	EXPECT_EQ(FAA_DUMP_VERSION, header->version);
	ASSERT_EQ(sizeof(*header), header->bytes);
	ASSERT_EQ(self->size, header->size);
	EXPECT_EQ(reason, header->reason);
	EXPECT_EQ(flags, header->flags);
	EXPECT_EQ(getpid(), (pid_t)header->pid);
	EXPECT_STREQ("dump", (const char *)header->comm);
	EXPECT_NE(0, header->cycle);
	for (at = header->bytes; at + sizeof(*found) <= self->size; at += section_step(found)) {
		found = (const void *)(self->dump->bytes + at);
		EXPECT_TRUE(found->kind >= FAA_DUMP_QUEUE && found->kind <= FAA_DUMP_MAPPINGS);
		EXPECT_EQ(!found->bytes, !!found->error);
	}
	EXPECT_EQ(self->size, at);
}

/* The stream of a slot, with its commands, was at @word of the client's buffer. */
static void check_position(struct __test_metadata *_metadata, FIXTURE_DATA(dump) *self, int slot,
			   uint64_t seqno, unsigned int word)
{
	const struct faa_dump_section *code = section(self, FAA_DUMP_CODE, slot);
	const struct faa_dump_position *position = content(self, FAA_DUMP_POSITION, slot);

	ASSERT_NE(NULL, position);
	EXPECT_EQ(seqno, position->seqno);
	EXPECT_EQ(slot, (int)position->slot);
	EXPECT_EQ(1, position->running);
	EXPECT_EQ(STREAM_VA + 8 * word, position->stream_va + position->pc);
	EXPECT_EQ(STREAM_VA + 8 * word, section(self, FAA_DUMP_POSITION, slot)->address);
	ASSERT_NE(NULL, code);
	EXPECT_EQ(0, code->error);
	ASSERT_EQ(position->stream_va, code->address);
	ASSERT_EQ(position->stream_bytes, code->bytes);
	EXPECT_EQ(0, memcmp(code + 1, self->client.stream + (code->address - STREAM_VA) / 8,
			    code->bytes));
}

/* The address of a command is in a mapping of the buffer with that name. */
static void check_mapped(struct __test_metadata *_metadata, FIXTURE_DATA(dump) *self)
{
	const struct faa_dump_section *walk = section(self, FAA_DUMP_WALK, FAA_DUMP_WALK_CODE);
	const struct faa_dump_mapping *mapping;
	const struct faa_dump_entry *entries;

	ASSERT_NE(NULL, walk);
	ASSERT_EQ(4 * sizeof(*entries), walk->bytes);
	entries = (const void *)(walk + 1);
	for (unsigned int i = 0; i < 4; i++) {
		EXPECT_EQ(3 - i, entries[i].level);
		EXPECT_EQ(walk->address >> (12 + 9 * entries[i].level) & 511, entries[i].index);
		EXPECT_NE(0, entries[i].entry & FAA_PTE_VALID_MASK);
		EXPECT_EQ(i == 3, !!(entries[i].entry & FAA_PTE_LEAF_MASK));
		EXPECT_NE(0, entries[i].entry & ADDRESS_BITS);
	}
	mapping = content(self, FAA_DUMP_MAPPINGS, FAA_DUMP_WALK_CODE);
	ASSERT_NE(NULL, mapping);
	EXPECT_EQ(sizeof(*mapping), section(self, FAA_DUMP_MAPPINGS, FAA_DUMP_WALK_CODE)->bytes);
	EXPECT_EQ(STREAM_VA, mapping->va);
	EXPECT_EQ(STREAM_BYTES, mapping->bytes);
	EXPECT_EQ(FAA_DUMP_MAPPED_BO, mapping->kind);
	EXPECT_STREQ(LABEL, (const char *)mapping->label);
}

/* Two jobs that end, then one that waits for ever; *@wait: its word of the stream buffer. */
static void submit_endless(struct __test_metadata *_metadata, struct client *c, unsigned int *wait)
{
	uint64_t seqno;

	for (unsigned int i = 0; i < 2; i++) {
		put_end(c);
		ASSERT_EQ(0, client_run(c, NULL));
	}
	put_nop(c);
	put_mov(c, FAA_TYPE_U32, 64, op_reg(1), op_imm(1));
	*wait = c->words;
	put_sem_wait(c, DATA_VA, 1);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, &seqno));
	ASSERT_EQ(3, seqno);
}

TEST_F_TIMEOUT(dump, of_a_queue_that_hangs, 180)
{
	struct client *c = &self->client;
	const struct faa_dump_section *found;
	const struct drm_faa_status *records;
	const struct faa_dump_queue *queue;
	unsigned int wait;

	submit_endless(_metadata, c, &wait);
	EXPECT_EQ(-ETIMEDOUT, client_wait(c, 3, NULL));
	ASSERT_EQ(0, core_dump_read(self));
	check_header(_metadata, self, FAA_DUMP_TIMEOUT, 0);
	check_position(_metadata, self, 0, 3, wait);
	check_mapped(_metadata, self);

	queue = content(self, FAA_DUMP_QUEUE, -1);
	ASSERT_NE(NULL, queue);
	EXPECT_EQ(c->queue, queue->id);
	EXPECT_GT(self->info.num_queues, queue->hardware_queue);
	EXPECT_GT(self->info.num_cus, queue->cu);
	EXPECT_EQ(1024, queue->shared_bytes);
	EXPECT_EQ(3, queue->submitted);
	EXPECT_EQ(3, queue->given);
	EXPECT_EQ(2, queue->ended);
	EXPECT_EQ(0, queue->failed);
	EXPECT_EQ(0, queue->fault_seqno);
	EXPECT_EQ(3, dumped_register(self, FAA_REG_QUEUE_TAIL(queue->hardware_queue)));
	EXPECT_EQ(2, dumped_register(self, FAA_REG_QUEUE_HEAD(queue->hardware_queue)));
	EXPECT_NE(~0u, dumped_register(self, FAA_REG_QUEUE_PT_LO(queue->hardware_queue)));
	EXPECT_EQ(FAA_REG_MAGIC_VALUE, dumped_register(self, FAA_REG_MAGIC));
	EXPECT_NE(~0u, dumped_register(self, FAA_REG_CU_COUNTER_LO(queue->cu, FAA_COUNTER_JOBS)));

	/* The last record is that of the job that was killed. */
	found = section(self, FAA_DUMP_RECORDS, -1);
	ASSERT_NE(NULL, found);
	ASSERT_EQ(3 * sizeof(*records), found->bytes);
	EXPECT_EQ(1, found->address);
	records = (const void *)(found + 1);
	EXPECT_EQ(FAA_ERROR_SUCCESS, records[1].code);
	EXPECT_EQ(3, records[2].seqno);
	EXPECT_EQ(FAA_ERROR_TIMEOUT, records[2].code);
}

/* The first core dump is kept until it is discarded. */
TEST_F_TIMEOUT(dump, the_first_one_stays, 180)
{
	struct client second;
	unsigned int wait;

	ASSERT_EQ(0, client_open(&second, 1024));
	submit_endless(_metadata, &self->client, &wait);
	EXPECT_EQ(-ETIMEDOUT, client_wait(&self->client, 3, NULL));
	ASSERT_EQ(0, core_dump_read(self));
	submit_endless(_metadata, &second, &wait);
	EXPECT_EQ(-ETIMEDOUT, client_wait(&second, 3, NULL));
	EXPECT_EQ(0, client_close(&second));
	ASSERT_EQ(0, core_dump_read(self));
	check_header(_metadata, self, FAA_DUMP_TIMEOUT, 0);
	EXPECT_EQ(self->client.queue,
		  ((const struct faa_dump_queue *)content(self, FAA_DUMP_QUEUE, -1))->id);
}

/* A queue that is destroyed by its owner has no core dump. */
TEST_F_TIMEOUT(dump, none_of_a_queue_that_is_destroyed, 180)
{
	char path[128];
	unsigned int wait;

	submit_endless(_metadata, &self->client, &wait);
	ASSERT_EQ(0, queue_destroy(self->client.fd, self->client.queue));
	self->client.queue = 0;
	ASSERT_EQ(0, core_dump_find(path, sizeof(path)));
	EXPECT_STREQ("", path);
}

/* A dump on request does not stop the queue. */
TEST_F_TIMEOUT(dump, of_a_queue_that_runs, 180)
{
	const uint64_t end = now_ms() + WAIT_MS;
	const struct faa_dump_position *position;
	struct client *c = &self->client;
	unsigned int wait;

	submit_endless(_metadata, c, &wait);
	do {
		ASSERT_EQ(0, queue_dump(self, c));
		position = content(self, FAA_DUMP_POSITION, 0);
	} while ((!position || !position->running ||
		  STREAM_VA + 8 * wait != position->stream_va + position->pc) &&
		 now_ms() < end);
	check_header(_metadata, self, FAA_DUMP_DEMAND, 0);
	check_position(_metadata, self, 0, 3, wait);
	check_mapped(_metadata, self);
	((volatile uint64_t *)c->data64)[0] = 1;
	EXPECT_EQ(0, client_wait(c, 3, NULL));
}

TEST_F(dump, of_an_idle_queue)
{
	put_end(&self->client);
	ASSERT_EQ(0, client_run(&self->client, NULL));
	ASSERT_EQ(0, queue_dump(self, &self->client));
	check_header(_metadata, self, FAA_DUMP_DEMAND, 0);
	EXPECT_EQ(NULL, section(self, FAA_DUMP_POSITION, -1));
	EXPECT_EQ(NULL, section(self, FAA_DUMP_CODE, -1));
	EXPECT_NE(NULL, content(self, FAA_DUMP_RECORDS, -1));
}

/* A page fault after the end of a buffer: the levels of the walk, and the mappings nearby. */
TEST_F(dump, tells_of_the_last_fault)
{
	const struct faa_dump_mapping *mapping;
	const struct faa_dump_entry *entries;
	const struct faa_dump_section *walk;
	const struct faa_dump_queue *queue;
	struct client *c = &self->client;

	ASSERT_EQ(0, bo_set_label(c->fd, c->data_bo, "bins"));
	put_st(c, FAA_TYPE_U32, 1, op_imm(HOLE_VA), op_imm(1));
	put_end(c);
	EXPECT_EQ(-EFAULT, client_run(c, NULL));
	ASSERT_EQ(0, queue_dump(self, c));
	check_header(_metadata, self, FAA_DUMP_DEMAND, 0);
	queue = content(self, FAA_DUMP_QUEUE, -1);
	EXPECT_EQ(HOLE_VA, queue->fault_va);
	EXPECT_EQ(1, queue->fault_seqno);
	EXPECT_EQ(c->queue, queue->fault_queue);
	walk = section(self, FAA_DUMP_WALK, FAA_DUMP_WALK_FAULT);
	ASSERT_NE(NULL, walk);
	EXPECT_EQ(HOLE_VA, walk->address);
	ASSERT_NE(0, walk->bytes);
	entries = (const void *)(walk + 1);
	EXPECT_NE(0, entries[0].entry & FAA_PTE_VALID_MASK);
	EXPECT_EQ(0, entries[walk->bytes / sizeof(*entries) - 1].entry & FAA_PTE_VALID_MASK);
	mapping = content(self, FAA_DUMP_MAPPINGS, FAA_DUMP_WALK_FAULT);
	ASSERT_NE(NULL, mapping);
	EXPECT_EQ(DATA_VA, mapping->va);
	EXPECT_EQ(DATA_BYTES, mapping->bytes);
	EXPECT_STREQ("bins", (const char *)mapping->label);
}

/* Wait until the scheduler has given a compute unit to a job of the queue. */
static int wait_for_position(FIXTURE_DATA(dump) *self)
{
	const uint64_t end = now_ms() + WAIT_MS;
	const struct faa_dump_position *position;
	int ret;

	do {
		ret = queue_dump(self, &self->client);
		position = ret ? NULL : content(self, FAA_DUMP_POSITION, 0);
		if (position && position->running)
			return 0;
	} while (!ret && now_ms() < end);
	return ret ? ret : -ETIME;
}

/* Streams in memory of a process, and in memory that was freed. */
TEST_F_TIMEOUT(dump, of_streams_in_other_memory, 180)
{
	uint64_t *memory = aligned_alloc(PAGE, PAGE);
	struct drm_faa_job job = { .stream_va = HOLE_VA };
	const struct faa_dump_section *code;
	struct client *c = &self->client;
	unsigned int word = c->words;

	ASSERT_NE(NULL, memory);
	put_sem_wait(c, DATA_VA, 1);
	put_end(c);
	job.stream_bytes = 8 * (c->words - word);
	memcpy(memory, c->stream + word, job.stream_bytes);
	ASSERT_EQ(0, vm_map_userptr(c->fd, c->vm, memory, HOLE_VA, PAGE, 0));
	ASSERT_EQ(0, submit(c->fd, c->queue, &job, 1, NULL));
	ASSERT_EQ(0, wait_for_position(self));
	code = section(self, FAA_DUMP_CODE, 0);
	ASSERT_NE(NULL, code);
	EXPECT_EQ(HOLE_VA, code->address);
	ASSERT_EQ(job.stream_bytes, code->bytes);
	EXPECT_EQ(0, memcmp(code + 1, memory, code->bytes));
	EXPECT_EQ(FAA_DUMP_MAPPED_USERPTR, ((const struct faa_dump_mapping *)content(
						    self, FAA_DUMP_MAPPINGS, FAA_DUMP_WALK_CODE))
						   ->kind);

	EXPECT_EQ(0, vm_unmap(c->fd, c->vm, HOLE_VA, PAGE));
	ASSERT_EQ(0, queue_dump(self, c));
	check_header(_metadata, self, FAA_DUMP_DEMAND, 0);
	code = section(self, FAA_DUMP_CODE, 0);
	ASSERT_NE(NULL, code);
	EXPECT_EQ(0, code->bytes);
	EXPECT_EQ(EFAULT, code->error);
	((volatile uint64_t *)c->data64)[0] = 1;
	free(memory);
}

/* Each stream of a group has a position in the dump. */
TEST_F_TIMEOUT(dump, of_a_group, 180)
{
	struct client *c = &self->client;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_job jobs[2] = { { 0 } };
	unsigned int at[2], word;

	if (self->info.warp_slots < 2)
		SKIP(return, "one warp slot");
	for (unsigned int i = 0; i < 2; i++) {
		word = c->words;
		for (unsigned int k = 0; k <= i; k++)
			put_nop(c);
		at[i] = c->words;
		put_sem_wait(c, DATA_VA + 8 * i, 1);
		put_end(c);
		jobs[i].stream_va = STREAM_VA + 8 * word;
		jobs[i].stream_bytes = 8 * (c->words - word);
	}
	jobs[0].flags = DRM_FAA_JOB_TOGETHER;
	jobs[1].syncs.stride = sizeof(sync);
	jobs[1].syncs.count = 1;
	jobs[1].syncs.array = (uintptr_t)&sync;
	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, 2, NULL));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, (int)self->info.job_limit_ms + WAIT_MS));
	ASSERT_EQ(0, core_dump_read(self));
	check_header(_metadata, self, FAA_DUMP_TIMEOUT, 0);
	for (int i = 0; i < 2; i++)
		check_position(_metadata, self, i, 1 + (uint64_t)i, at[i]);
}

/* A ring holds old descriptors of earlier owners, which a dump must not contain. */
TEST_F(dump, has_own_descriptors_alone)
{
	const struct faa_dump_section *ring;
	const struct faa_job_desc *descs;
	struct client before[4];

	for (unsigned int i = 0; i < 4; i++) {
		ASSERT_EQ(0, client_open(&before[i], 1024));
		for (unsigned int k = 0; k < 20; k++) {
			put_end(&before[i]);
			ASSERT_EQ(0, client_run(&before[i], NULL));
		}
	}
	for (unsigned int i = 0; i < 4; i++)
		ASSERT_EQ(0, client_close(&before[i]));
	for (unsigned int k = 0; k < 3; k++) {
		put_end(&self->client);
		ASSERT_EQ(0, client_run(&self->client, NULL));
	}
	ASSERT_EQ(0, queue_dump(self, &self->client));
	ring = section(self, FAA_DUMP_RING, -1);
	ASSERT_NE(NULL, ring);
	EXPECT_EQ(0, ring->index);
	ASSERT_EQ(3 * sizeof(*descs), ring->bytes);
	descs = (const void *)(ring + 1);
	for (unsigned int k = 0; k < 3; k++) {
		EXPECT_EQ(k + 1, descs[k].seqno);
		EXPECT_NE(0, descs[k].status_addr);
	}
}

static int dump_as_nobody(void *self)
{
	FIXTURE_DATA(dump) *mine = self;

	return queue_dump(mine, &mine->client);
}

/* Registers with addresses, or of other queues, are not in the dump of an unprivileged user. */
static void check_registers_of_nobody(struct __test_metadata *_metadata, FIXTURE_DATA(dump) *self,
				      uint32_t own)
{
	EXPECT_EQ(FAA_REG_MAGIC_VALUE, dumped_register(self, FAA_REG_MAGIC));
	EXPECT_NE(~0u, dumped_register(self, FAA_REG_QUEUE_TAIL(own)));
	for (unsigned int i = 0; i < self->info.num_queues; i++) {
		EXPECT_EQ(~0u, dumped_register(self, FAA_REG_QUEUE_PT_LO(i)));
		EXPECT_EQ(~0u, dumped_register(self, FAA_REG_QUEUE_SAVE_LO(i)));
		if (i != own)
			EXPECT_EQ(~0u, dumped_register(self, FAA_REG_QUEUE_TAIL(i)));
	}
	EXPECT_EQ(~0u, dumped_register(self, FAA_REG_TLB_INV_START_LO));
	EXPECT_EQ(~0u, dumped_register(self, FAA_REG_CU_COUNTER_LO(0, 0)));
}

TEST_F_TIMEOUT(dump, has_no_addresses_for_others_than_root, 180)
{
	const struct faa_dump_section *walk, *ring;
	const struct faa_dump_entry *entries;
	const struct faa_dump_queue *queue;
	const struct faa_job_desc *descs;
	struct client *c = &self->client;
	unsigned int wait;

	submit_endless(_metadata, c, &wait);
	ASSERT_EQ(0, wait_for_position(self));
	ASSERT_EQ(0, as_nobody(dump_as_nobody, self));
	self->size = self->dump->header.size;
	check_header(_metadata, self, FAA_DUMP_DEMAND, FAA_DUMP_NO_ADDRESSES);
	queue = content(self, FAA_DUMP_QUEUE, -1);
	ASSERT_NE(NULL, queue);
	EXPECT_NE(NULL, content(self, FAA_DUMP_CODE, 0));
	check_registers_of_nobody(_metadata, self, queue->hardware_queue);

	walk = section(self, FAA_DUMP_WALK, FAA_DUMP_WALK_CODE);
	ASSERT_NE(NULL, walk);
	entries = (const void *)(walk + 1);
	for (unsigned int i = 0; i < 4; i++) {
		EXPECT_EQ(0, entries[i].entry & ADDRESS_BITS);
		EXPECT_NE(0, entries[i].entry & FAA_PTE_VALID_MASK);
	}
	ring = section(self, FAA_DUMP_RING, -1);
	ASSERT_NE(NULL, ring);
	descs = (const void *)(ring + 1);
	for (size_t i = 0; i < ring->bytes / sizeof(*descs); i++) {
		EXPECT_EQ(0, descs[i].status_addr);
		EXPECT_NE(0, descs[i].stream_va);
	}
	((volatile uint64_t *)c->data64)[0] = 1;
	EXPECT_EQ(0, client_wait(c, 3, NULL));
}

TEST_F(dump, needs_room)
{
	struct drm_faa_queue_dump args = { .queue_id = self->client.queue };
	uint8_t byte = 0x5a;

	args.pointer = (uintptr_t)&byte;
	EXPECT_EQ(-ENOSPC, xioctl(self->client.fd, DRM_IOCTL_FAA_QUEUE_DUMP, &args));
	EXPECT_EQ(0x5a, byte);
	args.size = FAA_DUMP_MAX_BYTES;
	args.pointer = 64;
	EXPECT_EQ(-EFAULT, xioctl(self->client.fd, DRM_IOCTL_FAA_QUEUE_DUMP, &args));
}

TEST_HARNESS_MAIN
