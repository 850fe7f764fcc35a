// SPDX-License-Identifier: Apache-2.0
/*
 * One clock for guest and devices. The guest's clock runs at the rate of the host's, because User
 * Mode Linux reads that, in steps of 256 ns; it begins at another time. A device records the host's
 * time of a read, which lies between the guest's times before and after it. Each read thus limits
 * the difference of the clocks from both sides, and all of them together limit it closely.
 */
#include "trace.h"
#include "wire.h"

#include "faa_regs.h"

/* Of the times of the kernel's trace events. */
#define CLOCK_ROUNDING_NS 1000

static bool clock_is_mark(const struct trace_record *record)
{
	return record->kind == REC_CONFIG_READ && record->addr == JOB_TRACE_MARK &&
	       record->len == 1;
}

/* The number of marks of a device: in its file, and of the guest. */
static size_t clock_recorded(const struct trace_device *device)
{
	size_t count = 0;

	for (size_t i = 0; i < device->count; i++)
		count += clock_is_mark(&device->record[i]);
	return count;
}

static size_t clock_written(const struct trace_guest *guest, unsigned int number)
{
	size_t count = 0;

	for (size_t i = 0; i < guest->marks; i++)
		count += guest->mark[i].device == number;
	return count;
}

/* Limits of the difference of the clocks. */
struct clock_limits {
	int64_t least, most;
	size_t marks;
};

/* The guest's times @before and @after enclose the host's times @first and @last. */
static void clock_limit(struct clock_limits *limits, uint64_t before, uint64_t first, uint64_t last,
			uint64_t after)
{
	int64_t low = (int64_t)(last - after), high = (int64_t)(first - before);

	if (!limits->marks || low > limits->least)
		limits->least = low;
	if (!limits->marks || high < limits->most)
		limits->most = high;
	limits->marks++;
}

/* A mark whose read is record @at; the reads of the clock follow. Returns the next record. */
static size_t clock_take(struct clock_limits *limits, const struct trace_mark *mark,
			 const struct trace_device *device, size_t at)
{
	uint64_t first = 0, last = 0;

	clock_limit(limits, mark->before, device->record[at].ns, device->record[at].ns,
		    mark->after);
	for (at++; at < device->count && !clock_is_mark(&device->record[at]); at++) {
		const struct trace_record *record = &device->record[at];

		if (record->kind != REC_MMIO_READ || record->unit ||
		    (record->addr != FAA_REG_CYCLE_LO && record->addr != FAA_REG_CYCLE_HI))
			break;
		first = first ? first : record->ns;
		last = record->ns;
	}
	if (mark->clock_before && first)
		clock_limit(limits, mark->clock_before, first, last, mark->clock_after);
	return at;
}

/* The last marks of both belong together: a flight recorder forgets the first ones. */
static void clock_relate_device(struct clock_limits *limits, const struct trace_guest *guest,
				const struct trace_device *device, unsigned int number)
{
	size_t recorded = clock_recorded(device), written = clock_written(guest, number), at = 0;
	size_t skip_recorded = recorded > written ? recorded - written : 0;
	size_t skip_written = written > recorded ? written - recorded : 0;

	for (size_t i = 0; i < guest->marks; i++) {
		if (guest->mark[i].device != number || (skip_written && skip_written--))
			continue;
		while (at < device->count &&
		       (!clock_is_mark(&device->record[at]) || (skip_recorded && skip_recorded--)))
			at++;
		if (at == device->count)
			return;
		at = clock_take(limits, &guest->mark[i], device, at);
	}
}

void trace_clock_relate(struct trace_clock *clock, const struct trace_guest *guest,
			const struct trace_device *devices, unsigned int count)
{
	struct clock_limits limits = { 0 };
	int64_t width;

	for (unsigned int i = 0; i < count; i++)
		clock_relate_device(&limits, guest, &devices[i], i);
	width = limits.most - limits.least;
	/* Where the clocks drift, no difference satisfies all reads. */
	*clock = (struct trace_clock){ .known = limits.marks > 0,
				       .offset = limits.least + width / 2,
				       .error = (uint64_t)(width > 0 ? width : -width) / 2,
				       .marks = limits.marks };
}

void trace_clock_share(struct trace_clock *clock)
{
	*clock = (struct trace_clock){ .known = true, .error = CLOCK_ROUNDING_NS };
}

void trace_clock_apply(const struct trace_clock *clock, struct trace_guest *guest)
{
	for (size_t i = 0; i < guest->count; i++)
		guest->event[i].ns += (uint64_t)clock->offset;
}

/* Index of the first record after @ns. */
static size_t clock_end(const struct trace_device *device, uint64_t ns)
{
	size_t low = 0, high = device->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (device->record[middle].ns <= ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t trace_clock_cycle(const struct trace_device *device, uint64_t cycle, uint64_t near)
{
	const struct trace_record *record = device->record, *after = NULL;

	for (size_t i = clock_end(device, near); i-- > 0;) {
		/* Before the reset, cycles have other numbers. */
		if (record[i].kind == REC_RESET)
			break;
		if (record[i].cycle <= cycle) {
			if (!after || after->cycle <= record[i].cycle)
				return record[i].ns;
			return record[i].ns + (uint64_t)((double)(after->ns - record[i].ns) *
							 (double)(cycle - record[i].cycle) /
							 (double)(after->cycle - record[i].cycle));
		}
		after = &record[i];
	}
	return after ? after->ns : 0;
}
