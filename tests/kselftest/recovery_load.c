// SPDX-License-Identifier: MIT
/*
 * Faults at random while eight processes work: resets of compute units, of all of them, and of the
 * function. Shared memory of a queue that continues is checked word by word after each job; a queue
 * that does not continue says so. Needs CONFIG_FAULT_INJECTION (the debug flavour) and
 * fault_memory_ms=0.
 *
 * FAA_FAULTS: how many, default 40. FAA_SEED: of all choices.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

enum { WORKERS = 8, WORDS = 64, SHARED = 4 * WORDS };

/* Counts of the workers, in memory that all share. */
struct tally {
	volatile uint32_t stop;
	volatile uint32_t jobs[WORKERS], lost[WORKERS];
};

/* A job of a queue that has ended @rounds jobs: 1 more in each word, and all of them to memory. */
static int worker_job(struct client *c, uint32_t rounds)
{
	int ret;

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, WORDS, op_none(), op_affine(0, 4), op_imm(1));
	put_lds(c, FAA_TYPE_U32, WORDS, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_affine(0, 4));
	put_end(c);
	ret = client_run(c, NULL);
	c->words = 0;
	for (unsigned int i = 0; !ret && i < WORDS; i++)
		if (c->data32[i] != rounds + 1)
			return -EIO;
	return ret;
}

/* A job that did not end well: its queue must be dead, of a reset, and its record must say so. */
static int worker_lost(struct client *c, int error)
{
	struct drm_faa_queue_get_state state;
	struct drm_faa_status status;
	int ret = queue_state(c->fd, c->queue, &state);

	if (ret)
		return ret;
	if (error != -ECANCELED ||
	    state.state != (DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_RESET) ||
	    state.completed != state.submitted)
		return -EPROTO;
	/* A job that was refused has no record. */
	if (!state.failed)
		return 0;
	if (!client_status(c, state.submitted, &status))
		return -EBADMSG;
	return status.code == FAA_ERROR_CU_RESET || status.code == FAA_ERROR_KILLED ||
			       status.code == FAA_ERROR_CANCELLED ?
		       0 :
		       -EBADMSG;
}

/* Meet faults: an invalidation, the end of an idle queue, and of one whose job runs. */
static int worker_meet(struct client *c, uint64_t *seed)
{
	const uint64_t va = DATA_VA + DATA_BYTES;
	int ret;

	ret = vm_map(c->fd, c->vm, c->data_bo, 0, va, PAGE, 0);
	if (!ret)
		ret = vm_unmap(c->fd, c->vm, va, PAGE);
	if (ret || random_next(seed) % 4)
		return ret;
	put_jump(c, 0);
	ret = client_submit(c, NULL);
	c->words = 0;
	/* It may be dead already. */
	return ret == -ECANCELED ? 0 : ret;
}

/* Works until told to stop; returns an error that nothing explains, or 0. */
static int worker_run(struct tally *tally, unsigned int index, uint64_t seed)
{
	while (!tally->stop) {
		struct client c;
		int ret = client_open(&c, SHARED);

		for (uint32_t i = 0; !ret && i < 20; i++) {
			ret = worker_job(&c, i);
			if (!ret)
				tally->jobs[index]++;
		}
		if (ret && c.fd >= 0) {
			ret = worker_lost(&c, ret);
			tally->lost[index]++;
		} else if (!ret) {
			ret = worker_meet(&c, &seed);
		}
		if (!ret)
			ret = client_close(&c);
		if (ret)
			return ret;
	}
	return 0;
}

FIXTURE(load)
{
	struct tally *tally;
	pid_t pid[WORKERS];
	struct client client;
	unsigned int node;
	uint64_t seed;
};

static int set(FIXTURE_DATA(load) *self, const char *attribute, const char *file, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/fail_faa_%s/%s", self->node,
		 attribute, file);
	return write_file(path, value);
}

/* Let the next @times fail. */
static int arm(FIXTURE_DATA(load) *self, const char *attribute, const char *times)
{
	int ret = set(self, attribute, "verbose", "0");

	if (!ret)
		ret = set(self, attribute, "times", times);
	return ret ? ret : set(self, attribute, "probability", "100");
}

static bool is_over(FIXTURE_DATA(load) *self, const char *attribute)
{
	char path[128], times[16] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%u/fail_faa_%s/times", self->node,
		 attribute);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(times, sizeof(times), file))
		times[0] = '\0';
	fclose(file);
	return !strcmp(times, "0\n");
}

FIXTURE_SETUP(load)
{
	struct stat node;

	if (access("/proc/self/fail-nth", F_OK))
		SKIP(return, "the kernel has no fault injection");
	self->seed = env_number("FAA_SEED", 1);
	self->tally = mmap(NULL, sizeof(*self->tally), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->tally);
	fflush(stdout);
	for (unsigned int i = 0; i < WORKERS; i++) {
		self->pid[i] = fork();
		if (!self->pid[i])
			_exit(-worker_run(self->tally, i, self->seed * WORKERS + i));
		ASSERT_LT(0, self->pid[i]);
	}
	ASSERT_EQ(0, client_open(&self->client, 0));
	ASSERT_EQ(0, fstat(self->client.fd, &node));
	self->node = minor(node.st_rdev);
	/* Invalidations of this process alone fail. */
	ASSERT_EQ(0, write_file("/proc/self/make-it-fail", "1"));
	ASSERT_EQ(0, set(self, "tlb_inv", "task-filter", "1"));
}

FIXTURE_TEARDOWN(load)
{
	EXPECT_EQ(0, client_close(&self->client));
}

/* An invalidation of our own fails: it is repeated after the reset. */
static void inject_here(struct __test_metadata *_metadata, FIXTURE_DATA(load) *self)
{
	struct client *c = &self->client;

	ASSERT_EQ(0, vm_map(c->fd, c->vm, c->data_bo, 0, DATA_VA + DATA_BYTES, PAGE, 0));
	ASSERT_EQ(0, arm(self, "tlb_inv", "1"));
	EXPECT_EQ(0, vm_unmap(c->fd, c->vm, DATA_VA + DATA_BYTES, PAGE));
	EXPECT_TRUE(is_over(self, "tlb_inv"));
}

/* Some worker meets a fault. */
static void inject_there(struct __test_metadata *_metadata, FIXTURE_DATA(load) *self,
			 const char *attribute)
{
	const uint64_t end = now_ms() + WAIT_MS;

	ASSERT_EQ(0, arm(self, attribute, "1"));
	while (!is_over(self, attribute) && now_ms() < end)
		usleep(1000);
	EXPECT_TRUE(is_over(self, attribute));
}

/* The ways in which the resets fail that it leads to are drawn, too. */
static void inject(struct __test_metadata *_metadata, FIXTURE_DATA(load) *self)
{
	const unsigned int which = random_next(&self->seed) % 3;

	if (random_next(&self->seed) % 2)
		ASSERT_EQ(0, arm(self, "device_reset", "1"));
	if (random_next(&self->seed) % 2)
		ASSERT_EQ(0, arm(self, "cu_reset", "1"));
	if (which)
		inject_there(_metadata, self, which == 1 ? "disable" : "kill");
	else
		inject_here(_metadata, self);
	ASSERT_EQ(0, set(self, "device_reset", "probability", "0"));
	ASSERT_EQ(0, set(self, "cu_reset", "probability", "0"));
}

TEST_F_TIMEOUT(load, with_faults, 3000)
{
	const uint64_t faults = env_number("FAA_FAULTS", 40);
	uint32_t jobs = 0, lost = 0;
	int status;

	for (uint64_t i = 0; i < faults; i++)
		inject(_metadata, self);
	self->tally->stop = 1;
	for (unsigned int i = 0; i < WORKERS; i++) {
		ASSERT_EQ(self->pid[i], waitpid(self->pid[i], &status, 0));
		EXPECT_TRUE(WIFEXITED(status));
		EXPECT_EQ(0, WEXITSTATUS(status))
		{
			TH_LOG("worker %u: %s", i, strerror(WEXITSTATUS(status)));
		}
		EXPECT_LT(0, self->tally->jobs[i]);
		jobs += self->tally->jobs[i];
		lost += self->tally->lost[i];
	}
	printf("# %u jobs with the right data, %u whose queue lost its context\n", jobs, lost);
}

TEST_HARNESS_MAIN
