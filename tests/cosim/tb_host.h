/* SPDX-License-Identifier: MIT */
/**
 * DOC: A small host for engines
 *
 * Provides in one process, on top of faa_engine_ops, the parts of a driver and a machine that the
 * device needs: memory, page tables, rings and status records. The same test runs on the C model
 * and on the verilated RTL.
 *
 * Every DMA access is checked against the pages that the test gave to the device; an access outside
 * counts as a violation. Functions end the program with a message if a test misuses them (memory
 * exhausted, ring full).
 */
#ifndef TB_HOST_H
#define TB_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa_engine.h"
#include "faa_isa.h"
#include "faa_regs.h"

#define TB_PAGE	      4096u
#define TB_LARGE_PAGE (2u << 20)
/** TB_VECTORS - interrupts are counted for vectors below this */
#define TB_VECTORS 32
/** TB_NO_MEMORY - a DMA address without memory */
#define TB_NO_MEMORY 0x000f000000000000ULL

/** enum tb_access - access rights of the device to a page of host memory */
enum tb_access {
	TB_NONE = 0,
	TB_READ = 1,
	TB_WRITE = 2,
	TB_READ_WRITE = 3,
};

struct faa_model_params;

/** struct tb_config - parameters of a host */
struct tb_config {
	/** @engine: implementation under test. */
	const struct faa_engine_ops *engine;
	/** @model: size of the model engine, NULL = default; ignored for others. */
	const struct faa_model_params *model;
	/** @mem: behaviour of the memory. */
	struct faa_mem_config mem;
	/** @memory_bytes: host memory, 0 = 16 MiB. */
	size_t memory_bytes;
};

/** struct tb_host - host memory and one device */
struct tb_host {
	const struct faa_engine_ops *ops;
	struct faa_engine *engine;
	/** @memory: starts at DMA address @base. */
	uint8_t *memory;
	uint8_t *access;
	uint64_t base;
	size_t bytes;
	size_t used;
	/** @interrupts: requests per vector since the start. */
	unsigned int interrupts[TB_VECTORS];
	/** @violations: accesses outside the pages given to the device. */
	unsigned int violations;
	/** @violation_addr: DMA address of the first one. */
	uint64_t violation_addr;
	/** @swaps: compare-and-swap accesses so far. */
	uint64_t swaps;
	/** @allow_bus_errors: accesses beyond the memory are no violation. */
	bool allow_bus_errors;
	/**
	 * @tamper: if set, may change the device's writes; for tests that prove that they can fail
	 */
	void (*tamper)(struct tb_host *host, uint64_t addr, uint8_t *data, size_t len,
		       uint64_t strb);
	/** @trace_dma: print every access to stderr. */
	bool trace_dma;
	/** @limit: step units after which a wait ends. */
	uint64_t limit;
	uint32_t inv_number;
	/** @num_queues, @num_cus, @warp_slots, @shared_max: as the registers report them. */
	unsigned int num_queues;
	unsigned int num_cus;
	unsigned int warp_slots;
	uint32_t shared_max;
};

/** tb_engine() - engine called "model" or "rtl"; NULL if this program has no such engine */
const struct faa_engine_ops *tb_engine(const char *name);

/** tb_mem_default() - a memory of moderate latency without stalls or errors */
struct faa_mem_config tb_mem_default(uint64_t seed);

/** tb_mem_random() - latency, jitter, outstanding transactions and stalls drawn from @seed */
struct faa_mem_config tb_mem_random(uint64_t seed);

struct tb_host *tb_host_create(const struct tb_config *config);
void tb_host_destroy(struct tb_host *host);

/** tb_dma_alloc() - zeroed whole pages with the given access; returns the DMA address */
uint64_t tb_dma_alloc(struct tb_host *host, size_t bytes, enum tb_access access);
/** tb_dma_alloc_aligned() - the same at a multiple of @align (a power of two, at least a page) */
uint64_t tb_dma_alloc_aligned(struct tb_host *host, size_t bytes, size_t align,
			      enum tb_access access);
/** tb_dma_access() - change the device's access rights to [addr, addr + bytes) */
void tb_dma_access(struct tb_host *host, uint64_t addr, size_t bytes, enum tb_access access);
/** tb_ptr() - the host's view of a DMA address inside the memory */
void *tb_ptr(struct tb_host *host, uint64_t addr);

/** tb_access_read() - read host memory as a processor does, in aligned words */
void tb_access_read(void *to, const void *memory, size_t len);
/** tb_access_write() - write the bytes of host memory that @strb enables in the same way */
void tb_access_write(void *memory, const void *from, size_t len, uint64_t strb);

uint32_t tb_read(struct tb_host *host, uint32_t reg);
void tb_write(struct tb_host *host, uint32_t reg, uint32_t value);
/** tb_write64() - write a LO/HI pair whose low word is at @reg_lo */
void tb_write64(struct tb_host *host, uint32_t reg_lo, uint64_t value);
uint64_t tb_read64(struct tb_host *host, uint32_t reg_lo);
/** tb_step() - run the device for at most @units; true while it has work */
bool tb_step(struct tb_host *host, uint64_t units);
/** tb_idle() - run until the device is idle; false if @limit passed before */
bool tb_idle(struct tb_host *host);
/** tb_wait_reg() - run until (register & mask) == value; false if @limit passed before */
bool tb_wait_reg(struct tb_host *host, uint32_t reg, uint32_t mask, uint32_t value);

/** struct tb_vm - one set of page tables */
struct tb_vm {
	struct tb_host *host;
	uint64_t root;
	unsigned int vmid;
	uint64_t next_va;
};

/** tb_vm_create() - an empty VM; @vmid is its tag. Its memory is freed with the host's. */
struct tb_vm *tb_vm_create(struct tb_host *host, unsigned int vmid);
void tb_vm_destroy(struct tb_vm *vm);
/**
 * tb_vm_entry() - the page table entry of @va at @level (0 = 4 KiB leaf)
 *
 * Tables above it are made as needed. The caller may write any value; tb_vm_invalidate() makes a
 * change visible.
 */
uint64_t *tb_vm_entry(struct tb_vm *vm, uint64_t va, int level);
/** tb_vm_map() - map whole pages; @flags: FAA_PTE_WRITABLE_MASK and others, 0 = read only */
void tb_vm_map(struct tb_vm *vm, uint64_t va, uint64_t dma, size_t bytes, uint64_t flags);
/** tb_vm_map_large() - map one 2 MiB leaf */
void tb_vm_map_large(struct tb_vm *vm, uint64_t va, uint64_t dma, uint64_t flags);
void tb_vm_unmap(struct tb_vm *vm, uint64_t va, size_t bytes);
/**
 * tb_vm_invalidate() - drop the device's translations of [first, last] and wait for completion;
 * false on timeout
 */
bool tb_vm_invalidate(struct tb_vm *vm, uint64_t first, uint64_t last);

/** struct tb_buffer - memory that is mapped in a VM */
struct tb_buffer {
	uint64_t va;
	uint64_t dma;
	void *ptr;
	size_t bytes;
};

/**
 * tb_buffer_create() - allocate and map writable memory at a new address; the next page is unmapped
 */
struct tb_buffer tb_buffer_create(struct tb_vm *vm, size_t bytes);

/** struct tb_queue_config - settings of a queue */
struct tb_queue_config {
	uint32_t shared_bytes;
	unsigned int prio;
	unsigned int vector;
	/** @ring_log2: 0 = 6, i.e. 64 entries; a ring of one entry is not supported. */
	unsigned int ring_log2;
};

/** struct tb_queue - one hardware queue that is enabled */
struct tb_queue {
	struct tb_host *host;
	struct tb_vm *vm;
	unsigned int index;
	unsigned int ring_log2;
	uint32_t tail;
	uint64_t ring;
	uint64_t statuses;
	uint64_t seqno;
	uint64_t save;
	uint32_t shared_bytes;
};

/**
 * tb_queue_create() - set up hardware queue @index and enable it
 * @config: NULL = no shared memory, priority 0
 */
struct tb_queue *tb_queue_create(struct tb_vm *vm, unsigned int index,
				 const struct tb_queue_config *config);
/**
 * tb_queue_destroy() - disable the queue and wait until it has stopped; false if it did not stop
 */
bool tb_queue_destroy(struct tb_queue *queue);
/**
 * tb_queue_disable() and tb_queue_enable() - stop and restart a queue; the ring starts at 0 again
 */
bool tb_queue_disable(struct tb_queue *queue);
void tb_queue_enable(struct tb_queue *queue);
enum faa_queue_state tb_queue_state(struct tb_queue *queue);

/** tb_desc() - a good descriptor for the queue's next job; @bytes as in stream_bytes */
struct faa_job_desc tb_desc(struct tb_queue *queue, uint64_t stream_va, uint32_t bytes);
/**
 * tb_push() - put a descriptor, good or bad, into the ring without a doorbell; returns the job
 * number, from 0
 */
uint32_t tb_push(struct tb_queue *queue, const struct faa_job_desc *desc);
/** tb_doorbell() - ring the doorbell for all pushed descriptors */
void tb_doorbell(struct tb_queue *queue);
/** tb_submit() - push a good descriptor and ring */
uint32_t tb_submit(struct tb_queue *queue, uint64_t stream_va, uint32_t bytes);
/** struct tb_stream - a stream in memory that is mapped in the queue's VM */
struct tb_stream {
	uint64_t va;
	uint32_t bytes;
};

/**
 * tb_submit_group() - push a good job of @count streams that run together and ring the doorbell;
 * returns the number of the first stream
 */
uint32_t tb_submit_group(struct tb_queue *queue, const struct tb_stream *streams,
			 unsigned int count);
/** tb_saved_context() - the saved context of a warp slot, CONTEXT_BYTES bytes */
uint8_t *tb_saved_context(struct tb_queue *queue, unsigned int slot);
/** tb_saved_shared() - the saved shared memory, shared_bytes bytes */
uint8_t *tb_saved_shared(struct tb_queue *queue);
/** tb_wait() - run until job @job has ended; false if @limit passed before or the queue stopped */
bool tb_wait(struct tb_queue *queue, uint32_t job);
/** tb_status() - status record of a job; valid until the ring has wrapped */
const struct faa_status *tb_status(struct tb_queue *queue, uint32_t job);
/** tb_seqno() - number of the last ended job + 1, as the device wrote it */
uint64_t tb_seqno(struct tb_queue *queue);

/** tb_die() - end the program with a message */
__attribute__((noreturn, format(printf, 1, 2))) void tb_die(const char *format, ...);

#endif /* TB_HOST_H */
