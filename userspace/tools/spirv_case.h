/* SPDX-License-Identifier: MIT */
/*
 * Cases of faa-spirv: a kernel, its bindings, and the number of workgroups. See
 * Documentation/spirv.rst.
 */
#ifndef SPIRV_CASE_H
#define SPIRV_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa.h"
#include "faa_spirv.h"

/** SPIRV_CASE_BINDINGS - limit of the numbers of bindings */
#define SPIRV_CASE_BINDINGS 32

/** enum spirv_case_kind - kind of a binding */
enum spirv_case_kind {
	SPIRV_CASE_UNUSED,
	SPIRV_CASE_SSBO,
	SPIRV_CASE_PHYS,
	SPIRV_CASE_TEXBUF,
	SPIRV_CASE_IMAGE_1D,
	SPIRV_CASE_IMAGE_2D,
	SPIRV_CASE_IMAGE_3D,
	SPIRV_CASE_IMAGE_2D_ARRAY,
};

/** struct spirv_case_binding - one line "bind" */
struct spirv_case_binding {
	enum spirv_case_kind kind;
	/** @item: bytes of an element or texel */
	uint32_t item;
	/** @data_type: of a texel, enum faa_data_type */
	uint32_t data_type;
	/** @size: of an image; of a buffer its elements in the first */
	uint32_t size[3];
	/** @bytes: of the whole */
	uint64_t bytes;
};

/** struct spirv_case - a case file */
struct spirv_case {
	char *name;
	char *module;
	uint32_t groups[3];
	struct spirv_case_binding bindings[SPIRV_CASE_BINDINGS];
	/** @push: binding whose address is in the first 8 bytes of the push constants; -1: none */
	int push;
};

/**
 * spirv_case_read() - read a case file
 *
 * Return: 0, or -1 after a message that names file, line and column.
 */
int spirv_case_read(const char *path, struct spirv_case *test);

/** spirv_case_free() - free its memory. */
void spirv_case_free(struct spirv_case *test);

/** struct spirv_run_options - options of the execution of cases */
struct spirv_run_options {
	/** @modules, @inputs: folders; NULL: "spv" and "in" next to the folder of the case */
	const char *modules, *inputs;
	/** @output: folder of the results */
	const char *output;
	bool statistics, json;
	/** @limit: most instructions of a case; 0: none */
	uint64_t limit;
	/** @environment: its rules apply to the modules */
	enum faa_spirv_environment environment;
};

#endif /* SPIRV_CASE_H */
