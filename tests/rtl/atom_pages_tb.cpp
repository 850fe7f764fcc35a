// SPDX-License-Identifier: MIT
//
// The translation of addresses of LD, ST and ATOM alone against a loop over lanes: random warps in
// few and many pages of 4 KiB and 2 MiB, sparse pages, read-only pages, pages that ATOM may not
// change, every kind of error, a TLB with random latency, invalidations that change the pages,
// streams of the command near the addresses; then cycles per warp of streams that have to be fast.
//
// usage: atom_pages_tb WARPS SEED

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>

#include "Vfaa_test_atom_pages.h"
using Dut = Vfaa_test_atom_pages;
#include "verilated.h"

#include "faa_isa.h"

static Dut *dut;
static std::mt19937_64 rng;
static unsigned long cycle;
static bool slow = true; // a TLB with stalls, and pages that have errors

enum Kind { kLoad, kStore, kAtomic };

struct Warp {
	uint64_t va[32];
	uint32_t mask;
	unsigned size;
	Kind kind = kAtomic;
};

struct Page {
	unsigned error;
	uint64_t pa; // of the byte, or of the table entry
	bool sparse, big;
};

struct Span {
	bool used;
	uint64_t low, high; // pages
};

static uint64_t version; // of the page tables
static Span spans[4];	 // d, a, b, c

[[noreturn]] static void fail(const std::string &what)
{
	printf("not ok 1 - %s in cycle %lu\n0 passed, 1 failed\n", what.c_str(), cycle);
	exit(1);
}

static bool chance(unsigned percent)
{
	return rng() % 100 < percent;
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
	x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
	return x ^ (x >> 33);
}

// The page tables: every second 2 MiB are one page. Some errors apply only to accesses that change
// memory, or only to ATOM.
static Page translate(uint64_t va, Kind kind)
{
	static const unsigned errors[] = { FAA_ERROR_NOT_MAPPED, FAA_ERROR_NOT_WRITABLE,
					   FAA_ERROR_NOT_ATOMIC, FAA_ERROR_BAD_PAGE_TABLE,
					   FAA_ERROR_BUS_ERROR };
	const bool big = va >> 21 & 1;
	const uint64_t size = big ? 1 << 21 : 1 << 12;
	const uint64_t h = mix(va / size * 2 + big + version * 0x9e3779b97f4a7c15);
	Page page = { FAA_ERROR_SUCCESS, 0, slow && h % 16 == 1, big };

	if (va >> 48)
		page.error = FAA_ERROR_NON_CANONICAL;
	else if (slow && h % 16 == 0)
		page.error = errors[h / 16 % 5];
	if ((page.error == FAA_ERROR_NOT_WRITABLE && kind == kLoad) ||
	    (page.error == FAA_ERROR_NOT_ATOMIC && kind != kAtomic))
		page.error = FAA_ERROR_SUCCESS;
	page.pa = (mix(h) & ((1ull << 52) - 1) & ~(size - 1)) | va % size;
	if (page.error)
		page.pa = mix(h) & ~7ull;
	return page;
}

struct Request {
	unsigned long due;
	uint64_t va;
	Kind kind;
};
static std::deque<Request> tlb; // outstanding; answered in their order
static size_t most_requests;

static void tlb_inputs()
{
	Page page = tlb.empty() ? translate(0, kLoad) : translate(tlb.front().va, tlb.front().kind);

	dut->tr_rsp_valid_i = !tlb.empty() && tlb.front().due <= cycle;
	dut->tr_rsp_error_i = static_cast<uint8_t>(page.error);
	dut->tr_rsp_pa_i = page.pa;
	dut->tr_rsp_sparse_i = page.sparse;
	dut->tr_rsp_big_i = page.big;
	dut->tr_ready_i = tlb.size() < 8 && (!slow || chance(70));
}

static void step()
{
	if (dut->tr_rsp_valid_i)
		tlb.pop_front();
	if (dut->tr_valid_o && dut->tr_ready_i)
		tlb.push_back({ cycle + (slow && chance(30) ? 1 + rng() % 20 : 1), dut->tr_va_o,
				dut->tr_atomic_o ? kAtomic :
				dut->tr_write_o	 ? kStore :
						   kLoad });
	most_requests = std::max(most_requests, tlb.size());
	dut->clk_i = 1;
	dut->eval();
	dut->clk_i = 0;
	dut->eval();
	cycle++;
	tlb_inputs();
	dut->eval();
}

// A warp that comes: it is looked at from the next cycle on.
static void announce(const Warp &w)
{
	dut->next_i = 1;
	dut->next_mask_i = w.mask;
	dut->next_size_i = static_cast<uint8_t>(w.size);
	dut->next_write_i = w.kind != kLoad;
	dut->next_atomic_i = w.kind == kAtomic;
	for (int l = 0; l < 32; l++) {
		dut->next_va_i[l * 2] = static_cast<uint32_t>(w.va[l]);
		dut->next_va_i[l * 2 + 1] = static_cast<uint32_t>(w.va[l] >> 32);
	}
}

static void drive(const Warp &w)
{
	dut->next_i = 0;
	dut->look_i = 1;
	dut->mask_i = w.mask;
	dut->size_i = static_cast<uint8_t>(w.size);
	dut->write_i = w.kind != kLoad;
	dut->atomic_i = w.kind == kAtomic;
	for (int l = 0; l < 32; l++) {
		dut->va_i[l * 2] = static_cast<uint32_t>(w.va[l]);
		dut->va_i[l * 2 + 1] = static_cast<uint32_t>(w.va[l] >> 32);
	}
}

static uint64_t pa_of(int lane)
{
	uint64_t pa = 0;

	for (int bit = 0; bit < 52; bit++) {
		int n = lane * 52 + bit;
		pa |= static_cast<uint64_t>(dut->pa_o[n / 32] >> (n % 32) & 1) << bit;
	}
	return pa;
}

static bool near(uint64_t va, int span)
{
	return spans[span].used && va >> 12 >= spans[span].low && va >> 12 <= spans[span].high;
}

// Checks the unit's result for the warp, which it has finished.
static void compare(const Warp &w)
{
	bool operand = false, result = false;

	for (int l = 0; l < 32; l++) {
		const uint64_t va = w.va[l];
		const Page page = translate(va, w.kind);
		unsigned error = va & ((1u << w.size) - 1) ? FAA_ERROR_MISALIGNED : page.error;

		if (!(w.mask >> l & 1))
			continue;
		if (error) {
			uint64_t address = error == FAA_ERROR_BUS_ERROR ? page.pa : va;
			if (dut->error_o != error || dut->error_lane_o != l ||
			    dut->error_address_o != address)
				fail("lane " + std::to_string(l) + " has error " +
				     std::to_string(error) + ", not lane " +
				     std::to_string(dut->error_lane_o) + " error " +
				     std::to_string(dut->error_o));
			return;
		}
	}
	if (dut->error_o)
		fail("an error that is none");
	for (int l = 0; l < 32; l++) {
		if (!(w.mask >> l & 1))
			continue;
		const Page page = translate(w.va[l], w.kind);
		if (pa_of(l) != page.pa)
			fail("wrong address of lane " + std::to_string(l));
		if ((dut->sparse_o >> l & 1) != page.sparse)
			fail("wrong sparse bit of lane " + std::to_string(l));
		result = result || near(w.va[l], 0);
		operand = operand || near(w.va[l], 1) || near(w.va[l], 2) || near(w.va[l], 3);
	}
	if (dut->sparse_o & ~w.mask)
		fail("a sparse lane that is not active");
	if (dut->own_result_o != result || dut->own_operand_o != operand)
		fail("whether the warp is in streams of its command");
}

// One warp; @next comes in the cycle in which this one is taken.
static void run(const Warp &w, const Warp *next)
{
	unsigned taken = 0;

	if (!dut->next_i) {
		announce(w);
		dut->eval();
		step();
	}
	drive(w);
	dut->take_i = 0;
	dut->eval();
	while (!dut->valid_o) {
		step();
		if (++taken > 5000)
			fail("the unit hangs");
	}
	for (unsigned n = slow ? static_cast<unsigned>(rng() % 3) : 0; n; n--)
		step();
	if (!dut->valid_o)
		fail("what was valid is not any more");
	compare(w);
	dut->take_i = 1;
	if (next)
		announce(*next);
	dut->eval();
	step();
	dut->take_i = 0;
	dut->look_i = 0;
	if (next)
		return;
	// Between warps the unit shows the address of any lane, a cycle later.
	dut->pick_i = rng() % 32;
	dut->eval();
	if (slow && chance(20)) {
		step();
		if (dut->picked_o != w.va[dut->pick_i])
			fail("not the address of the lane that is asked for");
	}
}

static void set_span(int n, bool used, uint64_t low, uint64_t high)
{
	spans[n] = { used, low, high };
	dut->span_used_i =
		static_cast<uint8_t>((dut->span_used_i & ~(1u << n)) | unsigned(used) << n);
	for (int bit = 0; bit < 52; bit++) {
		int at = n * 52 + bit;
		uint32_t m = 1u << at % 32;
		dut->span_low_i[at / 32] = (dut->span_low_i[at / 32] & ~m) |
					   (low >> bit & 1 ? m : 0);
		dut->span_high_i[at / 32] = (dut->span_high_i[at / 32] & ~m) |
					    (high >> bit & 1 ? m : 0);
	}
}

// Another command, some streams of which are near @base.
static void command(uint64_t base)
{
	dut->spans_ready_i = 0;
	step();
	for (int n = 0; n < 4; n++) {
		uint64_t low = chance(50) ? (base >> 12) + rng() % 600 : rng() >> 12;
		set_span(n, chance(40), low, chance(5) ? ~0ull >> 12 : low + rng() % 4);
	}
	for (unsigned n = static_cast<unsigned>(rng() % 7); n; n--)
		step();
	dut->spans_ready_i = 1;
	step();
}

static void invalidate()
{
	version++;
	dut->drop_i = 1;
	dut->eval();
	step();
	dut->drop_i = 0;
	dut->eval();
}

static Warp random_warp(uint64_t base)
{
	static const uint64_t reach[] = { 64, 4096, 8192, 1 << 16, 1 << 21, 1 << 23 };
	const uint64_t bytes = reach[rng() % 6];
	const bool far = chance(2);
	Warp w;

	w.mask = chance(60) ? ~0u : static_cast<uint32_t>(rng() | 1u << rng() % 32);
	w.kind = static_cast<Kind>(rng() % 3);
	w.size = static_cast<unsigned>(rng() % 4);
	for (uint64_t &va : w.va) {
		va = base + rng() % bytes;
		if (far && chance(10))
			va = rng();
		if (!chance(1))
			va = va >> w.size << w.size;
	}
	return w;
}

// Cycles per warp of lanes at random addresses in @bytes from @base.
static double pace(uint64_t base, uint64_t bytes)
{
	unsigned long begin = 0;
	const unsigned warps = 400;

	slow = false;
	invalidate();
	Warp w = {}, next = {};
	for (unsigned n = 0; n < warps + 3; n++) {
		next = { {}, ~0u, 2, static_cast<Kind>(kAtomic - n % 3) };
		for (uint64_t &va : next.va)
			va = (base + rng() % bytes) & ~3ull;
		if (n == 3) // the TLB has the page
			begin = cycle;
		if (n)
			run(w, n < warps + 2 ? &next : nullptr);
		w = next;
	}
	slow = true;
	invalidate();
	return double(cycle - begin) / warps;
}

static void expect_pace(const char *what, double got, double want)
{
	printf("# %s: %.2f cycles a warp\n", what, got);
	if (got > want)
		fail(std::string(what) + " takes " + std::to_string(got) + " cycles a warp");
}

static void paces()
{
	const uint64_t small = 0x7f0000000000, big = small + (1 << 21);

	dut->spans_ready_i = 0;
	step();
	for (int n = 0; n < 4; n++)
		set_span(n, false, 0, 0);
	dut->spans_ready_i = 1;
	step();
	expect_pace("one page of 4 KiB", pace(small, 4096), 1.01);
	expect_pace("one page of 2 MiB", pace(big, 1 << 21), 1.01);
	expect_pace("2 MiB in pages of 4 KiB", pace(small, 1 << 21), 36);
	dut->spans_ready_i = 0;
	step();
	set_span(2, true, big >> 12, big >> 12);
	dut->spans_ready_i = 1;
	step();
	expect_pace("one page of 2 MiB, 4 KiB of it, an operand stream in others",
		    pace(big + 8192, 4096), 1.01);
	expect_pace("one page of 2 MiB, an operand stream in it", pace(big, 1 << 21), 36);
}

int main(int argc, char **argv)
{
	const unsigned long warps = argc > 1 ? strtoul(argv[1], nullptr, 0) : 20000;
	uint64_t base = 0;

	Verilated::commandArgs(argc, argv);
	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	dut = new Dut;
	dut->rst_ni = 0;
	step();
	step();
	dut->rst_ni = 1;
	dut->eval();
	Warp w = {}, next = {};
	for (unsigned long n = 0; n < warps; n++) {
		if (n % 8 == 0) {
			if (chance(30))
				base = (rng() & 0x7ffffffff000) + (chance(2) ? 1ull << 47 : 0);
			command(base);
		}
		if (!dut->next_i) {
			if (chance(3))
				invalidate();
			w = random_warp(base);
		}
		next = random_warp(base);
		run(w, n % 8 != 7 && n + 1 < warps && chance(70) ? &next : nullptr);
		w = next;
	}
	if (most_requests < 8)
		fail("never more than " + std::to_string(most_requests) + " requests in flight");
	paces();
	delete dut;
	printf("ok 1 - %lu warps\n1 passed, 0 failed\n", warps);
	return 0;
}
