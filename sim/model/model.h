/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of the model share. */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa_isa.h"
#include "faa_engine.h"
#include "faa_model.h"

#define NO_QUEUE    (-1)
#define NO_CU	    (-1)
#define TLB_ENTRIES 64

/** struct fault - error of an access or a command; code FAA_ERROR_SUCCESS without one */
struct fault {
	uint32_t code;
	/** @lane: lane of a warp; 0 for decoding and control commands */
	uint32_t lane;
	uint64_t address;
};

/** enum use - kind of an access to memory */
enum use { USE_READ, USE_WRITE, USE_ATOMIC };

/** struct place - a translated address */
struct place {
	uint64_t dma;
	/** @sparse: there is no memory */
	bool sparse;
};

/** struct tlb_entry - cached leaf of a 4 KiB page */
struct tlb_entry {
	bool valid;
	bool writable;
	bool atomic;
	bool sparse;
	uint8_t vmid;
	uint64_t page;
	/** @dma: DMA address of the page */
	uint64_t dma;
};

/** struct operand - one decoded operand */
struct operand {
	unsigned int kind;
	unsigned int reg;
	/** @bytes: width, 4 or 8 */
	unsigned int bytes;
	/** @item_type: item type of a stream */
	unsigned int item_type;
	unsigned int shift;
	int32_t stride;
	/** @value: immediate, base of an affine operand, address of a stream */
	uint64_t value;
	/** @step: step of an affine operand; base of a stream */
	uint64_t step;
	/** @lanes: values of a register when the command began */
	uint64_t lanes[FAA_LANES];
};

/** struct surface_operation - fields that only SUATOM has */
struct surface_operation {
	/** @dim: enum faa_dim */
	unsigned int dim;
	/** @clamp: enum faa_clamp */
	unsigned int clamp;
	/** @handle_kind: enum faa_handle_kind */
	unsigned int handle_kind;
	bool packed;
	/** @ba: x counts bytes */
	bool ba;
	/** @ps: predicate of the sparse status, PT: none */
	unsigned int ps;
	/** @handle: register, constant word or header index */
	uint32_t handle;
	/** @third: values of the register after those of operand a, when the command began */
	uint32_t third[FAA_LANES];
	/** @handles: values of a handle in a register, when the command began */
	uint32_t handles[FAA_LANES];
};

/** struct surface_config - state set by CONFIG */
struct surface_config {
	/** @pool: virtual address of the texture headers */
	uint64_t pool;
	/** @headers: number of texture headers */
	uint32_t headers;
	uint32_t bank_bytes;
	/** @bank: virtual address of the constant bank */
	uint64_t bank;
	/** @helpers: helper lanes, which are excluded */
	uint32_t helpers;
};

#define TEXTURE_WORDS (FAA_TEXTURE_HEADER_BYTES / 8)

/** enum texture_state - validity of a texture header */
enum texture_state { TEXTURE_GOOD, TEXTURE_DISABLED, TEXTURE_BAD };

/** struct texture - decoded texture header */
struct texture {
	/** @version: enum faa_header_version */
	unsigned int version;
	/** @type: enum faa_texture_type */
	unsigned int type;
	unsigned int texel_bytes;
	/** @sint: the format has signed integers */
	bool sint;
	uint64_t base;
	/** @width, @height, @depth: size of level 0 in texels */
	uint64_t width, height, depth;
	uint64_t layers;
	/** @pitch: bytes from row to row, in version PITCH */
	uint64_t pitch;
	/** @gobs_height, @gobs_depth: GOBs of a block, as logarithms */
	unsigned int gobs_height, gobs_depth;
	/** @levels: index of the last level */
	unsigned int levels;
	/** @level: level in use */
	unsigned int level;
};

/** enum slot - the operands of a command */
enum slot { SLOT_A, SLOT_B, SLOT_C, SLOT_D, SLOTS };

/** struct command - one decoded command */
struct command {
	uint64_t words[FAA_MAX_COMMAND_WORDS];
	const struct faa_command_info *info;
	unsigned int length;
	unsigned int opcode;
	unsigned int op;
	unsigned int type;
	/** @value_type: @type; for SD32 and SD64, the type that the surfaces of the warp select */
	unsigned int value_type;
	unsigned int mod;
	/** @strong: the access has scope and order */
	bool strong;
	/** @scope: enum faa_scope of a strong access */
	unsigned int scope;
	/** @order: enum faa_order of a strong access */
	unsigned int order;
	unsigned int guard;
	bool guard_negate;
	uint64_t count;
	/** @offset: offset of the address, extended to 64 bits */
	uint64_t offset;
	struct operand operands[SLOTS];
	struct surface_operation surface;
};

/** enum fp_op - floating-point operations */
enum fp_op { FP_ADD, FP_SUB, FP_MIN, FP_MAX };

/** struct access - accesses of a warp after its checks */
struct access {
	/** @lanes: active lanes */
	uint32_t lanes;
	/** @nulls: active lanes of SUATOM without an item */
	uint32_t nulls;
	/** @addresses: addresses in shared memory, or virtual addresses */
	uint64_t addresses[FAA_LANES];
	uint64_t b[FAA_LANES];
	uint64_t c[FAA_LANES];
};

/** struct service - work of the banks for a warp */
struct service {
	unsigned int groups;
	unsigned int passes;
};

/** enum stream_phase - action of a stream in its next unit */
enum stream_phase {
	STREAM_FETCH,
	STREAM_WARPS,
	STREAM_POLL,
	/* Waits at a BAR. */
	STREAM_BAR,
	STREAM_ENDED,
};

/** struct stream - a stream of the job that a CU executes */
struct stream {
	enum stream_phase phase;
	uint64_t stream_va;
	uint64_t seqno;
	uint64_t status_addr;
	uint32_t stream_bytes;
	uint32_t flags;
	/** @first_element: of the descriptor; used by the first command, then 0 */
	uint32_t first_element;
	uint64_t pc;
	/**
	 * @element: first element of the next warp of the running command; in an ended stream that
	 * of the status record
	 */
	uint64_t element;
	/** @lanes: lanes that the guard of the running command enables */
	uint32_t lanes;
	uint64_t elements_retired;
	uint32_t warps;
	uint32_t passes;
	/** @end: why the stream ended */
	struct fault end;
	struct command command;
};

/** struct warp_slot - registers and stream of a warp slot */
struct warp_slot {
	struct cu *cu;
	struct stream stream;
	uint32_t registers[FAA_REGISTERS][FAA_LANES];
	uint32_t predicates[FAA_PREDICATES];
	struct surface_config config;
};

/** enum job_phase - progress of a CU's job */
enum job_phase { JOB_DESCRIPTORS, JOB_CONTEXT, JOB_STREAMS };

/** struct cu - a compute unit */
struct cu {
	struct faa_engine *engine;
	unsigned int index;
	bool busy;
	bool reset;
	/** @resident: queue whose context is in the CU, or NO_QUEUE */
	int resident;
	/** @queue: queue of the running job, valid while busy */
	int queue;
	enum job_phase phase;
	uint64_t start_cycle;
	/** @streams: number of streams of the job, in slots from 0 on */
	unsigned int streams;
	/** @running: number of streams that have not ended */
	unsigned int running;
	/** @failed: a stream ended with an error, which stops the others */
	bool failed;
	/** @refused: a stream has a bad descriptor, so none begins */
	bool refused;
	struct warp_slot slots[FAA_MAX_SLOTS];
	uint8_t *shared;
	uint64_t counters[FAA_COUNTERS];
	/** @base: what @counters had more than those of the queue whose context the CU holds */
	uint64_t base[FAA_COUNTERS];
	struct tlb_entry tlb[TLB_ENTRIES];
};

/** struct queue - a hardware queue */
struct queue {
	enum faa_queue_state state;
	bool enable;
	/** @restart: enabled again before its earlier job had ended */
	bool restart;
	bool kill;
	/** @keep: CONTROL.keep: save the context when the queue is disabled */
	bool keep;
	/** @leaving: disabled with @keep, and its context is not saved yet */
	bool leaving;
	/** @slots: CONTROL.slots: bits of warp slots whose context is in the save area */
	uint32_t slots;
	/** @used: bits of warp slots used since the queue was enabled */
	uint32_t used;
	int cu;
	uint32_t tail;
	uint32_t head;
	uint64_t ring;
	uint32_t ring_size;
	uint32_t prio;
	uint32_t vector;
	uint32_t vmid;
	uint64_t page_table;
	uint64_t save_area;
	uint64_t seqno_addr;
	/** @shared_bytes: value of the register; see shared_bytes() for the allocation */
	uint32_t shared_bytes;
};

/** struct turn - actor of a unit: a CU that begins a job, with @ws NULL, or one of its streams */
struct turn {
	struct cu *cu;
	struct warp_slot *ws;
};

struct faa_engine {
	const struct faa_host_ops *ops;
	void *ctx;
	struct faa_model_params params;
	/** @deaf: defect: compute units ignore a kill, but not a reset */
	bool deaf;
	/** @unserved: defect: queues of the lowest priority never get a CU */
	bool unserved;
	/** @shared_lanes: lanes that the shared unit accepts per cycle */
	unsigned int shared_lanes;
	uint32_t error_rate;
	uint64_t random;
	uint64_t cycle;
	uint32_t event_status;
	uint32_t event_enable;
	/** @event_interrupt: request vector 0 in the next unit */
	bool event_interrupt;
	uint32_t inv_vmid;
	uint64_t inv_start;
	uint64_t inv_last;
	uint32_t inv_request;
	uint32_t inv_done;
	bool inv_pending;
	/** @served: the last queue of each priority that got a CU */
	unsigned int served[4];
	/** @turn: actor of the next @turn_units units, if it can run */
	struct turn turn;
	unsigned int turn_units;
	struct queue queues[FAA_MAX_QUEUES];
	struct cu cus[FAA_MAX_CUS];
};

/* bits of EVENT_STATUS */
#define EVENT_TLB_INV_DONE  1u
#define EVENT_CU_RESET_DONE 2u
#define EVENT_QUEUE_KILLED  4u
#define EVENT_QUEUE_ERROR   8u
#define EVENT_QUEUE_SAVED   16u

/* engine.c */
uint64_t model_random(struct faa_engine *engine);
int bus_read(struct faa_engine *engine, uint64_t addr, void *buf, size_t len);
int bus_write(struct faa_engine *engine, uint64_t addr, const void *buf, size_t len);
int bus_cas(struct faa_engine *engine, uint64_t addr, unsigned int size, uint64_t *expected,
	    uint64_t desired);
void update_events(struct faa_engine *engine, uint32_t before);
void raise_event(struct faa_engine *engine, uint32_t event);

/* regs.c */
uint32_t regs_read(struct faa_engine *engine, uint32_t offset);
void regs_write(struct faa_engine *engine, uint32_t offset, uint32_t value);

/* queue.c */
void queue_set_control(struct faa_engine *engine, unsigned int index, uint32_t value);
void queue_set_tail(struct queue *queue, uint32_t tail);
void queue_stop(struct faa_engine *engine, struct queue *queue, enum faa_queue_state state);
void queue_leave_cu(struct cu *cu);
void queues_leave(struct faa_engine *engine);

/* job.c */
bool job_read_descriptors(struct cu *cu);
void job_abandon(struct cu *cu);
void job_stop(struct cu *cu, uint32_t code);
void stream_end(struct warp_slot *ws, uint32_t code, uint64_t element, uint32_t lane,
		uint64_t address);
uint64_t stream_next_element(const struct stream *stream);

/* sched.c */
void sched_assign(struct faa_engine *engine);
bool sched_has_work(const struct faa_engine *engine);
bool context_switch(struct cu *cu);
void counters_to_le(const struct cu *cu, uint64_t le[FAA_COUNTERS]);
void context_discard(struct faa_engine *engine, unsigned int queue);
bool context_evict(struct faa_engine *engine, unsigned int queue);
void cu_reset(struct cu *cu);

/* turn.c */
struct turn turn_next(struct faa_engine *engine);

/* mmu.c */
struct fault mmu_translate(struct cu *cu, uint64_t va, unsigned int align, enum use use,
			   struct place *place);
struct fault mmu_read(struct cu *cu, struct place place, void *buf, size_t len);
struct fault mmu_write(struct cu *cu, struct place place, const void *buf, size_t len);
struct fault mmu_cas(struct cu *cu, struct place place, unsigned int size, uint64_t *expected,
		     uint64_t desired);
void mmu_invalidate(struct faa_engine *engine);

/* decode.c */
struct fault decode_command(struct warp_slot *ws);

/* operands.c */
unsigned int type_bytes(unsigned int type);
uint64_t type_extend(unsigned int type, uint64_t value);
void operands_capture(struct warp_slot *ws);
struct fault operand_read(struct warp_slot *ws, const struct operand *operand, uint64_t first,
			  uint32_t lanes, uint64_t values[FAA_LANES]);
struct fault result_check(struct warp_slot *ws, const struct operand *operand, uint64_t first,
			  uint32_t lanes, struct place places[FAA_LANES]);
struct fault result_write(struct warp_slot *ws, const struct operand *operand, uint32_t lanes,
			  const struct place places[FAA_LANES], const uint64_t values[FAA_LANES]);

/* shared.c */
uint32_t shared_bytes(const struct faa_engine *engine, const struct queue *queue);
struct fault shared_check(struct warp_slot *ws, const struct access *access);
void shared_load(struct warp_slot *ws, const struct access *access, uint64_t results[FAA_LANES]);
void shared_store(struct warp_slot *ws, const struct access *access);
void shared_atomic(struct warp_slot *ws, const struct access *access, uint64_t results[FAA_LANES]);

/* atom.c */
struct fault atom_execute(struct warp_slot *ws, const struct access *access,
			  const struct place places[FAA_LANES], uint64_t results[FAA_LANES]);

/* texture.c */
enum texture_state texture_read(const uint64_t header[TEXTURE_WORDS], unsigned int dim,
				struct texture *texture);
void texture_size(const struct texture *texture, uint64_t size[3]);
uint64_t texture_address(const struct texture *texture, uint64_t xb, uint64_t y, uint64_t z,
			 uint64_t layer);

/* surface.c */
unsigned int surface_coordinates(unsigned int dim);
struct fault config_check(const struct command *command);
struct fault config_execute(struct warp_slot *ws);
struct fault surface_locate(struct warp_slot *ws, struct access *access,
			    const uint64_t a[FAA_LANES]);
void surface_set_status(struct warp_slot *ws, const struct access *access,
			const struct place places[FAA_LANES]);

/* groups.c */
uint32_t trying_lanes(const struct command *command, const struct access *access);
struct service shared_service(const struct command *command, const struct access *access,
			      unsigned int lanes_per_cycle);

/* alu.c */
uint64_t atomic_operate(const struct command *command, uint64_t m, uint64_t b, uint64_t c);
uint64_t alu_operate(const struct command *command, uint64_t a, uint64_t b);
bool setp_compare(const struct command *command, uint64_t a, uint64_t b);

/* fp.c */
bool fp_type(unsigned int type);
double fp_value(unsigned int type, uint64_t x);
bool fp_equal(unsigned int type, bool ftz, uint64_t a, uint64_t b);
uint64_t fp_operate(unsigned int type, enum fp_op op, bool ftz, uint64_t a, uint64_t b);

/* control.c */
void control_execute(struct warp_slot *ws);
void control_poll(struct warp_slot *ws);
void bar_release(struct cu *cu);

/* exec.c */
uint32_t guard_lanes(const struct warp_slot *ws, const struct command *command);
void command_done(struct warp_slot *ws, uint64_t next_pc);
void exec_unit(struct turn turn);

#endif /* MODEL_H */
