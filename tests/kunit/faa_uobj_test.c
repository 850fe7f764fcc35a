// SPDX-License-Identifier: GPL-2.0-only OR MIT

#include <kunit/test.h>

#include <linux/mman.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

#include <drm/faa_drm.h>

#include "faa_uobj.h"

/* An object whose first version ended after @b. */
struct object {
	u64 a;
	u64 b;
	u64 c;
};

/* Two pages of user memory, followed by an unmapped page. */
static u64 user_memory(struct kunit *test)
{
	unsigned long user = kunit_vm_mmap(test, NULL, 0, 2 * PAGE_SIZE, PROT_READ | PROT_WRITE,
					   MAP_ANONYMOUS | MAP_PRIVATE, 0);

	KUNIT_ASSERT_NE_MSG(test, user, 0, "no user memory");
	return user;
}

static struct object *get(const struct drm_faa_obj_array *in)
{
	return FAA_UOBJ_GET_ARRAY(in, 16, struct object, b, "TEST: objects");
}

static void put_user_words(struct kunit *test, u64 user, u64 first, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		u64 word = first + i;

		KUNIT_ASSERT_EQ(test, copy_to_user(u64_to_user_ptr(user + 8 * i), &word, 8), 0);
	}
}

static void array_of_the_same_version(struct kunit *test)
{
	struct drm_faa_obj_array in = { .stride = 24, .count = 3, .array = user_memory(test) };
	struct object *objects;

	put_user_words(test, in.array, 100, 9);
	objects = get(&in);
	KUNIT_ASSERT_FALSE(test, IS_ERR(objects));
	KUNIT_EXPECT_EQ(test, objects[0].a, 100);
	KUNIT_EXPECT_EQ(test, objects[1].b, 104);
	KUNIT_EXPECT_EQ(test, objects[2].c, 108);
	kvfree(objects);
}

static void array_of_an_older_program(struct kunit *test)
{
	struct drm_faa_obj_array in = { .stride = 16, .count = 2, .array = user_memory(test) };
	struct object *objects;

	put_user_words(test, in.array, 1, 6);
	objects = get(&in);
	KUNIT_ASSERT_FALSE(test, IS_ERR(objects));
	KUNIT_EXPECT_EQ(test, objects[1].a, 3);
	KUNIT_EXPECT_EQ(test, objects[1].b, 4);
	KUNIT_EXPECT_EQ_MSG(test, objects[1].c, 0, "a field that the program does not know");
	kvfree(objects);
}

static void array_of_a_newer_program(struct kunit *test)
{
	struct drm_faa_obj_array in = { .stride = 32, .count = 2, .array = user_memory(test) };
	u64 zero = 0;
	struct object *objects;

	put_user_words(test, in.array, 1, 8);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(get(&in)), -E2BIG);

	/* Unknown fields are accepted if they are 0. */
	KUNIT_ASSERT_EQ(test, copy_to_user(u64_to_user_ptr(in.array + 24), &zero, 8), 0);
	KUNIT_ASSERT_EQ(test, copy_to_user(u64_to_user_ptr(in.array + 56), &zero, 8), 0);
	objects = get(&in);
	KUNIT_ASSERT_FALSE(test, IS_ERR(objects));
	KUNIT_EXPECT_EQ(test, objects[1].c, 7);
	kvfree(objects);
}

static void array_arguments(struct kunit *test)
{
	const struct drm_faa_obj_array good = {
		.stride = 24, .count = 16, .array = user_memory(test)
	};
	struct drm_faa_obj_array in = good;
	struct object *objects = get(&in);

	KUNIT_ASSERT_FALSE(test, IS_ERR(objects));
	kvfree(objects);

	in.count = 17;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(get(&in)), -EINVAL);
	in.count = 0;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(get(&in)), -EINVAL);
	in = good;
	in.stride = 8;
	KUNIT_EXPECT_EQ_MSG(test, PTR_ERR_OR_ZERO(get(&in)), -EINVAL, "below the first version");
	in.stride = 20;
	KUNIT_EXPECT_EQ_MSG(test, PTR_ERR_OR_ZERO(get(&in)), -EINVAL, "no multiple of 8");
	in.stride = DRM_FAA_MAX_STRIDE + 8;
	KUNIT_EXPECT_EQ_MSG(test, PTR_ERR_OR_ZERO(get(&in)), -EINVAL, "too large");
}

static void array_addresses(struct kunit *test)
{
	struct drm_faa_obj_array in = { .stride = 24, .count = 2 };

	in.array = user_memory(test) + 2 * PAGE_SIZE - 24;
	KUNIT_EXPECT_EQ_MSG(test, PTR_ERR_OR_ZERO(get(&in)), -EFAULT, "the second is not there");
	in.array = -(u64)24;
	KUNIT_EXPECT_EQ_MSG(test, PTR_ERR_OR_ZERO(get(&in)), -EFAULT, "wraps");
	in.array = 0;
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(get(&in)), -EFAULT);
}

static u64 get_user_word(struct kunit *test, u64 user)
{
	u64 word = 0;

	KUNIT_ASSERT_EQ(test, copy_from_user(&word, u64_to_user_ptr(user), 8), 0);
	return word;
}

static void set_cuts_and_fills(struct kunit *test)
{
	const struct object object = { .a = 1, .b = 2, .c = 3 };
	u64 user = user_memory(test);

	put_user_words(test, user, 50, 6);
	KUNIT_ASSERT_EQ(test, faa_uobj_set(user, 16, &object, sizeof(object)), 0);
	KUNIT_EXPECT_EQ(test, get_user_word(test, user), 1);
	KUNIT_EXPECT_EQ(test, get_user_word(test, user + 8), 2);
	KUNIT_EXPECT_EQ_MSG(test, get_user_word(test, user + 16), 52, "after the object");

	KUNIT_ASSERT_EQ(test, faa_uobj_set(user, 40, &object, sizeof(object)), 0);
	KUNIT_EXPECT_EQ(test, get_user_word(test, user + 16), 3);
	KUNIT_EXPECT_EQ(test, get_user_word(test, user + 24), 0);
	KUNIT_EXPECT_EQ(test, get_user_word(test, user + 32), 0);
	KUNIT_EXPECT_EQ_MSG(test, get_user_word(test, user + 40), 55, "after the object");

	KUNIT_EXPECT_EQ(test, faa_uobj_set(user, 0, &object, sizeof(object)), 0);
}

static void set_refuses(struct kunit *test)
{
	const struct object object = {};
	u64 user = user_memory(test);

	KUNIT_EXPECT_EQ(test, faa_uobj_set(user, DRM_FAA_MAX_QUERY_BYTES + 1, &object,
					   sizeof(object)), -EINVAL);
	KUNIT_EXPECT_EQ_MSG(test, faa_uobj_set(user + 2 * PAGE_SIZE - 8, 24, &object,
					       sizeof(object)), -EFAULT, "the object");
	KUNIT_EXPECT_EQ_MSG(test, faa_uobj_set(user + 2 * PAGE_SIZE - 24, 32, &object,
					       sizeof(object)), -EFAULT, "the zeros");
}

static struct kunit_case faa_uobj_cases[] = {
	KUNIT_CASE(array_of_the_same_version),
	KUNIT_CASE(array_of_an_older_program),
	KUNIT_CASE(array_of_a_newer_program),
	KUNIT_CASE(array_arguments),
	KUNIT_CASE(array_addresses),
	KUNIT_CASE(set_cuts_and_fills),
	KUNIT_CASE(set_refuses),
	{}
};

static struct kunit_suite faa_uobj_suite = {
	.name = "faa_uobj",
	.test_cases = faa_uobj_cases,
};

kunit_test_suite(faa_uobj_suite);
