// SPDX-License-Identifier: MIT
/*
 * The library's access to the kernel, through system calls that this program replaces: interrupted
 * calls, failures in the middle, and the search for the render node.
 */
#include "check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <xf86drm.h>

#include "device.h"

/* Faults of the next calls; counted down. */
static unsigned int interrupts;
static int version_error, mmap_error, prime_fd;
static const char *driver;
static unsigned int ioctls;

/* libdrm and the library call this function: the program's symbol has precedence. */
int ioctl(int fd, unsigned long request, ...)
{
	struct drm_version *version;
	struct drm_prime_handle *prime;
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	ioctls++;
	if (interrupts) {
		interrupts--;
		errno = ioctls % 2 ? EINTR : EAGAIN;
		return -1;
	}
	switch (request) {
	case DRM_IOCTL_VERSION:
		version = arg;
		if (version_error) {
			errno = version_error;
			return -1;
		}
		if (version->name_len)
			strncpy(version->name, driver, version->name_len);
		version->name_len = strlen(driver);
		return 0;
	case DRM_IOCTL_PRIME_HANDLE_TO_FD:
		prime = arg;
		prime_fd = prime->fd = memfd_create("dma-buf", 0);
		return 0;
	case DRM_IOCTL_FAA_DEV_QUERY:
		((struct drm_faa_device_info *)(uintptr_t)((struct drm_faa_dev_query *)arg)->pointer)
			->version_major = 2;
		return 0;
	default:
		return (int)syscall(SYS_ioctl, fd, request, arg);
	}
}

void *mmap(void *address, size_t size, int prot, int flags, int fd, off_t offset)
{
	if (mmap_error) {
		errno = mmap_error;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, address, size, prot, flags, fd, offset);
}

static struct faa_backend *backend;

static int setup(void **state)
{
	(void)state;
	interrupts = ioctls = 0;
	version_error = mmap_error = 0;
	driver = "faa";
	return faa_backend_kernel(memfd_create("node", 0), &backend);
}

static int teardown(void **state)
{
	(void)state;
	backend->ops->close(backend);
	return 0;
}

/* A signal arrives during a system call: the call is repeated. */
static void interrupted_calls_are_repeated(void **state)
{
	struct drm_faa_device_info info = { 0 };
	struct drm_faa_dev_query query = { .pointer = (uintptr_t)&info, .size = sizeof(info) };

	(void)state;
	interrupts = 3;
	assert_int_equal(backend->ops->ioctl(backend, DRM_IOCTL_FAA_DEV_QUERY, &query), 0);
	assert_int_equal(ioctls, 4);
	assert_int_equal(info.version_major, 2);
}

static void a_failed_map_keeps_no_descriptor(void **state)
{
	void *address;

	(void)state;
	mmap_error = ENOMEM;
	assert_int_equal(backend->ops->map_dmabuf(backend, 1, 4096, &address), -ENOMEM);
	mmap_error = 0;
	assert_int_equal(fcntl(prime_fd, F_GETFD), -1);
	assert_int_equal(errno, EBADF);
}

/* ---- The search for the render node ---- */

static char directory[] = "/tmp/faa-backend-XXXXXX";

static void make_node(const char *name)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_CREAT | O_RDWR, 0600);
	assert_true(fd >= 0);
	close(fd);
}

static int make_directory(void **state)
{
	assert_non_null(mkdtemp(directory));
	make_node("card0");
	make_node("renderD129");
	make_node("renderD128");
	return setup(state);
}

static int remove_directory(void **state)
{
	static const char *const names[] = { "card0", "renderD128", "renderD129" };
	char path[64];
	size_t i;

	for (i = 0; i < COUNT(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		unlink(path);
	}
	rmdir(directory);
	memcpy(directory + strlen(directory) - 6, "XXXXXX", 6);
	return teardown(state);
}

/* @device is that of @node; releases it. */
static void expect_node(struct faa_device *device, const char *node)
{
	char link[64], path[128] = "", expected[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", faa_device_fd(device));
	assert_true(readlink(link, path, sizeof(path) - 1) > 0);
	snprintf(expected, sizeof(expected), "%s/%s", directory, node);
	assert_string_equal(path, expected);
	faa_device_unref(device);
}

static void the_first_node_is_opened(void **state)
{
	struct faa_device *device;

	(void)state;
	assert_int_equal(faa_device_open_in(directory, &device), 0);
	expect_node(device, "renderD128");
}

/* The lowest free descriptor. */
static int free_descriptor(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

static void nodes_have_indices(void **state)
{
	struct faa_device *device;
	int first = free_descriptor();

	(void)state;
	assert_int_equal(faa_device_count_in(directory), 2);
	assert_int_equal(faa_device_open_index_in(directory, 0, &device), 0);
	expect_node(device, "renderD128");
	assert_int_equal(faa_device_open_index_in(directory, 1, &device), 0);
	expect_node(device, "renderD129");
	assert_int_equal(faa_device_open_index_in(directory, 2, &device), -ENODEV);
	assert_null(device);
	assert_non_null(strstr(faa_last_error(), "no faa device 2: "));
	assert_non_null(strstr(faa_last_error(), " has 2, counted from 0"));
	assert_int_equal(faa_device_open_index_in(directory, UINT32_MAX, &device), -ENODEV);
	/* The search has closed all nodes. */
	assert_int_equal(free_descriptor(), first);
	driver = "i915";
	assert_int_equal(faa_device_count_in(directory), 0);
	driver = "faa";
	version_error = EACCES;
	assert_int_equal(faa_device_count_in(directory), -EACCES);
	assert_non_null(strstr(faa_last_error(), "/renderD128: asking for its driver"));
	assert_int_equal(faa_device_count_in("/nonexistent"), 0);
	assert_int_equal(faa_device_count_in("/proc/self/maps"), -ENOTDIR);
}

/*
 * No node, one of another driver, or no DRM node at all: no device. Missing memory or permissions
 * are reported.
 */
static void what_is_missing_is_named(void **state)
{
	static const struct {
		const char *driver;
		int version_error, error;
		const char *text;
	} cases[] = {
		{ "i915", 0, -ENODEV, "`faa-run PROGRAM' runs a program on a simulated device" },
		{ "faa2", 0, -ENODEV, "there is no faa render node" },
		{ "faa", ENOTTY, -ENODEV, "there is no faa render node" },
		{ "faa", ENOMEM, -ENOMEM,
		  "/renderD128: asking for its driver: Cannot allocate memory" },
		{ "faa", EACCES, -EACCES, "/renderD128: asking for its driver: Permission denied" },
	};
	struct faa_device *device;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		driver = cases[i].driver;
		version_error = cases[i].version_error;
		assert_int_equal(faa_device_open_in(directory, &device), cases[i].error);
		assert_null(device);
		assert_non_null(strstr(faa_last_error(), cases[i].text));
	}
	assert_int_equal(faa_device_open_in("/nonexistent", &device), -ENODEV);
}

static void no_descriptor_left(void **state)
{
	struct rlimit before, none = { 0, 0 };
	struct faa_device *device;
	int ret;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none.rlim_max = before.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	ret = faa_device_open(&device);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(ret, -EMFILE);
	assert_null(device);
	assert_non_null(strstr(faa_last_error(), "/dev/dri: Too many open files"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(interrupted_calls_are_repeated, setup, teardown),
		cmocka_unit_test_setup_teardown(a_failed_map_keeps_no_descriptor, setup, teardown),
		cmocka_unit_test_setup_teardown(the_first_node_is_opened, make_directory,
						remove_directory),
		cmocka_unit_test_setup_teardown(nodes_have_indices, make_directory,
						remove_directory),
		cmocka_unit_test_setup_teardown(what_is_missing_is_named, make_directory,
						remove_directory),
		cmocka_unit_test_setup_teardown(no_descriptor_left, setup, teardown),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
