// SPDX-License-Identifier: MIT
/*
 * C11-style atomic operations: the commands of every row of the ABI at every scope, errors, and
 * host threads.
 */
#include "check_stream.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "faa_atomic.h"

#define RELAXED FAA_MEMORY_ORDER_RELAXED
#define CONSUME FAA_MEMORY_ORDER_CONSUME
#define ACQUIRE FAA_MEMORY_ORDER_ACQUIRE
#define RELEASE FAA_MEMORY_ORDER_RELEASE
#define ACQ_REL FAA_MEMORY_ORDER_ACQ_REL
#define SEQ_CST FAA_MEMORY_ORDER_SEQ_CST

#define BY_ACQUIRE FAA_LOWERING_FENCE_ACQUIRE
#define BY_RELEASE FAA_LOWERING_FENCE_RELEASE
#define BY_ACQ_REL FAA_LOWERING_FENCE_ACQ_REL
#define CXX20	   FAA_LOWERING_SC_CXX20

/* The commands of the stream, without a space between them. */
static void commands(char *text, size_t size)
{
	const uint64_t *words;
	unsigned int used;
	size_t count, at;

	text[0] = '\0';
	if (faa_stream_error(stream))
		fail_msg("%s", faa_stream_error(stream));
	words = faa_stream_words(stream, &count);
	for (at = 0; at < count; at += used) {
		size_t n = strlen(text);

		faa_disassemble(words + at, count - at, &used, text + n, size - n);
	}
	faa_stream_reset(stream);
}

/* @expected with the scope's name for each "$". */
static void expect(const char *expected, const char *scope)
{
	char text[512], want[512];
	size_t n = 0;

	for (; *expected; expected++)
		n += snprintf(want + n, sizeof(want) - n, "%.*s", *expected == '$' ? 3 : 1,
			      *expected == '$' ? scope : expected);
	want[n] = '\0';
	commands(text, sizeof(text));
	assert_string_equal(text, want);
}

static const struct {
	enum faa_thread_scope scope;
	const char *name;
} scopes[] = {
	{ FAA_THREAD_SCOPE_SYSTEM, "SYS" },
	{ FAA_THREAD_SCOPE_DEVICE, "GPU" },
	{ FAA_THREAD_SCOPE_BLOCK, "CTA" },
	{ FAA_THREAD_SCOPE_THREAD, "CTA" },
};

static struct faa_atomic_object word(void)
{
	return faa_atomic_each(FAA_TYPE_U32, 32, faa_reg(4), 8);
}

/* A row of the table: its name, order and forms, and the commands. */
struct row {
	char what;
	enum faa_memory_order order;
	unsigned int forms;
	const char *commands;
};

#define LD(order)   "LD.U32.$." order " R0, [R4 + 8];"
#define ST(order)   "ST.U32.$." order " [R4 + 8], R2;"
#define ATOM(order) "ATOM.ADD.U32.$" order " R0, [R4 + 8], R2;"
#define FENCE(o)    "FENCE." o ".$;"

static const struct row rows[] = {
	{ 'f', RELAXED, 0, "" },
	{ 'f', CONSUME, 0, FENCE("ACQUIRE") },
	{ 'f', ACQUIRE, 0, FENCE("ACQUIRE") },
	{ 'f', ACQUIRE, BY_ACQ_REL, FENCE("ACQ_REL") },
	{ 'f', RELEASE, 0, FENCE("RELEASE") },
	{ 'f', RELEASE, BY_ACQ_REL, FENCE("ACQ_REL") },
	{ 'f', ACQ_REL, 0, FENCE("ACQ_REL") },
	{ 'f', SEQ_CST, 0, FENCE("SC") },
	{ 'f', SEQ_CST, BY_ACQ_REL, FENCE("SC") },
	{ 'l', RELAXED, 0, LD("RELAXED") },
	{ 'l', CONSUME, 0, LD("ACQUIRE") },
	{ 'l', ACQUIRE, 0, LD("ACQUIRE") },
	{ 'l', ACQUIRE, BY_ACQUIRE, LD("RELAXED") FENCE("ACQUIRE") },
	{ 'l', ACQUIRE, BY_ACQUIRE | BY_ACQ_REL, LD("RELAXED") FENCE("ACQ_REL") },
	{ 'l', SEQ_CST, 0, FENCE("SC") LD("ACQUIRE") },
	{ 'l', SEQ_CST, BY_ACQUIRE, FENCE("SC") LD("RELAXED") FENCE("ACQUIRE") },
	{ 's', RELAXED, 0, ST("RELAXED") },
	{ 's', RELEASE, 0, ST("RELEASE") },
	{ 's', RELEASE, BY_RELEASE, FENCE("RELEASE") ST("RELAXED") },
	{ 's', RELEASE, BY_RELEASE | BY_ACQ_REL, FENCE("ACQ_REL") ST("RELAXED") },
	{ 's', SEQ_CST, 0, FENCE("SC") ST("RELEASE") },
	{ 's', SEQ_CST, CXX20, FENCE("SC") ST("RELAXED") },
	{ 'a', RELAXED, 0, ATOM("") },
	{ 'a', CONSUME, 0, ATOM(".ACQUIRE") },
	{ 'a', ACQUIRE, 0, ATOM(".ACQUIRE") },
	{ 'a', ACQUIRE, BY_ACQUIRE, ATOM("") FENCE("ACQUIRE") },
	{ 'a', RELEASE, 0, ATOM(".RELEASE") },
	{ 'a', RELEASE, BY_RELEASE, FENCE("RELEASE") ATOM("") },
	{ 'a', ACQ_REL, 0, ATOM(".ACQ_REL") },
	{ 'a', ACQ_REL, BY_RELEASE, FENCE("RELEASE") ATOM(".ACQUIRE") },
	{ 'a', ACQ_REL, BY_ACQUIRE, FENCE("RELEASE") ATOM("") FENCE("ACQUIRE") },
	{ 'a', ACQ_REL, BY_RELEASE | BY_ACQUIRE, FENCE("RELEASE") ATOM("") FENCE("ACQUIRE") },
	{ 'a', SEQ_CST, 0, FENCE("SC") ATOM(".ACQ_REL") },
	{ 'a', SEQ_CST, BY_ACQUIRE, FENCE("SC") ATOM(".RELEASE") FENCE("ACQUIRE") },
	{ 'a', SEQ_CST, CXX20, FENCE("SC") ATOM(".ACQUIRE") },
	{ 'a', SEQ_CST, CXX20 | BY_ACQUIRE, FENCE("SC") ATOM("") FENCE("ACQUIRE") },
};

static void add_row(const struct row *row, enum faa_thread_scope scope)
{
	assert_int_equal(faa_stream_lowering(stream, row->forms), 0);
	switch (row->what) {
	case 'f':
		faa_atomic_thread_fence(stream, row->order, scope);
		break;
	case 'l':
		faa_atomic_load_explicit(stream, faa_reg(0), word(), row->order, scope);
		break;
	case 's':
		faa_atomic_store_explicit(stream, word(), faa_reg(2), row->order, scope);
		break;
	default:
		faa_atomic_fetch_add_explicit(stream, faa_reg(0), word(), faa_reg(2), row->order,
					      scope);
		break;
	}
}

static void table(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; i < COUNT(rows); i++) {
		for (j = 0; j < COUNT(scopes); j++) {
			add_row(&rows[i], scopes[j].scope);
			expect(rows[i].commands, scopes[j].name);
		}
	}
}

static void every_operation(void **state)
{
	(void)state;
#define EXPECT_RMW(call, op)                                                          \
	faa_atomic_##call##_explicit(stream, faa_reg(0), word(), faa_reg(2), ACQUIRE, \
				     FAA_THREAD_SCOPE_DEVICE);                        \
	expect("ATOM." op ".U32.$.ACQUIRE R0, [R4 + 8], R2;", "GPU");                 \
	faa_atomic_##call(stream, faa_reg(0), word(), faa_reg(2));                    \
	expect("FENCE.SC.$;ATOM." op ".U32.$.ACQ_REL R0, [R4 + 8], R2;", "SYS")
	EXPECT_RMW(exchange, "EXCH");
	EXPECT_RMW(fetch_add, "ADD");
	EXPECT_RMW(fetch_sub, "SUB");
	EXPECT_RMW(fetch_and, "AND");
	EXPECT_RMW(fetch_or, "OR");
	EXPECT_RMW(fetch_xor, "XOR");
	EXPECT_RMW(fetch_min, "MIN");
	EXPECT_RMW(fetch_max, "MAX");
	faa_atomic_load(stream, faa_reg(0), word());
	expect("FENCE.SC.$;LD.U32.$.ACQUIRE R0, [R4 + 8];", "SYS");
	faa_atomic_store(stream, word(), faa_imm(3));
	expect("FENCE.SC.$;ST.U32.$.RELEASE [R4 + 8], 0x3;", "SYS");
	faa_atomic_flag_test_and_set(stream, faa_reg(0), word());
	expect("FENCE.SC.$;ATOM.EXCH.U32.$.ACQ_REL R0, [R4 + 8], 0x1;", "SYS");
	faa_atomic_flag_test_and_set_explicit(stream, faa_reg(0), word(), ACQUIRE,
					      FAA_THREAD_SCOPE_BLOCK);
	expect("ATOM.EXCH.U32.$.ACQUIRE R0, [R4 + 8], 0x1;", "CTA");
	faa_atomic_flag_clear(stream, word());
	expect("FENCE.SC.$;ST.U32.$.RELEASE [R4 + 8], 0x0;", "SYS");
	faa_atomic_flag_clear_explicit(stream, word(), RELEASE, FAA_THREAD_SCOPE_BLOCK);
	expect("ST.U32.$.RELEASE [R4 + 8], 0x0;", "CTA");
	faa_atomic_signal_fence(stream, SEQ_CST);
	expect("", "");
}

/* The order of a compare-exchange that results from those of success and failure. */
static void compare_exchange(void **state)
{
	static const struct {
		enum faa_memory_order success, failure;
		const char *commands;
	} orders[] = {
		{ RELAXED, RELAXED, "ATOM.CAS.U32.$ R0, [R4 + 8], R2, R3 x1;" },
		{ RELAXED, CONSUME, "ATOM.CAS.U32.$.ACQUIRE R0, [R4 + 8], R2, R3 x1;" },
		{ RELAXED, ACQUIRE, "ATOM.CAS.U32.$.ACQUIRE R0, [R4 + 8], R2, R3 x1;" },
		{ RELAXED, SEQ_CST, "FENCE.SC.$;ATOM.CAS.U32.$.ACQ_REL R0, [R4 + 8], R2, R3 x1;" },
		{ ACQUIRE, RELAXED, "ATOM.CAS.U32.$.ACQUIRE R0, [R4 + 8], R2, R3 x1;" },
		{ RELEASE, RELAXED, "ATOM.CAS.U32.$.RELEASE R0, [R4 + 8], R2, R3 x1;" },
		{ RELEASE, CONSUME, "ATOM.CAS.U32.$.ACQ_REL R0, [R4 + 8], R2, R3 x1;" },
		{ RELEASE, ACQUIRE, "ATOM.CAS.U32.$.ACQ_REL R0, [R4 + 8], R2, R3 x1;" },
		{ ACQ_REL, RELAXED, "ATOM.CAS.U32.$.ACQ_REL R0, [R4 + 8], R2, R3 x1;" },
		{ SEQ_CST, RELAXED, "FENCE.SC.$;ATOM.CAS.U32.$.ACQ_REL R0, [R4 + 8], R2, R3 x1;" },
	};
	struct faa_atomic_object object = faa_atomic_at(FAA_TYPE_S32, faa_reg(4), 8);
	size_t i, j;

	(void)state;
	object.type = FAA_TYPE_U32;
	for (i = 0; i < COUNT(orders); i++) {
		for (j = 0; j < COUNT(scopes); j++) {
			faa_atomic_compare_exchange_strong_explicit(
				stream, FAA_PT, faa_reg(0), object, faa_reg(2), faa_reg(3),
				orders[i].success, orders[i].failure, scopes[j].scope);
			expect(orders[i].commands, scopes[j].name);
		}
	}
	faa_stream_guard(stream, 3, true);
	faa_stream_wait(stream, 5);
	faa_stream_write_barrier(stream, 2);
	faa_atomic_compare_exchange_weak(stream, 4, faa_reg(0), object, faa_reg(2), faa_imm(7));
	expect("FENCE.SC.$ &req_000101;@!P3 ATOM.CAS.U32.$.ACQ_REL R0, [R4 + 8], R2, 0x7 x1 &wr2;"
	       "@!P3 SETP.EQ.U32 P4, R0, R2 x1;",
	       "SYS");
	assert_int_equal(faa_atomic_failure_order(ACQ_REL), ACQUIRE);
	assert_int_equal(faa_atomic_failure_order(RELEASE), RELAXED);
	assert_int_equal(faa_atomic_failure_order(SEQ_CST), SEQ_CST);
}

static void types(void **state)
{
	static const struct {
		enum faa_type type;
		const char *load, *store;
	} cases[] = {
		{ FAA_TYPE_U8, "U8", "U8" },	  { FAA_TYPE_S8, "S8", "U8" },
		{ FAA_TYPE_S16, "S16", "U16" },	  { FAA_TYPE_F16, "U16", "U16" },
		{ FAA_TYPE_S32, "U32", "U32" },	  { FAA_TYPE_F32, "U32", "U32" },
		{ FAA_TYPE_F16X2, "U32", "U32" }, { FAA_TYPE_F64, "U64", "U64" },
	};
	char want[160];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		struct faa_atomic_object object = faa_atomic_at(cases[i].type, faa_imm(0x1000), 0);

		faa_atomic_load_explicit(stream, faa_reg(2), object, RELAXED,
					 FAA_THREAD_SCOPE_DEVICE);
		faa_atomic_store_explicit(stream, object, faa_reg(2), RELAXED,
					  FAA_THREAD_SCOPE_DEVICE);
		snprintf(want, sizeof(want),
			 "LD.%s.GPU.RELAXED R2, [0x1000] x1;ST.%s.GPU.RELAXED [0x1000], R2 x1;",
			 cases[i].load, cases[i].store);
		expect(want, "");
	}
}

static void expect_refusal(int ret, const char *part)
{
	assert_int_equal(ret, -EINVAL);
	assert_non_null(faa_stream_error(stream));
	if (!strstr(faa_stream_error(stream), part))
		fail_msg("'%s' does not say '%s'", faa_stream_error(stream), part);
	faa_stream_reset(stream);
}

static void refusals(void **state)
{
	const enum faa_thread_scope gpu = FAA_THREAD_SCOPE_DEVICE;
	struct faa_operand r = faa_reg(0);

	(void)state;
	expect_refusal(faa_atomic_load_explicit(stream, r, word(), RELEASE, gpu),
		       "a load has no order release or acq_rel");
	expect_refusal(faa_atomic_load_explicit(stream, r, word(), ACQ_REL, gpu), "a load has no");
	expect_refusal(faa_atomic_store_explicit(stream, word(), r, CONSUME, gpu),
		       "a store has no order consume, acquire or acq_rel");
	expect_refusal(faa_atomic_store_explicit(stream, word(), r, ACQUIRE, gpu),
		       "a store has no");
	expect_refusal(faa_atomic_store_explicit(stream, word(), r, ACQ_REL, gpu),
		       "a store has no");
	expect_refusal(faa_atomic_flag_clear_explicit(stream, word(), ACQUIRE, gpu),
		       "a store has no");
#define EXCHANGE(p, d, object, expected, success, failure)                                      \
	faa_atomic_compare_exchange_strong_explicit(stream, p, d, object, expected, faa_imm(1), \
						    success, failure, gpu)
	expect_refusal(EXCHANGE(FAA_PT, r, word(), faa_imm(0), SEQ_CST, RELEASE),
		       "that fails has no order release or acq_rel");
	expect_refusal(EXCHANGE(FAA_PT, r, word(), faa_imm(0), SEQ_CST, ACQ_REL),
		       "that fails has no");
	expect_refusal(EXCHANGE(8, r, word(), faa_imm(0), RELAXED, RELAXED), "predicate 8");
	expect_refusal(EXCHANGE(1, r, word(), r, RELAXED, RELAXED),
		       "not that of the expected value");
	expect_refusal(EXCHANGE(1, faa_none(), word(), r, RELAXED, RELAXED),
		       "operand d is a register");
	expect_refusal(EXCHANGE(1, r, faa_atomic_at(FAA_TYPE_U16, faa_reg(4), 0), faa_reg(2),
				RELAXED, RELAXED),
		       "32 or 64 bits");
	expect_refusal(EXCHANGE(1, r, faa_atomic_each(FAA_TYPE_U32, 33, faa_reg(4), 0), faa_reg(2),
				RELAXED, RELAXED),
		       "32 elements at most");
	expect_refusal(faa_atomic_fetch_add_explicit(stream, r, word(), r, (enum faa_memory_order)6,
						     gpu),
		       "there is no such memory order");
	expect_refusal(faa_atomic_thread_fence(stream, SEQ_CST, (enum faa_thread_scope)3),
		       "there is no such thread scope");
	expect_refusal(faa_atomic_signal_fence(stream, (enum faa_memory_order)9),
		       "there is no such memory order");
	expect_refusal(faa_stream_lowering(stream, 16), "lowering 0x10");
	expect_refusal(faa_atomic_fetch_add_explicit(stream, r, faa_atomic_at(FAA_TYPE_U8, r, 0), r,
						     RELAXED, gpu),
		       "has no type U8");
	/* The first error stays. */
	faa_stream_ld(stream, FAA_TYPE_F32, 1, r, r, 0);
	assert_int_equal(faa_atomic_load(stream, r, word()), -EINVAL);
	assert_int_equal(faa_atomic_thread_fence(stream, RELAXED, gpu), -EINVAL);
	faa_stream_reset(stream);
}

static void loop(void **state)
{
	(void)state;
	FAA_REPEAT_WHILE(stream, 2, FAA_CMP_NE, FAA_TYPE_U32, 1, faa_reg(0), faa_imm(5))
	faa_atomic_load_explicit(stream, faa_reg(0),
				 faa_atomic_at(FAA_TYPE_U32, faa_imm(0x1000), 0), ACQUIRE,
				 FAA_THREAD_SCOPE_DEVICE);
	faa_stream_end(stream);
	assert_int_equal(faa_stream_finish(stream), 0);
	expect("SETP.NE.U32 P2, 0x0, 0x0;LD.U32.GPU.ACQUIRE R0, [0x1000] x1;SETP.NE.U32 P2, R0, 0x5 x1;"
	       "@P2 JUMP.ANY -8;END;",
	       "");
}

/* -------------------------------------------------------------------------------------------------
 * Threads of the host
 */

static uint64_t memory[64];

static struct faa_host_thread host(void)
{
	/* Device addresses of the memory are from 0x10000 on. */
	struct faa_host_thread thread = { .offset = (uintptr_t)memory - 0x10000 };

	return thread;
}

static void host_values(void **state)
{
	struct faa_atomic_object narrow = faa_atomic_at(FAA_TYPE_S16, faa_imm(0x10000), 6);
	struct faa_atomic_object wide = faa_atomic_at(FAA_TYPE_U64, faa_reg(8), 8);
	struct faa_host_thread t = host();

	(void)state;
	memset(memory, 0, sizeof(memory));
	assert_int_equal(faa_atomic_store(&t, narrow, faa_imm((uint64_t)-3)), 0);
	assert_int_equal(memory[0], 0xfffdull << 48);
	assert_int_equal(faa_atomic_fetch_min(&t, faa_reg(0), narrow, faa_imm((uint64_t)-5)), 0);
	assert_int_equal(t.reg[0], (uint32_t)-3);
	assert_int_equal(memory[0], 0xfffbull << 48);
	assert_int_equal(faa_atomic_load(&t, faa_reg(1), narrow), 0);
	assert_int_equal(t.reg[1], (uint32_t)-5);
	assert_int_equal(faa_host_mov(&t, FAA_TYPE_U64, 1, faa_reg(8), faa_imm(0x10000)), 0);
	assert_int_equal(faa_atomic_fetch_add(&t, faa_none(), wide, faa_imm(0x1234567890ull)), 0);
	assert_int_equal(faa_atomic_exchange(&t, faa_reg(2), wide, faa_reg(0)), 0);
	assert_int_equal(t.reg[2], 0x34567890);
	assert_int_equal(t.reg[3], 0x12);
	assert_int_equal(faa_atomic_compare_exchange_strong(&t, 1, faa_reg(4), wide, faa_imm(1),
							    faa_imm(2)),
			 0);
	assert_false(t.predicate[1]);
	assert_int_equal(faa_atomic_compare_exchange_strong(&t, 1, faa_reg(6), wide, faa_reg(4),
							    faa_imm(2)),
			 0);
	assert_true(t.predicate[1]);
	assert_int_equal(memory[1], 2);
	assert_int_equal(faa_host_alu(&t, FAA_ALU_OP_SHL, FAA_TYPE_U32, 1, faa_reg(0), faa_imm(3),
				      faa_imm(33)),
			 0);
	assert_int_equal(t.reg[0], 6);
	assert_int_equal(t.error, 0);
}

static void host_refusals(void **state)
{
	struct faa_atomic_object object = faa_atomic_at(FAA_TYPE_U32, faa_imm(0x10000), 0);
	struct faa_host_thread t = host();

	(void)state;
	assert_int_equal(faa_atomic_load_explicit(&t, faa_reg(0), object, RELEASE,
						  FAA_THREAD_SCOPE_SYSTEM),
			 -EINVAL);
	assert_string_equal(t.why, "a load has no order release or acq_rel");
	t = host();
	object.offset = 2;
	assert_int_equal(faa_atomic_store(&t, object, faa_imm(0)), -EINVAL);
	assert_string_equal(t.why, "the address is no multiple of the object's size");
	t = host();
	object.offset = 0;
	object.type = FAA_TYPE_F32;
	assert_int_equal(faa_atomic_fetch_add(&t, faa_reg(0), object, faa_imm(0)), -EINVAL);
	assert_string_equal(t.why, "a host thread accesses one integer at a time");
	/* A loop after an error does not execute its body. */
	FAA_REPEAT_WHILE(&t, 0, FAA_CMP_EQ, FAA_TYPE_U32, 1, faa_reg(0), faa_reg(0))
	fail();
}

/* A ticket lock, as on a stream: the data that it protects is not atomic. */
static void *lock_thread(void *data)
{
	struct faa_atomic_object next = faa_atomic_at(FAA_TYPE_U32, faa_imm(0x10000), 0);
	struct faa_atomic_object serving = faa_atomic_at(FAA_TYPE_U32, faa_imm(0x10000), 4);
	struct faa_host_thread t = host();
	int i;

	for (i = 0; i < 2000; i++) {
		faa_atomic_fetch_add_explicit(&t, faa_reg(0), next, faa_imm(1), RELAXED,
					      FAA_THREAD_SCOPE_SYSTEM);
		FAA_REPEAT_WHILE(&t, 0, FAA_CMP_NE, FAA_TYPE_U32, 1, faa_reg(1), faa_reg(0))
		faa_atomic_load_explicit(&t, faa_reg(1), serving, ACQUIRE, FAA_THREAD_SCOPE_SYSTEM);
		memory[8]++;
		faa_host_alu(&t, FAA_ALU_OP_ADD, FAA_TYPE_U32, 1, faa_reg(1), faa_reg(1),
			     faa_imm(1));
		faa_atomic_store_explicit(&t, serving, faa_reg(1), RELEASE,
					  FAA_THREAD_SCOPE_SYSTEM);
	}
	*(int *)data = t.error;
	return NULL;
}

static void host_threads(void **state)
{
	pthread_t threads[2];
	int errors[2], i;

	(void)state;
	memset(memory, 0, sizeof(memory));
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, lock_thread, &errors[i]), 0);
	for (i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(errors[i], 0);
	}
	assert_int_equal(memory[8], 4000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(every_operation),
		cmocka_unit_test(compare_exchange),
		cmocka_unit_test(types),
		cmocka_unit_test(refusals),
		cmocka_unit_test(loop),
		cmocka_unit_test(host_values),
		cmocka_unit_test(host_refusals),
		cmocka_unit_test(host_threads),
	};

	return RUN_TESTS(tests, setup, teardown);
}
