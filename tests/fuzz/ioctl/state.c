// SPDX-License-Identifier: MIT
/* Files, objects and memory of the program that runs. */
#include "fuzz.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "faa_test.h"

#define STATE_OBJECTS 32u
#define STATE_SCRATCH 0x20000u

/* Objects of one file of the device, the newest ones. */
struct state_file {
	int fd;
	uint32_t names[FUZZ_KINDS][STATE_OBJECTS];
	unsigned int counts[FUZZ_KINDS];
};

static struct {
	struct state_file files[2];
	unsigned int current;
	uint8_t *memory, *scratch, *torn;
	size_t used;
	uint64_t *streams;
} state;

static void *state_map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

int fuzz_keep_own(void *at, size_t size)
{
	return madvise(at, size, MADV_DONTFORK) ? -errno : 0;
}

void *fuzz_map_own(size_t size)
{
	void *at = state_map(size);

	return at && !fuzz_keep_own(at, size) ? at : NULL;
}

/* The parts that every program needs: otherwise few would get as far as a job. */
static int state_begin(struct state_file *file, uint64_t **streams)
{
	struct drm_faa_queue_create queue;
	uint32_t bo, vm;
	int ret = bo_create(file->fd, FUZZ_STREAM_BYTES, &bo);

	if (!ret)
		ret = vm_create(file->fd, &vm);
	if (!ret)
		ret = vm_map(file->fd, vm, bo, 0, FUZZ_VA, FUZZ_STREAM_BYTES,
			     DRM_FAA_VM_BIND_ATOMIC);
	if (!ret)
		ret = queue_create(file->fd, vm, 1024, &queue);
	if (ret)
		return ret;
	*streams = bo_mmap(file->fd, bo, FUZZ_STREAM_BYTES, PROT_READ | PROT_WRITE);
	if (!*streams)
		return -errno;
	fuzz_add(FUZZ_BO, bo);
	fuzz_add(FUZZ_BO, queue.status_handle);
	fuzz_add(FUZZ_VM, vm);
	fuzz_add(FUZZ_QUEUE, queue.queue_id);
	return 0;
}

int fuzz_state_open(void)
{
	unsigned int i;

	memset(&state, 0, sizeof(state));
	for (i = 0; i < 2; i++) {
		state.files[i].fd = faa_open();
		if (state.files[i].fd < 0)
			return state.files[i].fd;
	}
	state.memory = state_map(FUZZ_MEMORY_BYTES);
	state.scratch = state_map(STATE_SCRATCH);
	state.torn = state_map(2 * PAGE);
	if (!state.memory || !state.scratch || !state.torn || munmap(state.torn + PAGE, PAGE))
		return -ENOMEM;
	return state_begin(&state.files[0], &state.streams);
}

void fuzz_state_close(void)
{
	unsigned int i, fd;

	for (i = 0; i < 2; i++) {
		for (fd = 0; fd < state.files[i].counts[FUZZ_FD] && fd < STATE_OBJECTS; fd++)
			close(state.files[i].names[FUZZ_FD][fd]);
		if (state.files[i].fd > 0)
			close(state.files[i].fd);
	}
	if (state.streams)
		munmap(state.streams, FUZZ_STREAM_BYTES);
	munmap(state.memory, FUZZ_MEMORY_BYTES);
	munmap(state.scratch, STATE_SCRATCH);
	munmap(state.torn, PAGE);
}

int fuzz_fd(void)
{
	return state.files[state.current].fd;
}

void fuzz_switch(bool again)
{
	struct state_file *file;
	unsigned int fd;

	state.current = !state.current;
	file = &state.files[state.current];
	if (!again)
		return;
	for (fd = 0; fd < file->counts[FUZZ_FD] && fd < STATE_OBJECTS; fd++)
		close(file->names[FUZZ_FD][fd]);
	close(file->fd);
	memset(file, 0, sizeof(*file));
	file->fd = faa_open();
}

void fuzz_add(enum fuzz_kind kind, uint32_t name)
{
	struct state_file *file = &state.files[state.current];
	unsigned int at = file->counts[kind]++ % STATE_OBJECTS;

	if (kind == FUZZ_FD && file->counts[kind] > STATE_OBJECTS)
		close(file->names[kind][at]);
	file->names[kind][at] = name;
}

uint32_t fuzz_pick(enum fuzz_kind kind, uint8_t choice)
{
	const struct state_file *file = &state.files[state.current];
	unsigned int count = file->counts[kind];

	count = count > STATE_OBJECTS ? STATE_OBJECTS : count;
	return count ? file->names[kind][choice % count] : 0;
}

uint8_t *fuzz_memory(void)
{
	return state.memory;
}

void *fuzz_scratch(size_t size)
{
	void *at = state.scratch + state.used;

	size = (size + 7) & ~(size_t)7;
	if (size > STATE_SCRATCH - state.used)
		return NULL;
	state.used += size;
	return at;
}

void *fuzz_torn(size_t size)
{
	return state.torn + PAGE - (size < PAGE ? size : PAGE);
}

uint64_t *fuzz_streams(void)
{
	return state.streams;
}
