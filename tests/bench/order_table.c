// SPDX-License-Identifier: MIT
/* The benchmarks of order. */
#include "faa_isa.h"
#include "order.h"

#define BOTH(text, code, what, where)                                                           \
	{ .name = "order/" text "/idle", .opcode = (code), .order = (what), .scope = (where) }, \
	{                                                                                       \
		.name = "order/" text "/stores", .opcode = (code), .order = (what),             \
		.scope = (where), .stores = true                                                \
	}
#define SCOPES(text, code, what)                              \
	BOTH(text "-cta", code, what, FAA_SCOPE_CTA),         \
		BOTH(text "-gpu", code, what, FAA_SCOPE_GPU), \
		BOTH(text "-sys", code, what, FAA_SCOPE_SYS)

const struct order_bench order_table[] = {
	SCOPES("fence-acquire", FAA_OPCODE_FENCE, FAA_FENCE_ORDER_ACQUIRE),
	SCOPES("fence-release", FAA_OPCODE_FENCE, FAA_FENCE_ORDER_RELEASE),
	SCOPES("fence-acq-rel", FAA_OPCODE_FENCE, FAA_FENCE_ORDER_ACQ_REL),
	SCOPES("fence-sc", FAA_OPCODE_FENCE, FAA_FENCE_ORDER_SC),
	SCOPES("ld-acquire", FAA_OPCODE_LD, FAA_ORDER_ACQUIRE),
	SCOPES("st-release", FAA_OPCODE_ST, FAA_ORDER_RELEASE),
	SCOPES("atom-acquire", FAA_OPCODE_ATOM, FAA_ORDER_ACQUIRE),
	SCOPES("atom-release", FAA_OPCODE_ATOM, FAA_ORDER_RELEASE),
	SCOPES("atom-acq-rel", FAA_OPCODE_ATOM, FAA_ORDER_ACQ_REL),
};

const unsigned int order_count = sizeof(order_table) / sizeof(order_table[0]);
