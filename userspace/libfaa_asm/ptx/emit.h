/* SPDX-License-Identifier: MIT */
/*
 * PTX as commands: declarations that the files of the emitter share.
 */
#ifndef FAA_PTX_EMIT_H
#define FAA_PTX_EMIT_H

#include "ptx.h"

/* Registers for instructions that need several commands; even. */
#define PTX_TEMP	 248u
#define PTX_TEMP_ADDRESS 250u
/* Predicates of the active lanes, where these are not the lowest ones, and of a negated guard. */
#define PTX_ACTIVE  6u
#define PTX_NEGATED 5u

/** PTX_UNUSED - for a register that no command uses */
#define PTX_UNUSED 255

/** struct ptx_emit - state of the conversion to commands */
struct ptx_emit {
	const struct ptx_code *code;
	const struct faa_asm_environment *environment;
	struct faa_stream *stream;
	struct faa_asm_error *error;
	/** @where: register or predicate of the device for each register of the code. */
	uint8_t *where;
	/** @clear: registers that may be read before they are written. */
	bool *clear;
	/** @symbols, @specials: operands of names of the environment; kind NONE: not set. */
	struct faa_operand *symbols;
	struct faa_operand specials[PTX_SPECIAL_COUNT];
	/** @kernel: kernel to emit. */
	const struct ptx_kernel *kernel;
	/** @given: symbols that the environment has set; @threads: it has set %ntid.x. */
	bool *given, threads;
	/** @labels: labels of the stream; @end: the one after the last instruction. */
	uint32_t *labels, end;
	/** @count: elements of a command: the highest active lane + 1. */
	unsigned int count;
	/** @sparse: some lane below @count is inactive. */
	bool sparse;
	/** @predicates: predicates in use, as bits. */
	unsigned int predicates;
};

/**
 * ptx_allocate() - assign registers and predicates of the device. Return: 0; -EINVAL with the error
 * noted; -ENOMEM.
 */
int ptx_allocate(struct ptx_emit *emit);

/** struct ptx_found - meaning of a name of the environment */
struct ptx_found {
	enum {
		PTX_FOUND_REGISTER,
		PTX_FOUND_SYMBOL,
		PTX_FOUND_SPECIAL,
		PTX_FOUND_UNUSED,
		PTX_FOUND_NOTHING
	} kind;
	uint32_t index;
};

/**
 * ptx_find_name() - look up a name of the environment; PTX_FOUND_UNUSED: a register that is
 * declared, but not used.
 */
struct ptx_found ptx_find_name(const struct ptx_code *code, const char *name);

/**
 * ptx_add() - add a command for @instruction under its guard; NULL: for all active lanes. @vector
 * is complete except the count.
 */
int ptx_add(struct ptx_emit *emit, const struct ptx_instruction *instruction,
	    struct faa_vector vector);

/** ptx_device_register() - the device register of a register; the low half of a 64-bit one. */
static inline uint8_t ptx_device_register(const struct ptx_emit *emit, uint32_t index)
{
	return emit->where[index];
}

/** ptx_shared_address() - address of a shared variable. */
uint32_t ptx_shared_address(const struct ptx_emit *emit, const struct ptx_symbol *symbol);

/** ptx_is_jump() - whether instruction @at is bra, or ret that is not the last instruction. */
bool ptx_is_jump(const struct ptx_code *code, size_t at);

/** ptx_source() - an operand as an operand of a command. */
struct faa_operand ptx_source(const struct ptx_emit *emit, const struct ptx_operand *operand);

/** ptx_move() - @d = @a in 32 or 64 bits. */
int ptx_move(struct ptx_emit *emit, const struct ptx_instruction *instruction, unsigned int bits,
	     struct faa_operand d, struct faa_operand a);

/** ptx_alu() - @d = @a op @b. */
int ptx_alu(struct ptx_emit *emit, const struct ptx_instruction *instruction, enum faa_alu_op op,
	    enum faa_type type, uint8_t d, struct faa_operand a, struct faa_operand b);

/** ptx_widen() - set the high half of a 64-bit register from its low half. */
int ptx_widen(struct ptx_emit *emit, const struct ptx_instruction *instruction, uint8_t low,
	      bool is_signed);

/* emit_memory.c, emit_plain.c */
int ptx_emit_memory(struct ptx_emit *emit, const struct ptx_instruction *instruction);
int ptx_emit_plain(struct ptx_emit *emit, const struct ptx_instruction *instruction);

#endif /* FAA_PTX_EMIT_H */
