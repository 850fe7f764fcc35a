// SPDX-License-Identifier: MIT
//
// The arithmetic unit alone against the host's arithmetic: every operation on every type that it is
// legal on, random and special operands, with and without FTZ, results taken at once or late.
//
// usage: alu_tb WARPS SEED

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "Vfaa_cu_alu.h"
#include "verilated.h"

#include "faa_isa.h"

static Vfaa_cu_alu *dut;
static std::mt19937_64 rng;

static void tick()
{
	dut->clk_i = 0;
	dut->eval();
	dut->clk_i = 1;
	dut->eval();
}

// One format: its bits, and the host's type for them.
template <class Bits, class Float, int kFraction> struct Format {
	static constexpr int kWidth = sizeof(Bits) * 8;
	static constexpr Bits kSign = Bits(1) << (kWidth - 1);
	static constexpr Bits kFractionMask = (Bits(1) << kFraction) - 1;
	static constexpr Bits kExponentMask = ~(kSign | kFractionMask);
	static constexpr Bits kNan = kExponentMask | (Bits(1) << (kFraction - 1));

	static bool nan(Bits x)
	{
		return (x & ~kSign) > kExponentMask;
	}

	static Bits flush(Bits x, bool ftz)
	{
		return ftz && !(x & kExponentMask) ? x & kSign : x;
	}

	static Float number(Bits x)
	{
		Float f;
		memcpy(&f, &x, sizeof(f));
		return f;
	}

	static Bits add(Bits a, Bits b, bool ftz)
	{
		Float sum = number(flush(a, ftz)) + number(flush(b, ftz));
		Bits bits;

		memcpy(&bits, &sum, sizeof(bits));
		return nan(bits) ? kNan : flush(bits, ftz);
	}

	static Bits min(Bits a, Bits b, bool ftz)
	{
		a = flush(a, ftz);
		b = flush(b, ftz);
		if (nan(a) || nan(b))
			return nan(a) && nan(b) ? kNan : nan(a) ? b : a;
		if (number(a) == number(b)) // zeros of both signs: the negative one
			return a | b;
		return number(a) < number(b) ? a : b;
	}

	static Bits max(Bits a, Bits b, bool ftz)
	{
		a = flush(a, ftz);
		b = flush(b, ftz);
		if (nan(a) || nan(b))
			return nan(a) && nan(b) ? kNan : nan(a) ? b : a;
		if (number(a) == number(b))
			return a & b;
		return number(a) < number(b) ? b : a;
	}

	static Bits expected(unsigned op, Bits a, Bits b, bool ftz)
	{
		switch (op) {
		case FAA_ALU_OP_ADD:
			return add(a, b, ftz);
		case FAA_ALU_OP_SUB:
			return add(a, b ^ kSign, ftz);
		case FAA_ALU_OP_MIN:
			return min(a, b, ftz);
		default:
			return max(a, b, ftz);
		}
	}

	static Bits operand()
	{
		Bits x = static_cast<Bits>(rng());

		switch (rng() % 8) {
		case 0:
			return x & (kSign | kFractionMask); // denormal
		case 1:
			return x & kSign;
		case 2:
			return x | kExponentMask; // NaN, mostly
		case 3:
			return (x & kSign) | kExponentMask;
		case 4: // exponents close to each other
			return (x & ~kExponentMask) | (kExponentMask / 2 & ~kFractionMask) |
			       (x & (Bits(7) << kFraction));
		case 5: // around the smallest normal number
			return x & (kSign | kFractionMask | (Bits(3) << kFraction));
		default:
			return x;
		}
	}
};

using F32 = Format<uint32_t, float, 23>;
using F64 = Format<uint64_t, double, 52>;

template <class Unsigned, class Signed>
static Unsigned integer(unsigned op, Unsigned a, Unsigned b, bool sign)
{
	const unsigned width = sizeof(Unsigned) * 8;
	const bool less = sign ? static_cast<Signed>(a) < static_cast<Signed>(b) : a < b;

	switch (op) {
	case FAA_ALU_OP_ADD:
		return a + b;
	case FAA_ALU_OP_SUB:
		return a - b;
	case FAA_ALU_OP_MIN:
		return less ? a : b;
	case FAA_ALU_OP_MAX:
		return less ? b : a;
	case FAA_ALU_OP_AND:
		return a & b;
	case FAA_ALU_OP_OR:
		return a | b;
	case FAA_ALU_OP_XOR:
		return a ^ b;
	case FAA_ALU_OP_SHL:
		return a << (b % width);
	case FAA_ALU_OP_SHR:
		return sign ? static_cast<Unsigned>(static_cast<Signed>(a) >> (b % width)) :
			      a >> (b % width);
	default:
		return a * b;
	}
}

static uint64_t expected(unsigned op, unsigned type, bool ftz, uint64_t a, uint64_t b)
{
	uint32_t a32 = static_cast<uint32_t>(a), b32 = static_cast<uint32_t>(b);

	switch (type) {
	case FAA_TYPE_F32:
		return F32::expected(op, a32, b32, ftz);
	case FAA_TYPE_F64:
		return F64::expected(op, a, b, ftz);
	case FAA_TYPE_U64:
	case FAA_TYPE_S64:
		return integer<uint64_t, int64_t>(op, a, b, type == FAA_TYPE_S64);
	default:
		return integer<uint32_t, int32_t>(op, a32, b32, type == FAA_TYPE_S32);
	}
}

static uint64_t operand(unsigned type)
{
	if (type == FAA_TYPE_F32)
		return F32::operand() | (rng() << 32); // the upper half does not count
	if (type == FAA_TYPE_F64)
		return F64::operand();
	return rng() % 4 ? rng() : rng() % 70 - 2;
}

// One warp; false if a lane is wrong.
static bool warp(unsigned op, unsigned type, bool ftz, unsigned *cycles)
{
	uint64_t a[32], b[32];

	for (int l = 0; l < 32; l++) {
		a[l] = operand(type);
		b[l] = rng() % 8 ? operand(type) :
				   a[l] ^ (rng() % 2 << (type == FAA_TYPE_F64 ? 63 : 31));
		for (int half = 0; half < 2; half++) {
			dut->a_i[l * 2 + half] = static_cast<uint32_t>(a[l] >> (32 * half));
			dut->b_i[l * 2 + half] = static_cast<uint32_t>(b[l] >> (32 * half));
		}
	}
	dut->op_i = static_cast<uint8_t>(op);
	dut->typ_i = static_cast<uint8_t>(type);
	dut->ftz_i = ftz;
	dut->valid_i = 1;
	for (*cycles = 0; !dut->done_o && *cycles < 100; ++*cycles)
		tick();
	for (uint64_t wait = rng() % 3; wait; wait--)
		tick();
	for (int l = 0; l < 32; l++) {
		uint64_t got = dut->result_o[l * 2] | uint64_t(dut->result_o[l * 2 + 1]) << 32;
		uint64_t want = expected(op, type, ftz, a[l], b[l]);

		if (!dut->done_o || got != want) {
			printf("# op %u type %u ftz %d lane %d: %#llx and %#llx give %#llx instead of %#llx\n",
			       op, type, ftz, l, (unsigned long long)a[l], (unsigned long long)b[l],
			       (unsigned long long)got, (unsigned long long)want);
			return false;
		}
	}
	dut->take_i = 1;
	tick();
	dut->take_i = 0;
	dut->valid_i = static_cast<uint8_t>(rng() % 2);
	if (!dut->valid_i)
		tick();
	return true;
}

int main(int argc, char **argv)
{
	static const unsigned types[] = { FAA_TYPE_U32, FAA_TYPE_S32, FAA_TYPE_U64,
					  FAA_TYPE_S64, FAA_TYPE_F32, FAA_TYPE_F64 };
	const long warps = argc > 1 ? atol(argv[1]) : 20000;
	unsigned cycles = 0, slowest = 0, fastest = 100;

	Verilated::commandArgs(argc, argv);
	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	dut = new Vfaa_cu_alu;
	dut->rst_ni = 0;
	tick();
	tick();
	dut->rst_ni = 1;
	for (long n = 0; n < warps; n++) {
		unsigned type = types[rng() % 6];
		bool is_float = type >= FAA_TYPE_F16;
		unsigned op = static_cast<unsigned>(
			rng() % (is_float				      ? FAA_ALU_OP_MAX + 1 :
				 type == FAA_TYPE_U32 || type == FAA_TYPE_S32 ? FAA_ALU_OP_MUL + 1 :
										FAA_ALU_OP_MUL));

		if (!warp(op, type, is_float && rng() % 2, &cycles)) {
			printf("not ok 1 - warp %ld\n0 passed, 1 failed\n", n);
			return 1;
		}
		slowest = cycles > slowest ? cycles : slowest;
		fastest = cycles < fastest ? cycles : fastest;
	}
	delete dut;
	printf("ok 1 - %ld warps, %u to %u cycles each\n1 passed, 0 failed\n", warps, fastest,
	       slowest);
	return 0;
}
