// SPDX-License-Identifier: MIT
/*
 * fuzz-engine: random input for an engine.
 *
 * Streams of random words, of almost legal commands and of broken legal ones, and descriptors of
 * random bits go to one queue. In all cases the job ends (after a kill at the latest), its status
 * record is valid, no DMA leaves the pages that the VM maps, and a victim queue that runs
 * concurrently keeps its registers, shared memory and global memory.
 *
 * With --mmio random values are written to registers as well; then only the engine must survive.
 */
#include <endian.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lockstep.h"

#define FUZZ_QUEUE	   3
#define VICTIM_QUEUE	   4
#define SHARED_BYTES	   1024u
#define CODE_BYTES	   8192u
#define VICTIM_WORDS	   32u
#define JOBS_PER_ROUND	   40u
#define UNITS_BEFORE_KILL  4000u
#define CYCLES_BEFORE_KILL 30000u

/* struct fuzz - one round */
struct fuzz {
	uint64_t seed;
	uint64_t random;
	struct tb_host *host;
	struct tb_vm *vm;
	struct tb_vm *victim_vm;
	struct tb_queue *queue;
	struct tb_queue *victim;
	uint64_t code;
	struct tb_buffer victim_code;
	struct tb_buffer victim_data;
	/* The source of legal commands. */
	struct ls_case legal;
	uint64_t ended;
	uint64_t killed;
};

static uint64_t below(struct fuzz *f, uint64_t limit)
{
	return ls_random(&f->random) % limit;
}

/*
 * Headers, handles and points of legal commands, and their surfaces; the job may change them here.
 */
static void map_surfaces(struct fuzz *f)
{
	const uint64_t flags = FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK;
	uint64_t base = ls_base(0), config = tb_dma_alloc(f->host, LS_CONFIG_BYTES, TB_READ_WRITE);
	uint64_t surfaces = tb_dma_alloc(f->host, LS_SURFACE_BYTES, TB_READ_WRITE);

	ls_fill_surfaces(tb_ptr(f->host, config), f->seed, 0);
	tb_vm_map(f->vm, base + LS_CONFIG, config, LS_CONFIG_BYTES, flags);
	tb_vm_map(f->vm, base + LS_SURFACE, surfaces, LS_SURFACE_BYTES, flags);
}

/* The parts of ls_base(0) that legal commands use; the pages around them are not mapped. */
static void map_memory(struct fuzz *f)
{
	uint64_t base = ls_base(0);
	uint64_t data = tb_dma_alloc(f->host, LS_DATA_BYTES, TB_READ_WRITE);
	uint64_t constant = tb_dma_alloc(f->host, TB_PAGE, TB_READ);

	tb_vm_map(f->vm, base + LS_DATA, data, LS_DATA_BYTES,
		  FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK);
	tb_vm_map(f->vm, base + LS_READ_ONLY, constant, TB_PAGE, 0);
	tb_vm_map(f->vm, LS_LOW, constant, TB_PAGE, 0);
	*tb_vm_entry(f->vm, base + LS_SPARSE, 0) =
		htole64(TB_NO_MEMORY | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK |
			FAA_PTE_SPARSE_MASK | FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK);
	map_surfaces(f);
	/* Invalid entries, which no walk may follow. */
	for (unsigned int i = 0; i < 64; i++)
		*tb_vm_entry(f->vm, base + 0x600000 + i * TB_PAGE, 0) =
			ls_random(&f->random) & ~(uint64_t)FAA_PTE_VALID_MASK;
	f->code = tb_dma_alloc(f->host, CODE_BYTES, TB_READ_WRITE);
	tb_vm_map(f->vm, base + LS_CODE, f->code, CODE_BYTES, FAA_PTE_WRITABLE_MASK);
}

/* The victim writes a pattern everywhere, then waits until the round is over and dumps it. */
static void start_victim(struct fuzz *f)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct faa_operand reg = { .kind = FAA_KIND_REG, .reg = 7 };
	struct faa_operand pattern = { .kind = FAA_KIND_AFFINE, .value = f->seed, .step = 77 };
	struct faa_operand place = { .kind = FAA_KIND_AFFINE, .step = 4 };
	struct faa_operand out = { .kind = FAA_KIND_STREAM, .type = FAA_TYPE_U32, .stride = 4 };
	uint64_t *w = f->victim_code.ptr;
	unsigned int n = 0;

	n += faa_encode_mov(w + n, &issue, FAA_TYPE_U32, VICTIM_WORDS, reg, pattern);
	n += faa_encode_sts(w + n, &issue, FAA_TYPE_U32, VICTIM_WORDS, place, 0, pattern);
	place.value = f->victim_data.va + 256;
	n += faa_encode_st(w + n, &issue, FAA_TYPE_U32, VICTIM_WORDS, place, 0, pattern);
	n += faa_encode_sem_wait(w + n, &issue, FAA_SEM_COND_EQ, f->victim_data.va, 1);
	out.value = f->victim_data.va + 512;
	n += faa_encode_mov(w + n, &issue, FAA_TYPE_U32, VICTIM_WORDS, out, reg);
	out.value = f->victim_data.va + 768;
	place.value = 0;
	n += faa_encode_lds(w + n, &issue, FAA_TYPE_U32, VICTIM_WORDS, out, place, 0);
	n += faa_encode_end(w + n, &issue);
	for (unsigned int i = 0; i < n; i++)
		w[i] = htole64(w[i]);
	tb_submit(f->victim, f->victim_code.va, n * 8);
}

static void start(struct fuzz *f, const struct tb_config *config)
{
	static const struct tb_queue_config queue = { .shared_bytes = SHARED_BYTES };

	f->random = f->seed;
	f->host = tb_host_create(config);
	/* Memory that exists but is mapped in no VM. */
	tb_dma_alloc(f->host, 16 * TB_PAGE, TB_NONE);
	f->vm = tb_vm_create(f->host, 1);
	f->victim_vm = tb_vm_create(f->host, 2);
	f->queue = tb_queue_create(f->vm, FUZZ_QUEUE, &queue);
	f->victim = tb_queue_create(f->victim_vm, VICTIM_QUEUE, &queue);
	map_memory(f);
	f->victim_code = tb_buffer_create(f->victim_vm, TB_PAGE);
	f->victim_data = tb_buffer_create(f->victim_vm, TB_PAGE);
	/* Streams that use slot 0's part of memory, in whatever slot they run. */
	ls_generate(&f->legal, f->seed, SHARED_BYTES, tb_read(f->host, FAA_REG_FEATURES_LO),
		    f->seed % 4 == 0, 1, LS_QUEUES);
	start_victim(f);
}

static void stop(struct fuzz *f)
{
	tb_host_destroy(f->host);
	free(f->queue);
	free(f->victim);
	tb_vm_destroy(f->vm);
	tb_vm_destroy(f->victim_vm);
}

/* A header with a known opcode and a length that the opcode allows. */
static uint64_t plausible_header(struct fuzz *f)
{
	static const uint8_t opcodes[] = { 1,	 2,    3,    4,	   5,	 6,    7,
					   0x10, 0x11, 8,    9,	   0x12, 0x20, 0x21,
					   0x22, 0x23, 0x30, 0x30, 0x31, 0x32, 0x32 };
	struct faa_issue issue = FAA_ISSUE_DEFAULT;

	if (below(f, 4) == 0)
		issue.guard = below(f, 8);
	return faa_encode_header(opcodes[below(f, sizeof(opcodes))], 1 + below(f, 15), &issue,
				 below(f, 18), below(f, 16), below(f, 3) ? 0 : below(f, 5));
}

static unsigned int random_words(struct fuzz *f, uint64_t *words, unsigned int max)
{
	unsigned int n = 1 + below(f, max < 100 ? max : 100);
	bool plausible = below(f, 2);

	for (unsigned int i = 0; i < n; i++) {
		words[i] = ls_random(&f->random);
		if (plausible && below(f, 3) == 0)
			words[i] = plausible_header(f);
		else if (plausible && below(f, 2) == 0)
			words[i] &= (1ULL << below(f, 64)) - 1;
	}
	return n;
}

/* A legal job with some bits, words or sections corrupted. */
static unsigned int mutated_words(struct fuzz *f, uint64_t *words, unsigned int max)
{
	const struct ls_job *job = &f->legal.jobs[below(f, f->legal.num_jobs)];
	unsigned int n = 0, mutations = below(f, 6);

	for (unsigned int i = 0; i < job->count; i++)
		for (unsigned int w = 0; w < job->commands[i].count && n < max; w++)
			words[n++] = job->commands[i].words[w];
	for (unsigned int i = 0; i < mutations; i++) {
		unsigned int at = below(f, n);

		switch (below(f, 4)) {
		case 0:
			words[at] = ls_random(&f->random);
			break;
		case 1:
			words[at] = words[below(f, n)];
			break;
		case 2:
			memmove(words + at, words + at + 1, (n - at - 1) * sizeof(words[0]));
			break;
		default:
			words[at] ^= 1ULL << below(f, 64);
		}
	}
	return n;
}

static const char *check_status(const struct fuzz *f, const struct faa_job_desc *desc, uint32_t job)
{
	const struct faa_status *status = tb_status(f->queue, job);
	uint32_t code = le32toh(status->code), command = le32toh(status->command);

	if (status->seqno != desc->seqno)
		return "the status record has another sequence number";
	if (code > FAA_ERROR_STOPPED)
		return "the error code is none of the device's";
	if (le32toh(status->lane) >= FAA_LANES)
		return "the lane is above 31";
	if (command % 8 || command > le32toh(desc->stream_bytes))
		return "the command is not in the stream";
	if (le32toh(status->element) % FAA_LANES != le32toh(status->lane))
		return "the element is not that of the lane";
	if (code == FAA_ERROR_SUCCESS && (status->address || status->element))
		return "a success has an address or an element";
	if (le64toh(status->elements_retired) > (uint64_t)le32toh(status->warps) * FAA_LANES)
		return "more elements were retired than the warps had";
	if (le64toh(status->end_cycle) < le64toh(status->start_cycle))
		return "the job ended before it began";
	return NULL;
}

/* struct submission - descriptors that the device sees at once, of one job or of several */
struct submission {
	unsigned int count;
	uint32_t first;
	struct faa_job_desc descs[FAA_MAX_SLOTS];
};

/* Checks the records of the streams that have ended. */
static const char *check_statuses(const struct fuzz *f, const struct submission *s)
{
	const char *wrong = NULL;

	for (unsigned int i = 0; i < s->count && !wrong; i++)
		if (tb_seqno(f->queue) > s->first + i)
			wrong = check_status(f, &s->descs[i], s->first + i);
	return wrong;
}

/* Waits for the streams, and kills them after the limit. Returns NULL, or the error. */
static const char *finish_jobs(struct fuzz *f, const struct submission *s)
{
	bool model = f->host->ops == &faa_engine_model;
	uint64_t before;
	const char *wrong;

	f->host->limit = model ? UNITS_BEFORE_KILL : CYCLES_BEFORE_KILL;
	if (tb_wait(f->queue, s->first + s->count - 1)) {
		f->ended += s->count;
		return check_statuses(f, s);
	}
	f->killed++;
	before = tb_seqno(f->queue);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(FUZZ_QUEUE),
		 FAA_REG_QUEUE_CONTROL_ENABLE_MASK | FAA_REG_QUEUE_CONTROL_KILL_MASK);
	/* The longest warp: 32 lanes of several lines each, on the slowest memory. */
	f->host->limit = 3000000;
	if (!tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(FUZZ_QUEUE), FAA_REG_QUEUE_STATE_STATE_MASK,
			 FAA_QUEUE_STATE_KILLED))
		return "the queue did not stop after a kill";
	/* A broken descriptor can join two jobs: then the kill may come between them. */
	if (tb_seqno(f->queue) == before && s->count == 1)
		return "the job did not end after a kill";
	wrong = check_statuses(f, s);
	if (wrong)
		return wrong;
	if (!tb_queue_disable(f->queue))
		return "the queue cannot be disabled after a kill";
	tb_queue_enable(f->queue);
	return NULL;
}

/* A stream at an address of its own, and its descriptor, good or bad. */
static struct faa_job_desc fuzz_stream(struct fuzz *f, unsigned int slot)
{
	const unsigned int room = CODE_BYTES / FAA_MAX_SLOTS / 8;
	uint64_t *code = (uint64_t *)tb_ptr(f->host, f->code) + slot * room;
	uint64_t words[CODE_BYTES / FAA_MAX_SLOTS / 8];
	unsigned int n = below(f, 3) ? mutated_words(f, words, room) : random_words(f, words, room);
	struct faa_job_desc desc;

	for (unsigned int i = 0; i < n; i++)
		code[i] = htole64(words[i]);
	desc = tb_desc(f->queue, ls_base(0) + LS_CODE + slot * room * 8, n * 8);
	if (below(f, 8) == 0)
		desc.first_element = htole32(32 * below(f, 5));
	if (below(f, 20) == 0)
		((uint64_t *)&desc)[below(f, 2)] = ls_random(&f->random);
	if (below(f, 20) == 0)
		((uint64_t *)&desc)[4 + below(f, 4)] ^= 1ULL << below(f, 64);
	return desc;
}

/*
 * One job; half of them have several streams if the device has slots for them, seldom one too many.
 */
static const char *fuzz_job(struct fuzz *f)
{
	unsigned int slots = f->host->warp_slots;
	struct submission s = { .count = 1, .first = f->queue->tail };

	if (below(f, 2))
		s.count += below(f, below(f, 8) ? slots : slots + 1);
	if (s.count > FAA_MAX_SLOTS)
		s.count = FAA_MAX_SLOTS;
	for (unsigned int i = 0; i < s.count; i++) {
		s.descs[i] = fuzz_stream(f, i);
		if (i + 1 < s.count)
			s.descs[i].flags |= htole32(FAA_JOB_FLAG_TOGETHER);
		tb_push(f->queue, &s.descs[i]);
	}
	tb_doorbell(f->queue);
	return finish_jobs(f, &s);
}

static bool pattern_intact(const struct fuzz *f, unsigned int offset)
{
	const uint32_t *words = (uint32_t *)((uint8_t *)f->victim_data.ptr + offset);

	for (unsigned int i = 0; i < VICTIM_WORDS; i++)
		if (le32toh(words[i]) != (uint32_t)(f->seed + 77 * i))
			return false;
	return true;
}

static const char *check_victim(struct fuzz *f)
{
	f->host->limit = 3000000;
	*(uint64_t *)f->victim_data.ptr = htole64(1);
	if (!tb_wait(f->victim, 0))
		return "the victim did not end";
	if (tb_status(f->victim, 0)->code != FAA_ERROR_SUCCESS)
		return "the victim failed";
	if (!pattern_intact(f, 256))
		return "the victim's global memory changed";
	if (!pattern_intact(f, 512))
		return "the victim's registers changed";
	if (!pattern_intact(f, 768))
		return "the victim's shared memory changed";
	return NULL;
}

/* One device, one victim, some jobs. Returns NULL, or the error. */
static const char *round_of_jobs(struct fuzz *f, const struct tb_config *config)
{
	const char *wrong = NULL;

	start(f, config);
	for (unsigned int i = 0; i < JOBS_PER_ROUND && !wrong; i++) {
		wrong = fuzz_job(f);
		if (!wrong && f->host->violations) {
			fprintf(stderr, "DMA address 0x%" PRIx64 "\n", f->host->violation_addr);
			wrong = "an access left the pages of the VM";
		}
	}
	if (!wrong)
		wrong = check_victim(f);
	stop(f);
	return wrong;
}

/* Writes random values to random registers while the victim runs. */
static void round_of_registers(struct fuzz *f, const struct tb_config *config)
{
	start(f, config);
	f->host->allow_bus_errors = true;
	for (unsigned int i = 0; i < 300; i++) {
		uint32_t reg = below(f, 8) ? FAA_REG_QUEUE_TAIL(below(f, 16)) + 4 * below(f, 16) :
					     4 * below(f, FAA_REG_BYTES / 4 + 16);
		uint32_t value = ls_random(&f->random) >> below(f, 64);

		/* Mostly low values, with the real rings, so that some jobs run. */
		if ((reg & 0xff0) != 0x010)
			tb_write(f->host, reg, value);
		tb_read(f->host, 4 * below(f, FAA_REG_BYTES / 4 + 16));
		tb_step(f->host, below(f, 50));
	}
	stop(f);
}

static uint64_t current_seed;

/* A failed assertion of the RTL ends the process: print the seed of the round. */
static void tell_seed(int signal)
{
	char text[64];
	int length =
		snprintf(text, sizeof(text), "seed %" PRIu64 ": signal %d\n", current_seed, signal);

	if (write(STDOUT_FILENO, text, length) != length)
		_exit(3);
	_exit(1);
}

/* struct options - the command line */
struct options {
	const struct faa_engine_ops *engine;
	uint64_t seed;
	uint64_t rounds;
	unsigned int seconds;
	bool mmio;
};

static bool parse(int argc, char **argv, struct options *o)
{
	static const struct option names[] = {
		{ "engine", 1, NULL, 'e' },  { "seed", 1, NULL, 's' }, { "rounds", 1, NULL, 'r' },
		{ "seconds", 1, NULL, 't' }, { "mmio", 0, NULL, 'm' }, { NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (c) {
		case 'e':
			o->engine = tb_engine(optarg);
			if (!o->engine)
				tb_die("engine %s is not in this program", optarg);
			break;
		case 's':
			o->seed = strtoull(optarg, NULL, 0);
			break;
		case 'r':
			o->rounds = strtoull(optarg, NULL, 0);
			break;
		case 't':
			o->seconds = strtoul(optarg, NULL, 0);
			break;
		case 'm':
			o->mmio = true;
			break;
		default:
			return false;
		}
	}
	return optind == argc;
}

int main(int argc, char **argv)
{
	static struct fuzz f;
	struct options o = { .engine = &faa_engine_model,
			     .seed = (uint64_t)time(NULL) * 1000,
			     .rounds = 100,
			     .seconds = 3600 };
	time_t start = time(NULL);
	uint64_t round;

	if (!parse(argc, argv, &o))
		tb_die("fuzz-engine [--engine=NAME] [--seed=N] [--rounds=N] [--seconds=N] [--mmio]");
	signal(SIGABRT, tell_seed);
	printf("first seed %" PRIu64 ", engine %s%s\n", o.seed, o.engine->name,
	       o.mmio ? ", garbage in registers" : "");
	fflush(stdout);
	for (round = 0; round < o.rounds && time(NULL) < start + o.seconds; round++) {
		struct tb_config config = { .engine = o.engine,
					    .mem = tb_mem_default(o.seed + round),
					    .memory_bytes = 4u << 20 };
		const char *wrong;

		f.seed = o.seed + round;
		current_seed = f.seed;
		config.mem.latency = 1 + f.seed % 20;
		if (o.mmio) {
			round_of_registers(&f, &config);
			continue;
		}
		wrong = round_of_jobs(&f, &config);
		if (wrong) {
			printf("seed %" PRIu64 ": %s\n", f.seed, wrong);
			return 1;
		}
	}
	printf("%" PRIu64 " rounds, %" PRIu64 " jobs ended by themselves, %" PRIu64 " killed\n",
	       round, f.ended, f.killed);
	return 0;
}
