// SPDX-License-Identifier: MIT
/* The calls of a program: the driver's ioctls, those of DRM, and system calls around them. */
#include "fuzz.h"

#include <drm/drm.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faa_test.h"

/* /proc/self/fail-nth, and whether an operation of the next call shall fail. */
static int call_fail_file;
static bool call_armed;
/* The failure of the hardware that this program has armed, and the device's minor. */
static const char *call_fault;
static int call_minor;

/* The result of a call that returns -1 in case of an error. */
static int call_result(long ret)
{
	return ret < 0 ? -errno : (int)ret;
}

static void call_print(FILE *out, const char *name, int ret)
{
	if (out)
		fprintf(out, "%s = %d\n", name, ret);
}

/* New objects of an ioctl, from the fields that the kernel has written. */
static void call_collect(const struct fuzz_struct *type, const uint8_t *argument)
{
	unsigned int i;
	uint32_t name;

	for (i = 0; i < type->count; i++) {
		const struct fuzz_field *field = &type->fields[i];

		if (!field->out || field->kind < FUZZ_VM)
			continue;
		memcpy(&name, argument + field->offset, sizeof(name));
		fuzz_add(field->kind, name);
	}
}

static void call_print_fields(FILE *out, const struct fuzz_ioctl *call, const uint8_t *argument)
{
	const struct fuzz_struct *type = &fuzz_structs[call->argument];
	unsigned int i;

	fprintf(out, "%s(", call->name);
	for (i = 0; i < type->count; i++) {
		const struct fuzz_field *field = &type->fields[i];
		struct drm_faa_obj_array array;
		uint64_t value = 0;

		memcpy(&value, argument + field->offset, field->size < 8 ? field->size : 8);
		memcpy(&array, argument + field->offset,
		       field->kind == FUZZ_ARRAY ? sizeof(array) : 0);
		if (field->kind == FUZZ_ARRAY)
			fprintf(out, "%s%s=%u x %u", i ? ", " : "", field->name, array.count,
				array.stride);
		else
			fprintf(out, "%s%s=%#llx", i ? ", " : "", field->name,
				(unsigned long long)value);
	}
	fprintf(out, ")");
}

static void call_driver(struct fuzz_choices *choices, const struct fuzz_ioctl *call, FILE *out)
{
	const struct fuzz_struct *type = &fuzz_structs[call->argument];
	uint8_t choice = fuzz_choose(choices);
	uint8_t *argument = fuzz_scratch(PAGE);
	unsigned long request = call->request;
	int ret;

	if (!argument)
		return;
	fuzz_fill(choices, type, argument);
	/* A shorter or longer argument, as from a program of another version. */
	if (choice >= 248)
		request = _IOC(_IOC_READ | _IOC_WRITE, _IOC_TYPE(request), _IOC_NR(request),
			       type->size + (choice - 251) * 8);
	if (out)
		call_print_fields(out, call, argument);
	if (choice == 247)
		argument = (uint8_t *)memcpy(fuzz_torn(8), argument, 8);
	ret = call_result(ioctl(fuzz_fd(), request, argument));
	if (!ret && choice < 247)
		call_collect(type, argument);
	call_print(out, "", ret);
}

static int call_gem_close(struct fuzz_choices *choices)
{
	return bo_close(fuzz_fd(), fuzz_pick(FUZZ_BO, fuzz_choose(choices)));
}

static int call_export(struct fuzz_choices *choices)
{
	int fd, ret = prime_export(fuzz_fd(), fuzz_pick(FUZZ_BO, fuzz_choose(choices)), &fd);

	if (!ret)
		fuzz_add(FUZZ_FD, fd);
	return ret;
}

/* Into the other file, too: an object then has handles of both. */
static int call_import(struct fuzz_choices *choices)
{
	int fd = fuzz_pick(FUZZ_FD, fuzz_choose(choices));
	uint32_t handle;
	int ret;

	if (fuzz_choose(choices) & 1)
		fuzz_switch(false);
	ret = fd ? prime_import(fuzz_fd(), fd, &handle) : -EBADF;
	if (!ret)
		fuzz_add(FUZZ_BO, handle);
	return ret;
}

static int call_syncobj_create(struct fuzz_choices *choices)
{
	struct drm_syncobj_create args = { .flags = fuzz_choose(choices) & 1 };
	int ret = call_result(ioctl(fuzz_fd(), DRM_IOCTL_SYNCOBJ_CREATE, &args));

	if (!ret)
		fuzz_add(FUZZ_SYNCOBJ, args.handle);
	return ret;
}

static int call_syncobj_destroy(struct fuzz_choices *choices)
{
	struct drm_syncobj_destroy args = { fuzz_pick(FUZZ_SYNCOBJ, fuzz_choose(choices)), 0 };

	return call_result(ioctl(fuzz_fd(), DRM_IOCTL_SYNCOBJ_DESTROY, &args));
}

/* At most 20 ms: most waits of a program are for a fence that never comes. */
static int call_syncobj_wait(struct fuzz_choices *choices)
{
	uint32_t handle = fuzz_pick(FUZZ_SYNCOBJ, fuzz_choose(choices));
	uint64_t point = fuzz_choose(choices) % 8;
	struct drm_syncobj_timeline_wait args = { .handles = (uintptr_t)&handle,
						  .points = (uintptr_t)&point,
						  .count_handles = 1,
						  .flags = fuzz_choose(choices) % 8 };
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	args.timeout_nsec =
		now.tv_sec * 1000000000ll + now.tv_nsec + (fuzz_choose(choices) & 1) * 20000000ll;
	return call_result(ioctl(fuzz_fd(), DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &args));
}

static int call_syncobj_signal(struct fuzz_choices *choices)
{
	uint32_t handle = fuzz_pick(FUZZ_SYNCOBJ, fuzz_choose(choices));
	uint64_t point = fuzz_choose(choices) % 8;
	struct drm_syncobj_timeline_array line = { .handles = (uintptr_t)&handle,
						   .points = (uintptr_t)&point,
						   .count_handles = 1 };
	struct drm_syncobj_array binary = { .handles = (uintptr_t)&handle, .count_handles = 1 };

	if (!point)
		return call_result(ioctl(fuzz_fd(),
					 fuzz_choose(choices) & 1 ? DRM_IOCTL_SYNCOBJ_SIGNAL :
								    DRM_IOCTL_SYNCOBJ_RESET,
					 &binary));
	return call_result(ioctl(fuzz_fd(), DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &line));
}

static int call_syncobj_transfer(struct fuzz_choices *choices)
{
	struct drm_syncobj_transfer args = {
		.src_handle = fuzz_pick(FUZZ_SYNCOBJ, fuzz_choose(choices)),
		.dst_handle = fuzz_pick(FUZZ_SYNCOBJ, fuzz_choose(choices)),
		.src_point = fuzz_choose(choices) % 8,
		.dst_point = fuzz_choose(choices) % 8,
	};

	return call_result(ioctl(fuzz_fd(), DRM_IOCTL_SYNCOBJ_TRANSFER, &args));
}

/* A mapping of a BO, accessed and removed again. The pages may be gone: read(2) has no SIGBUS. */
static int call_mmap(struct fuzz_choices *choices)
{
	struct drm_faa_bo_mmap_offset args = { .handle = fuzz_pick(FUZZ_BO, fuzz_choose(choices)) };
	size_t size = (1 + fuzz_choose(choices) % 32) * (size_t)PAGE;
	int ret = call_result(ioctl(fuzz_fd(), DRM_IOCTL_FAA_BO_MMAP_OFFSET, &args));
	int zero;
	void *at;

	if (ret)
		return ret;
	at = mmap(NULL, size, fuzz_choose(choices) % 4, MAP_SHARED, fuzz_fd(), args.offset);
	if (at == MAP_FAILED)
		return -errno;
	zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	ret = call_result(read(zero, at, size));
	close(zero);
	munmap(at, size);
	return ret;
}

static int call_stream(struct fuzz_choices *choices)
{
	unsigned int slot = fuzz_choose(choices) % (FUZZ_STREAM_BYTES / FUZZ_SLOT_BYTES);

	fuzz_stream(choices, fuzz_streams() + slot * FUZZ_SLOT_BYTES / 8);
	return 0;
}

/* Changes of the memory that MAP_USERPTR maps. */
static int call_memory(struct fuzz_choices *choices)
{
	uint8_t *at = fuzz_memory() + fuzz_choose(choices) % (FUZZ_MEMORY_BYTES / PAGE) * PAGE;
	size_t size = (1 + fuzz_choose(choices) % 16) * (size_t)PAGE;
	size_t room = fuzz_memory() + FUZZ_MEMORY_BYTES - at;
	uint8_t choice = fuzz_choose(choices);

	size = size < room ? size : room;
	switch (choice % 5) {
	case 0:
		return call_result(madvise(at, size, choice & 8 ? MADV_DONTNEED : MADV_COLD));
	case 1:
		return call_result(mprotect(at, size, choice >> 3 & 3));
	case 2:
		return call_result(munmap(at, size));
	case 3:
		return mmap(at, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED ?
			       -errno :
			       0;
	}
	return mremap(at, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, fuzz_memory()) == MAP_FAILED ?
		       -errno :
		       0;
}

static int call_fd(struct fuzz_choices *choices)
{
	int fd = fuzz_pick(FUZZ_FD, fuzz_choose(choices));
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN | POLLOUT };
	uint8_t *buffer = fuzz_scratch(2 * PAGE);

	if (!fd || !buffer)
		return -EBADF;
	switch (fuzz_choose(choices) % 4) {
	case 0:
		return call_result(poll(&poll_fd, 1, 1));
	case 1:
		fcntl(fd, F_SETFL, O_NONBLOCK);
		return call_result(read(fd, buffer, fuzz_choose(choices) * 32));
	case 2:
		return call_result(lseek(fd, 0, SEEK_END));
	}
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return call_result(read(fd, fuzz_torn(16), 2 * PAGE));
}

/* A child inherits the files, does a call and ends. */
static int call_fork(struct fuzz_choices *choices)
{
	uint32_t queue = fuzz_pick(FUZZ_QUEUE, fuzz_choose(choices));
	pid_t child = fork();
	int status = 0;

	if (child < 0)
		return -errno;
	if (!child) {
		struct drm_faa_queue_get_state state = { .queue_id = queue };

		ioctl(fuzz_fd(), DRM_IOCTL_FAA_QUEUE_GET_STATE, &state);
		fuzz_memory()[0] = 1;
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

static int call_switch(struct fuzz_choices *choices)
{
	fuzz_switch(fuzz_choose(choices) >= 192);
	return fuzz_fd() < 0 ? fuzz_fd() : 0;
}

/* The n-th memory allocation or copy of the next call fails. */
static int call_fail(struct fuzz_choices *choices)
{
	return fail_nth(call_fail_file, 1 + fuzz_choose(choices) % 48);
}

/*
 * The next wait of the driver for the device, or the next DMA address, fails: the ladder of resets
 * answers. A program has one such failure at a time, because several at once lose the device.
 */
static int call_device_fault(struct fuzz_choices *choices)
{
	static const char *const names[] = { "dma_map", "kill",		"cu_reset", "disable",
					     "tlb_inv", "device_reset", "flr" };
	int ret = 0;

	if (call_fault)
		ret = fault_set(call_minor, call_fault, "probability", "0");
	call_fault = names[fuzz_choose(choices) % (sizeof(names) / sizeof(names[0]))];
	return ret ? ret : fault_arm(call_minor, call_fault, "1");
}

/* More entries of a call make it more frequent. */
static const struct {
	const char *name;
	int (*call)(struct fuzz_choices *choices);
} calls[] = {
	{ "stream", call_stream },
	{ "stream", call_stream },
	{ "GEM_CLOSE", call_gem_close },
	{ "PRIME_HANDLE_TO_FD", call_export },
	{ "PRIME_FD_TO_HANDLE", call_import },
	{ "device-fault", call_device_fault },
	{ "SYNCOBJ_CREATE", call_syncobj_create },
	{ "SYNCOBJ_DESTROY", call_syncobj_destroy },
	{ "SYNCOBJ_WAIT", call_syncobj_wait },
	{ "SYNCOBJ_SIGNAL", call_syncobj_signal },
	{ "SYNCOBJ_TRANSFER", call_syncobj_transfer },
	{ "mmap", call_mmap },
	{ "memory", call_memory },
	{ "fd", call_fd },
	{ "fork", call_fork },
	{ "switch", call_switch },
	{ "fail-nth", call_fail },
	{ "fail-nth", call_fail },
};

#define CALLS (sizeof(calls) / sizeof(calls[0]))

int fuzz_call_open(void)
{
	int fd, ret = fail_prepare();

	if (ret)
		return ret;
	fd = faa_open();
	if (fd < 0)
		return fd;
	call_minor = drm_minor(fd);
	close(fd);
	if (call_minor < 0)
		return call_minor;
	call_fail_file = open("/proc/self/fail-nth", O_RDWR | O_CLOEXEC);
	return call_fail_file < 0 ? -errno : 0;
}

void fuzz_call_end(void)
{
	if (call_armed)
		fail_nth(call_fail_file, 0);
	call_armed = false;
}

void fuzz_call_close(void)
{
	if (call_fault)
		fault_set(call_minor, call_fault, "probability", "0");
	call_fault = NULL;
}

void fuzz_call(const uint8_t *block, FILE *out)
{
	struct fuzz_choices choices = { .block = block, .at = 1 };
	unsigned int which = block[0] % (2 * fuzz_ioctl_count + CALLS);
	bool disarm = call_armed;
	int ret;

	call_armed = false;
	if (which < 2 * fuzz_ioctl_count) {
		call_driver(&choices, &fuzz_ioctls[which / 2], out);
	} else {
		which -= 2 * fuzz_ioctl_count;
		ret = calls[which].call(&choices);
		call_armed = calls[which].call == call_fail;
		call_print(out, calls[which].name, ret);
	}
	if (disarm && !call_armed)
		fail_nth(call_fail_file, 0);
}
