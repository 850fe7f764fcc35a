// SPDX-License-Identifier: Apache-2.0
//
// Shared memory unit against a loop over lanes written from the seed's table.
//
// usage: shared_tb [WARPS [SEED]]
//
// Random warps of every operation and size, with address patterns from conflict-free to all lanes on one word, random
// stalls on both sides. Compares every answer, the passes of every warp, and at the end the whole memory.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "Vfaa_shared.h"
#include "verilated.h"

#include "faa_isa.h"

static constexpr uint32_t kBytes = 16384;
static constexpr int kLoad = 0, kStore = 1, kAtomic = 2;

struct Warp {
	int func;
	int op;
	int type;
	bool result;
	uint32_t mask;
	uint32_t addr[32];
	uint64_t b[32], c[32];
	uint64_t expect[32];
	unsigned passes;
};

static std::mt19937_64 rng;
static uint8_t ref_mem[kBytes];
static Vfaa_shared *dut;
static uint64_t cycle, passes_seen, passes_expected, warps_done;
static unsigned failures;

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
		return 8;
	default:
		return 4;
	}
}

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

// One lane of an atomic operation, word by word as the seed's table has it. Returns Rd.
static uint64_t atomic(int op, int type, uint32_t addr, uint64_t b, uint64_t c)
{
	unsigned size = type_size(type);
	uint64_t mask = size == 8 ? ~0ull : 0xffffffffull;
	uint64_t m = peek(addr, size), n = m, rd = m;

	b &= mask;
	c &= mask;
	bool sign = type == FAA_TYPE_S32;
	bool less = sign ? (int32_t)m < (int32_t)b : m < b;

	switch (op) {
	case FAA_ATOMS_OP_ADD:
		n = m + b;
		break;
	case FAA_ATOMS_OP_MIN:
		n = less ? m : b;
		break;
	case FAA_ATOMS_OP_MAX:
		n = less ? b : m;
		break;
	case FAA_ATOMS_OP_INC:
		n = m >= b ? 0 : m + 1;
		break;
	case FAA_ATOMS_OP_DEC:
		n = (m == 0 || m > b) ? b : m - 1;
		break;
	case FAA_ATOMS_OP_AND:
		n = m & b;
		break;
	case FAA_ATOMS_OP_OR:
		n = m | b;
		break;
	case FAA_ATOMS_OP_XOR:
		n = m ^ b;
		break;
	case FAA_ATOMS_OP_EXCH:
		n = b;
		break;
	case FAA_ATOMS_OP_CAS:
		n = m == b ? c : m;
		break;
	default:
		n = m == b ? c : m;
		rd = m == b;
		break;
	}
	poke(addr, size, n & mask);
	return rd;
}

static void run_reference(Warp &w)
{
	unsigned size = type_size(w.type);
	unsigned load[32] = {};
	uint32_t tried = 0;

	w.passes = 0;
	for (int l = 0; l < 32; l++) {
		w.expect[l] = 0;
		if (!(w.mask >> l & 1))
			continue;
		uint32_t a = w.addr[l];
		unsigned bank = bank_of(a);
		if (size == 8)
			bank &= ~1u;
		if (w.func == kAtomic && w.op == FAA_ATOMS_OP_CAST_SPIN) {
			w.passes = 1;
			if (tried >> bank & 1)
				continue;
			tried |= 1u << bank;
		} else if (++load[bank] > w.passes) {
			w.passes = load[bank];
		}
		if (w.func == kLoad) {
			uint64_t v = peek(a, size);
			if (w.type == FAA_TYPE_S8)
				v = (uint32_t)(int32_t)(int8_t)v;
			else if (w.type == FAA_TYPE_S16)
				v = (uint32_t)(int32_t)(int16_t)v;
			w.expect[l] = v;
		} else if (w.func == kStore) {
			poke(a, size, w.b[l]);
		} else {
			w.expect[l] = atomic(w.op, w.type, a, w.b[l], w.c[l]);
		}
	}
}

static uint32_t pick(uint32_t n)
{
	return (uint32_t)(rng() % n);
}

static Warp random_warp()
{
	static const int load_types[] = { FAA_TYPE_U8,	FAA_TYPE_U16, FAA_TYPE_U32,
					  FAA_TYPE_U64, FAA_TYPE_S8,  FAA_TYPE_S16 };
	Warp w;

	memset(&w, 0, sizeof(w));
	w.func = pick(4) ? kAtomic : pick(2);
	if (w.func == kLoad) {
		w.type = load_types[pick(6)];
		w.result = true;
	} else if (w.func == kStore) {
		w.type = load_types[pick(4)];
	} else {
		// Beyond the seed's table the unit is orthogonal, so all operations are tried with all types.
		static const int types[] = { FAA_TYPE_U32, FAA_TYPE_S32, FAA_TYPE_U64 };
		w.op = pick(12);
		w.type = types[pick(3)];
		w.result = pick(2);
	}
	unsigned size = type_size(w.type);
	do {
		w.mask = pick(3) ? 0xffffffffu : (uint32_t)rng();
	} while (!w.mask);
	unsigned pattern = pick(7);
	uint32_t base = pick(kBytes), range = 1u << pick(14), stride = 1u << pick(10);
	for (int l = 0; l < 32; l++) {
		uint32_t a;
		switch (pattern) {
		case 0:
			a = pick(kBytes);
			break;
		case 1:
			a = base;
			break;
		case 2:
			a = base + l * size;
			break;
		case 3:
			a = base + l * stride;
			break;
		case 4:
			a = pick(2) ? base : pick(kBytes);
			break;
		default:
			a = base + pick(range);
			break;
		}
		w.addr[l] = (a % kBytes) & ~(size - 1);
		// Small values make comparisons succeed often.
		w.b[l] = pick(2) ? pick(4) : rng();
		w.c[l] = pick(2) ? pick(4) : rng();
	}
	return w;
}

static void drive(const Warp &w)
{
	dut->warp_func_i = w.func;
	dut->warp_op_i = w.op;
	dut->warp_typ_i = w.type;
	dut->warp_result_i = w.result;
	dut->warp_mask_i = w.mask;
	dut->warp_tag_i = w.op;
	memset(&dut->warp_addr_i, 0, sizeof(dut->warp_addr_i));
	for (int l = 0; l < 32; l++) {
		for (int i = 0; i < 3; i++)
			((uint8_t *)&dut->warp_addr_i)[l * 3 + i] = (uint8_t)(w.addr[l] >> (8 * i));
		memcpy((uint8_t *)&dut->warp_b_i + l * 8, &w.b[l], 8);
		memcpy((uint8_t *)&dut->warp_c_i + l * 8, &w.c[l], 8);
	}
}

static void check_result(const Warp &w)
{
	for (int l = 0; l < 32; l++) {
		uint64_t got;
		memcpy(&got, (uint8_t *)&dut->result_o + l * 8, 8);
		if (got != w.expect[l] && failures++ < 10)
			printf("# cycle %llu: func %d op %d type %d lane %d address %#x: got %#llx, expected %#llx\n",
			       (unsigned long long)cycle, w.func, w.op, w.type, l, w.addr[l],
			       (unsigned long long)got, (unsigned long long)w.expect[l]);
	}
}

static void tick()
{
	dut->clk_i = 0;
	dut->eval();
	dut->clk_i = 1;
	dut->eval();
	cycle++;
}

// Feeds the warps through the unit; stall_percent slows down both sides.
static void run(std::deque<Warp> &todo, unsigned stall_percent)
{
	std::deque<Warp> results;
	bool valid = false;
	uint64_t limit = cycle + todo.size() * 200 + 1000;

	while (!todo.empty() || !dut->idle_o) {
		if (!valid && !todo.empty() && pick(100) >= stall_percent) {
			drive(todo.front());
			valid = true;
		}
		dut->warp_valid_i = valid;
		dut->result_ready_i = pick(100) >= stall_percent;
		dut->clk_i = 0;
		dut->eval();
		bool taken = valid && dut->warp_ready_o;
		if (dut->result_valid_o && dut->result_ready_i) {
			check_result(results.front());
			results.pop_front();
		}
		passes_seen += dut->pass_o;
		warps_done += dut->done_o;
		dut->clk_i = 1;
		dut->eval();
		cycle++;
		if (taken) {
			valid = false;
			run_reference(todo.front());
			passes_expected += todo.front().passes;
			if (todo.front().result)
				results.push_back(todo.front());
			todo.pop_front();
		}
		dut->warp_valid_i = 0;
		dut->eval();
		if (cycle > limit) {
			printf("# cycle %llu: the unit does not finish\n",
			       (unsigned long long)cycle);
			failures++;
			return;
		}
	}
}

static void fill_and_compare(bool fill)
{
	std::deque<Warp> todo;

	for (uint32_t a = 0; a < kBytes; a += 128) {
		Warp w;
		memset(&w, 0, sizeof(w));
		w.func = fill ? kStore : kLoad;
		w.type = FAA_TYPE_U32;
		w.mask = 0xffffffffu;
		w.result = !fill;
		for (int l = 0; l < 32; l++) {
			w.addr[l] = a + l * 4;
			w.b[l] = pick(4);
		}
		todo.push_back(w);
	}
	run(todo, 0);
}

int main(int argc, char **argv)
{
	unsigned long warps = argc > 1 ? strtoul(argv[1], nullptr, 0) : 100000;
	unsigned long seed = argc > 2 ? strtoul(argv[2], nullptr, 0) : 1;
	uint64_t start;

	Verilated::commandArgs(argc, argv);
	rng.seed(seed);
	dut = new Vfaa_shared;
	dut->rst_ni = 0;
	for (int i = 0; i < 4; i++)
		tick();
	dut->rst_ni = 1;
	tick();

	printf("# seed %lu, %lu warps\n", seed, warps);
	fill_and_compare(true);
	unsigned long left = warps;
	while (left) {
		std::deque<Warp> todo;
		unsigned n = left < 1000 ? left : 1000;
		for (unsigned i = 0; i < n; i++)
			todo.push_back(random_warp());
		left -= n;
		run(todo, left / 1000 % 3 * 30);
	}
	fill_and_compare(false);
	printf("%s 1 - answers and memory of %lu warps\n", failures ? "not ok" : "ok", warps);
	bool passes_ok = passes_seen == passes_expected;
	if (!passes_ok)
		printf("# %llu passes, expected %llu\n", (unsigned long long)passes_seen,
		       (unsigned long long)passes_expected);
	printf("%s 2 - passes\n", passes_ok ? "ok" : "not ok");

	// Throughput: reduction warps without conflicts follow each other every cycle.
	std::deque<Warp> todo;
	for (int i = 0; i < 1000; i++) {
		Warp w = random_warp();
		w.func = kAtomic;
		w.op = FAA_ATOMS_OP_ADD;
		w.type = FAA_TYPE_U32;
		w.result = false;
		w.mask = 0xffffffffu;
		for (int l = 0; l < 32; l++)
			w.addr[l] = (i % 64 * 128 + l * 4) % kBytes;
		todo.push_back(w);
	}
	start = cycle;
	run(todo, 0);
	bool fast = cycle - start <= 1000 + 8;
	printf("%s 3 - one warp per cycle without conflicts: %llu cycles for 1000 warps\n",
	       fast ? "ok" : "not ok", (unsigned long long)(cycle - start));
	delete dut;
	unsigned bad = (failures != 0) + !passes_ok + !fast;
	printf("1..3\n%u passed, %u failed\n", 3 - bad, bad);
	return bad != 0;
}
