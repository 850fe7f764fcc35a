// SPDX-License-Identifier: Apache-2.0
//
// The lane network alone (rtl/lanes, faa_test_lanes) against plain loops: random beats with random
// gaps, one per cycle at best.
//
// usage: lanes_tb BEATS SEED
//
// sort: keys ascend, data stays with its key; unsort returns the data of every lane to it. scan:
// prefix of every segment, for each operation. compact: the kept items, in order, from position 0;
// expand: each position gets the item that the next kept position at or after its own has sent.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

#include "Vfaa_test_lanes.h"
#include "tb.h"
#include "verilated.h"
#include "verilated_cov.h"

static constexpr unsigned kLanes = LANES;
static Vfaa_test_lanes *dut;
static tb::Random *rng;

// faa_lanes_pkg::COMBINE_*: the two undefined values act as kOr.
enum { kOr, kOlder, kAdd, kYounger = 4, kAnd, kXor = 7 };

struct Beat {
	std::vector<uint32_t> key, data, prefix, kept, expanded;
	uint32_t keep;
};

static uint32_t pick(uint32_t n)
{
	return (uint32_t)(rng->next() >> 20) % n;
}

static uint32_t word_of(const void *port, unsigned n)
{
	return ((const uint32_t *)port)[n];
}

static void set_bits(uint8_t *port, unsigned at, unsigned width, uint32_t value)
{
	for (unsigned i = 0; i < width; i++) {
		uint8_t &byte = port[(at + i) / 8];
		byte = (uint8_t)((byte & ~(1u << (at + i) % 8)) |
				 ((value >> i & 1) << (at + i) % 8));
	}
}

static uint32_t get_bits(const uint8_t *port, unsigned at, unsigned width)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < width; i++)
		value |= (uint32_t)(port[(at + i) / 8] >> (at + i) % 8 & 1) << i;
	return value;
}

static uint32_t together(uint32_t how, uint32_t a, uint32_t b)
{
	unsigned op = how >> 3;

	if (how >> 2 & 1) {
		bool less = how & 1 ? (int32_t)a < (int32_t)b : a < b;
		return less != (bool)(how >> 1 & 1) ? a : b;
	}
	switch (op) {
	case kAdd:
		return a + b;
	case kAnd:
		return a & b;
	case kXor:
		return a ^ b;
	case kOlder:
		return a;
	case kYounger:
		return b;
	default:
		return a | b;
	}
}

/// Sets the inputs to a random beat and returns the expected result.
static Beat make_beat()
{
	Beat beat;
	// {op, order, max, sign} of faa_lanes_pkg::combine_t
	uint32_t how = pick(8) << 3 | pick(8), open = 0, keep = 0;
	unsigned joins = pick(101), kept = pick(101), range = 1u << pick(16);

	for (unsigned p = 0; p < kLanes; p++) {
		// Keys differ in their lowest bits.
		uint32_t key = (pick(range) << 5 | p) & 0xfffff;
		beat.key.push_back(key);
		beat.data.push_back((uint32_t)rng->next() & (pick(2) ? ~0u : 3));
		if (p && pick(100) < joins)
			open |= 1u << p;
		if (pick(100) < kept)
			keep |= 1u << p;
	}
	for (unsigned p = 0; p < kLanes; p++) {
		bool joined = open >> p & 1;
		beat.prefix.push_back(joined ? together(how, beat.prefix[p - 1], beat.data[p]) :
					       beat.data[p]);
		if (keep >> p & 1)
			beat.kept.push_back(beat.data[p]);
	}
	for (unsigned p = 0; p < kLanes; p++) {
		unsigned next = p;
		while (next < kLanes && !(keep >> next & 1))
			next++;
		beat.expanded.push_back(next < kLanes ? beat.data[next] : 0);
		set_bits((uint8_t *)&dut->key_i, p * 20, 20, beat.key[p]);
		((uint32_t *)&dut->data_i)[p] = beat.data[p];
	}
	beat.keep = keep;
	dut->how_i = (uint8_t)how;
	dut->open_i = open;
	dut->keep_i = keep;
	return beat;
}

static std::deque<Beat> sorted, unsorted, scanned, compacted, expanded;

static void check_sort()
{
	Beat beat = sorted.front();
	std::vector<unsigned> order;
	bool good = true;

	sorted.pop_front();
	for (unsigned p = 0; p < kLanes; p++)
		order.push_back(p);
	std::sort(order.begin(), order.end(),
		  [&](unsigned a, unsigned b) { return beat.key[a] < beat.key[b]; });
	for (unsigned p = 0; p < kLanes; p++)
		good &= get_bits((const uint8_t *)&dut->sort_key_o, p * 20, 20) ==
				beat.key[order[p]] &&
			word_of(&dut->sort_data_o, p) == beat.data[order[p]];
	tb::check(good, "sort");
}

static void check_words(std::deque<Beat> &queue, const void *port,
			const std::vector<uint32_t> Beat::*what, const char *name)
{
	Beat beat = queue.front();
	bool good = true;

	queue.pop_front();
	for (unsigned p = 0; p < (beat.*what).size(); p++)
		good &= word_of(port, p) == (beat.*what)[p];
	tb::check(good, name);
}

static void check_expand()
{
	Beat beat = expanded.front();
	bool good = true;

	expanded.pop_front();
	// Positions after the last kept one get undefined data.
	for (unsigned p = 0; p < kLanes && beat.keep >> p; p++)
		good &= word_of(&dut->expand_o, p) == beat.expanded[p];
	tb::check(good, "expand");
}

static void check_outputs()
{
	if (dut->sort_valid_o)
		check_sort();
	if (dut->unsort_valid_o)
		check_words(unsorted, &dut->unsort_o, &Beat::data, "unsort");
	if (dut->scan_valid_o)
		check_words(scanned, &dut->scan_o, &Beat::prefix, "scan");
	if (dut->compact_valid_o) {
		uint64_t any = (1ull << compacted.front().kept.size()) - 1;
		tb::check(dut->compact_any_o == (uint32_t)any, "compact: number of items");
		check_words(compacted, &dut->compact_o, &Beat::kept, "compact");
	}
	if (dut->expand_valid_o)
		check_expand();
}

static void clock(int level)
{
	dut->clk_i = level;
	dut->eval();
}

int main(int argc, char **argv)
{
	unsigned long beats = argc > 1 ? strtoul(argv[1], nullptr, 0) : 1000;

	Verilated::commandArgs(argc, argv);
	rng = new tb::Random(argc > 2 ? strtoul(argv[2], nullptr, 0) : 1);
	Verilated::randReset(2);
	dut = new Vfaa_test_lanes;
	dut->rst_ni = 0;
	for (int n = 0; n < 3; n++) {
		clock(0);
		clock(1);
	}
	dut->rst_ni = 1;
	for (unsigned quiet = 0, gap = 0; quiet < 100;) {
		bool valid = beats && pick(100) >= gap;
		if (!pick(200))
			gap = pick(2) * pick(100);
		dut->valid_i = valid;
		if (valid) {
			Beat beat = make_beat();
			for (auto *queue : { &sorted, &unsorted, &scanned, &compacted, &expanded })
				queue->push_back(beat);
			beats--;
		}
		quiet = valid || beats ? 0 : quiet + 1;
		clock(0);
		check_outputs();
		clock(1);
	}
	for (auto *queue : { &sorted, &unsorted, &scanned, &compacted, &expanded })
		tb::same(queue->size(), 0u, "beats that did not come out");
#if VM_COVERAGE
	VerilatedCov::write("lanes.dat");
#endif
	return tb::finish("lane network");
}
