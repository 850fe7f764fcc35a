/* SPDX-License-Identifier: MIT */
/*
 * Common code of the test programs: thin wrappers of the raw interface, and a client with one VM,
 * one queue, a stream and a data buffer. It does not use the library, so that the interface is
 * tested independently.
 *
 * Every function that returns int returns 0 or -errno unless documented otherwise.
 */
#ifndef FAA_TEST_H
#define FAA_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "drm/faa_drm.h"
#include "faa_encode.h"

#define PAGE 4096u
/* Addresses of a client's buffers. */
#define STREAM_VA    0x100000ull
#define STREAM_BYTES 0x10000u
#define DATA_VA	     0x40000000ull
#define DATA_BYTES   0x40000u
/*
 * Limit of every wait for a job that is expected to end, in milliseconds; a simulated device is
 * slow.
 */
#define WAIT_MS 60000
/*
 * Limit of a test that has none of its own, in seconds, so that one slow wait does not end it:
 * kselftest_harness.h, which is included first, has half of WAIT_MS.
 */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT (2 * WAIT_MS / 1000)

/**
 * drm_open_driver() - open the first render node (or primary node) of driver @name; -ENODEV if it
 * has none
 */
int drm_open_driver(const char *name);
/** faa_open() - a new file of the faa device */
int faa_open(void);
/** xioctl() - an ioctl that is repeated if a signal interrupts it */
int xioctl(int fd, unsigned long request, void *arg);
/** xioctl_sized() - the same with @size bytes as size of the argument */
int xioctl_sized(int fd, unsigned long request, size_t size, void *arg);

int device_info(int fd, struct drm_faa_device_info *info);

int bo_create(int fd, uint64_t size, uint32_t *handle);
int bo_close(int fd, uint32_t handle);
/** bo_mmap() - the mapping, or NULL with errno set */
void *bo_mmap(int fd, uint32_t handle, size_t size, int prot);
/** bo_set_label() - name a BO; NULL removes the name */
int bo_set_label(int fd, uint32_t handle, const char *label);
int prime_export(int fd, uint32_t handle, int *dmabuf);
int prime_import(int fd, int dmabuf, uint32_t *handle);

/** vgem_open() - open the node of vgem that allocates buffers, for sharing */
int vgem_open(void);
/** vgem_buffer() - a buffer of vgem, mapped at *@at */
int vgem_buffer(int vgem, uint32_t *handle, uint32_t **at, size_t *size);

int vm_create(int fd, uint32_t *vm);
int vm_destroy(int fd, uint32_t vm);
int vm_bind(int fd, uint32_t vm, const struct drm_faa_vm_bind_op *op);
int vm_map(int fd, uint32_t vm, uint32_t handle, uint64_t offset, uint64_t va, uint64_t size,
	   uint32_t flags);
int vm_unmap(int fd, uint32_t vm, uint64_t va, uint64_t size);
/** vm_map_userptr() - map memory of this process */
int vm_map_userptr(int fd, uint32_t vm, const void *memory, uint64_t va, uint64_t size,
		   uint32_t flags);
int vm_map_null(int fd, uint32_t vm, uint64_t va, uint64_t size, uint32_t flags);

int queue_create(int fd, uint32_t vm, uint32_t shared_bytes, struct drm_faa_queue_create *out);
int queue_destroy(int fd, uint32_t queue);
int queue_state(int fd, uint32_t queue, struct drm_faa_queue_get_state *state);

int syncobj_create(int fd, bool signaled, uint32_t *handle);
int syncobj_destroy(int fd, uint32_t handle);
/** syncobj_wait() - wait for a binary syncobj; -ETIME after @ms */
int syncobj_wait(int fd, uint32_t handle, int ms);
int timeline_wait(int fd, uint32_t handle, uint64_t point, int ms);
int timeline_signal(int fd, uint32_t handle, uint64_t point);
/** fence_fd() - the fence in @handle as a file (sync_file), which outlives the device; -errno */
int fence_fd(int fd, uint32_t handle);
/** fence_fd_wait() - wait for a fence_fd(); its error, -ETIME after @ms */
int fence_fd_wait(int fence, int ms);
/** fence_error() - the error of the signalled fence in @handle, 0 = none, -EBUSY = not signalled */
int fence_error(int fd, uint32_t handle);

/**
 * fence_fd_time() - time at which the first signalled fence of a fence_fd() signalled, ns; 0 = none
 * did
 */
uint64_t fence_fd_time(int fence);
/** fence_fd_names() - the fences of a fence_fd() have the names @driver and @timeline */
bool fence_fd_names(int fence, const char *driver, const char *timeline);
/** fence_import() - put a fence_fd(), or another sync_file, into @handle */
int fence_import(int fd, uint32_t handle, int fence);
/** sw_sync_open() - a timeline whose fences the test signals; -errno */
int sw_sync_open(void);
/** sw_sync_fence() - a sync_file that signals when @timeline reaches @value; -errno */
int sw_sync_fence(int timeline, uint32_t value);
int sw_sync_advance(int timeline, uint32_t by);

/**
 * submit() - submit @count jobs; *@first receives the sequence number of the first, when not NULL
 */
int submit(int fd, uint32_t queue, const struct drm_faa_job *jobs, uint32_t count, uint64_t *first);

/**
 * struct client - one file with one VM and one queue
 * @shared: shared memory of the queue, bytes
 * @stream: the stream buffer, at STREAM_VA
 * @words: words of it that the stream being built uses
 * @data: the data buffer, at DATA_VA, writable
 * @ring: the status ring, read-only
 */
struct client {
	int fd;
	uint32_t vm, queue, stream_bo, data_bo, status_bo, sync;
	uint32_t shared, entries;
	uint64_t *stream;
	unsigned int words;
	union {
		uint8_t *data;
		uint32_t *data32;
		uint64_t *data64;
	};
	const volatile struct drm_faa_status *ring;
};

/** client_open() - a client with @shared bytes of shared memory; frees everything on failure */
int client_open(struct client *client, uint32_t shared);
/** client_close() - destroy everything in order and close the file; the first error of any step */
int client_close(struct client *client);
/**
 * client_submit() - submit the words built so far as one job signalling client->sync; the next job
 * includes these words
 */
int client_submit(struct client *client, uint64_t *seqno);
/** client_wait() - wait for client->sync, copy the status of @seqno; returns the fence's error */
int client_wait(struct client *client, uint64_t seqno, struct drm_faa_status *status);
/** client_run() - submit and wait; the stream buffer is empty afterwards */
int client_run(struct client *client, struct drm_faa_status *status);
/** client_status() - the record of job @seqno; false if its slot has the record of another job */
bool client_status(const struct client *client, uint64_t seqno, struct drm_faa_status *status);

/* Operands. */
static inline struct faa_operand op_none(void)
{
	return (struct faa_operand){ .kind = FAA_KIND_NONE };
}

static inline struct faa_operand op_reg(unsigned int reg)
{
	return (struct faa_operand){ .kind = FAA_KIND_REG, .reg = reg };
}

static inline struct faa_operand op_imm(uint64_t value)
{
	return (struct faa_operand){ .kind = FAA_KIND_IMM, .value = value };
}

static inline struct faa_operand op_affine(uint64_t base, uint64_t step)
{
	return (struct faa_operand){ .kind = FAA_KIND_AFFINE, .value = base, .step = step };
}

static inline struct faa_operand op_stream(uint64_t va, enum faa_type type, int32_t stride)
{
	return (struct faa_operand){
		.kind = FAA_KIND_STREAM, .value = va, .type = type, .stride = stride
	};
}

/* Commands, appended to the client's stream. */
void put_end(struct client *client);
void put_nop(struct client *client);
void put_jump(struct client *client, int32_t target);
void put_sem_wait(struct client *client, uint64_t va, uint64_t value);
void put_sem_signal(struct client *client, uint64_t va, uint64_t value);
void put_fence(struct client *client);
void put_bar(struct client *client);
void put_mov(struct client *client, enum faa_type type, uint64_t count, struct faa_operand d,
	     struct faa_operand a);
void put_ld(struct client *client, enum faa_type type, uint64_t count, struct faa_operand d,
	    struct faa_operand a);
void put_st(struct client *client, enum faa_type type, uint64_t count, struct faa_operand a,
	    struct faa_operand b);
void put_lds(struct client *client, enum faa_type type, uint64_t count, struct faa_operand d,
	     struct faa_operand a);
void put_sts(struct client *client, enum faa_type type, uint64_t count, struct faa_operand a,
	     struct faa_operand b);
void put_atoms(struct client *client, enum faa_atoms_op op, enum faa_type type, uint64_t count,
	       struct faa_operand d, struct faa_operand a, struct faa_operand b);

/** wait_lost() - query the device until it is lost; -ENODEV, or what the last query returned */
int wait_lost(int fd);
/** drm_minor() - minor number of the node @fd, by which debugfs names the device */
int drm_minor(int fd);
/** fault_set() - write to a file of the attribute fail_faa_@name of a device */
int fault_set(int minor, const char *name, const char *file, const char *value);
/** fault_arm() - let the next @times attempts fail, without a line in the log */
int fault_arm(int minor, const char *name, const char *times);
/**
 * fault_is_over() - whether all requested failures have occurred; -ENOENT or -EIO of a lost device
 */
int fault_is_over(int minor, const char *name);
/** fdinfo_number() - the number in line @key of fdinfo of @fd; UINT64_MAX if it has no such line */
uint64_t fdinfo_number(int fd, const char *key);
/**
 * as_nobody() - run @test in a child that has dropped its privileges
 *
 * Returns its result: 0 or -errno, at most 255 in magnitude. Its writes are lost except those to
 * shared memory.
 */
int as_nobody(int (*test)(void *arg), void *arg);
/** env_number() - the number in environment variable @name, or @otherwise */
uint64_t env_number(const char *name, uint64_t otherwise);
/** fail_prepare() - let every allocation fail on demand, without backtraces in the kernel log */
int fail_prepare(void);
/**
 * fail_nth() - let the @nth failable operation of this task fail from now on, or none with 0
 * @file: /proc/self/fail-nth
 * @nth: 1 is the next one
 *
 * Return: with 0, the number that was left: 0 if it has failed; else 0. -errno.
 */
int fail_nth(int file, int nth);

/** random_next() - next number of a reproducible sequence (SplitMix64) */
uint64_t random_next(uint64_t *state);
/** file_is() - whether the first line of a file is @text; -errno, -EIO if it cannot be read */
int file_is(const char *path, const char *text);
/**
 * debugfs_read() - the text of a file in debugfs of the device of @fd, which the caller frees; NULL
 * with errno
 */
char *debugfs_read(int fd, const char *name);
/** write_file() - write @text to an existing file, e.g. of sysfs */
int write_file(const char *path, const char *text);
/**
 * module_unload() - unload faa.ko within @ms; -errno of the last try. The last reference may be
 * dropped a short time after a file is closed.
 */
int module_unload(int ms);
/** module_load() - load the module FAA_MODULE; -ENOENT if the variable is not set */
int module_load(void);
/** log_open() - the kernel log from here on, including messages of other programs; -errno */
int log_open(void);
/**
 * log_find() - count the messages with @text since log_open() or the last call; copies the last one
 * to @line
 */
int log_find(int log, const char *text, char *line, size_t size);
/** faa_pci_address() - bus address of the first faa PCI function, e.g. "0000:00:00.0" */
int faa_pci_address(char *out, size_t size);
/**
 * faa_pci_command() - clear and set bits of the command register of the PCI function at @address
 */
int faa_pci_command(const char *address, uint16_t clear, uint16_t set);
/** now_ns(), now_ms() - CLOCK_MONOTONIC in nanoseconds, in milliseconds */
uint64_t now_ns(void);
uint64_t now_ms(void);

/*
 * Flip, one at a time, every bit of @field that is not in @allowed, and expect that @call fails
 * with EINVAL. @field is an lvalue of an unsigned integer type in the arguments of @call.
 */
#define EXPECT_BITS_REFUSED(field, allowed, call)                                    \
	do {                                                                         \
		const __typeof__(field) good = (field);                              \
		for (unsigned int bit = 0; bit < 8 * sizeof(field); bit++) {         \
			if (((uint64_t)(allowed) >> bit) & 1)                        \
				continue;                                            \
			(field) = good ^ ((__typeof__(field))1 << bit);              \
			EXPECT_EQ(-EINVAL, (call))                                   \
			{                                                            \
				TH_LOG("bit %u of " #field " was not refused", bit); \
			}                                                            \
			(field) = good;                                              \
		}                                                                    \
	} while (0)

#endif /* FAA_TEST_H */
