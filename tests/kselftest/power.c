// SPDX-License-Identifier: MIT
/*
 * Sleep, resets by user space and errors of the link (driver/faa_pm.c): contexts, rings and page
 * tables survive, jobs wait, and no job is lost without its error.
 *
 * Sleep needs CONFIG_PM_DEBUG: with /sys/power/pm_test only the devices sleep. Errors of the link
 * need tests/modules/faa_link_error.c.
 *
 * FAA_RESETS: how many of each under load, default 20. FAA_SEED: of all choices.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "drm/faa_dump.h"
#include "faa_test.h"
#include "faa_load.h"

FIXTURE(power)
{
	struct client client;
	char address[64];
	uint64_t count, seed;
};

FIXTURE_SETUP(power)
{
	self->count = env_number("FAA_RESETS", 20);
	self->seed = env_number("FAA_SEED", 1);
	ASSERT_EQ(0, faa_pci_address(self->address, sizeof(self->address)));
	ASSERT_EQ(0, write_file("/sys/module/suspend/parameters/pm_test_delay", "0"));
	ASSERT_EQ(0, write_file("/sys/power/pm_test", "platform"));
}

FIXTURE_TEARDOWN(power)
{
	if (self->client.fd > 0)
		EXPECT_EQ(0, client_close(&self->client));
	EXPECT_EQ(0, write_file("/sys/power/pm_test", "none"));
}

static void pci_file(FIXTURE_DATA(power) *self, const char *name, char *path, size_t size)
{
	snprintf(path, size, "/sys/bus/pci/devices/%s/%s", self->address, name);
}

static int pci_write(FIXTURE_DATA(power) *self, const char *name, const char *value)
{
	char path[128];

	pci_file(self, name, path, sizeof(path));
	return write_file(path, value);
}

static int reset(FIXTURE_DATA(power) *self)
{
	return pci_write(self, "reset", "1");
}

static int lose_access(FIXTURE_DATA(power) *self)
{
	return write_file("/sys/module/faa_link_error/parameters/inject", "normal");
}

static int freeze_link(FIXTURE_DATA(power) *self)
{
	return write_file("/sys/module/faa_link_error/parameters/inject", "frozen");
}

static int sleep_devices(FIXTURE_DATA(power) *self)
{
	return write_file("/sys/power/state", "mem");
}

/* Adds @value to the first word of shared memory and stores the sum. */
static int add(struct client *c, uint32_t value)
{
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, op_none(), op_none(), op_imm(value));
	put_lds(c, FAA_TYPE_U32, 1, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_none());
	put_end(c);
	return client_run(c, NULL);
}

/* A queue without a job keeps its shared memory and its VM; the device's cycles do not go back. */
static void check_idle(struct __test_metadata *_metadata, FIXTURE_DATA(power) *self,
		       int (*interrupt)(FIXTURE_DATA(power) *self))
{
	struct drm_faa_queue_get_state state;
	struct client *c = &self->client;
	uint64_t cycles = 0, before;

	ASSERT_EQ(0, client_open(c, 256));
	for (uint32_t i = 1; i <= 5; i++) {
		ASSERT_EQ(0, add(c, 3));
		EXPECT_EQ(3 * i, c->data32[0]);
		c->words = 0;
		before = cycles;
		cycles = fdinfo_number(c->fd, "drm-total-cycles-rmw");
		EXPECT_LT(before, cycles);
		EXPECT_NE(UINT64_MAX, cycles);
		ASSERT_EQ(0, interrupt(self));
	}
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &state));
	EXPECT_EQ(0, state.state);
	EXPECT_EQ(0, state.failed);
	EXPECT_EQ(5, state.completed);
}

TEST_F_TIMEOUT(power, reset_of_an_idle_queue, 200)
{
	check_idle(_metadata, self, reset);
}

TEST_F_TIMEOUT(power, sleep_of_an_idle_queue, 200)
{
	check_idle(_metadata, self, sleep_devices);
}

/* Waits until the device without jobs sleeps. */
static int sleep_alone(FIXTURE_DATA(power) *self)
{
	const uint64_t end = now_ms() + WAIT_MS;
	char path[128];
	int ret = pci_write(self, "power/autosuspend_delay_ms", "20");

	if (!ret)
		ret = pci_write(self, "power/control", "auto");
	if (ret)
		return ret;
	pci_file(self, "power/runtime_status", path, sizeof(path));
	do {
		ret = file_is(path, "suspended");
		usleep(5000);
	} while (!ret && now_ms() < end);
	if (ret < 0)
		return ret;
	return ret ? 0 : -ETIME;
}

TEST_F_TIMEOUT(power, idle_device_sleeps, 200)
{
	check_idle(_metadata, self, sleep_alone);
	EXPECT_EQ(0, pci_write(self, "power/control", "on"));
}

/* A job that runs, here without an end, keeps the device awake. */
TEST_F_TIMEOUT(power, running_job_keeps_the_device_awake, 200)
{
	struct client *c = &self->client;
	struct drm_faa_status status;

	ASSERT_EQ(0, client_open(c, 256));
	ASSERT_EQ(0, add(c, 1));
	ASSERT_EQ(0, sleep_alone(self));
	put_jump(c, 0);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, NULL));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	ASSERT_TRUE(client_status(c, 2, &status));
	EXPECT_EQ(FAA_ERROR_TIMEOUT, status.code);
	EXPECT_EQ(0, pci_write(self, "power/control", "on"));
}

/* A dump has the registers of a device that was asleep. */
static void check_dump(struct __test_metadata *_metadata, struct client *c)
{
	static union {
		struct faa_dump_header header;
		uint8_t bytes[FAA_DUMP_MAX_BYTES];
	} dump;
	struct drm_faa_queue_dump args = { .queue_id = c->queue,
					   .size = sizeof(dump),
					   .pointer = (uintptr_t)&dump };

	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_FAA_QUEUE_DUMP, &args));
	EXPECT_EQ(FAA_DUMP_MAGIC, dump.header.magic);
	EXPECT_EQ(0, dump.header.flags & FAA_DUMP_NO_REGISTERS);
}

/* Each way to the registers wakes the device up. */
TEST_F_TIMEOUT(power, users_wake_the_device, 200)
{
	struct client *c = &self->client, other;
	struct drm_faa_timestamp stamp = { 0 };
	struct drm_faa_dev_query query = { .type = DRM_FAA_DEV_QUERY_TIMESTAMP,
					   .size = sizeof(stamp),
					   .pointer = (uintptr_t)&stamp };

	ASSERT_EQ(0, client_open(c, 256));
	ASSERT_EQ(0, add(c, 3));
	ASSERT_EQ(0, sleep_alone(self));
	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_FAA_DEV_QUERY, &query));
	EXPECT_NE(UINT64_MAX, stamp.device_cycles);
	ASSERT_EQ(0, sleep_alone(self));
	EXPECT_NE(UINT64_MAX, fdinfo_number(c->fd, "drm-total-cycles-rmw"));
	ASSERT_EQ(0, sleep_alone(self));
	check_dump(_metadata, c);
	ASSERT_EQ(0, sleep_alone(self));
	EXPECT_EQ(0, vm_unmap(c->fd, c->vm, DATA_VA, PAGE));
	ASSERT_EQ(0, sleep_alone(self));
	ASSERT_EQ(0, client_open(&other, 256));
	ASSERT_EQ(0, add(&other, 4));
	ASSERT_EQ(0, sleep_alone(self));
	EXPECT_EQ(0, client_close(&other));
	ASSERT_EQ(0, sleep_alone(self));
	EXPECT_EQ(0, queue_destroy(c->fd, c->queue));
	c->queue = 0;
	ASSERT_EQ(0, sleep_alone(self));
	EXPECT_EQ(0, client_close(c));
	c->fd = -1;
	EXPECT_EQ(0, pci_write(self, "power/control", "on"));
}

TEST_F_TIMEOUT(power, error_of_the_link_and_an_idle_queue, 200)
{
	check_idle(_metadata, self, freeze_link);
}

/* The machine sleeps until the alarm of its clock, in a second. */
static int sleep_until_alarm(FIXTURE_DATA(power) *self)
{
	int ret = write_file("/sys/power/pm_test", "none");

	/* An alarm that is over must be removed first. */
	if (!ret)
		ret = write_file("/sys/class/rtc/rtc0/wakealarm", "0");
	if (!ret)
		ret = write_file("/sys/class/rtc/rtc0/wakealarm", "+1");
	return ret ? ret : sleep_devices(self);
}

TEST_F_TIMEOUT(power, sleep_until_an_alarm, 200)
{
	check_idle(_metadata, self, sleep_until_alarm);
}

/* A job without an end: its queue is dead, and the next queue works. */
static void check_endless(struct __test_metadata *_metadata, FIXTURE_DATA(power) *self,
			  int (*interrupt)(FIXTURE_DATA(power) *self), uint32_t state, int error,
			  uint32_t code)
{
	struct drm_faa_queue_get_state now;
	struct client *c = &self->client, next;
	struct drm_faa_status status;

	ASSERT_EQ(0, client_open(c, 256));
	put_jump(c, 0);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, NULL));
	usleep(100000);
	ASSERT_EQ(0, interrupt(self));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	EXPECT_EQ(error, fence_error(c->fd, c->sync));
	ASSERT_EQ(0, queue_state(c->fd, c->queue, &now));
	EXPECT_EQ(DRM_FAA_QUEUE_STATE_DEAD | state, now.state);
	ASSERT_TRUE(client_status(c, 1, &status));
	EXPECT_EQ(code, status.code);
	ASSERT_EQ(0, client_open(&next, 256));
	EXPECT_EQ(0, add(&next, 7));
	EXPECT_EQ(7, next.data32[0]);
	EXPECT_EQ(0, client_close(&next));
}

/* A reset does not wait for jobs. */
TEST_F_TIMEOUT(power, reset_of_a_job_without_an_end, 200)
{
	check_endless(_metadata, self, reset, DRM_FAA_QUEUE_STATE_RESET, -ECANCELED,
		      FAA_ERROR_KILLED);
}

TEST_F_TIMEOUT(power, error_of_the_link_and_a_job_without_an_end, 200)
{
	check_endless(_metadata, self, lose_access, DRM_FAA_QUEUE_STATE_RESET, -ECANCELED,
		      FAA_ERROR_KILLED);
}

/* Sleep waits until the job is overdue. */
TEST_F_TIMEOUT(power, sleep_of_a_job_without_an_end, 200)
{
	check_endless(_metadata, self, sleep_devices, DRM_FAA_QUEUE_STATE_TIMEDOUT, -ETIMEDOUT,
		      FAA_ERROR_TIMEOUT);
}

/* Returns how many queues of the workers lost their context. */
static uint32_t under_load(struct __test_metadata *_metadata, FIXTURE_DATA(power) *self, bool hang,
			   int (*interrupt)(FIXTURE_DATA(power) *self))
{
	unsigned int worker = 0;
	struct load load;

	ASSERT_EQ(0, load_start(&load, self->seed, hang))
	{
		return 0;
	}
	for (uint64_t i = 0; i < self->count; i++) {
		const uint64_t end = now_ms() + WAIT_MS;
		const uint32_t jobs = load_jobs(&load);

		EXPECT_EQ(0, interrupt(self));
		/* The device has continued, with some of the workers at least. */
		while (load_jobs(&load) < jobs + LOAD_WORKERS && now_ms() < end)
			usleep(1000);
		EXPECT_LE(jobs + LOAD_WORKERS, load_jobs(&load));
	}
	EXPECT_EQ(0, load_stop(&load, &worker))
	{
		TH_LOG("worker %u", worker);
	}
	printf("# %u jobs with the right data, %u queues that lost their context\n",
	       load_jobs(&load), load_lost(&load));
	return load_lost(&load);
}

TEST_F_TIMEOUT(power, resets_under_load, 3000)
{
	under_load(_metadata, self, true, reset);
}

static int any_error(FIXTURE_DATA(power) *self)
{
	return random_next(&self->seed) % 2 ? lose_access(self) : freeze_link(self);
}

TEST_F_TIMEOUT(power, errors_of_the_link_under_load, 3000)
{
	under_load(_metadata, self, true, any_error);
}

/* All jobs have an end, so none is lost. */
TEST_F_TIMEOUT(power, sleep_under_load, 3000)
{
	EXPECT_EQ(0, under_load(_metadata, self, false, sleep_devices));
}

/*
 * The link does not come back: the device is lost. A function that is plugged in again is found
 * by a rescan of the bus.
 */
TEST_F_TIMEOUT(power, failure_of_the_link, 200)
{
	struct client *c = &self->client;
	struct drm_faa_status status;

	ASSERT_EQ(0, client_open(c, 256));
	put_jump(c, 0);
	put_end(c);
	ASSERT_EQ(0, client_submit(c, NULL));
	ASSERT_EQ(0, write_file("/sys/module/faa_link_error/parameters/inject", "failure"));
	EXPECT_EQ(-ENODEV, wait_lost(c->fd));
	ASSERT_TRUE(client_status(c, 1, &status));
	EXPECT_EQ(FAA_ERROR_DEVICE_LOST, status.code);
	close(c->fd);
	EXPECT_EQ(0, pci_write(self, "remove", "1"));
	EXPECT_EQ(0, write_file("/sys/bus/pci/rescan", "1"));
	ASSERT_EQ(0, client_open(c, 256));
	EXPECT_EQ(0, add(c, 2));
}

TEST_HARNESS_MAIN
