// SPDX-License-Identifier: Apache-2.0
/* A device: which queue has which compute unit, accesses to registers, DMA, interrupts. */
#include "trace_tracks.h"

#include <string.h>

#include "faa_regs.h"
#include "register_name.h"

/* Curves of DMA have at most this many points, and one in this time at most. */
#define ACCESS_POINTS	4000
#define ACCESS_LEAST_NS 10000

/* Bytes of DMA within an interval. */
struct access_dma {
	uint64_t interval, at;
	uint64_t read, written, atomics;
};

static struct json_track access_track(unsigned int number, unsigned int thread)
{
	return (struct json_track){ TRACK_DEVICE + number, thread };
}

static void access_register(struct json *json, const struct trace_record *record,
			    unsigned int number)
{
	bool read = record->kind == REC_MMIO_READ;
	char text[64], name[80], args[128];

	if (record->unit == 0)
		register_name(text, sizeof(text), (uint32_t)record->addr);
	else
		snprintf(text, sizeof(text), "MSI-X table, 0x%llx",
			 (unsigned long long)record->addr);
	snprintf(name, sizeof(name), "%s %s", read ? "read" : "write", text);
	snprintf(args, sizeof(args), "\"value\":\"0x%llx\",\"offset\":\"0x%llx\",\"cycle\":%llu",
		 (unsigned long long)record->value, (unsigned long long)record->addr,
		 (unsigned long long)record->cycle);
	json_instant(json, access_track(number, TRACK_REGISTERS), name, record->ns, args);
}

static void access_config(struct json *json, const struct trace_record *record, unsigned int number)
{
	char name[64], args[96];

	snprintf(name, sizeof(name), "%s 0x%llx", recorder_kind_name(record->kind),
		 (unsigned long long)record->addr);
	snprintf(args, sizeof(args), "\"value\":\"0x%llx\",\"bytes\":%u",
		 (unsigned long long)record->value, record->len);
	json_instant(json, access_track(number, TRACK_CONFIG), name, record->ns, args);
}

static void access_other(struct json *json, const struct trace_record *record, unsigned int number)
{
	bool irq = record->kind == REC_IRQ_REQUEST || record->kind == REC_IRQ_SENT ||
		   record->kind == REC_IRQ_DROPPED;
	char name[64], args[128];

	if (irq)
		snprintf(name, sizeof(name), "%s, vector %u", recorder_kind_name(record->kind),
			 record->unit);
	else
		snprintf(name, sizeof(name), "%s", recorder_kind_name(record->kind));
	snprintf(args, sizeof(args), "\"cycle\":%llu,\"address\":\"0x%llx\",\"bytes\":%u",
		 (unsigned long long)record->cycle, (unsigned long long)record->addr, record->len);
	json_instant(json, access_track(number, irq ? TRACK_INTERRUPTS : TRACK_FAULTS), name,
		     record->ns, args);
}

static void access_dma_point(struct json *json, struct access_dma *dma, unsigned int number)
{
	char args[128];

	snprintf(args, sizeof(args), "\"read\":%llu,\"written\":%llu,\"atomic\":%llu",
		 (unsigned long long)dma->read, (unsigned long long)dma->written,
		 (unsigned long long)dma->atomics);
	json_counter(json, access_track(number, TRACK_REGISTERS), "DMA (bytes)", dma->at, args);
	dma->read = dma->written = dma->atomics = 0;
}

/* A point has the bytes of the interval that begins there. */
static void access_dma_until(struct json *json, struct access_dma *dma, uint64_t ns,
			     unsigned int number)
{
	bool any = dma->read || dma->written || dma->atomics;

	if (dma->at && ns < dma->at + dma->interval)
		return;
	if (any) {
		access_dma_point(json, dma, number);
		dma->at += dma->interval;
		access_dma_point(json, dma, number);
	}
	dma->at = ns / dma->interval * dma->interval;
}

static void access_dma_add(struct json *json, struct access_dma *dma,
			   const struct trace_record *record, unsigned int number)
{
	access_dma_until(json, dma, record->ns, number);
	if (record->kind == REC_DMA_READ)
		dma->read += record->len;
	else if (record->kind == REC_DMA_WRITE)
		dma->written += record->len;
	else
		dma->atomics += record->len;
}

/* The state of a unit until the next one. The jobs on it are those of its hardware queue then. */
static void access_unit(struct json *json, const struct trace_record *since,
			const struct trace_record *until, unsigned int number,
			const struct trace_jobs *jobs)
{
	uint64_t ns = until->ns;
	uint32_t state = (uint32_t)since->value;
	unsigned int hwq = (state & FAA_REG_CU_STATE_QUEUE_MASK) >> FAA_REG_CU_STATE_QUEUE_SHIFT;
	bool running = state & FAA_REG_CU_STATE_RUNNING_MASK;
	char name[64], args[200];
	size_t have;

	if (state & FAA_REG_CU_STATE_RESETTING_MASK) {
		json_slice(json, access_track(number, TRACK_UNIT + since->unit), "reset", since->ns,
			   ns - since->ns, "");
		return;
	}
	if (!(state & FAA_REG_CU_STATE_BUSY_MASK))
		return;
	snprintf(name, sizeof(name), "hardware queue %u%s", hwq,
		 running ? "" : ": context or record");
	have = (size_t)snprintf(args, sizeof(args), "\"cycle\":%llu,\"end cycle\":%llu",
				(unsigned long long)since->cycle, (unsigned long long)until->cycle);
	for (size_t i = 0; running && i < jobs->count && have + 48 < sizeof(args); i++) {
		const struct trace_job *job = &jobs->job[i];

		if (job->start && job->device == number && job->hwq == hwq && job->start < ns &&
		    job->end > since->ns)
			have += (size_t)snprintf(args + have, sizeof(args) - have,
						 ",\"job %llu of queue %llu\":1",
						 (unsigned long long)job->seqno,
						 (unsigned long long)job->ctx);
	}
	json_slice(json, access_track(number, TRACK_UNIT + since->unit), name, since->ns,
		   ns - since->ns, args);
}

static void access_names(struct json *json, const struct trace_device *device, unsigned int number)
{
	static const char *const names[] = { "registers", "configuration space", "interrupts",
					     "faults and resets" };
	unsigned int units = 0;
	char name[48];

	snprintf(name, sizeof(name), "Device %u", number);
	json_name(json, access_track(number, 0), name);
	for (size_t i = 0; i < device->count; i++)
		if (device->record[i].kind == REC_UNIT && device->record[i].unit >= units)
			units = device->record[i].unit + 1u;
	for (unsigned int i = 0; i < units; i++) {
		snprintf(name, sizeof(name), "compute unit %u", i);
		json_name(json, access_track(number, TRACK_UNIT + i), name);
	}
	for (unsigned int i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		json_name(json, access_track(number, TRACK_REGISTERS + i), names[i]);
}

void trace_access_write(struct json *json, const struct trace_device *device, unsigned int number,
			const struct trace_jobs *jobs)
{
	const struct trace_record *unit[FAA_REG_CU_COUNT] = { NULL };
	struct access_dma dma = { .interval = ACCESS_LEAST_NS };
	uint64_t last = device->count ? device->record[device->count - 1].ns : 0;

	access_names(json, device, number);
	if (device->count && (last - device->record[0].ns) / ACCESS_POINTS > dma.interval)
		dma.interval = (last - device->record[0].ns) / ACCESS_POINTS;
	for (size_t i = 0; i < device->count; i++) {
		const struct trace_record *record = &device->record[i];

		if (record->kind == REC_MMIO_READ || record->kind == REC_MMIO_WRITE) {
			access_register(json, record, number);
		} else if (record->kind == REC_CONFIG_READ || record->kind == REC_CONFIG_WRITE) {
			access_config(json, record, number);
		} else if (record->kind == REC_DMA_READ || record->kind == REC_DMA_WRITE ||
			   record->kind == REC_DMA_CAS) {
			access_dma_add(json, &dma, record, number);
		} else if (record->kind == REC_UNIT) {
			unsigned int n = record->unit % FAA_REG_CU_COUNT;

			if (unit[n])
				access_unit(json, unit[n], record, number, jobs);
			unit[n] = record;
		} else {
			access_other(json, record, number);
		}
	}
	access_dma_until(json, &dma, last + dma.interval, number);
}
