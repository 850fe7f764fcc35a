// SPDX-License-Identifier: MIT
#include "share.h"
#include "bind.h"
#include "error.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PAGE	   4096ull
#define MIN_WINDOW (64ull << 10)
#define MAX_WINDOW (32ull << 20)
/* Limit of a step's wait for parts in flight, during which no other part begins. */
#define ALONE_NS  50000000
#define SECOND_NS 1000000000

/* ---- The process's mappings ---- */

/* The next line of the file, truncated: the path at its end is not needed. */
static bool share_next_line(FILE *maps, char *line, int size)
{
	if (!fgets(line, size, maps))
		return false;
	if (!strchr(line, '\n')) {
		int c;

		do
			c = getc(maps);
		while (c != '\n' && c != EOF);
	}
	return true;
}

int faa_vma_search(FILE *maps, uint64_t address, struct faa_vma *vma)
{
	char line[128], access[5];
	uint64_t start, end;

	while (share_next_line(maps, line, sizeof(line))) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &start, &end, access) != 3 ||
		    address >= end)
			continue;
		if (address < start)
			break;
		*vma = (struct faa_vma){ start, end, access[0] == 'r', access[1] == 'w' };
		return 0;
	}
	return -ENOENT;
}

int faa_vma_find(uint64_t address, struct faa_vma *vma)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	int ret;

	if (!maps)
		return -errno;
	ret = faa_vma_search(maps, address, vma);
	fclose(maps);
	return ret;
}

/* ---- The range to map ---- */

static uint64_t share_round_down(uint64_t value, uint64_t to)
{
	return value & ~(to - 1);
}

static uint64_t share_round_up(uint64_t value, uint64_t to)
{
	return share_round_down(value + to - 1, to);
}

enum relation {
	RELATION_NONE,
	RELATION_INSIDE,
	RELATION_BEHIND,
	RELATION_BEFORE,
};

static enum relation share_relation_of(const struct faa_window *window, uint64_t address)
{
	if (!window->size)
		return RELATION_NONE;
	if (address >= window->start && address < window->end)
		return RELATION_INSIDE;
	if (address >= window->end && address - window->end < window->size)
		return RELATION_BEHIND;
	if (address < window->start && window->start - address <= window->size)
		return RELATION_BEFORE;
	return RELATION_NONE;
}

/* The window that @address continues, or the one that was used least recently. */
static struct faa_window *share_find_window(struct faa_share *share, uint64_t address,
					    enum relation *relation)
{
	struct faa_window *oldest = share->windows;
	unsigned int i;

	for (i = 0; i < FAA_WINDOWS; i++) {
		struct faa_window *window = &share->windows[i];

		*relation = share_relation_of(window, address);
		if (*relation != RELATION_NONE)
			return window;
		if (window->serial < oldest->serial)
			oldest = window;
	}
	return oldest;
}

struct faa_window *faa_window_choose(struct faa_share *share, uint64_t address,
				     const struct faa_vma *vma)
{
	enum relation relation;
	struct faa_window *window = share_find_window(share, address, &relation);
	uint64_t size = MIN_WINDOW, start, end;

	if (relation == RELATION_INSIDE)
		size = window->size;
	else if (relation != RELATION_NONE)
		size = window->size < MAX_WINDOW ? window->size * 2 : MAX_WINDOW;
	if (relation == RELATION_BEFORE) {
		end = share_round_up(address + 1, MIN_WINDOW);
		start = end > size ? end - size : 0;
	} else {
		start = share_round_down(address, MIN_WINDOW);
		end = start + size;
	}
	/* The pieces of a large area may become large pages. */
	if (size >= FAA_LARGE_PAGE && relation == RELATION_BEFORE)
		start = share_round_down(start, FAA_LARGE_PAGE);
	else if (size >= FAA_LARGE_PAGE)
		end = share_round_up(end, FAA_LARGE_PAGE);
	window->size = size;
	window->start = start > vma->start ? start : vma->start;
	window->end = end < vma->end ? end : vma->end;
	return window;
}

/* The window that holds @address with sufficient access, or NULL. */
static const struct faa_window *share_window_of(const struct faa_share *share, uint64_t address,
						bool for_writing)
{
	const struct faa_window *newest = NULL;
	unsigned int i;

	for (i = 0; i < FAA_WINDOWS; i++) {
		const struct faa_window *window = &share->windows[i];

		if ((window->writable || !for_writing) &&
		    share_relation_of(window, address) == RELATION_INSIDE &&
		    (!newest || newest->serial < window->serial))
			newest = window;
	}
	return newest;
}

int faa_share_bind(struct faa_vm *vm, uint64_t start, uint64_t end, bool writable, bool stays)
{
	struct faa_bind bind = {
		.op = FAA_BIND_MAP_USERPTR,
		.flags = (stays ? 0 : FAA_MAP_FAULTABLE) |
			 (writable ? FAA_MAP_ATOMIC : FAA_MAP_READONLY),
		.address = (void *)(uintptr_t)start,
		.va = start,
		.size = end - start,
	};

	return faa_bind_one(vm, &bind);
}

/*
 * Lock held. A window that cannot be bound as a whole, as after the end of a file, is bound by the
 * page.
 */
static int share_bind_window(struct faa_vm *vm, struct faa_window *window, uint64_t address,
			     bool writable)
{
	int ret = faa_share_bind(vm, window->start, window->end, writable, false);

	if (ret && ret != -ENODEV && window->end - window->start > PAGE) {
		window->start = share_round_down(address, PAGE);
		window->end = window->start + PAGE;
		window->size = MIN_WINDOW;
		ret = faa_share_bind(vm, window->start, window->end, writable, false);
	}
	if (ret) {
		window->size = 0;
		return ret;
	}
	window->writable = writable;
	window->serial = ++vm->share->serial;
	return 0;
}

int faa_share_find(const struct faa_share *share, uint32_t code, uint64_t address,
		   struct faa_vma *vma)
{
	int ret;

	if (address >= share->end)
		return -EFAULT;
	ret = faa_vma_find(address, vma);
	if (ret == -ENOENT || (!ret && !vma->readable))
		return -EFAULT;
	return !ret && code != FAA_ERROR_NOT_MAPPED && !vma->writable ? -EPERM : ret;
}

/* Lock held. */
static int share_bind_missing(struct faa_vm *vm, uint32_t code, uint64_t address)
{
	struct faa_vma vma;
	int ret = faa_share_find(vm->share, code, address, &vma);

	if (ret)
		return ret;
	return share_bind_window(vm, faa_window_choose(vm->share, address, &vma), address,
				 vma.writable);
}

int faa_share_fault(struct faa_vm *vm, uint32_t code, uint64_t address, uint64_t since, bool *lost)
{
	struct faa_share *share = vm->share;
	const struct faa_window *window;
	int ret = 0;

	pthread_mutex_lock(&share->lock);
	/* Ranges that a step holds must not change. */
	while (share->alone)
		pthread_cond_wait(&share->changed, &share->lock);
	window = share_window_of(share, address, code != FAA_ERROR_NOT_MAPPED);
	*lost = window && window->serial <= since;
	if (!window || *lost)
		ret = share_bind_missing(vm, code, address);
	pthread_mutex_unlock(&share->lock);
	return ret;
}

/* ---- Parts of jobs, and steps, which are alone ---- */

void faa_share_begin_part(struct faa_share *share)
{
	pthread_mutex_lock(&share->lock);
	while (share->alone)
		pthread_cond_wait(&share->changed, &share->lock);
	share->parts++;
	pthread_mutex_unlock(&share->lock);
}

void faa_share_end_part(struct faa_share *share)
{
	pthread_mutex_lock(&share->lock);
	if (!--share->parts)
		pthread_cond_broadcast(&share->changed);
	pthread_mutex_unlock(&share->lock);
}

/* Lock held; no part begins, but earlier ones may be in flight. */
static bool share_wait_for_parts(struct faa_share *share)
{
	struct timespec deadline;
	int ret = 0;

	clock_gettime(CLOCK_MONOTONIC, &deadline);
	deadline.tv_nsec += ALONE_NS;
	if (deadline.tv_nsec >= SECOND_NS) {
		deadline.tv_nsec -= SECOND_NS;
		deadline.tv_sec++;
	}
	while (share->parts && !ret)
		ret = pthread_cond_timedwait(&share->changed, &share->lock, &deadline);
	return !share->parts;
}

bool faa_share_begin_alone(struct faa_share *share)
{
	bool alone;

	pthread_mutex_lock(&share->lock);
	while (share->alone)
		pthread_cond_wait(&share->changed, &share->lock);
	share->alone = true;
	alone = share_wait_for_parts(share);
	if (!alone) {
		share->alone = false;
		pthread_cond_broadcast(&share->changed);
	}
	pthread_mutex_unlock(&share->lock);
	return alone;
}

void faa_share_end_alone(struct faa_share *share)
{
	pthread_mutex_lock(&share->lock);
	share->alone = false;
	pthread_cond_broadcast(&share->changed);
	pthread_mutex_unlock(&share->lock);
}

/* ---- Life of a shared VM ---- */

void faa_share_fini(struct faa_share *share)
{
	if (!share)
		return;
	pthread_cond_destroy(&share->changed);
	pthread_mutex_destroy(&share->lock);
}

uint64_t faa_share_serial(struct faa_share *share)
{
	uint64_t serial;

	pthread_mutex_lock(&share->lock);
	serial = share->serial;
	pthread_mutex_unlock(&share->lock);
	return serial;
}

/* Whether the kernel maps memory of processes: binds and unbinds a page of the stack. */
static int share_probe(struct faa_vm *vm, uint64_t page)
{
	struct faa_bind unmap = { .op = FAA_BIND_UNMAP, .va = page, .size = PAGE };
	int ret = faa_share_bind(vm, page, page + PAGE, true, false);

	if (ret == -EINVAL)
		return faa_fail(-EOPNOTSUPP, "the kernel cannot map memory of the process");
	return ret ? ret : faa_bind_one(vm, &unmap);
}

static int share_init_locks(struct faa_share *share)
{
	pthread_condattr_t attributes;
	int ret;

	ret = -pthread_condattr_init(&attributes);
	if (ret)
		return ret;
	ret = -pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	if (!ret)
		ret = -pthread_cond_init(&share->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (ret)
		return ret;
	ret = -pthread_mutex_init(&share->lock, NULL);
	if (ret)
		pthread_cond_destroy(&share->changed);
	return ret;
}

/* Lock of the VM held. */
static int share_locked(struct faa_vm *vm)
{
	uint64_t half = vm->va.end / 2, here = (uintptr_t)&half;
	struct faa_share *share;
	struct faa_va upper;
	struct faa_vma vma;
	int ret;

	if (vm->share)
		return faa_fail(-EALREADY, "the VM shares the process's memory already");
	if (vm->queues || vm->va.count != 1 || vm->va.holes[0].start != vm->va.start ||
	    vm->va.holes[0].end != vm->va.end)
		return faa_fail(-EBUSY, "the VM has a queue, a mapping or a reserved range");
	/* Data of the process has the device's byte order only if that is also the processor's. */
	if (here >= half || htole16(1) != 1)
		return faa_fail(-EOPNOTSUPP, "the processor's addresses or byte order do not let a "
					     "VM have the process's memory in its lower half");
	ret = faa_vma_find(here, &vma);
	if (ret)
		return faa_fail(ret, "/proc/self/maps: %s", strerror(-ret));
	ret = share_probe(vm, share_round_down(here, PAGE));
	if (ret)
		return ret;
	share = calloc(1, sizeof(*share));
	if (!share)
		return faa_fail_memory("a shared VM");
	ret = faa_va_init(&upper, half, vm->va.end);
	if (ret) {
		faa_fail_memory("a shared VM");
		goto err_free;
	}
	ret = faa_fail_lock(share_init_locks(share));
	if (ret)
		goto err_va;
	share->end = half;
	faa_va_fini(&vm->va);
	vm->va = upper;
	vm->share = share;
	return 0;

err_va:
	faa_va_fini(&upper);
err_free:
	free(share);
	return ret;
}

int faa_vm_share_process(struct faa_vm *vm)
{
	int ret = faa_device_check(vm->device);

	if (ret)
		return ret;
	pthread_mutex_lock(&vm->lock);
	ret = share_locked(vm);
	pthread_mutex_unlock(&vm->lock);
	return ret;
}
