/* SPDX-License-Identifier: MIT */
/**
 * DOC: Running a litmus test
 *
 * A run is one execution of the test. A round has up to 32 runs, one for each lane; every thread is a stream, a lane of it is the thread of
 * one run. A batch is a stream of rounds, at the start of each of which the threads meet. Everything that may matter for the order in which
 * accesses are performed is drawn for each round from the seed.
 *
 * Where a compute unit has room for one more stream there is a helper: it lets the others begin, when they have all come, while slices of the L2
 * are held up, so that what one thread does in them is overtaken by what others do.
 */
#ifndef RUN_H
#define RUN_H

#include "faa_atomic.h"
#include "lit.h"
#include "model.h"

#define RUN_LANES     32
#define RUN_MAX_ROUND 12
#define RUN_MAX_HOLDS 5
/* The number of the helper among threads: behind those of any test. */
#define RUN_HELPER  LIT_MAX_THREADS
#define RUN_STREAMS (LIT_MAX_THREADS + 1)

/** enum run_fault - what is done wrong on purpose, to see that it is found */
enum run_fault {
	RUN_NO_FAULT,
	/** @RUN_FAULT_OUTCOME: a wrong value is read back. */
	RUN_FAULT_OUTCOME,
	/** @RUN_FAULT_ORDER: strong accesses are relaxed, and fences left out. */
	RUN_FAULT_ORDER,
};

/** struct run_options - the command line */
struct run_options {
	const char *engine;
	/** @runs: of each test, at least. */
	uint32_t runs;
	uint64_t seed;
	/** @skip: what the device has too few of is no failure. */
	bool skip;
	/** @report: list what was never seen. */
	bool report;
	/** @stop: a test ends with the batch of its first illegal outcome. */
	bool stop;
	bool verbose;
	/** @json: an object a test in place of lines. */
	bool json;
	enum run_fault inject;
	char **paths;
	unsigned int path_count;
};

/** enum run_access - how an address or a value gets into a command */
enum run_access {
	RUN_AFFINE,
	RUN_REGISTER,
	RUN_ARRAY,
};

/** struct run_round - what is drawn for a round */
struct run_round {
	unsigned int lanes;
	/** @type: FAA_TYPE_U32 or FAA_TYPE_U64. */
	enum faa_type type;
	/** @location: byte in the area of the round; that of lane l is l * @stride further. */
	uint32_t location[LIT_MAX_LOCATIONS];
	uint32_t stride;
	/** @address: how locations are named, for each thread. */
	uint8_t address[LIT_MAX_THREADS];
	/** @value: how numbers are named: RUN_AFFINE as an immediate. */
	uint8_t value[LIT_MAX_THREADS];
	/** @direct: results go to memory where nobody needs them in a register. */
	bool direct[LIT_MAX_THREADS];
	/** @warm: bit: locations that the thread reads before the others begin. */
	uint8_t warm[LIT_MAX_THREADS];
	/** @known: the thread has the translations of all pages, without which its first accesses would take far longer than others. */
	bool known[LIT_MAX_THREADS];
	/** @skew: NOPs before the first operation, or 10 microseconds of a host thread: a simulated device is slow. */
	uint16_t skew[LIT_MAX_THREADS];
	/** @pause: microseconds of a host thread between lanes or operations. */
	uint16_t pause[LIT_MAX_THREADS];
	/** @noise: weak accesses just before the first operation: 0 none, 1 loads, 2 stores, 3 both; and where. */
	uint8_t noise[LIT_MAX_THREADS];
	/** @noise_lanes: lines of it; up to three wait with what follows in the queue before a slice that is held up, and change whose turn is when. */
	uint8_t noise_lanes[LIT_MAX_THREADS];
	uint8_t noise_location[LIT_MAX_THREADS];
	/** @noise_block: which part of the thread's memory for noise: seldom the same, so that the L2 does not have it. */
	uint8_t noise_block[LIT_MAX_THREADS];
	/**
	 * @hold: just before the first operation the L2 slice of this location is held up, so that what comes for it waits while other slices go on;
	 * RUN_NO_HOLD: none is. @holds: by how many accesses of scope SYS.
	 */
	uint8_t hold[LIT_MAX_THREADS], holds[LIT_MAX_THREADS];
	/**
	 * @helper_hold: locations whose slices the helper holds up before it lets the others begin, @helper_holds of them, one after the other;
	 * RUN_HOLD_FIRST: that of its neighbour's first operation, which then waits behind the helper's requests, and behind those of other units.
	 */
	uint8_t helper_hold[RUN_MAX_HOLDS], helper_holds;
	/** @helper_lag: NOPs before that: answers of a unit come in order, so a thread beside the helper learns of the beginning behind them. */
	uint8_t helper_lag;
	/** @hosts_first: the helper lets host threads begin before those of the device, not behind them, and executes @gap NOPs between. */
	bool hosts_first;
	uint16_t gap;
	/** @by_operation: a host thread does each operation for all lanes, not all operations lane by lane. */
	bool by_operation[LIT_MAX_THREADS];
	/** @offset: of the round's area in the batch. */
	uint32_t offset;
};

/* The area of a round: locations, results of each thread and register, addresses and values as arrays, and where the threads meet. */
#define RUN_LOCATION_BYTES (LIT_MAX_LOCATIONS * RUN_LANES * 128u + 4096u)
#define RUN_RESULT_BYTES   (LIT_MAX_THREADS * LIT_MAX_REGISTERS * RUN_LANES * 8u)
#define RUN_RESULTS	   RUN_LOCATION_BYTES
#define RUN_ADDRESSES	   (RUN_RESULTS + RUN_RESULT_BYTES)
#define RUN_MEETING	   (RUN_ADDRESSES + LIT_MAX_LOCATIONS * RUN_LANES * 8u)
#define RUN_ROUND_BYTES	   (RUN_MEETING + 64u)
/* Words of the meeting: threads that have come; if there is a helper 1 when those of the device, and those of the host, may begin. */
#define RUN_COME	(RUN_MEETING + 0u)
#define RUN_BEGIN	(RUN_MEETING + 4u)
#define RUN_BEGIN_HOSTS (RUN_MEETING + 8u)

/** struct run_batch - rounds that are submitted together */
struct run_batch {
	struct run_round rounds[RUN_MAX_ROUND];
	unsigned int round_count;
	/** @runs: lanes of all rounds. */
	unsigned int runs;
	/** @helper: a number that says where the helper is, of the places that there are. @first: which queue the first CTA gets; @downwards: the next one is lower. */
	unsigned int helper, first;
	bool downwards;
};

/** struct run_random - xorshift64* */
struct run_random {
	uint64_t state;
};

/** run_draw() - a number below @limit. */
uint32_t run_draw(struct run_random *random, uint32_t limit);

/** run_first_location() - the location of what @thread does first; RUN_NO_HOLD: it does nothing, or a fence. */
uint8_t run_first_location(const struct lit_thread *thread);

/** run_plan() - draw the rounds of a batch of about @runs runs. */
void run_plan(const struct lit_test *test, struct run_random *random, unsigned int runs,
	      struct run_batch *batch);

/** run_result_offset() - where register @reg of @thread of lane 0 is in a round's area; the next lane's is 8 bytes further. */
static inline uint32_t run_result_offset(unsigned int thread, unsigned int reg)
{
	return RUN_RESULTS + (thread * LIT_MAX_REGISTERS + reg) * RUN_LANES * 8u;
}

/** struct run_place - where a batch is in memory, and how its threads reach each other */
struct run_place {
	const struct lit_test *test;
	const struct run_batch *batch;
	/** @va: of the areas; @memory: where the host finds them. */
	uint64_t va;
	uint8_t *memory;
	/** @constants: VA of values 0..255 as 64-bit words, 32 of each; @noise: of RUN_NOISE_BYTES for each thread. */
	uint64_t constants, noise;
	/** @scope: at which the threads meet. */
	enum faa_thread_scope scope;
	/** @sys: the device has accesses of scope SYS. */
	bool sys;
	/** @helper: there is one; @neighbour: a thread of its compute unit. */
	bool helper;
	unsigned int neighbour;
	enum run_fault inject;
};

#define RUN_CONSTANTS	    64u
#define RUN_CONSTANTS_BYTES (RUN_CONSTANTS * RUN_LANES * 8u)
#define RUN_NO_HOLD	    255u
#define RUN_HOLD_FIRST	    254u
#define RUN_NOISE_BLOCK	    (RUN_LANES * 512u)
#define RUN_NOISE_BYTES	    (64u * RUN_NOISE_BLOCK)

/** run_build() - the stream of a device thread, or of RUN_HELPER; 0 or the stream's error. */
int run_build(struct faa_stream *stream, const struct run_place *place, unsigned int thread);

/** run_host_thread() - what a host thread does in all rounds; ends early when *@stop is set. 0 or -errno. */
int run_host_thread(const struct run_place *place, unsigned int thread, const int *stop);

/** struct run_result - what came of a test */
struct run_result {
	/** @allowed: outcomes that the model allows; @seen: how often each was seen. */
	struct model_rows allowed;
	uint32_t *seen;
	uint32_t runs;
	/** @illegal: runs with another outcome; @first_illegal: one of them. */
	uint32_t illegal;
	int32_t first_illegal[LIT_MAX_COLUMNS];
};

/** run_collect() - count the outcomes of a batch. */
void run_collect(const struct run_place *place, struct run_result *result);

/**
 * run_choose_device() - ask for a simulated device that is large enough, in the environment that faa-run gets
 *
 * More CTAs than the usual device has compute units: the model gets as many, the RTL is that of faa-vdev-quad, if it is built. What FAA_VDEV and FAA_VDEV_OPTS say counts more.
 *
 * Return: 0, or a negative errno after messages: files are wrong.
 */
int run_choose_device(const struct run_options *options);

struct run_machine;

/** run_ctas() - CTAs of the device threads of a test. */
unsigned int run_ctas(const struct lit_test *test);

/** run_machine_open() - queues and memory for tests; 0 or -errno after a message. */
int run_machine_open(struct faa_device *device, struct run_machine **machine);

/** run_machine_close() - release it; NULL is allowed. */
void run_machine_close(struct run_machine *machine);

/** run_machine_lacks() - what the device has too little of for @test, in words in @why; false if it has enough. */
bool run_machine_lacks(const struct run_machine *machine, const struct lit_test *test, char *why,
		       size_t size);

/** run_machine_batch() - run a batch and count its outcomes; 0 or -errno after a message. */
int run_machine_batch(struct run_machine *machine, const struct lit_test *test,
		      const struct run_batch *batch, enum run_fault inject,
		      struct run_result *result);

#endif /* RUN_H */
