// SPDX-License-Identifier: MIT
//
// The store unit alone against a loop over lanes: random warps of consecutive commands, contiguous,
// scattered and overlapping, items early and late, lines answered in any order. Memory must equal
// the loop's. No line may be written again before its answer. Contiguous warps of 32-bit items must
// follow each other every two cycles; fewer lanes need proportionally more.
//
// Addresses and items come in beats. Now and then the addresses of a warp are abandoned before the
// last beat, and restarted.
//
// usage: store_tb WARPS SEED [LANES]; LANES: those of a beat, default 32
//
// SERIAL: the unit is faa_cu_store_serial, in faa_test_store, and LANES is 1.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <vector>

#ifdef SERIAL
#include "Vfaa_test_store.h"
using Unit = Vfaa_test_store;
#else
#include "Vfaa_cu_store.h"
using Unit = Vfaa_cu_store;
#endif
#include "verilated.h"

static Unit *dut;
static std::mt19937_64 rng;

static constexpr uint64_t kBase = 0x9876543210000;
static constexpr size_t kBytes = 1 << 16;
static constexpr unsigned kLine = sizeof(Unit::mem_data_o); // bytes of a line

struct Warp {
	uint64_t pa[32], data[32];
	uint32_t mask, sparse;
	unsigned size, tag;
	bool wait; // the items come late
};

struct Write {
	uint64_t line;
	unsigned tag, left;
};

static std::vector<uint8_t> memory(kBytes), wanted(kBytes);
static std::vector<Write> unanswered;
static unsigned long cycle, lines;
static bool slow = true;    // random memory and items
static unsigned lanes = 32; // of a beat

[[noreturn]] static void fail(const char *what)
{
	printf("not ok 1 - %s in cycle %lu\n0 passed, 1 failed\n", what, cycle);
	exit(1);
}

static bool chance(unsigned percent)
{
	return rng() % 100 < percent;
}

static void take_write()
{
	uint64_t line = dut->mem_line_o;
	uint64_t at = line * kLine - kBase;

	if (at >= kBytes)
		fail("a line beyond the addresses is written");
	for (const Write &w : unanswered) {
		if (w.line == line)
			fail("a line is written before its last write is answered");
		if (w.tag == dut->mem_tag_o)
			fail("a tag is used twice");
	}
	for (unsigned n = 0; n < kLine; n++)
		if (dut->mem_strobe_o >> n & 1)
			memory[at + n] =
				static_cast<uint8_t>(dut->mem_data_o[n / 4] >> (8 * (n % 4)));
	unanswered.push_back(
		{ line, dut->mem_tag_o, static_cast<unsigned>(slow ? rng() % 40 : 20) });
	lines++;
}

static void memory_inputs()
{
	dut->mem_ready_i = !slow || chance(70);
	dut->mem_rsp_valid_i = 0;
	dut->mem_rsp_err_i = 0;
	for (Write &w : unanswered)
		if (w.left)
			w.left--;
	for (size_t n = 0; n < unanswered.size(); n++) {
		if (unanswered[n].left || (slow && chance(50)))
			continue;
		dut->mem_rsp_valid_i = 1;
		dut->mem_rsp_tag_i = static_cast<uint8_t>(unanswered[n].tag);
		unanswered.erase(unanswered.begin() + static_cast<long>(n));
		break;
	}
}

static void step()
{
	if (dut->mem_valid_o && dut->mem_ready_i)
		take_write();
	dut->clk_i = 1;
	dut->eval();
	dut->clk_i = 0;
	dut->eval();
	cycle++;
}

/// Beat n of the addresses of a warp
static void drive_address(const Warp &w, unsigned n)
{
	const unsigned first = n * lanes;

	dut->mask_i = static_cast<uint32_t>((w.mask >> first) & ((1ull << lanes) - 1));
	dut->sparse_i = static_cast<uint32_t>((w.sparse >> first) & ((1ull << lanes) - 1));
	dut->size_i = static_cast<uint8_t>(w.size);
	dut->tag_i = static_cast<uint8_t>(w.tag);
	dut->addr_part_i = static_cast<uint8_t>(n | (n + 1 == 32 / lanes) << (lanes == 1 ? 5 : 3));
	for (unsigned l = 0; l < lanes; l++)
		for (unsigned bit = 0; bit < 52; bit++) {
			const unsigned at = l * 52 + bit;
			const uint32_t one = 1u << at % 32;

			dut->pa_i[at / 32] &= ~one;
			if (w.pa[first + l] >> bit & 1)
				dut->pa_i[at / 32] |= one;
		}
}

/// Beat n of the items of a warp
static void drive_data(const Warp &w, unsigned n)
{
	for (unsigned l = 0; l < lanes; l++) {
		dut->data_i[l * 2] = static_cast<uint32_t>(w.data[n * lanes + l]);
		dut->data_i[l * 2 + 1] = static_cast<uint32_t>(w.data[n * lanes + l] >> 32);
	}
}

static void apply(const Warp &w)
{
	for (int l = 0; l < 32; l++)
		if (w.mask & ~w.sparse & (1u << l))
			memcpy(&wanted[w.pa[l] - kBase], &w.data[l], size_t(1) << w.size);
}

// The warps of one command; ends when all data is written.
static void command(const std::vector<Warp> &warps)
{
	const unsigned beats = 32 / lanes;
	size_t addressed = 0, given = 0; // warps
	unsigned address_beat = 0, item_beat = 0;
	unsigned done = 0;
	uint64_t busy_since = cycle;

	for (bool offered = false; given < warps.size() || !dut->idle_o;) {
		memory_inputs();
		dut->fetch_idle_i = !slow || chance(95) || dut->mem_valid_o;
		dut->eval();
		dut->addr_valid_i = addressed < warps.size() && dut->addr_ready_o &&
				    (!slow || chance(80));
		if (slow && address_beat && chance(5))
			address_beat = 0;
		if (dut->addr_valid_i) {
			drive_address(warps[addressed], address_beat++);
			if (address_beat == beats) {
				addressed++;
				address_beat = 0;
			}
		}
		// Items that are offered stay.
		offered = offered || (given < addressed && (!warps[given].wait || chance(5)));
		dut->data_valid_i = offered;
		if (offered)
			drive_data(warps[given], item_beat);
		dut->eval();
		if (offered && dut->data_ready_o) {
			if (++item_beat == beats) {
				apply(warps[given++]);
				item_beat = 0;
			}
			offered = false;
		}
		if (dut->done_o) {
			done++;
			if (dut->done_tag_o != warps.back().tag || !unanswered.empty() ||
			    given < warps.size())
				fail("done comes too early");
		}
		step();
		if (cycle - busy_since > 2000 + (lanes == 1 ? 2000 : 200) * warps.size())
			fail("the unit hangs");
	}
	dut->data_valid_i = 0;
	dut->addr_valid_i = 0;
	if (done != 1)
		fail("done does not come once");
	if (memory != wanted)
		fail("memory is not what the loop leaves");
}

static Warp warp(uint64_t base, int64_t stride, unsigned size, bool last)
{
	Warp w;

	w.mask = chance(70) ? 0xffffffff : chance(20) ? 0 : static_cast<uint32_t>(rng());
	w.sparse = chance(90) ? 0 : static_cast<uint32_t>(rng());
	w.size = size;
	w.tag = last ? 8 + static_cast<unsigned>(rng() % 8) : 0;
	w.wait = slow && chance(10);
	for (int l = 0; l < 32; l++) {
		uint64_t at = stride ? base + static_cast<uint64_t>(l * stride) : rng();
		w.pa[l] = kBase + (at % kBytes >> size << size);
		w.data[l] = rng();
	}
	return w;
}

static std::vector<Warp> random_command()
{
	static const int64_t strides[] = { 0, 1, 1, 1, 1, 2, 3, 8, 16, -1, 64 };
	unsigned size = static_cast<unsigned>(rng() % 4);
	int64_t stride = strides[rng() % 11] * (int64_t(1) << size);
	uint64_t base = rng();
	std::vector<Warp> warps(1 + rng() % 40);

	if (chance(10))
		base &= ~uint64_t(63);
	if (stride == 0 && chance(50))
		base = 0;
	for (size_t n = 0; n < warps.size(); n++)
		warps[n] = warp(base + static_cast<uint64_t>(stride) * 32 * n, stride, size,
				n + 1 == warps.size());
	if (stride == 0) // all lanes in a few lines
		for (Warp &w : warps)
			for (uint64_t &pa : w.pa)
				pa = kBase + (pa - kBase) % 512;
	return warps;
}

// Cycles per warp of consecutive warps.
static double pace(unsigned size)
{
	std::vector<Warp> warps(400);
	unsigned long begin;

	slow = false;
	for (size_t n = 0; n < warps.size(); n++) {
		warps[n] = warp((32ull << size) * n, 1ll << size, size, n + 1 == warps.size());
		warps[n].mask = 0xffffffff;
		warps[n].sparse = 0;
	}
	begin = cycle;
	command(warps);
	slow = true;
	return double(cycle - begin) / double(warps.size());
}

int main(int argc, char **argv)
{
	const unsigned long warps = argc > 1 ? strtoul(argv[1], nullptr, 0) : 20000;
	unsigned long made = 0;
	double groups, pace4, pace8;

	lanes = argc > 3 ? static_cast<unsigned>(atoi(argv[3])) : 32;
	groups = lanes == 4 ? 32 :
			      32.0 / std::min(lanes, 16u); // beats of 4 lanes are merged one by one
	if (lanes == 1) // three cycles a lane, three more for each line, 16 of 64-bit items
		groups = 3 * 32 + 3 * 16;
	Verilated::commandArgs(argc, argv);
	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	dut = new Unit;
	dut->rst_ni = 0;
	step();
	step();
	dut->rst_ni = 1;
	dut->eval();
	while (made < warps) {
		std::vector<Warp> next = random_command();
		command(next);
		made += next.size();
	}
	pace4 = pace(2);
	pace8 = pace(3);
	if (pace4 > std::max(groups, 128.0 / kLine) * 1.1 ||
	    pace8 > std::max(groups, 256.0 / kLine) * 1.08)
		fail(("warps side by side take " + std::to_string(pace4) + " cycles, of 64 bits " +
		      std::to_string(pace8))
			     .c_str());
	delete dut;
	printf("ok 1 - %lu warps, %lu lines; side by side %.2f cycles a warp, 64 bits %.2f\n1 passed, 0 failed\n",
	       made, lines, pace4, pace8);
	return 0;
}
