// SPDX-License-Identifier: MIT
/* /proc/PID/fdinfo, the source of tools like gputop. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(fdinfo)
{
	struct client client;
};

FIXTURE_SETUP(fdinfo)
{
	ASSERT_EQ(0, client_open(&self->client, 0));
}

FIXTURE_TEARDOWN(fdinfo)
{
	EXPECT_EQ(0, client_close(&self->client));
}

static size_t read_fdinfo(int fd, char *text, size_t size)
{
	char path[64];
	size_t n;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "r");
	if (!file)
		return 0;
	n = fread(text, 1, size - 1, file);
	text[n] = 0;
	fclose(file);
	return n;
}

/* The value of the line "KEY:  VALUE", or NULL. */
static const char *value_of(const char *text, const char *key)
{
	const size_t length = strlen(key);

	for (const char *line = text; line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		if (!strncmp(line, key, length) && line[length] == ':')
			return line + length + 1 + strspn(line + length + 1, " \t");
	return NULL;
}

/* The sum of all values whose key begins with @prefix; *@n: their number. */
static unsigned long long sum_of(const char *text, const char *prefix, unsigned int *n)
{
	unsigned long long sum = 0;

	*n = 0;
	for (const char *line = text; line && *line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		const char *colon = strchr(line, ':');

		if (colon && !strncmp(line, prefix, strlen(prefix))) {
			sum += strtoull(colon + 1, NULL, 10);
			(*n)++;
		}
	}
	return sum;
}

TEST_F(fdinfo, says_who_we_are)
{
	char text[4096], other_text[4096];
	int other = faa_open();

	ASSERT_LE(0, other);
	ASSERT_NE(0, read_fdinfo(self->client.fd, text, sizeof(text)));
	ASSERT_NE(0, read_fdinfo(other, other_text, sizeof(other_text)));
	ASSERT_NE(NULL, value_of(text, "drm-driver"));
	EXPECT_EQ(0, strncmp("faa\n", value_of(text, "drm-driver"), 4));
	ASSERT_NE(NULL, value_of(text, "drm-client-id"));
	EXPECT_NE(atoi(value_of(text, "drm-client-id")),
		  atoi(value_of(other_text, "drm-client-id")));
	ASSERT_NE(NULL, value_of(text, "drm-pdev"));
	close(other);
}

/*
 * Bytes in a line, which the DRM core prints in the largest unit without a remainder; 0 if there is
 * no such line.
 */
static unsigned long long bytes_of(const char *text, const char *key)
{
	const char *value = value_of(text, key);
	unsigned long long number;
	char unit[4] = "";

	if (!value || sscanf(value, "%llu %3s", &number, unit) < 1)
		return 0;
	return number << (!strcmp(unit, "KiB") ? 10 : !strcmp(unit, "MiB") ? 20 : 0);
}

TEST_F(fdinfo, counts_memory)
{
	char text[4096];
	unsigned long long before;
	uint32_t bo;

	ASSERT_NE(0, read_fdinfo(self->client.fd, text, sizeof(text)));
	before = bytes_of(text, "drm-total-memory");
	ASSERT_LT(0, before);
	ASSERT_EQ(0, bo_create(self->client.fd, 64 << 20, &bo));
	ASSERT_NE(0, read_fdinfo(self->client.fd, text, sizeof(text)));
	EXPECT_EQ(before + (64ull << 20), bytes_of(text, "drm-total-memory"));
	EXPECT_EQ(0, bo_close(self->client.fd, bo));
}

TEST_F(fdinfo, counts_work)
{
	struct client *c = &self->client;
	char text[4096];
	unsigned long long before, after, jobs, elements;
	unsigned int n;

	ASSERT_NE(0, read_fdinfo(c->fd, text, sizeof(text)));
	before = sum_of(text, "drm-cycles-", &n);
	ASSERT_LT(0, n);
	jobs = sum_of(text, "faa-jobs", &n);
	ASSERT_EQ(1, n);
	elements = sum_of(text, "faa-elements", &n);
	ASSERT_EQ(1, n);
	for (int i = 0; i < 4; i++) {
		put_mov(c, FAA_TYPE_U32, 8192, op_stream(DATA_VA, FAA_TYPE_U32, 4),
			op_affine(0, 1));
		put_end(c);
		ASSERT_EQ(0, client_run(c, NULL));
	}
	ASSERT_NE(0, read_fdinfo(c->fd, text, sizeof(text)));
	after = sum_of(text, "drm-cycles-", &n);
	EXPECT_LT(before, after);
	EXPECT_EQ(jobs + 4, sum_of(text, "faa-jobs", &n));
	EXPECT_EQ(elements + 4 * 8192, sum_of(text, "faa-elements", &n));
	/* A parser reads at most 4 KiB. */
	EXPECT_GT(4095, strlen(text));
}

/* A number of the line of a queue. */
static uint64_t queue_number(const char *text, uint32_t queue, const char *name)
{
	char key[32], word[32];
	const char *line, *at;

	snprintf(key, sizeof(key), "faa-queue-%u", queue);
	snprintf(word, sizeof(word), " %s ", name);
	line = value_of(text, key);
	at = line ? strstr(line, word) : NULL;
	return at ? strtoull(at + strlen(word), NULL, 10) : UINT64_MAX;
}

/* Each queue has a line, and their sum is that of the file. */
TEST_F(fdinfo, counts_by_queue)
{
	struct client *c = &self->client;
	struct drm_faa_queue_create other;
	uint32_t first = c->queue;
	char text[4096];

	ASSERT_EQ(0, queue_create(c->fd, c->vm, 0, &other));
	for (unsigned int i = 0; i < 3; i++) {
		c->queue = i == 2 ? other.queue_id : first;
		put_mov(c, FAA_TYPE_U32, 64, op_reg(1), op_imm(1));
		put_end(c);
		ASSERT_EQ(0, syncobj_destroy(c->fd, c->sync));
		ASSERT_EQ(0, syncobj_create(c->fd, false, &c->sync));
		ASSERT_EQ(0, client_submit(c, NULL));
		ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
		c->words = 0;
	}
	c->queue = first;
	ASSERT_NE(0, read_fdinfo(c->fd, text, sizeof(text)));
	EXPECT_EQ(2, queue_number(text, first, "jobs"));
	EXPECT_EQ(1, queue_number(text, other.queue_id, "jobs"));
	EXPECT_EQ(128, queue_number(text, first, "elements"));
	EXPECT_EQ(64, queue_number(text, other.queue_id, "elements"));
	EXPECT_EQ(4, queue_number(text, first, "warps"));
	EXPECT_EQ(6, strtoull(value_of(text, "faa-warps"), NULL, 10));
	EXPECT_EQ(DRM_FAA_PRIORITY_NORMAL, queue_number(text, first, "priority"));
	EXPECT_EQ(0, strncmp(value_of(text, "faa-queue-1"), "idle ", 5));
	EXPECT_EQ(strtoull(value_of(text, "drm-cycles-rmw"), NULL, 10),
		  queue_number(text, first, "cycles") +
			  queue_number(text, other.queue_id, "cycles"));
	EXPECT_NE(0, queue_number(text, other.queue_id, "ns"));
	EXPECT_EQ(0, queue_destroy(c->fd, other.queue_id));
	ASSERT_NE(0, read_fdinfo(c->fd, text, sizeof(text)));
	EXPECT_EQ(UINT64_MAX, queue_number(text, other.queue_id, "jobs"));
	EXPECT_EQ(0, bo_close(c->fd, other.status_handle));
}

/* Jobs that run at the same time occupy one compute unit, for as long as the longest of them. */
TEST_F(fdinfo, counts_the_cycles_of_a_group_once)
{
	struct client *c = &self->client;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_device_info info;
	struct drm_faa_job jobs[FAA_MAX_SLOTS] = { 0 };
	unsigned long long longest = 0, sum = 0;
	struct drm_faa_status status;
	char text[4096];
	unsigned int n, word;

	ASSERT_EQ(0, device_info(c->fd, &info));
	if (info.warp_slots < 2)
		SKIP(return, "too few warp slots");
	for (unsigned int i = 0; i < info.warp_slots; i++) {
		word = c->words;
		put_mov(c, FAA_TYPE_U32, 4096 >> i, op_stream(DATA_VA, FAA_TYPE_U32, 4),
			op_affine(0, 1));
		put_end(c);
		jobs[i].stream_va = STREAM_VA + 8ull * word;
		jobs[i].stream_bytes = 8 * (c->words - word);
		jobs[i].flags = i + 1 < info.warp_slots ? DRM_FAA_JOB_TOGETHER : 0;
	}
	jobs[info.warp_slots - 1].syncs = (struct drm_faa_obj_array){ .stride = sizeof(sync),
								      .count = 1,
								      .array = (uintptr_t)&sync };
	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, info.warp_slots, NULL));
	ASSERT_EQ(0, client_wait(c, info.warp_slots, &status));
	for (unsigned int i = 1; i <= info.warp_slots; i++) {
		unsigned long long cycles;

		ASSERT_TRUE(client_status(c, i, &status));
		cycles = status.end_cycle - status.start_cycle;
		sum += cycles;
		if (cycles > longest)
			longest = cycles;
	}
	ASSERT_NE(0, read_fdinfo(c->fd, text, sizeof(text)));
	EXPECT_EQ(longest, sum_of(text, "drm-cycles-", &n));
	EXPECT_GT(sum, longest);
	EXPECT_EQ(info.warp_slots, strtoull(value_of(text, "faa-jobs"), NULL, 10));
}

static void put_endless_work(struct client *c)
{
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, op_none(), op_imm(0), op_imm(1));
	put_jump(c, -(int32_t)c->words);
	put_end(c);
}

/* A running job counts, and its memory is active. */
TEST_F(fdinfo, counts_a_running_job)
{
	struct client c;
	uint64_t seqno, begin, first, second;
	uint64_t cycles;

	ASSERT_EQ(0, client_open(&c, 1024));
	EXPECT_EQ(0, fdinfo_number(c.fd, "drm-active-memory"));
	put_endless_work(&c);
	begin = now_ms();
	ASSERT_EQ(0, client_submit(&c, &seqno));
	usleep(100000);
	first = fdinfo_number(c.fd, "drm-engine-rmw") / 1000000;
	cycles = fdinfo_number(c.fd, "drm-cycles-rmw");
	EXPECT_LE(first, now_ms() - begin + 1);
	/* No other job competes with it: all of the time counts. */
	EXPECT_LE(50, first);
	EXPECT_LT(0, cycles);
	EXPECT_LE((STREAM_BYTES + DATA_BYTES) / 1024, fdinfo_number(c.fd, "drm-active-memory"));
	usleep(100000);
	second = fdinfo_number(c.fd, "drm-engine-rmw") / 1000000;
	EXPECT_LE(first + 50, second);
	EXPECT_LE(second, now_ms() - begin + 1);
	EXPECT_LT(cycles, fdinfo_number(c.fd, "drm-cycles-rmw"));
	EXPECT_EQ(0, client_close(&c));
}

/* More endless jobs than compute units: those that run are charged, the others not at all. */
TEST_F(fdinfo, counts_running_jobs_beside_waiting_ones)
{
	struct client clients[FAA_MAX_CUS + 2];
	struct drm_faa_device_info info;
	unsigned int run = 0, n;
	uint64_t seqno, begin, end, time;

	ASSERT_EQ(0, device_info(self->client.fd, &info));
	n = info.num_cus + 2;
	for (unsigned int i = 0; i < n; i++) {
		ASSERT_EQ(0, client_open(&clients[i], 1024));
		put_endless_work(&clients[i]);
	}
	begin = fdinfo_number(self->client.fd, "drm-total-cycles-rmw");
	time = now_ns();
	for (unsigned int i = 0; i < n; i++)
		ASSERT_EQ(0, client_submit(&clients[i], &seqno));
	/*
	 * Nobody looks until the jobs have run for a while, far longer than their submission, in
	 * which the first one runs alone.
	 */
	usleep(8 * (now_ns() - time) / 1000);
	do {
		usleep(20000);
		end = fdinfo_number(self->client.fd, "drm-total-cycles-rmw");
	} while (end < begin + 20000);
	for (unsigned int i = 0; i < n; i++) {
		uint64_t cycles = fdinfo_number(clients[i].fd, "drm-cycles-rmw");

		if (!cycles)
			continue;
		run++;
		EXPECT_LE(end - begin - (end - begin) / 4, cycles);
		end = fdinfo_number(self->client.fd, "drm-total-cycles-rmw");
		EXPECT_GE(end - begin, cycles);
	}
	EXPECT_EQ(info.num_cus, run);
	for (unsigned int i = 0; i < n; i++)
		EXPECT_EQ(0, client_close(&clients[i]));
}

enum { HOGS = 6, HOG_MS = 1500 };

/* Keep the queue of each client full until @end; a job takes some milliseconds. */
static int keep_busy(struct client *clients, uint64_t end)
{
	struct drm_faa_job job = { .stream_va = STREAM_VA, .stream_bytes = 8 * clients->words };

	while (now_ms() < end) {
		for (unsigned int i = 0; i < HOGS; i++) {
			struct drm_faa_queue_get_state state;
			int ret = queue_state(clients[i].fd, clients[i].queue, &state);

			if (!ret && state.submitted - state.completed < 3)
				ret = submit(clients[i].fd, clients[i].queue, &job, 1, NULL);
			if (ret)
				return ret;
		}
		usleep(1000);
	}
	return 0;
}

static uint64_t sum_of_clients(const struct client *clients)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < HOGS; i++)
		sum += fdinfo_number(clients[i].fd, "drm-engine-rmw");
	return sum;
}

/*
 * Waiting for a compute unit does not count: the sum of all clients is at most the capacity of the
 * device.
 */
TEST_F_TIMEOUT(fdinfo, all_clients_get_what_the_device_has, 180)
{
	struct client clients[HOGS];
	struct drm_faa_device_info info;
	uint64_t begin, sum, wall;

	ASSERT_EQ(0, device_info(self->client.fd, &info));
	if (info.num_cus >= HOGS)
		SKIP(return, "a compute unit for each client");
	for (unsigned int i = 0; i < HOGS; i++) {
		ASSERT_EQ(0, client_open(&clients[i], 1024));
		put_atoms(&clients[i], FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1 << 16, op_none(),
			  op_imm(0), op_imm(1));
		put_end(&clients[i]);
	}
	begin = now_ns();
	for (unsigned int round = 1; round <= 3; round++) {
		ASSERT_EQ(0, keep_busy(clients, begin / 1000000 + round * HOG_MS / 3));
		/* Read under load, the sum first, because time advances in between. */
		sum = sum_of_clients(clients);
		wall = now_ns() - begin;
		EXPECT_LE(sum, wall * info.num_cus);
		/* Nor is the sum far too small. */
		EXPECT_GE(sum, wall * info.num_cus / 4)
		{
			TH_LOG("%llu of %llu ns", (unsigned long long)sum,
			       (unsigned long long)wall * info.num_cus);
		}
	}
	for (unsigned int i = 0; i < HOGS; i++)
		EXPECT_EQ(0, client_close(&clients[i]));
}

TEST_HARNESS_MAIN
