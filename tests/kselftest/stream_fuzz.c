// SPDX-License-Identifier: MIT
/*
 * Streams of random words through SUBMIT. Each job must end, the witness beside it must keep its
 * data, and the queue, or a new one after a timeout, must still work.
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

/* True once in @n times. */
static bool rarely(uint64_t *rng, unsigned int n)
{
	return random_next(rng) % n == 0;
}

/* A global address, aligned to 8; 49 of 50 have room after them. */
static uint64_t some_global(uint64_t *rng)
{
	const uint64_t r = random_next(rng);

	if (!rarely(rng, 50))
		return DATA_VA + (r % (DATA_BYTES / 2) & ~7ull);
	switch (r % 4) {
	case 0:
		return random_next(rng);
	case 1:
		return DATA_VA + DATA_BYTES - (r >> 8) % 64;
	case 2:
		return STREAM_VA + (r >> 8) % STREAM_BYTES;
	default:
		return DATA_VA + (r >> 8) % DATA_BYTES;
	}
}

/* A shared memory address; 49 of 50 are in the allocation. */
static uint64_t some_shared(uint64_t *rng)
{
	const uint64_t r = random_next(rng);

	return rarely(rng, 50) ? r & 0x1ffffff : r % 1024 & ~7ull;
}

static struct faa_operand some_stream(uint64_t *rng, bool wide)
{
	return op_stream(some_global(rng), wide ? FAA_TYPE_U64 : FAA_TYPE_U32,
			 rarely(rng, 8) ? 0 :
			 wide		? 8 :
					  4);
}

static struct faa_operand some_value(uint64_t *rng, bool wide)
{
	const uint64_t r = random_next(rng);

	switch (r % 4) {
	case 0:
		return op_reg((unsigned int)(r >> 8) % 256 & ~1u);
	case 1:
		return op_imm(random_next(rng));
	case 2:
		return op_affine(random_next(rng), random_next(rng));
	default:
		return some_stream(rng, wide);
	}
}

static struct faa_operand some_address(uint64_t *rng, bool shared)
{
	const uint64_t base = shared ? some_shared(rng) : some_global(rng);

	return random_next(rng) & 1 ? op_imm(base) : op_affine(base, random_next(rng) % 3 * 8);
}

static struct faa_operand some_destination(uint64_t *rng, bool wide, uint64_t count)
{
	const uint64_t r = random_next(rng);

	if (count <= 32 && r & 1)
		return op_reg((unsigned int)(r >> 8) % 256 & ~1u);
	return some_stream(rng, wide);
}

static bool is_in(uint8_t opcode, const uint8_t *list)
{
	for (; *list; list++)
		if (*list == opcode)
			return true;
	return false;
}

/* A command that is legal except for its addresses, with few elements, so that jobs are short. */
static unsigned int some_command(uint64_t *rng, uint64_t *out)
{
	static const uint8_t opcodes[] = { FAA_OPCODE_MOV,   FAA_OPCODE_SETP,  FAA_OPCODE_LD,
					   FAA_OPCODE_ST,    FAA_OPCODE_LDS,   FAA_OPCODE_STS,
					   FAA_OPCODE_ATOMS, FAA_OPCODE_ATOMS, FAA_OPCODE_ATOMS };
	static const uint8_t with_address[] = { FAA_OPCODE_LD,	FAA_OPCODE_ST,	  FAA_OPCODE_LDS,
						FAA_OPCODE_STS, FAA_OPCODE_ATOMS, 0 };
	static const uint8_t with_result[] = { FAA_OPCODE_MOV, FAA_OPCODE_LD, FAA_OPCODE_LDS,
					       FAA_OPCODE_ATOMS, 0 };
	const uint64_t r = random_next(rng);
	struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct faa_vector v = { .opcode = opcodes[r % 9], .count = 1 + (r >> 24) % 200 };
	bool wide = (r >> 16) & 1;

	if (v.opcode == FAA_OPCODE_ATOMS) {
		v.op = (r >> 8) % (FAA_ATOMS_OP_CAST_SPIN + 1);
		wide &= v.op >= FAA_ATOMS_OP_EXCH;
	}
	if (v.opcode == FAA_OPCODE_SETP) {
		v.op = (r >> 8) % (FAA_CMP_GE + 1);
		v.mod = (r >> 12) % (FAA_PT + 1);
		v.count = 1 + (r >> 24) % 32;
	}
	if ((v.opcode == FAA_OPCODE_LD || v.opcode == FAA_OPCODE_ST) && (r >> 40) & 1) {
		v.strong = 1;
		v.scope = (r >> 41) % 2;
		v.order = (r >> 43) & 1		    ? FAA_ORDER_RELAXED :
			  v.opcode == FAA_OPCODE_LD ? FAA_ORDER_ACQUIRE :
						      FAA_ORDER_RELEASE;
	}
	v.type = wide ? FAA_TYPE_U64 : FAA_TYPE_U32;
	v.a = is_in(v.opcode, with_address) ?
		      some_address(rng, v.opcode != FAA_OPCODE_LD && v.opcode != FAA_OPCODE_ST) :
		      some_value(rng, wide);
	if (v.opcode != FAA_OPCODE_MOV && v.opcode != FAA_OPCODE_LD && v.opcode != FAA_OPCODE_LDS)
		v.b = some_value(rng, wide);
	if (v.opcode == FAA_OPCODE_ATOMS && v.op >= FAA_ATOMS_OP_CAS)
		v.c = some_value(rng, wide);
	if (is_in(v.opcode, with_result))
		v.d = some_destination(rng, wide, v.count);
	issue.guard = rarely(rng, 4) ? (r >> 48) % 8 : FAA_PT;
	issue.write_barrier = (r >> 56) & 1 ? (r >> 57) % 6 : FAA_NO_BARRIER;
	issue.wait_mask = (r >> 60) & 1 ? 0x3f : 0;
	return faa_encode_vector(out, &issue, &v);
}

/* Random words only. */
static void pure_noise(struct client *c, uint64_t *rng)
{
	for (c->words = 0; c->words < STREAM_WORDS; c->words++)
		c->stream[c->words] = random_next(rng);
}

/* Random words after known opcodes, which get further into the decoder. */
static void noisy_commands(struct client *c, uint64_t *rng)
{
	static const uint8_t opcodes[] = { 1,	 2,    6,    7,	   9,	 0x10, 0x11,
					   0x20, 0x21, 0x22, 0x23, 0x30, 0x30 };

	pure_noise(c, rng);
	for (unsigned int i = 0; i < STREAM_WORDS;) {
		const uint64_t r = random_next(rng);
		const unsigned int length = 3 + (r >> 8) % 13;

		c->stream[i] = r & ~(0xffffull | FAA_HEADER_RESERVED);
		c->stream[i] |= opcodes[r % 13] | (uint64_t)length << 8;
		i += length;
	}
}

/* Up to about ten legal commands, whose addresses decide the result. */
static void add_wild_commands(struct client *c, uint64_t *rng)
{
	const unsigned int end = c->words + 1 + (unsigned int)(random_next(rng) % STREAM_WORDS);

	while (c->words < end) {
		c->words += some_command(rng, c->stream + c->words);
		if (rarely(rng, 8))
			put_bar(c);
	}
	put_end(c);
}

static void wild_commands(struct client *c, uint64_t *rng)
{
	c->words = 0;
	add_wild_commands(c, rng);
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

/* Possible results of a job. */
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

static unsigned int run_seeds(struct __test_metadata *_metadata, FIXTURE_DATA(fuzz) *self,
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
	/* Afterwards the attacker's queue works like any other. */
	self->attacker.words = 0;
	put_end(&self->attacker);
	EXPECT_EQ(0, client_run(&self->attacker, NULL));
	return good;
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
	const uint64_t rounds = env_number("FAA_ROUNDS", 400);

	/* Most must pass the decoder, or the test is useless. */
	EXPECT_LE(rounds / 4, run_seeds(_metadata, self, wild_commands));
}

TEST_F_TIMEOUT(fuzz, bent_commands, 600)
{
	run_seeds(_metadata, self, bent_commands);
}

/* Possible results of a job of a group, on its own or because another one failed. */
static bool code_allowed(uint32_t code)
{
	return code <= FAA_ERROR_BAD_DESCRIPTOR || code == FAA_ERROR_STOPPED;
}

/*
 * As many wild streams as can run together, with all combinations of BAR, faults and shared memory.
 */
TEST_F_TIMEOUT(fuzz, wild_groups, 600)
{
	const uint64_t first = env_number("FAA_SEED", 1), rounds = env_number("FAA_ROUNDS", 400);
	struct client *c = &self->attacker;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_job jobs[FAA_MAX_SLOTS];
	struct drm_faa_device_info info;
	unsigned int good = 0, bad = 0;

	ASSERT_EQ(0, device_info(c->fd, &info));
	if (info.warp_slots < 2)
		SKIP(return, "too few warp slots");
	for (uint64_t seed = first; seed < first + rounds; seed++) {
		unsigned int stopped = 0, failed = 0;
		uint64_t rng = seed, seqno;

		c->words = 0;
		for (unsigned int i = 0; i < info.warp_slots; i++) {
			const unsigned int word = c->words;

			add_wild_commands(c, &rng);
			jobs[i] = (struct drm_faa_job){
				.stream_va = STREAM_VA + 8ull * word,
				.stream_bytes = 8 * (c->words - word),
				.flags = i + 1 < info.warp_slots ? DRM_FAA_JOB_TOGETHER : 0,
			};
		}
		jobs[info.warp_slots - 1].syncs = (struct drm_faa_obj_array){
			.stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync
		};
		ASSERT_EQ(0, submit(c->fd, c->queue, jobs, info.warp_slots, &seqno));
		ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
		for (unsigned int i = 0; i < info.warp_slots; i++) {
			struct drm_faa_status status;

			ASSERT_TRUE(client_status(c, seqno + i, &status));
			ASSERT_TRUE(code_allowed(status.code))
			{
				TH_LOG("seed %llu: job %u ended with status %u",
				       (unsigned long long)seed, i, status.code);
			}
			stopped += status.code == FAA_ERROR_STOPPED;
			failed += status.code && status.code != FAA_ERROR_STOPPED;
		}
		/* A job is stopped only if another one failed. */
		ASSERT_TRUE(!stopped || failed);
		good += !failed;
		bad += failed > 0;
		if (seed % 16 == 0)
			ASSERT_EQ(0, witness_round(self))
			{
				TH_LOG("after seed %llu", (unsigned long long)seed);
			}
	}
	printf("# %u groups succeeded, %u failed\n", good, bad);
	EXPECT_LT(0, bad);
	EXPECT_LT(0, good);
}

TEST_HARNESS_MAIN
