// SPDX-License-Identifier: Apache-2.0
//
// Shared memory unit against a loop over lanes that was written from the specification (commands:
// ATOMS, Floating point; device: Statistics, Banks).
//
// usage: shared_tb WARPS SEED LANES CHAINS FLOATS RELAXED CYCLES [MUTANT]
//
// Random warps of every legal operation and type come in runs that share operation and addresses,
// so that several warps use one word; both sides of the unit stall at random. Compares every
// answer, the order of answers and of completion, groups and passes of every beat, and at the end
// the whole memory. Then measures cycles per warp of streams with a known limit. LANES, CHAINS,
// FLOATS (F32, F64 and X2) and RELAXED are the parameters of the unit's build.
// Short streams, the same in every run, must take exactly the cycles, bank operations and stalls
// that the file CYCLES has for the build; the rows of the tested unit are printed
// (FAA_UPDATE=1 of suite 34-shared-unit writes the file).
// MUTANT, for a build of mutants (tests/rtl/mutate): the number of the tested one, without the long
// streams; the run ends at the first difference. 0 is the unit itself.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "Vfaa_shared.h"
#include "verilated.h"
#include "verilated_cov.h"

#include "faa_isa.h"

static constexpr uint32_t kBytes = 65536;
#ifdef MUTANTS
static constexpr bool kMutants = true;
#else
static constexpr bool kMutants = false;
#endif
static constexpr int kLoad = 0, kStore = 1, kAtomic = 2;

struct Warp {
	int func, op, type, mod;
	bool result;
	uint32_t mask;
	uint32_t addr[32];
	uint64_t b[32], c[32];
	uint64_t expect[32];
	unsigned user;
};

struct Beat {
	unsigned passes, groups;
};

static std::mt19937_64 rng;
static uint8_t ref_mem[kBytes];
static Vfaa_shared *dut;
static unsigned lanes_per_beat = 32;
static bool float_build, relaxed_build;
static uint64_t cycle, taken_warps, done_warps, taken_at, answered_at, done_at;
static uint64_t bank_ops, stalls[5];
static bool stop_at_failure;
static bool every_other_cycle; // answers are taken
static std::string build_name;
static unsigned wrong_rows;
static unsigned failures;
static std::deque<Beat> beats;
static std::deque<Warp> results;
static unsigned result_beat; // the next one of the oldest

// -------------------------------------------------------------------------------------------------
// The specification: numbers

struct Format {
	int exponent, fraction;
};

static uint64_t field(uint64_t x, int lsb, int bits)
{
	return x >> lsb & ((1ull << bits) - 1);
}

static bool is_nan(Format f, uint64_t x)
{
	return field(x, f.fraction, f.exponent) == (1ull << f.exponent) - 1 &&
	       field(x, 0, f.fraction);
}

static uint64_t nan_of(Format f)
{
	return ((1ull << f.exponent) - 1) << f.fraction | 1ull << (f.fraction - 1);
}

static uint64_t flush(Format f, uint64_t x, bool ftz)
{
	uint64_t sign = x >> (f.exponent + f.fraction) & 1;

	return ftz && !field(x, f.fraction, f.exponent) ? sign << (f.exponent + f.fraction) : x;
}

/// Every format's numbers are exact in a double.
static double number(Format f, uint64_t x)
{
	int bias = (1 << (f.exponent - 1)) - 1, e = (int)field(x, f.fraction, f.exponent);
	double fraction = (double)field(x, 0, f.fraction), value;

	if (e == (1 << f.exponent) - 1)
		value = INFINITY;
	else if (e)
		value = ldexp(fraction + ldexp(1, f.fraction), e - bias - f.fraction);
	else
		value = ldexp(fraction, 1 - bias - f.fraction);
	return x >> (f.exponent + f.fraction) & 1 ? -value : value;
}

/// Rounds to nearest, ties to even. The sum of two numbers of at most 24 bits may already be
/// rounded to 53 bits.
static uint64_t bits_of(Format f, double value)
{
	int bias = (1 << (f.exponent - 1)) - 1, e;
	uint64_t sign = (uint64_t)std::signbit(value) << (f.exponent + f.fraction);

	value = fabs(value);
	if (value == 0)
		return sign;
	e = std::isinf(value) ? bias + 1 : ilogb(value);
	if (e < 1 - bias)
		e = 1 - bias;
	if (e <= bias) {
		double units = nearbyint(ldexp(value, f.fraction - e));
		// The hidden bit and a carry out of the fraction go into the exponent.
		return sign | ((uint64_t)(e + bias - 1) << f.fraction) + (uint64_t)units;
	}
	return sign | ((1ull << f.exponent) - 1) << f.fraction;
}

static uint64_t float_op(Format f, int op, bool ftz, uint64_t m, uint64_t b)
{
	m = flush(f, m, ftz);
	b = flush(f, b, ftz);
	if (op == FAA_ATOMS_OP_ADD) {
		double sum = number(f, m) + number(f, b);
		return is_nan(f, m) || is_nan(f, b) || std::isnan(sum) ?
			       nan_of(f) :
			       flush(f, bits_of(f, sum), ftz);
	}
	if (is_nan(f, m))
		return is_nan(f, b) ? nan_of(f) : b;
	if (is_nan(f, b))
		return m;
	double x = number(f, m), y = number(f, b);
	bool less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
	return less == (op == FAA_ATOMS_OP_MIN) ? m : b;
}

static unsigned type_size(int type)
{
	switch (type) {
	case FAA_TYPE_U8:
	case FAA_TYPE_S8:
		return 1;
	case FAA_TYPE_U16:
	case FAA_TYPE_S16:
		return 2;
	case FAA_TYPE_U64:
	case FAA_TYPE_S64:
	case FAA_TYPE_F64:
		return 8;
	default:
		return 4;
	}
}

static uint64_t float_type(int type, int op, bool ftz, uint64_t m, uint64_t b)
{
	static const Format f16 = { 5, 10 }, bf16 = { 8, 7 }, f32 = { 8, 23 }, f64 = { 11, 52 };
	Format half = type == FAA_TYPE_F16X2 ? f16 : bf16;

	if (type == FAA_TYPE_F32)
		return float_op(f32, op, ftz, m, b);
	if (type == FAA_TYPE_F64)
		return float_op(f64, op, ftz, m, b);
	return float_op(half, op, ftz, m >> 16, b >> 16 & 0xffff) << 16 |
	       float_op(half, op, ftz, m & 0xffff, b & 0xffff);
}

static bool is_float(int type)
{
	return type == FAA_TYPE_F32 || type == FAA_TYPE_F64 || type == FAA_TYPE_F16X2 ||
	       type == FAA_TYPE_BF16X2;
}

/// New value of M.
static uint64_t new_value(const Warp &w, uint64_t m, uint64_t b, uint64_t c)
{
	bool sign = w.type == FAA_TYPE_S32 || w.type == FAA_TYPE_S64, wide = type_size(w.type) == 8;
	bool less = !sign ? m < b : wide ? (int64_t)m < (int64_t)b : (int32_t)m < (int32_t)b;

	if (is_float(w.type))
		return float_type(w.type, w.op, w.mod & FAA_FLOAT_MODE_FTZ, m, b);
	switch (w.op) {
	case FAA_ATOMS_OP_ADD:
		return m + b;
	case FAA_ATOMS_OP_MIN:
		return less ? m : b;
	case FAA_ATOMS_OP_MAX:
		return less ? b : m;
	case FAA_ATOMS_OP_INC:
		return m >= b ? 0 : m + 1;
	case FAA_ATOMS_OP_DEC:
		return m == 0 || m > b ? b : m - 1;
	case FAA_ATOMS_OP_AND:
		return m & b;
	case FAA_ATOMS_OP_OR:
		return m | b;
	case FAA_ATOMS_OP_XOR:
		return m ^ b;
	case FAA_ATOMS_OP_EXCH:
		return b;
	default:
		return m == b ? c : m;
	}
}

// -------------------------------------------------------------------------------------------------
// The specification: lanes, groups, passes

static unsigned bank_of(uint32_t addr)
{
	uint32_t w = addr / 4;

	return (w ^ (w >> 5) ^ (w >> 10) ^ (w >> 15) ^ (w >> 20)) & 31;
}

static uint64_t peek(uint32_t addr, unsigned size)
{
	uint64_t v = 0;

	memcpy(&v, ref_mem + addr, size);
	return v;
}

static void poke(uint32_t addr, unsigned size, uint64_t v)
{
	memcpy(ref_mem + addr, &v, size);
}

static bool is_relaxed(const Warp &w)
{
	return w.func == kAtomic && w.type == FAA_TYPE_F32 && w.op == FAA_ATOMS_OP_ADD &&
	       (w.mod & FAA_FLOAT_MODE_RELAXED) && relaxed_build;
}

/// The lanes of a relaxed addition on one word are summed before they reach it.
static void run_relaxed(Warp &w)
{
	std::map<uint32_t, uint32_t> sums, old;
	Warp add = w;

	for (int l = 0; l < 32; l++) {
		if (!(w.mask >> l & 1))
			continue;
		uint32_t a = w.addr[l];
		if (!sums.count(a)) {
			old[a] = (uint32_t)peek(a, 4);
			w.expect[l] = old[a];
			sums[a] = (uint32_t)w.b[l];
		} else {
			w.expect[l] = new_value(add, old[a], sums[a], 0);
			sums[a] = (uint32_t)new_value(add, sums[a], (uint32_t)w.b[l], 0);
		}
	}
	for (auto &s : sums)
		poke(s.first, 4, new_value(add, old[s.first], s.second, 0));
}

static bool spin_drops(const Warp &w, int lane)
{
	uint32_t pair = type_size(w.type) == 8 ? 30 : 31;

	for (int l = 0; l < lane; l++)
		if ((w.mask >> l & 1) &&
		    (bank_of(w.addr[l]) & pair) == (bank_of(w.addr[lane]) & pair))
			return true;
	return false;
}

static bool is_spin(const Warp &w)
{
	return w.func == kAtomic && w.op == FAA_ATOMS_OP_CAST_SPIN;
}

static void run_lanes(Warp &w)
{
	unsigned size = type_size(w.type);
	uint64_t ones = size == 8 ? ~0ull : 0xffffffffull;

	for (int l = 0; l < 32; l++) {
		uint32_t a = w.addr[l];
		if (!(w.mask >> l & 1) || (is_spin(w) && spin_drops(w, l)))
			continue;
		uint64_t m = peek(a, size), b = w.b[l] & ones, c = w.c[l] & ones;
		w.expect[l] = m;
		if (w.func == kLoad && w.type == FAA_TYPE_S8)
			w.expect[l] = (uint32_t)(int32_t)(int8_t)m;
		else if (w.func == kLoad && w.type == FAA_TYPE_S16)
			w.expect[l] = (uint32_t)(int32_t)(int16_t)m;
		else if (w.func == kStore)
			poke(a, size, b);
		else if (w.func == kAtomic)
			poke(a, size, new_value(w, m, b, c));
		if (w.func == kAtomic &&
		    (w.op == FAA_ATOMS_OP_CAST || w.op == FAA_ATOMS_OP_CAST_SPIN))
			w.expect[l] = m == b;
	}
}

/// Lane l begins a new group although an earlier lane, before, has its word.
static bool begins_group(const Warp &w, int before, int l)
{
	bool int32 = w.type == FAA_TYPE_U32 || w.type == FAA_TYPE_S32;
	bool same_b = (uint32_t)w.b[l] == (uint32_t)w.b[before];

	if (w.func == kLoad)
		return false;
	if (w.func == kStore)
		return type_size(w.type) < 4;
	switch (w.op) {
	case FAA_ATOMS_OP_INC:
	case FAA_ATOMS_OP_DEC:
		return w.type != FAA_TYPE_U32 || !same_b;
	case FAA_ATOMS_OP_CAS:
	case FAA_ATOMS_OP_CAST:
		return !int32;
	case FAA_ATOMS_OP_MIN:
	case FAA_ATOMS_OP_MAX:
		return !int32 && w.type != FAA_TYPE_F32;
	default:
		return !int32 && !is_relaxed(w);
	}
}

static void count_beat(const Warp &w, unsigned from)
{
	std::map<uint32_t, int> last;
	unsigned load[32] = {};
	Beat beat = { 0, 0 };
	bool wide = type_size(w.type) == 8;

	for (unsigned l = from; l < from + lanes_per_beat; l++) {
		uint32_t word = w.addr[l] / (wide ? 8 : 4), bank = bank_of(w.addr[l]);
		if (!(w.mask >> l & 1))
			continue;
		if (is_spin(w)) {
			if (spin_drops(w, l))
				continue;
		} else {
			auto before = last.find(word);
			bool joins = before != last.end() && !begins_group(w, before->second, l);
			last[word] = l;
			if (joins)
				continue;
		}
		beat.groups++;
		load[bank]++;
		if (wide)
			load[bank ^ 1]++;
	}
	for (unsigned n : load)
		if (n > beat.passes)
			beat.passes = n;
	if (beat.groups)
		beats.push_back(beat);
}

static void run_reference(Warp &w)
{
	memset(w.expect, 0, sizeof(w.expect));
	if (is_relaxed(w))
		run_relaxed(w);
	else
		run_lanes(w);
}

// -------------------------------------------------------------------------------------------------
// The unit

static void fail(const char *what, uint64_t got, uint64_t want)
{
	if (failures++ < 20)
		printf("# cycle %llu: %s: got %#llx, expected %#llx\n", (unsigned long long)cycle,
		       what, (unsigned long long)got, (unsigned long long)want);
	if (stop_at_failure)
		exit(1);
}

/// Beat n of a warp
static void drive(const Warp &w, unsigned n)
{
	const unsigned beats = 32 / lanes_per_beat, first = n * lanes_per_beat;

	dut->warp_part_i = (uint8_t)(n | (n + 1 == beats) << 3);
	dut->warp_func_i = w.func;
	dut->warp_op_i = w.op;
	dut->warp_typ_i = w.type;
	dut->warp_mod_i = w.mod;
	dut->warp_result_i = w.result;
	dut->warp_mask_i = w.mask;
	dut->warp_user_i = w.user;
	for (unsigned p = 0; p < lanes_per_beat; p++) {
		const unsigned l = first + p;

		for (unsigned i = 0; i < 3; i++)
			((uint8_t *)&dut->warp_addr_i)[p * 3 + i] = (uint8_t)(w.addr[l] >> (8 * i));
		memcpy((uint8_t *)&dut->warp_b_i + p * 8, &w.b[l], 8);
		memcpy((uint8_t *)&dut->warp_c_i + p * 8, &w.c[l], 8);
	}
}

/// A beat of the answers of the oldest warp that wants some
static void check_result()
{
	const unsigned beats = 32 / lanes_per_beat, number = dut->result_part_o & 7;
	const bool last = dut->result_part_o >> 3;

	if (results.empty()) {
		fail("answer without a warp", dut->result_user_o, 0);
		return;
	}
	const Warp &w = results.front();
	if (dut->result_user_o != w.user)
		fail("order of answers", dut->result_user_o, w.user);
	if (number != result_beat || last != (number + 1 == beats))
		fail("order of the beats of answers", dut->result_part_o, result_beat);
	for (unsigned p = 0; p < lanes_per_beat; p++) {
		const unsigned l = result_beat * lanes_per_beat + p;
		uint64_t got;
		char what[160];
		memcpy(&got, (uint8_t *)&dut->result_o + p * 8, 8);
		if (got == w.expect[l])
			continue;
		snprintf(what, sizeof(what),
			 "func %d op %d type %d mod %d lane %u address %#x b %#llx c %#llx", w.func,
			 w.op, w.type, w.mod, l, w.addr[l], (unsigned long long)w.b[l],
			 (unsigned long long)w.c[l]);
		fail(what, got, w.expect[l]);
	}
	if (++result_beat == beats) {
		result_beat = 0;
		results.pop_front();
	}
}

static void check_events()
{
	if (dut->ev_groups_o) {
		Beat want = beats.empty() ? Beat{ 0, 0 } : beats.front();
		if (dut->ev_groups_o != want.groups)
			fail("groups", dut->ev_groups_o, want.groups);
		if (dut->ev_passes_o != want.passes)
			fail("passes", dut->ev_passes_o, want.passes);
		if (!beats.empty())
			beats.pop_front();
	}
	if (dut->done_valid_o) {
		if (dut->done_user_o != (done_warps & 0xffff) || done_warps >= taken_warps)
			fail("order of completion", dut->done_user_o, done_warps & 0xffff);
		done_warps++;
	}
	bank_ops += dut->ev_bank_ops_o;
	stalls[0] += dut->ev_stall_bank_o;
	stalls[1] += dut->ev_stall_queue_o;
	stalls[2] += dut->ev_stall_result_o;
	stalls[3] += dut->ev_stall_hazard_o;
	stalls[4] += dut->ev_stall_window_o;
}

static uint32_t pick(uint32_t n)
{
	return (uint32_t)(rng() % n);
}

static void clock(int level)
{
	dut->clk_i = level;
	dut->eval();
}

/// Sends the warps of next through the unit until it has no more; the percentages slow down both
/// sides.
static void run(const std::function<bool(Warp &)> &next, unsigned in_percent, unsigned out_percent)
{
	Warp w;
	bool valid = false, more = true;
	unsigned quiet = 0, beat = 0;

	for (;;) {
		if (!valid && more && pick(100) >= in_percent) {
			more = next(w);
			if (more) {
				w.user = (unsigned)(taken_warps & 0xffff);
				drive(w, beat = 0);
				valid = true;
				// The first beats may be counted before the last one is taken.
				for (unsigned l = 0; l < 32; l += lanes_per_beat)
					count_beat(w, l);
			}
		}
		dut->warp_valid_i = valid;
		dut->result_ready_i = pick(100) >= out_percent && !(every_other_cycle && cycle % 2);
		clock(0);
		bool beat_taken = valid && dut->warp_ready_o;
		bool taken = beat_taken && beat + 1 == 32 / lanes_per_beat;
		if (dut->result_valid_o && dut->result_ready_i) {
			check_result();
			answered_at = cycle;
		}
		check_events();
		if (dut->done_valid_o)
			done_at = cycle;
		bool idle = dut->idle_o && !valid && !more;
		clock(1);
		cycle++;
		if (beat_taken && !taken)
			drive(w, ++beat);
		quiet = taken || dut->done_valid_o ? 0 : quiet + 1;
		if (taken) {
			valid = false;
			taken_at = cycle - 1;
			taken_warps++;
			run_reference(w);
			if (w.result)
				results.push_back(w);
		}
		if (idle)
			return;
		if (quiet > 5000) {
			fail("the unit makes no progress", done_warps, taken_warps);
			return;
		}
	}
}

// -------------------------------------------------------------------------------------------------
// Warps

static uint64_t random_operand(int type)
{
	static const uint32_t odd[] = {
		0,	    1,		0xffffffff, 0x80000000, 0x7fffffff, 0x7f800000, 0xff800000,
		0x7fc00000, 0x7f800001, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
		0x3f800000, 0xbf800000, 0x7c017c00, 0xfc000001, 0x83ff0400, 0x7bff7bff
	};
	unsigned kind = pick(4);

	if (kind == 0)
		return pick(4);
	if (kind == 1)
		return rng();
	uint64_t high = odd[pick(sizeof(odd) / sizeof(*odd))];
	if (type == FAA_TYPE_F64)
		return high << 32 | (pick(2) ? 0 : pick(2) ? 0xffffffff : rng() >> 32);
	if (is_float(type) && kind == 3)
		return (0x3f800000 + (pick(0x04000000))) ^ (uint64_t)pick(2) << 31;
	return high | (pick(2) ? rng() << 32 : 0);
}

/// Operation, types and mode of a warp.
static void random_command(Warp &w)
{
	static const int access[] = { FAA_TYPE_U8,  FAA_TYPE_U16, FAA_TYPE_U32,
				      FAA_TYPE_U64, FAA_TYPE_S8,  FAA_TYPE_S16 };
	static const int types[] = { FAA_TYPE_U32,   FAA_TYPE_S32,   FAA_TYPE_U32, FAA_TYPE_S32,
				     FAA_TYPE_U64,   FAA_TYPE_S64,   FAA_TYPE_F32, FAA_TYPE_F64,
				     FAA_TYPE_F16X2, FAA_TYPE_BF16X2 };

	w.func = pick(4) ? kAtomic : (int)pick(2);
	w.op = w.mod = 0;
	w.result = true;
	if (w.func == kLoad) {
		w.type = access[pick(6)];
	} else if (w.func == kStore) {
		w.type = access[pick(4)];
		w.result = false;
	} else {
		w.op = pick(4) ? (int)pick(12) : FAA_ATOMS_OP_CAS + (int)pick(2);
		bool ordered = w.op <= FAA_ATOMS_OP_MAX,
		     steps = w.op == FAA_ATOMS_OP_INC || w.op == FAA_ATOMS_OP_DEC;
		w.type = types[pick(ordered && float_build ? 10 : 6)];
		if (steps)
			w.type = pick(3) ? FAA_TYPE_U32 : FAA_TYPE_U64;
		if (is_float(w.type))
			w.mod = pick(2) | (w.op == FAA_ATOMS_OP_ADD ? pick(2) << 1 : 0);
		w.result = pick(2);
	}
}

struct Pattern {
	unsigned kind;
	uint32_t base, range, stride, hot[4];
};

static Pattern random_pattern()
{
	Pattern p = { pick(9), pick(kBytes), 1u << pick(16), 1u << pick(12), {} };

	for (uint32_t &h : p.hot)
		h = pick(4) ? p.base + 4 * pick(16) : pick(kBytes);
	return p;
}

static uint32_t random_address(const Pattern &p, int l, unsigned size)
{
	switch (p.kind) {
	case 0:
		return pick(kBytes);
	case 1:
		return p.base;
	case 2:
		return p.base + l * size;
	case 3:
		return p.base + l * p.stride;
	case 4:
		return pick(2) ? p.base : pick(kBytes);
	case 5:
		return p.hot[pick(4)];
	case 6:
		return pick(3) ? p.hot[pick(2)] : p.hot[2] + 4 * pick(8);
	default:
		return p.base + pick(p.range);
	}
}

static void random_operands(Warp &w)
{
	uint64_t b = random_operand(w.type), c = random_operand(w.type);
	bool chain = pick(4) == 0;
	unsigned same = pick(3) * 50;

	for (int l = 0; l < 32; l++) {
		w.b[l] = pick(100) < same ? b : random_operand(w.type);
		w.c[l] = pick(100) < same ? c : random_operand(w.type);
		// Compare with values that lanes before may have stored, or that memory may hold.
		if (chain && l && pick(4))
			w.b[l] = w.c[l - 1];
		else if (w.op >= FAA_ATOMS_OP_CAS && pick(2))
			w.b[l] = peek(w.addr[l], type_size(w.type));
	}
}

static bool is_cas(const Warp &w)
{
	return w.func == kAtomic && (w.op == FAA_ATOMS_OP_CAS || w.op == FAA_ATOMS_OP_CAST);
}

/// CAS with few compare and store values, the word in memory among them: lanes that succeed because
/// of any lane before, chains whose links are permuted, lanes that store their compare value,
/// failures.
static void cas_operands(Warp &w)
{
	unsigned count = 1 + pick(pick(2) ? 4 : 40), step = 1 + pick(7), swaps = pick(2) * pick(40);
	uint64_t size = type_size(w.type), values[40];
	bool ordered = pick(2);

	for (unsigned i = 0; i < count; i++)
		values[i] = pick(3) ? peek(w.addr[pick(32)], size) + i * pick(2) :
				      random_operand(w.type);
	for (int l = 0; l < 32; l++) {
		w.b[l] = values[ordered ? l / step % count : pick(count)];
		w.c[l] = values[ordered ? (l / step + 1) % count : pick(count)];
		// The first lane of a word mostly succeeds.
		if (pick(3) == 0)
			w.b[l] = peek(w.addr[l], size);
	}
	while (swaps--) {
		unsigned i = pick(32), j = pick(32);
		std::swap(w.b[i], w.b[j]);
		if (pick(2))
			std::swap(w.c[i], w.c[j]);
	}
}

/// Each word has its own chain through its lanes: several chains in one warp, of any length.
static void chain_operands(Warp &w)
{
	std::map<uint32_t, uint64_t> now;
	unsigned breaks = 1 + pick(40);

	for (int l = 0; l < 32; l++) {
		if (!now.count(w.addr[l]))
			now[w.addr[l]] = peek(w.addr[l], type_size(w.type));
		uint64_t &value = now[w.addr[l]];
		w.b[l] = value + (pick(breaks) == 0);
		w.c[l] = pick(8) ? value + pick(3) : random_operand(w.type);
		if (pick(4))
			value = w.c[l];
	}
}

static Warp random_warp(const Pattern &p, const Warp &command)
{
	Warp w = command;
	unsigned size = type_size(w.type);

	do {
		w.mask = pick(3) ? 0xffffffffu :
				   (uint32_t)rng() & (pick(2) ? ~0u : (uint32_t)rng());
	} while (!w.mask);
	for (int l = 0; l < 32; l++)
		w.addr[l] = random_address(p, l, size) % kBytes & ~(size - 1);
	if (is_cas(w) && pick(3))
		pick(2) ? cas_operands(w) : chain_operands(w);
	else
		random_operands(w);
	return w;
}

/// Runs of 1 to 40 warps with one pattern of addresses and mostly one command.
static void run_random(unsigned long warps, unsigned in_percent, unsigned out_percent)
{
	unsigned left = 0, change = 1;
	Pattern pattern = {};
	Warp command = {};

	run(
		[&](Warp &w) {
			if (!warps)
				return false;
			if (!left) {
				left = 1 + pick(pick(2) ? 4 : 40);
				change = 1 + pick(8);
				pattern = random_pattern();
				random_command(command);
			}
			if (!pick(change))
				random_command(command);
			w = random_warp(pattern, command);
			warps--;
			left--;
			return true;
		},
		in_percent, out_percent);
}

/// Warps with random operands in all bits for 32 different words, which all reach memory: every bit
/// of every queue.
static void run_wide(unsigned warps)
{
	static const int ops[] = { FAA_ATOMS_OP_EXCH, FAA_ATOMS_OP_CAS, FAA_ATOMS_OP_XOR,
				   FAA_ATOMS_OP_CAST };

	run(
		[&](Warp &w) {
			if (!warps--)
				return false;
			w = Warp{};
			w.func = kAtomic;
			w.op = ops[pick(4)];
			w.type = pick(4) ? FAA_TYPE_U64 : FAA_TYPE_U32;
			w.result = pick(2);
			w.mask = 0xffffffffu;
			unsigned size = type_size(w.type);
			uint32_t start = pick(kBytes), step = 2 * pick(kBytes) + 1;
			for (uint32_t l = 0; l < 32; l++) {
				w.addr[l] = (start + l * step) * size % kBytes;
				bool compares = w.op >= FAA_ATOMS_OP_CAS && pick(8);
				w.b[l] = compares ? peek(w.addr[l], size) : rng();
				w.c[l] = rng();
			}
			return true;
		},
		0, 0);
}

/// Address of a word of a bank; row: 0 to kBytes / 128 - 1.
static uint32_t address_in(unsigned bank, uint32_t row)
{
	return row * 128 + (bank ^ bank_of(row * 128)) * 4;
}

static uint32_t random_row()
{
	return pick(kBytes / 128);
}

/// Some lanes, any number in each beat.
static uint32_t random_mask()
{
	uint32_t mask = 0;

	for (int l = 0; l < 32; l += 8) {
		uint32_t lanes = (uint32_t)rng() | (uint32_t)rng();
		mask |= ((pick(3) ? 0xff : lanes) & (pick(3) ? 0xff : lanes >> 8) & 0xff) << l;
	}
	return mask ? mask : 1;
}

/// Every lane uses another word of one bank, or with 64 bits of its pair, so that the queue of the
/// bank fills to the last entry with any number of operations at a time; then the next bank.
static void run_full(unsigned warps, int type, bool result, unsigned out_percent)
{
	unsigned size = type_size(type), step = size / 4, n = 0;

	run(
		[&](Warp &w) {
			if (n == warps * 32 / step)
				return false;
			unsigned bank = n++ / warps * step, row = random_row();
			w = Warp{};
			w.func = kAtomic;
			w.op = pick(2) ? FAA_ATOMS_OP_EXCH : FAA_ATOMS_OP_ADD;
			w.type = type;
			w.result = result || pick(2);
			w.mask = random_mask();
			for (int l = 0; l < 32; l++) {
				w.addr[l] = address_in(bank, (row + l * 5) % (kBytes / 128)) &
					    ~(size - 1);
				w.b[l] = rng();
			}
			return true;
		},
		0, out_percent);
}

/// Hot words, with other words of their banks before and after them: operations that chains save
/// are no operations of the bank.
static void run_hot(unsigned warps)
{
	Warp command = {};
	uint32_t hot[3] = {};
	unsigned left = 0;

	run(
		[&](Warp &w) {
			if (!warps--)
				return false;
			if (!left--) {
				left = 2 + pick(6);
				command.func = kAtomic;
				command.op = pick(FAA_ATOMS_OP_EXCH + 1);
				command.type = pick(2) ? FAA_TYPE_U32 : FAA_TYPE_S32;
				if (command.op == FAA_ATOMS_OP_INC ||
				    command.op == FAA_ATOMS_OP_DEC)
					command.op = FAA_ATOMS_OP_ADD;
				command.result = pick(2);
				unsigned bank = pick(32);
				for (uint32_t &h : hot)
					h = address_in(pick(3) ? bank : pick(32), random_row());
			}
			w = command;
			w.mask = pick(4) ? 0xffffffffu : random_mask();
			for (int l = 0; l < 32; l++) {
				uint32_t h = hot[pick(3)];
				w.addr[l] = pick(2) ? h : address_in(bank_of(h), random_row());
				w.b[l] = random_operand(w.type);
			}
			return true;
		},
		0, 0);
}

/// MIN and MAX on one word whose value no operand has: the operands of two beats differ in one or
/// two bits, so each bit of a chain's comparison matters. An EXCH precedes each warp.
static void run_order(unsigned warps)
{
	uint32_t value = 0, address = 0;

	run(
		[&](Warp &w) {
			if (!warps--)
				return false;
			if (warps % 2) {
				value = rng();
				address = pick(kBytes) & ~3u;
			}
			w = Warp{};
			w.func = kAtomic;
			w.op = warps % 2 ? FAA_ATOMS_OP_EXCH :
			       pick(2)	 ? FAA_ATOMS_OP_MIN :
					   FAA_ATOMS_OP_MAX;
			w.type = pick(2) ? FAA_TYPE_U32 : FAA_TYPE_S32;
			w.result = pick(2);
			w.mask = 0xffffffff;
			uint32_t last = pick(2) ? 0x7fffffff : 0xffffffff, beat = 0;
			for (int l = 0; l < 32; l++) {
				if (l % 8 == 0)
					beat = value ^ 1u << pick(32);
				w.addr[l] = address;
				w.b[l] = warps % 2 ? (pick(2) ? last : ~last) : beat;
			}
			return true;
		},
		0, 0);
}

/// Any commands on words of few banks: any number of operations in a bank, any order of them.
static void run_few_banks(unsigned warps)
{
	Warp command = {};

	run(
		[&](Warp &w) {
			if (!warps--)
				return false;
			if (!pick(2))
				random_command(command);
			w = command;
			w.mask = pick(4) ? 0xffffffffu : random_mask();
			unsigned size = type_size(w.type), banks = 1 + pick(6), rows = 1 + pick(20);
			unsigned bank = pick(32), row = random_row(), every = 1 + pick(16);
			for (int l = 0; l < 32; l++)
				w.addr[l] = (address_in((bank + pick(banks) * every) % 32,
							(row + pick(rows)) % (kBytes / 128)) +
					     pick(4)) &
					    ~(size - 1);
			if (is_cas(w) && pick(2))
				pick(2) ? cas_operands(w) : chain_operands(w);
			else
				random_operands(w);
			return true;
		},
		0, 0);
}

/// INC and DEC around bounds of any size, each used by some warps: from below, from the bound and
/// from above it, any number of steps at a time.
static void run_steps(unsigned warps)
{
	Warp command = {};
	uint64_t bounds[32] = {};
	uint32_t start = 0;
	unsigned left = 0, size = 4, lanes = 1;

	run(
		[&](Warp &w) {
			if (!warps--)
				return false;
			bool begins = !left--;
			if (begins) {
				left = pick(6);
				command.func = kAtomic;
				command.type = pick(4) ? FAA_TYPE_U32 : FAA_TYPE_U64;
				size = type_size(command.type);
				start = pick(kBytes) & ~(size - 1);
				lanes = 1u << pick(6);
			}
			command.op = pick(2) ? FAA_ATOMS_OP_INC : FAA_ATOMS_OP_DEC;
			command.result = pick(2);
			w = command;
			w.mask = pick(2) ? 0xffffffffu : random_mask();
			for (unsigned l = 0; l < 32; l++) {
				unsigned word = l / lanes;
				w.addr[l] = (start + word * size) % kBytes;
				if (begins && l % lanes == 0)
					bounds[word] =
						pick(3) ? peek(w.addr[l], size) + pick(64) - 32 :
							  pick(1u << (1 + pick(8)));
				w.b[l] = pick(80) ? bounds[word] : random_operand(w.type);
			}
			return true;
		},
		0, 0);
}

/// Operands that differ from each other, and from their words, in single bits.
static void run_close(unsigned warps)
{
	static const int types[] = { FAA_TYPE_U32, FAA_TYPE_S32, FAA_TYPE_U64, FAA_TYPE_S64 };
	Warp command = {};
	uint64_t base = 0;
	uint32_t start = 0;
	unsigned left = 0, words = 1;
	bool in_turn = false;

	run(
		[&](Warp &w) {
			if (!warps--)
				return false;
			if (!left--) {
				left = pick(10);
				command.func = kAtomic;
				command.type = types[pick(4)];
				base = pick(3) ? rng() : -(uint64_t)pick(2);
				start = pick(kBytes);
				words = 1u << pick(6);
				in_turn = pick(2);
				command.op = FAA_ATOMS_OP_EXCH;
			} else if (command.op == FAA_ATOMS_OP_EXCH || !pick(4)) {
				static const int ops[] = { FAA_ATOMS_OP_MIN, FAA_ATOMS_OP_MAX,
							   FAA_ATOMS_OP_AND, FAA_ATOMS_OP_OR,
							   FAA_ATOMS_OP_XOR, FAA_ATOMS_OP_CAS,
							   FAA_ATOMS_OP_CAST };
				command.op = ops[pick(7)];
			}
			command.result = pick(4);
			w = command;
			w.mask = pick(2) ? 0xffffffffu : random_mask();
			unsigned size = type_size(w.type);
			for (unsigned l = 0; l < 32; l++) {
				unsigned word = in_turn ? l % words : l * words / 32;
				w.addr[l] = (start + word * size) % kBytes & ~(size - 1);
				w.b[l] = base ^ (uint64_t)pick(2) << pick(8 * size);
				w.c[l] = base ^ (uint64_t)pick(2) << pick(8 * size);
			}
			return true;
		},
		0, 0);
}

/// Two words whose bank or row differs in one bit: after a warp on one of them, warps on both, with
/// any share of the lanes of each. Chains watch both, and tell them apart by every bit, in every
/// position.
static void run_twins()
{
	const unsigned warps = 6, row_bits = 9, bits = row_bits + 5;
	uint32_t one = 0, other = 0;
	unsigned n = 0;

	run(
		[&](Warp &w) {
			if (n == 2 * bits * warps)
				return false;
			if (n % warps == 0) {
				const unsigned bit = n / warps / 2;
				uint32_t row = random_row(), bank = pick(32);
				uint32_t &part = bit < row_bits ? row : bank;
				const uint32_t flip = 1u << (bit < row_bits ? bit : bit - row_bits);
				part = n / warps % 2 ? part | flip : part & ~flip;
				one = address_in(bank, row);
				part ^= flip;
				other = address_in(bank, row);
			}
			w = Warp{};
			w.func = kAtomic;
			w.type = FAA_TYPE_U32;
			w.result = pick(2);
			w.mask = 0xffffffffu;
			unsigned share = 0;
			for (int l = 0; l < 32; l++) {
				if (l % 8 == 0)
					share = n % warps ? pick(9) : 0;
				w.addr[l] = pick(8) < share ? other : one;
				w.b[l] = rng();
			}
			n++;
			return true;
		},
		0, 0);
}

/// CAS of eight lanes on a word that the warp before has set; each lane compares with a value that
/// differs from the word in one bit, each in turn, so this bit alone tells it that it fails. With
/// one value for all eight, which exceeds the word, or one for each lane: a choice.
static void run_near(unsigned warps, bool choices)
{
	Warp w = {};
	unsigned n = 0;

	run(
		[&](Warp &next) {
			if (n == warps)
				return false;
			const uint32_t start = pick(kBytes);
			const bool sets = n % 2 == 0;
			w.func = kAtomic;
			w.type = FAA_TYPE_U32;
			w.op = sets    ? FAA_ATOMS_OP_EXCH :
			       pick(2) ? FAA_ATOMS_OP_CAS :
					 FAA_ATOMS_OP_CAST;
			w.result = true;
			w.mask = 0xffffffffu;
			for (unsigned l = 0; l < 32; l++) {
				const uint32_t bit =
					1u << (choices ? n / 2 + l : n / 2 * 4 + l / 8) % 32;
				if (sets) {
					w.addr[l] = (start + l / 8 * 4) % kBytes & ~3u;
					w.b[l] = rng() & (choices ? 0xffffffff : ~bit);
				} else {
					w.b[l] = peek(w.addr[l], 4) ^ bit;
					w.c[l] = rng();
				}
			}
			n++;
			next = w;
			return true;
		},
		0, 0);
}

/// DEC of words of 0 in every bank, and INC of words at their bound: each turns, and the next one
/// does not.
static void run_turns(unsigned warps)
{
	Warp w = {};
	unsigned n = 0;

	run(
		[&](Warp &next) {
			if (n == warps)
				return false;
			const uint32_t start = pick(kBytes);
			w.func = kAtomic;
			w.result = true;
			w.mask = 0xffffffffu;
			if (n % 3 == 0) {
				w.type = n / 3 % 2 ? FAA_TYPE_U64 : FAA_TYPE_U32;
				w.op = FAA_ATOMS_OP_EXCH;
			} else if (n % 3 == 1) {
				w.op = pick(2) ? FAA_ATOMS_OP_DEC : FAA_ATOMS_OP_INC;
			}
			const unsigned size = type_size(w.type);
			for (unsigned l = 0; l < 32; l++) {
				if (n % 3 == 0) {
					w.addr[l] = (start + l * size) % kBytes & ~(size - 1);
					w.b[l] = pick(3) ? 0 : rng() >> pick(64);
				} else if (n % 3 == 1) {
					const uint64_t word = peek(w.addr[l], size);
					w.b[l] = word && pick(4) ? word : rng() >> pick(64);
				}
			}
			n++;
			next = w;
			return true;
		},
		0, 0);
}

static void reset_unit()
{
	dut->rst_ni = 0;
	for (int i = 0; i < 4; i++) {
		clock(0);
		clock(1);
	}
	dut->rst_ni = 1;
}

/// The first choice words after a reset, on each bank.
static void run_resets()
{
	for (unsigned bank = 0; bank < 32; bank++) {
		unsigned warps = 2;

		reset_unit();
		run(
			[&](Warp &w) {
				if (!warps--)
					return false;
				w = Warp{};
				w.func = kAtomic;
				w.op = FAA_ATOMS_OP_CAS;
				w.type = FAA_TYPE_U32;
				w.result = true;
				w.mask = 0xffffffffu;
				for (int l = 0; l < 32; l++)
					w.addr[l] = address_in(bank, 0);
				chain_operands(w);
				return true;
			},
			0, 0);
	}
}

/// The three kinds of answers of stage F, in turn, while answers wait: each kind waits for the
/// others.
static void run_kinds(unsigned warps)
{
	run(
		[&](Warp &w) {
			if (!warps--)
				return false;
			w = Warp{};
			w.func = kAtomic;
			switch (pick(3)) {
			case 0:
				w.type = FAA_TYPE_F32;
				w.mod = FAA_FLOAT_MODE_RELAXED;
				break;
			case 1:
				w.type = FAA_TYPE_U32;
				w.op = FAA_ATOMS_OP_CAS;
				break;
			default:
				w.type = FAA_TYPE_U32;
			}
			w.result = true;
			w.mask = 0xffffffffu;
			for (int l = 0; l < 32; l++)
				w.addr[l] = pick(64) * 4;
			random_operands(w);
			return true;
		},
		0, 95);
}

// Percentages of cycles in which no warp comes, and in which no answer is taken
static const unsigned pace[][2] = {
	{ 0, 0 }, { 0, 30 }, { 30, 0 }, { 60, 60 }, { 0, 90 }, { 90, 0 }
};

static void fill_and_compare(bool fill)
{
	uint32_t a = 0;

	run(
		[&](Warp &w) {
			if (a == kBytes)
				return false;
			w = Warp{};
			w.func = fill ? kStore : kLoad;
			w.type = FAA_TYPE_U32;
			w.mask = 0xffffffffu;
			w.result = !fill;
			for (int l = 0; l < 32; l++, a += 4) {
				w.addr[l] = a;
				w.b[l] = random_operand(FAA_TYPE_F32);
			}
			return true;
		},
		0, 0);
}

// -------------------------------------------------------------------------------------------------
// Cycles per warp

struct Stream {
	const char *name;
	int op, type, mod;
	bool result;
	double limit; // cycles per warp, Lanes = 32
	std::function<void(Warp &, int)> lane;
};

static std::vector<double> zipf_table()
{
	std::vector<double> sum;
	double total = 0;

	for (int i = 0; i < 4096; i++)
		sum.push_back(total += 1.0 / (i + 1));
	for (double &s : sum)
		s /= total;
	return sum;
}

static uint32_t zipf_word()
{
	static const std::vector<double> table = zipf_table();
	double x = (double)(rng() >> 11) / 9007199254740992.0;

	return (uint32_t)(std::lower_bound(table.begin(), table.end(), x) - table.begin());
}

/// Events since a moment.
struct Figures {
	uint64_t cycles, bank_ops, stalls[5];
};

static Figures since(const Figures &start)
{
	Figures f = { cycle - start.cycles, bank_ops - start.bank_ops, {} };

	for (int i = 0; i < 5; i++)
		f.stalls[i] = stalls[i] - start.stalls[i];
	return f;
}

static Figures run_stream(const Stream &stream, unsigned warps)
{
	Figures start = since(Figures{});
	unsigned n = 0;

	run(
		[&](Warp &w) {
			if (n == warps)
				return false;
			w = Warp{};
			w.func = kAtomic;
			w.op = stream.op;
			w.type = stream.type;
			w.mod = stream.mod;
			w.result = stream.result;
			w.mask = 0xffffffffu;
			for (int l = 0; l < 32; l++) {
				w.b[l] = 1;
				w.user = n;
				stream.lane(w, l);
			}
			n++;
			return true;
		},
		0, 0);
	return since(start);
}

static double measure(const Stream &stream, unsigned warps)
{
	Figures f = run_stream(stream, warps);
	double n = warps;

	printf("# %-28s %6.2f cycles/warp, limit %5.2f; bank operations/warp %5.2f; stalls bank %.2f queue %.2f result %.2f hazard %.2f window %.2f\n",
	       stream.name, f.cycles / n, stream.limit, f.bank_ops / n, f.stalls[0] / n,
	       f.stalls[1] / n, f.stalls[2] / n, f.stalls[3] / n, f.stalls[4] / n);
	return f.cycles / n;
}

static uint32_t float_bits(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, 4);
	return bits;
}

static std::vector<Stream> streams(bool chains)
{
	auto one = [](Warp &w, int l) { w.addr[l] = 0x1230; };
	auto random = [](Warp &w, int l) { w.addr[l] = pick(kBytes / 4) * 4; };
	auto random_float = [](Warp &w, int l) {
		w.addr[l] = pick(kBytes / 4) * 4;
		w.b[l] = float_bits((float)pick(1000));
	};
	std::vector<Stream> list;
	static const char *const names[] = { "add", "min", "max", "inc", "dec",
					     "and", "or",  "xor", "exch" };
	static char text[9][32];

	for (int op = 0; op <= FAA_ATOMS_OP_EXCH; op++) {
		snprintf(text[op], sizeof(text[op]), "one address, %s", names[op]);
		list.push_back({ text[op], op, FAA_TYPE_U32, 0, true, 1.02, one });
	}
	list.push_back({ "stride 1", 0, FAA_TYPE_U32, 0, true, 1.02,
			 [](Warp &w, int l) { w.addr[l] = (w.user * 32 + l) * 4 % kBytes; } });
	list.push_back({ "stride 32 words", 0, FAA_TYPE_U32, 0, true, 1.02,
			 [](Warp &w, int l) { w.addr[l] = (w.user + l * 32) * 4 % kBytes; } });
	list.push_back({ "random", 0, FAA_TYPE_U32, 0, true, 1.2, random });
	list.push_back({ "random, reduction", 0, FAA_TYPE_U32, 0, false, 1.2, random });
	list.push_back({ "zipf", 0, FAA_TYPE_U32, 0, true, chains ? 1.3 : 1.7,
			 [](Warp &w, int l) { w.addr[l] = zipf_word() * 4; } });
	list.push_back({ "zipf, reduction", 0, FAA_TYPE_U32, 0, false, chains ? 1.3 : 1.7,
			 [](Warp &w, int l) { w.addr[l] = zipf_word() * 4; } });
	list.push_back({ "u64 random", 0, FAA_TYPE_U64, 0, true, 2.3,
			 [](Warp &w, int l) { w.addr[l] = pick(kBytes / 8) * 8; } });
	list.push_back(
		{ "cas, claim", FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 0, true, 1.02, [](Warp &w, int l) {
			 w.addr[l] = w.user % 4096 * 4;
			 w.b[l] = peek(w.addr[l], 4);
			 w.c[l] = ~w.b[l] - l;
		 } });
	list.push_back({ "cast.spin", FAA_ATOMS_OP_CAST_SPIN, FAA_TYPE_U32, 0, true, 1.02,
			 [](Warp &w, int l) {
				 w.addr[l] = 0x2000;
				 w.c[l] = l;
			 } });
	list.push_back({ "cas, chain of 32", FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 0, true, 2.02,
			 [](Warp &w, int l) {
				 w.addr[l] = 0x3000;
				 w.b[l] = w.user * 32 + l;
				 w.c[l] = w.b[l] + 1;
			 } });
	list.push_back({ "cas, 32 values, none matches", FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 0, true,
			 2.02, [](Warp &w, int l) {
				 w.addr[l] = 0x3004;
				 w.b[l] = 0xdead0000 + l;
				 w.c[l] = 1000 + l;
			 } });
	list.push_back({ "cas, 32 values, words change", FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 0, true,
			 1.02, [](Warp &w, int l) {
				 w.addr[l] = w.user % 4096 * 4;
				 w.b[l] = 0xdead0000 + l;
				 w.c[l] = 1000 + l;
			 } });
	list.push_back({ "cas, 8 words of 4 lanes", FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 0, true, 8.05,
			 [](Warp &w, int l) {
				 w.addr[l] = (w.user * 8 + l / 4) % 4096 * 4;
				 w.b[l] = l % 4;
				 w.c[l] = l % 4 + 1;
			 } });
	list.push_back({ "cas, claim and chain in turn", FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 0, true,
			 1.02, [](Warp &w, int l) {
				 w.addr[l] = w.user % 4096 * 4;
				 w.b[l] = w.user % 2 ? l : 0;
				 w.c[l] = l + 1;
			 } });
	list.push_back({ "f32 random", 0, FAA_TYPE_F32, 0, true, 1.5, random_float });
	list.push_back({ "f16x2 random", 0, FAA_TYPE_F16X2, 0, true, 1.5, random_float });
	list.push_back(
		{ "f32 min, one address", FAA_ATOMS_OP_MIN, FAA_TYPE_F32, 0, true, 1.02, one });
	list.push_back({ "f32 one address, strict", 0, FAA_TYPE_F32, 0, true, 32 * 4.1, one });
	if (relaxed_build)
		list.push_back({ "f32 one address, relaxed", 0, FAA_TYPE_F32,
				 FAA_FLOAT_MODE_RELAXED, true, 5, one });
	return list;
}

/// A register port takes an answer of 64 bits in two cycles, as many as the two beats of its warp
/// need.
static bool check_port(const Stream &stream)
{
	every_other_cycle = true;
	double cycles = measure(stream, 1000);
	every_other_cycle = false;
	double limit = stream.limit * 32 / lanes_per_beat;
	if (cycles > limit)
		printf("# %s, answers taken in every other cycle: %.2f cycles per warp, at most %.2f are allowed\n",
		       stream.name, cycles, limit);
	return cycles <= limit;
}

static bool check_streams(bool chains)
{
	bool ok = true;

	measure(streams(chains).front(), 1);
	printf("# one warp: answers after %llu cycles, done after %llu\n",
	       (unsigned long long)(answered_at - taken_at),
	       (unsigned long long)(done_at - taken_at));
	for (const Stream &stream : streams(chains)) {
		if (is_float(stream.type) && !float_build)
			continue;
		unsigned warps = stream.limit > 8 ? 200 : 4000;
		// The time through the empty unit is not part of the stream.
		double cycles = measure(stream, warps) - 80.0 / warps;
		double limit =
			stream.limit *
			(lanes_per_beat < 32 && stream.limit < 8 ? 32.0 / lanes_per_beat : 1);
		if (cycles > limit) {
			printf("# %s: %.2f cycles per warp, at most %.2f are allowed\n",
			       stream.name, cycles, limit);
			ok = false;
		}
		if (!strcmp(stream.name, "u64 random"))
			ok &= check_port(stream);
	}
	return ok;
}

// -------------------------------------------------------------------------------------------------
// Exact cycles

/// Compares a short stream with its row of the build in the file CYCLES: NAME: cycles, bank
/// operations, stalls.
static void check_row(std::map<std::string, std::string> &rows, const char *name, const Figures &f)
{
	std::string key = build_name + " " + name;
	char text[160];

	snprintf(text, sizeof(text),
		 "%llu cycles, %llu bank operations, stalls %llu %llu %llu %llu %llu",
		 (unsigned long long)f.cycles, (unsigned long long)f.bank_ops,
		 (unsigned long long)f.stalls[0], (unsigned long long)f.stalls[1],
		 (unsigned long long)f.stalls[2], (unsigned long long)f.stalls[3],
		 (unsigned long long)f.stalls[4]);
	printf("row: %s: %s\n", key.c_str(), text);
	auto row = rows.find(key);
	if (row != rows.end() && row->second == text)
		return;
	if (wrong_rows++ < 20)
		printf("# %s: expected %s\n", key.c_str(),
		       row == rows.end() ? "no such row" : row->second.c_str());
	if (stop_at_failure)
		exit(1);
}

static std::map<std::string, std::string> read_rows(const char *path)
{
	std::map<std::string, std::string> rows;
	std::ifstream file(path);
	std::string line;

	while (std::getline(file, line)) {
		size_t colon = line.find(": ");
		if (line[0] != '#' && colon != std::string::npos)
			rows[line.substr(0, colon)] = line.substr(colon + 2);
	}
	return rows;
}

/// Cases that are rare in random warps. Builds that only test results have no rows of these.
struct Directed {
	const char *name;
	void (*run)();
};

static const Directed directed[] = {
	{ "full queues", [] { run_full(3, FAA_TYPE_U32, false, 0); } },
	{ "full queues, u64", [] { run_full(3, FAA_TYPE_U64, false, 0); } },
	{ "hot words, others of their banks", [] { run_hot(80); } },
	{ "minimum and maximum of one word", [] { run_order(600); } },
	{ "few banks", [] { run_few_banks(150); } },
	{ "answers wait", [] { run_full(6, FAA_TYPE_U32, true, 98); } },
	{ "inc and dec around their bounds", [] { run_steps(400); } },
	{ "operands close to each other", [] { run_close(800); } },
	{ "two words that differ in one bit", run_twins },
	{ "compare values near the word", [] { run_near(64, false); } },
	{ "choices near the word", [] { run_near(128, true); } },
	{ "inc and dec that turn", [] { run_turns(48); } },
	{ "after a reset", run_resets },
};

static bool check_cycles(const char *path, bool chains)
{
	std::map<std::string, std::string> rows = read_rows(path);
	char name[64];

	rng.seed(1);
	fill_and_compare(true);
	for (const Stream &stream : streams(chains)) {
		if (is_float(stream.type) && !float_build)
			continue;
		check_row(rows, stream.name, run_stream(stream, stream.limit > 8 ? 4 : 24));
	}
	for (const unsigned *p : pace) {
		Figures start = since(Figures{});
		run_random(120, p[0], p[1]);
		snprintf(name, sizeof(name), "random warps, in %u %%, out %u %%", 100 - p[0],
			 100 - p[1]);
		check_row(rows, name, since(start));
	}
	for (const Directed &d : directed) {
		Figures start = since(Figures{});
		d.run();
		if (kMutants)
			check_row(rows, d.name, since(start));
	}
	return !wrong_rows;
}

static bool check_answers(unsigned long warps, unsigned long seed)
{
	rng.seed(seed);
	fill_and_compare(true);
	run_wide(400 + (unsigned)warps / 8);
	run_close((unsigned)warps / 4);
	run_steps((unsigned)warps / 8);
	for (unsigned i = 0; i < 24 && !failures; i++)
		run_random(warps / 24, pace[i % 6][0], pace[i % 6][1]);
	if (relaxed_build)
		run_kinds(400);
	fill_and_compare(false);
	if (done_warps != taken_warps || !results.empty() || !beats.empty())
		fail("warps that are done", done_warps, taken_warps);
	return !failures;
}

/// Registers that reset does not touch begin with random values.
static void start_unit(unsigned long seed, const char *mutant)
{
	Verilated::randReset(2);
	Verilated::randSeed((int)seed);
	dut = new Vfaa_shared;
#ifdef MUTANTS
	dut->mutsel = mutant ? atoi(mutant) : 0;
#endif
	reset_unit();
	stop_at_failure = mutant && atoi(mutant);
}

static unsigned verdicts, bad_verdicts;

static void verdict(bool good, const char *what)
{
	printf("%s %u - %s\n", good ? "ok" : "not ok", ++verdicts, what);
	bad_verdicts += !good;
}

int main(int argc, char **argv)
{
	if (argc < 8) {
		fprintf(stderr,
			"usage: shared_tb WARPS SEED LANES CHAINS FLOATS RELAXED CYCLES [MUTANT]\n");
		return 2;
	}
	unsigned long warps = strtoul(argv[1], nullptr, 0), seed = strtoul(argv[2], nullptr, 0);
	bool chains = strtoul(argv[4], nullptr, 0);
	lanes_per_beat = (unsigned)strtoul(argv[3], nullptr, 0);
	float_build = strtoul(argv[5], nullptr, 0);
	relaxed_build = strtoul(argv[6], nullptr, 0);
	build_name = std::string(argv[3]) + "-" + argv[4] + "-" + argv[5] + "-" + argv[6];

	Verilated::commandArgs(argc, argv);
	start_unit(seed, argv[8]);
	printf("# seed %lu, %lu warps, %u lanes per beat\n", seed, warps, lanes_per_beat);
	verdict(check_cycles(argv[7], chains), "cycles and stalls of short streams");
	verdict(check_answers(warps, seed),
		"answers, order, groups, passes and memory of random warps");
	if (!argv[8])
		verdict(check_streams(chains) && !failures, "cycles per warp");
#if VM_COVERAGE
	VerilatedCov::write((build_name + ".dat").c_str());
#endif
	delete dut;
	printf("1..%u\n%u passed, %u failed\n", verdicts, verdicts - bad_verdicts, bad_verdicts);
	return bad_verdicts != 0;
}
