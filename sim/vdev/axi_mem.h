/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: AXI4 memory
 *
 * The subordinate behind the device's AXI4 master: host memory with adjustable manners. Responses of one ID come in the
 * order of the addresses; responses of different IDs in any order, and with jitter their read beats interleave. A read
 * sees memory when its beat is offered, a write reaches memory when its response is offered: as late as AXI allows, so that
 * a master that does not wait for its responses is found out. All outputs are registers.
 *
 * Atomic transactions (AWATOP): those that PCI Express has, AtomicLoad ADD (FetchAdd), AtomicSwap and AtomicCompare (CAS), of 4 and
 * 8 bytes. They are done when their write response is offered, with the host's own atomic instruction; the read response follows.
 *
 * A master that breaks the protocol is stopped with a message: what it does then means nothing.
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
	/** @AXI_OKAY: done. */
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
	 * @AXI_ATOP_COMPARE: AtomicCompare. The bytes at the address are compared, those of the other half of the transaction, which is
	 * twice as long as the item, are stored.
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

/** struct axi_mem_in - what the master drives */
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
	/** @w_data: WDATA; looked at with @w_valid only. */
	uint8_t w_data[AXI_MEM_MAX_BYTES];
};

/** struct axi_mem_out - what the memory drives, all from registers */
struct axi_mem_out {
	/** @aw_ready: AWREADY. */
	bool aw_ready;
	/** @w_ready: WREADY; with an accepted address only. */
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
	/** @r_data: RDATA; lanes outside of a narrow beat hold noise. */
	uint8_t r_data[AXI_MEM_MAX_BYTES];
};

/** struct axi_mem_config - what a memory is created with */
struct axi_mem_config {
	/** @mem: latency, jitter, limits and errors. */
	struct faa_mem_config mem;
	/** @beat_bytes: width of the data bus: 8, 16, 32 or 64 bytes. */
	unsigned int beat_bytes;
	/** @ops: the host's memory (msix is not called). */
	const struct faa_host_ops *ops;
	/** @ctx: handed to @ops. */
	void *ctx;
	/** @fail: told of a broken protocol; must not return. NULL: print and abort(). */
	void (*fail)(void *ctx, const char *message);
};

struct axi_mem;

/** axi_mem_create() - a memory out of reset; NULL with errno set (EINVAL for a bad width or limit). */
struct axi_mem *axi_mem_create(const struct axi_mem_config *config);
/** axi_mem_destroy() - free it; NULL is allowed. */
void axi_mem_destroy(struct axi_mem *mem);

/**
 * axi_mem_step() - one rising edge of the clock
 * @mem: the memory
 * @in: what the master drove before the edge
 *
 * Return: what the memory drives after the edge; valid until the next step.
 */
const struct axi_mem_out *axi_mem_step(struct axi_mem *mem, const struct axi_mem_in *in);

/** axi_mem_outputs() - what the memory drives now. */
const struct axi_mem_out *axi_mem_outputs(const struct axi_mem *mem);
/** axi_mem_idle() - no transaction is outstanding. */
bool axi_mem_idle(const struct axi_mem *mem);
/** axi_mem_describe() - what is outstanding, as a sentence, for reports of a hang. */
void axi_mem_describe(const struct axi_mem *mem, char *text, unsigned int size);

#ifdef __cplusplus
}
#endif

#endif /* FAA_VDEV_AXI_MEM_H */
