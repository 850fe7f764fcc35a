// SPDX-License-Identifier: MIT
/*
 * Wrappers of ioctls. If the kernel logs the reason of each refused ioctl (drm.debug=2), every
 * refusal must have exactly one message; otherwise the test fails and ends.
 */
#include "faa_test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* DRM_UT_DRIVER */
#define DEBUG_DRIVER 2
#define LAST_IOCTL   (DRM_COMMAND_BASE + DRM_FAA_COUNTERS_OPEN)

/* The kernel log of this thread from here on; -1 if it is not needed or not readable. */
static __thread int log_file = -1;
static __thread pid_t log_owner;

static bool told_by_the_kernel(void)
{
	char text[16] = "";
	int file = open("/sys/module/drm/parameters/debug", O_RDONLY | O_CLOEXEC);

	if (file < 0)
		return false;
	if (read(file, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(file);
	return strtoul(text, NULL, 0) & DEBUG_DRIVER;
}

/*
 * A child opens its own log: it must not consume lines of its parent, with which it shares the
 * file.
 */
static int open_log(void)
{
	pid_t self = (pid_t)syscall(SYS_gettid);

	if (log_owner == self)
		return log_file;
	if (log_file >= 0)
		close(log_file);
	log_owner = self;
	log_file = -1;
	if (told_by_the_kernel())
		log_file = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (log_file >= 0)
		lseek(log_file, 0, SEEK_END);
	return log_file;
}

/* Lines since the last call that have @text. */
static unsigned int count_lines(int file, const char *text)
{
	char record[2048];
	unsigned int count = 0;
	ssize_t size;

	for (;;) {
		size = read(file, record, sizeof(record) - 1);
		if (size < 0 && errno == EPIPE)
			continue;
		if (size <= 0)
			return count;
		record[size] = '\0';
		if (strstr(record, text))
			count++;
	}
}

/* Errors with which the driver refuses arguments, as opposed to failures and interruptions. */
static bool is_refusal(unsigned long request, int error)
{
	unsigned int number = _IOC_NR(request);

	if (_IOC_TYPE(request) != DRM_IOCTL_BASE || number < DRM_COMMAND_BASE ||
	    number > LAST_IOCTL)
		return false;
	switch (error) {
	case -EINVAL:
	case -E2BIG:
	case -ENOENT:
	case -EBUSY:
	case -EPERM:
	case -EACCES:
	case -ENOSPC:
	case -EOPNOTSUPP:
	case -ECANCELED:
		return true;
	default:
		return false;
	}
}

/* Checks the log after an ioctl that returned @error. */
static void check_refusal(unsigned long request, int error)
{
	char comm[16] = "", expected[64];
	unsigned int count;

	prctl(PR_GET_NAME, comm);
	snprintf(expected, sizeof(expected), "%s[%d] refused, %d: ", comm, (int)log_owner, error);
	count = count_lines(log_file, expected);
	if (count == 1)
		return;
	fprintf(stderr, "# ioctl %u is refused with %d: %u messages have '%s', not 1\n",
		(unsigned int)_IOC_NR(request) - DRM_COMMAND_BASE, error, count, expected);
	_exit(1);
}

int xioctl(int fd, unsigned long request, void *arg)
{
	int log = open_log(), ret;

	if (log >= 0)
		lseek(log, 0, SEEK_END);
	do {
		ret = ioctl(fd, request, arg);
	} while (ret && (errno == EINTR || errno == EAGAIN));
	ret = ret ? -errno : 0;
	if (log >= 0 && is_refusal(request, ret))
		check_refusal(request, ret);
	return ret;
}

int xioctl_sized(int fd, unsigned long request, size_t size, void *arg)
{
	return xioctl(fd, _IOC(_IOC_DIR(request), _IOC_TYPE(request), _IOC_NR(request), size), arg);
}
