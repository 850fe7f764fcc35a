/* SPDX-License-Identifier: Apache-2.0 */
/* Output of a guest, with the guest's name in front of each line. */
#ifndef FAA_UML_RUN_PREFIX_H
#define FAA_UML_RUN_PREFIX_H

#include <stddef.h>

#define PREFIX_LINE 4096

/* A pipe from a guest. */
struct prefix {
	int from; /* non-blocking; -1 = ended */
	int to;
	char name[16];
	char line[PREFIX_LINE];
	size_t have;
};

/**
 * prefix_turn - copy the whole lines that are there
 *
 * The end of a line that is longer than PREFIX_LINE gets a line of its own. The last line of the
 * pipe need not be whole.
 */
void prefix_turn(struct prefix *prefix);

/** prefix_close - close the pipe, if it has not ended: the guest's program has no reader then */
void prefix_close(struct prefix *prefix);

#endif
