// SPDX-License-Identifier: MIT
#include "cas_functions.h"

/* desired = min(old, operand) */
static int function_minimum_body(struct faa_stream *stream, const struct faa_cas_loop *loop,
				 void *data)
{
	const uint8_t *operand = data;

	return faa_stream_alu(stream, FAA_ALU_OP_MIN, FAA_TYPE_U64, loop->lanes,
			      faa_reg(loop->desired), faa_reg(loop->old), faa_reg(*operand));
}

static uint64_t function_minimum(uint64_t old, uint64_t operand)
{
	return operand < old ? operand : old;
}

/* desired = old + min(operand, ~old); ~old is the distance to the maximum */
static int function_saturating_body(struct faa_stream *stream, const struct faa_cas_loop *loop,
				    void *data)
{
	struct faa_operand desired = faa_reg(loop->desired), old = faa_reg(loop->old);
	const uint8_t *operand = data;

	faa_stream_alu(stream, FAA_ALU_OP_XOR, FAA_TYPE_U32, loop->lanes, desired, old,
		       faa_imm(UINT32_MAX));
	faa_stream_alu(stream, FAA_ALU_OP_MIN, FAA_TYPE_U32, loop->lanes, desired, desired,
		       faa_reg(*operand));
	return faa_stream_alu(stream, FAA_ALU_OP_ADD, FAA_TYPE_U32, loop->lanes, desired, old,
			      desired);
}

static uint64_t function_saturating(uint64_t old, uint64_t operand)
{
	return old + operand > UINT32_MAX ? UINT32_MAX : old + operand;
}

const struct cas_function cas_functions[CAS_FUNCTIONS] = {
	{ "64-bit minimum", FAA_TYPE_U64, function_minimum_body, function_minimum },
	{ "saturating addition", FAA_TYPE_U32, function_saturating_body, function_saturating },
};

/*
 * Finds the order step by step. Of the lanes that got the word's present value, those whose
 * operation does not change it come first, in any order; then at most one that changes it, because
 * the value does not come back for another.
 */
int cas_explain(const struct cas_function *function, const struct cas_lane *lanes,
		unsigned int count, uint64_t *words)
{
	uint64_t left = count < 64 ? (1ull << count) - 1 : UINT64_MAX, before;
	unsigned int i;
	int changes;

	do {
		before = left;
		for (changes = 0; changes < 2; changes++) {
			for (i = 0; i < count; i++) {
				uint64_t *word = &words[lanes[i].word];
				uint64_t next = function->compute(*word, lanes[i].operand);

				if (!(left >> i & 1) || lanes[i].old != *word ||
				    (next != *word) != changes)
					continue;
				left &= ~(1ull << i);
				*word = next;
				if (changes)
					break;
			}
		}
	} while (left != before);
	return left ? __builtin_ctzll(left) : -1;
}
