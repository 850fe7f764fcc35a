// SPDX-License-Identifier: Apache-2.0
//
// Adders and order keys of all floating-point formats against the host's arithmetic.
//
// usage: float_tb [PAIRS [SEED]]
//
// PAIRS operand pairs for each format: uniform bits, near exponents, cancellation, denormals, ties
// and special values, with and without FTZ. F32 and F64 sums come from the host's IEEE unit. Those
// of 16 bits come from a double that is rounded to odd (its rounding error is known exactly), then
// rounded once to the format by the host's nearbyint.

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "Vfaa_test_float.h"
#include "verilated.h"

#include "float_ref.h"

static constexpr int kLatency = 2; // faa_float_pkg::ADD_LATENCY

static std::mt19937_64 rng;
static Vfaa_test_float *dut;
static uint64_t failures;

struct Pair {
	uint64_t a, b;
	bool ftz;
	const float_ref::Format *format;
};

static void complain(const char *what, const Pair &p, uint64_t got, uint64_t want)
{
	if (got == want)
		return;
	if (failures++ < 20)
		printf("not ok - %s of %s%s: 0x%llx, 0x%llx gives 0x%llx, want 0x%llx\n", what,
		       p.format->name, p.ftz ? " with FTZ" : "", (unsigned long long)p.a,
		       (unsigned long long)p.b, (unsigned long long)got, (unsigned long long)want);
}

static uint64_t sum_of(const float_ref::Format &f)
{
	switch (f.bits * 16 + f.exp_bits) {
	case 64 * 16 + 11:
		return dut->sum_f64_o;
	case 32 * 16 + 8:
		return dut->sum_f32_o;
	case 16 * 16 + 5:
		return dut->sum_f16_o;
	default:
		return dut->sum_bf16_o;
	}
}

static uint64_t best_of(const float_ref::Format &f, bool max)
{
	switch (f.bits * 16 + f.exp_bits) {
	case 64 * 16 + 11:
		return (uint64_t)dut->best_f64_o[max * 2 + 1] << 32 | dut->best_f64_o[max * 2];
	case 32 * 16 + 8:
		return dut->best_f32_o >> max * 32 & 0xffffffff;
	case 16 * 16 + 5:
		return dut->best_f16_o >> max * 16 & 0xffff;
	default:
		return dut->best_bf16_o >> max * 16 & 0xffff;
	}
}

static Pair random_pair(const float_ref::Format &f)
{
	Pair p;
	float_ref::random_terms(f, rng, &p.a, &p.b);
	p.ftz = rng() & 1;
	p.format = &f;
	return p;
}

// Some cycles have no pair: a sum must come kLatency cycles after its terms, and a gap may not
// disturb its neighbours.
static void run(uint64_t pairs)
{
	Pair in_flight[kLatency];
	bool full[kLatency] = {};
	uint64_t sent = 0;
	int empty = 0;

	for (uint64_t n = 0; empty <= kLatency; n++) {
		int slot = n % kLatency;
		if (full[slot]) {
			const Pair &p = in_flight[slot];
			complain("sum", p, sum_of(*p.format),
				 float_ref::add(*p.format, p.a, p.b, p.ftz));
		}
		full[slot] = sent < pairs && rng() % 16;
		empty = sent < pairs ? 0 : empty + 1;
		dut->valid_i = full[slot];
		if (full[slot]) {
			const float_ref::Format &f = float_ref::formats[rng() % 4];
			in_flight[slot] = random_pair(f);
			dut->a_i = in_flight[slot].a;
			dut->b_i = in_flight[slot].b;
			dut->ftz_i = in_flight[slot].ftz;
			sent++;
		} else {
			dut->a_i = rng();
		}
		dut->eval();
		for (int max = 0; full[slot] && max < 2; max++) {
			const Pair &p = in_flight[slot];
			complain(max ? "maximum" : "minimum", p, best_of(*p.format, max),
				 float_ref::best(*p.format, p.a, p.b, p.ftz, max));
		}
		dut->clk_i = 1;
		dut->eval();
		dut->clk_i = 0;
		dut->eval();
	}
}

int main(int argc, char **argv)
{
	uint64_t pairs = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1000000;
	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	fesetround(FE_TONEAREST);
	Verilated::commandArgs(argc, argv);
	dut = new Vfaa_test_float;
	dut->clk_i = 0;
	dut->valid_i = 0;
	run(pairs * 4);
	printf("%llu pairs of each format on average, %llu failures\n", (unsigned long long)pairs,
	       (unsigned long long)failures);
	delete dut;
	return failures != 0;
}
