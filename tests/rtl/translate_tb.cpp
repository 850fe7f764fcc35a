// SPDX-License-Identifier: MIT
//
// The translation of warps whose addresses are a first one and a step: random warps with steps of
// every length and both signs, pages that are sparse or bad, requests and answers late, the
// remembered page forgotten. faa_test_translate compares it in every cycle with the translation of
// any addresses, which mmu_tb checks against page tables; here nothing may hang, and each outcome
// must occur. SERIAL: the unit is faa_cu_translate_serial, compared with a loop over lanes.
//
// usage: translate_tb WARPS SEED

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>

#ifdef SERIAL
#include "Vfaa_cu_translate_serial.h"
using Dut = Vfaa_cu_translate_serial;
#else
#include "Vfaa_test_translate.h"
using Dut = Vfaa_test_translate;
#endif
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

// A cycle of the TLB, which answers in order and has room for 8 requests.
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

#ifdef SERIAL
static uint64_t base;
static int32_t stride;
static uint32_t mask;
static unsigned size;

// What the unit shows of its warp, beat by beat; false: it is wrong.
static bool compare()
{
	for (unsigned l = 0; l < 32; l++) {
		const uint64_t va = base + l * static_cast<uint64_t>(static_cast<int64_t>(stride));
		const Page page = page_of(va);
		const unsigned error = va & ((1u << size) - 1) ? FAA_ERROR_MISALIGNED : page.error;

		if (!(mask >> l & 1))
			continue;
		if (error)
			return dut->error_o == error && dut->error_lane_o == l &&
			       dut->error_address_o ==
				       (error == FAA_ERROR_BUS_ERROR ? page.pa : va);
		uint64_t pa = 0;
		dut->beat_i = l / 4;
		dut->eval();
		for (unsigned bit = 0; bit < 52; bit++) {
			const unsigned at = l % 4 * 52 + bit;
			pa |= static_cast<uint64_t>(dut->pa_o[at / 32] >> at % 32 & 1) << bit;
		}
		if (pa != ((page.pa & ((1ull << 52) - 1) & ~4095ull) | (va & 4095)) ||
		    (dut->sparse_o >> l % 4 & 1) != page.sparse)
			return false;
	}
	return dut->error_o == 0;
}
#endif

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
#ifdef SERIAL
		bad = 6;
#else
		if (cycles % 4096 == 0)
			bad = pick(2) ? 0 : pick(40);
#endif
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
#ifdef SERIAL
		if (dut->take_i && !compare()) {
			printf("not ok 1 - warp %lu is translated wrongly\n0 passed, 1 failed\n",
			       done);
			return 1;
		}
		if (dut->start_i) {
			base = dut->base_i;
			stride = static_cast<int32_t>(dut->step_i);
			mask = dut->mask_i;
			size = dut->size_i;
		}
#endif
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
