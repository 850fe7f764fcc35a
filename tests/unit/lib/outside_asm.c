// SPDX-License-Identifier: MIT
/* A program outside of this repository with libfaa_asm: consumer.sh and static.sh build it. */
#include <stdio.h>
#include <string.h>

#include <faa.h>
#include <faa_asm.h>

/* An inner function of the library has this name too. */
void ptx_add(void);
void ptx_add(void)
{
	puts("mine");
}

int main(void)
{
	static const char text[] = "ATOMS.ADD R0, [R1], R2;", wrong[] = "NOP R0;";
	const struct faa_asm_environment environment = { .lanes = ~0u };
	struct faa_asm_code *code = NULL, *none;
	struct faa_stream *stream;
	int ret = faa_stream_create(&stream);

	if (!ret)
		ret = faa_asm_read(FAA_ASM_SASS, FAA_ASM_TEXT, text, strlen(text), &code, NULL);
	if (!ret)
		ret = faa_asm_emit(code, &environment, stream, NULL);
	if (ret) {
		fprintf(stderr, "outside_asm: %s\n", faa_last_error());
		return 1;
	}
	ptx_add();
	printf("%zu instruction, %s commands\n", faa_asm_count(code),
	       faa_stream_bytes(stream) ? "some" : "no");
	/* The sentence of an error passes from one library to the other. */
	if (!faa_asm_read(FAA_ASM_SASS, FAA_ASM_TEXT, wrong, strlen(wrong), &none, NULL))
		return 1;
	printf("error %s\n", faa_last_error());
	faa_asm_destroy(code);
	faa_stream_destroy(stream);
	return 0;
}
