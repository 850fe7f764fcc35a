// SPDX-License-Identifier: Apache-2.0
//
// L2 slice against a loop over operations, in the order of requests, on an image of memory
// (Documentation/l2.rst).
//
// usage: l2_tb OPERATIONS SEED SETS WAYS MSHRS ALUWORDS FLOATS [timed | cover FILE]
//
// Random line operations of every function, operation and type in phases that differ in lines (one,
// few, of one set, many), in mix, in latency and order of memory and in the side that stalls. Some
// bytes of some lines are the CPU's, which writes them at any time: they must not change otherwise.
// Lines that cannot be read answer with errors. CLEAN and FLUSH come in between: memory must hold
// the data stored before. timed: then cycles per operation of streams with a known limit. SETS ..
// FLOATS are the parameters of the slice's build; cover writes coverage data.

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
#include <unordered_map>
#include <vector>

#include "Vfaa_l2.h"
#include "verilated.h"
#include "verilated_cov.h"

#include "l2_ref.h"
#include "line_memory.h"

enum Func { kLoad, kStore, kAtomic, kClean, kFlush, kEvict };

static constexpr unsigned kTags = 1024;

struct Op {
	int func, op, type;
	bool ftz, want;
	uint64_t la, strb;
	Line b, c;
	unsigned steps; // of INC and DEC, every item
	// Expected
	Line d;
	uint64_t check; // mask of the bytes of d that are known
	bool err;
	uint64_t number;
};

/// Delays and stalls of memory and of the requester.
struct Weather {
	unsigned latency_min, latency_max;	 // cycles from request to response
	unsigned gap, rsp_stall, mem_stall, cpu; // per cent of cycles
};

static std::mt19937_64 rng;
static Vfaa_l2 *dut;
static uint64_t cycle, accepted, answered, failures;
static unsigned sets, ways, mshrs;
static bool floats, cpu_owns = true;
static std::unordered_map<uint64_t, Line> memory, image;
static std::unordered_map<uint64_t, uint64_t> changed; // by line, the last operation on it
static std::set<uint64_t> bad_reads, bad_writes;
static uint64_t events[5], stall_cycles[7];

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
// Memory

/// Bytes that the CPU writes and the device does not.
static uint64_t cpu_bytes(uint64_t la)
{
	uint64_t h = hash(la ^ 0x5555);

	switch (cpu_owns ? h % 4 : 2) {
	case 0:
		return 0xffull << (h >> 8) % (kLineBytes / 8) * 8;
	case 1:
		return 0xff00ff0000000000ull >> (h >> 8) % 4 * 8 >> (64 - kLineBytes);
	default:
		return 0;
	}
}

struct Read {
	uint64_t la, due;
	unsigned tag;
	bool early; // memory was read at the request
	Line line;
};

struct Write {
	uint64_t la, due;
	unsigned tag;
	bool early;
	uint64_t strb;
	Line line;
};

static std::vector<Read> reads;
static std::vector<Write> writes;
static std::deque<uint64_t> cpu_lines; // that the CPU may write

static void perform(const Write &w)
{
	if (bad_writes.count(w.la) || bad_reads.count(w.la))
		return;
	Line &line = line_of(memory, w.la);
	for (unsigned i = 0; i < kLineBytes; i++)
		if (w.strb >> i & 1)
			line.b[i] = w.line.b[i];
}

static void take_read(const Weather &weather)
{
	Read r = { dut->mem_rd_addr_o,
		   cycle + weather.latency_min +
			   pick(weather.latency_max - weather.latency_min + 1),
		   dut->mem_rd_tag_o,
		   chance(50),
		   {} };

	for (const Read &other : reads)
		if (other.tag == r.tag || other.la == r.la)
			fail("read tag or line in use", r.tag, other.tag);
	for (const Write &w : writes)
		if (w.la == r.la)
			fail("read of a line whose write is not acknowledged", r.la, 0);
	r.line = line_of(memory, r.la);
	reads.push_back(r);
}

static void take_write(const Weather &weather)
{
	Write w = { dut->mem_wr_addr_o,
		    cycle + weather.latency_min +
			    pick(weather.latency_max - weather.latency_min + 1),
		    dut->mem_wr_tag_o,
		    chance(50),
		    dut->mem_wr_strb_o,
		    {} };

	memcpy(w.line.b, &dut->mem_wr_data_o, kLineBytes);
	for (const Write &other : writes)
		if (other.tag == w.tag || other.la == w.la)
			fail("write tag or line in use", w.tag, other.tag);
	if (w.strb & cpu_bytes(w.la))
		fail("write of the CPU's bytes", w.strb, w.strb & ~cpu_bytes(w.la));
	if (!w.strb || bad_reads.count(w.la))
		fail("write that has no reason", w.la, w.strb);
	if (w.early)
		perform(w);
	writes.push_back(w);
}

/// Responses of the coming cycle: any one that is due.
static int response(size_t n, const std::function<uint64_t(size_t)> &due)
{
	unsigned seen = 0;
	int chosen = -1;

	for (size_t i = 0; i < n; i++)
		if (due(i) <= cycle && pick(++seen) == 0)
			chosen = (int)i;
	return chosen;
}

static void drive_memory(const Weather &weather)
{
	int r = chance(weather.mem_stall) ?
			-1 :
			response(reads.size(), [](size_t i) { return reads[i].due; });
	int w = chance(weather.mem_stall) ?
			-1 :
			response(writes.size(), [](size_t i) { return writes[i].due; });

	dut->mem_rd_ready_i = !chance(weather.mem_stall);
	dut->mem_wr_ready_i = !chance(weather.mem_stall);
	dut->mem_rd_rsp_valid_i = r >= 0;
	dut->mem_wr_rsp_valid_i = w >= 0;
	if (r >= 0) {
		Read &read = reads[r];
		if (!read.early)
			read.line = line_of(memory, read.la);
		dut->mem_rd_rsp_tag_i = read.tag;
		dut->mem_rd_rsp_err_i = bad_reads.count(read.la);
		memcpy(&dut->mem_rd_rsp_data_i, read.line.b, kLineBytes);
		reads[r] = reads.back();
		reads.pop_back();
	}
	if (w >= 0) {
		if (!writes[w].early)
			perform(writes[w]);
		dut->mem_wr_rsp_tag_i = writes[w].tag;
		dut->mem_wr_rsp_err_i = bad_writes.count(writes[w].la);
		writes[w] = writes.back();
		writes.pop_back();
	}
}

static void cpu_writes()
{
	if (cpu_lines.empty())
		return;
	uint64_t la = cpu_lines[pick((unsigned)cpu_lines.size())], bytes = cpu_bytes(la);
	for (unsigned i = 0; i < kLineBytes; i++)
		if ((bytes >> i & 1) && pick(2))
			line_of(memory, la).b[i] = line_of(image, la).b[i] = (uint8_t)rng();
}

// ----------------------------------------------------------------------------------------------------------------
// The specification

/// Executes the operation in order: expected answer, new image.
static void execute(Op &op)
{
	op.number = accepted;
	op.err = false;
	op.check = ~0ull;
	memset(&op.d, 0, sizeof(op.d));
	if (op.func >= kClean)
		return;
	op.err = bad_reads.count(op.la);
	if (op.err)
		return;
	Line &line = line_of(image, op.la);
	Line old = line;
	if (op.want) {
		op.d = old;
		op.check = ~cpu_bytes(op.la);
	}
	if (op.func == kLoad)
		return;
	changed[op.la] = op.number;
	unsigned size = op.func == kStore ? 1 : l2_ref::size_of(op.type);
	for (unsigned at = 0; at < kLineBytes; at += size) {
		uint64_t d = 0;
		if (!(op.strb >> at & 1))
			continue;
		uint64_t b = get(op.b, at, size), c = get(op.c, at, size);
		put(line, at, size,
		    op.func == kStore ? b :
					l2_ref::atomic(op.op, op.type, op.ftz, get(old, at, size),
						       b, c, op.steps, &d));
		if (op.func == kAtomic && op.want)
			put(op.d, at, size, d);
	}
}

/// After CLEAN or FLUSH: memory has every line that no later operation may have changed; after
/// EVICT only the line @p only.
static void compare_memory(uint64_t number, const char *when, const uint64_t *only = nullptr)
{
	for (auto &entry : image) {
		if (only && entry.first != *only)
			continue;
		if (bad_reads.count(entry.first) || bad_writes.count(entry.first) ||
		    (changed.count(entry.first) && changed[entry.first] > number))
			continue;
		const Line &got = line_of(memory, entry.first);
		for (unsigned i = 0; i < kLineBytes; i++)
			if (got.b[i] != entry.second.b[i])
				fail(std::string(when) + ": memory, line " +
					     std::to_string(entry.first) + " byte " +
					     std::to_string(i),
				     got.b[i], entry.second.b[i]);
	}
}

// ----------------------------------------------------------------------------------------------------------------
// The slice

static std::map<unsigned, Op> outstanding; // by tag
static bool sweep_err;			   // expected answer of the next CLEAN or FLUSH

static void drive(const Op &op, unsigned tag)
{
	dut->req_func_i = op.func;
	dut->req_op_i = op.op;
	dut->req_typ_i = op.type;
	dut->req_ftz_i = op.ftz;
	dut->req_want_i = op.want;
	dut->req_addr_i = op.la;
	dut->req_strb_i = op.strb;
	dut->req_tag_i = tag;
	memcpy(&dut->req_b_i, op.b.b, kLineBytes);
	memcpy(&dut->req_c_i, op.c.b, kLineBytes);
}

static void check_response()
{
	auto found = outstanding.find(dut->rsp_tag_o);

	if (found == outstanding.end()) {
		fail("response without a request", dut->rsp_tag_o, 0);
		return;
	}
	const Op &op = found->second;
	const uint8_t *got = (const uint8_t *)&dut->rsp_data_o;
	char what[120];
	bool sweeps = op.func == kClean || op.func == kFlush;
	if (dut->rsp_err_o != (sweeps ? sweep_err : op.err))
		fail("error of function " + std::to_string(op.func), dut->rsp_err_o, op.err);
	for (unsigned i = 0; i < kLineBytes; i++) {
		if (!(op.check >> i & 1) || got[i] == op.d.b[i])
			continue;
		snprintf(what, sizeof(what),
			 "func %d op %d type %d ftz %d line %#llx byte %u, number %llu", op.func,
			 op.op, op.type, op.ftz, (unsigned long long)op.la, i,
			 (unsigned long long)op.number);
		fail(what, got[i], op.d.b[i]);
		break;
	}
	if (op.func == kEvict)
		compare_memory(op.number, "EVICT", &op.la);
	if (sweeps && !op.err) {
		compare_memory(op.number, op.func == kClean ? "CLEAN" : "FLUSH");
		sweep_err = false;
	}
	outstanding.erase(found);
	answered++;
}

static void clock(int level)
{
	dut->clk_i = level;
	dut->eval();
}

static uint64_t first_taken, last_taken, last_answered;

/// Sends operations from next to the slice until there are no more and all are answered.
static void run(const std::function<bool(Op &)> &next, const Weather &weather)
{
	Op op;
	bool valid = false, more = true;
	unsigned quiet = 0, tag = 0;
	uint64_t start = accepted;

	for (;;) {
		if (!valid && more && !chance(weather.gap) && outstanding.size() < kTags - 1) {
			more = next(op);
			valid = more;
			while (outstanding.count(tag))
				tag = (tag + 1) % kTags;
			drive(op, tag);
		}
		drive_memory(weather);
		dut->req_valid_i = valid;
		dut->rsp_ready_i = !chance(weather.rsp_stall);
		clock(0);
		if (dut->rsp_valid_o && dut->rsp_ready_i) {
			check_response();
			last_answered = cycle;
			quiet = 0;
		}
		bool taken = valid && dut->req_ready_o;
		if (dut->mem_rd_valid_o && dut->mem_rd_ready_i)
			take_read(weather);
		if (dut->mem_wr_valid_o && dut->mem_wr_ready_i)
			take_write(weather);
		bool idle = dut->idle_o && !valid && !more;
		const bool seen[5] = { (bool)dut->ev_hit_o, (bool)dut->ev_merge_o,
				       (bool)dut->ev_miss_o, (bool)dut->ev_read_o,
				       (bool)dut->ev_write_o };
		for (unsigned i = 0; i < 5; i++)
			events[i] += seen[i];
		for (unsigned i = 0; i < 7; i++)
			stall_cycles[i] += dut->ev_stall_o >> i & 1;
		clock(1);
		if (chance(weather.cpu))
			cpu_writes();
		if (taken) {
			if (accepted == start)
				first_taken = cycle;
			last_taken = cycle;
			execute(op);
			outstanding[tag] = op;
			accepted++;
			valid = false;
			quiet = 0;
		}
		cycle++;
		if (idle) {
			if (!outstanding.empty() || !reads.empty() || !writes.empty())
				fail("idle with operations in flight", outstanding.size(), 0);
			return;
		}
		if (++quiet > 20000) {
			fail("no progress", answered, accepted);
			return;
		}
	}
}

static void reset()
{
	dut->rst_ni = 0;
	dut->req_valid_i = dut->mem_rd_rsp_valid_i = dut->mem_wr_rsp_valid_i = 0;
	for (int i = 0; i < 4; i++) {
		clock(0);
		clock(1);
	}
	dut->rst_ni = 1;
}

// ----------------------------------------------------------------------------------------------------------------
// Random operations

static const int kTypes[] = { FAA_TYPE_U32, FAA_TYPE_S32,   FAA_TYPE_U64,   FAA_TYPE_S64,
			      FAA_TYPE_U16, FAA_TYPE_S16,   FAA_TYPE_F32,   FAA_TYPE_F64,
			      FAA_TYPE_F16, FAA_TYPE_F16X2, FAA_TYPE_BF16X2 };

static uint64_t random_item(int type)
{
	if (l2_ref::is_float(type) && pick(4)) {
		const float_ref::Format &f = l2_ref::format_of(type);
		uint64_t x = pick(2) ? float_ref::special(f, rng) :
				       float_ref::near(f, rng, (int64_t)f.exp_max() / 2, 3, rng());
		return type == FAA_TYPE_F16X2 || type == FAA_TYPE_BF16X2 ?
			       x | float_ref::special(f, rng) << 16 :
			       x;
	}
	switch (pick(4)) {
	case 0:
		return rng();
	case 1:
		return 0x8000000080008000ull >> pick(2);
	default:
		return pick(4) - 1ull;
	}
}

/// Function, operation and type; few of them use most of a phase.
static void random_command(Op &op, unsigned loads, unsigned stores)
{
	unsigned kind = pick(100);

	op.func = kind < loads ? kLoad : kind < loads + stores ? kStore : kAtomic;
	op.ftz = pick(2);
	op.op = 0;
	op.type = FAA_TYPE_U32;
	if (op.func != kAtomic)
		return;
	do {
		op.op = pick(4) ? (int)pick(17) : FAA_ATOM_OP_CAS + (int)pick(2);
		op.type = kTypes[pick(floats ? 11 : 6)];
	} while (!l2_ref::is_legal(op.op, op.type));
}

static uint64_t random_strb(const Op &op, unsigned density)
{
	unsigned size = op.func == kStore ? 1u << pick(4) : l2_ref::size_of(op.type);
	uint64_t item = size == 8 ? 0xff : (1ull << size) - 1, strb = 0;
	uint64_t forbidden = cpu_bytes(op.la);
	unsigned only = pick(kLineBytes / size) * size;

	for (unsigned at = 0; at < kLineBytes; at += size)
		if (density == 0 ? at == only : pick(100) < density)
			strb |= item << at;
	for (unsigned at = 0; at < kLineBytes; at += size)
		if (item << at & forbidden)
			strb &= ~(item << at);
	return strb;
}

static void random_operands(Op &op)
{
	unsigned size = op.func == kStore ? 8 : l2_ref::size_of(op.type);
	bool compares = op.op == FAA_ATOM_OP_CAS || op.op == FAA_ATOM_OP_CAST ||
			op.op == FAA_ATOM_OP_FCMPWR;
	const Line &now = line_of(image, op.la);

	op.steps = 1 + (pick(2) ? 0 : pick(9));
	for (unsigned at = 0; at < kLineBytes; at += size) {
		uint64_t b = random_item(op.type), c = random_item(op.type);
		uint64_t ones = ~0ull >> (64 - size * 8);
		// The image is not ahead of the slice: this compare succeeds unless something else
		// fails.
		if (op.func == kAtomic && compares && pick(2))
			b = get(now, at, size);
		if (op.func == kAtomic && (op.op == FAA_ATOM_OP_INC || op.op == FAA_ATOM_OP_DEC)) {
			b &= ones;
			c = b == ~0ull ? op.steps : op.steps % (b + 1);
		}
		put(op.b, at, size, b);
		put(op.c, at, size, c);
	}
}

/// Line @number of those that map to one set: its low bits cancel the fold of its upper bits.
static uint64_t same_set(uint64_t number, unsigned set_bits)
{
	uint64_t la = number << (4 * set_bits);

	for (unsigned n = 4 * set_bits; n < kLineBits; n++)
		if (la >> n & 1)
			la ^= 1ull << n % set_bits ^ 1ull << (n + n / set_bits) % set_bits;
	return la;
}

/// Lines of a phase.
static std::vector<uint64_t> random_lines()
{
	unsigned kind = pick(8), set_bits = 0;
	std::vector<uint64_t> lines;
	uint64_t base = rng() >> 20 & ((1ull << 44) - 1);

	while (1u << set_bits < sets)
		set_bits++;
	unsigned count = kind == 0 ? 1 :
			 kind == 1 ? 2 :
			 kind == 2 ? ways + 2 :
			 kind == 3 ? 8 :
			 kind == 4 ? mshrs + 4 :
				     3 * sets * ways;
	if (count > 5000)
		count = 5000;
	for (unsigned i = 0; i < count; i++) {
		uint64_t la = kind <= 1 || kind == 3 ? base + i : (base ^ rng() % 0x4000000);
		if (kind == 2)
			la = same_set(i, set_bits) ^ (base & 0xfff);
		// One digest of the write-back buffer
		if (kind == 7)
			la = base ^ (rng() & 0xffff) * 0x10001;
		lines.push_back(la & ((1ull << kLineBits) - 1));
	}
	return lines;
}

static Weather random_weather()
{
	static const unsigned latencies[] = { 1, 4, 20, 100, 250 };
	Weather w;

	w.latency_max = latencies[pick(5)];
	w.latency_min = pick(2) ? w.latency_max : 1;
	w.gap = pick(3) ? 0 : pick(90);
	w.rsp_stall = pick(3) ? 0 : pick(80);
	w.mem_stall = pick(3) ? 0 : pick(80);
	w.cpu = pick(2) ? 0 : pick(50);
	return w;
}

/// The CPU writes bytes that were the device's, at a time when the device does not have their
/// lines.
static void change_hands(const std::vector<uint64_t> &lines)
{
	for (uint64_t la : lines)
		for (unsigned i = 0; i < kLineBytes; i++)
			if (pick(8) == 0)
				line_of(memory, la).b[i] = line_of(image, la).b[i] = (uint8_t)rng();
}

static void sweep(int func, const Weather &weather)
{
	bool done = false;

	run(
		[&](Op &op) {
			if (done)
				return false;
			op = Op{};
			op.func = func;
			done = true;
			return true;
		},
		weather);
}

static void random_phase(unsigned operations)
{
	std::vector<uint64_t> lines = random_lines();
	Weather weather = random_weather();
	unsigned loads = pick(3) ? pick(20) : pick(100),
		 stores = pick(3) ? pick(20) : pick(100 - loads + 1);
	unsigned density = pick(3) ? pick(2) * 30 : 100, sweeps = pick(3) ? 0 : 1 + pick(3),
		 whole = pick(4) ? 0 : 30, evicts = pick(3) ? 0 : pick(20);
	unsigned change = 1 + pick(8);
	Op command = {};

	bad_reads.clear();
	if (pick(4) == 0)
		for (uint64_t la : lines)
			if (pick(3) == 0 && !changed.count(la))
				bad_reads.insert(la);
	cpu_lines.assign(lines.begin(), lines.end());
	random_command(command, loads, stores);
	run(
		[&](Op &op) {
			if (!operations)
				return false;
			operations--;
			if (pick(change) == 0)
				random_command(command, loads, stores);
			op = command;
			op.want = pick(2);
			op.la = lines[pick((unsigned)lines.size())];
			op.strb = random_strb(op, density);
			if (chance(whole) && !cpu_bytes(op.la) && !bad_reads.count(op.la)) {
				op.func = kStore;
				op.strb = kLineMask;
			}
			// Operations that read nothing get no error.
			if (op.func == kStore && bad_reads.count(op.la))
				op.strb &= ~1ull;
			random_operands(op);
			if (sweeps && pick(1000) < sweeps)
				op.func = kClean + pick(2);
			if (evicts && chance(evicts))
				op.func = kEvict;
			return true;
		},
		weather);
	if (pick(3) == 0) {
		sweep(kFlush, weather);
		change_hands(lines);
	} else if (!bad_reads.empty()) {
		sweep(kFlush, weather);
	}
}

/// A write that memory refuses is reported by the next CLEAN or FLUSH, once.
static void refused_write()
{
	static const Weather calm = { 10, 10, 0, 0, 0, 0 };
	unsigned left = 3;

	bad_reads.clear();
	bad_writes = { 0x1234 };
	run(
		[&](Op &op) {
			op = Op{};
			op.func = kStore;
			op.la = 0x1233 + left;
			op.strb = left & 1 ? 0xf0 : kLineMask;
			return left-- != 0;
		},
		calm);
	// EVICT does not report it.
	sweep(kEvict, calm);
	sweep_err = true;
	sweep(kClean, calm);
	sweep(kFlush, calm);
	// Refused data is lost: memory is unchanged.
	bad_writes.clear();
	image[0x1234] = line_of(memory, 0x1234);
	changed.erase(0x1234);
}

// ----------------------------------------------------------------------------------------------------------------
// Cycles per operation

struct Stream {
	const char *name;
	unsigned operations, latency;
	double limit; // cycles per operation
	std::function<void(Op &, unsigned)> make;
};

static uint64_t gups_state = 0x9e3779b97f4a7c15;

static void atomic_op(Op &op, int code, int type, uint64_t la, unsigned at)
{
	op.func = kAtomic;
	op.op = code;
	op.type = type;
	op.la = la;
	op.strb = (l2_ref::size_of(type) == 8 ? 0xffull : 0xfull) << at;
	for (unsigned i = 0; i < kLineBytes; i++)
		op.b.b[i] = (uint8_t)(i * 3 + 1);
}

static std::vector<Stream> streams(unsigned alu_words)
{
	double steps = kLineBytes / 4.0 / alu_words;
	auto hot = [](int code, int type) {
		return [code, type](Op &op, unsigned) {
			atomic_op(op, code, type, 77, 8);
			op.want = true;
		};
	};
	auto line = [](int code, int type) {
		return [code, type](Op &op, unsigned i) {
			atomic_op(op, code, type, 0x100000 + i, 0);
			op.strb = kLineMask;
			op.want = true;
		};
	};
	auto gups = [](Op &op, unsigned) {
		gups_state = gups_state << 1 ^ ((int64_t)gups_state < 0 ? 7 : 0);
		uint64_t word = gups_state % (1u << 18);
		atomic_op(op, FAA_ATOM_OP_XOR, FAA_TYPE_U64, 0x800000 + word / (kLineBytes / 8),
			  word % (kLineBytes / 8) * 8);
		put(op.b, word % (kLineBytes / 8) * 8, 8, gups_state);
	};
	std::vector<Stream> all = {
		{ "hot word, U32 ADD", 4000, 100, 1.0, hot(FAA_ATOM_OP_ADD, FAA_TYPE_U32) },
		{ "hot word, U64 CAS", 4000, 100, 1.0, hot(FAA_ATOM_OP_CAS, FAA_TYPE_U64) },
		{ "64 lines, U32 ADD, one word each", 4000, 100, 1.0,
		  [](Op &op, unsigned i) {
			  atomic_op(op, FAA_ATOM_OP_ADD, FAA_TYPE_U32, i % 64, 4);
		  } },
		{ "contiguous lines, U32 ADD", 6000, 100, steps,
		  line(FAA_ATOM_OP_ADD, FAA_TYPE_U32) },
		{ "contiguous lines, LOAD", 6000, 100, 1.0,
		  [](Op &op, unsigned i) {
			  op.func = kLoad;
			  op.want = true;
			  op.la = 0x200000 + i;
		  } },
		{ "contiguous lines, STORE of whole lines", 6000, 100, 1.0,
		  [](Op &op, unsigned i) {
			  op.func = kStore;
			  op.la = 0x300000 + i;
			  op.strb = kLineMask;
		  } },
		{ "random words of 2 MiB (GUPS), latency 20", 12000, 20, 1.05, gups },
		{ "random words of 2 MiB (GUPS), latency 100", 12000, 100, 1.1, gups },
		{ "random words of 2 MiB (GUPS), latency 250", 12000, 250, 2.15, gups },
	};
	if (floats) {
		all.push_back({ "hot word, F32 ADD", 4000, 100, 2.0,
				hot(FAA_ATOM_OP_ADD, FAA_TYPE_F32) });
		all.push_back({ "hot word, F32 MIN", 4000, 100, 1.0,
				hot(FAA_ATOM_OP_MIN, FAA_TYPE_F32) });
		all.push_back({ "contiguous lines, F32 ADD", 6000, 100, steps,
				line(FAA_ATOM_OP_ADD, FAA_TYPE_F32) });
		all.push_back({ "64 lines, F32 ADD, one word each", 4000, 100, 1.0,
				[](Op &op, unsigned i) {
					atomic_op(op, FAA_ATOM_OP_ADD, FAA_TYPE_F32, i % 64, 4);
				} });
		// Lines that come from memory are written in between.
		all.push_back({ "64 lines, F32 ADD, and contiguous lines, LOAD", 6000, 100, 1.0,
				[](Op &op, unsigned i) {
					atomic_op(op, FAA_ATOM_OP_ADD, FAA_TYPE_F32, i % 64, 4);
					if (i % 4 == 3) {
						op.func = kLoad;
						op.want = true;
						op.la = 0x400000 + i;
					}
				} });
	}
	return all;
}

/// The first third is warm-up: after it the slice is full of dirty lines.
static void measure(const Stream &stream)
{
	Weather calm = { stream.latency, stream.latency, 0, 0, 0, 0 };
	unsigned i = 0, n = stream.operations;
	uint64_t before[5], begin = 0;

	sweep(kFlush, calm);
	memset(stall_cycles, 0, sizeof(stall_cycles));
	memcpy(before, events, sizeof(before));
	run(
		[&](Op &op) {
			if (i == n / 3)
				begin = cycle;
			if (i == n)
				return false;
			op = Op{};
			stream.make(op, i++);
			return true;
		},
		calm);
	double cycles = (double)(last_taken - begin) / (n - n / 3 - 1);
	printf("# %-44s %5.2f cycles (at most %.2f); %llu hits, %llu merged, %llu misses, %llu reads, %llu writes\n",
	       stream.name, cycles, stream.limit, (unsigned long long)(events[0] - before[0]),
	       (unsigned long long)(events[1] - before[1]),
	       (unsigned long long)(events[2] - before[2]),
	       (unsigned long long)(events[3] - before[3]),
	       (unsigned long long)(events[4] - before[4]));
	if (getenv("L2_STALLS"))
		for (unsigned s = 0; s < 7; s++)
			printf("#   S%u %llu\n", s < 6 ? s + 1 : 8,
			       (unsigned long long)stall_cycles[s]);
	if (cycles > stream.limit * 1.005)
		fail(std::string(stream.name) + ": cycles per 1000 operations",
		     (uint64_t)(cycles * 1000), (uint64_t)(stream.limit * 1000));
}

int main(int argc, char **argv)
{
	if (argc < 8) {
		fprintf(stderr,
			"usage: l2_tb OPERATIONS SEED SETS WAYS MSHRS ALUWORDS FLOATS [timed | cover FILE]\n");
		return 2;
	}
	Verilated::commandArgs(argc, argv);
	uint64_t operations = strtoull(argv[1], nullptr, 0);
	rng.seed(strtoull(argv[2], nullptr, 0));
	sets = (unsigned)atoi(argv[3]);
	ways = (unsigned)atoi(argv[4]);
	mshrs = (unsigned)atoi(argv[5]);
	floats = atoi(argv[7]);
	dut = new Vfaa_l2;
	reset();
	refused_write();
	while (accepted < operations && !failures)
		random_phase(200 + pick(3000));
	static const Weather calm = { 20, 40, 0, 0, 0, 0 };
	sweep(kFlush, calm);
	printf("# %llu operations, %llu cycles: %llu hits, %llu merged, %llu misses, %llu reads, %llu writes\n",
	       (unsigned long long)accepted, (unsigned long long)cycle,
	       (unsigned long long)events[0], (unsigned long long)events[1],
	       (unsigned long long)events[2], (unsigned long long)events[3],
	       (unsigned long long)events[4]);
	cpu_owns = false;
	if (argc > 8 && !strcmp(argv[8], "timed") && !failures)
		for (const Stream &stream : streams((unsigned)atoi(argv[6])))
			measure(stream);
#if VM_COVERAGE
	if (argc > 9 && !strcmp(argv[8], "cover"))
		VerilatedCov::write(argv[9]);
#endif
	dut->final();
	printf("# %llu differences\n", (unsigned long long)failures);
	return failures != 0;
}
