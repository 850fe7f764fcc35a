// SPDX-License-Identifier: MIT
/*
 * Streams of counters (COUNTERS_OPEN): arguments and limits, records and their times, waits, and
 * that a stream neither wakes a device nor keeps it awake, nor holds up a reset or an unbind.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

#define MS     1000000ull
#define PERIOD (20 * MS)

/** struct record - a record with its counters */
struct record {
	struct drm_faa_counters_record head;
	struct drm_faa_cu_counters cus[FAA_MAX_CUS];
};

FIXTURE(counters)
{
	struct drm_faa_device_info info;
	struct client client;
	char address[64];
	int stream;
};

/* A stream of the file @fd; its descriptor or -errno. */
static int stream_open(int fd, uint64_t period, uint32_t records)
{
	struct drm_faa_counters_open args = { .period_ns = period, .records = records };
	int ret = xioctl(fd, DRM_IOCTL_FAA_COUNTERS_OPEN, &args);

	return ret ? ret : args.fd;
}

FIXTURE_SETUP(counters)
{
	self->stream = -1;
	ASSERT_EQ(0, faa_pci_address(self->address, sizeof(self->address)));
	ASSERT_EQ(0, client_open(&self->client, 1024));
	ASSERT_EQ(0, device_info(self->client.fd, &self->info));
}

FIXTURE_TEARDOWN(counters)
{
	if (self->stream >= 0)
		EXPECT_EQ(0, close(self->stream));
	if (self->client.fd > 0)
		EXPECT_EQ(0, client_close(&self->client));
}

static size_t record_bytes(const struct drm_faa_device_info *info)
{
	return sizeof(struct drm_faa_counters_record) +
	       info->num_cus * sizeof(struct drm_faa_cu_counters);
}

/* Reads one record, waiting for it. */
static int next(FIXTURE_DATA(counters) *self, struct record *record)
{
	struct pollfd file = { .fd = self->stream, .events = POLLIN };
	const size_t size = record_bytes(&self->info);
	ssize_t n;

	if (poll(&file, 1, WAIT_MS) != 1)
		return -ETIME;
	n = read(self->stream, record, size);
	if (n < 0)
		return -errno;
	return n == (ssize_t)size ? 0 : -EPROTO;
}

/* Reads until a record is later than @time. */
static int next_after(FIXTURE_DATA(counters) *self, uint64_t time, struct record *record)
{
	int ret;

	do {
		ret = next(self, record);
	} while (!ret && record->head.time_ns <= time);
	return ret;
}

static int query(int fd, struct drm_faa_cu_counters *cus, uint32_t size)
{
	struct drm_faa_dev_query query = { .type = DRM_FAA_DEV_QUERY_COUNTERS,
					   .size = size,
					   .pointer = (uintptr_t)cus };

	return xioctl(fd, DRM_IOCTL_FAA_DEV_QUERY, &query);
}

static uint64_t sum(const struct record *record, unsigned int counter)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < record->head.num_cus; i++)
		sum += record->cus[i].values[counter];
	return sum;
}

/* A job with 100 elements. */
static int work(struct client *c)
{
	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 100, op_none(), op_imm(0), op_imm(1));
	put_end(c);
	return client_run(c, NULL);
}

static int open_stream(void *fd)
{
	int stream = stream_open(*(int *)fd, PERIOD, 8);

	return stream < 0 ? stream : 0;
}

/* Counters reveal the work of other clients. */
TEST_F(counters, streams_are_not_for_everybody)
{
	EXPECT_EQ(-EACCES, as_nobody(open_stream, &self->client.fd));
	EXPECT_EQ(0, open_stream(&self->client.fd));
}

TEST_F(counters, period_and_records_are_bounded)
{
	static const uint64_t bad_periods[] = { 0, DRM_FAA_MIN_COUNTERS_PERIOD - 1,
						DRM_FAA_MAX_COUNTERS_PERIOD + 1, UINT64_MAX };
	static const uint32_t bad_records[] = { 0, DRM_FAA_MAX_COUNTERS_RECORDS + 1, UINT32_MAX };
	static const uint64_t good[][2] = {
		{ DRM_FAA_MIN_COUNTERS_PERIOD, DRM_FAA_MAX_COUNTERS_RECORDS },
		{ DRM_FAA_MAX_COUNTERS_PERIOD, 1 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(bad_periods); i++)
		EXPECT_EQ(-EINVAL, stream_open(self->client.fd, bad_periods[i], 8));
	for (unsigned int i = 0; i < ARRAY_SIZE(bad_records); i++)
		EXPECT_EQ(-EINVAL, stream_open(self->client.fd, PERIOD, bad_records[i]));
	for (unsigned int i = 0; i < ARRAY_SIZE(good); i++) {
		int stream = stream_open(self->client.fd, good[i][0], good[i][1]);

		ASSERT_LE(0, stream);
		EXPECT_EQ(0, close(stream));
	}
}

/* The results of OPEN, and system calls that the file refuses. */
TEST_F(counters, the_file_can_only_be_read)
{
	struct drm_faa_counters_open args = { .period_ns = PERIOD, .records = 8 };
	char byte = 0;

	ASSERT_EQ(0, xioctl(self->client.fd, DRM_IOCTL_FAA_COUNTERS_OPEN, &args));
	self->stream = args.fd;
	EXPECT_EQ(record_bytes(&self->info), args.record_bytes);
	EXPECT_EQ(PERIOD, args.period_ns);
	EXPECT_EQ(8, args.records);
	EXPECT_EQ(FD_CLOEXEC, fcntl(self->stream, F_GETFD));
	EXPECT_EQ(O_RDONLY, fcntl(self->stream, F_GETFL) & (O_ACCMODE | O_NONBLOCK));
	EXPECT_EQ(-1, write(self->stream, &byte, 1));
	EXPECT_EQ(-1, lseek(self->stream, 0, SEEK_SET));
	EXPECT_EQ(-1, pread(self->stream, &byte, 1, 0));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, PAGE, PROT_READ, MAP_SHARED, self->stream, 0));
}

/* The first record does not wait for the period. */
TEST_F(counters, first_record_comes_at_once)
{
	struct record record;
	uint64_t begin = now_ns();

	self->stream = stream_open(self->client.fd, DRM_FAA_MAX_COUNTERS_PERIOD, 8);
	ASSERT_LE(0, self->stream);
	ASSERT_EQ(0, next(self, &record));
	EXPECT_LT(now_ns(), begin + DRM_FAA_MAX_COUNTERS_PERIOD);
	EXPECT_LE(begin, record.head.time_ns);
	EXPECT_GE(now_ns(), record.head.time_ns);
	EXPECT_EQ(record_bytes(&self->info), record.head.size);
	EXPECT_EQ(sizeof(record.head), record.head.cus_offset);
	EXPECT_EQ(sizeof(record.cus[0]), record.head.cu_stride);
	EXPECT_EQ(self->info.num_cus, record.head.num_cus);
	EXPECT_EQ(0, record.head.flags);
	EXPECT_EQ(0, record.head.dropped);
	EXPECT_EQ(0, record.head.late);
	EXPECT_EQ(0, record.head.pad);
}

/* A record has the counters that the query has, at the same places. */
TEST_F(counters, records_agree_with_the_query)
{
	struct drm_faa_cu_counters before[FAA_MAX_CUS], after[FAA_MAX_CUS];
	struct record record;

	self->stream = stream_open(self->client.fd, PERIOD, 64);
	ASSERT_LE(0, self->stream);
	for (unsigned int i = 0; i < 3; i++) {
		ASSERT_EQ(0, work(&self->client));
		ASSERT_EQ(0, query(self->client.fd, before, sizeof(before)));
		ASSERT_EQ(0, next_after(self, now_ns(), &record));
		ASSERT_EQ(0, query(self->client.fd, after, sizeof(after)));
		for (unsigned int cu = 0; cu < self->info.num_cus; cu++) {
			EXPECT_LE(before[cu].device_cycles, record.cus[cu].device_cycles);
			EXPECT_GE(after[cu].device_cycles, record.cus[cu].device_cycles);
			for (unsigned int n = 0; n < DRM_FAA_COUNTERS; n++) {
				EXPECT_LE(before[cu].values[n], record.cus[cu].values[n]);
				EXPECT_GE(after[cu].values[n], record.cus[cu].values[n]);
			}
		}
	}
}

/* Records of a device with work. */
TEST_F_TIMEOUT(counters, values_grow, 120)
{
	struct record first, last, record;
	struct client *c = &self->client;

	self->stream = stream_open(c->fd, PERIOD, 64);
	ASSERT_LE(0, self->stream);
	ASSERT_EQ(0, next(self, &first));
	last = first;
	for (unsigned int i = 0; i < 20; i++) {
		ASSERT_EQ(0, work(c));
		ASSERT_EQ(0, next(self, &record));
		EXPECT_EQ(0, record.head.flags);
		EXPECT_LT(last.head.time_ns, record.head.time_ns);
		EXPECT_LE(last.head.total_cycles, record.head.total_cycles);
		for (unsigned int n = 0; n < DRM_FAA_COUNTERS; n++)
			EXPECT_LE(sum(&last, n), sum(&record, n));
		last = record;
	}
	ASSERT_EQ(0, next_after(self, now_ns(), &last));
	EXPECT_EQ(sum(&first, FAA_COUNTER_JOBS) + 20, sum(&last, FAA_COUNTER_JOBS));
	EXPECT_EQ(sum(&first, FAA_COUNTER_ELEMENTS) + 2000, sum(&last, FAA_COUNTER_ELEMENTS));
}

/* Time that a sample takes, at most: registers of a simulated device are slow. */
static uint64_t sample_ns(FIXTURE_DATA(counters) *self)
{
	struct drm_faa_cu_counters cus[FAA_MAX_CUS];
	uint64_t begin, longest = 0;

	for (unsigned int i = 0; i < 5; i++) {
		begin = now_ns();
		query(self->client.fd, cus, sizeof(cus));
		if (now_ns() - begin > longest)
			longest = now_ns() - begin;
	}
	return longest;
}

/* Samples between two records, and the times of both, agree with the period. */
static void check_period(struct __test_metadata *_metadata, FIXTURE_DATA(counters) *self,
			 uint64_t period, uint64_t samples, uint64_t time)
{
	const uint64_t tolerance = 2 * period + 2 * sample_ns(self) + 20 * MS;

	EXPECT_GE(samples * period + tolerance, time);
	EXPECT_LE(samples * period, time + tolerance);
}

TEST_F_TIMEOUT(counters, records_come_at_the_period, 120)
{
	struct record first, record;
	uint64_t samples = 0;

	self->stream = stream_open(self->client.fd, 5 * PERIOD, 64);
	ASSERT_LE(0, self->stream);
	ASSERT_EQ(0, next(self, &first));
	for (unsigned int i = 0; i < 20; i++) {
		ASSERT_EQ(0, next(self, &record));
		EXPECT_EQ(0, record.head.dropped);
		samples += 1 + record.head.late;
	}
	check_period(_metadata, self, 5 * PERIOD, samples,
		     record.head.time_ns - first.head.time_ns);
}

/* The oldest records stay; the next one says how many samples were dropped. */
TEST_F_TIMEOUT(counters, a_full_ring_drops_samples, 120)
{
	struct record first, record;
	uint64_t samples = 0, time;

	self->stream = stream_open(self->client.fd, PERIOD, 4);
	ASSERT_LE(0, self->stream);
	ASSERT_EQ(0, next(self, &first));
	time = now_ns();
	/* In this time the ring is filled several times. */
	usleep((20 * PERIOD + 20 * sample_ns(self)) / 1000);
	for (unsigned int i = 0; i < 4; i++) {
		ASSERT_EQ(0, next(self, &record));
		EXPECT_EQ(0, record.head.dropped);
		samples += 1 + record.head.late;
	}
	EXPECT_LT(record.head.time_ns, time + 20 * PERIOD + 20 * sample_ns(self));
	ASSERT_EQ(0, next(self, &record));
	EXPECT_LT(0, record.head.dropped);
	samples += 1 + record.head.late + record.head.dropped;
	check_period(_metadata, self, PERIOD, samples, record.head.time_ns - first.head.time_ns);
	ASSERT_EQ(0, next(self, &record));
	EXPECT_EQ(0, record.head.dropped);
}

TEST_F(counters, a_read_has_whole_records)
{
	void *no_memory = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const size_t size = record_bytes(&self->info);
	uint8_t bytes[4 * sizeof(struct record)];
	struct drm_faa_counters_record head;
	uint64_t last = 0;
	ssize_t n;

	self->stream = stream_open(self->client.fd, PERIOD, 4);
	ASSERT_LE(0, self->stream);
	usleep((10 * PERIOD + 10 * sample_ns(self)) / 1000);
	EXPECT_EQ(-1, read(self->stream, bytes, 0));
	EXPECT_EQ(ENOSPC, errno);
	EXPECT_EQ(-1, read(self->stream, bytes, size - 1));
	EXPECT_EQ(ENOSPC, errno);
	/* None of these has removed a record. */
	EXPECT_EQ(-1, read(self->stream, no_memory, size));
	EXPECT_EQ(EFAULT, errno);
	for (unsigned int i = 0; i < 2; i++) {
		n = read(self->stream, bytes, 3 * size - 1);
		ASSERT_EQ(2 * size, n);
		for (unsigned int k = 0; k < 2; k++) {
			memcpy(&head, bytes + k * size, sizeof(head));
			EXPECT_EQ(size, head.size);
			EXPECT_EQ(0, head.dropped);
			EXPECT_LT(last, head.time_ns);
			last = head.time_ns;
		}
	}
	munmap(no_memory, PAGE);
}

TEST_F(counters, reads_wait_or_not)
{
	const size_t size = record_bytes(&self->info);
	struct record record;
	uint64_t begin;
	ssize_t n;

	self->stream = stream_open(self->client.fd, 10 * PERIOD, 8);
	ASSERT_LE(0, self->stream);
	ASSERT_EQ(0, next(self, &record));
	begin = now_ns();
	/* There is none before the next sample. */
	ASSERT_EQ(size, read(self->stream, &record, size));
	EXPECT_LE(begin, record.head.time_ns);
	ASSERT_EQ(0, fcntl(self->stream, F_SETFL, O_NONBLOCK));
	while ((n = read(self->stream, &record, size)) > 0)
		;
	EXPECT_EQ(-1, n);
	EXPECT_EQ(EAGAIN, errno);
	EXPECT_EQ(0, next(self, &record));
}

TEST_F(counters, poll_and_epoll)
{
	struct epoll_event event = { .events = EPOLLIN }, got = { 0 };
	struct pollfd file = { .events = POLLIN };
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	struct record record;

	self->stream = stream_open(self->client.fd, 100 * PERIOD, 8);
	ASSERT_LE(0, self->stream);
	file.fd = self->stream;
	ASSERT_LE(0, epoll);
	ASSERT_EQ(0, epoll_ctl(epoll, EPOLL_CTL_ADD, self->stream, &event));
	ASSERT_EQ(1, poll(&file, 1, WAIT_MS));
	EXPECT_EQ(POLLIN, file.revents);
	ASSERT_EQ(1, epoll_wait(epoll, &got, 1, 0));
	EXPECT_EQ(EPOLLIN, got.events);
	ASSERT_EQ(0, next(self, &record));
	EXPECT_EQ(0, poll(&file, 1, 0));
	EXPECT_EQ(0, epoll_wait(epoll, &got, 1, 0));
	/* The next sample ends the wait. */
	ASSERT_EQ(1, epoll_wait(epoll, &got, 1, WAIT_MS));
	EXPECT_EQ(EPOLLIN, got.events);
	close(epoll);
}

TEST_F_TIMEOUT(counters, two_streams, 120)
{
	struct record record;
	uint64_t times[2], samples[2] = { 0 };
	int streams[2];

	for (unsigned int i = 0; i < 2; i++) {
		streams[i] = stream_open(self->client.fd, (1 + 4 * i) * PERIOD, 512);
		ASSERT_LE(0, streams[i]);
	}
	usleep(50 * PERIOD / 1000);
	for (unsigned int i = 0; i < 2; i++) {
		self->stream = streams[i];
		ASSERT_EQ(0, next(self, &record));
		times[i] = record.head.time_ns;
		do {
			ASSERT_EQ(0, next(self, &record));
			EXPECT_EQ(0, record.head.dropped);
			samples[i] += 1 + record.head.late;
		} while (record.head.time_ns < times[i] + 40 * PERIOD);
		/* Samples of both streams take turns at the registers. */
		EXPECT_LT(0, samples[i]);
		EXPECT_EQ(0, close(self->stream));
		self->stream = -1;
	}
	EXPECT_LT(samples[1], samples[0]);
}

TEST_F(counters, a_stream_outlives_the_file)
{
	struct record record;
	struct client next_client;

	self->stream = stream_open(self->client.fd, PERIOD, 64);
	ASSERT_LE(0, self->stream);
	ASSERT_EQ(0, client_close(&self->client));
	ASSERT_EQ(0, next_after(self, now_ns(), &record));
	EXPECT_EQ(0, record.head.flags);
	ASSERT_EQ(0, client_open(&next_client, 1024));
	EXPECT_EQ(0, work(&next_client));
	ASSERT_EQ(0, next_after(self, now_ns(), &record));
	EXPECT_LE(1, sum(&record, FAA_COUNTER_JOBS));
	EXPECT_EQ(0, client_close(&next_client));
}

TEST_F(counters, streams_are_bounded)
{
	int streams[DRM_FAA_MAX_DEVICE_COUNTERS_STREAMS];
	int files[DRM_FAA_MAX_DEVICE_COUNTERS_STREAMS / DRM_FAA_MAX_COUNTERS_STREAMS];
	unsigned int n = 0;

	for (unsigned int i = 0; i < ARRAY_SIZE(files); i++) {
		files[i] = faa_open();
		ASSERT_LE(0, files[i]);
		for (unsigned int k = 0; k < DRM_FAA_MAX_COUNTERS_STREAMS; k++) {
			streams[n] = stream_open(files[i], DRM_FAA_MAX_COUNTERS_PERIOD, 1);
			ASSERT_LE(0, streams[n++]);
		}
		/* The file has its share, then the device. */
		EXPECT_EQ(-ENOSPC, stream_open(files[i], PERIOD, 1));
	}
	EXPECT_EQ(-ENOSPC, stream_open(self->client.fd, PERIOD, 1));
	/* Streams of a closed file still count for the device. */
	close(files[0]);
	EXPECT_EQ(-ENOSPC, stream_open(self->client.fd, PERIOD, 1));
	EXPECT_EQ(0, close(streams[0]));
	self->stream = stream_open(self->client.fd, PERIOD, 1);
	EXPECT_LE(0, self->stream);
	for (unsigned int i = 1; i < n; i++)
		close(streams[i]);
	for (unsigned int i = 1; i < ARRAY_SIZE(files); i++)
		close(files[i]);
}

static int pci_write(FIXTURE_DATA(counters) *self, const char *name, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", self->address, name);
	return write_file(path, value);
}

/* Waits until the device sleeps. */
static int wait_asleep(FIXTURE_DATA(counters) *self)
{
	const uint64_t end = now_ms() + WAIT_MS;
	char path[128];
	int ret;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/power/runtime_status", self->address);
	do {
		ret = file_is(path, "suspended");
		usleep(5000);
	} while (!ret && now_ms() < end);
	return ret < 0 ? ret : ret ? 0 : -ETIME;
}

/* A stream whose samples come much faster than the device falls asleep. */
TEST_F_TIMEOUT(counters, a_device_may_sleep, 200)
{
	struct record before, record;
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/power/runtime_status", self->address);
	self->stream = stream_open(self->client.fd, PERIOD, 1024);
	ASSERT_LE(0, self->stream);
	ASSERT_EQ(0, work(&self->client));
	ASSERT_EQ(0, next_after(self, now_ns(), &before));
	ASSERT_EQ(0, pci_write(self, "power/autosuspend_delay_ms", "100"));
	ASSERT_EQ(0, pci_write(self, "power/control", "auto"));
	EXPECT_EQ(0, wait_asleep(self));
	ASSERT_EQ(0, next_after(self, now_ns(), &record));
	for (unsigned int i = 0; i < 20; i++) {
		ASSERT_EQ(0, next(self, &record));
		EXPECT_EQ(DRM_FAA_COUNTERS_NO_VALUES | DRM_FAA_COUNTERS_ASLEEP, record.head.flags);
		EXPECT_EQ(0, record.head.total_cycles);
		for (unsigned int n = 0; n < DRM_FAA_COUNTERS; n++)
			EXPECT_EQ(0, sum(&record, n));
	}
	EXPECT_EQ(1, file_is(path, "suspended"));
	/* A job wakes it up. */
	EXPECT_EQ(0, pci_write(self, "power/control", "on"));
	ASSERT_EQ(0, work(&self->client));
	ASSERT_EQ(0, next_after(self, now_ns(), &record));
	EXPECT_EQ(0, record.head.flags & DRM_FAA_COUNTERS_NO_VALUES);
	EXPECT_LE(before.head.total_cycles, record.head.total_cycles);
}

/* Resets take place, and the records tell of them. */
TEST_F_TIMEOUT(counters, a_device_may_be_reset, 200)
{
	struct client *c = &self->client;
	unsigned int restarts = 0;
	struct record record;
	uint64_t cycles = 0;

	self->stream = stream_open(c->fd, DRM_FAA_MIN_COUNTERS_PERIOD, 4096);
	ASSERT_LE(0, self->stream);
	for (unsigned int i = 1; i <= 5; i++) {
		const uint64_t begin = now_ms();

		ASSERT_EQ(0, work(c));
		ASSERT_EQ(0, next_after(self, now_ns(), &record));
		EXPECT_EQ(1, sum(&record, FAA_COUNTER_JOBS) ? 1 : 0);
		ASSERT_EQ(0, pci_write(self, "reset", "1"));
		EXPECT_GT(begin + WAIT_MS, now_ms());
		/* The first record with values has the flag, the next ones do not. */
		for (bool restarted = false; !restarted;) {
			ASSERT_EQ(0, next(self, &record));
			restarted = record.head.flags & DRM_FAA_COUNTERS_RESTARTED;
		}
		restarts++;
		EXPECT_EQ(0, sum(&record, FAA_COUNTER_JOBS));
		EXPECT_LE(cycles, record.head.total_cycles);
		cycles = record.head.total_cycles;
		ASSERT_EQ(0, next(self, &record));
		EXPECT_EQ(0, record.head.flags);
	}
	EXPECT_EQ(5, restarts);
}

static void *read_to_the_end(void *arg)
{
	int stream = *(int *)arg;
	struct record record;
	ssize_t n;

	while ((n = read(stream, &record, sizeof(record))) > 0)
		;
	return (void *)(intptr_t)(n ? errno : 0);
}

/* The device goes: what was sampled can be read, then there is no device. */
TEST_F_TIMEOUT(counters, unbind_ends_streams, 200)
{
	struct pollfd file = { .events = POLLIN };
	struct record record;
	unsigned int left = 0;
	pthread_t reader;
	void *error;
	int waiting, ret;

	waiting = stream_open(self->client.fd, DRM_FAA_MAX_COUNTERS_PERIOD, 1);
	ASSERT_LE(0, waiting);
	self->stream = stream_open(self->client.fd, PERIOD, 4);
	ASSERT_LE(0, self->stream);
	file.fd = self->stream;
	ASSERT_EQ(0, pthread_create(&reader, NULL, read_to_the_end, &waiting));
	usleep((10 * PERIOD + 10 * sample_ns(self)) / 1000);
	ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/faa/unbind", self->address));
	ASSERT_EQ(0, pthread_join(reader, &error));
	EXPECT_EQ(ENODEV, (intptr_t)error);
	ASSERT_EQ(1, poll(&file, 1, 0));
	EXPECT_EQ(POLLIN | POLLHUP | POLLERR, file.revents);
	while (!(ret = next(self, &record)))
		left++;
	EXPECT_EQ(-ENODEV, ret);
	EXPECT_EQ(4, left);
	ASSERT_EQ(1, poll(&file, 1, 0));
	EXPECT_EQ(POLLHUP | POLLERR, file.revents);
	EXPECT_EQ(-ENODEV, stream_open(self->client.fd, PERIOD, 4));
	/* It keeps the module, not the device: a driver can be bound again. */
	client_close(&self->client);
	EXPECT_NE(0, module_unload(0));
	ASSERT_EQ(0, write_file("/sys/bus/pci/drivers/faa/bind", self->address));
	EXPECT_EQ(0, close(waiting));
	EXPECT_EQ(0, close(self->stream));
	ASSERT_EQ(0, client_open(&self->client, 1024));
	self->stream = stream_open(self->client.fd, PERIOD, 4);
	ASSERT_LE(0, self->stream);
	EXPECT_EQ(0, next(self, &record));
}

TEST_HARNESS_MAIN
