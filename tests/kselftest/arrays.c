// SPDX-License-Identifier: MIT
/*
 * Arrays of objects: stride, count, their product, pointers, and elements longer than those that
 * the kernel knows.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

struct long_op {
	struct drm_faa_vm_bind_op op;
	uint64_t more;
};

struct long_job {
	struct drm_faa_job job;
	uint64_t more;
};

struct long_sync {
	struct drm_faa_sync sync;
	uint64_t more;
};

FIXTURE(arrays)
{
	struct client client;
	struct long_op op;
	struct long_job job;
	struct long_sync sync;
	struct drm_faa_vm_bind bind;
	struct drm_faa_submit submit;
};

FIXTURE_SETUP(arrays)
{
	ASSERT_EQ(0, client_open(&self->client, 0));
	put_end(&self->client);
	self->op.op = (struct drm_faa_vm_bind_op){
		.op = DRM_FAA_VM_BIND_OP_UNMAP,
		.va = 0x7000000000,
		.size = PAGE,
	};
	self->bind = (struct drm_faa_vm_bind){
		.vm_id = self->client.vm,
		.ops = { .stride = sizeof(self->op.op), .count = 1, .array = (uintptr_t)&self->op },
	};
	self->sync.sync =
		(struct drm_faa_sync){ .flags = DRM_FAA_SYNC_SIGNAL, .handle = self->client.sync };
	self->job.job = (struct drm_faa_job){
		.stream_va = STREAM_VA,
		.stream_bytes = 8,
		.syncs = { .stride = sizeof(self->sync.sync),
			   .count = 1,
			   .array = (uintptr_t)&self->sync },
	};
	self->submit = (struct drm_faa_submit){
		.queue_id = self->client.queue,
		.jobs = { .stride = sizeof(self->job.job),
			  .count = 1,
			  .array = (uintptr_t)&self->job },
	};
}

FIXTURE_TEARDOWN(arrays)
{
	struct drm_faa_queue_get_state state;

	/* The queue still works after every call. */
	self->client.words = 0;
	put_end(&self->client);
	EXPECT_EQ(0, client_run(&self->client, NULL));
	EXPECT_EQ(0, queue_state(self->client.fd, self->client.queue, &state));
	EXPECT_EQ(0, state.state);
	EXPECT_EQ(0, client_close(&self->client));
}

/* The three arrays, each through its own ioctl. */
FIXTURE_VARIANT(arrays)
{
	int which;
	uint32_t limit;
};

FIXTURE_VARIANT_ADD(arrays, bind_ops){
	.which = 0,
	.limit = DRM_FAA_MAX_BIND_OPS,
};

FIXTURE_VARIANT_ADD(arrays, jobs){
	.which = 1,
	.limit = DRM_FAA_MAX_JOBS,
};

FIXTURE_VARIANT_ADD(arrays, syncs){
	.which = 2,
	.limit = DRM_FAA_MAX_SYNCS,
};

static struct drm_faa_obj_array *array(FIXTURE_DATA(arrays) *self,
				       const FIXTURE_VARIANT(arrays) *variant)
{
	struct drm_faa_obj_array *all[] = { &self->bind.ops, &self->submit.jobs,
					    &self->job.job.syncs };

	return all[variant->which];
}

static uint64_t *tail(FIXTURE_DATA(arrays) *self, const FIXTURE_VARIANT(arrays) *variant)
{
	uint64_t *all[] = { &self->op.more, &self->job.more, &self->sync.more };

	return all[variant->which];
}

static int call(FIXTURE_DATA(arrays) *self, const FIXTURE_VARIANT(arrays) *variant)
{
	if (variant->which == 0)
		return xioctl(self->client.fd, DRM_IOCTL_FAA_VM_BIND, &self->bind);
	return xioctl(self->client.fd, DRM_IOCTL_FAA_SUBMIT, &self->submit);
}

TEST_F(arrays, strides)
{
	struct drm_faa_obj_array *a = array(self, variant);
	const uint32_t good = a->stride;
	const uint32_t bad[] = { 0,
				 1,
				 8,
				 good - 8,
				 good - 1,
				 good + 1,
				 good + 4,
				 DRM_FAA_MAX_STRIDE + 8,
				 1u << 16,
				 1u << 31,
				 UINT32_MAX - 7,
				 UINT32_MAX };

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		a->stride = bad[i];
		EXPECT_EQ(-EINVAL, call(self, variant))
		{
			TH_LOG("stride %u", bad[i]);
		}
	}
	a->stride = good;
	EXPECT_EQ(0, call(self, variant));
}

TEST_F(arrays, longer_elements)
{
	struct drm_faa_obj_array *a = array(self, variant);

	a->stride += 8;
	*tail(self, variant) = 0;
	EXPECT_EQ(0, call(self, variant));
	*tail(self, variant) = 1ull << 63;
	EXPECT_EQ(-E2BIG, call(self, variant));
	*tail(self, variant) = 0;
}

TEST_F(arrays, counts)
{
	struct drm_faa_obj_array *a = array(self, variant);
	const uint32_t bad[] = { variant->limit + 1, 1u << 16, 1u << 27,
				 1u << 29,	     1u << 31, UINT32_MAX };

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		a->count = bad[i];
		EXPECT_EQ(-EINVAL, call(self, variant))
		{
			TH_LOG("count %u", bad[i]);
		}
		/* The product overflows 32 bits. */
		const uint32_t stride = a->stride;

		a->stride = DRM_FAA_MAX_STRIDE;
		EXPECT_EQ(-EINVAL, call(self, variant));
		a->stride = stride;
	}
	a->count = 0;
	a->stride = 0;
	a->array = 0;
	/* Only the array of a job, its syncs, may be empty. */
	EXPECT_EQ(variant->which == 2 ? 0 : -EINVAL, call(self, variant));
}

TEST_F(arrays, pointers)
{
	struct drm_faa_obj_array *a = array(self, variant);
	uint8_t *page =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const uint32_t size = a->stride;
	void *good = (void *)(uintptr_t)a->array;

	ASSERT_NE(MAP_FAILED, (void *)page);
	ASSERT_EQ(0, munmap(page + PAGE, PAGE));
	const uint64_t bad[] = { 0,
				 8,
				 UINT64_MAX,
				 UINT64_MAX << 12,
				 1ull << 63,
				 0xffff800000000000,
				 (uintptr_t)page + PAGE - 8,
				 (uintptr_t)page + PAGE - size + 1 };

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		a->array = bad[i];
		EXPECT_EQ(-EFAULT, call(self, variant))
		{
			TH_LOG("array at %#llx", (unsigned long long)bad[i]);
		}
	}
	/* An array that ends with its mapping is good. */
	memcpy(page + PAGE - size, good, size);
	a->array = (uintptr_t)page + PAGE - size;
	EXPECT_EQ(0, call(self, variant));
	/* The second element is missing: the call must not have applied the first one. */
	a->count = 2;
	EXPECT_EQ(-EFAULT, call(self, variant));
	munmap(page, PAGE);
}

TEST_HARNESS_MAIN
