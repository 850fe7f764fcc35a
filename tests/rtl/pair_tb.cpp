// SPDX-License-Identifier: Apache-2.0
//
// A pair of shared memory banks against a loop over operations written from the specification.
//
// usage: pair_tb [OPERATIONS [SEED]]
//
// Random sequences of loads, stores and every atomic operation on every type and mode, on few rows
// so that they collide often, with random idle cycles and 64-bit operations among 32-bit ones.
// Compares every answer and its cycle, the memory at the end, and in each cycle whether a head is
// taken: at once, but after a late operation (faa_shared_pair) on its word only when the result is
// known. The testbench makes the new words of choices, which are granted at random and take as long
// as a sum. Then measures a few streams.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "Vfaa_shared_pair.h"
#include "verilated.h"

#include "faa_isa.h"
#include "float_ref.h"

static constexpr int kRowBits = 9, kRows = 1 << kRowBits, kUsed = 8;
static constexpr int kAddLatency = 2;	 // faa_float_pkg::ADD_LATENCY
static constexpr int kAnswerLatency = 3; // cycles from taking an operation to its answer
static constexpr int kLoad = 0, kStore = 1, kAtomic = 2, kChoice = 3;

struct Op {
	int func, op, type, mod;
	bool want, swap, wide;
	unsigned row, byte;
	uint32_t b[2], c[2]; // per bank
	uint32_t answer[2];
	bool late;
	int64_t taken;	 // in this cycle
	bool unknown;	 // the answer is not checked
	uint32_t chosen; // kChoice: the new word
};

static std::mt19937_64 rng;
static Vfaa_shared_pair *dut;
static uint32_t memory[2][kRows];
static std::deque<Op> queue[2], waiting[2]; // not taken; taken and without an answer
static bool valid[2];
static int64_t cycle, last_late[2][kRows], first_answer, last_answer;
static uint64_t failures, answers, hazards;
static unsigned idle_percent, refuse_percent;
static std::deque<uint32_t> chosen(kAddLatency); // choice_i of the cycles to come
static Op asked[2][2];				 // choices taken one cycle before, and two
static bool was_asked[2][2];
static unsigned granted; // choice_grant_i of the next cycle
static int waited[2];	 // cycles for which a choice has been at the head

static void complain(const char *what, const Op &o, int bank, uint64_t got, uint64_t want)
{
	if (failures++ < 20)
		printf("not ok - %s: func %d op %d type %d mod %d bank %d row %u, cycle %lld: got 0x%llx, want 0x%llx\n",
		       what, o.func, o.op, o.type, o.mod, bank, o.row, (long long)cycle,
		       (unsigned long long)got, (unsigned long long)want);
}

static uint32_t pick(uint32_t n)
{
	return (uint32_t)(rng() % n);
}

static unsigned type_size(int type)
{
	switch (type) {
	case FAA_TYPE_U8:
	case FAA_TYPE_S8:
		return 1;
	case FAA_TYPE_U16:
	case FAA_TYPE_S16:
	case FAA_TYPE_F16:
	case FAA_TYPE_BF16:
		return 2;
	case FAA_TYPE_U64:
	case FAA_TYPE_S64:
	case FAA_TYPE_F64:
		return 8;
	default:
		return 4;
	}
}

static const float_ref::Format *format_of(int type)
{
	switch (type) {
	case FAA_TYPE_F32:
		return &float_ref::f32;
	case FAA_TYPE_F64:
		return &float_ref::f64;
	case FAA_TYPE_F16X2:
		return &float_ref::f16;
	case FAA_TYPE_BF16X2:
		return &float_ref::bf16;
	default:
		return nullptr;
	}
}

// ADD, MIN and MAX on floating-point types.
static uint64_t float_op(int op, int type, bool ftz, uint64_t m, uint64_t b)
{
	const float_ref::Format &f = *format_of(type);

	if (f.bits == 16)
		return op == FAA_ATOMS_OP_ADD ?
			       float_ref::add_x2(f, m, b, ftz) :
			       float_ref::best_x2(f, m, b, ftz, op == FAA_ATOMS_OP_MAX);
	return op == FAA_ATOMS_OP_ADD ? float_ref::add(f, m, b, ftz) :
					float_ref::best(f, m, b, ftz, op == FAA_ATOMS_OP_MAX);
}

// New value of M; steps is the number of INC or DEC steps.
static uint64_t integer_op(int op, int type, uint64_t m, uint64_t b, uint64_t c, unsigned steps)
{
	bool is_signed = type == FAA_TYPE_S32 || type == FAA_TYPE_S64, less = m < b;

	if (is_signed)
		less = type == FAA_TYPE_S32 ? (int32_t)m < (int32_t)b : (int64_t)m < (int64_t)b;
	switch (op) {
	case FAA_ATOMS_OP_ADD:
		return m + b;
	case FAA_ATOMS_OP_MIN:
		return less ? m : b;
	case FAA_ATOMS_OP_MAX:
		return less ? b : m;
	case FAA_ATOMS_OP_INC:
		while (steps--)
			m = m >= b ? 0 : m + 1;
		return m;
	case FAA_ATOMS_OP_DEC:
		while (steps--)
			m = m == 0 || m > b ? b : m - 1;
		return m;
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

// Operands that are interesting for this M.
static void choose_operands(const Op &o, uint64_t m, uint64_t *b, uint64_t *c, unsigned *steps)
{
	const float_ref::Format *f = o.func == kAtomic ? format_of(o.type) : nullptr;
	uint64_t mask = o.wide ? ~0ull : 0xffffffffull;

	*b = (pick(3) ? rng() : pick(8) ? pick(8) : ~0ull - pick(3)) & mask;
	*c = (pick(2) ? rng() : *b) & mask;
	*steps = o.wide ? 1 : 1 + pick(pick(2) ? 2 : 40);
	if (f) {
		uint64_t low, high = 0, other;
		float_ref::random_terms(*f, rng, &low, &other);
		if (f->bits == 16)
			float_ref::random_terms(*f, rng, &high, &other);
		*b = low | high << 16;
		// Cancellation, denormal results and chains of similar values.
		if (!pick(4))
			*b = m ^ (f->bits == 16 ? 0x80008000ull : f->sign()) ^ pick(8);
	} else if (!pick(3)) {
		*b = (m + pick(3) - 1) & mask;
	}
	// The number of steps modulo b + 1, or from 1 to b + 1.
	if (o.func == kAtomic && (o.op == FAA_ATOMS_OP_INC || o.op == FAA_ATOMS_OP_DEC)) {
		*c = *b + 1 == 0 ? *steps : *steps % (*b + 1);
		if (*c == 0 && pick(2))
			*c = *b + 1;
	}
}

// Executes the operation on the reference memory and records the answer.
static void execute(Op &o, int bank, uint64_t b, uint64_t c, unsigned steps)
{
	uint32_t *low = &memory[o.wide ? o.swap : bank][o.row],
		 *high = &memory[o.wide ? !o.swap : bank][o.row];
	uint64_t m = o.wide ? *low | (uint64_t)*high << 32 : *low, n = m, answer = m;
	bool cast = o.op == FAA_ATOMS_OP_CAST || o.op == FAA_ATOMS_OP_CAST_SPIN;

	if (o.func == kChoice) {
		n = o.chosen;
	} else if (o.func == kStore) {
		unsigned bits = 8 * type_size(o.type);
		uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
		n = (m & ~(mask << o.byte * 8)) | (b & mask) << o.byte * 8;
	} else if (o.func == kAtomic) {
		n = format_of(o.type) ? float_op(o.op, o.type, o.mod & FAA_FLOAT_MODE_FTZ, m, b) :
					integer_op(o.op, o.type, m, b, c, steps);
		if (cast)
			answer = m == b;
	}
	*low = (uint32_t)n;
	if (o.wide)
		*high = (uint32_t)(n >> 32);
	for (int h = 0; h < 2; h++) {
		int shift = o.wide && h != o.swap ? 32 : 0;
		o.answer[h] = (uint32_t)(answer >> shift);
		o.b[h] = (uint32_t)(b >> shift);
		o.c[h] = (uint32_t)(c >> shift);
	}
}

// Appends an operation to the queue of a bank, or of both.
static void push(Op o, int bank)
{
	uint64_t m = 0, b, c;
	unsigned steps;

	o.wide = type_size(o.type) == 8;
	if (o.wide)
		m = memory[o.swap][o.row] | (uint64_t)memory[!o.swap][o.row] << 32;
	else
		m = memory[bank][o.row];
	o.late = o.func == kChoice || (o.func == kAtomic && format_of(o.type) &&
				       (o.op == FAA_ATOMS_OP_ADD ||
					(o.op <= FAA_ATOMS_OP_MAX && o.type != FAA_TYPE_F32)));
	choose_operands(o, m, &b, &c, &steps);
	execute(o, bank, b, c, steps);
	for (int h = 0; h < 2; h++)
		if (o.wide || h == bank)
			queue[h].push_back(o);
}

struct Profile {
	unsigned rows, wide, adding, atomic, choices; // rows; the others in percent
};

static Op random_op(const Profile &p)
{
	static const int all[] = { FAA_TYPE_U32,    FAA_TYPE_S32, FAA_TYPE_F32, FAA_TYPE_F16X2,
				   FAA_TYPE_BF16X2, FAA_TYPE_U64, FAA_TYPE_S64, FAA_TYPE_F64 };
	static const int narrow_items[] = { FAA_TYPE_U8, FAA_TYPE_S16, FAA_TYPE_U32, FAA_TYPE_F16,
					    FAA_TYPE_U16 };
	Op o = {};
	bool wide = pick(100) < p.wide;

	o.row = pick(p.rows);
	o.want = pick(2);
	o.swap = pick(2);
	o.mod = (int)pick(4);
	if (pick(100) >= p.atomic) {
		o.func = (int)pick(2);
		o.type = wide ? (pick(2) ? FAA_TYPE_U64 : FAA_TYPE_F64) : narrow_items[pick(5)];
		o.op = (int)pick(12);
		if (!wide)
			o.byte = pick(4) & ~(type_size(o.type) - 1);
		return o;
	}
	if (!wide && pick(100) < p.choices) {
		o.func = kChoice;
		o.op = FAA_ATOMS_OP_CAS + (int)pick(2);
		o.type = all[pick(2)];
		o.chosen = (uint32_t)rng();
		return o;
	}
	o.func = kAtomic;
	o.op = (int)pick(12);
	if (pick(100) < p.adding)
		o.op = FAA_ATOMS_OP_ADD;
	if (o.op == FAA_ATOMS_OP_INC || o.op == FAA_ATOMS_OP_DEC)
		o.type = wide ? FAA_TYPE_U64 : FAA_TYPE_U32;
	else if (o.op <= FAA_ATOMS_OP_MAX)
		o.type = wide ? all[5 + pick(3)] : all[pick(5)];
	else
		o.type = wide ? all[5 + pick(2)] : all[pick(2)];
	if (o.op == FAA_ATOMS_OP_ADD && pick(100) < p.adding)
		o.type = wide ? FAA_TYPE_F64 : all[2 + pick(3)];
	return o;
}

// Whether the head of a bank may be taken in this cycle, by its own bank's late operations.
static bool is_free(int h)
{
	return cycle >= kAddLatency + last_late[h][queue[h].front().row];
}

/// Grants one of the requests, or none, in the next cycle.
static void grant()
{
	unsigned want = 0;

	for (int h = 0; h < 2; h++) {
		bool asks = valid[h] && queue[h].front().func == kChoice && !(granted >> h & 1);

		waited[h] = asks ? waited[h] + 1 : 0;
		if (waited[h] >= kAddLatency - 1)
			want |= 1u << h;
	}
	if (dut->choice_req_o != want)
		complain("choice_req", queue[0].empty() ? queue[1].front() : queue[0].front(), 0,
			 dut->choice_req_o, want);
	if (want == 3)
		want = 1 + pick(2);
	granted = pick(100) < refuse_percent ? 0 : want;
}

/// In stage C a choice shows the old word; its new value comes kAddLatency cycles later.
static void answer_choices()
{
	dut->choice_i = chosen.front();
	chosen.pop_front();
	chosen.push_back((uint32_t)rng());
	for (int h = 0; h < 2; h++) {
		if (was_asked[h][1])
			chosen.back() = asked[h][1].chosen;
	}
}

static void check_words()
{
	for (int h = 0; h < 2; h++) {
		uint32_t word = (uint32_t)(dut->word_o >> h * 32);
		if (was_asked[h][1] && word != asked[h][1].answer[h])
			complain("word of a choice", asked[h][1], h, word, asked[h][1].answer[h]);
		was_asked[h][1] = was_asked[h][0];
		asked[h][1] = asked[h][0];
		was_asked[h][0] = false;
	}
}

static void drive()
{
	answer_choices();
	// With nothing valid the inputs may be anything.
	for (int h = 0; h < 2; h++) {
		static const Op none = {};
		if (!valid[h])
			valid[h] = !queue[h].empty() && pick(100) >= idle_percent;
		const Op &o = queue[h].empty() ? none : queue[h].front();
		auto put = [h](auto &port, int bits, uint32_t value) {
			uint64_t mask = bits == 32 ? 0xffffffff : (1ull << bits) - 1;
			port = (port & ~(mask << h * bits)) | (uint64_t)value << h * bits;
		};
		put(dut->head_valid_i, 1, valid[h]);
		put(dut->head_func_i, 2, o.func);
		put(dut->head_op_i, 8, o.op);
		put(dut->head_typ_i, 4, o.type);
		put(dut->head_mod_i, 2, o.mod);
		put(dut->head_want_i, 1, o.want);
		put(dut->head_swap_i, 1, o.swap);
		put(dut->head_row_i, kRowBits, o.row);
		put(dut->head_byte_i, 2, o.byte);
		put(dut->head_b_i, 32, o.b[h]);
		put(dut->head_c_i, 32, o.c[h]);
	}
	dut->choice_grant_i = granted;
	dut->eval();
	grant();
}

static void take()
{
	bool free[2], hazard = false;

	check_words();
	for (int h = 0; h < 2; h++) {
		bool choice = valid[h] && queue[h].front().func == kChoice;

		free[h] = choice ? dut->choice_grant_i >> h & 1 : valid[h] && is_free(h);
		if (choice && free[h] && !is_free(h))
			complain("granted too early", queue[h].front(), h, 1, 0);
		hazard |= valid[h] && !free[h];
	}
	hazards += hazard;
	if (dut->ev_hazard_o != hazard)
		complain("ev_hazard", queue[0].empty() ? queue[1].front() : queue[0].front(), 0,
			 dut->ev_hazard_o, hazard);
	bool both = free[0] && free[1] && queue[0].front().wide && queue[1].front().wide;
	for (int h = 0; h < 2; h++) {
		bool taken = free[h] && (both || !queue[h].front().wide);
		if ((dut->head_ready_o >> h & 1) != taken)
			complain("head_ready", queue[h].empty() ? Op{} : queue[h].front(), h,
				 dut->head_ready_o >> h & 1, taken);
		if (!taken)
			continue;
		Op &o = queue[h].front();
		o.taken = cycle;
		if (o.late)
			last_late[h][o.row] = cycle;
		if (o.func == kChoice) {
			asked[h][0] = o;
			was_asked[h][0] = true;
		}
		waiting[h].push_back(o);
		queue[h].pop_front();
		valid[h] = false;
	}
}

static void receive()
{
	for (int h = 0; h < 2; h++) {
		if (!(dut->rsp_valid_o >> h & 1))
			continue;
		if (waiting[h].empty()) {
			complain("answer to nothing", Op{}, h, 1, 0);
			continue;
		}
		const Op &o = waiting[h].front();
		uint32_t word = (uint32_t)(dut->rsp_word_o >> h * 32);
		if (word != o.answer[h] && !o.unknown)
			complain("answer", o, h, word, o.answer[h]);
		if ((dut->rsp_want_o >> h & 1) != o.want)
			complain("want", o, h, !o.want, o.want);
		if (cycle != o.taken + kAnswerLatency)
			complain("cycles to the answer", o, h, cycle - o.taken, kAnswerLatency);
		if (!answers++)
			first_answer = cycle;
		last_answer = cycle;
		waiting[h].pop_front();
	}
}

static void step()
{
	drive();
	take();
	receive();
	dut->clk_i = 1;
	dut->eval();
	dut->clk_i = 0;
	dut->eval();
	cycle++;
}

static void run_until_empty()
{
	while (!queue[0].empty() || !queue[1].empty())
		step();
	for (int n = 0; n < 8; n++)
		step();
	for (int h = 0; h < 2; h++)
		if (!waiting[h].empty())
			complain("operations without an answer", waiting[h].front(), h,
				 waiting[h].size(), 0);
}

// Loads every used row, which compares it with the reference memory.
static void compare_memory()
{
	for (int h = 0; h < 2; h++) {
		for (unsigned row = 0; row < kUsed; row++) {
			Op o = {};
			o.type = FAA_TYPE_U32;
			o.row = row;
			push(o, h);
		}
	}
	run_until_empty();
}

static void random_phase(unsigned operations)
{
	Profile p = { 1 + pick(kUsed), pick(3) ? pick(100) : 0, pick(100), 40 + pick(61),
		      pick(2) * pick(100) };

	idle_percent = pick(2) ? 0 : pick(80);
	refuse_percent = pick(2) * pick(80);
	for (unsigned n = 0; n < operations; n++) {
		push(random_op(p), (int)pick(2));
		if (queue[0].size() > 16 || queue[1].size() > 16)
			step();
	}
	run_until_empty();
}

// Cycles from the first to the last answer of `count` operations on bank 0 (or the pair).
static int64_t measure(int func, int op, int type, unsigned rows, unsigned count,
		       bool loads_between)
{
	idle_percent = refuse_percent = 0;
	answers = 0;
	for (unsigned n = 0; n < count; n++) {
		Op o = {};
		o.func = loads_between && n % 2 ? kLoad : func;
		o.op = op;
		o.type = type;
		o.row = n % rows;
		push(o, 0);
	}
	run_until_empty();
	return last_answer - first_answer;
}

static void expect_cycles(const char *what, int64_t got, int64_t want)
{
	printf("%s%s: %lld cycles, expected %lld\n", got == want ? "" : "not ok - ", what,
	       (long long)got, (long long)want);
	failures += got != want;
}

static void measure_streams()
{
	static const int adding[] = { FAA_TYPE_F32, FAA_TYPE_F16X2, FAA_TYPE_BF16X2, FAA_TYPE_F64 };

	for (int op = FAA_ATOMS_OP_ADD; op <= FAA_ATOMS_OP_CAST_SPIN; op++) {
		expect_cycles("101 operations on a U32",
			      measure(kAtomic, op, FAA_TYPE_U32, 1, 101, false), 100);
		expect_cycles("101 operations on a U64",
			      measure(kAtomic, op, FAA_TYPE_U64, 1, 101, false), 100);
	}
	expect_cycles("101 stores to a word", measure(kStore, 0, FAA_TYPE_U16, 1, 101, false), 100);
	expect_cycles("202 stores and loads of a word",
		      measure(kStore, 0, FAA_TYPE_U64, 1, 202, true), 201);
	expect_cycles("101 choices on a word",
		      measure(kChoice, FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 1, 101, false),
		      100 * kAddLatency);
	expect_cycles("101 choices on four words",
		      measure(kChoice, FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 4, 101, false),
		      100 * kAddLatency);
	for (int type : adding) {
		expect_cycles("101 floating-point MIN on a word",
			      measure(kAtomic, FAA_ATOMS_OP_MIN, type, 1, 101, false),
			      type == FAA_TYPE_F32 ? 100 : 100 * kAddLatency);
		expect_cycles("101 floating-point ADD on a word",
			      measure(kAtomic, FAA_ATOMS_OP_ADD, type, 1, 101, false),
			      100 * kAddLatency);
		expect_cycles("101 floating-point ADD on four words",
			      measure(kAtomic, FAA_ATOMS_OP_ADD, type, 4, 101, false), 100);
		expect_cycles("101 times ADD and load by turns",
			      measure(kAtomic, FAA_ATOMS_OP_ADD, type, 1, 202, true),
			      101 * (kAddLatency + 1) - 1);
	}
}

int main(int argc, char **argv)
{
	uint64_t operations = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1000000;

	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	Verilated::commandArgs(argc, argv);
	dut = new Vfaa_shared_pair;
	std::fill_n(&last_late[0][0], 2 * kRows, -100);
	dut->rst_ni = 0;
	dut->head_valid_i = 0;
	for (int n = 0; n < 8; n++) {
		dut->clk_i = !dut->clk_i;
		dut->eval();
	}
	dut->clk_i = 0;
	dut->rst_ni = 1;
	// The initial content of the RAM is unknown, so the first answers are, too.
	for (unsigned n = 0; n < 2 * kUsed; n++) {
		Op o = {};
		o.func = kStore;
		o.type = FAA_TYPE_U32;
		o.row = n / 2;
		o.unknown = true;
		push(o, n % 2);
	}
	run_until_empty();
	for (uint64_t done = 0; done < operations; done += 2000) {
		random_phase(2000);
		compare_memory();
	}
	measure_streams();
	compare_memory();
	printf("%llu operations in %lld cycles, %llu cycles with a hazard, %llu failures\n",
	       (unsigned long long)operations, (long long)cycle, (unsigned long long)hazards,
	       (unsigned long long)failures);
	delete dut;
	return failures != 0;
}
