// SPDX-License-Identifier: Apache-2.0
//
// Cycles of streams through the shared memory unit of a build: those of the area table
// (tests/rtl/area/cycles.py). Also compares the answers of random warps, but checks no limits.
// FLOATS: the build has F32, F64 and X2, or none of them.
//
// usage: shared_figures WARPS SEED LANES FLOATS RELAXED
//
// The streams and the comparison are those of shared_tb.cpp; this is another main program for it,
// because the record of mutants (tests/rtl/mutate/score.txt) holds for that file unchanged.

#define main shared_tb_main
#include "shared_tb.cpp"
#undef main

/// Each stream begins with the same random numbers, so that its cycles do not depend on the others.
static void print_figures()
{
	static const char *const names[] = { "one address, add", "stride 1", "random", "zipf",
					     "u64 random" };
	const unsigned warps = 4000;

	for (const Stream &stream : streams(false))
		for (const char *name : names) {
			if (strcmp(stream.name, name))
				continue;
			rng.seed(1);
			printf("figure: %s: %llu cycles, %u warps\n", name,
			       (unsigned long long)run_stream(stream, warps).cycles, warps);
		}
}

int main(int argc, char **argv)
{
	if (argc != 6) {
		fprintf(stderr, "usage: shared_figures WARPS SEED LANES FLOATS RELAXED\n");
		return 2;
	}
	unsigned long warps = strtoul(argv[1], nullptr, 0), seed = strtoul(argv[2], nullptr, 0);

	lanes_per_beat = (unsigned)strtoul(argv[3], nullptr, 0);
	float_build = strtoul(argv[4], nullptr, 0);
	relaxed_build = strtoul(argv[5], nullptr, 0);
	Verilated::commandArgs(argc, argv);
	start_unit(seed, nullptr);
	fill_and_compare(true);
	print_figures();
	verdict(check_answers(warps, seed), "answers, order, groups, passes and memory");
	delete dut;
	printf("1..%u\n%u passed, %u failed\n", verdicts, verdicts - bad_verdicts, bad_verdicts);
	return bad_verdicts != 0;
}
