/* SPDX-License-Identifier: MIT */
/**
 * DOC: The memory model
 *
 * The axiomatic model of PTX: Lustig, Sahasrabuddhe, Giroux, ASPLOS 2019, with the separate acquire
 * and release fences of PTX ISA 8.6. Every execution of a litmus test is enumerated and checked
 * with the axioms; see Documentation/litmus.rst.
 */
#ifndef MODEL_H
#define MODEL_H

#include "lit.h"

/** MODEL_MAX_EVENTS - events of a test: a bit each in a row of a relation */
#define MODEL_MAX_EVENTS 64

/**
 * enum model_defect - defects of the model, to check that the tests detect them
 *
 * A defect with the name of an axiom or a relation omits it.
 */
enum model_defect {
	MODEL_CORRECT,
	MODEL_NO_COHERENCE,
	MODEL_NO_FENCE_SC,
	MODEL_NO_ATOMICITY,
	MODEL_NO_THIN_AIR,
	MODEL_NO_SC_PER_LOCATION,
	MODEL_NO_CAUSALITY_RF,
	MODEL_NO_CAUSALITY_FR,
	/* Moral strength. */
	MODEL_MS_ALL_SCOPES,
	MODEL_MS_EQUAL_SCOPES,
	MODEL_MS_ONE_WAY,
	MODEL_MS_WEAK,
	MODEL_MS_NOT_OWN_WEAK,
	MODEL_MS_ANY_LOCATION,
	MODEL_CTA_IS_GPU,
	MODEL_GPU_IS_SYS,
	/* Observation. */
	MODEL_OBS_NOT_STRONG,
	MODEL_OBS_NO_CHAIN,
	MODEL_OBS_NO_CHAIN_RED,
	MODEL_OBS_CHAIN_STORE,
	/* Patterns. */
	MODEL_RELEASE_NO_LATER_WRITE,
	MODEL_RELEASE_ANY_LOCATION,
	MODEL_RELEASE_TO_WEAK,
	MODEL_RELEASE_OF_RELAXED,
	MODEL_RELEASE_OF_ACQUIRE_RMW,
	MODEL_ACQUIRE_NO_EARLIER_READ,
	MODEL_ACQUIRE_ANY_LOCATION,
	MODEL_ACQUIRE_FROM_WEAK,
	MODEL_ACQUIRE_OF_RELAXED,
	MODEL_ACQUIRE_OF_RED,
	MODEL_FENCE_SC_NO_RELEASE,
	MODEL_FENCE_SC_NO_ACQUIRE,
	MODEL_FENCE_ACQUIRE_RELEASES,
	MODEL_FENCE_RELEASE_ACQUIRES,
	MODEL_FENCE_ACQ_REL_IS_SC,
	MODEL_SW_NOT_STRONG,
	/* Causality. */
	MODEL_SC_NOT_STRONG,
	MODEL_SC_NO_ORDER,
	MODEL_CAUSE_WITHOUT_OBS,
	MODEL_CAUSE_OBS_NO_POLOC,
	MODEL_CAUSE_OBS_EVERYWHERE,
	MODEL_CB_WITH_PO,
	MODEL_FAILED_CAS_WRITES,
	MODEL_CO_TOTAL,
	MODEL_DEFECTS,
};

/** struct model_defect_info - description of a defect */
struct model_defect_info {
	const char *name;
	const char *text;
	/** @equivalent: implied by the remaining axioms; no test can detect it. */
	bool equivalent;
};

extern const struct model_defect_info model_defects[MODEL_DEFECTS];

/** struct model_rows - a set of outcomes: @count sorted rows of the test's columns; free() @rows */
struct model_rows {
	int32_t *rows;
	size_t count, capacity;
};

/**
 * model_outcomes() - all outcomes of a test that the model allows
 * @test: test
 * @defect: MODEL_CORRECT, or a wrong model
 * @out: out; the caller frees @out->rows
 *
 * Return: 0; -E2BIG: more than MODEL_MAX_EVENTS events, or too many executions; -ENOMEM.
 */
int model_outcomes(const struct lit_test *test, enum model_defect defect, struct model_rows *out);

#endif /* MODEL_H */
