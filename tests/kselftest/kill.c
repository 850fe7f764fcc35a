// SPDX-License-Identifier: MIT
/*
 * Programs that are killed at any time: the kernel frees all their resources, and other programs
 * continue.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(kill)
{
	struct client witness;
	uint32_t rounds;
};

/*
 * A job of the witness, whose shared memory counts its jobs: kills of other programs must not
 * change it.
 */
static int witness_round(FIXTURE_DATA(kill) *self)
{
	struct client *c = &self->witness;
	int ret;

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 128, op_none(), op_affine(0, 4), op_imm(1));
	put_lds(c, FAA_TYPE_U32, 128, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_affine(0, 4));
	put_end(c);
	ret = client_run(c, NULL);
	if (ret)
		return ret;
	self->rounds++;
	for (unsigned int i = 0; i < 128; i++)
		if (c->data32[i] != self->rounds)
			return -EIO;
	return 0;
}

FIXTURE_SETUP(kill)
{
	ASSERT_EQ(0, client_open(&self->witness, 512));
	self->rounds = 0;
	ASSERT_EQ(0, witness_round(self));
}

FIXTURE_TEARDOWN(kill)
{
	EXPECT_EQ(0, witness_round(self));
	EXPECT_EQ(0, client_close(&self->witness));
}

/*
 * Start @what in a child, which reports when it is ready, and kill it @after_us later. Returns
 * whether the signal ended it.
 */
static bool start_and_kill(int (*what)(int ready), unsigned int after_us)
{
	int ready[2], status;
	char byte;
	pid_t pid;

	if (pipe(ready))
		return false;
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(ready[0]);
		_exit(what(ready[1]) ? 1 : 0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		byte = 0;
	close(ready[0]);
	usleep(after_us);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return byte == 'r' && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static void say_ready(int ready)
{
	if (write(ready, "r", 1) != 1)
		_exit(2);
}

/* An endless job in the device. */
static int endless_job(int ready)
{
	struct client c;
	uint64_t seqno;

	if (client_open(&c, 1024))
		return 1;
	put_jump(&c, 0);
	if (client_submit(&c, &seqno))
		return 1;
	say_ready(ready);
	return syncobj_wait(c.fd, c.sync, WAIT_MS);
}

/*
 * An endless job that writes; its buffers are mapped nowhere else and must not be freed while it
 * runs.
 */
static int endless_writes(int ready)
{
	struct client c;
	uint64_t seqno;

	if (client_open(&c, 1024))
		return 1;
	put_mov(&c, FAA_TYPE_U32, DATA_BYTES / 4, op_stream(DATA_VA, FAA_TYPE_U32, 4),
		op_affine(0xabad0000, 1));
	put_jump(&c, -(int32_t)c.words);
	if (client_submit(&c, &seqno) || bo_close(c.fd, c.data_bo))
		return 1;
	say_ready(ready);
	return syncobj_wait(c.fd, c.sync, WAIT_MS);
}

/* A long row of jobs, some of which wait for a syncobj. */
static int many_jobs(int ready)
{
	struct drm_faa_sync syncs[2];
	struct drm_faa_job job = { .stream_va = STREAM_VA };
	struct client c;
	uint32_t line;

	if (client_open(&c, 1024) || syncobj_create(c.fd, false, &line))
		return 1;
	put_sem_wait(&c, DATA_VA, 1);
	put_end(&c);
	job.stream_bytes = 8 * c.words;
	for (uint64_t i = 1; i <= 200; i++) {
		syncs[0] = (struct drm_faa_sync){
			.flags = DRM_FAA_SYNC_SIGNAL | DRM_FAA_SYNC_TIMELINE,
			.handle = line,
			.point = i,
		};
		syncs[1] = (struct drm_faa_sync){ .flags = DRM_FAA_SYNC_TIMELINE,
						  .handle = line,
						  .point = i - 1 };
		job.syncs = (struct drm_faa_obj_array){
			.stride = sizeof(syncs[0]),
			.count = i > 1 ? 2 : 1,
			.array = (uintptr_t)syncs,
		};
		if (submit(c.fd, c.queue, &job, 1, NULL))
			return 1;
	}
	say_ready(ready);
	return timeline_wait(c.fd, line, 200, WAIT_MS);
}

/* Creates, maps, submits and destroys in an endless loop. */
static int busy(int ready)
{
	bool said = false;

	for (;;) {
		struct client c;
		uint32_t bo;

		if (client_open(&c, 1024) || bo_create(c.fd, 32 * PAGE, &bo))
			return 1;
		if (vm_map(c.fd, c.vm, bo, 0, 0x80000000, 32 * PAGE, 0))
			return 1;
		put_mov(&c, FAA_TYPE_U32, 4096, op_stream(0x80000000, FAA_TYPE_U32, 4),
			op_affine(0, 1));
		put_end(&c);
		if (client_run(&c, NULL))
			return 1;
		if (!said)
			say_ready(ready);
		said = true;
		if (client_close(&c))
			return 1;
	}
}

TEST_F_TIMEOUT(kill, in_an_endless_job, 300)
{
	for (unsigned int i = 0; i < 10; i++) {
		EXPECT_TRUE(start_and_kill(endless_job, i * 3000));
		ASSERT_EQ(0, witness_round(self));
	}
}

TEST_F_TIMEOUT(kill, in_endless_writes, 300)
{
	for (unsigned int i = 0; i < 10; i++) {
		EXPECT_TRUE(start_and_kill(endless_writes, i * 3000));
		ASSERT_EQ(0, witness_round(self));
	}
}

TEST_F_TIMEOUT(kill, with_many_jobs_queued, 300)
{
	for (unsigned int i = 0; i < 5; i++) {
		EXPECT_TRUE(start_and_kill(many_jobs, i * 5000));
		ASSERT_EQ(0, witness_round(self));
	}
}

TEST_F_TIMEOUT(kill, at_any_moment, 300)
{
	uint64_t seed = env_number("FAA_SEED", 1);

	printf("# seed %llu\n", (unsigned long long)seed);
	for (unsigned int i = 0; i < 30; i++) {
		EXPECT_TRUE(start_and_kill(busy, (unsigned int)(random_next(&seed) % 40000)));
		ASSERT_EQ(0, witness_round(self));
	}
}

/* All hardware queues of killed programs are free again. */
TEST_F_TIMEOUT(kill, nothing_is_lost, 300)
{
	struct drm_faa_device_info info;

	ASSERT_EQ(0, device_info(self->witness.fd, &info));
	for (unsigned int i = 0; i < 2 * info.num_queues; i++)
		EXPECT_TRUE(start_and_kill(endless_job, 0));
	EXPECT_EQ(0, witness_round(self));
}

/*
 * The file is passed to another process: the client continues to work after its creator was killed.
 */
TEST_F_TIMEOUT(kill, a_shared_file_lives_on, 120)
{
	struct client c;
	uint64_t seqno;
	int status;
	pid_t pid;

	ASSERT_EQ(0, client_open(&c, 0));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		put_end(&c);
		_exit(client_submit(&c, &seqno) ? 1 : 0);
	}
	waitpid(pid, &status, 0);
	ASSERT_TRUE(WIFEXITED(status) && !WEXITSTATUS(status));
	EXPECT_EQ(0, client_wait(&c, 1, NULL));
	EXPECT_EQ(0, client_close(&c));
}

TEST_HARNESS_MAIN
