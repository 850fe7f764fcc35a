// SPDX-License-Identifier: MIT
//
// The counters of a compute unit with one slot (faa_cu_counters, Serial) against sums.
//
// usage: counters_tb [CYCLES [SEED]]
//
// Random events, in phases with few and with as many as possible, random reads of halves, and
// snapshots that are taken with random delays or abandoned. Each word must be the sum of all events
// up to its turn. From time to time a sum in the RAM is set to just below a carry into its upper
// half.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>

#include "Vfaa_cu_counters.h"
#include "Vfaa_cu_counters___024root.h"
#include "verilated.h"

#include "faa_isa.h"
#include "tb.h"

static constexpr unsigned kAddW = 9, kNamed = FAA_COUNTER_STALL_SURFACE + 1, kLanes = 4;
using Sums = std::array<uint64_t, FAA_COUNTERS>;

static Vfaa_cu_counters *dut;
static std::deque<Sums> past; // sums with the events before this cycle, and before earlier ones
static tb::Random *rng;

/// The largest increment of a counter per cycle.
static unsigned most(unsigned counter)
{
	switch (counter) {
	case FAA_COUNTER_ELEMENTS:
	case FAA_COUNTER_PASSES:
	case FAA_COUNTER_GROUPS:
	case FAA_COUNTER_BANK_OPS:
		return 63;
	case FAA_COUNTER_TLB_HITS:
		return 3;
	case FAA_COUNTER_ATOM_ITEMS:
		return 511;
	case FAA_COUNTER_ATOM_LINES:
		return 15;
	default:
		return 1;
	}
}

static void edge()
{
	dut->clk_i = 1;
	dut->eval();
	dut->clk_i = 0;
	dut->eval();
}

static void set_add(unsigned counter, unsigned value)
{
	for (unsigned bit = 0; bit < kAddW; bit++) {
		unsigned at = counter * kAddW + bit;

		dut->add_i[at / 32] &= ~(1u << at % 32);
		dut->add_i[at / 32] |= (value >> bit & 1u) << at % 32;
	}
}

static uint32_t half(unsigned word, unsigned age)
{
	return (uint32_t)(past[age][word / 2] >> (word % 2 * 32));
}

int main(int argc, char **argv)
{
	uint64_t cycles = argc > 1 ? strtoull(argv[1], nullptr, 0) : 300000;
	uint64_t reads = 0, snapshots = 0, carries = 0;
	unsigned per_mille = 0, waited = 0, longest = 0, quick = 1000;
	std::array<uint32_t, 8> taken{};
	std::deque<std::array<uint32_t, 64>> shown; // words 0 .. 61 by cycle

	rng = new tb::Random(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	dut = new Vfaa_cu_counters;
	dut->rst_ni = 0;
	for (unsigned n = 0; n < FAA_COUNTERS; n++)
		set_add(n, 0);
	for (int n = 0; n < 5; n++)
		edge();
	dut->rst_ni = 1;
	past.assign(8, Sums{});

	for (uint64_t cycle = 0; cycle < cycles; cycle++) {
		auto *root = dut->rootp;
		auto &sums =
			root->faa_cu_counters__DOT__gen_serial__DOT__u_serial__DOT__u_sums__DOT__mem;
		unsigned now =
			root->faa_cu_counters__DOT__gen_serial__DOT__u_serial__DOT__word_q / 2;

		if (cycle % 2048 == 0) {
			static const unsigned rates[] = { 0, 20, 500, 950, 1000 };

			per_mille = rates[rng->below(5)];
			quick = rng->chance(500) ? 1000 : 150;
		}
		// A sum that is far from its turn; the events since its last turn are not in it.
		if (cycle > 200 && !dut->snap_req_i && rng->chance(5)) {
			unsigned n = (now + 5 + (unsigned)rng->below(kNamed - 10)) % kNamed;
			uint64_t old = (uint64_t)sums[2 * n + 1] << 32 | sums[2 * n];
			uint64_t next = (rng->next() >> 20) << 32 | 0xffffffffu - rng->below(40);

			sums[2 * n] = (uint32_t)next;
			sums[2 * n + 1] = (uint32_t)(next >> 32);
			for (Sums &sum : past)
				sum[n] += next - old;
			carries++;
		}

		Sums next = past[0];
		for (unsigned n = 1; n < kNamed; n++) {
			unsigned add = rng->chance(per_mille) ?
					       (rng->chance(700) ?
							most(n) :
							(unsigned)rng->below(most(n) + 1)) :
					       0;

			set_add(n, add);
			next[n] += add;
		}
		next[0]++;

		dut->eval();
		if (dut->rd_req_i && dut->rd_ack_o) {
			tb::same(dut->rd_data_o, half(dut->rd_word_i, 3 - 1 + dut->rd_word_i % 2),
				 "read");
			reads++;
			longest = waited > longest ? waited : longest;
		}
		tb::check(!dut->rd_ack_o || dut->rd_req_i, "answer without a request");
		dut->snap_ready_i = dut->snap_req_i && dut->snap_valid_o && rng->chance(quick);
		dut->eval();

		bool answered = dut->rd_req_i && dut->rd_ack_o, beat = dut->snap_ready_i;
		unsigned number = dut->snap_beat_i;

		if (beat)
			for (unsigned w = 0; w < 2 * kLanes; w++)
				taken[w] = dut->snap_data_o[w];
		// Value of a word whose turn is this cycle, for snapshots
		std::array<uint32_t, 64> row{};
		for (unsigned w = 0; w < 64; w++)
			row[w] = w < 2 * kNamed ? half(w, 2 + w % 2) : 0;
		shown.push_front(row);
		if (shown.size() > 4000)
			shown.pop_back();
		if (beat) {
			// All words of a beat are of one round: the cycles before it was complete.
			bool found = false;

			for (size_t back = 1; back < shown.size() && !found; back++) {
				found = true;
				for (unsigned w = 0; w < 2 * kLanes && found; w++) {
					unsigned word = number * 2 * kLanes + w;
					size_t at = back + 2 * kLanes - 1 - w;

					if (word >= 2 * kNamed)
						found = taken[w] == 0;
					else
						found = at < shown.size() &&
							taken[w] == shown[at][word];
				}
			}
			tb::check(found, "a beat that no round had");
			snapshots += number == 7;
		}

		waited = dut->rd_req_i && !answered ? waited + 1 : 0;
		edge();
		past.push_front(next);
		past.pop_back();

		if (answered)
			dut->rd_req_i = 0;
		if (!dut->rd_req_i && rng->chance(100)) {
			dut->rd_req_i = 1;
			dut->rd_word_i = (unsigned)rng->below(2 * kNamed);
		}
		if (beat) {
			dut->snap_beat_i = (number + 1) % 8;
			if (number == 7)
				dut->snap_req_i = 0;
		} else if (dut->snap_req_i && rng->chance(1)) {
			dut->snap_req_i = 0; // the unit has been reset
			dut->snap_beat_i = 0;
		} else if (!dut->snap_req_i && rng->chance(10)) {
			dut->snap_req_i = 1;
		}
	}
	tb::check(longest <= 4 * kNamed + 4, "a read waited for more than two rounds");
	tb::check(reads > cycles / 200 && snapshots > cycles / 2000 && carries > 0,
		  "enough of all");
	printf("# %llu reads, the longest after %u cycles; %llu snapshots\n",
	       (unsigned long long)reads, longest, (unsigned long long)snapshots);
	return tb::finish("counters");
}
