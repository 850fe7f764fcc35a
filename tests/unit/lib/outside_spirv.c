// SPDX-License-Identifier: MIT
/* A program outside of this repository with libfaa_spirv: consumer.sh and static.sh build it. */
#include <stdio.h>

#include <faa.h>
#include <faa_spirv.h>

/* An inner function of the library has this name too. */
void spirv_compile(void);
void spirv_compile(void)
{
	puts("mine");
}

int main(void)
{
	/* Version 1.3, bound 1; OpCapability Shader, Linkage; OpMemoryModel Logical GLSL450 */
	static const uint32_t words[] = {
		0x07230203, 0x00010300, 0, 1, 0, 0x00020011, 1, 0x00020011, 5, 0x0003000e, 0, 1,
	};
	const struct faa_spirv_options options = { .environment = FAA_SPIRV_UNIVERSAL };
	struct faa_spirv_module *module, *none;

	if (faa_spirv_load(words, sizeof(words), &options, &module, NULL)) {
		fprintf(stderr, "outside_spirv: %s\n", faa_last_error());
		return 1;
	}
	spirv_compile();
	printf("%zu entry points\n", faa_spirv_info(module)->entry_point_count);
	faa_spirv_destroy(module);
	/* The sentence of an error passes from one library to the other. */
	if (!faa_spirv_load(words, 8, NULL, &none, NULL))
		return 1;
	printf("error %s\n", faa_last_error());
	return 0;
}
