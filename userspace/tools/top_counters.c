// SPDX-License-Identifier: MIT
/* Counters of the compute units, from a stream of the kernel's samples. */
#include "top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <drm/faa_drm.h>

#define NS_PER_S 1000000000ull
/* Samples between two reports; the kernel drops the newest ones when its buffer is full. */
#define RECORDS 64
/* Time that a sample may take longer than its period: a simulated device answers slowly. */
#define PATIENCE (5 * NS_PER_S)

int top_counters_open(struct faa_device *device, double interval,
		      struct faa_counters_stream **stream)
{
	uint64_t period = (uint64_t)(interval * (double)NS_PER_S);

	if (period > DRM_FAA_MAX_COUNTERS_PERIOD)
		period = DRM_FAA_MAX_COUNTERS_PERIOD;
	return faa_counters_open(device, period, RECORDS, stream);
}

/* Copies the counters of a sample, or repeats those @before if it has none. */
static int counters_keep(const struct faa_counters_sample *taken, const struct top_sample *before,
			 struct top_sample *sample)
{
	const struct faa_cu_counters *cus = taken->cus;

	sample->asleep = taken->flags & FAA_COUNTERS_ASLEEP;
	sample->restarted |= (taken->flags & FAA_COUNTERS_RESTARTED) != 0;
	if (taken->flags & FAA_COUNTERS_NO_VALUES) {
		if (sample->num_cus || !before)
			return 0;
		cus = before->counters;
		sample->num_cus = before->num_cus;
	} else {
		sample->num_cus = taken->num_cus;
	}
	free(sample->counters);
	sample->counters = malloc(sample->num_cus * sizeof(*cus) + 1);
	if (!sample->counters)
		return -ENOMEM;
	if (sample->num_cus)
		memcpy(sample->counters, cus, sample->num_cus * sizeof(*cus));
	return 0;
}

int top_counters_take(struct faa_counters_stream *stream, const struct top_sample *before,
		      struct top_sample *sample)
{
	int64_t deadline = faa_deadline(DRM_FAA_MAX_COUNTERS_PERIOD + PATIENCE);
	struct faa_counters_sample taken;
	int ret;

	while (!(ret = faa_counters_next(stream, &taken, deadline))) {
		ret = counters_keep(&taken, before, sample);
		if (ret)
			return ret;
		/* The newest one counts. */
		deadline = 0;
	}
	return ret == -ETIME ? 0 : ret;
}
