// SPDX-License-Identifier: MIT
/*
 * Processes with VMs of their own that run concurrently never see each other's data in global
 * memory, shared memory or registers, whatever they try.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define SHARED	  8192u
#define REG_BYTES (FAA_LANES * 4)

/* Memory that the processes of a test share: the number that has started. */
struct meeting {
	unsigned int arrived;
};

/* False if the others have not started, since then nothing would run at the same time. */
static bool meet(struct meeting *meeting, unsigned int n)
{
	__atomic_add_fetch(&meeting->arrived, 1, __ATOMIC_SEQ_CST);
	for (uint64_t end = now_ms() + WAIT_MS;
	     __atomic_load_n(&meeting->arrived, __ATOMIC_SEQ_CST) < n && now_ms() < end;)
		usleep(500);
	if (__atomic_load_n(&meeting->arrived, __ATOMIC_SEQ_CST) >= n)
		return true;
	printf("# the others of %u have not come\n", n);
	return false;
}

static struct meeting *new_meeting(void)
{
	return mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

/*
 * The mark of process @who in round @round at position @i; never 0, and different for any two
 * processes.
 */
static uint32_t mark(unsigned int who, unsigned int round, unsigned int i)
{
	return 0x80000000u | who << 24 | (round & 0xff) << 16 | (i & 0xffff);
}

/* Number of positions whose content differs from the marks of @who in round @round (0: zeros). */
static unsigned int strange(const uint32_t *at, unsigned int words, unsigned int who,
			    unsigned int round, const char *where)
{
	unsigned int bad = 0;

	for (unsigned int i = 0; i < words; i++) {
		const uint32_t want = round ? mark(who, round, i) : 0;

		if (at[i] != want && bad++ < 3)
			printf("# process %u round %u: %s word %u is %#x, expected %#x\n", who,
			       round, where, i, at[i], want);
	}
	return bad;
}

/*
 * One round: read all of shared memory, four registers and a global array, compare them with the
 * marks of the last round, leave new marks. Every process uses the same virtual addresses and
 * registers.
 */
static int own_round(struct client *c, unsigned int who, unsigned int round)
{
	static const unsigned int regs[4] = { 0, 1, 128, 254 };
	const uint64_t out = DATA_VA + 0x10000, kept = DATA_VA + 0x20000;
	const uint32_t *read = c->data32 + 0x10000 / 4;
	int bad = 0, ret;

	put_lds(c, FAA_TYPE_U32, SHARED / 4, op_stream(out, FAA_TYPE_U32, 4), op_affine(0, 4));
	for (unsigned int r = 0; r < 4; r++)
		put_mov(c, FAA_TYPE_U32, 32,
			op_stream(out + SHARED + r * REG_BYTES, FAA_TYPE_U32, 4), op_reg(regs[r]));
	put_sts(c, FAA_TYPE_U32, SHARED / 4, op_affine(0, 4),
		op_affine(mark(who, round + 1, 0), 1));
	for (unsigned int r = 0; r < 4; r++)
		put_mov(c, FAA_TYPE_U32, 32, op_reg(regs[r]),
			op_affine(mark(who, round + 1, 0), 1));
	put_mov(c, FAA_TYPE_U32, 1024, op_stream(kept, FAA_TYPE_U32, 4),
		op_affine(mark(who, round + 1, 0), 1));
	put_end(c);
	bad += strange(c->data32 + 0x20000 / 4, 1024, who, round, "global memory");
	ret = client_run(c, NULL);
	if (ret) {
		printf("# process %u round %u: job failed: %d\n", who, round, ret);
		return 1;
	}
	bad += strange(read, SHARED / 4, who, round, "shared memory");
	for (unsigned int r = 0; r < 4; r++)
		bad += strange(read + SHARED / 4 + 32 * r, 32, who, round, "register");
	return bad;
}

static int process_rounds(struct meeting *meeting, unsigned int who, unsigned int n,
			  unsigned int rounds)
{
	struct client c;
	int bad = 0;

	if (client_open(&c, SHARED))
		return 1;
	if (!meet(meeting, n))
		return 1;
	for (unsigned int round = 0; round < rounds && !bad; round++)
		bad = own_round(&c, who, round);
	return bad || client_close(&c);
}

/* Two processes on two compute units, then more than compute units, so that contexts move. */
static int run_processes(unsigned int n, unsigned int rounds)
{
	struct meeting *meeting = new_meeting();
	int bad = 0;

	for (unsigned int who = 1; who <= n; who++) {
		fflush(stdout);
		if (!fork()) {
			int ret = process_rounds(meeting, who, n, rounds);

			fflush(stdout);
			_exit(!!ret);
		}
	}
	for (unsigned int i = 0; i < n; i++) {
		int status;

		wait(&status);
		bad += !WIFEXITED(status) || WEXITSTATUS(status);
	}
	munmap(meeting, PAGE);
	return bad;
}

/* Every process opens the device itself. */
FIXTURE(isolation){};

FIXTURE_SETUP(isolation)
{
}

FIXTURE_TEARDOWN(isolation)
{
}

TEST_F_TIMEOUT(isolation, two_processes_at_once, 300)
{
	EXPECT_EQ(0, run_processes(2, (unsigned int)env_number("FAA_ROUNDS", 50)));
}

TEST_F_TIMEOUT(isolation, seven_processes_at_once, 300)
{
	EXPECT_EQ(0, run_processes(7, (unsigned int)env_number("FAA_ROUNDS", 50) / 2));
}

/*
 * A spy beside a victim accesses every address of the victim, and more shared memory than it has.
 */
static int spy(struct meeting *meeting, unsigned int looks)
{
	struct client c;
	struct drm_faa_status status;
	int bad = 0;

	if (client_open(&c, 128))
		return 1;
	if (!meet(meeting, 2))
		return 1;
	for (unsigned int i = 0; i < looks && !bad; i++) {
		/* The victim has this address mapped in its VM; the spy does not. */
		put_ld(&c, FAA_TYPE_U64, 1, op_stream(DATA_VA, FAA_TYPE_U64, 8),
		       op_imm(0x90000000ull + 4096 * (i % 8)));
		put_end(&c);
		bad += client_run(&c, &status) != -EFAULT || status.code != FAA_ERROR_NOT_MAPPED;
		put_st(&c, FAA_TYPE_U64, 1, op_imm(0x90000000ull + 4096 * (i % 8)), op_imm(0x666));
		put_end(&c);
		bad += client_run(&c, &status) != -EFAULT || status.code != FAA_ERROR_NOT_MAPPED;
		/* Shared memory after its own 128 bytes. */
		put_lds(&c, FAA_TYPE_U32, 1, op_stream(DATA_VA, FAA_TYPE_U32, 4),
			op_imm(128 + 4 * (i * 7 % 2000)));
		put_end(&c);
		bad += client_run(&c, &status) != -EINVAL || status.code != FAA_ERROR_OUT_OF_RANGE;
		put_atoms(&c, FAA_ATOMS_OP_EXCH, FAA_TYPE_U32, 1, op_none(),
			  op_imm(128 + 4 * (i * 7 % 2000)), op_imm(0x666));
		put_end(&c);
		bad += client_run(&c, &status) != -EINVAL || status.code != FAA_ERROR_OUT_OF_RANGE;
		bad += c.data64[0] != 0;
	}
	return bad || client_close(&c);
}

static int victim(struct meeting *meeting, unsigned int rounds)
{
	struct client c;
	uint64_t *secret;
	uint32_t bo;
	int bad = 0;

	if (client_open(&c, SHARED) || bo_create(c.fd, 8 * PAGE, &bo) ||
	    vm_map(c.fd, c.vm, bo, 0, 0x90000000, 8 * PAGE, 0))
		return 1;
	secret = bo_mmap(c.fd, bo, 8 * PAGE, PROT_READ | PROT_WRITE);
	if (!secret)
		return 1;
	for (unsigned int i = 0; i < PAGE; i++)
		secret[i] = 0x5ec7e70000000000ull + i;
	if (!meet(meeting, 2))
		return 1;
	for (unsigned int round = 0; round < rounds && !bad; round++) {
		bad += own_round(&c, 3, round);
		for (unsigned int i = 0; i < PAGE; i++)
			bad += secret[i] != 0x5ec7e70000000000ull + i;
	}
	return bad || client_close(&c);
}

TEST_F_TIMEOUT(isolation, a_spy_sees_nothing, 300)
{
	struct meeting *meeting = new_meeting();
	const unsigned int rounds = (unsigned int)env_number("FAA_ROUNDS", 50);
	int status;

	for (int i = 0; i < 2; i++) {
		fflush(stdout);
		if (!fork())
			_exit(i ? spy(meeting, rounds) : victim(meeting, rounds));
	}
	for (int i = 0; i < 2; i++) {
		wait(&status);
		EXPECT_TRUE(WIFEXITED(status));
		EXPECT_EQ(0, WEXITSTATUS(status));
	}
	munmap(meeting, PAGE);
}

/* The next process does not find data of an earlier one in a queue, a buffer or a page table. */
TEST_F_TIMEOUT(isolation, nothing_is_left_for_the_next, 300)
{
	for (int i = 0; i < 10; i++) {
		int status;

		fflush(stdout);
		/* This process dies without cleaning up. */
		if (!fork()) {
			struct client c;

			if (client_open(&c, SHARED) || own_round(&c, 4, 0))
				_exit(1);
			memset(c.data, 0xee, DATA_BYTES);
			_exit(0);
		}
		wait(&status);
		ASSERT_TRUE(WIFEXITED(status) && !WEXITSTATUS(status));

		struct client c;

		ASSERT_EQ(0, client_open(&c, SHARED));
		/* Round 0 expects zeros everywhere. */
		EXPECT_EQ(0, own_round(&c, 5, 0));
		EXPECT_EQ(0, client_close(&c));
	}
}

TEST_HARNESS_MAIN
