// SPDX-License-Identifier: MIT
/*
 * vISA on the device: programs of random SVM_ATOMIC instructions. The emitted stream must leave
 * memory and variables as an interpreter of the text does. Also tests the instructions that
 * emission rejects.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_asm.h"

#include "fixture.h"

#define ELEMENTS 64u
#define MEMORY	 64u /* size of the memory that addresses point to: lanes often share words */
#define INSTS	 10u

enum kind { UD, D, F, UQ, Q, KINDS };

static const char *const kind_names[KINDS] = { "ud", "d", "f", "uq", "q" };
static const uint8_t kind_bytes[KINDS] = { 4, 4, 4, 8, 8 };

/*
 * There are two sources and two destinations of each kind; of uq also the addresses of each width.
 */
#define SOURCES	   2u
#define PER_KIND   4u
#define ADDRESSES  (PER_KIND * KINDS)
#define VARIABLES  (ADDRESSES + 3)
#define PREDICATES 2u

static enum kind kind_of(unsigned int variable)
{
	return variable < ADDRESSES ? (enum kind)(variable / PER_KIND) : UQ;
}

struct inst {
	unsigned int op;
	unsigned int width; /* bits */
	unsigned int channel;
	unsigned int size;
	bool no_mask;
	int predicate; /* -1: none */
	bool invert;
	unsigned int combine; /* 0 each, 1 any, 2 all */
	/* Variable, -1 = null, and first element: addresses, dst, src0, src1. */
	int variable[4];
	unsigned int element[4];
};

static const struct op {
	const char *name;
	unsigned int sources;
	bool is_signed;
	bool is_float;
} ops[] = {
	{ "add", 1, false, false },    { "sub", 1, false, false },     { "inc", 0, false, false },
	{ "dec", 0, false, false },    { "min", 1, false, false },     { "max", 1, false, false },
	{ "xchg", 1, false, false },   { "cmpxchg", 2, false, false }, { "and", 1, false, false },
	{ "or", 1, false, false },     { "xor", 1, false, false },     { "imin", 1, true, false },
	{ "maxsint", 1, true, false }, { "predec", 0, false, false },  { "fmax", 1, false, true },
	{ "fmin", 1, false, true },    { "fcmpwr", 2, false, true },
};

#define OPS (sizeof(ops) / sizeof(ops[0]))

enum {
	ADD,
	SUB,
	INC,
	DEC,
	MIN,
	MAX,
	XCHG,
	CMPXCHG,
	AND,
	OR,
	XOR,
	IMIN,
	IMAX,
	PREDEC,
	FMAX,
	FMIN,
	FCMPWR
};

/* A program, its initial state, and its expected result. */
struct program {
	struct inst insts[INSTS];
	unsigned int count;
	uint32_t lanes;
	uint64_t variables[VARIABLES][ELEMENTS];
	bool is_input[VARIABLES];
	bool predicates[PREDICATES][32];
	uint8_t memory[MEMORY];
};

static uint64_t below(uint64_t *seed, uint64_t limit)
{
	return (test_random(seed) >> 16) % limit;
}

/* -------------------------------------------------------------------------------------------------
 * The meaning of a program
 */

static uint64_t width_mask(unsigned int width)
{
	return width == 64 ? UINT64_MAX : (1ull << width) - 1;
}

static int64_t sign_extended(uint64_t value, unsigned int width)
{
	return (int64_t)(value << (64 - width)) >> (64 - width);
}

static bool is_nan(uint64_t value, unsigned int width)
{
	return width == 16 ? (value & 0x7fff) > 0x7c00 : (value & 0x7fffffff) > 0x7f800000;
}

/* Numbers in their order, -0 before +0. */
static int64_t float_key(uint64_t value, unsigned int width)
{
	int64_t magnitude = (int64_t)(value & (width_mask(width) >> 1));

	return value >> (width - 1) ? -1 - magnitude : magnitude;
}

static uint64_t float_minmax(uint64_t a, uint64_t b, unsigned int width, bool max)
{
	if (is_nan(a, width) && is_nan(b, width))
		return width == 16 ? 0x7e00 : 0x7fc00000;
	if (is_nan(a, width) || is_nan(b, width))
		return is_nan(a, width) ? b : a;
	return (float_key(a, width) < float_key(b, width)) == max ? b : a;
}

static bool float_equal(uint64_t a, uint64_t b, unsigned int width)
{
	uint64_t zero = width_mask(width) >> 1;

	return !is_nan(a, width) && !is_nan(b, width) && (a == b || !((a | b) & zero));
}

static uint64_t new_value(unsigned int op, unsigned int width, uint64_t old, uint64_t s0,
			  uint64_t s1)
{
	switch (op) {
	case ADD:
		return old + s0;
	case SUB:
		return old - s0;
	case INC:
		return old + 1;
	case DEC:
	case PREDEC:
		return old - 1;
	case MIN:
		return old < s0 ? old : s0;
	case MAX:
		return old > s0 ? old : s0;
	case XCHG:
		return s0;
	case CMPXCHG:
		return old == s1 ? s0 : old;
	case AND:
		return old & s0;
	case OR:
		return old | s0;
	case XOR:
		return old ^ s0;
	case IMIN:
		return sign_extended(old, width) < sign_extended(s0, width) ? old : s0;
	case IMAX:
		return sign_extended(old, width) > sign_extended(s0, width) ? old : s0;
	case FMAX:
	case FMIN:
		return float_minmax(old, s0, width, op == FMAX);
	default:
		return float_equal(old, s0, width) ? s1 : old;
	}
}

static bool is_enabled(const struct program *p, const struct inst *i, unsigned int n)
{
	bool any = false, all = true, bit;
	unsigned int c;

	if (!i->no_mask && !(p->lanes >> (i->channel + n) & 1))
		return false;
	if (i->predicate < 0)
		return true;
	for (c = 0; c < i->size; c++) {
		any |= p->predicates[i->predicate][i->channel + c];
		all &= p->predicates[i->predicate][i->channel + c];
	}
	bit = i->combine == 1 ? any :
	      i->combine == 2 ? all :
				p->predicates[i->predicate][i->channel + n];
	return bit != i->invert;
}

static void execute(struct program *p, const struct inst *i, uint64_t base)
{
	uint64_t values[4][8] = { 0 };
	unsigned int n, slot;

	for (slot = 0; slot < 4; slot++)
		for (n = 0; n < i->size && i->variable[slot] >= 0; n++)
			values[slot][n] = p->variables[i->variable[slot]][i->element[slot] + n];
	for (n = 0; n < i->size; n++) {
		uint64_t mask = width_mask(i->width), old = 0, next;
		uint8_t *place = p->memory + (values[0][n] - base);

		if (!is_enabled(p, i, n))
			continue;
		memcpy(&old, place, i->width / 8);
		next = new_value(i->op, i->width, old, values[2][n] & mask, values[3][n] & mask) &
		       mask;
		memcpy(place, &next, i->width / 8);
		if (i->variable[1] >= 0)
			p->variables[i->variable[1]][i->element[1] + n] = i->op == PREDEC ? next :
											    old;
	}
}

/* -------------------------------------------------------------------------------------------------
 * Random programs
 */

static uint64_t random_value(uint64_t *seed, enum kind kind)
{
	static const uint64_t special[] = { 0,		1,	    2,		0x80000000,
					    0x7fc00001, 0xff800000, 0x7f800001, 0x3f800000,
					    0x00008000, 0x00007e01, 0x0000fc00, 0x00003c00,
					    0xffffffff };
	uint64_t value = below(seed, 3) ?
				 special[below(seed, sizeof(special) / sizeof(special[0]))] :
				 test_random(seed);

	return kind_bytes[kind] == 4 ? value & 0xffffffff : value;
}

static void random_state(struct program *p, uint64_t *seed, uint64_t base)
{
	unsigned int v, i;

	p->lanes = below(seed, 3) ? (uint32_t)test_random(seed) :
		   below(seed, 2) ? UINT32_MAX :
				    0xff;
	for (v = 0; v < VARIABLES; v++) {
		p->is_input[v] = v >= ADDRESSES || below(seed, 4);
		for (i = 0; i < ELEMENTS; i++) {
			uint64_t bytes = v < ADDRESSES ? 0 : 2ull << (v - ADDRESSES);

			p->variables[v][i] =
				!p->is_input[v] ? 0 :
				v < ADDRESSES	? random_value(seed, kind_of(v)) :
						  base + below(seed, MEMORY / bytes) * bytes;
		}
	}
	for (v = 0; v < PREDICATES; v++)
		for (i = 0; i < (v ? 16u : 32u); i++)
			p->predicates[v][i] = below(seed, 2);
	for (i = 0; i < MEMORY; i++)
		p->memory[i] = below(seed, 2) ? (uint8_t)test_random(seed) : 0;
}

/* Usually the element with the number of the lane. */
static unsigned int random_element(uint64_t *seed, const struct inst *i, unsigned int bytes)
{
	unsigned int step = 32 / bytes;

	if (below(seed, 3))
		return i->channel / step * step;
	return (unsigned int)below(seed, (ELEMENTS - 8) / step + 1) * step;
}

/* Integers of either signedness suit every operation on integers. */
static enum kind random_kind(const struct inst *i, uint64_t *seed)
{
	bool is_signed = below(seed, 4) ? ops[i->op].is_signed : !ops[i->op].is_signed;

	if (ops[i->op].is_float)
		return F;
	if (i->width == 64)
		return is_signed ? Q : UQ;
	return is_signed ? D : UD;
}

static void random_inst(struct inst *i, uint64_t *seed)
{
	unsigned int slot;

	i->op = (unsigned int)below(seed, OPS);
	i->width = ops[i->op].is_float ? 16u << below(seed, 2) : 16u << below(seed, 3);
	i->size = 1u << below(seed, 4);
	i->channel = (unsigned int)below(seed, 8) * 4 / i->size * i->size;
	i->no_mask = !below(seed, 4);
	i->predicate = (int)below(seed, 4) - 2;
	i->predicate = i->predicate < 0 ? -1 : i->predicate;
	i->invert = below(seed, 2);
	i->combine = (unsigned int)below(seed, 3);
	for (slot = 0; slot < 4; slot++) {
		enum kind kind = random_kind(i, seed);
		unsigned int bytes = slot ? kind_bytes[kind] : 8;

		i->element[slot] = random_element(seed, i, bytes);
		if (slot == 0)
			i->variable[0] = (int)(ADDRESSES + (i->width == 16 ? 0 :
							    i->width == 32 ? 1 :
									     2));
		else if (slot == 1)
			i->variable[1] = below(seed, 4) ?
						 (int)(PER_KIND * kind + SOURCES + below(seed, 2)) :
						 -1;
		else
			i->variable[slot] =
				ops[i->op].sources < slot - 1 ?
					-1 :
					(int)(PER_KIND * kind +
					      below(seed, below(seed, 4) ? SOURCES : PER_KIND));
	}
}

/* Sometimes the pattern of compilers for a warp of 32 lanes: four instructions. */
static void random_program(struct program *p, uint64_t *seed)
{
	p->count = 0;
	while (p->count < INSTS - 4) {
		struct inst *i = &p->insts[p->count++];
		unsigned int k, slot;

		random_inst(i, seed);
		if (below(seed, 4))
			continue;
		i->size = 8;
		i->channel = 0;
		memset(i->element, 0, sizeof(i->element));
		for (k = 1; k < 4 && p->count < INSTS; k++) {
			p->insts[p->count] = *i;
			p->insts[p->count].channel = 8 * k;
			for (slot = 0; slot < 4; slot++)
				p->insts[p->count].element[slot] = 8 * k;
			p->count++;
		}
	}
}

/* -------------------------------------------------------------------------------------------------
 * As text, and as a stream
 */

static void print_raw(FILE *file, const struct inst *i, unsigned int slot)
{
	if (i->variable[slot] < 0)
		fprintf(file, " %%null.0");
	else
		fprintf(file, " V%d.%u", i->variable[slot],
			i->element[slot] * kind_bytes[kind_of((unsigned int)i->variable[slot])]);
}

static void print_inst(FILE *file, const struct inst *i)
{
	static const char *const combine[] = { "", ".any", ".all" };
	unsigned int slot;

	if (i->predicate >= 0)
		fprintf(file, "(%sP%d%s) ", i->invert ? "!" : "", i->predicate + 1,
			combine[i->combine]);
	fprintf(file, "svm_atomic.%s.%u (M%u%s, %u)", ops[i->op].name, i->width, i->channel / 4 + 1,
		i->no_mask ? "_NM" : "", i->size);
	for (slot = 0; slot < 4; slot++)
		print_raw(file, i, slot);
	fprintf(file, "\n");
}

static char *print_program(const struct program *p, size_t *size)
{
	char *text = NULL;
	FILE *file = open_memstream(&text, size);
	unsigned int v;

	assert_non_null(file);
	fprintf(file, ".version 3.6\n.kernel \"random\"\n");
	for (v = 0; v < VARIABLES; v++)
		fprintf(file, ".decl V%u v_type=G type=%s num_elts=%u align=GRF\n", v,
			kind_names[kind_of(v)], ELEMENTS);
	fprintf(file, ".decl P1 v_type=P num_elts=32\n.decl P2 v_type=P num_elts=16\n");
	for (v = 0; v < p->count; v++)
		print_inst(file, &p->insts[v]);
	fprintf(file, "ret (M1, 1)\n");
	assert_int_equal(fclose(file), 0);
	return text;
}

/*
 * Offset of variable @v, or of the predicates after the variables, in the buffers for input and
 * output.
 */
static size_t place_of(unsigned int v)
{
	return (size_t)v * ELEMENTS * 8;
}

static void add_value(struct faa_asm_value *value, char *name, const char *format,
		      unsigned int number, struct faa_operand operand)
{
	snprintf(name, 8, format, number);
	value->name = name;
	value->operand = operand;
}

struct bindings {
	struct faa_asm_value inputs[VARIABLES + PREDICATES];
	struct faa_asm_value outputs[VARIABLES + PREDICATES];
	char names[VARIABLES + PREDICATES][8];
	char output_names[VARIABLES + PREDICATES][8];
	struct faa_asm_environment environment;
};

static void bind(struct fixture *f, const struct program *p, struct bindings *b)
{
	size_t inputs = 0, outputs = 0;
	unsigned int v, i;

	for (v = 0; v < VARIABLES + PREDICATES; v++) {
		bool predicate = v >= VARIABLES;
		unsigned int number = predicate ? v - VARIABLES + 1 : v;
		enum faa_type type = !predicate && kind_bytes[kind_of(v)] == 8 ? FAA_TYPE_U64 :
										 FAA_TYPE_U32;
		int32_t stride = type == FAA_TYPE_U64 ? 8 : 4;
		uint8_t *in = (uint8_t *)f->in.ptr + place_of(v);

		for (i = 0; i < (predicate ? 32 : ELEMENTS); i++) {
			uint64_t value = predicate ? p->predicates[number - 1][i] * 7ull :
						     p->variables[v][i];

			memcpy(in + (size_t)stride * i, &value, (size_t)stride);
		}
		if (predicate || p->is_input[v])
			add_value(&b->inputs[inputs], b->names[inputs], predicate ? "P%u" : "V%u",
				  number, stream(type, f->in.va + place_of(v), stride));
		inputs += predicate || p->is_input[v];
		add_value(&b->outputs[outputs], b->output_names[outputs], predicate ? "P%u" : "V%u",
			  number, stream(type, f->out.va + place_of(v), stride));
		outputs++;
	}
	b->environment = (struct faa_asm_environment){ .inputs = b->inputs,
						       .input_count = inputs,
						       .outputs = b->outputs,
						       .output_count = outputs,
						       .lanes = p->lanes };
}

/*
 * The stream of @text in the fixture.
 * Return: the result of faa_asm_emit().
 */
static int emit(struct fixture *f, const char *text, size_t size,
		const struct faa_asm_environment *environment, struct faa_asm_error *error)
{
	struct faa_stream *stream;
	struct faa_asm_code *code;
	const uint64_t *words;
	size_t count;
	int ret;

	if (faa_asm_read(FAA_ASM_VISA, FAA_ASM_TEXT, text, size, &code, error))
		fail_msg("%u:%u: %s in\n%s", error->line, error->column, error->text, text);
	assert_int_equal(faa_stream_create(&stream), 0);
	ret = faa_asm_emit(code, environment, stream, error);
	if (!ret) {
		faa_stream_end(stream);
		assert_int_equal(faa_stream_finish(stream), 0);
		words = faa_stream_words(stream, &count);
		/* The fixture appends an END of its own. */
		count--;
		assert_true(count < FIXTURE_CODE_WORDS - 1);
		memcpy(f->words, words, count * sizeof(*words));
		f->count = (unsigned int)count;
	}
	faa_stream_destroy(stream);
	faa_asm_destroy(code);
	return ret;
}

static void compare(struct fixture *f, const struct program *p, const char *text)
{
	unsigned int v, i;

	for (v = 0; v < VARIABLES + PREDICATES; v++) {
		bool predicate = v >= VARIABLES;
		unsigned int bytes = predicate ? 4 : kind_bytes[kind_of(v)];
		unsigned int count = !predicate ? ELEMENTS : v == VARIABLES ? 32 : 16;

		for (i = 0; i < count; i++) {
			uint64_t expected = predicate ? p->predicates[v - VARIABLES][i] :
							p->variables[v][i],
				 found = 0;

			memcpy(&found, (uint8_t *)f->out.ptr + place_of(v) + (size_t)bytes * i,
			       bytes);
			if (found != expected)
				fail_msg("%s%u, element %u: %#llx, not %#llx, lanes %#x, after\n%s",
					 predicate ? "P" : "V", predicate ? v - VARIABLES + 1 : v,
					 i, (unsigned long long)found, (unsigned long long)expected,
					 p->lanes, text);
		}
	}
}

/* Return: false if emission rejects the program. */
static bool run_program(struct fixture *f, struct program *p, struct tb_buffer memory)
{
	struct faa_asm_error error;
	struct bindings b;
	size_t size;
	char *text = print_program(p, &size);
	unsigned int i;
	int ret;

	bind(f, p, &b);
	memcpy(memory.ptr, p->memory, MEMORY);
	ret = emit(f, text, size, &b.environment, &error);
	if (ret) {
		assert_int_equal(ret, -EINVAL);
		if (!strstr(error.text, "cannot move"))
			fail_msg("%u: %s in\n%s", error.line, error.text, text);
		free(text);
		return false;
	}
	run(f);
	for (i = 0; i < p->count; i++)
		execute(p, &p->insts[i], memory.va);
	compare(f, p, text);
	if (memcmp(memory.ptr, p->memory, MEMORY) != 0)
		fail_msg("memory differs, lanes %#x, after\n%s", p->lanes, text);
	free(text);
	return true;
}

static void random_programs(void **state)
{
	struct fixture *f = *state;
	struct tb_buffer memory;
	uint64_t seed = 1;
	unsigned int i, ran = 0, programs = amount_of(f, 400, 80);

	needs_feature(f, FAA_FEATURE_SYS_ATOMICS);
	needs_feature(f, FAA_FEATURE_ATOMS_X2);
	needs_feature(f, FAA_FEATURE_ALU);
	memory = atomic_buffer(f, MEMORY);
	for (i = 0; i < programs; i++) {
		struct program *p = calloc(1, sizeof(*p));

		assert_non_null(p);
		random_state(p, &seed, memory.va);
		random_program(p, &seed);
		ran += run_program(f, p, memory);
		free(p);
	}
	print_message("%u of %u programs could be emitted\n", ran, programs);
	assert_true(ran > programs / 3);
}

/* -------------------------------------------------------------------------------------------------
 * Single cases
 */

/* Emits and runs @text, bare instructions, with V32 = @address + 4 * element in all elements. */
static void run_bare(struct fixture *f, const char *text, uint64_t address, uint32_t lanes)
{
	const struct faa_asm_value inputs[] = { { "V32", affine(address, 4) }, { "V33", imm(5) } };
	const struct faa_asm_environment environment = { .inputs = inputs,
							 .input_count = strstr(text, "V33") ? 2 : 1,
							 .lanes = lanes };
	struct faa_asm_error error;

	if (emit(f, text, strlen(text), &environment, &error))
		fail_msg("%u: %s", error.line, error.text);
}

static void check_words(struct tb_buffer memory, uint32_t value, uint32_t lanes)
{
	unsigned int i;

	for (i = 0; i < 32; i++)
		assert_int_equal(((uint32_t *)memory.ptr)[i], lanes >> i & 1 ? value : 0);
}

/* The four instructions of a warp are one command; a repeated instruction makes two. */
static void groups(void **state)
{
	static const char four[] = "svm_atomic.add (M1, 8) V32.0 %null.0 V33.0 %null.0\n"
				   "svm_atomic.add (M3, 8) V32.64 %null.0 V33.32 %null.0\n"
				   "svm_atomic.add (M5, 8) V32.128 %null.0 V33.64 %null.0\n"
				   "svm_atomic.add (M7, 8) V32.192 %null.0 V33.96 %null.0\n";
	static const char twice[] = "svm_atomic.add (M1, 8) V32.0 %null.0 V33.0 %null.0\n"
				    "svm_atomic.add (M1, 8) V32.0 %null.0 V33.0 %null.0\n";
	static const char forwards[] = "svm_atomic.add (M1, 8) V32.0 %null.0 V33.0 %null.0\n"
				       "svm_atomic.add (M3, 8) V32.64 %null.0 V33.32 %null.0\n";
	static const char backwards[] = "svm_atomic.add (M3, 8) V32.64 %null.0 V33.32 %null.0\n"
					"svm_atomic.add (M1, 8) V32.0 %null.0 V33.0 %null.0\n";
	struct fixture *f = *state;
	struct tb_buffer memory;
	unsigned int words;

	needs_feature(f, FAA_FEATURE_SYS_ATOMICS);
	memory = atomic_buffer(f, 4096);
	run_bare(f, four, memory.va, UINT32_MAX);
	words = f->count;
	run(f);
	check_words(memory, 5, UINT32_MAX);
	memset(memory.ptr, 0, 128);
	run_bare(f, twice, memory.va, UINT32_MAX);
	/* An ATOM with registers alone has 3 words. */
	assert_int_equal(f->count, words + 3);
	run(f);
	check_words(memory, 10, 0xff);
	/*
	 * One command would execute the lower channels first; of two instructions, the later one
	 * remains.
	 */
	memset(memory.ptr, 0, 128);
	run_bare(f, forwards, memory.va, UINT32_MAX);
	words = f->count;
	f->count = 0;
	run_bare(f, backwards, memory.va, UINT32_MAX);
	assert_true(f->count >= words + 3);
	run(f);
	check_words(memory, 5, 0xffff);
}

/* The mask of lanes; its effect with NM; instructions after ret. */
static void masks(void **state)
{
	struct fixture *f = *state;
	struct tb_buffer memory;

	needs_feature(f, FAA_FEATURE_SYS_ATOMICS);
	memory = atomic_buffer(f, 4096);
	run_bare(f, "svm_atomic.add (M3, 8) V32.64 %null.0 V33.0 %null.0\n", memory.va, 0x5a00);
	run(f);
	check_words(memory, 5, 0x5a00);
	memset(memory.ptr, 0, 128);
	run_bare(f,
		 "svm_atomic.inc (M3_NM, 8) V32.64 %null.0 %null.0 %null.0\nret (M1, 1)\n"
		 "svm_atomic.inc (M1, 8) V32.0 %null.0 %null.0 %null.0\n",
		 memory.va, 0xff);
	run(f);
	check_words(memory, 1, 0xff00);
	memset(memory.ptr, 0, 128);
	run_bare(f, "svm_atomic.inc (M3, 8) V32.64 %null.0 %null.0 %null.0\n", memory.va, 0xff);
	run(f);
	check_words(memory, 0, 0);
}

/* Counts the FENCE commands of scope @scope in the stream of @text. */
static void check_fence(struct fixture *f, const char *text, int scope)
{
	const struct faa_asm_environment environment = { .lanes = 1 };
	struct faa_asm_error error;

	assert_int_equal(emit(f, text, strlen(text), &environment, &error), 0);
	assert_int_equal(f->count, scope >= 0);
	if (scope >= 0) {
		assert_int_equal(f->words[0] & 0xff, FAA_OPCODE_FENCE);
		assert_int_equal(f->words[0] >> 32 & 0xff, FAA_FENCE_ORDER_ACQ_REL);
		assert_int_equal(f->words[0] >> 44 & 15, scope);
	}
	f->count = 0;
}

static void fences(void **state)
{
	check_fence(*state, "fence_global.E", FAA_SCOPE_SYS);
	check_fence(*state, "fence_global", FAA_SCOPE_SYS);
	check_fence(*state, "fence_local.E", FAA_SCOPE_CTA);
	check_fence(*state, "fence_sw", -1);
}

/* An instruction with @name as input or output is rejected with @reason. */
static void check_refused(struct fixture *f, const char *text, const char *name, bool output,
			  struct faa_operand operand, uint32_t line, const char *reason)
{
	const struct faa_asm_value value = { name, operand };
	const struct faa_asm_environment environment = { .inputs = &value,
							 .input_count = name && !output,
							 .outputs = &value,
							 .output_count = name && output,
							 .lanes = UINT32_MAX };
	struct faa_asm_error error;

	assert_int_equal(emit(f, text, strlen(text), &environment, &error), -EINVAL);
	assert_int_equal(error.line, line);
	if (!strstr(error.text, reason))
		fail_msg("'%s', not '%s'", error.text, reason);
}

#define HEAD                                                                                    \
	".version 3.6\n.kernel \"k\"\n.decl A v_type=G type=uq num_elts=32 align=GRF\n"         \
	".decl D v_type=G type=ud num_elts=32 align=GRF\n.decl W v_type=G type=uw num_elts=8\n" \
	".decl U v_type=G type=ud num_elts=8 align=GRF alias=<A, 64>\n.decl P v_type=P num_elts=8\n"

static void refusals(void **state)
{
	static const char plain[] = HEAD "svm_atomic.inc (M1, 8) A.0 D.0 %null.0 %null.0\n";
	struct fixture *f = *state;

	check_refused(f, plain, "B", false, imm(0), 0, "the code has no variable B");
	check_refused(f, plain, "V32", false, imm(0), 0, "the code has no variable V32");
	check_refused(f, plain, "U", false, imm(0), 0, "U is an alias");
	check_refused(f, plain, "W", true, imm(0), 0, "W holds elements of 2 bytes");
	check_refused(f, plain, "A", false, reg(1), 0, "A is set from");
	check_refused(f, plain, "D", true, imm(1), 0, "D is stored to an array");
	check_refused(f, HEAD "svm_atomic.inc (M1, 8) A.0 U.0 %null.0 %null.0\n", NULL, false,
		      none(), 8, "A is used as dwords and as qwords");
	check_refused(f, HEAD "(P) ret (M1, 1)\n", NULL, false, none(), 8,
		      "a ret with a predicate");
	check_refused(f,
		      HEAD "svm_atomic.inc (M1, 8) A.0 D.0 %null.0 %null.0\n"
			   "svm_atomic.add (M3, 8) A.64 %null.0 D.0 %null.0\n",
		      NULL, false, none(), 9, "element 0 of D is needed in lane 8");
}

/* Addresses take a pair of registers, and each of @dwords variables one. */
static int emit_variables(struct fixture *f, unsigned int dwords, struct faa_asm_error *error)
{
	const struct faa_asm_environment environment = { .lanes = 0xff };
	char text[32768] = "";
	unsigned int n;
	int ret;

	for (n = 0; n < dwords; n++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "svm_atomic.add (M1, 8) V32.0 %%null.0 V%u.0 %%null.0\n", 33 + n);
	ret = emit(f, text, strlen(text), &environment, error);
	f->count = 0;
	return ret;
}

static void every_register(void **state)
{
	struct faa_asm_error error;

	if (emit_variables(*state, 253, &error))
		fail_msg("%u: %s", error.line, error.text);
	assert_int_equal(emit_variables(*state, 254, &error), -EINVAL);
	assert_int_equal(error.line, 254);
	assert_string_equal(error.text, "the code needs more registers than the device has: 255");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(groups),	      FIXTURE_TEST(masks),    FIXTURE_TEST(fences),
		FIXTURE_TEST(every_register), FIXTURE_TEST(refusals), FIXTURE_TEST(random_programs),
	};

	return fixture_main(argc, argv, "visa", tests, sizeof(tests) / sizeof(tests[0]));
}
