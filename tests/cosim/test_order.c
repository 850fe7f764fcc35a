// SPDX-License-Identifier: MIT
/*
 * Order and scope of accesses to global memory (order.rst): encodings, effects of the accesses, and
 * visibility between streams and the host in loops that wait. tests/litmus tests the memory model
 * in full.
 */
#include <endian.h>
#include <string.h>

#include "faa_model.h"

#include "fixture.h"

static const enum faa_scope scopes[] = { FAA_SCOPE_CTA, FAA_SCOPE_GPU, FAA_SCOPE_SYS };

/* Messages of a conversation. */
static unsigned int rounds_of(const struct fixture *f)
{
	return amount_of(f, 20, 6);
}

/* Number of scopes of the device. */
static unsigned int scope_count(struct fixture *f)
{
	return has_feature(f, FAA_FEATURE_SYS_ATOMICS) ? 3 : 2;
}

/*
 * -------------------------------------------------------------------------------------------------
 * Decoding
 */

static const uint8_t opcodes[] = { FAA_OPCODE_LD, FAA_OPCODE_ST, FAA_OPCODE_ATOM };

/* A weak access, or the atomic one, of 32 elements; ATOM may change the memory at @va. */
static void add_access(struct fixture *f, unsigned int opcode, uint64_t va)
{
	switch (opcode) {
	case FAA_OPCODE_LD:
		add_ld(f, FAA_TYPE_U32, 32, reg(2), affine(va, 4), 0);
		break;
	case FAA_OPCODE_ST:
		add_st(f, FAA_TYPE_U32, 32, affine(va, 4), 0, reg(2));
		break;
	default:
		add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_CTA, 32, reg(2),
			 affine(va, 4), 0, reg(4), none());
	}
}

/* Orders of an opcode in order.rst, written by hand: bit = order. */
static unsigned int orders_of(unsigned int opcode)
{
	switch (opcode) {
	case FAA_OPCODE_LD:
		return 1 << FAA_ORDER_RELAXED | 1 << FAA_ORDER_ACQUIRE;
	case FAA_OPCODE_ST:
		return 1 << FAA_ORDER_RELAXED | 1 << FAA_ORDER_RELEASE;
	}
	return 0xf;
}

/* Every value of the bits 52 to 56 of the second word of LD, ST and ATOM. */
static void every_combination(void **state)
{
	struct fixture *f = *state;
	struct tb_buffer buffer;

	needs_feature(f, FAA_FEATURE_GLOBAL_ATOMICS);
	buffer = atomic_buffer(f, 4096);
	for (unsigned int i = 0; i < 3 * 32; i++) {
		unsigned int opcode = opcodes[i / 32], scope = i % 4, order = i / 4 % 4;
		bool bit = i / 16 % 2, atom = opcode == FAA_OPCODE_ATOM;
		bool good = (orders_of(opcode) >> order & 1) && scope < scope_count(f);

		add_access(f, opcode, buffer.va);
		f->words[1] |= FAA_PUT(ACCESS_SCOPE, scope) | FAA_PUT(ACCESS_ORDER, order) |
			       FAA_PUT(STRONG_STRONG, bit);
		if (atom ? bit : !bit && (scope || order))
			refused(f, FAA_ERROR_RESERVED_BITS, 1);
		else if (!atom && !bit)
			run(f);
		else if (good)
			run(f);
		else
			refused(f, FAA_ERROR_ILLEGAL_OPERATION, 1);
	}
}

/* The same bits are reserved in all other commands. */
static void reserved_elsewhere(void **state)
{
	struct fixture *f = *state;
	const unsigned int commands = has_feature(f, FAA_FEATURE_ALU) ? 6 : 5;

	for (unsigned int i = 0; i < commands * 5; i++) {
		switch (i / 5) {
		case 0:
			add_mov(f, FAA_TYPE_U32, 32, reg(1), reg(2));
			break;
		case 1:
			add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, 1, reg(1), imm(0));
			break;
		case 2:
			add_lds(f, FAA_TYPE_U32, 32, reg(1), affine(0, 4), 0);
			break;
		case 3:
			add_sts(f, FAA_TYPE_U32, 32, affine(0, 4), 0, reg(1));
			break;
		case 4:
			add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, none(), affine(0, 4), 0,
				  reg(1), none());
			break;
		default:
			add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, reg(1), reg(2), imm(0));
		}
		f->words[1] |= 1ULL << (52 + i % 5);
		refused(f, FAA_ERROR_RESERVED_BITS, 1);
	}
}

/*
 * Precedence of errors: reserved bits of the second word, of the third one, scope and order, kinds.
 */
static void which_error(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < 2; i++) {
		/* Scope 3, and an order that the command does not have. */
		const uint64_t illegal = FAA_STRONG_STRONG_MASK | FAA_PUT(ACCESS_SCOPE, 3) |
					 FAA_PUT(ACCESS_ORDER, FAA_ORDER_ACQ_REL);

		for (unsigned int bit = 57; bit < 64; bit++) {
			add_access(f, opcodes[i], f->in.va);
			f->words[1] |= illegal | 1ULL << bit;
			f->words[2] |= 1ULL << 63;
			refused(f, FAA_ERROR_RESERVED_BITS, 1);
		}
		for (unsigned int bit = 56; bit < 64; bit++) {
			add_access(f, opcodes[i], f->in.va);
			f->words[1] |= illegal | FAA_PUT(SHAPE_KIND_A, 7);
			f->words[2] |= 1ULL << bit;
			refused(f, FAA_ERROR_RESERVED_BITS, 2);
		}
		add_access(f, opcodes[i], f->in.va);
		f->words[1] |= illegal | FAA_PUT(SHAPE_KIND_A, 7);
		f->words[1] &= ~FAA_SHAPE_COUNT_MASK;
		refused(f, FAA_ERROR_ILLEGAL_OPERATION, 1);
		/* The scope of a weak access precedes the third word as well. */
		add_access(f, opcodes[i], f->in.va);
		f->words[1] |= FAA_PUT(ACCESS_SCOPE, 1);
		f->words[2] |= 1ULL << 63;
		refused(f, FAA_ERROR_RESERVED_BITS, 1);
	}
}

/* FENCE has every order at every scope, on every device. */
static void every_fence(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	for (unsigned int i = 0; i < 4 * 3; i++) {
		add_mov(f, FAA_TYPE_U32, 32, reg(1), affine(100 * i + 1, 1));
		add_st(f, FAA_TYPE_U32, 32, affine(f->in.va, 4), 0, reg(1));
		add_fence(f, i / 3, scopes[i % 3]);
		add_ld(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), affine(f->in.va, 4),
		       0);
		add_fence(f, i / 3, scopes[i % 3]);
		run(f);
		for (unsigned int lane = 0; lane < 32; lane++)
			assert_int_equal(le32toh(out[lane]), 100 * i + 1 + lane);
	}
}

static void check_build(struct fixture *f, bool sys)
{
	for (unsigned int i = 0; i < 2 * 3 * 2; i++) {
		unsigned int opcode = opcodes[i % 2], scope = scopes[i / 2 % 3];
		unsigned int order = i / 6 ? opcode == FAA_OPCODE_LD ? FAA_ORDER_ACQUIRE :
								       FAA_ORDER_RELEASE :
					     FAA_ORDER_RELAXED;

		add_access(f, opcode, f->in.va);
		f->words[1] |= FAA_STRONG_STRONG_MASK | FAA_PUT(ACCESS_SCOPE, scope) |
			       FAA_PUT(ACCESS_ORDER, order);
		if (scope < FAA_SCOPE_SYS || sys)
			run(f);
		else
			refused(f, FAA_ERROR_ILLEGAL_OPERATION, 1);
	}
}

/*
 * Scope SYS needs its feature; the others do not need atomic operations. The model alone can be any
 * build.
 */
static void builds_without_a_feature(void **state)
{
	static const uint32_t gone[] = {
		0,
		1u << FAA_FEATURE_SYS_ATOMICS,
		1u << FAA_FEATURE_SYS_ATOMICS | 1u << FAA_FEATURE_SURFACE_ATOMICS |
			1u << FAA_FEATURE_GLOBAL_ATOMICS,
	};

	(void)state;
	needs_model();
	for (unsigned int i = 0; i < 3; i++) {
		struct faa_model_params params = FAA_MODEL_DEFAULT;
		void *f;

		params.features &= ~gone[i];
		fixture_setup_build(&f, &params);
		check_build(f, i == 0);
		assert_int_equal(fixture_teardown(&f), 0);
	}
}

/*
 * -------------------------------------------------------------------------------------------------
 * Effects of the accesses
 */

static const enum faa_type load_types[] = { FAA_TYPE_U8,  FAA_TYPE_U16, FAA_TYPE_U32,
					    FAA_TYPE_U64, FAA_TYPE_S8,	FAA_TYPE_S16 };
static const unsigned int type_size[] = { 1, 2, 4, 8, 1, 2 };

/* The form of a strong access: scope and whether it is relaxed. */
struct form {
	enum faa_scope scope;
	bool relaxed;
};

static struct form form_of(unsigned int i)
{
	struct form form = { .scope = scopes[i / 2], .relaxed = i % 2 };

	return form;
}

static void add_load(struct fixture *f, struct form form, enum faa_type type, uint64_t n,
		     struct faa_operand d, struct faa_operand a)
{
	add_ld_strong(f, type, form.scope, form.relaxed ? FAA_ORDER_RELAXED : FAA_ORDER_ACQUIRE, n,
		      d, a, 0);
}

static void add_store(struct fixture *f, struct form form, enum faa_type type, uint64_t n,
		      struct faa_operand a, struct faa_operand b)
{
	add_st_strong(f, type, form.scope, form.relaxed ? FAA_ORDER_RELAXED : FAA_ORDER_RELEASE, n,
		      a, 0, b);
}

/*
 * LD of every type in every form returns the values of weak LD; the page need be neither writable
 * nor atomic.
 */
static void loads(void **state)
{
	struct fixture *f = *state;
	const uint8_t *out = f->out.ptr;
	uint64_t seed = 7;

	for (size_t i = 0; i < f->in.bytes; i++)
		((uint8_t *)f->in.ptr)[i] = (uint8_t)test_random(&seed);
	*tb_vm_entry(f->vm, f->in.va, 0) &= ~(uint64_t)FAA_PTE_WRITABLE_MASK;
	for (unsigned int i = 0; i < 6 * 2 * scope_count(f); i++) {
		enum faa_type type = load_types[i % 6];
		enum faa_type item = type == FAA_TYPE_U64 ? FAA_TYPE_U64 : FAA_TYPE_U32;
		/* Lines that lanes share, and lanes with a line each. */
		struct faa_operand a = affine(f->in.va, i % 4 < 2 ? type_size[i % 6] : 24);

		memset(f->out.ptr, 0xee, 2048);
		add_ld(f, type, 100, stream(item, f->out.va, 8), a, 0);
		add_load(f, form_of(i / 6), type, 100, stream(item, f->out.va + 1024, 8), a);
		run(f);
		assert_memory_equal(out, out + 1024, 800);
		assert_int_equal(f->status.elements_retired, 200);
	}
}

/*
 * ST of every type in every form stores the bytes of weak ST and no others; the highest lane's
 * value remains.
 */
static void stores(void **state)
{
	struct fixture *f = *state;
	const uint8_t *out = f->out.ptr;
	uint64_t seed = 9;

	for (size_t i = 0; i < f->in.bytes; i++)
		((uint8_t *)f->in.ptr)[i] = (uint8_t)test_random(&seed);
	for (unsigned int i = 0; i < 4 * 2 * 3 * scope_count(f); i++) {
		enum faa_type type = load_types[i % 4];
		enum faa_type item = type == FAA_TYPE_U64 ? FAA_TYPE_U64 : FAA_TYPE_U32;
		const uint64_t steps[] = { type_size[i % 4], 24, 0 };
		uint64_t step = steps[i / 4 % 3];
		struct faa_operand b = stream(item, f->in.va, 8);

		memset(f->out.ptr, 0xee, 8192);
		add_setp(f, FAA_CMP_NE, FAA_TYPE_U32, 32, 2, affine(0, 1), imm(i % 32));
		f->issue.guard = 2;
		add_st(f, type, 100, affine(f->out.va + 8, step), 0, b);
		add_store(f, form_of(i / 12), type, 100, affine(f->out.va + 4096 + 8, step), b);
		f->issue.guard = FAA_PT;
		run(f);
		assert_memory_equal(out, out + 4096, 4096);
	}
}

/*
 * Accesses of one stream to the same bytes: in command order, whatever their forms, without a
 * fence.
 */
static void one_place(void **state)
{
	struct fixture *f = *state;
	struct tb_buffer buffer;
	uint64_t seed = 11;

	needs_feature(f, FAA_FEATURE_GLOBAL_ATOMICS);
	buffer = atomic_buffer(f, 4096);
	for (unsigned int round = 0; round < 30; round++) {
		uint32_t value = 0, expected[40];
		const uint32_t *out = f->out.ptr;
		unsigned int n = 0;

		memset(buffer.ptr, 0, 64);
		for (unsigned int k = 0; k < 40; k++) {
			uint64_t random = test_random(&seed);
			struct form form = form_of(random % (2 * scope_count(f)));
			struct faa_operand a = imm(buffer.va + 4);
			struct faa_operand d = stream(FAA_TYPE_U32, f->out.va + 4 * n, 4);

			switch (random >> 32 & 7) {
			case 0:
				value = k + 100;
				add_st(f, FAA_TYPE_U32, 1, a, 0, imm(value));
				break;
			case 1:
			case 2:
				value = k + 200;
				add_store(f, form, FAA_TYPE_U32, 1, a, imm(value));
				break;
			case 3:
				add_atom(f, 0, FAA_ATOM_OP_ADD, FAA_TYPE_U32, form.scope, 1, d, a,
					 0, imm(5), none());
				expected[n++] = value;
				value += 5;
				break;
			case 4:
				add_ld(f, FAA_TYPE_U32, 1, d, a, 0);
				expected[n++] = value;
				break;
			default:
				add_load(f, form, FAA_TYPE_U32, 1, d, a);
				expected[n++] = value;
			}
		}
		run(f);
		for (unsigned int i = 0; i < n; i++)
			assert_int_equal(le32toh(out[i]), expected[i]);
		assert_int_equal(le32toh(((uint32_t *)buffer.ptr)[1]), value);
	}
}

/* Strong accesses fail as weak ones do; their page need not be atomic. */
static void faults(void **state)
{
	struct fixture *f = *state;
	uint64_t hole = f->in.va + f->in.bytes, readonly = f->in.va + TB_PAGE;
	uint64_t sparse = f->in.va + 2ULL * TB_PAGE;
	uint32_t *out = f->out.ptr;

	*tb_vm_entry(f->vm, readonly, 0) &= ~(uint64_t)FAA_PTE_WRITABLE_MASK;
	*tb_vm_entry(f->vm, sparse, 0) |= FAA_PTE_SPARSE_MASK;
	for (unsigned int i = 0; i < 2 * scope_count(f); i++) {
		struct form form = form_of(i);

		add_load(f, form, FAA_TYPE_U32, 64, reg(1), affine(hole - 40 * 4, 4));
		run_error(f, FAA_ERROR_NOT_MAPPED, 0, 40, hole);
		add_store(f, form, FAA_TYPE_U32, 64, affine(hole - 40 * 4, 4), imm(i + 1));
		run_error(f, FAA_ERROR_NOT_MAPPED, 0, 40, hole);
		/* The first warp has stored, the second one has not. */
		for (unsigned int e = 0; e < 40; e++)
			assert_int_equal(le32toh(((uint32_t *)f->in.ptr)[f->in.bytes / 4 - 40 + e]),
					 e < 32 ? i + 1 : 0);
		add_store(f, form, FAA_TYPE_U32, 1, imm(readonly), imm(1));
		run_error(f, FAA_ERROR_NOT_WRITABLE, 0, 0, readonly);
		add_load(f, form, FAA_TYPE_U64, 1, reg(2), imm(f->in.va + 4));
		run_error(f, FAA_ERROR_MISALIGNED, 0, 0, f->in.va + 4);
		add_store(f, form, FAA_TYPE_U16, 1, imm(1ULL << 48), imm(1));
		run_error(f, FAA_ERROR_NON_CANONICAL, 0, 0, 1ULL << 48);
		/* A sparse page has no memory: stores are dropped, loads return 0. */
		out[0] = ~0u;
		((uint32_t *)f->in.ptr)[2 * TB_PAGE / 4] = htole32(77);
		add_store(f, form, FAA_TYPE_U32, 1, imm(sparse), imm(5));
		add_load(f, form, FAA_TYPE_U32, 1, stream(FAA_TYPE_U32, f->out.va, 4), imm(sparse));
		run(f);
		assert_int_equal(out[0], 0);
		assert_int_equal(((uint32_t *)f->in.ptr)[2 * TB_PAGE / 4], htole32(77));
	}
}

/*
 * -------------------------------------------------------------------------------------------------
 * Messages
 */

/*
 * Ways to pass a message: strong accesses, fences with relaxed accesses, ATOM, or ATOM with fences.
 */
enum way { WAY_ACCESS, WAY_FENCE, WAY_ATOM, WAY_ATOM_FENCE, WAY_SC, WAYS };

static bool uses_atom(enum way way)
{
	return way == WAY_ATOM || way == WAY_ATOM_FENCE;
}

/* Stores @value at @va after all earlier accesses. */
static void add_release(struct fixture *f, enum way way, enum faa_scope scope, uint64_t va,
			uint32_t value)
{
	if (way == WAY_FENCE || way == WAY_ATOM_FENCE)
		add_fence(f, FAA_FENCE_ORDER_RELEASE, scope);
	if (way == WAY_SC)
		add_fence(f, FAA_FENCE_ORDER_SC, scope);
	if (uses_atom(way))
		add_atom_ordered(f, FAA_ATOM_OP_EXCH, FAA_TYPE_U32, scope,
				 way == WAY_ATOM ? FAA_ORDER_RELEASE : FAA_ORDER_RELAXED, 1, none(),
				 imm(va), imm(value), none());
	else
		add_st_strong(f, FAA_TYPE_U32, scope,
			      way == WAY_ACCESS ? FAA_ORDER_RELEASE : FAA_ORDER_RELAXED, 1, imm(va),
			      0, imm(value));
}

/* Waits until @value is at @va; later accesses follow the wait. Uses R30 and P6. */
static void add_acquire(struct fixture *f, enum way way, enum faa_scope scope, uint64_t va,
			uint32_t value)
{
	unsigned int loop = f->count;

	if (uses_atom(way))
		add_atom_ordered(f, FAA_ATOM_OP_ADD, FAA_TYPE_U32, scope,
				 way == WAY_ATOM ? FAA_ORDER_ACQUIRE : FAA_ORDER_RELAXED, 1,
				 reg(30), imm(va), imm(0), none());
	else
		add_ld_strong(f, FAA_TYPE_U32, scope,
			      way == WAY_ACCESS ? FAA_ORDER_ACQUIRE : FAA_ORDER_RELAXED, 1, reg(30),
			      imm(va), 0);
	add_setp(f, FAA_CMP_NE, FAA_TYPE_U32, 1, 6, reg(30), imm(value));
	f->issue.guard = 6;
	add_jump(f, FAA_JUMP_COND_ANY, (int32_t)loop - (int32_t)f->count);
	f->issue.guard = FAA_PT;
	if (way == WAY_FENCE || way == WAY_ATOM_FENCE)
		add_fence(f, FAA_FENCE_ORDER_ACQUIRE, scope);
	if (way == WAY_SC)
		add_fence(f, FAA_FENCE_ORDER_SC, scope);
}

/* Memory of a conversation: the data, and two flags in lines of their own. */
struct channel {
	struct tb_buffer buffer;
	uint64_t data, there, back;
};

static struct channel channel_create(struct fixture *f)
{
	struct channel channel = { .buffer = atomic_buffer(f, TB_PAGE) };

	channel.data = channel.buffer.va + 256;
	channel.there = channel.buffer.va + 64;
	channel.back = channel.buffer.va + 132;
	return channel;
}

/* The sender stores 64 words a round, and waits for the receiver's acknowledgement. */
static void add_speaker(struct fixture *f, const struct channel *channel, enum way way,
			enum faa_scope scope, unsigned int rounds)
{
	for (unsigned int round = 1; round <= rounds; round++) {
		add_st(f, FAA_TYPE_U32, 64, affine(channel->data, 4), 0, affine(1000 * round, 1));
		add_release(f, way, scope, channel->there, round);
		add_acquire(f, way, scope, channel->back, round);
	}
	add_end(f);
}

/* The receiver copies the data to the output. */
static void add_listener(struct fixture *f, const struct channel *channel, enum way way,
			 enum faa_scope scope, unsigned int rounds)
{
	for (unsigned int round = 1; round <= rounds; round++) {
		add_acquire(f, way, scope, channel->there, round);
		add_ld(f, FAA_TYPE_U32, 64, stream(FAA_TYPE_U32, f->out.va + 256 * (round - 1), 4),
		       affine(channel->data, 4), 0);
		add_release(f, way, scope, channel->back, round);
	}
	add_end(f);
}

static void check_heard(struct fixture *f, unsigned int rounds)
{
	const uint32_t *out = f->out.ptr;

	for (unsigned int word = 0; word < 64 * rounds; word++)
		assert_int_equal(le32toh(out[word]), 1000 * (word / 64 + 1) + word % 64);
}

static void expect_success(struct tb_queue *queue, uint32_t job)
{
	if (!tb_wait(queue, job))
		fail_msg("a job did not end: a message was not received");
	assert_int_equal(tb_status(queue, job)->code, FAA_ERROR_SUCCESS);
}

static void talk_of_queues(struct fixture *f, enum way way, enum faa_scope scope)
{
	struct channel channel = channel_create(f);
	struct tb_queue *other = tb_queue_create(f->vm, 2, NULL);
	struct tb_stream speaker, listener;
	uint32_t job;

	memset(f->out.ptr, 0, f->out.bytes);
	add_speaker(f, &channel, way, scope, rounds_of(f));
	speaker = keep_stream(f, 0);
	add_listener(f, &channel, way, scope, rounds_of(f));
	listener = keep_stream(f, 4);
	job = tb_submit(f->queue, listener.va, listener.bytes);
	tb_submit(other, speaker.va, speaker.bytes);
	expect_success(other, 0);
	expect_success(f->queue, job);
	check_heard(f, rounds_of(f));
	assert_true(tb_queue_destroy(other));
}

/* Two queues exchange messages at scopes GPU and SYS, in every way. */
static void messages_between_queues(void **state)
{
	struct fixture *f = *state;

	needs_cus(f, 2);
	for (enum way way = 0; way < WAYS; way++) {
		if (uses_atom(way) && !has_feature(f, FAA_FEATURE_GLOBAL_ATOMICS))
			continue;
		for (unsigned int i = 1; i < scope_count(f); i++)
			talk_of_queues(f, way, scopes[i]);
	}
}

static void run_pair(struct fixture *f, const struct tb_stream streams[2])
{
	uint32_t first = tb_submit_group(f->queue, streams, 2);

	expect_success(f->queue, first);
	expect_success(f->queue, first + 1);
}

/* Two streams of one job exchange messages at every scope. */
static void messages_between_streams(void **state)
{
	struct fixture *f = *state;

	needs_slots(f, 2);
	for (enum way way = 0; way < WAYS; way++) {
		if (uses_atom(way) && !has_feature(f, FAA_FEATURE_GLOBAL_ATOMICS))
			continue;
		for (unsigned int i = 0; i < scope_count(f); i++) {
			struct channel channel = channel_create(f);
			struct tb_stream streams[2];

			memset(f->out.ptr, 0, f->out.bytes);
			add_speaker(f, &channel, way, scopes[i], rounds_of(f));
			streams[0] = keep_stream(f, 0);
			add_listener(f, &channel, way, scopes[i], rounds_of(f));
			streams[1] = keep_stream(f, 4);
			run_pair(f, streams);
			check_heard(f, rounds_of(f));
		}
	}
}

/* Data in shared memory, the flag in global memory: orders apply to both. */
static void shared_memory_behind_a_global_flag(void **state)
{
	struct fixture *f = *state;
	struct channel channel;
	struct tb_stream streams[2];

	needs_slots(f, 2);
	for (enum way way = 0; way < WAYS; way++) {
		if (uses_atom(way) && !has_feature(f, FAA_FEATURE_GLOBAL_ATOMICS))
			continue;
		channel = channel_create(f);
		memset(f->out.ptr, 0, f->out.bytes);
		for (unsigned int round = 1; round <= rounds_of(f); round++) {
			add_sts(f, FAA_TYPE_U32, 64, affine(512, 4), 0, affine(1000 * round, 1));
			add_release(f, way, FAA_SCOPE_CTA, channel.there, round);
			add_acquire(f, way, FAA_SCOPE_CTA, channel.back, round);
		}
		add_end(f);
		streams[0] = keep_stream(f, 0);
		for (unsigned int round = 1; round <= rounds_of(f); round++) {
			add_acquire(f, way, FAA_SCOPE_CTA, channel.there, round);
			add_lds(f, FAA_TYPE_U32, 64,
				stream(FAA_TYPE_U32, f->out.va + 256 * (round - 1), 4),
				affine(512, 4), 0);
			add_release(f, way, FAA_SCOPE_CTA, channel.back, round);
		}
		add_end(f);
		streams[1] = keep_stream(f, 4);
		run_pair(f, streams);
		check_heard(f, rounds_of(f));
	}
}

/* ATOMS is relaxed at scope CTA: with fences it passes messages in shared memory alone. */
static void messages_in_shared_memory(void **state)
{
	struct fixture *f = *state;
	struct tb_stream streams[2];

	needs_slots(f, 2);
	for (unsigned int who = 0; who < 2; who++) {
		for (unsigned int round = 1; round <= rounds_of(f); round++) {
			for (unsigned int step = 0; step < 2; step++) {
				unsigned int loop;

				if (step == who) {
					if (who == 0)
						add_sts(f, FAA_TYPE_U32, 64, affine(512, 4), 0,
							affine(1000 * round, 1));
					else
						add_lds(f, FAA_TYPE_U32, 64,
							stream(FAA_TYPE_U32,
							       f->out.va + 256 * (round - 1), 4),
							affine(512, 4), 0);
					add_fence(f, FAA_FENCE_ORDER_ACQ_REL, FAA_SCOPE_CTA);
					add_atoms(f, FAA_ATOMS_OP_EXCH, FAA_TYPE_U32, 1, none(),
						  imm(4 * who), 0, imm(round), none());
					continue;
				}
				loop = f->count;
				add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, reg(30),
					  imm(4 * (1 - who)), 0, imm(0), none());
				add_setp(f, FAA_CMP_NE, FAA_TYPE_U32, 1, 6, reg(30), imm(round));
				f->issue.guard = 6;
				add_jump(f, FAA_JUMP_COND_ANY, (int32_t)loop - (int32_t)f->count);
				f->issue.guard = FAA_PT;
				add_fence(f, FAA_FENCE_ORDER_ACQ_REL, FAA_SCOPE_CTA);
			}
		}
		add_end(f);
		streams[who] = keep_stream(f, 4 * who);
	}
	run_pair(f, streams);
	check_heard(f, rounds_of(f));
}

/*
 * -------------------------------------------------------------------------------------------------
 * The host
 */

static uint32_t peek(const void *at, unsigned int word)
{
	return le32toh(__atomic_load_n((const uint32_t *)at + word, __ATOMIC_ACQUIRE));
}

static void poke(void *at, unsigned int word, uint32_t value)
{
	__atomic_store_n((uint32_t *)at + word, htole32(value), __ATOMIC_RELEASE);
}

/* Runs the device until a word has a value. */
static void run_until(struct fixture *f, const void *at, unsigned int word, uint32_t value)
{
	for (uint64_t unit = 0; peek(at, word) != value; unit++) {
		if (unit > f->host->limit)
			fail_msg("word %u is %u, never %u", word, peek(at, word), value);
		tb_step(f->host, 1);
	}
}

/*
 * The host answers each round of a job. It finds all of the job's stores when it sees the flag. The
 * job finds all of the host's, although it has accessed the same lines with weak accesses before,
 * so that caches may hold them.
 */
static void talk_with_host(struct fixture *f, enum way way)
{
	struct channel channel = channel_create(f);
	uint32_t *words = channel.buffer.ptr;
	const uint32_t *out = f->out.ptr;
	struct tb_stream kept;
	uint32_t job;

	memset(f->out.ptr, 0, f->out.bytes);
	for (unsigned int round = 1; round <= rounds_of(f); round++) {
		/* 32 words of the job, 32 of the host, in the same lines. */
		add_st(f, FAA_TYPE_U32, 32, affine(channel.data, 8), 0, affine(1000 * round, 1));
		add_ld(f, FAA_TYPE_U32, 32, reg(1), affine(channel.data + 4, 8), 0);
		add_release(f, way, FAA_SCOPE_SYS, channel.there, round);
		add_acquire(f, way, FAA_SCOPE_SYS, channel.back, round);
		add_ld(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + 128 * (round - 1), 4),
		       affine(channel.data + 4, 8), 0);
	}
	add_end(f);
	kept = keep_stream(f, 0);
	job = tb_submit(f->queue, kept.va, kept.bytes);
	for (unsigned int round = 1; round <= rounds_of(f); round++) {
		run_until(f, words, 16, round);
		for (unsigned int i = 0; i < 32; i++) {
			assert_int_equal(peek(words, 64 + 2 * i), 1000 * round + i);
			poke(words, 65 + 2 * i, 7000 * round + i);
		}
		tb_step(f->host, 13 * round);
		poke(words, 33, round);
	}
	expect_success(f->queue, job);
	for (unsigned int word = 0; word < 32 * rounds_of(f); word++)
		assert_int_equal(le32toh(out[word]), 7000 * (word / 32 + 1) + word % 32);
}

static void messages_with_the_host(void **state)
{
	struct fixture *f = *state;

	needs_feature(f, FAA_FEATURE_SYS_ATOMICS);
	for (enum way way = 0; way < WAYS; way++)
		talk_with_host(f, way);
}

/*
 * A relaxed load at scope SYS reads memory, whatever was read before; a relaxed store does not
 * change adjacent bytes.
 */
static void the_host_changes_what_is_read(void **state)
{
	struct fixture *f = *state;
	struct tb_stream kept;
	uint32_t *words = f->in.ptr;
	unsigned int loop;
	uint32_t job;

	needs_feature(f, FAA_FEATURE_SYS_ATOMICS);
	/* R2 counts the values that differ from the previous one. */
	add_ld(f, FAA_TYPE_U32, 1, reg(1), imm(f->in.va), 0);
	add_mov(f, FAA_TYPE_U32, 1, reg(2), imm(0));
	loop = f->count;
	add_ld_strong(f, FAA_TYPE_U32, FAA_SCOPE_SYS, FAA_ORDER_RELAXED, 1, reg(3), imm(f->in.va),
		      0);
	add_setp(f, FAA_CMP_NE, FAA_TYPE_U32, 1, 1, reg(3), reg(1));
	f->issue.guard = 1;
	add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U32, 1, reg(2), reg(2), imm(1));
	add_mov(f, FAA_TYPE_U32, 1, reg(1), reg(3));
	add_st_strong(f, FAA_TYPE_U32, FAA_SCOPE_SYS, FAA_ORDER_RELAXED, 1, imm(f->in.va + 4), 0,
		      reg(3));
	f->issue.guard = FAA_PT;
	add_setp(f, FAA_CMP_NE, FAA_TYPE_U32, 1, 2, reg(3), imm(rounds_of(f)));
	f->issue.guard = 2;
	add_jump(f, FAA_JUMP_COND_ANY, (int32_t)loop - (int32_t)f->count);
	f->issue.guard = FAA_PT;
	add_st(f, FAA_TYPE_U32, 1, imm(f->out.va), 0, reg(2));
	add_end(f);
	kept = keep_stream(f, 0);
	job = tb_submit(f->queue, kept.va, kept.bytes);
	tb_step(f->host, 2000);
	for (unsigned int round = 1; round <= rounds_of(f); round++) {
		/* The word next to the device's, in the same line. */
		poke(words, 2, 50 * round);
		poke(words, 0, round);
		run_until(f, words, 1, round);
		assert_int_equal(peek(words, 2), 50 * round);
	}
	expect_success(f->queue, job);
	assert_int_equal(peek(f->out.ptr, 0), rounds_of(f));
}

/*
 * Store buffering with the host: each side stores to its word, then loads the other's. With a fence
 * in between, at least one of the two sees the other's store. The host acts at a time that varies.
 */
static void store_buffering_with_the_host(void **state)
{
	struct fixture *f = *state;
	uint32_t *words = f->in.ptr;

	needs_feature(f, FAA_FEATURE_SYS_ATOMICS);
	for (unsigned int moment = 0; moment < 600; moment += 1 + moment / 40) {
		uint32_t seen, job;
		struct tb_stream kept;

		memset(words, 0, 256);
		*(uint32_t *)f->out.ptr = ~0u;
		/* Loads both words, so that caches may hold them. */
		add_ld(f, FAA_TYPE_U32, 2, reg(5), affine(f->in.va, 64), 0);
		add_st_strong(f, FAA_TYPE_U32, FAA_SCOPE_SYS, FAA_ORDER_RELAXED, 1, imm(f->in.va),
			      0, imm(1));
		add_fence(f, FAA_FENCE_ORDER_SC, FAA_SCOPE_SYS);
		add_ld_strong(f, FAA_TYPE_U32, FAA_SCOPE_SYS, FAA_ORDER_RELAXED, 1,
			      stream(FAA_TYPE_U32, f->out.va, 4), imm(f->in.va + 64), 0);
		add_end(f);
		kept = keep_stream(f, 0);
		job = tb_submit(f->queue, kept.va, kept.bytes);
		tb_step(f->host, moment);
		poke(words, 16, 1);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		seen = peek(words, 0);
		expect_success(f->queue, job);
		assert_true(seen == 1 || peek(f->out.ptr, 0) == 1);
	}
}

/* A queue receives data at scope GPU and signals the host: all data is visible to the host. */
static void handed_on_to_the_host(void **state)
{
	struct fixture *f = *state;
	struct tb_queue *other;
	struct channel channel;
	struct tb_stream first, second;
	uint32_t *words, job;

	needs_feature(f, FAA_FEATURE_SYS_ATOMICS);
	needs_cus(f, 2);
	channel = channel_create(f);
	words = channel.buffer.ptr;
	other = tb_queue_create(f->vm, 2, NULL);
	for (unsigned int round = 1; round <= rounds_of(f); round++) {
		add_st(f, FAA_TYPE_U32, 64, affine(channel.data, 4), 0, affine(1000 * round, 1));
		add_release(f, WAY_ACCESS, FAA_SCOPE_GPU, channel.there, round);
		add_acquire(f, WAY_ACCESS, FAA_SCOPE_SYS, channel.back, round);
	}
	add_end(f);
	first = keep_stream(f, 0);
	for (unsigned int round = 1; round <= rounds_of(f); round++) {
		add_acquire(f, WAY_ACCESS, FAA_SCOPE_GPU, channel.there, round);
		add_release(f, WAY_ACCESS, FAA_SCOPE_SYS, channel.buffer.va, round);
	}
	add_end(f);
	second = keep_stream(f, 4);
	job = tb_submit(f->queue, first.va, first.bytes);
	tb_submit(other, second.va, second.bytes);
	for (unsigned int round = 1; round <= rounds_of(f); round++) {
		run_until(f, words, 0, round);
		for (unsigned int i = 0; i < 64; i++)
			assert_int_equal(peek(words, 64 + i), 1000 * round + i);
		poke(words, 33, round);
	}
	expect_success(f->queue, job);
	expect_success(other, 0);
	assert_true(tb_queue_destroy(other));
}

/*
 * -------------------------------------------------------------------------------------------------
 * The model's seed
 */

#define SEEDS 100

/* Store buffering of two streams without a fence: returns the two loaded values as 2 bits. */
static unsigned int store_buffering(struct fixture *f)
{
	struct tb_stream streams[2];
	const uint32_t *out = f->out.ptr;

	for (unsigned int i = 0; i < 2; i++) {
		uint64_t mine = f->in.va + 64 * i, others = f->in.va + 64 * (1 - i);

		add_st_strong(f, FAA_TYPE_U32, FAA_SCOPE_CTA, FAA_ORDER_RELAXED, 1, imm(mine), 0,
			      imm(1));
		add_ld_strong(f, FAA_TYPE_U32, FAA_SCOPE_CTA, FAA_ORDER_RELAXED, 1,
			      stream(FAA_TYPE_U32, f->out.va + 4 * i, 4), imm(others), 0);
		add_end(f);
		streams[i] = keep_stream(f, i);
	}
	run_pair(f, streams);
	return le32toh(out[0]) | le32toh(out[1]) << 1;
}

/*
 * Every execution of the model runs the streams' commands one after the other. The seed selects the
 * order, and all orders occur.
 */
static void the_seed_chooses_the_order(void **state)
{
	struct faa_model_params params = FAA_MODEL_DEFAULT;
	unsigned int results[SEEDS], seen = 0;

	(void)state;
	needs_model();
	for (unsigned int i = 0; i < 2 * SEEDS; i++) {
		unsigned int result;
		void *f;

		fixture_setup_seed(&f, &params, i % SEEDS);
		result = store_buffering(f);
		assert_int_equal(fixture_teardown(&f), 0);
		assert_int_not_equal(result, 0);
		seen |= 1u << result;
		/* The same seed, the same order. */
		if (i >= SEEDS)
			assert_int_equal(result, results[i - SEEDS]);
		else
			results[i] = result;
	}
	assert_int_equal(seen, 1u << 1 | 1u << 2 | 1u << 3);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(every_combination),
		FIXTURE_TEST(reserved_elsewhere),
		FIXTURE_TEST(which_error),
		FIXTURE_TEST(every_fence),
		cmocka_unit_test(builds_without_a_feature),
		FIXTURE_TEST(loads),
		FIXTURE_TEST(stores),
		FIXTURE_TEST(one_place),
		FIXTURE_TEST(faults),
		FIXTURE_TEST(messages_between_queues),
		FIXTURE_TEST(messages_between_streams),
		FIXTURE_TEST(shared_memory_behind_a_global_flag),
		FIXTURE_TEST(messages_in_shared_memory),
		FIXTURE_TEST(messages_with_the_host),
		FIXTURE_TEST(the_host_changes_what_is_read),
		FIXTURE_TEST(store_buffering_with_the_host),
		FIXTURE_TEST(handed_on_to_the_host),
		cmocka_unit_test(the_seed_chooses_the_order),
	};

	return fixture_main(argc, argv, "order", tests, sizeof(tests) / sizeof(tests[0]));
}
