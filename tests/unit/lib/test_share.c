// SPDX-License-Identifier: MIT
/* Shared VMs: process memory is bound where a job faults, and the job continues. */
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check_alloc.h"
#include "device.h"
#include "fake_kernel.h"
#include "svm/share.h"

#define PAGE 4096
#define KIB  1024ull
#define MIB  (1024 * KIB)
#define HALF (1ull << 47)
#define BINS 256

/* Enough time for another thread; a passing test does not use it up. */
#define SOON faa_deadline(60000000000)

static struct fake_kernel *kernel;
static struct faa_device *device;

static int setup(void **state)
{
	(void)state;
	kernel = fake_kernel_create();
	return faa_device_open_backend(fake_kernel_open(kernel), &device);
}

static int teardown(void **state)
{
	(void)state;
	faa_device_unref(device);
	assert_int_equal(fake_kernel_live(kernel), 0);
	fake_kernel_destroy(kernel);
	return 0;
}

/* ---- Choice of mappings and windows ---- */

static const char maps[] =
	"00400000-00452000 r-xp 00000000 08:02 173521      /usr/bin/dbus-daemon\n"
	"00e03000-00e24000 rw-p 00000000 00:00 0           [heap]\n"
	"35b1800000-35b1820000 r--p 00000000 08:02 135522  /a/path/that/is/longer/than/any/buffer/for/a/line/of/this/file/would/be/if/"
	"a-reader/thought/that/one/hundred/and/twenty/eight/characters/are/enough/for/everybody/12345678-1234567a rw-p\n"
	"35b1820000-35b1821000 ---p 00020000 08:02 135522  /usr/lib64/ld-2.15.so\n"
	"7fffb2c0d000-7fffb2c2e000 rw-s 00000000 00:00 0   [stack]\n";

static int search(uint64_t address, struct faa_vma *vma)
{
	FILE *file = fmemopen((void *)maps, sizeof(maps) - 1, "r");
	int ret;

	assert_non_null(file);
	ret = faa_vma_search(file, address, vma);
	fclose(file);
	return ret;
}

static void mappings_of_a_process(void **state)
{
	struct faa_vma vma;
	int local;

	(void)state;
	assert_int_equal(search(0x400000, &vma), 0);
	assert_true(vma.start == 0x400000 && vma.end == 0x452000 && vma.readable && !vma.writable);
	assert_int_equal(search(0xe23fff, &vma), 0);
	assert_true(vma.writable);
	assert_int_equal(search(0xe24000, &vma), -ENOENT);
	assert_int_equal(search(0x3fffff, &vma), -ENOENT);
	assert_int_equal(search(0x12345679, &vma), -ENOENT);
	assert_int_equal(search(0x35b1820000, &vma), 0);
	assert_true(!vma.readable && !vma.writable);
	assert_int_equal(search(0x7fffb2c2dfff, &vma), 0);
	assert_int_equal(search(0x7fffb2c2e000, &vma), -ENOENT);
	/* The real file. */
	assert_int_equal(faa_vma_find((uintptr_t)&local, &vma), 0);
	assert_true(vma.readable && vma.writable);
	assert_int_equal(faa_vma_find((uintptr_t)maps, &vma), 0);
	assert_true(vma.readable && !vma.writable);
	assert_int_equal(faa_vma_find(PAGE, &vma), -ENOENT);
}

/* A fault at @address, bound as requested. */
static const struct faa_window *fault(struct faa_share *share, uint64_t address,
				      const struct faa_vma *vma)
{
	struct faa_window *window = faa_window_choose(share, address, vma);

	assert_true(window->start <= address && window->end > address);
	assert_true(window->start >= vma->start && window->end <= vma->end);
	assert_true(window->start % PAGE == 0 && window->end % PAGE == 0);
	window->serial = ++share->serial;
	return window;
}

static void windows_grow(void **state)
{
	const struct faa_vma vma = { 16 * MIB + 8 * KIB, 512 * MIB + 4 * KIB, true, true };
	const struct faa_window *window;
	struct faa_share share = { .serial = 0 };
	uint64_t address, end;
	unsigned int binds;

	(void)state;
	window = fault(&share, vma.start + 100, &vma);
	assert_int_equal(window->start, vma.start);
	assert_int_equal(window->end, 16 * MIB + 64 * KIB);
	window = fault(&share, window->end, &vma);
	assert_int_equal(window->end - window->start, 128 * KIB);
	/* Two streams at a time, to the end. */
	for (binds = 0, address = 300 * MIB; address < vma.end; binds++) {
		address = fault(&share, address, &vma)->end;
		if (binds < 20)
			fault(&share, 17 * MIB + binds * MIB, &vma);
	}
	assert_true(binds < 20);
	assert_int_equal(address, vma.end);
	/* Downwards. */
	for (binds = 0, address = 256 * MIB; address > 64 * MIB; binds++)
		address = fault(&share, address - 1, &vma)->start;
	assert_true(binds < 20);
	/* A window may begin below the last one by as much as its size. */
	memset(&share, 0, sizeof(share));
	assert_int_equal(fault(&share, 100 * MIB, &vma)->start, 100 * MIB);
	window = fault(&share, 100 * MIB - 64 * KIB, &vma);
	assert_int_equal(window->end - window->start, 128 * KIB);
	/* Memory that goes missing inside a window is bound again in a window of the same size. */
	memset(&share, 0, sizeof(share));
	end = fault(&share, 100 * MIB, &vma)->end;
	window = fault(&share, end - 1, &vma);
	assert_int_equal(window->end - window->start, 64 * KIB);
	/* One page. */
	window = fault(&share, 32 * KIB, &(struct faa_vma){ 32 * KIB, 36 * KIB, true, true });
	assert_int_equal(window->end - window->start, PAGE);
}

/* ---- Jobs ---- */

struct bench {
	struct faa_vm *vm;
	struct faa_queue *queue;
	struct faa_stream *stream;
	/* Memory of the process. */
	uint8_t *memory;
	struct faa_job job;
};

#define BENCH_BYTES (2u << 20)

static int bench_open(struct bench *bench, bool shared)
{
	struct faa_queue_options options = { .shared_bytes = 1024, .status_entries = 64 };
	int ret;

	memset(bench, 0, sizeof(*bench));
	bench->memory = fake_kernel_memory(kernel, BENCH_BYTES);
	ret = faa_vm_create(device, &bench->vm);
	if (!ret && shared)
		ret = faa_vm_share_process(bench->vm);
	if (!ret)
		ret = faa_queue_create(bench->vm, &options, &bench->queue);
	if (!ret)
		ret = faa_stream_create(&bench->stream);
	return ret;
}

static void bench_close(struct bench *bench)
{
	faa_stream_destroy(bench->stream);
	faa_queue_destroy(bench->queue);
	faa_vm_unref(bench->vm);
}

static uint64_t at(const struct bench *bench, size_t offset)
{
	return (uintptr_t)bench->memory + offset;
}

/*
 * The bench's stream as a job, with its words at byte @offset of its memory; an empty job if there
 * was no memory for it.
 */
static void place_stream(struct bench *bench, size_t offset)
{
	const uint64_t *words;
	size_t count;
	int ret = faa_stream_finish(bench->stream);

	assert_true(!ret || ret == -ENOMEM);
	if (ret)
		faa_stream_reset(bench->stream);
	words = faa_stream_words(bench->stream, &count);
	if (count)
		memcpy(bench->memory + offset, words, count * 8);
	bench->job = (struct faa_job){ .stream_va = at(bench, offset), .stream_bytes = count * 8 };
	faa_stream_reset(bench->stream);
}

static int run(struct bench *bench, struct faa_job_status *status)
{
	return faa_queue_run(bench->queue, &bench->job, SOON, status);
}

static void too_late_to_share(void **state)
{
	const struct faa_queue_options impossible = { .status_entries = 65 };
	struct faa_bo *bo;
	struct faa_vm *vm;
	struct bench bench;
	uint64_t va;

	(void)state;
	assert_int_equal(faa_vm_create(device, &vm), 0);
	assert_int_equal(faa_vm_reserve(vm, PAGE, 0, &va), 0);
	assert_int_equal(faa_vm_share_process(vm), -EBUSY);
	assert_int_equal(faa_vm_release(vm, va, PAGE), 0);
	fake_kernel_fail(kernel, 0, -EOPNOTSUPP);
	assert_int_equal(faa_vm_share_process(vm), -EOPNOTSUPP);
	fake_kernel_fail(kernel, 0, -EINVAL);
	assert_int_equal(faa_vm_share_process(vm), -EOPNOTSUPP);
	assert_int_equal(faa_vm_share_process(vm), 0);
	assert_int_equal(faa_vm_share_process(vm), -EALREADY);
	/* BOs are at addresses to which no pointer can point, and nowhere else. */
	assert_int_equal(faa_bo_create(device, PAGE, 0, &bo), 0);
	assert_int_equal(faa_vm_map(vm, bo, 0, 0, 0, &va), 0);
	assert_true(va >= HALF);
	assert_int_equal(faa_vm_map_fixed(vm, bo, 0, 0, 0, 1 << 20), -EINVAL);
	assert_int_equal(faa_vm_bind(vm, bo, 0, 0, 0, 1 << 20), -EINVAL);
	faa_bo_unref(bo);
	faa_vm_unref(vm);
	assert_int_equal(bench_open(&bench, false), 0);
	assert_int_equal(faa_vm_share_process(bench.vm), -EBUSY);
	faa_queue_destroy(bench.queue);
	bench.queue = NULL;
	/* A queue that could not be created does not exist. */
	assert_int_equal(faa_queue_create(bench.vm, &impossible, &bench.queue), -EINVAL);
	assert_int_equal(faa_vm_share_process(bench.vm), 0);
	bench_close(&bench);
}

#define PIXELS_AT (64 * 1024)
#define PIXELS	  1000000u

static void build_histogram(struct bench *bench, uint32_t *expected)
{
	uint8_t *pixels = bench->memory + PIXELS_AT;
	uint32_t i;

	memset(expected, 0, BINS * sizeof(*expected));
	for (i = 0; i < PIXELS; i++) {
		pixels[i] = i * i / 7 + i / 1000;
		expected[pixels[i]]++;
	}
	faa_stream_atoms(bench->stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, PIXELS, faa_none(),
			 faa_scaled(faa_array_u8(at(bench, PIXELS_AT), 1), 2, 0), 0, faa_imm(1),
			 faa_none());
	faa_stream_lds(bench->stream, FAA_TYPE_U32, BINS,
		       faa_array_u32(at(bench, BENCH_BYTES - PAGE), 4), faa_affine(0, 4), 0);
	faa_stream_end(bench->stream);
}

/* A histogram of a million bytes that are not mapped: the program sees one job, stream included. */
static void histogram_without_mapping(void **state)
{
	struct faa_job_status status, reference;
	struct faa_queue_info info;
	uint32_t expected[BINS];
	struct bench bench, plain;
	uint32_t *bins;
	uint64_t va;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	build_histogram(&bench, expected);
	place_stream(&bench, 3 * PAGE - 16);
	assert_int_equal(run(&bench, &status), 0);
	bins = (uint32_t *)(bench.memory + BENCH_BYTES - PAGE);
	assert_memory_equal(bins, expected, sizeof(expected));
	assert_int_equal(faa_queue_info(bench.queue, &info), 0);
	assert_int_equal(info.submitted, 1);
	assert_int_equal(info.completed, 1);
	assert_int_equal(info.failed, 0);
	assert_int_equal(info.elements_retired, PIXELS + BINS);
	print_message("%u binds\n", fake_kernel_userptr_binds(kernel));
	assert_true(fake_kernel_userptr_binds(kernel) <= 12);
	/* The same on a VM with all memory mapped beforehand. */
	assert_int_equal(bench_open(&plain, false), 0);
	assert_int_equal(faa_vm_map_userptr(plain.vm, plain.memory, BENCH_BYTES, 0, &va), 0);
	faa_stream_atoms(plain.stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, PIXELS, faa_none(),
			 faa_scaled(faa_array_u8(va + PIXELS_AT, 1), 2, 0), 0, faa_imm(1),
			 faa_none());
	faa_stream_lds(plain.stream, FAA_TYPE_U32, BINS, faa_array_u32(va + BENCH_BYTES - PAGE, 4),
		       faa_affine(0, 4), 0);
	faa_stream_end(plain.stream);
	memcpy(plain.memory + PIXELS_AT, bench.memory + PIXELS_AT, PIXELS);
	place_stream(&plain, 0);
	plain.job.stream_va = va;
	assert_int_equal(run(&plain, &reference), 0);
	assert_int_equal(status.seqno, reference.seqno);
	assert_int_equal(status.code, FAA_ERROR_SUCCESS);
	assert_int_equal(status.command, reference.command);
	assert_true(status.elements_retired == reference.elements_retired);
	assert_int_equal(status.warps, reference.warps);
	assert_int_equal(status.passes, reference.passes);
	assert_true(status.end_cycle - status.start_cycle >=
		    reference.end_cycle - reference.start_cycle);
	bench_close(&plain);
	bench_close(&bench);
}

/* Memory that was bound and has changed is bound again, including the running stream. */
static void memory_changes_between_jobs(void **state)
{
	uint32_t expected[BINS], *bins;
	struct bench bench;
	unsigned int i;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	build_histogram(&bench, expected);
	/* Each run starts with empty bins. */
	faa_stream_sts(bench.stream, FAA_TYPE_U32, BINS, faa_affine(0, 4), 0, faa_imm(0));
	faa_stream_end(bench.stream);
	faa_stream_reset(bench.stream);
	faa_stream_sts(bench.stream, FAA_TYPE_U32, BINS, faa_affine(0, 4), 0, faa_imm(0));
	build_histogram(&bench, expected);
	place_stream(&bench, 0);
	bins = (uint32_t *)(bench.memory + BENCH_BYTES - PAGE);
	for (i = 0; i < 4; i++) {
		memset(bins, 0, PAGE);
		assert_int_equal(run(&bench, NULL), 0);
		assert_memory_equal(bins, expected, sizeof(expected));
		fake_kernel_invalidate(kernel, bench.memory + i * PAGE * 100, 100 * PAGE);
	}
	/* Missing memory is bound again in the same windows, not in the pieces of single steps. */
	print_message("%u binds\n", fake_kernel_userptr_binds(kernel));
	assert_true(fake_kernel_userptr_binds(kernel) <= 20);
	bench_close(&bench);
}

/*
 * The stream itself is unmapped each time the job continues, in the middle of its command: no
 * element is repeated or skipped.
 */
static void stream_that_goes_missing(void **state)
{
	uint32_t expected[BINS];
	struct faa_job_status status;
	struct bench bench;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	build_histogram(&bench, expected);
	place_stream(&bench, BENCH_BYTES - 3 * PAGE);
	fake_kernel_shy_pages(kernel, bench.memory + BENCH_BYTES - 3 * PAGE, NULL);
	assert_int_equal(run(&bench, &status), 0);
	fake_kernel_shy_pages(kernel, NULL, NULL);
	assert_memory_equal(bench.memory + BENCH_BYTES - PAGE, expected, sizeof(expected));
	assert_true(status.elements_retired == PIXELS + BINS);
	bench_close(&bench);
}

/* A job whose first submission fails has not begun: it is cancelled. */
static void first_submission_fails(void **state)
{
	struct faa_job_status status = { .code = FAA_ERROR_SUCCESS };
	struct bench bench;
	unsigned int nth;

	(void)state;
	/* Some calls precede it, and their failures have other results. */
	for (nth = 0; nth < 20 && status.code != FAA_ERROR_CANCELLED; nth++) {
		assert_int_equal(bench_open(&bench, true), 0);
		faa_stream_nop(bench.stream);
		faa_stream_end(bench.stream);
		place_stream(&bench, 0);
		fake_kernel_fail(kernel, nth, -EIO);
		run(&bench, &status);
		fake_kernel_failed(kernel);
		assert_int_not_equal(status.code, FAA_ERROR_KILLED);
		bench_close(&bench);
	}
	assert_int_equal(status.code, FAA_ERROR_CANCELLED);
	assert_int_equal(status.elements_retired, 0);
}

/* Two pages that one warp needs; each is removed when the other one is mapped. */
static void no_progress(void **state)
{
	struct faa_job_status status;
	struct bench bench;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	/* Far apart, so that no bind maps both. */
	faa_stream_mov(bench.stream, FAA_TYPE_U32, 32, faa_array_u32(at(&bench, 400 * PAGE), 4),
		       faa_array_u32(at(&bench, 100 * PAGE), 4));
	faa_stream_end(bench.stream);
	place_stream(&bench, 0);
	fake_kernel_shy_pages(kernel, bench.memory + 100 * PAGE, bench.memory + 400 * PAGE);
	assert_int_equal(run(&bench, &status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_MAPPED);
	assert_int_equal(status.elements_retired, 0);
	fake_kernel_shy_pages(kernel, NULL, NULL);
	assert_int_equal(run(&bench, &status), 0);
	bench_close(&bench);
}

static void memory_that_is_not_there(void **state)
{
	struct faa_job_status status;
	struct bench bench;
	uint32_t *data;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	data = (uint32_t *)bench.memory;
	/* A table of addresses; number 77 is unmapped. */
	for (int i = 0; i < 128; i++)
		((uint64_t *)(bench.memory + PAGE))[i] = at(&bench, 2 * PAGE + i * 256);
	((uint64_t *)(bench.memory + PAGE))[77] = PAGE * 3ull + 4;
	faa_stream_nop(bench.stream);
	faa_stream_st(bench.stream, FAA_TYPE_U32, 128, faa_array_u64(at(&bench, PAGE), 8), 0,
		      faa_affine(1, 1));
	faa_stream_end(bench.stream);
	place_stream(&bench, 0);
	assert_int_equal(run(&bench, &status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_MAPPED);
	assert_int_equal(status.seqno, 1);
	assert_int_equal(status.command, 8);
	assert_int_equal(status.element, 77);
	assert_int_equal(status.lane, 13);
	assert_int_equal(status.address, PAGE * 3 + 4);
	assert_int_equal(status.elements_retired, 64);
	assert_int_equal(data[(2 * PAGE + 63 * 256) / 4], 64);
	assert_int_equal(data[(2 * PAGE + 64 * 256) / 4], 0);
	/* Inaccessible memory. */
	((uint64_t *)(bench.memory + PAGE))[77] = at(&bench, BENCH_BYTES - PAGE);
	assert_int_equal(mprotect(bench.memory + BENCH_BYTES - PAGE, PAGE, PROT_NONE), 0);
	assert_int_equal(run(&bench, &status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_MAPPED);
	assert_int_equal(status.address, at(&bench, BENCH_BYTES - PAGE));
	/* Read-only memory, which then becomes writable. */
	assert_int_equal(mprotect(bench.memory + BENCH_BYTES - PAGE, PAGE, PROT_READ), 0);
	assert_int_equal(run(&bench, &status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_WRITABLE);
	assert_int_equal(status.element, 77);
	assert_int_equal(mprotect(bench.memory + BENCH_BYTES - PAGE, PAGE, PROT_READ | PROT_WRITE),
			 0);
	assert_int_equal(run(&bench, &status), 0);
	assert_int_equal(*(uint32_t *)(bench.memory + BENCH_BYTES - PAGE), 78);
	/* Addresses above the process's half are no pointers. */
	((uint64_t *)(bench.memory + PAGE))[77] = HALF + 64;
	assert_int_equal(run(&bench, &status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_MAPPED);
	bench_close(&bench);
}

/*
 * A loop that stores to a new page in every round: the rest of the stream does not suffice to
 * continue.
 */
static void loop_with_faults(void **state)
{
	struct faa_operand address = faa_reg(2), counter = faa_reg(4);
	struct faa_job_status status;
	struct bench bench;
	uint32_t again, i;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	faa_stream_mov(bench.stream, FAA_TYPE_U64, 32, address,
		       faa_affine(at(&bench, 64 * PAGE), 4));
	faa_stream_mov(bench.stream, FAA_TYPE_U32, 32, counter, faa_imm(0));
	faa_stream_label(bench.stream, &again);
	faa_stream_place(bench.stream, again);
	faa_stream_alu(bench.stream, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, counter, counter,
		       faa_imm(1));
	/* More elements than a warp: the page may be removed in the middle. */
	faa_stream_st(bench.stream, FAA_TYPE_U32, 32, address, 0, counter);
	faa_stream_mov(bench.stream, FAA_TYPE_U32, 2048, faa_array_u32(at(&bench, 320 * PAGE), 4),
		       faa_affine(0, 1));
	faa_stream_alu(bench.stream, FAA_ALU_OP_ADD, FAA_TYPE_U64, 32, address, address,
		       faa_imm(17 * PAGE));
	faa_stream_setp(bench.stream, FAA_CMP_LT, FAA_TYPE_U32, 32, 1, counter, faa_imm(12));
	faa_stream_guard(bench.stream, 1, false);
	faa_stream_jump(bench.stream, FAA_JUMP_COND_ANY, again);
	faa_stream_end(bench.stream);
	place_stream(&bench, 8);
	assert_int_equal(run(&bench, &status), 0);
	for (i = 0; i < 12; i++) {
		uint32_t *stored = (uint32_t *)(bench.memory + (64 + 17 * i) * PAGE);

		assert_int_equal(stored[0], i + 1);
		assert_int_equal(stored[31], i + 1);
	}
	assert_true(status.elements_retired == 64 + 12 * (4 * 32 + 2048));
	assert_int_equal(status.command, bench.job.stream_bytes - 8);
	bench_close(&bench);
}

/* A JUMP to before the stream is reported relative to the whole stream, even after a fault. */
static void jump_out_behind_a_fault(void **state)
{
	static const struct faa_issue issue = FAA_ISSUE_DEFAULT;
	struct faa_job_status status;
	struct bench bench;
	uint64_t words[2];
	uint32_t again, out;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	for (out = 1; out <= 9; out += 2) {
		faa_stream_mov(bench.stream, FAA_TYPE_U32, 32, faa_reg(5), faa_imm(0));
		faa_stream_label(bench.stream, &again);
		faa_stream_place(bench.stream, again);
		/*
		 * The stores fault, so that the job continues without the beginning of the stream;
		 * the first JUMP back needs it.
		 */
		faa_stream_st(bench.stream, FAA_TYPE_U32, 32, faa_affine(at(&bench, 99 * PAGE), 4),
			      0, faa_affine(0, 1));
		faa_stream_st(bench.stream, FAA_TYPE_U32, 32, faa_affine(at(&bench, 299 * PAGE), 4),
			      0, faa_affine(0, 1));
		faa_stream_alu(bench.stream, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, faa_reg(5),
			       faa_reg(5), faa_imm(1));
		faa_stream_setp(bench.stream, FAA_CMP_LT, FAA_TYPE_U32, 32, 3, faa_reg(5),
				faa_imm(3));
		faa_stream_guard(bench.stream, 3, false);
		faa_stream_jump(bench.stream, FAA_JUMP_COND_ANY, again);
		faa_stream_finish(bench.stream);
		faa_encode_jump(words, &issue, FAA_JUMP_COND_ALWAYS,
				-(int32_t)(faa_stream_bytes(bench.stream) / 8 + out));
		faa_stream_raw(bench.stream, words, 2);
		faa_stream_end(bench.stream);
		place_stream(&bench, 16);
		fake_kernel_invalidate(kernel, bench.memory, BENCH_BYTES);
		assert_int_equal(run(&bench, &status), -EINVAL);
		assert_int_equal(status.code, FAA_ERROR_BAD_JUMP);
		assert_int_equal(status.elements_retired, 32 + 3 * 4 * 32);
		assert_true((int64_t)status.address == -8 * (int64_t)out);
		assert_int_equal(status.command, bench.job.stream_bytes - 24);
	}
	bench_close(&bench);
}

/*
 * A job that adds @value to shared[0] and stores the sum at byte @offset; its stream is at byte
 * @stream.
 */
static struct faa_job adding(struct bench *bench, uint32_t value, size_t offset, size_t stream)
{
	faa_stream_atoms(bench->stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 1, faa_none(), faa_none(),
			 0, faa_imm(value), faa_none());
	faa_stream_lds(bench->stream, FAA_TYPE_U32, 1, faa_array_u32(at(bench, offset), 4),
		       faa_none(), 0);
	faa_stream_end(bench->stream);
	place_stream(bench, stream);
	return bench->job;
}

static uint32_t word(const struct bench *bench, size_t offset)
{
	return *(const uint32_t *)(bench->memory + offset);
}

/* Jobs after one that faults see its results. */
static void order_behind_a_fault(void **state)
{
	struct faa_job jobs[8];
	struct faa_job_status status;
	struct bench bench;
	uint64_t first;
	int i;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	for (i = 0; i < 8; i++)
		jobs[i] = adding(&bench, 1 << i, (20 + 40 * i) * PAGE, (10 + 40 * i) * PAGE);
	assert_int_equal(faa_queue_submit(bench.queue, jobs, 8, &first), 0);
	assert_int_equal(first, 1);
	assert_int_equal(faa_queue_wait(bench.queue, 8, SOON), 0);
	for (i = 0; i < 8; i++)
		assert_int_equal(word(&bench, (20 + 40 * i) * PAGE), (2 << i) - 1);
	assert_int_equal(faa_queue_status(bench.queue, 5, &status), 0);
	assert_int_equal(status.elements_retired, 2);
	assert_int_equal(faa_queue_status(bench.queue, 9, &status), -EINVAL);
	bench_close(&bench);
}

static void syncobjs_of_parts(void **state)
{
	struct faa_sync signals[3], wait;
	struct faa_job first, second;
	struct bench bench, other;
	uint32_t binary, timeline;
	uint64_t point = 7;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	assert_int_equal(bench_open(&other, true), 0);
	assert_int_equal(faa_syncobj_create(device, true, &binary), 0);
	assert_int_equal(faa_syncobj_create(device, false, &timeline), 0);
	first = adding(&bench, 5, 100 * PAGE, 0);
	signals[0] = (struct faa_sync){ FAA_SYNC_SIGNAL, binary, 0 };
	signals[1] = (struct faa_sync){ FAA_SYNC_SIGNAL | FAA_SYNC_TIMELINE, timeline, 7 };
	first.syncs = signals;
	first.sync_count = 2;
	second = adding(&other, 3, 100 * PAGE, 0);
	fake_kernel_hold(kernel, true);
	assert_int_equal(faa_queue_submit(bench.queue, &first, 1, NULL), 0);
	/* The earlier signal has been reset. */
	assert_int_equal(faa_syncobj_wait(device, &binary, NULL, 1, true, faa_deadline(1000)),
			 -ETIME);
	assert_int_equal(faa_queue_wait(bench.queue, 1, faa_deadline(1000000)), -ETIME);
	assert_int_equal(faa_queue_status(bench.queue, 1, &(struct faa_job_status){ 0 }), -EBUSY);
	/*
	 * Points are signaled in the order of the promises: 9 of a job that could run at once is
	 * not signaled before 7.
	 */
	wait = (struct faa_sync){ 0, binary, 0 };
	second.syncs = &wait;
	second.sync_count = 1;
	assert_int_equal(faa_queue_submit(other.queue, &second, 1, NULL), 0);
	signals[2] = (struct faa_sync){ FAA_SYNC_SIGNAL | FAA_SYNC_TIMELINE, timeline, 9 };
	second.syncs = &signals[2];
	assert_int_equal(faa_queue_submit(other.queue, &second, 1, NULL), 0);
	wait = (struct faa_sync){ FAA_SYNC_TIMELINE, timeline, 10 };
	second.syncs = &wait;
	assert_int_equal(faa_queue_submit(other.queue, &second, 1, NULL), -EAGAIN);
	wait.point = 8;
	assert_int_equal(faa_queue_submit(other.queue, &second, 1, NULL), 0);
	/* The program need not keep its handle. */
	assert_int_equal(faa_syncobj_destroy(device, binary), 0);
	fake_kernel_hold(kernel, false);
	assert_int_equal(faa_syncobj_wait(device, &timeline, &point, 1, true, SOON), 0);
	assert_int_equal(faa_queue_wait(other.queue, 3, SOON), 0);
	assert_int_equal(faa_syncobj_query(device, timeline, &point), 0);
	assert_int_equal(point, 9);
	assert_int_equal(word(&bench, 100 * PAGE), 5);
	assert_int_equal(word(&other, 100 * PAGE), 9);
	/* The queue's own timeline. */
	point = 3;
	assert_int_equal(faa_syncobj_wait(device, (uint32_t[]){ faa_queue_syncobj(other.queue) },
					  &point, 1, true, 0),
			 0);
	assert_int_equal(faa_syncobj_destroy(device, timeline), 0);
	bench_close(&other);
	bench_close(&bench);
}

/*
 * A job that waits until the word at byte @word_at is not 0, and then copies it to the next word;
 * its stream is at byte @stream.
 */
static struct faa_job waiting(struct bench *bench, size_t word_at, size_t stream)
{
	faa_stream_sem_wait(bench->stream, FAA_SEM_COND_GE, at(bench, word_at), 1);
	faa_stream_mov(bench->stream, FAA_TYPE_U32, 1, faa_array_u32(at(bench, word_at + 8), 4),
		       faa_array_u32(at(bench, word_at), 4));
	faa_stream_end(bench->stream);
	place_stream(bench, stream);
	return bench->job;
}

/* One queue waits for a word that the CPU writes; other queues run in the meantime. */
static void promises_that_take_time(void **state)
{
	struct faa_sync promise, later, wait, reused;
	struct bench slow, quick, patient;
	struct faa_job job;
	uint32_t timeline, other;
	uint64_t point = 1;

	(void)state;
	assert_int_equal(bench_open(&slow, true), 0);
	assert_int_equal(bench_open(&quick, true), 0);
	assert_int_equal(bench_open(&patient, true), 0);
	assert_int_equal(faa_syncobj_create(device, false, &timeline), 0);
	promise = (struct faa_sync){ FAA_SYNC_SIGNAL | FAA_SYNC_TIMELINE, timeline, 1 };
	later = (struct faa_sync){ FAA_SYNC_SIGNAL | FAA_SYNC_TIMELINE, timeline, 2 };
	wait = (struct faa_sync){ FAA_SYNC_TIMELINE, timeline, 1 };
	job = waiting(&slow, 10 * PAGE, 0);
	job.syncs = &promise;
	job.sync_count = 1;
	assert_int_equal(faa_queue_submit(slow.queue, &job, 1, NULL), 0);
	/* A copy of the word that the first job stores. */
	faa_stream_mov(patient.stream, FAA_TYPE_U32, 1, faa_array_u32(at(&patient, 20 * PAGE), 4),
		       faa_array_u32(at(&slow, 10 * PAGE + 8), 4));
	faa_stream_end(patient.stream);
	place_stream(&patient, 0);
	patient.job.syncs = &wait;
	patient.job.sync_count = 1;
	assert_int_equal(faa_queue_submit(patient.queue, &patient.job, 1, NULL), 0);
	/* A later point, of a job that ends first. */
	job = adding(&quick, 1, 20 * PAGE, 0);
	job.syncs = &later;
	job.sync_count = 1;
	assert_int_equal(faa_queue_submit(quick.queue, &job, 1, NULL), 0);
	assert_int_equal(faa_queue_wait(quick.queue, 1, SOON), 0);
	assert_int_equal(faa_syncobj_wait(device, &timeline, &point, 1, true,
					  faa_deadline(20000000)),
			 -ETIME);
	assert_int_equal(faa_queue_wait(patient.queue, 1, faa_deadline(0)), -ETIME);
	/* The number of a closed handle is reused for another syncobj. */
	assert_int_equal(faa_syncobj_create(device, false, &other), 0);
	reused = (struct faa_sync){ FAA_SYNC_SIGNAL, other, 0 };
	job = adding(&slow, 1, 30 * PAGE, PAGE);
	job.syncs = &reused;
	job.sync_count = 1;
	assert_int_equal(faa_queue_submit(slow.queue, &job, 1, NULL), 0);
	assert_int_equal(faa_syncobj_destroy(device, other), 0);
	assert_int_equal(faa_syncobj_create(device, false, &reused.handle), 0);
	reused.flags = 0;
	if (reused.handle == other)
		assert_int_equal(faa_queue_submit(quick.queue, &job, 1, NULL), -EAGAIN);
	__atomic_store_n((uint32_t *)(slow.memory + 10 * PAGE), 4711, __ATOMIC_RELEASE);
	assert_int_equal(faa_queue_wait(patient.queue, 1, SOON), 0);
	assert_int_equal(word(&patient, 20 * PAGE), 4711);
	point = 2;
	assert_int_equal(faa_syncobj_wait(device, &timeline, &point, 1, true, SOON), 0);
	assert_int_equal(faa_queue_wait(slow.queue, 2, SOON), 0);
	assert_int_equal(faa_syncobj_wait(device, &reused.handle, NULL, 1, true, 0), -ETIME);
	faa_syncobj_destroy(device, reused.handle);
	faa_syncobj_destroy(device, timeline);
	bench_close(&patient);
	bench_close(&quick);
	bench_close(&slow);
}

/* A fence that the kernel already has: of a slow job of an ordinary VM. */
static void behind_an_ordinary_job(void **state)
{
	struct faa_sync promise = { FAA_SYNC_SIGNAL, 0, 0 }, wait = { 0, 0, 0 };
	struct bench plain, bench;
	uint64_t va;

	(void)state;
	assert_int_equal(bench_open(&plain, false), 0);
	assert_int_equal(bench_open(&bench, true), 0);
	assert_int_equal(faa_syncobj_create(device, false, &promise.handle), 0);
	wait.handle = promise.handle;
	assert_int_equal(faa_vm_map_userptr(plain.vm, plain.memory, BENCH_BYTES, 0, &va), 0);
	faa_stream_atoms(plain.stream, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 500000, faa_none(),
			 faa_none(), 0, faa_imm(1), faa_none());
	faa_stream_lds(plain.stream, FAA_TYPE_U32, 1, faa_array_u32(va + 8 * PAGE, 4), faa_none(),
		       0);
	faa_stream_end(plain.stream);
	place_stream(&plain, 0);
	plain.job.stream_va = va;
	plain.job.syncs = &promise;
	plain.job.sync_count = 1;
	faa_stream_mov(bench.stream, FAA_TYPE_U32, 1, faa_array_u32(at(&bench, 8 * PAGE), 4),
		       faa_array_u32(at(&plain, 8 * PAGE), 4));
	faa_stream_end(bench.stream);
	place_stream(&bench, 0);
	bench.job.syncs = &wait;
	bench.job.sync_count = 1;
	fake_kernel_hold(kernel, true);
	assert_int_equal(faa_queue_submit(plain.queue, &plain.job, 1, NULL), 0);
	fake_kernel_hold(kernel, false);
	assert_int_equal(run(&bench, NULL), 0);
	assert_int_equal(word(&bench, 8 * PAGE), 500000);
	faa_syncobj_destroy(device, promise.handle);
	bench_close(&bench);
	bench_close(&plain);
}

/*
 * Promises within one call, and of binary syncobjs that get a second fence before the first has
 * signaled.
 */
static void promises_of_one_call(void **state)
{
	struct faa_sync syncs[4];
	struct faa_job jobs[2];
	struct bench bench;
	uint32_t binary;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	assert_int_equal(faa_syncobj_create(device, false, &binary), 0);
	jobs[0] = adding(&bench, 1, 50 * PAGE, 0);
	jobs[1] = adding(&bench, 2, 51 * PAGE, PAGE);
	syncs[0] = (struct faa_sync){ FAA_SYNC_SIGNAL, binary, 0 };
	syncs[1] = (struct faa_sync){ 0, binary, 0 };
	syncs[2] = (struct faa_sync){ FAA_SYNC_SIGNAL, binary, 0 };
	jobs[0].syncs = &syncs[0];
	jobs[0].sync_count = 1;
	jobs[1].syncs = &syncs[1];
	jobs[1].sync_count = 2;
	fake_kernel_hold(kernel, true);
	assert_int_equal(faa_queue_submit(bench.queue, jobs, 2, NULL), 0);
	fake_kernel_hold(kernel, false);
	assert_int_equal(faa_syncobj_wait(device, &binary, NULL, 1, true, SOON), 0);
	assert_int_equal(word(&bench, 51 * PAGE), 3);
	/* All or none: the second job is bad, so the first one has promised no signal. */
	syncs[1].handle = 60;
	assert_int_equal(faa_queue_submit(bench.queue, jobs, 2, NULL), -ENOENT);
	assert_int_equal(faa_syncobj_wait(device, &binary, NULL, 1, true, 0), 0);
	assert_int_equal(faa_queue_wait(bench.queue, 3, 0), -EINVAL);
	jobs[1].stream_va += 4;
	assert_int_equal(faa_queue_submit(bench.queue, jobs + 1, 1, NULL), -EINVAL);
	jobs[1] = jobs[0];
	jobs[1].stream_bytes = 0;
	assert_int_equal(faa_queue_submit(bench.queue, jobs, 2, NULL), -EINVAL);
	/* The library cannot reassemble the parts of a group. */
	jobs[1].stream_bytes = jobs[0].stream_bytes;
	jobs[0].flags = FAA_JOB_TOGETHER;
	assert_int_equal(faa_queue_submit(bench.queue, jobs, 2, NULL), -EOPNOTSUPP);
	jobs[0].flags = FAA_JOB_TOGETHER << 1;
	assert_int_equal(faa_queue_submit(bench.queue, jobs, 1, NULL), -EINVAL);
	jobs[0].flags = 0;
	jobs[1] = jobs[0];
	jobs[1].stream_va = (1ull << 48) - 8;
	assert_int_equal(faa_queue_submit(bench.queue, jobs + 1, 1, NULL), -EINVAL);
	assert_int_equal(faa_syncobj_destroy(device, binary), 0);
	bench_close(&bench);
}

/* Unfinished jobs: one running, one after it, one that waits for a promise of another queue. */
static void destroyed_with_jobs(void **state)
{
	struct faa_sync signal, wait;
	struct faa_job job;
	struct bench bench, other;
	uint32_t binary;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	assert_int_equal(bench_open(&other, true), 0);
	assert_int_equal(faa_syncobj_create(device, false, &binary), 0);
	signal = (struct faa_sync){ FAA_SYNC_SIGNAL, binary, 0 };
	wait = (struct faa_sync){ 0, binary, 0 };
	fake_kernel_hold(kernel, true);
	job = adding(&bench, 1, PAGE, 0);
	assert_int_equal(faa_queue_submit(bench.queue, &job, 1, NULL), 0);
	job.syncs = &signal;
	job.sync_count = 1;
	assert_int_equal(faa_queue_submit(bench.queue, &job, 1, NULL), 0);
	job = adding(&other, 1, PAGE, 0);
	job.syncs = &wait;
	job.sync_count = 1;
	assert_int_equal(faa_queue_submit(other.queue, &job, 1, NULL), 0);
	bench_close(&other);
	assert_int_equal(faa_syncobj_wait(device, &binary, NULL, 1, true, 0), -ETIME);
	bench_close(&bench);
	fake_kernel_hold(kernel, false);
	/* Promises are signaled, whatever the result of the job. */
	assert_int_equal(faa_syncobj_wait(device, &binary, NULL, 1, true, 0), 0);
	assert_int_equal(faa_syncobj_destroy(device, binary), 0);
}

static void as_many_jobs_as_slots(void **state)
{
	struct faa_job jobs[64];
	struct faa_job_status status;
	struct bench bench;
	uint64_t seqno;
	int i;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	faa_stream_end(bench.stream);
	place_stream(&bench, 0);
	for (i = 0; i < 64; i++)
		jobs[i] = bench.job;
	fake_kernel_hold(kernel, true);
	assert_int_equal(faa_queue_submit(bench.queue, jobs, 64, NULL), 0);
	assert_int_equal(faa_queue_submit(bench.queue, jobs, 1, NULL), -ENOSPC);
	fake_kernel_hold(kernel, false);
	assert_int_equal(faa_queue_wait(bench.queue, 64, SOON), 0);
	assert_int_equal(faa_queue_status(bench.queue, 1, &status), 0);
	assert_int_equal(faa_queue_submit(bench.queue, jobs, 1, &seqno), 0);
	assert_int_equal(seqno, 65);
	assert_int_equal(faa_queue_wait(bench.queue, 65, SOON), 0);
	assert_int_equal(faa_queue_status(bench.queue, 1, &status), -ENODATA);
	assert_int_equal(status.seqno, 1);
	assert_int_equal(status.code, FAA_JOB_OVERWRITTEN);
	bench_close(&bench);
}

#define THREADS 3
#define ROUNDS	20

struct client {
	struct bench bench;
	unsigned int failures;
};

static void *client(void *arg)
{
	struct client *self = arg;
	uint32_t i;

	for (i = 1; i <= ROUNDS; i++) {
		self->failures += run(&self->bench, NULL) != 0;
		self->failures += word(&self->bench, 300 * PAGE) != i * 7;
	}
	return NULL;
}

/* One queue for each thread, while their memory is removed all the time. */
static void threads_and_changes(void **state)
{
	struct client clients[THREADS];
	pthread_t threads[THREADS];
	int i, j;

	(void)state;
	for (i = 0; i < THREADS; i++) {
		clients[i].failures = 0;
		assert_int_equal(bench_open(&clients[i].bench, true), 0);
		adding(&clients[i].bench, 7, 300 * PAGE, 0);
	}
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, client, &clients[i]), 0);
	for (j = 0; j < 50; j++) {
		for (i = 0; i < THREADS; i++) {
			fake_kernel_invalidate(kernel, clients[i].bench.memory, PAGE);
			fake_kernel_invalidate(kernel, clients[i].bench.memory + 300 * PAGE, PAGE);
		}
		usleep(200);
	}
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_int_equal(clients[i].failures, 0);
		bench_close(&clients[i].bench);
	}
}

/* As many queues in a storm. */
static void threads_in_a_storm(void **state)
{
	struct client clients[THREADS];
	pthread_t threads[THREADS];
	int i;

	(void)state;
	for (i = 0; i < THREADS; i++) {
		clients[i].failures = 0;
		assert_int_equal(bench_open(&clients[i].bench, true), 0);
		adding(&clients[i].bench, 7, 300 * PAGE, 0);
	}
	fake_kernel_storm(kernel, true);
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, client, &clients[i]), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_int_equal(clients[i].failures, 0);
		bench_close(&clients[i].bench);
	}
	assert_int_equal(fake_kernel_pages_that_wait(kernel), 0);
	fake_kernel_storm(kernel, false);
}

/* ---- A fork after every submission ---- */

/*
 * The memory of a warp is removed before the device accesses it: the job progresses with pinned
 * memory, which is unpinned afterwards.
 */
static void histogram_in_a_storm(void **state)
{
	struct faa_job_status status;
	uint32_t expected[BINS];
	struct bench bench;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	build_histogram(&bench, expected);
	place_stream(&bench, 3 * PAGE - 16);
	fake_kernel_storm(kernel, true);
	assert_int_equal(run(&bench, &status), 0);
	assert_memory_equal(bench.memory + BENCH_BYTES - PAGE, expected, sizeof(expected));
	assert_true(status.elements_retired == PIXELS + BINS);
	assert_int_equal(status.warps, PIXELS / 32 + BINS / 32);
	assert_int_equal(status.command, bench.job.stream_bytes - 8);
	assert_int_equal(fake_kernel_pages_that_wait(kernel), 0);
	bench_close(&bench);
	assert_int_equal(fake_kernel_pages_that_wait(kernel), 0);
}

#define TABLE_AT (8 * PAGE)
#define WORDS_AT (100 * PAGE)
#define SEM_AT	 (50 * PAGE)

/* Stores element e to a page of its own, 64 of them, from a table of addresses. */
static void build_scatter(struct bench *bench)
{
	uint64_t *table = (uint64_t *)(bench->memory + TABLE_AT);
	unsigned int i;

	for (i = 0; i < 64; i++)
		table[i] = at(bench, WORDS_AT + i * 37 % 64 * 5 * PAGE);
	faa_stream_st(bench->stream, FAA_TYPE_U32, 64, faa_array_u64(at(bench, TABLE_AT), 8), 0,
		      faa_affine(1, 1));
}

/*
 * One of each kind of command, in a loop: a warp with a page for each lane, a semaphore that is
 * signaled and waited for, counters, a JUMP.
 */
static void commands_in_a_storm(void **state)
{
	struct faa_job_status status;
	struct bench bench;
	uint32_t again, i;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	faa_stream_mov(bench.stream, FAA_TYPE_U32, 32, faa_reg(4), faa_imm(0));
	faa_stream_label(bench.stream, &again);
	faa_stream_place(bench.stream, again);
	build_scatter(&bench);
	faa_stream_sem_signal(bench.stream, at(&bench, SEM_AT), 7);
	faa_stream_nop(bench.stream);
	faa_stream_sem_wait(bench.stream, FAA_SEM_COND_GE, at(&bench, SEM_AT), 7);
	faa_stream_snapshot(bench.stream, at(&bench, 60 * PAGE));
	faa_stream_alu(bench.stream, FAA_ALU_OP_ADD, FAA_TYPE_U32, 32, faa_reg(4), faa_reg(4),
		       faa_array_u32(at(&bench, 70 * PAGE), 0));
	faa_stream_setp(bench.stream, FAA_CMP_LT, FAA_TYPE_U32, 32, 1, faa_reg(4), faa_imm(3));
	faa_stream_guard(bench.stream, 1, false);
	faa_stream_jump(bench.stream, FAA_JUMP_COND_ANY, again);
	faa_stream_sem_wait(bench.stream, FAA_SEM_COND_EQ, at(&bench, SEM_AT), 7);
	faa_stream_end(bench.stream);
	place_stream(&bench, 8);
	*(uint32_t *)(bench.memory + 70 * PAGE) = 1;
	fake_kernel_storm(kernel, true);
	assert_int_equal(run(&bench, &status), 0);
	for (i = 0; i < 64; i++)
		assert_int_equal(word(&bench, WORDS_AT + i * 37 % 64 * 5 * PAGE), i + 1);
	assert_true(status.elements_retired == 32 + 3 * (64 + 32 + 32));
	assert_int_equal(word(&bench, SEM_AT), 7);
	assert_int_equal(fake_kernel_pages_that_wait(kernel), 0);
	/* Errors are reported with their positions. */
	faa_stream_mov(bench.stream, FAA_TYPE_U32, 64, faa_array_u32(at(&bench, SEM_AT), 4),
		       faa_array_u32(at(&bench, 60 * PAGE), 4));
	faa_stream_st(bench.stream, FAA_TYPE_U32, 32, faa_imm(PAGE * 3 + 4), 0, faa_imm(1));
	place_stream(&bench, 8);
	assert_int_equal(run(&bench, &status), -EFAULT);
	assert_int_equal(status.code, FAA_ERROR_NOT_MAPPED);
	assert_int_equal(status.address, PAGE * 3 + 4);
	assert_int_equal(status.elements_retired, 64);
	/* A stream without END. */
	faa_stream_mov(bench.stream, FAA_TYPE_U32, 64, faa_array_u32(at(&bench, SEM_AT), 4),
		       faa_array_u32(at(&bench, 60 * PAGE), 4));
	place_stream(&bench, 8);
	assert_int_equal(run(&bench, &status), -EINVAL);
	assert_int_equal(status.code, FAA_ERROR_TRUNCATED);
	assert_int_equal(status.command, bench.job.stream_bytes);
	assert_int_equal(status.elements_retired, 64);
	/* An illegal command. */
	faa_stream_nop(bench.stream);
	faa_stream_raw(bench.stream, &(uint64_t){ 0xff }, 1);
	place_stream(&bench, 8);
	assert_int_equal(run(&bench, &status), -EINVAL);
	assert_int_equal(status.code, FAA_ERROR_ILLEGAL_COMMAND);
	assert_int_equal(status.command, 8);
	fake_kernel_storm(kernel, false);
	bench_close(&bench);
}

#define HEADER_AT  (7 * PAGE)
#define SURFACE_AT (100 * PAGE)
#define ITEMS	   20000u

/*
 * A surface, its header and the handles are in process memory. More elements than a step has; each
 * item is incremented once.
 */
static void surface_in_a_storm(void **state)
{
	struct faa_surface_desc desc = { .version = FAA_HEADER_VERSION_ONE_D_BUFFER,
					 .type = FAA_TEXTURE_TYPE_ONE_D_BUFFER,
					 .texel = FAA_TEXEL_R32,
					 .data_type = FAA_DATA_TYPE_UINT,
					 .width = ITEMS };
	struct faa_place place = faa_place_reg(FAA_DIM_D1_BUFFER, FAA_CLAMP_TRAP, 9);
	struct faa_surface_layout layout;
	struct faa_surface_view view;
	struct faa_job_status status;
	struct bench bench;
	uint32_t i;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	assert_int_equal(faa_surface_layout(&desc, &layout, NULL), 0);
	view = faa_surface_view(&layout);
	assert_int_equal(faa_surface_encode(&layout, &view, at(&bench, SURFACE_AT),
					    (uint32_t *)(bench.memory + HEADER_AT), NULL),
			 0);
	faa_stream_config_headers(bench.stream, at(&bench, HEADER_AT), 0);
	faa_stream_mov(bench.stream, FAA_TYPE_U32, 32, faa_reg(9), faa_imm(0));
	faa_stream_sured(bench.stream, &place, FAA_ATOM_OP_ADD, FAA_TYPE_U32, FAA_SCOPE_GPU,
			 FAA_ORDER_RELAXED, ITEMS, faa_affine(0, 1), faa_affine(1, 1), faa_none());
	faa_stream_end(bench.stream);
	place_stream(&bench, 8);
	fake_kernel_storm(kernel, true);
	assert_int_equal(run(&bench, &status), 0);
	for (i = 0; i < ITEMS; i++)
		assert_int_equal(word(&bench, SURFACE_AT + 4 * i), i + 1);
	assert_true(status.elements_retired == 32 + ITEMS);
	assert_int_equal(fake_kernel_pages_that_wait(kernel), 0);
	fake_kernel_storm(kernel, false);
	bench_close(&bench);
}

/*
 * While another job of the VM waits for the CPU, no change of memory may be made to wait for the
 * VM's jobs, so no memory is pinned. The job whose memory is removed waits too, and continues after
 * the other one has ended.
 */
static void storm_beside_a_job_that_waits(void **state)
{
	struct faa_queue_options options = { .shared_bytes = 1024, .status_entries = 64 };
	struct faa_queue *quick;
	struct bench bench;
	struct faa_job job;
	void *semaphore;
	struct faa_bo *bo;
	uint64_t va;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	assert_int_equal(faa_queue_create(bench.vm, &options, &quick), 0);
	/* In a BO, which a fork does not unmap. */
	assert_int_equal(faa_bo_create(device, PAGE, 0, &bo), 0);
	assert_int_equal(faa_bo_map(bo, &semaphore), 0);
	assert_int_equal(faa_vm_map(bench.vm, bo, 0, 0, 0, &va), 0);
	faa_stream_sem_signal(bench.stream, va + 8, 1);
	faa_stream_sem_wait(bench.stream, FAA_SEM_COND_GE, va, 1);
	faa_stream_end(bench.stream);
	place_stream(&bench, 0);
	assert_int_equal(faa_queue_submit(bench.queue, &bench.job, 1, NULL), 0);
	while (!__atomic_load_n((uint64_t *)semaphore + 1, __ATOMIC_ACQUIRE))
		usleep(100);
	fake_kernel_storm(kernel, true);
	job = adding(&bench, 5, 200 * PAGE, 190 * PAGE);
	assert_int_equal(faa_queue_submit(quick, &job, 1, NULL), 0);
	assert_int_equal(faa_queue_wait(quick, 1, faa_deadline(300000000)), -ETIME);
	assert_int_equal(fake_kernel_pages_that_wait(kernel), 0);
	__atomic_store_n((uint64_t *)semaphore, 1, __ATOMIC_RELEASE);
	assert_int_equal(faa_queue_wait(bench.queue, 1, SOON), 0);
	assert_int_equal(faa_queue_wait(quick, 1, SOON), 0);
	assert_int_equal(word(&bench, 200 * PAGE), 5);
	fake_kernel_storm(kernel, false);
	faa_bo_unref(bo);
	faa_queue_destroy(quick);
	bench_close(&bench);
}

static int64_t now_ns(struct timespec *now)
{
	clock_gettime(CLOCK_MONOTONIC, now);
	return (int64_t)now->tv_sec * 1000000000 + now->tv_nsec;
}

/* A step waits 50 ms for the parts of other jobs, also across the end of a second. */
static void patience_over_the_end_of_a_second(void **state)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	struct timespec now;
	struct faa_vm *vm;
	int64_t begun;

	(void)state;
	assert_int_equal(faa_vm_create(device, &vm), 0);
	assert_int_equal(faa_vm_share_process(vm), 0);
	faa_share_begin_part(vm->share);
	for (begun = now_ns(&now); now.tv_nsec < 960000000; begun = now_ns(&now))
		nanosleep(&pause, NULL);
	assert_false(faa_share_begin_alone(vm->share));
	assert_true(now_ns(&now) - begun >= 50000000);
	faa_share_end_part(vm->share);
	assert_true(faa_share_begin_alone(vm->share));
	faa_share_end_alone(vm->share);
	faa_vm_unref(vm);
}

/* The child of a fork may release objects of its parent, but use none. */
static void child_of_a_fork(void **state)
{
	struct bench bench;
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(bench_open(&bench, true), 0);
	adding(&bench, 7, 300 * PAGE, 0);
	assert_int_equal(run(&bench, NULL), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct faa_queue *queue;
		bool ok = faa_queue_submit(bench.queue, &bench.job, 1, NULL) == -EPERM;

		ok = ok && faa_queue_wait(bench.queue, 1, 0) == -EPERM;
		ok = ok && faa_queue_create(bench.vm, NULL, &queue) == -EPERM;
		ok = ok && strstr(faa_last_error(), "a child opens it again");
		bench_close(&bench);
		_exit(ok ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(run(&bench, NULL), 0);
	assert_int_equal(word(&bench, 300 * PAGE), 14);
	bench_close(&bench);
}

/* A fetch faults in the middle of a command: the elements before are not executed again. */
static void restart_keeps_the_first_element(void **state)
{
	struct faa_job_status status = { .seqno = 1, .code = FAA_ERROR_NOT_MAPPED };
	struct faa_job job = { .stream_va = 4096, .stream_bytes = 16, .first_element = 96 };
	const uint64_t words[2] = { 0, 0 };

	(void)state;
	assert_int_equal(faa_status_restart(&status, words, 2, &job), 0);
	assert_int_equal(job.first_element, 96);
	status.elements_retired = 32;
	assert_int_equal(faa_status_restart(&status, words, 2, &job), 0);
	assert_int_equal(job.first_element, 0);
}

/* With @storm, including the calls of steps. */
static int whole_run(bool storm)
{
	struct faa_sync syncs[2] = { { FAA_SYNC_SIGNAL, 0, 0 }, { 0, 0, 0 } };
	struct faa_job jobs[2];
	struct bench bench;
	uint32_t before = 0, binary = 0;
	int ret;

	fake_kernel_storm(kernel, storm);
	ret = bench_open(&bench, true);
	if (!ret)
		ret = faa_syncobj_create(device, true, &before);
	if (!ret)
		ret = faa_syncobj_create(device, false, &binary);
	if (!ret) {
		jobs[0] = adding(&bench, 1, 100 * PAGE, 0);
		jobs[1] = adding(&bench, 2, 200 * PAGE, PAGE);
		syncs[0].handle = binary;
		syncs[1].handle = before;
		jobs[0].syncs = syncs;
		jobs[0].sync_count = 2;
		ret = jobs[0].stream_bytes && jobs[1].stream_bytes ?
			      faa_queue_submit(bench.queue, jobs, 2, NULL) :
			      -ENOMEM;
	}
	if (!ret) {
		struct faa_job_status status;

		assert_int_equal(faa_queue_wait(bench.queue, 2, SOON), 0);
		assert_int_equal(faa_queue_status(bench.queue, 2, &status), 0);
		ret = faa_status_errno(&status);
	}
	if (before)
		faa_syncobj_destroy(device, before);
	if (binary)
		faa_syncobj_destroy(device, binary);
	bench_close(&bench);
	return ret;
}

/*
 * The error is returned, or has no effect because a bind is retried. No object leaks, and no call
 * waits for ever.
 */
static unsigned int fail_every_call(bool storm)
{
	unsigned int nth;
	int ret;

	for (nth = 0;; nth++) {
		/* The fake never frees memory, so each round has a new kernel. */
		struct fake_kernel *own = fake_kernel_create(), *usual = kernel;
		struct faa_device *opened = device;

		kernel = own;
		fake_kernel_fail(own, nth, -ENOMEM);
		ret = faa_device_open_backend(fake_kernel_open(own), &device);
		if (!ret)
			ret = whole_run(storm);
		faa_device_unref(device);
		device = opened;
		kernel = usual;
		assert_int_equal(fake_kernel_live(own), 0);
		assert_int_equal(fake_kernel_pages_that_wait(own), 0);
		if (!fake_kernel_failed(own)) {
			fake_kernel_destroy(own);
			break;
		}
		fake_kernel_destroy(own);
	}
	assert_int_equal(ret, 0);
	print_message("%u calls failed, one at a time\n", nth);
	return nth;
}

static void every_call_fails_once(void **state)
{
	(void)state;
	assert_true(fail_every_call(false) >= 30);
}

static void every_call_fails_once_in_a_storm(void **state)
{
	(void)state;
	assert_true(fail_every_call(true) >= 100);
}

#ifdef CHECK_ALLOC
static void every_allocation_fails_once(void **state)
{
	unsigned int nth;
	int ret;

	(void)state;
	for (nth = 0;; nth++) {
		struct fake_kernel *own = fake_kernel_create(), *usual = kernel;
		struct faa_device *opened = device;

		kernel = own;
		check_alloc_fail(nth);
		ret = faa_device_open_backend(fake_kernel_open(own), &device);
		if (!ret)
			ret = whole_run(false);
		faa_device_unref(device);
		device = opened;
		kernel = usual;
		assert_int_equal(fake_kernel_live(own), 0);
		fake_kernel_destroy(own);
		if (!check_alloc_failed())
			break;
		assert_int_equal(ret, -ENOMEM);
	}
	assert_int_equal(ret, 0);
	assert_true(nth >= 15);
	print_message("%u allocations failed, one at a time\n", nth);
}
#endif

/* The argument names a test, with * for any characters; default: all. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mappings_of_a_process),
		cmocka_unit_test(windows_grow),
		cmocka_unit_test_setup_teardown(too_late_to_share, setup, teardown),
		cmocka_unit_test_setup_teardown(histogram_without_mapping, setup, teardown),
		cmocka_unit_test_setup_teardown(memory_changes_between_jobs, setup, teardown),
		cmocka_unit_test_setup_teardown(stream_that_goes_missing, setup, teardown),
		cmocka_unit_test_setup_teardown(first_submission_fails, setup, teardown),
		cmocka_unit_test_setup_teardown(no_progress, setup, teardown),
		cmocka_unit_test_setup_teardown(memory_that_is_not_there, setup, teardown),
		cmocka_unit_test_setup_teardown(loop_with_faults, setup, teardown),
		cmocka_unit_test_setup_teardown(jump_out_behind_a_fault, setup, teardown),
		cmocka_unit_test_setup_teardown(order_behind_a_fault, setup, teardown),
		cmocka_unit_test_setup_teardown(syncobjs_of_parts, setup, teardown),
		cmocka_unit_test_setup_teardown(promises_that_take_time, setup, teardown),
		cmocka_unit_test_setup_teardown(behind_an_ordinary_job, setup, teardown),
		cmocka_unit_test_setup_teardown(promises_of_one_call, setup, teardown),
		cmocka_unit_test_setup_teardown(destroyed_with_jobs, setup, teardown),
		cmocka_unit_test_setup_teardown(as_many_jobs_as_slots, setup, teardown),
		cmocka_unit_test_setup_teardown(threads_and_changes, setup, teardown),
		cmocka_unit_test_setup_teardown(threads_in_a_storm, setup, teardown),
		cmocka_unit_test_setup_teardown(histogram_in_a_storm, setup, teardown),
		cmocka_unit_test_setup_teardown(commands_in_a_storm, setup, teardown),
		cmocka_unit_test_setup_teardown(surface_in_a_storm, setup, teardown),
		cmocka_unit_test_setup_teardown(storm_beside_a_job_that_waits, setup, teardown),
		cmocka_unit_test_setup_teardown(patience_over_the_end_of_a_second, setup, teardown),
		cmocka_unit_test_setup_teardown(child_of_a_fork, setup, teardown),
		cmocka_unit_test(restart_keeps_the_first_element),
		cmocka_unit_test_setup_teardown(every_call_fails_once, setup, teardown),
		cmocka_unit_test_setup_teardown(every_call_fails_once_in_a_storm, setup, teardown),
#ifdef CHECK_ALLOC
		cmocka_unit_test_setup_teardown(every_allocation_fails_once, setup, teardown),
#endif
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return RUN_TESTS(tests, NULL, NULL);
}
