/* SPDX-License-Identifier: MIT */
/**
 * DOC: A device for a benchmark
 *
 * One queue, memory in large pages, a stream that runs as a job, and counters between two
 * snapshots.
 */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include "bench.h"
#include "faa_model.h"

/** struct bench_machine - device, queue and stream; all zero before bench_machine_open() */
struct bench_machine {
	struct bench_build build;
	struct tb_host *host;
	struct tb_vm *vm;
	struct tb_queue *queue;
	struct faa_stream *stream;
	struct tb_buffer code, snapshots;
};

/**
 * bench_machine_open() - make a device with one queue
 * @m: has to be closed in any case
 * @engine: engine
 * @shared_bytes: shared memory of the queue
 * @elements: elements of the longest job, for a limit of its time
 * @large_bytes: bytes of all bench_large_buffer(), each rounded up to large pages
 *
 * Return: 0, or -1 after a message on stderr.
 */
int bench_machine_open(struct bench_machine *m, const struct bench_engine *engine,
		       uint32_t shared_bytes, size_t elements, size_t large_bytes);

/** bench_machine_close() - free the device. */
void bench_machine_close(struct bench_machine *m);

/**
 * bench_large_buffer() - memory in 2 MiB pages, as the library maps buffers of that size: no table
 * walk takes a cycle of the memory port
 * @flags: of the page table entries beside WRITABLE
 */
struct tb_buffer bench_large_buffer(struct tb_vm *vm, size_t bytes, uint64_t flags);

/** bench_machine_snapshot() - add the first (0) or second (1) SNAPSHOT to the stream. */
void bench_machine_snapshot(struct bench_machine *m, unsigned int index);

/** bench_machine_run() - run the stream as a job; 0, or -1 after a message on stderr. */
int bench_machine_run(struct bench_machine *m);

/** bench_machine_counters() - increments of the counters between the snapshots. */
void bench_machine_counters(const struct bench_machine *m, struct faa_counters *diff);

/**
 * bench_machine_violations() - 0, or -1 after a message if the device accessed memory without
 * permission.
 */
int bench_machine_violations(const struct bench_machine *m);

#endif /* BENCH_MACHINE_H */
