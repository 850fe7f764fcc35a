/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_UOBJ_H__
#define __FAA_UOBJ_H__

#include <linux/err.h>
#include <linux/stddef.h>
#include <linux/types.h>

struct drm_faa_obj_array;

int faa_uobj_set(u64 user, u32 user_size, const void *object, u32 object_size);
void *faa_uobj_get_array(const struct drm_faa_obj_array *in, u32 max_count,
			 u32 min_stride, u32 object_size, const char *name);

/**
 * FAA_UOBJ_GET_ARRAY() - copy an array of user objects
 * @in: &struct drm_faa_obj_array, not empty
 * @max_count: largest count allowed
 * @type: type of an object
 * @last: last field of the object's first version
 * @name: ioctl and field, for messages
 *
 * Return: array of @type to be freed by kvfree(), or an ERR_PTR.
 */
#define FAA_UOBJ_GET_ARRAY(in, max_count, type, last, name) \
	((type *)faa_uobj_get_array(in, max_count, offsetofend(type, last), \
				    sizeof(type), name))

#endif
