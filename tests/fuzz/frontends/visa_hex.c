// SPDX-License-Identifier: MIT
/* Any bytes as vISA: hexadecimal bytes, whose errors have a position. */
#include "visa_round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int line, column;

	if (!visa_try(FAA_ASM_HEX, data, size, &line, &column))
		expect(line && column);
	return 0;
}
