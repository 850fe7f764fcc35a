/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FAA_UML_NOW_H
#define FAA_UML_NOW_H

#include <time.h>

/** now_ms - CLOCK_MONOTONIC in milliseconds */
static inline long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

#endif
