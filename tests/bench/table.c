// SPDX-License-Identifier: MIT
/* The benchmarks. Ceilings and aims are those of Documentation/performance.rst. */
#include <stdio.h>

#include "bench.h"
#include "faa_tables.h"

#define REGISTER (1u << BENCH_REGISTER)
#define NOWHERE	 (1u << BENCH_NOWHERE)
#define MEMORY	 (1u << BENCH_MEMORY)
#define ALL	 (REGISTER | NOWHERE | MEMORY)

#define IMM(x)                                     \
	{                                          \
		.kind = FAA_KIND_IMM, .value = (x) \
	}
#define AFFINE(base, n)                                               \
	{                                                             \
		.kind = FAA_KIND_AFFINE, .value = (base), .step = (n) \
	}

#define ONE_ADDRESS(text, operation, operand, start, form_mask)                             \
	{                                                                                   \
		.name = "atoms/one-address/" text, .op = FAA_ATOMS_OP_##operation,          \
		.type = FAA_TYPE_U32, .words = BENCH_ONE, .b = operand, .initial = (start), \
		.ceiling = 1.1, .aim = 1, .forms = (form_mask)                              \
	}

const struct bench bench_table[] = {
	ONE_ADDRESS("add", ADD, AFFINE(1, 3), 0, ALL),
	ONE_ADDRESS("min", MIN, AFFINE(0xfffffff0, UINT64_MAX - 4), UINT32_MAX, REGISTER),
	ONE_ADDRESS("max", MAX, AFFINE(7, 5), 0, REGISTER),
	ONE_ADDRESS("and", AND, AFFINE(0xffffffff, UINT64_MAX - 0x1000), UINT32_MAX, REGISTER),
	ONE_ADDRESS("or", OR, AFFINE(1, 0x101), 0, REGISTER),
	ONE_ADDRESS("xor", XOR, AFFINE(5, 0x10003), 0, REGISTER),
	ONE_ADDRESS("exch", EXCH, AFFINE(9, 11), 0, REGISTER),
	ONE_ADDRESS("inc", INC, IMM(1000), 0, REGISTER),
	{ .name = "atoms/random",
	  .op = FAA_ATOMS_OP_ADD,
	  .type = FAA_TYPE_U32,
	  .words = BENCH_RANDOM,
	  .b = AFFINE(1, 1),
	  .ceiling = 1.3,
	  .aim = 1.15,
	  .forms = ALL },
	{ .name = "atoms/stride-32",
	  .op = FAA_ATOMS_OP_ADD,
	  .type = FAA_TYPE_U32,
	  .words = BENCH_STRIDE_32,
	  .b = AFFINE(1, 1),
	  .ceiling = 1.1,
	  .aim = 1,
	  .forms = REGISTER | NOWHERE },
	{ .name = "atoms/stride-1",
	  .op = FAA_ATOMS_OP_ADD,
	  .type = FAA_TYPE_U32,
	  .words = BENCH_STRIDE_1,
	  .b = AFFINE(1, 1),
	  .ceiling = 1.0,
	  .aim = 1,
	  .forms = REGISTER | NOWHERE },
	{ .name = "atoms/photo",
	  .op = FAA_ATOMS_OP_ADD,
	  .type = FAA_TYPE_U32,
	  .words = BENCH_PHOTO,
	  .b = IMM(1),
	  .ceiling = 1.2,
	  .aim = 1,
	  .forms = REGISTER | NOWHERE },
	{ .name = "atoms/zipf",
	  .op = FAA_ATOMS_OP_ADD,
	  .type = FAA_TYPE_U32,
	  .words = BENCH_ZIPF,
	  .b = AFFINE(1, 1),
	  .ceiling = 1.6,
	  .aim = 1.1,
	  .forms = REGISTER | NOWHERE },
	{ .name = "atoms/cas-claim",
	  .op = FAA_ATOMS_OP_CAS,
	  .type = FAA_TYPE_U32,
	  .words = BENCH_WARP,
	  .b = IMM(0),
	  .c = AFFINE(1, 1),
	  .ceiling = 2,
	  .aim = 1,
	  .forms = REGISTER },
	{ .name = "atoms/cast-spin",
	  .op = FAA_ATOMS_OP_CAST_SPIN,
	  .type = FAA_TYPE_U32,
	  .words = BENCH_WARP,
	  .b = IMM(0),
	  .c = AFFINE(1, 1),
	  .ceiling = 1,
	  .aim = 1,
	  .forms = REGISTER },
	{ .name = "atoms/cas-chain",
	  .op = FAA_ATOMS_OP_CAS,
	  .type = FAA_TYPE_U32,
	  .words = BENCH_ONE,
	  .b = AFFINE(0, 1),
	  .c = AFFINE(1, 1),
	  .ceiling = 32,
	  .aim = 16,
	  .forms = REGISTER },
	/* Every lane compares with another value, and the word has none of them. */
	{ .name = "atoms/cas-fail",
	  .op = FAA_ATOMS_OP_CAS,
	  .type = FAA_TYPE_U32,
	  .words = BENCH_ONE,
	  .b = AFFINE(1, 1),
	  .c = AFFINE(2, 1),
	  .ceiling = 2,
	  .aim = 1,
	  .forms = REGISTER },
	{ .name = "atoms/f32-random",
	  .op = FAA_ATOMS_OP_ADD,
	  .type = FAA_TYPE_F32,
	  .words = BENCH_RANDOM,
	  .b = AFFINE(0x3f800001, 7),
	  .ceiling = 1.5,
	  .aim = 1.15,
	  .forms = REGISTER | NOWHERE },
	{ .name = "atoms/f16x2-random",
	  .op = FAA_ATOMS_OP_ADD,
	  .type = FAA_TYPE_F16X2,
	  .words = BENCH_RANDOM,
	  .b = IMM(0x2e663555),
	  .ceiling = 1.5,
	  .aim = 1.15,
	  .forms = REGISTER | NOWHERE },
	{ .name = "atoms/f32-one-address/relaxed",
	  .op = FAA_ATOMS_OP_ADD,
	  .type = FAA_TYPE_F32,
	  .modes = FAA_FLOAT_MODE_RELAXED,
	  .words = BENCH_ONE,
	  .b = AFFINE(0x3f800001, 7),
	  .ceiling = 2,
	  .aim = 1,
	  .forms = REGISTER | NOWHERE },
	{ .name = "atoms/f32-one-address/strict",
	  .op = FAA_ATOMS_OP_ADD,
	  .type = FAA_TYPE_F32,
	  .words = BENCH_ONE,
	  .b = AFFINE(0x3f800001, 7),
	  .ceiling = 32,
	  .aim = 32,
	  .per_adder = true,
	  .fewer = 32,
	  .forms = REGISTER },
	{ .name = "atoms/u64-random",
	  .op = FAA_ATOMS_OP_ADD,
	  .type = FAA_TYPE_U64,
	  .words = BENCH_RANDOM,
	  .b = AFFINE(1, 0x100000001),
	  .ceiling = 2.6,
	  .aim = 2,
	  .forms = REGISTER | NOWHERE },
};

const unsigned int bench_count = sizeof(bench_table) / sizeof(bench_table[0]);

const char *bench_missing(const struct bench *bench, const struct bench_build *build)
{
	unsigned int feature = FAA_FEATURE_ATOMS_SEED;

	if (bench->modes & FAA_FLOAT_MODE_RELAXED)
		feature = FAA_FEATURE_ATOMS_RELAXED;
	else if (bench->type == FAA_TYPE_F32)
		feature = FAA_FEATURE_ATOMS_F32;
	else if (bench->type == FAA_TYPE_F16X2)
		feature = FAA_FEATURE_ATOMS_X2;
	else if (bench->type == FAA_TYPE_U64)
		feature = FAA_FEATURE_ATOMS_INT64;
	return build->features >> feature & 1 ? NULL : faa_feature_names[feature];
}

uint32_t bench_start_warps(const struct bench *bench)
{
	return bench->fewer ? 32 : 64;
}

const char *bench_name(const struct bench *bench, enum bench_result form, char *buffer, size_t size)
{
	static const char *const suffixes[BENCH_RESULTS] = { "", "/red", "/to-memory" };

	snprintf(buffer, size, "%s%s", bench->name, suffixes[form]);
	return buffer;
}
