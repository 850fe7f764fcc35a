/* SPDX-License-Identifier: MIT */
/*
 * Execution of warps, and their requests to the device.
 *
 * A warp executes until it needs a result of the device: that of an atomic operation, or a load
 * from shared memory. Requests without a result are *posted*, and the warp continues. When no warp
 * can continue, all requests become one job: a *round*. Between rounds the host owns the memory of
 * buffers: begin and end of a job order both sides.
 *
 * The requests of a warp in a round have steps, 0 and up, in program order. Commands of step n of
 * all warps precede those of step n + 1. Warps that leave a barrier continue with the highest step
 * that one of them has reached.
 */
#ifndef FAA_SPIRV_RUN_H
#define FAA_SPIRV_RUN_H

#include "faa.h"
#include "faa_spirv.h"
#include "program.h"

/** struct spirv_region - memory that kernels can address */
struct spirv_region {
	uint64_t va;
	uint64_t bytes;
	uint8_t *memory;
};

/** struct spirv_image - a bound storage image */
struct spirv_image {
	const struct faa_surface_layout *layout;
	uint8_t *memory;
	/** @header: index in the header pool */
	uint32_t header;
};

/** struct spirv_group - lanes of a warp at one instruction */
struct spirv_group {
	uint32_t at;
	uint32_t lanes;
	/** @late: it has used up its turns, other groups are chosen first */
	bool late;
};

/** enum spirv_warp_state - what a warp waits for */
enum spirv_warp_state {
	WARP_READY,
	/* the end of the round */
	WARP_ASKED,
	/* other warps of the workgroup */
	WARP_BARRIER,
	WARP_DONE,
};

struct spirv_workgroup;

/** struct spirv_warp - 32 invocations */
struct spirv_warp {
	struct spirv_workgroup *workgroup;
	uint64_t *slots;
	/** @groups: groups that can run, ascending by instruction */
	struct spirv_group groups[SPIRV_LANES];
	unsigned int group_count;
	/** @barrier: lanes that wait at a barrier; @barrier_at: where they resume */
	uint32_t barrier;
	uint32_t barrier_at[SPIRV_LANES];
	enum spirv_warp_state state;
	/** @step: step of the next request */
	uint32_t step;
	/** @asked: it, or a warp that it met at a barrier, has requests in this round */
	bool asked;
	/** @stale: requests of this round may change memory of buffers */
	bool stale;
	/**
	 * @turns: backward branches and device accesses while other lanes wait; @hurried: the limit
	 * was reached before, so it is lower
	 */
	uint32_t turns;
	bool hurried;
	uint32_t index;
};

/** struct spirv_workgroup - warps that share memory */
struct spirv_workgroup {
	struct spirv_workgroup *next;
	struct spirv_warp *warps;
	uint32_t warp_count;
	/** @live: invocations that have not ended; @arrived: those of them that are at a barrier */
	uint32_t live, arrived;
	uint32_t shared;
	uint32_t id[3];
};

/** enum spirv_ask_kind - command of a request */
enum spirv_ask_kind {
	ASK_ATOM,
	ASK_ATOMS,
	ASK_SUATOM,
	ASK_LD,
	ASK_ST,
	ASK_LDS,
	ASK_STS,
	ASK_FENCE
};

/** struct spirv_ask - a request of the lanes of a warp to the device */
struct spirv_ask {
	uint8_t kind;
	/** @type: enum faa_type; @op: enum faa_atom_op or enum faa_atoms_op; FENCE: order */
	uint8_t type, op;
	uint8_t scope, order, modes;
	bool has_b, has_c, flag;
	/** @wide: operands have 64 bits; never set for addresses of shared memory */
	bool wide;
	uint8_t dim;
	bool packed;
	/** @width: valid bits of the result */
	uint8_t width;
	const struct spirv_ins *ins;
	struct spirv_warp *warp;
	/** @sub: distinguishes the requests of one instruction */
	uint32_t sub;
	uint32_t lanes;
	/** @dst: slot of the result; SLOT_NONE: none */
	uint32_t dst;
	/** @header: header of the surface */
	uint32_t header;
	uint64_t a[SPIRV_LANES], b[SPIRV_LANES], c[SPIRV_LANES];
	/** @next: next request of the same command */
	struct spirv_ask *next;
};

struct spirv_round;

/** struct spirv_run - a dispatch */
struct spirv_run {
	const struct spirv_program *program;
	/** @constants: those of the program, with the addresses of this dispatch */
	uint64_t *constants;
	struct spirv_region *regions;
	uint32_t region_count, last_region;
	const struct spirv_image *images;
	uint8_t *push;
	uint32_t groups[3];
	struct spirv_round *round;
	/** @scratch: buffer for the moves of an edge */
	uint64_t *scratch;
	struct faa_spirv_statistics *statistics;
	uint64_t limit;
	int error;
	struct faa_spirv_message *message;
	/** @progress: a warp has run; @spun: a warp has used up its turn, and can continue */
	bool progress, spun;
};

/** spirv_stop() - end the dispatch with a message about instruction @ins in @lane of @warp. */
__attribute__((format(printf, 5, 6))) void spirv_stop(struct spirv_run *run,
						      const struct spirv_ins *ins,
						      const struct spirv_warp *warp,
						      unsigned int lane, const char *format, ...);

/** spirv_lanes_of() - the 32 items of a slot. */
static inline uint64_t *spirv_lanes_of(const struct spirv_run *run, const struct spirv_warp *warp,
				       uint32_t slot)
{
	if (slot == SLOT_NONE)
		return NULL;
	return (slot & SLOT_CONST ? run->constants : warp->slots) +
	       (size_t)(slot & ~SLOT_CONST) * SPIRV_LANES;
}

/** spirv_put() - copy the items of the active lanes. */
static inline void spirv_put(uint64_t *to, const uint64_t *from, uint32_t lanes)
{
	unsigned int i;

	for (i = 0; i < SPIRV_LANES; i++)
		to[i] = lanes >> i & 1 ? from[i] : to[i];
}

/* run_warp.c */

/** spirv_warp_run() - execute a warp until it has to wait. */
void spirv_warp_run(struct spirv_run *run, struct spirv_warp *warp);

/** spirv_warp_join() - add lanes that resume at instruction @at. */
void spirv_warp_join(struct spirv_warp *warp, uint32_t at, uint32_t lanes, bool late);

/** spirv_barrier_check() - release a workgroup if all its invocations have arrived. */
void spirv_barrier_check(struct spirv_workgroup *workgroup);

/* run_memory.c */

/** enum spirv_outcome - state of the warp after an instruction */
enum spirv_outcome {
	/* it continues */
	OUTCOME_NEXT,
	/* it continues after the round */
	OUTCOME_WAIT,
	/* it executes the instruction again after the round */
	OUTCOME_RETRY,
};

/** spirv_memory() - the memory at [@va, @va + @bytes) of the VM; NULL: none is bound. */
uint8_t *spirv_memory(struct spirv_run *run, uint64_t va, uint64_t bytes);

/** spirv_region() - the region of byte @va; NULL: none. */
const struct spirv_region *spirv_region(struct spirv_run *run, uint64_t va);

enum spirv_outcome spirv_load(struct spirv_run *run, struct spirv_warp *warp,
			      const struct spirv_ins *ins, uint32_t lanes);
enum spirv_outcome spirv_store(struct spirv_run *run, struct spirv_warp *warp,
			       const struct spirv_ins *ins, uint32_t lanes);
void spirv_gather(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		  uint32_t lanes);
void spirv_scatter(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		   uint32_t lanes);
void spirv_length(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		  uint32_t lanes);

/* run_image.c */

enum spirv_outcome spirv_image_read(struct spirv_run *run, struct spirv_warp *warp,
				    const struct spirv_ins *ins, uint32_t lanes);
enum spirv_outcome spirv_image_write(struct spirv_run *run, struct spirv_warp *warp,
				     const struct spirv_ins *ins, uint32_t lanes);
void spirv_image_size(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		      uint32_t lanes);

/* run_atomic.c */

enum spirv_outcome spirv_atomic(struct spirv_run *run, struct spirv_warp *warp,
				const struct spirv_ins *ins, uint32_t lanes);

/** spirv_fence() - request the fence of a barrier, if the warp has requests that it can order. */
void spirv_fence(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins);

/* run_subgroup.c */

void spirv_subgroup(struct spirv_run *run, struct spirv_warp *warp, const struct spirv_ins *ins,
		    uint32_t lanes);

/* run_round.c */

/** spirv_round_create() - create the resources of rounds in @vm, and a queue with @shared bytes. */
int spirv_round_create(struct faa_vm *vm, uint32_t shared, const struct faa_header_pool *headers,
		       struct spirv_round **round);

/** spirv_round_destroy() - free @round; NULL is allowed. */
void spirv_round_destroy(struct spirv_round *round);

/** spirv_ask() - add a request of lanes of a warp at its step; NULL: no memory. */
struct spirv_ask *spirv_ask(struct spirv_run *run, struct spirv_warp *warp,
			    const struct spirv_ins *ins, uint8_t kind, uint32_t lanes);

/** spirv_round_full() - whether there are so many requests that warps should wait. */
bool spirv_round_full(const struct spirv_round *round);

/** spirv_round_empty() - whether there are no requests. */
bool spirv_round_empty(const struct spirv_round *round);

/** spirv_round_reset() - drop all requests. */
void spirv_round_reset(struct spirv_round *round);

/** spirv_round_run() - run the requests on the device, and store the results to the slots. */
void spirv_round_run(struct spirv_run *run);

#endif /* FAA_SPIRV_RUN_H */
