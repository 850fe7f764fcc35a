// SPDX-License-Identifier: Apache-2.0
/*
 * Selects the actor of the next unit. Units are indivisible: the streams observe one of the
 * possible interleavings, which the seed selects. Turns may have many units, so that an
 * interleaving in which a stream is far ahead is as likely as one in which streams alternate.
 */
#include "model.h"

#define LONGEST_LOG2 5
#define TURNS_MAX    (FAA_MAX_CUS * FAA_MAX_SLOTS)

/* Lists actors that can run: CUs that begin a job, and the streams of others. */
static unsigned int turn_candidates(struct faa_engine *engine, struct turn turns[TURNS_MAX])
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

/* The actor of the next unit; no CU if none can run. */
struct turn turn_next(struct faa_engine *engine)
{
	struct turn turns[TURNS_MAX], nobody = { 0 };
	unsigned int n = turn_candidates(engine, turns);

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
