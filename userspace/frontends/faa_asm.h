/* SPDX-License-Identifier: MIT */
/**
 * DOC: Assembly languages
 *
 * Code in the languages that the device's operations come from: SASS (ATOMS and SUATOM of sm_50), vISA (SVM_ATOMIC) and PTX (atom, red,
 * ld, st, fence). Code is read from text or from its binary form, checked against every rule of its language, written in any of
 * its forms, and emitted as commands of a stream. A program includes faa.h. See Documentation/assembly.rst.
 *
 * Threads: code belongs to one thread at a time; different code may be used by different threads.
 */
#ifndef FAA_ASM_H
#define FAA_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faa.h"

#ifdef __cplusplus
extern "C" {
#endif

/** enum faa_asm_syntax - a language */
enum faa_asm_syntax {
	/** @FAA_ASM_SASS: ATOMS and SUATOM of NVIDIA's sm_50 (Maxwell) in its 64-bit encodings */
	FAA_ASM_SASS,
	/** @FAA_ASM_VISA: SVM_ATOMIC of Intel's vISA, as text of GenX_IR and of the vISA specification */
	FAA_ASM_VISA,
	/** @FAA_ASM_PTX: instructions of NVIDIA's PTX ISA to which its atomics ABI maps C11's; it has no binary form */
	FAA_ASM_PTX,
};

/** enum faa_asm_format - a form of code */
enum faa_asm_format {
	/** @FAA_ASM_TEXT: assembly language */
	FAA_ASM_TEXT,
	/** @FAA_ASM_HEX: an instruction a line, SASS as one number 0x%016x, vISA as the bytes of the instruction */
	FAA_ASM_HEX,
	/** @FAA_ASM_BUNDLE: SASS: bundles of 32 bytes, a control word and three instructions */
	FAA_ASM_BUNDLE,
	/** @FAA_ASM_CISA: vISA: a CISA file with one kernel */
	FAA_ASM_CISA,
};

/** FAA_ASM_UNSUPPORTED - how the text of an error begins where the code is legal in its language, and the device or this library lacks something */
#define FAA_ASM_UNSUPPORTED "not supported: "

/** struct faa_asm_error - why code was refused, and where */
struct faa_asm_error {
	/** @line: from 1; of binary forms the number of the instruction or bundle; 0 = the code as a whole. */
	uint32_t line;
	/** @column: from 1, in bytes; of binary forms the byte in the instruction; 0 = the whole line. */
	uint32_t column;
	/** @text: one sentence without a final stop. */
	char text[256];
};

/** struct faa_asm_code - instructions of one language */
struct faa_asm_code;

/**
 * faa_asm_read() - code from its text or its binary form
 * @syntax: its language
 * @format: its form
 * @data: @size bytes of it; text needs no 0 at its end
 * @size: bytes, up to 1 GiB
 * @code: receives the code; faa_asm_destroy() frees it
 * @error: receives the first error that is found; NULL is allowed
 *
 * Return: 0; -EINVAL with @error; -EOPNOTSUPP, with @error, for a form that the language has not; -ENOMEM.
 */
int faa_asm_read(enum faa_asm_syntax syntax, enum faa_asm_format format, const void *data,
		 size_t size, struct faa_asm_code **code, struct faa_asm_error *error);

/**
 * faa_asm_read_errors() - faa_asm_read() that goes on after an error
 * @syntax: its language
 * @format: its form; of binary forms one error is reported
 * @data: @size bytes of it
 * @size: bytes, up to 1 GiB
 * @code: receives the code; NULL on failure
 * @errors: receives errors in the order of the text
 * @capacity: their greatest number, 1 or more: reading ends when there are so many
 * @error_count: receives their number
 *
 * Reading goes on with the next statement. An error that may follow from a declaration that was refused is not reported.
 *
 * Return: as faa_asm_read().
 */
int faa_asm_read_errors(enum faa_asm_syntax syntax, enum faa_asm_format format, const void *data,
			size_t size, struct faa_asm_code **code, struct faa_asm_error *errors,
			size_t capacity, size_t *error_count);

/** faa_asm_destroy() - free it; NULL is allowed. */
void faa_asm_destroy(struct faa_asm_code *code);

/** faa_asm_count() - instructions of @code. */
size_t faa_asm_count(const struct faa_asm_code *code);

/**
 * faa_asm_write() - code in one of its forms
 * @code: what to write
 * @format: form
 * @data: receives the bytes, which the caller frees; text ends with a 0 that @size does not count
 * @size: receives their number
 * @error: as in faa_asm_read(); @line is the instruction's in what was read. On success its text is empty, or says what the form leaves out.
 *
 * Reading what was written gives the same code. Only text is held to all rules of its language: words of a binary form that break some are
 * kept, written as text that reading refuses, and refused by faa_asm_emit(); those that are no instruction at all are data.
 *
 * Return: 0; -EINVAL with @error for code that the form cannot hold; -EOPNOTSUPP; -ENOMEM.
 */
int faa_asm_write(const struct faa_asm_code *code, enum faa_asm_format format, void **data,
		  size_t *size, struct faa_asm_error *error);

/** struct faa_asm_value - a register or variable of the code and the operand that it is moved from or to, element i being lane i */
struct faa_asm_value {
	/** @name: as the language spells it: R2 or P0; V32 or P1; %rd1. */
	const char *name;
	/** @operand: where its lanes come from (IMM, AFFINE, STREAM) or go to (STREAM; a predicate: u32 items, 0 or 1). */
	struct faa_operand operand;
};

/** struct faa_asm_environment - what code runs in */
struct faa_asm_environment {
	/** @inputs: set before the first instruction; names that are not here are 0, predicates false. */
	const struct faa_asm_value *inputs;
	/** @input_count: their number. */
	size_t input_count;
	/** @outputs: stored behind the last instruction. */
	const struct faa_asm_value *outputs;
	/** @output_count: their number. */
	size_t output_count;
	/** @lanes: lanes that execute, bit i for lane i. */
	uint32_t lanes;
	/** @at: is called before the commands of each instruction are added, with its line; NULL: nobody wants to know. */
	void (*at)(void *data, uint32_t line);
	/** @data: handed to @at. */
	void *data;
};

/**
 * FAA_ASM_SPLIT - address of a job's error where lanes of a warp were to go different ways: added to the line of the instruction
 *
 * PTX promises that the guard of bra.uni and ret.uni is the same in all lanes of a warp. Where it is not, the job ends with
 * FAA_ERROR_NON_CANONICAL at this address, in the lowest lane whose guard is false.
 */
#define FAA_ASM_SPLIT 0xfaa0000000000000ull

/**
 * faa_asm_choose() - which kernel of @code the functions below are about
 * @code: code with kernels
 * @name: of one of them
 * @error: as in faa_asm_read()
 *
 * Code with one kernel needs no choice.
 *
 * Return: 0; -EINVAL with @error: there is no such kernel; -EOPNOTSUPP, with @error: code of this language has no names of kernels.
 */
int faa_asm_choose(struct faa_asm_code *code, const char *name, struct faa_asm_error *error);

/** struct faa_asm_variable - memory that code names and its environment brings */
struct faa_asm_variable {
	/** @name: what faa_asm_value.name calls it; the address is its value. */
	const char *name;
	/** @bytes: its size, 0: the code does not say. */
	uint64_t bytes;
	/** @align: its address is a multiple of this. */
	uint32_t align;
	/** @initial: @initial_bytes bytes that it begins with, all others are 0. */
	const void *initial;
	size_t initial_bytes;
};

/** faa_asm_variable() - memory that @code names, number @index: .global and .const variables and structures among parameters of PTX. Return: false: there are no more. */
bool faa_asm_variable(const struct faa_asm_code *code, size_t index,
		      struct faa_asm_variable *variable);

/**
 * faa_asm_emit() - append commands that do what @code does, without an END
 * @code: what to do, for one warp
 * @environment: registers and lanes
 * @stream: receives the commands
 * @error: as in faa_asm_read(); also for a name in @environment that the code does not have (@line 0)
 *
 * Surfaces, their header pool and constant bank, and shared memory are those of the queue and of commands before.
 *
 * Return: 0; -EINVAL with @error; -E2BIG: the stream is full; -ENOMEM.
 */
int faa_asm_emit(const struct faa_asm_code *code, const struct faa_asm_environment *environment,
		 struct faa_stream *stream, struct faa_asm_error *error);

#ifdef __cplusplus
}
#endif

#endif /* FAA_ASM_H */
