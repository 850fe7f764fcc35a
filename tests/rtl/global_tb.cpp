// SPDX-License-Identifier: Apache-2.0
//
// Atomic unit for global memory against a loop over lanes written from the specification (commands:
// LD, ST, ATOM, Floating point).
//
// usage: global_tb WARPS SEED FLOATS [COVERAGE-FILE]
//
// Random warps of loads, stores and every legal operation, of every type and mode, come in phases.
// These differ in addresses (one item, few, one line, halves of words, lines that differ in one
// address bit), in masks, lanes on sparse pages, lines that cannot be read, in latency and order of
// responses and in the side that stalls. The L2 is first a reference that does line operations one
// by one as specified; then cycles per warp of streams with a known limit are measured; then a part
// of the warps runs with faa_l2 and a memory.
//
// Compares every answer, the order of answers and of completion, errors, the numbers of line
// operations and of items of ATOMIC, and at the end all memory. FLOATS: the build has F32, F64, X2
// and Relaxed. LANES, LINE_BYTES, PORTS and SLICES: parameters of the build; the port of each line
// is checked.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "Vfaa_test_global.h"
#include "verilated.h"
#include "verilated_cov.h"

#include "l2_ref.h"
#include "line_memory.h"

#ifndef PORTS
#define PORTS  1
#define SLICES 1
#define LANES  32
#endif

/// Beats of a warp; line operations with two operands take two cycles in the smallest build.
static const unsigned kBeats = 32 / LANES;
static const bool kTurns = LANES <= 8;
// Least cycles of a line operation, and of a part of 64-bit items: with 4 lanes a stage takes the
// next one when it is empty (Late).
static const unsigned kPace = LANES == 4 ? 3 : 1, kWidePace = LANES == 4 ? 4 : 2;
// The same for one with two operands
static const unsigned kTwoPace = kPace > 1 ? kPace : kTurns ? 2 : 1;
/// A line, its words of the model's ports, and address bits within a line
static const unsigned kLine = LINE_BYTES, kWords = kLine / 4;
static const unsigned kOffset = 52 - kLineBits;

/// Returns @width bits of a port of the model, from bit @at: an integer, or words of 32 bits.
template <typename T> static uint64_t field(const T &port, unsigned at, unsigned width)
{
	uint64_t value = 0;

	if constexpr (std::is_integral_v<T>)
		value = (uint64_t)port >> at;
	else
		for (unsigned i = 0; i < width; i++)
			value |= (uint64_t)(port[(at + i) / 32] >> (at + i) % 32 & 1) << i;
	return value & (~0ull >> (64 - width));
}

template <typename T> static void set_field(T &port, unsigned at, unsigned width, uint64_t value)
{
	uint64_t ones = ~0ull >> (64 - width);

	port = (T)(((uint64_t)port & ~(ones << at)) | (value & ones) << at);
}

/// The function of a warp (faa_cu_pkg::SHARED_*), and of its line operations (faa_l2_pkg::FUNC_*).
enum Func { kLoad, kStore, kAtomic };

struct Warp {
	Func func;
	int op, type;
	bool ftz, relaxed, result;
	uint32_t mask, sparse, unknown; // unknown: lanes on lines that cannot be read
	uint64_t pa[32], b[32], c[32], expect[32];
	unsigned user;
	std::set<uint64_t> bad, reported;
};

/// Delays and stalls of both sides.
struct Weather {
	unsigned latency_min, latency_max;     // cycles from a line operation to its response
	unsigned gap, mem_stall, result_stall; // per cent of cycles
	unsigned mem_block, result_block;      // cycles of a pause, now and then
};

/// Properties of the warps of a phase.
struct Phase {
	Func func;
	int op, type, mode;
	unsigned addresses, lines, change; // change: per cent of warps with another operation
	unsigned full, sparse, want;	   // per cent
};

static std::mt19937_64 rng;
static Vfaa_test_global *dut;
static uint64_t cycle, accepted, finished, failures, line_ops, expected_line_ops, groups,
	expected_groups, errors, expected_errors, stalls[5];
static uint64_t all_ops, expected_all_ops; // with those of loads and stores; line_ops: ATOMIC alone
static bool floats, real_l2;
static std::vector<uint64_t> pool; // lines
static std::set<uint64_t> bad_lines;
static std::unordered_map<uint64_t, Line> memory, image; // of the L2; of the reference
static std::deque<Warp> inside, unanswered;
static uint64_t mem_blocked_until, result_blocked_until;

static void fail(const std::string &what, uint64_t got, uint64_t want)
{
	if (failures++ < 20)
		printf("# cycle %llu: %s: got %#llx, expected %#llx\n", (unsigned long long)cycle,
		       what.c_str(), (unsigned long long)got, (unsigned long long)want);
}

static unsigned pick(unsigned n)
{
	return (unsigned)(rng() % n);
}

static bool chance(unsigned percent)
{
	return pick(100) < percent;
}

// ----------------------------------------------------------------------------------------------------------------
// Items

/// Bytes of an item, with those types that only loads and stores have.
static unsigned size_of(int type)
{
	return type == FAA_TYPE_U8 || type == FAA_TYPE_S8 ? 1 : l2_ref::size_of(type);
}

static bool is_signed(int type)
{
	return type == FAA_TYPE_S8 || l2_ref::is_signed(type);
}

// ----------------------------------------------------------------------------------------------------------------
// The L2

static Weather weather = { 5, 30, 0, 0, 0, 0, 0 };

static uint64_t due()
{
	return cycle + weather.latency_min + pick(weather.latency_max - weather.latency_min + 1);
}

struct Response {
	uint64_t due;
	unsigned tag;
	bool err;
	Line data;
};

static std::vector<Response> responses[PORTS];
static std::set<unsigned> tags[PORTS];

static unsigned bits_of(unsigned n)
{
	return n > 1 ? 1 + bits_of(n / 2) : 0;
}

/// Documentation/l2.rst, Memory side: slices by groups of the low 24 bits, an equal share of them
/// for each port.
static unsigned port_of(uint64_t la)
{
	unsigned slice = 0, bits = bits_of(SLICES);

	for (unsigned at = 0; bits && at < 24; at += bits)
		slice ^= (la & 0xffffff) >> at & (SLICES - 1);
	return slice / (SLICES / PORTS);
}

/// One item of a line operation; the answer goes to the same place of data.
static void do_item(unsigned port, Line &line, Line &data, unsigned at, unsigned size, uint64_t b,
		    uint64_t c)
{
	int op = (int)field(dut->mem_op_o, port * 8, 8);
	int type = (int)field(dut->mem_typ_o, port * 4, 4);
	unsigned steps = 0;
	uint64_t d;

	if (op == FAA_ATOM_OP_INC || op == FAA_ATOM_OP_DEC) {
		if (c > b || (c == 0 && b > 31))
			fail("steps", c, b);
		steps = (unsigned)(c ? c : (b & 31) + 1);
	}
	put(line, at, size,
	    l2_ref::atomic(op, type, field(dut->mem_ftz_o, port, 1), get(line, at, size), b, c,
			   steps, &d));
	put(data, at, size, d);
}

/// The items of an operation ATOMIC.
static void do_items(unsigned port, Line &line, Line &data, bool err)
{
	int op = (int)field(dut->mem_op_o, port * 8, 8);
	int type = (int)field(dut->mem_typ_o, port * 4, 4);
	unsigned size = l2_ref::size_of(type);
	uint64_t strb = field(dut->mem_strb_o, port * kLine, kLine), ones = (1ull << size) - 1;
	Line b, c;

	memcpy(b.b, &dut->mem_b_o[kWords * port], kLine);
	memcpy(c.b, &dut->mem_c_o[kWords * port], kLine);
	if (!l2_ref::is_legal(op, type))
		fail("operation and type", (uint64_t)op, (uint64_t)type);
	for (unsigned at = 0; at < kLine; at += size) {
		uint64_t here = strb >> at & ones;
		if (here && here != ones)
			fail("part of an item", strb, at);
		if (here && !err)
			do_item(port, line, data, at, size, get(b, at, size), get(c, at, size));
	}
}

static void do_line_op(unsigned port)
{
	Func func = (Func)field(dut->mem_func_o, port * 3, 3);
	uint64_t strb = field(dut->mem_strb_o, port * kLine, kLine);
	uint64_t la = field(dut->mem_line_o, port * kLineBits, kLineBits);
	Line b;
	Response response = {
		due(), (unsigned)field(dut->mem_tag_o, port * 8, 8), bad_lines.count(la) != 0, {}
	};

	if (port != port_of(la))
		fail("port of a line", port, port_of(la));
	if (!tags[port].insert(response.tag).second)
		fail("a tag that is in use", response.tag, 0);
	Line &line = line_of(memory, la);
	response.data = line;
	memcpy(b.b, &dut->mem_b_o[kWords * port], kLine);
	if (func == kAtomic)
		do_items(port, line, response.data, response.err);
	else if (func == kStore && !response.err)
		for (unsigned i = 0; i < kLine; i++)
			line.b[i] = strb >> i & 1 ? b.b[i] : line.b[i];
	else if (func > kAtomic)
		fail("function", (uint64_t)func, 0);
	if (func != kAtomic && field(dut->mem_want_o, port, 1) != (func == kLoad))
		fail("an answer is wanted, function", (uint64_t)func, 0);
	if (!field(dut->mem_want_o, port, 1) || response.err)
		memset(response.data.b, 0, kLine);
	expected_errors += response.err;
	responses[port].push_back(response);
}

static void offer_response(unsigned port)
{
	std::vector<Response> &queue = responses[port];

	set_field(dut->mem_rsp_valid_i, port, 1, 0);
	for (unsigned tries = 0; tries < 4 && !queue.empty(); tries++) {
		// The oldest one first if all have the same latency
		size_t n = weather.latency_min == weather.latency_max ?
				   0 :
				   pick((unsigned)queue.size());
		if (queue[n].due > cycle)
			continue;
		set_field(dut->mem_rsp_valid_i, port, 1, 1);
		set_field(dut->mem_rsp_tag_i, port * 8, 8, queue[n].tag);
		set_field(dut->mem_rsp_err_i, port, 1, queue[n].err);
		memcpy(&dut->mem_rsp_data_i[kWords * port], queue[n].data.b, kLine);
		tags[port].erase(queue[n].tag);
		queue.erase(queue.begin() + (long)n);
		return;
	}
}

/// Ports are taken, or not, one by one; all wait in a pause.
static void drive_reference()
{
	if (weather.mem_block && cycle >= mem_blocked_until && pick(weather.mem_block * 8) == 0)
		mem_blocked_until = cycle + weather.mem_block;
	for (unsigned port = 0; port < PORTS; port++) {
		set_field(dut->mem_ready_i, port, 1,
			  cycle >= mem_blocked_until && !chance(weather.mem_stall));
		offer_response(port);
	}
}

static void sample_reference()
{
	unsigned taken = 0;

	for (unsigned port = 0; port < PORTS; port++) {
		if (!field(dut->mem_valid_o, port, 1) || !field(dut->mem_ready_i, port, 1))
			continue;
		all_ops++;
		taken += field(dut->mem_func_o, port * 3, 3) == kAtomic;
		do_line_op(port);
	}
	if (dut->ev_lines_o != taken)
		fail("event of line operations", dut->ev_lines_o, taken);
}

struct Access {
	uint64_t due;
	unsigned tag;
	bool err;
	Line data;
};

static std::vector<Access> reads[PORTS], writes[PORTS];

static Access *next_of(std::vector<Access> &queue)
{
	for (Access &access : queue)
		if (access.due <= cycle)
			return &access;
	return nullptr;
}

static void drive_slice(unsigned n)
{
	Access *read = next_of(reads[n]), *write = next_of(writes[n]);

	set_field(dut->mem_rd_ready_i, n, 1, !chance(weather.mem_stall));
	set_field(dut->mem_wr_ready_i, n, 1, !chance(weather.mem_stall));
	set_field(dut->mem_rd_rsp_valid_i, n, 1, read != nullptr);
	set_field(dut->mem_wr_rsp_valid_i, n, 1, write != nullptr);
	set_field(dut->mem_wr_rsp_err_i, n, 1, 0);
	if (read) {
		set_field(dut->mem_rd_rsp_tag_i, n * 4, 4, read->tag);
		set_field(dut->mem_rd_rsp_err_i, n, 1, read->err);
		memcpy(&dut->mem_rd_rsp_data_i[kWords * n], read->data.b, kLine);
		reads[n].erase(reads[n].begin() + (read - reads[n].data()));
	}
	if (write) {
		set_field(dut->mem_wr_rsp_tag_i, n * 4, 4, write->tag);
		writes[n].erase(writes[n].begin() + (write - writes[n].data()));
	}
}

static void drive_memory()
{
	if (!real_l2) {
		drive_reference();
		return;
	}
	for (unsigned n = 0; n < PORTS; n++)
		drive_slice(n);
}

static void sample_slice(unsigned n)
{
	if (field(dut->mem_rd_valid_o, n, 1) && field(dut->mem_rd_ready_i, n, 1)) {
		uint64_t la = field(dut->mem_rd_addr_o, n * kLineBits, kLineBits);
		reads[n].push_back({ due(), (unsigned)field(dut->mem_rd_tag_o, n * 4, 4),
				     bad_lines.count(la) != 0, line_of(memory, la) });
	}
	if (field(dut->mem_wr_valid_o, n, 1) && field(dut->mem_wr_ready_i, n, 1)) {
		Line &line = line_of(memory, field(dut->mem_wr_addr_o, n * kLineBits, kLineBits));
		uint64_t strb = field(dut->mem_wr_strb_o, n * kLine, kLine);
		for (unsigned i = 0; i < kLine; i++)
			if (strb >> i & 1)
				line.b[i] = reinterpret_cast<uint8_t *>(
					&dut->mem_wr_data_o[kWords * n])[i];
		writes[n].push_back(
			{ due(), (unsigned)field(dut->mem_wr_tag_o, n * 4, 4), false, {} });
	}
}

static void sample_memory()
{
	if (!real_l2) {
		sample_reference();
		return;
	}
	for (unsigned n = 0; n < PORTS; n++)
		sample_slice(n);
}

static void tick();

/// With an idle unit.
static void flush()
{
	dut->flush_i = 1;
	for (unsigned n = 0; n < 100000 && !dut->flush_done_o; n++)
		tick();
	if (!dut->flush_done_o)
		fail("the L2 is flushed", 0, 1);
	tick();
	dut->flush_i = 0;
	tick();
}

// ----------------------------------------------------------------------------------------------------------------
// The specification

static uint64_t extended(int type, uint64_t x)
{
	unsigned bits = size_of(type) * 8;

	if (bits < 64 && is_signed(type) && x >> (bits - 1) & 1)
		x |= ~0ull << bits;
	return x;
}

/// ADD on F32 with RELAXED, with 32 lanes: the lanes of each word are summed first.
static void relaxed_sums(Warp &w)
{
	std::map<uint64_t, std::vector<unsigned>> words;

	for (unsigned l = 0; l < 32; l++)
		if ((w.mask & ~w.sparse & ~w.unknown) >> l & 1)
			words[w.pa[l]].push_back(l);
	for (auto &word : words) {
		Line &line = line_of(image, word.first >> kOffset);
		uint64_t m = get(line, word.first & (kLine - 1), 4), sum = 0;
		for (size_t i = 0; i < word.second.size(); i++) {
			unsigned l = word.second[i];
			uint64_t x = w.b[l] & 0xffffffff;
			w.expect[l] = i ? float_ref::add(float_ref::f32, m, sum, w.ftz) : m;
			sum = i ? float_ref::add(float_ref::f32, sum, x, w.ftz) : x;
		}
		put(line, word.first & (kLine - 1), 4,
		    float_ref::add(float_ref::f32, m, sum, w.ftz));
	}
}

/// Effect and answer of a lane on readable memory, after the sums.
static void do_lane(Warp &w, unsigned l, unsigned size)
{
	Line &line = line_of(image, w.pa[l] >> kOffset);
	uint64_t ones = ~0ull >> (64 - size * 8), m = get(line, w.pa[l] & (kLine - 1), size), d = m;

	if (w.func == kStore)
		put(line, w.pa[l] & (kLine - 1), size, w.b[l] & ones);
	else if (w.func == kAtomic)
		put(line, w.pa[l] & (kLine - 1), size,
		    l2_ref::atomic(w.op, w.type, w.ftz, m, w.b[l] & ones, w.c[l] & ones, 1, &d));
	w.expect[l] = extended(w.type, d);
}

/// Effect and answers of a warp, lane by lane.
static void do_warp(Warp &w)
{
	unsigned size = size_of(w.type);
	uint64_t ones = ~0ull >> (64 - size * 8), d;
	bool sums = w.func == kAtomic && w.relaxed && w.type == FAA_TYPE_F32 &&
		    w.op == FAA_ATOM_OP_ADD && LANES == 32;

	for (unsigned l = 0; l < 32; l++) {
		w.expect[l] = 0;
		if (!(w.mask >> l & 1))
			continue;
		if (w.sparse >> l & 1 && w.func != kAtomic) {
			w.expect[l] = 0;
		} else if (w.sparse >> l & 1) {
			l2_ref::atomic(w.op, w.type, w.ftz, 0, w.b[l] & ones, w.c[l] & ones, 1, &d);
			w.expect[l] = extended(w.type, d);
		} else if (bad_lines.count(w.pa[l] >> kOffset)) {
			w.unknown |= 1u << l;
			w.bad.insert(w.pa[l] >> kOffset);
		} else if (!sums) {
			do_lane(w, l, size);
		}
	}
	if (sums)
		relaxed_sums(w);
}

/// Operations whose lanes on one item are combined (Documentation/global.rst).
static bool joins(const Warp &w, unsigned older, unsigned lane)
{
	bool word = w.type == FAA_TYPE_U32 || w.type == FAA_TYPE_S32;

	if (w.func != kAtomic)
		return true;
	switch (w.op) {
	case FAA_ATOM_OP_INC:
	case FAA_ATOM_OP_DEC:
		return word && (uint32_t)w.b[older] == (uint32_t)w.b[lane];
	case FAA_ATOM_OP_CAS:
	case FAA_ATOM_OP_CAST:
	case FAA_ATOM_OP_FCMPWR:
		return false;
	case FAA_ATOM_OP_ADD:
		return word || (w.type == FAA_TYPE_F32 && w.relaxed && LANES == 32);
	case FAA_ATOM_OP_MIN:
	case FAA_ATOM_OP_MAX:
		return word || w.type == FAA_TYPE_F32;
	default:
		return word;
	}
}

/// Counts line operations and groups of a beat of the warp, from lane @begin. Returns the number of
/// operations of the busiest port.
static unsigned count_beat(const Warp &w, unsigned begin)
{
	unsigned of_port[PORTS] = {};
	std::map<uint64_t, unsigned> number; // of groups, per item
	std::map<uint64_t, unsigned> last;   // lane of the item
	std::map<uint64_t, unsigned> steps;  // per line

	for (unsigned l = begin; l < begin + LANES; l++) {
		if (!((w.mask & ~w.sparse) >> l & 1))
			continue;
		uint64_t item = w.pa[l];
		if (!last.count(item) || !joins(w, last[item], l)) {
			expected_groups += w.func == kAtomic;
			unsigned n = ++number[item];
			steps[item >> kOffset] = std::max(steps[item >> kOffset], n);
		}
		last[item] = l;
	}
	for (auto &line : steps) {
		expected_all_ops += line.second;
		expected_line_ops += w.func == kAtomic ? line.second : 0;
		of_port[port_of(line.first)] += line.second;
	}
	return *std::max_element(of_port, of_port + PORTS);
}

static unsigned count_warp(const Warp &w)
{
	unsigned busiest = 0;

	for (unsigned begin = 0; begin < 32; begin += LANES)
		busiest += count_beat(w, begin);
	return busiest;
}

// ----------------------------------------------------------------------------------------------------------------
// Warps

static const int kTypes[] = { FAA_TYPE_U16,   FAA_TYPE_S16, FAA_TYPE_U32,   FAA_TYPE_S32,
			      FAA_TYPE_U64,   FAA_TYPE_S64, FAA_TYPE_F16,   FAA_TYPE_F32,
			      FAA_TYPE_F16X2, FAA_TYPE_F64, FAA_TYPE_BF16X2 };

static void pick_operation(int *op, int *type, int *mode)
{
	do {
		*op = (int)pick(17);
		*type = kTypes[pick(sizeof(kTypes) / sizeof(kTypes[0]))];
		// Only 32-bit operations are combined.
		if (chance(40))
			*type = floats && chance(30) ? FAA_TYPE_F32 :
				chance(50)	     ? FAA_TYPE_U32 :
						       FAA_TYPE_S32;
	} while (!l2_ref::is_legal(*op, *type) || (!floats && l2_ref::is_float(*type)));
	*mode = 0;
	if (l2_ref::is_float(*type)) {
		*mode |= (int)pick(2);
		if (*op == FAA_ATOM_OP_ADD && chance(60))
			*mode |= FAA_FLOAT_MODE_RELAXED;
	}
}

/// A third of the requests are loads and stores.
static void pick_access(Phase &phase)
{
	static const int types[] = { FAA_TYPE_U8,  FAA_TYPE_U16, FAA_TYPE_U32,
				     FAA_TYPE_U64, FAA_TYPE_S8,	 FAA_TYPE_S16 };

	phase.func = chance(66) ? kAtomic : chance(50) ? kLoad : kStore;
	if (phase.func == kAtomic) {
		pick_operation(&phase.op, &phase.type, &phase.mode);
		return;
	}
	phase.op = FAA_ATOM_OP_ADD;
	phase.type = types[pick(phase.func == kLoad ? 6 : 4)];
	phase.mode = 0;
}

static uint64_t operand(int op, int type)
{
	uint64_t x = rng();

	if (l2_ref::is_float(type)) {
		const float_ref::Format &f = l2_ref::format_of(type);
		uint64_t a = x, b = x;
		if (chance(60)) {
			float_ref::random_terms(f, rng, &a, &b);
			if (type == FAA_TYPE_F16X2 || type == FAA_TYPE_BF16X2)
				a |= b << 16;
		}
		// Sums that neither overflow nor absorb each other
		if (type == FAA_TYPE_F32 && op == FAA_ATOM_OP_ADD && chance(70))
			a = 0x3f000000 | (x & 0x81ffffff);
		return (a & (~0ull >> (64 - 8 * l2_ref::size_of(type)))) |
		       (chance(50) ? 0 : x << 32 << (type == FAA_TYPE_F64 ? 31 : 0));
	}
	if (op == FAA_ATOM_OP_INC || op == FAA_ATOM_OP_DEC)
		return chance(50) ? 3 : chance(70) ? pick(40) : x;
	if (op == FAA_ATOM_OP_CAS || op == FAA_ATOM_OP_CAST)
		return chance(90) ? pick(3) | (chance(30) ? x << 32 << 31 : 0) : x;
	return chance(50) ? x : x & 7;
}

/// Addresses of the lanes of a warp: kinds of streams.
static uint64_t address(const Phase &phase, unsigned l, unsigned size, uint64_t base)
{
	uint64_t line = pool[(base + pick(phase.lines)) % pool.size()];

	switch (phase.addresses) {
	case 0: // one item
		return pool[base % pool.size()] << kOffset | (base >> 20) % (kLine / size) * size;
	case 1: // few items of few lines
		return line << kOffset | pick(4) % (kLine / size) * size;
	case 2: // contiguous, the lines one after the other
		return pool[(base + l * size / kLine) % pool.size()] << kOffset | l * size % kLine;
	case 3: // contiguous, backwards
		return pool[(base + (31 - l) * size / kLine) % pool.size()] << kOffset |
		       (31 - l) * size % kLine;
	case 4: // two items, taking turns in runs
		return pool[base % pool.size()] << kOffset |
		       (l / 3 % 2 ? kLine - size : (base >> 20) % (kLine / size) * size);
	default:
		return line << kOffset | pick(kLine / size) * size;
	}
}

static Warp make_warp(Phase &phase)
{
	Warp w = {};
	uint64_t base = rng();
	unsigned size;

	if (chance(phase.change))
		pick_access(phase);
	w.func = phase.func;
	w.op = phase.op;
	w.type = phase.type;
	w.ftz = phase.mode & FAA_FLOAT_MODE_FTZ;
	w.relaxed = phase.mode & FAA_FLOAT_MODE_RELAXED;
	w.result = w.func == kLoad || (w.func == kAtomic && chance(phase.want));
	size = size_of(w.type);
	// Warps of one item stay on few items.
	if (phase.addresses == 0 || phase.addresses == 4)
		base = hash(base % 3);
	w.mask = chance(phase.full) ? ~0u : (uint32_t)(rng() & (chance(50) ? rng() : ~0u));
	if (!w.mask)
		w.mask = 1u << pick(32);
	for (unsigned l = 0; l < 32; l++) {
		w.pa[l] = address(phase, l, size, base);
		w.b[l] = operand(w.op, w.type);
		w.c[l] = operand(w.op, w.type);
		if ((w.mask >> l & 1) && chance(phase.sparse))
			w.sparse |= 1u << l;
		// Values of inactive lanes do not matter.
		if (!(w.mask >> l & 1) && chance(50))
			w.pa[l] = rng() >> 12;
	}
	return w;
}

static void offer(const Warp &w)
{
	dut->warp_valid_i = 1;
	dut->warp_mask_i = w.mask;
	dut->warp_sparse_i = w.sparse;
	dut->warp_func_i = (unsigned char)w.func;
	dut->warp_op_i = (unsigned char)w.op;
	dut->warp_typ_i = (unsigned char)w.type;
	dut->warp_mod_i = (unsigned char)((w.ftz ? FAA_FLOAT_MODE_FTZ : 0) |
					  (w.relaxed ? FAA_FLOAT_MODE_RELAXED : 0));
	dut->warp_result_i = w.result;
	dut->warp_user_i = (unsigned short)w.user;
	memset(&dut->warp_pa_i[0], 0, 52 * 4);
	for (unsigned l = 0; l < 32; l++) {
		unsigned at = l * 52;
		dut->warp_pa_i[at / 32] |= (uint32_t)(w.pa[l] << at % 32);
		dut->warp_pa_i[at / 32 + 1] |= (uint32_t)(w.pa[l] >> (32 - at % 32));
		if (at % 32 > 12)
			dut->warp_pa_i[at / 32 + 2] |= (uint32_t)(w.pa[l] >> (64 - at % 32));
		memcpy(&dut->warp_b_i[l * 2], &w.b[l], 8);
		memcpy(&dut->warp_c_i[l * 2], &w.c[l], 8);
	}
}

// ----------------------------------------------------------------------------------------------------------------
// One cycle

static std::deque<uint64_t> done_at;
static bool keep_times;

static void take_result()
{
	uint64_t got;

	if (unanswered.empty()) {
		fail("an answer of no warp", dut->result_user_o, 0);
		return;
	}
	const Warp &w = unanswered.front();
	if (dut->result_user_o != w.user)
		fail("user of an answer", dut->result_user_o, w.user);
	for (unsigned l = 0; l < 32; l++) {
		memcpy(&got, &dut->result_o[l * 2], 8);
		if (!(w.unknown >> l & 1) && got != w.expect[l])
			fail("answer of lane " + std::to_string(l) + ", operation " +
				     std::to_string(w.op) + ", type " + std::to_string(w.type) +
				     ", warp " + std::to_string(w.user),
			     got, w.expect[l]);
	}
	unanswered.pop_front();
}

static void take_error()
{
	errors++;
	for (Warp &w : inside) {
		if (w.user != dut->error_user_o)
			continue;
		if (!w.bad.count(dut->error_address_o))
			fail("address of an error", dut->error_address_o,
			     w.bad.empty() ? 0 : *w.bad.begin());
		w.reported.insert(dut->error_address_o);
		return;
	}
	fail("an error of no warp", dut->error_user_o, 0);
}

static void take_done()
{
	if (inside.empty()) {
		fail("a warp is done that is not inside", dut->done_user_o, 0);
		return;
	}
	const Warp &w = inside.front();
	if (dut->done_user_o != w.user)
		fail("user of a done warp", dut->done_user_o, w.user);
	if (w.reported != w.bad)
		fail("lines reported before the warp is done", w.reported.size(), w.bad.size());
	if (w.result && !unanswered.empty() && unanswered.front().user == w.user &&
	    !(dut->result_valid_o && dut->result_ready_i))
		fail("done before its answer is taken", w.user, 0);
	inside.pop_front();
	finished++;
	if (keep_times)
		done_at.push_back(cycle);
}

static bool warp_taken;
static uint64_t taken_at, sent_at, answered_at; // the last ones

static void tick()
{
	drive_memory();
	if (weather.result_block && cycle >= result_blocked_until &&
	    pick(weather.result_block * 8) == 0)
		result_blocked_until = cycle + weather.result_block;
	dut->result_ready_i = cycle >= result_blocked_until && !chance(weather.result_stall);
	dut->eval();
	warp_taken = dut->warp_valid_i && dut->warp_ready_o;
	if (dut->idle_o && !inside.empty())
		fail("idle", 1, 0);
	sample_memory();
	if (warp_taken)
		taken_at = cycle;
	if (dut->ev_lines_o)
		sent_at = cycle;
	if (dut->result_valid_o)
		answered_at = cycle;
	line_ops += dut->ev_lines_o;
	groups += dut->ev_groups_o;
	stalls[0] += dut->ev_stall_lines_o;
	stalls[1] += dut->ev_stall_memory_o;
	stalls[2] += dut->ev_stall_tag_o;
	stalls[3] += dut->ev_stall_mode_o;
	stalls[4] += dut->ev_stall_result_o;
	if (dut->error_valid_o)
		take_error();
	if (dut->done_valid_o)
		take_done();
	if (dut->result_valid_o && dut->result_ready_i)
		take_result();
	dut->clk_i = 1;
	dut->eval();
	dut->clk_i = 0;
	cycle++;
}

/// Runs one warp into the unit.
static void run_warp(Warp &w)
{
	while (chance(weather.gap))
		tick();
	w.user = (unsigned)(accepted++ & 0xffff);
	do_warp(w);
	count_warp(w);
	offer(w);
	for (unsigned n = 0;; n++) {
		tick();
		if (warp_taken)
			break;
		if (n > 100000) {
			fail("a warp is taken", 0, 1);
			exit(1);
		}
	}
	dut->warp_valid_i = 0;
	inside.push_back(w);
	if (w.result)
		unanswered.push_back(w);
}

static void drain()
{
	for (unsigned n = 0; !inside.empty() || !unanswered.empty(); n++) {
		tick();
		if (n > 100000) {
			fail("all warps are done", inside.size(), 0);
			exit(1);
		}
	}
	tick();
	if (!dut->idle_o)
		fail("idle after the last warp", 0, 1);
}

static void compare_memory()
{
	for (auto &pair : image) {
		Line &line = line_of(memory, pair.first);
		for (unsigned i = 0; i < kLine; i++)
			if (line.b[i] != pair.second.b[i])
				fail("byte " + std::to_string(i) + " of a line", line.b[i],
				     pair.second.b[i]);
	}
}

/// Lines that differ in one bit, or in few.
static void fill_pool(unsigned lines)
{
	uint64_t base = rng() & ((1ull << kLineBits) - 1);

	pool.clear();
	bad_lines.clear();
	for (unsigned n = 0; n < lines; n++)
		pool.push_back(n < kLineBits ? base ^ 1ull << n :
					       base ^ (1ull << pick(kLineBits)) ^
						       (1ull << pick(kLineBits)));
}

/// A slice does not read a line that a store writes whole (Documentation/l2.rst), so it cannot
/// detect that the line is unreadable: such a store leaves out byte 0 of the line.
static void spare_unreadable(Warp &w)
{
	for (uint64_t line : bad_lines) {
		uint32_t first = 0;
		uint64_t strb = 0;

		for (unsigned l = 0; l < 32; l++) {
			if (!(w.mask >> l & 1) || w.pa[l] >> kOffset != line)
				continue;
			strb |= ((1ull << size_of(w.type)) - 1) << (w.pa[l] & (kLine - 1));
			first |= (uint32_t) !(w.pa[l] & (kLine - 1)) << l;
		}
		if (strb == (~0ull >> (64 - kLine)))
			w.mask &= ~first;
	}
	w.sparse &= w.mask;
}

static void random_phase(unsigned warps)
{
	static const Weather weathers[] = {
		{ 4, 4, 0, 0, 0, 0, 0 },     { 5, 40, 20, 20, 20, 0, 0 },
		{ 1, 200, 0, 0, 0, 0, 0 },   { 10, 60, 0, 60, 0, 0, 0 },
		{ 10, 20, 0, 0, 70, 0, 0 },  { 5, 10, 0, 0, 0, 500, 0 },
		{ 350, 350, 0, 0, 0, 0, 0 }, { 5, 30, 0, 0, 0, 0, 300 },
		{ 5, 30, 60, 0, 0, 0, 0 },
	};
	static const unsigned wants[] = { 0, 2, 50, 100, 100 }, sparses[] = { 0, 0, 0, 5, 50, 98 };
	Phase phase = {};

	weather = weathers[pick(sizeof(weathers) / sizeof(weathers[0]))];
	phase.addresses = pick(7);
	phase.lines = 1 + pick(chance(50) ? 3 : 60);
	phase.change = chance(50) ? 0 : chance(50) ? 5 : 60;
	phase.full = chance(60) ? 90 : 20;
	phase.sparse = sparses[pick(6)];
	phase.want = wants[pick(5)];
	pick_access(phase);
	if (pool.empty() || chance(30))
		fill_pool(60);
	if (chance(10)) {
		drain();
		// Lines in the slice are not read again.
		if (real_l2)
			flush();
		for (unsigned n = chance(50) ? 1 : 20; n; n--)
			bad_lines.insert(pool[pick(60)]);
	}
	for (unsigned n = 0; n < warps; n++) {
		Warp w = make_warp(phase);
		if (real_l2 && w.func == kStore)
			spare_unreadable(w);
		run_warp(w);
	}
	if (chance(50) || !bad_lines.empty()) {
		drain();
		bad_lines.clear();
	}
}

// ----------------------------------------------------------------------------------------------------------------
// Cycles per warp

/// Runs warps of a stream that never stalls; returns cycles per warp, from the first to the last
/// one done.
static void timed(const char *name, unsigned warps, unsigned latency, double limit, bool exact,
		  const std::function<Warp(unsigned)> &make)
{
	drain();
	weather = { latency, latency, 0, 0, 0, 0, 0 };
	keep_times = true;
	done_at.clear();
	for (unsigned n = 0; n < warps; n++) {
		Warp w = make(n);
		run_warp(w);
	}
	drain();
	keep_times = false;
	double got = (double)(done_at.back() - done_at.front()) / (warps - 1);
	bool ok = exact ? got == limit : got <= limit;
	printf("# %-58s %8.3f cycles/warp, limit %.3f%s\n", name, got, limit,
	       ok ? "" : " (too many)");
	failures += !ok;
}

static Warp stream(int op, int type, bool result,
		   const std::function<uint64_t(unsigned)> &address_of)
{
	Warp w = {};

	w.func = kAtomic;
	w.op = op;
	w.type = type;
	w.result = result;
	w.mask = ~0u;
	for (unsigned l = 0; l < 32; l++) {
		w.pa[l] = address_of(l);
		w.b[l] = type == FAA_TYPE_F32 ? 0x3f800000 : op == FAA_ATOM_OP_INC ? 1000 : 1;
		w.c[l] = 2;
	}
	return w;
}

/// Warps of loads, or of stores.
static Warp access(Func func, int type, const std::function<uint64_t(unsigned)> &address_of)
{
	Warp w = stream(FAA_ATOM_OP_ADD, type, func == kLoad, address_of);

	w.func = func;
	return w;
}

/// Line operations per warp of a stream except the first one, of the busiest port of each part.
static double busiest(unsigned warps, const std::function<Warp(unsigned)> &make)
{
	const uint64_t all = expected_all_ops, lines = expected_line_ops, items = expected_groups;
	double count = 0;

	for (unsigned n = 1; n < warps; n++)
		count += count_warp(make(n));
	expected_all_ops = all;
	expected_line_ops = lines;
	expected_groups = items;
	return count / (warps - 1);
}

/// Cycles of one warp alone: entry to line operation, response to done or to its answers.
static void latencies(const char *name, Warp w, uint64_t to_send, uint64_t to_finish)
{
	drain();
	mem_blocked_until = result_blocked_until = 0;
	weather = { 20, 20, 0, 0, 0, 0, 0 };
	keep_times = true;
	done_at.clear();
	run_warp(w);
	drain();
	keep_times = false;
	uint64_t finish = (w.result ? answered_at : done_at.back()) - sent_at - 20;
	printf("# %s: sent after %llu cycles, finished %llu cycles after the response\n", name,
	       (unsigned long long)(sent_at - taken_at), (unsigned long long)finish);
	if (sent_at - taken_at != to_send || finish != to_finish)
		fail(std::string("latency: ") + name, (sent_at - taken_at) << 16 | finish,
		     to_send << 16 | to_finish);
}

/// Sends more warps than fit before stage T, while the L2 takes nothing.
static void fill(Warp w)
{
	drain();
	mem_blocked_until = cycle + 400;
	for (unsigned n = 0; n < 200; n++)
		run_warp(w);
	drain();
}

/// Cycles per warp with this number of line operations for the busiest port, at least one in each
/// beat; wide: of 64-bit items, whose halves are beats of their own.
static double at_best(double operations, bool wide)
{
	return std::max(kPace * std::max(operations, (double)kBeats),
			(double)kBeats * (wide ? kWidePace : 1));
}

/// Line operations of 32 contiguous items for the busiest port.
static double contiguous(unsigned bytes, bool together)
{
	double lines = bytes * 32.0 / kLine;

	return at_best(together ? std::max(lines, (double)kBeats) : lines / PORTS, bytes == 8);
}

/// Loads and stores alone, and together with atomic operations on the same lines.
static void accesses_timed(bool together)
{
	auto hot = [](unsigned) { return 0x1000ull; };
	struct {
		Func func;
		const char *name;
	} kinds[] = { { kLoad, "LD" }, { kStore, "ST" } };

	for (auto &kind : kinds) {
		auto accesses = [&](int type, unsigned bytes, unsigned n) {
			return access(kind.func, type,
				      [=](unsigned l) { return (n * 32ull + l) * bytes; });
		};
		std::string name = kind.name;
		timed((name + ", one word").c_str(), 1000, 20, at_best(1, false), true,
		      [&](unsigned) { return access(kind.func, FAA_TYPE_U32, hot); });
		timed((name + ", one U64").c_str(), 1000, 20, at_best(1, true), true,
		      [&](unsigned) { return access(kind.func, FAA_TYPE_U64, hot); });
		timed((name + ", 32 contiguous U8").c_str(), 1000, 20, contiguous(1, together),
		      !together || PORTS == 1,
		      [&](unsigned n) { return accesses(FAA_TYPE_U8, 1, n); });
		timed((name + ", 32 contiguous U32").c_str(), 1000, 20, contiguous(4, together),
		      true, [&](unsigned n) { return accesses(FAA_TYPE_U32, 4, n); });
		timed((name + ", 32 contiguous U64").c_str(), 500, 20, contiguous(8, PORTS == 1),
		      true, [&](unsigned n) { return accesses(FAA_TYPE_U64, 8, n); });
	}
	timed("LD, ST, ADD in turn, 32 contiguous U32", 999, 20, contiguous(4, together), false,
	      [&](unsigned n) {
		      auto at = [=](unsigned l) { return (n / 3 * 32ull + l) * 4; };
		      return n % 3 == 2 ? stream(FAA_ATOM_OP_ADD, FAA_TYPE_U32, false, at) :
					  access(n % 3 ? kStore : kLoad, FAA_TYPE_U32, at);
	      });
}

/// Lanes that are combined in each beat.
static void combined_timed()
{
	auto hot = [](unsigned) { return 0x1000ull; };
	const double best = at_best(1, false);

	timed("one word, ADD on U32", 1000, 20, best, true,
	      [&](unsigned) { return stream(FAA_ATOM_OP_ADD, FAA_TYPE_U32, false, hot); });
	for (int op :
	     { FAA_ATOM_OP_ADD, FAA_ATOM_OP_SUB, FAA_ATOM_OP_MIN, FAA_ATOM_OP_MAX, FAA_ATOM_OP_AND,
	       FAA_ATOM_OP_OR, FAA_ATOM_OP_XOR, FAA_ATOM_OP_EXCH, FAA_ATOM_OP_INC, FAA_ATOM_OP_DEC,
	       FAA_ATOM_OP_INCU, FAA_ATOM_OP_DECU, FAA_ATOM_OP_PREDEC }) {
		bool two = op == FAA_ATOM_OP_INC || op == FAA_ATOM_OP_DEC;
		timed(("one word, with answers, U32, operation " + std::to_string(op)).c_str(),
		      1000, 20, two ? kTwoPace * kBeats : best, true,
		      [&](unsigned) { return stream(op, FAA_TYPE_U32, true, hot); });
	}
	timed("one word, with answers, ADD on U32, 100 cycles latency", 1000, 100, best, true,
	      [&](unsigned) { return stream(FAA_ATOM_OP_ADD, FAA_TYPE_U32, true, hot); });
	timed("one word, with answers, MIN on F32", 1000, 20, best, true,
	      [&](unsigned) { return stream(FAA_ATOM_OP_MIN, FAA_TYPE_F32, true, hot); });
	timed("one word, with answers, relaxed ADD on F32", LANES == 32 ? 1000 : 200, 20,
	      LANES == 32 ? 1 : kPace * 32, true, [&](unsigned) {
		      Warp sum = stream(FAA_ATOM_OP_ADD, FAA_TYPE_F32, true, hot);
		      sum.relaxed = true;
		      return sum;
	      });
}

/// Warps that are spread over ports at random: a part takes as long as its busiest port has
/// operations, since answers are put together part by part. With 32 lanes the limits are not above
/// the former ones.
static void spread_timed()
{
	auto lines = [](unsigned n) {
		return stream(FAA_ATOM_OP_XOR, FAA_TYPE_U64, true, [&](unsigned l) {
			return (hash(n * 32 + l) << 6) & ((1ull << 52) - 1);
		});
	};
	auto cells = [](unsigned n) {
		return stream(FAA_ATOM_OP_ADD, FAA_TYPE_F32, false,
			      [&](unsigned l) { return 0x10000 + hash(n * 32 + l) % 100 * 4; });
	};
	double limit = kPace * busiest(200, lines),
	       cell_limit = kPace * busiest(1000, cells) + 0.01;

	if (LANES == 32) {
		limit = std::min(limit, PORTS == 1 ? 32 : PORTS == 2 ? 19 : 11.5);
		cell_limit = std::min(cell_limit, PORTS == 1 ? 10.5 : PORTS == 2 ? 6.4 : 3.9);
	}
	timed("32 lines, with answers, 200 cycles latency", 200, 200, limit, PORTS == 1, lines);
	timed("100 cells, strict ADD on F32", 1000, 20, cell_limit, false, cells);
}

static void all_timed()
{
	auto hot = [](unsigned) { return 0x1000ull; };
	// Levels of the sort, and the scan, in cycles
	const unsigned bits = bits_of(LANES), levels = bits * (bits + 1) / 2;
	// With a pace of 3 cycles beats come apart, so the last one of a warp is later; answers
	// come every other cycle, beginning when the warp is done.
	const bool slow = kPace > 1;
	const unsigned to_send =
		15 + levels + 2 * bits + (slow ? 1 + (kPace - 1) * (kBeats - 1) : 0);
	const unsigned to_answer = 13 + (levels + 1) / 2 + (slow ? 6 : 0);

	Warp sum = stream(FAA_ATOM_OP_ADD, FAA_TYPE_F32, true, hot);

	sum.relaxed = true;
	latencies("a warp alone", stream(FAA_ATOM_OP_ADD, FAA_TYPE_U32, false, hot), to_send,
		  slow ? 7 : 4);
	latencies("with answers", stream(FAA_ATOM_OP_ADD, FAA_TYPE_U32, true, hot), to_send,
		  to_answer);
	if (LANES == 32)
		latencies("relaxed sums", sum, to_send + 66, to_answer);
	fill(sum);
	combined_timed();
	// Neighbouring lines belong to one port if it has several slices
	const bool together = PORTS == 1 || SLICES > PORTS;
	timed("32 contiguous U32, with answers", 1000, 20, contiguous(4, together), true,
	      [&](unsigned n) {
		      return stream(FAA_ATOM_OP_ADD, FAA_TYPE_U32, true,
				    [&](unsigned l) { return n * 128ull + l * 4; });
	      });
	accesses_timed(together);
	// Answers of 128 parts of warps may be in flight, which takes 6 cycles more than the L2.
	const double far = kBeats * 206 / 128.0, near = contiguous(4, together);
	timed("32 contiguous U32, with answers, 200 cycles latency", 1000, 200, std::max(far, near),
	      near > far, [&](unsigned n) {
		      return stream(FAA_ATOM_OP_ADD, FAA_TYPE_U32, true,
				    [&](unsigned l) { return n * 128ull + l * 4; });
	      });
	timed("32 contiguous U16", 1000, 20, contiguous(2, together), true, [&](unsigned n) {
		return stream(FAA_ATOM_OP_ADD, FAA_TYPE_U16, true,
			      [&](unsigned l) { return n * 64ull + l * 2; });
	});
	timed("32 contiguous U64, CAS", 500, 20,
	      std::max(contiguous(8, PORTS == 1), kTurns ? 2 * 256.0 / kLine : 0), true,
	      [&](unsigned n) {
		      return stream(FAA_ATOM_OP_CAS, FAA_TYPE_U64, true,
				    [&](unsigned l) { return n * 256ull + l * 8; });
	      });
	spread_timed();
	timed("one word, strict ADD on F32: an operation a lane", 200, 20, kPace * 32, true,
	      [&](unsigned) { return stream(FAA_ATOM_OP_ADD, FAA_TYPE_F32, true, hot); });
	timed("one word, CAS on U32: an operation a lane", 200, 20, kTwoPace * 32, true,
	      [&](unsigned) { return stream(FAA_ATOM_OP_CAS, FAA_TYPE_U32, true, hot); });
}

/// Runs this number of random warps, then checks memory.
static void run_random(unsigned long warps)
{
	uint64_t first = accepted, begin = cycle;

	line_ops = expected_line_ops = groups = expected_groups = errors = expected_errors = 0;
	all_ops = expected_all_ops = 0;
	while (accepted - first < warps)
		random_phase(20 + pick(400));
	drain();
	if (real_l2)
		flush();
	compare_memory();
	if (line_ops != expected_line_ops)
		fail("line operations", line_ops, expected_line_ops);
	if (groups != expected_groups)
		fail("items of line operations", groups, expected_groups);
	if (!real_l2 && all_ops != expected_all_ops)
		fail("line operations with loads and stores", all_ops, expected_all_ops);
	if (!real_l2 && errors != expected_errors)
		fail("errors", errors, expected_errors);
	printf("# %llu warps, %llu line operations with %llu items, %llu errors, %llu cycles\n",
	       (unsigned long long)(accepted - first), (unsigned long long)line_ops,
	       (unsigned long long)groups, (unsigned long long)errors,
	       (unsigned long long)(cycle - begin));
}

int main(int argc, char **argv)
{
	unsigned long warps = argc > 1 ? strtoul(argv[1], nullptr, 0) : 10000;

	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	floats = argc > 3 ? atoi(argv[3]) != 0 : true;
	Verilated::randReset(2);
	dut = new Vfaa_test_global;
	dut->clk_i = 0;
	dut->rst_ni = 0;
	dut->warp_valid_i = 0;
	dut->real_i = 0;
	dut->flush_i = 0;
	dut->mem_rd_rsp_valid_i = 0;
	dut->mem_wr_rsp_valid_i = 0;
	for (unsigned n = 0; n < 5; n++) {
		dut->eval();
		dut->clk_i = 1;
		dut->eval();
		dut->clk_i = 0;
	}
	dut->rst_ni = 1;
	run_random(warps);
	printf("# cycles of stalls: lines %llu, memory %llu, tag %llu, mode %llu, result %llu\n",
	       (unsigned long long)stalls[0], (unsigned long long)stalls[1],
	       (unsigned long long)stalls[2], (unsigned long long)stalls[3],
	       (unsigned long long)stalls[4]);
	if (floats)
		all_timed();
	printf("# with an L2 slice:\n");
	dut->mem_rsp_valid_i = 0;
	dut->mem_ready_i = 0;
	dut->real_i = 1;
	real_l2 = true;
	run_random(warps / 16);
#if VM_COVERAGE
	if (argc > 4)
		VerilatedCov::write(argv[4]);
#endif
	dut->final();
	printf("# %llu failures\n", (unsigned long long)failures);
	return failures != 0;
}
