// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Device clock
 *
 * Status records tell in clock cycles of the device when a job had a compute unit. The
 * clock frequency is not known, and a simulated device has none, so the driver keeps marks:
 * moments of which it knows the cycle and the host's time. Between two marks time is linear.
 *
 * The relation is one monotonic function for all queues. Jobs that ran one after the other
 * on a compute unit have disjoint intervals of cycles, hence disjoint intervals of
 * nanoseconds: their sum cannot exceed the time that has passed.
 *
 * When there is no room for a mark, every second one of the older half goes. So the distance
 * between marks is a small part of their age, however long a job ran.
 */

#include <linux/math64.h>
#include <linux/string.h>

#include <kunit/visibility.h>

#include "faa_clock.h"

static void clock_thin(struct faa_clock *clock)
{
	const unsigned int half = FAA_CLOCK_MARKS / 2;
	unsigned int i;

	for (i = 0; i < half / 2; i++)
		clock->marks[i] = clock->marks[2 * i];
	memmove(&clock->marks[half / 2], &clock->marks[half],
		(FAA_CLOCK_MARKS - half) * sizeof(clock->marks[0]));
	clock->count = FAA_CLOCK_MARKS - half / 2;
}

/**
 * faa_clock_mark() - tell of a moment
 * @clock: the clock
 * @cycle: cycle counter of the device
 * @ns: time of the host
 *
 * A moment that is not later than the last mark changes nothing.
 */
void faa_clock_mark(struct faa_clock *clock, u64 cycle, u64 ns)
{
	struct faa_clock_mark *last = clock->count ? &clock->marks[clock->count - 1] : NULL;

	if (last && (cycle <= last->cycle || ns <= last->ns))
		return;
	if (clock->count == FAA_CLOCK_MARKS)
		clock_thin(clock);
	clock->marks[clock->count++] = (struct faa_clock_mark){ .cycle = cycle, .ns = ns };
}
EXPORT_SYMBOL_IF_KUNIT(faa_clock_mark);

/* One of the times of a mark. */
static u64 clock_time(const struct faa_clock *clock, unsigned int mark, bool ns)
{
	return ns ? clock->marks[mark].ns : clock->marks[mark].cycle;
}

/* Convert nanoseconds to cycles if @from_ns, otherwise the other way round. */
static u64 clock_convert(const struct faa_clock *clock, u64 value, bool from_ns)
{
	unsigned int low = 0, high = clock->count;
	u64 from, to;

	if (!clock->count)
		return 0;
	if (value <= clock_time(clock, 0, from_ns))
		return clock_time(clock, 0, !from_ns);

	/* The mark at low is before the value, the one at high, if any, is not. */
	while (high - low > 1) {
		unsigned int middle = (low + high) / 2;

		if (clock_time(clock, middle, from_ns) < value)
			low = middle;
		else
			high = middle;
	}
	if (high == clock->count)
		return clock_time(clock, low, !from_ns);

	from = clock_time(clock, high, from_ns) - clock_time(clock, low, from_ns);
	to = clock_time(clock, high, !from_ns) - clock_time(clock, low, !from_ns);

	return clock_time(clock, low, !from_ns) +
	       mul_u64_u64_div_u64(value - clock_time(clock, low, from_ns), to, from);
}

/**
 * faa_clock_ns() - when was a cycle?
 * @clock: the clock
 * @cycle: cycle counter of the device
 *
 * Return: time of the host, of the first mark at least and of the last one at most.
 */
u64 faa_clock_ns(const struct faa_clock *clock, u64 cycle)
{
	return clock_convert(clock, cycle, false);
}
EXPORT_SYMBOL_IF_KUNIT(faa_clock_ns);

/**
 * faa_clock_cycle() - which cycle was it?
 * @clock: the clock
 * @ns: time of the host
 *
 * Return: cycle, of the first mark at least and of the last one at most.
 */
u64 faa_clock_cycle(const struct faa_clock *clock, u64 ns)
{
	return clock_convert(clock, ns, true);
}
EXPORT_SYMBOL_IF_KUNIT(faa_clock_cycle);
