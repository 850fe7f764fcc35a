// SPDX-License-Identifier: MIT
/* Streams of the counters of all compute units. */
#include "device.h"
#include "error.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Records that one read takes. */
#define BATCH 16

struct faa_counters_stream {
	struct faa_device *device;
	int fd;
	uint32_t record_bytes;
	/* Records from byte @at to @filled are still to be returned. */
	size_t at;
	size_t filled;
	uint8_t *buffer;
	/* Counters of the sample that was returned last. */
	struct faa_cu_counters *cus;
	uint32_t max_cus;
};

/* The kernel checks these too, but a kernel without the ioctl has the same errno. */
static int counters_check(uint64_t period, uint32_t records)
{
	if (period < DRM_FAA_MIN_COUNTERS_PERIOD || period > DRM_FAA_MAX_COUNTERS_PERIOD)
		return faa_fail(-EINVAL, "counters: a period of %llu ns: allowed are %llu to %llu",
				(unsigned long long)period, DRM_FAA_MIN_COUNTERS_PERIOD,
				DRM_FAA_MAX_COUNTERS_PERIOD);
	if (!records || records > DRM_FAA_MAX_COUNTERS_RECORDS)
		return faa_fail(-EINVAL, "counters: %u records: allowed are 1 to %u", records,
				DRM_FAA_MAX_COUNTERS_RECORDS);
	return 0;
}

static int counters_open_fail(int error)
{
	switch (error) {
	case -EINVAL:
		return faa_fail(-EOPNOTSUPP, "counters: the driver is older than version 1.4");
	case -EOPNOTSUPP:
		return faa_fail(error, "counters: a simulated device has no stream of them");
	case -EACCES:
		return faa_fail(error, "counters: a stream needs CAP_PERFMON");
	case -ENOSPC:
		return faa_fail(error,
				"counters: the device has no stream left, of which a "
				"program may have %u",
				DRM_FAA_MAX_COUNTERS_STREAMS);
	default:
		return error;
	}
}

static int counters_allocate(struct faa_counters_stream *stream, uint32_t record_bytes)
{
	if (record_bytes < sizeof(struct drm_faa_counters_record))
		return faa_fail(-EPROTO, "counters: the kernel has records of %u bytes",
				record_bytes);
	stream->record_bytes = record_bytes;
	stream->max_cus = record_bytes / sizeof(struct drm_faa_cu_counters);
	stream->buffer = malloc((size_t)BATCH * record_bytes);
	stream->cus = calloc(stream->max_cus ? stream->max_cus : 1, sizeof(*stream->cus));
	if (!stream->buffer || !stream->cus)
		return faa_fail_memory("a stream of counters");
	/* Waits have a deadline, so they are waits of poll(). */
	if (fcntl(stream->fd, F_SETFL, O_NONBLOCK))
		return faa_fail(-errno, "counters: the stream: %s", strerror(errno));
	return 0;
}

int faa_counters_open(struct faa_device *device, uint64_t period, uint32_t records,
		      struct faa_counters_stream **out)
{
	struct drm_faa_counters_open args = { .period_ns = period, .records = records };
	struct faa_counters_stream *stream;
	int ret = counters_check(period, records);

	*out = NULL;
	if (ret)
		return ret;
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return faa_fail_memory("a stream of counters");
	ret = faa_device_ioctl(device, DRM_IOCTL_FAA_COUNTERS_OPEN, &args);
	if (ret) {
		free(stream);
		return counters_open_fail(ret);
	}
	stream->device = faa_device_ref(device);
	stream->fd = args.fd;
	ret = counters_allocate(stream, args.record_bytes);
	if (ret) {
		faa_counters_close(stream);
		return ret;
	}
	*out = stream;
	return 0;
}

void faa_counters_close(struct faa_counters_stream *stream)
{
	if (!stream)
		return;
	close(stream->fd);
	faa_device_unref(stream->device);
	free(stream->buffer);
	free(stream->cus);
	free(stream);
}

int faa_counters_fd(const struct faa_counters_stream *stream)
{
	return stream->fd;
}

/* The sample of a record; its counters are in @stream. */
static int counters_take_record(struct faa_counters_stream *stream, const uint8_t *at,
				struct faa_counters_sample *sample)
{
	struct drm_faa_counters_record record;
	struct drm_faa_cu_counters cu;

	memcpy(&record, at, sizeof(record));
	if (record.size != stream->record_bytes || record.num_cus > stream->max_cus ||
	    record.cu_stride < sizeof(cu) || record.cus_offset > record.size ||
	    (uint64_t)record.num_cus * record.cu_stride > record.size - record.cus_offset)
		return faa_fail(-EPROTO, "counters: a malformed record");
	for (uint32_t i = 0; i < record.num_cus; i++) {
		memcpy(&cu, at + record.cus_offset + i * record.cu_stride, sizeof(cu));
		stream->cus[i].cycle = cu.device_cycles;
		memcpy(stream->cus[i].counters.value, cu.values, sizeof(cu.values));
	}
	*sample = (struct faa_counters_sample){
		.time = record.time_ns,
		.total_cycles = record.total_cycles,
		.dropped = record.dropped,
		.late = record.late,
		.flags = record.flags,
		.num_cus = record.num_cus,
		.cus = stream->cus,
	};
	return 0;
}

/* Waits until the stream can be read; -ETIME: not until @deadline. */
static int counters_wait(const struct faa_counters_stream *stream, int64_t deadline)
{
	struct pollfd file = { .fd = stream->fd, .events = POLLIN };
	struct timespec now, left = { 0 };
	int64_t ns;
	int ready;

	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		ns = deadline - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
		if (ns > 0)
			left = (struct timespec){ ns / 1000000000, ns % 1000000000 };
		else
			left = (struct timespec){ 0 };
		ready = ppoll(&file, 1, deadline == FAA_NO_DEADLINE ? NULL : &left, NULL);
	} while (ready < 0 && errno == EINTR);
	if (ready < 0)
		return faa_fail(-errno, "counters: waiting for a record: %s", strerror(errno));
	return ready ? 0 : faa_fail(-ETIME, "counters: the deadline came before a record");
}

/* Reads at least one record. */
static int counters_fill(struct faa_counters_stream *stream, int64_t deadline)
{
	ssize_t n;
	int ret;

	while ((n = read(stream->fd, stream->buffer, (size_t)BATCH * stream->record_bytes)) < 0) {
		if (errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return faa_fail_kernel(-errno, "counters");
		ret = counters_wait(stream, deadline);
		if (ret)
			return ret;
	}
	if (!n || (size_t)n % stream->record_bytes)
		return faa_fail(-EPROTO, "counters: a read returned a part of a record");
	stream->at = 0;
	stream->filled = (size_t)n;
	return 0;
}

static int counters_next(struct faa_counters_stream *stream, struct faa_counters_sample *sample,
			 int64_t deadline)
{
	int ret = faa_device_check(stream->device);

	if (!ret && stream->at == stream->filled)
		ret = counters_fill(stream, deadline);
	if (ret)
		return ret;
	stream->at += stream->record_bytes;
	return counters_take_record(stream, stream->buffer + stream->at - stream->record_bytes,
				    sample);
}

int faa_counters_next_sized(struct faa_counters_stream *stream, struct faa_counters_sample *sample,
			    size_t sample_size, int64_t deadline)
{
	struct faa_counters_sample own = { 0 };
	int ret = counters_next(stream, &own, deadline);

	faa_struct_write(sample, sample_size, &own, sizeof(own));
	return ret;
}
