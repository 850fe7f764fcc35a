// SPDX-License-Identifier: Apache-2.0
//
// The adders of ADD with RELAXED against the host's sums, from left to right.
//
// usage: relaxed_tb [BEATS [SEED]]
//
// Random beats of words with 1 to 32 lanes each, with random stalls on both sides of the chain.
// Every sum, every tag and the order are compared, and the results of another random warp by the
// row of adders in the same cycles. Then the latency of one beat and the cycles of many.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>

#include "Vfaa_test_relaxed.h"
#include "verilated.h"

#include "float_ref.h"

static constexpr int kAdder = 2; // faa_float_pkg::ADD_LATENCY
static constexpr int kLatency = kAdder * 31 + 4, kFixLatency = kAdder;

struct Beat {
	uint32_t want[32], first, active;
	uint8_t tag;
	bool ftz;
	int64_t due;
};

static std::mt19937_64 rng;
static Vfaa_test_relaxed *dut;
static std::deque<Beat> in_chain, in_fix;
static uint64_t failures, received;
static int64_t cycle, sent_at, first_out, last_out;

static const float_ref::Format &f32 = float_ref::f32;

static void complain(const char *what, int position, uint64_t got, uint64_t want)
{
	if (failures++ < 20)
		printf("not ok - %s, position %d, cycle %lld: got 0x%llx, want 0x%llx\n", what,
		       position, (long long)cycle, (unsigned long long)got,
		       (unsigned long long)want);
}

// NaNs are alike, and with FTZ denormals are zero.
static uint32_t like(uint32_t x, bool ftz)
{
	return (uint32_t)float_ref::add(f32, f32.sign(), x, ftz);
}

static uint32_t random_number(uint32_t near)
{
	uint64_t a, b;

	float_ref::random_terms(f32, rng, &a, &b);
	switch (rng() % 8) {
	case 0: // the sum so far cancels
		return near ^ (uint32_t)f32.sign() ^ (uint32_t)(rng() % 8);
	case 1:
		return (uint32_t)a;
	default: // avoid NaN and infinity, which absorb the other terms
		return (uint32_t)float_ref::near(f32, rng, 127, 12, rng());
	}
}

// Puts a random beat on the chain's inputs; returns the expected result.
static Beat random_beat()
{
	Beat beat = {};
	unsigned lanes = rng() % 4 ? 32 : (unsigned)(rng() % 33), most = 1 + rng() % 32, left = 0;
	uint32_t sum = 0;

	beat.ftz = rng() & 1;
	beat.tag = (uint8_t)rng();
	for (unsigned p = 0; p < 32; p++) {
		uint32_t x = random_number(sum);
		dut->x_i[p] = x;
		if (p >= lanes)
			continue;
		beat.active |= 1u << p;
		if (!left) {
			beat.first |= 1u << p;
			left = 1 + (unsigned)(rng() % most);
			sum = x;
		} else {
			sum = (uint32_t)float_ref::add(f32, sum, x, beat.ftz);
		}
		left--;
		beat.want[p] = sum;
	}
	dut->first_i = beat.first;
	dut->active_i = beat.active;
	dut->ftz_i = beat.ftz;
	dut->tag_i = beat.tag;
	return beat;
}

static void receive()
{
	if (!dut->valid_o)
		return;
	if (in_chain.empty()) {
		complain("sums of nothing", 0, 1, 0);
		return;
	}
	const Beat &beat = in_chain.front();
	for (int p = 0; p < 32; p++)
		if (beat.active >> p & 1 &&
		    like(dut->sum_o[p], beat.ftz) != like(beat.want[p], beat.ftz))
			complain("sum", p, dut->sum_o[p], beat.want[p]);
	if (dut->tag_o != beat.tag)
		complain("tag", 0, dut->tag_o, beat.tag);
	if (!dut->ready_i)
		return;
	if (!received++)
		first_out = cycle;
	last_out = cycle;
	in_chain.pop_front();
}

static void drive_fix()
{
	Beat beat = {};

	dut->fix_valid_i = rng() % 4 != 0;
	beat.ftz = dut->fix_ftz_i = rng() & 1;
	beat.tag = dut->fix_tag_i = (uint8_t)rng();
	dut->fix_first_i = (uint32_t)(rng() & rng());
	dut->fix_active_i = (uint32_t)(rng() | rng());
	for (int l = 0; l < 32; l++) {
		uint64_t a, b;
		float_ref::random_terms(f32, rng, &a, &b);
		dut->fix_old_i[l] = (uint32_t)a;
		dut->fix_prefix_i[l] = (uint32_t)b;
		if (dut->fix_active_i >> l & 1)
			beat.want[l] = (uint32_t)(dut->fix_first_i >> l & 1 ?
							  a :
							  float_ref::add(f32, a, b, beat.ftz));
	}
	beat.due = cycle + kFixLatency;
	if (dut->fix_valid_i)
		in_fix.push_back(beat);
}

static void receive_fix()
{
	bool due = !in_fix.empty() && in_fix.front().due == cycle;

	if (dut->fix_valid_o != due)
		complain("valid of results", 0, dut->fix_valid_o, due);
	if (!due)
		return;
	for (int l = 0; l < 32; l++)
		if (dut->fix_result_o[l] != in_fix.front().want[l])
			complain("result", l, dut->fix_result_o[l], in_fix.front().want[l]);
	if (dut->fix_tag_o != in_fix.front().tag)
		complain("tag of results", 0, dut->fix_tag_o, in_fix.front().tag);
	in_fix.pop_front();
}

// One cycle; sends some of the `beats` left in `send` percent of the cycles, and takes results in
// `take` percent.
static void step(uint64_t *beats, unsigned send, unsigned take)
{
	static Beat next;

	if (!dut->valid_i && *beats && rng() % 100 < send) {
		next = random_beat();
		dut->valid_i = 1;
	}
	dut->ready_i = rng() % 100 < take;
	drive_fix();
	dut->eval();
	bool accepted = dut->valid_i && dut->ready_o;
	if (accepted) {
		in_chain.push_back(next);
		(*beats)--;
		sent_at = cycle;
	}
	receive();
	receive_fix();
	dut->clk_i = 1;
	dut->eval();
	dut->clk_i = 0;
	if (accepted)
		dut->valid_i = 0;
	dut->eval();
	cycle++;
}

static void run(uint64_t beats, unsigned send, unsigned take)
{
	int64_t limit = cycle + 4000 + (int64_t)beats * 100;

	received = 0;
	while ((beats || !in_chain.empty()) && cycle < limit)
		step(&beats, send, take);
	if (beats || !in_chain.empty())
		complain("beats that never came out", 0, beats + in_chain.size(), 0);
	for (int n = 0; n < 8; n++)
		step(&beats, send, take);
}

static void expect_cycles(const char *what, int64_t got, int64_t want)
{
	printf("%s%s: %lld cycles, expected %lld\n", got == want ? "" : "not ok - ", what,
	       (long long)got, (long long)want);
	failures += got != want;
}

int main(int argc, char **argv)
{
	uint64_t beats = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20000;

	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	Verilated::commandArgs(argc, argv);
	dut = new Vfaa_test_relaxed;
	dut->rst_ni = 0;
	dut->valid_i = 0;
	dut->fix_valid_i = 0;
	for (int n = 0; n < 16; n++) {
		dut->clk_i = !dut->clk_i;
		dut->eval();
	}
	dut->clk_i = 0;
	dut->rst_ni = 1;
	for (int n = 0; n < 8; n++)
		run(beats / 8, 20 + (unsigned)(rng() % 81),
		    n % 2 ? 100 : 10 + (unsigned)(rng() % 90));
	run(1, 100, 100);
	expect_cycles("one beat", first_out - sent_at, kLatency);
	run(1000, 100, 100);
	expect_cycles("1000 beats, first to last", last_out - first_out, 999);
	printf("%llu beats in %lld cycles, %llu failures\n", (unsigned long long)beats,
	       (long long)cycle, (unsigned long long)failures);
	delete dut;
	return failures != 0;
}
