// SPDX-License-Identifier: MIT
/*
 * Errors of the library: a sentence for each rejection, statuses that never read as success, early
 * waits, a lost device, and the child of a fork.
 */
#include "check.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "error.h"
#include "fake_kernel.h"
#include "fixture_fake.h"

/* An END. */
static struct faa_job job;

static int setup(void **state)
{
	const struct faa_queue_options options = { .status_entries = 64 };

	(void)state;
	fixture_open(2 * PAGE, &options);
	faa_stream_end(stream);
	assert_int_equal(faa_stream_upload(stream, bo, 0), 0);
	job = (struct faa_job){ .stream_va = va, .stream_bytes = faa_stream_bytes(stream) };
	faa_stream_reset(stream);
	return 0;
}

/* The call fails with @error, and its sentence, not one from before, has @text. */
#define REFUSED(call, error, text)                                                         \
	do {                                                                               \
		faa_fail(0, "an old sentence");                                            \
		assert_int_equal(call, error);                                             \
		if (!strstr(faa_last_error(), text))                                       \
			fail_msg("%s says '%s', not '%s'", #call, faa_last_error(), text); \
	} while (0)

static void no_error_no_sentence(void **state)
{
	struct faa_bo *other;

	(void)state;
	REFUSED(faa_bo_create(device, 0, 0, &other), -EINVAL, "BO: a size of 0 bytes");
	/* Calls that succeed, and functions without a result, do not change the sentence. */
	assert_int_equal(faa_bo_create(device, PAGE, 0, &other), 0);
	faa_bo_unref(other);
	assert_string_equal(faa_last_error(), "BO: a size of 0 bytes");
}

/* The functions of faa.h for a library that is built on it */
static void library_on_top(void **state)
{
	char text[2 * FAA_SENTENCE_BYTES];

	(void)state;
	faa_fail(-EINVAL, "buffer: no address");
	assert_int_equal(faa_fail(-ENOENT, "top: %s", faa_last_error()), -ENOENT);
	assert_string_equal(faa_last_error(), "top: buffer: no address");
	/* A part of the range is not in use, and the address is not aligned. */
	faa_vm_drop(vm, va, 1ull << 32);
	faa_vm_drop(vm, va + 1, PAGE);
	assert_string_equal(faa_last_error(), "top: buffer: no address");
	assert_ptr_equal(faa_vm_device(vm), device);
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	faa_fail(-EINVAL, "%s", text);
	assert_int_equal(strlen(faa_last_error()), 767);
	assert_int_equal(faa_type_bits(FAA_TYPE_BF16X2), 32);
	assert_int_equal(faa_type_bits(255), 0);
}

/*
 * Releasing objects after a failure must not replace its sentence, neither on a lost device nor in
 * a child.
 */
static void releasing_says_nothing(void **state)
{
	const struct faa_surface_desc desc = { .version = FAA_HEADER_VERSION_PITCH,
					       .type = FAA_TEXTURE_TYPE_TWO_D,
					       .texel = FAA_TEXEL_R32,
					       .width = 8,
					       .height = 8 };
	struct faa_constant_bank *bank;
	struct faa_surface *surface;
	struct faa_header_pool *pool;
	struct faa_queue *other;

	(void)state;
	assert_int_equal(faa_header_pool_create(vm, 1, &pool), 0);
	assert_int_equal(faa_constant_bank_create(vm, 1, &bank), 0);
	assert_int_equal(faa_surface_create(vm, &desc, &surface, NULL), 0);
	assert_int_equal(faa_queue_create(vm, NULL, &other), 0);
	fake_kernel_lose(kernel, false);
	REFUSED(faa_queue_submit(queue, &job, 1, NULL), -ENODEV, "SUBMIT: the device is gone");
	faa_header_pool_destroy(pool);
	faa_constant_bank_destroy(bank);
	faa_surface_destroy(surface);
	faa_queue_destroy(other);
	assert_string_equal(faa_last_error(), "SUBMIT: the device is gone");
}

static void *look_at_own(void *arg)
{
	struct faa_bo *other;
	bool ok = !*faa_last_error();

	ok = ok && faa_bo_create(device, PAGE, 8, &other) == -EINVAL;
	ok = ok && strstr(faa_last_error(), "flags 0x8");
	*(bool *)arg = ok;
	return NULL;
}

static void each_thread_has_its_own(void **state)
{
	pthread_t thread;
	bool ok = false;

	(void)state;
	faa_fail(0, "of the first thread");
	assert_int_equal(pthread_create(&thread, NULL, look_at_own, &ok), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(ok);
	assert_string_equal(faa_last_error(), "of the first thread");
}

static void buffer_objects(void **state)
{
	struct faa_bo *other;
	void *address;
	int fd;

	(void)state;
	REFUSED(faa_bo_create(device, PAGE, 2, &other), -EINVAL, "flags 0x2: allowed is");
	REFUSED(faa_bo_create(device, 1ull << 40, 0, &other), -ENOMEM, "1099511627776 bytes");
	assert_int_equal(faa_bo_create(device, PAGE, FAA_BO_NO_MMAP, &other), 0);
	REFUSED(faa_bo_map(other, &address), -EPERM, "made with FAA_BO_NO_MMAP");
	faa_bo_unref(other);
	assert_int_equal(faa_bo_create_exclusive(vm, PAGE, 0, &other), 0);
	REFUSED(faa_bo_export(other, &fd), -EPERM, "exclusive to a VM");
	faa_bo_unref(other);
	REFUSED(faa_bo_import(device, -1, &other), -EBADF, "descriptor -1 is no dma-buf");
	fake_kernel_fail(kernel, 1, -EMFILE);
	assert_int_equal(faa_bo_create(device, PAGE, 0, &other), 0);
	REFUSED(faa_bo_map(other, &address), -EMFILE, strerror(EMFILE));
	faa_bo_unref(other);
}

static void addresses(void **state)
{
	const uint64_t top = 1ull << 48;
	uint64_t at;

	(void)state;
	REFUSED(faa_vm_reserve(vm, 100, 0, &at), -EINVAL, "size of 100 bytes");
	REFUSED(faa_vm_reserve(vm, 0, 0, &at), -EINVAL, "size of 0 bytes");
	REFUSED(faa_vm_reserve(vm, PAGE, 3 * PAGE, &at), -EINVAL, "alignment of 12288");
	REFUSED(faa_vm_reserve(vm, top, 0, &at), -ENOSPC, "no hole of 0x1000000000000");
	REFUSED(faa_vm_reserve_fixed(vm, va + 1, PAGE), -EINVAL, "not a multiple of 4096");
	REFUSED(faa_vm_reserve_fixed(vm, va, PAGE), -EBUSY, "in use");
	REFUSED(faa_vm_reserve_fixed(vm, 0, PAGE), -EINVAL, "not inside of 0x10000..");
	REFUSED(faa_vm_release(vm, va + (1 << 30), PAGE), -EINVAL, "not reserved");
	REFUSED(faa_vm_unmap(vm, va + (1 << 30), PAGE), -EINVAL, "not reserved or mapped");
	REFUSED(faa_vm_unbind(vm, va, PAGE + 1), -EINVAL, "size of 4097");
	REFUSED(faa_vm_map(vm, bo, 1, 0, 0, &at), -EINVAL, "offset 0x1 is not a multiple");
	REFUSED(faa_vm_map(vm, bo, 2 * PAGE, 0, 0, &at), -EINVAL,
		"from 0x2000 on of a BO of 0x2000");
	REFUSED(faa_vm_map(vm, bo, 0, 3 * PAGE, 0, &at), -EINVAL, "0x3000 bytes from 0x0 on");
	REFUSED(faa_vm_map(vm, bo, 0, 100, 0, &at), -EINVAL, "size of 100 bytes");
	REFUSED(faa_vm_map(vm, bo, 0, 0, 16, &at), -EINVAL, "flags 0x10");
	REFUSED(faa_vm_map(vm, bo, 0, 0, FAA_MAP_READONLY | FAA_MAP_ATOMIC, &at), -EINVAL,
		"exclude each other");
	REFUSED(faa_vm_map_fixed(vm, bo, 0, 0, 0, va), -EBUSY, "in use");
	REFUSED(faa_vm_map_fixed(vm, bo, 0, 0, 0, va + 8), -EINVAL, "not a multiple of 4096");
	REFUSED(faa_vm_bind(vm, bo, 0, 0, 0, va + (1 << 30)), -EINVAL, "not reserved");
	/* The kernel's own refusals. */
	fake_kernel_fail(kernel, 0, -EINVAL);
	REFUSED(faa_vm_map(vm, bo, 0, 0, 0, &at), -EINVAL, "map: the kernel refused 0x2000 bytes");
	fake_kernel_fail(kernel, 0, -ENOSPC);
	REFUSED(faa_vm_create(device, &(struct faa_vm *){ NULL }), -ENOSPC, "4 VMs");
}

static void process_memory(void **state)
{
	uint8_t *mine = malloc(4 * PAGE), *odd = mine + ((uintptr_t)mine % PAGE ? 0 : 16);
	uint64_t at;

	(void)state;
	assert_non_null(mine);
	REFUSED(faa_vm_map_userptr(vm, odd, PAGE, 0, &at), -EINVAL, "as of malloc()");
	REFUSED(faa_vm_map_userptr(vm, NULL, PAGE, 0, &at), -EINVAL, "no address of the process");
	REFUSED(faa_vm_map_userptr(vm, (void *)PAGE, PAGE, 0, &at), -EFAULT,
		"is memory of the process");
	fake_kernel_fail(kernel, 0, -EPERM);
	REFUSED(faa_vm_map_userptr(vm, (void *)PAGE, PAGE, 0, &at), -EPERM, "cannot be written");
	fake_kernel_fail(kernel, 0, -EOPNOTSUPP);
	REFUSED(faa_vm_map_null(vm, PAGE, 0, &at), -EOPNOTSUPP, "device cannot");
	REFUSED(faa_vm_map_null(vm, 5, 0, &at), -EINVAL, "map of nothing: a size of 5 bytes");
	REFUSED(faa_vm_share_process(vm), -EBUSY, "queue, a mapping or a reserved range");
	free(mine);
}

static void batches(void **state)
{
	struct faa_bind binds[2] = { { .op = FAA_BIND_UNMAP, .va = va, .size = PAGE },
				     { .op = 9, .va = va, .size = PAGE } };
	struct faa_sync sync = { 0, 77, 0 };
	uint32_t failed;

	(void)state;
	REFUSED(faa_vm_bind_batch(vm, binds, 2, &failed), -EINVAL,
		"operation 1: bind: operation 9");
	assert_int_equal(failed, 1);
	REFUSED(faa_vm_bind_batch(vm, binds, 0, NULL), -EINVAL, "0 operations: allowed are 1..16");
	binds[1] = (struct faa_bind){ .op = FAA_BIND_UNMAP, .bo = bo, .va = va, .size = PAGE };
	REFUSED(faa_vm_bind_batch(vm, binds, 2, NULL), -EINVAL, "operation 1: unmap: it has no BO");
	binds[1] = (struct faa_bind){ .op = FAA_BIND_MAP, .va = va, .size = PAGE };
	REFUSED(faa_vm_bind_batch(vm, binds, 2, NULL), -EINVAL, "operation 1: map: no BO");
	binds[1] = (struct faa_bind){ .op = FAA_BIND_MAP_NULL, .offset = PAGE, .va = va };
	REFUSED(faa_vm_bind_batch(vm, binds, 2, NULL), -EINVAL, "it has no offset");
	binds[1] = (struct faa_bind){
		.op = FAA_BIND_MAP_USERPTR, .address = (void *)PAGE, .va = va, .size = PAGE
	};
	REFUSED(faa_vm_bind_batch(vm, binds, 2, &failed), -EFAULT,
		"operation 1: map of the process");
	assert_int_equal(failed, 1);
	REFUSED(faa_vm_bind_async(vm, binds, 1, &sync, 9, NULL), -EINVAL, "9 sync operations");
	REFUSED(faa_vm_bind_async(vm, binds, 1, &sync, 1, NULL), -ENOENT, "no syncobj 77");
	sync.point = 4;
	REFUSED(faa_vm_bind_async(vm, binds, 1, &sync, 1, NULL), -EINVAL,
		"without FAA_SYNC_TIMELINE");
}

static void queues(void **state)
{
	static const struct faa_queue_options largest = { .status_entries = 4096 };
	static const struct {
		struct faa_queue_options options;
		int error;
		const char *text;
	} cases[] = {
		{ { .shared_bytes = 100 },
		  -EINVAL,
		  "shared_bytes 100: allowed are multiples of 128" },
		{ { .shared_bytes = 1 << 30 }, -EINVAL, "shared_bytes 1073741824" },
		{ { .status_entries = 65 }, -EINVAL, "status_entries 65: allowed are 0 and powers" },
		{ { .status_entries = 32 }, -EINVAL, "from 64 to 4096" },
		{ { .status_entries = 8192 }, -EINVAL, "from 64 to 4096" },
		{ { .high_priority = true }, -EACCES, "needs CAP_SYS_NICE" },
		{ { .high_priority = true, .low_priority = true }, -EINVAL, "exclude each other" },
	};
	struct faa_queue *other, *more[4];
	int i, count;

	(void)state;
	for (i = 0; i < (int)COUNT(cases); i++)
		REFUSED(faa_queue_create(vm, &cases[i].options, &other), cases[i].error,
			cases[i].text);
	assert_int_equal(faa_queue_create(vm, &largest, &other), 0);
	faa_queue_destroy(other);
	for (count = 0; count < 4 && !faa_queue_create(vm, NULL, &more[count]); count++)
		;
	assert_int_equal(count, 3);
	REFUSED(faa_queue_create(vm, NULL, &other), -ENOSPC, "none is left");
	while (count)
		faa_queue_destroy(more[--count]);
}

static void jobs(void **state)
{
	struct faa_sync sync = { 0, 77, 0 };
	struct faa_job bad, pair[65];
	unsigned int i;

	(void)state;
	REFUSED(faa_queue_submit(queue, &job, 0, NULL), -EINVAL, "0 jobs: allowed are 1..64");
	bad = job;
	bad.stream_va += 4;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -EINVAL, "is not a multiple of 8");
	bad = job;
	bad.stream_bytes = 12;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -EINVAL, "job 0 of 1: stream_bytes 12");
	bad.stream_bytes = 0;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -EINVAL, "stream_bytes 0");
	bad = job;
	bad.stream_va = (1ull << 48) - 8;
	bad.stream_bytes = 16;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -EINVAL, "goes beyond 2^48");
	bad = job;
	bad.first_element = 33;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -EINVAL, "first_element 33");
	bad = job;
	bad.flags = 8;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -EINVAL, "flags 0x8");
	bad.flags = FAA_JOB_TOGETHER;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -EINVAL, "without a next job");
	for (i = 0; i < COUNT(pair); i++)
		pair[i] = bad;
	REFUSED(faa_queue_submit(queue, pair, 64, NULL), -EINVAL, "a group of more than");
	/* One stream more than there are slots. */
	i = faa_device_info(device)->warp_slots;
	pair[i].flags = 0;
	REFUSED(faa_queue_submit(queue, pair, i + 1, NULL), -EINVAL, "a group of more than");
	bad = job;
	bad.syncs = &sync;
	bad.sync_count = 8;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -EINVAL, "8 sync operations");
	bad.sync_count = 1;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -ENOENT, "there is no syncobj 77");
	sync.flags = FAA_SYNC_TIMELINE;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -EINVAL, "point 0 of a timeline");
	sync.flags = 4;
	REFUSED(faa_queue_submit(queue, &bad, 1, NULL), -EINVAL, "sync operation 0: flags 0x4");
	REFUSED(faa_queue_wait(queue, 5, 0), -EINVAL, "no job 5: the last one submitted is 0");
	fake_kernel_hold(kernel, true);
	for (i = 0; i < COUNT(pair); i++)
		pair[i] = job;
	assert_int_equal(faa_queue_submit(queue, pair, 64, NULL), 0);
	REFUSED(faa_queue_submit(queue, pair, 1, NULL), -ENOSPC, "status_entries, 64");
	REFUSED(faa_queue_wait(queue, 64, 0), -ETIME, "job 64 had not ended");
	fake_kernel_hold(kernel, false);
	assert_int_equal(faa_queue_wait(queue, 64, FAA_NO_DEADLINE), 0);
	fake_kernel_fail(kernel, 0, -ECANCELED);
	REFUSED(faa_queue_submit(queue, &job, 1, NULL), -ECANCELED, "the queue is dead");
}

static void syncobjs(void **state)
{
	uint32_t handle = 77;
	uint64_t point;

	(void)state;
	REFUSED(faa_syncobj_destroy(device, 77), -EINVAL, "there is no syncobj 77");
	REFUSED(faa_syncobj_signal(device, 77, 0), -ENOENT, "signal: there is no syncobj 77");
	REFUSED(faa_syncobj_query(device, 77, &point), -ENOENT, "query: there is no syncobj 77");
	REFUSED(faa_syncobj_wait(device, &handle, NULL, 1, true, 0), -ENOENT, "does not exist");
	REFUSED(faa_syncobj_wait(device, NULL, NULL, 0, true, 0), -EINVAL, "no syncobj was named");
	REFUSED(faa_syncobj_wait_promised(device, &handle, NULL, 1, true, 0), -ENOENT,
		"does not exist");
	assert_int_equal(faa_syncobj_create(device, false, &handle), 0);
	REFUSED(faa_syncobj_wait(device, &handle, NULL, 1, true, 0), -ETIME, "the deadline came");
	assert_int_equal(faa_syncobj_destroy(device, handle), 0);
}

static void streams(void **state)
{
	(void)state;
	REFUSED(faa_stream_upload(stream, bo, 0), -EINVAL, "the stream is empty");
	faa_stream_reset(stream);
	REFUSED(faa_stream_guard(stream, 9, false), -EINVAL, "guard predicate 9");
	/* The first error remains the reason of all later ones. */
	REFUSED(faa_stream_end(stream), -EINVAL, "guard predicate 9");
	REFUSED(faa_stream_upload(stream, bo, 0), -EINVAL, "guard predicate 9");
	assert_string_equal(faa_last_error(), faa_stream_error(stream));
	faa_stream_reset(stream);
	faa_stream_end(stream);
	REFUSED(faa_stream_upload(stream, bo, 4), -EINVAL, "offset 4 is not a multiple of 8");
	REFUSED(faa_stream_upload(stream, bo, 2 * PAGE), -ENOSPC,
		"8 bytes from byte 8192 on of a BO");
}

static void surfaces(void **state)
{
	const struct faa_surface_desc desc = { .version = FAA_HEADER_VERSION_PITCH,
					       .type = FAA_TEXTURE_TYPE_TWO_D,
					       .texel = FAA_TEXEL_R32,
					       .width = 8,
					       .height = 8 },
				      none = { .width = 1 };
	struct faa_surface_layout layout;
	uint32_t header[FAA_HEADER_WORDS], index;
	struct faa_constant_bank *bank;
	struct faa_surface_view view;
	struct faa_header_pool *pool;
	struct faa_surface *surface;
	struct faa_linear linear = { .row_bytes = 1 };
	struct faa_surface_box box;

	(void)state;
	REFUSED(faa_surface_layout(&none, &layout, NULL), -EINVAL, "surface: texel:");
	REFUSED(faa_surface_create(vm, &none, &surface, NULL), -EINVAL, "surface: texel:");
	REFUSED(faa_surface_dim(FAA_HEADER_VERSION_PITCH, FAA_TEXTURE_TYPE_CUBEMAP), -EINVAL,
		"has no texture type");
	assert_int_equal(faa_surface_layout(&desc, &layout, NULL), 0);
	view = faa_surface_view(&layout);
	REFUSED(faa_surface_encode(&layout, &view, 1, header, NULL), -EINVAL,
		"address: not a multiple");
	box = faa_surface_box(&layout, 0);
	REFUSED(faa_surface_read(&layout, header, &box, &linear), -EINVAL, "1 bytes apart");
	box.width++;
	REFUSED(faa_surface_write(&layout, header, &box, &linear), -EINVAL, "beyond level 0");
	assert_int_equal(faa_surface_encode(&layout, &view, 0x10000, header, NULL), 0);
	REFUSED(faa_header_get(header, "NO_SUCH", &index), -ENOENT, "no field NO_SUCH");
	REFUSED(faa_header_set(header, "HEIGHT_MINUS_ONE", 1 << 20), -ERANGE, "it has 16 bits");
	faa_header_disable(header);
	REFUSED(faa_surface_decode(header, &layout, &view, &va, NULL), -ENOENT, "disabled");
	REFUSED(faa_header_pool_create(vm, 0, &pool), -EINVAL, "0 headers: allowed are 1..1048576");
	assert_int_equal(faa_header_pool_create(vm, 1, &pool), 0);
	REFUSED(faa_header_pool_replace(pool, 0, header), -ENOENT, "no header 0");
	REFUSED(faa_header_pool_remove(pool, 1), -ENOENT, "no header 1");
	assert_int_equal(faa_header_pool_add(pool, header, &index), 0);
	REFUSED(faa_header_pool_add(pool, header, &index), -ENOSPC, "all 1 places are taken");
	faa_header_pool_destroy(pool);
	REFUSED(faa_constant_bank_create(vm, 0, &bank), -EINVAL, "0 words");
	assert_int_equal(faa_constant_bank_create(vm, 2, &bank), 0);
	REFUSED(faa_constant_bank_set(bank, 2, 0), -EINVAL, "word 2 of 2");
	faa_constant_bank_destroy(bank);
}

static void devices(void **state)
{
	struct faa_device *other;
	size_t size = 1 << 20;

	(void)state;
	REFUSED(faa_device_open_path("/dev/null", &other), -ENODEV, "/dev/null is no render node");
	REFUSED(faa_device_open_path("/none", &other), -ENOENT, "/none: No such file");
	REFUSED(faa_device_open_fd(-1, &other), -EBADF, "file descriptor -1");
	REFUSED(faa_device_open_in("/none", &other), -ENODEV, "`faa-run PROGRAM'");
	REFUSED(faa_device_query(device, 99, NULL, &size), -EINVAL, "no type 99");
	REFUSED(faa_device_query(device, 0, &size, &size), -EINVAL, "up to 65536");
	fake_kernel_set_major(kernel, 7);
	REFUSED(faa_device_open_backend(fake_kernel_open(kernel), &other), -EPROTO, "version 7.0");
}

/* Every ioctl and call of a lost device reports it. */
static void a_device_that_is_gone(void **state)
{
	struct faa_queue_info info;
	struct faa_vm_info vm_info;
	struct faa_queue *other;
	uint32_t handle;
	uint64_t at;

	(void)state;
	fake_kernel_lose(kernel, false);
	REFUSED(faa_queue_submit(queue, &job, 1, NULL), -ENODEV, "SUBMIT: the device is gone");
	REFUSED(faa_queue_create(vm, NULL, &other), -ENODEV, "QUEUE_CREATE: the device is gone");
	REFUSED(faa_queue_info(queue, &info), -ENODEV, "QUEUE_GET_STATE: the device is gone");
	REFUSED(faa_vm_info(vm, &vm_info), -ENODEV, "VM_GET_STATE: the device is gone");
	REFUSED(faa_vm_map(vm, bo, 0, 0, 0, &at), -ENODEV, "VM_BIND: the device is gone");
	REFUSED(faa_syncobj_create(device, false, &handle), -ENODEV, "the device is gone");
}

/* ---- Statuses ---- */

static void expect_text(const struct faa_job_status *status, const char *expected)
{
	char text[256];

	faa_status_format(status, NULL, 0, text, sizeof(text));
	assert_string_equal(text, expected);
}

/* Rejected and failed jobs have the same errno here; only the status distinguishes them. */
static void refused_or_failed(void **state)
{
	struct faa_job_status status, statuses[2];
	struct faa_job bad = job, pair[2];

	(void)state;
	bad.stream_bytes = 12;
	memset(&status, 0xff, sizeof(status));
	assert_int_equal(faa_queue_run(queue, &bad, FAA_NO_DEADLINE, &status), -EINVAL);
	assert_int_equal(status.code, FAA_JOB_NOT_SUBMITTED);
	assert_int_equal(status.seqno, 0);
	expect_text(&status, "no job: it was not submitted");
	pair[0] = job;
	pair[1] = bad;
	memset(statuses, 0xff, sizeof(statuses));
	assert_int_equal(faa_queue_run_group(queue, pair, 2, FAA_NO_DEADLINE, statuses), -EINVAL);
	expect_text(&statuses[0], "no job: it was not submitted");
	expect_text(&statuses[1], "no job: it was not submitted");
	memset(&status, 0, sizeof(status));
	assert_int_equal(faa_queue_status(queue, 1, &status), -EINVAL);
	assert_int_equal(status.code, FAA_JOB_NOT_SUBMITTED);
	/* A stream without END. */
	faa_stream_nop(stream);
	assert_int_equal(faa_stream_upload(stream, bo, PAGE), 0);
	bad = (struct faa_job){ .stream_va = va + PAGE, .stream_bytes = 8 };
	REFUSED(faa_queue_run(queue, &bad, FAA_NO_DEADLINE, &status), -EINVAL,
		"job 1: stream ends inside a command or without END");
	assert_int_equal(status.seqno, 1);
	assert_int_equal(status.code, FAA_ERROR_TRUNCATED);
}

static void not_ended(void **state)
{
	struct faa_job_status status, statuses[2];
	struct faa_job pair[2] = { job, job };

	(void)state;
	fake_kernel_hold(kernel, true);
	REFUSED(faa_queue_run(queue, &job, 0, &status), -ETIME, "job 1 had not ended");
	expect_text(&status, "job 1: had not ended when its status was taken");
	REFUSED(faa_queue_status(queue, 1, &status), -EBUSY, "job 1: had not ended");
	if (faa_device_info(device)->warp_slots >= 2) {
		assert_int_equal(faa_queue_run_group(queue, pair, 2, 0, statuses), -ETIME);
		expect_text(&statuses[1], "job 3: had not ended when its status was taken");
	}
	fake_kernel_hold(kernel, false);
}

/* A group has ended with its last job, whose signal and record come after those of the others. */
static void a_group_ends_with_its_last_job(void **state)
{
	struct faa_job_status statuses[2];
	struct faa_job pair[2] = { job, job };

	(void)state;
	if (faa_device_info(device)->warp_slots < 2)
		skip();
	assert_int_equal(faa_queue_run_group(queue, pair, 2, FAA_NO_DEADLINE, statuses), 0);
	assert_int_equal(fake_kernel_waited(kernel), 2);
	assert_int_equal(statuses[1].seqno, 2);
	assert_int_equal(statuses[1].code, FAA_ERROR_SUCCESS);
}

/* ---- A lost device ---- */

/* The device is lost after the job: its record is in the ring, which is still mapped. */
static void lost_after_the_job(void **state)
{
	struct faa_job_status status;

	(void)state;
	fake_kernel_lose(kernel, true);
	assert_int_equal(faa_queue_run(queue, &job, FAA_NO_DEADLINE, &status), 0);
	assert_int_equal(status.seqno, 1);
	assert_int_equal(status.code, FAA_ERROR_SUCCESS);
	assert_int_equal(faa_queue_wait(queue, 1, 0), 0);
	memset(&status, 0, sizeof(status));
	assert_int_equal(faa_queue_status(queue, 1, &status), 0);
	assert_int_equal(status.seqno, 1);
	REFUSED(faa_queue_run(queue, &job, FAA_NO_DEADLINE, &status), -ENODEV,
		"the device is gone");
	assert_int_equal(status.code, FAA_JOB_NOT_SUBMITTED);
}

static void lost_before_the_job(void **state)
{
	struct faa_job_status status;

	(void)state;
	fake_kernel_hold(kernel, true);
	fake_kernel_lose(kernel, true);
	REFUSED(faa_queue_run(queue, &job, faa_deadline(1000), &status), -ENODEV,
		"job 1: device lost");
	assert_int_equal(status.seqno, 1);
	assert_int_equal(status.code, FAA_ERROR_DEVICE_LOST);
	REFUSED(faa_queue_wait(queue, 1, 0), -ENODEV, "the device is gone");
	REFUSED(faa_queue_status(queue, 1, &status), -ENODEV, "job 1: device lost");
	assert_int_equal(status.code, FAA_ERROR_DEVICE_LOST);
	fake_kernel_hold(kernel, false);
}

/* ---- Promises ---- */

static void *submit_later(void *arg)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	nanosleep(&pause, NULL);
	assert_int_equal(faa_queue_submit(arg, &job, 1, NULL), 0);
	return NULL;
}

static void too_early(void **state)
{
	struct faa_sync wait;
	struct faa_job later = job;
	struct faa_queue *other;
	uint32_t timeline, binary;
	uint64_t point = 1;
	pthread_t thread;

	(void)state;
	assert_int_equal(faa_queue_create(vm, NULL, &other), 0);
	timeline = faa_queue_syncobj(other);
	wait = (struct faa_sync){ FAA_SYNC_TIMELINE, timeline, 1 };
	later.syncs = &wait;
	later.sync_count = 1;
	REFUSED(faa_queue_submit(queue, &later, 1, NULL), -EAGAIN, "has no promise yet");
	REFUSED(faa_syncobj_wait_promised(device, &timeline, &point, 1, true, faa_deadline(1000)),
		-ETIME, "the deadline came");
	fake_kernel_hold(kernel, true);
	assert_int_equal(pthread_create(&thread, NULL, submit_later, other), 0);
	assert_int_equal(faa_syncobj_wait_promised(device, &timeline, &point, 1, true,
						   faa_deadline(10000000000)),
			 0);
	/* Promised, not signaled. */
	assert_int_equal(faa_syncobj_wait(device, &timeline, &point, 1, true, 0), -ETIME);
	assert_int_equal(pthread_join(thread, NULL), 0);
	fake_kernel_hold(kernel, false);
	assert_int_equal(faa_queue_submit(queue, &later, 1, NULL), 0);
	assert_int_equal(faa_queue_wait(queue, 1, FAA_NO_DEADLINE), 0);
	/* A binary syncobj; and one that is promised while the kernel refuses. */
	assert_int_equal(faa_syncobj_create(device, false, &binary), 0);
	wait = (struct faa_sync){ 0, binary, 0 };
	REFUSED(faa_queue_submit(queue, &later, 1, NULL), -EAGAIN, "has no promise yet");
	REFUSED(faa_syncobj_wait_promised(device, &binary, NULL, 1, true, 0), -ETIME, "deadline");
	fake_kernel_promise_late(kernel, binary);
	assert_int_equal(faa_queue_submit(queue, &later, 1, NULL), 0);
	assert_int_equal(faa_syncobj_wait_promised(device, &binary, NULL, 1, true, 0), 0);
	assert_int_equal(faa_syncobj_destroy(device, binary), 0);
	faa_queue_destroy(other);
}

/* A job may wait for a signal of an earlier job of the same call, whatever else is too early. */
static void promised_in_the_call(void **state)
{
	struct faa_sync signal, waits[3];
	struct faa_job pair[2] = { job, job };
	uint32_t timeline, never;

	(void)state;
	assert_int_equal(faa_syncobj_create(device, false, &timeline), 0);
	assert_int_equal(faa_syncobj_create(device, false, &never), 0);
	signal = (struct faa_sync){ FAA_SYNC_TIMELINE | FAA_SYNC_SIGNAL, timeline, 5 };
	waits[0] = (struct faa_sync){ FAA_SYNC_TIMELINE, timeline, 4 };
	waits[1] = (struct faa_sync){ FAA_SYNC_TIMELINE, faa_queue_syncobj(queue), 1 };
	waits[2] = (struct faa_sync){ 0, never, 0 };
	pair[0].syncs = &signal;
	pair[0].sync_count = 1;
	pair[1].syncs = waits;
	pair[1].sync_count = 3;
	REFUSED(faa_queue_submit(queue, pair, 2, NULL), -EAGAIN,
		"job 1: sync operation 2: syncobj");
	assert_int_equal(faa_syncobj_destroy(device, timeline), 0);
	assert_int_equal(faa_syncobj_destroy(device, never), 0);
}

/* ---- Forks ---- */

/* Calls that the child may not make; true if all are rejected. */
static bool child_is_refused(void)
{
	struct faa_job_status status;
	struct faa_queue_info info;
	struct faa_queue *other;
	struct faa_bo *new_bo;
	uint32_t handle;
	void *address;
	uint64_t at;
	int fd;

	return faa_queue_submit(queue, &job, 1, NULL) == -EPERM &&
	       faa_queue_run(queue, &job, 0, &status) == -EPERM &&
	       status.code == FAA_JOB_NOT_SUBMITTED && faa_queue_wait(queue, 1, 0) == -EPERM &&
	       faa_queue_status(queue, 1, &status) == -EPERM &&
	       faa_queue_info(queue, &info) == -EPERM &&
	       faa_queue_create(vm, NULL, &other) == -EPERM &&
	       faa_vm_create(device, &(struct faa_vm *){ NULL }) == -EPERM &&
	       faa_vm_map(vm, bo, 0, 0, 0, &at) == -EPERM &&
	       faa_vm_reserve(vm, PAGE, 0, &at) == -EPERM && faa_vm_unmap(vm, va, PAGE) == -EPERM &&
	       faa_vm_share_process(vm) == -EPERM &&
	       faa_bo_create(device, PAGE, 0, &new_bo) == -EPERM &&
	       faa_bo_map(bo, &address) == -EPERM && faa_bo_export(bo, &fd) == -EPERM &&
	       faa_bo_import(device, 0, &new_bo) == -EPERM &&
	       faa_syncobj_create(device, false, &handle) == -EPERM &&
	       faa_syncobj_signal(device, 1, 0) == -EPERM &&
	       faa_syncobj_destroy(device, 1) == -EPERM &&
	       faa_syncobj_wait(device, &handle, NULL, 1, true, 0) == -EPERM &&
	       strstr(faa_last_error(), "opened before a fork()");
}

/*
 * The child's own device works; objects of its parent that it releases stay in the kernel, except
 * CPU mappings.
 */
static int child(unsigned int live, unsigned int mappings)
{
	struct fake_kernel *own;
	struct faa_device *mine;
	struct faa_vm *my_vm;

	if (!child_is_refused())
		return 1;
	faa_queue_destroy(queue);
	faa_bo_unref(bo);
	faa_vm_unref(vm);
	faa_device_unref(device);
	if (fake_kernel_live(kernel) != live - mappings)
		return 2;
	own = fake_kernel_create();
	if (faa_device_open_backend(fake_kernel_open(own), &mine) || faa_vm_create(mine, &my_vm))
		return 3;
	faa_vm_unref(my_vm);
	faa_device_unref(mine);
	return 0;
}

static void child_of_a_fork(void **state)
{
	unsigned int live = fake_kernel_live(kernel);
	struct faa_job_status job_status;
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(faa_queue_run(queue, &job, FAA_NO_DEADLINE, NULL), 0);
	pid = fork();
	assert_true(pid >= 0);
	/* The BO and the status ring. */
	if (!pid)
		_exit(child(live, 2));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(faa_queue_run(queue, &job, FAA_NO_DEADLINE, &job_status), 0);
	assert_int_equal(job_status.seqno, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_error_no_sentence, setup, fixture_close),
		cmocka_unit_test_setup_teardown(library_on_top, setup, fixture_close),
		cmocka_unit_test_setup_teardown(releasing_says_nothing, setup, fixture_close),
		cmocka_unit_test_setup_teardown(each_thread_has_its_own, setup, fixture_close),
		cmocka_unit_test_setup_teardown(buffer_objects, setup, fixture_close),
		cmocka_unit_test_setup_teardown(addresses, setup, fixture_close),
		cmocka_unit_test_setup_teardown(process_memory, setup, fixture_close),
		cmocka_unit_test_setup_teardown(batches, setup, fixture_close),
		cmocka_unit_test_setup_teardown(queues, setup, fixture_close),
		cmocka_unit_test_setup_teardown(jobs, setup, fixture_close),
		cmocka_unit_test_setup_teardown(syncobjs, setup, fixture_close),
		cmocka_unit_test_setup_teardown(streams, setup, fixture_close),
		cmocka_unit_test_setup_teardown(surfaces, setup, fixture_close),
		cmocka_unit_test_setup_teardown(devices, setup, fixture_close),
		cmocka_unit_test_setup_teardown(a_device_that_is_gone, setup, fixture_close),
		cmocka_unit_test_setup_teardown(refused_or_failed, setup, fixture_close),
		cmocka_unit_test_setup_teardown(not_ended, setup, fixture_close),
		cmocka_unit_test_setup_teardown(a_group_ends_with_its_last_job, setup,
						fixture_close),
		cmocka_unit_test_setup_teardown(lost_after_the_job, setup, fixture_close),
		cmocka_unit_test_setup_teardown(lost_before_the_job, setup, fixture_close),
		cmocka_unit_test_setup_teardown(too_early, setup, fixture_close),
		cmocka_unit_test_setup_teardown(promised_in_the_call, setup, fixture_close),
		cmocka_unit_test_setup_teardown(child_of_a_fork, setup, fixture_close),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
