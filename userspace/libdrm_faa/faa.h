/* SPDX-License-Identifier: MIT */
/**
 * DOC: libdrm_faa
 *
 * User-space interface of the faa device: memory, address spaces, queues, command streams, waits,
 * and error texts. Documentation/library.rst is the tutorial; Documentation/commands.rst defines
 * the commands.
 *
 * Every function that can fail returns 0 or a negative errno, and sets its out arguments to NULL or
 * 0 first; faa_last_error() gives the reason in words. A function that fails leaves no partial
 * result. Sizes are bytes, addresses are virtual addresses of a VM unless said otherwise, times are
 * nanoseconds.
 *
 * Threads: functions of a device, a BO, a VM and a queue may be called from any thread at any time;
 * the last unref or the destroy must not race with another use of the same reference. A stream
 * belongs to one thread at a time.
 *
 * Processes: a device, and its BOs, VMs, queues and syncobjs, belong to the process that opened it.
 * In the child of a fork() their functions return -EPERM. The child may unref and destroy the
 * inherited objects, which changes nothing for the parent, and open a device of its own.
 */
#ifndef FAA_H
#define FAA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa_encode.h"
#include "faa_surface.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------
 * Version
 */

/** FAA_VERSION_MAJOR, FAA_VERSION_MINOR, FAA_VERSION_MICRO - version of these headers */
#define FAA_VERSION_MAJOR 0
#define FAA_VERSION_MINOR 1
#define FAA_VERSION_MICRO 0

/** FAA_VERSION_NUMBER() - a version as a number that can be compared; each part is at most 255 */
#define FAA_VERSION_NUMBER(major, minor, micro) ((major) << 16 | (minor) << 8 | (micro))

/** FAA_VERSION - version of these headers, by FAA_VERSION_NUMBER() */
#define FAA_VERSION FAA_VERSION_NUMBER(FAA_VERSION_MAJOR, FAA_VERSION_MINOR, FAA_VERSION_MICRO)

/**
 * faa_version() - version of the library that the program runs with
 *
 * A program that is compiled with newer headers may use functions that an older library lacks; the
 * loader then does not start it. Documentation/library.rst says what stays the same between
 * versions.
 *
 * Return: as FAA_VERSION of the headers that the library was built with.
 */
uint32_t faa_version(void);

struct faa_device;
struct faa_bo;
struct faa_vm;
struct faa_queue;
struct faa_stream;
struct faa_sync;

/* ------------------------------------------------------------------------------------------------
 * Errors
 */

/**
 * faa_last_error() - why the calling thread's last failed call of the library failed
 *
 * Each thread has its own text, which belongs to the last negative errno that the thread got.
 * Functions that succeed, and functions that return nothing, do not change it: read it only after a
 * failure. It also covers errors of libfaa_asm, libfaa_spirv and jobs; faa_status_format() says
 * more about a job.
 *
 * Return: a sentence without a final stop, such as "queue: shared_bytes 100: allowed are multiples
 * of 128 up to 65536"; "" if no call of the thread has failed. Valid until the thread's next call
 * that fails.
 */
const char *faa_last_error(void);

/**
 * faa_fail() - set the calling thread's faa_last_error()
 * @error: a negative errno
 * @format: the sentence, as for printf(); a library begins it with its name or the object's. The
 *     arguments may point into the previous sentence. Text after 767 bytes is cut off.
 *
 * For libraries on top of this one: their functions report errors in the same way as those of
 * faa.h.
 *
 * Return: @error.
 */
int faa_fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ------------------------------------------------------------------------------------------------
 * Structures that grow
 */

/**
 * DOC: Structures that grow
 *
 * Options, jobs and results are structures of the program, to which a later version may append
 * members. So the library gets their size: a function whose name ends in _sized takes it after the
 * pointer, for an array that of one item. The inline function of the same name without _sized
 * passes the size of the headers that a program is compiled with; programs in C and C++ call that
 * one. Bindings for other languages call _sized with the size of the structure that they declare.
 *
 * Input: members that the caller's structure lacks are 0. Bytes that the library does not know have
 * to be 0, otherwise the function fails with -E2BIG: the program uses a member that needs a newer
 * library. Output: bytes that the library does not know become 0.
 */

/**
 * faa_struct_read() - copy a structure of a caller to one of a library
 * @to: the library's structure
 * @to_size: its size, bytes
 * @from: the caller's structure
 * @from_size: its size, bytes
 * @name: of the structure, for the sentence
 *
 * For libraries on top of this one, as faa_fail(). Members that @from lacks are 0 in @to.
 *
 * Return: 0; -E2BIG: a byte of @from after the first @to_size is not 0.
 */
int faa_struct_read(void *to, size_t to_size, const void *from, size_t from_size, const char *name);

/**
 * faa_struct_write() - copy a structure of a library to one of a caller
 * @to: the caller's structure; members that @from lacks become 0
 * @to_size: its size, bytes
 * @from: the library's structure
 * @from_size: its size, bytes
 */
void faa_struct_write(void *to, size_t to_size, const void *from, size_t from_size);

/* ------------------------------------------------------------------------------------------------
 * Time
 */

/** FAA_NO_DEADLINE - wait without a limit */
#define FAA_NO_DEADLINE INT64_MAX

/**
 * faa_deadline() - CLOCK_MONOTONIC @timeout nanoseconds from now
 * @timeout: nanoseconds; negative counts as 0
 *
 * Return: the deadline for the wait functions; FAA_NO_DEADLINE if the sum overflows.
 */
int64_t faa_deadline(int64_t timeout);

/* ------------------------------------------------------------------------------------------------
 * Device
 */

/** struct faa_device_info - properties of the device and the driver */
struct faa_device_info {
	/** @version_major: of the register map and the command stream. */
	uint32_t version_major;
	/** @version_minor: of the register map and the command stream. */
	uint32_t version_minor;
	/** @num_queues: hardware queues, shared by all programs. */
	uint32_t num_queues;
	/** @num_cus: compute units. */
	uint32_t num_cus;
	/** @warp_slots: warp slots of a compute unit. */
	uint32_t warp_slots;
	/** @lanes: lanes of a warp. */
	uint32_t lanes;
	/** @shared_max: largest shared memory of a queue, bytes. */
	uint32_t shared_max;
	/** @shared_granule: the shared memory of a queue is a multiple of this, bytes. */
	uint32_t shared_granule;
	/** @axi_width: width of the device's memory port, bits. */
	uint32_t axi_width;
	/** @va_bits: bits of a virtual address. */
	uint32_t va_bits;
	/** @features: bit n: enum faa_feature n. */
	uint64_t features;
	/** @page_sizes: bit n: pages of 2^n bytes. */
	uint64_t page_sizes;
	/** @job_timeout_ms: a job that makes no progress for this time is killed, milliseconds. */
	uint32_t job_timeout_ms;
	/** @job_limit_ms: a job that runs longer is killed, milliseconds. */
	uint32_t job_limit_ms;
	/** @host_atomics: enum drm_faa_host_atomics. */
	uint32_t host_atomics;
	/** @max_vms: VMs of one open device. */
	uint32_t max_vms;
	/** @max_queues: queues of one open device. */
	uint32_t max_queues;
	/** @max_bind_ops: operations of one bind call of the kernel. */
	uint32_t max_bind_ops;
	/** @max_jobs: jobs of one submission. */
	uint32_t max_jobs;
	/** @max_syncs: sync operations of one job; the library takes one of them. */
	uint32_t max_syncs;
	/** @max_status_entries: largest status ring, in jobs. */
	uint32_t max_status_entries;
};

/**
 * faa_device_open() - open the first faa render node
 * @device: out: the device, with one reference
 *
 * Return: 0; -ENODEV: there is none, and the error text names faa-run, which runs programs on a
 * simulated device; -EACCES: there is a node that the caller may not open, and no faa node that it
 * may; -EMFILE, -ENFILE, -ENOMEM: no descriptor or memory for the search; -EPROTO: a device whose
 * command stream has another major version.
 */
int faa_device_open(struct faa_device **device);

/**
 * faa_device_open_index() - open one of several faa devices
 * @index: from 0, in the order of the numbers of their render nodes
 * @device: out: the device, with one reference
 *
 * Nodes that the caller may not open have no index.
 *
 * Return: as faa_device_open(); -ENODEV, with the number of devices in the error text, if there are
 * not so many.
 */
int faa_device_open_index(unsigned int index, struct faa_device **device);

/**
 * faa_device_count() - number of faa devices, the indices of faa_device_open_index()
 *
 * Return: the number, 0 or more; a negative errno: errors of faa_device_open() other than -ENODEV.
 */
int faa_device_count(void);

/**
 * faa_device_open_path() - open a render node by its path
 * @path: such as /dev/dri/renderD128
 * @device: out: the device, with one reference
 *
 * Return: as faa_device_open(), -ENODEV if the node is not faa's, or the errno of open().
 */
int faa_device_open_path(const char *path, struct faa_device **device);

/**
 * faa_device_open_fd() - use a file descriptor of a render node
 * @fd: the descriptor; it is duplicated and stays the caller's
 * @device: out: the device, with one reference
 *
 * The duplicate shares GEM handles with @fd: another user of @fd must not close the library's
 * handles.
 *
 * Return: as faa_device_open_path().
 */
int faa_device_open_fd(int fd, struct faa_device **device);

/** struct faa_simulation - how a simulated device is started; all zero is allowed */
struct faa_simulation {
	/** @runner: faa-run; NULL: that of the library's installation, or else of $PATH. */
	const char *runner;
	/** @arguments: options of faa-run, such as "--engine=model", ended by NULL; NULL: none. */
	const char *const *arguments;
};

/** faa_device_open_simulated_sized() - faa_device_open_simulated() with the structure's size. */
int faa_device_open_simulated_sized(const struct faa_simulation *simulation, size_t simulation_size,
				    struct faa_device **device);

/**
 * faa_device_open_simulated() - start a machine with a simulated device and open the device
 * @simulation: NULL: all zero
 * @device: out: the device, with one reference
 *
 * For programs that cannot run inside faa-run as a whole, such as notebooks. The machine ends with
 * the last reference, or with the program. BOs are pages of the machine, which the program maps:
 * nothing is copied. Functions that need memory or descriptors of the program itself fail with
 * -EOPNOTSUPP: faa_vm_map_userptr(), faa_vm_share_process(), faa_bo_export() and faa_bo_import(). A
 * BO must be unmapped from its VMs before its last reference is dropped; otherwise the device finds
 * no memory there. faa_device_fd() is -1. Messages of faa-run go to standard error.
 *
 * Return: 0; -ENOENT: there is no faa-run; -ENODEV: the machine did not start, or its memory cannot
 * be reached; -EPROTO: faa-run is of another version; -E2BIG, -EMFILE, -ENOMEM; errors of
 * faa_device_open_path().
 */
static inline int faa_device_open_simulated(const struct faa_simulation *simulation,
					    struct faa_device **device)
{
	return faa_device_open_simulated_sized(simulation, sizeof(*simulation), device);
}

/** faa_device_ref() - take another reference; returns @device. */
struct faa_device *faa_device_ref(struct faa_device *device);

/**
 * faa_device_unref() - drop a reference; the last one closes the device
 * @device: device; NULL is allowed
 *
 * BOs, VMs and queues hold references of their own.
 */
void faa_device_unref(struct faa_device *device);

/**
 * faa_device_fd() - the library's file descriptor
 * @device: device
 *
 * Return: valid as long as @device; -1 for a device of faa_device_open_simulated().
 */
int faa_device_fd(const struct faa_device *device);

/** faa_device_info() - properties of the device; valid as long as @device. */
const struct faa_device_info *faa_device_info(const struct faa_device *device);

/**
 * faa_device_query() - raw DRM_IOCTL_FAA_DEV_QUERY
 * @device: device
 * @type: enum drm_faa_dev_query_type
 * @buffer: receives the answer; NULL: only its size is returned
 * @size: in: bytes at @buffer; out: bytes of the kernel's answer
 *
 * Return: 0; -EINVAL: unknown @type or a @size above 64 KiB; -ENODEV.
 */
int faa_device_query(struct faa_device *device, uint32_t type, void *buffer, size_t *size);

/* ------------------------------------------------------------------------------------------------
 * Buffer objects
 */

/** enum faa_bo_flags - flags of faa_bo_create() */
enum faa_bo_flags {
	/** @FAA_BO_NO_MMAP: the CPU will never map the BO. */
	FAA_BO_NO_MMAP = 1 << 0,
};

/**
 * faa_bo_create() - create a buffer object; its memory is zero
 * @device: device
 * @size: bytes, not 0; rounded up to whole pages
 * @flags: enum faa_bo_flags
 * @bo: out: the BO, with one reference
 *
 * Return: 0; -EINVAL: bad size or flags; -ENOMEM; -ENODEV.
 */
int faa_bo_create(struct faa_device *device, uint64_t size, uint32_t flags, struct faa_bo **bo);

/**
 * faa_bo_create_exclusive() - create a BO that only one VM may map
 * @vm: the VM
 * @size: as faa_bo_create()
 * @flags: as faa_bo_create()
 * @bo: out: the BO, with one reference
 *
 * Makes submission cheaper and export impossible.
 *
 * Return: as faa_bo_create().
 */
int faa_bo_create_exclusive(struct faa_vm *vm, uint64_t size, uint32_t flags, struct faa_bo **bo);

/** faa_bo_ref() - take another reference; returns @bo. */
struct faa_bo *faa_bo_ref(struct faa_bo *bo);

/**
 * faa_bo_unref() - drop a reference
 * @bo: BO; NULL is allowed
 *
 * The last one unmaps the BO from the CPU and closes its handle. Mappings in VMs stay until they
 * are unmapped.
 */
void faa_bo_unref(struct faa_bo *bo);

/** faa_bo_size() - bytes, a multiple of the page size. */
uint64_t faa_bo_size(const struct faa_bo *bo);

/** faa_bo_handle() - GEM handle, valid as long as @bo. */
uint32_t faa_bo_handle(const struct faa_bo *bo);

/**
 * faa_bo_map() - map a BO into the process, readable and writable
 * @bo: BO
 * @address: out: the whole BO; the same address at every call, valid as long as @bo
 *
 * Memory of another driver is mapped through its dma-buf; the caller brackets CPU accesses to it
 * with DMA_BUF_IOCTL_SYNC.
 *
 * Return: 0; -EPERM: made with FAA_BO_NO_MMAP; -ENOMEM; -ENODEV.
 */
int faa_bo_map(struct faa_bo *bo, void **address);

/**
 * faa_bo_set_label() - name a BO, so that its memory can be attributed
 * @bo: BO
 * @label: name, copied; at most 4095 bytes; NULL = none
 *
 * Root sees the name in debugfs (``bos``). All files that share the memory share the name.
 *
 * Return: 0; -E2BIG: too long; -EOPNOTSUPP: the driver is older than 1.3, or the device was opened
 * by faa_device_open_simulated(); -ENOMEM; -ENODEV.
 */
int faa_bo_set_label(struct faa_bo *bo, const char *label);

/**
 * faa_bo_export() - export as a dma-buf
 * @bo: BO
 * @fd: out: file descriptor, close-on-exec, the caller's; -1 on failure
 *
 * Return: 0; -EPERM: exclusive to a VM; -EMFILE; -ENOMEM.
 */
int faa_bo_export(struct faa_bo *bo, int *fd);

/**
 * faa_bo_import() - import a dma-buf
 * @device: device
 * @fd: dma-buf; stays the caller's
 * @bo: out: the BO, with one reference; the existing one if the device has this memory already
 *
 * Return: 0; -EBADF, -EINVAL: not a dma-buf that the device can use; -ENOMEM.
 */
int faa_bo_import(struct faa_device *device, int fd, struct faa_bo **bo);

/* ------------------------------------------------------------------------------------------------
 * Address spaces
 */

/** enum faa_map_flags - access of the device to a mapping */
enum faa_map_flags {
	/** @FAA_MAP_READONLY: a store is a page fault. */
	FAA_MAP_READONLY = 1 << 0,
	/** @FAA_MAP_ATOMIC: global atomic operations are allowed; not with FAA_MAP_READONLY. */
	FAA_MAP_ATOMIC = 1 << 1,
	/**
	 * @FAA_MAP_FAULTABLE: memory of the process only: changes of it do not wait for jobs.
	 *
	 * A job that needs changed memory ends with FAA_ERROR_NOT_MAPPED; the range must then be
	 * mapped again.
	 */
	FAA_MAP_FAULTABLE = 1 << 2,
};

/** FAA_VM_GUARD - lowest address that the library hands out, so that small wrong addresses fault */
#define FAA_VM_GUARD 65536

/**
 * faa_vm_create() - create an address space [FAA_VM_GUARD, 2^va_bits)
 * @device: device
 * @vm: out: the VM, with one reference
 *
 * Return: 0; -ENOSPC: too many VMs; -ENOMEM; -ENODEV.
 */
int faa_vm_create(struct faa_device *device, struct faa_vm **vm);

/** faa_vm_ref() - take another reference; returns @vm. */
struct faa_vm *faa_vm_ref(struct faa_vm *vm);

/**
 * faa_vm_unref() - drop a reference; the last one unmaps everything
 * @vm: VM; NULL is allowed
 *
 * A queue holds a reference of its own.
 */
void faa_vm_unref(struct faa_vm *vm);

/** faa_vm_id() - the kernel's ID of the VM, valid as long as @vm. */
uint32_t faa_vm_id(const struct faa_vm *vm);

/** faa_vm_device() - device of @vm. The VM keeps it; the caller gets no reference. */
struct faa_device *faa_vm_device(const struct faa_vm *vm);

/** struct faa_vm_info - the kernel's state of a VM */
struct faa_vm_info {
	/** @flags: enum drm_faa_vm_state_flags. */
	uint32_t flags;
	/** @fault_code: enum faa_error of the last page fault, 0 = none. */
	uint32_t fault_code;
	/** @fault_va: its address. */
	uint64_t fault_va;
	/** @fault_seqno: its job. */
	uint64_t fault_seqno;
};

/** faa_vm_info_sized() - faa_vm_info() with the structure's size. */
int faa_vm_info_sized(struct faa_vm *vm, struct faa_vm_info *info, size_t info_size);

/** faa_vm_info() - state and last page fault; works on a lost device too. 0 or -errno. */
static inline int faa_vm_info(struct faa_vm *vm, struct faa_vm_info *info)
{
	return faa_vm_info_sized(vm, info, sizeof(*info));
}

/**
 * faa_vm_reserve() - take an address range without mapping anything
 * @vm: VM
 * @size: bytes, a multiple of 4096, not 0
 * @align: alignment, a power of two; 0 = 4096
 * @va: out: address of the range
 *
 * Return: 0; -EINVAL; -ENOSPC: no free range is large enough; -ENOMEM.
 */
int faa_vm_reserve(struct faa_vm *vm, uint64_t size, uint64_t align, uint64_t *va);

/**
 * faa_vm_reserve_fixed() - take the address range [@va, @va + @size) without mapping anything
 * @vm: VM
 * @va: first address, a multiple of 4096
 * @size: bytes, a multiple of 4096, not 0
 *
 * Return: 0; -EINVAL: unaligned or outside of the VM; -EBUSY: in use; -ENOMEM.
 */
int faa_vm_reserve_fixed(struct faa_vm *vm, uint64_t va, uint64_t size);

/**
 * faa_vm_release() - give a reserved range, or a part of it, back
 * @vm: VM
 * @va: first address, a multiple of 4096
 * @size: bytes, a multiple of 4096, not 0
 *
 * Return: 0; -EINVAL: unaligned, or a byte of it is not in use; -ENOMEM.
 */
int faa_vm_release(struct faa_vm *vm, uint64_t va, uint64_t size);

/**
 * faa_vm_map() - map a part of a BO at an address that the library chooses
 * @vm: VM
 * @bo: BO
 * @offset: first byte of the BO, a multiple of 4096
 * @size: bytes, a multiple of 4096; 0 = up to the end of the BO
 * @flags: enum faa_map_flags
 * @va: out: its address; a multiple of 2 MiB for 2 MiB and more
 *
 * Return: 0; -EINVAL: alignment, range or flags; -ENOSPC: no free range is large enough; -ENOMEM;
 * -ENODEV.
 */
int faa_vm_map(struct faa_vm *vm, struct faa_bo *bo, uint64_t offset, uint64_t size, uint32_t flags,
	       uint64_t *va);

/**
 * faa_vm_map_fixed() - map a part of a BO at a given address
 * @vm: VM
 * @bo: BO
 * @offset: first byte of the BO, a multiple of 4096
 * @size: bytes, a multiple of 4096; 0 = up to the end of the BO
 * @flags: enum faa_map_flags
 * @va: its address, a multiple of 4096
 *
 * Return: as faa_vm_map(); -EBUSY: a part of the range is in use.
 */
int faa_vm_map_fixed(struct faa_vm *vm, struct faa_bo *bo, uint64_t offset, uint64_t size,
		     uint32_t flags, uint64_t va);

/**
 * faa_vm_bind() - map into a range that the caller has reserved, in place of former mappings
 * @vm: VM
 * @bo: BO
 * @offset: first byte of the BO, a multiple of 4096
 * @size: bytes, a multiple of 4096; 0 = up to the end of the BO
 * @flags: enum faa_map_flags
 * @va: its address, a multiple of 4096
 *
 * Return: 0; -EINVAL: alignment, flags, or the range is not reserved; -ENOMEM; -ENODEV.
 */
int faa_vm_bind(struct faa_vm *vm, struct faa_bo *bo, uint64_t offset, uint64_t size,
		uint32_t flags, uint64_t va);

/**
 * faa_vm_unbind() - unmap [@va, @va + @size) and keep the range reserved
 * @vm: VM
 * @va: first address, a multiple of 4096
 * @size: bytes, a multiple of 4096, not 0
 *
 * Return: as faa_vm_unmap().
 */
int faa_vm_unbind(struct faa_vm *vm, uint64_t va, uint64_t size);

/**
 * faa_vm_unmap() - unmap [@va, @va + @size), whole mappings or parts, and release the addresses
 * @vm: VM
 * @va: first address, a multiple of 4096
 * @size: bytes, a multiple of 4096, not 0
 *
 * When it returns the device no longer accesses the range; a job that still needs it ends with a
 * page fault.
 *
 * Return: 0; -EINVAL: unaligned, or a byte of the range is not in use; -ENOMEM; -ENODEV.
 */
int faa_vm_unmap(struct faa_vm *vm, uint64_t va, uint64_t size);

/**
 * faa_vm_drop() - faa_vm_unmap() for a function that returns nothing
 * @vm: VM
 * @va: first address, a multiple of 4096
 * @size: bytes, a multiple of 4096, not 0
 *
 * An error is ignored, and faa_last_error() stays as it is.
 */
void faa_vm_drop(struct faa_vm *vm, uint64_t va, uint64_t size);

/**
 * faa_vm_map_userptr() - map memory of the process at an address that the library chooses
 * @vm: VM
 * @address: its first byte, a multiple of 4096
 * @size: bytes, a multiple of 4096, not 0, at most 2^38
 * @flags: enum faa_map_flags
 * @va: out: its address; a multiple of 2 MiB for 2 MiB and more
 *
 * Nothing is pinned: the program may use and change the memory as before. A change of the pages
 * (munmap, mprotect, fork, swap) waits for the jobs of the VM; the next submission maps the pages
 * that are there then. The mapping lasts until faa_vm_unmap().
 *
 * Return: 0; -EFAULT: there is no such memory, or it is a device's (a mapped BO too); -EPERM: it
 * cannot be written and FAA_MAP_READONLY is missing; -EINVAL: alignment or flags; -EOPNOTSUPP: not
 * supported by the kernel; -ENOSPC; -ENOMEM; -ENODEV.
 */
int faa_vm_map_userptr(struct faa_vm *vm, void *address, uint64_t size, uint32_t flags,
		       uint64_t *va);

/**
 * faa_vm_map_null() - map no memory: the device reads 0 there, and its writes are dropped
 * @vm: VM
 * @size: bytes, a multiple of 4096, not 0, at most 2^40
 * @flags: FAA_MAP_READONLY or FAA_MAP_ATOMIC or 0
 * @va: out: its address
 *
 * Return: 0; -EOPNOTSUPP: the device lacks FAA_FEATURE_SPARSE; -EINVAL; -ENOSPC; -ENOMEM; -ENODEV.
 */
int faa_vm_map_null(struct faa_vm *vm, uint64_t size, uint32_t flags, uint64_t *va);

/** enum faa_bind_op - operation of a &struct faa_bind */
enum faa_bind_op {
	/** @FAA_BIND_MAP: map a part of a BO. */
	FAA_BIND_MAP = 0,
	/** @FAA_BIND_UNMAP: unmap; the range stays reserved. */
	FAA_BIND_UNMAP = 1,
	/** @FAA_BIND_MAP_USERPTR: map memory of the process. */
	FAA_BIND_MAP_USERPTR = 2,
	/** @FAA_BIND_MAP_NULL: map no memory: reads give 0, writes are dropped. */
	FAA_BIND_MAP_NULL = 3,
};

/**
 * struct faa_bind - one operation of faa_vm_bind_batch()
 *
 * Members that the operation does not use are 0.
 */
struct faa_bind {
	/** @op: enum faa_bind_op. */
	uint32_t op;
	/** @flags: enum faa_map_flags; 0 for FAA_BIND_UNMAP. */
	uint32_t flags;
	/** @bo: FAA_BIND_MAP: the BO. */
	struct faa_bo *bo;
	/** @offset: FAA_BIND_MAP: its first byte, a multiple of 4096. */
	uint64_t offset;
	/** @address: FAA_BIND_MAP_USERPTR: first byte in the process, a multiple of 4096. */
	void *address;
	/** @va: address in the VM, a multiple of 4096; the range must be reserved. */
	uint64_t va;
	/** @size: bytes, a multiple of 4096, not 0. */
	uint64_t size;
};

/** faa_vm_bind_batch_sized() - faa_vm_bind_batch() with the structure's size. */
int faa_vm_bind_batch_sized(struct faa_vm *vm, const struct faa_bind *binds, size_t bind_size,
			    uint32_t count, uint32_t *failed);

/**
 * faa_vm_bind_batch() - map and unmap in ranges that the caller has reserved, in one call
 * @vm: VM
 * @binds: @count operations, done in this order; each replaces former mappings of its range
 * @count: 1..max_bind_ops
 * @failed: out, on failure too: the first operation that was not done, @count if all were or none
 *          was tried. May be NULL.
 *
 * Return: 0; errors of faa_vm_bind(), faa_vm_map_userptr() and faa_vm_map_null(). Operations before
 * the failed one are done, unless the library rejected it as malformed (-EINVAL): then none is.
 */
static inline int faa_vm_bind_batch(struct faa_vm *vm, const struct faa_bind *binds, uint32_t count,
				    uint32_t *failed)
{
	return faa_vm_bind_batch_sized(vm, binds, sizeof(*binds), count, failed);
}

/** faa_vm_bind_async_sized() - faa_vm_bind_async() with the structure's size. */
int faa_vm_bind_async_sized(struct faa_vm *vm, const struct faa_bind *binds, size_t bind_size,
			    uint32_t count, const struct faa_sync *syncs, uint32_t sync_count,
			    uint32_t *failed);

/**
 * faa_vm_bind_async() - as faa_vm_bind_batch(), but after the waits of @syncs
 * @vm: VM
 * @binds: @count operations
 * @count: 1..max_bind_ops
 * @syncs: @sync_count syncobjs that are waited for before, or signaled after
 * @sync_count: 0..max_syncs
 * @failed: out: the first operation that was rejected. May be NULL.
 *
 * The operations are done after the call has returned. Errors are returned at once, and then no
 * operation is done. Calls of one VM take effect in their order; only syncobjs order jobs with
 * them.
 *
 * Return: as faa_vm_bind_batch(); -EINVAL also: a malformed sync operation; -EAGAIN: a wait for a
 * signal that is not promised yet (faa_syncobj_wait_promised() waits for that); -ENOENT: no such
 * syncobj.
 */
static inline int faa_vm_bind_async(struct faa_vm *vm, const struct faa_bind *binds, uint32_t count,
				    const struct faa_sync *syncs, uint32_t sync_count,
				    uint32_t *failed)
{
	return faa_vm_bind_async_sized(vm, binds, sizeof(*binds), count, syncs, sync_count, failed);
}

/**
 * faa_vm_share_process() - make pointers of the process device addresses of the VM
 * @vm: a VM without queues, in which nothing is mapped or reserved yet
 *
 * A job may use any address that a thread could: heap, stack, data, mapped files, and its stream
 * may lie there. No memory is mapped at first. A job that touches an unmapped address stops; the
 * library maps the memory around it and resumes the job at that warp. To the caller it is one job:
 * order, waits, signals, status and statistics. An address where the process has no memory, or may
 * not write, ends the job with the device's error. BOs are mapped as in other VMs, at addresses
 * that no pointer has; pointers into mapped BOs are no device addresses.
 *
 * A thread of the library submits the jobs of such a VM to the device, one at a time for each
 * queue. Their syncobjs get fences only when the jobs have ended. Until then only jobs of such VMs,
 * and faa_syncobj_wait(), can wait for them.
 *
 * Return: 0; -EALREADY: already shared; -EBUSY: there is a queue or a mapping; -EOPNOTSUPP: the
 * kernel cannot map memory of processes, or the process's addresses leave no half of the VM for
 * BOs; -ENOENT: no /proc; -ENOMEM; -ENODEV.
 */
int faa_vm_share_process(struct faa_vm *vm);

/* ------------------------------------------------------------------------------------------------
 * Syncobjs: DRM's, by handle
 */

/** enum faa_sync_flags - flags of struct faa_sync */
enum faa_sync_flags {
	/** @FAA_SYNC_TIMELINE: a point of a timeline; otherwise a binary syncobj. */
	FAA_SYNC_TIMELINE = 1 << 0,
	/** @FAA_SYNC_SIGNAL: signal when the job has ended; otherwise wait before it starts. */
	FAA_SYNC_SIGNAL = 1 << 1,
};

/** struct faa_sync - a wait or signal operation of a job */
struct faa_sync {
	/** @flags: enum faa_sync_flags. */
	uint32_t flags;
	/** @handle: syncobj. */
	uint32_t handle;
	/** @point: point of a timeline, not 0; 0 for a binary syncobj. */
	uint64_t point;
};

/** faa_syncobj_create() - a new syncobj, signaled at once if @signaled; 0 or -errno. */
int faa_syncobj_create(struct faa_device *device, bool signaled, uint32_t *handle);

/** faa_syncobj_destroy() - drop a handle; 0 or -errno. */
int faa_syncobj_destroy(struct faa_device *device, uint32_t handle);

/**
 * faa_syncobj_wait() - wait for syncobjs
 * @device: device
 * @handles: @count handles
 * @points: @count timeline points, or NULL for binary syncobjs
 * @count: number of syncobjs, not 0
 * @all: wait for all of them, otherwise for one
 * @deadline: CLOCK_MONOTONIC, nanoseconds
 *
 * Also waits for the promise of a signal. A job's signal comes when the job has ended, with or
 * without an error.
 *
 * Return: 0; -ETIME: @deadline passed first; -ENOENT: no such syncobj; -EINVAL: @count is 0;
 * -ENODEV: the device is gone.
 */
int faa_syncobj_wait(struct faa_device *device, const uint32_t *handles, const uint64_t *points,
		     uint32_t count, bool all, int64_t deadline);

/**
 * faa_syncobj_wait_promised() - wait until signals are promised, not until they are given
 * @device: device
 * @handles: @count handles
 * @points: @count timeline points, or NULL for binary syncobjs
 * @count: number of syncobjs, not 0
 * @all: wait for all of them, otherwise for one
 * @deadline: CLOCK_MONOTONIC, nanoseconds
 *
 * A signal is promised once the job that gives it is submitted (in a shared VM: has ended), or once
 * the CPU has signaled. From then on a job may wait for it.
 *
 * Return: as faa_syncobj_wait(); -ENOMEM.
 */
int faa_syncobj_wait_promised(struct faa_device *device, const uint32_t *handles,
			      const uint64_t *points, uint32_t count, bool all, int64_t deadline);

/**
 * faa_syncobj_signal() - signal a syncobj from the CPU
 * @device: device
 * @handle: syncobj
 * @point: point of a timeline; 0 for a binary syncobj
 *
 * Return: 0 or -errno.
 */
int faa_syncobj_signal(struct faa_device *device, uint32_t handle, uint64_t point);

/** faa_syncobj_query() - last signaled point of a timeline; 0 or -errno. */
int faa_syncobj_query(struct faa_device *device, uint32_t handle, uint64_t *point);

/* ------------------------------------------------------------------------------------------------
 * Queues and jobs
 */

/** struct faa_queue_options - options of a queue; all zero: no shared memory, normal priority */
struct faa_queue_options {
	/** @shared_bytes: shared memory, a multiple of shared_granule, at most shared_max. */
	uint32_t shared_bytes;
	/** @low_priority: run when no other queue is runnable. */
	bool low_priority;
	/** @high_priority: needs CAP_SYS_NICE; not with @low_priority. */
	bool high_priority;
	/**
	 * @status_entries: jobs whose status is kept, and limit of unfinished jobs; power of two,
	 * 64..4096, 0 = 256.
	 */
	uint32_t status_entries;
};

/** faa_queue_create_sized() - faa_queue_create() with the structure's size. */
int faa_queue_create_sized(struct faa_vm *vm, const struct faa_queue_options *options,
			   size_t options_size, struct faa_queue **queue);

/**
 * faa_queue_create() - create a queue
 * @vm: VM in which its jobs run
 * @options: or NULL
 * @queue: out: the queue
 *
 * A queue is one CTA: shared memory, registers and predicates start with zero and persist from job
 * to job.
 *
 * Return: 0; -EINVAL: an option is out of range; -EACCES: priority not allowed; -ENOSPC: no queue
 * left; -ENOMEM; -ENODEV.
 */
static inline int faa_queue_create(struct faa_vm *vm, const struct faa_queue_options *options,
				   struct faa_queue **queue)
{
	return faa_queue_create_sized(vm, options, sizeof(*options), queue);
}

/** faa_queue_destroy() - destroy a queue; unfinished jobs are cancelled. NULL is allowed. */
void faa_queue_destroy(struct faa_queue *queue);

/** faa_queue_id() - the kernel's ID of the queue. */
uint32_t faa_queue_id(const struct faa_queue *queue);

/**
 * faa_queue_syncobj() - the queue's timeline: point s is signaled when job s has ended
 * @queue: queue
 *
 * Return: a handle that the queue owns.
 */
uint32_t faa_queue_syncobj(const struct faa_queue *queue);

/** enum faa_job_flags - &struct faa_job.flags */
enum faa_job_flags {
	/**
	 * @FAA_JOB_TOGETHER: the stream runs at the same time as that of the next job of the call.
	 *
	 * Jobs chained so, and the job after the last of them, form a group of at most warp_slots
	 * jobs, each in a warp slot of one compute unit. Only the first may wait. They share the
	 * queue's shared memory. Each place in the group has its own registers, which the next job
	 * at that place finds unchanged. If one job fails, the others end with FAA_ERROR_STOPPED.
	 */
	FAA_JOB_TOGETHER = 1 << 0,
};

/** struct faa_job - one stream to run */
struct faa_job {
	/** @stream_va: address of the stream, a multiple of 8. */
	uint64_t stream_va;
	/** @stream_bytes: its size, a multiple of 8, not 0. */
	uint32_t stream_bytes;
	/** @first_element: element at which its first command starts, multiple of 32 (restart). */
	uint32_t first_element;
	/** @syncs: @sync_count sync operations. */
	const struct faa_sync *syncs;
	/** @sync_count: at most max_syncs - 1. */
	uint32_t sync_count;
	/** @flags: mask of enum faa_job_flags. */
	uint32_t flags;
};

/** faa_queue_submit_sized() - faa_queue_submit() with the structure's size. */
int faa_queue_submit_sized(struct faa_queue *queue, const struct faa_job *jobs, size_t job_size,
			   uint32_t count, uint64_t *first_seqno);

/**
 * faa_queue_submit() - submit jobs, all or none
 * @queue: queue
 * @jobs: @count jobs; they run in this order, groups (FAA_JOB_TOGETHER) at once, after all that
 *        were submitted before
 * @count: 1..max_jobs
 * @first_seqno: out: sequence number of the first; job i has @first_seqno + i. May be NULL.
 *
 * Return: 0; -EINVAL: a job is malformed; a group has too many jobs, no last job, or a wait in a
 * job other than its first; or the kernel has no groups; -EAGAIN: a job waits for a signal that is
 * not promised yet: call faa_syncobj_wait_promised(), then submit again; -EOPNOTSUPP: a group, and
 * the VM is shared (faa_vm_share_process()); -ENOENT: no such syncobj; -ECANCELED: the queue is
 * dead; -ENOSPC: status_entries jobs are unfinished, wait for one; -ENOMEM; -ENODEV.
 */
static inline int faa_queue_submit(struct faa_queue *queue, const struct faa_job *jobs,
				   uint32_t count, uint64_t *first_seqno)
{
	return faa_queue_submit_sized(queue, jobs, sizeof(*jobs), count, first_seqno);
}

/**
 * faa_queue_wait() - wait until a job and all jobs before it have ended, with or without an error
 * @queue: queue
 * @seqno: sequence number of the job
 * @deadline: CLOCK_MONOTONIC, nanoseconds
 *
 * Return: 0: it has ended; -ETIME: @deadline passed first; -EINVAL: no such job was submitted;
 * -ENODEV: the device was lost, and left no record of the job.
 */
int faa_queue_wait(struct faa_queue *queue, uint64_t seqno, int64_t deadline);

/** enum faa_job_code - codes of &struct faa_job_status without a record of the device */
enum faa_job_code {
	/** @FAA_JOB_NOT_SUBMITTED: the job was rejected. There is no such job; seqno is 0. */
	FAA_JOB_NOT_SUBMITTED = 0x10000,
	/** @FAA_JOB_UNFINISHED: the job was submitted, and has not ended. */
	FAA_JOB_UNFINISHED,
	/** @FAA_JOB_OVERWRITTEN: the job has ended, and a later job has reused its status slot. */
	FAA_JOB_OVERWRITTEN,
};

/** struct faa_job_status - result of a job */
struct faa_job_status {
	/** @seqno: sequence number of the job, 0 = no job. */
	uint64_t seqno;
	/** @code: enum faa_error, 0 = success; or enum faa_job_code, all later members 0. */
	uint32_t code;
	/** @command: byte offset in the stream of the command that failed (of END on success). */
	uint32_t command;
	/** @element: failing element of that command. */
	uint32_t element;
	/** @lane: its lane. */
	uint32_t lane;
	/** @address: offending address or word. */
	uint64_t address;
	/** @elements_retired: elements that the job completed. */
	uint64_t elements_retired;
	/**
	 * @start_cycle: device cycle counter at its start.
	 *
	 * The C model has no clock: its counter counts steps, which do not measure time.
	 */
	uint64_t start_cycle;
	/** @end_cycle: the same counter at its end. */
	uint64_t end_cycle;
	/** @warps: warps completed, modulo 2^32. */
	uint32_t warps;
	/** @passes: passes over the shared memory banks, modulo 2^32. */
	uint32_t passes;
};

/** faa_queue_status_sized() - faa_queue_status() with the structure's size. */
int faa_queue_status_sized(struct faa_queue *queue, uint64_t seqno, struct faa_job_status *status,
			   size_t status_size);

/**
 * faa_queue_status() - read the result of a job
 * @queue: queue
 * @seqno: sequence number of the job
 * @status: out: its status; on failure its code is not success
 *
 * Works on a lost device too: the records stay.
 *
 * Return: 0; -EBUSY: the job has not ended; -ENODATA: a later job has reused its slot; -EINVAL: no
 * such job; -ENODEV: the device was lost, and left no record.
 */
static inline int faa_queue_status(struct faa_queue *queue, uint64_t seqno,
				   struct faa_job_status *status)
{
	return faa_queue_status_sized(queue, seqno, status, sizeof(*status));
}

/** faa_queue_run_sized() - faa_queue_run() with the structures' sizes. */
int faa_queue_run_sized(struct faa_queue *queue, const struct faa_job *job, size_t job_size,
			int64_t deadline, struct faa_job_status *status, size_t status_size);

/**
 * faa_queue_run() - submit one job, wait for it, and read its status
 * @queue: queue
 * @job: the job
 * @deadline: CLOCK_MONOTONIC, nanoseconds
 * @status: out: its status. May be NULL.
 *
 * A rejected submission and a failed job may have the same errno; @status tells them apart: the
 * code of a rejected one is FAA_JOB_NOT_SUBMITTED, and only a job that has ended has a code of enum
 * faa_error.
 *
 * Return: 0: it succeeded; its faa_status_errno() if it failed; -ETIME: it still runs; errors of
 * faa_queue_submit().
 */
static inline int faa_queue_run(struct faa_queue *queue, const struct faa_job *job,
				int64_t deadline, struct faa_job_status *status)
{
	return faa_queue_run_sized(queue, job, sizeof(*job), deadline, status, sizeof(*status));
}

/** faa_queue_run_group_sized() - faa_queue_run_group() with the structures' sizes. */
int faa_queue_run_group_sized(struct faa_queue *queue, const struct faa_job *jobs, size_t job_size,
			      uint32_t count, int64_t deadline, struct faa_job_status *statuses,
			      size_t status_size);

/**
 * faa_queue_run_group() - submit jobs that run at the same time, wait for all, and read statuses
 * @queue: queue
 * @jobs: the group, @count jobs; their FAA_JOB_TOGETHER is set by the function
 * @count: 1..warp_slots
 * @deadline: CLOCK_MONOTONIC, nanoseconds
 * @statuses: out: @count statuses, as of faa_queue_run(). May be NULL.
 *
 * Return: 0: all succeeded; otherwise faa_status_errno() of the first job that failed on its own;
 * -ETIME: the group still runs; errors of faa_queue_submit().
 */
static inline int faa_queue_run_group(struct faa_queue *queue, const struct faa_job *jobs,
				      uint32_t count, int64_t deadline,
				      struct faa_job_status *statuses)
{
	return faa_queue_run_group_sized(queue, jobs, sizeof(*jobs), count, deadline, statuses,
					 sizeof(*statuses));
}

/** struct faa_queue_info - the kernel's state of a queue */
struct faa_queue_info {
	/** @flags: enum drm_faa_queue_state_flags; 0 = alive. */
	uint32_t flags;
	/** @resets: resets of compute units that its jobs caused. */
	uint32_t resets;
	/** @submitted: sequence number of the last job submitted. */
	uint64_t submitted;
	/** @completed: all jobs up to this one have ended. */
	uint64_t completed;
	/** @failed: jobs that ended with an error. */
	uint64_t failed;
	/** @error_seqno: the last of these, 0 = none. */
	uint64_t error_seqno;
	/** @elements_retired: elements that all ended jobs completed. */
	uint64_t elements_retired;
};

/** faa_queue_info_sized() - faa_queue_info() with the structure's size. */
int faa_queue_info_sized(struct faa_queue *queue, struct faa_queue_info *info, size_t info_size);

/** faa_queue_info() - state of the queue; works on a lost device too. 0 or -errno. */
static inline int faa_queue_info(struct faa_queue *queue, struct faa_queue_info *info)
{
	return faa_queue_info_sized(queue, info, sizeof(*info));
}

/**
 * faa_queue_dump() - dump the position of each stream of a queue, with the state around it
 * @queue: queue, which continues
 * @dump: out: the dump, in the format of <drm/faa_dump.h>; the caller frees it. NULL on failure.
 * @size: out: its bytes
 *
 * ``faa-dis --dump FILE`` shows a dump that was written to a file: commands with an arrow at the
 * position, page table, records, registers.
 *
 * Return: 0; -EOPNOTSUPP: the driver is older than version 1.3; -ENOMEM; -ENODEV.
 */
int faa_queue_dump(struct faa_queue *queue, void **dump, size_t *size);

/* ------------------------------------------------------------------------------------------------
 * Status records in words
 */

/** faa_status_errno_sized() - faa_status_errno() with the structure's size. */
int faa_status_errno_sized(const struct faa_job_status *status, size_t status_size);

/**
 * faa_status_errno() - a status as an errno
 * @status: status record
 *
 * Return: 0 for success; the errno of the job's fence: -EINVAL, -EFAULT, -ETIMEDOUT, -ECANCELED,
 * -ENODEV; of enum faa_job_code: -ENOENT, -EBUSY, -ENODATA. A record of zeros belongs to no job:
 * -ENOENT.
 */
static inline int faa_status_errno(const struct faa_job_status *status)
{
	return faa_status_errno_sized(status, sizeof(*status));
}

/** faa_error_text() - meaning of an enum faa_error or enum faa_job_code, in words; never NULL. */
const char *faa_error_text(uint32_t code);

/** faa_status_format_sized() - faa_status_format() with the structure's size. */
size_t faa_status_format_sized(const struct faa_job_status *status, size_t status_size,
			       const uint64_t *words, size_t count, char *buffer, size_t size);

/**
 * faa_status_format() - the status of a job in words
 * @status: status record
 * @words: the stream that the job ran, or NULL: the command is then named by its byte offset
 * @count: words of it
 * @buffer: receives the text, truncated to fit and terminated; may be NULL if @size is 0
 * @size: bytes at @buffer
 *
 * Examples: "job 17: misaligned address 0x1002 at command 3, element 96, lane 0", "no job: it was
 * not submitted". Commands are counted from 0 in the order of the stream. If the job was stopped in
 * a loop, the text names the commands of the loop.
 *
 * Return: length of the whole text without its terminator, as snprintf().
 */
static inline size_t faa_status_format(const struct faa_job_status *status, const uint64_t *words,
				       size_t count, char *buffer, size_t size)
{
	return faa_status_format_sized(status, sizeof(*status), words, count, buffer, size);
}

/** faa_status_restart_sized() - faa_status_restart() with the structures' sizes. */
int faa_status_restart_sized(const struct faa_job_status *status, size_t status_size,
			     const uint64_t *words, size_t count, struct faa_job *job,
			     size_t job_size);

/**
 * faa_status_restart() - prepare the rest of a job that stopped
 * @status: status of that job
 * @words: the stream that it ran
 * @count: words of it
 * @job: in: the job that was submitted; out: the rest of it, with the same syncs. On failure
 *       unchanged.
 *
 * The caller must have removed the cause of the failure. A job that never ran is restarted whole.
 * The jobs of a group restart as a group, each at its former place, where its registers are.
 *
 * Return: 0; -EALREADY: it succeeded; -EIO: the position is not known exactly (bus error, reset,
 * timeout, device lost, not ended, record overwritten); -EINVAL: @status does not fit the stream,
 * or the rest contains a jump to a command before it.
 */
static inline int faa_status_restart(const struct faa_job_status *status, const uint64_t *words,
				     size_t count, struct faa_job *job)
{
	return faa_status_restart_sized(status, sizeof(*status), words, count, job, sizeof(*job));
}

/* ------------------------------------------------------------------------------------------------
 * Counters
 */

/** FAA_SNAPSHOT_BYTES - size of a snapshot of faa_stream_snapshot() */
#define FAA_SNAPSHOT_BYTES (FAA_COUNTERS * 8)

/** struct faa_counters - one snapshot; index: enum faa_counter */
struct faa_counters {
	/** @value: free running. */
	uint64_t value[FAA_COUNTERS];
};

/** faa_counters_read() - decode the FAA_SNAPSHOT_BYTES bytes at @snapshot. */
void faa_counters_read(const void *snapshot, struct faa_counters *counters);

/** faa_counters_diff() - @diff = @after - @before, each modulo 2^64. */
void faa_counters_diff(const struct faa_counters *before, const struct faa_counters *after,
		       struct faa_counters *diff);

/** struct faa_cu_counters - counters of a compute unit at one time */
struct faa_cu_counters {
	/** @cycle: clock cycle of the device before the counters were read. */
	uint64_t cycle;
	/** @counters: one after the other. */
	struct faa_counters counters;
};

/** enum faa_counters_flags - flags of struct faa_counters_sample */
enum faa_counters_flags {
	/**
	 * @FAA_COUNTERS_NO_VALUES: the device was asleep, was being reset, or did not answer; all
	 * counters and cycles are 0.
	 */
	FAA_COUNTERS_NO_VALUES = 1 << 0,
	/** @FAA_COUNTERS_ASLEEP: it was asleep; with FAA_COUNTERS_NO_VALUES. */
	FAA_COUNTERS_ASLEEP = 1 << 1,
	/**
	 * @FAA_COUNTERS_RESTARTED: the counters started at 0 again since the last sample with
	 * values.
	 */
	FAA_COUNTERS_RESTARTED = 1 << 2,
};

/** struct faa_counters_sample - the counters of all compute units, from faa_counters_next() */
struct faa_counters_sample {
	/** @time: CLOCK_MONOTONIC before they were read, nanoseconds. */
	uint64_t time;
	/** @total_cycles: clock cycles of the device, with those before its resets. */
	uint64_t total_cycles;
	/** @dropped: samples since the one before that found the kernel's buffer full. */
	uint64_t dropped;
	/** @late: samples since then that were due while the one before was still being taken. */
	uint64_t late;
	/** @flags: enum faa_counters_flags. */
	uint32_t flags;
	/** @num_cus: compute units. */
	uint32_t num_cus;
	/** @cus: of each compute unit; valid until the next call of the stream. */
	const struct faa_cu_counters *cus;
};

struct faa_counters_stream;

/**
 * faa_counters_open() - have the kernel sample the counters of all compute units
 * @device: device
 * @period: from one sample to the next, nanoseconds, 100 us to 10 s
 * @records: samples that the kernel keeps until they are read, 1..4096; it drops further ones
 * @stream: out: the stream, which holds the device
 *
 * The counters include the work of all programs. A stream neither wakes the device up nor keeps it
 * awake. A stream belongs to one thread at a time.
 *
 * Return: 0; -EINVAL: @period or @records out of range; -EACCES: the process lacks CAP_PERFMON;
 * -ENOSPC: the device or its file has too many streams; -EOPNOTSUPP: a driver before 1.4, or a
 * device of faa_device_open_simulated(); -EMFILE, -ENFILE, -ENOMEM, -ENODEV.
 */
int faa_counters_open(struct faa_device *device, uint64_t period, uint32_t records,
		      struct faa_counters_stream **stream);

/** faa_counters_next_sized() - faa_counters_next() with the structure's size. */
int faa_counters_next_sized(struct faa_counters_stream *stream, struct faa_counters_sample *sample,
			    size_t sample_size, int64_t deadline);

/**
 * faa_counters_next() - the next sample of a stream
 * @stream: stream
 * @sample: out: the oldest sample that has not been returned; the first is taken at once
 * @deadline: CLOCK_MONOTONIC, nanoseconds, or FAA_NO_DEADLINE
 *
 * Return: 0; -ETIME: there was none until @deadline; -ENODEV: the device is gone, and all samples
 * that it left have been returned; -EPROTO: the kernel's record is malformed.
 */
static inline int faa_counters_next(struct faa_counters_stream *stream,
				    struct faa_counters_sample *sample, int64_t deadline)
{
	return faa_counters_next_sized(stream, sample, sizeof(*sample), deadline);
}

/**
 * faa_counters_fd() - the file descriptor of a stream, for poll()
 * @stream: stream
 *
 * It is readable when the kernel has a sample; faa_counters_next() may have read further ones
 * before, which a call with deadline 0 returns.
 *
 * Return: valid as long as @stream.
 */
int faa_counters_fd(const struct faa_counters_stream *stream);

/** faa_counters_close() - end a stream; NULL is allowed. */
void faa_counters_close(struct faa_counters_stream *stream);

/** faa_counter_name() - "CYCLES" for FAA_COUNTER_CYCLES; NULL if there is no such counter. */
const char *faa_counter_name(uint32_t counter);

/* ------------------------------------------------------------------------------------------------
 * Operands of vector commands
 */

/** faa_none() - operand absent. */
static inline struct faa_operand faa_none(void)
{
	struct faa_operand operand = { 0, 0, 0, 0, 0, 0, 0 };

	return operand;
}

/** faa_reg() - vector register @reg, 0..254, 255 = RZ; 64 bits: even @reg and the next register. */
static inline struct faa_operand faa_reg(uint8_t reg)
{
	struct faa_operand operand = { FAA_KIND_REG, reg, 0, 0, 0, 0, 0 };

	return operand;
}

/** faa_imm() - the same value for every element. */
static inline struct faa_operand faa_imm(uint64_t value)
{
	struct faa_operand operand = { FAA_KIND_IMM, 0, 0, 0, 0, value, 0 };

	return operand;
}

/** faa_affine() - @base + element * @step, modulo 2^64. */
static inline struct faa_operand faa_affine(uint64_t base, uint64_t step)
{
	struct faa_operand operand = { FAA_KIND_AFFINE, 0, 0, 0, 0, base, step };

	return operand;
}

/** faa_type_bits() - bits of an item of @type, an enum faa_type: 8, 16, 32 or 64; 0: no type. */
unsigned int faa_type_bits(unsigned int type);

/** faa_array() - one item of @type per element at @va, @va + @stride, ...; stride 0: one for all */
static inline struct faa_operand faa_array(uint64_t va, enum faa_type type, int32_t stride)
{
	struct faa_operand operand = { FAA_KIND_STREAM, 0, (uint8_t)type, 0, stride, va, 0 };

	return operand;
}

/** faa_array_u8() - array of bytes, @stride bytes apart. */
static inline struct faa_operand faa_array_u8(uint64_t va, int32_t stride)
{
	return faa_array(va, FAA_TYPE_U8, stride);
}

/** faa_array_u16() - array of 16-bit items, @stride bytes apart. */
static inline struct faa_operand faa_array_u16(uint64_t va, int32_t stride)
{
	return faa_array(va, FAA_TYPE_U16, stride);
}

/** faa_array_u32() - array of 32-bit items, @stride bytes apart. */
static inline struct faa_operand faa_array_u32(uint64_t va, int32_t stride)
{
	return faa_array(va, FAA_TYPE_U32, stride);
}

/** faa_array_u64() - array of 64-bit items, @stride bytes apart. */
static inline struct faa_operand faa_array_u64(uint64_t va, int32_t stride)
{
	return faa_array(va, FAA_TYPE_U64, stride);
}

/**
 * faa_scaled() - the items of an array as base + (item << shift)
 * @operand: array; not for a destination
 * @shift: 0..7
 * @base: added to each item
 */
static inline struct faa_operand faa_scaled(struct faa_operand operand, uint8_t shift,
					    uint64_t base)
{
	operand.shift = shift;
	operand.step = base;
	return operand;
}

/**
 * faa_place_header() - place in the surface of a header of the pool, without sparse status
 * @dim: dimensions of the operation
 * @clamp: clamping of coordinates
 * @index: index of the header
 */
static inline struct faa_place faa_place_header(enum faa_dim dim, enum faa_clamp clamp,
						uint32_t index)
{
	struct faa_place place = { (uint8_t)dim, (uint8_t)clamp, FAA_HANDLE_KIND_INDEX, 0, 0,
				   FAA_PT,	 index };

	return place;
}

/**
 * faa_place_bank() - as faa_place_header(), with a word of the constant bank as the handle
 * @dim: dimensions of the operation
 * @clamp: clamping of coordinates
 * @word: 0..FAA_CONSTANT_WORDS - 1
 */
static inline struct faa_place faa_place_bank(enum faa_dim dim, enum faa_clamp clamp, uint32_t word)
{
	struct faa_place place = { (uint8_t)dim, (uint8_t)clamp, FAA_HANDLE_KIND_BANK, 0, 0, FAA_PT,
				   word };

	return place;
}

/** faa_place_reg() - as faa_place_header(); each lane has its handle in register @reg, 0..254. */
static inline struct faa_place faa_place_reg(enum faa_dim dim, enum faa_clamp clamp, uint8_t reg)
{
	struct faa_place place = { (uint8_t)dim, (uint8_t)clamp, FAA_HANDLE_KIND_REG, 0, 0, FAA_PT,
				   reg };

	return place;
}

/* ------------------------------------------------------------------------------------------------
 * Streams
 *
 * Each function that adds a command checks its arguments. The first error is kept: later calls
 * return it and add nothing, so a program may ignore the results while it builds a stream, and
 * check once, in faa_stream_finish() or _upload().
 */

/** FAA_STREAM_MAX_WORDS - longest stream */
#define FAA_STREAM_MAX_WORDS ((1u << 29) - 1)

/** faa_stream_create() - an empty stream; 0 or -ENOMEM. */
int faa_stream_create(struct faa_stream **stream);

/** faa_stream_destroy() - free it; NULL is allowed. */
void faa_stream_destroy(struct faa_stream *stream);

/** faa_stream_reset() - remove commands, labels and error; the memory is kept. */
void faa_stream_reset(struct faa_stream *stream);

/** faa_stream_error() - the first error, in words; NULL if there was none. */
const char *faa_stream_error(const struct faa_stream *stream);

/**
 * faa_stream_guard() - the next command executes only in lanes where a predicate is true
 * @stream: stream
 * @predicate: P0..P6, 7 = PT
 * @negate: it executes where the predicate is false
 */
int faa_stream_guard(struct faa_stream *stream, unsigned int predicate, bool negate);

/** faa_stream_wait() - the next command waits until the barriers of @mask (bits 0..5) are free. */
int faa_stream_wait(struct faa_stream *stream, unsigned int mask);

/**
 * faa_stream_read_barrier() - the next command holds a barrier until its sources are read
 * @stream: stream; the next command must be a vector command
 * @barrier: 0..5
 */
int faa_stream_read_barrier(struct faa_stream *stream, unsigned int barrier);

/**
 * faa_stream_write_barrier() - the next command holds a barrier until its results are written
 * @stream: stream; the next command must be a vector command
 * @barrier: 0..5
 */
int faa_stream_write_barrier(struct faa_stream *stream, unsigned int barrier);

/**
 * faa_stream_float_mode() - floating-point modes of the next command
 * @stream: stream
 * @modes: mask of enum faa_float_mode
 *
 * The next command must be ATOMS, ATOM or ALU on a floating-point type; FAA_FLOAT_MODE_RELAXED is
 * for ADD of ATOMS and ATOM alone.
 *
 * Return: 0; -EINVAL: unknown modes. A command without such a mode fails when it is added.
 */
int faa_stream_float_mode(struct faa_stream *stream, unsigned int modes);

/** faa_stream_nop() - no operation; useful with faa_stream_wait(). */
int faa_stream_nop(struct faa_stream *stream);

/** faa_stream_end() - the job ends here with success. Every stream needs one. */
int faa_stream_end(struct faa_stream *stream);

/** faa_stream_label() - a new label in @label, to be placed once. */
int faa_stream_label(struct faa_stream *stream, uint32_t *label);

/** faa_stream_place() - place @label before the next command. */
int faa_stream_place(struct faa_stream *stream, uint32_t label);

/**
 * faa_stream_jump() - continue at a label if a condition holds for the guard in the 32 lanes
 * @stream: stream
 * @cond: condition
 * @label: label, which may be placed before or after this call
 */
int faa_stream_jump(struct faa_stream *stream, enum faa_jump_cond cond, uint32_t label);

/**
 * faa_stream_sem_wait() - wait until a semaphore fulfils a condition
 * @stream: stream
 * @cond: condition: the semaphore equals @reference, or is not less
 * @address: of the semaphore, a word of 64 bits; a multiple of 8
 * @reference: value to compare with
 */
int faa_stream_sem_wait(struct faa_stream *stream, enum faa_sem_cond cond, uint64_t address,
			uint64_t reference);

/**
 * faa_stream_sem_signal() - write a semaphore after all earlier commands
 * @stream: stream
 * @address: of the semaphore, a word of 64 bits; a multiple of 8
 * @value: its new value
 */
int faa_stream_sem_signal(struct faa_stream *stream, uint64_t address, uint64_t value);

/**
 * faa_stream_snapshot() - write the counters of the compute unit
 * @stream: stream
 * @address: receives FAA_SNAPSHOT_BYTES bytes; a multiple of that
 */
int faa_stream_snapshot(struct faa_stream *stream, uint64_t address);

/** faa_stream_fence() - order the memory accesses before it with those after it, at @scope. */
int faa_stream_fence(struct faa_stream *stream, enum faa_fence_order order, enum faa_scope scope);

/**
 * faa_stream_bar() - wait until each stream of the group has reached a BAR or ended
 * @stream: stream
 *
 * Accesses of all these streams before it are ordered before accesses of any of them after it, at
 * scope CTA. In a job of one stream it only waits for earlier commands.
 */
int faa_stream_bar(struct faa_stream *stream);

/**
 * faa_stream_vector() - add any vector command
 * @stream: stream
 * @vector: the command; operands and offset must be legal for its opcode, operation and type
 *
 * The functions below cover most commands. All of them: @count elements, 1..2^32; SETP takes at
 * most 32. With more than 32 elements each lane of a register destination keeps the result of its
 * last element. @offset is in bytes: -2^23..2^23-1 if @a is present and not RZ, otherwise
 * 0..2^24-1; a multiple of 4 for ATOMS.
 *
 * Return: 0; -EINVAL, with the reason in faa_stream_error(); -E2BIG: longer than
 * FAA_STREAM_MAX_WORDS; -ENOMEM.
 */
int faa_stream_vector(struct faa_stream *stream, const struct faa_vector *vector);

/** faa_stream_mov() - @d = @a. Types U32, U64. */
int faa_stream_mov(struct faa_stream *stream, enum faa_type type, uint64_t count,
		   struct faa_operand d, struct faa_operand a);

/**
 * faa_stream_setp() - P@predicate = @a @cmp @b in the active lanes
 * @stream: stream
 * @cmp: comparison
 * @type: U32, S32, U64, S64, F32, F64
 * @count: elements, at most 32
 * @predicate: P0..P6, 7 = PT
 * @a: left operand
 * @b: right operand
 */
int faa_stream_setp(struct faa_stream *stream, enum faa_cmp cmp, enum faa_type type, uint64_t count,
		    unsigned int predicate, struct faa_operand a, struct faa_operand b);

/** faa_stream_ld() - @d = global[@a + @offset], a weak access. Types U8, U16, U32, U64, S8, S16. */
int faa_stream_ld(struct faa_stream *stream, enum faa_type type, uint64_t count,
		  struct faa_operand d, struct faa_operand a, int32_t offset);

/** faa_stream_st() - global[@a + @offset] = @b, a weak access. Types U8, U16, U32, U64. */
int faa_stream_st(struct faa_stream *stream, enum faa_type type, uint64_t count,
		  struct faa_operand a, int32_t offset, struct faa_operand b);

/**
 * faa_stream_ld_strong() - faa_stream_ld() that is ordered between streams, queues and the host
 * @stream: stream
 * @type: as faa_stream_ld()
 * @scope: the observers: the streams of this queue, all queues, or the host's processors too
 * @order: FAA_ORDER_RELAXED, or FAA_ORDER_ACQUIRE: later accesses of the stream come after it
 * @count: elements
 * @d: receives the values
 * @a: address in global memory
 * @offset: added to @a
 *
 * FAA_SCOPE_SYS needs FAA_FEATURE_SYS_ATOMICS; without it the job ends with
 * FAA_ERROR_ILLEGAL_OPERATION. Documentation/order.rst defines the memory model.
 *
 * Return: as faa_stream_vector().
 */
int faa_stream_ld_strong(struct faa_stream *stream, enum faa_type type, enum faa_scope scope,
			 enum faa_order order, uint64_t count, struct faa_operand d,
			 struct faa_operand a, int32_t offset);

/**
 * faa_stream_st_strong() - faa_stream_st() that is ordered between streams, queues and the host
 * @stream: stream
 * @type: as faa_stream_st()
 * @scope: as faa_stream_ld_strong()
 * @order: FAA_ORDER_RELAXED, or FAA_ORDER_RELEASE: earlier accesses of the stream come before it
 * @count: elements
 * @a: address in global memory
 * @offset: added to @a
 * @b: values
 *
 * Return: as faa_stream_vector().
 */
int faa_stream_st_strong(struct faa_stream *stream, enum faa_type type, enum faa_scope scope,
			 enum faa_order order, uint64_t count, struct faa_operand a, int32_t offset,
			 struct faa_operand b);

/** faa_stream_lds() - @d = shared[@a + @offset]. Types as faa_stream_ld(). */
int faa_stream_lds(struct faa_stream *stream, enum faa_type type, uint64_t count,
		   struct faa_operand d, struct faa_operand a, int32_t offset);

/** faa_stream_sts() - shared[@a + @offset] = @b. Types as faa_stream_st(). */
int faa_stream_sts(struct faa_stream *stream, enum faa_type type, uint64_t count,
		   struct faa_operand a, int32_t offset, struct faa_operand b);

/**
 * faa_stream_atoms() - atomic read-modify-write of shared memory
 * @stream: stream
 * @op: operation, defined at enum faa_atoms_op
 * @type: U32, S32, U64, S64; INC and DEC: U32, U64; ADD, MIN and MAX: F32, F64, F16X2, BF16X2 too.
 *        The features of faa_device_info() name the operations beyond the compatibility set that
 *        the device has; an operation that it lacks ends the job with FAA_ERROR_ILLEGAL_OPERATION
 * @count: elements
 * @d: receives the old value (CAST: 1 or 0); faa_none() for a reduction
 * @a: address in shared memory
 * @offset: added to @a
 * @b: operand, the value to compare with for CAS and CAST
 * @c: new value of CAS and CAST, faa_none() for all others
 */
int faa_stream_atoms(struct faa_stream *stream, enum faa_atoms_op op, enum faa_type type,
		     uint64_t count, struct faa_operand d, struct faa_operand a, int32_t offset,
		     struct faa_operand b, struct faa_operand c);

/**
 * faa_stream_atom() - atomic read-modify-write of global memory
 * @stream: stream
 * @op: operation, defined at enum faa_atom_op
 * @type: U16, S16, U32, S32, U64, S64; INC and DEC: U32, U64; INCU, DECU and PREDEC: U16, U32, U64;
 *        ADD, MIN and MAX: F16, F32, F64, F16X2, BF16X2 too; FCMPWR: F16, F32, F64
 * @scope: the observers for which it is one operation: this queue, all queues, or the host's
 *         processors too
 * @order: order with the other accesses of the stream; FAA_ORDER_RELAXED for none
 * @count: elements
 * @d: receives the old value (CAST: 1 or 0; PREDEC: the new value), 16-bit ones extended;
 *     faa_none() for a reduction
 * @a: address in global memory, a multiple of the type's size; its pages must be mapped with
 *     FAA_MAP_ATOMIC
 * @offset: added to @a
 * @b: operand, of which 16-bit types take the low half; the value to compare with for CAS, CAST and
 *     FCMPWR; faa_none() for INCU, DECU and PREDEC
 * @c: new value of CAS, CAST and FCMPWR, faa_none() for all others
 *
 * Needs FAA_FEATURE_GLOBAL_ATOMICS, for FAA_SCOPE_SYS also FAA_FEATURE_SYS_ATOMICS, for
 * floating-point types those of ATOMS. A command that the device does not have ends the job with
 * FAA_ERROR_ILLEGAL_COMMAND, a scope or type that it lacks with FAA_ERROR_ILLEGAL_OPERATION.
 *
 * Return: as faa_stream_vector().
 */
int faa_stream_atom(struct faa_stream *stream, enum faa_atom_op op, enum faa_type type,
		    enum faa_scope scope, enum faa_order order, uint64_t count,
		    struct faa_operand d, struct faa_operand a, int32_t offset,
		    struct faa_operand b, struct faa_operand c);

/**
 * faa_stream_red() - faa_stream_atom() without a result
 *
 * The other arguments, needs and errors are the same.
 */
int faa_stream_red(struct faa_stream *stream, enum faa_atom_op op, enum faa_type type,
		   enum faa_scope scope, enum faa_order order, uint64_t count, struct faa_operand a,
		   int32_t offset, struct faa_operand b, struct faa_operand c);

/**
 * faa_stream_config_headers() - set the pool of texture headers: header i is at @address + 32 * i
 * @stream: stream
 * @address: of the header pool, a multiple of 32
 * @max_index: the greatest index, below 2^20; a handle with a greater index names no surface
 *
 * A CONFIG belongs to the queue and holds for its later jobs too. Needs
 * FAA_FEATURE_SURFACE_ATOMICS. faa_header_pool_config() does this for a pool of the library.
 *
 * Return: 0; -EINVAL, with the reason in faa_stream_error(); -E2BIG; -ENOMEM.
 */
int faa_stream_config_headers(struct faa_stream *stream, uint64_t address, uint32_t max_index);

/**
 * faa_stream_config_bank() - set the constant bank: word i is at @address + 4 * i
 * @stream: stream
 * @address: of the bank, a multiple of 4
 * @bytes: its size, a multiple of 4, at most 65532; 0 for none
 *
 * Return: as faa_stream_config_headers().
 */
int faa_stream_config_bank(struct faa_stream *stream, uint64_t address, uint32_t bytes);

/**
 * faa_stream_config_helpers() - exclude lanes from later surface operations
 * @stream: stream
 * @lanes: mask of the lanes
 *
 * Return: as faa_stream_config_headers().
 */
int faa_stream_config_helpers(struct faa_stream *stream, uint32_t lanes);

/**
 * faa_stream_suatom() - atomic read-modify-write of an item of a surface
 * @stream: stream
 * @place: dimension, clamping of coordinates, the surface, and the predicate of the sparse status;
 *         made by faa_place_header(), faa_place_bank() or faa_place_reg(), then changed as needed:
 *         ba (x counts bytes), packed, ps
 * @op: operation, defined at enum faa_atom_op
 * @type: as faa_stream_atom(); ADD, AND, OR, XOR: FAA_TYPE_SD32 too, MIN and MAX: SD32 and SD64,
 *        with the sign of the surface
 * @scope: as faa_stream_atom()
 * @order: as faa_stream_atom()
 * @count: elements
 * @d: receives the old value; faa_none() for a reduction
 * @a: coordinates: x alone has 32 bits; two have 64, the first in the low half; three are in a
 *     register whose number is a multiple of 4 and the next two. With @place->packed two have 16
 *     bits each in 32, three in 64; so arrays of points can be streamed
 * @b: operand, as faa_stream_atom()
 * @c: new value, as faa_stream_atom()
 *
 * x counts items of the type's size. The surface's pages must be mapped with FAA_MAP_ATOMIC. Needs
 * FAA_FEATURE_SURFACE_ATOMICS; a device without it ends the job with FAA_ERROR_ILLEGAL_COMMAND.
 *
 * Return: as faa_stream_vector().
 */
int faa_stream_suatom(struct faa_stream *stream, const struct faa_place *place, enum faa_atom_op op,
		      enum faa_type type, enum faa_scope scope, enum faa_order order,
		      uint64_t count, struct faa_operand d, struct faa_operand a,
		      struct faa_operand b, struct faa_operand c);

/**
 * faa_stream_sured() - faa_stream_suatom() without a result
 *
 * The other arguments, needs and errors are the same.
 */
int faa_stream_sured(struct faa_stream *stream, const struct faa_place *place, enum faa_atom_op op,
		     enum faa_type type, enum faa_scope scope, enum faa_order order, uint64_t count,
		     struct faa_operand a, struct faa_operand b, struct faa_operand c);

/**
 * faa_stream_alu() - @d = @a @op @b
 * @stream: stream
 * @op: operation, defined at enum faa_alu_op
 * @type: U32, S32, U64, S64; MUL: U32, S32; ADD, SUB, MIN and MAX: F32, F64 too
 * @count: elements
 * @d: register or array
 * @a: left operand
 * @b: right operand
 *
 * Needs FAA_FEATURE_ALU.
 */
int faa_stream_alu(struct faa_stream *stream, enum faa_alu_op op, enum faa_type type,
		   uint64_t count, struct faa_operand d, struct faa_operand a,
		   struct faa_operand b);

/**
 * struct faa_cas_loop - an atomic operation that the device lacks, for the lanes of one warp
 *
 * A 64-bit value takes the named register, which is even, and the next one. The registers named
 * here must not overlap each other, nor @address if that is a register. The loop changes no other
 * registers, and no predicate but @pending.
 */
struct faa_cas_loop {
	/** @type: width of the memory word: U32, S32, F32 or U64, S64, F64. */
	enum faa_type type;
	/** @lanes: lanes 0 .. @lanes - 1 may take part, 1..32. */
	uint32_t lanes;
	/** @address: operand a of LDS, ATOMS: register, immediate, affine, array, or faa_none(). */
	struct faa_operand address;
	/** @offset: added to @address, a multiple of 4. */
	int32_t offset;
	/** @old: register, out: the word before the operation, which @body starts from. */
	uint8_t old;
	/** @desired: register that @body sets to the new value; undefined afterwards. */
	uint8_t desired;
	/** @scratch: register that is overwritten. */
	uint8_t scratch;
	/** @pending: predicate P0..P6, true in lanes that have not succeeded; false afterwards. */
	uint8_t pending;
	/**
	 * @body: adds the commands that compute @desired = f(@old, other registers of the program)
	 *
	 * Called once; the device executes the commands in each round. They are vector commands, as
	 * a rule ALU, MOV and SETP, and get the guard @pending unless the body gives them another.
	 * They must not change @old, @pending or their inputs, and must be safe to repeat. Return 0
	 * or a negative errno.
	 */
	int (*body)(struct faa_stream *stream, const struct faa_cas_loop *loop, void *data);
	/** @data: passed to @body. */
	void *data;
};

/** faa_stream_cas_loop_sized() - faa_stream_cas_loop() with the structure's size. */
int faa_stream_cas_loop_sized(struct faa_stream *stream, const struct faa_cas_loop *loop,
			      size_t loop_size);

/**
 * faa_stream_cas_loop() - word = f(word), atomically, for any f; word: shared[@address + @offset]
 * @stream: stream
 * @loop: addresses, registers and f
 *
 * faa_stream_guard() before it selects the lanes that take part, with any predicate but
 * @loop->pending; faa_stream_wait() applies to its first command. Lanes on one word are served one
 * after the other, each with the value that the former one left: a warp takes up to 32 rounds if
 * its lanes are all on one word, one round if they are on different words. The loop always ends,
 * since in each round the lowest pending lane of a word succeeds. Needs FAA_FEATURE_ALU if the body
 * uses ALU.
 *
 * Return: 0; -EINVAL: registers, predicates, lanes or type, with the reason in faa_stream_error();
 * the error of @body; errors of faa_stream_vector().
 */
static inline int faa_stream_cas_loop(struct faa_stream *stream, const struct faa_cas_loop *loop)
{
	return faa_stream_cas_loop_sized(stream, loop, sizeof(*loop));
}

/** faa_stream_raw() - add @count unchecked words, counted as one command, for tests of a device */
int faa_stream_raw(struct faa_stream *stream, const uint64_t *words, size_t count);

/**
 * faa_stream_finish() - resolve the jumps; more commands may be added afterwards
 * @stream: stream
 *
 * Return: 0, or the first error of the stream.
 */
int faa_stream_finish(struct faa_stream *stream);

/**
 * faa_stream_words() - the words of the stream, complete after faa_stream_finish()
 * @stream: stream
 * @count: out: number of words; may be NULL
 *
 * Return: valid until the next call that adds to @stream.
 */
const uint64_t *faa_stream_words(const struct faa_stream *stream, size_t *count);

/** faa_stream_bytes() - its size in bytes. */
size_t faa_stream_bytes(const struct faa_stream *stream);

/**
 * faa_stream_upload() - finish a stream and copy it to a BO
 * @stream: stream
 * @bo: BO
 * @offset: first byte of the copy, a multiple of 8
 *
 * Return: 0; the first error of the stream; -EINVAL: bad @offset; -ENOSPC: it does not fit; errors
 * of faa_bo_map().
 */
int faa_stream_upload(struct faa_stream *stream, struct faa_bo *bo, uint64_t offset);

/**
 * faa_disassemble() - one command as text, such as "@!P0 ATOMS.ADD.U32 R0, [R1 - 400], R9 &wr2;"
 * @words: the command and the words after it
 * @count: words there, at least 1
 * @used: out: words that the text stands for, at least 1. May be NULL.
 * @buffer: receives the text, truncated to fit and terminated; may be NULL if @size is 0
 * @size: bytes at @buffer
 *
 * Never fails: a word that no device executes becomes ".word" with the reason after "//".
 *
 * Return: length of the whole text without its terminator, as snprintf().
 */
size_t faa_disassemble(const uint64_t *words, size_t count, unsigned int *used, char *buffer,
		       size_t size);

#ifdef __cplusplus
}
#endif

#endif /* FAA_H */
