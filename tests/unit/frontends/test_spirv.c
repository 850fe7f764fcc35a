// SPDX-License-Identifier: MIT
/*
 * SPIR-V: modules of the vectors, in both byte orders, truncated and damaged; their reported
 * properties; specialization.
 */
#include <byteswap.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "faa_spirv.h"
#include "../run_tests.h"

#define MODULES VECTORS "/spirv/spv"

struct module {
	uint32_t *words;
	size_t size;
};

static struct module read_module(const char *name)
{
	struct module module = { 0 };
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", MODULES, name);
	file = fopen(path, "rb");
	assert_non_null(file);
	module.words = malloc(65536);
	module.size = fread(module.words, 1, 65536, file);
	fclose(file);
	return module;
}

static struct faa_spirv_module *load(const struct module *module,
				     const struct faa_spirv_options *options)
{
	struct faa_spirv_message message;
	struct faa_spirv_module *loaded;

	if (faa_spirv_load(module->words, module->size, options, &loaded, &message))
		fail_msg("word %u: %s", message.word, message.text);
	return loaded;
}

/* Every module of the vectors is accepted, also with reversed byte order. */
static void test_vectors(void **state)
{
	DIR *directory = opendir(MODULES);
	struct dirent *entry;
	unsigned int count = 0;

	assert_non_null(directory);
	while ((entry = readdir(directory))) {
		struct module module;
		size_t i;

		if (!strstr(entry->d_name, ".spv") || strstr(entry->d_name, ".license"))
			continue;
		module = read_module(entry->d_name);
		faa_spirv_destroy(load(&module, NULL));
		for (i = 0; i < module.size / 4; i++)
			module.words[i] = bswap_32(module.words[i]);
		faa_spirv_destroy(load(&module, NULL));
		free(module.words);
		count++;
	}
	closedir(directory);
	assert_int_equal(count, 50);
}

/* A truncated module is rejected with a reason, wherever it ends. */
static void test_cut(void **state)
{
	struct module module = read_module("reduce_tree.spv");
	size_t size;

	for (size = 0; size < module.size; size++) {
		uint8_t *copy = malloc(size + 1);
		struct faa_spirv_message message;
		struct faa_spirv_module *loaded;

		memcpy(copy, module.words, size);
		assert_int_equal(faa_spirv_load(copy, size, NULL, &loaded, &message), -22);
		assert_null(loaded);
		assert_true(message.text[0]);
		assert_true(message.word <= size / 4);
		free(copy);
	}
	free(module.words);
}

/* Every word is replaced by critical values: the module is accepted, or rejected with a reason. */
static void test_damaged(void **state)
{
	static const uint32_t values[] = { 0,	       1,	   0x7fffffff,
					   0xffffffff, 0x00010000, 0xffff0000 | 230 };
	struct module module = read_module("scoped_cas.spv");
	size_t i, k;

	for (i = 0; i < module.size / 4; i++) {
		uint32_t saved = module.words[i];

		for (k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
			struct faa_spirv_message message;
			struct faa_spirv_module *loaded;
			int ret;

			module.words[i] = values[k];
			ret = faa_spirv_load(module.words, module.size, NULL, &loaded, &message);
			assert_int_equal(!ret, !!loaded);
			assert_true(!ret || (ret == -22 && message.text[0]));
			faa_spirv_destroy(loaded);
		}
		module.words[i] = saved;
	}
	free(module.words);
}

static void test_message(void **state)
{
	struct module module = read_module("reduce_tree.spv");
	struct faa_spirv_message message;
	struct faa_spirv_module *loaded;

	module.words[3] = 2;
	assert_int_equal(faa_spirv_load(module.words, module.size, NULL, &loaded, &message), -22);
	assert_int_equal(message.instruction, 4);
	assert_string_equal(message.name, "OpEntryPoint");
	assert_false(message.warning);
	assert_non_null(strstr(message.text, "out of bounds"));
	module.words[0] = 0x12345678;
	assert_int_equal(faa_spirv_load(module.words, module.size, NULL, &loaded, &message), -22);
	assert_int_equal(message.instruction, 0);
	assert_non_null(strstr(message.text, "magic"));
	free(module.words);
}

static void test_info(void **state)
{
	struct module module = read_module("histogram_shared.spv");
	struct faa_spirv_module *loaded = load(&module, NULL);
	const struct faa_spirv_info *info = faa_spirv_info(loaded);

	assert_int_equal(info->version, 0x10500);
	assert_int_equal(info->environment, FAA_SPIRV_VULKAN);
	assert_int_equal(info->entry_point_count, 1);
	assert_string_equal(info->entry_points[0].name, "main");
	assert_int_equal(info->entry_points[0].model, 5);
	assert_int_equal(info->entry_points[0].local_size[0], 64);
	assert_int_equal(info->binding_count, 2);
	assert_int_equal(info->bindings[0].kind, FAA_SPIRV_STORAGE_BUFFER);
	assert_int_equal(info->bindings[0].stride, 4);
	assert_true(info->bindings[0].readonly);
	assert_int_equal(info->bindings[1].size, 1024);
	assert_int_equal(info->bindings[1].stride, 0);
	assert_int_equal(info->shared_size, 1024);
	assert_int_equal(info->push_constant_size, 0);
	faa_spirv_destroy(loaded);
	free(module.words);
	module = read_module("img_r32ui_add_3d.spv");
	loaded = load(&module, NULL);
	info = faa_spirv_info(loaded);
	assert_int_equal(info->bindings[2].kind, FAA_SPIRV_STORAGE_IMAGE);
	assert_int_equal(info->bindings[2].dim, 2);
	assert_int_equal(info->bindings[2].format, 33);
	faa_spirv_destroy(loaded);
	free(module.words);
	module = read_module("phys_u32_add.spv");
	loaded = load(&module, NULL);
	assert_int_equal(faa_spirv_info(loaded)->push_constant_size, 8);
	faa_spirv_destroy(loaded);
	free(module.words);
}

/*
 * Local size by LocalSizeId of a specialization constant plus another: 6 without, 40 with a value.
 */
static void test_specialization(void **state)
{
	static const uint32_t words[] = {
		0x07230203,
		0x00010600,
		0,
		12,
		0,
		2 << 16 | 17,
		1, /* OpCapability Shader */
		3 << 16 | 14,
		0,
		1, /* OpMemoryModel Logical GLSL450 */
		5 << 16 | 15,
		5,
		1,
		0x6e69616d,
		0, /* OpEntryPoint GLCompute %1 "main" */
		6 << 16 | 331,
		1,
		38,
		8,
		6,
		6, /* OpExecutionModeId %1 LocalSizeId %8 %6 %6 */
		4 << 16 | 71,
		7,
		1,
		9, /* OpDecorate %7 SpecId 9 */
		2 << 16 | 19,
		2, /* %2 = OpTypeVoid */
		3 << 16 | 33,
		3,
		2, /* %3 = OpTypeFunction %2 */
		4 << 16 | 21,
		4,
		32,
		0, /* %4 = OpTypeInt 32 0 */
		4 << 16 | 43,
		4,
		5,
		4, /* %5 = OpConstant 4 */
		4 << 16 | 43,
		4,
		6,
		1, /* %6 = OpConstant 1 */
		4 << 16 | 50,
		4,
		7,
		2, /* %7 = OpSpecConstant 2 */
		6 << 16 | 52,
		4,
		8,
		128,
		7,
		5, /* %8 = OpSpecConstantOp IAdd %7 %5 */
		5 << 16 | 54,
		2,
		1,
		0,
		3, /* %1 = OpFunction */
		2 << 16 | 248,
		9,
		1 << 16 | 253,
		1 << 16 | 56, /* OpLabel, OpReturn, OpFunctionEnd */
	};
	const struct module module = { (uint32_t *)words, sizeof(words) };
	const struct faa_spirv_specialization values[] = { { 9, 36 }, { 77, 1 } };
	const struct faa_spirv_options options = { .specializations = values,
						   .specialization_count = 2 };
	struct faa_spirv_module *loaded = load(&module, NULL);

	assert_int_equal(faa_spirv_info(loaded)->entry_points[0].local_size[0], 6);
	faa_spirv_destroy(loaded);
	loaded = load(&module, &options);
	assert_int_equal(faa_spirv_info(loaded)->entry_points[0].local_size[0], 40);
	assert_int_equal(faa_spirv_info(loaded)->entry_points[0].local_size[2], 1);
	faa_spirv_destroy(loaded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors), cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damaged), cmocka_unit_test(test_message),
		cmocka_unit_test(test_info),	cmocka_unit_test(test_specialization),
	};

	return RUN_TESTS(tests, NULL, NULL);
}
