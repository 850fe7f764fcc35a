// SPDX-License-Identifier: MIT
//
// The counters of a compute unit and of its queue (faa_cu_counters) against sums: in RAM, for a
// unit of one slot with 4 counters a beat and lines of 16 bytes, or with FLAT in flip-flops, for
// two slots with 8 counters a beat and lines of 32 bytes.
//
// usage: counters_tb [CYCLES [SEED]]
//
// Random events, in phases with few and with as many as possible, random reads of halves, snapshots
// that are taken with random delays or abandoned, and contexts: a fold that clears or is followed
// by lines of counters, or that a reset of the unit ends. A read must show the sum of all events up
// to its turn, also during a fold; a snapshot the queue's counter as it was loaded and all events
// since the fold. From time to time a number in RAM is set to just below a carry into its upper
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

#ifdef FLAT
static constexpr unsigned kLanes = 8, kLine = 32, kSlots = 2;
#define BASE faa_cu_counters__DOT__gen_flat__DOT__u_flat__DOT__u_base__DOT__mem
static constexpr unsigned kBaseWord = 0;
#else
static constexpr unsigned kLanes = 4, kLine = 16, kSlots = 1;
#define BASE faa_cu_counters__DOT__gen_serial__DOT__u_serial__DOT__u_others__DOT__mem
static constexpr unsigned kBaseWord = 64;
#endif
static constexpr unsigned kAddW = 9, kNamed = FAA_COUNTER_STALL_SURFACE + 1, kBeats = 32 / kLanes;
using Sums = std::array<uint64_t, FAA_COUNTERS>;

static Vfaa_cu_counters *dut;
static std::deque<Sums> past; // sums with the events before this cycle, and before earlier ones
static Sums queue_more;	      // what the queue's counters have more than those of the unit
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

/// Inputs and outputs of any width as arrays of words
template <typename T> static uint32_t *words(T &port)
{
	return reinterpret_cast<uint32_t *>(&port);
}

static void put(uint32_t *port, unsigned lsb, unsigned width, uint64_t value)
{
	for (unsigned bit = 0; bit < width; bit++) {
		unsigned at = lsb + bit;

		port[at / 32] &= ~(1u << at % 32);
		port[at / 32] |= static_cast<uint32_t>(value >> bit & 1) << at % 32;
	}
}

/// A beat is taken in the cycle, or abandoned, or one begins.
struct Snapshot {
	unsigned requester = 0, beat = 0, pause = 0;
	bool asks = false;

	void drive() const
	{
		dut->snap_req_i = static_cast<uint8_t>(asks << requester);
		put(words(dut->snap_beat_i), 0, 3 * (kSlots + 1), 0);
		put(words(dut->snap_beat_i), 3 * requester, 3, beat);
	}
};

/// The context engine: a fold, lines of counters, or nothing
struct Context {
	enum { kIdle, kFold, kLoad, kReset } state = kIdle;
	bool clear = false;
	unsigned line = 0, left = 0;
	Sums before{}, loaded{};

	void drive() const
	{
		uint32_t *load = words(dut->load_i);
		unsigned data = 8 * kLine;

		for (unsigned n = 0; n < kLine / 8; n++)
			put(load, n * 64, 64, loaded[line * (kLine / 8) + n]);
		put(load, data, 4, line);
		put(load, data + 4, 1, state == kLoad);
		put(load, data + 5, 1, clear);
		put(load, data + 6, 1, state == kFold);
	}
};

static Snapshot snapshot;
static Context context;

static void edge()
{
	dut->clk_i = 1;
	dut->eval();
	dut->clk_i = 0;
	dut->eval();
}

static uint64_t base_of(unsigned n)
{
	auto &mem = dut->rootp->BASE;

	return static_cast<uint64_t>(mem[kBaseWord + 2 * n + 1]) << 32 | mem[kBaseWord + 2 * n];
}

static uint32_t half(unsigned word, unsigned age, bool of_queue)
{
	unsigned n = word / 2;
	uint64_t sum;

	if (n >= kNamed)
		return 0;
	sum = past[age][n] + (of_queue && n ? queue_more[n] : 0);
	return static_cast<uint32_t>(sum >> (word % 2 * 32));
}

/// After a fold BASE has what the unit had counted at some time of it; the queue begins anew.
static void folded()
{
	for (unsigned n = 1; n < kNamed; n++) {
		tb::check(base_of(n) - context.before[n] <= past[0][n] - context.before[n],
			  "a fold loses or makes up events");
		queue_more[n] = (context.clear ? 0 : context.loaded[n]) - base_of(n);
	}
}

/// Sets BASE of a counter to just below a carry; unit and queue continue from there.
static void nudge()
{
	unsigned n = 1 + static_cast<unsigned>(rng->below(kNamed - 1));
	uint64_t old = base_of(n),
		 next = (rng->next() >> 20) << 32 | (0xffffffffu - rng->below(40));
	auto &mem = dut->rootp->BASE;

	mem[kBaseWord + 2 * n] = static_cast<uint32_t>(next);
	mem[kBaseWord + 2 * n + 1] = static_cast<uint32_t>(next >> 32);
	for (Sums &sum : past)
		sum[n] += next - old;
	queue_more[n] -= next - old;
}

#ifndef FLAT
static std::deque<std::array<uint32_t, 64>> shown; // words of the queue by cycle

/// All words of a beat are of one round: the cycles before it was complete.
static void check_beat(const uint32_t *taken, unsigned number)
{
	bool found = false;

	for (size_t back = 1; back < shown.size() && !found; back++) {
		found = true;
		for (unsigned w = 0; w < 2 * kLanes && found; w++) {
			unsigned word = number * 2 * kLanes + w;
			size_t at = back + 2 * kLanes - 1 - w;

			if (word >= 2 * kNamed)
				found = taken[w] == 0;
			else
				found = at < shown.size() && taken[w] == shown[at][word];
		}
	}
	tb::check(found, "a beat that no round had");
}

static void remember()
{
	std::array<uint32_t, 64> row{};

	for (unsigned w = 0; w < 64; w++)
		row[w] = half(w, 2 + w % 2, true);
	shown.push_front(row);
	if (shown.size() > 4000)
		shown.pop_back();
}

static unsigned age_of_read(unsigned word)
{
	return 2 + word % 2;
}

static constexpr unsigned kLongestRead = 4 * kNamed + 4;
#else
static void check_beat(const uint32_t *taken, unsigned number)
{
	for (unsigned w = 0; w < 2 * kLanes; w++)
		tb::same(taken[w], half(number * 2 * kLanes + w, 0, true), "word of a beat");
}

static void remember()
{
}

static unsigned age_of_read(unsigned)
{
	return 4;
}

static constexpr unsigned kLongestRead = 5;
#endif

static uint64_t reads, snapshots, folds, loads, resets;

/// Moves the context engine on after the cycle in which its request was answered, or not.
static void context_step(bool done, bool ready)
{
	switch (context.state) {
	case Context::kIdle:
		if (!snapshot.asks && rng->chance(2)) {
			context.state = Context::kFold;
			context.clear = rng->chance(500);
			context.before = past[0];
			for (unsigned n = 0; n < FAA_COUNTERS; n++)
				context.loaded[n] = rng->next() >> rng->below(40);
		}
		break;
	case Context::kFold:
		if (done) {
			folds++;
			folded();
			context.line = 0;
			context.state = context.clear ? Context::kIdle : Context::kLoad;
		} else if (rng->chance(2)) {
			context.state = Context::kReset;
			context.left = 4;
		}
		break;
	case Context::kLoad:
		if (ready && ++context.line == FAA_COUNTER_BYTES / kLine) {
			context.state = Context::kIdle;
			context.line = 0;
			loads++;
		}
		break;
	default:
		// The next context is loaded before anything runs.
		if (--context.left == 0) {
			resets++;
			context.state = Context::kFold;
			context.clear = rng->chance(500);
		}
	}
}

static void snapshot_step(bool taken)
{
	if (taken) {
		snapshot.beat = (snapshot.beat + 1) % kBeats;
		if (snapshot.beat == 0) {
			snapshots++;
			snapshot.asks = false;
		}
	} else if (snapshot.asks && rng->chance(1)) {
		// The unit has been reset: no snapshot before a context is loaded.
		snapshot.asks = false;
		snapshot.beat = 0;
		snapshot.pause = 4 * kNamed;
	} else if (snapshot.pause) {
		snapshot.pause--;
	} else if (!snapshot.asks && context.state == Context::kIdle && rng->chance(10)) {
		snapshot.asks = true;
		snapshot.requester = static_cast<unsigned>(rng->below(kSlots + 1));
	}
}

static void events(unsigned per_mille, Sums &next)
{
	for (unsigned n = 1; n < kNamed; n++) {
		unsigned add = 0;

		if (rng->chance(per_mille))
			add = rng->chance(700) ? most(n) :
						 static_cast<unsigned>(rng->below(most(n) + 1));
		put(words(dut->add_i), n * kAddW, kAddW, add);
		next[n] += add;
	}
	next[0]++;
}

int main(int argc, char **argv)
{
	uint64_t cycles = argc > 1 ? strtoull(argv[1], nullptr, 0) : 300000, nudges = 0, calm = 0;
	unsigned per_mille = 0, waited = 0, longest = 0, quick = 1000;
	bool undisturbed = true; // the read waited for no snapshot and no fold

	rng = new tb::Random(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	dut = new Vfaa_cu_counters;
	dut->rst_ni = 0;
	put(words(dut->add_i), 0, FAA_COUNTERS * kAddW, 0);
	context.drive();
	snapshot.drive();
	for (int n = 0; n < 5; n++)
		edge();
	dut->rst_ni = 1;
	past.assign(8, Sums{});

	for (uint64_t cycle = 0; cycle < cycles; cycle++) {
		if (cycle % 2048 == 0) {
			static const unsigned rates[] = { 0, 20, 500, 950, 1000 };

			per_mille = rates[rng->below(5)];
			quick = rng->chance(500) ? 1000 : 150;
		}
		if (cycle > 200 && context.state == Context::kIdle && !snapshot.asks &&
		    !dut->rd_req_i && !dut->rd_ack_o && rng->chance(20)) {
			nudge();
			nudges++;
			calm = cycle + 3; // half of its sum may be on its way
		}

		Sums next = past[0];
		events(per_mille, next);
		dut->cycle_i = past[0][0];
		context.drive();
		snapshot.drive();
		dut->snap_ready_i = 0;
		dut->eval();
		if (dut->rd_ack_o && dut->rd_req_i) {
			tb::same(dut->rd_data_o,
				 half(dut->rd_word_i, age_of_read(dut->rd_word_i), false), "read");
			reads++;
			if (undisturbed)
				longest = waited > longest ? waited : longest;
		}
		tb::check(!dut->rd_ack_o || dut->rd_req_i, "answer without a request");
		tb::check((dut->snap_valid_o & ~dut->snap_req_i) == 0, "beat without a request");
		bool beat = dut->snap_valid_o && rng->chance(quick);
		bool answered = dut->rd_req_i && dut->rd_ack_o, done = dut->fold_done_o;
		bool ready = context.state == Context::kLoad && dut->load_ready_o;

		dut->snap_ready_i = beat ? dut->snap_valid_o : 0;
		dut->eval();
		remember();
		if (beat)
			check_beat(words(dut->snap_data_o), snapshot.beat);
		tb::check(!done || context.state == Context::kFold, "end of no fold");

		waited = dut->rd_req_i && !answered ? waited + 1 : 0;
		undisturbed = (undisturbed || !waited) && !snapshot.asks &&
			      context.state == Context::kIdle && cycle > 200;
		edge();
		past.push_front(next);
		past.pop_back();

		if (answered)
			dut->rd_req_i = 0;
		if (!dut->rd_req_i && cycle >= calm && rng->chance(100)) {
			dut->rd_req_i = 1;
			dut->rd_word_i = static_cast<uint8_t>(rng->below(2 * kNamed));
		}
		context_step(done, ready);
		snapshot_step(beat);
	}
	tb::check(longest <= kLongestRead, "a read waited for too long");
	tb::check(reads > cycles / 400 && snapshots > cycles / 4000 && nudges > 0 && folds > 20 &&
			  loads > 10 && resets > 2,
		  "enough of all");
	printf("# %llu reads, the longest after %u cycles; %llu snapshots; %llu folds, %llu loads, %llu resets\n",
	       (unsigned long long)reads, longest, (unsigned long long)snapshots,
	       (unsigned long long)folds, (unsigned long long)loads, (unsigned long long)resets);
	return tb::finish("counters");
}
