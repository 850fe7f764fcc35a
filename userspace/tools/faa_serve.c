// SPDX-License-Identifier: MIT
/*
 * faa-serve: the guest's side of a device that the library has started
 * (faa_device_open_simulated()). Reads requests from standard input and writes answers to standard
 * output, as in remote.h. Exits at the end of its input.
 */
#include "faa_serve.h"
#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

#include <drm/faa_drm.h>

const char *argp_program_version = "faa-serve " FAA_VERSION_TEXT;

static const char serve_doc[] =
	"Serve the faa device of this machine to a program of another one. The library starts it inside faa-run; not for use by hand.";

/* An error that has no answer ends the guest: the library then finds its pipe closed. */
static void __attribute__((noreturn)) serve_fail(const char *action, int error)
{
	fprintf(stderr, "faa-serve: %s: %s\n", action, strerror(-error));
	exit(EXIT_FAILURE);
}

/*
 * Sets the pointers of an ioctl's structure to the data after it; false if there is too little
 * data.
 */
static bool serve_unpack(unsigned long request, char *data, uint64_t bytes)
{
	struct faa_remote_pointer pointers[FAA_REMOTE_POINTERS];
	uint64_t used = _IOC_SIZE(request);
	unsigned int count, i;

	if (used > bytes)
		return false;
	count = faa_remote_pointers(request, data, pointers);
	for (i = 0; i < count; i++) {
		if (pointers[i].bytes > bytes - used)
			return false;
		/* An array without elements has no address. */
		if (pointers[i].bytes)
			*pointers[i].member = (uintptr_t)data + used;
		used += pointers[i].bytes;
	}
	if (request == DRM_IOCTL_FAA_SUBMIT) {
		struct drm_faa_submit *submit = (void *)data;
		struct drm_faa_job *jobs = (void *)(uintptr_t)submit->jobs.array;

		if (submit->jobs.stride != sizeof(*jobs))
			return false;
		for (i = 0; i < submit->jobs.count; i++) {
			uint64_t size = (uint64_t)jobs[i].syncs.stride * jobs[i].syncs.count;

			if (size > bytes - used)
				return false;
			if (size)
				jobs[i].syncs.array = (uintptr_t)data + used;
			used += size;
		}
	}
	return true;
}

/* BOs of the library are memory of this process. */
static int serve_bind(struct serve *serve, struct drm_faa_vm_bind *bind)
{
	struct drm_faa_vm_bind_op *ops = (void *)(uintptr_t)bind->ops.array;

	if (bind->ops.count && bind->ops.stride != sizeof(*ops))
		return -EINVAL;
	for (uint32_t i = 0; i < bind->ops.count; i++) {
		const struct serve_memory *memory;

		if (ops[i].op != DRM_FAA_VM_BIND_OP_MAP)
			continue;
		memory = serve_find(serve, ops[i].handle);
		if (!memory)
			return -ENOENT;
		if (ops[i].size > memory->bytes || ops[i].bo_offset > memory->bytes - ops[i].size)
			return -EINVAL;
		ops[i].op = DRM_FAA_VM_BIND_OP_MAP_USERPTR;
		ops[i].userptr = (uintptr_t)memory->address + ops[i].bo_offset;
		ops[i].handle = 0;
		ops[i].bo_offset = 0;
	}
	return serve->backend->ops->ioctl(serve->backend, DRM_IOCTL_FAA_VM_BIND, bind);
}

static int serve_ioctl(struct serve *serve, const struct faa_remote_request *request, char *data)
{
	struct drm_faa_queue_create *created = (void *)data;
	unsigned long number = request->arg[0];
	int ret;

	if (!serve_unpack(number, data, request->bytes))
		serve_fail("an ioctl that is cut off", -EPROTO);
	if (number == DRM_IOCTL_FAA_VM_BIND)
		return serve_bind(serve, (void *)data);
	ret = serve->backend->ops->ioctl(serve->backend, number, data);
	if (!ret && number == DRM_IOCTL_FAA_QUEUE_CREATE)
		ret = serve_add_ring(serve, created->status_handle,
				     (uint64_t)created->status_entries *
					     sizeof(struct drm_faa_status));
	return ret;
}

static int serve_wait(struct serve *serve, const struct faa_remote_request *request, char *data)
{
	const struct faa_backend_ops *ops = serve->backend->ops;
	uint64_t count = request->arg[0], flags = request->arg[1];
	const uint64_t *points = flags & FAA_REMOTE_WAIT_POINTS ? (void *)data : NULL;
	uint64_t point_bytes = points ? count * sizeof(*points) : 0;
	const uint32_t *handles = (void *)(data + point_bytes);
	bool all = flags & FAA_REMOTE_WAIT_ALL;

	if (count > FAA_REMOTE_MAX_BYTES / 16 ||
	    request->bytes != point_bytes + count * sizeof(*handles))
		serve_fail("a wait that is cut off", -EPROTO);
	return (flags & FAA_REMOTE_WAIT_PROMISED ? ops->syncobj_wait_promised : ops->syncobj_wait)(
		serve->backend, handles, points, (uint32_t)count, all,
		faa_deadline((int64_t)request->arg[2]));
}

static int serve_hello(struct serve *serve, struct faa_remote_answer *answer)
{
	uint32_t handle;
	int ret = serve_create(serve, 4096, &handle);
	struct serve_memory *memory;
	struct faa_remote_run *runs;
	uint64_t count;

	if (ret)
		return ret;
	memory = serve_find(serve, handle);
	if (getrandom(memory->address, 8, 0) != 8)
		return -EIO;
	ret = serve_pages(memory, &runs, &count);
	if (ret)
		return ret;
	answer->value[0] = FAA_REMOTE_VERSION;
	answer->value[1] = *(uint64_t *)memory->address;
	answer->value[2] = runs[0].address;
	free(runs);
	return 0;
}

static int serve_syncobj(struct serve *serve, const struct faa_remote_request *request,
			 uint64_t *value)
{
	const struct faa_backend_ops *ops = serve->backend->ops;
	const uint64_t *arg = request->arg;
	uint32_t handle = 0, first = (uint32_t)arg[0];
	int ret;

	switch (request->op) {
	case FAA_REMOTE_SYNCOBJ_CREATE:
		ret = ops->syncobj_create(serve->backend, arg[0], &handle);
		break;
	case FAA_REMOTE_SYNCOBJ_DUP:
		ret = ops->syncobj_dup(serve->backend, first, &handle);
		break;
	case FAA_REMOTE_SYNCOBJ_DESTROY:
		return ops->syncobj_destroy(serve->backend, first);
	case FAA_REMOTE_SYNCOBJ_SIGNAL:
		return ops->syncobj_signal(serve->backend, first, arg[1]);
	case FAA_REMOTE_SYNCOBJ_QUERY:
		return ops->syncobj_query(serve->backend, first, value);
	case FAA_REMOTE_SYNCOBJ_RESET:
		return ops->syncobj_reset(serve->backend, first);
	case FAA_REMOTE_SYNCOBJ_TRANSFER:
		return ops->syncobj_transfer(serve->backend, first, arg[1], (uint32_t)arg[2],
					     arg[3]);
	default:
		return -ENOSYS;
	}
	*value = handle;
	return ret;
}

/* @out: data of the answer, in @data or allocated. */
static int serve_execute(struct serve *serve, const struct faa_remote_request *request, char *data,
			 struct faa_remote_answer *answer, void **out)
{
	struct faa_remote_run *runs = NULL;
	uint64_t count = 0;
	uint32_t handle = 0;
	int ret;

	switch (request->op) {
	case FAA_REMOTE_HELLO:
		return serve_hello(serve, answer);
	case FAA_REMOTE_IOCTL:
		ret = serve_ioctl(serve, request, data);
		*out = data;
		answer->bytes = request->bytes;
		return ret;
	case FAA_REMOTE_BO_CREATE:
		ret = serve_create(serve, request->arg[0], &handle);
		answer->value[0] = handle;
		return ret;
	case FAA_REMOTE_PAGES:
		if (!serve_find(serve, (uint32_t)request->arg[0]))
			return -ENOENT;
		ret = serve_pages(serve_find(serve, (uint32_t)request->arg[0]), &runs, &count);
		*out = runs;
		answer->bytes = (uint32_t)(count * sizeof(*runs));
		return ret;
	case FAA_REMOTE_CLOSE:
		return serve_close(serve, (uint32_t)request->arg[0]);
	case FAA_REMOTE_SYNCOBJ_WAIT:
		return serve_wait(serve, request, data);
	default:
		return serve_syncobj(serve, request, &answer->value[0]);
	}
}

/* Serves one request; false at the end of the input. */
static bool serve_request(struct serve *serve)
{
	struct faa_remote_answer answer = { 0 };
	struct faa_remote_request request;
	void *out = NULL;
	char *data;
	int ret = faa_remote_transfer(STDIN_FILENO, &request, sizeof(request), true);

	if (ret == -EPIPE)
		return false;
	if (!ret && request.bytes > FAA_REMOTE_MAX_BYTES)
		ret = -EPROTO;
	data = malloc((size_t)request.bytes + 1);
	if (!data)
		ret = -ENOMEM;
	if (!ret)
		ret = faa_remote_transfer(STDIN_FILENO, data, request.bytes, true);
	if (ret)
		serve_fail("reading a request", ret);
	answer.error = serve_execute(serve, &request, data, &answer, &out);
	serve_update_rings(serve);
	ret = faa_remote_transfer(STDOUT_FILENO, &answer, sizeof(answer), false);
	if (!ret)
		ret = faa_remote_transfer(STDOUT_FILENO, out, answer.bytes, false);
	if (ret)
		serve_fail("writing an answer", ret);
	if (out != data)
		free(out);
	free(data);
	return true;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { .doc = serve_doc, .children = tool_children };
	struct serve serve = { 0 };
	struct faa_device *device;
	int ret;

	tool_parse(&argp, argc, argv, NULL);
	if (faa_device_open(&device)) {
		fprintf(stderr, "faa-serve: %s\n", faa_last_error());
		return EXIT_FAILURE;
	}
	ret = faa_backend_kernel(fcntl(faa_device_fd(device), F_DUPFD_CLOEXEC, 3), &serve.backend);
	if (!ret)
		ret = serve_open(&serve);
	if (ret)
		serve_fail("starting", ret);
	while (serve_request(&serve))
		;
	faa_device_unref(device);
	return EXIT_SUCCESS;
}
