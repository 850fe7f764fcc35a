// SPDX-License-Identifier: MIT
/* The address allocator compared with a page bitmap. */
#include "check.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "va.h"

#define PAGE  4096ull
#define PAGES 512
#define START (16 * PAGE)
#define END   (START + PAGES * PAGE)
#define STEPS 200000

/* The reference of the allocator. */
struct reference {
	bool taken[PAGES];
};

static bool any_taken(const struct reference *ref, uint64_t page, uint64_t count)
{
	uint64_t i;

	for (i = page; i < page + count; i++)
		if (ref->taken[i])
			return true;
	return false;
}

static bool all_taken(const struct reference *ref, uint64_t page, uint64_t count)
{
	uint64_t i;

	for (i = page; i < page + count; i++)
		if (!ref->taken[i])
			return false;
	return true;
}

static void mark(struct reference *ref, uint64_t page, uint64_t count, bool taken)
{
	memset(ref->taken + page, taken, count);
}

/* First fit of the reference; PAGES if no hole is large enough. */
static uint64_t first_fit(const struct reference *ref, uint64_t count, uint64_t align_pages)
{
	uint64_t page;

	for (page = 0; page + count <= PAGES; page++)
		if (!((START / PAGE + page) % align_pages) && !any_taken(ref, page, count))
			return page;
	return PAGES;
}

static void step_alloc(struct faa_va *va, struct reference *ref, uint64_t *state)
{
	uint64_t count = 1 + check_random(state) % 24, align = 1ull << check_random(state) % 6;
	uint64_t expected = first_fit(ref, count, align), addr = 0;
	int ret = faa_va_alloc(va, count * PAGE, align * PAGE, &addr);

	if (expected == PAGES) {
		assert_int_equal(ret, -ENOSPC);
		return;
	}
	assert_int_equal(ret, 0);
	assert_int_equal(addr, START + expected * PAGE);
	mark(ref, expected, count, true);
}

static void step_reserve(struct faa_va *va, struct reference *ref, uint64_t *state)
{
	uint64_t page = check_random(state) % PAGES, count = 1 + check_random(state) % 16;
	int ret = faa_va_reserve(va, START + page * PAGE, count * PAGE);

	if (page + count > PAGES) {
		assert_int_equal(ret, -EINVAL);
	} else if (any_taken(ref, page, count)) {
		assert_int_equal(ret, -EBUSY);
	} else {
		assert_int_equal(ret, 0);
		mark(ref, page, count, true);
	}
}

static void step_release(struct faa_va *va, struct reference *ref, uint64_t *state)
{
	uint64_t page = check_random(state) % PAGES, count = 1 + check_random(state) % 16;
	bool fine = page + count <= PAGES && all_taken(ref, page, count);

	assert_int_equal(faa_va_taken(va, START + page * PAGE, count * PAGE), fine);
	assert_int_equal(faa_va_release(va, START + page * PAGE, count * PAGE), fine ? 0 : -EINVAL);
	if (fine)
		mark(ref, page, count, false);
}

/* Holes are sorted, not empty, and never touch. */
static void check_holes(const struct faa_va *va, const struct reference *ref)
{
	uint64_t page = 0;
	size_t i;

	for (i = 0; i < va->count; i++) {
		assert_true(va->holes[i].start < va->holes[i].end);
		if (i)
			assert_true(va->holes[i - 1].end < va->holes[i].start);
		assert_true(all_taken(ref, page, (va->holes[i].start - START) / PAGE - page));
		page = (va->holes[i].start - START) / PAGE;
		assert_false(any_taken(ref, page, (va->holes[i].end - START) / PAGE - page));
		page = (va->holes[i].end - START) / PAGE;
	}
	assert_true(all_taken(ref, page, PAGES - page));
}

static void random_against_bitmap(void **state)
{
	uint64_t seed = check_seed(0x5eed0001);
	struct reference ref = { { false } };
	struct faa_va va;
	int i;

	(void)state;
	assert_int_equal(faa_va_init(&va, START, END), 0);
	for (i = 0; i < STEPS; i++) {
		switch (check_random(&seed) % 4) {
		case 0:
			step_alloc(&va, &ref, &seed);
			break;
		case 1:
			step_reserve(&va, &ref, &seed);
			break;
		default:
			step_release(&va, &ref, &seed);
		}
		if (i % 64 == 0)
			check_holes(&va, &ref);
	}
	faa_va_fini(&va);
}

static void edges(void **state)
{
	struct faa_va va;
	uint64_t addr;

	(void)state;
	assert_int_equal(faa_va_init(&va, END, START), -EINVAL);
	assert_int_equal(faa_va_init(&va, START, START), -EINVAL);
	assert_int_equal(faa_va_init(&va, 65536, 1ull << 48), 0);
	assert_int_equal(faa_va_alloc(&va, 0, PAGE, &addr), -EINVAL);
	assert_int_equal(faa_va_alloc(&va, PAGE, 0, &addr), -EINVAL);
	assert_int_equal(faa_va_alloc(&va, PAGE, 3 * PAGE, &addr), -EINVAL);
	assert_int_equal(faa_va_alloc(&va, UINT64_MAX, PAGE, &addr), -ENOSPC);
	assert_int_equal(faa_va_alloc(&va, PAGE, 1ull << 63, &addr), -ENOSPC);
	assert_int_equal(faa_va_reserve(&va, 0, PAGE), -EINVAL);
	assert_int_equal(faa_va_reserve(&va, 61440, 2 * PAGE), -EINVAL);
	assert_int_equal(faa_va_reserve(&va, (1ull << 48) - PAGE, PAGE), 0);
	assert_int_equal(faa_va_reserve(&va, (1ull << 48) - PAGE, 2 * PAGE), -EINVAL);
	assert_int_equal(faa_va_reserve(&va, 65536, UINT64_MAX), -EINVAL);
	assert_int_equal(faa_va_release(&va, 65536, UINT64_MAX - 65536), -EINVAL);
	assert_int_equal(faa_va_alloc(&va, (1ull << 48) - 65536 - PAGE, PAGE, &addr), 0);
	assert_int_equal(addr, 65536);
	assert_int_equal(faa_va_alloc(&va, PAGE, PAGE, &addr), -ENOSPC);
	faa_va_fini(&va);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_against_bitmap),
		cmocka_unit_test(edges),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
