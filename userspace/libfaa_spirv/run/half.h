/* SPDX-License-Identifier: MIT */
/*
 * IEEE binary16 in software.
 */
#ifndef FAA_SPIRV_HALF_H
#define FAA_SPIRV_HALF_H

#include <stdint.h>

/** spirv_half_to_double() - exact; NaNs keep their sign and the upper bits of their payload. */
double spirv_half_to_double(uint16_t half);

/** spirv_double_to_half() - rounded to nearest, ties to even. */
uint16_t spirv_double_to_half(double value);

#endif /* FAA_SPIRV_HALF_H */
