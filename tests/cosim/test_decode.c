// SPDX-License-Identifier: MIT
/*
 * Decoding errors, rule by rule with the letters of device.rst. Each has its code, command and
 * word; neither the bad command nor those after it execute; the queue continues to work.
 */
#include <string.h>

#include "faa_model.h"

#include "fixture.h"

#define POISON	     0xdeadu
#define ATOMS_LENGTH 5
/* Words of the NOPs before the bad command. */
#define PREFIX 3

static const uint8_t control_opcodes[][2] = {
	/* opcode, length */
	{ FAA_OPCODE_NOP, 1 },	    { FAA_OPCODE_END, 1 },	  { FAA_OPCODE_JUMP, 2 },
	{ FAA_OPCODE_SEM_WAIT, 3 }, { FAA_OPCODE_SEM_SIGNAL, 3 }, { FAA_OPCODE_SNAPSHOT, 2 },
	{ FAA_OPCODE_FENCE, 1 },    { FAA_OPCODE_BAR, 1 },
};

static const uint8_t vector_opcodes[] = { FAA_OPCODE_MOV, FAA_OPCODE_SETP, FAA_OPCODE_ALU,
					  FAA_OPCODE_LD,  FAA_OPCODE_ST,   FAA_OPCODE_LDS,
					  FAA_OPCODE_STS, FAA_OPCODE_ATOMS };

#define CONTROLS (sizeof(control_opcodes) / sizeof(control_opcodes[0]))
#define VECTORS	 (sizeof(vector_opcodes) / sizeof(vector_opcodes[0]))

static bool has_opcode(struct fixture *f, unsigned int opcode)
{
	return opcode != FAA_OPCODE_ALU || has_feature(f, FAA_FEATURE_ALU);
}

static void begin(struct fixture *f)
{
	struct faa_issue issue = FAA_ISSUE_DEFAULT;

	f->issue = issue;
	f->count = 0;
	for (unsigned int i = 0; i < PREFIX; i++)
		f->count += faa_encode_nop(f->words + f->count, &issue);
}

/* A command of the given opcode that would be good. */
static void add_good(struct fixture *f, unsigned int opcode)
{
	uint64_t va = f->in.va;

	switch (opcode) {
	case FAA_OPCODE_JUMP:
		add_jump(f, FAA_JUMP_COND_ALWAYS, 2);
		break;
	case FAA_OPCODE_SEM_WAIT:
		f->count +=
			faa_encode_sem_wait(f->words + f->count, &f->issue, FAA_SEM_COND_GE, va, 0);
		break;
	case FAA_OPCODE_SEM_SIGNAL:
		f->count += faa_encode_sem_signal(f->words + f->count, &f->issue, FAA_SEM_OP_SET,
						  va, 0);
		break;
	case FAA_OPCODE_SNAPSHOT:
		f->count += faa_encode_snapshot(f->words + f->count, &f->issue, va);
		break;
	case FAA_OPCODE_MOV:
		add_mov(f, FAA_TYPE_U32, 32, reg(1), reg(2));
		break;
	case FAA_OPCODE_SETP:
		add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, 1, reg(1), imm(0));
		break;
	case FAA_OPCODE_ALU:
		add_alu(f, 0, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, reg(1), reg(2), imm(0));
		break;
	case FAA_OPCODE_LD:
		add_ld(f, FAA_TYPE_U32, 32, reg(1), affine(va, 4), 0);
		break;
	case FAA_OPCODE_ST:
		add_st(f, FAA_TYPE_U32, 32, affine(va, 4), 0, reg(1));
		break;
	case FAA_OPCODE_LDS:
		add_lds(f, FAA_TYPE_U32, 32, reg(1), affine(0, 4), 0);
		break;
	case FAA_OPCODE_STS:
		add_sts(f, FAA_TYPE_U32, 32, affine(0, 4), 0, reg(1));
		break;
	case FAA_OPCODE_ATOMS:
		add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, none(), affine(0, 4), 0, reg(1),
			  none());
		break;
	default:
		add_word(f, faa_encode_header(opcode, 1, &f->issue, 0, 0, 0));
	}
}

/* A word of the command under test, which follows the prefix. */
static uint64_t *word(struct fixture *f, unsigned int index)
{
	return &f->words[PREFIX + index];
}

/*
 * Runs the stream followed by a store: the command must fail as given, and the store must not
 * happen.
 */
static void expect(struct fixture *f, uint32_t code, uint64_t address)
{
	volatile uint32_t *poisoned = f->out.ptr;

	*poisoned = 0;
	add_st(f, FAA_TYPE_U32, 1, imm(f->out.va), 0, imm(POISON));
	run_error(f, code, PREFIX * 8, 0, address);
	assert_int_equal(*poisoned, 0);
	assert_int_equal(f->status.warps, 0);
}

static void set_header(struct fixture *f, uint64_t clear, uint64_t set)
{
	*word(f, 0) = (*word(f, 0) & ~clear) | set;
}

static void expect_header(struct fixture *f, uint32_t code)
{
	expect(f, code, *word(f, 0));
}

static bool known(unsigned int opcode)
{
	for (unsigned int i = 0; i < CONTROLS; i++)
		if (control_opcodes[i][0] == opcode)
			return true;
	for (unsigned int i = 0; i < VECTORS; i++)
		if (vector_opcodes[i] == opcode)
			return true;
	return false;
}

/* Opcodes that not every device has; test_atom.c and test_surface.c test their rules. */
static bool known_by_feature(struct fixture *f, unsigned int opcode)
{
	if (opcode == FAA_OPCODE_ATOM)
		return has_feature(f, FAA_FEATURE_GLOBAL_ATOMICS);
	return (opcode == FAA_OPCODE_SUATOM || opcode == FAA_OPCODE_CONFIG) &&
	       has_feature(f, FAA_FEATURE_SURFACE_ATOMICS);
}

static void a_stream_without_end(void **state)
{
	struct fixture *f = *state;

	begin(f);
	assert_int_equal(run_raw(f), FAA_ERROR_TRUNCATED);
	assert_int_equal(f->status.command, PREFIX * 8);
	assert_int_equal(f->status.address, 0);
}

static void b_every_unknown_opcode(void **state)
{
	struct fixture *f = *state;

	for (unsigned int opcode = 0; opcode < 256; opcode++) {
		/* ATOM is a command of some builds; see test_atom.c. */
		if (known(opcode) || known_by_feature(f, opcode))
			continue;
		begin(f);
		/* Reserved bits and a bad length have lower precedence. */
		add_word(f, opcode | 0xffff000000000000ULL | (uint64_t)(opcode * 7 % 256) << 8);
		expect_header(f, FAA_ERROR_ILLEGAL_COMMAND);
	}
}

static void c_every_impossible_length(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < CONTROLS; i++) {
		for (unsigned int length = 0; length < 18; length++) {
			if (length == control_opcodes[i][1])
				continue;
			begin(f);
			add_good(f, control_opcodes[i][0]);
			set_header(f, FAA_HEADER_LENGTH_MASK, FAA_PUT(HEADER_LENGTH, length));
			expect_header(f, FAA_ERROR_BAD_LENGTH);
		}
	}
	for (unsigned int i = 0; i < VECTORS; i++) {
		static const unsigned int lengths[] = { 0, 1, 2, 16, 17, 128, 255 };

		for (unsigned int j = 0; j < sizeof(lengths) / sizeof(lengths[0]); j++) {
			begin(f);
			add_good(f, vector_opcodes[i]);
			set_header(f, FAA_HEADER_LENGTH_MASK, FAA_PUT(HEADER_LENGTH, lengths[j]));
			expect_header(f, FAA_ERROR_BAD_LENGTH);
		}
	}
}

static void d_stream_ends_inside_every_command(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < CONTROLS + VECTORS; i++) {
		unsigned int opcode = i < CONTROLS ? control_opcodes[i][0] :
						     vector_opcodes[i - CONTROLS];
		unsigned int length;

		begin(f);
		add_good(f, opcode);
		length = f->count - PREFIX;
		for (unsigned int left = 1; left < length; left++) {
			begin(f);
			add_good(f, opcode);
			/* Header fields other than the length are not checked. */
			set_header(f, 0, FAA_HEADER_RESERVED);
			f->count = PREFIX + left;
			assert_int_equal(run_raw(f), FAA_ERROR_TRUNCATED);
			assert_int_equal(f->status.command, PREFIX * 8);
			assert_int_equal(f->status.address, 0);
		}
	}
	/* A vector command of every length up to 15. */
	for (unsigned int length = 3; length <= 15; length++) {
		for (unsigned int left = 1; left < length; left += 3) {
			begin(f);
			add_good(f, FAA_OPCODE_MOV);
			set_header(f, FAA_HEADER_LENGTH_MASK, FAA_PUT(HEADER_LENGTH, length));
			while (f->count < PREFIX + 15)
				add_word(f, 0);
			f->count = PREFIX + left;
			assert_int_equal(run_raw(f), FAA_ERROR_TRUNCATED);
		}
	}
}

/* a, d: the fetch itself faults, in the header or in any later word. */
static void ad_fetch_faults(void **state)
{
	struct fixture *f = *state;
	uint64_t end_va = f->code.va + f->code.bytes;
	uint64_t *end = (uint64_t *)((uint8_t *)f->code.ptr + f->code.bytes);

	for (unsigned int words = 0; words < ATOMS_LENGTH; words++) {
		uint32_t job;
		const struct faa_status *status;

		begin(f);
		add_good(f, FAA_OPCODE_ATOMS);
		/* The page after the buffer is not mapped. */
		memcpy(end - PREFIX - words, f->words, (PREFIX + words) * 8);
		job = tb_submit(f->queue, end_va - (PREFIX + words) * 8, 4096);
		assert_true(tb_wait(f->queue, job));
		status = tb_status(f->queue, job);
		assert_int_equal(status->code, FAA_ERROR_NOT_MAPPED);
		assert_int_equal(status->command, PREFIX * 8);
		assert_int_equal(status->address, end_va);
	}
	f->count = 0;
	run(f);
}

static void a_stream_at_a_bad_address(void **state)
{
	struct fixture *f = *state;
	uint32_t job;

	job = tb_submit(f->queue, 0x1000000000000ULL, 64);
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_NON_CANONICAL);
	assert_int_equal(tb_status(f->queue, job)->address, 0x1000000000000ULL);
	job = tb_submit(f->queue, 0, 64);
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_NOT_MAPPED);
	run(f);
}

/* e: bits 63..48; op, type and mod of commands that do not have them. */
static void e_every_reserved_header_bit(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < CONTROLS + VECTORS; i++) {
		unsigned int opcode = i < CONTROLS ? control_opcodes[i][0] :
						     vector_opcodes[i - CONTROLS];
		bool has_op = opcode == FAA_OPCODE_JUMP || opcode == FAA_OPCODE_SEM_WAIT ||
			      opcode == FAA_OPCODE_SEM_SIGNAL || opcode == FAA_OPCODE_FENCE ||
			      opcode == FAA_OPCODE_SETP || opcode == FAA_OPCODE_ATOMS ||
			      opcode == FAA_OPCODE_ALU || opcode == FAA_OPCODE_BAR;
		bool has_mod = opcode == FAA_OPCODE_FENCE || opcode == FAA_OPCODE_SETP ||
			       opcode == FAA_OPCODE_ATOMS || opcode == FAA_OPCODE_ALU;

		for (unsigned int bit = 32; bit < 64; bit++) {
			if ((bit < 40 && has_op) || (bit >= 40 && bit < 44 && i >= CONTROLS) ||
			    (bit >= 44 && bit < 48 && has_mod))
				continue;
			begin(f);
			add_good(f, opcode);
			/* Has precedence over a bad guard or barrier (f) and a bad type (g). */
			set_header(f, 0, 1ULL << bit | FAA_PUT(HEADER_WRITE_BARRIER, 7));
			if (i < CONTROLS)
				set_header(f, FAA_HEADER_GUARD_MASK, 0);
			expect_header(f, FAA_ERROR_RESERVED_BITS);
		}
	}
}

static void f_guards_and_barriers(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < CONTROLS; i++) {
		unsigned int opcode = control_opcodes[i][0];

		for (unsigned int guard = 0; guard < 15 && opcode != FAA_OPCODE_JUMP; guard++) {
			/* Bit 3 is negation; 7 is the one good guard. */
			begin(f);
			add_good(f, opcode);
			set_header(f, 15u << 16, (uint64_t)(guard < 7 ? guard : guard + 1) << 16);
			expect_header(f, FAA_ERROR_ILLEGAL_OPERAND);
		}
		for (unsigned int barrier = 0; barrier < 7; barrier++) {
			begin(f);
			add_good(f, opcode);
			set_header(f, FAA_HEADER_READ_BARRIER_MASK,
				   FAA_PUT(HEADER_READ_BARRIER, barrier));
			expect_header(f, FAA_ERROR_ILLEGAL_OPERAND);
			begin(f);
			add_good(f, opcode);
			set_header(f, FAA_HEADER_WRITE_BARRIER_MASK,
				   FAA_PUT(HEADER_WRITE_BARRIER, barrier));
			expect_header(f, FAA_ERROR_ILLEGAL_OPERAND);
		}
	}
	for (unsigned int i = 0; i < VECTORS; i++) {
		begin(f);
		add_good(f, vector_opcodes[i]);
		/* Has precedence over an unknown type (g). */
		set_header(f, FAA_HEADER_READ_BARRIER_MASK,
			   FAA_PUT(HEADER_READ_BARRIER, 6) | FAA_HEADER_TYPE_MASK);
		expect_header(f, FAA_ERROR_ILLEGAL_OPERAND);
		begin(f);
		add_good(f, vector_opcodes[i]);
		set_header(f, FAA_HEADER_WRITE_BARRIER_MASK, FAA_PUT(HEADER_WRITE_BARRIER, 6));
		expect_header(f, FAA_ERROR_ILLEGAL_OPERAND);
	}
}

static bool integer_of_32_or_64_bits(unsigned int type)
{
	return type == FAA_TYPE_U32 || type == FAA_TYPE_S32 || type == FAA_TYPE_U64 ||
	       type == FAA_TYPE_S64;
}

/* The table of ATOMS, as text: op, then its types. */
static bool atoms_has(unsigned int op, unsigned int type)
{
	bool arithmetic = type == FAA_TYPE_F32 || type == FAA_TYPE_F64 || type == FAA_TYPE_F16X2 ||
			  type == FAA_TYPE_BF16X2;

	if (op == FAA_ATOMS_OP_INC || op == FAA_ATOMS_OP_DEC)
		return type == FAA_TYPE_U32 || type == FAA_TYPE_U64;
	if (op == FAA_ATOMS_OP_ADD || op == FAA_ATOMS_OP_MIN || op == FAA_ATOMS_OP_MAX)
		return integer_of_32_or_64_bits(type) || arithmetic;
	return op <= FAA_ATOMS_OP_CAST_SPIN && integer_of_32_or_64_bits(type);
}

/* The table of ALU. */
static bool alu_has(unsigned int op, unsigned int type)
{
	if (op == FAA_ALU_OP_MUL)
		return type == FAA_TYPE_U32 || type == FAA_TYPE_S32;
	if (op <= FAA_ALU_OP_MAX && (type == FAA_TYPE_F32 || type == FAA_TYPE_F64))
		return true;
	return op < FAA_ALU_OP_MUL && integer_of_32_or_64_bits(type);
}

static bool command_has(unsigned int opcode, unsigned int op, unsigned int type)
{
	bool small = type == FAA_TYPE_U8 || type == FAA_TYPE_U16;
	bool wide = type == FAA_TYPE_U32 || type == FAA_TYPE_U64;

	switch (opcode) {
	case FAA_OPCODE_ATOMS:
		return atoms_has(op, type);
	case FAA_OPCODE_ALU:
		return alu_has(op, type);
	case FAA_OPCODE_SETP:
		return op < 6 && (integer_of_32_or_64_bits(type) || type == FAA_TYPE_F32 ||
				  type == FAA_TYPE_F64);
	case FAA_OPCODE_MOV:
		return wide;
	case FAA_OPCODE_LD:
	case FAA_OPCODE_LDS:
		return small || wide || type == FAA_TYPE_S8 || type == FAA_TYPE_S16;
	}
	return small || wide;
}

static void g_every_operation_with_every_type(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < VECTORS; i++) {
		unsigned int opcode = vector_opcodes[i];
		bool has_op = opcode == FAA_OPCODE_SETP || opcode == FAA_OPCODE_ATOMS ||
			      opcode == FAA_OPCODE_ALU;

		for (unsigned int pair = 0; pair < (has_op ? 256 : 16); pair++) {
			unsigned int op = pair / 16, type = pair % 16;

			if (command_has(opcode, op, type))
				continue;
			begin(f);
			add_good(f, opcode);
			set_header(f, FAA_HEADER_OP_MASK | FAA_HEADER_TYPE_MASK,
				   FAA_PUT(HEADER_OP, op) | FAA_PUT(HEADER_TYPE, type));
			/* Has precedence over reserved bits of the second word (h). */
			*word(f, 1) |= FAA_SHAPE_RESERVED;
			expect_header(f, FAA_ERROR_ILLEGAL_OPERATION);
		}
	}
}

static void g_unknown_operations_and_modes(void **state)
{
	static const unsigned int known_ops[][2] = {
		{ FAA_OPCODE_JUMP, 4 },	 { FAA_OPCODE_SEM_WAIT, 2 }, { FAA_OPCODE_SEM_SIGNAL, 1 },
		{ FAA_OPCODE_FENCE, 4 }, { FAA_OPCODE_SETP, 6 },     { FAA_OPCODE_ATOMS, 12 },
		{ FAA_OPCODE_ALU, 10 },	 { FAA_OPCODE_BAR, 1 },
	};
	struct fixture *f = *state;

	for (unsigned int i = 0; i < sizeof(known_ops) / sizeof(known_ops[0]); i++) {
		for (unsigned int op = known_ops[i][1]; op < 256; op += op < 20 ? 1 : 59) {
			begin(f);
			add_good(f, known_ops[i][0]);
			set_header(f, FAA_HEADER_OP_MASK, FAA_PUT(HEADER_OP, op));
			expect_header(f, FAA_ERROR_ILLEGAL_OPERATION);
		}
	}
	for (unsigned int mod = 3; mod < 16; mod++) {
		begin(f);
		add_good(f, FAA_OPCODE_FENCE);
		set_header(f, 0, FAA_PUT(HEADER_MOD, mod));
		expect_header(f, FAA_ERROR_ILLEGAL_OPERATION);
		if (mod < 8)
			continue;
		begin(f);
		add_good(f, FAA_OPCODE_SETP);
		set_header(f, FAA_HEADER_MOD_MASK, FAA_PUT(HEADER_MOD, mod));
		expect_header(f, FAA_ERROR_ILLEGAL_OPERATION);
	}
}

/* Is the mask a mode of the operation? Written down by hand: device.rst, rule g. */
static bool mode_allowed(unsigned int opcode, unsigned int op, unsigned int type, unsigned int mode)
{
	bool floating = type == FAA_TYPE_F32 || type == FAA_TYPE_F64 || type == FAA_TYPE_F16X2 ||
			type == FAA_TYPE_BF16X2;

	switch (mode) {
	case 0:
		return true;
	case FAA_FLOAT_MODE_FTZ:
		return floating;
	case FAA_FLOAT_MODE_RELAXED:
	case FAA_FLOAT_MODE_RELAXED | FAA_FLOAT_MODE_FTZ:
		return floating && opcode == FAA_OPCODE_ATOMS && op == FAA_ATOMS_OP_ADD;
	}
	return false;
}

static void add_with_mode(struct fixture *f, unsigned int opcode, unsigned int op,
			  unsigned int type, unsigned int mode)
{
	if (opcode == FAA_OPCODE_ATOMS)
		add_atoms_mode(f, mode, op, type, 32, none(), affine(0, 8), 0, reg(2), none());
	else
		add_alu(f, mode, op, type, 32, reg(2), reg(4), reg(6));
}

/*
 * Every legal operation and type of ATOMS and ALU: with the modes that it may have, all in one job,
 * or with each of the others, which must fail; unknown bits are set one at a time.
 */
static void check_float_modes(struct fixture *f, bool allowed)
{
	static const unsigned int opcodes[] = { FAA_OPCODE_ATOMS, FAA_OPCODE_ALU };

	for (unsigned int i = 0; i < 2 * 16 * 16 * 5; i++) {
		unsigned int opcode = opcodes[i % 2], op = i / 2 % 16, type = i / 32 % 16;
		unsigned int mode = i / 512 < 4 ? i / 512 : 4 + (op + type) % 12;

		if (!command_has(opcode, op, type) ||
		    (opcode == FAA_OPCODE_ATOMS && op >= FAA_ATOMS_OP_CAS) ||
		    mode_allowed(opcode, op, type, mode) != allowed)
			continue;
		if (!allowed)
			begin(f);
		add_with_mode(f, opcode, op, type, mode);
		if (allowed)
			continue;
		/* Has precedence over reserved bits of the second word (h). */
		*word(f, 1) |= FAA_SHAPE_RESERVED;
		expect_header(f, FAA_ERROR_ILLEGAL_OPERATION);
	}
}

static void g_every_float_mode(void **state)
{
	struct fixture *f = *state;

	needs_relaxed(f);
	begin(f);
	check_float_modes(f, true);
	run(f);
	check_float_modes(f, false);
}

/* Is the operation in a build that lacks one feature? */
static bool built_without(enum faa_feature gone, unsigned int opcode, unsigned int op,
			  unsigned int type, unsigned int mode)
{
	bool floating = type == FAA_TYPE_F32 || type == FAA_TYPE_F64;

	switch (gone) {
	case FAA_FEATURE_ATOMS_INT64:
		if (opcode != FAA_OPCODE_ATOMS)
			return true;
		return type != FAA_TYPE_S64 && (type != FAA_TYPE_U64 || op >= FAA_ATOMS_OP_EXCH);
	case FAA_FEATURE_ATOMS_F32:
		return opcode == FAA_OPCODE_SETP || type != FAA_TYPE_F32;
	case FAA_FEATURE_ATOMS_F64:
		return opcode == FAA_OPCODE_SETP || type != FAA_TYPE_F64;
	case FAA_FEATURE_ATOMS_X2:
		return type != FAA_TYPE_F16X2 && type != FAA_TYPE_BF16X2;
	case FAA_FEATURE_ATOMS_RELAXED:
		return !(mode & FAA_FLOAT_MODE_RELAXED);
	default:
		return opcode != FAA_OPCODE_ALU && (opcode != FAA_OPCODE_SETP || !floating);
	}
}

static void check_build_without(struct fixture *f, enum faa_feature gone)
{
	static const unsigned int opcodes[] = { FAA_OPCODE_ATOMS, FAA_OPCODE_ALU, FAA_OPCODE_SETP };

	for (unsigned int i = 0; i < 3 * 16 * 16 * 2; i++) {
		unsigned int opcode = opcodes[i % 3], op = i / 3 % 16, type = i / 48 % 16;
		unsigned int mode = i / 768 ? FAA_FLOAT_MODE_RELAXED : 0;

		if (!command_has(opcode, op, type) || !mode_allowed(opcode, op, type, mode))
			continue;
		begin(f);
		if (opcode == FAA_OPCODE_ATOMS)
			add_atoms_mode(f, mode, op, type, 32, none(), affine(0, 8), 0, reg(2),
				       op >= FAA_ATOMS_OP_CAS ? reg(4) : none());
		else if (opcode == FAA_OPCODE_ALU)
			add_alu(f, mode, op, type, 32, reg(2), reg(4), reg(6));
		else
			add_setp(f, op, type, 32, 0, reg(4), reg(6));
		if (built_without(gone, opcode, op, type, mode))
			run(f);
		else
			expect_header(f, FAA_ERROR_ILLEGAL_OPERATION);
	}
}

/* Builds without a feature; the model alone can be any build. */
static void g_operations_that_a_build_lacks(void **state)
{

	(void)state;
	needs_model();
	for (unsigned int bit = FAA_FEATURE_ATOMS_INT64; bit <= FAA_FEATURE_ALU; bit++) {
		struct faa_model_params params = FAA_MODEL_DEFAULT;
		void *f;

		params.features &= ~(1u << bit);
		fixture_setup_build(&f, &params);
		assert_int_equal(tb_read(((struct fixture *)f)->host, FAA_REG_FEATURES_LO),
				 params.features);
		check_build_without(f, bit);
		assert_int_equal(fixture_teardown(&f), 0);
	}
}

static void h_every_reserved_bit_of_shape_and_regs(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < VECTORS; i++) {
		bool no_offset = vector_opcodes[i] == FAA_OPCODE_MOV ||
				 vector_opcodes[i] == FAA_OPCODE_SETP ||
				 vector_opcodes[i] == FAA_OPCODE_ALU;
		/* Bit 56 makes LD and ST strong; see test_order.c. */
		bool strong = vector_opcodes[i] == FAA_OPCODE_LD ||
			      vector_opcodes[i] == FAA_OPCODE_ST;

		if (!has_opcode(f, vector_opcodes[i]))
			continue;
		for (unsigned int bit = 52; bit < 64; bit++) {
			if (strong && bit == 56)
				continue;
			begin(f);
			add_good(f, vector_opcodes[i]);
			*word(f, 1) |= 1ULL << bit;
			/* Has precedence over the third word, and over an unknown kind (i). */
			*word(f, 1) |= FAA_PUT(SHAPE_KIND_A, 7);
			*word(f, 2) |= 1ULL << 63;
			expect(f, FAA_ERROR_RESERVED_BITS, *word(f, 1));
		}
		for (unsigned int bit = no_offset ? 32 : 56; bit < 64; bit++) {
			begin(f);
			add_good(f, vector_opcodes[i]);
			*word(f, 2) |= 1ULL << bit;
			*word(f, 1) |= FAA_PUT(SHAPE_KIND_A, 7);
			expect(f, FAA_ERROR_RESERVED_BITS, *word(f, 2));
		}
	}
}

/* Kinds that commands.toml allows, bit = kind, for a, b, c, d; c of ATOMS.ADD. */
static const uint8_t allowed_kinds[][5] = {
	{ FAA_OPCODE_MOV, 0x1e, 0x01, 0x01, 0x12 },   { FAA_OPCODE_SETP, 0x1e, 0x1e, 0x01, 0x01 },
	{ FAA_OPCODE_LD, 0x1f, 0x01, 0x01, 0x12 },    { FAA_OPCODE_ST, 0x1f, 0x1e, 0x01, 0x01 },
	{ FAA_OPCODE_LDS, 0x1f, 0x01, 0x01, 0x12 },   { FAA_OPCODE_STS, 0x1f, 0x1e, 0x01, 0x01 },
	{ FAA_OPCODE_ATOMS, 0x1f, 0x1e, 0x01, 0x13 }, { FAA_OPCODE_ALU, 0x1e, 0x1e, 0x01, 0x12 },
};

static void i_every_kind_in_every_slot(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < VECTORS; i++) {
		if (!has_opcode(f, allowed_kinds[i][0]))
			continue;
		for (unsigned int slot = 0; slot < 4; slot++) {
			for (unsigned int kind = 0; kind < 8; kind++) {
				if (allowed_kinds[i][1 + slot] >> kind & 1)
					continue;
				begin(f);
				add_good(f, allowed_kinds[i][0]);
				*word(f, 1) &= ~(7ULL << (40 + 3 * slot));
				*word(f, 1) |= (uint64_t)kind << (40 + 3 * slot);
				/*
				 * Has precedence over a register field that must be 0, and over the
				 * count (j).
				 */
				*word(f, 1) &= ~FAA_SHAPE_COUNT_MASK;
				*word(f, 2) |= FAA_REGS_RC_MASK;
				expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 1));
			}
		}
	}
}

/* C is required for CAS and its relatives. */
static void i_cas_needs_its_third_operand(void **state)
{
	struct fixture *f = *state;

	for (unsigned int op = FAA_ATOMS_OP_CAS; op <= FAA_ATOMS_OP_CAST_SPIN; op++) {
		begin(f);
		add_atoms(f, op, FAA_TYPE_U32, 32, none(), affine(0, 4), 0, reg(1), none());
		expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 1));
	}
}

static void i_registers(void **state)
{
	struct fixture *f = *state;

	/* A nonzero field of an operand that is no register. */
	for (unsigned int slot = 0; slot < 4; slot++) {
		begin(f);
		add_atoms(f, FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 32, none(), none(), 0, imm(1), imm(2));
		*word(f, 2) |= 0x80ULL << 8 * slot;
		expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 2));
	}
	/* Odd registers of 64-bit operands: each operand, and the address of LD and ST. */
	for (unsigned int slot = 1; slot < 4; slot++) {
		begin(f);
		add_atoms(f, FAA_ATOMS_OP_CAS, FAA_TYPE_U64, 32, reg(6), none(), 0, reg(2), reg(4));
		*word(f, 2) |= 1ULL << 8 * slot;
		expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 2));
	}
	begin(f);
	add_ld(f, FAA_TYPE_U8, 32, reg(1), reg(3), 0);
	expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 2));
	begin(f);
	add_st(f, FAA_TYPE_U8, 32, reg(253), 0, reg(3));
	expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 2));
	/* The address of LDS has 32 bits: any register. */
	f->count = 0;
	add_lds(f, FAA_TYPE_U64, 32, reg(4), reg(3), 0);
	run(f);
}

static void i_setp_beyond_a_warp(void **state)
{
	struct fixture *f = *state;
	bool floats = has_feature(f, FAA_FEATURE_ALU) && has_type(f, FAA_TYPE_F64);
	enum faa_type wide = floats ? FAA_TYPE_F64 : FAA_TYPE_S64;

	begin(f);
	add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 33, 1, imm(1), imm(1));
	expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 1));
	/* The rule of the register precedes that of the count; 0 is a bad count. */
	begin(f);
	add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 0xffffffffffULL, FAA_PT, imm(1), imm(1));
	expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 1));
	begin(f);
	add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 0, FAA_PT, imm(1), imm(1));
	expect(f, FAA_ERROR_BAD_COUNT, 0);
	/* The rule of the register precedes it. */
	begin(f);
	add_setp(f, FAA_CMP_EQ, wide, 33, 1, reg(1), imm(1));
	expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 2));
	/* A register result may have any count, in a 64-bit type an even register. */
	begin(f);
	add_mov(f, FAA_TYPE_U64, 33, reg(1), imm(1));
	expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 2));
	if (has_feature(f, FAA_FEATURE_ALU)) {
		begin(f);
		add_alu(f, 0, FAA_ALU_OP_ADD, wide, 33, reg(2), reg(4), reg(7));
		expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 2));
	}
	f->count = 0;
	add_mov(f, FAA_TYPE_U32, 33, reg(1), imm(1));
	add_mov(f, FAA_TYPE_U32, 1000, reg(FAA_RZ), imm(1));
	run(f);
}

static void j_counts(void **state)
{
	struct fixture *f = *state;
	static const uint64_t counts[] = { 0, 0x100000001ULL, 0xffffffffffULL, 0x8000000000ULL };

	for (unsigned int i = 0; i < 4; i++) {
		begin(f);
		add_sts(f, FAA_TYPE_U32, counts[i], imm(0), 0, imm(1));
		/* Has precedence over the length (k). */
		set_header(f, FAA_HEADER_LENGTH_MASK, FAA_PUT(HEADER_LENGTH, 3));
		expect(f, FAA_ERROR_BAD_COUNT, counts[i]);
	}
	begin(f);
	add_mov(f, FAA_TYPE_U32, 0, reg(1), imm(1));
	expect(f, FAA_ERROR_BAD_COUNT, 0);
}

static void k_every_wrong_length(void **state)
{
	struct fixture *f = *state;

	for (unsigned int length = 3; length <= 15; length++) {
		if (length == 8)
			continue;
		begin(f);
		/* 3 + 2 (affine) + 3 (stream) = 8 words. */
		add_sts(f, FAA_TYPE_U32, 32, affine(0, 4), 0, stream(FAA_TYPE_U32, f->in.va, 4));
		/* Has precedence over reserved bits of the stream's word (l). */
		*word(f, 6) |= 1ULL << 63;
		set_header(f, FAA_HEADER_LENGTH_MASK, FAA_PUT(HEADER_LENGTH, length));
		while (f->count < PREFIX + 15)
			add_word(f, 0);
		expect_header(f, FAA_ERROR_BAD_LENGTH);
	}
}

static void l_every_reserved_bit_of_a_stream(void **state)
{
	struct fixture *f = *state;
	uint64_t va = f->in.va;

	for (unsigned int slot = 0; slot < 4; slot++) {
		for (unsigned int bit = 39; bit < 64; bit++) {
			begin(f);
			add_atoms(f, FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 32,
				  stream(FAA_TYPE_U32, va, 4), stream(FAA_TYPE_U32, va, 4), 0,
				  stream(FAA_TYPE_U32, va, 4), stream(FAA_TYPE_U32, va, 4));
			*word(f, 3 + 3 * slot + 1) |= 1ULL << bit;
			/* Has precedence over later streams, and over the offset (m). */
			if (slot < 3)
				*word(f, 3 + 3 * slot + 4) |= 1ULL << 60;
			*word(f, 2) |= FAA_PUT(REGS_OFFSET, 1);
			expect(f, FAA_ERROR_RESERVED_BITS, *word(f, 3 + 3 * slot + 1));
		}
	}
}

/* Item types by operand width. Floating-point types are bit patterns of exactly that width. */
static bool item_allowed(unsigned int type, unsigned int bytes)
{
	switch (type) {
	case FAA_TYPE_U64:
	case FAA_TYPE_S64:
	case FAA_TYPE_F64:
		return bytes == 8;
	case FAA_TYPE_F32:
	case FAA_TYPE_F16X2:
	case FAA_TYPE_BF16X2:
		return bytes == 4;
	}
	return type < FAA_TYPE_F16;
}

static void l_every_item_type(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < 16 * 4; i++) {
		unsigned int type = i % 16, bytes = i / 16 % 2 ? 8 : 4;
		bool destination = i / 32;
		struct faa_operand item = stream(type, f->in.va, 8);

		begin(f);
		add_mov(f, bytes == 8 ? FAA_TYPE_U64 : FAA_TYPE_U32, 32,
			destination ? item : reg(2), destination ? reg(2) : item);
		if (item_allowed(type, bytes))
			run(f);
		else
			expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 4));
	}
}

/*
 * The width of an address operand: 32 bits for shared memory, 64 for global memory, whatever the
 * type.
 */
static void l_width_of_addresses(void **state)
{
	struct fixture *f = *state;

	memset(f->in.ptr, 0, 4096);
	begin(f);
	add_lds(f, FAA_TYPE_U64, 32, reg(2), stream(FAA_TYPE_U64, f->in.va, 8), 0);
	expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 4));
	begin(f);
	add_ld(f, FAA_TYPE_U8, 32, reg(2), scaled(FAA_TYPE_U64, f->in.va, 8, 0, f->in.va), 0);
	run(f);
}

static void l_destination_is_not_scaled(void **state)
{
	struct fixture *f = *state;

	for (unsigned int shift = 1; shift < 8; shift++) {
		begin(f);
		add_mov(f, FAA_TYPE_U32, 32, scaled(FAA_TYPE_U32, f->in.va, 4, shift, 0), reg(2));
		expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 4));
	}
	for (unsigned int bit = 0; bit < 64; bit += 9) {
		begin(f);
		add_mov(f, FAA_TYPE_U32, 32, scaled(FAA_TYPE_U32, f->in.va, 4, 0, 1ULL << bit),
			reg(2));
		expect(f, FAA_ERROR_ILLEGAL_OPERAND, *word(f, 4));
	}
}

static void m_offset_low_bits(void **state)
{
	struct fixture *f = *state;

	for (int32_t low = 1; low < 4; low++) {
		begin(f);
		add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 32, none(), imm(0), 64 + low, imm(1),
			  none());
		expect(f, FAA_ERROR_BAD_OFFSET, 64 + low);
		begin(f);
		add_atoms(f, FAA_ATOMS_OP_EXCH, FAA_TYPE_U64, 32, none(), imm(0), -4 + low, imm(1),
			  none());
		expect(f, FAA_ERROR_BAD_OFFSET, 0xfffffc + low);
	}
	/* Only ATOMS has the rule: for other commands the address alone counts. */
	f->count = 0;
	add_sts(f, FAA_TYPE_U32, 32, imm(1), 3, imm(1));
	run(f);
}

static void n_first_element(void **state)
{
	struct fixture *f = *state;
	struct faa_job_desc desc;
	uint32_t job;

	for (unsigned int i = 0; i < 3; i++) {
		f->count = 0;
		if (i == 0)
			f->count += faa_encode_nop(f->words, &f->issue);
		else
			add_sts(f, FAA_TYPE_U32, i == 1 ? 64 : 60, imm(0), 0, imm(1));
		add_end(f);
		memcpy(f->code.ptr, f->words, f->count * 8);
		desc = tb_desc(f->queue, f->code.va, f->count * 8);
		desc.first_element = i == 1 ? 64 : 32;
		job = tb_push(f->queue, &desc);
		tb_doorbell(f->queue);
		assert_true(tb_wait(f->queue, job));
		f->status = *tb_status(f->queue, job);
		assert_int_equal(f->status.code,
				 i == 2 ? FAA_ERROR_SUCCESS : FAA_ERROR_BAD_DESCRIPTOR);
		assert_int_equal(f->status.address, i == 2 ? 0 : 32);
		assert_int_equal(f->status.elements_retired, i == 2 ? 28 : 0);
	}
}

static void jump_targets(void **state)
{
	static const int32_t targets[] = { INT32_MIN, -4, -1000, 8, 9, 100000, INT32_MAX };
	struct fixture *f = *state;

	for (unsigned int bit = 32; bit < 64; bit++) {
		begin(f);
		add_jump(f, FAA_JUMP_COND_ALWAYS, 2);
		*word(f, 1) |= 1ULL << bit;
		expect(f, FAA_ERROR_RESERVED_BITS, *word(f, 1));
	}
	for (unsigned int i = 0; i < 2 * sizeof(targets) / sizeof(targets[0]); i++) {
		begin(f);
		/* 3 NOPs, JUMP, ST of 5 words, END: the header's offset is 3, the size 11 words. */
		add_jump(f, i % 2 ? FAA_JUMP_COND_ALWAYS : FAA_JUMP_COND_NONE, targets[i / 2]);
		expect(f, FAA_ERROR_BAD_JUMP, (uint64_t)(((int64_t)targets[i / 2] + PREFIX) * 8));
	}
	/* The last word of the stream, END, is a good target. */
	begin(f);
	add_jump(f, FAA_JUMP_COND_ALWAYS, 7);
	add_st(f, FAA_TYPE_U32, 1, imm(0), 0, imm(1));
	run(f);
}

/* SEM_WAIT, SEM_SIGNAL and SNAPSHOT check their address like an access. */
static void control_addresses(void **state)
{
	static const unsigned int opcodes[] = { FAA_OPCODE_SEM_WAIT, FAA_OPCODE_SEM_SIGNAL,
						FAA_OPCODE_SNAPSHOT };
	struct fixture *f = *state;
	uint64_t hole = f->in.va + f->in.bytes;

	*tb_vm_entry(f->vm, hole, 0) = *tb_vm_entry(f->vm, f->in.va, 0) &
				       ~(uint64_t)FAA_PTE_WRITABLE_MASK;
	for (unsigned int i = 0; i < 3; i++) {
		unsigned int align = i == 2 ? 256 : 8;

		for (unsigned int low = 1; low < align; low *= 2) {
			begin(f);
			add_good(f, opcodes[i]);
			/* Has precedence over an address that is not canonical. */
			*word(f, 1) = (f->in.va + low) | 1ULL << 63;
			expect(f, FAA_ERROR_MISALIGNED, *word(f, 1));
		}
		for (unsigned int bit = 48; bit < 64; bit++) {
			begin(f);
			add_good(f, opcodes[i]);
			*word(f, 1) |= 1ULL << bit;
			expect(f, FAA_ERROR_NON_CANONICAL, *word(f, 1));
		}
		begin(f);
		add_good(f, opcodes[i]);
		*word(f, 1) = 0;
		expect(f, FAA_ERROR_NOT_MAPPED, 0);
		begin(f);
		add_good(f, opcodes[i]);
		*word(f, 1) = hole;
		if (i == 0)
			run(f);
		else
			expect(f, FAA_ERROR_NOT_WRITABLE, hole);
	}
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(a_stream_without_end),
		FIXTURE_TEST(a_stream_at_a_bad_address),
		FIXTURE_TEST(ad_fetch_faults),
		FIXTURE_TEST(b_every_unknown_opcode),
		FIXTURE_TEST(c_every_impossible_length),
		FIXTURE_TEST(d_stream_ends_inside_every_command),
		FIXTURE_TEST(e_every_reserved_header_bit),
		FIXTURE_TEST(f_guards_and_barriers),
		FIXTURE_TEST(g_every_operation_with_every_type),
		FIXTURE_TEST(g_unknown_operations_and_modes),
		FIXTURE_TEST(g_every_float_mode),
		cmocka_unit_test(g_operations_that_a_build_lacks),
		FIXTURE_TEST(h_every_reserved_bit_of_shape_and_regs),
		FIXTURE_TEST(i_every_kind_in_every_slot),
		FIXTURE_TEST(i_cas_needs_its_third_operand),
		FIXTURE_TEST(i_registers),
		FIXTURE_TEST(i_setp_beyond_a_warp),
		FIXTURE_TEST(j_counts),
		FIXTURE_TEST(k_every_wrong_length),
		FIXTURE_TEST(l_every_reserved_bit_of_a_stream),
		FIXTURE_TEST(l_every_item_type),
		FIXTURE_TEST(l_width_of_addresses),
		FIXTURE_TEST(l_destination_is_not_scaled),
		FIXTURE_TEST(m_offset_low_bits),
		FIXTURE_TEST(n_first_element),
		FIXTURE_TEST(jump_targets),
		FIXTURE_TEST(control_addresses),
	};

	return fixture_main(argc, argv, "decode", tests, sizeof(tests) / sizeof(tests[0]));
}
