// SPDX-License-Identifier: MIT
/*
 * PTX: the commands of every row of the atomics ABI at every scope, defaults, errors and their
 * positions, normalised text, registers.
 */
#include <errno.h>
#include <string.h>

#include "../lib/check.h"
#include "faa_asm.h"

#define HEAD                                                                                                        \
	".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b16 %h<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .pred %p<9>; " \
	".shared .align 8 .b32 cell[4]; .global .u32 counter;\n"

/* Words before the first instruction: those that clear registers. */
struct first {
	struct faa_stream *stream;
	size_t word;
	bool seen;
};

static void note_first(void *data, uint32_t line)
{
	struct first *first = data;

	(void)line;
	if (!first->seen)
		faa_stream_words(first->stream, &first->word);
	first->seen = true;
}

static struct faa_asm_code *read_code(const char *text)
{
	struct faa_asm_code *code;
	struct faa_asm_error error;

	if (faa_asm_read(FAA_ASM_PTX, FAA_ASM_TEXT, text, strlen(text), &code, &error))
		fail_msg("%u:%u: %s in: %s", error.line, error.column, error.text, text);
	return code;
}

/*
 * The commands of @body after HEAD, without separators and without END and those that clear
 * registers.
 */
static void commands(const char *body, struct faa_asm_environment environment, char *text,
		     size_t size)
{
	char source[2048];
	struct first first = { 0 };
	struct faa_asm_error error;
	struct faa_asm_code *code;
	const uint64_t *words;
	unsigned int used;
	size_t count, at;

	snprintf(source, sizeof(source), "%s%s", HEAD, body);
	code = read_code(source);
	assert_int_equal(faa_stream_create(&first.stream), 0);
	environment.at = note_first;
	environment.data = &first;
	if (faa_asm_emit(code, &environment, first.stream, &error))
		fail_msg("%u:%u: %s in: %s", error.line, error.column, error.text, body);
	if (!first.seen)
		faa_stream_words(first.stream, &first.word);
	assert_int_equal(faa_stream_end(first.stream), 0);
	assert_int_equal(faa_stream_finish(first.stream), 0);
	words = faa_stream_words(first.stream, &count);
	text[0] = '\0';
	for (at = first.word; at < count; at += used) {
		size_t n = strlen(text);

		faa_disassemble(words + at, count - at, &used, text + n, size - n);
	}
	assert_true(strlen(text) >= 4 && !strcmp(text + strlen(text) - 4, "END;"));
	text[strlen(text) - 4] = '\0';
	faa_stream_destroy(first.stream);
	faa_asm_destroy(code);
}

/* @text with the scope's name for each "$". */
static void put_scope(const char *text, const char *scope, char *out, size_t size)
{
	size_t n = 0;

	for (; *text; text++)
		n += (size_t)snprintf(out + n, size - n, "%.*s", *text == '$' ? 16 : 1,
				      *text == '$' ? scope : text);
	out[n] = '\0';
}

static const struct {
	const char *ptx, *device;
} scopes[] = { { "cta", "CTA" }, { "cluster", "GPU" }, { "gpu", "GPU" }, { "sys", "SYS" } };

/* R0 is the address, R2 the operand, R3 the result. */
#define LOAD  "ld.relaxed.$.global.u32 %r3, [%rd1];"
#define LOADA "ld.acquire.$.global.u32 %r3, [%rd1];"
#define STORE "st.relaxed.$.global.u32 [%rd1], %r1;"
#define ATOM  "atom.relaxed.$.global.add.u32 %r3, [%rd1], %r1;"
#define ATOMA "atom.acquire.$.global.add.u32 %r3, [%rd1], %r1;"

/* Every row of the ABI: each form of each C11 operation and order. */
static const struct {
	const char *name, *ptx, *commands;
} rows[] = {
	{ "fence seq_cst", "fence.sc.$;", "FENCE.SC.$;" },
	{ "load seq_cst", "fence.sc.$; " LOADA, "FENCE.SC.$;LD.U32.$.ACQUIRE R2, [R0];" },
	{ "load seq_cst, other form", "fence.sc.$; " LOAD " fence.acquire.$;",
	  "FENCE.SC.$;LD.U32.$.RELAXED R2, [R0];FENCE.ACQUIRE.$;" },
	{ "store seq_cst", "fence.sc.$; " STORE, "FENCE.SC.$;ST.U32.$.RELAXED [R0], R2;" },
	{ "rmw seq_cst", "fence.sc.$; " ATOMA, "FENCE.SC.$;ATOM.ADD.U32.$.ACQUIRE R3, [R0], R2;" },
	{ "rmw seq_cst, other form", "fence.sc.$; " ATOM " fence.acquire.$;",
	  "FENCE.SC.$;ATOM.ADD.U32.$ R3, [R0], R2;FENCE.ACQUIRE.$;" },
	{ "fence release", "fence.release.$;", "FENCE.RELEASE.$;" },
	{ "store release", "st.release.$.global.u32 [%rd1], %r1;", "ST.U32.$.RELEASE [R0], R2;" },
	{ "store release, other form", "fence.release.$; " STORE,
	  "FENCE.RELEASE.$;ST.U32.$.RELAXED [R0], R2;" },
	{ "rmw release", "atom.release.$.global.add.u32 %r3, [%rd1], %r1;",
	  "ATOM.ADD.U32.$.RELEASE R3, [R0], R2;" },
	{ "rmw release, other form", "fence.release.$; " ATOM,
	  "FENCE.RELEASE.$;ATOM.ADD.U32.$ R3, [R0], R2;" },
	{ "fence acquire", "fence.acquire.$;", "FENCE.ACQUIRE.$;" },
	{ "load acquire", LOADA, "LD.U32.$.ACQUIRE R2, [R0];" },
	{ "load acquire, other form", LOAD " fence.acquire.$;",
	  "LD.U32.$.RELAXED R2, [R0];FENCE.ACQUIRE.$;" },
	{ "rmw acquire", ATOMA, "ATOM.ADD.U32.$.ACQUIRE R3, [R0], R2;" },
	{ "rmw acquire, other form", ATOM " fence.acquire.$;",
	  "ATOM.ADD.U32.$ R3, [R0], R2;FENCE.ACQUIRE.$;" },
	{ "fence acq_rel", "fence.acq_rel.$;", "FENCE.ACQ_REL.$;" },
	{ "rmw acq_rel", "atom.acq_rel.$.global.add.u32 %r3, [%rd1], %r1;",
	  "ATOM.ADD.U32.$.ACQ_REL R3, [R0], R2;" },
	{ "rmw acq_rel, second form", "fence.release.$; " ATOMA,
	  "FENCE.RELEASE.$;ATOM.ADD.U32.$.ACQUIRE R3, [R0], R2;" },
	{ "rmw acq_rel, third form", "fence.release.$; " ATOM " fence.acquire.$;",
	  "FENCE.RELEASE.$;ATOM.ADD.U32.$ R3, [R0], R2;FENCE.ACQUIRE.$;" },
	{ "load relaxed", LOAD, "LD.U32.$.RELAXED R2, [R0];" },
	{ "store relaxed", STORE, "ST.U32.$.RELAXED [R0], R2;" },
	{ "rmw relaxed", ATOM, "ATOM.ADD.U32.$ R3, [R0], R2;" },
};

static const struct faa_asm_environment all_lanes = { .lanes = ~0u };

/* All rows of a table are checked before it fails. */
static int check_text(const char *what, const char *text, const char *want)
{
	if (!strcmp(text, want))
		return 0;
	print_error("%s:\n  %s\nnot\n  %s\n", what, text, want);
	return 1;
}

static void test_abi(void **state)
{
	char ptx[512], want[512], text[512];
	int failed = 0;
	size_t i, s;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		for (s = 0; s < COUNT(scopes); s++) {
			put_scope(rows[i].ptx, scopes[s].ptx, ptx, sizeof(ptx));
			put_scope(rows[i].commands, scopes[s].device, want, sizeof(want));
			commands(ptx, all_lanes, text, sizeof(text));
			failed += check_text(rows[i].name, text, want);
		}
	}
	assert_int_equal(failed, 0);
}

/* Commands of a statement, and its text in full. */
static const struct {
	const char *ptx, *commands, *text;
} statements[] = {
	/* Defaults. */
	{ "atom.add.u32 %r1, [%rd1], 1;", "ATOM.ADD.U32.GPU R2, [R0], 0x1;",
	  "atom.relaxed.gpu.add.u32 %r1, [%rd1], 1;" },
	{ "atom.acquire.add.u32 %r1, [%rd1], 1;", "ATOM.ADD.U32.GPU.ACQUIRE R2, [R0], 0x1;",
	  "atom.acquire.gpu.add.u32 %r1, [%rd1], 1;" },
	{ "atom.cta.add.u32 %r1, [%rd1], 1;", "ATOM.ADD.U32.CTA R2, [R0], 0x1;",
	  "atom.relaxed.cta.add.u32 %r1, [%rd1], 1;" },
	{ "red.global.add.s32 [%rd1], -1;", "RED.ADD.S32.GPU [R0], 0xffffffff;",
	  "red.relaxed.gpu.global.add.s32 [%rd1], -1;" },
	{ "fence.cta;", "FENCE.ACQ_REL.CTA;", "fence.acq_rel.cta;" },
	{ "membar.cta;", "FENCE.SC.CTA;", "fence.sc.cta;" },
	{ "membar.gl;", "FENCE.SC.GPU;", "fence.sc.gpu;" },
	{ "membar.sys;", "FENCE.SC.SYS;", "fence.sc.sys;" },
	{ "ld.u32 %r1, [%rd1];", "LD.U32 R2, [R0];", "ld.weak.u32 %r1, [%rd1];" },
	{ "ld.global.nc.u32 %r1, [%rd1];", "LD.U32 R2, [R0];", "ld.weak.global.u32 %r1, [%rd1];" },
	{ "st.global.wb.b64 [%rd1], %rd2;", "ST.U64 [R0], R2;",
	  "st.weak.global.b64 [%rd1], %rd2;" },
	{ "ld.volatile.u32 %r1, [%rd1];", "LD.U32.SYS.RELAXED R2, [R0];",
	  "ld.relaxed.sys.u32 %r1, [%rd1];" },
	{ "st.volatile.global.u32 [%rd1], 7;", "ST.U32.SYS.RELAXED [R0], 0x7;",
	  "st.relaxed.sys.global.u32 [%rd1], 7;" },
	/* Operations and types. */
	{ "atom.global.and.b32 %r1, [%rd1], %r2;", "ATOM.AND.U32.GPU R3, [R0], R2;",
	  "atom.relaxed.gpu.global.and.b32 %r1, [%rd1], %r2;" },
	{ "atom.global.or.b64 %rd2, [%rd1], %rd3;", "ATOM.OR.U64.GPU R4, [R0], R2;",
	  "atom.relaxed.gpu.global.or.b64 %rd2, [%rd1], %rd3;" },
	{ "atom.global.xor.b32 _, [%rd1], 0x10;", "RED.XOR.U32.GPU [R0], 0x10;",
	  "atom.relaxed.gpu.global.xor.b32 _, [%rd1], 0x10;" },
	{ "atom.global.exch.b32 %f1, [%rd1], 0f40490FDB;",
	  "ATOM.EXCH.U32.GPU R2, [R0], 0x40490fdb;",
	  "atom.relaxed.gpu.global.exch.b32 %f1, [%rd1], 0x40490fdb;" },
	{ "atom.global.cas.b16 %h1, [%rd1], 1, 2;", "ATOM.CAS.U16.GPU R2, [R0], 0x1, 0x2;",
	  "atom.relaxed.gpu.global.cas.b16 %h1, [%rd1], 1, 2;" },
	{ "atom.global.cas.b64 %rd2, [%rd1], 1, 0xff;", "ATOM.CAS.U64.GPU R2, [R0], 0x1, 0xff;",
	  "atom.relaxed.gpu.global.cas.b64 %rd2, [%rd1], 1, 0xff;" },
	{ "atom.global.inc.u32 %r1, [%rd1], 9;", "ATOM.INC.U32.GPU R2, [R0], 0x9;",
	  "atom.relaxed.gpu.global.inc.u32 %r1, [%rd1], 9;" },
	{ "atom.global.dec.u32 %r1, [%rd1], 9;", "ATOM.DEC.U32.GPU R2, [R0], 0x9;",
	  "atom.relaxed.gpu.global.dec.u32 %r1, [%rd1], 9;" },
	{ "atom.global.min.s64 %rd2, [%rd1], -5;", "ATOM.MIN.S64.GPU R2, [R0], 0xfffffffffffffffb;",
	  "atom.relaxed.gpu.global.min.s64 %rd2, [%rd1], -5;" },
	{ "red.global.max.u64 [%rd1], 5;", "RED.MAX.U64.GPU [R0], 0x5;",
	  "red.relaxed.gpu.global.max.u64 [%rd1], 5;" },
	{ "atom.global.add.f32 %f1, [%rd1], 1.5;", "ATOM.ADD.F32.FTZ.GPU R2, [R0], 0x3fc00000;",
	  "atom.relaxed.gpu.global.add.f32 %f1, [%rd1], 0f3FC00000;" },
	{ "atom.global.add.f64 %fd1, [%rd1], -1.0;",
	  "ATOM.ADD.F64.GPU R2, [R0], 0xbff0000000000000;",
	  "atom.relaxed.gpu.global.add.f64 %fd1, [%rd1], 0dBFF0000000000000;" },
	{ "red.global.add.noftz.f16x2 [%rd1], %r1;", "RED.ADD.F16X2.GPU [R0], R2;",
	  "red.relaxed.gpu.global.add.noftz.f16x2 [%rd1], %r1;" },
	{ "red.global.add.noftz.bf16x2 [%rd1], %r1;", "RED.ADD.BF16X2.GPU [R0], R2;",
	  "red.relaxed.gpu.global.add.noftz.bf16x2 [%rd1], %r1;" },
	{ "atom.global.add.noftz.f16 %h1, [%rd1], %h2;", "ATOM.ADD.F16.GPU R3, [R0], R2;",
	  "atom.relaxed.gpu.global.add.noftz.f16 %h1, [%rd1], %h2;" },
	{ "red.global.add.f32 [%rd1], 1.5;", "RED.ADD.F32.FTZ.GPU [R0], 0x3fc00000;",
	  "red.relaxed.gpu.global.add.f32 [%rd1], 0f3FC00000;" },
	{ "red.release.sys.add.f32 [%rd1], %f1;", "RED.ADD.F32.FTZ.SYS.RELEASE [R0], R2;",
	  "red.release.sys.add.f32 [%rd1], %f1;" },
	{ "atom.global.add.f32 _, [%rd1], 1.5;", "RED.ADD.F32.FTZ.GPU [R0], 0x3fc00000;",
	  "atom.relaxed.gpu.global.add.f32 _, [%rd1], 0f3FC00000;" },
	/* Modifiers in other orders: as libcu++ and NVRTC write them, and backwards. */
	{ "atom.add.acquire.gpu.s32 %r1, [%rd1], 1;", "ATOM.ADD.S32.GPU.ACQUIRE R2, [R0], 0x1;",
	  "atom.acquire.gpu.add.s32 %r1, [%rd1], 1;" },
	{ "atom.global.sys.add.u32 %r1, [%rd1], 1;", "ATOM.ADD.U32.SYS R2, [R0], 0x1;",
	  "atom.relaxed.sys.global.add.u32 %r1, [%rd1], 1;" },
	{ "red.f16x2.noftz.add.global.cta.release [%rd1], %r1;",
	  "RED.ADD.F16X2.CTA.RELEASE [R0], R2;",
	  "red.release.cta.global.add.noftz.f16x2 [%rd1], %r1;" },
	{ "fence.gpu.sc;", "FENCE.SC.GPU;", "fence.sc.gpu;" },
	{ "ld.u32.global.sys.acquire %r1, [%rd1];", "LD.U32.SYS.ACQUIRE R2, [R0];",
	  "ld.acquire.sys.global.u32 %r1, [%rd1];" },
	{ "st.u32.cg.global [%rd1], %r1;", "ST.U32 [R0], R2;", "st.weak.global.u32 [%rd1], %r1;" },
	{ "ld.mmio.relaxed.sys.u64 %rd2, [%rd1];", "LD.U64.SYS.RELAXED R2, [R0];",
	  "ld.relaxed.sys.u64 %rd2, [%rd1];" },
	{ "st.sys.relaxed.mmio.global.u32 [%rd1], %r1;", "ST.U32.SYS.RELAXED [R0], R2;",
	  "st.relaxed.sys.global.u32 [%rd1], %r1;" },
	{ "ld.global.nc.L1::no_allocate.L2::128B.u32 %r1, [%rd1];", "LD.U32 R2, [R0];",
	  "ld.weak.global.u32 %r1, [%rd1];" },
	/*
	 * Shared memory: the command has no order, so fences surround it; strong accesses are
	 * atomic ones.
	 */
	{ "atom.shared.add.u32 %r1, [%r2+4], 1;", "ATOMS.ADD.U32 R1, [R0 + 4], 0x1;",
	  "atom.relaxed.gpu.shared.add.u32 %r1, [%r2+4], 1;" },
	{ "atom.acq_rel.cta.shared::cta.add.f32 %f1, [cell+8], 1.0;",
	  "FENCE.RELEASE.CTA;ATOMS.ADD.F32 R0, [0x8], 0x3f800000;FENCE.ACQUIRE.CTA;",
	  "atom.acq_rel.cta.shared.add.f32 %f1, [cell+8], 0f3F800000;" },
	/* The fences have the scope of the access. */
	{ "atom.acquire.cta.shared.add.u32 %r1, [cell], 1;",
	  "ATOMS.ADD.U32 R0, [0x0], 0x1;FENCE.ACQUIRE.CTA;",
	  "atom.acquire.cta.shared.add.u32 %r1, [cell], 1;" },
	{ "atom.acquire.gpu.shared.add.u32 %r1, [cell], 1;",
	  "ATOMS.ADD.U32 R0, [0x0], 0x1;FENCE.ACQUIRE.GPU;",
	  "atom.acquire.gpu.shared.add.u32 %r1, [cell], 1;" },
	{ "atom.acq_rel.sys.shared.add.u32 %r1, [cell], 1;",
	  "FENCE.RELEASE.SYS;ATOMS.ADD.U32 R0, [0x0], 0x1;FENCE.ACQUIRE.SYS;",
	  "atom.acq_rel.sys.shared.add.u32 %r1, [cell], 1;" },
	{ "red.release.cluster.shared.add.u32 [cell], 1;",
	  "FENCE.RELEASE.GPU;ATOMS.ADD.U32 _, [0x0], 0x1;",
	  "red.release.cluster.shared.add.u32 [cell], 1;" },
	{ "ld.acquire.sys.shared.u32 %r1, [cell];",
	  "ATOMS.CAS.U32 R0, [0x0], 0x0, 0x0;FENCE.ACQUIRE.SYS;",
	  "ld.acquire.sys.shared.u32 %r1, [cell];" },
	{ "st.release.gpu.shared.u32 [cell], 7;", "FENCE.RELEASE.GPU;ATOMS.EXCH.U32 _, [0x0], 0x7;",
	  "st.release.gpu.shared.u32 [cell], 7;" },
	{ "ld.shared.u32 %r1, [cell];", "LDS.U32 R0, [0x0];", "ld.weak.shared.u32 %r1, [cell];" },
	{ "st.shared.u8 [cell+1], %r1;", "STS.U8 [0x1], R0;", "st.weak.shared.u8 [cell+1], %r1;" },
	{ "ld.acquire.cta.shared.u32 %r1, [cell];",
	  "ATOMS.CAS.U32 R0, [0x0], 0x0, 0x0;FENCE.ACQUIRE.CTA;",
	  "ld.acquire.cta.shared.u32 %r1, [cell];" },
	{ "st.release.cta.shared.u64 [cell+8], %rd1;",
	  "FENCE.RELEASE.CTA;ATOMS.EXCH.U64 _, [0x8], R0;",
	  "st.release.cta.shared.u64 [cell+8], %rd1;" },
	{ "atom.shared.add.u32 %r1, [%r2+2], 1;",
	  "ALU.ADD.U32 R250, R0, 0x2;ATOMS.ADD.U32 R1, [R250], 0x1;",
	  "atom.relaxed.gpu.shared.add.u32 %r1, [%r2+2], 1;" },
	/* Addresses. */
	{ "ld.global.u32 %r1, [%rd1+8];", "LD.U32 R2, [R0 + 8];",
	  "ld.weak.global.u32 %r1, [%rd1+8];" },
	{ "ld.global.u32 %r1, [%rd1+-8];", "LD.U32 R2, [R0 - 8];",
	  "ld.weak.global.u32 %r1, [%rd1+-8];" },
	{ "ld.global.u32 %r1, [%rd1+-8+4];", "LD.U32 R2, [R0 - 4];",
	  "ld.weak.global.u32 %r1, [%rd1+-4];" },
	{ "ld.global.u32 %r1, [0x10000];", "LD.U32 R0, [0x10000];",
	  "ld.weak.global.u32 %r1, [0x10000];" },
	{ "ld.global.u32 %r1, [%rd1+16777216];",
	  "ALU.ADD.U64 R250, R0, 0x1000000;LD.U32 R2, [R250];",
	  "ld.weak.global.u32 %r1, [%rd1+16777216];" },
	{ "ld.global.u8 %r1, [%rd1+2147483647];",
	  "ALU.ADD.U64 R250, R0, 0x7fffffff;LD.U8 R2, [R250];",
	  "ld.weak.global.u8 %r1, [%rd1+2147483647];" },
	/* Widths. */
	{ "ld.global.s8 %r1, [%rd1];", "LD.S8 R2, [R0];", "ld.weak.global.s8 %r1, [%rd1];" },
	{ "ld.global.s16 %h1, [%rd1];", "LD.U16 R2, [R0];", "ld.weak.global.s16 %h1, [%rd1];" },
	{ "ld.global.s16 %rd2, [%rd1];", "LD.S16 R2, [R0];ALU.SHR.S32 R3, R2, 0x1f;",
	  "ld.weak.global.s16 %rd2, [%rd1];" },
	{ "ld.global.u32 %rd2, [%rd1];", "LD.U32 R2, [R0];MOV.U32 R3, 0x0;",
	  "ld.weak.global.u32 %rd2, [%rd1];" },
	{ "st.global.u16 [%rd1], %rd2;", "ST.U16 [R0], R2;", "st.weak.global.u16 [%rd1], %rd2;" },
	/* Instructions between the accesses. */
	{ "mov.u32 %r1, 0x10;", "MOV.U32 R0, 0x10;", "mov.u32 %r1, 16;" },
	{ "mov.u32 %r1, %laneid;", "MOV.U32 R0, 0x0 + e * 1;", "mov.u32 %r1, %laneid;" },
	{ "mov.u32 %r1, cell;", "MOV.U32 R0, 0x0;", "mov.u32 %r1, cell;" },
	{ "mov.f32 %f1, 1.0;", "MOV.U32 R0, 0x3f800000;", "mov.f32 %f1, 0f3F800000;" },
	{ "mov.s32 %r1, -2147483648;", "MOV.U32 R0, 0x80000000;", "mov.s32 %r1, -2147483648;" },
	{ "mov.f64 %fd1, -0d3FF0000000000000;", "MOV.U64 R0, 0xbff0000000000000;",
	  "mov.f64 %fd1, 0dBFF0000000000000;" },
	{ "add.rn.f32 %f1, %f2, %f3;", "ALU.ADD.F32 R2, R0, R1;", "add.rn.f32 %f1, %f2, %f3;" },
	{ "add.ftz.f32 %f1, %f2, %f3;", "ALU.ADD.F32.FTZ R2, R0, R1;",
	  "add.ftz.f32 %f1, %f2, %f3;" },
	{ "shl.b32 %r1, %r2, 32;", "MOV.U32 R1, 0x0;", "shl.b32 %r1, %r2, 32;" },
	{ "shr.s32 %r1, %r2, 40;", "ALU.SHR.S32 R1, R0, 0x1f;", "shr.s32 %r1, %r2, 40;" },
	{ "not.b64 %rd1, %rd2;", "ALU.XOR.U64 R2, R0, 0xffffffffffffffff;", "not.b64 %rd1, %rd2;" },
	{ "neg.s32 %r1, %r2;", "ALU.SUB.S32 R1, 0x0, R0;", "neg.s32 %r1, %r2;" },
	{ "neg.s64 %rd1, %rd2;", "ALU.SUB.S64 R2, 0x0, R0;", "neg.s64 %rd1, %rd2;" },
	{ "neg.s32 %r1, 5;", "ALU.SUB.S32 R0, 0x0, 0x5;", "neg.s32 %r1, 5;" },
	{ "mad.lo.s32 %r1, %r2, %r3, %r4;", "ALU.MUL.S32 R248, R0, R1;ALU.ADD.S32 R3, R248, R2;",
	  "mad.lo.s32 %r1, %r2, %r3, %r4;" },
	{ "mul.wide.s32 %rd1, %r1, 8;",
	  "MOV.U32 R2, R0;ALU.SHR.S32 R3, R2, 0x1f;ALU.SHL.U64 R2, R2, 0x3;",
	  "mul.wide.s32 %rd1, %r1, 8;" },
	{ "cvt.u64.u32 %rd1, %r1;", "MOV.U32 R248, R0;MOV.U32 R249, 0x0;MOV.U64 R2, R248;",
	  "cvt.u64.u32 %rd1, %r1;" },
	{ "cvt.u32.u16 %r1, %h1;",
	  "MOV.U32 R248, R0;ALU.AND.U32 R248, R248, 0xffff;MOV.U32 R1, R248;",
	  "cvt.u32.u16 %r1, %h1;" },
	{ "cvta.to.global.u64 %rd1, %rd2;", "MOV.U64 R2, R0;", "cvta.to.global.u64 %rd1, %rd2;" },
	{ "@%p1 add.u32 %r1, %r2, 1;", "@P0 ALU.ADD.U32 R0, R1, 0x1;",
	  "@%p1 add.u32 %r1, %r2, 1;" },
	{ "setp.ge.u32 %p1|%p2, %r1, 5;", "SETP.LT.U32 P1, R0, 0x5;SETP.GE.U32 P0, R0, 0x5;",
	  "setp.ge.u32 %p1|%p2, %r1, 5;" },
	{ "setp.hs.u32 %p1, %r1, 5;", "SETP.GE.U32 P0, R0, 0x5;", "setp.hs.u32 %p1, %r1, 5;" },
	{ "setp.neu.f32 %p1, %f1, 0f00000000;", "SETP.NE.F32 P0, R0, 0x0;",
	  "setp.neu.f32 %p1, %f1, 0f00000000;" },
	{ "bar.sync 0;", "BAR.SYNC;", "bar.sync 0;" },
	{ "ret;", "", "ret;" },
};

/* The text of code, without declarations. */
static void write_text(const char *source, char *text, size_t size)
{
	struct faa_asm_code *code = read_code(source), *again;
	struct faa_asm_error error;
	void *data, *second;
	size_t bytes, second_bytes;

	assert_int_equal(faa_asm_write(code, FAA_ASM_TEXT, &data, &bytes, &error), 0);
	again = read_code(data);
	assert_int_equal(faa_asm_write(again, FAA_ASM_TEXT, &second, &second_bytes, &error), 0);
	assert_int_equal(bytes, second_bytes);
	assert_string_equal(data, second);
	assert_int_equal(faa_asm_count(code), faa_asm_count(again));
	snprintf(text, size, "%s", strchr(data, '\t') ? strchr(data, '\t') + 1 : "");
	free(data);
	free(second);
	faa_asm_destroy(code);
	faa_asm_destroy(again);
}

static void test_statements(void **state)
{
	char source[1024], text[1024], want[1024];
	int failed = 0;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(statements); i++) {
		commands(statements[i].ptx, all_lanes, text, sizeof(text));
		failed += check_text(statements[i].ptx, text, statements[i].commands);
		snprintf(source, sizeof(source), "%s%s", HEAD, statements[i].ptx);
		snprintf(want, sizeof(want), "%s\n", statements[i].text);
		write_text(source, text, sizeof(text));
		failed += check_text(statements[i].ptx, text, want);
	}
	assert_int_equal(failed, 0);
}

/* Rejected text, the column of the error, and a part of the reason. */
static const struct {
	const char *ptx;
	unsigned int column;
	const char *why;
} refused[] = {
	{ "ld.release.gpu.u32 %r1, [%rd1];", 3, "ld has no order .release" },
	{ "st.acquire.gpu.u32 [%rd1], %r1;", 3, "st has no order .acquire" },
	{ "ld.acq_rel.gpu.u32 %r1, [%rd1];", 3, "no order .acq_rel" },
	{ "red.acquire.gpu.add.u32 [%rd1], 1;", 4, "red has no order .acquire" },
	{ "atom.sc.gpu.add.u32 %r1, [%rd1], 1;", 5, "atom has no order .sc" },
	{ "atom.weak.add.u32 %r1, [%rd1], 1;", 5, "atom has no order .weak" },
	{ "fence.relaxed.gpu;", 6, "fence has no order .relaxed" },
	{ "fence.sc;", 1, "a scope (.cta, .cluster, .gpu or .sys) is missing" },
	{ "fence.gl;", 6, "fence has no modifier .gl" },
	{ "fence.sc.acq_rel.gpu;", 9, "fence has one of the orders, not .sc and .acq_rel" },
	{ "fence.proxy.alias;", 6, "one way to its memory" },
	{ "membar.gpu;", 7, "a level (.cta, .gl or .sys) is expected where '.gpu' is" },
	{ "membar.sc.gl;", 7, "a level" },
	{ "ld.relaxed.u32 %r1, [%rd1];", 3, "ld.relaxed needs a scope" },
	{ "ld.gpu.u32 %r1, [%rd1];", 3, "ld.weak has no scope; with an order" },
	{ "ld.weak.gpu.u32 %r1, [%rd1];", 8, "ld.weak has no scope" },
	{ "ld.volatile.sys.u32 %r1, [%rd1];", 12, "ld.volatile has no scope" },
	{ "ld.relaxed.gpu.global.cg.u32 %r1, [%rd1];", 22, "weak accesses alone" },
	{ "ld.global.relaxed.u32 %r1, [%rd1];", 10, "ld.relaxed needs a scope" },
	{ "ld.global.shared.u32 %r1, [%rd1];", 10,
	  "ld has one of the state spaces, not .global and .shared" },
	{ "ld.global.foo.u32 %r1, [%rd1];", 10, "ld has no modifier .foo" },
	{ "ld.global.add.u32 %r1, [%rd1];", 10, "ld has no modifier .add" },
	{ "ld.mmio.relaxed.gpu.u32 %r1, [%rd1];", 3, ".mmio goes with .relaxed.sys" },
	{ "ld.mmio.relaxed.sys.shared.u32 %r1, [cell];", 3, ".mmio goes with .relaxed.sys" },
	{ "ld.nc.u32 %r1, [%rd1];", 3, ".nc is for .global" },
	{ "ld.weak.global.nc.u32 %r1, [%rd1];", 15, ".nc has no order" },
	{ "ld.global.cg.L1::evict_last.u32 %r1, [%rd1];", 13, "not both" },
	{ "ld.shared.L2::64B.u32 %r1, [cell];", 10, "hints of caches are for .global" },
	{ "ld.global.L2::cache_hint.u32 %r1, [%rd1], %rd2;", 10, "not supported: hints" },
	{ "ld.local.u32 %r1, [%rd1];", 3, "not supported: the device has no local memory" },
	{ "ld.global.v8.u32 %r1, [%rd1];", 10, "a vector has 2 or 4 items" },
	{ "ld.volatile.const.u32 %r1, [%rd1];", 3, "ld.const is weak" },
	{ "st.const.u32 [%rd1], %r1;", 3, "constants are read with ld.const alone" },
	{ "ld.global.f16 %h1, [%rd1];", 10, "ld has no type .f16; allowed: b8, b16" },
	{ "ld.global.b128 %rd2, [%rd1];", 10, "no accesses of 128 bits" },
	{ "ld.global.v2.u32 %r1, [%rd1];", 10, "vectors" },
	{ "atom.const.add.u32 %r1, [%rd1], 1;", 5,
	  "atom is for .global and .shared memory, not .const" },
	{ "atom.global.add.v2.f32 %f1, [%rd1], %f2;", 16, "not supported: vectors" },
	{ "atom.global.add.v2.u32 %r1, [%rd1], %r2;", 19,
	  "atom has no type .u32; allowed: f16, f16x2" },
	{ "ld.relaxed.cta.shared.u16 %h1, [cell];", 22, "32 or 64 bits" },
	{ "st.param.u32 [%rd1], 1;", 3, "ld.param alone" },
	{ "add.ftz.ftz.f32 %f1, %f2, %f3;", 8, "'.ftz' is out of order" },
	{ "atom.add.s64 %rd2, [%rd1], 1;", 9, "atom has no type .s64; allowed: u32, u64, s32" },
	{ "atom.add.b32 %r1, [%rd1], 1;", 9, "atom has no type .b32" },
	{ "atom.and.u32 %r1, [%rd1], 1;", 9, "atom has no type .u32; allowed: b32, b64" },
	{ "atom.inc.s32 %r1, [%rd1], 1;", 9, "allowed: u32" },
	{ "atom.cas.u32 %r1, [%rd1], 1, 2;", 9, "allowed: b16, b32, b64, b128" },
	{ "atom.min.f32 %f1, [%rd1], %f2;", 9, "atom has no type .f32" },
	{ "atom.sub.u32 %r1, [%rd1], 1;", 5, "atom has no modifier .sub" },
	{ "atom.global.u32 %r1, [%rd1], 1;", 1, "atom: an operation is missing" },
	{ "atom.global.add.f16x2 %r1, [%rd1], %r2;", 16, "needs .noftz" },
	{ "atom.global.add.noftz.f32 %f1, [%rd1], %f2;", 16, "has no .noftz" },
	{ "atom.global.add.noftz.bf16 %h1, [%rd1], %h2;", 22,
	  "the device has no add on .bf16 in global memory" },
	{ "atom.shared.add.noftz.f16 %h1, [cell], %h2;", 22,
	  "the device has no add on .f16 in shared memory" },
	{ "atom.shared.cas.b16 %h1, [cell], 1, 2;", 16,
	  "the device has no cas on .b16 in shared memory" },
	{ "atom.exch.b128 %rd2, [%rd1], %rd3;", 10, "no accesses of 128 bits" },
	{ "red.exch.b32 [%rd1], 1;", 4, "red has no operation .exch" },
	{ "red.cas.b32 [%rd1], 1, 2;", 4, "red has no operation .cas" },
	{ "atom.global.add.u32.u32 %r1, [%rd1], 1;", 20, "one of the types, not .u32 and .u32" },
	{ "atom.global.add.min.u32 %r1, [%rd1], 1;", 16, "one of the operations" },
	{ "atom.global.add %r1, [%rd1], 1;", 1, "a type is missing" },
	{ "atom.global.add.u32 %r1, [%rd1];", 32, "',' is expected" },
	{ "atom.global.add.u32 %r1, [%rd1], 1, 2;", 35, "';' is expected" },
	{ "atom.global.add.u32 %rd2, [%rd1], 1;", 21, "type .b64, which does not fit .u32" },
	{ "atom.global.add.u32 %f1, [%rd1], 1;", 21, "type .f32, which does not fit .u32" },
	{ "atom.global.add.u32 %r1, [%r2], 1;", 27,
	  "not supported: '%r2' has 32 bits, addresses of global memory have 64" },
	{ "ld.global.u32 %r1, [%rd1-4];", 25, "']' is expected after the address, not '-'" },
	{ "ld.global.u32 %r1, [%rd1 - 4];", 26, "']' is expected after the address, not '-'" },
	{ "atom.global.add.u32 %r1, [%fd2], 1;", 27, "no address" },
	{ "atom.global.add.u32 %r1, [cell], 1;", 27, "'cell' is in state space .shared" },
	{ "atom.global.add.u32 %r1, %rd1, 1;", 26, "'[' is expected" },
	{ "atom.global.add.u32 1, [%rd1], 1;", 21, "no destination" },
	{ "atom.global.add.u32 %r1, [%rd1], 4294967296;", 34, "does not fit the 32 bits of .u32" },
	{ "atom.global.add.s32 %r1, [%rd1], -2147483649;", 34, "does not fit" },
	{ "atom.global.add.u32 %r1, [%rd1], 1.5;", 34, "no constant of .u32" },
	{ "atom.global.add.f32 %f1, [%rd1], 1;", 34, "an integer is no constant of .f32" },
	{ "atom.global.add.f64 %fd1, [%rd1], 0f3f800000;", 35, "no constant of .f64" },
	{ "atom.global.add.u32 %r1, [%rd1], 0f12;", 34, "is no constant" },
	{ "atom.global.add.u32 %r1, [%rd1], 09;", 34, "is no constant" },
	{ "st.global.u32 [%rd1], _;", 23, "'_' is for the result of atom alone" },
	{ "st.global.u32 [%rd1], %tid.x;", 23, "'%tid.x' is read by mov alone" },
	{ "st.global.u32 [%rd1+x], 1;", 21, "an offset is expected, not 'x'" },
	{ "mov.u64 %rd1, %tid.x;", 15, "has type .u32" },
	{ "mov.u32 %r1, counter;", 14, "does not fit .u32" },
	{ "mov.u32 %r1, %q;", 14, "'%q' is not declared" },
	{ "mov.u32 %r1, %r9;", 14, "'%r9' is not declared" },
	{ "mov.u32 %r1, %r07;", 14, "'%r07' is not declared" },
	{ "mov.f16 %h1, %h2;", 4, "mov has no type .f16" },
	{ "shl.b32 %r1, %r2, %r3;", 19, "not supported: an amount of a shift" },
	{ "mul.wide.u32 %rd1, %r2, 3;", 25, "power of 2" },
	{ "mul.u32 %r1, %r2, %r3;", 4, "wide is expected" },
	{ "setp.ne.f32 %p1, %f1, %f2;", 5, ".neu" },
	{ "setp.lt.b32 %p1, %r1, %r2;", 5, "setp.lt has no type .b32" },
	{ "setp.lt.f32 %p1|%p2, %f1, %f2;", 17, "no opposite" },
	{ "setp.eq.u32 %r1, %r2, %r3;", 13, "does not fit .pred" },
	{ "setp.eq.u32 %p1|%p1, %r2, %r3;", 17, "both results" },
	{ "@%r1 mov.u32 %r1, 1;", 2, "'%r1' is no predicate" },
	{ "@%p1 bra L; L:", 6, "bra.uni" },
	{ "@%p1 ret;", 6, "not supported: ret has no guard" },
	{ "@%p1 exit;", 6, "not supported: exit has no guard" },
	{ "{ L: ret; } bra L;", 17, "label 'L' is not defined" },
	{ "bra L; { L: ret; }", 5, "label 'L' is not defined" },
	{ "{ { bra L; } ret; }", 9, "label 'L' is not defined" },
	{ "{ .reg .b32 %q; } mov.b32 %q, 1;", 27, "'%q' is not declared" },
	{ "{ .reg .b32 %q; .reg .b32 %q; }", 27, "'%q' is declared already" },
	{ "{ ret;", 7, "the '}' of a block is missing" },
	{ "@%p1 bar.sync 0;", 6, "no guard" },
	{ "bar.sync 1;", 10, "not supported: the device has barrier 0 alone" },
	{ "bar.sync 16;", 10, "between 0 and 15" },
	{ "bra L;", 5, "label 'L' is not defined" },
	{ "L: L: ret;", 4, "is defined in line 2 already" },
	{ "popc.b32 %r1, %r2;", 1, "not supported: instruction 'popc'" },
	{ "fooc.b32 %r1, %r2;", 1, "'fooc' is no instruction of PTX" },
	{ "mul.hi.u32 %r1, %r2, %r3;", 4, "not supported: mul.hi" },
	{ "mul.high.u32 %r1, %r2, %r3;", 4, "wide is expected where '.high' is" },
	{ "add.f16 %h1, %h2, %h3;", 4, "not supported: add of type .f16" },
	{ "add.b32 %r1, %r2, %r3;", 4, "add has no type .b32" },
	{ "add.sat.s32 %r1, %r2, %r3;", 4, "not supported: add.sat" },
	{ "setp.ltu.f32 %p1, %f1, %f2;", 5, "not supported: setp.ltu" },
	{ "setp.foo.f32 %p1, %f1, %f2;", 5, "a comparison that the device has" },
	{ "mov.u32 %r1, %clock;", 14, "not supported: special register '%clock'" },
	{ "mov.b32 %r1, {%h1, %h2};", 14, "not supported: vectors of registers" },
	{ ".func f() { ret; }", 2, "not supported: directive '.func'" },
	{ ".foo 1;", 2, "'.foo' is no directive of PTX" },
	{ ".reg .b32 %r3;", 11, "declared already" },
	{ ".reg .b32 %r<3>;", 11, "declared already" },
	{ ".reg .bf16 %q;", 7, "b16 and b32 hold these" },
	{ ".reg .b32 %z<0>;", 14, "between 1 and 1000000" },
	{ ".shared .align 3 .b32 q;", 9, "no power of 2" },
	{ ".shared .b8 q[16777217];", 15, "between 1 and" },
	{ ".shared .b32 q[16777216];", 14, "ends beyond the 16 MiB" },
	{ ".global .u32 q = counter;", 18, "not supported: the address of 'counter'" },
	{ ".global .u32 q = 4294967296;", 18, "does not fit the 32 bits" },
	{ ".global .u32 q[2] = { 1, 2, 3 };", 29, "more initial values than elements" },
	{ ".global .u32 q[2] = 1;", 21, "'{' is expected before initial values" },
	{ ".global .u32 q[2][] = { { 1 } };", 20, "the first dimension alone" },
	{ ".shared .u32 q = 1;", 14, "cannot have initial values" },
	{ "{ .global .u32 q; }", 4, "not supported: variables of .global" },
	{ ".maxntid 32;", 2, "between the parameters and the braces" },
	{ ".entry k() .maxntid 0 { }", 21, "a number of threads is between 1 and" },
	{ ".entry k() .maxntid 1, 2, 3, 4 { }", 28, "'{' is expected" },
	{ ".entry k() .foo { }", 13, "'.foo' is no directive of a kernel" },
	{ ".entry k() { } .entry k() { }", 23, "'k' is declared already" },
	{ ".entry k() { .entry j() { } }", 15, "outside of all braces" },
	{ ".entry k(.param .align 8 .b8 a[]) { }", 30, "has no size" },
	{ ".entry k(.param .align 8 .b8 a[24]) { .reg .u32 %v; ld.param.u32 %v, [a+24]; }", 61,
	  "parameter 'a' has 24 bytes" },
	{ ".entry k(.param .align 8 .b8 a[24]) { .reg .u32 %v; ld.param.u32 %v, [a+2]; }", 61,
	  "byte 2 of parameter 'a' is no place" },
	{ ".target sm_60", 9, "begins with sm_70" },
	{ "fence.sc.gpu; .version 8.6", 16, "'.version' is allowed only at the head of the text" },
	{ ".reg .b32 %a; .target sm_90", 16, "'.target' is allowed only at the head of the text" },
	{ ".version 8.5 fence.acquire.gpu;", 19, "'acquire' is of PTX 8.6, and .version says 8.5" },
	{ ".version 7.7 fence.sc.cluster;", 22, "'cluster' is of PTX 7.8" },
	{ ".version 5.0 atom.cta.add.u32 %r1, [%rd1], 1;", 18, "'cta' is of PTX 6.0" },
	{ "/* open", 1, "has no end" },
	{ "ret; }", 6, "nothing that this ends" },
	{ ".visible .entry k() { ret;", 27, "the '}' of kernel 'k' is missing" },
	{ ".entry k(.param .u64 a) { .reg .u32 %v; ld.param.u32 %v, [a]; }", 49,
	  "parameter 'a' has 64 bits" },
	{ ".entry k() { } ret;", 16, "follows the end of the kernel" },
	{ "\x01", 1, "byte 0x01" },
};

static void test_refused(void **state)
{
	struct faa_asm_error error;
	struct faa_asm_code *code;
	char source[1024];
	int failed = 0;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(refused); i++) {
		/*
		 * A directive for the whole text must be the first one, without declarations before
		 * it.
		 */
		bool whole = !strncmp(refused[i].ptx, ".version", 8) ||
			     !strncmp(refused[i].ptx, ".target", 7);

		snprintf(source, sizeof(source), "%s%s", whole ? "\n" : HEAD, refused[i].ptx);
		if (faa_asm_read(FAA_ASM_PTX, FAA_ASM_TEXT, source, strlen(source), &code,
				 &error) != -EINVAL)
			fail_msg("%s is not refused", refused[i].ptx);
		if (error.line == 2 && error.column == refused[i].column &&
		    strstr(error.text, refused[i].why))
			continue;
		print_error("%s: %u:%u: %s\n", refused[i].ptx, error.line, error.column,
			    error.text);
		failed++;
	}
	assert_int_equal(failed, 0);
}

static void test_forms(void **state)
{
	static const enum faa_asm_format formats[] = { FAA_ASM_HEX, FAA_ASM_BUNDLE, FAA_ASM_CISA };
	struct faa_asm_code *code = read_code("ret;"), *other;
	struct faa_asm_error error;
	void *data;
	size_t i, size;

	(void)state;
	for (i = 0; i < COUNT(formats); i++) {
		assert_int_equal(faa_asm_read(FAA_ASM_PTX, formats[i], "x", 1, &other, &error),
				 -EOPNOTSUPP);
		assert_non_null(strstr(error.text, "ptx has no"));
		assert_int_equal(faa_asm_write(code, formats[i], &data, &size, &error),
				 -EOPNOTSUPP);
		assert_non_null(strstr(error.text, "ptx has no"));
	}
	faa_asm_destroy(code);
}

/* -------------------------------------------------------------------------------------------------
 * Environment
 */

static int emit(const char *source, const struct faa_asm_environment *environment,
		struct faa_asm_error *error)
{
	struct faa_asm_code *code = read_code(source);
	struct faa_stream *stream;
	int ret;

	assert_int_equal(faa_stream_create(&stream), 0);
	ret = faa_asm_emit(code, environment, stream, error);
	faa_stream_destroy(stream);
	faa_asm_destroy(code);
	return ret;
}

static void test_inputs(void **state)
{
	const struct faa_asm_value inputs[] = { { "%rd1", faa_imm(0x10000) },
						{ "%p1", faa_affine(0, 1) },
						{ "counter", faa_imm(0x20000) } };
	const struct faa_asm_value outputs[] = { { "%r1", faa_array_u32(0x30000, 4) },
						 { "%p1", faa_array_u32(0x40000, 4) } };
	const struct faa_asm_environment environment = {
		inputs, COUNT(inputs), outputs, COUNT(outputs), 0xff, NULL, NULL
	};
	char text[1024];

	(void)state;
	commands("@%p1 ld.global.u32 %r1, [%rd1]; red.add.u32 [counter+4], 1;", environment, text,
		 sizeof(text));
	assert_string_equal(
		text,
		"@P0 LD.U32 R0, [R2] x8;RED.ADD.U32.GPU [0x20004], 0x1 x8;MOV.U32 u32[0x30000 + e * 4], R0 x8;"
		"MOV.U32 u32[0x40000 + e * 4], 0x0 x8;@P0 MOV.U32 u32[0x40000 + e * 4], 0x1 x8;");
}

/*
 * An input that the code writes before it reads it has a register from the beginning, so that the
 * write does not change another input.
 */
static void test_input_that_is_set(void **state)
{
	const struct faa_asm_value inputs[] = { { "%r2", faa_imm(9) }, { "%r1", faa_imm(7) } };
	const struct faa_asm_environment environment = { inputs, COUNT(inputs), NULL, 0,
							 ~0u,	 NULL,		NULL };
	char text[1024];

	(void)state;
	commands("st.global.u32 [0x10000], %r2; mov.u32 %r1, 1; st.global.u32 [0x10004], %r1;",
		 environment, text, sizeof(text));
	assert_string_equal(text, "ST.U32 [0x10000], R0;MOV.U32 R1, 0x1;ST.U32 [0x10004], R1;");
}

/* A variable with an address for each lane: an offset is added to each address. */
static void test_addresses_of_lanes(void **state)
{
	const struct faa_asm_value input = { "counter", faa_array_u64(0x20000, 8) };
	const struct faa_asm_environment environment = { &input, 1, NULL, 0, ~0u, NULL, NULL };
	char text[1024];

	(void)state;
	commands("red.add.u32 [counter], 1; red.add.u32 [counter+4], 1;", environment, text,
		 sizeof(text));
	assert_string_equal(text, "RED.ADD.U32.GPU [u64[0x20000 + e * 8]], 0x1;"
				  "RED.ADD.U32.GPU [0x4 + u64[0x20000 + e * 8]], 0x1;");
}

static void test_sparse(void **state)
{
	const struct faa_asm_environment environment = { .lanes = 0x5 };
	char text[1024];

	(void)state;
	commands("add.u32 %r1, %r1, 1; @%p1 add.u32 %r1, %r1, 1; @!%p1 add.u32 %r1, %r1, 1;",
		 environment, text, sizeof(text));
	assert_string_equal(
		text,
		"@P6 ALU.ADD.U32 R0, R0, 0x1 x3;@P0 ALU.ADD.U32 R0, R0, 0x1 x3;SETP.NE.U32 P5, 0x0, 0x0;"
		"@P6 SETP.EQ.U32 P5, 0x0, 0x0 x3;@P0 SETP.NE.U32 P5, 0x0, 0x0 x3;@P5 ALU.ADD.U32 R0, R0, 0x1 x3;");
}

static void test_names(void **state)
{
	const struct faa_asm_value wrong = { "%x", faa_imm(1) },
				   unused = { "%r5", faa_array_u32(0x10000, 4) };
	struct faa_asm_environment environment = { .inputs = &wrong, .input_count = 1, .lanes = 1 };
	struct faa_asm_error error;

	(void)state;
	assert_int_equal(emit(HEAD "ret;", &environment, &error), -EINVAL);
	assert_int_equal(error.line, 0);
	assert_non_null(strstr(error.text, "'%x' is no register, parameter or variable"));
	environment =
		(struct faa_asm_environment){ .outputs = &wrong, .output_count = 1, .lanes = 1 };
	assert_int_equal(emit(HEAD "ret;", &environment, &error), -EINVAL);
	assert_non_null(strstr(error.text, "'%x' is no register"));
	environment.outputs = &unused;
	assert_int_equal(emit(HEAD "ret;", &environment, &error), 0);
	environment.lanes = 0;
	assert_int_equal(emit(HEAD "ret;", &environment, &error), 0);
}

/* 200 registers of 64 bits, used one after the other, fit; 125 at a time do not. */
static void test_registers(void **state)
{
	const struct faa_asm_environment environment = { .lanes = ~0u };
	struct faa_asm_error error;
	char text[16384];
	size_t n;
	int i;

	(void)state;
	n = (size_t)snprintf(text, sizeof(text), ".reg .b64 %%rd<200>;\n");
	for (i = 0; i < 199; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "add.u64 %%rd%d, %%rd%d, 1;\n",
				      i + 1, i);
	assert_int_equal(emit(text, &environment, &error), 0);
	n = (size_t)snprintf(text, sizeof(text), ".reg .b64 %%rd<200>;\n");
	for (i = 0; i < 125; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "mov.u64 %%rd%d, 1;\n", i);
	for (i = 0; i < 125; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "not.b64 %%rd%d, %%rd%d;\n", i,
				      i);
	assert_int_equal(emit(text, &environment, &error), -EINVAL);
	assert_int_equal(error.line, 126);
	assert_non_null(strstr(error.text, "no room for '%rd124'"));
}

static void test_predicates(void **state)
{
	const struct faa_asm_environment environment = { .lanes = ~0u };
	struct faa_asm_error error;
	char text[1024] = "";
	size_t n = 0;
	int i;

	(void)state;
	n = (size_t)snprintf(text, sizeof(text), ".reg .pred %%p<9>; .reg .b32 %%r1;\n");
	for (i = 0; i < 8; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "@%%p%d mov.u32 %%r1, 1;\n", i);
	assert_int_equal(emit(text, &environment, &error), -EINVAL);
	assert_non_null(strstr(error.text, "more than 7 predicates"));
}

static void test_loop(void **state)
{
	char text[1024];

	(void)state;
	commands(
		"L: ld.acquire.gpu.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra.uni L; @!%p1 bra.uni M; M: ret;",
		all_lanes, text, sizeof(text));
	assert_string_equal(
		text, "LD.U32.GPU.ACQUIRE R0, [R2];SETP.EQ.U32 P0, R0, 0x0;"
		      "@P0 JUMP.ALL -7;@P0 JUMP.NONE +6;@!P0 LD.U8 R248, [0xfaa0000000000002];"
		      "@P0 JUMP.NONE +8;@P0 JUMP.ALL +6;@!P0 LD.U8 R248, [0xfaa0000000000002];");
}

/* A false predicate of inactive lanes does not make a branch divergent. */
static void test_together(void **state)
{
	static const struct faa_asm_environment some = { .lanes = 0xff }, sparse = { .lanes = 0x5 };
	char text[1024];

	(void)state;
	commands("L: @%p1 bra.uni L;", some, text, sizeof(text));
	assert_string_equal(
		text, "@P0 JUMP.NONE +8;@!P0 LD.U8 R248, [0xfaa0000000000002] x8;JUMP.ALWAYS -6;");
	commands("L: @!%p1 bra.uni L;", some, text, sizeof(text));
	assert_string_equal(text, "@P0 JUMP.NONE +0;@!P0 LD.U8 R248, [0xfaa0000000000002] x8;");
	commands("L: @%p1 bra.uni L;", sparse, text, sizeof(text));
	assert_string_equal(text, "@P0 JUMP.NONE +23;SETP.NE.U32 P5, 0x0, 0x0;"
				  "@P6 SETP.EQ.U32 P5, 0x0, 0x0 x3;@P0 SETP.NE.U32 P5, 0x0, 0x0 x3;"
				  "@P5 LD.U8 R248, [0xfaa0000000000002] x3;JUMP.ALWAYS -21;");
}

/* A ret that is not last jumps to the end, where outputs are stored. */
static void test_return(void **state)
{
	const struct faa_asm_value output = { "%r1", faa_array_u32(0x30000, 4) };
	const struct faa_asm_environment environment = { .outputs = &output,
							 .output_count = 1,
							 .lanes = ~0u };
	char text[1024];

	(void)state;
	commands("bra L; M: ret; L: bra M;", all_lanes, text, sizeof(text));
	assert_string_equal(text, "JUMP.ALWAYS +4;JUMP.ALWAYS +4;JUMP.ALWAYS -2;");
	commands("mov.u32 %r1, 5; @%p1 ret.uni; mov.u32 %r1, 6; ret;", environment, text,
		 sizeof(text));
	assert_string_equal(text, "MOV.U32 R0, 0x5;@P0 JUMP.ALL +12;@P0 JUMP.NONE +6;"
				  "@!P0 LD.U8 R248, [0xfaa0000000000002];MOV.U32 R0, 0x6;"
				  "MOV.U32 u32[0x30000 + e * 4], R0;");
	commands("exit;", all_lanes, text, sizeof(text));
	assert_string_equal(text, "");
}

/* -------------------------------------------------------------------------------------------------
 * Blocks, kernels, variables
 */

static void test_blocks(void **state)
{
	char text[1024];

	(void)state;
	/* A name of a block hides that of the enclosing block; labels are searched outwards. */
	commands(
		"mov.u32 %r1, 1; { .reg .b32 %r<3>; .reg .b32 %x; mov.u32 %r1, 2; mov.u32 %x, %r1; bra M; }"
		" { .reg .b64 %x; L: mov.u64 %x, 3; { bra L; } } M: red.add.u32 [%rd1], %r1;",
		all_lanes, text, sizeof(text));
	assert_string_equal(text, "MOV.U32 R0, 0x1;MOV.U32 R2, 0x2;MOV.U32 R1, R2;JUMP.ALWAYS +8;"
				  "MOV.U64 R4, 0x3;JUMP.ALWAYS -4;RED.ADD.U32.GPU [R6], R0;");
	write_text(
		"\n{ .reg .b32 %r1; .shared .u32 w; mov.b32 %r1, 1; { L: bra L; } } .reg .b32 %r1; mov.b32 %r1, 2;",
		text, sizeof(text));
	assert_string_equal(text, "mov.b32 %r1, 1;\n{\nL:\n\tbra L;\n}\n}\n\tmov.b32 %r1, 2;\n");
}

static const char two_kernels[] =
	".version 8.6\n.target sm_90\n.file 1 \"x.cu\"\n.shared .align 4 .b8 both[4];\n"
	".visible .entry first(.param .u64 a)\n.maxntid 64, 1, 1\n.minnctapersm 2\n{\n"
	"\t.reg .b64 %rd<2>;\n\t.shared .align 16 .b8 own[16];\n\t.loc 1 2 3\n\tld.param.u64 %rd1, [a];\n"
	"\tred.add.u64 [%rd1], 1;\n\tatom.shared.add.u32 _, [own], 1;\nL:\n\tret;\n}\n"
	".entry second(.param .u32 a, .param .align 8 .b8 s[24]) .reqntid 32 .maxnreg 32 .pragma \"nounroll\";\n{\n"
	"\t.reg .b32 %rd<2>;\n\t.shared .align 4 .b8 own[4];\n\t.pragma \"nounroll\";\n\tld.param.u32 %rd1, [s+8];\n"
	"\tatom.shared.add.u32 _, [own], 1;\nL:\n\tret;\n}\n"
	".section .debug_str { .b8 123, 125, 0 // }\n }\n";

/* Commands of a kernel, a space between them. */
static void kernel_commands(const char *source, const char *kernel,
			    struct faa_asm_environment environment, char *text, size_t size)
{
	struct faa_asm_code *code = read_code(source);
	struct faa_asm_error error;
	struct faa_stream *stream;
	const uint64_t *words;
	unsigned int used;
	size_t count, at;

	assert_int_equal(faa_asm_choose(code, kernel, &error), 0);
	assert_int_equal(faa_stream_create(&stream), 0);
	if (faa_asm_emit(code, &environment, stream, &error))
		fail_msg("%u:%u: %s", error.line, error.column, error.text);
	words = faa_stream_words(stream, &count);
	text[0] = '\0';
	for (at = 0; at < count; at += used) {
		size_t n = strlen(text);

		faa_disassemble(words + at, count - at, &used, text + n, size - n);
	}
	faa_stream_destroy(stream);
	faa_asm_destroy(code);
}

static void test_kernels(void **state)
{
	const struct faa_asm_value inputs[] = { { "a", faa_imm(0x10000) },
						{ "s", faa_imm(0x20000) },
						{ "%ntid.x", faa_imm(64) } };
	struct faa_asm_environment environment = { .lanes = ~0u };
	struct faa_asm_code *code = read_code(two_kernels);
	struct faa_stream *stream;
	struct faa_asm_error error;
	char text[1024], again[1024];
	void *data;
	size_t size;

	(void)state;
	assert_int_equal(faa_asm_count(code), 7);
	assert_int_equal(faa_stream_create(&stream), 0);
	assert_int_equal(faa_asm_emit(code, &environment, stream, &error), -EINVAL);
	assert_string_equal(error.text, "which kernel? There are first, second");
	assert_int_equal(faa_asm_choose(code, "third", &error), -EINVAL);
	assert_string_equal(error.text, "there is no kernel 'third'");
	assert_int_equal(faa_asm_choose(code, "second", &error), 0);
	assert_int_equal(faa_asm_emit(code, &environment, stream, &error), -EINVAL);
	assert_string_equal(error.text, "the address of 's' is not set");
	assert_int_equal(error.line, 23);
	environment.inputs = inputs;
	environment.input_count = 3;
	assert_int_equal(faa_asm_emit(code, &environment, stream, &error), -EINVAL);
	assert_string_equal(error.text,
			    "the kernel needs 32 x 1 x 1 threads (.reqntid), and %ntid.x is 64");
	faa_stream_destroy(stream);
	environment.input_count = 2;
	kernel_commands(two_kernels, "second", environment, text, sizeof(text));
	assert_string_equal(text, "LD.U32 R0, [0x20008];ATOMS.ADD.U32 _, [0x4], 0x1;");
	assert_int_equal(faa_asm_write(code, FAA_ASM_TEXT, &data, &size, &error), 0);
	kernel_commands(data, "second", environment, again, sizeof(again));
	assert_string_equal(text, again);
	environment.input_count = 1;
	kernel_commands(two_kernels, "first", environment, text, sizeof(text));
	assert_string_equal(
		text,
		"MOV.U64 R0, 0x10000;RED.ADD.U64.GPU [R0], 0x1;ATOMS.ADD.U32 _, [0x10], 0x1;");
	kernel_commands(data, "first", environment, again, sizeof(again));
	assert_string_equal(text, again);
	free(data);
	faa_asm_destroy(code);
}

static void test_threads(void **state)
{
	static const char source[] = ".entry k() .maxntid 8, 8 { ret; }";
	const struct faa_asm_value inputs[] = { { "%ntid.x", faa_imm(65) } },
				   fits = { "%ntid.x", faa_imm(64) };
	struct faa_asm_environment environment = { inputs, 1, NULL, 0, ~0u, NULL, NULL };
	struct faa_asm_error error;

	(void)state;
	assert_int_equal(emit(source, &environment, &error), -EINVAL);
	assert_string_equal(error.text, "the kernel has up to 64 threads (.maxntid), not 65");
	environment.inputs = &fits;
	assert_int_equal(emit(source, &environment, &error), 0);
	environment.input_count = 0;
	assert_int_equal(emit(source, &environment, &error), 0);
}

static void test_variables(void **state)
{
	static const char source[] =
		".global .align 8 .u64 big = 0x1122334455667788;\n"
		".const .u16 table[2][3] = { { 1, 2 }, { 3 } };\n"
		".global .f32 pi = 0f40490FDB, zero;\n"
		".global .s8 open[] = { -1, 2 };\n"
		".extern .shared .align 16 .b8 dynamic[];\n"
		".entry k(.param .align 4 .b8 s[12], .param .u32 n) {\n"
		".reg .b16 %h<2>; .reg .b32 %r1; .shared .u32 one;\n"
		"ld.const.u16 %h1, [table+6];\nst.shared.b16 [dynamic], %h1;\n}\n";
	static const struct {
		const char *name;
		uint64_t bytes;
		uint32_t align;
		size_t initial_bytes;
		const char *initial;
	} want[] = {
		{ "big", 8, 8, 8, "\x88\x77\x66\x55\x44\x33\x22\x11" },
		{ "table", 12, 2, 8, "\1\0\2\0\0\0\3\0" },
		{ "pi", 4, 4, 4, "\xdb\x0f\x49\x40" },
		{ "zero", 4, 4, 0, "" },
		{ "open", 2, 1, 2, "\xff\2" },
		{ "s", 12, 4, 0, "" },
	};
	const struct faa_asm_value input = { "table", faa_imm(0x10000) };
	struct faa_asm_environment environment = { &input, 1, NULL, 0, ~0u, NULL, NULL };
	struct faa_asm_code *code = read_code(source), *again;
	struct faa_asm_variable variable;
	struct faa_asm_error error;
	char text[1024];
	void *data;
	size_t i, size;

	(void)state;
	assert_int_equal(faa_asm_write(code, FAA_ASM_TEXT, &data, &size, &error), 0);
	again = read_code(data);
	for (i = 0; i < 2 * COUNT(want); i++) {
		size_t w = i % COUNT(want);

		assert_true(faa_asm_variable(i < COUNT(want) ? code : again, w, &variable));
		assert_string_equal(variable.name, want[w].name);
		assert_true(variable.bytes == want[w].bytes);
		assert_int_equal(variable.align, want[w].align);
		assert_int_equal(variable.initial_bytes, want[w].initial_bytes);
		assert_memory_equal(want[w].initial_bytes ? variable.initial : "", want[w].initial,
				    want[w].initial_bytes);
	}
	assert_false(faa_asm_variable(code, COUNT(want), &variable));
	kernel_commands(source, "k", environment, text, sizeof(text));
	assert_string_equal(text, "LD.U16 R0, [0x10006];STS.U16 [0x10], R0;");
	environment.input_count = 0;
	assert_int_equal(emit(source, &environment, &error), -EINVAL);
	assert_int_equal(error.line, 8);
	assert_string_equal(error.text, "the address of 'table' is not set");
	free(data);
	faa_asm_destroy(code);
	faa_asm_destroy(again);
}

/* -------------------------------------------------------------------------------------------------
 * Several errors
 */

static void check_errors(const char *source, const char *want)
{
	struct faa_asm_error errors[8];
	struct faa_asm_code *code;
	char text[1024] = "";
	size_t count, i, n = 0;

	assert_int_equal(faa_asm_read_errors(FAA_ASM_PTX, FAA_ASM_TEXT, source, strlen(source),
					     &code, errors, 8, &count),
			 -EINVAL);
	assert_null(code);
	for (i = 0; i < count; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%u:%u: %s\n", errors[i].line,
				      errors[i].column, errors[i].text);
	assert_string_equal(text, want);
}

static void test_errors(void **state)
{
	(void)state;
	check_errors(
		".reg .b32 %r<3>;\nfoo %r1;\nmov.u32 %r1, 1;\nadd.u32 %r1, %x, 1;\nret;\nmov.u32 1, %r2; bar.sync 3;\n",
		"2:1: 'foo' is no instruction of PTX\n4:14: '%x' is not declared\n"
		"6:9: a constant is no destination\n6:26: not supported: the device has barrier 0 alone\n");
	/* A missing semicolon; braces and comments in skipped text. */
	check_errors(
		".reg .b32 %r<3>;\nmov.u32 %r1, 1\nmov.u32 %r2, foo;\nfoo {%r1,%r2}, [ /* ; */ 4 ]; boo {\n}; baz;\n",
		"3:1: ';' is expected after the operands, not 'mov'\n3:14: 'foo' is not declared\n"
		"4:1: 'foo' is no instruction of PTX\n4:31: 'boo' is no instruction of PTX\n5:4: 'baz' is no instruction of PTX\n");
	/* A rejected declaration causes no further errors; the rest of its kernel is read. */
	check_errors(
		".entry k(.param .u64 a, .foo b) {\n.reg .q32 %r<3>;\nmov.u32 %r1, 1;\nfoo;\nL: bra M;\n}\n.func f() { foo; }\nbar;\n",
		"1:26: '.foo' is no parameter of a kernel, which begins with .param\n2:7: '.q32' is no type of registers or variables\n"
		"4:1: 'foo' is no instruction of PTX\n5:8: label 'M' is not defined\n7:2: not supported: directive '.func'\n"
		"8:1: this follows the end of the kernel\n");
	check_errors("a1;a2;a3;a4;a5;a6;a7;a8;a9;",
		     "1:1: 'a1' is no instruction of PTX\n1:4: 'a2' is no instruction of PTX\n"
		     "1:7: 'a3' is no instruction of PTX\n1:10: 'a4' is no instruction of PTX\n"
		     "1:13: 'a5' is no instruction of PTX\n1:16: 'a6' is no instruction of PTX\n"
		     "1:19: 'a7' is no instruction of PTX\n1:22: 'a8' is no instruction of PTX\n");
	check_errors("foo;\n/* open",
		     "1:1: 'foo' is no instruction of PTX\n2:1: this comment has no end\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_abi),
		cmocka_unit_test(test_statements),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_inputs),
		cmocka_unit_test(test_sparse),
		cmocka_unit_test(test_input_that_is_set),
		cmocka_unit_test(test_addresses_of_lanes),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_predicates),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_together),
		cmocka_unit_test(test_return),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_kernels),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_errors),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
