/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The engine interface
 *
 * An engine is one implementation of the faa device below the PCI bridge: the C model (``faa_engine_model``) or the
 * verilated RTL behind an AXI memory model (``faa_engine_rtl``). The virtual device, the lock-step tests and the
 * in-process tests of the library see nothing else.
 *
 * An engine has registers (BAR0), reads and writes host memory by DMA address and requests MSI-X vectors. It only
 * makes progress inside step(). Nothing here is thread safe: one thread owns an engine.
 */
#ifndef FAA_ENGINE_H
#define FAA_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct faa_engine;

/**
 * struct faa_host_ops - what an engine may ask of the host
 *
 * All callbacks run inside step() on the caller's thread; of the RTL engine also inside mmio_read() and mmio_write(),
 * which let its clock run until the access is answered.
 */
struct faa_host_ops {
	/** @dma_read: copy @len bytes at DMA address @addr to @buf; 0, or -EFAULT where no memory is (bus error). */
	int (*dma_read)(void *ctx, uint64_t addr, void *buf, size_t len);
	/** @dma_write: store the bytes of @buf whose bit in @strb is set (@len <= 64); 0 or -EFAULT. */
	int (*dma_write)(void *ctx, uint64_t addr, const void *buf, size_t len, uint64_t strb);
	/** @msix: the device requests interrupt @vector; the bridge masks and keeps it pending. */
	void (*msix)(void *ctx, unsigned int vector);
	/**
	 * @dma_cas: compare and swap of the @size = 2, 4 or 8 bytes at @addr, a multiple of @size, with the host's own atomic
	 * instruction, sequentially consistent: memory that equals *@expected becomes @desired, and *@expected becomes what
	 * memory was before. Values are numbers, in memory little-endian. 0 or -EFAULT. NULL: this host cannot, and a device
	 * behind it has no FEATURE SYS_ATOMICS.
	 */
	int (*dma_cas)(void *ctx, uint64_t addr, unsigned int size, uint64_t *expected,
		       uint64_t desired);
};

/** struct faa_mem_config - behaviour of the AXI memory behind the RTL engine; the model engine uses error_rate and seed only */
struct faa_mem_config {
	/** @latency: clock cycles from an accepted address to its first data beat, 1..4096. */
	uint32_t latency;
	/** @jitter: up to this many further cycles, drawn per transaction. */
	uint32_t jitter;
	/** @outstanding: transactions accepted at a time per direction, 1..256. */
	uint32_t outstanding;
	/** @stall: per mille of cycles in which a ready or valid of the memory side is withheld. */
	uint32_t stall;
	/** @error_rate: one in this many transactions answers SLVERR; 0 = never. */
	uint32_t error_rate;
	/** @seed: of every random choice above. */
	uint64_t seed;
};

/** struct faa_engine_config - what an engine is created with */
struct faa_engine_config {
	/** @ops: the host's side; must outlive the engine. */
	const struct faa_host_ops *ops;
	/** @ctx: handed back to every callback. */
	void *ctx;
	/** @mem: the memory's behaviour. */
	struct faa_mem_config mem;
	/** @trace_cycles: length of the waveform window in cycles, 0 = none (RTL engine built with tracing only). */
	uint32_t trace_cycles;
	/** @num_cus: compute units of the model engine, 0 = its default; those of the RTL engine are fixed when it is built. */
	uint32_t num_cus;
	/** @defect: the defect that the hardware is to have, NULL = none (RTL engine built with FAA_DEFECTS only). */
	const char *defect;
};

/** struct faa_engine_ops - one engine implementation */
struct faa_engine_ops {
	/** @name: "model" or "rtl". */
	const char *name;
	/** @create: a device just out of reset, or NULL with errno set. */
	struct faa_engine *(*create)(const struct faa_engine_config *config);
	/** @destroy: free it; NULL is allowed. */
	void (*destroy)(struct faa_engine *engine);
	/** @mmio_read: 32-bit register read at byte @offset of BAR0; all-ones where no register is. */
	uint32_t (*mmio_read)(struct faa_engine *engine, uint32_t offset);
	/** @mmio_write: 32-bit register write; ignored where no register is. */
	void (*mmio_write)(struct faa_engine *engine, uint32_t offset, uint32_t value);
	/** @step: advance by at most @cycles clock cycles (model: commands or polls); true while there is work left. */
	bool (*step)(struct faa_engine *engine, uint64_t cycles);
	/** @cycle: clock cycles since reset. */
	uint64_t (*cycle)(struct faa_engine *engine);
	/** @dump_trace: write the last trace_cycles cycles as a waveform to @path; 0 or -errno (-EOPNOTSUPP: no tracing). */
	int (*dump_trace)(struct faa_engine *engine, const char *path);
};

extern const struct faa_engine_ops faa_engine_model;
extern const struct faa_engine_ops faa_engine_rtl;

#ifdef __cplusplus
}
#endif

#endif /* FAA_ENGINE_H */
