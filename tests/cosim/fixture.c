// SPDX-License-Identifier: MIT
/* See fixture.h. */
#include <endian.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_tables.h"

#include "fixture.h"
#include "fixture_run.h"
#include "tb_waves.h"

static const struct faa_engine_ops *chosen_engine;
static uint64_t chosen_seed = 1;

uint64_t test_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

struct tb_config fixture_config(void)
{
	struct tb_config config = { .engine = chosen_engine, .mem = tb_mem_random(chosen_seed) };

	return config;
}

static void usage(FILE *file, const char *name, const struct CMUnitTest *tests, size_t count)
{
	fprintf(file,
		"%s [OPTIONS] [TEST]: directed tests of %s\n"
		"  --engine=NAME  rtl or model (default: model)\n"
		"  --seed=N       of random numbers and of the memory's delays (default: 1)\n"
		"  --waves=FILE[,from=CYCLE][,to=CYCLE][,cycles=N]\n"
		"                 the waveform of one test on the RTL; without numbers of the last\n"
		"                 10000 cycles\n"
		"TEST may have * and ?. The tests:\n",
		program_invocation_short_name, name);
	for (size_t i = 0; i < count; i++)
		fprintf(file, "  %s\n", tests[i].name);
}

/* struct options - the command line */
struct options {
	const char *engine;
	char *waves;
	const char *pattern;
	bool help;
};

static bool parse(int argc, char **argv, struct options *options)
{
	static const struct option names[] = {
		{ "engine", 1, NULL, 'e' }, { "seed", 1, NULL, 's' }, { "waves", 1, NULL, 'w' },
		{ "help", 0, NULL, 'h' },   { NULL, 0, NULL, 0 },
	};
	char *end;
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (c) {
		case 'e':
			options->engine = optarg;
			break;
		case 's':
			chosen_seed = strtoull(optarg, &end, 0);
			if (end == optarg || *end)
				tb_die("--seed=%s is no number", optarg);
			break;
		case 'w':
			options->waves = optarg;
			break;
		case 'h':
			options->help = true;
			break;
		default:
			return false;
		}
	}
	options->pattern = argv[optind];
	return optind == argc || optind + 1 == argc;
}

int fixture_main(int argc, char **argv, const char *name, const struct CMUnitTest *tests,
		 size_t count)
{
	struct options options = { .engine = "model" };
	unsigned int selected = (unsigned int)count;

	if (!parse(argc, argv, &options)) {
		usage(stderr, name, tests, count);
		return 2;
	}
	if (options.help) {
		usage(stdout, name, tests, count);
		return 0;
	}
	chosen_engine = tb_engine(options.engine);
	if (!chosen_engine)
		tb_die("engine %s is not in this program", options.engine);
	if (options.pattern)
		selected = fixture_select(tests, count, options.pattern);
	if (!selected)
		tb_die("no test of %s is named %s; --help lists them", name, options.pattern);
	if (options.waves && chosen_engine == &faa_engine_model)
		tb_die("--waves: the C model has no signals");
	if (options.waves && selected != 1)
		tb_die("--waves: %u tests are selected; a waveform is that of one", selected);
	if (options.waves)
		tb_waves_option(options.waves, argv);
	return fixture_run(name, tests, count, options.engine, chosen_seed);
}

int fixture_setup(void **state)
{
	return fixture_setup_build(state, NULL);
}

int fixture_setup_build(void **state, const struct faa_model_params *model)
{
	return fixture_setup_seed(state, model, chosen_seed);
}

int fixture_setup_seed(void **state, const struct faa_model_params *model, uint64_t seed)
{
	static const struct tb_queue_config queue = { .shared_bytes = FIXTURE_SHARED };
	struct tb_config config = fixture_config();
	struct fixture *f = calloc(1, sizeof(*f));
	struct faa_issue issue = FAA_ISSUE_DEFAULT;

	assert_non_null(f);
	config.model = model;
	config.mem.seed = seed;
	f->host = tb_host_create(&config);
	f->vm = tb_vm_create(f->host, 5);
	f->queue = tb_queue_create(f->vm, 1, &queue);
	f->code = tb_buffer_create(f->vm, FIXTURE_CODE_WORDS * 8);
	f->in = tb_buffer_create(f->vm, FIXTURE_BUFFER);
	f->out = tb_buffer_create(f->vm, FIXTURE_BUFFER);
	f->issue = issue;
	*state = f;
	return 0;
}

int fixture_teardown(void **state)
{
	struct fixture *f = *state;
	unsigned int violations = f->host->violations;
	bool stopped = tb_queue_destroy(f->queue);

	if (violations)
		print_error("DMA outside the device's memory, first at 0x%llx\n",
			    (unsigned long long)f->host->violation_addr);
	tb_vm_destroy(f->vm);
	tb_host_destroy(f->host);
	free(f);
	return violations || !stopped ? -1 : 0;
}

unsigned int amount_of(const struct fixture *f, unsigned int all, unsigned int some)
{
	const char *thorough = getenv("FAA_LONG");

	return f->host->ops == &faa_engine_model || (thorough && *thorough) ? all : some;
}

bool has_feature(struct fixture *f, enum faa_feature feature)
{
	return tb_read(f->host, FAA_REG_FEATURES_LO) >> feature & 1;
}

void needs_feature(struct fixture *f, enum faa_feature feature)
{
	if (has_feature(f, feature))
		return;
	print_message("# engine %s has no %s\n", f->host->ops->name, faa_feature_names[feature]);
	skip();
}

void needs_cus(struct fixture *f, unsigned int cus)
{
	if (f->host->num_cus >= cus)
		return;
	print_message("# engine %s has %u compute units\n", f->host->ops->name, f->host->num_cus);
	skip();
}

void needs_slots(struct fixture *f, unsigned int slots)
{
	if (f->host->warp_slots >= slots)
		return;
	print_message("# engine %s has %u warp slots\n", f->host->ops->name, f->host->warp_slots);
	skip();
}

unsigned int lanes_of(struct fixture *f)
{
	return tb_read(f->host, FAA_REG_SHARED_UNIT) & FAA_REG_SHARED_UNIT_LANES_MASK;
}

/* The feature that a type needs; for integers, one that every device has. */
static enum faa_feature type_feature(enum faa_type type)
{
	switch (type) {
	case FAA_TYPE_F32:
		return FAA_FEATURE_ATOMS_F32;
	case FAA_TYPE_F64:
		return FAA_FEATURE_ATOMS_F64;
	case FAA_TYPE_F16:
	case FAA_TYPE_BF16:
	case FAA_TYPE_F16X2:
	case FAA_TYPE_BF16X2:
		return FAA_FEATURE_ATOMS_X2;
	default:
		return FAA_FEATURE_ATOMS_SEED;
	}
}

bool has_type(struct fixture *f, enum faa_type type)
{
	return has_feature(f, type_feature(type));
}

void needs_type(struct fixture *f, enum faa_type type)
{
	needs_feature(f, type_feature(type));
}

void needs_floats(struct fixture *f)
{
	needs_type(f, FAA_TYPE_F32);
	needs_type(f, FAA_TYPE_F64);
	needs_type(f, FAA_TYPE_F16X2);
	needs_feature(f, FAA_FEATURE_ALU);
}

void needs_relaxed(struct fixture *f)
{
	needs_floats(f);
	needs_feature(f, FAA_FEATURE_ATOMS_RELAXED);
}

bool has_modes(struct fixture *f, unsigned int mode)
{
	return !(mode & FAA_FLOAT_MODE_RELAXED) || has_feature(f, FAA_FEATURE_ATOMS_RELAXED);
}

void needs_model(void)
{
	struct tb_config config = fixture_config();

	if (config.engine == &faa_engine_model)
		return;
	print_message("# engine %s is one build\n", config.engine->name);
	skip();
}

struct tb_buffer atomic_buffer(struct fixture *f, size_t bytes)
{
	struct tb_buffer buffer = tb_buffer_create(f->vm, bytes);
	size_t size = (bytes + TB_PAGE - 1) / TB_PAGE * TB_PAGE;

	tb_vm_map(f->vm, buffer.va, buffer.dma, size, FAA_PTE_WRITABLE_MASK | FAA_PTE_ATOMIC_MASK);
	return buffer;
}

struct faa_operand none(void)
{
	struct faa_operand operand = { .kind = FAA_KIND_NONE };

	return operand;
}

struct faa_operand reg(unsigned int number)
{
	struct faa_operand operand = { .kind = FAA_KIND_REG, .reg = number };

	return operand;
}

struct faa_operand imm(uint64_t value)
{
	struct faa_operand operand = { .kind = FAA_KIND_IMM, .value = value };

	return operand;
}

struct faa_operand affine(uint64_t base, uint64_t step)
{
	struct faa_operand operand = { .kind = FAA_KIND_AFFINE, .value = base, .step = step };

	return operand;
}

struct faa_operand scaled(enum faa_type type, uint64_t va, int32_t stride, unsigned int shift,
			  uint64_t base)
{
	struct faa_operand operand = {
		.kind = FAA_KIND_STREAM,
		.type = type,
		.shift = shift,
		.stride = stride,
		.value = va,
		.step = base,
	};

	return operand;
}

struct faa_operand stream(enum faa_type type, uint64_t va, int32_t stride)
{
	return scaled(type, va, stride, 0, 0);
}

static uint64_t *room(struct fixture *f)
{
	assert_true(f->count + FAA_MAX_COMMAND_WORDS <= FIXTURE_CODE_WORDS);
	return f->words + f->count;
}

void add_word(struct fixture *f, uint64_t word)
{
	*room(f) = word;
	f->count++;
}

void add_mov(struct fixture *f, enum faa_type type, uint64_t n, struct faa_operand d,
	     struct faa_operand a)
{
	f->count += faa_encode_mov(room(f), &f->issue, type, n, d, a);
}

void add_setp(struct fixture *f, enum faa_cmp cmp, enum faa_type type, uint64_t n,
	      unsigned int predicate, struct faa_operand a, struct faa_operand b)
{
	f->count += faa_encode_setp(room(f), &f->issue, cmp, type, n, predicate, a, b);
}

void add_ld(struct fixture *f, enum faa_type type, uint64_t n, struct faa_operand d,
	    struct faa_operand a, int32_t offset)
{
	f->count += faa_encode_ld(room(f), &f->issue, type, n, d, a, offset);
}

void add_st(struct fixture *f, enum faa_type type, uint64_t n, struct faa_operand a, int32_t offset,
	    struct faa_operand b)
{
	f->count += faa_encode_st(room(f), &f->issue, type, n, a, offset, b);
}

void add_lds(struct fixture *f, enum faa_type type, uint64_t n, struct faa_operand d,
	     struct faa_operand a, int32_t offset)
{
	f->count += faa_encode_lds(room(f), &f->issue, type, n, d, a, offset);
}

void add_sts(struct fixture *f, enum faa_type type, uint64_t n, struct faa_operand a,
	     int32_t offset, struct faa_operand b)
{
	f->count += faa_encode_sts(room(f), &f->issue, type, n, a, offset, b);
}

void add_atoms(struct fixture *f, enum faa_atoms_op op, enum faa_type type, uint64_t n,
	       struct faa_operand d, struct faa_operand a, int32_t offset, struct faa_operand b,
	       struct faa_operand c)
{
	f->count += faa_encode_atoms(room(f), &f->issue, op, type, n, d, a, offset, b, c);
}

void add_atoms_mode(struct fixture *f, unsigned int mode, enum faa_atoms_op op, enum faa_type type,
		    uint64_t n, struct faa_operand d, struct faa_operand a, int32_t offset,
		    struct faa_operand b, struct faa_operand c)
{
	uint64_t *header = room(f);

	add_atoms(f, op, type, n, d, a, offset, b, c);
	*header |= FAA_PUT(HEADER_MOD, mode);
}

void add_alu(struct fixture *f, unsigned int mode, enum faa_alu_op op, enum faa_type type,
	     uint64_t n, struct faa_operand d, struct faa_operand a, struct faa_operand b)
{
	uint64_t *header = room(f);

	f->count += faa_encode_alu(header, &f->issue, op, type, n, d, a, b);
	*header |= FAA_PUT(HEADER_MOD, mode);
}

void add_atom(struct fixture *f, unsigned int mode, enum faa_atom_op op, enum faa_type type,
	      enum faa_scope scope, uint64_t n, struct faa_operand d, struct faa_operand a,
	      int32_t offset, struct faa_operand b, struct faa_operand c)
{
	uint64_t *header = room(f);

	f->count += faa_encode_atom(header, &f->issue, op, type, scope, FAA_ORDER_RELAXED, n, d, a,
				    offset, b, c);
	*header |= FAA_PUT(HEADER_MOD, mode);
}

void add_atom_ordered(struct fixture *f, enum faa_atom_op op, enum faa_type type,
		      enum faa_scope scope, enum faa_order order, uint64_t n, struct faa_operand d,
		      struct faa_operand a, struct faa_operand b, struct faa_operand c)
{
	f->count += faa_encode_atom(room(f), &f->issue, op, type, scope, order, n, d, a, 0, b, c);
}

void add_ld_strong(struct fixture *f, enum faa_type type, enum faa_scope scope,
		   enum faa_order order, uint64_t n, struct faa_operand d, struct faa_operand a,
		   int32_t offset)
{
	f->count += faa_encode_ld_strong(room(f), &f->issue, type, scope, order, n, d, a, offset);
}

void add_st_strong(struct fixture *f, enum faa_type type, enum faa_scope scope,
		   enum faa_order order, uint64_t n, struct faa_operand a, int32_t offset,
		   struct faa_operand b)
{
	f->count += faa_encode_st_strong(room(f), &f->issue, type, scope, order, n, a, offset, b);
}

void add_fence(struct fixture *f, enum faa_fence_order order, enum faa_scope scope)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;

	f->count += faa_encode_fence(room(f), &issue, order, scope);
}

void add_nop(struct fixture *f)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;

	f->count += faa_encode_nop(room(f), &issue);
}

void add_bar(struct fixture *f)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;

	f->count += faa_encode_bar(room(f), &issue, FAA_BAR_OP_SYNC);
}

void add_sem_wait(struct fixture *f, uint64_t va, uint64_t value)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;

	f->count += faa_encode_sem_wait(room(f), &issue, FAA_SEM_COND_GE, va, value);
}

void add_sem_signal(struct fixture *f, uint64_t va, uint64_t value)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;

	f->count += faa_encode_sem_signal(room(f), &issue, FAA_SEM_OP_SET, va, value);
}

void add_suatom(struct fixture *f, unsigned int mode, enum faa_atom_op op, enum faa_type type,
		enum faa_scope scope, struct faa_place place, uint64_t n, struct faa_operand d,
		struct faa_operand a, struct faa_operand b, struct faa_operand c)
{
	uint64_t *header = room(f);

	f->count += faa_encode_suatom(header, &f->issue, op, type, scope, FAA_ORDER_RELAXED, place,
				      n, d, a, b, c);
	*header |= FAA_PUT(HEADER_MOD, mode);
}

void add_config(struct fixture *f, enum faa_config op, uint64_t address, uint64_t value)
{
	f->count += faa_encode_config(room(f), &f->issue, op, address, value);
}

void add_jump(struct fixture *f, enum faa_jump_cond cond, int32_t words)
{
	f->count += faa_encode_jump(room(f), &f->issue, cond, words);
}

void add_end(struct fixture *f)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;

	f->count += faa_encode_end(room(f), &issue);
}

uint32_t here(const struct fixture *f)
{
	return f->count * 8;
}

struct tb_stream keep_stream(struct fixture *f, unsigned int number)
{
	uint64_t at = (uint64_t)number * FIXTURE_STREAM_BYTES;
	struct tb_stream kept = { .va = f->code.va + at, .bytes = f->count * 8 };
	uint64_t *code = (uint64_t *)((uint8_t *)f->code.ptr + at);

	assert_true(number < FIXTURE_STREAMS && at + kept.bytes <= f->code.bytes);
	for (unsigned int i = 0; i < f->count; i++)
		code[i] = htole64(f->words[i]);
	f->count = 0;
	return kept;
}

uint32_t run_raw(struct fixture *f)
{
	uint64_t *code = f->code.ptr;
	uint32_t job;

	for (unsigned int i = 0; i < f->count; i++)
		code[i] = htole64(f->words[i]);
	job = tb_submit(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	if (!tb_wait(f->queue, job))
		fail_msg("the job did not end; queue state %d", tb_queue_state(f->queue));
	f->status = *tb_status(f->queue, job);
	assert_int_equal(le64toh(f->status.seqno), job + 1);
	return le32toh(f->status.code);
}

void run(struct fixture *f)
{
	uint32_t end = here(f);
	uint32_t code;

	add_end(f);
	code = run_raw(f);
	if (code != FAA_ERROR_SUCCESS)
		fail_msg("error %u at command 0x%x, element %u, lane %u, address 0x%llx", code,
			 le32toh(f->status.command), le32toh(f->status.element),
			 le32toh(f->status.lane), (unsigned long long)le64toh(f->status.address));
	assert_int_equal(le32toh(f->status.command), end);
	assert_int_equal(le32toh(f->status.element), 0);
	assert_int_equal(le32toh(f->status.lane), 0);
	assert_int_equal(le64toh(f->status.address), 0);
}

void run_error(struct fixture *f, uint32_t code, uint32_t command, uint32_t element,
	       uint64_t address)
{
	add_end(f);
	assert_int_equal(run_raw(f), code);
	assert_int_equal(le32toh(f->status.command), command);
	assert_int_equal(le32toh(f->status.element), element);
	assert_int_equal(le32toh(f->status.lane), element % FAA_LANES);
	assert_int_equal(le64toh(f->status.address), address);
}

void refused_at(struct fixture *f, uint32_t code, uint64_t address)
{
	add_st(f, FAA_TYPE_U32, 1, imm(f->out.va), 0, imm(1));
	run_error(f, code, 0, 0, address);
	assert_int_equal(f->status.warps, 0);
	assert_int_equal(*(uint32_t *)f->out.ptr, 0);
}

void refused(struct fixture *f, uint32_t code, unsigned int index)
{
	refused_at(f, code, f->words[index]);
}

void shared_fill(struct fixture *f, const uint32_t *values, unsigned int count)
{
	struct faa_issue issue = f->issue;
	struct faa_issue all = FAA_ISSUE_DEFAULT;
	uint32_t *in = (uint32_t *)((uint8_t *)f->in.ptr + FIXTURE_BUFFER / 2);

	f->issue = all;
	for (unsigned int i = 0; i < count; i++)
		in[i] = htole32(values[i]);
	add_sts(f, FAA_TYPE_U32, count, affine(0, 4), 0,
		stream(FAA_TYPE_U32, f->in.va + FIXTURE_BUFFER / 2, 4));
	run(f);
	f->issue = issue;
}

void shared_dump(struct fixture *f, uint32_t *values, unsigned int count)
{
	struct faa_issue issue = f->issue;
	struct faa_issue all = FAA_ISSUE_DEFAULT;
	const uint32_t *out = (uint32_t *)((uint8_t *)f->out.ptr + FIXTURE_BUFFER / 2);

	f->issue = all;
	add_lds(f, FAA_TYPE_U32, count, stream(FAA_TYPE_U32, f->out.va + FIXTURE_BUFFER / 2, 4),
		affine(0, 4), 0);
	run(f);
	f->issue = issue;
	for (unsigned int i = 0; i < count; i++)
		values[i] = le32toh(out[i]);
}

uint64_t cu_counter(struct fixture *f, enum faa_counter counter)
{
	uint64_t sum = 0;

	for (unsigned int cu = 0; cu < f->host->num_cus; cu++)
		sum += tb_read64(f->host, FAA_REG_CU_COUNTER_LO(cu, counter));
	return sum;
}

uint32_t queue_enable_with(uint32_t slots)
{
	return FAA_REG_QUEUE_CONTROL_ENABLE_MASK | slots << FAA_REG_QUEUE_CONTROL_SLOTS_SHIFT;
}

unsigned int queue_another(const struct fixture *f)
{
	return f->queue->index ? 0 : 1;
}

void queue_leave(struct fixture *f)
{
	tb_write(f->host, FAA_REG_EVENT_STATUS, FAA_REG_EVENT_ENABLE_MASK_MASK);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(f->queue->index), FAA_REG_QUEUE_CONTROL_KEEP_MASK);
	assert_true(tb_wait_reg(f->host, FAA_REG_QUEUE_STATE(f->queue->index),
				FAA_REG_QUEUE_STATE_STATE_MASK, FAA_QUEUE_STATE_DISABLED));
	assert_true(tb_idle(f->host));
	assert_int_equal(tb_read(f->host, FAA_REG_EVENT_STATUS),
			 FAA_REG_EVENT_STATUS_QUEUE_SAVED_MASK);
}

void queue_enter(struct fixture *f, unsigned int index, uint32_t slots)
{
	static const uint32_t configuration[] = {
		FAA_REG_QUEUE_RING_LO(0),  FAA_REG_QUEUE_RING_HI(0), FAA_REG_QUEUE_RING_SIZE(0),
		FAA_REG_QUEUE_CONFIG0(0),  FAA_REG_QUEUE_PT_LO(0),   FAA_REG_QUEUE_PT_HI(0),
		FAA_REG_QUEUE_SAVE_LO(0),  FAA_REG_QUEUE_SAVE_HI(0), FAA_REG_QUEUE_SEQNO_LO(0),
		FAA_REG_QUEUE_SEQNO_HI(0), FAA_REG_QUEUE_SHARED(0),
	};
	uint32_t from = f->queue->index * FAA_REG_QUEUE_STRIDE, to = index * FAA_REG_QUEUE_STRIDE;

	for (unsigned int i = 0; i < sizeof(configuration) / sizeof(configuration[0]); i++)
		tb_write(f->host, configuration[i] + to, tb_read(f->host, configuration[i] + from));
	f->queue->index = index;
	f->queue->tail = 0;
	*(uint64_t *)tb_ptr(f->host, f->queue->seqno) = 0;
	tb_write(f->host, FAA_REG_QUEUE_TAIL(index), 0);
	tb_write(f->host, FAA_REG_QUEUE_CONTROL(index), queue_enable_with(slots));
}
