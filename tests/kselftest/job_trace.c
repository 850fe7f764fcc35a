// SPDX-License-Identifier: MIT
/*
 * Trace events of jobs and binds: each occurs once, in the documented order, whatever the result of
 * the job.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define TRACEFS	 "/sys/kernel/tracing/"
#define MAX_JOBS 80

enum event { SUBMIT, WAIT, READY, RUN, START, DONE, FENCE, EVENTS };

static const char *const event_names[EVENTS] = {
	"faa_job_submit: ", "faa_job_wait: ", "faa_job_ready: ", "faa_job_run: ",
	"faa_job_start: ",  "faa_job_done: ", "faa_job_fence: ",
};

/**
 * struct seen - the events of one job: their counts, and the position of the last one in the trace
 */
struct seen {
	unsigned int count[EVENTS];
	unsigned int at[EVENTS];
	int error;
};

FIXTURE(trace)
{
	struct client client;
	struct seen jobs[MAX_JOBS + 1];
	unsigned int bind_submits, bind_dones;
};

static int trace_events(const char *value)
{
	return write_file(TRACEFS "events/faa/enable", value);
}

FIXTURE_SETUP(trace)
{
	int fd;

	if (mount("tracefs", TRACEFS, "tracefs", 0, NULL))
		ASSERT_EQ(EBUSY, errno);
	ASSERT_EQ(0, client_open(&self->client, 0));
	ASSERT_EQ(0, trace_events("1"));
	fd = open(TRACEFS "trace", O_WRONLY | O_TRUNC | O_CLOEXEC);
	ASSERT_LE(0, fd);
	close(fd);
}

FIXTURE_TEARDOWN(trace)
{
	EXPECT_EQ(0, trace_events("0"));
	EXPECT_EQ(0, client_close(&self->client));
}

static void note_job(FIXTURE_DATA(trace) *self, enum event event, const char *fields,
		     unsigned int line, unsigned long long *ctx)
{
	unsigned long long context, seqno;
	const char *error = strstr(fields, "error=");

	if (sscanf(fields, "ctx=%llu seqno=%llu", &context, &seqno) != 2)
		return;
	/* One queue is traced: the first one with a job. */
	if (!*ctx)
		*ctx = context;
	if (context != *ctx || seqno > MAX_JOBS)
		return;
	self->jobs[seqno].count[event]++;
	self->jobs[seqno].at[event] = line;
	if (event == FENCE && error)
		sscanf(error, "error=%d", &self->jobs[seqno].error);
}

/* Stop tracing and read the trace. */
static int trace_read(FIXTURE_DATA(trace) *self)
{
	unsigned long long ctx = 0;
	unsigned int number = 0;
	char line[512];
	FILE *file;

	if (trace_events("0"))
		return -errno;
	file = fopen(TRACEFS "trace", "re");
	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file)) {
		number++;
		for (enum event event = SUBMIT; event < EVENTS; event++) {
			const char *at = strstr(line, event_names[event]);

			if (at)
				note_job(self, event, at + strlen(event_names[event]), number,
					 &ctx);
		}
		if (strstr(line, "faa_bind_submit: vm="))
			self->bind_submits++;
		if (strstr(line, "faa_bind_done: vm="))
			self->bind_dones++;
	}
	fclose(file);
	return 0;
}

/* The events in mask @events, and no others, occurred once each and in order. */
static void check_job(struct __test_metadata *_metadata, const struct seen *job, uint64_t seqno,
		      unsigned int events)
{
	unsigned int last = 0;

	for (enum event event = SUBMIT; event < EVENTS; event++) {
		EXPECT_EQ(events >> event & 1, job->count[event])
		{
			TH_LOG("job %llu, %s", (unsigned long long)seqno, event_names[event]);
		}
		if (!job->count[event])
			continue;
		EXPECT_LT(last, job->at[event])
		{
			TH_LOG("job %llu, %sis too early", (unsigned long long)seqno,
			       event_names[event]);
		}
		last = job->at[event];
	}
}

/* Lines of the trace that have @text. */
static unsigned int trace_lines(const char *text)
{
	FILE *file = fopen(TRACEFS "trace", "re");
	unsigned int count = 0;
	char line[512];

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		count += !!strstr(line, text);
	fclose(file);
	return count;
}

/* A pause of the device, here for a reset by user space, and its end. */
TEST_F(trace, of_a_pause)
{
	char address[64], path[128], text[128];

	ASSERT_EQ(0, faa_pci_address(address, sizeof(address)));
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", address);
	ASSERT_EQ(0, write_file(path, "1"));
	snprintf(text, sizeof(text), "faa_device_pause: dev=%s", address);
	EXPECT_EQ(1, trace_lines(text));
	snprintf(text, sizeof(text),
		 "faa_device_resume: dev=%s ret=0 what=\"reset of the function\"", address);
	EXPECT_EQ(1, trace_lines(text));
}

/* Every event of a job. */
/* Of a job that waits for no fence. */
#define ALL (0x7fu & ~(1u << WAIT))

TEST_F(trace, of_jobs_that_run)
{
	struct client *c = &self->client;

	for (unsigned int i = 0; i < MAX_JOBS; i++) {
		put_end(c);
		ASSERT_EQ(0, client_run(c, NULL));
	}
	ASSERT_EQ(0, trace_read(self));
	for (unsigned int i = 1; i <= MAX_JOBS; i++) {
		check_job(_metadata, &self->jobs[i], i, ALL);
		EXPECT_EQ(0, self->jobs[i].error);
	}
}

TEST_F(trace, of_a_job_that_fails)
{
	struct client *c = &self->client;

	/* An unmapped address. */
	put_mov(c, FAA_TYPE_U32, 32, op_stream(0x10000000000ull, FAA_TYPE_U32, 4), op_imm(1));
	put_end(c);
	ASSERT_EQ(-EFAULT, client_run(c, NULL));
	ASSERT_EQ(0, trace_read(self));
	check_job(_metadata, &self->jobs[1], 1, ALL);
	EXPECT_EQ(-EFAULT, self->jobs[1].error);
}

/* Dependency of a submitted job: point 1 of a timeline, as a fence. */
struct waits {
	int timeline;
	int fence;
};

/* Submit a short job that waits for a timeline. */
static struct waits submit_waiting(struct __test_metadata *_metadata, struct client *c)
{
	struct waits w = { .timeline = sw_sync_open() };
	struct drm_faa_sync syncs[2] = { { 0 },
					 { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync } };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.syncs = { .stride = sizeof(*syncs), .count = 2, .array = (uintptr_t)syncs },
	};

	ASSERT_LE(0, w.timeline);
	w.fence = sw_sync_fence(w.timeline, 1);
	ASSERT_LE(0, w.fence);
	ASSERT_EQ(0, syncobj_create(c->fd, false, &syncs[0].handle));
	ASSERT_EQ(0, fence_import(c->fd, syncs[0].handle, w.fence));
	put_end(c);
	job.stream_bytes = c->words * 8;
	ASSERT_EQ(0, submit(c->fd, c->queue, &job, 1, NULL));
	return w;
}

/* Its dependency is met when the timeline reaches its point, not before. */
TEST_F(trace, of_a_job_that_waits)
{
	struct client *c = &self->client;
	struct waits w = submit_waiting(_metadata, c);

	usleep(100000);
	ASSERT_EQ(0, trace_read(self));
	check_job(_metadata, &self->jobs[1], 1, 1u << SUBMIT | 1u << WAIT);

	ASSERT_EQ(0, trace_events("1"));
	ASSERT_EQ(0, sw_sync_advance(w.timeline, 1));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	memset(self->jobs, 0, sizeof(self->jobs));
	ASSERT_EQ(0, trace_read(self));
	check_job(_metadata, &self->jobs[1], 1, ALL | 1u << WAIT);
	close(w.fence);
	close(w.timeline);
}

/* The queue is destroyed while the job waits for a fence: it was never submitted to the device. */
TEST_F(trace, of_a_job_that_never_ran)
{
	struct client *c = &self->client;
	struct waits w = submit_waiting(_metadata, c);

	ASSERT_EQ(0, queue_destroy(c->fd, c->queue));
	c->queue = 0;
	ASSERT_EQ(0, sw_sync_advance(w.timeline, 1));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	ASSERT_EQ(0, trace_read(self));
	check_job(_metadata, &self->jobs[1], 1, 1u << SUBMIT | 1u << WAIT | 1u << FENCE);
	EXPECT_EQ(-ECANCELED, self->jobs[1].error);
	close(w.fence);
	close(w.timeline);
}

/* The members of a group are submitted together; each has events of its own. */
TEST_F(trace, of_a_group)
{
	struct client *c = &self->client;
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_device_info info;
	struct drm_faa_job jobs[2];

	ASSERT_EQ(0, device_info(c->fd, &info));
	if (info.warp_slots < 2)
		SKIP(return, "too few warp slots");
	put_end(c);
	for (unsigned int i = 0; i < 2; i++)
		jobs[i] = (struct drm_faa_job){
			.stream_va = STREAM_VA,
			.stream_bytes = c->words * 8,
			.flags = i ? 0 : DRM_FAA_JOB_TOGETHER,
			.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
		};
	ASSERT_EQ(0, submit(c->fd, c->queue, jobs, 2, NULL));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	ASSERT_EQ(0, trace_read(self));
	for (unsigned int i = 1; i <= 2; i++)
		check_job(_metadata, &self->jobs[i], i, ALL);
	/* The first member waits in the ring for the second one. */
	EXPECT_LT(self->jobs[2].at[READY], self->jobs[1].at[RUN]);
}

TEST_F(trace, of_a_bind)
{
	struct client *c = &self->client;
	struct drm_faa_vm_bind_op op = {
		.op = DRM_FAA_VM_BIND_OP_MAP,
		.handle = c->data_bo,
		.va = 0x70000000,
		.size = PAGE,
	};
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = c->sync };
	struct drm_faa_vm_bind bind = {
		.vm_id = c->vm,
		.flags = DRM_FAA_VM_BIND_ASYNC,
		.ops = { .stride = sizeof(op), .count = 1, .array = (uintptr_t)&op },
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};

	ASSERT_EQ(0, xioctl(c->fd, DRM_IOCTL_FAA_VM_BIND, &bind));
	ASSERT_EQ(0, syncobj_wait(c->fd, c->sync, WAIT_MS));
	ASSERT_EQ(0, trace_read(self));
	EXPECT_EQ(1, self->bind_submits);
	EXPECT_EQ(1, self->bind_dones);
}

TEST_HARNESS_MAIN
