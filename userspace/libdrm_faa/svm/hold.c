// SPDX-License-Identifier: MIT
#include "hold.h"
#include "bind.h"
#include "parts.h"
#include "share.h"

#include <errno.h>

#define PAGE	  4096ull
#define WINDOW	  (64ull << 10)
#define MAX_AGAIN 32
#define MAX_TRIES 30

static bool hold_is_held(const struct faa_holds *holds, uint64_t address)
{
	unsigned int i;

	for (i = 0; i < holds->count; i++)
		if (address >= holds->hold[i].start && address < holds->hold[i].end)
			return true;
	return false;
}

static int hold_range(struct faa_vm *vm, const struct faa_hold *hold)
{
	return faa_share_bind(vm, hold->start, hold->end, hold->writable, true);
}

int faa_hold(struct faa_vm *vm, uint32_t code, uint64_t address, struct faa_holds *holds)
{
	uint64_t start = address & ~(WINDOW - 1), page = address & ~(PAGE - 1);
	struct faa_hold *hold = &holds->hold[holds->count];
	struct faa_vma vma;
	int ret;

	if (holds->count == FAA_HOLDS ||
	    (hold_is_held(holds, address) && ++holds->again > MAX_AGAIN))
		return -ENOSPC;
	ret = faa_share_find(vm->share, code, address, &vma);
	if (ret)
		return ret;
	*hold = (struct faa_hold){ start, start + WINDOW, vma.writable };
	if (hold->start < vma.start)
		hold->start = vma.start;
	if (hold->end > vma.end)
		hold->end = vma.end;
	ret = hold_range(vm, hold);
	/* A part of it does not exist, as after the end of a file. */
	if (ret && ret != -ENODEV) {
		hold->start = page;
		hold->end = page + PAGE;
		ret = hold_range(vm, hold);
	}
	if (!ret)
		holds->count++;
	return ret;
}

/*
 * A range that cannot be mapped any more is unmapped: changes of it must not wait for later jobs.
 */
static void hold_release(struct faa_vm *vm, const struct faa_hold *hold)
{
	struct faa_bind unmap = { .op = FAA_BIND_UNMAP,
				  .va = hold->start,
				  .size = hold->end - hold->start };
	unsigned int tries = 0;

	if (!faa_share_bind(vm, hold->start, hold->end, hold->writable, false))
		return;
	while (faa_bind_one(vm, &unmap) == -ENOMEM && ++tries < MAX_TRIES)
		faa_part_pause(tries);
}

void faa_hold_release(struct faa_vm *vm, struct faa_holds *holds)
{
	while (holds->count)
		hold_release(vm, &holds->hold[--holds->count]);
	holds->again = 0;
}
