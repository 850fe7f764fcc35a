/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef __FAA_REFUSE_H__
#define __FAA_REFUSE_H__

#include <linux/sched.h>

#include <drm/drm_device.h>
#include <drm/drm_print.h>

/**
 * faa_refuse() - tell why an ioctl is refused
 * @drm: the device, NULL where a check does not know it
 * @error: negative errno that the ioctl returns
 * @fmt: "IOCTL: field, its value, what is allowed", without the end of the line
 *
 * One line, under drm.debug=2 alone, so programs cannot fill the log.
 *
 * Return: @error.
 */
#define faa_refuse(drm, error, fmt, ...) ({					\
	const struct drm_device *__refuse_drm = (drm);				\
	const int __refuse_error = (error);					\
										\
	drm_dbg_driver(__refuse_drm, "%s[%d] refused, %d: " fmt "\n", current->comm,	\
		       task_pid_nr(current), __refuse_error, ##__VA_ARGS__);	\
	__refuse_error;								\
})

#endif
