// SPDX-License-Identifier: MIT
/*
 * The benchmarks of ATOM, SUATOM, LD and ST, and the features that they need. Bounds and aims are
 * those of Documentation/performance.rst.
 */
#include <stdio.h>

#include "faa_tables.h"
#include "global.h"

#define IMM(x)                                     \
	{                                          \
		.kind = FAA_KIND_IMM, .value = (x) \
	}
#define AFFINE(base, n)                                               \
	{                                                             \
		.kind = FAA_KIND_AFFINE, .value = (base), .step = (n) \
	}
#define CONTIGUOUS(width, on)                                                                     \
	{                                                                                         \
		.name = "global/contiguous-" #width, .op = FAA_ATOM_OP_ADD, .type = FAA_TYPE_U32, \
		.words = GLOBAL_NEXT, .figure = GLOBAL_WIDTH, .b = AFFINE(1, 3), .device = (on),  \
		.axi_width = (width), .bound = 0.8, .aim = 0.97                                   \
	}

/* Both strengths of an access: relaxed at scope GPU, and weak. */
#define LDST(text, what, ...)                                                    \
	{ .name = "ldst/" text, .access = (what), .strong = true, __VA_ARGS__ }, \
	{                                                                        \
		.name = "ldst/" text "/weak", .access = (what), __VA_ARGS__      \
	}

/* A row of 8192 texels occupies half of the L2's lines. */
static const struct global_surface row = { .width = 8192, .height = 128, .log2_gobs_y = 4 };
static const struct global_surface mebibyte = { .width = 512, .height = 512, .log2_gobs_y = 4 };
static const struct global_surface plot = { .width = 1024, .height = 1024, .log2_gobs_y = 4 };

const struct global_bench global_table[] = {
	{ .name = "global/gups",
	  .op = FAA_ATOM_OP_XOR,
	  .type = FAA_TYPE_U64,
	  .words = GLOBAL_GUPS,
	  .figure = GLOBAL_UPDATES,
	  .table_bytes = TB_LARGE_PAGE,
	  .bound = 0.6,
	  .aim = 0.9 },
	{ .name = "global/hot-word",
	  .op = FAA_ATOM_OP_ADD,
	  .type = FAA_TYPE_U32,
	  .words = GLOBAL_ONE,
	  .figure = GLOBAL_CYCLES,
	  .returns = true,
	  .b = AFFINE(1, 3),
	  .table_bytes = TB_PAGE,
	  .bound = 1.5,
	  .aim = 1 },
	CONTIGUOUS(64, "64"),
	CONTIGUOUS(128, "128"),
	CONTIGUOUS(256, "256"),
	CONTIGUOUS(512, NULL),
	{ .name = "global/scatter-f32",
	  .op = FAA_ATOM_OP_ADD,
	  .type = FAA_TYPE_F32,
	  .words = GLOBAL_CELLS,
	  .figure = GLOBAL_PORT,
	  .table_bytes = TB_PAGE,
	  .elements = 1305301,
	  .device = "ports",
	  .bound = 0.85,
	  .aim = 0.97 },
	{ .name = "global/bytes-per-lane-histogram",
	  .op = FAA_ATOM_OP_ADD,
	  .type = FAA_TYPE_U32,
	  .words = GLOBAL_PHOTO,
	  .figure = GLOBAL_BYTES,
	  .b = IMM(1),
	  .table_bytes = TB_PAGE,
	  .bound = 0.01 },
	{ .name = "global/bytes-per-lane-random64",
	  .op = FAA_ATOM_OP_ADD,
	  .type = FAA_TYPE_U64,
	  .words = GLOBAL_ADDRESSES,
	  .figure = GLOBAL_BYTES,
	  .b = AFFINE(1, 3),
	  .table_bytes = TB_LARGE_PAGE,
	  .bound = 8.1 },
	{ .name = "suatom/row",
	  .op = FAA_ATOM_OP_ADD,
	  .type = FAA_TYPE_U32,
	  .words = GLOBAL_ROW,
	  .figure = GLOBAL_CYCLES,
	  .returns = true,
	  .b = AFFINE(1, 3),
	  .surface = &row,
	  .table_bytes = 4 * 8192 * 128,
	  .device = "ports",
	  .bound = 1.3,
	  .aim = 1 },
	{ .name = "suatom/random",
	  .op = FAA_ATOM_OP_ADD,
	  .type = FAA_TYPE_U32,
	  .words = GLOBAL_TEXELS,
	  .figure = GLOBAL_OF_ATOM,
	  .b = AFFINE(1, 3),
	  .surface = &mebibyte,
	  .table_bytes = 4 * 512 * 512,
	  .bound = 2,
	  .aim = 1.1 },
	{ .name = "suatom/density",
	  .op = FAA_ATOM_OP_ADD,
	  .type = FAA_TYPE_U32,
	  .words = GLOBAL_CLOUD,
	  .figure = GLOBAL_OF_LIMIT,
	  .b = IMM(1),
	  .surface = &plot,
	  .table_bytes = 4 * 1024 * 1024,
	  .bound = 1.5 },
	LDST("load", GLOBAL_LOAD, .type = FAA_TYPE_U32, .words = GLOBAL_NEXT, .returns = true,
	     .bound = 2.2, .aim = 2),
	LDST("load-one-line", GLOBAL_LOAD, .type = FAA_TYPE_U16, .words = GLOBAL_NEXT,
	     .returns = true, .bound = 1.2, .aim = 1),
	LDST("load-scattered", GLOBAL_LOAD, .type = FAA_TYPE_U32, .words = GLOBAL_LINES,
	     .returns = true, .elements = 32768, .bound = 35, .aim = 32),
	LDST("store", GLOBAL_STORE, .type = FAA_TYPE_U32, .words = GLOBAL_NEXT, .b = AFFINE(1, 3),
	     .bound = 2.2, .aim = 2),
	LDST("store-one-line", GLOBAL_STORE, .type = FAA_TYPE_U16, .words = GLOBAL_NEXT,
	     .b = AFFINE(1, 3), .bound = 1.2, .aim = 1),
	LDST("store-scattered", GLOBAL_STORE, .type = FAA_TYPE_U32, .words = GLOBAL_LINES,
	     .b = AFFINE(1, 3), .elements = 32768, .bound = 35, .aim = 32),
	LDST("copy", GLOBAL_COPY, .type = FAA_TYPE_U32, .words = GLOBAL_NEXT, .elements = 40960),
};

const unsigned int global_count = sizeof(global_table) / sizeof(global_table[0]);

unsigned int global_item_bytes(const struct global_bench *bench)
{
	if (bench->type == FAA_TYPE_U16)
		return 2;
	return bench->type == FAA_TYPE_U64 ? 8 : 4;
}

unsigned int global_result_bytes(const struct global_bench *bench)
{
	return bench->type == FAA_TYPE_U64 ? 8 : 4;
}

uint32_t global_item_step(const struct global_bench *bench)
{
	switch (bench->words) {
	case GLOBAL_NEXT:
		return 1;
	case GLOBAL_LINES:
		return 64 / global_item_bytes(bench);
	default:
		return 0;
	}
}

uint32_t global_commands(const struct global_bench *bench)
{
	return bench->access == GLOBAL_COPY ? 2 : 1;
}

bool global_at_least(const struct global_bench *bench)
{
	return bench->figure == GLOBAL_UPDATES || bench->figure == GLOBAL_WIDTH ||
	       bench->figure == GLOBAL_PORT;
}

const char *global_missing(const struct global_bench *bench, const struct bench_build *build,
			   char *buffer, size_t size)
{
	uint32_t lacks = (1u << FAA_FEATURE_GLOBAL_ATOMICS |
			  (bench->type == FAA_TYPE_F32) << FAA_FEATURE_ATOMS_F32 |
			  (bench->surface != NULL) << FAA_FEATURE_SURFACE_ATOMICS) &
			 ~build->features;

	if (lacks) {
		snprintf(buffer, size, "not in this build, which lacks %s",
			 faa_feature_names[__builtin_ctz(lacks)]);
		return buffer;
	}
	if (!bench->axi_width || bench->axi_width == build->axi_width)
		return NULL;
	snprintf(buffer, size, "not in this build, whose AXI port has %u bits", build->axi_width);
	return buffer;
}
