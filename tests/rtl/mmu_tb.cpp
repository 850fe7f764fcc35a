// SPDX-License-Identifier: MIT
//
// TLBs, second level and walker (tests/rtl/units/faa_test_mmu.sv) against a reference for
// Documentation/mmu.rst: random page tables of several VMs with both sizes of leaves, bad entries
// of every kind at every level and unreadable tables, a driver that changes them at any time, at
// all levels, and invalidates ranges, memory of any latency and order. The reference keeps every
// value that an entry ever had: an answer must be that of some moment since the last completed
// invalidation of its address; an error must be that of an entry during the request. Tables that
// were removed are filled with false leaves once their range is invalidated. Then latencies and
// throughput by the cycle.
//
// usage: mmu_tb REQUESTS SEED WALKS [COVERAGE.dat | timed]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "Vfaa_test_mmu.h"
#include "verilated.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif

#include "faa_isa.h"
#include "tb.h"

/* Largest number of requests that a unit has in flight. */
#ifndef REQUESTS
#define REQUESTS 8
#endif

namespace {

constexpr unsigned UNITS = 3, RAW = 2, VMS = 4;
constexpr uint64_t ADDRESS = 0xffffffffff000, GOOD = FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK,
		   POISON = 0xbad0000000000;

[[noreturn]] void fail(uint64_t cycle, const std::string &what)
{
	printf("not ok 1 - %s in cycle %llu\n0 passed, 1 failed\n", what.c_str(),
	       (unsigned long long)cycle);
	exit(1);
}

std::string hex(uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)value);
	return text;
}

// ---- Memory of tables, with its history ----

uint64_t version;
std::unordered_map<uint64_t, std::vector<std::pair<uint64_t, uint64_t>>> past; // by entry address
std::set<uint64_t> bad_tables;
uint64_t tables;

uint64_t entry_at(uint64_t where, uint64_t when)
{
	auto found = past.find(where);
	uint64_t value = 0;

	if (found == past.end())
		return 0;
	for (auto change = found->second.rbegin(); change != found->second.rend(); ++change) {
		if (change->first <= when) {
			value = change->second;
			break;
		}
	}
	return value;
}

/// Tables lie apart, some above 4 GiB, so that all address bits matter.
uint64_t new_table()
{
	tables++;
	return 0x3000000000 + tables * 4096 + (tables % 5 << 46);
}

void put(uint64_t where, uint64_t value)
{
	past[where].push_back({ version, value });
}

uint64_t index_of(uint64_t va, int level)
{
	return va >> (12 + 9 * level) & 511;
}

uint64_t reach_of(int level)
{
	return 4096ull << 9 * level;
}

/// The error of an entry of a level by Documentation/mmu.rst, or FAA_ERROR_SUCCESS.
unsigned entry_error(uint64_t entry, int level)
{
	const bool leaf = entry & FAA_PTE_LEAF_MASK;

	if (!(entry & FAA_PTE_VALID_MASK))
		return FAA_ERROR_NOT_MAPPED;
	if (entry & (FAA_PTE_RESERVED | FAA_PTE_REGION_MASK))
		return FAA_ERROR_BAD_PAGE_TABLE;
	if (leaf ? level >= 2 || (level == 1 && (entry & 0x1ff000)) :
		   level == 0 || (entry & (FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK |
					   FAA_PTE_SPARSE_MASK)))
		return FAA_ERROR_BAD_PAGE_TABLE;
	return FAA_ERROR_SUCCESS;
}

struct Translation {
	unsigned error;
	uint64_t where; // address of the entry that decides
	int level;
	uint64_t pa, entry;
};

Translation translate(uint64_t root, uint64_t va, uint64_t when)
{
	uint64_t table = root;

	if (va >> 48)
		return { FAA_ERROR_NON_CANONICAL, 0, 0, 0, 0 };
	for (int level = 3;; level--) {
		const uint64_t where = table + index_of(va, level) * 8;
		if (bad_tables.count(table))
			return { FAA_ERROR_BUS_ERROR, where, level, where, 0 };
		const uint64_t entry = entry_at(where, when);
		const unsigned error = entry_error(entry, level);
		if (error)
			return { error, where, level, 0, entry };
		if (entry & FAA_PTE_LEAF_MASK)
			return { FAA_ERROR_SUCCESS, where, level,
				 (entry & ADDRESS & ~(reach_of(level) - 1)) |
					 (va & (reach_of(level) - 1)),
				 entry };
		table = entry & ADDRESS;
	}
}

// ---- VMs, and the driver that changes them ----

// Slots of tables that are used, per level.
const std::vector<uint64_t> hot[4] = { { 0,  1,	 2,  3,	  4,   5,   6,	 7,   8,   9,
					 63, 64, 65, 200, 201, 208, 300, 301, 302, 511 },
				       { 0, 1, 2, 7, 8, 511 },
				       { 0, 1, 9, 511 },
				       { 0, 1, 255, 256 } };

struct Retired {
	uint64_t table, first, last, when;
	int level;
};

struct Completed {
	uint64_t first, last, when;
};

struct Vm {
	uint64_t number, root, floor;
	std::vector<Retired> retired;
	std::deque<Completed> completed;
};

class Bench {
      public:
	Bench(uint64_t seed, unsigned walks) : random(seed), walks(walks)
	{
		dut.rst_ni = 0;
		for (unsigned n = 0; n < 3; n++)
			clock();
		dut.rst_ni = 1;
	}

	Vfaa_test_mmu dut;
	tb::Random random;
	const unsigned walks;
	uint64_t cycle = 0;
	Vm vm[VMS];

	// ---- Tables ----

	uint64_t pick(const std::vector<uint64_t> &from)
	{
		return from[random.below(from.size())];
	}

	std::deque<uint64_t> asked, changed; // addresses of the last requests and changes

	uint64_t hot_va()
	{
		uint64_t va = random.below(4096);
		for (int level = 0; level < 4; level++)
			va |= pick(hot[level]) << (12 + 9 * level);
		return va;
	}

	/// A table in which every page is mapped; `full`: without errors.
	uint64_t make_table(int level, unsigned wrong)
	{
		const uint64_t table = new_table();
		if (random.chance(wrong) && level < 3) {
			bad_tables.insert(table);
			return table;
		}
		for (uint64_t slot : hot[level])
			put(table + slot * 8, make_entry(level, wrong));
		return table;
	}

	uint64_t make_entry(int level, unsigned wrong)
	{
		const uint64_t flags = random.next() & (FAA_PTE_WRITABLE_MASK |
							FAA_PTE_ATOMIC_MASK | FAA_PTE_SPARSE_MASK);
		const uint64_t page = random.next() & ADDRESS;
		if (random.chance(wrong * 4)) {
			switch (random.below(6)) {
			case 0:
				return 0;
			case 1:
				return page | flags; // not valid, but not 0
			case 2:
				return page | GOOD |
				       1ull << (random.chance(500) ? 52 + random.below(12) :
								     6 + random.below(6));
			case 3:
				return page | GOOD | FAA_PTE_REGION_MASK;
			case 4: // a misplaced, missing or misaligned leaf
				return level == 0 ? page | FAA_PTE_VALID_MASK :
						    page | GOOD | 0x1000;
			default: // flags in a table
				return page | FAA_PTE_VALID_MASK |
				       (flags ? flags : FAA_PTE_WRITABLE_MASK);
			}
		}
		if (level == 0 || (level == 1 && random.chance(300)))
			return (page & ~(reach_of(level) - 1)) | GOOD |
			       (random.chance(700) ? flags | FAA_PTE_WRITABLE_MASK : flags);
		return make_table(level - 1, wrong) | FAA_PTE_VALID_MASK;
	}

	/// Changes one entry of the current tree; the addresses below it are added to the range.
	void change(Vm &m, uint64_t &first, uint64_t &last)
	{
		// Mostly at addresses of recent requests
		const uint64_t va = random.chance(700) && !asked.empty() ?
					    asked[random.below(asked.size())] & ((1ull << 48) - 1) :
					    hot_va();
		const uint64_t chance = random.below(1000);
		const int want = chance < 800 ? 0 : chance < 950 ? 1 : chance < 985 ? 2 : 3;
		uint64_t table = m.root;

		for (int level = 3;; level--) {
			const uint64_t where = table + index_of(va, level) * 8;
			const uint64_t old = entry_at(where, version);
			const bool is_table = level && !entry_error(old, level) &&
					      !(old & FAA_PTE_LEAF_MASK);
			if (level > want && is_table && !bad_tables.count(old & ADDRESS)) {
				table = old & ADDRESS;
				continue;
			}
			const uint64_t low = va & ~(reach_of(level) - 1);
			const uint64_t entry = make_entry(level, 10);
			version++;
			put(where, entry);
			if (is_table)
				m.retired.push_back({ old & ADDRESS, low, low + reach_of(level) - 1,
						      version, level - 1 });
			changed.push_back(va);
			if (changed.size() > 8)
				changed.pop_front();
			first = std::min(first, low);
			last = std::max(last, low + reach_of(level) - 1);
			return;
		}
	}

	void poison(uint64_t table, int level)
	{
		for (uint64_t slot : hot[level]) {
			const uint64_t entry = entry_at(table + slot * 8, version);
			if (level && !entry_error(entry, level) && !(entry & FAA_PTE_LEAF_MASK))
				poison(entry & ADDRESS, level - 1);
			put(table + slot * 8,
			    POISON | GOOD | FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK);
		}
	}

	// ---- Invalidation ----

	struct {
		bool busy;
		unsigned vm;
		uint64_t first, last, when;
		uint64_t next; // change or invalidate at this cycle
	} driver = {};
	unsigned long invalidations = 0;
	bool driver_on = true;

	void ask_invalidation(unsigned n, uint64_t first, uint64_t last)
	{
		dut.inv_vmid_i = static_cast<uint8_t>(vm[n].number);
		dut.inv_first_i = first;
		dut.inv_last_i = last;
		dut.inv_request_i++;
		driver.busy = true;
		driver.vm = n;
		driver.first = first;
		driver.last = last;
		driver.when = version;
	}

	void end_invalidation()
	{
		Vm &m = vm[driver.vm];
		driver.busy = false;
		invalidations++;
		if (driver.first == 0 && driver.last >= (1ull << 48) - 1) {
			m.floor = driver.when;
			m.completed.clear();
		} else {
			m.completed.push_back({ driver.first, driver.last, driver.when });
		}
		for (size_t n = 0; n < m.retired.size();) {
			const Retired r = m.retired[n];
			if (r.when <= driver.when && r.first >= driver.first &&
			    r.last <= driver.last) {
				m.retired.erase(m.retired.begin() + static_cast<long>(n));
				poison(r.table, r.level);
			} else {
				n++;
			}
		}
	}

	void drive_driver()
	{
		if (driver.busy) {
			if (dut.inv_done_o == dut.inv_request_i)
				end_invalidation();
			else if (driver_on && random.chance(5)) // tables change meanwhile, too
				change_some(vm[random.below(VMS)]);
			return;
		}
		if (!driver_on || cycle < driver.next)
			return;
		driver.next = cycle + random.below(random.chance(100) ? 4000 : 600);
		const auto n = static_cast<unsigned>(random.below(VMS));
		auto range = change_some(vm[n]);
		switch (random.below(10)) {
		case 0:
			range = { 0, random.chance(500) ? ~0ull : (1ull << 48) - 1 };
			break;
		case 1: // any range
			range.first = hot_va();
			range.second = range.first + random.below(1 << 24);
			break;
		case 2: // mapping alone, or to be invalidated later
			return;
		default:
			break;
		}
		if (vm[n].completed.size() > 60)
			range = { 0, ~0ull };
		ask_invalidation(n, range.first, range.second);
	}

	std::pair<uint64_t, uint64_t> change_some(Vm &m)
	{
		uint64_t first = ~0ull, last = 0;
		for (uint64_t k = random.below(4); k < 4; k++)
			change(m, first, last);
		return { first, last };
	}

	// ---- Answers ----

	struct Request {
		uint64_t va, begin, low, cycle; // versions; cycle of the transfer
		bool write, atomic;
	};
	struct Answer {
		unsigned error;
		uint64_t pa;
		bool sparse, big;
	};

	Request make_request(const Vm &m, uint64_t va, bool write, bool atomic)
	{
		uint64_t low = m.floor;
		asked.push_back(va);
		if (asked.size() > 64)
			asked.pop_front();
		for (const Completed &c : m.completed)
			if (c.first <= va && va <= c.last)
				low = std::max(low, c.when);
		return { va, version, low, cycle, write, atomic };
	}

	/// Whether the tables gave this answer at some moment that counts.
	bool allowed(const Vm &m, const Request &r, const Answer &a)
	{
		for (uint64_t when = version;; when--) {
			const Translation t = translate(m.root, r.va, when);
			unsigned error = t.error;
			if (!error && r.write && !(t.entry & FAA_PTE_WRITABLE_MASK))
				error = FAA_ERROR_NOT_WRITABLE;
			else if (!error && r.atomic && !(t.entry & FAA_PTE_ATOMIC_MASK))
				error = FAA_ERROR_NOT_ATOMIC;
			const bool same =
				error == a.error &&
				(error ? error != FAA_ERROR_BUS_ERROR || a.pa == t.pa :
					 a.pa == t.pa &&
						 a.sparse == !!(t.entry & FAA_PTE_SPARSE_MASK) &&
						 a.big == (t.level == 1));
			if (same && (when >= r.begin || !t.error || is_error_since(r, t)))
				return true;
			if (when <= r.low)
				return false;
		}
	}

	/// Errors are not cached: the entry has one during the request.
	bool is_error_since(const Request &r, const Translation &t)
	{
		if (t.error == FAA_ERROR_BUS_ERROR || t.error == FAA_ERROR_NON_CANONICAL)
			return true;
		for (uint64_t when = r.begin; when <= version; when++)
			if (entry_error(entry_at(t.where, when), t.level) == t.error)
				return true;
		return false;
	}

	void judge(unsigned unit, const Request &r, const Answer &a)
	{
		const Vm &m = vm[of[unit]];
		answers[a.error < 32 ? a.error : 31]++;
		if (allowed(m, r, a))
			return;
		const Translation now = translate(m.root, r.va, version);
		fail(cycle, "unit " + std::to_string(unit) + " VM " + std::to_string(m.number) +
				    " address " + hex(r.va) + " of cycle " +
				    std::to_string(r.cycle) + ": error " + std::to_string(a.error) +
				    " address " + hex(a.pa) + " sparse " +
				    std::to_string(a.sparse) + " big " + std::to_string(a.big) +
				    ", now it is error " + std::to_string(now.error) + " entry " +
				    hex(now.entry));
	}

	unsigned long answers[32] = {}, hits = 0, misses = 0;

	// ---- Units ----

	unsigned of[UNITS] = {}; // the VM of each
	std::deque<Request> pending[UNITS];
	std::vector<uint64_t> places; // where the requests go

	uint64_t some_va()
	{
		const uint64_t chance = random.below(1000);
		if (chance < 5)
			return random.next();
		if (chance < 10)
			return 1ull << 48 | hot_va();
		if (chance < 100)
			return hot_va();
		if (chance < 300 && !changed.empty())
			return changed[random.below(changed.size())];
		return chance < 900 ? near_place() : places[random.below(places.size())];
	}

	/// An address in the 2 MiB around a place that is used for a while.
	uint64_t near_place()
	{
		return (places[random.below(places.size())] & ~0x1ff000ull) | pick(hot[0]) << 12;
	}

	void move_places()
	{
		places.clear();
		for (uint64_t n = 1 + random.below(12); n; n--)
			places.push_back(hot_va());
	}

	void set_vm(unsigned unit, unsigned n)
	{
		of[unit] = n;
		dut.vmid_i = (dut.vmid_i & ~(255u << unit * 8)) |
			     static_cast<uint32_t>(vm[n].number) << unit * 8;
		memcpy(reinterpret_cast<char *>(&dut.pt_base_i) + unit * 8, &vm[n].root, 8);
	}

	/// Percent of cycles in which a unit sends a request; both change from time to time.
	unsigned asks[UNITS] = { 50, 50, 50 };
	unsigned long requests = 0;
	bool units_on = true;

	void drive_raw(unsigned u)
	{
		const bool inv = dut.inv_req_o >> u & 1;
		if (dut.tr_valid_i >> u & 1)
			return; // not taken yet
		if (pending[u].empty() && units_on && random.chance(inv ? 0 : 20))
			set_vm(u, static_cast<unsigned>(random.below(VMS)));
		if (inv || !units_on || !random.chance(asks[u] * 10))
			return;
		const uint64_t va = some_va();
		const uint32_t bit = 1u << u;
		memcpy(reinterpret_cast<char *>(&dut.tr_va_i) + u * 8, &va, 8);
		dut.tr_valid_i = static_cast<uint8_t>(dut.tr_valid_i | bit);
		dut.tr_write_i =
			static_cast<uint8_t>((dut.tr_write_i & ~bit) | random.below(2) << u);
		dut.tr_atomic_i =
			static_cast<uint8_t>((dut.tr_atomic_i & ~bit) | random.below(2) << u);
	}

	void sample_raw(unsigned u)
	{
		if (dut.tr_rsp_valid_o >> u & 1) {
			uint64_t pa;
			if (pending[u].empty())
				fail(cycle, "an answer without a request");
			memcpy(&pa, reinterpret_cast<char *>(&dut.tr_rsp_pa_o) + u * 8, 8);
			latency = cycle - pending[u].front().cycle;
			judge(u, pending[u].front(),
			      { dut.tr_rsp_error_o >> u * 8 & 255u, pa,
				!!(dut.tr_rsp_sparse_o >> u & 1), !!(dut.tr_rsp_big_o >> u & 1) });
			pending[u].pop_front();
			progress = cycle;
		}
		if (dut.tr_valid_i & dut.tr_ready_o & 1u << u) {
			uint64_t va;
			memcpy(&va, reinterpret_cast<char *>(&dut.tr_va_i) + u * 8, 8);
			pending[u].push_back(make_request(vm[of[u]], va, dut.tr_write_i >> u & 1,
							  dut.tr_atomic_i >> u & 1));
			requests++;
			most_pending = std::max(most_pending, pending[u].size());
		}
	}
	size_t most_pending = 0;
	uint64_t latency = 0, progress = 0;

	// The third unit: a warp, and single requests beside it.
	struct {
		bool running;
		uint32_t mask;
		unsigned size;
		bool write;
		std::vector<Request> lane;
		uint64_t begin, cycles;
	} warp = {};
	unsigned long warps = 0, faults = 0;

	void start_warp(const std::vector<uint64_t> &va, uint32_t mask, unsigned size, bool write)
	{
		warp.running = true;
		warp.mask = mask;
		warp.size = size;
		warp.write = write;
		warp.lane.clear();
		warp.begin = cycle;
		for (unsigned l = 0; l < 32; l++) {
			warp.lane.push_back(make_request(vm[of[2]], va[l], write, false));
			memcpy(reinterpret_cast<char *>(&dut.va_i) + l * 8, &va[l], 8);
		}
		dut.mask_i = mask;
		dut.size_i = static_cast<uint8_t>(size);
		dut.write_i = write;
		dut.start_i = 1;
	}

	void drive_warp()
	{
		const bool inv = dut.inv_req_o >> 2 & 1;
		dut.start_i = 0;
		dut.take_i = 0;
		dut.drop_i = 0;
		if (warp.running) {
			dut.take_i = dut.valid_o && random.chance(700);
			return;
		}
		if (!units_on || !dut.free_o)
			return;
		if (pending[2].empty() && !dut.one_valid_i && random.chance(100)) {
			dut.drop_i = 1;
			set_vm(2, static_cast<unsigned>(random.below(VMS)));
			return;
		}
		if (inv || !random.chance(asks[2] * 10))
			return;
		std::vector<uint64_t> va(32);
		const auto size = static_cast<unsigned>(random.below(4));
		const uint64_t base = some_va();
		for (uint64_t &a : va) {
			a = random.chance(900) ? base ^ random.below(4096) :
			    random.chance(990) ? (base & ~0x7fffull) | random.below(0x8000) :
						 some_va();
			if (!random.chance(5))
				a &= ~0ull << size;
		}
		start_warp(va, random.chance(700) ? ~0u : static_cast<uint32_t>(random.next()),
			   size, random.chance(500));
	}

	void drive_one()
	{
		if (dut.one_valid_i || dut.inv_req_o >> 2 & 1 || !units_on || !pending[2].empty() ||
		    !random.chance(50))
			return;
		dut.one_valid_i = 1;
		dut.one_va_i = some_va();
	}

	void sample_warp()
	{
		if (dut.one_rsp_valid_o) {
			judge_loose(pending[2].front(), dut.one_rsp_error_o, dut.one_rsp_pa_o);
			pending[2].pop_front();
		}
		if (dut.one_valid_i && dut.one_ready_o) {
			pending[2].push_back(make_request(vm[of[2]], dut.one_va_i, false, false));
			one_taken = true;
		}
		if (!warp.running || !dut.valid_o || !dut.take_i)
			return;
		warp.running = false;
		warp.cycles = cycle - warp.begin;
		warps++;
		progress = cycle;
		judge_warp();
	}
	bool one_taken = false;

	/// Without the bits of the leaf, which this port does not show.
	void judge_loose(const Request &r, unsigned error, uint64_t pa)
	{
		for (unsigned bits = 0; bits < 4; bits++)
			if (allowed(vm[of[2]], r, { error, pa, !!(bits & 1), !!(bits & 2) }))
				return;
		judge(2, r, { error, pa, false, false });
	}

	void judge_warp()
	{
		for (unsigned l = 0; l < 32; l++) {
			const Request &r = warp.lane[l];
			if (!(warp.mask >> l & 1))
				continue;
			const bool odd = r.va & ((1u << warp.size) - 1);
			if (dut.error_o && dut.error_lane_o == l) {
				faults++;
				if (odd != (dut.error_o == FAA_ERROR_MISALIGNED))
					fail(cycle, "misaligned lane");
				if (dut.error_o != FAA_ERROR_BUS_ERROR &&
				    dut.error_address_o != r.va)
					fail(cycle, "address of a fault");
				if (!odd)
					judge_loose(r, dut.error_o, dut.error_address_o);
				return;
			}
			if (odd)
				fail(cycle, "a misaligned lane is no error");
			if (!dut.error_o) {
				uint64_t pa;
				memcpy(&pa, reinterpret_cast<char *>(&dut.pa_o) + l * 8, 8);
				judge_pa(r, pa, dut.sparse_o >> l & 1);
			} else {
				// A lane below that of the error must have had a good translation
				// at some moment.
				bool good = false;
				for (uint64_t when = version; !good; when--) {
					const Translation t = translate(vm[of[2]].root, r.va, when);
					good = !t.error &&
					       (!r.write || (t.entry & FAA_PTE_WRITABLE_MASK));
					if (when <= r.low)
						break;
				}
				if (!good)
					fail(cycle, "the error of lane " + std::to_string(l) +
							    " is missed");
			}
		}
		if (dut.error_o)
			fail(cycle, "an error of a lane that is not active");
	}

	void judge_pa(const Request &r, uint64_t pa, bool sparse)
	{
		if (!allowed(vm[of[2]], r, { FAA_ERROR_SUCCESS, pa, sparse, false }) &&
		    !allowed(vm[of[2]], r, { FAA_ERROR_SUCCESS, pa, sparse, true }))
			judge(2, r, { FAA_ERROR_SUCCESS, pa, sparse, false });
	}

	// ---- Memory ----

	struct Read {
		bool busy;
		uint64_t address, due;
	};
	std::vector<Read> reads;
	unsigned delay = 20, jitter = 40, ready = 700;
	size_t most_reads = 0;
	unsigned long lines = 0;

	void drive_memory()
	{
		std::vector<unsigned> due;
		dut.mem_req_ready_i = 0;
		dut.mem_rsp_valid_i = 0;
		for (unsigned n = 0; n < walks; n++) {
			if (random.chance(ready))
				dut.mem_req_ready_i =
					static_cast<uint8_t>(dut.mem_req_ready_i | 1u << n);
			if (reads[n].busy && reads[n].due <= cycle)
				due.push_back(n);
		}
		if (due.empty())
			return;
		const unsigned n = due[random.below(due.size())];
		for (unsigned i = 0; i < LINE_BYTES / 8; i++) {
			const uint64_t entry = entry_at(reads[n].address + i * 8, version);
			memcpy(reinterpret_cast<char *>(&dut.mem_rsp_rdata_i) + i * 8, &entry, 8);
		}
		dut.mem_rsp_valid_i = static_cast<uint8_t>(1u << n);
		dut.mem_rsp_err_i =
			static_cast<uint8_t>(bad_tables.count(reads[n].address & ~4095ull) << n |
					     (random.next() & ((1u << walks) - 1) & ~(1u << n)));
		reads[n].busy = false;
	}

	void sample_memory()
	{
		size_t busy = 0;
		for (unsigned n = 0; n < walks; n++) {
			if (dut.mem_req_valid_o & dut.mem_req_ready_i & 1u << n) {
				if (reads[n].busy)
					fail(cycle, "a walk with two reads");
				reads[n].busy = true;
				memcpy(&reads[n].address,
				       reinterpret_cast<char *>(&dut.mem_req_addr_o) + n * 8, 8);
				reads[n].due = cycle + delay + (jitter ? random.below(jitter) : 0);
				lines++;
			}
			busy += reads[n].busy;
		}
		most_reads = std::max(most_reads, busy);
	}

	// ---- A cycle ----

	void clock()
	{
		dut.clk_i = 1;
		dut.eval();
		dut.clk_i = 0;
		dut.eval();
		cycle++;
	}

	/// Outputs that follow from inputs of the same cycle settle with the second evaluation.
	void step()
	{
		drive_memory();
		drive_driver();
		for (unsigned u = 0; u < RAW; u++)
			drive_raw(u);
		drive_warp();
		drive_one();
		dut.eval();
		unsigned quiet = 0;
		for (unsigned u = 0; u < RAW; u++)
			quiet |= (pending[u].empty() && !(dut.tr_valid_i >> u & 1)) << u;
		if (dut.free_o && !dut.start_i && !dut.one_valid_i && dut.port_idle_o)
			quiet |= 4;
		dut.quiet_i = static_cast<uint8_t>(quiet);
		if (dut.inv_req_o & quiet & 4)
			dut.drop_i = 1;
		dut.eval();
		finish_cycle();
	}

	void finish_cycle()
	{
		for (unsigned u = 0; u < UNITS; u++) {
			hits += dut.hits_o >> u * 2 & 3;
			misses += dut.miss_o >> u & 1;
		}
		sample_memory();
		for (unsigned u = 0; u < RAW; u++)
			sample_raw(u);
		sample_warp();
		const uint8_t taken = dut.tr_valid_i & dut.tr_ready_o;
		clock();
		dut.tr_valid_i = dut.tr_valid_i & ~taken;
		if (one_taken)
			dut.one_valid_i = 0;
		one_taken = false;
		if (dut.start_i)
			dut.start_i = 0;
		dut.eval();
		if (cycle - progress > 20000)
			fail(cycle, "no progress");
	}

	void make_vms()
	{
		for (unsigned n = 0; n < VMS; n++) {
			vm[n].number = n < 2 ? n : 255 - n;
			vm[n].floor = 0;
			vm[n].root = make_table(3, 10);
		}
		reads.assign(walks, {});
		for (unsigned u = 0; u < UNITS; u++)
			set_vm(u, u % 2);
		move_places();
	}

	void run(unsigned long count)
	{
		while (requests < count) {
			if (random.below(5000) == 0)
				move_places();
			if (random.chance(2)) {
				for (unsigned &percent : asks)
					percent = random.chance(300) ?
							  100 :
							  static_cast<unsigned>(random.below(100));
			}
			if (random.chance(1)) {
				delay = 1 + static_cast<unsigned>(random.below(80));
				jitter = random.chance(300) ?
						 0 :
						 static_cast<unsigned>(random.below(100));
				ready = random.chance(300) ? 1000 : 400;
			}
			step();
		}
		drain();
	}

	/// Until no request is outstanding.
	void drain()
	{
		const bool units = units_on, tables_change = driver_on;
		units_on = false;
		driver_on = false;
		for (unsigned n = 0; n < 20000; n++) {
			bool busy = driver.busy || warp.running || dut.one_valid_i ||
				    dut.tr_valid_i || !dut.idle_o;
			for (auto &queue : pending)
				busy = busy || !queue.empty();
			if (!busy)
				break;
			step();
			if (n == 19999)
				fail(cycle, "the end does not come");
		}
		units_on = units;
		driver_on = tables_change;
		progress = cycle;
	}

	// ---- By the cycle ----

	/// A VM that maps `bytes` from 2^46 by 4 KiB pages, followed by 16 pages of 2 MiB.
	static constexpr uint64_t BASE = 1ull << 46, BIG = BASE + (1ull << 40);

	void make_plain(uint64_t bytes)
	{
		Vm &m = vm[0];
		const uint64_t level2 = new_table(), level1 = new_table(), big2 = new_table(),
			       big1 = new_table();
		m.root = new_table();
		m.number = 7;
		m.floor = ++version;
		m.retired.clear();
		m.completed.clear();
		put(m.root + index_of(BASE, 3) * 8, level2 | FAA_PTE_VALID_MASK);
		put(level2, level1 | FAA_PTE_VALID_MASK);
		for (uint64_t at = 0; at < bytes; at += 1 << 21) {
			const uint64_t table = new_table();
			put(level1 + index_of(at, 1) * 8, table | FAA_PTE_VALID_MASK);
			for (uint64_t n = 0; n < 512; n++)
				put(table + n * 8,
				    (at + n * 4096 + (1ull << 40)) | GOOD | FAA_PTE_WRITABLE_MASK);
		}
		put(m.root + index_of(BIG, 3) * 8, big2 | FAA_PTE_VALID_MASK);
		put(big2 + index_of(BIG, 2) * 8, big1 | FAA_PTE_VALID_MASK);
		for (uint64_t n = 0; n < 16; n++)
			put(big1 + n * 8, (1ull << 50 | n << 21) | GOOD | FAA_PTE_WRITABLE_MASK);
		for (unsigned u = 0; u < UNITS; u++)
			set_vm(u, 0);
		dut.drop_i = 1;
		dut.eval();
		clock();
	}

	void invalidate_all()
	{
		ask_invalidation(0, 0, ~0ull);
		while (driver.busy)
			step();
		drain();
	}

	/// Cycles of one request with no other in flight.
	uint64_t one(uint64_t va)
	{
		memcpy(reinterpret_cast<char *>(&dut.tr_va_i), &va, 8);
		dut.tr_valid_i = 1;
		dut.tr_write_i = 1;
		dut.tr_atomic_i = 0;
		do
			step();
		while (!pending[0].empty() || dut.tr_valid_i);
		drain();
		return latency;
	}

	/// Cycles of a warp with lanes at random addresses in `bytes`.
	uint64_t scattered(uint64_t bytes)
	{
		std::vector<uint64_t> va(32);
		for (uint64_t &a : va)
			a = BASE + (random.below(bytes) & ~7ull);
		drive_memory();
		start_warp(va, ~0u, 3, true);
		dut.eval();
		finish_cycle();
		while (warp.running) {
			drive_memory();
			dut.take_i = dut.valid_o;
			dut.eval();
			finish_cycle();
		}
		dut.take_i = 0;
		if (dut.error_o)
			fail(cycle, "an error in plain tables");
		return warp.cycles;
	}

	void expect(const char *what, uint64_t got, uint64_t want)
	{
		printf("# %s: %llu cycles\n", what, (unsigned long long)got);
		if (got != want)
			fail(cycle, std::string(what) + " takes " + std::to_string(got) +
					    " cycles, not " + std::to_string(want));
	}

	void pace(const char *what, uint64_t bytes, bool cold, double most)
	{
		const unsigned count = cold ? 50 : 400;
		uint64_t sum = 0, before = lines;
		invalidate_all();
		if (!cold)
			for (unsigned n = 0; n < 400; n++)
				scattered(bytes);
		before = lines;
		for (unsigned n = 0; n < count; n++) {
			if (cold)
				invalidate_all();
			sum += scattered(bytes);
		}
		printf("# %s: %.1f cycles a warp, %.2f lines read\n", what, double(sum) / count,
		       double(lines - before) / count);
		if (double(sum) / count > most)
			fail(cycle, std::string(what) + " takes too long");
	}

	void timed()
	{
		const uint64_t r = 100;
		units_on = false;
		driver_on = false;
		delay = static_cast<unsigned>(r);
		jitter = 0;
		ready = 1000;
		make_plain(64 << 20);
		invalidate_all();
		expect("four reads", one(BASE), WALK + 4 * (r + 2));
		expect("first level", one(BASE + 8), 2);
		expect("second level, its neighbour", one(BASE + 4096), 7);
		expect("one read, its table", one(BASE + 8 * 4096), WALK + r + 2);
		expect("one read, the table beside", one(BASE + (1 << 21)), WALK + r + 2);
		expect("two reads", one(BASE + (1 << 24)), WALK + 2 * (r + 2));
		expect("2 MiB: three reads", one(BIG), WALK + 3 * (r + 2));
		expect("2 MiB: first level", one(BIG + 0x123000), 2);
		expect("2 MiB: second level, its neighbour", one(BIG + (5 << 21)), 7);
		pace("32 lanes in 256 pages, after an invalidation", 256 << 12, true, PACE_COLD);
		pace("32 lanes in 256 pages", 256 << 12, false, 41);
		pace("32 lanes in 4096 pages", 4096 << 12, false, 43);
		pace("32 lanes in 16384 pages", 16384 << 12, false, PACE_WIDE);
	}
	static constexpr uint64_t WALK = 9;
	static constexpr double PACE_COLD = 810, PACE_WIDE = 490;
};

} // namespace

int main(int argc, char **argv)
{
	const unsigned long count = argc > 1 ? strtoul(argv[1], nullptr, 0) : 20000;
	const uint64_t seed = argc > 2 ? strtoull(argv[2], nullptr, 0) : 1;
	const auto walks = static_cast<unsigned>(argc > 3 ? strtoul(argv[3], nullptr, 0) : 8);
	const std::string last = argc > 4 ? argv[4] : "";

	Verilated::commandArgs(argc, argv);
	auto bench = std::make_unique<Bench>(seed, walks);
	bench->make_vms();
	bench->run(count);
	printf("# %llu cycles, %lu warps, %lu of them with a fault, %lu invalidations, %lu lines read, %lu hits, %lu walks\n",
	       (unsigned long long)bench->cycle, bench->warps, bench->faults, bench->invalidations,
	       bench->lines, bench->hits, bench->misses);
	printf("# answers by error:");
	for (unsigned n = 0; n < 32; n++)
		if (bench->answers[n])
			printf(" %u: %lu", n, bench->answers[n]);
	printf("\n# most reads at once: %zu of %u, most requests of a unit: %zu\n",
	       bench->most_reads, walks, bench->most_pending);
	if (bench->most_reads < walks || bench->most_pending < REQUESTS)
		fail(bench->cycle, "fewer requests were in flight than possible");
	if (last == "timed")
		bench->timed();
#if VM_COVERAGE
	else if (!last.empty())
		VerilatedCov::write(last.c_str());
#endif
	printf("ok 1 - %lu requests\n1 passed, 0 failed\n", count);
	return 0;
}
