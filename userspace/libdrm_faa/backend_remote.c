// SPDX-License-Identifier: MIT
/* The library's side of a device of another machine: see remote.h. */
#include "backend.h"
#include "error.h"
#include "fork.h"
#include "remote.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <drm/faa_drm.h>

/* Requests of other threads wait while the guest waits for a job, so it waits in slices. */
#define WAIT_SLICE_NS 20000000ll
/* Offsets of mmap() have the handle in their high half. */
#define HANDLE_SHIFT 32

struct remote {
	struct faa_backend backend;
	struct faa_machine machine;
	/* The guest's memory. */
	int memory;
	unsigned int generation;
	/* Serializes requests. */
	pthread_mutex_t lock;
	/* An answer was truncated: no further request is possible. */
	bool broken;
};

static struct remote *remote_of(struct faa_backend *backend)
{
	return (struct remote *)backend;
}

/* A closed pipe is an error of the write, not a signal that ends the program. */
static int remote_send(struct remote *remote, struct faa_remote_request *request, void *data)
{
	struct timespec none = { 0 };
	sigset_t pipe_set, old;
	int ret;

	sigemptyset(&pipe_set);
	sigaddset(&pipe_set, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_set, &old);
	ret = faa_remote_transfer(remote->machine.to, request, sizeof(*request), false);
	if (!ret)
		ret = faa_remote_transfer(remote->machine.to, data, request->bytes, false);
	if (ret == -EPIPE)
		sigtimedwait(&pipe_set, NULL, &none);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ret;
}

/*
 * Stores the answer's data at @data if it fits in @room, otherwise in memory that the caller frees
 * (@data NULL).
 */
static int remote_receive(struct remote *remote, struct faa_remote_answer *answer, void **data,
			  uint64_t room)
{
	int ret = faa_remote_transfer(remote->machine.from, answer, sizeof(*answer), true);

	if (ret)
		return ret;
	if (answer->bytes > FAA_REMOTE_MAX_BYTES || (*data && answer->bytes > room))
		return -EPROTO;
	if (!*data && answer->bytes)
		*data = malloc(answer->bytes);
	if (!*data && answer->bytes)
		return -ENOMEM;
	return faa_remote_transfer(remote->machine.from, *data, answer->bytes, true);
}

/* The machine's answer, or -ENODEV if the machine has exited. */
static int remote_call(struct remote *remote, struct faa_remote_request *request, void *data,
		       struct faa_remote_answer *answer, void **out, uint64_t room)
{
	int ret = -ENODEV;

	*answer = (struct faa_remote_answer){ 0 };
	pthread_mutex_lock(&remote->lock);
	if (!remote->broken) {
		ret = remote_send(remote, request, data);
		if (!ret)
			ret = remote_receive(remote, answer, out, room);
		remote->broken = ret;
	}
	pthread_mutex_unlock(&remote->lock);
	return ret ? -ENODEV : answer->error;
}

/* A request with arguments alone. @value: out: the first value of the answer. May be NULL. */
static int remote_ask(struct faa_backend *backend, uint32_t op, const uint64_t *arg,
		      unsigned int args, uint64_t *value)
{
	struct faa_remote_request request = { .op = op };
	struct faa_remote_answer answer;
	void *out = &answer;
	int ret;

	memcpy(request.arg, arg, args * sizeof(*arg));
	ret = remote_call(remote_of(backend), &request, NULL, &answer, &out, 0);
	if (!ret && value)
		*value = answer.value[0];
	return ret;
}

static void remote_close(struct faa_backend *backend)
{
	struct remote *remote = remote_of(backend);
	bool mine = remote->generation == faa_fork_generation();

	close(remote->memory);
	faa_machine_stop(&remote->machine, mine);
	if (mine)
		pthread_mutex_destroy(&remote->lock);
	free(remote);
}

static uint64_t remote_ioctl_bytes(unsigned long request, void *arg)
{
	struct faa_remote_pointer pointers[FAA_REMOTE_POINTERS];
	unsigned int count = faa_remote_pointers(request, arg, pointers);
	uint64_t bytes = _IOC_SIZE(request);

	for (unsigned int i = 0; i < count; i++)
		bytes += pointers[i].bytes;
	if (request == DRM_IOCTL_FAA_SUBMIT) {
		struct drm_faa_submit *submit = arg;
		struct drm_faa_job *jobs = (void *)(uintptr_t)submit->jobs.array;

		for (uint32_t i = 0; i < submit->jobs.count; i++)
			bytes += (uint64_t)jobs[i].syncs.stride * jobs[i].syncs.count;
	}
	return bytes;
}

static char *remote_pack(char *at, const void *data, uint64_t bytes)
{
	if (bytes)
		memcpy(at, data, bytes);
	return at + bytes;
}

static void remote_ioctl_pack(unsigned long request, void *arg, char *at)
{
	struct faa_remote_pointer pointers[FAA_REMOTE_POINTERS];
	unsigned int count = faa_remote_pointers(request, arg, pointers);

	at = remote_pack(at, arg, _IOC_SIZE(request));
	for (unsigned int i = 0; i < count; i++)
		at = remote_pack(at, (void *)(uintptr_t)*pointers[i].member, pointers[i].bytes);
	if (request == DRM_IOCTL_FAA_SUBMIT) {
		struct drm_faa_submit *submit = arg;
		struct drm_faa_job *jobs = (void *)(uintptr_t)submit->jobs.array;

		for (uint32_t i = 0; i < submit->jobs.count; i++)
			at = remote_pack(at, (void *)(uintptr_t)jobs[i].syncs.array,
					 (uint64_t)jobs[i].syncs.stride * jobs[i].syncs.count);
	}
}

/*
 * Unpacks the data that the kernel has written: the structure, whose pointers stay the caller's,
 * then the data of the pointers.
 */
static void remote_ioctl_unpack(unsigned long request, void *arg, const char *data)
{
	struct faa_remote_pointer pointers[FAA_REMOTE_POINTERS];
	unsigned int count = faa_remote_pointers(request, arg, pointers);
	uint64_t kept[FAA_REMOTE_POINTERS];

	for (unsigned int i = 0; i < count; i++)
		kept[i] = *pointers[i].member;
	memcpy(arg, data, _IOC_SIZE(request));
	data += _IOC_SIZE(request);
	for (unsigned int i = 0; i < count; i++) {
		*pointers[i].member = kept[i];
		if (pointers[i].out)
			memcpy((void *)(uintptr_t)kept[i], data, pointers[i].bytes);
		data += pointers[i].bytes;
	}
}

/* Memory of this process is not the guest's. */
static bool remote_binds_process(unsigned long request, void *arg)
{
	struct drm_faa_vm_bind *bind = arg;
	struct drm_faa_vm_bind_op *ops;

	if (request != DRM_IOCTL_FAA_VM_BIND)
		return false;
	ops = (void *)(uintptr_t)bind->ops.array;
	for (uint32_t i = 0; i < bind->ops.count; i++)
		if (ops[i].op == DRM_FAA_VM_BIND_OP_MAP_USERPTR)
			return true;
	return false;
}

static int remote_forward(struct remote *remote, unsigned long number, void *arg)
{
	struct faa_remote_request request = { .op = FAA_REMOTE_IOCTL, .arg = { number } };
	struct faa_remote_answer answer;
	uint64_t bytes = remote_ioctl_bytes(number, arg);
	void *data;
	int ret;

	if (bytes > FAA_REMOTE_MAX_BYTES)
		return -ENOMEM;
	data = malloc(bytes);
	if (!data)
		return -ENOMEM;
	request.bytes = (uint32_t)bytes;
	remote_ioctl_pack(number, arg, data);
	ret = remote_call(remote, &request, data, &answer, &data, bytes);
	/* VM_BIND returns the failed operation in its structure. */
	if (answer.bytes == bytes)
		remote_ioctl_unpack(number, arg, data);
	free(data);
	return ret;
}

static int remote_ioctl(struct faa_backend *backend, unsigned long request, void *arg)
{
	struct drm_faa_bo_create *create = arg;
	struct drm_faa_bo_mmap_offset *offset = arg;
	uint64_t handle = 0;
	int ret;

	if (request == DRM_IOCTL_FAA_BO_MMAP_OFFSET) {
		offset->offset = (uint64_t)offset->handle << HANDLE_SHIFT;
		return 0;
	}
	if (request == DRM_IOCTL_FAA_BO_CREATE) {
		create->size = (create->size + 4095) & ~4095ull;
		ret = remote_ask(backend, FAA_REMOTE_BO_CREATE, (uint64_t *)&create->size, 1,
				 &handle);
		create->handle = (uint32_t)handle;
		return ret;
	}
	/*
	 * BOs are memory of faa-serve in the guest, and have no name there. A stream would be a
	 * file of the guest.
	 */
	if (remote_binds_process(request, arg) || request == DRM_IOCTL_FAA_BO_SET_LABEL ||
	    request == DRM_IOCTL_FAA_COUNTERS_OPEN)
		return -EOPNOTSUPP;
	return remote_forward(remote_of(backend), request, arg);
}

/* Maps runs of the guest's memory one after the other, over the @size bytes at @address. */
static int remote_place(struct remote *remote, char *address, uint64_t size, int prot,
			const struct faa_remote_run *runs, size_t count)
{
	for (size_t i = 0; i < count && size; i++) {
		uint64_t bytes = runs[i].bytes < size ? runs[i].bytes : size;

		if (mmap(address, bytes, prot, MAP_SHARED | MAP_FIXED, remote->memory,
			 (off_t)runs[i].address) == MAP_FAILED)
			return -errno;
		address += bytes;
		size -= bytes;
	}
	return size ? -EPROTO : 0;
}

static int remote_map(struct faa_backend *backend, uint64_t offset, uint64_t size, int prot,
		      void **address)
{
	struct faa_remote_request request = { .op = FAA_REMOTE_PAGES,
					      .arg = { offset >> HANDLE_SHIFT } };
	struct faa_remote_answer answer;
	void *mapped, *runs = NULL;
	int ret = remote_call(remote_of(backend), &request, NULL, &answer, &runs, 0);

	if (ret)
		goto out;
	mapped = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (mapped == MAP_FAILED) {
		ret = -errno;
		goto out;
	}
	ret = remote_place(remote_of(backend), mapped, size, prot, runs,
			   answer.bytes / sizeof(struct faa_remote_run));
	if (ret)
		munmap(mapped, size);
	else
		*address = mapped;
out:
	free(runs);
	return ret;
}

static void remote_unmap(struct faa_backend *backend, void *address, uint64_t size)
{
	munmap(address, size);
}

static int remote_map_dmabuf(struct faa_backend *backend, uint32_t handle, uint64_t size,
			     void **address)
{
	return -EOPNOTSUPP;
}

static int remote_gem_close(struct faa_backend *backend, uint32_t handle)
{
	return remote_ask(backend, FAA_REMOTE_CLOSE, (uint64_t[]){ handle }, 1, NULL);
}

static int remote_prime_export(struct faa_backend *backend, uint32_t handle, int *fd)
{
	return -EOPNOTSUPP;
}

static int remote_prime_import(struct faa_backend *backend, int fd, uint32_t *handle)
{
	return -EOPNOTSUPP;
}

static int remote_ask_handle(struct faa_backend *backend, uint32_t op, uint64_t arg,
			     uint32_t *handle)
{
	uint64_t value = 0;
	int ret = remote_ask(backend, op, &arg, 1, &value);

	*handle = (uint32_t)value;
	return ret;
}

static int remote_syncobj_create(struct faa_backend *backend, bool signaled, uint32_t *handle)
{
	return remote_ask_handle(backend, FAA_REMOTE_SYNCOBJ_CREATE, signaled, handle);
}

static int remote_syncobj_destroy(struct faa_backend *backend, uint32_t handle)
{
	return remote_ask(backend, FAA_REMOTE_SYNCOBJ_DESTROY, (uint64_t[]){ handle }, 1, NULL);
}

static int64_t remote_remaining_ns(int64_t deadline)
{
	int64_t left = deadline - faa_deadline(0);

	return deadline == FAA_NO_DEADLINE || left > WAIT_SLICE_NS ? WAIT_SLICE_NS :
	       left < 0						   ? 0 :
								     left;
}

/* The clocks of host and guest differ, so the request has a duration, not a deadline. */
static int remote_wait(struct faa_backend *backend, const uint32_t *handles, const uint64_t *points,
		       uint32_t count, uint64_t flags, int64_t deadline)
{
	uint64_t point_bytes = points ? (uint64_t)count * sizeof(*points) : 0;
	struct faa_remote_request request = {
		.op = FAA_REMOTE_SYNCOBJ_WAIT,
		.bytes = (uint32_t)(point_bytes + (uint64_t)count * sizeof(*handles)),
		.arg = { count, flags | (points ? FAA_REMOTE_WAIT_POINTS : 0) },
	};
	struct faa_remote_answer answer;
	int64_t slice;
	char *data;
	int ret;

	if (count > FAA_REMOTE_MAX_BYTES / 16)
		return -ENOMEM;
	data = malloc(request.bytes);
	if (!data)
		return -ENOMEM;
	remote_pack(remote_pack(data, points, point_bytes), handles,
		    (uint64_t)count * sizeof(*handles));
	do {
		void *out = &answer;

		slice = remote_remaining_ns(deadline);
		request.arg[2] = (uint64_t)slice;
		ret = remote_call(remote_of(backend), &request, data, &answer, &out, 0);
	} while (ret == -ETIME && slice && remote_remaining_ns(deadline));
	free(data);
	return ret;
}

static int remote_syncobj_wait(struct faa_backend *backend, const uint32_t *handles,
			       const uint64_t *points, uint32_t count, bool all, int64_t deadline)
{
	return remote_wait(backend, handles, points, count, all ? FAA_REMOTE_WAIT_ALL : 0,
			   deadline);
}

static int remote_syncobj_wait_promised(struct faa_backend *backend, const uint32_t *handles,
					const uint64_t *points, uint32_t count, bool all,
					int64_t deadline)
{
	return remote_wait(backend, handles, points, count,
			   FAA_REMOTE_WAIT_PROMISED | (all ? FAA_REMOTE_WAIT_ALL : 0), deadline);
}

static int remote_syncobj_signal(struct faa_backend *backend, uint32_t handle, uint64_t point)
{
	return remote_ask(backend, FAA_REMOTE_SYNCOBJ_SIGNAL, (uint64_t[]){ handle, point }, 2,
			  NULL);
}

static int remote_syncobj_query(struct faa_backend *backend, uint32_t handle, uint64_t *point)
{
	return remote_ask(backend, FAA_REMOTE_SYNCOBJ_QUERY, (uint64_t[]){ handle }, 1, point);
}

static int remote_syncobj_reset(struct faa_backend *backend, uint32_t handle)
{
	return remote_ask(backend, FAA_REMOTE_SYNCOBJ_RESET, (uint64_t[]){ handle }, 1, NULL);
}

static int remote_syncobj_dup(struct faa_backend *backend, uint32_t handle, uint32_t *dup)
{
	return remote_ask_handle(backend, FAA_REMOTE_SYNCOBJ_DUP, handle, dup);
}

static int remote_syncobj_transfer(struct faa_backend *backend, uint32_t to, uint64_t to_point,
				   uint32_t from, uint64_t from_point)
{
	return remote_ask(backend, FAA_REMOTE_SYNCOBJ_TRANSFER,
			  (uint64_t[]){ to, to_point, from, from_point }, 4, NULL);
}

static const struct faa_backend_ops remote_ops = {
	.close = remote_close,
	.ioctl = remote_ioctl,
	.map = remote_map,
	.unmap = remote_unmap,
	.map_dmabuf = remote_map_dmabuf,
	.gem_close = remote_gem_close,
	.prime_export = remote_prime_export,
	.prime_import = remote_prime_import,
	.syncobj_create = remote_syncobj_create,
	.syncobj_destroy = remote_syncobj_destroy,
	.syncobj_wait = remote_syncobj_wait,
	.syncobj_wait_promised = remote_syncobj_wait_promised,
	.syncobj_signal = remote_syncobj_signal,
	.syncobj_query = remote_syncobj_query,
	.syncobj_reset = remote_syncobj_reset,
	.syncobj_dup = remote_syncobj_dup,
	.syncobj_transfer = remote_syncobj_transfer,
};

/* The first answer shows that faa-serve has the device, and where the guest's memory is. */
static int remote_greet(struct remote *remote)
{
	struct faa_remote_request request = { .op = FAA_REMOTE_HELLO };
	struct faa_remote_answer answer;
	void *out = &answer;
	int ret = remote_call(remote, &request, NULL, &answer, &out, 0);

	if (ret)
		return faa_fail(ret, "the simulated device did not start; faa-run says why");
	if (answer.value[0] != FAA_REMOTE_VERSION)
		return faa_fail(-EPROTO, "faa-serve is of another version of the library");
	remote->memory = faa_machine_memory(&remote->machine, answer.value[2], answer.value[1]);
	faa_machine_forget(&remote->machine);
	return remote->memory < 0 ? remote->memory : 0;
}

int faa_backend_remote(const struct faa_machine *machine, struct faa_backend **out)
{
	struct remote *remote = calloc(1, sizeof(*remote));
	struct faa_machine local = *machine;
	int ret;

	if (!remote) {
		ret = faa_fail_memory("a device");
		goto err_stop;
	}
	remote->backend = (struct faa_backend){ .ops = &remote_ops, .fd = -1 };
	remote->machine = *machine;
	ret = faa_fork_watch();
	if (ret)
		goto err_free;
	remote->generation = faa_fork_generation();
	ret = faa_fail_lock(-pthread_mutex_init(&remote->lock, NULL));
	if (ret)
		goto err_free;
	ret = remote_greet(remote);
	if (ret)
		goto err_lock;
	*out = &remote->backend;
	return 0;

err_lock:
	local = remote->machine;
	pthread_mutex_destroy(&remote->lock);
err_free:
	free(remote);
err_stop:
	faa_machine_stop(&local, true);
	return ret;
}
