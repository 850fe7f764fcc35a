/* SPDX-License-Identifier: MIT */
/**
 * DOC: Lock step
 *
 * A case is some queues and the jobs that they get, all drawn from a seed. It runs on two engines
 * with a host each; all state that a program can see afterwards must be the same on both. A case
 * that differs is made smaller and written to a file that can be run again.
 *
 * Every warp slot of a queue has its own part of the address space. The stream in it uses no other
 * part, so its results do not depend on the time at which its jobs run. Streams that run together
 * use shared memory in turns, separated by BAR. They do not fail, or fail while all others wait.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "faa_encode.h"
#include "faa_model.h"
#include "tb_host.h"

#define LS_QUEUES   6u
#define LS_JOBS	    24u
#define LS_COMMANDS 40u
/** LS_MESSAGE - room for the description of a difference */
#define LS_MESSAGE 200

/* Parts of a queue's address space, from ls_base() on. */
#define LS_DATA	      0u
#define LS_DATA_BYTES 32768u
/** LS_INPUT_BYTES - the first part of the data: operands and indices, seldom written */
#define LS_INPUT_BYTES 8192u
/**
 * LS_INPUT_F32 - the parts of the input with special floating-point values, LS_INPUT_FLOATS bytes
 * each
 */
#define LS_INPUT_F32	    4096u
#define LS_INPUT_F64	    5120u
#define LS_INPUT_X2	    6144u
#define LS_INPUT_FLOATS	    1024u
#define LS_READ_ONLY	    0x100000u
#define LS_SPARSE	    0x200000u
#define LS_SPARSE_READ_ONLY 0x300000u
#define LS_CODE		    0x400000u
#define LS_CODE_BYTES	    65536u
#define LS_SNAPSHOT	    0x800000u
/** LS_MEET - words by which streams of a job signal their progress; part of slot 0 only */
#define LS_MEET 0x900000u
/**
 * LS_CONFIG - headers, handles and coordinates, which SUATOM reads and no command writes. No single
 * inverted bit of the address leads to memory that a command may change, because the device may
 * cache headers.
 */
#define LS_CONFIG	0xb00000u
#define LS_BANK		(LS_CONFIG + 4096u)
#define LS_BANK_BYTES	4096u
#define LS_POINT_TABLE	(LS_BANK + LS_BANK_BYTES)
#define LS_CONFIG_BYTES (2u * 4096u + LS_SURFACES * LS_POINTS * LS_POINT_BYTES)
/** LS_SURFACE - memory of surfaces; some pages are sparse, the page after it is unmapped */
#define LS_SURFACE	 0xc00000u
#define LS_SURFACE_BYTES 65536u

/** LS_DIMS - dimensions; surface i is of dimension i mod LS_DIMS */
#define LS_DIMS 6u
/** LS_SURFACES - headers of a queue: good ones, disabled ones, and some of random bits */
#define LS_SURFACES	     48u
#define LS_GOOD_SURFACES     24u
#define LS_DISABLED_SURFACES 4u
/** LS_DIM_HANDLES - handles of surfaces of each dimension in the constant bank */
#define LS_DIM_HANDLES 64u
/** LS_POINTS - points of a surface: inside, x in items; inside, x in bytes; any */
#define LS_POINTS	       96u
#define LS_POINTS_INSIDE_BYTES 32u
#define LS_POINTS_WILD	       64u
/**
 * LS_POINT_BYTES - a point: x, second and third coordinate, 32 bits each; from LS_POINT_PACKED on
 * 16 bits each
 */
#define LS_POINT_BYTES	24u
#define LS_POINT_PACKED 16u

/** LS_LARGE - a 2 MiB page, queue 0 only */
#define LS_LARGE 0x40000000ULL
/** LS_LOW - a read-only page that an absolute offset reaches */
#define LS_LOW 0x8000u

/** struct ls_command - the words of a command, good or not */
struct ls_command {
	unsigned int count;
	uint64_t words[FAA_MAX_COMMAND_WORDS];
};

/**
 * struct ls_job - a stream of a job; several of one job follow each other, with JOB_FLAG_TOGETHER
 */
struct ls_job {
	unsigned int queue;
	/** @slot: part of the address space that it uses, and the warp slot in which it runs */
	unsigned int slot;
	uint32_t first_element;
	uint32_t flags;
	/** @flip: bit of the descriptor that is inverted, 0 = none (bit 0 is never). */
	unsigned int flip;
	/** @delay: step units between its doorbell and the next. */
	unsigned int delay;
	unsigned int count;
	/** @tail: commands from here on belong to the ending of a job of several streams */
	unsigned int tail;
	struct ls_command commands[LS_COMMANDS];
};

/** struct ls_queue - one queue */
struct ls_queue {
	unsigned int vm;
	unsigned int prio;
	uint32_t shared_bytes;
};

/** struct ls_case - all inputs of a run except the engines */
struct ls_case {
	uint64_t seed;
	unsigned int num_queues;
	struct ls_queue queues[LS_QUEUES];
	unsigned int num_jobs;
	struct ls_job jobs[LS_JOBS];
};

/** struct ls_side - an engine and its memory's behaviour */
struct ls_side {
	const struct faa_engine_ops *engine;
	struct faa_model_params model;
	struct faa_mem_config mem;
	/** @inject: falsify some results, to see that the comparison notices */
	bool inject;
};

/** enum ls_result - result of a case */
enum ls_result {
	LS_SAME,
	LS_DIFFERENT,
	/**
	 * LS_ENDLESS - the first engine did not terminate: the case is neither same nor different
	 */
	LS_ENDLESS,
};

/** LS_CODES - error codes of the device are below this */
#define LS_CODES 32

/** struct ls_totals - counts over the cases that were the same */
struct ls_totals {
	uint64_t warps;
	/** @codes: jobs per error code. */
	uint64_t codes[LS_CODES];
};

/** ls_random() - next number of a generator; any @state is good */
uint64_t ls_random(uint64_t *state);

/** ls_float() - a pattern of a floating-point type, mostly special or next to a special one */
uint64_t ls_float(uint64_t *random, enum faa_type type);

/** LS_PARTS - parts of the address space: slot s of queue q has number q + LS_QUEUES * s */
#define LS_PARTS (LS_QUEUES * FAA_MAX_SLOTS)

/** ls_part() - number of the part that a stream uses */
static inline unsigned int ls_part(const struct ls_job *job)
{
	return job->queue + LS_QUEUES * job->slot;
}

/** ls_base() - first virtual address of a part; those of a queue differ in two bits at least */
static inline uint64_t ls_base(unsigned int part)
{
	return 0x100000000000ULL * (part % LS_QUEUES + 1) + 0x7654000000ULL +
	       0x700000000ULL * (part / LS_QUEUES);
}

/* lockstep_case.c */
/**
 * ls_generate() - the case of a seed
 * @max_shared, @features: of both engines. Of the features GLOBAL_ATOMICS, SYS_ATOMICS and
 * SURFACE_ATOMICS count: without them the case has no ATOM and no SUATOM.
 * @surfaces: most vector commands are SUATOM, if the engines have it
 * @slots: warp slots of both engines
 * @queues: limit of the case, 1..LS_QUEUES.
 */
void ls_generate(struct ls_case *c, uint64_t seed, uint32_t max_shared, uint32_t features,
		 bool surfaces, unsigned int slots, unsigned int queues);
/** ls_has_groups() - whether a case has a job of several streams */
bool ls_has_groups(const struct ls_case *c);

/* lockstep_group.c */
/**
 * ls_add_exchange() - stream @member of @count stores to shared memory and loads from its neighbour
 */
void ls_add_exchange(struct ls_job *job, unsigned int member, unsigned int count);
/** ls_add_bar() - BAR */
void ls_add_bar(struct ls_job *job);
/**
 * ls_add_failure() - the end of a job in which one stream fails while all others wait in BAR
 * @jobs: its @count streams, which begin at @first of the case
 * @failing: that stream; @kind: how, any number
 */
void ls_add_failure(struct ls_job *jobs, unsigned int count, unsigned int first,
		    unsigned int failing, unsigned int kind);

/* lockstep_settle.c */
/**
 * ls_settle() - replace failing commands of streams that run together by NOP until none fails,
 * because the progress of the other streams at a failure is undefined
 * @side: the model
 *
 * Return: false if no such case was found.
 */
bool ls_settle(struct ls_case *c, const struct ls_side *side);
/** ls_mend() - take JOB_FLAG_TOGETHER from streams that no other one of their job follows */
void ls_mend(struct ls_case *c);

/* lockstep_surface.c */
/** struct ls_surface - a surface of a queue, and how far the coordinates of its level go */
struct ls_surface {
	enum faa_dim dim;
	uint64_t header[FAA_TEXTURE_HEADER_BYTES / 8];
	unsigned int texel_bytes;
	/** @flat: one-dimensional */
	bool flat;
	/** @row: bytes */
	unsigned int row;
	/** @second: rows or layers */
	unsigned int second;
	/** @third: slices or layers */
	unsigned int third;
};

/** ls_surface() - surface @index of a part in the case of a seed */
void ls_surface(struct ls_surface *s, uint64_t seed, unsigned int part, unsigned int index);
/** ls_fill_surfaces() - contents of the memory from LS_CONFIG on */
void ls_fill_surfaces(uint8_t config[LS_CONFIG_BYTES], uint64_t seed, unsigned int part);
/** ls_surface_page_sparse() - whether a page from LS_SURFACE on is sparse */
bool ls_surface_page_sparse(uint64_t seed, unsigned int part, unsigned int page);

/* lockstep_run.c */
/**
 * ls_run_model() - run a case on the model alone; false if it does not end
 * @statuses: a record of each stream
 */
bool ls_run_model(const struct ls_case *c, const struct ls_side *side,
		  struct faa_status statuses[LS_JOBS]);
/**
 * ls_run() - run a case on both sides, in a process of its own, so that a failed assertion of the
 * RTL is a difference
 * @quiet: discard the output of the engines
 * @totals: grows by what was executed
 * @message: description of the difference
 */
enum ls_result ls_run(const struct ls_case *c, const struct ls_side sides[2], bool quiet,
		      struct ls_totals *totals, char message[LS_MESSAGE]);

/* lockstep_shrink.c */
/** ls_shrink() - make a differing case smaller as long as it differs */
void ls_shrink(struct ls_case *c, const struct ls_side sides[2]);

/* lockstep_file.c */
/** ls_write() - write a case with its disassembly */
void ls_write(const struct ls_case *c, FILE *file);
/** ls_read() - read a file of ls_write(); false with a message on stderr if it is malformed */
bool ls_read(struct ls_case *c, FILE *file, const char *name);

#endif /* LOCKSTEP_H */
