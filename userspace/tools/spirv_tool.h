/* SPDX-License-Identifier: MIT */
/**
 * DOC: faa-spirv
 *
 * Common parts of the commands of the tool.
 */
#ifndef SPIRV_TOOL_H
#define SPIRV_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "faa.h"
#include "faa_program.h"
#include "faa_spirv.h"
#include "spirv_case.h"

/** struct spirv_settings - options of the command line */
struct spirv_settings {
	/** @environment: its rules apply to a module. */
	enum faa_spirv_environment environment;
	/**
	 * @validator: program that also checks modules; NULL: spirv-val if there is one, "": none.
	 */
	const char *validator;
	/** @json: print JSON. */
	bool json;
	/** @quiet: print nothing about modules that are accepted. */
	bool quiet;
	/** @run: of command run. */
	struct spirv_run_options run;
	/** @program: how it gets its device. */
	struct faa_program program;
};

/** struct spirv_file - a module's file */
struct spirv_file {
	const char *path;
	/** @binary: file with the words: @path, or a temporary one if that is text. */
	const char *binary;
	void *bytes;
	size_t size;
	char temporary[64];
};

/**
 * spirv_file_open() - read a module: SPIR-V words, or text, which spirv-as assembles
 *
 * The caller calls spirv_file_close() in any case.
 *
 * Return: 0; after a message 1: rejected; 2: it cannot be read.
 */
int spirv_file_open(struct spirv_file *file, const char *path);

/** spirv_file_close() - free what it holds. */
void spirv_file_close(struct spirv_file *file);

/**
 * spirv_run_program() - run @argv[0], found on PATH
 * @output: receives its output, which the caller frees
 *
 * Return: its exit status; -ENOENT: there is no such program; another -errno.
 */
int spirv_run_program(char *const *argv, char **output);

/** spirv_command_validate() - command validate: exit status. */
int spirv_command_validate(const struct spirv_settings *settings, char **paths, int count);

/** spirv_command_info() - command info: describe modules; exit status. */
int spirv_command_info(const struct spirv_settings *settings, char **paths, int count);

/** spirv_command_run() - command run: execute cases; exit status. */
int spirv_command_run(const struct spirv_settings *settings, char **paths, int count);

/** spirv_print_message() - one line about @path to @out. */
void spirv_print_message(FILE *out, const char *path, const struct faa_spirv_message *message);

#endif /* SPIRV_TOOL_H */
