// SPDX-License-Identifier: Apache-2.0
#include "axi_mem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BURST_INCR 1
#define BURST_WRAP 2
#define PAGE	   4096u
#define NO_BEAT	   UINT32_MAX

/* An accepted transaction. Those of a direction are linked in the order of acceptance. */
struct txn {
	struct txn *next;
	struct axi_mem_addr addr;
	uint64_t ready_at;
	/* Beats transferred: reads to the master, writes from it. */
	uint32_t beats;
	/* Beat with response SLVERR, or NO_BEAT. */
	uint32_t bad_beat;
	uint8_t resp;
	/* Writes: beats - 1 of data, then as many strobes. */
	uint8_t *data;
	uint64_t *strb;
	/* Read response of an atomic transaction: previous value of memory. */
	bool atomic;
	uint64_t held;
};

struct txn_list {
	struct txn *first;
	struct txn **end;
	uint32_t count;
};

struct axi_mem {
	struct axi_mem_config config;
	struct axi_mem_out out;
	struct txn_list reads;
	struct txn_list writes;
	/* Transactions of the valid R beat and the valid B response. */
	struct txn *r_txn;
	struct txn *b_txn;
	/* Number of write beats of accepted addresses that are still outstanding. */
	uint32_t w_missing;
	uint64_t cycle;
	uint64_t random;
	/* Outputs of the master that were valid without ready in the last cycle. */
	struct axi_mem_addr held_aw;
	struct axi_mem_addr held_ar;
	bool held_w;
	bool held_w_last;
	uint64_t held_w_strb;
	uint8_t held_w_data[AXI_MEM_MAX_BYTES];
};

__attribute__((format(printf, 2, 3), noreturn)) static void
axi_mem_broken(const struct axi_mem *mem, const char *format, ...)
{
	char text[256];
	char message[320];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(message, sizeof(message), "AXI protocol broken at cycle %" PRIu64 ": %s",
		 mem->cycle, text);
	if (mem->config.fail)
		mem->config.fail(mem->config.ctx, message);
	fprintf(stderr, "faa: %s\n", message);
	abort();
}

/* xorshift64*: never 0 after a seed other than 0. */
static uint64_t axi_mem_draw(struct axi_mem *mem)
{
	mem->random ^= mem->random >> 12;
	mem->random ^= mem->random << 25;
	mem->random ^= mem->random >> 27;
	return (mem->random * 0x2545f4914f6cdd1dull) >> 16;
}

static bool axi_mem_stalled(struct axi_mem *mem)
{
	const struct faa_host_ops *ops = mem->config.ops;

	if (ops->dma_stopped && ops->dma_stopped(mem->config.ctx))
		return true;
	return mem->config.mem.stall && axi_mem_draw(mem) % 1000 < mem->config.mem.stall;
}

static void axi_mem_list_init(struct txn_list *list)
{
	list->first = NULL;
	list->end = &list->first;
	list->count = 0;
}

static void axi_mem_list_add(struct txn_list *list, struct txn *txn)
{
	*list->end = txn;
	list->end = &txn->next;
	list->count++;
}

static void axi_mem_list_free(struct txn_list *list, struct txn *txn)
{
	struct txn **link = &list->first;

	while (*link != txn)
		link = &(*link)->next;
	*link = txn->next;
	if (!txn->next)
		list->end = link;
	list->count--;
	free(txn->data);
	free(txn);
}

struct axi_mem *axi_mem_create(const struct axi_mem_config *config)
{
	const unsigned int bytes = config->beat_bytes;
	struct axi_mem *mem;

	if ((bytes != 8 && bytes != 16 && bytes != 32 && bytes != 64) || config->mem.latency < 1 ||
	    config->mem.outstanding < 1 || config->mem.stall >= 1000) {
		errno = EINVAL;
		return NULL;
	}
	mem = calloc(1, sizeof(*mem));
	if (!mem)
		return NULL;
	mem->config = *config;
	mem->random = config->mem.seed * 0x9e3779b97f4a7c15ull + 0x632be59bd9b4e019ull;
	if (!mem->random)
		mem->random = 1;
	axi_mem_list_init(&mem->reads);
	axi_mem_list_init(&mem->writes);
	return mem;
}

void axi_mem_destroy(struct axi_mem *mem)
{
	if (!mem)
		return;
	while (mem->reads.first)
		axi_mem_list_free(&mem->reads, mem->reads.first);
	while (mem->writes.first)
		axi_mem_list_free(&mem->writes, mem->writes.first);
	free(mem);
}

static void axi_mem_check_addr_held(const struct axi_mem *mem, const char *channel,
				    const struct axi_mem_addr *held, const struct axi_mem_addr *now)
{
	if (!held->valid)
		return;
	if (!now->valid)
		axi_mem_broken(mem,
			       "%sVALID fell before %sREADY rose (address 0x%" PRIx64
			       ", ID %" PRIu32 ")",
			       channel, channel, held->addr, held->id);
	if (now->addr != held->addr || now->id != held->id || now->len != held->len ||
	    now->size != held->size || now->burst != held->burst || now->atop != held->atop)
		axi_mem_broken(mem,
			       "%s changed while it waited for %sREADY: address 0x%" PRIx64
			       " ID %" PRIu32 " became 0x%" PRIx64 " ID %" PRIu32,
			       channel, channel, held->addr, held->id, now->addr, now->id);
}

static void axi_mem_check_held(struct axi_mem *mem, const struct axi_mem_in *in)
{
	axi_mem_check_addr_held(mem, "AW", &mem->held_aw, &in->aw);
	axi_mem_check_addr_held(mem, "AR", &mem->held_ar, &in->ar);
	if (mem->held_w && !in->w_valid)
		axi_mem_broken(mem, "WVALID fell before WREADY rose");
	if (mem->held_w && (in->w_last != mem->held_w_last || in->w_strb != mem->held_w_strb ||
			    memcmp(in->w_data, mem->held_w_data, mem->config.beat_bytes)))
		axi_mem_broken(mem, "WDATA, WSTRB or WLAST changed while it waited for WREADY");

	mem->held_aw = in->aw;
	mem->held_aw.valid = in->aw.valid && !mem->out.aw_ready;
	mem->held_ar = in->ar;
	mem->held_ar.valid = in->ar.valid && !mem->out.ar_ready;
	mem->held_w = in->w_valid && !mem->out.w_ready;
	if (mem->held_w) {
		mem->held_w_last = in->w_last;
		mem->held_w_strb = in->w_strb;
		memcpy(mem->held_w_data, in->w_data, mem->config.beat_bytes);
	}
}

/* Bytes of the item of an atomic transaction. */
static unsigned int axi_mem_atomic_bytes(const struct axi_mem_addr *addr)
{
	return ((addr->len + 1u) << addr->size) >> (addr->atop == AXI_ATOP_COMPARE);
}

static bool axi_mem_id_in_use(const struct txn_list *list, uint32_t id)
{
	for (const struct txn *txn = list->first; txn; txn = txn->next)
		if (txn->addr.id == id)
			return true;
	return false;
}

static void axi_mem_check_atomic(const struct axi_mem *mem, const struct axi_mem_addr *addr)
{
	const unsigned int bytes = axi_mem_atomic_bytes(addr);
	const bool upper = addr->atop == AXI_ATOP_COMPARE && (addr->addr & bytes);

	if (addr->atop != AXI_ATOP_ADD && addr->atop != AXI_ATOP_SWAP &&
	    addr->atop != AXI_ATOP_COMPARE)
		axi_mem_broken(mem,
			       "AWATOP is 0x%x at 0x%" PRIx64
			       ": not one of PCI Express' transactions",
			       addr->atop, addr->addr);
	if (bytes != 4 && bytes != 8)
		axi_mem_broken(mem,
			       "atomic transaction on %u bytes at 0x%" PRIx64
			       ", 4 and 8 are served",
			       bytes, addr->addr);
	if (addr->addr & (bytes - 1))
		axi_mem_broken(mem,
			       "AWADDR 0x%" PRIx64 " is not a multiple of its item of %u bytes",
			       addr->addr, bytes);
	if (addr->len && 1u << addr->size != mem->config.beat_bytes)
		axi_mem_broken(mem,
			       "atomic transaction of %u beats narrower than the bus at 0x%" PRIx64,
			       addr->len + 1u, addr->addr);
	if (addr->burst != (upper ? BURST_WRAP : BURST_INCR))
		axi_mem_broken(mem, "AWBURST is %u of an atomic transaction at 0x%" PRIx64,
			       addr->burst, addr->addr);
	if (axi_mem_id_in_use(&mem->reads, addr->id) || axi_mem_id_in_use(&mem->writes, addr->id))
		axi_mem_broken(mem, "ID %" PRIu32 " of an atomic transaction is in use", addr->id);
	if (!mem->config.ops->dma_cas)
		axi_mem_broken(mem, "atomic transaction at 0x%" PRIx64 ", but the host has none",
			       addr->addr);
}

static void axi_mem_check_addr(const struct axi_mem *mem, const char *channel,
			       const struct axi_mem_addr *addr)
{
	uint64_t bytes = 1ull << addr->size;
	uint64_t last = addr->addr + (addr->len + 1u) * bytes - 1;

	if (bytes > mem->config.beat_bytes)
		axi_mem_broken(mem,
			       "%sSIZE %u (%" PRIu64
			       " bytes) is more than the bus, %u bytes, at 0x%" PRIx64,
			       channel, addr->size, bytes, mem->config.beat_bytes, addr->addr);
	if (addr->atop) {
		axi_mem_check_atomic(mem, addr);
		return;
	}
	if (addr->burst != BURST_INCR)
		axi_mem_broken(mem, "%sBURST is %u, only INCR (1) is served, at 0x%" PRIx64,
			       channel, addr->burst, addr->addr);
	if (addr->addr & (bytes - 1))
		axi_mem_broken(mem,
			       "%sADDR 0x%" PRIx64 " is not a multiple of its beat of %" PRIu64
			       " bytes",
			       channel, addr->addr, bytes);
	if (addr->addr / PAGE != last / PAGE)
		axi_mem_broken(mem,
			       "burst at %sADDR 0x%" PRIx64 " of %u beats of %" PRIu64
			       " bytes crosses a 4 KiB boundary",
			       channel, addr->addr, addr->len + 1u, bytes);
}

static uint64_t axi_mem_due(struct axi_mem *mem)
{
	uint64_t jitter =
		mem->config.mem.jitter ? axi_mem_draw(mem) % (mem->config.mem.jitter + 1u) : 0;

	/* The latency includes the edge that accepts the address. */
	return mem->cycle + mem->config.mem.latency - 1 + jitter;
}

static struct txn *axi_mem_accept(struct axi_mem *mem, struct txn_list *list,
				  const struct axi_mem_addr *addr)
{
	uint32_t rate = mem->config.mem.error_rate;
	struct txn *txn = calloc(1, sizeof(*txn));

	if (!txn)
		axi_mem_broken(mem, "out of host memory");
	txn->addr = *addr;
	txn->bad_beat = rate && axi_mem_draw(mem) % rate == 0 ?
				(uint32_t)(axi_mem_draw(mem) % (addr->len + 1u)) :
				NO_BEAT;
	axi_mem_list_add(list, txn);
	return txn;
}

static void axi_mem_accept_addresses(struct axi_mem *mem, const struct axi_mem_in *in)
{
	if (in->ar.valid && mem->out.ar_ready) {
		axi_mem_check_addr(mem, "AR", &in->ar);
		axi_mem_accept(mem, &mem->reads, &in->ar)->ready_at = axi_mem_due(mem);
	}
	if (in->aw.valid && mem->out.aw_ready) {
		uint32_t beats = in->aw.len + 1u;
		struct txn *txn;

		axi_mem_check_addr(mem, "AW", &in->aw);
		txn = axi_mem_accept(mem, &mem->writes, &in->aw);
		txn->data = malloc(beats * (mem->config.beat_bytes + sizeof(*txn->strb)));
		if (!txn->data)
			axi_mem_broken(mem, "out of host memory");
		txn->strb = (uint64_t *)(txn->data + beats * mem->config.beat_bytes);
		txn->ready_at = UINT64_MAX;
		mem->w_missing += beats;
	}
}

/* Byte lanes of beat @beat on the data bus. */
static uint64_t axi_mem_beat_lanes(const struct axi_mem *mem, const struct axi_mem_addr *addr,
				   uint32_t beat)
{
	uint64_t bytes = 1ull << addr->size;
	uint64_t at = (addr->addr & ~(bytes - 1)) + beat * bytes;
	uint64_t all = bytes == 64 ? ~0ull : (1ull << bytes) - 1;

	return all << (at & (mem->config.beat_bytes - 1));
}

static void axi_mem_accept_write_data(struct axi_mem *mem, const struct axi_mem_in *in)
{
	struct txn *txn = mem->writes.first;
	bool last;

	if (!in->w_valid || !mem->out.w_ready)
		return;
	/* Data is in the order of the addresses. */
	while (txn->beats > txn->addr.len)
		txn = txn->next;
	last = txn->beats == txn->addr.len;
	if (in->w_last != last)
		axi_mem_broken(mem,
			       "WLAST is %d with beat %" PRIu32 " of %u of the write at 0x%" PRIx64,
			       in->w_last, txn->beats + 1, txn->addr.len + 1u, txn->addr.addr);
	if (in->w_strb & ~axi_mem_beat_lanes(mem, &txn->addr, txn->beats))
		axi_mem_broken(mem,
			       "WSTRB 0x%" PRIx64 " has bytes outside of beat %" PRIu32
			       " of the write at 0x%" PRIx64 " (lanes 0x%" PRIx64 ")",
			       in->w_strb, txn->beats + 1, txn->addr.addr,
			       axi_mem_beat_lanes(mem, &txn->addr, txn->beats));
	memcpy(txn->data + txn->beats * mem->config.beat_bytes, in->w_data, mem->config.beat_bytes);
	txn->strb[txn->beats] = in->w_strb;
	txn->beats++;
	mem->w_missing--;
	if (last)
		txn->ready_at = axi_mem_due(mem);
}

/*
 * Selects a transaction that may respond now: due, and the oldest of its ID. Of these the oldest,
 * or with jitter a random one.
 */
static struct txn *axi_mem_choose(struct axi_mem *mem, const struct txn_list *list)
{
	uint64_t seen[4] = { 0 };
	struct txn *chosen = NULL;
	uint32_t candidates = 0;

	for (struct txn *txn = list->first; txn; txn = txn->next) {
		/* IDs with equal low 8 bits count as one ID, which only restricts the order. */
		uint64_t *word = &seen[txn->addr.id / 64 % 4];
		uint64_t bit = 1ull << (txn->addr.id % 64);

		if (*word & bit)
			continue;
		*word |= bit;
		if (txn->ready_at > mem->cycle)
			continue;
		candidates++;
		if (!chosen || (mem->config.mem.jitter && axi_mem_draw(mem) % candidates == 0))
			chosen = txn;
		if (!mem->config.mem.jitter)
			break;
	}
	return chosen;
}

static void axi_mem_offer_read_beat(struct axi_mem *mem, struct txn *txn)
{
	struct axi_mem_out *out = &mem->out;
	const size_t bytes = 1u << txn->addr.size;
	const uint64_t addr = txn->addr.addr + txn->beats * bytes;
	uint8_t *data = out->r_data + (addr & (mem->config.beat_bytes - 1));

	if (bytes < mem->config.beat_bytes) {
		uint64_t noise = axi_mem_draw(mem);

		for (unsigned int i = 0; i < mem->config.beat_bytes; i++)
			out->r_data[i] = (uint8_t)(noise >> (i % 6 * 8));
	}
	out->r_resp = AXI_OKAY;
	if (txn->atomic)
		out->r_resp = txn->resp;
	else if (txn->beats == txn->bad_beat)
		out->r_resp = AXI_SLVERR;
	else if (mem->config.ops->dma_read(mem->config.ctx, addr, data, bytes))
		out->r_resp = AXI_DECERR;
	if (out->r_resp != AXI_OKAY)
		memset(data, 0xee, bytes);
	else if (txn->atomic)
		memcpy(data, &txn->held, bytes);
	out->r_valid = true;
	out->r_id = txn->addr.id;
	out->r_last = txn->beats == txn->addr.len;
	mem->r_txn = txn;
}

static void axi_mem_drive_read(struct axi_mem *mem, const struct axi_mem_in *in)
{
	struct txn *same = NULL;

	if (mem->out.r_valid) {
		if (!in->r_ready)
			return;
		mem->out.r_valid = false;
		same = mem->r_txn;
		same->beats++;
		if (mem->out.r_last) {
			axi_mem_list_free(&mem->reads, same);
			same = NULL;
		}
		mem->r_txn = NULL;
	}
	if (!mem->reads.first || axi_mem_stalled(mem))
		return;
	/* With jitter, beats of different IDs sometimes interleave. */
	if (!same || (mem->config.mem.jitter && axi_mem_draw(mem) % 4 == 0))
		same = axi_mem_choose(mem, &mem->reads);
	if (same)
		axi_mem_offer_read_beat(mem, same);
}

/* Stores the beats of a write. Return: its response. */
static uint8_t axi_mem_perform_write(struct axi_mem *mem, const struct txn *txn)
{
	const size_t bytes = 1u << txn->addr.size;
	uint8_t resp = txn->bad_beat == NO_BEAT ? AXI_OKAY : AXI_SLVERR;

	for (uint32_t beat = 0; beat <= txn->addr.len; beat++) {
		uint64_t addr = txn->addr.addr + beat * bytes;
		uint32_t lane = (uint32_t)addr & (mem->config.beat_bytes - 1);
		uint64_t strb = txn->strb[beat] >> lane;

		if (!strb || beat == txn->bad_beat)
			continue;
		if (mem->config.ops->dma_write(mem->config.ctx, addr,
					       txn->data + beat * mem->config.beat_bytes + lane,
					       bytes, strb))
			resp = AXI_DECERR;
	}
	/*
	 * A write with a response must be visible: it must not remain in this processor's store
	 * buffer while the device reads.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	return resp;
}

/* The new value of an item of @bytes that has value @m. */
static uint64_t axi_mem_atomic_result(const struct txn *txn, uint64_t m, uint64_t compare,
				      uint64_t data, unsigned int bytes)
{
	const uint64_t ones = ~0ull >> (64 - 8 * bytes);

	if (txn->addr.atop == AXI_ATOP_ADD)
		return (m + data) & ones;
	return txn->addr.atop == AXI_ATOP_SWAP || m == compare ? data : m;
}

/* Executes an atomic transaction and queues its read response. Return: its write response. */
static uint8_t axi_mem_perform_atomic(struct axi_mem *mem, const struct txn *txn)
{
	const struct faa_host_ops *ops = mem->config.ops;
	const unsigned int bytes = axi_mem_atomic_bytes(&txn->addr);
	const bool compares = txn->addr.atop == AXI_ATOP_COMPARE;
	/* The buffer has the beats one after the other; WRAP begins with the upper half. */
	const uint32_t lane =
		txn->addr.len ? 0 : (uint32_t)txn->addr.addr & (mem->config.beat_bytes - 1);
	const uint32_t other = txn->addr.len ? bytes : lane ^ bytes;
	uint64_t compare = 0, data = 0, m = 0, seen;
	struct axi_mem_addr addr = txn->addr;
	struct txn *answer;
	uint8_t resp = txn->bad_beat == NO_BEAT ? AXI_OKAY : AXI_SLVERR;

	memcpy(&data, txn->data + (compares ? other : lane), bytes);
	if (compares)
		memcpy(&compare, txn->data + lane, bytes);
	do {
		seen = m;
		if (resp == AXI_OKAY &&
		    ops->dma_cas(mem->config.ctx, addr.addr, bytes, &m,
				 axi_mem_atomic_result(txn, seen, compare, data, bytes)))
			resp = AXI_DECERR;
	} while (resp == AXI_OKAY && m != seen);
	addr.len = 0;
	addr.size = bytes == 4 ? 2 : 3;
	answer = axi_mem_accept(mem, &mem->reads, &addr);
	answer->atomic = true;
	answer->held = m;
	answer->resp = resp;
	answer->bad_beat = NO_BEAT;
	answer->ready_at = mem->cycle;
	return resp;
}

static void axi_mem_drive_write_response(struct axi_mem *mem, const struct axi_mem_in *in)
{
	struct txn *txn;

	if (mem->out.b_valid) {
		if (!in->b_ready)
			return;
		mem->out.b_valid = false;
		axi_mem_list_free(&mem->writes, mem->b_txn);
		mem->b_txn = NULL;
	}
	if (!mem->writes.first || axi_mem_stalled(mem))
		return;
	txn = axi_mem_choose(mem, &mem->writes);
	if (!txn)
		return;
	mem->out.b_resp = txn->addr.atop ? axi_mem_perform_atomic(mem, txn) :
					   axi_mem_perform_write(mem, txn);
	mem->out.b_id = txn->addr.id;
	mem->out.b_valid = true;
	mem->b_txn = txn;
}

static void axi_mem_drive_readies(struct axi_mem *mem)
{
	mem->out.ar_ready = mem->reads.count < mem->config.mem.outstanding && !axi_mem_stalled(mem);
	mem->out.aw_ready = mem->writes.count < mem->config.mem.outstanding &&
			    !axi_mem_stalled(mem);
	mem->out.w_ready = mem->w_missing && !axi_mem_stalled(mem);
}

const struct axi_mem_out *axi_mem_step(struct axi_mem *mem, const struct axi_mem_in *in)
{
	mem->cycle++;
	axi_mem_check_held(mem, in);
	axi_mem_accept_addresses(mem, in);
	axi_mem_accept_write_data(mem, in);
	axi_mem_drive_read(mem, in);
	axi_mem_drive_write_response(mem, in);
	axi_mem_drive_readies(mem);
	return &mem->out;
}

const struct axi_mem_out *axi_mem_outputs(const struct axi_mem *mem)
{
	return &mem->out;
}

bool axi_mem_idle(const struct axi_mem *mem)
{
	return !mem->reads.first && !mem->writes.first;
}

void axi_mem_describe(const struct axi_mem *mem, char *text, unsigned int size)
{
	snprintf(text, size,
		 "%" PRIu32 " reads and %" PRIu32 " writes outstanding, %" PRIu32
		 " write beats missing",
		 mem->reads.count, mem->writes.count, mem->w_missing);
}
