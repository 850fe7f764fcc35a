// SPDX-License-Identifier: MIT
//
// The translation of warps whose addresses are a first one and a step: random warps with steps of
// every length and both signs, sparse and bad pages, late requests and answers, and a remembered
// page that is dropped. faa_test_translate compares it in every cycle with the translation of
// arbitrary addresses, which mmu_tb checks against page tables; here nothing may hang, and each
// outcome must occur.
//
// usage: translate_tb WARPS SEED

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>

#include "Vfaa_test_translate.h"
using Dut = Vfaa_test_translate;
#include "verilated.h"

#include "faa_isa.h"

static Dut *dut;
static std::mt19937_64 rng;

static unsigned pick(unsigned n)
{
	return static_cast<unsigned>(rng() % n);
}

static void tick()
{
	dut->clk_i = 1;
	dut->eval();
	dut->clk_i = 0;
	dut->eval();
}

struct Request {
	uint64_t va;
	unsigned left; // cycles until its answer may come
};

static std::deque<Request> requests;
static unsigned bad; // pages of 256

struct Page {
	unsigned error;
	bool sparse;
	uint64_t pa;
};

static Page page_of(uint64_t va)
{
	static const uint8_t errors[] = { FAA_ERROR_NOT_MAPPED, FAA_ERROR_BUS_ERROR };
	const uint64_t hash = (va >> 12) * 0x9e3779b97f4a7c15ull;

	return { (hash >> 20) % 256 < bad ? errors[hash >> 40 & 1] : unsigned(FAA_ERROR_SUCCESS),
		 (hash >> 50 & 1) != 0, (hash >> 12 << 12 | (va & 4095)) >> 12 };
}

// A cycle of the TLB, which answers in order and holds up to 8 requests.
static void tlb()
{
	dut->tr_ready_i = requests.size() < 8 && pick(4) != 0;
	dut->tr_rsp_valid_i = 0;
	if (!requests.empty() && !requests.front().left) {
		const Page page = page_of(requests.front().va);

		dut->tr_rsp_valid_i = 1;
		dut->tr_rsp_error_i = static_cast<uint8_t>(page.error);
		dut->tr_rsp_sparse_i = page.sparse;
		dut->tr_rsp_pa_i = page.pa;
		requests.pop_front();
	}
	for (Request &r : requests)
		if (r.left)
			r.left--;
}

int main(int argc, char **argv)
{
	const unsigned long warps = argc > 1 ? strtoul(argv[1], nullptr, 0) : 20000;
	static const int32_t steps[] = { 0,    1,    -1,   2,	 4,    -4,    8,     64,
					 -512, 4095, 4096, 4097, 5000, -4096, -4097, 1 << 20 };
	unsigned long done = 0, errors = 0, misaligned = 0, cycles = 0, begun = 0;
	unsigned idle = 0;

	Verilated::commandArgs(argc, argv);
	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	dut = new Dut;
	dut->rst_ni = 0;
	tick();
	tick();
	dut->rst_ni = 1;
	for (; done < warps && idle < 10000; cycles++, idle++) {
		if (cycles % 4096 == 0)
			bad = pick(2) ? 0 : pick(40);
		tlb();
		dut->start_i = dut->take_i = dut->drop_i = 0;
		dut->eval();
		dut->take_i = dut->valid_o && pick(2);
		dut->drop_i = dut->free_o && !pick(20);
		if ((dut->free_o && !dut->drop_i && pick(4)) || (dut->take_i && pick(2))) {
			int32_t step = pick(3) ? steps[pick(16)] : static_cast<int32_t>(rng());

			dut->start_i = 1;
			begun++;
			dut->size_i = pick(4);
			if (pick(20))
				step = static_cast<int32_t>(static_cast<uint32_t>(step)
							    << dut->size_i);
			dut->step_i = static_cast<uint32_t>(step);
			dut->base_i = pick(10) ? rng() >> pick(20) : rng() % 8192 - 4096;
			if (pick(20))
				dut->base_i &= ~7ull;
			dut->mask_i = pick(3) ? 0xffffffff : static_cast<uint32_t>(rng());
			dut->write_i = pick(2);
		}
		dut->eval();
		if (dut->take_i) {
			done++;
			idle = 0;
			errors += dut->error_o != 0;
			misaligned += dut->error_o == FAA_ERROR_MISALIGNED;
		}
		if (dut->tr_valid_o && dut->tr_ready_i)
			requests.push_back({ dut->tr_va_o, pick(3) ? pick(4) : pick(30) });
		tick();
	}
	dut->final();
	bool good = done == warps && misaligned > warps / 1000 && errors > 2 * misaligned;
	printf("%s 1 - %lu of %lu warps, %lu errors, %lu misaligned, %lu cycles\n%d passed, %d failed\n",
	       good ? "ok" : "not ok", done, begun, errors, misaligned, cycles, good, !good);
	return !good;
}
