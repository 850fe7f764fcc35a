/* SPDX-License-Identifier: MIT */
/*
 * Streams of random words through SUBMIT. Whatever they say, each job ends, the witness beside them keeps its data, and the
 * queue, or a new one where the job ran into the time limit, works on.
 *
 * FAA_SEED is the first seed, FAA_ROUNDS how many are run (default 400); each seed is one stream.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define STREAM_WORDS  96
#define WITNESS_PAGES 16
#define WITNESS_VA    DATA_VA

FIXTURE(fuzz)
{
	struct client attacker, witness;
	uint64_t *secret;
	uint32_t rounds;
};

static int witness_round(FIXTURE_DATA(fuzz) *self)
{
	struct client *c = &self->witness;
	int ret;

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 256, op_none(), op_affine(0, 4), op_imm(1));
	put_lds(c, FAA_TYPE_U32, 256, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_affine(0, 4));
	put_end(c);
	ret = client_run(c, NULL);
	if (ret)
		return ret;
	self->rounds++;
	for (unsigned int i = 0; i < 256; i++)
		if (c->data32[i] != self->rounds)
			return -EIO;
	for (unsigned int i = 0x10000 / 8; i < DATA_BYTES / 8; i++)
		if (c->data64[i] != 0x5ec7e70000000000ull + i)
			return -EILSEQ;
	return 0;
}

FIXTURE_SETUP(fuzz)
{
	ASSERT_EQ(0, client_open(&self->attacker, 4096));
	ASSERT_EQ(0, client_open(&self->witness, 1024));
	self->rounds = 0;
	for (unsigned int i = 0x10000 / 8; i < DATA_BYTES / 8; i++)
		self->witness.data64[i] = 0x5ec7e70000000000ull + i;
	ASSERT_EQ(0, witness_round(self));
}

FIXTURE_TEARDOWN(fuzz)
{
	EXPECT_EQ(0, witness_round(self));
	EXPECT_EQ(0, client_close(&self->witness));
	EXPECT_EQ(0, client_close(&self->attacker));
}

/* An address that is interesting: in the buffers, at their ends, in shared memory, anywhere. */
static uint64_t some_address(uint64_t *rng)
{
	const uint64_t r = random_next(rng);

	switch (r & 7) {
	case 0:
		return random_next(rng);
	case 1:
		return DATA_VA + DATA_BYTES - (r >> 8) % 64;
	case 2:
		return STREAM_VA + (r >> 8) % STREAM_BYTES;
	case 3:
		return (r >> 8) & 0x1fff;
	case 4:
		return (r >> 8) & 0x1ffffff;
	default:
		return DATA_VA + ((r >> 8) % DATA_BYTES & ~7ull);
	}
}

static struct faa_operand some_operand(uint64_t *rng)
{
	const uint64_t r = random_next(rng);
	static const uint8_t types[] = { FAA_TYPE_U8,  FAA_TYPE_U16, FAA_TYPE_U32,
					 FAA_TYPE_U64, FAA_TYPE_S32, FAA_TYPE_F32 };
	static const int32_t strides[] = { 0, 1, 2, 4, 8, -4, 3, 4096 };

	return (struct faa_operand){
		.kind = r % 5,
		.reg = (uint8_t)(r >> 8),
		.type = types[(r >> 16) % 6],
		.shift = (r >> 24) % 8 * !((r >> 32) & 3),
		.stride = strides[(r >> 40) % 8],
		.value = some_address(rng),
		.step = (r >> 48) & 1 ? 0 : some_address(rng),
	};
}

/* A command with legal fields more often than not; its elements are few, so that most jobs are short. */
static unsigned int some_command(uint64_t *rng, uint64_t *out)
{
	static const uint8_t opcodes[] = {
		FAA_OPCODE_MOV,	  FAA_OPCODE_SETP, FAA_OPCODE_LD,    FAA_OPCODE_ST,
		FAA_OPCODE_LDS,	  FAA_OPCODE_STS,  FAA_OPCODE_ATOMS, FAA_OPCODE_ATOMS,
		FAA_OPCODE_FENCE, FAA_OPCODE_NOP,
	};
	const uint64_t r = random_next(rng);
	struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct faa_vector vector = {
		.opcode = opcodes[r % 10],
		.op = (r >> 8) % 12,
		.type = (r >> 16) % 8,
		.mod = 0,
		.count = (r >> 20) & 1 ? 1 + (r >> 24) % 32 : 1 + (r >> 24) % 300,
		.offset = (r >> 40) & 3 ? 0 : (int32_t)((r >> 44) & 0xffc),
		.a = some_operand(rng),
		.b = some_operand(rng),
		.c = some_operand(rng),
		.d = some_operand(rng),
	};

	if (vector.opcode == FAA_OPCODE_FENCE)
		return faa_encode_fence(out, &issue, FAA_FENCE_ORDER_SC, FAA_SCOPE_GPU);
	if (vector.opcode == FAA_OPCODE_NOP)
		return faa_encode_nop(out, &issue);
	if (vector.opcode != FAA_OPCODE_ATOMS && vector.opcode != FAA_OPCODE_SETP)
		vector.op = 0;
	if (vector.opcode != FAA_OPCODE_ATOMS || vector.op < FAA_ATOMS_OP_CAS)
		vector.c.kind = FAA_KIND_NONE;
	if (vector.d.kind == FAA_KIND_IMM || vector.d.kind == FAA_KIND_AFFINE)
		vector.d.kind = FAA_KIND_STREAM;
	vector.d.shift = 0;
	vector.d.step = 0;
	issue.write_barrier = (r >> 56) & 1 ? (r >> 57) % 6 : FAA_NO_BARRIER;
	issue.wait_mask = (r >> 60) & 1 ? 0x3f : 0;
	return faa_encode_vector(out, &issue, &vector);
}

/* Nothing but random words. */
static void pure_noise(struct client *c, uint64_t *rng)
{
	for (c->words = 0; c->words < STREAM_WORDS; c->words++)
		c->stream[c->words] = random_next(rng);
}

/* Random words behind known opcodes: gets further into the decoder. */
static void noisy_commands(struct client *c, uint64_t *rng)
{
	static const uint8_t opcodes[] = { 1,	 2,    6,    7,	   0x10, 0x11,
					   0x20, 0x21, 0x22, 0x23, 0x30, 0x30 };

	pure_noise(c, rng);
	for (unsigned int i = 0; i < STREAM_WORDS;) {
		const uint64_t r = random_next(rng);
		const unsigned int length = 3 + (r >> 8) % 13;

		c->stream[i] = r & ~(0xffffull | FAA_HEADER_RESERVED);
		c->stream[i] |= opcodes[r % 12] | (uint64_t)length << 8;
		i += length;
	}
}

/* Commands that are mostly legal, so that their addresses decide. */
static void wild_commands(struct client *c, uint64_t *rng)
{
	c->words = 0;
	while (c->words < STREAM_WORDS)
		c->words += some_command(rng, c->stream + c->words);
	put_end(c);
}

/* The same with a few bits flipped. */
static void bent_commands(struct client *c, uint64_t *rng)
{
	wild_commands(c, rng);
	for (unsigned int i = 0; i < 4; i++) {
		const uint64_t r = random_next(rng);

		c->stream[r % c->words] ^= 1ull << ((r >> 32) & 63);
	}
}

static int new_queue(struct client *c)
{
	struct drm_faa_queue_create queue;
	int ret = queue_destroy(c->fd, c->queue);

	munmap((void *)c->ring, c->entries * sizeof(*c->ring));
	if (!ret)
		ret = bo_close(c->fd, c->status_bo);
	if (!ret)
		ret = queue_create(c->fd, c->vm, c->shared, &queue);
	if (ret)
		return ret;
	c->queue = queue.queue_id;
	c->status_bo = queue.status_handle;
	c->ring = bo_mmap(c->fd, c->status_bo, c->entries * sizeof(*c->ring), PROT_READ);
	return c->ring ? 0 : -errno;
}

/* What a job may come to. */
static bool allowed(int ret, const struct drm_faa_status *status)
{
	if (ret == 0)
		return status->code == 0;
	if (ret == -EINVAL)
		return status->code >= FAA_ERROR_ILLEGAL_COMMAND &&
		       status->code <= FAA_ERROR_BAD_DESCRIPTOR;
	if (ret == -EFAULT)
		return status->code >= FAA_ERROR_NOT_MAPPED && status->code <= FAA_ERROR_NOT_ATOMIC;
	return ret == -ETIMEDOUT;
}

static void run_seeds(struct __test_metadata *_metadata, FIXTURE_DATA(fuzz) *self,
		      void (*build)(struct client *, uint64_t *))
{
	const uint64_t first = env_number("FAA_SEED", 1), rounds = env_number("FAA_ROUNDS", 400);
	unsigned int good = 0, bad = 0, late = 0;

	for (uint64_t seed = first; seed < first + rounds; seed++) {
		struct drm_faa_status status = { 0 };
		uint64_t rng = seed;
		int ret;

		build(&self->attacker, &rng);
		ret = client_run(&self->attacker, &status);
		ASSERT_TRUE(allowed(ret, &status))
		{
			TH_LOG("seed %llu: job ended with %d, status %u", (unsigned long long)seed,
			       ret, status.code);
		}
		good += ret == 0;
		bad += ret == -EINVAL || ret == -EFAULT;
		if (ret == -ETIMEDOUT) {
			late++;
			ASSERT_EQ(0, new_queue(&self->attacker));
		}
		if (seed % 16 == 0)
			ASSERT_EQ(0, witness_round(self))
			{
				TH_LOG("after seed %llu", (unsigned long long)seed);
			}
	}
	printf("# seeds %llu..%llu: %u jobs succeeded, %u failed, %u timed out\n",
	       (unsigned long long)first, (unsigned long long)(first + rounds - 1), good, bad,
	       late);
	/* Afterwards the attacker's queue is like any other. */
	self->attacker.words = 0;
	put_end(&self->attacker);
	EXPECT_EQ(0, client_run(&self->attacker, NULL));
}

TEST_F_TIMEOUT(fuzz, pure_noise, 600)
{
	run_seeds(_metadata, self, pure_noise);
}

TEST_F_TIMEOUT(fuzz, noisy_commands, 600)
{
	run_seeds(_metadata, self, noisy_commands);
}

TEST_F_TIMEOUT(fuzz, wild_commands, 600)
{
	run_seeds(_metadata, self, wild_commands);
}

TEST_F_TIMEOUT(fuzz, bent_commands, 600)
{
	run_seeds(_metadata, self, bent_commands);
}

TEST_HARNESS_MAIN
