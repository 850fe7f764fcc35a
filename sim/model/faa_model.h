/* SPDX-License-Identifier: Apache-2.0 */
/**
 * DOC: The C model of faa
 *
 * The executable specification: it implements Documentation/device.rst, commands.rst and
 * surfaces.rst sentence by sentence, with the interface of faa_engine.h. Commands of one stream
 * execute in order and complete at once, so barriers are always free, and fences have nothing to
 * wait for. The streams of a job and of several compute units take turns of one or more warps or
 * commands, in an order drawn from the seed in faa_mem_config. Every execution is sequentially
 * consistent; another seed gives another one. error_rate injects bus errors.
 */
#ifndef FAA_MODEL_H
#define FAA_MODEL_H

#include "faa_engine.h"
#include "faa_isa.h"

/**
 * FAA_MODEL_FEATURES - features of the model
 *
 * The modelled build may lack all except ATOMS_SEED, STREAM_OPERANDS and SPARSE. SYS_ATOMICS needs
 * GLOBAL_ATOMICS and a host with dma_cas(), SURFACE_ATOMICS needs GLOBAL_ATOMICS.
 */
#define FAA_MODEL_FEATURES                                                                        \
	(1u << FAA_FEATURE_ATOMS_SEED | 1u << FAA_FEATURE_STREAM_OPERANDS |                       \
	 1u << FAA_FEATURE_SPARSE | 1u << FAA_FEATURE_ATOMS_INT64 | 1u << FAA_FEATURE_ATOMS_F32 | \
	 1u << FAA_FEATURE_ATOMS_F64 | 1u << FAA_FEATURE_ATOMS_X2 |                               \
	 1u << FAA_FEATURE_ATOMS_RELAXED | 1u << FAA_FEATURE_ALU |                                \
	 1u << FAA_FEATURE_GLOBAL_ATOMICS | 1u << FAA_FEATURE_SYS_ATOMICS |                       \
	 1u << FAA_FEATURE_SURFACE_ATOMICS)

/**
 * FAA_MODEL_SHARED_UNIT - register SHARED_UNIT of a model: 32 lanes, and all else within a cycle
 */
#define FAA_MODEL_SHARED_UNIT 0x00010120u

/** struct faa_model_params - parameters of the modelled build */
struct faa_model_params {
	/** @num_cus: compute units, 1..8. */
	unsigned int num_cus;
	/** @num_queues: hardware queues, 1..16. */
	unsigned int num_queues;
	/** @shared_max: shared memory of a CU in bytes, multiple of 128, at most 16 MiB. */
	uint32_t shared_max;
	/** @features: register FEATURES_LO, a subset of FAA_MODEL_FEATURES. */
	uint32_t features;
	/**
	 * @shared_unit: register SHARED_UNIT; its lanes are 4, 8, 16 or 32 and determine PASSES and
	 * GROUPS.
	 */
	uint32_t shared_unit;
	/** @warp_slots: streams of a job that a CU executes at the same time, 1..FAA_MAX_SLOTS. */
	unsigned int warp_slots;
};

/**
 * FAA_MODEL_DEFAULT - the build of faa_engine_model's devices; without dma_cas() of the host, they
 * have no SYS_ATOMICS
 */
#define FAA_MODEL_DEFAULT                                                  \
	{                                                                  \
		2, 16, 65536, FAA_MODEL_FEATURES, FAA_MODEL_SHARED_UNIT, 2 \
	}

/**
 * faa_model_create() - create a modelled device of a given build
 * @config: as for faa_engine_ops.create
 * @params: the build
 *
 * Return: the device after reset, for the other operations of faa_engine_model; NULL with errno
 * EINVAL (a parameter out of range, or features that exclude each other or need another host) or
 * ENOMEM.
 */
struct faa_engine *faa_model_create(const struct faa_engine_config *config,
				    const struct faa_model_params *params);

#endif /* FAA_MODEL_H */
