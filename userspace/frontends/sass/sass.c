// SPDX-License-Identifier: MIT
/* SASS: ATOMS and SUATOM of sm_50. */
#include "../asm/asm.h"

const struct faa_asm_language faa_asm_sass = {
	.name = "sass",
};
