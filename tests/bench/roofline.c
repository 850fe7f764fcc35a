// SPDX-License-Identifier: MIT
/*
 * The limit that the addresses of a benchmark set, from Documentation/device.rst (Statistics,
 * Banks) alone.
 */
#include <string.h>

#include "bench.h"
#include "faa_regs.h"

#define BANKS 32
#define WORDS (BENCH_SHARED / 4)

/* The accesses to one word so far. */
struct word_state {
	/* Beat and element of the last access. */
	uint32_t beat, element;
	/* Number of consecutive beats with an access. */
	uint32_t run;
	bool touched;
	/* Floating-point sums on it. */
	uint64_t sums;
};

struct count {
	struct word_state words[WORDS];
	/*
	 * Lanes that enter per cycle; the build has as many banks, which share the 32 of the
	 * specification.
	 */
	uint32_t lanes;
	uint64_t banks[BANKS];
};

static unsigned int bank_of(uint32_t word)
{
	return (word ^ word >> 5 ^ word >> 10 ^ word >> 15 ^ word >> 20) & (BANKS - 1);
}

static bool is_float(const struct bench *bench)
{
	return bench->type >= FAA_TYPE_F16 && bench->type <= FAA_TYPE_BF16X2;
}

static bool is_sum(const struct bench *bench)
{
	return is_float(bench) && bench->op == FAA_ATOMS_OP_ADD;
}

static bool is_int32(const struct bench *bench)
{
	return bench->type == FAA_TYPE_U32 || bench->type == FAA_TYPE_S32;
}

/* Operations whose effects on one word compose to one operation, over any number of warps. */
static bool combines(const struct bench *bench)
{
	return is_int32(bench) && bench->op <= FAA_ATOMS_OP_EXCH;
}

/* Whether element @e begins a group, when @before is the lane before it on its word in its beat. */
static bool begins_group(const struct bench *bench, uint32_t before, uint32_t e)
{
	uint64_t b = bench_operand(bench, &bench->b, e);

	if (is_float(bench))
		return bench->type != FAA_TYPE_F32 ||
		       (is_sum(bench) && !(bench->modes & FAA_FLOAT_MODE_RELAXED));
	if (!is_int32(bench))
		return true;
	if (bench->op == FAA_ATOMS_OP_INC || bench->op == FAA_ATOMS_OP_DEC)
		return b != bench_operand(bench, &bench->b, before);
	return false;
}

static void count_group(struct count *count, const struct bench *bench, uint32_t word)
{
	count->banks[bank_of(word) % count->lanes]++;
	if (bench_wide(bench))
		count->banks[bank_of(word + 1) % count->lanes]++;
}

/* CAST.SPIN: one lane of each bank, or pair of banks, tries. */
static void count_spin(struct count *count, const struct bench *bench, uint32_t word,
		       uint32_t *tried)
{
	uint32_t bank = bank_of(word) & ~(uint32_t)bench_wide(bench);

	if (*tried >> bank & 1)
		return;
	*tried |= 1u << bank;
	count_group(count, bench, word);
}

static void count_element(struct count *count, const struct bench *bench, bool returns, uint32_t e,
			  uint32_t word)
{
	struct word_state *state = &count->words[word];
	uint32_t beat = e / count->lanes;
	bool same_beat = state->touched && state->beat == beat;
	bool group = !same_beat || begins_group(bench, state->element, e);

	if (!same_beat)
		state->run = state->touched && state->beat + 1 == beat ? state->run + 1 : 1;
	/*
	 * A chain of combined warps is one operation, plus one that reads the word if values go
	 * back.
	 */
	if (group && !(combines(bench) && state->run > (returns ? 2u : 1u)))
		count_group(count, bench, word);
	state->sums += group && is_sum(bench);
	state->touched = true;
	state->beat = beat;
	state->element = e;
}

static double largest_bank(const struct count *count)
{
	uint64_t most = 0;
	unsigned int i;

	for (i = 0; i < BANKS; i++)
		if (count->banks[i] > most)
			most = count->banks[i];
	return (double)most;
}

static double most_sums(const struct count *count)
{
	uint64_t most = 0;
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		if (count->words[i].sums > most)
			most = count->words[i].sums;
	return (double)most;
}

static void raise_to(struct bench_roofline *roofline, double limit, const char *bound_by)
{
	/* Of equal limits the first is reported. */
	if (limit <= roofline->limit)
		return;
	roofline->limit = limit;
	roofline->bound_by = bound_by;
}

/*
 * A bank with work of the first warps left need not start on further warps when the first ones have
 * ended; a bank that had less to do may be ahead. A command of all warps takes at least the work of
 * the busiest bank, and a command of the first warps alone has been measured; further warps take
 * the difference.
 */
static double further(double work, const struct bench_stream *stream, uint32_t start_warps,
		      uint64_t start_cycles)
{
	return (work - (double)start_cycles) / (stream->warps - start_warps);
}

uint32_t bench_lanes(const struct bench_build *build)
{
	return (build->shared_unit & FAA_REG_SHARED_UNIT_LANES_MASK) >>
	       FAA_REG_SHARED_UNIT_LANES_SHIFT;
}

uint32_t bench_line_bytes(const struct bench_build *build)
{
	return build->line_bytes ? build->line_bytes : 64;
}

struct bench_roofline bench_roofline(const struct bench *bench, enum bench_result form,
				     const struct bench_stream *stream,
				     const struct bench_build *build, uint64_t start_cycles)
{
	uint32_t lanes = bench_lanes(build), line_bytes = bench_line_bytes(build);
	uint32_t adder = (build->shared_unit & FAA_REG_SHARED_UNIT_ADDER_MASK) >>
			 FAA_REG_SHARED_UNIT_ADDER_SHIFT;
	struct bench_roofline roofline = { 0, "" };
	unsigned int words = bench_wide(bench) ? 2 : 1;
	uint32_t start = bench_start_warps(bench);
	static struct count count;
	uint32_t e, tried = 0;

	memset(&count, 0, sizeof(count));
	count.lanes = lanes;
	for (e = 0; e < stream->warps * FAA_LANES; e++) {
		uint32_t word = bench_stream_word(stream, e) * words;

		if (e % FAA_LANES == 0)
			tried = 0;
		if (bench->op == FAA_ATOMS_OP_CAST_SPIN)
			count_spin(&count, bench, word, &tried);
		else
			count_element(&count, bench, form != BENCH_NOWHERE, e, word);
	}
	raise_to(&roofline, (double)FAA_LANES / lanes, "one warp a cycle");
	raise_to(&roofline, further(largest_bank(&count), stream, start, start_cycles), "banks");
	raise_to(&roofline, (double)stream->item_bytes * FAA_LANES / line_bytes, "operand port");
	if (form == BENCH_REGISTER)
		raise_to(&roofline, (double)words * FAA_LANES / lanes, "register port");
	if (form == BENCH_MEMORY)
		raise_to(&roofline, words * 4.0 * FAA_LANES / line_bytes, "write port");
	raise_to(&roofline, most_sums(&count) * adder / stream->warps, "adder");
	return roofline;
}
