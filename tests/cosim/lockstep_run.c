// SPDX-License-Identifier: MIT
/* Runs a case on two engines and compares the resulting states. */
#include <endian.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faa_tables.h"

#include "lockstep.h"
#include "tb_waves.h"

/*
 * Host memory: the common part with the large page, and the part of each part of the address space.
 */
#define MEMORY_BYTES (7u << 20)
#define PART_BYTES   (512u << 10)
#define LARGE_BYTES  TB_LARGE_PAGE
/* Limits after which a case is endless: units of the model, clock cycles of an RTL. */
#define MODEL_LIMIT 20000
#define CYCLE_LIMIT 20000000
#define FIRST_VMID  10
/* Leaf flags of memory that ATOM may change; the page of snapshots is not atomic. */
#define ATOMIC (FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK)

/* struct instance - a case on one engine */
struct instance {
	const struct ls_case *c;
	const char *name;
	struct tb_host *host;
	struct tb_vm *vms[LS_QUEUES];
	struct tb_queue *queues[LS_QUEUES];
	/* The parts of the address space that exist, and their places in host memory. */
	bool parts[LS_PARTS];
	uint64_t data[LS_PARTS];
	uint64_t code[LS_PARTS];
	uint64_t surfaces[LS_PARTS];
	uint64_t large;
	/* A page that no command writes. */
	uint64_t constant;
	uint32_t code_used[LS_PARTS];
	uint32_t jobs[LS_JOBS];
	struct tb_vm *evictor_vm;
	struct tb_queue *evictors[FAA_MAX_CUS];
};

/* Falsifies values whose low byte is 42 in all data of a stream. */
static void tamper(struct tb_host *host, uint64_t addr, uint8_t *data, size_t len, uint64_t strb)
{
	/*
	 * Status records and sequence numbers stay intact: changing them would only end the case
	 * early.
	 */
	(void)addr;
	if (len == 64 && strb == ~0ULL)
		return;
	for (size_t i = 0; i < len; i += 4)
		if ((strb >> i & 1) && data[i] == 42)
			data[i] ^= 1;
	(void)host;
}

static unsigned int hardware_index(const struct instance *in, unsigned int n)
{
	unsigned int queues = in->host->num_queues;

	return queues % 5 ? (unsigned int)((n * 5 + in->c->seed) % queues) : n % queues;
}

static void fill_floats(uint8_t *data, enum faa_type type, unsigned int bytes, uint64_t *random)
{
	for (unsigned int i = 0; i < LS_INPUT_FLOATS; i += bytes) {
		uint64_t value = htole64(ls_float(random, type));

		memcpy(data + i, &value, bytes);
	}
}

static void fill_input(uint8_t *data, uint64_t *random)
{
	for (unsigned int i = 0; i < LS_INPUT_BYTES; i++)
		data[i] = ls_random(random);
	/*
	 * Indices: bytes below 16, then 16-bit words below 64; small ones prevail in each second
	 * half.
	 */
	for (unsigned int i = 0; i < 1024; i++)
		data[i] &= i < 512 ? 15 : 15 >> ls_random(random) % 5;
	for (unsigned int i = 1024; i < 2048; i += 2) {
		data[i] &= i < 1536 ? 63 : 63 >> ls_random(random) % 7;
		data[i + 1] = 0;
	}
	/* Small words, so that comparisons hit. */
	for (unsigned int i = 2048; i < 4096; i++)
		data[i] = i % 4 || data[i] > 128 ? 0 : data[i] & 3;
	fill_floats(data + LS_INPUT_F32, FAA_TYPE_F32, 4, random);
	fill_floats(data + LS_INPUT_F64, FAA_TYPE_F64, 8, random);
	fill_floats(data + LS_INPUT_X2, FAA_TYPE_F16X2, 4, random);
}

/*
 * Maps the pages of a region in descending order: neighbours in the VM are not adjacent in memory.
 */
static uint64_t map_region(struct instance *in, struct tb_vm *vm, uint64_t va, size_t bytes,
			   uint64_t flags)
{
	uint64_t dma = tb_dma_alloc(in->host, bytes, TB_READ_WRITE);
	size_t pages = bytes / TB_PAGE;

	for (size_t i = 0; i < pages; i++)
		tb_vm_map(vm, va + i * TB_PAGE, dma + (pages - 1 - i) * TB_PAGE, TB_PAGE, flags);
	return dma;
}

/* The host's address of byte @offset of a region that map_region() made. */
static uint8_t *region_byte(struct instance *in, uint64_t dma, size_t bytes, size_t offset)
{
	size_t page = bytes / TB_PAGE - 1 - offset / TB_PAGE;

	return (uint8_t *)tb_ptr(in->host, dma) + page * TB_PAGE + offset % TB_PAGE;
}

/* Writes the first @bytes of a region. */
static void fill_region(struct instance *in, uint64_t dma, size_t region_bytes, const uint8_t *data,
			size_t bytes)
{
	for (size_t at = 0; at < bytes; at += TB_PAGE) {
		size_t left = bytes - at;

		memcpy(region_byte(in, dma, region_bytes, at), data + at,
		       left < TB_PAGE ? left : TB_PAGE);
	}
}

static void sparse_page(struct tb_vm *vm, uint64_t va, uint64_t flags)
{
	*tb_vm_entry(vm, va, 0) = htole64(TB_NO_MEMORY | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK |
					  FAA_PTE_SPARSE_MASK | flags);
}

/* Surfaces and their headers, handles and points, for a device that has SUATOM. */
static void create_surfaces(struct instance *in, struct tb_vm *vm, unsigned int part,
			    uint64_t *random)
{
	uint8_t config[LS_CONFIG_BYTES], texels[LS_SURFACE_BYTES];
	uint64_t base = ls_base(part), dma;

	dma = map_region(in, vm, base + LS_CONFIG, LS_CONFIG_BYTES, 0);
	ls_fill_surfaces(config, in->c->seed, part);
	fill_region(in, dma, LS_CONFIG_BYTES, config, LS_CONFIG_BYTES);
	in->surfaces[part] = map_region(in, vm, base + LS_SURFACE, LS_SURFACE_BYTES, ATOMIC);
	for (size_t i = 0; i < LS_SURFACE_BYTES; i++)
		texels[i] = ls_random(random) >> (i % 3 * 8);
	fill_region(in, in->surfaces[part], LS_SURFACE_BYTES, texels, LS_SURFACE_BYTES);
	for (unsigned int page = 0; page < LS_SURFACE_BYTES / TB_PAGE; page++)
		if (ls_surface_page_sparse(in->c->seed, part, page))
			sparse_page(vm, base + LS_SURFACE + page * TB_PAGE, ATOMIC);
}

static bool has_surfaces(const struct instance *in)
{
	return tb_read(in->host, FAA_REG_FEATURES_LO) >> FAA_FEATURE_SURFACE_ATOMICS & 1;
}

static void create_part(struct instance *in, struct tb_vm *vm, unsigned int part, uint64_t *random)
{
	uint64_t base = ls_base(part);
	uint8_t input[LS_INPUT_BYTES];

	in->parts[part] = true;
	in->data[part] = map_region(in, vm, base + LS_DATA, LS_DATA_BYTES, ATOMIC);
	fill_input(input, random);
	fill_region(in, in->data[part], LS_DATA_BYTES, input, sizeof(input));
	in->code[part] = map_region(in, vm, base + LS_CODE, LS_CODE_BYTES, 0);
	tb_vm_map(vm, base + LS_READ_ONLY, in->constant, TB_PAGE, FAA_PTE_ATOMIC_MASK);
	map_region(in, vm, base + LS_SNAPSHOT, TB_PAGE, FAA_PTE_WRITABLE_MASK);
	sparse_page(vm, base + LS_SPARSE, ATOMIC);
	sparse_page(vm, base + LS_SPARSE_READ_ONLY, 0);
	tb_vm_map(vm, LS_LOW, in->constant, TB_PAGE, 0);
	if (part < LS_QUEUES)
		map_region(in, vm, base + LS_MEET, TB_PAGE, FAA_PTE_WRITABLE_MASK);
	if (part == 0) {
		in->large = tb_dma_alloc_aligned(in->host, LARGE_BYTES, LARGE_BYTES, TB_READ_WRITE);
		tb_vm_map_large(vm, base + LS_LARGE, in->large, ATOMIC);
	}
	if (has_surfaces(in))
		create_surfaces(in, vm, part, random);
}

static void create_queue(struct instance *in, unsigned int q, uint64_t *random)
{
	const struct ls_queue *queue = &in->c->queues[q];
	struct tb_queue_config config = { .shared_bytes = queue->shared_bytes,
					  .prio = queue->prio,
					  .vector = q };
	struct tb_vm *vm = in->vms[queue->vm];

	in->queues[q] = tb_queue_create(vm, hardware_index(in, q), &config);
	create_part(in, vm, q, random);
	for (unsigned int j = 0; j < in->c->num_jobs; j++)
		if (in->c->jobs[j].queue == q && !in->parts[ls_part(&in->c->jobs[j])])
			create_part(in, vm, ls_part(&in->c->jobs[j]), random);
}

static size_t memory_bytes(const struct ls_case *c)
{
	unsigned int parts = c->num_queues;
	bool there[LS_PARTS] = { false };

	for (unsigned int j = 0; j < c->num_jobs; j++) {
		unsigned int part = ls_part(&c->jobs[j]);

		parts += part >= LS_QUEUES && !there[part];
		there[part] = true;
	}
	return MEMORY_BYTES + (size_t)parts * PART_BYTES;
}

static void create(struct instance *in, const struct ls_case *c, const struct ls_side *side)
{
	struct tb_config config = { .engine = side->engine,
				    .model = &side->model,
				    .mem = side->mem,
				    .memory_bytes = memory_bytes(c) };
	uint64_t random = c->seed ^ 0xfaafaafaaULL;

	memset(in, 0, sizeof(*in));
	in->c = c;
	in->name = side->engine->name;
	in->host = tb_host_create(&config);
	in->host->limit = side->engine == &faa_engine_model ? MODEL_LIMIT : CYCLE_LIMIT;
	if (side->inject)
		in->host->tamper = tamper;
	in->constant = tb_dma_alloc(in->host, TB_PAGE, TB_READ);
	for (size_t i = 0; i < TB_PAGE; i++)
		((uint8_t *)tb_ptr(in->host, in->constant))[i] = ls_random(&random);
	for (unsigned int v = 0; v < c->num_queues; v++)
		in->vms[v] = tb_vm_create(in->host, FIRST_VMID + v);
	for (unsigned int q = 0; q < c->num_queues; q++)
		create_queue(in, q, &random);
}

static void destroy(struct instance *in)
{
	/* Queues may still be running, so the device is destroyed first. */
	tb_host_destroy(in->host);
	for (unsigned int q = 0; q < in->c->num_queues; q++)
		free(in->queues[q]);
	for (unsigned int v = 0; v < in->c->num_queues; v++)
		tb_vm_destroy(in->vms[v]);
	for (unsigned int i = 0; i < FAA_MAX_CUS; i++)
		free(in->evictors[i]);
	if (in->evictor_vm)
		tb_vm_destroy(in->evictor_vm);
}

/* Puts the words of a stream into the code of its part; returns their address. */
static uint64_t upload(struct instance *in, const struct ls_job *job, uint32_t *bytes)
{
	unsigned int part = ls_part(job);
	uint32_t start = in->code_used[part];

	*bytes = 0;
	for (unsigned int i = 0; i < job->count; i++) {
		for (unsigned int w = 0; w < job->commands[i].count; w++) {
			uint64_t word = htole64(job->commands[i].words[w]);
			uint32_t at = start + *bytes;

			if (at + sizeof(word) > LS_CODE_BYTES)
				tb_die("the case's code does not fit into %u bytes", LS_CODE_BYTES);
			memcpy(region_byte(in, in->code[part], LS_CODE_BYTES, at), &word,
			       sizeof(word));
			*bytes += sizeof(word);
		}
	}
	in->code_used[part] = start + *bytes;
	return ls_base(part) + LS_CODE + start;
}

static void submit_jobs(struct instance *in)
{
	for (unsigned int j = 0; j < in->c->num_jobs; j++) {
		const struct ls_job *job = &in->c->jobs[j];
		struct tb_queue *queue = in->queues[job->queue];
		struct faa_job_desc desc;
		uint32_t bytes;
		uint64_t va = upload(in, job, &bytes);

		desc = tb_desc(queue, va, bytes);
		desc.first_element = htole32(job->first_element);
		desc.flags = htole32(job->flags);
		if (job->flip)
			((uint8_t *)&desc)[job->flip / 8] ^= 1u << job->flip % 8;
		in->jobs[j] = tb_push(queue, &desc);
		/* The device sees all descriptors of a job at once. */
		if (job->flags & FAA_JOB_FLAG_TOGETHER)
			continue;
		tb_doorbell(queue);
		tb_step(in->host, job->delay);
		/* Invalidations while jobs run change no result. */
		if (job->delay % 3 == 1)
			tb_vm_invalidate(queue->vm, job->delay % 2 ? 0 : ls_base(job->queue),
					 job->delay % 5 ? ~0ULL : ls_base(job->queue) + 8191);
	}
}

static bool wait_for_jobs(struct instance *in)
{
	for (unsigned int j = 0; j < in->c->num_jobs; j++)
		if (!tb_wait(in->queues[in->c->jobs[j].queue], in->jobs[j]))
			return false;
	return tb_idle(in->host);
}

/*
 * Occupies every CU with a job that signals its start and then waits, so that the contexts of all
 * queues of the case are in their save areas.
 */
static bool evict_contexts(struct instance *in)
{
	static const struct tb_queue_config config = { .prio = 3, .vector = LS_QUEUES };
	struct tb_buffer code, flags;
	struct faa_issue issue = FAA_ISSUE_DEFAULT;
	uint64_t *word;

	in->evictor_vm = tb_vm_create(in->host, FIRST_VMID + LS_QUEUES);
	code = tb_buffer_create(in->evictor_vm, TB_PAGE);
	flags = tb_buffer_create(in->evictor_vm, TB_PAGE);
	for (unsigned int i = 0; i < in->host->num_cus; i++) {
		unsigned int n = 0;

		word = (uint64_t *)code.ptr + 16 * i;
		in->evictors[i] = tb_queue_create(
			in->evictor_vm, hardware_index(in, in->c->num_queues + i), &config);
		n += faa_encode_sem_signal(word + n, &issue, FAA_SEM_OP_SET, flags.va + 8 * i, 1);
		n += faa_encode_sem_wait(word + n, &issue, FAA_SEM_COND_EQ, flags.va + 2048, 1);
		n += faa_encode_end(word + n, &issue);
		for (unsigned int w = 0; w < n; w++)
			word[w] = htole64(word[w]);
		tb_submit(in->evictors[i], code.va + 128 * i, n * 8);
	}
	for (unsigned int i = 0; i < in->host->num_cus; i++) {
		volatile uint64_t *flag = (uint64_t *)flags.ptr + i;

		for (uint64_t unit = 0; !*flag; unit += 64) {
			if (unit > in->host->limit)
				return false;
			tb_step(in->host, 64);
		}
	}
	return true;
}

static bool differ(char message[LS_MESSAGE], struct instance in[2], const char *what,
		   unsigned int index, uint64_t a, uint64_t b)
{
	if (a == b)
		return false;
	snprintf(message, LS_MESSAGE, "%s %u: 0x%llx on %s, 0x%llx on %s", what, index,
		 (unsigned long long)a, in[0].name, (unsigned long long)b, in[1].name);
	return true;
}

static bool compare_status(struct instance in[2], unsigned int j, char message[LS_MESSAGE])
{
	const struct faa_status *s[2];

	for (unsigned int i = 0; i < 2; i++)
		s[i] = tb_status(in[i].queues[in[i].c->jobs[j].queue], in[i].jobs[j]);
	return differ(message, in, "sequence number of job", j, s[0]->seqno, s[1]->seqno) ||
	       differ(message, in, "code of job", j, s[0]->code, s[1]->code) ||
	       differ(message, in, "command of job", j, s[0]->command, s[1]->command) ||
	       differ(message, in, "element of job", j, s[0]->element, s[1]->element) ||
	       differ(message, in, "lane of job", j, s[0]->lane, s[1]->lane) ||
	       differ(message, in, "address of job", j, s[0]->address, s[1]->address) ||
	       differ(message, in, "elements of job", j, s[0]->elements_retired,
		      s[1]->elements_retired) ||
	       differ(message, in, "warps of job", j, s[0]->warps, s[1]->warps) ||
	       differ(message, in, "passes of job", j, s[0]->passes, s[1]->passes);
}

/* Compares memory that is at the same address of both hosts; @where names it in the message. */
static bool compare_memory(struct instance in[2], const char *where, unsigned int q, uint64_t dma,
			   size_t bytes, char message[LS_MESSAGE])
{
	const uint8_t *a = tb_ptr(in[0].host, dma), *b = tb_ptr(in[1].host, dma);
	size_t at = 0;
	uint32_t x, y;

	if (!memcmp(a, b, bytes))
		return false;
	while (!memcmp(a + at, b + at, 4))
		at += 4;
	memcpy(&x, a + at, 4);
	memcpy(&y, b + at, 4);
	snprintf(message, LS_MESSAGE, "%s of queue %u at byte 0x%zx: 0x%08x on %s, 0x%08x on %s",
		 where, q, at, le32toh(x), in[0].name, le32toh(y), in[1].name);
	return true;
}

/*
 * Pages lie in descending order, so an offset is reported as the queue sees it. @start: of the
 * region, relative to ls_base().
 */
static bool compare_region(struct instance in[2], unsigned int part, const uint64_t dma[2],
			   uint64_t start, size_t bytes, char message[LS_MESSAGE])
{
	for (size_t at = 0; at < bytes; at += 4) {
		uint32_t x, y;

		while (at % TB_PAGE == 0 && at < bytes &&
		       !memcmp(region_byte(&in[0], dma[0], bytes, at),
			       region_byte(&in[1], dma[1], bytes, at), TB_PAGE))
			at += TB_PAGE;
		if (at == bytes)
			break;
		memcpy(&x, region_byte(&in[0], dma[0], bytes, at), 4);
		memcpy(&y, region_byte(&in[1], dma[1], bytes, at), 4);
		if (x == y)
			continue;
		snprintf(message, LS_MESSAGE,
			 "data of queue %u at 0x%llx: 0x%08x on %s, 0x%08x on %s", part % LS_QUEUES,
			 (unsigned long long)(ls_base(part) + start + at), le32toh(x), in[0].name,
			 le32toh(y), in[1].name);
		return true;
	}
	return false;
}

static bool compare_part(struct instance in[2], unsigned int part, char message[LS_MESSAGE])
{
	const uint64_t data[2] = { in[0].data[part], in[1].data[part] };
	const uint64_t surfaces[2] = { in[0].surfaces[part], in[1].surfaces[part] };

	if (compare_region(in, part, data, LS_DATA, LS_DATA_BYTES, message))
		return true;
	return has_surfaces(&in[0]) &&
	       compare_region(in, part, surfaces, LS_SURFACE, LS_SURFACE_BYTES, message);
}

static bool compare_parts(struct instance in[2], unsigned int q, char message[LS_MESSAGE])
{
	for (unsigned int part = q; part < LS_PARTS; part += LS_QUEUES)
		if (in[0].parts[part] && compare_part(in, part, message))
			return true;
	return false;
}

/* Counters whose value the specification gives. */
static const uint8_t exact_counters[] = { FAA_COUNTER_JOBS,   FAA_COUNTER_COMMANDS,
					  FAA_COUNTER_WARPS,  FAA_COUNTER_ELEMENTS,
					  FAA_COUNTER_PASSES, FAA_COUNTER_GROUPS };

static bool compare_saved_counters(struct instance in[2], unsigned int q, char message[LS_MESSAGE])
{
	const struct tb_queue *queues[2] = { in[0].queues[q], in[1].queues[q] };
	uint64_t at = queues[0]->save + (uint64_t)in[0].host->warp_slots * FAA_CONTEXT_BYTES +
		      queues[0]->shared_bytes;
	const uint64_t *a = tb_ptr(in[0].host, at), *b = tb_ptr(in[1].host, at);

	for (unsigned int i = 0; i < sizeof(exact_counters); i++) {
		unsigned int n = exact_counters[i];
		char where[64];

		snprintf(where, sizeof(where), "saved counter %s of queue", faa_counter_names[n]);
		if (differ(message, in, where, q, le64toh(a[n]), le64toh(b[n])))
			return true;
	}
	return false;
}

/*
 * Compares the save areas: contexts of the slots (of unused slots the initial contents), shared
 * memory and counters.
 */
static bool compare_context(struct instance in[2], unsigned int q, char message[LS_MESSAGE])
{
	const struct tb_queue *queue = in[0].queues[q];
	uint64_t shared = queue->save + (uint64_t)in[0].host->warp_slots * FAA_CONTEXT_BYTES;

	for (uint64_t context = queue->save; context < shared; context += FAA_CONTEXT_BYTES) {
		char where[32];

		snprintf(where, sizeof(where), "registers of slot %u",
			 (unsigned int)((context - queue->save) / FAA_CONTEXT_BYTES));
		if (compare_memory(in, where, q, context, FAA_CONTEXT_BYTES, message))
			return true;
	}
	return compare_memory(in, "shared memory", q, shared, queue->shared_bytes, message) ||
	       compare_saved_counters(in, q, message);
}

static bool compare_queue(struct instance in[2], unsigned int q, char message[LS_MESSAGE])
{
	struct tb_queue *a = in[0].queues[q], *b = in[1].queues[q];

	return differ(message, in, "sequence number of queue", q, tb_seqno(a), tb_seqno(b)) ||
	       differ(message, in, "HEAD of queue", q,
		      tb_read(a->host, FAA_REG_QUEUE_HEAD(a->index)),
		      tb_read(b->host, FAA_REG_QUEUE_HEAD(b->index))) ||
	       differ(message, in, "state of queue", q, tb_queue_state(a), tb_queue_state(b)) ||
	       differ(message, in, "interrupts of queue", q, in[0].host->interrupts[q],
		      in[1].host->interrupts[q]) ||
	       compare_parts(in, q, message) || compare_context(in, q, message);
}

static uint64_t counter_sum(struct tb_host *host, enum faa_counter counter)
{
	uint64_t sum = 0;

	for (unsigned int cu = 0; cu < host->num_cus; cu++)
		sum += tb_read64(host, FAA_REG_CU_COUNTER_LO(cu, counter));
	return sum;
}

/* Counters are compared before the evictors' jobs add to them. */
static bool compare_counters(struct instance in[2], char message[LS_MESSAGE])
{
	for (unsigned int i = 0; i < sizeof(exact_counters); i++) {
		unsigned int n = exact_counters[i];
		uint64_t a = counter_sum(in[0].host, n), b = counter_sum(in[1].host, n);

		if (differ(message, in, faa_counter_names[n], n, a, b))
			return true;
	}
	return false;
}

static bool compare(struct instance in[2], char message[LS_MESSAGE])
{
	const struct ls_case *c = in[0].c;

	for (unsigned int i = 0; i < 2; i++) {
		if (in[i].host->violations) {
			snprintf(message, LS_MESSAGE,
				 "%s made %u accesses outside its memory, first at 0x%llx",
				 in[i].name, in[i].host->violations,
				 (unsigned long long)in[i].host->violation_addr);
			return true;
		}
	}
	for (unsigned int j = 0; j < c->num_jobs; j++)
		if (compare_status(in, j, message))
			return true;
	for (unsigned int q = 0; q < c->num_queues; q++)
		if (compare_queue(in, q, message))
			return true;
	return compare_memory(in, "large page", 0, in[0].large, LARGE_BYTES, message);
}

static void count_jobs(struct instance *in, struct ls_totals *totals)
{
	for (unsigned int j = 0; j < in->c->num_jobs; j++) {
		const struct faa_status *status =
			tb_status(in->queues[in->c->jobs[j].queue], in->jobs[j]);

		totals->warps += le32toh(status->warps);
		totals->codes[le32toh(status->code) % LS_CODES]++;
	}
}

/* Runs both instances; the first decides whether the case ends at all. */
static enum ls_result run_instances(struct instance in[2], char message[LS_MESSAGE])
{
	for (unsigned int i = 0; i < 2; i++) {
		submit_jobs(&in[i]);
		if (wait_for_jobs(&in[i]))
			continue;
		if (i == 0 && in[0].host->limit == MODEL_LIMIT)
			return LS_ENDLESS;
		snprintf(message, LS_MESSAGE, "%s does not end the case", in[i].name);
		return LS_DIFFERENT;
	}
	if (compare_counters(in, message))
		return LS_DIFFERENT;
	for (unsigned int i = 0; i < 2; i++) {
		if (!evict_contexts(&in[i])) {
			snprintf(message, LS_MESSAGE, "%s does not save its contexts", in[i].name);
			return LS_DIFFERENT;
		}
	}
	return compare(in, message) ? LS_DIFFERENT : LS_SAME;
}

/* struct outcome - result of a run, written by the child process */
struct outcome {
	enum ls_result result;
	struct ls_totals totals;
	char message[LS_MESSAGE];
};

/* @keep: a difference leaves waveforms, with FAA_WAVES, and each case with --waves. */
static void run_here(const struct ls_case *c, const struct ls_side sides[2], bool keep,
		     struct outcome *out)
{
	struct instance in[2];
	char name[32];

	for (unsigned int i = 0; i < 2; i++)
		create(&in[i], c, &sides[i]);
	out->result = run_instances(in, out->message);
	if (out->result == LS_SAME)
		count_jobs(&in[1], &out->totals);
	snprintf(name, sizeof(name), "%llu", (unsigned long long)c->seed);
	if (keep && (out->result == LS_DIFFERENT || tb_waves_asked()))
		tb_waves_keep(name);
	for (unsigned int i = 0; i < 2; i++)
		destroy(&in[i]);
}

bool ls_run_model(const struct ls_case *c, const struct ls_side *side,
		  struct faa_status statuses[LS_JOBS])
{
	struct instance in;
	bool ended;

	create(&in, c, side);
	submit_jobs(&in);
	ended = wait_for_jobs(&in);
	for (unsigned int j = 0; ended && j < c->num_jobs; j++)
		statuses[j] = *tb_status(in.queues[c->jobs[j].queue], in.jobs[j]);
	destroy(&in);
	return ended;
}

static void silence(void)
{
	int null = open("/dev/null", O_WRONLY);

	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	close(null);
}

static pid_t start_child(const struct ls_case *c, const struct ls_side sides[2], bool quiet,
			 int pipe_end)
{
	struct outcome out = { .result = LS_DIFFERENT };
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child)
		return child;
	if (quiet)
		silence();
	run_here(c, sides, !quiet, &out);
	_exit(write(pipe_end, &out, sizeof(out)) == sizeof(out) ? 0 : 1);
}

enum ls_result ls_run(const struct ls_case *c, const struct ls_side sides[2], bool quiet,
		      struct ls_totals *totals, char message[LS_MESSAGE])
{
	struct outcome out;
	int ends[2], status;
	pid_t child;
	bool whole;

	if (pipe(ends))
		tb_die("no pipe to a child process");
	child = start_child(c, sides, quiet, ends[1]);
	if (child < 0)
		tb_die("no child process");
	close(ends[1]);
	whole = read(ends[0], &out, sizeof(out)) == sizeof(out);
	close(ends[0]);
	waitpid(child, &status, 0);
	if (!whole) {
		snprintf(message, LS_MESSAGE, "an engine ended its process (wait status 0x%x)",
			 status);
		return LS_DIFFERENT;
	}
	memcpy(message, out.message, LS_MESSAGE);
	totals->warps += out.totals.warps;
	for (unsigned int i = 0; i < LS_CODES; i++)
		totals->codes[i] += out.totals.codes[i];
	return out.result;
}
