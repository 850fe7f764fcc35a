/* SPDX-License-Identifier: MIT */
/**
 * DOC: faa-exec
 *
 * Common parts of the program. A function that can fail prints its error to stderr, and returns 0
 * or a negative errno.
 */
#ifndef EXEC_TOOL_H
#define EXEC_TOOL_H

#include <stdio.h>

#include "asm_tool.h"
#include "faa_program.h"

#define EXEC_MAX 64

/** struct exec_type - type of items, such as "u32" */
struct exec_type {
	const char *name;
	/** @device: type of items of operands: floating-point ones are bits. */
	enum faa_type device;
	unsigned int bytes;
	/** @kind: u, s, f or x: unsigned, shown in hexadecimal. */
	char kind;
};

/** EXEC_TYPES - names of the types, for messages */
#define EXEC_TYPES "u8, u16, u32, u64, s8 .. s64, x8 .. x64, f32, f64"

/** struct exec_array - items in memory */
struct exec_array {
	const struct exec_type *type;
	size_t count;
	unsigned char *bytes;
};

/**
 * struct exec_sink - destination of results: text to standard output or a file, or bytes to a file
 */
struct exec_sink {
	const struct exec_type *type;
	/** @path: NULL: standard output. */
	const char *path;
	bool raw;
};

/** struct exec_buffer - a buffer or surface of the command line */
struct exec_buffer {
	char *name;
	/** @array: its initial contents; only a surface may have none. */
	struct exec_array array;
	/** @fixed: @va is the required address. */
	bool fixed;
	uint64_t va;
	struct faa_bo *bo;
	unsigned char *memory;
	/** @is_surface: @desc describes it, @handle is its header's index. */
	bool is_surface;
	struct faa_surface_desc desc;
	struct faa_surface *surface;
	uint32_t handle;
};

/** struct exec_value - a sum: a constant, a multiple of the lane's number, an item for each lane */
struct exec_value {
	uint64_t constant, step;
	const struct exec_buffer *items;
};

/** struct exec_binding - --set NAME=VALUE, --get NAME=SINK, --print NAME=SINK, --bank WORD=VALUE */
struct exec_binding {
	char *name;
	/** @text: the value as written; @own_text: the caller frees it. */
	const char *text;
	char *own_text;
	struct exec_sink sink;
	/** @count: items that are printed; 0: all. */
	size_t count;
	/** @va, @memory: of the results of --get. */
	uint64_t va;
	unsigned char *memory;
};

/** struct exec_list - bindings in their order */
struct exec_list {
	struct exec_binding items[EXEC_MAX];
	unsigned int count;
};

/** struct exec_options - the command line */
struct exec_options {
	const char *path;
	/** @kernel: name of the one to run, NULL: there is one. */
	const char *kernel;
	/** @syntax: enum faa_asm_syntax, ASM_STREAM, or -1: by the name of the file. */
	int syntax;
	int format;
	struct exec_buffer buffers[EXEC_MAX];
	unsigned int buffer_count;
	struct exec_list sets, gets, prints, banks;
	uint32_t shared_bytes;
	struct exec_array shared;
	uint32_t lanes;
	unsigned int warps, repeat, timeout;
	bool list, stats, json;
	const char *engine;
};

/* exec_data.c */

/** exec_type_find() - the type of a name with @size bytes; NULL: there is none. */
const struct exec_type *exec_type_find(const char *name, size_t size);

/** exec_array_parse() - "TYPE:SOURCE"; @why receives the error. */
int exec_array_parse(const char *text, struct exec_array *array, char *why, size_t why_size);

/** exec_sink_parse() - "TYPE", "TYPE:-", "TYPE:PATH" or "TYPE:text:PATH". */
int exec_sink_parse(const char *text, struct exec_sink *sink, char *why, size_t why_size);

/** exec_number() - an integer with a sign, decimal, 0x or 0; false: it is none. */
bool exec_number(const char *text, uint64_t *value);

/** struct exec_output - standard output: a table for each result, or one JSON object of all */
struct exec_output {
	bool json;
	/** @results: number of results shown. */
	unsigned int results;
};

/**
 * exec_show() - show @count items
 *
 * Those of lanes outside of @lanes are shown as "-", in JSON as null.
 */
int exec_show(struct exec_output *output, const char *name, const struct exec_sink *sink,
	      const void *bytes, size_t count, uint32_t lanes);

/* exec_value.c */

/** exec_value_parse() - a sum of numbers, lane, lane*N, @buffer, #surface and names of buffers. */
int exec_value_parse(const struct exec_options *options, const struct exec_binding *binding,
		     struct exec_value *value);

/** exec_value_operand() - the value in the lanes of warp @warp. */
struct faa_operand exec_value_operand(const struct exec_value *value, unsigned int warp);

/* exec_code.c */

/** struct exec_code - the code to run */
struct exec_code {
	struct faa_asm_code *code;
	/** @words: of a stream, without its END. */
	uint64_t *words;
	size_t count;
};

/** struct exec_job - commands of one warp */
struct exec_job {
	struct faa_stream *stream;
	/** @lines: pairs of a line and the index of the first word of its commands. */
	uint32_t *lines;
	size_t line_count, line_capacity;
};

int exec_code_load(struct exec_options *options, struct exec_code *code);
void exec_code_free(struct exec_code *code);

/** exec_code_emit() - commands of warp @warp, with inputs and outputs. */
int exec_code_emit(const struct exec_options *options, const struct exec_code *code,
		   unsigned int warp, struct exec_job *job);

/** exec_code_line() - line of the instruction that word @word belongs to, 0: none. */
uint32_t exec_code_line(const struct exec_job *job, size_t word);

/* exec_variable.c */

/**
 * exec_bind_variables() - set the remaining variables of the code to buffers of their names
 *
 * Buffers that do not exist are made.
 */
int exec_bind_variables(struct exec_options *options, const struct exec_code *code);

/* exec_surface.c */

/**
 * exec_surface_parse() - "DIM:TEXEL:WIDTH[xHEIGHT[xDEPTH|LAYERS]][:LAYOUT][:SOURCE]" to @buffer.
 */
int exec_surface_parse(const char *text, struct exec_buffer *buffer, char *why, size_t why_size);

/* exec_run.c */

/** exec_run() - run the code on the device and show the results. */
int exec_run(struct exec_options *options, const struct exec_code *code, struct faa_device *device);

#endif /* EXEC_TOOL_H */
