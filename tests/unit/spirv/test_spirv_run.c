// SPDX-License-Identifier: MIT
/* Kernels through the library, on the C model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "count.h"
#include "device.h"
#include "faa_spirv.h"
#include "fake_kernel.h"
#include "../run_tests.h"
#ifdef CHECK_ALLOC
#include "check_alloc.h"
#endif

#define GROUPS	    3u
#define INVOCATIONS (40 * GROUPS)
#define COUNTS	    16u

struct fixture {
	struct fake_kernel *machine;
	struct faa_device *device;
	struct faa_vm *vm;
	struct faa_spirv_module *module;
	struct faa_spirv_kernel *kernel;
	struct faa_spirv_message message;
	struct faa_bo *bos[3];
	uint32_t *memory[3];
	struct faa_spirv_buffer buffers[3];
};

static int set_up(void **state)
{
	static struct fixture f;
	unsigned int i;
	void *memory;

	memset(&f, 0, sizeof(f));
	f.machine = fake_kernel_create();
	assert_int_equal(faa_device_open_backend(fake_kernel_open(f.machine), &f.device), 0);
	assert_int_equal(faa_vm_create(f.device, &f.vm), 0);
	for (i = 0; i < 3; i++) {
		assert_int_equal(faa_bo_create(f.device, 4096, 0, &f.bos[i]), 0);
		assert_int_equal(faa_bo_map(f.bos[i], &memory), 0);
		f.memory[i] = memory;
		f.buffers[i].bo = f.bos[i];
		f.buffers[i].bytes = i == 1 ? 4 * COUNTS : 4 * INVOCATIONS;
		assert_int_equal(faa_vm_map(f.vm, f.bos[i], 0, 0, FAA_MAP_ATOMIC, &f.buffers[i].va),
				 0);
	}
	assert_int_equal(
		faa_spirv_load(count_words, sizeof(count_words), NULL, &f.module, &f.message), 0);
	assert_int_equal(faa_spirv_kernel_create(f.vm, f.module, "main", &f.kernel, &f.message), 0);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	unsigned int i;

	faa_spirv_kernel_destroy(f->kernel);
	faa_spirv_destroy(f->module);
	for (i = 0; i < 3; i++)
		faa_bo_unref(f->bos[i]);
	faa_vm_unref(f->vm);
	faa_device_unref(f->device);
	assert_int_equal(fake_kernel_live(f->machine), 0);
	fake_kernel_destroy(f->machine);
	return 0;
}

static void bind(struct fixture *f)
{
	uint32_t add = 5, i;

	for (i = 0; i < 3; i++)
		assert_int_equal(faa_spirv_bind_buffer(f->kernel, 0, i, 0, &f->buffers[i]), 0);
	assert_int_equal(faa_spirv_push_constants(f->kernel, 0, 4, &add), 0);
	for (i = 0; i < INVOCATIONS; i++)
		f->memory[0][i] = i * i % 23;
}

static void test_results(void **state)
{
	struct fixture *f = *state;
	struct faa_spirv_statistics statistics;
	uint32_t counts[COUNTS] = { 0 }, sums[GROUPS] = { 0 }, i, bin;

	bind(f);
	for (i = 0; i < INVOCATIONS; i++)
		sums[i / 40] += f->memory[0][i];
	assert_int_equal(faa_spirv_dispatch(f->kernel, GROUPS, 1, 1, &statistics, &f->message), 0);
	/* The device executes the lanes in their order, so returned values are in that order. */
	for (i = 0; i < INVOCATIONS; i++) {
		bin = f->memory[0][i] & 15;
		assert_true(f->memory[2][i] - sums[i / 40] <= 5 * INVOCATIONS);
		assert_int_equal((f->memory[2][i] - sums[i / 40]) % 5, 0);
		counts[bin] += 5;
	}
	assert_memory_equal(counts, f->memory[1], sizeof(counts));
	assert_int_equal(statistics.invocations, INVOCATIONS);
	assert_int_equal(statistics.atomics, 2 * INVOCATIONS);
	assert_true(statistics.submits >= 1 && statistics.submits <= 3);
}

static void test_refusals(void **state)
{
	struct fixture *f = *state;
	struct faa_spirv_kernel *kernel;
	struct faa_spirv_buffer small = f->buffers[1];
	uint32_t word = 0;

	assert_int_equal(faa_spirv_kernel_create(f->vm, f->module, "other", &kernel, &f->message),
			 -ENOENT);
	assert_null(kernel);
	assert_int_equal(faa_spirv_dispatch(f->kernel, 1, 1, 1, NULL, &f->message), -EINVAL);
	assert_string_equal(f->message.text, "nothing is bound to binding 0 of set 0, element 0");
	small.bytes = 60;
	assert_int_equal(faa_spirv_bind_buffer(f->kernel, 0, 1, 0, &small), -EINVAL);
	small.bytes = 8192;
	assert_int_equal(faa_spirv_bind_buffer(f->kernel, 0, 1, 0, &small), -EINVAL);
	assert_int_equal(faa_spirv_bind_buffer(f->kernel, 0, 3, 0, &small), -ENOENT);
	assert_int_equal(faa_spirv_push_constants(f->kernel, 2, 4, &word), -EINVAL);
}

static void test_outside(void **state)
{
	struct fixture *f = *state;

	bind(f);
	assert_int_equal(faa_spirv_dispatch(f->kernel, GROUPS + 1, 1, 1, NULL, &f->message),
			 -EFAULT);
	assert_string_equal(f->message.name, "OpLoad");
	assert_non_null(strstr(f->message.text, " of workgroup 3, 0, 0: nothing is bound at 0x"));
	/* And it can be run again. */
	assert_int_equal(faa_spirv_dispatch(f->kernel, GROUPS, 1, 1, NULL, &f->message), 0);
}

static void test_limits(void **state)
{
	struct fixture *f = *state;
	struct faa_spirv_statistics statistics;

	bind(f);
	assert_int_equal(faa_spirv_dispatch(f->kernel, 0, 1, 1, &statistics, &f->message), 0);
	assert_int_equal(statistics.invocations, 0);
	faa_spirv_limit(f->kernel, 100);
	assert_int_equal(faa_spirv_dispatch(f->kernel, GROUPS, 1, 1, NULL, &f->message), -ETIME);
}

#ifdef CHECK_ALLOC
/* Load, prepare, bind, run; 0 or the first error. */
static int try_all(struct fixture *f)
{
	struct faa_spirv_module *module = NULL;
	struct faa_spirv_kernel *kernel = NULL;
	uint32_t add = 5, i;
	int ret;

	ret = faa_spirv_load(count_words, sizeof(count_words), NULL, &module, &f->message);
	if (!ret)
		ret = faa_spirv_kernel_create(f->vm, module, "main", &kernel, &f->message);
	for (i = 0; i < 3 && !ret; i++)
		ret = faa_spirv_bind_buffer(kernel, 0, i, 0, &f->buffers[i]);
	if (!ret)
		ret = faa_spirv_push_constants(kernel, 0, 4, &add);
	if (!ret)
		ret = faa_spirv_bind_memory(kernel, &f->buffers[0]);
	if (!ret)
		ret = faa_spirv_dispatch(kernel, GROUPS, 1, 1, NULL, &f->message);
	faa_spirv_kernel_destroy(kernel);
	faa_spirv_destroy(module);
	return ret;
}

static void test_no_memory(void **state)
{
	struct fixture *f = *state;
	unsigned int nth, live = fake_kernel_live(f->machine);
	bool failed = true;
	int ret;

	bind(f);
	for (nth = 0; failed; nth++) {
		check_alloc_fail(nth);
		ret = try_all(f);
		failed = check_alloc_failed();
		if (ret != (failed ? -ENOMEM : 0))
			fail_msg("allocation %u: %d, %s", nth, ret, f->message.text);
		assert_int_equal(fake_kernel_live(f->machine), live);
	}
	assert_true(nth > 60);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_results, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_outside, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_limits, set_up, tear_down),
#ifdef CHECK_ALLOC
		cmocka_unit_test_setup_teardown(test_no_memory, set_up, tear_down),
#endif
	};

	return RUN_TESTS(tests, NULL, NULL);
}
