/* SPDX-License-Identifier: MIT */
/**
 * DOC: Decoding of commands
 *
 * What a device finds in the words of a command before it executes it: the checks and their order are those of
 * "Which error is reported" in Documentation/device.rst, except what depends on the VM or on the job. The device is one with all features.
 */
#ifndef FAA_DECODE_H
#define FAA_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "faa_encode.h"
#include "faa_tables.h"

/* Bits that the size of a constant bank may have: 15..2. */
#define FAA_BANK_BYTES_MAX 65532u

/**
 * struct faa_decoded - one command, taken apart
 * @info: its description, NULL for an unknown opcode
 * @error: enum faa_error, FAA_ERROR_SUCCESS if a device would execute it
 * @why: what exactly is wrong, or NULL where the error says it all
 * @words: its length in words, at least 1; 1 where the length field cannot be trusted
 * @issue: guard and barriers
 * @vector: opcode, op, type, mod; operands, count, strength, scope, order and place of a vector command
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

/** faa_operand_bits() - width of operand @slot (0 a, 1 b, 2 c, 3 d), 32 or 64; opcode, type and, of SUATOM, the place count. */
unsigned int faa_operand_bits(const struct faa_vector *vector, unsigned int slot);

/** faa_coordinates() - coordinates of a surface operation with @dim (enum faa_dim), 1..3. */
unsigned int faa_coordinates(unsigned int dim);

/** faa_coordinates_in_registers() - whether they are three of 32 bits, which fit no operand but Ra, Ra+1, Ra+2. */
int faa_coordinates_in_registers(const struct faa_place *place);

/** faa_type_bits() - bits of an item of @type (8, 16, 32, 64), 0 for an unknown one. */
unsigned int faa_type_bits(unsigned int type);

/** faa_type_is_float() - whether @type is a floating-point type. */
int faa_type_is_float(unsigned int type);

/** faa_modes_allowed() - floating-point modes (bits of enum faa_float_mode) that the command may have; 0 for most. */
unsigned int faa_modes_allowed(unsigned int opcode, unsigned int op, unsigned int type);

/** faa_stream_type_ok() - whether items of @type can feed an operand of @bits bits. SD32 and SD64 are types of operations alone. */
int faa_stream_type_ok(unsigned int type, unsigned int bits);

/** faa_vector_operand() - operand @slot of @vector, 0 a .. 3 d. */
const struct faa_operand *faa_vector_operand(const struct faa_vector *vector, unsigned int slot);

/** faa_kinds_allowed() - kinds (bits of enum faa_kind) that slot @slot may have in this operation. */
unsigned int faa_kinds_allowed(const struct faa_command_info *info, unsigned int op,
			       unsigned int slot);

/**
 * faa_decode() - take apart the command at @words
 * @words: the stream from this command on
 * @count: words left in the stream, at least 1
 * @out: the result; every member is set
 */
void faa_decode(const uint64_t *words, size_t count, struct faa_decoded *out);

#endif /* FAA_DECODE_H */
