/* SPDX-License-Identifier: MIT */
/**
 * DOC: Running a litmus test
 *
 * A run is one execution of the test. A round has up to 32 runs, one for each lane; every thread is
 * a stream, and each of its lanes is the thread of one run. A batch is a stream of rounds; the
 * threads meet at the start of each round. All parameters that may affect the order of accesses are
 * drawn for each round from the seed.
 *
 * A compute unit with room for one more stream runs a helper. It starts the other threads, when all
 * of them have arrived, while slices of the L2 are stalled, so that accesses of one thread to these
 * slices are overtaken by those of others.
 */
#ifndef RUN_H
#define RUN_H

#include "faa_atomic.h"
#include "lit.h"
#include "model.h"

#define RUN_LANES     32
#define RUN_MAX_ROUND 12
#define RUN_MAX_HOLDS 5
/* The number of the helper among threads: after those of any test. */
#define RUN_HELPER  LIT_MAX_THREADS
#define RUN_STREAMS (LIT_MAX_THREADS + 1)

/** enum run_fault - deliberate errors, to check that they are detected */
enum run_fault {
	RUN_NO_FAULT,
	/** @RUN_FAULT_OUTCOME: a wrong value is read back. */
	RUN_FAULT_OUTCOME,
	/** @RUN_FAULT_ORDER: strong accesses are relaxed, and fences are omitted. */
	RUN_FAULT_ORDER,
};

/** struct run_options - the command line */
struct run_options {
	const char *engine;
	/** @runs: minimum for each test. */
	uint32_t runs;
	uint64_t seed;
	/** @skip: a test for which the device is too small is no failure. */
	bool skip;
	/** @report: list the outcomes that never occurred. */
	bool report;
	/** @stop: a test ends with the batch of its first illegal outcome. */
	bool stop;
	bool verbose;
	/** @json: an object for each test instead of lines. */
	bool json;
	enum run_fault inject;
	char **paths;
	unsigned int path_count;
};

/** enum run_access - form of an address or a value in a command */
enum run_access {
	RUN_AFFINE,
	RUN_REGISTER,
	RUN_ARRAY,
};

/** struct run_round - parameters that are drawn for a round */
struct run_round {
	unsigned int lanes;
	/** @type: FAA_TYPE_U32 or FAA_TYPE_U64. */
	enum faa_type type;
	/** @location: byte offset in the area of the round; for lane l, plus l * @stride. */
	uint32_t location[LIT_MAX_LOCATIONS];
	uint32_t stride;
	/** @address: form of addresses, for each thread. */
	uint8_t address[LIT_MAX_THREADS];
	/** @value: form of numbers; RUN_AFFINE is an immediate. */
	uint8_t value[LIT_MAX_THREADS];
	/** @direct: results that no later operation needs in a register are written to memory. */
	bool direct[LIT_MAX_THREADS];
	/** @warm: bit mask of locations that the thread reads before the others begin. */
	uint8_t warm[LIT_MAX_THREADS];
	/**
	 * @known: the thread has loaded the translations of all pages; otherwise its first accesses
	 * take far longer than others.
	 */
	bool known[LIT_MAX_THREADS];
	/**
	 * @skew: NOPs before the first operation, or units of 10 microseconds of a host thread,
	 * since a simulated device is slow.
	 */
	uint16_t skew[LIT_MAX_THREADS];
	/** @pause: microseconds that a host thread waits between lanes or operations. */
	uint16_t pause[LIT_MAX_THREADS];
	/**
	 * @noise: weak accesses just before the first operation: 0 none, 1 loads, 2 stores, 3 both;
	 * and their location.
	 */
	uint8_t noise[LIT_MAX_THREADS];
	/**
	 * @noise_lanes: number of their lines. Up to three wait, with later requests, in the queue
	 * of a stalled slice, and change the arbitration.
	 */
	uint8_t noise_lanes[LIT_MAX_THREADS];
	uint8_t noise_location[LIT_MAX_THREADS];
	/**
	 * @noise_block: block of the thread's memory for noise; seldom the same one twice, so that
	 * the L2 does not hold it.
	 */
	uint8_t noise_block[LIT_MAX_THREADS];
	/**
	 * @hold: the L2 slice of this location is stalled just before the first operation, so that
	 * its requests wait while other slices continue; RUN_NO_HOLD: none. @holds: number of
	 * accesses of scope SYS that stall it.
	 */
	uint8_t hold[LIT_MAX_THREADS], holds[LIT_MAX_THREADS];
	/**
	 * @helper_hold: locations whose slices the helper stalls, one after the other, right after
	 * the store that starts the device threads; @helper_holds of them. RUN_HOLD_FIRST: the
	 * location of its neighbour's first operation, which then waits after the requests of the
	 * helper and of other units.
	 */
	uint8_t helper_hold[RUN_MAX_HOLDS], helper_holds;
	/**
	 * @helper_lag: NOPs between that store and the holds. Answers of a unit come in order, so a
	 * thread in the helper's unit sees the start after them.
	 */
	uint8_t helper_lag;
	/**
	 * @hosts_first: the helper starts host threads before those of the device, not after them,
	 * and executes @gap NOPs in between.
	 */
	bool hosts_first;
	uint16_t gap;
	/**
	 * @by_operation: a host thread executes each operation for all lanes, not all operations
	 * lane by lane.
	 */
	bool by_operation[LIT_MAX_THREADS];
	/** @offset: of the round's area in the batch. */
	uint32_t offset;
};

/*
 * The area of a round: locations, results of each thread and register, addresses and values as
 * arrays, and the words of the meeting.
 */
#define RUN_LOCATION_BYTES (LIT_MAX_LOCATIONS * RUN_LANES * 128u + 4096u)
#define RUN_RESULT_BYTES   (LIT_MAX_THREADS * LIT_MAX_REGISTERS * RUN_LANES * 8u)
#define RUN_RESULTS	   RUN_LOCATION_BYTES
#define RUN_ADDRESSES	   (RUN_RESULTS + RUN_RESULT_BYTES)
#define RUN_MEETING	   (RUN_ADDRESSES + LIT_MAX_LOCATIONS * RUN_LANES * 8u)
#define RUN_ROUND_BYTES	   (RUN_MEETING + 64u)
/*
 * Words of the meeting: the number of threads that have arrived; with a helper, 1 when those of the
 * device, and those of the host, may begin.
 */
#define RUN_COME	(RUN_MEETING + 0u)
#define RUN_BEGIN	(RUN_MEETING + 4u)
#define RUN_BEGIN_HOSTS (RUN_MEETING + 8u)

/** struct run_batch - rounds that are submitted together */
struct run_batch {
	struct run_round rounds[RUN_MAX_ROUND];
	unsigned int round_count;
	/** @runs: lanes of all rounds. */
	unsigned int runs;
	/**
	 * @helper: selects one of the possible places of the helper. @first: queue of the first
	 * CTA; @downwards: the next CTA gets the queue below.
	 */
	unsigned int helper, first;
	bool downwards;
};

/** struct run_random - xorshift64* */
struct run_random {
	uint64_t state;
};

/** run_draw() - a number below @limit. */
uint32_t run_draw(struct run_random *random, uint32_t limit);

/**
 * run_first_location() - the location of the first operation of @thread; RUN_NO_HOLD: it has none,
 * or a fence.
 */
uint8_t run_first_location(const struct lit_thread *thread);

/** run_plan() - draw the rounds of a batch of about @runs runs. */
void run_plan(const struct lit_test *test, struct run_random *random, unsigned int runs,
	      struct run_batch *batch);

/**
 * run_result_offset() - offset of register @reg of @thread of lane 0 in a round's area; each
 * further lane adds 8 bytes.
 */
static inline uint32_t run_result_offset(unsigned int thread, unsigned int reg)
{
	return RUN_RESULTS + (thread * LIT_MAX_REGISTERS + reg) * RUN_LANES * 8u;
}

/** struct run_place - addresses of a batch, and means by which its threads communicate */
struct run_place {
	const struct lit_test *test;
	const struct run_batch *batch;
	/** @va: of the areas; @memory: their address in the host. */
	uint64_t va;
	uint8_t *memory;
	/**
	 * @constants: VA of values 0..255 as 64-bit words, 32 of each; @noise: of RUN_NOISE_BYTES
	 * for each thread.
	 */
	uint64_t constants, noise;
	/** @scope: of the meeting. */
	enum faa_thread_scope scope;
	/** @sys: the device has accesses of scope SYS. */
	bool sys;
	/** @helper: the batch has one; @neighbour: a thread of its compute unit. */
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

/**
 * run_host_thread() - execute the operations of a host thread in all rounds; ends early when *@stop
 * is set. 0 or -errno.
 */
int run_host_thread(const struct run_place *place, unsigned int thread, const int *stop);

/** struct run_result - result of a test */
struct run_result {
	/** @allowed: outcomes that the model allows; @seen: number of times that each occurred. */
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
 * run_choose_device() - request a simulated device that is large enough, in the environment of
 * faa-run
 *
 * With more CTAs than compute units of the usual device, the model gets as many units, and the RTL
 * is that of faa-vdev-quad, else that of faa-vdev-full, if it is built. FAA_VDEV and FAA_VDEV_OPTS
 * have precedence.
 *
 * Return: 0, or a negative errno after messages about errors in files.
 */
int run_choose_device(const struct run_options *options);

struct run_machine;

/** run_ctas() - CTAs of the device threads of a test. */
unsigned int run_ctas(const struct lit_test *test);

/** run_machine_open() - queues and memory for tests; 0 or -errno after a message. */
int run_machine_open(struct faa_device *device, struct run_machine **machine);

/** run_machine_close() - free it; NULL is allowed. */
void run_machine_close(struct run_machine *machine);

/**
 * run_machine_lacks() - describe in @why the resource that the device lacks for @test; false if it
 * has enough.
 */
bool run_machine_lacks(const struct run_machine *machine, const struct lit_test *test, char *why,
		       size_t size);

/** run_machine_batch() - run a batch and count its outcomes; 0 or -errno after a message. */
int run_machine_batch(struct run_machine *machine, const struct lit_test *test,
		      const struct run_batch *batch, enum run_fault inject,
		      struct run_result *result);

#endif /* RUN_H */
