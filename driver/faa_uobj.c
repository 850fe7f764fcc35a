// SPDX-License-Identifier: GPL-2.0-only OR MIT

/**
 * DOC: Objects of user space
 *
 * Structs that may grow: queries go out cut to, or filled up to, the size that
 * the program knows; arrays come in with the stride that the program knows.
 */

#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

#include <drm/faa_drm.h>

#include <kunit/visibility.h>

#include "faa_refuse.h"
#include "faa_uobj.h"

/**
 * faa_uobj_set() - write an object to user space
 * @user: user address
 * @user_size: bytes that the program has there
 * @object: the object
 * @object_size: its size in bytes
 *
 * Writes the first @user_size bytes of @object, with zeros after its end.
 *
 * Return: 0, -EINVAL if @user_size is above DRM_FAA_MAX_QUERY_BYTES, -EFAULT.
 */
int faa_uobj_set(u64 user, u32 user_size, const void *object, u32 object_size)
{
	u32 known = min(user_size, object_size);

	if (user_size > DRM_FAA_MAX_QUERY_BYTES)
		return faa_refuse(NULL, -EINVAL, "DEV_QUERY: size %u, the largest is %u",
				  user_size, DRM_FAA_MAX_QUERY_BYTES);

	if (copy_to_user(u64_to_user_ptr(user), object, known) ||
	    clear_user(u64_to_user_ptr(user + known), user_size - known))
		return faa_refuse(NULL, -EFAULT,
				  "DEV_QUERY: pointer 0x%llx, %u bytes there cannot be written",
				  user, user_size);

	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(faa_uobj_set);

/**
 * faa_uobj_get_array() - copy an array of user objects
 * @in: where it is
 * @max_count: largest count allowed
 * @min_stride: size of the object in the first version of the interface
 * @object_size: size of the object in this kernel
 * @name: ioctl and field, for messages
 *
 * A stride below @object_size leaves the rest of each object zero.
 *
 * Return: an array to be freed by kvfree(); ERR_PTR of -EINVAL for a bad count or
 * stride, -E2BIG if an object has non-zero bytes that this kernel does not know,
 * -EFAULT, -ENOMEM.
 */
void *faa_uobj_get_array(const struct drm_faa_obj_array *in, u32 max_count,
			 u32 min_stride, u32 object_size, const char *name)
{
	void *objects;
	u64 span;
	u32 i;
	int ret;

	if (!in->count || in->count > max_count)
		return ERR_PTR(faa_refuse(NULL, -EINVAL, "%s.count %u, allowed is 1 to %u",
					  name, in->count, max_count));
	if (in->stride < min_stride || in->stride > DRM_FAA_MAX_STRIDE ||
	    in->stride % sizeof(u64))
		return ERR_PTR(faa_refuse(NULL, -EINVAL,
					  "%s.stride %u, allowed are multiples of 8 from %u to %u",
					  name, in->stride, min_stride, DRM_FAA_MAX_STRIDE));
	if (check_add_overflow(in->array, (u64)in->stride * in->count, &span))
		return ERR_PTR(faa_refuse(NULL, -EFAULT, "%s.array 0x%llx, its end wraps", name,
					  in->array));

	objects = kvcalloc(in->count, object_size, GFP_KERNEL_ACCOUNT);
	if (!objects)
		return ERR_PTR(-ENOMEM);

	for (i = 0; i < in->count; i++) {
		ret = copy_struct_from_user(objects + (size_t)i * object_size,
					    object_size,
					    u64_to_user_ptr(in->array +
							    (u64)i * in->stride),
					    in->stride);
		if (ret) {
			kvfree(objects);
			return ERR_PTR(faa_refuse(NULL, ret, "%s[%u] at 0x%llx, %s", name, i,
						  in->array + (u64)i * in->stride,
						  ret == -E2BIG ? "not 0 after what is known" :
								  "cannot be read"));
		}
	}

	return objects;
}
EXPORT_SYMBOL_IF_KUNIT(faa_uobj_get_array);
