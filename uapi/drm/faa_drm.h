/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
#ifndef _FAA_DRM_H_
#define _FAA_DRM_H_

#include "drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Introduction
 *
 * Interface of the faa render node. A client creates memory (BO), address
 * spaces (VM) and queues; it maps BOs in VMs and submits jobs to queues. A job
 * is one command stream at a virtual address of the queue's VM. The kernel does
 * not read the stream: the VM isolates clients.
 *
 * Rules that hold for every ioctl:
 *
 * - Fields named ``pad`` and undefined bits of ``flags`` must be 0, otherwise
 *   the ioctl fails with EINVAL.
 * - IDs of VMs and queues are per file, start at 1, and are never 0. An unknown
 *   handle or ID is ENOENT.
 * - A struct may grow at its end. The kernel extends a shorter struct with
 *   zeros. A client uses a newer field only if the minor version of the driver
 *   (``DRM_IOCTL_VERSION``) has it. Arrays carry their element size (see
 *   &struct drm_faa_obj_array); there, non-zero bytes that the kernel does not
 *   know are E2BIG.
 * - An ioctl that fails has changed nothing, unless its description says
 *   otherwise.
 * - Out fields are valid only if the ioctl succeeded, unless their description
 *   says otherwise.
 * - ENODEV: the device is gone. All later ioctls of the file fail with it,
 *   those of the DRM core included. Mappings of BOs stay valid, pending waits
 *   end, and fences that were exported as sync files signal with that error.
 *
 * Synchronisation is explicit: jobs and VM_BINDs wait for and signal DRM
 * syncobjs and timeline points, and clients wait for these with the ioctls of
 * the DRM core. There is no other wait. The queue's status ring holds the
 * result of each job (&struct drm_faa_status).
 */

/**
 * DOC: How jobs end
 *
 * The fence of a job that the device completed carries no error. Otherwise its
 * error is
 *
 * - ``-EFAULT``: page fault or bus error,
 * - ``-EINVAL``: an error in the stream or its operands, or a malformed job,
 * - ``-ETIMEDOUT``: the job made no progress for
 *   &drm_faa_device_info.job_timeout_ms or ran longer than
 *   &drm_faa_device_info.job_limit_ms. The queue is dead (&enum
 *   drm_faa_queue_state_flags),
 * - ``-ECANCELED``: its queue died before it ran, or was destroyed; the device
 *   was reset while it ran; or another
 *   job of its group (DRM_FAA_JOB_TOGETHER) failed, and the record says
 *   STOPPED. In the last case the queue continues,
 * - ``-ENODEV``: the device was lost.
 *
 * An error of a fence that a job waited for does not keep the job from running.
 * The status record names the command, element and lane. The kernel never runs
 * a job twice: atomic operations cannot be repeated. An error ends one job, or
 * one group; later jobs of the queue run, unless the queue is dead.
 *
 * The timeout and the limit apply to a group as a whole: progress of any of its
 * jobs counts, and all are killed together.
 */

/**
 * enum drm_faa_ioctl_id - ioctl numbers, relative to DRM_COMMAND_BASE
 *
 * Append only.
 */
enum drm_faa_ioctl_id {
	/** @DRM_FAA_DEV_QUERY: properties of the device and the driver. */
	DRM_FAA_DEV_QUERY = 0,
	/** @DRM_FAA_BO_CREATE: create a buffer object. */
	DRM_FAA_BO_CREATE,
	/** @DRM_FAA_BO_MMAP_OFFSET: get the file offset to mmap() a BO. */
	DRM_FAA_BO_MMAP_OFFSET,
	/**
	 * @DRM_FAA_BO_INFO: properties of a BO handle, imported ones included.
	 */
	DRM_FAA_BO_INFO,
	/** @DRM_FAA_VM_CREATE: create an address space. */
	DRM_FAA_VM_CREATE,
	/** @DRM_FAA_VM_DESTROY: destroy an address space. */
	DRM_FAA_VM_DESTROY,
	/** @DRM_FAA_VM_BIND: map and unmap in an address space. */
	DRM_FAA_VM_BIND,
	/** @DRM_FAA_VM_GET_STATE: state and last fault of an address space. */
	DRM_FAA_VM_GET_STATE,
	/** @DRM_FAA_QUEUE_CREATE: create a queue. */
	DRM_FAA_QUEUE_CREATE,
	/** @DRM_FAA_QUEUE_DESTROY: destroy a queue. */
	DRM_FAA_QUEUE_DESTROY,
	/** @DRM_FAA_QUEUE_GET_STATE: state and last error of a queue. */
	DRM_FAA_QUEUE_GET_STATE,
	/** @DRM_FAA_SUBMIT: submit jobs to a queue. */
	DRM_FAA_SUBMIT,
	/** @DRM_FAA_BO_SET_LABEL: name a BO, for debugging. Since 1.3. */
	DRM_FAA_BO_SET_LABEL,
	/** @DRM_FAA_QUEUE_DUMP: state of a queue in detail, for debugging. Since 1.3. */
	DRM_FAA_QUEUE_DUMP,
	/**
	 * @DRM_FAA_COUNTERS_OPEN: stream of the counters of all compute units.
	 * Since 1.4.
	 */
	DRM_FAA_COUNTERS_OPEN,
};

/*
 * Limits of one call or one file. Exceeding one is EINVAL for an argument,
 * ENOSPC for the number of objects.
 */

/** DRM_FAA_MAX_VMS - VMs of one file */
#define DRM_FAA_MAX_VMS		32
/** DRM_FAA_MAX_QUEUES - queues of one file */
#define DRM_FAA_MAX_QUEUES	1024
/** DRM_FAA_MAX_BIND_OPS - operations of one VM_BIND */
#define DRM_FAA_MAX_BIND_OPS	1024
/** DRM_FAA_MAX_JOBS - jobs of one SUBMIT */
#define DRM_FAA_MAX_JOBS	256
/** DRM_FAA_MAX_SYNCS - sync operations of one job or VM_BIND */
#define DRM_FAA_MAX_SYNCS	256
/** DRM_FAA_MAX_SUBMIT_SYNCS - sync operations of all jobs of one SUBMIT */
#define DRM_FAA_MAX_SUBMIT_SYNCS	1024
/** DRM_FAA_MAX_PENDING_BINDS - VM_BINDs with ASYNC of one VM that are not done */
#define DRM_FAA_MAX_PENDING_BINDS	64
/** DRM_FAA_MAX_STRIDE - largest &drm_faa_obj_array.stride */
#define DRM_FAA_MAX_STRIDE	4096
/** DRM_FAA_MAX_QUERY_BYTES - largest &drm_faa_dev_query.size */
#define DRM_FAA_MAX_QUERY_BYTES	65536
/** DRM_FAA_MAX_LABEL_BYTES - longest label of a BO, its NUL included */
#define DRM_FAA_MAX_LABEL_BYTES	4096
/** DRM_FAA_MIN_STATUS_ENTRIES - smallest status ring */
#define DRM_FAA_MIN_STATUS_ENTRIES	64
/** DRM_FAA_MAX_STATUS_ENTRIES - largest status ring */
#define DRM_FAA_MAX_STATUS_ENTRIES	4096
/** DRM_FAA_MIN_COUNTERS_PERIOD - shortest period of a stream of counters, nanoseconds */
#define DRM_FAA_MIN_COUNTERS_PERIOD	100000ull
/** DRM_FAA_MAX_COUNTERS_PERIOD - longest period of a stream of counters, nanoseconds */
#define DRM_FAA_MAX_COUNTERS_PERIOD	10000000000ull
/** DRM_FAA_MAX_COUNTERS_RECORDS - records that the kernel keeps for a stream of counters */
#define DRM_FAA_MAX_COUNTERS_RECORDS	4096
/** DRM_FAA_MAX_COUNTERS_STREAMS - streams of counters of one file */
#define DRM_FAA_MAX_COUNTERS_STREAMS	4
/** DRM_FAA_MAX_DEVICE_COUNTERS_STREAMS - streams of counters of all files of a device */
#define DRM_FAA_MAX_DEVICE_COUNTERS_STREAMS	16

/**
 * struct drm_faa_obj_array - array of objects that may grow
 */
struct drm_faa_obj_array {
	/**
	 * @stride: bytes from one object to the next, a multiple of 8, at least
	 * the size of the object in the first version of the interface, at most
	 * DRM_FAA_MAX_STRIDE. Ignored if @count is 0.
	 */
	__u32 stride;
	/** @count: number of objects. */
	__u32 count;
	/** @array: user pointer to the first one. */
	__u64 array;
};

/**
 * enum drm_faa_sync_flags - &drm_faa_sync.flags
 */
enum drm_faa_sync_flags {
	/**
	 * @DRM_FAA_SYNC_TIMELINE: a point of a timeline; otherwise a binary
	 * syncobj.
	 */
	DRM_FAA_SYNC_TIMELINE = 1 << 0,
	/**
	 * @DRM_FAA_SYNC_SIGNAL: signal when the job has ended, or the VM_BIND is
	 * done; otherwise wait before it starts.
	 */
	DRM_FAA_SYNC_SIGNAL = 1 << 1,
};

/**
 * struct drm_faa_sync - wait for, or signal, a syncobj
 *
 * A wait needs a fence: it fails with EINVAL if the syncobj has none yet (wait
 * for one with DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT first).
 */
struct drm_faa_sync {
	/** @flags: &enum drm_faa_sync_flags. */
	__u32 flags;
	/** @handle: syncobj handle. */
	__u32 handle;
	/**
	 * @point: point of a timeline, not 0; must be 0 for a binary syncobj.
	 */
	__u64 point;
};

/**
 * enum drm_faa_dev_query_type - &drm_faa_dev_query.type
 */
enum drm_faa_dev_query_type {
	/** @DRM_FAA_DEV_QUERY_DEVICE: one &struct drm_faa_device_info. */
	DRM_FAA_DEV_QUERY_DEVICE = 0,
	/** @DRM_FAA_DEV_QUERY_OPS: array of &struct drm_faa_op_info. */
	DRM_FAA_DEV_QUERY_OPS,
	/** @DRM_FAA_DEV_QUERY_REGIONS: array of &struct drm_faa_region_info. */
	DRM_FAA_DEV_QUERY_REGIONS,
	/** @DRM_FAA_DEV_QUERY_TIMESTAMP: one &struct drm_faa_timestamp. */
	DRM_FAA_DEV_QUERY_TIMESTAMP,
	/** @DRM_FAA_DEV_QUERY_PRIORITIES: one &struct drm_faa_priorities. */
	DRM_FAA_DEV_QUERY_PRIORITIES,
	/**
	 * @DRM_FAA_DEV_QUERY_COUNTERS: array of &struct drm_faa_cu_counters,
	 * one of each compute unit. Since 1.3. EACCES without CAP_PERFMON: the
	 * counters include the work of all clients.
	 */
	DRM_FAA_DEV_QUERY_COUNTERS,
};

/**
 * struct drm_faa_dev_query - DRM_IOCTL_FAA_DEV_QUERY
 *
 * With @pointer 0 only @size is returned. Otherwise the kernel writes @size
 * bytes to @pointer: its answer, cut off or followed by zeros.
 *
 * EINVAL: unknown @type, @size above DRM_FAA_MAX_QUERY_BYTES. EFAULT: @pointer
 * is bad.
 */
struct drm_faa_dev_query {
	/** @type: &enum drm_faa_dev_query_type. */
	__u32 type;
	/** @size: in: bytes at @pointer; out: bytes of the kernel's answer. */
	__u32 size;
	/** @pointer: user pointer to the answer, or 0. */
	__u64 pointer;
};

/**
 * enum drm_faa_host_atomics - &drm_faa_device_info.host_atomics
 *
 * The means by which atomic operations of the device are atomic against CPU
 * threads.
 */
enum drm_faa_host_atomics {
	/**
	 * @DRM_FAA_HOST_ATOMICS_NONE: none. Operations are atomic only among
	 * those of the device.
	 */
	DRM_FAA_HOST_ATOMICS_NONE = 0,
	/**
	 * @DRM_FAA_HOST_ATOMICS_PCI: operations of scope SYS reach host memory
	 * as PCI atomic operations of 32 and 64 bits: FetchAdd, Swap, CAS. The
	 * device builds all other operations from CAS
	 * (&drm_faa_op_info.pci_types). CPU threads take part with atomic
	 * instructions of the item's size. Operations of smaller scope are as
	 * with DRM_FAA_HOST_ATOMICS_NONE.
	 */
	DRM_FAA_HOST_ATOMICS_PCI = 1,
};

/**
 * struct drm_faa_device_info - DRM_FAA_DEV_QUERY_DEVICE
 */
struct drm_faa_device_info {
	/** @version_major: of the register map and the command stream. */
	__u32 version_major;
	/** @version_minor: of the register map and the command stream. */
	__u32 version_minor;
	/** @num_queues: hardware queues, shared by all clients. */
	__u32 num_queues;
	/** @num_cus: compute units. */
	__u32 num_cus;
	/** @warp_slots: warp slots of a compute unit. */
	__u32 warp_slots;
	/** @lanes: lanes of a warp. */
	__u32 lanes;
	/** @shared_max: largest &drm_faa_queue_create.shared_bytes. */
	__u32 shared_max;
	/**
	 * @shared_granule: &drm_faa_queue_create.shared_bytes is a multiple of
	 * this.
	 */
	__u32 shared_granule;
	/** @axi_width: width of the device's memory port, bits. */
	__u32 axi_width;
	/** @va_bits: bits of a virtual address. */
	__u32 va_bits;
	/** @features: bit n: enum faa_feature n of the command description. */
	__u64 features;
	/**
	 * @page_sizes: bit n: pages of 2^n bytes. Mappings are multiples of the
	 * smallest.
	 */
	__u64 page_sizes;
	/**
	 * @job_timeout_ms: a job that makes no progress for this time is
	 * killed, milliseconds.
	 */
	__u32 job_timeout_ms;
	/** @host_atomics: &enum drm_faa_host_atomics. */
	__u32 host_atomics;
	/** @max_vms: VMs of one file. */
	__u32 max_vms;
	/**
	 * @max_queues: queues of one file; they share the @num_queues hardware
	 * queues. The device may have fewer left.
	 */
	__u32 max_queues;
	/** @max_bind_ops: operations of one VM_BIND. */
	__u32 max_bind_ops;
	/** @max_jobs: jobs of one SUBMIT. */
	__u32 max_jobs;
	/** @max_syncs: sync operations of one job or VM_BIND. */
	__u32 max_syncs;
	/**
	 * @max_status_entries: largest &drm_faa_queue_create.status_entries.
	 */
	__u32 max_status_entries;
	/**
	 * @job_limit_ms: a job that runs longer is killed, progress or not,
	 * milliseconds.
	 */
	__u32 job_limit_ms;
	/** @pad: 0. */
	__u32 pad;
};

/**
 * struct drm_faa_op_info - one element of DRM_FAA_DEV_QUERY_OPS
 */
struct drm_faa_op_info {
	/** @opcode: command, enum faa_opcode of the command description. */
	__u32 opcode;
	/** @op: operation of the command. */
	__u32 op;
	/** @types: bit n: enum faa_type n is legal. */
	__u32 types;
	/**
	 * @pci_types: bit n: with enum faa_type n an operation of scope SYS is
	 * one PCI atomic operation; with the other types of @types it is a loop
	 * of CAS, atomic as well. 0 with DRM_FAA_HOST_ATOMICS_NONE, where the
	 * command has no scope, and for loads and stores, which are single
	 * reads and writes with every type.
	 */
	__u32 pci_types;
};

/**
 * enum drm_faa_region - memory regions
 */
enum drm_faa_region {
	/** @DRM_FAA_REGION_HOST: host memory, cached and coherent. */
	DRM_FAA_REGION_HOST = 0,
	/** @DRM_FAA_REGION_CARD: memory of the card. Reserved: EINVAL. */
	DRM_FAA_REGION_CARD = 1,
};

/**
 * struct drm_faa_region_info - one element of DRM_FAA_DEV_QUERY_REGIONS
 */
struct drm_faa_region_info {
	/** @region: &enum drm_faa_region. */
	__u32 region;
	/** @flags: 0. */
	__u32 flags;
	/** @size: bytes, 0 = unlimited. */
	__u64 size;
};

/**
 * struct drm_faa_timestamp - DRM_FAA_DEV_QUERY_TIMESTAMP
 */
struct drm_faa_timestamp {
	/**
	 * @cpu_ns: CLOCK_MONOTONIC when @device_cycles was read, nanoseconds.
	 */
	__u64 cpu_ns;
	/**
	 * @cpu_delta_ns: duration of the read: @device_cycles was sampled in
	 * [@cpu_ns, @cpu_ns + @cpu_delta_ns].
	 */
	__u64 cpu_delta_ns;
	/**
	 * @device_cycles: clock cycles of the device since its reset; the unit
	 * of &drm_faa_status.start_cycle.
	 */
	__u64 device_cycles;
	/**
	 * @device_hz: clock frequency, 0 = unknown (a simulated device has
	 * none).
	 */
	__u64 device_hz;
};

/**
 * enum drm_faa_priority - &drm_faa_queue_create.priority
 *
 * A compute unit runs the runnable queue of highest priority; queues of equal
 * priority take turns. A queue whose first job has waited for 16 times
 * &drm_faa_device_info.job_limit_ms runs before queues of higher priority.
 */
enum drm_faa_priority {
	/** @DRM_FAA_PRIORITY_LOW: runs when no other queue is runnable. */
	DRM_FAA_PRIORITY_LOW = 0,
	/** @DRM_FAA_PRIORITY_NORMAL: for most programs. */
	DRM_FAA_PRIORITY_NORMAL = 1,
	/** @DRM_FAA_PRIORITY_HIGH: needs CAP_SYS_NICE. */
	DRM_FAA_PRIORITY_HIGH = 2,
	/** @DRM_FAA_PRIORITY_REALTIME: needs CAP_SYS_NICE. */
	DRM_FAA_PRIORITY_REALTIME = 3,
};

/**
 * struct drm_faa_priorities - DRM_FAA_DEV_QUERY_PRIORITIES
 */
struct drm_faa_priorities {
	/**
	 * @allowed: bit n: the caller may create queues of &enum
	 * drm_faa_priority n.
	 */
	__u32 allowed;
	/** @pad: 0. */
	__u32 pad;
};

/** DRM_FAA_COUNTERS - counters of a compute unit, unused ones included */
#define DRM_FAA_COUNTERS	32

/**
 * struct drm_faa_cu_counters - one element of DRM_FAA_DEV_QUERY_COUNTERS
 */
struct drm_faa_cu_counters {
	/** @device_cycles: clock cycle before the counters were read. */
	__u64 device_cycles;
	/**
	 * @values: by enum faa_counter of the command description. They are
	 * read one after the other, so the difference of two readings is exact
	 * only for an idle compute unit.
	 */
	__u64 values[DRM_FAA_COUNTERS];
};

/**
 * struct drm_faa_counters_open - DRM_IOCTL_FAA_COUNTERS_OPEN
 *
 * Open a stream of the counters that DRM_FAA_DEV_QUERY_COUNTERS has, sampled by
 * the kernel: once at the beginning, then every @period_ns. read(2) of @fd
 * returns one or more records (&struct drm_faa_counters_record), oldest first
 * and only whole ones:
 *
 * - It waits for a record. A file with O_NONBLOCK (fcntl) has EAGAIN instead;
 *   poll(2) reports POLLIN.
 * - A buffer of less than @record_bytes is ENOSPC.
 * - If all @records are unread, further samples are dropped. The next record
 *   has their number.
 * - When the device is gone the records that are left can be read, then read(2)
 *   fails with ENODEV; poll(2) reports POLLHUP and POLLERR.
 *
 * A stream neither wakes a device that sleeps nor keeps it awake, and delays no
 * reset: such a record has no values. The stream ends with the last descriptor
 * of @fd; the file that opened it may be closed before. @fd is close-on-exec.
 * Since 1.4.
 *
 * EACCES: the caller lacks CAP_PERFMON. EINVAL: @period_ns or @records out of
 * range. ENOSPC: the file has DRM_FAA_MAX_COUNTERS_STREAMS streams, or the
 * device DRM_FAA_MAX_DEVICE_COUNTERS_STREAMS. EMFILE, ENFILE: the process, or
 * the system, has too many descriptors. ENOMEM.
 */
struct drm_faa_counters_open {
	/**
	 * @period_ns: time from one sample to the next, nanoseconds,
	 * DRM_FAA_MIN_COUNTERS_PERIOD..DRM_FAA_MAX_COUNTERS_PERIOD.
	 */
	__u64 period_ns;
	/**
	 * @records: unread records that the kernel keeps,
	 * 1..DRM_FAA_MAX_COUNTERS_RECORDS. Their memory is charged to the
	 * caller.
	 */
	__u32 records;
	/** @flags: must be 0. */
	__u32 flags;
	/** @fd: out: file descriptor of the stream. */
	__s32 fd;
	/** @record_bytes: out: size of a record. */
	__u32 record_bytes;
};

/**
 * enum drm_faa_counters_record_flags - &drm_faa_counters_record.flags
 */
enum drm_faa_counters_record_flags {
	/**
	 * @DRM_FAA_COUNTERS_NO_VALUES: the registers could not be read, because
	 * the device was asleep, was being reset, or did not answer. All
	 * counters and cycles of the record are 0.
	 */
	DRM_FAA_COUNTERS_NO_VALUES = 1 << 0,
	/**
	 * @DRM_FAA_COUNTERS_ASLEEP: the device was asleep, as it had no jobs;
	 * with DRM_FAA_COUNTERS_NO_VALUES.
	 */
	DRM_FAA_COUNTERS_ASLEEP = 1 << 1,
	/**
	 * @DRM_FAA_COUNTERS_RESTARTED: the counters started at 0 again since
	 * the last record with values: the device was reset, or lost power
	 * while it was asleep.
	 */
	DRM_FAA_COUNTERS_RESTARTED = 1 << 2,
};

/**
 * struct drm_faa_counters_record - record of a stream of counters
 *
 * @num_cus elements of &struct drm_faa_cu_counters follow, in the order of
 * DRM_FAA_DEV_QUERY_COUNTERS, the first at byte @cus_offset of the record. The
 * difference of @time_ns between a record and the one before is about period *
 * (1 + @dropped + @late).
 */
struct drm_faa_counters_record {
	/** @size: bytes of the record, with the counters. */
	__u32 size;
	/** @flags: &enum drm_faa_counters_record_flags. */
	__u32 flags;
	/** @cus_offset: bytes from the beginning of the record to the counters. */
	__u32 cus_offset;
	/** @cu_stride: bytes from the counters of a compute unit to the next. */
	__u32 cu_stride;
	/** @num_cus: compute units. */
	__u32 num_cus;
	/** @pad: 0. */
	__u32 pad;
	/**
	 * @time_ns: CLOCK_MONOTONIC before the registers were read,
	 * nanoseconds.
	 */
	__u64 time_ns;
	/**
	 * @total_cycles: &drm_faa_cu_counters.device_cycles of the first
	 * compute unit, with the cycles before resets of the device: never
	 * decreases.
	 */
	__u64 total_cycles;
	/**
	 * @dropped: samples since the record before that were dropped because
	 * no record had been read.
	 */
	__u64 dropped;
	/**
	 * @late: samples since the record before that were not taken because
	 * the one before was still being taken.
	 */
	__u64 late;
};

/**
 * enum drm_faa_bo_flags - &drm_faa_bo_create.flags and &drm_faa_bo_info.flags
 */
enum drm_faa_bo_flags {
	/**
	 * @DRM_FAA_BO_NO_MMAP: the BO will never be mapped by the CPU;
	 * BO_MMAP_OFFSET fails with EPERM.
	 */
	DRM_FAA_BO_NO_MMAP = 1 << 0,
	/**
	 * @DRM_FAA_BO_IMPORTED: out only: the memory belongs to another driver.
	 */
	DRM_FAA_BO_IMPORTED = 1 << 1,
	/**
	 * @DRM_FAA_BO_STATUS_RING: out only: the status ring of a queue.
	 * mmap() with PROT_WRITE is EACCES, binding EINVAL, export EPERM.
	 */
	DRM_FAA_BO_STATUS_RING = 1 << 2,
};

/**
 * struct drm_faa_bo_create - DRM_IOCTL_FAA_BO_CREATE
 *
 * The memory is zero. EINVAL: @size 0 or larger than the machine's memory,
 * unknown @region. ENOENT: no such @exclusive_vm. ENOMEM.
 */
struct drm_faa_bo_create {
	/** @size: in: bytes; out: bytes rounded up to whole pages. */
	__u64 size;
	/** @flags: DRM_FAA_BO_NO_MMAP or 0. */
	__u32 flags;
	/** @region: &enum drm_faa_region. */
	__u32 region;
	/**
	 * @exclusive_vm: the only VM that may map the BO, which makes
	 * submission cheaper; its export then fails with EPERM. 0 = any VM.
	 */
	__u32 exclusive_vm;
	/** @handle: out: GEM handle, freed by DRM_IOCTL_GEM_CLOSE. */
	__u32 handle;
};

/**
 * struct drm_faa_bo_mmap_offset - DRM_IOCTL_FAA_BO_MMAP_OFFSET
 *
 * EPERM: created with DRM_FAA_BO_NO_MMAP. EINVAL: an imported BO (map it
 * through its own driver).
 */
struct drm_faa_bo_mmap_offset {
	/** @handle: BO. */
	__u32 handle;
	/** @pad: must be 0. */
	__u32 pad;
	/** @offset: out: offset for mmap() of the device file. */
	__u64 offset;
};

/**
 * struct drm_faa_bo_info - DRM_IOCTL_FAA_BO_INFO
 */
struct drm_faa_bo_info {
	/** @handle: BO. */
	__u32 handle;
	/** @pad: must be 0. */
	__u32 pad;
	/** @size: out: bytes. */
	__u64 size;
	/** @flags: out: &enum drm_faa_bo_flags. */
	__u32 flags;
	/** @region: out: &enum drm_faa_region. */
	__u32 region;
	/**
	 * @exclusive: out: 1: only one VM may map it
	 * (&drm_faa_bo_create.exclusive_vm).
	 */
	__u32 exclusive;
	/** @pad2: out: 0. */
	__u32 pad2;
};

/**
 * struct drm_faa_bo_set_label - DRM_IOCTL_FAA_BO_SET_LABEL
 *
 * Name a BO, in place of its former name. The kernel shows the name in debugfs
 * (``bos``), to root alone, and does not interpret it. The name belongs to the
 * memory: files that share the BO share it. Its bytes are charged to the
 * caller. Since 1.3.
 *
 * ENOENT: no such BO. E2BIG: more than DRM_FAA_MAX_LABEL_BYTES with the NUL.
 * EFAULT: @label is bad. ENOMEM.
 */
struct drm_faa_bo_set_label {
	/** @handle: BO. */
	__u32 handle;
	/** @pad: must be 0. */
	__u32 pad;
	/** @label: user pointer to a string that ends with NUL; 0 = no name. */
	__u64 label;
};

/**
 * struct drm_faa_vm_create - DRM_IOCTL_FAA_VM_CREATE
 *
 * EINVAL: @va_range above 2^va_bits or not a multiple of the page size. ENOSPC:
 * DRM_FAA_MAX_VMS reached. ENOMEM.
 */
struct drm_faa_vm_create {
	/** @flags: must be 0. */
	__u32 flags;
	/** @vm_id: out: ID. */
	__u32 vm_id;
	/**
	 * @va_range: in: addresses are below this, 0 = all of 2^va_bits; out:
	 * the value used.
	 */
	__u64 va_range;
};

/**
 * struct drm_faa_vm_destroy - DRM_IOCTL_FAA_VM_DESTROY
 *
 * The queues of the VM must be destroyed first, otherwise EBUSY. Everything
 * mapped is unmapped.
 */
struct drm_faa_vm_destroy {
	/** @vm_id: VM. */
	__u32 vm_id;
	/** @pad: must be 0. */
	__u32 pad;
};

/**
 * DOC: Memory of processes
 *
 * DRM_FAA_VM_BIND_OP_MAP_USERPTR maps memory of the calling process. It is not
 * pinned: the process and the kernel may change it (write, fork, mremap,
 * munmap, mprotect, madvise, swap, migrate, merge equal pages), and the mapping
 * follows the addresses of the process, not the pages. A change of the pages
 * waits for jobs or not:
 *
 * - By default the change waits until all submitted jobs of the VM have ended;
 *   then the pages are unmapped. The next SUBMIT to a queue of the VM maps the
 *   memory that is there then. So a job never sees a change. It faults only at
 *   addresses that could not be mapped when it was submitted: with NOT_MAPPED
 *   where memory is missing, with NOT_WRITABLE where it is no longer writable.
 *   SUBMIT itself does not fail for that. The exit of the process does not
 *   wait.
 * - With DRM_FAA_VM_BIND_FAULTABLE the change does not wait: pages are unmapped
 *   at once, and stay unmapped until a new VM_BIND maps the range again. A job
 *   that needs one ends with NOT_MAPPED, and can be restarted at that element
 *   (&drm_faa_job.first_element). More pages than the changed ones may be
 *   unmapped.
 *
 * Writes of the device to this memory act as writes of a thread of the process.
 * A file that is mapped shared is written back. A page of a private mapping, or
 * one shared with a child, becomes the process's own when it is mapped for
 * writing.
 *
 * The memory is that of the process that made the mapping, whichever process
 * uses the VM. All of it is unmapped when that process has ended.
 */

/**
 * enum drm_faa_vm_bind_op_type - &drm_faa_vm_bind_op.op
 */
enum drm_faa_vm_bind_op_type {
	/**
	 * @DRM_FAA_VM_BIND_OP_MAP: map a part of a BO. Replaces former mappings
	 * of the range.
	 */
	DRM_FAA_VM_BIND_OP_MAP = 0,
	/**
	 * @DRM_FAA_VM_BIND_OP_UNMAP: unmap everything in the range, whole
	 * mappings or parts. Unmapped addresses are no error.
	 */
	DRM_FAA_VM_BIND_OP_UNMAP = 1,
	/**
	 * @DRM_FAA_VM_BIND_OP_MAP_USERPTR: map memory of the calling process,
	 * all of which must exist. Replaces former mappings of the range.
	 */
	DRM_FAA_VM_BIND_OP_MAP_USERPTR = 2,
	/**
	 * @DRM_FAA_VM_BIND_OP_MAP_NULL: map no memory: reads give 0, writes are
	 * dropped. Replaces former mappings of the range. EOPNOTSUPP without
	 * the feature SPARSE.
	 */
	DRM_FAA_VM_BIND_OP_MAP_NULL = 3,
};

/**
 * enum drm_faa_vm_bind_op_flags - &drm_faa_vm_bind_op.flags; none for UNMAP
 */
enum drm_faa_vm_bind_op_flags {
	/** @DRM_FAA_VM_BIND_READONLY: a store is a fault. */
	DRM_FAA_VM_BIND_READONLY = 1 << 0,
	/**
	 * @DRM_FAA_VM_BIND_ATOMIC: global atomic operations are allowed; not
	 * with READONLY.
	 */
	DRM_FAA_VM_BIND_ATOMIC = 1 << 1,
	/**
	 * @DRM_FAA_VM_BIND_FAULTABLE: MAP_USERPTR only: changes of the process's
	 * memory do not wait for jobs. Since 1.1.
	 */
	DRM_FAA_VM_BIND_FAULTABLE = 1 << 2,
};

/**
 * struct drm_faa_vm_bind_op - one operation of VM_BIND
 */
struct drm_faa_vm_bind_op {
	/** @op: &enum drm_faa_vm_bind_op_type. */
	__u32 op;
	/** @flags: &enum drm_faa_vm_bind_op_flags. */
	__u32 flags;
	/** @handle: BO of MAP; otherwise 0. */
	__u32 handle;
	/** @pad: must be 0. */
	__u32 pad;
	/**
	 * @bo_offset: MAP: first byte of the BO, multiple of 4096; otherwise 0.
	 */
	__u64 bo_offset;
	/**
	 * @userptr: MAP_USERPTR: first byte of the process, multiple of 4096;
	 * otherwise 0.
	 */
	__u64 userptr;
	/** @va: first virtual address, multiple of 4096. */
	__u64 va;
	/**
	 * @size: bytes, multiple of 4096, not 0. At most 2^38 for MAP_USERPTR,
	 * 2^40 for MAP_NULL.
	 */
	__u64 size;
};

/**
 * enum drm_faa_vm_bind_flags - &drm_faa_vm_bind.flags
 */
enum drm_faa_vm_bind_flags {
	/**
	 * @DRM_FAA_VM_BIND_ASYNC: do the operations after the ioctl returned,
	 * when the waits of @syncs are over. Since 1.1.
	 */
	DRM_FAA_VM_BIND_ASYNC = 1 << 0,
};

/**
 * struct drm_faa_vm_bind - DRM_IOCTL_FAA_VM_BIND
 *
 * The operations are done in order, before the ioctl returns. Running jobs of
 * the VM continue. When the ioctl returns the device no longer accesses
 * unmapped memory; a job that needs it after that ends with a page fault.
 * Accesses of a job to a range that is being remapped use the old or the new
 * mapping, or fault.
 *
 * When operation n fails, @failed_op is n, operations before it are done, and
 * those from n on are not. @failed_op is @ops.count if all are done, or if none
 * was tried because an argument outside of the operations is bad.
 *
 * With DRM_FAA_VM_BIND_ASYNC the ioctl checks, looks up and allocates
 * everything, and faults in the memory of MAP_USERPTR; if that fails for
 * operation n none is done, and @failed_op is n. The operations are done when
 * the fences that @syncs waits for have signalled, whatever their error; then
 * the syncobjs that @syncs signals are signalled. The calls of one VM, with and
 * without the flag, take effect in the order in which they were made: one
 * without it waits for those before it. Only fences order jobs with them. An
 * accepted call cannot fail, with two exceptions, in which nothing was done:
 * its fence has the error ``-ECANCELED`` if the VM is destroyed first, and
 * ``-ENODEV`` if the device is lost first.
 *
 * ENOENT: no such VM, BO or syncobj. EINVAL: alignment, range, flags, a status
 * ring, a BO that another VM owns, @syncs without ASYNC, a wait for a point
 * that has no fence yet. EFAULT: MAP_USERPTR of memory that does not exist,
 * cannot be read, lies beyond the process's addresses or the end of a file, or
 * belongs to a device (a mapped BO, too). EPERM: MAP_USERPTR without READONLY
 * of memory that cannot be written. EOPNOTSUPP: MAP_NULL without the feature.
 * ENOSPC: with ASYNC: DRM_FAA_MAX_PENDING_BINDS calls are pending: wait for
 * one. ENOMEM. EINTR: a signal arrived; the whole call may be repeated.
 */
struct drm_faa_vm_bind {
	/** @vm_id: VM. */
	__u32 vm_id;
	/** @flags: &enum drm_faa_vm_bind_flags. */
	__u32 flags;
	/**
	 * @ops: array of &struct drm_faa_vm_bind_op, 1..DRM_FAA_MAX_BIND_OPS.
	 */
	struct drm_faa_obj_array ops;
	/**
	 * @syncs: with ASYNC: array of &struct drm_faa_sync, at most
	 * DRM_FAA_MAX_SYNCS; otherwise all 0.
	 */
	struct drm_faa_obj_array syncs;
	/**
	 * @failed_op: out, also on failure: first operation that is not done,
	 * with ASYNC: not accepted.
	 */
	__u32 failed_op;
	/** @pad: must be 0. */
	__u32 pad;
};

/**
 * enum drm_faa_vm_state_flags - &drm_faa_vm_get_state.state
 */
enum drm_faa_vm_state_flags {
	/**
	 * @DRM_FAA_VM_STATE_FAULTED: a job of the VM ended with a page fault;
	 * the last one is reported.
	 */
	DRM_FAA_VM_STATE_FAULTED = 1 << 0,
	/**
	 * @DRM_FAA_VM_STATE_UNUSABLE: the VM cannot be changed or used any more
	 * (the device was lost).
	 */
	DRM_FAA_VM_STATE_UNUSABLE = 1 << 1,
};

/**
 * struct drm_faa_vm_get_state - DRM_IOCTL_FAA_VM_GET_STATE
 */
struct drm_faa_vm_get_state {
	/** @vm_id: VM. */
	__u32 vm_id;
	/** @state: out: &enum drm_faa_vm_state_flags. */
	__u32 state;
	/** @fault_va: out: address of the last page fault. */
	__u64 fault_va;
	/** @fault_code: out: enum faa_error of the last page fault. */
	__u32 fault_code;
	/** @fault_queue: out: queue of the last page fault. */
	__u32 fault_queue;
	/** @fault_seqno: out: job of the last page fault. */
	__u64 fault_seqno;
};

/**
 * struct drm_faa_queue_create - DRM_IOCTL_FAA_QUEUE_CREATE
 *
 * A queue is one CTA: shared memory, registers and predicates start with zero
 * and persist from job to job.
 *
 * ENOENT: no such VM. EINVAL: @shared_bytes, @status_entries or @priority out
 * of range. EACCES: @priority not allowed. ENOSPC: the file has
 * DRM_FAA_MAX_QUEUES queues; or the file, or the user, has its share of the
 * device's 4096 queues or of its 256 numbers for VMs that have queues, or none
 * is left. Destroyed queues whose jobs still wait for fences count. ENOMEM.
 *
 * Half of the free queues and numbers is reserved for files without one, a quarter
 * for users without one.
 *
 * Queues share the hardware queues: an idle queue gives up its hardware queue
 * when another queue has jobs, and resumes with its context later. Files share
 * the compute units regardless of the number of their queues; @priority decides
 * among the queues of one file.
 */
struct drm_faa_queue_create {
	/** @vm_id: VM in which the jobs run. */
	__u32 vm_id;
	/** @flags: must be 0. */
	__u32 flags;
	/** @priority: &enum drm_faa_priority. */
	__u32 priority;
	/**
	 * @shared_bytes: shared memory, multiple of shared_granule,
	 * 0..shared_max.
	 */
	__u32 shared_bytes;
	/**
	 * @status_entries: in: slots of the status ring, power of two,
	 * DRM_FAA_MIN_STATUS_ENTRIES..DRM_FAA_MAX_STATUS_ENTRIES, 0 = 256; out:
	 * the value used. It is also the largest number of unfinished jobs.
	 */
	__u32 status_entries;
	/** @queue_id: out: ID. */
	__u32 queue_id;
	/**
	 * @status_handle: out: BO of the status ring, for BO_MMAP_OFFSET; freed
	 * by DRM_IOCTL_GEM_CLOSE.
	 */
	__u32 status_handle;
	/** @pad: must be 0. */
	__u32 pad;
};

/**
 * struct drm_faa_queue_destroy - DRM_IOCTL_FAA_QUEUE_DESTROY
 *
 * Kills the running job and waits for that; jobs that have not ended end with
 * -ECANCELED.
 */
struct drm_faa_queue_destroy {
	/** @queue_id: queue. */
	__u32 queue_id;
	/** @pad: must be 0. */
	__u32 pad;
};

/**
 * enum drm_faa_queue_state_flags - &drm_faa_queue_get_state.state
 */
enum drm_faa_queue_state_flags {
	/**
	 * @DRM_FAA_QUEUE_STATE_DEAD: no further job runs: SUBMIT is ECANCELED.
	 * The other flags say why.
	 */
	DRM_FAA_QUEUE_STATE_DEAD = 1 << 0,
	/**
	 * @DRM_FAA_QUEUE_STATE_TIMEDOUT: a job ran longer than the timeout and
	 * was killed.
	 */
	DRM_FAA_QUEUE_STATE_TIMEDOUT = 1 << 1,
	/**
	 * @DRM_FAA_QUEUE_STATE_FAULT: the device could not access the queue's
	 * own memory.
	 */
	DRM_FAA_QUEUE_STATE_FAULT = 1 << 2,
	/**
	 * @DRM_FAA_QUEUE_STATE_RESET: its compute unit, or the device, had to
	 * be reset. Without other reasons: its context was lost by a reset that
	 * another queue or the device was the cause of.
	 */
	DRM_FAA_QUEUE_STATE_RESET = 1 << 3,
	/** @DRM_FAA_QUEUE_STATE_LOST: the device was lost. */
	DRM_FAA_QUEUE_STATE_LOST = 1 << 4,
};

/**
 * struct drm_faa_queue_get_state - DRM_IOCTL_FAA_QUEUE_GET_STATE
 */
struct drm_faa_queue_get_state {
	/** @queue_id: queue. */
	__u32 queue_id;
	/** @state: out: &enum drm_faa_queue_state_flags. */
	__u32 state;
	/**
	 * @submitted: out: sequence number of the last job submitted, 0 = none.
	 */
	__u64 submitted;
	/** @completed: out: all jobs up to this sequence number have ended. */
	__u64 completed;
	/** @failed: out: jobs that ended with an error. */
	__u64 failed;
	/**
	 * @error_seqno: out: last job that ended with an error other than
	 * STOPPED, 0 = none.
	 */
	__u64 error_seqno;
	/** @error_address: out: its &drm_faa_status.address. */
	__u64 error_address;
	/** @error_code: out: its &drm_faa_status.code. */
	__u32 error_code;
	/**
	 * @resets: out: resets of compute units, or of the device, that jobs of
	 * the queue caused.
	 */
	__u32 resets;
	/** @elements_retired: out: elements that all ended jobs completed. */
	__u64 elements_retired;
};

/**
 * struct drm_faa_queue_dump - DRM_IOCTL_FAA_QUEUE_DUMP
 *
 * Position of each stream of a queue, with commands, registers, descriptors,
 * records and page-table entries: see faa_dump.h. The queue continues. Physical
 * and DMA addresses, and data of other queues, need CAP_SYS_ADMIN and are left
 * out for other callers.
 *
 * ENOENT: no such queue. ENOSPC: the dump has more than @size bytes;
 * FAA_DUMP_MAX_BYTES are always enough. EFAULT: @pointer is bad.
 */
struct drm_faa_queue_dump {
	/** @queue_id: queue. */
	__u32 queue_id;
	/** @pad: 0. */
	__u32 pad;
	/** @size: in: bytes at @pointer; out: bytes of the dump. */
	__u64 size;
	/** @pointer: user pointer to the buffer of the dump. */
	__u64 pointer;
};

/**
 * enum drm_faa_job_flags - &drm_faa_job.flags
 */
enum drm_faa_job_flags {
	/**
	 * @DRM_FAA_JOB_TOGETHER: the stream runs at the same time as that of
	 * the next job of the call, each in a warp slot of one compute unit.
	 * Jobs chained so, up to &drm_faa_device_info.warp_slots, form a group:
	 * they begin together, share the queue's shared memory, and end
	 * together; if one fails, the others are stopped. Each has its own
	 * sequence number, status and fences. Since 1.2.
	 */
	DRM_FAA_JOB_TOGETHER = 1 << 0,
};

/**
 * struct drm_faa_job - one job of SUBMIT
 */
struct drm_faa_job {
	/**
	 * @stream_va: virtual address of the stream, multiple of 8. The stream
	 * ends at or below 2^va_bits.
	 */
	__u64 stream_va;
	/** @stream_bytes: size of the stream, multiple of 8, not 0. */
	__u32 stream_bytes;
	/** @flags: &enum drm_faa_job_flags. */
	__u32 flags;
	/**
	 * @first_element: element at which the first command starts, multiple
	 * of 32. Restarts a job that ended with an error.
	 */
	__u32 first_element;
	/** @pad: must be 0. */
	__u32 pad;
	/**
	 * @syncs: array of &struct drm_faa_sync, at most DRM_FAA_MAX_SYNCS. In
	 * a group only the first job may wait.
	 */
	struct drm_faa_obj_array syncs;
};

/**
 * struct drm_faa_submit - DRM_IOCTL_FAA_SUBMIT
 *
 * All jobs are submitted, or none. They run one after the other in the order of
 * the array, the jobs of a group (DRM_FAA_JOB_TOGETHER) at once, after all jobs
 * submitted before. Job i has sequence number @first_seqno + i; the first job
 * of a queue has 1.
 *
 * A wait may name a point that an earlier job of the same call signals. An
 * error ends one job only, the jobs after it run.
 *
 * ENOENT: no such queue or syncobj. EINVAL: a job or sync is malformed, the
 * jobs have more than DRM_FAA_MAX_SUBMIT_SYNCS syncs in all, a wait has no
 * fence yet, or a group has too many jobs, no last job, or a wait in a job
 * other than its first. ECANCELED: the queue is dead. ENOSPC: more than
 * &drm_faa_queue_create.status_entries jobs would be unfinished: wait for one.
 * ENOMEM.
 */
struct drm_faa_submit {
	/** @queue_id: queue. */
	__u32 queue_id;
	/** @flags: must be 0. */
	__u32 flags;
	/** @jobs: array of &struct drm_faa_job, 1..DRM_FAA_MAX_JOBS. */
	struct drm_faa_obj_array jobs;
	/** @first_seqno: out: sequence number of the first job. */
	__u64 first_seqno;
};

/**
 * struct drm_faa_status - one slot of a status ring
 *
 * The job with sequence number s has slot s % status_entries. The slot is
 * written before the job's fence signals, by the device or, if the device did
 * not end the job, by the kernel. It keeps its content until job s +
 * status_entries ends. All fields are little-endian. A reader copies the slot
 * and compares @seqno before and after. Layout: struct status of the command
 * description.
 */
struct drm_faa_status {
	/**
	 * @seqno: sequence number of the job. It has not ended if this is 0 or
	 * the number of an older job.
	 */
	__le64 seqno;
	/** @code: enum faa_error of the command description, 0 = success. */
	__le32 code;
	/**
	 * @command: byte offset in the stream of the command that failed (of
	 * END on success).
	 */
	__le32 command;
	/** @element: index of the failing element in that command. */
	__le32 element;
	/** @lane: lane of the failing element. */
	__le32 lane;
	/**
	 * @address: offending address, or offending word for an illegal
	 * command.
	 */
	__le64 address;
	/** @elements_retired: elements that the job completed. */
	__le64 elements_retired;
	/** @start_cycle: device cycle counter when the job started. */
	__le64 start_cycle;
	/**
	 * @end_cycle: device cycle counter when the job's last effect was
	 * visible.
	 */
	__le64 end_cycle;
	/** @warps: warps completed, modulo 2^32. */
	__le32 warps;
	/** @passes: passes over the shared memory banks, modulo 2^32. */
	__le32 passes;
};

#define DRM_IOCTL_FAA_DEV_QUERY \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_DEV_QUERY, struct drm_faa_dev_query)
#define DRM_IOCTL_FAA_BO_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_BO_CREATE, struct drm_faa_bo_create)
#define DRM_IOCTL_FAA_BO_MMAP_OFFSET \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_BO_MMAP_OFFSET, struct drm_faa_bo_mmap_offset)
#define DRM_IOCTL_FAA_BO_INFO \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_BO_INFO, struct drm_faa_bo_info)
#define DRM_IOCTL_FAA_VM_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_VM_CREATE, struct drm_faa_vm_create)
#define DRM_IOCTL_FAA_VM_DESTROY \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_VM_DESTROY, struct drm_faa_vm_destroy)
#define DRM_IOCTL_FAA_VM_BIND \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_VM_BIND, struct drm_faa_vm_bind)
#define DRM_IOCTL_FAA_VM_GET_STATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_VM_GET_STATE, struct drm_faa_vm_get_state)
#define DRM_IOCTL_FAA_QUEUE_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_QUEUE_CREATE, struct drm_faa_queue_create)
#define DRM_IOCTL_FAA_QUEUE_DESTROY \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_QUEUE_DESTROY, struct drm_faa_queue_destroy)
#define DRM_IOCTL_FAA_QUEUE_GET_STATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_QUEUE_GET_STATE, struct drm_faa_queue_get_state)
#define DRM_IOCTL_FAA_SUBMIT \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_SUBMIT, struct drm_faa_submit)
#define DRM_IOCTL_FAA_BO_SET_LABEL \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_BO_SET_LABEL, struct drm_faa_bo_set_label)
#define DRM_IOCTL_FAA_QUEUE_DUMP \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_QUEUE_DUMP, struct drm_faa_queue_dump)
#define DRM_IOCTL_FAA_COUNTERS_OPEN \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_FAA_COUNTERS_OPEN, struct drm_faa_counters_open)

#if defined(__cplusplus)
}
#endif

#endif /* _FAA_DRM_H_ */
