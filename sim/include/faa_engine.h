/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The engine interface
 *
 * An engine is an implementation of the faa device below the PCI bridge: the C model
 * (``faa_engine_model``), or the verilated RTL with an AXI memory model (``faa_engine_rtl``). The
 * virtual device, the lock-step tests and the in-process tests of the library use only this
 * interface.
 *
 * An engine has registers (BAR0), reads and writes host memory by DMA address, and requests MSI-X
 * vectors. It makes progress only within step(). Nothing here is thread safe: one thread owns an
 * engine.
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
 * struct faa_host_ops - host functions that an engine calls
 *
 * All callbacks run within step() on the caller's thread. Those of the RTL engine also run within
 * mmio_read() and mmio_write(), which run its clock until the access completes.
 */
struct faa_host_ops {
	/**
	 * @dma_read: copy @len bytes at DMA address @addr to @buf. Return: 0; -EFAULT: no memory
	 * there (bus error).
	 */
	int (*dma_read)(void *ctx, uint64_t addr, void *buf, size_t len);
	/**
	 * @dma_write: store the bytes of @buf whose bit in @strb is set (@len <= 64). Return: 0 or
	 * -EFAULT.
	 */
	int (*dma_write)(void *ctx, uint64_t addr, const void *buf, size_t len, uint64_t strb);
	/**
	 * @msix: the device requests interrupt @vector; the bridge handles masked and pending
	 * vectors.
	 */
	void (*msix)(void *ctx, unsigned int vector);
	/**
	 * @dma_cas: compare and swap of @size = 2, 4 or 8 bytes at @addr, a multiple of @size, with
	 * the host's own atomic instruction, sequentially consistent. If memory equals *@expected
	 * it becomes @desired; *@expected becomes the previous value. Values are numbers,
	 * little-endian in memory. Return: 0 or -EFAULT. NULL: the host has no atomics, and the
	 * device no FEATURE SYS_ATOMICS.
	 */
	int (*dma_cas)(void *ctx, uint64_t addr, unsigned int size, uint64_t *expected,
		       uint64_t desired);
	/**
	 * @dma_stopped: memory takes no further access and answers none of those in flight. NULL:
	 * it always does. The engine asks in every step; registers answer all the same.
	 */
	bool (*dma_stopped)(void *ctx);
};

/**
 * struct faa_mem_config - behaviour of the AXI memory of the RTL engine; the model engine uses only
 * error_rate and seed
 */
struct faa_mem_config {
	/** @latency: clock cycles from an accepted address to its first data beat, 1..4096. */
	uint32_t latency;
	/** @jitter: up to this many further cycles, drawn per transaction. */
	uint32_t jitter;
	/** @outstanding: limit of outstanding transactions per direction, 1..256. */
	uint32_t outstanding;
	/** @stall: per mille of cycles in which a ready or valid of the memory side is withheld. */
	uint32_t stall;
	/** @error_rate: one in this many transactions has the response SLVERR; 0 = none. */
	uint32_t error_rate;
	/** @seed: seed of all random choices above. */
	uint64_t seed;
};

/** struct faa_engine_config - parameters of faa_engine_ops.create */
struct faa_engine_config {
	/** @ops: functions of the host; must outlive the engine. */
	const struct faa_host_ops *ops;
	/** @ctx: passed to every callback. */
	void *ctx;
	/** @mem: behaviour of the memory. */
	struct faa_mem_config mem;
	/**
	 * @trace_cycles: keep a waveform of at least this many cycles before the present, 0 = none
	 * (only in RTL engines built with tracing).
	 */
	uint32_t trace_cycles;
	/** @trace_from: first cycle of the waveform, if @trace_to is not 0. */
	uint64_t trace_from;
	/**
	 * @trace_to: cycle after the waveform's last; not 0: the waveform has the cycles from
	 * @trace_from on instead of the last ones.
	 */
	uint64_t trace_to;
	/**
	 * @num_cus: compute units of the model engine, 0 = its default; an RTL engine is built with
	 * a fixed number.
	 */
	uint32_t num_cus;
	/**
	 * @defect: defect of the hardware, NULL = none (only in RTL engines built with
	 * FAA_DEFECTS).
	 */
	const char *defect;
};

/** struct faa_engine_ops - an implementation of an engine */
struct faa_engine_ops {
	/** @name: "model" or "rtl". */
	const char *name;
	/** @create: create a device after reset. Return: NULL with errno set on failure. */
	struct faa_engine *(*create)(const struct faa_engine_config *config);
	/** @destroy: free @engine; NULL is allowed. */
	void (*destroy)(struct faa_engine *engine);
	/** @mmio_read: 32-bit read at byte @offset of BAR0; all-ones if there is no register. */
	uint32_t (*mmio_read)(struct faa_engine *engine, uint32_t offset);
	/** @mmio_write: 32-bit write; ignored if there is no register. */
	void (*mmio_write)(struct faa_engine *engine, uint32_t offset, uint32_t value);
	/**
	 * @step: advance by at most @cycles clock cycles (model: units, which are warps, commands
	 * or polls). Return: whether there is work left.
	 */
	bool (*step)(struct faa_engine *engine, uint64_t cycles);
	/** @cycle: clock cycles since reset. */
	uint64_t (*cycle)(struct faa_engine *engine);
	/**
	 * @dump_trace: write the cycles of trace_cycles, or of trace_from and trace_to, as a
	 * waveform (FST) to @path, and a save file for viewers beside it, whose name ends in .gtkw.
	 * Return: 0 or -errno (-EOPNOTSUPP: no tracing; -ENODATA: none of these cycles has been).
	 */
	int (*dump_trace)(struct faa_engine *engine, const char *path);
};

extern const struct faa_engine_ops faa_engine_model;
extern const struct faa_engine_ops faa_engine_rtl;

#ifdef __cplusplus
}
#endif

#endif /* FAA_ENGINE_H */
