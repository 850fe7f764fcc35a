// SPDX-License-Identifier: Apache-2.0
/*
 * Who executes the next unit. Units are indivisible, so that what streams see of
 * each other is one of the orders in which they could have executed one after
 * the other; which of them, the seed says. Turns of many units are among them:
 * an order in which one stream is far ahead of another is as likely as one in
 * which they take turns.
 */
#include "model.h"

#define LONGEST_LOG2 5
#define TURNS_MAX    (FAA_MAX_CUS * FAA_MAX_SLOTS)

/* Lists those who can go on: CUs that begin a job, and the streams of the others. */
static unsigned int candidates(struct faa_engine *engine, struct turn turns[TURNS_MAX])
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < engine->params.num_cus; i++) {
		struct cu *cu = &engine->cus[i];

		if (!cu->busy)
			continue;
		if (cu->phase != JOB_STREAMS) {
			turns[n++] = (struct turn){ .cu = cu };
			continue;
		}
		for (unsigned int j = 0; j < cu->streams; j++)
			if (cu->slots[j].stream.phase != STREAM_ENDED)
				turns[n++] = (struct turn){ .cu = cu, .ws = &cu->slots[j] };
	}
	return n;
}

/* Whoever executes the next unit; no CU if nobody can. */
struct turn turn_next(struct faa_engine *engine)
{
	struct turn turns[TURNS_MAX], nobody = { 0 };
	unsigned int n = candidates(engine, turns);

	if (n == 0)
		return nobody;
	for (unsigned int i = 0; i < n && engine->turn_units; i++) {
		if (turns[i].cu == engine->turn.cu && turns[i].ws == engine->turn.ws) {
			engine->turn_units--;
			return turns[i];
		}
	}
	engine->turn = turns[model_random(engine) % n];
	engine->turn_units = (1u << model_random(engine) % (LONGEST_LOG2 + 1)) - 1;
	return engine->turn;
}
