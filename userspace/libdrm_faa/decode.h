/* SPDX-License-Identifier: MIT */
/**
 * DOC: Decoding of commands
 *
 * The checks of a command's words before it is executed, in the order of "Which error is reported"
 * in Documentation/device.rst, except those that depend on the VM or on the job. The device is
 * assumed to have all features.
 */
#ifndef FAA_DECODE_H
#define FAA_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "faa.h"
#include "faa_tables.h"

/* Largest size of a constant bank: bits 15..2 of the field are legal. */
#define FAA_BANK_BYTES_MAX 65532u

/**
 * struct faa_decoded - a decoded command
 * @info: its description, NULL for an unknown opcode
 * @error: enum faa_error, FAA_ERROR_SUCCESS if a device would execute it
 * @why: the error in detail, or NULL if @error is enough
 * @words: its length in words, at least 1; 1 if the length field is not valid
 * @issue: guard and barriers
 * @vector: opcode, op, type, mod; operands, count, strength, scope, order and place of a vector
 *          command
 * @control: the words after the header of a control command
 */
struct faa_decoded {
	const struct faa_command_info *info;
	uint32_t error;
	const char *why;
	unsigned int words;
	struct faa_issue issue;
	struct faa_vector vector;
	uint64_t control[2];
};

/**
 * faa_operand_bits() - width of operand @slot (0 a, 1 b, 2 c, 3 d), 32 or 64
 *
 * It depends on opcode, type and, for SUATOM, the place.
 */
unsigned int faa_operand_bits(const struct faa_vector *vector, unsigned int slot);

/** faa_coordinates() - coordinates of a surface operation with @dim (enum faa_dim), 1..3. */
unsigned int faa_coordinates(unsigned int dim);

/**
 * faa_coordinates_in_registers() - whether there are three coordinates of 32 bits
 *
 * Only registers Ra, Ra+1, Ra+2 can hold these.
 */
int faa_coordinates_in_registers(const struct faa_place *place);

/** faa_type_is_float() - whether @type is a floating-point type. */
int faa_type_is_float(unsigned int type);

/**
 * faa_modes_allowed() - floating-point modes that the command may have; 0 for most
 *
 * Return: mask of enum faa_float_mode.
 */
unsigned int faa_modes_allowed(unsigned int opcode, unsigned int op, unsigned int type);

/**
 * faa_stream_type_ok() - whether items of @type can feed an operand of @bits bits
 *
 * SD32 and SD64 are types of operations alone.
 */
int faa_stream_type_ok(unsigned int type, unsigned int bits);

/** faa_vector_operand() - operand @slot of @vector, 0 a .. 3 d. */
const struct faa_operand *faa_vector_operand(const struct faa_vector *vector, unsigned int slot);

/**
 * faa_kinds_allowed() - kinds that slot @slot may have in this operation
 *
 * Return: mask of bits by enum faa_kind.
 */
unsigned int faa_kinds_allowed(const struct faa_command_info *info, unsigned int op,
			       unsigned int slot);

/**
 * faa_decode() - decode the command at @words
 * @words: the stream from this command on
 * @count: words left in the stream, at least 1
 * @out: the result; every member is set
 */
void faa_decode(const uint64_t *words, size_t count, struct faa_decoded *out);

#endif /* FAA_DECODE_H */
