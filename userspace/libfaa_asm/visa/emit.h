/* SPDX-License-Identifier: MIT */
/*
 * Placement of variables in the registers of the device. Channel n of an instruction with mask M<k>
 * is lane 4 * (k - 1) + n, which is also the bit of the execution mask and of predicates. An
 * operand that begins at element e needs element e + n in that lane: its variable is shifted by 4 *
 * (k - 1) - e lanes. A variable has a register, or a pair, for each shift that code uses. Usually
 * this is one: (M3, 8) is used with elements 8 to 15. The device cannot move values between lanes:
 * a value written at one shift cannot be read at another.
 */
#ifndef VISA_EMIT_H
#define VISA_EMIT_H

#include "visa.h"

/* Registers of the device without RZ. */
#define VISA_MAX_VIEWS 255u

/** struct visa_value - a variable in registers; an alias is a part of one */
struct visa_value {
	/** @class: VISA_GENERAL or VISA_PREDICATE. */
	uint8_t class;
	/** @wide: elements have 64 bits. */
	bool wide;
	/** @known: @wide is known. */
	bool known;
	/** @number: number of the variable. */
	uint32_t number;
	/** @elements: number of elements; of used ones where variables are not declared. */
	uint32_t elements;
	/** @input: operand that it is set from; NULL = 0. */
	const struct faa_operand *input;
	/** @output: operand that it is stored to; NULL = none. */
	const struct faa_operand *output;
};

/** struct visa_view - a value at a shift: lane l holds element l - shift */
struct visa_view {
	/** @value: index of the value. */
	uint32_t value;
	int32_t shift;
	/** @reg: register, the even one of a pair. */
	uint8_t reg;
	/** @needed: lanes to set at the beginning. */
	uint32_t needed;
	/** @current: lanes that hold the current value of their element. */
	uint32_t current;
};

/** struct visa_emitter - state of the conversion to commands */
struct visa_emitter {
	const struct visa_code *code;
	const struct faa_asm_environment *environment;
	struct faa_stream *stream;
	struct faa_asm_error *error;
	/** @line: line of the instruction, for errors. */
	uint32_t line;
	struct visa_value values[VISA_MAX_VIEWS];
	unsigned int value_count;
	struct visa_view views[VISA_MAX_VIEWS];
	unsigned int view_count;
	/**
	 * @next_pair, @next_single: free registers: pairs from R0 up, single ones from R254 down.
	 */
	unsigned int next_pair;
	unsigned int next_single;
	/** @lanes: P0 is true in these lanes, if @lanes_ready. */
	uint32_t lanes;
	bool lanes_ready;
};

/** visa_emit_failed() - note the stream's error, if @ret is one. Return: @ret. */
int visa_emit_failed(struct visa_emitter *emitter, int ret);

/* emit_value.c */

/**
 * visa_emit_value() - the value of a variable, created if it is new. Return: 0; -EINVAL: there are
 * too many.
 */
int visa_emit_value(struct visa_emitter *emitter, enum visa_class class, uint32_t number,
		    unsigned int *index);

/**
 * visa_emit_view() - the view of a value, created if it is new. Return: 0; -EINVAL: there is no
 * register.
 */
int visa_emit_view(struct visa_emitter *emitter, unsigned int value, int32_t shift,
		   unsigned int *index);

/**
 * visa_emit_raw() - the view of an operand with elements of @bytes, first element in lane @lane.
 */
int visa_emit_raw(struct visa_emitter *emitter, const struct visa_raw *raw, unsigned int bytes,
		  unsigned int lane, unsigned int count, unsigned int *index);

/** visa_emit_bind() - resolve the names of the environment. */
int visa_emit_bind(struct visa_emitter *emitter);

/** visa_emit_outputs_needed() - views for all elements that are stored. */
int visa_emit_outputs_needed(struct visa_emitter *emitter);

/** visa_emit_load() - set every view. */
int visa_emit_load(struct visa_emitter *emitter);

/** visa_emit_store() - store the outputs. */
int visa_emit_store(struct visa_emitter *emitter);

/** visa_emit_read() - whether a view has the current value of its elements in @lanes. */
int visa_emit_read(struct visa_emitter *emitter, unsigned int view, uint32_t lanes);

/** visa_emit_written() - note that a view is written in @lanes. */
void visa_emit_written(struct visa_emitter *emitter, unsigned int view, uint32_t lanes);

/* emit_guard.c */

/** visa_emit_count() - elements of a command up to the highest lane of @lanes, which is not 0. */
static inline uint64_t visa_emit_count(uint32_t lanes)
{
	return 32u - (unsigned int)__builtin_clz(lanes);
}

/**
 * visa_emit_lanes() - make P0 true in @lanes, unless they are all lanes below visa_emit_count().
 * Return: the guard in @guard.
 */
int visa_emit_lanes(struct visa_emitter *emitter, uint32_t lanes, unsigned int *guard);

/**
 * visa_emit_predicate() - the guard of an instruction
 * @inst: instruction, of which the predicate control counts, and the channels for any and all
 * @lanes: lanes that its mask enables, not 0
 * @view: view of the predicate
 * @guard: receives the guard
 * @skip: receives a label after the instruction, which the caller places; VISA_NO_LABEL: none
 */
int visa_emit_predicate(struct visa_emitter *emitter, const struct visa_inst *inst, uint32_t lanes,
			unsigned int view, unsigned int *guard, uint32_t *skip);

#define VISA_NO_LABEL UINT32_MAX

#endif /* VISA_EMIT_H */
