// SPDX-License-Identifier: Apache-2.0
//
// Accesses of scope SYS in front of an L2 slice (faa_l2_sys), with a host that changes the same
// words between their transactions.
//
// usage: sys_tb OPERATIONS SEED [COVERAGE]
//
// The first half of each line is used at scope SYS and by the host, the second half by operations
// of the slice alone. For every item the last transaction must have the operation's effect, and the
// earlier ones none; the answer is that of the last one's M. Each byte of a load's answer must be a
// value that memory has held since the request. A store is in memory when it is answered, and its
// line is not written again. The slice's words are compared with an image, in answers and, after a
// FLUSH, in memory.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "Vfaa_test_sys.h"
#include "verilated.h"
#include "verilated_cov.h"

#include "l2_ref.h"
#include "line_memory.h"

enum Func { kLoad, kStore, kAtomic, kClean, kFlush };
enum Transaction { kAdd, kSwap, kCas };

static constexpr unsigned kLines = 12, kTags = 64, kSysBytes = kLineBytes / 2;

struct Op {
	int func, op, type;
	bool sys, ftz, want;
	uint64_t la, strb, taken; // taken: cycle
	unsigned steps;
	Line b, c, d;
};

static std::mt19937_64 rng;
static Vfaa_test_sys *dut;
static uint64_t cycle, failures, transactions, retries;
static std::unordered_map<uint64_t, Line> memory, image;

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
// The host's memory: transactions, reads and writes are answered in any order

struct Pending {
	uint64_t la, due;
	unsigned tag;
	// Transactions
	int op;
	bool wide, bad;
	uint64_t data, compare;
	unsigned at;
	// Writes
	uint64_t strb;
	Line line;
};

/// An item of the operation of scope SYS in flight: values that its transactions have seen.
struct Item {
	uint64_t before, after;
	bool seen, bad;
};

/// The content of memory since a cycle.
struct Version {
	uint64_t since;
	Line line;
};

static std::unordered_map<uint64_t, std::vector<Version>> history;
static std::map<uint64_t, unsigned> users; // operations in flight, by line
static std::vector<Pending> reads, writes, atomics;
static std::map<unsigned, Item> items; // by word of the line
static uint64_t sys_line;
// The store of scope SYS in flight: its bytes, and whether its line could not be read.
static uint64_t store_line, store_strb;
static bool storing, store_bad;
static unsigned latency, stall, bad_percent;

static uint64_t when()
{
	return cycle + 1 + pick(latency);
}

/// The host's memory has been changed.
static void changed(uint64_t la)
{
	history[la].push_back({ cycle, line_of(memory, la) });
}

/// Whether memory has held, since cycle @since, @bytes of @want selected by @strb.
static bool was_held(uint64_t la, uint64_t since, const Line &want, uint64_t strb, unsigned bytes)
{
	std::vector<Version> &versions = history[la];

	for (size_t n = versions.size(); n--;) {
		bool same = true;
		for (unsigned i = 0; i < bytes; i++)
			same = same && (!(strb >> i & 1) || versions[n].line.b[i] == want.b[i]);
		if (same)
			return true;
		if (versions[n].since < since)
			return false;
	}
	return false;
}

static Pending *next(std::vector<Pending> &list)
{
	unsigned seen = 0;
	Pending *chosen = nullptr;

	for (Pending &p : list)
		if (p.due <= cycle && pick(++seen) == 0)
			chosen = &p;
	return chance(stall) ? nullptr : chosen;
}

static void drop(std::vector<Pending> &list, Pending *p)
{
	*p = list.back();
	list.pop_back();
}

/// The effect of a transaction on the host's memory, in one moment.
static uint64_t perform(const Pending &p)
{
	unsigned size = p.wide ? 8 : 4;
	Line &line = line_of(memory, p.la);
	uint64_t m = get(line, p.at, size), after = m;

	if (p.op == kAdd)
		after = m + p.data;
	else if (p.op == kSwap || m == p.compare)
		after = p.data;
	if (size == 4)
		after = (uint32_t)after;
	auto found = items.find(p.at / 4);
	if (found != items.end() && found->second.before != found->second.after)
		fail("a transaction after the one that changed memory, word", p.at / 4, 0);
	retries += found != items.end();
	if (p.la != sys_line)
		fail("transaction on a line", p.la, sys_line);
	items[p.at / 4] = { m, after, true, p.bad };
	put(line, p.at, size, after);
	changed(p.la);
	transactions++;
	return m;
}

static void drive_memory()
{
	Pending *r = next(reads), *w = next(writes), *a = next(atomics);

	dut->mem_rd_ready_i = !chance(stall);
	dut->mem_wr_ready_i = !chance(stall);
	dut->at_ready_i = !chance(stall);
	dut->mem_rd_rsp_valid_i = r != nullptr;
	dut->mem_wr_rsp_valid_i = w != nullptr;
	dut->at_rsp_valid_i = a != nullptr;
	if (r) {
		dut->mem_rd_rsp_tag_i = r->tag;
		dut->mem_rd_rsp_err_i = r->bad;
		memcpy(&dut->mem_rd_rsp_data_i, line_of(memory, r->la).b, kLineBytes);
		drop(reads, r);
	}
	if (w) {
		for (unsigned i = 0; i < kLineBytes; i++)
			if (w->strb >> i & 1)
				line_of(memory, w->la).b[i] = w->line.b[i];
		changed(w->la);
		dut->mem_wr_rsp_tag_i = w->tag;
		drop(writes, w);
	}
	if (a) {
		dut->at_rsp_tag_i = a->tag;
		dut->at_rsp_err_i = a->bad;
		if (a->bad)
			items[a->at / 4].bad = true;
		dut->at_rsp_data_i = a->bad ? rng() : perform(*a);
		if (!a->wide)
			dut->at_rsp_data_i |= rng() << 32;
		drop(atomics, a);
	}
}

static void take_requests()
{
	if (dut->mem_rd_valid_o && dut->mem_rd_ready_i) {
		const uint64_t la = dut->mem_rd_addr_o;
		// A line that cannot be read; only the store of scope SYS uses it
		bool bad = storing && la == store_line && users[la] == 1 && chance(3 * bad_percent);
		store_bad = store_bad || bad;
		reads.push_back({ la, when(), dut->mem_rd_tag_o, 0, false, bad, 0, 0, 0, 0, {} });
	}
	if (dut->mem_wr_valid_o && dut->mem_wr_ready_i) {
		Pending w = {
			dut->mem_wr_addr_o, when(), dut->mem_wr_tag_o, 0, false, false, 0, 0, 0,
			dut->mem_wr_strb_o, {}
		};
		if (w.strb & ((1ull << kSysBytes) - 1) &
		    ~(storing && !store_bad && w.la == store_line ? store_strb : 0))
			fail("the slice writes words of scope SYS", w.strb, 0);
		memcpy(w.line.b, &dut->mem_wr_data_o, kLineBytes);
		writes.push_back(w);
	}
	if (dut->at_valid_o && dut->at_ready_i) {
		if (!reads.empty() || !writes.empty())
			fail("transaction beside an access of the slice", reads.size(),
			     writes.size());
		atomics.push_back({ dut->at_addr_o / (kLineBytes / 4),
				    when(),
				    dut->at_tag_o,
				    dut->at_op_o,
				    (bool)dut->at_wide_o,
				    chance(bad_percent),
				    dut->at_data_o,
				    dut->at_compare_o,
				    (unsigned)(dut->at_addr_o % (kLineBytes / 4)) * 4,
				    0,
				    {} });
	}
}

/// The host's own atomic instruction on a word of scope SYS.
static void host()
{
	uint64_t la = pick(kLines);
	Line &line = line_of(memory, la);
	unsigned size = 2u << pick(3), at = pick(kSysBytes / size) * size;

	put(line, at, size, pick(2) ? get(line, at, size) + 1 : rng());
	changed(la);
}

// ----------------------------------------------------------------------------------------------------------------
// Operations

static const int kTypes[] = { FAA_TYPE_U32, FAA_TYPE_S32,   FAA_TYPE_U64,   FAA_TYPE_S64,
			      FAA_TYPE_U16, FAA_TYPE_S16,   FAA_TYPE_F32,   FAA_TYPE_F64,
			      FAA_TYPE_F16, FAA_TYPE_F16X2, FAA_TYPE_BF16X2 };

static uint64_t random_item(int type)
{
	if (l2_ref::is_float(type) && pick(4)) {
		const float_ref::Format &f = l2_ref::format_of(type);
		return float_ref::special(f, rng) |
		       (type == FAA_TYPE_F16X2 ? float_ref::special(f, rng) << 16 : 0);
	}
	return pick(2) ? rng() : pick(4) - 1ull;
}

static Op random_op()
{
	Op op = {};

	op.sys = pick(3) != 0;
	op.func = pick(3) ? kAtomic : kLoad + (int)pick(2);
	do {
		op.op = (int)pick(17);
		op.type = kTypes[pick(11)];
	} while (!l2_ref::is_legal(op.op, op.type));
	op.ftz = pick(2);
	op.want = op.sys && op.func != kAtomic ? op.func == kLoad : pick(2);
	op.la = pick(kLines);
	op.steps = 1 + pick(3);
	unsigned size = op.func == kAtomic ? l2_ref::size_of(op.type) : 4;
	unsigned first = op.sys ? 0 : kSysBytes, density = pick(100);
	for (unsigned at = first; at < first + kSysBytes; at += size) {
		uint64_t b = random_item(op.type), c = random_item(op.type);
		uint64_t ones = ~0ull >> (64 - size * 8);
		if (chance(density))
			op.strb |= (size == 8 ? 0xff : (1ull << size) - 1) << at;
		if (op.sys && op.func == kStore)
			op.strb ^= (uint64_t)(chance(20) ? rng() & 15 : 0) << at;
		// Compares succeed now and then.
		if (pick(2) && (op.op == FAA_ATOM_OP_CAS || op.op == FAA_ATOM_OP_CAST ||
				op.op == FAA_ATOM_OP_FCMPWR))
			b = get(line_of(op.sys ? memory : image, op.la), at, size);
		if (op.op == FAA_ATOM_OP_INC || op.op == FAA_ATOM_OP_DEC) {
			b &= ones;
			c = b == ~0ull ? op.steps : op.steps % (b + 1);
		}
		put(op.b, at, size, b & ones);
		put(op.c, at, size, c & ones);
	}
	return op;
}

/// Executes an operation of the slice in order.
static void execute(Op &op)
{
	Line &line = line_of(image, op.la);
	unsigned size = op.func == kAtomic ? l2_ref::size_of(op.type) : 4;

	op.d = line;
	if (op.func == kLoad || op.func >= kClean)
		return;
	for (unsigned at = kSysBytes; at < kLineBytes; at += size) {
		if (!(op.strb >> at & 1))
			continue;
		uint64_t m = get(line, at, size), d = m, b = get(op.b, at, size);
		put(line, at, size,
		    op.func == kStore ? b :
					l2_ref::atomic(op.op, op.type, op.ftz, m, b,
						       get(op.c, at, size), op.steps, &d));
		put(op.d, at, size, d);
	}
}

/// The items of an answered operation of scope SYS.
static void check_sys(const Op &op, bool err, const Line &got)
{
	unsigned size = l2_ref::size_of(op.type), unit = size == 8 ? 8 : 4;
	bool bad = false;
	char what[120];

	for (auto &item : items)
		bad = bad || item.second.bad;
	if (err != bad)
		fail("error of an operation of scope SYS", err, bad);
	for (unsigned at = 0; at < kSysBytes && !bad; at += size) {
		if (!(op.strb >> at & 1))
			continue;
		snprintf(what, sizeof(what), "SYS op %d type %d ftz %d byte %u", op.op, op.type,
			 op.ftz, at);
		auto found = items.find(at / unit * unit / 4);
		if (found == items.end()) {
			fail(std::string(what) + ": no transaction", 0, 1);
			continue;
		}
		unsigned shift = at % unit * 8;
		uint64_t ones = ~0ull >> (64 - size * 8), d = 0;
		uint64_t m = found->second.before >> shift & ones,
			 after = found->second.after >> shift & ones;
		uint64_t want = l2_ref::atomic(op.op, op.type, op.ftz, m, get(op.b, at, size),
					       get(op.c, at, size), op.steps, &d);
		if (after != want)
			fail(std::string(what) + ": memory", after, want);
		if (op.want && get(got, at, size) != d)
			fail(std::string(what) + ": answer", get(got, at, size), d);
		// Halves that are not selected are unchanged.
		if (unit == 4 && size == 2 && !(op.strb >> (at ^ 2) & 1) &&
		    ((found->second.before ^ found->second.after) >> (shift ^ 16) & 0xffff))
			fail(std::string(what) + ": the other half", found->second.after,
			     found->second.before);
	}
	items.clear();
}

/// An answered load or store of scope SYS.
static void check_access(const Op &op, bool err, const Line &got)
{
	bool bad = op.func == kStore && store_bad;

	if (err != bad)
		fail("error of an access of scope SYS", err, bad);
	if (op.func == kStore) {
		if (!bad && !was_held(op.la, op.taken, op.b, op.strb, kSysBytes))
			fail("a store of scope SYS is in memory, line", op.la, op.strb);
		storing = false;
		return;
	}
	if (!was_held(op.la, op.taken, got, ~0ull, kSysBytes))
		fail("a load of scope SYS reads what memory holds, line", op.la, 0);
	if (memcmp(got.b + kSysBytes, op.d.b + kSysBytes, kLineBytes - kSysBytes))
		fail("a load of scope SYS sees what was stored before, line", op.la, 0);
}

static void check_answer(const Op &op)
{
	Line got;

	memcpy(got.b, &dut->rsp_data_o, kLineBytes);
	users[op.la]--;
	if (op.sys && op.func < kAtomic) {
		check_access(op, dut->rsp_err_o, got);
		return;
	}
	if (op.sys) {
		check_sys(op, dut->rsp_err_o, got);
		return;
	}
	if (dut->rsp_err_o)
		fail("error of an operation of the slice", 1, 0);
	if (op.want && op.func < kClean &&
	    memcmp(got.b + kSysBytes, op.d.b + kSysBytes, kLineBytes - kSysBytes))
		fail("answer of the slice, line", op.la, op.func);
}

static void drive(const Op &op, unsigned tag)
{
	dut->req_sys_i = op.sys;
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

static void clock(int level)
{
	dut->clk_i = level;
	dut->eval();
}

// ----------------------------------------------------------------------------------------------------------------

/// A request is taken.
static void take(Op &op)
{
	op.taken = cycle;
	users[op.la]++;
	if (!op.sys) {
		execute(op);
		return;
	}
	op.d = line_of(image, op.la);
	sys_line = op.la;
	if (op.func == kStore) {
		storing = true;
		store_bad = false;
		store_line = op.la;
		store_strb = op.strb;
	}
}

/// Runs operations until none is left and all are answered; @p flush: one FLUSH.
static void run(unsigned operations, bool flush)
{
	std::map<unsigned, Op> outstanding;
	bool valid = false;
	unsigned tag = 0, quiet = 0, host_percent = pick(3) * 20, gap = pick(2) * 40;
	Op op;

	while (operations || valid || !outstanding.empty()) {
		if (!valid && operations && outstanding.size() < kTags - 1 && !chance(gap)) {
			op = flush ? Op{} : random_op();
			if (flush)
				op.func = kFlush;
			while (outstanding.count(tag))
				tag = (tag + 1) % kTags;
			drive(op, tag);
			valid = true;
			operations--;
		}
		drive_memory();
		dut->req_valid_i = valid;
		dut->rsp_ready_i = !chance(stall);
		clock(0);
		if (dut->rsp_valid_o && dut->rsp_ready_i) {
			auto found = outstanding.find(dut->rsp_tag_o);
			quiet = 0;
			if (found == outstanding.end()) {
				fail("response without a request", dut->rsp_tag_o, 0);
			} else {
				check_answer(found->second);
				outstanding.erase(found);
			}
		}
		bool taken = valid && dut->req_ready_o;
		take_requests();
		clock(1);
		if (taken) {
			take(op);
			outstanding[tag] = op;
			valid = false;
		}
		if (chance(host_percent))
			host();
		cycle++;
		if (++quiet > 20000) {
			fail("no progress", outstanding.size(), 0);
			return;
		}
	}
}

static void phase(unsigned operations)
{
	static const unsigned latencies[] = { 1, 5, 20, 100 };

	history.clear();
	for (unsigned la = 0; la < kLines; la++)
		changed(la);
	latency = latencies[pick(4)];
	stall = pick(2) ? 0 : pick(80);
	bad_percent = pick(6) ? 0 : 3;
	run(operations, false);
	bad_percent = 0;
	run(1, true);
	for (unsigned la = 0; la < kLines; la++)
		if (memcmp(line_of(memory, la).b + kSysBytes, line_of(image, la).b + kSysBytes,
			   kLineBytes - kSysBytes))
			fail("memory after FLUSH, line", la, 0);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: sys_tb OPERATIONS SEED [COVERAGE]\n");
		return 2;
	}
	uint64_t operations = strtoull(argv[1], nullptr, 0), done = 0;
	rng.seed(strtoull(argv[2], nullptr, 0));
	dut = new Vfaa_test_sys;
	dut->rst_ni = 0;
	for (int i = 0; i < 4; i++) {
		clock(0);
		clock(1);
	}
	dut->rst_ni = 1;
	for (; done < operations && failures < 20; done += 200)
		phase(200);
	clock(0);
	if (!dut->idle_o)
		fail("not idle at the end", 0, 1);
	if (!retries)
		fail("no transaction was tried again", 0, 1);
	printf("# %llu operations, %llu transactions, %llu of them later tries, %llu cycles\n",
	       (unsigned long long)done, (unsigned long long)transactions,
	       (unsigned long long)retries, (unsigned long long)cycle);
	if (argc > 3)
		VerilatedCov::write(argv[3]);
	printf("%s\n", failures ? "FAILED" : "passed");
	return failures != 0;
}
