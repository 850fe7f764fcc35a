/* SPDX-License-Identifier: MIT */
/* What one client may take of the device and of the machine, so that every other client gets its share. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "faa_test.h"

FIXTURE(limits)
{
	int fd;
	struct drm_faa_device_info info;
};

FIXTURE_SETUP(limits)
{
	self->fd = faa_open();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, device_info(self->fd, &self->info));
}

FIXTURE_TEARDOWN(limits)
{
	close(self->fd);
}

/* Run @test in a child that has no privilege any more. Returns what it returns, at most 255 in magnitude. */
static int as_nobody(int (*test)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (setgid(65534) || setuid(65534))
			_exit(99);
		_exit(-test());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

/* A DRM master with a file of its own; the parent has opened the path up. */
static int high_priority_as_master(void)
{
	struct drm_faa_queue_create queue = { .priority = DRM_FAA_PRIORITY_REALTIME };
	int fd = -1, ret;

	for (unsigned int i = 0; i < 16 && fd < 0; i++) {
		struct drm_version version = { 0 };
		char path[64], name[32] = "";

		snprintf(path, sizeof(path), "/dev/dri/card%u", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		version.name = name;
		version.name_len = sizeof(name) - 1;
		if (fd >= 0 && (xioctl(fd, DRM_IOCTL_VERSION, &version) || strcmp(name, "faa"))) {
			close(fd);
			fd = -1;
		}
	}
	if (fd < 0)
		return -ENXIO;
	/* The first to open a primary node is master; only a master may say so again. */
	if (ioctl(fd, DRM_IOCTL_SET_MASTER, 0))
		return -ESRCH;
	ret = vm_create(fd, &queue.vm_id);
	return ret ? ret : xioctl(fd, DRM_IOCTL_FAA_QUEUE_CREATE, &queue);
}

TEST_F(limits, a_drm_master_has_no_higher_priority)
{
	for (unsigned int i = 0; i < 16; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/dev/dri/card%u", i);
		(void)!chmod(path, 0666);
	}
	EXPECT_EQ(-EACCES, as_nobody(high_priority_as_master));
}

TEST_HARNESS_MAIN
