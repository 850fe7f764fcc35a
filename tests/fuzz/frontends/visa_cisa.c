// SPDX-License-Identifier: MIT
/* Any bytes as vISA: a CISA file. */
#include "visa_round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int line, column;

	visa_try(FAA_ASM_CISA, data, size, &line, &column);
	return 0;
}
