/* SPDX-License-Identifier: MIT */
/**
 * DOC: Assembly languages
 *
 * The languages that the device's operations come from: SASS (ATOMS and SUATOM of sm_50), vISA
 * (SVM_ATOMIC) and PTX (atom, red, ld, st, fence). The library reads code as text or in binary
 * form, checks it against every rule of its language, writes it in any of its forms, and emits it
 * as commands of a stream. pkg-config name: libfaa_asm. See Documentation/assembly.rst.
 *
 * Threads: one thread at a time may use a struct faa_asm_code; different ones are independent.
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
	/**
	 * @FAA_ASM_VISA: SVM_ATOMIC of Intel's vISA, as text of GenX_IR and of the vISA
	 * specification
	 */
	FAA_ASM_VISA,
	/**
	 * @FAA_ASM_PTX: the instructions of NVIDIA's PTX ISA to which its atomics ABI maps those of
	 * C11; no binary form
	 */
	FAA_ASM_PTX,
};

/** enum faa_asm_format - a form of code */
enum faa_asm_format {
	/** @FAA_ASM_TEXT: assembly language */
	FAA_ASM_TEXT,
	/**
	 * @FAA_ASM_HEX: one instruction per line: SASS as a number 0x%016x, vISA as the bytes of
	 * the instruction
	 */
	FAA_ASM_HEX,
	/**
	 * @FAA_ASM_BUNDLE: SASS: bundles of 32 bytes, each a control word and three instructions
	 */
	FAA_ASM_BUNDLE,
	/** @FAA_ASM_CISA: vISA: a CISA file with one kernel */
	FAA_ASM_CISA,
};

/**
 * FAA_ASM_UNSUPPORTED - prefix of the text of an error in code that is legal in its language, but
 * needs a feature that the device or this library lacks
 */
#define FAA_ASM_UNSUPPORTED "not supported: "

/** struct faa_asm_error - why code was rejected, and where */
struct faa_asm_error {
	/**
	 * @line: from 1; in binary forms the number of the instruction or bundle; 0 = the code as a
	 * whole.
	 */
	uint32_t line;
	/**
	 * @column: from 1, in bytes; in binary forms the byte of the instruction; 0 = the whole
	 * line.
	 */
	uint32_t column;
	/** @text: one sentence without a full stop. */
	char text[256];
};

/** struct faa_asm_code - instructions of one language */
struct faa_asm_code;

/**
 * faa_asm_read() - read code from text or from a binary form
 * @syntax: language of the code
 * @format: form of @data
 * @data: @size bytes of code; text needs no terminating 0
 * @size: bytes, up to 1 GiB
 * @code: receives the code; faa_asm_destroy() frees it
 * @error: receives the first error; NULL is allowed
 *
 * Return: 0; -EINVAL with @error; -EOPNOTSUPP, with @error, for a form that the language does not
 * have; -ENOMEM.
 */
int faa_asm_read(enum faa_asm_syntax syntax, enum faa_asm_format format, const void *data,
		 size_t size, struct faa_asm_code **code, struct faa_asm_error *error);

/**
 * faa_asm_read_errors() - faa_asm_read() that continues after an error
 * @syntax: language of the code
 * @format: form of @data; for binary forms one error is reported
 * @data: @size bytes of code
 * @size: bytes, up to 1 GiB
 * @code: receives the code; NULL on failure
 * @errors: receives errors in the order of the text
 * @capacity: size of @errors, 1 or more; reading ends when it is full
 * @error_count: receives the number of errors
 *
 * Reading resumes with the next statement. An error that may be a consequence of a rejected
 * declaration is not reported.
 *
 * Return: as faa_asm_read().
 */
int faa_asm_read_errors(enum faa_asm_syntax syntax, enum faa_asm_format format, const void *data,
			size_t size, struct faa_asm_code **code, struct faa_asm_error *errors,
			size_t capacity, size_t *error_count);

/** faa_asm_destroy() - free @code; NULL is allowed. */
void faa_asm_destroy(struct faa_asm_code *code);

/** faa_asm_count() - number of instructions of @code. */
size_t faa_asm_count(const struct faa_asm_code *code);

/**
 * faa_asm_write() - write code in one of its forms
 * @code: code to write
 * @format: form to write
 * @data: receives the bytes, which the caller frees; text ends with a 0 that @size does not count
 * @size: receives the number of bytes
 * @error: as in faa_asm_read(); @line is that of the instruction in the input. On success its text
 * is empty, or names what the form leaves out.
 *
 * Reading the output gives the same code. Only text is checked against all rules of its language.
 * Words of a binary form that break a rule are kept: they are written as text that faa_asm_read()
 * rejects, and rejected by faa_asm_emit(). Words that are no instruction are data.
 *
 * Return: 0; -EINVAL with @error for code that the form cannot hold; -EOPNOTSUPP; -ENOMEM.
 */
int faa_asm_write(const struct faa_asm_code *code, enum faa_asm_format format, void **data,
		  size_t *size, struct faa_asm_error *error);

/**
 * struct faa_asm_value - a register or variable of the code, and the operand that it is loaded from
 * or stored to; element i belongs to lane i
 */
struct faa_asm_value {
	/** @name: as the language spells it: R2 or P0; V32 or P1; %rd1. */
	const char *name;
	/**
	 * @operand: source (IMM, AFFINE, STREAM) or destination (STREAM) of the lanes' values; a
	 * predicate has u32 items, 0 or 1.
	 */
	struct faa_operand operand;
};

/** struct faa_asm_environment - initial and final values of registers, and lanes */
struct faa_asm_environment {
	/**
	 * @inputs: set before the first instruction. Other registers are 0, other predicates false.
	 */
	const struct faa_asm_value *inputs;
	/** @input_count: number of @inputs. */
	size_t input_count;
	/** @outputs: stored after the last instruction. */
	const struct faa_asm_value *outputs;
	/** @output_count: number of @outputs. */
	size_t output_count;
	/** @lanes: active lanes, bit i for lane i. */
	uint32_t lanes;
	/**
	 * @at: called with the line of an instruction, before the commands of the instruction are
	 * added; NULL is allowed.
	 */
	void (*at)(void *data, uint32_t line);
	/** @data: passed to @at. */
	void *data;
};

/**
 * FAA_ASM_SPLIT - base of the error address of a job in which a warp would diverge; the line of the
 * instruction is added
 *
 * PTX requires that the guard of bra.uni and ret.uni is the same in all lanes of a warp. Where it
 * differs, the job ends with FAA_ERROR_NON_CANONICAL at this address, in the lowest lane whose
 * guard is false.
 */
#define FAA_ASM_SPLIT 0xfaa0000000000000ull

/**
 * faa_asm_choose() - choose the kernel of @code that the functions below refer to
 * @code: code with kernels
 * @name: name of a kernel
 * @error: as in faa_asm_read()
 *
 * Code with one kernel needs no choice.
 *
 * Return: 0; -EINVAL with @error: there is no such kernel; -EOPNOTSUPP, with @error: the language
 * has no named kernels.
 */
int faa_asm_choose(struct faa_asm_code *code, const char *name, struct faa_asm_error *error);

/** struct faa_asm_variable - memory that code names and its environment provides */
struct faa_asm_variable {
	/** @name: its faa_asm_value.name; the value is the address. */
	const char *name;
	/** @bytes: size; 0: the code does not say. */
	uint64_t bytes;
	/** @align: alignment of the address, in bytes. */
	uint32_t align;
	/** @initial: the first @initial_bytes bytes of the initial value; all others are 0. */
	const void *initial;
	size_t initial_bytes;
};

/**
 * faa_asm_variable() - get one of the variables in memory that code names
 * @code: code
 * @index: from 0; .global and .const variables, and structures among the parameters of PTX
 * @variable: out; its pointers are valid until @code is destroyed
 *
 * Return: false: there are no more.
 */
bool faa_asm_variable(const struct faa_asm_code *code, size_t index,
		      struct faa_asm_variable *variable);

/** faa_asm_emit_sized() - faa_asm_emit() with the structure's size. */
int faa_asm_emit_sized(const struct faa_asm_code *code,
		       const struct faa_asm_environment *environment, size_t environment_size,
		       struct faa_stream *stream, struct faa_asm_error *error);

/**
 * faa_asm_emit() - append the commands for @code, without an END
 * @code: code for one warp
 * @environment: registers and lanes
 * @stream: receives the commands
 * @error: as in faa_asm_read(); also for a name in @environment that the code does not have (@line
 * 0)
 *
 * The code uses the surfaces, header pool, constant bank and shared memory that the queue and
 * earlier commands have set.
 *
 * Return: 0; -EINVAL with @error; -E2BIG: the stream is full; -ENOMEM.
 */
static inline int faa_asm_emit(const struct faa_asm_code *code,
			       const struct faa_asm_environment *environment,
			       struct faa_stream *stream, struct faa_asm_error *error)
{
	return faa_asm_emit_sized(code, environment, sizeof(*environment), stream, error);
}

#ifdef __cplusplus
}
#endif

#endif /* FAA_ASM_H */
