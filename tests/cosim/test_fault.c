// SPDX-License-Identifier: MIT
/*
 * Errors of execution: each kind at each step and lane, precise to the warp, and a restart that
 * continues exactly there.
 */
#include <endian.h>
#include <string.h>

#include "fixture.h"

#define WINDOW 0x1000000u

static const enum faa_type types_by_log2[] = { FAA_TYPE_U8, FAA_TYPE_U16, FAA_TYPE_U32,
					       FAA_TYPE_U64 };

/* A shared access of one element at @address must fail, for every command that can make it. */
static void shared_fault(struct fixture *f, unsigned int log2, uint32_t address, uint32_t code)
{
	enum faa_type type = types_by_log2[log2];

	add_lds(f, type, 1, reg(0), imm(address), 0);
	run_error(f, code, 0, 0, address);
	add_sts(f, type, 1, imm(address), 0, imm(1));
	run_error(f, code, 0, 0, address);
	if (log2 < 2)
		return;
	add_atoms(f, FAA_ATOMS_OP_EXCH, type, 1, none(), imm(address), 0, imm(1), none());
	run_error(f, code, 0, 0, address);
	add_atoms(f, FAA_ATOMS_OP_CAST_SPIN, type, 1, reg(0), imm(address), 0, imm(1), imm(1));
	run_error(f, code, 0, 0, address);
}

static void shared_good(struct fixture *f, unsigned int log2, uint32_t address)
{
	add_sts(f, types_by_log2[log2], 1, imm(address), 0, imm(1));
	add_lds(f, types_by_log2[log2], 1, reg(0), imm(address), 0);
	run(f);
}

static void shared_misaligned_at_each_size(void **state)
{
	for (unsigned int log2 = 1; log2 < 4; log2++) {
		for (uint32_t low = 1; low < 1u << log2; low++) {
			shared_fault(*state, log2, 256 + low, FAA_ERROR_MISALIGNED);
			/* Has precedence over the window and the range. */
			shared_fault(*state, log2, WINDOW + low, FAA_ERROR_MISALIGNED);
			shared_fault(*state, log2, FIXTURE_SHARED + low, FAA_ERROR_MISALIGNED);
		}
	}
}

static void shared_range_at_both_ends(void **state)
{
	for (unsigned int log2 = 0; log2 < 4; log2++) {
		uint32_t size = 1u << log2;

		shared_good(*state, log2, 0);
		shared_good(*state, log2, FIXTURE_SHARED - size);
		shared_fault(*state, log2, FIXTURE_SHARED, FAA_ERROR_OUT_OF_RANGE);
		shared_fault(*state, log2, FIXTURE_SHARED + size, FAA_ERROR_OUT_OF_RANGE);
		shared_fault(*state, log2, WINDOW - size, FAA_ERROR_OUT_OF_RANGE);
		shared_fault(*state, log2, WINDOW, FAA_ERROR_OUT_OF_WINDOW);
		shared_fault(*state, log2, WINDOW + 256, FAA_ERROR_OUT_OF_WINDOW);
		shared_fault(*state, log2, 0x80000000, FAA_ERROR_OUT_OF_WINDOW);
		/* Below the window: the address before 0. */
		shared_fault(*state, log2, 0 - size, FAA_ERROR_OUT_OF_WINDOW);
	}
}

/* A queue without shared memory has no good address. */
static void no_shared_memory_at_all(void **state)
{
	struct fixture *f = *state;
	struct tb_queue *other = tb_queue_create(f->vm, 3, NULL);
	uint32_t job;

	add_lds(f, FAA_TYPE_U8, 1, reg(0), none(), 0);
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	job = tb_submit(other, f->code.va, f->count * 8);
	f->count = 0;
	assert_true(tb_wait(other, job));
	assert_int_equal(tb_status(other, job)->code, FAA_ERROR_OUT_OF_RANGE);
	assert_true(tb_queue_destroy(other));
}

/*
 * Every lane can be the bad one; of several bad lanes the lowest is reported; the warp has no
 * effect.
 */
static void lowest_bad_lane_of_a_warp(void **state)
{
	struct fixture *f = *state;
	uint32_t *address = f->in.ptr;
	uint32_t zero[64] = { 0 }, after[64];

	for (unsigned int bad = 0; bad < 32; bad++) {
		shared_fill(f, zero, 64);
		for (unsigned int i = 0; i < 64; i++)
			address[i] = i * 4;
		/*
		 * The bad lane is in the second warp; a higher lane with another error must not
		 * count.
		 */
		address[32 + bad] = FIXTURE_SHARED + 4 * bad;
		if (bad < 31)
			address[63] = 1;
		add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 64, none(),
			  stream(FAA_TYPE_U32, f->in.va, 4), 0, imm(1), none());
		add_sts(f, FAA_TYPE_U32, 1, none(), 0, imm(77));
		run_error(f, FAA_ERROR_OUT_OF_RANGE, 0, 32 + bad, FIXTURE_SHARED + 4 * bad);
		assert_int_equal(f->status.elements_retired, 32);
		assert_int_equal(f->status.warps, 1);
		shared_dump(f, after, 64);
		for (unsigned int i = 0; i < 64; i++)
			assert_int_equal(after[i], i < 32);
	}
}

/* Lanes that the guard disables are not checked. */
static void inactive_lanes_are_not_checked(void **state)
{
	struct fixture *f = *state;

	add_setp(f, FAA_CMP_EQ, FAA_TYPE_U32, 32, 3, affine(0, 1), imm(17));
	f->issue.guard = 3;
	add_st(f, FAA_TYPE_U32, 32, affine(f->out.va - 17 * 0x1000001ULL, 0x1000001), 0, imm(5));
	f->issue.guard_negate = 1;
	add_st(f, FAA_TYPE_U32, 32, affine(f->out.va, 4), 0, imm(6));
	f->issue.guard = FAA_PT;
	add_st(f, FAA_TYPE_U32, 320, imm(3), 0, stream(FAA_TYPE_U32, 1, 1));
	f->issue.guard_negate = 0;
	run(f);
	assert_int_equal(((uint32_t *)f->out.ptr)[0], 6);
	assert_int_equal(((uint32_t *)f->out.ptr)[16], 6);
}

/* The step in which an address is used, for the tests of page faults. */
enum step { STEP_A, STEP_B, STEP_C, STEP_D, STEP_LOAD, STEP_STORE, STEPS };

static bool step_writes(enum step step)
{
	return step == STEP_D || step == STEP_STORE;
}

/* A command that uses @va + 4 * element in the given step and good addresses elsewhere. */
static void add_step(struct fixture *f, enum step step, uint64_t va, unsigned int n)
{
	struct faa_operand bad = stream(FAA_TYPE_U32, va, 4);
	struct faa_operand in = stream(FAA_TYPE_U32, f->in.va, 0);
	struct faa_operand out = stream(FAA_TYPE_U32, f->out.va, 4);

	switch (step) {
	case STEP_LOAD:
		add_ld(f, FAA_TYPE_U32, n, out, affine(va, 4), 0);
		break;
	case STEP_STORE:
		add_st(f, FAA_TYPE_U32, n, affine(va, 4), 0, imm(9));
		break;
	default:
		add_atoms(f, FAA_ATOMS_OP_CAS, FAA_TYPE_U32, n, step == STEP_D ? bad : out,
			  step == STEP_A ? bad : in, 0, step == STEP_B ? bad : in,
			  step == STEP_C ? bad : in);
	}
}

static void global_misaligned_and_non_canonical(void **state)
{
	struct fixture *f = *state;

	for (enum step step = STEP_A; step < STEPS; step++) {
		for (unsigned int low = 1; low < 4; low++) {
			add_step(f, step, f->in.va + low, 32);
			run_error(f, FAA_ERROR_MISALIGNED, 0, 0, f->in.va + low);
			/* Has precedence over bits above bit 47. */
			add_step(f, step, (f->in.va + low) | 1ULL << 50, 32);
			run_error(f, FAA_ERROR_MISALIGNED, 0, 0, (f->in.va + low) | 1ULL << 50);
		}
		for (unsigned int bit = 48; bit < 64; bit++) {
			add_step(f, step, f->in.va | 1ULL << bit, 32);
			run_error(f, FAA_ERROR_NON_CANONICAL, 0, 0, f->in.va | 1ULL << bit);
		}
		/* The border itself: the last canonical word, and lane 1 beyond. */
		add_step(f, step, (1ULL << 48) - 4, 32);
		run_error(f, FAA_ERROR_NOT_MAPPED, 0, 0, (1ULL << 48) - 4);
	}
	for (unsigned int log2 = 1; log2 < 4; log2++) {
		for (unsigned int low = 1; low < 1u << log2; low++) {
			uint64_t va = f->in.va + low;
			enum faa_type type = types_by_log2[log2];

			add_ld(f, type, 1, reg(0), imm(va), 0);
			run_error(f, FAA_ERROR_MISALIGNED, 0, 0, va);
			add_st(f, type, 1, imm(va), 0, imm(0));
			run_error(f, FAA_ERROR_MISALIGNED, 0, 0, va);
			add_mov(f, FAA_TYPE_U64, 1, reg(0), stream(type, va, 0));
			run_error(f, FAA_ERROR_MISALIGNED, 0, 0, va);
			add_mov(f, FAA_TYPE_U64, 1, stream(type, va, 0), reg(0));
			run_error(f, FAA_ERROR_MISALIGNED, 0, 0, va);
		}
	}
}

/* Unmapped from any element on, at each step; all lanes before it are good. */
static void not_mapped_at_each_step_and_lane(void **state)
{
	struct fixture *f = *state;
	uint64_t end = f->in.va + f->in.bytes;

	memset(f->in.ptr, 0, f->in.bytes);
	for (enum step step = STEP_A; step < STEPS; step++) {
		for (unsigned int good = 0; good < 70; good += 3) {
			memset(f->out.ptr, 0x55, 1024);
			add_step(f, step, end - good * 4, 100);
			run_error(f, FAA_ERROR_NOT_MAPPED, 0, good, end);
			assert_int_equal(f->status.elements_retired, good / 32 * 32);
			/* The warp has no effect: its results are not stored. */
			for (unsigned int i = good / 32 * 32; i < 100; i++)
				assert_int_equal(((uint32_t *)f->out.ptr)[i], 0x55555555);
		}
	}
}

/* The first of several bad steps is reported, whatever the lanes. */
static void steps_in_order(void **state)
{
	struct fixture *f = *state;
	struct faa_operand bad[4], good = stream(FAA_TYPE_U32, f->in.va, 0);

	memset(f->in.ptr, 0, 4096);
	for (unsigned int first = 0; first < 4; first++) {
		/*
		 * An earlier step fails in a later lane: the last good item is that of lane 31 -
		 * slot.
		 */
		for (unsigned int slot = 0; slot < 4; slot++)
			bad[slot] =
				stream(FAA_TYPE_U32, f->in.va + f->in.bytes - 4 * (20 - slot), 4);
		add_atoms(f, FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 32, bad[3], first > 0 ? good : bad[0],
			  0x7ffffc, first > 1 ? good : bad[1], first > 2 ? good : bad[2]);
		run_error(f, FAA_ERROR_NOT_MAPPED, 0, 20 - first, f->in.va + f->in.bytes);
	}
	/* Then the access itself. */
	add_atoms(f, FAA_ATOMS_OP_CAS, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), good,
		  0x7ffffc, good, good);
	run_error(f, FAA_ERROR_OUT_OF_RANGE, 0, 0, 0x7ffffc);
}

static void read_only_pages(void **state)
{
	struct fixture *f = *state;
	uint64_t va = f->in.va + f->in.bytes;
	uint64_t dma = tb_dma_alloc(f->host, TB_PAGE, TB_READ);

	tb_vm_map(f->vm, va, dma, TB_PAGE, FAA_PTE_ATOMIC_MASK);
	memset(f->in.ptr, 0, f->in.bytes);
	for (enum step step = STEP_A; step < STEPS; step++) {
		add_step(f, step, va - 4 * 5, 32);
		if (step_writes(step))
			run_error(f, FAA_ERROR_NOT_WRITABLE, 0, 5, va);
		else
			run(f);
	}
}

/* With entry @value in the walk of @va, an access must fail. */
static void bad_entry(struct fixture *f, uint64_t *entry, uint64_t value, enum step step,
		      uint64_t va, uint32_t code)
{
	*entry = value;
	/* Entries above the leaf may be cached as well. */
	assert_true(tb_vm_invalidate(f->vm, va, va));
	add_step(f, step, va, 32);
	run_error(f, code, 0, 0, va);
}

/* Breaks the entry of @level in one way after another. */
static void bad_entries_of_level(struct fixture *f, uint64_t va, int level)
{
	uint64_t *entry = tb_vm_entry(f->vm, va, level);
	uint64_t good = *entry;
	uint64_t leaf_only[] = { FAA_PTE_WRITABLE_MASK, FAA_PTE_ATOMIC_MASK, FAA_PTE_SPARSE_MASK,
				 FAA_PTE_REGION_MASK };

	for (unsigned int bit = 6; bit < 64; bit++)
		if (bit < 12 || bit >= 52)
			bad_entry(f, entry, good | 1ULL << bit, bit % STEPS, va,
				  FAA_ERROR_BAD_PAGE_TABLE);
	for (unsigned int i = 0; level > 0 && i < 4; i++)
		bad_entry(f, entry, good | leaf_only[i], STEP_LOAD, va, FAA_ERROR_BAD_PAGE_TABLE);
	/* Level 0 must be a leaf, levels 3 and 2 must not, level 1 may be, with a 2 MiB address. */
	bad_entry(f, entry, (good ^ FAA_PTE_LEAF_MASK) | (level == 1 ? 0x1000 : 0), STEP_STORE, va,
		  FAA_ERROR_BAD_PAGE_TABLE);
	if (level < 2)
		bad_entry(f, entry, (good & ~0x1fe000ULL) | FAA_PTE_LEAF_MASK | FAA_PTE_REGION_MASK,
			  STEP_LOAD, va, FAA_ERROR_BAD_PAGE_TABLE);
	/* Not valid: no other bit counts. */
	bad_entry(f, entry, ~(uint64_t)FAA_PTE_VALID_MASK, STEP_LOAD, va, FAA_ERROR_NOT_MAPPED);
	*entry = good;
	assert_true(tb_vm_invalidate(f->vm, va, va));
}

static void malformed_page_tables(void **state)
{
	/* A separate part of the address space at every level. */
	const uint64_t va = 0x123456789000ULL;
	struct fixture *f = *state;
	uint64_t dma = tb_dma_alloc(f->host, TB_PAGE, TB_READ_WRITE);

	tb_vm_map(f->vm, va, dma, TB_PAGE, FAA_PTE_WRITABLE_MASK);
	for (int level = 0; level < 4; level++)
		bad_entries_of_level(f, va, level);
	add_step(f, STEP_STORE, va, 32);
	run(f);
	assert_int_equal(*(uint32_t *)tb_ptr(f->host, dma), 9);
}

/* A leaf in the sparse state reads 0 and drops writes; writable counts. */
static void sparse_pages(void **state)
{
	struct fixture *f = *state;
	const uint64_t va = 0x55000000000ULL;
	const uint32_t *out = f->out.ptr;

	/* Its address is not used, so it may be one without memory. */
	*tb_vm_entry(f->vm, va, 0) = htole64(TB_NO_MEMORY | FAA_PTE_VALID_MASK | FAA_PTE_LEAF_MASK |
					     FAA_PTE_SPARSE_MASK | FAA_PTE_WRITABLE_MASK);
	*tb_vm_entry(f->vm, va + TB_PAGE, 0) = htole64(TB_NO_MEMORY | FAA_PTE_VALID_MASK |
						       FAA_PTE_LEAF_MASK | FAA_PTE_SPARSE_MASK);
	memset(f->out.ptr, 0x55, 1024);
	add_st(f, FAA_TYPE_U32, 64, affine(va, 4), 0, imm(7));
	add_mov(f, FAA_TYPE_U32, 64, stream(FAA_TYPE_U32, va + 256, 4), imm(8));
	add_ld(f, FAA_TYPE_U32, 64, stream(FAA_TYPE_U32, f->out.va, 4), affine(va, 4), 0);
	add_mov(f, FAA_TYPE_U32, 64, stream(FAA_TYPE_U32, f->out.va + 256, 4),
		scaled(FAA_TYPE_U32, va + TB_PAGE, 4, 3, 100));
	/* Half of the warp in memory, half of it sparse. */
	tb_vm_map(f->vm, va - TB_PAGE, f->in.dma, TB_PAGE, FAA_PTE_WRITABLE_MASK);
	memset(f->in.ptr, 0x11, TB_PAGE);
	add_ld(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va + 512, 4), affine(va - 64, 4),
	       0);
	f->count += faa_encode_sem_signal(f->words + f->count, &f->issue, FAA_SEM_OP_SET, va, 5);
	f->count += faa_encode_sem_wait(f->words + f->count, &f->issue, FAA_SEM_COND_EQ, va, 0);
	f->count += faa_encode_snapshot(f->words + f->count, &f->issue, va);
	run(f);
	for (unsigned int i = 0; i < 64; i++) {
		assert_int_equal(out[i], 0);
		assert_int_equal(out[64 + i], 100);
	}
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(out[128 + i], i < 16 ? 0x11111111 : 0);
	add_st(f, FAA_TYPE_U32, 64, affine(va + TB_PAGE, 4), 0, imm(7));
	run_error(f, FAA_ERROR_NOT_WRITABLE, 0, 0, va + TB_PAGE);
}

static void large_pages(void **state)
{
	struct tb_config config = fixture_config();
	struct tb_host *host;
	struct tb_vm *vm;
	struct tb_queue *queue;
	struct fixture *f = *state;
	uint64_t dma, va = 0x3fffffe00000ULL;
	uint32_t *memory, job;

	config.memory_bytes = 12u << 20;
	host = tb_host_create(&config);
	vm = tb_vm_create(host, 200);
	queue = tb_queue_create(vm, host->num_queues - 1, NULL);
	dma = tb_dma_alloc_aligned(host, TB_LARGE_PAGE, TB_LARGE_PAGE, TB_READ_WRITE);
	memory = tb_ptr(host, dma);
	tb_vm_map_large(vm, va, dma, FAA_PTE_WRITABLE_MASK);
	/* One word in each of 256 4 KiB pieces, the stream in the last. */
	add_st(f, FAA_TYPE_U32, 256, affine(va, 0x2000), 0, affine(1, 1));
	add_end(f);
	memcpy((uint8_t *)memory + TB_LARGE_PAGE - 256, f->words, f->count * 8);
	job = tb_submit(queue, va + TB_LARGE_PAGE - 256, f->count * 8);
	f->count = 0;
	assert_true(tb_wait(queue, job));
	assert_int_equal(tb_status(queue, job)->code, FAA_ERROR_SUCCESS);
	for (unsigned int i = 0; i < 256; i++)
		assert_int_equal(memory[i * 0x800], i + 1);
	assert_int_equal(host->violations, 0);
	assert_true(tb_queue_destroy(queue));
	tb_vm_destroy(vm);
	tb_host_destroy(host);
}

static uint32_t run_bus_error(struct fixture *f)
{
	uint32_t code;

	add_end(f);
	f->host->allow_bus_errors = true;
	code = run_raw(f);
	f->host->allow_bus_errors = false;
	return code;
}

/* Pages and tables at addresses without memory. */
static void bus_errors(void **state)
{
	struct fixture *f = *state;
	const uint64_t va = 0x66000000000ULL;
	uint32_t end;

	tb_vm_map(f->vm, va, TB_NO_MEMORY, TB_PAGE, FAA_PTE_WRITABLE_MASK);
	for (enum step step = STEP_A; step < STEPS; step++) {
		add_step(f, step, va + 64 * 3, 16);
		end = here(f);
		assert_int_equal(run_bus_error(f), FAA_ERROR_BUS_ERROR);
		assert_int_equal(f->status.address, TB_NO_MEMORY + 64 * 3);
		/*
		 * A store may have retired before its error arrives, so a later command may be
		 * named.
		 */
		assert_in_range(f->status.command, 0, end);
	}
	*tb_vm_entry(f->vm, 0x77000000000ULL, 2) = htole64(TB_NO_MEMORY | FAA_PTE_VALID_MASK);
	add_step(f, STEP_LOAD, 0x77000000000ULL + 0x5 * 0x200000, 16);
	assert_int_equal(run_bus_error(f), FAA_ERROR_BUS_ERROR);
	assert_int_equal(f->status.address, TB_NO_MEMORY + 8 * 5);
	run(f);
}

/*
 * Restart at the failing warp after the cause is removed: the results are those of a job without an
 * error.
 */
static void restart_goes_on_exactly(void **state)
{
	struct fixture *f = *state;
	uint32_t *in = f->in.ptr;
	uint32_t zero[64] = { 0 }, after[64], expect[64] = { 0 };
	struct faa_job_desc desc;
	uint32_t job;

	shared_fill(f, zero, 64);
	for (unsigned int i = 0; i < 200; i++) {
		in[i] = i % 37 * 4;
		expect[in[i] / 4]++;
	}
	in[141] = FIXTURE_SHARED;
	f->count += faa_encode_nop(f->words, &f->issue);
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 200, none(), stream(FAA_TYPE_U32, f->in.va, 4),
		  0, imm(1), none());
	add_sts(f, FAA_TYPE_U32, 1, none(), 0xfc, imm(123));
	run_error(f, FAA_ERROR_OUT_OF_RANGE, 8, 141, FIXTURE_SHARED);
	assert_int_equal(f->status.elements_retired, 128);
	in[141] = 141 % 37 * 4;
	expect[63] = 123;
	/* The code buffer still holds the stream; the rest of it from the failing command on. */
	desc = tb_desc(f->queue, f->code.va + 8, (8 + 5) * 8);
	desc.first_element = 141 & ~31;
	add_atoms(f, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, 200, none(), stream(FAA_TYPE_U32, f->in.va, 4),
		  0, imm(1), none());
	add_sts(f, FAA_TYPE_U32, 1, none(), 0xfc, imm(123));
	add_end(f);
	desc.stream_bytes = f->count * 8;
	f->count = 0;
	job = tb_push(f->queue, &desc);
	tb_doorbell(f->queue);
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_SUCCESS);
	assert_int_equal(tb_status(f->queue, job)->elements_retired, 200 - 128 + 1);
	shared_dump(f, after, 64);
	assert_memory_equal(after, expect, sizeof(expect));
}

/* A late error neither changes the results of earlier commands nor lets later ones begin. */
static void earlier_commands_complete_later_ones_not(void **state)
{
	struct fixture *f = *state;
	uint32_t *out = f->out.ptr;

	for (unsigned int i = 0; i < 10; i++)
		add_st(f, FAA_TYPE_U32, 32, affine(f->out.va + 128 * i, 4), 0, imm(i + 1));
	add_ld(f, FAA_TYPE_U32, 32, reg(3), imm(8), 0);
	for (unsigned int i = 10; i < 20; i++)
		add_st(f, FAA_TYPE_U32, 32, affine(f->out.va + 128 * i, 4), 0, imm(i + 1));
	run_error(f, FAA_ERROR_NOT_MAPPED, 10 * 6 * 8, 0, 8);
	for (unsigned int i = 0; i < 20 * 32; i++)
		assert_int_equal(out[i], i / 32 < 10 ? i / 32 + 1 : 0);
}

/* The register result of a failed warp keeps its value. */
static void failed_warp_leaves_registers(void **state)
{
	struct fixture *f = *state;
	const uint32_t *out = f->out.ptr;

	add_mov(f, FAA_TYPE_U32, 32, reg(3), affine(500, 1));
	run(f);
	/* Lane 31 is beyond the buffer. */
	add_ld(f, FAA_TYPE_U32, 32, reg(3), affine(f->in.va + f->in.bytes - 31 * 4, 4), 0);
	run_error(f, FAA_ERROR_NOT_MAPPED, 0, 31, f->in.va + f->in.bytes);
	add_mov(f, FAA_TYPE_U32, 32, stream(FAA_TYPE_U32, f->out.va, 4), reg(3));
	run(f);
	for (unsigned int i = 0; i < 32; i++)
		assert_int_equal(out[i], 500 + i);
}

/* Elements far above 2^31: the index, the affine value and the stream address. */
static void high_element_numbers(void **state)
{
	struct fixture *f = *state;
	struct faa_job_desc desc;
	const uint64_t n = 1ULL << 32, first = n - 64;
	uint32_t *out = f->out.ptr, job;

	add_st(f, FAA_TYPE_U32, n, affine(f->out.va - first * 4, 4), 0,
	       stream(FAA_TYPE_U32, f->in.va - first * 4, 4));
	add_end(f);
	memcpy(f->code.ptr, f->words, f->count * 8);
	for (unsigned int i = 0; i < 64; i++)
		((uint32_t *)f->in.ptr)[i] = 3 * i;
	desc = tb_desc(f->queue, f->code.va, f->count * 8);
	f->count = 0;
	desc.first_element = (uint32_t)first;
	job = tb_push(f->queue, &desc);
	tb_doorbell(f->queue);
	assert_true(tb_wait(f->queue, job));
	assert_int_equal(tb_status(f->queue, job)->code, FAA_ERROR_SUCCESS);
	assert_int_equal(tb_status(f->queue, job)->elements_retired, 64);
	for (unsigned int i = 0; i < 64; i++)
		assert_int_equal(out[i], 3 * i);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		FIXTURE_TEST(shared_misaligned_at_each_size),
		FIXTURE_TEST(shared_range_at_both_ends),
		FIXTURE_TEST(no_shared_memory_at_all),
		FIXTURE_TEST(lowest_bad_lane_of_a_warp),
		FIXTURE_TEST(inactive_lanes_are_not_checked),
		FIXTURE_TEST(global_misaligned_and_non_canonical),
		FIXTURE_TEST(not_mapped_at_each_step_and_lane),
		FIXTURE_TEST(steps_in_order),
		FIXTURE_TEST(read_only_pages),
		FIXTURE_TEST(malformed_page_tables),
		FIXTURE_TEST(sparse_pages),
		FIXTURE_TEST(large_pages),
		FIXTURE_TEST(bus_errors),
		FIXTURE_TEST(restart_goes_on_exactly),
		FIXTURE_TEST(earlier_commands_complete_later_ones_not),
		FIXTURE_TEST(failed_warp_leaves_registers),
		FIXTURE_TEST(high_element_numbers),
	};

	return fixture_main(argc, argv, "fault", tests, sizeof(tests) / sizeof(tests[0]));
}
