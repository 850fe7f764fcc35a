/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: AXI4 memory
 *
 * The subordinate of the device's AXI4 master: host memory with adjustable behaviour. Responses of
 * one ID are in the order of the addresses. Responses of different IDs are in any order; with
 * jitter, their read beats interleave. A read samples memory when its beat is offered, and a write
 * reaches memory when its response is offered. This is as late as AXI allows, and exposes a master
 * that does not wait for responses. All outputs are registers.
 *
 * Atomic transactions (AWATOP): those that PCI Express has, AtomicLoad ADD (FetchAdd), AtomicSwap
 * and AtomicCompare (CAS), of 4 and 8 bytes. They are executed with the host's own atomic
 * instruction when their write response is offered; the read response follows.
 *
 * A master that violates the protocol is stopped with a message.
 */
#ifndef FAA_VDEV_AXI_MEM_H
#define FAA_VDEV_AXI_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include "faa_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AXI_MEM_MAX_BYTES 64

/** enum axi_resp - xRESP */
enum axi_resp {
	/** @AXI_OKAY: success. */
	AXI_OKAY = 0,
	/** @AXI_SLVERR: an injected error. */
	AXI_SLVERR = 2,
	/** @AXI_DECERR: no memory at the address. */
	AXI_DECERR = 3,
};

/** enum axi_atop - AWATOP of little-endian atomic transactions that are served */
enum axi_atop {
	/** @AXI_ATOP_NONE: a plain write. */
	AXI_ATOP_NONE = 0x00,
	/** @AXI_ATOP_ADD: AtomicLoad ADD. */
	AXI_ATOP_ADD = 0x20,
	/** @AXI_ATOP_SWAP: AtomicSwap. */
	AXI_ATOP_SWAP = 0x30,
	/**
	 * @AXI_ATOP_COMPARE: AtomicCompare. A transaction is twice as long as the item: the half at
	 * the address is compared, the other half is stored.
	 */
	AXI_ATOP_COMPARE = 0x31,
};

/** struct axi_mem_addr - AW or AR channel, driven by the master */
struct axi_mem_addr {
	/** @valid: xVALID. */
	bool valid;
	/** @len: xLEN, beats - 1. */
	uint8_t len;
	/** @size: xSIZE, log2 of the bytes of a beat. */
	uint8_t size;
	/** @burst: xBURST; INCR (1), of AtomicCompare to the upper half WRAP (2). */
	uint8_t burst;
	/** @atop: AWATOP, enum axi_atop. */
	uint8_t atop;
	/** @id: xID. */
	uint32_t id;
	/** @addr: xADDR, a multiple of the beat's size. */
	uint64_t addr;
};

/** struct axi_mem_in - outputs of the master */
struct axi_mem_in {
	/** @aw: write address. */
	struct axi_mem_addr aw;
	/** @ar: read address. */
	struct axi_mem_addr ar;
	/** @w_valid: WVALID. */
	bool w_valid;
	/** @w_last: WLAST. */
	bool w_last;
	/** @b_ready: BREADY. */
	bool b_ready;
	/** @r_ready: RREADY. */
	bool r_ready;
	/** @w_strb: WSTRB. */
	uint64_t w_strb;
	/** @w_data: WDATA; valid with @w_valid only. */
	uint8_t w_data[AXI_MEM_MAX_BYTES];
};

/** struct axi_mem_out - outputs of the memory, all from registers */
struct axi_mem_out {
	/** @aw_ready: AWREADY. */
	bool aw_ready;
	/** @w_ready: WREADY; only after an accepted address. */
	bool w_ready;
	/** @ar_ready: ARREADY. */
	bool ar_ready;
	/** @b_valid: BVALID. */
	bool b_valid;
	/** @r_valid: RVALID. */
	bool r_valid;
	/** @r_last: RLAST. */
	bool r_last;
	/** @b_resp: BRESP, enum axi_resp. */
	uint8_t b_resp;
	/** @r_resp: RRESP, enum axi_resp. */
	uint8_t r_resp;
	/** @b_id: BID. */
	uint32_t b_id;
	/** @r_id: RID. */
	uint32_t r_id;
	/** @r_data: RDATA; lanes outside of a narrow beat are random. */
	uint8_t r_data[AXI_MEM_MAX_BYTES];
};

/** struct axi_mem_config - parameters of axi_mem_create() */
struct axi_mem_config {
	/** @mem: latency, jitter, limits and errors. */
	struct faa_mem_config mem;
	/** @beat_bytes: width of the data bus: 8, 16, 32 or 64 bytes. */
	unsigned int beat_bytes;
	/** @ops: the host's memory; msix is not called. */
	const struct faa_host_ops *ops;
	/** @ctx: passed to @ops. */
	void *ctx;
	/**
	 * @fail: called for a violation of the protocol; must not return. NULL: print and abort().
	 */
	void (*fail)(void *ctx, const char *message);
};

struct axi_mem;

/**
 * axi_mem_create() - create a memory after reset; NULL with errno set (EINVAL: bad width or limit).
 */
struct axi_mem *axi_mem_create(const struct axi_mem_config *config);
/** axi_mem_destroy() - free @mem; NULL is allowed. */
void axi_mem_destroy(struct axi_mem *mem);

/**
 * axi_mem_step() - one rising clock edge
 * @mem: the memory
 * @in: outputs of the master before the edge
 *
 * Return: outputs of the memory after the edge; valid until the next step.
 */
const struct axi_mem_out *axi_mem_step(struct axi_mem *mem, const struct axi_mem_in *in);

/** axi_mem_outputs() - current outputs of the memory. */
const struct axi_mem_out *axi_mem_outputs(const struct axi_mem *mem);
/** axi_mem_idle() - whether no transaction is outstanding. */
bool axi_mem_idle(const struct axi_mem *mem);
/**
 * axi_mem_describe() - write the outstanding transactions as a sentence to @text, for reports of a
 * hang.
 */
void axi_mem_describe(const struct axi_mem *mem, char *text, unsigned int size);

#ifdef __cplusplus
}
#endif

#endif /* FAA_VDEV_AXI_MEM_H */
