// SPDX-License-Identifier: Apache-2.0
#include "simtime.h"

/* Latencies in ns: from the guest to the device, and from the device to the guest. */
#define ACCESS_MIN   200
#define ACCESS_RANGE 600
#define IRQ_MIN	     2000
#define IRQ_RANGE    2000
/*
 * At least so many cycles, too: in the shortest latency of an interrupt guest and device run
 * independently, and each exchange of messages takes the host some 50 us.
 */
#define IRQ_CYCLES 5

/* The guest collects posted accesses itself when it reads; the ring has 256 entries. */
#define POSTED_MAX 32

/* Cycles until other files are looked at. */
#define ADVANCE_CYCLES 2000

static uint64_t simtime_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* splitmix64 */
static uint64_t simtime_random(struct simtime *time)
{
	uint64_t z = time->random += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

int simtime_init(struct simtime *time, const char *path, uint64_t cycle_ns, uint64_t seed)
{
	time->cycle_ns = cycle_ns;
	time->irq_ns = cycle_ns * IRQ_CYCLES > IRQ_MIN ? cycle_ns * IRQ_CYCLES : IRQ_MIN;
	time->random = seed;
	time->serve_at = time->call_at = TIMETRAVEL_NEVER;
	for (unsigned int i = 0; i < FAA_PCI_VECTORS; i++)
		time->irq_at[i] = TIMETRAVEL_NEVER;
	return timetravel_open(&time->link, path);
}

/* Time of a cycle that is not before base_cycle. */
static uint64_t simtime_of_cycle(const struct simtime *time, uint64_t cycle)
{
	return time->base_ns + (cycle - time->base_cycle) * time->cycle_ns;
}

uint64_t simtime_device_ns(struct simtime *time)
{
	uint64_t cycle = bridge_cycle(time->bridge);

	/* A reset begins at cycle 0. */
	if (cycle < time->base_cycle) {
		time->base_cycle = cycle;
		time->base_ns = time->link.now;
	}
	return simtime_of_cycle(time, cycle);
}

uint64_t simtime_event_ns(const struct simtime *time)
{
	uint64_t cycle = bridge_cycle(time->bridge), now = time->link.now;

	if (cycle < time->base_cycle || simtime_of_cycle(time, cycle) < now)
		return now;
	return simtime_of_cycle(time, cycle);
}

/* The clock of a device without work stands still; it continues at the current time. */
static void simtime_wake(struct simtime *time)
{
	if (simtime_device_ns(time) >= time->link.now)
		return;
	time->base_ns = time->link.now;
	time->base_cycle = bridge_cycle(time->bridge);
}

static uint64_t simtime_next_event(const struct simtime *time)
{
	uint64_t next = simtime_earlier(time->serve_at, time->call_at);

	for (unsigned int i = 0; i < FAA_PCI_VECTORS; i++)
		next = simtime_earlier(next, time->irq_at[i]);
	return next;
}

void simtime_kicked(struct simtime *time)
{
	uint64_t at = time->link.now + ACCESS_MIN + simtime_random(time) % ACCESS_RANGE;

	/* Accesses are in order: a later one is carried out with those before it, or after them. */
	if (at < time->serve_at)
		time->serve_at = at;
	if (time->link.granted > time->serve_at)
		timetravel_grant(&time->link, time->serve_at);
}

void simtime_hold(struct simtime *time, unsigned int vector)
{
	uint64_t at = simtime_device_ns(time) + time->irq_ns + simtime_random(time) % IRQ_RANGE;

	if (time->irq_at[vector] == TIMETRAVEL_NEVER)
		time->irq_at[vector] = at;
	vpci_hold(time->bridge->vpci, vector);
}

static void simtime_deliver(struct simtime *time)
{
	bool due = false;

	for (unsigned int i = 0; i < FAA_PCI_VECTORS; i++) {
		if (time->irq_at[i] > time->link.now)
			continue;
		time->irq_at[i] = TIMETRAVEL_NEVER;
		vpci_release(time->bridge->vpci, i);
		due = true;
	}
	if (due)
		vpci_deliver(time->bridge->vpci);
}

/* Everything that happens at the current time. */
static void simtime_fire(struct simtime *time)
{
	if (time->serve_at <= time->link.now) {
		time->serve_at = TIMETRAVEL_NEVER;
		simtime_wake(time);
		vpci_carry_out(time->bridge->vpci, &time->posted);
		if (time->posted >= POSTED_MAX)
			time->call_at = time->link.now;
		/* The guest may have added buffers for interrupts that have none. */
		vpci_deliver(time->bridge->vpci);
	}
	simtime_deliver(time);
	if (time->call_at <= time->link.now) {
		time->call_at = TIMETRAVEL_NEVER;
		time->posted = 0;
		vpci_collect(time->bridge->vpci);
	}
}

/*
 * Executes cycles up to @limit, but no more than those in which an interrupt cannot reach the
 * guest. Return: their number.
 */
static uint64_t simtime_step(struct simtime *time, uint64_t limit)
{
	uint64_t left = limit - simtime_device_ns(time);
	uint64_t cycles = simtime_earlier(left, time->irq_ns) / time->cycle_ns;

	if (!cycles)
		cycles = 1;
	bridge_step(time->bridge, cycles);
	return cycles;
}

/* The guest runs, without asking for more time until something of the device can reach it. */
static void simtime_let_run(struct simtime *time)
{
	uint64_t until = simtime_next_event(time);

	if (time->bridge->work)
		until = simtime_earlier(until, time->link.now + time->irq_ns);
	if (until > time->link.now && timetravel_grant(&time->link, until))
		return;
	timetravel_run(&time->link);
}

bool simtime_advance(struct simtime *time)
{
	uint64_t budget = ADVANCE_CYCLES;

	while (time->link.waiting && budget) {
		uint64_t event = simtime_next_event(time);
		uint64_t next = simtime_earlier(event, time->link.request);

		if (time->bridge->work && simtime_device_ns(time) < next) {
			budget -= simtime_earlier(budget, simtime_step(time, next));
			continue;
		}
		if (next == TIMETRAVEL_NEVER)
			return false;
		if (next > time->link.now)
			time->link.now = next;
		if (event <= time->link.now)
			simtime_fire(time);
		else
			simtime_let_run(time);
	}
	return time->link.waiting;
}
