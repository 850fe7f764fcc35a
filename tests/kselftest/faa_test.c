// SPDX-License-Identifier: MIT
#include "faa_test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <linux/sync_file.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool driver_is(int fd, const char *name)
{
	char found[32] = "";
	struct drm_version version = { .name = found, .name_len = sizeof(found) - 1 };

	return !xioctl(fd, DRM_IOCTL_VERSION, &version) && !strcmp(found, name);
}

static int open_nodes(const char *prefix, unsigned int first, const char *name)
{
	char path[64];

	for (unsigned int i = first; i < first + 16; i++) {
		snprintf(path, sizeof(path), "/dev/dri/%s%u", prefix, i);
		int fd = open(path, O_RDWR | O_CLOEXEC);

		if (fd < 0)
			continue;
		if (driver_is(fd, name))
			return fd;
		close(fd);
	}
	return -ENODEV;
}

int drm_open_driver(const char *name)
{
	int fd = open_nodes("renderD", 128, name);

	return fd >= 0 ? fd : open_nodes("card", 0, name);
}

int faa_open(void)
{
	return open_nodes("renderD", 128, "faa");
}

int device_info(int fd, struct drm_faa_device_info *info)
{
	struct drm_faa_dev_query query = {
		.type = DRM_FAA_DEV_QUERY_DEVICE,
		.size = sizeof(*info),
		.pointer = (uintptr_t)info,
	};

	memset(info, 0, sizeof(*info));
	return xioctl(fd, DRM_IOCTL_FAA_DEV_QUERY, &query);
}

int bo_create(int fd, uint64_t size, uint32_t *handle)
{
	struct drm_faa_bo_create create = { .size = size };
	int ret = xioctl(fd, DRM_IOCTL_FAA_BO_CREATE, &create);

	if (!ret)
		*handle = create.handle;
	return ret;
}

int bo_close(int fd, uint32_t handle)
{
	struct drm_gem_close close = { .handle = handle };

	return xioctl(fd, DRM_IOCTL_GEM_CLOSE, &close);
}

int bo_set_label(int fd, uint32_t handle, const char *label)
{
	struct drm_faa_bo_set_label args = { .handle = handle, .label = (uintptr_t)label };

	return xioctl(fd, DRM_IOCTL_FAA_BO_SET_LABEL, &args);
}

void *bo_mmap(int fd, uint32_t handle, size_t size, int prot)
{
	struct drm_faa_bo_mmap_offset map = { .handle = handle };
	int ret = xioctl(fd, DRM_IOCTL_FAA_BO_MMAP_OFFSET, &map);

	if (ret) {
		errno = -ret;
		return NULL;
	}
	void *at = mmap(NULL, size, prot, MAP_SHARED, fd, (off_t)map.offset);

	return at == MAP_FAILED ? NULL : at;
}

int prime_export(int fd, uint32_t handle, int *dmabuf)
{
	struct drm_prime_handle prime = { .handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR };
	int ret = xioctl(fd, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);

	if (!ret)
		*dmabuf = prime.fd;
	return ret;
}

int prime_import(int fd, int dmabuf, uint32_t *handle)
{
	struct drm_prime_handle prime = { .fd = dmabuf };
	int ret = xioctl(fd, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);

	if (!ret)
		*handle = prime.handle;
	return ret;
}

/* Dumb buffers exist on primary nodes only. */
int vgem_open(void)
{
	return open_nodes("card", 0, "vgem");
}

int vgem_buffer(int vgem, uint32_t *handle, uint32_t **at, size_t *size)
{
	struct drm_mode_create_dumb create = { .width = 1024, .height = 16, .bpp = 32 };
	struct drm_mode_map_dumb map = { 0 };
	int ret = xioctl(vgem, DRM_IOCTL_MODE_CREATE_DUMB, &create);

	if (ret)
		return ret;
	map.handle = create.handle;
	ret = xioctl(vgem, DRM_IOCTL_MODE_MAP_DUMB, &map);
	if (ret)
		return ret;
	*handle = create.handle;
	*size = create.size;
	*at = mmap(NULL, create.size, PROT_READ | PROT_WRITE, MAP_SHARED, vgem, (off_t)map.offset);
	return *at == MAP_FAILED ? -errno : 0;
}

int vm_create(int fd, uint32_t *vm)
{
	struct drm_faa_vm_create create = { 0 };
	int ret = xioctl(fd, DRM_IOCTL_FAA_VM_CREATE, &create);

	if (!ret)
		*vm = create.vm_id;
	return ret;
}

int vm_destroy(int fd, uint32_t vm)
{
	struct drm_faa_vm_destroy destroy = { .vm_id = vm };

	return xioctl(fd, DRM_IOCTL_FAA_VM_DESTROY, &destroy);
}

int vm_bind(int fd, uint32_t vm, const struct drm_faa_vm_bind_op *op)
{
	struct drm_faa_vm_bind bind = {
		.vm_id = vm,
		.ops = { .stride = sizeof(*op), .count = 1, .array = (uintptr_t)op },
	};

	return xioctl(fd, DRM_IOCTL_FAA_VM_BIND, &bind);
}

int vm_map(int fd, uint32_t vm, uint32_t handle, uint64_t offset, uint64_t va, uint64_t size,
	   uint32_t flags)
{
	return vm_bind(fd, vm,
		       &(struct drm_faa_vm_bind_op){
			       .op = DRM_FAA_VM_BIND_OP_MAP,
			       .flags = flags,
			       .handle = handle,
			       .bo_offset = offset,
			       .va = va,
			       .size = size,
		       });
}

int vm_unmap(int fd, uint32_t vm, uint64_t va, uint64_t size)
{
	return vm_bind(fd, vm,
		       &(struct drm_faa_vm_bind_op){
			       .op = DRM_FAA_VM_BIND_OP_UNMAP, .va = va, .size = size });
}

int vm_map_userptr(int fd, uint32_t vm, const void *memory, uint64_t va, uint64_t size,
		   uint32_t flags)
{
	return vm_bind(fd, vm,
		       &(struct drm_faa_vm_bind_op){
			       .op = DRM_FAA_VM_BIND_OP_MAP_USERPTR,
			       .flags = flags,
			       .userptr = (uintptr_t)memory,
			       .va = va,
			       .size = size,
		       });
}

int vm_map_null(int fd, uint32_t vm, uint64_t va, uint64_t size, uint32_t flags)
{
	return vm_bind(fd, vm,
		       &(struct drm_faa_vm_bind_op){
			       .op = DRM_FAA_VM_BIND_OP_MAP_NULL,
			       .flags = flags,
			       .va = va,
			       .size = size,
		       });
}

int queue_create(int fd, uint32_t vm, uint32_t shared_bytes, struct drm_faa_queue_create *out)
{
	*out = (struct drm_faa_queue_create){
		.vm_id = vm,
		.priority = DRM_FAA_PRIORITY_NORMAL,
		.shared_bytes = shared_bytes,
	};
	return xioctl(fd, DRM_IOCTL_FAA_QUEUE_CREATE, out);
}

int queue_destroy(int fd, uint32_t queue)
{
	struct drm_faa_queue_destroy destroy = { .queue_id = queue };

	return xioctl(fd, DRM_IOCTL_FAA_QUEUE_DESTROY, &destroy);
}

int queue_state(int fd, uint32_t queue, struct drm_faa_queue_get_state *state)
{
	*state = (struct drm_faa_queue_get_state){ .queue_id = queue };
	return xioctl(fd, DRM_IOCTL_FAA_QUEUE_GET_STATE, state);
}

int syncobj_create(int fd, bool signaled, uint32_t *handle)
{
	struct drm_syncobj_create create = { .flags = signaled ? DRM_SYNCOBJ_CREATE_SIGNALED : 0 };
	int ret = xioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create);

	if (!ret)
		*handle = create.handle;
	return ret;
}

int syncobj_destroy(int fd, uint32_t handle)
{
	struct drm_syncobj_destroy destroy = { .handle = handle };

	return xioctl(fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
}

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

uint64_t now_ms(void)
{
	return now_ns() / 1000000;
}

static int64_t deadline_ns(int ms)
{
	return (int64_t)(now_ms() + (uint64_t)ms) * 1000000;
}

int syncobj_wait(int fd, uint32_t handle, int ms)
{
	struct drm_syncobj_wait wait = {
		.handles = (uintptr_t)&handle,
		.count_handles = 1,
		.timeout_nsec = deadline_ns(ms),
	};

	return xioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
}

int timeline_wait(int fd, uint32_t handle, uint64_t point, int ms)
{
	struct drm_syncobj_timeline_wait wait = {
		.handles = (uintptr_t)&handle,
		.points = (uintptr_t)&point,
		.count_handles = 1,
		.timeout_nsec = deadline_ns(ms),
		.flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT,
	};

	return xioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
}

int timeline_signal(int fd, uint32_t handle, uint64_t point)
{
	struct drm_syncobj_timeline_array array = {
		.handles = (uintptr_t)&handle,
		.points = (uintptr_t)&point,
		.count_handles = 1,
	};

	return xioctl(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &array);
}

int fence_fd(int fd, uint32_t handle)
{
	struct drm_syncobj_handle export = {
		.handle = handle,
		.flags = DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE,
		.fd = -1,
	};
	int ret = xioctl(fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &export);

	return ret ? ret : export.fd;
}

static int fence_fd_error(int fence)
{
	struct sync_file_info info = { 0 };
	int ret = xioctl(fence, SYNC_IOC_FILE_INFO, &info);

	if (ret)
		return ret;
	/* 1 = signalled, 0 = active, negative = error. */
	return info.status == 0 ? -EBUSY : info.status > 0 ? 0 : info.status;
}

int fence_fd_wait(int fence, int ms)
{
	struct pollfd file = { .fd = fence, .events = POLLIN };

	return poll(&file, 1, ms) == 1 ? fence_fd_error(fence) : -ETIME;
}

int fence_error(int fd, uint32_t handle)
{
	int fence = fence_fd(fd, handle);
	int ret;

	if (fence < 0)
		return fence;
	ret = fence_fd_error(fence);
	close(fence);
	return ret;
}

uint64_t fence_fd_time(int fence)
{
	struct sync_fence_info fences[8] = { 0 };
	struct sync_file_info info = { .num_fences = 8, .sync_fence_info = (uintptr_t)fences };

	if (xioctl(fence, SYNC_IOC_FILE_INFO, &info) || !info.num_fences || !fences[0].status)
		return 0;
	return fences[0].timestamp_ns;
}

bool fence_fd_names(int fence, const char *driver, const char *timeline)
{
	struct sync_fence_info fences[8] = { 0 };
	struct sync_file_info info = { .num_fences = 8, .sync_fence_info = (uintptr_t)fences };

	if (xioctl(fence, SYNC_IOC_FILE_INFO, &info) || !info.num_fences)
		return false;
	for (unsigned int i = 0; i < info.num_fences; i++) {
		if (strcmp(fences[i].driver_name, driver) || strcmp(fences[i].obj_name, timeline))
			return false;
	}
	return true;
}

int fence_import(int fd, uint32_t handle, int fence)
{
	struct drm_syncobj_handle import = {
		.handle = handle,
		.flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
		.fd = fence,
	};

	return xioctl(fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);
}

/* The interface of sw_sync, which is in no header of the kernel. */
struct sw_sync_create {
	uint32_t value;
	char name[32];
	int32_t fence;
};

#define SW_SYNC_CREATE_FENCE _IOWR('W', 0, struct sw_sync_create)
#define SW_SYNC_INC	     _IOW('W', 1, uint32_t)

int sw_sync_open(void)
{
	int timeline = open("/sys/kernel/debug/sync/sw_sync", O_RDWR | O_CLOEXEC);

	return timeline < 0 ? -errno : timeline;
}

int sw_sync_fence(int timeline, uint32_t value)
{
	struct sw_sync_create create = { .value = value, .name = "test" };
	int ret = xioctl(timeline, SW_SYNC_CREATE_FENCE, &create);

	return ret ? ret : create.fence;
}

int sw_sync_advance(int timeline, uint32_t by)
{
	return xioctl(timeline, SW_SYNC_INC, &by);
}

int submit(int fd, uint32_t queue, const struct drm_faa_job *jobs, uint32_t count, uint64_t *first)
{
	struct drm_faa_submit submit = {
		.queue_id = queue,
		.jobs = { .stride = sizeof(*jobs), .count = count, .array = (uintptr_t)jobs },
	};
	int ret = xioctl(fd, DRM_IOCTL_FAA_SUBMIT, &submit);

	if (!ret && first)
		*first = submit.first_seqno;
	return ret;
}

static int client_buffer(struct client *client, uint64_t va, uint32_t size, uint32_t *handle,
			 void **at)
{
	int ret = bo_create(client->fd, size, handle);

	if (ret)
		return ret;
	*at = bo_mmap(client->fd, *handle, size, PROT_READ | PROT_WRITE);
	if (!*at)
		return -errno;
	return vm_map(client->fd, client->vm, *handle, 0, va, size, 0);
}

static int client_setup(struct client *client)
{
	struct drm_faa_queue_create queue;
	int ret = vm_create(client->fd, &client->vm);

	if (ret)
		return ret;
	ret = client_buffer(client, STREAM_VA, STREAM_BYTES, &client->stream_bo,
			    (void **)&client->stream);
	if (ret)
		return ret;
	ret = client_buffer(client, DATA_VA, DATA_BYTES, &client->data_bo, (void **)&client->data);
	if (ret)
		return ret;
	ret = queue_create(client->fd, client->vm, client->shared, &queue);
	if (ret)
		return ret;
	client->queue = queue.queue_id;
	client->status_bo = queue.status_handle;
	client->entries = queue.status_entries;
	client->ring = bo_mmap(client->fd, client->status_bo,
			       client->entries * sizeof(*client->ring), PROT_READ);
	if (!client->ring)
		return -errno;
	return syncobj_create(client->fd, false, &client->sync);
}

int client_open(struct client *client, uint32_t shared)
{
	int ret;

	memset(client, 0, sizeof(*client));
	client->shared = shared;
	client->fd = faa_open();
	if (client->fd < 0)
		return client->fd;
	ret = client_setup(client);
	if (ret)
		client_close(client);
	return ret;
}

static void keep_first(int *ret, int now)
{
	if (!*ret)
		*ret = now;
}

int client_close(struct client *client)
{
	int ret = 0;

	if (client->sync)
		keep_first(&ret, syncobj_destroy(client->fd, client->sync));
	if (client->queue)
		keep_first(&ret, queue_destroy(client->fd, client->queue));
	if (client->ring)
		munmap((void *)client->ring, client->entries * sizeof(*client->ring));
	if (client->status_bo)
		keep_first(&ret, bo_close(client->fd, client->status_bo));
	if (client->data)
		munmap(client->data, DATA_BYTES);
	if (client->data_bo)
		keep_first(&ret, bo_close(client->fd, client->data_bo));
	if (client->stream)
		munmap(client->stream, STREAM_BYTES);
	if (client->stream_bo)
		keep_first(&ret, bo_close(client->fd, client->stream_bo));
	if (client->vm)
		keep_first(&ret, vm_destroy(client->fd, client->vm));
	close(client->fd);
	memset(client, 0, sizeof(*client));
	client->fd = -1;
	return ret;
}

bool client_status(const struct client *client, uint64_t seqno, struct drm_faa_status *status)
{
	const volatile struct drm_faa_status *slot = &client->ring[seqno % client->entries];

	memcpy(status, (const void *)slot, sizeof(*status));
	return status->seqno == seqno && slot->seqno == seqno;
}

int client_submit(struct client *client, uint64_t *seqno)
{
	struct drm_faa_sync sync = { .flags = DRM_FAA_SYNC_SIGNAL, .handle = client->sync };
	struct drm_faa_job job = {
		.stream_va = STREAM_VA,
		.stream_bytes = client->words * 8,
		.syncs = { .stride = sizeof(sync), .count = 1, .array = (uintptr_t)&sync },
	};

	return submit(client->fd, client->queue, &job, 1, seqno);
}

int client_wait(struct client *client, uint64_t seqno, struct drm_faa_status *status)
{
	struct drm_faa_status local;
	int ret = syncobj_wait(client->fd, client->sync, WAIT_MS);

	if (ret)
		return ret;
	if (!client_status(client, seqno, status ? status : &local))
		return -EPROTO;
	return fence_error(client->fd, client->sync);
}

int client_run(struct client *client, struct drm_faa_status *status)
{
	uint64_t seqno;
	int ret = client_submit(client, &seqno);

	if (!ret)
		ret = client_wait(client, seqno, status);
	client->words = 0;
	return ret;
}

static const struct faa_issue always = FAA_ISSUE_DEFAULT;

static uint64_t *at(struct client *client)
{
	if (client->words + FAA_MAX_COMMAND_WORDS > STREAM_BYTES / 8) {
		fprintf(stderr, "the test's stream is too long\n");
		abort();
	}
	return client->stream + client->words;
}

void put_end(struct client *client)
{
	client->words += faa_encode_end(at(client), &always);
}

void put_nop(struct client *client)
{
	client->words += faa_encode_nop(at(client), &always);
}

void put_jump(struct client *client, int32_t target)
{
	client->words += faa_encode_jump(at(client), &always, FAA_JUMP_COND_ALWAYS, target);
}

void put_sem_wait(struct client *client, uint64_t va, uint64_t value)
{
	client->words += faa_encode_sem_wait(at(client), &always, FAA_SEM_COND_GE, va, value);
}

void put_sem_signal(struct client *client, uint64_t va, uint64_t value)
{
	client->words += faa_encode_sem_signal(at(client), &always, FAA_SEM_OP_SET, va, value);
}

void put_fence(struct client *client)
{
	client->words += faa_encode_fence(at(client), &always, FAA_FENCE_ORDER_SC, FAA_SCOPE_SYS);
}

void put_bar(struct client *client)
{
	client->words += faa_encode_bar(at(client), &always, FAA_BAR_OP_SYNC);
}

void put_mov(struct client *client, enum faa_type type, uint64_t count, struct faa_operand d,
	     struct faa_operand a)
{
	client->words += faa_encode_mov(at(client), &always, type, count, d, a);
}

void put_ld(struct client *client, enum faa_type type, uint64_t count, struct faa_operand d,
	    struct faa_operand a)
{
	client->words += faa_encode_ld(at(client), &always, type, count, d, a, 0);
}

void put_st(struct client *client, enum faa_type type, uint64_t count, struct faa_operand a,
	    struct faa_operand b)
{
	client->words += faa_encode_st(at(client), &always, type, count, a, 0, b);
}

void put_lds(struct client *client, enum faa_type type, uint64_t count, struct faa_operand d,
	     struct faa_operand a)
{
	client->words += faa_encode_lds(at(client), &always, type, count, d, a, 0);
}

void put_sts(struct client *client, enum faa_type type, uint64_t count, struct faa_operand a,
	     struct faa_operand b)
{
	client->words += faa_encode_sts(at(client), &always, type, count, a, 0, b);
}

void put_atoms(struct client *client, enum faa_atoms_op op, enum faa_type type, uint64_t count,
	       struct faa_operand d, struct faa_operand a, struct faa_operand b)
{
	client->words +=
		faa_encode_atoms(at(client), &always, op, type, count, d, a, 0, b, op_none());
}

uint64_t env_number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

uint64_t random_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

int wait_lost(int fd)
{
	const uint64_t end = now_ms() + WAIT_MS;
	struct drm_faa_device_info info;
	int ret;

	do {
		ret = device_info(fd, &info);
		usleep(10000);
	} while (ret != -ENODEV && now_ms() < end);
	return ret;
}

int drm_minor(int fd)
{
	struct stat node;

	return fstat(fd, &node) ? -errno : (int)minor(node.st_rdev);
}

static void fault_path(char *path, size_t size, int minor, const char *name, const char *file)
{
	snprintf(path, size, "/sys/kernel/debug/dri/%d/fail_faa_%s/%s", minor, name, file);
}

int fault_set(int minor, const char *name, const char *file, const char *value)
{
	char path[128];

	fault_path(path, sizeof(path), minor, name, file);
	return write_file(path, value);
}

int fault_arm(int minor, const char *name, const char *times)
{
	int ret = fault_set(minor, name, "verbose", "0");

	if (!ret)
		ret = fault_set(minor, name, "times", times);
	return ret ? ret : fault_set(minor, name, "probability", "100");
}

int fault_is_over(int minor, const char *name)
{
	char path[128];

	fault_path(path, sizeof(path), minor, name, "times");
	return file_is(path, "0");
}

uint64_t fdinfo_number(int fd, const char *key)
{
	const size_t length = strlen(key);
	uint64_t number = UINT64_MAX;
	char path[64], line[256];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "re");
	if (!file)
		return number;
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, key, length) && line[length] == ':')
			number = strtoull(line + length + 1, NULL, 10);
	fclose(file);
	return number;
}

int as_nobody(int (*test)(void *arg), void *arg)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return -errno;
	if (!pid) {
		if (setgid(65534) || setuid(65534))
			_exit(99);
		_exit(-test(arg));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

int file_is(const char *path, const char *text)
{
	FILE *file = fopen(path, "re");
	char line[64];
	bool got;

	if (!file)
		return -errno;
	got = fgets(line, sizeof(line), file);
	fclose(file);
	if (!got)
		return -EIO;
	line[strcspn(line, "\n")] = '\0';
	return !strcmp(line, text);
}

char *debugfs_read(int fd, const char *name)
{
	enum { MOST = 0x100000 };
	int minor = drm_minor(fd), error = 0;
	char path[96], *text;
	FILE *file;
	size_t size;

	if (minor < 0) {
		errno = -minor;
		return NULL;
	}
	snprintf(path, sizeof(path), "/sys/kernel/debug/dri/%d/%s", minor, name);
	text = malloc(MOST);
	file = text ? fopen(path, "re") : NULL;
	if (file) {
		size = fread(text, 1, MOST - 1, file);
		error = ferror(file) ? errno : 0;
		text[size] = 0;
		fclose(file);
	}
	if (file && !error)
		return text;
	error = error ? error : errno;
	free(text);
	errno = error;
	return NULL;
}

int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		ret = -errno;
	close(fd);
	return ret;
}

int module_unload(int ms)
{
	const uint64_t end = now_ms() + (uint64_t)ms;
	int ret;

	while ((ret = (int)syscall(SYS_delete_module, "faa", O_NONBLOCK)) && now_ms() < end)
		usleep(1000);
	return ret ? -errno : 0;
}

int module_load(void)
{
	const char *path = getenv("FAA_MODULE");
	int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	int ret;

	if (file < 0)
		return path ? -errno : -ENOENT;
	ret = (int)syscall(SYS_finit_module, file, "", 0) ? -errno : 0;
	close(file);
	return ret;
}

int log_open(void)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (log < 0 || lseek(log, 0, SEEK_END) < 0)
		return -errno;
	return log;
}

int log_find(int log, const char *text, char *line, size_t size)
{
	char message[2048];
	int found = 0;
	ssize_t n;

	for (;;) {
		n = read(log, message, sizeof(message) - 1);
		/* Messages that were overwritten before they were read. */
		if (n < 0 && errno == EPIPE)
			continue;
		if (n < 0)
			return errno == EAGAIN ? found : -errno;
		message[n] = '\0';
		if (!strstr(message, text))
			continue;
		snprintf(line, size, "%s", message);
		found++;
	}
}

static bool pci_is_faa(const char *address)
{
	char path[300];
	unsigned int vendor = 0, device = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/vendor", address);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (fscanf(file, "%x", &vendor) != 1)
		vendor = 0;
	fclose(file);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/device", address);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (fscanf(file, "%x", &device) != 1)
		device = 0;
	fclose(file);
	return vendor == FAA_PCI_VENDOR_ID && device == FAA_PCI_DEVICE_ID;
}

int faa_pci_address(char *out, size_t size)
{
	DIR *dir = opendir("/sys/bus/pci/devices");
	struct dirent *entry;
	int ret = -ENODEV;

	if (!dir)
		return -errno;
	while (ret && (entry = readdir(dir))) {
		if (pci_is_faa(entry->d_name)) {
			snprintf(out, size, "%s", entry->d_name);
			ret = 0;
		}
	}
	closedir(dir);
	return ret;
}

int faa_pci_command(const char *address, uint16_t clear, uint16_t set)
{
	char path[128];
	uint16_t command;
	int file, ret = 0;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", address);
	file = open(path, O_RDWR | O_CLOEXEC);
	if (file < 0)
		return -errno;
	if (pread(file, &command, 2, PCI_COMMAND) != 2)
		ret = -EIO;
	command = (uint16_t)((command & ~clear) | set);
	if (!ret && pwrite(file, &command, 2, PCI_COMMAND) != 2)
		ret = -EIO;
	close(file);
	return ret;
}

int fail_prepare(void)
{
	static const char *const settings[][2] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "failslab/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/ignore-gfp-highmem", "N" },
		{ "fail_page_alloc/min-order", "0" },
		{ "fail_page_alloc/verbose", "0" },
		{ "fail_usercopy/verbose", "0" },
		{ NULL, NULL },
	};

	for (unsigned int i = 0; settings[i][0]; i++) {
		char path[96];
		int ret;

		snprintf(path, sizeof(path), "/sys/kernel/debug/%s", settings[i][0]);
		ret = write_file(path, settings[i][1]);
		if (ret)
			return ret;
	}
	return access("/proc/self/fail-nth", W_OK) ? -errno : 0;
}

int fail_nth(int file, int nth)
{
	char text[16] = "";
	int left = 0;

	if (!nth) {
		if (pread(file, text, sizeof(text) - 1, 0) > 0)
			left = atoi(text);
	}
	snprintf(text, sizeof(text), "%d", nth);
	if (pwrite(file, text, strlen(text), 0) < 0)
		return -errno;
	return left;
}
