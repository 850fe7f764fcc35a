/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: Which queue has which compute unit
 *
 * The flight recorder shows accesses, which do not tell where a job runs. With --record-units the
 * state of each compute unit is read between steps of the engine, and its changes are recorded. The
 * reads take clock cycles only while the engine has work, and delay no job.
 */
#ifndef FAA_VDEV_UNITS_H
#define FAA_VDEV_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "faa_engine.h"
#include "faa_regs.h"
#include "recorder.h"

/** UNITS_PERIOD - clock cycles from one reading to the next */
#define UNITS_PERIOD 32

/** struct units - the last states */
struct units {
	/** @count: compute units; 0: nothing is watched. */
	unsigned int count;
	/** @state: register STATE of each. */
	uint32_t state[FAA_REG_CU_COUNT];
};

/** units_reset() - watch the units of an engine after reset; @watch false: watch none. */
void units_reset(struct units *units, bool watch, const struct faa_engine_ops *ops,
		 struct faa_engine *engine);

/** units_look() - read the states, and record those that have changed. */
void units_look(struct units *units, const struct faa_engine_ops *ops, struct faa_engine *engine,
		struct recorder *recorder);

#endif /* FAA_VDEV_UNITS_H */
