// SPDX-License-Identifier: MIT
/* Commands by which the streams of a job synchronize. */
#include "lockstep.h"

/* A row of the exchange: LANES words for each stream. */
#define LANES	     8
#define EXCHANGE_REG 3

static const struct faa_issue plain = FAA_ISSUE_DEFAULT;

static struct ls_command *next_command(struct ls_job *job)
{
	return &job->commands[job->count++];
}

static struct faa_operand affine(uint64_t base, uint64_t step)
{
	struct faa_operand operand = { .kind = FAA_KIND_AFFINE, .value = base, .step = step };

	return operand;
}

void ls_add_bar(struct ls_job *job)
{
	struct ls_command *command = next_command(job);

	command->count = faa_encode_bar(command->words, &plain, FAA_BAR_OP_SYNC);
}

void ls_add_exchange(struct ls_job *job, unsigned int member, unsigned int count)
{
	struct faa_operand reg = { .kind = FAA_KIND_REG, .reg = EXCHANGE_REG };
	unsigned int other = (member + 1) % count;
	struct ls_command *command = next_command(job);

	command->count = faa_encode_sts(command->words, &plain, FAA_TYPE_U32, LANES,
					affine(4 * LANES * member, 4), 0,
					affine(member * 0x1111, 0x10001));
	ls_add_bar(job);
	command = next_command(job);
	command->count = faa_encode_lds(command->words, &plain, FAA_TYPE_U32, LANES, reg,
					affine(4 * LANES * other, 4), 0);
	ls_add_bar(job);
}

/* The word by which stream @slot of a queue signals that it has reached its BAR. */
static uint64_t meeting(unsigned int queue, unsigned int slot)
{
	return ls_base(queue) + LS_MEET + 8 * slot;
}

/* A command that fails for any contents of registers. */
static void add_bad_command(struct ls_job *job, unsigned int kind)
{
	struct ls_command *command = next_command(job);
	struct faa_operand value = affine(1, 1);
	uint64_t hole = ls_base(ls_part(job)) + LS_DATA + LS_DATA_BYTES;

	switch (kind % 4) {
	case 0:
		command->count = 1;
		command->words[0] = 0xff;
		break;
	case 1:
		/* In the second warp. */
		command->count = faa_encode_st(command->words, &plain, FAA_TYPE_U32, 64,
					       affine(hole - 40 * 4, 4), 0, value);
		break;
	case 2:
		command->count = faa_encode_sts(command->words, &plain, FAA_TYPE_U32, 32,
						affine(FAA_SHARED_WINDOW_BYTES - 64, 4), 0, value);
		break;
	default:
		command->count =
			faa_encode_jump(command->words, &plain, FAA_JUMP_COND_ALWAYS, -1000000);
	}
}

void ls_add_failure(struct ls_job *jobs, unsigned int count, unsigned int first,
		    unsigned int failing, unsigned int kind)
{
	uint64_t number = first + 1;

	for (unsigned int i = 0; i < count; i++) {
		struct ls_command *command;

		if (i == failing)
			continue;
		command = next_command(&jobs[i]);
		command->count = faa_encode_sem_signal(command->words, &plain, FAA_SEM_OP_SET,
						       meeting(jobs[i].queue, i), number);
		ls_add_bar(&jobs[i]);
		command = next_command(&jobs[failing]);
		command->count = faa_encode_sem_wait(command->words, &plain, FAA_SEM_COND_GE,
						     meeting(jobs[i].queue, i), number);
	}
	add_bad_command(&jobs[failing], kind);
}
