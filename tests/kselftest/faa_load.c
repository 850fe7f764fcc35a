// SPDX-License-Identifier: MIT
#include "faa_load.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faa_test.h"

enum { WORDS = 64, SHARED = 4 * WORDS };

/* A job of a queue that has ended @rounds jobs: 1 more in each word, and all of them to memory. */
static int worker_job(struct client *c, uint32_t rounds)
{
	int ret;

	put_atoms(c, FAA_ATOMS_OP_ADD, FAA_TYPE_U32, WORDS, op_none(), op_affine(0, 4), op_imm(1));
	put_lds(c, FAA_TYPE_U32, WORDS, op_stream(DATA_VA, FAA_TYPE_U32, 4), op_affine(0, 4));
	put_end(c);
	ret = client_run(c, NULL);
	c->words = 0;
	for (unsigned int i = 0; !ret && i < WORDS; i++)
		if (c->data32[i] != rounds + 1)
			return -EIO;
	return ret;
}

/* A job that did not end well: its queue must be dead, of a reset, and its record must say so. */
static int worker_lost(struct client *c, int error)
{
	struct drm_faa_queue_get_state state;
	struct drm_faa_status status;
	int ret = queue_state(c->fd, c->queue, &state);

	if (ret)
		return ret;
	if (error != -ECANCELED ||
	    state.state != (DRM_FAA_QUEUE_STATE_DEAD | DRM_FAA_QUEUE_STATE_RESET) ||
	    state.completed != state.submitted)
		return -EPROTO;
	/* A job that was refused has no record. */
	if (!state.failed)
		return 0;
	if (!client_status(c, state.submitted, &status))
		return -EBADMSG;
	return status.code == FAA_ERROR_CU_RESET || status.code == FAA_ERROR_KILLED ||
			       status.code == FAA_ERROR_CANCELLED ?
		       0 :
		       -EBADMSG;
}

/* An invalidation, the end of an idle queue and, with @hang, of one whose job runs. */
static int worker_meet(struct client *c, uint64_t *seed, bool hang)
{
	const uint64_t va = DATA_VA + DATA_BYTES;
	int ret;

	ret = vm_map(c->fd, c->vm, c->data_bo, 0, va, PAGE, 0);
	if (!ret)
		ret = vm_unmap(c->fd, c->vm, va, PAGE);
	if (ret || !hang || random_next(seed) % 4)
		return ret;
	put_jump(c, 0);
	ret = client_submit(c, NULL);
	c->words = 0;
	/* It may be dead already. */
	return ret == -ECANCELED ? 0 : ret;
}

/* Works until told to stop; returns an error that nothing explains, or 0. */
static int worker_run(struct load_tally *tally, unsigned int index, uint64_t seed, bool hang)
{
	while (!tally->stop) {
		struct client c;
		int ret = client_open(&c, SHARED);

		for (uint32_t i = 0; !ret && i < 20; i++) {
			ret = worker_job(&c, i);
			if (!ret)
				tally->jobs[index]++;
		}
		if (ret && c.fd >= 0) {
			ret = worker_lost(&c, ret);
			tally->lost[index]++;
		} else if (!ret) {
			ret = worker_meet(&c, &seed, hang);
		}
		if (!ret)
			ret = client_close(&c);
		if (ret)
			return ret;
	}
	return 0;
}

int load_start(struct load *load, uint64_t seed, bool hang)
{
	load->tally = mmap(NULL, sizeof(*load->tally), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (load->tally == MAP_FAILED)
		return -errno;
	fflush(stdout);
	for (unsigned int i = 0; i < LOAD_WORKERS; i++) {
		load->pid[i] = fork();
		if (!load->pid[i])
			_exit(-worker_run(load->tally, i, seed * LOAD_WORKERS + i, hang));
		if (load->pid[i] < 0)
			return -errno;
	}
	return 0;
}

static uint32_t sum(const volatile uint32_t *counts)
{
	uint32_t total = 0;

	for (unsigned int i = 0; i < LOAD_WORKERS; i++)
		total += counts[i];
	return total;
}

uint32_t load_jobs(const struct load *load)
{
	return sum(load->tally->jobs);
}

uint32_t load_lost(const struct load *load)
{
	return sum(load->tally->lost);
}

int load_stop(struct load *load, unsigned int *which)
{
	int status, ret = 0;

	load->tally->stop = 1;
	for (unsigned int i = 0; i < LOAD_WORKERS; i++) {
		int error = 0;

		if (waitpid(load->pid[i], &status, 0) != load->pid[i] || !WIFEXITED(status))
			error = -ECHILD;
		else if (WEXITSTATUS(status))
			error = -WEXITSTATUS(status);
		else if (!load->tally->jobs[i])
			error = -ENODATA;
		if (error && !ret) {
			ret = error;
			*which = i;
		}
	}
	return ret;
}
