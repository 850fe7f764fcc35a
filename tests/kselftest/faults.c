// SPDX-License-Identifier: MIT
/*
 * Each error of the device through the whole stack: code, command, element, lane and address in the
 * status ring, the errno of the fence, no effect of any lane of the failing warp, and a working
 * next job of the queue.
 */
#include <errno.h>
#include <linux/pci_regs.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define SHARED	  4096u
#define ADDRESSES (DATA_VA + 0x10000)
#define RESULTS	  (DATA_VA + 0x20000)
#define N	  128u

FIXTURE(faults)
{
	struct client client;
	uint32_t *addresses;
	/* Byte offset of the command that is to fail. */
	uint32_t command;
};

FIXTURE_SETUP(faults)
{
	ASSERT_EQ(0, client_open(&self->client, SHARED));
	self->addresses = self->client.data32 + 0x10000 / 4;
}

FIXTURE_TEARDOWN(faults)
{
	EXPECT_EQ(0, client_close(&self->client));
}

/* Shared memory word i holds 1000 + i; the next command of the stream is the one under test. */
static void prepare(FIXTURE_DATA(faults) *self)
{
	self->client.words = 0;
	put_sts(&self->client, FAA_TYPE_U32, SHARED / 4, op_affine(0, 4), op_affine(1000, 1));
	self->command = 8 * self->client.words;
}

struct expected {
	enum faa_error code;
	int error;
	uint32_t element;
	uint64_t address;
	/* Elements of the failing command in warps that were executed. */
	uint64_t retired;
};

/*
 * Run the stream and compare its status record. Returns the number of differences, and prints each.
 */
static int differs(FIXTURE_DATA(faults) *self, const char *what, const struct expected *want)
{
	struct drm_faa_status got = { 0 };
	int error = client_run(&self->client, &got);
	int bad = 0;

	bad += error != want->error;
	bad += got.code != want->code;
	bad += got.command != self->command;
	bad += got.element != want->element;
	bad += got.lane != want->element % 32;
	bad += got.address != want->address;
	bad += got.elements_retired != SHARED / 4 + want->retired;
	if (bad)
		ksft_print_msg(
			"%s: got error %d code %u command %#x element %u lane %u address %#llx retired %llu, expected %d %u %#x %u %u %#llx %llu\n",
			what, error, got.code, got.command, got.element, got.lane,
			(unsigned long long)got.address, (unsigned long long)got.elements_retired,
			want->error, want->code, self->command, want->element, want->element % 32,
			(unsigned long long)want->address,
			(unsigned long long)(SHARED / 4 + want->retired));
	return bad;
}

/*
 * The next job works, and shared memory is as prepared, except that the words below @changed have
 * grown by @by.
 */
static int shared_differs(FIXTURE_DATA(faults) *self, uint32_t changed, uint32_t by)
{
	const uint32_t *shared = self->client.data32;
	int bad = 0;

	put_lds(&self->client, FAA_TYPE_U32, SHARED / 4, op_stream(DATA_VA, FAA_TYPE_U32, 4),
		op_affine(0, 4));
	put_end(&self->client);
	if (client_run(&self->client, NULL)) {
		ksft_print_msg("the job after the failed one failed\n");
		return 1;
	}
	for (uint32_t i = 0; i < SHARED / 4; i++) {
		const uint32_t want = 1000 + i + (i < changed ? by : 0);

		if (shared[i] != want && bad++ < 4)
			ksft_print_msg("shared word %u is %u, expected %u\n", i, shared[i], want);
	}
	return bad;
}

/* ATOMS.ADD of 1 on words 0..N-1, with element @element aimed at @address instead. */
static void put_bad_add(FIXTURE_DATA(faults) *self, uint32_t element, uint32_t address)
{
	for (uint32_t i = 0; i < N; i++)
		self->addresses[i] = 4 * i;
	self->addresses[element] = address;
	put_atoms(&self->client, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, N, op_none(),
		  op_stream(ADDRESSES, FAA_TYPE_U32, 4), op_imm(1));
	put_end(&self->client);
}

TEST_F(faults, atoms_addresses)
{
	const struct {
		const char *what;
		uint32_t element, address;
		enum faa_error code;
	} cases[] = {
		{ "misaligned by 1", 5, 21, FAA_ERROR_MISALIGNED },
		{ "misaligned by 2", 96, 0x1002 & (SHARED - 1), FAA_ERROR_MISALIGNED },
		{ "misaligned by 3", 127, 7, FAA_ERROR_MISALIGNED },
		{ "misaligned comes before out of range", 40, SHARED + 2, FAA_ERROR_MISALIGNED },
		{ "first word after the allocation", 0, SHARED, FAA_ERROR_OUT_OF_RANGE },
		{ "far after the allocation", 64, 0x800000, FAA_ERROR_OUT_OF_RANGE },
		{ "last word of the window", 31, 0xfffffc, FAA_ERROR_OUT_OF_RANGE },
		{ "first word after the window", 32, 0x1000000, FAA_ERROR_OUT_OF_WINDOW },
		{ "far after the window", 33, 0x80000000, FAA_ERROR_OUT_OF_WINDOW },
		{ "just below address 0", 95, 0xfffffffc, FAA_ERROR_OUT_OF_WINDOW },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		const uint32_t done = cases[i].element & ~31u;
		const struct expected want = { cases[i].code, -EINVAL, cases[i].element,
					       cases[i].address, done };

		prepare(self);
		put_bad_add(self, cases[i].element, cases[i].address);
		EXPECT_EQ(0, differs(self, cases[i].what, &want));
		/* Complete warps before it have executed, no lane of its own warp has. */
		EXPECT_EQ(0, shared_differs(self, done, 1));
	}
}

/* Of two bad lanes of one warp the lower is reported. */
TEST_F(faults, the_lowest_lane_is_reported)
{
	const struct expected want = { FAA_ERROR_OUT_OF_RANGE, -EINVAL, 35, SHARED, 32 };

	prepare(self);
	put_bad_add(self, 35, SHARED);
	self->addresses[60] = 3;
	self->addresses[70] = 1;
	EXPECT_EQ(0, differs(self, "two bad lanes", &want));
	EXPECT_EQ(0, shared_differs(self, 32, 1));
}

TEST_F(faults, the_allocation_ends_where_it_ends)
{
	struct client *c = &self->client;

	prepare(self);
	put_bad_add(self, 9, SHARED - 4);
	EXPECT_EQ(0, client_run(c, NULL));
	prepare(self);
	put_atoms(c, FAA_ATOMS_OP_EXCH, FAA_TYPE_U64, 1, op_none(), op_imm(SHARED - 8), op_imm(1));
	put_end(c);
	EXPECT_EQ(0, client_run(c, NULL));

	const struct expected want = { FAA_ERROR_OUT_OF_RANGE, -EINVAL, 0, SHARED, 0 };

	prepare(self);
	put_atoms(c, FAA_ATOMS_OP_EXCH, FAA_TYPE_U64, 1, op_none(), op_imm(SHARED), op_imm(1));
	put_end(c);
	EXPECT_EQ(0, differs(self, "64 bits after the end", &want));
	EXPECT_EQ(0, shared_differs(self, 0, 0));
}

/*
 * Every access width at every misalignment, for atomics, loads and stores of shared and of global
 * memory.
 */
TEST_F(faults, misaligned_at_each_size)
{
	struct client *c = &self->client;
	const enum faa_type types[] = { FAA_TYPE_U16, FAA_TYPE_U32, FAA_TYPE_U64 };
	const enum faa_type words[] = { FAA_TYPE_U32, FAA_TYPE_U32, FAA_TYPE_U64 };

	for (unsigned int t = 0; t < 3; t++) {
		for (uint32_t by = 1; by < 2u << t; by++) {
			const struct expected shared = { FAA_ERROR_MISALIGNED, -EINVAL, 0, 64 + by,
							 0 };
			const struct expected global = { FAA_ERROR_MISALIGNED, -EINVAL, 0,
							 RESULTS + 64 + by, 0 };

			prepare(self);
			put_lds(c, types[t], 1, op_stream(DATA_VA, words[t], 8), op_imm(64 + by));
			put_end(c);
			EXPECT_EQ(0, differs(self, "LDS", &shared));
			prepare(self);
			put_sts(c, types[t], 1, op_imm(64 + by), op_imm(1));
			put_end(c);
			EXPECT_EQ(0, differs(self, "STS", &shared));
			EXPECT_EQ(0, shared_differs(self, 0, 0));
			prepare(self);
			put_ld(c, types[t], 1, op_stream(DATA_VA, words[t], 8),
			       op_imm(RESULTS + 64 + by));
			put_end(c);
			EXPECT_EQ(0, differs(self, "LD", &global));
			prepare(self);
			put_st(c, types[t], 1, op_imm(RESULTS + 64 + by), op_imm(1));
			put_end(c);
			EXPECT_EQ(0, differs(self, "ST", &global));
		}
	}
	for (uint32_t by = 1; by < 8; by++) {
		const struct expected want = { FAA_ERROR_MISALIGNED, -EINVAL, 0, 64 + by, 0 };

		prepare(self);
		put_atoms(c, FAA_ATOMS_OP_EXCH, FAA_TYPE_U64, 1, op_none(), op_imm(64 + by),
			  op_imm(1));
		put_end(c);
		EXPECT_EQ(0, differs(self, "ATOMS.EXCH.U64", &want));
		EXPECT_EQ(0, shared_differs(self, 0, 0));
	}
}

/*
 * Both address forms: without a base, or with RZ, the offset is unsigned; with another register it
 * is signed.
 */
TEST_F(faults, offsets_at_the_ends_of_the_window)
{
	struct client *c = &self->client;
	struct faa_issue issue = FAA_ISSUE_DEFAULT;
	const struct expected behind = { FAA_ERROR_OUT_OF_RANGE, -EINVAL, 0, 0xfffffc, 0 };
	const struct expected below = { FAA_ERROR_OUT_OF_WINDOW, -EINVAL, 0, 0xfffffffc, 0 };

	prepare(self);
	c->words += faa_encode_atoms(c->stream + c->words, &issue, FAA_ATOMS_OP_ADD, FAA_TYPE_U32,
				     1, op_none(), op_none(), -4, op_imm(1), op_none());
	put_end(c);
	EXPECT_EQ(0, differs(self, "absent base", &behind));
	prepare(self);
	c->words += faa_encode_atoms(c->stream + c->words, &issue, FAA_ATOMS_OP_ADD, FAA_TYPE_U32,
				     1, op_none(), op_reg(FAA_RZ), -4, op_imm(1), op_none());
	put_end(c);
	EXPECT_EQ(0, differs(self, "RZ", &behind));
	prepare(self);
	c->words += faa_encode_atoms(c->stream + c->words, &issue, FAA_ATOMS_OP_ADD, FAA_TYPE_U32,
				     1, op_none(), op_reg(7), -4, op_imm(1), op_none());
	put_end(c);
	EXPECT_EQ(0, differs(self, "R7 = 0", &below));
	EXPECT_EQ(0, shared_differs(self, 0, 0));
}

/* The words of a good ATOMS.ADD.U32 with an immediate address, to be corrupted. */
static uint64_t *put_victim(FIXTURE_DATA(faults) *self)
{
	uint64_t *at = self->client.stream + self->client.words;

	put_atoms(&self->client, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, op_none(), op_imm(64),
		  op_imm(1));
	put_end(&self->client);
	return at;
}

/* A decoding error with offending word @word, found before the command has any effect. */
#define CHECK_DECODING(what, code, word)                                    \
	do {                                                                \
		const struct expected want = { code, -EINVAL, 0, word, 0 }; \
		EXPECT_EQ(0, differs(self, what, &want));                   \
		EXPECT_EQ(0, shared_differs(self, 0, 0));                   \
	} while (0)

TEST_F(faults, unknown_commands)
{
	const unsigned int unknown[] = { 0x00, 0x0a, 0x13, 0x24, 0x33, 0x80, 0xfe, 0xff };

	for (unsigned int i = 0; i < ARRAY_SIZE(unknown); i++) {
		prepare(self);
		uint64_t *at = put_victim(self);

		at[0] = (at[0] & ~FAA_HEADER_OPCODE_MASK) | unknown[i];
		CHECK_DECODING("opcode", FAA_ERROR_ILLEGAL_COMMAND, at[0]);
	}
}

TEST_F(faults, reserved_bits_of_each_word)
{
	const uint64_t reserved[3] = { FAA_HEADER_RESERVED, FAA_SHAPE_RESERVED, FAA_REGS_RESERVED };

	for (unsigned int word = 0; word < 3; word++) {
		ASSERT_NE(0, reserved[word]);
		for (unsigned int bit = 0; bit < 64; bit++) {
			if (!((reserved[word] >> bit) & 1))
				continue;
			prepare(self);
			uint64_t *at = put_victim(self);

			at[word] |= 1ull << bit;
			CHECK_DECODING("reserved bit", FAA_ERROR_RESERVED_BITS, at[word]);
		}
	}
}

TEST_F(faults, illegal_operations)
{
	/* Operation and type pairs outside of the table, and an operation that does not exist. */
	const unsigned int bad[][2] = {
		{ FAA_ATOMS_OP_ADD, FAA_TYPE_U8 },
		{ FAA_ATOMS_OP_ADD, FAA_TYPE_F16 },
		{ FAA_ATOMS_OP_MIN, FAA_TYPE_BF16 },
		{ FAA_ATOMS_OP_INC, FAA_TYPE_S32 },
		{ FAA_ATOMS_OP_DEC, FAA_TYPE_S64 },
		{ FAA_ATOMS_OP_AND, FAA_TYPE_F64 },
		{ FAA_ATOMS_OP_XOR, FAA_TYPE_F16X2 },
		{ FAA_ATOMS_OP_EXCH, FAA_TYPE_F32 },
		{ FAA_ATOMS_OP_CAS, FAA_TYPE_U16 },
		{ FAA_ATOMS_OP_CAST, FAA_TYPE_F32 },
		{ FAA_ATOMS_OP_CAST_SPIN + 1, FAA_TYPE_U32 },
		{ 255, FAA_TYPE_U32 },
		{ FAA_ATOMS_OP_ADD, 14 },
		{ FAA_ATOMS_OP_ADD, 15 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		prepare(self);
		uint64_t *at = put_victim(self);

		at[0] &= ~(FAA_HEADER_OP_MASK | FAA_HEADER_TYPE_MASK);
		at[0] |= FAA_PUT(HEADER_OP, bad[i][0]) | FAA_PUT(HEADER_TYPE, bad[i][1]);
		CHECK_DECODING("operation and type", FAA_ERROR_ILLEGAL_OPERATION, at[0]);
	}
}

TEST_F(faults, illegal_modes)
{
	/* Operation, type and header.mod. */
	const unsigned int bad[][3] = {
		{ FAA_ATOMS_OP_ADD, FAA_TYPE_U32, FAA_FLOAT_MODE_FTZ },
		{ FAA_ATOMS_OP_ADD, FAA_TYPE_S64, FAA_FLOAT_MODE_RELAXED },
		{ FAA_ATOMS_OP_MIN, FAA_TYPE_F32, FAA_FLOAT_MODE_RELAXED },
		{ FAA_ATOMS_OP_ADD, FAA_TYPE_F32, 4 },
		{ FAA_ATOMS_OP_ADD, FAA_TYPE_F16X2, 8 | FAA_FLOAT_MODE_FTZ },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		prepare(self);
		uint64_t *at = put_victim(self);

		at[0] &= ~(FAA_HEADER_OP_MASK | FAA_HEADER_TYPE_MASK);
		at[0] |= FAA_PUT(HEADER_OP, bad[i][0]) | FAA_PUT(HEADER_TYPE, bad[i][1]) |
			 FAA_PUT(HEADER_MOD, bad[i][2]);
		CHECK_DECODING("mode", FAA_ERROR_ILLEGAL_OPERATION, at[0]);
	}
}

TEST_F(faults, offsets_with_low_bits)
{
	for (uint64_t offset = 1; offset < 4; offset++) {
		prepare(self);
		uint64_t *at = put_victim(self);
		const struct expected want = { FAA_ERROR_BAD_OFFSET, -EINVAL, 0, offset, 0 };

		at[2] |= FAA_PUT(REGS_OFFSET, offset);
		EXPECT_EQ(0, differs(self, "offset", &want));
		EXPECT_EQ(0, shared_differs(self, 0, 0));
	}
}

TEST_F(faults, counts)
{
	const uint64_t counts[] = { 0, (1ull << 32) + 1, (1ull << 40) - 1 };

	for (unsigned int i = 0; i < 3; i++) {
		prepare(self);
		uint64_t *at = put_victim(self);
		const struct expected want = { FAA_ERROR_BAD_COUNT, -EINVAL, 0, counts[i], 0 };

		at[1] = (at[1] & ~FAA_SHAPE_COUNT_MASK) | counts[i];
		EXPECT_EQ(0, differs(self, "count", &want));
		EXPECT_EQ(0, shared_differs(self, 0, 0));
	}
}

TEST_F(faults, lengths)
{
	/* A vector command has 3..15 words; this one needs 5. */
	const unsigned int bad[] = { 0, 1, 2, 3, 4, 6, 16, 255 };

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		prepare(self);
		uint64_t *at = put_victim(self);

		at[0] = (at[0] & ~FAA_HEADER_LENGTH_MASK) | FAA_PUT(HEADER_LENGTH, bad[i]);
		CHECK_DECODING("length", FAA_ERROR_BAD_LENGTH, at[0]);
	}
}

TEST_F(faults, operands)
{
	const struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct client *c = &self->client;
	uint64_t *at;

	/* A 64-bit operand in an odd register. */
	prepare(self);
	at = c->stream + c->words;
	put_atoms(c, FAA_ATOMS_OP_EXCH, FAA_TYPE_U64, 1, op_none(), op_imm(64), op_reg(3));
	put_end(c);
	CHECK_DECODING("odd register", FAA_ERROR_ILLEGAL_OPERAND, at[2]);
	/* An unused register field that is not 0. */
	prepare(self);
	at = put_victim(self);
	at[2] |= FAA_PUT(REGS_RC, 1);
	CHECK_DECODING("unused register", FAA_ERROR_ILLEGAL_OPERAND, at[2]);
	/* An immediate as destination. */
	prepare(self);
	at = put_victim(self);
	at[1] |= FAA_PUT(SHAPE_KIND_D, FAA_KIND_IMM);
	CHECK_DECODING("immediate destination", FAA_ERROR_ILLEGAL_OPERAND, at[1]);
	/* A predicate of more than one warp. */
	prepare(self);
	at = c->stream + c->words;
	c->words +=
		faa_encode_setp(at, &issue, FAA_CMP_EQ, FAA_TYPE_U32, 33, 0, op_reg(1), op_imm(1));
	put_end(c);
	CHECK_DECODING("predicate of 33 elements", FAA_ERROR_ILLEGAL_OPERAND, at[1]);
}

TEST_F(faults, truncated_streams)
{
	struct client *c = &self->client;
	uint64_t *at = NULL;

	/* No END. */
	prepare(self);
	CHECK_DECODING("no END", FAA_ERROR_TRUNCATED, 0);
	/*
	 * The stream ends in the middle of a command: the words after it exist, but are not part of
	 * the stream.
	 */
	for (unsigned int kept = 1; kept < 5; kept++) {
		prepare(self);
		at = put_victim(self);
		c->words = (unsigned int)(at - c->stream) + kept;
		CHECK_DECODING("cut", FAA_ERROR_TRUNCATED, 0);
	}
}

TEST_F(faults, jumps)
{
	struct client *c = &self->client;
	const int32_t targets[] = { -1000, 1000, INT32_MAX, INT32_MIN };

	for (unsigned int i = 0; i < 4; i++) {
		prepare(self);
		put_jump(c, targets[i]);
		put_end(c);
		const struct expected want = { FAA_ERROR_BAD_JUMP, -EINVAL, 0,
					       (uint64_t)(self->command + 8ll * targets[i]), 0 };

		EXPECT_EQ(0, differs(self, "jump", &want));
		EXPECT_EQ(0, shared_differs(self, 0, 0));
	}
}

TEST_F(faults, global_addresses)
{
	struct client *c = &self->client;
	const struct {
		const char *what;
		uint64_t address;
		enum faa_error code;
		int error;
	} cases[] = {
		{ "bit 48", 1ull << 48, FAA_ERROR_NON_CANONICAL, -EINVAL },
		{ "negative", UINT64_MAX - 7, FAA_ERROR_NON_CANONICAL, -EINVAL },
		{ "never mapped", 0x123456000, FAA_ERROR_NOT_MAPPED, -EFAULT },
		{ "address 0", 0, FAA_ERROR_NOT_MAPPED, -EFAULT },
		{ "after the buffer", DATA_VA + DATA_BYTES, FAA_ERROR_NOT_MAPPED, -EFAULT },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct expected want = { cases[i].code, cases[i].error, 0, cases[i].address,
					       0 };

		prepare(self);
		put_ld(c, FAA_TYPE_U64, 1, op_reg(0), op_imm(cases[i].address));
		put_end(c);
		EXPECT_EQ(0, differs(self, cases[i].what, &want));
		prepare(self);
		put_st(c, FAA_TYPE_U64, 1, op_imm(cases[i].address), op_imm(1));
		put_end(c);
		EXPECT_EQ(0, differs(self, cases[i].what, &want));
		prepare(self);
		put_sem_signal(c, cases[i].address, 1);
		put_end(c);
		EXPECT_EQ(0, differs(self, cases[i].what, &want));
		EXPECT_EQ(0, shared_differs(self, 0, 0));
	}
}

/* An operand stream that crosses the end of its buffer in the middle of a command. */
TEST_F(faults, operand_streams)
{
	struct client *c = &self->client;
	/* 80 elements are in the buffer; the 81st is not. */
	const uint64_t va = DATA_VA + DATA_BYTES - 4 * 80;
	const struct expected want = { FAA_ERROR_NOT_MAPPED, -EFAULT, 80, DATA_VA + DATA_BYTES,
				       64 };
	struct drm_faa_vm_get_state state = { .vm_id = c->vm };

	prepare(self);
	for (unsigned int i = 0; i < 80; i++)
		c->data32[(DATA_BYTES / 4) - 80 + i] = 2;
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 100, op_none(), op_affine(0, 4),
		  op_stream(va, FAA_TYPE_U32, 4));
	put_end(c);
	EXPECT_EQ(0, differs(self, "operand", &want));
	EXPECT_EQ(0, shared_differs(self, 64, 2));
	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_FAA_VM_GET_STATE, &state));
	EXPECT_EQ(DRM_FAA_VM_STATE_FAULTED, state.state);
	EXPECT_EQ(DATA_VA + DATA_BYTES, state.fault_va);
	EXPECT_EQ(FAA_ERROR_NOT_MAPPED, state.fault_code);
	EXPECT_EQ(c->queue, state.fault_queue);
	EXPECT_EQ(1, state.fault_seqno);
	/* The address is that of the item, not of its page. */
	put_mov(c, FAA_TYPE_U32, 1, op_reg(0),
		op_stream(DATA_VA + DATA_BYTES + 0x124, FAA_TYPE_U32, 4));
	put_end(c);
	EXPECT_EQ(-EFAULT, client_run(c, NULL));
	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_FAA_VM_GET_STATE, &state));
	EXPECT_EQ(DATA_VA + DATA_BYTES + 0x124, state.fault_va);
}

TEST_F(faults, streams_that_are_not_there)
{
	struct client *c = &self->client;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_job job = {
		.stream_va = 0x9990000,
		.stream_bytes = 64,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};
	struct drm_faa_status status;
	uint64_t seqno;

	ASSERT_EQ(0, submit(c->fd, c->queue, &job, 1, &seqno));
	EXPECT_EQ(-EFAULT, client_wait(c, seqno, &status));
	EXPECT_EQ(FAA_ERROR_NOT_MAPPED, status.code);
	EXPECT_EQ(0x9990000, status.address);
	EXPECT_EQ(0, status.command);
	/* An address outside of the virtual address space is rejected by the ioctl. */
	job.stream_va = 1ull << FAA_VA_BITS;
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, &job, 1, &seqno));
	job.stream_va = (1ull << FAA_VA_BITS) - 8;
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, &job, 1, &seqno));
	job.stream_va = UINT64_MAX - 7;
	EXPECT_EQ(-EINVAL, submit(c->fd, c->queue, &job, 1, &seqno));
	put_end(c);
	EXPECT_EQ(0, client_run(c, NULL));
}

TEST_F(faults, semaphores)
{
	struct client *c = &self->client;

	for (uint64_t by = 1; by < 8; by++) {
		const struct expected want = { FAA_ERROR_MISALIGNED, -EINVAL, 0, RESULTS + by, 0 };

		prepare(self);
		put_sem_wait(c, RESULTS + by, 0);
		put_end(c);
		EXPECT_EQ(0, differs(self, "SEM_WAIT", &want));
		prepare(self);
		put_sem_signal(c, RESULTS + by, 0);
		put_end(c);
		EXPECT_EQ(0, differs(self, "SEM_SIGNAL", &want));
	}
}

/*
 * Without bus mastering the device cannot read the ring: it stops the queue and reports it by the
 * event vector. The job's own timeout would not apply, since the job never gets a compute unit.
 */
TEST_F(faults, the_queues_own_memory)
{
	struct client *c = &self->client, other;
	struct drm_faa_queue_get_state state;
	char address[64];
	uint64_t seqno;

	ASSERT_EQ(0, client_open(&other, 0));
	ASSERT_EQ(0, faa_pci_address(address, sizeof(address)));
	put_end(c);
	ASSERT_EQ(0, faa_pci_command(address, PCI_COMMAND_MASTER, 0));
	EXPECT_EQ(0, client_submit(c, &seqno));
	usleep(100000);
	ASSERT_EQ(0, faa_pci_command(address, 0, PCI_COMMAND_MASTER));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, 10000));
	EXPECT_EQ(-EFAULT, fence_error(c->fd, c->sync));
	EXPECT_EQ(1, c->ring[1].seqno);
	EXPECT_EQ(FAA_ERROR_BUS_ERROR, c->ring[1].code);
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_FAULT, state.state);
	EXPECT_EQ(FAA_ERROR_BUS_ERROR, state.error_code);
	/* Other queues continue to work. */
	put_end(&other);
	EXPECT_EQ(0, client_run(&other, NULL));
	EXPECT_EQ(0, client_close(&other));
}

/* A thousand failing jobs in a row: queue and kernel still work. */
TEST_F(faults, very_many)
{
	struct client *c = &self->client;
	struct drm_faa_queue_get_state state;

	for (int i = 0; i < 1000; i++) {
		c->stream[c->words++] = 0xff;
		ASSERT_EQ(-EINVAL, client_run(c, NULL));
	}
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(0, state.state);
	EXPECT_EQ(1000, state.failed);
	put_end(c);
	EXPECT_EQ(0, client_run(c, NULL));
}

TEST_HARNESS_MAIN
