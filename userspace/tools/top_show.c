// SPDX-License-Identifier: MIT
/* Rates of clients, queues and the device as a table or as JSON. */
#include "top.h"

#include <stdio.h>
#include <string.h>

#include "faa.h"
#include "faa_isa.h"
#include "tool.h"

#define NS_PER_S 1e9
#define STALL	 "STALL_"

/* Work per second, of a client or of a queue. */
struct rate {
	/* Of one compute unit, %. */
	double busy;
	double jobs, elements, warps, cycles;
};

/* A counter may decrease while the end of a running job was not seen yet: the rate is then 0. */
static double show_per_second(const struct top_rates *rates, uint64_t now, uint64_t before)
{
	return now > before && rates->seconds > 0 ? (double)(now - before) / rates->seconds : 0;
}

static struct rate show_rate_of(const struct top_rates *rates, const struct top_work *now,
				const struct top_work *before)
{
	static const struct top_work none;

	before = before ? before : &none;
	return (struct rate){
		.busy = show_per_second(rates, now->ns, before->ns) / NS_PER_S * 100,
		.jobs = show_per_second(rates, now->jobs, before->jobs),
		.elements = show_per_second(rates, now->elements, before->elements),
		.warps = show_per_second(rates, now->warps, before->warps),
		.cycles = show_per_second(rates, now->cycles, before->cycles),
	};
}

static struct rate show_client_rate(const struct top_rates *rates, const struct top_client *client)
{
	const struct top_client *before = top_client_before(rates, client);

	return show_rate_of(rates, &client->work, before ? &before->work : NULL);
}

static struct rate show_queue_rate(const struct top_rates *rates, const struct top_client *client,
				   const struct top_queue *queue)
{
	const struct top_queue *before = top_queue_before(top_client_before(rates, client), queue);

	return show_rate_of(rates, &queue->work, before ? &before->work : NULL);
}

/* Growth of a counter, summed over all compute units. */
static uint64_t show_counted(const struct top_rates *rates, unsigned int counter)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < rates->now->num_cus && i < rates->before->num_cus; i++) {
		sum += rates->now->counters[i].counters.value[counter];
		if (!rates->now->restarted)
			sum -= rates->before->counters[i].counters.value[counter];
	}
	return sum;
}

/* Name of a stall cause without the common prefix; NULL if the counter is none. */
static const char *show_stall_name(unsigned int counter)
{
	const char *name = faa_counter_name(counter);

	return name && !strncmp(name, STALL, strlen(STALL)) ? name + strlen(STALL) : NULL;
}

/* Stall cycles of a cause in % of the cycles in which compute units were busy. */
static double show_stall_share(const struct top_rates *rates, unsigned int counter)
{
	uint64_t busy = show_counted(rates, FAA_COUNTER_BUSY);

	return busy ? 100.0 * (double)show_counted(rates, counter) / (double)busy : 0;
}

static void show_number(double value)
{
	static const char units[] = " kMGT";
	unsigned int unit = 0;

	while (value >= 9999.5 && unit < strlen(units) - 1) {
		value /= 1000;
		unit++;
	}
	printf(value < 10 && (unit || value > 0) ? " %7.2f%c" : " %7.0f%c", value, units[unit]);
}

static void show_bytes(uint64_t bytes)
{
	if (bytes >= 10ull << 30)
		printf(" %6llu GiB", (unsigned long long)(bytes >> 30));
	else if (bytes >= 10ull << 20)
		printf(" %6llu MiB", (unsigned long long)(bytes >> 20));
	else
		printf(" %6llu KiB", (unsigned long long)(bytes >> 10));
}

static void show_rate(const struct rate *rate)
{
	printf(" %6.1f", rate->busy);
	show_number(rate->jobs);
	show_number(rate->elements);
	show_number(rate->warps);
}

static void show_device(const struct top_rates *rates)
{
	double busy = 0, capacity = (double)rates->now->num_cus;

	for (size_t i = 0; i < rates->now->num_clients; i++) {
		busy += show_client_rate(rates, &rates->now->clients[i]).busy;
		capacity = (double)rates->now->clients[i].capacity;
	}
	printf("%zu clients, busy %.1f %%", rates->now->num_clients, busy);
	if (capacity > 0)
		printf(" of %.0f %%: a compute unit is 100", 100 * capacity);
	printf(", in %.1f s\n", rates->seconds);
}

static void show_stalls(const struct top_rates *rates)
{
	bool any = false;

	if (rates->no_counters) {
		printf("what compute units wait for: unknown: %s\n", rates->no_counters);
		return;
	}
	printf("what compute units wait for, %% of their busy cycles:");
	for (unsigned int i = 0; i < FAA_COUNTERS; i++) {
		if (!show_stall_name(i) || show_stall_share(rates, i) < 0.05)
			continue;
		printf(" %s %.1f", show_stall_name(i), show_stall_share(rates, i));
		any = true;
	}
	printf(any ? "\n" : rates->now->asleep ? " the device sleeps\n" : " nothing\n");
}

static void show_client(const struct top_rates *rates, const struct top_client *client, bool queues)
{
	struct rate rate = show_client_rate(rates, client);

	printf("%7d %-16.16s", client->pid, client->comm);
	show_rate(&rate);
	show_bytes(client->resident);
	printf(" %6zu\n", client->num_queues);
	for (size_t i = 0; queues && i < client->num_queues; i++) {
		const struct top_queue *queue = &client->queues[i];

		rate = show_queue_rate(rates, client, queue);
		printf("        queue %-10u", queue->id);
		show_rate(&rate);
		printf(" %10s\n", queue->state);
	}
}

void top_show_text(const struct top_rates *rates, bool queues)
{
	show_device(rates);
	show_stalls(rates);
	printf("%7s %-16s %6s %8s  %8s  %8s  %10s %6s\n", "PID", "COMMAND", "BUSY%", "JOBS/s",
	       "ELEM/s", "WARPS/s", "MEMORY", "QUEUES");
	for (size_t i = 0; i < rates->now->num_clients; i++)
		show_client(rates, &rates->now->clients[i], queues);
}

static void show_json_rate(const struct rate *rate)
{
	printf("\"busy_percent\": %.2f, \"jobs_per_s\": %.2f, \"elements_per_s\": %.2f, "
	       "\"warps_per_s\": %.2f, \"cycles_per_s\": %.2f",
	       rate->busy, rate->jobs, rate->elements, rate->warps, rate->cycles);
}

static void show_json_client(const struct top_rates *rates, const struct top_client *client)
{
	struct rate rate = show_client_rate(rates, client);

	printf("{\"pid\": %d, \"command\": ", client->pid);
	tool_print_json_string(client->comm);
	printf(", \"device\": ");
	tool_print_json_string(client->device);
	printf(", \"client\": %llu, ", (unsigned long long)client->id);
	show_json_rate(&rate);
	printf(", \"memory_bytes\": %llu, \"resident_bytes\": %llu, \"queues\": [",
	       (unsigned long long)client->total, (unsigned long long)client->resident);
	for (size_t i = 0; i < client->num_queues; i++) {
		const struct top_queue *queue = &client->queues[i];

		rate = show_queue_rate(rates, client, queue);
		printf("%s{\"id\": %u, \"state\": \"%s\", \"priority\": %u, ", i ? ", " : "",
		       queue->id, queue->state, queue->priority);
		show_json_rate(&rate);
		printf("}");
	}
	printf("]}");
}

void top_show_json(const struct top_rates *rates)
{
	const char *separator = "";

	printf("{\"seconds\": %.3f, \"asleep\": %s, \"stalls_percent\": ", rates->seconds,
	       rates->no_counters ? "null" :
	       rates->now->asleep ? "true" :
				    "false");
	if (!rates->no_counters) {
		printf("{");
		for (unsigned int i = 0; i < FAA_COUNTERS; i++) {
			if (!show_stall_name(i))
				continue;
			printf("%s\"%s\": %.2f", separator, show_stall_name(i),
			       show_stall_share(rates, i));
			separator = ", ";
		}
		printf("}");
	} else {
		printf("null");
	}
	printf(", \"clients\": [");
	for (size_t i = 0; i < rates->now->num_clients; i++) {
		printf(i ? ", " : "");
		show_json_client(rates, &rates->now->clients[i]);
	}
	printf("]}\n");
}
