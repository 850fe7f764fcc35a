// SPDX-License-Identifier: MIT
/* Selects the simulated device that the tests need. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

/* Compute units of the usual device. */
#define USUAL_CUS 2

/* CTAs of the test with the most; 0 or -errno. */
static int needed_cus(const struct run_options *options, unsigned int *most)
{
	unsigned int i, ctas;
	struct lit_test test;
	int ret = 0, found;

	*most = 0;
	for (i = 0; i < options->path_count; i++) {
		found = lit_read(options->paths[i], &test);
		ctas = found ? 0 : run_ctas(&test);
		*most = ctas > *most ? ctas : *most;
		ret = ret ? ret : found;
		lit_free(&test);
	}
	return ret;
}

/* The device full has two slices of the L2, so it shows more orders than the usual one. */
static void choose_rtl(unsigned int cus)
{
	const char *device = cus > USUAL_CUS ? LITMUS_DEVICE "-quad" : LITMUS_DEVICE "-full";

	if (!access(device, X_OK))
		setenv("FAA_VDEV", device, 0);
}

int run_choose_device(const struct run_options *options)
{
	const char *others = getenv("FAA_VDEV_OPTS");
	unsigned int cus;
	char text[1024];
	int ret;

	if (getenv("FAA_IN_RUN"))
		return 0;
	ret = needed_cus(options, &cus);
	if (ret)
		return ret;
	if (!options->engine || strcmp(options->engine, "model")) {
		choose_rtl(cus);
		return 0;
	}
	if (cus <= USUAL_CUS)
		return 0;
	/* The last occurrence of an option counts. */
	if (snprintf(text, sizeof(text), "--cus=%u %s", cus, others ? others : "") <
	    (int)sizeof(text))
		setenv("FAA_VDEV_OPTS", text, 1);
	return 0;
}
