/* SPDX-License-Identifier: MIT */
/**
 * DOC: Fixture of the directed tests
 *
 * A device with one VM, one queue and some buffers, a stream under construction, and functions that
 * run the stream and return its results. Programs take ``--engine=NAME`` (default model),
 * ``--seed=N`` (of the memory's behaviour) and the cmocka filter of names as a plain argument.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "faa_encode.h"
#include "tb_host.h"

/** FIXTURE_SHARED - shared memory of the fixture's queue in bytes */
#define FIXTURE_SHARED	   4096u
#define FIXTURE_CODE_WORDS 4096u
#define FIXTURE_BUFFER	   32768u

/** struct fixture - one device, one queue */
struct fixture {
	struct tb_host *host;
	struct tb_vm *vm;
	struct tb_queue *queue;
	/** @code: where streams go. */
	struct tb_buffer code;
	/** @in, @out: data; an unmapped page follows each. */
	struct tb_buffer in;
	struct tb_buffer out;
	/** @words: the stream under construction. */
	uint64_t words[FIXTURE_CODE_WORDS];
	unsigned int count;
	/** @issue: guard and barriers of the next commands. */
	struct faa_issue issue;
	/** @status: record of the last job. */
	struct faa_status status;
};

/* A test that is skipped has not failed. */
#undef skip
#define skip() (fixture_skips(), _skip(__FILE__, __LINE__))
/** fixture_skips() - the running test is skipped */
void fixture_skips(void);

/** fixture_main() - run the tests of a program; returns its exit status */
int fixture_main(int argc, char **argv, const char *name, const struct CMUnitTest *tests,
		 size_t count);
int fixture_setup(void **state);
/** fixture_setup_build() - the same; the model engine is the build @model */
int fixture_setup_build(void **state, const struct faa_model_params *model);
/** fixture_setup_seed() - the same, with a seed that is not that of the command line */
int fixture_setup_seed(void **state, const struct faa_model_params *model, uint64_t seed);
int fixture_teardown(void **state);
/** fixture_config() - the engine and memory that the command line chose */
struct tb_config fixture_config(void);

/**
 * amount_of() - how much of a test runs: @all on the model, which is fast, and with FAA_LONG; @some
 * on other engines
 */
unsigned int amount_of(const struct fixture *f, unsigned int all, unsigned int some);
/** has_feature() - whether the device has a feature */
bool has_feature(struct fixture *f, enum faa_feature feature);
/** needs_feature() - skips the test, with a message, on a device without the feature */
void needs_feature(struct fixture *f, enum faa_feature feature);
/** needs_cus() - the same on a device with fewer compute units */
void needs_cus(struct fixture *f, unsigned int cus);
/** needs_slots() - the same on a device whose compute units have fewer warp slots */
void needs_slots(struct fixture *f, unsigned int slots);
/** lanes_of() - number of lanes that the shared memory unit processes in a cycle */
unsigned int lanes_of(struct fixture *f);
/** has_type() - whether the device's atomic operations support the type */
bool has_type(struct fixture *f, enum faa_type type);
/** needs_type() - the same on a device without the type; builds for an FPGA have few types */
void needs_type(struct fixture *f, enum faa_type type);
/** needs_floats() - the same on a device that lacks a floating-point type or ALU */
void needs_floats(struct fixture *f);
/** needs_relaxed() - the same on a device that lacks any of these, or relaxed sums */
void needs_relaxed(struct fixture *f);
/** has_modes() - whether the device has the floating-point modes of the mask @mode */
bool has_modes(struct fixture *f, unsigned int mode);
/** needs_model() - the same on any engine but the model, the only one that can be any build */
void needs_model(void);
/** atomic_buffer() - memory at a new address that ATOM may change; the next page is unmapped */
struct tb_buffer atomic_buffer(struct fixture *f, size_t bytes);

/** FIXTURE_TEST - a test with a device of its own */
#define FIXTURE_TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)

struct faa_operand none(void);
struct faa_operand reg(unsigned int number);
struct faa_operand imm(uint64_t value);
struct faa_operand affine(uint64_t base, uint64_t step);
struct faa_operand stream(enum faa_type type, uint64_t va, int32_t stride);
/** scaled() - a stream operand: base + (item << shift) */
struct faa_operand scaled(enum faa_type type, uint64_t va, int32_t stride, unsigned int shift,
			  uint64_t base);

/* Append a command to the stream under construction. */
void add_word(struct fixture *f, uint64_t word);
void add_mov(struct fixture *f, enum faa_type type, uint64_t n, struct faa_operand d,
	     struct faa_operand a);
void add_setp(struct fixture *f, enum faa_cmp cmp, enum faa_type type, uint64_t n,
	      unsigned int predicate, struct faa_operand a, struct faa_operand b);
void add_ld(struct fixture *f, enum faa_type type, uint64_t n, struct faa_operand d,
	    struct faa_operand a, int32_t offset);
void add_st(struct fixture *f, enum faa_type type, uint64_t n, struct faa_operand a, int32_t offset,
	    struct faa_operand b);
void add_lds(struct fixture *f, enum faa_type type, uint64_t n, struct faa_operand d,
	     struct faa_operand a, int32_t offset);
void add_sts(struct fixture *f, enum faa_type type, uint64_t n, struct faa_operand a,
	     int32_t offset, struct faa_operand b);
void add_atoms(struct fixture *f, enum faa_atoms_op op, enum faa_type type, uint64_t n,
	       struct faa_operand d, struct faa_operand a, int32_t offset, struct faa_operand b,
	       struct faa_operand c);
/** add_atoms_mode() - add_atoms() with a mask of enum faa_float_mode */
void add_atoms_mode(struct fixture *f, unsigned int mode, enum faa_atoms_op op, enum faa_type type,
		    uint64_t n, struct faa_operand d, struct faa_operand a, int32_t offset,
		    struct faa_operand b, struct faa_operand c);
void add_alu(struct fixture *f, unsigned int mode, enum faa_alu_op op, enum faa_type type,
	     uint64_t n, struct faa_operand d, struct faa_operand a, struct faa_operand b);
/** add_atom() - ATOM with order RELAXED; @mode is a mask of enum faa_float_mode */
void add_atom(struct fixture *f, unsigned int mode, enum faa_atom_op op, enum faa_type type,
	      enum faa_scope scope, uint64_t n, struct faa_operand d, struct faa_operand a,
	      int32_t offset, struct faa_operand b, struct faa_operand c);
/** add_atom_ordered() - ATOM with an order, without modes */
void add_atom_ordered(struct fixture *f, enum faa_atom_op op, enum faa_type type,
		      enum faa_scope scope, enum faa_order order, uint64_t n, struct faa_operand d,
		      struct faa_operand a, struct faa_operand b, struct faa_operand c);
/** add_ld_strong() - LD with scope and order */
void add_ld_strong(struct fixture *f, enum faa_type type, enum faa_scope scope,
		   enum faa_order order, uint64_t n, struct faa_operand d, struct faa_operand a,
		   int32_t offset);
/** add_st_strong() - ST with scope and order */
void add_st_strong(struct fixture *f, enum faa_type type, enum faa_scope scope,
		   enum faa_order order, uint64_t n, struct faa_operand a, int32_t offset,
		   struct faa_operand b);
void add_fence(struct fixture *f, enum faa_fence_order order, enum faa_scope scope);
void add_nop(struct fixture *f);
void add_bar(struct fixture *f);
/** add_sem_wait() - SEM_WAIT.GE */
void add_sem_wait(struct fixture *f, uint64_t va, uint64_t value);
void add_sem_signal(struct fixture *f, uint64_t va, uint64_t value);
/** add_suatom() - SUATOM with order RELAXED; @mode is a mask of enum faa_float_mode */
void add_suatom(struct fixture *f, unsigned int mode, enum faa_atom_op op, enum faa_type type,
		enum faa_scope scope, struct faa_place place, uint64_t n, struct faa_operand d,
		struct faa_operand a, struct faa_operand b, struct faa_operand c);
void add_config(struct fixture *f, enum faa_config op, uint64_t address, uint64_t value);
void add_jump(struct fixture *f, enum faa_jump_cond cond, int32_t words);
void add_end(struct fixture *f);

/** FIXTURE_STREAMS - places for kept streams; a long stream also takes the places after its own */
#define FIXTURE_STREAMS	     8u
#define FIXTURE_STREAM_BYTES (FIXTURE_CODE_WORDS * 8u / FIXTURE_STREAMS)

/**
 * keep_stream() - move the stream under construction to place @number of the code, begin another
 */
struct tb_stream keep_stream(struct fixture *f, unsigned int number);

/** run_raw() - run the stream as it is and return the code; the stream is empty afterwards */
uint32_t run_raw(struct fixture *f);
/** run() - append END, run, and fail the test if the job fails */
void run(struct fixture *f);
/** run_error() - append END, run, and compare the whole error */
void run_error(struct fixture *f, uint32_t code, uint32_t command, uint32_t element,
	       uint64_t address);
/** refused_at() - run the one command: it must fail with @code and @address and store nothing */
void refused_at(struct fixture *f, uint32_t code, uint64_t address);
/** refused() - refused_at() the command's word @index */
void refused(struct fixture *f, uint32_t code, unsigned int index);
/** here() - byte offset of the command that would be appended next */
uint32_t here(const struct fixture *f);
/** shared_fill() - store 32-bit words at the start of shared memory with a job */
void shared_fill(struct fixture *f, const uint32_t *values, unsigned int count);
/** shared_dump() - load the first @count 32-bit words of shared memory with a job */
void shared_dump(struct fixture *f, uint32_t *values, unsigned int count);
/** cu_counter() - a counter, summed over the compute units */
uint64_t cu_counter(struct fixture *f, enum faa_counter counter);
/** test_random() - the test's own random numbers; repeatable */
uint64_t test_random(uint64_t *state);

/** queue_enable_with() - CONTROL of an enabled queue; @slots: with a context in the save area */
uint32_t queue_enable_with(uint32_t slots);
/** queue_another() - a hardware queue other than that of the fixture's queue */
unsigned int queue_another(const struct fixture *f);
/** queue_leave() - give up the queue's hardware queue, and wait until it is free */
void queue_leave(struct fixture *f);
/** queue_enter() - set the queue up in hardware queue @index; @slots: CONTROL.slots */
void queue_enter(struct fixture *f, unsigned int index, uint32_t slots);

#endif /* FIXTURE_H */
