// SPDX-License-Identifier: MIT
#include "faa.h"

uint32_t faa_version(void)
{
	return FAA_VERSION;
}
