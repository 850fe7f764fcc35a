/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
#ifndef _FAA_DUMP_H_
#define _FAA_DUMP_H_

#include "drm.h"

#if defined(__cplusplus)
extern "C" {
#endif

/**
 * DOC: Dumps
 *
 * A dump is the state of one queue and of the device at one moment: the
 * position of each stream of the queue, the commands there, registers,
 * descriptors, status records and page-table entries. The driver writes a dump
 *
 * - to a device core dump (/sys/class/devcoredump), which root can read, when
 *   it stops a queue that its owner did not destroy;
 * - to user space on demand (DRM_IOCTL_FAA_QUEUE_DUMP), for a queue of the
 *   caller. Without CAP_SYS_ADMIN it has no physical or DMA address.
 *
 * It begins with a &struct faa_dump_header. Sections follow: each is a &struct
 * faa_dump_section and its content, both multiples of 8 bytes. All numbers are
 * little-endian. A reader ignores sections that it does not know, and bytes at
 * the end of structs that it does not know. ``faa-dis --dump`` shows a dump as
 * text.
 */

/** FAA_DUMP_MAGIC - the first 8 bytes of a dump, as a number: "faadump" */
#define FAA_DUMP_MAGIC		0x00706d7564616166ull
/** FAA_DUMP_VERSION - of the format; grows when existing readers would fail */
#define FAA_DUMP_VERSION	1
/** FAA_DUMP_MAX_BYTES - largest size of a dump */
#define FAA_DUMP_MAX_BYTES	65536
/** FAA_DUMP_MAX_RECORDS - status records in a dump, the latest ones */
#define FAA_DUMP_MAX_RECORDS	64
/** FAA_DUMP_CODE_BEFORE - bytes of a stream before the position */
#define FAA_DUMP_CODE_BEFORE	1024
/** FAA_DUMP_CODE_AFTER - bytes of a stream from the position on */
#define FAA_DUMP_CODE_AFTER	1024

/**
 * enum faa_dump_reason - &faa_dump_header.reason
 */
enum faa_dump_reason {
	/** @FAA_DUMP_DEMAND: a program asked for it; the queue continues. */
	FAA_DUMP_DEMAND = 0,
	/** @FAA_DUMP_TIMEOUT: its job took too long. */
	FAA_DUMP_TIMEOUT,
	/** @FAA_DUMP_FAULT: the device could not access the queue's own memory. */
	FAA_DUMP_FAULT,
	/**
	 * @FAA_DUMP_VICTIM: its compute unit was reset because of another
	 * queue, or the device was reset.
	 */
	FAA_DUMP_VICTIM,
	/**
	 * @FAA_DUMP_LOST: the driver gave the device up while the queue had
	 * jobs.
	 */
	FAA_DUMP_LOST,
};

/**
 * enum faa_dump_flags - &faa_dump_header.flags
 */
enum faa_dump_flags {
	/**
	 * @FAA_DUMP_NO_ADDRESSES: physical and DMA addresses are 0, and
	 * registers that hold any are missing.
	 */
	FAA_DUMP_NO_ADDRESSES = 1 << 0,
	/** @FAA_DUMP_NO_REGISTERS: the device did not answer. */
	FAA_DUMP_NO_REGISTERS = 1 << 1,
};

/**
 * struct faa_dump_header - the beginning of a dump
 */
struct faa_dump_header {
	/** @magic: FAA_DUMP_MAGIC. */
	__le64 magic;
	/** @version: FAA_DUMP_VERSION. */
	__le32 version;
	/** @bytes: of this struct; the first section follows. */
	__le32 bytes;
	/** @size: bytes of the dump. */
	__le64 size;
	/** @reason: &enum faa_dump_reason. */
	__le32 reason;
	/** @flags: &enum faa_dump_flags. */
	__le32 flags;
	/** @time_ns: CLOCK_REALTIME when the state was taken, nanoseconds. */
	__le64 time_ns;
	/** @cycle: the device's clock cycle then, 0 = unknown. */
	__le64 cycle;
	/** @pid: process that created the queue, in the initial namespace. */
	__le32 pid;
	/** @pad: 0. */
	__le32 pad;
	/** @comm: name of that process, ends with a NUL. */
	__u8 comm[16];
	/** @kernel: release of the kernel, ends with a NUL. */
	__u8 kernel[64];
};

/**
 * enum faa_dump_kind - &faa_dump_section.kind
 */
enum faa_dump_kind {
	/** @FAA_DUMP_QUEUE: one &struct faa_dump_queue. */
	FAA_DUMP_QUEUE = 1,
	/** @FAA_DUMP_REGISTERS: array of &struct faa_dump_register. */
	FAA_DUMP_REGISTERS,
	/**
	 * @FAA_DUMP_RING: descriptors (struct faa_job_desc) of the queue in its
	 * ring; @index is the producer index of the first.
	 */
	FAA_DUMP_RING,
	/**
	 * @FAA_DUMP_RECORDS: status records (&struct drm_faa_status) of jobs
	 * that have ended; @address is the sequence number of the first.
	 */
	FAA_DUMP_RECORDS,
	/**
	 * @FAA_DUMP_POSITION: one &struct faa_dump_position; @index is the warp
	 * slot, @address the virtual address of the command.
	 */
	FAA_DUMP_POSITION,
	/**
	 * @FAA_DUMP_CODE: words of the stream around a position; @index is the
	 * warp slot, @address the virtual address of the first. @error: why
	 * there are none.
	 */
	FAA_DUMP_CODE,
	/**
	 * @FAA_DUMP_WALK: array of &struct faa_dump_entry, from level 3 down to
	 * the leaf or the entry that is not valid; @address is the virtual
	 * address that was looked up, @index an &enum faa_dump_walk.
	 */
	FAA_DUMP_WALK,
	/**
	 * @FAA_DUMP_MAPPINGS: array of &struct faa_dump_mapping: the mapping of
	 * @address or, if nothing is mapped there, those before and after it.
	 * @index as with FAA_DUMP_WALK.
	 */
	FAA_DUMP_MAPPINGS,
};

/**
 * enum faa_dump_walk - the address that a &FAA_DUMP_WALK looks up
 */
enum faa_dump_walk {
	/** @FAA_DUMP_WALK_CODE: the command of a position. */
	FAA_DUMP_WALK_CODE = 0,
	/** @FAA_DUMP_WALK_FAULT: the last page fault of the address space. */
	FAA_DUMP_WALK_FAULT,
};

/**
 * struct faa_dump_section - header of a section
 */
struct faa_dump_section {
	/** @kind: &enum faa_dump_kind. */
	__le32 kind;
	/** @index: depends on @kind. */
	__le32 index;
	/** @address: depends on @kind. */
	__le64 address;
	/** @bytes: of the content, without the padding to a multiple of 8. */
	__le32 bytes;
	/** @error: 0, or the positive errno why there is no content. */
	__le32 error;
};

/**
 * struct faa_dump_queue - the queue
 */
struct faa_dump_queue {
	/** @number: of the queue in the device, as in the kernel log. */
	__le32 number;
	/** @id: of the queue in its file. */
	__le32 id;
	/** @hardware_queue: its hardware queue, ~0 = none. */
	__le32 hardware_queue;
	/** @cu: compute unit that runs it, ~0 = none. */
	__le32 cu;
	/** @priority: &enum drm_faa_priority. */
	__le32 priority;
	/** @shared_bytes: of its shared memory. */
	__le32 shared_bytes;
	/** @state: &enum drm_faa_queue_state_flags. */
	__le32 state;
	/**
	 * @resets: of compute units, or of the device, that its jobs caused.
	 */
	__le32 resets;
	/** @submitted: sequence number of the last job. */
	__le64 submitted;
	/** @given: last job that was passed to the device. */
	__le64 given;
	/** @ended: last job that ended. */
	__le64 ended;
	/** @failed: jobs that ended with an error. */
	__le64 failed;
	/** @tail: producer index of the ring. */
	__le32 tail;
	/** @vm: serial number of the address space, as in debugfs. */
	__le32 vm;
	/** @fault_va: address of its last page fault. */
	__le64 fault_va;
	/** @fault_seqno: job of that fault, 0 = there was none. */
	__le64 fault_seqno;
	/** @fault_code: enum faa_error. */
	__le32 fault_code;
	/** @fault_queue: ID of the queue that had it. */
	__le32 fault_queue;
};

/**
 * struct faa_dump_register - a register of BAR 0
 */
struct faa_dump_register {
	/** @offset: bytes from its beginning. */
	__le32 offset;
	/** @value: its value. */
	__le32 value;
};

/**
 * struct faa_dump_position - position of a stream of the first group of jobs
 */
struct faa_dump_position {
	/** @seqno: its job. */
	__le64 seqno;
	/** @stream_va: virtual address of the stream. */
	__le64 stream_va;
	/** @stream_bytes: its length. */
	__le32 stream_bytes;
	/** @slot: warp slot. */
	__le32 slot;
	/** @running: 1: a compute unit was executing it. Otherwise @pc and @retired are 0. */
	__le32 running;
	/** @pc: offset of the command in the stream, bytes. */
	__le32 pc;
	/** @retired: elements that the stream had retired, modulo 2^32. */
	__le32 retired;
	/** @pad: 0. */
	__le32 pad;
};

/**
 * struct faa_dump_entry - one step of a page-table walk
 */
struct faa_dump_entry {
	/** @level: 3 for the root. */
	__le32 level;
	/** @index: of the entry in its table. */
	__le32 index;
	/** @entry: the entry, without its address if FAA_DUMP_NO_ADDRESSES. */
	__le64 entry;
};

/**
 * enum faa_dump_mapped - &faa_dump_mapping.kind
 */
enum faa_dump_mapped {
	/** @FAA_DUMP_MAPPED_BO: a buffer object. */
	FAA_DUMP_MAPPED_BO = 1,
	/** @FAA_DUMP_MAPPED_USERPTR: memory of a process. */
	FAA_DUMP_MAPPED_USERPTR,
	/** @FAA_DUMP_MAPPED_NULL: no memory, reads as zeros. */
	FAA_DUMP_MAPPED_NULL,
};

/** FAA_DUMP_LABEL_BYTES - of the name of a buffer object, its NUL included */
#define FAA_DUMP_LABEL_BYTES	64

/**
 * struct faa_dump_mapping - a mapping of the address space
 */
struct faa_dump_mapping {
	/** @va: first byte. */
	__le64 va;
	/** @bytes: length. */
	__le64 bytes;
	/** @offset: in the object, or the address in the process. */
	__le64 offset;
	/** @kind: &enum faa_dump_mapped. */
	__le32 kind;
	/** @pad: 0. */
	__le32 pad;
	/** @label: name of the object (BO_SET_LABEL), cut off, ends with a NUL. */
	__u8 label[FAA_DUMP_LABEL_BYTES];
};

#if defined(__cplusplus)
}
#endif

#endif /* _FAA_DUMP_H_ */
