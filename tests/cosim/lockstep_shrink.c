// SPDX-License-Identifier: MIT
/* Makes a differing case smaller: jobs, commands, elements, operands, issue fields. */
#include <string.h>
#include <time.h>

#include "lockstep.h"

#define SECONDS 240
/* Orders of streams that a smaller case must not depend on. */
#define ORDERS 4

/* struct shrinker - the search */
struct shrinker {
	struct ls_case *best;
	struct ls_case trial;
	const struct ls_side *sides;
	time_t end;
};

/* Whether the model has the same results in some orders of the streams that run together. */
static bool fixed(const struct shrinker *s)
{
	char message[LS_MESSAGE];
	struct ls_totals totals = { 0 };
	struct ls_side sides[2] = { s->sides[0], s->sides[0] };

	for (unsigned int i = 0; i < ORDERS && ls_has_groups(&s->trial); i++) {
		sides[1].mem.seed++;
		if (ls_run(&s->trial, sides, true, &totals, message) != LS_SAME)
			return false;
	}
	return true;
}

/* Keeps the trial if it still differs. */
static bool keep(struct shrinker *s)
{
	char message[LS_MESSAGE];
	struct ls_totals totals = { 0 };

	ls_mend(&s->trial);
	if (time(NULL) > s->end || !fixed(s) ||
	    ls_run(&s->trial, s->sides, true, &totals, message) != LS_DIFFERENT)
		return false;
	*s->best = s->trial;
	return true;
}

static bool drop_jobs(struct shrinker *s)
{
	bool progress = false;

	for (unsigned int step = s->best->num_jobs; step; step /= 2) {
		for (unsigned int j = s->best->num_jobs; j >= step; j--) {
			unsigned int first = j - step;

			if (j > s->best->num_jobs)
				continue;
			s->trial = *s->best;
			memmove(&s->trial.jobs[first], &s->trial.jobs[j],
				(s->trial.num_jobs - j) * sizeof(s->trial.jobs[0]));
			s->trial.num_jobs -= step;
			progress |= keep(s);
		}
	}
	return progress;
}

static bool drop_commands(struct shrinker *s, unsigned int j)
{
	bool progress = false;

	for (unsigned int step = s->best->jobs[j].count; step; step /= 2) {
		for (unsigned int i = s->best->jobs[j].count; i >= step; i--) {
			struct ls_job *job = &s->trial.jobs[j];
			unsigned int first = i - step;

			if (i > s->best->jobs[j].count)
				continue;
			s->trial = *s->best;
			if (job->count == step)
				continue;
			memmove(&job->commands[first], &job->commands[i],
				(job->count - i) * sizeof(job->commands[0]));
			job->count -= step;
			progress |= keep(s);
		}
	}
	return progress;
}

/* Decodes a command if it is complete; encoding it again gives the same words. */
static bool take_apart(const struct ls_command *command, struct faa_issue *issue,
		       struct faa_vector *v)
{
	struct faa_operand *operands[4] = { &v->a, &v->b, &v->c, &v->d };
	uint64_t header = command->words[0], again[FAA_MAX_COMMAND_WORDS];
	unsigned int at = 3;

	if (command->count < 3 || FAA_GET(HEADER_OPCODE, header) < FAA_OPCODE_MOV)
		return false;
	memset(v, 0, sizeof(*v));
	v->opcode = FAA_GET(HEADER_OPCODE, header);
	v->op = FAA_GET(HEADER_OP, header);
	v->type = FAA_GET(HEADER_TYPE, header);
	v->mod = FAA_GET(HEADER_MOD, header);
	v->count = FAA_GET(SHAPE_COUNT, command->words[1]);
	v->offset = (int32_t)FAA_GET(REGS_OFFSET, command->words[2]);
	v->scope = FAA_GET(ACCESS_SCOPE, command->words[1]);
	v->order = FAA_GET(ACCESS_ORDER, command->words[1]);
	v->strong = FAA_GET(STRONG_STRONG, command->words[1]);
	issue->guard = FAA_GET(HEADER_GUARD, header);
	issue->guard_negate = FAA_GET(HEADER_GUARD_NEGATE, header);
	issue->wait_mask = FAA_GET(HEADER_WAIT_MASK, header);
	issue->read_barrier = FAA_GET(HEADER_READ_BARRIER, header);
	issue->write_barrier = FAA_GET(HEADER_WRITE_BARRIER, header);
	for (unsigned int slot = 0; slot < 4; slot++) {
		struct faa_operand *o = operands[slot];
		const uint64_t *words = command->words + at;

		o->kind = command->words[1] >> (40 + 3 * slot) & 7;
		o->reg = command->words[2] >> 8 * slot;
		at += faa_operand_words(o->kind);
		if (at > command->count)
			return false;
		if (faa_operand_words(o->kind) > 0)
			o->value = words[0];
		if (o->kind == FAA_KIND_AFFINE)
			o->step = words[1];
		if (o->kind == FAA_KIND_STREAM) {
			o->stride = (int32_t)FAA_GET(STREAM_STRIDE, words[1]);
			o->type = FAA_GET(STREAM_TYPE, words[1]);
			o->shift = FAA_GET(STREAM_SHIFT, words[1]);
			o->step = words[2];
		}
	}
	return faa_encode_vector(again, issue, v) == command->count &&
	       !memcmp(again, command->words, command->count * sizeof(again[0]));
}

static bool try_vector(struct shrinker *s, unsigned int j, unsigned int i,
		       const struct faa_issue *issue, const struct faa_vector *v)
{
	struct ls_command *command = &s->trial.jobs[j].commands[i];

	s->trial = *s->best;
	command->count = faa_encode_vector(command->words, issue, v);
	return keep(s);
}

static bool fewer_elements(struct shrinker *s, unsigned int j, unsigned int i)
{
	struct faa_issue issue;
	struct faa_vector v;
	bool progress = false;

	for (uint64_t step = 1ULL << 32; step; step /= 2) {
		if (!take_apart(&s->best->jobs[j].commands[i], &issue, &v))
			return progress;
		if (v.count <= step)
			continue;
		v.count -= step;
		progress |= try_vector(s, j, i, &issue, &v);
	}
	return progress;
}

static bool plainer_issue(struct shrinker *s, unsigned int j, unsigned int i)
{
	struct faa_issue issue, plain = FAA_ISSUE_DEFAULT;
	struct faa_vector v;

	if (!take_apart(&s->best->jobs[j].commands[i], &issue, &v) ||
	    !memcmp(&issue, &plain, sizeof(issue)))
		return false;
	if (try_vector(s, j, i, &plain, &v))
		return true;
	plain.guard = issue.guard;
	plain.guard_negate = issue.guard_negate;
	return memcmp(&issue, &plain, sizeof(issue)) && try_vector(s, j, i, &plain, &v);
}

static bool plainer_operands(struct shrinker *s, unsigned int j, unsigned int i)
{
	bool progress = false;

	for (unsigned int slot = 0; slot < 4; slot++) {
		struct faa_issue issue;
		struct faa_vector v;
		struct faa_operand *operands[4] = { &v.a, &v.b, &v.c, &v.d };
		struct faa_operand plain = { .kind = slot == 3 ? FAA_KIND_NONE : FAA_KIND_IMM };

		if (!take_apart(&s->best->jobs[j].commands[i], &issue, &v))
			return progress;
		if (operands[slot]->kind == FAA_KIND_NONE || operands[slot]->kind == plain.kind)
			continue;
		*operands[slot] = plain;
		progress |= try_vector(s, j, i, &issue, &v);
	}
	return progress;
}

static bool plainer_jobs(struct shrinker *s)
{
	bool progress = false;

	for (unsigned int j = 0; j < s->best->num_jobs; j++) {
		const struct ls_job *job = &s->best->jobs[j];

		if (!job->delay && !job->flags && !job->flip && !job->first_element)
			continue;
		s->trial = *s->best;
		s->trial.jobs[j].delay = 0;
		s->trial.jobs[j].flags = 0;
		s->trial.jobs[j].flip = 0;
		s->trial.jobs[j].first_element = 0;
		progress |= keep(s);
	}
	return progress;
}

static bool fewer_queues(struct shrinker *s)
{
	unsigned int last = s->best->num_queues - 1;

	for (unsigned int j = 0; j < s->best->num_jobs; j++)
		if (s->best->jobs[j].queue == last)
			return false;
	if (!last)
		return false;
	s->trial = *s->best;
	s->trial.num_queues--;
	return keep(s);
}

void ls_shrink(struct ls_case *c, const struct ls_side sides[2])
{
	static struct shrinker s;
	bool progress = true;

	s.best = c;
	s.sides = sides;
	s.end = time(NULL) + SECONDS;
	while (progress && time(NULL) < s.end) {
		progress = drop_jobs(&s);
		for (unsigned int j = 0; j < c->num_jobs; j++)
			progress |= drop_commands(&s, j);
		progress |= plainer_jobs(&s);
		progress |= fewer_queues(&s);
		for (unsigned int j = 0; j < c->num_jobs; j++) {
			for (unsigned int i = 0; i < c->jobs[j].count; i++) {
				progress |= fewer_elements(&s, j, i);
				progress |= plainer_issue(&s, j, i);
				progress |= plainer_operands(&s, j, i);
			}
		}
	}
}
