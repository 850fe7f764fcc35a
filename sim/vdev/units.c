// SPDX-License-Identifier: Apache-2.0
#include "units.h"

void units_reset(struct units *units, bool watch, const struct faa_engine_ops *ops,
		 struct faa_engine *engine)
{
	uint32_t config;

	*units = (struct units){ 0 };
	if (!watch)
		return;
	config = ops->mmio_read(engine, FAA_REG_CONFIG0);
	units->count = (config & FAA_REG_CONFIG0_NUM_CUS_MASK) >> FAA_REG_CONFIG0_NUM_CUS_SHIFT;
	if (units->count > FAA_REG_CU_COUNT)
		units->count = FAA_REG_CU_COUNT;
}

void units_look(struct units *units, const struct faa_engine_ops *ops, struct faa_engine *engine,
		struct recorder *recorder)
{
	for (unsigned int i = 0; i < units->count; i++) {
		uint32_t state = ops->mmio_read(engine, FAA_REG_CU_STATE(i));

		if (state == units->state[i])
			continue;
		units->state[i] = state;
		recorder_add(recorder, REC_UNIT, ops->cycle(engine), i, 0, sizeof(state), state);
	}
}
