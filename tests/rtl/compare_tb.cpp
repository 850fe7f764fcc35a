// SPDX-License-Identifier: MIT
//
// SETP's comparison alone against the host's: every comparison on every type that it is legal on,
// of random and special operands that often are equal or nearly so.
//
// usage: compare_tb WARPS SEED

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "Vfaa_cu_compare.h"
#include "verilated.h"

#include "faa_isa.h"

static std::mt19937_64 rng;

template <class T> static T as(uint64_t bits)
{
	T value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

template <class T> static bool holds(unsigned cmp, uint64_t a, uint64_t b)
{
	const T x = as<T>(a), y = as<T>(b);

	switch (cmp) {
	case FAA_CMP_EQ:
		return x == y;
	case FAA_CMP_NE:
		return !(x == y);
	case FAA_CMP_LT:
		return x < y;
	case FAA_CMP_LE:
		return x <= y;
	case FAA_CMP_GT:
		return x > y;
	default:
		return x >= y;
	}
}

static bool wanted(unsigned type, unsigned cmp, uint64_t a, uint64_t b)
{
	switch (type) {
	case FAA_TYPE_U32:
		return holds<uint32_t>(cmp, a, b);
	case FAA_TYPE_S32:
		return holds<int32_t>(cmp, a, b);
	case FAA_TYPE_U64:
		return holds<uint64_t>(cmp, a, b);
	case FAA_TYPE_S64:
		return holds<int64_t>(cmp, a, b);
	case FAA_TYPE_F32:
		return holds<float>(cmp, a, b);
	default:
		return holds<double>(cmp, a, b);
	}
}

// Zeros, ones, infinities, NaNs, denormals of both formats, in either half.
static uint64_t operand()
{
	static const uint64_t special[] = { 0,
					    1,
					    0x7fffffff,
					    0x80000000,
					    0xffffffff,
					    0x7f800000,
					    0xff800000,
					    0x7f800001,
					    0xffc00000,
					    0x3f800000,
					    0x80000001,
					    0x8000000000000000,
					    0x7ff0000000000000,
					    0xfff0000000000000,
					    0x7ff0000000000001,
					    0x7ff0000080000000,
					    0x7ff0000100000000,
					    0xfff8000000000000,
					    0x3ff0000000000000,
					    0x8000000000000001,
					    0x7fffffffffffffff,
					    0xffffffffffffffff };
	const uint64_t value = special[rng() % 22];

	switch (rng() % 4) {
	case 0:
		return rng();
	case 1:
		return value ^ 1ull << rng() % 64;
	case 2:
		return value << 32 | (rng() & 0xffffffff);
	default:
		return value;
	}
}

int main(int argc, char **argv)
{
	static const unsigned types[] = { FAA_TYPE_U32, FAA_TYPE_S32, FAA_TYPE_U64,
					  FAA_TYPE_S64, FAA_TYPE_F32, FAA_TYPE_F64 };
	const unsigned long warps = argc > 1 ? strtoul(argv[1], nullptr, 0) : 20000;
	unsigned long wrong = 0;

	Verilated::commandArgs(argc, argv);
	rng.seed(argc > 2 ? strtoull(argv[2], nullptr, 0) : 1);
	auto *dut = new Vfaa_cu_compare;
	for (unsigned long n = 0; n < warps && !wrong; n++) {
		uint64_t a[32], b[32];
		uint32_t want = 0;

		dut->typ_i = static_cast<uint8_t>(types[n % 6]);
		dut->cmp_i = static_cast<uint8_t>(n / 6 % 6);
		for (int l = 0; l < 32; l++) {
			a[l] = operand();
			b[l] = rng() % 3 ? operand() : a[l] ^ (rng() % 2 ? 1ull << rng() % 64 : 0);
			want |= static_cast<uint32_t>(wanted(dut->typ_i, dut->cmp_i, a[l], b[l]))
				<< l;
		}
		memcpy(&dut->a_i, a, sizeof(a));
		memcpy(&dut->b_i, b, sizeof(b));
		dut->eval();
		for (int l = 0; l < 32; l++) {
			if (!((dut->holds_o ^ want) >> l & 1))
				continue;
			wrong++;
			printf("type %u, comparison %u of %016llx and %016llx: got %u\n",
			       dut->typ_i, dut->cmp_i, (unsigned long long)a[l],
			       (unsigned long long)b[l], dut->holds_o >> l & 1);
		}
	}
	dut->final();
	printf("%s 1 - %lu warps\n%d passed, %d failed\n", wrong ? "not ok" : "ok", warps, !wrong,
	       !!wrong);
	return wrong != 0;
}
