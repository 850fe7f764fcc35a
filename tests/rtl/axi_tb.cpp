// SPDX-License-Identifier: Apache-2.0
//
// The AXI master (faa_axi_master) with atomic transactions among its lines (faa_axi_atomic), on the
// device's memory of the simulation (sim/vdev/axi_mem.c), which stops a master that violates the
// protocol.
//
// usage: axi_tb CYCLES SEED WIDTH [COVERAGE]
//
// Even lines are read and written as lines, words of odd lines by transactions. Each line and each
// word has at most one access in flight, so the expected answer is known.

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>

#include "Vfaa_test_axi.h"
#include "verilated.h"
#include "verilated_cov.h"

#include "axi_mem.h"

// Bytes of a line, with which the master was built.
#ifndef LINE_BYTES
#define LINE_BYTES 64
#endif
static constexpr unsigned kLineBytes = LINE_BYTES;
static constexpr unsigned kLines = 32, kBytes = kLines * kLineBytes;
enum Transaction { kAdd, kSwap, kCas };

static uint8_t host[kBytes], image[kBytes];
static std::mt19937_64 rng;
static Vfaa_test_axi *dut;
static uint64_t cycle, failures, done_reads, done_writes, done_atomics, bad_answers;

static void fail(const std::string &what, uint64_t got, uint64_t want)
{
	if (failures++ < 20)
		printf("# cycle %" PRIu64 ": %s: got %#" PRIx64 ", expected %#" PRIx64 "\n", cycle,
		       what.c_str(), got, want);
}

static unsigned pick(unsigned n)
{
	return (unsigned)(rng() % n);
}

static bool chance(unsigned percent)
{
	return pick(100) < percent;
}

// ----------------------------------------------------------------------------------------------------------------
// The host

static int host_read(void *, uint64_t addr, void *buf, size_t len)
{
	if (addr > kBytes - len)
		return -EFAULT;
	memcpy(buf, host + addr, len);
	return 0;
}

static int host_write(void *, uint64_t addr, const void *buf, size_t len, uint64_t strb)
{
	if (addr > kBytes - len)
		return -EFAULT;
	for (size_t i = 0; i < len; i++)
		if (strb >> i & 1)
			host[addr + i] = ((const uint8_t *)buf)[i];
	return 0;
}

static int host_cas(void *, uint64_t addr, unsigned int size, uint64_t *expected, uint64_t desired)
{
	uint64_t m = 0;

	if (addr > kBytes - size)
		return -EFAULT;
	memcpy(&m, host + addr, size);
	if (m == *expected)
		memcpy(host + addr, &desired, size);
	*expected = m;
	return 0;
}

static const struct faa_host_ops kHostOps = { host_read, host_write, nullptr, host_cas };

// ----------------------------------------------------------------------------------------------------------------
// In flight

struct Atomic {
	int op;
	bool wide;
	uint64_t addr, data, compare, held;
};

static std::map<unsigned, unsigned> reading, writing; // line by tag
static std::map<unsigned, Atomic> atomics[2];	      // by tag
static bool line_busy[kLines], word_busy[kBytes / 4];

/// By requester: whether a transaction has been offered.
static bool offered[2];
static Atomic offer[2];
static unsigned offer_tag[2];

static uint64_t get(const uint8_t *from, unsigned size)
{
	uint64_t x = 0;

	memcpy(&x, from, size);
	return x;
}

static void make_offer(unsigned n)
{
	Atomic a = {};

	a.wide = pick(2);
	unsigned size = a.wide ? 8 : 4;
	a.addr = (pick(kLines / 2) * 2 + 1) * kLineBytes + pick(kLineBytes / size) * size;
	for (unsigned tag = 0; tag < 16; tag++) {
		if (atomics[n].count(tag) || word_busy[a.addr / 4] ||
		    (a.wide && word_busy[a.addr / 4 + 1]))
			continue;
		a.op = (int)pick(3);
		a.data = rng() >> (a.wide ? 0 : 32);
		a.held = get(image + a.addr, size);
		a.compare = pick(2) ? a.held : rng() >> (a.wide ? 0 : 32);
		offer[n] = a;
		offer_tag[n] = tag;
		offered[n] = true;
		word_busy[a.addr / 4] = true;
		if (a.wide)
			word_busy[a.addr / 4 + 1] = true;
		return;
	}
}

static void drive_atomics(unsigned gap)
{
	uint64_t data[2], compare[2];
	unsigned __int128 addr = 0;

	dut->at_valid_i = dut->at_op_i = dut->at_wide_i = dut->at_tag_i = 0;
	for (unsigned n = 0; n < 2; n++) {
		if (!offered[n] && !chance(gap))
			make_offer(n);
		const Atomic &a = offer[n];
		dut->at_valid_i |= offered[n] << n;
		dut->at_op_i |= a.op << 2 * n;
		dut->at_wide_i |= a.wide << n;
		dut->at_tag_i |= offer_tag[n] << 4 * n;
		addr |= (unsigned __int128)(a.addr >> 2) << 50 * n;
		data[n] = a.data;
		compare[n] = a.compare;
	}
	memcpy(&dut->at_addr_i, &addr, 16);
	memcpy(&dut->at_data_i, data, 16);
	memcpy(&dut->at_compare_i, compare, 16);
}

static void check_atomic(bool errors)
{
	for (unsigned n = 0; n < 2; n++) {
		auto found = atomics[n].find(dut->at_rsp_tag_o);

		if (!(dut->at_rsp_valid_o >> n & 1))
			continue;
		if (found == atomics[n].end()) {
			fail("answer to no transaction", dut->at_rsp_tag_o, 0);
			continue;
		}
		const Atomic &a = found->second;
		unsigned size = a.wide ? 8 : 4;
		uint64_t mask = a.wide ? ~0ull : 0xffffffff, got = dut->at_rsp_data_o & mask;
		uint64_t after = a.op == kAdd			      ? (a.held + a.data) & mask :
				 a.op == kSwap || a.held == a.compare ? a.data :
									a.held;
		if (dut->at_rsp_err_o && !errors)
			fail("error of a transaction", 1, 0);
		if (dut->at_rsp_err_o)
			after = a.held;
		else if (got != a.held)
			fail("answer of a transaction", got, a.held);
		bad_answers += dut->at_rsp_err_o;
		memcpy(image + a.addr, &after, size);
		if (get(host + a.addr, size) != after)
			fail("memory after a transaction", get(host + a.addr, size), after);
		word_busy[a.addr / 4] = false;
		if (a.wide)
			word_busy[a.addr / 4 + 1] = false;
		atomics[n].erase(found);
		done_atomics++;
	}
}

// ----------------------------------------------------------------------------------------------------------------
// Lines

static unsigned rd_tag, wr_tag, rd_line, wr_line;
static bool rd_valid, wr_valid;
static uint8_t wr_data[kLineBytes];
static uint64_t wr_strb;

static bool free_tag(const std::map<unsigned, unsigned> &used, unsigned *tag)
{
	for (*tag = 0; *tag < 64; ++*tag)
		if (!used.count(*tag))
			return true;
	return false;
}

static void drive_lines(unsigned gap)
{
	unsigned line = pick(kLines / 2) * 2;

	if (!rd_valid && !chance(gap) && !line_busy[line] && free_tag(reading, &rd_tag)) {
		rd_valid = line_busy[line] = true;
		rd_line = line;
	}
	line = pick(kLines / 2) * 2;
	if (!wr_valid && !chance(gap) && !line_busy[line] && free_tag(writing, &wr_tag)) {
		wr_valid = line_busy[line] = true;
		wr_line = line;
		wr_strb = rng() | rng();
		for (unsigned i = 0; i < kLineBytes; i++)
			wr_data[i] = (uint8_t)rng();
	}
	dut->rd_valid_i = rd_valid;
	dut->rd_addr_i = rd_line;
	dut->rd_tag_i = rd_tag;
	dut->wr_valid_i = wr_valid;
	dut->wr_addr_i = wr_line;
	dut->wr_tag_i = wr_tag;
	dut->wr_strb_i = wr_strb;
	memcpy(&dut->wr_data_i, wr_data, kLineBytes);
}

static void check_lines(bool errors)
{
	if (dut->rd_rsp_valid_o) {
		unsigned line = reading.at(dut->rd_rsp_tag_o);
		if (dut->rd_rsp_err_o && !errors)
			fail("error of a read", 1, 0);
		if (!dut->rd_rsp_err_o &&
		    memcmp(&dut->rd_rsp_data_o, image + line * kLineBytes, kLineBytes))
			fail("line that was read", line, 0);
		line_busy[line] = false;
		reading.erase(dut->rd_rsp_tag_o);
		done_reads++;
	}
	if (dut->wr_rsp_valid_o) {
		unsigned line = writing.at(dut->wr_rsp_tag_o);
		if (dut->wr_rsp_err_o && !errors)
			fail("error of a write", 1, 0);
		if (dut->wr_rsp_err_o)
			memcpy(image + line * kLineBytes, host + line * kLineBytes, kLineBytes);
		else if (memcmp(host + line * kLineBytes, image + line * kLineBytes, kLineBytes))
			fail("line that was written", line, 0);
		line_busy[line] = false;
		writing.erase(dut->wr_rsp_tag_o);
		done_writes++;
	}
}

// ----------------------------------------------------------------------------------------------------------------
// The bus

template <typename T> static uint8_t *bytes_of(T &port)
{
	return reinterpret_cast<uint8_t *>(&port);
}

static void sample(axi_mem_in &in, unsigned width)
{
	memset(&in, 0, sizeof(in));
	in.aw = { (bool)dut->m_axi_awvalid_o, dut->m_axi_awlen_o,  dut->m_axi_awsize_o,
		  dut->m_axi_awburst_o,	      dut->m_axi_awatop_o, dut->m_axi_awid_o,
		  dut->m_axi_awaddr_o };
	in.ar = { (bool)dut->m_axi_arvalid_o,
		  dut->m_axi_arlen_o,
		  dut->m_axi_arsize_o,
		  dut->m_axi_arburst_o,
		  0,
		  dut->m_axi_arid_o,
		  dut->m_axi_araddr_o };
	in.w_valid = dut->m_axi_wvalid_o;
	in.w_last = dut->m_axi_wlast_o;
	in.w_strb = dut->m_axi_wstrb_o;
	memcpy(in.w_data, bytes_of(dut->m_axi_wdata_o), width / 8);
	in.b_ready = dut->m_axi_bready_o;
	in.r_ready = dut->m_axi_rready_o;
}

static void drive_bus(const axi_mem_out &out, unsigned width)
{
	dut->m_axi_awready_i = out.aw_ready;
	dut->m_axi_wready_i = out.w_ready;
	dut->m_axi_arready_i = out.ar_ready;
	dut->m_axi_bvalid_i = out.b_valid;
	dut->m_axi_bid_i = out.b_id;
	dut->m_axi_bresp_i = out.b_resp;
	dut->m_axi_rvalid_i = out.r_valid;
	dut->m_axi_rid_i = out.r_id;
	dut->m_axi_rresp_i = out.r_resp;
	dut->m_axi_rlast_i = out.r_last;
	memcpy(bytes_of(dut->m_axi_rdata_i), out.r_data, width / 8);
}

/// Records the requests that the device takes in this cycle, before the edge.
static void take_offers()
{
	if (rd_valid && dut->rd_ready_o) {
		reading[rd_tag] = rd_line;
		rd_valid = false;
	}
	if (wr_valid && dut->wr_ready_o) {
		writing[wr_tag] = wr_line;
		for (unsigned i = 0; i < kLineBytes; i++)
			if (wr_strb >> i & 1)
				image[wr_line * kLineBytes + i] = wr_data[i];
		wr_valid = false;
	}
	for (unsigned n = 0; n < 2; n++)
		if (offered[n] && (dut->at_ready_o >> n & 1)) {
			atomics[n][offer_tag[n]] = offer[n];
			offered[n] = false;
		}
}

static void phase(unsigned cycles, unsigned width, const faa_mem_config &config, unsigned line_gap,
		  unsigned atomic_gap)
{
	const axi_mem_config c = { config, width / 8, &kHostOps, nullptr, nullptr };
	axi_mem *mem = axi_mem_create(&c);
	const axi_mem_out *out = axi_mem_outputs(mem);
	axi_mem_in in;
	unsigned quiet = 0;

	for (unsigned n = 0; quiet < 2; n++) {
		bool more = n < cycles;
		drive_lines(more ? line_gap : 100);
		drive_atomics(more ? atomic_gap : 100);
		drive_bus(*out, width);
		dut->clk_i = 0;
		dut->eval();
		// The memory handles the cycle before it answers: what came is compared with its
		// effects.
		check_lines(config.error_rate);
		check_atomic(config.error_rate);
		take_offers();
		sample(in, width);
		dut->clk_i = 1;
		dut->eval();
		out = axi_mem_step(mem, &in);
		cycle++;
		quiet = !more && dut->idle_o && axi_mem_idle(mem) && !rd_valid && !wr_valid &&
					!offered[0] && !offered[1] ?
				quiet + 1 :
				0;
		if (n > cycles + 200000) {
			fail("no progress", n, 0);
			break;
		}
	}
	axi_mem_destroy(mem);
	if (memcmp(host, image, kBytes))
		fail("memory at the end of a phase", 0, 0);
}

int main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: axi_tb CYCLES SEED WIDTH [COVERAGE]\n");
		return 2;
	}
	uint64_t cycles = strtoull(argv[1], nullptr, 0);
	unsigned width = (unsigned)atoi(argv[3]);
	rng.seed(strtoull(argv[2], nullptr, 0));
	for (unsigned i = 0; i < kBytes; i++)
		host[i] = image[i] = (uint8_t)rng();
	dut = new Vfaa_test_axi;
	dut->rst_ni = 0;
	for (int i = 0; i < 8; i++) {
		dut->clk_i = i & 1;
		dut->eval();
	}
	dut->rst_ni = 1;
	while (cycle < cycles && failures < 20) {
		faa_mem_config config = {};
		config.latency = 1 + pick(pick(2) ? 4 : 60);
		config.jitter = pick(2) ? 0 : pick(60);
		config.outstanding = 1 + pick(64);
		config.stall = pick(2) ? 0 : pick(700);
		config.error_rate = pick(4) ? 0 : 20;
		config.seed = rng();
		phase(500, width, config, pick(3) * 45, pick(3) * 45);
	}
	if (!done_atomics || !done_reads || !done_writes || !bad_answers)
		fail("something was never done", done_atomics, 1);
	printf("# %u bits: %" PRIu64 " cycles, %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64
	       " transactions\n",
	       width, cycle, done_reads, done_writes, done_atomics);
	if (argc > 4)
		VerilatedCov::write(argv[4]);
	printf("%s\n", failures ? "FAILED" : "passed");
	return failures != 0;
}
