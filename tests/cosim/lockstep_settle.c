// SPDX-License-Identifier: MIT
/*
 * Streams that run together must not fail at an arbitrary time: cases are changed until none does
 * on the model.
 */
#include <endian.h>

#include "lockstep.h"

/* Rounds of ls_settle(). */
#define SETTLE_ROUNDS 60

static const struct faa_issue plain = FAA_ISSUE_DEFAULT;

/* Number of streams of the job that begins with stream @first. */
static unsigned int group_size(const struct ls_case *c, unsigned int first)
{
	unsigned int n = 1;

	while (first + n < c->num_jobs && (c->jobs[first + n - 1].flags & FAA_JOB_FLAG_TOGETHER))
		n++;
	return n;
}

/* The index of the command at a byte offset, or the number of commands. */
static unsigned int command_at(const struct ls_job *job, uint32_t offset)
{
	uint32_t at = 0;
	unsigned int i;

	for (i = 0; i < job->count && at < offset; i++)
		at += 8 * job->commands[i].count;
	return at == offset ? i : job->count;
}

/* Replaces a command by NOPs of its size, so that targets of jumps stay. */
static void make_nop(struct ls_command *command)
{
	for (unsigned int i = 0; i < command->count; i++)
		faa_encode_nop(&command->words[i], &plain);
}

static bool any_flip(const struct ls_case *c, unsigned int first, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		if (c->jobs[first + i].flip)
			return true;
	return false;
}

/* enum verdict - consequence of the way in which the streams of a job ended */
enum verdict { VERDICT_GOOD, VERDICT_CHANGED, VERDICT_HOPELESS };

/* Replaces the commands of a job's streams that failed before the tail. */
static enum verdict settle_group(struct ls_case *c, unsigned int first, unsigned int count,
				 const struct faa_status statuses[LS_JOBS])
{
	enum verdict verdict = VERDICT_GOOD;

	if (any_flip(c, first, count))
		return VERDICT_GOOD;
	for (unsigned int i = 0; i < count; i++) {
		struct ls_job *job = &c->jobs[first + i];
		const struct faa_status *status = &statuses[first + i];
		unsigned int at = command_at(job, le32toh(status->command));
		uint32_t code = le32toh(status->code);

		if (code == FAA_ERROR_SUCCESS || (at >= job->tail && at < job->count))
			continue;
		if (code == FAA_ERROR_STOPPED) {
			/* Stopped by a failing stream, which this round finds as well. */
			if (verdict == VERDICT_GOOD)
				verdict = VERDICT_HOPELESS;
			continue;
		}
		if (at == job->count)
			return VERDICT_HOPELESS;
		make_nop(&job->commands[at]);
		verdict = VERDICT_CHANGED;
	}
	return verdict;
}

bool ls_settle(struct ls_case *c, const struct ls_side *side)
{
	struct faa_status statuses[LS_JOBS];

	for (unsigned int round = 0; round < SETTLE_ROUNDS && ls_has_groups(c); round++) {
		bool changed = false;

		if (!ls_run_model(c, side, statuses))
			return false;
		for (unsigned int j = 0, n; j < c->num_jobs; j += n) {
			n = group_size(c, j);
			if (n == 1)
				continue;
			switch (settle_group(c, j, n, statuses)) {
			case VERDICT_HOPELESS:
				return false;
			case VERDICT_CHANGED:
				changed = true;
				break;
			default:
				break;
			}
		}
		if (!changed)
			return true;
	}
	return !ls_has_groups(c);
}

void ls_mend(struct ls_case *c)
{
	for (unsigned int j = 0; j < c->num_jobs; j++) {
		struct ls_job *job = &c->jobs[j];
		bool followed = j + 1 < c->num_jobs && job[1].queue == job->queue &&
				job[1].slot == job->slot + 1;

		if (!followed)
			job->flags &= ~(uint32_t)FAA_JOB_FLAG_TOGETHER;
	}
}
