// SPDX-License-Identifier: MIT
/* CAS loops: the commands that the builder emits, errors, and their execution on the model. */
#include "check.h"

#include <errno.h>
#include <string.h>

#include "cas_functions.h"
#include "device.h"
#include "fake_kernel.h"
#include "fixture_fake.h"

#define LANES FAA_LANES
#define WORDS 24

static int setup(void **state)
{
	const struct faa_queue_options options = { .shared_bytes = 256, .status_entries = 64 };

	(void)state;
	fixture_open(4 * PAGE, &options);
	return 0;
}

static int increment(struct faa_stream *s, const struct faa_cas_loop *loop, void *data)
{
	(void)data;
	return faa_stream_alu(s, FAA_ALU_OP_ADD, FAA_TYPE_U32, loop->lanes, faa_reg(loop->desired),
			      faa_reg(loop->old), faa_imm(1));
}

static const struct faa_cas_loop good = {
	.type = FAA_TYPE_U32,
	.lanes = 32,
	.address = { .kind = FAA_KIND_REG, .reg = 1 },
	.offset = 8,
	.old = 2,
	.desired = 3,
	.scratch = 4,
	.pending = 5,
	.body = increment,
};

/* Compares the stream with one line for each command. */
static void expect_stream(const char *const *lines, size_t count)
{
	const uint64_t *words;
	size_t length, at = 0, line = 0;
	unsigned int used;
	char text[256];

	if (faa_stream_error(stream))
		fail_msg("%s", faa_stream_error(stream));
	assert_int_equal(faa_stream_finish(stream), 0);
	words = faa_stream_words(stream, &length);
	for (; at < length; at += used, line++) {
		faa_disassemble(words + at, length - at, &used, text, sizeof(text));
		assert_true(line < count);
		assert_string_equal(text, lines[line]);
	}
	assert_int_equal(line, count);
	faa_stream_reset(stream);
}

static void commands(void **state)
{
	static const char *const plain[] = {
		"SETP.NE.U32 P5, 0x0, 0x0;",
		"SETP.EQ.U32 P5, 0x0, 0x0;",
		"@P5 LDS.U32 R2, [R1 + 8];",
		"@P5 ALU.ADD.U32 R3, R2, 0x1;",
		"@P5 ATOMS.CAS.U32 R4, [R1 + 8], R2, R3;",
		"@P5 SETP.NE.U32 P5, R4, R2;",
		"@P5 MOV.U32 R2, R4;",
		"@P5 JUMP.ANY -13;",
		"END;",
	};
	static const char *const guarded[] = {
		"SETP.NE.U32 P5, 0x0, 0x0 &req_000011;",
		"@!P2 SETP.EQ.U32 P5, 0x0, 0x0 x7;",
		"@P5 LDS.U64 R8, [0x20 + e * 8] x7;",
		"@P5 ALU.ADD.U32 R10, R8, 0x1 x7;",
		"@P5 ATOMS.CAS.U64 R12, [0x20 + e * 8], R8, R10 x7;",
		"@P5 SETP.NE.U64 P5, R12, R8 x7;",
		"@P5 MOV.U64 R8, R12 x7;",
		"@P5 JUMP.ANY -15;",
		"END;",
	};
	struct faa_cas_loop loop = good;

	(void)state;
	assert_int_equal(faa_stream_cas_loop(stream, &loop), 0);
	faa_stream_end(stream);
	expect_stream(plain, COUNT(plain));
	/* S64 moves and compares bits; guard and barriers are those of the caller. */
	loop = (struct faa_cas_loop){ FAA_TYPE_S64, 7, faa_affine(0x20, 8), 0,	 8, 10,
				      12,	    5, increment,	    NULL };
	faa_stream_guard(stream, 2, true);
	faa_stream_wait(stream, 3);
	assert_int_equal(faa_stream_cas_loop(stream, &loop), 0);
	faa_stream_end(stream);
	expect_stream(guarded, COUNT(guarded));
}

static int failing_body(struct faa_stream *s, const struct faa_cas_loop *loop, void *data)
{
	(void)s;
	(void)loop;
	(void)data;
	return -EDOM;
}

static int control_body(struct faa_stream *s, const struct faa_cas_loop *loop, void *data)
{
	(void)loop;
	(void)data;
	return faa_stream_fence(s, FAA_FENCE_ORDER_SC, FAA_SCOPE_CTA);
}

static void expect_refusal(const struct faa_cas_loop *loop, int error, const char *text)
{
	assert_int_equal(faa_stream_cas_loop(stream, loop), error);
	if (!strstr(faa_stream_error(stream), text))
		fail_msg("'%s' does not say '%s'", faa_stream_error(stream), text);
	faa_stream_reset(stream);
	/* A failure leaves no guard set. */
	faa_stream_nop(stream);
	assert_null(faa_stream_error(stream));
	faa_stream_reset(stream);
}

#define REFUSE(text, ...)                              \
	do {                                           \
		struct faa_cas_loop loop_ = good;      \
		__VA_ARGS__;                           \
		expect_refusal(&loop_, -EINVAL, text); \
	} while (0)

static void refusals(void **state)
{
	struct faa_cas_loop loop = good;

	(void)state;
	REFUSE("type 0; allowed", loop_.type = FAA_TYPE_U8);
	REFUSE("type 12; allowed", loop_.type = FAA_TYPE_F16X2);
	REFUSE("type 77; allowed", loop_.type = 77);
	REFUSE("CAS loop of 0 lanes", loop_.lanes = 0);
	REFUSE("CAS loop of 33 lanes", loop_.lanes = 33);
	REFUSE("pending is P7", loop_.pending = 7);
	REFUSE("register old is R255", loop_.old = 255);
	REFUSE("registers old and desired overlap, R2 and R2", loop_.desired = 2);
	REFUSE("registers desired and scratch overlap", loop_.scratch = 3);
	REFUSE("register scratch, R1, overlaps the address, R1", loop_.scratch = 1);
	REFUSE("register desired is R3: allowed are R0..R254, even", loop_.type = FAA_TYPE_U64);
	REFUSE("register old, R2, overlaps the address, R3", loop_.type = FAA_TYPE_F64,
	       loop_.desired = 4, loop_.scratch = 6, loop_.address.reg = 3);
	REFUSE("offset 2 is not a multiple of 4", loop_.offset = 2);
	REFUSE("FENCE cannot have a guard", loop_.body = control_body);
	faa_stream_guard(stream, 5, false);
	expect_refusal(&good, -EINVAL, "P5 is both the guard and the predicate pending");
	faa_stream_write_barrier(stream, 1);
	expect_refusal(&good, -EINVAL, "cannot hold a barrier");
	loop.body = failing_body;
	expect_refusal(&loop, -EDOM, "the body returned error 33");
}

/* Run the stream and fail in words. */
static void run(void)
{
	struct faa_job job = { .stream_va = va };
	struct faa_job_status status;
	const uint64_t *words;
	char text[256];
	size_t count;

	faa_stream_end(stream);
	if (faa_stream_upload(stream, bo, 0))
		fail_msg("%s", faa_stream_error(stream));
	job.stream_bytes = faa_stream_bytes(stream);
	if (faa_queue_run(queue, &job, FAA_NO_DEADLINE, &status)) {
		words = faa_stream_words(stream, &count);
		faa_status_format(&status, words, count, text, sizeof(text));
		fail_msg("%s", text);
	}
	faa_stream_reset(stream);
}

/* Offsets in the BO, and registers. */
#define IN	  (1 * PAGE)
#define ADDRESS	  (1 * PAGE + 512)
#define OPERAND	  (1 * PAGE + 1024)
#define OLD	  (2 * PAGE)
#define OUT	  (2 * PAGE + 512)
#define UNTOUCHED 0x77777777u

static uint64_t item(size_t offset, unsigned int i, bool wide)
{
	return wide ? ((uint64_t *)(memory + offset))[i] : ((uint32_t *)(memory + offset))[i];
}

static void set_item(size_t offset, unsigned int i, bool wide, uint64_t value)
{
	if (wide)
		((uint64_t *)(memory + offset))[i] = value;
	else
		((uint32_t *)(memory + offset))[i] = value;
}

/* One warp of @f: random words and operands, all lanes on one word or not, some lanes disabled. */
static void try(const struct cas_function *f, bool contended, uint32_t mask, uint32_t lanes,
		uint64_t *seed)
{
	bool wide = f->type == FAA_TYPE_U64;
	int size = wide ? 8 : 4, lane;
	uint64_t words[WORDS];
	struct cas_lane active[LANES];
	unsigned int i, count = 0, index[LANES];
	uint8_t operand = 6;
	struct faa_cas_loop loop = {
		f->type, lanes, faa_reg(1), 0, 8, 10, 12, 3, f->body, &operand
	};

	for (i = 0; i < WORDS; i++) {
		words[i] = wide ? check_random(seed) : UINT32_MAX - check_random(seed) % 3000;
		set_item(IN, i, wide, words[i]);
	}
	for (i = 0; i < LANES; i++) {
		uint32_t word = contended ? 5 : check_random(seed) % WORDS;
		uint64_t value = wide ? check_random(seed) : check_random(seed) % 300;

		set_item(ADDRESS, i, false, word * size);
		set_item(OPERAND, i, wide, value);
		set_item(OLD, i, wide, UNTOUCHED);
		((uint32_t *)(memory + 3 * PAGE))[i] = mask >> i & 1;
		if (i < lanes && mask >> i & 1) {
			index[count] = i;
			active[count++] = (struct cas_lane){ word, value, 0 };
		}
	}
	faa_stream_sts(stream, f->type, WORDS, faa_affine(0, size), 0,
		       faa_array(va + IN, f->type, size));
	faa_stream_mov(stream, FAA_TYPE_U32, LANES, faa_reg(1), faa_array_u32(va + ADDRESS, 4));
	faa_stream_mov(stream, f->type, LANES, faa_reg(operand),
		       faa_array(va + OPERAND, f->type, size));
	faa_stream_mov(stream, f->type, LANES, faa_reg(loop.old), faa_imm(UNTOUCHED));
	faa_stream_setp(stream, FAA_CMP_EQ, FAA_TYPE_U32, LANES, 2, faa_array_u32(va + 3 * PAGE, 4),
			faa_imm(0));
	faa_stream_guard(stream, 2, true);
	faa_stream_cas_loop(stream, &loop);
	faa_stream_mov(stream, f->type, LANES, faa_array(va + OLD, f->type, size),
		       faa_reg(loop.old));
	faa_stream_lds(stream, f->type, WORDS, faa_array(va + OUT, f->type, size),
		       faa_affine(0, size), 0);
	run();
	for (i = 0; i < count; i++)
		active[i].old = item(OLD, index[i], wide);
	for (i = 0; i < LANES; i++)
		if (i >= lanes || !(mask >> i & 1))
			assert_int_equal(item(OLD, i, wide), UNTOUCHED);
	lane = cas_explain(f, active, count, words);
	if (lane >= 0)
		fail_msg("%s: lane %u got 0x%llx, which no order explains", f->name, index[lane],
			 (unsigned long long)active[lane].old);
	for (i = 0; i < WORDS; i++)
		assert_true(item(OUT, i, wide) == words[i]);
}

static void functions_on_the_model(void **state)
{
	uint64_t seed = check_seed(0x5eed0007);
	unsigned int i, round;

	(void)state;
	for (i = 0; i < CAS_FUNCTIONS; i++) {
		try(&cas_functions[i], true, UINT32_MAX, LANES, &seed);
		try(&cas_functions[i], false, UINT32_MAX, LANES, &seed);
		try(&cas_functions[i], true, 0, LANES, &seed);
		try(&cas_functions[i], true, 1u << 31, LANES, &seed);
		for (round = 0; round < 50; round++)
			try(&cas_functions[i], round % 2, (uint32_t)check_random(&seed),
			    1 + check_random(&seed) % LANES, &seed);
	}
}

/*
 * The check that other tests depend on detects a value that no order explains, and one that occurs
 * twice.
 */
static void explanations(void **state)
{
	const struct cas_function *minimum = &cas_functions[0], *add = &cas_functions[1];
	struct cas_lane lanes[] = { { 0, 5, 10 }, { 0, 7, 5 }, { 0, 9, 10 }, { 0, 20, 10 } };
	struct cas_lane twice[] = { { 0, 1, 10 }, { 0, 1, 10 } };
	uint64_t word = 10;

	(void)state;
	/*
	 * 5 replaces 10, and 7 finds it. 9 cannot have replaced 10 too, only 5 can have replaced 9.
	 */
	assert_int_equal(cas_explain(minimum, lanes, 2, &word), -1);
	assert_int_equal(word, 5);
	word = 10;
	assert_true(cas_explain(minimum, lanes, 4, &word) >= 0);
	word = 10;
	lanes[0].old = 9;
	assert_int_equal(cas_explain(minimum, lanes, 4, &word), -1);
	assert_int_equal(word, 5);
	word = 10;
	assert_int_equal(cas_explain(add, twice, 2, &word), 1);
	word = 10;
	twice[1].old = 11;
	assert_int_equal(cas_explain(add, twice, 2, &word), -1);
	assert_int_equal(word, 12);
	word = 11;
	assert_int_equal(cas_explain(add, twice, 2, &word), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(commands, setup, fixture_close),
		cmocka_unit_test_setup_teardown(refusals, setup, fixture_close),
		cmocka_unit_test_setup_teardown(functions_on_the_model, setup, fixture_close),
		cmocka_unit_test(explanations),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
