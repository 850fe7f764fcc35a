// SPDX-License-Identifier: MIT
/*
 * Judges statements of PTX, one in each line of the standard input: prints "yes", "lacks WHY" (PTX
 * that the device does not have) or "no WHY". ptx_forms.py passes it the statements that ptxas has
 * judged.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faa_asm.h"

static const char head[] =
	".version 8.7\n.target sm_100\n.global .align 16 .b32 glob[8]; .shared .align 16 .b32 cell[8];\n"
	".const .align 16 .b32 con[8]; .visible .entry k(.param .u64 par) {\n"
	".reg .b64 %rd<17>; .reg .b32 %r<17>; .reg .b16 %h<17>; .reg .f32 %f<17>; .reg .f64 %d<17>; .reg .pred %p<17>;\n";

int main(void)
{
	char *line = NULL;
	size_t capacity = 0;
	ssize_t size;

	while ((size = getline(&line, &capacity, stdin)) > 0) {
		struct faa_asm_error error;
		struct faa_asm_code *code;
		char *text = NULL;
		int ret = asprintf(&text, "%s%s}\n", head, line);

		if (ret >= 0)
			ret = faa_asm_read(FAA_ASM_PTX, FAA_ASM_TEXT, text, strlen(text), &code,
					   &error);
		if (ret && ret != -EINVAL)
			return 1;
		if (ret)
			printf("%s %s\n",
			       strncmp(error.text, FAA_ASM_UNSUPPORTED,
				       strlen(FAA_ASM_UNSUPPORTED)) ?
				       "no" :
				       "lacks",
			       error.text);
		else
			printf("yes\n");
		faa_asm_destroy(ret ? NULL : code);
		free(text);
	}
	free(line);
	return 0;
}
