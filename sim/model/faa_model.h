/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The C model of faa
 *
 * The executable specification: Documentation/device.rst and commands.rst,
 * sentence by sentence, behind the interface of faa_engine.h. Commands of one
 * stream execute in order and complete at once, so barriers are always free
 * and fences have nothing to wait for; compute units interleave warp by warp
 * in a seeded random order, and error_rate injects bus errors.
 */
#ifndef FAA_MODEL_H
#define FAA_MODEL_H

#include "faa_engine.h"

/** struct faa_model_params - the size of the modelled device */
struct faa_model_params {
	/** @num_cus: compute units, 1..8. */
	unsigned int num_cus;
	/** @num_queues: hardware queues, 1..16. */
	unsigned int num_queues;
	/** @shared_max: shared memory of a CU in bytes, multiple of 128, at most 16 MiB. */
	uint32_t shared_max;
};

/** FAA_MODEL_DEFAULT - the size of faa_engine_model's devices, that of the default RTL build */
#define FAA_MODEL_DEFAULT    \
	{                    \
		2, 16, 65536 \
	}

/**
 * faa_model_create() - a modelled device of a given size
 * @config: the host's side, as for faa_engine_ops.create
 * @params: its size
 *
 * Return: the device just out of reset, to be used with faa_engine_model's other operations; NULL with errno EINVAL
 * (a size out of range) or ENOMEM.
 */
struct faa_engine *faa_model_create(const struct faa_engine_config *config,
				    const struct faa_model_params *params);

#endif /* FAA_MODEL_H */
